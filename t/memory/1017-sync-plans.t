#!/bin/sh
# What the server reads for a push or a batch of a pull does not grow with the rows that a tenant has: also
# when statistics know other tenants and not this one, as on a server that was analysed before the tenant came.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada
# Nothing but this test decides what statistics know.
pg_sql admin 'alter system set autovacuum = off'
pg_sql admin 'select pg_reload_conf()' >/dev/null
member ada --layer project
PGUSER=service IKM_SYNC_TENANT=fresh ikm sync member add ada --layer project >/dev/null
fill() { # TENANT FROM ROWS: memories, assets and events
	pg_sql ada "update ikm.tenants set last = last + $3 where tenant = '$1';
		insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory)
		select '$1', 'mem_0' || lpad(g::text, 25, '0'), g - $2, 1, 'm', 'project', '[\"p\"]', '{\"content\": \"a text\"}' from generate_series($2 + 1, $2 + $3) g;
		insert into ikm.assets (tenant, path, seq, clock, machine, category, content)
		select '$1', 'p' || g, g - $2, 1, 'm', 'block', 'x' from generate_series($2 + 1, $2 + $3) g;
		insert into ikm.events (tenant, machine, number, seq, event)
		select '$1', 'm', g, g - $2, '{}' from generate_series($2 + 1, $2 + $3) g"
}
fill acme 0 6000

# Rows of a table that one statement reads: in a push for 1,000 rows that are there.
reads() { # TABLE STATEMENT MAKE-TEMPORARY-TABLE ROWS ARGUMENTS
	text() { awk -v name="$1" '$0 == "-- name: " name { on = 1; next } /^-- / { on = 0 } on' "$TOP/sql/postgres-query.sql"; }
	pg_sql ada "prepare quiet as $(text quiet) execute quiet('0', '0'); begin; $(text "$3") $4;
		prepare it as $(text "$2") execute it($5);
		select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'ikm.$1'::regclass" | tail -1
}
long 'a pull reads a batch, and nothing behind it, before there are statistics' <<'E'
same 256 "$(reads memories pull none '' "'acme', '0', 'x', '256', '[\"project\"]', '100000'")"
same 256 "$(reads events pull_events none '' "'acme', '0', 'x', '256'")"
E

pg_sql admin 'analyze'
fill fresh 10000 2000
try 'what a push looks for is found by its key' <<'E'
series='from generate_series(10001, 11000) g'
memories="insert into ikm_push select g - 10000, 'mem_0' || lpad(g::text, 25, '0'), 2, 'm2', 0, 'project', '[\"p\"]'"
same 1000 "$(reads memories push_refused push_table "$memories, null, '{}' $series" "'fresh'")"
n=$(reads memories push_withdraw push_table "$memories, 1, null $series" "'fresh', '1'")
[ "$n" -ge 1000 ] && [ "$n" -le 3000 ] || { echo "$n"; exit 1; }
same 1000 "$(reads events push_events_other push_events_table "insert into ikm_push_events select g, 'm', g, '{}' $series" "'fresh'")"
same 1000 "$(reads assets push_assets_refused push_assets_table "insert into ikm_push_assets select g, 'p' || g, 2, 1, null, '', 'block', false, 'y' $series" "'fresh', 'm2'")"
E

more 'a new tenant pushes, pulls and withdraws more than a batch' <<'E'
PGUSER=service IKM_SYNC_TENANT=new ikm sync member add ada --layer project >/dev/null
awk 'BEGIN { for (i = 1; i <= 9000; i++) printf "{\"content\":\"row %d\",\"layer\":\"project\",\"kind\":\"episodic\"}\n", i }' >rows
new() { IKM_SYNC_TENANT=new; export IKM_SYNC_TENANT; machine=$1; shift; PGUSER=ada IKM_USER=ada IKIGAI_HOME=$T/w/$machine IKM_MEMORY_PROJECT=p ikm "$@"; }
new a1 mem import rows >/dev/null
new a1 sync now --only remote --json | jq -e '.remote.pushed == 9000'
new a2 sync now --only remote --json | jq -e '.remote.pulled == 9000'
new a1 -c sync.layers=org sync now --only remote --json | jq -e '.remote.withdrawn == 9000'
# Each of these read or changed each row a few times, and never all of them for one.
n=$(pg_sql admin "select seq_tup_read + idx_tup_fetch from pg_stat_user_tables where relid = 'ikm.memories'::regclass")
[ "$n" -lt 500000 ] || { echo "$n"; exit 1; }
E
done_testing
