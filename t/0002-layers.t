#!/bin/sh
# lib/LAYERS holds, and each foreign header is private to one module.
. "$(dirname "$0")/lib.sh"

try 'every module has its place in lib/LAYERS' <<'E'
grep -v '^#' "$TOP/lib/LAYERS" | tr ' ' '\n' | sort >listed
(cd "$TOP/lib" && ls -d -- */) | tr -d / | sort >there
diff -u there listed
E

try 'no module includes one that is beside or above it' <<'E'
grep -v '^#' "$TOP/lib/LAYERS" | awk '{ for (i = 1; i <= NF; i++) print $i, NR }' >layer
(cd "$TOP/lib" && grep -Hn '^#include "' */*.[ch]) |
	sed -n 's|^\([a-z]*\)/\([^:]*\):\([0-9]*\):#include "\([^"]*\)".*|\1 \4 \1/\2:\3|p' |
	awk 'NR == FNR { of[$1] = $2; next }
	     { split($2, part, "/"); to = index($2, "/") ? part[1] : $1
	       if (!(to in of) || (to != $1 && of[to] >= of[$1])) {
		       print $3 " includes " $2; bad = 1 } }
	     END { exit bad }' layer -
E

try 'lib does not include cmd/' <<'E'
! grep -n '#include "\(app\|know\|list\)\.h"' "$TOP"/lib/*/*.[ch]
E

for header in git2.h yaml.h pcre2.h cmark.h sodium.h sqlite3.h libpq-fe.h expat.h cJSON.h; do
	export header
	try "$header is included in one module at the most" <<'E'
(cd "$TOP" && grep -rl "#include <$header>" lib cmd | xargs -r dirname | sort -u) >modules
cat modules
[ "$(wc -l <modules)" -le 1 ]
E
done

try 'only main exits; nothing in a command prints to standard error by itself' <<'E'
grep -nE '(^|[^_a-z])exit\(' "$TOP"/cmd/*.c "$TOP"/lib/*/*.c >exits || true
cat exits
[ ! -s exits ]
! grep -n 'fprintf(stderr' "$TOP"/cmd/*.c
E

try 'commands neither free nor go to' <<'E'
! grep -nE '(^|[^_a-z])free\(|goto ' "$TOP"/cmd/*.c
E

try 'no SQL text in C' <<'E'
! grep -nE '"(select|insert|update|delete|create table) ' "$TOP"/cmd/*.c "$TOP"/lib/*/*.c
E

try 'headers are the same in test builds: most objects serve both' <<'E'
grep -n 'IKM_TEST' "$TOP"/cmd/*.h "$TOP"/lib/*/*.h >hooks || true
cat hooks
[ ! -s hooks ]
E

try 'no file is over 600 lines' <<'E'
cd "$TOP"
wc -l cmd/*.[ch] lib/*/*.[ch] t/unit/*.[ch] |
	awk '$2 != "total" && $1 > 600 { print; bad = 1 } END { exit bad }'
E
done_testing
