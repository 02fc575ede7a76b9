-- A member of one tenant could stop all others: the right to update a whole table is the right to
-- lock it. A tenant that statistics do not know was taken for one row, and each pushed key was looked
-- up among all rows of the tenant. A row with a number ahead of its tenant's made each sync a full one.

-- Every row has such a number. But a statement that does not ask for numbers cannot use these indexes,
-- so the planner, which takes one tenant's rows for one row, has the primary key alone for keys.
drop index ikm.memories_pull;
drop index ikm.assets_pull;
drop index ikm.events_pull;
create index memories_pull on ikm.memories (tenant, seq) where seq > 0;
create index assets_pull on ikm.assets (tenant, seq) where seq > 0;
create index events_pull on ikm.events (tenant, seq) where seq > 0;

create function ikm.number_given() returns trigger language plpgsql
	set search_path = pg_catalog, pg_temp as $$
begin
	if exists (select from fresh n where not exists
			(select from ikm.tenants t where t.tenant = n.tenant and n.seq <= t.last)) then
		raise exception 'the number of a row is above that of its tenant'
			using errcode = 'insufficient_privilege';
	end if;
	return null;
end $$;
create trigger memories_number_new after insert on ikm.memories
	referencing new table as fresh for each statement execute function ikm.number_given();
create trigger memories_number after update on ikm.memories
	referencing new table as fresh for each statement execute function ikm.number_given();
create trigger assets_number_new after insert on ikm.assets
	referencing new table as fresh for each statement execute function ikm.number_given();
create trigger assets_number after update on ikm.assets
	referencing new table as fresh for each statement execute function ikm.number_given();
create trigger events_number_new after insert on ikm.events
	referencing new table as fresh for each statement execute function ikm.number_given();

do $$
declare
	who name;
begin
	for who in select distinct m.login from ikm.members m join pg_catalog.pg_roles r
		on r.rolname = m.login
	loop
		execute pg_catalog.format('revoke update on ikm.memories, ikm.assets, ikm.machines from %I', who);
		execute pg_catalog.format('grant update (seq, clock, machine, layer, whose, deleted_at, memory) on ikm.memories to %I', who);
		execute pg_catalog.format('grant update (seq, clock, machine, deleted_at, description, category, read_only, content) on ikm.assets to %I', who);
		execute pg_catalog.format('grant update (nonce, seen_at) on ikm.machines to %I', who);
	end loop;
end $$;
