-- A store of 0.1.0 (schema 14) whose chain has begun: memories of two layers, one of them deleted, a pinned
-- asset with a former version, and the overview of a garden in /home/ada.
-- event-1.key: 81688dd708043b3b2eac1cd37d28e3975b850f87b3dbf3e7024dbfe48ffb5b42
-- checkpoint.key: 426f952038f10e9130524b2f04877a996577f3ab99a3db9848e6391e0ca7bb1b
-- chain.begun: seq 1
-- chain.begun: time 1795955300409
-- chain.begun: chain hmac:c82e500f7a08cd458b5bb3f4edfaafd891705ff34fc64098b1cd830cabce0eaa
-- chain.begun: mac hmac:c3093520ba27d88578918c3265531b8818e8baeafa856b99b0eea0b46ab84f17
pragma foreign_keys = off;
pragma application_id = 0x696b6d00;
pragma user_version = 14;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta ( -- about this store
	key text primary key, -- "machine": a ULID, whose events these are
	value text not null
) without rowid, strict;
INSERT INTO meta VALUES('looked: asset_versions','1795955300704');
INSERT INTO meta VALUES('looked: former_contents','1795955300480');
INSERT INTO meta VALUES('machine','01M8KME61S268DC2S9NM9MA70G');
CREATE TABLE stored_assets (
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
INSERT INTO stored_assets VALUES(1,'blocks/x.md','','block',0,4,'o200k','sha256:e135df531b5050de70e72b10503293736ace8a08cb640efdc7d1b0e3eb736dfb',1795955300704,1795955300732,X'61207365636f6e6420746578740a');
CREATE TABLE asset_versions ( -- what an asset was before it was changed or removed
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
INSERT INTO asset_versions VALUES('blocks/x.md',1,'','block',3,'sha256:105bcf1fdb892d27aa0004cf5b7d59776c1931c8ce4b5b0702e3c7e4d0506e6f','write','default',1795955300733,X'6120746578740a');
CREATE TABLE asset_numbers ( -- the last number given to a version of the path
	path text primary key,
	number integer not null
) without rowid, strict;
INSERT INTO asset_numbers VALUES('blocks/x.md',1);
CREATE TABLE pins (
	agent_id text not null,
	path text not null references stored_assets (path) on update cascade on delete cascade,
	place integer not null, -- the order in which they were pinned
	pinned_at integer not null,
	primary key (agent_id, path)
) without rowid, strict;
INSERT INTO pins VALUES('default','blocks/x.md',1,1795955300821);
CREATE TABLE former_contents ( -- what undo puts back; bounded by undo.days and undo.bytes
	hash text primary key, -- sha256: over the content
	size integer not null,
	kept_at integer not null, -- when it was last given up for something else
	content blob not null
) strict;
CREATE TABLE former_size (
	bytes integer not null
) strict;
INSERT INTO former_size VALUES(0);
CREATE TABLE index_recent ( -- documents that are in no segment yet
	doc integer primary key,
	data blob not null -- ikm-formats(5)
) strict;
INSERT INTO index_recent VALUES(1,X'040000000400000007000000d6184727a2010000d7184727a201000080c08c70e2e315150f43c7d04a2261504a1846feeac1081cb0f60b5056aad5abc7fed07c461fc153242551732e4796259617a88db0a171d1fab220c859459cc9d52bb355b8bed8cf80710cbd7f5aabd72daf3a53ef0052bc8e01010101');
INSERT INTO index_recent VALUES(2,X'050000000500000006000000f7184727a2010000f8184727a2010000801d34648210b5c1278809469a201da43a58bd70b604974275c4b553fdb2b87e8f413d9634ca950ad631f10df4d81fe9f712bef7f20ead2ae017a88db0a171d1fab220c859459cc9d5c47d0f30ca3d2f17710cbd7f5aabd72d0101010101');
CREATE TABLE index_postings ( -- which documents of a segment have a term or a mark
	page integer primary key,
	segment integer not null,
	term integer not null, -- 64 bits of a hash; none in this page is less
	data blob not null, -- lists of some terms, or one long list: ikm-formats(5)
	unique (segment, term)
) strict;
CREATE TABLE index_gone ( -- removed documents that are still in postings
	term integer primary key,
	docs integer not null
) strict;
CREATE TABLE words ( -- the vocabulary
	word text primary key
) without rowid, strict;
INSERT INTO words VALUES('ada');
INSERT INTO words VALUES('deleted');
INSERT INTO words VALUES('deploy');
INSERT INTO words VALUES('green');
INSERT INTO words VALUES('noon');
INSERT INTO words VALUES('prefers');
INSERT INTO words VALUES('runs');
INSERT INTO words VALUES('tea');
CREATE TABLE doubted_words ( -- of what was removed; the next purge sees whether a memory has them
	word text primary key
) without rowid, strict;
CREATE TABLE vectors ( -- at most one of a memory, of the model that made it last
	doc integer primary key references memories (doc) on update cascade on delete cascade,
	model integer not null references vector_models (model),
	data blob not null -- a signed byte for each dimension
) strict;
CREATE TABLE damaged_rows ( -- rows that no table takes; ikm doctor lists them
	damage integer primary key,
	source text not null, -- the table
	found_at integer not null,
	reason text not null
) strict;
CREATE TABLE damaged_cells ( -- their values, as they were
	damage integer not null references damaged_rows (damage) on delete cascade,
	name text not null, -- the column
	value any,
	primary key (damage, name)
) without rowid, strict;
CREATE TABLE scopes ( -- a layer and the identifiers of whose it is
	scope integer primary key check (scope > 0),
	layer text not null check (layer in ('agent', 'user', 'session', 'project', 'team', 'org',
		'company')),
	owner text not null check (owner glob '[[]*]'),
	unique (layer, owner)
) strict;
INSERT INTO scopes VALUES(1,'user','["ada"]');
INSERT INTO scopes VALUES(2,'project','["git.example.org/acme/web"]');
CREATE TABLE memory_ids ( -- one row: the last id that was made here, of whatever became of it
	last text not null check (last = '' or last glob 'mem_*' and length(last) = 30)
) strict;
INSERT INTO memory_ids VALUES('mem_01M8KME693V7N7EP8T8WNEQE02');
CREATE TABLE deleted_memories ( -- hidden at once; content and all go with the next purge
	id text primary key check (id glob 'mem_*' and length(id) = 30),
	scope integer not null references scopes (scope),
	deleted_at integer not null check (deleted_at between -62167219200000 and 253402300799999),
	deleted_by text not null, -- the agent
	memory text check (memory glob '{*}') -- as it is exported; null once it was purged
, import integer not null default 0) without rowid, strict;
INSERT INTO deleted_memories VALUES('mem_01M8KME693V7N7EP8T8WNEQE02',1,1795955300681,'default','{"memoryId":"mem_01M8KME693V7N7EP8T8WNEQE02","layer":"user","kind":"fact","content":"to be deleted","tags":[],"importance":0.5,"confidence":1,"provenance":"user","redaction":"internal","state":"active","userId":"ada","agentId":"default","happenedAt":"2026-11-29T12:28:20.642Z","createdAt":"2026-11-29T12:28:20.643Z","updatedAt":"2026-11-29T12:28:20.643Z","tokens":3}',0);
CREATE TABLE index_numbers ( -- one row: the last number given to a document
	last integer not null check (last >= 0)
, tagless -- up to this number, documents have no words of tags
	integer not null default 0 check (tagless >= 0), changes -- grows with each change of a memory or an embedding
	integer not null default 0, rebuilt -- documents up to this number are to be indexed again
	integer not null default 0) strict;
INSERT INTO index_numbers VALUES(3,0,4,0);
CREATE TABLE index_segments ( -- documents by blocks of their numbers
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
CREATE TABLE index_attributes ( -- of each document of a segment
	segment integer not null,
	attribute text not null check (attribute in ('length', 'happened', 'recorded', 'importance',
		'removed')),
	data blob not null, -- ikm-formats(5)
	unique (segment, attribute)
) strict;
CREATE TABLE vector_models (
	model integer primary key,
	name text not null,
	version text not null,
	dimension integer not null check (dimension > 0),
	unique (name, version, dimension)
) strict;
CREATE TABLE turn_trace ( -- one row for each memory query
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
CREATE TABLE ingested_writes ( -- what came with tools' responses: the same again is stored once
	digest blob primary key check (length(digest) = 32), -- SHA-256 over who, the request, the tool and the item
	memory_id text not null check (memory_id glob 'mem_*' and length(memory_id) = 30),
	ts integer not null
) without rowid, strict;
CREATE TABLE IF NOT EXISTS "events" ( -- append-only; the MAC covers the columns in this order, chain_hash apart
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
INSERT INTO events VALUES(1,'01M8KME61S8REJ94KD5B686MV6',0,'checkpoint',2,'01M8KME61S268DC2S9NM9MA70G',1795955300409,'ada','default','','init','user','ada','system','begin',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"rows":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'','hmac:c82e500f7a08cd458b5bb3f4edfaafd891705ff34fc64098b1cd830cabce0eaa');
INSERT INTO events VALUES(2,'01M8KME6407BKCMSG8ZYDKT3HE',0,'pending',2,'01M8KME61S268DC2S9NM9MA70G',1795955300480,'ada','default','','init','user','ada','profile_update','write',NULL,'/home/ada/.ikigai/garden/users/ada/overview.md',NULL,NULL,NULL,'sha256:82431c166a6f0fa1da6f76f34195237abc3124329e3a1e1c95f6e0654f989eb5',NULL,NULL,NULL,NULL,replace('--- /dev/null\n+++ users/ada/overview.md\n@@ -0,0 +1,35 @@\n+---\n+id: ada\n+schema: overview v1\n+last_updated: 2026-11-29T12:28:20Z\n+---\n+# Overview of ada\n+\n+## Identity\n+<!-- @anchor: identity v1 -->\n+\n+## Current Focus\n+<!-- @anchor: current_focus v1 -->\n+\n+## Confirmed Parts\n+<!-- @anchor: confirmed_parts v1 -->\n+\n+## Active Themes\n+<!-- @anchor: active_themes v1 -->\n+\n+## Working Agreements\n+<!-- @anchor: working_agreements v1 -->\n+\n+## Recent Highlights\n+<!-- @anchor: recent_highlights v1 -->\n+\n+## Open Questions\n+<!-- @anchor: open_questions v1 -->\n+\n+## Change Log\n+<!-- @anchor: change_log v1 -->\n+\n+- 2026-11-29T12:28:20Z: created\n+\n+## Extensions\n+<!-- @anchor: extensions v1 -->\n','\n',char(10)),NULL,NULL,NULL,NULL,NULL,NULL,NULL,'hmac:f84de059df53a2173464b92454a794b08b02d7dedc7b7c04a04071e5ed3368dd',1,'hmac:c82e500f7a08cd458b5bb3f4edfaafd891705ff34fc64098b1cd830cabce0eaa','hmac:95c394478d32f4c4ef4b616063ef61c6ddfe221c0c2a8876fd72073eb76b7bb8');
INSERT INTO events VALUES(3,'01M8KME6407BKCMSG8ZYDKT3HE',1,'written',2,'01M8KME61S268DC2S9NM9MA70G',1795955300493,'ada','default','','init',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'hmac:95c394478d32f4c4ef4b616063ef61c6ddfe221c0c2a8876fd72073eb76b7bb8','hmac:9120d2c8591904f20877100e782f8f6e5a4ed0577b53fdf129439a653319e96a');
INSERT INTO events VALUES(4,'01M8KME6407BKCMSG8ZYDKT3HE',2,'committed',2,'01M8KME61S268DC2S9NM9MA70G',1795955300524,'ada','default','','init',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'68fb23b20bcbe31df50ee92372604263785ae7f5',NULL,1,'hmac:9120d2c8591904f20877100e782f8f6e5a4ed0577b53fdf129439a653319e96a','hmac:918c43a567fa08c4fd032c6e8404785a189d02c47c0425785c57dc566d8d9670');
INSERT INTO events VALUES(5,'01M8KME66RT62QVTM603HNEXGB',0,'committed',2,'01M8KME61S268DC2S9NM9MA70G',1795955300568,'ada','default','','mem add','memory','mem_01M8KME66Q0EJEH83VGDNEM5TB','action','add',NULL,NULL,NULL,NULL,NULL,'sha256:2467bdc7e0d9fc56511cda38c19bd9eeeb40fe9157cb08097b36193ef8133cc8',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'hmac:918c43a567fa08c4fd032c6e8404785a189d02c47c0425785c57dc566d8d9670','hmac:6d4b441a6725693fba25737deb17ee5a70f465f9583df43a141419b187a586fd');
INSERT INTO events VALUES(6,'01M8KME67S5Q6JXKAHZ86A8VC6',0,'committed',2,'01M8KME61S268DC2S9NM9MA70G',1795955300601,'ada','default','','mem add','memory','mem_01M8KME67RSHRN3MQVEAPWRY31','action','add',NULL,NULL,NULL,NULL,NULL,'sha256:ae2be62ae3481d7a508f70c18d0ce62a9ce3f35639b1e90625eed5d752918da7',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'hmac:6d4b441a6725693fba25737deb17ee5a70f465f9583df43a141419b187a586fd','hmac:7fcf548b6c1bf02a7004e0efe01c2820c4ba0922e5eafa6626f97e9a3c97aec5');
INSERT INTO events VALUES(7,'01M8KME694DF0CFCWY2X231WZ8',0,'committed',2,'01M8KME61S268DC2S9NM9MA70G',1795955300644,'ada','default','','mem add','memory','mem_01M8KME693V7N7EP8T8WNEQE02','action','add',NULL,NULL,NULL,NULL,NULL,'sha256:a2995fb4df3a32e439830851d8399ffdfae8aad99c8c7fac54a472d1281f0ba9',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'hmac:7fcf548b6c1bf02a7004e0efe01c2820c4ba0922e5eafa6626f97e9a3c97aec5','hmac:f78f1c266f0d2fbad15f79af2ef336e488eb1dc818d196b4baf623969a0d64c1');
INSERT INTO events VALUES(8,'01M8KME6AA3WDPVK83EX3ZAHZ6',0,'committed',2,'01M8KME61S268DC2S9NM9MA70G',1795955300682,'ada','default','','mem delete','memory','mem_01M8KME693V7N7EP8T8WNEQE02','action','delete',NULL,NULL,NULL,NULL,'sha256:a2995fb4df3a32e439830851d8399ffdfae8aad99c8c7fac54a472d1281f0ba9',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'hmac:f78f1c266f0d2fbad15f79af2ef336e488eb1dc818d196b4baf623969a0d64c1','hmac:e17b03072fa35d7dd4493dee8d799ef15910718905233e12fbfa0e4f3d22ec4c');
CREATE TABLE event_open ( -- events without an outcome; derived from events
	event_id text primary key,
	seq integer not null,
	path text not null
) without rowid, strict;
CREATE TABLE event_head ( -- the end of the chain: one row, changed with each event; none: no chain yet
	one integer primary key check (one = 1),
	seq integer not null, -- of the last row
	chain_hash text not null, -- its MAC
	key_version integer not null, -- of the key for the next row
	mac text not null -- hmac: over the three
) strict;
INSERT INTO event_head VALUES(1,8,'hmac:e17b03072fa35d7dd4493dee8d799ef15910718905233e12fbfa0e4f3d22ec4c',1,'hmac:671977b15f50dc0179744de55ec1e421120ff77f6bae1068213f6ef9bad4c972');
CREATE TABLE idempotency_records ( -- kept for 48 hours
	key text primary key, -- of the user's call
	payload_hash text not null, -- sha256: of tool, entity and parameters
	event_id text not null,
	created_at integer not null,
	result text -- JSON: the answer; null: its process died before it had one
) without rowid, strict;
CREATE TABLE memory_salts ( -- of memories that events tell of; a purge removes it with the memory
	id text primary key,
	salt text not null -- 16 random bytes in hexadecimal
) without rowid, strict;
INSERT INTO memory_salts VALUES('mem_01M8KME66Q0EJEH83VGDNEM5TB','292e88d5abc8e6c1225375b97d2d9efa');
INSERT INTO memory_salts VALUES('mem_01M8KME67RSHRN3MQVEAPWRY31','ee92d905c6810cde0f45a38e2b5589c7');
INSERT INTO memory_salts VALUES('mem_01M8KME693V7N7EP8T8WNEQE02','e7ab49b5c55afa521b227b28bb1acd63');
CREATE TABLE sync_places ( -- where sync ran
	place text primary key, -- the repository's folder on this machine; empty: no repository
	runs integer not null,
	changes integer not null, -- pointers that were added, updated or deleted, in all runs
	duration_ms integer not null, -- of all runs
	last_at integer not null
) without rowid, strict;
CREATE TABLE sync_sources ( -- sources of knowledge, and the places that read them
	place text not null,
	source text not null, -- its repository (origin, else root commit), a colon, its folder
	commit_id text, -- of its repository: no item failed up to it; null: none yet
	primary key (place, source)
) without rowid, strict;
CREATE TABLE sync_items ( -- items that have a pointer
	memory_id text primary key, -- made of source, layer, owner and item
	source text not null,
	layer text not null, -- company, org, team, project
	owner text not null, -- the folder below orgs/, teams/ or projects/, or empty
	item text not null, -- its id
	type text not null, -- adr, policy, pattern, spec
	path text not null -- of its file, as messages show it
) without rowid, strict;
CREATE TABLE sync_failures ( -- items that the last sync could not read or store
	place text not null,
	path text not null, -- as messages show it; of a source that cannot be read its message
	item text not null, -- its id, or empty: the file gave no item
	layer text, -- null where there is no item; so is type
	type text,
	reason text not null, -- as in the error envelope
	message text not null,
	first_at integer not null, -- when it failed first
	tries integer not null,
	primary key (place, path, item)
) without rowid, strict;
CREATE TABLE memories (
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
	content text not null, import integer not null default 0,
	check (kind <> 'scratch' or status is not null)
) strict;
INSERT INTO memories VALUES(1,'mem_01M8KME66Q0EJEH83VGDNEM5TB',1,'semantic','','["tea"]','',0.5,1.0,'user','internal',NULL,'active',0,'ada','default','','',0,NULL,NULL,NULL,1795955300566,1795955300567,1795955300567,NULL,5,'o200k',6392608659414434392,'','','','','','','Ada prefers green tea',0);
INSERT INTO memories VALUES(2,'mem_01M8KME67RSHRN3MQVEAPWRY31',2,'fact','','[]','',0.5,1.0,'user','internal',NULL,'active',0,'ada','default','','',0,NULL,NULL,NULL,1795955300599,1795955300600,1795955300600,NULL,5,'o200k',-927560194315462480,'','git.example.org/acme/web','c5a640f084b1b65440bcccdae2b68a8d79d600e6','main','90fca9066b086280','','The deploy runs at noon',0);
CREATE TABLE imports (
	import integer primary key,
	event_id text not null, -- its event
	added integer not null, -- memories that it added
	deleted integer not null -- deletions that it took over
) strict;
CREATE TABLE repository_roots ( -- root commits of repositories that have no origin
	folder blob primary key, -- the Git folder that the working trees of a repository share
	head text not null, -- the commit that HEAD was
	root text not null -- the oldest root commit that it leads to
) without rowid, strict;
CREATE TABLE sync_remotes ( -- one for each server, tenant and login role
	remote integer primary key,
	incarnation text not null, -- of the schema
	tenant text not null,
	login text not null,
	cluster text not null, -- the server's system identifier and timeline: another one is a restore
	layers text not null, -- the member's layers on the server, as a JSON list
	shared text not null, -- sync.layers of the last sync, as a JSON list
	assets integer not null check (assets in (0, 1)), -- sync.assets of the last sync
	pushed integer not null, -- memories up to this number were offered
	pushed_events integer not null, -- and rows of the record up to this one
	pulled integer not null, -- rows of memories up to this number of the tenant were read
	pulled_assets integer not null,
	pulled_events integer not null,
	nonce text not null, -- what the server has for this machine: a copied home has an older one
	offer integer not null, -- memories up to this number are offered even if the remote had them
	next_nonce text not null, -- what it has if the last push was not answered
	synced_at integer, -- null: never to the end
	failed_at integer, -- null: the last sync had no error; so are the next two
	reason text,
	message text,
	unique (incarnation, tenant, login)
) strict;
CREATE TABLE sync_rows ( -- memories that a remote holds
	id text not null,
	remote integer not null references sync_remotes (remote) on delete cascade,
	owner text not null, -- the login role of another person, or empty: one's own
	doc integer not null, -- the number of the memory that is the same; 0: none; below 0: deleted
	clock integer not null, -- hybrid logical clock of that version: ms since 1970, 16 bits
	machine text not null, -- the machine of that version
	hash integer not null, -- of the version's text
	primary key (id, remote)
) without rowid, strict;
CREATE TABLE sync_gone ( -- memories that a remote holds, and that were removed since
	id text not null,
	remote integer not null references sync_remotes (remote) on delete cascade,
	primary key (remote, id)
) without rowid, strict;
CREATE TABLE sync_waiting ( -- rows that a sync could not exchange; the next one tries again
	remote integer not null references sync_remotes (remote) on delete cascade,
	id text not null,
	pulled integer not null check (pulled in (0, 1)), -- 1: it came from the server
	reason text not null, -- as in the error envelope
	message text not null,
	first_at integer not null,
	tries integer not null,
	primary key (remote, id, pulled)
) without rowid, strict;
CREATE TABLE sync_conflicts ( -- versions that lost against another one; kept until they are dropped
	conflict integer primary key,
	id text not null, -- of the memory, or the path of the asset
	type text not null check (type in ('memory', 'asset')),
	found_at integer not null,
	machine text not null, -- where the lost version was made
	clock integer not null,
	winner text not null, -- the machine of the version that won
	lost text -- the lost version as JSON; null: it was a deletion
) strict;
CREATE TABLE sync_assets ( -- assets that a remote holds
	remote integer not null references sync_remotes (remote) on delete cascade,
	path text not null,
	clock integer not null,
	machine text not null,
	digest text not null, -- sha256: over all that is shared of it; empty: it is deleted there
	primary key (remote, path)
) without rowid, strict;
CREATE TABLE sync_machines ( -- the names that this machine had
	first integer primary key, -- its first row of the record under that name
	machine text not null
) strict;
CREATE TABLE remote_events ( -- append-only: what one's other machines recorded
	machine text not null,
	number integer not null, -- its row in the record of that machine
	event text not null, -- the row's columns as JSON
	primary key (machine, number)
) without rowid, strict;
CREATE INDEX asset_versions_age on asset_versions (saved_at);
CREATE INDEX pins_path on pins (path);
CREATE INDEX former_contents_age on former_contents (kept_at);
CREATE INDEX turn_trace_age on turn_trace (ts);
CREATE INDEX turn_trace_request on turn_trace (request_id);
CREATE INDEX ingested_writes_age on ingested_writes (ts);
CREATE UNIQUE INDEX events_step on events (event_id, number);
CREATE INDEX events_path on events (file_path, seq) where file_path is not null;
CREATE INDEX events_moved on events (path_to, seq) where path_to is not null;
CREATE INDEX events_undoes on events (undoes) where undoes is not null;
CREATE INDEX events_replay on events (idempotency_key) where idempotency_key is not null;
CREATE INDEX events_chained on events (seq) where chain_hash is not null;
CREATE INDEX idempotency_age on idempotency_records (created_at);
CREATE INDEX events_memory on events (entity_id, seq) where entity_type = 'memory' and number = 0;
CREATE INDEX sync_sources_places on sync_sources (source);
CREATE INDEX sync_items_source on sync_items (source);
CREATE INDEX words_middle on words (substr(word, min(length(word) / 2, 4) + 1, 4));
CREATE INDEX memories_repeat on memories (scope, content_hash)
	where kind in ('fact', 'semantic') and state = 'active';
CREATE INDEX memories_session on memories (session_id, happened_at, turn, doc)
	where session_id <> '';
CREATE INDEX memories_short on memories (user_id, agent_id, kind, doc)
	where kind in ('working', 'scratch');
CREATE INDEX memories_made on memories (created_at);
CREATE INDEX memories_expiry on memories (expires_at) where expires_at is not null;
CREATE INDEX sync_conflicts_id on sync_conflicts (id);
CREATE TRIGGER former_grows after insert on former_contents
begin update former_size set bytes = bytes + new.size; end;
CREATE TRIGGER former_shrinks after delete on former_contents
begin update former_size set bytes = bytes - old.size; end;
CREATE TRIGGER events_opened after insert on events when new.number = 0 and new.step = 'pending'
begin insert or ignore into event_open values (new.event_id, new.seq, coalesce(new.file_path, '')); end;
CREATE TRIGGER events_ended after insert on events when new.step in ('committed', 'failed')
begin delete from event_open where event_id = new.event_id; end;
CREATE TRIGGER events_no_update before update on events
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER events_no_delete before delete on events
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER events_no_replace before insert on events
when exists (select 1 from events where seq = new.seq)
	or exists (select 1 from events where event_id = new.event_id and number = new.number)
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER vectors_added after insert on vectors
begin update index_numbers set changes = changes + 1; end;
CREATE TRIGGER memories_changed after update on memories
begin update index_numbers set changes = changes + 1; end;
CREATE TRIGGER memories_removed after delete on memories
begin update index_numbers set changes = changes + 1; end;
CREATE TRIGGER memories_gone after delete on memories
when exists (select 1 from sync_rows where id = old.id)
begin insert or ignore into sync_gone (id, remote) select id, remote from sync_rows where id = old.id; end;
CREATE TRIGGER remote_events_no_update before update on remote_events
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER remote_events_no_delete before delete on remote_events
begin select raise(abort, 'events are append-only'); end;
COMMIT;
