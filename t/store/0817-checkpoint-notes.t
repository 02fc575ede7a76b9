#!/bin/sh
# Checkpoints in Git notes of the garden, for strangers, and the rotation of their key.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
store=$HOME/.ikigai/ikm.db
keys=$HOME/.ikigai/keys
export N store keys
again() { # the record, and the keys, as they were
	rm -f "$store-wal" "$store-shm"
	cp "$T/saved.db" "$store"
}
edit() { # SQL: as somebody without the key
	sqlite3 "$store" '.dbconfig defensive off' 'drop trigger if exists events_no_update' \
		'drop trigger if exists events_no_delete' 'drop trigger if exists events_no_replace' "$@"
}
# Openssl is the referee: the signed text is all but the last line.
holds() { # STATEMENT PUBLIC-KEY
	sed '/^signature /d' "$1" >"$T/signed"
	sed -n 's/^signature //p' "$1" | base64 -d >"$T/signature"
	openssl pkeyutl -verify -pubin -inkey "$2" -rawin -in "$T/signed" -sigfile "$T/signature" >/dev/null 2>&1
}

try 'a checkpoint is kept as a note of the commit that it covers' <<'E'
ikm append "$N" --text one
ikm events checkpoint --note >"$T/stamp" 2>"$T/said"
grep "note of commit $(git rev-parse HEAD)" "$T/said"
same "$(cat "$T/stamp")" "$(git notes --ref=ikm show HEAD)"
ikm events checkpoint --public-key >"$T/public.pem"
holds "$T/stamp" "$T/public.pem"
git status --short >"$T/told"
same '' "$(cat "$T/told")"
fails_for BAD_ARGUMENT ikm events checkpoint --note --public-key
E

try 'verify reads the newest note' <<'E'
ikm events verify --json >"$T/told"
same "true $(git rev-parse HEAD) $(sed -n 's/^seq //p' "$T/stamp")" \
	"$(jq -r '[.ok,.checkpoint.commit,.checkpoint.seq]|join(" ")' "$T/told")"
ikm append "$N" --text two
ikm events checkpoint --note >"$T/stamp2"
same 2 "$(git notes --ref=ikm list | wc -l)"
ikm events verify | grep "checkpoint    row $(sed -n 's/^seq //p' "$T/stamp2"), signed at .*, in the note of commit $(git rev-parse HEAD)"
E

try 'of the same commit the newer one stays, and that of another machine too' <<'E'
id=$(git rev-parse HEAD)
sed 's/^machine .*/machine OTHER/' "$T/stamp2" | git notes --ref=ikm append -F - HEAD 2>"$T/told"
ikm events log --type observation -m 'seen'
ikm events checkpoint --note >"$T/stamp3"
same "$id" "$(git rev-parse HEAD)"
git notes --ref=ikm show HEAD >"$T/note"
same '2 2' "$(grep -c '^machine ' "$T/note") $(grep -c '^signature ' "$T/note")"
grep -x "$(grep ^seq "$T/stamp3")" "$T/note"
grep -x 'machine OTHER' "$T/note"
ikm events verify --json | jq -e '.ok and (has("warnings") | not)'
E

long 'an older copy of the whole store, put back, shows by the note' <<'E'
sqlite3 "$store" "vacuum into '$T/saved.db'"
ikm append "$N" --text three
ikm events checkpoint --note >"$T/stamp4"
again
git revert --no-edit -q HEAD 2>"$T/told" || git reset -q --hard HEAD^
fails 1 ikm events verify --json >"$T/told"
same 'truncated incomplete' "$(jq -r '[.firstBreak.kind,.completeness]|join(" ")' "$T/told")"
# A note is no more than a text: who changes it cannot make a signature.
git notes --ref=ikm list | cut -d' ' -f2 >"$T/noted"
while read -r one; do
	! git notes --ref=ikm show "$one" | grep -qx "$(grep ^chain "$T/stamp4")" || id=$one
done <"$T/noted"
git notes --ref=ikm show "$id" | sed "s/^seq .*/seq 3/" | git notes --ref=ikm add -f -F - "$id" 2>"$T/told"
ikm events verify --json >"$T/told"
jq -r '.warnings[]' "$T/told" | grep "$id.*signature.*does not hold"
git notes --ref=ikm remove "$id" 2>"$T/told"
ikm events verify --json | jq -e '.ok and (has("warnings") | not)'
E

try 'the checkpoint of another record is told from this one' <<'E'
cp -a "$HOME/.ikigai" "$T/other"
rm -f "$T/other/ikm.db"*
"$BUILD/tool/event" "$T/other/ikm.db" init >"$T/told" || :
rm "$T/other/keys/chain.begun"
"$BUILD/tool/event" "$T/other/ikm.db" init >"$T/told"
fails 1 env IKIGAI_HOME="$T/other" ikm events verify --checkpoint "$T/stamp3" --json >"$T/told"
jq -r '.breaks[].message' "$T/told" | grep 'of another record, or the store was replaced'
E

long 'a new key is signed by the former one, and what it signed still counts' <<'E'
ikm events rotate-key --checkpoint >"$T/handover" 2>"$T/said"
holds "$T/handover" "$T/public.pem"
ikm events checkpoint --public-key >"$T/new.pem"
not cmp -s "$T/public.pem" "$T/new.pem"
# The statement names the key that the new PEM file has.
same "$(openssl pkey -pubin -in "$T/new.pem" -outform DER | tail -c 32 | base64)" "$(sed -n 's/^to //p' "$T/handover")"
same "$(openssl pkey -pubin -in "$T/public.pem" -outform DER | tail -c 32 | base64)" "$(sed -n 's/^from //p' "$T/handover")"
same 'rotate_checkpoint_key system committed' "$(last '|[.op,.type,.status]|join(" ")')"
ikm events show "$(last .event_id)" | grep -x "  *$(grep ^signature "$T/handover")\|$(grep ^signature "$T/handover")"
ikm events verify --checkpoint "$T/stamp3" --json | jq -e .ok
ikm events verify --json | jq -e '.ok and .checkpoint.commit != null and (has("warnings") | not)'
ikm events checkpoint >"$T/stamp5"
holds "$T/stamp5" "$T/new.pem"
not holds "$T/stamp5" "$T/public.pem"
ikm events verify --checkpoint "$T/stamp5" --public-key "$T/new.pem" --json | jq -e .ok
fails_for NOT_ALLOWED ikm events verify --checkpoint "$T/stamp5" --public-key "$T/public.pem"
same 600 "$(stat -c %a "$keys/checkpoint.key")"
[ ! -e "$keys/checkpoint.next" ]
fails_for BAD_ARGUMENT ikm events rotate-key --checkpoint --lost
E

more 'twice: the chain of keys is followed; a handover that somebody put there adds no key' <<'E'
ikm events rotate-key --checkpoint >"$T/handover2"
holds "$T/handover2" "$T/new.pem"
ikm events verify --checkpoint "$T/stamp3" --json | jq -e .ok
mkdir -m 700 "$T/evil" "$T/evil/keys"
cp "$store"* "$T/evil"
(umask 077 && printf '%064d\n' 9 >"$T/evil/keys/checkpoint.key")
cp "$keys"/event-* "$keys/chain.begun" "$T/evil/keys"
IKIGAI_HOME=$T/evil ikm events checkpoint >"$T/forged"
IKIGAI_HOME=$T/evil ikm events rotate-key --checkpoint >"$T/told"
cp "$T/evil/keys/checkpoint-1.handover" "$keys/checkpoint-3.handover"
fails_for NOT_ALLOWED ikm events verify --checkpoint "$T/forged"
rm "$keys/checkpoint-3.handover"
ikm events verify --checkpoint "$T/stamp3" --json | jq -e .ok
E

more 'a rotation that is killed at any point is completed by the next' <<'E'
cp -a "$keys" "$T/keys"
n=0 killed=0
while :; do
	[ $((n += 1)) -lt 60 ]
	rm -rf "$keys"
	cp -a "$T/keys" "$keys"
	again
	if IKM_FAULT=-$n ikm events rotate-key --checkpoint >"$T/first" 2>/dev/null; then
		break
	fi
	killed=$((killed + 1))
	# Behind its last step it is complete, and the next call rotates again.
	want=3
	[ ! -e "$keys/checkpoint-3.handover" ] || [ -e "$keys/checkpoint.next" ] || want=4
	ikm events rotate-key --checkpoint >"$T/handover3" 2>"$T/said"
	ikm events checkpoint --public-key >"$T/after.pem"
	set -- "$keys"/checkpoint-*.handover
	same $want $#
	[ ! -e "$keys/checkpoint.next" ]
	same "$(openssl pkey -pubin -in "$T/after.pem" -outform DER | tail -c 32 | base64)" "$(sed -n 's/^to //p' "$T/handover3")"
	ikm events verify --checkpoint "$T/stamp3" --json | jq -e .ok
done
[ "$killed" -gt 4 ]
E

more 'without a garden, and before its first commit' <<'E'
fails_for FILE_NOT_FOUND ikm -c garden.path="$T/nowhere" events checkpoint --note
git init -q "$T/empty"
fails_for BAD_REVISION ikm -c garden.path="$T/empty" events checkpoint --note
ikm -c garden.path="$T/empty" events verify --json | jq -e '.ok and (has("checkpoint") | not)'
E

done_testing
