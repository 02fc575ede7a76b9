#!/bin/sh
# What git_commit_paths() and git_path_check_committable() refuse, and repositories that only git can write.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git-commit.sh"

# Both refuse for the reason, and nothing has changed.
refused() { # REASON PATH [WORDS]
	git rev-parse HEAD >"$T/before" 2>/dev/null || :
	cksum <"$(git rev-parse --git-path index)" >>"$T/before"
	fails_for "$1" gc commit no -- "$2" 2>"$T/err" || return
	git rev-parse HEAD >"$T/after" 2>/dev/null || :
	cksum <"$(git rev-parse --git-path index)" >>"$T/after"
	cmp "$T/before" "$T/after" || return
	[ -z "${3-}" ] || grep -q -- "$3" "$T/err" || { cat "$T/err"; return 1; }
}
both() { refused "$@" && fails_for "$1" gc free "$2" 2>"$T/err"; }

long 'a merge, rebase, cherry-pick, revert, am or bisect under way' <<'E'
garden way
git checkout -qb side
echo side >top
git commit -qam side
git checkout -q main
echo main >top
git commit -qam main
write two
same free "$(gc free $ada)"
git merge side >/dev/null 2>&1 || :
both UNDER_WAY $ada 'a merge'
grep -q 'help: .*git merge --abort' "$T/err"
git merge --abort
same free "$(gc free $ada)"
git cherry-pick side >/dev/null 2>&1 || :
both UNDER_WAY $ada 'cherry-pick'
git cherry-pick --abort
git revert --no-edit HEAD~1 >/dev/null 2>&1 || :
[ ! -e .git/REVERT_HEAD ] || { both UNDER_WAY $ada 'a revert'; git revert --abort; }
git stash -q -u
git rebase side >/dev/null 2>&1 || :
both UNDER_WAY $ada 'a rebase'
git rebase --abort
git stash pop -q
git format-patch -q -1 side -o ../patches
git am ../patches/*.patch >/dev/null 2>&1 || :
both UNDER_WAY $ada 'an am'
git am --abort
git bisect start >/dev/null
both UNDER_WAY $ada 'a bisect'
git bisect reset >/dev/null 2>&1
same free "$(gc free $ada)"
gc commit two -- $ada >/dev/null
sound
E

more 'what another has staged for the path; what is staged equally is no obstacle' <<'E'
garden staged
echo staged >$ada
git add $ada
echo other >$ada
both STAGED $ada 'staged with another content'
grep -q 'git restore --staged' "$T/err"
git rm -qf --cached $ada
both STAGED $ada
git reset -q
# A folder in the place of the file, in the index alone; a file in the place of the folder.
mkdir b
echo x >b/c
git add b
rm -r b
echo x >b
both STAGED b "has 'b/c'"
git reset -q
git add b
rm b
mkdir b
echo x >b/c
both STAGED b/c "has 'b'"
git reset -q
# A conflict.
for n in 1 2 3; do echo "100644 $(echo $n | git hash-object -w --stdin) $n	top"; done |
	git update-index --index-info
both STAGED top 'conflict'
git reset -q
# Staged as it will be committed.
echo new >$ada
git add $ada
gc commit two -- $ada >/dev/null
same '' "$(git status --porcelain $ada)"
sound
E

more 'index.lock and the locks of refs: of git they stay, with what to do; of a killed ikm they go' <<'E'
garden locks
write two
export GIT_COMMIT_MS=20
: >.git/index.lock
both LOCKED $ada "rm '.*/index.lock'"
[ -e .git/index.lock ]
rm .git/index.lock
for lock in HEAD.lock refs/heads/main.lock; do
	: >.git/$lock
	refused LOCKED $ada "$lock"
	[ -e .git/$lock ]
	rm .git/$lock
done
[ ! -e .git/index.lock ]
same 1 "$(wc -l <.git/logs/HEAD)"
for lock in index.lock HEAD.lock refs/heads/main.lock; do
	printf 'ikm-lock 1\n' >.git/$lock
done
same free "$(gc free $ada)"
gc commit two -- $ada >/dev/null
sound || git status --porcelain
# The mark alone is not enough while its owner lives.
printf 'ikm-lock 1\n' >.git/index.lock
write three
flock .git/index.lock sh -c '
	! "$0" commit no -- '"$ada"' 2>err && grep -q ^LOCKED err' "$BUILD/tool/git-commit"
rm -f .git/index.lock err
gc commit three -- $ada >/dev/null
E

more 'paths that are no files of this repository' <<'E'
garden paths
git init -q sub
git -C sub commit -q --allow-empty -m sub
git add sub 2>/dev/null
git commit -qm sub
echo x >sub/f
both NOT_A_FILE sub/f 'another repository'
rm -r sub
mkdir sub
echo x >sub/f
fails_for NOT_A_FILE gc commit no -- sub/f 2>../err
grep -q "'sub' is a submodule in HEAD" ../err
ln -s a link
ln -s top file
both NOT_A_FILE link/x 'a symbolic link'
both NOT_A_FILE file 'a symbolic link'
mkfifo fifo
fails_for NOT_A_FILE gc free fifo 2>../err
fails_for NOT_A_FILE gc free src 2>../err
for bad in ../x a//x a/../x .git/config a/.GIT/x git~1/x a/; do
	fails_for BAD_PATH gc free "$bad" 2>../err
done
fails_for OUTSIDE_ROOTS gc free /etc/passwd 2>../err
fails_for OUTSIDE_ROOTS gc free "$PWD-more/x" 2>../err
same free "$(gc free "$PWD/a/x")"
# A folder of HEAD in the place of the file.
git rm -rq a
git commit -qm a
mkdir a
echo x >a/x
git add a
git commit -qm a
rm -r a
echo x >a
fails_for NOT_A_FILE gc commit no -- a 2>../err
git init -q --bare ../bare
fails_for GIT_FAILED gc -C ../bare commit no -- -x 2>../err
grep -q 'bare repository' ../err
E

more 'filter drivers and encodings are refused, and no driver runs' <<'E'
garden filter
printf '#!/bin/sh\necho ran >>%s/ran\ncat\n' "$T" >"$T/filter"
chmod +x "$T/filter"
git config filter.mark.clean "$T/filter"
echo 'users/** filter=mark' >.gitattributes
write two
refused GIT_UNSUPPORTED $ada 'filter=mark'
[ ! -e "$T/ran" ]
echo 'users/** working-tree-encoding=UTF-16' >.gitattributes
refused GIT_UNSUPPORTED $ada 'working-tree-encoding'
# The driver is for other files, and the index is as new as they are.
echo 'src/* filter=mark' >.gitattributes
rm -f "$T/ran"
gc commit two -- $ada >/dev/null
git update-index --split-index
rm -f "$T/ran"
touch src/* .git/index
write three
gc commit three -- $ada >/dev/null
[ ! -e "$T/ran" ]
git status >/dev/null
[ -e "$T/ran" ]
E

# Formats that ikm does not write: git does, with the same promises.
for kind in sha256 split sparse untracked shared; do
	some 3 "by git: $kind" <<'E'
case $kind in
sha256) garden --object-format=sha256 "k-$kind" ;;
*) garden "k-$kind" ;;
esac
case $kind in
split) git update-index --split-index ;;
sparse)
	git sparse-checkout init --cone --sparse-index 2>/dev/null
	git sparse-checkout set users src 2>/dev/null
	git ls-files --sparse | grep -q '/$'
	;;
untracked) git update-index --untracked-cache 2>/dev/null || git update-index --force-untracked-cache ;;
shared) git config core.sharedRepository group ;;
esac
stage_others
git diff --cached --raw --no-abbrev >../staged.raw
echo later >later
git add -N later 2>/dev/null || :
git ls-files -s -t | grep -v users/ >../was
write two
same free "$(gc free $ada)"
gc commit two 'Ikm-Event: 01J' -- $ada $old >../out
same "commit $(git rev-parse HEAD) refs/heads/main" "$(cat ../out)"
same "A	$old
M	$ada" "$(committed)"
git diff --cached --raw --no-abbrev | cmp - ../staged.raw
git ls-files -s -t | grep -v users/ | diff -u ../was -
same '' "$(git status --porcelain $ada $old)"
case $kind in
split) ls .git/sharedindex.* >/dev/null ;;
untracked) git ls-files --debug >/dev/null; grep -q UNTR .git/index ;;
shared) [ -n "$(find .git/objects -type f -perm -060)" ] || find .git/objects -type f -perm -040 | grep -q . ;;
esac
same 'nothing refs/heads/main' "$(gc commit again -- $ada $old)"
same "$(git rev-parse HEAD)" "$(gc find Ikm-Event 01J 10)"
echo staged >$ada
git add $ada
echo other >$ada
refused STAGED $ada
git reset -q $ada
rm $old
gc commit gone -- -$old >/dev/null
same "D	$old" "$(committed)"
sound
E
done

more 'commit.gpgSign: git signs; without a key nothing is committed' <<'E'
garden signed
mkdir -p "$HOME/.ssh"
ssh-keygen -q -t ed25519 -N '' -f "$HOME/.ssh/id" -C ada
git config --file "$HOME/.gitconfig" gpg.format ssh
git config --file "$HOME/.gitconfig" user.signingKey "$HOME/.ssh/id.pub"
git config --file "$HOME/.gitconfig" commit.gpgSign true
export GIT_CONFIG_GLOBAL="$HOME/.gitconfig"
write two
gc commit two 'Ikm-Event: 01J' -- $ada $old >/dev/null
echo "ada@example.org $(cat "$HOME/.ssh/id.pub")" >../signers
git -c gpg.ssh.allowedSignersFile=../signers verify-commit HEAD 2>../err
grep -q 'Good "git" signature' ../err
same '01J' "$(git log -1 --format='%(trailers:key=Ikm-Event,valueonly,separator=)')"
same '' "$(git status --porcelain)"
sound
# The repository's own configuration names no program.
rm -f "$T/ran"
printf '#!/bin/sh\necho ran >%s/ran\nexit 1\n' "$T" >"$T/signer"
chmod +x "$T/signer"
git config gpg.ssh.program "$T/signer"
git config gpg.ssh.defaultKeyCommand "$T/signer"
write three
gc commit three -- $ada >/dev/null
[ ! -e "$T/ran" ]
rm "$HOME/.ssh/id"
write four
refused GIT_FAILED $ada 'cannot be signed'
grep -q 'commit.gpgSign false' "$T/err"
E
done_testing
