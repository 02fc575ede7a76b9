/* ecosystem: the facts of deps/ecosystems.h as a table. Private to deps. */
#pragma once

#include "deps/range.h"
#include "deps/reader.h"

/*
 * Lists what `s` names, in r->ecosystem: s has neither blanks nor quotes around it, and is r->text.
 * NULL, or a clause that says how the ecosystem's tools write a package.
 */
typedef const char *typed_package_fn(struct reader *r, struct str s);

struct ecosystem {
	const char *other_names; /* with blanks between */
	struct str (*normal)(struct arena *a, struct str name);
	struct str (*brief)(struct str name);
	const struct versions *versions;
	typed_package_fn *typed;
};
extern const struct ecosystem ecosystems[DEPS_ECOSYSTEMS];
