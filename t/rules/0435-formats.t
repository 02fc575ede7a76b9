#!/bin/sh
# check --format: SARIF, GitLab's code quality, JUnit, Checkstyle, rdjson and JSON of one report.
. "$(dirname "$0")/../lib.sh"

# A repository with names and texts that every format must escape, and with a report that has
# findings of each severity, equal findings, a finding without a file, broken knowledge, a lost
# rule, an added rule and files that were not judged.
sample() {
	sh "$TOP/t/sample.sh" "$1" && cd "$1" || return 1
	cat >docs/adr/0003-licence.md <<'D'
---
status: accepted
constraints:
  - {operator: must_exist, target: file, pattern: LICENCE, severity: block}
  - {operator: must_not_use, target: code, pattern: 'TODO.*', severity: info}
  - {operator: must_not_use, target: code, pattern: 'gone', severity: warn}
---
# Every project has "a licence" <&> [terms](http://x)
D
	touch LICENCE
	git add -A && git commit -qm licence
	git rm -q LICENCE
	mkdir -p 'src/a b' 'p'
	printf '\357\273\277\tconsole.log(1); console.log(2)\n\360\237\230\200\346\274\242 console.log(3)\n' \
		>'src/a b/é%:&"<.js'
	printf '// TODO \033[31m "a" <b> & ]]> \001 [x](y) \377\n' >src/todo.js
	printf '// \360\237\230\200 TODO x\n' | iconv -f UTF-8 -t UTF-16BE >src/utf16.js
	printf '{"dependencies":\n {"mysql2": "1", "mariadb": "2"}}\n' >p/package.json
	echo '{mysql2}' >flake.nix
	printf -- '---\nstatus: [\nconstraints:\n---\n' >docs/adr/0004-broken.md
	sed -e '/^status/s/accepted/proposed/' -e 's/(log|/(/' -i docs/adr/0002-*.md
	sed -i '/gone/d' docs/adr/0003-licence.md
}

judged() { # format, file
	rc=0
	ikm check --min-severity info --format "$1" >"$2" || rc=$?
	same 1 "$rc"
}

try 'the sample has an entry of every kind' <<'E'
sample r
judged json ../json
jq -r '.summary | map(. > 0) | @csv' ../json >../kinds
same true,true,true "$(cat ../kinds)"
jq -e '[.violations[] | select(.location | not)] | length > 0' ../json
jq -e '.violations | group_by(.fingerprint) | map(length) | max > 1' ../json
jq -e '.unjudged | length > 0' ../json
jq -e '[.notes[] | select(.kind == "broken")] | length > 0' ../json
jq -r '.ruleChanges[].change' ../json | sort -u | tr '\n' ' ' >../changes
same 'edited lost ' "$(cat ../changes)"
E

try 'json is what --json prints, on a pipe and in a file' <<'E'
cd r
ikm check --min-severity info --json >../flag || :
judged json ../format
cmp ../flag ../format
ikm check --min-severity info --output json:../file >/dev/null || :
cmp ../flag ../file
fails_for BAD_ARGUMENT ikm check --json --format sarif
E

# With many findings the JSON is printed as it comes; indented on a terminal, it never is.
long 'the JSON of many findings is the same document' <<'E'
sh "$TOP/t/sample.sh" many; cd many
for i in $(seq 11); do
	yes 'console.log("é");' | head -n 100 >"src/$i.js"
done
ikm check --json >../pipe
same 1100 "$(jq '.violations | length' ../pipe)"
rm src/11.js
ikm check --json >../tree
for file in tree pipe; do
	jq -cS 'del(.summary, .checked) |
		.violations |= map(select(.location.file != "src/11.js"))' "../$file" >"../$file.less"
done
same 1000 "$(jq '.violations | length' ../pipe.less)"
cmp ../tree.less ../pipe.less
same 1 "$(wc -l <../pipe)"
same "$(head -c 30 ../tree)" "$(head -c 30 ../pipe)"
E

try 'every format gives the same bytes each time' <<'E'
cd r
for format in text json github sarif gitlab junit checkstyle rdjson; do
	judged $format ../one
	judged $format ../two
	[ -s ../one ]
	cmp ../one ../two
done
E

# ---- SARIF ----

try 'SARIF has each finding that counts, with its rule, place and fingerprint' <<'E'
cd r
judged sarif ../sarif
# GitHub takes no result without a line: the first stands in for the whole file.
same "$(jq -c '[.violations[] | [.severity, .location.line // 1]] | sort' ../json)" \
	"$(jq -c '{note: "info", warning: "warn", error: "block"} as $s | [.runs[0].results[] |
		[$s[.level], .locations[0].physicalLocation.region.startLine // 0]] | sort' ../sarif)"
jq -e '.runs[0] | .tool.driver.rules as $r |
	all(.results[]; $r[.ruleIndex].id == .ruleId and (.locations | length) == 1)' ../sarif
jq -e '.runs[0].tool.driver.rules | map(.id) | . == (sort | unique)' ../sarif
jq -e '.runs[0].results | map(.partialFingerprints["ikmFingerprint/v1"]) |
	length == (unique | length)' ../sarif
same 'src/a%20b/%C3%A9%25%3A%26%22%3C.js' "$(jq -r '.runs[0].results[] |
	.locations[0].physicalLocation.artifactLocation.uri | select(endswith("%3C.js"))' ../sarif |
	uniq)"
E

try 'columns of SARIF count UTF-16 units, without a byte order mark' <<'E'
cd r
jq -c '.runs[0].results[] | .locations[0].physicalLocation |
	select(.artifactLocation.uri | endswith("%3C.js")).region |
	[.startLine, .startColumn, .endColumn, .snippet.text]' ../sarif >../regions
same '[1,2,14,"console.log("]
[1,18,30,"console.log("]
[2,5,17,"console.log("]' "$(cat ../regions)"
# The snippet is what an editor has at these columns: python counts as UTF-16 does, by encoding.
jq -c '.runs[0].results[] | .locations[0].physicalLocation | select(.region.endColumn) |
	[.artifactLocation.uri, .region]' ../sarif >../all
least 6 ../all
python3 - ../all <<'P'
import codecs, json, sys, urllib.parse
for line in open(sys.argv[1]):
    uri, region = json.loads(line)
    raw = open(urllib.parse.unquote(uri), 'rb').read()
    utf16 = 'utf16' in uri
    text = raw.decode('utf-16-be') if utf16 else raw.decode('utf-8-sig', 'replace')
    row = text.split('\n')[region['startLine'] - 1].encode('utf-16-le')
    part = row[2 * region['startColumn'] - 2:2 * region['endColumn'] - 2].decode('utf-16-le')
    assert part == region['snippet']['text'], (uri, part, region)
P
E

try 'what was not judged, broken knowledge and changed rules are notifications' <<'E'
cd r
jq -c '.runs[0] | .invocations[0].toolExecutionNotifications[] | [.descriptor.id, .level,
	.locations[0].physicalLocation.artifactLocation.uri]' ../sarif >../notices
grep -qF '["ikm/broken","error","docs/adr/0004-broken.md"]' ../notices
grep -qF '["ikm/rule-edited","note","docs/adr/0003-licence.md"]' ../notices
grep -qF '["ikm/unread_manifest","warning","flake.nix"]' ../notices
# https://github.com/microsoft/sarif-sdk/blob/main/docs/multitool-usage.md: its rules for GitHub ask
# for these of each descriptor, those of notifications too.
jq -e '.runs[0].tool.driver | all((.rules + .notifications)[];
	.shortDescription.text and .fullDescription.text and .help.text and .name != .id)' ../sarif
jq -e '.runs[0].tool.driver.notifications | map(.id) | . == (sort | unique)' ../sarif
same 'not judged: unread manifest' "$(jq -r '.runs[0].tool.driver.notifications[] |
	select(.id == "ikm/unread_manifest").shortDescription.text' ../sarif)"
jq -e '.runs[0] | (.tool.driver.notifications | map(.id)) as $known |
	all(.invocations[0].toolExecutionNotifications[]; [.descriptor.id] | inside($known))' ../sarif
E

try 'a message cannot become a link, and keeps what was found' <<'E'
cd r
jq -r '.runs[0].results[] | select(.ruleId == "0003-licence/2").message.text' ../sarif >../text
grep -qF '\[x\](y)' ../text
grep -q 'found: TODO' ../text
E

long 'existing findings are in no log' <<'E'
cd r
git stash -qu; echo 'console.log("old")' >src/old.js; git add src/old.js; git commit -qm old
echo '// more' >>src/old.js
ikm check --existing --json | jq -e '.violations | length == 1'
for format in sarif gitlab junit junit-file checkstyle rdjson github; do
	ikm check --existing --format $format >../out
	same '' "$(grep 'src/old.js' ../out)"
done
git checkout -q src; git stash pop -q
E

long 'SARIF names the decision at the host of the repository, without a password' <<'E'
cd r
uri() { judged sarif ../web; jq -r '.runs[0].tool.driver.rules[] | select(.id == "0003-licence/1").helpUri' ../web; }
same null "$(uri)"
while read -r url want; do
	git remote remove origin 2>/dev/null || :
	git remote add origin "$url"
	same "$want" "$(uri)"
done <<'U'
git@github.com:a/b.git https://github.com/a/b/blob/HEAD/docs/adr/0003-licence.md
https://user:secret@github.com/a/b https://github.com/a/b/blob/HEAD/docs/adr/0003-licence.md
ssh://git@gitlab.example.org:2222/a/g/b.git https://gitlab.example.org/a/g/b/-/blob/HEAD/docs/adr/0003-licence.md
https://bitbucket.org/a/b.git https://bitbucket.org/a/b/src/HEAD/docs/adr/0003-licence.md
https://git.example.org/a/b https://git.example.org/a/b
../other.git null
/srv/git/b.git null
U
git remote remove origin
E

try 'a finding of a decision elsewhere has a file and a line' <<'E'
git init -q nofile; cd nofile
mkdir ../org; printf -- '---\nstatus: accepted\nconstraints: [{operator: must_exist, target: file, pattern: LICENCE, severity: block}]\n---\n# L\n' >../org/1.md
ikm check --knowledge org=../org --all --format sarif >../elsewhere || :
same '[".ikm/config.json","SRCROOT",1]' "$(jq -c '.runs[0].results[0].locations[0].physicalLocation |
	[.artifactLocation.uri, .artifactLocation.uriBaseId, .region.startLine]' ../elsewhere)"
# The other formats ask for the path of a file, too.
for format in gitlab rdjson checkstyle junit-file github; do
	ikm check --knowledge org=../org --all --format "$format" >"$T/out" || :
	grep -q 'config[.]json' "$T/out"
	not grep -E '"path": ?"\."|(name|file)="\."' "$T/out"
done
E

# https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
more 'SARIF has at most the results that GitHub takes, and says what is left out' <<'E'
sh "$TOP/t/sample.sh" big; cd big
sed -i 's/severity: warn/severity: info/' docs/adr/0002-*.md
yes 'console.log(1);' | head -n 100 >src/1.js
for i in $(seq 2 251); do cp src/1.js "src/$i.js"; done
printf '{"dependencies":{"mysql2":"1"}}' >package.json
ikm check --all --min-severity info --format sarif >../big.sarif || :
same 25000 "$(jq '.runs[0].results | length' ../big.sarif)"
jq -e '[.runs[0].results[] | select(.level == "error")] | length > 0' ../big.sarif
jq -r '.runs[0].invocations[0].toolExecutionNotifications[] | select(.descriptor.id == "ikm/too-many-results").message.text' \
	../big.sarif >../cut
grep -q '^GitHub takes 25000 results of a run, so [0-9]* of 25[0-9]* are left out' ../cut
jq -e '[.runs[0].tool.driver.notifications[] | select(.id == "ikm/too-many-results")] | length == 1' ../big.sarif
E

# ---- GitLab ----

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format has the members and the
# severities; GitLab publishes no schema of it.
try "code quality: GitLab's members, unique fingerprints, the path as it is" <<'E'
cd r
judged gitlab ../gitlab
jq -e 'all(.[]; (keys == ["check_name", "description", "fingerprint", "location", "severity"]) and
	(.location.lines.begin >= 1) and (.location.path | length > 0))' ../gitlab
jq -e 'map(.fingerprint) | length == (unique | length)' ../gitlab
jq -e 'all(.[]; .severity | IN("info", "minor", "major", "critical", "blocker"))' ../gitlab
jq -e 'all(.[]; [.description, .check_name, .fingerprint, .location.path] | all(type == "string" and length > 0))' ../gitlab
same blocker,info,minor "$(jq -r 'map(.severity) | unique | join(",")' ../gitlab)"
same 3 "$(jq '[.[] | select(.location.path == "src/a b/é%:&\"<.js")] | length' ../gitlab)"
jq -e '[.[] | select(.check_name == "ikm/unread_manifest")] | length == 1' ../gitlab
jq -e 'all(.[]; .check_name != "ikm/rule-edited")' ../gitlab
! jq -r '.[].description' ../gitlab | grep -v ': ' | grep -q .
E

# ---- XML ----

try 'JUnit: a test for each rule and file, and only what blocks fails' <<'E'
cd r
judged junit ../junit.xml
judged junit-file ../junit-file.xml
# They differ by the attribute alone.
sed 's/ file="[^"]*"//' ../junit-file.xml | cmp - ../junit.xml
python3 - ../junit-file.xml <<'P'
import sys, xml.etree.ElementTree as E
suite, = E.parse(sys.argv[1]).getroot()
cases = suite.findall('testcase')
assert suite.get('tests') == str(len(cases)), suite.attrib
assert suite.get('failures') == str(len(suite.findall('testcase/failure')))
assert suite.get('skipped') == str(len(suite.findall('testcase/skipped')))
names = [(c.get('classname'), c.get('file')) for c in cases]
assert len(set(names)) == len(names), names
by = {c.get('classname'): c for c in cases}
assert by['0003-licence/1'].find('failure').get('type') == 'block'
assert 'found: mysql2 1' in by['0001-postgresql-for-relational-data/1'].find('failure').text
assert 'use instead: pg\n' in by['0001-postgresql-for-relational-data/1'].find('failure').text
assert by['0002-no-console-in-services/1'].find('failure') is None
assert 'warn: src/a b/é%:&"<.js:2:9: ' in by['0002-no-console-in-services/1'].find('system-out').text
assert by['ikm/unread_manifest'].find('skipped') is not None
assert 'a licence" <&> terms' in by['0003-licence/1'].get('name')
todo, = [c.find('system-out').text for c in cases if c.get('file') == 'src/todo.js']
assert 'TODO \\x1b[31m "a" <b> & ]]> \\x01' in todo, todo
P
E

long 'a fingerprint with an ordinal names its finding too' <<'E'
sh "$TOP/t/sample.sh" twice; cd twice
yes 'console.log(1);' | head -n 3 >src/twice.js
ikm check --format gitlab >../ordinals || :
for n in 2 3; do
	print=$(jq -r --arg n "-$n" '.[].fingerprint | select(endswith($n))' ../ordinals)
	same src/twice.js:$n "$(ikm why "$print" --json | jq -r '.finding | "\(.file):\(.line)"')"
done
same src/twice.js "$(ikm why "${print%-3}-9" --json | jq -r .finding.file)"
fails_for NO_SUCH_ITEM ikm why 000000000000-2
fails_for NO_SUCH_ITEM ikm why "${print%-3}-x"
E

try 'Checkstyle: an element for each file, in order' <<'E'
cd r
judged checkstyle ../checkstyle.xml
python3 - ../checkstyle.xml ../gitlab <<'P'
import json, sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
files = [f.get('name') for f in root]
assert files == sorted(set(files), key=lambda s: s.encode()), files
errors = root.findall('file/error')
assert len(errors) == len(json.load(open(sys.argv[2])))
assert {e.get('severity') for e in errors} == {'error', 'warning', 'info'}
odd = root.find("file[@name='src/a b/é%:&\"<.js']")
assert [(e.get('line'), e.get('column')) for e in odd] == [('1', '5'), ('1', '21'), ('2', '9')]
assert 'found: console.log(' in odd[0].get('message')
P
E

try 'a parser that is not ours reads both XML formats' <<'E'
cd r
if ! command -v xmllint >/dev/null; then
	echo 'libxml2-utils is missing' >&2
	[ -z "${IKM_NO_SKIP-}" ]
	exit
fi
xmllint --noout ../junit.xml ../checkstyle.xml
# https://github.com/jenkinsci/xunit-plugin holds reports against this schema.
xmllint --noout --schema "$TOP/t/schemas/junit-10.xsd" ../junit.xml
fails 3 xmllint --noout --schema "$TOP/t/schemas/junit-10.xsd" ../junit-file.xml
cd ../empty-junit 2>/dev/null || { git init -q ../empty-junit; cd ../empty-junit; }
ikm check --format junit >../none.xml
xmllint --noout --schema "$TOP/t/schemas/junit-10.xsd" ../none.xml
same 1 "$(xmllint --xpath 'count(/testsuites/testsuite[@name="ikm check"])' ../junit.xml)"
same error "$(xmllint --xpath 'string(//error[contains(@message, "mariadb")]/@severity)' \
	../checkstyle.xml)"
E

# ---- reviewdog ----

try 'rdjson: columns count bytes, and end behind the match' <<'E'
cd r
judged rdjson ../rdjson
same ikm "$(jq -r .source.name ../rdjson)"
same ERROR,INFO,WARNING "$(jq -r '.diagnostics | map(.severity) | unique | join(",")' ../rdjson)"
jq -e '.diagnostics | all(.message and .location.path and .code.value)' ../rdjson
jq -c '.diagnostics[].location | select(.range.end) | [.path, .range]' ../rdjson >../ranges
least 6 ../ranges
grep -F 'a b' ../ranges | tail -n 1 |
	grep -qF '{"start":{"line":2,"column":9},"end":{"line":2,"column":21}}'
E

# ---- nothing to report ----

try 'a report without entries is a whole document in every format' <<'E'
git init -q empty; cd empty
mkdir .ikm; echo '{"knowledge": {"sources": [{"path": "docs"}]}}' >.ikm/config.json
mkdir docs; printf -- '---\nstatus: accepted\nconstraints: [{operator: must_not_use, target: code, pattern: x}]\n---\n# One\n' >docs/1.md
git add -A; git commit -qm x
ikm check --format sarif | jq -e '.runs[0] | .results == [] and .tool.driver.rules == []'
ikm check --format gitlab | jq -e '. == []'
ikm check --format rdjson | jq -e '.diagnostics == []'
ikm check --format junit >../junit.xml
ikm check --format checkstyle >../checkstyle.xml
python3 - <<'P'
import xml.etree.ElementTree as E
suite, = E.parse('../junit.xml').getroot()
assert suite.get('tests') == '1' and len(suite) == 1 and len(suite[0]) == 0
assert len(E.parse('../checkstyle.xml').getroot()) == 0
P
E

# ---- the schema, last: it needs npm's packages ----

if [ -e "$NPM/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" ] &&
	(needs_npm ajv ajv-formats) >/dev/null; then
	more 'SARIF logs are valid by the published schema, which refuses a wrong log' <<'E'
cp "$TOP/t/schema.mjs" "$T/schema.mjs"
sarif=node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json
ln -s "$NPM" "$T/node_modules"
cd r
ikm check --min-severity info --format sarif >../full.sarif || :
ikm check --all --format sarif >../all.sarif || :
cd ../empty
ikm check --format sarif >../empty.sarif
cd ..
jq '.runs[0].results[0].level = "fatal"' full.sarif >level.sarif
jq 'del(.runs[0].results[0].message)' full.sarif >message.sarif
node "$T/schema.mjs" $sarif full.sarif all.sarif empty.sarif
fails 1 node "$T/schema.mjs" $sarif level.sarif
fails 1 node "$T/schema.mjs" $sarif message.sarif
E
	# https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
	more "rdjson is valid by reviewdog's schema, which refuses a wrong report" <<'E'
cp "$TOP/t/schemas/rdformat.json" "$T/rdformat.json"
cd r
judged rdjson "$T/w/full.rdjson"
(cd ../empty && ikm check --format rdjson) >../empty.rdjson
cd ..
jq '.diagnostics[0].location.range.start.line = "x"' full.rdjson >line.rdjson
node "$T/schema.mjs" rdformat.json full.rdjson empty.rdjson
fails 1 node "$T/schema.mjs" rdformat.json line.rdjson
E
else
	skip 'SARIF logs are valid by the published schema' "npm's @microsoft/jest-sarif or Node is missing"
fi

done_testing
