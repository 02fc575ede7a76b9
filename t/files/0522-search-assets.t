#!/bin/sh
# list, glob and search give the same results for stored assets as for files.
. "$(dirname "$0")/../lib.sh"

mkdir -p d/blocks/deep d/skills
printf 'first line\nTODO one\n' >d/blocks/a.md
printf 'TODO two\r\nnothing\n' >d/blocks/b.md
printf 'no newline TODO' >d/blocks/deep/c.md
printf 'été\nTODO\n' >d/skills/x.py
printf 'plain\n' >d/top.md
(cd d && find . -type f | sed 's/..//') | while read -r name; do
	ikm write "ikigai:///$name" <"d/$name" >/dev/null
done

try 'the store has them all' <<'E'
same 5 "$(ikm list ikigai:/// | wc -l)"
E

# In each line of args @ stands for the folder with a slash. Both sides must give the same output
# and exit status, and as many lines as the number in front of the args.
cat >"$T/both" <<'S'
#!/bin/sh
set -f
# An empty answer counts only if the program answers at all.
[ "$(ikm list d/top.md)" = d/top.md ] || exit 1
ask() {
	rc=0
	ikm $(echo "$args" | sed "s|@/*|$1|g") || rc=$?
	echo "exit $rc"
}
ask d/ >want 2>&1
ask ikigai:/// 2>&1 | sed 's|ikigai:///|d/|g' >got
diff -u want got || exit 1
[ "$(wc -l <want) $(tail -1 want)" = "$lines exit $status" ] && exit
echo "$(wc -l <want) lines, not $lines with status $status:"
cat want
exit 1
S
chmod +x "$T/both"

while read -r lines status args; do
	export lines status args
	try "$args" <<'E'
"$T/both"
E
done <<'L'
6 0 list @
4 0 list @/blocks
9 0 list @ --dirs
4 0 list @ --dirs --depth 1
5 0 list @ --depth 2
2 0 list @/blocks/a.md
2 0 list @ -t py
2 0 list @ --json
5 0 glob *.md -p @
4 0 glob blocks/** -p @
1 1 glob nothing -p @
2 0 glob /*.md --path @
5 0 search TODO @
5 0 search -l TODO @
5 0 search -c TODO @
5 0 search -v TODO @
8 0 search -C1 TODO @/blocks
2 0 search -w line @/blocks/a.md
4 0 search TODO @ -g !deep
2 0 search ^...$ @
1 1 search nothing_there @
2 0 search TODO @ --json -C 1
3 0 search -e one -e two @
5 0 grep TODO @/blocks @/skills
3 0 search TODO @ -m 2
L

more 'what is not there' <<'E'
fails 3 ikm list ikigai:///nowhere --json >out
same NO_SUCH_ASSET "$(jq -r .details.reason out)"
fails 3 ikm search x ikigai:///blocks/none.md
fails 2 ikm search x ikigai:///a/../b
E

more 'files and assets in one search' <<'E'
same 'd/blocks/a.md:2:TODO one
ikigai:///blocks/a.md:2:TODO one' "$(ikm search 'TODO one' d ikigai:///)"
E

more 'without a store there is nothing, and none is made' <<'E'
HOME=$PWD/other
mkdir other
same d/top.md "$(ikm list d/top.md)"
same '' "$(ikm list ikigai:///)"
fails 1 ikm search x ikigai:///
same '' "$(ls -A other)"
E
done_testing
