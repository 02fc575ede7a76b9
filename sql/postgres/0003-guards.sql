-- Guards against a member who writes SQL by hand. The triggers decided with the operators of the
-- caller's search_path. A row with a text and a time of deletion passed as a tombstone, so its text
-- got into layers that its owner does not belong to.

alter function ikm.refuse() set search_path = pg_catalog, pg_temp;
alter function ikm.number_grows() set search_path = pg_catalog, pg_temp;
alter function ikm.clock_holds() set search_path = pg_catalog, pg_temp;

-- Not valid: rows that are there are hidden from the service role, and machines never make such.
alter table ikm.memories add constraint memories_tombstone
	check (memory is null or deleted_at is null) not valid;
