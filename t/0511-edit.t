#!/bin/sh
# ikm edit: exact bytes, once or everywhere, and what it says when the text is not there.
. "$(dirname "$0")/lib.sh"

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
same '["NOT_UNIQUE",["1","2","3"]]' "$(jq -c '[.details.reason,.details.lines]' out)"
jq -e '.retryable == false' out
cmp f song
printf 'aaa' >over
refused NOT_UNIQUE ikm edit over --old aa --new b
ikm edit over --old aa --new b --all
same ba "$(cat over)"
ikm edit f --old sheep --new goats --all --json >out
same 3 "$(jq .replaced out)"
same "$(sed s/sheep/goats/ song)" "$(cat f)"
seq -f 'line %g' 1000 >many
fails 4 ikm edit many --old line --new x --json >out
same 20 "$(jq '.details.lines | length' out)"
E

try 'none: the nearest line is named' <<'E'
cp song f
fails 3 ikm edit f --old 'three sheeps' --new x --json >out
same '["NO_SUCH_TEXT",3,"three sheep"]' \
	"$(jq -c '[.details.reason,.details.nearestLine,.details.nearest]' out)"
refused NO_SUCH_TEXT ikm edit f --old '  two sheep
' --new x --json >out
jq -e '.help.steps[0] | contains("blanks") and contains("line 2")' out
printf 'a\r\nb\r\n' >dos
refused NO_SUCH_TEXT ikm edit dos --old 'a
b' --new x --json >out
fails 3 ikm edit f --old 'qqqqqqqqqqqq' --new x --json >out
jq -e '.details.nearestLine == null' out
printf '\377\376sheep here\n' >bytes
fails 3 ikm edit bytes --old 'sheep hare' --new x --json >out
jq -e '.details.nearest | contains("sheep here")' out
: >empty
refused NO_SUCH_TEXT ikm edit empty --old x --new y
cmp f song
E

try 'what makes no sense is refused' <<'E'
cp song f
refused BAD_ARGUMENT ikm edit f --old '' --new x
refused BAD_ARGUMENT ikm edit f --old one --new one
refused MISSING_PARAMETER ikm edit f --old one
refused FILE_NOT_FOUND ikm edit none --old x --new y
refused NOT_A_FILE ikm edit . --old x --new y
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

try 'a text that begins with a hyphen, and regular expressions that are none' <<'E'
printf -- '--flag .* $x [a] \\1 &\n' >f
ikm edit f --old --flag --new -x
ikm edit f --old '.* $x [a]' --new '\1&'
same '-x \1& \1 &' "$(cat f)"
E

try 'a long run of nearly matching bytes does not take long' <<'E'
head -c 8000000 /dev/zero | tr '\0' a >run
{ head -c 1000000 run; echo b; } >needle
printf '{"path": "run", "old": "%s", "new": "x"}' "$(cat needle)" >in
fails 3 timeout 60 sh -c "ikm --root . call file_edit <in >out"
head -c 500000 run >half
printf '{"path": "run", "old": "%s", "new": "x"}' "$(cat half)" >in
fails 4 timeout 60 sh -c "ikm --root . call file_edit <in >out"
E

try 'a result over the limit is refused' <<'E'
head -c 2000000 /dev/zero | tr '\0' x >big
printf '{"path": "big", "old": "x", "new": "%s", "all": true}' "$(head -c 100 big)" >in
fails 8 sh -c "ikm --root . call file_edit <in >out"
same TOO_BIG "$(jq -r .details.reason out)"
same 2000000 "$(stat -c %s big)"
E
done_testing
