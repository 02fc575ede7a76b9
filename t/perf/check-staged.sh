#!/bin/sh
# check --staged with 50 files staged of 100,000 and 50 rules, against git diff --cached --raw -z; and
# the hook's whole work for a small repository. Usage: check-staged.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
sh "$here/mkrepo" "$dir/repo" "${FILES:-100000}" 50 >/dev/null
rules "$dir/repo"
cd "$dir/repo"
git update-index --add --cacheinfo "100644,$(git hash-object -w .knowledge/policies/rules.md),.knowledge/policies/rules.md"
# The rules belong to HEAD, so that they judge as they would on any day.
GIT_INDEX_FILE=$dir/index
export GIT_INDEX_FILE
git read-tree HEAD
git update-index --add --cacheinfo "100644,$(git hash-object -w .knowledge/policies/rules.md),.knowledge/policies/rules.md"
commit=$(git commit-tree -p HEAD -m rules "$(git write-tree)")
unset GIT_INDEX_FILE
git update-ref HEAD "$commit"
"$2" check-staged 21 "$1" check --staged -- git diff --cached --raw -z
