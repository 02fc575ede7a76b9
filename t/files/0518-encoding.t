#!/bin/sh
# Text that is not UTF-8 is read, searched and edited as text, and keeps its encoding.
. "$(dirname "$0")/../lib.sh"

tool() { # NAME JSON: the answer goes to out
	printf '%s' "$2" | ikm --root . call "$1" >out
}

try 'Latin-1 and UTF-16 are read as text, and the encoding is told' <<'E'
printf '/* caf\351 */\n' >a.c
tool file_read '{"path":"a.c"}'
same '["/* café */\n","iso-8859-1 (guessed)"]' "$(jq -c '[.content,.encoding]' out)"
printf 'say \223hi\224\n' >w
tool file_read '{"path":"w"}'
same '["say “hi”\n","windows-1252 (guessed)"]' "$(jq -c '[.content,.encoding]' out)"
printf '\377\376s\0e\0l\0\n\0' >q.sql
tool file_read '{"path":"q.sql"}'
same utf-16le "$(jq -r .encoding out)"
jq -e '.content | endswith("sel\n")' out
printf '\1\2\0\3' >bytes
tool file_read '{"path":"bytes"}'
same base64 "$(jq -r .encoding out)"
E

long 'encoding says how a file is read' <<'E'
printf '# \326\320\n\322\273\n' >g.md
tool file_read '{"path":"g.md","encoding":"gbk"}'
same '["# 中\n一\n","gbk"]' "$(jq -c '[.content,.encoding]' out)"
same "$(jq -r .hash out)" "$(ikm read g.md --json | jq -r .hash)"
tool fs_read '{"path":"g.md","encoding":"gbk","ranges":["2"]}'
same '["一\n"]' "$(jq -c '[.rangeSlices[].content]' out)"
tool file_edit '{"path":"g.md","old":"一","new":"一一","encoding":"gbk"}'
same '一一' "$(ikm read g.md --encoding gbk --lines 2)"
same '# 中' "$(ikm read g.md --encoding gbk --section 中 | head -n 1)"
tool file_read '{"path":"g.md","encoding":"base64"}'
jq -r .content out | base64 -d | cmp - g.md
same base64 "$(jq -r .encoding out)"
printf 'a\n' >plain
tool file_read '{"path":"plain","encoding":"base64"}'
same '["YQo=","base64"]' "$(jq -c '[.content,.encoding]' out)"
tool file_read '{"path":"g.md","encoding":"klingon"}' && exit 1
jq -e '.message | contains("klingon")' out
printf 'odd' >odd
tool file_read '{"path":"odd","encoding":"utf-16le"}' && exit 1
jq -e '.details.reason == "NOT_TEXT"' out
fails_for BAD_ARGUMENT ikm read g.md --encoding klingon
E

try 'an edit keeps each byte that it does not replace' <<'E'
printf 'caf\351\nb\n\374\n' >l
tool file_edit '{"path":"l","old":"b","new":"c"}'
printf 'caf\351\nc\n\374\n' | cmp - l
jq -e '.warnings[0] | contains("guessed as iso-8859-1")' out
tool file_edit '{"path":"l","old":"café","new":"le café"}'
printf 'le caf\351\nc\n\374\n' | cmp - l
printf '\377\376a\0\r\0\n\0b\0\r\0\n\0' >u
tool file_edit '{"path":"u","old":"b","new":"é\nc"}'
printf '\377\376a\0\r\0\n\0\351\0\r\0\n\0c\0\r\0\n\0' | cmp - u
tool fs_append '{"path":"u","text":"d\n"}'
printf '\377\376a\0\r\0\n\0\351\0\r\0\n\0c\0\r\0\n\0d\0\r\0\n\0' | cmp - u
printf -- '--- l\n+++ l\n@@ -1,2 +1,2 @@\n le café\n-c\n+d\n' >diff
ikm patch <diff 2>err
printf 'le caf\351\nd\n\374\n' | cmp - l
grep -q 'guessed' err
tool file_write '{"path":"l","content":"café x\n"}'
printf 'caf\351 x\n' | cmp - l
E

try 'a guess takes no other letters than ASCII, and encoding says it' <<'E'
printf 'caf\351\nb\n' >l
cp l before
tool file_edit '{"path":"l","old":"b","new":"été"}' && exit 1
jq -e '.details.guess == "iso-8859-1" and (.help.steps[0] | contains("encoding"))' out
tool fs_append '{"path":"l","text":"été"}' && exit 1
tool file_write '{"path":"l","content":"été été"}' && exit 1
cmp l before
tool file_edit '{"path":"l","old":"b","new":"été","encoding":"iso-8859-1"}'
printf 'caf\351\n\351t\351\n' | cmp - l
tool file_edit '{"path":"l","old":"été","new":"1 €","encoding":"latin1"}' && exit 1
jq -e '.message | contains("has no letter") and contains("€")' out
tool file_edit '{"path":"l","old":"été","new":"1 €","encoding":"windows-1252"}'
printf 'caf\351\n1 \200\n' | cmp - l
printf '\326\320\n' >g
tool file_edit '{"path":"g","old":"中","new":"中国","encoding":"gbk"}'
printf '\326\320\271\372\n' | cmp - g
tool file_write '{"path":"g","content":"文中\n","encoding":"gbk"}'
same '文中' "$(iconv -f GBK -t UTF-8 g)"
tool file_edit '{"path":"g","old":"a","new":"b","encoding":"klingon"}' && exit 1
jq -e '.message | contains("klingon")' out
tool file_write '{"path":"l","content":"été\n","encoding":"utf-8"}'
printf '\303\251t\303\251\n' | cmp - l
E

long 'ASCII that may be half of a letter is not edited by a guess' <<'E'
cut() { # BYTES ENCODING: the second byte of a letter is that of a backslash
	printf "$1" >s
	cp s before
	tool file_edit '{"path":"s","old":"\\","new":"/"}' && return 1
	jq -e --arg name "$2" '(.message | contains("cuts a letter")) and (.help.steps[0] | contains($name))' out
	cmp s before
	tool file_edit '{"path":"s","old":"\\","new":"/","encoding":"'"$2"'"}' && return 1
	jq -e '.details.reason == "NO_SUCH_TEXT"' out
	tool file_edit '{"path":"s","old":"x","new":"y"}'
	sed 's/x/y/' before | cmp - s
}
export LC_ALL=C
cut '\225\134x\n' cp932
cut '\201\102\225\134x\n' cp932
cut '\245\134x\n' big5
cut '\322\273\216\134x\n' gbk
printf '\225\134x\134y\n' >s
tool file_edit '{"path":"s","old":"x\\y","new":"x/y"}'
printf '\225\134x/y\n' | cmp - s
printf -- '--- s\n+++ s\n@@ -1 +1 @@\n-\342\200\242\134x/y\n+\342\200\242/x/y\n' >diff
fails_for BAD_ARGUMENT ikm patch <diff 2>err
grep -q 'cuts a letter' err
tool file_edit '{"path":"s","old":"\\","new":"/","encoding":"windows-1252"}'
printf '\225/x/y\n' | cmp - s
# Prose with one byte for each letter is edited as before.
for text in '[caf\351]' 'na\357ve_' '{\344|\366}' 'It\222s the boys\222_ and don\222t' \
	'cr\351\351e]' '\223hi\224] \226 x' 'l\222\351t\351_'; do
	for by in ']' _ '|' '}'; do
		printf "$text\n" >s
		grep -aqF "$by" s || continue
		tool file_edit '{"path":"s","old":"'"$by"'","new":"x"}'
		printf "$text\n" | tr "$by" x | cmp - s
	done
done
E

try 'UTF-16 with a mark is searched' <<'E'
printf '\377\376n\0e\0e\0d\0l\0e\0\n\0x\0\n\0' >q.sql
printf '\376\377\0n\0e\0e\0d\0l\0e\0\n' >r.sql
ikm search needle q.sql >out
grep -q 'needle' out
same 2 "$(ikm search needle q.sql r.sql --json | jq '.matches | length')"
E

long 'UTF-16 and UTF-32 without a mark are text too; what is no text is told' <<'E'
rm -rf wide
mkdir wide
cd wide
ru='нет needle тут, просто русский текст
' zh='你好，世界 needle
這是中文
'
for text in "needle
b
" "$ru" "$zh"; do
	printf '%s' "$text" >plain
	for as in utf-16le utf-16be utf-32le utf-32be utf-16 utf-32; do
		iconv -f utf-8 -t $as plain >f
		tool file_read '{"path":"f"}'
		[ "$text." = "$(jq -rj ".content | ltrimstr(\"\\ufeff\")" out; echo .)" ]
		jq -r .encoding out | grep -i "^${as%[lb]e}"
		same 1 "$(ikm search -c needle f | wc -l)"
		tool file_edit '{"path":"f","old":"needle","new":"thread"}'
		sed 's/needle/thread/' plain | iconv -f utf-8 -t $as | cmp - f
	done
done
printf 'needle\0\1\2\n' >bin
fails 1 ikm search needle bin 2>err
grep -q "'bin' was not searched: it is no text" err
printf '{"pattern":"needle"}' | ikm --root . call fs_search | jq -e '.skipped.binary == 1'
head -c 60000 "$(command -v sh)" >sh
tool file_read '{"path":"sh"}'
same base64 "$(jq -r .encoding out)"
E

try 'letters beyond ASCII are found in Latin-1' <<'E'
printf 'x\ncaf\351\n' >l.txt
same "l.txt:2:café" "$(ikm search café l.txt)"
E

try '.gitattributes and .editorconfig say the encoding' <<'E'
printf 'root = true\n[*.lat]\ncharset = latin1\n' >.editorconfig
printf '*.sjis text working-tree-encoding=SHIFT-JIS\n' >.gitattributes
printf 'b\n' >x.lat
tool file_edit '{"path":"x.lat","old":"b","new":"été"}'
printf '\351t\351\n' | cmp - x.lat
same null "$(jq -c .warnings out)"
# A stored asset of the same name is UTF-8.
tool file_write '{"path":"ikigai:///x.lat","content":"é\n"}'
tool file_edit '{"path":"ikigai:///x.lat","old":"é","new":"été"}'
same 'été' "$(ikm read ikigai:///x.lat)"
printf '\223\372\n' >x.sjis
tool file_read '{"path":"x.sjis"}'
same '["日\n","SHIFT-JIS"]' "$(jq -c '[.content,.encoding]' out)"
tool file_edit '{"path":"x.sjis","old":"日","new":"日本"}'
printf '\223\372\226\173\n' | cmp - x.sjis
E

long 'they say the encoding and the line ends of a new file too' <<'E'
rm -rf new
mkdir -p new/sub/deep
cd new
git init -q
{
	printf 'root = true\n[*]\nend_of_line = crlf\n[*.u16]\ncharset = utf-16le\n[*.l1]\ncharset = latin1\n'
	printf '[*.bom]\ncharset = utf-8-bom\n[*.sh]\nend_of_line = lf\n[*.any]\nend_of_line = unset\n'
} >.editorconfig
printf '*.wt working-tree-encoding=UTF-16BE eol=lf\n*.m working-tree-encoding=UTF-16\n*.bin -text\n' >.gitattributes
printf '[*.txt]\nend_of_line = lf\n' >sub/.editorconfig
printf 'root = true\n' >sub/deep/.editorconfig
has() { # FILE BYTES: by each way to make it
	printf "$2" >want
	name=${1##*/} folder=${1%"$name"}
	tool file_write '{"path":"'"$1"'","content":"é\nb\n"}'
	cmp want "$1"
	rm "$1"
	tool fs_append '{"path":"'"$1"'","text":"é\nb\n"}'
	cmp want "$1"
	rm "$1"
	printf -- '--- /dev/null\n+++ b/%s\n@@ -0,0 +1,2 @@\n+é\n+b\n' "$1" | ikm patch
	cmp want "$1"
	rm "$1"
	(cd "./$folder" && printf '*** Begin Patch\n*** Add File: %s\n+é\n+b\n*** End Patch\n' "$name" | ikm patch)
	cmp want "$1"
	: >"$1"
	tool file_write '{"path":"'"$1"'","content":"é\nb\n"}'
	cmp want "$1"
	rm "$1"
}
has a.txt '\303\251\r\nb\r\n'
has a.u16 '\351\0\r\0\n\0b\0\r\0\n\0'
has a.l1 '\351\r\nb\r\n'
has sub/a.l1 '\351\r\nb\r\n'
has a.bom '\357\273\277\303\251\r\nb\r\n'
has a.sh '\303\251\nb\n'
has a.any '\303\251\nb\n'
has a.wt '\0\351\0\n\0b\0\n'
has a.m '\377\376\351\0\r\0\n\0b\0\r\0\n\0'
has a.bin '\303\251\nb\n'
has sub/a.txt '\303\251\nb\n'
has sub/deep/a.l1 '\303\251\nb\n'
tool file_write '{"path":"t","content":"x\n"}'
same crlf "$(jq -r .lineEnds out)"
# The caller, and what a command reads, come first.
tool file_write '{"path":"e.l1","content":"é\n","encoding":"utf-8"}'
printf '\303\251\r\n' | cmp - e.l1
echo é | ikm write command.l1
printf '\303\251\n' | cmp - command.l1
tool file_write '{"path":"n.l1","content":"€\n"}' && exit 1
jq -e '(.message | contains("iso-8859-1")) and (.help.steps | tostring | contains(".editorconfig"))' out
not test -e n.l1
tool file_write '{"path":"new/dir/n.l1","parents":true,"content":"é"}'
printf '\351' | cmp - new/dir/n.l1
E

try "a diff of plain git is the bytes of its files" <<'E'
rm -rf raw
git init -q raw
cd raw
echo 'wide.sql working-tree-encoding=UTF-16LE' >.gitattributes
printf 'caf\351\ntwo\n' >l
printf 'c\0a\0f\0\351\0\n\0' >wide.sql
git add .
printf 'caf\351\nth\350e\n' >l
printf 't\0h\0\351\0\n\0' >wide.sql
git diff >../diff
cp -R . ../raw.new
ikm patch -R <../diff >/dev/null
git diff --exit-code
ikm patch <../diff >/dev/null
cmp l ../raw.new/l
cmp wide.sql ../raw.new/wide.sql
E

try 'text in the encoding that its folder declares is searched as text' <<'E'
rm -rf declared
mkdir -p declared/sub
cd declared
git init -q
printf '*.sql working-tree-encoding=UTF-16LE\n*.txt working-tree-encoding=GBK\n' >.gitattributes
printf 'root = true\n[*.jp]\ncharset = Shift_JIS\n[*.be]\ncharset = utf-16be\n' >sub/.editorconfig
printf 'select needle;\ncaf\303\251\n' | iconv -f UTF-8 -t UTF-16LE >q.sql
printf 'select needle;\ncaf\303\251\n' | iconv -f UTF-8 -t UTF-16BE >sub/q.be
printf 'needle \344\275\240\345\245\275\n' | iconv -f UTF-8 -t GBK >x.txt
# The second byte of these letters is a backslash in ASCII.
printf 'needle \350\241\250\350\203\275\n' | iconv -f UTF-8 -t SHIFT_JIS >sub/x.jp
same "q.sql:1:select needle; sub/q.be:1:select needle; sub/x.jp:1:needle 表能 x.txt:1:needle 你好" \
	"$(ikm search needle | paste -sd' ')"
same 'q.sql:2:café sub/q.be:2:café' "$(ikm search "$(printf 'caf\303\251')" | paste -sd' ')"
same 'x.txt:1' "$(ikm search -o "$(printf '\344\275\240')" | cut -d: -f1,2)"
fails 1 ikm search -F '\' sub/x.jp
echo '{"pattern":"needle"}' | ikm call fs_search | jq -e '.total == 4 and .skipped.binary == 0'
# What no file declares stays bytes, and what is not as declared too.
printf 'needle\0\n' >plain.bin
printf 'needle\0\n\0' >odd.sql
same 2 "$(echo '{"pattern":"needle","paths":["plain.bin","odd.sql"]}' | ikm call fs_search | jq .skipped.binary)"
E

try 'where no encoding can be guessed, new text has ASCII alone; utf-8 that is said is checked' <<'E'
printf 'x、y=1\n' | iconv -f UTF-8 -t shift_jis >sj.txt
cp sj.txt was
fails_for BAD_ARGUMENT ikm edit sj.txt --old 1 --new 日本 2>err
grep -q "its encoding is not known, so the new text may have ASCII alone, and not '日'" err
fails_for BAD_ARGUMENT ikm --root . call file_edit '{"path":"sj.txt","old":"=","new":"ソ"}'
cmp sj.txt was
ikm edit sj.txt --old y --new z
ikm edit sj.txt --encoding cp932 --old 1 --new 日本
same 'x、z=日本' "$(iconv -f shift_jis -t UTF-8 sj.txt)"
printf '中文8080\n' | iconv -f UTF-8 -t gbk >gbk.txt
cp gbk.txt was
fails_for NOT_TEXT ikm edit --encoding utf-8 gbk.txt --old 8080 --new 数据
fails_for NOT_TEXT ikm --root . call file_edit '{"path":"gbk.txt","old":"8080","new":"数据","encoding":"utf-8"}'
fails_for NOT_TEXT ikm read --encoding utf-8 gbk.txt
cmp gbk.txt was
echo 文 | ikm write gbk.txt --encoding utf-8
same 文 "$(cat gbk.txt)"
E
done_testing
