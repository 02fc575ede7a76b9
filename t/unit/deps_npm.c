/* The results of the readers of npm, yarn and pnpm. */
#include "deps.h"

#define ADDRESS   " is an address, which does not name its package\n"
#define NO_FOLDER " is a folder without a package.json in the tree\n"

static const struct row npm[] = {
	{"the four kinds, and where the name is", "a/package.json",
	 "{\n \"name\": \"self\",\n \"dependencies\": {\"a\": \"^1\",\n  \"@s/b\": \"\"},\n"
	 " \"devDependencies\": {\"c\": \"latest\"}, \"peerDependencies\": {\"d\": \">=1 <2\"},\n"
	 " \"optionalDependencies\": null}",
	 "a ^1 3:20\n@s/b - 4:4\nc latest 5:23\nd >=1 <2 5:60\n"},
	{"an alias is the package behind it", "package.json",
	 "{\"dependencies\": {\n\"x\": \"npm:mysql2@^3\",\n\"y\": \"npm:@s/b@1\",\n"
	 "\"z\": \"npm:bare\",\n\"same\": \"npm:same@2\",\n\"range\": \"npm:^1.0\"}}",
	 "mysql2 ^3 2:11 as x\n@s/b 1 3:11 as y\nbare - 4:11 as z\nsame 2 5:2\nrange ^1.0 6:2\n"},
	{"Git: the key, and the repository when it is called otherwise", "package.json",
	 "{\"dependencies\": {\n\"mysql\": \"github:mysqljs/mysql#semver:^2\",\n"
	 "\"db\": \"mysqljs/mysql\",\n\"e\": \"git+ssh://git@example.org:2222/o/mysql.git#v1\",\n"
	 "\"f\": \"git@github.com:o/mysql.git\",\n"
	 "\"@s/mysql\": \"https://github.com/o/mysql/archive/v1.tar.gz\",\n\"g\": \"gist:11081aaa\"}}",
	 "mysql ^2 2:2\ndb - 3:2\nmysql - 3:16 as db\ne - 4:2\nmysql - 4:40 as e\nf - 5:2\n"
	 "mysql - 5:24 as f\n@s/mysql - 6:2\ng - 7:2\n"
	 "? mysql 2:11 'github:mysqljs/mysql#semver:^2'" ADDRESS "? db 3:8 'mysqljs/mysql'" ADDRESS
	 "? e 4:7 'git+ssh://git@example.org:2222/o/mysql.git#v1'" ADDRESS
	 "? f 5:7 'git@github.com:o/mysql.git'" ADDRESS
	 "? @s/mysql 6:14 'https://github.com/o/mysql/archive/v1.tar.gz'" ADDRESS
	 "? g 7:7 'gist:11081aaa'" ADDRESS},
	{"a registry's tarball tells name and version", "package.json",
	 "{\"dependencies\": {\n"
	 "\"x\": \"https://registry.npmjs.org/@s/b/-/b-1.2.3.tgz\",\n"
	 "\"b\": \"https://registry.npmjs.org/b/-/b-2.0.0.tgz?x=1\",\n"
	 "\"c\": \"https://example.org/d-1.0.tgz\"}}",
	 "@s/b 1.2.3 2:34 as x locked\nb 2.0.0 3:2 locked\nc - 4:2\nd - 4:27 as c\n? c 4:7 'https://example.org/d-1.0.tgz'" ADDRESS},
	{"local folders, workspaces, catalogs, patches", "package.json",
	 "{\"dependencies\": {\"a\": \"file:../a\", \"b\": \"link:b\", \"c\": \"workspace:^1.2\",\n"
	 "\"d\": \"workspace:*\", \"e\": \"workspace:real@~1\", \"f\": \"catalog:\",\n"
	 "\"g\": \"../x.tgz\", \"h\": \"patch:mysql@npm%3A2.0.0#~/p.patch\", \"i\": \"jsr:@s/j@^1\"}}",
	 "a - 1:20\nb - 1:38\nc ^1.2 1:53\nd * 2:2\nreal ~1 2:37 as e\nf - 2:48\ng - 3:2\nx - 3:10 as g\n"
	 "mysql 2.0.0 3:30 as h\n@s/j ^1 3:70 as i\n"
	 "? a 1:25 'file:../a'" NO_FOLDER "? b 1:43 'link:b'" NO_FOLDER
	 "? f 2:53 'catalog:' refers to a catalog that the tree does not have\n"
	 "? g 3:7 '../x.tgz' is an archive, and ikm does not open it\n"},
	{"overrides nest, refer and alias", "package.json",
	 "{\"dependencies\": {\"foo\": \"^1\", \"my\": \"npm:mysql2@3\"},\n\"overrides\": {\n"
	 "\"a\": \"1.0.0\",\n\"b@^2\": {\".\": \"2.1.0\", \"c\": {\"d@1\": \"npm:evil@1\"}},\n"
	 "\"e\": \"$foo\", \"g\": \"$my\",\n\"h\": \"$nowhere\"}}",
	 "foo ^1 1:20\nmysql2 3 1:43 as my\na 1.0.0 3:2\nb 2.1.0 4:2\nevil 1 4:42 as d\n"
	 "e ^1 5:2\nmysql2 3 5:20 elsewhere as g\n? $nowhere 6:7 it refers to a dependency that the file does not declare"
	 "\n"},
	{"yarn's resolutions name the last part", "package.json",
	 "{\"resolutions\": {\n\"a\": \"1\",\n\"x/b\": \"2\",\n\"**/@s/c\": \"3\",\n\"@s/x/**/d\": \"4\",\n"
	 "\"e@npm:^1\": \"npm:5\",\n\"@s/f@1/@t/g@2\": \"npm:mysql2@6\"}}",
	 "a 1 2:2\nb 2 3:4\n@s/c 3 4:5\nd 4 5:10\ne 5 6:2\nmysql2 6 7:23 as @t/g\n"},
	{"pnpm's overrides, and bun's catalogs", "package.json",
	 "{\"pnpm\": {\"overrides\": {\"a\": \"1\", \"b@>=2\": \"2\", \"p@1>c@>=3\": \"3\", \"d\": \"-\"}},\n"
	 "\"workspaces\": {\"packages\": [\"x\"], \"catalog\": {\"e\": \"^1\"},\n"
	 "\"catalogs\": {\"old\": {\"f\": \"npm:mysql2@1\"}}}}",
	 "a 1 1:26\nb 2 1:36\nc 3 1:54\ne ^1 2:48\nmysql2 1 3:32 as f\n"},
	{"bundled names, with the range that is declared", "package.json",
	 "{\"dependencies\": {\"a\": \"^1\", \"b\": \"npm:mysql2@3\"},\n"
	 "\"bundleDependencies\": [\"a\", \"b\", \"c\"], \"bundledDependencies\": true}",
	 "a ^1 1:20\nmysql2 3 1:40 as b\na ^1 2:25\nmysql2 3 2:30 elsewhere as b\nc - 2:35\n"},
	{"a byte order mark, escapes, nothing at all", "package.json",
	 "\xef\xbb\xbf{\"dependencies\": {\"\\u0061\": \"1\",\n\"b\": \"npm:mysql\\u0032@3\"}}",
	 "a 1 1:22 elsewhere\nmysql2 3 2:6 elsewhere as b\n"},
	{"a manifest without dependencies", "package.json", "{\"name\": \"x\"}", ""},
	{"an empty list for an empty object", "package.json", "{\"dependencies\": []}", ""},
};

static const struct row npm_locks[] = {
	{"version 3: folders, aliases, links; the root is no dependency", "package-lock.json",
	 "{\"lockfileVersion\": 3, \"packages\": {\n"
	 "\"\": {\"name\": \"self\", \"dependencies\": {\"a\": \"^1\"}},\n"
	 "\"node_modules/a\": {\"version\": \"1.2.3\",\n"
	 " \"resolved\": \"https://registry.npmjs.org/a/-/a-1.2.3.tgz\"},\n"
	 "\"node_modules/a/node_modules/@s/b\": {\"version\": \"2.0.0-rc.1\"},\n"
	 "\"node_modules/x\": {\"name\": \"mysql2\", \"version\": \"3.0.0\"},\n"
	 "\"node_modules/w\": {\"resolved\": \"packages/w\", \"link\": true},\n"
	 "\"packages/w\": {\"version\": \"0.0.1\"}}}",
	 "a 1.2.3 3:15 locked\n@s/b 2.0.0-rc.1 5:30 locked\nmysql2 3.0.0 6:29 as x locked\nw - 7:15\n"},
	{"what is fetched counts, not what the entry is called", "package-lock.json",
	 "{\"packages\": {\"node_modules/safe\": {\"version\": \"9.9.9\",\n"
	 "\"resolved\": \"https://registry.npmjs.org/mysql2/-/mysql2-3.1.0.tgz\"}}}",
	 "mysql2 3.1.0 2:41 as safe locked\n"},
	{"version 1 nests, and writes aliases as versions", "npm-shrinkwrap.json",
	 "{\"lockfileVersion\": 1, \"dependencies\": {\n"
	 "\"a\": {\"version\": \"1.0.0\", \"requires\": {\"zz\": \"^1\"},\n"
	 " \"dependencies\": {\"@s/b\": {\"version\": \"2.0.0\"}}},\n"
	 "\"x\": {\"version\": \"npm:mysql2@3.0.0\"},\n"
	 "\"g\": {\"version\": \"git+ssh://git@example.org/g.git#abc\"}}}",
	 "a 1.0.0 2:2 locked\n@s/b 2.0.0 3:20 locked\nmysql2 3.0.0 4:23 as x locked\ng - 5:2\n"},
	{"version 2 says all twice, and is read once", "package-lock.json",
	 "{\"lockfileVersion\": 2, \"packages\": {\"node_modules/a\": {\"version\": \"1.0.0\"}},\n"
	 "\"dependencies\": {\"a\": {\"version\": \"1.0.0\"}}}",
	 "a 1.0.0 1:51 locked\n"},
};

static const struct row yarn_locks[] = {
	{"yarn 1: keys of several, aliases, what is fetched", "yarn.lock",
	 "# THIS IS AN AUTOGENERATED FILE.\n# yarn lockfile v1\n\n\n"
	 "\"@s/b@^7.0.0\", \"@s/b@^7.8.3\":\n  version \"7.8.3\"\n"
	 "  resolved \"https://registry.yarnpkg.com/@s/b/-/b-7.8.3.tgz#33e2\"\n"
	 "  dependencies:\n    version \"^9\"\n    mysql \"^1\"\n\n"
	 "abbrev@1, abbrev@~1.1.1:\n  version \"1.1.1\"\n\n"
	 "\"x@npm:mysql2@^3\":\n  version \"3.0.0\"\n"
	 "  resolved \"https://registry.yarnpkg.com/mysql2/-/mysql2-3.0.0.tgz#1\"\n\n"
	 "safe@^1:\n  version \"9.9.9\"\n"
	 "  resolved \"https://registry.yarnpkg.com/@t/evil/-/evil-2.0.0.tgz#1\"\n\n"
	 "\"g@git+ssh://git@example.org/u/g.git\":\r\n  version \"1.0.0\"\r\n\n"
	 "\"https://example.org/u/repo.git\":\n  version \"1.0.0\"\n",
	 "@s/b 7.8.3 5:2 locked\nabbrev 1.1.1 12:1 locked\nmysql2 3.0.0 15:8 as x locked\n"
	 "@t/evil 2.0.0 21:42 as safe locked\ng 1.0.0 23:2 locked\n"
	 "repo 1.0.0 26:24 locked\n"},
	{"berry: one key, resolutions, workspaces, a long key", "a/yarn.lock",
	 "__metadata:\n  version: 6\n  cacheKey: 8\n\n"
	 "\"@s/b@npm:^7.0.0, @s/b@npm:^7.8.3\":\n  version: 7.8.3\n"
	 "  resolution: \"@s/b@npm:7.8.3\"\n  dependencies:\n    mysql: ^1\n"
	 "  languageName: node\n  linkType: hard\n\n"
	 "\"x@npm:mysql2@^3\":\n  version: 3.0.0\n  resolution: \"mysql2@npm:3.0.0\"\n\n"
	 "\"self@workspace:.\":\n  version: 0.0.0-use.local\n  resolution: \"self@workspace:.\"\n\n"
	 "\"f@patch:f@~2#~builtin<compat/f>\":\n  version: 2.3.2\n"
	 "  resolution: \"f@patch:f@npm%3A2.3.2#~builtin\"\n\n"
	 "? \"long@npm:1, long@npm:2\"\n:\n  version: 2.0.0\n  resolution: \"long@npm:2.0.0\"\n",
	 "@s/b 7.8.3 5:2 locked\nmysql2 3.0.0 13:8 as x locked\nf 2.3.2 21:2 locked\n"
	 "long 2.0.0 25:4 locked\n"},
	{"none", "yarn.lock", "# yarn lockfile v1\n", ""},
};

static const struct row pnpm_locks[] = {
	{"version 9: peers, repositories, archives; snapshots are the same again", "pnpm-lock.yaml",
	 "---\nlockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies:\n"
	 "      x:\n        specifier: npm:mysql2@^3\n        version: mysql2@3.0.0\n---\n"
	 "lockfileVersion: '9.0'\n\npackages:\n\n  '@s/b@7.8.3':\n"
	 "    resolution: {integrity: sha512-a==}\n    engines: {node: '>=6'}\n\n"
	 "  mysql2@3.0.0:\n    resolution: {integrity: sha512-b==}\n\n"
	 "  g@https://codeload.github.com/u/g/tar.gz/abc:\n"
	 "    resolution: {tarball: https://codeload.github.com/u/g/tar.gz/abc}\n    version: 1.2.3\n\n"
	 "  safe@9.9.9:\n    resolution: {tarball: https://registry.npmjs.org/evil/-/evil-2.0.0.tgz}\n"
	 "    deprecated: |-\n      name: none\n      tarball: none\n\n"
	 "snapshots:\n\n  '@s/b@7.8.3(mysql2@3.0.0)':\n    dependencies:\n      mysql2: 3.0.0\n",
	 "@s/b 7.8.3 15:4 locked\nmysql2 3.0.0 19:3 locked\ng 1.2.3 22:3 locked\n"
	 "evil 2.0.0 27:54 as safe locked\n"},
	{"version 6: a slash, peers; names that only members tell; a long key", "pnpm-lock.yaml",
	 "lockfileVersion: '6.0'\n\npackages:\n\n  /@s/b@7.8.3(r@1.0.0)(@t/p@2.0.0):\n"
	 "    resolution: {integrity: sha512-a==}\n    name: no\n    dev: true\n\n"
	 "  github.com/u/repo/abc:\n    resolution: {tarball: https://codeload.github.com/u/repo}\n"
	 "    name: real\n    version: 1.0.0\n\n  file:local:\n"
	 "    resolution: {directory: local, type: directory}\n    name: '@me/local'\n\n"
	 "  ? /long@1.0.0(r@1.0.0)\n  : resolution: {integrity: sha512-c==}\n    dev: true\n",
	 "@s/b 7.8.3 5:4 locked\nreal 1.0.0 12:11 locked\n"
	 "repo 1.0.0 11:27 elsewhere as real locked\n@me/local - 17:12\nlong 1.0.0 19:6 locked\n? real 11:27 'https://codeload.github.com/u/repo'" ADDRESS},
	{"version 5: slashes, peers behind a _, another registry", "pnpm-lock.yaml",
	 "lockfileVersion: 5.4\n\nspecifiers:\n  a: ^1\n\npackages:\n\n  /@s/b/7.8.3_r@1.0.0:\n"
	 "    resolution:\n      integrity: sha512-a==\n"
	 "      tarball: https://registry.npmjs.org/@s/b/-/b-7.8.3.tgz\n    dev: true\n\n"
	 "  /a/1.0.0:\n    resolution: {integrity: sha512-b==}\n\n"
	 "  registry.example.org/c/2.0.0:\n    resolution: {integrity: sha512-b==}\n\n"
	 "  github.com/u/repo/abc:\n    resolution: {tarball: https://codeload.github.com/u/repo}\n"
	 "    name: real\n    version: 1.0.0\n",
	 "@s/b 7.8.3 8:4 locked\na 1.0.0 14:4 locked\nc 2.0.0 17:24 locked\nreal 1.0.0 22:11 locked\n"
	 "repo 1.0.0 21:27 elsewhere as real locked\n"
	 "? real 21:27 'https://codeload.github.com/u/repo'" ADDRESS},
	{"none", "pnpm-lock.yaml", "lockfileVersion: '9.0'\n\npackages: {}\n", ""},
};

/* Names that other files of the tree resolve. */
static const struct beside npm_files[] = {
	{"pnpm-workspace.yaml", "catalog:\n  db: npm:mysql2@^3\n  plain: 1\ncatalogs:\n"
				"  old:\n    db: ^1\n"},
	{"package.json", "{\"workspaces\": {\"catalog\": {\"bun\": \"npm:mysql@2\"}}}"},
	{"vendor/mysql2/package.json", "{\"name\": \"mysql2\"}"},
	{"a/own/package.json", "{\"name\": \"own\"}"},
};

static const struct row npm_in_tree[] = {
	{"catalogs of the workspace", "a/b/package.json",
	 "{\"dependencies\": {\n\"db\": \"catalog:\",\n\"plain\": \"catalog:default\",\n"
	 "\"bun\": \"catalog:\",\n\"none\": \"catalog:other\"}, \"overrides\": {\n"
	 "\"db\": \"catalog:old\"}}",
	 "mysql2 ^3 2:8 elsewhere as db\nplain 1 3:2\nmysql 2 4:9 elsewhere as bun\nnone - 5:2\n"
	 "db ^1 6:2\n? none 5:10 'catalog:other' refers to a catalog that the tree does not have\n"},
	{"folders with a manifest", "a/package.json",
	 "{\"dependencies\": {\n\"db\": \"file:../vendor/mysql2\",\n\"own\": \"link:own\",\n"
	 "\"d2\": \"portal:../vendor/mysql2/\",\n\"d3\": \"../vendor/mysql2\",\n"
	 "\"d4\": \"workspace:../vendor/mysql2\",\n\"gone\": \"file:mysql2\"}}",
	 "mysql2 - 2:7 elsewhere as db\nown - 3:2\nmysql2 - 4:7 elsewhere as d2\n"
	 "mysql2 - 5:7 elsewhere as d3\nmysql2 - 6:7 elsewhere as d4\ngone - 7:2\n"
	 "mysql2 - 7:15 as gone\n? gone 7:10 'file:mysql2'" NO_FOLDER},
	{"folders in a lock", "a/yarn.lock",
	 "\"db@portal:../vendor/mysql2::locator=x\":\n  version: 0.0.0-use.local\n"
	 "  resolution: \"db@portal:../vendor/mysql2::locator=x\"\n",
	 "db 0.0.0-use.local 1:2 locked\nmysql2 0.0.0-use.local 3:19 elsewhere as db locked\n"},
};

static const struct row npm_addresses[] = {
	{"protocols in any case", "package.json",
	 "{\"dependencies\": {\n\"db\": \"NPM:mysql2@^3\",\n\"e\": \"GitHub:o/mysql2\",\n"
	 "\"f\": \" npm: mysql2@1 \"}}",
	 "mysql2 ^3 2:12 as db\ne - 3:2\nmysql2 - 3:16 as e\nmysql2 1 4:13 as f\n"
	 "? e 3:7 'GitHub:o/mysql2'" ADDRESS},
	{"addresses whose package nobody knows", "package.json",
	 "{\"dependencies\": {\n\"a\": \"sidorares/node-mysql2\",\n"
	 "\"b\": \"https://codeload.github.com/o/r/tar.gz/1\",\n"
	 "\"c\": \"https://cdn.example.com/a/b.tgz\",\n\"@acme/x\": \"https://evil.example/x.tgz\",\n"
	 "\"@acme/y\": \"github:evil/y\",\n\"g\": \"foo:bar\",\n\"h\": \"exec:./make.js\",\n"
	 "\"i\": \"x-1.0.tgz\"}}",
	 "a - 2:2\nnode-mysql2 - 2:17 as a\nb - 3:2\nr - 3:37 as b\nc - 4:2\nb - 4:33 as c\n"
	 "@acme/x - 5:2\n@acme/y - 6:2\ng foo:bar 7:2\nh - 8:2\ni - 9:2\nx - 9:7 as i\n"
	 "? a 2:7 'sidorares/node-mysql2'" ADDRESS
	 "? b 3:7 'https://codeload.github.com/o/r/tar.gz/1'" ADDRESS
	 "? c 4:7 'https://cdn.example.com/a/b.tgz'" ADDRESS
	 "? @acme/x 5:13 'https://evil.example/x.tgz'" ADDRESS
	 "? @acme/y 6:13 'github:evil/y'" ADDRESS
	 "? g 7:7 'foo:bar' begins with an unknown protocol\n"
	 "? h 8:7 'exec:./make.js' is a program that makes the package\n"
	 "? i 9:7 'x-1.0.tgz' is an archive, and ikm does not open it\n"},
	{"escapes in addresses, and hosts outside the registries", "package.json",
	 "{\"dependencies\": {\n\"a\": \"https://registry.npmjs.org/my%73ql2/-/my%73ql2-3.9.7.tgz\",\n"
	 "\"b\": \"https://registry.yarnpkg.com/@s%2fb/-/b-1.0.0.tgz\",\n"
	 "\"@acme/c\": \"https://registry.npmjs.org@evil.example/@acme/c/-/c-1.0.0.tgz\"}}",
	 "mysql2 3.9.7 2:6 elsewhere as a locked\n@s/b 1.0.0 3:6 elsewhere as b locked\n"
	 "@acme/c 1.0.0 4:2 locked\n"
	 "? @acme/c 4:13 'https://registry.npmjs.org@evil.example/@acme/c/-/c-1.0.0.tgz' is an "
	 "address outside the known registries, and may give any package\n"},
	{"a patch of an alias", "package.json",
	 "{\"dependencies\": {\"a\": \"patch:a@npm%3Amysql2@3#x\"}}",
	 "mysql2 3 1:24 elsewhere as a\n"},
	{"pnpm's extensions", "package.json",
	 "{\"pnpm\": {\"packageExtensions\": {\"x@1\": {\"dependencies\": {\"mysql2\": \"3\"},\n"
	 "\"peerDependencies\": {\"y\": \"*\"}}}, \"configDependencies\": {\"z\": \"1.0.0+sha512-x\"}}}",
	 "mysql2 3 1:59\ny * 2:23\nz 1.0.0 2:59 locked\n"},
	{"pnpm-workspace.yaml", "pnpm-workspace.yaml",
	 "packages:\n  - 'a/*'\ncatalog:\n  db: npm:mysql2@^3\n  react: 18\ncatalogs:\n  old:\n"
	 "    \"@s/x\": ^1.0\noverrides:\n  a>b: npm:mysql@2\n  c: 'catalog:'\n  d: '-'\n"
	 "packageExtensions:\n  e:\n    dependencies: {f: '1'}\n",
	 "mysql2 ^3 4:11 as db\nreact 18 5:3\n@s/x ^1.0 8:6\nmysql 2 10:12 as b\nc - 11:3\nf 1 15:20\n"
	 "? c 11:7 'catalog:' refers to a catalog that the tree does not have\n"},
	{"an empty pnpm-workspace.yaml", "a/pnpm-workspace.yaml", "# nothing\n", ""},
};

static const struct row npm_more_locks[] = {
	{"a scope that the registry writes without its @", "package-lock.json",
	 "{\"packages\": {\n\"node_modules/@d/core\": {\"version\": \"2.0.14\",\n"
	 "\"resolved\": \"https://r.example/npm/repo/d/core/-/core-2.0.14.tgz\"},\n"
	 "\"node_modules/@d/core-4\": {\"version\": \"2.0.14\",\n"
	 "\"resolved\": \"https://r.example/npm/d/core-4/-/@d/core-4-2.0.14.tgz\"},\n"
	 "\"node_modules/@d/mysql2\": {\"version\": \"3.0.0\",\n"
	 "\"resolved\": \"https://registry.npmjs.org/mysql2/-/mysql2-3.0.0.tgz\"}}}",
	 "@d/core 2.0.14 2:15 locked\n@d/core-4 2.0.14 4:15 locked\n"
	 "mysql2 3.0.0 7:41 as @d/mysql2 locked\n"},
	{"repositories and archives that are fetched", "package-lock.json",
	 "{\"packages\": {\n\"node_modules/db\": {\"version\": \"3.0.0\",\n"
	 "\"resolved\": \"git+ssh://git@github.com/o/mysql2.git#1\"},\n"
	 "\"node_modules/same\": {\"version\": \"1.0.0\",\n"
	 "\"resolved\": \"git+https://github.com/o/same.git#1\"},\n"
	 "\"node_modules/x\": {\"version\": \"1.0.0\",\n"
	 "\"resolved\": \"https://npm.pkg.github.com/download/x/1.0.0/0a1b\"}}}",
	 "db 3.0.0 2:15 locked\nmysql2 3.0.0 3:13 elsewhere as db locked\nsame 1.0.0 4:15 locked\n"
	 "x 1.0.0 6:15 locked\n? db 3:14 'git+ssh://git@github.com/o/mysql2.git#1'" ADDRESS},
	{"both forms of version 2", "package-lock.json",
	 "{\"lockfileVersion\": 2, \"packages\": {\n\"node_modules/a\": {\"version\": \"1.0.0\"}},\n"
	 "\"dependencies\": {\n\"a\": {\"version\": \"1.0.0\", \"dependencies\": {\n"
	 "\"mysql2\": {\"version\": \"3.0.0\"}}},\n\"b\": {\"version\": \"github:o/mysql#1\"}}}",
	 "a 1.0.0 2:15 locked\nmysql2 3.0.0 5:2 locked\nb - 6:2\nmysql - 6:18 elsewhere as b\n"
	 "? b 6:19 'github:o/mysql#1'" ADDRESS},
	{"links to folders of other names", "package-lock.json",
	 "{\"packages\": {\n\"vendor/my\": {\"name\": \"mysql2\"},\n\"node_modules/db\": {"
	 "\"resolved\": \"vendor/my\", \"link\": true}}}",
	 "db - 3:15\nmysql2 - 2:24 as db\n"},
	{"an archive of the project", "package-lock.json",
	 "{\"packages\": {\n\"node_modules/db\": {\"version\": \"3.0.0\",\n"
	 "\"resolved\": \"file:vendor/mysql2-3.0.0.tgz\"}}}",
	 "db 3.0.0 2:15 locked\nmysql2 3.0.0 3:13 elsewhere as db locked\n"
	 "? db 3:14 'file:vendor/mysql2-3.0.0.tgz' is an archive, and ikm does not open it\n"},
	{"keys of members in quotes", "yarn.lock",
	 "# yarn lockfile v1\n\n\"x@^1\":\n  \"version\" \"1.6.2\"\n"
	 "  \"resolved\" \"https://registry.yarnpkg.com/mysql2/-/mysql2-3.0.0.tgz#0\"\n",
	 "mysql2 3.0.0 5:44 as x locked\n"},
	{"and berry's", "yarn.lock",
	 "\"x@npm:^1\":\n  \"version\": 3.0.0\n  \"resolution\": \"mysql2@npm:3.0.0\"\n",
	 "mysql2 3.0.0 3:18 as x locked\n"},
	{"a workspace of any name", "yarn.lock",
	 "\"{{ name }}@workspace:.\":\n  version: 0.0.0-use.local\n"
	 "  resolution: \"{{ name }}@workspace:.\"\n\n\"a@npm:1\":\n  version: 1.0.0\n"
	 "  resolution: \"a@npm:1.0.0\"\n\n\"b@workspace:x\":\n  version: 3.0.0\n"
	 "  resolution: \"mysql2@npm:3.0.0\"\n",
	 "a 1.0.0 5:2 locked\nmysql2 3.0.0 11:16 as b locked\n"},
	{"a repository in a berry lock", "yarn.lock",
	 "\"db@o/mysql2\":\n  version: 3.0.0\n"
	 "  resolution: \"db@https://github.com/o/mysql2.git#commit=0\"\n",
	 "db 3.0.0 1:2 locked\nmysql2 3.0.0 3:19 elsewhere as db locked\n"
	 "? db 3:19 'https://github.com/o/mysql2.git#commit=0'" ADDRESS},
};

/* Maps with more members than a reader searches one by one; every name is looked up in another
 * map. */
static void large_maps(struct arena *a)
{
	struct buf package = buf_in(a), lock = buf_in(a);
	struct deps d;
	size_t real = 0;

	buf_puts(&package, "{\"dependencies\": {\"x\": \"1\"");
	for (int i = 99; i >= 0; i--)
		buf_fmt(&package, ", \"p%d\": \"catalog:\"", i);
	buf_puts(&package, "}, \"catalog\": {\"x\": \"1\"");
	for (int i = 0; i < 100; i += 2)
		buf_fmt(&package, ", \"p%d\": \"npm:real%d@1\"", i, i);
	buf_puts(&package, "}}");
	works(deps_read(a, STR("package.json"), buf_as_str(&package), NULL, &d), "a large catalog");
	for (size_t i = 0; i < d.n; i++)
		real += str_starts(d.p[i].name, STR("real"));
	ok(real == 100 && d.unresolved.n == 50, "in the catalog and by each name, or told");
	buf_puts(&lock, "{\"lockfileVersion\": 3, \"packages\": {\"\": {}");
	for (int i = 0; i < 50; i++)
		buf_fmt(&lock,
			", \"node_modules/p%d\": {\"link\": true, \"resolved\": \"d/p%d\"}, "
			"\"d/p%d\": {\"name\": \"real%d\"}",
			i, i, i, i);
	buf_puts(&lock, "}}");
	works(deps_read(a, STR("package-lock.json"), buf_as_str(&lock), NULL, &d),
	      "a large lockfile");
	real = 0;
	for (size_t i = 0; i < d.n; i++)
		real += str_starts(d.p[i].name, STR("real"));
	ok(real == 50, "each link leads to its package");
}

int main(void)
{
	struct arena *a = arena_new();
	struct besides files = {npm_files, ARRAY_SIZE(npm_files)};

	reads(a, npm, ARRAY_SIZE(npm));
	reads(a, npm_addresses, ARRAY_SIZE(npm_addresses));
	reads_in(a, &files, npm_in_tree, ARRAY_SIZE(npm_in_tree));
	reads(a, npm_locks, ARRAY_SIZE(npm_locks));
	reads(a, yarn_locks, ARRAY_SIZE(yarn_locks));
	reads(a, pnpm_locks, ARRAY_SIZE(pnpm_locks));
	reads(a, npm_more_locks, ARRAY_SIZE(npm_more_locks));
	large_maps(a);
	arena_free(a);
	return tap_done();
}
