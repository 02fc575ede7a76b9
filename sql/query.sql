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
