#!/bin/sh
# Token estimates against the models' own tokenizers, model by model and kind by kind, on documents
# that the tables were not fitted on. A line is `name ours theirs ratio` as everywhere: tokens
# estimated, tokens real; then the mean error of a document, the 95th percentile of documents, and
# how many there are. The last lines are speed in MB/s: the estimator and gpt-tokenizer.
# Usage: tokens.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null || { echo "tokens: node is not installed" >&2; exit 0; }
[ -d "$here/../../build/npm/node_modules/gpt-tokenizer" ] ||
	{ echo "tokens: gpt-tokenizer is not in build/npm" >&2; exit 0; }
exec node "$here/tokens.mjs" "$(dirname "$2")/tokens"
