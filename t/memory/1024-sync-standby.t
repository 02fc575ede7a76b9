#!/bin/sh
# A server with a standby, by streaming replication. The standby is promoted in the middle of the work of
# three machines, and also when it lacks the last rows: nothing is lost.
. "$(dirname "$0")/../lib.sh"
more_all
. "$TOP/t/sync.sh"

sync_up ada bob
for m in ada bob; do member $m --layer project; done
pg_standby
# libpq looks for the server that takes writes, at both ports.
export PGHOST="$PGDIR,$PGDIR" PGPORT=5432,5433 PGTARGETSESSIONATTRS=read-write
facts() { # FROM TO: many memories on a1
	for i in $(seq "$1" "$2"); do echo "{\"content\": \"fact $i of the story\", \"layer\": \"project\"}"; done | on a1 mem import - >/dev/null
}
lag() { "$pg_bin/psql" -X -q -A -t -h "$PGDIR" -p 5432 -d "$PGDATABASE" -U admin -c "select count(*) from pg_stat_replication where state = 'streaming' and replay_lsn = pg_current_wal_lsn()"; }
caught_up() { for i in $(seq 300); do [ "$(lag)" != 1 ] || return 0; sleep 0.1; done; echo 'the standby does not follow'; return 1; }
promote() { pg_as "$pg_server/pg_ctl" -D "$PGDIR/standby" -s -w promote; }
# After a lost server a sync may need another try.
again() { sync "$@" 2>err || sync "$@" 2>err || { cat err; return 1; }; }

facts 1 300
old=$(on a1 mem list --json | jq -r '.memories[0].memoryId')
sync a1 a2 b1

try 'the standby follows, and a client writes to neither by mistake' <<'E'
caught_up
same 300 "$(PGPORT=5433 PGHOST=$PGDIR PGTARGETSESSIONATTRS=any pg_sql admin 'select count(*) from ikm.memories')"
same t "$(PGPORT=5433 PGHOST=$PGDIR PGTARGETSESSIONATTRS=any pg_sql admin 'select pg_is_in_recovery()')"
not env PGPORT=5433 PGHOST="$PGDIR" PGTARGETSESSIONATTRS=any PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME="$T/w/a1" ikm -c sync.timeout=2000 sync doctor
E

try 'promoted in the middle of a push, without the rows that it had not got yet' <<'E'
# What comes now, the first server alone has.
PGPORT=5433 PGHOST=$PGDIR PGTARGETSESSIONATTRS=any pg_sql admin "alter system set primary_conninfo = ''"
PGPORT=5433 PGHOST=$PGDIR PGTARGETSESSIONATTRS=any pg_sql admin 'select pg_reload_conf()' >/dev/null
for i in $(seq 100); do [ "$(pg_sql admin 'select count(*) from pg_stat_replication')" != 0 ] || break; sleep 0.1; done
lost=$(add a2 'only the first server had it') && sync a2 b1
same "$lost" "$(at b1 "select id from memories where id = '$lost'")"
on a2 mem delete "$old" >/dev/null && sync a2 b1
facts 1001 9000
sync a1 &
for i in $(seq 200); do [ "$(pg_sql admin 'select count(*) from ikm.memories' 2>/dev/null || echo 0)" -lt 1000 ] || break; sleep 0.05; done
pg_down immediate
promote
wait $! || again a1
again a1 a2 b1
# The second timeline: all was offered again.
same 2 "$(at a2 'select cluster from sync_remotes' | cut -d/ -f2)"
again a1 a2 b1
equal a1 a2 b1
same 0 "$(at a1 "select count(*) from memories where id = '$old'")"
same "$lost" "$(at a1 "select id from memories where id = '$lost'")"
same "$(at a1 'select count(*) from memories')" "$(pg_sql admin 'select count(*) from ikm.memories where memory is not null')"
same 8299 "$(at b1 "select count(*) from memories where content like 'fact %'")"
sync a1 a2 b1
for m in a1 a2 b1; do same "$m 0 0 0 0 0 0" "$m $(counts $m)"; done
E

try 'the doctor finds no difference in the promoted server' <<'E'
PGUSER=admin ikm sync doctor --json >out || [ $? = 1 ]
same 0 "$(jq '[.problems[] | select(.message | test("^the role|everybody") | not)] | length' out)"
same f "$(pg_sql admin 'select pg_is_in_recovery()')"
E
done_testing
