-- The owner sees which machines there are, and which of them have heard of an erasure.

alter table ikm.machines add column label text not null default '';
alter table ikm.machines add column synced_at timestamptz;
comment on column ikm.machines.label is 'the name that the machine has for people';
comment on column ikm.machines.synced_at is 'when it had read, and erased, all; null: an older ikm';

do $$
declare
	who name;
begin
	for who in select distinct m.login from ikm.members m join pg_catalog.pg_roles r
		on r.rolname = m.login
	loop
		execute pg_catalog.format('grant update (label, synced_at) on ikm.machines to %I', who);
	end loop;
end $$;
