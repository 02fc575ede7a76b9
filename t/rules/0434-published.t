#!/bin/sh
# A merge or push does not count findings that the remote has already; it counts those that only a
# local branch has. Plain git makes every merge and push.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

rule=.knowledge/adrs/0001-calls-and-databases.md

# A repository with a remote, a branch feat that the remote has, and a finding in the remote's main
# that came with --no-verify.
app() {
	cd "$T/w"
	rm -rf app app.git lib other.git
	repo app
	git init -q --bare -b main app.git
	cd app
	git remote add origin ../app.git
	printf '{\n  "dependencies": {\n    "pg": "^8"\n  }\n}\n' >package.json
	git add .; git commit -qm base; git push -q origin main
	git checkout -qb feat; good >feat.c; git add .; git commit -qm feat
	git push -q origin feat
	git checkout -q main
	sed -i 's/"pg"/"mysql2"/' package.json; bad >main.c; git add .
	git commit -qnm bad; git push -q --no-verify origin main
	git checkout -q feat
}
clean() { # cmd: works, and says nothing of findings
	"$@" >"$T/said" 2>&1 || { echo "'$*' failed:"; cat "$T/said"; return 1; }
	fails 1 grep -q 'No forbidden calls' "$T/said"
}
unpushed() { # cmd: is stopped, and the remote is as it was
	had=$(git ls-remote -q origin)
	rc=0
	"$@" >"$T/said" 2>&1 || rc=$?
	[ "$rc" != 0 ] || { echo "'$*' was not stopped"; return 1; }
	grep -q 'the push was stopped' "$T/said"
	same "$had" "$(git ls-remote -q origin)"
}

long 'a merge of the remote main brings nothing new, nor does the push after it' <<'E'
app
clean git merge --no-edit main
clean git push origin feat
good >more.c; git add .; clean git commit -qm more
clean git push origin feat
E

try 'a pull brings nothing new' <<'E'
app
clean git pull --no-rebase --no-edit -q origin main
clean git push origin feat
E

try 'a finding of ones own in the merge is found, also where the remote has others' <<'E'
app
git merge -q --no-commit main 2>/dev/null
bad g >>main.c; git add .
fails 1 git commit -qm merge 2>../said
grep -q 'main.c:7' ../said; fails 1 grep -q 'main.c:3' ../said
git checkout -q main -- main.c
clean git commit -qm merge
bad >own.c; git add .; git commit -qnm bad
unpushed git push origin feat
grep -q own.c "$T/said"; fails 1 grep -q main.c "$T/said"
E

more 'a merge with conflicts, committed by hand' <<'E'
app
sed -i 's/"pg"/"mariadb"/' package.json; git commit -qam mine
fails 1 git merge -q main >/dev/null
printf '{\n  "dependencies": {\n    "mysql2": "^8"\n  }\n}\n' >package.json; git add .
clean git commit -qm merged
E

more 'a local branch that the remote has not is judged when it is merged, and when it is pushed' <<'E'
app
git checkout -qb side main~1; bad >side.c; git add .; git commit -qnm side
git checkout -q feat
fails 1 git merge --no-edit side 2>../said
grep -q side.c ../said
git merge --abort
git merge -q --no-verify --no-edit side
unpushed git push origin feat
grep -q side.c "$T/said"
E

more 'the local main, ahead of the remote main' <<'E'
app
git checkout -q main; bad >ahead.c; git add .; git commit -qnm ahead
git checkout -q feat
fails 1 git merge --no-edit main 2>../said
grep -q ahead.c ../said; fails 1 grep -q main.c ../said
E

more 'what was mended since does not come back' <<'E'
app
git merge -q --no-edit main; good >main.c; git add .; clean git commit -qm mend
git push -q origin feat
bad >main.c; git add .
refused git commit -qm back
git commit -qnm back
unpushed git push origin feat
grep -q main.c "$T/said"
git reset -q --hard HEAD~1
git merge -q --no-commit main 2>/dev/null || :
bad >main.c; git add .
refused git commit -qm back
E

more 'another branch of the remote: told in a branch, stopped in the default one' <<'E'
app
git checkout -qb evil main~1; bad >evil.c; git add .; git commit -qnm evil
git push -q --no-verify origin evil
git checkout -q feat
clean git merge --no-edit evil
grep -q 'this merge: brings 1 finding that a branch of the remote has' "$T/said"
git checkout -q main
fails 1 git merge --no-edit evil 2>../said
grep -q evil.c ../said
git merge --abort; git merge -q --no-verify --no-edit evil
unpushed git push origin main
grep -q evil.c "$T/said"
E

more 'after a forced push and a rebase onto the remote main' <<'E'
app
git rebase -q main
clean git push -f origin feat
bad >own.c; git add .; git commit -qnm own
git commit -q --amend --no-verify -m again
unpushed git push -f origin feat
grep -q own.c "$T/said"; fails 1 grep -q main.c "$T/said"
E

more 'the first push of a branch that has merged the remote main; a tag of it' <<'E'
app
git checkout -qb fresh main~1; good >fresh.c; git add .; git commit -qm fresh
git merge -q --no-edit main
clean git push origin fresh
git checkout -qb fresh2 main~1; git merge -q --no-edit fresh; bad >own.c; git add .
git commit -qnm own
unpushed git push origin fresh2
grep -q own.c "$T/said"; fails 1 grep -q main.c "$T/said"
git tag v1 fresh; clean git push origin v1
git tag v2 fresh2
unpushed git push origin v2
grep -q own.c "$T/said"
E

more 'what another remote has is new to this one; what upstream has is not' <<'E'
app
git init -q --bare ../other.git; git remote add other ../other.git
git checkout -qb theirs main~1; bad >theirs.c; git add .; git commit -qnm theirs
git push -q --no-verify other theirs:main; git checkout -q feat
fails 1 git merge --no-edit theirs 2>../said
grep -q theirs.c ../said
git merge --abort
git remote rename other upstream
clean git merge --no-edit theirs
clean git push origin feat
E

more 'an unrelated history that is merged is judged' <<'E'
app
git init -q -b main ../lib; cd ../lib; bad >lib.c; git add .; git commit -qm lib; cd ../app
git remote add upstream ../lib; git fetch -q upstream
fails 1 git merge --no-edit --allow-unrelated-histories upstream/main 2>../said
grep -q lib.c ../said
E

# ---- the rules of what is merged ----

more 'a decision that the remote main retired is not retired by the merge' <<'E'
app
git checkout -q main; sed -i 's/^status: .*/status: deprecated/' $rule
git commit -qam retire 2>/dev/null
git push -q origin main 2>/dev/null; git checkout -q feat
git merge --no-edit main >../said 2>&1
fails 1 grep -q 'retired' ../said
bad >after.c; git add .; clean git commit -qm after
clean git push origin feat
E

more 'a decision that only the remote main lost is not lost by the merge' <<'E'
app
git checkout -q main; git rm -q $rule; git commit -qnm lose
git push -q --no-verify origin main; git checkout -q feat
clean git merge --no-edit main
E

more 'a merge that drops what either side has decided is stopped' <<'E'
app
git checkout -q main; sed 's/forbidden_call/other_call/' $rule >.knowledge/adrs/0002-more.md
git add .; git commit -qm more 2>/dev/null; git push -q origin main 2>/dev/null
git checkout -q feat; git merge -q --no-commit main 2>/dev/null
git rm -qf .knowledge/adrs/0002-more.md
fails 1 git commit -qm merge 2>../said
grep -q 'lost 0002-more' ../said
git reset -q --hard
git merge -q --no-commit main 2>/dev/null
git rm -qf $rule
fails 1 git commit -qm merge 2>../said
grep -q 'lost 0001' ../said
E

more 'a branch of the remote that never had the rules takes none away' <<'E'
app
git checkout -q --orphan pages; git rm -rqf .; echo x >index.html; git add .
git commit -qnm pages; git push -q --no-verify origin pages
git checkout -q feat
git merge -q --no-commit --allow-unrelated-histories pages 2>/dev/null
git rm -qf $rule; bad >bad.c; git add .
fails 1 git commit -qm merge 2>../said
grep -q 'lost 0001' ../said; grep -q bad.c ../said
E
done_testing
