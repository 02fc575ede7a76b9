#!/bin/sh
# Runs the whole suite with prove, as an unprivileged user even when started as root: root may read
# what modes forbid, so tests of permissions would prove nothing. Called by `make check`.
#
#   t/run.sh BUILD [TEST…]      without tests: all of t/*/[01]*.t, with PART=2/4 in the environment the
#                               second of four parts; and the unit tests that UNITS names
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$1
shift
shared=${IKM_SHARED:-$top/../shared}
npm=${IKM_NPM:-$top/build/npm}

# In memory where four gigabytes are free and programs may run: the tests make and delete some hundred
# thousand files.
free=$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 + 0 }')
if [ -z "${TMPDIR-}" ] && [ "$free" -ge 4194304 ] && probe=$(mktemp /dev/shm/ikm-check.XXXXXX); then
	echo '#!/bin/sh' >"$probe"
	chmod 700 "$probe"
	! "$probe" 2>/dev/null || TMPDIR=/dev/shm
	rm -f "$probe"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/ikm-check.XXXXXX")
# shellcheck disable=SC2154
trap 'rc=$?; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"; exit $rc' EXIT
trap 'exit 1' INT TERM HUP

as=
if [ "$(id -u)" = 0 ]; then
	# A copy that nobody may read and write, wherever the sources lie.
	mkdir "$work/src"
	tar -C "$top" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/src" -xf -
	mkdir "$work/src/build"
	for part in test static unit fuzz tool man; do
		[ ! -e "$top/$build/$part" ] || cp -a "$top/$build/$part" "$work/src/build/"
	done
	chown -R nobody "$work"
	chmod 755 "$work"
	as='setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all --'
	top=$work/src
	build=build
	# Fifteen thousand files that nobody writes: copied only where they cannot be read in place.
	# shellcheck disable=SC2086
	if [ -d "$npm" ] && ! $as test -r "$npm/package.json"; then
		cp -a "$npm" "$work/npm"
		npm=$work/npm
		chown -R nobody "$npm"
	fi
fi
mkdir -p "$work/tmp"
[ -z "$as" ] || chown nobody "$work/tmp"

cd "$top"
if [ $# = 0 ]; then
	# shellcheck disable=SC2046
	set -- $(printf '%s\n' t/*/[01]*.t | awk -v part="${PART-}" -f t/part.awk)
	for unit in ${UNITS-}; do set -- "$@" "$build/unit/$unit"; done
	unset UNITS # a test looks for what programs inherit
	[ -n "${PART-}" ] || export IKM_RAN="$work/tmp/ran"
fi
# Sanitizers end a program at the first finding; leaks count. The search for leaks crashes when it
# looks at variables of threads that a library of libpq has, so it does not ask for their place.
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:allocator_may_return_null=1:intercept_tls_get_addr=0
export UBSAN_OPTIONS=print_stacktrace=1
# Signals as in a shell that a person started: who runs us may ignore INT, and so would all below.
# One test more at a time than there are processors: tests also wait for disks and clocks.
run_tests() {
	# shellcheck disable=SC2086
	$as env --default-signal HOME="$work/tmp" TMPDIR="$work/tmp" IKM_TOP="$top" \
		IKM_BUILD="$top/$build" IKM_SHARED="$shared" IKM_NPM="$npm" \
		prove --timer -j "${JOBS:-$(($(nproc) + 1))}" "$@"
}
rc=0
run_tests "$@" || rc=$?
# What all tests ran is known when all have ended.
[ -z "${IKM_RAN-}" ] || run_tests t/sources/9999-ran.t || rc=$?
exit $rc
