-- Stored assets with their versions and pins (seed 000), and events with the contents that can be
-- put back (seed 001). Times are milliseconds since 1970, UTC. Released migrations never change.
-- Contents are the last column: what stands behind a long one is slow to reach.

pragma application_id = 0x696b6d00; -- "ikm" and a zero byte
pragma user_version = 1; -- how many migrations were done

create table meta ( -- about this store
	key text primary key, -- "machine": a ULID, whose events these are
	value text not null
) without rowid, strict;

create table stored_assets (
	id integer primary key,
	path text not null unique, -- without scheme and leading slash
	description text not null default '',
	category text not null check (category in ('skill', 'block', 'preference')),
	read_only integer not null default 0 check (read_only in (0, 1)),
	token_count integer not null, -- estimated when it was written
	token_model text not null, -- for which family of tokenizers
	hash text not null, -- sha256: over the content
	created_at integer not null,
	updated_at integer not null,
	content blob not null -- UTF-8
) strict;

create table asset_versions ( -- what an asset was before it was changed or removed
	path text not null,
	number integer not null, -- from 1, never given twice
	description text not null,
	category text not null check (category in ('skill', 'block', 'preference')),
	token_count integer not null,
	hash text not null,
	op text not null, -- what replaced it: write, edit, compact, restore, delete and so on
	agent_id text not null, -- who did
	saved_at integer not null,
	content blob not null,
	primary key (path, number)
) strict;
create index asset_versions_age on asset_versions (saved_at);

create table asset_numbers ( -- the last number given to a version of the path
	path text primary key,
	number integer not null
) without rowid, strict;

create table pins (
	agent_id text not null,
	path text not null references stored_assets (path) on update cascade on delete cascade,
	place integer not null, -- the order in which they were pinned
	pinned_at integer not null,
	primary key (agent_id, path)
) without rowid, strict;
create index pins_path on pins (path);

create table events ( -- append-only
	seq integer primary key, -- the order of this machine
	event_id text not null unique, -- a ULID
	schema_version integer not null default 1,
	machine_id text not null,
	ts integer not null,
	user_id text not null,
	agent_id text not null,
	session_id text not null,
	tool text not null, -- the tool that was asked
	entity_type text not null, -- file, asset; the garden's user, part, relationship, note; memory
	entity_id text not null, -- the absolute path, or ikigai:///…
	type text not null, -- observation, action, profile_update, system, audit
	op text not null, -- write, edit, append, patch, move, remove, compact, undo and so on
	section_anchor text,
	file_path text,
	path_to text, -- of a move
	rationale text,
	before_hash text, -- sha256: over the bytes; null: there was nothing
	after_hash text, -- null: there is nothing
	evidence_refs text, -- JSON
	lint text, -- JSON
	undoes text references events (event_id),
	idempotency_key text,
	transaction_id text,
	tool_call_id text,
	agent_action_id text,
	integrity_line_hash text, -- null where no key is set up
	integrity_salt_version integer,
	chain_hash text
) strict;
create index events_entity on events (entity_id, seq);
create index events_undoes on events (undoes) where undoes is not null;

create table event_outcomes ( -- append-only; an event without one is pending
	event_id text primary key references events (event_id),
	ts integer not null,
	status text not null check (status in ('written', 'committed', 'failed')),
	after_hash text,
	error text,
	commit_oid text,
	chain_hash text
) without rowid, strict;

create trigger events_keep before update on events
begin select raise(abort, 'events are append-only'); end;
create trigger events_stay before delete on events
begin select raise(abort, 'events are append-only'); end;
create trigger event_outcomes_stay before delete on event_outcomes
begin select raise(abort, 'events are append-only'); end;

create table former_contents ( -- what undo puts back; bounded by undo.days and undo.bytes
	hash text primary key, -- sha256: over the content
	size integer not null,
	kept_at integer not null, -- when it was last given up for something else
	content blob not null
) strict;
create index former_contents_age on former_contents (kept_at);

-- The sum of their sizes, for it is asked with every change.
create table former_size (
	bytes integer not null
) strict;
insert into former_size values (0);
create trigger former_grows after insert on former_contents
begin update former_size set bytes = bytes + new.size; end;
create trigger former_shrinks after delete on former_contents
begin update former_size set bytes = bytes - old.size; end;

create view event_rows as -- an event with what became of it; seed 001's status
select e.event_id, e.ts, e.user_id, e.agent_id, e.session_id, e.tool, e.entity_type, e.op,
	e.entity_id, e.path_to, e.before_hash, e.after_hash, e.undoes, o.error,
	coalesce(o.status, 'pending') as status,
	exists (select 1 from former_contents f where f.hash = e.before_hash)
		or e.entity_type = 'asset' and exists (select 1 from asset_versions v
			where v.path = substr(e.entity_id, length('ikigai:///') + 1)
				and v.hash = e.before_hash) as kept,
	e.seq, e.rationale
from events e left join event_outcomes o using (event_id);
