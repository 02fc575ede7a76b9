#!/bin/sh
# Every refused attempt in the garden is an event of type audit, whichever command made it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
export N
call() { # TOOL JSON
	printf '%s' "$2" | ikm call "$1"
}
audits() {
	ikm events query --type audit -n 1000 --json | jq '.rows | length'
}
# The newest event is an audit of this op and path, with this reason, and the answer names it.
recorded() { # OP PATH REASON
	same "$1 audit failed $2 $3" "$(last '|[.op,.type,.status,.file_path,(.error|split(":")[0])]|join(" ")')" &&
		same "$(last .event_id)" "$(jq -r .details.event "$T/answer")"
}

try 'a deletion and a move without --maintainer' <<'E'
hash=sha256:$(sha256sum <"$N" | cut -d' ' -f1)
fails_for NOT_ALLOWED ikm delete --json users/ada/notes.md --rationale 'not wanted' >"$T/answer"
recorded remove "$N" NOT_ALLOWED
same "not wanted note $hash" "$(last '|[.rationale,.entity_type,.before_hash]|join(" ")')"
fails_for NOT_ALLOWED ikm move --json users/ada/notes.md users/ada/parts/p1/notes.md >"$T/answer"
recorded move "$N" NOT_ALLOWED
same "$G/users/ada/parts/p1/notes.md" "$(last .path_to)"
fails_for NOT_ALLOWED call fs_move '{"path": "'"$P"'", "newPath": "/tmp/p", "tool_call_id": "c-1"}' >"$T/answer"
recorded move "$P" NOT_ALLOWED
same 'fs_move c-1' "$(last '|[.tool,.tool_call_id]|join(" ")')"
same 3 "$(audits)"
[ -e "$N" ]
clean
E

try 'a file that is not of the garden leaves no event' <<'E'
echo x >"$T/w/x"
n=$(audits)
fails_for NOT_ALLOWED ikm delete "$T/w/x"
fails_for NOT_ALLOWED ikm move "$T/w/x" "$T/w/y"
fails_for NOT_ALLOWED ikm delete ikigai:///blocks/x.md
same "$n" "$(audits)"
E

long 'a refused undo' <<'E'
id=$(ikm append "$N" --text one --json | jq -r .event)
printf '{"eventId": "%s"}' "$id" >"$T/in"
fails_for NOT_ALLOWED ikm call --agent other events_undo <"$T/in" >"$T/answer"
recorded undo "$N" NOT_ALLOWED
same "other $id" "$(last '|[.agent_id,.undoes]|join(" ")')"
gone=$(ikm delete --maintainer users/ada/notes.md --rationale 'private' --json | jq -r .event)
fails_for NOT_ALLOWED ikm events undo "$gone" --json >"$T/answer"
recorded undo "$N" NOT_ALLOWED
ikm events undo --maintainer "$gone"
ikm events undo --maintainer "$id"
clean
E

try 'a proposal of what would be refused leaves no event' <<'E'
n=$(audits)
fails_for NOT_ALLOWED ikm propose fs_move '{"path": "'"$P"'", "newPath": "'"$N"'"}'
fails_for NOT_ALLOWED ikm propose delete '{"path": "'"$P"'"}'
id=$(ikm append "$N" --text two --json | jq -r .event)
fails_for NOT_ALLOWED ikm --agent other call propose_change <<-X
	{"operation": "events_undo", "input": {"eventId": "$id"}}
X
same "$n" "$(audits)"
E

more 'an agent over MCP that asks for a tool of maintainers' <<'E'
n=$(audits)
{
	echo '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}'
	echo '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "fs_move", "arguments": {"path": "'"$P"'", "newPath": "'"$N"'"}}}'
} | ikm mcp -t garden >"$T/mcp"
jq -e 'select(.id == 2).error.code == -32602' "$T/mcp"
same "$((n + 1))" "$(audits)"
same "move $P" "$(last '|[.op,.file_path]|join(" ")')"
clean
E

more 'without the key the refusal stands, and says what is not recorded' <<'E'
mv "$HOME/.ikigai/keys/event-1.key" "$T/key"
fails_for NOT_ALLOWED ikm delete users/ada/notes.md 2>"$T/err"
grep 'could not be recorded' "$T/err"
mv "$T/key" "$HOME/.ikigai/keys/event-1.key"
E

done_testing
