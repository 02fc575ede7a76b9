#!/bin/sh
# The test library itself: a test that must fail is seen to fail.
. "$(dirname "$0")/../lib.sh"

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
fails 1 sh inner.t >inner.out 2>&1
grep -q '^not ok 1 - x$' inner.out
E

try 'tests do not run as root, and modes count' <<'E'
echo secret >locked
chmod 0 locked
fails 1 cat locked
[ "$(id -u)" != 0 ]
E

try 'what is missing skips all, and fails where nothing may be skipped' <<'E'
for set in IKM_NO_SKIP= IKM_NO_SKIP=1; do
	rc=0
	env $set sh -c ". '$TOP/t/lib.sh'; needs 'the moon' /dev/null ./moon; done_testing" >out || rc=$?
	case $set in
	*=) same '0 1..0 # SKIP the moon is missing' "$rc $(cat out)" ;;
	*) same '1 not ok 1 - the moon is missing' "$rc $(sed 1d out)" ;;
	esac
done
E

try 'a Node that is too old is told, with what is asked for' <<'E'
mkdir -p bin modules/node_modules/x
asked() { # VERSION: what a test says that needs Node
	printf '#!/bin/sh\necho %s\n' "$1" >bin/node
	chmod +x bin/node
	IKM_NO_SKIP= IKM_NPM=$PWD/modules PATH=$PWD/bin:$PATH sh -c ". '$TOP/t/lib.sh'; needs_npm x"
}
for version in v18.20.4 v20.20.2 v22.9.0 v22.18.0 v9.1.0; do
	same "1..0 # SKIP Node 22.19 is needed, this is $version: npm has it for x86-64 alone" \
		"$(asked $version)"
done
for version in v22.19.0 v22.23.3 v24.1.0 v30.0.0; do
	same '' "$(asked $version)"
done
E
try "'! cmd' is the last line of a body: anywhere else it stops nothing" <<'E'
cd "$TOP"
awk 'FNR == 1 { open = "" }
     open != "" && !more && $0 != "E" { print open }
     !more { open = /^! [^[{]/ && !/ \|\| / ? FILENAME ":" FNR ": " $0 : "" }
     { more = /[\\|]$/ }' t/*/*.t >"$OLDPWD/wrong"
cat "$OLDPWD/wrong"
[ ! -s "$OLDPWD/wrong" ]
E

# A machine may have any of these: what must be missing has a name in $T.
try 'no test expects that the machine lacks a folder' <<'E'
cd "$TOP"
grep -nE '(^|[^A-Za-z0-9_.~/}$*-])/(nonexistent|nowhere|none|no/such)($|[^A-Za-z0-9_])' \
	t/*/*.t t/*.sh t/unit/*.c t/*/*.py >"$T/found" || true
cat "$T/found"
[ ! -s "$T/found" ]
E

try 'what takes long, and of samples a part: LONG=1 runs more of it, check-more all' <<'E'
cat >long.t <<I
. '$TOP/t/lib.sh'
long long <<'B'
B
more more <<'B'
B
for n in 1 2 3 4 5 6 7; do
	some 2 "row \$n" <<'B'
B
done
try lines <<'B'
seq 6 | sample 2
false
B
done_testing
I
ran() { sed -n 's/^ok [0-9]* - //p' out | grep -v SKIP | paste -sd,; }
lines() { sed -n 's/^#   //p' err | paste -sd' '; }
of() { IKM_LONG=$1 IKM_MORE=$2 fails 1 sh long.t >out 2>err; }
of '' ''
same 'row 1,row 7' "$(ran)"
same 1 "$(lines)"
grep -q '^ok 1 - long # SKIP make check LONG=1 runs it$' out
grep -q '^ok 2 - more # SKIP make check-more runs it$' out
of 1 ''
same 'long,row 1,row 3,row 5,row 7' "$(ran)"
same '1 3 5' "$(lines)"
of '' 1
same 'long,more,row 1,row 2,row 3,row 4,row 5,row 6,row 7' "$(ran)"
same '1 2 3 4 5 6' "$(lines)"
printf '. "%s"\nlong_all\ntry never <<B\nB\ndone_testing\n' "$TOP/t/lib.sh" >all.t
same '1..0 # SKIP make check LONG=1 runs it' "$(IKM_LONG='' IKM_MORE='' sh all.t)"
IKM_LONG=1 sh all.t | grep -q '^ok 1 - never'
printf '. "%s"\nmore_all\ntry never <<B\nB\ndone_testing\n' "$TOP/t/lib.sh" >all.t
same '1..0 # SKIP make check-more runs it' "$(IKM_MORE='' sh all.t)"
IKM_MORE=1 sh all.t | grep -q '^ok 1 - never'
E
done_testing
