#!/bin/sh
# Every listed command was run to its end by a test of this run. The test build writes the name of
# each command into the file that IKM_RAN names. t/run.sh starts this test when the others have ended.
. "$(dirname "$0")/../lib.sh"

ran=${IKM_RAN-}
unset IKM_RAN
if [ -z "$ran" ]; then
	echo '1..0 # SKIP only a run of the whole suite can tell'
	exit 0
fi
export ran

try 'every listed command was run' <<'E'
ikm help --json | jq -r '.commands[].name' | sort >listed
least 60 listed
sort -u "$ran" | comm -23 listed - >missing
same '' "$(cat missing)"
E
done_testing
