/*
 * expand: replaces the markers of a prompt (requirement: assets, "Prompt Expansion"): @path by a
 * file's content, @@name by an asset's. It only reads, and only inside f->roots. The commands
 * expand and find use it, and completion.
 */
#pragma once

#include "file/file.h"

/* ---- markers ---- */

struct expand_options {
	bool strict;      /* a missing target is an error: MISSING_REFERENCE */
	size_t max_bytes; /* limit of one reference; above it TOO_BIG */
	size_t max_total; /* limit of the result; above it TOO_BIG */
	/* Folders in which a relative name is looked up that is not in f->cwd, the first one first.
	 */
	const struct strs *also; /* NULL: none */
};
struct expand_reference {
	struct str marker;   /* as typed */
	struct str target;   /* the path, or ikigai:///… */
	struct span at;      /* of the marker in the prompt */
	size_t size;         /* bytes that replace it */
	bool asset;          /* @@ */
	bool missing;        /* it stays as typed */
	enum err_reason why; /* if missing: FILE_NOT_FOUND, OUTSIDE_ROOTS, NOT_TEXT … */
	struct str near;     /* if missing: a similar marker that would work, or empty */
};
struct expand_references VEC(struct expand_reference);

/*
 * The result of looking up a name. found: target and content are set. Else why says why the marker
 * stays as typed; FILE_NOT_FOUND or NO_SUCH_ASSET: nothing has that name. An error of expand_fn
 * ends the expansion.
 */
struct expand_target {
	bool found;
	struct str target, content;
	enum err_reason why;
	struct str near; /* a similar name that exists, or empty */
};
typedef struct err *expand_fn(void *ctx, struct arena *a, bool asset, struct str name, size_t max,
			      struct expand_target *out);
/*
 * Replaces each marker in text by the content that fn finds. text may have any bytes. All other
 * bytes stay, except that the backslash of an escaped marker (\@) is removed. A marker begins a
 * word; in code spans and fences there are none. A name ends at a blank, a quote, a backquote, or
 * one of , ; < > | . Punctuation at its end belongs to the name only if something has that name.
 * @"…" may hold any name; in it a backslash escapes the next byte. Inserted content is not
 * expanded.
 *
 * A missing file is in references if its name looks like a path (it has "/" or "."), or if
 * something has that name and cannot be inserted. Otherwise the marker is plain text, such as
 * @param. A missing asset is always in references.
 */
struct err *expand_markers(struct arena *a, struct str text, const struct expand_options *options,
			   expand_fn *fn, void *ctx, struct str *out,
			   struct expand_references *references) MUST_USE;
/* Like expand_markers(), with files and stored assets. The result lives in f->a. */
struct err *expand_text(struct files *f, struct str text, const struct expand_options *options,
			struct str *out, struct expand_references *references) MUST_USE;
/* Why a reference is missing, for people. */
const char *expand_missing_reason(enum err_reason why);
/* The marker of a file or an asset, in quotes if it needs them. name: the path. */
struct str expand_marker_for_path(struct arena *a, bool asset, struct str name);
