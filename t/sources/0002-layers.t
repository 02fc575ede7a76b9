#!/bin/sh
# lib/LAYERS holds, and each foreign header is private to one module.
. "$(dirname "$0")/../lib.sh"

try 'every module has its place in lib/LAYERS' <<'E'
awk '/^#/ { next } /:/ { area = $1; next } { for (i = 1; i <= NF; i++) print area $i }' \
	"$TOP/lib/LAYERS" | sort >listed
(cd "$TOP/lib" && ls -d -- */*/) | sed 's|/$||; s|/|:|' | sort >there
diff -u there listed
E

try 'no module includes one that is beside or above it' <<'E'
grep -v '[#:]' "$TOP/lib/LAYERS" | awk '{ for (i = 1; i <= NF; i++) print $i, NR }' >layer
(cd "$TOP/lib" && grep -Hn '^#include "' */*/*.[ch] | sed 's|^[a-z]*/||') |
	sed -n 's|^\([a-z]*\)/\([^:]*\):\([0-9]*\):#include "\([^"]*\)".*|\1 \4 \1/\2:\3|p' |
	awk 'NR == FNR { of[$1] = $2; next }
	     { split($2, part, "/"); to = index($2, "/") ? part[1] : $1
	       if (!(to in of) || (to != $1 && of[to] >= of[$1])) {
		       print $3 " includes " $2; bad = 1 } }
	     END { exit bad }' layer -
E

try 'no area has more lines than lib/LAYERS gives it, no folder more than 45 files' <<'E'
cd "$TOP/lib"
sed -n '/^#/!s/://p' LAYERS >"$T/budgets"
least 9 "$T/budgets"
while read -r area most; do
	[ "$(cat "$area"/*/*.[ch] | wc -l)" -le "$most" ] || echo "$area has over $most lines"
done <"$T/budgets" >"$T/over"
for folder in */*/; do
	# shellcheck disable=SC2012
	[ "$(ls "$folder" | wc -l)" -le 45 ] || echo "$folder has over 45 files"
done >>"$T/over"
cat "$T/over"
[ ! -s "$T/over" ]
E

try 'each header is included by a source' <<'E'
cd "$TOP"
for header in cmd/*.h lib/*/*/*.h; do
	grep -rqE --include='*.[ch]' "^#include \"(${header#lib/*/}|${header##*/})\"" cmd lib t ||
		echo "$header"
done >"$OLDPWD/wrong"
cat "$OLDPWD/wrong"
[ ! -s "$OLDPWD/wrong" ]
E

try 'lib includes nothing of cmd/: main.c links the table of commands in' <<'E'
(cd "$TOP/cmd" && ls | grep -v '\.c$') >headers
diff -u - headers <<'L'
list.h
L
! grep -n '#include "[^"]*list\.h"' "$TOP"/lib/*/*/*.[ch]
E

try 'each file of cmd/ defines commands, and has the name of one or of their noun' <<'E'
cd "$TOP/cmd"
for file in *.c; do
	[ "$file" != main.c ] || continue
	grep -q '^const struct cmd cmd_' "$file" || echo "$file: no command"
	sed -n 's/^	\.name = "\(.*\)",$/\1/p' "$file" | tr ' -' '__' |
		grep -qE "^${file%.c}(_|\$)" || echo "$file: no command of this name"
done >"$OLDPWD/wrong"
cat "$OLDPWD/wrong"
[ ! -s "$OLDPWD/wrong" ]
E

try 'the files of cmd/ define what ikm help lists' <<'E'
ikm help --json | jq -r '.commands[].name' | LC_ALL=C sort >listed
[ "$(wc -l <listed)" -gt 70 ]
cat "$TOP"/cmd/*.c | sed -n 's/^	\.name = "\(.*\)",$/\1/p' | LC_ALL=C sort >there
diff -u listed there
E

try 'commands are found by name, not by address, and none is a stub' <<'E'
cd "$TOP"
grep -n '&cmd_[a-z]' cmd/*.c lib/*/*/*.c | grep -v '^cmd/main\.c:' >"$OLDPWD/wrong" || true
grep -n 'BUG(' cmd/*.c >>"$OLDPWD/wrong" || true
cat "$OLDPWD/wrong"
[ ! -s "$OLDPWD/wrong" ]
E

try 'every template names members that its rows have' <<'E'
ikm --templates >templates
[ "$(wc -l <templates)" -ge 80 ]
grep -qx 'mem history' templates
E

# They read foreign JSON or schemas, or print any value tree; the matches of search are drawn.
try 'no other command reads a result by name' <<'E'
cd "$TOP"
grep -l 'val_get[_a-z]*(' cmd/*.c lib/face/*/*.c |
	grep -vE '^lib/face/(app|doctor|server|setup)/' >"$OLDPWD/by_name"
diff -u - "$OLDPWD/by_name" <<'L'
cmd/hook_run_agent.c
cmd/propose.c
cmd/tool_show.c
lib/face/paths/open_files_for_call.c
lib/face/reply/plain_for_model.c
lib/face/toolbox/all_tools.c
L
E

# git2.h also stands for the headers in its folder git2/.
# shellcheck disable=SC2013
for library in $(awk '!/^#/ { print $4 ":" $5 }' "$TOP/lib/LIBRARIES"); do
	header=${library%:*} module=${library#*:}
	export header module
	try "only the module of $header includes it: $module" <<'E'
cd "$TOP"
grep -rn --include='*.[ch]' "#include <${header%.h}[./]" lib cmd |
	grep -v "^lib/[a-z]*/$module/" >"$T/elsewhere" || true
cat "$T/elsewhere"
[ ! -s "$T/elsewhere" ]
E
done

if command -v dpkg-query >/dev/null; then
try 'lib/LIBRARIES has each library that the sources include' <<'E'
(cd "$TOP" && grep -rhoE --include='*.[ch]' '^#include <[^>]*>' lib cmd) | sort -u |
	sed 's/^#include \(.*\)/#if __has_include(\1)\n&\n#endif/' >includes
least 120 includes
awk '!/^#/ && $5 != "-" { print $3 }' "$TOP/lib/LIBRARIES" | sort >listed
# The package of a header tells whether it belongs to the C library, the compiler or the kernel.
cc -D_GNU_SOURCE -H -fsyntax-only -x c includes 2>&1 | sed -n 's/^[.] //p' >files
least 40 files
xargs dpkg-query -S <files | sed 's/:.*//' | sort -u |
	grep -v '^libc6-dev$\|^linux-libc-dev$\|^libgcc-[0-9]*-dev$' >used
diff -u listed used
E
fi

try 'only main exits; nothing in a command prints to standard error by itself' <<'E'
grep -nE '(^|[^_a-z])exit\(' "$TOP"/cmd/*.c "$TOP"/lib/*/*/*.c >exits || true
cat exits
[ ! -s exits ]
! grep -n 'fprintf(stderr' "$TOP"/cmd/*.c "$TOP"/lib/face/*/*.c
E

try 'commands neither free nor go to' <<'E'
! grep -nE '(^|[^_a-z])free\(|goto ' "$TOP"/cmd/*.c "$TOP"/lib/face/*/*.c
E

# Else what is written would be rolled back, and the caller told that all is well.
try 'a block that begins a transaction ends by a commit, an error, or nothing to do' <<'E'
cat >ends.awk <<'A'
function told(what) { print FILENAME ":" FNR ": " what }
/^\{/ { begun = committed = 0 }
/DB_TXN/ { begun = 1 }
begun && /(^|[^a-z_])(db|memory)_begin(_as)?\(&/ { begun = 2 }
/_commit\(&/ { committed = 1 }
begun == 2 && /[\t ]return / &&
	!/return (NULL;|err_|[a-z_]*(missing|damaged|not_next)\()|_commit\(&/ { told($0) }
/^\}/ { if (begun == 2 && !committed) told("no commit"); begun = 0 }
A
cat >lost.c <<'C'
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db));
	if (done)
		return NULL;
	if (one)
		return db_commit(&t);
	return put(db);
}
C
same "lost.c:9: $(printf '\treturn put(db);')" "$(awk -f ends.awk lost.c)"
sed '/_commit/d; s/put(db)/NULL/' lost.c >never.c
same 'never.c:9: no commit' "$(awk -f ends.awk never.c)"
same '' "$(awk -f ends.awk "$TOP"/lib/*/*/*.c "$TOP"/cmd/*.c)"
E

try 'no SQL text in C' <<'E'
! grep -nE '"(select|insert|update|delete|create table) ' "$TOP"/cmd/*.c "$TOP"/lib/*/*/*.c
E

try 'generate.awk writes parts into statements, and refuses what would hide a part of them' <<'E'
made() { printf "%b" "$1" | awk -v what=sql -f "$TOP/sql/generate.awk" 2>err; }
same '-- name: q
select * from (select 1 from t) where a = 2;' \
	"$(made '-- part: p\nselect 1\n\tfrom t;\n-- name: q\nselect * from {p} where a = 2;\n')"
refused() { not made "$1" >out && grep -q "$2" err; }
refused '-- part: p\nselect 1 -- one\n from t;\n' 'a comment in a part'
refused '-- part: p\nselect 1;\n-- part: p\nselect 2;\n' 'the part p again'
refused '-- name: q\nselect * from {p};\n' 'no part p above'
refused '-- name: q\nselect 1\n' 'the last statement has no semicolon'
refused '-- name: q\nselect 1\n-- name: r\nselect 2;\n' 'the statement before has no semicolon'
refused 'select 1;\n' 'a statement without a name'
E

try 'headers are the same in test builds: most objects serve both' <<'E'
grep -n 'IKM_TEST' "$TOP"/cmd/*.h "$TOP"/lib/*/*/*.h >hooks || true
cat hooks
[ ! -s hooks ]
E

try 'the top has the entries that ikm-hacking(7) names, and no others' <<'E'
ls "$TOP" | grep -vx build >out
printf '%s\n' LICENSE Makefile README.md cmd examples hooks lib man sql t >want
diff -u want out
E

# A function earns an export by a second user, a file that commands share by a second command.
try 'what has one user only is in t/one_user.list, which may only shrink' <<'E'
sh "$TOP/t/one_user.sh" "$BUILD/test/symbols" >now
LC_ALL=C sort -c "$TOP/t/one_user.list"
echo 'new: make it static or move it, or give it a second user:'
LC_ALL=C comm -13 "$TOP/t/one_user.list" now | tee new
echo 'gone: delete these lines from t/one_user.list:'
LC_ALL=C comm -23 "$TOP/t/one_user.list" now | tee gone
[ ! -s new ] && [ ! -s gone ]
E

try 'the finder of what has one user knows each kind' <<'E'
printf '%s\n' x/o/lib/a/one.o:'0 T a_one' x/o/lib/a/one.o:'0 T a_none' x/o/lib/a/one.o:'0 T a_far' \
	x/o/lib/a/two.o:'  U a_one' x/o/cmd/c.o:'  U a_far' x/o/cmd/c.o:'  U common_it' \
	x/o/cmd/c.o:'  U common_both' x/o/cmd/d.o:'  U common_both' \
	x/o/lib/face/paths/it.o:'0 T common_it' x/o/lib/face/paths/both.o:'0 T common_both' >symbols
same 'file lib/face/paths/it.c
function a_one
unused a_none' "$(sh "$TOP/t/one_user.sh" symbols)"
E
done_testing
