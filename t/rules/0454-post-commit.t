#!/bin/sh
# post-commit tells the author of a commit that no hook has judged, and stops nothing.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

ikm_said() { grep '^ikm:' "$T/said" || :; }
does() { # cmd: works, whatever it prints
	"$@" >"$T/said" 2>&1 || { echo "'$*' failed:"; cat "$T/said"; return 1; }
}

try 'a commit with -n that breaks a rule is told, with the next step' <<'E'
repo r; cd r
bad >a.c; git add .
does git commit -qnm bad
id=$(git rev-parse --short=12 HEAD)
cat >../want <<WANT
ikm: $id is made, and no hook stopped what it breaks:
  a.c:3:9  forbidden_call(  0001-calls-and-databases: It breaks under load.
next: fix it, git add it, and git commit --amend; the pre-push hook and CI check it too
WANT
diff -u ../want "$T/said"
good >a.c; git add .
does git commit -q --amend -m good
same '' "$(cat "$T/said")"
E

long 'what pre-commit passes or has told is not told again' <<'E'
cd r
good >b.c; git add .; does git commit -qm good
same '' "$(cat "$T/said")"
sed -i 's/severity: block/severity: warn/' .knowledge/adrs/*.md; git commit -qam warn 2>/dev/null
bad >w.c; git add .; does git commit -qm warn
same 1 "$(grep -c 'w.c:3' "$T/said")"
same '' "$(ikm_said)"
git reset -q --hard HEAD~2
bad >c.c; git add .
IKM_HOOKS=0 does git commit -qm skipped
same 'ikm: IKM_HOOKS=0: pre-commit was skipped, nothing was judged' "$(cat "$T/said")"
git reset -q --hard HEAD~1
E

long 'cherry-pick and revert are told; each commit of a rebase has one line' <<'E'
cd r
git checkout -qb side; for i in 1 2 3; do bad $i >$i.c; git add .; git commit -qnm $i 2>/dev/null; done
git checkout -qb pick main; does git cherry-pick side
ikm_said | grep -q 'no hook stopped what it breaks'
git checkout -qb base main; good >g.c; git add .; git commit -qm g
git checkout -q side
does git rebase -q base
same 3 "$(ikm_said | grep -c ' is made, and breaks 0001-calls-and-databases in [123].c:3$')"
same 3 "$(wc -l <"$T/said")"
git checkout -qb fix; good >3.c; git commit -qam fix
does git revert --no-edit HEAD
ikm_said | grep -q 'no hook stopped'
E

try 'a commit that retires a rule and breaks it' <<'E'
cd r; git checkout -qf -b both main
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; bad >both.c; git add .
does git commit -qnm both
same "ikm: $(git rev-parse --short=12 HEAD) is made, and retires a rule and breaks it: 0001-calls-and-databases" \
	"$(cat "$T/said")"
git checkout -q main
E

long 'the first commit, a merge with conflicts, and lost rules' <<'E'
git init -q -b main root; cd root; ikm hook install >/dev/null
mkdir -p .knowledge/adrs; cp ../r/.knowledge/adrs/*.md .knowledge/adrs; bad >a.c; git add .
does git commit -qnm root
grep -q 'a.c:3' "$T/said"
git rm -q .knowledge/adrs/*; does git commit -qnm lost
grep -q 'lost 0001-calls-and-databases' "$T/said"
git reset -q --hard HEAD~1
git checkout -qb one; echo one >x; git add x; git commit -qm one
git checkout -qb two main; echo two >x; git add x; git commit -qm two
fails 1 git merge -q one >/dev/null; echo both >x; bad >m.c; git add .
does git commit -qnm merge
grep -q 'm.c:3' "$T/said"; fails 1 grep -q 'a.c:3' "$T/said"
E

long 'the earlier hook runs, without ikm too; what cannot be judged stops nothing' <<'E'
git init -q -b main old; cd old; decide .
printf '#!/bin/sh\necho theirs >>../ran\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit
cp "$BUILD/test/ikm" ../gone; ../gone hook install >/dev/null
bad >a.c; git add .; does git commit -qnm bad
same theirs "$(cat ../ran)"; ikm_said | grep -q 'no hook stopped'
rm ../gone
(PATH=/usr/bin:/bin; command -v ikm >/dev/null) ||
	PATH=/usr/bin:/bin does git commit -qn --amend -m bad
same 2 "$(wc -l <../ran)"; same '' "$(cat "$T/said")"
ikm hook install >/dev/null
mkdir .ikm; echo '{"check": {"unjudged": 3}}' >.ikm/config.json; git add .
does git commit -qnm settings
ikm_said | grep -q 'could not be judged: .*check.unjudged'
E

long 'status proves it; with --global the own hooks of a repository still run' <<'E'
cd r; git checkout -q main
ikm hook status | grep -q '^post-commit: fires, runs /'
shellcheck -s sh .git/hooks/post-commit || ! command -v shellcheck >/dev/null
GIT_CONFIG_GLOBAL=$T/w/config; export GIT_CONFIG_GLOBAL
ikm hook install --global >/dev/null
git init -q -b main ../own; cd ../own; decide . 2>/dev/null
printf '#!/bin/sh\necho own >>../own-ran\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit
bad >a.c; git add .; does git commit -qnm bad
same own "$(cat ../own-ran)"
ikm_said | grep -q 'no hook stopped'
ikm hook status --global | grep -q '^post-commit: fires'
ikm hook uninstall --global >/dev/null
E
done_testing
