/* Python and Go beside their main manifests, conda, bun, and settings of Cargo and yarn. */
#include "deps.h"

/* clang-format off */
static const struct row rows[] = {
	{"Pipfile", "Pipfile",
	 "[[source]]\nurl = \"https://x\"\n[packages]\nFlask = \"*\"\na = {version = \"==1\", extras = [\"x\"]}\n"
	 "b = {git = \"https://x/y\", ref = \"z\"}\nme = {path = \".\", editable = true}\n[dev-packages]\nc = \"~=1.0\"\n"
	 "[docs]\nd = \"*\"\n[requires]\npython_version = \"3\"\n[scripts]\nrun = \"x\"\n",
	 "Flask - 4:1\na ==1 5:1\nb - 6:1\nc ~=1.0 9:1\nd - 11:1\n"
	 "python ==3.* 13:1 elsewhere as python_version runtime\n"},
	{"Pipfile.lock", "Pipfile.lock",
	 "{\"_meta\": {\"sources\": []}, \"default\": {\n\"a\": {\"version\": \"==1.0\", \"hashes\": []},\n\"b\": {\"git\": \"x\"}},\n"
	 "\"develop\": {\"c\": {\"version\": \"==2\"}}, \"docs\": {}}",
	 "a 1.0 2:2 locked\nb - 3:2\nc 2 4:14 locked\n"},
	/* hatch.pypa.io/latest/config/environment/overview/ */
	{"hatch.toml", "hatch.toml",
	 "[envs.x]\ndependencies = ['a']\n[envs.x.overrides]\nplatform.linux.extra-dependencies = [{value = 'b'}]\n[env]\nrequires = ['c']\n[build.targets.wheel]\ndependencies = ['d>=1']\n",
	 "a - 2:18\nd >=1 8:18\nc - 6:14\nb - 4:48\n"},
	/* docs.astral.sh/uv/reference/settings/ */
	{"uv.toml", "uv.toml",
	 "override-dependencies = ['a==1']\nconstraint-dependencies = ['b<2']\nbuild-constraint-dependencies = ['c']\n[[index]]\nurl = 'https://x'\n",
	 "b <2 2:29\na ==1 1:27\nc - 3:35\n"},
	{"setup.cfg", "setup.cfg",
	 "[metadata]\nname = x\n[options]\ninstall_requires =\n    a>=1 ; python_version < '3'\n    # b\n\n\tc\n"
	 "setup-requires = d; e==1\npackages = find:\n[options.extras_require]\ntest = f\n  g\n"
	 "own = %(test)s\n[flake8]\ninstall_requires = no\n",
	 "a >=1 5:5\nc - 8:2\nd - 9:18\ne ==1 9:21\nf - 12:8\ng - 13:3\n"
	 "? %(test)s 14:7 it is computed from another option\n"},
	{"setup.cfg with files", "setup.cfg",
	 "[options]\ninstall_requires = file: requirements.txt, deps.lst\n",
	 "? deps.lst 2:44 the included file is not named like a requirements file\n"},
	{"setup.py: literals", "setup.py",
	 "from setuptools import setup\n# install_requires=['no']\nsetup(name='x',\n  install_requires=['a>=1', \"b\",\n"
	 "    'c; python_version < \"3\"',],\n  extras_require={'t': ['d'], 'u': ['e']})\n\"\"\"install_requires=['no']\"\"\"\n",
	 "a >=1 4:22\nb - 4:30\nc - 5:6\nd - 6:26\ne - 6:38\n"},
	{"setup.py: a program", "setup.py",
	 "R = ['a']\nsetup(install_requires=R, setup_requires=['b'] + R,\n  tests_require=['c', f'd{x}', g(), 'h'], **kw)\n",
	 "b - 2:44\nc - 3:19\nh - 3:38\n? install_requires 2:7 a program computes it\n"
	 "? setup_requires 2:27 a program adds to it\n? d{x} 3:25 a program computes it\n"
	 "? g 3:32 a program computes it\n? kw 3:45 a program computes the arguments\n"},
	{"setup.py without setup()", "setup.py", "import x\nx.main()\n",
	 "?  1:1 ikm finds no call of setup() in this program\n"},
	{"PEP 723", "tool.py",
	 "#!/usr/bin/env python\n# /// script\n# requires-python = \">=3\"\n# dependencies = [\n#   \"a>=1\",\n#\n"
	 "#   \"b\",\n# ]\n# ///\nx = '# dependencies = [\"no\"]'\n",
	 "python >=3 3:3 elsewhere as requires-python runtime\na >=1 5:6\nb - 7:6\n"},
	{"PEP 723 without an end", "tool.py", "# /// script\n# dependencies = ['a']\nx\n# ///\n",
	 "?  1:1 the block '# /// script' has no end '# ///'\n"},
	{"a script without such a block", "tool.py", "print('# /// script')\n", ""},
	{"conda, and pip below it", "environment.yml",
	 "name: x\nchannels: [conda-forge]\ndependencies:\n  - python=3.9\n  - conda-forge::numpy>=1.2,<2\n  - \"c=1.2=py39_0\"\n"
	 "  - d [version='>=1']\n  - pip\n  - pip:\n    - PyMySQL==1.0\n    - -r other.lst\n",
	 "python =3.9 4:5\nnumpy >=1.2,<2 5:18\nc =1.2 6:6\nd >=1 7:5\npip - 8:5\n"
	 "PyMySQL ==1.0 10:7\n"
	 "? other.lst 11:10 the included file is not named like a requirements file\n"},
	{"go.sum", "go.sum",
	 "x.org/a v1.0.0 h1:abc=\nx.org/a v1.0.0/go.mod h1:def=\nx.org/b v0.1.0/go.mod h1:ghi=\n",
	 "x.org/a v1.0.0 1:1 locked\n"},
	{"vendor/modules.txt", "vendor/modules.txt",
	 "# x.org/a v1.0.0\n## explicit; go 1.20\nx.org/a/pkg\n# x.org/b v1 => x.org/c v2\nx.org/b\n# x.org/d v1 => ./d\n"
	 "# x.org/no\n# x.org/no nope\n# x.org/no => ./d\n# x.org/e v1 => not a version\n# x.org/f => x.org/g v1\n",
	 "x.org/a v1.0.0 1:3 locked\nx.org/c v2 4:17 as x.org/b transitive locked\n"
	 "x.org/d v1 6:3 transitive locked\nx.org/no - 9:3 transitive\nx.org/e v1 10:3 transitive locked\nx.org/g v1 11:14 as x.org/f transitive locked\n"},
	{"go.work", "go.work", "go 1.22\nuse (\n\t./a\n\t./b\n)\nreplace x.org/a => x.org/b v1.0.0\n",
	 "go 1.22 1:1 runtime\nx.org/b v1.0.0 6:20 as x.org/a locked\n"},
	{"bun.lock", "bun.lock",
	 "{ // why\n \"lockfileVersion\": 1,\n \"workspaces\": {\"\": {\"dependencies\": {\"x\": \"1\",},},},\n \"packages\": {\n"
	 "\"a\": [\"a@1.0.0\", \"\", {}, \"sha512-x\"],\n\"db\": [\"mysql2@3.0.0\", \"\", {}, \"s\"],\n"
	 "\"a/@s/b\": [\"@s/b@2.0.0\", \"\", {}, \"s\"],\n\"own\": [\"own@workspace:packages/own\"],\n"
	 "\"g\": [\"g@github:evil/z#abc\", {}, \"x\"],\n},}\n",
	 "a 1.0.0 5:8 locked\nmysql2 3.0.0 6:9 as db locked\n@s/b 2.0.0 7:13 locked\ng - 9:8\n"
	 "z - 9:10 elsewhere as g\n"
	 "? g 9:10 'github:evil/z#abc' is an address, which does not name its package\n"},
	{"package.yaml of pnpm", "package.yaml", "dependencies:\n  db: npm:mysql2@3\n",
	 "mysql2 3 2:11 as db\n"},
	{"package.yaml of hpack", "package.yaml", "dependencies:\n- base\n",
	 "?  1:1 it is a manifest of hpack, which ikm does not read\n"},
	{"deno.json", "deno.json",
	 "{ // why\n\"imports\": {\n\"db\": \"npm:mysql2@^3/promise\",\n\"@std/path\": \"jsr:@std/path@1\",\n"
	 "\"x/\": \"https://esm.sh/left-pad@1.0/\",\n\"y\": \"https://deno.land/x/y/mod.ts\",\n\"z\": \"./z.ts\",},\n"
	 "\"scopes\": {\"./v/\": {\"w\": \"npm:@s/w\"}},}\n",
	 "mysql2 ^3 3:12 as db\n@std/path 1 4:19\nleft-pad 1.0 5:23 as x\n@s/w - 8:31 as w\n"
	 "? y 6:6 'https://deno.land/x/y/mod.ts' is an address, which does not name its package\n"},
	{"types that the compiler of deno gets", "deno.json",
	 "{\"compilerOptions\": {\"jsxImportSource\": \"npm:preact@10\",\n\"types\": [\"npm:@types/node@20\", \"./a.d.ts\"]}}\n",
	 "preact 10 1:46\n@types/node 20 2:16\n"},
	{"deno.lock", "deno.lock",
	 "{\"version\": \"4\", \"specifiers\": {\"npm:a@1\": \"1.0\"},\n\"jsr\": {\"@std/path@1.0.0\": {}},\n"
	 "\"npm\": {\"a@1.0.0_b@2\": {},\n\"@s/c@3.0.0\": {}},\n\"remote\": {\"https://esm.sh/d@1/x.js\": \"h\",\n"
	 "\"https://x.org/e.ts\": \"h\"}}\n",
	 "a 1.0.0 3:10 locked\n@s/c 3.0.0 4:2 locked\n@std/path 1.0.0 2:10 locked\nd 1 5:28\n"
	 "? https://x.org/e.ts 6:2 an address, which does not name its package\n"},
	{"yarn settings", ".yarnrc.yml", "catalog:\n  a: ^1\npackageExtensions:\n  x@*:\n    dependencies:\n      b: \"1\"\n",
	 "a ^1 2:3\nb 1 6:7\n"},
	{"Cargo configuration", ".cargo/config.toml",
	 "paths = [\"x\"]\n[patch.crates-io]\ndb = { package = \"mysql\", git = \"https://x/y\" }\n",
	 "mysql - 3:19 as db\n"
	 "? x 1:11 the packages of this folder replace others, and ikm does not list them\n"},
	{"Cargo configuration without packages", ".cargo/config.toml", "[build]\njobs = 1\n", ""},
};
static const struct row bad[] = {
	{"a Pipfile with a text", "Pipfile", "packages = 'a'\n", "packages is a string"},
	{"a version that is a number", "Pipfile", "[packages]\na = {version = 1}\n", "version"},
	{"Pipfile.lock with a list", "Pipfile.lock", "{\"default\": []}", "default is a list"},
	{"go.sum of prose", "go.sum", "Hello world\n", "is no module"},
	{"bun.lock without a version", "bun.lock", "{\"packages\": {\"a\": [\"a\"]}}", "packages.a has no name"},
	{"bun.lock with a comment without an end", "bun.lock", "{ /* ", "line 1"},
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
