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
-- A pull wants the first rows of an index, in its order: a sort would read all that follow, for each batch.
-- The cost that a plan without an alternative is given would start the JIT compiler: two seconds.
-- name: quiet
select set_config('client_min_messages', 'warning', false),
	set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
	set_config('idle_in_transaction_session_timeout', '60s', false),
	set_config('search_path', 'pg_catalog', false),
	set_config('standard_conforming_strings', 'on', false),
	set_config('enable_nestloop', 'off', false), set_config('enable_sort', 'off', false),
	set_config('jit', 'off', false);

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
-- part: member_grants
array[
	'grant usage on schema ikm to %s',
	'grant select on ikm.server, ikm.members to %s',
	'grant select, update (last) on ikm.tenants to %s',
	'grant select, insert on ikm.memories, ikm.assets, ikm.machines to %s',
	'grant update (seq, clock, machine, layer, whose, deleted_at, gone, memory) on ikm.memories to %s',
	'grant update (seq, clock, machine, deleted_at, description, category, read_only, content) on ikm.assets to %s',
	'grant update (nonce, seen_at, label, synced_at) on ikm.machines to %s',
	'grant select, insert on ikm.events, ikm.checkpoints to %s'];

-- part: member_revokes
array[
	'revoke all on all tables in schema ikm from %s',
	'revoke update (last) on ikm.tenants from %s',
	'revoke usage on schema ikm from %s'];

-- name: grants
select format(s, quote_ident($1)) from unnest({member_grants}) s;

-- name: revokes
select format(s, quote_ident($1)) from unnest({member_revokes}) s
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

-- ---- doctor ----

-- A statement of a migration for temporary tables. What a member gets, a role gets there that each
-- server has.
-- name: doctor_copy
select replace(replace($1, 'create schema ikm;', ''), 'ikm.', 'pg_temp.');

-- name: doctor_copy_grants
select replace(format(s, 'pg_monitor'), 'ikm.', 'pg_temp.') from unnest({member_grants}) s
where s like '%ikm.%';

-- Tables of both schemas have the same names, so with this path the names of the temporary ones are
-- written with their schema.
-- name: doctor_path
set local search_path = pg_catalog, ikm, pg_temp;

-- What the role cannot look at, and who can.
-- name: doctor_unseen
select what, who from (values
	('members and their roles', not pg_has_role(current_user, (select nspowner from pg_namespace
		where nspname = 'ikm'), 'usage') and row_security_active('ikm.members'),
		'the service role does'),
	('the numbers and the owners of rows', row_security_active('ikm.memories'),
		'a superuser, or a role with bypassrls, does')) v (what, hidden, who)
where hidden;

-- Where the schema differs from its copy, and the statements that end it. A fact is a statement: the
-- same one must make it in both.
-- name: doctor_schema
with tables as (select nspname = 'ikm' as here, c.* from pg_namespace n join pg_class c
		on relnamespace = n.oid and relkind = 'r'
	where nspname = 'ikm' or n.oid = pg_my_temp_schema()),
facts (here, what, statement) as (
	select here, 'the row level security of ' || relname,
		format('alter table ikm.%I %s row level security', relname, how)
	from tables, (values ('enable'), ('force')) v (how)
	where case how when 'enable' then relrowsecurity else relforcerowsecurity end
	union all select here, format('the column %s of %s', attname, relname),
		format('alter table ikm.%I add column %I %s', relname, attname, format_type(atttypid, atttypmod))
			|| case when attnotnull then ' not null' else '' end
			|| coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
	from tables t join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped
		left join pg_attrdef on adrelid = attrelid and adnum = attnum
	union all select here, format('the constraint %s of %s', conname, relname),
		format('alter table ikm.%1$I drop constraint if exists %2$I, add constraint %2$I %3$s', relname, conname,
			replace(pg_get_constraintdef(n.oid), ' NOT VALID', ''))
	from tables t join pg_constraint n on conrelid = t.oid and contype in ('c', 'p', 'f', 'u')
	union all select here, format('the index %s of %s', i.relname, t.relname),
		format('drop index if exists ikm.%I; %s', i.relname, pg_get_indexdef(i.oid))
	from tables t join pg_index on indrelid = t.oid and not indisprimary
		join pg_class i on i.oid = indexrelid
	union all select here, format('the trigger %s of %s', tgname, relname),
		format('drop trigger if exists %1$I on ikm.%2$I; %3$s; alter table ikm.%2$I %4$s trigger %1$I',
			tgname, relname, pg_get_triggerdef(g.oid),
			case when tgenabled in ('O', 'A') then 'enable' else 'disable' end)
	from tables t join pg_trigger g on tgrelid = t.oid and not tgisinternal
	union all select here, format('the policy %s of %s', polname, relname),
		format('drop policy if exists %1$I on ikm.%2$I; create policy %1$I on ikm.%2$I as %s for %s to %s',
			polname, relname, case when polpermissive then 'permissive' else 'restrictive' end,
			case polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert'
				when 'w' then 'update' else 'delete' end,
			case when polroles = '{0}' then 'public' else (select string_agg(quote_ident(rolname), ', ')
				from pg_roles r where r.oid = any (polroles)) end)
			|| coalesce(' using (' || pg_get_expr(polqual, polrelid) || ')', '')
			|| coalesce(' with check (' || pg_get_expr(polwithcheck, polrelid) || ')', '')
	from tables t join pg_policy on polrelid = t.oid
	union all select nspname = 'ikm', 'the function ' || proname,
		rtrim(pg_get_functiondef(p.oid), E'\n')
	from pg_namespace n join pg_proc p on pronamespace = n.oid
	where nspname = 'ikm' or n.oid = pg_my_temp_schema()),
same (here, what, fact, statement) as (
	select here, what, regexp_replace(statement, '\m(ikm|pg_temp(_\d+)?)\.', '', 'g'),
		regexp_replace(statement, '\mpg_temp(_\d+)?\.', 'ikm.', 'g') from facts)
select what || ' is missing, or differs', statement
from same s where not here and not exists (select from same o where o.here and o.fact = s.fact)
union all
select what || ' is none of ikm''s', split_part(statement, ';', 1)
from same s where here and what like 'the policy %'
	and not exists (select from same o where not o.here and o.what = s.what)
union all
select format('%s belongs to %s', what, pg_get_userbyid(owner)),
	format('alter %s owner to %I', what, (select rolname from pg_roles r where r.oid = nspowner))
from pg_namespace n join (
	select relnamespace, 'table ikm.' || quote_ident(relname), relowner from pg_class where relkind = 'r'
	union all select pronamespace, format('function ikm.%I(%s)', proname, pg_get_function_identity_arguments(p.oid)), proowner from pg_proc p
) o (nsp, what, owner) on nsp = n.oid
where nspname = 'ikm' and owner <> nspowner
order by 1;

-- The same for roles: their rights, their settings, and who may connect.
-- name: doctor_roles
with schema as (select oid, nspacl, nspowner, pg_get_userbyid(nspowner) as service,
		quote_ident(current_database()) as db
	from pg_namespace where nspname = 'ikm'),
rights (here, role, what) as (
	select nspname = 'ikm', grantee, lower(privilege_type) || place
		|| case when is_grantable then ' with grant option' else '' end
	from pg_namespace n, lateral (select a.*, ' on ' || relname from pg_class, aclexplode(relacl) a
			where relnamespace = n.oid and relkind = 'r' and grantee <> relowner
		union all select a.*, format(' (%s) on %s', attname, relname) from pg_class c
			join pg_attribute on attrelid = c.oid and not attisdropped, aclexplode(attacl) a
			where relnamespace = n.oid and relkind = 'r' and grantee <> relowner
		union all select a.*, ' of the schema' from aclexplode(nspacl) a
			where nspname = 'ikm' and grantee <> nspowner
	) a (grantor, grantee, privilege_type, is_grantable, place)
	where nspname = 'ikm' or n.oid = pg_my_temp_schema()
	union all select false, oid, 'usage of the schema' from pg_roles where rolname = 'pg_monitor'),
needed as (select what from rights where not here),
members as (select oid, rolname, rolsuper or rolbypassrls as unbound from pg_roles
	where rolname in (select login from ikm.members)),
differing (name, member, lacks, has) as (
	select r.name, member,
		(select string_agg(what, ', ' order by what) from needed n where member
			and not exists (select from rights h where here and h.role = r.oid and h.what = n.what)),
		(select string_agg(what, ', ' order by what) from rights h where here and h.role = r.oid
			and not (member and what in (select what from needed)))
	from (select oid, rolname as name, true as member from members
		union all select role, case role when 0 then 'public' else pg_get_userbyid(role) end, false
		from (select distinct role from rights where here) g where role not in (select oid from members)) r)
select case when not member then format('the role %L is no member of a tenant, and may do this: %s', name, has)
		else format('the role %L', name) || coalesce(' may not do this: ' || lacks, '')
			|| case when lacks <> '' and has <> '' then ', and' else '' end
			|| coalesce(' may do this, and should not: ' || has, '') end,
	(select 'begin; ' || string_agg(format(s, quote_ident(name)), '; ' order by n) || '; commit'
		from unnest({member_revokes} || case when member then {member_grants} end) with ordinality u (s, n))
from differing where lacks <> '' or has <> ''
union all
select format('the role %L of the tenant %L is gone', login, tenant),
	format('delete from ikm.members where tenant = %L and login = %L', tenant, login)
from ikm.members where login not in (select rolname from pg_roles)
union all
select format('the role %L is not bound by row level security', rolname),
	format('alter role %I nosuperuser nobypassrls', rolname) from members where unbound
union all
select format('the role %L may act as %L', g.rolname, r.rolname), format('revoke %I from %I', r.rolname, g.rolname)
from pg_auth_members a join pg_roles r on r.oid = roleid join pg_roles g on g.oid = member, schema
where to_jsonb(a) ->> 'set_option' is distinct from 'false'
	and (roleid in (select oid from members) or roleid = nspowner and member in (select oid from members))
union all
select 'everybody may connect to the database', format('grant connect on database %s to %s; revoke connect on database %1$s from public',
	db, (select string_agg(quote_ident(name), ', ' order by name)
		from (select service union select rolname from members) m (name)))
from schema, pg_database where datname = current_database()
	and exists (select from aclexplode(coalesce(datacl, acldefault('d', datdba)))
		where grantee = 0 and privilege_type = 'CONNECT')
union all
select format('the role %L has no right to %s in the database', rolname, p),
	format('grant %s on database %s to %I', p, db, rolname)
from schema, members, unnest(array['connect', 'temporary']) p
where not has_database_privilege(rolname, current_database(), p)
union all
select format('the role %L has no %s', rolname, t), format('alter role %I set %s = ''60s''', rolname, t)
from members m, unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) t
where not exists (select from pg_db_role_setting, unnest(setconfig) c
	where setrole in (0, m.oid) and c like t || '=%' and split_part(c, '=', 2) !~ '^0*[a-z]*$'
		and setdatabase in (0, (select oid from pg_database where datname = current_database())))
order by 1;

-- Rows that no machine may have pushed so. Only events refuse a change of their number.
-- name: doctor_rows
select format('%s of the tenant %L have a number above that of the tenant: %s', what, tenant, n),
	format('begin; alter table ikm.%I disable trigger user; '
		'update ikm.tenants set last = last + %s where tenant = %L; '
		'update ikm.%1$I s set seq = n.first + n.n from (select r.ctid, t.last - %2$s as first, '
		'row_number() over (order by r.seq) as n from ikm.%1$I r join ikm.tenants t using (tenant) '
		'where tenant = %3$L and r.seq > t.last - %2$s) n where s.ctid = n.ctid; '
		'alter table ikm.%1$I enable trigger user; commit', what, n, tenant)
from (select what, tenant, count(*) as n from ikm.tenants join (
		select 'memories', tenant, seq from ikm.memories union all select 'assets', tenant, seq from ikm.assets
		union all select 'events', tenant, seq from ikm.events) r (what, tenant, seq) using (tenant)
	where seq > last group by what, tenant) w
union all
select format('a machine of %L pushed to the tenant %L before %1$L became a member: perhaps it was another person', login, tenant),
	format('-- another person: ikm sync member remove %1$I, then purge %1$I, then add %1$I again; '
		'the same person: delete from ikm.machines where tenant = %2$L and owner = %1$L and seen_at < %3$L',
		login, tenant, since)
from ikm.members m where exists (select from ikm.machines n
	where n.tenant = m.tenant and n.owner = m.login and n.seen_at < m.since)
order by 1;

-- ---- push and pull ----

-- The schema, and who this is: null for somebody who is no member.
-- After a promotion, the checkpoint has the former timeline for a while.
-- name: hello
select s.version, s.incarnation, t.last, array_to_json(m.layers)::text,
	c.system_identifier || '/' || case when pg_is_in_recovery() then k.timeline_id
		else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end
		|| '/' || 'ikm.memories'::regclass::oid::text,
	current_user,
	(select nonce from ikm.machines n where n.tenant = t.tenant and n.owner = current_user
		and n.machine = $2),
	(select json_agg(json_build_array(machine, label, floor(extract(epoch from synced_at) * 1000)::bigint)
			order by machine)::text
		from ikm.machines n where n.tenant = t.tenant and n.owner = current_user),
	not exists (select from ikm.machines n where n.tenant = t.tenant and n.owner = current_user
		and n.machine = $2 and n.label = $3 and n.synced_at > now() - interval '1 hour')
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

-- A machine that never pushes is told of, too.
-- name: machine_synced
insert into ikm.machines (tenant, machine, nonce, label, synced_at) values ($1, $2, coalesce($4, ''), $3, now())
on conflict (tenant, owner, machine) do update set label = excluded.label, synced_at = now();

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
