#!/bin/sh
# Rules on the modules that source files import, in the commands that judge; and the rows of
# t/imports against the languages' own parsers.
. "$(dirname "$0")/../lib.sh"

mkdir -p app/.ikm app/docs/adr app/src/ui app/src/db
cd app || exit 1
git init -q -b main .
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
cat >docs/adr/0001-layers.md <<'E'
---
status: accepted
constraints:
  - operator: must_not_use
    target: import
    pattern: src/db
    appliesTo: [src/ui/]
    severity: block
    message: The user interface asks the service.
    useInstead: src/service
    examples: {stops: [src/db, src/db/user], passes: [src/service, src/dbx]}
  - {operator: must_not_use, target: import, pattern: left-pad, severity: warn}
---
# The layers
E
echo 'export const user = 1;' >src/db/user.ts
echo "import {service} from '../service';" >src/ui/page.ts
git add -A
git commit -qm base

try 'a commit that imports over a layer is stopped, with the place and what to use' <<'E'
ikm hook install >/dev/null
echo "import {user} from '../db/user';" >>src/ui/page.ts
git add -A
fails 1 git commit -qm x 2>../said
grep -q 'The user interface asks the service' ../said
grep -q 'src/ui/page.ts:2:21  *../db/user (src/db/user)' ../said
grep -q 'src/service' ../said
E

try 'the same finding in JSON, for a range, for all, and why' <<'E'
git commit -qnm x
fails 1 ikm check --range HEAD~1..HEAD --json >../range
fails 1 ikm check --all --json >../all
jq -e '.violations[] | [.location.file, .location.line, .location.column, .found] ==
	["src/ui/page.ts", 2, 21, "../db/user (src/db/user)"]' ../range
same "$(jq -r '.violations[0].fingerprint' ../range)" "$(jq -r '.violations[0].fingerprint' ../all)"
ikm why "$(jq -r '.violations[0].fingerprint' ../all)" >../why
grep -q '0001-layers' ../why
E

try 'a waiver in a comment' <<'E'
echo "const p = require('left-pad'); // ikm:allow 0001#2 until 2027-06-30: old" >src/ui/b.js
IKM_NOW=2026-11-01T00:00:00Z ikm check --all --json >../waived || true
same '[0,1]' "$(jq -c '[([.violations[] | select(.location.file == "src/ui/b.js")] | length), (.waived | length)]' ../waived)"
rm src/ui/b.js
E

long 'a file with 50,000 imports that nobody knows: each is told with its place' <<'E'
awk 'BEGIN { for (i = 1; i <= 50000; i++) print "require(name" i ");" }' >src/b.js
git add -A
ikm check --all --json >../many || true
rm src/b.js
git add -A
same '[50000,true]' "$(jq -c '[.unjudged[] | select(.path == "src/b.js")] | [length,
	all(.[]; .name == "require(name\(.line))")]' ../many)"
E

try 'the settings of the repository count for files that are given, and given ones before them' <<'E'
git reset -q --hard
echo '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}' >tsconfig.json
echo '{"workspaces": ["src/*", "gone/*"]}' >package.json
echo '{"name": "@acme/store"}' >src/db/package.json
given() { jq -nc '{files: [$ARGS.positional[] | {path: (. / "|")[0], content: (. / "|")[1]}]}' --args "$@" |
	ikm call knowledge_check | jq -c '[.violations[].found]'; }
same '["@/db/user"]' "$(given 'src/ui/a.ts|import "@/db/user"')"
same '["@acme/store"]' "$(given 'src/ui/a.ts|import "@acme/store"')"
same '[]' "$(given 'src/ui/a.ts|import "@/db/user"' 'tsconfig.json|{}')"
rm -r tsconfig.json package.json src/db/package.json
E

try 'examples are modules; know test finds the places; know for names the rule' <<'E'
ikm know test 0001 --json >../test
jq -e '.passed and .rules[0].total == 1' ../test
ikm know test 0001 | grep -q 'examples: 4 of 4 hold'
ikm know for src/ui/page.ts | grep -q '0001-layers'
E

try 'what cannot be read is told: a program decides, a language without a lexer' <<'E'
git reset -q --hard HEAD~1
printf 'require(name);\n' >src/ui/c.js
printf 'require "db"\n' >src/ui/d.lua
git add -A
git commit -qm x 2>../said
grep -q "not judged: src/ui/c.js:1:1: an import may be missed at 'require(name)': a program decides which module this is" ../said
grep -q 'not judged: src/ui/d.lua:1:10: ikm cannot read the imports of Lua yet, and here stands .db.' ../said
E

try 'HTML, MDX and notebooks: what they import is found with its line, and text is not' <<'E'
git reset -q --hard
printf '%s\n' '<p>import "left-pad"</p>' '<script type="module">' 'import "left-pad";' '</script>' >a.html
printf '%s\n' 'import P from "left-pad"' '' '```js' 'import "left-pad"' '```' '<P a={require("left-pad")}/>' >a.mdx
cat >a.ipynb <<'N'
{"cells": [
 {"cell_type": "markdown", "source": ["import left-pad\n"]},
 {"cell_type": "code", "source": [
  "%%javascript\n",
  "import \"left-pad\"; // \ud83d"
 ], "outputs": [{"text": "\udc00"}]}
], "metadata": {"kernelspec": {"language": "python"}}}
N
ikm check a.html a.mdx a.ipynb --json >../out4 || true
same '["a.html:3","a.ipynb:5","a.mdx:1","a.mdx:6"] []' "$(jq -c '[.violations[] |
	"\(.location.file):\(.location.line)"] | sort' ../out4) $(jq -c .unjudged ../out4)"
E

try 'an exception in a cell, in braces of MDX and in a script of HTML counts; in text it does not' <<'E'
allow='ikm:allow 0001#2 until 2027-06-30: old'
printf '%s\n' "// $allow" '<script>' "import 'left-pad'; // $allow" '</script>' >a.html
printf '%s\n' '```' "{/* $allow */}" '```' '' "{/* $allow */}" '{require("left-pad")}' >a.mdx
printf '%s\n' '{"cells": [{"cell_type": "code", "source": [' '"%%js\n",' "\"// $allow\\n\"," \
	'"require(\"left-pad\")"' ']}]}' >a.ipynb
IKM_NOW=2026-11-01T00:00:00Z ikm check a.html a.mdx a.ipynb --json >../out5 || true
same '[] 3' "$(jq -c '.violations' ../out5) $(jq '.waived | length' ../out5)"
printf '%s\n' "// $allow" '<script>import "left-pad"</script>' >a.html
printf '%s\n' '```' "{/* $allow */}" '```' '{require("left-pad")}' >a.mdx
IKM_NOW=2026-11-01T00:00:00Z ikm check a.html a.mdx --json >../out5 || true
same '2 0' "$(jq '.violations | length' ../out5) $(jq '.waived | length' ../out5)"
E

try 'an exception in a notebook whose cells share a line does not count, and that is told' <<'E'
allow='ikm:allow 0001#2 until 2027-06-30: old'
call='require(\"left-pad\")'
printf '%s' '{"cells": [{"cell_type": "code", "source": "%%js\n' "// $allow" '\n' "$call" '"},' \
	'{"cell_type": "code", "source": "%%js\n' "$call" '"}]}' >a.ipynb
IKM_NOW=2026-11-01T00:00:00Z ikm check a.ipynb --json >../out5 || true
same '2 0' "$(jq '.violations | length' ../out5) $(jq '.waived | length' ../out5)"
jq -r '.notes[].message' ../out5 | grep 'several cells of the notebook share its line; write the exception into .ikm/waivers.yaml'
jq . a.ipynb >b && mv b a.ipynb
IKM_NOW=2026-11-01T00:00:00Z ikm check a.ipynb --json >../out5 || true
same '1 1' "$(jq '.violations | length' ../out5) $(jq '.waived | length' ../out5)"
E

try 'a notebook that is no JSON is told' <<'E'
echo '{"cells": [' >a.ipynb
ikm check a.ipynb >../said 2>&1 || true
grep -q "a.ipynb:1:1: an import may be missed at '{\"cells\": \\[': the notebook is no JSON" ../said
rm a.html a.mdx a.ipynb
E

try 'an agent that writes a file is stopped by the same rule' <<'E'
printf '{"path": "src/ui/e.ts", "content": "import \\"../db/user\\";\\n"}' >../in
fails 5 ikm call file_write <../in >../out2
grep -q 'src/db/user' ../out2
not test -e src/ui/e.ts
echo '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}' >tsconfig.json
printf '{"path": "src/ui/e.ts", "content": "import \\"@/db/user\\";\\n"}' >../in
fails 5 ikm call file_write <../in >../out3
not test -e src/ui/e.ts
rm tsconfig.json
E

more 'a source file of ten million bytes in one line: over the limit it is told' <<'E'
mkdir big
yes "import 'x';" | head -909090 | tr -d '\n' >big/a.js
printf "require('left-pad')" >>big/a.js
ikm check big/a.js --json >../big
jq -e '.violations == [] and (.unjudged | length) == 1' ../big
ikm check big/a.js >../said
grep -q 'has over 8388608 bytes (check.maxFileSize), so import rules do not look into it' ../said
E

more 'and within the limit it is judged' <<'E'
jq '.check.maxFileSize = 20000000' .ikm/config.json >../config
cp ../config .ikm/config.json
ikm check big/a.js --json >../big
jq -e '[.violations[] | [.location.line, .location.column, .found]] ==
	[[1, 10000000, "left-pad"]]' ../big
rm -r big
git checkout -q .ikm/config.json
E

try 'a file of settings above the limit of size is told, and is not missing' <<'E'
truncate -s 67108865 tsconfig.json
echo "import '@/db/user';" >src/ui/f.ts
ikm check src/ui/f.ts >../said
grep -q "not judged: src/ui/f.ts:1:9: .*ikm cannot read 'tsconfig.json' here, which may give it a path: .* over the limit of 67108864 bytes" ../said
mv tsconfig.json pnpm-workspace.yaml
echo '{"dependencies": {"x": "catalog:"}}' >package.json
ikm know rule 0001 --forbid-dependency left-pad
fails 1 ikm check package.json >../said
grep -q "not judged (blocks): package.json: .*'pnpm-workspace.yaml' .* is over the limit of 67108864 bytes" ../said
rm src/ui/f.ts pnpm-workspace.yaml package.json
git checkout -q docs
E

more 'a workspace of a thousand packages takes memory by its files, not by their square' <<'E'
echo '{"workspaces": ["wide/*"]}' >package.json
for i in $(seq 1000); do
	mkdir -p "wide/$i"
	echo '{"name": "p'"$i"'", "exports": {"./a": "./1", "./b": "./2", "./c": "./3"}}' \
		>"wide/$i/package.json"
	echo "import 'p1/b'; import 'left-pad';" >"wide/$i/a.js"
done
(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 400000; ikm check wide --json >../wide)
same 1000 "$(jq '[.violations[] | select(.found == "left-pad")] | length' ../wide)"
rm -r wide package.json
E

cd "$T" || exit 1
if command -v node >/dev/null && [ -e "$NPM/rolldown/dist/parse-ast-index.mjs" ]; then
	more "the rows of JavaScript and TypeScript against Rolldown's parser" <<'E'
node "$TOP/t/imports/javascript.mjs" "$TOP/t/imports/javascript.txt" "$NPM"
E
else
	skip "the rows of JavaScript and TypeScript against Rolldown's parser" 'no node or Rolldown'
fi
if command -v node >/dev/null && [ -e "$NPM/scalameta-parsers" ]; then
	more "the rows of Scala 2 against Scalameta's parser" <<'E'
node "$TOP/t/imports/scala.mjs" "$TOP/t/imports/scala.txt" "$NPM"
E
else
	skip "the rows of Scala 2 against Scalameta's parser" 'no node or scalameta-parsers'
fi
if command -v python3 >/dev/null; then
	more "the rows of Python against Python's parser" <<'E'
python3 "$TOP/t/imports/python.py" "$TOP/t/imports/python.txt"
E
else
	skip "the rows of Python against Python's parser" 'no python3'
fi
if command -v python3 >/dev/null && command -v gcc >/dev/null; then
	more "the rows of C against the preprocessor of gcc" <<'E'
python3 "$TOP/t/imports/c.py" "$TOP/t/imports/c.txt"
E
else
	skip "the rows of C against the preprocessor of gcc" 'no gcc or python3'
fi
if command -v python3 >/dev/null && command -v bash >/dev/null; then
	more "the rows of the shell against bash, which runs them" <<'E'
python3 "$TOP/t/imports/shell.py" "$TOP/t/imports/shell.txt" "$(command -v bash)"
E
else
	skip "the rows of the shell against bash, which runs them" 'no python3 or bash'
fi
for language in C# Go Java Kotlin Rust Swift; do
	if command -v node >/dev/null && [ -e "$NPM/@repomix/tree-sitter-wasms" ] &&
		[ -e "$NPM/@tree-sitter-grammars/tree-sitter-kotlin" ]; then
		some 4 "the rows of $language against tree-sitter's parser" <<'E'
name=$(echo "$language" | sed 's/C#/csharp/' | tr A-Z a-z)
node "$TOP/t/imports/treesitter.mjs" "$name" "$TOP/t/imports/$name.txt" "$NPM"
E
	else
		skip "the rows of $language against tree-sitter's parser" 'no node, tree-sitter-wasms or tree-sitter-kotlin'
	fi
done
if command -v php >/dev/null; then
	more "the rows of PHP against PHP's own tokens" <<'E'
php "$TOP/t/imports/php.php" "$TOP/t/imports/php.txt"
E
else
	skip "the rows of PHP against PHP's own tokens" 'no php'
fi
if command -v ruby >/dev/null; then
	more "the rows of Ruby against Ruby's own parser" <<'E'
ruby "$TOP/t/imports/ruby.rb" "$TOP/t/imports/ruby.txt"
E
else
	skip "the rows of Ruby against Ruby's own parser" 'no ruby'
fi
done_testing
