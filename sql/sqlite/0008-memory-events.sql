-- Changes of memories are events. An event has hashes of the memory's state, and never its text: a
-- salt in the state makes the hash of a short text useless to somebody who guesses. The former state
-- is kept among the contents for undo; of a deleted memory the tombstone is its former state.

pragma user_version = 8;

create table memory_salts ( -- of memories that events tell of; a purge removes it with the memory
	id text primary key,
	salt text not null -- 16 random bytes in hexadecimal
) without rowid, strict;

create index events_memory on events (entity_id, seq) where entity_type = 'memory' and number = 0;

alter table index_numbers add column changes -- grows with each change of a memory or an embedding
	integer not null default 0;
alter table index_numbers add column rebuilt -- documents up to this number are to be indexed again
	integer not null default 0;
create trigger memories_added after insert on memories
begin update index_numbers set changes = changes + 1; end;
create trigger memories_changed after update on memories
begin update index_numbers set changes = changes + 1; end;
create trigger memories_removed after delete on memories
begin update index_numbers set changes = changes + 1; end;
create trigger vectors_added after insert on vectors
begin update index_numbers set changes = changes + 1; end;

drop view event_rows;
create view event_rows as -- the first row of an event with what became of it; the garden's status
select e.event_id, e.seq, e.schema_version, e.machine_id, e.ts, e.user_id, e.agent_id, e.session_id,
	e.tool, e.entity_type, e.entity_id, e.type, e.op, e.section_anchor,
	coalesce(e.file_path, '') as file_path, e.path_to,
	coalesce(e.rationale, (select n.rationale from events n where n.event_id = e.event_id
		and n.step = 'annotation' and n.rationale is not null order by n.number desc limit 1))
		as rationale,
	e.before_hash, coalesce(o.after_hash, w.after_hash, e.after_hash) as after_hash, e.before_mode,
	e.after_mode,
	coalesce(e.evidence_refs, (select n.evidence_refs from events n where n.event_id = e.event_id
		and n.step = 'annotation' and n.evidence_refs is not null order by n.number desc limit 1))
		as evidence_refs,
	coalesce(e.lint, (select n.lint from events n where n.event_id = e.event_id
		and n.step = 'annotation' and n.lint is not null order by n.number desc limit 1)) as lint,
	e.change, e.undoes, e.idempotency_key, e.transaction_id, e.tool_call_id, e.agent_action_id,
	coalesce(o.error, w.error, e.error) as error, coalesce(o.commit_oid, e.commit_oid) as commit_oid,
	e.integrity_line_hash, e.integrity_salt_version, e.chain_hash,
	coalesce(o.step, w.step, iif(e.step in ('rotation', 'checkpoint'), 'committed', e.step))
		as status,
	exists (select 1 from former_contents f where f.hash = e.before_hash)
		or e.entity_type = 'asset' and exists (select 1 from asset_versions v
			where v.path = substr(e.file_path, length('ikigai:///') + 1)
				and v.hash = e.before_hash)
		or e.entity_type = 'memory' and e.after_hash is null and exists (select 1
			from deleted_memories d where d.id = e.entity_id and d.memory is not null) as kept
from events e
	left join events w on w.event_id = e.event_id and w.number > 0 and w.step = 'written'
	left join events o on o.event_id = e.event_id and o.number > 0
		and o.step in ('committed', 'failed')
where e.number = 0;
