-- Memories are found by the words of their tags. Those that are in the index already stay there as they
-- are, for a document is removed with the terms that it was added with; 'ikm mem reindex' gives them
-- new numbers, and the words of their tags.

pragma user_version = 6;

alter table index_numbers add column tagless -- up to this number, documents have no words of tags
	integer not null default 0 check (tagless >= 0);
update index_numbers set tagless = last;
