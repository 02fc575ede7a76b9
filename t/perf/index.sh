#!/bin/sh
# The index alone at 200,000 documents, with PERF_FULL=1 at a million: CPU to build it, its size,
# CPU of a question, memory, and the overlap of the first ten with an exhaustive search; then as
# many of the same words. A line is `name ours bar ratio`. Usage: index.sh IKM PAIR
set -eu
n=200000
[ -z "${PERF_FULL-}" ] || n=1000000
index=$(dirname "$2")/index
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$index" build "$dir/ikm.db" $n
stat -c %s "$dir/ikm.db" | awk -v n=$n '{ bar = n * 60 / 1e6
	printf "index-size-mb %.1f %.1f %.2f\n", $1 / 1e6, bar, $1 / 1e6 / bar }'
"$index" ask "$dir/ikm.db" 200
"$index" exact "$dir/ikm.db" 20
rm "$dir"/ikm.db*
"$index" build "$dir/ikm.db" $n same | sed 's/^index/index-same/'
"$index" ask "$dir/ikm.db" 50 same | sed 's/^index/index-same/'
