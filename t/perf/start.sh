#!/bin/sh
# Start-up: ikm version and a small read, against git --version. Usage: start.sh IKM PAIR
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo 'one line' >"$dir/file"
"$2" version 200 "$1" version -- git --version
"$2" read 200 "$1" read "$dir/file" -- git --version
