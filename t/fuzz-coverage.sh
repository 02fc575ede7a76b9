#!/bin/sh
# How many lines of its parser each fuzz target has run (t/fuzz/covers): a table, target, lines, run,
# percent, and the lines of functions that the target never calls: they are another's, or a gap. The
# blocks that it did not run go to OUT/uncovered. Called by `make fuzz-coverage` after the targets
# have run; fails if one is below 90 %.
#
#   t/fuzz-coverage.sh OUT TARGET…
set -eu
here=$(dirname "$0")
out=$1 rc=0
shift
: >"$out/uncovered"
printf '%-20s %7s %7s %6s %7s\n' target lines run % other
for name; do
	sources=$(sed -n "s/^$name  *//p" "$here/fuzz/covers")
	[ -n "$sources" ] || { echo "fuzz-coverage: t/fuzz/covers has no row for $name" >&2; exit 1; }
	# shellcheck disable=SC2086
	files=$(cd "$here/../lib" && printf 'lib/%s ' $sources)
	llvm-profdata merge -o "$out/$name.profdata" "$out/$name.profraw"
	llvm-cov export -format=lcov -instr-profile "$out/$name.profdata" "$out/$name" >"$out/lcov"
	rm -f "$out/blocks"
	awk -v target="$name" -v files="$files" -v blocks="$out/blocks" -f "$here/coverage.awk" "$out/lcov" || rc=1
	sed "s/^/$name /" "$out/blocks" | sort -rnk2 >>"$out/uncovered"
done
rm -f "$out/lcov" "$out/blocks"
echo "the blocks that a target did not run: $out/uncovered"
exit $rc
