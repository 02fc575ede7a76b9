#!/bin/sh
# Runs tests on the programs of `make COVERAGE=1`, and prints how many lines of each module of lib
# and cmd they ran. The blocks that no test ran go to BUILD/uncovered, the longest first. Called by
# `make coverage`, which fails if a test does, or if less than 92 % of the lines are run.
#
#   t/coverage.sh BUILD [TEST…]     without tests: those of every day; with TESTS=none nothing is
#                                   run, and the counters of the last time are told
set -eu
here=$(dirname "$0")
build=$1
shift
counters=$build/counters
rc=0
if [ "$*" != none ]; then
	# The build ran some programs too. t/run.sh runs the tests as a user who owns nothing here.
	rm -rf "$counters"
	mkdir -m 1777 "$counters"
	[ "$(id -u)" != 0 ] || setpriv --reuid=nobody --clear-groups test -w "$counters" || {
		echo "make coverage: nobody may not write in $PWD/$counters; use a folder that all may enter" >&2
		exit 1
	}
	"$here/run.sh" "$build" "$@" || rc=$?
fi
llvm-profdata merge -o "$build/profdata" "$counters"/*.profraw
# The program has all of lib and cmd, so its map of the code is enough.
llvm-cov export -format=lcov -instr-profile "$build/profdata" "$build/test/ikm" >"$build/lcov"
awk -v blocks="$build/blocks" -f "$here/coverage.awk" "$build/lcov" || rc=1
sort -rn "$build/blocks" >"$build/uncovered"
rm "$build/blocks"
echo "the blocks that no test ran: $build/uncovered"
exit $rc
