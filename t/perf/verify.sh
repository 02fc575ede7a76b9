#!/bin/sh
# check --verify of 1,000 commits by 50 rules, against git log -p -G with one pattern over the same
# commits. Usage: verify.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
# shellcheck source=t/perf/history.sh
. "$here/history.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
history_repo "$here" "$dir"
"$2" verify-1000 7 "$1" check --verify main..more -- \
	git log -p -G 'strcpy *\(' main..more
