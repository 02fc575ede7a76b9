/* ecosystem: the facts of deps/ecosystems.h as a table; typed_*() are in install_syntax.c. Private
 * to deps.
 */
#pragma once

#include "deps/range.h"
#include "deps/reader.h"

/*
 * Lists what `s` names, in r->ecosystem: s has neither blanks nor quotes around it, and is r->text.
 * NULL, or a clause that says how the ecosystem's tools write a package.
 */
typedef const char *typed_package_fn(struct reader *r, struct str s);

typed_package_fn typed_npm, typed_pypi, typed_go, typed_cargo, typed_gem, typed_maven, typed_nuget,
	typed_composer, typed_conda, typed_pub, typed_address, typed_vcpkg, typed_conan,
	typed_docker, typed_github, typed_terraform, typed_word;

struct ecosystem {
	const char *other_names; /* with blanks between */
	struct str (*normal)(struct arena *a, struct str name);
	struct str (*brief)(struct str name);
	const struct versions *versions;
	typed_package_fn *typed;
};
extern const struct ecosystem ecosystems[DEPS_ECOSYSTEMS];
