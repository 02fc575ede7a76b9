#include "deps/reader.h"
#include "deps/pypi.h"

/*
 * Every manifest and lockfile that ikm knows; no other place lists them. READ has a reader. GUESS
 * has a reader too, but other texts have such names. NONE has no reader yet.
 *
 * A pattern is the file's name, ignoring case. With slashes it includes as many folders; a star
 * matches anything within one part; a leading "=" compares the case too. ikm uses the first
 * row that matches. The last argument is for names that other files have as well: the file must
 * contain one of these texts. Bars separate them, and a leading "^" means the start of a line.
 */
#define FLOW_DEPENDENCIES                                                                          \
	"^dependencies:|^dependencies |\"dependencies\"|'dependencies'|{dependencies|"             \
	"{ dependencies|, dependencies"
#define FORMATS(READ, GUESS, NONE)                                                                 \
	READ("package.json", NPM, npm_manifest, "npm manifest")                                    \
	READ("package-lock.json", NPM, npm_lock, "npm lockfile")                                   \
	READ("npm-shrinkwrap.json", NPM, npm_lock, "npm lockfile")                                 \
	READ("node_modules/.package-lock.json", NPM, npm_lock, "npm lockfile")                     \
	READ("yarn.lock", NPM, yarn_lock, "yarn lockfile")                                         \
	READ("pnpm-lock.yaml", NPM, pnpm_lock, "pnpm lockfile")                                    \
	READ("pnpm-workspace.yaml", NPM, pnpm_workspace, "pnpm workspace")                         \
	READ("requirements*.txt", PYPI, pypi_requirements, "pip requirements")                     \
	READ("*-requirements.txt", PYPI, pypi_requirements, "pip requirements")                    \
	READ("*_requirements.txt", PYPI, pypi_requirements, "pip requirements")                    \
	READ("requirements/*.txt", PYPI, pypi_requirements, "pip requirements")                    \
	READ("requirements*.in", PYPI, pypi_requirements, "pip requirements")                      \
	READ("requirements/*.in", PYPI, pypi_requirements, "pip requirements")                     \
	READ("constraints*.txt", PYPI, pypi_requirements, "pip constraints")                       \
	GUESS("*requirements*.txt", PYPI, pypi_requirements, "pip requirements")                   \
	GUESS("*requirements*.in", PYPI, pypi_requirements, "pip requirements")                    \
	GUESS("requirements/*/*.txt", PYPI, pypi_requirements, "pip requirements")                 \
	GUESS("requirements/*/*.in", PYPI, pypi_requirements, "pip requirements")                  \
	GUESS("*-constraints.txt", PYPI, pypi_requirements, "pip constraints")                     \
	GUESS("*_constraints.txt", PYPI, pypi_requirements, "pip constraints")                     \
	READ("pyproject.toml", PYPI, pypi_pyproject, "Python project")                             \
	READ("poetry.lock", PYPI, pypi_lock, "Poetry lockfile")                                    \
	READ("uv.lock", PYPI, pypi_lock, "uv lockfile")                                            \
	READ("pdm.lock", PYPI, pypi_lock, "PDM lockfile")                                          \
	READ("pylock*.toml", PYPI, pypi_lock, "Python lockfile")                                   \
	READ("go.mod", GO, go_mod, "Go module")                                                    \
	READ("Cargo.toml", CARGO, cargo_manifest, "Cargo manifest")                                \
	READ("Cargo.lock", CARGO, cargo_lock, "Cargo lockfile")                                    \
	READ("Gemfile.lock", GEM, gem_lock, "Bundler lockfile")                                    \
	READ("*.gemfile.lock", GEM, gem_lock, "Bundler lockfile")                                  \
	READ("gems.locked", GEM, gem_lock, "Bundler lockfile")                                     \
	NONE("package.json5", "npm", "pnpm manifest", NULL)                                        \
	NONE("package.yaml", "npm", "pnpm or hpack manifest", "ependencies")                       \
	NONE(".pnpmfile.cjs", "npm", "pnpm hooks, which is program code", NULL)                    \
	NONE(".pnpmfile.mjs", "npm", "pnpm hooks, which is program code", NULL)                    \
	NONE("pnpmfile.js", "npm", "pnpm hooks, which is program code", NULL)                      \
	NONE(".pnp.cjs", "npm", "yarn's map of packages, which is program code", NULL)             \
	NONE(".pnp.data.json", "npm", "yarn's map of packages", NULL)                              \
	NONE(".yarnrc.yml", "npm", "yarn settings", "packageExtensions|catalog|catalogs")          \
	NONE("bun.lock", "npm", "bun lockfile", NULL)                                              \
	NONE("bun.lockb", "npm", "bun lockfile", NULL)                                             \
	NONE("deno.json", "npm", "Deno manifest", NULL)                                            \
	NONE("deno.jsonc", "npm", "Deno manifest", NULL)                                           \
	NONE("deno.lock", "npm", "Deno lockfile", NULL)                                            \
	NONE("jsr.json", "npm", "JSR manifest", NULL)                                              \
	NONE("jsr.jsonc", "npm", "JSR manifest", NULL)                                             \
	NONE("import_map.json", "npm", "import map", NULL)                                         \
	NONE("bower.json", "bower", "Bower manifest", NULL)                                        \
	NONE("Pipfile", "pypi", "Pipenv manifest", NULL)                                           \
	NONE("Pipfile.lock", "pypi", "Pipenv lockfile", NULL)                                      \
	NONE("setup.py", "pypi", "setuptools manifest, which is program code", NULL)               \
	NONE("setup.cfg", "pypi", "setuptools manifest",                                           \
	     "install_requires|setup_requires|tests_require|[options")                             \
	NONE("tox.ini", "pypi", "tox environments", "deps|requires")                               \
	NONE(".pre-commit-config.yaml", "pypi", "pre-commit hooks", "additional_dependencies")     \
	NONE("pixi.toml", "conda", "pixi manifest", NULL)                                          \
	NONE("pixi.lock", "conda", "pixi lockfile", NULL)                                          \
	NONE("environment*.yml", "conda", "conda environment", FLOW_DEPENDENCIES)                  \
	NONE("environment*.yaml", "conda", "conda environment", FLOW_DEPENDENCIES)                 \
	NONE("*environment.yml", "conda", "conda environment", FLOW_DEPENDENCIES)                  \
	NONE("*environment.yaml", "conda", "conda environment", FLOW_DEPENDENCIES)                 \
	NONE("conda-lock.yml", "conda", "conda lockfile", NULL)                                    \
	NONE("*.conda-lock.yml", "conda", "conda lockfile", NULL)                                  \
	NONE("conda-*.lock", "conda", "conda lockfile", NULL)                                      \
	NONE("recipe/meta.yaml", "conda", "conda recipe", "requirements")                          \
	NONE("go.work", "go", "Go workspace", NULL)                                                \
	NONE("go.work.sum", "go", "Go checksums", NULL)                                            \
	NONE("go.sum", "go", "Go checksums", NULL)                                                 \
	NONE("vendor/modules.txt", "go", "vendored Go modules", NULL)                              \
	NONE("Gopkg.toml", "go", "dep manifest", NULL)                                             \
	NONE("Gopkg.lock", "go", "dep lockfile", NULL)                                             \
	NONE("Godeps.json", "go", "godep lockfile", NULL)                                          \
	NONE("glide.yaml", "go", "Glide manifest", NULL)                                           \
	NONE("glide.lock", "go", "Glide lockfile", NULL)                                           \
	NONE(".cargo/config.toml", "cargo", "Cargo configuration", "patch|paths|source")           \
	NONE(".cargo/config", "cargo", "Cargo configuration", "patch|paths|source")                \
	NONE("Gemfile", "gem", "Bundler manifest, which is Ruby code", NULL)                       \
	NONE("*.gemfile", "gem", "Bundler manifest, which is Ruby code", NULL)                     \
	NONE("gems.rb", "gem", "Bundler manifest, which is Ruby code", NULL)                       \
	NONE("*.gemspec", "gem", "gem specification, which is Ruby code", NULL)                    \
	NONE("pom.xml", "maven", "Maven project", NULL)                                            \
	NONE("*.pom", "maven", "Maven project", "<project")                                        \
	NONE("pom-*.xml", "maven", "Maven project", "<project")                                    \
	NONE(".mvn/extensions.xml", "maven", "Maven extensions", NULL)                             \
	NONE("build.gradle", "maven", "Gradle build, which is program code", NULL)                 \
	NONE("build.gradle.kts", "maven", "Gradle build, which is program code", NULL)             \
	NONE("settings.gradle", "maven", "Gradle settings, which is program code", NULL)           \
	NONE("settings.gradle.kts", "maven", "Gradle settings, which is program code", NULL)       \
	NONE("*.gradle", "maven", "Gradle script, which is program code",                          \
	     "dependencies|classpath|plugins|apply plugin")                                        \
	NONE("*.gradle.kts", "maven", "Gradle script, which is program code",                      \
	     "dependencies|classpath|plugins|apply(")                                              \
	NONE("gradle.lockfile", "maven", "Gradle lockfile", NULL)                                  \
	NONE("buildscript-gradle.lockfile", "maven", "Gradle lockfile", NULL)                      \
	NONE("dependency-locks/*.lockfile", "maven", "Gradle lockfile", NULL)                      \
	NONE("*.versions.toml", "maven", "Gradle version catalog", "^[")                           \
	NONE("ivy.xml", "maven", "Ivy module", NULL)                                               \
	NONE("build.sbt", "maven", "sbt build, which is program code", NULL)                       \
	NONE("*.sbt", "maven", "sbt build, which is program code", NULL)                           \
	NONE("project/Dependencies.scala", "maven", "sbt build, which is program code", NULL)      \
	NONE("build.sc", "maven", "Mill build, which is program code", NULL)                       \
	NONE("build.mill", "maven", "Mill build, which is program code", NULL)                     \
	NONE("project.clj", "maven", "Leiningen project, which is program code", NULL)             \
	NONE("deps.edn", "maven", "Clojure dependencies", NULL)                                    \
	NONE("*.csproj", "nuget", ".NET project", NULL)                                            \
	NONE("*.fsproj", "nuget", ".NET project", NULL)                                            \
	NONE("*.vbproj", "nuget", ".NET project", NULL)                                            \
	NONE("*.vcxproj", "nuget", ".NET project",                                                 \
	     "<PackageReference|packages.config|\\packages\\")                                     \
	NONE("*.proj", "nuget", ".NET project",                                                    \
	     "<PackageReference|<PackageVersion|<PackageDownload|<GlobalPackageReference")         \
	NONE("Directory.Packages.props", "nuget", "NuGet versions", NULL)                          \
	NONE("*.props", "nuget", ".NET properties",                                                \
	     "<PackageReference|<PackageVersion|<PackageDownload|<GlobalPackageReference")         \
	NONE("*.targets", "nuget", ".NET targets",                                                 \
	     "<PackageReference|<PackageVersion|<PackageDownload|<GlobalPackageReference")         \
	NONE("*.nuspec", "nuget", "NuGet specification", NULL)                                     \
	NONE("packages.config", "nuget", "NuGet packages", "<packages")                            \
	NONE("packages.*.config", "nuget", "NuGet packages", "<packages")                          \
	NONE("packages.lock.json", "nuget", "NuGet lockfile", NULL)                                \
	NONE("project.json", "nuget", ".NET project",                                              \
	     "\"frameworks\"|\"netstandard|\"netcoreapp|\"NETStandard")                            \
	NONE("project.assets.json", "nuget", "NuGet lockfile", NULL)                               \
	NONE("paket.dependencies", "nuget", "Paket manifest", NULL)                                \
	NONE("paket.references", "nuget", "Paket references", NULL)                                \
	NONE("paket.lock", "nuget", "Paket lockfile", NULL)                                        \
	NONE("dotnet-tools.json", "nuget", ".NET tools", NULL)                                     \
	NONE("global.json", "nuget", ".NET SDK versions", "\"msbuild-sdks\"")                      \
	NONE("composer.json", "composer", "Composer manifest", NULL)                               \
	NONE("composer.lock", "composer", "Composer lockfile", NULL)                               \
	NONE("pubspec.yaml", "pub", "Dart manifest", NULL)                                         \
	NONE("pubspec_overrides.yaml", "pub", "Dart overrides", NULL)                              \
	NONE("pubspec.lock", "pub", "Dart lockfile", NULL)                                         \
	NONE("mix.exs", "hex", "Mix project, which is program code", NULL)                         \
	NONE("mix.lock", "hex", "Mix lockfile", NULL)                                              \
	NONE("rebar.config", "hex", "rebar3 manifest", NULL)                                       \
	NONE("rebar.config.script", "hex", "rebar3 manifest, which is program code", NULL)         \
	NONE("rebar.lock", "hex", "rebar3 lockfile", NULL)                                         \
	NONE("gleam.toml", "hex", "Gleam manifest", NULL)                                          \
	NONE("Package.swift", "swift", "Swift package, which is program code", NULL)               \
	NONE("Package@swift-*.swift", "swift", "Swift package, which is program code", NULL)       \
	NONE("Package.resolved", "swift", "Swift lockfile", NULL)                                  \
	NONE("Podfile", "cocoapods", "CocoaPods manifest, which is program code", NULL)            \
	NONE("Podfile.lock", "cocoapods", "CocoaPods lockfile", NULL)                              \
	NONE("*.podspec", "cocoapods", "pod specification, which is program code", NULL)           \
	NONE("*.podspec.json", "cocoapods", "pod specification", NULL)                             \
	NONE("Cartfile", "carthage", "Carthage manifest", NULL)                                    \
	NONE("Cartfile.private", "carthage", "Carthage manifest", NULL)                            \
	NONE("Cartfile.resolved", "carthage", "Carthage lockfile", NULL)                           \
	NONE("conanfile.txt", "conan", "Conan manifest", NULL)                                     \
	NONE("conanfile.py", "conan", "Conan manifest, which is program code", NULL)               \
	NONE("conan.lock", "conan", "Conan lockfile", NULL)                                        \
	NONE("vcpkg.json", "vcpkg", "vcpkg manifest", NULL)                                        \
	NONE("vcpkg-configuration.json", "vcpkg", "vcpkg configuration", NULL)                     \
	NONE("subprojects/*.wrap", "meson", "Meson wrap", NULL)                                    \
	NONE("CMakeLists.txt", "cmake", "CMake project, which is program code", CMAKE_WORDS)       \
	NONE("*.cmake", "cmake", "CMake script, which is program code", CMAKE_WORDS)               \
	NONE("=WORKSPACE", "bazel", "Bazel workspace, which is program code", NULL)                \
	NONE("WORKSPACE.bazel", "bazel", "Bazel workspace, which is program code", NULL)           \
	NONE("WORKSPACE.bzlmod", "bazel", "Bazel workspace, which is program code", NULL)          \
	NONE("MODULE.bazel", "bazel", "Bazel module", NULL)                                        \
	NONE("*.MODULE.bazel", "bazel", "Bazel module", NULL)                                      \
	NONE("MODULE.bazel.lock", "bazel", "Bazel lockfile", NULL)                                 \
	NONE("maven_install.json", "maven", "Bazel lockfile", NULL)                                \
	NONE("Dockerfile", "docker", "Dockerfile", NULL)                                           \
	NONE("Dockerfile.*", "docker", "Dockerfile", "FROM |from |From ")                          \
	NONE("Dockerfile-*", "docker", "Dockerfile", "FROM |from |From ")                          \
	NONE("*.Dockerfile", "docker", "Dockerfile", "FROM |from |From ")                          \
	NONE("Containerfile", "docker", "Containerfile", NULL)                                     \
	NONE("Containerfile.*", "docker", "Containerfile", "FROM |from |From ")                    \
	NONE("*.Containerfile", "docker", "Containerfile", "FROM |from |From ")                    \
	NONE("compose*.yml", "docker", "Compose file", "services|include")                         \
	NONE("compose*.yaml", "docker", "Compose file", "services|include")                        \
	NONE("*docker-compose*.yml", "docker", "Compose file", "services|include")                 \
	NONE("*docker-compose*.yaml", "docker", "Compose file", "services|include")                \
	NONE(".github/workflows/*.yml", "github", "GitHub workflow", "uses|image|container")       \
	NONE(".github/workflows/*.yaml", "github", "GitHub workflow", "uses|image|container")      \
	NONE("action.yml", "github", "GitHub action", "uses|docker://")                            \
	NONE("action.yaml", "github", "GitHub action", "uses|docker://")                           \
	NONE(".gitlab-ci.yml", "gitlab", "GitLab pipeline", "image|include|component")             \
	NONE(".gitmodules", "git", "Git submodules", NULL)                                         \
	NONE("*.tf", "terraform", "Terraform configuration",                                       \
	     "required_providers|module \"|provider \"")                                           \
	NONE("*.tf.json", "terraform", "Terraform configuration", NULL)                            \
	NONE("*.tofu", "terraform", "OpenTofu configuration", NULL)                                \
	NONE(".terraform.lock.hcl", "terraform", "Terraform lockfile", NULL)                       \
	NONE("terragrunt.hcl", "terraform", "Terragrunt configuration", NULL)                      \
	NONE("Chart.yaml", "helm", "Helm chart", "apiVersion|dependencies")                        \
	NONE("Chart.lock", "helm", "Helm lockfile", NULL)                                          \
	NONE("helmfile.yaml", "helm", "Helmfile", NULL)                                            \
	NONE("flake.nix", "nix", "Nix flake, which is program code", NULL)                         \
	NONE("flake.lock", "nix", "Nix lockfile", NULL)                                            \
	NONE("shard.yml", "shards", "Crystal manifest", NULL)                                      \
	NONE("shard.lock", "shards", "Crystal lockfile", NULL)                                     \
	NONE("*.cabal", "hackage", "Cabal package", NULL)                                          \
	NONE("cabal.project", "hackage", "Cabal project", NULL)                                    \
	NONE("cabal.project.freeze", "hackage", "Cabal lockfile", NULL)                            \
	NONE("stack.yaml", "hackage", "Stack project", NULL)                                       \
	NONE("stack.yaml.lock", "hackage", "Stack lockfile", NULL)                                 \
	NONE("=DESCRIPTION", "cran", "R package", "^Package:")                                     \
	NONE("renv.lock", "cran", "R lockfile", NULL)                                              \
	NONE("cpanfile", "cpan", "Perl manifest, which is program code", NULL)                     \
	NONE("cpanfile.snapshot", "cpan", "Perl lockfile", NULL)                                   \
	NONE("Makefile.PL", "cpan", "Perl manifest, which is program code", NULL)                  \
	NONE("Build.PL", "cpan", "Perl manifest, which is program code", NULL)                     \
	NONE("dist.ini", "cpan", "Dist::Zilla manifest", "Prereqs|[@")                             \
	NONE("*.opam", "opam", "opam package", NULL)                                               \
	NONE("opam", "opam", "opam package", "opam-version:")                                      \
	NONE("*.opam.locked", "opam", "opam lockfile", NULL)                                       \
	NONE("dune-project", "opam", "Dune project", "(depends")                                   \
	NONE("elm.json", "elm", "Elm manifest", NULL)                                              \
	NONE("elm-package.json", "elm", "Elm manifest", NULL)                                      \
	NONE("*.rockspec", "luarocks", "LuaRocks specification, which is program code", NULL)      \
	NONE("*.nimble", "nimble", "Nimble package, which is program code", NULL)                  \
	NONE("=Project.toml", "julia", "Julia project", "^[deps]|^[extras]|^[weakdeps]")           \
	NONE("=Manifest.toml", "julia", "Julia lockfile", "[[deps|julia_version|[[")               \
	NONE("build.zig.zon", "zig", "Zig manifest", NULL)                                         \
	NONE("dub.json", "dub", "D manifest", NULL)                                                \
	NONE("dub.sdl", "dub", "D manifest", NULL)                                                 \
	NONE("dub.selections.json", "dub", "D lockfile", NULL)                                     \
	NONE("Puppetfile", "puppet", "Puppet manifest, which is program code", NULL)               \
	NONE("Berksfile", "chef", "Berkshelf manifest, which is program code", NULL)               \
	NONE("galaxy.yml", "ansible", "Ansible collection", "dependencies")                        \
	NONE("requirements.yml", "ansible", "Ansible requirements", "collections|roles|src|name")  \
	NONE("requirements.yaml", "helm", "Ansible or Helm requirements",                          \
	     "collections|roles|src|name")                                                         \
	NONE("Brewfile", "homebrew", "Homebrew bundle, which is program code", NULL)               \
	NONE("*.py", "pypi", "Python script with its requirements", "^# /// script")               \
	NONE("*.pyw", "pypi", "Python script with its requirements", "^# /// script")

#define CMAKE_WORDS                                                                                \
	"FetchContent_Declare|ExternalProject_Add|CPMAddPackage|CPMFindPackage|"                   \
	"find_package|pkg_check_modules|pkg_search_module"

static const struct format {
	const char *pattern;
	size_t n;
	enum deps_ecosystem ecosystem;
	reader_fn *read;
	bool guess;
	struct deps_format known; /* without a reader */
} formats[] = {
#define READ(pattern, eco, reader, name)                                                           \
	{pattern, sizeof(pattern) - 1, DEPS_##eco, reader, false, {name, NULL, NULL}},
#define GUESS(pattern, eco, reader, name)                                                          \
	{pattern, sizeof(pattern) - 1, DEPS_##eco, reader, true, {name, NULL, NULL}},
#define NONE(pattern, eco, name, words)                                                            \
	{pattern, sizeof(pattern) - 1, DEPS_UNKNOWN, NULL, false, {name, eco, words}},
	FORMATS(READ, GUESS, NONE)
#undef READ
#undef GUESS
#undef NONE
};

static char format_fold(char c, bool exact)
{
	return exact ? c : ascii_lower(c);
}

/* A star matches anything but a slash. Backtracking only to the last star is enough. */
static bool format_glob(const char *p, size_t n, struct str s, bool exact)
{
	size_t i = 0, j = 0, star = SIZE_MAX, from = 0;

	while (j < s.n) {
		if (i < n && p[i] == '*') {
			star = i++;
			from = j;
		} else if (i < n && format_fold(p[i], exact) == format_fold(s.p[j], exact)) {
			i++;
			j++;
		} else if (star != SIZE_MAX && s.p[from] != '/') {
			i = star + 1;
			j = ++from;
		} else {
			return false;
		}
	}
	while (i < n && p[i] == '*')
		i++;
	return i == n;
}

/* The last parts of the path, as many as the pattern has. */
static struct str format_parts(struct str path, const char *pattern, size_t n)
{
	size_t i = path.n;

	for (size_t k = 0; k <= n; k++) {
		if (k < n && pattern[k] != '/')
			continue;
		while (i && path.p[i - 1] != '/')
			i--;
		if (k < n && i)
			i--;
	}
	return str_sub(path, i, path.n);
}

static bool format_matches(const struct format *f, struct str path, bool exact)
{
	const char *p = f->pattern;
	size_t n = f->n;

	if (p[0] == '=') {
		exact = true;
		p++;
		n--;
	}
	/*
	 * A cheap test first, since every path of a tree comes here: most patterns end with another
	 * letter.
	 */
	if (!path.n || (p[n - 1] != '*' &&
			format_fold(p[n - 1], exact) != format_fold(path.p[path.n - 1], exact)))
		return false;
	return format_glob(p, n, format_parts(path, p, n), exact);
}

static const struct format *format_find(struct str path)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (format_matches(&formats[i], path, false))
			return &formats[i];
	return NULL;
}

reader_fn *format_reader(struct str path, enum deps_ecosystem *ecosystem, bool *sure)
{
	const struct format *f = format_find(path);

	if (!f || !f->read)
		return NULL;
	*ecosystem = f->ecosystem;
	*sure = !f->guess && format_matches(f, path, true);
	return f->read;
}

bool deps_is_manifest(struct str path)
{
	const struct format *f = format_find(path);

	return f && f->read;
}

bool deps_is_requirements(struct str path)
{
	const struct format *f = format_find(path);

	return f && f->read == pypi_requirements;
}

bool deps_may_include(struct str path)
{
	const struct format *f = format_find(path);

	return f && (f->read == pypi_requirements || f->read == pypi_pyproject);
}

struct str deps_as_requirements(struct arena *a, struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_fmt(a, "%.*srequirements.txt",
		       STR_ARG(str_sub(path, 0, slash == SIZE_MAX ? 0 : slash + 1)));
}

const struct deps_format *deps_unread(struct str path)
{
	const struct format *f = format_find(path);

	return f && !f->read ? &f->known : NULL;
}

/* YAML, JSON and TOML can write any word with escapes, and UTF-16 hides every word. */
static bool format_may_hide(const struct deps_format *f, struct str text)
{
	static const char *const suffixes[] = {".yml", ".yaml", ".json", ".toml"};
	static const char *const escapes[] = {"\\u", "\\x", "\\U"};
	const struct format *row =
		(const struct format *)(const void *)((const char *)f -
						      offsetof(struct format, known));
	bool escaped = str_find_char(text, 0, 0) != SIZE_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		escaped |= str_find(text, str_of(escapes[i]), 0) != SIZE_MAX;
	for (size_t i = 0; escaped && i < ARRAY_SIZE(suffixes); i++)
		if (str_ends(str_of(row->pattern), str_of(suffixes[i])))
			return true;
	return false;
}

bool deps_unread_fits(const struct deps_format *f, struct str text)
{
	struct str rest = str_of(f->words), word;

	if (!f->words || format_may_hide(f, text))
		return true;
	while (str_split(&rest, '|', &word)) {
		bool first = word.p[0] == '^';
		size_t at = 0;

		word = str_sub(word, first, word.n);
		while ((at = str_find(text, word, at)) != SIZE_MAX) {
			if (!first || !at || text.p[at - 1] == '\n' || text.p[at - 1] == '\r')
				return true;
			at++;
		}
	}
	return false;
}

const char *deps_manifests(void)
{
#define READ(pattern, eco, reader, name)  ", " pattern
#define GUESS(pattern, eco, reader, name) ", " pattern
#define NONE(pattern, eco, name, words)   ""
	return &FORMATS(READ, GUESS, NONE)[2];
#undef READ
#undef GUESS
#undef NONE
}
