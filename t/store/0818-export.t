#!/bin/sh
# ikm events export, and examples/verify.py, which verifies it without ikm: python3 and openssl are the
# referees of the record's form.
. "$(dirname "$0")/../lib.sh"
git init -q repo && cd repo || exit 1
keys=$HOME/.ikigai/keys
verify() { "$TOP/examples/verify.py" "$@"; }
change() { jq -n --arg c "$1" '{path: "n", content: $c}' | ikm call file_write >/dev/null; }

change before
ikm init >/dev/null 2>&1
for i in 1 2 3; do change "größe $i"; done
ikm events rotate-key >/dev/null 2>&1
# A path of any bytes.
printf '{"path": "b", "content": "x"}' | ikm call file_write >/dev/null
change four
ikm events checkpoint >stamp
ikm events checkpoint --public-key >public.pem
change five
ikm events export >record

long 'a line for each row, with the bytes of its MAC, and never a key' <<'E'
same "$(sqlite3 "$HOME/.ikigai/ikm.db" 'select count(*) from events')" "$(wc -l <record)"
same "$(sqlite3 "$HOME/.ikigai/ikm.db" 'select seq, chain_hash from events order by seq')" \
	"$(jq -r '"\(.seq)|\(.chain_hash // "")"' record)"
jq -s . record >want
ikm events export --json | jq .rows | cmp want -
not grep -qFf "$keys/event-1.key" record
not grep -qFf "$keys/event-2.key" record
not grep -qFf "$keys/checkpoint.key" record
same '' "$(ikm events export --since 2999-01-01)"
ikm events export --since 1d | cmp record -
E

long 'the public key proves the checkpoint and the chain; the keys prove each MAC' <<'E'
verify --checkpoint stamp --public-key public.pem <record >out
grep -q '^proven by the public key: .* signs the end at row [0-9]*; rows behind it: 2$' out
grep -q '^not proven: the MACs' out
verify --keys "$keys" record >out
grep -q '^proven by the keys: the MACs of [0-9]* rows$' out
not grep -q 'public key\|not proven' out
verify --checkpoint stamp --public-key public.pem --keys "$keys" record >out
least 3 out
fails 2 verify record >out
grep -q '^not proven' out
fails 2 verify --checkpoint stamp record
fails 2 verify --keys "$T/none" record
E

try 'the forms of ikm-formats(5): its row, the mark of the end, the mark of the beginning' <<'E'
mac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" | sed 's/.*= */hmac:/'; }
sed -n '/^ikm-event-1,i1/,/^\.Ed/p' "$TOP/man/ikm-formats.5" | grep -v '^\.Ed' |
	awk -v RS= '{ gsub("\n", ""); print > ("part" NR) }'
same "$(cat part3)" "$(tr -d '\n' <part1 | mac "$(cat part2)")"
sqlite3 -separator ' ' "$HOME/.ikigai/ikm.db" 'select seq, chain_hash, key_version, mac from event_head' >head
read -r seq chain version want <head
same "$want" "$(printf 'ikm-head-1,i%d,t%d:%s,i%d,' "$seq" ${#chain} "$chain" "$version" | mac "$(cat "$keys/event-$version.key")")"
field() { sed -n "s/^$1 //p" "$keys/chain.begun"; }
chain=$(field chain)
same "$(field mac)" "$(printf 'ikm-begun-1,i%d,i%d,t%d:%s,' "$(field seq)" "$(field time)" ${#chain} "$chain" | mac "$(cat "$keys/event-1.key")")"
E

try 'what was changed, added, removed or cut off is contradicted' <<'E'
by_public='--checkpoint stamp --public-key public.pem'
while IFS='|' read -r how by says; do
	sh -c "$how" <record >changed
	not cmp -s record changed
	# shellcheck disable=SC2086
	fails 1 verify $by changed >out
	grep -q "^contradicted: $says" out || { cat out; exit 1; }
done <<-L
	sed 's/t10:file_write/t10:file_wrote/'|--keys $keys|row [0-9]*: the rows before the chain were changed
	sed '5s/t10:file_write/t10:file_wrote/'|--keys $keys|row 5 was changed
	sed '5s/file_write/file_patch1/'|$by_public|a column does not end
	sed 5d|$by_public|row 6 follows row 4
	sed '6s/"hmac:/"hmac:0/'|$by_public|row 7 does not continue row 6
	head -n -4|$by_public|row [0-9]* is missing
	sed '\$s/,"chain_hash":.*/}/'|$by_public|row [0-9]* has no MAC
L
sed 's/^seq .*/seq 4/' stamp >changed
fails 1 verify --checkpoint changed --public-key public.pem record >out
grep -q 'no signature by that public key' out
openssl genpkey -algorithm ed25519 2>/dev/null | openssl pkey -pubout >other.pem
fails 1 verify --checkpoint stamp --public-key other.pem record >out
# A key that is not the one of the rows.
mkdir wrong
for v in 1 2; do printf '%064d\n' $v >wrong/event-$v.key; done
fails 1 verify --keys wrong record
E

done_testing
