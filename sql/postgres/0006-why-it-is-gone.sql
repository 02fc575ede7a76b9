-- A tombstone has a reason. A deletion may lose against a later change; what its owner withdrew or
-- purged may not, and other machines erase it.

alter table ikm.memories add column gone text
	check (gone is null or deleted_at is not null and gone in ('deleted', 'withdrawn', 'purged'));
comment on column ikm.memories.gone is
	'of a tombstone: deleted; withdrawn, as it is shared no more; purged. null: deleted by an older ikm';

do $$
declare
	who name;
begin
	for who in select distinct m.login from ikm.members m join pg_catalog.pg_roles r
		on r.rolname = m.login
	loop
		execute pg_catalog.format('grant update (gone) on ikm.memories to %I', who);
	end loop;
end $$;
