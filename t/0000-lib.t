#!/bin/sh
# The test library itself: a test that must fail is seen to fail.
. "$(dirname "$0")/lib.sh"

inner() { # body: what a test file with this one test prints, and its exit status
	{
		echo ". '$TOP/t/lib.sh'"
		echo "try inner <<'E'"
		cat
		echo E
		[ "${1-}" = unfinished ] || echo done_testing
	} >inner.t
	rc=0
	sh inner.t >inner.out 2>&1 || rc=$? # for the bodies
}

try 'a body that succeeds is ok' <<'E'
true
E

try 'false in the middle of a body fails' <<'E'
inner <<'I'
false
true
I
[ $rc != 0 ]
grep -q '^not ok 1 - inner$' inner.out
E

try 'an undefined variable fails' <<'E'
inner <<'I'
echo "$no_such_variable"
I
[ $rc != 0 ]
E

try 'the wrong exit status fails' <<'E'
inner <<'I'
fails 2 false
I
[ $rc != 0 ]
grep -q "exited with 1, not 2" inner.out
E

try 'different texts fail, and are shown' <<'E'
inner <<'I'
same one two
I
[ $rc != 0 ]
grep -q '^#   +two' inner.out
E

try 'a test file that ends early fails' <<'E'
inner unfinished <<'I'
true
I
! grep -q '^1\.\.' inner.out
E

todo 'a todo that fails is expected' <<'E'
false
E

try 'a todo that works fails' <<'E'
printf '%s\n' ". '$TOP/t/lib.sh'" "todo x <<'E'" true E done_testing >inner.t
! sh inner.t >inner.out 2>&1
grep -q '^not ok 1 - x$' inner.out
E

try 'tests do not run as root, and modes count' <<'E'
echo secret >locked
chmod 0 locked
! cat locked
[ "$(id -u)" != 0 ]
E
done_testing
