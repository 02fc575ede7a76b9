#!/bin/sh
# Who did it: the face and the client of each event, and the conversation of a tool.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
ikm init >/dev/null 2>&1
git init -q r
cd r || exit 1
meta='"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}'
modern() { # TOOL ARGUMENTS [CLIENTINFO]
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,"_meta":{%s%s}}}\n' \
		"$1" "$2" "$meta" "${3:+,\"io.modelcontextprotocol/clientInfo\":$3}"
}
last() { ikm events query -n 1 --json | jq -c '.rows[0] | [.face, .client, .agent_id]'; }
event_of() { ikm events query -n 1 --json | jq -r '.rows[0].event_id'; }

long 'an event says by which face it came, and the client as it says itself' <<'E'
ikm mem add 'by a command' >/dev/null
same '["command",null,"default"]' "$(last)"
echo '{"content":"by call"}' | ikm call memory_add >/dev/null
same '["call",null,"default"]' "$(last)"
modern memory_add '{"content":"by mcp"}' '{"name":"claude-code","version":"2"}' | ikm mcp >/dev/null
same '["mcp","claude-code","default"]' "$(last)"
{ echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"cur\u001b\u0000sor\u202e '"$(printf '%090d' 0)"'","version":"1"}}}'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_add","arguments":{"content":"by an old client"}}}'
} | ikm --agent bot mcp >/dev/null
same '["mcp",null,"bot"]' "$(last | jq -c '[.[0], null, .[2]]')"
ikm events query -n 1 --json | jq -e '.rows[0].client | utf8bytelength <= 64 and (test("[[:cntrl:]]") | not)' >/dev/null
CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c1 ikm mem add 'by a command of an agent' >/dev/null
same '["command","claude","default"]' "$(last)"
same c1 "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')"
faces() { ikm events query --json "$@" | jq -c '[.rows[].face] | unique'; }
same '["command"]' "$(faces --face command)"
same '["mcp"]' "$(faces --client claude-code)"
same '[]' "$(faces --face call --client claude-code)"
same '["command"]' "$(echo '{"face":"command","client":"claude"}' | ikm call events_query | jq -c '[.rows[].face]')"
ikm events query -p . --face hook --json | jq -e '.rows == []' >/dev/null
fails_for NOT_IN_ENUM ikm events query --face person
ikm events verify >/dev/null
E

long 'each host has its variables' <<'E'
n=0
while read -r host variable session; do
	env "$variable=s-$host" ikm mem add "by $host" >/dev/null
	same "[\"command\",\"$host\",\"default\"]" "$(last)"
	[ "$session" = - ] || same "s-$host" "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')"
	n=$((n + 1))
done <<'R'
claude CLAUDE_CODE_SESSION_ID yes
claude CLAUDECODE -
codex CODEX_THREAD_ID yes
codex CODEX_SANDBOX -
gemini GEMINI_SESSION_ID yes
gemini GEMINI_CLI -
copilot COPILOT_AGENT_SESSION_ID yes
copilot COPILOT_CLI -
cursor CURSOR_AGENT -
opencode OPENCODE -
R
same 10 "$n"
same '["command",null,"default"]' "$(CLAUDE_PROJECT_DIR=/x ikm mem add 'no host' >/dev/null; last)"
E

long "a command in an agent's shell is that agent's: recorded, and taken back by it alone" <<'E'
printf 'one\n' >f
git add f; git commit -qm f
CLAUDE_CODE_SESSION_ID=c2 ikm edit f --old one --new two >/dev/null
same '["command","claude","default"]' "$(last)"
id=$(event_of)
fails_for NOT_ALLOWED env CLAUDE_CODE_SESSION_ID=c3 ikm events undo "$id" 2>err
fails_for NOT_ALLOWED sh -c "echo '{\"eventId\":\"$id\"}' | ikm call events_undo >out"
# The server that the same session has started is of the same conversation.
modern events_diff '{}' | CLAUDE_CODE_SESSION_ID=c2 ikm mcp -t files | jq -r '.result.content[].text' >out
grep -q '^+two' out
modern events_undo '{"since":"1h"}' | CLAUDE_CODE_SESSION_ID=c2 ikm mcp -t files | jq -e '.result.isError == false' >/dev/null
same one "$(cat f)"
E

try 'what a command without a host did is no tool'"'"'s own, whatever its session' <<'E'
ikm --session s1 mem add 'by a person in a session' >/dev/null
id=$(event_of)
fails_for NOT_ALLOWED sh -c "echo '{\"eventId\":\"$id\"}' | ikm --session s1 call events_undo >out"
jq -r .message out | grep -q "is of a command that no agent's host ran"
echo '{"session":"s1"}' | ikm --session s1 call events_undo >out
same '[false,null]' "$(jq -c '[.changed, .events]' out)"
echo '{"since":"1h"}' | ikm --session s1 call events_undo >out
same '[false,true]' "$(jq -c '[.changed, .others]' out)"
ikm mem list --json | jq -e '[.memories[].content] | any(. == "by a person in a session")' >/dev/null
E

long 'calls without a session are one conversation, of one repository and client, for 12 hours' <<'E'
mkdir ../r2; git init -q ../r2
write() { printf '{"path":"%s","content":"x"}' "$1" | ikm call file_write >/dev/null; }
write g1
one=$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')
write g2
same "$one" "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')"
(cd ../r2; write g3)
[ "$one" != "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')" ]
OPENCODE=1 write g4
[ "$one" != "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')" ]
echo '{}' | ikm call events_diff >out
same 'g1 g2' "$(jq -r '[.files[].path | split("/")[-1]] | sort | join(" ")' out)"
jq -r .conversation out | grep -q "^the calls of the last 12 hours in $PWD: no session was named$"
echo '{"since":"1h"}' | ikm call events_undo >out
same 2 "$(jq '[.events[] | select(.path | endswith("/g1") or endswith("/g2"))] | length' out)"
jq -e '.others and .conversation' out >/dev/null
[ ! -e g1 ] && [ ! -e g2 ] && [ -e ../r2/g3 ] && [ -e g4 ]
# Later than that they are another one.
sqlite3 "$HOME/.ikigai/ikm.db" '.dbconfig defensive off' 'drop trigger events_no_update' \
	"update events set ts = ts - 13 * 3600000" >/dev/null
write g5
[ "$one" != "$(ikm events query -n 1 --json | jq -r '.rows[0].session_id')" ]
E

long 'events_query of a tool lists its own conversation, and says so' <<'E'
rm -rf "$HOME/.ikigai"
echo '{"path":"mine","content":"x"}' | ikm --session q1 call file_write >/dev/null
echo '{"path":"theirs","content":"x"}' | ikm --session q2 call file_write >/dev/null
ask() { printf '%s' "$1" | ikm --session q1 call events_query | jq -c '[.rows[].path | split("/")[-1]]'; }
same '["mine"]' "$(ask '{}')"
same '["theirs"]' "$(ask '{"session":"q2"}')"
same '["theirs","mine"]' "$(ask '{"session":"*"}')"
same '["theirs","mine"]' "$(ask '{"user":"ada"}')"
printf '{}' | ikm --session q1 call events_query | jq -r .conversation | grep -q '^this conversation; session "\*" lists'
same '["theirs","mine"]' "$(ikm events query --json | jq -c '[.rows[].path | split("/")[-1]]')"
E

long 'events diff marks what no event did between two changes, and what others did' <<'E'
edit() { printf '{"path":"h","old":"%s","new":"%s"}' "$2" "$3" | ikm --session "$1" call file_edit >/dev/null; }
printf 'a\nb\nc\n' >h
edit h1 a A
echo 'zzz' >>h
edit h1 b B
ikm events diff --in-session h1 --json | jq -c '.files[0] | [.byHand, .others]' >out
same '[true,null]' "$(cat out)"
ikm events diff --in-session h1 2>&1 >/dev/null | grep -q 'the diff has also what no event did'
edit h2 c C
edit h1 A 1
same '[true,true]' "$(ikm events diff --in-session h1 --json | jq -c '.files[0] | [.byHand, .others]')"
edit h2 C 2
edit h2 2 3
same '[null,true]' "$(ikm events diff --in-session h2 --json | jq -c '.files[0] | [.byHand, .others]')"
E

try 'a changed face breaks the chain, and a face on an old row does too' <<'E'
rm -rf "$HOME/.ikigai"
ikm init >/dev/null 2>&1
echo '{"content":"x"}' | ikm call memory_add >/dev/null
ikm events verify >/dev/null
db() { sqlite3 "$HOME/.ikigai/ikm.db" '.dbconfig defensive off' 'drop trigger if exists events_no_update' "$1"; }
for change in "face = 'command'" "client = 'x'" 'face = null' 'schema_version = 2'; do
	sqlite3 "$HOME/.ikigai/ikm.db" 'pragma wal_checkpoint(truncate)' >out
	cp "$HOME/.ikigai/ikm.db" keep
	db "update events set $change where tool = 'memory_add'"
	ikm events verify >out 2>&1 && exit 1
	grep -q 'changed' out
	cp keep "$HOME/.ikigai/ikm.db"
	rm -f "$HOME/.ikigai/ikm.db-wal" "$HOME/.ikigai/ikm.db-shm"
done
E
long 'a store of 0.1.0 with a chain: a named client gets its pins and memories, and the chain holds' <<'E'
old=$TOP/t/store-chained.sql
keys=$HOME/.ikigai/keys
rm -rf "$HOME/.ikigai"
mkdir -p -m 700 "$HOME/.ikigai" "$keys"
umask 077
sed -n 's/^-- event-1.key: //p' "$old" >"$keys/event-1.key"
sed -n 's/^-- chain.begun: //p' "$old" >"$keys/chain.begun"
sqlite3 -cmd '.dbconfig defensive off' "$HOME/.ikigai/ikm.db" <"$old" >/dev/null
{ modern memory_search '{"query":"agent knows"}' '{"name":"zed"}'
	modern asset_pinned '{}' '{"name":"zed"}'; } | sed '2s/"id":1/"id":2/' |
	ikm mcp --structured -t files -t memory >out
same '["the agent knows"]' "$(jq -c 'select(.id == 1).result.structuredContent | [.results[].content]' out)"
same true "$(jq 'select(.id == 2).result.structuredContent | tostring | contains("blocks/rules.md")' out)"
ikm events verify >out
grep -q '^rows  *8, 8 with a MAC' out
same unknown "$(ikm events query --json | jq -r '[.rows[].face] | unique[]')"
id=$(ikm events query --in-session s1 --json | jq -r '.rows[0].event_id')
fails_for NOT_ALLOWED sh -c "echo '{\"eventId\":\"$id\"}' | ikm --session s1 call events_undo >out"
jq -r .message out | grep -q 'is of an older version'
modern memory_add '{"content":"new"}' '{"name":"zed"}' | ikm mcp >/dev/null
same '["mcp","zed","default"]' "$(last)"
ikm events verify >out
grep -q '^rows  *9, 9 with a MAC' out
sqlite3 "$HOME/.ikigai/ikm.db" '.dbconfig defensive off' 'drop trigger events_no_update' \
	"update events set face = 'mcp' where seq = 8"
fails 1 ikm events verify >out
E
done_testing
