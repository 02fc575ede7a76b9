#!/bin/sh
# Idempotency: a repeated call is done once, also by two processes at once, and after a kill.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
store=$HOME/.ikigai/ikm.db
IKM_USER=ada
export PATH store IKM_USER
git init -q .
event "$store" init >out
echo one >A
echo two >B
: >part
replay() { event "$store" replay "${2-}" "$PWD/part" "$1"; }
last_step() { sqlite3 "$store" "select step from events where event_id = '$1' order by number desc limit 1"; }
count() { sqlite3 "$store" "select count(*) from events where number = 0 and type = 'profile_update'"; }

try 'a repeat is replayed, with or without a key; with the stored answer' <<'E'
first=$(replay A | sed 's/done //')
same "replayed $first {\"done\":true}" "$(replay A)"
same 1 "$(count)"
second=$(replay B key | sed 's/done //')
same "replayed $second {\"done\":true}" "$(replay B key)"
same key "$(sqlite3 "$store" "select idempotency_key from events where event_id = '$second'")"
sqlite3 "$store" "select idempotency_key from events where event_id = '$first'" | grep -q '^sha256:'
same 2 "$(count)"
E

try 'A, B, A again writes A' <<'E'
cp B part
replay A | grep -q ^done
same one "$(cat part)"
replay B | grep -q ^done
replay A | grep -q ^done
same one "$(cat part)"
E

try 'a key of the caller names one call, whatever the file has now' <<'E'
rows=$(count)
replay B key | grep -q ^replayed
same one "$(cat part)"
fails 1 replay A key >out
grep -q '^CONFLICT KEY_REUSED' out
same "$rows" "$(count)"
E

try 'the same key with another payload: a conflict after a success only' <<'E'
replay B once | grep -q ^done
rows=$(count)
fails 1 replay A once >out
grep -q '^CONFLICT KEY_REUSED' out
same "$rows" "$(count)"
FAIL=1 replay A refused | grep -q failed
same 0 "$(sqlite3 "$store" "select count(*) from idempotency_records where event_id =
	(select event_id from events where idempotency_key = 'refused')")"
replay B refused | grep -q ^done
E

try 'after 48 hours a call is new' <<'E'
replay A aged | grep -q ^done
IKM_NOW=$(date -u -d '+47 hours' +%FT%TZ) replay A aged | grep -q ^replayed
IKM_NOW=$(date -u -d '+49 hours' +%FT%TZ) replay B aged | grep -q ^done
same 1 "$(sqlite3 "$store" "select count(*) from idempotency_records")"
E

try 'two at once: one does it, the other waits for its outcome' <<'E'
rows=$(count)
for n in 1 2 3; do
	PAUSE=300 replay A "both" >said$n & done
wait
same 1 "$(cat said1 said2 said3 | grep -c ^done)"
same 2 "$(cat said1 said2 said3 | grep -c ^replayed)"
same $((rows + 1)) "$(count)"
same 1 "$(sed 's/^[a-z]* //; s/ .*//' said1 said2 said3 | sort -u | wc -l)"
E

try 'a writer that died is settled first: it was done, or it was not' <<'E'
rows=$(count)
not env DIE=1 event "$store" replay dead "$PWD/part" B
id=$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')
same pending "$(last_step "$id")"
same "settled
replayed $id " "$(replay B dead)"
same committed "$(last_step "$id")"
not env DIE=1 event "$store" replay gone "$PWD/part" A
echo before >part
event "$store" replay gone "$PWD/part" A >out
grep -q settled out
grep -q ^done out
same $((rows + 3)) "$(count)"
ikm events verify >out
E

try 'records are of the user, and hold no content' <<'E'
sqlite3 "$store" 'select * from idempotency_records' >records
least 3 records
not grep -qw 'one\|two' records
[ "$(stat -c %a "$HOME/.ikigai/locks")" = 700 ]
ikm doctor --json | jq -e .healthy >out
E

done_testing
