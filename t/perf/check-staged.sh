#!/bin/sh
# check --staged with 50 files staged of 100,000 and 50 rules, against git diff --cached --raw -z; and
# check --range over 300 changed files of them, against git diff A...B. Usage: check-staged.sh IKM PAIR
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

# A pull request: a line more in 300 files.
GIT_INDEX_FILE=$dir/index
export GIT_INDEX_FILE
git read-tree HEAD
git ls-files | awk 'NR % 330 == 0' | head -300 | while IFS= read -r path; do
	id=$({ git cat-file blob ":$path"; echo "a line more"; } | git hash-object -w --stdin)
	printf '100644 %s\t%s\n' "$id" "$path"
done | git update-index --index-info
commit=$(git commit-tree -p HEAD -m pr "$(git write-tree)")
unset GIT_INDEX_FILE
"$2" check-range 21 "$1" check --range "HEAD..$commit" -- git diff "HEAD...$commit"
