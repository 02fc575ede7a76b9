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
grep -q '^  to get what only a remote has: git fetch$' ../err
grep -q 'git fetch --unshallow.*fetch-depth: 0' ../err
E

done_testing
