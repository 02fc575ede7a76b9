#!/bin/sh
# Changes of memories are events: what happened is told, can be undone, and has no content.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
store=$HOME/.ikigai/ikm.db
call() { printf '%s' "$2" | ikm call "$1"; }
fresh() { rm -rf "$HOME/.ikigai"; [ -z "${1-}" ] || ikm init >/dev/null; }
ops() { ikm mem history "$1" --json | jq -c '[.history[].op]'; }
last() { ikm mem history "$1" --json | jq -r '.history[-1].event'; }
state() { ikm mem show "$1" --json | jq -c '.memory | del(.updatedAt)'; }

long 'a history tells each change, by whom, and with which tool' <<'E'
fresh init
call memory_add '{"content":"The port is 8081","tags":["a"]}' >out
id=$(jq -r .memoryId out)
same "$(jq -r .event out)" "$(ikm mem history "$id" --json | jq -r '.history[0].event')"
ikm --agent bo mem edit "$id" -t b --importance 0.9 >/dev/null
call memory_add '{"content":"The port is 8081","tags":["c"]}' >/dev/null
new=$(ikm mem add 'The port is 9090' --supersedes "$id" --json | jq -r .memoryId)
ikm mem delete "$new" >/dev/null
ikm mem restore "$new" >/dev/null
same '[["add","default","memory_add",null,null],["edit","bo","mem edit",["tags","importance"],{"tags":["a"],"importance":0.5}],
	["merge","default","memory_add",["tags"],{"tags":["a","b"]}],["supersede","default","mem add",null,null],
	["revive","default","mem delete",null,null],["supersede","default","mem restore",null,null]]' \
	"$(ikm mem history "$id" --json | jq -c '[.history[] | [.op, .agentId, .tool, .changed, .before]]' |
	sed 's/,\["merge/,\n\t["merge/; s/,\["revive/,\n\t["revive/')"
same '["add","delete","restore"]' "$(ops "$new")"
same "$id" "$(ikm mem history "$new" --json | jq -r '.history[0].supersedes')"
ikm events verify >out
grep -q '^integrity *intact$' out
E

long 'an undo takes back each change, and an undo of it does it again' <<'E'
fresh init
id=$(ikm mem add 'Tea at five' -t x)
one=$(state "$id")
ikm mem edit "$id" -t y --untag x --metadata '{"k":1}' --expires 2999-01-01 --redaction sensitive >/dev/null
edit=$(last "$id") two=$(state "$id")
ikm events undo "$edit" >out
grep -q "^undid edit of $id by default" out
same "$one" "$(state "$id")"
ikm events undo "$(last "$id")" >/dev/null
same "$two" "$(state "$id")"
fails_for UNDONE_ALREADY ikm events undo "$(ikm mem history "$id" --json | jq -r '.history[2].event')" 2>err
ikm mem delete "$id" >/dev/null
fails_for CHANGED_SINCE ikm events undo "$edit" 2>err
grep -q "ikm mem history $id" err
ikm events undo "$(last "$id")" >/dev/null
same "$two" "$(state "$id")"
same 1 "$(ikm mem search tea --json | jq '.results | length')"
E

long 'the undo of an addition deletes it, and what it superseded holds again' <<'E'
fresh
old=$(ikm mem add 'at nine')
ikm mem add 'at ten' --supersedes "$old" --json >out
fails_for BAD_ARGUMENT ikm events undo "$(last "$old")" 2>err
grep -q "follows from a change of the memory '$(jq -r .memoryId out)'" err
ikm events undo "$(jq -r .event out)" --json >undone
same "[true,\"$(jq -r .memoryId out)\"]" "$(jq -c '[.changed, .memoryId]' undone)"
same '["at nine"]' "$(ikm mem list --json | jq -c '[.memories[] | select(.state == "active") | .content]')"
ikm events undo "$(jq -r .event undone)" >/dev/null
same '["at ten"]' "$(ikm mem list --json | jq -c '[.memories[] | select(.state == "active") | .content]')"
E

try 'a memory that is restored stands again between the two that it stood between' <<'E'
fresh
by() { ikm mem show "$1" --json | jq -r .memory.supersededBy; }
old=$(ikm mem add 'at eight')
new=$(ikm mem add 'at nine' --supersedes "$old")
last=$(ikm mem add 'at ten' --supersedes "$new")
ikm mem delete "$new" >/dev/null
same "$last" "$(by "$old")"
ikm mem restore "$new" >/dev/null
same "$new $last" "$(by "$old") $(by "$new")"
E

try "a tool undoes its agent's changes only, and sees its own layers" <<'E'
fresh
export IKM_SESSION=s
id=$(echo '{"content":"mine","layer":"agent"}' | ikm --agent a call memory_add | jq -r .memoryId)
event=$(ikm --agent a mem history "$id" --json | jq -r '.history[0].event')
git init -q r
cd r
fails_for NOT_ALLOWED ikm --agent b call events_undo >out <<J
{"eventId":"$event"}
J
fails_for NO_SUCH_MEMORY ikm --agent b mem history "$id" 2>err
# a person may, without saying whose it is
ikm events undo "$event" >/dev/null
same 0 "$(ikm --agent a mem list --json | jq '.memories | length')"
# the record names the agent only, and agents of other users may have the same name
printf '{"eventId":"%s"}' "$event" >ask
fails_for NO_SUCH_MEMORY ikm --agent a --user eve call events_undo <ask >out
fails_for UNDONE_ALREADY ikm --agent a call events_undo <ask >out
cd ..
E

try 'no content, tag or metadata is in the record; a purge leaves hashes that nobody can guess' <<'E'
fresh init
id=$(ikm mem add 'The PIN is kumquat' -t sesame --metadata '{"hush":"quiet"}' --redaction sensitive)
ikm mem edit "$id" --untag sesame --metadata '{"hush":null}' >/dev/null
sqlite3 "$store" 'select * from events' >rows
least 3 rows
not grep -q 'kumquat\|sesame\|hush\|quiet' rows
ikm mem add 'Another memory, with a salt of its own' >/dev/null
same '2 2 32' "$(sqlite3 -separator ' ' "$store" 'select count(*), count(distinct salt), min(length(salt)) from memory_salts')"
ikm mem delete "$id" >/dev/null
ikm mem purge >/dev/null
not grep -q 'kumquat\|sesame\|hush' "$store" "$store-wal"
same 1 "$(sqlite3 "$store" 'select count(*) from memory_salts')"
ikm mem history "$id" >out 2>err
same 3 "$(wc -l <out)"
grep -q 'was purged' err
fails_for NO_SUCH_MEMORY ikm events undo "$(last "$id")" 2>err
ikm events verify >out
grep -q '^integrity *intact$' out
E

try 'a purge ends the undo of edits too, for an edit may have removed a secret' <<'E'
fresh
id=$(ikm mem add 'stays' --metadata '{"hush":"quiet"}')
ikm mem edit "$id" --metadata '{"hush":null}' >/dev/null
same 'quiet' "$(ikm mem history "$id" --json | jq -r '.history[1].before.metadata.hush')"
ikm mem purge >/dev/null
not grep -q quiet "$store" "$store-wal"
fails_for NO_FORMER ikm events undo "$(last "$id")" 2>err
same null "$(ikm mem history "$id" --json | jq '.history[1].before')"
E

more 'without a record the row tells what it knows' <<'E'
fresh
id=$(ikm -c undo.days=0 mem add 'quiet one')
new=$(ikm -c undo.days=0 mem add 'loud one' --supersedes "$id")
ikm -c undo.days=0 mem delete "$new" >/dev/null
same 0 "$(sqlite3 "$store" 'select count(*) from events')"
same '["add"]' "$(ops "$id")"
same '["add","delete"]' "$(ops "$new")"
same '[null,null]' "$(ikm mem history "$new" --json | jq -c '[.history[].event]')"
echo '{"content":"imported"}' | ikm mem import >/dev/null
same '["import"]' "$(ops "$(ikm mem list -n 1 --json | jq -r '.memories[0].memoryId')")"
E

more 'what a tool ingests is recorded, and a change that fails is not' <<'E'
fresh
echo '{"request_id":"r","tool_id":"wine","memory_writes":[{"content":"Ada liked it","type":"observation"}]}' |
	ikm call memory_ingest >out
same '["memory_ingest"]' "$(ikm mem history "$(jq -r '.memory_ids[0]' out)" --json | jq -c '[.history[].tool]')"
id=$(ikm mem add 'a fact')
before=$(sqlite3 "$store" 'select count(*) from events')
fails_for NO_SUCH_MEMORY ikm mem delete "$id" mem_01234567 2>err
fails_for OUT_OF_RANGE ikm mem edit "$id" --importance 2 2>err
same "$before" "$(sqlite3 "$store" 'select count(*) from events')"
E

done_testing
