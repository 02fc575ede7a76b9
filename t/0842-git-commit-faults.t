#!/bin/sh
# git_commit_paths(), failed and killed at each of its durable effects, and eight processes at once.
. "$(dirname "$0")/lib.sh"
. "$TOP/t/git-commit.sh"

# The old state or the new one; other staged content stays; the same call again completes it.
old_or_new() { # old HEAD
	case $(git show HEAD:$ada) in
	one) same "$1" "$(git rev-parse HEAD)" ;;
	two) same "$1" "$(git rev-parse HEAD~1)" ;;
	*) return 1 ;;
	esac &&
		git diff --cached --raw --no-abbrev -- src a.b | cmp - ../staged &&
		git fsck --strict --no-dangling --no-progress
}
completed() { # old HEAD
	same "$1" "$(git rev-parse HEAD~1)" &&
		same two "$(git show HEAD:$ada)" &&
		same '' "$(git status --porcelain users)" &&
		git diff --cached --raw --no-abbrev | cmp - ../staged && sound
}

garden base
stage_others
git diff --cached --raw --no-abbrev >../staged
write two
head=$(git rev-parse HEAD)
export head
cd ..

for kind in native split; do
	for sign in '' -; do
		case $sign in -) how=killed ;; *) how=failed ;; esac
		try "$kind: every effect $how" <<'E'
# Only the effects of the index, the last ones, differ with a split index.
n=0 done=
[ $kind != split ] || n=$(($(cat ../effects) / 2))
from=$n
while [ -z "$done" ] && [ $n -lt 120 ]; do
	n=$((n + 1))
	rm -rf work
	cp -a base work
	cd work
	[ $kind != split ] || git update-index --split-index
	rc=0
	IKM_FAULT=$sign$n "$BUILD/tool/git-commit" commit two 'Ikm-Event: 01J' -- $ada $old >../out 2>../err ||
		rc=$?
	old_or_new "$head"
	if [ $rc = 0 ] && [ ! -s ../err ] && ! grep -q ^why ../out; then
		done=yes
	elif [ -z "$sign" ]; then
		# A failure cleans up behind itself, but for objects.
		find .git -name '*.lock' >../left
		[ ! -s ../left ]
		[ $rc != 0 ] || grep -q ^why ../out
	fi
	# What was killed between branch and index is mended by either call.
	if [ $((n % 2)) = 0 ] && [ "$(git rev-parse HEAD)" != "$head" ]; then
		gc again HEAD $ada $old >/dev/null
	else
		gc commit two 'Ikm-Event: 01J' -- $ada $old >/dev/null
	fi
	completed "$head"
	same "$(git rev-parse HEAD)" "$(gc find Ikm-Event 01J 9)"
	cd ..
done
echo "$n effects"
[ $kind = split ] || echo $n >../effects
[ -n "$done" ] && [ $((n - from)) -gt 6 ] && [ $n -gt 12 ]
E
	done
done

try 'an unborn branch, killed at every effect' <<'E'
n=0
while :; do
	n=$((n + 1))
	rm -rf unborn
	git init -q unborn
	cd unborn
	mkdir -p users/ada
	echo one >users/ada/overview.md
	rc=0
	IKM_FAULT=-$n "$BUILD/tool/git-commit" commit one -- users/ada/overview.md >../out 2>&1 || rc=$?
	gc commit one -- users/ada/overview.md >/dev/null
	same 1 "$(git rev-list --count HEAD)"
	same '' "$(git status --porcelain)"
	sound
	cd ..
	[ $rc != 0 ] || break
done
[ $n -gt 12 ]
E

try 'a kill -9 at any time, between the effects too' <<'E'
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

try 'eight processes, each on its own file: no commit and no index entry is lost' <<'E'
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

try 'eight at once on an unborn branch: one root' <<'E'
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
