#!/bin/sh
# Exceptions: .ikm/waivers.yaml and ikm:allow, in every kind of check, and who may grant them.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-11-23T12:00:00Z
export IKM_NOW

entry() { # item, paths, end
	printf -- '- item: %s\n  paths: %s\n  reason: the old shop\n  owner: Ada\n  expires: %s\n' "$@"
}
add_mysql() { mkdir -p "$1"; echo '{"dependencies": {"mysql2": "^3"}}' >"$1/package.json"; }
summary() { jq -c '[.summary.block, .summary.warn, (.waived | length)]' "$1"; }
notes() { jq -r '.notes[] | select(.kind == "waiver") | "\(.file):\(.line) \(.message)"' "$1"; }
at_once() { git -c core.hooksPath=/dev/null commit -qam "$1"; }

try 'a waiver of the base counts: listed apart, counted, and shown with --waived' <<'E'
sh "$TOP/t/sample.sh" r; cd r
entry 0001-postgresql-for-relational-data legacy/ 2027-06-30 >.ikm/waivers.yaml
git add -A; at_once 'an exception'
add_mysql legacy; git add -A
ikm check --staged --json >"$T/out"
same '[0,0,1]' "$(summary "$T/out")"
same '{"item":"0001-postgresql-for-relational-data","paths":["legacy/"],"reason":"the old shop","owner":"Ada","expires":"2027-06-30","file":".ikm/waivers.yaml","line":1}' \
	"$(jq -c '.waived[0].waiver' "$T/out")"
same 1 "$(jq .checked.waived "$T/out")"
same '' "$(notes "$T/out")"
ikm check --staged >"$T/out"
same 'checked 1 file, 1 manifest against 2 constraints of 2 items; 1 waived' "$(cat "$T/out")"
ikm check --staged --waived >"$T/out"
grep -q '^waived PostgreSQL for relational data' "$T/out"
grep -q 'until       2027-06-30 (219 days left), Ada' "$T/out"
add_mysql other; git add -A
fails 1 ikm check --staged --json >"$T/out"
same other/package.json "$(jq -r '.violations[].location.file' "$T/out")"
E

try 'the exceptions of a file are those whose globs cover it, in the order of the file' <<'E'
sh "$TOP/t/sample.sh" covered; cd covered
rule=0001-postgresql-for-relational-data
for dir in legacy legacy/old shop/a shop/b café Till; do add_mysql "$dir"; done
covered() { # PATHS: the manifests that are waived
	entry $rule "$1" 2027-06-30 >.ikm/waivers.yaml; git add -A
	ikm check --all --json >all || :
	jq -r '[.waived[].location.file | rtrimstr("/package.json")] | unique | join(" ")' all
}
same 'legacy legacy/old' "$(covered legacy/)"
same 'legacy legacy/old' "$(covered '/legacy')"
same 'legacy/old' "$(covered legacy/old/package.json)"
same 'legacy/old' "$(covered old)"
same 'legacy legacy/old shop/b' "$(covered '["{legacy,shop/b}"]')"
same 'legacy' "$(covered '[legacy/, "!legacy/old"]')"
same 'legacy shop/a' "$(covered '[legacy/package.json, legacy/package.json, "shop/?", "!shop/b"]')"
same 'café' "$(covered 'café')"
same '' "$(covered lega)"
same 'Till' "$(covered Till)"
same '' "$(covered till)"
git config core.ignoreCase true
same 'legacy legacy/old' "$(covered LEGACY)"
same 'Till' "$(covered till)"
git config core.ignoreCase false
# The first of two that cover it is named, wherever they stand.
{ entry $rule '"**"' 2027-06-30; entry $rule legacy/old 2027-06-30; } >.ikm/waivers.yaml; git add -A
ikm check --all --json >all || :
same '1' "$(jq -r '[.waived[].waiver.line] | unique | join(" ")' all)"
{ entry $rule legacy/old 2027-06-30; entry $rule '"**"' 2027-06-30; } >.ikm/waivers.yaml; git add -A
ikm check --all --json >all || :
same '1 6' "$(jq -r '[.waived[].waiver.line] | unique | join(" ")' all)"
E

try 'names of items: number, path, start; a wrong name is told where the file changes' <<'E'
cd r; git reset -q --hard
for name in 1 ADR-1 docs/adr/0001-postgresql-for-relational-data.md 0001-post; do
	entry "$name" legacy/ 2027-06-30 >.ikm/waivers.yaml; at_once "$name"
	add_mysql legacy; git add -A
	same '[0,0,1]' "$(ikm check --staged --json | jq -c '[.summary.block, .summary.warn, (.waived | length)]')"
	git rm -qrf legacy
done
entry 0009-gone legacy/ 2027-06-30 >.ikm/waivers.yaml; git add -A
ikm check --staged --json >"$T/out"
grep -q "waives nothing: Knowledge item '0009-gone' not found" "$T/out"
E

try 'an item that the change renames keeps its waivers' <<'E'
cd r; git reset -q --hard
entry 0001-postgresql-for-relational-data legacy/ 2027-06-30 >.ikm/waivers.yaml
at_once 'by id'
git mv docs/adr/0001-postgresql-for-relational-data.md docs/adr/0005-postgresql.md
add_mysql legacy; git add -A
ikm check --staged --json >"$T/out"
same '[0,0,1]' "$(summary "$T/out")"
git reset -q --hard; rm -rf legacy
E

try 'before the end it is announced, and after the end the finding counts and says why' <<'E'
cd r
add_mysql legacy; git add -A
IKM_NOW=2027-06-15T23:59:59Z ikm check --staged --json >"$T/out"
same '' "$(notes "$T/out")"
IKM_NOW=2027-06-16T00:00:00Z ikm check --staged --json >"$T/out"
notes "$T/out" | grep -q '^.ikm/waivers.yaml:1 .*counts again after that day (14 days left)'
# In UTC, wherever the machine stands.
for TZ in UTC Pacific/Kiritimati Pacific/Pago_Pago; do
	export TZ
	IKM_NOW=2027-06-30T23:59:59Z ikm check --staged >"$T/out"
	grep -q '(ends today)' "$T/out"
	fails 1 env IKM_NOW=2027-07-01T00:00:00Z ikm check --staged >"$T/out"
	grep -q '(the exception at .ikm/waivers.yaml:1 ended on 2027-06-30)' "$T/out"
done
E

try 'a file that does not parse blocks, also a change that does not touch it' <<'E'
cd r; git reset -q --hard
printf -- '- item: [\n' >.ikm/waivers.yaml; git add -A
fails 1 ikm check --staged --json >"$T/out"
same .ikm/waivers.yaml "$(jq -r '.notes[] | select(.blocks) | .file' "$T/out")"
at_once broken
echo >>README.md; git add -A
fails 1 ikm check --staged >"$T/out"
grep -q '^exception (blocks) .ikm/waivers.yaml:[0-9]*: ' "$T/out"
entry 1 legacy/ 2028-01-01 >.ikm/waivers.yaml; git add -A
fails 1 ikm check --staged >"$T/out"
grep -q "waivers.yaml:5: 'expires' is 404 days ahead; a waiver may last 366 days" "$T/out"
rm .ikm/waivers.yaml; ln -s ../README.md .ikm/waivers.yaml; git add -A
fails 1 ikm check --staged >"$T/out"
grep -q 'no regular file' "$T/out"
git rm -qf .ikm/waivers.yaml; mkdir -p .ikm/waivers.yaml; echo >.ikm/waivers.yaml/x; git add -A
fails 1 ikm check --staged >"$T/out"
grep -q '^exception (blocks) .ikm/waivers.yaml:1: it is no regular file but a folder' "$T/out"
fails 1 ikm check
E

long 'an exemption in .gitattributes is an exception: who grants it, and the stricter side' <<'E'
cd "$T/w"; sh "$TOP/t/sample.sh" generated; cd generated
sed -i 's/^constraints:/constraints:\n  - {operator: must_not_use, target: code, pattern: "eval", severity: block}/' docs/adr/0001-*.md
git commit -qam 'a rule on code'; git branch base
echo '*.gen.js linguist-generated' >.gitattributes
echo 'eval(1)' >src/a.gen.js
git add -A
ikm check --staged --json >"$T/out"
jq -e '.unjudged[0].message | test("adds the attribute")' "$T/out"
fails 1 ikm -c check.newWaivers=ignore check --staged --json >"$T/out"
jq -e '.violations[0] | .location.file == "src/a.gen.js" and
	(.message | test("linguist-generated in .gitattributes is new and does not count: check.newWaivers is ignore"))' "$T/out"
git commit -qm generated
fails 1 ikm -c check.newWaivers=ignore check --range base..HEAD >"$T/out"
ikm check --range base..HEAD
# A change that sets count for itself is judged by the base's ignore.
git checkout -q base
jq '.check.newWaivers = "ignore"' .ikm/config.json >"$T/c"; cp "$T/c" .ikm/config.json
git commit -qam ignore
jq '.check.newWaivers = "count"' .ikm/config.json >"$T/c"; cp "$T/c" .ikm/config.json
echo '*.gen.js linguist-vendored' >.gitattributes
echo 'eval(1)' >src/a.gen.js
git add -A
fails 1 ikm check --staged
git rm -qf --cached src/a.gen.js; rm src/a.gen.js
git commit -qm attributes
# What the base has counts, on every side.
echo 'eval(2)' >src/b.gen.js
git add -A
ikm -c check.newWaivers=ignore check --staged
# Git does not follow a link here: its target, which reads like an exemption, exempts nothing.
ln -sf '*.js linguist-vendored' .gitattributes
echo 'eval(3)' >src/c.js
git add -A
fails 1 ikm check --staged >"$T/out"
grep -q src/c.js "$T/out"
E

try 'who grants: a person, as check.newWaivers says, and the stricter side judges' <<'E'
sh "$TOP/t/sample.sh" who; cd who
entry 1 legacy/ 2027-06-30 >.ikm/waivers.yaml; add_mysql legacy; git add -A
ikm check --staged --json >"$T/out"
same '[0,0,1]' "$(summary "$T/out")"
same '.ikm/waivers.yaml:1 new exception for 1 in legacy/ until 2027-06-30, Ada: the old shop' \
	"$(notes "$T/out")"
ikm check --staged >"$T/out"
grep -q '^exception .ikm/waivers.yaml:1: new exception for 1' "$T/out"
ikm check --range HEAD..HEAD >/dev/null
ikm -c check.newWaivers=count check --staged --json >"$T/out"
same '[0,0,1]' "$(summary "$T/out")"; same '' "$(notes "$T/out")"
fails 1 ikm -c check.newWaivers=ignore check --staged --json >"$T/out"
same '[1,0,0]' "$(summary "$T/out")"
jq -r '.violations[0].message' "$T/out" |
	grep -q 'is new and does not count: check.newWaivers is ignore'
set_new() { jq ".check.newWaivers = \"$1\"" .ikm/config.json >"$T/c"; mv "$T/c" .ikm/config.json; }
set_new count; git add -A
ikm check --staged --json >"$T/out"
notes "$T/out" | grep -q 'new exception'
set_new ignore; git -c core.hooksPath=/dev/null commit -qm strict .ikm/config.json
set_new count; git add -A
fails 1 ikm check --staged
fails 2 ikm -c check.newWaivers=maybe check --staged
E

try 'GitHub shows a new exception on its line' <<'E'
cd who
ikm check --range HEAD..HEAD --format github >/dev/null
git reset -q --hard; sed -i 's/ignore/warn/' .ikm/config.json; at_once warn
entry 1 legacy/ 2027-06-30 >.ikm/waivers.yaml; add_mysql legacy; git add -A; at_once granted
ikm check --range HEAD~1..HEAD --format github >"$T/out"
grep -q '^::warning file=.ikm/waivers.yaml,line=1,.*new exception' "$T/out"
E

try 'an agent grants none: not by a comment, and not by what the repository lacks' <<'E'
cd who
cat >"$T/bad" <<'J'
{"files": [{"path": "src/a.js", "content": "console.log(1); // ikm:allow 2 until 2027-01-01: why\n"}]}
J
ask() { ikm call knowledge_check <"$T/bad" >"$T/out"; jq .summary.warn "$T/out"; }
same 1 "$(ask)"
jq -r '.violations[0].message' "$T/out" | grep -q 'an agent grants no exception'
jq -r '.files[0].content' "$T/bad" >src/a.js
same 0 "$(ask)"
same 1 "$(jq '.waived | length' "$T/out")"
rm src/a.js; entry 2 src/ 2027-06-30 >>.ikm/waivers.yaml
same 0 "$(ask)"
E

try 'merging an exception that the default branch has does not add it' <<'E'
sh "$TOP/t/sample.sh" up
git clone -q up down
cd up
entry 1 legacy/ 2027-06-30 >.ikm/waivers.yaml; add_mysql legacy; git add -A; at_once exception
cd ../down
git checkout -q -b mine; echo >x; git add -A; at_once mine
git fetch -q
git -c core.hooksPath=/dev/null merge -q --no-commit --no-ff origin/main
ikm check --staged --json >"$T/out"
same '' "$(notes "$T/out")"
same '[0,0]' "$(jq -c '[.summary.block, .summary.warn]' "$T/out")"
E

try 'what a change takes away waives nothing any more' <<'E'
cd up
git rm -q .ikm/waivers.yaml
ikm check --staged --json >"$T/out"
same '' "$(notes "$T/out")"
mkdir legacy/a; add_mysql legacy/a; git add -A
fails 1 ikm check --staged --json >"$T/out"
same 1 "$(notes "$T/out" | grep -c '^.ikm/waivers.yaml:.* this change takes away the exception for .* in legacy/ .*; what it waived counts again$')"
fails 1 ikm check --all >"$T/out"
grep -q ' legacy/package.json:1:20 ' "$T/out"
E

long 'widening is new: a later end, a further path; a shorter one or another name is not' <<'E'
cd up; git reset -q --hard
while read -r item paths end want; do
	entry "$item" "$paths" "$end" >.ikm/waivers.yaml; git add -A
	ikm check --staged --json >"$T/out"
	same "$want" "$(notes "$T/out" | wc -l)"
done <<'L'
1 legacy/ 2027-07-30 1
1 [legacy/,new/] 2027-06-30 1
2 legacy/ 2027-06-30 1
1 legacy/ 2027-05-30 0
0001-postgresql-for-relational-data legacy/ 2027-06-30 0
L
E

try 'in --all, what matches nothing is told; in a change it is not' <<'E'
cd up; git reset -q --hard
entry 1 nothing/ 2027-06-30 >>.ikm/waivers.yaml
echo '// ikm:allow 2 until 2027-01-01: no line below breaks it' >>src/server.js
at_once more
ikm check --all --json >"$T/out"
same '.ikm/waivers.yaml:6 this exception for 1 matches nothing: remove it, or correct it
src/server.js:12 this exception for 2 matches nothing: remove it, or correct it' "$(notes "$T/out")"
echo >>README.md; git add -A
ikm check --staged --json >"$T/out"
same '' "$(notes "$T/out")"
ikm check src --json >"$T/out"
same '' "$(notes "$T/out")"
E

long 'of exceptions that cover the same the last to end waives it; another is not needed' <<'E'
sh "$TOP/t/sample.sh" longer; cd longer
add_mysql legacy; sample=src/debug.js
printf 'console.log(1); // ikm:allow 2 until 2026-11-30: first\n' >$sample
entry 1 legacy/ 2026-11-30 >.ikm/waivers.yaml; git add -A
other='is not needed: what it covers is waived by another one, until the same day or longer; remove it'
told() { ikm check --all --waived --json >"$T/out"; notes "$T/out"; }
ends() { jq -r '[.waived[].waiver | "\(.file):\(.line)"] | sort | join(" ")' "$T/out"; }
same ".ikm/waivers.yaml:1 exception for 1 in legacy/ until 2026-11-30, Ada: the old shop; what it waives counts again after that day (7 days left)
$sample:1 exception for 2 until 2026-11-30: first; what it waives counts again after that day (7 days left)" "$(told)"
# The end moves: in place, by an entry more, by a line more, from the comment to the file.
sed -i s/2026-11-30/2027-06-30/ .ikm/waivers.yaml $sample
same '' "$(told)"
for first in 2026-11-30 2026-11-20; do
	{ entry 1 legacy/ $first; entry 1 legacy/ 2027-06-30; } >.ikm/waivers.yaml
	same ".ikm/waivers.yaml:1 this exception for 1 $other" "$(told)"
	same ".ikm/waivers.yaml:6 $sample:1" "$(ends)"
	{ entry 1 legacy/ 2027-06-30; entry 1 legacy/ $first; } >.ikm/waivers.yaml
	same ".ikm/waivers.yaml:6 this exception for 1 $other" "$(told)"
	printf '// ikm:allow 2 until %s: first\nconsole.log(1); // ikm:allow 2 until 2027-06-30: then\n' \
		$first >$sample
	same "$sample:1 this exception for 2 $other" "$(told | grep $sample)"
	entry 2 src/ 2027-07-30 >.ikm/waivers.yaml; rm -rf legacy
	printf 'console.log(1); // ikm:allow 2 until %s: first\n' $first >$sample
	same "$sample:1 this exception for 2 $other" "$(told)"
	same .ikm/waivers.yaml:1 "$(ends)"
	entry 2 src/ $first >.ikm/waivers.yaml
	sed -i s/$first/2027-06-30/ $sample
	same ".ikm/waivers.yaml:1 this exception for 2 $other" "$(told)"
	same $sample:1 "$(ends)"
	add_mysql legacy
done
# One that is over is not told as one too many: nothing else waives what it covers.
entry 1 legacy/ 2026-11-20 >.ikm/waivers.yaml
fails 1 ikm check --all --json >"$T/out"
notes "$T/out" >"$T/told"
not grep -F "$other" "$T/told"
# An exception is needed when another one covers a part of what it covers.
{ entry 1 legacy/ 2026-11-30; entry 1 legacy/a/ 2027-06-30; } >.ikm/waivers.yaml
add_mysql legacy/a
told | grep '^.ikm/waivers.yaml:1 exception for 1 .* counts again after that day'
# A file that no rule could read may need it.
entry 2 src/big.js 2027-06-30 >.ikm/waivers.yaml; rm $sample
yes 'console.log(1);' | head -n 1000 >src/big.js
same '' "$(ikm check --all --json -c check.maxFileSize=1000 >"$T/out"; notes "$T/out")"
E

try 'a check of a file tells a comment with a mistake, also where it finds nothing' <<'E'
cd up; git reset -q --hard
printf '// ikm:allow 2: no end\n// ikm:allow no-such until 2027-01-01: a wrong name\n' >src/idle.js
said="src/idle.js:1 this ikm:allow does not count: 'until' and the end are missing; write 'ikm:allow ITEM until YYYY-MM-DD: reason'
src/idle.js:2 this exception waives nothing: Knowledge item 'no-such' not found"
for what in --all src src/idle.js; do
	ikm check $what --json >"$T/out"
	same "$said" "$(notes "$T/out" | grep idle)"
done
ikm check src/server.js --json >"$T/out"
same '' "$(notes "$T/out")"
rm src/idle.js
E

try 'waivable: false: no exception counts, and the attempt is told' <<'E'
cd up; git reset -q --hard
sed -i 's/^    severity: block/&\n    waivable: false/' docs/adr/0001*; at_once 'for all'
add_mysql legacy/b; git add -A
fails 1 ikm check --staged >"$T/out"
grep -q '(this rule cannot be waived, so .ikm/waivers.yaml:1 does not count)' "$T/out"
E

try 'the first commit of a branch without a base brings new exceptions' <<'E'
sh "$TOP/t/sample.sh" first; cd first
git update-ref -d HEAD
entry 1 legacy/ 2027-06-30 >.ikm/waivers.yaml; add_mysql legacy; git add -A
ikm check --staged --json >"$T/out"
notes "$T/out" | grep -q 'new exception for 1'
E

more 'a rule that moves does not take over an exception of another rule' <<'E'
git init -q -b main move; cd move; mkdir -p .ikm docs/adr lib; echo ok >lib/a.js
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
adr() { # name, patterns
	f=docs/adr/$1.md; shift
	printf -- '---\nstatus: accepted\nconstraints:\n' >"$f"
	for p in "$@"; do
		echo "  - {operator: must_not_use, target: code, pattern: '$p', severity: block, message: $p}"
	done >>"$f"
	printf -- '---\n# T\n\n## Decision\n\nSo it is.\n' >>"$f"
}
adr 0001-both eval foo; adr 0002-bar bar
entry 0001-both lib/ 2027-06-30 >.ikm/waivers.yaml; echo '  constraint: 1' >>.ikm/waivers.yaml
{ entry 0002-bar lib/ 2027-06-30; entry 0009-gone lib/ 2027-06-30; } >>.ikm/waivers.yaml
git add -A; at_once base; git tag base
while IFS='|' read -r what want how; do
	git reset -q --hard; eval "$how"; git add -A
	ikm -c check.newWaivers=ignore check --staged --json >"$T/out" || :
	same "$what $want" "$what $(jq -c '.summary.block' "$T/out")"
	[ "$want" = 0 ] && continue
	jq -r '.violations[0].message' "$T/out" | grep -q 'did not cover this rule before'
	ikm check --staged --json >"$T/out"
	notes "$T/out" | grep -q 'covers a rule that it did not cover before'
done <<'L'
control|0|echo 'eval; bar' >lib/b.js
order|1|adr 0001-both foo eval; echo foo >lib/b.js
item|1|adr 0001-both eval; adr 0002-bar bar foo; echo foo >lib/b.js
names|1|git mv docs/adr/0001-both.md t; git mv docs/adr/0002-bar.md docs/adr/0001-both.md; git mv t docs/adr/0002-bar.md; echo foo >lib/b.js
stale|1|git mv docs/adr/0001-both.md docs/adr/0009-gone.md; echo foo >lib/b.js
id|1|sed -i '2i id: 0009-gone' docs/adr/0001-both.md; echo foo >lib/b.js
L
git reset -q --hard; git mv docs/adr/0001-both.md docs/adr/0009-gone.md; at_once there
git mv docs/adr/0009-gone.md docs/adr/0001-both.md; echo foo >lib/b.js; git add -A; at_once back
fails 1 ikm -c check.newWaivers=ignore check --range base..HEAD
E

more 'an old comment covers no new code, neither before nor behind it' <<'E'
cd move; git reset -q --hard base
c='ikm:allow 0001-both until 2027-01-01: r'
echo "/* $c */ eval(1);" >w.js; printf '// %s\neval(1, bar(\n' "$c" >n.js; git add -A; at_once allowed
while IFS='|' read -r want file text; do
	printf "$text\n" "$c" >"$file"; git add -A
	ikm -c check.newWaivers=ignore check --staged --json >"$T/out" || :
	same "$text $want" "$text $(jq -c '.summary.block' "$T/out")"
	git reset -q --hard
done <<'L'
0|w.js|a();\n/* %s */ eval(1);
0|w.js|eval(1); /* %s */
1|w.js|/* %s */ foo(2); eval(2);
1|w.js|/* %s */ eval(1); foo(2);
1|n.js|// %s\nfoo(1, eval(\n
L
E

done_testing
