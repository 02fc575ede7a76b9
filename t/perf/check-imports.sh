#!/bin/sh
# check --all with 20 import rules over some 6,000 source files, against ripgrep with the same
# words. SOURCES names a folder of source text; without it the system's headers are copied.
# Usage: check-imports.sh IKM PAIR
set -eu
command -v rg >/dev/null || { echo "check-imports: ripgrep is not installed" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
mkdir -p "$dir/repo/.ikm" "$dir/repo/docs/adr"
find "${SOURCES:-/usr/include}" -type f \( -name '*.[ch]*' -o -name '*.js' -o -name '*.ts' \
	-o -name '*.py' -o -name '*.go' -o -name '*.rs' -o -name '*.java' \) |
	LC_ALL=C sort | head -6000 | tar -C / -cf - -T - 2>/dev/null | tar -C "$dir/repo" -xf -
cd "$dir/repo"
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
{
	printf -- '---\nstatus: accepted\nconstraints:\n'
	for name in stdio.h sys/socket.h netinet/in.h pthread.h openssl boost linux/kernel.h lodash \
		left-pad moment request django flask numpy github.com/pkg/errors java.util.logging \
		rand tokio src/db ../internal; do
		echo "$name" >>"$dir/words"
		printf '  - {operator: must_not_use, target: import, pattern: "%s"}\n' \
			"$(printf '%s' "$name" | sed 's/[.]/\\\\&/g')"
	done
	printf -- '---\n# Imports\n'
} >docs/adr/0001-imports.md
git init -q .
git add -A
git -c user.name=Perf -c user.email=perf@example.org commit -qm all
"$2" check-imports 9 "$1" check --all -- rg -n -F --no-heading --hidden -g '!.git' -f "$dir/words" .
