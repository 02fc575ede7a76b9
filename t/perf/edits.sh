#!/bin/sh
# Forty processes, each editing another line of one file at the same time, and of one asset, and forty
# MCP servers of ours; against forty of the reference MCP filesystem server, each asked for one edit of
# one file. Prints `name ours theirs ratio`: how many of the forty edits are there at the end.
# Usage: edits.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
server=${IKM_NPM:-$here/../../build/npm}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js
if [ ! -e "$server" ] || ! command -v node >/dev/null; then
	echo "edits: node or server-filesystem is missing" >&2
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
export HOME
mkdir "$HOME" "$dir/work"
cd "$dir/work"

lines() {
	seq -f 'the %02g. line is old' 40
}

edit() { # FILE OR URI: all at once
	for i in $(seq -w 40); do
		"$ikm" edit "$1" --old "$i. line is old" --new "$i. line is new" >/dev/null 2>"$dir/err.$i" &
	done
	wait
	cat "$dir"/err.* >&2
}

ikm=$1
asset=ikigai:///blocks/edits.md
lines >file
lines | "$ikm" write "$asset" >/dev/null
lines >theirs
lines >served
edit file
edit "$asset"
node "$here/edits.mjs" "$server" "$PWD/theirs"
node "$here/edits.mjs" "$server" "$PWD/served" "$ikm"
theirs=$(grep -c new theirs) || :
show() {
	awk -v n="$1" -v a="$2" -v b="$theirs" 'BEGIN { printf "%s %d %d %s\n", n, a, b, b ? sprintf("%.2f", a / b) : "-" }'
}
show edits-kept-file "$(grep -c new file)"
show edits-kept-mcp "$(grep -c new served)"
show edits-kept-asset "$("$ikm" read "$asset" | grep -c new)"
