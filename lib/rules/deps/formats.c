#include "deps/pypi_requirement.h"
#include "out/out.h"
#include <pthread.h>

/*
 * Every manifest and lockfile that ikm knows; no other place lists them. READ has a reader. GUESS
 * and FIND have a reader too, but other texts have such names. NONE has no reader yet.
 *
 * A pattern, of those with commas between, is the file's name, ignoring case. With slashes it
 * includes as many folders; a star matches anything within one part; a leading "=" compares the
 * case too. ikm uses the first row that matches. The last argument is for names that other files
 * have as well: the file must contain one of these texts. Bars separate them, and a leading "^"
 * means the start of a line.
 */
#define FLOW_DEPENDENCIES                                                                          \
	"^dependencies:|^dependencies |\"dependencies\"|'dependencies'|{dependencies|"             \
	"{ dependencies|, dependencies"
#define MSBUILD_WORDS "PackageReference|PackageVersion|PackageDownload|DotNetCliToolReference|Sdk"
#define FORMATS(READ, GUESS, FIND, NONE)                                                           \
	READ("package.json", NPM, npm_manifest, "npm manifest")                                    \
	READ("package-lock.json, npm-shrinkwrap.json, node_modules/.package-lock.json", NPM,       \
	     npm_lock, "npm lockfile")                                                             \
	READ("yarn.lock", NPM, yarn_lock, "yarn lockfile")                                         \
	READ("pnpm-lock.yaml", NPM, pnpm_lock, "pnpm lockfile")                                    \
	READ("pnpm-workspace.yaml", NPM, pnpm_workspace, "pnpm workspace")                         \
	READ("requirements*.txt, *-requirements.txt, *_requirements.txt, requirements/*.txt, "     \
	     "requirements*.in, requirements/*.in, requirements*.lock, requirements*.pip",         \
	     PYPI, pypi_requirements, "pip requirements")                                          \
	READ("constraints*.txt, constraints*.in", PYPI, pypi_requirements, "pip constraints")      \
	GUESS("*requirements*.txt, *requirements*.in, requirements/*/*.txt, "                      \
	      "requirements/*/*.in",                                                               \
	      PYPI, pypi_requirements, "pip requirements")                                         \
	GUESS("*-constraints.txt, *_constraints.txt", PYPI, pypi_requirements, "pip constraints")  \
	READ("pyproject.toml", PYPI, pypi_pyproject, "Python project")                             \
	READ("uv.toml", PYPI, pypi_pyproject, "uv configuration")                                  \
	READ("hatch.toml", PYPI, pypi_pyproject, "hatch configuration")                            \
	READ("poetry.lock", PYPI, pypi_lock, "Poetry lockfile")                                    \
	READ("uv.lock", PYPI, pypi_lock, "uv lockfile")                                            \
	READ("pdm.lock", PYPI, pypi_lock, "PDM lockfile")                                          \
	READ("pylock*.toml", PYPI, pypi_lock, "Python lockfile")                                   \
	READ("go.mod", GO, go_mod, "Go module")                                                    \
	READ("Cargo.toml", CARGO, cargo_manifest, "Cargo manifest")                                \
	READ("Cargo.lock", CARGO, cargo_lock, "Cargo lockfile")                                    \
	READ("Gemfile.lock, *.gemfile.lock, gems.locked", GEM, gem_lock, "Bundler lockfile")       \
	NONE("package.json5", "npm", "pnpm manifest", NULL)                                        \
	FIND("package.yaml", NPM, npm_yaml, "pnpm or hpack manifest", "ependencies")               \
	NONE(".pnpmfile.cjs, .pnpmfile.mjs, pnpmfile.js", "npm",                                   \
	     "pnpm hooks, which is program code", NULL)                                            \
	NONE(".pnp.cjs", "npm", "yarn's map of packages, which is program code", NULL)             \
	NONE(".pnp.data.json", "npm", "yarn's map of packages", NULL)                              \
	FIND(".yarnrc.yml", NPM, pnpm_workspace, "yarn settings",                                  \
	     "packageExtensions|catalog|catalogs")                                                 \
	READ("bun.lock", NPM, bun_lock, "bun lockfile")                                            \
	NONE("bun.lockb", "npm", "bun lockfile", NULL)                                             \
	READ("deno.json, deno.jsonc", NPM, deno_manifest, "Deno manifest")                         \
	READ("deno.lock", NPM, deno_lock, "Deno lockfile")                                         \
	READ("jsr.json, jsr.jsonc", NPM, deno_manifest, "JSR manifest")                            \
	READ("import_map.json", NPM, deno_manifest, "import map")                                  \
	NONE("bower.json", "bower", "Bower manifest", NULL)                                        \
	READ("Pipfile", PYPI, pipenv_manifest, "Pipenv manifest")                                  \
	READ("Pipfile.lock", PYPI, pipenv_lock, "Pipenv lockfile")                                 \
	READ("setup.py", PYPI, setup_py, "setuptools manifest")                                    \
	FIND("setup.cfg", PYPI, setup_cfg, "setuptools manifest", "[options")                      \
	NONE("tox.ini, tox.toml", "pypi", "tox environments", "deps|requires")                     \
	NONE(".pre-commit-config.yaml", "pypi", "pre-commit hooks", "additional_dependencies")     \
	READ("pixi.toml", CONDA, pixi_manifest, "pixi manifest")                                   \
	READ("pixi.lock", CONDA, pixi_lock, "pixi lockfile")                                       \
	FIND("environment*.yml, environment*.yaml, *environment.yml, *environment.yaml, env.yml, " \
	     "env.yaml",                                                                           \
	     CONDA, conda_environment, "conda environment", FLOW_DEPENDENCIES)                     \
	READ("conda-lock.yml, *.conda-lock.yml", CONDA, conda_lock, "conda lockfile")              \
	FIND("conda-*.lock", CONDA, conda_explicit, "conda lockfile", "@EXPLICIT")                 \
	NONE("meta.yaml, recipe.yaml", "conda", "conda recipe", "requirements")                    \
	READ("go.work", GO, go_mod, "Go workspace")                                                \
	READ("go.work.sum, go.sum", GO, go_sum, "Go checksums")                                    \
	READ("vendor/modules.txt", GO, go_vendor, "vendored Go modules")                           \
	NONE("Gopkg.toml", "go", "dep manifest", NULL)                                             \
	NONE("Gopkg.lock", "go", "dep lockfile", NULL)                                             \
	NONE("Godeps.json", "go", "godep lockfile", NULL)                                          \
	NONE("glide.yaml", "go", "Glide manifest", NULL)                                           \
	NONE("glide.lock", "go", "Glide lockfile", NULL)                                           \
	FIND(".cargo/config.toml", CARGO, cargo_config, "Cargo configuration", "patch|paths")      \
	FIND(".cargo/config", CARGO, cargo_config, "Cargo configuration", "patch|paths")           \
	READ("Gemfile, *.gemfile, gems.rb, Pluginfile", GEM, gem_manifest, "Bundler manifest")     \
	READ("*.gemspec", GEM, gem_spec, "gem specification")                                      \
	READ("pom.xml", MAVEN, maven_project, "Maven project")                                     \
	FIND("*.pom, pom-*.xml", MAVEN, maven_project, "Maven project", "<project")                \
	READ(".mvn/extensions.xml", MAVEN, maven_extensions, "Maven extensions")                   \
	READ("build.gradle, build.gradle.kts", MAVEN, gradle_build, "Gradle build")                \
	READ("settings.gradle, settings.gradle.kts", MAVEN, gradle_build, "Gradle settings")       \
	READ("*.gradle, *.gradle.kts", MAVEN, gradle_build, "Gradle script")                       \
	READ("gradle.lockfile, buildscript-gradle.lockfile, dependency-locks/*.lockfile", MAVEN,   \
	     gradle_lock, "Gradle lockfile")                                                       \
	FIND("*.versions.toml", MAVEN, gradle_catalog, "Gradle version catalog",                   \
	     "libraries|plugins")                                                                  \
	NONE("ivy.xml", "maven", "Ivy module", NULL)                                               \
	NONE("build.sbt, *.sbt, project/Dependencies.scala", "maven",                              \
	     "sbt build, which is program code", NULL)                                             \
	NONE("build.sc, build.mill", "maven", "Mill build, which is program code", NULL)           \
	NONE("project.clj", "maven", "Leiningen project, which is program code", NULL)             \
	NONE("deps.edn", "maven", "Clojure dependencies", NULL)                                    \
	READ("*.csproj, *.fsproj, *.vbproj, *.sqlproj, *.wixproj, *.esproj", NUGET, nuget_project, \
	     ".NET project")                                                                       \
	FIND("*.vcxproj, *.projitems", NUGET, nuget_project, ".NET project", MSBUILD_WORDS)        \
	FIND("*.proj", NUGET, nuget_project, ".NET project", MSBUILD_WORDS)                        \
	READ("Directory.Packages.props", NUGET, nuget_project, "NuGet versions")                   \
	FIND("*.props", NUGET, nuget_project, ".NET properties", MSBUILD_WORDS)                    \
	FIND("*.targets", NUGET, nuget_project, ".NET targets", MSBUILD_WORDS)                     \
	READ("*.nuspec", NUGET, nuget_spec, "NuGet specification")                                 \
	FIND("packages.config, packages.*.config", NUGET, nuget_config, "NuGet packages",          \
	     "<packages")                                                                          \
	READ("packages.lock.json", NUGET, nuget_lock, "NuGet lockfile")                            \
	NONE("project.json", "nuget", ".NET project",                                              \
	     "\"frameworks\"|\"netstandard|\"netcoreapp|\"NETStandard")                            \
	READ("project.assets.json", NUGET, nuget_assets, "NuGet lockfile")                         \
	READ("paket.dependencies", NUGET, paket_manifest, "Paket manifest")                        \
	READ("paket.references", NUGET, paket_references, "Paket references")                      \
	READ("paket.lock", NUGET, paket_lock, "Paket lockfile")                                    \
	READ("dotnet-tools.json", NUGET, nuget_tools, ".NET tools")                                \
	FIND("global.json", NUGET, nuget_global, ".NET SDK versions", "msbuild-sdks")              \
	READ("composer.json", COMPOSER, composer_manifest, "Composer manifest")                    \
	READ("composer.lock", COMPOSER, composer_lock, "Composer lockfile")                        \
	READ("pubspec.yaml", PUB, pub_manifest, "Dart manifest")                                   \
	READ("pubspec_overrides.yaml", PUB, pub_manifest, "Dart overrides")                        \
	READ("pubspec.lock", PUB, pub_lock, "Dart lockfile")                                       \
	READ("mix.exs", HEX, mix_manifest, "Mix project")                                          \
	READ("mix.lock", HEX, mix_lock, "Mix lockfile")                                            \
	NONE("rebar.config", "hex", "rebar3 manifest", NULL)                                       \
	NONE("rebar.config.script", "hex", "rebar3 manifest, which is program code", NULL)         \
	NONE("rebar.lock", "hex", "rebar3 lockfile", NULL)                                         \
	NONE("gleam.toml", "hex", "Gleam manifest", NULL)                                          \
	READ("Package.swift, Package@swift-*.swift", SWIFT, swift_manifest, "Swift package")       \
	READ("Package.resolved", SWIFT, swift_lock, "Swift lockfile")                              \
	NONE("Podfile", "cocoapods", "CocoaPods manifest, which is program code", NULL)            \
	NONE("Podfile.lock", "cocoapods", "CocoaPods lockfile", NULL)                              \
	NONE("*.podspec", "cocoapods", "pod specification, which is program code", NULL)           \
	NONE("*.podspec.json", "cocoapods", "pod specification", NULL)                             \
	NONE("Cartfile, Cartfile.private", "carthage", "Carthage manifest", NULL)                  \
	NONE("Cartfile.resolved", "carthage", "Carthage lockfile", NULL)                           \
	READ("conanfile.txt", CONAN, conan_manifest, "Conan manifest")                             \
	NONE("conanfile.py", "conan", "Conan manifest, which is program code", NULL)               \
	NONE("conan.lock", "conan", "Conan lockfile", NULL)                                        \
	READ("vcpkg.json", VCPKG, vcpkg_manifest, "vcpkg manifest")                                \
	NONE("vcpkg-configuration.json", "vcpkg", "vcpkg configuration", NULL)                     \
	READ("subprojects/*.wrap", MESON, meson_wrap, "Meson wrap")                                \
	NONE("CMakeLists.txt", "cmake", "CMake project, which is program code", CMAKE_WORDS)       \
	NONE("*.cmake", "cmake", "CMake script, which is program code", CMAKE_WORDS)               \
	NONE("=WORKSPACE, WORKSPACE.bazel, WORKSPACE.bzlmod", "bazel",                             \
	     "Bazel workspace, which is program code", NULL)                                       \
	NONE("MODULE.bazel, *.MODULE.bazel", "bazel", "Bazel module", NULL)                        \
	NONE("MODULE.bazel.lock", "bazel", "Bazel lockfile", NULL)                                 \
	NONE("maven_install.json", "maven", "Bazel lockfile", NULL)                                \
	READ("Dockerfile", DOCKER, docker_file, "Dockerfile")                                      \
	FIND("Dockerfile.*, Dockerfile-*, *.Dockerfile, *.docker", DOCKER, docker_file,            \
	     "Dockerfile", DOCKER_WORDS)                                                           \
	READ("Containerfile", DOCKER, docker_file, "Containerfile")                                \
	FIND("Containerfile.*, *.Containerfile", DOCKER, docker_file, "Containerfile",             \
	     DOCKER_WORDS)                                                                         \
	FIND("compose*.yml, compose*.yaml, *docker-compose*.yml, *docker-compose*.yaml", DOCKER,   \
	     compose_manifest, "Compose file", "services|include|models")                          \
	FIND(".github/workflows/*.yml, .github/workflows/*.yaml", GITHUB, github_workflow,         \
	     "GitHub workflow", "uses|image|container")                                            \
	FIND(".forgejo/workflows/*.yml, .forgejo/workflows/*.yaml, .gitea/workflows/*.yml, "       \
	     ".gitea/workflows/*.yaml",                                                            \
	     GITHUB, github_workflow, "Forgejo workflow", "uses|image|container")                  \
	FIND("action.yml, action.yaml", GITHUB, github_action, "GitHub action", "uses|docker://")  \
	NONE(".gitlab-ci.yml", "gitlab", "GitLab pipeline", "image|include|component")             \
	NONE(".circleci/config.yml", "docker", "CircleCI pipeline", "image|orbs")                  \
	NONE("azure-pipelines*.yml, azure-pipelines*.yaml", "docker", "Azure pipeline",            \
	     "image|container|docker")                                                             \
	NONE("bitbucket-pipelines.yml", "docker", "Bitbucket pipeline", "image|pipe")              \
	NONE("docker-bake*.hcl, docker-bake*.json", "docker", "Bake file", NULL)                   \
	NONE("devcontainer.json, .devcontainer.json", "docker", "development container", NULL)     \
	NONE("kustomization.yaml, kustomization.yml", "docker", "Kustomize file", NULL)            \
	NONE("mise.toml, .mise.toml, .tool-versions", "mise", "list of tools", NULL)               \
	NONE("shell.nix, default.nix", "nix", "Nix expression, which is program code", NULL)       \
	READ(".gitmodules", GIT, git_modules, "Git submodules")                                    \
	FIND("*.tf", TERRAFORM, terraform_config, "Terraform configuration", TERRAFORM_WORDS)      \
	FIND("*.tofu", TERRAFORM, terraform_config, "OpenTofu configuration", TERRAFORM_WORDS)     \
	READ("*.tf.json", TERRAFORM, terraform_json, "Terraform configuration")                    \
	READ("*.tofu.json", TERRAFORM, terraform_json, "OpenTofu configuration")                   \
	READ(".terraform.lock.hcl", TERRAFORM, terraform_lock, "Terraform lockfile")               \
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
	NONE("Makefile.PL, Build.PL", "cpan", "Perl manifest, which is program code", NULL)        \
	NONE("dist.ini", "cpan", "Dist::Zilla manifest", "Prereqs|[@")                             \
	NONE("*.opam", "opam", "opam package", NULL)                                               \
	NONE("opam", "opam", "opam package", "opam-version:")                                      \
	NONE("*.opam.locked", "opam", "opam lockfile", NULL)                                       \
	NONE("dune-project", "opam", "Dune project", "(depends")                                   \
	NONE("elm.json, elm-package.json", "elm", "Elm manifest", NULL)                            \
	NONE("*.rockspec", "luarocks", "LuaRocks specification, which is program code", NULL)      \
	NONE("*.nimble", "nimble", "Nimble package, which is program code", NULL)                  \
	NONE("=Project.toml", "julia", "Julia project", "deps|extras")                             \
	NONE("=Manifest.toml", "julia", "Julia lockfile", "deps|julia_version|[[")                 \
	NONE("build.zig.zon", "zig", "Zig manifest", NULL)                                         \
	NONE("dub.json, dub.sdl", "dub", "D manifest", NULL)                                       \
	NONE("dub.selections.json", "dub", "D lockfile", NULL)                                     \
	NONE("Puppetfile", "puppet", "Puppet manifest, which is program code", NULL)               \
	NONE("Berksfile", "chef", "Berkshelf manifest, which is program code", NULL)               \
	NONE("galaxy.yml", "ansible", "Ansible collection", "dependencies")                        \
	NONE("requirements.yml", "ansible", "Ansible requirements", "collections|roles|src|name")  \
	NONE("requirements.yaml", "helm", "Ansible or Helm requirements",                          \
	     "collections|roles|src|name")                                                         \
	NONE("Brewfile", "homebrew", "Homebrew bundle, which is program code", NULL)               \
	FIND("*.py, *.pyw", PYPI, setup_script, "Python script with its requirements",             \
	     "^# /// script")                                                                      \
	FIND("*.cs, *.csx, *.fsx", NUGET, nuget_script, "C# or F# file with its packages",         \
	     "^#:package |^#:sdk |^#r \"nuget")                                                    \
	FIND("*.rb", GEM, gem_manifest, "Ruby file with its gems",                                 \
	     "^gem '|^gem \"|^gem(|^gem (|bundler/inline")                                         \
	FIND("*.xml", NUGET, nuget_project, "part of a .NET project",                              \
	     "<PackageReference|<PackageVersion|<GlobalPackageReference|<PackageDownload")

#define BOM             "\xef\xbb\xbf" /* a byte order mark */
#define DOCKER_WORDS    "FROM |FROM\t|from |from\t|From |From\t"
#define TERRAFORM_WORDS "required_providers|module|provider"
#define CMAKE_WORDS                                                                                \
	"FetchContent_Declare|ExternalProject_Add|CPMAddPackage|CPMFindPackage|"                   \
	"find_package|pkg_check_modules|pkg_search_module"

static const struct format {
	const char *patterns;
	size_t n;
	enum deps_ecosystem ecosystem;
	reader_fn *read;
	bool guess;
	struct deps_format known;
} formats[] = {
#define READ(pattern, eco, reader, name)                                                           \
	{pattern, sizeof(pattern) - 1, DEPS_##eco, reader, false, {name, NULL, NULL}},
#define GUESS(pattern, eco, reader, name)                                                          \
	{pattern, sizeof(pattern) - 1, DEPS_##eco, reader, true, {name, NULL, NULL}},
#define FIND(pattern, eco, reader, name, words)                                                    \
	{pattern, sizeof(pattern) - 1, DEPS_##eco, reader, true, {name, NULL, words}},
#define NONE(pattern, eco, name, words)                                                            \
	{pattern, sizeof(pattern) - 1, DEPS_UNKNOWN, NULL, false, {name, eco, words}},
	FORMATS(READ, GUESS, FIND, NONE)
#undef READ
#undef GUESS
#undef FIND
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
static struct str format_parts(struct str path, struct str pattern)
{
	size_t i = path.n;

	for (size_t k = 0; k <= pattern.n; k++) {
		if (k < pattern.n && pattern.p[k] != '/')
			continue;
		while (i && path.p[i - 1] != '/')
			i--;
		if (k < pattern.n && i)
			i--;
	}
	return str_sub(path, i, path.n);
}

/*
 * The patterns of all rows, in chains by their last character, each in the order of the rows: every
 * path of a tree is compared with them.
 */
static struct pattern {
	struct str text;
	bool exact, folders;      /* "=" stands before it; slashes in it */
	unsigned short row, next; /* next: 0 ends a chain */
} patterns[512];
static unsigned short patterns_ending[256];

static void patterns_split(void)
{
	unsigned short n = 0;

	for (size_t row = ARRAY_SIZE(formats); row-- > 0;) {
		struct str rest = {formats[row].patterns, formats[row].n}, text;

		while (str_next_part(&rest, ',', &text)) {
			unsigned short *chain;
			bool exact;

			text = str_trim(text);
			exact = text.p[0] == '=';
			chain = &patterns_ending[(unsigned char)ascii_lower(text.p[text.n - 1])];
			if (++n == ARRAY_SIZE(patterns))
				BUG("there are more patterns than patterns[] holds");
			patterns[n] = (struct pattern){str_sub(text, exact, text.n), exact,
						       str_find_char(text, '/', 0) != SIZE_MAX,
						       (unsigned short)row, *chain};
			*chain = n;
		}
	}
}

/* The first row that matches. only (or NULL): this row alone, in the case of its patterns. */
static const struct format *format_find_in(struct str path, const struct format *only)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct str name = str_base(path);
	unsigned short a, b;

	pthread_once(&once, patterns_split);
	if (!path.n)
		return NULL;
	a = patterns_ending[(unsigned char)ascii_lower(path.p[path.n - 1])];
	b = patterns_ending['*'];
	while (a || b) {
		unsigned short *first = !b || (a && patterns[a].row < patterns[b].row) ? &a : &b;
		const struct pattern *p = &patterns[*first];

		*first = p->next;
		if ((!only || only == &formats[p->row]) &&
		    format_glob(p->text.p, p->text.n,
				p->folders ? format_parts(path, p->text) : name, only || p->exact))
			return &formats[p->row];
	}
	return NULL;
}

static const struct format *format_find(struct str path)
{
	return format_find_in(path, NULL);
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

	return f && (f->read == pypi_requirements || f->read == pypi_pyproject ||
		     f->read == compose_manifest);
}

struct str deps_path_to_read_included_as(struct arena *a, struct str by, struct str path)
{
	const struct format *f = format_find(by);

	return str_fmt(a, "%.*s%s", STR_ARG(str_sub(path, 0, str_rfind_char(path, '/') + 1)),
		       f && f->read == compose_manifest ? "Dockerfile" : "requirements.txt");
}

bool deps_is_always_manifest(struct str path)
{
	const struct format *f = format_find(path);

	return f && f->read && !f->known.words;
}

bool deps_text_is_manifest(struct str path, struct str text)
{
	const struct format *f = format_find(path);

	return f && f->read && deps_unread_format_fits(&f->known, text);
}

const struct deps_format *deps_unread_format(struct str path)
{
	const struct format *f = format_find(path);

	return f && !f->read ? &f->known : NULL;
}

bool deps_unread_format_fits(const struct deps_format *f, struct str text)
{
	const struct format *row =
		(const struct format *)(const void *)((const char *)f -
						      offsetof(struct format, known));
	struct str rest = str_of(f->words), word;

	if (!f->words)
		return true;
	/* YAML, JSON and TOML can write any word with escapes, and UTF-16 hides every word. */
	if (reader_suffix_word_length(
		    str_of(row->patterns),
		    ".yml|.yaml|.json|.toml|.xml|.props|.targets|.proj|.config|.pom") &&
	    (str_has_nul(text) || str_holds(text, "\\u") || str_holds(text, "\\x") ||
	     str_holds(text, "\\U")))
		return true;
	text = reader_skip_prefix(text, BOM);
	while (str_next_part(&rest, '|', &word)) {
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

static const char *format_ecosystem(const struct format *f)
{
	return f->read ? deps_ecosystems[f->ecosystem] : f->known.ecosystem;
}

/* Whether a row before it has the same ecosystem and state, and the same name if asked. */
static bool format_is_first(size_t i, bool named)
{
	const struct format *f = &formats[i];

	for (size_t j = 0; j < i; j++)
		if (!strcmp(format_ecosystem(&formats[j]), format_ecosystem(f)) &&
		    (!named || (!formats[j].read == !f->read &&
				!strcmp(formats[j].known.name, f->known.name))))
			return false;
	return true;
}

/* The formats of one ecosystem that ikm reads, or those that it does not. */
static void format_mdoc_group(struct out *o, const char *ecosystem, bool read)
{
	const char *between = read ? "" : ".br\n.Em not read :\n";
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		const struct format *f = &formats[i], *g;
		size_t n = 0;

		if (strcmp(format_ecosystem(f), ecosystem) || !f->read == read ||
		    !format_is_first(i, true))
			continue;
		out_fmt(o, "%s%s%s:\n", any ? " ;\n" : between,
			f->known.name[0] == '.' ? "\\&" : "", f->known.name);
		any = true;
		for (g = f; g < formats + ARRAY_SIZE(formats); g++) {
			struct str rest = {g->patterns, g->n}, p;

			if (strcmp(format_ecosystem(g), ecosystem) || !g->read == read ||
			    strcmp(g->known.name, f->known.name))
				continue;
			while (str_next_part(&rest, ',', &p)) {
				p = str_trim(p);
				out_fmt(o, "%s.Pa %.*s", n++ ? " ,\n" : "",
					STR_ARG(str_sub(p, p.p[0] == '=', p.n)));
			}
		}
	}
	if (any)
		out_puts(o, "\n");
}

void deps_mdoc_formats(struct out *o)
{
	out_puts(o, ".Bl -tag -width \"terraform\"\n");
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!format_is_first(i, false))
			continue;
		out_fmt(o, ".It Cm %s\n", format_ecosystem(&formats[i]));
		format_mdoc_group(o, format_ecosystem(&formats[i]), true);
		format_mdoc_group(o, format_ecosystem(&formats[i]), false);
	}
	out_puts(o, ".El\n");
}

#define BYTES_MAX ((size_t)64 << 20)

ORDER_OF(unresolved_cmp, struct deps_unresolved, ORDER_UP(at.from) || ORDER_STR(name))

/* "package.json, package-lock.json, …": for messages. */
static const char *format_names(void)
{
#define READ(pattern, eco, reader, name)        ", " pattern
#define GUESS(pattern, eco, reader, name)       ", " pattern
#define FIND(pattern, eco, reader, name, words) ", " pattern
#define NONE(pattern, eco, name, words)         ""
	return &FORMATS(READ, GUESS, FIND, NONE)[2];
#undef READ
#undef GUESS
#undef FIND
#undef NONE
}

struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out)
{
	struct reader r = {.a = a, .path = path, .out = out, .files = files};
	struct places places = {.text = text};
	struct str rest, line;
	struct err *e;
	size_t at;
	const struct format *f = format_find(path);

	*out = (struct deps){0};
	if (!f || !f->read)
		return err_new(E_BAD_MANIFEST,
			       "'%.*s' is no manifest or lockfile that ikm can read: %s",
			       STR_ARG(path), format_names());
	if (!deps_unread_format_fits(&f->known, text))
		return NULL;
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_BIG, "'%.*s' has %zu bytes; a manifest may have at most %zu",
			       STR_ARG(path), text.n, BYTES_MAX);
	/* The places that the readers give count from behind a byte order mark, until they end. */
	r.begin = reader_starts_with_any_of(text, BOM);
	r.text = str_sub(text, r.begin, text.n);
	/* Growing copies, and what is not used costs nothing: few packages take fewer bytes. */
	out->cap = size_min(text.n / 24, (size_t)1 << 20) + 1;
	out->p = arena_array(a, out->cap, sizeof(*out->p));
	r.ecosystem = f->ecosystem;
	e = f->read(&r);
	rest = text;
	if (e)
		*out = (struct deps){0}; /* do not return half of the list */
	VEC_EACH(struct dep, d, out)
		d->at = (struct span){d->at.from + r.begin, d->at.to + r.begin};
	VEC_EACH(struct deps_unresolved, u, &out->unresolved)
		u->at = (struct span){u->at.from + r.begin, u->at.to + r.begin};
	/* Other texts have such names too: one that does not parse is unresolved, and no error. */
	if (e && r.bad.line && (f->guess || format_find_in(path, f) != f)) {
		for (size_t n = r.bad.line; n > 1 && str_next_line(&rest, &line);)
			n--;
		at = size_min((size_t)(rest.p - text.p) + r.bad.column - 1, text.n);
		e = reader_add_unresolved(&r, STR(""), (struct span){at, at},
					  "the file does not read as its name says: %.*s",
					  STR_ARG(r.why));
	}
	/* In the order of the file, each with its line and column. */
	VEC_SORT(&out->unresolved, unresolved_cmp);
	for (size_t i = 0; i < out->unresolved.n; i++)
		out->unresolved.p[i].place =
			str_place_of_next_offset(&places, out->unresolved.p[i].at.from);
	return e;
}
