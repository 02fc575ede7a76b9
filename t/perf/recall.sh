#!/bin/sh
# Recall: LoCoMo's sessions in one store and its turns within a conversation, against FTS5 as sqlite3
# runs it (porter, stop words dropped, OR, bm25), over conversations that the weights were not fitted
# on. The bars: sessions R@5 and MRR at the default threshold + 0.02, turns R@5 + 0.10, gold within
# tokens 1.15 times. Then how many questions about another conversation find nothing that reaches
# the threshold. Usage: recall.sh IKM PAIR
set -eu
build=$(dirname "$1")
data=${IKM_SHARED:-$(dirname "$0")/../../../shared}/data/locomo
command -v sqlite3 >/dev/null || { echo 'recall: sqlite3 is not installed: skipped' >&2; exit 0; }
[ -d "$data" ] || { echo "recall: no conversations at $data: skipped" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$build/recall" sql "$data" | sqlite3 :memory: >"$dir/theirs"
"$build/recall" ours "$data" "$dir" >"$dir/ours"
"$build/recall" score "$data" "$dir/ours" "$dir/theirs"
"$build/recall" strangers "$data" "$dir"
