#!/bin/sh
# pre-push: ikm checks each pushed tip against the commits that the remote has. Git makes every
# push.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

# A repository with a remote that has its first commits.
remote() {
	repo "$1"
	git init -q --bare -b main "$1.git"
	git -C "$1" remote add origin "../$1.git"
	git -C "$1" push -q origin main
}
theirs() { # the remote's refs
	git ls-remote -q origin
}
stopped() {
	had=$(theirs)
	refused "$@"
	grep -q 'the push was stopped' "$T/said"
	same "$had" "$(theirs)"
}

try 'a good push passes and says nothing' <<'E'
remote r; cd r
good >a.c; git add .; git commit -qm good
git push -q origin main >../out 2>&1
same '' "$(cat ../out)"
git push -q origin main >../out 2>&1
same '' "$(cat ../out)"
E

try 'a bad commit is stopped, and nothing is pushed' <<'E'
cd r
bad >b.c; git add .; git commit -qnm bad
stopped git push origin main
grep -q 'b.c:3' "$T/said"
grep -q 'push again' "$T/said"
E

try 'the net change counts: mended in a later commit, it passes' <<'E'
cd r
good >b.c; git commit -qam mended
git push -q origin main
E

try 'porcelain output stays clean' <<'E'
cd r
bad >c.c; git add .; git commit -qnm bad
git push --porcelain origin main >../out 2>../err || :
fails 1 grep -q 'forbidden' ../out
grep -q 'the push was stopped' ../err
git reset -q --hard HEAD~1
E

long 'a new branch is judged against where it left the remote' <<'E'
cd r
git checkout -qb new; good >d.c; git add .; git commit -qm good
git push -q origin new
git checkout -qb new2; bad >e.c; git add .; git commit -qnm bad
stopped git push origin new2
git checkout -q main
E

long 'what the remote has already is not told again' <<'E'
remote old; cd old
bad >a.c; git add .; git commit -qnm bad; git push -q --no-verify origin main
good >b.c; git add .; git commit -qm good
git push -q origin main >../out 2>&1
same '' "$(cat ../out)"
git checkout -qb branch; good >c.c; git add .; git commit -qm more
git push -q origin branch >../out 2>&1
same '' "$(cat ../out)"
E

long 'several refs in one push: one bad tip stops all, and each is told once' <<'E'
cd r
git branch -f one main; git checkout -q -B two main
bad >f.c; git add .; git commit -qnm bad; git branch -f three two
stopped git push origin one two three
same 1 "$(grep -c 'f.c:3' "$T/said")"
git push -q origin one
E

long 'a deletion pushes nothing; a tag is a tip' <<'E'
cd r
git push -q origin :one
git tag bad-light two; git tag -a -m x bad-heavy two
stopped git push origin bad-light
stopped git push origin bad-heavy
git tag good main; git push -q origin good
E

long 'a forced push, and one from a detached HEAD' <<'E'
cd r
git checkout -q --detach main~2; good >g.c; git add .; git commit -qm other
git push -qf origin HEAD:main
bad >h.c; git add .; git commit -qnm bad
stopped git push -f origin HEAD:main
git checkout -q main
E

long 'a remote that has nothing, and a remote that is only a URL' <<'E'
repo fresh; git init -q --bare fresh.git; cd fresh
good >a.c; git add .; git commit -qm good
git push -q ../fresh.git main
git push -q ../fresh.git main:other
bad >b.c; git add .; git commit -qnm bad
rc=0; git push ../fresh.git main >../said 2>&1 || rc=$?
[ $rc != 0 ]; grep -q 'the push was stopped' ../said
E

long 'what the remote has and we have not: judged against where we parted' <<'E'
remote apart; git clone -q apart.git apart2; cd apart2
git commit -q --allow-empty -m theirs; git push -q origin HEAD:main
cd ../apart
good >a.c; git add .; git commit -qm ours
git push -qf origin main
git -C ../apart2 commit -q --allow-empty -m again; git -C ../apart2 push -qf origin HEAD:main
bad >b.c; git add .; git commit -qnm bad
stopped git push -f origin main
E

try 'a merge that brings another branch' <<'E'
remote m; cd m
git checkout -qb side; bad >a.c; git add .; git commit -qnm bad
git checkout -q main; good >b.c; git add .; git commit -qm b
git merge -q --no-verify --no-edit side
stopped git push origin main
E

try 'from a bare repository' <<'E'
git clone -q --bare m bare-m.git; cd bare-m.git
ikm hook install >/dev/null
git init -q --bare ../bare-to.git
rc=0; git push ../bare-to.git main >../said 2>&1 || rc=$?
[ $rc != 0 ]; grep -q 'the push was stopped' ../said
E

long 'from a linked worktree' <<'E'
cd m; git worktree add -q --detach ../m2 origin/main; cd ../m2
bad >z.c; git add .; git commit -qnm bad
stopped git push origin HEAD:refs/heads/m2
E

try 'no --no-verify, no hook: what skipping means' <<'E'
cd m
git push -q --no-verify origin main
E

long 'called by the framework pre-commit: no input, the ends in the environment' <<'E'
remote fw; cd fw
bad >a.c; git add .; git commit -qnm bad
export PRE_COMMIT=1 PRE_COMMIT_REMOTE_NAME=origin PRE_COMMIT_REMOTE_URL=../fw.git \
	PRE_COMMIT_LOCAL_BRANCH=refs/heads/main PRE_COMMIT_REMOTE_BRANCH=refs/heads/main
PRE_COMMIT_FROM_REF=$(git rev-parse origin/main) PRE_COMMIT_TO_REF=$(git rev-parse main)
export PRE_COMMIT_FROM_REF PRE_COMMIT_TO_REF
fails 1 ikm hook run pre-push </dev/null 2>../said
grep -q 'the push was stopped' ../said
unset PRE_COMMIT_FROM_REF PRE_COMMIT_TO_REF
fails 1 ikm hook run pre-push </dev/null 2>../said
grep -q 'the push was stopped' ../said
good >a.c; git commit -qam mended
ikm hook run pre-push </dev/null
E

long 'a git-lfs that is not there stops as it did before' <<'E'
remote lfs; cd lfs
ikm hook uninstall >/dev/null
cat >.git/hooks/pre-push <<'H'
#!/bin/sh
command -v git-lfs-of-the-test >/dev/null 2>&1 || { echo "git-lfs is missing" >&2; exit 2; }
git-lfs-of-the-test pre-push "$@"
H
chmod +x .git/hooks/pre-push
ikm hook install >/dev/null
git commit -q --allow-empty -m x
rc=0; git push origin main 2>../said || rc=$?
[ $rc != 0 ]; grep -q 'git-lfs is missing' ../said
mkdir ../lfs-bin
printf '#!/bin/sh\necho "$@" >../lfs-seen; cat >>../lfs-seen\n' >../lfs-bin/git-lfs-of-the-test
chmod +x ../lfs-bin/git-lfs-of-the-test
PATH=$T/w/lfs-bin:$PATH git push -q origin main
same 'pre-push origin ../lfs.git' "$(head -n 1 ../lfs-seen)"
same 2 "$(wc -l <../lfs-seen)"
E

long 'to a remote that has nothing yet: what another remote has is no news' <<'E'
remote olden; cd olden
bad >a.c; git add .; git commit -qnm old
git push -q --no-verify origin main
git init -q --bare ../backup.git
git remote add backup ../backup.git
git push -q backup main
bad g >>a.c; git commit -qanm new
git init -q --bare ../backup2.git
stopped git push ../backup2.git main
E

long 'a tag on a single object is told, and does not stop the rest' <<'E'
remote tagged; cd tagged
git tag blob "$(git rev-parse HEAD:.knowledge/adrs/0001-calls-and-databases.md)"
git push -q origin blob 2>../said
grep -q 'refs/tags/blob: it names a single object' ../said
bad >a.c; git add .; git commit -qnm bad; git tag -f blob "$(git rev-parse HEAD:a.c)"
stopped git push -f origin main blob
E

try 'a bare repository has nothing staged' <<'E'
git init -q --bare b.git
fails 3 ikm -C b.git check --staged 2>err
grep -q 'nothing staged' err
E

long 'a push of many refs' <<'E'
remote many; cd many
head=$(git rev-parse HEAD)
seq 300 | sed "s|.*|create refs/heads/b& $head|" | git update-ref --stdin
git push -q --all origin
E
done_testing
