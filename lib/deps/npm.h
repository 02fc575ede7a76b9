/* npm: package specifications and lockfiles of npm, yarn, pnpm and bun. Private to deps. */
#pragma once

#include "deps/reader.h"

/* One specification: the value of a key, and its place. */
struct npm_spec {
	struct str key;
	struct span key_at;
	const struct val *value; /* a string, or a number in YAML */
	const struct span *at;   /* not NULL: the value is used here, but written elsewhere */
};

/*
 * Lists the package, by its real name when the value names another package than the key. A package
 * that the value does not name is listed by the key, and is unresolved too.
 */
struct err *npm_spec_add(struct reader *r, const struct npm_spec *s) MUST_USE;

/* NAME, NAME@VERSION, @SCOPE/NAME@VERSION */
void npm_split_at(struct str s, struct str *name, struct str *version);

/*
 * The name in the package.json of a folder, relative to the manifest; empty when it has none.
 * *found is false when the tree has no such file, or cannot read it.
 */
struct err *npm_folder_name(struct reader *r, struct str path, struct str *name,
			    bool *found) MUST_USE;

/* ---- lockfiles ---- */

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

/* Counts leading blanks; BAD_MANIFEST for a tab and for conflict markers of a merge. */
struct err *npm_indent(struct reader *r, struct str line, size_t *out) MUST_USE;
/* "NAME@workspace:…": a folder of the project, which may have any name. */
bool npm_is_workspace(struct str descriptor);
/* Splits "name@range", scoped or not; false when it has another form. */
bool npm_split(struct str descriptor, struct str *name, struct str *range);
