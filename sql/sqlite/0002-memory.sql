-- Memories (seeds 002, 003), the index they are found by, embeddings, the turn trace. Times are
-- milliseconds since 1970, UTC.

pragma user_version = 2;

create table scopes ( -- a layer and the identifiers of whose it is
	scope integer primary key,
	layer text not null, -- agent, user, session, project, team, org, company
	owner text not null, -- its identifiers, as a JSON list
	unique (layer, owner)
) strict;

create table memories (
	doc integer primary key, -- its number in the index; another one when it is indexed anew
	id text not null unique, -- mem_ and a ULID
	scope integer not null references scopes (scope),
	kind text not null, -- fact, episodic, semantic, working, scratch, conversation, knowledge_pointer
	type text not null, -- observation, user_preference, goal and so on, or empty
	tags text not null, -- a JSON list, sorted
	source text not null,
	importance real not null check (importance between 0 and 1),
	confidence real not null check (confidence between 0 and 1),
	provenance text not null, -- user, agent, tool, import, sync
	redaction text not null, -- public, internal, sensitive
	status text, -- of scratch notes: active, pending_review, resolved, archived
	state text not null, -- active, superseded, conflict
	user_id text not null, -- who made it
	agent_id text not null,
	session_id text not null, -- in which conversation, or empty
	speaker text not null,
	turn integer not null, -- from 1, or 0
	supersedes text, -- the id of the one before
	superseded_by text,
	superseded_at integer,
	happened_at integer not null, -- what it tells of
	created_at integer not null,
	updated_at integer not null,
	expires_at integer,
	tokens integer not null, -- estimated when it was made
	token_model text not null, -- for which family of tokenizers
	content_hash integer not null, -- of kind, type and content: exact repeats have the same
	metadata text not null, -- a JSON object, or empty
	content text not null
) strict;
create index memories_repeat on memories (scope, content_hash)
	where kind in ('fact', 'semantic') and state = 'active';
create index memories_session on memories (session_id, happened_at, turn, doc)
	where session_id <> '';
create index memories_short on memories (user_id, agent_id, kind, doc)
	where kind in ('working', 'scratch');
create index memories_made on memories (created_at);
create index memories_expiry on memories (expires_at) where expires_at is not null;

create table memory_ids ( -- one row: the last id that was made here, of whatever became of it
	last text not null
) strict;
insert into memory_ids values ('');

create table deleted_memories ( -- hidden at once; content and all go with the next purge
	id text primary key,
	scope integer not null references scopes (scope),
	deleted_at integer not null,
	deleted_by text not null, -- the agent
	memory text -- as it is exported; null once it was purged
) without rowid, strict;

create view memory_rows as -- a memory with its layer; the content last
select m.doc, m.id, s.layer, m.scope, m.kind, m.type, m.tags, m.source, m.importance, m.confidence,
	m.provenance, m.redaction, m.status, m.state, m.user_id, m.agent_id, m.session_id,
	m.speaker, m.turn, m.supersedes, m.superseded_by, m.superseded_at, m.happened_at,
	m.created_at, m.updated_at, m.expires_at, m.tokens, m.token_model, m.content_hash,
	m.metadata, m.content
from memories m join scopes s on s.scope = m.scope;

create table index_numbers ( -- one row: the last number given to a document
	last integer not null
) strict;
insert into index_numbers values (0);

create table index_recent ( -- documents that are in no segment yet
	doc integer primary key,
	data blob not null -- ikm-formats(5)
) strict;

create table index_segments ( -- documents by blocks of their numbers
	segment integer primary key, -- made of its block, so nothing but the documents decides it
	state text not null, -- building, live, dropped
	first integer not null, -- documents from this number
	last integer not null, -- to this one
	docs integer not null, -- how many are in it and not removed
	length integer not null, -- the sum of their lengths
	removals integer not null, -- how many were removed since it was written
	swept integer not null, -- how many of those are no longer in postings
	happened_least integer not null,
	happened_most integer not null,
	recorded_least integer not null,
	recorded_most integer not null
) strict;

create table index_postings ( -- which documents of a segment have a term or a mark
	page integer primary key,
	segment integer not null,
	term integer not null, -- 64 bits of a hash; none in this page is less
	data blob not null, -- lists of some terms, or one long list: ikm-formats(5)
	unique (segment, term)
) strict;

-- With a rowid, as index_postings: without one, SQLite reads all of a long row to compare its key.
create table index_attributes ( -- of each document of a segment
	segment integer not null,
	attribute text not null, -- length, happened, recorded, importance, removed
	data blob not null, -- ikm-formats(5)
	unique (segment, attribute)
) strict;

create table index_gone ( -- removed documents that are still in postings
	term integer primary key,
	docs integer not null
) strict;

create table words ( -- the vocabulary
	word text primary key
) without rowid, strict;

create table doubted_words ( -- of what was removed; the next purge sees whether a memory has them
	word text primary key
) without rowid, strict;

create table word_slips ( -- what remains of a word when letters are left out, for its neighbours
	part integer not null, -- 32 bits of a hash
	word text not null, -- is in words
	primary key (part, word)
) without rowid, strict;

create table vector_models (
	model integer primary key,
	name text not null,
	version text not null,
	dimension integer not null,
	unique (name, version, dimension)
) strict;

create table vectors ( -- at most one of a memory, of the model that made it last
	doc integer primary key references memories (doc) on update cascade on delete cascade,
	model integer not null references vector_models (model),
	data blob not null -- a signed byte for each dimension
) strict;

create table turn_trace ( -- one row for each memory query (seed 002)
	seq integer primary key,
	ts integer not null,
	request_id text not null,
	tool_id text not null,
	user_id text not null, -- only they see it
	agent_id text not null,
	task_id text not null,
	query_id text not null,
	memory_type text not null,
	query_text text not null,
	outcome text not null, -- ok, cut, denied, failed
	reason text not null,
	total integer not null, -- results before limit and budget
	returned integer not null,
	budget integer not null, -- tokens
	tokens integer not null,
	time_us integer not null,
	cached integer not null
) strict;
create index turn_trace_age on turn_trace (ts);
create index turn_trace_request on turn_trace (request_id);

create table ingested_writes ( -- what came with tools' responses: the same again is stored once
	digest blob primary key, -- SHA-256 over who, the request, the tool and the item
	memory_id text not null,
	ts integer not null
) without rowid, strict;
create index ingested_writes_age on ingested_writes (ts);
