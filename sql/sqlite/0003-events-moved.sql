-- Where things were moved to, for who asks for the events of a path.

pragma user_version = 3;

create index events_moved on events (path_to, seq) where path_to is not null;
