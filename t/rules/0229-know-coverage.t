#!/bin/sh
# know coverage: which decisions rules enforce, which are only told, and which are prose; and when a
# rule last stopped somebody. git, jq and the hooks are the referees.
. "$(dirname "$0")/../lib.sh"

git init -q -b main shop
cd shop || exit 1
mkdir -p .ikm docs/adr src/pay
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
echo '{"dependencies": {}}' >package.json
item() { # name, status, severity of its rule or -, text
	{
		printf -- '---\nstatus: %s\n' "$2"
		[ "$3" = - ] || printf 'constraints:\n  - {operator: must_not_use, target: dependency, pattern: mysql2?, severity: %s}\n' "$3"
		printf -- '---\n# Title %s\n\n%s\n' "$1" "$4"
	} >"docs/adr/$1.md"
}
item 0001-stop accepted block 'No MySQL.'
item 0002-warn accepted warn 'No MySQL, perhaps.'
item 0003-plan proposed block 'Perhaps no MySQL.'
item 0004-path accepted - 'Cards live in ./src/pay.'
item 0005-prose accepted - 'We are kind | in docs/adr/0005-prose.md. See src and pay/.'
item 0006-gone rejected block 'No.'
item 0007-plans proposed - 'About src/pay/.'
echo x >src/pay/a.js && echo x >src.c
git add . && git commit -qm all
of() { ikm know coverage --json "$@" | jq -c '[.decisions[] | "\(.id[:4]) \(.coverage) \(.stopping) \(.other)"]'; }

try 'each active decision is enforced, advised or prose' <<'E'
same '["0001 enforced 1 0","0002 advised 0 1","0003 advised 0 1","0004 advised 0 0","0005 prose 0 0","0007 prose 0 0"]' "$(of)"
same '{"enforced":1,"advised":3,"prose":2}' "$(ikm know coverage --json --only prose | jq -c .summary)"
same '["0005 prose 0 0","0007 prose 0 0"]' "$(of --only prose)"
same '"src/pay"' "$(ikm know coverage --json | jq '.decisions[3].why')"
ikm know coverage >out
# Nothing counts without a home.
same 'enforced 1 0001-stop Title 0001-stop its stops are not counted' "$(head -1 out | tr -s ' ')"
grep -q "0004-path .*'ikm know for' tells it: it names src/pay$" out
same 'active decisions: 6; enforced 1, advised 3, prose 2' "$(tail -1 out)"
ikm know coverage 2>&1 >/dev/null | grep -q 'there is none: ikm init --home-only'
ikm know coverage --json | jq -e '.notCounted | length > 0'
E

more 'what know for tells is advised, and nothing else' <<'E'
same '0004-path' "$(ikm know for src/pay/a.js --json | jq -r '.decisions[].id')"
E

more 'Markdown is a table, and a bar in a title is no column' <<'E'
sed -i 's/^# .*/# A | B/' docs/adr/0005-prose.md
ikm know coverage --format markdown >out
same '| decision | title | held by | rules | |' "$(head -1 out)"
grep -qxF '| 0005-prose | A \| B | prose | 0 | nothing tells it |' out
git checkout -q docs
E

long 'a stopped commit, a stopped push and a stopped edit of an agent are noted' <<'E'
ikm hook install >/dev/null
ikm init --home-only >/dev/null
same null "$(ikm know coverage --json | jq .notCounted)"
ikm know coverage | grep -q 'no stop is noted in this clone$'
last() { ikm know coverage --json | jq -c '.decisions[0] | [.lastStopped, .times]'; }
same '[null,null]' "$(last)"
echo '{"dependencies": {"mysql2": "3"}}' >package.json
export IKM_NOW=2026-03-02T10:00:00Z
fails 1 git commit -qam mysql 2>err
same '["2026-03-02T10:00:00.000Z",1]' "$(last)"
git commit -qam mysql --no-verify
git init -q --bare ../origin.git
git remote add origin ../origin.git
git push -q --no-verify origin HEAD~1:refs/heads/main
export IKM_NOW=2026-03-03T10:00:00Z
fails 1 git push -q origin HEAD:main 2>err
ikm know coverage | grep -q '0001-stop .*  last stopped 2026-03-03, 2 in all$'
git reset -q --hard HEAD~1
jq -nc --arg cwd "$PWD" '{session_id: "s", cwd: $cwd, hook_event_name: "PreToolUse", tool_name: "Write",
	tool_input: {file_path: ($cwd + "/package.json"), content: "{\"dependencies\": {\"mysql\": \"3\"}}"}}' |
	ikm hook run agent --host claude >out 2>&1 || :
grep -q 'stopped before it was written' out
ikm know coverage | grep -q '3 in all$'
# A check that nobody commits by stops nobody.
echo '{"dependencies": {"mysql2": "3"}}' >package.json
fails 1 ikm check
ikm know coverage | grep -q '3 in all$'
# The rule moves within its file, and is the same.
sed -i 's/^constraints:/&\n  - {operator: must_exist, target: file, pattern: package.json, severity: block}/' docs/adr/0001-stop.md
ikm know coverage | grep -q ' 2 .*3 in all$'
git reset -q --hard
E

more 'a damaged record is begun anew; one that cannot be written, and no home, stop all the same' <<'E'
ikm hook install >/dev/null
ikm init --home-only >/dev/null
echo '{"dependencies": {"mysql2": "3"}}' >package.json
fails 1 git commit -qam mysql 2>err
record=$(ls ~/.ikigai/stops/*.json)
same 600 "$(stat -c %a "$record")"
echo '{' >"$record"
ikm know coverage | grep -q 'its stops are not counted'
ikm know coverage 2>&1 >/dev/null | grep -q "line 2.*rm '$record'"
rm "$record" && mkdir "$record"
fails 1 git commit -qam mysql 2>err
grep -q 0001-stop err
rm -r ~/.ikigai
fails 1 git commit -qam mysql 2>err
[ ! -e ~/.ikigai ]
git reset -q --hard
E

more 'no source, a bare repository, no repository' <<'E'
ikm -C .. know coverage 2>err
grep -q 'no knowledge is configured' err
git clone -q --bare . ../bare.git
same '{"enforced":1,"advised":3,"prose":2}' "$(ikm -C ../bare.git know coverage --json | jq -c .summary)"
cd ..
same '["0001-stop"]' "$(ikm know coverage --knowledge shop/docs/adr --only enforced --json | jq -c '[.decisions[].id]')"
E

done_testing
