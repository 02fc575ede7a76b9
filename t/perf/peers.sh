#!/bin/sh
# Memory servers from npm against ikm: recall among LoCoMo's turns, time of a search, and how many of
# 20 and 40 writes at once are there afterwards. peers.mjs tells how each is used. ai-devkit needs
# better-sqlite3, which npm must be allowed to build: npm rebuild --prefix build/npm better-sqlite3
# Usage: peers.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=$here/../../build/npm/node_modules
data=${IKM_SHARED:-$here/../../../shared}/data/locomo
[ -n "${PERF_FULL-}" ] || { echo 'peers: minutes: with PERF_FULL=1' >&2; exit 0; }
command -v node >/dev/null || { echo 'peers: node is not installed' >&2; exit 0; }
for peer in @modelcontextprotocol/server-memory @ai-devkit/memory better-sqlite3/build; do
	[ -d "$modules/$peer" ] || { echo "peers: $peer is not in build/npm" >&2; exit 0; }
done
[ -e "$data/turns.jsonl" ] || { echo "peers: $data is not there" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
node "$here/peers.mjs" "$1" "$modules" "$data" "$dir"
