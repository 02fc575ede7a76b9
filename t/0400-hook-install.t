#!/bin/sh
# ikm hook install, uninstall, status, and the shim itself. Git is the referee of what fires.
. "$(dirname "$0")/lib.sh"
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

try 'a killed or failed install: old state or new state, and again succeeds' <<'E'
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

try 'an interrupted install can be taken back, too' <<'E'
cd faults; git config --unset core.x || :
ikm hook uninstall >/dev/null
mv .git/hooks/pre-commit .git/hooks/pre-commit.ikm-prev
fails 1 ikm hook status >../said
grep -q 'was interrupted' ../said
same restored "$(ikm hook uninstall --json | jq -r '.hooks[0].action')"
cmp ../theirs .git/hooks/pre-commit
E

# ---- the hook that was there ----

try 'an existing hook runs first, with arguments, input and environment' <<'E'
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

try 'its exit status counts, and ikm does not judge then' <<'E'
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

try 'uninstall puts back the same file: bytes, mode, times, link' <<'E'
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

try 'a hook that git ignores, because it is not executable, is kept and not run' <<'E'
git init -q -b main ignored; cd ignored
printf '#!/bin/sh\necho ran >ran\nexit 1\n' >.git/hooks/pre-commit; chmod 644 .git/hooks/pre-commit
ikm hook install >../said
grep -q 'not executable' ../said
good >a.c; git add a.c; git commit -qm x
[ ! -e ran ]
ikm hook uninstall >/dev/null
same 644 "$(stat -c %a .git/hooks/pre-commit)"
E

try 'an old hook without a #! line runs, as git runs it' <<'E'
git init -q -b main plain; cd plain
echo 'echo ran >ran' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
good >a.c; git add a.c; git commit -qm x
same ran "$(cat ran)"
E

try 'an old hook can still ask at the terminal' <<'E'
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

try 'IKM_HOOKS=0 skips ikm and says so; the old hook still runs' <<'E'
cd plain; rm ran; decide .
bad >b.c; git add b.c
IKM_HOOKS=0 git commit -qm x 2>../said
same 'ikm: IKM_HOOKS=0: pre-commit was skipped, nothing was judged' "$(cat ../said)"
same ran "$(cat ran)"
E

# ---- what is not ours ----

try 'an edited shim is named and left, unless forced' <<'E'
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

try 'another tool took the place: neither is lost' <<'E'
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

try 'a hook of theirs is never removed' <<'E'
git init -q foreigner; cd foreigner
printf '#!/bin/sh\necho theirs\n' >.git/hooks/pre-commit
same absent "$(ikm hook uninstall --force --json | jq -r '.hooks[0].action')"
grep -q theirs .git/hooks/pre-commit
mkdir .git/hooks/pre-push
fails 2 ikm hook install 2>../said
grep -q 'is a folder' ../said
E

try 'husky, lefthook and pre-commit: what to add, exactly' <<'E'
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
for name in pre-merge-commit pre-push; do cp -p .husky/_/pre-commit .husky/_/$name; done
ikm hook install >../said; grep -q 'husky calls ikm already' ../said
same '["managed"] ["unproven"]' "$(ikm hook status --json |
	jq -cr '"\([.hooks[].state] | unique) \([.hooks[].fires] | unique)"')"
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
ikm hook install >../said; grep -q 'pre-commit calls ikm already' ../said
rm .git/hooks/pre-*
ikm hook install --force >/dev/null
E

try 'a manager that is configured and not installed in this clone does not fire' <<'E'
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
	same '["managed"] ["no"]' "$(jq -cr \
		'"\([.hooks[].state] | unique) \([.hooks[].fires] | unique)"' ../said)"
	# Another hook in its place does not make it live.
	mkdir -p .git/hooks; printf '#!/bin/sh\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
	fails 1 ikm hook status --hook pre-push >/dev/null
	cd ..
done
E

try 'what pre-commit and lefthook wrote is recognised without their configuration' <<'E'
git init -q wrote; cd wrote
printf '#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n' >.git/hooks/pre-commit
fails 5 ikm hook install 2>../said; grep -q '^ikm: pre-commit manages' ../said
chmod +x .git/hooks/pre-commit
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
try 'pre-commit of this machine runs the lines that install prints' <<'E'
PRE_COMMIT_HOME=$T/pre-commit; export PRE_COMMIT_HOME
ruled printed
{ echo repos:; cat ../lines.pre-commit; } >.pre-commit-config.yaml
git add -A; git commit -qm manager
fails 1 ikm hook status >/dev/null
for name in pre-commit pre-merge-commit pre-push; do
	pre-commit install --hook-type $name >/dev/null
done
ikm hook status >../said
same 3 "$(grep -c '^pre.*: not proven' ../said)"
bad_commit
E

try 'pre-commit of this machine takes .pre-commit-hooks.yaml' <<'E'
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

# ---- where hooks are ----

try 'a local core.hooksPath is where git looks: relative, from below, from elsewhere' <<'E'
git init -q -b main path; cd path; mkdir -p sub/dir
git config core.hooksPath 'my hooks'
(cd sub/dir && ikm hook install >/dev/null)
[ -x 'my hooks/pre-commit' ]; [ ! -e .git/hooks/pre-commit ]
ikm hook status >/dev/null
(cd / && GIT_DIR=$OLDPWD/.git GIT_WORK_TREE=$OLDPWD ikm hook install >../said 2>&1 || :)
(cd sub && ikm hook status >/dev/null)
same '"local" "my hooks"' "$(ikm hook status --json | jq -rc '"\(.scope|tojson) \(.hooksPath|tojson)"')"
E

try 'a global core.hooksPath is not written to without --force' <<'E'
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

try '--global: every repository, and each one keeps its own hooks' <<'E'
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

try 'installed for all and in the repository: judged once, and what was there runs once' <<'E'
export GIT_CONFIG_GLOBAL="$T/w/gitconfig4" XDG_CONFIG_HOME="$T/w/xdg4"
git init -q -b main both; cd both; decide .; rm -f ../ran
printf '#!/bin/sh\necho own >>../ran\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
ikm hook install --global >/dev/null
bad >b.c; git add b.c; refused git commit -m y
same 1 "$(grep -c 'was stopped' "$T/said")"
same own "$(cat ../ran)"
E

try '--global where the repository itself has its hooks in that folder: no loop' <<'E'
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

try '--global into a folder that is there already: its hooks are kept' <<'E'
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

try 'linked worktrees, submodules and separate git folders' <<'E'
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

try 'a bare repository: pre-push only' <<'E'
git init -q --bare bare.git
same '["pre-push"]' "$(ikm -C bare.git hook install --json | jq -c '[.hooks[].name]')"
ikm -C bare.git hook status >/dev/null
fails 2 ikm -C bare.git hook install --hook pre-commit 2>said
grep -q 'bare repository' said
E

try 'outside a repository' <<'E'
fails 3 ikm hook install 2>said
grep -q 'not a Git repository' said
fails 3 ikm hook status 2>said
fails 3 ikm hook uninstall 2>said
E

try 'odd paths: blanks, quotes, line breaks, bytes that are not UTF-8; also of ikm itself' <<'E'
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

try 'status proves that git calls ikm, without running what is chained' <<'E'
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

try 'status writes nothing' <<'E'
cd st
ikm hook install >/dev/null
snapshot . >../before; ikm hook status >/dev/null; snapshot . >../after
diff -u ../before ../after
E

# ---- ikm is missing ----

try 'ikm is missing: the commit stops, and it says what to do' <<'E'
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
IKM_HOOKS=0 git commit -qm x 2>../said
grep -q 'IKM_HOOKS=0' ../said
git config ikm.hookMissing warn
good >b.c; git add b.c
git commit -qm y 2>../said
grep -q 'ikm: not found' ../said
same 2 "$(wc -l <../ran-gone)"
E

try 'ikm was moved: the one in PATH is used, and status says which' <<'E'
cd gone
git config --unset ikm.hookMissing
good >c.c; git add c.c; git commit -qm z
same "$(readlink -f "$(command -v ikm)")" "$(ikm hook status --json | jq -r '.hooks[0].program')"
same updated "$(ikm hook install --json | jq -r '.hooks[0].action')"
E

try 'a program named ikm in the repository is never run' <<'E'
cd gone
printf '#!/bin/sh\necho evil >../evil\n' >ikm; chmod +x ikm
cp "$(command -v ikm)" ../bin/ikm; ../bin/ikm hook install >/dev/null; rm ../bin/ikm
good >d.c; git add d.c
PATH=.:/usr/bin:/bin fails 1 git commit -qm x 2>../said
[ ! -e ../evil ]
E

try 'hook run: bad arguments' <<'E'
cd st
fails 2 ikm hook run 2>../said
fails 2 ikm hook run pre-rebase 2>../said; grep -q 'pre-push' ../said
echo "refs/heads/x" | fails 2 ikm hook run pre-push -- origin url 2>../said
grep -q 'no line of a pre-push' ../said
fails 2 ikm hook run pre-push </dev/null 2>../said
grep -q "remote's name" ../said
E
try 'the probe of status is no way around the judge' <<'E'
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
