#!/bin/sh
# The table of ikm-garden(7) says which hooks Git calls for which command. Git is the referee.
. "$(dirname "$0")/../lib.sh"

git init -q -b main repo && cd repo || exit 1
export GIT_EDITOR=true
for hook in pre-commit pre-merge-commit commit-msg pre-push; do
	printf '#!/bin/sh\necho %s >>"%s/called"\n' $hook "$T" >.git/hooks/$hook
	chmod +x .git/hooks/$hook
done
commit() { # commit FILE TEXT: without hooks
	echo "$2" >"$1" && git add "$1" && git commit -q --no-verify -m "$1 $2"
}
# The commands' starts: main has one commit more than old, and side forks from old.
commit f base
git branch old
commit f main
git checkout -q -b side old
commit g side
git checkout -q -b clash old
commit f clash

called() { # called ROW COMMAND...: the hooks that judge, as the manual lists them
	: >"$T/called"
	row=$1
	shift
	"$@" >"$T/said" 2>&1 || { cat "$T/said"; return 1; }
	printf '%s\t%s\n' "$row" "$(paste -sd, "$T/called" | sed 's/,/, /g; s/^$/none/')" >>"$T/rows"
}
at() { git reset -q --hard && git checkout -q -B work "$1"; }
mended() { echo mended >f && git add f; }

try 'the table of the manual is what Git does' <<'E'
at main && echo x >x && git add x
called commit git commit -m x
called 'commit --amend' git commit --amend -m y
called 'commit --no-verify' git commit --no-verify --allow-empty -m z
called revert git revert --no-edit HEAD~1
called cherry-pick git cherry-pick side
at main
called merge git merge --no-edit side
at old
called 'merge, fast-forward' git merge main
at main && not git merge -q clash && mended
called 'merge, after conflicts' git commit --no-edit
at main && not git cherry-pick clash && mended
called 'cherry-pick --continue' git cherry-pick --continue
at side
called rebase git rebase -q main
at clash && not git rebase -q main && mended
called 'rebase --continue' git rebase --continue
at main && git format-patch -q -1 --stdout side >"$T/patch"
called am git am -q "$T/patch"
sed -n '/^\.Bl -column "rebase, rebase --continue"/,/^\.El/s/^\.It \([^S].*\) Ta /\1\t/p' \
	"$TOP/man/ikm-garden.7" | sed 's/\\-/-/g' |
	awk -F'\t' '{ n = split($1, is, ", ")
		if (is[1] == "merge" && n > 1) { print; next }
		for (i = 1; i <= n; i++) print is[i] "\t" $2 }' | sort >"$T/wanted"
test -s "$T/wanted"
same "$(cat "$T/wanted")" "$(sort "$T/rows")"
E

try 'a push judges the commits that no hook judged' <<'E'
git init -q --bare "$T/other.git"
: >"$T/called"
git push -q "$T/other.git" work
same pre-push "$(cat "$T/called")"
E
done_testing
