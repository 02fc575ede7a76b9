#!/bin/sh
# Builds every fuzz target with libFuzzer, ASan and UBSan, and runs each for FUZZ_SECONDS.
# Called by `make fuzz`, which gives CPPFLAGS, LIBS and the library's sources.
set -eu
out=build/libfuzzer
mkdir -p $out
flags="-std=c11 -g -O1 -pthread -fsanitize=address,undefined -fno-sanitize-recover=undefined"
for c; do
	o=$out/$(echo "$c" | tr / _).o
	if [ ! -e "$o" ] || [ -n "$(find lib "$c" -newer "$o" -name '*.[ch]' | head -1)" ]; then
		# shellcheck disable=SC2086
		clang-14 $flags -fsanitize=fuzzer-no-link $CPPFLAGS -DIKM_TEST -c -o "$o" "$c"
	fi
done
for c in t/fuzz/*.c; do
	name=$(basename "$c" .c)
	[ "$name" != replay ] || continue
	[ -z "${FUZZ_ONLY-}" ] || [ "$FUZZ_ONLY" = "$name" ] || continue
	# shellcheck disable=SC2086
	eval "clang-14 $flags -fsanitize=fuzzer $CPPFLAGS -DIKM_TEST -o $out/$name $c $out/*.o $LIBS"
	mkdir -p "$out/corpus-$name"
	echo "fuzz: $name for ${FUZZ_SECONDS:-60} s"
	"$out/$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 \
		-print_final_stats=0 -verbosity=0 -artifact_prefix="$out/" \
		"$out/corpus-$name" "t/fuzz/corpus/$name"
done
