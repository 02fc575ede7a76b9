#!/bin/sh
# The three typical flows of the requirement (garden, "Typical flows"), and a garden that is rebuilt
# from its events and history copies alone.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
export N

call() { ikm call "$@"; }

long 'profile section update' <<'E'
echo '{"path": "'"$P"'"}' | call md_list_sections | jq -e '.sections[] | select(.anchor == "concerns v1")'
echo '{"path": "'"$P"'", "sectionAnchor": "concerns v1", "change": {"replace": "That nobody listens."},
"opts": {"rationale": "session 5"}}' | call md_patch_section >"$T/patch"
jq -e '.beforeHash != .afterHash' "$T/patch"
echo '{"path": "'"$P"'"}' | call md_snapshot_history | jq -e '.historyPath'
echo '{"path": "'"$P"'"}' | call md_lint | jq -e '.blocked == false' ||
	echo '{"path": "'"$P"'"}' | call lint_check | jq -e '.blocked == false'
echo '{"type": "profile_update", "op": "replace_section", "section_anchor": "concerns v1",
"file_path": "'"$P"'", "after_hash": "'"$(jq -r '.afterHash' "$T/patch")"'", "rationale": "session 5"}' |
	call events_log >"$T/log"
same "$(jq -r .event "$T/patch") true" "$(jq -r '.eventId + " \(.joined)"' "$T/log")"
grep 'session 5' "$P"
clean
E

# Later edits elsewhere, a later edit of the section, and contents that are not kept any more.
long 'a log joins the write of a section by the hash that the writing tool gave' <<'E'
patch() {
	echo '{"path": "'"$P"'", "sectionAnchor": "'"$1"'", "change": {"replace": "'"$2"'"}, "opts": {"rationale": "r"}}' |
		call md_patch_section
}
joins() { # FILE-OF-THE-ANSWER MORE-MEMBERS
	echo '{"type": "profile_update", "file_path": "'"$P"'", "after_hash": "'"$(jq -r .afterHash "$1")"'", "rationale": "why"'"$2"'}' |
		call events_log
}
patch 'concerns v1' 'First words.' >"$T/first"
patch 'needs v1' 'Other needs.' >"$T/second"
same "$(jq -r .event "$T/first")" "$(joins "$T/first" ', "section_anchor": "concerns v1"' | jq -r .eventId)"
patch 'concerns v1' 'Still nobody listens.' >"$T/third"
same "$(jq -r .event "$T/first")" "$(joins "$T/first" ', "transaction_id": "t1"' | jq -r .eventId)"
sqlite3 "$HOME/.ikigai/ikm.db" 'delete from former_contents'
same "$(jq -r .event "$T/third")" "$(joins "$T/third" '' | jq -r .eventId)"
fails_for BAD_ARGUMENT joins "$T/third" ', "section_anchor": "needs v1"'
fails_for BAD_ARGUMENT joins "$T/third" ', "op": "append_item"'
clean
E

try 'add evidence item' <<'E'
echo '{"path": "'"$P"'", "sectionAnchor": "evidence v1", "ops": ["append"],
"items": ["\"I must not rest\" ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV"], "rationale": "a quote"}' |
	call md_curate_list
same 'profile_update append_item' "$(last '|[.type,.op]|join(" ")')"
clean
E

try 'reason and rationale of a change of a list are both kept' <<'E'
ikm md curate "$P" 'evidence v1' prune ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV \
	--reason 'said twice' --rationale 'tidied in session 6'
same 'said twice; tidied in session 6' "$(last .rationale)"
grep -- ': said twice; tidied in session 6$' "$P"
clean
E

more 'what is no hash is not logged as one' <<'E'
for hash in zzz sha256:zz; do
	for name in before_hash after_hash; do
		printf '{"type": "observation", "file_path": "%s", "%s": "%s"}' "$P" $name $hash >"$T/in"
		fails_for BAD_ARGUMENT call events_log <"$T/in"
	done
done
E

more 'grep and note capture' <<'E'
echo '{"root": "'"$G/users"'", "pattern": "nobody listens"}' | call fs_search | jq -e '.matches | length > 0' ||
	ikm grep 'nobody listens' "$G/users"
echo '{"path": "'"$N"'", "text": "Being heard.", "rationale": "captured theme in notes"}' | call fs_append
same 'observation append note' "$(last '|[.type,.op,.entity_type]|join(" ")')"
clean
E

# Each state of the profile: the first event's former content, then each event's. A content is in a
# history copy, named by its hash, except the newest, which is the file.
more 'every state of a profile is rebuilt from events and history copies' <<'E'
: >"$T/wanted"
sha256sum <"$P" | cut -d' ' -f1 >>"$T/wanted"
for n in 1 2 3 4 5 6; do
	case $n in
	2) ikm edit "$P" --old 'nobody listens' --new 'no one hears' --rationale "edit $n" ;;
	4) ikm events undo "$(last .event_id)" ;;
	5) IKM_FAULT=-25 ikm md patch "$P" 'needs v1' --replace "Killed $n." --rationale x >/dev/null 2>&1 || :
	   ikm events reconcile >/dev/null ;;
	*) ikm md patch "$P" 'needs v1' --replace "Need $n." --rationale "patch $n" ;;
	esac
	sha256sum <"$P" | cut -d' ' -f1 >>"$T/wanted"
done
uniq "$T/wanted" >"$T/states"
# Only events and copies from here on.
ikm events query --path "$P" -n 1000 --json |
	jq -r '[.rows[] | select(.status == "committed" and .after_hash)] | reverse |
		(.[0].before_hash), .[].after_hash' | sed 's/sha256://' | uniq >"$T/chain"
tail -n "$(wc -l <"$T/states")" "$T/chain" | cmp - "$T/states"
least 7 "$T/chain"
newest=$(tail -n 1 "$T/chain")
while read -r hash; do
	[ "$hash" != "$newest" ] || continue
	prefix=$(echo "$hash" | cut -c1-12)
	found=
	for copy in users/ada/parts/p1/history/*-"$prefix"-profile.md; do
		[ "$(sha256sum <"$copy" | cut -d' ' -f1)" = "$hash" ] && found=$copy
	done
	[ -n "$found" ] || { echo "no copy of $hash"; exit 1; }
done <"$T/chain"
# And each event continues where the one before it ended.
ikm events query --path "$P" -n 1000 --json |
	jq -e '[.rows[] | select(.status == "committed" and .after_hash)] | reverse |
		[range(1; length) as $i | .[$i].before_hash == .[$i - 1].after_hash] | all'
clean
E

done_testing
