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
sh "$here/mkrepo" "$dir/repo" "${FILES:-20000}" 0 >/dev/null
cd "$dir/repo"
rules .
git add .knowledge 2>/dev/null
git commit -qm rules
history . "${COMMITS:-1000}"
"$2" verify-1000 7 "$1" check --verify main..more -- \
	git log -p -G 'strcpy *\(' main..more
