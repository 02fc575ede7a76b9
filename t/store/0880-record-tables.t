#!/bin/sh
# The tables, indexes and triggers of the record: each one that is dropped or changed is named, and
# `ikm doctor --rebuild` makes again what can be derived.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
store=$HOME/.ikigai/ikm.db
IKM_USER=ada
export PATH store IKM_USER
git init -q .
call() { # TEXT
	printf '{"path": "f", "content": "%s"}' "$1" | ikm call file_write >said
}
edit() { sqlite3 -bail "$store" '.dbconfig defensive off' "$@" >"$T/edited"; }
again() {
	rm -f "$store"*
	cp whole.db "$store"
}
schema() { sqlite3 "$store" "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite%' order by 1, 2"; }
broken() { # KINDS INTEGRITY COMPLETENESS
	fails 1 ikm events verify --json >verdict
	same "$1: $2 $3 false" "$(jq -r '([.breaks[] | .kind + (if .object then " " + .object else "" end)] | join(", "))
		+ ": " + ([.integrity, .completeness, .ok] | join(" "))' verdict)"
}
whole() { ikm events verify --json | jq -e '.ok and .totalBreaks == 0' >said; }

try 'a record as ikm made it' <<'E'
event "$store" init >out
call one
call two
echo text >text
event "$store" write "$PWD/open" text '' >open
whole
sqlite3 "$store" 'vacuum' && cp "$store" whole.db
schema >made
sqlite3 "$store" "select type, name from sqlite_schema where sql is not null and
	tbl_name in ('events', 'event_head', 'event_open', 'idempotency_records', 'former_contents', 'former_size', 'meta')
	and type <> 'table' order by 1, 2" >parts
least 15 parts
E

long 'each index and trigger that is dropped is named, with what that means' <<'E'
again
edit "$(sed 's/\(.*\)|\(.*\)/drop \1 \2;/' parts)"
fails 1 ikm events verify --json >verdict
same 'intact complete' "$(jq -r '[.integrity, .completeness] | join(" ")' verdict)"
jq -r '.breaks[] | select(.kind == "schema").object | sub(" "; "|")' verdict | sort | cmp - parts
jq -r '.breaks[].message' verdict >messages
fails 1 ikm doctor --json >found
jq -e '[.findings[] | select(.area == "store")] | length > 15 and all(.step == "ikm doctor --rebuild")' found >said
ikm doctor --rebuild >found
while IFS='|' read -r type name; do grep -qx "made the $type '$name' again" found; done <parts
whole
schema | cmp - made
grep -q "'events_no_update' is missing: rows can be changed" messages
grep -q "'events_no_delete' is missing: rows can be removed" messages
grep -q "'events_no_replace' is missing: rows can be replaced" messages
grep -q "'events_step' is missing: an event can have two rows" messages
not grep -q 'as they should' messages
E

long 'each table that is dropped: what is lost is said, and no row is invented' <<'E'
for table in event_open event_head idempotency_records former_size meta; do
	again
	edit "drop table $table"
	fails 1 ikm events verify --json >verdict
	jq -r '.breaks[].message' verdict | grep -q "^the table '$table' is missing: " || { echo "$table"; exit 1; }
	same '6 6' "$(jq -r '[.rows, .chained] | join(" ")' verdict)"
	ikm doctor --rebuild >found
	schema | cmp - made
	case $table in
	event_head)
		broken truncated intact incomplete
		call later
		same resume "$(sqlite3 "$store" 'select op from events where seq = 7')"
		;;
	# The id of the machine is evidence: the next event has another one.
	meta) whole && same 0 "$(sqlite3 "$store" "select count(*) from meta where key <> 'log'")" ;;
	event_open) whole && same "$(cat open)" "$(sqlite3 "$store" 'select event_id from event_open')" ;;
	*) whole ;;
	esac
done
again
edit 'drop table events'
fails 1 ikm events verify --json >verdict
same '0 unverifiable incomplete' "$(jq -r '[.rows, .integrity, .completeness] | join(" ")' verdict)"
jq -r '.breaks[].message' verdict | grep -qx "the table 'events' is missing: all events are lost"
ikm doctor --rebuild >found
grep -q "made the table 'events' again" found
same 0 "$(sqlite3 "$store" 'select count(*) from events')"
fails 1 ikm events verify --json >verdict
call later
fails 1 ikm events verify --json >verdict
same incomplete "$(jq -r .completeness verdict)"
E

try 'other commands say that the tables were changed, and what to do' <<'E'
again
edit 'drop table event_open'
not call never 2>err
ikm events query --json >listed
jq -e '.rows | length == 4' listed >said
fails_for DB_CORRUPT ikm events log --type observation -m seen 2>err
grep -q "another program changed the tables of the store" err
grep -q 'ikm doctor --rebuild' err
E

try 'a column that was added is named, and the table is read all the same' <<'E'
again
edit 'alter table events add column note text' 'alter table event_head add column note text'
broken 'schema table events, schema table event_head' intact complete
jq -r '.breaks[0].message' verdict | grep -q 'column added: note'
call later
E

more 'a column that was removed or changed; a check that was removed; a table that is a view' <<'E'
again
edit 'drop index events_moved' 'alter table events drop column path_to'
fails 1 ikm events verify --json >verdict
same 'changed unproven 0' "$(jq -r '[.integrity, .completeness, .rows] | join(" ")' verdict)"
jq -r '.breaks[].message' verdict | grep -qx "the table 'events' is not as ikm made it; column missing: path_to"
fails 1 ikm doctor --json >found
jq -e '.findings[] | select(.message | contains("column missing: path_to")) | .step == "ikm doctor --salvage"' found >said
again
edit "pragma writable_schema = on;
	update sqlite_schema set sql = replace(sql, 'seq integer not null,', 'seq text,') where name = 'event_open';
	update sqlite_schema set sql = replace(sql, ' check (one = 1)', '') where name = 'event_head'"
broken 'schema table event_open, schema table event_head' intact complete
jq -r '.breaks[].message' verdict | grep -q "'event_open' is not as ikm made it; column changed: seq"
# The contents are saved into a store whose tables are right.
ikm doctor --salvage >found
whole
again
edit 'create view event_rows as select * from events'
fails 1 ikm doctor --json >found
jq -r '.findings[].message' found | grep -qx "the view 'event_rows' was added: ikm does not use it"
again
edit 'alter table event_head rename to other' 'create view event_head as select * from other'
fails 1 ikm events verify --json >verdict
jq -r '.breaks[].message' verdict | grep -q "the table 'event_head' is missing"
E

more 'a trigger that was changed or added is named, and removed' <<'E'
again
edit 'drop trigger events_no_update' "create trigger events_no_update before update on events
	begin select raise(ignore); end" 'create trigger spy after insert on events begin update event_head set seq = seq; end' \
	'create index spies on events (tool)'
broken 'schema trigger events_no_update, schema index spies, schema trigger spy' intact complete
jq -r '.breaks[].message' verdict | grep -q "'spy' of the table 'events' was added: it may change what is recorded"
ikm doctor --rebuild --json >found
same 3 "$(jq '.rebuilt.mended | length' found)"
jq -r '.rebuilt.mended[]' found | grep -qi "^removed the trigger 'spy': create trigger spy after insert"
whole
schema | cmp - made
E

more 'event_open that was edited: derived, and mended' <<'E'
again
edit 'delete from event_open'
broken 'derived table event_open' intact complete
jq -r '.breaks[0].message' verdict | grep -q 'lacks 1 of the events'
ikm doctor --rebuild >found
same "$(cat open)" "$(sqlite3 "$store" 'select event_id from event_open')"
whole
ended=$(sqlite3 "$store" "select event_id from events where step = 'committed' and number > 0 limit 1")
edit "insert into event_open values ('$ended', 2, 'x')" "insert into event_open values ('none', 2, 'x')"
broken 'derived table event_open' intact complete
jq -r '.breaks[0].message' verdict | grep -q 'lacks 0 of the events that are not settled, and has 2'
# As many rows, but not the right ones.
edit 'delete from event_open' "insert into event_open values ('$ended', 2, 'x')"
broken 'derived table event_open' intact complete
jq -r '.breaks[0].message' verdict | grep -q 'lacks 1 of .* and has 1'
E

more 'breaks of tables are told behind any number of changed rows; an index that rows do not allow' <<'E'
again
edit 'drop trigger events_no_delete' 'drop trigger events_no_update' 'drop index events_step' \
	"update events set number = 0, event_id = 'x'"
fails 1 ikm events verify >out
for name in events_no_delete events_no_update events_step; do grep -q "^schema .*'$name'" out; done
grep -q 'ikm doctor --rebuild' out
not ikm doctor --rebuild 2>err >out
grep -q "cannot make the index 'events_step' again" err
grep -qx '  move the rows that it does not allow aside, into a new store: ikm doctor --salvage' err
fails 1 ikm doctor --salvage >found
grep -q "set aside 5 damaged rows of the table 'events': another row has the same key" found
ikm doctor >found
E

more 'a store of 0.1.0 that was migrated has the same tables as a new one' <<'E'
store=$PWD/older/ikm.db IKIGAI_HOME=$PWD/older
export IKIGAI_HOME
mkdir -m 700 older
(umask 077 && sqlite3 "$store" <"$TOP/t/store-0.1.0.sql" >out)
call new
fails 1 ikm events verify --json >verdict
same unverifiable "$(jq -r '[.breaks[].kind] | join(" ")' verdict)"
ikm doctor --json >found || :
jq -e '.schema > 6 and ([.findings[] | select(.message | test("as ikm made it|is missing|was added"))] == [])' found >said
E

done_testing
