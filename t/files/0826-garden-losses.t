#!/bin/sh
# What a tool may not take away by a detour: reasons in the Change Log, other sections, the caps, a
# file that only Git has.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
export N
patch_section() { # ANCHOR TEXT [RATIONALE]
	jq -n --arg p "$P" --arg s "$1 v1" --arg t "$2" --arg r "${3-}" \
		'{path: $p, sectionAnchor: $s, change: {replace: $t}}
			+ if $r == "" then {} else {opts: {rationale: $r}} end' |
		ikm call md_patch_section
}

long 'a reason goes to the section that the policy protects' <<'E'
patch_section identity "$(printf 'me\n\n### Change Log\n\nmine')" >"$T/ans"
ikm md patch "$P" 'needs v1' --replace 'Rest.' --rationale 'the reason of a person'
ikm read "$P" --section 'change_log v1' | grep 'the reason of a person'
patch_section identity clean >"$T/ans"
grep 'the reason of a person' "$P"
clean
E

try 'a change without a reason is made, and a warning names --rationale' <<'E'
ikm md patch "$P" 'needs v1' --replace 'Rest, twice.' 2>"$T/err"
grep -qx 'Rest, twice.' "$P"
same 1 "$(wc -l <"$T/err")"
grep -q '^ikm: warning: users/.*: the change adds no line to the Change Log .* say why: --rationale WHY, or' "$T/err"
ikm edit "$P" --old 'Rest, twice.' --new 'Rest.' 2>"$T/err"
grep -q '^ikm: warning: users/.*: the change adds no line .* --rationale WHY' "$T/err"
ikm edit "$P" --old 'Rest.' --new 'Sleep.' --rationale 'it is enough' 2>"$T/err"
same '' "$(cat "$T/err")"
clean
E

long 'a text with a heading that begins another section is refused' <<'E'
cp "$P" "$T/was"
n=0
while read -r section text; do
	n=$((n + 1))
	fails_for BAD_ARGUMENT ikm md patch "$P" "$section v1" --replace "$(printf "$text")" --json >"$T/ans"
	jq -r .message "$T/ans" | grep -e 'begin another' -e 'has already'
	cmp "$P" "$T/was"
done <<'R'
identity a\n\n##\040More\n\nb
concerns ##\040Needs\nx
concerns T\n===
concerns p\n---
evidence #\040Evidence
identity ##\040Identity\nme
R
same 6 "$n"
patch_section identity "$(printf 'me\n\n### More\n\nb\n\n> ## quoted\n')" >"$T/ans"
grep -x '### More' "$P"
fails_for BAD_ARGUMENT ikm md patch "$P" 'concerns v1' --append '## Needs'
clean
E

try 'the same reason twice in a second is two lines' <<'E'
IKM_NOW=2026-11-23T10:00:00Z
export IKM_NOW
patch_section needs one twice >"$T/ans"
patch_section needs two twice >"$T/ans2"
same 2 "$(grep -c ': twice$' "$P")"
not grep 'adds no line' "$T/ans" "$T/ans2"
# One of two equal lines is not taken away either.
awk '!(/: twice$/ && gone++ == 0)' "$P" | jq -Rs --arg p "$P" '{path: $p, content: .}' >"$T/in"
fails_for GARDEN_POLICY ikm call file_write <"$T/in" >"$T/ans"
grep 'former item of the Change Log' "$T/ans"
clean
E

long 'a file that Git has and the working tree has not is not made anew' <<'E'
git log -1 --format=%H >"$T/head"
rm "$P"
fails_for STAGED ikm md new part p1 --json
fails_for STAGED ikm write "$P" --content x
same "$(cat "$T/head")" "$(git log -1 --format=%H)"
git restore "$P"
git update-index --skip-worktree users/ada/notes.md
rm "$N"
fails_for STAGED ikm md new notes --json >"$T/ans"
jq -r .message "$T/ans" | grep 'is in Git, but not in the working tree'
jq -e '.help.steps[0] | test("git -C .* restore")' "$T/ans"
same "$(cat "$T/head")" "$(git log -1 --format=%H)"
git update-index --no-skip-worktree users/ada/notes.md
git rm -q users/ada/notes.md
git commit -qm 'gone' -m 'Ikm-Rationale: not needed'
ikm md new notes
clean
E

more 'changes that Git did not get are committed with the copy of each' <<'E'
git config commit.gpgSign true
git config --global gpg.program false
for n in 1 2 3; do
	patch_section allies "friend $n" "reason $n" >"$T/ans"
	cat "$T/ans" >&2; 	same false "$(jq .committed "$T/ans")"
done
git config --global --unset gpg.program
git config --unset commit.gpgSign
ikm events reconcile --json >"$T/ans"
same '3 true' "$(jq -r '"\(.events | length) \(.settled)"' "$T/ans")"
clean
same 3 "$(git diff --name-only "$(cat "$T/head")" HEAD -- 'users/ada/parts/p1/history/*' | wc -l)"
E

more 'a note that is named after the write joins it, as the agent calls it' <<'E'
echo '{"path": "'"$N"'", "text": "a thought", "rationale": "captured"}' | ikm call fs_append >"$T/ans"
hash=$(jq -r .newHash "$T/ans")
ikm events log --type observation --op append_section --path "$N" --after-hash "$hash" \
	-m 'captured theme in notes' >"$T/said"
same "added to $(jq -r .event "$T/ans")" "$(cat "$T/said")"
patch_section needs three why >"$T/ans"
fails_for BAD_ARGUMENT ikm events log --type profile_update --op tombstone_section --path "$P" \
	--after-hash "$(jq -r .newHash "$T/ans")" -m x
E

done_testing
