#!/bin/sh
# Memories over MCP: a connection is a conversation; queries are cached as long as no memory changes.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
store=$HOME/.ikigai/ikm.db
mcp() { python3 -IS "$TOP/t/mcp.py" ikm mcp --structured -t memory "$@"; }
init() {
	echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	echo '=wait 0'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
call() { # ID TOOL ARGUMENTS [META]
	echo '{"jsonrpc":"2.0","id":'"$1"',"method":"tools/call","params":{"name":"'"$2"'","arguments":'"$3${4:+,\"_meta\":$4}"'}}'
	echo "=wait $1"
}
answer() { jq -c "select(type == \"object\" and .id == $1) | .result.structuredContent | $2"; }

long 'a session memory belongs to the connection: another one does not see it' <<'E'
{ init
	call 1 memory_add '{"content":"The heron stands on one leg","layer":"session"}'
	call 2 memory_search '{"query":"heron","threshold":0}'
	call 3 memory_add '{"content":"The heron is a bird"}'; } | mcp >one
same true "$(answer 1 .success <one)"
same '["The heron stands on one leg"]' "$(answer 2 '[.results[].content]' <one)"
same true "$(answer 2 '.searchedLayers | index("session") != null' <one)"
{ init; call 1 memory_search '{"query":"heron","threshold":0}'; } | mcp >two
same '["The heron is a bird"]' "$(answer 1 '[.results[].content]' <two)"
id=$(answer 1 .memoryId <one | tr -d '"')
event=$(answer 1 .event <one | tr -d '"')
fails_for NO_SUCH_MEMORY ikm mem show "$id" 2>err
# a person takes it back without saying which conversation it was
ikm events undo "$event" >out
grep -q "undid add of $id" out
E

try 'a session that a person names counts instead' <<'E'
{ init; call 1 memory_add '{"content":"The stork is back","layer":"session"}'; } | mcp --session talk >out
same true "$(answer 1 .success <out)"
same '["The stork is back"]' "$(ikm --session talk mem list -l session --json | jq -c '[.memories[].content]')"
fails_for MISSING_PARAMETER ikm mem add 'no session here' -l session 2>err
E

try 'the record has what _meta says of a call' <<'E'
{ init
	call 1 memory_add '{"content":"The crane","rationale":"seen"}' '{"tool_call_id":"c7","rationale":"not this","idempotencyKey":"m1"}'
	call 2 memory_add '{"content":"The crane","rationale":"seen"}' '{"idempotencyKey":"m1"}'; } | mcp >out
same true "$(answer 2 .replayed <out)"
same 'c7|seen|m1' "$(sqlite3 "$store" "select tool_call_id, rationale, idempotency_key from events
	where event_id = '$(answer 1 .event <out | tr -d '"')'")"
E

query() { # ID TEXT
	call "$1" memory_query '{"request_id":"r'"$1"'","tool_id":"t","memory_queries":[{"query_id":"q","memory_type":"semantic","query_text":"'"$2"'"}]}'
}

long 'the same query is answered from the cache, until any process changes a memory' <<'E'
mkdir -p "$HOME/.ikigai/manifests"
echo 'tool: {id: t, memory_access: {semantic: {enabled: true, layers: [user]}}}' >"$HOME/.ikigai/manifests/t.yaml"
ikm mem add 'The walrus sleeps on ice' >/dev/null
mkfifo in
ikm mcp --structured -t memory <in >out &
pid=$!
exec 9>in
said() { # ID: wait for its answer
	n=0
	until grep -q "\"id\":$1[,}]" out; do
		n=$((n + 1))
		[ $n -lt 200 ]
		sleep 0.05
	done
	answer "$1" '[.memory_context[0].results[] | select(.content | test("walrus"; "i"))] | length' <out
}
init | grep -v ^= >&9
query 1 walrus | grep -v ^= >&9
same 1 "$(said 1)"
query 2 walrus | grep -v ^= >&9
same 1 "$(said 2)"
other=$(ikm mem add 'Another walrus swims')
query 3 walrus | grep -v ^= >&9
same 2 "$(said 3)"
ikm mem edit "$other" --redaction sensitive >/dev/null
query 4 walrus | grep -v ^= >&9
same 1 "$(said 4)"
ikm mem list >/dev/null
echo 'changes no memory' | ikm write ikigai:///note.md
query 5 walrus | grep -v ^= >&9
same 1 "$(said 5)"
ikm mem delete "$(ikm mem list --json | jq -r '.memories[] | select(.content | test("ice")) | .memoryId')" >/dev/null
query 6 walrus | grep -v ^= >&9
same 0 "$(said 6)"
exec 9>&-
wait $pid
same '0 1 0 0 1 0' "$(sqlite3 "$store" "select cached from turn_trace order by seq" | tr '\n' ' ' | sed 's/ $//')"
E

done_testing
