-- Two machines change different members of a memory: both changes hold. For that the store keeps the
-- members as the remote has them, from the first change here until the next exchange.

pragma user_version = 18;

create table sync_bases ( -- columns of memories, without what never changes
	id text not null,
	remote integer not null references sync_remotes (remote) on delete cascade,
	scope integer not null,
	tags text not null,
	source text not null,
	importance real not null,
	confidence real not null,
	redaction text not null,
	status text,
	state text not null,
	rejected integer not null,
	supersedes text,
	superseded_by text,
	superseded_at integer,
	updated_at integer not null,
	expires_at integer,
	files text not null,
	made_repository text not null,
	made_commit text not null,
	made_branch text not null,
	made_change text not null,
	metadata text not null,
	primary key (id, remote)
) without rowid, strict;
create trigger memories_based after update on memories
when exists (select 1 from sync_rows where id = old.id)
	and (old.scope, old.tags, old.source, old.importance, old.confidence, old.redaction, old.status,
		old.state, old.rejected, old.supersedes, old.superseded_by, old.superseded_at, old.expires_at,
		old.files, old.made_repository, old.made_commit, old.made_branch, old.made_change, old.metadata)
	is not (new.scope, new.tags, new.source, new.importance, new.confidence, new.redaction, new.status,
		new.state, new.rejected, new.supersedes, new.superseded_by, new.superseded_at, new.expires_at,
		new.files, new.made_repository, new.made_commit, new.made_branch, new.made_change, new.metadata)
begin
	insert or ignore into sync_bases (id, remote, scope, tags, source, importance, confidence,
		redaction, status, state, rejected, supersedes, superseded_by, superseded_at, updated_at,
		expires_at, files, made_repository, made_commit, made_branch, made_change, metadata)
	select old.id, remote, old.scope, old.tags, old.source, old.importance, old.confidence,
		old.redaction, old.status, old.state, old.rejected, old.supersedes, old.superseded_by,
		old.superseded_at, old.updated_at, old.expires_at, old.files, old.made_repository,
		old.made_commit, old.made_branch, old.made_change, old.metadata
	from sync_rows where id = old.id;
end;
create trigger memories_unbased after delete on memories
when exists (select 1 from sync_rows where id = old.id)
begin delete from sync_bases where id = old.id; end;
create trigger sync_rows_exchanged after update on sync_rows
begin delete from sync_bases where id = old.id and remote = old.remote; end;

-- What was deleted is on the servers as deleted; when it is purged here, they are to know that, too.
create trigger deleted_memories_emptied after update of memory on deleted_memories
when new.memory is null and old.memory is not null
begin
	insert or ignore into sync_gone (id, remote)
	select id, remote from sync_rows where id = new.id and owner = '';
end;

alter table sync_conflicts add column members text; -- a JSON object: member, {lost, kept}; null: a whole version
