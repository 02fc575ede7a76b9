#!/bin/sh
# Prints each error of t/mcp/errors.txt as a model reads it over ikm mcp: tokens of o200k, the call,
# and the text. The last line has the mean and the largest. Read it as a model that knows only the
# tools' descriptions: does it name the thing, what is wrong, what is allowed, what to call next?
# Usage: errors.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
npm=$here/../../build/npm/node_modules
[ -d "$npm" ] || npm=${IKM_NPM:-}/node_modules
if ! command -v node >/dev/null || [ ! -d "$npm/gpt-tokenizer" ]; then
	echo "errors: node or gpt-tokenizer is missing" >&2
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
PATH=$dir:$PATH
export HOME PATH
mkdir "$HOME"
ln -s "$1" "$dir/ikm"
cd "$dir"
# shellcheck source=t/mcp/errors.sh
. "$here/../mcp/errors.sh"
(mcp_errors "$here/../mcp/errors.txt") >answers
node "$here/errors.mjs" "$npm" "$here/../mcp/errors.txt" answers
