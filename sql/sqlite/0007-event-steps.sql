-- The record of changes as one table of steps. Each step of an event is a row: pending, written,
-- committed, failed, an annotation. The first row of an event has its columns, later ones only what
-- the step adds. With a key each row has a MAC that covers the MAC of the row before (chain_prev).
-- What was recorded before is carried over as it was, without MACs; the first row under a key is a
-- checkpoint over it.

pragma user_version = 7;

create table new_events ( -- append-only; the MAC covers the columns in this order, chain_hash apart
	seq integer primary key, -- the order of this machine
	event_id text not null, -- a ULID
	number integer not null, -- of the step within the event, from 0
	step text not null check (step in ('pending', 'written', 'committed', 'failed', 'annotation',
		'rotation', 'checkpoint')),
	schema_version integer not null,
	machine_id text not null,
	ts integer not null,
	user_id text not null, -- who recorded this step; so are the next three
	agent_id text not null,
	session_id text not null,
	tool text not null, -- the tool that was asked
	entity_type text, -- file, asset, memory; the garden's user, part, relationship, note
	entity_id text, -- of a file its path, of an asset its URI
	type text, -- observation, action, profile_update, system, audit
	op text, -- write, edit, append, patch, move, remove, compact, undo, replace_section and so on
	section_anchor text,
	file_path text, -- the absolute path, or ikigai:///…
	path_to text, -- of a move
	rationale text,
	before_hash text, -- sha256: over the bytes; null: there was nothing
	after_hash text, -- null: there is nothing
	before_mode integer, -- of a file: its nine bits; null: none, or not known
	after_mode integer,
	evidence_refs text, -- JSON
	lint text, -- JSON
	change text, -- what is intended, bounded
	undoes text, -- an event_id
	idempotency_key text,
	transaction_id text,
	tool_call_id text,
	agent_action_id text,
	error text,
	commit_oid text,
	integrity_line_hash text, -- hmac: over the canonical content
	integrity_salt_version integer, -- the version of the key of the MACs; null: no MAC
	chain_prev text, -- chain_hash of the row before
	chain_hash text -- hmac: over the columns above
) strict;

create view carried as
select row_number() over (order by place, part, event_id) as seq, *
from (select e.seq as place, 0 as part, e.event_id, 0 as number, 'pending' as step,
		e.schema_version, e.machine_id, e.ts, e.user_id, e.agent_id, e.session_id, e.tool,
		e.entity_type, e.entity_id, e.type, e.op, e.section_anchor,
		coalesce(e.file_path, e.entity_id) as file_path, e.path_to, e.rationale, e.before_hash,
		e.after_hash, e.before_mode, e.after_mode, e.evidence_refs, e.lint, e.undoes,
		e.idempotency_key, e.transaction_id, e.tool_call_id, e.agent_action_id,
		null as error, null as commit_oid
	from events e
	union all
	select coalesce(e.seq, 9223372036854775807), 1, o.event_id, 1, o.status,
		coalesce(e.schema_version, 1), coalesce(e.machine_id, ''), o.ts,
		coalesce(e.user_id, ''), coalesce(e.agent_id, ''), coalesce(e.session_id, ''),
		coalesce(e.tool, ''), null, null, null, null, null,
		null, null, null, null,
		o.after_hash, null, null, null, null, null,
		null, null, null, null,
		o.error, o.commit_oid
	from event_outcomes o left join events e on e.event_id = o.event_id);
-- copy: carried new_events
drop view carried;
drop view event_rows;
drop table event_outcomes;
drop table events;
alter table new_events rename to events;

create unique index events_step on events (event_id, number);
create index events_path on events (file_path, seq) where file_path is not null;
create index events_moved on events (path_to, seq) where path_to is not null;
create index events_undoes on events (undoes) where undoes is not null;
create index events_replay on events (idempotency_key) where idempotency_key is not null;
create index events_chained on events (seq) where chain_hash is not null;

create table event_open ( -- events without an outcome; derived from events
	event_id text primary key,
	seq integer not null,
	path text not null
) without rowid, strict;
insert into event_open select e.event_id, e.seq, coalesce(e.file_path, '') from events e
	where e.number = 0 and not exists (select 1 from events o
		where o.event_id = e.event_id and o.step in ('committed', 'failed'));
create trigger events_opened after insert on events when new.number = 0 and new.step = 'pending'
begin insert or ignore into event_open values (new.event_id, new.seq, coalesce(new.file_path, '')); end;
create trigger events_ended after insert on events when new.step in ('committed', 'failed')
begin delete from event_open where event_id = new.event_id; end;

create trigger events_no_update before update on events
begin select raise(abort, 'events are append-only'); end;
create trigger events_no_delete before delete on events
begin select raise(abort, 'events are append-only'); end;
-- REPLACE removes rows without the trigger above, so a row whose key is there is refused.
create trigger events_no_replace before insert on events
when exists (select 1 from events where seq = new.seq)
	or exists (select 1 from events where event_id = new.event_id and number = new.number)
begin select raise(abort, 'events are append-only'); end;

create table event_head ( -- the end of the chain: one row, changed with each event; none: no chain yet
	one integer primary key check (one = 1),
	seq integer not null, -- of the last row
	chain_hash text not null, -- its MAC
	key_version integer not null, -- of the key for the next row
	mac text not null -- hmac: over the three
) strict;

create table idempotency_records ( -- kept for 48 hours
	key text primary key, -- of the user's call
	payload_hash text not null, -- sha256: of tool, entity and parameters
	event_id text not null,
	created_at integer not null,
	result text -- JSON: the answer; null: its process died before it had one
) without rowid, strict;
create index idempotency_age on idempotency_records (created_at);

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
				and v.hash = e.before_hash) as kept
from events e
	left join events w on w.event_id = e.event_id and w.number > 0 and w.step = 'written'
	left join events o on o.event_id = e.event_id and o.number > 0
		and o.step in ('committed', 'failed')
where e.number = 0;
