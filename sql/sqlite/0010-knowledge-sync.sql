-- Pointer memories: one for each knowledge item (requirement: memory and knowledge, "Sync Tools"). A
-- pointer is a row of memories; these tables say where it comes from, and what a sync has left to do.

pragma user_version = 10;

create table sync_places ( -- where sync ran
	place text primary key, -- the repository's folder on this machine; empty: no repository
	runs integer not null,
	changes integer not null, -- pointers that were added, updated or deleted, in all runs
	duration_ms integer not null, -- of all runs
	last_at integer not null
) without rowid, strict;

create table sync_sources ( -- sources of knowledge, and the places that read them
	place text not null,
	source text not null, -- its repository (origin, else root commit), a colon, its folder
	commit_id text, -- of its repository: no item failed up to it; null: none yet
	primary key (place, source)
) without rowid, strict;
create index sync_sources_places on sync_sources (source);

create table sync_items ( -- items that have a pointer
	memory_id text primary key, -- made of source, layer, owner and item
	source text not null,
	layer text not null, -- company, org, team, project
	owner text not null, -- the folder below orgs/, teams/ or projects/, or empty
	item text not null, -- its id
	type text not null, -- adr, policy, pattern, spec
	path text not null -- of its file, as messages show it
) without rowid, strict;
create index sync_items_source on sync_items (source);

create table sync_failures ( -- items that the last sync could not read or store
	place text not null,
	path text not null, -- as messages show it; of a source that cannot be read its message
	item text not null, -- its id, or empty: the file gave no item
	layer text, -- null where there is no item; so is type
	type text,
	reason text not null, -- as in the error envelope
	message text not null,
	first_at integer not null, -- when it failed first
	tries integer not null,
	primary key (place, path, item)
) without rowid, strict;
