#!/bin/sh
# What goes wrong between a machine and the server: nothing is lost, and nothing doubled.
. "$(dirname "$0")/../lib.sh"
long_all
. "$TOP/t/sync.sh"

sync_up ada bob
member ada --layer project
member bob --layer project
lines() { awk -v n="$1" -v w="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"content\":\"%s %d\",\"layer\":\"project\",\"kind\":\"episodic\"}\n", w, i }'; }

try 'five machines work apart and sync in any order: equal rows, and no change left' <<'E'
seed=7
next() { seed=$(((seed * 1103515245 + 12345) % 2147483648)); n=$((seed / 65536 % $1)); }
for step in $(seq 24); do
	next 5; m=a$((n + 1))
	next 4
	one=$(at $m 'select id from memories order by substr(id, 20) limit 1' 2>/dev/null || :)
	case $n in
	0 | 1) add $m "fact $((step % 7)) of the sea" >/dev/null ;;
	2) [ -z "$one" ] || on $m mem edit "$one" --tag "t$step" >/dev/null ;;
	3) [ -z "$one" ] || on $m mem delete "$one" >/dev/null ;;
	esac
	next 3
	[ $n != 0 ] || sync $m
done
for round in 1 2; do sync a3 a1 a5 a2 a4; done
sync a1 a2 a3 a4 a5
equal a1 a2 a3 a4 a5
[ "$(wc -l <one)" -gt 2 ]
sync a1 a2 a3 a4 a5
for m in a1 a2 a3 a4 a5; do same '0 0 0 0 0 0' "$(counts $m)"; done
same "$(at a1 'select count(*) from memories')" "$(pg_sql admin "select count(*) from ikm.memories where memory is not null")"
E

more 'killed at each step: the next sync completes it' <<'E'
lines 20 killed >l && on a1 mem import l >/dev/null
for side in a1 a2; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 30 ] || exit 1
		(IKM_FAULT=-$n; export IKM_FAULT; on $side sync now --only remote >out 2>&1) && break
		same ok "$(at $side 'pragma integrity_check')"
	done
	[ $n -gt 2 ]
done
equal a1 a2
sync a1 a2
same '0 0 0 0 0 0' "$(counts a1)"
same '0 0 0 0 0 0' "$(counts a2)"
E

more 'a failure at each step: an error, no crash, and the next sync completes it' <<'E'
# More rows than the first batch of a pull: the server works on the next one when this one fails.
lines 600 failed >l && on a1 mem import l >/dev/null
for side in a1 a2; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 40 ] || exit 1
		rc=0
		(IKM_FAULT=$n; export IKM_FAULT; on $side sync now --only remote --json >out 2>err) || rc=$?
		[ $rc != 0 ] || break
		[ $rc -lt 128 ] || { cat err; exit 1; }
		jq -e .details.reason out >/dev/null
		same ok "$(at $side 'pragma integrity_check')"
	done
	[ $n -gt 2 ]
done
equal a1 a2
same 600 "$(at a2 "select count(*) from memories where content like 'failed%'")"
sync a1 a2
same '0 0 0 0 0 0' "$(counts a1)"
same '0 0 0 0 0 0' "$(counts a2)"
E

# A trigger that the server runs in each batch of memories; hits counts its runs, also undone ones.
in_batch() { # BODY
	pg_sql admin "drop trigger if exists in_batch on ikm.memories; drop sequence if exists hits; create sequence hits;
		create or replace function in_batch() returns trigger language plpgsql security definer as '$1 return null; end';
		create trigger in_batch after insert on ikm.memories for each statement execute function in_batch()" 2>/dev/null
}
hits() { pg_sql admin 'select last_value from hits'; }
kill_it="perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1);"

more 'the server ends the connection in a batch: ikm connects again, and sends the batch again' <<'E'
lines 9000 cut >l && on a1 mem import l >/dev/null
in_batch "begin if nextval(''public.hits'') = 2 then $kill_it end if;"
on a1 sync now --only remote --json --progress >out
jq -es '.[-1].remote | .reconnected == 1 and .pushed == 9000 and .waiting == 0' out
jq -es 'map(.progress // empty) | any(.phase == "reconnect" and .done == 1)' out
pg_sql admin 'drop trigger in_batch on ikm.memories'
same 9000 "$(pg_sql admin "select count(*) from ikm.memories where memory ->> 'content' like 'cut%'")"
sync a2
same "9000|9000" "$(at a2 "select count(*), count(distinct content) from memories where content like 'cut%'")"
equal a1 a2
on a1 sync status --json >status || [ $? = 1 ]
jq -e '.remote | .failedAt == null and .pending == 0' status
E

more 'it ends each connection: four tries, and a status; the changes wait' <<'E'
add a1 'waits for a better server' >/dev/null
in_batch "begin perform nextval(''public.hits''); $kill_it"
on a1 sync now --only remote --json >out 2>err || [ $? = 8 ]
jq -e '.details.reason == "SERVER_DOWN" and .retryable and (.help.steps | any(contains("made again, 3 times")))' out
same 4 "$(hits)"
on a1 sync status --json >status || [ $? = 1 ]
jq -e '.remote | .reason == "SERVER_DOWN" and .pending > 0' status
E

more 'an error that stays is not tried again' <<'E'
in_batch "begin perform nextval(''public.hits''); raise insufficient_privilege;"
fails_for NOT_ALLOWED on a1 sync now --only remote
same 1 "$(hits)"
pg_sql admin 'drop trigger in_batch on ikm.memories'
pg_down fast
fails_for SERVER_DOWN on a1 sync now --only remote
pg_start
sync a1 a2
equal a1 a2
E

more 'a server that is killed in a batch, and is there again after a while' <<'E'
lines 5000 killed-server >l && on a1 mem import l >/dev/null
in_batch "begin perform nextval(''public.hits''); perform pg_sleep(1);"
on a1 sync now --only remote --json >out & job=$!
for i in $(seq 200); do
	[ -z "$(pg_sql admin "select 1 from pg_stat_activity where query like 'insert into ikm.memories%' and usename = 'ada'")" ] || break
	sleep 0.02
done
pg_down immediate
sleep 0.5
pg_start
wait $job
jq -e '.remote | .reconnected >= 1 and .pushed == 5000' out
pg_sql admin 'drop trigger in_batch on ikm.memories'
sync a2
equal a1 a2
E

more 'batches are bounded in bytes, in both directions' <<'E'
awk 'BEGIN { for (k = 0; k < 800; k++) pad = pad " word" k % 97; for (i = 1; i <= 3000; i++) printf "{\"content\":\"large %d%s\",\"layer\":\"project\",\"kind\":\"episodic\"}\n", i, pad }' >l
on a1 mem import l >/dev/null
batches() { # MACHINE PHASE: how many, and the largest
	on "$1" sync now --only remote --json --progress >steps
	# Each step says how many there are at most.
	jq -es 'map(.progress // empty) | all(.[]; .phase == "assets" or .done <= .all)' steps >&2
	jq -s --arg phase "$2" -r 'map(.progress // empty | select(.phase == $phase).done) | [length, ([., [0] + .[:-1]] | transpose | map(.[0] - .[1]) | max)] | join(" ")' steps
}
# 5 KB each: a push has 4 MiB in a batch, a pull 8.
batches a1 push >pushed
batches a2 pull >pulled
read n most <pushed; [ "$n" -ge 3 ] && [ "$most" -le 1000 ] || { cat pushed; exit 1; }
read n most <pulled; [ "$n" -ge 4 ] && [ "$most" -le 1800 ] || { cat pulled; exit 1; }
# A batch may have thousands of small rows; then come 120 of 250 KB.
{ lines 3000 small
	awk 'BEGIN { for (k = 0; k < 50000; k++) pad = pad " w" k % 997; for (i = 1; i <= 120; i++) printf "{\"content\":\"huge %d%s\",\"layer\":\"project\",\"kind\":\"episodic\"}\n", i, pad }'; } >l
on a1 mem import l >/dev/null
sync a1
batches a2 pull >pulled
read n most <pulled; [ "$n" -ge 6 ] || { cat pulled; exit 1; }
equal a1 a2
E

more 'a transaction that is held open while others commit: no row is skipped' <<'E'
mkfifo hold
"$pg_bin/psql" -X -q -U bob -v ON_ERROR_STOP=1 <hold >/dev/null & job=$!
exec 9>hold
echo "begin; update ikm.tenants set last = last + 1 where tenant = 'acme';
insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) select 'acme', 'mem_01H00000000000000000000001', last, 1, 'm', 'project', '[\"p\"]', '{\"memoryId\": \"mem_01H00000000000000000000001\", \"content\": \"held open\", \"layer\": \"project\"}' from ikm.tenants;" >&9
sleep 0.2
add a1 'pushed meanwhile' >/dev/null
on a1 sync now --only remote --json >out 2>&1 & pushing=$!
sync a2
echo 'commit;' >&9
exec 9>&-
wait $job
wait $pushing
sync a2
same 2 "$(at a2 "select count(*) from memories where content in ('held open', 'pushed meanwhile')")"
E

more 'syncs of one home at once, while it changes: they wait for each other' <<'E'
name=$(at a1 "select value from meta where key = 'machine'")
for i in 1 2 3 4 5 6; do
	(add a1 "at once $i" >/dev/null; on a1 sync now --only remote --json >"once.$i" 2>"err.$i") &
	(on a2 sync now --only remote --json >"twice.$i" 2>"err2.$i") &
done
wait
for i in 1 2 3 4 5 6; do
	for f in once.$i twice.$i; do jq -e '.success and (.remote | .restarted or .renamed | not)' $f >/dev/null || { cat $f; exit 1; }; done
done
same "$name" "$(at a1 "select value from meta where key = 'machine'")"
sync a1 a2
for m in a1 a2; do at $m "select id, content, updated_at from memories where content like 'at once%' order by id" >rows.$m; done
cmp rows.a1 rows.a2
same 6 "$(wc -l <rows.a2)"
# One that takes too long for the others is named.
mkdir -p "$T/w/a1/locks/sync"
flock "$T/w/a1/locks/sync" sleep 5 & job=$!
sleep 0.3
fails_for LOCKED on a1 -c sync.timeout=100 sync now --only remote 2>err
grep -q 'another sync of this home' err
kill $job
# A folder that cannot be locked is no other sync.
chmod 0 "$T/w/a1/locks/sync"
fails_for PERMISSION on a1 sync now --only remote 2>err
chmod 700 "$T/w/a1/locks/sync"
grep -q "locks/sync" err
not grep -q 'another sync of this home' err
E

more 'clocks: back by a day, and over a day ahead' <<'E'
id=$(add a1 'what the clocks do') && sync a1 a2
now=$(date +%s)
day() { date -u -d "@$((now + $1 * 3600))" +%Y-%m-%dT%H:%M:%SZ; }
(IKM_NOW=$(day -20); export IKM_NOW; on a1 mem edit "$id" --tag back >/dev/null; sync a1)
sync a2
same '["back"]' "$(at a2 "select tags from memories where id = '$id'")"
(IKM_NOW=$(day -30); export IKM_NOW; on a1 mem edit "$id" --tag twice >/dev/null; fails_for OUT_OF_RANGE on a1 sync now --only remote) 2>err || :
(IKM_NOW=$(day 40); export IKM_NOW; on a2 mem edit "$id" --tag ahead >/dev/null; on a2 mem add 'in time' --layer project >/dev/null)
sync a2
jq -e '.remote.waiting == 2' "$T/w/synced.a2"
on a2 sync status --json >status || [ $? = 1 ]
jq -e '.remote.waiting | length == 2 and all(.reason == "OUT_OF_RANGE")' status
not pg_sql ada "update ikm.memories set clock = ($now::bigint + 100000) * 1000 * 65536 where id = '$id'" 2>err
grep -q 'over a day ahead' err
E

more 'SQL, NUL, and what the server does not take: each text arrives as it is, or is refused by name' <<'E'
sql="'; drop table ikm.memories; -- \\. \\N \$1 %s"
tab=$(printf 'a\tb\\\\nc\\')
on a3 mem add "$sql" --layer project --tag "$sql" --type "$sql" --source "$sql" --metadata '{"b":1.50,"a":"\\\"\\n"}' --json >out
on a3 mem add "$tab" --layer project >/dev/null
printf '{"content":"a\\u0000b","layer":"project"}\n{"content":"fine","layer":"project"}\n' >l
on a3 mem import l >/dev/null 2>err || :
nul=$(at a3 "select count(*) from memories where instr(content, char(0))")
sync a3 a2
same "$nul" "$(jq .remote.waiting "$T/w/synced.a3")"
same 1 "$(at a2 "select count(*) from memories where content = 'fine'")"
id=$(jq -r .memoryId out)
same "$(at a3 "select layer, m.* from memories m join scopes s using (scope) where id = '$id'" | cut -d'|' -f1,3,5-28)" "$(at a2 "select layer, m.* from memories m join scopes s using (scope) where id = '$id'" | cut -d'|' -f1,3,5-28)"
same "$(at a3 "select metadata from memories where id = '$id'")" "$(at a2 "select metadata from memories where id = '$id'")"
fails_for BAD_UTF8 on a3 mem add "$(printf 'a\377b')" --layer project
# What another member wrote may be anything: it is refused by name, and the others come.
row() { echo "update ikm.tenants set last = last + 1; insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) select 'acme', '$1', last, 1, 'm', 'project', '$2', '$3' from ikm.tenants;"; }
pg_sql bob "$(row mem_01H00000000000000000000002 '["p"]' '{"memoryId": "mem_01H00000000000000000000002", "content": "x", "layer": "user"}')
$(row mem_01H00000000000000000000003 'no list' '{"memoryId": "mem_01H00000000000000000000003", "content": "x", "layer": "project"}')
$(row mem_01H00000000000000000000004 '["p"]' '[1]')
$(row mem_01H00000000000000000000005 '["p"]' '{"memoryId": "mem_01H00000000000000000000005", "content": "the good one", "layer": "project"}')"
sync a2
same 3 "$(at a2 'select count(*) from sync_waiting where pulled')"
# Each sync tries them again: one that is well now is stored, and one that is gone waits no more.
sync a2
same 2 "$(at a2 'select min(tries) from sync_waiting where pulled')"
pg_sql bob "update ikm.memories set memory = '{\"memoryId\": \"mem_01H00000000000000000000002\", \"content\": \"well again\", \"layer\": \"project\"}' where id = 'mem_01H00000000000000000000002'"
pg_sql admin "delete from ikm.memories where id = 'mem_01H00000000000000000000003'"
sync a2
same mem_01H00000000000000000000004 "$(at a2 'select id from sync_waiting where pulled')"
same 1 "$(at a2 "select count(*) from memories where content = 'well again'")"
same 1 "$(at a2 "select count(*) from memories where content = 'the good one'")"
E

done_testing
