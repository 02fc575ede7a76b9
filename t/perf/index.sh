#!/bin/sh
# The index alone at a million documents: CPU to build it, its size, CPU of a question, memory, and
# the overlap of the first ten with an exhaustive search; then a million of the same words. A line is
# `name ours bar ratio`. Usage: index.sh IKM PAIR
set -eu
index=$(dirname "$2")/index
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$index" build "$dir/ikm.db" 1000000
stat -c %s "$dir/ikm.db" | awk '{ printf "index-size-mb %.1f 60.0 %.2f\n", $1 / 1e6, $1 / 6e7 }'
"$index" ask "$dir/ikm.db" 200
"$index" exact "$dir/ikm.db" 20
rm "$dir"/ikm.db*
"$index" build "$dir/ikm.db" 1000000 same | sed 's/^index/index-same/'
"$index" ask "$dir/ikm.db" 50 same | sed 's/^index/index-same/'
