#!/bin/sh
# Which repository: found as git finds it, refused as git refuses it, and never written to.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

# Git's answer to the question where we are, in the form of `tool where`.
git_where() {
	echo "dir $(git rev-parse --absolute-git-dir)"
	if [ "$(git rev-parse --is-inside-work-tree)" = true ]; then
		echo "top $(git rev-parse --show-toplevel)"
		echo "prefix $(git rev-parse --show-prefix)"
	else
		echo 'top -'
		echo 'prefix '
	fi
}
where() { tool where | sed '/^chosen /d'; }
same_where() { same "$(git_where)" "$(where)"; }

long 'from the top, from below, through links' <<'E'
sample found
same_where
cd deep/er
same_where
ln -s ../../a away
cd away
same_where
cd "$T/w"
ln -s found linked-to
cd linked-to/deep
same_where
E

try 'inside .git, and in a bare repository' <<'E'
sample inside
cd .git
same_where
cd hooks
same_where
git clone -q --bare "$T/w/inside" "$T/w/bare.git"
cd "$T/w/bare.git"
same_where
same_tree HEAD
fails 8 tool list worktree 2>err
grep 'is a bare repository' err
cd refs/heads
fails 3 tool where 2>"$T/err"
grep "help: '$T/w/bare.git' looks like a bare repository: .*GIT_DIR='$T/w/bare.git'" "$T/err"
GIT_DIR=$T/w/bare.git tool where >"$T/where"
grep "^dir $T/w/bare.git\$" "$T/where"
E

# Committed files that git takes for a bare repository, with a configuration.
false_bare() { # DIR
	mkdir -p "$1/objects" "$1/refs/heads" "$1/sub"
	touch "$1/objects/keep" "$1/refs/heads/keep" "$1/sub/keep"
	echo 'ref: refs/heads/main' >"$1/HEAD"
	printf '[core]\n\tbare = false\n\tworktree = /etc\n\tfsmonitor = touch %s/ran; false\n' "$T" \
		>"$1/config"
}

long 'a folder of committed files is no bare repository, for ikm and for the git that it asks' <<'E'
sample hides
false_bare deep/tool
git add -A
git commit -qm tool
git update-index --split-index
cp .git/index .git/sharedindex.* deep/tool/
top=$PWD
for dir in deep/tool deep/tool/sub deep/tool/refs/heads; do
	cd "$top/$dir"
	same "$(printf 'dir %s/.git\ntop %s\nprefix %s/' "$top" "$top" "$dir")" "$(where)"
	same "$(git -C "$top" ls-files | wc -l)" "$(tool list index | tr -cd '\0' | wc -c)"
	same "$(git -C "$top" rev-parse HEAD)" "$(tool id 'HEAD^{/tool}')"
	[ ! -e "$T/ran" ]
done
# Above it is no working tree: it is a repository for the one who stands in it.
false_bare "$T/w/alone"
cd "$T/w/alone/sub"
fails 3 tool where
E

long 'core.worktree: a top that the configuration chose is told from one of its own' <<'E'
sample chosen
chosen() { tool where | sed -n 's/^chosen //p'; }
same no "$(chosen)"
git config core.worktree "$T/w/chosen/deep"
same no "$(chosen)"
mkdir "$T/w/far"
git config core.worktree "$T/w/far"
same yes "$(chosen)"
same yes "$(cd .git && chosen)"
same no "$(GIT_WORK_TREE=$T/w/far chosen)"
ln -s "$T/w/far" deep/link
git config core.worktree "$T/w/chosen/deep/link"
same yes "$(chosen)"
git config --unset core.worktree
git worktree add -q ../chosen-linked
same no "$(cd ../chosen-linked/deep && chosen)"
git -c protocol.file.allow=always submodule --quiet add "$T/w/chosen" sub
git config --file .git/modules/sub/config core.worktree >"$T/where"
same no "$(cd sub/deep && chosen)"
same no "$(cd .git/modules/sub && chosen)"
mv sub ../sub-moved
mkdir sub
same yes "$(cd .git/modules/sub && chosen)"
git init -q --separate-git-dir "$T/w/apart.git" ../apart
same no "$(cd ../apart && chosen)"
E

long 'a linked worktree: its own HEAD and index' <<'E'
sample main-one
git worktree add -q -b side ../linked
cd ../linked
echo side >>one
git add one
same_where
same_staged
cd deep
same_where
cd "$T/w/main-one"
same_staged
git config extensions.worktreeConfig true
git -C ../linked config --worktree core.sparseCheckout false
cd ../linked
same_where
same_staged
same false "$(tool config core.sparseCheckout)"
cd ../main-one
same '(unset)' "$(tool config core.sparseCheckout)"
E

more 'a bare repository with linked worktrees' <<'E'
sample origin-one
git clone -q --bare . ../hub.git
git -C ../hub.git worktree add -q ../spoke main
cd ../spoke
same_where
same_index
git -C ../hub.git config extensions.worktreeConfig true
git -C ../hub.git config --unset core.bare
git -C ../hub.git config --worktree core.bare true
same_where
cd ../hub.git
same_where
E

more 'a .git file, absolute and relative' <<'E'
sample gitfile
mv .git ../real.git
echo "gitdir: $T/w/real.git" >.git
same_where
same_index
echo 'gitdir: ../real.git' >.git
same_where
cd deep
same_where
cd ..
echo 'gitdir: ../nowhere.git' >.git
fails 3 tool where 2>../err
grep "NO_REPOSITORY: '.*/gitfile/.git' names '.*nowhere.git', which is no repository" ../err
echo rubbish >.git
fails 3 tool where
E

more 'GIT_DIR, GIT_WORK_TREE, core.worktree' <<'E'
sample env
mkdir ../elsewhere ../elsewhere/sub
cd ../elsewhere
GIT_DIR=../env/.git
export GIT_DIR
same_where
cd sub
GIT_DIR=$T/w/env/.git
same_where
GIT_WORK_TREE=..
export GIT_WORK_TREE
same_where
same_index
unset GIT_DIR GIT_WORK_TREE
cd "$T/w/env/deep"
GIT_WORK_TREE=$T/w/env
export GIT_WORK_TREE
same_where
unset GIT_WORK_TREE
git config core.worktree "$T/w/elsewhere"
cd "$T/w/elsewhere/sub"
GIT_DIR=$T/w/env/.git
export GIT_DIR
same_where
E

more 'a given folder does not heed the environment' <<'E'
sample given
sample_top=$PWD
git init -q ../other-one
GIT_DIR=$T/w/other-one/.git GIT_INDEX_FILE=$T/none GIT_WORK_TREE=/ \
	tool -C "$sample_top/deep" list index >../got
git_index >../want
cmp_z ../want ../got
E

more 'GIT_COMMON_DIR' <<'E'
sample common
mkdir ../half
cp .git/HEAD .git/index ../half/
GIT_DIR=$T/w/half GIT_COMMON_DIR=$T/w/common/.git tool list index >../got
git_index >../want
cmp_z ../want ../got
GIT_DIR=$T/w/half GIT_COMMON_DIR=$T/w/common/.git tool list "$(git rev-parse HEAD)" \
	>../got
cmp_z ../want ../got
E

more 'GIT_OBJECT_DIRECTORY' <<'E'
sample objects
mv .git/objects ../moved
mkdir .git/objects
GIT_OBJECT_DIRECTORY=../moved
export GIT_OBJECT_DIRECTORY
same_tree HEAD
same two "$(tool cat index deep/two)"
E

more 'no repository' <<'E'
mkdir none
cd none
GIT_CEILING_DIRECTORIES=$T
export GIT_CEILING_DIRECTORIES
fails 3 tool where 2>../err
grep "NO_REPOSITORY: '.*/none' is not in a Git repository" ../err
grep 'help: .*git init' ../err
mkdir .git
fails 3 tool where
mkdir .git/objects .git/refs
fails 3 tool where
fails 3 tool -C "$PWD/nothing" where
GIT_DIR=$T/none fails 3 tool where
E

more 'GIT_CEILING_DIRECTORIES ends the search' <<'E'
sample ceiling
cd deep/er
GIT_CEILING_DIRECTORIES=$T/none:$T/w/ceiling/deep
export GIT_CEILING_DIRECTORIES
fails 128 git rev-parse
fails 3 tool where
GIT_CEILING_DIRECTORIES=$T/w/ceiling
fails 128 git rev-parse
fails 3 tool where
GIT_CEILING_DIRECTORIES=$T/w
same_where
E

more 'a foreign owner is refused as git does, until it is said to be safe' <<'E'
sample foreign
GIT_TEST_ASSUME_DIFFERENT_OWNER=1
GIT_CONFIG_GLOBAL=$HOME/config
export GIT_TEST_ASSUME_DIFFERENT_OWNER GIT_CONFIG_GLOBAL
fails 128 git rev-parse
fails 8 tool list index 2>../err
grep "GIT_FAILED: detected dubious ownership in repository at '.*/foreign'" ../err
grep "help: .*git config --global --add safe.directory '$PWD'" ../err
git config --file .git/config safe.directory '*'
fails 8 tool list index
git config --global --add safe.directory "$PWD"
git_where >/dev/null
same_where
git config --global --add safe.directory ''
fails 128 git rev-parse
fails 8 tool where
git config --global --add safe.directory '*'
same_where
rm "$HOME/config"
GIT_DIR=.git git rev-parse
GIT_DIR=.git tool list index >/dev/null
fails 8 tool -C "$PWD" list index
E

more 'safe.bareRepository' <<'E'
git init -q --bare bare-one.git
cd bare-one.git
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit
export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
fails 128 git rev-parse
fails 8 tool where 2>err
grep 'safe.bareRepository' err
GIT_DIR=. tool where | grep '^top -$'
E

more 'formats that nobody here knows are refused, with the name' <<'E'
sample unknown
git config --file .git/config core.repositoryFormatVersion 1
cp .git/config ../known
git config extensions.refStorage from-the-future
fails 128 git rev-parse
fails 8 tool list index 2>../err
grep -i 'GIT_FAILED: .*refstorage' ../err
cp ../known .git/config
git config --file .git/config extensions.fromTheFuture true
fails 128 git rev-parse
fails 8 tool list index 2>../err
grep -i 'GIT_FAILED: .*fromTheFuture' ../err
git config --file .git/config --unset extensions.fromTheFuture
git config --file .git/config core.repositoryFormatVersion 9
fails 8 tool list index 2>../err
grep 'GIT_FAILED: .*Expected git repo version' ../err
git config --file .git/config core.repositoryFormatVersion 1
git config --file .git/config extensions.worktreeConfig true
git config extensions.partialClone origin
git config extensions.preciousObjects true
same_index
echo '[core' >>.git/config
fails 8 tool list index 2>../err
grep 'GIT_FAILED: .*bad config' ../err
E

more 'configuration: files, includes, worktree, -c, environment' <<'E'
sample config
GIT_CONFIG_GLOBAL=$HOME/config
export GIT_CONFIG_GLOBAL
printf '[ikm]\n\tuser = global\n\tbare\n[include]\n\tpath = more\n' >"$HOME/config"
printf '[ikm "A b"]\n\tIncluded = "a; b"\n' >"$HOME/more"
git config ikm.local here
for key in ikm.user IKM.User ikm.local 'ikm.A b.included' core.bare; do
	same "$(git config "$key")" "$(tool config "$key")"
done
same true "$(tool config ikm.bare)"
same '(unset)' "$(tool config ikm.nothing)"
same '(unset)' "$(tool config 'ikm.a b.included')"
git config alias.ask "!\"$BUILD/tool/git-tree\" config ikm.user"
same "it's = so" "$(git -c "ikm.user=it's = so" ask)"
same last "$(git -c ikm.user=first -c IKM.user=last ask)"
same global "$(tool config ikm.user)"
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=ikm.User GIT_CONFIG_VALUE_0=env
export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
same env "$(tool config ikm.user)"
same global "$(tool -C "$PWD" config ikm.user)"
GIT_CONFIG_COUNT=many
fails 2 tool config ikm.user
E

# Every file with its size, mode and time in nanoseconds. Git itself renews the time of a split
# index's shared file, so those are left out.
snapshot() { find "$@" ! -name 'sharedindex.*' -printf '%p %y %m %s %T@ %C@\n' | sort; }

more 'nothing is written, whatever is asked' <<'E'
sample writes
stage_some
echo changed >>run.sh
touch deep/two
git update-index --split-index
git init -q --object-format=sha256 ../writes256
(cd ../writes256 && echo x >x && git add x && git commit -qm x && touch x)
snapshot . ../writes256 "$HOME" >"$T/before"
for dir in . ../writes256; do
	for tree in index head HEAD; do
		tool -C "$dir" list $tree >/dev/null
		tool -C "$dir" sum $tree 2 >/dev/null
		tool -C "$dir" diff $tree index >/dev/null
	done
	tool -C "$dir" log HEAD one >/dev/null
	tool -C "$dir" base HEAD HEAD >/dev/null
	tool -C "$dir" config user.name >/dev/null
	tool list index >/dev/null
done
snapshot . ../writes256 "$HOME" >"$T/after"
diff "$T/before" "$T/after"
chmod -R a-w . ../writes256
same_staged
tool sum index 2 | grep ' 0 failed'
tool -C ../writes256 sum HEAD 2 | grep ' 0 failed'
chmod -R u+w . ../writes256
E

done_testing
