#!/bin/sh
# A store with damaged cells and pages: no command aborts or hangs, each names the damage, and the
# other rows are available.
. "$(dirname "$0")/../lib.sh"

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
git init -q files
echo before >files/a
echo '{"path":"a","content":"after"}' | (cd files && ikm call file_write) >out
sqlite3 "$db" 'pragma wal_checkpoint(truncate)' >out
cp "$db" whole/ikm.db

# Without CHECK and STRICT, so that every value can be written into the table.
cp whole/ikm.db whole/loose.db
sqlite3 whole/loose.db '.dbconfig defensive off' 'pragma journal_mode = delete' \
	'pragma writable_schema = on' \
	"update sqlite_schema set sql = replace(replace(sql, ', strict', ''), ') strict', ')')
		where type = 'table'" \
	"delete from sqlite_schema where name in ('events_no_update', 'events_no_delete', 'events_no_replace')" \
	'pragma writable_schema = reset' 'pragma journal_mode = wal' >/dev/null
loose() {
	rm -f "$db"-*
	cp whole/loose.db "$db"
}
sqlite3 whole/ikm.db "select m.name || ' ' || (select name from pragma_table_info(m.name)
	order by pk = 0, cid limit 1) || ' ' || c.name from sqlite_schema m, pragma_table_info(m.name) c
	where m.type = 'table' and m.name not like 'sqlite%' order by m.name, c.cid" >columns
# TABLE KEY COLUMN: in each row another kind of value, by the last character of the key and by the
# column; some rows stay.
worsen() {
	for null in null "'{'"; do
		sqlite3 "$db" 'pragma ignore_check_constraints = on' "update or ignore $1 set $3 = case
			(unicode(substr(quote($2), -2, 1)) + ${4:-0}) % 11
			when 0 then 'unheard of' when 1 then x'00ff00ff' when 2 then -1
			when 3 then 9223372036854775807 when 4 then 1e308 when 5 then '[1'
			when 6 then cast(x'c328' as text) when 7 then $null when 8 then '' else $3 end" \
			2>/dev/null && return
	done
	return 0
}
# A table: in each row some columns are bad, in the next row others, and some rows stay.
worsen_all() {
	n=0
	while read -r table key column; do
		n=$((n + 1))
		[ "$table" != "$1" ] || for null in null "'{'"; do
			sqlite3 "$db" 'pragma ignore_check_constraints = on' "update or ignore $table
				set $column = case (rowid + $n) % 7 when 0 then 'unheard of' when 1 then -1
				when 2 then $null else $column end" 2>/dev/null && break
		done || worsen "$table" "$key" "$column" $n
	done <columns
}
# Runs a command: it gets no signal, does not hang, and gives an answer for valid().
sound() {
	rc=0
	timeout 60 "$@" >../answer 2>../said || rc=$?
	{ [ $rc -le 8 ] || [ $rc = 75 ]; } || { echo "$*: $rc"; cat ../said; return 1; }
	[ -s ../answer ] || { echo "$*: no answer"; return 1; }
	cat ../answer >>../answers
}
valid() {
	jq -e . ../answers >/dev/null || { cat ../answers; return 1; }
	rm ../answers
}
# This command reads most columns of the table, apart from doctor.
reader_of() {
	case $1 in
	event* | former*) sound ikm events query --json ;;
	asset_v*) sound ikm asset history blocks/note.md --json ;;
	asset* | stored*) sound ikm asset list --json ;;
	pins) sound ikm context --json ;;
	turn* | ingested*) sound ikm trace --json ;;
	deleted*) sound ikm mem list --deleted --json ;;
	scopes | memories) sound ikm mem export --json ;;
	*) sound ikm mem search tea --json ;;
	esac
}
all_commands() {
	for command in 'events query' 'asset list' 'asset history blocks/note.md' context trace \
		'mem list -n 1000' 'mem list --deleted' 'mem search tea' 'mem export' 'mem query query' \
		doctor; do
		# shellcheck disable=SC2086
		sound ikm $command --json || return
	done
}

long 'the store has rows where something can be damaged' <<'E'
for table in memories deleted_memories scopes stored_assets asset_versions pins events \
	former_contents \
	vectors vector_models turn_trace ingested_writes index_segments index_postings \
	index_attributes index_recent words memory_ids index_numbers; do
	[ "$(sqlite3 whole/ikm.db "select count(*) from $table")" -gt 0 ] || echo "$table is empty"
done >empty
same '' "$(cat empty)"
E

more 'each column of each table, with every kind of bad value: no abort, no hang, valid JSON' <<'E'
n=0
while read -r table key column; do
	loose
	worsen "$table" "$key" "$column"
	reader_of "$table" || { echo "in $table.$column"; exit 1; }
	sound ikm doctor --json || { echo "in $table.$column"; exit 1; }
	n=$((n + 1))
done <columns
valid
[ $n -gt 140 ]
E

more 'tables with bad values all over, some at a time: commands that read, and those that write' <<'E'
for group in 0 1 2 3 4 5 6; do
	loose
	for table in $(cut -d' ' -f1 columns | sort -u | awk -v g=$group 'NR % 7 == g'); do
		worsen_all "$table"
	done
	all_commands || { echo "in group $group"; exit 1; }
	for command in 'mem add another' 'mem purge' 'doctor --rebuild'; do
		# shellcheck disable=SC2086
		sound ikm $command --json || { echo "in group $group"; exit 1; }
	done
	valid
done
E

more 'a bad cell: the other memories are listed, found, exported; the damaged one is counted and named' <<'E'
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

more 'a damaged row is counted once, however often it is read' <<'E'
loose
sqlite3 "$db" 'pragma ignore_check_constraints = on' "update memories set importance = 7 where kind = 'semantic'"
n=$(sqlite3 "$db" "select count(*) from memories where kind = 'semantic'")
[ "$n" -gt 100 ]
for words in '"tea"' '"tea", "house"' '"tea", "house", "number"'; do
	jq ".memory_queries |= [.[0] + ($words | {query_id: ., query_text: .})]" query >many
	ikm mem query many --json >out 2>err
	same "$n 20" "$(jq -r '.damaged | "\(.count) \(.rows | length)"' out)"
done
E

more 'a slash command tells of the rows that its result leaves out' <<'E'
loose
sqlite3 "$db" 'pragma ignore_check_constraints = on' \
	"update or fail stored_assets set category = 'odd'"
n=$(sqlite3 "$db" 'select count(*) from stored_assets')
ikm slash /blocks --json >out 2>err
same "$n" "$(jq .damaged.count out)"
same 0 "$(jq '.result.assets | length' out)"
grep -q "table 'stored_assets', row '.*': 'category' " err
E

more 'a damaged page: export goes on with the rest, and says which memories are missing' <<'E'
pages=0
for page in $(sqlite3 whole/ikm.db "select pageno from dbstat where name = 'memories' and pagetype = 'leaf'"); do
	cp whole/ikm.db "$db"
	rm -f "$db"-*
	dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>/dev/null
	rc=0
	ikm mem export >out 2>err || rc=$?
	same 1 $rc
	ikm mem export --json >json 2>said || :
	# The layer of an unreadable row is unknown.
	n=$(($(grep -c '"content"' out) + $(jq .damaged.count json)))
	[ $n -ge "$(sqlite3 whole/ikm.db "select count(*) from memories join scopes using (scope)
		where layer in ('user', 'agent')")" ]
	[ $n -le "$(sqlite3 whole/ikm.db 'select count(*) from memories')" ]
	grep -q "the memory 'mem_.*' is on a damaged page" err
	pages=$((pages + 1))
done
[ $pages -gt 2 ]
E

more 'flipped bytes all over the file: never a signal' <<'E'
size=$(stat -c %s whole/ikm.db)
seed=1
while [ $seed -le 6 ]; do
	cp whole/ikm.db "$db"
	rm -f "$db"-*
	awk -v s=$seed -v n="$size" 'BEGIN { srand(s)
		for (i = 0; i < 40; i++) print int(rand() * (n - 100)) + 100, int(rand() * 256) }' |
		while read -r at byte; do
			printf "\\$(printf %o "$byte")" |
				dd of="$db" bs=1 seek="$at" conv=notrunc 2>/dev/null
		done
	all_commands || { echo "seed $seed"; exit 1; }
	valid
	seed=$((seed + 1))
done
E
try 'a broken store does not stop a tool that asks for memories, in a repository neither' <<'E'
git init -q asked && cd asked && git commit -q --allow-empty -m root
for kind in garbage folder newer short; do
	rm -rf "$db" "$db"-*
	cp ../whole/ikm.db "$db"
	case $kind in
	garbage) echo garbage >"$db" ;;
	folder) rm "$db" && mkdir "$db" ;;
	newer) sqlite3 "$db" 'pragma user_version = 999' ;;
	short) head -c 5000 ../whole/ikm.db >"$db" ;;
	esac
	ikm call memory_query <../query >out 2>err || { echo "$kind"; cat err; exit 1; }
	jq -e '.memory_context[0] | .outcome == "failed" and .results == []' out || { echo "$kind"; cat out; exit 1; }
	jq -e '.warnings | length > 0' out
done
rm -rf "$db" "$db"-*
cp ../whole/ikm.db "$db"
E

done_testing
