#!/bin/sh
# Stores of older versions: their events are carried over, and a salvage keeps the chain.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
home=$HOME/.ikigai
store=$home/ikm.db
IKM_USER=ada
export PATH home store IKM_USER
git init -q .
old() { # SQL after the fixture of 0.1.0
	rm -rf "$home"
	mkdir -m 700 "$home"
	(umask 077 && { cat "$TOP/t/store-0.1.0.sql"; echo "${1-}"; } | sqlite3 -cmd ".dbconfig defensive off" "$store" >/dev/null)
}
event_row() { # NUMBER ID PATH: an event as 0.1.0 recorded it
	echo "insert into events (seq, event_id, machine_id, ts, user_id, agent_id, session_id, tool,
		entity_type, entity_id, type, op, file_path, before_hash) values ($1, '$2', 'm', 1795367241962 + $1,
		'ada', 'default', '', 'file_write', 'file', '$3', 'action', 'write', '$3', 'sha256:aa');"
}
outcome() { # ID STATUS
	echo "insert into event_outcomes (event_id, ts, status, error) values ('$1', 1795367242000, '$2',
		case '$2' when 'failed' then 'no room' end);"
}

long 'the events of 0.1.0 are there, with their outcomes, in their order' <<'E'
old "$(event_row 2 01M823M27A88DH0AHGFH15DCXB "$PWD/a"; outcome 01M823M27A88DH0AHGFH15DCXB failed
	event_row 3 01M823M27A88DH0AHGFH15DCXC "$PWD/b"
	event_row 4 01M823M27A88DH0AHGFH15DCXD "$PWD/c"; outcome 01M823M27A88DH0AHGFH15DCXD written)"
sqlite3 "$store" 'select e.event_id, e.ts, e.tool, e.entity_id, e.op, e.after_hash, coalesce(o.status,
	"pending"), coalesce(o.error, "") from events e left join event_outcomes o using (event_id)
	order by e.seq desc' >before
least 4 before
ikm mem list >out
sqlite3 "$store" "select event_id, ts, tool, file_path, op, after_hash, status, coalesce(error, '')
	from ($(statement verify_events | tr -d ';')) order by seq desc" >after
diff before after
same '1|pending 2|committed 3|pending 4|failed 5|pending 6|pending 7|written' \
	"$(sqlite3 "$store" 'select seq, step from events order by seq' | paste -sd' ')"
same '2' "$(sqlite3 "$store" 'select count(*) from event_open')"
same '0|1' "$(sqlite3 "$store" 'select count(chain_hash), max(schema_version) from events')"
ikm events query --json | jq -e '.rows | length == 4' >out
ikm events query --path ikigai:///blocks/note.md --json | jq -e '.rows | length == 1' >out
E

try 'an event of 0.1.0 that was pending is settled, and one is undone' <<'E'
id=01M823M27A88DH0AHGFH15DCXC
hash=sha256:$(printf kept | sha256sum | cut -d' ' -f1)
old "$(event_row 3 $id "$PWD/b" | sed "s/'sha256:aa'/'$hash'/")"
printf kept >b
same failed "$(ikm events query --path b --json | jq -r '.rows[0].status')"
ikm events undo 01M823M27A88DH0AHGFH15DCXA >out
E

try 'the chain begins over the rows of 0.1.0' <<'E'
old
event "$store" init | grep -q 'covered 2$'
ikm events verify >out
sqlite3 "$store" '.dbconfig defensive off' 'drop trigger events_no_update' \
	"update events set op = 'edit' where seq = 1" >out
fails 1 ikm events verify --json >out
same mac "$(jq -r .firstBreak.kind out)"
E

try 'a row that the new table does not take is kept aside, and that is said' <<'E'
old "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, ') strict', ')')
	where name = 'events'; pragma writable_schema = reset;"
sqlite3 "$store" "$(event_row 9 01M823M27A88DH0AHGFH15DCXF "$PWD/odd" | sed "s/1795367241962 + 9/'soon'/")"
ikm mem list >out 2>said
grep -q "1 damaged row of the table 'new_events' aside" said
same 1 "$(sqlite3 "$store" "select count(*) from damaged_cells where value = 'soon'")"
same 1 "$(sqlite3 "$store" 'select count(*) from events where number = 0')"
E

try 'a salvage copies the rows as they were: the chain holds, and no row is taken for damaged' <<'E'
old
event "$store" init >out
echo text >text
for n in 1 2 3; do event "$store" write "$PWD/part$n" text >out; done
event "$store" write "$PWD/open" text '' >open
ikm events verify >out
sqlite3 "$store" 'select * from events order by seq' >before
sqlite3 "$store" 'select * from event_open order by 1' >open_before
ikm doctor --salvage --json >out
sqlite3 "$store" 'select * from events order by seq' | diff before -
sqlite3 "$store" 'select * from event_open order by 1' | diff open_before -
same 0 "$(sqlite3 "$store" 'select count(*) from damaged_rows')"
ikm events verify >out
not sqlite3 "$store" 'delete from events' 2>err
E

try 'a damaged event is told, stays in its place, and verify names it' <<'E'
sqlite3 "$store" '.dbconfig defensive off' 'drop trigger events_no_update' \
	'update events set ts = 9223372036854775807 where seq in (4, 8)' >out
fails 1 ikm doctor --json >out
jq -r '.findings[] | select(.level == "problem").message' out | grep -q "trigger 'events_no_update' is missing"
jq -r '.findings[] | select(.level == "note").message' out | grep "table 'events'.*the row stays" >notes
same 2 "$(wc -l <notes)"
rows=$(sqlite3 "$store" 'select count(*) from events')
ikm doctor --rebuild >out
same "$rows" "$(sqlite3 "$store" 'select count(*) from events')"
ikm events query >out 2>said
grep -q "table 'events'" said
fails 1 ikm events verify --json >out
same 'mac 4' "$(jq -r '.firstBreak | "\(.kind) \(.seq)"' out)"
E

done_testing
