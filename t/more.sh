#!/bin/sh
# What `make check` leaves out: one target of the Makefile after another, each with a log. Ends with a
# table: target, result, minutes, and what its log says last. Called by `make check-more`.
#
#   t/more.sh FOLDER [ROW…]         the logs' folder; the rows to run, or none for all
set -eu
rows='suite  check MORE=1
san    check MORE=1 SAN=1
thread check SAN=thread TESTS=t/memory/10*.t
pg     check MORE=1 IKM_PG=npm TESTS=t/memory/10*.t
posix  check POSIX=1 LONG=1
coverage coverage
hollow check-hollow
hosts  check-hosts
browser check-browser
chroot check-chroot
soak   soak SOAK_SECONDS=600
fuzz   fuzz FUZZ_SECONDS=600
fuzzed fuzz-coverage
perf   perf PERF_FULL=1'

folder=$1
shift
mkdir -p "$folder"
for row; do
	echo "$rows" | grep -q "^$row " || {
		echo "check-more: no row '$row'; the rows are: $(echo "$rows" | cut -d' ' -f1 | xargs)" >&2
		exit 2
	}
done
: >"$folder/table"
failed=0
echo "$rows" >"$folder/rows"
while read -r row targets; do
	case " ${*:-$row} " in *" $row "*) ;; *) continue ;; esac
	echo "check-more: make $targets, log $folder/$row.log"
	began=$(date +%s)
	result=ok
	# shellcheck disable=SC2086
	"${MAKE:-make}" $targets GET="${GET-}" >"$folder/$row.log" 2>&1 </dev/null || result=FAILED failed=1
	printf '%-8s %-6s %4d min  %s\n' "$row" $result $((($(date +%s) - began + 30) / 60)) \
		"$(grep . "$folder/$row.log" | tail -n 1 | cut -c1-70)" >>"$folder/table"
done <"$folder/rows"
echo "$(uname -srm), $(nproc) processors, $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)," \
	"commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
cat "$folder/table"
exit $failed
