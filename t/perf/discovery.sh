#!/bin/sh
# Fifty tools that take half a second to tell their schema: against what four a core at once can do at
# the best; and the second look, against git --version. Usage: discovery.sh IKM PAIR
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export IKIGAI_HOME="$dir/home"
mkdir -p "$IKIGAI_HOME/tools"
i=0
while [ $i -lt 50 ]; do
	printf '#!/bin/sh\nsleep 0.5\necho "{\\"description\\": \\"slow\\", \\"parameters\\": {}}"\n' \
		>"$IKIGAI_HOME/tools/slow$i"
	i=$((i + 1))
done
chmod +x "$IKIGAI_HOME"/tools/*
ideal=$(awk -v cores="$(nproc)" 'BEGIN { print 50 / (4 * cores) * 0.5 }')
printf '#!/bin/sh\nrm -f "%s/tools.cache"\nexec "%s" tool list\n' "$IKIGAI_HOME" "$1" >"$dir/first"
chmod +x "$dir/first"
"$2" discovery 3 "$dir/first" -- sleep "$ideal"
"$1" tool list >/dev/null
"$2" discovery-cached 200 "$1" tool list -- git --version
"$2" tool-call 100 "$1" tool call glob -- git --version
