/* Dart, Elixir, Swift, vcpkg, Conan, submodules. */
#include "deps.h"

/* clang-format off */
static const struct row rows[] = {
	{"pubspec.yaml", "pubspec.yaml",
	 "name: x\ndependencies:\n  flutter: {sdk: flutter}\n  a: ^1.0.0\n  b:\n  c: any\n  d:\n    hosted: {name: e, url: u}\n"
	 "    version: \">=1.0.0 <2.0.0\"\n  f: {git: u}\ndev_dependencies:\n  g: 1.0.0\n",
	 "flutter - 3:3\na ^1.0.0 4:3\nb - 5:3\nc - 6:3\ne >=1.0.0 <2.0.0 8:20 as d\nf - 10:3\ng 1.0.0 12:3\n"},
	{"a byte order mark before the head of a script", "a.py",
	 "\xef\xbb\xbf# /// script\n# dependencies = ['a']\n# ///\n", "a - 2:20\n"},
	{"a byte order mark before a directive of C#", "a.cs", "\xef\xbb\xbf#:package a@1\n", "a 1 1:14 locked\n"},
	{"a byte order mark before a section", "setup.cfg",
	 "\xef\xbb\xbf[options]\ninstall_requires = a\n", "a - 2:20\n"},
	{"a byte order mark before a text that does not read", "libs.versions.toml",
	 "\xef\xbb\xbflibraries = {a = 'x'}\n",
	 "?  1:21 the file does not read as its name says: 'a' names no package\n"},
	{"a byte order mark before YAML", "pubspec.yaml", "\xef\xbb\xbf" "name: x\ndependencies:\n  a: 1.0.0\n", "a 1.0.0 3:3\n"},
	{"a byte order mark before the key", "pubspec.yaml", "\xef\xbb\xbf" "dependencies: {a: 1.0.0}\n", "a 1.0.0 1:19\n"},
	{"pubspec.lock", "pubspec.lock",
	 "packages:\n  a:\n    dependency: \"direct main\"\n    description: {name: a, url: u}\n    source: hosted\n    version: \"1.0.0\"\n"
	 "  b:\n    dependency: transitive\n    description: {path: p}\n    source: path\n    version: \"2.0.0\"\n"
	 "  flutter: {dependency: \"direct main\", description: flutter, source: sdk, version: \"0.0.0\"}\n",
	 "a 1.0.0 4:25 locked\nb 2.0.0 7:3 transitive locked\nflutter - 12:3\n"},
	{"mix.lock", "mix.lock",
	 "%{\n  \"a\": {:hex, :a, \"1.0.0\", \"x\", [:mix], [{:b, \"~> 1.0\", [hex: :b]}], \"hexpm\", \"y\"},\n"
	 "  \"c\": {:hex, :d, \"2.0.0-rc.1\", \"x\", [:mix], [], \"hexpm\"},\n  \"e\": {:git, \"https://x/e.git\", \"abc\", []},\n}\n",
	 "a 1.0.0 2:16 locked\nd 2.0.0-rc.1 3:16 as c locked\ne - 4:4\n"},
	{"mix.lock of an old Mix", "mix.lock", "%{\"a\": {:hex, :a, \"1.0.0\", \"x\", [:mix], [], \"hexpm\"},\n  \"b\": {:hex, :b, \"2.0.0\", \"x\"}}\n",
	 "a 1.0.0 1:16 locked\nb 2.0.0 2:16 locked\n"},
	{"ports of addresses", "Package.resolved",
	 "{\"pins\": [{\"identity\": \"a\", \"location\": \"https://u@github.com:443/o/a.git\", \"state\": {}},\n"
	 "{\"identity\": \"b\", \"location\": \"ssh://git@h.org:22/o/b\", \"state\": {}}, {\"identity\": \"c\", \"location\": \"https://h.org:8443/o/c\", \"state\": {}}], \"version\": 2}",
	 "github.com/o/a - 1:41 elsewhere\nh.org/o/b - 2:31 elsewhere\nh.org:8443/o/c - 2:110\n"},
	{"Package.resolved, version 2", "Package.resolved",
	 "{\"pins\": [\n{\"identity\": \"a\", \"kind\": \"remoteSourceControl\", \"location\": \"https://github.com/o/a.git\", \"state\": {\"version\": \"1.0.0\"}},\n"
	 "{\"identity\": \"s.b\", \"kind\": \"registry\", \"location\": \"\", \"state\": {\"version\": \"2.0.0\"}}], \"version\": 2}",
	 "github.com/o/a 1.0.0 2:71 locked\ns.b 2.0.0 3:15 locked\n"},
	{"Package.resolved, version 1", "Package.resolved",
	 "{\"object\": {\"pins\": [\n{\"package\": \"A\", \"repositoryURL\": \"git@github.com:o/a.git\", \"state\": {\"branch\": \"x\", \"version\": null}}]}, \"version\": 1}",
	 "github.com/o/a - 2:35 elsewhere\n"},
	{"vcpkg.json", "vcpkg.json",
	 "{\"dependencies\": [\n\"a\", {\"name\": \"b\", \"version>=\": \"1.0\"}],\n\"overrides\": [{\"name\": \"c\", \"version\": \"2\"}],\n"
	 "\"features\": {\"f\": {\"dependencies\": [\"d\"]}}}",
	 "a - 2:2\nb >=1.0 2:16\nc 2 3:25\nd - 4:38\n"},
	{"conanfile.txt", "conanfile.txt",
	 "[requires]\na/1.0@u/c#r # why\nb/[>=1.0 <2]\n[options]\nc/1:shared=True\n[tool_requires]\nd/2\n",
	 "a 1.0 2:1 locked\nb >=1.0 <2 3:1\nd 2 7:1 locked\n"},
	{"submodules", ".gitmodules",
	 "[submodule \"x\"]\n\tpath = x\n\turl = https://github.com/o/x.git\n[submodule \"y\"]\n  url = git@h.org:o/y\n"
	 "[submodule \"z\"]\n\turl = ../z.git\n",
	 "github.com/o/x - 3:16\nh.org/o/y - 5:9 elsewhere\n"
	 "? ../z.git 7:8 it is relative to the repository's remote\n"},
};
static const struct row bad[] = {
	{"a list of packages", "pubspec.yaml", "dependencies: [a]\n", "dependencies is a list"},
	{"a conflict", "mix.lock", "%{\n<<<<<<< HEAD\n", "line 2, column 1: '<<<<<<< HEAD' is no package"},
	{"two packages on a line", "mix.lock", "  \"a\": {:hex, :a, \"1\"}, \"b\": {:hex, :b, \"1\"}\n", "two packages on a line"},
	{"no version", "mix.lock", "\"a\": {:hex, :a}\n", "a package of Hex must have"},
	{"a pin without a name", "Package.resolved", "{\"pins\": [{}]}", "no identity"},
	{"a dependency without a name", "vcpkg.json", "{\"dependencies\": [{}]}", "has no name"},
	{"a requirement without a version", "conanfile.txt", "[requires]\na\n", "line 2, column 1: 'a' is no package"},
};
/* clang-format on */

int main(void)
{
	struct arena *a = arena_new();

	reads(a, rows, ARRAY_SIZE(rows));
	refuses(a, bad, ARRAY_SIZE(bad));
	arena_free(a);
	return tap_done();
}
