/* npm_locked: what the lockfiles of npm, yarn and pnpm share. Private to deps. */
#ifndef IKM_DEPS_NPM_LOCKED_H
#define IKM_DEPS_NPM_LOCKED_H

#include "deps/reader.h"

struct npm_locked {
	struct str name;         /* by which others ask for it */
	struct str real;         /* of the package itself; often the same */
	struct span at;          /* of the real one */
	struct str version;      /* locked when it is one; else an address, or empty */
	struct str resolved;     /* where it is fetched from; p NULL: not told */
	struct span resolved_at; /* with its quotes, if it has any */
};
/*
 * What is fetched counts, whatever the entry calls it. A repository and an archive of no registry
 * are listed by the entry's name and by their own, and are unresolved when those differ.
 */
struct err *npm_locked_add(struct reader *r, struct npm_locked l) MUST_USE;

/* ---- lockfiles that are read line by line ---- */

/* The place of a slice of the text. */
struct span npm_span(const struct reader *r, struct str slice);
/* Blanks in front; BAD_MANIFEST for a tab and for what a merge left in the file. */
struct err *npm_indent(struct reader *r, struct str line, size_t *out) MUST_USE;
/* Without the quotes that are around it; single or double ones. */
struct str npm_bare(struct str s);
/* "NAME@workspace:…", of a folder of the project, which may have any name. */
bool npm_is_workspace(struct str descriptor);
/* "name@range" of a package, scoped or not; false when it is none. */
bool npm_split(struct str descriptor, struct str *name, struct str *range);

#endif
