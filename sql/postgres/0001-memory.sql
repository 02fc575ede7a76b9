-- What machines share: memories, assets, events. ikm-sync(7) explains the roles. Each person has a
-- login role. The service role owns this schema; row level security is forced, so it does not read
-- what people store. Every key begins with the tenant and the owner, so a hidden row cannot collide.
-- Policies ask current_user and the table of members, never a setting.

create schema ikm;

create table ikm.server (
	one integer primary key check (one = 1),
	version integer not null,
	incarnation uuid not null default gen_random_uuid(),
	migrated_at timestamptz not null default now()
);
comment on table ikm.server is 'one row: what this server is';
comment on column ikm.server.one is 'always 1';
comment on column ikm.server.version is 'how many migrations were done';
comment on column ikm.server.incarnation is 'another one after the schema was made anew';
comment on column ikm.server.migrated_at is 'when the last migration was done';

create table ikm.tenants (
	tenant text primary key check (tenant <> '' and length(tenant) <= 256),
	last bigint not null default 0 check (last >= 0),
	created_at timestamptz not null default now()
);
comment on table ikm.tenants is 'organisations that share this server; nothing crosses tenants';
comment on column ikm.tenants.tenant is 'the setting sync.tenant of its members';
comment on column ikm.tenants.last is 'the last number given to a row; a push raises it under its lock';
comment on column ikm.tenants.created_at is 'when its first member was added';

create table ikm.members (
	tenant text not null references ikm.tenants,
	login name not null,
	layers text[] not null,
	since timestamptz not null default now(),
	primary key (tenant, login)
);
comment on table ikm.members is 'who belongs to a tenant; a former member has no row';
comment on column ikm.members.tenant is 'the tenant';
comment on column ikm.members.login is 'the login role of the person';
comment on column ikm.members.layers is
	'shared layers that the person reads and writes: team, or one team alone: team:["web"]';
comment on column ikm.members.since is 'when the person was added';

create table ikm.memories (
	tenant text not null references ikm.tenants,
	owner name not null default current_user,
	id text not null check (id ~ '^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$'),
	seq bigint not null check (seq > 0),
	clock bigint not null check (clock > 0),
	machine text not null,
	layer text not null
		check (layer in ('agent', 'user', 'session', 'project', 'team', 'org', 'company')),
	whose text not null,
	deleted_at bigint,
	memory jsonb,
	primary key (tenant, owner, id),
	check (memory is null or memory ->> 'redaction' is distinct from 'sensitive'),
	check (memory is not null or deleted_at is not null)
);
create index memories_pull on ikm.memories (tenant, seq);
comment on table ikm.memories is 'memories of all machines, and tombstones';
comment on column ikm.memories.tenant is 'the tenant';
comment on column ikm.memories.owner is 'the login role of the person whose machines pushed it';
comment on column ikm.memories.id is 'mem_ and a ULID';
comment on column ikm.memories.seq is 'its number in the tenant; another one with each change';
comment on column ikm.memories.clock is 'hybrid logical clock of the change: the greater one wins';
comment on column ikm.memories.machine is 'the machine of the change; the greater wins of equal clocks';
comment on column ikm.memories.layer is 'who may see it: its layer';
comment on column ikm.memories.whose is 'the identifiers of its layer, as a JSON list';
comment on column ikm.memories.deleted_at is 'ms since 1970; null: it is not deleted or withdrawn';
comment on column ikm.memories.memory is 'the memory as it is exported; null: it was erased';

create table ikm.assets (
	tenant text not null references ikm.tenants,
	owner name not null default current_user,
	path text not null check (path <> ''),
	seq bigint not null check (seq > 0),
	clock bigint not null check (clock > 0),
	machine text not null,
	deleted_at bigint,
	description text not null default '',
	category text not null check (category in ('skill', 'block', 'preference')),
	read_only boolean not null default false,
	content bytea,
	primary key (tenant, owner, path),
	check (content is not null or deleted_at is not null)
);
create index assets_pull on ikm.assets (tenant, seq);
comment on table ikm.assets is 'stored assets, without pins; only their owner reads them';
comment on column ikm.assets.tenant is 'the tenant';
comment on column ikm.assets.owner is 'the login role of the person whose machines pushed it';
comment on column ikm.assets.path is 'without scheme and leading slash';
comment on column ikm.assets.seq is 'its number in the tenant; another one with each change';
comment on column ikm.assets.clock is 'hybrid logical clock of the change: the greater one wins';
comment on column ikm.assets.machine is 'the machine of the change';
comment on column ikm.assets.deleted_at is 'ms since 1970; null: it is not deleted';
comment on column ikm.assets.description is 'its description';
comment on column ikm.assets.category is 'skill, block or preference';
comment on column ikm.assets.read_only is 'tools may not change it';
comment on column ikm.assets.content is 'UTF-8; null: it is deleted';

create table ikm.events (
	tenant text not null references ikm.tenants,
	owner name not null default current_user,
	machine text not null,
	number bigint not null check (number > 0),
	seq bigint not null check (seq > 0),
	event jsonb not null,
	primary key (tenant, owner, machine, number)
);
create index events_pull on ikm.events (tenant, seq);
comment on table ikm.events is 'steps of recorded changes, append-only; only their owner reads them';
comment on column ikm.events.tenant is 'the tenant';
comment on column ikm.events.owner is 'the login role of the person whose machine recorded it';
comment on column ikm.events.machine is 'the machine that recorded it';
comment on column ikm.events.number is 'its place in the record of that machine';
comment on column ikm.events.seq is 'its number in the tenant';
comment on column ikm.events.event is 'the columns of its row, chain included';

create function ikm.refuse() returns trigger language plpgsql as $$
begin
	raise exception 'events are append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger events_stay before update or delete on ikm.events
	for each row execute function ikm.refuse();
create trigger events_all_stay before truncate on ikm.events
	for each statement execute function ikm.refuse();

-- Each push raises the number. A member who lowered it would hide rows from all others.
create function ikm.number_grows() returns trigger language plpgsql as $$
begin
	if new.last <= old.last or new.last - old.last > 1000000 or new.tenant <> old.tenant then
		raise exception 'the number of a tenant only grows'
			using errcode = 'insufficient_privilege';
	end if;
	return new;
end $$;
create trigger tenants_grow before update on ikm.tenants
	for each row execute function ikm.number_grows();

alter table ikm.server enable row level security;
alter table ikm.server force row level security;
alter table ikm.tenants enable row level security;
alter table ikm.tenants force row level security;
alter table ikm.members enable row level security;
alter table ikm.members force row level security;
alter table ikm.memories enable row level security;
alter table ikm.memories force row level security;
alter table ikm.assets enable row level security;
alter table ikm.assets force row level security;
alter table ikm.events enable row level security;
alter table ikm.events force row level security;

-- The owner of the schema is the service role: it maintains server, tenants and members alone.
create policy everybody on ikm.server for select using (true);
create policy service on ikm.server using (pg_has_role(current_user,
	(select nspowner from pg_namespace where nspname = 'ikm'), 'usage'));
create policy service on ikm.tenants using (pg_has_role(current_user,
	(select nspowner from pg_namespace where nspname = 'ikm'), 'usage'));
create policy service on ikm.members using (pg_has_role(current_user,
	(select nspowner from pg_namespace where nspname = 'ikm'), 'usage'));

create policy own on ikm.members for select using (login = current_user);
create policy member on ikm.tenants for select
	using (exists (select 1 from ikm.members m
		where m.tenant = tenants.tenant and m.login = current_user));
create policy member_grows on ikm.tenants for update
	using (exists (select 1 from ikm.members m
		where m.tenant = tenants.tenant and m.login = current_user));

create policy own_or_shared on ikm.memories for select
	using (exists (select 1 from ikm.members m
		where m.tenant = memories.tenant and m.login = current_user
			and (memories.owner = current_user
				or memories.layer in ('project', 'team', 'org', 'company')
				and (memories.layer = any (m.layers)
					or memories.layer || ':' || memories.whose = any (m.layers)))));
create policy own_new on ikm.memories for insert
	with check (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = memories.tenant and m.login = current_user
			and (memories.layer in ('agent', 'user', 'session')
				or memories.layer = any (m.layers)
				or memories.layer || ':' || memories.whose = any (m.layers))));
create policy own_changed on ikm.memories for update
	using (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = memories.tenant and m.login = current_user))
	with check (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = memories.tenant and m.login = current_user
			and (memories.layer in ('agent', 'user', 'session')
				or memories.deleted_at is not null
				or memories.layer = any (m.layers)
				or memories.layer || ':' || memories.whose = any (m.layers))));

create policy own on ikm.assets
	using (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = assets.tenant and m.login = current_user));
create policy own_read on ikm.events for select
	using (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = events.tenant and m.login = current_user));
create policy own_new on ikm.events for insert
	with check (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = events.tenant and m.login = current_user));
