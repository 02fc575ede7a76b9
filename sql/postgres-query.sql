-- Statements for Postgres, by name. Parameters are $1, $2 and so on, all as text.

-- name: begin
begin;

-- name: commit
commit;

-- name: rollback
rollback;

-- The planner takes rows of one owner for few, whatever their number, and would read a whole table
-- for each of them. Below, single keys are looked up by a subquery that cannot become a join; the
-- indexes of numbers are partial, so the primary key is the only one for it.
-- The cost that a plan without an alternative is given would start the JIT compiler: two seconds.
-- name: quiet
select set_config('client_min_messages', 'warning', false),
	set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
	set_config('idle_in_transaction_session_timeout', '60s', false),
	set_config('search_path', 'pg_catalog', false),
	set_config('standard_conforming_strings', 'on', false),
	set_config('enable_nestloop', 'off', false), set_config('jit', 'off', false);

-- One migration at a time. Members may not lock this table so, as they might an advisory lock.
-- name: migrate_lock
lock table ikm.server in exclusive mode;

-- Who may keep others waiting: sessions that have locks on the tables, other than those of a reader.
-- A migration waits for readers, too.
-- name: holders
select string_agg(distinct a.usename, ', ' order by a.usename)
from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.granted and l.pid <> pg_backend_pid()
	and l.database = (select oid from pg_database where datname = current_database())
	and l.relation in (select oid from pg_class where relkind = 'r'
		and relnamespace = (select oid from pg_namespace where nspname = 'ikm'))
	and (l.mode <> 'AccessShareLock' or pg_has_role(current_user,
		(select nspowner from pg_namespace where nspname = 'ikm'), 'usage'));

-- name: schema_there
select to_regclass('ikm.server') is not null,
	exists (select 1 from pg_namespace where nspname = 'ikm');

-- name: schema_version
select version, incarnation from ikm.server;

-- name: schema_first
insert into ikm.server (one, version) values (1, $1);

-- name: schema_set
update ikm.server set version = $1, migrated_at = now();

-- What may keep a role from making the schema.
-- name: may_create
select has_database_privilege(current_database(), 'create'), current_database(), current_user;

-- name: role_there
select rolcanlogin, rolsuper or rolbypassrls,
	pg_has_role(rolname, (select nspowner from pg_namespace where nspname = 'ikm'), 'usage')
from pg_roles where rolname = $1;

-- name: tenant_put
insert into ikm.tenants (tenant) values ($1) on conflict (tenant) do nothing;

-- name: member_put
insert into ikm.members (tenant, login, layers) values ($1, $2, $3::text[])
on conflict (tenant, login) do update set layers = excluded.layers
returning xmax = 0;

-- name: member_remove
delete from ikm.members where tenant = $1 and login = $2;

-- name: members
select login, array_to_json(layers)::text, floor(extract(epoch from since) * 1000)::bigint,
	exists (select 1 from pg_roles r where r.rolname = login)
from ikm.members where tenant = $1 order by login;

-- name: member_elsewhere
select 1 from ikm.members where login = $1 limit 1;

-- The statements that give a role what a member needs, and that take it. A role has no parameter. The
-- right to update a whole table would be the right to lock it; that to update columns is not.
-- name: grants
select format(s, quote_ident($1)) from unnest(array[
	'grant usage on schema ikm to %s',
	'grant select on ikm.server, ikm.members to %s',
	'grant select, update (last) on ikm.tenants to %s',
	'grant select, insert on ikm.memories, ikm.assets, ikm.machines to %s',
	'grant update (seq, clock, machine, layer, whose, deleted_at, gone, memory) on ikm.memories to %s',
	'grant update (seq, clock, machine, deleted_at, description, category, read_only, content) on ikm.assets to %s',
	'grant update (nonce, seen_at) on ikm.machines to %s',
	'grant select, insert on ikm.events, ikm.checkpoints to %s']) s;

-- name: revokes
select format(s, quote_ident($1)) from unnest(array[
	'revoke all on all tables in schema ikm from %s',
	'revoke update (last) on ikm.tenants from %s',
	'revoke usage on schema ikm from %s']) s
where exists (select 1 from pg_roles where rolname = $1);

-- ---- purge ----

-- What people store, for the owner of the tables alone, and back.
-- name: purge_tables
select format('alter table ikm.%I %s', relname, $1::text) from pg_class c
where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = 'ikm')
	and exists (select from pg_attribute where attrelid = c.oid and attname = 'owner');

-- The clock is above that of every version, and the machine is none of the owner's: all of them hear of it.
-- name: purge_memories
update ikm.memories s set seq = $3::bigint + r.n, machine = 'sync member purge', gone = 'withdrawn', memory = null,
	deleted_at = now.ms, clock = greatest(s.clock + 1, now.ms << 16)
from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms) now,
	(select ctid, row_number() over () as n from ikm.memories
		where tenant = $1 and owner = $2 and memory is not null limit $4::bigint) r
where s.ctid = r.ctid;

-- name: purge_rest
with a as (delete from ikm.assets where tenant = $1 and owner = $2 returning 1),
e as (delete from ikm.events where tenant = $1 and owner = $2 returning 1),
c as (delete from ikm.checkpoints where tenant = $1 and owner = $2 returning 1),
m as (delete from ikm.machines where tenant = $1 and owner = $2 returning 1)
select (select count(*) from a), (select count(*) from e), (select count(*) from m), (select count(*) from c);

-- ---- push and pull ----

-- The schema, and who this is: null for somebody who is no member.
-- name: hello
select s.version, s.incarnation, t.last, array_to_json(m.layers)::text,
	c.system_identifier || '/' || k.timeline_id || '/' || 'ikm.memories'::regclass::oid::text,
	current_user,
	(select nonce from ikm.machines n where n.tenant = t.tenant and n.owner = current_user
		and n.machine = $2)
from ikm.server s cross join pg_control_system() c cross join pg_control_checkpoint() k
	left join (ikm.tenants t join ikm.members m on m.tenant = t.tenant and m.login = current_user)
		on t.tenant = $1;

-- name: push_table
create temporary table if not exists ikm_push (n bigint not null, id text not null,
	clock bigint not null, machine text not null, base bigint not null, layer text, whose text, deleted_at bigint,
	memory json, gone text) on commit delete rows;

-- Gives numbers to $2 rows. Others of the tenant wait until the transaction ends, so rows become
-- visible in the order of their numbers.
-- name: push_begin
update ikm.tenants set last = last + $2 where tenant = $1 returning last;

-- $4: the nonce that this home knows. No row: another home has the same name, and came first.
-- name: push_nonce
insert into ikm.machines as s (tenant, machine, nonce) values ($1, $2, $3)
on conflict (tenant, owner, machine) do update set nonce = excluded.nonce, seen_at = now()
where s.nonce in ($3, $4);

-- name: push_copy
copy pg_temp.ikm_push from stdin;

-- Takes out what another machine has changed since this one read it.
-- name: push_refused
delete from pg_temp.ikm_push p
where (select s.clock > p.base and not (s.machine = p.machine and s.clock <= p.clock)
	from ikm.memories s where s.tenant = $1 and s.owner = current_user and s.id = p.id)
returning p.id;

-- A tombstone never makes a row: an insert would need the right to the layer. The rows are found by
-- their places, since a join would read all of the owner's. push_begin keeps others from moving them.
-- name: push_withdraw
update ikm.memories s set seq = $2::bigint + p.n, clock = p.clock, machine = p.machine,
	deleted_at = p.deleted_at, gone = p.gone, memory = null
from pg_temp.ikm_push p
where p.memory is null and s.id = p.id and (s.clock <> p.clock or s.machine <> p.machine)
	and s.ctid = any (array(select (select m.ctid from ikm.memories m
			where m.tenant = $1 and m.owner = current_user and m.id = g.id)
		from pg_temp.ikm_push g where g.memory is null));

-- name: push_put
insert into ikm.memories as s (tenant, id, seq, clock, machine, layer, whose, memory)
select $1, p.id, $2::bigint + p.n, p.clock, p.machine, p.layer, p.whose, p.memory
from pg_temp.ikm_push p where p.memory is not null
on conflict (tenant, owner, id) do update set seq = excluded.seq, clock = excluded.clock,
	machine = excluded.machine, layer = excluded.layer, whose = excluded.whose,
	deleted_at = null, gone = null, memory = excluded.memory
where s.clock <> excluded.clock or s.machine <> excluded.machine;

-- Rows behind a number, but for those of this machine: of the layers $5, a JSON list, and tombstones
-- of all, for what was shared before. At most $4, and none behind $6 bytes of text.
-- name: pull
select seq, mine, owner, id, clock, machine, layer, whose, deleted_at, memory, gone from (
	select *, coalesce(sum(octet_length(memory::text)) over (order by seq
		rows between unbounded preceding and 1 preceding), 0) as before
	from (select *, owner = current_user as mine from ikm.memories
		where tenant = $1 and seq > $2 and seq > 0
			and not (owner = current_user and machine = $3) and (memory is null
				or layer = any (array(select json_array_elements_text($5::json))))
		order by seq limit $4) r) b
where before < $6::bigint order by seq;

-- The rows $2, a JSON list of ids, as the statement before has them.
-- name: pull_again
select seq, owner = current_user, owner, id, clock, machine, layer, whose, deleted_at, memory, gone
from ikm.memories
where tenant = $1 and id = any (array(select json_array_elements_text($2::json)))
	and not (owner = current_user and machine = $3)
	and (memory is null or layer = any (array(select json_array_elements_text($4::json))))
order by seq;

-- ---- events ----

-- name: push_events_table
create temporary table if not exists ikm_push_events (n bigint not null, machine text not null,
	number bigint not null, event jsonb not null) on commit delete rows;

-- name: push_events_copy
copy pg_temp.ikm_push_events from stdin;

-- A row that is there with other content.
-- name: push_events_other
select p.machine, p.number from pg_temp.ikm_push_events p
where p.event <> (select e.event from ikm.events e where e.tenant = $1
	and e.owner = current_user and e.machine = p.machine and e.number = p.number)
order by p.n limit 1;

-- name: push_events_put
insert into ikm.events (tenant, machine, number, seq, event)
select $1, p.machine, p.number, $2::bigint + p.n, p.event from pg_temp.ikm_push_events p
on conflict (tenant, owner, machine, number) do nothing;

-- name: push_checkpoint
insert into ikm.checkpoints (tenant, machine, number, checkpoint) values ($1, $2, $3, $4)
on conflict (tenant, owner, machine, number) do nothing;

-- name: record_last
select number from ikm.events where tenant = $1 and owner = current_user and machine = $2
order by number desc limit 1;

-- name: record_has
select 1 from ikm.events where tenant = $1 and owner = current_user and machine = $2
	and number = $3 and event ->> 'event_id' = $4 and coalesce(event ->> 'number', '0') = $5;

-- name: pull_events
select seq, machine, number, event, event ->> 'event_id', coalesce(event ->> 'number', '0')
from ikm.events
where tenant = $1 and seq > $2 and seq > 0 and owner = current_user and machine <> $3
order by seq limit $4;

-- ---- assets ----

-- name: push_assets_table
create temporary table if not exists ikm_push_assets (n bigint not null, path text not null,
	clock bigint not null, base bigint not null, deleted_at bigint, description text not null,
	category text not null, read_only boolean not null, content text) on commit delete rows;

-- name: push_assets_copy
copy pg_temp.ikm_push_assets from stdin;

-- name: push_assets_refused
delete from pg_temp.ikm_push_assets p
where (select s.clock > p.base and not (s.machine = $2 and s.clock <= p.clock)
	from ikm.assets s where s.tenant = $1 and s.owner = current_user and s.path = p.path)
returning p.path;

-- name: push_assets_put
insert into ikm.assets as s (tenant, path, seq, clock, machine, deleted_at, description, category,
	read_only, content)
select $1, p.path, $3::bigint + p.n, p.clock, $2, p.deleted_at, p.description, p.category,
	p.read_only, convert_to(p.content, 'UTF8')
from pg_temp.ikm_push_assets p
on conflict (tenant, owner, path) do update set seq = excluded.seq, clock = excluded.clock,
	machine = excluded.machine, deleted_at = excluded.deleted_at,
	description = excluded.description, category = excluded.category,
	read_only = excluded.read_only, content = excluded.content
where s.clock <> excluded.clock or s.machine <> excluded.machine;

-- Those behind a number, and those of $5, a JSON list of paths.
-- name: pull_assets
select seq, path, clock, machine, deleted_at, description, category, read_only,
	convert_from(content, 'UTF8')
from ikm.assets
where tenant = $1 and owner = current_user and machine <> $3
	and (seq > $2 or path = any (array(select json_array_elements_text($5::json))))
order by seq limit $4;
