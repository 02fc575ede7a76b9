#!/bin/sh
# list, glob and search say the same of stored assets as of files.
. "$(dirname "$0")/lib.sh"

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

cat >"$T/both" <<'S'
#!/bin/sh
# a command line in which @ stands for the folder, with a slash behind it
set -f
ask() {
	rc=0
	ikm $(echo "$args" | sed "s|@/*|$1|g") || rc=$?
	echo "exit $rc"
}
ask d/ >want 2>&1
ask ikigai:/// 2>&1 | sed 's|ikigai:///|d/|g' >got
diff -u want got
S
chmod +x "$T/both"

for args in 'list @' 'list @/blocks' 'list @ --dirs' 'list @ --dirs --depth 1' 'list @ --depth 2' 'list @/blocks/a.md' \
	'list @ -t py' 'list @ --json' 'glob *.md -p @' 'glob blocks/** -p @' 'glob nothing -p @' \
	'glob /*.md --path @' 'search TODO @' 'search -l TODO @' 'search -c TODO @' 'search -v TODO @' \
	'search -C1 TODO @/blocks' 'search -w line @/blocks/a.md' 'search TODO @ -g !deep' 'search ^...$ @' \
	'search nothing_there @' 'search TODO @ --json -C 1' 'search -e one -e two @' 'grep TODO @/blocks @/skills' \
	'search TODO @ -m 2'; do
	export args
	try "$args" <<'E'
"$T/both"
E
done

try 'what is not there' <<'E'
fails 3 ikm list ikigai:///nowhere --json >out
same NO_SUCH_ASSET "$(jq -r .details.reason out)"
fails 3 ikm search x ikigai:///blocks/none.md
fails 2 ikm search x ikigai:///a/../b
E

try 'files and assets in one search' <<'E'
same 'd/blocks/a.md:2:TODO one
ikigai:///blocks/a.md:2:TODO one' "$(ikm search 'TODO one' d ikigai:///)"
E

try 'without a store there is nothing, and none is made' <<'E'
HOME=$PWD/other
mkdir other
same '' "$(ikm list ikigai:///)"
fails 1 ikm search x ikigai:///
same '' "$(ls -A other)"
E
done_testing
