#!/bin/sh
# ikm hook run agent: an edit is judged before it is written, in the form of the host that asks.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" r; cd r || exit 1
sed -i 's/^constraints:/constraints:\n  - operator: must_not_use\n    target: code\n    pattern: "SECRET-[0-9]+"\n    severity: block\n    message: no secrets in the code/' docs/adr/0001-*.md
git commit -qam 'a rule on code'
KEY=SECRET-12345 R=$PWD; export KEY R

cat >"$T/events.sh" <<'E'
# Events as the hosts send them. $1: the tool's name, $2: its input.
claude() { jq -cn --arg t "$1" --argjson i "$2" '{session_id: "s", transcript_path: "/t", cwd: $ENV.R,
	prompt_id: "p", permission_mode: "bypassPermissions", hook_event_name: "PreToolUse",
	tool_name: $t, tool_input: $i, tool_use_id: "u"}'; }
codex() { jq -cn --arg t "$1" --argjson i "$2" '{session_id: "s", turn_id: "1", transcript_path: null,
	cwd: $ENV.R, hook_event_name: "PreToolUse", model: "m", permission_mode: "default",
	tool_name: $t, tool_input: $i, tool_use_id: "u"}'; }
gemini() { jq -cn --arg t "$1" --argjson i "$2" '{session_id: "s", transcript_path: "/t", cwd: $ENV.R,
	hook_event_name: "BeforeTool", timestamp: "2026-01-01T00:00:00Z", tool_name: $t, tool_input: $i}'; }
copilot() { jq -cn --arg t "$1" --argjson i "$2" '{sessionId: "s", timestamp: 1, cwd: $ENV.R,
	toolName: $t, toolArgs: $i}'; }
cursor() { printf '\357\273\277'; jq -cn --arg t "$1" --argjson i "$2" '{conversation_id: "s",
	cursor_version: "3.9", workspace_roots: [$ENV.R], cwd: "", hook_event_name: "preToolUse",
	tool_name: $t, tool_input: $i}'; }
opencode() { jq -cn --arg t "$1" --argjson i "$2" '{sessionID: "s", callID: "c", directory: $ENV.R,
	tool: $t, args: $i}'; }
vscode() { jq -cn --arg t "$1" --argjson i "$2" '{timestamp: "2026-01-01T00:00:00Z", cwd: $ENV.R,
	sessionId: "s", hookEventName: "PreToolUse", transcript_path: "/t", tool_name: $t,
	tool_input: $i, tool_use_id: "u"}'; }
unknown() { jq -cn --arg t "$1" --argjson i "$2" '{hook_event_name: "PreToolUse", tool_name: $t,
	tool_input: $i, cwd: $ENV.R}'; }
# Prints the answer, then what is on standard error, then the status.
ask() { ikm hook run agent "$@" 2>../stderr && status=0 || status=$?; cat ../stderr; echo "status $status"; }
verdict() { claude "$1" "$2" | ikm hook run agent | jq -r '.hookSpecificOutput |
	.permissionDecision // (if (.additionalContext // "") | startswith("What binds") then empty
	elif .additionalContext then "context" else "nothing" end)' | grep . || echo allow; }
reason() { claude "$1" "$2" | ikm hook run agent |
	jq -r '.hookSpecificOutput | .permissionDecisionReason // .additionalContext'; }
input() { jq -cn "$@"; }
E
. "$T/events.sh"

try 'a new file, an edit, edits in one call: denied with decision, reason and what to use' <<'E'
. "$T/events.sh"
pkg='{"dependencies": {"mysql2": "^3"}}'
reason Write "$(input --arg c "$pkg" '{file_path: "\($ENV.R)/web/package.json", content: $c}')" >../out
grep -q '^ikm: stopped before it was written' ../out
grep -q '^0001-postgresql-for-relational-data: .*(docs/adr/0001-postgresql-for-relational-data.md)$' ../out
grep -q '^  web/package.json:1:20: mysql2 ^3$' ../out
grep -q '^  why: ' ../out
grep -q '^  use instead: pg' ../out
same deny "$(verdict Edit '{"file_path": "package.json", "old_string": "\"pg\"", "new_string": "\"mysql2\": \"1\", \"pg\""}')"
same deny "$(verdict MultiEdit '{"file_path": "package.json", "edits": [{"old_string": "\"pg\"", "new_string": "\"a\": \"1\", \"pg\""},
	{"old_string": "\"a\"", "new_string": "\"mysql2\""}]}')"
same allow "$(verdict Write '{"file_path": "src/new.js", "content": "ok"}')"
same allow "$(verdict Read '{"file_path": "package.json"}')"
[ ! -e web ]
git diff --quiet
E

try 'a secret that a rule finds is not repeated' <<'E'
. "$T/events.sh"
reason Write "$(input '{file_path: "src/k.js", content: "\n  k = \"\($ENV.KEY)\""}')" >../out
grep -q '^  src/k.js:2:8: must_not_use /SECRET' ../out
grep -q 'no secrets in the code' ../out
fails 1 grep -q "$KEY" ../out
# A rule without a message has one that quotes what was found: for people.
printf -- '---\nstatus: accepted\nseverity: block\nconstraints:\n%s%s---\n# Keys\n' \
	'  - {operator: must_not_use, target: config, pattern: "^key=SECRET", appliesTo: ["*.ini"]}
' '  - {operator: must_not_use, target: code, pattern: "[A-Z]+-12345", appliesTo: ["*.py"]}
' >docs/adr/0009-keys.md
reason Write "$(input '{file_path: "a.ini", content: "key=\($ENV.KEY)"}')" >../out
grep -q '^  a.ini:1:1: must_not_use /^key=SECRET/$' ../out
fails 1 grep -q "$KEY" ../out
reason Write "$(input '{file_path: "a.py", content: "k = \"\($ENV.KEY)\""}')" >../out
grep -q '^  a.py:1:6: must_not_use /' ../out
fails 1 grep -q "$KEY" ../out
input '{path: "a.ini", content: "key=\($ENV.KEY)"}' | fails 5 ikm call file_write >../out
fails 1 grep -q "$KEY" ../out
[ ! -e a.ini ]
rm docs/adr/0009-keys.md
E

try 'what was there before stops nobody, what is added does' <<'E'
. "$T/events.sh"
echo "old $KEY" >src/old.js
same allow "$(verdict Edit '{"file_path": "src/old.js", "old_string": "old", "new_string": "older"}')"
same deny "$(verdict Edit "$(input '{file_path: "src/old.js", old_string: "old", new_string: "\($ENV.KEY) old"}')")"
rm src/old.js
E

long 'each host is denied in its own form, whatever --host says' <<'E'
. "$T/events.sh"
for host in claude gemini cursor; do
	claude Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | ask --host $host >../out
	same 'deny PreToolUse true' "$(head -n 1 ../out | jq -r '.hookSpecificOutput | "\(.permissionDecision) \(.hookEventName) \(.permissionDecisionReason | length > 20)"')"
	same 'status 0' "$(sed 1d ../out)"
	gemini write_file "$(input '{file_path: "a.js", content: $ENV.KEY}')" | ask --host $host >../out
	same 'deny ["decision","reason"]' "$(head -n 1 ../out | jq -r '"\(.decision) \(keys)"')"
	cursor Write "$(input '{path: "a.js", contents: $ENV.KEY}')" | ask --host $host >../out
	same 'deny ["agent_message","permission","user_message"] true' "$(head -n 1 ../out | jq -r '"\(.permission) \(keys) \(.agent_message == .user_message)"')"
	same 'status 0' "$(sed 1d ../out)"
done
codex apply_patch "$(input '{command: "*** Begin Patch\n*** Add File: a.js\n+\($ENV.KEY)\n*** End Patch"}')" | ask >../out
same '["hookSpecificOutput"] ["hookEventName","permissionDecision","permissionDecisionReason"] deny' \
	"$(head -n 1 ../out | jq -r '"\(keys) \(.hookSpecificOutput | keys) \(.hookSpecificOutput.permissionDecision)"')"
copilot create "$(input '{path: "a.js", file_text: $ENV.KEY}')" | ask >../out
same 'deny ["permissionDecision","permissionDecisionReason"]' "$(head -n 1 ../out | jq -r '"\(.permissionDecision) \(keys)"')"
vscode create_file "$(input '{filePath: "a.js", content: $ENV.KEY}')" | ask >../out
same 'deny PreToolUse' "$(head -n 1 ../out | jq -r '.hookSpecificOutput | "\(.permissionDecision) \(.hookEventName)"')"
opencode write "$(input '{filePath: "a.js", content: $ENV.KEY}')" | ask >../out
grep -q '^ikm: stopped before it was written' ../out
same 'status 2' "$(tail -n 1 ../out)"
E

try 'Copilot with an event in the spelling of Claude gets the nested form' <<'E'
. "$T/events.sh"
jq -cn '{session_id: "s", timestamp: "2026-01-01T00:00:00Z", cwd: $ENV.R, hook_event_name: "PreToolUse",
	tool_name: "Write", tool_input: {path: "a.js", file_text: $ENV.KEY}}' | ask --host claude >../out
same 'deny PreToolUse' "$(head -n 1 ../out | jq -r '.hookSpecificOutput | "\(.permissionDecision) \(.hookEventName)"')"
E

try 'a host that ikm does not know is denied in the form that stops all: decision, reason, status 2' <<'E'
. "$T/events.sh"
unknown Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | ask >../out
same 'block ["decision","reason"]' "$(head -n 1 ../out | jq -r '"\(.decision) \(keys)"')"
sed 1d ../out | grep -q '^ikm: stopped before it was written'
same 'status 2' "$(tail -n 1 ../out)"
unknown Write '{"file_path": "a.js", "content": "ok"}' | ask >../out
same 'status 0' "$(cat ../out)"
E

long 'to allow is to say nothing, but for Cursor' <<'E'
. "$T/events.sh"
ok=$(input '{file_path: "a.png", content: "ok"}')
for host in claude codex unknown; do
	same 'status 0' "$($host Write "$ok" | ask)"
done
same 'status 0' "$(gemini write_file "$ok" | ask)"
same 'status 0' "$(copilot create '{"path": "a.png", "file_text": "ok"}' | ask)"
same 'status 0' "$(opencode write '{"filePath": "a.png", "content": "ok"}' | ask)"
same '{"permission":"allow"}
status 0' "$(cursor Write "$ok" | ask)"
same '{"permission":"allow"}
status 0' "$(cursor Read '{"file_path": "a.png"}' | ask)"
E

more 'a patch is judged as it would be applied: add, update, move, delete' <<'E'
. "$T/events.sh"
patch() { codex apply_patch "$(input --arg p "*** Begin Patch
$1
*** End Patch" '{command: $p}')" | ikm hook run agent | jq -r '.hookSpecificOutput | .permissionDecision //
	(if (.additionalContext // "") | startswith("What binds") then empty else "context" end)' | grep . || echo allow; }
same deny "$(patch "*** Update File: package.json
@@
-  \"dependencies\": {
+  \"dependencies\": {\"mysql2\": \"1\",")"
same allow "$(patch "*** Add File: src/a.js
+fine")"
same deny "$(patch "*** Add File: src/a.js
+$KEY")"
echo "$KEY" >src/have.js
same allow "$(patch "*** Update File: src/have.js
*** Move to: src/had.js
@@
 $KEY
+more")"
same allow "$(patch '*** Delete File: src/have.js')"
same context "$(patch "*** Update File: src/have.js
@@
-not there
+$KEY")"
rm src/have.js
same deny "$(codex Bash "$(input '{command: "cd src && apply_patch <<'"'EOF'"'\n*** Begin Patch\n*** Add File: b.js\n+\($ENV.KEY)\n*** End Patch\nEOF"}')" |
	ikm hook run agent | jq -r .hookSpecificOutput.permissionDecision)"
E

more 'a cell of a notebook is judged in its notebook' <<'E'
. "$T/events.sh"
jq -n '{cells: [{id: "c1", cell_type: "code", source: ["a = 1\n"]}], nbformat: 4}' >n.ipynb
same deny "$(verdict NotebookEdit "$(input '{notebook_path: "n.ipynb", cell_id: "c1", new_source: $ENV.KEY}')")"
same deny "$(verdict NotebookEdit "$(input '{notebook_path: "n.ipynb", cell_id: "c1", new_source: $ENV.KEY, edit_mode: "insert"}')")"
same allow "$(verdict NotebookEdit '{"notebook_path": "n.ipynb", "cell_id": "c1", "new_source": "b = 2"}')"
same allow "$(verdict NotebookEdit '{"notebook_path": "n.ipynb", "cell_id": "c1", "edit_mode": "delete"}')"
same context "$(verdict NotebookEdit '{"notebook_path": "n.ipynb", "cell_id": "no", "new_source": "b"}')"
rm n.ipynb
E

more 'CRLF: a text with LF replaces in a file with CRLF, as hosts do it' <<'E'
. "$T/events.sh"
printf 'a\r\nb\r\n' >crlf.js
same deny "$(verdict Edit "$(input '{file_path: "crlf.js", old_string: "a\nb", new_string: "a\n\($ENV.KEY)"}')")"
rm crlf.js
E

more 'the path is resolved first: .., links to folders, a link by its target and its name' <<'E'
. "$T/events.sh"
ln -s src link; mkdir -p web; echo '{}' >web/deps.txt; ln -s deps.txt web/package.json
same deny "$(verdict Write "$(input '{file_path: "\($ENV.R)/src/../link/x.js", content: $ENV.KEY}')")"
reason Write "$(input '{file_path: "link/x.js", content: $ENV.KEY}')" | grep -q '^  src/x.js:1:1'
# The target's name says nothing of a manifest; the link's does.
reason Write '{"file_path": "web/package.json", "content": "{\"dependencies\": {\"mysql2\": \"1\"}}"}' >../out
grep -q '^  web/package.json:1:20: mysql2 1$' ../out
rm -r web link
E

more 'ignored files and files outside repositories get no decision' <<'E'
. "$T/events.sh"
printf 'out/\n*.log\n' >.gitignore
same deny "$(verdict Write "$(input '{file_path: "out/a.js", content: $ENV.KEY}')")"
git add .gitignore; git commit -qm ignores
for path in out/a.js out/deep/a.js a.log "$T/w/outside.js" "$T/none/a.js"; do
	same allow "$(verdict Write "$(input --arg p "$path" '{file_path: $p, content: $ENV.KEY}')")"
done
mkdir -p out; echo 1 >out/tracked.js; git add -f out/tracked.js; git commit -qm 'tracked all the same'
same deny "$(verdict Write "$(input '{file_path: "out/tracked.js", content: $ENV.KEY}')")"
git rm -qf out/tracked.js .gitignore; git commit -qm gone
E

more 'the rules are those of the repository that holds the file' <<'E'
. "$T/events.sh"
git init -q ../other
same allow "$(verdict Write "$(input '{file_path: "\($ENV.R)/../other/a.js", content: $ENV.KEY}')")"
R=$T/w/other
same deny "$(verdict Write "$(input --arg p "$T/w/r/a.js" '{file_path: $p, content: $ENV.KEY}')")"
E

more 'a rule of HEAD that the working tree has taken away still stops, and says so' <<'E'
. "$T/events.sh"
mv docs/adr/0001-postgresql-for-relational-data.md ../kept
reason Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" >../out
grep -q 'the rule is in HEAD' ../out
mv ../kept docs/adr/0001-postgresql-for-relational-data.md
E

more 'a rule of the working tree that is not committed stops too, but not for what is there already' <<'E'
. "$T/events.sh"
printf -- '---\ntitle: T\nstatus: accepted\nseverity: block\nconstraints:\n  - operator: must_not_use\n    target: code\n    pattern: nowords\n---\n# T\n' >docs/adr/0099-t.md
echo nowords >have.js
same deny "$(verdict Write '{"file_path": "a.js", "content": "nowords"}')"
same allow "$(verdict Write '{"file_path": "have.js", "content": "nowords\nmore"}')"
rm docs/adr/0099-t.md have.js
E

more 'a warning is context where the host has a place for it before a tool' <<'E'
. "$T/events.sh"
sed -i 's/severity: block/severity: warn/' docs/adr/0001-postgresql-for-relational-data.md; git commit -qam warn
claude Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | ikm hook run agent >../out
same '["additionalContext","hookEventName"]' "$(jq -c '.hookSpecificOutput | keys' ../out)"
jq -r .hookSpecificOutput.additionalContext ../out | grep -q '^ikm: a warning about this call:'
same allow "$(cursor Write "$(input '{path: "a.js", contents: $ENV.KEY}')" | ikm hook run agent | jq -r .permission)"
# Gemini has none: it is told after the tool.
same '' "$(gemini write_file "$(input '{file_path: "a.js", content: $ENV.KEY}')" | ikm hook run agent)"
gemini write_file '{}' | jq -c '.hook_event_name = "AfterTool"' | ikm hook run agent >../out
jq -r .hookSpecificOutput.additionalContext ../out | grep -q 'a warning about this call'
same '' "$(gemini write_file '{}' | jq -c '.hook_event_name = "AfterTool"' | ikm hook run agent)"
git reset -q --hard HEAD~1
E

more 'after the third stop of one rule in a session: stop and ask. Commits count too' <<'E'
. "$T/events.sh"
event() { claude Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | jq -c '.session_id = "third"'; }
for n in 1 2; do
	event | ikm hook run agent >../out
	fails 1 grep -q 'Stop here, and ask' ../out
done
event | ikm hook run agent | grep -q '#1 has stopped several changes in this session. Stop here, and ask the person'
event | jq -c '.session_id = "new"' | ikm hook run agent >../out
fails 1 grep -q 'Stop here, and ask' ../out
# The commits of the agent, in a session of its own; then an edit in the same session.
ikm hook install >/dev/null
echo "$KEY" >a.js; git add a.js
commit() { fails 1 env "$@" git commit -qm x 2>../err; grep -c '^ikm: .*#1 has stopped several changes in this session. Stop here' ../err || :; }
for n in 1 2 3 4; do same 0 "$(commit)"; done # a person
same 0 "$(commit CLAUDECODE=1)"
for n in 0 0 1 1; do same $n "$(commit CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=commits)"; done
git rm -qf a.js; ikm hook uninstall >/dev/null
event | jq -c '.session_id = "commits"' | ikm hook run agent | grep -q 'Stop here, and ask'
E

more 'what cannot be understood is not denied, and says why' <<'E'
. "$T/events.sh"
same context "$(verdict Edit "$(input '{file_path: "package.json", old_string: "not there", new_string: $ENV.KEY}')")"
reason Edit "$(input '{file_path: "package.json", old_string: "not there", new_string: $ENV.KEY}')" >../out
grep -q 'did not stop it: the text to replace is not exactly once in' ../out
grep -q 'no secrets in the code' ../out
same context "$(verdict Write '{"file_path": "a.js"}')"
same context "$(verdict Write "$(input '{content: $ENV.KEY}')")"
claude Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | head -c 150 | ask --host claude >../out
head -n 1 ../out | jq -r .hookSpecificOutput.additionalContext | grep -q 'it cannot be read: '
same 'status 0' "$(sed 1d ../out)"
claude Write "$(input '{file_path: "a.js", content: "\($ENV.KEY)@"}')" | tr @ '\377' | ask >../out
head -n 1 ../out | jq -r .hookSpecificOutput.additionalContext >../text
grep -q 'bytes that are not UTF-8' ../text; grep -q 'no secrets' ../text
same 'status 0' "$(printf '' | ask)"
same 'status 0' "$(printf 'no json' | ask)"
same '{"permission":"allow","agent_message":' "$(printf '\357\273\277{' | ask | head -n 1 | cut -c 1-38)"
same 'status 0' "$(printf '[1,2]' | ask)"
same 'status 0' "$(echo '{"hook_event_name": "OfTheFuture", "session_id": "s"}' | ask --host claude)"
E

long 'a file that a manifest includes under any name is judged as the commit is' <<'E'
. "$T/events.sh"
mkdir d
echo '-r other.lst' >requirements.txt
echo 'services: {db: {build: {context: ., dockerfile: odd.txt}}}' >d/compose.yaml
echo 'psycopg' >other.lst; echo 'FROM postgres' >d/odd.txt
git add -A; git commit -qm includes
for file in 'other.lst PyMySQL' 'd/odd.txt FROM mariadb'; do
	name=${file%% *}; text=${file#* }
	event() { input --arg f "$1" --arg c "$2" '{file_path: "\($ENV.R)/\($f)", content: $c}'; }
	same deny "$(verdict Write "$(event "$name" "$text")")"
	reason Write "$(event "$name" "$text")" | grep -q "^  $name:1:.*${text#FROM }"
	same allow "$(verdict Write "$(event "$name" postgres)")"
	# No manifest includes it.
	same allow "$(verdict Write "$(event none.lst "$text")")"
done
E

more 'a huge event, a deep event and a patch without end do no harm' <<'E'
. "$T/events.sh"
{
	printf '{"hook_event_name": "PreToolUse", "tool_use_id": "u", "tool_name": "Write",'
	printf '"tool_input": {"file_path": "a.js", "content": "'
	head -c 69440000 /dev/zero | tr '\0' 0
	echo '"}}'
} >../huge
ask --host claude <../huge >../out
head -n 1 ../out | jq -r .hookSpecificOutput.additionalContext | grep -q 'did not stop it: it cannot be read'
same 'status 0' "$(tail -n 1 ../out)"
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "[" }' | ask --host codex >../out
head -n 1 ../out | jq -r .hookSpecificOutput.additionalContext | grep -q 'did not stop it: it cannot be read'
same 'status 0' "$(tail -n 1 ../out)"
E

more 'broken settings stop nobody: the tool runs, and the reason is told' <<'E'
. "$T/events.sh"
cp .ikm/config.json ../config; echo '{' >.ikm/config.json
same context "$(verdict Write "$(input '{file_path: "a.js", content: $ENV.KEY}')")"
reason Write "$(input '{file_path: "a.js", content: $ENV.KEY}')" | grep -q 'could not judge this call.*config.json'
cp ../config .ikm/config.json
E

more 'nothing is written into the repository' <<'E'
git status --porcelain >../status
same '' "$(cat ../status)"
E
done_testing
