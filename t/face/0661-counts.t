#!/bin/sh
# How often the main commands wait for the disk, and how many system calls they make: at most what
# t/counts says, and 5 of 100 and four more.
. "$(dirname "$0")/../lib.sh"
strace -qq -o /dev/null true 2>/dev/null ||
	skip_all 'strace is missing, or may trace nothing here'
. "$TOP/t/counts.sh"
counts_place
. "$TOP/t/garden-sample.sh"
counts_inputs
counts_rows >rows

long 'each command that is counted has its limits, and each limit its command' <<'E'
same "$(cut -f1 rows)" "$(sed '/^#/d; s/ .*//' "$TOP/t/counts")"
E

# Sanitizers and counters make system calls of their own.
! grep -qa '__asan_init\|__llvm_profile' "$BUILD/test/ikm" || counts_calls=any
export counts_calls
while IFS="$(printf '\t')" read -r name command; do
	export name command
	try "$name" <<'E'
set -- $(counted "$command") $(sed -n "s/^$name  *//p" "$TOP/t/counts")
echo "$1 waits, at most $3; $2 system calls, at most $4, 5 of 100 and four"
[ "$1" -le "$3" ]
[ "${counts_calls-}" = any ] || [ "$2" -le $(($4 + $4 / 20 + 4)) ]
E
done <rows
cd "$T" && rm -rf "$COUNTS"
done_testing
