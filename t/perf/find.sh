#!/bin/sh
# find over 100,000 paths with ten queries, as people type them, against git ls-files and fzf --filter.
# A last line counts the queries with the same first result. Usage: find.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
export HOME
mkdir "$HOME"
sh "$here/mkrepo" "$dir/repo" "${FILES:-100000}" 1 >/dev/null
cd "$dir/repo"
git reset -q --hard

same=0 n=0
for query in main serverq apiauth cfg.json utilcache logint12 qtest db/conn orders_5 themets; do
	n=$((n + 1))
	# shellcheck disable=SC2016
	"$2" "find-$query" 5 "$1" find "$query" -- \
		sh -c 'git ls-files -co --exclude-standard | fzf --filter "$0"' "$query"
	theirs=$(git ls-files -co --exclude-standard | fzf --filter "$query" | head -1)
	[ "$("$1" find --limit 1 "$query" || true)" != "$theirs" ] || same=$((same + 1))
done
echo "find-same-first $same $n"
