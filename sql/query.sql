-- Every statement of ikm, by name. "-- name: x" begins one, which Q_X names in C; it ends with the
-- semicolon. Parameters are ?1, ?2 and so on, in the order in which they are bound.

-- name: meta_get
select value from meta where key = ?1;

-- name: meta_put
insert into meta (key, value) values (?1, ?2) on conflict (key) do nothing;
