#!/bin/sh
# ikm answers a ToolRequest in spite of unknown members, and reports the members that it ignores.
# Also a ToolResponse, ids, exit statuses, limits.
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
db=$home/ikm.db
manifests=$home/manifests
IKM_USER=ada
export home db manifests IKM_USER
mkdir -p "$manifests"; chmod 700 "$manifests"
cat >"$manifests/t.yaml" <<'E'
tool:
  id: t
  memory_access:
    semantic: {enabled: true, layers: [user]}
E
query='"memory_queries":[{"query_id":"q","memory_type":"semantic","query_text":"tea"}]'
export query
ask() { printf '{"request_id":"r","tool_id":"%s",%s%s}' "${2:-t}" "$1" "$query" | ikm call memory_query; }

try 'unknown members are passed over, and told' <<'E'
ikm mem add "Ada prefers tea" -k semantic >out
ask '"foo":1,"agent_context":{"task_id":"x","session_id":"s"},' >out
same '1 r' "$(jq -r '"\(.memory_context[0].results | length) \(.request_id)"' out)"
same "ignored 'foo': a ToolRequest has no such member
ignored 'agent_context.session_id': a ToolRequest has no such member" "$(jq -r '.warnings[]' out)"
same null "$(ask '' | jq .warnings)"
# Our own answer, sent again.
ask '' | ikm call memory_query >out
same 1 "$(jq '.memory_context[0].results | length' out)"
same "ignored 'memory_context': a ToolRequest has no such member" "$(jq -r '.warnings[]' out)"
# A query's own members are strict: the query says what is wrong with it.
printf '{"request_id":"r","tool_id":"t","memory_queries":[{"query_id":"q","memory_type":"semantic","query_text":"tea","x":1}]}' |
	ikm call memory_query | jq -e '.memory_context[0].outcome == "failed"' >out
E

try 'a budget over the most is cut, a time that is none is passed over, both are told' <<'E'
ask '"budget_tokens":1001,"timestamp":"nonsense",' >out
same '1 1000' "$(jq -r '"\(.memory_context[0].results | length) \(.budget_tokens)"' out)"
same "ignored timestamp 'nonsense': it is not a time in ISO 8601
budget_tokens was cut from 1001 to 1000, the limit of a request" "$(jq -r '.warnings[]' out)"
fails 2 ask '"budget_tokens":0,' >out
same null "$(ask '"timestamp":"2025-01-31T12:00:00Z","budget_tokens":1000,' | jq .warnings)"
E

try 'reasons do not tell where the home is' <<'E'
ask '' nobody >out
same "Policy deny: tool 'nobody' has no manifest at IKIGAI_HOME/manifests/nobody.yaml" "$(jq -r '.memory_context[0].reason' out)"
echo 'tool: {' >"$manifests/bad.yaml"
ask '' bad >out
jq -r '.memory_context[0].reason' out | grep -q "cannot be used: IKIGAI_HOME/manifests/bad.yaml"
not grep -qF "$HOME" out
rm "$manifests/bad.yaml"
E

try 'a manifest that is a link into a folder of anybody gives no leave' <<'E'
mkdir public
sed 's/id: t/id: l/' "$manifests/t.yaml" >public/l.yaml
ln -s "$PWD/public/l.yaml" "$manifests/l.yaml"
same ok "$(ask '' l | jq -r '.memory_context[0].outcome')"
chmod o+w public
ask '' l >out
same denied "$(jq -r '.memory_context[0].outcome' out)"
jq -r '.memory_context[0].reason' out | grep -q 'anybody may write to the folder that it is a link into'
rm "$manifests/l.yaml"
E

try 'ingest: no id of a tool, another agent' <<'E'
for tool in ../../t 'a b' ''; do
	printf '{"request_id":"r","tool_id":"%s","memory_writes":[{"content":"x"}]}' "$tool" >in
	fails 2 ikm call memory_ingest <in >out
	jq -r .message out | grep -q tool_id
done
printf '{"request_id":"r","tool_id":"t","agent_context":{"agent_id":"B"},"memory_writes":[{"content":"x"}]}' >in
fails 7 ikm call memory_ingest <in >out
! grep -q -e '--agent' out
E

long 'a full scratch page refuses scratch notes, and nothing else' <<'E'
printf '{"request_id":"full","tool_id":"t","scratch_page_writes":[%s]}' \
	"$(seq 99 | sed 's/.*/{"content":"note &"}/' | paste -sd,)" | ikm call memory_ingest >out
printf '{"request_id":"more","tool_id":"t","memory_writes":[{"content":"the build is red"}],
	"scratch_page_writes":[{"content":"fits"},{"content":"does not"}]}' >in
fails 1 ikm call memory_ingest <in >out
same '["fits",null]' "$(for id in $(jq -r '.scratch_page_ids[0]' out); do ikm mem show "$id" --json | jq -c '[.memory.content, null]'; done)"
same '1 2  1' "$(jq -r '"\(.memory_ids | length) \(.added) \(.scratch_page_ids[1]) \(.refused | length)"' out)"
jq -r '.refused[0]' out | grep -q '^scratch_page_writes\[1\]: '
same 'the build is red' "$(ikm mem list -k episodic --json | jq -r '.memories[0].content')"
# When there is room again, the same response brings the rest.
ikm mem delete "$(jq -r '.scratch_page_ids[0]' out)" >del
ikm call memory_ingest <in >out
same '1 2 null' "$(jq -r '"\(.added) \(.existing) \(.refused)"' out)"
E

try 'nothing found: status 1 on every face that has one' <<'E'
fails 1 ikm mem search xyzzy >out
fails 1 ikm mem search xyzzy --json >out
ikm mem list --type none --json >out
echo '{"query":"xyzzy"}' >in
fails 1 ikm call memory_search <in >out
same 0 "$(jq .totalCount out)"
fails 1 ikm call knowledge_query <in >out
same true "$(jq .success out)"
echo '{"type":"none"}' >in
ikm call memory_list <in >out
ikm tool call memory_list <in | jq -e .tool_success >out
ikm mem search tea >out
E

try 'paging goes on where a memory was deleted' <<'E'
for n in 1 2 3 4; do ikm mem add "page $n" -k semantic -t page >out; done
ikm mem list -t page -n 2 --json >first
next=$(jq -r .next first)
ikm mem delete "$next" >out
same 'page 2 page 1' "$(ikm mem list -t page -n 2 --before "$next" --json | jq -r '.memories[].content' | paste -sd' ')"
fails 3 ikm mem list --before mem_01AAAAAAAAAAAAAAAAAAAAAAAA >out
E

more 'ids of who asks: one line of text, not blank, at most 256 bytes' <<'E'
long=$(printf '%0257d' 0)
for id in ' ' "$long" "a$(printf '\n')
b" "$(printf 'a\377')" "$(printf 'a\033[1m')"; do
	for of in IKM_AGENT_ID IKM_USER IKM_SESSION; do
		fails 2 env "$of=$id" ikm mem list --json >out
		same BAD_CONFIG "$(jq -r .details.reason out)"
	done
done
IKM_AGENT_ID=${long%0} ikm mem add x -l agent >out
IKM_USER='Ада Lovelace' ikm mem add x >out
E

more 'limits of lengths are in schemas and help' <<'E'
ikm tool schema memory_add --format json-schema >schema
same 'null 256 256' "$(jq -r '.properties | "\(.tags.items.minLength) \(.tags.items.maxLength) \(.source.maxLength)"' schema)"
same 1000 "$(ikm tool schema memory_ingest --format json-schema | jq .properties.memory_writes.maxItems)"
ikm help mem add | tr '\n' ' ' | grep -q 'Tags for categorization; at most 256 *bytes each'
fails 2 ikm mem add x -t "$(printf '%0257d' 0)" --json >out
jq -r .message out | grep -q '257 bytes; allowed: 0 to 256'
# A filter takes each tag that a memory can have.
tag=$(printf '%0200d' 0)
ikm mem add tagged -t "$tag" >out
same tagged "$(ikm mem list -t "$tag" --json | jq -r '.memories[].content')"
E

more 'an ecosystem is one of a list' <<'E'
ikm tool schema knowledge_check --format json-schema |
	jq -r '.properties.dependencies.items.properties.ecosystem.enum[]' >names
same 'npm pypi go cargo gem maven nuget composer conda pub hex swift vcpkg conan git docker github terraform meson' \
	"$(paste -sd' ' names)"
for name in $(cat names) golang; do
	# Each has a grammar of names.
	for package in x g/x g:x; do
		echo "{\"dependencies\":[{\"name\":\"$package\",\"ecosystem\":\"$name\"}]}" |
			ikm call knowledge_check >out 2>err && continue 2
		same 'dependencies[0].name' "$(jq -r .details.parameter out)"
	done
	echo "no name fits $name"; exit 1
done
echo '{"dependencies":[{"name":"x"},{"name":"x","ecosystem":"nope"}]}' >in
fails 2 ikm call knowledge_check <in >out
same 'dependencies[1].ecosystem' "$(jq -r .details.parameter out)"
E
done_testing
