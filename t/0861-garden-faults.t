#!/bin/sh
# A garden write that fails, or is killed, before each of its durable effects: afterwards reconcile
# settles it, the file is in its old or its new state, and doing it again succeeds.
. "$(dirname "$0")/lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
O=$G/users/ada/parts/p2/notes.md
export N O
# The first write starts the chain of the record, as 'ikm init' does.
ikm append "$N" --text begin >/dev/null 2>&1

# What a fault may leave for the moment. What stays broken once it is (objects, the record) is looked
# for by clean(), once a test.
settled() { # at N
	ikm events reconcile --json >"$T/rec.out" && grep -q '"settled":true' "$T/rec.out" &&
		same '' "$(git status --short)" &&
		same '' "$(find . -name '.ikm-tmp*' -o -name '*.lock')" && return
	echo "at $1"
	cat "$T/step.out" "$T/rec.out"
	return 1
}

# With each effect failing or killing; ends when no effect is left.
each() { # sign
	sign=$1
	n=1
	while :; do
		before=$(cat "$F" 2>/dev/null) || before=gone
		made=$(git rev-list --count HEAD)
		rc=0
		IKM_FAULT=$sign$n step $n >"$T/step.out" 2>&1 || rc=$?
		settled "$sign$n" || return 1
		after=$(cat "$F" 2>/dev/null) || after=gone
		if [ "$after" = "$before" ]; then
			[ "$rc" != 0 ] || { echo "at $sign$n nothing was done"; return 1; }
		else
			state $n || { echo "at $sign$n neither old nor new"; cat "$F"; return 1; }
			[ "$(git rev-list --count HEAD)" -gt "$made" ]
		fi
		[ "$rc" != 0 ] || grep -q warnings "$T/step.out" || break
		n=$((n + 1))
		[ $n -lt 80 ]
	done
	[ $n -gt 5 ]
	ikm events reconcile --json | jq -e '.events == []' >/dev/null && clean
}

# The effects of md patch are those of the other writes and a history copy; those of append are in the
# last test.
for sign in - ''; do
	export sign
	what=killed
	[ -n "$sign" ] || what='made to fail'

	try "md patch, $what before each effect" <<'E'
F=$P
step() { ikm md patch "$P" 'concerns v1' --replace "It says $sign$1." --rationale "why $1" --json; }
state() { grep -qx "It says $sign$1." "$P" && grep -q ": why $1\$" "$P"; }
each "$sign"
E

	try "a new file, $what before each effect" <<'E'
F=$O
mkdir -p "$(dirname "$O")"
step() { ikm write "$O" --content "# New $sign$1
" --json; }
state() { [ "$(cat "$O")" = "# New $sign$1" ]; }
each "$sign"
ikm delete --maintainer "$O" --rationale 'again'
E
done

try 'delete, killed before each effect' <<'E'
n=1
while :; do
	[ -e "$O" ] || ikm write "$O" --content "# There $n
" >/dev/null
	rc=0
	IKM_FAULT=-$n ikm delete --maintainer "$O" --rationale "no $n" >"$T/step.out" 2>&1 || rc=$?
	settled $n
	[ "$rc" != 0 ] || break
	n=$((n + 1))
	[ $n -lt 80 ]
done
[ ! -e "$O" ]
[ $n -gt 5 ]
clean
E

try 'a copy whose folder cannot be made durable is settled' <<'E'
F=$P
step() {
	sed "s/^name: .*/name: Named $1/" "$P" >"$T/new"
	ikm write "$P" --rationale "why $1" --json <"$T/new"
}
state() { grep -qx "name: Named $1" "$P"; }
each ''
E

try 'the next writer settles what a killed one left' <<'E'
n=1
while :; do
	rc=0
	IKM_FAULT=-$n ikm append "$N" --text "first $n" >"$T/step.out" 2>&1 || rc=$?
	ikm append "$N" --text "second $n" >/dev/null
	[ "$(tail -n 1 "$N")" = "second $n" ]
	settled $n
	same '{"settled":true,"events":[]}' "$(cat "$T/rec.out")"
	[ "$rc" != 0 ] || break
	n=$((n + 1))
	[ $n -lt 80 ]
done
[ $n -gt 5 ]
clean
E

done_testing
