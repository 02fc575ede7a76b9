#!/bin/sh
# Where ikm hook install writes, what ikm hook status proves, and the shim when ikm is missing. Git
# is the referee of what fires.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

# ---- where hooks are ----

long 'a local core.hooksPath is where git looks: relative, from below, from elsewhere' <<'E'
git init -q -b main path; cd path; mkdir -p sub/dir
git config core.hooksPath 'my hooks'
(cd sub/dir && ikm hook install >/dev/null)
[ -x 'my hooks/pre-commit' ]; [ ! -e .git/hooks/pre-commit ]
ikm hook status >/dev/null
(cd / && GIT_DIR=$OLDPWD/.git GIT_WORK_TREE=$OLDPWD ikm hook install >../said 2>&1 || :)
(cd sub && ikm hook status >/dev/null)
same '"local" "my hooks"' "$(ikm hook status --json | jq -rc '"\(.scope|tojson) \(.hooksPath|tojson)"')"
E

long 'a global core.hooksPath is not written to without --force' <<'E'
git init -q -b main foreign; cd foreign
export GIT_CONFIG_GLOBAL="$T/w/gitconfig"; mkdir -p ../shared
git config --global core.hooksPath "$PWD/../shared"
fails 5 ikm hook install 2>../said
for words in 'core.hooksPath of the global' 'ikm hook install --global' 'git config core.hooksPath'; do
	grep -qF "$words" ../said
done
same '' "$(ls ../shared)"
fails 1 ikm hook status >/dev/null
# Its line for this repository works as it stands.
eval "$(sed -n 's/.*that folder: \(git config core.hooksPath.*\)/\1/p' ../said)" >/dev/null
ikm hook status >/dev/null
git config --unset core.hooksPath
ikm hook install --force >/dev/null
[ -x ../shared/pre-commit ]
fails 5 ikm hook uninstall 2>../said
grep -q -e '--global' ../said
ikm hook uninstall --force >/dev/null
same '' "$(ls ../shared)"
E

try 'git -c core.hooksPath, and one that is not a folder' <<'E'
git init -q -b main off; cd off
fails 5 git -c core.hooksPath=/some/where ikm hook install 2>../said ||
	fails 5 env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/some/where \
		ikm hook install 2>../said
grep -q 'for this command only' ../said
git config core.hooksPath /dev/null
fails 5 ikm hook install 2>../said; grep -q 'not a folder' ../said
fails 1 ikm hook status >/dev/null
git config core.hooksPath ''
fails 5 ikm hook install 2>../said; grep -q 'not a folder' ../said
E

long '--global: every repository, and each one keeps its own hooks' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig2" XDG_CONFIG_HOME="$T/w/xdg"
git init -q -b main g1; cd g1; decide .
printf '#!/bin/sh\necho own "$0" >>../ran\ncat >>../ran\n' >.git/hooks/pre-push
printf '#!/bin/sh\necho msg >>../ran\n' >.git/hooks/commit-msg
printf '#!/bin/sh\necho own-commit >>../ran\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-push .git/hooks/commit-msg .git/hooks/pre-commit
ikm -C / hook install --global >../said
same "$XDG_CONFIG_HOME/git/hooks" "$(git config --global core.hooksPath)"
grep -q 'core.hooksPath' ../said
ikm hook status >/dev/null
good >a.c; git add a.c; git commit -qm x
same 'own-commit msg' "$(echo $(cat ../ran))"
bad >b.c; git add b.c; refused git commit -m y
rm ../ran; git init -q --bare ../g1.git; git push -q ../g1.git main
grep -q '^own ' ../ran; grep -q '^refs/heads/main ' ../ran
for how in '' --force --global; do
	same '["unchanged"]' "$(ikm hook install $how --json | jq -c '[.hooks[].action] | unique')"
done
git worktree add -q ../g1-tree; cd ../g1-tree; rm -f ../ran
good >c.c; git add c.c; git commit -qm z; same 'own-commit msg' "$(echo $(cat ../ran))"
ikm hook uninstall --global >/dev/null
fails 1 git config --global core.hooksPath
same '' "$(ls "$XDG_CONFIG_HOME/git/hooks")"
E

long 'installed for all and in the repository: judged once, and what was there runs once' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig4" XDG_CONFIG_HOME="$T/w/xdg4"
git init -q -b main both; cd both; decide .; rm -f ../ran
printf '#!/bin/sh\necho own >>../ran\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
ikm hook install --global >/dev/null
bad >b.c; git add b.c; refused git commit -m y
same 1 "$(grep -c 'was stopped' "$T/said")"
same own "$(cat ../ran)"
E

long '--global where the repository itself has its hooks in that folder: no loop' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig5" XDG_CONFIG_HOME="$T/w/xdg5"
mkdir -p xdg5; git init -q -b main --separate-git-dir=xdg5/git dots; cd dots
rm -rf ../xdg5/git/hooks
ikm hook install --global >/dev/null
[ -x ../xdg5/git/hooks/post-commit ]
git commit -q --allow-empty -m x
IKM_HOOKS=0 git commit -q --allow-empty -m y 2>../said
grep -q 'IKM_HOOKS=0' ../said
same 2 "$(git rev-list --count HEAD)"
E

long '--global into a folder that is there already: its hooks are kept' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig3"; mkdir glob
git config --global core.hooksPath "$T/w/glob"
printf '#!/bin/sh\necho global >>"$T/w/ran"\n' >glob/pre-commit; chmod +x glob/pre-commit; cp -p glob/pre-commit g0
git init -q -b main g2; cd g2; rm -f ../ran
ikm hook install --global >/dev/null
ikm hook status >/dev/null
same 'post-commit pre-commit pre-commit.ikm-prev pre-merge-commit pre-push' "$(echo $(ls ../glob))"
git commit -q --allow-empty -m x; same global "$(cat ../ran)"
ikm hook uninstall --global >/dev/null
cmp ../g0 ../glob/pre-commit; same pre-commit "$(ls ../glob)"
same "$T/w/glob" "$(git config --global core.hooksPath)"
E

more 'linked worktrees, submodules and separate git folders' <<'E'
git init -q -b main lw; git -C lw commit -q --allow-empty -m x
git -C lw worktree add -q ../lw2
ikm -C lw2 hook install >/dev/null
[ -x lw/.git/hooks/pre-commit ]
ikm -C lw hook status >/dev/null
git init -q -b main --separate-git-dir=sep.git sep
ikm -C sep hook install >/dev/null
[ -x sep.git/hooks/pre-commit ]
ikm -C sep hook status >/dev/null
E

more 'a bare repository: pre-push only' <<'E'
git init -q --bare bare.git
same '["pre-push"]' "$(ikm -C bare.git hook install --json | jq -c '[.hooks[].name]')"
ikm -C bare.git hook status >/dev/null
fails 2 ikm -C bare.git hook install --hook pre-commit 2>said
grep -q 'bare repository' said
E

more 'outside a repository' <<'E'
fails 3 ikm hook install 2>said
grep -q 'not a Git repository' said
fails 3 ikm hook status 2>said
fails 3 ikm hook uninstall 2>said
E

more 'odd paths: blanks, quotes, line breaks, bytes that are not UTF-8; also of ikm itself' <<'E'
for name in "a b" "it's" 'a"b$(x)`y`\' "$(printf 'a\nb')" "$(printf 'a\377b')" '-x'; do
	mkdir -p "./$name/bin dir's"
	cp "$(command -v ikm)" "./$name/bin dir's/ikm"
	(
		repo "./$name/repo"
		cd "./$name/repo"
		"../bin dir's/ikm" hook install >/dev/null
		ikm hook status --json >../../got
		PATH=/usr/bin:/bin
		bad >a.c; git add a.c
		refused git commit -m x
		good >a.c; git add a.c
		passes git commit -m y
	)
	jq -e '[.hooks[].fires] == ["yes", "yes", "yes", "yes"]' got
	case $name in a\ b) jq -e '.hooks[0].program | endswith("/a b/bin dir'\''s/ikm")' got ;; esac
	rm -rf "./$name"
done
E

# ---- status ----

more 'status proves that git calls ikm, without running what is chained' <<'E'
git init -q -b main st; cd st
printf '#!/bin/sh\necho ran >../ran-chained\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
fails 1 ikm hook status >../said
grep -q 'another hook is there' ../said
ikm hook install >/dev/null
ikm hook status --json >../got
[ ! -e ../ran-chained ]
same '["yes","yes","yes","yes"]' "$(jq -c '[.hooks[].fires]' ../got)"
same "$(readlink -f "$(command -v ikm)")" "$(jq -r '.hooks[0].program' ../got)"
same "true $PWD/.git/hooks/pre-commit.ikm-prev" "$(jq -r '.hooks[0] | "\(.previousRuns) \(.previous)"' ../got)"
chmod -x .git/hooks/pre-push
fails 1 ikm hook status >../said
grep -q 'not executable' ../said
ikm hook install >/dev/null
ikm hook status >/dev/null
same true "$(IKM_HOOKS=0 ikm hook status --json | jq .skipped)"
rm .git/hooks/pre-commit
fails 1 ikm hook status >/dev/null
E

more 'status writes nothing' <<'E'
cd st
ikm hook install >/dev/null
snapshot . >../before; ikm hook status >/dev/null; snapshot . >../after
diff -u ../before ../after
E

# ---- ikm is missing ----

more 'ikm is missing: the commit stops, and it says what to do' <<'E'
mkdir bin; cp "$(command -v ikm)" bin/ikm
git init -q -b main gone; cd gone
printf '#!/bin/sh\necho ran >>../ran-gone\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
../bin/ikm hook install >/dev/null
rm ../bin/ikm
export PATH=/usr/bin:/bin
good >a.c; git add a.c
fails 1 git commit -qm x 2>../said
for words in 'ikm is not where it was' 'install it' 'IKM_HOOKS=0' 'git config ikm.hookMissing warn'; do
	grep -qF "$words" ../said
done
fails 1 "$BUILD/test/ikm" hook status >../said
grep -q '^  install it again' ../said
IKM_HOOKS=0 git commit -qm x 2>../said
grep -q 'IKM_HOOKS=0' ../said
git config ikm.hookMissing warn
good >b.c; git add b.c
git commit -qm y 2>../said
grep -q 'ikm: not found' ../said
same 2 "$(wc -l <../ran-gone)"
E

more 'ikm was moved: the one in PATH is used, and status says which' <<'E'
cd gone
git config --unset ikm.hookMissing
good >c.c; git add c.c; git commit -qm z
same "$(readlink -f "$(command -v ikm)")" "$(ikm hook status --json | jq -r '.hooks[0].program')"
same updated "$(ikm hook install --json | jq -r '.hooks[0].action')"
E

more 'a program named ikm in the repository is never run' <<'E'
cd gone
printf '#!/bin/sh\necho evil >../evil\n' >ikm; chmod +x ikm
cp "$(command -v ikm)" ../bin/ikm; ../bin/ikm hook install >/dev/null; rm ../bin/ikm
good >d.c; git add d.c
PATH=.:/usr/bin:/bin fails 1 git commit -qm x 2>../said
[ ! -e ../evil ]
E

more 'hook run: bad arguments' <<'E'
cd st
fails 2 ikm hook run 2>../said
fails 2 ikm hook run pre-rebase 2>../said; grep -q 'pre-push' ../said
echo "refs/heads/x" | fails 2 ikm hook run pre-push -- origin url 2>../said
grep -q 'no line of a pre-push' ../said
fails 2 ikm hook run pre-push </dev/null 2>../said
grep -q "remote's name" ../said
E
more 'the probe of status is no way around the judge' <<'E'
repo probed
cd probed
ikm hook install >/dev/null
bad >a.c
git add a.c
rc=0
IKM_HOOK_PROBE=x git commit -qm x >../said 2>&1 || rc=$?
[ $rc != 0 ]
grep -q 'IKM_HOOK_PROBE is set.*nothing was judged.*the commit was stopped' ../said
same '' "$(git log --format=%s | grep -x x)"
same '["yes","yes","yes","yes"]' "$(ikm hook status --json | jq -c '[.hooks[].fires]')"
E

done_testing
