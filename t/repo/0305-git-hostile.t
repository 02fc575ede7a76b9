#!/bin/sh
# Hostile .git folders: files that never end, trees and objects that grow. Each costs bounded time and
# memory, and the error names what is wrong.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

base() {
	git init -q -b main "$1"
	cd "$1"
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	printf -- '---\nstatus: accepted\n---\n# One\n' >docs/adr/1.md
	git add -A
	git commit -qm one
	echo x >x
	git add x
	git commit -qm two
}
# In at most 20 s and 512 MB of address space beyond the program's (sanitizers need all there is).
bounded() {
	rc=0
	if nm "$(command -v ikm)" 2>/dev/null | grep -q __asan_init; then
		timeout 60 "$@" >"$T/said" 2>&1 || rc=$?
	else
		prlimit --as=536870912 timeout 20 "$@" >"$T/said" 2>&1 || rc=$?
	fi
	[ $rc != 124 ] || { echo "hangs: $*"; return 1; }
}
names() { # FILE COMMAND...: the command fails and names the file
	bad_file=$1
	shift
	bounded "$@"
	case $rc in 0 | 1 | 12[6-9] | 13*) cat "$T/said"; echo "$* on $bad_file: $rc"; return 1 ;; esac
	grep -qF "$bad_file" "$T/said" || { cat "$T/said"; echo "$*: does not name $bad_file"; return 1; }
}

for what in fifo zero huge; do
	some 3 "in the place of a file of .git: $what" <<'E'
bad() {
	rm -f "$1"
	case $what in
	fifo) mkfifo "$1" ;;
	zero) ln -s /dev/zero "$1" ;;
	huge) truncate -s 100G "$1" ;;
	esac
}
base "place-$what"
rm -rf "$T/keep"
for file in refs/heads/main HEAD config packed-refs; do
	cp -a .git "$T/keep"
	bad ".git/$file"
	names ".git/$file" ikm check --staged
	names ".git/$file" ikm check --range HEAD~1..HEAD
	rm -rf .git
	mv "$T/keep" .git
done
cp -a .git "$T/keep"
bad .git/refs/heads/other
names refs/heads/other ikm check --range other..HEAD
mkdir -p .git/refs/remotes/origin
bad .git/refs/remotes/origin/main
z=$(git rev-parse main | tr '[:xdigit:]' 0)
echo "refs/heads/main $(cat "$T/keep/refs/heads/main") refs/heads/main $z" >../push
bounded sh -c 'ikm hook run pre-push -- origin url <../push'
grep -q 'refs/.*\(other\|main\)' "$T/said"
rm -rf .git
mv "$T/keep" .git
# The files that the configuration includes, under any condition and in any spelling.
for section in '[include]' '[includeIf "gitdir:nowhere"]' '[INCLUDE] ; more' '[include]path = y
[core]
[include]
'; do
	cp -a .git "$T/keep"
	bad .git/more
	printf '%s\n\t# a comment\n\tPATH = "mo\\\nre" ; another\n' "$section" >>.git/config
	names .git/more ikm check --staged
	rm -rf .git
	mv "$T/keep" .git
done
printf '[core]\n\tpath = more\n[include]\n\tpath\n;path = more\n' >>.git/config
[ "$what" = huge ] || bad .git/more
bounded ikm know list
[ $rc != 124 ]
E
done

more 'a FIFO where only git reads: an index, a log, an object' <<'E'
base only-git
git update-index --split-index
shared=$(ls .git/sharedindex.*)
cp "$shared" ../shared
rm "$shared"
mkfifo "$shared"
names sharedindex ikm check --staged
rm "$shared"
cp ../shared "$shared"
rm .git/logs/HEAD
mkfifo .git/logs/HEAD
names .git/logs/HEAD ikm check --range 'HEAD@{1}..HEAD'
rm .git/logs/HEAD
rm .git/index
mkfifo .git/index
names .git/index ikm check --staged
E

more 'a socket in .git is nobody'\''s trouble: git has one for its own monitor' <<'E'
base socket
git update-index --split-index
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => ".git/s", Listen => 1) or die'
echo y >y
git add y
ikm check --staged >/dev/null
E

# thirty levels, each with the same folder twice; the last is the tree given
bomb() { # TREE
	id=$1
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		id=$(printf '040000 tree %s\ta\n040000 tree %s\tb\n' "$id" "$id" | git mktree)
	done
	echo "$id"
}
more 'a tree bomb, against nothing, against another bomb, and listed' <<'E'
base bombs
one=$(printf '100644 blob %s\tf\n' "$(git rev-parse HEAD:x)" | git mktree)
two=$(printf '100644 blob %s\tf\n' "$(git rev-parse HEAD:docs/adr/1.md)" | git mktree)
empty=$(git mktree </dev/null)
commit() { # TREE NAME
	id=$({ git ls-tree HEAD; printf '040000 tree %s\tbomb\n' "$1"; } | git mktree)
	git branch "$2" "$(git commit-tree -p HEAD -m "$2" "$id")"
}
commit "$(bomb "$one")" one
commit "$(bomb "$two")" two
commit "$(bomb "$empty")" empty
for range in main..one one..two main..empty; do
	names 'repeats the same folders' ikm check --range "$range"
	grep -q "in 'bomb/a/a/" "$T/said"
	grep -q 'TOO_BIG\|commit [0-9a-f]\{7\} repeats' "$T/said"
done
rc=0
(ulimit -v 524288; timeout 20 "$BUILD/tool/git-tree" list one) >"$T/said" 2>&1 || rc=$?
[ $rc != 124 ]
E

more 'trees that repeat folders as people do are read in full' <<'E'
base repeats
for i in 1 2 3 4 5 6 7 8 9; do
	for j in 1 2 3 4 5 6 7 8 9; do mkdir -p "v/$i/$j/same"; echo f >"v/$i/$j/same/f"; done
done
git add -A
git commit -qm many
same_tree HEAD
same_diff HEAD~1 HEAD
E

more 'an object that inflates to gigabytes is refused by its size' <<'E'
base inflates
perl -MCompress::Zlib -e 'my $n = 1 << 30; my ($d) = deflateInit(-Level => 1);
	my $out = ($d->deflate("blob $n\0"))[0]; my $zero = "\0" x (1 << 20);
	$out .= ($d->deflate($zero))[0] for 1 .. $n >> 20; print $out . ($d->flush)[0]' >../object
id=1234567890123456789012345678901234567890
mkdir -p .git/objects/12
cp ../object .git/objects/12/34567890123456789012345678901234567890
tree=$({ git ls-tree HEAD; printf '100644 blob %s\tbig.js\n' $id; } | git mktree --missing)
git branch big "$(git commit-tree -p HEAD -m big "$tree")"
printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: code, pattern: eval, severity: block, message: no}\n---\n# Two\n' >docs/adr/2.md
bounded ikm check --range main..big --knowledge docs/adr
grep -q big.js "$T/said"
# As the tree itself.
tree=$(bytes "40000 d\\0$(raw_id $id)" | git hash-object -t tree -w --stdin --literally)
git branch tree "$(git commit-tree -p HEAD -m tree "$tree")"
bounded ikm check --range main..tree
[ "$rc" -gt 1 ]
grep -q "$id\|34567890123456789012345678901234567890" "$T/said"
E

more 'the path of an untracked folder may be too long: it is named, and all else is judged' <<'E'
base long
perl -e 'my $d = "d" x 200; for (1 .. 22) { mkdir $d or die; chdir $d or die } open my $f, ">", "f"'
bounded ikm check --all
same 0 "$rc"
grep -q 'ddd.*longer than 4095 bytes, so neither it nor what is below it was judged' "$T/said"
same 1 "$(ikm check --all --json | jq '[.warnings[]? | select(test("longer than 4095"))] | length')" ||
	ikm check --all --json | grep -q 'longer than 4095'
perl -e 'my $d = "d" x 200; my $n = 0; while (chdir $d) { $n++ } unlink "f";
	for (1 .. $n) { chdir ".."; rmdir $d }'
E

# Its clock runs 500 times as fast.
cat >"$T/fast.c" <<'C'
#define _GNU_SOURCE
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	long long ns = (t->tv_sec * 1000000000LL + t->tv_nsec) % 1000000000000LL * 500;

	if (id == CLOCK_MONOTONIC && !rc)
		*t = (struct timespec){ns / 1000000000, ns % 1000000000};
	return rc;
}

int poll(struct pollfd *p, nfds_t n, int ms)
{
	return (int)syscall(SYS_poll, p, n, ms > 0 ? ms / 500 + 1 : ms);
}
C
long 'a git that hangs is stopped after ten minutes' <<'E'
cc -shared -fPIC -O1 -o "$T/fast.so" "$T/fast.c"
base hangs
echo y >x
git add x
git update-index --split-index
mkdir ../slow
printf '#!/bin/sh\nexec sleep 60\n' >../slow/git
chmod +x ../slow/git
LD_PRELOAD=$T/fast.so PATH=$PWD/../slow:$PATH fails_for TOOK_TOO_LONG bounded ikm check --staged
grep "'git' did not end within 600000 ms and was stopped" "$T/said"
E

done_testing
