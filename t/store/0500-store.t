#!/bin/sh
# The store: made once, read without a trace, and left as it is when it cannot be used.
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
store=$home/ikm.db
schema=$(find "$TOP/sql/sqlite" -name "*.sql" | wc -l)
export home store schema
put() { ikm write "ikigai:///$1"; }
fresh() {
	[ ! -e "$home" ] || chmod -R u+rwx "$home"
	rm -rf "$home"
}
reason() { jq -r .details.reason "$1"; }
# Names, contents and times of all files in the home, except SQLite's own -shm.
trace() {
	find "$home" -mindepth 1 ! -name '*-shm' -printf '%p %m %s %T@\n' | sort
	find "$home" -type f ! -name '*-shm' -exec sha256sum {} + | sort
}
# Reading and writing fail with this error, and nothing in the home changes.
refused() { # reason
	trace >../before
	fails 8 ikm asset list --json >../read
	same "$1" "$(reason ../read)"
	echo x | fails 8 ikm write ikigai:///blocks/new.md --json >../write
	same "$1" "$(reason ../write)"
	jq -e '.help.steps | length > 0' ../read ../write
	trace | diff ../before -
}

try 'reading leaves no trace' <<'E'
fresh
echo text | put blocks/x.md
trace >before
for i in 1 2 3; do
	ikm asset list >out
	same text "$(ikm read ikigai:///blocks/x.md)"
	ikm asset budget >out
done
trace | diff before -
# After another program closed it there is no -wal: ours comes and goes.
sqlite3 "$store" 'select 1 from meta'
[ ! -e "$store-wal" ]
same text "$(ikm read ikigai:///blocks/x.md)"
same ikm.db "$(ls "$home")"
E

try 'no select finds a row in an empty store: ikm queries no store that does not exist' <<'E'
cat "$TOP"/sql/sqlite/*.sql >../ask
awk -v what=sql -f "$TOP/sql/generate.awk" "$TOP/sql/query.sql" >../statements
for n in $(seq 20); do echo ".parameter set ?$n 1"; done >>../ask
sed '/^-- name: store_tables/,/;/d; /^-- name: words_api/,/;/d; /^-- name: copy_/,/;/d; /^-- name: salvage_/,/;/d; /^-- name: verify_schema/,/;/d; /^-- name: schema_/,/;/d' ../statements |
	awk '/^-- name/ { name = $3; next } name && /^(select|with) / { print ".print " name; on = 1 }
		{ name = "" } on { print; on = !/;$/ }' >../selects
[ "$(grep -c ^.print ../selects)" -gt 15 ]
cat ../selects >>../ask
sqlite3 -bail :memory: <../ask >../rows
same "$(sed -n 's/^.print //p' ../selects)" "$(cat ../rows)"
E

try 'what a killed writer committed is there for readers' <<'E'
fresh
echo one | put blocks/x.md
sqlite3 "$store" '.dbconfig no_ckpt_on_close on' "update stored_assets set content = cast('two' as blob)" >out
[ -s "$store-wal" ]
trace >before
same two "$(ikm read ikigai:///blocks/x.md)"
trace | diff before -
E

try 'a read-only home is read' <<'E'
fresh
echo text | put blocks/x.md
rm -f "$store-wal" "$store-shm"
chmod 400 "$store"
chmod 500 "$home"
same text "$(ikm read ikigai:///blocks/x.md)"
same ikm.db "$(ls "$home")"
echo x | fails 8 ikm write ikigai:///blocks/y.md --json >out
reason out | grep -E 'READ_ONLY|PERMISSION'
jq -r .message out | grep -qF "$store"
chmod 700 "$home"
chmod 600 "$store"
# With the -wal and -shm of a writer, empty or not.
echo text | put blocks/x.md
[ -e "$store-wal" ]
chmod 400 "$store" "$store-wal" "$store-shm"
chmod 500 "$home"
same text "$(ikm read ikigai:///blocks/x.md)"
chmod 700 "$home"
chmod 600 "$store"*
sqlite3 "$store" '.dbconfig no_ckpt_on_close on' "update stored_assets set content = cast('two' as blob)" >out
[ -s "$store-wal" ]
rm "$store-shm"
chmod 500 "$home"
fails 8 ikm read ikigai:///blocks/x.md --json >out
jq -r .message out | grep -qF "$store-wal"
same READ_ONLY "$(reason out)"
chmod 700 "$home"
same two "$(ikm read ikigai:///blocks/x.md)"
fresh
E

try 'a store behind a link is read without a trace, and no change in its -wal is overlooked' <<'E'
fresh
mkdir -p kept "$home"
echo one | IKIGAI_HOME=$PWD/kept ikm write ikigai:///blocks/x.md
ln -s "$PWD/kept/ikm.db" "$store"
ls -l kept >before
same one "$(ikm read ikigai:///blocks/x.md)"
ls -l kept | diff before -
sqlite3 kept/ikm.db '.dbconfig no_ckpt_on_close on' "update stored_assets set content = cast('two' as blob)" >out
rm kept/ikm.db-shm
chmod 500 kept
fails 8 ikm read ikigai:///blocks/x.md --json >out
same READ_ONLY "$(reason out)"
chmod 700 kept
same two "$(ikm read ikigai:///blocks/x.md)"
fresh
E

long 'odd names of a home' <<'E'
for name in 'with space' 'per%41cent' 'what?' 'ha#sh' 'a&immutable=0' "quo'te"; do
	mkdir "$name"
	echo "$name" | IKIGAI_HOME=$PWD/$name ikm write ikigai:///blocks/x.md
	rm -f "$name/ikm.db-wal" "$name/ikm.db-shm"
	chmod 500 "$name"
	same "$name" "$(IKIGAI_HOME=$PWD/$name ikm read ikigai:///blocks/x.md)"
	chmod 700 "$name"
done
E

try 'a relative home is refused, and nothing is made' <<'E'
git init -q rel
cd rel
for set in IKIGAI_HOME=state HOME=state HOME=./state IKIGAI_HOME=.; do
	echo x | fails 2 env "$set" ikm write ikigai:///blocks/x.md 2>err
	grep -q "^ikm: ${set%%=*} is '${set#*=}': it must be an absolute path" err
	echo '{"path": "f", "content": "x"}' | fails 2 env "$set" ikm call file_write >out
	same BAD_PATH "$(reason out)"
done
rm out err
same .git "$(ls -A)"
E

try 'no home, a home that cannot be made' <<'E'
mkdir closed
chmod 500 closed
same '[]' "$(IKIGAI_HOME=$PWD/closed/home ikm asset list --json | jq -c .assets)"
echo x | fails 8 env IKIGAI_HOME="$PWD/closed/home" ikm write ikigai:///x --json >out
same PERMISSION "$(reason out)"
echo >file
echo x | IKIGAI_HOME=$PWD/file/home ikm write ikigai:///x --json >out && exit 1
jq -e '.message | contains("file")' out
E

more 'a newer store is left alone' <<'E'
fresh
echo text | put blocks/x.md
newer=$((schema + 1))
sqlite3 "$store" "pragma user_version = $newer"
ikm asset list >out 2>&1 || :
refused DB_NEWER
jq -r .message ../read | grep -qF "'$store' was written by a newer ikm (schema $newer; this one knows $schema)"
same $newer "$(jq .details.schema ../read)"
same $newer "$(sqlite3 "$store" 'pragma user_version')"
sqlite3 "$store" '.dbconfig no_ckpt_on_close on' "update stored_assets set content = cast('two' as blob)" >out
[ -s "$store-wal" ]
refused DB_NEWER
E

more 'an older store is migrated, when it is read too' <<'E'
fresh
mkdir "$home"
sqlite3 "$store" 'pragma application_id = 0x696b6d00'
same '[]' "$(ikm asset list --json | jq -c .assets)"
same "$schema" "$(sqlite3 "$store" 'pragma user_version')"
fresh
mkdir "$home"
sqlite3 "$store" 'pragma application_id = 0x696b6d00'
chmod 400 "$store"
chmod 500 "$home"
fails 8 ikm asset list --json >out
jq -r .message out | grep -q "an older ikm wrote the store (schema 0; this ikm knows $schema)"
fresh
E

more 'the database of another program is left alone' <<'E'
fresh
mkdir "$home"
sqlite3 "$store" 'create table mine (x); insert into mine values (1)'
refused DB_CORRUPT
fresh
mkdir "$home"
sqlite3 "$store" 'pragma application_id = 1'
refused DB_CORRUPT
E

more 'what is no database is left alone, and the message says how to save it' <<'E'
fresh
mkdir "$home"
for bytes in 4096 17 100000; do
	head -c $bytes /dev/urandom >"$store"
	refused DB_CORRUPT
done
jq -r '.help.steps[]' ../read | sed -n 's/^without one, set the store aside: //p' >../step
sh -e ../step
same 100000 "$(stat -c %s "$home/broken/ikm.db")"
ikm mem list >../out || same 1 $?
fresh
E

more 'corrupt pages' <<'E'
fresh
for i in $(seq 50); do seq 2000 | put blocks/$i.md; done
size=$(stat -c %s "$store")
sqlite3 "$store" 'pragma wal_checkpoint(truncate)' >out
cp "$store" ../good
# A store that was cut short; also when a write could still be appended to it.
head -c $((size / 2)) ../good >"$store"
refused DB_CORRUPT
cp ../good "$store"
sqlite3 "$store" '.dbconfig no_ckpt_on_close on' "update stored_assets set content = cast('two' as blob)" >out
head -c 5000 ../good >"$store"
refused DB_CORRUPT
rm "$store"*
# The header.
cp ../good "$store"
printf 'SQLite format 4' | dd of="$store" conv=notrunc 2>/dev/null
refused DB_CORRUPT
# Damage in the middle: ikm still returns the intact rows, and does not crash.
page=2
while [ $page -lt 40 ]; do
	rm -f "$store"-*
	cp ../good "$store"
	dd if=/dev/urandom of="$store" bs=4096 seek=$page count=1 conv=notrunc 2>/dev/null
	rc=0
	ikm asset list --json >out || rc=$?
	[ $rc = 0 ] || same DB_CORRUPT "$(reason out)"
	rc=0
	echo new | ikm write ikigai:///blocks/1.md --json >out || rc=$?
	[ $rc = 0 ] || same DB_CORRUPT "$(reason out)"
	page=$((page + 3))
done
E

long 'a copy of the file alone is refused, a whole one is not' <<'E'
fresh
copy=$PWD/copy
for text in one two three; do echo $text | put blocks/$text.md; done
alone() { # COMMAND… makes the copy
	rm -rf "$copy"
	mkdir -m 700 "$copy"
	"$@" >out
}
copied() { IKIGAI_HOME=$copy "$@"; }
alone cp "$store" "$copy"
copied fails 8 ikm asset list 2>err
grep -qF "'$copy/ikm.db' is a copy without '$copy/ikm.db-wal'" err
echo x | copied fails 8 ikm write ikigai:///x.md
# The step that it names.
: >"$copy/ikm.db-wal"
copied ikm asset list >out
alone cp "$store" "$store-wal" "$copy"
same 3 "$(copied ikm asset list --json | jq '.assets | length')"
alone sqlite3 "$store" "vacuum into '$copy/ikm.db'"
same 3 "$(copied ikm asset list --json | jq '.assets | length')"
# Another program that closes the store puts the log into the file.
sqlite3 "$store" 'select 1 from meta' >out
[ ! -e "$store-wal" ]
alone cp "$store" "$copy"
same 3 "$(copied ikm asset list --json | jq '.assets | length')"
# And the next changes begin a log again.
echo four | put blocks/four.md
echo five | put blocks/five.md
alone cp "$store" "$copy"
copied fails 8 ikm asset list
E

long 'a change waits for the disk once; one of a file for its event, and twice for the file' <<'E'
fresh
mkdir r
cd r
git init -q
waits() { # COMMAND…
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -qq -o ../waits \
		-e trace=fsync,fdatasync,sync,syncfs,msync "$@" >/dev/null
	grep -c sync ../waits || :
}
for i in 1 2 3; do ikm mem add "the ferry $i" >/dev/null; done
echo '{"path":"f","old":"one","new":"two"}' >call
for i in $(seq 9); do
	waits ikm mem add "the harbour $i" >>mem
	echo $i >asset
	waits ikm write ikigai:///a.md <asset >>write
	echo one >f
	waits ikm call file_edit <call >>edit
done
same '1 1 3' "$(for f in mem write edit; do sort -n $f | sed -n 5p; done | paste -sd' ')"
# Who puts the log back waits three times.
same 3 "$(sort -n mem write | tail -1)"
E

more 'an empty file is an empty store' <<'E'
fresh
mkdir "$home"
: >"$store"
same '[]' "$(ikm asset list --json | jq -c .assets)"
same 0 "$(stat -c %s "$store")"
echo text | put blocks/x.md
same text "$(ikm read ikigai:///blocks/x.md)"
E

more 'what is no file never hangs' <<'E'
fresh
mkdir -p "$store"
fails 8 timeout 10 ikm asset list --json >out
same DB_CORRUPT "$(reason out)"
echo x | fails 8 timeout 10 ikm write ikigai:///x --json >out
same DB_CORRUPT "$(reason out)"
rmdir "$store"
mkfifo "$store"
fails 8 timeout 10 ikm asset list --json >out
same DB_CORRUPT "$(reason out)"
rm "$store"
ln -s /dev/zero "$store"
fails 8 timeout 10 ikm asset list --json >out
same DB_CORRUPT "$(reason out)"
rm "$store"
ln -s "$PWD/elsewhere.db" "$store"
echo text | put blocks/x.md
[ -f elsewhere.db ]
same text "$(ikm read ikigai:///blocks/x.md)"
E

more 'a store that others hold' <<'E'
fresh
echo text | put blocks/x.md
mkfifo go
sqlite3 "$store" 'begin immediate' '.read go' >out 2>&1 &
holder=$!
exec 9>go
sleep 0.3
same text "$(ikm read ikigai:///blocks/x.md)"
echo new | fails 75 ikm write ikigai:///blocks/x.md --json >out
same LOCKED "$(reason out)"
same true "$(jq .retryable out)"
exec 9>&-
wait $holder
echo new | put blocks/x.md
E

more 'forty processes make it at once' <<'E'
fresh
pids=
for n in $(seq 40); do
	echo "$n" | put blocks/$n.md >out.$n 2>&1 &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid" || echo "process $pid failed"; done >failed
same '' "$(cat failed)"
same 40 "$(sqlite3 "$store" 'select count(*) from stored_assets')"
same ok "$(sqlite3 "$store" 'pragma integrity_check')"
E

long 'what shuts the user out is named, with its mode and the one command that opens it' <<'E'
IKIGAI_HOME=$PWD/shut; export IKIGAI_HOME
ikm mem add one >/dev/null
cut=$IKIGAI_HOME/ikm.db
shut() { # FILE MODE "u+..." WHO
	chmod "$2" "$1"
	for verb in 'search one' 'add two'; do
		fails 8 ikm mem $verb 2>err
		same "ikm: cannot use the store '$cut': $4 belongs to $(id -un) and has the mode 0$2
  chmod $3 '$1'" "$(cat err)"
	done
	sh -c "$(sed -n 's/^  //p' err)"
	ikm mem search one >/dev/null
}
if [ "$(id -u)" != 0 ]; then # nothing shuts root out
	shut "$cut" 000 u+rw it
	shut "$cut-wal" 000 u+rw "'$cut-wal'"
	shut "$cut-shm" 000 u+rw "'$cut-shm'"
	shut "$IKIGAI_HOME" 000 u+rwx "'$IKIGAI_HOME'"
fi
E

# A file system of 1 MiB, in a name space of our own, where the kernel lets us have one.
if unshare -rm true 2>/dev/null; then
	more 'a full disk, a read-only one' <<'E'
cat >on-full-disk <<'T'
mkdir disk
mount -t tmpfs -o size=1m tmpfs disk
export IKIGAI_HOME=$PWD/disk/home
echo text | ikm write ikigai:///blocks/x.md
head -c 3000000 /dev/zero | tr '\0' x >big
if ikm write ikigai:///blocks/x.md --json <big >out; then exit 1; fi
ikm read ikigai:///blocks/x.md
echo more | ikm write ikigai:///blocks/x.md
ikm read ikigai:///blocks/x.md
sqlite3 disk/home/ikm.db 'pragma integrity_check'
mount -o remount,bind,ro disk
ikm read ikigai:///blocks/x.md
if echo x | ikm write ikigai:///blocks/x.md --json >read-only; then exit 1; fi
mount -o remount,bind,rw disk
rm -f disk/home/ikm.db-*
mount -o remount,bind,ro disk
ikm read ikigai:///blocks/x.md
T
same 'text more ok more more' "$(unshare -rm sh -eu on-full-disk 2>err | paste -sd' ')"
same NO_SPACE "$(reason out)"
same READ_ONLY "$(reason read-only)"
E
else
	echo "# no name space of our own: a full disk and a read-only one are not tried" >&2
fi
done_testing
