#!/bin/sh
# What a model pays and reads over ikm mcp: a short list, text once, and tools behind two tools.
. "$(dirname "$0")/../lib.sh"

git init -q p
cd p
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
req() { echo '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'","params":{'"${3:+$3,}$meta"'}}'; }
# TOOL [ARGUMENTS] [OPTION...]: the answer of one call
one() {
	tool=$1 input=${2:-"{}"}
	shift
	[ $# = 0 ] || shift
	req 1 tools/call '"name":"'"$tool"'","arguments":'"$input" | ikm mcp "$@"
}
said() { one "$@" | jq -r '.result.content[].text'; }
listed() { req 1 tools/list | ikm mcp "$@"; }
seq 1 12 >nums
printf 'int a;\nint b;\n' >a.c
H=sha256:$(sha256sum <nums | cut -c1-12)
export H

long 'the list: at most twelve tools with bash, at most 1,800 tokens; every set has a limit' <<'E'
costs() { # LIST LIMIT
	jq -c '.result.tools[] | {name, description, inputSchema}' "$1" >"$T/model"
	jq -Rs '{path: "list", content: .}' "$T/model" | ikm call file_write >/dev/null
	tokens=$(echo '{"path":"list"}' | ikm call file_read | jq .tokens)
	rm list
	[ "$tokens" -gt 500 ] && [ "$tokens" -le "$2" ] || { echo "$tokens tokens of $2"; exit 1; }
}
listed -c tools.bash=true >"$T/o"
same 12 "$(jq '.result.tools | length' "$T/o")"
costs "$T/o" 1800
while read -r limit sets; do
	listed -c tools.bash=true $sets >"$T/set"
	costs "$T/set" "$limit"
done <<'W'
4500 -t files
3000 -t memory
9500 -t files -t memory -t knowledge -t garden -t tools
W
# What no list names works, and the whole schema has it.
same '["grep","glob"]' "$(jq -c '["grep", "glob"] - [.result.tools[].name]' "$T/set")"
same 2 "$(said grep '{"pattern":"^1$|^2$","path":"nums","count":true}' -t files | cut -d: -f2)"
same '[null,"boolean"]' "$(jq -c --argjson whole "$(ikm tool schema fs_search)" \
	'[(.result.tools[] | select(.name == "fs_search").inputSchema.properties.count), $whole.parameters.count.type]' "$T/set")"
same string "$(ikm tool schema file_edit | jq -r .parameters.idempotencyKey.type)"
same '[false]' "$(jq -c '[.result.tools[].inputSchema.additionalProperties] | unique' "$T/o")"
# No output schema, because the answer is a text; --structured has them all.
same 0 "$(jq -c '[.result.tools[] | select(.outputSchema)] | length' "$T/o")"
same '[]' "$(listed --structured | jq -c '[.result.tools[] | select(.outputSchema | not).name]')"
same '["agent","user","project"]' "$(jq -c '.result.tools[] | select(.name == "memory_add").inputSchema.properties.layer.enum' "$T/o")"
same '["agent","user","session","project","team"]' "$(listed -c memory.team=t --session s |
	jq -c '.result.tools[] | select(.name == "memory_search").inputSchema.properties.layers.items.enum')"
E

try 'schemas speak of parameters and lists, not of options and printing' <<'E'
listed -t files -t memory -t knowledge -t garden -t tools >"$T/o"
[ "$(jq '.result.tools | length' "$T/o")" -gt 50 ]
jq -r '.result.tools[] | .name as $n | .description, (.inputSchema | .. | .description? // empty) |
	strings | "\($n): \(.)"' "$T/o" >"$T/words"
not grep -nE -e ' --[a-z]|in JSON|all in text|may be repeated|exit status|standard input|command line' "$T/words"
E

try 'bytes that are no text say so; a picture has no words' <<'E'
printf '\000\001\002' >raw
printf '%s' iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d >dot.png
same "AAEC
[sha256:$(sha256sum <raw | cut -c1-12), 3 bytes that are no text, here as base64]" "$(said file_read '{"path":"raw"}')"
same '["image"]' "$(one file_read '{"path":"dot.png"}' | jq -c '[.result.content[] | select(.text != "") | .type]')"
rm raw dot.png
E

long 'text, once: read, part, search, list, write, edit' <<'E'
{ said file_read '{"path":"nums","lines":"3:4,7"}'; said file_read '{"path":"a.c"}' | head -n 2
said fs_search '{"pattern":"^1","path":"nums","context":1}'; said fs_search '{"glob":"*.c"}'
said fs_search '{"pattern":"none"}'
said file_write '{"path":"w","content":"hello\\n"}'; said file_edit '{"path":"w","old":"hello","new":"bye"}'; } >"$T/o"
cat >"$T/want" <<W
3
4
7

[$H, the file has 12 lines]
int a;
int b;
nums
1:1
2-2
--
9-9
10:10
11:11
12:12
a.c
nothing matches in 2 files
w: created, sha256:$(echo hello | sha256sum | cut -c1-12)
W
head -n 18 "$T/o" | diff -u "$T/want" -
tail -n +19 "$T/o" | head -n 1 | grep -q "^w: changed, sha256:$(sha256sum <w | cut -c1-12)"
same null "$(one file_read '{"path":"nums"}' | jq .result.structuredContent)"
same '["nums",true]' "$(one file_read '{"path":"nums"}' --structured | jq -c '.result | [.structuredContent.path, (.content[0].text | fromjson | .hash | length == 71)]')"
rm w
E

more 'text, once: memories, decisions, assets, changes, and what has no form of its own' <<'E'
said memory_add '{"content":"one\\ntwo","tags":["x"]}' >"$T/added"
id=$(grep -x 'mem_[0-9A-Z]*' "$T/added")
same "$id" "$(cat "$T/added")"
said memory_add '{"content":"one\\ntwo","tags":["x"]}' >"$T/again"
same "$id
it existed already" "$(cat "$T/again")"
today=$(date +%F)
case ${IKM_NOW-} in ?*) today=$(echo "$IKM_NOW" | cut -c1-10) ;; esac
said memory_search '{"query":"two"}' | sed 's/score [0-9.]*/score S/; 2s/20..-..-../DAY/' >"$T/found"
same "[$id, user, DAY #x, score S]
one
two" "$(sed '1s/20..-..-../DAY/' "$T/found")"
same 'no memories' "$(said memory_search '{"query":"nothing of this"}')"
printf '%s\n' '{"content":"The birthday of Petra is on 3 May"}' '{"content":"Mara owns a red bike"}' |
	ikm mem import - >/dev/null
said memory_search '{"query":"when is the birthday of Mara","limit":1}' >"$T/weak"
same '[these share words with the query, but may be about something else]
[1 of 2 memories]' "$(tail -n 2 "$T/weak")"
same 'no stored assets' "$(said tool_call '{"name":"asset_list"}')"
printf text | ikm write ikigai:///b.md >/dev/null
same 'ikigai:///b.md 1 token' "$(said tool_call '{"name":"asset_list"}')"
same 'used: 0
limit: 100000
percent: 0
level: ok' "$(said tool_call '{"name":"asset_budget"}')"
said tool_call '{"name":"events_query","arguments":{"entity_type":"memory","session":"*"}}' | grep -Eqx "[0-9A-Z]{12} [0-9:Z-]* default mcp memory_add ${id%??????????????} session mcp_[0-9A-Z]{26}"
said tool_call '{"name":"memory_history","arguments":{"memoryId":"'"$id"'"}}' >"$T/history"
grep -qx -e '- op: add' -e '- time: .*' "$T/history"
not grep -q '[{"]' "$T/history"
mkdir -p .knowledge/adrs
printf -- '---\nid: adr-1\nstatus: accepted\nconstraints:\n- operator: must_not_use\n  target: dependency\n  pattern: left-pad\n  severity: block\n  message: Pad yourself.\n---\n# No pads\n' >.knowledge/adrs/adr-1.md
said knowledge_check '{"dependencies":[{"name":"left-pad"}]}' >"$T/check"
head -n 1 "$T/check" | grep -qx 'passed: false'
grep -qx '  message: Pad yourself.' "$T/check"
grep -q '^  found: left-pad$' "$T/check"
for call in memory_search,'{"query":"two"}' knowledge_query,'{"query":"pads"}'; do
	same null "$(one "${call%%,*}" "${call#*,}" | jq .result.structuredContent)"
	same object "$(one "${call%%,*}" "${call#*,}" --structured | jq -r '.result.structuredContent | type')"
done
rm -r .knowledge
E

try 'an event of its own is one short line; members that say nothing are not printed' <<'E'
echo '{"path":"own","content":"x"}' | ikm --session own call file_write >/dev/null
said tool_call '{"name":"events_query","arguments":{}}' --session own >"$T/o"
head -n 1 "$T/o" | grep -Eqx "[0-9A-Z]{12} [0-9:Z-]{6,10} file_write /[^ ]*/own"
said knowledge_for '{"paths":["nums"]}' -t knowledge >"$T/for"
not grep -E ': *$' "$T/for"
rm own
E

long 'an id in a list of events is short, and names one event' <<'E'
{
	for i in 1 2 3 4 5 6 7 8; do printf 'diff --git a/n%s b/n%s\n--- /dev/null\n+++ b/n%s\n@@ -0,0 +1 @@\n+x\n' $i $i $i; done
} | jq -Rs '{diff: .}' | ikm --session many call fs_patch >"$T/patched"
said tool_call '{"name":"events_query","arguments":{}}' --session many | grep '/n[1-8]$' >"$T/o"
same 8 "$(wc -l <"$T/o")"
while read -r id when tool path; do
	same "$path" "$(ikm events show "$id" --json | jq -r .event.path)"
	same 12 $((${#id} < 12 ? ${#id} : 12))
	said tool_call '{"name":"events_query","arguments":{"before":"'"$id"'","session":"*"}}' | not grep -q "$id\|NO_SUCH"
done <"$T/o"
rm n[1-8]
E

more 'a call says how long its answer may be' <<'E'
seq 4000 >long
same '[500,50000]' "$(listed | jq -c '.result.tools[] | select(.name == "file_read").inputSchema.properties.maxTokens | [.minimum, .maximum]')"
size() { said "$@" | wc -c; }
[ "$(size file_read '{"path":"long","maxTokens":500}')" -lt 2500 ]
[ "$(size file_read '{"path":"long","maxTokens":500}')" -gt 300 ]
said file_read '{"path":"long","maxTokens":50000}' | tail -n 1 | grep -q 'the file has 4000 lines\]$'
said fs_search '{"pattern":"1","path":"long","maxTokens":600}' | grep -q '^more: cut to about 600 tokens: .*"offset": .*, or give maxTokens$'
[ "$(size tool_call '{"name":"fs_list","arguments":{"maxTokens":500}}')" -lt 2500 ]
for wrong in 499 50001 1.5; do
	said file_read '{"path":"long","maxTokens":'"$wrong"'}' | grep -q '^BAD_ARGUMENT: maxTokens must be a whole number from 500 to 50000$'
done
rm long
E

more 'the digits that a read gives are enough for ifMatch, and fewer are not' <<'E'
said file_edit '{"path":"nums","old":"12","new":"13","ifMatch":"'"$H"'"}' | grep -q '^nums: changed'
said file_edit '{"path":"nums","old":"13","new":"12","ifMatch":"'"$H"'"}' | grep -q '^CHANGED: '
said file_edit '{"path":"nums","old":"13","new":"12","ifMatch":"sha256:abc"}' | grep -q '^BAD_ARGUMENT: ifMatch'
said file_edit '{"path":"nums","old":"13","new":"12"}' | grep -q '^nums: changed'
E

more 'an error: its reason, its message and the next step, in words of this face' <<'E'
same "FILE_NOT_FOUND: cannot open 'none/x': No such file or directory
its folder is missing: make it, or give parents: true" "$(said file_write '{"path":"none/x","content":""}')"
said file_edit '{"path":"nums","old":"1","new":"2"}' | grep -q 'replace every place with all: true$'
same true "$(one file_read '{"path":"none"}' | jq .result.isError)"
E

more 'the next step is a call that this client can make' <<'E'
same 'tool_call with {"name":"asset_list"} lists the assets' "$(said file_read '{"path":"ikigai:///none"}' | tail -n 1)"
same 'asset_list lists the assets' "$(said file_read '{"path":"ikigai:///none"}' -t files | tail -n 1)"
ikm write ikigai:///gone.md </dev/null >/dev/null
ikm asset rm gone.md 2>/dev/null >/dev/null || ikm asset delete gone.md >/dev/null
said file_read '{"path":"ikigai:///gone.md"}' | grep -qF 'tool_change with {"name":"asset_restore","arguments":{"path":"gone.md"}} brings it back'
# A server that only reads has no such tool: a person has the command.
said file_read '{"path":"ikigai:///gone.md"}' --read-only | grep -qF "'ikm asset restore gone.md' brings it back"
E

more 'tool_list names the other tools, tool_call and tool_change call them' <<'E'
said tool_list >"$T/o"
listed | jq -r '.result.tools[].name' | sed 's/.*/^&[(:]/' >"$T/named"
not grep -qf "$T/named" "$T/o"
for tool in fs_list fs_patch events_undo md_patch_section asset_pin asset_unpin asset_budget knowledge_show; do
	grep -q "^$tool[(:]." "$T/o"
done
said tool_list '{"name":"fs_list"}' | grep -q '^arguments: {"type":"object","properties":{"path"'
said tool_list '{"name":"events_diff, events_undo"}' >"$T/two"
same 'events_diff events_undo' "$(sed -n 's/^\(events_[a-z]*\)[(:].*/\1/p' "$T/two" | paste -sd' ')"
same 2 "$(grep -c '^arguments: {' "$T/two")"
said tool_list '{"name":"events_diff,nothing"}' | grep -q "NO_SUCH_TOOL.*'nothing'"
same 'a.c
nums' "$(said tool_call '{"name":"fs_list","arguments":{"glob":"[an]*"}}')"
for name in arguments args input parameters; do
	same 'a.c' "$(said tool_call "{\"name\":\"fs_list\",\"$name\":\"{\\\"glob\\\":\\\"*.c\\\"}\"}")"
	same 'a.c' "$(said tool_call "{\"name\":\"fs_list\",\"$name\":{\"glob\":\"*.c\"}}")"
done
said tool_call '{"name":"fs_list","arguments":{"glb":"x"}}' | grep -q "^UNKNOWN_PARAMETER: unknown parameter 'glb'"
same 'a.c' "$(said tool_change '{"name":"fs_list","arguments":{"glob":"*.c"}}')"
said tool_call '{"name":"fs_lst"}' | grep -q "did you mean 'fs_list'?"
E

more 'a tool that does not exist: a protocol error with a next step' <<'E'
same "Tool 'nope' not found; tools/list names the tools" "$(one nope | jq -r .error.message)"
same "Tool 'file_red' not found; did you mean 'file_read'?" "$(one file_red | jq -r .error.message)"
E

more "tool_call obeys a host's permissions by name, and --read-only" <<'E'
mkdir -p "$HOME/.ikigai"
echo '{"tools":{"bash":true,"external":true}}' >"$HOME/.ikigai/config.json"
for tool in file_write file_edit memory_add; do
	said tool_call '{"name":"'$tool'","arguments":{"path":"w","content":"x"}}' | grep -q "^NOT_ALLOWED: .*it is in your list"
done
said tool_call '{"name":"bash","arguments":{"command":"touch w"}}' | grep -q ^NOT_ALLOWED
said tool_call '{"name":"fs_move","arguments":{"from":"nums","to":"w"}}' | grep -q ^NOT_ALLOWED
said tool_call '{"name":"fs_append","arguments":{"path":"w","text":"x"}}' --read-only | grep -q '^NOT_ALLOWED: .*--read-only'
[ ! -e w ]
# What a host allowed as reading never writes.
said tool_call '{"name":"fs_append","arguments":{"path":"w","text":"x"}}' | tr '\n' ' ' | grep -q '^NOT_ALLOWED: .*use tool_change'
said tool_call '{"name":"memory_delete","arguments":{"memoryId":"mem_x"}}' | grep -q '^NOT_ALLOWED: '
[ ! -e w ]
same '[true,null]' "$(listed | jq -c '.result.tools[] | select(.name == "tool_call").annotations | [.readOnlyHint, .destructiveHint]')"
same '[false,true]' "$(listed | jq -c '.result.tools[] | select(.name == "tool_change").annotations | [.readOnlyHint, .destructiveHint]')"
same '[]' "$(listed --read-only | jq -c '[.result.tools[].name | select(. == "tool_change")]')"
same true "$(listed --read-only | jq '.result.tools[] | select(.name == "tool_call").annotations.readOnlyHint')"
same '[]' "$(listed -t files -t garden | jq -c '[.result.tools[].name | select(. == "tool_call")]')"
rm -r "$HOME/.ikigai"
E

more 'lines in every form that models write' <<'E'
while read -r want given; do
	same "$want" "$(said file_read '{"path":"nums",'"$given}" | sed '/^$/,$d' | paste -sd-)" || { echo "$given"; exit 1; }
done <<'W'
2-3-4 "lines":"2:4"
2-3-4 "lines":"2-4"
2-3-4 "lines":"2..4"
2-3-4 "lines":"L2-L4"
2-3-4 "lines":["2:4"]
2-3-4 "lines":[2,4]
2-3-4 "lines":[[2,4]]
2-3-4 "view_range":[2,4]
2-3-4 "offset":2,"limit":3
2-3-4 "start_line":2,"end_line":4
2-3-4 "startLine":2,"endLine":4
11-12 "lines":"11:"
11-12 "view_range":[11,-1]
1-2 "lines":":2"
5 "lines":5
5 "lines":"5"
1-2-7 "lines":"1:2,7"
W
for given in '"lines":"4:2"' '"lines":"x"' '"lines":"-2"' '"lines":-1' '"view_range":[0,3]' '"lines":"L"'; do
	said file_read '{"path":"nums",'"$given}" | grep -q '^BAD_ARGUMENT: .* is not a range of lines$' || { echo "$given"; exit 1; }
done
said file_read '{"path":"nums","lines":"50:60"}' | grep -qx "OUT_OF_RANGE: line 50 is past the end: 'nums' has 12 lines"
E

try 'a program that fails: its code, and the end of its standard error' <<'E'
mkdir -p "$HOME/.ikigai/tools"
echo '{"tools":{"external":true}}' >"$HOME/.ikigai/config.json"
cat >"$HOME/.ikigai/tools/crash" <<'P'
#!/bin/sh
[ "$1" != --schema ] || exec echo '{"description":"d"}'
seq 1 400 >&2
echo 'config missing: set FOO' >&2
exit 3
P
chmod +x "$HOME/.ikigai/tools/crash"
said crash '{}' >"$T/o"
head -n 1 "$T/o" | grep -q '^PROGRAM_FAILED: TOOL_CRASHED: '
grep -q 'config missing: set FOO' "$T/o"
[ "$(wc -c <"$T/o")" -lt 700 ]
rm -r "$HOME/.ikigai"
E

more 'a program says of itself what it does, and --read-only believes it' <<'E'
mkdir -p "$HOME/.ikigai/tools"
echo '{"tools":{"external":true}}' >"$HOME/.ikigai/config.json"
program() { # NAME ANNOTATIONS
	printf '#!/bin/sh\n[ "$1" != --schema ] || exec echo %s\necho \\"ran\\"\n' \
		"'{\"description\":\"d\"$2}'" >"$HOME/.ikigai/tools/$1"
	chmod +x "$HOME/.ikigai/tools/$1"
}
program mute ''
program reads ',"annotations":{"readOnlyHint":true,"openWorldHint":false}'
program adds ',"annotations":{"destructiveHint":false,"idempotentHint":true}'
program odd ',"annotations":{"readOnlyHint":"yes"}'
hints() {
	listed "$@" 2>"$T/e" | jq -c '.result.tools[] | select(IN(.name; "mute", "reads", "adds", "odd")) |
		[.name, (.annotations | .readOnlyHint, .destructiveHint, .idempotentHint, .openWorldHint)]' | sort
}
same '["adds",false,false,true,true]
["mute",false,true,false,true]
["reads",true,null,null,false]' "$(hints)"
grep -q "odd' skipped: its schema: 'annotations.readOnlyHint' must be true or false, not a string" "$T/e"
same '["reads",true,null,null,false]' "$(hints --read-only)"
same '"ran"' "$(said reads '{}' --read-only)"
same -32602 "$(one mute '{}' --read-only | jq .error.code)"
rm -r "$HOME/.ikigai"
E

more 'the garden has all that its work needs' <<'E'
same '["events_log","file_read","fs_append","fs_search","md_patch_section"]' "$(listed -t garden |
	jq -c '[.result.tools[].name | select(IN("events_log", "fs_append", "fs_search", "file_read", "md_patch_section"))] | sort')"
E

more 'pins reach the model: instructions, a prompt, a resource' <<'E'
echo 'never push on friday' | ikm write ikigai:///blocks/rules.md
init='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}'
hello() { echo "$init" | ikm mcp | jq -r .result.instructions >"$T/hello"; }
hello
not grep -q friday "$T/hello"
said tool_change '{"name":"asset_pin","arguments":{"path":"blocks/rules"}}' >/dev/null
hello
grep -q '^never push on friday$' "$T/hello"
same 'never push on friday' "$(req 1 resources/read '"uri":"ikigai://blocks/rules.md"' | ikm mcp | jq -r '.result.contents[0].text')"
{ req 1 resources/read '"uri":"context:///pinned"'; req 2 prompts/get '"name":"pinned"'; req 3 resources/list; } | ikm mcp >"$T/o"
jq -r 'select(.id == 1).result.contents[0].text' "$T/o" | grep -q '^never push on friday$'
jq -r 'select(.id == 2).result.messages[0].content.text' "$T/o" | grep -q '^never push on friday$'
jq -se 'any(.[] | select(.id == 3).result.resources[]; .uri == "context:///pinned")' "$T/o" >/dev/null
said tool_change '{"name":"asset_unpin","arguments":{"path":"blocks/rules"}}' >/dev/null
hello
not grep -q friday "$T/hello"
seq 3000 | sed 's/^/a line of text that costs tokens /' | ikm write ikigai:///blocks/long.md
ikm asset pin blocks/long.md >/dev/null
hello
[ "$(wc -c <"$T/hello")" -lt 2000 ]
grep -q 'too long for one answer.*ikigai:///blocks/long.md' "$T/hello"
rm -r "$HOME/.ikigai"
E
done_testing
