#!/bin/sh
# What the main commands cost in counts that no other process changes: a line for each, with its name,
# millions of instructions (callgrind, with the shell that starts it), system calls, waits for the
# disk, and the most resident memory in KiB. t/face/0661-counts.t holds calls and waits. Usage: counts.sh IKM PAIR
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(dirname "$2")
for program in strace valgrind /usr/bin/time sqlite3; do
	command -v "$program" >/dev/null || { echo "counts: $program is missing" >&2; exit 0; }
done
T=$(mktemp -d)
trap 'rm -rf "$T" "${COUNTS-}"' EXIT
# shellcheck source=t/counts.sh
. "$TOP/t/counts.sh"
PATH=$(dirname "$1"):$PATH
export TOP BUILD T PATH
counts_place
git config --global user.name Ada
git config --global user.email ada@example.org
# shellcheck source=t/garden-sample.sh
. "$TOP/t/garden-sample.sh"
counts_inputs
counts_rows >rows
while IFS="$(printf '\t')" read -r name command; do
	what=$(counted "$command")
	(cd orders && /usr/bin/time -f %M -o "$T/kib" sh -c "exec $command") >/dev/null 2>&1 || :
	(cd orders && valgrind --tool=callgrind --trace-children=yes --trace-children-skip='*/git' \
		--callgrind-out-file=/dev/null --log-file="$T/log.%p" sh -c "exec $command") >/dev/null 2>&1 || :
	awk -v name="$name" -v what="$what" -v kib="$(tail -n 1 "$T/kib")" '
		/refs:/ { gsub(",", ""); instructions += $NF }
		END { split(what, n, " "); printf "count-%s %.2f %d %d %d\n", name, instructions / 1e6, n[2], n[1], kib }' \
		"$T"/log.*
	rm -f "$T"/log.*
done <rows
