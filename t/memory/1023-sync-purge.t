#!/bin/sh
# Somebody leaves: what they have on the server is erased, and with it the copies of colleagues. Their own
# machines lose nothing.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob eve
for m in ada bob; do member $m --layer project; done
PGUSER=service IKM_SYNC_TENANT=other ikm sync member add bob --layer project >/dev/null
purge() { PGUSER=service IKM_SYNC_TENANT=acme ikm sync member purge "$@"; }
for text in 'the safe of bob opens at noon' 'bob prefers tea'; do add b1 "$text" >>bobs; done
add a1 'a fact of ada' >adas
gone=$(add b1 'deleted long ago') && sync b1 && on b1 mem delete "$gone" >/dev/null
echo 'a block' | on b1 write ikigai:///blocks/bob.md >/dev/null
on b1 -c sync.assets=true sync now --only remote >/dev/null
sync a1 b1
rows() { pg_sql admin "select '$1', count(*) filter (where memory is not null), count(*) from ikm.memories where owner = 'bob' union all select 'rest', (select count(*) from ikm.assets where owner = 'bob'), (select count(*) from ikm.events where owner = 'bob') + (select count(*) from ikm.machines where owner = 'bob')" | paste -sd' '; }

try 'a member is not erased, and nobody but the service role erases' <<'E'
fails_for BAD_ARGUMENT purge bob 2>err
grep -q 'ikm sync member remove bob' err
fails_for BAD_ARGUMENT env PGUSER=ada IKM_SYNC_TENANT=acme ikm sync member purge ada
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member remove bob >/dev/null
fails_for NOT_ALLOWED env PGUSER=ada IKM_SYNC_TENANT=acme ikm sync member purge bob
fails 1 purge nobody-there >out
E

try 'a dry run counts, and erases nothing' <<'E'
rows x >before
purge bob --dry-run --json >out
jq -e '.dryRun and .memories == 2 and .machines == 1 and .events > 0' out
same "$(cat before)" "$(rows x)"
same 0 "$(pg_sql admin "select count(*) from pg_class where relnamespace = 'ikm'::regnamespace and relkind = 'r' and not relforcerowsecurity")"
E

long 'the server forgets it, and so do the machines of colleagues; other people keep theirs' <<'E'
purge bob --json >out
jq -e '.success and (has("dryRun") | not) and .memories == 2 and .machines == 1 and .assets == 1' out
same 'x|0|3 rest|0|0' "$(rows x)"
same 'withdrawn deleted' "$(pg_sql admin "select distinct gone from ikm.memories where owner = 'bob' order by 1 desc" | paste -sd' ')"
same 1 "$(pg_sql admin "select count(*) from ikm.memories where owner = 'ada' and memory is not null")"
sync a1
jq -e '.remote.erased == 2' "$T/w/synced.a1"
for f in "$T/w/a1/ikm.db" "$T/w/a1/ikm.db-wal"; do [ ! -e "$f" ] || not grep -aq 'opens at noon' "$f"; done
same "$(cat adas)" "$(at a1 'select id from memories')"
# As it was: the tables are forced, and the guards are there.
same '0 0' "$(pg_sql admin "select (select count(*) from pg_class where relnamespace = 'ikm'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)), (select count(*) from pg_trigger where not tgisinternal and tgenabled <> 'O')" | tr '|' ' ')"
same 0 "$(pg_sql service 'select count(*) from ikm.memories')"
not pg_sql service 'truncate ikm.events' 2>err
fails 1 purge bob >out
E

long 'who comes back has lost nothing, and shares nothing again by itself' <<'E'
member bob --layer project
sync b1 a1 b1
same '2 sensitive' "$(at b1 "select count(*) || ' ' || redaction from memories where id in ('$(paste -sd, bobs | sed "s/,/','/")') group by redaction")"
same 0 "$(pg_sql admin "select count(*) from ikm.memories where owner = 'bob' and memory is not null")"
on b1 mem edit "$(head -1 bobs)" --redaction internal >/dev/null
sync b1 a1
same "$(head -1 bobs)" "$(at a1 "select id from memories where owner = 'bob'")"
E

more 'many rows in rounds' <<'E'
pg_sql admin "create table many as select 'mem_' || lpad(n::text, 26, '0') as id, n from generate_series(1, 250000) n;
	update ikm.tenants set last = last + 250000 where tenant = 'acme';
	alter table ikm.memories disable trigger user;
	insert into ikm.memories (tenant, owner, id, seq, clock, machine, layer, whose, memory)
	select 'acme', 'eve', id, last - 250000 + n, 1, 'm', 'project', '[\"p\"]', '{\"content\": \"x\"}' from many, ikm.tenants where tenant = 'acme';
	alter table ikm.memories enable trigger user"
PGUSER=service IKM_SYNC_TENANT=acme ikm -c sync.timeout=60000 sync member purge eve --json >out
jq -e '.memories == 250000' out
same '250000 250000 0' "$(pg_sql admin "select count(*), count(distinct seq), count(*) filter (where seq > last) from ikm.memories join ikm.tenants using (tenant) where owner = 'eve'" | tr '|' ' ')"
E
done_testing
