#!/bin/sh
# ikm doctor: its findings, its repairs, and the salvage of a damaged store. A store of 0.1.0 is
# migrated into tables with checks.
. "$(dirname "$0")/../lib.sh"

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
in_the_log() { # a change of the last memory; then a leaf of the table is spoiled
	page=$(sqlite3 "$db" "select pageno from dbstat where name = 'memories' and pagetype = 'leaf' limit 1 offset 1")
	sqlite3 "$db" '.dbconfig no_ckpt_on_close on' "update memories set content = 'only in the log' where doc = 300" >out
	[ -s "$db-wal" ]
	dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>out
}
findings() { jq -r ".findings[] | select(.level == \"$1\") | .area" | sort -u | paste -sd' '; }

try 'healthy: status 0, in text and JSON; no home yet is healthy too' <<'E'
ikm doctor >out
grep -q 'does not exist yet' out
[ ! -e "$home" ]
ikm mem add "something" >out
ikm doctor >out
grep -q 'no problem found: schema [0-9]*, 1 memory' out
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
(umask 077 && : >"$home/keys/.ikm-tmp-0123456789abcdef") # of a killed 'events rotate-key'
fails 1 ikm doctor --json >out
same home "$(findings problem <out)"
for path in "$home" "$home/keys" "$home/keys/k" "$db"; do
	jq -r '.findings[].step' out | grep -q "^chmod 0[67]00 '$path'"
done
# The printed steps work as they are.
jq -r '.findings[].step' out | sed 's/^when no ikm runs: //' | grep -e ^chmod -e ^rm | sh -eu
ikm doctor >out
same '' "$(find "$home" -name '.ikm-tmp-*')"
E

more 'what a killed command leaves in the home or beside it is told, with the command that removes it' <<'E'
rm -rf "$home"
ikm init --home-only --garden >out
ikm mem add "something" >out
echo asset | ikm write ikigai:///blocks/x.md >out
ikm backup saved >out
ikm md new notes >out
all() { (cd "$HOME" && find . -path '*/.git' -prune -o -print | LC_ALL=C sort); }
rm -rf "$T/base"
cp -a "$HOME" "$T/base"
left() { all | LC_ALL=C comm -13 before - | grep -e ikm-tmp -e 'ikm[.]db[.]' -e ikm-restore || :; }
: >kinds
while read -r set_up command; do
	n=0
	while :; do
		n=$((n + 1 + n / 5))
		[ $n -lt 999 ]
		rm -rf "$HOME" new
		cp -a "$T/base" "$HOME"
		[ $set_up != none ] || rm -r "$home"
		all >before
		was=0
		IKM_FAULT=-$n sh -c "$command" >out 2>err || was=$?
		[ $was = 137 ] || break
		left | tee -a kinds | grep . >here || continue
		for round in 1 2; do
			ikm doctor --json >found || :
			jq -r '.findings[].step' found | sed 's/^[^:]*: rm/rm/' | grep -e ^rm -e --salvage | sh >out || :
		done
		left >still
		[ ! -s still ] || { echo "$command, killed at $n:"; cat here still found; exit 1; }
	done
	[ $n -gt 2 ]
done <<-'L'
	full ikm backup new
	full ikm doctor --salvage
	full ikm config set agent.id ada
	full ikm events rotate-key
	full echo more | ikm append "$home/garden/users/ada/notes.md" --rationale test
	none ikm restore saved
L
for kind in ikm-tmp salvage-new salvaged damaged copy-for-backup ikm-restore; do grep $kind kinds | head -n 1 | grep . || { echo "$kind is not left"; exit 1; }; done
E

try '--salvage and --rebuild cannot be used together' <<'E'
fails 2 ikm doctor --salvage --json --rebuild >out
same BAD_ARGUMENT "$(jq -r .details.reason out)"
E

long 'a store of 0.1.0: nothing is lost, and new rows are checked' <<'E'
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

long 'damaged rows of 0.1.0 are moved aside whole, told once, and listed by doctor' <<'E'
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
jq -r '.findings[] | select(.area == "rows") | .message' out | grep -q "ikm has set aside 1 damaged row of the table 'memories'"
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
grep -q 'moved 1 damaged row aside, indexed 299 memories' out
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

more 'a salvage that lost the table of scopes gives memories to their users' <<'E'
rm -rf "$home"
for user in ada bob; do
	IKM_USER=$user ikm mem add "$user says so" >out
	IKM_USER=$user ikm mem add "$user said so" --layer session --session s1 >out
done
sqlite3 "$db" 'pragma wal_checkpoint(truncate)' >out
page=$(sqlite3 "$db" "select pageno from dbstat where name = 'scopes'")
dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>/dev/null
fails 1 ikm doctor --salvage --json >out
same true "$(jq '.salvaged.tables[] | select(.table == "scopes").lost' out)"
for user in ada bob; do
	same "user $user said so, user $user says so" "$(IKM_USER=$user ikm mem list --json |
		jq -r '[.memories[] | "\(.layer) \(.content)"] | sort | join(", ")')"
done
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
in_the_log
fails 1 ikm doctor --salvage >out
ikm mem export >out
grep -q 'only in the log' out
[ -s "$(find "$home" -name 'ikm.db.damaged-*-wal')" ]
E

more 'a salvage that is failed or killed at any step loses nothing, and the next one goes on' <<'E'
many
in_the_log
cp "$db" spoiled
cp "$db-wal" spoiled-wal
old_file() { find "$home" -name 'ikm.db.damaged-*' ! -name '*-wal'; }
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 60 ]
		rm -rf "$home"
		mkdir -m 700 "$home"
		(umask 077 && cp spoiled "$db" && cp spoiled-wal "$db-wal")
		was=0
		IKM_FAULT=$sign$n ikm doctor --salvage --json >out 2>err || was=$?
		# The damaged bytes and their log exist under one of the names; a new store is complete.
		cmp -s spoiled "$db" || cmp -s spoiled "$(old_file)"
		cmp -s spoiled-wal "$db-wal" || cmp -s spoiled-wal "$home"/ikm.db.damaged-*-wal
		cmp -s spoiled "$db" || same ok "$(sqlite3 "$db" 'pragma integrity_check')"
		if [ $was -gt 1 ] && cmp -s spoiled "$db"; then
			fails 1 ikm doctor --salvage --json >out
			same "$(old_file)" "$(jq -r .salvaged.kept out)"
		fi
		cmp spoiled "$(old_file)"
		cmp spoiled-wal "$(old_file)-wal"
		[ $was -gt 1 ] || break
		ikm mem export >out
		[ "$(wc -l <out)" -gt 250 ] || { echo "$sign$n"; exit 1; }
		grep -q 'only in the log' out
		same '' "$(find "$home" -name '*salvage*')"
	done
	[ $n -gt 5 ]
done
E

more 'a memory added after a killed salvage is kept by the next one, or refused with the way on' <<'E'
many
in_the_log
cp "$db" spoiled
cp "$db-wal" spoiled-wal
n=0
: >refused
: >added
while :; do
	n=$((n + 1))
	[ $n -lt 60 ]
	rm -rf "$home"
	mkdir -m 700 "$home"
	(umask 077 && cp spoiled "$db" && cp spoiled-wal "$db-wal")
	was=0
	IKM_FAULT=-$n ikm doctor --salvage >out 2>err || was=$?
	[ $was -gt 1 ] || break
	told=0
	ikm mem add "added after $n" --json >out || told=$?
	case $told in
	0) echo "added after $n" >>added ;;
	*)
		same "8 DB_CORRUPT" "$told $(jq -r .details.reason out)"
		jq -r '.help.steps[]' out | grep 'ikm doctor --salvage'
		echo $n >>refused
		;;
	esac
	ikm doctor --salvage >out || same 1 $?
	ikm mem export >out
	[ $told != 0 ] || grep "added after $n" out
	grep -q 'only in the log' out
done
least 1 added
least 3 refused
E

more 'a writer that waited for a salvage does not write into the old file' <<'E'
many
sqlite3 "$db" "vacuum into 'fresh.db'"
mkfifo done
{ echo '.dbconfig no_ckpt_on_close on'; echo 'pragma locking_mode = exclusive; begin immediate;'; echo '.shell : >alone'; cat done; } |
	sqlite3 "$db" >out &
exec 3>done
for i in $(seq 3000); do [ ! -e alone ] || break; sleep 0.01; done
ikm mem add 'while it waits' --json >added 2>err 3>&- &
pid=$!
for i in $(seq 3000); do ! ls -l /proc/$pid/fd | grep -q 'ikm\.db' || break; sleep 0.01; done
rm -f "$db"-*
mv fresh.db "$db"
exec 3>&-
told=0
wait $pid || told=$?
same '75 LOCKED' "$told $(jq -r .details.reason added)"
ikm mem add 'once more' >out
same 301 "$(ikm mem export | wc -l)"
E

more 'one damaged number hides no row behind it from a salvage' <<'E'
byte() { od -An -tu1 -j $1 -N 1 "$db"; }
many
sqlite3 "$db" 'pragma wal_checkpoint(truncate)' >out
sqlite3 -separator ' ' "$db" "select pageno, ncell from dbstat
	where name = 'memories' and pagetype = 'leaf' order by path limit 2 offset 12" >leaves
{ read -r page cells; read -r next lost; } <leaves
for cell in $((cells / 2)) $((cells - 1)); do
	many
	sqlite3 "$db" 'pragma wal_checkpoint(truncate)' >out
	base=$(((page - 1) * 4096))
	at=$((base + $(byte $((base + 8 + 2 * cell))) * 256 + $(byte $((base + 9 + 2 * cell)))))
	while [ "$(byte $at)" -ge 128 ]; do at=$((at + 1)); done
	# The first of two bytes.
	[ "$(byte $((at + 1)))" -ge 128 ]
	printf '\377' | dd of="$db" bs=1 seek=$((at + 1)) conv=notrunc 2>out
	dd if=/dev/urandom of="$db" bs=4096 seek=$((next - 1)) count=1 conv=notrunc 2>out
	fails 1 ikm doctor --salvage --json >out
	same $((300 - lost)) "$(jq '.salvaged.tables[] | select(.table == "memories").rows' out)"
done
E

more 'a salvage reads between damaged pages, whatever numbers the rows have' <<'E'
while read -r leaf doc; do
	many
	sqlite3 "$db" 'pragma ignore_check_constraints = on' "update memories set doc = $doc" >out
	sqlite3 -separator ' ' "$db" "select pageno, ncell from dbstat
		where name = 'memories' and pagetype = 'leaf' order by path desc limit 3 offset $leaf" | sed 2d >leaves
	left=300
	while read -r page rows; do
		left=$((left - rows))
		dd if=/dev/urandom of="$db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc 2>out
	done <leaves
	fails 1 ikm doctor --salvage --json >out
	same "[$left,true]" "$(jq -c '.salvaged.tables[] | select(.table == "memories") |
		[.rows + .damaged, .lost]' out)"
	ikm mem add 'one more' >out
done <<-'L'
	0 doc
	1 (doc - 150) * 61000000000000000
	0 doc + 9223372036854773000
	0 doc + 9223372036854775507
L
E

more 'a salvage needs exclusive use of the store, and a readable file' <<'E'
many
mkfifo go
{ echo 'begin immediate;'; echo '.shell : >held'; cat go; } | sqlite3 "$db" &
exec 3>go
for i in $(seq 3000); do [ ! -e held ] || break; sleep 0.01; done
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

# ---- the way out: the steps that doctor prints are run as they are ----

# What a step tells to run; "if it is lost for good: COMMAND" and the like come last. This user is
# the only one that a test has, so sudo runs its command itself.
steps() { # also those of notes: true
	jq -r --argjson notes "$1" \
		'.findings[] | select(.step and (.level == "problem" or $notes)) | .step' found |
		sed 's/.*: \(ikm\|mkdir\|mv\|rm\|chmod\|export\) /\1 /; s/^sudo //'
}
# doctor finds N problems; after what it says, round by round, none is left.
heals() { # N, text of the first one
	fails 1 ikm doctor --json >found
	same "$1" "$(jq '[.findings[] | select(.level == "problem")] | length' found)"
	jq -r '.findings[] | select(.level == "problem").message' found | head -1 | grep -qF "$2"
	for round in 1 2 3; do
		not grep -q "'ikm doctor'" found
		steps false >run
		least 1 run
		sh -e ./run >ran 2>&1 || { cat run ran; return 1; }
		! ikm doctor --json >found || break
	done
	ikm doctor >out || { cat out; return 1; }
	ikm mem list | grep -q 'Ada prefers tea'
}
home_of() { # -k: with keys; -g: with a garden
	chmod -R u+rwx "$HOME"
	rm -rf "$home" "$home.old"
	case ${1-} in
	-k) ikm init ;;
	-g) ikm init --home-only --garden ;;
	esac >out
	ikm mem add 'Ada prefers tea' >out
	ikm config set agent.id sam >out
}

long 'a home, a file or a folder that is shut: its owner and mode, and one command' <<'E'
# Modes do not stop root.
[ "$(id -u)" != 0 ] || { home_of -g; ikm doctor; exit 0; }
for shut in '000 .' '500 .' '300 .' '600 .' '000 config.json' '400 config.json' '000 ikm.db' '400 ikm.db' \
	'000 keys' '000 keys/event-1.key' '000 keys/chain.begun' '000 garden' '500 garden' '000 garden/.git' \
	'000 garden/.git/HEAD' '000 garden/.git/objects'; do
	home_of -g
	chmod "${shut% *}" "$home/${shut#* }"
	heals 1 "it belongs to $(id -un) and has the mode 0${shut% *}"
done
home_of -g
chmod 000 "$home"/keys/* "$home/keys"
heals 1 'it belongs to'
home_of -g
chmod 000 "$home"/keys/*
heals 1 'so it is with 2 more'
home_of
chmod 000 "$HOME"
heals 1 "you cannot search '$HOME', which has the home"
E

try 'the memories of another login name are named' <<'E'
home_of
ikm --user old mem add 'the first' >/dev/null
ikm --user old mem add 'the second' --layer agent >/dev/null
ikm --user new doctor >found
grep -qx "note: you are 'new', and have no memory; 'old' has 2" found
grep -qx "  if that is you: ikm config set user 'old'" found
not grep -q 'you are' "$(ikm --user old doctor >found; echo found)"
ikm --user new mem add 'mine' >/dev/null
ikm --user new doctor >found
not grep -q 'you are' found
E

long 'what the home has in the place of a file or a folder' <<'E'
for name in config.json ikm.db keys; do
	home_of -k
	rm -rf "$home/$name"*
	ln -s nowhere "$home/$name"
	fails 1 ikm doctor --json >found
	same 1 "$(jq '[.findings[] | select(.level == "problem")] | length' found)"
	jq -r '.findings[0].message' found | grep -qF "$name' is a link to nothing"
	rm "$home/$name"
	if [ $name = keys ]; then : >"$home/$name"; else mkfifo "$home/$name"; fi
	fails 1 ikm doctor --json >found
	jq -r '.findings[0].message' found | grep -qF "$name' is not a"
	steps false >run
	sh -e ./run
	[ ! -e "$home/$name" ]
done
E

try 'a home that is a file, or a link to nothing: every command says so, and the step of doctor works' <<'E'
for kind in file link; do
	rm -rf "$home" "$home.old"
	if [ $kind = link ]; then ln -s nowhere "$home"; else echo x >"$home"; fi
	fails 3 ikm mem list
	fails 3 ikm asset list
	fails 3 ikm mem add x
	fails 1 ikm doctor --json >found
	same home "$(jq -r '.findings[0].area' found)"
	steps false >run
	sh -e ./run
	ikm doctor | grep -q 'no problem found'
done
E

long 'settings and repositories that no command can read stop no check' <<'E'
for text in '{' '{"user": 3}' '{"usr": "ada"}' '[]' '{"garden": {"path": 1}}'; do
	home_of
	echo "$text" >"$home/config.json"
	fails 2 ikm mem list 2>err
	fails 1 ikm doctor --json >found
	same settings "$(jq -r '.findings[] | select(.level == "problem").area' found)"
	same 1 "$(jq .memories found)"
	jq -e '.findings[0].step | length > 0' found
done
home_of
fails 1 env IKM_UNDO_DAYS=x ikm doctor >out
grep -q "^problem: IKM_UNDO_DAYS: 'undo.days'" out
echo '{' >"$home/config.json"
heals 1 'config.json: line 2'
rm -rf odd
git init -q odd
git -C odd config core.repositoryformatversion 99
fails 1 ikm -C odd doctor --json >found
same repository "$(jq -r '.findings[] | select(.level == "problem").area' found)"
same 1 "$(jq .memories found)"
git config -f odd/.git/config core.repositoryformatversion 0
printf 'ikm-lock 1\n' >odd/.git/index.lock # of a killed ikm
cd odd
heals 1 "/odd/.git/index.lock' exists"
git add .
E

long 'a key, or the mark of the beginning, that is lost or damaged, with a garden and without' <<'E'
for kind in -k -g; do
	home_of $kind
	rm -r "$home/keys"
	heals 2 "event-1.key' is missing"
	for name in event-1.key checkpoint.key chain.begun; do
		home_of $kind
		rm "$home/keys/$name"
		heals 1 "$name' is missing"
		home_of $kind
		echo x >"$home/keys/$name"
		heals 1 "$name'"
	done
	ikm events verify >out
done
E

try 'changes without a signature are told, and the step signs what comes' <<'E'
home_of
echo asset | ikm write ikigai:///blocks/x.md >out
ikm doctor --json >found
jq -r '.findings[] | select(.area == "record").message' found | grep -q 'no change is signed'
steps true >run
sh -e ./run >out
ikm doctor --json >found
same '[]' "$(jq -c .findings found)"
ikm events verify >out
E

try 'a row without a signature after the first key is a note that names events verify' <<'E'
home_of -k
echo asset | ikm write ikigai:///blocks/x.md >out
sqlite3 "$db" '.dbconfig defensive off' 'drop trigger events_no_update; update events set chain_hash = null, chain_prev = null, integrity_salt_version = null
	where seq = (select max(seq) from events)'
fails 1 ikm doctor >out
ikm doctor --rebuild >out
ikm doctor --json >found
jq -r '.findings[] | select(.area == "record").message' found | grep -q 'has no MAC'
fails 1 $(steps true) >out
E

long 'a broken head, or a broken page: one command, and the file is kept' <<'E'
home_of -k
ikm mem list >out
sqlite3 "$db" 'pragma wal_checkpoint(truncate)' >out
cp "$db" whole
page=$(sqlite3 "$db" "select rootpage - 1 from sqlite_schema where name = 'memories'")
for at in 0 16 24 40 100 4096 $((page * 4096)); do
	rm -rf "$home"/ikm.db* "$home/broken"
	cp whole "$db"
	head -c 60 /dev/zero | tr '\0' x | dd of="$db" conv=notrunc bs=1 seek=$at 2>out
	cp "$db" spoiled
	fails 1 ikm doctor --json >found
	same 1 "$(jq '[.findings[] | select(.level == "problem").step] | unique | length' found)"
	not grep -q '\\u000a\|x0a' found
	steps false | sort -u >run
	sh ./run >out || : # 1: rows are missing
	cmp spoiled "$(ls "$home"/broken/ikm.db "$home"/ikm.db.damaged-* 2>/dev/null)"
	ikm doctor >out
	ikm mem add 'Ada prefers tea again' >out
done
E

long 'a garden whose repository is lost or broken: the files stay' <<'E'
while IFS='|' read -r damage says; do
	home_of -g
	garden=$home/garden
	cp -R "$garden/users" users
	eval "$damage"
	heals 1 "$says"
	[ ! -d "$garden/users" ] || diff -r users "$garden/users"
	rm -rf users "$home.git.broken" "$garden.git.broken"
done <<-'L'
	rm -r "$garden/.git"|is in no Git repository
	rm -r "$garden/.git/objects"|is in no Git repository
	rm "$garden/.git/HEAD"|is in no Git repository
	echo x >"$garden/.git/HEAD"|HEAD of '
	rm -f "$garden"/.git/objects/pack/*|HEAD of '
	echo '[core' >"$garden/.git/config"|bad config line 1
	echo junk >"$garden/.git/index"|is damaged
	: >"$garden/.git/index.lock"|index.lock' exists
	: >"$garden/.git/config.lock"; rm "$garden/.git/HEAD"|config.lock' exists
	rm -r "$garden"; : >"$garden"|is not a folder
	rm -r "$garden"; ln -s nowhere "$garden"|is a link to nothing
L
E

done_testing
