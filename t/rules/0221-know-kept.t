#!/bin/sh
# No rule is lost in silence when knowledge is read: folders, front matter, names, links.
. "$(dirname "$0")/../lib.sh"

RULE='{operator: must_not_use, target: dependency, pattern: mysql2, severity: block, message: No MySQL.}'
export RULE

# A repository in ./app with a blocking rule in docs/adr/0001-no-mysql.md; the shell is in it then.
app() {
	cd "$T/w"
	rm -rf app
	git init -q app
	cd app
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	printf '%s\n' --- 'status: accepted' 'date: 2026-01-01' constraints: "  - $RULE" --- '# PostgreSQL only' \
		>docs/adr/0001-no-mysql.md
	echo '{"dependencies": {"pg": "^8"}}' >package.json
	git add -A
	git commit -qm base
}

# Commits the staged content; then stages the forbidden change, which the rule must stop.
stopped() { # message
	git commit -q --allow-empty -m "$1"
	echo '{"dependencies": {"mysql2": "^3"}}' >package.json
	git add -A
	fails 1 ikm check --staged >../out 2>&1
	grep -q 'No MySQL\.' ../out
}

# Prints file, line and message of the broken knowledge that blocks the working tree.
refused() {
	git add -A
	fails 1 ikm check --staged --json >../out 2>../err
	jq -r '.notes[] | select(.kind == "broken" and .blocks) |
		"\(.file):\(.line): \(.message)"' ../out
}

try 'the rule stops the change as it is' <<'E'
app
stopped again
E

long 'a folder of the other layout below a flat source takes no rule away' <<'E'
for folder in adrs policies patterns specs teams/x/policies company/adrs projects; do
	app
	mkdir -p "docs/adr/$folder"
	echo '# Retry' >"docs/adr/$folder/retry.md"
	git add -A
	ikm check --staged >../out
	stopped "$folder"
	same 2 "$(ikm know list --json | jq .totalCount)"
done
same adr "$(ikm know show 0001-no-mysql --json | jq -r .item.type)"
mkdir docs/adr/patterns
echo '# P' >docs/adr/patterns/p.md
same pattern "$(ikm know show p --json | jq -r .item.type)"
E

try 'what may stand before the front matter leaves the rules in force' <<'E'
for head in '<!-- SPDX-License-Identifier: MIT -->' '' "$(printf '<!--\nA licence\n-->\n\n[//]: # (x)')"; do
	app
	printf '%s\n' "$head" | cat - docs/adr/0001-no-mysql.md >new
	mv new docs/adr/0001-no-mysql.md
	git add -A
	ikm check --staged
	stopped licence
	same 'accepted 2026-01-01' "$(ikm know show 0001-no-mysql --json | jq -r '.item | "\(.status) \(.createdAt)"')"
done
app
tr '\n' '\r' <docs/adr/0001-no-mysql.md >new
mv new docs/adr/0001-no-mysql.md
git add -A
stopped 'old line ends'
E

more 'a front matter that is none is broken knowledge with its line, and blocks' <<'E'
f=docs/adr/0001-no-mysql.md
on_line_1="its front matter must begin on line 1, with a line that is '---'"
app
sed -i '1i Decided in January.\n' $f
same "$f:7: $on_line_1" "$(refused)"
same draft "$(ikm know show 0001-no-mysql --json | jq -r .item.status)"
app
sed -i 's/^---$/----/' $f
same "$f:5: $on_line_1" "$(refused)"
app
sed -i 's/^---$/+++/' $f
same "$f:1: its front matter is TOML (+++): write it as YAML between lines of '---'" "$(refused)"
app
sed -i '6d' $f
same "$f:1: the frontmatter has no closing line '---'" "$(refused)"
app
iconv -f UTF-8 -t UTF-16 $f >new
mv new $f
same "$f:null: the file is UTF-16: save it as UTF-8" "$(refused)"
app
iconv -f UTF-8 -t UTF-16LE $f >new
mv new $f
same "$f:1: the file has NUL bytes, so it is no text: save it as UTF-8" "$(refused)"
app
sed -i 's/^constraints:$/rules:/' $f
same "$f:4: the rules under 'rules' are not read: the member's name is 'constraints'" "$(refused)"
app
sed -i -e 's/^constraints:$/<<:/' -e 's/^  - \(.*\)/  constraints: [\1]/' $f
same "$f:4: the rules behind the merge key '<<' are not read: write them under 'constraints'" "$(refused)"
E

more 'rules in a block that is not read are told' <<'E'
app
printf '# R\n\n## Rules\n\n```yaml\n- %s\n```\n' "$RULE" >docs/adr/0002-r.md
git add -A
ikm check --staged >../out
grep -q 'docs/adr/0002-r.md:5: the rules in this block are not read' ../out
E

more 'an ordinary section Constraints stops nobody' <<'E'
app
cat >docs/adr/0003-spec.md <<'W'
---
status: accepted
---
# Spec

## Constraints

It runs on Linux.

```json
{"a": 1}
```

```
text
```

```yaml
tolerations:
- {key: a, operator: Exists}
```

```yaml
a: [
```
W
git add -A
ikm check --staged --json >../out
same '[]' "$(jq -c .notes ../out)"
ikm check --all >../out
E

more 'a folder for each decision is read where the source says so, and told where not' <<'E'
rm -rf keps
git init -q keps
cd keps
mkdir .ikm
echo '{"knowledge": {"sources": [{"path": "keps"}]}}' >.ikm/config.json
for n in 1 2 3 4; do
	mkdir -p keps/sig-$((n % 2))/$n-name
	printf '%s\n' --- 'status: accepted' constraints: "  - $RULE" --- "# KEP $n" >keps/sig-$((n % 2))/$n-name/README.md
	echo 'status: implementable' >keps/sig-$((n % 2))/$n-name/kep.yaml
done
mkdir keps/NNNN-kep-template
echo '# KEP template' >keps/NNNN-kep-template/README.md
ikm know list >../out 2>../err
grep -q '^not read keps: no item is in this source: its files are passed over (5 README, index or template, 4 not named \*.md)' ../err
grep -q 'give the source "files": "\*/\*/README.md"$' ../err
ikm know list --json >../out
same '["keps","no_item"]' "$(jq -c '.passed[] | [.file, .reason]' ../out)"
ikm check --all >../out
grep -q 'warning keps: no item is in this source' ../out
grep -q 'warning keps/sig-0/2-name/README.md: it has rules, and README files are no items' ../out
echo '# Stray' >keps/stray.md
ikm check --all >../out
same 1 "$(grep -c 'warning keps: 5 README or index files are no items' ../out)"

echo '{"knowledge": {"sources": [{"path": "keps", "files": "{*/*,*}/README.md"}]}}' >.ikm/config.json
ikm know list --json >../out
same '1-name 2-name 3-name 4-name' "$(jq -r '[.items[].id] | join(" ")' ../out)"
same null "$(jq -c .passed ../out)"
same 'KEP 3' "$(ikm know show 3-name --json | jq -r .item.title)"
echo '{"dependencies": {"mysql2": "^3"}}' >package.json
fails 1 ikm check --all >../out
grep -q 'No MySQL\.' ../out
E

more 'a source that is set up wrongly is told by how it is written' <<'E'
app
for c in '{"path": "docs/adr"}|is an object; allowed: a list of objects, such as \[{"path": "docs/adr"}\]' \
	'["docs/adr"]|is a list with .docs/adr. in it; allowed: a list of objects, such as \[{"path": "docs/adr"}\]' \
	'[{"path": "docs/adr", "files": "[a"}]|a source.s files: glob .\[a. has a \[ without a \]' \
	'[{"path": "docs/adr", "file": "*"}]|a source has layer, path, ref, type and files, all strings'; do
	echo "{\"knowledge\": {\"sources\": ${c%%|*}}}" >.ikm/config.json
	fails 2 ikm know list 2>../err
	grep -q "${c#*|}" ../err
done
echo '{"check": {"maxFileSize": "x"}}' >.ikm/config.json
fails 2 ikm know list 2>../err
grep -q "'check.maxFileSize' is 'x'; allowed: a whole number, 1 to 1073741824 bytes" ../err
E

more 'an id in the front matter is the item, whatever its file is called' <<'E'
app
sed -i '1a id: no-mysql' docs/adr/0001-no-mysql.md
same no-mysql "$(ikm know list --json | jq -r '.items[].id')"
git mv docs/adr/0001-no-mysql.md docs/adr/0009-databases.md
same docs/adr/0009-databases.md "$(ikm know show no-mysql --json | jq -r .item.path)"
sed -i 's/^id: .*/id: no mysql/' docs/adr/0009-databases.md
fails 1 ikm check --all >../out
grep -q "0009-databases.md:2: id 'no mysql' is not valid, so the file's name '0009-databases' is the id" ../out
E

more 'the file that supersedes is enough to retire a rule, and its end does not bring it back' <<'E'
app
printf '%s\n' --- 'status: accepted' 'supersedes: 0001-no-mysql' --- '# MySQL is fine' >docs/adr/0002-mysql.md
same '["superseded","0002-mysql"]' "$(ikm know show 0001-no-mysql --json | jq -c '.item | [.status, .supersededBy[]]')"
echo '{"dependencies": {"mysql2": "^3"}}' >package.json
ikm check --all
for status in deprecated superseded; do
	sed -i "s/^status: .*/status: $status/" docs/adr/0002-mysql.md
	ikm check --all
done
for status in draft proposed rejected; do
	sed -i "s/^status: .*/status: $status/" docs/adr/0002-mysql.md
	fails 1 ikm check --all
done
sed -i -e "s/^status: .*/status: accepted/" -e 's/^supersedes: .*/supersedes: 1/' docs/adr/0002-mysql.md
fails 1 ikm check --all >../out
grep -q "it is still in force, but superseded by '0002-mysql', which names it by its number" ../out
E

more 'a decision that is superseded and not retired: told by the new file, and by what it stops' <<'E'
app
kept="docs/adr/0001-no-mysql.md:2: it is still in force, but superseded by '0002-mysql', which names it by its number: write the whole id to retire it"
printf '%s\n' --- 'status: accepted' 'supersedes: 1' --- '# MySQL is fine' >docs/adr/0002-mysql.md
git add -A
ikm check --staged >../out
grep -Fx "warning $kept" ../out
git commit -qm 'mysql is fine'
echo a >a
git add a
ikm check --staged >../out
fails 1 grep -F 'still in force' ../out
echo '{"dependencies": {"mysql2": "^3"}}' >package.json
fails 1 ikm check >../out
grep -Fx "warning $kept" ../out
same "$kept" "$(ikm check --json | jq -r '.notes[] | select(.kind == "warning") | "\(.file):\(.line): \(.message)"')"
git add package.json
git commit -qm mysql
echo b >>a
ikm check >../out
fails 1 grep -F 'still in force' ../out
E

more 'several items in one supersedes, and names that are not there' <<'E'
app
for n in 2 3; do
	printf '%s\n' --- 'status: accepted' --- "# D$n" >docs/adr/000$n-d.md
done
printf '%s\n' --- 'status: accepted' 'supersedes: [0002-d, 0003-d, 0004-gone]' --- '# N' >docs/adr/0005-n.md
printf '%s\n' --- 'status: superseded by [x](x.md)' --- '# O' >docs/adr/0006-o.md
ikm know show 0005-n --json >../out
same '"0002-d"' "$(jq -c .item.supersedes ../out)"
same '["0002-d","0003-d","0004-gone"]' "$(jq -c .item.supersedesAll ../out)"
same 3 "$(ikm know show 0005-n | grep -c '^supersedes  ')"
same '["0002-d","0003-d"]' "$(ikm why 0005-n --json | jq -c '[.replaced[].id]')"
same '["x"]' "$(ikm know show 0006-o --json | jq -c .item.supersededBy)"
ikm check --all >../out
grep -q "0005-n.md:3: it supersedes '0004-gone', which no source has" ../out
grep -q "0006-o.md:2: it is superseded by 'x', which no source has" ../out
E

more 'a broken override leaves the rule above it in force' <<'E'
app
mkdir -p docs/adr/company/policies docs/adr/teams/core/policies
printf '%s\n' --- 'status: accepted' 'overridable: true' constraints: \
	"  - {operator: must_not_use, target: code, pattern: 'eval', severity: block, message: No eval.}" --- \
	'# No eval' >docs/adr/company/policies/no-eval.md
sed "s/'eval'/'(('/; /overridable/d" docs/adr/company/policies/no-eval.md >docs/adr/teams/core/policies/no-eval.md
git add -A
git commit -qm broken
echo 'eval(2)' >b.js
git add b.js
fails 1 ikm check --staged >../out
grep -q 'No eval\.' ../out
grep -q 'broken: 1 item' ../out
E

more 'broken items are counted, not their mistakes' <<'E'
app
printf '%s\n' --- 'status: nope' 'severity: high' constraints: \
	"  - {operator: must, target: code, pattern: x}" '  - 3' --- '# B' >docs/adr/0002-b.md
fails 1 ikm check --all --json >../out
same 1 "$(jq .checked.broken ../out)"
same 4 "$(jq '[.notes[] | select(.kind == "broken")] | length' ../out)"
ikm know list >../out 2>../err
grep -q '^draft .* 0002-b  B  (broken)  docs/adr/0002-b.md$' ../out
ikm know show 0002-b --json >../out
same 4 "$(jq '.broken | length' ../out)"
ikm know show 0002-b >../out 2>../err
grep -q '^broken knowledge docs/adr/0002-b.md:2: status .nope. is unknown' ../err
same null "$(ikm know show 0001-no-mysql --json | jq -c .broken)"
E

more 'rules in an item without status are told when it is committed, with the line to add' <<'E'
app
idle="the rules do not apply: add 'status: accepted'"
printf '%s\n' --- constraints: "  - $RULE" --- '# N' >docs/adr/0002-n.md
git add -A
ikm check --staged >../out
grep -q "docs/adr/0002-n.md: it has rules and no status.*$idle" ../out
git commit -qm x
echo a >a
git add a
ikm check --staged >../out
fails 1 grep -q "$idle" ../out
mkdir ../given
cp docs/adr/0002-n.md ../given/
ikm check --staged --knowledge ../given >../out
grep -q "given/0002-n.md: it has rules.*$idle" ../out
rm -r ../given
E

more 'an empty list of statuses asks for any' <<'E'
app
printf '%s\n' --- 'status: proposed' --- '# P' >docs/adr/0002-p.md
same 2 "$(echo '{"status": []}' | ikm call knowledge_query | jq .totalCount)"
same 2 "$(echo '{"status": []}' | ikm call knowledge_list | jq .totalCount)"
same 1 "$(echo '{}' | ikm call knowledge_query | jq .totalCount)"
E

more 'before the first commit there is no history, and no error' <<'E'
git init -q fresh
cd fresh
mkdir -p .knowledge/adrs
echo '# A' >.knowledge/adrs/a.md
same '[]' "$(ikm know show a --history --json | jq -c .history)"
E

# https://github.com/swiftlang/swift-evolution/blob/main/process.md and
# https://peps.python.org/pep-0001/#pep-review-resolution have the words.
more 'statuses and types of other processes are known' <<'E'
app
n=100
for s in Final:accepted Living:accepted implementable:accepted 'Last Call:proposed' Review:proposed \
	provisional:proposed Moved:deprecated Stagnant:deprecated \
	'Active Review (May 5...May 19, 2026):proposed' 'Scheduled for review:proposed' \
	'Returned for revision:draft' Previewing:accepted 'Partially implemented (Swift 6):accepted' \
	Expired:rejected 'Final Comment Period:proposed' Historic:deprecated 'April Fool!:rejected'; do
	printf '%s\n' --- "status: ${s%%:*}" 'type: Standards Track' --- '# E' >docs/adr/eip-$n.md
	same "${s#*:} adr" "$(ikm know show eip-$n --json | jq -r '.item | "\(.status) \(.type)"')"
	n=$((n + 1))
done
same '[]' "$(ikm check --all --json | jq -c .notes)"
E
done_testing
