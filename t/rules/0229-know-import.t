#!/bin/sh
# know import: bans of linters and package managers become rules of a decision, each with its files
# and its reason; what cannot be a rule is named with its place. The rules then stop what the tool
# stopped, and nothing else.
. "$(dirname "$0")/../lib.sh"

git init -q -b main shop
cd shop || exit 1
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
printf -- '---\nstatus: accepted\n---\n# Bans\n' >docs/adr/0001-bans.md
git add . && git commit -qm all
# file: the rules as "TARGET PATTERN VERSION in GLOBS"; what was left in `left`
import() {
	git reset -q --hard
	ikm know import "$1" 1 --json >out 2>err || { cat err; return 1; }
	jq -r '.rules[] | "\(.target) \(.pattern) \(.version // "-") in \(.appliesTo | join(" "))"' out
	jq -r '(.notes // [])[] | select(contains("not carried over"))' out >left
}
stops() { # path, text: a commit that adds it stops; passes: it does not
	mkdir -p "$(dirname "$1")"
	printf '%s\n' "$2" >"$1"
	git add "$1" docs
	fails 1 ikm check --staged --item 1 >/dev/null
	git rm -qf --cached "$1" && rm "$1"
}
passes() {
	mkdir -p "$(dirname "$1")"
	printf '%s\n' "$2" >"$1"
	git add "$1" docs
	ikm check --staged --item 1 >said 2>&1 || { cat said; exit 1; }
	git rm -qf --cached "$1" && rm "$1"
}
# shellcheck disable=SC2034
js='*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}'

# https://eslint.org/docs/latest/rules/no-restricted-imports
long 'ESLint: names, groups, expressions, files and levels' <<'E'
cat >.eslintrc.json <<'J'
{ // comments are allowed
  "rules": {
    "no-restricted-imports": ["error", "moment", {"name": "lodash", "message": "Use lodash-es."}],
    "@typescript-eslint/no-restricted-imports": ["off", "never"]
  },
  "overrides": [{
    "files": ["src/ui/**"], "excludedFiles": ["*.test.ts"],
    "rules": {"no-restricted-imports": [1, {
      "paths": [{"name": "fs", "importNames": ["readFile"]}],
      "patterns": [{"group": ["@app/store/*", "!@app/store/public"], "message": "Ask a service."},
        {"regex": "^@corp/(?!api)"}]
    }]}
  }]
}
J
same "import moment\$ - in $js
import lodash\$ - in $js
import (?!(?:@app/store/public)(?!.))(?:@app/store/[^/]*) - in src/ui/** !*.test.ts
import .*(?:^@corp/(?!api)).*\$ - in src/ui/** !*.test.ts" "$(import .eslintrc.json)"
same '.eslintrc.json:8: not carried over: for its files ESLint drops the bans above, and ikm does not
.eslintrc.json:9: not carried over: importNames: ikm forbids a module, not some of its names' \
	"$(cat left)"
same 2 "$(grep -c 'severity: warn' docs/adr/0001-bans.md)"
stops src/a.ts "import m from 'moment'"
passes src/a.ts "import m from 'moment-timezone'; import x from 'moment/locale'"
passes a.py 'import moment'
grep -q 'stops: \[lodash\]' docs/adr/0001-bans.md
grep -q 'message: Use lodash-es.' docs/adr/0001-bans.md
git add docs
printf "import a from '@app/store/public'; import b from '@corp/api'\n" >ok.ts
mkdir -p src/ui
mv ok.ts src/ui/ok.ts
git add src
ikm check --staged --json >out && jq -e '.violations == []' out || { cat out; exit 1; }
printf "import a from '@app/store/db'; import b from '@corp/old'\n" >src/ui/ok.ts
git add src
ikm check --staged --json | jq -e '[.violations[].found] == ["@app/store/db", "@corp/old"]'
E

try 'ESLint: a list of configurations, as JSON' <<'E'
echo '[{"files": ["*.js"], "ignores": ["dist/**"], "rules": {"no-restricted-imports": [2, {"patterns": ["a/*", "!a/b"]}]}}]' >eslint.json
fails 1 ikm know import 1 eslint.json 2>err || :
grep -q 'the file comes first: ikm know import eslint.json 1' err
same 'import (?!(?:a/b)(?!.))(?:a/[^/]*) - in /*.js !dist/**' "$(import eslint.json)"
stops x.js "import 'a/c/d'"
passes x.js "import 'a/b/c'"
passes src/x.js "import 'a/c'"
E

# t/conformance/eslint-bans.txt; the settings of each row are imported, and all files checked.
long 'ESLint: the rules stop what ESLint stops' <<'E'
git reset -q --hard
grep -v '^#' "$TOP/t/conformance/eslint-bans.txt" >rows
mkdir -p src/in/deep
head -1 rows | cut -d '~' -f 2 | tr ' ' '\n' >names
n=0
while read -r name; do
	echo "import q from '$name'" >"src/in/deep/i$((n += 1)).js"
	echo "q = require('$name')" >"src/in/deep/r$n.js"
done <names
git add src
tail -n +2 rows | while IFS='~' read -r settings want; do
	git reset -q docs
	git checkout -q docs
	printf '%s\n' "$settings" | jq '{rules: {(.[0]): (["error"] + .[1:])}}' >e.json
	[ -z "$want" ] || ikm know import e.json 1 >out 2>&1 || { cat out; exit 1; }
	case $settings in *modules*) form=r ;; *) form=i ;; esac
	ikm check --all --json >out 2>err || :
	got=$(jq -r --arg f "/$form" '.violations[].location.file | select(contains($f)) | capture("(?<n>[0-9]+)[.]js").n' out |
		sort -un | while read -r at; do sed -n "${at}p" names; done | tr '\n' ' ' | sed 's/ $//')
	[ "$want" = "$got" ] || { echo "$settings"; echo "ESLint $want"; echo "ikm    $got"; exit 1; }
done
git reset -q --hard
E

long 'ESLint: what its rule has and ikm has not is named' <<'E'
named() { # settings of the file, what is said behind "not carried over: "
	echo "$1" >eslint.json
	import eslint.json >got || :
	same "$2" "$(sed 's/^[^ ]* not carried over: //' left)"
	same "$3" "$(cut -d ' ' -f 2 got | tr '\n' ' ')"
}
why='ikm forbids a module, not some of its names'
named '{"rules": {"no-restricted-imports": [2, {"patterns": ["a/*", {"group": ["b/*"], "message": "m"}, {"regex": "^c/"},
	{"group": ["d"], "importNames": ["x"]}, {"regex": "e", "allowImportNamePattern": "x"}, "!a/b"]}]}}' \
	"importNames: $why
allowImportNamePattern: $why" '(?!(?:a/b)(?!.))(?:a/[^/]*) b/[^/]* .*(?:^c/).*$ '
named '{"rules": {"a/no-restricted-imports": [2, {"paths": [{"name": "a", "allowTypeImports": true},
	{"name": "b", "allowTypeImports": false}]}]}}' "allowTypeImports: $why" 'b$ '
named '{"rules": {"no-restricted-modules": [2, "a"], "no-restricted-syntax": [2, "With"], "n/no-restricted-require": [2, ["b"]]}}' \
	'no-restricted-syntax: ikm does not read it
n/no-restricted-require: ikm does not read it' 'a$ '
named '[{"ignores": ["dist/"]}, {"files": [["a/*", "*.js"]], "rules": {"no-restricted-imports": [2, "a"]}},
	{"ignores": ["!b.js"], "rules": {"no-restricted-imports": [2, "b"]}},
	{"rules": {"no-restricted-imports": [2, "c"]}}, {"files": ["old/*"], "rules": {"no-restricted-imports": 0}}]' \
	"ignores: ikm does not read it
files: lists in a list, and globs with '!'
ignores: lists in a list, and globs with '!'
for its files ESLint drops the bans above, and ikm does not" 'c$ '
named '{"ignorePatterns": ["dist/"], "rules": {"no-restricted-imports": [2, "a", {"name": ""}, {"patterns": [{"regex": "[^]"}]}]}}' \
	"ignorePatterns: ikm does not read it
it names nothing
regular expression '.*(?:[^]).*\$' is wrong at offset 12: missing terminating ] for character class" 'a$ '
E

# https://golangci-lint.run/docs/linters/configuration/#depguard
# https://github.com/OpenPeeDeeP/depguard
long 'depguard, of golangci-lint and on its own' <<'E'
cat >.golangci.yml <<'Y'
version: "2"
linters:
  settings:
    depguard:
      rules:
        main:
          files: ["!$test"]
          deny:
            - pkg: github.com/pkg/errors
              desc: Use errors.
            - pkg: "io/ioutil$"
            - pkg: $gostd
        tests:
          files: [$test]
          allow: [$gostd]
Y
same 'import github\.com/pkg/errors - in *.go !*_test.go
import io/ioutil$ - in *.go !*_test.go' "$(import .golangci.yml)"
same ".golangci.yml:12: not carried over: '\$gostd' stands for a set of packages
.golangci.yml:15: not carried over: allow: ikm has what is denied only" "$(cat left)"
stops a.go 'package a
import "github.com/pkg/errors"'
passes a_test.go 'package a
import "github.com/pkg/errors"'
echo '{"main": {"files": ["$all"], "deny": {"reflect": "Who needs it?"}}}' >.depguard.json
same 'import reflect - in *.go' "$(import .depguard.json)"
E

try 'depguard: modes, and the settings of depguard 1' <<'E'
cat >.golangci.yml <<'Y'
linters-settings:
  depguard:
    list-type: denylist
    packages:
      - github.com/a/b
    rules:
      main:
        list-mode: strict
        deny:
          - pkg: a
            desc: Why.
Y
same 'import a - in *.go' "$(import .golangci.yml)"
same '3 list-type: a setting of an older depguard
5 packages: a setting of an older depguard
8 list-mode: ikm has what is denied only' "$(sed 's/^[^:]*:\([0-9]*\): not carried over:/\1/' left)"
printf 'depguard:\n  list-type: denylist\n  packages: [a]\n' >.golangci.yml
ikm know import .golangci.yml 1 2>err && exit 1
grep -q ":2: not carried over: 'list-type': no rule of depguard 2; .*:3: not carried over: 'packages'" err
E

# https://import-linter.readthedocs.io/en/stable/contract_types/
long 'import-linter: INI and TOML, forbidden, layers, independence' <<'E'
cat >.importlinter <<'I'
[importlinter]
root_package = shop

[importlinter:contract:one]
name = The core is alone
type = forbidden
source_modules =
    shop.core
    shop.base
forbidden_modules =
    shop.web

[importlinter:contract:two]
name = Exceptions
type = forbidden
source_modules = shop.a
forbidden_modules = shop.b
ignore_imports =
    shop.a.x -> shop.b
I
same 'import shop\.web - in **/shop/core/**/*.py **/shop/core.py
import shop\.web - in **/shop/base/**/*.py **/shop/base.py' "$(import .importlinter)"
same ".importlinter:13: not carried over: 'Exceptions' has ignore_imports, which ikm would stop" \
	"$(sed 's/:1[0-9]:/:13:/' left)"
stops src/shop/core/a.py 'from shop.web import views'
stops shop/base.py 'import shop.web.views'
passes shop/other.py 'import shop.web.views'
cat >pyproject.toml <<'T'
[tool.importlinter]
root_package = "shop"
[[tool.importlinter.contracts]]
name = "Layers"
type = "layers"
layers = ["high", "(mid)", "low | base"]
containers = ["shop"]
[[tool.importlinter.contracts]]
name = "Apart"
type = "independence"
modules = ["shop.x", "shop.y"]
[[tool.importlinter.contracts]]
name = "Round"
type = "acyclic_siblings"
T
import pyproject.toml >got
same 'shop\.high mid shop\.high low shop\.high base shop\.mid low shop\.mid base shop\.base low shop\.low base shop\.y x shop\.x y' \
	"$(sed 's/^import //;s/ - .*shop.\(.*\)\.py/ \1/' got | tr '\n' ' ' | sed 's/ $//')"
same "pyproject.toml:12: not carried over: a contract of type 'acyclic_siblings'" "$(cat left)"
E

try 'import-linter: members that no rule has' <<'E'
cat >pyproject.toml <<'T'
[[tool.importlinter.contracts]]
name = "a"
type = "layers"
layers = ["shop.a", "shop.b"]
exhaustive = true
exhaustive_ignores = ["shop.c"]
[[tool.importlinter.contracts]]
type = "forbidden"
source_modules = ["shop.x"]
forbidden_modules = ["y"]
allow_indirect_imports = true
as_packages = false
[[tool.importlinter.contracts]]
type = "protected"
protected_modules = ["shop.p"]
allowed_importers = ["shop.q"]
T
import pyproject.toml | cut -d ' ' -f 2 >got
same 'shop\.a y' "$(tr '\n' ' ' <got | sed 's/ $//')"
same "5 exhaustive
6 exhaustive_ignores
12 as_packages
13 a contract of type 'protected'
15 protected_modules
16 allowed_importers" "$(sed 's/^[^:]*:\([0-9]*\): not carried over:/\1/; s/: ikm .*//' left)"
E

# https://docs.astral.sh/ruff/settings/#lint_flake8-tidy-imports_banned-api
# https://deptry.com/usage/
try 'Ruff bans modules; deptry bans none, and its settings are named' <<'E'
printf '[tool.ruff.lint.flake8-tidy-imports.banned-api]\n"cgi".msg = "Gone in 3.13."\n[tool.ruff.lint.flake8-tidy-imports]\nbanned-module-level-imports = ["torch"]\n[tool.deptry]\nignore = ["DEP003"]\n' >pyproject.toml
same 'import cgi - in *.py *.pyi' "$(import pyproject.toml)"
same "pyproject.toml:4: not carried over: banned-module-level-imports: ikm does not read it
pyproject.toml:6: not carried over: deptry's ignore: it compares imports with manifests, and bans none" "$(cat left)"
printf '[tool.deptry]\nignore = ["DEP003"]\n' >pyproject.toml
fails_for NO_SUCH_TEXT ikm know import pyproject.toml 1
E

# https://embarkstudios.github.io/cargo-deny/checks/bans/cfg.html
try 'cargo-deny: names, versions, reasons' <<'E'
cat >deny.toml <<'T'
[bans]
multiple-versions = "warn"
deny = [
  "openssl",
  "rand@0.6.5",
  { crate = "time:<0.2", reason = "old", use-instead = "jiff" },
  { name = "old", wrappers = ["one"] },
  { crate = "twice", deny-multiple-versions = true },
]
allow = ["only"]
[[bans.features]]
name = "tokio"
deny = ["full"]
T
same 'dependency openssl - in Cargo.toml Cargo.lock
dependency rand =0.6.5 in Cargo.toml Cargo.lock
dependency time <0.2 in Cargo.toml Cargo.lock' "$(import deny.toml)"
same '7 wrappers: ikm forbids a crate, and has no exceptions
8 deny-multiple-versions: ikm forbids a crate, and has no exceptions
2 multiple-versions: ikm has what is denied only
10 allow: ikm has what is denied only
11 features: ikm has what is denied only' "$(sed 's/^[^:]*:\([0-9]*\): not carried over:/\1/' left)"
stops Cargo.toml '[dependencies]
time = "0.1"'
passes Cargo.toml '[dependencies]
time = "0.3"'
passes package.json '{"dependencies": {"openssl": "1"}}'
E

# https://pnpm.io/settings#overrides
try 'pnpm: an override that takes a package away' <<'E'
printf 'packages: [a]\noverrides:\n  left-pad: "-"\n  "foo@<2": "-"\n  "qar@1>zoo": "-"\n  bar: ^1\n  "a>b": "-"\n' >pnpm-workspace.yaml
import pnpm-workspace.yaml >got
same 'dependency left-pad - in package.json pnpm-lock.yaml
dependency foo <2 in package.json pnpm-lock.yaml' "$(cat got)"
same 2 "$(grep -c 'is about one package that needs it' left)"
E

try 'again: what is there already stays; a file without bans, a program, no such decision' <<'E'
echo '{"rules": {"no-restricted-imports": [2, "a", "b"]}}' >e.json
git reset -q --hard
ikm know import e.json 1 >out 2>&1
git commit -qm bans
fails_for EXISTS ikm know import e.json 1
echo '{"rules": {"no-restricted-imports": [2, "a", "b", "c"]}}' >e.json
ikm know import e.json 1 --json | jq -e '[.rules[].pattern] == ["c$"]'
git reset -q --hard HEAD~1
echo '{"a": 1}' >e.json
fails_for NO_SUCH_TEXT ikm know import e.json 1
echo 'export default []' >eslint.config.js
fails_for BAD_ARGUMENT ikm know import eslint.config.js 1
echo '{' >e.json
fails_for BAD_JSON ikm know import e.json 1
echo '{"rules": {"no-restricted-imports": [2, "a"]}}' >e.json
fails_for NO_SUCH_ITEM ikm know import e.json 9
fails_for FILE_NOT_FOUND ikm know import none.json 1
E
# https://eslint.org/docs/latest/rules/no-restricted-imports
# https://pnpm.io/pnpmfile
try 'export: bans for ESLint and for pnpm; what they lack is named, and the way back' <<'E'
git reset -q --hard
mkdir -p src/store
cat >docs/adr/0002-out.md <<'D'
---
status: accepted
severity: block
constraints:
  - {operator: must_not_use, target: dependency, pattern: 'mysql2?|fuse\.js|a\-b[\-.]c', useInstead: pg}
  - {operator: must_not_use, target: import, pattern: 'lodash$', message: Use lodash-es., appliesTo: [ui/, '!*.test.ts']}
  - {operator: must_not_use, target: import, pattern: 'src/store/.*'}
  - {operator: must_not_use, target: import, pattern: '(?i)x'}
  - {operator: must_not_use, target: dependency, pattern: 'y', version: '<3'}
  - {operator: must_match, target: dependency, pattern: 'y'}
  - {operator: must_not_use, target: dependency, pattern: 'y', appliesTo: Cargo.toml}
  - {operator: must_not_use, target: dependency, pattern: 'z', severity: warn}
  - {operator: must_not_use, target: code, pattern: 'z'}
  - {operator: must_not_use, target: import, pattern: 'z', appliesTo: ['src/*.{py,pyi}', '*.rb', '!a.js']}
---
# Out
D
ikm know export --format eslint >eslint.json 2>err
jq -c '.[] | [.files, .ignores, (.rules[][1].patterns | map("\(.regex) \(.message)"))]' eslint.json >got
cat >want <<'W'
[null,null,["^(?:mysql2?|fuse\\.js|a-b[\\-.]c)(?:/.*)?$ Out; use instead: pg (0002-out)"]]
[["**/ui/**"],["**/*.test.ts","**/*.test.ts/**"],["^(?:mysql2?|fuse\\.js|a-b[\\-.]c)(?:/.*)?$ Out; use instead: pg (0002-out)","^(?:lodash$)(?:/.*)?$ Use lodash-es. (0002-out)"]]
W
diff want got
cat >want <<'W'
0002-out#3 is not carried over: it forbids a path, and ESLint sees the text of an import
0002-out#4 is not carried over: its pattern is none of JavaScript
0002-out#5 is not carried over: it is for some versions only
0002-out#6 is not carried over: it demands, and does not forbid
0002-out#7 is not carried over: it is not for package.json
0002-out#8 is not carried over: it only warns
0002-out#9 is not carried over: it is for no import or package
0002-out#10 is not carried over: its files are not of JavaScript
W
diff want err
ikm know export --format pnpm >.pnpmfile.cjs 2>err
same '  ["^(?:mysql2?|fuse\\.js|a-b[\\-.]c)$", "Out; use instead: pg (0002-out)"],' "$(grep '^  \[' .pnpmfile.cjs)"
same 'module.exports = { hooks: { readPackage } };' "$(tail -1 .pnpmfile.cjs)"
diff - err <<'W'
0002-out#2 is not carried over: it is for no package
0002-out#3 is not carried over: it is for no package
0002-out#4 is not carried over: it is for no package
0002-out#5 is not carried over: it is for some versions only
0002-out#6 is not carried over: it demands, and does not forbid
0002-out#7 is not carried over: it is not for package.json
0002-out#8 is not carried over: it only warns
0002-out#9 is not carried over: it is for no package
0002-out#10 is not carried over: it is for no package
W
ikm know export --format pnpm --json | jq -e '.notes | length == 9'
ikm know import eslint.json 1 --no-stage >out 2>&1
ikm know test 1 --text fuse.js/x | grep -q '^  stops   fuse.js/x'
fails_for MISSING_PARAMETER ikm know export
fails_for MISSING_PARAMETER ikm know export --agents-md --format pnpm
rm docs/adr/0002-out.md
git checkout -q docs
E
long 'a file in a folder: its rules are for the files below it' <<'E'
mkdir -p 'pack[a]/web/src' pack/api
echo '{"rules": {"no-restricted-imports": ["error", "fs"]},
 "overrides": [{"files": ["src/*.ts"], "excludedFiles": ["/src/b.ts"],
  "rules": {"no-restricted-imports": ["error", {"patterns": ["moment/*"]}]}}]}' >'pack[a]/web/.eslintrc.json'
same "import fs\$ - in pack\\[a\\]/web/**/$js
import moment/[^/]* - in pack\\[a\\]/web/src/*.ts !pack\\[a\\]/web/src/b.ts" "$(import 'pack[a]/web/.eslintrc.json')"
stops 'pack[a]/web/lib/a.js' "import f from 'fs'"
stops 'pack[a]/web/src/a.ts' "import f from 'moment/x'"
passes 'pack[a]/web/src/b.ts' "import f from 'moment/x'"
passes pack/api/a.js "import f from 'fs'"
(cd 'pack[a]/web' && git reset -q --hard && ikm know import .eslintrc.json 1 --json | jq -e '.rules[0].appliesTo[0] | startswith("pack")')
ikm know export --format eslint | jq -e '[.[].rules[][1].patterns[].regex] | any(. == "^(?:moment/[^/]*)(?:/.*)?$")'
git reset -q --hard
E
done_testing
