#!/bin/sh
# What messages of the garden tell a person to do, and inputs that are refused early.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
U=users/ada
export U

try 'a user name must be able to name a folder of the garden' <<'E'
for name in 'a b' 'a/b' .a -x CON a.; do
	fails_for BAD_ARGUMENT ikm config set user -- "$name" 2>"$T/e" ||
		fails_for BAD_ARGUMENT ikm config set user "$name" 2>"$T/e"
done
ikm config set user ada
E

try 'a new profile that the policy refuses, and a copy by hand, tell the way' <<'E'
fails_for GARDEN_POLICY ikm write -p $U/parts/p2/profile.md --content '# Two' 2>"$T/e"
grep -q 'to make it with all its sections: ikm md new part p2' "$T/e"
mkdir -p "$G/$U/parts/p1/history"
fails_for GARDEN_POLICY ikm write "$G/$U/parts/p1/history/mine.md" --content x 2>"$T/e"
grep -q 'history copies are made by ikm' "$T/e"
E

try 'evidence has the form of a token, or another' <<'E'
for ref in 'ev:1' ' ' 'two
lines'; do
	fails_for BAD_ARGUMENT ikm append $U/notes.md --text x --evidence-ref "$ref" 2>"$T/e"
done
fails_for BAD_ARGUMENT ikm events log --type observation -m x --evidence ev:20260131 2>"$T/e" ||
	fails_for BAD_ARGUMENT ikm events log --type observation -m x --evidence-ref ev:20260131 2>"$T/e"
E

try 'a tag in a reason is text in the Change Log' <<'E'
ikm md patch "$P" needs --replace Rest. --rationale 'less <div> and </div>, 1 < 2'
grep -qF ': less \<div> and \</div>, 1 < 2' "$P"
same 'less <div> and </div>, 1 < 2' "$(last .rationale)"
E

try 'a participant is named once, and counts are words' <<'E'
fails_for BAD_ARGUMENT ikm md new relationship r --participant p1 --participant p1 2>"$T/e"
grep -q "'p1' is named twice" "$T/e"
jq -n --arg p "$P" '{path: $p, sectionAnchor: "allies v1", ops: ["append", "append"], items: ["a"]}' >"$T/in"
fails_for BAD_ARGUMENT ikm call md_curate_list <"$T/in" >"$T/o"
grep -q '2 ops and 1 item"' "$T/o"
E

try 'init with another garden tells that the former one stays' <<'E'
ikm init --home-only --garden "$T/w/other" >"$T/o"
grep -A1 "$G: the former garden stays as it is, and ikm uses '$T/w/other' in its place" "$T/o" |
	grep -q 'ikm config unset garden.path'
ikm init --home-only --garden "$T/w/other" >"$T/o"
not grep -q 'former garden' "$T/o"
ikm config unset garden.path
[ -e "$P" ]
E
try 'garden/NAME from a folder without a garden names the nearest file' <<'E'
mkdir -p "$T/elsewhere/garden"
cd "$T/elsewhere"
ikm config set user ada
echo '# Notes' | ikm write garden:///notes.md
fails 3 ikm read garden/nots.md 2>"$T/e"
not grep -q 'garden:///' "$T/e"
rmdir garden
for name in nots.md notes.md users/ada/note.md; do
	fails 3 ikm read "garden/$name" 2>"$T/e"
	grep -qxF "  the garden has 'garden:///notes.md'" "$T/e"
done
fails 3 ikm read garden/entirely-else 2>"$T/e"
grep -qxF "  'ikm list garden:///' lists your files in the garden" "$T/e"
ikm list garden:/// | grep -q notes.md
E

done_testing
