#!/bin/sh
# A durable commit of two files, against git add and git commit of the same two with core.fsync=all,
# in a repository of 5,900 files. Both write the files first. Usage: commit.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
sh "$here/mkrepo" "$dir/repo" "${FILES:-5900}" 1 >/dev/null
cd "$dir/repo"
git reset -q --hard
git config user.name Ada
git config user.email ada@example.org
mkdir -p users/ada/parts/p1/history
file=users/ada/parts/p1/profile.md copy=users/ada/parts/p1/history/1-profile.md
cat >"$dir/git" <<'E'
text="# Profile

$$ $(od -An -N8 -tx8 /dev/urandom)"
echo "$text" >"$1"
echo "$text" >"$2"
git -c core.fsync=all add "$1" "$2" && git -c core.fsync=all commit -qm perf -- "$1" "$2"
E
commit=${2%/*}/commit
"$commit" "$file" "$copy" && sh "$dir/git" "$file" "$copy"
"$2" commit-two-files 31 "$commit" "$file" "$copy" -- sh "$dir/git" "$file" "$copy"
git fsck --strict --no-dangling --no-progress
