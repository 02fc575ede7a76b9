#!/bin/sh
# check --verify: every commit is judged again against its parent, whoever skipped the hook.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

commit() { # FILE bad|good [FUNCTION [SUBJECT]]
	"$2" "${3-f}" >>"$1"
	git add "$1"
	git commit -qm "${4-$1}"
}
# "VERDICT SUBJECT BLOCK" of each commit that is told
told() {
	rc=0
	ikm check --verify "$@" --json >"$T/got" || rc=$?
	[ "$rc" = 0 ] || [ "$rc" = 1 ] || return 1
	jq -r '.commits[] | "\(.verdict) \(.subject) \(.block)"' "$T/got"
}
counts() { jq -r '.verified | "\(.commits) \(.broken) \(.retired) \(.notJudged)"' "$T/got"; }

try 'names the commits that broke a rule, also when a later one mended it' <<'E'
git init -q -b main r; cd r; decide .
commit a.c good
commit b.c bad f 'first bad'
commit c.c good
good g >b.c; git commit -qam mended
commit d.c bad f 'second bad'
fails 1 ikm check --verify HEAD~5..HEAD >../said
id=$(git rev-parse --short=12 HEAD~2~1)
cat >../want <<WANT
broken $id 2023-11-14 Ada: first bad (1 finding)
  b.c:3:9  forbidden_call(  0001-calls-and-databases: It breaks under load.
broken $(git rev-parse --short=12 HEAD) 2023-11-14 Ada: second bad (1 finding)
  d.c:3:9  forbidden_call(  0001-calls-and-databases: It breaks under load.

5 commits verified: 2 broke a rule
WANT
diff -u ../want ../said
ikm check --verify HEAD~3..HEAD~1 >../said
same '2 commits verified: none broke a rule' "$(cat ../said)"
E

# The attributes that one commit read serve the next one, unless it changes them.
long '.gitattributes exempts the commits that have it, also beside a side branch' <<'E'
git init -q -b main attrs; cd attrs; decide .
mkdir -p gen/deep
commit gen/deep/a.c bad f 'bad before'
echo '*.c linguist-generated' >gen/.gitattributes
git add .; git commit -qm exempt
commit gen/deep/b.c bad f 'bad but exempt'
commit gen/deep/c.c bad f 'bad but exempt too'
git checkout -q -b side HEAD~3
mkdir -p gen/deep
commit gen/deep/side.c bad f 'bad on the side'
git checkout -q main
commit top.c bad f 'bad beside it'
git merge -q -m merge side
commit gen/deep/d.c bad f 'exempt after the merge'
git rm -q gen/.gitattributes; git commit -qm 'no longer'
commit gen/deep/e.c bad f 'bad again'
told HEAD | sort >../said
printf 'broken %s 1\n' 'bad again' 'bad before' 'bad beside it' 'bad on the side' >../want
diff -u ../want ../said
E

try 'JSON: the commits, and what they broke once' <<'E'
cd r
same "$(printf 'broken first bad 1\nbroken second bad 1')" "$(told HEAD~5..)"
same '5 2 0 0' "$(counts)"
same "$(git rev-parse HEAD) Ada ada@example.org 2023-11-14T22:13:20.000Z d.c" \
	"$(jq -r '.commits[1] | "\(.id) \(.author) \(.email) \(.date) \(.violations[0].location.file)"' "$T/got")"
same 'false 2 ["b.c","d.c"]' \
	"$(jq -c -r '"\(.passed) \(.summary.block) \([.violations[].location.file])"' "$T/got")"
ikm check --range HEAD~1..HEAD --json >"$T/got" || :
same false "$(jq 'has("commits") or has("verified")' "$T/got")"
E

long 'a range is written as git writes it; the whole history, from the root' <<'E'
cd r
same "$(printf 'broken first bad 1\nbroken second bad 1')" "$(told HEAD)"
same '6 2 0 0' "$(counts)"
same 'broken second bad 1' "$(told HEAD~2...HEAD)"
same 'broken second bad 1' "$(told "HEAD~1..")"
same '' "$(told HEAD..HEAD)"
same '0 0 0 0' "$(counts)"
for range in ..HEAD '' -x; do
	fails_for BAD_REVISION ikm check --verify="$range" 2>../err
done
fails_for BAD_REVISION ikm check --verify nowhere..HEAD 2>../err
grep -q nowhere ../err
fails_for BAD_ARGUMENT ikm check --verify HEAD --staged 2>../err
E

try 'a root that breaks its own rules' <<'E'
git init -q -b main root; cd root; decide .
bad >a.c; git add .; git commit -q --amend -m root
same 'broken root 1' "$(told HEAD)"
E

try 'by the knowledge of that time: a rule that came later, or was retired before' <<'E'
git init -q -b main time; cd time
commit early.c bad
decide .
commit bad.c bad
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; git commit -qam retire
commit late.c bad
same 'broken bad.c 1' "$(told HEAD)"
E

long 'rules that a commit lost, and settings that cannot be read' <<'E'
git init -q -b main lost; cd lost; decide .
cp .knowledge/adrs/*.md ../adr.md
git rm -q .knowledge/adrs/*; echo x >x; git add x; git commit -qm 'lost it'
mkdir -p .knowledge/adrs .ikm; cp ../adr.md .knowledge/adrs/0001-calls-and-databases.md
git add .; git commit -qm 'back again'
echo '{"check": {"lostRules": "never"}}' >.ikm/config.json; git add .; git commit -qm 'no settings'
git rm -q .ikm/config.json; git commit -qm 'mended'
same "$(printf 'broken lost it 2\nnot_judged no settings 0')" "$(told HEAD)"
jq -r '.commits[0].reasons[0]' "$T/got" | grep -q '^lost 0001-calls-and-databases'
jq -r '.commits[1].reasons[0]' "$T/got" | grep -q 'check.lostRules'
same '5 1 0 1 false' "$(counts) $(jq .passed "$T/got")"
fails 1 ikm check --verify HEAD >../said
grep -q '^not judged [0-9a-f]* 2023-11-14 Ada: no settings$' ../said
grep -q '5 commits verified: 1 broke a rule; 1 could not be judged' ../said
E

long 'a merge is blamed for what none of its parents has' <<'E'
git init -q -b main m; cd m; decide .
git checkout -qb side; commit side.c bad
git checkout -q main; commit main.c bad
git merge -q --no-edit side
git checkout -qb side2; commit side2.c good
git checkout -q main; commit more.c good
git merge -q --no-commit side2
bad >evil.c; git add .; git commit -qm 'evil merge'
git checkout -qb one HEAD~1; commit one.c good
git checkout -qb two HEAD~1; commit two.c good
git checkout -q main; git merge -q --no-edit one two 2>/dev/null
told HEAD | sort >../got
printf 'broken evil merge 1\nbroken main.c 1\nbroken side.c 1\n' | diff -u - ../got
E

try 'of equal findings a merge is blamed for the one that no parent has' <<'E'
git init -q -b main eq; cd eq; decide .
commit e.c good
git checkout -qb side; commit e.c bad g
git checkout -q main; commit main.c good
git merge -q --no-commit side
bad h >>e.c; git add .; git commit -qm 'evil merge'
fails 1 ikm check --verify HEAD~1..HEAD >../said
own=$(grep -n forbidden_call e.c | tail -n 1 | cut -d: -f1)
same "  e.c:$own:9" "$(grep -A1 ': evil merge' ../said | sed -n 2p | cut -d' ' -f1-3)"
E

try 'a merge that retires a rule on one side is not blamed for the other' <<'E'
git init -q -b main mm; cd mm; decide .
git checkout -qb retire; sed -i 's/accepted/deprecated/' .knowledge/adrs/*.md; git commit -qam retire
commit now.c bad
git checkout -q main; commit x.c good
git merge -q --no-edit retire
same '' "$(told HEAD)"
[ "$(jq .verified.commits "$T/got")" -ge 4 ]
E

try 'a squash that retires a rule and breaks it is told, and does not fail' <<'E'
git init -q -b main sq; cd sq; decide .
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; bad >a.c; git add .
git commit -qm squash
commit b.c bad
ikm check --verify HEAD >../said
grep -q '^retired [0-9a-f]* 2023-11-14 Ada: squash (1 finding)$' ../said
grep -q '3 commits verified: none broke a rule; 1 retired a rule and broke it' ../said
same 'retired squash 0' "$(told HEAD)"
same '3 0 1 0 true' "$(counts) $(jq .passed "$T/got")"
E

long 'a shallow clone: the boundary is told, the rest is verified' <<'E'
git clone -q --depth 2 "file://$T/w/r" shallow; cd shallow
fails 1 ikm check --verify HEAD >../said
grep -q 'this shallow clone: lacks the parents of 1 commit, so that commit was not verified' ../said
grep -q 'git fetch --unshallow' ../said; grep -q 'GIT_DEPTH: 0' ../said
grep -q '1 commit verified: 1 broke a rule; 1 could not be judged' ../said
git clone -q --depth 1 "file://$T/w/r" ../shallow1; cd ../shallow1
fails 1 ikm check --verify HEAD >../said
grep -q '0 commits verified: none broke a rule; 1 could not be judged$' ../said
grep -q 'not judged .*' ../said; grep -q 'this shallow clone lacks its parents' ../said
grep -q 'git fetch --unshallow' ../said
fails 1 ikm check --verify HEAD --json >../got
same 'false 0 1' "$(jq -r '"\(.passed) \(.verified.commits) \(.verified.notJudged)"' ../got)"
ikm check --verify HEAD..HEAD >../said
grep -q '^0 commits verified: none broke a rule$' ../said
E

try 'a repository without a commit: said so, and no advice for shallow clones' <<'E'
git init -q -b main unborn; cd unborn
fails_for BAD_REVISION ikm check --verify HEAD 2>../err
grep -q 'there is no commit yet' ../err
fails 1 grep -q unshallow ../err
E

more 'an author and a subject that would control a terminal; long lists are cut' <<'E'
git init -q -b main odd; cd odd; decide .
for i in 1 2 3 4 5; do bad $i >$i.c; done
git add .; git -c user.name="$(printf 'E\033[31mve')" commit -q --author="$(printf 'E\033[1mve') <e@x>" \
	-m "$(printf 'sub\033[2Jject \377')" 2>/dev/null
fails 1 ikm check --verify HEAD >../said
fails 1 grep -q "$(printf '\033')" ../said
grep -q '(5 findings)' ../said; grep -q 'and 2 more (--json lists all)' ../said
E

more 'a repository of SHA-256 ids, a bare one, and one without knowledge; nothing is written' <<'E'
git init -q -b main --object-format=sha256 sha; cd sha; decide .
commit a.c bad f bad
same 'broken bad 1' "$(told HEAD)"
git clone -q --bare . ../sha.git; cd ../sha.git
snapshot . >../before
same 'broken bad 1' "$(told HEAD)"
snapshot . | diff -u ../before -
git init -q -b main ../plain; cd ../plain; git commit -q --allow-empty -m x
ikm check --verify HEAD >../said
grep -q '1 commit verified: none broke a rule; none of them has knowledge to judge by' ../said
E
done_testing
