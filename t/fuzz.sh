#!/bin/sh
# Runs one fuzz target (libFuzzer, ASan, UBSan) for some seconds: fuzz.sh NAME SECONDS
set -eu
mkdir -p "build/libfuzzer/corpus/$1"
echo "fuzz: $1 for $2 s"
"build/libfuzzer/$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
	-artifact_prefix=build/libfuzzer/ "build/libfuzzer/corpus/$1" "t/fuzz/corpus/$1"
