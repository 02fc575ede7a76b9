#!/bin/sh
# check --all with 50 text rules over some 6,000 files, against ripgrep with the same patterns.
# SOURCES names a folder of source text; without it the system's headers are copied.
# Usage: check-all.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
command -v rg >/dev/null || { echo "check-all: ripgrep is not installed" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
mkdir "$dir/repo"
find "${SOURCES:-/usr/include}" -type f -name '*.[ch]*' | LC_ALL=C sort | head -6000 |
	tar -C / -cf - -T - 2>/dev/null | tar -C "$dir/repo" -xf -
cd "$dir/repo"
rules .
git init -q .
git add -A
git -c user.name=Perf -c user.email=perf@example.org commit -qm all
patterns 45 >"$dir/patterns"
"$2" check-all 9 "$1" check --all -- rg -n --no-heading --hidden -g '!.git' -f "$dir/patterns" .
