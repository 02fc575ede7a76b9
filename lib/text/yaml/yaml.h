/*
 * yaml: reads one YAML 1.2 document into a value tree with spans in bytes. Used for frontmatter,
 * blocks under "## Constraints", waivers, access manifests and lockfiles. libyaml parses. This
 * module resolves plain scalars by the core schema, and limits the values that aliases can add.
 */
#pragma once

#include "base/base.h"

/*
 * Reads `text`. When `text` is a block inside a larger file, `whole` is that file, and `offset` is
 * the place of the block in it. Otherwise `whole` is empty. `offset` is added to every span.
 *
 * An empty document is VAL_NULL. Plain scalars: null, booleans and numbers of the core schema get
 * their type. Numbers that are not JSON numbers, and all other plain scalars, dates too, are
 * VAL_STR with plain = true.
 *
 * The reader rejects keys that are not scalars, duplicate keys, a second document and unknown
 * anchors. The limits are 64 MiB, 128 levels, and a million values with aliases expanded.
 *
 * Errors: BAD_YAML, TOO_DEEP, TOO_LONG, BAD_UTF8. The message begins "line L, column C: ", counted
 * in `whole`, or in `text` when `whole` is empty. The details have line and column.
 */
struct err *yaml_read(struct arena *a, struct str text, struct str whole, size_t offset,
		      struct val **out) MUST_USE;

/*
 * As yaml_read(), for a text of any number of documents: *out is the list of them. Anchors count in
 * their own document; the limit of values is for all documents together.
 */
struct err *yaml_read_all(struct arena *a, struct str text, struct val **out) MUST_USE;

/* ---- for the files of this module ---- */

/*
 * Sets type, s and b of v from the text of a plain scalar. Numbers that JSON could not write (0x1F,
 * 1_000, .5, .inf) stay strings, so that a number's text is always JSON.
 */
void yaml_resolve(struct val *v, struct str text);
