-- What push and pull need: the machines of each person, the text of memories as it was written
-- (jsonb would sort its members and change its numbers), and a limit for clocks.

alter table ikm.memories alter column memory type json using memory::json;
comment on column ikm.memories.memory is 'the memory as it is exported; null: it was deleted';

create table ikm.machines (
	tenant text not null references ikm.tenants,
	owner name not null default current_user,
	machine text not null check (machine <> ''),
	nonce text not null,
	seen_at timestamptz not null default now(),
	primary key (tenant, owner, machine)
);
comment on table ikm.machines is 'machines that pushed; only their owner reads them';
comment on column ikm.machines.tenant is 'the tenant';
comment on column ikm.machines.owner is 'the login role of the person';
comment on column ikm.machines.machine is 'the machine';
comment on column ikm.machines.nonce is 'changes with each sync: a copied home does not know it';
comment on column ikm.machines.seen_at is 'when it pushed last';

alter table ikm.machines enable row level security;
alter table ikm.machines force row level security;
create policy own on ikm.machines
	using (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = machines.tenant and m.login = current_user));

create table ikm.checkpoints (
	tenant text not null references ikm.tenants,
	owner name not null default current_user,
	machine text not null check (machine <> ''),
	number bigint not null check (number > 0),
	checkpoint text not null,
	primary key (tenant, owner, machine, number)
);
comment on table ikm.checkpoints is
	'signed statements of how long a record is, append-only; only their owner reads them';
comment on column ikm.checkpoints.tenant is 'the tenant';
comment on column ikm.checkpoints.owner is 'the login role of the person';
comment on column ikm.checkpoints.machine is 'the machine that signed';
comment on column ikm.checkpoints.number is 'the last row of its record then';
comment on column ikm.checkpoints.checkpoint is 'the text with its signature';

alter table ikm.checkpoints enable row level security;
alter table ikm.checkpoints force row level security;
create policy own_read on ikm.checkpoints for select
	using (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = checkpoints.tenant and m.login = current_user));
create policy own_new on ikm.checkpoints for insert
	with check (owner = current_user and exists (select 1 from ikm.members m
		where m.tenant = checkpoints.tenant and m.login = current_user));
create trigger checkpoints_stay before update or delete on ikm.checkpoints
	for each row execute function ikm.refuse();
create trigger checkpoints_all_stay before truncate on ikm.checkpoints
	for each statement execute function ikm.refuse();

-- A clock far ahead would win over every later change. The trigger runs once for each statement.
create function ikm.clock_holds() returns trigger language plpgsql as $$
declare
	wrong text;
begin
	select n.machine into wrong from fresh n where n.clock >
		((extract(epoch from clock_timestamp()) * 1000)::bigint + 86400000) << 16 limit 1;
	if found then
		raise exception 'the clock of the machine % is over a day ahead', wrong
			using errcode = 'datetime_field_overflow';
	end if;
	return null;
end $$;
create trigger memories_clock_new after insert on ikm.memories
	referencing new table as fresh for each statement execute function ikm.clock_holds();
create trigger memories_clock after update on ikm.memories
	referencing new table as fresh for each statement execute function ikm.clock_holds();
create trigger assets_clock_new after insert on ikm.assets
	referencing new table as fresh for each statement execute function ikm.clock_holds();
create trigger assets_clock after update on ikm.assets
	referencing new table as fresh for each statement execute function ikm.clock_holds();

-- Members were added before these tables were there.
do $$
declare
	who name;
begin
	for who in select distinct m.login from ikm.members m join pg_catalog.pg_roles r
		on r.rolname = m.login
	loop
		execute pg_catalog.format('grant select, insert, update on ikm.machines to %I', who);
		execute pg_catalog.format('grant select, insert on ikm.checkpoints to %I', who);
	end loop;
end $$;
