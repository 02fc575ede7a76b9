#!/bin/sh
# Homes and servers that are copied or restored: no row is lost, doubled, or refused for ever.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob
member ada --layer project
member bob --layer project
name() { at "$1" "select value from meta where key = 'machine'"; }
# The record of the server has each row of these homes once, and nothing else.
recorded() {
	for m in "$@"; do at "$m" "select event_id || ' ' || number from events"; done | sort -u >rows.here
	pg_sql ada "select (event ->> 'event_id') || ' ' || coalesce(event ->> 'number', '0') from ikm.events" | sort >rows.server
	diff rows.here rows.server
}
# By psql: npm's server brings no pg_dump, and that of the system dumps no newer server.
dump() { # FOLDER
	mkdir "$1"
	for table in server tenants members memories assets events checkpoints machines; do
		pg_sql admin "\\copy ikm.$table to '$1/$table'"
	done
}
restore() { # FOLDER DATABASE
	pg_fresh "$2"
	PGUSER=service IKM_SYNC_TENANT=acme ikm sync migrate >/dev/null
	{
		echo 'set client_min_messages = warning; set session_replication_role = replica;'
		echo 'truncate ikm.server, ikm.tenants cascade;'
		for table in "$1"/*; do printf '%s\n' "\\copy ikm.${table##*/} from '$table'"; done
	} | "$pg_bin/psql" -X -q -U admin -v ON_ERROR_STOP=1
	for m in ada bob; do member $m --layer project; done
}

try 'yesterday'"'"'s dump in a new database: what it lacks comes back' <<'E'
add a1 'before the dump' >kept
add a1 'to be deleted' >dead
sync a1 a2
dump yesterday
gone=$(add a1 'after the dump')
on a2 mem edit "$(cat kept)" --tag later >/dev/null
on a1 mem delete "$(cat dead)" >/dev/null
sync a1 a2 a1
restore yesterday two
sync a2
jq -e '.remote | .restarted and (.renamed | not)' "$T/w/synced.a2"
sync a1 a2 a1
equal a1 a2
same '1|["later"]' "$(at a1 "select count(*), tags from memories where id = '$(cat kept)'")"
same 0 "$(at a2 "select count(*) from memories where id = '$(cat dead)'")"
same t "$(pg_sql admin "select memory is not null from ikm.memories where id = '$gone'")"
recorded a1 a2
sync a1 a2
same '0 0 0 0 0 0' "$(counts a1)"
# reset-cursor is harmless.
on a1 sync reset-cursor >/dev/null
sync a1
jq -e '.remote | .conflicts == 0 and .pulled == 0' "$T/w/synced.a1"
equal a1 a2
recorded a1 a2
E
PGDATABASE=two

more 'a copied home becomes a machine of its own, and the record has each row once' <<'E'
# Two rows that both have, and that no push has offered.
add a1 'both have it' >/dev/null
add a1 'both have it, too' >/dev/null
cp -R "$T/w/a1" "$T/w/a9"
add a1 'from the first' >/dev/null
add a9 'from the copy' >/dev/null
was=$(name a1)
sync a1 a9
jq -e .remote.renamed "$T/w/synced.a9"
same "$was" "$(name a1)"
not same "$was" "$(name a9)"
sync a1 a9 a2
equal a1 a9 a2
recorded a1 a9 a2
same "$(at a1 'select count(*) from events')" "$(pg_sql ada "select count(*) from ikm.events where machine = '$was'")"
sync a1 a9
jq -e '.remote.renamed | not' "$T/w/synced.a9"
same 0 "$(at a9 'select count(*) from remote_events where machine = (select value from meta where key = '"'machine'"')')"
E

more 'a copy after a reset, a copy of a copy, and a home restored from a backup' <<'E'
cp -R "$T/w/a9" "$T/w/a8"
on a9 sync reset-cursor >/dev/null
on a8 sync reset-cursor >/dev/null
for m in a9 a8; do add $m "only $m has it" >/dev/null; sync $m; done
jq -e .remote.renamed "$T/w/synced.a8"
cp -R "$T/w/a8" "$T/w/a7"
for m in a7 a8; do add $m "and $m has this" >/dev/null; sync $m; done
jq -e .remote.renamed "$T/w/synced.a8"
cp -R "$T/w/a7" "$T/w/backup"
add a7 'after the backup' >/dev/null && sync a7
lost=$(at a7 "select event_id || ' ' || number from events order by seq desc limit 1")
rm -R "$T/w/a7" && mv "$T/w/backup" "$T/w/a7"
add a7 'after the restore' >/dev/null && sync a7
jq -e '.remote | .renamed and .pulled > 0' "$T/w/synced.a7"
sync a1 a2 a8 a9 a7 a1 a2 a8 a9 a7
equal a1 a2 a7 a8 a9
for m in a1 a2 a7 a8 a9; do sync $m; same '0 0 0 0 0 0' "$(counts $m)"; jq -e '.remote.renamed | not' "$T/w/synced.$m"; done
recorded a1 a2 a7 a8 a9 >left || same "> $lost" "$(grep '^[<>]' left)"
same 5 "$(for m in a1 a2 a7 a8 a9; do name $m; done | sort -u | wc -l)"
on a2 sync reset-cursor >/dev/null
on a8 sync reset-cursor >/dev/null
sync a2 a8
recorded a1 a2 a7 a8 a9 >again || cmp left again
E

more 'a copy that meets a restored server first, and two copies at once' <<'E'
cp -R "$T/w/a1" "$T/w/a6"
dump today
restore today three
for m in a1 a6; do add $m "$m meets the restored one" >/dev/null; sync $m; done
jq -e '.remote | .restarted and .renamed' "$T/w/synced.a6"
sync a1 a2 a6 a1
equal a1 a2 a6
# Between the first words of a sync and its push another home gives the nonce: it is refused, once.
cp -R "$T/w/a6" "$T/w/a5"
add a5 'five' >/dev/null
add a6 'six' >/dev/null
pg_sql admin "create function late() returns trigger language plpgsql security definer as 'begin update ikm.machines set nonce = nonce || ''x''; return new; end';
	create trigger late after update on ikm.tenants for each row execute function late()"
fails_for CHANGED on a5 sync now --only remote --json
pg_sql admin 'drop trigger late on ikm.tenants'
sync a6 a5 a6 a5
equal a5 a6
not same "$(name a5)" "$(name a6)"
E
export PGDATABASE=three

more 'a server whose disk is put back: the same identity, and what it lacks comes back' <<'E'
back() { # the rows of the server as they were: a copy of its disk has them so
	pg_sql admin 'set session_replication_role = replica; truncate ikm.memories, ikm.events, ikm.machines, ikm.checkpoints;
		insert into ikm.memories select * from old_memories; insert into ikm.events select * from old_events;
		insert into ikm.machines select * from old_machines; update ikm.tenants set last = (select last from old_tenants)'
}
sync a1 a2
for table in memories events machines tenants; do pg_sql admin "create table old_$table as select * from ikm.$table"; done
# The number is lower than one that a1 has read.
one=$(add a1 'after the copy of the disk') && sync a1 a2
back
sync a1
jq -e '.remote.restarted' "$T/w/synced.a1"
sync a2 a1 a2
equal a1 a2
same t "$(pg_sql admin "select memory is not null from ikm.memories where id = '$one'")"
recorded a1 a2 >left || not grep '^<' left
# Another machine has raised the number meanwhile.
two=$(add a1 'pushed and lost') && sync a1
back
for i in 1 2 3 4 5 6; do add a2 "raises the number $i" >/dev/null; sync a2; done
sync a1 a2 a1
equal a1 a2
for id in $one $two; do same t "$(pg_sql admin "select memory is not null from ikm.memories where id = '$id'")"; done
pg_sql admin 'drop table old_memories, old_events, old_machines, old_tenants'
E

more 'events: each machine has the record of the others, append-only, with checkpoints' <<'E'
sync a1 a2 a1
[ "$(at a2 'select count(distinct machine) from remote_events')" -ge 3 ]
on a2 sync events -n 1 --json | jq -e '.events[0].event | .event_id and .step'
same 0 "$(pg_sql bob 'select count(*) from ikm.events')"
not at a2 'delete from remote_events' 2>err
grep -q append-only err
E

more 'assets: off, then between the machines of one person' <<'E'
write() { on "$1" write ikigai:///blocks/x.md --content "$2" >/dev/null; }
write a1 one
sync a1
same 0 "$(pg_sql admin 'select count(*) from ikm.assets')"
with() { IKM_SYNC_ASSETS=true; export IKM_SYNC_ASSETS; "$@"; }
with sync a1 a2
same one "$(on a2 read ikigai:///blocks/x.md)"
write a2 two
with sync a2 a1
same two "$(on a1 read ikigai:///blocks/x.md)"
write a1 mine
write a2 theirs
with sync a1 a2 a1
same theirs "$(on a1 read ikigai:///blocks/x.md)"
on a2 sync conflicts --json | jq -e '[.conflicts[] | select(.type == "asset") | .lost.content] == ["mine"]'
on a2 delete --maintainer ikigai:///blocks/x.md >/dev/null
with sync a2 a1
same 0 "$(at a1 'select count(*) from stored_assets')"
with sync a1 a2
same '0 0' "$(jq -r '.remote | [.assetsPushed, .assetsPulled] | join(" ")' "$T/w/synced.a2")"
# What does not fit into the pins' budget comes as soon as it does.
write a1 small
with sync a1 a2
on a2 asset pin ikigai:///blocks/x.md >/dev/null
write a1 "$(seq 1000)"
with sync a1
on a2 -c assets.budget=100 -c sync.assets=true sync now --only remote --json | jq -e '.remote | .waiting == 1 and .assetsPulled == 0'
with sync a2
jq -e '.remote | .waiting == 0 and .assetsPulled == 1' "$T/w/synced.a2"
same "$(on a1 read ikigai:///blocks/x.md)" "$(on a2 read ikigai:///blocks/x.md)"
# More wait than a sync asks for again: each has its turn.
for i in 1 2 3 4 5 6 7 8 9; do echo small | on a1 write --maintainer "ikigai:///blocks/w$i.md" >/dev/null; done
with sync a1 a2
for i in 1 2 3 4 5 6 7 8 9; do
	on a2 asset pin "ikigai:///blocks/w$i.md" >/dev/null
	seq 1000 | on a1 write --maintainer "ikigai:///blocks/w$i.md" >/dev/null
done
with sync a1
for i in 1 2 3; do on a2 -c assets.budget=100 -c sync.assets=true sync now --only remote >/dev/null || :; done
same '9 2' "$(at a2 "select count(*) || ' ' || min(tries) from sync_waiting where pulled")"
for i in 1 2; do on a2 -c assets.budget=100000 -c sync.assets=true sync now --only remote >/dev/null; done
same 0 "$(at a2 'select count(*) from sync_waiting')"
E
more 'a dump of all restored into a new cluster: nothing is skipped' <<'E'
dump all
one=$(add a1 'behind the dump of all') && sync a1 a2
on a2 mem edit "$one" --tag moved >/dev/null && sync a2
pg_down fast
pg_cluster
for role in service ada bob; do PGDATABASE=postgres pg_sql admin "create role $role login"; done
PGDATABASE=postgres restore all three
sync a2 a1 a2
jq -e '.remote.restarted' "$T/w/synced.a1"
equal a1 a2
same '["moved"]' "$(at a1 "select tags from memories where id = '$one'")"
same t "$(pg_sql admin "select memory is not null from ikm.memories where id = '$one'")"
sync a1 a2
for m in a1 a2; do same '0 0 0 0 0 0' "$(counts $m)"; done
E
done_testing
