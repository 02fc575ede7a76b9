-- Statements for Postgres, by name. Parameters are $1, $2 and so on, all as text.

-- name: begin
begin;

-- name: commit
commit;

-- name: rollback
rollback;

-- name: quiet
select set_config('client_min_messages', 'warning', false),
	set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
	set_config('idle_in_transaction_session_timeout', '60s', false),
	set_config('search_path', 'pg_catalog', false),
	set_config('standard_conforming_strings', 'on', false);

-- One migration at a time, whoever runs it: the number is "ikm" in ASCII.
-- name: migrate_lock
select pg_advisory_xact_lock(6908781);

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

-- The statements that give a role what a member needs, and that take it. A role has no parameter.
-- name: grants
select format(s, quote_ident($1)) from unnest(array[
	'grant usage on schema ikm to %s',
	'grant select on ikm.server, ikm.members to %s',
	'grant select, update (last) on ikm.tenants to %s',
	'grant select, insert, update on ikm.memories, ikm.assets to %s',
	'grant select, insert on ikm.events to %s']) s;

-- name: revokes
select format(s, quote_ident($1)) from unnest(array[
	'revoke all on all tables in schema ikm from %s',
	'revoke update (last) on ikm.tenants from %s',
	'revoke usage on schema ikm from %s']) s
where exists (select 1 from pg_roles where rolname = $1);
