/* npm_spec: what a package is asked for by, as npm, yarn, pnpm and bun write it. Private to
 * deps. */
#ifndef IKM_DEPS_NPM_SPEC_H
#define IKM_DEPS_NPM_SPEC_H

#include "deps/reader.h"

/* One specification: what key asks for, and where it is written. */
struct npm_spec {
	struct str key;
	struct span key_at;
	const struct val *value; /* a string, or a number of YAML */
	const struct span *at;   /* not NULL: the value is used here, but written elsewhere */
};

/*
 * Lists the package, by its real name where the value tells another one than the key. A package
 * that the value does not tell is listed by the key, and is unresolved besides.
 */
struct err *npm_spec_add(struct reader *r, const struct npm_spec *s) MUST_USE;

/* NAME, NAME@VERSION, @SCOPE/NAME@VERSION */
void npm_split_at(struct str s, struct str *name, struct str *version);

/*
 * The name in the package.json of a folder, beside the manifest; empty when it has none. *found is
 * false when the tree has no such file, or when it cannot be read.
 */
struct err *npm_folder_name(struct reader *r, struct str path, struct str *name,
			    bool *found) MUST_USE;

/*
 * What a catalog of the workspace says of the package; NULL when no catalog that can be seen has
 * it. top is the manifest itself.
 */
struct err *npm_catalog(struct reader *r, struct str catalog, struct str package,
			const struct val **out) MUST_USE;

#endif
