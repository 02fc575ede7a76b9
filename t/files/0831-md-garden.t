#!/bin/sh
# ikm md in the garden: what the commands make is judged, recorded, copied and committed.
. "$(dirname "$0")/../lib.sh"

git init -q .
ikm --user ada init --home-only --garden >/dev/null 2>&1
G=$HOME/.ikigai/garden
U=$G/users/ada
P=$U/parts/p1/profile.md
export G U P
md() { ikm --user ada md "$@"; }
call() { # TOOL JSON
	echo "$2" | ikm --user ada call "$1"
}
md new part p1 --title Guard >/dev/null
token=ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA
export token

long 'new: every kind is what lint asks for, and is committed once' <<'E'
md new relationship r1 --participant p1 --participant 'p2: the other' --type 'protects' >out
md new notes >>out
md new notes --part p1 >>out
md new notes --relationship r1 --title 'What r1 said' >>out
same "$U/relationships/r1/profile.md
$U/notes.md
$U/parts/p1/notes.md
$U/relationships/r1/notes.md" "$(cat out)"
for f in "$U/overview.md" "$P" $(cat out); do
	call md_lint "{\"path\":\"$f\"}" >lint
	same '[false,[]]' "$(jq -c '[.blocked, .warnings]' lint)"
	same 1 "$(git -C "$G" log --oneline -- "$f" | wc -l)"
done
same '' "$(git -C "$G" status --porcelain)"
cp "$P" was
fails_for EXISTS md new part p1
cmp was "$P"
call md_new '{"kind":"part","id":"p2"}' >out
jq -e '.created and .committed' out
E

long 'patch: one change is a file, a copy of the former content, and a commit of these two' <<'E'
cp "$P" was
md patch "$P" 'concerns v1' --replace 'Fear.' --rationale 'first session' --json >out
cmp was "$(jq -r .historyPath out)"
same "$(ikm hash was -s concerns) $(ikm hash "$P" -s concerns)" "$(jq -r '.beforeHash + " " + .afterHash' out)"
git -C "$G" show --format= --name-only >names
same "$(printf '%s\n' "${P#"$G/"}" "$(jq -r .historyPath out | sed "s|^$G/||")" | sort)" "$(sort names)"
grep -q '^- [0-9TZ:-]*: first session$' "$P"
same '["replace_section","concerns v1","first session"]' \
	"$(ikm events query -n 1 --json | jq -c '.rows[0] | [.op, .section_anchor, .rationale]')"
E

long 'curate: the reason is the rationale, and a cap needs one' <<'E'
for c in A B C D E F G; do md curate "$P" evidence append "\"$c\" $token$c" >/dev/null; done
cp "$P" was
call md_curate_list "{\"path\":\"$P\",\"sectionAnchor\":\"evidence v1\",\"ops\":[\"append\"],\"items\":[\"\\\"H\\\" ${token}H\"]}" >out && exit 1
same BLOCKED "$(jq -r .errorCode out)"
grep -q evidence out
cmp was "$P"
call md_curate_list "{\"path\":\"$P\",\"sectionAnchor\":\"evidence v1\",\"ops\":[\"append\"],\"items\":[\"\\\"H\\\" ${token}H\"],\"opts\":{\"rationale\":\"all eight matter\"}}" >out
jq -e '.committed' out
grep -q ': all eight matter$' "$P"
md curate "$P" evidence prune "${token}A" --reason 'said in jest'
grep -q ': said in jest$' "$P"
same 'curate_items' "$(ikm events query -n 1 --json | jq -r '.rows[0].op')"
E

try 'what would take anchors away is refused, and recorded' <<'E'
cp "$P" was
call md_patch_section "{\"path\":\"$P\",\"sectionAnchor\":\"guard\",\"change\":{\"replace\":\"short\"}}" >out && exit 1
same BLOCKED "$(jq -r .errorCode out)"
cmp was "$P"
same audit "$(ikm events query -n 1 --json | jq -r '.rows[0].type')"
same '' "$(git -C "$G" status --porcelain)"
E

try 'snapshot: what is there is copied once, and the write before it made a copy already' <<'E'
md snapshot "$P" --json >out
cmp "$P" "$(jq -r .historyPath out)"
same '[true,true]' "$(jq -c '[.created, .committed]' out)"
same "[false,$(jq .historyPath out)]" "$(md snapshot "$P" --json | jq -c '[.created, .historyPath]')"
same "[false,$(jq .historyPath out)]" \
	"$(call md_snapshot_history "{\"path\":\"$P\"}" | jq -c '[.created, .historyPath]')"
E

more 'two processes patch two sections at once: both survive' <<'E'
for s in needs role triggers allies; do md patch "$P" $s --append "text of $s" & done
wait
for s in needs role triggers allies; do
	same "text of $s" "$(ikm read "$P" -s $s | tail -n +4 | head -1)"
done
same '' "$(git -C "$G" status --porcelain)"
E

done_testing
