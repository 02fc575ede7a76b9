#!/bin/sh
# Arguments as hosts send them: lists and numbers as texts, null, and the names of others' tools.
. "$(dirname "$0")/../lib.sh"

git init -q .
printf 'one\ntwo\n' >a.txt
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
ok() { printf '%s' "$2" | ikm call "$1" >out || { cat out; exit 1; }; }

long 'a text where only a list, an object, a number or a boolean may stand is parsed once' <<'E'
ok file_edit '{"path":"a.txt","edits":"[{\"old\":\"one\",\"new\":\"ONE\"}]"}'
same 'ONE two' "$(echo $(cat a.txt))"
ok file_edit '{"path":"a.txt","old":"ONE","new":"one","all":"false"}'
ok memory_add '{"content":"x","tags":"[\"db\"]"}'
same '["db"]' "$(ikm mem list --json | jq -c '.memories[0].tags')"
for yes in true '"true"' '"True"' '"TRUE"' 1 '"1"'; do
	ok fs_search '{"pattern":"T","ignoreCase":'"$yes"'}'
	same '["two"]' "$(jq -c '[.matches[].text]' out)"
done
for no in false '"False"' 0 '"0"'; do
	echo '{"pattern":"T","ignoreCase":'"$no"'}' | fails 1 ikm call fs_search >out
	same '[]' "$(jq -c .matches out)"
done
for bad in '"yes"' 2 -1 1.5 '""' '[]' '{}' '"tru"'; do
	fails_for WRONG_TYPE sh -c "echo '{\"pattern\":\"T\",\"ignoreCase\":$bad}' | ikm call fs_search >out"
done
ok fs_search '{"pattern":"t","limit":"1"}'
same 1 "$(jq '.matches | length' out)"
ok file_read '{"path":"a.txt","lines":"[1,1]"}'
same one "$(jq -r .content out)"
ok fs_search '{"pattern":"t","glob":["*.txt"]}'
same 1 "$(jq '.matches | length' out)"
fails_for WRONG_TYPE sh -c "echo '{\"pattern\":\"t\",\"glob\":[\"a\",\"b\"]}' | ikm call fs_search >out"
ok knowledge_for '{"path":"a.txt"}'
for paths in '"a.txt"' '["a.txt"]' '"[\"a.txt\"]"'; do
	ok knowledge_for "{\"paths\":$paths}"
done
fails_for BAD_JSON sh -c "echo '{\"content\":\"x\",\"metadata\":\"{\\\"a\\\":}\"}' | ikm call memory_add >out"
grep -q 'metadata: .*column 6' out
ok memory_add '{"content":"no more","metadata":""}'
# Once, and only the JSON of the right type.
fails_for WRONG_TYPE sh -c "echo '{\"pattern\":\"t\",\"limit\":\"\\\"1\\\"\"}' | ikm call fs_search >out"
fails_for WRONG_TYPE sh -c "echo '{\"pattern\":\"t\",\"limit\":\"[1]\"}' | ikm call fs_search >out"
fails_for WRONG_TYPE sh -c "echo '{\"pattern\":\"t\",\"limit\":\"x\"}' | ikm call fs_search >out"
E

try 'a text stays a text where one is allowed: content that is JSON' <<'E'
ok file_write '{"path":"j","content":"[1]"}'
same '[1]' "$(cat j)"
ok file_write '{"path":"j","content":"5"}'
same 5 "$(cat j)"
echo '{"pattern":"t","glob":"[\"*.txt\"]"}' | fails 1 ikm call fs_search >out
jq -r '.warnings[]' out | grep -q "glob is the text '\[\"\*.txt\"\]', and no list"
ok fs_search '{"pattern":"t","glob":"[ab].txt"}'
same '[[],1]' "$(jq -c '[.warnings, (.matches | length)]' out)"
E

try 'null of an optional parameter is not given; of a required one it is refused' <<'E'
ok fs_search '{"pattern":"t","limit":null,"glob":null,"opts":null}'
ok file_read '{"path":"a.txt","lines":null}'
for n in null '"2000"'; do
	echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"file_read\",\"arguments\":{\"path\":\"a.txt\",\"maxTokens\":$n},$meta}}" |
		ikm mcp | jq -e '.result.isError == false' >/dev/null
done
ok file_edit '{"path":"a.txt","old":"one","new":"un","ifMatch":null,"all":null}'
fails_for WRONG_TYPE sh -c "echo '{\"path\":null,\"content\":\"x\"}' | ikm call file_write >out"
E

long "the names of Claude Code's Grep and Edit, and of Codex" <<'E'
ok fs_search '{"pattern":"T","path":".","glob":"*.txt","output_mode":"content","-i":true,"-n":true,"-A":1,"-B":1,"-C":0,"head_limit":5,"multiline":false,"type":null}'
same 1 "$(jq '.matches | length' out)"
# GrepInput in sdk-tools.d.ts of https://www.npmjs.com/package/@anthropic-ai/claude-code: 0 is no
# limit.
mkdir many; seq 1200 >many/n
for tool in fs_search grep; do
	ok $tool '{"pattern":"1","path":"many","head_limit":0}'
	same "false $(grep -c 1 many/n)" "$(jq -r '"\(.truncated) \(.matches | length)"' out)"
	seq 3000 >many/n
done
ok grep '{"pattern":"1","path":"many","head_limit":2}'
same 2 "$(jq '.matches | length' out)"
fails_for OUT_OF_RANGE sh -c "echo '{\"pattern\":\"1\",\"limit\":0}' | ikm call fs_search >out"
fails_for BAD_ARGUMENT sh -c "echo '{\"pattern\":\"1\",\"limit\":1,\"head_limit\":0}' | ikm call fs_search >out"
ok fs_search '{"pattern":"two","output_mode":"files_with_matches"}'
same '["a.txt"]' "$(jq -c '[.paths[]]' out)"
ok fs_search '{"query":"two","output_mode":"count","max_results":3,"include":"*.txt"}'
jq -e '(.counts[0].count) == 1' out >/dev/null
ok file_edit '{"file_path":"a.txt","old_string":"two","new_string":"deux","replace_all":false}'
for name in patch input; do
	ok fs_patch "{\"$name\":\"*** Begin Patch\\n*** Add File: p-$name\\n+x\\n*** End Patch\\n\"}"
	same x "$(cat p-$name)"
done
ok memory_add '{"content":"said of a scope","scope":"user"}'
ok memory_search '{"query":"scope","scope":"[\"user\"]"}'
same 1 "$(jq .totalCount out)"
# With an offset a cut list is not the first part.
said() {
	echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"fs_search\",\"arguments\":$1,$meta}}" |
		ikm mcp | jq -r '.result.content[0].text'
}
more=', or give offset or limit]'
said '{"pattern":"^[234]$","path":"many","limit":1,"offset":1}' | grep -qxF "[1 of 3, from 2; narrow the search$more"
said '{"pattern":"^[234]$","path":"many","limit":1}' | grep -qxF "[the first 1 of 3; narrow the search$more"
same 2 "$(echo '{"pattern":"^[234]$","path":"many","limit":1,"offset":1}' | ikm call fs_search | jq .from)"
# Nothing of it costs a model tokens.
ikm call fs_search --schema >out
grep -q 'output_mode\|head_limit' out && exit 1
true
E
long 'no answer is an empty text: an empty list says none' <<'E'
mkdir -p .ikm adr
echo '{"knowledge":{"sources":[{"path":"adr"}]}}' >.ikm/config.json
printf -- '---\nid: a\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: code, pattern: gets, appliesTo: [x.c]}\n---\n# A\n' >adr/a.md
git add .ikm adr
sets='-t files -t memory -t knowledge -t garden -t tools'
one() { # TOOL [ARGUMENTS]
	none='{}'
	echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":${2:-$none},$meta}}" |
		ikm mcp $sets | jq -r '.result.content[0].text'
}
echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{$meta}}" | ikm mcp $sets |
	jq -r '.result.tools[] | select(.inputSchema.required | not) | .name' >tools
[ "$(wc -l <tools)" -gt 10 ]
while read -r tool; do
	[ -n "$(one "$tool")" ] || { echo "$tool"; exit 1; }
done <tools
same 'manifests: none broken: none' "$(echo $(one memory_access))"
same 'rules: none decisions: none memories: none' "$(echo $(one knowledge_for '{"paths":["other"]}'))"
one knowledge_for '{"paths":["x.c"]}' >out; grep -q 'item: a' out; not grep -e none -e tokens out
E
done_testing
