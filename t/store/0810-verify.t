#!/bin/sh
# ikm events verify: plain sqlite3 edits the record in each way, and verify names the break.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
store=$HOME/.ikigai/ikm.db
IKM_USER=ada
export PATH store IKM_USER
git init -q .
call() { # PATH TEXT: a content that was never there
	echo >>"$T/calls"
	printf '{"path": "%s", "content": "%s %d"}' "$1" "$2" "$(wc -l <"$T/calls")" |
		ikm call file_write >out
}
# The triggers protect against mistakes, not against somebody who drops them first, and makes them
# again.
edit() {
	sqlite3 -bail "$store" '.dbconfig defensive off' 'drop trigger if exists events_no_update' \
		'drop trigger if exists events_no_delete' 'drop trigger if exists events_no_replace' \
		'drop trigger if exists events_ended' 'drop trigger if exists events_opened' "$1" \
		"$(cat "$T/triggers")" >"$T/edited"
}
again() { # a fresh copy of the whole record
	rm -f "$store"*
	cp whole.db "$store"
}
broken() { # KIND SEQ INTEGRITY COMPLETENESS: the first break, and the two verdicts
	fails 1 ikm events verify --json >verdict
	same "$1 $2 $3 $4 false" "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .integrity,
		.completeness, .ok] | join(" ")' verdict)"
	[ "$(jq -r .firstBreak.message verdict | wc -c)" -gt 15 ]
}
whole() {
	ikm events verify --json >verdict
	same 'true intact complete 0 null' \
		"$(jq -r '"\(.ok) \(.integrity) \(.completeness) \(.totalBreaks) \(.firstBreak)"' verdict)"
}

try 'a record without a key cannot be verified, and that is said' <<'E'
same 'intact complete' "$(ikm events verify --json | jq -r '.integrity + " " + .completeness')"
call old one
call old two
broken unverifiable 1 unverifiable unproven
jq -r .firstBreak.message verdict | grep -q 'ikm init'
sqlite3 "$store" "insert into event_head values (1, 4, 'x', 0, 'x')"
broken unverifiable 1 unverifiable unproven
sqlite3 "$store" 'delete from event_head'
E

try 'the first key begins a chain that covers the rows before it' <<'E'
event "$store" init >out
same 'key 1, made event-1.key checkpoint.key, chain started, covered 4' "$(cat out)"
same 'key 1, made , chain there, covered 0' "$(event "$store" init)"
for n in 1 2 3; do
	echo "text $n" >text
	event "$store" write "$PWD/part" text >id
	call new $n
done
whole
same '[20,16,20]' "$(jq -c '[.rows, .chained, .last]' verdict)"
ikm events verify >out
same 'integrity     intact
completeness  complete
rows          20, 16 with a MAC' "$(cat out)"
sqlite3 "$store" 'vacuum' && cp "$store" whole.db
sqlite3 "$store" "select sql || ';' from sqlite_schema where type = 'trigger' and tbl_name = 'events'" >"$T/triggers"
E

long 'openssl makes the same MACs of what sqlite3 reads' <<'E'
key=$(cat "$HOME/.ikigai/keys/event-1.key")
sqlite3 "$store" "select name from pragma_table_info('events') where name <> 'chain_hash'" >columns
form=$(sed "s/.*/case typeof(&) when 'null' then 'n,' when 'integer' then 'i' || & || ',' else 't' || length(cast(& as blob)) || ':' || & || ',' end/" columns | paste -sd'~' | sed 's/~/ || /g')
for seq in 5 6 12 20; do
	sqlite3 "$store" "select 'ikm-event-1,' || $form from events where seq = $seq" | head -c -1 >row
	same "$(sqlite3 "$store" "select chain_hash from events where seq = $seq")" \
		"hmac:$(openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" <row | sed 's/.*= *//')"
done
same "$(sqlite3 "$store" "select integrity_line_hash from events where seq = 6")" \
	"hmac:$(echo 'text 1' | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/.*= *//')"
sed -n 's/.*\(ikm-event-1,\).*/\1/p' row | grep -q ikm
E

try 'triggers refuse an update, a delete, a replacement and an insert of a row that is there' <<'E'
again
columns=$(sqlite3 "$store" "select group_concat(name) from pragma_table_info('events') where name <> 'seq'")
for sql in "update events set rationale = 'x' where seq = 7" 'delete from events where seq = 7' \
	"insert or replace into events select * from events where seq = 7" \
	"replace into events (seq, $columns) select 99, $columns from events where seq = 7" \
	"pragma recursive_triggers = off; insert or replace into events select * from events where seq = 3" \
	"insert into events select * from events where seq = 7 on conflict do update set op = 'x'" \
	'update or replace events set seq = 8 where seq = 7'; do
	not sqlite3 -bail "$store" "$sql" 2>err || { echo "$sql"; exit 1; }
	grep -q 'append-only' err
done
whole
E

more 'each column of a row that is changed: mac' <<'E'
least 36 columns
while read -r column; do
	[ "$column" != seq ] || continue
	again
	edit "update events set $column = case typeof($column) when 'integer' then $column + 100
		when 'text' then $column || 'x' else case (select type from pragma_table_info('events')
		where name = '$column') when 'INTEGER' then 1 else 'x' end end where seq = 6" 2>err || {
		# A row has no such step.
		[ "$column" = step ] && edit "update events set step = 'written' where seq = 6"
	}
	kind=mac
	case $column in chain_prev | integrity_salt_version) kind=link ;; esac
	fails 1 ikm events verify --json >verdict || { echo "$column"; exit 1; }
	same "$kind 6 changed" "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .integrity] | join(" ")' verdict)" ||
		{ echo "$column"; exit 1; }
done <columns
again
edit "update events set chain_hash = 'hmac:0000000000000000000000000000000000000000000000000000000000000000' where seq = 6"
broken mac 6 changed complete
again
edit 'update events set chain_hash = null where seq = 6'
broken mac 6 changed complete
again
edit 'update events set chain_hash = null, chain_prev = null, integrity_salt_version = null where seq > 4;
	delete from event_head'
broken mac 5 changed incomplete
E

more 'a chain that was removed never begins anew in silence' <<'E'
null='chain_hash = null, chain_prev = null, integrity_salt_version = null, integrity_line_hash = null'
for sql in "update events set rationale = 'forged', chain_hash = null, chain_prev = null; delete from event_head" \
	"update events set rationale = 'forged', $null; delete from event_head" \
	'delete from events; delete from event_head' 'delete from events where seq > 4; delete from event_head' \
	"delete from events where seq > 4; update events set rationale = 'forged'; delete from event_head"; do
	again
	edit "$sql"
	fails 1 ikm events verify >out
	event "$store" init >said || { echo "init: $sql"; exit 1; }
	grep -q 'chain there' said
	fails 1 ikm events verify >out || { echo "after init: $sql"; exit 1; }
	call new after
	fails 1 ikm events verify --json >verdict || { echo "$sql"; exit 1; }
	jq -e '.completeness == "incomplete"' verdict >out || { echo "$sql"; exit 1; }
	jq -r '.breaks[].message' verdict | grep -q 'the beginning of the chain is missing'
	same resume "$(sqlite3 "$store" 'select op from events where chain_hash is not null order by seq limit 1')"
done
again
whole
# The mark beside the keys has a MAC by the first key.
mark=$HOME/.ikigai/keys/chain.begun
same 600 "$(stat -c %a "$mark")"
cp -p "$mark" mark
sed -i 's/^seq .*/seq 6/' "$mark"
fails 1 ikm events verify >out
rm "$mark"
broken unverifiable 5 unverifiable complete
jq -r .firstBreak.message verdict | grep -q 'ikm init'
event "$store" init >said
cmp mark "$mark"
whole
E

try 'a rotation is among the rows that are missing: the later key is no break of its own' <<'E'
again
ikm events rotate-key >out
call new after
edit "delete from events where seq >= 15 and seq < (select max(seq) from events)"
fails 1 ikm events verify --json >verdict
same '1 incomplete intact' "$(jq -r '"\(.totalBreaks) \(.completeness) \(.integrity)"' verdict)"
rm "$HOME/.ikigai/keys/event-2.key"
E

more 'a mark of the end that names another key is a break, and writes go on' <<'E'
for version in 5000 0 -1 2 4097; do
	again
	edit "delete from events where seq >= 17; update event_head set key_version = $version"
	broken truncated 17 intact incomplete || { echo "$version"; exit 1; }
	call new after
	broken truncated 17 intact incomplete
	same "resume 1" "$(sqlite3 "$store" 'select op, integrity_salt_version from events where seq = 17' | tr '|' ' ')"
	again
	edit "update event_head set key_version = $version"
	ikm events rotate-key --lost --json | jq -e '[.from, .to, .lost] == [1, 2, false]' >out
	broken truncated 21 intact incomplete
	same 2 "$(jq .integrity_salt_version verdict)"
	rm "$HOME/.ikigai/keys/event-2.key"
done
# A retired key is never used again.
again
head=$(sqlite3 "$store" 'select * from event_head')
ikm events rotate-key >out
call new after
for sql in 'update event_head set key_version = 1' 'delete from event_head' \
	"delete from event_head; insert into event_head values ($(echo "$head" | sed "s/|/, /g; s/hmac:[0-9a-f]*/'&'/g"))"; do
	sqlite3 "$store" 'pragma wal_checkpoint(truncate)' >out
	cp "$store" turned.db
	edit "$sql"
	fails 1 ikm events verify --json >verdict || { echo "$sql"; exit 1; }
	call new later
	same 2 "$(sqlite3 "$store" 'select integrity_salt_version from events order by seq desc limit 1')"
	fails 1 ikm events verify --json >verdict || { echo "$sql"; exit 1; }
	same 'truncated intact incomplete 1' "$(jq -r '[.firstBreak.kind, .integrity, .completeness, .totalBreaks] | join(" ")' verdict)"
	rm -f "$store"-*
	mv turned.db "$store"
done
rm "$HOME/.ikigai/keys/event-2.key"
E

more 'the MAC of the first row with one is removed: that row was changed' <<'E'
for columns in 'chain_hash = null' 'chain_hash = null, chain_prev = null' \
	'chain_hash = null, chain_prev = null, integrity_salt_version = null'; do
	again
	edit "update events set $columns where seq = 5"
	broken mac 5 changed incomplete || { echo "$columns"; exit 1; }
done
E

more 'one row is missing; a number below 1' <<'E'
again
edit 'delete from events where seq = 20'
broken truncated 20 intact incomplete
jq -r .firstBreak.message verdict | grep -qx 'the end was cut off: row 20 is missing'
again
edit 'update events set seq = -9 where seq = 9'
broken mac -9 changed incomplete
jq -r '.breaks[].message' verdict >said
not grep -Eq 'rows.* to -' said
grep -qx 'row 9 is missing' said
E

more 'a row removed: a gap; with the numbers closed up: mac; the first or the last rows' <<'E'
again
edit 'delete from events where seq = 9'
broken gap 9 intact incomplete
same 1 "$(jq .totalBreaks verdict)"
again
edit 'delete from events where seq between 9 and 11'
broken gap 9 intact incomplete
jq -r .firstBreak.message verdict | grep -q 'rows 9 to 11 are missing'
again
edit 'delete from events where seq = 9; update events set seq = seq - 1 where seq > 9'
broken link 9 changed incomplete
again
edit 'delete from events where seq <= 5'
broken gap 1 intact incomplete
E

more 'rows from before the chain: changed, removed, added' <<'E'
again
edit "update events set op = 'edit' where seq = 3"
broken mac 1 changed complete
again
edit 'delete from events where seq = 2; update events set seq = seq - 1 where seq in (3, 4)'
fails 1 ikm events verify --json >verdict
same 'gap incomplete' "$(jq -r '.firstBreak.kind + " " + .completeness' verdict)"
E

more 'a row added, at the end and in between; a row replaced by another' <<'E'
columns=$(sqlite3 whole.db "select group_concat(name) from pragma_table_info('events')
	where name not in ('seq', 'event_id')")
again
edit "insert into events (seq, event_id, $columns) select 21, '01AAAAAAAAAAAAAAAAAAAAAAAA', $columns
	from events where seq = 19"
fails 1 ikm events verify --json >verdict
same 'link 21 changed incomplete' "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .integrity, .completeness] | join(" ")' verdict)"
jq -r '.breaks[].kind' verdict | grep -q mac
again
edit "update events set seq = -seq where seq > 9; update events set seq = 1 - seq where seq < 0;
	insert into events (seq, event_id, $columns) select 10, '01AAAAAAAAAAAAAAAAAAAAAAAA', $columns
	from events where seq = 9"
fails 1 ikm events verify --json >verdict
same '10 changed' "$(jq -r '[.firstBreak.seq, .integrity] | join(" ")' verdict)"
again
edit "drop index events_step; create table other as select * from events where seq = 8; delete from events where seq = 12;
	update other set seq = 12; insert into events select * from other"
fails 1 ikm events verify --json >verdict
same 'link 12 changed' "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .integrity] | join(" ")' verdict)"
E

more 'two rows that changed places' <<'E'
again
edit 'update events set seq = 100 where seq = 9; update events set seq = 9 where seq = 14;
	update events set seq = 14 where seq = 100'
fails 1 ikm events verify --json >verdict
same '9 changed' "$(jq -r '[.firstBreak.seq, .integrity] | join(" ")' verdict)"
jq -r '.breaks[] | "\(.kind) \(.seq)"' verdict >kinds
grep -q 'mac 9' kinds
grep -q 'mac 14' kinds
E

more 'a tail that was cut off shows, and stays visible after the next event' <<'E'
again
edit 'delete from events where seq > 15'
broken truncated 16 intact incomplete
jq -r .firstBreak.message verdict | grep -q 'rows 16 to 20 are missing'
call new late
broken gap 16 intact incomplete
same 22 "$(jq .last verdict)"
for end in "delete from event_head" "update event_head set seq = 15, chain_hash = (select chain_hash
	from events where seq = 15)" "update event_head set mac = 'hmac:00'"; do
	again
	edit "delete from events where seq > 15; $end"
	fails 1 ikm events verify --json >verdict
	same 'truncated incomplete' "$(jq -r '.firstBreak.kind + " " + .completeness' verdict)"
	call new later
	fails 1 ikm events verify --json >verdict
	same 'truncated 16 incomplete' "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .completeness] | join(" ")' verdict)"
	same 'resume' "$(sqlite3 "$store" 'select op from events where seq = 16')"
done
E

more 'the clock goes back: ids and numbers grow, and the record is whole' <<'E'
again
IKM_NOW=2020-01-01T00:00:00Z call new back
IKM_NOW=2031-01-01T00:00:00Z call new ahead
IKM_NOW=2021-01-01T00:00:00Z call new between
whole
same 1 "$(sqlite3 "$store" "select count(*) = sum(ok) from (select event_id > lag(event_id, 1, '')
	over (order by seq) as ok from events where number = 0 and seq > 3)")"
E

more 'a rotation is under both keys, and an old key is no longer good' <<'E'
again
ikm events rotate-key --json >turn
same '[1,2,false]' "$(jq -c '[.from, .to, .lost]' turn)"
call new after
whole
same 2 "$(jq .integrity_salt_version verdict)"
same '1 2' "$(sqlite3 "$store" "select group_concat(v, ' ') from (select distinct integrity_salt_version as v
	from events where v is not null order by v)")"
sqlite3 "$store" 'pragma wal_checkpoint(truncate)' >out
cp "$store" turned.db
edit "update events set change = replace(change, '\"lost\":false', '\"lost\":true') where step = 'rotation'"
broken mac 21 changed complete
mv "$HOME/.ikigai/keys/event-1.key" key1
cp turned.db "$store"
broken unverifiable 5 unverifiable complete
mv key1 "$HOME/.ikigai/keys/event-1.key"
# A key that was made and never used, by a process that was killed, is used.
cp "$HOME/.ikigai/keys/event-2.key" "$HOME/.ikigai/keys/event-3.key"
ikm events rotate-key --json | jq -e '.to == 3' >out
whole
rm "$HOME/.ikigai/keys/event-2.key" "$HOME/.ikigai/keys/event-3.key"
E

more 'a signed checkpoint shows what nobody without it can see' <<'E'
again
ikm events checkpoint >stamp
ikm events checkpoint --public-key >public.pem
call new after
ikm events verify --checkpoint stamp --public-key public.pem --json | jq -e .ok >out
# Openssl is the referee of the signature.
sed '/^signature/d' stamp >signed
sed -n 's/^signature //p' stamp | base64 -d >signature
openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in signed -sigfile signature | grep -q Successfully
# An older copy of the whole store, put back: the chain is whole, and the checkpoint is not.
sqlite3 "$store" 'pragma wal_checkpoint(truncate)' >out
cp "$store" now.db
ikm events checkpoint >stamp2
again
whole
fails 1 ikm events verify --checkpoint stamp2 --json >verdict
same 'truncated 21 incomplete' "$(jq -r '[.firstBreak.kind, .firstBreak.seq, .completeness] | join(" ")' verdict)"
# Another history of the same length.
call new other
fails 1 ikm events verify --checkpoint stamp2 --json >verdict
same link "$(jq -r .firstBreak.kind verdict)"
sed 's/^seq .*/seq 5/' stamp >forged
fails_for NOT_ALLOWED ikm events verify --checkpoint forged
fails_for BAD_CHECKPOINT ikm events verify --checkpoint public.pem
fails_for BAD_CHECKPOINT ikm events verify --checkpoint stamp --public-key stamp
fails_for MISSING_PARAMETER ikm events verify --public-key public.pem
edit 'delete from events where seq > 15'
fails_for DB_CORRUPT ikm events checkpoint
for sql in 'delete from events where seq = 9' "update events set rationale = 'x' where seq = 9" \
	"update events set op = 'x' where seq = 2" 'update event_head set key_version = 5000'; do
	again
	edit "$sql"
	fails_for DB_CORRUPT ikm events checkpoint || { echo "$sql"; exit 1; }
done
E

done_testing
