/* Manifests that an attacker writes: large, deep, circular. Each is read, or refused with a place.
 */
#include "deps.h"

static struct str many(struct arena *a, const char *head, const char *part, size_t n,
		       const char *tail)
{
	struct buf b = buf_in(a);

	buf_puts(&b, head);
	for (size_t i = 0; i < n; i++)
		buf_puts(&b, part);
	buf_puts(&b, tail);
	return buf_as_str(&b);
}

/* Five megabytes; the time grows with the text. */
static void hostile_large(struct arena *a)
{
	struct buf b = buf_in(a);
	struct deps d;

	buf_puts(&b, "{\"lockfileVersion\": 3, \"packages\": {\"\": {}");
	for (unsigned i = 0; i < 50000; i++)
		buf_fmt(&b,
			",\n\"node_modules/p%u\": {\"version\": \"1.0.%u\", \"resolved\": "
			"\"https://registry.npmjs.org/p%u/-/p%u-1.0.%u.tgz\"}",
			i, i, i, i, i);
	buf_puts(&b, "}}");
	works(deps_read(a, STR("package-lock.json"), buf_as_str(&b), NULL, &d), "a large lockfile");
	is_int((int64_t)d.n, 50000, "all of it is read");
	b = buf_in(a);
	buf_puts(&b, "services:\n");
	for (unsigned i = 0; i < 50000; i++)
		buf_fmt(&b, "  s%u:\n    image: r.example.org/team/image%u:${TAG:-1.%u}\n", i, i,
			i);
	works(deps_read(a, STR("compose.yaml"), buf_as_str(&b), NULL, &d), "a large Compose file");
	is_int((int64_t)d.n, 50000, "all of it is read");
}

/* The message of a manifest's error, or its first reason; empty: none. */
static struct str hostile_why(struct arena *a, const char *path, struct str text, struct deps *d)
{
	struct err *e = deps_read(a, str_of(path), text, NULL, d);

	if (e)
		return str_of(err_message(e));
	return d->unresolved.n ? d->unresolved.p[0].reason : STR("");
}

/* 100,000 levels: no format of trees allows them; programs have no tree. */
static void hostile_deep(struct arena *a)
{
	static const struct {
		const char *path, *head, *part;
		bool refused;
	} rows[] = {
		{"package.json", "{\"dependencies\": ", "[", true},
		{"bun.lock", "{\"packages\": ", "[", true},
		{"project.assets.json", "", "{\"libraries\":", true},
		{"main.tf.json", "{\"module\":", "[", true},
		{"pixi.toml", "dependencies = ", "[", true},
		{"Cargo.toml", "dependencies = ", "{a = ", true},
		{"pnpm-workspace.yaml", "packages: ", "[", true},
		{"pubspec.yaml", "dependencies: ", "{a: ", true},
		{"pixi.lock", "packages: ", "[", true},
		{"pom.xml", "<project>", "<a>", true},
		{"a.csproj", "<Project Sdk='x'>", "<a>", true},
		{"build.gradle", "dependencies ", "{ implementation(", false},
		{"Gemfile", "gem ", "[(", false},
		{"setup.py", "setup(install_requires=", "[", false},
		{"mix.exs", "defp deps do ", "[{", false},
		{"Package.swift", "let x = ", ".package(url: \"", false},
		{"main.tf", "module \"x\" ", "{ source = \"${", false},
		{"Dockerfile", "FROM ", "${a:-", false},
		{"package-lock.json", "{\"packages\": ", "{\"a\":", true},
		{"composer.lock", "{\"packages\": ", "[", true},
		{"Pipfile.lock", "{\"default\": ", "{\"a\":", true},
		{"packages.lock.json", "{\"dependencies\": ", "{\"a\":", true},
		{"Package.resolved", "{\"pins\": ", "[", true},
		{"deno.json", "{\"imports\": ", "[", true},
		{"vcpkg.json", "{\"dependencies\": ", "[", true},
		{"pyproject.toml", "a = ", "[", true},
		{"uv.lock", "package = ", "[{a=", true},
		{"Cargo.lock", "package = ", "[{a=", true},
		{"Pipfile", "packages = ", "{a=", true},
		{".cargo/config.toml", "patch = ", "{a=", true},
		{"package.yaml", "dependencies: ", "{a: ", true},
		{"conda-lock.yml", "package: ", "[", true},
		{"compose.yaml", "services: ", "{a: ", true},
		{"packages.config", "<packages>", "<a>", true},
		{"a.nuspec", "<package>", "<a>", true},
		{".mvn/extensions.xml", "<extensions>", "<a>", true},
		{"Directory.Packages.props", "<Project>", "<a>", true},
		{"build.gradle.kts", "dependencies ", "{ add(\"${", false},
		{"settings.gradle", "versionCatalogs ", "{ x { library(", false},
		{"a.gemspec", "s.add_dependency ", "[{", false},
		{"a.py", "# /// script\n# dependencies = ", "[", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str text = many(a, rows[i].head, rows[i].part, 100000, "");
		struct deps d;
		struct str why = hostile_why(a, rows[i].path, text, &d);

		ok(!d.n, "%s: 100,000 levels have no package", rows[i].path);
		ok(!rows[i].refused || str_find(why, STR("levels"), 0) != SIZE_MAX, "%s: %.*s",
		   rows[i].path, STR_ARG(why));
	}
}

static void hostile_bombs(struct arena *a)
{
	static const char *const paths[] = {"compose.yaml",        "environment.yml",
					    "pubspec.yaml",        "conda-lock.yml",
					    "action.yml",          ".github/workflows/a.yml",
					    "package.yaml",        "pixi.lock",
					    "pnpm-workspace.yaml", "pubspec.lock"};
	static const struct row entities[] = {
		{"an entity", "pom.xml", "<!DOCTYPE project [<!ENTITY x 'mysql'>]><project/>",
		 "document type"},
		{"entities in entities", "a.csproj",
		 "<!DOCTYPE x [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><Project Sdk='x'>&b;</Project>",
		 "document type"},
		{"an entity of a parameter", "packages.config",
		 "<!DOCTYPE packages [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><packages/>",
		 "document type"},
		{"an external document type of a public name", "a.nuspec",
		 "<!DOCTYPE package PUBLIC '-//x' 'http://127.0.0.1:1/x.dtd'><package/>",
		 "document type"},
		{"an entity nobody defines", ".mvn/extensions.xml",
		 "<extensions><extension><artifactId>&x;</artifactId></extension></extensions>",
		 "entity"},
		{"an external document type", "packages.lock.config.pom",
		 "<?xml version='1.0'?>\n<!DOCTYPE project SYSTEM 'file:///etc/passwd'><project/>",
		 "document type"},
	};
	struct buf b = buf_in(a);

	buf_puts(&b, "dependencies: &a0 [x, x, x, x, x, x, x, x, x, x]\n# services uses\n");
	for (unsigned i = 1; i < 9; i++) {
		buf_fmt(&b, "a%u: &a%u [", i, i);
		for (unsigned k = 0; k < 10; k++)
			buf_fmt(&b, "%s*a%u", k ? ", " : "", i - 1);
		buf_puts(&b, "]\n");
	}
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct deps d;
		struct str why = hostile_why(a, paths[i], buf_as_str(&b), &d);

		ok(!d.n && str_find(why, STR("more than 1000000 values"), 0) != SIZE_MAX,
		   "%s: a bomb of aliases: %.*s", paths[i], STR_ARG(why));
	}
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
		struct deps d;
		struct str why = hostile_why(a, entities[i].path, str_of(entities[i].text), &d);

		ok(!d.n && str_find(why, str_of(entities[i].want), 0) != SIZE_MAX, "%s: %.*s",
		   entities[i].what, STR_ARG(why));
	}
}

/* Parents that form a circle end, and what they do not set is told. */
static void hostile_circle(struct arena *a)
{
	static const char one[] =
		"<project><parent><groupId>g</groupId><artifactId>b</artifactId><version>1</version>"
		"<relativePath>../b/pom.xml</relativePath></parent><artifactId>a</artifactId>"
		"<dependencies><dependency><groupId>g</groupId><artifactId>${x}</artifactId></dependency>"
		"<dependency><groupId>g</groupId><artifactId>c</artifactId></dependency></dependencies></project>";
	static const char two[] =
		"<project><parent><groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
		"<relativePath>../a/pom.xml</relativePath></parent><artifactId>b</artifactId></project>";
	static const char itself[] =
		"<project><groupId>g</groupId><parent><groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
		"<relativePath>pom.xml</relativePath></parent><artifactId>a</artifactId></project>";
	struct beside files[] = {{"a/pom.xml", one}, {"b/pom.xml", two}};
	struct besides besides = {files, ARRAY_SIZE(files)};
	struct deps_files in = {beside_read, &besides};
	struct deps d;
	bool known = false, told = false;

	works(deps_read(a, STR("a/pom.xml"), str_of(one), &in, &d), "parents in a circle");
	for (size_t i = 0; i < d.n; i++)
		known |= str_is(d.p[i].name, "g:c");
	for (size_t i = 0; i < d.unresolved.n; i++)
		told |= str_find(d.unresolved.p[i].reason, STR("form a circle"), 0) != SIZE_MAX;
	ok(known, "what is known is listed");
	ok(told, "and the circle is told");
	files[0] = (struct beside){"a/pom.xml", itself};
	told = false;
	works(deps_read(a, STR("a/pom.xml"), str_of(itself), &in, &d), "a parent of itself");
	for (size_t i = 0; i < d.unresolved.n; i++)
		told |= str_find(d.unresolved.p[i].reason, STR("form a circle"), 0) != SIZE_MAX;
	ok(told, "and that is told");
}

/*
 * A statement ends where a string or comment does not, and brackets before it may be open: what is
 * behind it belongs to none of the blocks around it, and is read once.
 */
static void hostile_open(struct arena *a)
{
	static const struct {
		const char *path, *head, *part;
	} rows[] = {
		{"build.gradle", "dependencies {\n", "x { \"\n"},
		{"build.gradle", "dependencies {\n", "implementation(\"\n"},
		{"build.gradle.kts", "dependencies {\n", "x { \"\n"},
		{"settings.gradle", "", "versionCatalogs {\n\"\n"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str text = many(a, rows[i].head, rows[i].part, 100000, "x \"g:a:1\"\n");
		struct deps d;

		works(deps_read(a, str_of(rows[i].path), text, NULL, &d), rows[i].path);
		ok(d.n == 1 && d.unresolved.n >= 100000,
		   "%s: 100,000 times '%s': the package behind it is read, and each of them told",
		   rows[i].path, rows[i].part);
	}
}

/* Each entry names another one: neither is searched for from the first to the last. */
static void hostile_names(struct arena *a)
{
	struct buf versions = buf_in(a), cargo = buf_in(a);
	unsigned n = tap_share(100000);
	struct deps d;

	buf_puts(&versions, "[versions]\n");
	for (unsigned i = 0; i < n; i++)
		buf_fmt(&versions, "v%u = \"1.%u\"\n", i, i);
	buf_puts(&versions, "[libraries]\n");
	for (unsigned i = 0; i < n; i++)
		buf_fmt(&versions, "a%u = {module = \"b:c%u\", version.ref = \"v%u\"}\n", i, i, i);
	works(deps_read(a, STR("gradle/libs.versions.toml"), buf_as_str(&versions), NULL, &d),
	      "a catalog whose libraries name versions");
	ok(d.n == n && str_eq(d.p[n - 1].version, str_fmt(a, "1.%u", n - 1)), "each has its own");
	buf_puts(&cargo, "[workspace.dependencies]\n");
	for (unsigned i = 0; i < n; i++)
		buf_fmt(&cargo, "a%u = \"1\"\n", i);
	buf_puts(&cargo, "[dependencies]\n");
	for (unsigned i = 0; i < n; i++)
		buf_fmt(&cargo, "a%u.workspace = true\n", i);
	works(deps_read(a, STR("Cargo.toml"), buf_as_str(&cargo), NULL, &d),
	      "a crate that inherits from its workspace");
	ok(d.n >= n, "each entry is read");
}

/* Blocks of catalogs and references to them take turns: each block declares more. */
static void hostile_turns(struct arena *a)
{
	struct buf b = buf_in(a);
	struct beside files[] = {{"settings.gradle", NULL}};
	struct besides besides = {files, 1};
	struct deps_files in = {beside_read, &besides};
	unsigned n = tap_share(100000);
	struct deps d;

	for (unsigned i = 0; i < n; i++)
		buf_fmt(&b,
			"versionCatalogs { libs { library('a%u', 'g:a%u:1') } }\n"
			"dependencies { implementation libs.a%u }\n",
			i, i, i);
	files[0].text = buf_as_cstr(&b);
	for (unsigned i = 0; i < 2; i++) {
		works(deps_read(a, STR("settings.gradle"), buf_as_str(&b), i ? &in : NULL, &d),
		      "catalogs that grow between references");
		is_int((int64_t)d.n, i ? 2 * n : n, "each library is read");
		is_int((int64_t)d.unresolved.n, i ? 0 : n,
		       "each reference is resolved by the settings of the tree, or told");
	}
}

/* One line of ten megabytes; of one, where reading takes longer. */
static void hostile_line(struct arena *a)
{
	static const struct {
		const char *path, *head, *part, *tail;
		size_t n;
		unsigned found;
	} rows[] = {
		{"package.json", "{\"dependencies\": {\"a\": \"", "0123456789", "\"}}", 1000000, 1},
		{"requirements.txt", "a # ", "0123456789", "\nb\n", 1000000, 2},
		{"go.mod", "module m // ", "0123456789", "\nrequire a.b/c v1.0.0\n", 100000, 1},
		{"Dockerfile", "FROM a\nRUN x", " <<<word \"'", "\nFROM b\n", 1000000, 2},
		{"Dockerfile", "FROM a\nRUN x", " \\\n# no\n\n", " y\nFROM b\n", 1000000, 2},
		{"compose.yaml", "services: {a: {image: b, x: \"", "0123456789", "\"}}", 100000, 1},
		{"mix.exs", "defp deps do [{:a, \"1\"}, {:b, \"2", "0123456789", "\"}] end",
		 1000000, 2},
		{"mix.exs", "defp deps do [{:a, \"1\"}] end ", "def deps ", "", 100000, 1},
		{"Package.swift", ".package(url: \"https://h/a\") ", ".package(path: \"a\") ", "",
		 500000, 1},
		{"main.tf", "module x { source = \"a/b/c\" }\nlocals { x = \"", "${a[\"b\"]} ",
		 "\" }", 1000000, 1},
		{"main.tf", "module x { source = \"a/b/c\" }\n", "module x { ", "", 90000, 1},
		{"paket.dependencies", "nuget a ", ">= 1 ", "", 200000, 1},
		{"Gemfile", "gem 'a'; x = \"", "#{\"b\"} ", "\"", 150000, 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena *own = arena_new();
		struct str text = many(own, rows[i].head, rows[i].part,
				       tap_share((unsigned)rows[i].n), rows[i].tail);
		struct deps d;

		works(deps_read(own, str_of(rows[i].path), text, NULL, &d), rows[i].path);
		is_int((int64_t)d.n, rows[i].found, rows[i].path);
		arena_free(own);
	}
	(void)a;
}

int main(void)
{
	struct arena *a = arena_new();

	hostile_large(a);
	hostile_deep(a);
	hostile_bombs(a);
	hostile_circle(a);
	hostile_open(a);
	hostile_names(a);
	hostile_turns(a);
	hostile_line(a);
	arena_free(a);
	return tap_done();
}
