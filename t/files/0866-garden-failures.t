#!/bin/sh
# A garden write of which one durable effect fails, each in turn: the answer tells it, afterwards
# reconcile settles it, the files are in their old or in their new state, and doing it again succeeds.
# Thirty writes to the disk a case: in memory where it can be.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-faults.sh"

for row in $rows; do
	export row
	some 5 "$row, each effect made to fail" <<'E'
each '' "$row"
E
done

done_testing
