#!/bin/sh
# ikm hook run agent: events that are cut, that a newer host sends, or that nobody understands; and
# what a session's state keeps.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" r; cd r || exit 1
sed -i 's/^constraints:/constraints:\n  - operator: must_not_use\n    target: code\n    pattern: "SECRET-[0-9]+"\n    severity: block\n    message: no secrets in the code/' docs/adr/0001-*.md
git commit -qam 'a rule on code'
mkdir "$T/events"
bad='"content":"SECRET-1\n"'
put() { printf '%s' "$2" >"$T/events/$1"; }
put claude '{"session_id":"s","cwd":"'"$PWD"'","prompt_id":"p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"k.js",'"$bad"'},"tool_use_id":"u"}'
put codex '{"session_id":"s","turn_id":"1","cwd":"'"$PWD"'","hook_event_name":"PreToolUse","model":"m","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: k.js\n+SECRET-1\n*** End Patch"},"tool_use_id":"u"}'
put gemini '{"session_id":"s","transcript_path":"/t","cwd":"'"$PWD"'","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"write_file","tool_input":{"file_path":"k.js",'"$bad"'}}'
put copilot '{"sessionId":"s","timestamp":1,"cwd":"'"$PWD"'","toolName":"create","toolArgs":{"path":"k.js","file_text":"SECRET-1\n"}}'
put opencode '{"sessionID":"s","callID":"c","directory":"'"$PWD"'","tool":"write","args":{"filePath":"k.js",'"$bad"'}}'
put cursor "$(printf '\357\273\277')"'{"conversation_id":"s","cursor_version":"9","workspace_roots":["'"$PWD"'"],"cwd":"","hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"file_path":"k.js",'"$bad"'}}'
# How each says that it denies.
cat >"$T/says.sh" <<'E'
denies() { grep -qE '"(permissionDecision|decision|permission)":"(deny|block)"' "$1"; }
run() { rc=0; ikm hook run agent --host "$1" >../answer 2>../stderr || rc=$?; }
E

try 'the whole event is denied in each form' <<'E'
. "$T/says.sh"
for host in claude codex gemini copilot opencode cursor; do
	run $host <"$T/events/$host"
	denies ../answer || { echo "$host"; cat ../answer; exit 1; }
	jq -e . ../answer >/dev/null
done
E

more 'an event that is cut anywhere: one answer or none, no denial, no crash' <<'E'
. "$T/says.sh"
for host in claude codex gemini copilot opencode cursor; do
	size=$(wc -c <"$T/events/$host")
	at=0
	while [ $at -lt "$size" ]; do
		head -c $at "$T/events/$host" >../cut
		run $host <../cut
		[ $rc = 0 ] || { echo "$host at $at: status $rc"; cat ../answer ../stderr; exit 1; }
		! denies ../answer || { echo "$host at $at denies"; exit 1; }
		if [ -s ../answer ]; then jq -e 'type == "object"' ../answer >/dev/null; fi
		same '' "$(cat ../stderr)"
		at=$((at + 17))
	done
	# Without its last brace: told, where the host has a place for it.
	head -c $((size - 1)) "$T/events/$host" >../cut
	run $host <../cut
	case $host in
	claude | codex | copilot | opencode | cursor) grep -q 'did not understand all of this call' ../answer ;;
	gemini) same '' "$(cat ../answer)" ;;
	esac
done
[ ! -e k.js ]
E

# Node escapes half of a pair so; what it writes to the file is U+FFFD.
long 'half of a surrogate pair, as of a cut emoji, hides nothing and refuses nothing' <<'E'
. "$T/says.sh"
for host in claude codex gemini copilot opencode cursor; do
	sed 's/SECRET-1/\\udc00SECRET-1 \\ud83d/' "$T/events/$host" >../event
	for as in $host claude; do
		run $as <../event
		denies ../answer || { echo "$host as $as"; cat ../answer; exit 1; }
		! grep -q 'did not understand' ../answer
	done
	sed 's/SECRET-1/\\ud83d fine/' "$T/events/$host" >../event
	run $host <../event
	! denies ../answer
	! grep -q 'did not understand' ../answer
done
# The input as the text of a JSON object, with a half in the path too.
printf '%s' '{"sessionId":"s","timestamp":1,"cwd":"'"$PWD"'","toolName":"create","toolArgs":"{\"path\":\"k\\ud800.js\",\"file_text\":\"SECRET-1\\ud800\"}"}' >../event
run copilot <../event
denies ../answer
E

more 'members that a newer host adds change nothing' <<'E'
. "$T/says.sh"
for host in claude codex gemini copilot opencode; do
	jq -c '. + {schema_version: 99, added: {a: [1, null, {b: true}]}} |
		(.tool_input, .toolArgs, .args) |= if . then . + {reason: "new", flags: []} else empty end' \
		"$T/events/$host" >../event
	run $host <../event
	denies ../answer || { echo "$host"; cat ../answer; exit 1; }
done
E

more 'members of another type, tools and events that nobody knows: no denial, no crash' <<'E'
. "$T/says.sh"
while read -r change; do
	jq -c "$change" "$T/events/claude" >../event
	run claude <../event
	[ $rc = 0 ] || { echo "$change: status $rc"; cat ../answer ../stderr; exit 1; }
	! denies ../answer || { echo "$change"; exit 1; }
done <<'C'
.tool_input = "text"
.tool_input = null
.tool_input = []
.tool_input.content = 5
.tool_input.content = {"a": 1}
.tool_input.file_path = ["k.js"]
.tool_input.file_path = ""
.tool_input.file_path = "k\u0000.js"
.tool_input.file_path = ("a/" * 3000)
.tool_name = "WriteFileV2"
.hook_event_name = "BeforeEverything"
.hook_event_name = 3
.hook_event_name = "PostToolUse"
.cwd = 5 | .tool_input.file_path = $ENV.T + "/w/none/at/all/k.js"
.cwd = $ENV.T + "/w/none" | .tool_input.file_path = "k.js"
del(.tool_input)
[.]
"PreToolUse"
null
C
E

more 'an event of 100 MB: read no further than the limit, and the tool runs' <<'E'
. "$T/says.sh"
{ printf '{"hook_event_name":"PreToolUse","tool_use_id":"u","tool_name":"Write","tool_input":{"file_path":"k.js","content":"SECRET-1'
	head -c 100000000 /dev/zero | tr '\0' a; printf '"}}'; } >../big
rc=0
# AddressSanitizer reserves terabytes of addresses.
limit=$(grep -q __asan_init "$BUILD/test/ikm" && echo unlimited || echo 4000000)
(ulimit -v "$limit" 2>/dev/null; ikm hook run agent --host claude <../big) >../answer 2>../stderr || rc=$?
same 0 $rc
fails 1 denies ../answer
jq -r .hookSpecificOutput.additionalContext ../answer | grep -q 'cannot be read'
[ "$(wc -c <../answer)" -lt 10000 ]
rm ../big
E

more 'many edits, a long path, a long command: answered within what a host can show' <<'E'
. "$T/says.sh"
jq -c '.tool_name = "MultiEdit" | .tool_input = {file_path: "src/server.js", edits: [range(3000) | {old_string: "8080", new_string: "8080"}]}' "$T/events/claude" >../event
run claude <../event
not denies ../answer
jq -c '.tool_name = "Bash" | .tool_input = {command: ("echo " + ("a" * 1000000) + "; npm install mysql2")}' "$T/events/claude" >../event
run claude <../event
denies ../answer
[ "$(wc -c <../answer)" -lt 10000 ]
jq -c '.tool_input.content = ("SECRET-1\n" * 20000)' "$T/events/claude" >../event
run claude <../event
denies ../answer
[ "$(wc -c <../answer)" -lt 10000 ]
E

more 'a session counts each rule by itself, and tells each finding once, whatever comes between' <<'E'
rm -rf "$HOME/.ikigai/agent"
asks() { jq -r .hookSpecificOutput.permissionDecisionReason | grep -c 'Stop here' || :; }
deny() { jq -c "$1" "$T/events/claude" | ikm hook run agent | asks; }
code='.'
package='.tool_input = {file_path: "package.json", content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}'
same 0 "$(deny "$code")"
same 0 "$(deny "$package")"
same 0 "$(deny "$code")"
same 0 "$(deny "$package")"
same 1 "$(deny "$code")"
same 1 "$(deny "$package")"
after() { jq -c '.hook_event_name = "PostToolUse" | .tool_name = "Bash" | .tool_input = {command: "x"} | .tool_response = {}' "$T/events/claude" |
	ikm hook run agent | jq -r '.hookSpecificOutput.additionalContext // ""' | grep -c '^  src/' || :; }
for i in 1 2 3; do echo "SECRET-$i" >src/$i.js; same 1 "$(after)"; done
same 0 "$(after)"
rm src/[123].js
E
done_testing
