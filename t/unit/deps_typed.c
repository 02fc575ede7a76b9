/* Names of packages as people type them. */
#include "deps.h"

struct typed {
	enum deps_ecosystem e;
	const char *name, *version;
	const char *want; /* NAME VERSION [as WRITTEN] [locked]; of more packages joined by "; " */
};

/* The first reading, or the error. */
static struct str typed_shown(struct arena *a, const struct typed *t)
{
	struct deps_readings all;
	struct err *e =
		deps_read_install_argument(a, t->e, str_of(t->name), str_of(t->version), &all);
	struct buf b = buf_in(a);

	if (e)
		return str_of(err_message(e));
	for (size_t i = 0; i < all.p[0].n; i++) {
		const struct dep *d = &all.p[0].p[i];

		buf_fmt(&b, "%s%.*s %.*s", i ? "; " : "", STR_ARG(d->name),
			STR_ARG(d->version.n ? d->version : STR("-")));
		if (d->written.n)
			buf_fmt(&b, " as %.*s", STR_ARG(d->written));
		if (d->kind == DEPS_RUNTIME)
			buf_puts(&b, " runtime");
		if (d->locked)
			buf_puts(&b, " locked");
	}
	return buf_as_str(&b);
}

/* Whether one of the readings has the name in the ecosystem. */
static bool typed_has(struct arena *a, const char *text, enum deps_ecosystem e, const char *name)
{
	struct deps_readings all;
	bool has = false;

	if (deps_read_install_argument(a, DEPS_UNKNOWN, str_of(text), STR(""), &all))
		return false;
	for (size_t i = 0; i < all.n; i++)
		for (size_t j = 0; j < all.p[i].n; j++)
			has |= all.p[i].p[j].ecosystem == e && str_is(all.p[i].p[j].name, name);
	return has;
}

/* clang-format off */
static const struct typed good[] = {
	{DEPS_NPM, "mysql2", "", "mysql2 -"},
	{DEPS_NPM, " \"mysql2\"\t", "", "mysql2 -"},
	{DEPS_NPM, "mysql2@3.9", "", "mysql2 3.9"},
	{DEPS_NPM, "mysql2@3.9.1", "", "mysql2 3.9.1 locked"},
	{DEPS_NPM, "@scope/x@^1", "", "@scope/x ^1"},
	{DEPS_NPM, "x@>=1 <2", "", "x >=1 <2"},
	{DEPS_NPM, "x@latest", "", "x latest"},
	{DEPS_NPM, "x@npm:mysql2@3", "", "mysql2 3 as x"},
	{DEPS_NPM, "x", "npm:mysql2@3", "mysql2 3 as x"},
	{DEPS_NPM, "x", "^3", "x ^3"},
	{DEPS_NPM, "npm:mysql2@3", "", "mysql2 3"},
	{DEPS_NPM, "jsr:@a/b@1", "", "@a/b 1"},
	{DEPS_NPM, "user/mysql2", "", "mysql2 -"},
	{DEPS_NPM, "git+https://x.org/a/mysql2.git#v1", "", "mysql2 -"},
	{DEPS_PYPI, "requests==2.31", "", "requests ==2.31"},
	{DEPS_PYPI, "requests[socks]>=2 ; python_version < '3.9'", "", "requests >=2"},
	{DEPS_PYPI, "requests", "2.31", "requests 2.31 locked"},
	{DEPS_PYPI, "requests@^2", "", "requests ^2"},
	{DEPS_PYPI, "requests @ https://x.org/requests-2.0-py3-none-any.whl", "", "requests 2.0 locked"},
	{DEPS_PYPI, "https://x.org/requests-2.0.tar.gz", "", "requests 2.0 locked"},
	{DEPS_GO, "github.com/a/b@v1.2.3", "", "github.com/a/b v1.2.3 locked"},
	{DEPS_GO, "github.com/a/b/...@latest", "", "github.com/a/b latest"},
	{DEPS_CARGO, "serde@1", "", "serde 1"},
	{DEPS_GEM, "rails:7.0", "", "rails 7.0 locked"},
	{DEPS_GEM, "rails -v ~> 7", "", "rails ~> 7"},
	{DEPS_GEM, "rails --version 7.0", "", "rails 7.0 locked"},
	{DEPS_MAVEN, "g.h:a", "", "g.h:a -"},
	{DEPS_MAVEN, "g.h:a:1.0", "", "g.h:a 1.0 locked"},
	{DEPS_MAVEN, "g.h:a:jar:1.0", "", "g.h:a 1.0 locked"},
	{DEPS_MAVEN, "g.h:a:jar:tests:1.0", "", "g.h:a 1.0 locked"},
	{DEPS_MAVEN, "g.h:a:1.0:tests@zip", "", "g.h:a 1.0 locked"},
	{DEPS_NUGET, "X.Y/1.2", "", "X.Y 1.2 locked"},
	{DEPS_NUGET, "X.Y@1.2", "", "X.Y 1.2 locked"},
	{DEPS_NUGET, "X.Y --version 1.2", "", "X.Y 1.2 locked"},
	{DEPS_COMPOSER, "a/b:^1", "", "a/b ^1"},
	{DEPS_COMPOSER, "a/b ^1", "", "a/b ^1"},
	{DEPS_COMPOSER, "a/b=1.0", "", "a/b 1.0 locked"},
	{DEPS_COMPOSER, "ext-mysqli", "", "ext-mysqli -"},
	{DEPS_COMPOSER, "php:^8", "", "php ^8 runtime"},
	{DEPS_CONDA, "conda-forge::numpy=1.11=py3", "", "numpy =1.11"},
	{DEPS_CONDA, "numpy>=1.8,<2", "", "numpy >=1.8,<2"},
	{DEPS_PUB, "dev:http:^1.0.0", "", "http ^1.0.0"},
	{DEPS_HEX, "phoenix@1.7", "", "phoenix 1.7 locked"},
	{DEPS_SWIFT, "https://github.com/a/B.git", "", "github.com/a/B -"},
	{DEPS_GIT, "git@github.com:a/b.git", "", "github.com/a/b -"},
	{DEPS_VCPKG, "zlib[core]:x64-linux", "", "zlib -"},
	{DEPS_CONAN, "zlib/1.2.13@user/channel#abc", "", "zlib 1.2.13 locked"},
	{DEPS_CONAN, "zlib/[>=1.2]", "", "zlib >=1.2"},
	{DEPS_DOCKER, "mysql:8.0", "", "mysql 8.0"},
	{DEPS_DOCKER, "docker.io/library/mysql:8@sha256:abc", "", "docker.io/library/mysql 8"},
	{DEPS_DOCKER, "localhost:5000/a/b", "", "localhost:5000/a/b -"},
	{DEPS_GITHUB, "actions/cache/save@v4", "", "actions/cache v4 as actions/cache/save"},
	{DEPS_TERRAFORM, "hashicorp/aws", "~> 5.0", "hashicorp/aws ~> 5.0"},
	{DEPS_UNKNOWN, "pkg:npm/%40scope/x@1.0.0", "", "@scope/x 1.0.0 locked"},
	{DEPS_NPM, "pkg:npm/mysql2@3.9", "", "mysql2 3.9"},
	{DEPS_UNKNOWN, "pkg:maven/g.h/a@1.0?type=jar", "", "g.h:a 1.0 locked"},
	{DEPS_UNKNOWN, "pkg:golang/github.com/a/b@v1.0.0#sub", "", "github.com/a/b v1.0.0 locked"},
	{DEPS_UNKNOWN, "pkg:oci/mysql@sha256:ab?repository_url=docker.io/library/mysql&tag=8", "", "docker.io/library/mysql 8"},
	{DEPS_UNKNOWN, "npm:x@1.0.0", "1.0.0", "x 1.0.0 locked"},
};
static const struct typed bad[] = {
	{DEPS_UNKNOWN, "a b c", "", "'a b c' names no package: no ecosystem writes a package so"},
	{DEPS_UNKNOWN, "a b", "", "'a b' names no package: no ecosystem writes a package so"},
	{DEPS_UNKNOWN, "", "", "'' names no package: no ecosystem writes a package so"},
	{DEPS_UNKNOWN, "x@", "", "'x@' names no package: no ecosystem writes a package so"},
	{DEPS_UNKNOWN, "pkg:deb/x", "", "'pkg:deb/x' names no package: ikm knows no ecosystem of that type"},
	{DEPS_PYPI, "pkg:npm/x", "", "'pkg:npm/x' names no package: its type is not the ecosystem that is given"},
	{DEPS_NPM, "x@1", "2", "'x@1': it has a version, and another version is given apart"},
	{DEPS_UNKNOWN, "x@1", "2", "'x@1': it has a version, and another version is given apart"},
	{DEPS_NPM, "requests==2", "", "'requests==2' names no package: a package is written NAME, @SCOPE/NAME, NAME@RANGE or ALIAS@npm:NAME@RANGE"},
	{DEPS_COMPOSER, "monolog", "", "'monolog' names no package: a package is written VENDOR/NAME or VENDOR/NAME:VERSION, a part of PHP ext-NAME"},
	{DEPS_DOCKER, "a:b:c", "", "'a:b:c' names no package: an image is written [REGISTRY/]NAME[:TAG][@DIGEST]"},
	{DEPS_GITHUB, "checkout", "", "'checkout' names no package: an action is written OWNER/NAME@REF"},
	{DEPS_VCPKG, "fmt:v", "", "'fmt:v' names no package: a port is written NAME, NAME[FEATURE] or NAME:TRIPLET"},
	{DEPS_MAVEN, "a:b:", "", "'a:b:' names no package: an artifact is written GROUP:ARTIFACT or GROUP:ARTIFACT:VERSION"},
};
/* clang-format on */

static void check_all(struct arena *a, const struct typed *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str got = typed_shown(a, &t[i]);

		ok(str_is(got, t[i].want), "%s '%s' '%s': %.*s", deps_ecosystems[t[i].e], t[i].name,
		   t[i].version, STR_ARG(got));
	}
}

int main(void)
{
	struct arena *a = arena_new();

	check_all(a, good, ARRAY_SIZE(good));
	check_all(a, bad, ARRAY_SIZE(bad));
	ok(typed_has(a, "mysql:8.0", DEPS_DOCKER, "mysql"), "an image without its ecosystem");
	ok(typed_has(a, "node:18", DEPS_DOCKER, "node"), "an image with the name of an ecosystem");
	ok(typed_has(a, "maven:3.9", DEPS_DOCKER, "maven"), "an image with the name of another");
	ok(!typed_has(a, "npm:pg", DEPS_DOCKER, "npm"), "a prefix that is no image");
	ok(typed_has(a, "vendor/x", DEPS_COMPOSER, "vendor/x"), "a package of Composer");
	ok(!typed_has(a, "requests[socks]>=2", DEPS_NPM, "requests"), "no package of npm");
	ok(typed_has(a, "g:a:1", DEPS_MAVEN, "g:a"), "an artifact");
	ok(!typed_has(a, "g:a:1", DEPS_DOCKER, "g"), "which is no image");
	ok(!typed_has(a, "requests[socks]>=2", DEPS_CONDA, "requests"), "an extra, not of conda");
	ok(!typed_has(a, "numpy[version='>=1']", DEPS_PYPI, "numpy"), "no extra");
	ok(!typed_has(a, "numpy[version='>=1']", DEPS_VCPKG, "numpy"), "no feature");
	ok(!typed_has(a, "node:20-alpine", DEPS_GEM, "node"), "a variant of an image, no gem");
	ok(!typed_has(a, "node:20-alpine", DEPS_VCPKG, "node"), "nor a triplet");
	ok(!typed_has(a, "node:v20-alpine", DEPS_VCPKG, "node"), "with a v, too");
	ok(!typed_has(a, "foo:1.2.RELEASE", DEPS_GEM, "foo"), "a variant behind a dot");
	ok(typed_has(a, "foo:1.2.x", DEPS_PUB, "foo"), "a range is no variant");
	ok(typed_has(a, "redis:7-rc1", DEPS_GEM, "redis"), "a pre-release, perhaps of a gem");
	ok(typed_has(a, "redis:7-rc1", DEPS_DOCKER, "redis"), "or of an image");
	ok(typed_has(a, "redis:latest", DEPS_DOCKER, "redis"), "a word is a tag");
	ok(typed_has(a, "x.org/a@latest", DEPS_GO, "x.org/a"), "and a query of Go");
	ok(typed_has(a, "fmt:x64-osx", DEPS_VCPKG, "fmt"), "a port with a triplet");
	ok(!typed_has(a, "a/b/c:1", DEPS_COMPOSER, "a/b/c"), "no vendor and name");
	arena_free(a);
	return tap_done();
}
