#!/bin/sh
# A name that differs only in Unicode's form or in kinds of space stands for the one file that it
# looks like, on every face, and the answer says so.
. "$(dirname "$0")/../lib.sh"

git init -q r
cd r
nfc=$(printf 'caf\303\251') nfd=$(printf 'cafe\314\201')
shot=$(printf 'Shot 3.04\342\200\257PM.txt')
fresh() {
	find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -r {} +
	mkdir "$nfd.d"
	printf 'one\ntwo\n' | tee "$nfd.txt" "$shot" "$nfd.d/in.txt" >plain
}
told='differs only in Unicode'

long 'reading, searching, editing, writing, moving and more take it, and say so' <<'E'
fresh
for by in "read $nfc.txt" "hash $nfc.txt" "search one $nfc.txt" "read $nfc.d/in.txt" "list $nfc.d" \
	"append $nfc.txt" "delete --maintainer $nfc.d/in.txt"; do
	# shellcheck disable=SC2086
	ikm $by </dev/null >../out 2>../err || { echo "$by"; cat ../err; exit 1; }
	same 1 "$(grep -c "$told" ../err)"
done
ikm read 'Shot 3.04 PM.txt' 2>../err | grep -q two
grep -q "took 'Shot 3.04.u{202f}PM.txt' for 'Shot 3.04 PM.txt'" ../err
ikm edit "$nfc.txt" --old one --new ONE
grep -q ONE "$nfd.txt"
echo three | ikm write "$nfc.txt"
same three "$(cat "$nfd.txt")"
ikm move --maintainer "$nfc.txt" moved
printf 'a\n' | ikm write "$nfc.d/new"
same a "$(cat "$nfd.d/new")"
printf '%s\n' "--- $nfc.d/new" "+++ $nfc.d/new" '@@ -1 +1 @@' -a +b | ikm patch 2>../err
same b "$(cat "$nfd.d/new")"
printf '%s\n' '*** Begin Patch' "*** Update File: $nfc.d/new" @@ -b +c '*** End Patch' | ikm patch
same c "$(cat "$nfd.d/new")"
echo "see @\"$nfc.d/new\"" | ikm expand 2>../err | grep -q '^see c'
not test -e "$nfc.txt"
not test -e "$nfc.d"
E

try 'an error about such a file says which one it is about' <<'E'
fresh
fails_for NO_SUCH_TEXT ikm edit "$nfc.txt" --old zzz --new y 2>../err
grep -q "$told" ../err
printf '%s\n' '*** Begin Patch' "*** Add File: $nfc.txt" +y '*** End Patch' | ikm patch 2>../err && exit 1
grep -q "$told" ../err
echo '{"path":"'"$nfc"'.txt","edits":[{"old":"zzz","new":"y"}]}' | ikm call file_edit >../o 2>/dev/null || :
jq -r '.help.steps[]' ../o | grep -q "$told"
E

try 'tools: the warning is part of the answer' <<'E'
fresh
echo '{"path":"'"$nfc"'.txt"}' | ikm call file_read | jq -e '.warnings[0] | test("took .cafe.u.301..txt. for .caf.u.e9..txt.")'
echo '{"path":"'"$nfc"'.txt","edits":[{"old":"two","new":"TWO"}]}' | ikm call file_edit | jq -e '.warnings | length == 1'
printf '%s\n' '{"path":"'"$PWD/$nfc"'.txt","content":"w\n"}' | ikm call file_write | jq -e '(.warnings | length == 1) and .changed'
same w "$(cat "$nfd.txt")"
echo '{"pattern":"one","path":"'"$nfc"'.d"}' | ikm call fs_search | jq -e '.warnings | length == 1'
echo '{"path":"plain"}' | ikm call file_read | jq -e '.warnings | length == 0'
E

try 'a name that is there, or that two files look like, stands for nothing else' <<'E'
fresh
echo exact >"$nfc.txt"
same exact "$(ikm read "$nfc.txt" 2>../err)"
same '' "$(cat ../err)"
# Two look like a third name.
echo ab >plain
touch "$(printf 'A\302\240B')" "$(printf 'A\342\200\257B')"
fails_for FILE_NOT_FOUND ikm read 'A B'
echo new | ikm write 'A B' 2>../err
same new "$(cat 'A B')"
# Other letters are other letters.
touch "$(printf 'it\342\200\231s')" "$(printf 'x\357\274\241')"
fails_for FILE_NOT_FOUND ikm read "it's"
fails_for FILE_NOT_FOUND ikm read xA
E

long 'the record is asked, shown and undone by either form, also when the file is gone' <<'E'
fresh
for file in "$nfd.txt" "$shot" "$nfd.d/in.txt"; do
	echo '{"path":"'"$file"'","old":"one","new":"ONE"}' | ikm call file_edit >/dev/null
done
for name in "$nfc.txt" "$nfc.d/in.txt" "$nfc.d" "$PWD/$nfc.txt" 'Shot 3.04 PM.txt'; do
	for by in query diff; do
		ikm events $by --path "$name" >../out 2>../err
		grep -q "$told" ../err
		grep -q 'ONE\|new\|edit\|write' ../out
	done
done
rm "$nfd.txt"
ikm events query --path "$nfc.txt" 2>../err | grep -q edit
grep -q "$told" ../err
ikm events undo --path 'Shot 3.04 PM.txt' 2>../err
cmp plain "$shot"
mv "$nfd.d" gone
ikm events query --path "$nfc.d" 2>../err | grep -q edit
printf '%s' '{"path":"'"$nfc"'.txt"}' | ikm call events_query | jq -e '.warnings | length == 1'
# A name that is there stands for itself only.
touch "$nfc.txt"
same '{"rows":[]}' "$(ikm events query --path "$nfc.txt" --json | jq -c .)"
fails_for NO_SUCH_EVENT ikm events diff --path "$nfc.txt"
fails_for NO_SUCH_EVENT ikm events diff --path "$nfc.none"
E

try 'a file may be moved to the other form of its name' <<'E'
fresh
ikm move --maintainer "$nfd.txt" "$nfc.txt" 2>../err
same '' "$(cat ../err)"
same "$nfc.txt" "$(ls | grep '^caf.*txt')"
echo other >other
fails_for EXISTS ikm move --maintainer other "$nfd.txt"
same 'one two' "$(ikm read "$nfc.txt" | paste -sd' ')"
E

try 'what is outside the roots stays unknown' <<'E'
fresh
mkdir "../out$nfd"
echo secret >"../out$nfd/$nfd"
ln -s "../out$nfd" link
for path in "../out$nfc/$nfd" "../out$nfd/$nfc" "link/$nfc" "$PWD/../out$nfc/x"; do
	echo "{\"path\":\"$path\"}" | ikm call file_read >../got || :
	same '["OUTSIDE_ROOTS",null]' "$(jq -c '[.details.reason, .warnings]' ../got)"
done
E
done_testing
