#!/bin/sh
# ikm check --baseline: findings of a file are existing; what is gone is told.
. "$(dirname "$0")/../lib.sh"

log() { echo "console.log('$1');" >>"src/$2.js"; }

try 'a baseline is written: sorted, a line for each finding' <<'E'
sh "$TOP/t/sample.sh" r; cd r
log a b; log b b; log a a; echo '{"dependencies": {"mysql2": "^3"}}' >package.json
fails 1 ikm check --all --json >"$T/all"
ikm check --all --baseline base --update-baseline >"$T/out"
same 'checked 7 files, 1 manifest against 2 constraints of 2 items; 4 in the baseline' \
	"$(tail -1 "$T/out")"
same "$(jq -r '.violations[] | [.fingerprint, .knowledgeItemId, .location.file] | @tsv' "$T/all" |
	sort -t "$(printf '\t')" -k3,3 -k2,2 -k1,1)" "$(grep -v '^#' base)"
same 4 "$(grep -vc '^#' base)"
cp base "$T/was"; ikm check --all --baseline base --update-baseline; cmp base "$T/was"
E

try 'what it has is existing; what is new counts, also one more of the same' <<'E'
cd r
ikm check --all --baseline base --json >"$T/out"
same '[0,0,4,4,0,[]]' "$(jq -c '[.summary.block, .summary.warn, .checked.existing, .baseline.matched, .baseline.added, .baseline.gone]' "$T/out")"
same 4 "$(ikm check --all --existing --baseline base --json | jq '[.violations[] | select(.existing)] | length')"
log a b
ikm check --all --baseline base --json >"$T/out"
same '[1,"src/b.js"]' "$(jq -c '[.summary.warn, .violations[0].location.file]' "$T/out")"
ikm check src --baseline base >"$T/out"
grep -q '^1 warning; .*; 3 in the baseline$' "$T/out"
E

try 'the rest of a file counts beyond a hundred findings of the baseline' <<'E'
cd r; cp base "$T/small"
for i in $(seq 250); do log same many; done
ikm check --all --baseline base --update-baseline
ikm check --all --baseline base --json >"$T/out"
same '[0,0]' "$(jq -c '[.summary.block, .summary.warn]' "$T/out")"
log same many
same 1 "$(ikm check --all --baseline base --json | jq .summary.warn)"
rm src/many.js; cp "$T/small" base
E

try 'entries without a finding are gone, and told on their line; an update takes them out' <<'E'
cd r; rm src/a.js; sed -i '$d' src/b.js
ikm check --all --baseline base --json >"$T/out"
line=$(grep -n 'src/a.js' base | cut -d: -f1)
same "[\"src/a.js\",$line]" "$(jq -c '.baseline.gone[0] | [.path, .line]' "$T/out")"
same "base:$line" "$(jq -r '.notes[] | "\(.file):\(.line)"' "$T/out")"
ikm check --all --baseline base >"$T/out"
grep -q '; 3 in the baseline, 1 gone$' "$T/out"
ikm check src --baseline base --json >"$T/out"
same '[]' "$(jq -c .baseline.gone "$T/out")"
ikm check --all --baseline base --update-baseline
fails 1 grep -q src/a.js base
E

try 'ten that are gone are named, and how many more there are is told' <<'E'
cd r
for n in 10 11 12; do
	{ cat base; for i in $(seq $n); do printf '%012d\t0001-x\tsrc/%d\n' $i $i; done; } >many
	ikm check --all --baseline many --json >"$T/out"
	same 10 "$(jq '[.notes[] | select(.message | startswith("the finding "))] | length' "$T/out")"
	jq -r '.notes[].message | select(contains(" more finding"))' "$T/out"
done >"$T/more"
same '1 more finding is gone (--json lists all)
2 more findings are gone (--json lists all)' "$(cat "$T/more")"
rm many
E

try 'a higher severity leaves entries alone, and a waived finding is not gone' <<'E'
cd r
ikm check --all --min-severity block --baseline base --json >"$T/out"
same '[[],[]]' "$(jq -c '[.violations, .baseline.gone]' "$T/out")"
ikm know waive 1 -p package.json -m x --until "$(date -u -d '+30 days' +%F)"
ikm check --all --baseline base --json >"$T/out"
same '[1,[]]' "$(jq -c '[(.waived | length), .baseline.gone]' "$T/out")"
rm .ikm/waivers.yaml
E

try 'a renamed item keeps its findings: the fingerprint does not hold its id' <<'E'
cd r; before=$(grep package.json base)
git mv docs/adr/0001-postgresql-for-relational-data.md docs/adr/0007-x.md
ikm check --all --baseline base --json >"$T/out"
same '[0,[]]' "$(jq -c '[.summary.block, .baseline.gone]' "$T/out")"
ikm why "${before%%	*}" >"$T/out"
grep -q '^id          0007-x' "$T/out"
git reset -q --hard; echo '{"dependencies": {"mysql2": "^3"}}' >package.json
E

try 'two branches that change it merge' <<'E'
git init -q -b main m; cd m
head -2 ../r/base >base; i=0
while [ $i -lt 20 ]; do printf '%012x\tx\tsrc/%02d\n' $i $i; i=$((i + 1)); done >>base
git add -A; git commit -qm base
git checkout -qb other; sed -i '5d' base; git commit -qam less
git checkout -q main; sed -i '18d' base; git commit -qam less
git merge -q other -m merge
same 20 "$(wc -l <base)"
E

long 'a file that is no baseline is an error with its line, and is not overwritten' <<'E'
cd r
while IFS='|' read -r text line words; do
	printf "$text" >bad; cp bad "$T/was"
	for how in '' --update-baseline; do
		# shellcheck disable=SC2086
		fails_for BAD_ARGUMENT ikm check --all --baseline bad $how 2>"$T/err"
		grep -q "bad:$line: $words" "$T/err"
		cmp bad "$T/was"
	done
done <<'L'
hello\n|1|the line does not begin with a fingerprint
# x\n\n0123456789ab\n|3|a tab, the item
0123456789ab\ta\n|1|a tab, the item
0123456789aX\ta\tb\n|1|the line does not begin
0123456789ab\ta\tb\n<<<<<<< HEAD\n|2|a conflict that is not resolved
L
fails_for FILE_NOT_FOUND ikm check --all --baseline none
fails_for BAD_ARGUMENT ikm check --baseline base
fails_for BAD_ARGUMENT ikm check --staged --baseline base
fails_for BAD_ARGUMENT ikm check src --baseline base --update-baseline
fails_for BAD_ARGUMENT ikm check --all --update-baseline
E

done_testing
