#!/bin/sh
# Every error that a model can cause over ikm mcp with one call: its reason, once, in names of tools and
# parameters, and in few tokens.
. "$(dirname "$0")/lib.sh"

git init -q p
cd p
printf 'a\nb\na\n' >twice
printf '\000\001' >bytes
mkdir dir
printf 'x' | ikm write ikigai:///pinned.md >/dev/null
printf 'x' | ikm write ikigai:///gone.md >/dev/null
ikm asset delete gone.md >/dev/null
seq 4000 >long
big=$(head -c 500 /dev/zero | tr '\0' x)
export big
cat >"$T/calls" <<'C'
FILE_NOT_FOUND file_read {"path":"twic"}
FILE_NOT_FOUND file_write {"path":"none/x","content":""}
NOT_A_FILE file_read {"path":"dir"}
OUTSIDE_ROOTS file_read {"path":"/etc/passwd"}
OUTSIDE_ROOTS fs_search {"pattern":"x","path":"/etc"}
BAD_PATH file_read {"path":"http://x"}
NO_SUCH_ASSET file_read {"path":"ikigai:///none"}
NO_SUCH_ASSET file_read {"path":"ikigai:///gone.md"}
NO_SUCH_SECTION file_read {"path":"twice","section":"x"}
BAD_ARGUMENT file_read {"path":"twice","lines":"9:3"}
BAD_ARGUMENT file_read {"path":"twice","maxTokens":1}
MISSING_PARAMETER file_read {}
UNKNOWN_PARAMETER file_read {"path":"twice","lins":"1"}
WRONG_TYPE file_read {"path":7}
NO_SUCH_TEXT file_edit {"path":"twice","old":"c","new":"d"}
NOT_UNIQUE file_edit {"path":"twice","old":"a","new":"d"}
BAD_ARGUMENT file_edit {"path":"twice","old":"","new":"d"}
CHANGED file_edit {"path":"twice","old":"b","new":"d","ifMatch":"sha256:000000000000"}
MISSING_PARAMETER file_edit {"path":"twice"}
BAD_PATTERN fs_search {"pattern":"("}
BAD_ARGUMENT fs_search {"pattern":"a","replace":"$1"}
BAD_ARGUMENT fs_search {"pattern":"a","onlyMatching":true,"count":true}
OUT_OF_RANGE memory_add {"content":""}
TOO_LONG tool_call {"name":"memory_list","arguments":{"type":"BIG"}}
NO_SUCH_MEMORY tool_call {"name":"memory_show","arguments":{"memoryId":"mem_x"}}
NO_SUCH_EVENT tool_call {"name":"events_undo","arguments":{"eventId":"x"}}
MISSING_PARAMETER tool_call {"name":"events_diff"}
NO_SUCH_ITEM tool_call {"name":"knowledge_show","arguments":{"id":"x"}}
NO_SUCH_ASSET tool_call {"name":"asset_pin","arguments":{"path":"x"}}
BAD_PATCH tool_call {"name":"fs_patch","arguments":{"diffText":"x"}}
HUNK_FAILED tool_call {"name":"fs_patch","arguments":{"diffText":"--- twice\n+++ twice\n@@ -1 +1 @@\n-z\n+y\n"}}
NOT_ALLOWED tool_call {"name":"file_write","arguments":{}}
NOT_ALLOWED tool_call {"name":"bash","arguments":{"command":"x"}}
NO_SUCH_TOOL tool_call {"name":"fs_lst"}
MISSING_PARAMETER tool_call {}
C

try 'each error: the reason that is due, once, in the words of this face' <<'E'
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
n=0
while IFS=' ' read -r reason tool args; do
	n=$((n + 1))
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' $n "$tool" "$args" "$meta"
done <"$T/calls" | sed "s/BIG/$big/" | ikm mcp >"$T/answers"
same "$(wc -l <"$T/calls")" "$(jq -s '[.[] | select(.result.isError)] | length' "$T/answers")"
mkdir said
n=0
while IFS=' ' read -r reason tool args; do
	n=$((n + 1))
	jq -r "select(.id == $n).result.content[].text" "$T/answers" >said/$n
	grep -q "^$reason: " said/$n || { echo "$tool $args: want $reason: $(cat said/$n)"; exit 1; }
	# Neither shell commands nor options, and nothing twice.
	not grep -nE -e "'ikm |^[^a].* --[a-z]" said/$n || { echo "$tool $args: $(cat said/$n)"; exit 1; }
	same '' "$(sort said/$n | uniq -d)"
done <"$T/calls"
seq "$n" | sed 's/.*/"said\/&"/' | paste -sd, | sed 's/.*/{"path":"twice","paths":[&]}/' | ikm call file_read |
	jq -r '.files[] | "\(.tokens) \(.path)"' >"$T/tokens"
awk '$1 > 100' "$T/tokens" | while read -r tokens name; do echo "$tokens tokens: $(cat "$name")"; done >"$T/long"
[ ! -s "$T/long" ] || { cat "$T/long"; exit 1; }
# Sixty tokens are enough for nearly all.
[ "$(awk '$1 > 60' "$T/tokens" | wc -l)" -le 5 ] || { awk '$1 > 60' "$T/tokens"; exit 1; }
rm -r said
E

done_testing
