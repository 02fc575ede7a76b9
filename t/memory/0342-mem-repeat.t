#!/bin/sh
# A repeated call of a memory tool is answered and not done again; what a caller says about its call
# is recorded.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
store=$HOME/.ikigai/ikm.db
call() { printf '%s' "$2" | ikm call "$1"; }
events() { sqlite3 "$store" 'select count(*) from events where number = 0'; }
with() { printf '%s' "$1" | jq -c ". + $2"; } # an object with further members

long 'each tool answers a repeat as before, and refuses the key for another call' <<'E'
export IKM_SESSION=s
id=$(ikm mem add 'The port is 8081')
note=$(ikm mem add 'look at it' -k scratch)
gone=$(ikm mem add 'The port is 9090')
undo=$(echo "{\"memoryId\":\"$gone\",\"addTags\":[\"odd\"]}" | ikm call memory_edit | jq -r .event)
while IFS='|' read -r tool first other; do
	first=$(with "$first" "{idempotencyKey: \"k-$tool\"}")
	call "$tool" "$first" >one
	rows=$(events)
	call "$tool" "$first" >two
	[ "$(jq -c '.replayed' two)" = true ] || { echo "$tool: no repeat"; cat two; return 1; }
	same "$(jq -S . one)" "$(jq -S 'del(.replayed)' two)"
	same "$rows" "$(events)"
	with "$first" "$other" | fails_for KEY_REUSED ikm call "$tool" >three
	same "$rows" "$(events)"
done <<J
memory_add|{"content":"Tea at five","kind":"episodic","tags":["a"]}|{"content":"Tea at six"}
memory_edit|{"memoryId":"$id","addTags":["x"]}|{"addTags":["y"]}
memory_mark|{"memoryId":"$note","status":"resolved"}|{"status":"archived"}
events_undo|{"eventId":"$undo"}|{"rationale":"for another reason"}
memory_delete|{"memoryId":"$gone"}|{"memoryId":"$id"}
memory_ingest|{"request_id":"r","tool_id":"t","memory_writes":[{"content":"Ada liked it"}]}|{"request_id":"s"}
J
same 1 "$(ikm mem list --json | jq '[.memories[] | select(.content == "Tea at five")] | length')"
E

try 'the same words by another agent, or in another scope, are another call' <<'E'
ask='{"content":"ours","layer":"agent","idempotencyKey":"who"}'
call memory_add "$ask" >one
printf '%s' "$ask" | fails_for KEY_REUSED ikm --agent bo call memory_add >two
ask='{"content":"theirs","layer":"team","idempotencyKey":"team"}'
printf '%s' "$ask" | ikm -c memory.team=red call memory_add >one
printf '%s' "$ask" | fails_for KEY_REUSED ikm -c memory.team=blue call memory_add >two
printf '%s' "$ask" | ikm -c memory.team=red call memory_add | jq -e .replayed
# another user has keys of their own
printf '{"content":"mine","idempotencyKey":"who"}' | ikm --user eve call memory_add | jq -e '.replayed == null'
E

try 'a repeat does not add again what a person has deleted; without a key it does' <<'E'
ask='{"content":"unwanted","idempotencyKey":"once"}'
id=$(call memory_add "$ask" | jq -r .memoryId)
ikm mem delete "$id" >/dev/null
same "[true,\"$id\"]" "$(call memory_add "$ask" | jq -c '[.replayed, .memoryId]')"
same 0 "$(ikm mem list --json | jq '[.memories[] | select(.content == "unwanted")] | length')"
ask='{"content":"wanted"}'
id=$(call memory_add "$ask" | jq -r .memoryId)
ikm mem delete "$id" >/dev/null
not same "$id" "$(call memory_add "$ask" | jq -r .memoryId)"
E

try 'a failure is no answer: the same key works afterwards' <<'E'
printf '{"content":"late","supersedes":"mem_01234567","idempotencyKey":"late"}' |
	fails_for NO_SUCH_MEMORY ikm call memory_add >out
call memory_add '{"content":"late, but stored","idempotencyKey":"late"}' | jq -e '.replayed == null'
E

try 'an answer that was not stored is made from the event' <<'E'
id=$(ikm mem add 'shown again')
ask="{\"memoryId\":\"$id\",\"addTags\":[\"q\"],\"idempotencyKey\":\"lost\"}"
call memory_edit "$ask" >one
sqlite3 "$store" "update idempotency_records set result = null where event_id = '$(jq -r .event one)'"
call memory_edit "$ask" >two
same "$(jq -c '[.event, .memory, true]' one)" "$(jq -c '[.event, .memory, .replayed]' two)"
E

more 'a purge erases the answers, and hashes that could be guessed' <<'E'
id=$(ikm mem add 'The PIN is kumquat')
ask="{\"memoryId\":\"$id\",\"addTags\":[\"sesame\"],\"idempotencyKey\":\"pin\"}"
call memory_edit "$ask" >one
call memory_delete "{\"memoryId\":\"$id\",\"idempotencyKey\":\"away\"}" >two
same 2 "$(sqlite3 "$store" "select count(*) from idempotency_records where result like '%kumquat%'")"
ikm mem purge >/dev/null
not grep -q 'kumquat\|sesame' "$store" "$store-wal"
same 0 "$(sqlite3 "$store" "select count(*) from idempotency_records where payload_hash <> ''")"
printf '%s' "$ask" | fails_for KEY_REUSED ikm call memory_edit >out
jq -r .message out | grep -q 'before a purge'
E

try 'the record has what the caller said' <<'E'
id=$(ikm mem add 'audited' --rationale 'Ada said so' --evidence-ref ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV --tool-call-id c1 --json | jq -r .memoryId)
call memory_edit "{\"memoryId\":\"$id\",\"importance\":0.9,\"rationale\":\"it matters\",\"transactionId\":\"t9\"}" >out
same '["Ada said so","it matters"]' "$(ikm mem history "$id" --json | jq -c '[.history[].rationale]')"
ikm events show "$(ikm mem history "$id" --json | jq -r '.history[0].event')" --json >out
same '[["ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV"],"c1"]' "$(jq -c '[.. | objects | select(has("evidence_refs"))] | .[0] | [.evidence_refs, .tool_call_id]' out)"
sqlite3 "$store" "select transaction_id from events where entity_id = '$id'" >ids
grep -qx t9 ids
jq -nc --arg id "$id" '{memoryId: $id, importance: 0.1, rationale: "two\nlines"}' |
	fails_for BAD_ARGUMENT ikm call memory_edit >out
same 0.9 "$(ikm mem show "$id" --json | jq .memory.importance)"
E

more 'a key needs the record, and ids rather than options' <<'E'
fails_for BAD_ARGUMENT ikm -c undo.days=0 mem add 'no record' --idempotency-key k1 2>err
grep -q 'undo.days is 0' err
fails_for BAD_ARGUMENT ikm mem delete --tag nobody --yes --idempotency-key k2 2>err
grep -q 'options that choose' err
ikm mem add 'said twice' -k episodic --idempotency-key k3 >one
ikm mem add 'said twice' -k episodic --idempotency-key k3 >two 2>err
cmp one two
grep -q 'done already' err
E

done_testing
