#!/bin/sh
# What the writes of a garden leave in Git's folder of objects: a pack each, and one of many.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
rm -rf .git/hooks
N=$G/users/ada/notes.md
export N

note() { ikm append "$N" --text "$1" --rationale x >/dev/null; }
notes() { for text in $(seq "$1"); do note "note $text"; done; }
packs() { find .git/objects/pack -name '*.pack' | wc -l; }
loose() { git count-objects | cut -d' ' -f1; }

try 'a write leaves one pack, and waits for six files and two folders' <<'E'
before=$(loose)
note first
same "1 $before" "$(packs) $(loose)"
clean
seq 0 255 | xargs printf "$HOME/.ikigai/locks/%02x\\n" | xargs mkdir -p # else now and then one more
for i in $(seq 5); do
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -qq -o "$T/waits" -e trace=fsync,fdatasync,sync,syncfs,msync \
		ikm md patch "$P" 'needs v1' --replace "Rest $i." --rationale x >/dev/null
	grep -c 'sync(' "$T/waits" >>"$T/all"
done
# The event, the copy, the file, the pack, its index and the branch; and the folders of the file and
# the packs. Now and then the log of the store is put back.
same 8 "$(sort -n "$T/all" | sed -n 2p)"
clean
E

long 'sixteen packs become one, which has what they had' <<'E'
notes 20
[ "$(packs)" -lt 16 ]
same 0 "$(git count-objects -v | sed -n 's/^garbage: //p')"
# 20 notes, 5 patches, the first note, and the commit of the sample
same 27 "$(git rev-list --count HEAD)"
clean
git cat-file --batch-check --batch-all-objects >"$T/objects"
same '' "$(git rev-list --objects --all | cut -d' ' -f1 | sort | comm -13 "$T/objects" - | grep -v . || :)"
E

more 'a pack that is kept stays, and so do all beside a multi-pack-index' <<'E'
git repack -qad
note kept
kept=$(ls -t .git/objects/pack/*.pack | head -n 1)
touch "${kept%.pack}.keep"
notes 20
[ -e "$kept" ]
[ "$(packs)" -lt 16 ]
git multi-pack-index write
notes 18
[ "$(packs)" -ge 18 ]
git multi-pack-index verify
rm .git/objects/pack/multi-pack-index
note again
[ "$(packs)" -lt 16 ]
clean
E

for how in failed killed; do
	more "a join that is $how at any of its effects loses nothing" <<'E'
cd "$G"
git repack -qad
notes 15
rm -rf "$T/base"
cp -a "$HOME" "$T/base"
n=0
while :; do
	n=$((n + 3))
	cd "$T"
	rm -rf "$HOME" hit
	cp -a base "$HOME"
	cd "$G"
	case $how in failed) at=$n ;; killed) at=-$n ;; esac
	IKM_FAULT=$at IKM_FAULT_HIT="$T/hit" ikm append "$N" --text "last $n" --rationale x >/dev/null 2>&1 || :
	git fsck --strict --no-dangling >/dev/null 2>"$T/fsck" || { cat "$T/fsck"; exit 1; }
	[ -e "$T/hit" ] || break
	note "next $n"
	clean
done
[ $n -gt 24 ]
[ "$(packs)" -lt 16 ]
E
done
done_testing
