/*
 * expand: the markers of a prompt (requirement: assets, "Prompt Expansion"): @path is a file's
 * content, @@name an asset's; and the references that a text makes. Reading only, always inside
 * f->roots. Used by the commands expand and find, and by completion.
 */
#ifndef IKM_EXPAND_H
#define IKM_EXPAND_H

#include "file/file.h"

/* ---- markers ---- */

struct expand_options {
	bool strict;      /* a missing target is an error: MISSING_REFERENCE */
	size_t max_bytes; /* of one reference: a larger one is TOO_BIG */
	size_t max_total; /* of the result: TOO_BIG too */
};
struct expand_reference {
	struct str marker;   /* as typed */
	struct str target;   /* the path, or ikigai:///… */
	struct span at;      /* of the marker in the prompt */
	size_t size;         /* bytes that took its place */
	bool asset;          /* @@ */
	bool missing;        /* it stays as typed */
	enum err_reason why; /* what is missing: FILE_NOT_FOUND, OUTSIDE_ROOTS, NOT_TEXT … */
	struct str near;     /* of what is missing: the marker that was probably meant; or empty */
};
struct expand_references {
	struct expand_reference *p;
	size_t n, cap;
};

/*
 * What stands behind a name. Found: target and content. Else why: a reason for which the marker
 * stays as typed; FILE_NOT_FOUND or NO_SUCH_ASSET when there is nothing of that name. An error ends
 * the expansion.
 */
struct expand_target {
	bool found;
	struct str target, content;
	enum err_reason why;
	struct str near; /* the name that was probably meant; or empty */
};
typedef struct err *expand_fn(void *ctx, struct arena *a, bool asset, struct str name, size_t max,
			      struct expand_target *out);
/*
 * Replaces the markers of any bytes by what fn finds; the rest stays byte for byte, except that the
 * backslash of an escaped marker (\@) goes away. A marker begins a word; code spans and fences are
 * text. A name ends at a blank, a quote, a backquote, or one of , ; < > | ; punctuation at its end
 * belongs to it only if there is something of that name. @"…" may hold anything; in it a backslash
 * takes away the meaning of the byte behind it. What is put in is not looked at again.
 *
 * A missing file is listed if its name looks like a path (it has "/" or "."), or if something is
 * there that is no text; else it is text, as @param is. A missing asset is always listed.
 */
struct err *expand_markers(struct arena *a, struct str text, const struct expand_options *options,
			   expand_fn *fn, void *ctx, struct str *out,
			   struct expand_references *references) MUST_USE;
/* The same with files and assets: f->a is where the result lives. */
struct err *expand_text(struct files *f, struct str text, const struct expand_options *options,
			struct str *out, struct expand_references *references) MUST_USE;
/* Why a reference is missing, for people. */
const char *expand_why(enum err_reason why);
/* The marker that expands to it, in quotes if it must be. name: a path, or an asset's path. */
struct str expand_marker(struct arena *a, bool asset, struct str name);

#endif
