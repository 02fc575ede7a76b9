#!/bin/sh
# Each command, when one allocation of memory fails: ikm's own, and those of SQLite, libgit2, zlib,
# PCRE2, expat, libyaml and cmark; then all that follow too. The result or a message, never a signal; what is
# written is old or new, and whole (t/writers.sh).
#
# Allocations are told apart by the functions that lead to them, six deep. `make check` tries some of
# a few commands, MORE=1 each of these places, IKM_FAULT_STEP=9 every ninth; IKM_FAULTS_ALL=1 each
# allocation, which takes a day.
# IKM_ROWS names commands.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
if grep -q __asan_init "$BUILD/test/ikm"; then
	try 'a sanitizer has an allocator of its own: nothing to fail' <<'E'
ikm version
E
	done_testing
	exit
fi
. "$TOP/t/writers.sh"

# NOMEM=7 fails the seventh allocation of a process named ikm, and with NOMEM=7+ also those after it.
# Of several such processes the first one fails: it makes the file NOMEM_HIT. With NOMEM_WORKER only
# processes count that ikm forks. Each allocation, and a sum of its callers, is a line of NOMEM_PLACES.
cat >"$T/nomem.c" <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static long at, count;
static int ongoing, failing, places = -1;
static __thread int telling;

static void tell(long n)
{
	void *caller[8];
	unsigned long sum = 0;
	char line[64];

	telling = 1;
	for (int i = 2, depth = backtrace(caller, 8); i < depth; i++)
		sum = sum * 33 ^ (unsigned long)caller[i];
	(void)!write(places, line, (size_t)snprintf(line, sizeof(line), "%ld %lx\n", n, sum));
	telling = 0;
}

static int fails(void)
{
	long n;
	int fd;

	if (telling || (!at && places < 0))
		return 0;
	n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	if (places >= 0)
		tell(n);
	if (n == at && (fd = open(getenv("NOMEM_HIT"), O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0) {
		close(fd);
		failing = ongoing;
		return errno = ENOMEM;
	}
	return failing ? errno = ENOMEM : 0;
}
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t k, size_t n) { return fails() ? NULL : __libc_calloc(k, n); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }

static void begin(void)
{
	const char *which = getenv("NOMEM"), *file = getenv("NOMEM_PLACES");
	void *none;

	count = 0;
	at = which ? atol(which) : 0;
	ongoing = which && strchr(which, '+');
	if (file && backtrace(&none, 1))
		places = open(file, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
}
__attribute__((constructor)) static void first(void)
{
	if (strcmp(program_invocation_short_name, "ikm"))
		return;
	if (getenv("NOMEM_WORKER"))
		pthread_atfork(NULL, NULL, begin);
	else
		begin();
}
C
cc -shared -fPIC -O1 -o "$T/nomem.so" "$T/nomem.c" || skip_all 'the library that lets allocations fail does not build here'
mkdir "$T/faulty"
printf '#!/bin/sh\nLD_PRELOAD=$T/nomem.so exec "%s" "$@"\n' "$BUILD/test/ikm" >"$T/faulty/ikm"
chmod +x "$T/faulty/ikm"

# What only reads, beside the rows that write.
reads='staged all lint search export verify sync serve'
reading() {
	case $1 in
	staged) echo 'ikm check --staged' ;;
	all) echo 'ikm check --all --json' ;;
	lint) echo 'ikm lint' ;;
	search) echo 'ikm mem search fact --json' ;;
	export) echo 'ikm mem export --json' ;; # rows, as they are read
	verify) echo 'ikm events verify' ;;
	sync) echo 'ikm sync now' ;;
	serve) echo 'NOMEM_WORKER=1 ikm mcp <../requests' ;;
	esac
}

faulty() { # NAME=VALUE…
	place "$T/base.$name"
	rm -f "$T/hit"
	rc=0
	env NOMEM_HIT="$T/hit" "$@" PATH="$T/faulty:$PATH" sh -c "$command" >"$T/said" 2>"$T/err" || rc=$?
}
read_whole() { # the same answer, or a message and status 8; nothing is changed
	state >"$T/is"
	diff "$T/old" "$T/is" || return 1
	if [ $rc = "$rc0" ] && cmp "$T/said0" "$T/said" 2>/dev/null; then return; fi
	case $name in
	serve) # at most one call of the two failed, and the server lives
		same '0 2' "$rc $(grep -c '"isError":false\|"error":' "$T/said")" && grep '"isError":false' "$T/said"
		;;
	*)
		same 8 $rc && grep 'out of memory' "$T/err" || return 1
		case $command in *--json) same OUT_OF_MEMORY "$(jq -r .details.reason "$T/said")" ;; esac
		;;
	esac
}
each() { # N, or N+
	faulty NOMEM="$1"
	[ -e "$T/hit" ] || { missed=$((missed + 1)); return 0; }
	cases=$((cases + 1))
	{
		if [ $rc -ge 128 ]; then echo "signal $((rc - 128))" && false; fi &&
		case " $reads " in *" $name "*) read_whole ;; *) judged ;; esac
	} >"$T/told" 2>&1 || {
		bad=$((bad + 1))
		echo "$name: allocation $1, exit $rc: $(head -c 300 "$T/err")"
		cat "$T/told"
	}
}
places() {
	rm -f "$T/places"
	faulty NOMEM_PLACES="$T/places"
	if [ -n "${IKM_FAULTS_ALL-}" ]; then cat "$T/places"; else sort -s -u -k2,2 "$T/places" | sort -n; fi
}

for name in ${IKM_ROWS:-$reads $rows}; do
	export name
	some 8 "$name" <<'E'
case " $reads " in
*" $name "*)
	command=$(reading $name)
	place "$T/base"
	echo 'eval(x)' >b.js
	git add b.js
	for n in 1 2; do
		echo '{"jsonrpc":"2.0","id":'$n',"method":"tools/call","params":{"name":"file_read","arguments":{"path":"a.md"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
	done >../requests
	[ $name != search ] && [ $name != export ] || ikm mem add 'a fact of the sea' >/dev/null
	cp -a "$T/now" "$T/base.$name"
	state >"$T/old"
	cases=0 bad=0
	;;
*)
	command=$(row $name)
	begin
	;;
esac
faulty
cp "$T/said" "$T/said0"
rc0=$rc missed=0
places >"$T/points"
least 10 "$T/points"
step=${IKM_FAULT_STEP:-1}
[ -n "${IKM_MORE-}${IKM_FAULTS_ALL-}${IKM_FAULT_STEP-}" ] || step=150
awk -v n=$step -v first="$(printf %s "$name" | cksum | cut -c1-4)" '{ all[NR] = $1 } END { if (n > NR) n = NR; for (i = first % n + 1; i <= NR; i += n) print all[i] (i % 2 ? "" : "+") }' "$T/points" >"$T/tried"
while read -r n <&3; do each "$n"; done 3<"$T/tried"
echo "$name: $cases cases of $(wc -l <"$T/points"), $missed missed, $bad bad"
[ $bad = 0 ] && [ $cases -gt 0 ]
E
done
done_testing
