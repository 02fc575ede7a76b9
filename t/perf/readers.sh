#!/bin/sh
# Readers: nanoseconds a byte of the reader of each language, syntax and manifest, against a loop that
# counts lines and brackets (YAML: against libyaml's events), over the sources, what make perf
# installs, and what the system has. Kinds with few bytes are left out. Usage: readers.sh IKM PAIR
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$2")
for dir in "$top/lib" "$build/npm" "$build/perf" /usr/lib/python3 /usr/include /usr/share; do
	[ ! -d "$dir" ] || find "$dir" -type f -size -2000k -regextype posix-extended -regex \
		'.*(\.(js|ts|py|c|h|rb|go|rs|java|php|html|vue|json|toml|xml|ya?ml)|[a-z]+[.-]lock(\.json)?)' | head -20000
done | "$build/readers" 2>/dev/null | awk -F '\t' '$5 > 100000 { gsub(" ", "-", $1)
	printf "read-%s-ns/B %s %s %.2f\n", $1, $2, $3, $2 / $3
}'
