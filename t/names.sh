#!/bin/sh
# Counts the functions of C sources that share their name with another function: prints each such
# name with its places, and last "SHARED of ALL". Without arguments: all of lib/ and cmd/.
# The sources are those that clang-format has laid out: a definition begins in the first column,
# has a parenthesis, and its brace stands alone on a line.
set -eu
[ $# -gt 0 ] || {
	cd "$(dirname "$0")/.."
	set -- lib/*/*/*.c cmd/*.c
}
awk '
FNR == 1 { head = "" }
/^[A-Za-z_]/ && /\(/ && !/;$/ { head = $0; line = FNR; next }
/^\{$/ && head != "" {
	name = head
	sub(/\(.*/, "", name)
	sub(/.*[^A-Za-z0-9_]/, "", name)
	all++
	n[name]++
	places[name] = places[name] " " FILENAME ":" line
	head = ""
	next
}
/^[^ \t]/ || /;$/ { head = "" }
END {
	for (name in n)
		if (n[name] > 1) {
			shared += n[name]
			print name ":" places[name] | "sort"
		}
	close("sort")
	print shared + 0 " of " all + 0
}' "$@"
