#!/bin/sh
# git_commit_paths(), failed and killed at each of its durable effects, and eight processes at once.
# Every case copies a tree: in memory where it can be.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git-commit.sh"

# The old state or the new one. That other staged content stays, completed() looks at.
old_or_new() {
	git rev-parse HEAD HEAD:$ada HEAD~0 HEAD^@ >../at
	case $(tr '\n' ' ' <../at) in
	"$head $one "*) ;;
	*" $two "*" $head ") ;;
	*) return 1 ;;
	esac
}
completed() {
	git rev-parse HEAD~1 HEAD:$ada >../at
	same "$head
$two" "$(cat ../at)" &&
		same '' "$(git status --porcelain users)" &&
		same "$staged" "$(git diff --cached --raw --no-abbrev)" && no_left
}
no_left() { # sound() without git fsck
	for left in .git/*.lock .git/*/*.lock .git/*/*/*.lock .git/.ikm* .git/*.ikm .git/*/.ikm* .git/*/*/.ikm* \
		.git/objects/tmp_obj* .git/objects/*/tmp_obj*; do
		[ ! -e "$left" ] || { echo "left: $left"; return 1; }
	done
}
# git fsck of all cases at once: it reads the objects and branches of each.
cases_sound() {
	rm -rf all heads
	git init -q --bare all
	for work in cases/*; do
		echo "$PWD/$work/.git/objects" >>all/objects/info/alternates
		cat "$work"/.git/refs/heads/* >>heads
	done
	least 7 heads
	# shellcheck disable=SC2046
	git -C all fsck --strict --no-dangling --no-progress $(sort -u heads) >"$T/fscked" 2>&1 || { cat "$T/fscked"; return 1; }
	not grep -v '^notice:\|^hint:' fsck
	rm -rf cases
}

garden base
rm -rf .git/hooks
one=$(git rev-parse HEAD:$ada)
two=$(echo two | git hash-object --stdin)
stage_others
staged=$(git diff --cached --raw --no-abbrev)
echo "$staged" >../staged
write two
head=$(git rev-parse HEAD)
export head one two staged
cd ..
cp -a base base-split
git -C base-split update-index --split-index

for kind in native split; do
	for sign in '' -; do
		case $sign in -) how=killed ;; *) how=failed ;; esac
		some 4 "$kind: every effect $how" <<'E'
# Only the effects of the index, the last ones, differ with a split index.
n=0 done=
[ $kind != split ] || n=$(($(cat effects) / 2))
from=$n
mkdir cases
while [ -z "$done" ] && [ $n -lt 120 ]; do
	n=$((n + 1))
	case $kind in native) cp -a base cases/$n ;; split) cp -a base-split cases/$n ;; esac
	cd cases/$n
	rc=0
	rm -f ../hit
	IKM_FAULT=$sign$n IKM_FAULT_HIT=../hit "$BUILD/tool/git-commit" commit two 'Ikm-Event: 01J' -- $ada $old \
		>../out 2>../err || rc=$?
	old_or_new
	if [ ! -e ../hit ]; then
		[ $rc = 0 ] && [ ! -s ../err ] && not grep -q ^why ../out
		done=yes
	elif [ -z "$sign" ]; then
		# A failure cleans up behind itself, but for objects, and is told. (A temporary file
		# that could not be removed is left.)
		left=$(echo .git/*.lock .git/refs/heads/*.lock)
		same '.git/*.lock .git/refs/heads/*.lock' "$left"
		[ $rc != 0 ] || grep -q ^why ../out
	fi
	# What was killed between branch and index is mended by either call.
	case $((n % 2)).$(head -n 1 ../at) in
	*.$head | 1.*) gc commit two 'Ikm-Event: 01J' -- $ada $old >/dev/null ;;
	*) gc again HEAD $ada $old >/dev/null ;;
	esac
	completed
	same "$(git rev-parse HEAD)" "$(gc find Ikm-Event 01J 9)"
	rm -f ../hit ../out ../err ../at
	cd ../..
done
echo "$n effects"
[ $kind = split ] || echo $n >effects
[ -n "$done" ] && [ $((n - from)) -gt 6 ] && [ $n -gt 12 ]
cases_sound
E
	done
done

more 'an unborn branch, killed at every effect' <<'E'
n=0
mkdir cases
git init -q -b main cases/0
rm -rf cases/0/.git/hooks
mkdir -p cases/0/users/ada
echo one >cases/0/users/ada/overview.md
mv cases/0 unborn
while :; do
	n=$((n + 1))
	cp -a unborn cases/$n
	cd cases/$n
	rm -f ../../hit
	IKM_FAULT=-$n IKM_FAULT_HIT=../../hit "$BUILD/tool/git-commit" commit one -- users/ada/overview.md \
		>../../out 2>&1 || :
	gc commit one -- users/ada/overview.md >/dev/null
	same 1 "$(git rev-list --count HEAD)"
	same '' "$(git status --porcelain)"
	no_left
	cd ../..
	[ -e hit ] || break
done
[ $n -gt 12 ]
cases_sound
E

more 'a kill -9 at any time, between the effects too' <<'E'
rm -rf work
cp -a base work
cd work
gc commit two -- $ada $old >/dev/null
for i in $(seq 12); do
	echo "$i" >$ada
	timeout -s KILL "0.00$((i % 10))" "$BUILD/tool/git-commit" commit "$i" -- $ada >/dev/null 2>&1 || :
	gc commit "$i" -- $ada >/dev/null
	same "$i" "$(git show HEAD:$ada)"
	same '' "$(git status --porcelain users)"
	git diff --cached --raw --no-abbrev | cmp - ../staged
done
git fsck --strict --no-dangling --no-progress
E

more 'eight processes, each on its own file: no commit and no index entry is lost' <<'E'
rm -rf work
cp -a base work
cd work
export GIT_COMMIT_MS=60000
for p in 1 2 3 4 5 6 7 8; do
	(
		mkdir -p users/u$p
		for i in 1 2 3 4 5; do
			echo "$p $i" >users/u$p/overview.md
			until gc commit "u$p $i" -- users/u$p/overview.md >"../out.$p" 2>"../err.$p"; do
				grep -q ^CHANGED "../err.$p" || exit 1
			done
		done
	) &
done
# And a person with git's plumbing, who retries while ikm has a lock. (`git commit` itself reads the
# index before it locks it, and so can undo a change of another.)
(
	for i in 1 2 3 4 5; do
		echo "$i" >person
		until git add person 2>/dev/null; do :; done
		until was=$(git rev-parse HEAD) && new=$(git commit-tree -p "$was" -m "person $i" "$was^{tree}") &&
			git update-ref -m person HEAD "$new" "$was" 2>/dev/null; do :; done
	done
) &
wait
same 46 "$(git rev-list --count HEAD)"
for p in 1 2 3 4 5 6 7 8; do
	same "$p 5" "$(git show HEAD:users/u$p/overview.md)"
	same 5 "$(git log --format=%s --grep="^u$p " | wc -l)"
done
same 5 "$(git show :person)"
same '' "$(git status --porcelain users/u1 users/u2 users/u8)"
git diff --cached --raw --no-abbrev -- src a.b | cmp - ../staged
same 46 "$(wc -l <.git/logs/HEAD)"
same 46 "$(wc -l <.git/logs/refs/heads/main)"
# Each line of the log goes on where the one before it ended.
awk 'NR > 1 && $1 != last { bad = 1; print } { last = $2 } END { exit bad }' .git/logs/refs/heads/main
sound
E

more 'eight at once on an unborn branch: one root' <<'E'
git init -q -b main race
cd race
for p in 1 2 3 4 5 6 7 8; do
	mkdir -p users/u$p
	echo "$p" >users/u$p/overview.md
	GIT_COMMIT_MS=60000 gc commit "u$p" -- users/u$p/overview.md >/dev/null 2>"../err.$p" &
done
wait
cat ../err.?
same 8 "$(git rev-list --count HEAD)"
same 1 "$(git rev-list --max-parents=0 HEAD | wc -l)"
same '' "$(git status --porcelain)"
sound
E
done_testing
