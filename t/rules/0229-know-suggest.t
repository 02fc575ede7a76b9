#!/bin/sh
# know suggest: prose becomes a rule with proof, and only when a person accepts it. The decisions
# here are of each form that the page names, and of forms that only look like one.
. "$(dirname "$0")/../lib.sh"

git init -q -b main shop
cd shop || exit 1
mkdir -p .ikm docs/adr src
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
echo '{"dependencies": {"lunr": "2", "react-hook-form": "7", "@testing-library/react": "1", "moment": "2"}}' >package.json
printf 'module m\nrequire github.com/gorilla/mux v1.8.0\n' >go.mod
git add . && git commit -qm all
# Decision number, text as a format of printf.
# shellcheck disable=SC2059
adr() { printf -- "$2" >"docs/adr/000$1-d.md"; }
found() { ikm know suggest --json | jq -c '[.suggestions[] | "\(.line) \(.operator) \(.target) \(.pattern)\(.useInstead // "" | if . == "" then "" else " > " + . end) \(.sign)"]'; }
# Each row: the decision as a format of printf ~ the suggestions as JSON
table() {
	while IFS='~' read -r text want; do
		[ -n "$text" ] || continue
		adr 1 "$text"
		same "$want" "$(found)"
	done
	rm -f docs/adr/0001-d.md
}
options='# D\n\n## Considered Options\n\n'

long 'options that were not chosen, when a package was' <<'E'
table <<R
$options- Option 1: Fuse.js\n- Option 2: Lunr.js\n\n## Decision Outcome\n\nChosen option: "Option 2: Lunr.js".\n~["5 must_not_use dependency fuse\\\\.js > lunr guess"]
$options* [React Hook Form](https://react-hook-form.com/)\n* [Formik](https://formik.org/)\n\n## Decision Outcome\n\n* Chosen Alternative: RHF\n~["6 must_not_use dependency formik > react-hook-form guess"]
$options* Use gorilla/mux\n* [gin-gonic/gin](https://github.com/gin-gonic/gin)\n* Write our own routing\n\n## Decision Outcome\n\nChosen option: gorilla/mux\n~["6 must_not_use dependency github\\\\.com/gin-gonic/gin(/v[0-9]+)? > github.com/gorilla/mux link"]
# Adopt pnpm\n\n## Considered options\n\n- **Keep npm as-is** - old\n- **Migrate to Yarn** - x\n- **Migrate to pnpm** - y\n\n## Decision outcome\n\nChosen option: **Migrate to pnpm**.\n~["5 must_not_exist file package-lock.json term","6 must_not_exist file yarn.lock term"]
$options- Moment.js\n- Native dates\n\n## Decision Outcome\n\nChosen option: Native dates\n~["5 must_not_use dependency moment manifest"]
R
E

try 'options that are ways of work, and choices that nobody made, suggest nothing' <<'E'
table <<R
$options- Monolith\n- Micro services\n\n## Decision Outcome\n\nChosen option: Monolith\n~[]
$options- Lunr\n- Fuse\n\n## Decision Outcome\n\nWe will see.\n~[]
$options- Lunr\n- Write our own search\n- Do nothing\n- Search with a server\n\n## Decision Outcome\n\nChosen option: Lunr\n~[]
# Publish to npm with Yarn\n\n## Considered options\n\n- npm\n- Yarn\n~[]
# D\n\n## Pros and Cons of the Options\n\n- Lunr\n- Fuse\n\n## Decision Outcome\n\nChosen option: Lunr\n~[]
R
E

long 'sentences that forbid, in the title and in the decision' <<'E'
table <<R
# Avoid default exports\n~["1 must_not_use code ^\\\\s*export\\\\s+default\\\\b term"]
# D\n\n## Decision\n\nWe use hooks.\nWe no longer use \`moment\` there.\n~["6 must_not_use dependency moment manifest"]
# D\n\n## Decision\n\n\`React.FC\` and \`React.SFC\` should be avoided in new code.\n~["5 must_not_use code \\\\bReact\\\\.FC\\\\b backticks","5 must_not_use code \\\\bReact\\\\.SFC\\\\b backticks"]
# Use Lunr instead of Moment\n~["1 must_not_use dependency moment manifest"]
# D\n\nWe have [Sub](https://www.npmjs.com/package/@fluffy-spoon/substitute).\n\n## Decision\n\nDeprecate Sub, and use Jest.\n~["7 must_not_use dependency @fluffy-spoon/substitute link"]
# D\n\n## Decision\n\n\`pnpm/action-setup\` is therefore avoided.\n~["5 must_not_use dependency pnpm/action-setup backticks"]
# Do not use Dataloader for queries\n~["1 must_not_use dependency dataloader guess"]
$options- Adopt \`HybridCache\`\n- Adopt \`FusionCache\`\n- Adopt \`FusionCache\` as \`HybridCache\`\n\n## Decision outcome\n\nChosen option: **Adopt \`FusionCache\`**, because\n~["5 must_not_use code \\\\bHybridCache\\\\b backticks"]
# D\n\n## Decision\n\nNever use \`eval()\` here.\n~["5 must_not_use code \\\\beval\\\\s*\\\\( backticks"]
---\nstatus: accepted\n---\n# Avoid class components\n~["4 must_not_use code \\\\bextends\\\\s+(React\\\\.)?(Pure)?Component\\\\b term"]
R
E

long 'packages in small letters without backticks, and those that no manifest has' <<'E'
table <<R
# D\n\n## Decision\n\nDo not use moment.\n~["5 must_not_use dependency moment manifest"]
# D\n\n## Decision\n\nWe avoid the moment library.\n~["5 must_not_use dependency moment manifest"]
# Use lunr instead of moment\n~["1 must_not_use dependency moment > lunr manifest"]
# Use \`lunr\` instead of \`fuse.js\`\n~["1 must_not_use dependency fuse\\\\.js > lunr guess"]
# Use \`lunr\` instead of \`elasticlunr\`\n~["1 must_not_use dependency elasticlunr > lunr guess"]
# D\n\n## Decision\n\nWe no longer use [dayjs](https://www.npmjs.com/package/dayjs).\n~["5 must_not_use dependency dayjs link"]
# Use lunr instead of fuse.js\n~["1 must_not_use dependency fuse\\\\.js > lunr guess"]
# D\n\n## Decision\n\nWe use lunr instead of elasticlunr, which is slow.\n~["5 must_not_use dependency elasticlunr > lunr guess"]
# Replace elasticlunr with lunr\n~["1 must_not_use dependency elasticlunr > lunr guess"]
# Migrate from elasticlunr to \`lunr\`\n~["1 must_not_use dependency elasticlunr > lunr guess"]
# D\n\n## Decision\n\nUse pg instead of mysql2.\n~["5 must_not_use dependency mysql2 guess"]
# D\n\n## Decision\n\nUse the pg driver instead of the mysql2 package.\n~["5 must_not_use dependency mysql2 guess"]
# Use sha256 instead of md5\n~[]
# Use tabs instead of spaces\n~[]
# Use composition instead of inheritance\n~[]
# Use lunr instead of writing\n~[]
# Do not use moment for dates of other people\n~["1 must_not_use dependency moment manifest"]
# We avoid moment objects\n~[]
R
E

long 'lists of names in small letters' <<'E'
table <<R
# Use react-hook-form instead of moment or lunr\n~["1 must_not_use dependency moment > react-hook-form manifest","1 must_not_use dependency lunr > react-hook-form manifest"]
# Use lunr instead of moment or fuse.js\n~["1 must_not_use dependency moment > lunr manifest","1 must_not_use dependency fuse\\\\.js > lunr guess"]
# Use lunr instead of elasticlunr or flexsearch\n~["1 must_not_use dependency elasticlunr > lunr guess","1 must_not_use dependency flexsearch > lunr guess"]
# Use lunr instead of elasticlunr and others\n~["1 must_not_use dependency elasticlunr > lunr guess"]
# Use lunr instead of Fuse.js or moment\n~["1 must_not_use dependency moment > lunr manifest"]
# D\n\n## Decision\n\nmoment, lunr and react-hook-form must not be used.\n~["5 must_not_use dependency react-hook-form manifest","5 must_not_use dependency moment manifest","5 must_not_use dependency lunr manifest"]
# D\n\n## Decision\n\nThe moment library and lunr are forbidden.\n~["5 must_not_use dependency moment manifest","5 must_not_use dependency lunr manifest"]
# D\n\n## Decision\n\nDo not use moment, dates or lunr.\n~["5 must_not_use dependency moment manifest","5 must_not_use dependency lunr manifest"]
# D\n\n## Decision\n\nThe colors of moment must not be used.\n~[]
# D\n\n## Decision\n\nA moment and its lunr form must not be used.\n~[]
R
E

try 'one package manager everywhere' <<'E'
table <<R
# Use pnpm everywhere\n~["1 must_not_exist file package-lock.json term","1 must_not_exist file yarn.lock term","1 must_not_exist file bun.lock term"]
# D\n\n## Decision\n\nWe use Poetry everywhere.\n~["5 must_not_exist file Pipfile.lock term","5 must_not_exist file uv.lock term"]
# Do not use pnpm everywhere\n~[]
# Use npm packages everywhere\n~[]
# Use lunr everywhere\n~[]
R
E

long 'a folder that a sentence names is where its rule holds' <<'E'
mkdir -p src/ui && echo 1 >src/ui/a.ts && git add src
where() { ikm know suggest --json | jq -c '[.suggestions[] | "\(.target) \(.pattern) \((.appliesTo // []) | join(" "))"]'; }
while IFS='~' read -r text want; do
	adr 1 "# D\n\n## Decision\n\n$text\n"
	same "$want" "$(where)" || { echo "$text"; exit 1; }
done <<'R'
Do not use `moment` in `src/ui`.~["import moment src/ui/**/*"]
Do not use moment in `src/`.~["import moment src/**/*"]
`Left.pad` must not be used under `src`.~["code \\bLeft\\.pad\\b src/**/* !src/**/*.md"]
Avoid default exports in `src`.~["code ^\\s*export\\s+default\\b src/**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}"]
Do not use `moment` in `production`.~["dependency moment "]
R
adr 1 '# D\n\n## Decision\n\nDo not use moment in `src/ui`.\n'
echo "import m from 'moment'" >src/ui/a.ts
git add src
ikm know suggest | grep -q '^    src/ui/a.ts:1:16  moment'
git rm -qrf src
mkdir src
rm docs/adr/*
E

long 'a package that is pinned' <<'E'
version() { ikm know suggest --json | jq -c '[.suggestions[] | "\(.operator) \(.target) \(.pattern) \(.version) \(.stops[0]) \(.passes[0])"]'; }
while IFS='~' read -r text want; do
	adr 1 "# D\n\n## Decision\n\n$text\n"
	same "$want" "$(version)" || { echo "$text"; exit 1; }
done <<'R'
We pin moment to 2.29.4.~["must_not_use dependency moment <2.29.4 || >2.29.4 moment@0.0.0 moment@2.29.4"]
Pin `moment` at version v2.29.4, for it works.~["must_not_use dependency moment <2.29.4 || >2.29.4 moment@0.0.0 moment@2.29.4"]
The package `moment` is pinned to 2.29.4.~["must_not_use dependency moment <2.29.4 || >2.29.4 moment@0.0.0 moment@2.29.4"]
Pin github.com/gorilla/mux to v1.8.0.~["must_not_use dependency github\\.com/gorilla/mux(/v[0-9]+)? <1.8.0 || >1.8.0 github.com/gorilla/mux@0.0.0 github.com/gorilla/mux@1.8.0"]
We do not pin moment to 2.29.4.~[]
We pin moment to 2.~[]
We pin left-pad to 1.3.0.~[]
R
rm docs/adr/*
E

try 'tables and examples that say what is right and what is wrong' <<'E'
table <<R
# D\n\n## Decision\n\n| Correct | Forbidden |\n|---|---|\n| \`lunr\` | \`moment\` |\n| \`logger.info()\` | \`System.out()\` |\n~["7 must_not_use dependency moment > lunr manifest","8 must_not_use code \\\\bSystem\\\\.out\\\\s*\\\\( > logger.info() backticks"]
# D\n\n## Rules\n\n:x: Don't | Do | Why\n--- | :-: | ---\nMoment | Lunr | \`a\|b\`\n~["7 must_not_use dependency moment > lunr manifest"]
# D\n\n## Decision\n\nWrong:\n\n\`\`\`js\nimport m from 'moment'\n\`\`\`\n\nRight:\n\n\`\`\`js\nimport d from 'lunr'\n\`\`\`\n~["7 must_not_use dependency moment manifest"]
# D\n\n## Decision\n\n\`\`\`js\n// bad\nx = JSON.parse(s)\n// good\nx = read(s)\n\`\`\`\n~["5 must_not_use code \\\\bJSON\\\\.parse\\\\s*\\\\( backticks"]
# D\n\n### Good\n\n\`\`\`go\nlog(x)\n\`\`\`\n\n### Bad\n\n\`\`\`go\nfmt.Println(x)\n\`\`\`\n\nMore.\n~["11 must_not_use code \\\\bfmt\\\\.Println\\\\s*\\\\( backticks"]
R
E

more 'a table of other things, an example without its counterpart, a choice of several calls' <<'E'
table <<R
# D\n\n## Decision\n\n| Option | Cost |\n|---|---|\n| \`moment\` | high |\n~[]
# D\n\n## Context\n\n| Good | Bad |\n|---|---|\n| \`lunr\` | \`moment\` |\n~[]
# D\n\n## Decision\n\nWrong:\n\n    a.b(x)\n~[]
# D\n\n## Decision\n\n\`\`\`js\n// bad\na.b(c.d())\n// good\ne()\n\`\`\`\n~[]
# D\n\n## Decision\n\n\`\`\`js\nimport m from 'moment'\n\`\`\`\n~[]
R
E

more 'context, drivers and plain words suggest nothing' <<'E'
table <<R
# D\n\n## Context\n\nWe no longer use \`moment\`.\n\n## Decision\n\nx\n~[]
# D\n\n## Decision\n\nThis avoids bugs, and we avoid long meetings.\n~[]
# D\n\n## Decision\n\nAvoid using \`README.md\` for this, and \`some words\`.\n~[]
# Do not use Server-Side Pagination\n~[]
# Do not use Redis clusters\n~[]
# Do not use IDs\n~[]
# D\n\n## Decision\n\nWe write \`.x\` instead of \`Error.x\`, and \`a.b\` in favor of it.\n~[]
$options- \`LIMIT\`: it limits the engine\n- \`CRLF\`\n\n## Decision\n\n\`CRLF\`\n~[]
$options- Lunr\n  - Fast: yes\n- Search by hand\n\n## Decision Outcome\n\nChosen option: Lunr\n~[]
# D\n\n## Decision\n\nWe replace Create React App with Vite.\n~[]
# D\n\n## Decision\n\n\`\`\`\navoid using moment\n\`\`\`\n~[]
---\nstatus: rejected\n---\n# Avoid default exports\n~[]
---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: dependency, pattern: moment}\n---\n# Do not use Moment\n~[]
R
E

long 'a denied phrase and a question forbid nothing' <<'E'
while IFS= read -r text; do
	adr 1 "# D\n\n## Decision\n\n$text\n"
	same '[]' "$(found)" || { echo "$text"; exit 1; }
done <<'R'
We will never ban `Left.pad`.
We do not avoid `Left.pad`.
We don't want to avoid `Left.pad`.
We don’t avoid `Left.pad`.
We no longer forbid `Left.pad`.
There is no need to deprecate `Left.pad`.
We cannot avoid `Left.pad`.
We will never, ever, ban `Left.pad`.
We will not stop using Moment.
We lift the ban on `Left.pad`.
We did not migrate from moment.
We discussed whether to avoid `Left.pad`.
Nothing says that `Left.pad` should be avoided.
Should we ban `Left.pad`?
R
table <<'R'
# D\n\n## Decision\n\nIt is not typed, so we avoid `Left.pad`.\n~["5 must_not_use code \\bLeft\\.pad\\b backticks"]
# D\n\n## Decision\n\nThis is no fashion: avoid `Left.pad`.\n~["5 must_not_use code \\bLeft\\.pad\\b backticks"]
# D\n\n## Decision\n\n`React.FC` has no generics and should be avoided.\n~["5 must_not_use code \\bReact\\.FC\\b backticks"]
# D\n\n## Decision\n\nWe will never ban `Zoo.x`, but ban `Left.pad`.\n~["5 must_not_use code \\bLeft\\.pad\\b backticks"]
# D\n\n## Decision\n\nWe not only avoid `Left.pad`.\n~["5 must_not_use code \\bLeft\\.pad\\b backticks"]
# D\n\n## Decision\n\nDo not use `Zoo.x` instead of `Left.pad`.\n~["5 must_not_use code \\bZoo\\.x\\b backticks"]
# D\n\n## Decision\n\nAvoid `Zoo.x` in favor of `Left.pad`.\n~["5 must_not_use code \\bZoo\\.x\\b backticks"]
R
E

long 'a banned name that no manifest has is told with the command that makes the rule' <<'E'
adr 1 '# Log with pino\n\n## Decision\n\nWe log in JSON.\n`winston` must not be used.\n'
adr 2 '# D\n\n## Decision\n\nWe no longer use `axios`.\n\nDo not use `moment`.\n'
ikm know suggest 1 >out 2>err
cat >want <<'W'
docs/adr/0001-d.md:6 bans 'winston', which no manifest here has: ikm know rule 0001-d --forbid-dependency winston
W
diff want out
same '0 suggestions from 1 decision, 1 banned name that no manifest here has' "$(cat err)"
ikm know suggest --commits 0 >out 2>err
same 1 "$(grep -c '^1  docs/adr/0002-d.md:7$' out)"
same 'docs/adr/0001-d.md:6 bans docs/adr/0002-d.md:5 bans ' "$(tail -2 out | cut -d "'" -f 1 | tr -d '\n')"
same '1 suggestion from 2 decisions, 2 banned names that no manifest here has; none is a rule yet. To accept one: ikm know suggest --apply N' "$(cat err)"
same '[{"name":"axios","id":"0002-d","path":"docs/adr/0002-d.md","line":5,"sentence":"We no longer use `axios`","command":"ikm know rule 0002-d --forbid-dependency axios"}]' \
	"$(ikm know suggest 2 --json | jq -c .unknown)"
# The command works as it stands, and then the line is gone.
sh -c "$(ikm know suggest 2 --json | jq -r '.unknown[0].command + " --no-stage"')" >/dev/null
same '[]' "$(ikm know suggest 2 --json | jq -c .unknown)"
# More than ten are counted, and JSON has them all.
{
	printf '# D\n\n## Decision\n'
	for i in a b c d e f g h i j k l; do printf "\nDo not use \`left-$i\`.\n"; done
} >docs/adr/0002-d.md
ikm know suggest 2 >out 2>/dev/null
same '10 and 2 more; --json lists all' "$(grep -c ' bans ' out) $(tail -1 out)"
same 12 "$(ikm know suggest 2 --json | jq '.unknown | length')"
rm docs/adr/*
E

long 'of the names that a phrase bans, those that can be packages' <<'E'
unknown() { ikm know suggest --json | jq -r '[.unknown[].name] | join(" ")'; }
while IFS='~' read -r text want; do
	adr 1 "# D\n\n## Decision\n\n$text\n"
	same "$want" "$(unknown)" || { echo "$text"; exit 1; }
done <<'R'
Never use `axios`, `got` or `left_pad` here.~axios got left_pad
The HTTP client `axios` should be avoided.~axios
`winston` and `bunyan` are no longer used, and `pino` is.~winston bunyan
As `pino` is fast, `winston` is forbidden.~winston
We no longer use `axios`, but call `fetch`.~axios
We avoid `axios` and use `got`.~axios
Do not use `axios`. Never use `axios`.~axios
`github.com/pkg/errors` must not be used.~github.com/pkg/errors
We will not ban `axios`.~
Should we ban `axios`?~
We no longer use `moment` and `lunr`.~
Never use `eval()`, `--force`, `.npmrc`, `src/old` or `two words`.~
Never use `README.md`, `setup.cfg`, `app.js`, `docker-compose.yml` or `Makefile`.~
Never use `package.json`, `tsconfig-base.json`, `Dockerfile` or `src.old`.~
Never use `GlobalSettings`, `flatMap`, `Flask` or `socket.io-client`.~Flask socket.io-client
Use `fetch` instead of `axios`.~
Never use `a.B`, `$HOME`, `HTTP_PROXY`, `x`, `12` or `a:b`.~
Avoid `enum` and `console.log`.~
| Good | Bad |\n|---|---|\n| `pino` | `winston` |~winston
R
# Where packages are written with capitals, such a name may be one.
echo '<Project><ItemGroup><PackageReference Include="AutoMapper" Version="1"/></ItemGroup></Project>' >a.csproj
git add a.csproj
adr 1 '# D\n\n## Decision\n\nDo not use `AutoMapper` or `FluentAssertions`.\n'
same FluentAssertions "$(unknown)"
git rm -qf a.csproj
rm docs/adr/*
# A manifest has a package that it pins.
echo 'axios==1.0' >requirements.txt
git add requirements.txt
adr 1 '# D\n\n## Decision\n\nDo not use `axios` or `got`.\n'
same got "$(unknown)"
git rm -qf requirements.txt
rm docs/adr/*
E

more 'outside a repository no manifest is read, and nothing is told' <<'E'
mkdir -p ../bare/adr
printf '# Do not use `axios`\n' >../bare/adr/0001-d.md
same '[]' "$(ikm -C ../bare know suggest --knowledge adr --json | jq -c .unknown)"
E

try 'each has examples that hold, and what it hits now and in past commits' <<'E'
adr 1 '# Avoid default exports\n\nStatus: accepted\n'
adr 2 '# Do not use Moment\n\nStatus: accepted\n'
echo 'export default 1;' >src/a.ts
git add . && git commit -qm two
ikm know suggest --json >out
same '["export default a;"] ["export const a = 1;"] 1 1' "$(jq -r '.suggestions[0] | "\(.stops) \(.passes) \(.total) \(.commits)"' out)"
same '2 2' "$(jq -r '"\(.judgedCommits) \(.decisions)"' out)"
same '1 1' "$(jq -r '.suggestions[1] | "\(.total) \(.commits)"' out)"
ikm know suggest >out 2>err
grep -q '^1  docs/adr/0001-d.md:1$' out
same '  now: 1 violation|    src/a.ts:1:1  export default|  last 2 commits: violations in 1|' "$(sed -n 5,7p out | tr '\n' '|')"
same '2 suggestions from 2 decisions; none is a rule yet. To accept one: ikm know suggest --apply N' "$(cat err)"
same '' "$(git status --porcelain docs src .ikm)"
E

long 'a person accepts one by its number, and know rule writes it' <<'E'
fails_for OUT_OF_RANGE ikm know suggest --apply 3
fails_for NO_SUCH_ITEM ikm know suggest 9
ikm know suggest 2 --apply 1 >out 2>err
grep -q '^  examples: 2 of 2 hold$' out
grep -q '^staged: docs/adr/0002-d.md$' out
git diff --cached -U0 docs | grep '^+  ' >got
cat >want <<'W'
+  - operator: must_not_use
+    target: dependency
+    pattern: moment
+    severity: block
+    examples: {stops: [moment], passes: [moment-other]}
W
diff want got
same '["1 must_not_use code ^\\s*export\\s+default\\b term"]' "$(found)"
# The other keeps its number, and a number that is used up writes nothing.
same 1 "$(ikm know suggest --json | jq -r '.suggestions[].number')"
ikm know suggest --apply 1 --no-stage >/dev/null
same '[]' "$(found)"
git reset -q docs && git checkout -q docs
ikm know suggest --apply 1 --no-stage >/dev/null
fails_for EXISTS ikm know suggest --apply 1
same 2 "$(ikm know suggest --json | jq -r '.suggestions[].number')"
git checkout -q docs
ikm know suggest --apply 2 >/dev/null 2>&1
ikm know suggest --apply 1 --no-stage --json | jq -e '.applied.passed and .applied.rules[0].appliesTo != null'
echo '{"dependencies": {"moment": "3"}}' >package.json
git add . && fails 1 ikm check --staged >out 2>&1 || :
ikm lint docs
git reset -q --hard
E

more 'no source, a bare repository' <<'E'
ikm -C .. know suggest 2>err
grep -q 'no knowledge is configured' err
git clone -q --bare . ../bare.git
ikm -C ../bare.git know suggest 2>err
same '0 suggestions from 0 decisions' "$(cat err)"
E

more 'of what the collections get 7 in 10 are right, and half of what could be a rule has one' <<'E'
awk -F '\t' '
$2 == "shown" { shown++; right[1] += $5 == "right"; right[2] += $6 == "right"; files[$1, ++n[$1]] = $3 }
$2 == "could" {
	for (i = 1; i <= n[$1]; i++) if (index(files[$1, i], $3) == 1) break
	for (r = 1; r <= 2; r++) if ($(r + 3) == "yes") { could[r]++; got[r] += i <= n[$1] }
}
END {
	print shown, right[1], right[2], could[1], got[1], could[2], got[2]
	exit !(right[1] >= .7 * shown && right[2] >= .7 * shown && got[1] >= could[1] / 2 && got[2] >= could[2] / 2)
}' "$TOP/t/conformance/suggest.tsv" >sums || { cat sums; exit 1; }
same '25 23 22 32 16 26 16' "$(cat sums)"
E

done_testing
