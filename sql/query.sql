-- All statements of ikm. A line "-- name: x" begins a statement, which Q_X names in C; a semicolon
-- ends it. Parameters are ?1, ?2 and so on, in the order in which they are bound. In an empty store
-- every select, also of a sum, finds no row: ikm does not open a missing store for a query.

-- A line "-- part: x" begins a select that other statements name as {x}: a view without a view. SQLite
-- reads all views of a store for each command, which takes as long as six tables do.

-- An event, by its first row, with what became of it; the garden's status.
-- part: event_rows
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
			from deleted_memories d where d.id = e.entity_id and d.memory is not null) as kept,
	coalesce(e.face, 'unknown') as face, e.client
from events e
	left join events w on w.event_id = e.event_id and w.number > 0 and w.step = 'written'
	left join events o on o.event_id = e.event_id and o.number > 0
		and o.step in ('committed', 'failed')
where e.number = 0;

-- A memory with its layer; the content last.
-- part: memory_rows
select m.doc, m.id, s.layer, m.scope, m.kind, m.type, m.tags, m.source, m.importance, m.confidence,
	m.provenance, m.redaction, m.status, m.state, m.user_id, m.agent_id, m.session_id,
	m.speaker, m.turn, m.supersedes, m.superseded_by, m.superseded_at, m.happened_at,
	m.created_at, m.updated_at, m.expires_at, m.tokens, m.token_model, m.content_hash,
	m.files, m.made_repository, m.made_commit, m.made_branch, m.made_change,
	m.rejected, m.owner, m.metadata, m.content
from memories m join scopes s on s.scope = m.scope;

-- ---- the store itself (lib/store/db) ----

-- name: store_application
pragma application_id;

-- name: store_schema
pragma user_version;

-- name: store_tables
select exists (select 1 from sqlite_schema);

-- name: store_sync
pragma synchronous = full;

-- name: store_sync_later
pragma synchronous = normal;

-- name: store_sync_off
pragma synchronous = off;

-- name: store_temp
pragma temp_store = memory;

-- A reader uses most pages once: memory for a page costs twice the time of reading it again.
-- name: store_cache
pragma cache_size = -128;

-- SQLite's own size: in a smaller cache a transaction writes pages before it commits.
-- name: store_cache_write
pragma cache_size = -2000;

-- For a transaction of many rows: with less, SQLite writes and reads the same pages again.
-- name: store_cache_bulk
pragma cache_size = -32768;

-- name: store_temp_file
pragma temp_store = file;

-- name: store_wal
pragma journal_mode = wal;

-- name: store_journal
pragma journal_mode;

-- name: store_wal_limit
pragma journal_size_limit = 4194304;

-- name: store_begin
begin immediate;

-- name: store_read
begin;

-- name: store_version
pragma data_version;

-- name: store_vacuum
vacuum;

-- name: store_copy
vacuum into :path;

-- Overwrites what is removed from now on.
-- name: store_secure
pragma secure_delete = on;

-- name: store_truncate
pragma wal_checkpoint(truncate);

-- name: store_commit
commit;

-- name: store_rollback
rollback;

-- name: store_savepoint
savepoint part;

-- name: store_rollback_to
rollback to part;

-- name: store_release
release part;

-- ---- comparing the schema with that of a new store (lib/store/db/schema.c) ----

-- Without what SQLite makes by itself. Tables come first, then what needs them.
-- name: schema_objects
select type, name, tbl_name, coalesce(sql, '') from sqlite_schema
where substr(name, 1, 7) <> 'sqlite_'
order by case type when 'table' then 0 when 'index' then 1 when 'view' then 2 else 3 end, rowid;

-- name: schema_columns
select name, type || iif("notnull", ' not null', '') || coalesce(' default ' || dflt_value, '')
	|| iif(pk, ' key ' || pk, '') || iif(hidden, ' hidden ' || hidden, '')
from pragma_table_xinfo(?1);

-- name: schema_drop_index
drop index "%w";

-- name: schema_drop_view
drop view "%w";

-- name: schema_drop_trigger
drop trigger "%w";

-- ---- copying tables (lib/store/db/table_copy.c, lib/store/db/salvage.c) ----
-- Templates: %w is the name of a table or column, %s is a list of columns or of their parameters.

-- name: copy_columns
select name from pragma_table_info('%w');

-- Whether a table has the row; a trigger refuses to replace it.
-- name: copy_known
select 1 from "%w" where rowid = ?1;

-- name: copy_rows
select * from "%w";

-- In every table without rowids the key is the first column.
-- name: copy_rows_down
select * from "%w" order by 1 desc;

-- name: copy_forward
select rowid, * from "%w" where rowid >= ?1 and rowid <= ?2 order by rowid;

-- name: copy_backward
select rowid, * from "%w" where rowid <= ?1 and rowid >= ?2 order by rowid desc;

-- name: copy_last
select max(rowid) from "%w";

-- name: copy_insert
insert into "%w" (%s) values (%s);

-- name: copy_empty
delete from "%w";

-- name: copy_damage
insert into damaged_rows (source, found_at, reason) values (?1, ?2, ?3);

-- name: copy_cell
insert or ignore into damaged_cells (damage, name, value) values (?1, ?2, ?3);

-- name: copy_one
select * from "%w" where "%w" = ?1;

-- name: copy_remove
delete from "%w" where "%w" = ?1;

-- name: salvage_alone
pragma locking_mode = exclusive;

-- name: salvage_application
select application_id from pragma_application_id;

-- name: salvage_schema
select user_version from pragma_user_version;

-- All tables except those that ikm rebuilds from the others.
-- name: salvage_tables
select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not in
	('index_recent', 'index_segments', 'index_postings', 'index_attributes', 'index_gone',
	'index_scopes', 'words', 'event_open') order by rowid;

-- Repairs after a salvage: tables that have one row, and rows whose counterpart was lost. A memory
-- whose scope was lost moves to its user's layer.
-- name: salvage_ids
delete from memory_ids where rowid > (select min(rowid) from memory_ids);

-- name: salvage_no_id
insert into memory_ids select '' where not exists (select 1 from memory_ids);

-- A number near the end of what SQLite allows leaves none for the next memories.
-- name: salvage_doc
update memories set doc = low.doc + high.n from
	(select coalesce(max(doc), 0) as doc from memories where doc < 1 << 62) as low,
	(select doc as was, row_number() over (order by doc) as n from memories
		where doc >= 1 << 62) as high
	where memories.doc = high.was;

-- name: salvage_no_number
delete from index_numbers;

-- name: salvage_number
insert into index_numbers (last, changes) select coalesce(max(doc), 0), abs(random() % 1000000000)
	from memories;

-- name: salvage_no_size
delete from former_size;

-- name: salvage_size
insert into former_size select coalesce(sum(size), 0) from former_contents;

-- name: salvage_scopes
insert or ignore into scopes (scope, layer, owner) select distinct scope, 'user', json_array(user_id)
	from memories where scope not in (select scope from scopes);

-- name: salvage_scope
update memories set scope = (select scope from scopes where layer = 'user'
		and owner = json_array(user_id))
	where scope not in (select scope from scopes) and exists (select 1 from scopes
		where layer = 'user' and owner = json_array(user_id));

-- name: salvage_vectors
delete from vectors where doc not in (select doc from memories)
	or model not in (select model from vector_models);

-- name: salvage_pins
delete from pins where path not in (select path from stored_assets);

-- name: salvage_deleted
delete from deleted_memories where scope not in (select scope from scopes);

-- name: salvage_no_open
delete from event_open;

-- name: salvage_open
insert or ignore into event_open select e.event_id, e.seq, coalesce(e.file_path, '') from events e
	where e.number = 0 and e.step = 'pending' and not exists (select 1 from events o
		where o.event_id = e.event_id and o.step in ('committed', 'failed'));

-- ---- queries of ikm doctor (lib/face/doctor, lib/memory/memory/verify_rows.c) ----

-- name: verify_memories
select * from {memory_rows} order by doc;

-- name: verify_deleted
select id, scope, deleted_at, memory from deleted_memories where memory is not null order by id;

-- What is counted of each scope of the index, and the words of the vocabulary.
-- name: verify_scopes
select scope, docs, length from index_scopes;

-- name: verify_words
select scope, word, uses from words;

-- name: verify_assets
select path, hash, content from stored_assets order by path;

-- The next two give the columns that lib/store/asset reads.
-- name: verify_asset_rows
select path, description, category, read_only, hash, token_count, 1, length(content), created_at,
	updated_at, 0, content
from stored_assets order by path;

-- name: verify_versions
select number, description, category, token_count, length(content), saved_at, hash, op, agent_id,
	content, rowid
from asset_versions order by rowid;

-- name: verify_events
select * from {event_rows} order by seq;

-- The rows of event_open; those of events that have an outcome, or do not exist.
-- name: verify_open_count
select count(*), sum(not exists (select 1 from events e where e.event_id = o.event_id and e.number = 0
		and e.step = 'pending')
	or exists (select 1 from events e where e.event_id = o.event_id
		and e.step in ('committed', 'failed')))
from event_open o having count(*) > 0;

-- name: verify_open_missing
select count(*) from events e where e.number = 0 and e.step = 'pending'
	and not exists (select 1 from events o where o.event_id = e.event_id
		and o.step in ('committed', 'failed'))
	and e.event_id not in (select event_id from event_open) having count(*) > 0;

-- The columns of event_steps, of the rows that event_rows does not have.
-- name: verify_steps
select seq, ts, step, user_id, agent_id, session_id, tool, after_hash, error, commit_oid, rationale,
	evidence_refs, lint, transaction_id, tool_call_id, agent_action_id, integrity_line_hash,
	integrity_salt_version, chain_hash
from events where number > 0 order by seq;

-- name: verify_trace
select seq, ts, request_id, tool_id, agent_id, task_id, query_id, memory_type, query_text, outcome,
	reason, total, returned, budget, tokens, time_us, cached, named_agent
from turn_trace order by seq;

-- name: verify_former
select hash, content from former_contents order by hash;

-- name: verify_integrity
pragma integrity_check(100);

-- name: verify_references
select "table", parent, count(*) from pragma_foreign_key_check group by 1, 2;

-- name: verify_aside
select source, reason, count(*) from damaged_rows group by 1, 2 order by 1, 2;

-- name: verify_schema
select user_version from pragma_user_version where user_version > 0;

-- name: words_api
select fts5(?1);

-- name: meta_get
select value from meta where key = ?1;

-- name: meta_put
insert into meta (key, value) values (?1, ?2) on conflict (key) do nothing;

-- name: meta_set
insert into meta (key, value) values (?1, ?2) on conflict (key) do update set value = ?2;

-- ---- stored assets (lib/store/asset) ----
-- The three statements that read assets give the same columns. ?1 is the agent, ?2 says whether
-- the content is wanted, ?3 is the family of tokenizers. Tokens that were counted for another family
-- are counted again, so the content is given then too.

-- name: asset_get
select path, description, category, read_only, hash, token_count, token_model = ?3,
	length(content), created_at, updated_at,
	(select count(*) from pins p join pins q on q.agent_id = ?1 and q.place <= p.place
		where p.agent_id = ?1 and p.path = a.path),
	case when ?2 or token_model <> ?3 then content end
from stored_assets a where path = ?4;

-- name: asset_each
select path, description, category, read_only, hash, token_count, token_model = ?3,
	length(content), created_at, updated_at,
	(select count(*) from pins p join pins q on q.agent_id = ?1 and q.place <= p.place
		where p.agent_id = ?1 and p.path = a.path),
	case when ?2 or token_model <> ?3 then content end
from stored_assets a where path >= ?4 and path < ?5 order by path;

-- name: asset_pinned
select a.path, description, category, read_only, hash, token_count, token_model = ?3,
	length(content), created_at, updated_at, row_number() over (order by p.place),
	case when ?2 or token_model <> ?3 then content end
from pins p join stored_assets a on a.path = p.path where p.agent_id = ?1 order by p.place;

-- name: asset_paths
select path from stored_assets order by path;

-- name: asset_put
insert into stored_assets (path, description, category, read_only, token_count, token_model, hash,
	created_at, updated_at, content) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)
on conflict (path) do update set description = ?2, category = ?3, read_only = ?4, token_count = ?5,
	token_model = ?6, hash = ?7, updated_at = ?8, content = ?9;

-- name: asset_describe
update stored_assets set description = ?2, category = ?3, read_only = ?4, updated_at = ?5
where path = ?1;

-- name: asset_remove
delete from stored_assets where path = ?1;

-- name: asset_rename
update stored_assets set path = ?2 where path = ?1;

-- name: asset_number
insert into asset_numbers (path, number) values (?1, ?2)
on conflict (path) do update set number = number + ?2 returning number;

-- name: version_keep
insert into asset_versions (path, number, description, category, token_count, hash, op, agent_id,
	saved_at, content)
select path, ?2, description, category, token_count, hash, ?3, ?4, ?5, content
from stored_assets where path = ?1;

-- name: version_each
select number, description, category, token_count, length(content), saved_at, hash, op, agent_id,
	null
from asset_versions where path = ?1 order by number desc;

-- name: version_get
select number, description, category, token_count, length(content), saved_at, hash, op, agent_id,
	content
from asset_versions where path = ?1 and number = ?2;

-- name: version_of
select number, description, category, token_count, length(content), saved_at, hash, op, agent_id,
	content
from asset_versions where path = ?1 and hash = ?2 order by number desc limit 1;

-- name: version_move
update asset_versions set path = ?2, number = number + ?3 where path = ?1;

-- name: version_prune_count
delete from asset_versions where path = ?1 and number <=
	(select number from asset_versions where path = ?1 order by number desc limit 1 offset ?2);

-- name: version_prune_age
delete from asset_versions where saved_at <= ?1;

-- name: pin_add
insert into pins (agent_id, path, place, pinned_at)
select ?1, ?2, coalesce(max(place), 0) + 1, ?3 from pins where agent_id = ?1;

-- name: pin_remove
delete from pins where agent_id = ?1 and path = ?2;

-- name: pin_agents
select distinct agent_id from pins order by agent_id;

-- ---- events and former contents (lib/store/event) ----

-- The id of the latest event; the number and the MAC of the last row; the last row with a MAC.
-- name: event_last
select event_id from events where number = 0 order by seq desc limit 1;

-- name: event_last_row
select seq, chain_hash from events order by seq desc limit 1;

-- name: event_chained
select seq from events where chain_hash is not null order by seq desc limit 1;

-- The greatest version of a key that a row names.
-- name: event_version
select max(coalesce(integrity_salt_version, 0), iif(step = 'rotation' and json_valid(change),
	coalesce(cast(json_extract(change, '$.to') as integer), 0), 0)) as version
from events where integrity_salt_version between 1 and ?1 order by version desc limit 1;

-- name: event_head
select seq, chain_hash, key_version, mac from event_head;

-- name: event_head_put
insert into event_head (one, seq, chain_hash, key_version, mac) values (1, ?1, ?2, ?3, ?4)
on conflict (one) do update set seq = excluded.seq, chain_hash = excluded.chain_hash,
	key_version = excluded.key_version, mac = excluded.mac;

-- The columns in the order of EVENT_COLUMNS (lib/store/event/row.h), as in the next statement.
-- name: event_append
insert into events (seq, event_id, number, step, schema_version, machine_id, ts, user_id, agent_id,
	session_id, tool, entity_type, entity_id, type, op, section_anchor, file_path, path_to,
	rationale, before_hash, after_hash, before_mode, after_mode, evidence_refs, lint, change, undoes,
	idempotency_key, transaction_id, tool_call_id, agent_action_id, error, commit_oid,
	integrity_line_hash, integrity_salt_version, chain_prev, chain_hash, face, client)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
	?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39);

-- name: event_chain
select seq, event_id, number, step, schema_version, machine_id, ts, user_id, agent_id,
	session_id, tool, entity_type, entity_id, type, op, section_anchor, file_path, path_to,
	rationale, before_hash, after_hash, before_mode, after_mode, evidence_refs, lint, change, undoes,
	idempotency_key, transaction_id, tool_call_id, agent_action_id, error, commit_oid,
	integrity_line_hash, integrity_salt_version, chain_prev, chain_hash, face, client
from events where seq <= ?1 order by seq;

-- The number of the next step; whether the event is there, is written, has an outcome.
-- name: event_state
select max(number) + 1, sum(number = 0), sum(step = 'written'), sum(step in ('committed', 'failed'))
from events where event_id = ?1 having count(*) > 0;

-- The latest event of a file, if it is pending and no move. The columns say whether the present
-- hash ?2 is its hash after the change, or before.
-- name: event_open
select e.event_id, e.after_hash is ?2, e.before_hash is ?2 from events e
where e.seq = (select max(seq) from events where file_path = ?1 and step = 'pending')
	and e.path_to is null and e.event_id in (select o.event_id from event_open o)
	and not exists (select 1 from events w where w.event_id = e.event_id and w.number > 0
		and w.step in ('written', 'committed', 'failed'));

-- Events at ?1, or in the folder ?2 (with a slash), without an outcome.
-- name: event_unsettled
select r.* from {event_rows} r where r.event_id in (select o.event_id from event_open o
		where o.path = ?1 or substr(cast(o.path as blob), 1, length(cast(?2 as blob))) = cast(?2 as blob))
	and r.status in ('pending', 'written')
order by r.seq;

-- The newest of the conversations with ids from ?1 to ?2, whose ids say when they began.
-- name: event_conversation
select session_id, ts from events where face in ('call', 'command') and session_id >= ?1
	and session_id < ?2 order by session_id desc, seq desc limit 1;

-- name: event_get
select * from {event_rows} where event_id >= ?1 and event_id < ?1 || '~' order by event_id limit 2;

-- name: event_steps
select seq, ts, step, user_id, agent_id, session_id, tool, after_hash, error, commit_oid, rationale,
	evidence_refs, lint, transaction_id, tool_call_id, agent_action_id, integrity_line_hash,
	integrity_salt_version, chain_hash
from events where event_id = ?1 order by number;

-- The columns of event_steps, the event last: rows after ?1, to ?2.
-- name: event_steps_after
select seq, ts, step, user_id, agent_id, session_id, tool, after_hash, error, commit_oid, rationale,
	evidence_refs, lint, transaction_id, tool_call_id, agent_action_id, integrity_line_hash,
	integrity_salt_version, chain_hash, event_id
from events where seq > ?1 and seq <= ?2 order by seq;

-- Parameters: path, hash after, user, agent, the earliest time.
-- name: event_written
select r.event_id from {event_rows} r where r.seq in (select e.seq from events e
		where e.file_path = ?1 and e.number = 0 and e.ts >= ?5)
	and r.after_hash = ?2 and r.user_id = ?3 and r.agent_id = ?4
	and r.status in ('written', 'committed')
order by r.seq desc limit 1;

-- name: event_replayed
select r.* from {event_rows} r where r.event_id = ?1;

-- name: replay_get
select payload_hash, event_id, result from idempotency_records where key = ?1 and created_at >= ?2;

-- name: replay_put
insert into idempotency_records (key, payload_hash, event_id, created_at) values (?1, ?2, ?3, ?4)
on conflict (key) do update set payload_hash = excluded.payload_hash, event_id = excluded.event_id,
	created_at = excluded.created_at, result = null;

-- name: replay_result
update idempotency_records set result = ?2 where event_id = ?1 and result is null;

-- The answer of a call that made no event.
-- name: replay_answer
insert into idempotency_records (key, payload_hash, event_id, created_at, result)
values (?1, ?2, '', ?3, ?4)
on conflict (key) do update set payload_hash = excluded.payload_hash, event_id = excluded.event_id,
	created_at = excluded.created_at, result = excluded.result;

-- name: replay_drop
delete from idempotency_records where event_id = ?1;

-- Answers, and hashes that could be guessed, of calls about memories; the keys stay used.
-- name: replay_erase_memory
update idempotency_records set result = null, payload_hash = '' where event_id in
	(select event_id from events where entity_type = 'memory' and entity_id = ?1 and number = 0);

-- name: replay_erase_memories
update idempotency_records set result = null, payload_hash = ''
where exists (select 1 from events e where e.event_id = idempotency_records.event_id
	and e.number = 0 and e.entity_type = 'memory');

-- name: replay_expire
delete from idempotency_records where created_at < ?1;

-- Events of the path ?1, or of paths in the folder ?1: these are above ?2, the folder with a slash,
-- and below ?3. At most ?4 events, in no order.
-- name: event_below
select seq from events where file_path = ?1
union all select seq from events where file_path > ?2 and file_path < ?3
union all select seq from events where path_to = ?1
union all select seq from events where path_to > ?2 and path_to < ?3
limit ?4;

-- name: event_paths
select file_path from events union select path_to from events where path_to is not null;

-- Parameters: an event to begin below, since, until, path, the path as a folder with a slash, op,
-- agent, user, session, tool, the allowed statuses each between bars, text in lower case, entity
-- type, entity, type, tool call, transaction, face, client, a row after which the event got a step, limit. Null: no
-- condition.
-- ?1 to ?16 are EVENT_FILTERS of lib/store/event/event.h, in its order.
-- name: event_query
select * from {event_rows} r
where (?24 is null or file_path = ?24 or path_to = ?24
		or substr(file_path, 1, length(?25)) = ?25 or substr(path_to, 1, length(?25)) = ?25)
	and (?1 is null or op = ?1) and (?2 is null or agent_id = ?2)
	and (?3 is null or user_id = ?3) and (?4 is null or session_id = ?4)
	and (?5 is null or tool = ?5) and (?6 is null or entity_type = ?6)
	and (?7 is null or entity_id = ?7) and (?8 is null or type = ?8)
	and (?9 is null or section_anchor = ?9)
	and (?10 is null or idempotency_key = ?10 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.idempotency_key = ?10))
	and (?11 is null or tool_call_id = ?11 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.tool_call_id = ?11))
	and (?12 is null or transaction_id = ?12 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.transaction_id = ?12))
	and (?13 is null or agent_action_id = ?13 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.agent_action_id = ?13))
	and (?14 is null or exists (select 1 from events n, json_each(iif(
			json_valid(n.evidence_refs), n.evidence_refs, '[]')) v
		where n.event_id = r.event_id and v.value = ?14))
	and (?15 is null or face = ?15) and (?16 is null or client = ?16)
	and (?17 is null or instr(?17, '|' || status || '|'))
	and (?18 is null or instr(lower(file_path || ' ' || coalesce(path_to, '') || ' ' || op || ' '
		|| tool || ' ' || coalesce(rationale, '') || ' ' || coalesce(error, '')), ?18)
		or exists (select 1 from events n where n.event_id = r.event_id and n.number > 0
			and instr(lower(coalesce(n.rationale, '')), ?18)))
	and (?19 is null or event_id in (select n.event_id from events n where n.seq > ?19))
	and (?21 is null or seq < (select e.seq from events e where e.event_id = ?21 and e.number = 0))
	and (?22 is null or ts >= ?22) and (?23 is null or ts < ?23)
order by seq desc limit ?20;

-- The same query with the numbers of events, a JSON list, instead of the path.
-- name: event_query_of
select * from {event_rows} r
where seq in (select value from json_each(?24))
	and (?1 is null or op = ?1) and (?2 is null or agent_id = ?2)
	and (?3 is null or user_id = ?3) and (?4 is null or session_id = ?4)
	and (?5 is null or tool = ?5) and (?6 is null or entity_type = ?6)
	and (?7 is null or entity_id = ?7) and (?8 is null or type = ?8)
	and (?9 is null or section_anchor = ?9)
	and (?10 is null or idempotency_key = ?10 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.idempotency_key = ?10))
	and (?11 is null or tool_call_id = ?11 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.tool_call_id = ?11))
	and (?12 is null or transaction_id = ?12 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.transaction_id = ?12))
	and (?13 is null or agent_action_id = ?13 or exists (select 1 from events n
		where n.event_id = r.event_id and n.number > 0 and n.agent_action_id = ?13))
	and (?14 is null or exists (select 1 from events n, json_each(iif(
			json_valid(n.evidence_refs), n.evidence_refs, '[]')) v
		where n.event_id = r.event_id and v.value = ?14))
	and (?15 is null or face = ?15) and (?16 is null or client = ?16)
	and (?17 is null or instr(?17, '|' || status || '|'))
	and (?18 is null or instr(lower(file_path || ' ' || coalesce(path_to, '') || ' ' || op || ' '
		|| tool || ' ' || coalesce(rationale, '') || ' ' || coalesce(error, '')), ?18)
		or exists (select 1 from events n where n.event_id = r.event_id and n.number > 0
			and instr(lower(coalesce(n.rationale, '')), ?18)))
	and (?19 is null or event_id in (select n.event_id from events n where n.seq > ?19))
	and (?21 is null or seq < (select e.seq from events e where e.event_id = ?21 and e.number = 0))
	and (?22 is null or ts >= ?22) and (?23 is null or ts < ?23)
order by seq desc limit ?20;

-- name: event_of_memory
select * from {event_rows} where entity_type = 'memory' and entity_id = ?1 order by seq;

-- name: event_undone
select event_id from {event_rows} where undoes = ?1 and status <> 'failed' order by seq desc limit 1;

-- name: former_put
insert into former_contents (hash, content, size, kept_at) values (?1, ?2, ?3, ?4)
on conflict (hash) do update set kept_at = excluded.kept_at;

-- name: former_get
select content from former_contents where hash = ?1;

-- name: former_expire
delete from former_contents where kept_at < ?1;

-- name: former_total
select bytes from former_size where bytes > 0;

-- name: former_drop_oldest
delete from former_contents where rowid =
	(select rowid from former_contents order by kept_at, rowid limit 1);

-- ---- the index of memories (lib/store/index) ----

-- Each new memory takes a number, and so counts as a change.
-- name: index_take
update index_numbers set last = last + ?1, changes = changes + 1 returning last;

-- name: index_last
select last, (select min(doc) from index_recent) from index_numbers where last > 0;

-- The number up to which documents are to be indexed again.
-- name: index_rebuilt
select rebuilt from index_numbers where rebuilt > 0;

-- name: index_rebuilt_set
update index_numbers set rebuilt = ?1;

-- name: index_rebuilt_end
update index_numbers set rebuilt = 0, stale = 0;

-- Whether an older version made the index, which has not been rebuilt since.
-- name: index_stale
select 1 from index_numbers where stale;

-- Adds to the counters of scope ?1: documents, the sum of their lengths; ?4: the number of one.
-- name: index_scope_add
insert into index_scopes (scope, docs, length, moved_docs, moved_length)
select ?1, ?2, ?3, iif(rebuilt > 0 and ?4 > rebuilt, ?2, 0), iif(rebuilt > 0 and ?4 > rebuilt, ?3, 0)
	from index_numbers where true
on conflict (scope) do update set docs = docs + excluded.docs, length = length + excluded.length,
	moved_docs = moved_docs + excluded.moved_docs,
	moved_length = moved_length + excluded.moved_length;

-- name: index_scope_get
select docs, length from index_scopes where scope = ?1;

-- A rebuild has counted all documents again.
-- name: index_scopes_settle
update index_scopes set docs = moved_docs, length = moved_length, moved_docs = 0, moved_length = 0;

-- name: index_scopes_tidy
delete from index_scopes where docs <= 0;

-- name: index_clear_scopes
delete from index_scopes;

-- Documents that are in another segment already, so nothing is subtracted for their terms.
-- name: index_segment_moved
update index_segments set docs = max(docs - ?2, 0), length = max(length - ?3, 0),
	removals = removals + ?2, swept = swept + ?2
where segment = ?1;

-- name: index_recent_put
insert into index_recent (doc, data) values (?1, ?2);

-- name: index_recent_remove
delete from index_recent where doc = ?1;

-- name: index_recent_remove_all
delete from index_recent where doc between ?1 and ?2;

-- name: index_recent_size
select max(doc), sum(length(data)) from index_recent where doc between ?1 and ?2 having count(*) > 0;

-- name: index_recent_each
select doc, data from index_recent where doc between ?1 and ?2 order by doc;

-- name: index_segments_each
select segment, state = 'live', state = 'building', first, last, docs, length, removals, swept,
	happened_least, happened_most, recorded_least, recorded_most
from index_segments order by first, segment;

-- name: index_segment_put
insert into index_segments (segment, state, first, last, docs, length, removals, swept,
	happened_least, happened_most, recorded_least, recorded_most)
values (?1, 'building', ?2, ?2, 0, 0, 0, 0, 0, 0, 0, 0);

-- name: index_segment_live
update index_segments set state = 'live', last = ?2, docs = ?3, length = ?4, removals = ?5,
	happened_least = ?6, happened_most = ?7, recorded_least = ?8, recorded_most = ?9
where segment = ?1;

-- name: index_segment_drop
update index_segments set state = 'dropped' where segment = ?1;

-- name: index_segment_removed
update index_segments set docs = docs - 1, length = length - ?2, removals = removals + 1
where segment = ?1;

-- name: index_segment_swept
update index_segments set swept = max(swept, ?2) where segment = ?1;

-- name: index_segment_remove
delete from index_segments where segment = ?1;

-- name: index_page_put
insert into index_postings (segment, term, data) values (?1, ?2, ?3);

-- name: index_page_find
select page, term, data from index_postings where segment = ?1 and term <= ?2
order by term desc limit 1;

-- name: index_page_get
select data from index_postings where page = ?1;

-- The pages that have keys from ?2 to ?3.
-- name: index_page_range
select page, term, data from index_postings
where segment = ?1 and term <= ?3 and term >= coalesce(
	(select max(term) from index_postings where segment = ?1 and term <= ?2), ?2)
order by term;

-- name: index_step_end
select min(?4, term - 1) from index_postings where segment = ?1 and term > ?2
order by term limit 1 offset ?3;

-- name: index_page_change
update index_postings set data = ?2 where page = ?1;

-- name: index_page_remove
delete from index_postings where page = ?1;

-- name: index_pages_remove
delete from index_postings where segment = ?1;

-- name: index_attribute_put
insert into index_attributes (segment, attribute, data) values (?1, ?2, ?3)
on conflict (segment, attribute) do update set data = ?3;

-- name: index_attribute_get
select data from index_attributes where segment = ?1 and attribute = ?2;

-- name: index_lengths
select data from index_attributes where segment = ?1 and attribute = 'length';

-- name: index_attribute_remove
delete from index_attributes where segment = ?1;

-- name: index_gone_add
insert into index_gone (term, docs) values (?1, ?2)
on conflict (term) do update set docs = docs + ?2;

-- name: index_gone_get
select docs from index_gone where term = ?1;

-- name: index_gone_each
select term, docs from index_gone;

-- name: index_gone_tidy
delete from index_gone where docs <= 0;

-- name: index_clear_recent
delete from index_recent;
-- ---- searching memories (lib/memory/memory) ----
-- Numbers only, because the search has read many of the rows already. Others may have a
-- conversation of the same name, so the scope is a condition.

-- name: search_before
select doc from memories where session_id = ?1 and session_id <> '' and scope = ?5 and kind = ?6
	and (happened_at, turn, doc) < (?2, ?3, ?4)
	and (?7 = 0 or redaction <> 'sensitive')
order by happened_at desc, turn desc, doc desc limit 2;

-- name: search_after
select doc from memories where session_id = ?1 and session_id <> '' and scope = ?5 and kind = ?6
	and (happened_at, turn, doc) > (?2, ?3, ?4)
	and (?7 = 0 or redaction <> 'sensitive')
order by happened_at, turn, doc limit 2;

-- name: search_doc
select doc from memories where id = ?1;

-- How many memories of a scope stand between two, at most ?4.
-- name: search_between
select count(*) from (select 1 from memories where scope = ?1 and doc > ?2 and doc < ?3
	and (?5 = 0 or redaction <> 'sensitive') limit ?4) having count(*) > 0;

-- The memories of a scope before or after one, the nearest first. ?3 = 1: without sensitive ones.
-- name: search_entries_before
select doc from memories where scope = ?1 and doc < ?2 and (?3 = 0 or redaction <> 'sensitive')
order by doc desc limit 2;

-- name: search_entries_after
select doc from memories where scope = ?1 and doc > ?2 and (?3 = 0 or redaction <> 'sensitive')
order by doc limit 2;

-- name: search_replaced
select superseded_by from memories where id = ?1 and superseded_at <= ?2;

-- ---- embeddings (lib/store/vector) ----

-- name: vector_model
select model from vector_models where name = ?1 and version = ?2 and dimension = ?3;

-- name: vector_model_add
insert into vector_models (name, version, dimension) values (?1, ?2, ?3);

-- Inserts nothing if the memory was removed meanwhile.
-- name: vector_put
insert or replace into vectors (doc, model, data)
select doc, ?2, ?3 from memories where doc = ?1;

-- name: vector_any
select 1 from vectors limit 1;

-- name: vector_newest_lacks
select 1 from memories m where m.doc = (select max(doc) from memories where scope = ?1)
	and not exists (select 1 from vectors v where v.doc = m.doc and v.model = ?2);

-- name: vector_has
select 1 from vectors where doc = ?1 and model = ?2;

-- Vectors of all models: a condition on the model would cost more than it saves.
-- name: vector_each
select doc, model, data from vectors;

-- name: vector_missing
select m.doc, m.id, m.content from memories m
where m.doc > ?1 and not exists (select 1 from vectors v where v.doc = m.doc and v.model = ?2)
order by m.doc limit ?3;

-- name: vector_count_missing
select count(*) from memories m
where not exists (select 1 from vectors v where v.doc = m.doc and v.model = ?1)
having count(*) > 0;

-- name: vector_count
select count(*) from vectors where model = ?1 having count(*) > 0;
-- ---- identities of repositories (lib/face/memories) ----

-- name: root_get
select head, root from repository_roots where folder = ?1;

-- name: root_put
insert into repository_roots (folder, head, root) values (?1, ?2, ?3)
on conflict (folder) do update set head = ?2, root = ?3;

-- ---- memories (lib/memory/memory) ----

-- name: scope_get
select scope from scopes where layer = ?1 and owner = ?2;

-- name: scope_put
insert into scopes (layer, owner) values (?1, ?2) returning scope;

-- name: scope_layer
select scope from scopes where layer = ?1 limit 1;

-- Whether any project has the name of a root commit.
-- name: scope_root_commit
select scope from scopes where layer = 'project' and length(owner) in (44, 68)
	and substr(owner, 3, length(owner) - 4) not glob '*[^0-9a-f]*' limit 1;

-- name: memory_by_doc
select * from {memory_rows} where doc = ?1;

-- The columns that a search ranks by, then those that marks are made of.
-- name: memory_brief
select doc, scope, kind, state, importance, happened_at, created_at, expires_at, superseded_at, turn,
	id, superseded_by, session_id, speaker, content,
	type, tags, source, provenance, redaction, agent_id, status,
	made_repository, made_commit, made_branch, made_change, rejected
from memories where doc = ?1;

-- The other columns that a result shows. Not {memory_rows}: SQLite takes longer to prepare all those
-- columns than to read ten rows.
-- name: memory_rest
select id, type, source, confidence, provenance, redaction, status, user_id, agent_id, supersedes,
	updated_at, tokens, token_model, files, owner, metadata
from memories where doc = ?1;

-- By an id or a beginning of it, in the scopes ?2, a JSON list. +scope: the index of scopes would read
-- and sort all memories of them.
-- name: memory_by_id
select * from {memory_rows} where id >= ?1 and id < ?1 || char(0x10ffff)
	and +scope in (select value from json_each(?2)) order by id limit 2;

-- name: memory_pointer
select * from {memory_rows} where id = ?1;

-- name: memory_repeats
select * from {memory_rows} where scope = ?1 and content_hash = ?2
	and kind in ('fact', 'semantic') and state = 'active' order by doc;

-- Active memories of a short-lived kind, oldest first.
-- name: memory_short
select doc from memories where kind in ('working', 'scratch') and user_id = ?1 and agent_id = ?2
	and kind = ?3 and (status is null or status = 'active')
	and (expires_at is null or expires_at > ?4) order by doc;

-- name: memory_expired
select * from {memory_rows} where expires_at <= ?1 and kind in ('working', 'scratch')
order by expires_at limit ?2;

-- name: memory_last_id
select last from memory_ids where last <> '';

-- name: memory_set_last_id
update memory_ids set last = ?1;

-- name: memory_newest
with recursive chain (id) as (select ?1 union
	select m.superseded_by from memories m join chain c on m.id = c.id
	where m.superseded_by is not null)
select m.id from chain c join memories m on m.id = c.id where m.superseded_by is null;

-- name: memory_insert
insert into memories (doc, id, scope, kind, type, tags, source, importance, confidence, provenance,
	redaction, status, state, user_id, agent_id, session_id, speaker, turn, supersedes,
	superseded_by, superseded_at, happened_at, created_at, updated_at, expires_at, tokens,
	token_model, content_hash, metadata, content, files, made_repository, made_commit,
	made_branch, made_change, rejected, import, owner)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
	?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38);

-- ?23: the import that is running, or being undone: its own changes do not count as later ones.
-- Sets the columns that can change. The memory gets a new number, and so a new entry in the index.
-- name: memory_update
update memories set doc = ?2, tags = ?3, status = ?4, state = ?5, supersedes = ?6,
	superseded_by = ?7, superseded_at = ?8, updated_at = ?9, redaction = ?10, expires_at = ?11,
	importance = ?12, confidence = ?13, source = ?14, metadata = ?15, files = ?16,
	made_repository = ?17, made_commit = ?18, made_branch = ?19, made_change = ?20,
	rejected = ?21, scope = ?22, import = iif(import = ?23, import, -abs(import)), owner = ?24
where doc = ?1;

-- name: memory_renumber
update memories set doc = ?2 where doc = ?1;

-- name: memory_remove
delete from memories where doc = ?1;

-- Parameters: scopes and kinds as JSON lists, a tag as JSON, type, session, agent, status, state,
-- the present time, created_at and doc to begin below. Null: no condition. Only one tag is compared,
-- as text, so it may be a part of another tag: the caller checks all tags. +scope: as in memory_by_id.
-- name: memory_each
select * from {memory_rows} m where +scope in (select value from json_each(?1))
	and (?2 is null or kind in (select value from json_each(?2)))
	and (?3 is null or instr(tags, ?3))
	and (?4 is null or type = ?4) and (?5 is null or session_id = ?5)
	and (?6 is null or agent_id = ?6) and (?7 is null or status = ?7)
	and (?8 is null or ?8 = case when rejected then 'rejected' when state = 'active' and expires_at <= ?9 then 'expired'
		else state end)
	and (?10 is null or (created_at, doc) < (?10, ?11))
order by created_at desc, doc desc;

-- The same for some memories. Parameters: numbers as a JSON list, scopes, created_at, doc.
-- name: memory_each_of
select * from {memory_rows} where doc in (select value from json_each(?1))
	and scope in (select value from json_each(?2))
	and (?3 is null or (created_at, doc) < (?3, ?4))
order by created_at desc, doc desc;

-- Numbers in order, for a walk through all memories.
-- name: memory_docs
select doc from memories where doc > ?1 and doc <= ?2 order by doc limit ?3;

-- name: memory_docs_count
select count(*) from memories where doc <= ?1 having count(*) > 0;

-- name: deleted_put
insert into deleted_memories (id, scope, deleted_at, deleted_by, memory, import)
values (?1, ?2, ?3, ?4, ?5, ?6)
on conflict (id) do update set deleted_at = ?3, deleted_by = ?4, memory = ?5, import = ?6;

-- name: deleted_by_id
select id, scope, deleted_at, memory from deleted_memories where id >= ?1
	and id < ?1 || char(0x10ffff) and scope in (select value from json_each(?2))
order by id limit 2;

-- name: deleted_one
select id, scope, deleted_at, memory from deleted_memories where id = ?1 and memory is not null;

-- name: deleted_who
select deleted_by from deleted_memories where id = ?1;

-- name: deleted_take
delete from deleted_memories where id = ?1;

-- name: deleted_each
select id, scope, deleted_at, memory from deleted_memories
where scope in (select value from json_each(?1)) and memory is not null
	and (?2 is null or id < ?2) order by id desc;

-- name: deleted_full
select id from deleted_memories where memory is not null order by id limit ?1;

-- name: deleted_empty
update deleted_memories set memory = null where id = ?1;

-- name: deleted_count
select count(*) from deleted_memories where memory is not null having count(*) > 0;

-- name: expired_count
select count(*) from memories where expires_at <= ?1 and kind in ('working', 'scratch')
having count(*) > 0;

-- Events of memories (lib/memory/memory).

-- name: memory_salt
select salt from memory_salts where id = ?1;

-- name: memory_salt_put
insert into memory_salts (id, salt) values (?1, ?2);

-- name: memory_salt_remove
delete from memory_salts where id = ?1;

-- Former states of one memory, and of all.
-- name: memory_former_remove
delete from former_contents where hash in (select before_hash from events
	where entity_type = 'memory' and entity_id = ?1 and number = 0);

-- name: memory_former_remove_all
delete from former_contents where hash in (select before_hash from events
	where entity_type = 'memory' and number = 0);

-- name: memory_changes
select changes from index_numbers where changes > 0;

-- ---- the server of sync (lib/memory/sync) ----

-- name: remote_get
select remote, cluster, layers, shared, assets, pushed, pushed_events, pulled, pulled_assets,
	pulled_events, nonce, next_nonce, offer, synced_at, failed_at, reason, message
from sync_remotes where incarnation = ?1 and tenant = ?2 and login = ?3;

-- name: remote_last
select remote, cluster, layers, shared, assets, pushed, pushed_events, pulled, pulled_assets,
	pulled_events, nonce, next_nonce, offer, synced_at, failed_at, reason, message
from sync_remotes where tenant = ?1 order by coalesce(synced_at, 0) desc, remote desc limit 1;

-- name: remote_put
insert into sync_remotes (incarnation, tenant, login, cluster, layers, shared, assets, pushed,
	pushed_events, pulled, pulled_assets, pulled_events, nonce, next_nonce, offer)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, 0, 0, 0, '', '', 0) returning remote;

-- name: remote_set
update sync_remotes set cluster = ?2, layers = ?3, shared = ?4, assets = ?5, pushed = ?6,
	pushed_events = ?7, pulled = ?8, pulled_assets = ?9, pulled_events = ?10, nonce = ?11,
	next_nonce = ?12, offer = ?13
where remote = ?1;

-- name: remote_synced
update sync_remotes set synced_at = ?2, failed_at = null, reason = null, message = null
where remote = ?1;

-- name: remote_failed
update sync_remotes set failed_at = ?2, reason = ?3, message = ?4 where remote = ?1;

-- name: remote_reset
update sync_remotes set pushed = 0, pushed_events = 0, pulled = 0, pulled_assets = 0,
	pulled_events = 0, offer = (select last from index_numbers)
where tenant = ?1;

-- Changed memories, with what the remote holds of each. The first columns are those of memory_rows.
-- name: remote_changed
select m.*, s.owner as whose, r.doc as held, r.clock, r.machine, r.hash as held_hash, r.owner as held_owner
from {memory_rows} m join scopes s on s.scope = m.scope
	left join sync_rows r on r.id = m.id and r.remote = ?1
where m.doc > ?2 order by m.doc limit ?3;

-- name: remote_changed_one
select m.*, s.owner as whose, r.doc as held, r.clock, r.machine, r.hash as held_hash, r.owner as held_owner
from {memory_rows} m join scopes s on s.scope = m.scope
	left join sync_rows r on r.id = m.id and r.remote = ?1
where m.id = ?2;

-- Whether anything is here that a row of the server could meet.
-- name: remote_met
select 1 where exists (select 1 from memories where id = ?1)
	or exists (select 1 from deleted_memories where id = ?1);

-- name: remote_row
select doc, clock, machine, owner, hash from sync_rows where id = ?2 and remote = ?1;

-- name: remote_row_add
insert into sync_rows (id, remote, owner, doc, clock, machine, hash)
values (?2, ?1, ?3, ?4, ?5, ?6, ?7) on conflict (id, remote) do nothing;

-- name: remote_row_set
update sync_rows set owner = ?3, doc = ?4, clock = ?5, machine = ?6, hash = ?7
where id = ?2 and remote = ?1;

-- name: remote_row_moved
update sync_rows set doc = ?3 where id = ?2 and remote = ?1;

-- Another person's memory has changed here by what follows from others: that is no change to keep back.
-- name: remote_row_followed
update sync_rows set doc = ?3 where id = ?1 and doc = ?2 and owner <> '';

-- name: remote_row_remove
delete from sync_rows where id = ?2 and remote = ?1;

-- name: remote_gone
select g.id, r.doc, r.clock, r.owner, d.deleted_at, m.doc, d.id is not null and d.memory is null,
	s.layer, s.owner, d.memory ->> '$.redaction' = 'sensitive'
from sync_gone g
	join sync_rows r on r.id = g.id and r.remote = g.remote
	left join deleted_memories d on d.id = g.id left join scopes s on s.scope = d.scope
	left join memories m on m.id = g.id
where g.remote = ?1 and g.id > ?2 order by g.id limit ?3;

-- name: remote_gone_put
insert or ignore into sync_gone (remote, id) values (?1, ?2);

-- name: remote_gone_check
insert or ignore into sync_gone (remote, id)
select ?1, ?2 where not exists (select 1 from memories where id = ?2);

-- name: remote_gone_remove
delete from sync_gone where remote = ?1 and id = ?2;

-- name: remote_deleted
select deleted_at, memory is null from deleted_memories where id = ?1;

-- name: remote_deleted_put
insert into deleted_memories (id, scope, deleted_at, deleted_by, memory)
select ?1, ?2, ?3, ?4, ?5
where true on conflict (id) do update set deleted_at = ?3, deleted_by = ?4;

-- What becomes sensitive elsewhere while it lies here deleted.
-- name: remote_deleted_hide
update deleted_memories set memory = json_set(memory, '$.redaction', 'sensitive')
where id = ?1 and memory is not null;

-- The members that the remote ?2 has of a memory that was changed here since, as a row of memory_rows.
-- name: remote_base
select m.doc, m.id, s.layer, b.scope, m.kind, m.type, b.tags, b.source, b.importance, b.confidence,
	m.provenance, b.redaction, b.status, b.state, m.user_id, m.agent_id, m.session_id, m.speaker,
	m.turn, b.supersedes, b.superseded_by, b.superseded_at, m.happened_at, m.created_at,
	b.updated_at, b.expires_at, m.tokens, m.token_model, m.content_hash, b.files,
	b.made_repository, b.made_commit, b.made_branch, b.made_change, b.rejected, m.owner,
	b.metadata, m.content
from sync_bases b join memories m on m.id = b.id join scopes s on s.scope = b.scope
where b.id = ?1 and b.remote = ?2;

-- A sync asks for some of them again: those that it has tried least, so that each has its turn.
-- name: remote_waiting
select id, pulled, reason, message, first_at, tries from sync_waiting
where remote = ?1 order by tries, id, pulled;

-- name: remote_waiting_count
select n from (select count(*) as n from sync_waiting where remote = ?1) where n > 0;

-- name: remote_waiting_put
insert into sync_waiting (remote, id, pulled, reason, message, first_at, tries)
values (?1, ?2, ?3, ?4, ?5, ?6, 1)
on conflict (remote, id, pulled) do update set reason = ?4, message = ?5, tries = tries + 1;

-- name: remote_waiting_remove
delete from sync_waiting where remote = ?1 and id = ?2 and pulled = ?3;

-- Deletions in the remote ?1, and rows of the record behind ?2, that no push to the tenant ?3 has offered.
-- ?4: the home knows no other tenant.
-- name: remote_pending
select n from (select (select count(*) from sync_gone g join sync_rows r on r.id = g.id and r.remote = g.remote
		where g.remote = ?1 and r.owner = '' and (r.doc >= 0
				or exists (select 1 from deleted_memories d where d.id = g.id and d.memory is null))
			and not exists (select 1 from memories m where m.id = g.id))
	+ (select count(*) from events where seq > ?2 and ?3 = coalesce(
		(select tenant from sync_tenants where what = 'record'), iif(?4, ?3, null))) as n) where n > 0;

-- Memories that a push offers, at most, and those that stay, by the first reason. ?2: up to this number
-- they were offered. The shared layers ?3 and the names of the person ?4 are JSON lists. ?6: the home
-- knows no tenant but ?5. ?7: the layers that the member may write, a JSON list; null: not known yet.
-- name: remote_withheld
select layer, iif(why = 'role', whose, ''), why, count(*) from (select m.layer, s.owner as whose, case
			when m.redaction = 'sensitive' then 'sensitive'
			when r.owner <> '' then iif(r.doc <> m.doc, 'foreign', 'there')
			when m.owner <> '' then 'others'
			when r.doc is null and m.user_id <> ''
				and m.user_id not in (select value from json_each(?4)) then 'others'
			when m.layer not in (select value from json_each(?3)) then 'layer'
			when ?7 is not null and m.layer not in ('agent', 'user', 'session')
				and m.layer not in (select value from json_each(?7))
				and m.layer || ':' || s.owner not in (select value from json_each(?7)) then 'role'
			when coalesce(t.tenant, l.tenant, iif(?6, ?5, null)) is null then 'unsaid'
			when coalesce(t.tenant, l.tenant, ?5) <> ?5 then 'tenant'
			when m.doc > ?2 and m.doc <> coalesce(r.doc, 0) then '' else 'there' end as why
		from {memory_rows} m join scopes s on s.scope = m.scope
			left join sync_rows r on r.id = m.id and r.remote = ?1
			left join sync_tenants t on t.what = m.layer and t.whose = s.owner
			left join sync_tenants l on l.what = m.layer and l.whose = ''
		where m.kind <> 'knowledge_pointer')
group by 1, 2, 3 order by 1, 2, 3;

-- What waits until somebody says which tenant it belongs to. ?2 and ?3: as ?3 and ?4 above; ?4: assets
-- are shared. One answer holds for all sessions, as for all that is one person's: see tenant_keep().
-- name: remote_unsaid
select m.layer, iif(m.layer in ('agent', 'user', 'session'), '', s.owner), count(*)
from {memory_rows} m join scopes s on s.scope = m.scope
	left join sync_rows r on r.id = m.id and r.remote = ?1
where m.kind <> 'knowledge_pointer' and m.redaction <> 'sensitive' and m.owner = ''
	and coalesce(r.owner, '') = '' and m.doc <> coalesce(r.doc, 0)
	and m.layer in (select value from json_each(?2))
	and (r.doc is not null or m.user_id = '' or m.user_id in (select value from json_each(?3)))
	and not exists (select 1 from sync_tenants t
		where t.what = m.layer and t.whose in (s.owner, ''))
group by 1, 2
union all select 'record', '', 0 where exists (select 1 from events)
	and not exists (select 1 from sync_tenants where what = 'record')
union all select 'assets', '', 0 where ?4 and exists (select 1 from stored_assets)
	and not exists (select 1 from sync_tenants where what = 'assets')
order by 1, 2;

-- name: tenant_other
select 1 where exists (select 1 from sync_remotes where tenant <> ?1)
	or exists (select 1 from sync_tenants where tenant not in ('', ?1));

-- name: tenant_get
select tenant from sync_tenants where what = ?1 and whose in (?2, '') order by whose desc limit 1;

-- name: tenant_keep
insert or ignore into sync_tenants (what, whose, tenant) values (?1, ?2, ?3);

-- name: tenant_assign
insert into sync_tenants (what, whose, tenant) values (?1, ?2, ?3)
on conflict (what, whose) do update set tenant = ?3;

-- name: tenant_forget
delete from sync_tenants where what = ?1 and whose = ?2;

-- What an answer can be about: the layers and identifiers of memories, and what has an answer.
-- name: tenant_names
select layer, owner from scopes union select what, whose from sync_tenants order by 1, 2;

-- name: tenant_each
select what, whose, tenant from sync_tenants order by what, whose;

-- name: remote_offer_again
update sync_remotes set pushed = 0;

-- name: remote_events_new
select * from events where seq > ?1 order by seq limit ?2;

-- name: remote_event_up_to
select seq, event_id, number from events where seq <= ?1 order by seq desc limit 1;

-- A row of one's own record comes back when this home got another name. ?4, ?5: event_id, number.
-- name: remote_event_put
insert into remote_events (machine, number, event) select ?1, ?2, ?3
where not exists (select 1 from events where event_id = ?4 and number = ?5)
on conflict (machine, number) do nothing;

-- name: remote_event_each
select machine, number, event from remote_events where ?1 = '' or machine = ?1
order by event ->> 'ts' desc, machine, number desc limit ?2;

-- name: remote_asset
select clock, machine, digest from sync_assets where remote = ?1 and path = ?2;

-- name: remote_asset_put
insert into sync_assets (remote, path, clock, machine, digest) values (?1, ?2, ?3, ?4, ?5)
on conflict (remote, path) do update set clock = ?3, machine = ?4, digest = ?5;

-- name: remote_assets_gone
select path, clock from sync_assets h where remote = ?1 and digest <> ''
	and not exists (select 1 from stored_assets s where s.path = h.path) order by path;

-- name: conflict_put
insert into sync_conflicts (id, type, found_at, machine, clock, winner, lost, members)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: conflict_each
select conflict, id, type, found_at, machine, winner, lost, members from sync_conflicts
where ?1 = 0 or conflict = ?1 order by conflict;

-- name: conflict_count
select n from (select count(*) as n from sync_conflicts) where n > 0;

-- name: conflict_erase
delete from sync_conflicts where id = ?1 and type = 'memory';

-- name: conflict_drop
delete from sync_conflicts where ?1 = 0 or conflict = ?1;

-- name: machine_names
select first, machine from sync_machines order by first;

-- name: machine_name_put
insert into sync_machines (first, machine) values (?1, ?2)
on conflict (first) do update set machine = ?2;

-- ---- pointers to knowledge (lib/memory/sync) ----

-- name: sync_items_of
select memory_id, layer, type, item, path from sync_items where source = ?1 order by memory_id;

-- name: sync_item_put
insert into sync_items (memory_id, source, layer, owner, item, type, path)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
on conflict (memory_id) do update set type = ?6, path = ?7;

-- name: sync_item_remove
delete from sync_items where memory_id = ?1;

-- Sources that a place read before.
-- name: sync_sources_of
select source, commit_id from sync_sources where place = ?1 order by source;

-- Other places that read a source.
-- name: sync_source_places
select place from sync_sources where source = ?1 and place <> ?2;

-- A null commit keeps the commit that is there.
-- name: sync_source_put
insert into sync_sources (place, source, commit_id) values (?1, ?2, ?3)
on conflict (place, source) do update set commit_id = coalesce(?3, commit_id)
where ?3 is not null and commit_id is not ?3;

-- name: sync_source_remove
delete from sync_sources where place = ?1 and source = ?2;

-- name: sync_place_get
select runs, changes, duration_ms, last_at from sync_places where place = ?1;

-- name: sync_place_ran
insert into sync_places (place, runs, changes, duration_ms, last_at) values (?1, 1, ?2, ?3, ?4)
on conflict (place) do update set runs = runs + 1, changes = changes + ?2,
	duration_ms = duration_ms + ?3, last_at = ?4;

-- name: sync_failures_of
select path, item, layer, type, reason, message, first_at, tries from sync_failures
where place = ?1 order by path, item;

-- name: sync_failure_put
insert into sync_failures (place, path, item, layer, type, reason, message, first_at, tries)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: sync_failure_remove
delete from sync_failures where place = ?1 and path = ?2 and item = ?3;

-- ---- the turn trace and writes of tools (lib/memory/request) ----

-- name: trace_expire
delete from turn_trace where ts < ?1;

-- name: trace_insert
insert into turn_trace (ts, request_id, tool_id, user_id, agent_id, task_id, query_id, memory_type,
	query_text, outcome, reason, total, returned, budget, tokens, time_us, cached, named_agent)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18);

-- Parameters: user, request, tool, agent, memory type, outcome, since, until, a number to begin
-- below, limit. Null: no condition; the user must be given.
-- name: trace_query
select seq, ts, request_id, tool_id, agent_id, task_id, query_id, memory_type, query_text, outcome,
	reason, total, returned, budget, tokens, time_us, cached, named_agent
from turn_trace
where user_id = ?1 and (?2 is null or request_id = ?2) and (?3 is null or tool_id = ?3)
	and (?4 is null or agent_id = ?4) and (?5 is null or memory_type = ?5)
	and (?6 is null or outcome = ?6) and (?7 is null or ts >= ?7) and (?8 is null or ts < ?8)
	and (?9 is null or seq < ?9)
order by seq desc limit ?10;

-- name: ingested_get
select memory_id from ingested_writes where digest = ?1;

-- name: ingested_put
insert into ingested_writes (digest, memory_id, ts) values (?1, ?2, ?3);

-- name: ingested_expire
delete from ingested_writes where ts < ?1;

-- name: index_clear_segments
delete from index_segments;

-- name: index_clear_postings
delete from index_postings;

-- name: index_clear_attributes
delete from index_attributes;

-- name: index_clear_gone
delete from index_gone;
-- ---- the vocabulary (lib/store/vocab) ----

-- name: word_use
insert into words (scope, word, uses) values (?1, ?2, ?3)
on conflict (scope, word) do update set uses = uses + ?3;

-- For many words; one statement for each takes half as long again.
-- name: words_use
insert into words (scope, word, uses) select ?1, key, value from json_each(?2) where true
on conflict (scope, word) do update set uses = uses + excluded.uses;

-- name: word_unused
delete from words where scope = ?1 and word = ?2 and uses <= 0;

-- name: words_clear
delete from words;

-- Words that begin with ?2 and are longer, the shortest first.
-- name: word_begun
select word from words where scope = ?1 and word > ?2 and word < ?2 || char(1114111)
order by length(word), word limit ?3;

-- name: word_starts
select word from words where scope = ?1 and word >= ?2 and word < ?2 || char(1114111)
	and length(word) between max(?3, 4) and ?4;

-- The index words_middle has this expression.
-- name: word_middle
select word from words where scope = ?1 and substr(word, min(length(word) / 2, 4) + 1, 4) = ?2
	and length(word) between max(?3, 4) and ?4;
-- ---- importing and exporting memories (lib/memory/memory) ----

-- Whether an id is used: 0 and the hash of its content for a memory; 1 for a deleted memory, and
-- the import whose undo deleted it.
-- name: import_known
select 0, content_hash from memories where id = ?1
union all select 1, import from deleted_memories where id = ?1;

-- name: import_begin
insert into imports (event_id, added, deleted) values ('', 0, 0) returning import;

-- name: import_event
update imports set event_id = ?2 where import = ?1;

-- name: import_count
update imports set added = added + ?2, deleted = deleted + ?3 where import = ?1;

-- name: import_get
select added, deleted from imports where import = ?1;

-- Memories of an import that nobody changed since, and those that somebody changed.
-- name: import_same
select doc, id from memories where import = ?1 and doc > ?2 order by doc limit ?3;

-- name: import_changed
select id from memories where import = -?1 order by id;

-- name: import_undone
select id, scope, deleted_at, memory from deleted_memories where import = ?1 and id > ?2
	and memory is not null order by id limit ?3;

-- name: import_tombstone
insert into deleted_memories (id, scope, deleted_at, deleted_by, memory) values (?1, ?2, ?3, ?4, null);

-- +scope: as in memory_by_id.
-- The user who has the most memories here; ?1, if that user has one.
-- name: memory_most_user
select json_extract(s.owner, '$[0]') as user, count(*) as n
from memories join scopes s using (scope) where s.layer in ('agent', 'user', 'session')
group by user order by user = ?1 desc, n desc limit 1;

-- name: export_each
select * from {memory_rows} where +scope in (select value from json_each(?1)) order by id;

-- The scopes of these layers, of all callers.
-- name: export_scopes
select scope from scopes where layer in (select value from json_each(?1));

-- How many memories of these layers other scopes have.
-- name: export_others
select n from (select count(*) as n from memories m join scopes s on s.scope = m.scope
	where s.layer in (select value from json_each(?1))
	and m.scope not in (select value from json_each(?2))) where n;

-- The next ids, from the index on them only, because the table may be damaged.
-- name: export_ids
select id, doc from memories where id > ?1 order by id limit ?2;

-- name: export_doc
select * from {memory_rows} where doc = ?1 and scope in (select value from json_each(?2)) and id > ?3;

-- name: export_tombstones
select d.id, s.layer, d.deleted_at from deleted_memories d join scopes s on s.scope = d.scope
where d.scope in (select value from json_each(?1)) order by d.id;
