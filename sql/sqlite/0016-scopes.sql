-- What others store decides no score: the index counts documents, words and postings by scope, and each
-- scope has a vocabulary of its own. The index and the vocabulary of older versions cannot tell scopes
-- apart, so they are emptied, and ikm adds all memories to them again.

pragma user_version = 16;

create table index_scopes ( -- the documents of each scope that are not removed
	scope integer primary key,
	docs integer not null,
	length integer not null, -- the sum of their lengths
	moved_docs integer not null, -- those with numbers that a rebuild has given
	moved_length integer not null
) strict;

drop table doubted_words;
drop table words;
create table words ( -- the vocabulary of each scope
	scope integer not null,
	word text not null,
	uses integer not null, -- how many contents and lists of tags have it
	primary key (scope, word)
) without rowid, strict;
create index words_middle on words (scope, substr(word, min(length(word) / 2, 4) + 1, 4));

delete from index_recent;
delete from index_segments;
delete from index_postings;
delete from index_attributes;
delete from index_gone;
alter table index_numbers add column stale -- 1: the index lacks memories of an older version
	integer not null default 0 check (stale = 0 or stale = 1);
update index_numbers set stale = exists (select 1 from memories), rebuilt = 0, tagless = 0;
-- The entries of a log beside each other are found without those of other scopes.
create index memories_scope on memories (scope);
