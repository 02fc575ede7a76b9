#!/bin/sh
# A garden write of which one system call fails. IKM_FAULT fails what ikm writes; this also fails
# what ikm, libgit2 and git read: a file that cannot be opened is neither there nor missing.
#
# The sample fails each open of a file of the repository. IKM_FAULTS_ALL=1 fails each call of the
# list below, which takes an hour.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
strace -o /dev/null true 2>/dev/null || skip_all 'strace is missing, or may trace nothing here'
. "$TOP/t/garden-sample.sh"
IKM_NOW=2026-11-23T10:00:00Z
# LeakSanitizer does not work in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export IKM_NOW ASAN_OPTIONS
rm -rf "$G/.git/hooks"
cd "$T/w" || exit 1

traced() { # CALLS, more options of strace
	calls=$1
	shift
	rm -rf "$HOME"
	cp -a "$T/$kind" "$HOME"
	rc=0
	strace -f --seccomp-bpf -qq -o "$T/trace" -e trace="$calls" "$@" \
		ikm md patch "$P" 'concerns v1' --replace 'It rests.' --rationale why \
		>"$T/said" 2>"$T/err" || rc=$?
}
tree() { git -C "$G" log -1 --format=%T && git -C "$G" status --short; }
whole() { git -C "$G" fsck --strict --no-dangling --no-progress 2>&1; }
judged() { # a result, or a message; then a state that settles; and Git's repository is whole
	same '' "$(whole)" || return 1
	[ "$rc" = 0 ] || [ -s "$T/err" ] || { echo "exit $rc without a message"; return 1; }
	if [ "$rc" = 0 ] && [ ! -s "$T/err" ]; then
		same "$new" "$(tree)"
		return
	fi
	ikm events reconcile >"$T/rec" 2>&1 || return 1
	case $(tree) in "$old" | "$new") same '' "$(whole)" ;; *) git -C "$G" status --short; return 1 ;; esac
}
each() { # CALL, ERRNO, which one of each process; false: there are no more
	traced "$1" -e inject="$1:error=$2:when=$3"
	grep -q INJECTED "$T/trace" || return 1
	cases=$((cases + 1))
	judged >"$T/told" 2>&1 || {
		echo "$kind: the call $3 of $1 failed with $2, exit $rc"
		grep INJECTED "$T/trace"
		cat "$T/said" "$T/err" "$T/told" "$T/rec"
		exit 1
	}
}
# Which opens of the first process are of a file of the repository; and of an object?
opens() {
	traced openat
	awk 'NR == 1 { pid = $1 }
		$1 == pid && /openat\(/ { n++ }
		$1 == pid && /openat\(.*\/\.git\// { print n, /objects\/[0-9a-f][0-9a-f]\// ? "object" : "other" }' \
		"$T/trace"
}
begin() { # KIND
	kind=$1 cases=0
	cp -a "$HOME" "$T/$1"
	old=$(tree)
	traced openat
	same 0 "$rc"
	new=$(tree)
	[ "$old" != "$new" ]
}

cp -a "$HOME" "$T/home.native"
cp -a "$HOME" "$T/home.plumbing"
rm -rf "$T/home.plumbing/.ikigai/garden/.git"
(
	cd "$T/home.plumbing/.ikigai/garden" || exit
	git init -q --object-format=sha256 .
	git add -A && git commit -qm 'a garden'
	rm -rf .git/hooks
)
for kind in native plumbing; do
	export kind
	long "$kind: no open of the repository that fails makes a commit of missing objects" <<'E'
rm -rf "$HOME"
cp -a "$T/home.$kind" "$HOME"
begin $kind
opens >"$T/opens"
least 30 "$T/opens"
[ $kind = plumbing ] || [ "$(grep -c object "$T/opens")" -ge 8 ]
# Three of four opens of an object, where ikm writes it; every eighth of the other files.
i=0
while read -r n what <&3; do
	i=$((i + 1))
	case $kind.$what.$((i % 8)) in
	native.object.[04]) each openat EIO "$n" ;;
	native.object.[1357] | *.2) each openat EMFILE "$n" ;;
	esac
done 3<"$T/opens"
echo "$cases cases of $i"
[ $cases -gt 4 ]
E
	[ -n "${IKM_FAULTS_ALL-}" ] || continue
	try "$kind: every call that fails" <<'E'
rm -rf "$HOME"
cp -a "$T/home.$kind" "$HOME"
begin $kind
for call in openat read pread64 newfstatat fstat access getdents64 mmap fsync fdatasync rename \
	renameat renameat2 link linkat mkdir unlink unlinkat write pwrite64 ftruncate flock; do
	for errno in EIO EMFILE ENOMEM EACCES; do
		n=1
		while each $call $errno $n; do
			n=$((n + 1))
		done
		echo "$call $errno: $((n - 1))"
	done
done
echo "$cases cases"
E
done

more 'doctor names what HEAD of the garden lacks' <<'E'
rm -rf "$HOME"
cp -a "$T/home.native" "$HOME"
ikm doctor >out || { cat out; exit 1; }
id=$(git -C "$G" rev-parse HEAD:users/ada/parts/p1)
rm -f "$G/.git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
fails 1 ikm doctor --json >out
jq -e --arg id "$id" '.findings[] | select(.area == "garden" and .level == "problem") | .message | contains($id)' out
E
done_testing
