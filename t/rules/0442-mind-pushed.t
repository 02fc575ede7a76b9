#!/bin/sh
# Changing one's mind with hooks, pushes, merges, published branches and shallow clones. Plain git
# makes every commit and push.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

rule=.knowledge/adrs/0001-calls-and-databases.md

app() { # a repository with hooks, and a remote that has its first commit
	cd "$T/w"
	rm -rf app app.git clone
	repo app
	git init -q --bare -b main app.git
	cd app
	git remote add origin ../app.git
	git push -q origin main
	git fetch -q origin
}
retire() { sed -i 's/^status: .*/status: deprecated/' $rule; git commit -qam retire 2>/dev/null; }
use() { bad "$@" >use.c; git add .; git commit -qm use "$@" 2>/dev/null; }
both() { sed -i 's/^status: .*/status: deprecated/' $rule; bad >use.c; git add .; git commit -qnm both; }
works() { "$@" >"$T/said" 2>&1 || { echo "'$*' failed:"; cat "$T/said"; return 1; }; }
unpushed() { # cmd: is stopped, and the remote is as it was
	had=$(git ls-remote -q origin)
	rc=0
	"$@" >"$T/said" 2>&1 || rc=$?
	[ "$rc" != 0 ] || { echo "'$*' was not stopped"; return 1; }
	grep -q 'the push was stopped' "$T/said"
	same "$had" "$(git ls-remote -q origin)"
}
said() { grep -qF -- "$1" "$T/said" || { echo "not said: $1"; cat "$T/said"; return 1; }; }

long 'the commit that retires and breaks is stopped, with the way out' <<'E'
app; sed -i 's/^status: .*/status: deprecated/' $rule; bad >use.c; git add .
refused git commit -qm both
said "to change your mind about $rule, retire it first, in a commit of its own"
fails 1 ikm check >"$T/said"
said 'retire it first, in a commit of its own'
git stash -q; git stash pop -q
git commit -qm retire $rule 2>/dev/null
git add use.c; works git commit -qm use
works git push origin main
said 'warn (retired) No forbidden calls, and PostgreSQL only'
said "retired in  $(git rev-parse --short=12 HEAD~1), a commit of this change"
E

try 'in one commit, past the hook: the push tells what it retires' <<'E'
app; both
git checkout -qb feat; works git push origin feat
said "retired in  $(git rev-parse --short=12 HEAD), a commit of this change"
works git push origin HEAD:main
said '(retired)'
E

long 'in two pushes of a branch, and of one on top of it' <<'E'
app; git checkout -qb feat; retire; works git push origin feat
use; works git push origin feat
said '(retired)'
git checkout -qb top; bad g >top.c; git add .; git commit -qm top
works git push origin top
said '(retired)'
E

more 'check.retire merged: two pushes of a branch are no way around' <<'E'
app; echo '{"check": {"retire": "merged"}}' >.ikm.json; mkdir .ikm; mv .ikm.json .ikm/config.json
git add .; git commit -qm strict 2>/dev/null; works git push origin main
git checkout -qb feat; retire; works git push origin feat
use
unpushed git push origin feat
said "merge the change of $rule first, in a branch of its own (check.retire is merged)"
git rm -q .ikm/config.json; git commit -qm weak 2>/dev/null
unpushed git push origin feat
git push -q --no-verify origin HEAD~2:main
works git push origin feat
fails 1 grep -q 'retired' "$T/said"
E

more 'check.unjudged block: weakened in the first push of a branch, it stops the second' <<'E'
app; mkdir .ikm; echo '{"check": {"unjudged": "block"}}' >.ikm/config.json
git add .; git commit -qm strict 2>/dev/null; works git push origin main
git checkout -qb feat; git rm -q .ikm/config.json; git commit -qm weak 2>/dev/null; works git push origin feat
ln -s use.c link.c; git add link.c; git commit -qnm link
unpushed git push origin feat
said "link.c: it is a symbolic link to 'use.c'"
E

long 'used past the hook: it is stopped until a commit retires the rule' <<'E'
app; git checkout -qb feat; bad >use.c; git add .; git commit -qnm use
unpushed git push origin feat
retire
works git push origin feat
said '(retired)'
E

more 'a forced push that drops the retiring commit, or makes one of two' <<'E'
app; git checkout -qb feat; retire; works git push origin feat; use
works git push origin feat
git reset -q --hard main; bad h >h.c; git add .; git commit -qnm use
unpushed git push -f origin feat
said 'h.c:3'
git reset -q --hard main; sed -i 's/^status: .*/status: deprecated/' $rule
echo '{"dependencies": {"mysql2": "3"}}' >package.json; git add .; git commit -qnm both
works git push -f origin feat
said "retired in  $(git rev-parse --short=12 HEAD), a commit of this change"
E

more 'a forced push onto a main that moved' <<'E'
app; git checkout -qb feat; retire; use; works git push origin feat
git checkout -q main; good >m.c; git add .; git commit -qm m; works git push origin main
git checkout -q feat; git rebase -q main; bad k >k.c; git add .; git commit -qm k
works git push -f origin feat
said '(retired)'; said 'k.c:3'
E

more 'a local merge of the branch, and its squash' <<'E'
app; git checkout -qb feat; retire; use; git checkout -q main; good >m.c; git add .; git commit -qm m
works git merge --no-edit feat
said '(retired)'
works git push origin main
app; git checkout -qb feat; retire; use; git checkout -q main
git merge -q --squash feat >/dev/null
refused git commit -qm both
said 'retire it first'
E

more 'a merge of a branch that has both in one commit' <<'E'
app; git checkout -qb feat; both; git checkout -q main; good >m.c; git add .; git commit -qm m
works git merge --no-edit feat
said '(retired)'
E

long 'a squash is told as retired, before it is published and after; a loss stays one' <<'E'
app; both
ikm check --range HEAD~1..HEAD >"$T/said"
said '(retired)'
git push -q --no-verify origin main
ikm check --range HEAD~1..HEAD --json >../out
same "true $(git rev-parse HEAD)" "$(jq -r '"\(.violations[0].retired) \(.violations[0].retiredBy.commit)"' ../out)"
ikm check --range HEAD~1..HEAD --format github >../out
grep -q "^::warning file=$rule,title=No forbidden calls.*::retired in .* and broken since in use.c:3: It breaks" ../out
app; git rm -q $rule; bad g >lost.c; git add .; git commit -qnm lost
git push -q --no-verify origin main
fails 1 ikm check --range HEAD~1..HEAD >"$T/said"
said 'loses the rule'
E

more 'a remote without a default branch: the whole tree is judged, and ikm says so' <<'E'
app; git branch -qm main trunk
bad >old.c; git add .; git commit -qnm old
git -C ../app.git symbolic-ref HEAD refs/heads/trunk
git push -q --no-verify origin trunk trunk:other :main
good >a.c; git add .; git commit -qm a
unpushed git push origin trunk
said 'origin: its default branch is not known, so the whole tree was judged; to ask for it: git remote set-head origin --auto'
said 'old.c:3'
git remote set-head origin --auto >/dev/null
works git push origin trunk
same '' "$(grep -v '^To\|->' "$T/said")"
E

more 'a new branch, and more branches of the remote than a command line can name' <<'E'
app; good >g.c; git add .; git commit -qm g
bad >use.c; git add .; git commit -qnm use
awk -v main="$(git rev-parse origin/main)" 'BEGIN { for (i = 0; i < 7000; i++)
	printf "commit refs/remotes/origin/b%d\ncommitter A <a@e> %d +0000\ndata 1\nx\nfrom %s\n\n", i,
	       1700000000 + i, main }' | git fast-import --quiet
git pack-refs --all
echo "refs/heads/new $(git rev-parse HEAD) refs/heads/new 0000000000000000000000000000000000000000" >../lines
(ulimit -s 1024; fails 1 ikm hook run pre-push -- origin ../app.git <../lines >"$T/said" 2>&1)
said 'use.c:3'
(ulimit -s 1024; git rev-parse HEAD~1 | sed 's,.*,refs/heads/new & refs/heads/new 0000000000000000000000000000000000000000,' |
	works ikm hook run pre-push -- origin ../app.git)
E

more 'a shallow clone that may hide the retiring commit' <<'E'
app; git checkout -qb feat; retire; use; good >g.c; git add .; git commit -qm more; git push -q origin feat 2>/dev/null
git clone -q --depth 1 --no-single-branch "file://$T/w/app.git" ../clone; cd ../clone
git checkout -q feat
rc=0; ikm check --range origin/main..feat >../said 2>&1 || rc=$?
[ $rc != 0 ]
grep -q 'fetch-depth: 0' ../said
git fetch -q --unshallow
works ikm check --range origin/main..feat
said '(retired)'
E

more 'a shallow clone that has the merge base, and not the retiring commit' <<'E'
app; git checkout -qb feat; retire; use; good >g.c; git add .; git commit -qm more
git checkout -q main; good >m.c; git add .; git commit -qm m; git push -q origin main
git checkout -q feat; git merge -q --no-edit main 2>/dev/null; git push -q origin feat 2>/dev/null
git clone -q --depth 2 --no-single-branch "file://$T/w/app.git" ../clone; cd ../clone
git checkout -q feat
fails 1 ikm check --range origin/main..feat >"$T/said"
said 'this shallow clone: may hide the commit that retired a rule'
said 'git fetch --unshallow, or fetch-depth: 0'
git fetch -q --unshallow
works ikm check --range origin/main..feat
said '(retired)'
E

more 'a retired decision that is accepted again: told, with what the tree has' <<'E'
app; retire; use; bad g >use2.c; git add .; git commit -qm use2
sed -i 's/^status: .*/status: accepted/' $rule; git add .
ikm check --staged >"$T/said"
said 'added 0001-calls-and-databases (must_not_use code forbidden_call\( in *.c (block); it was deprecated, and is accepted again; the tree had 2 findings before: ikm know test 0001-calls-and-databases)'
said 'in package.json (block); it was deprecated, and is accepted again)'
ikm check --staged --json >../out
same '2 0' "$(jq -r '[.ruleChanges[].findings] | join(" ")' ../out)"
E
done_testing
