-- An import is one change: one event, and one undo. And what a walk through a history found.

pragma user_version = 12;

create table imports (
	import integer primary key,
	event_id text not null, -- its event
	added integer not null, -- memories that it added
	deleted integer not null -- deletions that it took over
) strict;
alter table memories add column import integer not null default 0; -- in imports; negative: changed since; 0: none
alter table deleted_memories add column import integer not null default 0; -- whose undo deleted it; 0: none

create table repository_roots ( -- root commits of repositories that have no origin
	folder blob primary key, -- the Git folder that the working trees of a repository share
	head text not null, -- the commit that HEAD was
	root text not null -- the oldest root commit that it leads to
) without rowid, strict;
