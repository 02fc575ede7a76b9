#!/bin/sh
# Each command that writes, killed at each of its system calls, or one of them fails: SQLite's,
# libgit2's and git's too, of which IKM_FAULT knows nothing. The old state or the new one, a message,
# the same command again succeeds, and nothing is left behind.
#
# `make check` tries a few calls of one command, LONG=1 of three, MORE=1 some of each; IKM_FAULTS_ALL=1 tries all,
# which takes hours. IKM_ROWS names commands.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
strace -o /dev/null true 2>/dev/null || skip_all 'strace is missing, or may trace nothing here'
. "$TOP/t/writers.sh"
# LeakSanitizer does not work in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export ASAN_OPTIONS
# ikm alone is traced: not the shell, nor what writes into its pipe.
mkdir "$T/traced"
printf '#!/bin/sh\nexec strace -f --seccomp-bpf -qq -o "$T/trace" $TRACED "%s" "$@"\n' "$BUILD/test/ikm" >"$T/traced/ikm"
chmod +x "$T/traced/ikm"
traced() { # OPTIONS of strace
	place "$T/base.$name"
	rc=0
	TRACED=$* PATH=$T/traced:$PATH sh -c "$(row "$name")" >"$T/said" 2>"$T/err" || rc=$?
}
each() { # CALL, WHAT strace injects, at which one of each process
	traced -e trace="$1" -e inject="$1:$2:when=$3"
	cases=$((cases + 1))
	judged >"$T/told" 2>&1 || {
		bad=$((bad + 1))
		echo "$name: $2 at call $3 of $1, exit $rc: $(head -c 300 "$T/err")"
		grep 'INJECTED\|SIGKILL' "$T/trace" | head -n 3
		cat "$T/told"
	}
}
# "CALL WHAT N" for each call of the row. strace counts the calls of a process by their name.
points() {
	traced -e trace="$(cut -d' ' -f1 "$T/calls" | sort -u | paste -sd, -)"
	awk 'NR == FNR { what[$1] = what[$1] " " $2; next }
		match($2, /^[a-z0-9]+\(/) { call = substr($2, 1, RLENGTH - 1); if (++n[$1, call] > most[call]) most[call] = n[$1, call] }
		END { for (call in most) { k = split(what[call], w, " "); for (i = 1; i <= most[call]; i++) for (j = 1; j <= k; j++) print call, w[j], i } }' \
		"$T/calls" "$T/trace" | sort
}
# strace counts each call by its name. A file that cannot be opened, a full disk, a broken one. A kill
# before a call that changes nothing leaves what a kill before the next change leaves.
{
	changes='openat write pwrite64 ftruncate fsync fdatasync rename renameat renameat2 link linkat mkdir
		unlink unlinkat'
	for call in $changes; do echo $call signal=KILL; done
	for call in $changes read pread64 newfstatat getdents64 access flock fcntl; do echo $call error=EIO; done
	for call in openat rename renameat2 linkat mkdir unlink; do echo $call error=EACCES; done
	for call in openat write pwrite64 ftruncate rename mkdir; do echo $call error=ENOSPC; done
	echo openat error=EMFILE
	for call in write pwrite64 fsync read pread64; do echo $call error=EINTR; done
	for call in write pwrite64; do echo $call retval=0; done
} >"$T/calls"

for name in ${IKM_ROWS:-$rows}; do
	export name
	some 9 "$name" <<'E'
begin
points >"$T/points"
least 50 "$T/points"
# Every Nth, from another first one in each row.
step=300
[ -z "${IKM_MORE-}" ] || step=40
[ -z "${IKM_FAULTS_ALL-}" ] || step=1
awk -v n=$step -v first="$(printf %s "$name" | cksum | cut -c1-4)" '{ all[NR] = $0 } END { if (n > NR) n = NR; for (i = first % n + 1; i <= NR; i += n) print all[i] }' "$T/points" >"$T/tried"
while read -r call what n <&3; do each "$call" "$what" "$n"; done 3<"$T/tried"
echo "$name: $cases cases of $(wc -l <"$T/points"), $bad bad"
[ $bad = 0 ] && [ $cases -gt 0 ]
E
done

# strace makes no call short. Here each second one fails with EINTR, and the others do one half.
cat >"$T/short.c" <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static __thread unsigned calls;

static int interrupted(void)
{
	return calls++ % 2 && (errno = EINTR);
}
#define HALF(call, ...) (interrupted() ? -1 : syscall(call, fd, p, n - n / 2, ##__VA_ARGS__))
ssize_t read(int fd, void *p, size_t n) { return HALF(SYS_read); }
ssize_t write(int fd, const void *p, size_t n) { return HALF(SYS_write); }
ssize_t pread64(int fd, void *p, size_t n, off_t at) { return HALF(SYS_pread64, at); }
ssize_t pwrite64(int fd, const void *p, size_t n, off_t at) { return HALF(SYS_pwrite64, at); }
ssize_t pread(int fd, void *p, size_t n, off_t at) { return HALF(SYS_pread64, at); }
ssize_t pwrite(int fd, const void *p, size_t n, off_t at) { return HALF(SYS_pwrite64, at); }
C
long 'reads and writes that are short or interrupted lose nothing' <<'E'
cc -shared -fPIC -O1 -o "$T/short.so" "$T/short.c"
for name in $rows; do
	begin >/dev/null
	place "$T/base.$name"
	LD_PRELOAD=$T/short.so sh -c "$(row "$name")" >"$T/said" 2>&1 || { cat "$T/said"; exit 1; }
	state >"$T/is"
	diff "$T/new" "$T/is" || { echo "$name"; exit 1; }
	whole
done
E
done_testing
