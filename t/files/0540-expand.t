#!/bin/sh
# ikm expand: files, folders and assets in the place of markers; what is missing; what is outside.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/deep 'odd dir'
printf '[AUTH]' >src/auth.c
printf '[DEEP]' >src/deep/x.c
printf '[ODD]' >'odd dir/a b.c'
printf '[MAKE]' >Makefile
printf '@src/auth.c' >again
printf 'a\0b' >binary
printf '\377' >latin
printf 'secret' >"$HOME/secret"
printf '*.log\n' >.gitignore
: >src/x.log
git add -A
put() { # asset, content
	printf '%s' "$2" | ikm write "ikigai:///$1" >/dev/null
}
put auth-patterns.md '[PATTERNS]'
put blocks/auth-patterns.md '[BLOCK]'
put blocks/decisions '[DECISIONS]'
put skills/ddd.md '[DDD]'

try 'the example of a prompt' <<'E'
same 'Implement auth following [PATTERNS] and update [AUTH]' \
	"$(ikm expand 'Implement auth following @@auth-patterns and update @src/auth.c')"
E

try 'names of assets are looked for in the order of the page' <<'E'
same '[PATTERNS] [BLOCK] [DECISIONS] [DDD] [DDD] [DDD] [PATTERNS]' "$(ikm expand \
	'@@auth-patterns @@blocks/auth-patterns @@decisions @@skills/ddd.md @@skills/ddd @ikigai:///skills/ddd.md @@ikigai:///auth-patterns')"
put auth-patterns '[FIRST]'
same '[FIRST]' "$(ikm expand @@auth-patterns)"
same 'ikigai:///skills/ddd.md' "$(ikm expand @@skills)"
E

try 'from an argument, from standard input, in JSON' <<'E'
printf 'a @src/auth.c' >../prompt
same 'a [AUTH]' "$(ikm expand <../prompt)"
same 'a [AUTH]' "$(ikm expand - <../prompt)"
printf 'x @src/auth.c\n @@decisions, @no.pe @param @Makefile' | ikm expand --json >../out
same 'x [AUTH]
 [DECISIONS], @no.pe @param [MAKE]' "$(jq -r .text ../out)"
jq -e '.tokens > 5' ../out
same '["@no.pe"]' "$(jq -c .missing ../out)"
same '["@src/auth.c","src/auth.c",1,3,6,false]
["@@decisions","ikigai:///blocks/decisions",2,2,11,false]
["@no.pe","no.pe",2,15,0,true]
["@Makefile","Makefile",2,29,6,false]' "$(jq -c \
	'.references[] | [.marker, .target, .line, .column, .size, .missing]' ../out)"
E

try 'not recursive, quotes, an escape, mail addresses and code' <<'E'
same '@src/auth.c [ODD] @src/auth.c a@src/auth.c `@src/auth.c`' "$(ikm expand \
	'@again @"odd dir/a b.c" \@src/auth.c a@src/auth.c `@src/auth.c`')"
E

try 'in the text of a link, and behind a label' <<'E'
same '[[AUTH]](x) see:[AUTH] (See:[AUTH])' "$(ikm expand '[@src/auth.c](x) see:@src/auth.c (See:@src/auth.c)')"
for text in 'http://u:@src/auth.c' 'a.b:@src/auth.c' ':@src/auth.c' '1:@src/auth.c'; do
	same "$text" "$(ikm expand "$text")"
done
same '["@src/none.c"]' "$(ikm expand --json '[@src/none.c](src/auth.c)' 2>../err | jq -c .missing)"
echo linked >'odd](name'
same '[linked' "$(ikm expand '[@odd](name')"
E

try 'a folder is a listing without what is ignored' <<'E'
same 'src/auth.c
src/deep/' "$(ikm expand @src)"
same "$(ikm expand @src)" "$(ikm expand @src/)"
cd src
same '../src/deep/x.c' "$(ikm expand @../src/deep)"
E

try 'what is missing stays, is told, and is an error with --strict' <<'E'
ikm expand 'a @no.pe @src/nope @nope @binary @latin @@nope @@no/pe' >../out 2>../err
same 'a @no.pe @src/nope @nope @binary @latin @@nope @@no/pe' "$(cat ../out)"
same '@no.pe @src/nope @binary @latin @@nope @@no/pe' "$(sed 's/warning: \([^ ]*\) .*/\1/' ../err | paste -sd' ')"
fails 3 ikm expand --strict 'a @no.pe' --json >../out
same MISSING_REFERENCE "$(jq -r .details.reason ../out)"
same @no.pe "$(jq -r .details.reference ../out)"
fails 3 ikm expand --strict 'a @binary'
ikm expand --strict 'a @param @src/auth.c'
E

try 'every name of an asset is meant: a mistyped one is told, with the nearest' <<'E'
ikm expand 'x @@nope y, @@decision.' --json >../out
same 'x @@nope y, @@decision.' "$(jq -r .text ../out)"
same '["@@nope","@@decision"]' "$(jq -c .missing ../out)"
same '[["NO_SUCH_ASSET",null],["NO_SUCH_ASSET","@@blocks/decisions"]]' \
	"$(jq -c '[.references[] | [.reason, .nearest]]' ../out)"
ikm expand 'x @@nope y, @@decision.' 2>../err >../out
grep -q '@@nope was not replaced: there is no stored asset of that name$' ../err
grep -q '@@decision was not replaced: .*; did you mean @@blocks/decisions?' ../err
fails 3 ikm expand --strict 'x @@nope y' --json >../out
same '["MISSING_REFERENCE","@@nope"]' "$(jq -c '[.details.reason, .details.reference]' ../out)"
fails 3 ikm expand --strict 'x @@decision y' 2>../err
grep -q "did you mean '@@blocks/decisions'" ../err
# A diff, or a word that only quotes @@, is no marker.
ikm expand --strict '@@ -1,3 +1,4 @@ f() \@@x `@@y` @@ @@@z' >../out
E

long 'never outside the repository, also at a command line' <<'E'
ln -s "$HOME/secret" link
ln -s ../src/auth.c src/inside
for path in /etc/passwd "$HOME/secret" ../home/secret ../../../etc/passwd ./link .git/config \
	/proc/self/environ "$HOME/.ikigai/ikm.db"; do
	same "x @$path" "$(ikm expand "x @$path" 2>../err)"
	grep -q 'not below' ../err
	same "@$path" "$(printf '{"text": "@%s"}' "$path" | ikm call expand | jq -r '.missing[0]')"
done
same '[AUTH]' "$(ikm expand "@$PWD/src/auth.c")"
same '[AUTH]' "$(ikm expand @src/inside)"
mkfifo fifo
same '@fifo' "$(timeout 5 ikm expand @fifo 2>/dev/null)"
E

try 'named roots count too; --root alone' <<'E'
mkdir "$HOME/notes"
printf '[NOTE]' >"$HOME/notes/n.txt"
same "@$HOME/notes/n.txt" "$(ikm expand "@$HOME/notes/n.txt" 2>/dev/null)"
same "[NOTE] [AUTH]" \
	"$(IKM_FILES_ROOTS="[\"$HOME/notes\"]" ikm expand "@$HOME/notes/n.txt @src/auth.c")"
same "[NOTE] @src/auth.c" \
	"$(ikm expand --root "$HOME/notes" "@$HOME/notes/n.txt @src/auth.c" 2>/dev/null)"
E

try 'without a repository files are blocked with the line to add, assets work' <<'E'
mkdir ../plain
cd ../plain
echo x >f.c
fails 5 ikm expand '@f.c' --json >../out
same NO_ROOTS "$(jq -r .details.reason ../out)"
jq -r '.help.steps[]' ../out | grep -q '"roots"'
fails 5 ikm expand --strict '@f.c'
fails 5 sh -c "echo '{\"text\": \"@f.c\"}' | ikm call expand >../out"
same '[DECISIONS] @param' "$(ikm expand '@@decisions @param')"
same '[DECISIONS]' "$(echo '{"text": "@@decisions"}' | ikm call expand | jq -r .text)"
same x "$(ikm expand --root . @f.c)"
E

try 'limits' <<'E'
head -c 2000000 /dev/zero >film.mp4
same '@film.mp4' "$(ikm expand @film.mp4 2>../err)"
grep -q 'it is no text' ../err
head -c 2000000 /dev/zero | tr '\0' a >big
fails 2 ikm expand @big --json >../out
same TOO_BIG "$(jq -r .details.reason ../out)"
jq -r '.help.steps[]' ../out | grep -q expand.maxBytes
ikm expand -c expand.maxBytes=3000000 @big >../out
same 2000001 "$(wc -c <../out)"
fails 2 ikm expand -c expand.maxTotal=10 '@src/auth.c @src/auth.c' --json >../out
jq -r '.help.steps[]' ../out | grep -q expand.maxTotal
fails 2 ikm expand -c expand.maxBytes=-1 x
fails 2 ikm expand -c expand.maxBytes=3 @src
E

try 'bytes that are no text pass through, as base64 in JSON' <<'E'
printf 'a\0\377 @src/auth.c' >../prompt
ikm expand <../prompt >../out
printf 'a\0\377 [AUTH]\n' | cmp - ../out
ikm expand --json <../prompt >../out
same base64 "$(jq -r .encoding ../out)"
jq -r .text ../out | base64 -d >../bytes
printf 'a\0\377 [AUTH]' | cmp - ../bytes
E
done_testing
