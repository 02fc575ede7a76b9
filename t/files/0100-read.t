#!/bin/sh
# ikm read: plain files, lines, JSON, roots, and what is not a file.
. "$(dirname "$0")/../lib.sh"

try 'bytes come out unchanged' <<'E'
head -c 300000 /dev/urandom >random
ikm read random | cmp - random
: >empty
ikm read empty | cmp - empty
printf 'no newline' >f
ikm read f | cmp - f
E

try 'lines' <<'E'
seq 1 100 >f
same "$(seq 10 12)" "$(ikm read f --lines 10:12)"
same "$(seq 99 100)" "$(ikm read f --lines 99:)"
same "$(seq 1 2)" "$(ikm read f --lines :2)"
same "$(printf '1\n50\n')" "$(ikm read f --lines 1 --lines 50:50)"
fails_for OUT_OF_RANGE ikm read f --lines 200:300 >out 2>err
same "ikm: line 200 is past the end: 'f' has 100 lines" "$(cat out err)"
same 100 "$(ikm read f --lines 200:300 --lines 100)"
: >empty
same '' "$(ikm read empty --lines 1:5)"
ikm write ikigai:///three --content "$(seq 3)"
fails_for OUT_OF_RANGE ikm read ikigai:///three --lines 5: 2>err
same "ikm: line 5 is past the end: 'ikigai:///three' has 3 lines" "$(cat err)"
for bad in 0:1 5:4 x : '' -1 1:2:3 1:x; do
	fails 2 ikm read f --lines="$bad"
done
E

try 'lines of a large file agree with sed' <<'E'
seq 1 200000 | sed 's/$/ some text that makes the line longer/' >f
ikm read f --lines 150000:150010 >a
sed -n '150000,150010p' f >b
cmp a b
ikm read f --number | tail -1 >a
same "200000	200000 some text that makes the line longer" "$(sed 's/^ *//' a)"
E

try 'JSON has content, hash, size and lines' <<'E'
printf 'one\ntwo' >f
ikm read f --json >out
same 'one
two' "$(jq -r .content out)"
same "sha256:$(sha256sum f | cut -d' ' -f1)" "$(jq -r .hash out)"
same '[7,2]' "$(jq -c '[.size, .lines]' out)"
same f "$(jq -r .path out)"
E

try 'content that is no text is base64 in JSON' <<'E'
printf 'a\0b\377' >f
ikm read f --json >out
same base64 "$(jq -r .encoding out)"
jq -r .content out | base64 -d | cmp - f
E

try 'what is not a file is an error, and never hangs' <<'E'
mkdir d
mkfifo fifo
ln -s nowhere dangling
for name in d fifo /dev/null /dev/zero; do
	fails 2 timeout 5 ikm read "$name" --json >out
	same NOT_A_FILE "$(jq -r .details.reason out)"
done
fails 3 ikm read dangling
fails 3 ikm read missing --json >out
same FILE_NOT_FOUND "$(jq -r .details.reason out)"
jq -e '.message | contains("missing")' out
fails 2 ikm read "$(printf '%05000d' 1)"
E

try 'an unreadable file is named' <<'E'
echo x >locked
chmod 0 locked
fails 8 ikm read locked 2>err
grep -q "locked" err
E

long 'as a tool only files below the repository are open' <<'E'
git init -q repo
cd repo
echo inside >f
mkdir d
ln -s ../f d/in
ln -s "$PWD/f" d/absolute
ln -s /etc/passwd out
ln -s ../../home d/up
echo secret >"$HOME/secret"
ask() { printf '{"path": "%s"}' "$1" | ikm call file_read 2>/dev/null; }
same inside "$(ask f | jq -r .content)"
same inside "$(ask d/in | jq -r .content)"
same inside "$(ask d/absolute | jq -r .content)"
same inside "$(ask "$PWD/f" | jq -r .content)"
same inside "$(ask d/../f | jq -r .content)"
for path in /etc/passwd out ../outside d/up/secret "$HOME/secret" .git/config d/../.git/HEAD \
	/proc/self/environ; do
	ask "$path" >../out && exit 1
	same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
done
E

try 'without a repository tools say which line to add' <<'E'
mkdir plain
cd plain
echo x >f
fails 5 sh -c "echo '{\"path\": \"f\"}' | ikm call file_read >out 2>err"
same NO_ROOTS "$(jq -r .details.reason out)"
jq -r '.help.steps[]' out | grep -q '"roots"'
# Stored assets are in no folder.
echo '{"path": "ikigai:///blocks/a.md", "content": "x"}' | ikm call file_write >out
same x "$(echo '{"path": "ikigai:///blocks/a.md"}' | ikm call file_read | jq -r .content)"
mkdir -p "$HOME/.ikigai"
printf '{"files": {"roots": ["%s"]}}' "$PWD" >"$HOME/.ikigai/config.json"
same x "$(echo '{"path": "f"}' | ikm call file_read | jq -r .content | tr -d '\n')"
rm "$HOME/.ikigai/config.json"
E

try 'other names of the parameter are accepted, and not in the schema' <<'E'
git init -q r2
cd r2
echo y >f
same y "$(echo '{"file_path": "f"}' | ikm call fs_read | jq -r .content | tr -d '\n')"
same y "$(echo '{"tool": "file_read", "path": "f"}' | ikm call file_read | jq -r .content | tr -d '\n')"
fails 2 sh -c "echo '{\"path\": \"f\", \"file_path\": \"f\"}' | ikm call file_read"
! ikm tool schema file_read | grep -q file_path
E

try 'what is not there: the name in its folder that is near' <<'E'
mkdir near
echo x >near/server.js
echo x >near/README.md
ln -s nowhere near/dangling
near() { ikm read "near/$1" 2>&1 | sed -n '2s/^ *//p'; }
same "did you mean 'near/server.js'?" "$(near servr.js)"
same "did you mean 'near/server.js'?" "$(near server)"
same "did you mean 'near/README.md'?" "$(near readme.md)"
lists="'ikm list --dirs' lists the files and folders"
same "$lists" "$(near something)"
same "$lists" "$(near dangling)"
same "$lists" "$(ikm read gone/server.js 2>&1 | sed -n '2s/^ *//p')"
git init -q near
cd near
same '["did you mean '\''server.js'\''?"]' \
	"$(echo '{"path": "server.ts"}' | ikm call file_read 2>/dev/null | jq -c .help.steps)"
echo '{"path": ".git/HEAT"}' | ikm call file_read >../out 2>&1 || true
fails 1 grep 'did you mean' ../out
echo '{"path": "../server.js"}' | ikm call file_read >../out 2>&1 || true
fails 1 grep 'did you mean' ../out
E
try 'ranges of fs.read: a slice for each, in the order given' <<'E'
git init -q ranges
cd ranges
seq 1 20 >f
printf '\377\n' >>f
echo '{"path": "f", "ranges": ["19:", "2:3", "3", "30:40"]}' | ikm call fs_read >out
same '[[19,21,"19\n20\nÿ\n",null],[2,3,"2\n3\n",null],[3,3,"3\n",null],[30,29,"",null]]' \
	"$(jq -c '[.rangeSlices[] | [.startLine, .endLine, .content, .encoding]]' out)"
same '[null,21]' "$(jq -c '[.content, .lines]' out)"
echo '{"path": "f", "ranges": ["1"], "lines": ["2"]}' >in
fails 2 sh -c 'ikm call fs_read <in >out'
ikm tool schema file_read | jq .parameters | not grep -q ranges
echo '{"path": "f", "paths": ["f"], "ranges": ["1"]}' | ikm call file_read >out
same '["1\n","1\n"]' "$(jq -c '[.files[].rangeSlices[].content]' out)"
# Without path the first of paths takes its place.
echo '{"paths": ["f", "f"], "ranges": ["1"]}' | ikm call file_read | diff out -
same f "$(echo '{"paths": ["f"]}' | ikm call file_read | jq -r .path)"
echo '{"paths": []}' >in
fails_for MISSING_PARAMETER sh -c 'ikm call file_read <in'
E

more 'a file over 64 MiB is read by its lines on every face' <<'E'
git init -q large
cd large
seq -f '%020.0f' 1 3400000 >big
same "$(sed -n 3399999,3400000p big)" "$(ikm read big --lines 3399999:)"
echo '{"path": "big", "lines": ["3000000:3000001", "7"]}' >in
(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 150000
	ikm call file_read <in >out)
same "$(sed -n '7p;3000000,3000001p' big)" "$(jq -r .content out)"
same '[71400000,null,null]' "$(jq -c '[.size, .hash, .lines]' out)"
echo '{"path": "big", "ranges": ["2", "3399999:"]}' | ikm call fs_read >out
same '[["00000000000000000002\n",2],["00000000000003399999\n00000000000003400000\n",3400000]]' \
	"$(jq -c '[.rangeSlices[] | [.content, .endLine]]' out)"
fails 2 sh -c 'echo "{\"path\": \"big\"}" | ikm call file_read >out'
same TOO_BIG "$(jq -r .details.reason out)"
jq -e '.help.steps[0] | contains("read it by parts: lines [\"1:1000\"]")' out
echo '{"path": "big", "lines": ["5:"]}' >in
fails 2 sh -c 'ikm call file_read <in >out'
jq -e '.help.steps[0] == "ask for fewer lines"' out
echo '{"path": "big", "section": "x"}' | ikm call file_read >out || true
jq -e '.message | contains("sections")' out
E

more 'reading ends when nobody reads the output any more' <<'E'
truncate -s 1T hole
{ timeout 60 ikm read hole 2>err || echo $? >status; } | head -c 1 >out
same 141 "$(cat status)"
[ ! -s err ]
E

more 'bytes of files of any size; no character is cut' <<'E'
git init -q bytes
cd bytes
printf 'a\303\244\342\202\254b\n' >f # aä€b
same 'ä' "$(ikm read f --bytes 2:2)"
same '€b' "$(ikm read f --bytes 3:)"
same 'ä€' "$(ikm read f --bytes 2:5)"
printf 'x\nyz\n' >lines
same '     2	z' "$(ikm read lines --number --bytes 4:5)"
# Parts end and begin at the same places: nothing is lost, whatever the bytes are.
printf '\303\251\251\303(\342\202\377\200\360\237\230\200\360\237' >odd
for n in 1 2 3 5; do
	: >parts
	for from in $(seq 1 $n "$(wc -c <odd)"); do
		ikm read odd --bytes "$from:$((from + n - 1))" >>parts
	done
	cmp odd parts
done
seq -f '%020.0f' 1 3400000 >big
printf '\342\202\254' | dd of=big bs=1 seek=70000000 conv=notrunc 2>/dev/null
same '€' "$(ikm read big --bytes 70000001:70000002)"
echo '{"path": "big", "bytes": "69999997:70000001"}' >in
(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 150000
	ikm call file_read <in >out)
same "$(tail -c +69999997 big | head -c 7)" "$(jq -r .content out)"
same '[71400000,null,null]' "$(jq -c '[.size, .hash, .lines]' out)"
same '"3399999\n"' "$(echo '{"path": "big", "bytes": "71399972:71399979"}' | ikm call file_read | jq .content)"
echo '{"path": "big", "bytes": "71400001:"}' >in
fails 2 sh -c 'ikm call file_read <in >out'
same "OUT_OF_RANGE '71400001:' is past the end: there are 71400000 bytes" "$(jq -r '"\(.details.reason) \(.message)"' out)"
echo '{"path": "big", "bytes": ":"}' | ikm call file_read >out || true
same BAD_ARGUMENT "$(jq -r .details.reason out)"
echo '{"path": "big", "bytes": "1:"}' | ikm call file_read >out || true
same '["TOO_BIG","ask for fewer bytes"]' "$(jq -c '[.details.reason, .help.steps[0]]' out)"
echo '{"path": "big", "lines": ["5000000:"]}' | ikm call file_read >out || true
same "line 5000000 is past the end: 'big' has 3400000 lines" "$(jq -r .message out)"
echo '{"path": "f", "bytes": "1:", "ranges": ["1"]}' | ikm call file_read >out || true
same BAD_ARGUMENT "$(jq -r .details.reason out)"
E
done_testing
