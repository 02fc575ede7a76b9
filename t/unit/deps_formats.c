/* Which paths are manifests and lockfiles: with a reader, and without one. */
#include "tap.h"
#include "deps/deps.h"

static void formats_read(struct arena *a)
{
	/* clang-format off */
	static const char *const yes[] = {
		"package.json", "a/b/package-lock.json", "requirements.txt", "requirements-dev.txt",
		"dev-requirements.txt", "x/requirements/base.txt", "requirements.in", "go.mod",
		"constraints-3.11.txt", "Cargo.lock", "npm-shrinkwrap.json", "yarn.lock",
		"a/pnpm-lock.yaml", "Package.json", "a/CARGO.TOML", "Requirements.txt",
		"my_requirements_dev.txt", "requirements/test/base.in", "upper-constraints.txt",
		"requirements.lock", "requirements-dev.lock", "requirements.pip", "constraints.in",
		"fastlane/Pluginfile", ".forgejo/workflows/a.yml", ".gitea/workflows/a.yaml",
		"a.sqlproj", "a.wixproj", "a.esproj", "Shared.projitems", "build.docker", "env.yml",
	};
	/* clang-format on */
	static const char *const no[] = {
		"package.json5",
		"xpackage.json",
		"requirements",
		"requirements/a/b/c.txt",
		"base.txt",
		"go.mod/x",
		"requirements.txt.bak",
		"layoutconstraints.txt",
		"Makefile.in",
		"",
	};
	const char *said;
	struct deps out;

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		ok(deps_is_manifest(str_of(yes[i])), "%s can be read", yes[i]);
		ok(!deps_unread_format(str_of(yes[i])), "%s has a reader", yes[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		ok(!deps_is_manifest(str_of(no[i])), "%s cannot be read", no[i]);
	said = err_message(deps_read(a, STR("flake.nix"), STR(""), NULL, &out));
	ok(strstr(said, "package.json, package-lock.json"), "the list for messages");
	ok(!strstr(strchr(said, ':'), "flake.nix"), "only what can be read is in it");
}

/* text NULL: the name is enough. */
struct known {
	const char *path, *ecosystem, *text;
};

/* clang-format off */
static const struct known known[] = {
	{"Pipfile", "pypi", NULL},
	{"a/Pipfile.lock", "pypi", NULL},
	{"setup.py", "pypi", NULL},
	{"setup.cfg", "pypi", "[options]\ninstall_requires =\n  a\n"},
	{"environment.yml", "conda", "name: x\ndependencies:\n  - a\n"},
	{"dev-environment.yaml", "conda", "dependencies: [a]\n"},
	{"conda-lock.yml", "conda", NULL},
	{"Gemfile", "gem", NULL},
	{"gemfiles/rails_7.gemfile", "gem", NULL},
	{"gems.rb", "gem", NULL},
	{"gems/extra.rb", "gem", "# more\ngem 'bad'\n"},
	{"common.xml", "nuget", "<Project><ItemGroup><PackageReference Include='x'/></ItemGroup></Project>"},
	{"tox.toml", "pypi", "[env_run_base]\ndeps = ['x']\n"},
	{"x.gemspec", "gem", NULL},
	{"bun.lock", "npm", NULL},
	{"bun.lockb", "npm", NULL},
	{"deno.json", "npm", NULL},
	{"deno.jsonc", "npm", NULL},
	{"deno.lock", "npm", NULL},
	{"package.yaml", "npm", "dependencies:\n  a: 1\n"},
	{"package.json5", "npm", NULL},
	{".pnpmfile.cjs", "npm", NULL},
	{".yarnrc.yml", "npm", "nodeLinker: pnp\npackageExtensions:\n  a@*: {}\n"},
	{"go.work", "go", NULL},
	{"go.sum", "go", NULL},
	{"a/vendor/modules.txt", "go", NULL},
	{".cargo/config.toml", "cargo", "[patch.crates-io]\na = {path = 'x'}\n"},
	{"jvm/pom.xml", "maven", NULL},
	{"jvm/POM.XML", "maven", NULL},
	{"m2/a-1.0.pom", "maven", "<project xmlns='x'>"},
	{"build.gradle", "maven", NULL},
	{"jvm/build.gradle.kts", "maven", NULL},
	{"settings.gradle", "maven", NULL},
	{"settings.gradle.kts", "maven", NULL},
	{"gradle/deps.gradle", "maven", "ext {}\ndependencies {\n}\n"},
	{"gradle.lockfile", "maven", NULL},
	{"gradle/libs.versions.toml", "maven", "[libraries]\n"},
	{"b/libs.versions.toml", "maven", "\xef\xbb\xbf[libraries]\n"},
	{"c/libs.versions.toml", "maven", "libraries.a.module = 'g:a'\n"},
	{"d/libs.versions.toml", "maven", "plugins = { p = 'g:1' }\n"},
	{"e/libs.versions.toml", "maven", "  [ 'libraries' ]\n"},
	{"b/environment.yml", "conda", "\xef\xbb\xbf" "dependencies:\n- a\n"},
	{"b/tools.py", "pypi", "\xef\xbb\xbf# /// script\n# dependencies = ['a']\n# ///\n"},
	{"b/a.csx", "nuget", "\xef\xbb\xbf#r \"nuget: a\"\n"},
	{"b/a.rb", "gem", "\xef\xbb\xbfgem 'a'\n"},
	{"b/DESCRIPTION", "cran", "\xef\xbb\xbfPackage: a\n"},
	{"hatch.toml", "pypi", NULL},
	{"a/uv.toml", "pypi", NULL},
	{"recipe/recipe.yaml", "conda", "requirements: {run: [a]}\n"},
	{"a/recipe.yaml", "conda", "outputs:\n- requirements:\n    run: [a]\n"},
	{"conda/meta.yaml", "conda", "requirements:\n  run:\n  - a\n"},
	{"c/Project.toml", "julia", "deps.A = 'x'\n"},
	{"d/Project.toml", "julia", "[ deps ]\nA = 'x'\n"},
	{"c/Manifest.toml", "julia", "deps = {A = [{version = '1'}]}\n"},
	{"ivy.xml", "maven", NULL},
	{"build.sbt", "maven", NULL},
	{"project/plugins.sbt", "maven", NULL},
	{"net/a.csproj", "nuget", NULL},
	{"net/A.CsProj", "nuget", NULL},
	{"net/a.fsproj", "nuget", NULL},
	{"net/a.vbproj", "nuget", NULL},
	{"Directory.Packages.props", "nuget", NULL},
	{"Directory.Build.props", "nuget", "<PackageReference Include='a'/>"},
	{"Directory.Build.targets", "nuget", "<PackageReference Include='a'/>"},
	{"packages.config", "nuget", "<?xml version='1.0'?><packages/>"},
	{"packages.lock.json", "nuget", NULL},
	{"project.json", "nuget", "{\"frameworks\": {}}"},
	{"paket.dependencies", "nuget", NULL},
	{"paket.lock", "nuget", NULL},
	{"php/composer.json", "composer", NULL},
	{"php/composer.lock", "composer", NULL},
	{"pubspec.yaml", "pub", NULL},
	{"pubspec.lock", "pub", NULL},
	{"mix.exs", "hex", NULL},
	{"mix.lock", "hex", NULL},
	{"rebar.config", "hex", NULL},
	{"rebar.lock", "hex", NULL},
	{"Package.swift", "swift", NULL},
	{"Package@swift-5.9.swift", "swift", NULL},
	{"App.xcworkspace/xcshareddata/swiftpm/Package.resolved", "swift", NULL},
	{"Podfile", "cocoapods", NULL},
	{"Podfile.lock", "cocoapods", NULL},
	{"Cartfile", "carthage", NULL},
	{"Cartfile.resolved", "carthage", NULL},
	{"conanfile.txt", "conan", NULL},
	{"conanfile.py", "conan", NULL},
	{"vcpkg.json", "vcpkg", NULL},
	{"subprojects/zlib.wrap", "meson", NULL},
	{"CMakeLists.txt", "cmake", "include(FetchContent)\nFetchContent_Declare(a)\n"},
	{"cmake/deps.cmake", "cmake", "find_package(Boost)\n"},
	{"WORKSPACE", "bazel", NULL},
	{"WORKSPACE.bazel", "bazel", NULL},
	{"MODULE.bazel", "bazel", NULL},
	{"Dockerfile", "docker", NULL},
	{"docker/Dockerfile.prod", "docker", "FROM mysql:8\n"},
	{"api.Dockerfile", "docker", "from mysql\n"},
	{"Containerfile", "docker", NULL},
	{"docker-compose.yml", "docker", "version: '3'\nservices:\n  db:\n"},
	{"compose.override.yaml", "docker", "services:\n"},
	{".github/workflows/ci.yml", "github", "jobs:\n  a:\n    steps:\n    - uses: x/y@v1\n"},
	{".forgejo/workflows/ci.yml", "github", "    - uses: x/y@v1\n"},
	{".gitea/workflows/ci.yaml", "github", "    - uses: x/y@v1\n"},
	{"sub/.github/workflows/ci.yaml", "github", "    - uses: x/y@v1\n"},
	{"action.yml", "github", "runs:\n  steps:\n  - uses: x/y@v1\n"},
	{".gitmodules", "git", NULL},
	{"infra/main.tf", "terraform", "module \"x\" {\n"},
	{".terraform.lock.hcl", "terraform", NULL},
	{"charts/a/Chart.yaml", "helm", "apiVersion: v2\n"},
	{"Chart.lock", "helm", NULL},
	{"flake.nix", "nix", NULL},
	{"flake.lock", "nix", NULL},
	{"shard.yml", "shards", NULL},
	{"x.cabal", "hackage", NULL},
	{"stack.yaml", "hackage", NULL},
	{"DESCRIPTION", "cran", "Package: x\nImports: y\n"},
	{"renv.lock", "cran", NULL},
	{"cpanfile", "cpan", NULL},
	{"x.opam", "opam", NULL},
	{"opam", "opam", "opam-version: \"2.0\"\n"},
	{"elm.json", "elm", NULL},
	{"tools/a.py", "pypi", "#!/usr/bin/env python\n# /// script\n# dependencies = ['a']\n# ///\n"},
	{"requirements.yml", "ansible", "collections:\n- name: a.b\n"},
};
/* clang-format on */

/* Ordinary files; those with a text have the name of a manifest. */
/* clang-format off */
static const struct known ordinary[] = {
	{"config.yaml", "", NULL},
	{"soup/recipe.yaml", "", "ingredients: [water]\n"},
	{"docs/environment.md", "", NULL},
	{"config/environment.yml", "", "production:\n  dependencies: none\n"},
	{"setup.cfg", "", "[flake8]\nmax-line-length = 100\n"},
	{"src/a.py", "", "print('/// script')\nx = '# /// script'\n"},
	{"Directory.Build.props", "", "<Project><PropertyGroup/></Project>"},
	{"project.json", "", "{\"targets\": {\"build\": {}}}"},
	{"CMakeLists.txt", "", "add_library(x x.c)\n"},
	{"infra/variables.tf", "", "variable \"x\" {\n}\n"},
	{"description", "", NULL},
	{"docs/DESCRIPTION", "", "This is what it is about.\n"},
	{"workspace", "", NULL},
	{"Makefile", "", NULL},
	{"Dockerfile.md", "", "# How we build\n"},
	{"compose.yml", "", "title: sonata\n"},
	{".github/dependabot.yml", "", NULL},
	{".github/workflows/x.yml", "", "jobs:\n  a:\n    steps:\n    - run: make\n"},
	{".cargo/config.toml", "", "[build]\njobs = 1\n"},
	{".yarnrc.yml", "", "nodeLinker: node-modules\n"},
	{"x/modules.txt", "", NULL},
	{"gift.wrap", "", NULL},
	{"action.yml", "", "runs:\n  using: node20\n"},
	{"Cartfile.txt", "", NULL},
	{"a/b.pom", "", "a fruit\n"},
};
/* clang-format on */

static void formats_known(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct known *k = &known[i];
		const struct deps_format *f = deps_unread_format(str_of(k->path));

		if (deps_is_manifest(str_of(k->path))) {
			ok(!f, "%s has a reader", k->path);
			ok(deps_text_is_manifest(str_of(k->path), str_of(k->text ? k->text : "")),
			   "%s is read", k->path);
			continue;
		}
		ok(f && !strcmp(f->ecosystem, k->ecosystem), "%s is one of %s", k->path,
		   k->ecosystem);
		ok(f && f->name[0], "%s has a format: %s", k->path, f ? f->name : "none");
		ok(f && !f->words == !k->text, "%s: %s", k->path,
		   k->text ? "the text is looked at" : "the name is enough");
		ok(f && deps_unread_format_fits(f, str_of(k->text ? k->text : "")), "%s fits",
		   k->path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ordinary); i++) {
		const struct known *k = &ordinary[i];
		const struct deps_format *f = deps_unread_format(str_of(k->path));

		if (!k->text)
			ok(!f, "%s is an ordinary file", k->path);
		else
			ok(f ? !deps_unread_format_fits(f, str_of(k->text))
			     : !deps_text_is_manifest(str_of(k->path), str_of(k->text)),
			   "%s, of its text, is one", k->path);
	}
}

/* A prose text by the name of a manifest is no broken manifest. */
static void formats_prose(struct arena *a)
{
	static const char *const paths[] = {"REQUIREMENTS.TXT", "system_requirements_linux.txt"};
	struct str text = STR("mysqlclient\nA computer with four cores\n");
	struct deps d;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		works(deps_read(a, str_of(paths[i]), text, NULL, &d), paths[i]);
		ok(!d.n && d.unresolved.n == 1, "%s: nothing is listed, and that is told",
		   paths[i]);
		is_int((int64_t)d.unresolved.p[0].place.line, 2, "with the line");
		is_int((int64_t)d.unresolved.p[0].place.column, 3, "and the column");
		is_str(str_sub(d.unresolved.p[0].reason, 0, 65),
		       STR("the file does not read as its name says: 'A computer with four co"),
		       "and the reason");
	}
	fails(deps_read(a, STR("requirements.txt"), text, NULL, &d), E_BAD_MANIFEST,
	      "where the name is certain it is an error");
	works(deps_read(a, STR("Requirements.TXT"), STR("mysqlclient\n"), NULL, &d),
	      "another case");
	ok(d.n == 1, "is read");
}

int main(void)
{
	struct arena *a = arena_new();

	formats_read(a);
	formats_known();
	formats_prose(a);
	arena_free(a);
	return tap_done();
}
