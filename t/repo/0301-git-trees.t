#!/bin/sh
# Commits, objects, revisions, history and submodules, compared with plain git.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

two_commits() { # [options] DIR
	sample "$@"
	stage_some
	git commit -qm second
}

long 'a commit: list, a folder of it, find, read' <<'E'
sample list
same_tree HEAD
same_tree "$(git rev-parse HEAD)"
same_tree HEAD^{tree}
same_tree HEAD:deep
git_tree HEAD | grep -z '	deep/er/' >../want
for folder in deep/er deep/er/; do
	tool list HEAD $folder >../got
	cmp_z ../want ../got
	tool list index $folder >../got
	cmp_z ../want ../got
done
for tree in HEAD index; do
	tool list $tree deep/e >../got
	[ ! -s ../got ]
	tool find $tree deep/er/three | tr '\0' '\n' | grep "$(git rev-parse HEAD:deep/er/three)"
	for path in deep deep/er deep/er/ dee deep/twoo deep/two/x nothing/at/all ''; do
		fails 3 tool find $tree "$path"
	done
	same "$(git show HEAD:link)" "$(tool cat $tree link)"
	same '' "$(tool cat $tree empty)"
done
E

try 'blobs of every size, with NUL, and a limit' <<'E'
git init -q blobs
cd blobs
printf 'a\0b\n' >nul
head -c 3000000 /dev/urandom >big
git add .
git commit -qm blobs
for f in nul big; do
	tool cat index $f >../got
	cmp $f ../got
	tool cat HEAD $f >../got
	cmp $f ../got
done
tool cat index big 3000000 | cmp - big
fails 2 tool cat index big 2999999 2>../err
grep "TOO_BIG: read 'big' in the index: object .* has 3000000 bytes, more than 2999999" ../err
E

long 'what differs: commit and commit, both ways, and with nothing' <<'E'
two_commits diff
same_diff HEAD^ HEAD
same_diff HEAD HEAD^
same_diff HEAD HEAD
same_diff "$(git hash-object -t tree /dev/null)" HEAD
git read-tree HEAD^
same_staged
E

long 'a folder replaced by a file and back, names around the slash' <<'E'
git init -q around
cd around
blob=$(echo x | git hash-object -w --stdin)
list() { for p; do printf '100644 %s\t%s\n' "$blob" "$p"; done | git update-index --index-info; }
tree() { rm -f .git/index; list "$@"; git write-tree; }
one=$(tree a a-b a.b a0 b/c b-c b.c)
two=$(tree a/x a-b/x a.b a0 b b/ b0 b-c/y)
three=$(tree a/x/y/z a.b/x a0/b b/c/d)
for x in $one $two $three; do
	for y in $one $two $three; do
		same_diff $x $y
		git read-tree $y
		tool diff $x index >../got
		git diff-tree -r --raw -z --no-abbrev --no-renames $x $y >../want
		cmp_z ../want ../got
	done
done
E

long 'packed objects, loose ones, and alternates' <<'E'
two_commits packed
git repack -adq
same_diff HEAD^ HEAD
echo loose >loose
git add loose
same_staged
git clone -q --shared . ../borrower
cd ../borrower
same_tree HEAD
same_diff HEAD^ HEAD
same two "$(tool cat HEAD^ deep/two)"
GIT_ALTERNATE_OBJECT_DIRECTORIES=$PWD/../packed/.git/objects
export GIT_ALTERNATE_OBJECT_DIRECTORIES
rm .git/objects/info/alternates
same_diff HEAD^ HEAD
E

more 'a quarantine, as pre-receive has it' <<'E'
two_commits quarantine
git init -q --bare ../server.git
cat >../server.git/hooks/pre-receive <<'H'
#!/bin/sh
read -r old new ref
"$BUILD/tool/git-tree" list "$new" >"$T/got" && "$BUILD/tool/git-tree" where >"$T/where"
H
chmod +x ../server.git/hooks/pre-receive
git push -q ../server.git main
git_tree HEAD >../want
cmp_z ../want "$T/got"
grep '^top -$' "$T/where"
mv ../server.git '../server:"odd".git'
echo more >>one
git commit -qam third
git push -q '../server:"odd".git' main
git_tree HEAD >../want
cmp_z ../want "$T/got"
E

more 'several threads read the same' <<'E'
git init -q threads
cd threads
for i in $(seq 300); do seq "$i" $((i * 7)) >"f$i"; done
git add .
git commit -qm many
one=$(tool sum HEAD 1)
same "$one" "$(tool sum HEAD 8)"
git repack -adfq
same "$one" "$(tool sum HEAD 8)"
same "$one" "$(tool sum index 8)"
echo "$one" | grep '300 files, .* 0 failed'
E

more 'a missing object and a damaged one are named' <<'E'
sample broken
id=$(git rev-parse HEAD:deep/two)
file=.git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)
cp "$file" ../kept
chmod u+w "$file"
head -c 12 ../kept >"$file"
fails 8 tool cat HEAD deep/two 2>../err
grep "GIT_CORRUPT: read 'deep/two' in commit .*: loose object '.*' is damaged: it cannot be inflated" ../err
for change in '1s/^/x/' '$s/$/x/'; do
	LC_ALL=C sed "$change" ../kept >"$file"
	fails 8 tool cat index deep/two 2>../err
	grep GIT_CORRUPT ../err
done
fails 8 tool id "$(git rev-parse --short "$id")" 2>../err
grep 'GIT_CORRUPT: loose object' ../err
rm "$file"
fails 3 tool cat index deep/two 2>../err
grep "NO_SUCH_OBJECT: read 'deep/two' in the index: object $id is missing" ../err
cp ../kept "$file"
same two "$(tool cat HEAD deep/two)"
tree=$(git rev-parse HEAD:deep)
file=.git/objects/$(echo "$tree" | cut -c1-2)/$(echo "$tree" | cut -c3-)
rm "$file"
fails 3 tool list HEAD 2>../err
grep "NO_SUCH_OBJECT: read the folder 'deep/' in commit" ../err
E

more 'a damaged pack' <<'E'
sample badpack
git repack -adq
pack=$(ls .git/objects/pack/*.pack)
chmod u+w "$pack"
size=$(wc -c <"$pack")
head -c $((size - 60)) /dev/zero | tail -c +40 |
	dd of="$pack" bs=1 seek=40 conv=notrunc status=none
rc=0
tool cat HEAD deep/two >../got 2>../err || rc=$?
cat ../err
[ $rc = 8 ]
grep 'GIT_CORRUPT: pack .* is damaged' ../err
E

more 'hostile trees: names that lead elsewhere, modes, order, cut short' <<'E'
git init -q hostile
cd hostile
blob=$(echo x | git hash-object -w --stdin)
raw=$(raw_id "$blob")
for entry in '100644 ..' '100644 .' '100644 a/b' '100644 ' '070644 a' '10064x a' 'x a' \
	'1006440 a'; do
	bytes "$entry\\0$raw" >../tree
	tree=$(git hash-object -t tree --literally -w ../tree)
	fails 8 tool list "$tree" 2>../err
	grep 'GIT_CORRUPT: a tree is damaged' ../err
done
bytes "100644 b\\0${raw}100644 a\\0$raw" >../tree
tree=$(git hash-object -t tree --literally -w ../tree)
fails 8 tool list "$tree" 2>../err
grep 'is not in order' ../err
fails 8 tool diff "$(git hash-object -t tree /dev/null)" "$tree"
bytes '100644 b\0short' >../tree
fails 8 tool list "$(git hash-object -t tree --literally -w ../tree)"
E

more 'folders 2100 deep are refused, not a crash' <<'E'
git init -q deep
cd deep
blob=$(echo x | git hash-object -w --stdin)
# fast-import makes them in one go: a path of 2100 parts
{
	printf 'commit refs/heads/main\ncommitter A <a> 0 +0000\ndata 1\nx\n'
	printf 'M 100644 %s %sb\n\n' "$blob" "$(yes a/ | head -2100 | tr -d '\n')"
} | git fast-import --quiet
tree=$(git rev-parse main^{tree})
fails 8 tool list "$tree" 2>../err
grep 'GIT_UNSUPPORTED: a path in tree .* is longer' ../err
fails 8 tool diff "$(git hash-object -t tree /dev/null)" "$tree"
E

more 'revisions by every name' <<'E'
two_commits revs
git tag -am annotated v1
git tag light HEAD^
git checkout -q -b side
git checkout -q -
git checkout -q -
for rev in HEAD main HEAD^ main~1 v1 light "$(git rev-parse --short HEAD)" main^{tree} @ \
	':/second' 'main^{/first}' '@{-1}' 'v1^0' refs/heads/main; do
	case $rev in
	*tree*) fails 2 tool id "$rev" ;;
	:*) same "$(git rev-parse "$rev")" "$(tool id "$rev")" ;;
	*) same "$(git rev-parse "$rev^0")" "$(tool id "$rev")" ;;
	esac
	same_tree "$rev"
done
fails 2 tool id mian 2>../err
grep "BAD_REVISION: 'mian' is no commit in .*; did you mean 'main'?" ../err
for rev in '' -h --all nothing HEAD:one HEAD:nothing "$(printf '%040d' 1)" "$(printf '%040d' 0)"; do
	fails 2 tool id "$rev" 2>../err
	grep BAD_REVISION ../err
done
# A full id is an object, also when a branch is called so, and in capitals.
first=$(git rev-parse HEAD^)
git update-ref "refs/heads/$first" HEAD
same "$first" "$(tool id "$first")"
same "$first" "$(tool id "$(echo "$first" | tr a-f A-F)")"
same_tree "$first"
E

more 'merge bases, and none' <<'E'
two_commits bases
git checkout -q -b side HEAD^
echo side >side
git add side
git commit -qm side
same "$(git merge-base main side)" "$(tool base main side)"
git checkout -q --orphan other
git commit -qm other
same '' "$(tool base main other)"
fails 2 tool base main nowhere
E

more 'a detached HEAD, an unborn one, and one that names nothing' <<'E'
two_commits heads
git checkout -q --detach HEAD^
same_staged
git_tree HEAD >../want
tool list head >../got
cmp_z ../want ../got
git checkout -q --orphan unborn
tool list head >../got
[ ! -s ../got ]
printf '%040d\n' 1 >.git/HEAD
fails 3 tool list head 2>../err
grep NO_SUCH_OBJECT ../err
echo 'ref: refs/heads/../../x' >.git/HEAD
rc=0
tool list head >../got 2>../err || rc=$?
[ $rc != 0 ]
E

more 'history of a file through renames, on both sides of a merge' <<'E'
git init -q -b main log
cd log
seq 100 >old
commit() { GIT_COMMITTER_DATE="$((n += 1)) +0000" git commit -qm "$1"; }
n=1700000000
git add old && commit one
echo other >other
git add other && commit unrelated
git mv old mid && commit rename
seq 50 >>mid
git add mid && commit change
git checkout -q -b side
seq 7 >>mid
git add mid && commit side
git checkout -q main
mkdir dir
git mv mid dir/new && commit 'rename again'
GIT_COMMITTER_DATE="$((n + 5)) +0000" git merge -q -m merge side
git log --follow --format=%H -- dir/new >../want
tool log HEAD dir/new | tr '\0' '\n' | cut -f1 >../got
sort ../want >../want.sorted
sort ../got >../got.sorted
# git log shows no merges; this one has what neither parent has
diff ../want.sorted ../got.sorted | grep '^[<>]' >../extra || true
same "> $(git rev-parse HEAD)" "$(cat ../extra)"
tool log HEAD dir/new | tr '\0' '\n' | cut -f2 | uniq >../names
grep -x dir/new ../names
tail -1 ../names | grep -x old
tool log HEAD dir/new 2 | tr '\0' '\n' >../got
[ "$(wc -l <../got)" = 2 ]
tool log HEAD nothing >../got
[ ! -s ../got ]
git rm -q other && commit gone
git log --format=%H -- other >../want
tool log HEAD other | tr '\0' '\n' | cut -f1 >../got
diff ../want ../got
E

more 'a shallow clone ends where it ends' <<'E'
two_commits full
echo 3 >>one
git commit -qam third
git clone -q --depth 2 "file://$PWD" ../shallow
cd ../shallow
tool log HEAD one | tr '\0' '\n' | cut -f1 >../got
git log --follow --format=%H -- one >../want
diff ../want ../got
E

more 'a partial clone says what is not here, and fetches nothing' <<'E'
two_commits origin
git config uploadpack.allowFilter true
git clone -q --filter=blob:none --no-checkout "file://$PWD" ../partial
cd ../partial
find .git -type f | sort >../before
same_tree HEAD
fails 3 tool cat HEAD deep/two 2>../err
grep "NO_SUCH_OBJECT: read 'deep/two' in commit .* this is a partial clone" ../err
grep "help: fetch all that is missing: git fetch --refetch --no-filter" ../err
find .git -type f | sort >../after
diff ../before ../after
git config extensions.objectFormat sha1
fails 3 tool cat HEAD deep/two
E

more 'submodules: checked out, not checked out, another commit' <<'E'
two_commits inner
git init -q -b main ../outer
cd ../outer
git -c protocol.file.allow=always submodule --quiet add "$PWD/../inner" sub/mod
git commit -qm outer
same_index
same_tree HEAD
fails 2 tool cat HEAD sub/mod 2>../err
grep "NOT_A_FILE: 'sub/mod' in commit .* is a submodule" ../err
git -C sub/mod checkout -q HEAD^
git -C ../inner ls-tree -r -z HEAD | sed -z 's/^\([0-7]*\) [a-z]* /\1 /' >../want
tool sub HEAD sub/mod >../got
cmp_z ../want ../got
tool sub index sub/mod >../got
cmp_z ../want ../got
git submodule --quiet deinit -f sub/mod
tool sub index sub/mod >../got
cmp_z ../want ../got
rm -rf .git/modules
fails 3 tool sub index sub/mod 2>../err
grep "NO_REPOSITORY: submodule 'sub/mod' of .* is not checked out" ../err
grep "help: git submodule update --init -- 'sub/mod'" ../err
E

more 'sha256, where git reads the objects' <<'E'
two_commits --object-format=sha256 sha
same_index
same_tree HEAD
same_tree HEAD^{tree}
same_diff HEAD^ HEAD
same_staged
echo more >>one
git add one
same_staged
same two "$(tool cat HEAD^ deep/two)"
same "$(git rev-parse HEAD^)" "$(tool id HEAD^)"
same "$(git rev-parse HEAD^)" "$(tool base HEAD HEAD^)"
same "$(tool sum HEAD 1)" "$(tool sum HEAD 8)"
fails 2 tool cat HEAD one 1
tool log HEAD deep/two | tr '\0' '\n' | cut -f1 >../got
git log --follow --format=%H -- deep/two >../want
diff ../want ../got
fails 2 tool id nothing
cd deep
same_staged
same "$(printf 'dir %s/.git\ntop %s\nprefix deep/\nchosen no' "$(cd .. && pwd)" "$(cd .. && pwd)")" "$(tool where)"
cd ..
git checkout -q --orphan unborn
tool list head >../got
[ ! -s ../got ]
fails 8 env PATH="$T/none" "$BUILD/tool/git-tree" list index 2>../err
grep 'NO_PROGRAM: only the program git can read' ../err
grep 'help: install git' ../err
E

more 'without git in PATH all of sha1 works' <<'E'
two_commits nogit
git_index >../want
PATH="$T/none" "$BUILD/tool/git-tree" list index >../got
cmp_z ../want ../got
PATH="$T/none" "$BUILD/tool/git-tree" diff HEAD^ index >../got
git diff-tree -r --raw -z --no-abbrev --no-renames HEAD^ HEAD >../want
cmp_z ../want ../got
fails 2 env PATH="$T/none" "$BUILD/tool/git-tree" id nothing
E

done_testing
