#!/bin/sh
# ikm write, append, mkdir, move and hash on plain files; base64, --if-match, hard links; what read
# has besides bytes and lines.
. "$(dirname "$0")/../lib.sh"

hash_of() { printf 'sha256:%s' "$(sha256sum "$1" | cut -d' ' -f1)"; }

try 'standard input is the content, or --content' <<'E'
head -c 300000 /dev/urandom >random
ikm write f <random
cmp f random
ikm write f --content - <random
cmp f random
ikm write f --content 'a line'
printf 'a line' | cmp - f
ikm write empty </dev/null
[ -f empty ] && [ ! -s empty ]
ikm write f --content '' 2>err
[ ! -s f ]
same "ikm: warning: 'f' had 6 bytes, and is empty now" "$(cat err)"
ikm write f </dev/null 2>err
same '' "$(cat err)"
fails_for BAD_ARGUMENT ikm write f - </dev/null
E

try 'JSON tells hash, size, and whether it was new or changed' <<'E'
printf one | ikm write n --json >out
same "$(hash_of n)" "$(jq -r .newHash out)"
same '["n",3,true,true,null]' "$(jq -c '[.path,.bytes,.created,.changed,.warnings]' out)"
before=$(stat -c %i n)
printf one | ikm write n --json >out
same '[false,false]' "$(jq -c '[.created,.changed]' out)"
same "$before" "$(stat -c %i n)" # it was not written at all
printf two | ikm write n --json >out
same '[false,true]' "$(jq -c '[.created,.changed]' out)"
E

long 'as a tool, by its names; content may be base64' <<'E'
git init -q repo
cd repo
printf '%s' '{"path": "f", "content": "a\u0000b\n"}' | ikm call file_write >out
printf 'a\0b\n' | cmp - f
head -c 1000 /dev/urandom >../random
printf '{"tool": "file_write", "file_path": "g", "content": "%s", "encoding": "base64"}' \
	"$(base64 -w0 ../random)" | ikm call fs_write >out
cmp g ../random
echo '{"path": "g"}' | ikm call file_read >out
same base64 "$(jq -r .encoding out)"
jq -c '{path: "copy", content, encoding}' out | ikm call file_write
cmp copy ../random
for bad in e eA eA= ==== 'e A=='; do
	fails 2 sh -c "echo '{\"path\": \"h\", \"content\": \"$bad\", \"encoding\": \"base64\"}' |
		ikm call file_write >out 2>err"
	same WRONG_TYPE "$(jq -r .details.reason out)"
done
fails 2 sh -c "echo '{\"path\": \"h\", \"content\": \"x\", \"encoding\": \"hex\"}' | ikm call file_write"
fails 2 sh -c "echo '{\"path\": \"h\"}' | ikm call file_write >out"
same content "$(jq -r .details.parameter out)"
[ ! -e h ]
E

try 'a tool keeps line ends and a byte order mark; what is lost is told' <<'E'
printf 'a\r\nb\r\n' >dos
printf '%s' '{"path":"dos","content":"a\nB\n"}' | ikm --root . call file_write >out
printf 'a\r\nB\r\n' | cmp - dos
same crlf "$(jq -r .lineEnds out)"
printf '\357\273\277a\n' >marked
printf '%s' '{"path":"marked","content":"b\n"}' | ikm --root . call file_write >out
printf '\357\273\277b\n' | cmp - marked
jq -e '.warnings[0] | contains("byte order mark")' out
# A text with CR LF is meant; a file with both line ends has none to keep.
printf 'a\nb\n' >unix
printf '%s' '{"path":"unix","content":"a\r\nb\r\n"}' | ikm --root . call file_write >out
printf 'a\r\nb\r\n' | cmp - unix
jq -e '.warnings[0] | startswith("2 lines of")' out
printf 'a\r\nb\nc\r\n' >mixed
printf '%s' '{"path":"mixed","content":"a\nb\nc\n"}' | ikm --root . call file_write >out
jq -e '.warnings[0] | startswith("2 lines of") and contains("CR LF, and the new text has LF")' out
# A command writes the bytes that it gets.
printf 'a\r\nb\r\n' >dos
printf 'a\nb\n' | ikm write dos 2>err
printf 'a\nb\n' | cmp - dos
grep -q '2 lines of' err
printf '%s' '{"path":"dos","encoding":"base64","content":"YQ0KYg=="}' | ikm --root . call file_write >out
same null "$(jq .warnings out)"
E

long '--if-match compares, with either hash' <<'E'
echo one >m
first=$(ikm read m --json | jq -r .hash)
echo two | ikm write m --if-match "$first"
fails 4 sh -c "echo three | ikm write m --if-match $first --json >out 2>err"
same '["CHANGED",true]' "$(jq -c '[.details.reason,.retryable]' out)"
same "$(hash_of m)" "$(jq -r .details.currentHash out)"
same "$first" "$(jq -r .details.expected out)"
same two "$(cat m)"
printf 'two  \r\n\r\n' >m
printf 'two\n' >canonical
text=$(ikm hash canonical)
echo three | ikm write m --if-match "$text"
same three "$(cat m)"
printf 'a\0' >binary
fails 2 ikm write binary --content x --if-match "$text"
fails 4 ikm write m --content x --if-match none
ikm write new --content x --if-match none
fails 4 sh -c "ikm write gone --content x --if-match $first --json >out"
same none "$(jq -r .details.currentHash out)"
[ ! -e gone ]
for bad in '' x sha256:12 "$first"0 "SHA256:${first#*:}" "md5:${first#*:}"; do
	fails 2 ikm write m --content x --if-match="$bad"
done
same three "$(cat m)"
ikm edit m --old three --new four --if-match "$(hash_of m)"
fails 4 ikm edit m --old four --new five --if-match "$first"
fails 4 ikm append m --text five --if-match "$first"
same four "$(cat m)"
E

try 'folders are made when asked' <<'E'
fails 3 ikm write no/such/f --content x 2>err
grep -q parents err
[ ! -e no ]
ikm write no/such/f --content x --parents
same x "$(cat no/such/f)"
fails_for CHANGED ikm write no/other/g --content y --parents --if-match "$(hash_of no/such/f)"
[ ! -e no/other ] # what was made for nothing is taken back
fails_for NOT_A_FILE ikm write no/such --content y
E

try 'modes are kept; hard links need a word; links are followed' <<'E'
echo x >mode
chmod 750 mode
ikm write mode --content y
same 750 "$(stat -c %a mode)"
ikm write tool -x --content '#!/bin/sh'
same 755 "$(stat -c %a tool)"
echo x >h1
ln h1 h2
fails 4 ikm write h1 --content y --json >out
same HARD_LINKED "$(jq -r .details.reason out)"
ikm write h1 --content y --break-links
same "y x" "$(cat h1) $(cat h2)"
ln -s mode link
ikm write link --content z
[ -L link ]
same z "$(cat mode)"
ln -s there dangling
ikm write dangling --content z
same z "$(cat there)"
chmod 444 mode
fails_for PERMISSION ikm write mode --content no
same z "$(cat mode)"
E

try 'append puts text on a line of its own' <<'E'
printf 'one' >a
ikm append a --text 'two
' --json >out
same 'one
two' "$(cat a)"
same '[8,8,false]' "$(jq -c '[.newSize,.bytes,.created]' out)"
echo three | ikm append a
same 'one
two
three' "$(cat a)"
printf 'no newline' >b
ikm append b --text ''
printf 'no newline' | cmp - b
ikm append made --text x --json | jq -e .created
printf x | cmp - made
printf 'a\0' >bin
printf '\377' | ikm append bin
printf 'a\0\n\377' | cmp - bin
E

try 'mkdir makes what is missing' <<'E'
same true "$(ikm mkdir d/e/f --json | jq .created)"
same false "$(ikm mkdir d/e/f --json | jq .created)"
same '' "$(ikm mkdir d/e/f)"
echo x >file
fails 4 ikm mkdir file
fails 4 ikm mkdir file/below
ln -s d dlink
ikm mkdir dlink/e/g
[ -d d/e/g ]
git init -q mk
cd mk
echo '{"path": "a/b"}' | ikm call fs_ensure_dir >out
[ -d a/b ]
echo x >file
fails 4 sh -c "echo '{\"path\": \"file\"}' | ikm call fs_ensure_dir"
fails 4 sh -c "echo '{\"path\": \"file/below\"}' | ikm call fs_ensure_dir"
ln -s ../d away
for path in ../up .git/x a/../../up away/x; do
	fails 5 sh -c "echo '{\"path\": \"$path\"}' | ikm call fs_ensure_dir"
done
[ ! -e ../up ] && [ ! -e ../d/x ]
E

try 'a person moves a file of any size, and one that nobody may read; a folder stays' <<'E'
mkdir moves
cd moves
truncate -s 100M big
ikm move --maintainer big larger
[ ! -e big ]
same 104857600 "$(stat -c %s larger)"
chmod 000 larger
ikm move --maintainer larger big
chmod 600 big
fails 2 ikm move --maintainer big larger --if-match sha256:$(printf %064d 0) --json >out
same TOO_BIG "$(jq -r .details.reason out)"
rm big
mkdir folder
fails 2 ikm move --maintainer folder other --json >out
same NOT_A_FILE "$(jq -r .details.reason out)"
fails_for FILE_NOT_FOUND ikm move --maintainer nothing other
echo >file
fails 3 ikm move --maintainer file no/folder --json >out
jq -r '.help.steps[]' out | grep -q parents
E

more 'move is for maintainers, and replaces nothing' <<'E'
echo x >from
fails_for NOT_ALLOWED ikm move from to
ikm move --maintainer from to
same x "$(cat to)"
[ ! -e from ]
echo y >other
fails_for EXISTS ikm move --maintainer other to
same x "$(cat to)"
fails_for EXISTS ikm move --maintainer to to
fails_for CHANGED ikm move --maintainer to to2 --if-match "$(hash_of other)"
fails_for FILE_NOT_FOUND ikm move --maintainer none to2
fails_for FILE_NOT_FOUND ikm move --maintainer other no/dir/to
ikm move --maintainer --parents other no/dir/to
same y "$(cat no/dir/to)"
mkdir folder
fails_for NOT_A_FILE ikm move --maintainer folder folder2
ln -s to l
fails_for NOT_A_FILE ikm move --maintainer l l2
fails_for BAD_ARGUMENT ikm move --maintainer to ikigai:///to
ikm tool list --json | jq -e '[.tools[].name] | index("fs_move") == null'
git init -q mv
cd mv
echo x >f
fails 7 sh -c "echo '{\"path\": \"f\", \"newPath\": \"g\"}' | ikm call fs_move >out"
echo '{"path": "f", "newPath": "g"}' | ikm call fs_move --maintainer >../moved
jq -e '.ok and (.event | length > 20)' ../moved
fails 5 sh -c "echo '{\"path\": \"g\", \"newPath\": \"../g\"}' | ikm call fs_move --maintainer"
[ -f g ]
E

more 'hash does not see line ends and trailing blanks' <<'E'
printf 'a\nb\n' >t1
printf 'a  \r\nb\t\n\n\n' >t2
printf 'a\rb' >t3
printf 'a\n\nb\n' >t4
printf ' a\nb\n' >t5
same "$(ikm hash t1)" "$(ikm hash t2)"
same "$(ikm hash t1)" "$(ikm hash t3)"
[ "$(ikm hash t1)" != "$(ikm hash t4)" ]
[ "$(ikm hash t1)" != "$(ikm hash t5)" ]
same "text:sha256:$(sha256sum t1 | cut -d' ' -f1)" "$(ikm hash t1)"
printf '\n \n' >t6
same "text:sha256:$(sha256sum </dev/null | cut -d' ' -f1)" "$(ikm hash t6)"
printf 'x\377' >bin
fails_for NOT_TEXT ikm hash bin
fails_for NOT_A_FILE ikm hash .
E

more 'sections by anchor, its bare name, or slug' <<'E'
cat >s.md <<'M'
---
id: x
---
# Profile

## What worries
<!-- @anchor: concerns v1 -->

one
two

## Other things

three
M
same "$(sed -n '6,11p' s.md)" "$(ikm read s.md --section concerns)"
same "$(ikm read s.md -s 'concerns v1')" "$(ikm read s.md -s what-worries)"
same "     6	## What worries" "$(ikm read s.md -s concerns -n | head -1)"
sed -n '6,11p' s.md >part
same "$(ikm hash part)" "$(ikm hash s.md --section concerns)"
ikm read s.md --section other-things --json >out
same "$(sed -n '12,$p' s.md)" "$(jq -r .content out)"
same "$(hash_of s.md)" "$(jq -r .hash out)"
fails 3 ikm read s.md --section concern --json >out 2>err
same '["NO_SUCH_SECTION",true]' \
	"$(jq -c '[.details.reason,(.details.sections | index("concerns v1") != null)]' out)"
fails 3 ikm read s.md --section quite-another 2>err
grep -q '^  its sections: .*concerns v1, ' err
fails_for BAD_ARGUMENT ikm read s.md --section concerns --lines 1
E

more 'read takes several, and tells tokens' <<'E'
printf 'one\n' >r1
printf 'two' >r2
same 'one
two' "$(ikm read r1 r2)"
ikm read r1 r2 r1 --json >out
same '[["files"],3,"r2","two"]' "$(jq -c '[keys,(.files|length),.files[1].path,.files[1].content]' out)"
jq -e '[.files[].tokens] | all(. > 0)' out
fails 3 ikm read r1 none --json >out
git init -q rr
cd rr
echo x >a
echo y >b
same 2 "$(echo '{"path": "a", "paths": ["b"]}' | ikm call file_read | jq '.files | length')"
seq 1000 >long
short=$(ikm read long --lines :10 --json | jq .tokens)
[ "$short" -lt "$(ikm read long --json | jq .tokens)" ]
E

more 'reading creates no store' <<'E'
rm -rf "$HOME/.ikigai"
fails_for NO_SUCH_ASSET ikm read ikigai:///none
fails_for NO_SUCH_ASSET ikm hash ikigai:///none
[ ! -e "$HOME/.ikigai" ]
echo x >quiet
before=$(stat -c '%Y %Z %i' quiet .)
ikm read quiet --json >../out.json
ikm hash quiet
same "$before" "$(stat -c '%Y %Z %i' quiet .)"
E

more 'what tools change is recorded, what a person changes is not' <<'E'
rm -rf "$HOME/.ikigai"
git init -q ev
cd ev
ikm write f --content one
[ ! -e "$HOME/.ikigai" ]
echo '{"path": "f", "content": "two"}' | ikm call file_write >out
jq -e '.event | length > 20' out
echo '{"path": "f", "content": "two"}' | ikm call file_write | jq -e '.event == null'
db=$HOME/.ikigai/ikm.db
same 1 "$(sqlite3 "$db" "select count(*) from events where op = 'write' and file_path = '$PWD/f'")"
fails 3 sh -c "echo '{\"path\": \"f\", \"old\": \"nope\", \"new\": \"x\"}' | ikm call file_edit"
same 1 "$(sqlite3 "$db" "select count(*) from events where number = 0")"
E

more 'a record that cannot be written: nothing is changed' <<'E'
git init -q rec
cd rec
echo one >f
mkdir ro
chmod 555 ro
fails 8 sh -c "echo '{\"path\": \"f\", \"content\": \"two\"}' | IKIGAI_HOME=$PWD/ro/home ikm call file_write >out"
jq -e '.help.steps | map(contains("undo.days")) | any' out
same one "$(cat f)"
fails 8 sh -c "echo '{\"path\": \"new/f\", \"content\": \"x\", \"parents\": true}' |
	IKIGAI_HOME=$PWD/ro/home ikm call file_write"
[ ! -e new ]
mkdir home2
echo '{"undo": {"days": 0}}' >home2/config.json
chmod 555 home2
echo '{"path": "f", "content": "two"}' | IKIGAI_HOME=$PWD/home2 ikm call file_write >out
same two "$(cat f)"
E
done_testing
