#!/bin/sh
# The index: every version and extension, what a hook sees, and what is refused.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

for version in 2 3 4; do
	export version
	try "version $version" <<'E'
sample "v$version"
git update-index --index-version "$version"
same_index
stage_some
git update-index --index-version "$version"
[ "$version" != 3 ] || git update-index --skip-worktree one
[ "$(head -c 8 .git/index | tail -c 1 | od -An -tu1 | tr -d ' ')" = "$version" ]
same_index
same_staged
same "$(git show :deep/two)" "$(tool cat index deep/two)"
same "$(git show :link)" "$(tool cat index link)"
E
done

try 'a path of 4095 bytes, in version 2 and with a long common part in version 4' <<'E'
git init -q long
cd long
blob=$(echo x | git hash-object -w --stdin)
part=$(printf 'p%.0s' $(seq 180))
path=
for i in $(seq 20); do path=$path$part$i/; done
path=$path$(printf 'n%.0s' $(seq $((4095 - ${#path}))))
for version in 2 4; do
	rm -f .git/index
	printf '100644 %s\t%s\n' "$blob" "$path" "$blob" "${path%n}m" |
		git update-index --index-info
	git update-index --index-version $version
	same_index
done
E

try 'no index, and HEAD unborn' <<'E'
git init -q unborn
cd unborn
tool list index >../got
[ ! -s ../got ]
tool list head >../got
[ ! -s ../got ]
echo x >x
git add x
same_index
tool diff none index | tr '\0' ' ' >../got
same ":000000 100644 $(printf '%040d' 0) $(git rev-parse :x) A x " "$(cat ../got)"
E

try 'the cache tree: nothing, some and all of it valid' <<'E'
sample cache
same_staged
git read-tree HEAD
same_staged
echo more >deep/er/three
git add deep/er/three
same_staged
git write-tree
same_staged
git read-tree --empty
same_staged
E

try 'a cache tree may name a tree that is not written yet' <<'E'
sample unwritten
echo more >>deep/two
git add deep/two
tree=$(git write-tree)
sub=$(git rev-parse "$tree:deep")
for id in "$tree" "$sub"; do
	rm -f ".git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
	fails 1 git cat-file -e "$id"
done
same_index
same_staged
E

try 'intent to add is left out, as git commit does it' <<'E'
sample intent
echo soon >soon
echo later >deep/later
git add -N soon deep/later
echo now >now
git add now
same_staged
tool list index | tr '\0' '\n' >../got
fails 1 grep -E 'soon|later' ../got
git commit -qm second
git_tree HEAD >../want
tool list index >../got
cmp_z ../want ../got
E

long 'conflicts are an error that names the paths' <<'E'
sample conflict
git checkout -q -b side
echo side >one
echo side >deep/two
git commit -qam side
git checkout -q main
echo main >one
echo main >deep/two
git commit -qam main
git merge side >/dev/null || true
fails 8 tool list index 2>../err
grep "GIT_FAILED: the index has conflicts that are not resolved: 'deep/two', 'one'" ../err
git update-index --split-index
fails 8 tool list index 2>../err
grep "'deep/two', 'one'" ../err
git checkout -q --theirs one deep/two
git add -A
same_staged
E

more 'a split index' <<'E'
sample split
git update-index --split-index
stage_some
ls .git/sharedindex.*
same_index
same_staged
echo soon >soon
git add -N soon
same_staged
E

more 'a sparse index' <<'E'
sample sparse
git sparse-checkout init --cone --sparse-index
git sparse-checkout set a
git ls-files -s --sparse | grep ^040000
cp .git/index ../sparse-index
same_index
cp ../sparse-index .git/index
same_staged
echo more >>a/x
git add a/x
same_staged
same three "$(tool cat index deep/er/three)"
E

more 'skip-worktree and assume-valid' <<'E'
sample skip
git update-index --skip-worktree one
git update-index --assume-unchanged a/x
rm one
same_index
same_staged
E

more 'an index without a checksum' <<'E'
sample nosum
{ head -c -20 .git/index && head -c 20 /dev/zero; } >../new
mv ../new .git/index
same_index
same_staged
E

more 'an extension that may be ignored, and one that may not' <<'E'
sample extension
cp .git/index ../old
{ head -c -20 ../old && printf 'ZZZZ\0\0\0\4abcd' && tail -c 20 ../old; } >.git/index
same_index
{ head -c -20 ../old && printf 'zzzz\0\0\0\4abcd' && tail -c 20 ../old; } >.git/index
fails 128 git ls-files
fails 8 tool list index 2>../err
grep 'GIT_FAILED: .*index uses zzzz extension' ../err
E

more 'damage is an error that names the file' <<'E'
sample damage
cp .git/index ../old
size=$(wc -c <../old)
for cut in 0 3 11 20 40 80 $((size / 2)) $((size - 21)); do
	head -c "$cut" ../old >.git/index
	fails 8 tool list index 2>../err
	grep "GIT_CORRUPT: the index '.*/damage/.git/index' is damaged" ../err
done
for change in 's/DIRC/DIRX/' 's/a-b/b-b/' 's/a-b/zzz/' 's/deep.two/deep\/\/wo/' \
	's/deep.er.three/deep\/..\/three/' 's/a.x/a\/./'; do
	LC_ALL=C sed "$change" ../old >.git/index
	fails 1 cmp -s ../old .git/index
	fails 8 tool list index 2>../err
	grep GIT_CORRUPT ../err
done
E

more 'an index of a version that nobody knows' <<'E'
sample version
{ printf 'DIRC\0\0\0\11\0\0\0\0' && head -c 20 /dev/zero; } >.git/index
fails 8 tool list index 2>../err
grep 'GIT_FAILED: .*bad index version 9' ../err
E

more 'an index that is no regular file' <<'E'
sample odd
rm .git/index
mkdir .git/index
fails 2 tool list index 2>../err
grep NOT_A_FILE ../err
rmdir .git/index
mkfifo .git/index
fails 2 tool list index
E

# The content that a hook sees must be the content of the commit.
cat >"$T/hook" <<'E'
#!/bin/sh
"$BUILD/tool/git-tree" list index >"$T/seen" && "$BUILD/tool/git-tree" diff head index >"$T/seen.diff"
E
chmod +x "$T/hook"
seen_is_committed() { # [the commit before]
	git_tree HEAD >"$T/want"
	cmp_z "$T/want" "$T/seen"
	git diff-tree -r --raw -z --no-abbrev --no-renames "${1:-HEAD^}" HEAD >"$T/want"
	cmp_z "$T/want" "$T/seen.diff"
	rm "$T/seen" "$T/seen.diff"
}

more 'in a hook: commit, -a, -i, -- PATH, --amend, in a folder, in a linked worktree' <<'E'
sample hook
cp "$T/hook" .git/hooks/pre-commit
echo 1 >>one
git add one
echo unstaged >>deep/two
git commit -qm plain
seen_is_committed
git commit -qam all
seen_is_committed
echo 2 >>one
git add one
echo 2 >>deep/two
git commit -qm only -- deep/two
seen_is_committed
fails 1 git diff --cached --quiet
echo 3 >>a/x
git commit -qm include -i a/x
seen_is_committed
cd deep
echo 3 >>two
git commit -qm 'from below' -- two
seen_is_committed
cd ..
echo 4 >>deep/two
before=$(git rev-parse HEAD)
git commit -qa --amend -m amended
seen_is_committed "$before"
git mv one uno
git rm -q a/x
git commit -qm moved
seen_is_committed
git update-index --split-index
echo split >>uno
git commit -qam split
seen_is_committed
git worktree add -q ../linked
cd ../linked
echo linked >>deep/two
git commit -qam linked
seen_is_committed
E

more 'GIT_INDEX_FILE names another, from the top whatever the folder' <<'E'
sample other
cp .git/index .git/second
GIT_INDEX_FILE=.git/second
export GIT_INDEX_FILE
echo more >>one
git add one
same_staged
same_index
cd deep
same_staged
GIT_INDEX_FILE=.git/nothing tool list index >../../got
[ ! -s ../../got ]
E

done_testing
