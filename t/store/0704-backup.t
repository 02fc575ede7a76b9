#!/bin/sh
# ikm backup, restore: everything of a home in one file, whole on another home, or not at all.
. "$(dirname "$0")/../lib.sh"

git init -q r
cd r || exit 1
home() { # NAME: another user's home
	export HOME="$T/$1"
	mkdir -p "$HOME"
}
ikm init --garden >/dev/null 2>&1
ikm mem add 'The capital of France is Paris' >/dev/null
echo text | ikm write ikigai:///blocks/a.md
ikm asset pin blocks/a >/dev/null
echo '{"path":"f","content":"one"}' | ikm call file_write >/dev/null
mkdir -p "$HOME/.ikigai/tools" "$HOME/.ikigai/manifests/m"
printf '#!/bin/sh\necho {}\n' >"$HOME/.ikigai/tools/mine"
chmod 750 "$HOME/.ikigai/tools/mine"
echo 'tool: {id: m}' >"$HOME/.ikigai/manifests/m/manifest.yaml"
echo '{"agent":{"id":"ada"}}' >"$HOME/.ikigai/config.json"
ln -s nowhere "$HOME/.ikigai/link"
list() { (cd "$HOME/.ikigai" && find . -type f ! -name 'ikm.db*' ! -name tools.cache -printf '%P %m ' -exec sha256sum {} ';' | sort); }
tables() { sqlite3 "$HOME/.ikigai/ikm.db" "select sql from sqlite_schema order by 1; select * from memories order by id; select path, hash from stored_assets; select count(*) from events;"; }

long 'what is saved is there on another home: store, keys, tools, manifests, settings' <<'E'
ikm backup "$T/b" >"$T/said" 2>"$T/err"
same 600 "$(stat -c %a "$T/b")"
grep -q "^saved: [0-9]* files, " "$T/said"
grep -q "'link' is no file, and is not in the backup" "$T/err"
[ ! -e "$HOME/.ikigai/ikm.db.copy-for-backup" ]
fails_for EXISTS ikm backup "$T/b" 2>"$T/err"
grep -q "^  to replace it, give --overwrite$" "$T/err"
list >"$T/list"
tables >"$T/tables"
grep -q ' 750 ' "$T/list" && grep -q ^keys/ "$T/list"
home two
ikm restore "$T/b" | grep -q '^restored .* to '
list | diff "$T/list" -
same 700 "$(stat -c %a "$HOME/.ikigai/keys")"
git -C "$HOME/.ikigai/garden" status >/dev/null
tables | diff "$T/tables" -
same 1 "$(ikm mem list --json | jq '.memories | length')"
same text "$(ikm read ikigai:///blocks/a.md)"
ikm events verify | grep -q '^integrity  *intact'
ikm events undo "$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')" >/dev/null
[ ! -e f ]
ikm backup --check "$T/b" | grep -q ^whole
E

long 'backups of one home at the same time are whole, each of them' <<'E'
for i in 1 2 3 4 5 6; do
	(ikm backup "$T/at$i" >"$T/said.$i" 2>&1; echo $? >"$T/rc.$i") &
done
wait
cat "$T"/said.?
same '0 0 0 0 0 0' "$(cat "$T"/rc.? | paste -sd' ' -)"
for i in 1 2 3 4 5 6; do ikm backup --check "$T/at$i" | grep ^whole; done
[ ! -e "$HOME/.ikigai/ikm.db.copy-for-backup" ]
E

try 'a backup that waited for another one has the keys of its rows' <<'E'
mkdir -p "$HOME/.ikigai/locks/backup"
exec 9<"$HOME/.ikigai/locks/backup"
flock 9
ikm backup "$T/late" >"$T/said" 2>&1 9<&- &
sleep 1 # with less it passes, and proves less
ikm events rotate-key 9<&- >/dev/null
ikm mem add 'signed by the new key' 9<&- >/dev/null
flock -u 9
wait $!
grep '^saved' "$T/said" >"$T/first"
ikm backup "$T/again" >"$T/said" 2>/dev/null
same "$(sed 's/, .*//' "$T/first")" "$(sed 's/, .*//;q' "$T/said")"
home four
ikm restore "$T/late" >/dev/null
ikm events verify | grep -q '^integrity  *intact'
E

long 'a file of the home is in the backup though its name has that of a leftover' <<'E'
mkdir -p "$HOME/.ikigai/garden/users/ada/ikm.db.salvage-new-notes"
echo 1 >"$HOME/.ikigai/garden/users/ada/ikm.db.salvage-new-notes/ikm.db.copy-for-backup.md"
echo 2 >"$HOME/.ikigai/garden/users/ada/how-we-handle.ikm-tmp-1.md"
: >"$HOME/.ikigai/garden/.ikm-tmp-0123456789abcdef"
list >../kept
ikm backup "$T/names.b" >"$T/said"
home named
ikm restore "$T/names.b" >"$T/said"
same "$(grep -v 'garden/.ikm-tmp' ../kept)" "$(list)"
E

long 'nothing is replaced: neither a backup nor a home' <<'E'
fails_for EXISTS ikm backup "$T/b"
ikm backup "$T/b" --overwrite >/dev/null 2>&1
list >"$T/before"
fails_for EXISTS ikm restore "$T/b"
list | diff "$T/before" -
E

more 'a backup that was cut or changed restores nothing, and is named' <<'E'
home three
size=$(stat -c %s "$T/b")
for cut in 5 40 300 $((size / 2)) $((size - 1)); do
	head -c "$cut" "$T/b" >"$T/cut"
	fails_for BAD_BACKUP ikm restore "$T/cut" 2>>"$T/err"
done
for at in 20 $((size / 2)) $((size - 3)); do
	{ head -c $((at - 1)) "$T/b"; printf '\001'; tail -c +$((at + 1)) "$T/b"; } >"$T/cut"
	fails_for BAD_BACKUP ikm restore "$T/cut" 2>>"$T/err"
done
{ cat "$T/b"; echo more; } >"$T/cut"
fails_for BAD_BACKUP ikm restore "$T/cut" 2>>"$T/err"
for path in /etc/x ../x a/../x a//x ''; do
	{ echo 'ikm backup 1'; printf '{"path":"%s","mode":384,"size":0,"hash":"sha256:%s"}\n\n' "$path" "$(sha256sum </dev/null | cut -d' ' -f1)"
		echo 'end 1'; } >"$T/cut"
	fails_for BAD_BACKUP ikm restore "$T/cut" 2>>"$T/err"
done
fails_for BAD_BACKUP ikm restore /dev/null 2>>"$T/err"
fails 3 ikm restore none
[ ! -e "$HOME/.ikigai" ] && [ ! -e "$HOME/.ikigai.ikm-restore" ]
E

more 'a restore that was killed leaves no home, and the next one works' <<'E'
for n in 1 2 3 5 9; do
	IKM_FAULT=-$n ikm restore "$T/b" >/dev/null 2>&1 && break
	[ ! -e "$HOME/.ikigai" ] || break
done
rm -rf "$HOME/.ikigai"
ikm restore "$T/b" >/dev/null
[ ! -e "$HOME/.ikigai.ikm-restore" ]
ikm events verify | grep -q '^integrity  *intact'
E
# A file system of 1 MiB, in a name space of our own, where the kernel lets us have one.
if unshare -rm true 2>/dev/null; then
	long 'a disk that is too small for the backup is named, with what it has and what is needed' <<'E'
(
	IKIGAI_HOME=$PWD/big; export IKIGAI_HOME
	head -c 1500000 /dev/urandom | base64 | ikm write ikigai:///big.md
	ikm backup big.ikm
)
cat >small <<'T'
mkdir disk
mount -t tmpfs -o size=1m,mode=777 tmpfs disk
IKIGAI_HOME=$PWD/disk/home; export IKIGAI_HOME
if ikm restore big.ikm 2>err; then exit 1; fi
ls -A disk >left
head -c 3000000 /dev/zero >big.txt
if ikm write disk/big.txt <big.txt 2>err.write; then exit 1; fi
if ikm -C disk write big.txt <big.txt 2>err.here; then exit 1; fi
T
unshare -rm sh -eu small
grep -qx "ikm: the file system of '.*/disk' has [0-9]* bytes free, and [0-9]* are needed" err
grep -qx "  make room there: df -h '.*/disk'" err
grep -q 'IKIGAI_HOME' err
same '' "$(cat left)"
for f in err.write err.here; do
	grep -q "big.txt': No space left on device" $f
	grep -qx '  its file system has [0-9]* bytes free, and 3000000 are needed: make room' $f
done
E
fi

done_testing
