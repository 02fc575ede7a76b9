#!/bin/sh
# Changing one's mind: a rule is retired when a commit of the range retires it and the result does
# not have it; and every way to cheat that was thought of. One repository; each case is a branch of its main.
. "$(dirname "$0")/../lib.sh"

one=docs/adr/0001-no-mysql.md
two=docs/adr/0002-no-eval.md
three=docs/adr/0003-license.md

conf() { printf '{"knowledge": {"sources": [%s]}%s}\n' "$1" "${2-}" >.ikm/config.json; }
adr='{"path": "docs/adr"}'
package() { printf '{\n  "name": "app",\n  "dependencies": {\n    "%s": "^3"\n  }\n}\n' "$1"; }
decision() { # title, rule
	printf -- '---\nstatus: accepted\ndate: 2026-01-01\nconstraints:\n  - %s\n---\n# %s\n\n' "$2" "$1"
	printf '## Decision\n\nWe decided so, since one team has to mend it at night for all of us.\n'
}

git init -q -b main app
cd app || exit 1
mkdir -p .ikm docs/adr api web lib
conf "$adr"
decision 'No MySQL' "{operator: must_not_use, target: dependency, pattern: 'mysql2?|mariadb', severity: block, message: No MySQL.}" >$one
decision 'No eval' "{operator: must_not_use, target: code, pattern: 'eval\\(', severity: block, message: No eval.}" >$two
decision 'A license' '{operator: must_use, target: file, pattern: LICENSE, severity: block, message: No license.}' >$three
package pg >package.json; package pg >api/package.json; package pg >web/package.json
echo 'module.exports = 1' >lib/a.js; echo MIT >LICENSE
git add -A; git commit -qm base

# ---- steps: each makes a commit with its name ----

c() { git add -A; git commit -qm "$1"; }
status() { sed -i "s/^status: .*/status: $1/" "${2-$one}"; }
retire() { status deprecated "${1-$one}"; c retire; }
accept() { status accepted; c accept; }
use() { package mysql2 >"${1-.}/package.json"; c "use${1:+ $1}"; }
drop() { package pg >package.json; c drop; }
words() { echo "$1" >>lib/a.js; c "words $1"; }

# The verdict: whether it passed; then each finding, as "retired in COMMIT", or "blocks: NEXT".
# A commit shows as its subject.
verdict() {
	jq -r '"passed \(.passed)", ([.violations[] | select(.existing | not) |
		if .retired then "\(.severity): retired in \(.retiredBy.commit[0:12])"
		else "\(.severity)s: \(.next // .message)" end] | unique[]),
		(.ruleChanges[] | select(.blocks) | "\(.change) \(.item)"),
		(.notes[] | select(.blocks) | "blocks: \(.file) \(.message)")' "$1" >../lines
	git log --format='s/%h/[%s]/' --abbrev=12 "$2" >../names.sed
	sed -f ../names.sed ../lines
}

# NAME, STEPS, VERDICT without "passed …" when it passed.
mind() {
	name=$1 steps=$2 want=$3
	case $want in blocks:* | lost* | *'
blocks:'*) want="passed false
$want" ;; *) want="passed true${want:+
$want}" ;; esac
	export name steps want
	some 3 "$1" <<'E'
cd "$T/w/app"
git checkout -qf -B case main; git clean -fdq
eval "$steps"
rc=0
ikm check --range main..HEAD --json >../out || rc=$?
same "$want" "$(verdict ../out main..HEAD)"
same "$(case $want in 'passed true'*) echo 0 ;; *) echo 1 ;; esac)" "$rc"
E
}
own='blocks: to change your mind about docs/adr/0001-no-mysql.md, retire it first, in a commit of its own'
ok='warn: retired in [retire]'
both='warn: retired in [both]'

# ---- a change of mind ----

mind 'retire, then use' 'retire; use' "$ok"
mind 'other commits before, between and after' 'words 1; retire; words 2; use; words 3' "$ok"
mind 'superseded by a new decision, which says so itself' \
	'status "superseded by 0004-any"; decision Any "{operator: must_use, target: file, pattern: LICENSE}" >docs/adr/0004-any.md; c retire; use' "$ok"
mind 'superseded by the word of another decision alone' \
	'decision Any "{operator: must_use, target: file, pattern: LICENSE}" >docs/adr/0004-any.md; sed -i "2i supersedes: 0001-no-mysql" docs/adr/0004-any.md; c retire; use' "$ok"
mind 'a pattern that is edited so that it matches no more' \
	'sed -i "s/mysql2?|//" $one; c retire; use' "$ok"
mind 'a severity that becomes a warning: one finding, and the rule of today tells it' \
	'sed -i "s/severity: block/severity: warn/" $one; c retire; use' 'warns: No MySQL.'
mind 'appliesTo that leaves the place out' \
	"sed -i 's/severity: block/appliesTo: [web\\/], severity: block/' \$one; c retire; use" "$ok"
mind 'a constraint that is taken out' 'sed -i "/operator/d; /^constraints/d" $one; c retire; use' "$ok"
mind 'edited without effect, then retired' \
	'sed -i "s/mysql2?|mariadb/mysql2?|mariadb|maria/" $one; c edit; retire; use' 'warn: retired in [edit]'
mind 'two rules in two commits, each with its own' \
	'retire; use; status deprecated $two; c retire2; echo "eval(1)" >lib/b.js; c eval' \
	'warn: retired in [retire]
warn: retired in [retire2]'
mind 'a rule about what must be there' 'status deprecated $three; c retire; git rm -q LICENSE; c rm' "$ok"
mind 'retired, then deleted, then used' 'retire; git rm -q $one; c rm; use' "$ok"
mind 'used, dropped, retired, used' 'use; drop; retire; use' "$ok"
mind 'a merge of the branch that retires it' \
	'git checkout -qB side; retire; git checkout -q case; words 1; git merge -q --no-edit side; use' "$ok"
mind 'a retiring commit that is cherry-picked before the use' \
	'git checkout -qB side; retire; git checkout -q case; words 1; git cherry-pick side >/dev/null; use' "$ok"

# ---- in one commit, as a squash merge makes it: the hook stops it before it is made ----

mind 'retire and use in one commit' 'status deprecated; package mysql2 >package.json; c both' "$both"
mind 'a squash of two' 'git checkout -qB side; retire; use; git checkout -q case; git merge -q --squash side >/dev/null; c both' "$both"
mind 'edit and use in one commit' 'sed -i "s/mysql2?|//" $one; package mysql2 >package.json; c both' "$both"
mind 'in one commit, and one more use later' \
	'status deprecated; package mysql2 >web/package.json; c both; use api' "$both"
mind 'in one commit, mended, and used again elsewhere' \
	'status deprecated; package mysql2 >web/package.json; c both; package pg >web/package.json; c mend; use api' "$both"

# ---- in another order, which a rebase would change anyway ----

mind 'use, then retire' 'use; retire' "$ok"
mind 'use, rename the file, retire, rename it again' \
	'use web; git mv web www; c mv; retire; git mv www w3; c mv2' "$ok"
mind 'the tree of the retiring commit has one of two findings' 'use web; retire; use api' "$ok"
# ---- cheating ----

mind 'retire, use, and take the retirement back' 'retire; use; git revert --no-edit HEAD~1 >/dev/null' \
	'blocks: No MySQL.'
mind 'retire, take it back, use, retire' 'retire; accept; use; status deprecated; c again' \
	'warn: retired in [again]'
mind 'a retiring commit that is cherry-picked after the use' \
	'git checkout -qB side; retire; git checkout -q case; use; git cherry-pick side >/dev/null' "$ok"
mind 'a retiring commit on a branch that is not merged' \
	'git checkout -qB side; retire; git checkout -q case; use' 'blocks: No MySQL.'
mind 'retired on a branch that is not merged, and with the use' \
	'git checkout -qB side; retire; git checkout -q case; status superseded; package mysql2 >package.json; c both' "$both"
mind 'a merge commit that retires it, after the use' \
	'git checkout -qB side; words 9; git checkout -q case; use; git merge -q --no-commit side; status deprecated; c retire' "$ok"
mind 'deleted with its file, then used' 'git rm -q $one; c lose; use' \
	'blocks: [lose] loses the rule; retire docs/adr/0001-no-mysql.md in a commit of its own
lost 0001-no-mysql'
mind 'made unreadable, then used' 'sed -i "1i x" $one; c lose; use' \
	"blocks: [lose] loses the rule; retire docs/adr/0001-no-mysql.md in a commit of its own
blocks: docs/adr/0001-no-mysql.md its front matter must begin on line 1, with a line that is '---'"
mind 'an edit that still matches, a use, an edit that does not' \
	'sed -i "s/mariadb/maria/" $one; c edit; use; sed -i "s/mysql2?|//" $one; c retire' 'warn: retired in [edit]'
mind 'its source removed in a commit of its own' 'mkdir docs/x; conf "{\"path\": \"docs/x\"}"; echo "# x" >docs/x/1.md; c lose; use' \
	'blocks: [lose] loses the rule; retire docs/adr/0001-no-mysql.md in a commit of its own
lost 0001-no-mysql
lost 0002-no-eval
lost 0003-license'

more 'a commit that cannot be read retires nothing, and ikm says so' <<'E'
cd "$T/w/app"; git checkout -qf -B case main; git clean -fdq
echo '{' >.ikm/config.json; c broken; conf "$adr"; status deprecated; c retire; use
fails 1 ikm check --range main..HEAD >../out
grep -q "^warning commit $(git rev-parse --short=12 HEAD~2): its decisions cannot be read" ../out
grep -q 'retire it first, in a commit of its own' ../out
E

# ---- settings that are weakened in a commit of their own do not help the same change ----

mind 'check.lostRules' 'conf "$adr" ", \"check\": {\"lostRules\": \"warn\"}"; c weak; git rm -q $one; c rm' 'lost 0001-no-mysql'
mind 'check.maxFileSize' 'conf "$adr" ", \"check\": {\"maxFileSize\": 10}"; c weak; echo "eval(1) // a long line of code" >lib/b.js; c eval' \
	'blocks: No eval.'

more 'check.unjudged, check.minRules and check.retire, weakened in a commit of their own' <<'E'
cd "$T/w/app"; git checkout -qf -B strict main; git clean -fdq
conf "$adr" ', "check": {"unjudged": "block", "minRules": 3, "retire": "merged"}'; c strict
git checkout -qB weak; conf "$adr"; c weak
ln -s lib/a.js lib/c.js; c link
fails 1 ikm check --range strict..weak --json >../out
same 'link' "$(jq -r '.unjudged[] | select(.blocks) | .reason' ../out)"
git checkout -qB weak2 strict; conf "$adr"; c weak; retire
fails 1 ikm check --range strict..weak2 >../out
grep -q '2 rules judge, and check.minRules asks for 3' ../out
use
fails 1 ikm check --range strict..weak2 --json >../out
same 'merge the change of docs/adr/0001-no-mysql.md first, in a branch of its own (check.retire is merged)' \
	"$(jq -r '.violations[].next' ../out)"
E

# ---- names ----

mind 'renamed and retired in one commit' 'git mv $one docs/adr/0009-mysql.md; status deprecated docs/adr/0009-mysql.md; c retire; use' "$ok"
mind 'retired, then renamed' 'retire; git mv $one docs/adr/0009-mysql.md; c mv; use' "$ok"
mind 'renamed, retired, renamed' \
	'git mv $one docs/adr/5.md; c mv; retire docs/adr/5.md; git mv docs/adr/5.md docs/adr/9.md; c mv2; use' "$ok"
mind 'renumbered, in two folders' 'mkdir docs/adr/old; git mv $one docs/adr/old/0100-no-mysql.md; c mv; retire docs/adr/old/0100-no-mysql.md; use' "$ok"
mind 'the folder moved with its setting, then retired' \
	'git mv docs/adr docs/decisions; conf "{\"path\": \"docs/decisions\"}"; c mv; retire docs/decisions/0001-no-mysql.md; use' "$ok"
mind 'the folder moved with its setting, retired in the same commit' \
	'git mv docs/adr docs/decisions; conf "{\"path\": \"docs/decisions\"}"; status deprecated docs/decisions/0001-no-mysql.md; c retire; use' "$ok"
mind 'a renamed decision is no change of mind' 'git mv $one docs/adr/9.md; c mv; use' 'blocks: No MySQL.'
mind 'use, then rename and retire' \
	'use; git mv $one docs/adr/9.md; status deprecated docs/adr/9.md; c retire' "$ok"

# ---- what it costs ----

more 'the history is read only for a change of a rule, and for a finding of a retired one' <<'E'
cd "$T/w/app"; git checkout -qf -B case main; git clean -fdq
mkdir -p ../bin; real=$(command -v git); export real
cat >../bin/git <<'G'
#!/bin/sh
for word; do [ "$word" != rev-list ] || echo "$*" >>"$T/w/walks"; done
exec "$real" "$@"
G
chmod +x ../bin/git
walks() { # of a range
	: >../walks
	PATH=$T/w/bin:$PATH ikm check --range "$1" >../out || :
	wc -l <../walks
}
i=0; while [ $i -lt 20 ]; do words $i; i=$((i + 1)); done
same 0 "$(walks main..HEAD)"
retire
same 1 "$(walks main..HEAD)" # the commit of the changed rule
grep -q "$one" ../walks
use
same 2 "$(walks main..HEAD)" # and the commits that touch decisions, for all rules
grep -q 'retired in' ../out
E

more 'more commits than ikm looks into: it says so' <<'E'
cd "$T/w/app"; git checkout -qf -B case main; git clean -fdq
retire; use
{
	i=0; from=$(git rev-parse HEAD)
	while [ $i -lt 120 ]; do
		printf 'commit refs/heads/many\ncommitter A <a@b> 17000%05d +0000\ndata 1\nx\n' $i
		[ $i -gt 0 ] || echo "from $from"
		printf 'M 100644 inline docs/adr/9.md\ndata %d\n# Notes %s\n\n' $((9 + ${#i})) $i
		i=$((i + 1))
	done
} | git fast-import --quiet --force
ikm check --range main..many >../out
grep -q 'retired in' ../out
# The retired decision had another name when it was retired, so only the folder's history has it.
git checkout -qf -B case main; git mv $one docs/adr/5.md; c mv; retire docs/adr/5.md
git mv docs/adr/5.md docs/adr/7.md; c mv2; use
ikm check --range main..HEAD >../out
grep -q 'retired in' ../out
{
	i=0; from=$(git rev-parse HEAD)
	while [ $i -lt 120 ]; do
		printf 'commit refs/heads/many2\ncommitter A <a@b> 17000%05d +0000\ndata 1\nx\n' $i
		[ $i -gt 0 ] || echo "from $from"
		printf 'M 100644 inline docs/adr/9.md\ndata %d\n# Notes %s\n\n' $((9 + ${#i})) $i
		i=$((i + 1))
	done
} | git fast-import --quiet --force
fails 1 ikm check --range main..many2 >../out
grep -q 'this change: has more than 100 commits that touch decisions' ../out
E
long 'a rule that only warns is lost too when its decision is deleted, unless it was retired first' <<'E'
cd "$T/w/app"
git checkout -qf -B warn main; git clean -fdq
sed -i 's/severity: block/severity: warn/' $one; c weaker
git rm -q $one; c delete
ikm check --range HEAD~1..HEAD --json >../out
same 'lost deleted' "$(jq -r '.ruleChanges[] | .change + if .deleted then " deleted" else "" end' ../out)"
git reset -q --hard HEAD~1
retire; git rm -q $one; c delete
ikm check --range HEAD~2..HEAD --json >../out
same retired "$(jq -r '.ruleChanges[] | .change + if .deleted then " deleted" else "" end' ../out)"
E
done_testing
