/*
 * yaml: reads one YAML 1.2 document into a value tree with spans (in bytes). Frontmatter, blocks
 * under "## Constraints", waivers, access manifests, lockfiles. libyaml parses; this module
 * resolves plain scalars by the core schema and bounds what aliases may cost.
 */
#ifndef IKM_YAML_H
#define IKM_YAML_H

#include "base/base.h"

/*
 * `offset` is added to every span, so that a block inside a larger file reports places in that
 * file. An empty document is VAL_NULL. Plain scalars: null, booleans and numbers of the core
 * schema get their type (numbers that JSON could not write are strings); all else, dates included,
 * is VAL_STR with plain = true. Keys that are not scalars, duplicate keys, a second document,
 * unknown anchors, over 64 MiB, 128 levels or a million values (aliases expanded) are errors.
 * Errors: BAD_YAML, TOO_DEEP, TOO_LONG, BAD_UTF8; message "line L, column C: …" relative to
 * `text` only when `whole` is empty, else to `whole`, of which `text` is a part at `offset`; the
 * details have line and column.
 */
struct err *yaml_read(struct arena *a, struct str text, struct str whole, size_t offset,
		      struct val **out) MUST_USE;

/* ---- for the files of this module ---- */

/*
 * Sets type, s and b of v from the text of a plain scalar. Numbers that JSON could not write (0x1F,
 * 1_000, .5, .inf) stay strings, so that a number's text is always JSON.
 */
void yaml_resolve(struct val *v, struct str text);

#endif
