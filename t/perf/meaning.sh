#!/bin/sh
# Meaning: `name ours bar ratio`.
# - how often a search scans the table of words, by valgrind: never while the gate is closed, and
#   at most once for each word of the question while it is open;
# - a scan of the table, and of 100,000 embeddings of 512 numbers, against three times memchr() over
#   the same bytes.
# Usage: meaning.sh IKM PAIR
set -eu
ikm=$1 meaning=$(dirname "$2")/meaning
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
IKIGAI_HOME=$dir/home IKM_USER=ada
export IKIGAI_HOME IKM_USER

row() { # name ours bar
	awk -v n="$1" -v a="$2" -v b="$3" \
		'BEGIN { printf "%s %s %s %.2f\n", n, a, b, b ? a / b : (a ? 9.99 : 0) }'
}
scans() { # QUESTION: calls of meaning_nearest()
	valgrind --tool=callgrind --callgrind-out-file="$dir/calls" "$ikm" mem search "$1" >/dev/null 2>&1
	# A name follows its number once.
	awk -F '[= ]' '/^c?fn=.* meaning_nearest$/ { id = $2 }
		/^cfn=/ { of = $2 == id }
		/^calls=/ && of { n += $2 } END { print n + 0 }' "$dir/calls"
}

"$ikm" mem add 'Doctors complained about the calendar.' >/dev/null
"$ikm" mem add 'The staging database listens on port 5432.' >/dev/null
if command -v valgrind >/dev/null; then
	row meaning-scans-gate-closed "$(scans 'On which port does the staging database listen?')" 0
	row meaning-scans-gate-open "$(scans 'What annoys physicians?')" 2
else
	echo 'meaning: valgrind is not installed' >&2
fi
us=$("$meaning" table)
row meaning-table-us "${us% *}" "$(awk -v us="${us#* }" 'BEGIN { print 3 * us }')"
command -v sqlite3 >/dev/null || { echo 'meaning: sqlite3 is not installed' >&2; exit 0; }
awk 'BEGIN { for (i = 0; i < 100000; i++) print "{\"content\":\"note " i "\"}" }' >"$dir/notes"
"$ikm" mem import "$dir/notes" >/dev/null
sqlite3 "$dir/home/ikm.db" "insert into vector_models (model, name, version, dimension)
	values (1, 'random', '', 512); insert into vectors select doc, 1, randomblob(512) from memories"
ms=$("$meaning" vectors "$dir/home/ikm.db")
row meaning-vectors-ms "${ms% *}" "$(awk -v ms="${ms#* }" 'BEGIN { print 3 * ms }')"
