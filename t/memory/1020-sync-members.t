#!/bin/sh
# What a person made private, erased or corrected stays so on every machine, whatever the other machines
# changed meanwhile; changes of different members of one memory are no conflict.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob
for m in ada bob; do member $m --layer project; done
# One member of a memory on each of some machines; nothing where it is not there.
each() { # MEMBER ID MACHINE…
	what=$1 id=$2 && shift 2
	for m in "$@"; do at "$m" "select $what from memories where id = '$id'"; done | paste -sd' '
}
no_bases() { for m in "$@"; do same 0 "$(at "$m" 'select count(*) from sync_bases')"; done; }

long 'a memory that became sensitive stays so, though another machine changes it' <<'E'
id=$(add a1 'The door pin is 9922')
sync a1 a2 b1
on a1 mem edit "$id" --redaction sensitive >/dev/null
sync a1 b1
same '' "$(each content "$id" b1)"
same '' "$(at b1 "select memory from deleted_memories where id = '$id'")"
on a2 mem edit "$id" --tag door >/dev/null
sync a2 a1 b1 a2
same 'sensitive sensitive' "$(each redaction "$id" a1 a2)"
same '["door"]' "$(each tags "$id" a2)"
same '' "$(each content "$id" b1)"
same 'withdrawn ' "$(pg_sql admin "select gone || ' ' || coalesce(memory::text, '') from ikm.memories where id = '$id'")"
jq -e '.remote.conflicts == 0' "$T/w/synced.a2"
# Only a person lowers it, on any of the machines.
echo "{\"memoryId\":\"$id\",\"redaction\":\"internal\"}" | fails 7 on a2 call memory_edit >/dev/null
on a2 mem edit "$id" --redaction internal >/dev/null
sync a2 a1 b1
same 'internal internal internal' "$(each redaction "$id" a1 a2 b1)"
same '["door"] ["door"] ["door"]' "$(each tags "$id" a1 a2 b1)"
no_bases a1 a2 b1
E

long 'the same while it lies deleted on another machine' <<'E'
id=$(add a1 'The alarm code is 4711')
sync a1 a2
on a1 mem edit "$id" --redaction sensitive >/dev/null
on a2 mem delete "$id" >/dev/null
sync a1 a2
on a2 mem restore "$id" >/dev/null
same sensitive "$(each redaction "$id" a2)"
sync a2
same 0 "$(pg_sql admin "select count(*) from ikm.memories where id = '$id' and memory is not null")"
E

long 'each member keeps what its machine made of it' <<'E'
one=$(add a1 'The host is alpha') two=$(add a1 'The moon is made of cheese') three=$(add a1 'The offer ends') four=$(add a1 'My own thought') five=$(add a1 'All at once')
on a1 mem edit "$five" --tag old --tag gone >/dev/null
sync a1 a2
on a1 mem add 'The host is beta' --layer project --supersedes "$one" >/dev/null
on a1 mem mark "$two" rejected >/dev/null
on a1 mem edit "$three" --expires 2099-01-01 >/dev/null
on a1 mem edit "$four" --layer user >/dev/null
on a1 mem edit "$five" --untag gone --tag a1 --source here >/dev/null
sync a1
for id in $one $two $three $four; do on a2 mem edit "$id" --importance 0.9 >/dev/null; done
on a2 mem edit "$five" --untag old --tag a2 --confidence 0.3 >/dev/null
sync a2 a1 a2
same 'superseded superseded' "$(each state "$one" a1 a2)"
same '0.9 0.9' "$(each importance "$one" a1 a2)"
same '1 1' "$(each rejected "$two" a1 a2)"
same '4070908800000 4070908800000' "$(each expires_at "$three" a1 a2)"
same sensitive "$(each redaction "$four" a2)"
same 0 "$(pg_sql admin "select count(*) from ikm.memories where id = '$four' and memory is not null")"
same '["a1","a2"] ["a1","a2"]' "$(each tags "$five" a1 a2)"
same 'here here' "$(each source "$five" a1 a2)"
same '0.3 0.3' "$(each confidence "$five" a1 a2)"
for m in a1 a2; do on $m sync conflicts --json | jq -e '.conflicts == []'; done
sync a1 a2
for m in a1 a2; do same '0 0 0 0 0 0' "$(counts $m)"; done
no_bases a1 a2
E

long 'what was purged returns from no machine, and is erased on all' <<'E'
id=$(add a1 'The pin of Eve is seventy-seven')
two=$(add a1 'The pin of Dan is seventy-eight')
sync a1 a2 b1
on a1 mem delete "$id" "$two" >/dev/null
sync a1 b1
on b1 mem list --deleted --json | jq -e '.memories | length >= 2'
on a1 mem purge >/dev/null
sync a1
on a2 mem edit "$id" --tag t >/dev/null
sync a2 b1 a1
for m in a1 a2 b1; do
	same 0 "$(at $m "select count(*) from memories where id in ('$id', '$two')")"
	same 0 "$(at $m "select count(*) from deleted_memories where id in ('$id', '$two') and memory is not null")"
	fails_for NO_SUCH_MEMORY on $m mem restore "$id" 2>/dev/null
	fails_for NO_SUCH_MEMORY on $m mem restore "$two" 2>/dev/null
done
jq -e '.remote.erased == 2' "$T/w/synced.b1"
# Not in the file, and not in its log.
for m in a2 b1; do
	for f in "$T/w/$m/ikm.db" "$T/w/$m/ikm.db-wal"; do [ ! -e "$f" ] || not grep -aq 'seventy-seven' "$f"; done
	same 0 "$(at $m "select value from meta where key = 'sync erasing'")"
done
same 'purged purged' "$(pg_sql admin "select gone from ikm.memories where id in ('$id', '$two')" | paste -sd' ')"
sync a1 a2 b1
for m in a1 a2 b1; do same '0 0 0 0 0 0' "$(counts $m)"; done
E

long 'what was made private, and deleted before the next sync, is shared again by no later change' <<'E'
id=$(add a1 'The pin of Ugo is sixty-one') two=$(add a1 'The pin of Edo is sixty-two')
sync a1 a2 b1
on a1 mem edit "$id" --layer user >/dev/null && on a1 mem edit "$two" --redaction sensitive >/dev/null
on a1 mem delete "$id" "$two" >/dev/null
on a2 mem edit "$id" --tag late >/dev/null && on a2 mem edit "$two" --tag late >/dev/null
sync a1 a2 b1 a2 a1
same 'withdrawn withdrawn' "$(pg_sql admin "select gone from ikm.memories where id in ('$id', '$two')" | paste -sd' ')"
same 0 "$(at b1 "select count(*) from memories where id in ('$id', '$two')")"
same 'sensitive sensitive' "$(at a2 "select redaction from memories where id in ('$id', '$two')" | paste -sd' ')"
E

try 'a purge wins over a change of a machine that had not heard of the deletion, too' <<'E'
id=$(add a1 'The pin of Una is fifty-five')
sync a1 a2 a3
on a1 mem delete "$id" >/dev/null
sync a1 a2
on a3 mem edit "$id" --tag late >/dev/null
on a2 mem purge >/dev/null
sync a3 a2 a3 a1
for m in a1 a2 a3; do same "$m 0" "$m $(at $m "select count(*) from memories where id = '$id'")"; done
same purged "$(pg_sql admin "select gone from ikm.memories where id = '$id'")"
E

long 'the status shows the machines of the owner by name, and when each had read and erased all' <<'E'
sync a1 a2 a1
on a1 sync status --json >status || [ $? = 1 ]
same "$(uname -n)" "$(jq -r '.remote.machines[].name' status | sort -u)"
same "$(for m in a1 a2 a3; do at $m "select value from meta where key = 'machine'"; done | sort)" "$(jq -r '.remote.machines[].machine' status | sort)"
jq -e '[.remote.machines[] | select(.here)] | length == 1' status
jq -e '.remote | .lastSyncAt == (.machines[] | select(.here) | .lastSyncAt)' status
jq -e 'all(.remote.machines[]; .lastSyncAt > "2026")' status
on b1 sync status --json >status || [ $? = 1 ]
jq -e '.remote.machines | length == 1' status
on a1 sync status >out 2>err || [ $? = 1 ]
same 1 "$(grep -c "^$(uname -n)  *last exchange .* here\$" out)"
grep -q 'no sync reaches backups and exports' err
# An older ikm, and one whose time is over: a machine that only reads is known, too.
rm -rf "$T/w/a5" && sync a5 a1
on a1 sync status --json | jq -e '.remote.machines | length == 4' >out
E

more 'while somebody reads, the erasure waits, and the status says so' <<'E'
id=$(add a1 'The pin of Ivy is ninety-nine')
sync a1 b1
on a1 mem delete "$id" >/dev/null && on a1 mem purge >/dev/null
mkfifo hold
sqlite3 "$T/w/b1/ikm.db" <hold >reads &
reader=$!
exec 8>hold
echo 'begin; select count(*) from memories;' >&8
until [ -s reads ]; do :; done
seen() { pg_sql admin "select synced_at from ikm.machines where owner = 'bob'"; }
seen >before
sync a1 b1
seen | diff before -
on b1 sync status --json >status || [ $? = 1 ]
jq -e '.remote.erasing' status
exec 8>&-
wait $reader
sync b1
on b1 sync status --json >status || [ $? = 1 ]
jq -e '.remote.erasing == false' status
not diff before - <<S
$(seen)
S
for f in "$T/w/b1/ikm.db" "$T/w/b1/ikm.db-wal"; do [ ! -e "$f" ] || not grep -aq 'ninety-nine' "$f"; done
E
long 'of one member the later value holds, and the lost one can be had back' <<'E'
id=$(add a1 'The kettle is slow')
on a1 mem edit "$id" --metadata '{"k": 1, "n": 1}' >/dev/null
sync a1 a2
on a1 mem edit "$id" --importance 0.2 --confidence 0.8 --tag mine --source first --metadata '{"k": 2}' >/dev/null
on a2 mem edit "$id" --importance 0.4 --source second --metadata '{"k": 3, "m": 3, "n": null}' >/dev/null
sync a1 a2
on a2 sync conflicts --json >conflicts
jq -e '.conflicts | length == 1 and (.[0].members[] | select(.member == "importance")) == {"member": "importance", "lost": 0.2, "kept": 0.4} and ([.[0].members[].member] | sort) == ["importance", "metadata", "source"]' conflicts
on a2 sync conflicts 2>err | grep -q 'importance: 0.2 was lost, 0.4 holds'
grep -q 'ikm sync conflicts [0-9]* --take' err
fails_for MISSING_PARAMETER on a2 sync conflicts --take
n=$(jq '.conflicts[0].number' conflicts)
on a2 sync conflicts "$n" --take >/dev/null
same '0.2 0.8 first ["mine"]' "$(at a2 "select importance || ' ' || confidence || ' ' || source || ' ' || tags from memories where id = '$id'")"
same '{"k":2,"n":1}' "$(at a2 "select json(metadata) from memories where id = '$id'")"
on a2 sync conflicts --json | jq -e '.conflicts == []'
on a2 events query -n 1 --json | jq -e '.rows[0].op == "edit"'
sync a2 a1
same '0.2 0.2' "$(each importance "$id" a1 a2)"
same 'first first' "$(each source "$id" a1 a2)"
E
done_testing
