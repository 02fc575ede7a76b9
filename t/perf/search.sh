#!/bin/sh
# search with one pattern and with 50 over some 6,000 files, and a list of them, against ripgrep. The
# lines found are compared first. SOURCES names a folder of source text; without it the system's
# headers are copied. Usage: search.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
command -v rg >/dev/null || { echo "search: ripgrep is not installed" >&2; exit 0; }
ikm=$1 pair=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
mkdir "$dir/repo"
find "${SOURCES:-/usr/include}" -type f -name '*.[ch]*' | LC_ALL=C sort | head -6000 |
	tar -C / -cf - -T - 2>/dev/null | tar -C "$dir/repo" -xf -
cd "$dir/repo"
git init -q .
git add -A
git -c user.name=Perf -c user.email=perf@example.org commit -qm all

compare() { # name, patterns of -e …
	name=$1
	shift
	"$ikm" search "$@" | LC_ALL=C sort >"$dir/ours" || :
	rg -n --no-heading --hidden -g '!.git' "$@" | LC_ALL=C sort >"$dir/theirs" || :
	cmp -s "$dir/ours" "$dir/theirs" || echo "$name: other lines are found than by ripgrep" >&2
	"$pair" "$name" 9 "$ikm" search "$@" -- rg -n --no-heading --hidden -g '!.git' "$@"
}

compare search -e 'struct \w+_data'
compare search-literal -e sigaction
compare search-icase -i -e 'getenv|setenv'
for word in 'qsort\(' 'bsearch\(' regcomp wordexp_t glob64 $(patterns 45 | tr ' ' '~'); do
	set -- "$@" -e "$(echo "$word" | tr '~' ' ')"
done
shift 2
compare search-50 "$@"
"$pair" list 9 "$ikm" list -- rg --files --hidden -g '!.git'
