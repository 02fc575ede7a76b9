-- A store as ikm 0.1.0 made it (schema 4): sqlite3 ikm.db <store-0.1.0.sql
pragma foreign_keys = off;
pragma application_id = 0x696b6d00;
pragma user_version = 4;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta ( -- about this store
	key text primary key, -- "machine": a ULID, whose events these are
	value text not null
) without rowid, strict;
INSERT INTO meta VALUES('machine','01M823M27AP84TVWRK09MTHSN1');
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
INSERT INTO stored_assets VALUES(1,'blocks/note.md','','block',0,2,'o200k','sha256:f6936912184481f5edd4c304ce27c5a1a827804fc7f329f43d273b8621870776',1795367218658,1795367241962,X'74687265650a');
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
INSERT INTO asset_versions VALUES('blocks/note.md',1,'','block',2,'sha256:2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806','write','default',1795367218714,X'6f6e650a');
INSERT INTO asset_versions VALUES('blocks/note.md',2,'','block',2,'sha256:27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a','write','default',1795367241962,X'74776f0a');
CREATE TABLE asset_numbers ( -- the last number given to a version of the path
	path text primary key,
	number integer not null
) without rowid, strict;
INSERT INTO asset_numbers VALUES('blocks/note.md',2);
CREATE TABLE pins (
	agent_id text not null,
	path text not null references stored_assets (path) on update cascade on delete cascade,
	place integer not null, -- the order in which they were pinned
	pinned_at integer not null,
	primary key (agent_id, path)
) without rowid, strict;
INSERT INTO pins VALUES('default','blocks/note.md',1,1795367218759);
CREATE TABLE events ( -- append-only
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
, before_mode integer, after_mode integer) strict;
INSERT INTO events VALUES(1,'01M823M27A88DH0AHGFH15DCXA',1,'01M823M27AP84TVWRK09MTHSN1',1795367241962,'ada','default','','file_write','asset','ikigai:///blocks/note.md','action','write',NULL,NULL,NULL,NULL,'sha256:27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a','sha256:f6936912184481f5edd4c304ce27c5a1a827804fc7f329f43d273b8621870776',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE event_outcomes ( -- append-only; an event without one is pending
	event_id text primary key references events (event_id),
	ts integer not null,
	status text not null check (status in ('written', 'committed', 'failed')),
	after_hash text,
	error text,
	commit_oid text,
	chain_hash text
) without rowid, strict;
INSERT INTO event_outcomes VALUES('01M823M27A88DH0AHGFH15DCXA',1795367241962,'committed',NULL,NULL,NULL,NULL);
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
CREATE TABLE scopes ( -- a layer and the identifiers of whose it is
	scope integer primary key,
	layer text not null, -- agent, user, session, project, team, org, company
	owner text not null, -- its identifiers, as a JSON list
	unique (layer, owner)
) strict;
INSERT INTO scopes VALUES(1,'user','["ada"]');
INSERT INTO scopes VALUES(2,'agent','["ada","default"]');
INSERT INTO scopes VALUES(3,'session','["ada","s1"]');
CREATE TABLE memories (
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
INSERT INTO memories VALUES(1,'mem_01M823KAZJ6H2SPRRX4DQPJEA1',1,'semantic','','["drinks","taste"]','',0.5,1.0,'user','internal',NULL,'active','ada','default','','',0,NULL,NULL,NULL,1795367218116,1795367218162,1795367218162,NULL,3,'o200k',948176287567553146,'{"ticket":"X-1"}','Ada prefers tea');
INSERT INTO memories VALUES(3,'mem_01M823KB1G8QVBSP22JW4J0GTM',1,'fact','','[]','',0.5,1.0,'user','internal',NULL,'active','ada','default','','',0,'mem_01M823KB05V69CVBP9JK3TQ0DZ',NULL,NULL,1795367218223,1795367218224,1795367218224,NULL,4,'o200k',-3264782594737674022,'','The city is Milan');
INSERT INTO memories VALUES(4,'mem_01M823KB05V69CVBP9JK3TQ0DZ',1,'fact','','[]','',0.5,1.0,'user','internal',NULL,'superseded','ada','default','','',0,NULL,'mem_01M823KB1G8QVBSP22JW4J0GTM',1795367218225,1795367218180,1795367218181,1795367218225,NULL,4,'o200k',5418674430918486985,'','The city is Rome');
INSERT INTO memories VALUES(5,'mem_01M823KB2PM0SQ1G677B3SBGJW',2,'episodic','','[]','',0.5,1.0,'user','internal',NULL,'active','ada','default','','',0,NULL,NULL,NULL,1795367218253,1795367218262,1795367218262,NULL,4,'o200k',5731411789983015704,'','The build was green');
INSERT INTO memories VALUES(6,'mem_01M823KB3STB6PBB1YT1DAEK5X',2,'scratch','','[]','',0.5,0.5,'user','internal','active','active','ada','default','','',0,NULL,NULL,NULL,1795367218284,1795367218297,1795367218297,4102444800000,4,'o200k',3184413101317704718,'','look at the tests');
INSERT INTO memories VALUES(7,'mem_01M823KB4DNGXVN2Y7KHWRE66T',3,'conversation','','[]','',0.5,1.0,'user','internal',NULL,'active','ada','default','s1','Ada',1,NULL,NULL,NULL,1795367218316,1795367218317,1795367218317,NULL,2,'o200k',2749963906553400904,'','Good morning');
INSERT INTO memories VALUES(8,'mem_01M823KB5BDG2HZ0PB54H3PPTT',2,'working','','[]','',0.5,1.0,'user','internal',NULL,'active','ada','default','','',0,NULL,NULL,NULL,1795367218345,1795367218347,1795367218347,4102444800000,2,'o200k',-7382980447777194846,'','step one');
INSERT INTO memories VALUES(10,'mem_01M823KBCY9P9TKWH234MH7KYG',1,'fact','','[]','',0.5,1.0,'user','sensitive',NULL,'active','ada','default','','',0,NULL,NULL,NULL,1795367218584,1795367218590,1795367218590,NULL,6,'o200k',-5082047675948531441,'','The PIN is 1234');
INSERT INTO memories VALUES(11,'mem_01M823M2BYVW5VHK6DDDKZGBP5',2,'episodic','observation','[]','t',0.5,1.0,'tool','internal',NULL,'active','ada','default','','',0,NULL,NULL,NULL,1795367242110,1795367242110,1795367242110,NULL,1,'o200k',8639772037095609374,'','ingested');
CREATE TABLE memory_ids ( -- one row: the last id that was made here, of whatever became of it
	last text not null
) strict;
INSERT INTO memory_ids VALUES('mem_01M823M2BYVW5VHK6DDDKZGBP5');
CREATE TABLE deleted_memories ( -- hidden at once; content and all go with the next purge
	id text primary key,
	scope integer not null references scopes (scope),
	deleted_at integer not null,
	deleted_by text not null, -- the agent
	memory text -- as it is exported; null once it was purged
) without rowid, strict;
INSERT INTO deleted_memories VALUES('mem_01M823KB7E1NWSHDYC28R5QS0T',1,1795367218505,'default','{"memoryId":"mem_01M823KB7E1NWSHDYC28R5QS0T","layer":"user","kind":"fact","content":"to be forgotten","tags":[],"importance":0.5,"confidence":1,"provenance":"user","redaction":"internal","state":"active","userId":"ada","agentId":"default","happenedAt":"2026-11-22T17:06:58.393Z","createdAt":"2026-11-22T17:06:58.414Z","updatedAt":"2026-11-22T17:06:58.414Z","tokens":4}');
CREATE TABLE index_numbers ( -- one row: the last number given to a document
	last integer not null
) strict;
INSERT INTO index_numbers VALUES(11);
CREATE TABLE index_recent ( -- documents that are in no segment yet
	doc integer primary key,
	data blob not null -- ikm-formats(5)
) strict;
INSERT INTO index_recent VALUES(1,X'030000000300000008000000c4ab3904a2010000f2ab3904a201000080c08c70e2e315150f43c7d04a2261504a1846feeac1081cb0fed07c461fc153242551732e4796259617a88db0a171d1fab220c859459cc9d52bb355b8bed8cf80710cbd7f5aabd72d0652733eaef661d7398b28b494f5d777010101');
INSERT INTO index_recent VALUES(3,X'0400000004000000060000002fac3904a201000030ac3904a20100008058bd70b604974275b71c28e22844fcd8a150fa10d36727e6e567d758f57116f5fed07c461fc1532412bef7f20ead2ae017a88db0a171d1fab220c859459cc9d5c47d0f30ca3d2f17710cbd7f5aabd72d01010101');
INSERT INTO index_recent VALUES(4,X'04000000040000000700000004ac3904a201000005ac3904a20100008058bd70b604974275a150fa10d36727e6e567d758f57116f53994e0f391b51bf5fed07c461fc1532412bef7f20ead2ae017a88db0a171d1fab220c859459cc9d5c47d0f30ca3d2f17710cbd7f5aabd72d246afb58336e4fe301010101');
INSERT INTO index_recent VALUES(5,X'0400000004000000060000004dac3904a201000056ac3904a20100008058bd70b6049742755c3168a95d556987840a3d2c621b4491f60b5056aad5abc731f10df4d81fe9f7c3dcb6907e52306b17a88db0a171d1fab220c859459cc9d5ea509c3ba8fafadb710cbd7f5aabd72d01010101');
INSERT INTO index_recent VALUES(6,X'0400000004000000070000006cac3904a201000079ac3904a2010000803877016ae8f4195e58bd70b604974275307437e7b0b07fd1413d9634ca950ad631f10df4d81fe9f7a7f3ceecedec533917a88db0a171d1fab220c859459cc9d588a4af273d68f96d710cbd7f5aabd72dbef11368cc1b15c301010101');
INSERT INTO index_recent VALUES(7,X'0200000002000000080000008cac3904a20100008dac3904a201000080f43b9c709720de08e96e4b7e81766cf59eb438c7180e3779a218e913253fba6817a88db0a171d1fab220c859459cc9d51e5c649cc8c3cab4710cbd7f5aabd72db580dde752048d82568b727811a241090101');
INSERT INTO index_recent VALUES(8,X'020000000200000006000000a9ac3904a2010000abac3904a20100008047398e6b65c26d2ee3685274ebcde68831f10df4d81fe9f758f2d8d0995febad17a88db0a171d1fab220c859459cc9d5d27f245d8f60edc7710cbd7f5aabd72d0101');
INSERT INTO index_recent VALUES(10,X'04000000040000000600000098ad3904a20100009ead3904a2010000808455ec572181750923cbf5840b408f3958bd70b604974275e567d758f57116f5fed07c461fc1532412bef7f20ead2ae08b5c9576dbb93024b220c859459cc9d5c47d0f30ca3d2f17710cbd7f5aabd72d01010101');
INSERT INTO index_recent VALUES(11,X'0100000001000000070000007e093a04a20100007e093a04a2010000800c5a726987fcf23d31f10df4d81fe9f7c3dcb6907e52306b17a88db0a171d1fa9b08e0fff9c7a865f25fb42e616c8917bdc64f16d9b6bf5d710cbd7f5aabd72d01');
CREATE TABLE index_segments ( -- documents by blocks of their numbers
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
CREATE TABLE index_postings ( -- which documents of a segment have a term or a mark
	page integer primary key,
	segment integer not null,
	term integer not null, -- 64 bits of a hash; none in this page is less
	data blob not null, -- lists of some terms, or one long list: ikm-formats(5)
	unique (segment, term)
) strict;
CREATE TABLE index_attributes ( -- of each document of a segment
	segment integer not null,
	attribute text not null, -- length, happened, recorded, importance, removed
	data blob not null, -- ikm-formats(5)
	unique (segment, attribute)
) strict;
CREATE TABLE index_gone ( -- removed documents that are still in postings
	term integer primary key,
	docs integer not null
) strict;
CREATE TABLE words ( -- the vocabulary
	word text primary key
) without rowid, strict;
INSERT INTO words VALUES('1234');
INSERT INTO words VALUES('ada');
INSERT INTO words VALUES('build');
INSERT INTO words VALUES('city');
INSERT INTO words VALUES('forgotten');
INSERT INTO words VALUES('good');
INSERT INTO words VALUES('green');
INSERT INTO words VALUES('ingested');
INSERT INTO words VALUES('look');
INSERT INTO words VALUES('milan');
INSERT INTO words VALUES('morning');
INSERT INTO words VALUES('one');
INSERT INTO words VALUES('pin');
INSERT INTO words VALUES('prefers');
INSERT INTO words VALUES('rome');
INSERT INTO words VALUES('step');
INSERT INTO words VALUES('tea');
INSERT INTO words VALUES('tests');
CREATE TABLE doubted_words ( -- of what was removed; the next purge sees whether a memory has them
	word text primary key
) without rowid, strict;
CREATE TABLE word_slips ( -- what remains of a word when letters are left out, for its neighbours
	part integer not null, -- 32 bits of a hash
	word text not null, -- is in words
	primary key (part, word)
) without rowid, strict;
INSERT INTO word_slips VALUES(73120892,'build');
INSERT INTO word_slips VALUES(110007489,'city');
INSERT INTO word_slips VALUES(190621174,'tests');
INSERT INTO word_slips VALUES(223005545,'morning');
INSERT INTO word_slips VALUES(268254800,'1234');
INSERT INTO word_slips VALUES(289626872,'step');
INSERT INTO word_slips VALUES(325234709,'1234');
INSERT INTO word_slips VALUES(427283622,'milan');
INSERT INTO word_slips VALUES(465318159,'morning');
INSERT INTO word_slips VALUES(521990426,'good');
INSERT INTO word_slips VALUES(548810594,'green');
INSERT INTO word_slips VALUES(581000016,'forgotten');
INSERT INTO word_slips VALUES(613142270,'step');
INSERT INTO word_slips VALUES(654874491,'city');
INSERT INTO word_slips VALUES(701125524,'step');
INSERT INTO word_slips VALUES(707866317,'tests');
INSERT INTO word_slips VALUES(751488440,'milan');
INSERT INTO word_slips VALUES(762791956,'prefers');
INSERT INTO word_slips VALUES(835667533,'look');
INSERT INTO word_slips VALUES(842458793,'forgotten');
INSERT INTO word_slips VALUES(896926019,'morning');
INSERT INTO word_slips VALUES(1017942087,'forgotten');
INSERT INTO word_slips VALUES(1079981882,'ingested');
INSERT INTO word_slips VALUES(1139595333,'step');
INSERT INTO word_slips VALUES(1190002998,'prefers');
INSERT INTO word_slips VALUES(1213601115,'build');
INSERT INTO word_slips VALUES(1363929478,'morning');
INSERT INTO word_slips VALUES(1414390877,'look');
INSERT INTO word_slips VALUES(1430986688,'1234');
INSERT INTO word_slips VALUES(1431670545,'tests');
INSERT INTO word_slips VALUES(1460178913,'prefers');
INSERT INTO word_slips VALUES(1583139155,'city');
INSERT INTO word_slips VALUES(1608032858,'milan');
INSERT INTO word_slips VALUES(1626010349,'morning');
INSERT INTO word_slips VALUES(1638791159,'morning');
INSERT INTO word_slips VALUES(1646070964,'ingested');
INSERT INTO word_slips VALUES(1751341401,'look');
INSERT INTO word_slips VALUES(1756842418,'tests');
INSERT INTO word_slips VALUES(1791533442,'build');
INSERT INTO word_slips VALUES(1795311118,'1234');
INSERT INTO word_slips VALUES(1818792403,'build');
INSERT INTO word_slips VALUES(1897042751,'rome');
INSERT INTO word_slips VALUES(1927280095,'good');
INSERT INTO word_slips VALUES(1929702629,'look');
INSERT INTO word_slips VALUES(1984585279,'1234');
INSERT INTO word_slips VALUES(2067085483,'ingested');
INSERT INTO word_slips VALUES(2153295163,'morning');
INSERT INTO word_slips VALUES(2158162431,'prefers');
INSERT INTO word_slips VALUES(2314330209,'forgotten');
INSERT INTO word_slips VALUES(2391764383,'city');
INSERT INTO word_slips VALUES(2516217480,'rome');
INSERT INTO word_slips VALUES(2563099181,'prefers');
INSERT INTO word_slips VALUES(2670447616,'step');
INSERT INTO word_slips VALUES(2706240113,'ingested');
INSERT INTO word_slips VALUES(2891853302,'ingested');
INSERT INTO word_slips VALUES(2928218145,'rome');
INSERT INTO word_slips VALUES(2983288815,'rome');
INSERT INTO word_slips VALUES(3052254561,'forgotten');
INSERT INTO word_slips VALUES(3096102806,'forgotten');
INSERT INTO word_slips VALUES(3096759569,'city');
INSERT INTO word_slips VALUES(3191050607,'tests');
INSERT INTO word_slips VALUES(3197391907,'milan');
INSERT INTO word_slips VALUES(3207814339,'ingested');
INSERT INTO word_slips VALUES(3284188787,'morning');
INSERT INTO word_slips VALUES(3293264441,'milan');
INSERT INTO word_slips VALUES(3495914425,'tests');
INSERT INTO word_slips VALUES(3582320422,'prefers');
INSERT INTO word_slips VALUES(3589112590,'build');
INSERT INTO word_slips VALUES(3619703780,'prefers');
INSERT INTO word_slips VALUES(3626182432,'milan');
INSERT INTO word_slips VALUES(3713506103,'build');
INSERT INTO word_slips VALUES(3722003982,'prefers');
INSERT INTO word_slips VALUES(3739153858,'ingested');
INSERT INTO word_slips VALUES(3745554761,'forgotten');
INSERT INTO word_slips VALUES(3797205113,'green');
INSERT INTO word_slips VALUES(3830812415,'good');
INSERT INTO word_slips VALUES(4087419893,'green');
INSERT INTO word_slips VALUES(4131437171,'green');
INSERT INTO word_slips VALUES(4204774618,'good');
INSERT INTO word_slips VALUES(4239403393,'rome');
INSERT INTO word_slips VALUES(4272921369,'ingested');
INSERT INTO word_slips VALUES(4294947086,'green');
CREATE TABLE vector_models (
	model integer primary key,
	name text not null,
	version text not null,
	dimension integer not null,
	unique (name, version, dimension)
) strict;
INSERT INTO vector_models VALUES(1,'m','1',2);
CREATE TABLE vectors ( -- at most one of a memory, of the model that made it last
	doc integer primary key references memories (doc) on update cascade on delete cascade,
	model integer not null references vector_models (model),
	data blob not null -- a signed byte for each dimension
) strict;
INSERT INTO vectors VALUES(1,1,X'017f');
INSERT INTO vectors VALUES(4,1,X'017f');
CREATE TABLE turn_trace ( -- one row for each memory query (seed 002)
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
INSERT INTO turn_trace VALUES(1,1795367218864,'r','t','ada','default','','q','semantic','tea','ok','',1,1,500,3,451,0);
INSERT INTO turn_trace VALUES(2,1795367218864,'r','t','ada','default','','p','working','tea','denied','Policy deny: tool ''t'' does not declare access to working',0,0,500,0,0,0);
CREATE TABLE ingested_writes ( -- what came with tools' responses: the same again is stored once
	digest blob primary key, -- SHA-256 over who, the request, the tool and the item
	memory_id text not null,
	ts integer not null
) without rowid, strict;
INSERT INTO ingested_writes VALUES(X'9113deb6e21211c37379a6ce50d588ed95b416992e54501a6f7a43643b85dc12','mem_01M823M2BYVW5VHK6DDDKZGBP5',1795367242104);
CREATE INDEX asset_versions_age on asset_versions (saved_at);
CREATE INDEX pins_path on pins (path);
CREATE INDEX events_entity on events (entity_id, seq);
CREATE INDEX events_undoes on events (undoes) where undoes is not null;
CREATE TRIGGER events_keep before update on events
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER events_stay before delete on events
begin select raise(abort, 'events are append-only'); end;
CREATE TRIGGER event_outcomes_stay before delete on event_outcomes
begin select raise(abort, 'events are append-only'); end;
CREATE INDEX former_contents_age on former_contents (kept_at);
CREATE TRIGGER former_grows after insert on former_contents
begin update former_size set bytes = bytes + new.size; end;
CREATE TRIGGER former_shrinks after delete on former_contents
begin update former_size set bytes = bytes - old.size; end;
CREATE INDEX memories_repeat on memories (scope, content_hash)
	where kind in ('fact', 'semantic') and state = 'active';
CREATE INDEX memories_session on memories (session_id, happened_at, turn, doc)
	where session_id <> '';
CREATE INDEX memories_short on memories (user_id, agent_id, kind, doc)
	where kind in ('working', 'scratch');
CREATE INDEX memories_made on memories (created_at);
CREATE INDEX memories_expiry on memories (expires_at) where expires_at is not null;
CREATE VIEW memory_rows as -- a memory with its layer; the content last
select m.doc, m.id, s.layer, m.scope, m.kind, m.type, m.tags, m.source, m.importance, m.confidence,
	m.provenance, m.redaction, m.status, m.state, m.user_id, m.agent_id, m.session_id,
	m.speaker, m.turn, m.supersedes, m.superseded_by, m.superseded_at, m.happened_at,
	m.created_at, m.updated_at, m.expires_at, m.tokens, m.token_model, m.content_hash,
	m.metadata, m.content
from memories m join scopes s on s.scope = m.scope
;
CREATE INDEX turn_trace_age on turn_trace (ts);
CREATE INDEX turn_trace_request on turn_trace (request_id);
CREATE INDEX ingested_writes_age on ingested_writes (ts);
CREATE INDEX events_moved on events (path_to, seq) where path_to is not null;
CREATE VIEW event_rows as -- an event with what became of it; seed 001's status
select e.event_id, e.ts, e.user_id, e.agent_id, e.session_id, e.tool, e.entity_type, e.op,
	e.entity_id, e.path_to, e.before_hash, e.after_hash, e.undoes, o.error,
	coalesce(o.status, 'pending') as status,
	exists (select 1 from former_contents f where f.hash = e.before_hash)
		or e.entity_type = 'asset' and exists (select 1 from asset_versions v
			where v.path = substr(e.entity_id, length('ikigai:///') + 1)
				and v.hash = e.before_hash) as kept,
	e.before_mode, e.after_mode, e.seq, e.rationale
from events e left join event_outcomes o using (event_id)
;
COMMIT;
