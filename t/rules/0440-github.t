#!/bin/sh
# check --format github: annotations, as many as GitHub shows, and the summary of the job.
. "$(dirname "$0")/../lib.sh"

unset GITHUB_STEP_SUMMARY

try 'ten of a kind at most, blocking ones first, and a line that says what was cut' <<'E'
sh "$TOP/t/sample.sh" r; cd r
for i in $(seq 10 29); do
	echo 'console.log(1)' >"src/$i.js"
	mkdir "p$i"; echo '{"dependencies": {"mysql2": "1"}}' >"p$i/package.json"
	printf -- '---\nstatus: [\nconstraints:\n---\n' >"docs/adr/00$i-broken.md"
done
fails 1 ikm check --all --format github >../out
same 10 "$(grep -c '^::error ' ../out)"
same 10 "$(grep -c '^::warning ' ../out)"
same 1 "$(grep -c '^::notice ' ../out)"
grep -q '^::notice title=ikm::.* only 10 of 40 errors, 10 of 20 warnings;' ../out
head -n 1 ../out | grep -q '^::error file=p10/package.json,line=1,col=20,title=PostgreSQL'
tail -n 1 ../out | grep -q '^40 blocking violations; 20 warnings; checked '
E

try 'an annotation has the package, what to use, the decision and the next command' <<'E'
cd r; git clean -fdq
mkdir p; echo '{"dependencies": {"mysql2": "1"}}' >p/package.json
fails 1 ikm check --format github >../out
ikm check --json >../json || :
same "New services do not use MySQL; one team runs PostgreSQL for all of us.
found: mysql2 1
use instead: pg
decided in: docs/adr/0001-postgresql-for-relational-data.md
more: ikm why $(jq -r '.violations[0].fingerprint' ../json)" \
	"$(sed -n '1s/%0A/\n/g; 1s/^::error [^:]*:://p' ../out)"
same '1 blocking violation; checked 1 file, 1 manifest against 2 constraints of 2 items' \
	"$(sed -n 2p ../out)"
same 2 "$(wc -l <../out)"
E

try 'a rule that something must exist is annotated at its decision' <<'E'
cd r; git clean -fdq
sed '/^constraints:/,$d' docs/adr/0001-*.md >docs/adr/0003-licence.md
cat >>docs/adr/0003-licence.md <<'D'
constraints: [{operator: must_exist, target: file, pattern: LICENCE, severity: block}]
---
# A licence
D
fails 1 ikm check --all --format github >../out
grep -q '^::error file=docs/adr/0003-licence.md,title=A licence::no path matches, and one must' ../out
E

# ---- the summary of the job ----

try 'the summary is appended: findings, changed rules, what was not judged' <<'E'
cd r; git clean -fdq
mkdir p; echo '{"dependencies": {"mysql2": "1|`2`"}}' >p/package.json
echo '{mysql2}' >flake.nix
sed -i 's/^status: accepted/status: deprecated/' docs/adr/0002-*.md
echo before >../summary
fails 1 env GITHUB_STEP_SUMMARY="$T/w/summary" ikm check --format github >/dev/null
git checkout -q docs
same before "$(head -n 1 ../summary)"
grep -q '^## ikm check failed$' ../summary
same '### Findings
### Rules
### Not judged' "$(grep '^### ' ../summary)"
same '| block | p/package.json\:1 | mysql2 1\|\`2\` | New services do not use MySQL; one team runs PostgreSQL for all of us. | pg | PostgreSQL for relational data, docs/adr/0001-postgresql-for-relational-data.md |' \
	"$(grep '^| block' ../summary)"
grep -q '^| info | docs/adr/0002-no-console-in-services.md | rule retired\\: 0002' ../summary
grep -q '^| warn | flake.nix.*1 | ikm\\: not judged | ' ../summary
grep -q '^1 blocking violation; checked' ../summary
E

long 'a summary over the limit counts the rows that it leaves out, in each table' <<'E'
cd r; git clean -fdq
for i in $(seq 400); do
	echo 'mysql' >"$(printf '%0180d.nimble' "$i")"
done
long=$(printf '%0200d' 1)
for i in $(seq 60); do
	mkdir "$i"
	{
		printf '{"dependencies": {"pg": "1"'
		for j in $(seq 60); do
			printf ', "@%s/mysql%s": "1"' "$long" "$j"
		done
		echo '}}'
	} >"$i/package.json"
done
sed -i 's/pattern: mysql2?/pattern: .*mysql.*/' docs/adr/0001-*.md
git commit -qam wider
: >../summary
fails 1 env GITHUB_STEP_SUMMARY="$T/w/summary" ikm check --format github >/dev/null
[ "$(wc -c <../summary)" -le 1048576 ]
[ "$(wc -c <../summary)" -gt 500000 ]
shown=$(grep -c '^| block' ../summary)
cut=$(sed -n 's/^Rows that do not fit into a summary: \([0-9]*\)\..*/\1/p' ../summary | head -n 1)
same 3600 "$((shown + cut))"
grep -q '^### Not judged' ../summary
tail -n 1 ../summary | grep -q '^3600 blocking violations; '
head -c 1048000 /dev/zero | tr '\0' x >../summary
fails 1 env GITHUB_STEP_SUMMARY="$T/w/summary" ikm check --format github >/dev/null 2>../err
grep -q '^ikm: the summary of the job was not written: .*1048000 bytes already' ../err
same 1048000 "$(wc -c <../summary)"
E

try 'no other format writes a summary, and no summary is no trouble' <<'E'
cd r; git clean -fdq
rm -f ../summary
GITHUB_STEP_SUMMARY=$T/w/summary ikm check --format sarif >/dev/null
[ ! -e ../summary ]
GITHUB_STEP_SUMMARY=$T/w/none/summary ikm check --format github >../out 2>../err
grep -q '^ikm: the summary of the job was not written: ' ../err
GITHUB_STEP_SUMMARY=$T/w/summary ikm check --format sarif --output github:../notes >/dev/null
grep -q '^## ikm check passed$' ../summary
grep -q '0 files' ../notes
E

# ---- what an annotation may hold ----

try 'what would end an annotation is encoded' <<'E'
cd r; git clean -fdq
mkdir 'a,b:c%'; echo '{"dependencies": {"mysql2": "1"}}' >'a,b:c%/package.json'
fails 1 ikm check --all --format github >../out
grep -q '^::error file=a%2Cb%3Ac%25/package.json,line=1' ../out
E

try 'no control character of a file reaches the log' <<'E'
cd r; git clean -fdq
mkdir -p p; printf '{"dependencies": {"mysql2": "\\u001b[31m\\u0001\\u007f\\u009b1\\u00e9"}}' >p/package.json
fails 1 ikm check --all --format github >../out
same 0 "$(LC_ALL=C tr -cd '\001-\011\013-\037\177' <../out | wc -c | tr -d ' ')"
grep -q '^::error file=p/package.json.*found: mysql2 \\x1b\[31m\\x01\\x7f\\xc2\\x9b1é%0A' ../out
printf -- '---\nstatus: "\\e[31m"\n---\n# A\n' >docs/adr/0009-a.md
ikm lint --format github >../out || :
grep -q '^::.*\\x1b\[31m' ../out
same 0 "$(LC_ALL=C tr -cd '\033' <../out | wc -c | tr -d ' ')"
rm docs/adr/0009-a.md
E

try 'a clone without the branch to compare with says how to get it' <<'E'
cd r
fails 2 ikm check --range origin/main..HEAD --format github 2>../err
grep -q "'origin/main' is no commit in" ../err
fails_for BAD_REVISION ikm check --range 0000000000000000000000000000000000000000..HEAD 2>../zeros
grep -q '^  zeros stand for a branch that is new: .*origin/main$' ../zeros
not grep -q fetch ../zeros
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

more 'a partial and sparse clone names one command that fetches all that is missing' <<'E'
sh "$TOP/t/sample.sh" part; cd part
mkdir src/sub
for i in 1 2 3 4 5; do echo "console.log($i)" >src/sub/$i.js; done
git add -A; git commit -qm old; git branch base
for i in 1 2 3 4 5; do echo "// $i" >>src/sub/$i.js; done
git commit -qam new
git config uploadpack.allowFilter true
clone() { # as actions/checkout does it
	rm -rf ../ci; git init -q ../ci; cd ../ci
	git remote add origin "file://$T/w/part"
	git config extensions.partialClone origin
	git sparse-checkout set src .ikm docs
	git fetch -q --filter=blob:none origin '+refs/heads/*:refs/remotes/origin/*'
	git checkout -q --detach origin/HEAD 2>/dev/null || git checkout -q --detach "$(git -C ../part rev-parse HEAD)"
}
clone
fails 3 ikm check --range origin/base..HEAD 2>../err
grep -q "read 'src/sub/1.js' in commit .* this is a partial clone" ../err
sed -n 's/^  fetch all that is missing: //p' ../err >../fetch
same 'git fetch --refetch --no-filter' "$(cat ../fetch)"
sh ../fetch 2>/dev/null
ikm check --range origin/base..HEAD
same 0 "$(git rev-list --objects --all --missing=print | grep -c '^?' || :)"
cd ../part; clone
fails 3 ikm check --range origin/base..HEAD 2>../err
git diff origin/base...HEAD >/dev/null
ikm check --range origin/base..HEAD
E

done_testing
