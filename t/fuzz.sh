#!/bin/sh
# Runs one fuzz target (libFuzzer, ASan, UBSan) for some seconds: fuzz.sh NAME SECONDS [SEED]
# The same SEED tries the same inputs in the same order; without one each run draws its own.
# Prints the fuzzer's output only when it finds something. The input is then in build/libfuzzer.
set -eu
mkdir -p "build/libfuzzer/corpus/$1"
log=build/libfuzzer/$1.log
"build/libfuzzer/$1" -max_total_time="$2" -seed="${3:-0}" -timeout=10 -rss_limit_mb=2048 \
	-artifact_prefix=build/libfuzzer/ "build/libfuzzer/corpus/$1" "t/fuzz/corpus/$1" \
	>"$log" 2>&1 || { cat "$log"; exit 1; }
echo "fuzz: $1 for $2 s: $(grep '^Done' "$log")"
