#!/bin/sh
# A check that judged nothing does not say "passed": its first line says so, and why.
. "$(dirname "$0")/../lib.sh"

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
ask() { # TOOL ARGUMENTS: what a model reads
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "$1" "$2" "$meta" |
		ikm mcp -t knowledge | jq -r '.result.content[].text'
}
deps='{"dependencies":[{"name":"mysql2"}]}'

try 'decisions that the settings do not name, no repository, no decision at all' <<'E'
git init -q r
mkdir -p r/docs/adr out
cp "$TOP"/t/rules/0225-nothing-judged.t r/docs/adr/0001.md
cd r
ask knowledge_check "$deps" >a
head -1 a | grep -q "^nothingJudged: .*'docs/adr' may hold decisions: a person runs 'ikm init'"
grep -q passed a && exit 1
ask knowledge_query '{}' >a
head -1 a | grep -q "^nothingRead: .*'docs/adr' may hold decisions"
ask knowledge_for '{"paths":["x"]}' >a
head -1 a | grep -q "^nothingRead: .*'docs/adr' may hold decisions"
same null "$(ikm check --all --json | jq .passed)"
ikm check --all 2>&1 | grep -q "^nothing was judged: .*'docs/adr' may hold decisions"
cd ../out
ask knowledge_check "$deps" | head -1 | grep -q "^nothingJudged: '.*/out' is in no repository"
git init -q .
ask knowledge_check "$deps" | head -1 | grep -q '^nothingJudged: no knowledge is configured'
ask knowledge_show '{"id":"adr-1"}' | grep -q "no source of decisions is configured here: a person runs 'ikm init'"
E

try 'reports for other programs say it too, and --require-checked fails' <<'E'
git init -q prose
mkdir -p prose/docs/adr prose/.ikm
printf '# A\n\nStatus: accepted\n\nProse.\n' >prose/docs/adr/0001-a.md
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >prose/.ikm/config.json
cd prose
said='nothing was judged: the decision that was read has no active rule'
for format in junit junit-file sarif gitlab checkstyle rdjson; do
	ikm check --all --format $format >../$format
	grep -q "$said" ../$format
done
grep -q '<testsuite .*tests="1" .*skipped="1"' ../junit
grep -q '<skipped message' ../junit
jq -e '.runs[0].results == [] and (.runs[0].invocations[0].toolExecutionNotifications | length == 1)' ../sarif
GITHUB_STEP_SUMMARY=$PWD/../summary ikm check --all --format github | grep -q "^::warning.*$said"
head -1 ../summary | grep -qx '## ikm check judged nothing'
fails_for NOTHING_CHECKED ikm check --all --require-checked 1
ikm know rule 1 --forbid-code 'gets' >/dev/null
ikm check --all --require-checked 1 --format junit | grep -q '<testcase classname="ikm" name="ikm check"/>'
E

try 'empty lists, and rules that are about something else' <<'E'
git init -q other
mkdir -p other/.ikm other/docs/adr
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >other/.ikm/config.json
printf -- '---\nid: a\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: code, pattern: gets, severity: block}\n---\n# A\n' >other/docs/adr/a.md
cd other
ask knowledge_check "$deps" | head -1 | grep -qx 'nothingJudged: no rule is about what was given: each needs other files'
for empty in '{"dependencies":[],"files":[]}' '{"files":[]}' '{"dependencies":[]}'; do
	ask knowledge_check "$empty" | head -1 | grep -qx 'nothingJudged: files and dependencies are empty lists'
done
ask knowledge_check '{}' | grep -q 'nothing to check: files and dependencies are missing'
E

try 'decisions without a rule that judges; and with one, passed is passed' <<'E'
cd out
mkdir -p .ikm docs/adr
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
printf -- '---\nid: a\ntitle: A\nstatus: accepted\n---\n# A\n' >docs/adr/a.md
ask knowledge_check "$deps" | head -1 | grep -q '^nothingJudged: the decision that was read has no active rule'
cat >docs/adr/a.md <<'A'
---
id: a
title: A
status: accepted
constraints:
  - target: dependency
    operator: must_not_use
    pattern: mysql2
    severity: block
---
# A
A
ask knowledge_check "$deps" >a
grep -q '^passed: false' a
grep -q nothingJudged a && exit 1
ask knowledge_check '{"dependencies":[{"name":"pg"}]}' | grep -q '^passed: true'
same true "$(ikm check --all --json | jq .passed)"
E

long 'a PATH that no check reads: the reason, by the path, in text, JSON and the reports' <<'E'
git init -q paths; cd paths
mkdir -p .ikm docs/adr ign real empty
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
printf -- '---\nid: a\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: code, pattern: gets, severity: block}\n---\n# A\n' >docs/adr/a.md
echo gets >ign/a.c; echo gets >ign/tracked.c; echo ok >real/a.c; ln -s ign link; echo '/mine' >.git/info/exclude; echo gets >mine
echo ign/ >.gitignore; git add .; git add -f ign/tracked.c
git init -q nested; echo gets >nested/a.c
git init -q lib; (cd lib; echo gets >a.c; git add .; git commit -qm a)
git -c protocol.file.allow=always submodule --quiet add "$PWD/lib" sub; rm -rf lib
git commit -qm a
ignored="Git ignores it ('git check-ignore -v' names the pattern)"
while IFS='|' read -r path why; do
	ikm check $path >../said
	grep -qxF "nothing was judged: $why" ../said || { echo "$path"; cat ../said; exit 1; }
	same "null $why" "$(ikm check $path --json | jq -r '"\(.passed) \(.nothingJudged)"')"
	ikm check $path --format sarif | grep -qF "nothing was judged: $why"
	fails_for NOTHING_CHECKED ikm check $path --require-checked 1
done <<X
ign/a.c|ign/a.c: $ignored
link/a.c|ign/a.c: $ignored
mine|mine: $ignored
nested/a.c|nested/a.c: it is in another repository: ikm -C $PWD/nested check a.c
sub/a.c|sub/a.c: it is in another repository: ikm -C $PWD/sub check a.c
.git/config|.git/config: it is in Git's own folder, and ikm judges no file there
nested/.git|nested/.git: it is in another repository: ikm -C $PWD/nested check .git
empty|empty: it has no file that ikm reads
X
# Beside a file that is judged it is a warning; several of them have one line each.
ikm check real/a.c ign/a.c >../said
grep -qxF "warning ign/a.c: $ignored" ../said; grep -q '^checked 1 file' ../said
ikm check mine ign/a.c >../said
grep -qxF "warning mine: $ignored" ../said
grep -qx 'nothing was judged: none of the 2 paths has a file that is judged' ../said
# A path that is given twice counts once.
ikm check real mine ./mine "$PWD/mine" >../said
same 1 "$(grep -c '^warning mine: ' ../said)"
ikm check mine mine >../said; grep -qxF "nothing was judged: mine: $ignored" ../said
# What Git tracks is judged, ignored or not; a folder with one such file too.
fails 1 ikm check ign/tracked.c >../said; fails 1 ikm check ign >../said; not grep ignores ../said
ikm check real | grep -q '^checked 1 file'
E
done_testing
