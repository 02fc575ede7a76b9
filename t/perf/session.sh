#!/bin/sh
# What a model sees in a session of forty calls over a part of ikm's own sources: it lists, searches,
# reads parts, edits, checks, remembers and takes everything back. The same work is done with ikm's
# default tools, and with server-filesystem and server-memory. Prints `name ours theirs ratio`,
# tokens of o200k: the lists of tools, the calls, the answers, and all of them. Without server-memory
# the memories are left out on both sides, and the first line says so.
# Usage: session.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
npm=$here/../../build/npm/node_modules
[ -d "$npm" ] || npm=${IKM_NPM:-}/node_modules
if ! command -v node >/dev/null || [ ! -d "$npm/@modelcontextprotocol/server-filesystem" ] ||
	[ ! -d "$npm/gpt-tokenizer" ]; then
	echo "session: node, server-filesystem or gpt-tokenizer is missing" >&2
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
export HOME
mkdir "$HOME" "$dir/work" "$dir/work/docs"
cp -r "$here/../../lib/files/file" "$here/../../lib/face/server" "$dir/work"
cat >"$dir/work/docs/0001-no-left-pad.md" <<'D'
---
type: adr
status: accepted
constraints:
  - operator: must_not_use
    target: dependency
    pattern: left-pad
    severity: block
    message: Pad with String.prototype.padStart.
---
# Pad without a package
D
cd "$dir/work"
git init -q
mkdir .ikm
echo '{"knowledge":{"sources":[{"path":"docs"}]}}' >.ikm/config.json
exec node "$here/session.mjs" "$1" "$npm" "$PWD"
