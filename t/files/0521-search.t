#!/bin/sh
# ikm search, ikm grep: the lines that grep -P, git grep and ripgrep find.
. "$(dirname "$0")/../lib.sh"
gen=$TOP/t/tool
export gen

for seed in 1 2 3; do
	export seed
	some 3 "generated patterns, options and texts: as grep -P (seed $seed)" <<'E'
mkdir w
cd w
git init -q
LC_ALL=C.UTF-8 perl "$gen/search-cases.pl" "$seed" $((120 / share)) 2>/dev/null
E
	rm -rf w
done

more 'sources: as git grep and ripgrep' <<'E'
mkdir src
cp -R "$TOP/lib" "$TOP/cmd" "$TOP/man" src
cd src
git init -q
git add -A
for p in 'struct \w+ \*' 'return' '^static .*\(void\)' 'TRY\(' '[0-9]{4,}' 'str_(sub|dup)' '\bif\b.*;$' \
	'no such line anywhere' '#define\s+[A-Z_]+\s+\(\(size_t\)' '(\w)\1\1' '^$' '.'; do
	ikm search -e "$p" >../got || [ $? = 1 ]
	git grep -InP -e "$p" >../want || [ $? = 1 ]
	cmp ../got ../want || { echo "git grep: $p"; exit 1; }
	command -v rg >/dev/null || continue
	rg -nP --no-heading --sort path -e "$p" . | sed 's/^..//' | sort >../want || :
	sort ../got >../sorted
	cmp ../sorted ../want || { echo "rg: $p"; exit 1; }
done
set --
for p in arena_new 'sizeof\(\*' 'E_[A-Z]+' 'memcpy|memmove' 'if \(!\w+\)' 'while \(1'; do
	set -- "$@" -e "$p"
done
ikm search "$@" >../got
git grep -InP "$@" >../want
cmp ../got ../want
ikm search -l "$@" >../got
git grep -IlP "$@" >../want
cmp ../got ../want
ikm search -c "$@" >../got
git grep -IcP "$@" >../want
cmp ../got ../want
E

more '-o: each match, as grep -oP and git grep -o find them' <<'E'
cd src
for p in 'str_\w+' '[0-9]+' '\(void\)|void' 'TRY\(\w+' '(?<=struct )\w+' '^#\w+' ';$' 'no such line'; do
	ikm search -o "$p" >../got || [ $? = 1 ]
	git grep -InoP -e "$p" >../want || [ $? = 1 ]
	cmp ../got ../want || { echo "git grep -o: $p"; exit 1; }
done
ikm search -o 'x*' lib/core/base/err.c | cut -d: -f2- >../got
grep -noP 'x*' lib/core/base/err.c | cmp ../got -
ikm search -o -e err_new -e 'err_\w+' -e 'r_n' lib/core/base >../got
grep -rnoP 'err_\w+|r_n' lib/core/base | LC_ALL=C sort -t: -k1,1 -k2,2n -s >../want
cmp ../got ../want
same "$(wc -l <../want)" "$(ikm search -o 'err_\w+|r_n' lib/core/base --json --limit 3 | jq .total)"
same '[3,true]' "$(ikm search -o 'err_\w+|r_n' lib/core/base --json --limit 3 | jq -c '[(.matches | length), .truncated]')"
printf 'ab ab\nb a\n' >../o2
same '[[1,1,"a"],[1,4,"a"],[2,3,"a"]]' "$(ikm search -o a ../o2 --json | jq -c '[.matches[] | [.line, .column, .text]]')"
E

more 'millions of short lines take no more memory than the long ones' <<'E'
mkdir ../short
awk 'BEGIN { for (i = 0; i < 100; i++) { for (k = 0; k < 17000; k++) print ""; print "x" } }' >../short/lines
bounded() { (grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 200000; ikm search "$@" ../short); }
same 1700100 "$(bounded '^' | wc -l)"
same 1700100 "$(bounded '^' --json | jq .total)"
same 1700100 "$(bounded -U '^\n*x' | wc -l)"
bounded -U '^\n*x' --json >../cut
same '[100,17001,17001,true]' "$(jq -c '[.total, .matches[0].end, .matches[1].end - .matches[1].line + 1, .matches[0].cut]' ../cut)"
rm -r ../short
E

more '-U: a match may have several lines; the lines that ripgrep prints' <<'E'
cd src/lib/files/file
T2=$T/w/two
mkdir -p "$T2"
for p in '\{\n\t*return' '(?s)#define.*?\\\n.*?\n' 'NULL;\n\}' '\n\n/\*' '^\}\n\n^static' '(?s)/\*.{200,400}?\*/' 'int\s+main'; do
	ikm search -U "$p" >"$T2"/got || [ $? = 1 ]
	perl -0777 -ne 'BEGIN { $p = shift } my @r; while (/$p/mg) { my ($f, $t) = ($-[0], $+[0]);
		$f = rindex($_, "\n", $f - 1) + 1 if $f; my $e = index($_, "\n", $t - ($t > $-[0] && substr($_, $t - 1, 1) eq "\n"));
		@r && $f <= $r[-1][1] ? ($r[-1][1] = $e) : push @r, [$f, $e]; }
		for my $r (@r) { my $n = 1 + (substr($_, 0, $r->[0]) =~ tr/\n//);
		print "$ARGV:", $n++, ":$_\n" for split /\n/, substr($_, $r->[0], $r->[1] - $r->[0]), -1; }' \
		"$p" * >"$T2"/want
	cmp "$T2"/got "$T2"/want || { echo "perl: $p"; exit 1; }
	[ -s "$T2"/want ] || [ "$p" = 'int\s+main' ]
	command -v rg >/dev/null || continue
	rg -nUP --no-heading --sort path -e "$p" . | sed 's/^..//' | LC_ALL=C sort >"$T2"/theirs || :
	LC_ALL=C sort "$T2"/got | cmp - "$T2"/theirs || { echo "rg: $p"; exit 1; }
done
printf 'one\nbegin\n  x\nend\nmid\nother begin\nend' >../m
same '[{"line":2,"end":4,"column":1,"match":"begin\n  x\nend","text":"begin\n  x\nend","before":["one"],"after":["mid"]},{"line":6,"end":7,"column":7,"match":"begin\nend","text":"other begin\nend","before":["mid"],"after":[]}]' \
	"$(ikm search -UC1 '(?s)begin.*?end' ../m --json | jq -c '[.matches[] | del(.path)]')"
same 2 "$(ikm search -Uc '(?s)begin.*?end' ../m | sed 's/.*://')"
same "$(printf '2:begin\n3:  x\n4:end\n6:begin\n7:end')" "$(ikm search -oU '(?s)begin.*?end' ../m | sed 's/[^:]*://')"
same "$(printf '2:begin\n3:  x\n4:end')" "$(ikm search -U -m 1 '(?s)begin.*?end' ../m | sed 's/[^:]*://')"
# Matches that share a line are one.
same '[[2,7]]' "$(ikm search -U -e '(?s)begin.*mid' -e '(?s)end\nmid.*' ../m --json | jq -c '[.matches[] | [.line, .end]]')"
E

more '--replace shows a diff that patch applies, and writes nothing' <<'E'
rm -rf rp
mkdir rp
cd rp
git init -q
printf 'foo(a, b); foo(c, d);\nbar\n' >one.c
printf '\357\273\277foo(x, y)\r\nlast foo(1, 2)' >two.c
printf 'foo(\n  p,\n  q)\n' >three.c
printf 'foo(\377, b)\n' >four.c
cp -R . ../rp.was
# as perl: line by line, every match
ikm search '(?<n>foo)\((\w+), (\w+)\)' --replace '${n}_2($3, $2, $$)' >../diff 2>../err
diff -r . ../rp.was
grep -q "^nothing was written; 'ikm patch' applies this diff" ../err
ikm patch <../diff >/dev/null
perl -pi -e 's/(?<n>foo)\((\w+), (\w+)\)/$+{n}_2($3, $2, \$)/g' ../rp.was/*.c
diff -r . ../rp.was
# over several lines; an anchor behind a byte order mark; a literal; bytes that are no UTF-8
ikm search -U 'foo\(\s*(\w+),\s*(\w+)\)' --replace 'foo($1, $2)' 2>/dev/null | ikm patch >/dev/null
same 'foo(p, q)' "$(cat three.c)"
ikm search '^foo' --replace 'F$0' two.c 2>/dev/null | ikm patch >/dev/null
printf '\357\273\277Ffoo_2(y, x, $)\r\nlast foo_2(2, 1, $)' | cmp - two.c
ikm search -F '(y, ' --replace '$1(y' two.c 2>/dev/null | grep -qF '+Ffoo_2$1(yx, $)' || ikm search -F '(y, ' --replace '$1(y' two.c 2>/dev/null | grep -qF '$1(yx'
ikm search b\\b --replace z four.c 2>/dev/null | ikm patch >/dev/null
printf 'foo(\377, z)\n' | cmp - four.c
# The whole of the JSON, and what is left out of it.
same '[{"path":"one.c","replaced":1}]' "$(ikm search bar --replace baz --json | jq -c '[.changes[] | del(.diff)]')"
same "'four.c' is not in the preview: it is no UTF-8, so a diff in JSON would not apply" "$(ikm search 'z\)' --replace y --json four.c | jq -r '.warnings[0]')"
fails 1 ikm search nowhere --replace x
same 'ikm: warning: the replacement leaves each matching file as it is' "$(ikm search bar --replace '$0' 2>&1 >/dev/null)"
ikm search bar --replace x "$PWD" 2>/dev/null | ikm patch --dry-run >/dev/null
ikm search . --replace x .. 2>&1 >/dev/null | grep -q "'../.*' is not below the current folder: apply its diff alone"
# Stored assets.
echo 'old text' | ikm write ikigai:///s.md >/dev/null
ikm search old ikigai:/// --replace new 2>/dev/null | ikm patch >/dev/null
same 'new text' "$(ikm read ikigai:///s.md)"
E

more 'what contradicts each other, and groups that are not there' <<'E'
while IFS='|' read -r args want; do
	# shellcheck disable=SC2086
	eval "ikm search foo $args" >/dev/null 2>err && { echo "passed: $args"; exit 1; }
	grep -qF -e "$want" err || { echo "$args: $(cat err)"; exit 1; }
done <<'A'
-o -l|--only-matching and --files cannot be used together
-o -c|--only-matching and --count cannot be used together
-o -v|--only-matching and --invert cannot be used together
-o -C 1|--only-matching and --context cannot be used together
-U -v|--multiline and --invert cannot be used together
-o --replace x|--replace and --only-matching cannot be used together
-c --replace x|--replace and --count cannot be used together
-l --replace x|--files and --replace cannot be used together
-v --replace x|--replace and --invert cannot be used together
-B 1 --replace x|--replace and --context cannot be used together
-e a -e b --replace x|--replace and --regexp cannot be used together
--replace '$1'|'$1' at offset 0: the pattern has fewer groups
--replace 'a${x}'|'${x}' at offset 1: the pattern has no such group
--replace '${1'|no } follows
--replace 'US$'|'$' at offset 2: no group follows
A
E

more 'JSON: path, line, column in bytes, match, text, lines around' <<'E'
mkdir j
printf 'one\n\303\251t\303\251 two two\nthree\nfour\ntwo\n' >j/f
ikm search two j --json -C 1 >out
same '{"path":"j/f","line":2,"column":7,"match":"two","text":"été two two","before":["one"],"after":["three"]}' \
	"$(jq -c '.matches[0]' out)"
same '{"path":"j/f","line":5,"column":1,"match":"two","text":"two","before":["four"],"after":[]}' \
	"$(jq -c '.matches[1]' out)"
same '[2,1,false]' "$(jq -c '[.total, .files, .truncated]' out)"
same '["j/f"]' "$(ikm search -l two j --json | jq -c .paths)"
same '[{"path":"j/f","count":2}]' "$(ikm search -c two j --json | jq -c .counts)"
same '[[],0,true]' "$(ikm search nothing j --json | jq -c '[.matches, .total, has("skipped")]')"
E

more 'the lines around in JSON are those of text: generated' <<'E'
mkdir c
seq 1 400 | awk '{ print ($1 * 7919) % 101 }' >c/f
for n in 1 2 5; do
	ikm search '^[1-3]$' c/f -C $n --json |
		jq -r '.matches[] | .line as $l | (.before | length) as $b |
			(.before | to_entries[] | "\($l - $b + .key) \(.value)"), "\($l) \(.text)",
			(.after | to_entries[] | "\($l + 1 + .key) \(.value)")' | sort -nu >got
	grep -n -C $n '^[1-3]$' c/f | grep -v '^--' | sed 's/[:-]/ /' >want
	diff want got
done
E

more 'CRLF, no newline at the end, a byte order mark, an empty file' <<'E'
mkdir e
printf 'foo\r\nbar\r\n' >e/crlf
printf 'x\nfoo' >e/end
printf '\357\273\277foo\n' >e/mark
: >e/empty
printf '\n' >e/newline
same "$(printf 'e/crlf:1:foo\r\ne/end:2:foo\ne/mark:1:foo')" "$(ikm search '^foo' e)"
same "$(printf 'e/crlf:1:foo\r\ne/end:2:foo\ne/mark:1:foo')" "$(ikm search 'foo$' e)"
same 'e/newline:1:' "$(ikm search '^$' e)"
# The texts of an answer are lines, without their line ends; a match has its bytes.
same '["foo\r\nbar","foo\nbar"]' "$(ikm search 'foo\nbar' e --json | jq -c '.matches[0] | [.match,.text]')"
same '["bar",["foo"]]' "$(ikm search bar e -C1 --json | jq -c '.matches[0] | [.text,.before]')"
same "$(grep -rc '' e | sort | grep -v ':0')" "$(ikm search -c '^' e)"
E

more 'NUL makes a file binary, in its first 8000 bytes; how many is told' <<'E'
mkdir b
printf 'foo\0\n' >b/early
(head -c 7999 /dev/zero | tr '\0' x; printf '\0foo\n') >b/last
(head -c 8000 /dev/zero | tr '\0' x; printf '\0\nfoo\n') >b/late
same b/late "$(ikm search -l foo b)"
ikm search foo b --json >out
same 2 "$(jq .skipped.binary out)"
same 1 "$(jq .files out)"
E

more 'invalid UTF-8 is data' <<'E'
mkdir u
printf 'a\377b foo\n\303\n\303\251\n' >u/f
same "$(printf 'u/f:1:a\377b foo')" "$(ikm search foo u)"
same 'u/f:3:é' "$(ikm search '^.$' u)"
same 'a�b foo' "$(ikm search foo u --json | jq -r '.matches[0].text')"
fails 2 ikm search "$(printf '\377')" u
printf 'x' >"u/$(printf 'n\377')"
ikm search -l x u >out
printf 'u/n\377\n' | cmp - out
E

more 'long lines, long files: what is over the window is the same' <<'E'
mkdir l
perl -e 'print "a" x 300_000, "needle", "b" x 300_000, "\nneedle\n"' >l/long
seq 1 200000 | sed 's/$/ some text to make it longer/' >l/many
same '1:300001 2:1' "$(ikm search needle l/long --json |
	jq -r '[.matches[] | "\(.line):\(.column)"] | join(" ")')"
same '[true,true]' "$(ikm search needle l/long --json |
	jq -c '[.matches[0].cut, (.matches[0].text | contains("needle") and length <= 2000)]')"
for p in '^19999\d ' '0000 ' ' longer$'; do
	ikm search "$p" l/many >got
	grep -nP "$p" l/many | sed 's/^/l\/many:/' >want
	cmp want got
done
ikm search -C 3 '7777 ' l/many | sed 's/^l.many.//' >got
grep -n -C 3 '7777 ' l/many >want
cmp want got
ikm search -v '[1-8]' l/many | sed 's/^l.many.//' >got
grep -nv '[1-8]' l/many >want
cmp want got
same "l/many:$(grep -c 5 l/many)" "$(ikm search -c 5 l/many)"
E

more 'odd names: newline, quotes, control bytes; -z' <<'E'
mkdir o
for name in 'new
line' 'quote"' "$(printf 'esc\033[31m')" '-x' ' '; do echo foo >"o/$name"; done
ikm search -lz foo o | sort -z >got
find o -type f -print0 | sort -z >want
cmp want got
ikm search -z foo o | tr '\0' '\n' | grep -c '^1:foo$' >got
same 5 "$(cat got)"
cat >want <<'W'
"o/esc\033[31m":1:foo
"o/new\nline":1:foo
"o/quote\"":1:foo
o/ :1:foo
o/-x:1:foo
W
ikm search foo o | sort | diff want -
ikm search -l foo o | sort | sed 's/$/:1:foo/' | diff want -
same 5 "$(ikm search foo o --json | jq '.matches | length')"
cd o
same '-x:1:foo' "$(ikm search foo -- -x)"
E

more 'patterns that are empty, too long or wrong' <<'E'
echo x >f
for p in '' "$(printf '%05120d' 1)" '(' '[z-a]' 'a**' '(*NO_JIT)x'; do
	fails 2 ikm search -- "$p" f
done
fails 2 ikm search -e x -e '' f
fails 2 ikm search
fails 2 ikm search --json >out
same MISSING_PARAMETER "$(jq -r .details.reason out)"
fails 2 ikm search -F "$(printf '%05120d' 1)" f
ikm search "$(printf '%04096d' 1)" f || [ $? = 1 ]
same 'f:1:x' "$(ikm search -e x f)"
same 'f:1:x' "$(ikm search -e nothing -e x f)"
E

more 'a hostile pattern ends, and says where it gave up' <<'E'
mkdir h
for i in $(seq 10 40); do perl -e 'print "a" x 40, "b\n"' >h/$i; done
echo 'fine' >h/z
fails 8 timeout 60 ikm search '(a+)+$' h --json >out
same MATCH_LIMIT "$(jq -r .details.reason out)"
jq -r .message out | grep -q 'h/10'
timeout 60 ikm search -e '(a+)+$' -e fine h >out 2>err
same 'h/z:1:fine' "$(cat out)"
same 1 "$(wc -l <err)"
grep -q "'(a+)+\$' takes too long in 'h/10' and 31 more files" err
ikm search -e '(a+)+$' -e fine h --json >out
same '[1,32,1]' "$(jq -c '[(.matches | length), .skipped.gaveUp, (.warnings | length)]' out)"
# With -v, a file in which the pattern gave up prints no lines.
ikm search -v '(a+)+$' h >out 2>err || :
same '' "$(grep -v '^h/z' out)"
E

more 'files and folders that may not be read: a warning, and no false "no match"' <<'E'
mkdir -p p/shut
echo foo >p/a
echo foo >p/closed
echo foo >p/shut/b
chmod 0 p/closed p/shut
ikm search foo p >out 2>err
same 'p/a:1:foo' "$(cat out)"
same 2 "$(wc -l <err)"
grep -q closed err
ikm search foo p --json >out
same '[2,2]' "$(jq -c '[.skipped.unreadable, (.warnings | length)]' out)"
fails 8 ikm search bar p --json >out
same PERMISSION "$(jq -r .details.reason out)"
fails 1 ikm search bar p/a
chmod 755 p/shut
E

more 'FIFOs, links and loops do not hang and are not followed' <<'E'
mkdir k
echo foo >k/f
mkfifo k/fifo
ln -s f k/link
ln -s . k/loop
ln -s ../k k/up
same 'k/f:1:foo' "$(timeout 10 ikm search foo k)"
same 'k/link:1:foo' "$(ikm search foo k/link)"
fails 2 timeout 10 ikm search foo k/fifo
fails 3 ikm search foo k/none
fails 2 ikm search foo ''
E

more '.gitignore, --all, globs, types' <<'E'
git init -q r
cd r
mkdir src build
for f in a.c a.py src/b.c build/x.c src/c.o; do echo foo >$f; done
printf 'build/\n*.o\n' >.gitignore
same 'a.c a.py src/b.c ' "$(ikm search -l foo | tr '\n' ' ')"
same 'a.c a.py build/x.c src/b.c src/c.o ' "$(ikm search -la foo | tr '\n' ' ')"
same 'a.c src/b.c ' "$(ikm search -l foo -t c | tr '\n' ' ')"
same 'a.c ' "$(ikm search -l foo -t c -g '!src/**' | tr '\n' ' ')"
same 'src/b.c ' "$(ikm search -l foo src | tr '\n' ' ')"
same 'build/x.c:1:foo' "$(ikm search foo build)"
same 'src/c.o:1:foo' "$(ikm search foo src/c.o -g '*.c')"
ikm search --type list x | grep -q '^rust  *\.rs$'
same '.rs' "$(ikm search x --type list --json | jq -r '.types[] | select(.name == "rust").files')"
fails 2 ikm search foo --type rsut
E

more 'an unreadable file is reported once' <<'E'
[ "$(id -u)" != 0 ] || { ikm version; exit 0; } # root may read what modes forbid
mkdir -p shut/shut
chmod 0 shut/shut
fails 8 ikm search foo shut 2>err
same "ikm: warning: cannot list 'shut/shut': Permission denied
ikm: nothing was found, but 1 file or folder could not be read
  'ls -ld' shows the owner and the mode of a file" "$(cat err)"
fails 8 ikm list shut/shut 2>err
same 3 "$(wc -l <err)"
fails 8 ikm search foo shut --json >out 2>err
grep -q 'could not be read: cannot list' err
chmod 700 shut/shut
E

more 'nothing found, and a file that is too big: the reason says so' <<'E'
mkdir big
head -c 68000000 /dev/zero | tr '\0' a >big/line
fails_for TOO_BIG ikm search foo big 2>err
grep -q "'big/line' has a line over" err
fails_for TOO_BIG ikm search -U 'foo$' big 2>err
rm -r big
E

more 'at most --limit, in order; JSON says how many there are' <<'E'
mkdir m
for i in $(seq 10 60); do seq 1 50 >m/$i; done
ikm search 7 m >all
for n in 1 7 100; do
	head -$n all >want
	ikm search 7 m --limit $n >got
	cmp want got
done
ikm search 7 m --limit 3 --json >out
same "[3,$(wc -l <all),true]" "$(jq -c '[(.matches | length), .total, .truncated]' out)"
seq 1 3000 >m/big
ikm search . m/big --json >out
same '[1000,3000,true]' "$(jq -c '[(.matches | length), .total, .truncated]' out)"
same 3000 "$(ikm search . m/big | wc -l)"
same 2 "$(ikm search -l 7 m -m 2 | wc -l)"
ikm search -l 7 m -m 2 --json >out
same '[2,52,true]' "$(jq -c '[(.paths | length), .total, .truncated]' out)"
E

more 'lines before and after, and the names of all files' <<'E'
mkdir around
seq 9 >around/n
printf 'a\0b' >around/bin
same "around/n-3-3 around/n-4-4 around/n:5:5 around/n-6-6" "$(ikm search -B 2 -A 1 5 around/n | xargs)"
same "around/n:5:5 around/n-6-6" "$(ikm search -A 1 5 around/n | xargs)"
same "around/n-4-4 around/n:5:5" "$(ikm search -C 1 -A 0 5 around/n | xargs)"
same '[["3","4"],["6"]]' "$(ikm search -B 2 -A 1 5 around/n --json | jq -c '.matches[0] | [.before, .after]')"
same '{"paths":["around/bin","around/n"],"total":2}' "$(echo '{"path":"around"}' | ikm --root . call fs_search | jq -c '{paths, total}')"
same '["around/n"]' "$(echo '{"path":"around","glob":"n","limit":1}' | ikm --root . call fs_search | jq -c .paths)"
fails_for MISSING_PARAMETER ikm search
rm -r around
E

long 'pages of matches are the parts of the whole list, with the lines around' <<'E'
printf 'x1\ny\n\nx2\nx3\nz\n' | tee page1 >page2
for with in '"context":1' '"multiline":true,"pattern":"x.\n."' '"multiline":true,"pattern":"x.\n.","before":2' \
	'"files":true' '"count":true' '"onlyMatching":true'; do
	ask='"paths":["page1","page2"],"pattern":"x",'$with
	[ "${with#*pattern}" = "$with" ] || ask='"paths":["page1","page2"],'$with
	printf "%s\n" "{$ask}" | ikm --root . call fs_search | jq -c '(.matches // .paths // .counts)[]' >whole
	: >parts
	for at in 0 1 2 3 4 5; do
		printf "%s\n" "{$ask,\"limit\":1,\"offset\":$at}" | ikm --root . call fs_search | jq -c '(.matches // .paths // .counts)[]' >>parts
	done
	[ -s whole ]
	# A page has the lines around its own matches only.
	[ "$with" = '"context":1' ] || cmp whole parts
	same "$(wc -l <whole)" "$(wc -l <parts)"
done
E

more 'a page that begins behind 16 MB of matches has matches' <<'E'
awk 'BEGIN { line = sprintf("%2000s", "x"); for (i = 0; i < 9000; i++) print line }' >page
echo '{"path":"page","pattern":"x","offset":8990}' | ikm --root . call fs_search | jq -c '[(.matches | length), .total, .truncated]' >got
same '[10,9000,false]' "$(cat got)"
rm page
E

more 'context lines of many matches do not fill gigabytes of JSON' <<'E'
line=$(printf '%01000d' 0)
for i in $(seq 900); do echo "$line"; done >around
ikm search 0 around -C 1000 --json >out
same '900 true' "$(jq -r '"\(.total) \(.truncated)"' out)"
[ "$(wc -c <out)" -lt 20000000 ]
ikm search 0 around -C 1 --json >out
same '900 false' "$(jq -r '"\(.total) \(.truncated)"' out)"
E

more 'options that users of grep type' <<'E'
printf 'a+b\naab\n' >habit
same 'habit:2:aab' "$(ikm grep -rnE 'a+b' habit)"
same 'habit:2:aab' "$(ikm search -nHP 'a+b' habit)"
ikm grep --help | grep -e recursive -e '-n,' && exit 1
same null "$(ikm tool schema grep | jq .parameters.habit)"
E

more 'much output comes out whole and in order; a reader that leaves ends it' <<'E'
mkdir w2
for i in $(seq 10 40); do seq 1 20000 >w2/$i; done
ikm search . w2 >got
grep -n . w2/* >want
cmp want got
ikm search . w2 | head -1 >got
same 'w2/10:1:1' "$(cat got)"
E

more 'grep is the same with the names that agents use' <<'E'
git init -q t
cd t
echo 'foo bar' >a.c
echo foo >b.py
one='{"pattern": "foo", "path": ".", "glob": "*.c"}'
same 'a.c' "$(echo "$one" | ikm call grep | jq -r '.matches[].path')"
same "$(echo "$one" | ikm call grep)" "$(echo "$one" | sed 's/path/root/' | ikm call fs_search)"
same "$(ikm search foo)" "$(ikm grep foo)"
fails 1 ikm grep nothing
E

long 'a pattern that asks for line ends sees them, and the answer says so' <<'E'
git init -q ends
cd ends
printf 'void f()\n{\n}\n' >a.c
told='asks for line ends, so a match may have several lines'
for pattern in 'f\(\)\n\{' 'f\(\)\R\{' 'f\(\)\x0a\{' 'f\(\)[\s\S]*}' '(?s)f.*}' '(?s:f.*})' 'f\(\)[a-z\n]\{'; do
	ikm search -e "$pattern" >../got 2>../err || { echo "$pattern"; exit 1; }
	grep -q "$told" ../err || { echo "$pattern"; exit 1; }
	grep -q '^a.c:2:{' ../got
done
ikm search -F "$(printf 'f()\n{')" 2>../err
grep -q "$told" ../err
# These ask about one line.
for pattern in '[^\n]*f' 'f[^\r\n]*$' 'f\S*' '\Df' '\\n|f' '[\s,]f'; do
	ikm search -e "$pattern" >../got 2>../err || { echo "$pattern"; exit 1; }
	same '' "$(cat ../err)"
	same 'a.c:1:void f()' "$(cat ../got)"
done
fails 1 ikm search 'g\n' 2>../err
grep -q "$told" ../err
printf '%s' '{"pattern": "f\\(\\)\\n\\{"}' | ikm call fs_search | jq -e '.warnings | length == 1'
E

long 'working trees of the same repository are left out and told; one that is named is not' <<'E'
mkdir trees
cd trees
git init -q r
cd r
mkdir src
echo needle >src/a.c
git add . && git commit -qm a
git worktree add -q .claude/worktrees/one
git worktree add -q ../beside
git -C ../beside worktree add -q "$PWD/../beside/inner"
git init -q other && echo needle >other/b.c
told='left out 1 linked working tree of this repository'
same 'other/b.c src/a.c' "$(ikm search -l needle 2>../err | paste -sd' ')"
grep -q "$told, such as '.claude/worktrees/one'; to see it, name one, or give --all" ../err
same 'other/b.c src/a.c' "$(ikm list 2>../err | paste -sd' ')"
grep -q "$told" ../err
same .claude/worktrees/one/src/a.c "$(ikm search -l needle .claude/worktrees/one 2>../err)"
same '' "$(cat ../err)"
same 3 "$(ikm search -al needle | wc -l)"
same src/a.c "$(cd .claude/worktrees/one && ikm search -l needle)"
# From a linked one, and from above all of them.
same src/a.c "$(cd ../beside && ikm search -l needle 2>../r/err)"
grep -q "$told, such as 'inner'" err
cd ..
same 'beside/src/a.c r/other/b.c r/src/a.c' "$(ikm search -l needle 2>err | grep -v err | paste -sd' ')"
grep -q 'left out 2 linked' err
ikm list --json | jq -e '.warnings[0] | test("all")'
# A submodule is no copy.
git -c protocol.file.allow=always -C r submodule --quiet add "$PWD/beside" sub
same 'r/other/b.c r/src/a.c r/sub/src/a.c' "$(ikm search -l needle r 2>err | paste -sd' ')"
# Nothing matches, and not all was looked at.
fails 1 ikm search -l nothing r 2>err
grep -q "$told" err
E

long 'tracked files that are ignored are left out and told; one that is named is not' <<'E'
git init -q kept
cd kept
mkdir -p build/deep src
printf 'build/\n*.log\n' >.gitignore
echo needle | tee build/deep/a.c >src/b.c
echo needle >src/c.log
echo needle >src/untracked.log
git add . && git add -f build src/c.log
echo needle >build/untracked.c
told='left out 2 tracked files that .gitignore names'
set -f
for by in 'search -l needle' list 'glob *'; do
	ikm $by >../got 2>../err
	grep -q '^src/b.c$' ../got && ! grep -q 'log$\|build' ../got
	grep -q "$told, such as 'build/deep/a.c'; to see them, name one, or give --all" ../err || { echo "$by"; exit 1; }
	ikm $by --all 2>&1 | grep 'left out' && exit 1
done
set +f
same build/deep/a.c "$(ikm search -l needle build/deep/a.c 2>&1)"
same "needle 1" "$(ikm search -l needle src 2>&1 >/dev/null | grep -o '1 tracked file .*' | sed "s/1.*'src.c.log'; to see it.*/needle 1/")"
# Only what the search would look at, from where it begins.
same '' "$(ikm search -l needle -g '*.h' . 2>&1 | grep -v 'nothing matches')"
ikm search -l needle -g '*.log' 2>&1 | grep -q "left out 1 tracked file that .gitignore names, such as 'src/c.log'"
(cd src && ikm list 2>&1 | grep -q "left out 1 tracked file .*'c.log'")
same '' "$(ikm list --depth 1 2>&1 >/dev/null)"
echo '{"pattern":"needle"}' | ikm call fs_search | jq -e '.warnings[0] | test("2 tracked files.*all: true")'
# A file that is gone is not left out; a repository inside has its own index.
rm src/c.log
git init -q inner
echo needle >inner/x.o
echo '*.o' >inner/.gitignore
git -C inner add -f x.o
ikm list 2>&1 | grep -q "$told, such as 'build/deep/a.c'"
# A conflict hides nothing.
git commit -qm a && git checkout -qb x && echo x >src/b.c && git commit -qam x && git checkout -q - &&
	echo y >src/b.c && git commit -qam y
git merge -q x >/dev/null 2>&1 && exit 1
ikm search -l needle 2>../err || :
grep -q "$told" ../err
E

more 'as a tool: nothing outside the roots is read' <<'E'
mkdir secret
echo foo >secret/f
git init -q repo
cd repo
echo foo >f
ln -s ../secret out
ln -s ../secret/f file
mkdir home
echo foo >home/f
export IKIGAI_HOME=$PWD/home
ask() { printf '{"pattern": "foo", "path": "%s", "all": true}' "$1" | ikm call grep 2>/dev/null; }
same '["f"]' "$(ask . | jq -c '[.matches[].path]')"
for path in out out/f file ../secret .. / home home/f .git .git/HEAD; do
	if ask "$path" >../answer; then echo "$path"; exit 1; fi
	same OUTSIDE_ROOTS "$(jq -r .details.reason ../answer)"
done
E
long 'a file that fills the first windows exactly is searched to its end' <<'E'
for n in 8191 8192 8193 16384 16385 32768; do
	{ yes line | head -c $((n - 4)); printf 'end\n'; } >full.txt
	same "$n" "$(wc -c <full.txt)"
	for lines in 'end$' '(?s)lin.*end'; do
		same "$(wc -l <full.txt)" "$(ikm search --json -U "$lines" full.txt . | jq '[.matches[] | select(.path == "full.txt")] | .[-1] | .end // .line')"
	done
done
E
long 'CR LF is one line end to a pattern, and the places are those of the same text with LF' <<'E'
mkdir crlf
cd crlf
printf 'void f()\n{\n\n}foo\nend' >lf.c
sed 's/$/\r/' lf.c | head -c -1 >cr.c
alike() { # OPTIONS AND PATTERN
	ikm search --json "$@" lf.c | jq -c '.matches | map([.line, .column, (.text | gsub("\r"; ""))])' >want
	ikm search --json "$@" cr.c | jq -c '.matches | map([.line, .column, (.text | gsub("\r"; ""))])' >got
	cmp want got
	[ "$(cat want)" != '[]' ]
}
for pattern in 'f\(\)\n\{' 'f\(\)$' '^$' 'foo$' 'foo\nend' '\{\n+\}' '\{\n{2}\}' '(?s)\{.*\}' 'x$|o$' '\Q$\E|foo$' \
	'(?#$)foo$' '[$]|foo$' 'foo\Rend' '(?m)^end$|o$' 'f\(\)[\s\S]*\{' \
	'f\(\)\x0a\{' 'f\(\)[a-z\n]\{' 'f\(\)[\s\S]\{'; do
	alike "$pattern"
done
alike -F 'foo
end'
alike -F 'f()
{'
alike -w 'foo$'
alike -e 'foo$' -e 'f\(\)$'
same cr.c:1 "$(ikm search -c 'foo\r\nend' cr.c)"
fails 1 ikm search 'foo\r\nend' lf.c
same cr.c:4:foo "$(ikm search -o 'foo$' cr.c)"
fails_for BAD_PATTERN ikm search 'a$(' cr.c 2>err
grep -q "'a\$('" err
E

done_testing
