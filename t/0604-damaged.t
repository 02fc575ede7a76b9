#!/bin/sh
# A store with damaged cells and pages: no command aborts or hangs, what is damaged is named, and the
# rest is there.
. "$(dirname "$0")/lib.sh"

home=$HOME/.ikigai
db=$home/ikm.db
export home db

# A store with rows in every table: of 0.1.0, migrated, with segments in its index.
IKM_USER=ada IKM_INDEX_BITS=6
export IKM_USER IKM_INDEX_BITS
mkdir -m 700 "$home" whole
sqlite3 "$db" <"$TOP/t/store-0.1.0.sql"
mkdir "$home/manifests"
cat >"$home/manifests/t.yaml" <<'E'
tool:
  id: t
  memory_access:
    semantic: {enabled: true, layers: [user]}
E
echo '{"request_id":"r","tool_id":"t","memory_queries":[{"query_id":"q","memory_type":"semantic","query_text":"tea"}]}' >query
seq 150 | sed 's/.*/{"content":"tea number & of the house","kind":"semantic"}/' >lines
ikm mem import lines >out 2>&1
ikm mem add "one more" >out
cp "$db" whole/ikm.db

# No CHECK and no STRICT: whatever is written into it stays.
loose() {
	cp whole/ikm.db "$db"
	rm -f "$db"-*
	sqlite3 "$db" '.dbconfig defensive off' 'pragma writable_schema = on' \
		"update sqlite_schema set sql = replace(replace(sql, ', strict', ''), ') strict', ')')
			where type = 'table'" \
		"delete from sqlite_schema where name in ('events_keep', 'events_stay', 'event_outcomes_stay')" \
		'pragma writable_schema = reset' >/dev/null
}
# TABLE COLUMN: in each row another kind of value, by the last character of the key; some rows stay.
worsen() {
	key=$(sqlite3 whole/ikm.db "select name from pragma_table_info('$1') order by pk = 0, cid limit 1")
	for null in null "'{'"; do
		sqlite3 "$db" 'pragma ignore_check_constraints = on' "update or ignore $1 set $2 = case
			unicode(substr(quote($key), -2, 1)) % 11
			when 0 then 'unheard of' when 1 then x'00ff00ff' when 2 then -1
			when 3 then 9223372036854775807 when 4 then 1e308 when 5 then '[1'
			when 6 then cast(x'c328' as text) when 7 then $null when 8 then '' else $2 end" \
			2>/dev/null && return
	done
	return 0
}
# Runs a command: no signal, no hang, and valid JSON.
sound() {
	rc=0
	timeout 60 "$@" >../answer 2>../said || rc=$?
	{ [ $rc -le 8 ] || [ $rc = 75 ]; } || { echo "$*: $rc"; cat ../said; return 1; }
	jq -e . ../answer >/dev/null || { echo "$*: no JSON"; cat ../answer; return 1; }
}
# Those that read the table; all for a page.
reading_commands() {
	case $1 in
	event* | former*) sound ikm events query --json || return ;;
	asset* | stored* | pins)
		sound ikm asset list --json || return
		sound ikm asset history blocks/note.md --json || return
		sound ikm context --json || return ;;
	turn* | ingested*) sound ikm trace --json || return ;;
	*)
		sound ikm mem list --json -n 1000 || return
		sound ikm mem list --deleted --json || return
		sound ikm mem search tea --json || return
		sound ikm mem export --json || return
		sound ikm mem query query --json || return ;;
	esac
	sound ikm doctor --json
}
all_commands() {
	for of in memories events assets trace; do reading_commands $of || return; done
}

try 'the store has rows where something can be damaged' <<'E'
for table in memories deleted_memories scopes stored_assets asset_versions pins events event_outcomes \
	vectors vector_models turn_trace ingested_writes index_segments index_postings \
	index_attributes index_recent words word_slips memory_ids index_numbers; do
	[ "$(sqlite3 whole/ikm.db "select count(*) from $table")" -gt 0 ] || echo "$table is empty"
done >empty
same '' "$(cat empty)"
E

try 'each column of each table, with every kind of bad value: no abort, no hang, valid JSON' <<'E'
n=0
for table in $(sqlite3 whole/ikm.db "select name from sqlite_schema where type = 'table' and
	name not like 'sqlite%' order by 1"); do
	for column in $(sqlite3 whole/ikm.db "select name from pragma_table_info('$table')"); do
		loose
		worsen "$table" "$column"
		reading_commands "$table" || { echo "in $table.$column"; exit 1; }
		n=$((n + 1))
	done
done
[ $n -gt 140 ]
E

try 'the same for commands that write' <<'E'
for table in memories deleted_memories scopes index_segments index_recent index_postings; do
	for column in $(sqlite3 whole/ikm.db "select name from pragma_table_info('$table')"); do
		loose
		worsen "$table" "$column"
		for command in 'mem add another --json' 'mem purge --json' 'doctor --rebuild --json'; do
			# shellcheck disable=SC2086
			sound ikm $command || { echo "in $table.$column"; exit 1; }
		done
	done
done
E

try 'a bad cell: the others are listed, found, exported; the one is counted, named, and an error' <<'E'
loose
id=$(sqlite3 "$db" "select id from memories where content = 'Ada prefers tea'")
others=$(sqlite3 "$db" "select count(*) from memories m join scopes using (scope) where layer = 'user'
	and id <> '$id'")
while read -r column value; do
	loose
	sqlite3 "$db" 'pragma ignore_check_constraints = on' \
		"update or fail memories set $column = $value where id = '$id'"
	ikm mem list --layer user --json -n 1000 >out 2>err
	same "$others" "$(jq '.memories | length' out)"
	same 1 "$(jq .damaged.count out)"
	jq -r '.damaged.rows[0]' out | grep -q "table 'memories', row '$id': '$column' "
	grep -q "row '$id': '$column' " err
	ikm mem search 'number 7' --json >out 2>err
	jq -e '.results | length > 0' out
	ikm mem query query --json >out 2>err
	jq -e '.memory_context[0].results | length > 0' out
	fails 1 ikm mem export --layer user >out 2>err
	same "$others" "$(grep -c '"content"' out)"
	grep -q "row '$id': '$column' " err
	fails 8 ikm mem show "$id" --json >out
	same "DB_CORRUPT memories $id $column" \
		"$(jq -r '.details | "\(.reason) \(.table) \(.row) \(.column)"' out)"
	jq -r '.help.steps[]' out | grep -q 'ikm doctor --rebuild'
	fails 8 ikm mem delete "$id" --json >out
	same DB_CORRUPT "$(jq -r .details.reason out)"
done <<'T'
redaction 'secret'
kind 'foo'
provenance 7
state 'odd'
tags '[1'
tags '["b","a"]'
tags '["a",1]'
tags x'5b5d'
metadata '{bad'
metadata '[]'
importance 2.0
importance 'much'
happened_at 9223372036854775807
created_at '2020-01-01'
expires_at -99999999999999999
turn -1
tokens 4294967296
content cast(x'c328' as text)
T
E

try 'a damaged page: export goes on with the rest, and says which memories are missing' <<'E'
pages=0
for page in $(sqlite3 whole/ikm.db "select pageno from dbstat where name = 'memories' and pagetype = 'leaf'"); do
	cp whole/ikm.db "$db"
	rm -f "$db"-*
	dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>/dev/null
	rc=0
	ikm mem export >out 2>err || rc=$?
	same 1 $rc
	ikm mem export --json >json 2>said || :
	# Of an unreadable one it is not known whether it is in another's layer.
	n=$(($(grep -c '"content"' out) + $(jq .damaged.count json)))
	[ $n -ge "$(sqlite3 whole/ikm.db "select count(*) from memories join scopes using (scope)
		where layer in ('user', 'agent')")" ]
	[ $n -le "$(sqlite3 whole/ikm.db 'select count(*) from memories')" ]
	grep -q "the memory 'mem_.*' is on a damaged page" err
	pages=$((pages + 1))
done
[ $pages -gt 2 ]
E

try 'flipped bytes all over the file: never a signal' <<'E'
size=$(stat -c %s whole/ikm.db)
seed=1
while [ $seed -le 24 ]; do
	cp whole/ikm.db "$db"
	rm -f "$db"-*
	awk -v s=$seed -v n="$size" 'BEGIN { srand(s)
		for (i = 0; i < 25; i++) print int(rand() * (n - 100)) + 100, int(rand() * 256) }' |
		while read -r at byte; do
			printf "\\$(printf %o "$byte")" |
				dd of="$db" bs=1 seek="$at" conv=notrunc 2>/dev/null
		done
	all_commands || { echo "seed $seed"; exit 1; }
	seed=$((seed + 1))
done
E
done_testing
