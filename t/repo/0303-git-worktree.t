#!/bin/sh
# The working tree: tracked files that are there, and others that are not ignored.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

# ikm lists the files that git lists, without those that are deleted, or behind a link. What a sparse
# checkout leaves out is unchanged for git, so it is listed.
there() {
	git diff-files -z --name-only --diff-filter=D | sort -zu >"$T/deleted"
	git ls-files -z -c -o --exclude-standard --full-name :/ | sort -zu |
		comm -z -23 - "$T/deleted"
}
same_names() {
	there >"$T/want"
	tool list worktree | sed -z 's/^[^\t]*\t//' >"$T/got"
	cmp_z "$T/want" "$T/got"
}

long 'clean, then changed, deleted and new' <<'E'
sample plain
same_names
echo changed >>one
rm deep/two
rm -r a
mkdir a new
echo untracked >new/file
echo x >a/other
same_names
same "$(cat one)" "$(tool cat worktree one)"
same nowhere "$(tool cat worktree dangling)"
tool list worktree | tr '\0' '\n' | grep '^100755 -	run.sh$'
tool list worktree | tr '\0' '\n' | grep '^120000 -	link$'
cd deep
same_names
E

long 'ignored: everywhere git looks; but what is tracked counts' <<'E'
sample ignored
echo '*.log' >.gitignore
echo '!keep.log' >deep/.gitignore
echo 'private' >>.git/info/exclude
mkdir -p "$HOME/.config/git" build deep/build
echo '*~' >"$HOME/.config/git/ignore"
for f in x.log deep/x.log deep/keep.log private a/private one~ build/out deep/build/out; do
	echo x >$f
done
echo build/ >>.gitignore
same_names
git add -f x.log build/out
same_names
tool list worktree | tr '\0' '\n' | grep 'build/out$'
fails 1 sh -c 'tool() { "$BUILD/tool/git-tree" "$@"; }; tool list worktree | grep -az private'
same x "$(tool cat worktree build/out)"
git config core.excludesFile "$T/w/excludes"
echo 'a*' >"$T/w/excludes"
same_names
git -c core.excludesFile=/dev/null config alias.names "!\"$BUILD/tool/git-tree\" list worktree"
git -c core.excludesFile=/dev/null names >"$T/got"
grep -az 'one~' "$T/got"
E

long 'a folder replaced by a link hides what was tracked in it' <<'E'
sample behind
mkdir ../outside
mv deep/er ../outside/er
ln -s ../../outside/er deep/er
same_names
fails 3 tool find worktree deep/er/three
tool find worktree deep/er | tr '\0' '\n' | grep ^120000
echo deep >.gitignore
same_names
E

long 'submodules and nested repositories are not entered' <<'E'
sample inner
sample ../outer
git -c protocol.file.allow=always submodule --quiet add "$PWD/../inner" sub/mod
git init -q nested
echo x >nested/file
tool list worktree | tr '\0' '\n' | sed 's/^\([0-9]*\) [^ ]*	/\1 /' >../got
grep '^160000 sub/mod$' ../got
fails 1 grep 'sub/mod/' ../got
fails 1 grep 'nested/file' ../got
tool find worktree sub/mod | tr '\0' '\n' | grep "$(git rev-parse :sub/mod)"
tool sub worktree sub/mod | grep -az deep/two
fails 2 tool cat worktree sub/mod
git submodule --quiet deinit -f sub/mod
tool find worktree sub/mod | grep -a 160000
E

try 'modes are as recorded; links are as they are' <<'E'
sample modes
chmod -x run.sh
chmod +x one
rm link
echo 'no link' >link
ln -sf nowhere deep/two
for how in list find; do
	one=one
	[ $how = find ] || one=
	tool $how worktree $one | tr '\0' '\n' | grep '^100644 -	one$'
done
tool list worktree | tr '\0' '\n' | grep '^100755 -	run.sh$'
tool find worktree link | grep -a ^100644
same 'no link' "$(tool cat worktree link)"
tool find worktree deep/two | grep -a ^120000
same nowhere "$(tool cat worktree deep/two)"
E

more 'conflicts, an unborn branch, intent to add, a sparse checkout' <<'E'
sample conflicts
git checkout -q -b side
echo side >one
git commit -qam side
git checkout -q main
echo main >one
git commit -qam main
git merge side >/dev/null || true
same_names
grep -q '<<<<' one
same "$(cat one)" "$(tool cat worktree one)"
git reset -q --hard
echo soon >soon
git add -N soon
same_names
git sparse-checkout init --cone --sparse-index
same_names
git init -q ../unborn
cd ../unborn
echo x >x
same_names
E

done_testing
