-- The modes of files, so that undo brings back a removed one as it was.

pragma user_version = 4;

alter table events add column before_mode integer; -- of a file: its nine bits; null: none, or not known
alter table events add column after_mode integer;

drop view event_rows;
create view event_rows as -- an event with what became of it; seed 001's status
select e.event_id, e.ts, e.user_id, e.agent_id, e.session_id, e.tool, e.entity_type, e.op,
	e.entity_id, e.path_to, e.before_hash, e.after_hash, e.undoes, o.error,
	coalesce(o.status, 'pending') as status,
	exists (select 1 from former_contents f where f.hash = e.before_hash)
		or e.entity_type = 'asset' and exists (select 1 from asset_versions v
			where v.path = substr(e.entity_id, length('ikigai:///') + 1)
				and v.hash = e.before_hash) as kept,
	e.before_mode, e.after_mode, e.seq, e.rationale
from events e left join event_outcomes o using (event_id);
