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
	return buf_str(&b);
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
	works(deps_read(a, STR("package-lock.json"), buf_str(&b), NULL, &d), "a large lockfile");
	is_int((int64_t)d.n, 50000, "all of it is read");
	b = buf_in(a);
	buf_puts(&b, "services:\n");
	for (unsigned i = 0; i < 50000; i++)
		buf_fmt(&b, "  s%u:\n    image: r.example.org/team/image%u:${TAG:-1.%u}\n", i, i,
			i);
	works(deps_read(a, STR("compose.yaml"), buf_str(&b), NULL, &d), "a large Compose file");
	is_int((int64_t)d.n, 50000, "all of it is read");
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
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str text = many(a, rows[i].head, rows[i].part, 100000, "");
		struct deps d;
		struct err *e = deps_read(a, str_of(rows[i].path), text, NULL, &d);

		ok(!d.n, "%s: 100,000 levels have no package", rows[i].path);
		if (rows[i].refused)
			ok(e && err_reason(e) == E_BAD_MANIFEST && strstr(err_message(e), "line 1"),
			   "%s: %s", rows[i].path, e ? err_message(e) : "success");
		else
			works(e, rows[i].path);
	}
}

static void hostile_bombs(struct arena *a)
{
	static const char *const paths[] = {"compose.yaml", "environment.yml", "pubspec.yaml",
					    ".github/workflows/a.yml", "conda-lock.yml"};
	static const struct row entities[] = {
		{"an entity", "pom.xml", "<!DOCTYPE project [<!ENTITY x 'mysql'>]><project/>",
		 "document type"},
		{"entities in entities", "a.csproj",
		 "<!DOCTYPE x [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><Project Sdk='x'>&b;</Project>",
		 "document type"},
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
		struct err *e = deps_read(a, str_of(paths[i]), buf_str(&b), NULL, &d);
		struct str why = e                ? str_of(err_message(e))
				 : d.unresolved.n ? d.unresolved.p[0].reason
						  : STR("");

		ok(!d.n && str_find(why, STR("more than 1000000 values"), 0) != SIZE_MAX,
		   "%s: a bomb of aliases: %.*s", paths[i], STR_ARG(why));
	}
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
		struct deps d;
		struct err *e =
			deps_read(a, str_of(entities[i].path), str_of(entities[i].text), NULL, &d);
		struct str why = e                ? str_of(err_message(e))
				 : d.unresolved.n ? d.unresolved.p[0].reason
						  : STR("");

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
		struct str text = many(own, rows[i].head, rows[i].part, rows[i].n, rows[i].tail);
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
	hostile_line(a);
	arena_free(a);
	return tap_done();
}
