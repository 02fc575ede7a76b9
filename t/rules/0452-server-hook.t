#!/bin/sh
# ikm hook install --server: the hook pre-receive of a repository that receives pushes. Git runs it;
# t/rules/0451-receive.t has what it judges.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

git init -q -b main work
decide work
bad >work/bad.c; git -C work add .; git -C work commit -qm bad

receives() { # NAME: an empty bare repository
	rm -rf "$1"
	git init -q --bare -b main "$1"
}
push() { # NAME [refspec]: of the commit that breaks the rule
	git -C work push "../$1" "${2-main}" >said 2>&1
}
stopped() {
	fails 1 push "$@"
	grep -q 'remote: .*the push was stopped' said || { cat said; return 1; }
}

long 'install, status, uninstall: nothing of ours is left' <<'E'
receives s.git
fails 1 ikm hook status --server s.git >got
grep -q 'pre-receive: does not fire' got; grep -q 'not installed: ikm hook install --server' got
snapshot s.git/hooks | grep -v ' d ' >before
ikm hook install --server s.git --json >got
same "pre-receive installed $PWD/s.git/hooks" \
	"$(jq -r '"\(.hooks[0].name) \(.hooks[0].action) \(.directory)"' got)"
same 1 "$(jq '.hooks | length' got)"
same unchanged "$(cd s.git && ikm hook install --server --json | jq -r '.hooks[0].action')"
ikm -C s.git hook status --server | grep -q '^pre-receive: fires, runs /'
same yes "$(ikm hook status --server s.git --json | jq -r '.hooks[0].fires')"
stopped s.git
ikm hook uninstall --server s.git >/dev/null
snapshot s.git/hooks | grep -v ' d ' | diff -u before -
push s.git
E

long 'the shim is clean for shellcheck, and does not speak of IKM_HOOKS to those who push' <<'E'
receives s.git; ikm hook install --server s.git >/dev/null
! command -v shellcheck >/dev/null || shellcheck -s sh s.git/hooks/pre-receive
export IKM_HOOKS=0
stopped s.git
same false "$(ikm hook status --server s.git --json | jq .skipped)"
E

long 'the hook that was there runs first: with the lines, the quarantine and its own status' <<'E'
receives s.git
cat >s.git/hooks/pre-receive <<'H'
#!/bin/sh
{ echo "args $#"; cat; git cat-file -t "$(git rev-parse "$(cat ../tip)")"; pwd; } >../seen
[ -n "$GIT_QUARANTINE_PATH" ] || exit 9
[ ! -e ../refuse ] || { echo 'refused by theirs'; exit 3; }
H
chmod 750 s.git/hooks/pre-receive; cp -p s.git/hooks/pre-receive theirs
git -C work rev-parse main >tip
ikm hook install --server s.git >got
grep -q 'pre-receive.ikm-prev, and runs first' got
stopped s.git
z=0000000000000000000000000000000000000000
same "$(printf 'args 0\n%s %s refs/heads/main\ncommit\n%s' $z "$(cat tip)" "$PWD/s.git")" \
	"$(cat seen)"
same 0 "$(find s.git/objects -type f | wc -l)"
push s.git main~1:refs/heads/main
: >refuse
fails 1 push s.git
grep -q 'remote: refused by theirs' said
grep -q 'the hook from before ikm, stopped the push (exit status 3)' said
not grep -q forbidden said
rm refuse
ikm hook uninstall --server s.git >/dev/null
cmp theirs s.git/hooks/pre-receive; same 750 "$(stat -c %a s.git/hooks/pre-receive)"
E

long 'ikm is missing on the server: pushes stop and say what to do; or pass, when the server says so' <<'E'
receives s.git
cp "$BUILD/test/ikm" gone; ./gone hook install --server s.git >/dev/null; rm gone
mkdir -p bin
for tool in git sh cat; do ln -sf "$(command -v $tool)" bin/$tool; done
without() { PATH=$PWD/bin "$@"; }
fails 1 without push s.git
grep -q 'remote: ikm: the push was stopped: ikm is not where it was on the server' said
grep -q 'ikm.hookMissing warn, in the repository on the server' said
# Who pushes cannot say so.
fails 1 without git -C work -c ikm.hookMissing=warn push ../s.git main 2>said
git -C s.git config ikm.hookMissing warn
printf '#!/bin/sh\ncat >../seen\n' >s.git/hooks/pre-receive.ikm-prev
chmod +x s.git/hooks/pre-receive.ikm-prev; rm -f seen
without push s.git
grep -q 'remote: ikm: not found on the server, nothing was judged' said
grep -q refs/heads/main seen
E

long 'status knows an edited shim, another hook, and a killed install' <<'E'
receives s.git; ikm hook install --server s.git >/dev/null
echo 'exit 0' >>s.git/hooks/pre-receive
same 'edited unproven' "$(ikm hook status --server s.git --json | jq -r '.hooks[0] | "\(.state) \(.fires)"')"
fails_for EXISTS ikm hook install --server s.git 2>err
ikm hook install --server s.git --force >/dev/null; stopped s.git
mv s.git/hooks/pre-receive s.git/hooks/pre-receive.ikm-prev
fails 1 ikm hook status --server s.git >got
grep -q "an install was interrupted: run 'ikm hook install --server' again" got
rm s.git/hooks/*; printf '#!/bin/sh\nexit 0\n' >s.git/hooks/pre-receive
fails 1 ikm hook status --server s.git >got
grep -q "'ikm hook install --server' puts ikm in front of it" got
ikm hook install --server s.git >/dev/null
chmod -x s.git/hooks/pre-receive
fails 1 ikm hook status --server s.git >got
grep -q 'not executable' got
E

try 'a probe that is left in the environment stops the push' <<'E'
receives s.git; ikm hook install --server s.git >/dev/null
IKM_HOOK_PROBE=x
export IKM_HOOK_PROBE
fails 1 push s.git main~1:refs/heads/main
grep -q 'IKM_HOOK_PROBE is set' said
E

long 'a repository with a working tree receives too; managers of client hooks do not matter' <<'E'
rm -rf live; git clone -q -b main work live 2>/dev/null; cd live
git reset -q --hard HEAD~1
git config receive.denyCurrentBranch updateInstead
mkdir .husky; echo 'true' >.husky/pre-commit
ikm hook install --server >/dev/null
ikm hook status --server | grep -q 'pre-receive: fires'
cd ..
stopped live
same 1 "$(git -C live rev-list --count HEAD)"
git -C work push -q ../live main~1:refs/heads/other
E

try 'client hooks and the server hook do not touch each other' <<'E'
rm -rf both; git init -q both; cd both
ikm hook install >/dev/null; ikm hook install --server >/dev/null
ikm hook uninstall >/dev/null
same pre-receive "$(ls .git/hooks | grep -v '\.sample$')"
ikm hook install >/dev/null; ikm hook uninstall --server >/dev/null
[ ! -e .git/hooks/pre-receive ]; [ -x .git/hooks/pre-push ]
same pre-push "$(cd .. && receives p.git && ikm -C p.git hook install --json | jq -r '.hooks[].name')"
E

more 'hooks that every repository shares: refused, unless forced' <<'E'
receives s.git; mkdir shared
GIT_CONFIG_GLOBAL=$PWD/config; export GIT_CONFIG_GLOBAL
git config --global core.hooksPath "$PWD/shared"
fails_for HOOKS_ELSEWHERE ikm hook install --server s.git 2>err
ikm hook install --server s.git --force >/dev/null
[ -x shared/pre-receive ]
stopped s.git
E

more 'with hooks of --global: refused, and they pass on to the hook of the server' <<'E'
receives s.git; receives other.git
ikm hook install --server s.git >/dev/null
GIT_CONFIG_GLOBAL=$PWD/own.config; export GIT_CONFIG_GLOBAL
ikm hook install --global >/dev/null
fails_for HOOKS_ELSEWHERE ikm hook install --server other.git 2>err
fails_for HOOKS_ELSEWHERE ikm hook uninstall --server other.git 2>err
fails 1 git -C work push --no-verify ../s.git main >said 2>&1
grep -q 'remote: .*the push was stopped' said
git -C work push -q --no-verify ../other.git main
E

more 'words that do not go together' <<'E'
receives s.git
fails_for BAD_ARGUMENT ikm hook install --global --server 2>err
grep -q 'ikm hook install --server DIR' err
fails_for BAD_ARGUMENT ikm hook install --server s.git --hook pre-push 2>err
fails_for BAD_ARGUMENT ikm hook install s.git 2>err
grep -q 'DIR goes with --server' err
fails_for BAD_ARGUMENT ikm hook install --server --agent claude 2>err
fails_for BAD_ARGUMENT ikm -C s.git hook install --hook pre-commit 2>err
grep -q -e --server err
fails_for NO_REPOSITORY ikm hook install --server shared 2>err
ikm -C s.git hook install --hook pre-receive >/dev/null
stopped s.git
E
long 'an old history: the message names the way in, which works for the first push alone' <<'E'
receives s.git
ikm hook install --server s.git >/dev/null
stopped s.git
grep -q 'ikm hook install --server --accept-first' said
(cd s.git && ikm hook install --server --accept-first >/dev/null)
push s.git || { cat said; exit 1; }
grep -q 'the push is let in, because it is the first one' said
grep -q '1 blocking violation' said
not grep -q 'was stopped' said
# The whole tree was judged: the report counts its rules.
grep -q 'rules: 2 *$' said
# It was used up: neither a later push nor one into the emptied repository gets in.
git -C s.git update-ref -d refs/heads/main
stopped s.git
git -C work push -q ../s.git main~1:refs/heads/main
stopped s.git
(cd s.git && fails_for EXISTS ikm hook install --server --accept-first)
fails_for BAD_ARGUMENT ikm -C work hook install --accept-first
fails_for BAD_ARGUMENT ikm -C work hook install --agent claude --accept-first # it was ignored
E

long 'a first push that breaks nothing uses the mark up, too' <<'E'
receives s.git
ikm hook install --server --accept-first s.git >/dev/null
git -C work push -q ../s.git main~1:refs/heads/main
git -C s.git update-ref -d refs/heads/main
stopped s.git
E

done_testing
