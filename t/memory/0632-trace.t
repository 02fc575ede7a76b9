#!/bin/sh
# ikm trace: one row for each query, its readers, and how long it stays.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-01-01T00:00:00Z
export IKM_NOW
mkdir -p "$HOME/.ikigai/manifests"
echo 'tool: {id: wine, memory_access: {episodic: {enabled: true, max_budget_tokens: 5}}}' \
	>"$HOME/.ikigai/manifests/wine.yaml"

request() { # REQUEST TOOL TYPE TEXT [MEMBERS]
	printf '{"request_id": "%s", "tool_id": "%s", "agent_context": {"task_id": "t7"}, "memory_queries": [{"query_id": "q", "memory_type": "%s", "query_text": "%s"%s}]}' "$@"
}
rows() { ikm trace --json "$@" | jq -r ".rows[] | $pick" | paste -sd' '; }
pick=.request_id

try 'no store: no rows, no error, and none is made' <<'E'
ikm trace 2>err
grep -q 'no queries' err
same '{"rows":[]}' "$(ikm trace --json)"
[ ! -e "$HOME/.ikigai/ikm.db" ]
E

ikm mem add -l agent -k episodic 'one two three four five six seven eight nine ten eleven' >/dev/null
request r1 wine episodic 'one two' | ikm mem query >/dev/null
IKM_NOW=2026-01-02T00:00:00Z
request r2 wine semantic 'three' | ikm mem query >/dev/null
request r3 beer episodic 'four' ', "limit": 0' | ikm mem query >/dev/null
request r4 wine episodic 'nothing' ', "budget_tokens": 5' | IKM_AGENT_ID=other ikm mem query >/dev/null

try 'a row has agent, tool, query, outcome and cost' <<'E'
ikm trace -r r1 --json | jq -c '.rows[0] | del(.query_time_ms, .number)' >row
cat >want <<'W'
{"timestamp":"2026-01-01T00:00:00.000Z","request_id":"r1","tool_id":"wine","agent_id":"default","task_id":"t7","query_id":"q","memory_type":"episodic","query_text":"one two","outcome":"cut","reason":"budget_tokens cut from 500 to 5: max_budget_tokens; 1 did not fit into 5 tokens","total_results":1,"returned_results":0,"budget_tokens":5,"tokens_used":0,"cached":false}
W
diff -u want row
# As plain SQLite has it, too.
same 'cut|one two|5' "$(sqlite3 "$HOME/.ikigai/ikm.db" "select outcome, query_text, budget from turn_trace where request_id = 'r1'")"
E

long 'newest first; by request, tool, agent, memory, outcome, time' <<'E'
same 'r4 r3 r2 r1' "$(rows)"
same r2 "$(rows --request r2)"
same r3 "$(rows --tool beer)"
same r4 "$(rows --by-agent other)"
same r2 "$(rows --memory-type semantic)"
same r2 "$(rows --outcome denied)"
same r3 "$(rows --outcome failed)"
same r1 "$(rows -o cut)"
same r4 "$(rows -o ok)"
same 'r4 r3 r2' "$(rows --since 2026-01-02)"
same 'r4 r3 r2' "$(rows --since 12h)"
same r1 "$(rows --until 2026-01-02)"
same '' "$(rows -o denied -t beer)"
E

try 'page by page' <<'E'
ikm trace -n 3 --json >page
same 'r4 r3 r2' "$(jq -r '[.rows[].request_id] | join(" ")' page)"
same r1 "$(rows --before "$(jq .next page)")"
ikm trace -n 4 --json | jq -e '.next == null'
ikm trace -n 1 >out 2>err
grep -q "more rows: add --before" err
E

try 'the text: outcome, agent, query, reason' <<'E'
ikm trace >out
grep -q '^ *2  2026-01-02T00:00:00.000Z  denied  wine  default  r2  q  semantic  0 of 0 results  0 of 500 tokens$' out
grep -q "^        Policy deny: tool 'wine' does not declare access to semantic$" out
grep -q '^        three$' out
request r5 wine episodic 'esc \u001b[31m\u0000 x' | ikm mem query >/dev/null
ikm trace -n 1 >out
! grep -q "$(printf '\033')" out
E

try 'wrong options say what is allowed' <<'E'
fails 2 ikm trace --outcome bad 2>err
grep -q 'allowed: ok, cut, denied, failed' err
fails 2 ikm trace --since yesterday 2>err
grep -q "since is 'yesterday', which is not a time" err
fails 2 ikm trace --limit 0
fails 2 ikm trace --before 0
E

try 'a tool sees the rows of its own agent only' <<'E'
IKM_NOW=2026-01-02T00:00:00Z
same '["r4"]' "$(echo '{}' | IKM_AGENT_ID=other ikm call trace_query | jq -c '[.rows[].request_id]')"
echo '{}' | ikm call trace_query | jq -e '[.rows[].agent_id] | unique == ["default"]'
fails 7 sh -c 'echo "{\"agent\": \"other\"}" | ikm call trace_query'
E

long 'rows go after trace.keepDays; 0 keeps none' <<'E'
IKM_NOW=2026-01-31T12:00:00Z
request r6 wine episodic x | ikm mem query >/dev/null
same '' "$(rows | grep r1)"
rows | grep r2
IKM_NOW=2026-02-02T00:00:01Z
request r7 wine episodic x | ikm mem query >/dev/null
same 'r7 r6' "$(rows)"
request r8 wine episodic x | ikm -c trace.keepDays=0 mem query >/dev/null
same 'r7 r6' "$(rows)"
IKM_NOW=2026-02-03T00:00:00Z
request r9 wine episodic x | ikm -c trace.keepDays=1 mem query >/dev/null
same 'r9 r7' "$(rows)"
E

try 'long texts are kept up to a character, with dots' <<'E'
request r10 wine episodic "x$(seq 600 | sed 's/.*/é/' | tr -d '\n')" | ikm mem query >/dev/null
same '515' "$(ikm trace -n 1 --json | jq '.rows[0].query_text | length')"
ikm trace -n 1 --json | jq -e '.rows[0].query_text | endswith("é...")'
E
more 'an answer does not wait for another writer, only its trace is missing' <<'E'
mkfifo go
{ echo 'begin immediate;'; echo '.shell : >locked'; cat go; } |
	sqlite3 "$HOME/.ikigai/ikm.db" &
exec 3>go
while [ ! -e locked ]; do sleep 0.01; done
request r11 wine episodic x | ikm mem query >out
exec 3>&-
wait
jq -r '.warnings[0]' out |
	grep -q 'the turn trace was not written: other processes used the store .* for [0-9]* seconds'
same 0 "$(ikm trace -r r11 --json | jq '.rows | length')"
E
more 'a row stays in the log of the store, until the log is long' <<'E'
file() { sha256sum <"$HOME/.ikigai/ikm.db"; }
ikm mem add -l agent -k episodic twelve >/dev/null
was=$(file)
request r20 wine episodic x | ikm mem query >/dev/null
same "$was" "$(file)"
same r20 "$(rows -n 1)"
n=0
while [ $n -lt 100 ] && [ "$was" = "$(file)" ]; do
	request r21 wine episodic x | ikm mem query >/dev/null
	n=$((n + 1))
done
[ $n -gt 5 ]
[ $n -lt 100 ]
request r22 wine episodic x | ikm mem query >/dev/null
request r23 wine semantic x | ikm mem query >/dev/null
request r24 wine episodic x | ikm mem query >/dev/null
same 'r24 r23 r22' "$(rows -n 3)"
same ok "$(sqlite3 "$HOME/.ikigai/ikm.db" 'pragma integrity_check')"
E

more 'rows of another user in the same store are visible on no face' <<'E'
[ "$(ikm trace --json | jq '.rows | length')" -gt 0 ]
same '{"rows":[]}' "$(ikm -c user=eve trace --json)"
same '{"rows":[]}' "$(ikm -c user=eve trace -r r1 --by-agent default --json)"
same '{"rows":[]}' "$(echo '{}' | IKM_USER=eve ikm call trace_query)"
E
done_testing
