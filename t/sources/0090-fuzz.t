#!/bin/sh
# Every fuzz target replays its corpus; `make fuzz` searches for more.
. "$(dirname "$0")/../lib.sh"

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

try 'make fuzz: the same inputs, in the same order; fewer than asked for are a failure' <<'E'
mkdir -p build/libfuzzer t/fuzz/corpus/x
touch t/fuzz/corpus/x/b t/fuzz/corpus/x/B t/fuzz/corpus/x/a
printf '#!/bin/sh\necho "$*" >args\necho "Done $N runs in 1 second(s)"\n' >build/libfuzzer/x
chmod +x build/libfuzzer/x
export N=7
sh "$TOP/t/fuzz.sh" x 5 7
grep -q -- '-max_total_time=5 .*-seed=1 -runs=7 .*=t/fuzz/corpus/x/B,t/fuzz/corpus/x/a,t/fuzz/corpus/x/b$' args
fails 1 sh "$TOP/t/fuzz.sh" x 5 8 >out
grep -q 'x did 7 of 8 runs in 5 s' out
sh "$TOP/t/fuzz.sh" x 5
grep -q -- '-max_total_time=5 .*-seed=0 build/libfuzzer/corpus/x t/fuzz/corpus/x$' args
E

try 'make fuzz-coverage knows the sources of every target, and of no other' <<'E'
sed -n 's/^\([a-z]\)/\1/p' "$TOP/t/fuzz/covers" >rows
same "$(cd "$TOP/t/fuzz" && ls *.c | grep -v '^replay' | sed 's/\.c$//' | LC_ALL=C sort)" "$(cut -d' ' -f1 rows | LC_ALL=C sort)"
cd "$TOP/lib"
while read -r name sources; do ls $sources >"$T/found"; done <"$T/w/rows"
E
done_testing
