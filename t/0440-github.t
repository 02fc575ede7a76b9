#!/bin/sh
# check --format github: annotations, as many as GitHub shows.
. "$(dirname "$0")/lib.sh"

try 'ten of a kind at most, blocking ones first, and a line that says what was cut' <<'E'
sh "$TOP/t/sample.sh" r; cd r
for i in $(seq 10 29); do
	echo 'console.log(1)' >"src/$i.js"
	mkdir "p$i"; echo '{"dependencies": {"mysql2": "1"}}' >"p$i/package.json"
	printf -- '---\nstatus: [\nconstraints:\n---\n' >"docs/adr/00$i-broken.md"
done
fails 1 ikm check --all --format github >../out
same 9 "$(grep -c '^::error ' ../out)"
same 9 "$(grep -c '^::warning ' ../out)"
same 1 "$(grep -c '^::notice ' ../out)"
grep -q "^::notice title=ikm::42 more are not shown here" ../out
head -n 1 ../out | grep -q '^::error file=p10/package.json,line=1,col=20,title=PostgreSQL'
E

try 'what would end an annotation is encoded' <<'E'
cd r; git clean -fdq
mkdir 'a,b:c%'; echo '{"dependencies": {"mysql2": "1"}}' >'a,b:c%/package.json'
fails 1 ikm check --all --format github >../out
grep -q '^::error file=a%2Cb%3Ac%25/package.json,line=1' ../out
E

try 'a clone without the branch to compare with says how to get it' <<'E'
cd r
fails 2 ikm check --range origin/main..HEAD --format github 2>../err
grep -q "'origin/main' is no commit in" ../err
grep -q '^  to get what only a remote has: git fetch, or in GitLab CI git fetch origin \$CI_MERGE_REQUEST_TARGET_BRANCH_NAME' ../err
grep -q 'git fetch --unshallow.*fetch-depth: 0.*GIT_DEPTH: 0' ../err
E

try 'a shallow clone without the fork of two branches says so too' <<'E'
cd r
git checkout -qf -b side
git commit -q --allow-empty -m side
git checkout -q -
git commit -q --allow-empty -m main
rm -rf ../shallow
git clone -q --depth 1 --no-single-branch "file://$PWD" ../shallow
cd ../shallow
fails 2 ikm check --range origin/side..HEAD 2>../err
grep "the two ends of 'origin/side..HEAD' have no commit in common" ../err
grep -q 'git fetch --unshallow.*fetch-depth: 0.*GIT_DEPTH: 0' ../err
E

done_testing
