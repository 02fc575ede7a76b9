#!/bin/sh
# What ikm keeps right by itself in a profile: last_updated; and what md new asks of other files.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
export IKM_NOW=2026-11-23T10:00:00Z
date_of() { sed -n 's/^last_updated: *//p' "$P"; }

long 'a material edit sets the date in its form, and nothing else of the front matter' <<'E'
sed -n 1,/^#/p "$P" >front
ikm md patch "$P" needs --replace rest --rationale why
same 2026-11-23 "$(date_of)"
sed -n 1,/^#/p "$P" | sed 's/2026-11-23/2026-01-01/' | cmp - front
clean
for form in "'2026-01-02'" '"2026-01-02T03:04:05Z"' 2026-01-02T03:04:05Z; do
	sed -i "s/^last_updated:.*/last_updated: $form/" "$P"
	git -C "$G" commit -qam "by a person"
	ikm append "$P" --text "more at $form"
	case $form in
	*T*T* | *T*) want=$(echo "$form" | sed 's/2026-01-02T03:04:05Z/2026-11-23T10:00:00Z/') ;;
	*) want=$(echo "$form" | sed 's/2026-01-02/2026-11-23/') ;;
	esac
	same "$want" "$(date_of)"
done
clean
E

try 'a date that is missing, wrong, or set by the change stays; so it is without an edit' <<'E'
set_date() { sed -i "s/^last_updated:.*/last_updated: $1/" "$P" && git -C "$G" commit -qam 'by a person'; }
set_date soon
ikm append "$P" --text one
same soon "$(date_of)"
set_date 2026-01-02
ikm edit "$P" --old 'last_updated: 2026-01-02' --new 'last_updated: 2026-02-03'
same 2026-02-03 "$(date_of)"
sed 's/$/ /' "$P" | head -20 | tail -1 >/dev/null
ikm md snapshot "$P" >/dev/null
ikm md curate "$P" 'change log' append '2026-11-23T09:00:00Z: a line'
same 2026-02-03 "$(date_of)"
sed -i '/^last_updated/d' "$P"
git -C "$G" commit -qam 'by a person'
ikm append "$P" --text two
same '' "$(date_of)"
printf '# N\n' >n
ikm write "$G/users/ada/parts/p1/notes.md" --content - <n
cmp n "$G/users/ada/parts/p1/notes.md"
E

try 'a proposal and the hash tell of the same text' <<'E'
sed -i 's/^schema: part.1/&\nlast_updated: 2026-01-02/' "$P"
git -C "$G" commit -qam 'by a person'
jq -n --arg p "$P" '{operation: "md_patch_section", input: {path: $p, sectionAnchor: "role v1", change: {replace: "x"}}}' >in
ikm call propose_change <in >out
jq -r .diff out | grep -qx -- '+last_updated: 2026-11-23'
ikm md patch "$P" role --replace x --json >out
same "sha256:$(sha256sum "$P" | cut -d' ' -f1)" "$(jq -r .newHash out)"
E

long 'md new: notes need their owner, and a participant that is no part is named' <<'E'
fails_for FILE_NOT_FOUND ikm md new notes --part p2 --json >out
same "there is no part 'p2'; did you mean 'p1'?|make it first: ikm md new part p2" "$(jq -r '.message + "|" + .help.steps[0]' out)"
fails_for FILE_NOT_FOUND ikm md new notes --relationship r1 --json >out
[ ! -e "$G/users/ada/parts/p2" ]
ikm md new relationship r1 --participant p1 --participant p3 --json >out
same 1 "$(jq '.warnings | length' out)"
jq -r '.warnings[0]' out | grep -qF "the participant 'p3' is none of your parts"
ikm md new relationship r2 --participant p1 --participant ada --json | jq -e 'has("warnings") | not'
ikm md new notes --relationship r1
clean
E
done_testing
