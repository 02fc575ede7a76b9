-- Every statement of ikm, by name. "-- name: x" begins one, which Q_X names in C; it ends with the
-- semicolon. Parameters are ?1, ?2 and so on, in the order in which they are bound. A select finds
-- no row in an empty store, sums included: a store that is not there is not opened to be asked.

-- ---- the store itself (lib/db) ----

-- name: store_look
select (select application_id from pragma_application_id),
	(select user_version from pragma_user_version), exists (select 1 from sqlite_schema);

-- name: store_sync
pragma synchronous = full;

-- name: store_temp
pragma temp_store = memory;

-- name: store_wal
pragma journal_mode = wal;

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

-- name: words_api
select fts5(?1);

-- name: meta_get
select value from meta where key = ?1;

-- name: meta_put
insert into meta (key, value) values (?1, ?2) on conflict (key) do nothing;

-- ---- stored assets (lib/asset) ----
-- What a row of an asset is: the columns are the same in the three that give assets. ?1 is who asks,
-- ?2 whether the content is wanted, ?3 the family of tokenizers: what was counted for another is
-- counted anew, from the content.

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

-- ---- events and former contents (lib/event) ----

-- name: event_last
select event_id from events order by seq desc limit 1;

-- name: event_insert
insert into events (event_id, machine_id, ts, user_id, agent_id, session_id, tool, entity_type,
	entity_id, type, op, file_path, path_to, before_hash, after_hash, undoes)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'action', ?10, ?11, ?12, ?13, ?14, ?15);

-- Who settles an event that somebody else has settled meanwhile found the same.
-- name: event_outcome
insert into event_outcomes (event_id, ts, status, error) values (?1, ?2, ?3, ?4)
on conflict (event_id) do nothing;

-- The latest of a file, if it is open and no move: whether what is there now (?2) is its after, or
-- its before.
-- name: event_open
select e.event_id, e.after_hash is ?2, e.before_hash is ?2 from events e
where e.seq = (select max(seq) from events where entity_id = ?1) and e.path_to is null
	and not exists (select 1 from event_outcomes o where o.event_id = e.event_id);

-- name: event_exists
select event_id from events where event_id = ?1;

-- name: event_get
select * from event_rows where event_id >= ?1 and event_id < ?1 || '~' order by event_id limit 2;

-- Parameters: an event to begin below, since, until, path, the same as a folder with its slash, op,
-- agent, user, session, tool, status, text in lower case, limit; null where nothing is asked.
-- name: event_query
select * from event_rows
where (?1 is null or seq < (select e.seq from events e where e.event_id = ?1))
	and (?2 is null or ts >= ?2) and (?3 is null or ts < ?3)
	and (?4 is null or entity_id = ?4 or path_to = ?4
		or substr(entity_id, 1, length(?5)) = ?5 or substr(path_to, 1, length(?5)) = ?5)
	and (?6 is null or op = ?6) and (?7 is null or agent_id = ?7)
	and (?8 is null or user_id = ?8) and (?9 is null or session_id = ?9)
	and (?10 is null or tool = ?10) and (?11 is null or status = ?11)
	and (?12 is null or instr(lower(entity_id || ' ' || coalesce(path_to, '') || ' ' || op || ' '
		|| tool || ' ' || coalesce(rationale, '') || ' ' || coalesce(error, '')), ?12))
order by seq desc limit ?13;

-- name: event_undone
select event_id from event_rows where undoes = ?1 and status <> 'failed' order by seq desc limit 1;

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

-- ---- the vocabulary (lib/words) ----

-- name: word_add
insert or ignore into words (word) values (?1);

-- name: word_slip_add
insert or ignore into word_slips (part, word) values (?1, ?2);

-- name: word_remove
delete from words where word = ?1;

-- name: word_slip_remove
delete from word_slips where part = ?1 and word = ?2;

-- Words that begin with ?1 and go on, the shortest first.
-- name: word_begun
select word from words where word > ?1 and word < ?1 || char(1114111)
order by length(word), word limit ?2;

-- name: word_starts
select word from words
where word >= ?1 and word < ?1 || char(1114111) and length(word) between ?2 and ?3;

-- name: word_slipped
select word from word_slips where part = ?1;
