#!/bin/sh
# One write in the garden (`md patch` with a rationale: lock, events, history copy, file, Git commit,
# all durable), against git add and git commit of two such files with core.fsync=all, in two equal
# repositories of 400 files. Usage: garden-write.sh IKM PAIR
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
export HOME
mkdir "$HOME"
git config --global user.name Ada
git config --global user.email ada@example.org
"$1" config set user ada >/dev/null
"$1" init --home-only --garden >/dev/null
cd "$HOME/.ikigai/garden"
"$1" md new part p1 >/dev/null
file=users/ada/parts/p1/profile.md
i=0
while [ $i -lt "${FILES:-400}" ]; do
	i=$((i + 1))
	mkdir -p "users/ada/parts/q$i"
	sed "s/^id: p1/id: q$i/" "$file" >"users/ada/parts/q$i/profile.md"
done
git add -A
git commit -qm parts
cp -R . "$dir/git"

cat >"$dir/ours" <<'E'
"$1" md patch "$2" needs --replace "Rest: $(od -An -N8 -tx8 /dev/urandom)" --rationale 'a measured write'
E
cat >"$dir/theirs" <<'E'
cd "$1"
unique=$(od -An -N8 -tx8 /dev/urandom)
copy=${2%/*}/history/${unique# }-profile.md
mkdir -p "${2%/*}/history"
cat "$2" >"$copy"
echo "$unique" >>"$2"
git -c core.fsync=all add "$2" "$copy"
git -c core.fsync=all commit -qm "replace_section $2" -m 'a measured write' -- "$2" "$copy"
E
sh "$dir/ours" "$1" "$file"
sh "$dir/theirs" "$dir/git" "$file"
"$2" garden-write 31 sh "$dir/ours" "$1" "$file" -- sh "$dir/theirs" "$dir/git" "$file"
[ -z "$(git status --short)" ]
[ "$(git rev-list --count HEAD)" -gt 4 ]
[ "$(git -C "$dir/git" rev-list --count HEAD)" = "$(git rev-list --count HEAD)" ]
"$1" events verify >/dev/null
