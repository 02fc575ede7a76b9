#!/bin/sh
# `ikm sync doctor`: an administrator breaks the server in each way, and gets the statement that mends it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob eve hal
for m in ada bob; do member $m --layer project; done
add a1 'a fact of ada' >/dev/null
sync a1
# shellcheck disable=SC2120
doctor() { PGUSER=${1:-admin} IKM_SYNC_TENANT=acme ikm sync doctor --json; }
mend() {
	doctor admin >"$T/ill" || :
	jq -r '.problems[].statement + ";"' "$T/ill" >"$T/mend.sql"
	"$pg_bin/psql" -X -q -U admin -v ON_ERROR_STOP=1 -f "$T/mend.sql" >"$T/mended" 2>&1 ||
		{ cat "$T/mend.sql" "$T/mended"; return 1; }
}

try 'a new server lacks what ikm does not make: the statements make it' <<'E'
fails 1 doctor >out
same 'everybody may connect to the database
the role '\''ada'\'' has no idle_in_transaction_session_timeout
the role '\''ada'\'' has no statement_timeout
the role '\''bob'\'' has no idle_in_transaction_session_timeout
the role '\''bob'\'' has no statement_timeout' "$(jq -r '.problems[].message' out)"
fails 1 env PGUSER=admin ikm sync doctor >text
grep -qx "  alter role ada set statement_timeout = '60s';" text
mend
same 'no problem found: schema 7' "$(PGUSER=admin ikm sync doctor)"
same 'true 0 0' "$(doctor | jq -r '"\(.healthy) \(.problems | length) \(.unseen | length)"')"
sync a1
left=$(pg_sql admin "select count(*) from pg_class where relname in ('memories', 'tenants')")
same 2 "$left"
E

try 'it says what a role cannot look at, and is not healthy then' <<'E'
fails 1 doctor service >out
same 'false 0 the numbers and the owners of rows' "$(jq -r '"\(.healthy) \(.problems | length) \(.unseen[].what)"' out)"
fails 1 doctor ada >out
same 'members and their roles
the numbers and the owners of rows' "$(jq -r '.unseen[].what' out)"
fails_for NOT_ALLOWED doctor eve >out
pg_sql admin 'update ikm.server set version = 6'
fails_for SERVER_OLD doctor >out
grep -q 'sync migrate' out
pg_sql admin 'update ikm.server set version = 7'
E

# A line: what the administrator did; what the doctor says.
ill() {
	while IFS='|' read -r sql says; do
		pg_sql admin "$sql" || { echo "$sql"; exit 1; }
		fails 1 doctor >out || { echo "$sql"; exit 1; }
		jq -r '.problems[].message' out >said
		grep -qF "$says" said || { echo "$sql"; cat said; exit 1; }
		mend || { echo "$sql"; exit 1; }
		doctor >out || { echo "$sql"; cat "$T/mend.sql"; jq . out; exit 1; }
		cp out well
	done
	least 1 well
}

long 'row level security, rights and functions' <<'E'
ill <<'L'
alter table ikm.memories no force row level security|the row level security of memories
grant update on ikm.memories to ada|the role 'ada' may do this, and should not: update on memories
revoke update (gone) on ikm.memories from bob|the role 'bob' may not do this: update (gone) on memories
grant select on ikm.assets to eve|the role 'eve' is no member of a tenant, and may do this: select on assets
alter function ikm.number_given() owner to eve|function ikm.number_given() belongs to eve
L
E

more 'each kind of object of the schema, each right, each setting' <<'E'
ill <<'L'
alter table ikm.events disable row level security|the row level security of events
drop policy own_new on ikm.memories|the policy own_new of memories
drop policy own on ikm.assets; create policy own on ikm.assets using (true)|the policy own of assets
create policy all_see on ikm.memories for select using (true)|the policy all_see of memories is none of ikm's
drop trigger events_stay on ikm.events|the trigger events_stay of events
drop trigger tenants_grow on ikm.tenants; create trigger tenants_grow before insert on ikm.tenants for each row execute function ikm.number_grows()|the trigger tenants_grow of tenants
alter table ikm.memories drop constraint memories_tombstone, add constraint memories_tombstone check (true)|the constraint memories_tombstone of memories
alter table ikm.memories disable trigger memories_number|the trigger memories_number of memories
alter table ikm.memories drop constraint memories_tombstone|the constraint memories_tombstone of memories
drop index ikm.memories_pull|the index memories_pull of memories
alter table ikm.memories drop gone|the column gone of memories
alter function ikm.clock_holds() reset search_path|the function clock_holds
create or replace function ikm.number_grows() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin return new; end'|the function number_grows
alter table ikm.members owner to bob|table ikm.members belongs to bob
grant usage on schema ikm to eve|the role 'eve' is no member of a tenant, and may do this: usage of the schema
revoke usage on schema ikm from ada|the role 'ada' may not do this: usage of the schema
grant select on ikm.server to public|the role 'public' is no member of a tenant
grant insert on ikm.events to ada with grant option|insert on events with grant option
grant delete on ikm.memories to ada; revoke update (seq) on ikm.memories from ada|may not do this: update (seq) on memories, and may do this, and should not: delete on memories
alter role ada bypassrls|the role 'ada' is not bound by row level security
alter role bob superuser|the role 'bob' is not bound by row level security
grant ada to eve|the role 'eve' may act as 'ada'
grant service to bob|the role 'bob' may act as 'service'
alter role bob set statement_timeout = 0|the role 'bob' has no statement_timeout
revoke connect on database one from bob|the role 'bob' has no right to connect
revoke temporary on database one from public; grant temporary on database one to ada|the role 'bob' has no right to temporary
grant connect on database one to public|everybody may connect
insert into ikm.members (tenant, login, layers) values ('acme', 'left', '{}')|the role 'left' of the tenant 'acme' is gone
L
# All machines still sync.
add a1 'a second fact' >/dev/null
sync a1 b1 a1
same '0 0 0 0 0 0' "$(counts a1)"
E

try 'numbers of rows above that of their tenant' <<'E'
pg_sql admin "alter table ikm.memories disable trigger user; alter table ikm.events disable trigger user;
	update ikm.memories set seq = 9000000000000000000; update ikm.events set seq = seq + 5000000;
	alter table ikm.memories enable trigger user; alter table ikm.events enable trigger user"
fails 1 doctor >out
grep -q 'memories of the tenant .acme. have a number above' out
grep -q 'events of the tenant .acme. have a number above' out
mend
doctor >out
same 0 "$(pg_sql admin 'select count(*) from ikm.memories m join ikm.tenants using (tenant) where seq > last or seq <= 0')"
rm -rf "$T/w/a2"
sync a2
same "$(at a1 'select count(*) from memories')" "$(at a2 'select count(*) from memories')"
E

try 'the name of a former member' <<'E'
member hal --layer project
pg_sql admin 'grant connect on database one to hal'
pg_sql hal "update ikm.tenants set last = last + 1; insert into ikm.machines (tenant, machine, nonce) values ('acme', 'm', 'n')"
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member remove hal >/dev/null
mend
doctor >out
member hal --layer project
fails 1 doctor >out
grep -q "a machine of 'hal' pushed to the tenant 'acme' before 'hal' became a member" out
E
done_testing
