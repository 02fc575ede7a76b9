-- Statements hold what the views selected: SQLite read the views for each command. Nobody can hide an
-- event by changing one, either.

pragma user_version = 14;

drop view if exists event_rows;
drop view if exists memory_rows;
