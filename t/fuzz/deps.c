/* Manifests: the first byte picks the file's name. Every place must lie in the file. */
#include "base/base.h"
#include "deps/deps.h"

/* Every file that the manifest refers to is there, and holds the manifest's own text. */
static struct err *fuzz_file(void *ctx, struct arena *a, struct str path, struct str *text,
			     bool *found)
{
	(void)a;
	*found = path.n > 0;
	if (text)
		*text = *(const struct str *)ctx;
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"package.json",
					    "package-lock.json",
					    "requirements.txt",
					    "pyproject.toml",
					    "go.mod",
					    "Cargo.toml",
					    "Cargo.lock",
					    "yarn.lock",
					    "pnpm-lock.yaml",
					    "uv.lock",
					    "Gemfile.lock",
					    "pnpm-workspace.yaml",
					    "PACKAGE.JSON",
					    "my_requirements.txt",
					    "pom.xml",
					    ".mvn/extensions.xml",
					    "a.csproj",
					    "packages.config",
					    "a.nuspec",
					    "packages.lock.json",
					    "dotnet-tools.json",
					    "composer.json",
					    "composer.lock",
					    "Gemfile",
					    "a.gemspec",
					    "build.gradle",
					    "build.gradle.kts",
					    "gradle.lockfile",
					    "libs.versions.toml",
					    "Pipfile",
					    "Pipfile.lock",
					    "setup.py",
					    "setup.cfg",
					    "a.py",
					    "environment.yml",
					    "go.sum",
					    "vendor/modules.txt",
					    "bun.lock",
					    "package.yaml",
					    "go.work",
					    ".cargo/config.toml",
					    "deno.json",
					    "deno.lock",
					    "pubspec.yaml",
					    "pubspec.lock",
					    "mix.lock",
					    "Package.resolved",
					    "vcpkg.json",
					    "conanfile.txt",
					    ".gitmodules",
					    "Dockerfile",
					    "compose.yaml",
					    ".github/workflows/a.yml",
					    "action.yml",
					    "mix.exs",
					    "Package.swift",
					    "a.tf",
					    "a.tf.json",
					    ".terraform.lock.hcl",
					    "subprojects/a.wrap",
					    "paket.dependencies",
					    "paket.references",
					    "paket.lock",
					    "project.assets.json",
					    "pixi.toml",
					    "pixi.lock",
					    "conda-lock.yml",
					    "conda-a.lock",
					    "tool.cs",
					    "tool.rb"};
	struct str text = {0};
	struct deps_files files = {fuzz_file, &text};
	struct arena *a;
	struct deps d;

	if (!size)
		return 0;
	a = arena_new();
	text = (struct str){(const char *)data + 1, size - 1};
	if (!deps_read(a, str_of(names[(data[0] & 0x7f) % ARRAY_SIZE(names)]), text,
		       data[0] & 0x80 ? &files : NULL, &d)) {
		for (size_t i = 0; i < d.n; i++)
			if (d.p[i].at.from > d.p[i].at.to || d.p[i].at.to > text.n)
				BUG("a name outside the file");
		for (size_t i = 0; i < d.unresolved.n; i++)
			if (d.unresolved.p[i].at.to > text.n || !d.unresolved.p[i].reason.n ||
			    !d.unresolved.p[i].place.line)
				BUG("what is unresolved is outside the file, or has no reason");
	}
	arena_free(a);
	return 0;
}
