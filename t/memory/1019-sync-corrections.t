#!/bin/sh
# Somebody corrects the memory of another person: on every machine the old memory is superseded, although
# on the server only its owner changes it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob eve
for m in ada bob eve; do member $m --layer project --layer team; done
state() { at "$1" "select state || ' ' || coalesce(superseded_by, '-') || ' ' || (superseded_at is not null) from memories where id = '$2'"; }
first() { on "$1" mem search 'when is standup at nine' --json | jq -r '.results[0].content'; }
# What stays on a machine, and what waits.
quiet() {
	on "$1" sync status --json >told || [ $? = 1 ]
	jq -e '.remote | .pending == 0 and .withheld.otherPeoples == 0 and .conflicts == 0' told
}

long 'a correction of another person supersedes it on the machines of all' <<'E'
old=$(add a1 'Standup is at nine')
sync a1 b1 e1
new=$(on b1 mem add 'Standup is at ten' --layer project --supersedes "$old" --json | jq -r .memoryId)
echo "old=$old new=$new" >ids
sync b1 e1 a1 a2 e2 e1
for m in a1 a2 b1 e1 e2; do
	same "superseded $new 1" "$(state $m "$old")"
	same 'Standup is at ten' "$(first $m)"
	same 1 "$(on $m mem search 'when is standup at nine' --strict --threshold 0 --json | jq '.results | length')"
	on $m doctor >/dev/null
done
sync b1 e2 a2 a1
for m in a1 a2 e1 e2 b1; do quiet $m; done
equal a1 a2 b1 e1 e2
E

more 'a change of the corrected memory by its owner takes the mark from nobody' <<'E'
. ./ids
on a2 mem edit "$old" --tag old >/dev/null
sync a2 e1 b1 a1 e2
for m in a1 a2 b1 e1 e2; do
	same "superseded $new 1" "$(state $m "$old")"
	same '["old"]' "$(at $m "select tags from memories where id = '$old'")"
	quiet $m
done
E

more 'the correction is deleted: the old memory holds again everywhere' <<'E'
. ./ids
on b1 mem delete "$new" >/dev/null
sync b1 e1 a1 a2 e2
for m in a1 a2 b1 e1 e2; do
	same 'active - 0' "$(state $m "$old")"
	same 'Standup is at nine' "$(first $m)"
done
E

more 'a correction of a correction, deletions in between, and a machine that comes later' <<'E'
one=$(add a1 'The build takes an hour')
sync a1 b1 e1
two=$(on b1 mem add 'The build takes a minute' --layer project --supersedes "$one" --json | jq -r .memoryId)
sync b1 e1
three=$(on e1 mem add 'The build takes a second' --layer project --supersedes "$two" --json | jq -r .memoryId)
sync e1 b1 a1
for m in a1 b1 e1; do
	same "superseded $two 1" "$(state $m "$one")"
	same "superseded $three 1" "$(state $m "$two")"
done
on b1 mem delete "$two" >/dev/null
sync b1 a1 e1 e3 a3
for m in a1 b1 e1 e3 a3; do echo $m; same "superseded $three 1" "$(state $m "$one")"; done
E

try 'nobody retires what is one person'"'"'s own' <<'E'
own=$(add a1 'My locker is number four' user)
other=$(add b1 'A memory of the project')
sync b1
# As a program could send it.
pg_sql admin "update ikm.memories set memory = jsonb_set(memory::jsonb, '{supersedes}', to_jsonb('$own'::text))::json where id = '$other'" 2>/dev/null ||
	pg_sql admin "update ikm.memories set memory = jsonb_set(memory, '{supersedes}', to_jsonb('$own'::text)) where id = '$other'"
sync a1
same "$own" "$(at a1 "select supersedes from memories where id = '$other'")"
same 'active - 0' "$(state a1 "$own")"
E
long 'the author of a shared memory is its owner on the server, whatever its text says' <<'E'
forged=$(add b1 'The wiki moves on Friday')
sync b1
pg_sql bob "update ikm.memories set clock = clock + 1, memory = replace(memory::text, '\"userId\":\"bob\"', '\"userId\":\"ada\"')::json where id = '$forged'"
sync a1
on a1 mem show "$forged" --json | jq -e '.memory | .owner == "bob" and .saidBy == "ada" and has("userId") == false'
on a1 mem show "$forged" | grep -q '^owner *bob$'
on a1 mem list | grep -q "^$forged.*(of bob).*wiki"
on a1 mem search 'when does the wiki move' --json | jq -e '.results[0].owner == "bob"'
on a1 mem search 'when does the wiki move' | grep -q '(of bob)'
echo '{"query":"when does the wiki move"}' | on a1 call memory_search | jq -e '.results[0].owner == "bob"'
# An export keeps what the text says.
on a1 mem export | jq -es --arg id "$forged" 'any(.[]; .memoryId == $id and .owner == "bob" and .userId == "ada")'
E

more 'what a colleague rejects is refused with the name, and never in a private layer' <<'E'
wrong=$(add b1 'The printer is on the second floor')
on b1 mem mark "$wrong" rejected >/dev/null
sync b1 a1
same 'conflict 1' "$(at a1 "select state || ' ' || rejected from memories where id = '$wrong'")"
fails_for REJECTED on a1 mem add 'The printer is on the second floor' --layer project 2>err
grep -q 'bob rejected this statement' err
add a1 'The printer is on the second floor' user
E
done_testing
