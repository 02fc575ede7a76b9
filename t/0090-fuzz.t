#!/bin/sh
# Every fuzz target replays its corpus; `make fuzz` searches for more.
. "$(dirname "$0")/lib.sh"

for target in "$TOP"/t/fuzz/*.c; do
	name=$(basename "$target" .c)
	[ "$name" != replay ] || continue
	export name
	try "$name replays its corpus" <<'E'
ls "$TOP/t/fuzz/corpus/$name" >corpus
[ -s corpus ]
find "$TOP/t/fuzz/corpus/$name" -type f -exec "$BUILD/fuzz/$name" {} +
E
done
done_testing
