/* The results of each format's reader: name, version, line:column, and the text that replaced
 * it. */
#include "deps.h"

/* clang-format off */
static const struct row requirements[] = {
	{"names, extras, versions, markers", "requirements.txt",
	 "flask\nDjango>=4.2,<5 # why\n  zope.interface[a, b] ~= 5.0 ; python_version < '3'\n"
	 "a==1.0; sys_platform == 'win32'\nb (>=1.0)\nc>=1,\nd ===any-thing\n",
	 "flask - 1:1\nDjango >=4.2,<5 2:1\nzope.interface ~= 5.0 3:3\na ==1.0 4:1\nb >=1.0 5:1\n"
	 "c >=1, 6:1\nd ===any-thing 7:1\n"},
	{"comments, options and nothing", "requirements/dev.txt",
	 "# flask\n\n   \t\n-r base.txt\n-c c.txt\n--index-url https://example.org/simple\n"
	 "--no-binary mysql\n-i x\n",
	 ""},
	{"included files that are no manifests by their names", "a/requirements.txt",
	 "-r base.in\n-rdev.txt # why\n--requirement=../requirements-dev.txt\n"
	 "--requirem 'b.in'\n-c https://example.org/constraints.txt\n--require-hashes\n"
	 "-c constraints.txt\n",
	 "? base.in 1:4" UNNAMED "? dev.txt 2:3" UNNAMED "? b.in 4:13" UNNAMED
	 "? https://example.org/constraints.txt 5:4 the included file lies on the network\n"},
	{"hashes on continued lines", "requirements-dev.txt",
	 "a==1.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\nb==2.0 --hash=sha256:22\\\r\n\r\nc\\",
	 "a ==1.0 1:1\nb ==2.0 4:1\nc - 6:1\n"},
	{"the fragment is no comment", "constraints.txt",
	 "git+https://example.org/o/r.git@v1#egg=PyMySQL[x]&subdirectory=y\n"
	 "-e git+ssh://git@example.org/o/r#egg=one\n--editable=git+https://example.org/r#egg=two\n"
	 "--edit 'hg+http://example.org/r#subdirectory=z&egg=three'\n-egit+file:///r#egg=four\n",
	 "PyMySQL - 1:40\none - 2:38\ntwo - 3:42\nthree - 4:52\nfour - 5:21\n"},
	{"addresses without a name", "requirements.txt",
	 "https://example.org/d/PyMySQL-1.1.0-py3-none-any.whl\n./dist/foo-2.0.tar.gz\nbar-3.0.zip\n"
	 "-e .\n./lib[dev]\n-e ../other\nfile:///srv/baz-1.0.tar.gz\n"
	 "git+https://example.org/o/PyMySQL.git@main\n",
	 "PyMySQL 1.1.0 1:23 locked\nfoo 2.0 2:8 locked\nbar 3.0 3:1 locked\nbaz 1.0 7:13 locked\n"
	 "PyMySQL - 8:27\n? ./lib[dev] 5:1 a folder without a pyproject.toml that names its package\n"
	 "? ../other 6:4 a folder outside the tree\n"
	 "? git+https://example.org/o/PyMySQL.git@main 8:1 an address that does not "
	 "name its package\n"},
	{"name @ url", "requirements.txt",
	 "a @ https://example.org/a-1.2.tar.gz ; python_version > '3'\n"
	 "b[x]@git+https://example.org/r.git\nC_d @ file:///w/c.d-3.1-py3-none-any.whl\n"
	 "-e e @ git+https://example.org/e\n",
	 "a 1.2 1:1 locked\nb - 2:1\nC_d 3.1 3:1 locked\ne - 4:4\n"},
	{"environment variables", "requirements.txt",
	 "a @ https://${TOKEN}@example.org/a.git\nb==${VERSION}\n${NAME}==1.0\nc-${X}>=1\n"
	 "--index-url https://${U}:${P}@example.org\n",
	 "a - 1:1\nb - 2:1\n? ${NAME} 3:1" VARIABLE "? ${X} 4:3" VARIABLE},
	{"a byte order mark, CRLF, and other ends of lines", "requirements.txt",
	 "\xef\xbb\xbf" "a\r\nb==1\r\n# x\rc\n# y\x0c" "d\n# z\xe2\x80\xa8" "e\n",
	 "a - 1:4\nb ==1 2:1\nc - 3:5\nd - 4:5\ne - 5:7\n"},
	{"a comment does not continue, a line with one does", "requirements.txt",
	 "# x \\\na\nb # y \\\nc\nd\n", "a - 2:1\nb - 3:1\nd - 5:1\n"},
	{"options before others on a line", "requirements.txt",
	 "--pre -e git+https://x/y#egg=mysqlclient\n-i https://pypi.org/simple -r deps.lst\n"
	 "--no-index -c c.lst\n--trusted-host x --requirement f --constraint=g\n"
	 "--pre -r requirements-dev.txt\n--find-links='a b' -e git+https://x/z'#egg='\"quo\"ted\n"
	 "--no-binary=:all: ignored -rh\n",
	 "mysqlclient - 1:30\nquoted - 6:23 elsewhere\n? deps.lst 2:31" UNNAMED "? c.lst 3:15" UNNAMED
	 "? f 4:32" UNNAMED "? g 4:47" UNNAMED "? h 7:29" UNNAMED},
	{"options that are not known, and where options end", "requirements.txt",
	 "--future -r a.lst\n--pre -- -r b.lst\n--con x\n",
	 "? --future 1:1 ikm does not know this option of pip\n? a.lst 1:13" UNNAMED
	 "? --con 3:1 ikm does not know this option of pip\n"},
	{"lines that are joined have nothing between them", "requirements.txt",
	 "my\\\nsql\\\r\nclient==1\n--pre -\\\ne git+https://x/y#egg=b\na\\\\\n\\b\\\n# c\nd\n",
	 "mysqlclient ==1 1:1 elsewhere\nb - 5:23\nab - 6:1 elsewhere\nd - 9:1\n"},
	{"variables in options", "requirements.txt",
	 "-r ${X}.txt\n-e ${URL}\n--pre ${OPTIONS}\n-e git+https://x/r#egg=${Y}\n",
	 "? ${X}.txt 1:4 a variable of the environment is part of the file's name\n"
	 "? ${URL} 2:4 it contains a variable of the environment\n"
	 "? ${OPTIONS} 3:7 a variable of the environment\n? ${Y} 4:24" VARIABLE},
	{"-e with a name in front", "requirements.txt", "-e e @ git+https://example.org/e\n",
	 "e - 1:4\n"},
	{"a byte that ends a line in latin-1", "requirements.txt",
	 "# -*- coding: ISO_8859-1 -*-\n# x\x85" "a\n# \xc2\x85" "b\n", "a - 2:5\nb - 3:5\n"},
	{"and none in another encoding", "requirements.txt",
	 "#\n# coding=cp1252\n# x\x85" "a\nb\n", "b - 4:1\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row pypi_locks[] = {
	{"poetry", "poetry.lock",
	 "[[package]]\nname = \"Flask\"\nversion = \"2.0.1\"\nfiles = [{file = \"x.whl\", hash = \"h\"}]\n"
	 "[package.dependencies]\nwerkzeug = \">=2\"\n\n[[package]]\nname = \"mine\"\nversion = \"0\"\n"
	 "[package.source]\ntype = \"directory\"\nurl = \"mine\"\n\n[[package]]\nname = \"g\"\n"
	 "version = \"1.0\"\n[package.source]\ntype = \"git\"\nurl = \"https://example.org/g\"\n"
	 "[metadata]\nlock-version = \"2.0\"\n",
	 "Flask 2.0.1 2:9 locked\nmine 0 9:9 locked\ng 1.0 16:9 locked\n"},
	{"uv: the project itself, an archive, another package's wheel", "uv.lock",
	 "version = 1\n[[package]]\nname = \"self\"\nversion = \"0\"\nsource = { virtual = \".\" }\n"
	 "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = { path = \"a-1.tar.gz\" }\n"
	 "[[package]]\nname = \"safe\"\nversion = \"9\"\nsource = { registry = \"https://pypi.org/simple\" }\n"
	 "sdist = { url = \"https://files.example.org/x/safe-9.tar.gz\" }\n"
	 "wheels = [{ url = \"https://files.example.org/x/mysqlclient-2.0-py3-none-any.whl\" }]\n",
	 "a 1 7:9 locked\nmysqlclient 2.0 15:48 as safe locked\n"},
	{"PEP 751", "pylock.dev.toml",
	 "lock-version = \"1.0\"\n[[packages]]\nname = \"a\"\nversion = \"1.0\"\n"
	 "[[packages]]\nname = \"b\"\n[packages.directory]\npath = \"b\"\n"
	 "[[packages]]\nname = \"c\"\n[packages.vcs]\nurl = \"https://example.org/c\"\n",
	 "a 1.0 3:9 locked\nb - 6:9\nc - 10:9\n"},
	{"pdm", "pdm.lock", "[[package]]\nname = \"a\"\nversion = \"1.0\"\n"
	 "[[package]]\nname = \"b\"\nversion = \"0\"\npath = \"./b\"\n", "a 1.0 2:9 locked\nb 0 5:9 locked\n"},
	{"the project itself in each form", "pylock.toml",
	 "[[packages]]\nname = \"a\"\n[packages.directory]\npath = \".\"\n"
	 "[[package]]\nname = \"b\"\nsource = { editable = \".\" }\n"
	 "[[package]]\nname = \"c\"\nsource = { editable = \"vendor/c\" }\n"
	 "[[package]]\nname = \"d\"\npath = \".\"\n",
	 "c - 9:9\n"},
	/* The same in Poetry's, PDM's and PEP 751's words. */
	{"Poetry: a repository of another name", "poetry.lock",
	 "[[package]]\nname = \"openai-whisper\"\nversion = \"1\"\n[package.source]\ntype = \"git\"\n"
	 "url = \"https://github.com/openai/whisper.git\"\nreference = \"main\"\n",
	 "openai-whisper 1 2:9 locked\n"},
	{"PDM: a repository of another name", "pdm.lock",
	 "[[package]]\nname = \"openai-whisper\"\nversion = \"1\"\n"
	 "git = \"https://github.com/openai/whisper.git\"\nrevision = \"a\"\n",
	 "openai-whisper 1 2:9 locked\n"},
	{"PEP 751: a repository of another name", "pylock.toml",
	 "[[packages]]\nname = \"openai-whisper\"\n[packages.vcs]\ntype = \"git\"\n"
	 "url = \"https://github.com/openai/whisper.git\"\n",
	 "openai-whisper - 2:9\n"},
	{"uv: a repository of another name, which has to hold the package", "uv.lock",
	 "[[package]]\nname = \"safe\"\nversion = \"1\"\n"
	 "source = { git = \"https://example.org/o/mysqlclient?rev=1#0\" }\n"
	 "[[package]]\nname = \"py-x\"\nsource = { git = \"https://example.org/o/Py_X.git\" }\n",
	 "safe 1 2:9 locked\npy-x - 6:9\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row gem_locks[] = {
	{"Bundler: sources, folders, platforms", "a/Gemfile.lock",
	 "GIT\n  remote: https://example.org/y.git\n  revision: abc\n  specs:\n    y (1.0.0)\n"
	 "      mysql2 (>= 0)\n\nPATH\n  remote: .\n  specs:\n    mine (0.1.0)\n\n"
	 "GEM\n  remote: https://rubygems.org/\n  specs:\n    mysql2 (0.5.3)\n"
	 "    nokogiri (1.13.3-x86_64-linux)\n      racc (~> 1.4)\n\nPLATFORMS\n  ruby\n\n"
	 "DEPENDENCIES\n  mine!\n  mysql2 (~> 0.5)\n\nBUNDLED WITH\n   2.2.3\n",
	 "y 1.0.0 5:5 transitive locked\nmysql2 0.5.3 16:5 locked\nnokogiri 1.13.3 17:5 transitive locked\n"},
	{"Bundler: what the project's own gem asks for is direct", "Gemfile.lock",
	 "PATH\n  remote: .\n  specs:\n    mine (0.1.0)\n      a (>= 1)\n\nGEM\n  specs:\n    a (1.0)\n      b\n    b (2.0)\n\nDEPENDENCIES\n  mine!\n",
	 "a 1.0 9:5 locked\nb 2.0 11:5 transitive locked\n"},
	{"Bundler: gems of folders, but the project itself", "gems.locked",
	 "PATH\n  remote: vendor/mysql2\n  specs:\n    mysql2 (0.5.3)\n\nPATH\n  remote: .\n"
	 "  glob: x\n  specs:\n    self (1)\n",
	 "mysql2 0.5.3 4:5 locked\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row pyproject[] = {
	{"PEP 621, 518 and 735", "pyproject.toml",
	 "[build-system]\nrequires = [\"maturin>=1,<2\"]\n[project]\nname = \"self\"\n"
	 "dependencies = [\n  \"Flask[async] >=2 ; python_version>'3'\",\n  'a @ https://x.org/a.zip',\n]\n"
	 "[project.optional-dependencies]\nx = [\"b~=1.0\"]\n\"y z\" = [\"c\"]\n"
	 "[dependency-groups]\ntest = [\"d\", {include-group = \"docs\"}]\ndocs = []\n",
	 "maturin >=1,<2 2:14\nFlask >=2 6:4\na - 7:4\nb ~=1.0 10:7\nc - 11:11\nd - 13:10\n"},
	{"poetry: strings, tables, lists; Python is a runtime", "pyproject.toml",
	 "[tool.poetry.dependencies]\npython = \"^3.8\"\na = \"^1.2\"\n"
	 "b = {version = \"~2\", extras = [\"x\"]}\nc = [{version = \"1\"}, {version = \"2\"}]\n"
	 "d.git = \"https://example.org/d.git\"\n[tool.poetry.dev-dependencies]\ne = \"*\"\n"
	 "[tool.poetry.group.docs.dependencies]\n\"f\" = \">=1,<2\"\n",
	 "python ^3.8 2:1 runtime\na ^1.2 3:1\nb ~2 4:1\nc 1 5:1\nc 2 5:1\nd - 6:1\ne * 8:1\nf >=1,<2 10:2\n"},
	{"uv, pdm, hatch, rye, flit", "pyproject.toml",
	 "[tool.uv]\ndev-dependencies = [\"a\"]\noverride-dependencies = [\"b==1\"]\n"
	 "[tool.uv.sources]\na = { git = \"https://example.org/a\" }\n"
	 "[tool.pdm.dev-dependencies]\nt = [\"c\", \"-e git+https://example.org/x#egg=d\"]\n"
	 "[tool.hatch.envs.default]\ndependencies = [\"e\"]\nextra-dependencies = [\"f\"]\n"
	 "[tool.rye]\ndev-dependencies = [\"g\"]\n[tool.flit.metadata]\nrequires = [\"h\"]\n",
	 "a - 2:22\nb ==1 3:27\nc - 7:7\nd - 7:45\ng - 12:22\nh - 14:14\ne - 9:18\nf - 10:24\n"},
	{"dynamic fields are unresolved, unless files that are read have them", "pyproject.toml",
	 "[project]\ndynamic = [\"version\", \"dependencies\",\n \"optional-dependencies\"]\n"
	 "[tool.setuptools.dynamic]\ndependencies = {file = [\"requirements.txt\"]}\n",
	 "? optional-dependencies 3:3 a program decides these when the project is built\n"},
	/* tox.wiki/en/stable/config.html: pyproject.toml, native and legacy */
	{"pyproject.toml: tox", "pyproject.toml",
	 "[tool.tox]\nrequires = [\"tox>=4\"]\nlegacy_tox_ini = \"[testenv]\\ndeps = x\"\n[tool.tox.env_run_base]\ndeps = [\"a>1\", \"-r requirements.txt\"]\n"
	 "[tool.tox.env.t]\ndeps = [{replace = \"ref\", of = [\"env_run_base\", \"deps\"]}, {replace = \"posargs\"}, \"b\"]\n",
	 "tox >=4 2:14\na >1 5:10\nb - 7:83\n? legacy_tox_ini 3:18 ikm does not read tox.ini\n? tool.tox 7:59 tox computes it\n"},
	{"hooks of hatch, build dependencies of uv, pixi", "pyproject.toml",
	 "[tool.hatch.build.hooks.x]\ndependencies = [\"a\"]\n"
	 "[tool.hatch.build.targets.wheel.hooks.y]\ndependencies = [\"b\"]\n"
	 "[tool.hatch.envs.t.overrides.matrix.db]\n"
	 "dependencies = [{value = \"c>=1\", if = [\"my\"]}, \"d\"]\n"
	 "[tool.uv.extra-build-dependencies]\nx = [\"e\", {requirement = \"f\", match-runtime = true}]\n"
	 "[[tool.uv.dependency-metadata]]\nname = \"x\"\nrequires-dist = [\"g\"]\n"
	 "[tool.pixi.dependencies]\npython = \"3.12\"\nh = \">=1\"\n"
	 "[tool.pixi.feature.t.pypi-dependencies]\ni = {version = \"*\"}\n"
	 "[tool.pixi.feature.t.target.linux.dependencies]\nj = \"*\"\n",
	 "e - 8:7\nf - 8:27\ng - 11:19\na - 2:18\nb - 4:18\nc >=1 6:27\nd - 6:49\n"
	 "python 3.12 13:1\nh >=1 14:1\ni - 16:1\nj - 18:1\n"},
	{"dynamic fields of hatch and poetry", "pyproject.toml",
	 "[project]\ndynamic = [\"dependencies\", \"optional-dependencies\"]\n"
	 "[tool.hatch.metadata.hooks.requirements_txt]\nfiles = [\"requirements.txt\", \"deps.lst\"]\n"
	 "[tool.poetry.dependencies]\na = \"1\"\n",
	 "a 1 6:1\n? deps.lst 4:31 the included file is not named like a requirements file\n"},
	{"long and escaped strings", "pyproject.toml",
	 "project.dependencies = [\"\"\"\na>=1\"\"\", \"\\u0062\"]\n", "a >=1 2:1\nb - 2:10 elsewhere\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row go[] = {
	{"require in both forms, and what names none", "go.mod",
	 "// c\nmodule example.org/self // x\n\ngo 1.22\ntoolchain go1.22.1\n"
	 "require example.org/a v1.0.0\nrequire (\n\texample.org/b/v2 v2.1.0 // indirect\n\n"
	 "\t\"example.org/c\" v0.0.0-20240101000000-abcdefabcdef\n)\nexclude example.org/d v1.0.0\n"
	 "retract [v1.0.0, v1.1.0]\nretract (\n v1.2.0 // bad\n)\ngodebug default=go1.21\nrequire ()\n",
	 "go 1.22 4:1 runtime\ntoolchain 1.22.1 5:1 runtime\n"
	 "example.org/a v1.0.0 6:9 locked\nexample.org/b/v2 v2.1.0 8:2 transitive locked\n"
	 "example.org/c v0.0.0-20240101000000-abcdefabcdef 10:3 locked\n"},
	{"replace: what stands there is what is used", "x/go.mod",
	 "module m\nrequire (\n example.org/a v1.0.0\n example.org/b v1.0.0\n example.org/c v1.0.0\n)\n"
	 "replace example.org/a => example.org/fork v1.0.1\nreplace (\n"
	 " example.org/b v1.0.0 => ./local\n example.org/c v0.9.0 => example.org/old v1.0.0\n"
	 " example.org/z => ../z\n)\n",
	 "example.org/b - 4:2\nexample.org/c v1.0.0 5:2 locked\n"
	 "example.org/fork v1.0.1 7:26 as example.org/a locked\n"
	 "example.org/old v1.0.0 10:26 as example.org/c locked\nexample.org/z - 11:2\n"},
	{"a tool belongs to a module that is required", "go.mod",
	 "module m\nrequire example.org/t v1.0.0\ntool example.org/t/cmd/x\ntool (\n"
	 "\tm/internal/y\n\texample.org/other/cmd/z\n)\n",
	 "example.org/t v1.0.0 2:9 locked\nexample.org/other/cmd/z - 6:2\n"},
	{"CRLF, and a directive of a later Go", "go.mod",
	 "module m\r\nrequire example.org/a v1.0.0\r\nfuture example.org/x v1\r\n",
	 "example.org/a v1.0.0 2:9 locked\n? future 3:1 ikm does not know this directive\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row cargo[] = {
	{"every table", "Cargo.toml",
	 "[package]\nname = \"self\"\n[dependencies]\na = \"1\"\nb = { version = \"0.2\", optional = true }\n"
	 "c.path = \"../c\"\n[dependencies.d]\ngit = \"https://example.org/d\"\n"
	 "[dev-dependencies]\ne = \"=1.0\"\n[build_dependencies]\nf = \"*\"\n"
	 "[target.'cfg(unix)'.dependencies]\ng = \"~1\"\n[target.x86.dev-dependencies]\nh = \"1\"\n"
	 "[workspace.dependencies]\ni = \"1\"\n",
	 "a 1 4:1\nb 0.2 5:1\nc - 6:1\nd - 7:15\ne =1.0 10:1\nf * 12:1\ng ~1 14:1\nh 1 16:1\n"
	 "i 1 18:1\n"},
	{"renames, here and inherited", "Cargo.toml",
	 "[workspace.dependencies]\ndb = { package = \"mysql\", version = \"24\" }\n[dependencies]\n"
	 "x = { package = \"mysql_async\", version = \"0.3\" }\ndb.workspace = true\n"
	 "y = { workspace = true }\n",
	 "mysql_async 0.3 4:18 as x\nmysql 24 5:1 elsewhere as db\ny - 6:1\nmysql 24 2:19 as db\n"},
	{"patch and replace", "Cargo.toml",
	 "[patch.crates-io]\na = { git = \"https://example.org/a\" }\nb = { package = \"mysql\", path = \"b\" }\n"
	 "[patch.\"https://example.org/r\"]\nc = \"1\"\n[replace]\n\"d:0.1.0\" = { path = \"d\" }\n"
	 "\"https://example.org/i#e@2.0.0\" = { path = \"e\" }\n",
	 "a - 2:1\nmysql - 3:18 as b\nc 1 5:1\nd 0.1.0 7:2 locked\ne 2.0.0 8:24 locked\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row cargo_locks[] = {
	{"packages; our own folders only when something needs them", "Cargo.lock",
	 "version = 4\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n"
	 "[[package]]\nname = \"self\"\nversion = \"0.1.0\"\ndependencies = [\n \"a\",\n \"sub 0.1.0\",\n]\n"
	 "[[package]]\nname = \"sub\"\nversion = \"0.1.0\"\n",
	 "a 1.0.0 3:9 locked\nsub 0.1.0 14:9 locked\n"},
	{"the oldest form", "Cargo.lock",
	 "[root]\nname = \"self\"\nversion = \"0.1.0\"\ndependencies = [\"p 1.0.0\"]\n[[package]]\n"
	 "name = \"p\"\nversion = \"1.0.0\"\n[metadata]\n\"checksum p\" = \"0\"\n",
	 "p 1.0.0 6:9 locked\n"},
	{"an empty one", "Cargo.lock", "version = 3\n", ""},
};
/* clang-format on */

/* clang-format off */
static const struct row wrong[] = {
	{"a conflict in yarn.lock", "yarn.lock",
	 "a@1:\n  version \"1.0.0\"\n<<<<<<< HEAD\nb@1:\n", "line 3, column 1: an unresolved merge conflict"},
	{"a line that yarn does not write", "yarn.lock", "a@1\n", "line 1, column 1: 'a@1' is not as"},
	{"a key without a name", "yarn.lock", "\"@1\":\n  version \"1\"\n", "'@1' names no package"},
	{"a member outside an entry", "yarn.lock", "  version \"1\"\n", "a member outside an entry"},
	{"members behind four blanks", "yarn.lock", "a@1:\n    resolution: \"b@npm:1\"\n",
	 "line 2, column 1: a member must stand behind two blanks"},
	{"a text that hides a resolution", "yarn.lock",
	 "\"a@npm:1\":\n  version: \"1\n  resolution: a@npm:1\"\n  resolution: \"b@npm:1\"\n",
	 "line 4, column 3: 'resolution:' appears twice"},
	{"a package without a name", "uv.lock", "[[package]]\nversion = \"1\"\n", "a package has no name"},
	{"packages that are none", "poetry.lock", "package = [1]\n", "an item of package"},
	{"a gem without a version", "Gemfile.lock", "GEM\n  specs:\n    a\n", "'a' is no gem"},
	{"a gem too far in", "Gemfile.lock", "GEM\n  specs:\n     a (1)\n", "must stand behind four blanks"},
	{"a conflict in Gemfile.lock", "Gemfile.lock", "GEM\n<<<<<<< HEAD\n", "line 2, column 1"},
	{"a tab", "pnpm-lock.yaml", "packages:\n\t/a/1.0.0:\n", "line 2, column 1: a tab"},
	{"packages as pnpm does not write them", "pnpm-lock.yaml", "packages: {a@1.0.0: {}}\n",
	 "a package on a line"},
	{"a quoted key at the top", "pnpm-lock.yaml", "'packages':\n  a@1:\n", "is not as pnpm"},
	{"a key with an escape", "pnpm-lock.yaml", "packages:\n  \"\\x61@1.0.0\":\n    dev: true\n",
	 "is no key as pnpm writes it"},
	{"an entry that names none", "pnpm-lock.yaml",
	 "lockfileVersion: '9.0'\npackages:\n  a:\n    dev: true\n", "names no package"},
	{"a merge key", "pnpm-lock.yaml", "packages:\n  <<: *x\n", "names no package"},
	{"two resolutions", "pnpm-lock.yaml",
	 "packages:\n  a@1.0.0:\n    deprecated: \"x\n    resolution: {}\"\n    resolution: {}\n",
	 "appears twice"},
	{"members behind six blanks", "pnpm-lock.yaml", "packages:\n  a@1.0.0:\n      name: b\n",
	 "behind four blanks"},
	{"JSON that is cut", "w/package.json", "{\"dependencies\": {\n\"a\": ", "'w/package.json': line 2"},
	{"an empty file", "package.json", "", "line 1, column 1"},
	{"a list at the top", "package.json", "[]", "line 1, column 1: the file holds a list"},
	{"a list of dependencies", "package.json", "{\n \"dependencies\": [\"a\"]}",
	 "line 2, column 18: dependencies is a list, and must be an object"},
	{"a number as a range", "package.json", "{\"devDependencies\": {\"a\": 1}}",
	 "column 27: devDependencies.a is a number, and must be a string"},
	{"overrides of another type", "package.json", "{\"overrides\": {\"a\": [1]}}",
	 "overrides.a is a list"},
	{"bundled names that are none", "package.json", "{\"bundleDependencies\": [1]}",
	 "an item of bundleDependencies is a number"},
	{"a package that is no object", "package-lock.json",
	 "{\"packages\": {\"node_modules/a\": \"1.0\"}}", "packages.node_modules/a is a string"},
	{"a version that is none", "package-lock.json",
	 "{\"dependencies\": {\"a\": {\"version\": 1}}}", "the version of a is a number"},
	{"one equal sign", "requirements.txt", "ok\nflask =1.0\n", "line 2, column 7: 'flask =1.0'"},
	{"two names", "requirements.txt", "flask django\n", "line 1, column 7"},
	{"a name that begins wrongly", "requirements.txt", "*x\n", "must begin with a package name"},
	{"extras without an end", "requirements.txt", "a[b\n", "the [extras] have no end"},
	{"no URL", "requirements.txt", "a @\n", "a URL must follow the @"},
	{"a version without an operator", "requirements.txt", "a >=1, 2\n", "is not a requirement"},
	{"TOML that is broken", "pyproject.toml", "[project]\nx = \n", "'pyproject.toml': line 2"},
	{"a string of dependencies", "pyproject.toml", "[project]\ndependencies = \"a\"\n",
	 "line 2, column 16: project.dependencies is a string, and must be a list"},
	{"a wrong item", "pyproject.toml", "project.dependencies = [\"a\", 1]\n",
	 "an item of project.dependencies is a number"},
	{"a wrong requirement", "pyproject.toml", "project.dependencies = [\n\"a\", \"b c\"]\n",
	 "line 2, column 9: 'b c' is not a requirement"},
	{"a wrong group", "pyproject.toml", "dependency-groups.x = [{y = 1}]\n", "include-group"},
	{"a wrong table on the way", "pyproject.toml", "tool.poetry.group = 1\n",
	 "tool.poetry.group is a number"},
	{"a wrong poetry entry", "pyproject.toml", "tool.poetry.dependencies.a = 1\n",
	 "tool.poetry.dependencies.a is a number"},
	{"require without a version", "go.mod", "module m\nrequire example.org/a\n",
	 "line 2, column 9: the form is: require PATH VERSION"},
	{"a block without an end", "go.mod", "require (\n a v1\n", "no closing parenthesis"},
	{"a block on one line", "go.mod", "require ( a v1 )\n", "a line end must follow"},
	{"replace without a version", "go.mod", "replace a => b\n", "replace PATH [VERSION] =>"},
	{"a quote without an end", "go.mod", "require \"a v1\n", "line 1, column 9"},
	{"a list of crates", "Cargo.toml", "dependencies = []\n",
	 "line 1, column 16: dependencies is a list, and must be an object"},
	{"a number as a crate", "Cargo.toml", "[dependencies]\na = 1\n",
	 "line 2, column 5: dependencies.a is a number"},
	{"a number as a name", "Cargo.toml", "[dependencies]\na = {package = 1}\n",
	 "dependencies.package is a number"},
	{"a package without a name", "Cargo.lock", "[[package]]\nversion = \"1\"\nsource = \"x\"\n",
	 "a package has no name"},
	{"an encoding that hides names", "requirements.txt", "# coding: utf-7\n+AG0-ysql\n",
	 "line 1, column 11: ikm cannot read the encoding 'utf-7'"},
	{"a quote without an end", "requirements.txt", "a\n--pre -e 'x\n",
	 "line 2, column 10: the options cannot be split: a quote has no end"},
	{"a backslash before nothing", "requirements.txt", "-e x\\ # y\n",
	 "line 1, column 5: the options cannot be split: nothing follows the backslash"},
	{"a file that is none of ours", "README.md", "x", "no manifest or lockfile that ikm can read"},
};
/* clang-format on */

static void names(struct arena *a)
{
	struct deps d;

	is_str(deps_normal(a, DEPS_PYPI, STR("Zope.._-Interface")), STR("zope-interface"),
	       "PEP 503");
	is_str(deps_normal(a, DEPS_PYPI, STR("a--b")), STR("a-b"), "a run of dashes is one");
	is_str(deps_normal(a, DEPS_NPM, STR("@S/B")), STR("@s/b"), "npm ignores case");
	is_str(deps_normal(a, DEPS_CARGO, STR("Foo-Bar")), STR("foo_bar"), "Cargo: a dash is _");
	is_str(deps_normal(a, DEPS_GO, STR("x.org/m/v2")), STR("x.org/m"), "Go's major version");
	is_str(deps_normal(a, DEPS_GO, STR("gopkg.in/yaml.v3")), STR("gopkg.in/yaml"),
	       "gopkg.in's");
	is_str(deps_normal(a, DEPS_GO, STR("x.org/m/v1")), STR("x.org/m/v1"), "there is no /v1");
	is_str(deps_normal(a, DEPS_GO, STR("x.org/rev2")), STR("x.org/rev2"), "a name with digits");
	is_int(deps_ecosystem_by_name(STR("Golang")), DEPS_GO, "an ecosystem's other name");
	is_int(deps_ecosystem_by_name(STR("crates.io")), DEPS_CARGO, "and crates.io");
	is_int(deps_ecosystem_by_name(STR("fortran")), DEPS_UNKNOWN, "and an unknown one");
	is_str(str_of(deps_ecosystems[DEPS_PYPI]), STR("pypi"), "an ecosystem's name");
	is_str(str_of(deps_ecosystems[DEPS_UNKNOWN]), STR(""), "none is empty");
	fails(deps_read(a, STR("go.mod"), (struct str){"", ((size_t)64 << 20) + 1}, NULL, &d),
	      E_TOO_BIG, "over 64 MiB is refused unread");
}

/* PowerShell's > writes UTF-16, and pip reads it. Offsets are those of the file. */
static void utf16(struct arena *a)
{
	struct str little = STR("\xff\xfe"
				"a\0\r\0\n\0\x3d\xd8\0\xde#\0\n\0");
	struct str good = STR("\xff\xfe"
			      "#\0\x3d\xd8\0\xde\n\0b\0=\0=\0001\0\n\0");
	struct str big = STR("\xfe\xff\0c\0>\0=\0"
			     "1");
	struct deps d;

	fails(deps_read(a, STR("requirements.txt"), little, NULL, &d), E_BAD_MANIFEST,
	      "a smiley is no name");
	works(deps_read(a, STR("requirements.txt"), good, NULL, &d), "little endian");
	ok(d.n == 1 && str_is(d.p[0].name, "b") && d.p[0].at.from == 10 && d.p[0].at.to == 12,
	   "the name's place in the file, behind a surrogate pair");
	works(deps_read(a, STR("requirements.txt"), big, NULL, &d), "big endian");
	ok(d.n == 1 && str_is(d.p[0].version, ">=1") && d.p[0].at.from == 2, "and what it says");
}

/* The span is the name and nothing else. */
static void spans(struct arena *a)
{
	struct str text = STR("{\"overrides\": {\"x\": {\"@s/b@^1\": \"npm:@t/real@2\"}}}");
	struct deps d;

	works(deps_read(a, STR("package.json"), text, NULL, &d), "an override with an alias");
	is_str(str_sub(text, d.p[0].at.from, d.p[0].at.to), STR("@t/real"),
	       "the span of the real name");
	is_str(d.p[0].written, STR("@s/b"), "the name it goes by");
	is_str(d.p[0].normal, STR("@t/real"), "the normal name");
}

/* Values from other files of the tree. */
/* clang-format off */
static const struct beside tree_files[] = {
	{"requirements.txt", "x\n"},
	{"a/base-requirements.txt", "x\n"},
	{"a/deps.lst", "x\n"},
	{"vendor/my/pyproject.toml", "[project]\nname = \"mysqlclient\"\n"},
	{"vendor/po/pyproject.toml", "[tool.poetry]\nname = \"po\"\n"},
	{"a/pyproject.toml", "[project]\nname = \"self\"\n"},
};
/* clang-format on */

/* clang-format off */
static const struct row in_tree[] = {
	{"files that are included", "a/requirements.txt",
	 "-r base-requirements.txt\n-r ../requirements.txt\n-r gone-requirements.txt\n"
	 "-r ../../requirements.txt\n-r /requirements.txt\n-r deps.lst\n-c file:///x.txt\n",
	 "? gone-requirements.txt 3:4 the included file is not in the tree\n"
	 "? ../../requirements.txt 4:4 the included file lies outside the tree\n"
	 "? /requirements.txt 5:4 the included file lies outside the tree\n"
	 "? deps.lst 6:4" UNNAMED
	 "? file:///x.txt 7:4 the included file lies outside the tree\n"},
	{"folders", "a/requirements.txt",
	 "-e ../vendor/my\n../vendor/po[x]\n-e .[dev]\n-e ..\nfile:../vendor/my\n-e ../vendor/none\n",
	 "mysqlclient - 1:4 elsewhere as ../vendor/my\npo - 2:1 elsewhere as ../vendor/po[x]\n"
	 "mysqlclient - 5:1 elsewhere as file:../vendor/my\n"
	 "? ../vendor/none 6:4 a folder without a pyproject.toml that names its package\n"},
	{"files of dynamic fields", "a/pyproject.toml",
	 "[project]\ndynamic = [\"dependencies\", \"optional-dependencies\"]\n"
	 "[tool.setuptools.dynamic]\ndependencies = {file = \"base-requirements.txt\"}\n"
	 "optional-dependencies.x = {file = [\"gone-requirements.txt\", \"../../x.txt\"]}\n",
	 "? gone-requirements.txt 5:37 the included file is not in the tree\n"
	 "? ../../x.txt 5:62 the included file lies outside the tree\n"},
};
/* clang-format on */

int main(void)
{
	struct besides files = {tree_files, ARRAY_SIZE(tree_files)};
	struct arena *a = arena_new();

	reads_in(a, &files, in_tree, ARRAY_SIZE(in_tree));

	reads(a, requirements, ARRAY_SIZE(requirements));
	reads(a, pypi_locks, ARRAY_SIZE(pypi_locks));
	reads(a, gem_locks, ARRAY_SIZE(gem_locks));
	reads(a, pyproject, ARRAY_SIZE(pyproject));
	reads(a, go, ARRAY_SIZE(go));
	reads(a, cargo, ARRAY_SIZE(cargo));
	reads(a, cargo_locks, ARRAY_SIZE(cargo_locks));
	refuses(a, wrong, ARRAY_SIZE(wrong));
	names(a);
	utf16(a);
	spans(a);
	arena_free(a);
	return tap_done();
}
