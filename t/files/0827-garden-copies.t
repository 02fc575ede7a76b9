#!/bin/sh
# Lists and searches leave out the history copies of the garden, and say so.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
for text in fears dreads avoids; do
	ikm md patch "$P" concerns --replace "It $text to fail." --rationale "session $text" || exit 1
done
mkdir -p "$G/users/ada/parts/history" "$T/w/lib/history"
cp "$P" "$G/users/ada/parts/history/profile.md" # a part with this id
echo 'It fears to fail.' >"$T/w/lib/history/a.md"
copies=$(find "$G" -path '*/p1/history/*' -name '*.md' | wc -l)
export copies
[ "$copies" -gt 1 ] || exit 1
cd "$G" || exit 1

long 'a list leaves them out' <<'E'
ikm list users >"$T/o" 2>"$T/e"
not grep -q p1/history "$T/o"
grep -q parts/history/profile.md "$T/o"
grep -q '^ikm: warning: 1 folder of history copies is left out; to see it, name one, or give --all$' "$T/e"
jq -n '{path: "garden:///"}' | ikm call fs_list >"$T/o"
not grep -q p1/history "$T/o"
jq -e '.warnings == ["1 folder of history copies is left out; to see it, name one, or give all: true"]' "$T/o"
cd "$HOME"
ikm list .ikigai/garden >"$T/o"
not grep -q p1/history "$T/o"
ikm glob '*.md' -p .ikigai/garden 2>"$T/e" >"$T/o"
grep -q 'is left out' "$T/e"
E

try 'who asks for them sees them' <<'E'
for words in 'list -a users' 'list users/ada/parts/p1/history' 'list users -g **/history/*' \
	'glob **/history/* -p users'; do
	set -f
	# shellcheck disable=SC2086
	ikm $words 2>"$T/e" >"$T/o"
	least "$copies" "$T/o"
	same '' "$(cat "$T/e")"
done
E

try 'a search leaves them out' <<'E'
fails 1 ikm search 'It fears' users/ada/parts/p1 2>"$T/e"
grep -q 'to see it, name one, or give --all' "$T/e"
jq -n '{root: "users/ada/parts/p1", pattern: "It (fears|avoids)"}' | ikm call fs_search >"$T/o"
same '1 1 1' "$(jq -r '"\(.total) \(.skipped.copies) \(.warnings | length)"' "$T/o")"
ikm search -a 'It fears' users/ada/parts/p1 >"$T/o"
least 1 "$T/o"
ikm grep 'It fears' users/ada/parts/p1/history >"$T/o" 2>"$T/e"
least 1 "$T/o"
same '' "$(cat "$T/e")"
E

try 'a finder leaves them out' <<'E'
ikm find profile >"$T/o" 2>"$T/e"
not grep -q p1/history "$T/o"
grep -q '^ikm: warning: .* of history copies .* left out; to see .*, name one, or give --all' "$T/e"
ikm find --all p1history 2>"$T/e" >"$T/all"
ikm find p1history >"$T/o" 2>"$T/e"
least "$copies" "$T/o"
cmp "$T/o" "$T/all"
same '' "$(cat "$T/e")"
E

try 'a folder history elsewhere is one like others' <<'E'
cd "$T/w"
same lib/history/a.md "$(ikm list lib 2>&1)"
ikm search 'It fears' lib 2>&1 | grep -q '^lib/history/a.md'
E
done_testing
