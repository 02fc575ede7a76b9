#!/bin/sh
# No change switches off its own judge: settings and decisions are read from both sides.
. "$(dirname "$0")/../lib.sh"

conf() { printf '{"knowledge": {"sources": [%s]%s}%s}\n' "$1" "${2-}" "${3-}" >.ikm/config.json; }
add_mysql() { echo '{"dependencies": {"mysql2": "^3"}}' >package.json; }
adr='{"path": "docs/adr"}'

try 'a change that takes the decisions away is judged by them' <<'E'
sh "$TOP/t/sample.sh" r; cd r
conf ''; git rm -qr docs; add_mysql; git add -A
fails 1 ikm check --staged --json >out
same 'true' "$(jq .violations[0].fromBase out)"
E

try 'a change that drops a required layer is checked by the old rules' <<'E'
cd r; git reset -q --hard
mkdir ../org
conf "$adr" ', "requires": ["org"]'; git commit -qam require
conf ''; git rm -qr docs; add_mysql; git add -A
fails 3 ikm check --staged 2>err
grep -q 'requires org knowledge' err
fails 1 ikm check --staged --knowledge org=../org
E

try 'a source of the base that cannot be read is told; all others judge' <<'E'
cd r; git reset -q --hard
conf "$adr, {\"path\": \"docs/gone\"}"; git commit -qam gone
conf "$adr"; add_mysql; git add -A
fails 1 ikm check --staged >out
grep -q "not all of its rules could be read: the knowledge source 'docs/gone'" out
conf ''; git add -A
fails 1 ikm check --staged
E

try 'settings that do not parse are mended by a change, which is judged all the same' <<'E'
cd r; git reset -q --hard
echo '{' >.ikm/config.json; git commit -qam broken
fails_for BAD_JSON ikm check --staged
conf "$adr"; git add -A
ikm check --staged >out
grep -q 'not all of its rules could be read' out
git rm -q --cached docs/adr/0001*; add_mysql; git add package.json
fails 1 ikm check --staged
E

try 'what was told before is told: a change cannot raise check.minSeverity for itself' <<'E'
cd r; git reset -q --hard; conf "$adr"; git commit -qam mended
conf "$adr" '' ', "check": {"minSeverity": "block"}'; echo 'console.log(1)' >>src/server.js
git add -A
same 1 "$(ikm check --staged --json | jq .summary.warn)"
git commit -qm 'block only'
echo 'console.log(2)' >>src/server.js; git add -A
same 0 "$(ikm check --staged --json | jq .summary.warn)"
E

try 'check.minSeverity is what counts without --min-severity, in every face' <<'E'
cd r
ask() { echo "{\"files\": [{\"path\": \"src/a.js\", \"content\": \"console.log(1)\"}]$1}" |
	ikm call knowledge_check | jq .summary.warn; }
same 0 "$(ask '')"
same 1 "$(ask ', "minSeverity": "warn"')"
same 1 "$(ikm check --staged --json --min-severity warn | jq .summary.warn)"
fails 2 ikm -c check.minSeverity=loud check --staged 2>err
grep -q "'check.minSeverity' is 'loud'; allowed: info, warn, block" err
E

done_testing
