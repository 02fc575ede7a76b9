-- Memories and what belongs to them again, in tables that check what is stored. A row that fails
-- goes to damaged_rows and damaged_cells, whole. A line "-- copy: A B" copies the rows of A into B;
-- rowids, which the index uses, stay. (lib/store/db/table_copy.c)
--
-- Not here: index_recent, index_postings, index_gone, words, doubted_words, word_slips, vectors.
-- Any value of its type may stand in their columns, and the blobs are checked when they are read.
-- SQLite calls no JSON function in a CHECK where a schema is not trusted: readers parse the JSON.

pragma user_version = 5;
pragma legacy_alter_table = on; -- references and views mean the new tables by the old names

create table damaged_rows ( -- rows that no table takes; ikm doctor lists them
	damage integer primary key,
	source text not null, -- the table
	found_at integer not null,
	reason text not null
) strict;

create table damaged_cells ( -- their values, as they were
	damage integer not null references damaged_rows (damage) on delete cascade,
	name text not null, -- the column
	value any,
	primary key (damage, name)
) without rowid, strict;

alter table scopes rename to old_scopes;
alter table memories rename to old_memories;
alter table memory_ids rename to old_memory_ids;
alter table deleted_memories rename to old_deleted_memories;
alter table index_numbers rename to old_index_numbers;
alter table index_segments rename to old_index_segments;
alter table index_attributes rename to old_index_attributes;
alter table vector_models rename to old_vector_models;
alter table turn_trace rename to old_turn_trace;
alter table ingested_writes rename to old_ingested_writes;

create table scopes ( -- a layer and the identifiers of whose it is
	scope integer primary key check (scope > 0),
	layer text not null check (layer in ('agent', 'user', 'session', 'project', 'team', 'org',
		'company')),
	owner text not null check (owner glob '[[]*]'),
	unique (layer, owner)
) strict;
-- copy: old_scopes scopes
drop table old_scopes;

-- Times lie in the years 0 to 9999.
create table memories (
	doc integer primary key check (doc > 0), -- its number in the index; another one when it is indexed anew
	id text not null unique check (id glob 'mem_*' and length(id) = 30), -- mem_ and a ULID
	scope integer not null references scopes (scope),
	kind text not null check (kind in ('fact', 'episodic', 'semantic', 'working', 'scratch',
		'conversation', 'knowledge_pointer')),
	type text not null, -- observation, user_preference, goal and so on, or empty
	tags text not null check (tags glob '[[]*]'), -- a JSON list, sorted
	source text not null,
	importance real not null check (importance between 0 and 1),
	confidence real not null check (confidence between 0 and 1),
	provenance text not null check (provenance in ('user', 'agent', 'tool', 'import', 'sync')),
	redaction text not null check (redaction in ('public', 'internal', 'sensitive')),
	status text check (status in ('active', 'pending_review', 'resolved', 'archived')), -- of scratch notes
	state text not null check (state in ('active', 'superseded', 'conflict')),
	user_id text not null, -- who made it
	agent_id text not null,
	session_id text not null, -- in which conversation, or empty
	speaker text not null,
	turn integer not null check (turn >= 0), -- from 1, or 0
	supersedes text, -- the id of the one before
	superseded_by text,
	superseded_at integer check (superseded_at between -62167219200000 and 253402300799999),
	happened_at integer not null check (happened_at between -62167219200000 and 253402300799999),
	created_at integer not null check (created_at between -62167219200000 and 253402300799999),
	updated_at integer not null check (updated_at between -62167219200000 and 253402300799999),
	expires_at integer check (expires_at between -62167219200000 and 253402300799999),
	tokens integer not null check (tokens between 0 and 2147483647), -- estimated when it was made
	token_model text not null, -- for which family of tokenizers
	content_hash integer not null, -- of kind, type and content: exact repeats have the same
	metadata text not null check (metadata = '' or metadata glob '{*}'), -- a JSON object, or empty
	content text not null,
	check (kind <> 'scratch' or status is not null)
) strict;
-- copy: old_memories memories
drop table old_memories;
create index memories_repeat on memories (scope, content_hash)
	where kind in ('fact', 'semantic') and state = 'active';
create index memories_session on memories (session_id, happened_at, turn, doc)
	where session_id <> '';
create index memories_short on memories (user_id, agent_id, kind, doc)
	where kind in ('working', 'scratch');
create index memories_made on memories (created_at);
create index memories_expiry on memories (expires_at) where expires_at is not null;

create table memory_ids ( -- one row: the last id that was made here, of whatever became of it
	last text not null check (last = '' or last glob 'mem_*' and length(last) = 30)
) strict;
-- copy: old_memory_ids memory_ids
drop table old_memory_ids;
insert into memory_ids select '' where not exists (select 1 from memory_ids);

create table deleted_memories ( -- hidden at once; content and all go with the next purge
	id text primary key check (id glob 'mem_*' and length(id) = 30),
	scope integer not null references scopes (scope),
	deleted_at integer not null check (deleted_at between -62167219200000 and 253402300799999),
	deleted_by text not null, -- the agent
	memory text check (memory glob '{*}') -- as it is exported; null once it was purged
) without rowid, strict;
-- copy: old_deleted_memories deleted_memories
drop table old_deleted_memories;

create table index_numbers ( -- one row: the last number given to a document
	last integer not null check (last >= 0)
) strict;
-- copy: old_index_numbers index_numbers
drop table old_index_numbers;
insert into index_numbers select (select coalesce(max(doc), 0) from memories)
where not exists (select 1 from index_numbers);

create table index_segments ( -- documents by blocks of their numbers
	segment integer primary key, -- made of its block, so nothing but the documents decides it
	state text not null check (state in ('building', 'live', 'dropped')),
	first integer not null check (first >= 0), -- documents from this number
	last integer not null check (last >= first), -- to this one
	docs integer not null check (docs >= 0), -- how many are in it and not removed
	length integer not null check (length >= 0), -- the sum of their lengths
	removals integer not null check (removals >= 0), -- how many were removed since it was written
	swept integer not null check (swept >= 0), -- how many of those are no longer in postings
	happened_least integer not null,
	happened_most integer not null,
	recorded_least integer not null,
	recorded_most integer not null
) strict;
-- copy: old_index_segments index_segments
drop table old_index_segments;

-- With a rowid, as index_postings: without one, SQLite reads all of a long row to compare its key.
create table index_attributes ( -- of each document of a segment
	segment integer not null,
	attribute text not null check (attribute in ('length', 'happened', 'recorded', 'importance',
		'removed')),
	data blob not null, -- ikm-formats(5)
	unique (segment, attribute)
) strict;
-- copy: old_index_attributes index_attributes
drop table old_index_attributes;

create table vector_models (
	model integer primary key,
	name text not null,
	version text not null,
	dimension integer not null check (dimension > 0),
	unique (name, version, dimension)
) strict;
-- copy: old_vector_models vector_models
drop table old_vector_models;
delete from vectors where doc not in (select doc from memories)
	or model not in (select model from vector_models);

create table turn_trace ( -- one row for each memory query
	seq integer primary key check (seq > 0),
	ts integer not null check (ts between -62167219200000 and 253402300799999),
	request_id text not null,
	tool_id text not null,
	user_id text not null, -- only they see it
	agent_id text not null, -- the agent that asked
	task_id text not null,
	query_id text not null,
	memory_type text not null,
	query_text text not null,
	outcome text not null check (outcome in ('ok', 'cut', 'denied', 'failed')),
	reason text not null,
	total integer not null check (total >= 0), -- results before limit and budget
	returned integer not null check (returned >= 0),
	budget integer not null, -- tokens
	tokens integer not null check (tokens >= 0),
	time_us integer not null check (time_us >= 0),
	cached integer not null check (cached in (0, 1)),
	named_agent text not null default '' -- another agent, which the request named as its own
) strict;
-- copy: old_turn_trace turn_trace
drop table old_turn_trace;
create index turn_trace_age on turn_trace (ts);
create index turn_trace_request on turn_trace (request_id);

create table ingested_writes ( -- what came with tools' responses: the same again is stored once
	digest blob primary key check (length(digest) = 32), -- SHA-256 over who, the request, the tool and the item
	memory_id text not null check (memory_id glob 'mem_*' and length(memory_id) = 30),
	ts integer not null
) without rowid, strict;
-- copy: old_ingested_writes ingested_writes
drop table old_ingested_writes;
create index ingested_writes_age on ingested_writes (ts);

pragma legacy_alter_table = off;
