#!/bin/sh
# ikm doctor: its findings, its repairs, and the salvage of a damaged store. A store of 0.1.0 is
# migrated into tables with checks.
. "$(dirname "$0")/lib.sh"

home=$HOME/.ikigai
db=$home/ikm.db
IKM_USER=ada
export home db IKM_USER

# The store of 0.1.0, as it was; sql: what is done to it.
old() {
	chmod -R u+rwx "$home" 2>/dev/null || :
	rm -rf "$home"
	mkdir -m 700 "$home"
	(umask 077 && { cat "$TOP/t/store-0.1.0.sql"; echo "$1"; } | sqlite3 "$db")
}
# Many memories, in the newest schema.
many() {
	rm -rf "$home"
	[ -e ../many.jsonl ] || seq 300 |
		sed 's/.*/{"content":"memory number & about the platypus, which lays eggs and has a bill"}/' >../many.jsonl
	ikm mem import ../many.jsonl >../out 2>&1
	echo asset | ikm write ikigai:///blocks/x.md >../out
}
spoil() { # PAGES of a table's leaves, from the second on
	for page in $(sqlite3 "$db" "select pageno from dbstat where name = '$1' and pagetype = 'leaf'
		order by pageno limit $2 offset 1"); do
		dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>/dev/null
	done
}
findings() { jq -r ".findings[] | select(.level == \"$1\") | .area" | sort -u | paste -sd' '; }

try 'healthy: status 0, in text and JSON; no home yet is healthy too' <<'E'
ikm doctor >out
grep -q 'does not exist yet' out
[ ! -e "$home" ]
ikm mem add "something" >out
ikm doctor >out
grep -q 'no problem found: schema [0-9]*, 1 memories' out
same true "$(ikm doctor --json | jq .healthy)"
same '' "$(ikm doctor --json | findings problem)"
E

try 'permissions, leftover files' <<'E'
ikm mem add "something" >out
mkdir -p "$home/keys"
echo k >"$home/keys/k"
chmod 755 "$home" "$home/keys"
chmod 644 "$db" "$home/keys/k"
: >"$home/.ikm-tmp-0123456789abcdef"
fails 1 ikm doctor --json >out
same home "$(findings problem <out)"
for path in "$home" "$home/keys" "$home/keys/k" "$db"; do
	jq -r '.findings[].step' out | grep -q "^chmod 0[67]00 '$path'"
done
# The printed steps work as they are.
jq -r '.findings[] | select(.step | startswith("chmod", "rm")) | .step' out | sh -eu
ikm doctor >out
E

try '--salvage and --rebuild exclude each other' <<'E'
fails 2 ikm doctor --salvage --json --rebuild >out
same BAD_ARGUMENT "$(jq -r .details.reason out)"
E

try 'a store of 0.1.0: nothing is lost, and new rows are checked' <<'E'
old ''
sqlite3 "$db" 'select id, scope, kind, content, tags, state, expires_at from memories order by doc;
	select id, data from vectors join memories using (doc) order by doc;
	select id, scope, deleted_at, deleted_by, memory from deleted_memories;
	select seq, reason from turn_trace;
	select digest from ingested_writes; select * from scopes' >before
ikm mem search tea --json >found
same 'Ada prefers tea' "$(jq -r '.results[0].content' found)"
sqlite3 "$db" 'select id, scope, kind, content, tags, state, expires_at from memories order by doc;
	select id, data from vectors join memories using (doc) order by doc;
	select id, scope, deleted_at, deleted_by, memory from deleted_memories;
	select seq, reason from turn_trace;
	select digest from ingested_writes; select * from scopes' | diff before -
same ok "$(sqlite3 "$db" 'pragma integrity_check')"
same '' "$(sqlite3 "$db" 'pragma foreign_key_check')"
same 0 "$(sqlite3 "$db" 'select count(*) from damaged_rows')"
same '' "$(sqlite3 "$db" "select name from sqlite_schema where name like 'old%' or sql like '%old\_%' escape '\'")"
ikm doctor >out
for change in "redaction = 'secret'" "kind = 'x'" "tags = '[1'" "metadata = '{'" "state = ''" \
	"provenance = 'god'" "turn = -1" "happened_at = 1e18" "tokens = -1" "id = 'mem_1'" "status = 'x'"; do
	! sqlite3 "$db" "update memories set $change where doc = (select min(doc) from memories)" 2>err || { echo "$change is taken"; exit 1; }
	grep -qi constraint err
done
E

try 'damaged rows of 0.1.0 are moved aside whole, told once, and listed by doctor' <<'E'
old "update memories set redaction = 'secret', metadata = x'00' || '{' where content = 'Ada prefers tea';
	update turn_trace set outcome = 'odd' where seq = 1;"
n=$(sqlite3 "$db" 'select count(*) from memories')
ikm mem list --json >out 2>err
same 2 "$(jq .damaged.count out)"
grep -q "the migration moved 1 damaged row of the table 'memories' aside" err
same $((n - 1)) "$(sqlite3 "$db" 'select count(*) from memories')"
same 'secret|Ada prefers tea' "$(sqlite3 "$db" "select a.value, b.value from damaged_cells a join damaged_cells b
	using (damage) where a.name = 'redaction' and b.name = 'content'")"
ikm mem list --json >out 2>err
same null "$(jq .damaged out)"
same '' "$(cat err)"
ikm doctor --json >out
jq -r '.findings[] | select(.area == "rows") | .message' out | grep -q "1 damaged rows of the table 'memories' were set aside"
ikm doctor --rebuild --json >out
same $((n - 1)) "$(jq .rebuilt.indexed out)"
same true "$(jq .healthy out)"
E

more 'the migration is all or nothing, wherever it fails or is killed' <<'E'
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 30 ]
		old "update memories set kind = 'x' where content = 'The build was green';"
		rc=0
		IKM_FAULT=$sign$n ikm mem list --json >out 2>err || rc=$?
		version=$(sqlite3 "$db" 'pragma user_version')
		same ok "$(sqlite3 "$db" 'pragma integrity_check')"
		count=$(sqlite3 "$db" 'select count(*) from memories')
		case $version in
		4) same 9 "$count" ;;
		*) same 8 "$count"
			same 1 "$(sqlite3 "$db" 'select count(*) from damaged_rows')" ;;
		esac
		ikm mem list >out
		[ $rc != 0 ] || break
	done
	[ $n -gt 1 ]
done
E

more 'each counter that ranks a search is verified, and reindex makes it right' <<'E'
IKM_INDEX_BITS=6
export IKM_INDEX_BITS
many
ikm mem delete "$(sqlite3 "$db" 'select id from memories where doc = 70')" >out
echo '{"content":"the heron","redaction":"sensitive"}' | ikm mem import - >out
ikm doctor >out
while IFS='|' read -r change message; do
	n=$(sqlite3 "$db" "$change; select changes()")
	[ "$n" -gt 0 ] || { echo "changes nothing: $change"; exit 1; }
	fails 1 ikm doctor --json >out
	same index "$(findings problem <out)"
	jq -r '.findings[].message' out | grep -qF "$message" || { echo "not told: $change"; exit 1; }
	$(jq -r '.findings[] | select(.level == "problem").step' out) >out
	ikm doctor >out
done <<-'L'
	delete from index_gone|posting lists do not count
	update index_scopes set docs = docs + 1 where docs > 1|of 1 scope are miscounted
	update index_scopes set length = length - 1|of 2 scopes are miscounted
	delete from index_scopes|of 2 scopes are miscounted
	insert into index_scopes values (77, 1, 1, 0, 0)|of 1 scope are miscounted
	update words set uses = uses + 1 where word = 'platypus'|of 1 scope are miscounted
	delete from words where word = 'heron'|of 1 scope are miscounted
	insert into words values (77, 'platypus', 1)|of 1 scope are miscounted
	insert into index_gone values (12345, 1)|posting lists do not count
	delete from index_postings where page = (select max(page) from index_postings)|posting lists do not count
L
E

more '--rebuild moves a damaged row aside, and finds all others' <<'E'
many
id=$(sqlite3 "$db" 'select id from memories where doc = 7')
sqlite3 "$db" "update memories set tags = '[1]' where doc = 7"
fails 1 ikm doctor --json >out
same rows "$(findings problem <out)"
jq -r '.findings[].step' out | grep -qx 'ikm doctor --rebuild'
fails 8 ikm mem show "$id"
ikm doctor --rebuild >out
grep -q 'moved 1 damaged rows aside, indexed 299 memories' out
fails 3 ikm mem show "$id"
same '[1]' "$(sqlite3 "$db" "select value from damaged_cells where name = 'tags'")"
same 299 "$(ikm mem export | wc -l)"
E

more 'damaged assets, versions and rows of the trace are told, and moved aside; events stay' <<'E'
old "pragma ignore_check_constraints = on;
	update stored_assets set created_at = -99999999999999999;
	update asset_versions set saved_at = 9223372036854775807, number = 900 where rowid = (select min(rowid) from asset_versions);
	drop trigger events_keep; update events set ts = 9223372036854775807 where seq = (select min(seq) from events);"
ikm mem list >out
sqlite3 "$db" "pragma ignore_check_constraints = on; update turn_trace set outcome = 'odd' where seq = 1"
assets=$(sqlite3 "$db" 'select count(*) from stored_assets')
fails 1 ikm doctor --json >out
for table in stored_assets asset_versions turn_trace; do
	jq -r '.findings[] | select(.level == "problem").message' out | grep -q "table '$table'"
done
jq -r '.findings[] | select(.level == "note").message' out | grep -q "table 'events'.*the row stays"
ikm doctor --rebuild --json >out
same $((assets + 2)) "$(jq .rebuilt.moved out)"
same 0 "$(sqlite3 "$db" 'select count(*) from stored_assets')"
same "asset_versions stored_assets turn_trace" "$(sqlite3 "$db" 'select distinct source from damaged_rows order by 1' | paste -sd' ')"
same 1 "$(sqlite3 "$db" 'select count(*) from events where ts = 9223372036854775807')"
ikm doctor --json | jq -e .healthy >out
E

more 'a former content with another hash is told' <<'E'
rm -rf "$home"
git init -q repo
echo before >repo/a
echo '{"path":"a","content":"after"}' | (cd repo && ikm call file_write) >out
ikm doctor >out
sqlite3 "$db" "update former_contents set content = x'00ff'"
fails 1 ikm doctor --json >out
same rows "$(findings problem <out)"
jq -r '.findings[].message' out | grep -q 'the former content sha256:.* has another hash'
E

more 'a malformed store: the steps that the error prints bring the others back' <<'E'
many
spoil memories 2
fails 8 ikm mem list -n 1000 --json >out
same DB_CORRUPT "$(jq -r .details.reason out)"
step=$(jq -r '.help.steps[]' out | sed -n 's/.*: \(ikm doctor --salvage\)$/\1/p')
fails 1 ikm doctor >out
grep -q 'ikm doctor --salvage' out
cp "$db" spoiled
fails 1 $step --json >out
same true "$(jq .healthy out)"
kept=$(jq -r .salvaged.kept out)
cmp spoiled "$kept"
same true "$(jq '.salvaged.tables[] | select(.table == "memories").lost' out)"
n=$(jq '.salvaged.tables[] | select(.table == "memories").rows' out)
[ "$n" -gt 250 ] && [ "$n" -lt 300 ]
same "$n" "$(ikm mem export | wc -l)"
same asset "$(ikm read ikigai:///blocks/x.md)"
ikm mem search platypus --limit 1 --json | jq -e '.results | length == 1'
ikm mem add "as before" >out
same "$(basename "$db") $(basename "$kept")" "$(find "$home" -type f -name '*db*' ! -name '*-wal' ! -name '*-shm' -printf '%f\n' | sort | paste -sd' ')"
# Again on the same day: the first copy stays.
ikm doctor --salvage >out
cmp spoiled "$kept"
same 2 "$(find "$home" -name 'ikm.db.damaged-*' ! -name '*-wal' | wc -l)"
E

more 'a salvage of a store of 0.1.0, of one that was cut, of what stands in the -wal' <<'E'
old "update memories set kind = 'x' where content = 'The build was green';"
fails 1 ikm doctor --salvage --json >out
same 1 "$(jq '.salvaged.tables[] | select(.table == "memories").damaged' out)"
ikm mem search tea --json | jq -e '.results[0].content == "Ada prefers tea"'
many
size=$(stat -c %s "$db")
truncate -s $((size - 8192)) "$db"
fails 1 ikm doctor >out
fails 1 ikm doctor --salvage >out
grep -q 'the new store lacks some rows' out
not grep -q 'no problem found' out
[ "$(ikm mem export | wc -l)" -gt 200 ]
many
page=$(sqlite3 "$db" "select pageno from dbstat where name = 'memories' and pagetype = 'leaf' limit 1 offset 1")
sqlite3 "$db" '.dbconfig no_ckpt_on_close on' "update memories set content = 'only in the log' where doc = 300" >out
[ -s "$db-wal" ]
dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>out
fails 1 ikm doctor --salvage >out
ikm mem export >out
grep -q 'only in the log' out
[ -s "$(find "$home" -name 'ikm.db.damaged-*-wal')" ]
E

more 'a salvage that is failed or killed at any step loses nothing, and the next one goes on' <<'E'
many
spoil memories 1
cp "$db" spoiled
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 60 ]
		rm -rf "$home"
		mkdir -m 700 "$home"
		cp spoiled "$db"
		chmod 600 "$db"
		rc=0
		IKM_FAULT=$sign$n ikm doctor --salvage --json >out 2>err || rc=$?
		# The damaged bytes exist under one of the names; a new store is complete.
		cmp -s spoiled "$db" || cmp -s spoiled "$(find "$home" -name 'ikm.db.damaged-*' | head -1)"
		cmp -s spoiled "$db" || same ok "$(sqlite3 "$db" 'pragma integrity_check')"
		[ $rc -le 1 ] && break
		! cmp -s spoiled "$db" || fails 1 ikm doctor --salvage >out
		[ "$(ikm mem export | wc -l)" -gt 250 ] || { echo "$sign$n"; exit 1; }
		same '' "$(find "$home" -name '*salvage*')"
	done
	[ $n -gt 5 ]
done
E

more 'a salvage needs exclusive use of the store, and a readable file' <<'E'
many
mkfifo go
{ echo 'begin immediate;'; echo '.shell : >held'; cat go; } | sqlite3 "$db" &
exec 3>go
while [ ! -e held ]; do sleep 0.01; done
fails 75 ikm doctor --salvage --json >out
same LOCKED "$(jq -r .details.reason out)"
exec 3>&-
wait
head -c 8192 /dev/urandom >"$db"
rm -f "$db"-*
cp "$db" spoiled
fails 8 ikm doctor --salvage --json >out
same DB_CORRUPT "$(jq -r .details.reason out)"
jq -e '.help.steps | length > 0' out
cmp spoiled "$db"
same ikm.db "$(ls "$home")"
E
try 'a home that is a file, or a link to nothing: every command says so, and the step of doctor works' <<'E'
for kind in file link; do
	rm -rf "$home"
	[ $kind = link ] && ln -s nowhere "$home" || echo x >"$home"
	fails 3 ikm mem list
	fails 3 ikm asset list
	fails 3 ikm mem add x
	fails 1 ikm doctor --json >out
	same home "$(jq -r '.findings[0].area // .findings[0].about // "home"' out)"
	step=$(jq -r '.findings[0].step' out | sed 's/.*: //')
	sh -c "$step"
	ikm doctor | grep -q 'no problem found'
done
E

try 'a lost key: the step that doctor names is run, and no problem is left' <<'E'
rm -rf "$HOME/.ikigai"
ikm init --home-only --garden >/dev/null
rm -r "$HOME/.ikigai/keys"
fails 1 ikm doctor --json >out
jq -r '.findings[].step' out >steps
same 'restore it from a backup of the folder of the store; if it is lost for good: ikm events rotate-key --lost' "$(cat steps)"
eval "$(sed 's/.*: //' steps)"
ikm doctor
E

done_testing
