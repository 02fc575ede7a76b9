#!/bin/sh
# The one function of lib/repo/git that writes: a commit of given files. git is the referee: fsck, status,
# what is staged, the log.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git-commit.sh"

long 'two files become a commit with trailers, and all else that is staged stays staged' <<'E'
garden plain
stage_others
git diff --cached --raw --no-abbrev >../staged
git diff --raw >../unstaged
write two
gc commit 'Ada, p1: profile' 'Ikm-Event: 01J' 'Ikm-Tool: md patch' 'Ikm-Agent: claude' -- \
	$ada $old >../out
same "commit $(git rev-parse HEAD) refs/heads/main" "$(cat ../out)"
same "A	$old
M	$ada" "$(committed)"
git diff --cached --raw --no-abbrev | cmp - ../staged
git diff --raw | cmp - ../unstaged
same 'Ada, p1: profile' "$(git log -1 --format=%s)"
same '01J,md patch,claude' "$(git log -1 --format='%(trailers:valueonly,separator=%x2C)')"
same 'Ada <ada@example.org> 1700000000 Ada <ada@example.org> 1700000000' \
	"$(git log -1 --format='%an <%ae> %at %cn <%ce> %ct')"
same 'commit: Ada, p1: profile' "$(git reflog -1 --format=%gs)"
same 'commit: Ada, p1: profile' "$(git reflog -1 --format=%gs main)"
same '' "$(git status --porcelain=v2 $ada $old)"
sound
# The same again is no empty commit.
was=$(git rev-parse HEAD)
same 'nothing refs/heads/main' "$(gc commit again -- $ada $old)"
same "$was" "$(git rev-parse HEAD)"
same "$was" "$(gc find Ikm-Event 01J 100)"
same '' "$(gc find Ikm-Event 01K 100)"
E

try 'the files count as clean at once, and a later change of the same size shows' <<'E'
garden clean
write two
gc commit two -- $ada $old >/dev/null
same '' "$(git diff-files)"
printf 'TWO\n' >$ada
same " M $ada" "$(git status --porcelain)"
sound
E

long 'entries keep their flags: intent-to-add, assume-unchanged, skip-worktree' <<'E'
garden flags
echo later >later
git add -N later
git update-index --assume-unchanged src/a.c
git update-index --skip-worktree src/b.c
echo hidden >>src/a.c
for version in 3 4; do
	git update-index --index-version $version
	git ls-files -s -v -t >../was
	write "v$version"
	gc commit "v$version" -- $ada $old >/dev/null
	same "$version" "$(od -An -tu1 -j7 -N1 .git/index | tr -d ' ')"
	git ls-files -s -v -t | grep -v users/ >../now
	grep -v users/ ../was | diff -u - ../now
	grep -q '^[hs] .*src/a.c' ../now
	same ' A later' "$(git status --porcelain later)"
	sound
done
# The path itself may be intended to be added.
echo x >users/ada/overview.md
git add -N users/ada/overview.md
gc commit over -- users/ada/overview.md >/dev/null
same 'A	users/ada/overview.md' "$(committed)"
same '' "$(git status --porcelain users)"
E

long 'the index is the same but for the two entries, and keeps its time' <<'E'
garden bytes
for version in 2 4; do
	git update-index --index-version $version
	stage_others
	git ls-files --debug >../was
	touch -d 2020-01-01 .git/index
	write "v$version"
	gc commit "v$version" -- $ada $old >/dev/null
	same "$version" "$(od -An -tu1 -j7 -N1 .git/index | tr -d ' ')"
	same 2020 "$(date -r .git/index +%Y)"
	git ls-files --debug >../now
	for f in was now; do
		awk '/^[^ ]/ { keep = index($0, "users/") != 1 } keep' ../$f >../$f.rest
	done
	least 20 ../was.rest
	diff -u ../was.rest ../now.rest
	git commit -qm rest
done
sound
E

try 'the cache tree is right afterwards: git writes the tree of HEAD; a file goes' <<'E'
garden cache
git read-tree HEAD
git write-tree >/dev/null
write two
gc commit two -- $ada $old >/dev/null
same "$(git rev-parse 'HEAD^{tree}')" "$(git write-tree)"
rm $old
gc commit gone -- -$old >/dev/null
same "D	$old" "$(committed)"
same "$(git rev-parse 'HEAD^{tree}')" "$(git write-tree)"
same '' "$(git ls-files users/ada/parts/p1/history)"
sound
same 'nothing refs/heads/main' "$(gc commit gone -- -$old)"
E

more 'many files, in folders that sort oddly, versions 4 and 2' <<'E'
garden many
for i in $(seq 60); do
	mkdir -p "d$((i % 10))/e$i" "d$((i % 10))-x"
	for j in 1 2 3 4 5; do
		echo "$i $j" >"d$((i % 10))/e$i/f$j"
		echo "$i" >"d$((i % 10))-x/$i-$j"
	done
done
git add -A
git commit -qm many
stage_others
git diff --cached --raw >../staged
set -- d0/a/b/c d0-x/new d0-x/10-1.x d5/e5/zz d9-x/z users/ada/overview.md
for version in 4 2; do
	git update-index --index-version $version
	for f; do
		mkdir -p "${f%/*}"
		echo "$version" >"$f"
	done
	gc commit "v$version" -- "$@" >/dev/null
	same 6 "$(committed | wc -l)"
	git diff --cached --raw | cmp - ../staged
	sound
done
E

more 'an unborn branch, a branch with slashes, a packed one, a detached HEAD' <<'E'
git init -q -b new/born unborn
cd unborn
mkdir -p users/ada
echo one >users/ada/overview.md
same 'nothing' "$(gc commit none -- -users/ada/overview.md | tr -d ' ')"
echo staged >staged
git add staged
gc commit first -- users/ada/overview.md >../out
same "commit $(git rev-parse HEAD) refs/heads/new/born" "$(cat ../out)"
same 'A	users/ada/overview.md' "$(committed)"
same 'A  staged' "$(git status --porcelain)"
same 'commit (initial): first' "$(git reflog -1 --format=%gs)"
git pack-refs --all
[ ! -e .git/refs/heads/new/born ]
echo two >users/ada/overview.md
gc commit second -- users/ada/overview.md >/dev/null
same 2 "$(git rev-list --count HEAD)"
git checkout -q --detach
echo three >users/ada/overview.md
gc commit third -- users/ada/overview.md >../out
same "commit $(git rev-parse HEAD) " "$(cat ../out)"
same 2 "$(git rev-list --count new/born)"
same 'commit: third' "$(git reflog -1 --format=%gs)"
sound
# A branch whose empty folder still lies there, and one that another branch excludes.
git symbolic-ref HEAD refs/heads/topic
mkdir -p .git/refs/heads/topic
gc commit 'on topic' -- users/ada/overview.md >/dev/null
same 1 "$(git rev-list --count topic)"
git symbolic-ref HEAD refs/heads/topic/below
git rm -q --cached users/ada/overview.md
fails_for GIT_FAILED gc commit no -- users/ada/overview.md 2>../err
grep -q "'refs/heads/topic' exists" ../err
git symbolic-ref HEAD refs/heads/topic
git add users
sound
E

more 'a linked worktree, and a garden below the top of a larger repository' <<'E'
garden linked-main
git worktree add -q -b side ../linked
cd ../linked
write two
gc commit two -- $ada "$PWD/$old" >../out
same "commit $(git rev-parse side) refs/heads/side" "$(cat ../out)"
same 1 "$(git rev-list --count main)"
same '' "$(git status --porcelain)"
sound
cd users/ada
echo three >parts/p1/profile.md
gc commit three -- $ada >/dev/null
same "M	$ada" "$(committed)"
echo four >parts/p1/profile.md
cd /
gc -C "$T/w/linked/users" commit four -- "$T/w/linked/$ada" >/dev/null
same four "$(git -C "$T/w/linked" show -s --format=%s side)"
E

more 'modes: an executable stays one; core.fileMode=false keeps what HEAD has' <<'E'
garden modes
chmod +x top
echo new >top
gc commit exec -- top >/dev/null
same '100755 top' "$(git ls-tree HEAD top | sed 's/ .*\t/ /')"
git config core.fileMode false
chmod -x top
echo newer >top
gc commit exec -- top >/dev/null
same '100755 top' "$(git ls-tree HEAD top | sed 's/ .*\t/ /')"
sound
E

more 'an ignored file is committed; odd names too' <<'E'
garden odd
echo 'users/' >.gitignore
dir="users/a b/$(printf 'x\ty')" name=$(printf 'n\351\nl')
mkdir -p "$dir"
echo 1 >"$dir/$name"
gc commit odd -- "$dir/$name" >/dev/null
same 'A	"users/a b/x\ty/n\351\nl"' "$(committed)"
same '?? .gitignore' "$(git status --porcelain)"
sound
E

more 'line ends become what git add would store' <<'E'
garden eol
n=0
added() { # FILE: the blob that git add makes; the index stays
	cp .git/index ../index
	git add "$1" 2>/dev/null
	git rev-parse ":$1"
	cp ../index .git/index
}
while IFS='|' read -r attributes autocrlf content; do
	n=$((n + 1))
	git config core.autocrlf "$autocrlf"
	echo "$attributes" >.gitattributes
	# shellcheck disable=SC2059
	printf "$content" >"f$n"
	want=$(added "f$n")
	gc commit "$n" -- "f$n" >/dev/null
	same "$n $want" "$n $(git rev-parse "HEAD:f$n")"
	# shellcheck disable=SC2059
	printf "${content}more\r\n" >"f$n"
	want=$(added "f$n")
	gc commit "$n again" -- "f$n" >/dev/null
	same "$n $want" "$n $(git rev-parse "HEAD:f$n")"
	same '' "$(git status --porcelain "f$n" 2>/dev/null)"
done <<'L'
|false|a\r\nb\r\n
|true|a\r\nb\r\n
|input|a\r\nb\r\n
|input|a\r\nb\n
|true|a\0\r\n
* text|false|a\r\nb\r\n
* -text|true|a\r\nb\r\n
* eol=lf|false|a\r\n
* eol=crlf|false|a\r\n
* text=auto|false|a\r\n
* text=auto|false|a\0\r\n
* crlf|false|a\r\n
* -crlf|true|a\r\n
* ident|false|$Id: abc $ b\n
* binary|true|a\r\n
f* text=auto eol=lf|true|\r\n\r\r\n
* working-tree-encoding=UTF-8|false|a\n
* filter=unknown|false|a\n
L
[ "$n" = 18 ]
# Attributes that only the index has, as in a sparse checkout.
git config core.autocrlf false
echo '* text' >.gitattributes
git add .gitattributes
git commit -qm attributes
rm .gitattributes
printf 'a\r\n' >sparse
gc commit sparse -- sparse >/dev/null
same a "$(git cat-file -p HEAD:sparse | tr '\r' R)"
E

more 'core.logAllRefUpdates=false makes no log' <<'E'
garden nolog
rm -r .git/logs
git config core.logAllRefUpdates false
write two
gc commit two -- $ada $old >/dev/null
[ ! -e .git/logs ]
git config --unset core.logAllRefUpdates
write three
gc commit three -- $ada >/dev/null
same 1 "$(wc -l <.git/logs/refs/heads/main)"
sound
E

more 'the identity of the environment, of the configuration, and none' <<'E'
garden who
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE \
	GIT_COMMITTER_DATE
write two
was=$(git rev-parse HEAD)
fails_for NOT_CONFIGURED gc commit two -- $ada 2>../err
grep -q "help: git config --global user.name 'YOUR NAME'" ../err
grep -q 'help: git config --global user.email' ../err
same "$was" "$(git rev-parse HEAD)"
git config user.name ' Grace <Hopper>, '
git config user.email grace@example.org
git config author.name Brewster
IKM_NOW=2026-01-31T12:00:00Z gc commit two -- $ada >/dev/null
same 'Brewster <grace@example.org> 1769860800 +0000' \
	"$(git log -1 --format='%an <%ae> %ad' --date=raw)"
same 'Grace Hopper' "$(git log -1 --format=%cn)"
write three
TZ=XYZ-5:30 IKM_NOW=2026-01-31T12:00:00Z gc commit three -- $ada >/dev/null
same '1769860800 +0530' "$(git log -1 --format=%ad --date=raw)"
# Git calls a commit from before 1970 an error.
write early
TZ=XYZ+3 IKM_NOW=1969-06-01T12:00:00Z gc commit early -- $ada >/dev/null
same '0 -0300' "$(git log -1 --format=%ad --date=raw)"
git fsck --strict
write earlier
GIT_AUTHOR_DATE=1969-06-01T12:00:00Z fails_for BAD_ARGUMENT gc commit earlier -- $ada 2>../err
grep 'not before 1970' ../err
git checkout -q .
write four
GIT_AUTHOR_DATE=2026-01-31T13:00:00+01:00 gc commit four -- $ada >/dev/null
same 1769860800 "$(git log -1 --format=%at)"
write five
export GIT_AUTHOR_DATE=yesterday
fails_for BAD_ARGUMENT gc commit five -- $ada 2>../err
grep -q GIT_AUTHOR_DATE ../err
rm $old
sound
E

more 'a message or trailer that would forge another trailer is refused' <<'E'
garden forge
write two
for bad in 'Ikm Event: x' 'Ikm-Event:' "Ikm-Event: x
Ikm-Agent: y" ': x'; do
	fails_for BAD_ARGUMENT gc commit two "$bad" -- $ada 2>../err
done
fails_for BAD_ARGUMENT gc commit '' -- $ada 2>../err
fails_for BAD_ARGUMENT gc commit two -- $ada $ada 2>../err
fails_for BAD_ARGUMENT gc commit two -- 2>../err
same start "$(git log -1 --format=%s)"
# A body may quote a trailer; the last paragraph counts.
gc commit "two

Ikm-Event: FORGED" 'Ikm-Event: REAL' -- $ada >/dev/null
same '' "$(gc find Ikm-Event FORGED 9)"
same "$(git rev-parse HEAD)" "$(gc find Ikm-Event REAL 9)"
E
done_testing
