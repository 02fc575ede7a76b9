#!/bin/sh
# A thousand reads of one small file through one MCP server, one after another, and a hundred at a
# time, against the reference filesystem server. Prints `name ours theirs ratio`, milliseconds.
# Usage: mcp.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
server=${IKM_NPM:-$here/../../build/npm}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js
if [ ! -e "$server" ] || ! command -v node >/dev/null; then
	echo "mcp: node or server-filesystem is missing" >&2
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
export HOME
mkdir "$HOME" "$dir/work"
cd "$dir/work"
git init -q
seq 40 >file
node "$here/mcp-reads.mjs" "$1" "$server" "$PWD/file"
