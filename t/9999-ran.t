#!/bin/sh
# Every listed command was run by some test of this run, to the end of its own work: the test build
# writes the name of each command that it ran into the file that IKM_RAN names. Comes last.
. "$(dirname "$0")/lib.sh"

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
# The tests that began before this one may still be at work.
for _ in $(seq 120); do
	sort -u "$ran" | comm -23 listed - >missing
	[ -s missing ] || break
	sleep 1
done
same '' "$(cat missing)"
E
done_testing
