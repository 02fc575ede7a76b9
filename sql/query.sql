-- Every statement of ikm, by name. "-- name: x" begins one, which Q_X names in C; it ends with the
-- semicolon. Parameters are ?1, ?2 and so on, in the order in which they are bound.

-- ---- the store itself (lib/db) ----

-- name: store_id
pragma application_id;

-- name: store_version
pragma user_version;

-- name: store_tables
select count(*) from sqlite_schema;

-- name: store_sync
pragma synchronous = full;

-- name: store_temp
pragma temp_store = memory;

-- name: store_wal
pragma journal_mode = wal;

-- name: store_wal_limit
pragma journal_size_limit = 4194304;

-- name: store_begin_write
begin immediate;

-- name: store_begin_read
begin;

-- name: store_commit
commit;

-- name: store_rollback
rollback;

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

-- name: asset_number_get
select number from asset_numbers where path = ?1;

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
