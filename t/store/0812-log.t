#!/bin/sh
# ikm events log, query with its filters, --follow, show.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
store=$HOME/.ikigai/ikm.db
IKM_USER=ada IKM_AGENT_ID=bot
export PATH store IKM_USER IKM_AGENT_ID
git init -q .
hash() { echo "sha256:$(sha256sum "$1" | cut -d' ' -f1)"; }
call() { printf '{"path": "%s", "content": "%s"}' "$1" "$2" | ikm call file_write; }
log() { jq -cn "$1" | ikm call events_log; }
ids() { ikm events query --json "$@" | jq -r '[.rows[].event_id] | join(" ")'; }

try 'what the event names and nobody sees is recorded, and told' <<'E'
log '{type: "observation", file_path: "none"}' | jq -e '.warnings == ["the event is about '"'none'"', which does not exist"]'
log '{type: "observation", file_path: "/etc/passwd"}' >out
jq -e '.eventId and (.warnings[0] | startswith("the event is about a file that you may not read"))' out
ikm events log --type observation --path none -m x 2>&1 | grep -qx "ikm: warning: the event is about 'none', which does not exist"
E

long 'a log joins the event of the write, as a row of its own, and gives it its reason' <<'E'
event "$store" init >out
id=$(call f one | jq -r .event)
hash=$(hash f)
export hash
log '{type: "profile_update", op: "write", file_path: "f", after_hash: $ENV.hash,
	rationale: "because", evidence_refs: ["one", "two"], lint: {warnings: 1},
	transaction_id: "t1", tool_call_id: "c1", agent_action_id: "a1"}' >out
same "{\"eventId\":\"$id\",\"joined\":true}" "$(cat out)"
ikm events show "$id" --json >shown
same '["pending","committed","annotation"]' "$(jq -c '[.steps[].step]' shown)"
same '["because",["one","two"],{"warnings":1},"write","action"]' \
	"$(jq -c '.event | [.rationale, .evidence_refs, .lint, .op, .type]' shown)"
same '["t1","c1","a1"]' "$(jq -c '.steps[2] | [.transaction_id, .tool_call_id, .agent_action_id]' shown)"
for filter in '--transaction t1' '--tool-call c1' '--text BECAUSE'; do
	# shellcheck disable=SC2086
	same "$id" "$(ids $filter)"
done
ikm events verify >out
E

long 'nobody logs a write that did not happen' <<'E'
rows=$(sqlite3 "$store" 'select count(*) from events')
refused() { fails_for "$1" log "$2"; }
hash=$(hash f)
zero=sha256:$(printf '%064d' 0)
export hash zero
refused NO_SUCH_EVENT '{type: "profile_update", op: "write", file_path: "f", after_hash: $ENV.zero}'
refused NO_SUCH_EVENT '{type: "profile_update", file_path: "f", after_hash: ("text:" + $ENV.zero)}'
for form in sha256:00 'sha256:' md5:00 "${zero}0" "text:$zero " "$(echo "$zero" | tr 0 g)" "${zero#sha256:}"; do
	export form
	refused BAD_ARGUMENT '{type: "observation", rationale: "x", file_path: "f", after_hash: $ENV.form}'
	refused BAD_ARGUMENT '{type: "observation", rationale: "x", file_path: "f", before_hash: $ENV.form}'
done
refused MISSING_PARAMETER '{type: "observation"}'
refused MISSING_PARAMETER '{type: "observation", op: "look", evidence_refs: []}'
refused MISSING_PARAMETER '{type: "action"}'
refused NO_SUCH_EVENT '{type: "profile_update", file_path: "other", after_hash: $ENV.hash}'
refused NO_SUCH_EVENT '{type: "system", rationale: "x"}'
refused NO_SUCH_EVENT '{type: "audit", rationale: "x"}'
IKM_AGENT_ID=other refused NO_SUCH_EVENT '{type: "profile_update", file_path: "f", after_hash: $ENV.hash}'
IKM_USER=eve refused NO_SUCH_EVENT '{type: "profile_update", file_path: "f", after_hash: $ENV.hash}'
IKM_NOW=2031-01-01 refused NO_SUCH_EVENT '{type: "profile_update", file_path: "f", after_hash: $ENV.hash}'
refused NOT_ALLOWED '{type: "observation", user_id: "eve"}'
refused BAD_ARGUMENT '{type: "observation", rationale: "a\n## b"}'
refused NOT_IN_ENUM '{type: "gossip"}'
refused MISSING_PARAMETER '{}'
refused TOO_LONG '{type: "observation", tool_call_id: ("x" * 300)}'
same "$rows" "$(sqlite3 "$store" 'select count(*) from events')"
E

more 'an observation is an event of its own, and its hashes are the words of its caller' <<'E'
zero=sha256:$(printf '%064d' 0)
export zero
id=$(log '{type: "observation", op: "append_section", file_path: "f", after_hash: $ENV.zero,
	section_anchor: "inbox v1", rationale: "captured theme"}' | jq -r .eventId)
ikm events show "$id" --json >shown
same '["observation","append_section","inbox v1","captured theme",null,"committed","events_log"]' \
	"$(jq -c '.event | [.type, .op, .section_anchor, .rationale, .after_hash, .status, .tool]' shown)"
same "$zero" "$(jq -r '.event.change | fromjson.claimed_after_hash' shown)"
fails_for BAD_ARGUMENT ikm events undo "$id"
same one "$(cat f)"
id=$(ikm events log --type action --op think --entity-type part --entity p1 -m 'I thought' --json | jq -r .eventId)
same "$id" "$(ids --entity-type part --entity p1)"
E

more 'a repeat records nothing; the same key for something else is a conflict' <<'E'
one=$(log '{type: "observation", rationale: "twice", idempotencyKey: "k1"}')
rows=$(sqlite3 "$store" 'select count(*) from events')
two=$(log '{type: "observation", rationale: "twice", idempotencyKey: "k1"}')
same "$(echo "$one" | jq -r .eventId) true" "$(echo "$two" | jq -r '.eventId + " \(.replayed)"')"
fails_for KEY_REUSED log '{type: "observation", rationale: "other", idempotencyKey: "k1"}'
same "$rows" "$(sqlite3 "$store" 'select count(*) from events')"
same k1 "$(ikm events query -n 1 --json | jq -r '.rows[0].idempotency_key')"
same true "$(IKM_NOW=2031-01-01 log '{type: "observation", rationale: "other", idempotencyKey: "k1"}' |
	jq '.replayed == null')"
E

more 'every filter, alone and together; pages; lines' <<'E'
echo text >text
part=$(event "$store" write "$PWD/garden/users/ada/parts/p2/profile.md" text)
refused=$(event "$store" refuse "$PWD/garden/users/ada/parts/p2/profile.md")
same "$refused $part" "$(ids --path garden)"
same "$part" "$(ids --path garden --type profile_update)"
same "$refused" "$(ids --path garden --type audit --status failed)"
same "$part" "$(ids --path garden --status committed --op replace_section --tool md_patch --by-user ada)"
same "$part" "$(ids --path garden --entity-type part --entity p1 --text 'A REASON' --type profile_update)"
same "$refused" "$(ids --text 'an anchor was removed')"
same '' "$(ids --path garden --entity p3)"
same '' "$(ids --path garden --by-agent nobody)"
ikm events query --json >all
same "$(jq -r '[.rows[].event_id] | sort | reverse | join(" ")' all)" "$(jq -r '[.rows[].event_id] | join(" ")' all)"
before='' pages=''
while :; do
	ikm events query -n 2 ${before:+--before "$before"} --json >page
	pages="$pages $(jq -r '[.rows[].event_id] | join(" ")' page)"
	before=$(jq -r '.next // empty' page)
	[ -n "$before" ] || break
done
same " $(jq -r '[.rows[].event_id] | join(" ")' all)" "$pages"
same "$(jq -c '.rows[]' all)" "$(ikm events query --lines)"
least 8 page || [ "$(jq '.rows | length' all)" -ge 7 ]
fails_for NOT_IN_ENUM ikm events query --type gossip
fails_for NO_SUCH_EVENT ikm events query --before 01ARZ3NDEKTSV4RRFFQ69G5FAV
E

more 'show has every column and step; the change is printed' <<'E'
part=$(ids --type profile_update)
ikm events show "$part" >out
for line in 'status           committed' 'object           part p1' 'section          concerns v1' \
	'rationale        a reason' 'commit           0123456789abcdef0123456789abcdef01234567' '+new' \
	'content HMAC     hmac:'; do
	grep -qF -- "$line" out || { echo "$line"; cat out; exit 1; }
done
same '["pending","written","committed"]' "$(ikm events show "$part" --json | jq -c '[.steps[].step]')"
jq -cn --arg id "$part" '{eventId: $id}' | ikm call events_show | jq -e '.event.chain_hash | startswith("hmac:")' >out
fails_for NO_SUCH_EVENT ikm events show 01ARZ3NDEKTSV4RRFFQ69G5FAV
E

more 'unsettled events: pending and written ones below a path' <<'E'
dir=$PWD/garden/users
open=$(event "$store" write "$dir/ada/notes.md" text '')
written=$(event "$store" write "$dir/bo/notes.md" text w)
event "$store" write "$dir/ada/overview.md" text wc >out
event "$store" write "$PWD/garden/usersx" text w >out
same "$open pending
$written written" "$(event "$store" unsettled "$dir")"
same "$open pending" "$(event "$store" unsettled "$dir/ada/notes.md")"
same '' "$(event "$store" unsettled "$dir/ad")"
E

more 'follow prints each step as it is recorded, beside a writer, with filters' <<'E'
fails_for BAD_ARGUMENT timeout 10 ikm events query --follow --before 01AAAAAAAAAAAAAAAAAAAAAAAA
last=$(sqlite3 "$store" 'select max(seq) from events')
touch lines failed
ikm events query --follow --lines >lines & pids=$!
ikm events query --follow -n 1 --path "$PWD/garden/p" >text & pids="$pids $!"
ikm events query --follow --lines --status failed >failed & pids="$pids $!"
# They are there when they print a first event.
for try in $(seq 100); do
	event "$store" write "$PWD/garden/p" text f >out
	[ ! -s lines ] || [ ! -s text ] || [ ! -s failed ] || break
	sleep 0.1
done
(for n in 1 2 3 4 5; do event "$store" write "$PWD/garden/p" text wc; done >ids
	IKM_AGENT_ID=late event "$store" write "$PWD/garden/q" text w >>ids) & writer=$!
log '{type: "observation", rationale: "seen meanwhile"}' >out
wait $writer
event "$store" many "$PWD/garden/p" text 60 >out
event "$store" write "$PWD/garden/end" text f >end
for try in $(seq 100); do
	grep -q "$(cat end).*failed" lines && grep -q "$(cat end)" failed && [ "$(grep -c . text)" -gt 190 ] && break
	sleep 0.1
done
for pid in $pids; do kill "$pid"; done
# Each row of the record once, in its order.
from=$(head -1 lines | jq .step.seq)
[ "$from" -gt "$last" ]
sqlite3 "$store" "select seq || ' ' || event_id || ' ' || step from events where seq >= $from
	and seq <= (select max(seq) from events where event_id = '$(cat end)')" >want
least 200 want
jq -r '"\(.step.seq) \(.event_id) \(.step.step)"' lines | diff want -
same '["pending","written","committed"]' "$(grep "$(head -1 ids)" lines | jq -c .status | jq -cs .)"
jq -se 'map(select(.step.step == "written").step.chain_hash) | length > 50 and all(startswith("hmac:"))' lines >out
# One line each, with the time and the state of the step.
grep "^$(head -1 ids)  .* written    replace_section $PWD/garden/p  " text >out
not grep -q garden/q text
same '"failed"' "$(jq -c .step.step failed | sort -u)"
E

done_testing
