#!/bin/sh
# commit-msg: in the garden a deletion, and a change of identity, needs the trailer Ikm-Rationale.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$HOME/.ikigai"
garden_is() { printf '{"garden.path": "%s"}\n' "$1" >"$HOME/.ikigai/config.json"; }
overview() { # USER: a new overview
	mkdir -p "$2users/$1"
	cat >"$2users/$1/overview.md" <<O
---
id: $1
schema: user-overview/v1
last_updated: 2026-01-31T12:00:00Z
---
# $1

## Identity
<!-- @anchor: identity v1 -->

- A person

## Change Log
<!-- @anchor: change_log v1 -->

- 2026-01-31T12:00:00Z: begun
O
}
stopped() { # MESSAGE [ARG...]: git commit is stopped by the hook, and HEAD stays
	was=$(git rev-parse HEAD)
	not git commit -qm "$@" 2>../err || return
	grep -q 'ikm: the commit was stopped' ../err || { cat ../err; return 1; }
	same "$was" "$(git rev-parse HEAD)"
}

git init -q -b main garden
cd garden || exit 1
garden_is "$PWD"
ikm hook install >../installed

try 'install puts commit-msg where the garden is, and status proves it' <<'E'
grep -q commit-msg ../installed
same 'ours yes' "$(ikm hook status --json | jq -r '.hooks[] | select(.name == "commit-msg") | "\(.state) \(.fires)"')"
E

overview ada ''
git add -A
git commit -qm 'ada begins' 2>../first || :

try 'a new file of the garden passes' <<'E'
cat ../first
grep -q '^# ikm-hook ' .git/hooks/commit-msg
same 'ada begins' "$(git log -1 --format=%s)"
E

long 'a deletion is stopped with what to add, and passes with it' <<'E'
git rm -q users/ada/overview.md
stopped gone
grep -q "garden-delete" ../err
grep -q "add a line 'Ikm-Rationale: WHY' to the end of the commit message" ../err
stopped 'gone

Ikm-Rationale:'
stopped 'gone

Ikm-Rationale: in the middle

And a last paragraph.'
stopped 'Ikm-Rationale: as the subject'
git commit -qm 'gone

Ikm-Rationale: ada asked for it' 2>../err
same gone "$(git log -1 --format=%s)"
git reset -q --hard HEAD~1
E

long 'a change of identity is stopped, and passes with a rationale; a rename is both' <<'E'
sed -i 's/^schema: .*/schema: user-overview\/v2/' users/ada/overview.md
git add -A
stopped identity
grep -q garden-identity ../err
git checkout -q HEAD -- .
sed -i 's/^id: .*/id: bob/' users/ada/overview.md
git add -A
stopped identity
same 1 "$(grep -c garden-identity ../err)"
grep -q '^1 change of the garden is not allowed' ../err
git checkout -q HEAD -- .
sed -i 's/^schema: .*/schema: user-overview\/v2/' users/ada/overview.md
git add -A
git commit -qm 'identity

Ikm-Rationale: the schema has a new version' 2>../err
git reset -q --hard HEAD~1
E

try 'the message in the editor: comments and the diff of -v do not count' <<'E'
git rm -q users/ada/overview.md
cat >../editor <<'S'
#!/bin/sh
{ printf 'gone\n\n# Ikm-Rationale: a comment\n'; cat "$1"; } >"$1.new" && mv "$1.new" "$1"
S
chmod +x ../editor
was=$(git rev-parse HEAD)
not env GIT_EDITOR=../editor git commit -q -v 2>../err
same "$was" "$(git rev-parse HEAD)"
cat >../editor <<'S'
#!/bin/sh
{ printf 'gone\n\nIkm-Rationale: meant\n'; cat "$1"; } >"$1.new" && mv "$1.new" "$1"
S
GIT_EDITOR=../editor git commit -q -v 2>../err
same gone "$(git log -1 --format=%s)"
git reset -q --hard HEAD~1
E

more 'an amend needs the rationale of what it replaces' <<'E'
echo z >base
git add base
git commit -qm base
sed -i 's/^schema: .*/schema: user-overview\/v2/' users/ada/overview.md
git commit -qam 'identity

Ikm-Rationale: the schema has a new version' 2>../err
not git commit -q --amend -m 'no trailer' 2>../err
same identity "$(git log -1 --format=%s)"
grep -q "garden-identity: 'schema'" ../err
grep -q 'judged as git commit --amend' ../err
git commit -q --amend -m 'another

Ikm-Rationale: the schema has a new version' 2>../err
same another "$(git log -1 --format=%s)"
git commit -q --amend --no-edit 2>../err
echo more >base
GIT_AUTHOR_DATE='2026-02-01T00:00:00Z' git commit -qam 'a new commit' 2>../err
same 'a new commit' "$(git log -1 --format=%s)"
git reset -q --hard HEAD~3
E

more 'the next step that is printed works' <<'E'
cat >../editor <<'S'
#!/bin/sh
{ sed -n 1p "$1"; printf '\nIkm-Rationale: meant\n'; sed 1d "$1"; } >"$1.new" && mv "$1.new" "$1"
S
chmod +x ../editor
cat >../titled <<'S'
#!/bin/sh
{ echo gone; cat "$1"; } >"$1.new" && mv "$1.new" "$1"
S
chmod +x ../titled
git rm -q users/ada/overview.md
not env GIT_EDITOR=../titled git commit -q -v 2>../err
eval "GIT_EDITOR=../editor $(sed -n 's/^ikm: the commit was stopped.*kept: git/git/p' ../err)" >/dev/null
same 'gone

Ikm-Rationale: meant' "$(git log -1 --format=%B)"
git reset -q --hard HEAD~1
rm users/ada/overview.md
stopped gone -a
grep -q 'run the same git commit again' ../err
eval "GIT_EDITOR=../editor git commit -a $(sed -n 's/^ *-v -e/-v -e/p' ../err)" >/dev/null
same meant "$(git log -1 --format='%(trailers:key=Ikm-Rationale,valueonly)' | head -1)"
git reset -q --hard HEAD~1
E

more 'git commit of a path judges that path, not what else is staged' <<'E'
echo x >other
git add other
git rm -q users/ada/overview.md
git commit -qm other other 2>../err
same 'D  users/ada/overview.md' "$(git status --porcelain)"
git reset -q --hard
E

more 'a merge brings what the other side has; what the merge itself deletes is stopped' <<'E'
git checkout -q -b side HEAD
overview ben ''
git add -A
git commit -qm 'ben begins'
git rm -q users/ada/overview.md
git commit -qm 'gone

Ikm-Rationale: meant'
git checkout -q main
echo y >third
git add third
git commit -qm third
git merge -q --no-edit side 2>../err
[ ! -e users/ada/overview.md ]
git reset -q --hard HEAD~1
git checkout -q -b more HEAD
overview cy ''
git add -A
git commit -qm 'cy begins' 2>../err
git checkout -q main
git merge -q --no-commit --no-ff more 2>../err
git rm -q users/ada/overview.md
stopped merged
grep -q '^users/ada/overview.md:.*garden-delete' ../err
not grep cy ../err
git merge --abort 2>/dev/null || git reset -q --hard
[ -e users/ada/overview.md ]
E

more 'IKM_HOOKS=0 skips it and says so' <<'E'
git rm -q users/ada/overview.md
IKM_HOOKS=0 git commit -qm gone 2>../err
grep -q 'IKM_HOOKS=0: commit-msg was skipped' ../err
git reset -q --hard HEAD~1
E

more 'a garden in a folder of a larger repository: only that folder counts' <<'E'
git init -q -b main ../larger
cd ../larger
mkdir people users
garden_is "$PWD/people"
overview ada people/
echo x >users/any
git add -A
git commit -qm start
ikm hook install >/dev/null
git rm -q users/any
git commit -qm 'not the garden'
git rm -q people/users/ada/overview.md
stopped gone
grep -q '^people/users/ada/overview.md:' ../err
E

more 'a commit in another working tree of the garden is judged' <<'E'
cd ../larger
git reset -q --hard
git worktree add -q ../linked 2>/dev/null
cd ../linked
git rm -q people/users/ada/overview.md
stopped gone
grep -q '^people/users/ada/overview.md:.*garden-delete' ../err
git reset -q --hard
echo y >other
git add other
git commit -qm 'not the garden' 2>../err
same 'not the garden' "$(git log -1 --format=%s)"
cd ../larger
ikm hook uninstall --hook commit-msg >/dev/null
garden_is "$T/w/linked/people"
ikm hook install >../out
grep -q commit-msg ../out
git rm -q people/users/ada/overview.md
stopped gone
git reset -q --hard
E

more 'without a garden nothing changes: no hook is installed, and a call passes' <<'E'
git init -q -b main ../plain
cd ../plain
garden_is "$T/w/garden"
ikm hook install >../out
not grep commit-msg ../out
[ ! -e .git/hooks/commit-msg ]
mkdir users
echo x >users/x
git add users
git commit -qm x
git rm -q users/x
echo gone >msg
ikm hook run commit-msg -- msg >../out 2>../err
[ ! -s ../err ]
fails_for BAD_ARGUMENT ikm hook install --global --hook commit-msg
E

more 'uninstall takes it away, though the garden is elsewhere now' <<'E'
ikm hook uninstall >../out
grep -q commit-msg ../out
[ ! -e .git/hooks/commit-msg ]
E
done_testing
