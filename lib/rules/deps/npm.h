/* npm: package specifications of npm, yarn, pnpm, bun and Deno. Private to deps. */
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
struct err *npm_package_json_name(struct reader *r, struct str path, struct str *name,
				  bool *found) MUST_USE;
