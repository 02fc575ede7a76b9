/*
 * ecosystems: everything that ikm knows about an ecosystem, in one row. A row that lacks a fact
 * does not compile. Include deps/deps.h instead.
 *
 * The columns: the name; other names that people use, which every such choice accepts; how the
 * ecosystem compares names (name_* in ecosystem.c); a shorter name that rules match too (brief_*);
 * the order of versions and the syntax of ranges (versions_* in range.h); how people type a
 * package (typed_*).
 */
#pragma once

/* clang-format off */
#define DEPS_ECOSYSTEM_ROWS(X) \
	X(DEPS_UNKNOWN, "", "", exact, none, npm, word) \
	X(DEPS_NPM, "npm", "node nodejs javascript", lower, none, npm, npm) \
	X(DEPS_PYPI, "pypi", "python pip", pypi, none, pypi, pypi) \
	X(DEPS_GO, "go", "golang", go, none, go, go) \
	X(DEPS_CARGO, "cargo", "crates.io crates rust", cargo, none, cargo, cargo) \
	X(DEPS_GEM, "gem", "rubygems ruby bundler", exact, none, gem, gem) \
	X(DEPS_MAVEN, "maven", "java gradle", exact, artifact, maven, maven) \
	X(DEPS_NUGET, "nuget", "dotnet csharp", lower, none, nuget, nuget) \
	X(DEPS_COMPOSER, "composer", "php packagist", lower, none, composer, composer) \
	X(DEPS_CONDA, "conda", "", lower, none, conda, conda) \
	X(DEPS_PUB, "pub", "dart", exact, none, npm, pub) \
	X(DEPS_HEX, "hex", "elixir", exact, none, hex, word) \
	X(DEPS_SWIFT, "swift", "", lower, last, npm, address) \
	X(DEPS_VCPKG, "vcpkg", "", exact, none, npm, vcpkg) \
	X(DEPS_CONAN, "conan", "", exact, none, npm, conan) \
	X(DEPS_GIT, "git", "", lower, last, npm, address) \
	X(DEPS_DOCKER, "docker", "oci container", docker, last, tag, docker) \
	X(DEPS_GITHUB, "github", "", lower, last, tag, github) \
	X(DEPS_TERRAFORM, "terraform", "opentofu tofu", terraform, last, terraform, terraform) \
	X(DEPS_MESON, "meson", "", exact, none, meson, word)
/* clang-format on */
