/*
 * expand: the markers of a prompt (seed 000, "Prompt Expansion"): @path is a file's content, @@name
 * an asset's; and the references that a text makes. Reading only, always inside f->roots.
 */
#ifndef IKM_EXPAND_H
#define IKM_EXPAND_H

#include "file/file.h"

struct expand_options {
	bool strict;          /* a missing target is an error: MISSING_REFERENCE */
	size_t max_bytes;     /* of one reference: a larger one is TOO_BIG */
	size_t max_total;     /* of the result */
};
struct expand_reference {
	struct str marker; /* as typed */
	struct str target; /* the path, or ikigai:///… */
	struct span at;    /* in the prompt */
	size_t size;       /* bytes that took its place */
	bool missing, warned; /* warned: it looks like a path */
};
struct expand_references {
	struct expand_reference *p;
	size_t n, cap;
};
struct err *expand_text(struct files *f, struct str text, const struct expand_options *options,
			struct str *out, struct expand_references *references) MUST_USE;

#endif
