#!/bin/sh
# ikm hook install --git-config: hooks in git's configuration. git before 2.54 does not run them. There a
# stand-in tells a new version and runs them as git's manual says; a new git is used as it is.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

REAL_GIT=$(command -v git)
export REAL_GIT T
mkdir "$T/new"
printf '#!/bin/sh\nexec sh "%s/t/git-config-hooks.sh" "$@"\n' "$TOP" >"$T/new/git"
chmod +x "$T/new/git"
new() (
	PATH=$T/new:$PATH
	"$@"
)

at() ( # VERSION cmd …
	export STANDIN_VERSION="$1"
	shift
	new "$@"
)

# Runs a hook as git would, with input and arguments.
as_git() { # HOOK [ARG…]
	sh "$TOP/t/git-config-hooks.sh" --run "$@"
}

commit() ( # what `git commit` does, as far as this hook goes
	export GIT_INDEX_FILE=.git/index
	as_git pre-commit </dev/null >"$T/said" 2>&1
)

stopped() { # by the decision, once
	fails 1 commit
	same 1 "$(grep -c 'the commit was stopped' "$T/said")"
	grep -q 'No forbidden calls' "$T/said"
}

try 'a git that runs no configured hooks is told, and what works instead' <<'E'
git init -q -b main r; cd r; decide .
cp .git/config ../before
for version in 2.53.9 '2.39.5 (Apple Git-154)' 1.99.0 unknown; do
	at "$version" fails_for GIT_UNSUPPORTED ikm hook install --git-config 2>../said
	grep -qF "git $version does not run hooks of its configuration; git 2.54 and newer do" ../said
	grep -q 'works with every git: ikm hook install$' ../said
done
cmp ../before .git/config
E

try 'install: two settings for each hook, no file; again: nothing to do' <<'E'
cd r
ls -A .git/hooks >../before
new ikm hook install --git-config --json >../got
same '["installed"] ["local"] hook.ikm-pre-commit' "$(jq -cr \
	'"\([.hooks[].action] | unique) \([.hooks[].configuration] | unique) \(.hooks[0].path)"' ../got)"
ls -A .git/hooks | diff -u ../before -
for hook in pre-commit pre-merge-commit pre-push post-commit; do
	same "$hook" "$(git config --get-all "hook.ikm-$hook.event")"
	git config "hook.ikm-$hook.command" | head -n 1 | grep -qx '#!/bin/sh'
done
same 8 "$(git config --get-regexp --name-only '^hook\.' | wc -l)"
cp .git/config ../before
for version in 2.54.0 2.55.GIT 2.60.0.windows.1 3.0.0; do
	at "$version" ikm hook install --git-config >../said
	grep -qx 'nothing to do' ../said
done
cmp ../before .git/config
E

try 'the command is clean for shellcheck' <<'E'
command -v shellcheck >/dev/null || exit 0
cd r
git config hook.ikm-pre-push.command >../command
shellcheck -s sh ../command
E

long 'it judges: commits, pushes with their arguments and input, and what is committed already' <<'E'
cd r
good >a.c; git add a.c; commit; same '' "$(cat "$T/said")"
bad >b.c; git add b.c; stopped
git commit -qm bad
as_git post-commit </dev/null >"$T/said" 2>&1
grep -q 'No forbidden calls\|forbidden' "$T/said"
git init -q --bare ../r.git; git remote add origin ../r.git
git push -q origin HEAD~1:refs/heads/main
echo "refs/heads/main $(git rev-parse HEAD) refs/heads/main $(git rev-parse HEAD~1)" >../line
fails 1 as_git pre-push origin ../r.git <../line >"$T/said" 2>&1
grep -q 'the push was stopped' "$T/said"
git reset -q --hard HEAD~1
E

long 'status: git runs it, and no hook of another tool' <<'E'
cd r
git config hook.other.command 'touch ../other-ran'; git config hook.other.event pre-commit
printf '#!/bin/sh\ntouch ../other-ran\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
new ikm hook status >../said
grep -q "^pre-commit: fires, runs .*, in git's local configuration" ../said
same '["yes"] ["local"]' "$(new ikm hook status --json |
	jq -cr '"\([.hooks[].fires] | unique) \([.hooks[].configured] | unique)"')"
[ ! -e ../other-ran ]
git config hook.a=b.event pre-commit; git config hook.a=b.command true
same unproven "$(new ikm hook status --json | jq -r '.hooks[0].fires')"
git config --remove-section hook.a=b
# It does run when git calls, and so does ikm.
bad >b.c; git add b.c; stopped
[ -e ../other-ran ]
git rm -qf --cached b.c
rm .git/hooks/pre-commit
E

more 'status: an old git, a switch that is off, a missing event' <<'E'
cd r
at 2.53.0 fails 1 ikm hook status >../said
grep -q 'the local configuration calls ikm, and git 2.53.0 does not run hooks of its configuration' ../said
for switch in ikm-pre-commit pre-commit; do
	git config hook.$switch.enabled no
	new fails 1 ikm hook status >../said
	grep -q "git does not run it while hook.$switch.enabled is false" ../said
	git config --unset hook.$switch.enabled
done
git config --unset hook.ikm-pre-push.event
new fails 1 ikm hook status --hook pre-push >../said
grep -q 'hook.ikm-pre-push.event is missing: ikm hook install --git-config' ../said
same updated "$(new ikm hook install --git-config --json | jq -r '.hooks[2].action')"
new ikm hook status >/dev/null
E

more 'the file calls ikm too: judged once, by the file' <<'E'
cd r
new ikm hook install >../said
bad >b.c; git add b.c; stopped
new ikm hook status >../said
grep -q "git's local configuration calls ikm too, and leaves it to the file" ../said
export IKM_HOOKS=0
commit; same 1 "$(grep -c 'nothing was judged' "$T/said")"
unset IKM_HOOKS
# A shim that was changed may not call ikm, and a file that git does not run judges nothing.
chmod -x .git/hooks/pre-commit; stopped; chmod +x .git/hooks/pre-commit
printf '#!/bin/sh\n# ikm-hook 1 pre-commit 0000000000000000\nexit 0\n' >.git/hooks/pre-commit
stopped
E

more 'uninstall: out of the files and the configuration, and nothing else' <<'E'
cd r
rm .git/hooks/pre-commit
new ikm hook uninstall --json >../got
same '["pre-commit absent file","pre-merge-commit removed file","pre-push removed file","post-commit removed file","pre-commit removed local","pre-merge-commit removed local","pre-push removed local","post-commit removed local"]' \
	"$(jq -c '[.hooks[] | "\(.name) \(.action) \(.configuration // "file")"]' ../got)"
same 'hook.other.command hook.other.event' "$(echo $(git config --get-regexp --name-only '^hook\.'))"
same 'false ["absent"]' "$(ikm hook uninstall --git-config --json |
	jq -cr '"\(.changed) \([.hooks[].action] | unique)"')"
E

more 'a command that was changed is left, unless forced' <<'E'
cd r
new ikm hook install --git-config --hook pre-push >/dev/null
git config hook.ikm-pre-push.command 'echo mine'
new fails_for EXISTS ikm hook install --git-config 2>../said
grep -q 'hook.ikm-pre-push.command was changed after ikm wrote it' ../said
same '' "$(git config hook.ikm-pre-commit.command || :)"
same unproven "$(new ikm hook status --hook pre-push --json | jq -r '.hooks[0].fires')"
fails 1 ikm hook uninstall --git-config >../said
grep -q 'pre-push: left.*' ../said
same 'echo mine' "$(git config hook.ikm-pre-push.command)"
same updated "$(new ikm hook install --git-config --force --hook pre-push --json | jq -r '.hooks[0].action')"
new ikm hook status --hook pre-push >/dev/null
git config hook.ikm-pre-push.command 'echo mine'
ikm hook uninstall --git-config --force >/dev/null
same '' "$(git config --get-regexp '^hook\.ikm' || :)"
E

more '--global: every repository, whatever core.hooksPath says' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig"
new ikm -C / hook install --git-config --global >said
grep -q "^pre-commit: installed, as hook.ikm-pre-commit in git's global configuration" said
fails 1 git config --global core.hooksPath
git init -q -b main g; cd g; decide .
mkdir ../elsewhere; git config core.hooksPath "$PWD/../elsewhere"
bad >b.c; git add b.c; stopped
new ikm hook status >../said; grep -q "in git's global configuration" ../said
new ikm hook status --global >/dev/null
ikm hook uninstall --git-config >/dev/null
new ikm hook status >/dev/null
ikm hook uninstall --global >/dev/null
same '' "$(git config --get-regexp '^hook\.' || :)"
E

more 'a manager that calls ikm already is left to it' <<'E'
git init -q managed; cd managed
mkdir -p .husky/_; git config core.hooksPath .husky/_
printf '#!/bin/sh\n' >.husky/_/pre-commit; chmod +x .husky/_/pre-commit
echo 'ikm hook run pre-commit' >.husky/pre-commit
same '["managed","installed","installed","installed"]' \
	"$(new ikm hook install --git-config --json | jq -c '[.hooks[].action]')"
E

more 'install offers it on a new git alone' <<'E'
git init -q offer; cd offer
new ikm hook install >../said; grep -q 'git (2.54.0) can also call ikm.*: ikm hook install --git-config' ../said
at 2.53.0 ikm hook install >../said
ikm hook uninstall >/dev/null
at 2.53.0 ikm hook install >../said
grep -q installed ../said
! grep -q -e --git-config ../said
E

more 'what does not go together' <<'E'
cd offer
for with in --server '--hook pre-receive'; do
	new fails_for BAD_ARGUMENT ikm hook install --git-config $with 2>../said
	grep -q 'pre-receive is a file in its repository' ../said
done
new fails_for BAD_ARGUMENT ikm hook install --git-config --agent claude 2>../said
grep -q -e '--git-config is about' ../said
cd /
new fails_for NO_REPOSITORY ikm hook install --git-config
E

more 'ikm is missing, was moved, or has an odd path' <<'E'
mkdir "b in's"; cp "$(command -v ikm)" "b in's/ikm"
git init -q -b main gone; cd gone; decide .
new "../b in's/ikm" hook install --git-config >/dev/null
bad >b.c; git add b.c; stopped
same yes "$(new "../b in's/ikm" hook status --json | jq -r '.hooks[0].fires')"
rm "../b in's/ikm"
stopped
PATH=/usr/bin:/bin
fails 1 commit
for words in 'ikm is not where it was' 'IKM_HOOKS=0' 'git config ikm.hookMissing warn'; do
	grep -qF "$words" "$T/said"
done
as_git post-commit </dev/null
(export IKM_HOOKS=0; commit); grep -q 'was skipped' "$T/said"
git config ikm.hookMissing warn; commit; grep -q 'not found' "$T/said"
E

case $(git version) in
'git version 2.'[0-9].* | 'git version 2.'[1-4]?.* | 'git version 2.5'[0-3].*)
	too_old 'a git that is new enough runs the hooks' 'git is older than 2.54' ;;
*)
	try 'a git that is new enough runs the hooks' <<'E'
git init -q -b main real; cd real; decide .
ikm hook install --git-config >/dev/null
ikm hook status >/dev/null
bad >b.c; git add b.c; refused git commit -m bad
good >b.c; git add b.c; passes git commit -m good
E
	;;
esac

done_testing
