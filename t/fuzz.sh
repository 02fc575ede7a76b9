#!/bin/sh
# Runs one fuzz target (libFuzzer, ASan, UBSan): fuzz.sh NAME SECONDS [RUNS [SEED]]
# Without RUNS, or with 0, it searches for SECONDS from a seed of its own and keeps what it learns in
# build/libfuzzer/corpus. With RUNS it tries that many inputs of at most 512 bytes. They are the same
# in each run and on each machine with this compiler: only SEED, the corpus in t/fuzz and the code
# choose them, no clock, no address and no order of files. SECONDS is then a limit, and it is a
# failure to reach it. Prints the fuzzer's output only when it finds something; the input is then in
# build/libfuzzer.
set -eu
name=$1 seconds=$2 runs=${3:-0} seed=${4:-}
out=${FUZZ_OUT:-build/libfuzzer}
log=$out/$1.log
# Only the programs of make fuzz-coverage count.
export LLVM_PROFILE_FILE="$out/$1.profraw"
set -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$out/"
if [ "$runs" = 0 ]; then
	mkdir -p "$out/corpus/$name"
	set -- "$@" -seed="${seed:-0}" "$out/corpus/$name" "t/fuzz/corpus/$name"
else
	# What the fuzzer learns from comparisons (use_cmp) has addresses.
	inputs=$(find "t/fuzz/corpus/$name" -type f | LC_ALL=C sort | paste -sd, -)
	set -- "$@" -seed="${seed:-1}" -runs="$runs" -max_len=512 -use_cmp=0 \
		-seed_inputs="$inputs"
fi
"$out/$name" "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
did=$(sed -n 's/^Done \([0-9]*\) runs .*/\1/p' "$log")
[ "${did:-0}" -ge "$runs" ] || {
	echo "fuzz: $name did ${did:-0} of $runs runs in $seconds s; give it more with FUZZ_SECONDS"
	exit 1
}
echo "fuzz: $name: $(grep '^Done' "$log")"
