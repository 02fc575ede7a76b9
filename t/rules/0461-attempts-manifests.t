#!/bin/sh
# Attempts to bring in a forbidden package with Python, Go, Cargo, Bundler and others.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

# ---- requirements files ----

for line in mysqlclient MySQLClient 'mysqlclient[x]>=1; python_version > "3"' \
	'mysqlclient @ https://x/y.whl' 'mysqlclient@git+https://x/y' 'mysqlclient --hash=sha256:1' \
	'mysqlclient # x' '  mysqlclient' '-e git+https://x/y#egg=mysqlclient' \
	'--editable=git+https://x/y#egg=mysqlclient' '--pre -e git+https://x/y#egg=mysqlclient' \
	'git+https://x/y#egg=mysqlclient[x]' 'git+https://x/y#subdirectory=z&egg=mysqlclient' \
	'https://x/mysqlclient-1.0-py3-none-any.whl' './mysqlclient-1.0.tar.gz' \
	'file:///x/mysqlclient-1.0.tar.gz' 'PyMySQL' 'pymysql' 'pip==1\r\nmysqlclient' 'my\\\nsqlclient' \
	'\357\273\277mysqlclient' 'pip\rmysqlclient' '# x\fmysqlclient' '# x\302\205mysqlclient' \
	'# x\342\200\250mysqlclient' 'pip \\\n# x\nmysqlclient' 'git+https://x/y#egg=mysql%%63lient'; do
	attempt "requirements.txt: $line" stopped 'requirements.txt' <<E
printf -- '$line\n' >requirements.txt
E
done
for line in 'git+https://x/y' '-e ./x' './x.whl' '-r deps.lst' '--pre -r deps.lst' '-rdeps.lst' \
	'-c c.lst' '--requirement=deps.lst' '-r https://x/y.txt' '${DB}client' \
	'--index-url https://x -r ../a.txt' 'https://x/y.zip' '-r build/requirements.txt'; do
	attempt "requirements.txt: $line is told with its line" told 'requirements.txt:1' <<E
printf '%s\n' '$line' >requirements.txt
E
done
for name in requirements-dev.txt dev-requirements.txt requirements/base.txt requirements.in \
	constraints.txt Requirements.TXT test_requirements.txt requirements/a/b.txt; do
	attempt "$name" either "$name" <<E
echo mysqlclient | put $name
E
done
attempt 'an included file that has another name' stopped 'deps.lst:1' <<'E'
echo mysqlclient >deps.lst; echo '-r deps.lst' >requirements.txt
E
attempt 'an included file that has another name, in a commit of its own' either 'deps.lst' <<'E'
echo pip >deps.lst; echo '-r deps.lst' >requirements.txt; skipped
echo mysqlclient >deps.lst
E
attempt 'a file that is included only now' told 'requirements.txt:1' <<'E'
echo mysqlclient >deps.lst; skipped; echo '-r deps.lst' >requirements.txt
E
attempt 'an included file that has had it' silent '' <<'E'
echo mysqlclient >deps.lst; echo '-r deps.lst' >requirements.txt; skipped
echo pip >>deps.lst
E
attempt 'a file of words that nothing includes' silent '' <<'E'
echo pip >requirements.txt; skipped
echo mysqlclient >words.lst
E
attempt 'an included file of an included file, in a commit of its own' either 'more.lst' <<'E'
echo pip >more.lst; echo '-r more.lst' >deps.lst; echo '-r deps.lst' >requirements.txt; skipped
echo mysqlclient >more.lst
E
attempt 'requirements.txt: UTF-16' stopped 'requirements.txt' <<'E'
echo mysqlclient | iconv -t UTF-16 >requirements.txt
E
attempt 'requirements.txt: UTF-16 without a mark' either 'requirements.txt' <<'E'
echo mysqlclient | iconv -t UTF-16LE >requirements.txt
E
attempt 'requirements.txt: UTF-32' either 'requirements.txt' <<'E'
echo mysqlclient | iconv -t UTF-32 >requirements.txt
E
attempt 'requirements.txt: UTF-7 by its cookie' stopped 'requirements.txt' <<'E'
printf '# coding: utf-7\n+AG0-ysqlclient\n' >requirements.txt
E
attempt 'requirements.txt as a link' either 'requirements.txt' <<'E'
echo mysqlclient >x.lst; ln -s x.lst requirements.txt
E

# ---- other files of Python ----

for text in '[project]\ndependencies = ["mysqlclient"]' '[project]\ndependencies = ["mysqlclient @ git+https://x/y"]' \
	'[project.optional-dependencies]\nx = ["mysqlclient"]' '[dependency-groups]\nx = ["mysqlclient"]' \
	'[build-system]\nrequires = ["mysqlclient"]' '[tool.poetry.dependencies]\nmysqlclient = "*"' \
	'[tool.poetry.group.x.dependencies]\nmysqlclient = "*"' '[tool.poetry.dev-dependencies]\nmysqlclient = "*"' \
	'[tool.poetry]\ndependencies.mysqlclient = "*"' 'tool.poetry.dependencies.mysqlclient = "*"' \
	'[tool.poetry.dependencies]\n"mysql\\u0063lient" = "*"' '[tool.uv]\ndev-dependencies = ["mysqlclient"]' \
	'[tool.uv]\noverride-dependencies = ["mysqlclient"]' '[tool.uv]\nconstraint-dependencies = ["mysqlclient"]' \
	'[tool.pdm.dev-dependencies]\nx = ["mysqlclient"]' \
	'[tool.pdm.resolution.overrides]\nmysqlclient = "1"' \
	'[tool.hatch.envs.x]\ndependencies = ["mysqlclient"]' '[tool.hatch.envs.x]\nextra-dependencies = ["mysqlclient"]' \
	'[tool.hatch.build.hooks.x]\ndependencies = ["mysqlclient"]' \
	'[tool.pixi.pypi-dependencies]\nmysqlclient = "*"' '[tool.pixi.feature.x.dependencies]\nmysqlclient = "*"' \
	'[tool.uv.extra-build-dependencies]\nx = ["mysqlclient"]' \
	'[[tool.poetry.source]]\nname = "x"\n[tool.poetry.dependencies]\nmysqlclient = {url = "https://x"}'; do
	attempt "pyproject.toml: $text" stopped 'pyproject.toml' <<E
printf '$text\n' >pyproject.toml
E
done
attempt 'pyproject.toml: dynamic' stopped 'deps.lst:1' <<'E'
printf '[project]\ndynamic = ["dependencies"]\n[tool.setuptools.dynamic]\ndependencies = {file = ["deps.lst"]}\n' >pyproject.toml
echo mysqlclient >deps.lst
E
attempt 'pyproject.toml: flit of old' either 'pyproject.toml' <<'E'
printf '[tool.flit.metadata]\nrequires = ["mysqlclient"]\n' >pyproject.toml
E
attempt 'pyproject.toml: a table twice' stopped 'pyproject.toml' <<'E'
printf '[project]\n[project]\ndependencies = ["mysqlclient"]\n' >pyproject.toml
E
attempt 'pyproject.toml: UTF-16' stopped 'pyproject.toml' <<'E'
printf '[project]\ndependencies = ["mysqlclient"]\n' | iconv -t UTF-16 >pyproject.toml
E
for lock in poetry.lock uv.lock pdm.lock; do
	attempt "$lock" stopped "$lock:2" <<E
printf '[[package]]\nname = "mysqlclient"\nversion = "1"\n' >$lock
E
done
attempt 'pylock.toml' stopped 'pylock.toml' <<'E'
printf 'lock-version = "1.0"\n[[packages]]\nname = "mysqlclient"\nversion = "1"\n' >pylock.toml
E
attempt 'pylock.x.toml: an archive of another package' either 'pylock.x.toml' <<'E'
printf '[[packages]]\nname = "db"\nversion = "1"\nwheels = [{url = "https://x/mysqlclient-1-py3-none-any.whl"}]\n' >pylock.x.toml
E
attempt 'PEP 723: requirements of a script' stopped 'tool.py:2' <<'E'
printf '# /// script\n# dependencies = ["mysqlclient"]\n# ///\n' >tool.py
E

# ---- Go, Cargo, Bundler ----

sql=github.com/go-sql-driver/mysql
for text in "require $sql v1.8.1" "require (\n\t$sql v1.8.1 // indirect\n)" "require \"$sql\" v1.8.1" \
	"require \`$sql\` v1.8.1" "require x.y/z v1.0.0\nreplace x.y/z => $sql v1.8.1" \
	"replace (\n\tx.y/z v1.0.0 => $sql v1.8.1\n)\nrequire x.y/z v1.0.0" "tool $sql/cmd" \
	"require $sql/v2 v2.0.0"; do
	attempt "go.mod: $text" stopped 'go.mod' <<E
printf '%b' 'module a.b/c\n\ngo 1.22\n\n$text\n' >go.mod
E
done
attempt 'go.mod: a replacement by a folder' either 'go.mod' <<'E'
printf 'module a.b/c\nrequire x.y/z v1.0.0\nreplace x.y/z => ./vendored\n' >go.mod
echo 'module github.com/go-sql-driver/mysql' | put vendored/go.mod
E
attempt 'go.mod: not one at all' either 'go.mod' <<'E'
printf 'this is github.com/go-sql-driver/mysql\n' >go.mod
E
for text in '[dependencies]\nmysql = "1"' '[dependencies]\ndb = {package = "mysql", version = "1"}' \
	'[dependencies.db]\npackage = "mysql"' '[dev-dependencies]\nmysql = "1"' '[build-dependencies]\nmysql = "1"' \
	'[build_dependencies]\nmysql = "1"' '[target."cfg(unix)".dependencies]\nmysql = "1"' \
	'[workspace.dependencies]\nmysql = "1"' '[patch.crates-io]\ndb = {package = "mysql", git = "https://x/y"}' \
	'[replace]\n"mysql:1.0.0" = {git = "https://x/y"}' '[dependencies]\n"mys\\u0071l" = "1"'; do
	attempt "Cargo.toml: $text" stopped 'Cargo.toml' <<E
printf '%s\n' '[package]' 'name = "x"' 'version = "0.1.0"' >Cargo.toml; printf '%b\n' '$text' >>Cargo.toml
E
done
attempt 'Cargo.toml: inherits from the workspace' stopped 'Cargo.toml' <<'E'
printf '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\ndb = {package = "mysql", version = "1"}\n' >Cargo.toml; skipped
printf '[package]\nname = "a"\n[dependencies]\ndb.workspace = true\n' | put a/Cargo.toml
E
attempt 'Cargo.toml: dotted keys' stopped 'Cargo.toml:1' <<'E'
printf 'dependencies.mysql = "1"\n[package]\nname = "a"\n' >Cargo.toml
E
attempt 'Cargo.toml: an alias of git' stopped 'Cargo.toml:' <<'E'
printf '[package]\nname = "a"\n[dependencies]\ndb = {git = "https://x/y", package = "mysql"}\n' >Cargo.toml
E
attempt 'Cargo.lock' stopped 'Cargo.lock:2' <<'E'
printf '[[package]]\nname = "mysql"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n' >Cargo.lock
E
attempt 'Gemfile.lock' stopped 'Gemfile.lock:' <<'E'
printf 'GEM\n  remote: https://rubygems.org/\n  specs:\n    mysql2 (0.5.6)\n' >Gemfile.lock
E
attempt 'Gemfile.lock: PATH' stopped 'Gemfile.lock:' <<'E'
printf 'PATH\n  remote: vendor/x\n  specs:\n    mysql2 (0.5.6)\n' >Gemfile.lock
E
attempt 'gems.locked: GIT' stopped 'gems.locked:' <<'E'
printf 'GIT\n  remote: https://x/y\n  revision: 1\n  specs:\n    mysql2 (0.5.6)\n' >gems.locked
E

attempt 'pom.xml: the name in a property of the parent' stopped 'app/pom.xml:' <<'E'
printf '%s' '<project><groupId>g</groupId><artifactId>p</artifactId>' \
	'<properties><db>mysql</db></properties></project>' >pom.xml
printf '%s' '<project><parent><groupId>g</groupId><artifactId>p</artifactId></parent><dependencies>' \
	'<dependency><groupId>x</groupId><artifactId>${db}</artifactId></dependency>' \
	'</dependencies></project>' | put app/pom.xml
E
attempt 'pom.xml: an entity' stopped 'pom.xml' <<'E'
echo '<!DOCTYPE project [<!ENTITY db "mysql">]><project>&db;</project>' >pom.xml
E

attempt 'a.csproj: a property, and a list' stopped 'a.csproj:' <<'E'
printf '%s' '<Project><PropertyGroup><Db>mysql</Db></PropertyGroup><ItemGroup>' \
	'<PackageReference Include="x;$(Db)" Version="1"/></ItemGroup></Project>' >a.csproj
E
attempt 'packages.lock.json' stopped 'packages.lock.json:' <<'E'
echo '{"dependencies": {"net8.0": {"MySQL": {"type": "Transitive", "resolved": "1"}}}}' >packages.lock.json
E
attempt 'composer.json: a package in the file itself' stopped 'composer.json:' <<'E'
echo '{"repositories": [{"type": "package", "package": {"name": "mysql", "version": "1"}}]}' >composer.json
E

attempt 'Gemfile: in a group, over lines' stopped 'Gemfile:3' <<'E'
printf "group :x do\n  gem(\n    'mysql2')\nend\n" >Gemfile
E
attempt 'Gemfile: a name that is computed' told 'not judged: Gemfile:1' <<'E'
printf 'gem "mysql" + "2"\n' >Gemfile
E
attempt 'x.gemspec' stopped 'x.gemspec:' <<'E'
printf "Gem::Specification.new { |s| s.add_dependency 'mysql2' }\n" >x.gemspec
E

attempt 'build.gradle: what a program decides' told 'not judged: build.gradle:2' <<'E'
printf 'dependencies {\n  implementation mysql\n}\n' >build.gradle
E
attempt 'build.gradle.kts: an alias of the catalog' stopped 'app/build.gradle.kts:1' <<'E'
printf '[libraries]\ndb = "mysql:mysql:8"\n' | put gradle/libs.versions.toml
echo 'dependencies { implementation(libs.db) }' | put app/build.gradle.kts
E
for text in "apply plugin: 'mysql2'" "apply(plugin: 'mysql2')" "apply { plugin 'mysql2' }" \
	"plugins.apply('mysql2')" "pluginManager.apply 'mysql2'" \
	"allprojects { apply plugin: 'mysql2' }" "p.each { it.apply plugin: 'mysql2' }"; do
	attempt "build.gradle: $text" stopped 'build.gradle:1' <<E
printf '%s\n' "$text" >build.gradle
E
done
attempt 'build.gradle.kts: apply' stopped 'build.gradle.kts:1' <<'E'
echo 'apply(plugin = "mysql2")' >build.gradle.kts
E
attempt 'build.gradle: a plugin by its class' told 'not judged: build.gradle:1' <<'E'
echo 'apply plugin: x.MysqlPlugin' >build.gradle
E

attempt 'Pipfile: a category' stopped 'Pipfile:2' <<'E'
printf '[docs]\nmysqlclient = {version = "*"}\n' >Pipfile
E
attempt 'hatch.toml' stopped 'hatch.toml:2' <<'E'
printf '[envs.x]\ndependencies = ["mysqlclient"]\n' >hatch.toml
E
attempt 'uv.toml' stopped 'uv.toml:1' <<'E'
echo 'override-dependencies = ["mysqlclient"]' >uv.toml
E
attempt 'a recipe of rattler-build' told 'recipe/recipe.yaml' <<'E'
printf 'requirements:\n  run: [mysqlclient]\n' | put recipe/recipe.yaml
E
attempt 'setup.py' stopped 'setup.py:1' <<'E'
echo "setup(install_requires=['a', 'mysqlclient>=1'])" >setup.py
E
attempt 'setup.py: a program' told 'not judged: setup.py:1' <<'E'
echo "setup(install_requires=['my' + 'sqlclient'])" >setup.py
E
attempt 'requirements in a script' stopped 'a.py:3' <<'E'
printf '# /// script\n# dependencies = [\n#   "mysqlclient",\n# ]\n# ///\n' >a.py
E
attempt 'a link with the name of a script' told 'a.py' <<'E'
ln -s nowhere a.py
E
attempt 'go.sum' stopped 'go.sum:' <<'E'
echo 'mysql v1.0.0 h1:x=' >go.sum
E

attempt 'pubspec.yaml: another name in the registry' stopped 'pubspec.yaml:' <<'E'
printf 'dependencies:\n  db: {hosted: {name: mysql2, url: x}, version: ^1.0.0}\n' >pubspec.yaml
E
attempt 'mix.lock: another name in the registry' stopped 'mix.lock:2' <<'E'
printf '%%{\n  "db": {:hex, :mysql2, "1.0.0", "x", [:mix], [], "hexpm", "y"},\n}\n' >mix.lock
E
attempt 'vcpkg.json: of a feature' stopped 'vcpkg.json:' <<'E'
echo '{"features": {"x": {"description": "", "dependencies": ["mysql2"]}}}' >vcpkg.json
E
attempt 'conanfile.txt' stopped 'conanfile.txt:2' <<'E'
printf '[requires]\nmysql2/1.0\n' >conanfile.txt
E
attempt 'Package.resolved' stopped 'Package.resolved:' <<'E'
echo '{"pins": [{"identity": "x", "location": "https://x.org/a/mysql2.git", "state": {}}], "version": 2}' >Package.resolved
E

# ---- without a reader: told by name ----

for file in ivy.xml \
	build.sbt project.clj deps.edn \
	rebar.config Podfile Podfile.lock conanfile.py \
	MODULE.bazel flake.nix shard.yml cpanfile x.opam elm.json x.rockspec \
	build.zig.zon renv.lock stack.yaml Cartfile Brewfile; do
	attempt "$file" told "not judged: $file" <<E
echo 'mysql2 = mysqlclient' | put $file
E
done
attempt 'setup.cfg' stopped 'setup.cfg' <<'E'
printf '[options]\ninstall_requires =\n  mysqlclient\n' >setup.cfg
E
attempt 'environment.yml' stopped 'environment.yml' <<'E'
printf 'name: x\ndependencies:\n  - mysqlclient\n' >environment.yml
E
attempt 'environment.yml in flow style' stopped 'environment.yml' <<'E'
printf '{"name": "x", "dependencies": ["mysqlclient"]}\n' >environment.yml
E
attempt 'libs.versions.toml' stopped 'gradle/libs.versions.toml:2' <<'E'
printf '[libraries]\nmysql = "mysql:mysql:8"\n' | put gradle/libs.versions.toml
E
for text in '\357\273\277[libraries]\na = "mysql:mysql:8"' 'libraries.a.module = "mysql:mysql"' \
	'libraries = { a = "mysql:mysql:8" }' 'plugins.p.id = "mysql"' 'plugins = { p = "mysql:1" }'; do
	attempt "libs.versions.toml: $text" stopped 'gradle/libs.versions.toml:' <<E
printf '$text\n' | put gradle/libs.versions.toml
E
done
attempt '.cargo/config.toml: a patch' stopped '.cargo/config.toml' <<'E'
printf '[patch.crates-io]\ndb = {package = "mysql"}\n' | put .cargo/config.toml
E
attempt 'compose.yaml' stopped 'compose.yaml:2' <<'E'
printf 'services:\n  db: {image: mysql}\n' >compose.yaml
E
attempt 'compose.yaml in flow style' stopped 'compose.yaml:1' <<'E'
printf '{"services": {"db": {"image": "mysql"}}}\n' >compose.yaml
E
odd() { printf 'services: {db: {build: {context: ., dockerfile: "%s"}}}\n' "$1" | put c/compose.yaml; }
attempt 'compose.yaml: a Dockerfile of any name' stopped 'c/odd.txt:1' <<'E'
odd odd.txt; echo 'FROM mysql' >c/odd.txt
E
attempt 'compose.yaml: such a Dockerfile that was there' stopped 'c/compose.yaml:1' <<'E'
echo 'FROM mysql' | put y/odd; commit; odd '../y/${F:-odd}'
E
attempt 'only such a Dockerfile changes' stopped 'c/odd.txt:2' <<'E'
odd odd.txt; echo 'FROM pg' >c/odd.txt; commit; printf 'FROM pg\nCOPY --from=mysql:8 / /\n' >c/odd.txt
E
attempt 'only such a Dockerfile changes, without a word of a rule' silent '' <<'E'
odd odd.txt; echo 'FROM pg' >c/odd.txt; commit; echo 'FROM pg:2' >c/odd.txt
E
attempt 'a workflow of GitHub' stopped '.github/workflows/ci.yml:4' <<'E'
printf 'jobs:\n  x:\n    services:\n      db: {image: mysql}\n' | put .github/workflows/ci.yml
E
attempt 'Dockerfile: the default of a variable' stopped 'Dockerfile:1' <<'E'
printf 'ARG BASE=docker.io/library/mysql:8\nFROM ${BASE} AS x\nFROM x\n' >Dockerfile
E
attempt 'Dockerfile: a variable without a default' told 'not judged: Dockerfile' <<'E'
printf 'ARG BASE\nFROM ${BASE}\n' >Dockerfile
E
attempt 'mix.exs: another name in the registry' stopped 'mix.exs:2' <<'E'
printf 'defp deps do\n  [{:db, "~> 1.0", hex: :mysql2}]\nend\n' >mix.exs
E
attempt 'Package.swift' stopped 'Package.swift:1' <<'E'
echo 'let d = [.package(url: "https://x.org/a/mysql2.git", from: "1.0.0")]' >Package.swift
E
attempt 'Terraform' stopped 'db.tf:3' <<'E'
printf 'terraform {\n  required_providers {\n    mysql2 = {}\n  }\n}\n' >db.tf
E
attempt 'pixi.toml' stopped 'pixi.toml:2' <<'E'
printf '[feature.x.pypi-dependencies]\nmysqlclient = "*"\n' >pixi.toml
E
attempt 'a manifest without a reader in UTF-16' told 'not judged: environment.yml' <<'E'
printf 'name: x\ndependencies:\n  - mysqlclient\n' | iconv -t UTF-16 >environment.yml
E
attempt 'a manifest without a reader, as a link' told 'not judged: ivy.xml' <<'E'
echo '<ivy-module/>' >x.txt; ln -s x.txt ivy.xml
E

done_testing
