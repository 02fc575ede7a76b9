-- What an import spent most of its time on, in other forms.

pragma user_version = 11;

-- Words are found by four of their letters. The table of all that remains of a word when one letter
-- is left out had eight rows for each word.
drop table word_slips;
create index words_middle on words (substr(word, min(length(word) / 2, 4) + 1, 4));

-- For a check of more than two values by "in", SQLite builds a table each time. The members that a
-- search reads stand before the metadata and the content, which may be long.
pragma legacy_alter_table = on; -- references and views mean the new table by the old name
alter table memories rename to old_memories;
create table memories (
	doc integer primary key check (doc > 0), -- its number in the index; another one when it is indexed anew
	id text not null unique check (id glob 'mem_*' and length(id) = 30), -- mem_ and a ULID
	scope integer not null references scopes (scope),
	kind text not null check (kind = 'fact' or kind = 'episodic' or kind = 'semantic'
		or kind = 'working' or kind = 'scratch' or kind = 'conversation'
		or kind = 'knowledge_pointer'),
	type text not null, -- observation, user_preference, goal and so on, or empty
	tags text not null check (tags glob '[[]*]'), -- a JSON list, sorted
	source text not null,
	importance real not null check (importance between 0 and 1),
	confidence real not null check (confidence between 0 and 1),
	provenance text not null check (provenance = 'user' or provenance = 'agent'
		or provenance = 'tool' or provenance = 'import' or provenance = 'sync'),
	redaction text not null check (redaction = 'public' or redaction = 'internal'
		or redaction = 'sensitive'),
	status text check (status = 'active' or status = 'pending_review' or status = 'resolved'
		or status = 'archived'), -- of scratch notes
	state text not null check (state = 'active' or state = 'superseded' or state = 'conflict'),
	rejected integer not null default 0 -- 1: a person says that it is wrong
		check (rejected = 0 or rejected = 1 and state = 'conflict'),
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
	files text not null default '', -- a JSON list (ikm-formats(5)), or empty
	made_repository text not null default '', -- of a project memory
	made_commit text not null default '', -- HEAD, or empty: no commit then
	made_branch text not null default '', -- empty: HEAD was detached
	made_change text not null default '', -- finds the commit after a rebase
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
pragma legacy_alter_table = off;

-- The number of a new memory counts as a change: an import takes many numbers at once.
create trigger memories_changed after update on memories
begin update index_numbers set changes = changes + 1; end;
create trigger memories_removed after delete on memories
begin update index_numbers set changes = changes + 1; end;
