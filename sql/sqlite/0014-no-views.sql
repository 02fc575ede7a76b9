-- Statements hold what the views selected: SQLite read the views for each command. Nobody can hide an
-- event by changing one, either.

pragma user_version = 14;

drop view event_rows;
drop view memory_rows;
