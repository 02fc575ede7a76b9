-- Which face of ikm a change came by, and the program in front of it, as it says itself. The MACs of
-- older rows do not cover the two columns, which are null there (lib/store/event/row.h).

pragma user_version = 17;

alter table events add column face text; -- command, call, mcp, hook, sync; null: not known
alter table events add column client text; -- at most 64 bytes; null: none
create index events_calls on events (session_id, seq) where face in ('call', 'command');
