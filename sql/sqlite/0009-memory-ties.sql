-- Memories are tied to Git: to the files that they speak of, and to the commit on which they were made.

pragma user_version = 9;

alter table memories add column files text not null default ''; -- a JSON list (ikm-formats(5)), or empty
alter table memories add column made_repository text not null default ''; -- of a project memory
alter table memories add column made_commit text not null default ''; -- HEAD, or empty: no commit then
alter table memories add column made_branch text not null default ''; -- empty: HEAD was detached
alter table memories add column made_change text not null default ''; -- finds the commit after a rebase
alter table memories add column rejected integer not null default 0 -- 1: a person says that it is wrong
	check (rejected = 0 or rejected = 1 and state = 'conflict');

drop view memory_rows;
create view memory_rows as -- a memory with its layer; the content last
select m.doc, m.id, s.layer, m.scope, m.kind, m.type, m.tags, m.source, m.importance, m.confidence,
	m.provenance, m.redaction, m.status, m.state, m.user_id, m.agent_id, m.session_id,
	m.speaker, m.turn, m.supersedes, m.superseded_by, m.superseded_at, m.happened_at,
	m.created_at, m.updated_at, m.expires_at, m.tokens, m.token_model, m.content_hash,
	m.files, m.made_repository, m.made_commit, m.made_branch, m.made_change,
	m.rejected, m.metadata, m.content
from memories m join scopes s on s.scope = m.scope;
