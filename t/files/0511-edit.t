#!/bin/sh
# ikm edit: exact bytes, once or everywhere, and the message when the text is not in the file.
. "$(dirname "$0")/../lib.sh"

cat >song <<'E'
one sheep
two sheep
	three sheep
four goats
E

try 'a text that is there once' <<'E'
cp song f
ikm edit f --old 'two sheep' --new 'two wolves'
same "$(sed 's/two sheep/two wolves/' song)" "$(cat f)"
ikm edit f --old "$(printf 'four goats\n.')" --new x 2>/dev/null && exit 1
ikm edit f --old 'wolves
	three' --new 'wolves, three'
same 3 "$(wc -l <f)"
ikm edit f --old four --new= --json >out
same '[1,true,false]' "$(jq -c '[.replaced,.changed,.created]' out)"
same "sha256:$(sha256sum f | cut -d' ' -f1)" "$(jq -r .newHash out)"
same "$(stat -c %s f)" "$(jq .bytes out)"
E

try 'several: the lines are named, and nothing is changed' <<'E'
cp song f
fails 4 ikm edit f --old sheep --new x --json >out
same '["NOT_UNIQUE",[1,2,3]]' "$(jq -c '[.details.reason,.details.lines]' out)"
jq -e '.retryable == false' out
cmp f song
printf 'aaa' >over
fails 4 ikm edit over --old aa --new b --json >out
same '[[1],2,false]' "$(jq -c '.details | [.lines,.count,.more]' out)"
jq -e '.message | contains("2 times, in the line 1")' out
ikm edit over --old aa --new b --all
same ba "$(cat over)"
ikm edit f --old sheep --new goats --all --json >out
same 3 "$(jq .replaced out)"
same "$(sed s/sheep/goats/ song)" "$(cat f)"
seq -f 'line %g' 1000 >many
fails 4 ikm edit many --old line --new x --json >out
same '[20,20,true]' "$(jq -c '.details | [(.lines | length), .count, .more]' out)"
E

try 'none: the nearest line is named' <<'E'
cp song f
fails 3 ikm edit f --old 'three sheeps' --new x --json >out
same '["NO_SUCH_TEXT",3,"\tthree sheep"]' \
	"$(jq -c '[.details.reason,.details.nearestLine,.details.nearest]' out)"
fails_for NO_SUCH_TEXT ikm edit f --old '  two sheep
' --new x --json >out
jq -e '.help.steps[0] | contains("blanks") and contains("line 2")' out
fails 3 ikm edit f --old 'qqqqqqqqqqqq' --new x --json >out
jq -e '.details.nearestLine == null' out
printf '\377\376sheep here\n' >bytes
fails 3 ikm edit bytes --old 'sheep hare' --new x --json >out
jq -e '.details.nearest | contains("sheep here")' out
: >empty
fails_for NO_SUCH_TEXT ikm edit empty --old x --new y
cmp f song
E

long 'the line that differs is shown as it is, with what differs' <<'E'
printf 'first\n\tif (x) {\n\t\treturn 1;\n\t}\nlast line\n' >tabs
nearest() { # FILE OLD: number and raw bytes of the nearest line, the old text's, what differs
	fails 3 ikm edit "$1" --old "$2" --new x --json >out
	jq -c '.details | [.nearestLine, .nearest, .oldLine, .wanted, .differs]' out
}
same '[2,"\tif (x) {",1,"    if (x) {","the line is indented by 1 tab in the file and by 4 blanks in the old text"]' \
	"$(nearest tabs '    if (x) {
        return 2;
    }')"
same "[3,\"\\t\\treturn 1;\",2,\"\\t\\treturn 2;\",\"from byte 10 of the line the file has '1;', the old text '2;'\"]" \
	"$(nearest tabs '	if (x) {
		return 2;
	}')"
printf 'one line \ntwo \302\240lines\nthree \342\200\234lines\342\200\235\nFour Lines\nfive\tlines\nsix\r\n' >odd
nearest odd 'one line
2' | grep -q 'blanks at the end of the line differ: 1 blank in the file, nothing'
nearest odd 'two lines' | grep -q 'no-break spaces'
nearest odd 'three  "lines"' | grep -q 'quotes differ'
# The old text is compared with the part of the line where it may be.
nearest odd 'hree  "lines' | grep -q 'quotes differ'
nearest odd 'our lines' | grep -q 'upper and lower case'
nearest tabs 'eturn  1;' | grep -q 'only blanks and tabs'
nearest tabs '\tif (x) {\n' | grep -q "two characters"
printf 'if (a < b && c)\n' >html
nearest html 'if (a &lt; b &amp;&amp; c)' | grep -q "HTML's"
printf 'a\rb\r' >mac
nearest mac 'a
b' | grep -q 'CR alone'
fails_for NO_SUCH_TEXT ikm edit mac --old zzz --new x 2>err
not grep 'CR alone' err
fails_for NO_SUCH_TEXT ikm edit html --old 'a &lt; b' --new x 2>err
same 1 "$(grep -c "HTML's" err)"
nearest odd 'four lines' | grep -q 'upper and lower case'
nearest odd 'five    lines' | grep -q 'only blanks and tabs'
nearest odd 'six
seven' >out2
grep -q 'line ends with CR LF' out2
# If several lines are equally near, the one whose next line matches best counts.
printf '}\nif (a) {\n\tb;\n}\nif (a) {\n\tc;\n\td;\n}\n' >twice
nearest twice 'if (a) {
	c;
	e;' | grep -q '^\[7,'
fails 3 ikm edit twice --old '}
more' --new x --json >out
fails 3 ikm edit twice --old 'd;
}
behind the end' --new x --json >out
jq -e '.message | contains("the file ends before line 3")' out
fails 3 ikm edit tabs --old '  last line' --new x 2>err
grep -q 'without the blanks and newlines around it, it is in line 5' err
E

try 'a line of quotes: the search ends, and the file is free again' <<'E'
line() { printf "%0$1d" 0 | sed "s/0/$2/g"; }
quote=$(printf '\342\200\231')
line 1300 "$quote" >f
cp f was
fails 3 ikm edit f --old "$(line 600 "'")" --new x
cmp was f
printf 'say %s.\n' "$(line 600 "$quote")" >f
ikm edit f --old "$(line 600 "'")" --new x
same 'say x.' "$(cat f)"
E

long 'a looser form counts where one place fits; the file keeps the lines that stay' <<'E'
loosely() { # OLD NEW BEFORE AFTER TOLERATED: the texts by printf
	printf "$3" >f
	printf "$4" >want
	jq -nc --arg o "$(printf "$1"; echo .)" --arg n "$(printf "$2"; echo .)" \
		'{path:"f",old:($o|.[:-1]),new:($n|.[:-1])}' >in
	ikm --root . call file_edit <in >out || { cat out; return 1; }
	cmp want f
	same "$5" "$(jq -r .tolerated out)"
}
loosely 'b\nc' 'b\nC' 'a\nb  \nc\n' 'a\nb  \nC\n' 'blanks at line ends'
loosely '    a = 1\n    b = 2\n' '    a = 1\n    c = 3\n        d\n' \
	'x:\n\ta = 1\n\tb = 2\n' 'x:\n\ta = 1\n\tc = 3\n\t\td\n' indentation
loosely 'a:\n  b\n' 'a:\n  c\n\n' 'x\n    a:\n      b\n' 'x\n    a:\n      c\n\n' indentation
loosely 'say "hi" to' 'say "ho" to' 'He will say \342\200\234hi\342\200\235 to me\n' \
	'He will say "ho" to me\n' 'quotes, dashes, spaces or Unicode forms'
loosely 'list in current' 'LIST' 'task list in\302\240current \n' 'task LIST \n' \
	'quotes, dashes, spaces or Unicode forms'
loosely 'caf\303\251 x\nb\n' 'caf\303\251 x\nB\n' 'cafe\314\201 x\nb\n' 'cafe\314\201 x\nB\n' \
	'quotes, dashes, spaces or Unicode forms'
# What is composed with the letter before it belongs to that letter.
loosely '"\345\274\225"\345\217\267' 'x' \
	'\344\270\255\342\200\234\345\274\225\342\200\235\345\217\267 e\314\201.\n' \
	'\344\270\255x e\314\201.\n' 'quotes, dashes, spaces or Unicode forms'
loosely ' -caf\303\251-' 'x' ' \342\200\224cafe\314\201\342\200\224y\n' 'xy\n' \
	'quotes, dashes, spaces or Unicode forms'
printf '\342\200\224cafe\314\201\n' >f
fails 3 ikm edit f --old '-cafe' --new x
loosely 'a\nb\n' 'a\nB\n' '\n\na\nb' '\n\na\nB' 'line ends'
loosely 'a\nb\n' 'a\nB\n' 'x\na\r\nb\r\n' 'x\na\r\nB\r\n' 'line ends'
# A line stays also where one text ends with it and the other goes on behind it.
loosely 'a\nit is' 'a\nit is\nmore' 'a  \nit\302\240is' 'a  \nit\302\240is\nmore' \
	'blanks at line ends, quotes, dashes, spaces or Unicode forms'
loosely 'a\nb\nc' 'a\nb' 'a  \nb  \nc' 'a  \nb  ' 'blanks at line ends'
loosely 'a\nb' 'a\nb\n' 'a  \nb' 'a  \nb\n' 'blanks at line ends'
loosely 'a\nb' 'a\nb\nmore' 'a  \nb;\n' 'a  \nb\nmore;\n' 'blanks at line ends'
# The line that stays keeps its own line end, and not that of a line that goes.
loosely 'a\nb' 'a' 'a\r\nb\nc\n' 'a\r\nc\n' 'line ends'
loosely 'a\nb' 'a' 'a  \nb\t\r\nc\n' 'a  \nc\n' 'blanks at line ends'
loosely 'a\nb' 'a' 'a  \r\nb\t\nc\n' 'a  \r\nc\n' 'line ends, blanks at line ends'
loosely 'a\nb' 'a' 'a\r\nb c\n' 'a c\n' 'line ends'
loosely 'a\nb' 'a' 'a  \r\nb' 'a  ' 'blanks at line ends'
printf '\357\273\277' >f
ikm append f --text x
printf '\357\273\277x' | cmp - f
# A hash without its prefix, or in quotes, is one.
echo one >f
bare=$(sha256sum f | cut -d' ' -f1)
for hash in "$bare" "$(echo "$bare" | head -c 12)" "\"$bare\"" "\"sha256:$bare\"" "sha256:$bare"; do
	ikm edit f --old one --new two --if-match "$hash"
	ikm edit f --old two --new one
done
fails_for CHANGED ikm edit f --old one --new two --if-match 000000000000
fails_for BAD_ARGUMENT ikm edit f --old one --new two --if-match 'zz'
# Half of a line end is not one.
printf 'a\r\nb\nc\n' >f
ikm edit f --old "$(printf '\nb')" --new ' b'
printf 'a b\nc\n' | cmp - f
# Two places, a shift that the new text cannot have, and half of a word.
refused() { # REASON OLD NEW BEFORE
	printf "$4" >f
	cp f before
	jq -nc --arg o "$(printf "$2")" --arg n "$(printf "$3")" '{path:"f",old:$o,new:$n}' >in
	fails_for "$1" ikm --root . call file_edit <in >out
	cmp before f
}
refused NOT_UNIQUE '  a\n  b' '  c' '\ta\n\tb\n    a\n    b\n'
jq -e '.details.lines == [1,3]' out
refused NO_SUCH_TEXT '  a\n  b' 'c' 'a\nb\n'
refused NO_SUCH_TEXT '\ta\n\treturn x' 'c' 'a\nreturn xy\n'
# So many lines are not compared with each other, so none is written over.
{ echo 'a  '; seq 1 3000; } >f
cp f before
jq -nc --arg o "$(sed 's/ *$//' f)" --arg n "$(seq 3000 -1 1)" '{path:"f",old:$o,new:$n}' >in
fails_for NO_SUCH_TEXT ikm --root . call file_edit <in >out
cmp before f
grep -q 'fewer at a time' out
E

long 'a file of CR LF is edited in kind' <<'E'
crlf() { printf 'a\r\nb\r\nc\r\n' >dos; }
crlf
ikm edit dos --old 'a
b' --new 'x
y
z' --json >out
same '["crlf",1,null]' "$(jq -c '[.lineEnds,.replaced,.warnings]' out)"
printf 'x\r\ny\r\nz\r\nc\r\n' | cmp - dos
crlf
ikm edit dos --old b --new 'B
B2' 2>err
printf 'a\r\nB\r\nB2\r\nc\r\n' | cmp - dos
grep -q "'dos' has lines that end with CR LF, so the text got these" err
crlf
ikm edit dos --old b --new B --json >out
same null "$(jq .lineEnds out)"
printf 'd\ne' | ikm append dos --json >out
same crlf "$(jq -r .lineEnds out)"
printf 'a\r\nB\r\nc\r\nd\r\ne' | cmp - dos
ikm append dos --text f
printf 'a\r\nB\r\nc\r\nd\r\ne\r\nf' | cmp - dos
crlf
cp dos unix
ikm --root . call file_edit >out <<'I'
{"path": "dos", "old": "a\r\nb", "new": "1\r\n2"}
I
same null "$(jq .lineEnds out)"
printf '1\r\n2\r\nc\r\n' | cmp - dos
# If the old text has its own line ends, the new text keeps its line ends.
printf '%s' '{"path": "unix", "old": "\r\n", "new": "\n", "all": true}' |
	ikm --root . call file_edit >out
same '[null,null]' "$(jq -c '[.lineEnds,.warnings]' out)"
printf 'a\nb\nc\n' | cmp - unix
printf '%s' '{"path": "unix", "old": "b", "new": "b\r\nB"}' |
	ikm --root . call file_edit >out
same lf "$(jq -r .lineEnds out)"
printf 'a\nb\nB\nc\n' | cmp - unix
crlf
fails 2 ikm edit dos --old 'a
b' --new "$(printf 'a\r\nb')" 2>err
grep -q 'but for its line ends' err
E

try 'a file with both line ends gets the bytes as they are, and it is told' <<'E'
printf 'a\r\nb\nc\r\n' >both
ikm edit both --old b --new 'B
B2' --json >out
printf 'a\r\nB\nB2\nc\r\n' | cmp - both
same null "$(jq .lineEnds out)"
jq -e '.warnings[0] | contains("some with CR LF")' out
ikm append both --text d 2>err
not grep . err
printf 'e\n' | ikm append both 2>err
grep -q 'some with CR LF' err
# --all replaces the places that differ in their line ends too.
printf 'a\r\nb\na\nb\n' >all
ikm edit all --all --old 'a
b' --new c --json >out
printf 'c\nc\n' | cmp - all
same '[2,"line ends"]' "$(jq -c '[.replaced,.tolerated]' out)"
printf 'a\r\nb\r\n' >dos
echo '{"path": "dos", "old": "Yg==", "new": "Ygpj", "encoding": "base64"}' |
	ikm --root . call file_edit >out
printf 'a\r\nb\nc\r\n' | cmp - dos
same '[null,null]' "$(jq -c '[.lineEnds,.warnings]' out)"
E

try 'what makes no sense is refused' <<'E'
cp song f
fails_for BAD_ARGUMENT ikm edit f --old '' --new x
fails_for BAD_ARGUMENT ikm edit f --old one --new one
fails_for MISSING_PARAMETER ikm edit f --old one 2>../err
same "ikm: 'f': --new is missing
  give --old and --new, each with a text" "$(cat ../err)"
fails_for FILE_NOT_FOUND ikm edit none --old x --new y
fails_for NOT_A_FILE ikm edit . --old x --new y
cmp f song
E

try 'the other names of the parameters; bytes as base64' <<'E'
git init -q repo
cd repo
cp ../song f
echo '{"file_path": "f", "old_string": "one", "new_string": "1"}' | ikm call file_edit >out
echo '{"path": "f", "old_str": "two", "new_str": "2"}' | ikm call file_edit >out
echo '{"tool": "file_edit", "path": "f", "old": "four", "new": "4"}' | ikm call fs_edit >out
echo '{"path": "f", "old": "sheep", "new": "x", "replace_all": true}' | ikm call file_edit >out
same '1 x 2 x three x 4 goats' "$(xargs <f)"
fails 2 sh -c "echo '{\"path\": \"f\", \"old\": \"1\", \"old_str\": \"1\", \"new\": \"\"}' | ikm call file_edit"
printf 'a\0b\377' >bin
echo '{"path": "bin", "old": "AGI=", "new": "/wA=", "encoding": "base64"}' | ikm call file_edit >out
printf 'a\377\0\377' | cmp - bin
! ikm tool schema file_edit | grep -q old_str
E

long 'several edits: one after the other, all or none, with the changed lines' <<'E'
printf 'a\nb\nc\n' >m
edit() { echo "$1" | ikm --root . call file_edit; }
edit '{"path":"m","edits":[{"old":"a","new":"A"},{"oldText":"A\\nb","newText":"x"},{"old":"c","new":"c\\nd"}]}' >out
same '[3,"@@ -1,2 +1 @@\n-a\n-b\n+x\n@@ -3,0 +3 @@\n+d\n"]' "$(jq -c '[.replaced, .diff]' out)"
same 'x c d' "$(xargs <m)"
fails_for NO_SUCH_TEXT sh -c "echo '{\"path\":\"m\",\"edits\":[{\"old\":\"x\",\"new\":\"y\"},{\"old\":\"z\",\"new\":\"y\"}]}' | ikm --root . call file_edit >out"
jq -r .message out | grep -q "^'m': edits\[1\]: the old text is not there"
same 'x c d' "$(xargs <m)"
same '[true,true,"@@ -1 +1 @@\n-x\n+y\n"]' "$(edit '{"path":"m","old":"x","new":"y","dryRun":true}' | jq -c '[.dryRun, .changed, .diff]')"
same 'x c d' "$(xargs <m)"
for input in '"edits":[]' '"edits":[{"old":"x","new":"y"}],"old":"x"' '"edits":[{"old":"x"}]' '"old":"x"' '"new":"x"'; do
	fails 2 sh -c "echo '{\"path\":\"m\",$input}' | ikm --root . call file_edit"
done
seq 3000 >m
edit '{"path":"m","edits":[{"old":"1","new":"one","all":true}]}' | jq -r .diff | grep -q '^\.\.\. [0-9]* more bytes$'
E

more 'a text that begins with a hyphen, and regular expressions that are none' <<'E'
printf -- '--flag .* $x [a] \\1 &\n' >f
ikm edit f --old --flag --new -x
ikm edit f --old '.* $x [a]' --new '\1&'
same '-x \1& \1 &' "$(cat f)"
E

more 'a long run of nearly matching bytes does not take long' <<'E'
head -c 8000000 /dev/zero | tr '\0' a >run
{ head -c 1000000 run; echo b; } >needle
printf '{"path": "run", "old": "%s", "new": "x"}' "$(cat needle)" >in
fails 3 timeout 60 sh -c "ikm --root . call file_edit <in >out"
head -c 500000 run >half
printf '{"path": "run", "old": "%s", "new": "x"}' "$(cat half)" >in
fails 4 timeout 60 sh -c "ikm --root . call file_edit <in >out"
E

more 'a result over the limit is refused' <<'E'
head -c 2000000 /dev/zero | tr '\0' x >big
printf '{"path": "big", "old": "x", "new": "%s", "all": true}' "$(head -c 100 big)" >in
fails 2 sh -c "ikm --root . call file_edit <in >out"
same TOO_BIG "$(jq -r .details.reason out)"
same 2000000 "$(stat -c %s big)"
E
done_testing
