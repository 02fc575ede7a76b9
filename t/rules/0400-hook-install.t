#!/bin/sh
# ikm hook install and uninstall, and the hooks of others. Git is the referee of what fires.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

kept() { # FILE: its type, mode, times and content
	stat -c '%F %a %Y %N' "$1"
	cksum <"$1"
}

# ---- install ----

try 'install: four hooks that git runs, and one result' <<'E'
git init -q -b main r; cd r
ikm hook install --json >../got
same '["pre-commit installed","pre-merge-commit installed","pre-push installed","post-commit installed"]' \
	"$(jq -c '[.hooks[] | .name + " " + .action]' ../got)"
same "true $PWD/.git/hooks" "$(jq -r '"\(.changed) \(.directory)"' ../got)"
for name in pre-commit pre-merge-commit pre-push post-commit; do
	[ -x .git/hooks/$name ]
	[ "$(wc -l <.git/hooks/$name)" -lt 30 ]
done
[ -z "$(ls -A .git/hooks | grep ikm-new || :)" ]
E

long 'without decisions: install and status say that the hooks have nothing to judge by' <<'E'
none="no knowledge is configured: in a repository with decisions run 'ikm init'; to begin a folder:"
none="$none ikm config set --repo knowledge.sources '{\"path\": \"docs/adr\"}'"
git init -q -b main none; cd none
grep -qxF "$none" <<X
$(ikm hook install)
X
same "$none" "$(ikm hook status --json | jq -r '.notes[]')"
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
printf -- '---\nstatus: accepted\n---\n# A\n' >docs/adr/0001-a.md
none='0 rules: every commit will pass; write the first: ikm know rule 0001-a --forbid-dependency NAME'
same "$none" "$(ikm hook install --json | jq -r '.notes[]')"
same "$none" "$(ikm hook status --json | jq -r '.notes[]')"
ikm know rule 0001-a --forbid-dependency NAME >/dev/null
same '[]' "$(ikm hook status --json | jq -c .notes)"
echo '{"check": {"garden": "g"}}' >.ikm/config.json
git add .ikm
same '[]' "$(ikm hook status --json | jq -c .notes)"
echo '{"knowledge": {"sources": [{"path": "gone"}]}}' >.ikm/config.json
ikm hook status | grep -q "^ikm cannot read the decisions: .*gone"
E

try 'the shim is clean for shellcheck' <<'E'
command -v shellcheck >/dev/null || exit 0
cd r
shellcheck -s sh .git/hooks/pre-commit .git/hooks/pre-push
E

try 'twice: nothing changes, and it says so' <<'E'
cd r
snapshot .git/hooks | grep -v ' d ' >../before
ikm hook install >../said
snapshot .git/hooks | grep -v ' d ' >../after
diff -u ../before ../after
grep -q 'nothing to do' ../said
same '["unchanged"]' "$(ikm hook install --json | jq -c '[.hooks[].action] | unique')"
E

try 'uninstall: nothing of ours is left; again: nothing to do' <<'E'
cd r
same '["removed"]' "$(ikm hook uninstall --json | jq -c '[.hooks[].action] | unique')"
same '' "$(ls .git/hooks | grep -v '\.sample$' || :)"
same 'false ["absent"]' \
	"$(ikm hook uninstall --json | jq -cr '"\(.changed) \([.hooks[].action] | unique)"')"
E

try '--hook: only that one' <<'E'
git init -q one; cd one
ikm hook install --hook pre-push >/dev/null
same pre-push "$(ls .git/hooks | grep -v '\.sample$')"
ikm hook status --hook pre-push >/dev/null
fails 1 ikm hook status >/dev/null
fails 2 ikm hook install --hook pre-rebase 2>../said
grep -q 'pre-merge-commit' ../said
E

more 'a killed or failed install: old state or new state, and again succeeds' <<'E'
git init -q faults; cd faults
printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-commit; chmod 750 .git/hooks/pre-commit
cp -p .git/hooks/pre-commit ../theirs
n=1
while [ $n -le 60 ]; do
	for fault in $n -$n; do
		rc=0
		IKM_FAULT=$fault ikm hook install >/dev/null 2>&1 || rc=$?
		[ -e .git/hooks/pre-commit ] || [ -e .git/hooks/pre-commit.ikm-prev ]
		if [ $rc = 0 ]; then break 2; fi
		case $fault in -*) ;; *) same '' "$(ls .git/hooks | grep ikm-new || :)" ;; esac
		ikm hook install >/dev/null
		ikm hook status >/dev/null
		ikm hook uninstall >/dev/null
		cmp ../theirs .git/hooks/pre-commit
		same 750 "$(stat -c %a .git/hooks/pre-commit)"
		same pre-commit "$(ls .git/hooks | grep -v '\.sample$')"
	done
	n=$((n + 1))
done
[ $n -gt 5 ]
[ $n -lt 60 ]
E

more 'an interrupted install can be taken back, too' <<'E'
cd faults; git config --unset core.x || :
ikm hook uninstall >/dev/null
mv .git/hooks/pre-commit .git/hooks/pre-commit.ikm-prev
fails 1 ikm hook status >../said
grep -q 'was interrupted' ../said
same restored "$(ikm hook uninstall --json | jq -r '.hooks[0].action')"
cmp ../theirs .git/hooks/pre-commit
E

# ---- the hook that was there ----

more 'an existing hook runs first, with arguments, input and environment' <<'E'
git init -q -b main old; git init -q --bare old.git; cd old
git remote add origin ../old.git; decide .
cat >.git/hooks/pre-push <<'H'
#!/bin/sh
{ echo "$# $1 $2"; env | grep '^SOME=\|^GIT_DIR=' | sort; pwd; cat; } >../seen
H
chmod 751 .git/hooks/pre-push
cat >.git/hooks/pre-commit <<'H'
#!/bin/sh
good 2>/dev/null >a.c || echo 'int allowed;' >a.c
git add a.c
H
chmod +x .git/hooks/pre-commit
kept .git/hooks/pre-push >../before
touch -d 2003-03-03 .git/hooks/pre-commit; ls -li .git/hooks/pre-commit >../inode
ikm hook install --json >../got
same true "$(jq '.hooks[2].previousRuns' ../got)"
same "$PWD/.git/hooks/pre-push.ikm-prev" "$(jq -r '.hooks[2].previous' ../got)"
# It is judged after it: what the old hook staged counts.
bad >a.c; git add a.c
passes git commit -m 'mended by the hook'
SOME='a  b' git push -q origin main HEAD:refs/heads/other
head=$(git rev-parse HEAD); z=0000000000000000000000000000000000000000
printf 'refs/heads/main %s refs/heads/main %s\nHEAD %s refs/heads/other %s\n' \
	$head $z $head $z >../want
sed -n '$d;p' ../seen >/dev/null
same "2 origin ../old.git" "$(head -n 1 ../seen)"
grep -q '^SOME=a  b$' ../seen
tail -n 2 ../seen | sort >../lines; sort ../want | diff -u - ../lines
E

more 'its exit status counts, and ikm does not judge then' <<'E'
cd old
ikm hook uninstall >/dev/null
printf '#!/bin/sh\necho theirs; exit 7\n' >.git/hooks/pre-push
ikm hook install >/dev/null
bad >b.c; git add .; git commit -qnm bad
fails 1 git push origin main >../said 2>&1
grep -q '^theirs' ../said
grep -q 'pre-push.ikm-prev, the hook from before ikm, stopped the push (exit status 7)' ../said
fails 1 grep -q 'No forbidden' ../said
printf '#!/bin/sh\nkill -TERM $$\n' >.git/hooks/pre-push.ikm-prev
fails 1 git push origin main >../said 2>&1
grep -q 'exit status 143' ../said
E

more 'uninstall puts back the same file: bytes, mode, times, link' <<'E'
git init -q back; cd back
printf '#!/bin/sh\nexit 0\n\0\377' >.git/hooks/pre-commit
chmod 4711 .git/hooks/pre-commit; touch -d 2002-02-02 .git/hooks/pre-commit
printf 'exit 0\n' >theirs.sh; chmod 755 theirs.sh
ln -s ../../theirs.sh .git/hooks/pre-push
for name in pre-commit pre-push; do kept .git/hooks/$name; done >../before
ikm hook install >/dev/null
[ -h .git/hooks/pre-push.ikm-prev ]; [ ! -h .git/hooks/pre-push ]
ikm hook install >/dev/null
same '["restored","removed","restored","removed"]' "$(ikm hook uninstall --json | jq -c '[.hooks[].action]')"
for name in pre-commit pre-push; do kept .git/hooks/$name; done >../after
diff -u ../before ../after
same 'exit 0' "$(cat theirs.sh)"
E

more 'a hook that git ignores, because it is not executable, is kept and not run' <<'E'
git init -q -b main ignored; cd ignored
printf '#!/bin/sh\necho ran >ran\nexit 1\n' >.git/hooks/pre-commit; chmod 644 .git/hooks/pre-commit
ikm hook install >../said
grep -q 'not executable' ../said
good >a.c; git add a.c; git commit -qm x
[ ! -e ran ]
ikm hook uninstall >/dev/null
same 644 "$(stat -c %a .git/hooks/pre-commit)"
E

more 'an old hook without a #! line runs, as git runs it' <<'E'
git init -q -b main plain; cd plain
echo 'echo ran >ran' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
good >a.c; git add a.c; git commit -qm x
same ran "$(cat ran)"
E

more 'an old hook can still ask at the terminal' <<'E'
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
git init -q -b main asks; cd asks
printf '#!/bin/sh\nread answer </dev/tty && [ "$answer" = yes ]\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
echo yes | script -qec 'git commit -q --allow-empty -m x' /dev/null
rc=0
echo no | script -qec 'git commit -q --allow-empty -m y' /dev/null || rc=$?
[ "$rc" != 0 ]
same 1 "$(git rev-list --count HEAD)"
E

more 'IKM_HOOKS=0 skips ikm and says so; the old hook still runs' <<'E'
cd plain; rm ran; decide .
bad >b.c; git add b.c
IKM_HOOKS=0 git commit -qm x 2>../said
same 'ikm: IKM_HOOKS=0: pre-commit was skipped, nothing was judged' "$(cat ../said)"
same ran "$(cat ran)"
E

# ---- what is not ours ----

more 'an edited shim is named and left, unless forced' <<'E'
git init -q edited; cd edited
ikm hook install >/dev/null
echo 'echo mine' >>.git/hooks/pre-commit; cp .git/hooks/pre-commit ../mine
fails 4 ikm hook install 2>../said
grep -q "pre-commit' was changed after ikm wrote it" ../said
cmp ../mine .git/hooks/pre-commit
fails 1 ikm hook uninstall --json >../got
same '["left","removed","removed","removed"]' "$(jq -c '[.hooks[].action]' ../got)"
cmp ../mine .git/hooks/pre-commit
same 'edited unproven' "$(ikm hook status --hook pre-commit --json | jq -r '.hooks[0] | "\(.state) \(.fires)"')"
same updated "$(ikm hook install --force --json | jq -r '.hooks[0].action')"
! grep -q mine .git/hooks/pre-commit
E

more 'another tool took the place: neither is lost' <<'E'
git init -q taken; cd taken
printf '#!/bin/sh\necho first\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
printf '#!/bin/sh\necho second\n' >.git/hooks/pre-commit
fails 4 ikm hook install 2>../said
grep -q 'was replaced by another hook' ../said
fails 1 ikm hook uninstall --json >../got
same left "$(jq -r '.hooks[0].action' ../got)"
grep -q second .git/hooks/pre-commit; grep -q first .git/hooks/pre-commit.ikm-prev
fails 1 ikm hook status >/dev/null
ikm hook install --force >/dev/null
grep -q second .git/hooks/pre-commit.ikm-prev; grep -q first .git/hooks/pre-commit.ikm-prev-1
E

more 'a hook of theirs is never removed' <<'E'
git init -q foreigner; cd foreigner
printf '#!/bin/sh\necho theirs\n' >.git/hooks/pre-commit
same absent "$(ikm hook uninstall --force --json | jq -r '.hooks[0].action')"
grep -q theirs .git/hooks/pre-commit
mkdir .git/hooks/pre-push
fails 2 ikm hook install 2>../said
grep -q 'is a folder' ../said
E

more 'husky, lefthook and pre-commit: what to add, exactly' <<'E'
for by in husky lefthook pre-commit; do
	git init -q $by; cd $by
	case $by in
	husky) mkdir -p .husky/_; git config core.hooksPath .husky/_
		printf '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n' >.husky/_/pre-commit
		chmod +x .husky/_/pre-commit ;;
	lefthook) echo 'pre-commit: {commands: {x: {run: "true"}}}' >lefthook.yml ;;
	pre-commit) printf 'repos:\n' >.pre-commit-config.yaml ;;
	esac
	snapshot . >../before
	fails 5 ikm hook install 2>../said.$by
	snapshot . >../after
	diff -u ../before ../after
	same "HOOKS_ELSEWHERE $by" "$(ikm hook install --json 2>/dev/null |
		jq -r '.details | "\(.reason) \(.manager)"')"
	same $by "$(ikm hook status --json 2>/dev/null | jq -r .manager || :)"
	ikm hook install --json 2>/dev/null | jq -j .details.lines >../lines.$by || :
	cd ..
done
cd husky; sh -e ../lines.husky
same 'ikm hook run pre-push -- "$@"' "$(tail -n 1 .husky/pre-push)"
# Without ikm the line explains itself.
mkdir ../no-ikm; ln -s "$(command -v sh)" ../no-ikm/sh
fails 1 env PATH="$T/w/no-ikm" sh -e .husky/pre-push 2>../said
same 'ikm: not found; install it (its README says how), or skip this once: --no-verify' "$(cat ../said)"
# husky 9 writes files for all hooks; post-commit may lack ikm, as with every manager.
for name in pre-merge-commit pre-push post-commit; do cp -p .husky/_/pre-commit .husky/_/$name; done
optional="optional: 'ikm hook install --hook post-commit' prints the lines to add"
ikm hook install >../said; grep -q 'husky calls ikm already' ../said
grep -A 1 '^post-commit: left' ../said | grep -qxF "  $optional"
same '["managed","managed","managed","other"] ["unproven","unproven","unproven","no"]' \
	"$(ikm hook status --json | jq -cr '"\([.hooks[].state]) \([.hooks[].fires])"')"
ikm hook status | grep -A 1 '^post-commit: does not fire' | grep -qxF "  $optional"
rm .husky/_/post-commit; ikm hook status | grep -qxF "  $optional"
ikm hook install --hook post-commit --json 2>/dev/null | jq -j .details.lines >../lines.after || :
sh -e ../lines.after; cp -p .husky/_/pre-push .husky/_/post-commit
ikm hook status >../said; not grep -e optional -e 'does not fire' ../said
cd ../lefthook; cat ../lines.lefthook >lefthook.yml
for name in pre-commit pre-merge-commit pre-push; do
	printf '#!/bin/sh\ncall_lefthook run %s "$@"\n' $name >.git/hooks/$name
	chmod +x .git/hooks/$name
done
ikm hook install >../said; grep -q 'lefthook calls ikm already' ../said
cd ../pre-commit; cat ../lines.pre-commit >>.pre-commit-config.yaml
for name in pre-commit pre-merge-commit pre-push; do
	printf '#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n' >.git/hooks/$name
	chmod +x .git/hooks/$name
done
same '[pre-commit, pre-merge-commit]
[pre-push]' "$(sed -n 's/^ *stages: //p' ../lines.pre-commit)"
ikm hook install >../said; grep -q 'pre-commit calls ikm already' ../said
rm .git/hooks/pre-*
ikm hook install --force >/dev/null
E

# A row: the manager, its configuration, what that has, what its hooks have, a line to add, what
# follows. The guides:
# https://github.com/toplenboren/simple-git-hooks#readme
# https://prek.j178.dev/local-hooks/
# https://github.com/sds/overcommit#adding-existing-git-hooks
# https://github.com/captainhook-git/captainhook#configuration
# https://github.com/cachix/git-hooks.nix#custom-hooks
# https://hk.jdx.dev/configuration.html
# https://lefthook.dev/configuration/use_stdin.html
# https://lefthook.dev/configuration/#config-file-name
# https://typicode.github.io/husky/how-to.html
# https://www.npmjs.com/package/husky/v/4.3.8
# https://pre-commit.com/#repository-local-hooks
cat >"$T/managers" <<'E'
simple-git-hooks|package.json|{"simple-git-hooks": {"pre-commit": "true"}}|SKIP_SIMPLE_GIT_HOOKS|"pre-push": "ikm hook run pre-push -- \"$@\"",|npx simple-git-hooks
simple-git-hooks|.simple-git-hooks.json|{"pre-commit": "true"}|SKIP_SIMPLE_GIT_HOOKS|"pre-commit": "ikm hook run pre-commit",|npx simple-git-hooks
prek|prek.toml|repos = []|# File generated by prek: https://github.com/j178/prek|stages = ["pre-merge-commit"]|prek install --hook-type pre-commit --hook-type pre-merge-commit --hook-type pre-push
prek|.pre-commit-config.yml|repos: []|# File generated by prek: https://github.com/j178/prek|        stages: [pre-commit, pre-merge-commit]|prek install --hook-type pre-commit
overcommit|.overcommit.yml|x: 1|# Entrypoint for Overcommit hook integration. Installing it|    command: ['ikm', 'hook', 'run', 'pre-push', '--']|overcommit --install && overcommit --sign
captainhook|composer.json|{"extra": {"captainhook": {"config": "./composer.json"}}}|# installed by CaptainHook 5.0|"pre-commit": {"enabled": true, "actions": [{"action": "ikm hook run pre-commit"}]},|vendor/bin/captainhook install
husky 4|package.json|{"husky": {"hooks": {"pre-commit": "true"}}}|# Hook created by Husky v4.3.8 (https://github.com/typicode/husky#readme)|"pre-push": "echo \"$HUSKY_GIT_STDIN\" \| ikm hook run pre-push -- $HUSKY_GIT_PARAMS",|npm rebuild husky
husky 4|.huskyrc|{"hooks": {}}|# Hook created by Husky v4.3.8 (https://github.com/typicode/husky#readme)|"pre-commit": "ikm hook run pre-commit",|npm rebuild husky
husky 4|.huskyrc.yml|hooks: {}|# Hook created by Husky v4.3.8 (https://github.com/typicode/husky#readme)|"pre-commit": "ikm hook run pre-commit",|these lines are JSON: write the same in the language of .huskyrc.yml
husky 4|husky.config.js|module.exports = {}|# Hook created by Husky v4.3.8 (https://github.com/typicode/husky#readme)|"pre-commit": "ikm hook run pre-commit",|npm rebuild husky
captainhook|captainhook.json|{}|# installed by CaptainHook 5.0|"pre-push": {"enabled": true, "actions": [{"action": "printf '%s' {$STDIN} \| ikm hook run pre-push -- {$ARG\|value-of:target}"}]},|vendor/bin/captainhook install
git-hooks.nix|flake.nix|inputs.git-hooks.url = "github:cachix/git-hooks.nix";|# File generated by pre-commit: https://pre-commit.com|    entry = "ikm hook run pre-push";|nix develop
git-hooks.nix|devenv.nix|git-hooks.hooks = {};|# File generated by prek: https://github.com/j178/prek|    stages = [ "pre-commit" ];|nix develop
hk|.config/hk.local.pkl|amends "x"|exec hk run pre-commit "$@"|["pre-commit"] { steps { ["ikm"] { check = "ikm hook run pre-commit" } } }|hk install
hk|hk.toml|x = 1|exec hk run pre-commit "$@"|["pre-commit"] { steps { ["ikm"] { check = "ikm hook run pre-commit" } } }|these lines are Pkl: write the same in the language of hk.toml
overcommit|.local-overcommit.yml|x: 1|# Entrypoint for Overcommit hook integration. Installing it|    command: ['ikm', 'hook', 'run', 'pre-push', '--']|overcommit --install
hk|hk.pkl|amends "x"|exec hk run pre-commit "$@"|["pre-commit"] { steps { ["ikm"] { check = "ikm hook run pre-commit" } } }|hk install
lefthook|lefthook.json|{}|call_lefthook run|      use_stdin: true|these lines are YAML: write the same in the language of lefthook.json
lefthook|.lefthook.jsonc|{}|call_lefthook run|      use_stdin: true|lefthook install
lefthook|.config/lefthook.toml|x = 1|call_lefthook run|      use_stdin: true|lefthook install
lefthook|lefthook-local.yml|x: 1|call_lefthook run|      use_stdin: true|lefthook install
lefthook|.lefthook-local.json|{}|call_lefthook run|      use_stdin: true|lefthook install
lefthook|.config/lefthook-local.yaml|x: 1|call_lefthook run|      use_stdin: true|lefthook install
husky|.husky/x|true|husky|echo 'ikm hook run pre-commit' >>.husky/pre-commit|or install ikm
pre-commit|.pre-commit-config.yaml|repos: []|# File generated by pre-commit: https://pre-commit.com|        entry: ikm hook run pre-push|pre-commit install --hook-type
E

more 'every manager of hooks is known by its configuration and by its hooks, and told how to call ikm' <<'E'
n=0
while IFS= read -r row; do
	n=$((n + 1))
	set -f; IFS='|'; set -- $(printf %s "$row" | sed 's/\\|/\x01/g'); unset IFS; set +f
	line=$(printf %s "$5" | tr '\001' '|')
	git init -q "by-$n"; cd "by-$n"
	mkdir -p "$(dirname "$2")"; echo "$3" >"$2"
	# By its configuration alone, and with its hook, which stays.
	for hook in no yes; do
		[ $hook = no ] || { printf '#!/bin/sh\n%s\n' "$4" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; }
		[ "$2$hook" != .pre-commit-config.ymlno ] || continue
		fails 5 ikm hook install 2>../said
		grep -qF "ikm: $1 manages the hooks of this repository; " ../said
		grep -qxF -- "$line" ../said || { echo "no line: $line"; cat ../said; exit 1; }
		grep -qF -- "$6" ../said
		[ ! -e .git/ikm-hooks ]
		same "$1" "$(ikm hook status --json 2>/dev/null | jq -r .manager || :)"
	done
	grep -qF "$4" .git/hooks/pre-commit
	cd ..
done <"$T/managers"
[ $n -gt 11 ]
# These lines are real JSON and TOML.
lines() { (cd "$1"; ikm hook install --json 2>/dev/null | jq -j .details.lines); }
{ echo '{"simple-git-hooks": {'; lines by-1; echo '"x": 1}}'; } | jq -e '."simple-git-hooks" | length == 4'
{ echo '{'; lines by-6; echo '"x": 1}'; } | jq -e '."pre-push".actions | length == 1'
{ echo '{'; lines by-7; echo '"x": 1}'; } | jq -e '."pre-push" | startswith("echo")'
lines by-3 >../w/l.toml; python3 -c 'import tomllib; assert len(tomllib.load(open("l.toml", "rb"))["repos"][0]["hooks"]) == 3'
E

# https://lefthook.dev/configuration/, https://lefthook.dev/usage/features/local.html,
# https://hk.jdx.dev/configuration.html and https://prek.j178.dev/configuration/
more 'a call of ikm counts in the first file that the manager reads, and in the first that it merges' <<'E'
git init -q merged; cd merged; echo 'x: 1' >lefthook.yml
printf '#!/bin/sh\ncall_lefthook run pre-commit\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
fails 1 ikm hook status --hook pre-commit >../said
cat ../lines.lefthook >lefthook-local.yml
ikm hook status --hook pre-commit | grep -q 'lefthook should call ikm, according to lefthook-local.yml'
fails 5 ikm hook install --hook post-commit 2>../said; grep -q 'add this to lefthook.yml' ../said
mv lefthook-local.yml .config-local
# Of two main files, and of two local ones, lefthook reads one.
for second in lefthook.yaml .lefthook.yml .config/lefthook.toml lefthook.json; do
	mkdir -p .config; cp ../lines.lefthook $second
	fails 5 ikm hook install --hook pre-commit 2>../said; grep -q 'add this to lefthook.yml' ../said
	rm $second
done
cp .config-local .lefthook-local.yml
ikm hook status --hook pre-commit | grep -q 'according to .lefthook-local.yml'
echo 'x: 1' >lefthook-local.yml; fails 1 ikm hook status --hook pre-commit >../said
# An ending of YAML goes before others, whatever the name.
rm lefthook.yml lefthook-local.yml .lefthook-local.yml; echo 'x = 1' >lefthook.toml; cp .config-local .lefthook.yml
ikm hook status --hook pre-commit | grep -q 'according to .lefthook.yml'
git init -q ../first-hk; cd ../first-hk; echo 'amends "x"' >hk.pkl; mkdir .config
printf '#!/bin/sh\nexec hk run pre-commit "$@"\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
echo 'check = "ikm hook run pre-commit"' >.config/hk.pkl
fails 5 ikm hook install --hook pre-commit 2>../said; grep -q 'add this to hk.pkl' ../said
mv .config/hk.pkl hk.local.pkl
ikm hook install --hook pre-commit | grep -q 'hk calls ikm already, according to hk.local.pkl'
git init -q ../first; cd ../first; echo 'repos = []' >prek.toml
{ echo repos:; cat ../lines.pre-commit; } >.pre-commit-config.yml
fails 5 ikm hook install 2>../said; grep -q 'prek manages .* add this to prek.toml' ../said
# composer.json names captainhook's file: https://github.com/captainhook-git/hook-installer
git init -q ../named; cd ../named; mkdir tools; echo '{}' >captainhook.json
echo '{"extra": {"captainhook": {"config": "./tools/ch.json"}}}' >composer.json
printf '#!/bin/sh\n# installed by CaptainHook 5.0\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
echo '{}' >tools/ch.json
fails 5 ikm hook install 2>../said; grep -q 'captainhook manages .* add this to tools/ch.json' ../said
echo '"ikm hook run pre-commit"' >tools/ch.json
ikm hook install --hook pre-commit | grep -q 'captainhook calls ikm already, according to tools/ch.json'
E

# https://typicode.github.io/husky/v8: core.hooksPath is .husky, so git runs the files themselves.
more 'husky 8: the printed lines make files that git runs, and one without its mode is named' <<'E'
git init -q -b main husky8; git init -q --bare husky8.git; cd husky8; decide .
mkdir -p .husky/_; printf 'true\n' >.husky/_/husky.sh; git config core.hooksPath .husky
printf '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\ntrue\n' >.husky/pre-commit; chmod +x .husky/pre-commit
ikm hook install --json 2>/dev/null | jq -j .details.lines >../lines || :
sh -e ../lines
ikm hook status >../said
same 3 "$(grep -c ': not proven' ../said)"
bad >a.c; git add a.c; refused git commit -qm bad
git commit -qnm bad; fails 1 git push -q ../husky8.git main 2>../said; grep -q 'was stopped' ../said
chmod -x .husky/pre-push
fails 1 ikm hook status >../said
grep -qF "husky should call ikm, according to .husky, but git ignores a hook that is not executable: chmod +x $PWD/.husky/pre-push" ../said
not grep 'npx husky' ../said
E

more 'managers that cannot run a hook: ikm goes beside them' <<'E'
git init -q beside; cd beside
printf 'PreCommit:\n  Ikm: {command: ["ikm", "hook", "run", "pre-commit"]}\n' >.overcommit.yml
fails 5 ikm hook install 2>../said
grep -qF 'beside overcommit, which cannot call ikm there: ikm hook install --hook pre-merge-commit' ../said
ikm hook install --hook pre-merge-commit
grep -q 'ikm-hook 1 pre-merge-commit' .git/hooks/pre-merge-commit
[ ! -e .git/hooks/pre-commit ]
E

# https://github.com/yyx990803/yorkie#readme and https://github.com/rhysd/cargo-husky#readme: both
# leave a hook that is not theirs.
more 'yorkie and cargo-husky leave hooks of others in place, so ikm goes in front' <<'E'
git init -q front; cd front
echo '{"gitHooks": {"pre-commit": "true"}}' >package.json
printf '#!/bin/sh\n#yorkie 2.0.0\necho theirs >>ran\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
fails 1 ikm hook status >../said; grep -q "another hook is there; 'ikm hook install' puts ikm in front" ../said
ikm hook install >../said
grep -q 'the earlier hook is kept' ../said
git commit -q --allow-empty -m x; grep -q theirs ran
git init -q cargo; cd cargo
printf '[dev-dependencies]\ncargo-husky = "1"\n' >Cargo.toml
printf '#!/bin/sh\n#\n# This hook was set by cargo-husky v1.5.0: x\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
ikm hook install >../said; grep -q 'pre-push: installed' ../said
# The key of cargo-husky stands in the file of a member: its hook has husky's name in its own.
git init -q ../member; cd ../member
printf '#!/bin/sh\n#\n# This hook was set by cargo-husky v1.5.0: x\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
ikm hook install >../said; not grep -q '>>.husky' ../said
# A hook that only mentions a word is its owner's.
git init -q ../word; cd ../word
printf '#!/bin/sh\n# do not overcommit memory\nexit 0\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >../said; grep -q 'pre-commit: installed' ../said
E

# https://github.com/j178/prek/issues/2654: prek runs what ikm printed for pre-commit.
more 'a hook of prek that calls ikm is not called one that does not fire' <<'E'
git init -q prek; cd prek
{ echo repos:; printf '  - repo: local\n    hooks:\n      - id: ikm-check\n        entry: ikm hook run pre-commit\n      - id: ikm-push\n'; } >.pre-commit-config.yaml
for name in pre-commit pre-merge-commit pre-push; do
	printf '#!/bin/sh\n# File generated by prek: https://github.com/j178/prek\n' >.git/hooks/$name
	chmod +x .git/hooks/$name
done
ikm hook status --hook pre-commit --hook pre-merge-commit --hook pre-push >../said
same 3 "$(grep -c ': not proven' ../said)"
not grep -e 'pre-commit install' -e 'does not fire' ../said
ikm hook status | grep -q '^  optional: '
rm .git/hooks/pre-push
fails 1 ikm hook status >../said
grep -q "run 'prek install --hook-type pre-push'" ../said
E

long 'a clone that has lost hooks of ikm is told so by check and by the hooks that are left' <<'E'
git init -q -b main lost; cd lost; git init -q --bare ../lost.git; git remote add origin ../lost.git
mkdir -p .knowledge/adrs; printf -- '---\nstatus: accepted\n---\n# A\n' >.knowledge/adrs/1.md
git add .; git commit -qm a
ikm check >../said; not grep hooks ../said
ikm hook install >/dev/null; ikm check >../said; not grep hooks ../said
# simple-git-hooks writes its own and deletes all others.
echo '{"simple-git-hooks": {"pre-commit": "true"}}' >package.json
printf '#!/bin/sh\ntrue' >.git/hooks/pre-commit; rm .git/hooks/pre-push .git/hooks/p*-*-commit .git/hooks/post-commit
told="this clone had ikm's hooks, and Git does not call ikm any more for pre-commit, pre-merge-commit, pre-push, since simple-git-hooks is here: run 'ikm hook install'"
for how in '' --staged --all '--range HEAD..HEAD' package.json; do
	ikm check $how >../said
	grep -qF "$told" ../said || { echo "$how"; cat ../said; exit 1; }
done
ikm check --json | jq -e '.notes[] | select(.file == "hooks")' >/dev/null
# It is no finding, and stops nothing. Where the loss is meant, it can be said.
ikm hook uninstall >/dev/null
ikm check >../said; not grep hooks ../said
# A hook that is left tells it too; another program that calls ikm is no loss.
rm package.json; ikm hook install >/dev/null; rm .git/hooks/pre-commit
git push origin main 2>../said; grep -q 'does not call ikm any more for pre-commit: run' ../said
cat >package.json <<'J'
{"simple-git-hooks": {"pre-commit": "ikm hook run pre-commit"}}
J
printf '#!/bin/sh\n# SKIP_SIMPLE_GIT_HOOKS\nikm hook run pre-commit' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm check >../said; not grep 'hooks:' ../said
E

# https://pre-commit.com/#running-in-migration-mode and https://prek.j178.dev/cli/#prek-install
long 'ikm before pre-commit and prek: both move its hook to NAME.legacy and run it, so it fires' <<'E'
for by in pre-commit prek; do
	git init -q -b main moved-$by; cd moved-$by; ikm hook install >/dev/null
	echo 'repos: []' >.pre-commit-config.yaml
	mv .git/hooks/pre-commit .git/hooks/pre-commit.legacy
	printf '#!/bin/sh\n# File generated by %s: x\n' $by >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
	ikm hook status >../said
	grep -q "$by should call ikm, according to .*/pre-commit.legacy; ikm does not run it" ../said
	same 'managed unproven' "$(ikm hook status --hook pre-commit --json | jq -r '.hooks[] | "\(.state) \(.fires)"')"
	ikm check >../said; not grep hooks ../said
	ikm hook install >../said; grep -q "$by calls ikm already, according to .*/pre-commit.legacy" ../said
	# install -f of both deletes it.
	mv .git/hooks/pre-commit.legacy ../legacy
	ikm check | grep -q "does not call ikm any more for pre-commit, since $by is here"
	mv ../legacy .git/hooks/pre-commit.legacy
	mv .pre-commit-config.yaml ../no-config
	ikm hook install >../said; not grep null ../said
	mv ../no-config .pre-commit-config.yaml
	# The hook from before ikm stood beside the hook that moved.
	echo true >.git/hooks/pre-commit.ikm-prev
	ikm hook status | grep -q 'it does not run the earlier hook .*/pre-commit.ikm-prev$'
	rm .git/hooks/pre-commit.ikm-prev
	# Without its mode, or changed, it does not count.
	chmod -x .git/hooks/pre-commit.legacy; fails 1 ikm hook status >../said
	chmod +x .git/hooks/pre-commit.legacy; echo true >>.git/hooks/pre-commit.legacy
	fails 1 ikm hook status >../said; grep -q "$by wrote it, and does not call ikm" ../said
	sed -i '$d' .git/hooks/pre-commit.legacy; ikm hook status >/dev/null
	cp -p .git/hooks/pre-commit.legacy ../legacy
	same removed "$(ikm hook uninstall --json | jq -r '.hooks[0].action')"
	same pre-commit "$(ls .git/hooks | grep -v '\.sample$')"
	# The manager runs the hook from before ikm, as if ikm had never been there.
	cp -p ../legacy .git/hooks/pre-commit.legacy; echo true >.git/hooks/pre-commit.ikm-prev
	ikm hook uninstall >../said; grep -q '^pre-commit: restored' ../said
	grep -q "$by runs the earlier hook, as '.*/pre-commit.legacy'" ../said
	same true "$(cat .git/hooks/pre-commit.legacy)"; [ ! -e .git/hooks/pre-commit.ikm-prev ]
	ikm hook uninstall >../said; not grep -e left -e restored ../said
	# A hook that runs no other one.
	cp -p ../legacy .git/hooks/pre-commit.legacy; echo true >.git/hooks/pre-commit.ikm-prev
	printf '#!/bin/sh\n' >.git/hooks/pre-commit
	fails 1 ikm hook uninstall >../said; not grep 'runs first' ../said
	grep -q "kept as '.*/pre-commit.ikm-prev', and does not run: remove" ../said
	cd ..
done
E

long 'doctor finds a lost hook: elsewhere, gone, not executable, overwritten' <<'E'
git init -q -b main ill; cd ill; ikm hook install >/dev/null
ikm init --home-only >/dev/null 2>&1
found() { # WHICH
	fails 1 ikm doctor >../said
	grep -q "^problem: this clone had ikm's hooks, and Git does not call ikm any more for $1: run 'ikm hook install'" ../said
	jq -e '.findings[] | select(.area == "hooks" and .level == "problem")' >/dev/null <<X
$(ikm doctor --json)
X
}
all=pre-commit,.pre-merge-commit,.pre-push,.post-commit
ikm doctor >../said
for at in /dev/null "$PWD/elsewhere"; do
	git config core.hooksPath "$at"; found $all
done
git config --unset core.hooksPath; ikm doctor
chmod -x .git/hooks/pre-push; found pre-push
ikm hook install >/dev/null; ikm doctor
rm .git/hooks/pre-commit; found pre-commit
echo true >.git/hooks/pre-commit; found pre-commit
ikm hook install >/dev/null 2>&1; ikm doctor
rm -r .git/hooks; found $all
ikm hook uninstall >/dev/null; ikm doctor
E

more 'a relative core.hooksPath in the working tree: install says that its files are committed' <<'E'
git init -q tracked; cd tracked; git config core.hooksPath .githooks
ikm hook install >../said
grep -qF "core.hooksPath is '.githooks', a folder of the working tree: these files are part of your commits" ../said
ikm hook uninstall >/dev/null
echo .githooks >.gitignore; ikm hook install >../said; not grep 'part of your commits' ../said
E

more 'a manager that is configured and not installed in this clone does not fire' <<'E'
for by in husky lefthook pre-commit; do
	git init -q clone-$by; cd clone-$by
	case $by in
	husky) mkdir .husky; sh -e ../lines.husky; run='npx husky' ;;
	lefthook) cat ../lines.lefthook >lefthook.yml; run='lefthook install' ;;
	pre-commit) { echo repos:; cat ../lines.pre-commit; } >.pre-commit-config.yaml
		run='pre-commit install --hook-type pre-push' ;;
	esac
	fails 1 ikm hook install >../said
	grep -q "$by should call ikm, .* but git does not run $by in this clone; run '$run'" ../said
	fails 1 ikm hook status >../said
	same 3 "$(grep -c '^pre.*: does not fire' ../said)"
	grep -q "run '$run'" ../said
	fails 1 ikm hook status --json >../said
	same '["managed","managed","managed","absent"] ["no"]' "$(jq -cr \
		'"\([.hooks[].state]) \([.hooks[].fires] | unique)"' ../said)"
	# Another hook in its place does not make it live.
	mkdir -p .git/hooks; printf '#!/bin/sh\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
	fails 1 ikm hook status --hook pre-push >/dev/null
	cd ..
done
E

more 'what pre-commit and lefthook wrote is recognised without their configuration' <<'E'
git init -q wrote; cd wrote
printf '#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n' >.git/hooks/pre-commit
fails 5 ikm hook install 2>../said; grep -q '^ikm: pre-commit manages' ../said
chmod +x .git/hooks/pre-commit
fails 1 ikm hook status >../said
grep -q 'pre-commit wrote it, and has its configuration in no usual place, so ikm cannot see' ../said
ikm hook install --force >/dev/null
grep -q 'generated by pre-commit' .git/hooks/pre-commit.ikm-prev
same '["unchanged"]' "$(ikm hook install --json | jq -c '[.hooks[].action] | unique')"
ikm hook status >/dev/null
E

bad_commit() { # in a repository with a rule: a commit that breaks it must be stopped by ikm
	printf '{"dependencies": {"mysql2": "^3"}}\n' >package.json
	git add package.json
	fails 1 git commit -qm bad >../said 2>&1
	grep -q 'PostgreSQL only' ../said
	git reset -q --hard
}

ruled() { # a repository with a rule, and where we are
	git init -q "$1"; cd "$1"
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	printf '%s\n' --- 'status: accepted' constraints: \
		'  - {operator: must_not_use, target: dependency, pattern: mysql2, severity: block}' \
		--- '# PostgreSQL only' >docs/adr/0001-pg.md
	git add -A; git commit -qm base
}

if command -v pre-commit >/dev/null; then
more 'pre-commit of this machine runs the lines that install prints' <<'E'
PRE_COMMIT_HOME=$T/pre-commit; export PRE_COMMIT_HOME
ruled printed
{ echo repos:; cat ../lines.pre-commit; } >.pre-commit-config.yaml
# https://pre-commit.com/#confining-hooks-to-run-at-certain-stages
pre-commit validate-config .pre-commit-config.yaml >../said 2>&1 || {
	grep -q '^  # pre-commit before 3\.2 calls the stages commit, merge-commit and push' .pre-commit-config.yaml
	sed -i '/ stages:/s/pre-//g' .pre-commit-config.yaml
	pre-commit validate-config .pre-commit-config.yaml
}
not grep -i deprecat ../said
git add -A; git commit -qm manager
fails 1 ikm hook status >/dev/null
for name in pre-commit pre-merge-commit pre-push; do
	pre-commit install --hook-type $name >/dev/null
done
ikm hook status >../said
same 3 "$(grep -c '^pre.*: not proven' ../said)"
bad_commit
E

more 'pre-commit of this machine takes .pre-commit-hooks.yaml' <<'E'
PRE_COMMIT_HOME=$T/pre-commit; export PRE_COMMIT_HOME
git init -q hooks; cp "$TOP/.pre-commit-hooks.yaml" hooks
git -C hooks add -A; git -C hooks commit -qm hooks; git -C hooks tag v1
ruled framework
printf 'repos:\n  - repo: %s\n    rev: v1\n    hooks: [{id: ikm-check}, {id: ikm-push}]\n' \
	"$PWD/../hooks" >.pre-commit-config.yaml
git add -A; git commit -qm manager
pre-commit install --hook-type pre-commit --hook-type pre-push >/dev/null
bad_commit
git init -q --bare ../framework.git
printf '{"dependencies": {"mysql2": "^3"}}\n' >package.json
git add -A; git commit -qm bad --no-verify
fails 1 git push -q ../framework.git HEAD:refs/heads/main >../said 2>&1
grep -q 'PostgreSQL only' ../said
E
else
	skip 'pre-commit of this machine runs the lines that install prints' 'pre-commit is missing'
	skip 'pre-commit of this machine takes .pre-commit-hooks.yaml' 'pre-commit is missing'
fi

# ---- each clone: a script of package.json ----

long 'install --npm adds the script that package managers run, and keeps the file as it was written' <<'E'
git init -q npm; cd npm
while IFS='|' read -r was now; do
	printf "$was" >package.json
	printf "$now" >../want
	ikm hook install --npm >../said
	cmp ../want package.json
	grep -q "^'.*/package.json' has the script p[a-z]* now, '.*ikm hook install': commit it" ../said
	same false "$(ikm hook install --npm --json | jq .changed)"
	cmp ../want package.json
	ikm hook uninstall --npm >../said
	printf "$was" | sed 's/"scripts": {}, //' | cmp - package.json
	grep -q "^'.*/package.json' has .*script p[a-z]* .*: commit it" ../said
	[ ! -e .git/hooks/pre-commit ]
	same false "$(ikm hook uninstall --npm --json | jq .changed)"
done <<'X'
{"devDependencies": {"ikm": "*"}}\n|{"devDependencies": {"ikm": "*"}, "scripts": {"prepare": "ikm hook install"}}\n
{\r\n\t"scripts": {\r\n\t\t"b": "1"\r\n\t},\r\n\t"dependencies": {"ikm": "0"}\r\n}|{\r\n\t"scripts": {\r\n\t\t"b": "1",\r\n\t\t"prepare": "ikm hook install"\r\n\t},\r\n\t"dependencies": {"ikm": "0"}\r\n}
{"scripts": {"prepare": "tsc \\"a\\"", "z": ""},\n"devDependencies": {"ikm": ""}}\n|{"scripts": {"prepare": "tsc \\"a\\" && ikm hook install", "z": ""},\n"devDependencies": {"ikm": ""}}\n
{"private": true, "packageManager": "yarn@4.1.0", "scripts": {}, "devDependencies": {"ikm": ""}}|{"private": true, "packageManager": "yarn@4.1.0", "scripts": {"postinstall": "ikm hook install"}, "devDependencies": {"ikm": ""}}
X
mkdir sub; cd sub
echo '{"dependencies": {"ikm": "1"}}' >package.json
ikm hook install --npm >/dev/null
same 'ikm hook install' "$(jq -r .scripts.prepare package.json)"
E

long 'uninstall --npm leaves a script that ikm did not write, and says so' <<'E'
git init -q npm-left; cd npm-left
while IFS='|' read -r status was now message; do
	printf "$was" >package.json
	ikm hook install >/dev/null
	fails $status ikm hook uninstall --npm >../said
	same "$now" "$(cat package.json)"
	grep -qe "$message" ../said || { cat ../said; false; }
	[ ! -e .git/hooks/pre-commit ]
done <<'X'
1|{"scripts": {"prepare": "ikm hook install; make"}}|{"scripts": {"prepare": "ikm hook install; make"}}|keeps its script prepare, 'ikm hook install; make', which ikm did not write: take 'ikm hook install' out
0|{"scripts": {"prepare": "ikm hook install", "postinstall": "x && ikm hook install"}}|{"scripts": {"postinstall": "x"}}|has no script prepare any more: commit it; .* has the script postinstall now, 'x'
0|{"scripts": {"test": "x"}}|{"scripts": {"test": "x"}}|has no script that installs the hooks
0|{"scripts": []}|{"scripts": []}|has no script that installs the hooks
X
ikm hook install >/dev/null
for json in '{' '[]' ''; do
	[ "$json" ] && echo "$json" >package.json || rm package.json
	not ikm hook uninstall --npm 2>../said
	grep -q "package.json'" ../said
	[ -e .git/hooks/pre-commit ]
done
fails 2 ikm hook uninstall --npm --global
E

try 'install --npm writes neither hooks nor a script when one of them is refused' <<'E'
git init -q --template= refused; cd refused
while IFS='|' read -r status json options message; do
	[ -z "$json" ] && rm -f package.json || echo "$json" >package.json
	fails $status ikm hook install --npm $options 2>../said
	grep -qe "$message" ../said || { cat ../said; false; }
	same "$json" "$(cat package.json 2>/dev/null || :)"
	[ ! -e .git/hooks/pre-commit ]
done <<'X'
3|||leave out --npm
2|[]||'package' is a list, not an object
2|{||line 2, column 1
7|{"dependencies": {}}||npm add -D ikm
2|{"scripts": [], "devDependencies": {"ikm": ""}}||'scripts' is a list, not an object
2|{"scripts": {"prepare": 1}, "devDependencies": {"ikm": ""}}||'prepare' is a number, not a string
7|{"packageManager": "yarn@4.0.0", "devDependencies": {"ikm": ""}}||add "private": true
2|{"devDependencies": {"ikm": ""}}|--global|for each clone
2|{"devDependencies": {"ikm": ""}}|--agent claude|for each clone
X
echo '{}' >package.json
export npm_config_user_agent='pnpm/9.1 node'
fails 7 ikm hook install --npm 2>../said
grep -q 'pnpm add -D ikm' ../said
mkdir .husky; echo '{"devDependencies": {"ikm": ""}}' >package.json
fails 5 ikm hook install --npm 2>/dev/null
same '{"devDependencies": {"ikm": ""}}' "$(cat package.json)"
E

try 'init under npm names the commands of npm' <<'E'
sh "$TOP/t/sample.sh" init; cd init
echo '{"private": true}' >package.json
export npm_config_user_agent='pnpm/9.1 node'
ikm init --repo-only >../said
grep -x '  pnpm add -D ikm  *give ikm .*' ../said
grep -x '  npx ikm hook install --npm  *check .*' ../said
not grep '^  ikm' ../said
rm package.json
ikm init --repo-only | grep -x '  npx ikm hook install  *check .*'
E

done_testing
