#!/bin/sh
# Rules about a change as a whole: must_not_shrink counts, must_change_together asks for a second
# file. On every way into a repository they judge what the change does, and nothing else.
. "$(dirname "$0")/../lib.sh"

rules() { # rules as YAML, one a line: the decision 0001-tests, committed with all else
	{ printf -- '---\nstatus: accepted\nseverity: block\nconstraints:\n'
	  cat
	  printf -- '---\n# Tests\n'; } >docs/adr/0001-tests.md
	git add -A
	git commit -qm rules
}
git init -q -b main repo
cd repo || exit 1
mkdir -p .ikm docs/adr t models migrations
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
printf 'assert(1)\nassert(2)\nassert(3)\n' >t/a.py
printf 'assert(4)\n' >t/b.py
echo 'a = 1' >models/user.py
echo 'b = 1' >models/order.py
echo x >migrations/1.sql
git add -A
git commit -qm first
rules <<'E'
  - {operator: must_not_shrink, target: code, pattern: '\bassert\(', appliesTo: t/}
  - {operator: must_change_together, target: file, pattern: migrations/, appliesTo: models/}
E
git tag begin
# git tells a hook that a commit replaces HEAD by its author and an earlier time alone.
begin() {
	GIT_AUTHOR_DATE='1700000007 +0000'
	git reset -q --hard begin
	git clean -qfd
	git checkout -q main
	git reset -q --hard begin
}
found() { jq -r '.violations[] | "\(.location.file) \(.message)"' "$@"; }

long 'staged: the message has the numbers, and a file that must change too' <<'E'
begin
printf 'assert(1)\n' >t/a.py
echo 'a = 2' >models/user.py
ikm check >out && exit 1
git add -A
fails 1 ikm check --staged --json >out
same 'models/user.py it changes, and no file that matches migrations/ does
t/a.py the change must not make the matches fewer (pattern \bassert\(, in t/) (3 before, 1 now)' \
	"$(found out)"
fails 1 ikm check --staged --format sarif >out
jq -e '[.runs[0].results[].ruleId] | length == 2' out
# One comes back elsewhere: the numbers of all files say how many are gone.
printf 'assert(4)\nassert(5)\n' >t/b.py
git add -A
fails 1 ikm check --staged --json >out
found out | grep -F '(3 before, 1 now; all changed files: 4 before, 3 now)'
# Tests move, and a migration goes along.
printf 'assert(1)\nassert(2)\nassert(9)\n' >t/b.py
printf 'assert(1)\n' >t/c.py
echo y >migrations/2.sql
git add -A
ikm check --staged
E

try 'range: what happens on the way does not count; the rule begins after its own commit' <<'E'
begin
printf 'assert(1)\n' >t/a.py
git commit -qam less
printf 'assert(1)\nassert(2)\nassert(3)\n' >t/a.py
git commit -qam 'as it was'
ikm check --range begin..HEAD
git rm -q t/b.py
git commit -qm gone
fails 1 ikm check --range begin..HEAD >out
grep -q '1 before, 0 now' out
ikm check --range begin~1..HEAD
E

long 'hooks: a commit, a push and a server stop; an exception in the file of waivers lets it pass' <<'E'
begin
ikm hook install >/dev/null
git init -q --bare ../server
git push -q ../server begin:refs/heads/main
(cd ../server && ikm hook install --server >/dev/null)
git rm -q t/b.py
fails 1 git commit -qm less 2>err
grep -q '1 before, 0 now' err
git commit -qnm less
fails 1 git push -q ../server HEAD:main 2>err
grep -q '1 before, 0 now' err
fails 1 git push -q --no-verify ../server HEAD:main 2>err
grep -q '1 before, 0 now' err
git reset -q --soft begin
ikm know waive 1 --constraint 1 --path t/ --reason 'b.py tested what is gone' --until 2027-01-01
git add -A
git commit -qm 'less, with a reason'
ikm hook uninstall >/dev/null
E

long 'a commit that replaces HEAD is judged as the change of its parent' <<'E'
begin
ikm hook install >/dev/null
printf 'assert(4)\nassert(5)\n' >t/b.py
echo 'a = 2' >models/user.py
echo y >migrations/2.sql
git add -A
git commit -qm 'one test more'
printf 'assert(4)\n' >t/b.py
echo 'a = 3' >models/user.py
git commit -q --amend -am 'none more'
printf 'x\n' >t/b.py
fails 1 git commit -q --amend -am 'one less' 2>err
grep -q '1 before, 0 now' err
# --date, or a clock that was wrong.
git checkout -q HEAD t/b.py
git commit -q --amend --date=2090-01-01T00:00:00Z -m ahead
echo 'a = 4' >models/user.py
git commit -q --amend -am 'ahead too' 2>err
[ ! -s err ]
ikm hook uninstall >/dev/null
E

try 'of two commits in one second the second does not pass for an amend' <<'E'
begin
ikm hook install >/dev/null
unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
echo 'assert(5)' >>t/b.py
echo 'a = 2' >models/user.py
echo y >migrations/2.sql
git add -A
git commit -qm 'one test more'
GIT_AUTHOR_DATE=$(git log -1 --format=@%ad --date=raw)
export GIT_AUTHOR_DATE IKM_NOW=$(git log -1 --format=%aI)
echo 'assert(4)' >t/b.py
echo 'a = 3' >models/user.py
fails 1 git commit -qam 'one less' 2>err
grep -q '2 before, 1 now' err
grep -q 'models/user.py' err
grep -q 'if it is an amend, run the same command again' err
ikm hook uninstall >/dev/null
E

long 'why and know waive find what a stopped git commit -a has left unstaged' <<'E'
begin
ikm hook install >/dev/null
printf 'assert(1)\n' >t/a.py
echo 'a = 2' >models/user.py
fails 1 git commit -qam less 2>err
same 2 "$(grep -c 'more  *ikm why' err)"
for print in $(ikm check --json | jq -r '.violations[].fingerprint'); do
	ikm why "$print" >out
	grep -q '^\(t/a\|models/user\).py: ' out
	ikm know waive "$print" --reason 'until they move' --until 2027-01-01 >/dev/null
done
git add .ikm/waivers.yaml
git commit -qam less
ikm hook uninstall >/dev/null
E

try 'a merge of two branches that both passed passes; what the merge itself loses does not' <<'E'
begin
git checkout -qb one begin
echo 'a = 2' >models/user.py
echo y >migrations/2.sql
git add -A && git commit -qm one
git checkout -qb two begin
echo 'b = 2' >models/order.py
echo z >migrations/3.sql
printf 'assert(4)\nassert(5)\n' >t/b.py
git add -A && git commit -qm two
git merge -q --no-commit --no-ff one >/dev/null 2>&1
ikm check --staged
git rm -qf t/a.py
fails 1 ikm check --staged >out
grep -q 't/a.py' out
grep -q '3 before, 0 now' out
E

try 'a whole tree has nothing to compare; an edit of one file is not the change' <<'E'
begin
ikm check --all --json >out
jq -e '.passed and ([.. | .notJudged? // empty] == [2])' out
ikm call knowledge_check '{"files": [{"path": "t/a.py", "content": ""}]}' >out
jq -e '.checked.notJudged == 2 and .violations == []' out
E

try 'know rule writes them; an example is what a change takes away, or the one path it changes' <<'E'
begin
printf -- '---\nstatus: accepted\n---\n# Two\n' >docs/adr/0002-two.md
git add -A && git commit -qm two
ikm know rule 2 --not-shrink 'def test_' --in t/ --stops 'def test_a():' --passes 'def help():' \
	>out 2>err
grep -q 'examples: 2 of 2 hold' out
grep -q "'0002-two' needs an ikm after 0.1.0, for must_not_shrink: upgrade servers and CI first" err
ikm know rule 2 --change-with CHANGELOG.md --in src/ --stops src/a.c --passes CHANGELOG.md \
	--passes doc/a >out
grep -q 'examples: 3 of 3 hold' out
sed -n '/^constraints/,/^---/p' docs/adr/0002-two.md >got
same 'constraints:
  - operator: must_not_shrink
    target: code
    pattern: def test_
    appliesTo: t/
    severity: block
    examples: {stops: ["def test_a():"], passes: ["def help():"]}
  - operator: must_change_together
    target: file
    pattern: CHANGELOG.md
    appliesTo: src/
    severity: block
    examples: {stops: [src/a.c], passes: [CHANGELOG.md, doc/a]}
---' "$(cat got)"
rm got
fails_for BAD_ARGUMENT ikm know rule 2 --not-shrink x --change-with y --in src/ --stops x
E

try 'a decision about its own folder can be retired, moved and taken back' <<'E'
printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_change_together, target: file, pattern: CHANGELOG.md, severity: block}\n---\n# Three\n' >docs/adr/0003-three.md
git add -A && git commit -qm three
echo x >>t/a.py
fails 1 ikm check >out
grep -q 'CHANGELOG.md' out
git checkout -q t
ikm know status 3 deprecated >/dev/null 2>&1
git add docs
ikm check --staged
git reset -q --hard
ikm know rule 3 --remove 1 >/dev/null
ikm check --staged
git reset -q --hard
git mv docs/adr/0003-three.md docs/adr/0003-moved.md
echo more >>docs/adr/0003-moved.md
git add -A
ikm check --staged >out # it breaks no rule, whatever it says of them
fails 1 grep -q 'CHANGELOG.md does' out
git reset -q --hard HEAD~1
E

try 'know test tells what the rule would have stopped' <<'E'
begin
git rm -q t/b.py
git commit -qm 'less of them'
ikm know test 1 >out
grep -q 'stopped  less of them' out
grep -q 't/b.py.*1 before, 0 now' out
E

try 'lint says which ikm a decision needs; know for names the second file' <<'E'
begin
ikm lint 2>err
same 1 "$(grep -c "^'0001-tests' needs an ikm after 0.1.0, for must_not_shrink" err)"
ikm lint --json 2>/dev/null | jq -e '.needs | length == 1'
ikm know for models/user.py --json >out
jq -e '[.. | .operator? // empty] == ["must_change_together"]' out
E
done_testing
