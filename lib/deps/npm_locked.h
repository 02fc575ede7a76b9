/* npm_locked: shared by the lockfiles of npm, yarn and pnpm. Private to deps. */
#ifndef IKM_DEPS_NPM_LOCKED_H
#define IKM_DEPS_NPM_LOCKED_H

#include "deps/reader.h"

struct npm_locked {
	struct str name;         /* the name in requests */
	struct str real;         /* the name of the package itself; often the same */
	struct span at;          /* of the real name */
	struct str version;      /* the locked version; otherwise an address, or empty */
	struct str resolved;     /* where it is fetched from; p NULL: not given */
	struct span resolved_at; /* with its quotes, if it has any */
};
/*
 * The fetched address takes precedence over the entry's name. A repository, and an archive outside
 * registries, is listed by the entry's name and by its own name; it is unresolved when the names
 * differ.
 */
struct err *npm_locked_add(struct reader *r, struct npm_locked l) MUST_USE;

/* ---- lockfiles that are read line by line ---- */

/* The place of a slice of the text. */
struct span npm_span(const struct reader *r, struct str slice);
/* Counts leading blanks; BAD_MANIFEST for a tab and for conflict markers of a merge. */
struct err *npm_indent(struct reader *r, struct str line, size_t *out) MUST_USE;
/* Removes single or double quotes around it. */
struct str npm_bare(struct str s);
/* "NAME@workspace:…": a folder of the project, which may have any name. */
bool npm_is_workspace(struct str descriptor);
/* Splits "name@range", scoped or not; false when it has another form. */
bool npm_split(struct str descriptor, struct str *name, struct str *range);

#endif
