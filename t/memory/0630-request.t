#!/bin/sh
# ikm mem query: the test cases of the requirement by their names (memory queries, "Testing
# Requirements"), and every other rule of a query.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2025-10-31T12:00:00Z
export IKM_NOW
manifests=$HOME/.ikigai/manifests
mkdir -p "$manifests"
export manifests

manifest() { # TOOL, then the lines of memory_access
	tool=$1
	shift
	{
		printf 'tool:\n  id: %s\n  version: 1.0.0\n  memory_access:\n' "$tool"
		for line; do printf '    %s\n' "$line"; done
	} >"$manifests/$tool.yaml"
}
add() { ikm mem add -l agent --json "$@" | jq -r .memoryId; }
# A request of the tool with these queries, and what else stands at its top.
ask() { # TOOL QUERIES [MEMBERS]
	printf '{"request_id": "r", "tool_id": "%s", "memory_queries": [%s]%s}' "$1" "$2" "${3-}" |
		ikm mem query >out
}
q() { # ID TYPE TEXT [MEMBERS]
	printf '{"query_id": "%s", "memory_type": "%s", "query_text": "%s"%s}' "$1" "$2" "$3" "${4-}"
}
context() { jq -r ".memory_context[${2:-0}]$1" out; }
contents() { context '.results[].content' "${1:-0}"; }
traced() { ikm trace --json "$@" | jq -r '.rows[0] | "\(.outcome): \(.reason)"'; }

manifest all 'episodic: {enabled: true}' 'semantic: {enabled: true}' 'working: {enabled: true}' \
	'scratch_page: {enabled: true}' 'conversation: {enabled: true}'
manifest episodes 'episodic: {enabled: true}'

add -k episodic --type observation -t wine -t preference --happened 2025-10-01 --importance 0.9 \
	'The user liked the Pinot Noir of Burgundy at dinner' >/dev/null
add -k episodic --type user_preference -t wine -t preference --happened 2025-10-20 \
	'The user said that sweet wines give her a headache' >/dev/null
add -k episodic --type observation -t travel --happened 2025-10-10 \
	'A hotel in Lyon was booked for the week of the fair' >/dev/null
add -k semantic --type fact -t wine -t burgundy \
	'Burgundy wines are made of Pinot Noir and Chardonnay and are light in body' >/dev/null
add -k semantic --type skill -t wine 'To decant an old wine pour it slowly over a candle' >/dev/null
add -t geography 'Lyon lies where the Saone meets the Rhone' >/dev/null
add -k scratch --type risk_alert 'A card was used in two countries within an hour' >/dev/null
add -k scratch --type pending_confirmation --status resolved 'The booking was confirmed' >/dev/null
add -k scratch --type risk_alert --status pending_review 'Perhaps a wrong date of birth' >/dev/null
add -k conversation --type user_message --speaker Ada --turn 1 --happened 2025-10-30T09:00:00Z \
	'I can spend two thousand euros, that is my budget' >/dev/null
add -k conversation --type assistant_message --turn 2 --happened 2025-10-30T09:00:10Z \
	'Noted, I look for trips within your budget' >/dev/null
add -k working --type goal 'Find a flight to Lyon' >/dev/null
add -k working --type context 'The user is at work' >/dev/null

long 'TC-1.1: Episodic memory query' <<'E'
ask all "$(q ep_1 episodic 'What wines has user liked?')"
same 'The user liked the Pinot Noir of Burgundy at dinner' "$(contents | head -1)"
contents | grep -q 'sweet wines'
same '' "$(contents | grep 'are made of')"
# Ranked: the scores go down, and there is one for each.
jq -e '.memory_context[0] | .search_metadata.ranking_scores as $s |
	($s | length) == .returned_results and $s == ($s | sort | reverse)' out
same 'ok: ' "$(traced)"
E

long 'TC-1.2: Semantic memory query' <<'E'
ask all "$(q sem_1 semantic 'What are Burgundy wine characteristics?')"
same 'Burgundy wines are made of Pinot Noir and Chardonnay and are light in body' "$(contents | head -1)"
same '["fact","skill"]' "$(context '.results | map(.type) | unique | tojson')"
E

try 'TC-1.3: Scratch page query' <<'E'
ask all "$(q sp_1 scratch_page 'Are there active alerts?')"
same 'A card was used in two countries within an hour' "$(contents)"
same active "$(context '.results[].status')"
ask all "$(q sp_1 scratch_page 'Are there confirmations?' ', "filters": {"status": "resolved"}')"
same 'The booking was confirmed' "$(contents)"
E

try 'TC-2.1: Tool can access declared memory types' <<'E'
ask episodes "$(q a episodic 'wines')"
same ok "$(context .outcome)"
[ "$(context .returned_results)" -gt 0 ]
same false "$(context '| has("reason")')"
E

try 'TC-2.2: Tool cannot access undeclared memory types' <<'E'
ask episodes "$(q a semantic 'wines')"
same '[]' "$(context '.results | tojson')"
same '0 0 0' "$(context '| "\(.total_results) \(.returned_results) \(.tokens_used)"')"
same denied "$(context .outcome)"
same "Policy deny: tool 'episodes' does not declare access to semantic" "$(context .reason)"
same "denied: Policy deny: tool 'episodes' does not declare access to semantic" "$(traced)"
same false "$(jq 'has("error") or has("success")' out)"
E

# Thirty of them, of which each has about 25 tokens.
jq -n '{request_id: "long", tool_id: "cellar", memory_writes: [range(1; 31) |
	{type: "note", tags: ["long"], timestamp: "2025-09-\(if . < 10 then "0" else "" end)\(.)",
	 content: "note \(.) on barrels: \([range(.; . + 10)] | join(" oak "))"}]}' |
	ikm mem ingest >"$T/ingested"

long 'TC-3.1: Query respects budget' <<'E'
ask all "$(q a episodic 'barrels' ', "budget_tokens": 1000, "limit": 30')"
[ "$(context .tokens_used)" -gt 500 ]
ask all "$(q a episodic 'barrels' ', "budget_tokens": 300, "limit": 30')"
[ "$(context .tokens_used)" -le 300 ]
[ "$(context .tokens_used)" -gt 250 ]
[ "$(context .returned_results)" -lt 30 ]
same "$(( 30 - $(context .returned_results) ))" "$(context '.dropped | length')"
context '.dropped[0] | keys | tojson' | grep -q '\["id","score","tokens"\]'
same 'cut' "$(context .outcome)"
traced | grep -q '^cut: [0-9]* did not fit into 300 tokens$'
E

more 'TC-3.2: Multiple queries share budget' <<'E'
ask all "$(q a episodic barrels ', "budget_tokens": 300, "limit": 30'),
	$(q b episodic 'oak barrels' ', "budget_tokens": 300, "limit": 30')" ', "budget_tokens": 500'
one=$(context .tokens_used 0) two=$(context .tokens_used 1)
[ $((one + two)) -le 500 ]
# To the token: the second gets what the first has left, not a share fixed before.
same $((500 - one < 300 ? 500 - one : 300)) "$(context .budget_tokens 1)"
[ "$two" -le $((500 - one)) ]
traced | grep -q 'the rest that earlier queries left'
# One that uses nothing leaves everything.
ask all "$(q a working nothing ', "filters": {"types": ["none"]}'),
	$(q b episodic barrels ', "budget_tokens": 300, "limit": 30')" ', "budget_tokens": 300'
same 300 "$(context .budget_tokens 1)"
# Five of 500 in the default of 1000.
ask all "$(for i in 1 2 3 4 5; do q $i episodic barrels ', "limit": 30'; [ $i = 5 ] || echo ,; done)"
jq -e '[.memory_context[].tokens_used] | add <= 1000 and add > 900' out
same 0 "$(context .returned_results 4)"
E

more "TC-4.1: Query error doesn't block tool" <<'E'
sqlite3 "$HOME/.ikigai/ikm.db" 'pragma wal_checkpoint(truncate)' >out
cp "$HOME/.ikigai/ikm.db" good.db
# The search fails for real: a table of the index is gone.
sqlite3 "$HOME/.ikigai/ikm.db" 'alter table index_recent rename to index_lost'
ask all "$(q a episodic barrels), $(q b semantic 'wine')" ', "inputs": {"x": [1]}'
same '["failed","failed"]' "$(jq -c '[.memory_context[].outcome]' out)"
same '[[],[]]' "$(jq -c '[.memory_context[].results]' out)"
jq -e '.memory_context[0].reason | test("index_recent")' out
same '{"x":[1]}' "$(jq -c .inputs out)"
traced | grep -q '^failed: .*index_recent'
sqlite3 "$HOME/.ikigai/ikm.db" 'alter table index_lost rename to index_recent'
# One that is wrong, among others that are not.
ask all "$(q a episodic barrels ', "limit": "ten"'), $(q b semantic 'wine')"
same 'failed ok' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
[ "$(context .returned_results 1)" -gt 0 ]
# Nothing can be read at all, nor the trace written.
mv "$HOME/.ikigai/ikm.db" kept.db
rm -f "$HOME/.ikigai/ikm.db-wal" "$HOME/.ikigai/ikm.db-shm"
seq 10000 >"$HOME/.ikigai/ikm.db"
ask all "$(q a episodic barrels)"
same failed "$(context .outcome)"
jq -e '.warnings[0] | test("the turn trace was not written")' out
rm -f "$HOME"/.ikigai/ikm.db*
mv good.db "$HOME/.ikigai/ikm.db"
E

more "TC-4.2: Access denied doesn't block tool" <<'E'
ask episodes "$(q a semantic wines), $(q b episodic wines)"
same 'denied ok' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
[ "$(context .returned_results 1)" -gt 0 ]
ask nobody "$(q a episodic wines)" ', "inputs": {}'
same '[]' "$(context '.results | tojson')"
traced | grep -q "^denied: Policy deny: tool 'nobody' has no manifest at .*nobody.yaml"
printf 'tool: {id: broken, memory_access: {episodic: {enabled: 1}}}' >"$manifests/broken.yaml"
ask broken "$(q a episodic wines)"
traced | grep -q "^denied: Policy deny: its manifest cannot be used: .*broken.yaml: line 1, column .*'enabled' must be"
for tool in ../manifests/all /etc/passwd . 'a\u0000b'; do
	ask "$tool" "$(q a episodic wines)"
	same denied "$(context .outcome)"
done
E

more 'the examples of the requirement, each of its five types' <<'E'
cat >request.json <<'J'
{"request_id": "example", "tool_id": "all", "tool_version": "1.0.0", "timestamp": "2025-10-31T12:00:00Z",
 "agent_context": {"agent_id": "default", "task_id": "t", "plan_id": "p"},
 "inputs": {"dish": "fish"},
 "memory_queries": [
 {"query_id": "ep_1", "memory_type": "episodic",
  "query_text": "What wine preferences has the user expressed?",
  "filters": {"tags": ["wine", "preference"], "types": ["observation", "user_preference"],
   "time_range": {"start": "2025-01-01T00:00:00Z", "end": "2025-10-31T23:59:59Z"}},
  "limit": 5, "budget_tokens": 300},
 {"query_id": "sem_1", "memory_type": "semantic", "query_text": "What do we know about Burgundy wines?",
  "filters": {"tags": ["wine", "burgundy"], "types": ["fact", "skill", "pattern"]},
  "limit": 10, "budget_tokens": 400},
 {"query_id": "sp_1", "memory_type": "scratch_page",
  "query_text": "Are there any active alerts or pending confirmations?",
  "filters": {"types": ["risk_alert", "pending_confirmation"], "status": "active"},
  "limit": 20, "budget_tokens": 200},
 {"query_id": "ch_1", "memory_type": "conversation",
  "query_text": "What has the user said about their budget?",
  "filters": {"types": ["user_message"],
   "time_range": {"start": "2025-10-30T00:00:00Z", "end": "2025-10-31T23:59:59Z"}},
  "limit": 5, "budget_tokens": 300},
 {"query_id": "wm_1", "memory_type": "working", "query_text": "What are the active goals for this turn?",
  "filters": {"types": ["goal", "context"]}, "limit": 10, "budget_tokens": 200}]}
J
ikm mem query request.json >out
same '2 1 1 1 1' "$(jq -r '[.memory_context[].returned_results] | join(" ")' out)"
same 'ok ok ok ok ok' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
# All that was asked comes back, and every required member is there, with its type.
same "$(jq -S . request.json)" "$(jq -S 'del(.memory_context, .budget_tokens)' out)"
jq -e '[.memory_context[] | (.query_id, .memory_type | type == "string"), (.results | type == "array"),
	(.total_results, .returned_results, .tokens_used | type == "number" and . == floor),
	(.search_metadata | (.query_time_ms | type == "number" and . == floor),
		(.ranking_scores | map(type == "number") | all))] | all' out
jq -e '[.memory_context[].results[] | (.id, .type, .content, .source, .timestamp | type == "string"),
	(.importance | type == "number"), (.tags | type == "array"), (.metadata | type == "object")] |
	length == 48 and all' out
same Ada "$(jq -r '.memory_context[3].results[0].speaker' out)"
E

more 'filters: all tags, any type, time, importance, source' <<'E'
add -k episodic -t x -t y --type t1 --source mail --importance 0.2 --happened 2024-05-01 'filtered one' >/dev/null
add -k episodic -t x --type t2 --source web --importance 0.8 --happened 2024-05-02T10:00:00Z 'filtered two' >/dev/null
: >queries
: >want
f() { # FOUND FILTERS
	[ ! -s queries ] || echo , >>queries
	q "$(wc -l <want)" episodic filtered ", \"filters\": {$2}" >>queries
	echo "$1" >>want
}
f 'one,two' '"tags": ["x"]'
f 'one' '"tags": ["x", "y"]'
f '' '"tags": ["x", "z"]'
f 'one,two' '"types": ["t1", "t2"]'
f 'two' '"types": ["t2", "t3"]'
f 'two' '"importance_min": 0.5, "tags": ["x"]'
f 'one' '"source": "mail"'
f 'one' '"tags": ["x"], "time_range": {"end": "2024-05-01"}'
f 'two' '"tags": ["x"], "time_range": {"start": "2024-05-02"}'
f 'two' '"tags": ["x"], "time_range": {"start": "2024-05-02", "end": "2024-05-02"}'
f '' '"tags": ["x"], "time_range": {"start": "2024-05-02T10:00:01Z"}'
f 'two' '"tags": ["x"], "time_range": {"end": "2024-05-02T10:00:00Z", "start": "2024-05-02T10:00:00Z"}'
f 'one,two' '"tags": [], "types": [], "time_range": {"end": "2024-06-01"}'
f '' '"tags": ["x"], "time_range": {"end": "1969-05-01"}'
ask all "$(cat queries)"
jq -r '.memory_context[] | [.results[].content | select(startswith("filtered ")) | .[9:]] | sort | join(",")' out >got
diff -u want got
# Before the limit, not after it: what a hundred others would hide is found.
ask all "$(q a episodic 'a note on a hotel' ', "limit": 1, "filters": {"tags": ["travel"]}')"
same 'A hotel in Lyon was booked for the week of the fair' "$(contents)"
E

try 'a filter takes 64 tags, and no more' <<'E'
tags() { seq "$1" | sed 's/.*/"t&"/' | paste -sd,; }
ask all "$(for n in 64 65; do q $n episodic x ", \"filters\": {\"tags\": [$(tags $n)]}"; [ $n = 65 ] || echo ,; done)"
same 'ok failed' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
E

more 'a query that is wrong says what, and what is allowed' <<'E'
: >queries
: >reasons
bad() { # QUERY REASON
	[ ! -s queries ] || echo , >>queries
	printf '%s\n' "$1" >>queries
	printf '%s\n' "$2" >>reasons
}
bad "$(q a1 episodic x ', "limt": 1')" "unknown parameter 'limt'; did you mean 'limit'?"
bad "$(q a2 episodic x ', "filters": {"tgas": []}')" "unknown parameter 'filters.tgas'; did you mean 'tags'?; allowed: tags, types, time_range, importance_min, source, status"
bad "$(q a3 episodic x ', "filters": {"time_range": {"form": "2025-01-01"}}')" "unknown parameter 'filters.time_range.form'"
bad "$(q a4 episodc x)" "memory_type is 'episodc'; allowed: episodic, semantic, working, scratch_page, conversation"
bad '{"query_id": "a", "memory_type": "episodic"}' 'query_text is missing'
bad '{"memory_type": "episodic", "query_text": "x"}' 'query_id is missing'
bad "$(q '' episodic x)" 'query_id is empty'
bad '7' 'must be an object, not a number'
bad "$(q a5 episodic x ', "budget_tokens": 0')" 'budget_tokens is 0; allowed: 1 to 1000'
bad "$(q a6 episodic x ', "budget_tokens": 1001')" 'budget_tokens is 1001; allowed: 1 to 1000'
bad "$(q a7 episodic x ', "budget_tokens": 1.5')" 'must be a whole number'
bad "$(q a8 episodic x ', "limit": 0')" 'limit is 0; allowed: 1 to 100'
bad "$(q a9 episodic x ', "limit": "five"')" 'limit must be a number, not a string'
bad "$(q a10 episodic x ', "filters": []')" 'filters must be an object'
bad "$(q a11 episodic x ', "filters": {"tags": "x"}')" 'filters.tags must be a list of strings'
bad "$(q a12 episodic x ', "filters": {"importance_min": 1.1}')" 'filters.importance_min is 1.1; allowed: 0 to 1'
bad "$(q a13 episodic x ', "filters": {"status": "active"}')" 'filters.status is for memory_type scratch_page only'
bad "$(q a14 scratch_page x ', "filters": {"status": "open"}')" "filters.status is 'open'; allowed: active, pending_review, resolved, archived"
bad "$(q a15 episodic x ', "filters": {"time_range": {"start": "soon"}}')" "filters.time_range.start is 'soon', which is not a time"
bad "$(q a16 episodic x ', "filters": {"time_range": {"start": "2025-02-30"}}')" 'which is not a time'
bad "$(q a17 episodic x ', "filters": {"time_range": {"start": "2025-02-02", "end": "2025-02-01"}}')" 'filters.time_range.end is before the start'
bad "$(q a18 episodic x ", \"filters\": {\"tags\": [$(seq 65 | sed 's/.*/"t&"/' | paste -sd,)]}")" 'filters.tags has 65 members; allowed: 0 to 64'
ask all "$(cat queries)"
same 0 "$(jq '[.memory_context[] | select(.outcome != "failed" or .results != [])] | length' out)"
same "$(wc -l <reasons)" "$(jq '.memory_context | length' out)"
jq -r '.memory_context[].reason' out >said
while read -r reason; do
	read -r one <&3
	case $one in
	*"$reason"*) ;;
	*) echo "not said: $reason"; echo "but: $one"; exit 1 ;;
	esac
done <reasons 3<said
same "$(cat said)" "$(ikm trace -n "$(wc -l <said)" --json | jq -r '.rows | reverse[].reason')"
ask all "$(q a episodic wine), $(q a semantic wine)"
same 'ok failed' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
same "query_id 'a' is used by an earlier query; use each id once" "$(context .reason 1)"
# One token is a budget; nothing fits into it.
ask all "$(q a episodic wine ', "budget_tokens": 1')"
same 'cut 0' "$(context '| "\(.outcome) \(.returned_results)"')"
E

more 'only what is no ToolRequest at all is an error' <<'E'
no() { # JSON PART-OF-MESSAGE
	fails 2 sh -c "printf '%s' '$1' | ikm mem query --json >out 2>err"
	jq -r .message out | grep -q -- "$2" || { cat out; return 1; }
}
no '[]' 'must be an object'
no '{' 'standard input: line 1'
no '{"request_id": "r"}' 'tool_id is missing'
no '{"tool_id": "r"}' 'request_id is missing'
no '{"request_id": "r", "tool_id": "t", "memory_querys": []}' "did you mean .memory_queries."
no '{"request_id": "r", "tool_id": "t", "memory_queries": {}}' 'must be a list of objects, not an object'
no '{"request_id": "r", "tool_id": "t", "budget_tokens": 0}' 'allowed: 1 to '
fails 3 ikm mem query nowhere.json
printf '{"request_id": "r", "tool_id": "all"}' | ikm mem query >out
same '[]' "$(jq -c .memory_context out)"
E

more 'the manifest: types and tags intersect, budgets and numbers are cut and traced' <<'E'
manifest wine 'episodic: {enabled: true, query_types: [observation, user_preference], tags: [wine, preference], max_queries: 3, max_budget_tokens: 20}' \
	'semantic: {enabled: true, query_types: [fact], tags: [wine]}'
ask wine "$(q a episodic 'dinner hotel barrels')"
same 'The user liked the Pinot Noir of Burgundy at dinner' "$(contents | head -1)"
same '' "$(contents | grep 'hotel\|barrels')"
traced | grep -q 'budget_tokens cut from 500 to 20: max_budget_tokens'
same 20 "$(context .budget_tokens)"
ask wine "$(q a semantic wine ', "filters": {"types": ["fact", "pattern"], "tags": ["wine", "burgundy"]}')"
same 1 "$(context .returned_results)"
same 'cut: types removed, because the manifest does not declare them: pattern' "$(traced)"
ask wine "$(q a semantic wine ', "filters": {"types": ["skill"]}')"
same 'denied: Policy deny: the manifest declares none of the requested types; declared: fact' "$(traced)"
ask wine "$(q a semantic wine ', "filters": {"tags": ["geography"]}')"
same 'denied: Policy deny: the manifest declares none of the requested tags; declared: wine' "$(traced)"
ask wine "$(q a episodic wine), $(q b episodic wine), $(q bad episodic wine ', "x": 1'), $(q c semantic wine), $(q d episodic wine), $(q e episodic wine)"
same 'cut cut failed ok cut denied' "$(jq -r '[.memory_context[].outcome] | join(" ")' out)"
same 'Policy deny: max_queries of episodic is 3' "$(context .reason 5)"
E

more 'sensitive memories, layers and provenance only as the manifest says' <<'E'
add -k episodic --redaction sensitive 'secretword one is in the safe' >/dev/null
ikm mem add -k episodic 'secretword two is of the user' >/dev/null
add -k episodic --provenance tool 'secretword three is said by a tool' >/dev/null
manifest a 'episodic: {enabled: true, sensitive: true}'
manifest b 'episodic: {enabled: true, layers: [user, org]}'
manifest c 'episodic: {enabled: true, provenance: [user, agent]}'
s() { ask "$1" "$(q a episodic secretword ${2-})"; contents | grep -o 'secretword [a-z]*' | sort | cut -d' ' -f2 | paste -sd,; }
same three "$(s all)"
same one,three "$(s a)"
same three,two "$(s b)"
same '' "$(s c)"
E

more 'nobody asks for another agent, and none sees what others have' <<'E'
IKM_AGENT_ID=other ikm mem add -l agent -k episodic 'secretword four is of another agent' >/dev/null
ask all "$(q a episodic secretword)" ', "agent_context": {"agent_id": "other"}'
same 'denied' "$(context .outcome)"
same "denied: Policy deny: the request names agent 'other', but the caller is agent 'default'" "$(ikm trace --outcome denied --json | jq -r '.rows[0] | "\(.outcome): \(.reason)"')"
jq '{request_id, tool_id, agent_context, memory_queries}' out >request.json
ikm --agent other mem query request.json >out
same 'secretword four is of another agent' "$(contents)"
IKM_AGENT_ID=other ikm call memory_query <request.json >out
same 'secretword four is of another agent' "$(contents)"
ikm --agent other --user eve mem query request.json >out
same 0 "$(context .returned_results)"
E

more 'expired, superseded and deleted ones never come' <<'E'
old=$(add -k semantic 'zebra crossing is in Main Street')
ikm mem add -l agent -k semantic --supersedes "$old" 'zebra crossing moved to High Street' >/dev/null
gone=$(add -k semantic 'zebra crossing of nowhere')
ikm mem delete "$gone"
add -k semantic --expires 2025-11-01 'zebra crossing until November' >/dev/null
ask all "$(q a semantic 'zebra crossing')"
same 2 "$(contents | grep -c zebra)"
same '' "$(contents | grep 'Main\|nowhere')"
IKM_NOW=2025-11-02T00:00:00Z
ask all "$(q a semantic 'zebra crossing')"
same 'zebra crossing moved to High Street' "$(contents | grep zebra)"
E

more 'rank: relevance, recency, importance, and what repeats is behind' <<'E'
add -k episodic -t rank --happened 2025-10-30 --importance 0.5 'the quokka sleeps in the shade of the old fig tree' >/dev/null
add -k episodic -t rank --happened 2025-10-29 --importance 0.5 'the quokka sleeps in the shade of the old fig tree today' >/dev/null
add -k episodic -t rank --happened 2025-10-28 --importance 0.5 'a quokka jumped over the fence and ran' >/dev/null
add -k episodic -t rank --happened 2030-01-01 --importance 0.1 'a quokka of the future' >/dev/null
ask all "$(q a episodic 'what did the quokka do' ', "filters": {"tags": ["rank"]}')"
same 4 "$(context .returned_results)"
jq -e '.memory_context[0].search_metadata.ranking_scores | all(. >= 0 and . <= 1)' out
# A memory in the future counts as new as one of now, not as newer.
future=$(jq -r '.memory_context[0] | [.results[].content] | index("a quokka of the future")' out)
jq -e --argjson i "$future" '.memory_context[0].search_metadata.ranking_scores[$i] <= 0.4 + 0.25 + 0.25 * 0.1' out
# Importance decides between what is alike otherwise.
add -k episodic -t imp --happened 2025-10-01 --importance 0 'numbat number one' >/dev/null
add -k episodic -t imp --happened 2025-10-01 --importance 1 'numbat number two' >/dev/null
ask all "$(q a episodic numbat)"
same 'numbat number two' "$(contents | head -1)"
E

more 'any bytes are a query; one without a letter finds nothing, an empty one the newest' <<'E'
for text in '' ' ' '"\"' '???!!!' 'the who' '😀' '葡萄酒' 'שלום' 'NOT AND (' '*' \
	"$(head -c 4096 /dev/zero | tr '\0' '%')"; do
	printf '%s\n' "$text"
done | jq -R . | jq -s '. + ["\u0000"] | {request_id: "r", tool_id: "all", memory_queries:
	[range(length) as $i | {query_id: "\($i)", memory_type: "episodic", query_text: .[$i]}]}' |
	ikm mem query >out
same '12 []' "$(jq -r '.memory_context | "\(length) \(map(select(.outcome == "failed" or (.total_results == 0) != (.reason != null))))"' out)"
ask all "$(q a working '' ', "limit": 1')"
same 1 "$(context .returned_results)"
E

more 'ten thousand queries: a hundred are executed, the others denied, all traced' <<'E'
awk 'BEGIN { printf "{\"request_id\": \"many\", \"tool_id\": \"all\", \"memory_queries\": ["
	for (i = 0; i < 10000; i++)
		printf "%s{\"query_id\": \"q%d\", \"memory_type\": \"working\", \"query_text\": \"goal %d\"}", i ? "," : "", i, i % 150
	print "]}" }' >many.json
(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 400000
	timeout 60 ikm mem query many.json >out )
same '10000 9900 Policy deny: at most 100 queries of a request run' "$(jq -r '.memory_context |
	"\(length) \([.[] | select(.outcome == "denied")] | length) \(.[9999].reason)"' out)"
same 10000 "$(ikm trace -r many -n 10000 | grep -c ' many ')"
sed 's/: \[/: [{}, /' many.json >more.json
fails 2 ikm mem query more.json
E

more 'the same query twice is executed once' <<'E'
ask all "$(q a episodic barrels), $(q b episodic barrels), $(q c episodic 'other barrels')"
same 'false,true,false' "$(ikm trace -n 3 --json | jq -r '[.rows[].cached] | reverse | map(tostring) | join(",")')"
same "$(context '.results | tojson' 0)" "$(context '.results | tojson' 1)"
E

try 'the total counts what is behind the candidates that are ranked, too' <<'E'
seq 60 | sed 's/.*/{"content": "the gnu of pen & drinks", "kind": "episodic", "layer": "agent"}/' | ikm mem import >/dev/null
ask all "$(q a episodic 'gnu' ', "limit": 1')"
same '60 1' "$(context '| "\(.total_results) \(.returned_results)"')"
E

more 'a store that cannot be written answers all the same, and says so' <<'E'
ikm trace >/dev/null
chmod -R a-w "$HOME/.ikigai"
ask all "$(q a episodic barrels)"
chmod -R u+w "$HOME/.ikigai"
[ "$(context .returned_results)" -gt 0 ]
jq -e '.warnings[0] | test("the turn trace was not written: ")' out
ask all "$(q a episodic barrels)"
same null "$(jq .warnings out)"
E

more 'no store: no memories, no error; the trace makes one, unless it is switched off' <<'E'
rm -f "$HOME"/.ikigai/ikm.db*
printf '{"request_id": "r", "tool_id": "all", "memory_queries": [%s]}' "$(q a episodic x)" >request.json
ikm -c trace.keepDays=0 mem query request.json >out
same 'ok 0' "$(context '| "\(.outcome) \(.total_results)"')"
[ ! -e "$HOME/.ikigai/ikm.db" ]
ikm mem query request.json >out
same 1 "$(ikm trace --json | jq '.rows | length')"
E

more 'ikm call memory_query is the same' <<'E'
add -k episodic 'a memory of wombats' >/dev/null
printf '{"request_id": "r", "tool_id": "all", "memory_queries": [%s]}' "$(q a episodic wombats)" >request.json
ikm mem query request.json | jq -S 'del(.memory_context[].search_metadata.query_time_ms)' >one
ikm mem query - <request.json | jq -S 'del(.memory_context[].search_metadata.query_time_ms)' >two
ikm call memory_query <request.json | jq -S 'del(.memory_context[].search_metadata.query_time_ms)' >three
cmp one two
cmp one three
grep -q wombats one
ikm tool schema memory_query --format json-schema >schema
same '["query_id","memory_type","query_text"]' "$(jq -c '.properties.memory_queries.items.required' schema)"
same 'object' "$(jq -r '.properties.memory_queries.items.properties.filters.type' schema)"
same '500 1000 10' "$(jq -r '.properties.memory_queries.items.properties | "\(.budget_tokens.default) \(.budget_tokens.maximum) \(.limit.default)"' schema)"
E
more 'nothing that has to do with the text: no results, unless the manifest says fallback' <<'E'
ikm mem add 'My PIN is 4711' >/dev/null
ikm mem add --type fact -t bank 'The account is at the corner' >/dev/null
for kind in episodic working scratch; do ikm mem add -k $kind -l user --type fact 'My door code is 99' >/dev/null; done
for type in semantic episodic working scratch_page; do
	manifest strict "$type: {enabled: true, layers: [user]}"
	for filters in '' ', "filters": {"types": ["fact"]}'; do
		ask strict "$(q a "$type" 'which zebras?' "$filters")"
		same '0 0 0 ok' "$(context '|[.returned_results, .total_results, .tokens_used, .outcome]|join(" ")')"
		same "no memory that the tool may read matches query_text; the manifest has no 'fallback: recent'" "$(context .reason)"
	done
	manifest loose "$type: {enabled: true, layers: [user], fallback: recent}"
	ask loose "$(q a "$type" 'which zebras?')"
	contents | grep -q 'PIN\|code'
	same recent "$(context .search_metadata.relevance)"
	same null "$(context .reason)"
done
# A query of stop words alone names nothing, though the memories have such words.
manifest strict 'semantic: {enabled: true, layers: [user]}'
for text in 'What is it?' 'is there any' 'the is of' 'is at the' 'Is this the one?'; do
	ask strict "$(q a semantic "$text")"
	same '0 null' "$(context '|"\(.returned_results) \(.search_metadata.relevance)"')"
done
# An empty text asks for the newest. A declared tag or type is no answer by itself.
manifest strict 'semantic: {enabled: true, layers: [user], tags: [bank]}'
ask strict "$(q a semantic '')"
same 'The account is at the corner' "$(contents)"
ask strict "$(q a semantic 'which zebras?')"
same '' "$(contents)"
# The words of a type are words of a memory in the small memories.
manifest strict 'scratch_page: {enabled: true, layers: [user]}'
ask strict "$(q a scratch_page 'Are there facts?')"
same 'My door code is 99' "$(contents)"
same weak "$(context .search_metadata.relevance)"
E

more 'what only happened beside an answer is no result' <<'E'
manifest beside 'episodic: {enabled: true, layers: [agent]}'
for at in 1 2 3; do
	add -k episodic --happened 2025-10-2${at}T10:00:00Z "$(sed -n ${at}p <<W
tried Rioja and disliked it
liked the Volnay from the cellar
the wifi of the office was down
W
)" >/dev/null
done
ask beside "$(q a episodic Volnay)"
same 'liked the Volnay from the cellar' "$(contents)"
# What one program stores has one session, whatever it is about.
ikm --session s1 mem add -k episodic --layer agent 'drank a Barolo at the fair' >/dev/null
ikm --session s1 mem add -k episodic --layer agent 'the door code is 4711' >/dev/null
ask beside "$(q a episodic Barolo)"
same 'drank a Barolo at the fair' "$(contents)"
E
done_testing
