#!/bin/sh
# check --output FORMAT:FILE: further reports of the same run.
. "$(dirname "$0")/../lib.sh"

try 'files are written beside the answer, also when something blocks' <<'E'
sh "$TOP/t/sample.sh" r; cd r
echo '{"dependencies": {"mysql2": "1"}}' >package.json
ikm check >../plain || :
ikm check --format gitlab >../plain.gitlab || :
fails 1 ikm check --output sarif:../a.sarif --output gitlab:../b.json --output junit:../c.xml \
	--output text:../d.txt >../out
cmp ../plain ../out
cmp ../plain ../d.txt
cmp ../plain.gitlab ../b.json
jq -e '.runs[0].results | length == 1' ../a.sarif
grep -q '<failure' ../c.xml
E

try 'the answer of --json is unchanged, and a file may have a colon in its name' <<'E'
cd r
ikm check --json >../json || :
fails 1 ikm check --json --output 'checkstyle:../a:b.xml' >../out
cmp ../json ../out
grep -q '<error ' '../a:b.xml'
E

try 'a file is below -C, and hooks and pipes of the report are not changed by it' <<'E'
fails 1 ikm -C r check --output rdjson:below.json >/dev/null
jq -e '.diagnostics | length == 1' r/below.json
rm r/below.json
E

try 'a report replaces a file as a whole, and keeps its mode' <<'E'
cd r
yes x | head -n 100000 >../old.sarif; chmod 600 ../old.sarif
ikm check --output sarif:../old.sarif >/dev/null || :
cmp ../a.sarif ../old.sarif
same 600 "$(stat -c %a ../old.sarif)"
E

try 'a wrong output is refused before anything is judged' <<'E'
cd r
for bad in sarif sarif: :x xml:../x ../x; do
	fails_for BAD_ARGUMENT ikm check --output "$bad" >../out 2>../err
	grep -q 'FORMAT:FILE, where FORMAT is one of text, json, github, sarif' ../err
	[ ! -s ../out ]
done
fails_for BAD_ARGUMENT ikm check --output sarif:- 2>../err
grep -q '^  --format sarif$' ../err
fails_for BAD_ARGUMENT ikm check --output sarif:../x --output junit:../x 2>../err
grep -q "two outputs to one file: '../x'" ../err
fails_for FILE_NOT_FOUND ikm check --output sarif:none/x >../out
[ ! -s ../out ]
fails_for NOT_A_FILE ikm check --output sarif:src
mkfifo ../pipe
fails_for NOT_A_FILE ikm check --output sarif:../pipe
chmod a-w src
fails_for PERMISSION ikm check --output sarif:src/x
chmod u+w src
[ ! -e ../x ]
E

try 'a fault while writing leaves the old file, and is an error' <<'E'
cd r
echo old >../old
n=0
while n=$((n + 1)); IKM_FAULT=$n ikm check --output sarif:../old >/dev/null 2>../err && rc=0 || rc=$?; [ "$rc" != 1 ]; do
	[ "$n" -lt 20 ]
	grep -q "'../old'" ../err
	# Only when the folder could not be synced is the new file in place.
	same old "$(cat ../old)" || grep -q durable ../err
	echo old >../old
	same 0 "$(ls -a .. | grep -c ikm-tmp)"
done
[ "$n" -gt 3 ]
E

try 'trouble writes no report' <<'E'
cd r
fails_for BAD_REVISION ikm check --range none..HEAD --output sarif:../x
fails_for NOTHING_CHECKED ikm check --require-checked 99 --output sarif:../x
[ ! -e ../x ]
E

try 'formats are completed, behind --format and before the file of --output' <<'E'
cd r
same 'text
json
github
sarif
gitlab
junit
junit-file
checkstyle
rdjson' "$(ikm --complete 3 ikm check --format '' | cut -f1)"
same 'github:
gitlab:' "$(ikm --complete 3 ikm check --output git | cut -f1)"
ikm --complete 3 ikm check --output sarif | grep -q 'code scanning'
E

done_testing
