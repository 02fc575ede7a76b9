-- What machines share over a server. A change gives a memory a new number (doc), and numbers only
-- grow, so one watermark for each remote says what was pushed: no column is added to memories, and
-- a store that shares nothing pays nothing. sync_rows says what the remote is known to hold.

pragma user_version = 13;

create table sync_remotes ( -- one for each server, tenant and login role
	remote integer primary key,
	incarnation text not null, -- of the schema
	tenant text not null,
	login text not null,
	cluster text not null, -- the server's system identifier and timeline: another one is a restore
	layers text not null, -- the member's layers on the server, as a JSON list
	shared text not null, -- sync.layers of the last sync, as a JSON list
	assets integer not null check (assets in (0, 1)), -- sync.assets of the last sync
	pushed integer not null, -- memories up to this number were offered
	pushed_events integer not null, -- and rows of the record up to this one
	pulled integer not null, -- rows of memories up to this number of the tenant were read
	pulled_assets integer not null,
	pulled_events integer not null,
	nonce text not null, -- what the server has for this machine: a copied home has an older one
	offer integer not null, -- memories up to this number are offered even if the remote had them
	next_nonce text not null, -- what it has if the last push was not answered
	synced_at integer, -- null: never to the end
	failed_at integer, -- null: the last sync had no error; so are the next two
	reason text,
	message text,
	unique (incarnation, tenant, login)
) strict;

create table sync_rows ( -- memories that a remote holds
	id text not null,
	remote integer not null references sync_remotes (remote) on delete cascade,
	owner text not null, -- the login role of another person, or empty: one's own
	doc integer not null, -- the number of the memory that is the same; 0: none; below 0: deleted
	clock integer not null, -- hybrid logical clock of that version: ms since 1970, 16 bits
	machine text not null, -- the machine of that version
	hash integer not null, -- of the version's text
	primary key (id, remote)
) without rowid, strict;

create table sync_gone ( -- memories that a remote holds, and that were removed since
	id text not null,
	remote integer not null references sync_remotes (remote) on delete cascade,
	primary key (remote, id)
) without rowid, strict;
create trigger memories_gone after delete on memories
when exists (select 1 from sync_rows where id = old.id)
begin insert or ignore into sync_gone (id, remote) select id, remote from sync_rows where id = old.id; end;

create table sync_waiting ( -- rows that a sync could not exchange; the next one tries again
	remote integer not null references sync_remotes (remote) on delete cascade,
	id text not null,
	pulled integer not null check (pulled in (0, 1)), -- 1: it came from the server
	reason text not null, -- as in the error envelope
	message text not null,
	first_at integer not null,
	tries integer not null,
	primary key (remote, id, pulled)
) without rowid, strict;

create table sync_conflicts ( -- versions that lost against another one; kept until they are dropped
	conflict integer primary key,
	id text not null, -- of the memory, or the path of the asset
	type text not null check (type in ('memory', 'asset')),
	found_at integer not null,
	machine text not null, -- where the lost version was made
	clock integer not null,
	winner text not null, -- the machine of the version that won
	lost text -- the lost version as JSON; null: it was a deletion
) strict;
create index sync_conflicts_id on sync_conflicts (id);

create table sync_assets ( -- assets that a remote holds
	remote integer not null references sync_remotes (remote) on delete cascade,
	path text not null,
	clock integer not null,
	machine text not null,
	digest text not null, -- sha256: over all that is shared of it; empty: it is deleted there
	primary key (remote, path)
) without rowid, strict;

create table sync_machines ( -- the names that this machine had
	first integer primary key, -- its first row of the record under that name
	machine text not null
) strict;

create table remote_events ( -- append-only: what one's other machines recorded
	machine text not null,
	number integer not null, -- its row in the record of that machine
	event text not null, -- the row's columns as JSON
	primary key (machine, number)
) without rowid, strict;
create trigger remote_events_no_update before update on remote_events
begin select raise(abort, 'events are append-only'); end;
create trigger remote_events_no_delete before delete on remote_events
begin select raise(abort, 'events are append-only'); end;
