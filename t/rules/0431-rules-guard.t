#!/bin/sh
# Guards the set of rules: ikm stops or reports each way to remove or weaken a rule. Ordinary work
# passes. Plain git makes every commit.
. "$(dirname "$0")/../lib.sh"

conf() { printf '{"knowledge": {"sources": [%s]}%s}\n' "$1" "${2-}" >.ikm/config.json; }
adr='{"path": "docs/adr"}'
one=docs/adr/0001-no-mysql.md
two=docs/adr/0002-no-eval.md

rules() {
	mkdir -p .ikm docs/adr lib
	conf "$adr"
	cat >$one <<'R'
---
status: accepted
date: 2026-01-01
constraints:
  - {operator: must_not_use, target: dependency, pattern: 'mysql2?|mysqlclient', severity: block, message: No MySQL., useInstead: pg}
---
# PostgreSQL only

## Decision

We use PostgreSQL, since one team runs it for all of us, at night too, and knows how to mend it.
R
	cat >$two <<'R'
---
status: accepted
constraints:
  - {operator: must_not_use, target: code, pattern: '\beval\s*\(', severity: block, message: No eval.}
---
# No eval

## Decision

Code that is made of text is found by nobody who reads the code.
R
	printf '{\n  "name": "app",\n  "dependencies": {\n    "pg": "^8"\n  }\n}\n' >package.json
	echo 'module.exports = 1' >lib/a.js
}

# A fresh repository with the two rules and the hooks, and a remote that has them.
app() {
	cd "$T/w"
	rm -rf app remote.git
	git init -q -b main app
	git init -q --bare -b main remote.git
	cd app
	git remote add origin ../remote.git
	rules
	git add -A
	git commit -qm base
	ikm hook install >/dev/null
	git push -q origin main
}

# The hook must stop the staged change with these words.
stopped() {
	git add -A
	rc=0
	git commit -qm change >"$T/said" 2>&1 || rc=$?
	[ "$rc" != 0 ] || { echo "not stopped:"; cat "$T/said"; return 1; }
	said "$@"
	[ -z "$(ikm check --staged --json 2>/dev/null | jq '.passed | select(.)')" ]
}
# The hook must pass with these words.
told() {
	git add -A
	git commit -qm change >"$T/said" 2>&1 || { echo "stopped:"; cat "$T/said"; return 1; }
	said "$@"
}
# The hook must pass in silence.
silent() {
	git add -A
	git commit -qm change >"$T/said" 2>&1 || { echo "stopped:"; cat "$T/said"; return 1; }
	same '' "$(cat "$T/said")"
}
said() {
	for words; do
		grep -qF -- "$words" "$T/said" || { echo "not said: $words"; cat "$T/said"; return 1; }
	done
}
changes() { jq -r '.ruleChanges[] | "\(.change) \(.item) \(.constraint // "-")"'; }

# ---- a rule goes, and nobody retired it ----

long 'a lost rule has one next step, and no hint to a decision that is not shown' <<'E'
app; git rm -q $one
stopped "put the file back, and set 'status: deprecated' in $one" \
	'next: put the decision back or retire it as told above, git add it, and commit again'
not grep -e 'as above' -e 'fix it' -e 'decided in' "$T/said"
git commit -qnm lost
fails 1 git push -q origin main 2>"$T/said"
said 'next: put the decision back or retire it as told above in a new commit, or amend, and push'
not grep -e 'as above' -e 'fix it' "$T/said"
# With a finding beside it the line is to be mended.
app; git rm -q $one; echo 'eval("1")' >lib/b.js
stopped 'next: fix it, git add it, and commit again' "'ikm why' as above"
E

long 'the last decisions deleted, or moved away: they are lost, and their source is named' <<'E'
app; git rm -rq docs
stopped 'docs/adr: this change takes away the last file of this source of knowledge' \
	"lost 0001-no-mysql ($one was deleted while it was accepted)" 'lost 0002-no-eval' \
	'next: put the decision back'
not grep 'cannot be read' "$T/said"
fails 1 ikm check >"$T/said"; said 'lost 0001-no-mysql'
git commit -qnm gone; fails 1 ikm check --range HEAD~1..HEAD >"$T/said"
said "lost 0001-no-mysql ($one was deleted while it was accepted, in"
not grep 'cannot be read' "$T/said"
# The next commit takes nothing away: the setting is wrong.
echo x >y; git add y; fails 1 git commit -qm x 2>"$T/said"
said "'docs/adr' (.ikm/config.json in the index) cannot be read"
git checkout -q HEAD~1 -- docs; git commit -qm back 2>/dev/null
# No lost rule blocks, and the setting would stop every later commit.
app; sed -i 's/severity: block/severity: warn/' docs/adr/*; git add -A; git commit -qm soft
git rm -rq docs
stopped 'docs/adr: this change takes away the last file'
app; git mv docs/adr decisions
stopped 'docs/adr: this change takes away the last file' \
	'lost 0001-no-mysql (decisions/0001-no-mysql.md is not read'
# A folder that never was is a mistake in the settings.
app; conf '{"path": "docs/adrs"}'
git add -A; fails 1 git commit -qm x 2>"$T/said"; said "'docs/adrs'" 'cannot be read'
E

long 'an edited long rule shows what differs, on two lines' <<'E'
app; sed -i "s/'mysql2.*mysqlclient'/'$(seq -s'|' 100 199)'/" $one; git add -A; git commit -qm long
sed -i 's/|142|/|/; s/|107|/|a107|/' $one
told 'edited 0001-no-mysql'
same '    - must_not_use dependency…103|104|105|106|107|108|109|110|111…|138|139|140|141|142|143|144|145|146…|198|199 (block)
    + must_not_use dependency…103|104|105|106|a107|108|109|110|111…|138|139|140|141|143|144|145|146…|198|199 (block)' \
	"$(grep '^    [-+] ' "$T/said")"
ikm know diff HEAD~1..HEAD >"$T/said" || :; said '|a107|'
# A short rule stands whole on one line.
sed -i "s/'100.*199'/mysql/" $one; git add -A; git commit -qm short 2>/dev/null
sed -i 's/pattern: mysql/pattern: maria/' $one
told 'edited 0001-no-mysql (must_not_use dependency mysql (block) → must_not_use dependency maria (block)'
E

long 'an exception that is not in the index is named' <<'E'
app; echo 'eval("1")' >lib/b.js; stopped 'ikm know waive'
ikm know waive 2 -p lib/ -m 'old code' --until 2027-06-30 >/dev/null; cp .ikm/waivers.yaml ../w
git add lib
fails 1 git commit -qm x 2>"$T/said"
said 'next        git add .ikm/waivers.yaml: its exception at .ikm/waivers.yaml:3 covers this'
not grep 'to allow' "$T/said"
# One that covers another place changes nothing.
sed -i 's#lib/#web/#' .ikm/waivers.yaml; fails 1 git commit -qm x 2>"$T/said"
said 'to allow it until a date'; not grep '^  next' "$T/said"
cp ../w .ikm/waivers.yaml
told
# Where a change's own exception does not count, to add it helps nobody.
app; conf "$adr" ', "check": {"newWaivers": "ignore"}'; git add -A; git commit -qnm conf
cp ../w .ikm/waivers.yaml; echo 'eval("1")' >lib/b.js; git add lib
fails 1 git commit -qm x 2>"$T/said"; said 'merge .ikm/waivers.yaml in a change of its own'
E

more 'as many exceptions as findings: the time grows with their sum' <<'E'
app; mkdir -p .ikm
for i in $(seq 1000); do
	mkdir -p "lib/$i"; yes 'eval("1")' | head -15 >"lib/$i/b.js"
	printf -- '- item: 2\n  paths: ["lib/%s/"]\n  reason: old\n  owner: Ada\n  expires: 2027-06-30\n' "$i"
done >.ikm/waivers.yaml
spent() { # hundredths of a second, and a few more
	(ikm check --staged >"$T/said" || :; times) |
		awk 'NR == 2 { split($1, t, /[ms]/); print int((t[1] * 60 + t[2]) * 100) + 5 }'
}
git add lib; apart=$(spent); same 1000 "$(grep -c 'and is not in the index' "$T/said")"
git add .ikm; one=$(spent); said '15000 waived'
# Each exception with each finding took thirty times as long.
[ "$apart" -lt $((one * 8)) ] || { echo "$apart $one"; false; }
E

long 'what stands before the front matter, or in its place' <<'E'
app; sed -i '1i Some words.' $one
stopped 'rules: 2 → 1; lost 0001-no-mysql' "set 'status: deprecated' in $one"
app; sed -i 's/^---$/+++/' $one
stopped 'lost 0001-no-mysql'
app; sed -i '1i <!-- SPDX-License-Identifier: MIT -->' $one
silent
sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
stopped 'No MySQL.'
E

long 'a folder of the layout below a flat source takes nothing away' <<'E'
app; mkdir docs/adr/patterns; echo '# Retry' >docs/adr/patterns/retry.md
git add -A; git commit -qm retry
sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
stopped 'No MySQL.'
E

long 'the settings go' <<'E'
app; git rm -q .ikm/config.json
stopped 'rules: 2 → 0; lost 0001-no-mysql' '.ikm/config.json, which names its source, is gone' \
	'lost 0002-no-eval' 'setting knowledge.sources'
app; git mv .ikm conf; ln -s conf .ikm
stopped 'rules: 2 → 0' '.ikm is a symbolic link now'
E

long 'the sources of the settings go' <<'E'
app; conf ''
stopped 'rules: 2 → 0' 'no source of knowledge has it' \
	'setting knowledge.sources ([{"path":"docs/adr"}] → [])'
app; mkdir docs/other; echo '# x' >docs/other/1.md; conf '{"path": "docs/other"}'
stopped 'rules: 2 → 0' 'lost 0001-no-mysql'
E

long 'a name that is no name of an item' <<'E'
for name in README.md template.md index.md 0001-no-mysql.mdx 0001-no-mysql.txt; do
	app; git mv $one docs/adr/$name
	stopped 'rules: 2 → 1; lost 0001-no-mysql' "docs/adr/$name is not read"
	# The reason stands there once as a warning, and once for the rule that is lost.
	ikm check --staged --json >../out || :
	same 1 "$(jq --arg p "docs/adr/$name" '[.notes[] | select(.file == $p)] | length' ../out)"
done
E

try 'a file moved out of the source, and one deleted' <<'E'
app; git mv $one docs/no-mysql.md
stopped 'rules: 2 → 1; lost 0001-no-mysql' 'docs/no-mysql.md is not read'
app; git rm -q $one
stopped 'lost 0001-no-mysql' 'was deleted while it was accepted' 'put the file back'
E

try 'another status than one that retires' <<'E'
for status in draft rejected; do
	app; sed -i "s/^status: .*/status: $status/" $one
	stopped 'lost 0001-no-mysql'
done
app; sed -i 's/^status: .*/status: proposed/' $one
stopped 'rules: 2 → 2; lost 0001-no-mysql' 'went from accepted to proposed'
app; sed -i 's/^status: .*/status: acceptd/' $one
stopped 'acceptd'
app; sed -i '/^status: /d' $one
stopped 'lost 0001-no-mysql'
E

long 'an encoding that is not read' <<'E'
app; iconv -f UTF-8 -t UTF-16 $one >x; mv x $one
stopped 'lost 0001-no-mysql' "$one"
app; { printf '\377\376'; cat $one; } >x; mv x $one
stopped 'lost 0001-no-mysql'
E

long 'front matter that does not parse, and constraints that do not' <<'E'
app; sed -i 's/^status: .*/status: [accepted/' $one
stopped 'lost 0001-no-mysql'
app; sed -i 's/must_not_use/must_nto_use/' $one
stopped 'lost 0001-no-mysql'
app; sed -i 's/^constraints:/constrainst:/' $one
git add -A; git commit -qm x >../said 2>&1 || :
grep -q '0001-no-mysql' ../said
E

long 'a link in place of the file, of the folder' <<'E'
app; git mv $one no-mysql.md; ln -s ../../no-mysql.md $one
stopped 'lost 0001-no-mysql'
app; git mv docs/adr decisions; ln -s ../decisions docs/adr
git add -A; fails 1 git commit -qm x 2>../said
grep -q "docs/adr" ../said
E

try 'the folder ignored and out of the index' <<'E'
app; echo docs/ >.gitignore; git rm -rq --cached docs
git add -A; fails 1 git commit -qm x 2>../said
grep -q "docs/adr" ../said
E

long 'an item of another source with the same id does not stand in for one that went' <<'E'
app; mkdir more; printf -- '---\nstatus: accepted\n---\n# Other\n' >more/0001-no-mysql.md
conf "$adr, {\"path\": \"more\"}"
told 'setting knowledge.sources'
git rm -q $one
stopped 'lost 0001-no-mysql'
E

long 'a source at a ref, moved to one that lacks the decision' <<'E'
app; git tag all; git rm -q $one; git commit -qnm less; git tag less
git revert --no-edit HEAD >/dev/null 2>&1; conf '{"path": "docs/adr", "ref": "all"}'
git add -A; git commit -qm all 2>/dev/null
conf '{"path": "docs/adr", "ref": "less"}'
stopped 'lost 0001-no-mysql' 'setting knowledge.sources'
E

more 'a submodule with the decisions, moved to a commit that lacks one' <<'E'
app; git init -q -b main ../decisions; cp -r docs ../decisions
git -C ../decisions add -A; git -C ../decisions commit -qm all
git rm -rq docs; git -c protocol.file.allow=always submodule add -q ../decisions rules
conf '{"path": "rules/docs/adr"}'; git add -A; git commit -qm sub 2>/dev/null
git -C rules rm -q $one; git -C rules commit -qm less
stopped 'lost 0001-no-mysql' 'gives no such item any more'
E

more 'supersedes retires what lies in the same source, and nothing in another' <<'E'
app; mkdir more; printf -- '---\nstatus: accepted\nsupersedes: 0001-no-mysql\n---\n# Any\n' >more/9.md
conf "$adr, {\"path\": \"more\"}"; git add -A; git commit -qm more >../said 2>&1
fails 1 grep -q 'retired 0001\|lost 0001' ../said
sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
stopped 'No MySQL.'
git reset -q --hard; cp more/9.md docs/adr/0009.md
told 'retired 0001-no-mysql'
E

# ---- weaker, by somebody's hand: told, with both texts ----

more 'a pattern, a severity, appliesTo, a constraint that is taken out' <<'E'
app; sed -i "s/mysql2?|mysqlclient/mysql3/" $one
told 'rules: 2 → 2; edited 0001-no-mysql' \
	'must_not_use dependency mysql2?|mysqlclient (block) → must_not_use dependency mysql3 (block)'
app; sed -i 's/severity: block/severity: warn/' $one
told 'edited 0001-no-mysql' '(block) → must_not_use dependency mysql2?|mysqlclient (warn)'
app; sed -i 's/severity: block/appliesTo: [web\/], severity: block/' $one
told 'edited 0001-no-mysql' ' in web/ (block)'
app; sed -i '/^constraints/d; /operator/d' $one
told 'rules: 2 → 1; edited 0001-no-mysql' '→ none'
E

more 'a setting of the judge' <<'E'
app; conf "$adr" ', "check": {"minSeverity": "block"}'
told 'rules: 2 → 2; setting check.minSeverity ("warn" → "block")'
app; conf "$adr" ', "check": {"maxFileSize": 10}'
told 'setting check.maxFileSize (8388608 → 10)'
app; conf "$adr" ', "check": {"lostRules": "warn"}'; git rm -q $one
stopped 'setting check.lostRules' 'lost 0001-no-mysql'
app; conf '{"path": "docs/adr", "type": "policy"}'
told 'setting knowledge.sources'
E

more 'an item of a more specific layer that may replace it' <<'E'
app
conf '{"path": "docs/adr", "layer": "org"}, {"path": "own", "layer": "project"}'
mkdir own; echo '# x' >own/1.md; sed -i 's/^status:.*/&\noverridable: true/' $one
told 'setting knowledge.sources'
printf -- '---\nstatus: accepted\n---\n# Any database\n' >own/0001-no-mysql.md
told 'edited 0001-no-mysql' 'own/0001-no-mysql.md replaces it'
E

more 'the rules as the base had them judge the change that edits them' <<'E'
app; sed -i "s/mysql2?|mysqlclient/mysql3/" $one; sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
stopped 'No MySQL.' 'edited 0001-no-mysql'
E

# ---- ordinary work ----

more 'prose, useInstead and message pass without a word' <<'E'
app; echo 'More words.' >>$one; silent
sed -i 's/useInstead: pg/useInstead: postgres/; s/No MySQL\./MySQL is not used./' $one; silent
echo 'module.exports = 2' >lib/a.js; silent
echo '# What is here' >docs/adr/README.md; silent
printf '# Notes\n\nNo rules.\n' >docs/adr/0009-notes.md; silent
E

more 'a renamed or renumbered decision keeps its rules' <<'E'
app; git mv $one docs/adr/0007-postgresql-only.md; silent
mkdir docs/adr/old; git mv docs/adr/0007-postgresql-only.md docs/adr/old/0007-x.md; silent
git mv docs/adr docs/decisions; conf '{"path": "docs/decisions"}'
told 'rules: 2 → 2; setting knowledge.sources'
fails 1 grep -q lost "$T/said"
git mv $(git ls-files docs/decisions | grep eval) docs/decisions/0002-No-Eval.md; silent
sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
stopped 'No MySQL.'
E

more 'byte order marks and the ends of lines change nothing' <<'E'
app; sed -i 's/$/\r/' $one $two; silent
app; { printf '\357\273\277'; cat $one; } >x; mv x $one; silent
E

more 'a new decision, and a proposal that is accepted or given up' <<'E'
app; sed 's/eval/exec/' $two >docs/adr/0003-no-exec.md
told 'rules: 2 → 3; added 0003-no-exec (must_not_use code \bexec\s*\( (block))'
sed 's/eval/fork/; s/accepted/proposed/' $two >docs/adr/0004-no-fork.md
told 'added 0004-no-fork'
sed -i 's/proposed/accepted/' docs/adr/0004-no-fork.md
told 'added 0004-no-fork' 'it was proposed, and is accepted now'
sed 's/eval/spawn/; s/accepted/proposed/' $two >docs/adr/0005-no-spawn.md
told 'added 0005'
sed -i 's/proposed/rejected/' docs/adr/0005-no-spawn.md
told 'retired 0005-no-spawn'
E

more 'a decision that is retired properly, and deleted later' <<'E'
app; sed -i 's/^status: .*/status: deprecated/' $one
told 'rules: 2 → 1; retired 0001-no-mysql'
git rm -q $one; silent
git push -q origin main 2>../said
grep -q 'rules: 2 → 1; retired 0001-no-mysql' ../said
app; sed -i 's/^status: .*/status: superseded by 0003/' $one
printf -- '---\nstatus: accepted\n---\n# Any\n' >docs/adr/0003.md
told 'rules: 2 → 1; retired 0001-no-mysql'
E

# ---- ranges, pushes ----

more 'two commits: lost with --no-verify, found by the push and by a range' <<'E'
app; git mv $one docs/no-mysql.md; git commit -qanm words; git commit -q --allow-empty -m more
fails 1 git push origin main 2>../said
grep -q 'lost 0001-no-mysql' ../said
fails 1 ikm check --range origin/main..HEAD --json >out
same 'lost 0001-no-mysql 1' "$(changes <out)"
same "$(git rev-parse HEAD~1)" "$(jq -r '.ruleChanges[0].commit' out)"
same 'true 2 1' "$(jq -r '"\(.ruleChanges[0].blocks) \(.checked.rulesBefore) \(.checked.rules)"' out)"
fails 1 ikm check --range origin/main..HEAD --format github >out
grep -q "^::error file=$one,title=rule lost%3A 0001-no-mysql::" out
E

more 'retired in one commit and deleted in the next is no loss, with the commit that retired it' <<'E'
app; sed -i 's/^status: .*/status: deprecated/' $one; git commit -qam retire 2>/dev/null
git rm -q $one; git commit -qm delete
ikm check --range origin/main..HEAD --json >out
same 'retired 0001-no-mysql 1' "$(changes <out)"
E

# ---- settings of the guard ----

more 'check.lostRules warn: told, not stopped' <<'E'
app; conf "$adr" ', "check": {"lostRules": "warn"}'; told 'setting check.lostRules'
git rm -q $one
told 'rules: 2 → 1; lost 0001-no-mysql'
# A person's own command line and environment have the last word.
app; git rm -q $one
fails 1 ikm check --staged
ikm -c check.lostRules=warn check --staged >"$T/said" 2>&1; said 'lost 0001-no-mysql'
IKM_CHECK_LOST_RULES=warn; export IKM_CHECK_LOST_RULES
told 'lost 0001-no-mysql'
E

more 'check.minRules: a floor, and lowering it needs a commit of its own' <<'E'
app; conf "$adr" ', "check": {"minRules": 2}'; told 'setting check.minRules (0 → 2)'
sed -i 's/^status: .*/status: deprecated/' $one
stopped '1 rule judges, and check.minRules asks for 2'
conf "$adr" ', "check": {"minRules": 1}'
stopped '1 rule judges, and check.minRules asks for 2'
git checkout -q HEAD $one; told 'setting check.minRules (2 → 1)'
sed -i 's/^status: .*/status: deprecated/' $one
told 'retired 0001-no-mysql'
fails 1 ikm -c check.minRules=9 check --all >out
grep -q '1 rule judges, and check.minRules asks for 9' out
E

more 'values that these settings do not have' <<'E'
app
fails 2 ikm -c check.lostRules=blok check --staged 2>err
grep -q "'check.lostRules' is 'blok'; allowed: warn, block" err
fails 2 ikm -c check.minRules=-1 check --staged 2>err
grep -q "check.minRules" err
fails 2 ikm -c check.minRules=1000001 check --staged 2>err
grep -q "allowed: a whole number, 0 to 1000000 rules" err
E

more 'check --all prints how many rules there are' <<'E'
app; ikm check --all >out; grep -qx 'rules: 2' out
same 2 "$(ikm check --all --json | jq .checked.rules)"
E

# ---- told, by the change that does it and not at every later one ----

more 'a source without items, and a file that is no item any more' <<'E'
app; mkdir more; echo x >more/x.c; conf "$adr, {\"path\": \"more\"}"
told 'more: '
echo 'module.exports = 3' >lib/a.js; silent
cp $two docs/adr/0003-x.mdx
told 'docs/adr/0003-x.mdx: it has rules, and only'
echo 'module.exports = 4' >lib/a.js; silent
ikm check --all >out
grep -q 'docs/adr/0003-x.mdx: it has rules, and only' out
printf '# What\n' >docs/adr/0008-what.md; silent
git mv docs/adr/0008-what.md docs/adr/README.md
told 'docs/adr/README.md: it is not read'
E

more 'an orphan branch without knowledge, and its push; later commits are silent' <<'E'
app; git checkout -q --orphan pages; git rm -rqf .; echo 'eval (1)' >a.js
told 'origin/main: it has 2 rules, and here is no knowledge at all'
git push origin pages 2>../said
grep -q 'origin/main: it has 2 rules' ../said
echo 'eval (2)' >a.js; silent
same '' "$(git push -q origin pages 2>&1)"
E

# ---- comparing, and what judges ----

more 'know diff compares two revisions, or one with the working tree' <<'E'
app; sed 's/eval/exec/' $two >docs/adr/0003-no-exec.md; git add -A; git commit -qm exec 2>/dev/null
fails 1 ikm know diff HEAD~1..HEAD >out
same 'rules: 2 → 3; added 0003-no-exec (must_not_use code \bexec\s*\( (block), in '"$(git rev-parse HEAD | cut -c1-12))" "$(cat out)"
fails 1 ikm know diff HEAD..HEAD~1 --json >out
same 'lost 0003-no-exec 1' "$(changes <out)"
same '' "$(ikm know diff HEAD..)"
ikm know diff HEAD
sed -i 's/severity: block/severity: warn/' $one
fails 1 ikm know diff HEAD >out
grep -q 'edited 0001-no-mysql' out
echo '{"range": "HEAD"}' | ikm call knowledge_diff >out
same 'edited 0001-no-mysql 1' "$(changes <out)"
fails 2 ikm know diff ..HEAD 2>err; grep -q 'is no range' err
fails 2 ikm know diff nowhere 2>err || fails 3 ikm know diff nowhere 2>err
grep -q "'nowhere' is no commit" err
E

more 'know list --active lists each rule that judges' <<'E'
app; sed 's/eval/fork/; s/accepted/proposed/' $two >docs/adr/0004-no-fork.md
sed 's/eval/spawn/; s/accepted/deprecated/' $two >docs/adr/0005-no-spawn.md
ikm know list --active >out
cat >want <<'W'
block  0001-no-mysql #1  must_not_use dependency mysql2?|mysqlclient  docs/adr/0001-no-mysql.md
block  0002-no-eval #1  must_not_use code \beval\s*\(  docs/adr/0002-no-eval.md
info  0004-no-fork #1  must_not_use code \bfork\s*\(  docs/adr/0004-no-fork.md
W
diff -u want out
same 3 "$(ikm know list --active --json | jq '.rules | length')"
same 0001-no-mysql "$(ikm know list --active --json | jq -r '.rules[0].item')"
same 1 "$(ikm know list --active --status proposed --json | jq '.rules | length')"
rm docs/adr/*; echo '# x' >docs/adr/1.md
ikm know list --active 2>err
grep -q 'no item matches' err
E

more 'a finding keeps its fingerprint when its decision is renamed' <<'E'
app; echo 'eval (1)' >lib/b.js; git add -A
fails 1 ikm check --staged --json >out; before=$(jq -r '.violations[0].fingerprint' out)
git mv $two docs/adr/0022-no-eval.md
fails 1 ikm check --staged --json >out
same "$before" "$(jq -r '.violations[0].fingerprint' out)"
E

more 'a probe of the hooks judges nothing and lets nothing pass' <<'E'
app; sed -i 's/"pg": .*/"mysql2": "^3"/' package.json
fails 1 env IKM_HOOK_PROBE=x git commit -qam x 2>../said
grep -q 'IKM_HOOK_PROBE is set, .*: nothing was judged, and the commit was stopped; unset it' ../said
ikm hook status >/dev/null
E
done_testing
