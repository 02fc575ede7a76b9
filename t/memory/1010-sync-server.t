#!/bin/sh
# The server of sync: its schema, its members, and what each role may. psql is the referee.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/postgres.sh"
needs 'PostgreSQL (apt-get install postgresql)' "${pg_bin:-$T/none}/initdb"

pg_up
for role in service ada bob eve guest; do echo "create role $role login;"; done >roles
echo 'create role nologin; create role admin2 login superuser;' >>roles
pg_sql admin "$(cat roles)"
pg_fresh one
export pg_bin

as() { # ROLE COMMAND…
	PGUSER=$1 && shift && IKM_SYNC_TENANT=acme ikm "$@"
}
sql() { pg_sql "$@"; }
refused() { # ROLE SQL: not allowed, by a grant or by a policy; any other mistake is none
	not pg_sql "$1" "$2" >sql 2>&1 || return 1
	grep -q 'permission denied\|row-level security\|only grows\|append-only\|must be owner\|violates check constraint\|above that of its tenant' sql || { echo "$1: $2"; cat sql; return 1; }
}
nothing() { # ROLE SQL: allowed, and changes or shows no row
	same '' "$(pg_sql "$1" "$2")"
}

long 'not configured: what to do' <<'T'
(unset PGHOST PGUSER PGDATABASE; fails 7 ikm sync migrate --json >out 2>err)
jq -e '.errorCode == "MISSING_CREDENTIALS" and (.help.steps | length) >= 2' out
fails_for NOT_CONFIGURED ikm sync member list
T

long 'before there is a schema; a role that may not make it' <<'T'
fails_for SERVER_OLD as ada sync member list 2>err
grep -q 'the server has no schema of ikm' err
as ada sync migrate 2>err || [ $? = 7 ]
grep -q 'grant create on database "one" to "ada"' err
same f "$(sql admin "select to_regclass('ikm.server') is not null")"
T

try 'four at once make the schema once; again changes nothing' <<'T'
for i in 1 2 3 4; do as service sync migrate --json >"out$i" & done
wait
same '0 7 7 7' "$(cat out? | jq -r .from | sort | paste -sd' ')"
same '7 service' "$(sql admin "select version, (select nspowner::regrole from pg_namespace where nspname = 'ikm') from ikm.server" | tr '|' ' ')"
sql admin 'select incarnation from ikm.server' >before
same 'the schema is version 7 already' "$(as service sync migrate)"
sql admin 'select incarnation from ikm.server' | diff before -
T

try 'every column of every table has a comment; each key begins with the tenant; security is forced' <<'T'
same 8 "$(sql admin "select count(*) from pg_class where relnamespace = 'ikm'::regnamespace and relkind = 'r' and relrowsecurity and relforcerowsecurity")"
same 0 "$(sql admin "select count(*) from pg_class where relnamespace = 'ikm'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)")"
same '' "$(sql admin "select attrelid::regclass, attname from pg_attribute where attnum > 0 and not attisdropped
	and attrelid in (select oid from pg_class where relnamespace = 'ikm'::regnamespace and relkind = 'r')
	and col_description(attrelid, attnum) is null")"
same '' "$(sql admin "select indexrelid::regclass from pg_index where indrelid in (select oid from pg_class
		where relnamespace = 'ikm'::regnamespace and relkind = 'r') and indrelid <> 'ikm.server'::regclass
	and (select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]) <> 'tenant'")"
T

try 'a newer schema is refused, and stays' <<'T'
sql admin 'update ikm.server set version = 99'
fails_for SERVER_NEWER as service sync migrate
fails_for SERVER_NEWER as service sync member list
same 99 "$(sql admin 'select version from ikm.server')"
sql admin 'update ikm.server set version = 7'
T

long 'members are added, changed, listed and removed' <<'T'
same 'ada belongs to acme, and shares project, team:web' "$(as service sync member add ada -l project -l team:web)"
same true "$(as service sync member add bob --layer project --json | jq .added)"
same 'bob belongs to acme, and shares team, project (before: project)' "$(as service sync member add bob --only --layer team --layer project)"
same 'bob belongs to acme, and shares team, project (before: team, project)' "$(as service sync member add bob)"
as service sync member list --json | jq -c '.members[] | [.login, .layers]' >got
printf '%s\n' '["ada",["project","team:web"]]' '["bob",["team","project"]]' | diff -u - got
# A member sees itself alone.
same 'bob  team, project' "$(as bob sync member list)"
same '{project,"team:[\"web\"]"}' "$(sql admin "select layers from ikm.members where login = 'ada'")"
as service sync member add eve >/dev/null
same 'eve belongs no more to acme' "$(as service sync member remove eve)"
fails 1 as service sync member remove eve
T

more 'what cannot be a member is refused, and why' <<'T'
for row in 'nobody-there:no role' 'nologin:may not log in' 'admin2:not bound' 'service:service role'; do
	as service sync member add "${row%%:*}" 2>err && exit 1
	grep -q "${row#*:}" err || { cat err; exit 1; }
done
fails_for NOT_IN_ENUM as service sync member add ada -l user
fails_for BAD_ARGUMENT as service sync member add ada -l team:
fails_for NOT_ALLOWED as ada sync member add eve
fails_for NOT_ALLOWED as ada sync member remove bob
same 2 "$(sql admin 'select count(*) from ikm.members')"
# Names are values, never SQL.
fails_for BAD_ARGUMENT as service sync member add 'x"; drop schema ikm cascade; --'
sql admin 'create role "o"" dd'\'' role" login'
as service sync member add 'o" dd'\'' role' >/dev/null
as service sync member remove 'o" dd'\'' role' >/dev/null
same '' "$(sql admin "select grantee from information_schema.role_table_grants where grantee like 'o\"%'")"
T

# Rows to try it on: ada's in each layer, one of bob's, one asset and one event of ada's.
row() { # LETTER LAYER WHOSE
	echo "insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values
		('acme', 'mem_0000000000000000000000000$1', 1, 1, 'm', '$2', '$3', '{\"content\": \"$1\"}');"
}
{ row 1 user '["ada"]'; row 2 project '["p"]'; row 3 team '["web"]'
	echo "insert into ikm.assets (tenant, path, seq, clock, machine, category, content)
		values ('acme', 'blocks/x.md', 1, 1, 'm', 'block', 'x');
	insert into ikm.events (tenant, machine, number, seq, event) values ('acme', 'm', 1, 1, '{}');
	insert into ikm.machines (tenant, machine, nonce) values ('acme', 'm', 'n');
	insert into ikm.checkpoints (tenant, machine, number, checkpoint) values ('acme', 'm', 1, 'c');"
} >rows.sql
pg_sql ada "update ikm.tenants set last = last + 10 where tenant = 'acme'"
pg_sql ada "$(cat rows.sql)"
pg_sql bob "$(row 2 project '["p"]')"
seen() { sql "$1" "select owner, right(id, 1) from ikm.memories order by 1, 2" | tr '\n' ' '; }

more 'the owner reads all of their own; a member the shared layers they belong to' <<'T'
same 'ada|1 ada|2 ada|3 bob|2 ' "$(seen ada)"
same 'ada|2 ada|3 bob|2 ' "$(seen bob)"
as service sync member add bob --only -l team:other >/dev/null
same 'bob|2 ' "$(seen bob)"
as service sync member add bob --only -l project >/dev/null
same 'ada|2 bob|2 ' "$(seen bob)"
tables() { sql "$1" "select (select count(*) from ikm.assets), (select count(*) from ikm.events), (select count(*) from ikm.machines), (select count(*) from ikm.checkpoints)" | tr '|' ' '; }
same '1 1 1 1' "$(tables ada)"
same '0 0 0 0' "$(tables bob)"
T

more 'a member changes and forges nothing of others, on every table' <<'T'
nothing bob "update ikm.memories set memory = '{}' where owner = 'ada' returning 1"
nothing bob "update ikm.assets set content = 'y' returning 1"
nothing bob "update ikm.machines set nonce = 'y' returning 1"
while IFS= read -r statement; do
	refused bob "$statement"
done <<'S'
insert into ikm.memories (tenant, owner, id, seq, clock, machine, layer, whose, memory) values ('acme', 'ada', 'mem_00000000000000000000000009', 9, 9, 'm', 'user', '', '{}')
insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('acme', 'mem_00000000000000000000000009', 9, 9, 'm', 'org', '["o"]', '{}')
insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('acme', 'mem_00000000000000000000000009', 9, 9, 'm', 'team', '["web"]', '{}')
update ikm.memories set owner = 'ada' where owner = 'bob'
update ikm.memories set layer = 'team' where owner = 'bob'
update ikm.memories set layer = 'team', deleted_at = 1, memory = '{"content": "x"}' where owner = 'bob'
delete from ikm.memories
truncate ikm.memories
insert into ikm.assets (tenant, owner, path, seq, clock, machine, category, content) values ('acme', 'ada', 'z', 1, 1, 'm', 'block', 'x')
delete from ikm.assets
insert into ikm.events (tenant, owner, machine, number, seq, event) values ('acme', 'ada', 'm', 7, 7, '{}')
update ikm.events set event = '[]'
delete from ikm.events
insert into ikm.machines (tenant, owner, machine, nonce) values ('acme', 'ada', 'm2', 'n')
delete from ikm.machines
insert into ikm.checkpoints (tenant, owner, machine, number, checkpoint) values ('acme', 'ada', 'm', 7, 'x')
update ikm.checkpoints set checkpoint = 'y'
delete from ikm.checkpoints
insert into ikm.members (tenant, login, layers) values ('acme', 'eve', '{}')
update ikm.members set layers = '{org}'
delete from ikm.members
insert into ikm.tenants (tenant) values ('mine')
update ikm.tenants set tenant = 'mine'
update ikm.tenants set last = -5
update ikm.tenants set last = last + 100000000
update ikm.memories set seq = 9000000000000000000 where owner = 'bob'
insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('acme', 'mem_00000000000000000000000009', 999, 9, 'm', 'project', '["p"]', '{}')
insert into ikm.assets (tenant, path, seq, clock, machine, category, content) values ('acme', 'z', 999, 1, 'm', 'block', 'x')
insert into ikm.events (tenant, machine, number, seq, event) values ('acme', 'm', 7, 999, '{}')
update ikm.memories set owner = 'bob', tenant = 'acme' where owner = 'bob'
delete from ikm.tenants
update ikm.server set version = 0
insert into ikm.server (one, version) values (1, 1)
drop table ikm.memories
alter table ikm.memories disable row level security
create table ikm.mine ()
set role service
S
# Operators of the member's own do not decide for the triggers.
sql admin 'create schema evil authorization bob'
sql bob "create function evil.no(bigint, bigint) returns boolean language sql as 'select false';
	create operator evil.<= (function = evil.no, leftarg = bigint, rightarg = bigint);
	create operator evil.> (function = evil.no, leftarg = bigint, rightarg = bigint)"
refused bob 'set search_path = evil, pg_catalog; update ikm.tenants set last = 0'
not sql bob "set search_path = evil, pg_catalog; update ikm.memories set clock = 9000000000000000000 where owner = 'bob'" 2>err
grep -q 'over a day ahead' err
# A role of the same name in a setting changes nothing: policies ask current_user.
same 'ada|2 bob|2 ' "$(sql bob "set session \"app.user\" = 'ada'; select owner, right(id, 1) from ikm.memories order by 1, 2" | tr '\n' ' ')"
same "$(cat <<'W'
acme
W
)" "$(sql bob "update ikm.tenants set last = last + 3 returning tenant")"
T

# A session of psql that stays open: told WHAT, it runs SQL; it has run all before it answers.
session() { # ROLE
	mkfifo "$1.in" "$1.out"
	"$pg_bin/psql" -X -q -A -t -U "$1" <"$1.in" >"$1.out" 2>&1 &
	exec 8>"$1.in" 9<"$1.out"
	rm "$1.in" "$1.out"
}
told() { echo "$1; select 'done';" >&8; until read -r line <&9 && [ "$line" = 'done' ]; do echo "$line"; done; }

more 'no member can lock a table against others, in any mode' <<'T'
IKM_SYNC_TENANT=other PGUSER=service ikm sync member add eve -l project >/dev/null
for table in server tenants members memories assets events machines checkpoints; do
	for mode in 'share update exclusive' share 'share row exclusive' exclusive 'access exclusive'; do
		refused eve "begin; lock table ikm.$table in $mode mode"
	done
done
# With all locks that it may have, and the number that migrations once locked, nobody waits.
session eve
for table in server tenants members memories assets events machines checkpoints; do
	for mode in 'access share' 'row share' 'row exclusive'; do
		! pg_sql eve "begin; lock table ikm.$table in $mode mode" 2>/dev/null || echo "lock table ikm.$table in $mode mode;"
	done
done >locks
least 8 locks
same '' "$(told "begin; $(cat locks) select from ikm.memories for update; select pg_advisory_lock(6908781)" | grep -v '^$')"
PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME=$PWD/locked ikm -c sync.timeout=3000 sync now --only remote >/dev/null
same 'the schema is version 7 already' "$(as service -c sync.timeout=3000 sync migrate)"
exec 8>&- 9<&-
wait
as service sync member list >/dev/null
IKM_SYNC_TENANT=other PGUSER=service ikm sync member remove eve >/dev/null
T

more 'a colleague who holds the tenant, or the tables against a migration, is named' <<'T'
session bob
told "begin; update ikm.tenants set last = last + 1" >/dev/null
mkdir -p held && IKM_USER=ada IKIGAI_HOME=$PWD/held ikm mem add 'it waits' --layer user >/dev/null
PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME=$PWD/held fails_for TOOK_TOO_LONG ikm -c sync.layers=user -c sync.timeout=300 sync now --only remote 2>err
grep -q 'these roles have locks there: bob;' err
told 'rollback; begin; select from ikm.memories' >/dev/null
sql admin 'update ikm.server set version = 4'
PGUSER=service IKM_SYNC_TENANT=acme fails_for TOOK_TOO_LONG ikm -c sync.timeout=300 sync migrate 2>err
grep -q 'these roles have locks there: bob;' err
sql admin 'update ikm.server set version = 7'
exec 8>&- 9<&-
wait
T

more 'a schema of an older version gives its members no lock, either' <<'T'
PGDATABASE=older
export PGDATABASE
PGDATABASE=postgres pg_sql admin 'create database older owner service'
for file in "$TOP"/sql/postgres/000[1-4]-*.sql; do "$pg_bin/psql" -X -q -U service -v ON_ERROR_STOP=1 -f "$file"; done
pg_sql service "insert into ikm.server (one, version) values (1, 4); insert into ikm.tenants (tenant) values ('acme');
	insert into ikm.members (tenant, login, layers) values ('acme', 'ada', '{project}'), ('acme', 'gone', '{}');
	grant usage on schema ikm to ada; grant select on ikm.server, ikm.members to ada; grant select, update (last) on ikm.tenants to ada;
	grant select, insert, update on ikm.memories, ikm.assets, ikm.machines to ada; grant select, insert on ikm.events, ikm.checkpoints to ada"
pg_sql ada 'begin; lock table ikm.memories in access exclusive mode'
same 'the schema was version 4, and is version 7 now' "$(as service sync migrate)"
for table in memories assets machines; do refused ada "begin; lock table ikm.$table in share mode"; done
mkdir -p old && IKM_USER=ada IKIGAI_HOME=$PWD/old ikm mem add 'it comes' --layer user >/dev/null
for i in 1 2; do PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME=$PWD/old ikm -c sync.layers=user -c sync.assets=true sync now --only remote --json >out; done
same 1 "$(sql ada 'select count(*) from ikm.memories')"
T
PGDATABASE=one

more 'events are append-only, for their owner and for the service role too' <<'T'
for role in ada service; do
	for statement in "update ikm.events set event = '[]'" 'delete from ikm.events' 'truncate ikm.events'; do
		not sql $role "$statement" >sql 2>&1 || same 1 "$(sql ada 'select count(*) from ikm.events')"
	done
done
same '1 {}' "$(sql ada 'select number, event from ikm.events' | tr '|' ' ')"
T

more 'the service role reads and changes nothing that people store' <<'T'
for table in memories assets events machines checkpoints; do
	same 0 "$(sql service "select count(*) from ikm.$table")"
done
nothing service "update ikm.memories set memory = '{}' returning 1"
nothing service 'delete from ikm.memories returning 1'
nothing service 'delete from ikm.assets returning 1'
nothing service "update ikm.machines set nonce = 'x' returning 1"
nothing service 'delete from ikm.machines returning 1'
for row in "machines (tenant, machine, nonce) values ('acme', 'm', 'n')" "checkpoints (tenant, machine, number, checkpoint) values ('acme', 'm', 8, 'c')" \
	"memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('acme', 'mem_00000000000000000000000009', 9, 9, 'm', 'user', '', '{}')"; do
	refused service "insert into ikm.$row"
done
refused service "insert into ikm.events (tenant, machine, number, seq, event) values ('acme', 'm', 9, 9, '{}')"
refused service "insert into ikm.assets (tenant, path, seq, clock, machine, category, content) values ('acme', 'q', 1, 1, 'm', 'block', 'x')"
T

more 'a stranger and a former member: no table at all' <<'T'
as service sync member add eve -l project >/dev/null
sql eve "$(row 5 project '["p"]')"
sql ada 'select count(*) from ikm.memories' >before
as service sync member remove eve >/dev/null
for table in server tenants members memories assets events machines checkpoints; do
	for statement in "select * from ikm.$table" "delete from ikm.$table" "insert into ikm.$table default values"; do
		refused eve "$statement"
	done
done
# What was shared stays.
sql ada 'select count(*) from ikm.memories' | diff before -
# One who still has grants, from another tenant, sees that one alone.
IKM_SYNC_TENANT=other PGUSER=service ikm sync member add eve -l project >/dev/null
same '0 other' "$(sql eve "select (select count(*) from ikm.memories), (select string_agg(tenant, ',') from ikm.tenants)" | tr '|' ' ')"
refused eve "$(row 6 project '["p"]')"
nothing eve 'update ikm.tenants set last = last + 1 where tenant = '\''acme'\'' returning 1'
T

more 'sensitive memories are refused by the server too' <<'T'
not sql ada "insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('acme', 'mem_00000000000000000000000008', 9, 9, 'm', 'user', '', '{\"redaction\": \"sensitive\"}')" 2>err
grep -q 'violates check constraint' err
T

more 'by URL, service file and variables; a password in the URL is refused and not shown' <<'T'
same 'bob  project' "$(PGUSER=nobody PGHOST=$T/none IKM_SYNC_TENANT=acme ikm -c sync.url="postgresql://bob@/one?host=$PGHOST" sync member list)"
same 'bob  project' "$(PGUSER=nobody IKM_SYNC_TENANT=acme ikm -c sync.url="host=$PGHOST user=bob dbname=one" sync member list)"
printf '[mine]\nhost=%s\nuser=bob\ndbname=one\nsslmode=disable\n' "$PGHOST" >service.conf
same 'bob  project' "$(unset PGHOST PGUSER PGDATABASE; PGSSLMODE=disable PGSERVICEFILE=service.conf PGSERVICE=mine IKM_SYNC_TENANT=acme ikm sync member list)"
fails_for NOT_ALLOWED ikm -c sync.tenant=acme -c sync.url=postgresql://bob:geheim@h/one sync member list >out 2>&1
not grep geheim out
fails_for NOT_ALLOWED ikm -c sync.tenant=acme -c sync.url='host=h sslpassword=geheim' sync member list
# What libpq takes for a password, `config set` does too, and nothing else.
for url in postgresql://bob:geheim@h/one 'postgresql://h/one?pass%77ord=geheim' "password = 'geheim' host=h" \
	'postgresql://a?b@h/one?password=geheim' postgresql://bob:@h/one 'host=h dbname=password' 'postgresql://h/one?application_name=a:b@c'; do
	ikm config set sync.url "$url" >/dev/null 2>&1 && set=0 || set=1
	ikm -c sync.timeout=100 -c sync.tenant=acme -c sync.url="$url" sync member list --json >out 2>/dev/null || :
	same "$set" "$(jq -r 'if .details.reason == "NOT_ALLOWED" then 1 else 0 end' out)"
done
ikm config unset sync.url >/dev/null 2>&1 || :
fails_for BAD_CONFIG ikm -c sync.tenant=acme -c sync.url='postgresql://[x' sync member list
mkdir -p repo/.ikm && git init -q repo && echo '{"sync": {"url": "postgresql://evil/x"}}' >repo/.ikm/config.json
fails_for UNTRUSTED_CONFIG ikm -C repo -c sync.tenant=acme sync member list
# Elsewhere the server must prove its name.
fails_for SERVER_DOWN ikm -c sync.tenant=acme -c sync.url=postgresql://bob@192.0.2.1:1/one -c sync.timeout=100 sync member list ||
	fails_for TOOK_TOO_LONG ikm -c sync.tenant=acme -c sync.url=postgresql://bob@192.0.2.1:1/one -c sync.timeout=100 sync member list
T

more 'no role, no database, no connection free, no server: each has its reason' <<'T'
fails_for SERVER_REFUSED as stranger sync member list
fails_for NOT_ALLOWED as guest sync member list 2>err
grep -q 'sync member add ROLE' err
PGDATABASE=none fails_for SERVER_REFUSED as ada sync member list
# Twenty connections, three of them for administrators. One that ends may still count: more try.
for i in $(seq 25); do "$pg_bin/psql" -X -q -U ada -c 'select pg_sleep(60)' >/dev/null 2>&1 & echo $!; done >pids
for i in $(seq 50); do
	[ "$(sql admin "select count(*) from pg_stat_activity where usename = 'ada' and query like '%sleep%'")" -lt 17 ] || break
	sleep 0.1
done
as ada sync member list --json >out 2>&1 || [ $? = 8 ]
kill $(cat pids) 2>/dev/null || :  # one may have ended by itself
head -1 out | jq -e '.errorCode == "RATE_LIMITED" and .retryable and .details.reason == "SERVER_BUSY" and .details.sqlstate == "53300"' >/dev/null ||
	{ cat out; exit 1; }
pg_down fast
as ada sync member list --json >out 2>/dev/null || [ $? = 8 ]
jq -e '.details.reason == "SERVER_DOWN" and .retryable' out
# It comes back while ikm waits: two seconds, in which a busy machine may start no server.
pg_start
mv "$PGHOST/.s.PGSQL.5432" "$PGHOST/away"
{ sleep 0.2; mv "$PGHOST/away" "$PGHOST/.s.PGSQL.5432"; } &
as service sync member list >out
wait
least 2 out
T

more 'without libpq: the rest of ikm runs, and sync says what to install' <<'T'
mkdir lib && : >lib/libpq.so.5
LD_LIBRARY_PATH=$PWD/lib ikm mem add 'it runs' >/dev/null
LD_LIBRARY_PATH=$PWD/lib fails_for NO_LIBRARY as ada sync member list
ldd "$BUILD/test/ikm" >libraries
least 1 libraries
not grep libpq libraries
T
done_testing
