#!/bin/sh
# ikm find: which files and assets there are to find, how they are printed, and in which order.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/net docs build
touch src/auth.c src/net/queue.c docs/quick-start.md README.md build/out.o 'odd name.txt' new.c
printf 'build/\n*.log\n' >.gitignore
git add -f src docs README.md build/out.o .gitignore
touch x.log build/other.o
for name in blocks/decisions.md blocks/queue.md 'skills/odd one.md'; do
	echo x | ikm write "ikigai:///$name" >/dev/null
done

try 'tracked files, also ignored ones, and what is not ignored' <<'E'
git ls-files -co --exclude-standard | sort >../want
ikm find '' -n 0 | sort >../got
cmp ../want ../got
touch gone
git add gone
rm gone
same '' "$(ikm find gone)"
E

try 'in a conflict too' <<'E'
git rm -q --cached gone
id=$(git hash-object -w README.md)
printf '100644 %s 1\tboth.c\n100644 %s 2\tboth.c\n' "$id" "$id" | git update-index --index-info
touch both.c
same both.c "$(ikm find both)"
git rm -q --cached both.c
rm both.c
E

try 'best first, as markers when it is asked with them' <<'E'
same 'src/net/queue.c
docs/quick-start.md' "$(ikm find qu)"
same '@src/net/queue.c
@docs/quick-start.md' "$(ikm find @qu)"
same '@"odd name.txt"' "$(ikm find @oddn)"
same '@"odd name.txt"' "$(ikm find '@"oddn')"
same 'odd name.txt' "$(ikm find oddn)"
same '@src/net/queue.c' "$(ikm find @qu --limit 1)"
same 'src/net/queue.c' "$(ikm find 'net que')"
same README.md "$(ikm find READ)"
same '' "$(ikm find rEADME)"
E

try 'a letter without marks stands for one with marks, in each form of Unicode' <<'E'
apart=$(printf 'o\314\210de.txt')
touch größe.txt "$apart" Żuraw.txt
same größe.txt "$(ikm find grosse)"
same größe.txt "$(ikm find größe)"
same größe.txt "$(ikm find "$(printf 'gro\314\210ß')")"
same "$apart" "$(ikm find öde -n 1 -z | tr '\0' '\n')"
same Żuraw.txt "$(ikm find żur)"
same Żuraw.txt "$(ikm find zuraw)"
rm größe.txt "$apart" Żuraw.txt
E

try 'stored assets' <<'E'
same '@@blocks/queue.md' "$(ikm find @@que)"
same '@@"skills/odd one.md"' "$(ikm find @@skodd)"
same '@@blocks/decisions.md
@@blocks/queue.md
@@"skills/odd one.md"' "$(ikm find @@)"
same 'ikigai:///blocks/queue.md' "$(ikm find @@que --json | jq -r '.matches[].path')"
E

try 'JSON, NUL, and nothing' <<'E'
same '{"path":"src/auth.c","marker":"@src/auth.c"}' \
	"$(ikm find auth --json | jq -c '.matches[] | {path, marker}')"
ikm find ec --json | jq -e '.matches | length > 1 and .[0].score > .[-1].score'
ikm find -z qu | tr '\0' '|' >../out
same 'src/net/queue.c|docs/quick-start.md|' "$(cat ../out)"
fails 1 ikm find zzz >../out
same '' "$(cat ../out)"
fails 1 ikm find @@zzz --json >../out
same '{"matches":[],"warnings":[]}' "$(jq -c . ../out)"
fails 2 ikm find "$(printf '%0300d' 1)"
fails 2 ikm find
E

try 'what is found expands' <<'E'
printf 'content' >'odd name.txt'
same content "$(ikm expand "$(ikm find @oddn)")"
same x "$(ikm expand "$(ikm find @@oddo)")"
touch 'q"uote.c' 'tail.'
printf odd >'q"uote.c'
same odd "$(ikm expand "$(ikm find '@q"uo')")"
same '@tail.' "$(ikm find @tail)"
E

try 'in a folder its files, relative to it' <<'E'
cd src
same 'net/queue.c' "$(ikm find queue)"
fails 1 ikm find README
cd ..
ln -s src link
same 'src/auth.c' "$(ikm find auth)"
E

try 'as a tool inside the roots' <<'E'
same src/auth.c "$(echo '{"query": "auth"}' | ikm call find | jq -r '.matches[].path')"
cd ..
mkdir plain
cd plain
touch a.c
same a.c "$(ikm find a)"
fails 5 sh -c "echo '{\"query\": \"a\"}' | ikm call find >../out"
same NO_ROOTS "$(jq -r .details.reason ../out)"
mkdir -p "$HOME/.ikigai"
printf '{"files": {"roots": ["%s"]}}' "$T/w/repo/src" >"$HOME/.ikigai/config.json"
cd ../repo
fails 5 sh -c "echo '{\"query\": \"auth\"}' | ikm call find >../out"
same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
cd src
same auth.c "$(echo '{"query": "auth"}' | ikm call find | jq -r '.matches[].path')"
rm "$HOME/.ikigai/config.json"
E

try 'a folder that may not be read is a warning, and nothing found beside it no answer' <<'E'
[ "$(id -u)" != 0 ] || { ikm version; exit 0; } # root may read what modes forbid
mkdir -p shut ../open/shut
echo x >shut/tracked.c
echo x >../open/b.c
git add -f shut/tracked.c
chmod 0 shut ../open/shut
same src/auth.c "$(ikm find auth 2>../err)"
grep -q "cannot list .*shut': Permission denied" ../err
same 1 "$(ikm find auth --json | jq '.warnings | length')"
fails 8 ikm find tracked >../out 2>../err
same 3 "$(wc -l <../err)"
cd ../open
same b.c "$(ikm find b 2>../err)"
grep -q "cannot list .*shut': Permission denied" ../err
chmod 700 shut ../repo/shut
E

try "ikm's own folder in a repository is not told of" <<'E'
mkdir own
cp -R "$HOME/.ikigai" own/home
same '' "$(IKIGAI_HOME=$PWD/own/home ikm find ikmdb)"
E
try 'odd names are quoted, and -z and JSON have them as they are' <<'E'
mkdir odd
: >'odd/new
line'
: >'odd/a"b'
: >'odd/plain name'
cd odd
same '"new\nline"' "$(ikm find newl)"
same '"a\"b"' "$(ikm find 'a"b')"
same '@"a\"b"' "$(ikm find '@a"b')"
same '@"new\nline"' "$(ikm find @newl)"
# Each marker that find prints is one that expand takes.
echo found >'new
line'
echo 'a backslash' >'b\new'
same found "$(ikm find @newl | ikm expand)"
same 'a backslash' "$(ikm find '@b\ne' | ikm expand)"
: >'new
line'
rm 'b\new'
same '@"plain name"' "$(ikm find @plain)"
same 'new line' "$(ikm find -z newl | tr '\n\0' ' \n')"
jq -cn '"new\nline"' >want
ikm find newl --json | jq -c '.matches[0].path' | diff want -
cd ..
echo @odd/ | ikm expand >got
grep -qxF '"odd/new\nline"' got
grep -qxF '"odd/a\"b"' got
E

long 'nested repositories and submodules are looked into, and a sparse checkout has what is there' <<'E'
git init -q made
echo x >made/inside.txt
git -C made add -A
git -C made commit -qm 1
git init -q around
cd around
mkdir in out
echo x >in/here.txt
echo x >out/gone.txt
git add -A
git commit -qm 1
git -c protocol.file.allow=always submodule add -q "$PWD/../made" lib/made 2>/dev/null
git init -q own
echo x >own/mine.txt
for name in inside.txt mine.txt; do
	ikm find $name >found
	least 1 found
	same "$(ikm list | grep "/$name")" "$(head -1 found)"
done
git sparse-checkout set in
same '' "$(ikm find gone.txt)"
same in/here.txt "$(ikm find here.txt)"
E

done_testing
