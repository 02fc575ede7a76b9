-- Whose a memory is. It was known only beside what one server, tenant and login hold, so another one of
-- them got the memories of other people as one's own.

pragma user_version = 15;

alter table memories add column owner text not null default ''; -- another person's login role; empty: no server said so
update memories set owner = (select r.owner from sync_rows r
		where r.id = memories.id and r.owner <> '' order by r.remote limit 1)
where id in (select id from sync_rows where owner <> '');
update deleted_memories set memory = json_set(memory, '$.owner', (select r.owner from sync_rows r
		where r.id = deleted_memories.id and r.owner <> '' order by r.remote limit 1))
where id in (select id from sync_rows where owner <> '') and json_valid(memory);

create table sync_tenants ( -- which tenant may have what: asked for once
	what text not null, -- a layer; record; assets
	whose text not null, -- the identifiers of the layer as a JSON list; empty: all of the layer
	tenant text not null, -- empty: none
	primary key (what, whose)
) without rowid, strict;
-- What only one tenant has got belongs to it. What several have got is asked for.
insert into sync_tenants (what, whose, tenant)
select what, whose, min(tenant) from (
	select s.layer as what, iif(s.layer in ('agent', 'user', 'session'), '', s.owner) as whose, t.tenant
	from memories m join scopes s on s.scope = m.scope join sync_rows r on r.id = m.id
		join sync_remotes t on t.remote = r.remote
	where m.owner = '' and r.owner = '' and r.doc >= 0
	union select 'record', '', tenant from sync_remotes where pushed_events > 0
	union select 'assets', '', t.tenant from sync_assets a join sync_remotes t on t.remote = a.remote)
group by what, whose having count(distinct tenant) = 1;
