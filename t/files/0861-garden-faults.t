#!/bin/sh
# A garden write that is killed before each of its durable effects: afterwards reconcile settles it,
# the files are in their old or in their new state, and doing it again succeeds.
# Thirty writes to the disk a case: in memory where it can be.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-faults.sh"

for row in $rows; do
	export row
	some 5 "$row, killed before each effect" <<'E'
each - "$row"
E
done

more 'the next writer settles what a killed one left' <<'E'
mkdir "$T/cases"
cp -a "$T/base" "$T/row"
n=0
while :; do
	mv "$HOME" "$T/cases/$n"
	cp -a "$T/row" "$HOME"
	n=$((n + step))
	rm -f "$T/hit"
	echo first | IKM_FAULT=-$n IKM_FAULT_HIT=$T/hit ikm append "$N" 2>"$T/said" || :
	echo second | ikm append "$N"
	[ "$(tail -n 1 "$N")" = second ]
	tree
	quiet
	[ -e "$T/hit" ] || break
done
[ $n -gt 20 ]
E

done_testing
