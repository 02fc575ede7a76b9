#!/bin/sh
# init: makes what is missing, tells each part, replaces nothing, and has nothing to do again.
# Every case copies a tree: in memory where it can be.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
export home
git init -q plain

adr() { # FILE...: decisions
	for file; do
		mkdir -p "$(dirname "$file")"
		printf '# A decision\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do it.\n' >"$file"
	done
}
steps() { jq -r '.steps[] | "\(.state) \(.area) \(.path // "-")"' "$@"; }
repository() { jq -r '.steps[] | select(.area == "repository") | "\(.state) \(.path // "-"): \(.message)"' "$@"; }

long 'nobody gets a garden unasked: an option asks for one, and a terminal is asked' <<'E'
cd plain
ikm init --home-only --json >../out
same '' "$(jq -r '.steps[] | select(.area == "garden").message' ../out)"
[ ! -e "$home/garden" ]
rm -rf "$home"
ikm init --json >../out
same 'home store keys repository' "$(jq -r '.steps[].area' ../out | paste -sd' ')"
[ ! -e "$home/garden" ]
same '' "$(ikm init | grep garden)"
fails 0 ikm init --garden --dry-run
[ ! -e "$home/garden" ]
if script -qec true /dev/null >/dev/null 2>&1; then
	echo n | script -qec 'ikm init' /dev/null >../said
	grep -q 'Make a garden too' ../said
	[ ! -e "$home/garden" ]
	echo y | script -qec 'ikm init' /dev/null >../said
else
	ikm init --garden >/dev/null
fi
[ -d "$home/garden/users" ]
ikm init --json >../out
grep -q '"area":"garden"' ../out
rm -r "$home"
ikm init --garden "$T/w/mine" >/dev/null
[ -d "$T/w/mine/users" ]
rm -r "$home" "$T/w/mine"
E

long 'a dry run tells the same and makes nothing; the second run has nothing to do' <<'E'
cd plain
ikm init --garden --dry-run --json >../dry
[ ! -e "$home" ]
ikm init --garden --json >../made
ikm init --garden --json >../again
steps ../dry | sed 's/^would/done/' | diff - ../made.steps 2>/dev/null || steps ../made >../made.steps
same "$(cat ../made.steps)" "$(steps ../dry | sed 's/^would/done/')"
same 'true true false' "$(jq -r '.changed' ../dry ../made ../again | paste -sd' ')"
same 'true false false' "$(jq -r '.dryRun' ../dry ../made ../again | paste -sd' ')"
grep -q "^done home $home\$" ../made.steps
grep -q "^done store $home/ikm.db\$" ../made.steps
grep -q "^done garden $home/garden\$" ../made.steps
same '' "$(steps ../again | grep -v '^found\|^skipped repository')"
same '700 600 700 700 600' "$(stat -c %a "$home" "$home/ikm.db" "$home/garden" "$home/keys" \
	"$home/keys/event-1.key" | paste -sd' ')"
same 65 "$(wc -c <"$home/keys/event-1.key")"
user=$(id -un 2>/dev/null || id -u)
same ".ikm/config.json users/$user/overview.md" "$(git -C "$home/garden" ls-files | paste -sd' ')"
same . "$(jq -r .check.garden "$home/garden/.ikm/config.json")"
same 2 "$(git -C "$home/garden" log --format=%an | grep -c .)"
same '' "$(git -C "$home/garden" status --porcelain)"
same committed "$(ikm events query --json | jq -r '.rows[] | select((.path // "") |
	endswith("overview.md")) | .status' | sort -u)"
same "ikm -C $home/garden hook install" "$(jq -r '.next[].command' ../made)"
same "ikm -C $home/garden hook install" "$(jq -r '.next[].command' ../again)"
ikm -C "$home/garden" hook install
same '' "$(ikm init --garden --json | jq -r '.next[].command')"
ikm events verify
(cd "$home/garden" && ikm lint "users/$user/overview.md")
same ok "$(sqlite3 "$home/ikm.db" 'pragma integrity_check')"
same true "$(git -C "$home/garden" rev-parse --is-inside-work-tree)"
ikm init --garden >../text
grep -q '^skipped repository' ../text
grep -qx 'nothing was changed' ../text
not grep -q 'nothing to do' ../text
ikm init --home-only | grep -qx 'nothing to do'
ikm doctor
[ ! -e .ikm ]
E

# A table: the files of a repository ('NAME=TEXT' or the name of a decision), what init tells of the
# repository, the sources that its settings have afterwards.
cat >"$T/found" <<'E'
docs/adr/1.md|found docs/adr: 1 decision, 0 of them with rules;done .ikm/config.json: knowledge.sources has docs/adr|docs/adr
doc/adr/1.md doc/adr/2.md|found doc/adr: 2 decisions, 0 of them with rules;done .ikm/config.json: knowledge.sources has doc/adr|doc/adr
docs/decisions/1.md|found docs/decisions: 1 decision, 0 of them with rules;done .ikm/config.json: knowledge.sources has docs/decisions|docs/decisions
docs/architecture/decisions/1.md adr/2.md|found docs/architecture/decisions: 1 decision, 0 of them with rules;found adr: 1 decision, 0 of them with rules;done .ikm/config.json: knowledge.sources has docs/architecture/decisions, adr|docs/architecture/decisions adr
.adr-dir=architecture/log\n architecture/log/1.md|found architecture/log: 1 decision, 0 of them with rules, named by .adr-dir;done .ikm/config.json: knowledge.sources has architecture/log|architecture/log
.adr-dir=./docs/adr/\r\n docs/adr/1.md|found docs/adr: 1 decision, 0 of them with rules, named by .adr-dir;done .ikm/config.json: knowledge.sources has docs/adr|docs/adr
.log4brains.yml=project:\n\040\040adrFolder:\040./d\n\040\040packages:\n\040\040-\040adrFolder:\040./p/d\n d/1.md p/d/2.md|found d: 1 decision, 0 of them with rules, named by .log4brains.yml;found p/d: 1 decision, 0 of them with rules, named by .log4brains.yml;done .ikm/config.json: knowledge.sources has d, p/d|d p/d
docs/adr/README.md|skipped docs/adr: no decision yet|
.adr-dir=../out\n|skipped .adr-dir: it names '../out', which is no folder of this repository|
.adr-dir=/etc\n|skipped .adr-dir: it names '/etc', which is no folder of this repository|
.adr-dir=gone\n|skipped .adr-dir: it names 'gone', and there is no such folder|
.adr-dir= |skipped .adr-dir|
.log4brains.yml=a:\040[ docs/adr/1.md|failed .log4brains.yml|docs/adr
.ikm/config.json={"knowledge":{"sources":[{"path":"x"}]}} x/1.md docs/adr/1.md|skipped docs/adr: 1 decision, 0 of them with rules, but .ikm/config.json names other sources;found x: a source that .ikm/config.json names|x
.ikm/config.json={"check":\040{"minRules":\0401}} docs/adr/1.md|done .ikm/config.json|docs/adr
.ikm/config.json={"knowledge":{"sources":[{"path":"./docs/adr/"}]}} docs/adr/1.md|found docs/adr: a source: 1 decision, 0 of them with rules|./docs/adr/
.ikm/config.json={"chek":1} docs/adr/1.md|failed|-
.ikm/config.json={" docs/adr/1.md|failed|-
.ikm/config.json={"knowledge":{"sources":[{"path":"../x"}]}}|failed|../x
.gitignore=docs docs/adr/1.md|skipped docs/adr: no decision yet|
docs/architecture-decisions/adr001-x.md|found docs/architecture-decisions: 1 decision, 0 of them with rules;done .ikm/config.json|docs/architecture-decisions
docs/ADR/1.md .adr/1.md|found .adr: 1 decision, 0 of them with rules;found docs/ADR: 1 decision|.adr docs/ADR
docs/architecture/adr/1.md|found docs/architecture/adr: 1 decision|docs/architecture/adr
packages/a/docs/adr/1.md packages/b/docs/adr/2.md docs/adr/3.md|found docs/adr: 1 decision;found packages/a/docs/adr: 1;found packages/b/docs/adr: 1|docs/adr packages/a/docs/adr packages/b/docs/adr
docs/adr/0001.adoc=x|skipped docs/adr: 1 decision in another format than Markdown|
docs/adr/0001.yaml=x docs/adr/0002.rst=x|skipped docs/adr: 2 decisions in another format|
src/decisions/a.md=#\040x tests/x/docs/adr/1.md web/integration-tests/docs/adr/2.md|no folder of decisions|
text/0001-a.md=#\040a text/0002-b.md=#\040b text/0003-c.md=#\040c other/0001-a.md=#\040a|skipped text: 3 decisions, 0 of them with rules, it seems by their names or statuses|
text/0001-a.md=#\040a text/0002-b.md=#\040b text/0003-c.md=#\040c docs/adr/1.md|found docs/adr: 1 decision, 0 of them with rules;done .ikm/config.json: knowledge.sources has docs/adr|docs/adr
log/a.md log/b.md log/c.md log/d.md notes/a.md notes/b.md notes/c.md|skipped log: 4 decisions, 0 of them with rules, it seems by their names|
_posts/2020-01-02-a.md=#\040a _posts/2020-01-03-b.md=#\040b _posts/2020-01-04-c.md=#\040c|no folder of decisions|
E

more 'the folders of decisions that tools and their users have' <<'E'
rows=0
while IFS='|' read -r files told sources; do
	rm -rf r
	git init -q r
	cd r
	for file in $files; do
		case $file in
		*=*)
			mkdir -p "$(dirname "${file%%=*}")"
			printf "${file#*=}" >"${file%%=*}"
			;;
		*) adr "$file" ;;
		esac
	done
	cp .ikm/config.json ../before 2>/dev/null || : >../before
	rc=0
	ikm init --repo-only --json >../out || rc=$?
	repository ../out >../told
	(IFS=';'; for line in $told; do grep -F -- "$line" ../told >/dev/null || exit 1; done) ||
		{ echo "$files: $told"; cat ../told; exit 1; }
	case $told in failed*) [ $rc = 1 ] ;; *) [ $rc = 0 ] ;; esac
	if [ "$sources" = - ]; then
		cmp ../before .ikm/config.json
	elif [ -n "$sources" ]; then
		same "$sources" "$(jq -r '[.knowledge.sources[].path] | join(" ")' .ikm/config.json)"
		grep -q found ../told || [ "$sources" = ../x ]
	else
		[ ! -e .ikm/config.json ]
	fi
	[ "$sources" != docs/adr ] || same "$(ls docs/adr | wc -l)" "$(ikm know list --json | jq '.items | length')"
	cd ..
	rows=$((rows + 1))
done <"$T/found"
[ $rows -gt 15 ]
grep -q minRules before || :
E

more 'settings that are there stay, byte for byte' <<'E'
rm -rf r
git init -q r
cd r
adr docs/adr/1.md
mkdir .ikm
printf '{ "check" : {"minRules":0},\n  "$schema": "x" }' >.ikm/config.json
ikm init --repo-only >/dev/null
same '{ "check" : {"minRules":0},
  "$schema": "x",
  "knowledge": {
    "sources": [
      {"path": "docs/adr"}
    ]
  } }' "$(cat .ikm/config.json)"
E

more 'in a folder, a linked worktree and a submodule the settings are at the top of each' <<'E'
cd r
git add -A
git commit -qm one
git worktree add -q ../linked
mkdir docs/deep ../linked/docs/deep
rm ../linked/.ikm/config.json
cd ../linked/docs/deep
ikm init --repo-only --json | jq -r '.changed' | grep -q true
[ -f ../../.ikm/config.json ] && [ ! -e .ikm ]
cd ../../..
git init -q super
git -C super -c protocol.file.allow=always submodule -q add "$PWD/r" sub 2>/dev/null
cd super/sub
git rm -rq --cached .ikm
rm -r .ikm
ikm init --repo-only >/dev/null
[ -f .ikm/config.json ] && [ ! -e ../.ikm ]
E

more 'outside a repository and in a bare one the home is made, and the rest is told' <<'E'
ikm init --garden --json >out
same '["skipped","this is not a Git repository"]' "$(jq -c '.steps[-1] | [.state, .message]' out)"
fails_for NO_REPOSITORY ikm init --repo-only
git init -q --bare bare.git
cd bare.git
ikm init --garden --json >../out
jq -r '.steps[-1].message' ../out | grep -q 'a bare repository has no working tree'
jq -r '.steps[-1].step' ../out | grep -q 'ikm hook install --server'
fails_for BAD_ARGUMENT ikm init --repo-only --home-only
fails_for BAD_ARGUMENT ikm init --repo-only --garden g
E

more 'a repository cannot make init write elsewhere' <<'E'
rm -rf r elsewhere
git init -q r
mkdir elsewhere
printf '{}' >elsewhere/config.json
cd r
adr docs/adr/1.md
ln -s ../elsewhere .ikm
fails 1 ikm init --repo-only --json >../out
jq -r '.steps[-1].message' ../out | grep -q 'leads out of the repository by a link'
same UNTRUSTED_CONFIG "$(jq -r '.steps[-1].reason' ../out)"
fails_for UNTRUSTED_CONFIG ikm config set --repo check.minRules 1
rm .ikm
mkdir .ikm
ln -s ../../elsewhere/config.json .ikm/config.json
fails 1 ikm init --repo-only --json >../out
fails_for UNTRUSTED_CONFIG ikm config set --repo check.minRules 1
same '{}' "$(cat ../elsewhere/config.json)"
rm .ikm/config.json
mkdir docs/real
mv docs/adr/1.md docs/real
rmdir docs/adr
ln -s real docs/adr
ikm init --repo-only --json | jq -r '.steps[].message' | grep -q '^a link: a source is a folder'
E

more 'the garden: elsewhere, in a larger repository, in a home that is one' <<'E'
rm -rf "$home"
mkdir -p big/notes
git init -q big
ikm init --home-only --garden big/notes --json >out
same "$PWD/big/notes" "$(jq -r .garden.path "$home/config.json")"
grep -q 'a part of the repository' out
[ ! -e big/notes/.git ]
same false "$(ikm init --home-only --garden big/notes --json | jq .changed)"
same false "$(ikm init --home-only --json | jq .changed)"
fails 1 ikm init --home-only --garden other --json >out
jq -r '.steps[] | select(.state == "failed").message' out | grep -q 'garden.path names another garden'
[ ! -e other ]
rm -rf "$home"
git init -q "$HOME"
ikm init --home-only --garden >/dev/null
same "$home/garden" "$(git -C "$home/garden" rev-parse --show-toplevel)"
rm -rf "$HOME/.git" "$home"
for path in '~/g' in-home; do
	ikm config set garden.path "$path" >/dev/null
	ikm init --home-only --json | jq -r '[.steps[] | select(.area == "garden")][0] | .state + " " + .path' >out
	case $path in '~/g') same "done $HOME/g" "$(cat out)" ;; *) same "done $home/in-home" "$(cat out)" ;; esac
	ikm doctor >/dev/null
done
rm -rf "$HOME/g" "$home"
mkdir full
echo keep >full/file
ikm init --home-only --garden full --json | jq -r '.steps[].message' | grep -q 'what was in it is untracked'
same keep "$(cat full/file)"
same '?? file' "$(git -C full status --porcelain)"
rm -rf "$home"
git init -q --bare g.git
fails 1 ikm init --home-only --garden g.git --json >out
jq -r '.steps[] | select(.state == "failed").message' out | grep -q 'in a bare repository'
rm -rf "$home"
E

more 'without a name for Git the overview waits, and the second run commits it' <<'E'
rm -rf "$home"
who='env -u GIT_AUTHOR_NAME -u GIT_AUTHOR_EMAIL -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL'
$who ikm init --home-only --garden >out
same 2 "$(grep -c 'no commit of it: .*user.name is not set' out)"
grep -q "git config --global user.name 'YOUR NAME'; git config --global user.email" out
fails 128 git -C "$home/garden" rev-parse --verify HEAD
ikm doctor | grep -q '1 change of the garden is not settled'
ikm init --home-only --garden >out
grep -q 'settled 1 earlier change' out
same ".ikm/config.json users/$(id -un 2>/dev/null || id -u)/overview.md" "$(git -C "$home/garden" ls-files | xargs)"
same '' "$(git -C "$home/garden" status --porcelain)"
ikm init --home-only | grep -q 'nothing to do'
rm -rf "$home"
E

more 'without a name for Git each write has one warning, which counts those that wait' <<'E'
rm -rf "$home"
who='env -u GIT_AUTHOR_NAME -u GIT_AUTHOR_EMAIL -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL'
ikm config set user ada >/dev/null
ikm init --home-only --garden >out
f=$home/garden/users/ada/notes.md
for n in 0 1 2 3; do
	jq -nc --arg p "$f" --arg n "$n" '{path: $p, content: "# Notes\n\($n)\n"}' | $who ikm call file_write >out
	same 1 "$(jq '.warnings | length' out)"
	case $n in
	0) jq -r '.warnings[]' out | grep -q 'no commit of it yet: git does not know' ;;
	1) jq -r '.warnings[]' out | grep -q 'no commit of it yet, nor of 1 earlier change: git' ;;
	*) jq -r '.warnings[]' out | grep -q "no commit of it yet, nor of $n earlier changes: git" ;;
	esac
done
same false "$(jq .committed out)"
jq -nc --arg p "$f" '{path: $p, content: "# Notes\nlast\n"}' | ikm call file_write >out
same '[true,null]' "$(jq -c '[.committed, .warnings]' out)"
ikm doctor | not grep 'of the garden is not settled'
# Changes that are not in place are counted, too.
for n in 1 2 3; do
	jq -nc --arg p "$f" --arg n "$n" '{path: $p, content: "# Notes\n\($n)\n"}' | $who ikm call file_write >out
done
echo 'by hand' >>"$f"
jq -nc --arg p "$f" '{path: $p, content: "# Notes\nlast\n"}' | ikm call file_write >out || :
jq -r '.warnings[]?, .message?' out >said
same 1 "$(grep -c "2 earlier changes of '.*notes.md', the oldest 01.*, are not settled: " said)"
rm -rf "$home"
E

more 'keys that are there stay, and one that is no key is told' <<'E'
ikm init --home-only >/dev/null
before=$(cat "$home"/keys/*)
ikm init --home-only >/dev/null
same "$before" "$(cat "$home"/keys/*)"
echo short >"$home/keys/event-1.key"
ikm doctor --json >out || :
jq -r '.findings[].message' out | grep -q "event-1.key' is no key of 64 hexadecimal digits"
not grep -q short out
fails 1 ikm init --home-only --json >out
same '["keys","BAD_KEY"]' "$(jq -c '.steps[] | select(.state == "failed") | [.area, .reason]' out)"
same short "$(cat "$home/keys/event-1.key")"
rm "$home/keys/event-1.key"
fails 1 ikm init --home-only --json >out
jq -e '.steps[] | select(.state == "failed" and .area == "keys")' out
[ ! -e "$home/keys/event-2.key" ]
rm -rf "$home"
E

more 'a user whose name no path of the garden can have' <<'E'
IKM_USER='a b/c'
export IKM_USER
fails 1 ikm init --home-only --garden --json >out
jq -r '.steps[] | select(.state == "failed") | .message' out | grep -q 'a b/c'
IKM_USER=ada
ikm init --home-only --garden >/dev/null
[ -f "$home/garden/users/ada/overview.md" ]
unset IKM_USER
rm -rf "$home"
E

# A table: how the home is broken, then the part that fails, its reason, a part of the message.
cat >"$T/broken" <<'E'
chmod 500 "$HOME"|home|PERMISSION|Permission denied
: >"$home"|home|NOT_A_FILE|is not a folder
ln -s nowhere "$home"|home|EXISTS|a link has this name
mkdir -p "$home" \&\& chmod 500 "$home"|store|PERMISSION|
mkdir -p "$home" \&\& chmod 000 "$home"|store|PERMISSION|Permission denied
mkdir -p "$home" \&\& echo broken >"$home/ikm.db"|store|DB_CORRUPT|
mkdir -p "$home" \&\& echo '{"chek": 1}' >"$home/config.json"|garden|BAD_CONFIG|unknown setting 'chek'
mkdir -p "$home" \&\& : >"$home/garden"|garden|NOT_A_FILE|is not a folder
mkdir -p "$home" \&\& echo '{"garden": {"path": "config.json/g"}}' >"$home/config.json"|garden|EXISTS|a file has this name
E

more 'a home that is broken is told, the repository is set up all the same, and nothing is replaced' <<'E'
rows=0
while IFS='|' read -r break area reason said; do
	rm -rf r "$home"
	git init -q r
	cd r
	adr docs/adr/1.md
	eval "$(echo "$break" | sed 's/\\&/\&/g')"
	rc=0
	ikm init --garden --json >../out || rc=$?
	chmod 700 "$HOME"
	[ ! -d "$home" ] || chmod 700 "$home"
	same "1 false $area $reason" "$rc $(jq -r '.success as $s | .steps[] | select(.state == "failed") |
		"\($s) \(.area) \(.reason)"' ../out)"
	jq -r '.steps[] | select(.state == "failed") | .message' ../out | grep -Fq "$said"
	[ -f .ikm/config.json ]
	cd ..
	rows=$((rows + 1))
done <"$T/broken"
[ $rows -gt 6 ]
rm -rf "$home"
fails_for BAD_PATH env IKIGAI_HOME=relative ikm init
mkdir -m 755 "$home"
ikm init --home-only --json >out
jq -r '.steps[1] | .state + " " + .step' out | grep -q "^skipped chmod 0700"
same 755 "$(stat -c %a "$home")"
E

more 'what is shut is named with its mode, and the command that opens it works' <<'E'
rm -rf r "$home"
git init -q r
cd r
adr docs/adr/1.md
ikm init --repo-only >../out
ikm hook install >../out
git add . && git commit -qm one
for shut in docs docs/adr docs/adr/1.md .ikm .git/hooks .git "$home"; do
	mkdir -p "$home"
	mode=$(stat -c %a "$shut")
	chmod 000 "$shut"
	case $shut in
	"$home") how='git commit --allow-empty -m two' ;;
	.git/hooks) how='ikm hook status' ;;
	*) how='ikm init --repo-only' ;;
	esac
	for command in 'ikm init' "$how"; do
		[ "$shut $command" != '.git/hooks ikm init' ] || continue
		rc=0
		$command >../out 2>&1 || rc=$?
		[ $rc != 0 ] || echo "$command passes with $shut"
		way=$(sed -n "s|^ *'.*$shut' has the mode 0000: \\(chmod .*\\)|\\1|p" ../out | head -n 1)
		[ -n "$way" ] || cat ../out
	done
	eval "$way"
	$how >../out 2>&1 || cat ../out
	chmod "$mode" "$shut"
done >../said
same '' "$(cat ../said)"
cd ..
chmod 000 r
fails_for PERMISSION ikm -C r init 2>err
chmod 700 r
grep -q "^  'r' has the mode 0000: chmod u+rwx 'r'" err
rm -rf r "$home"
E

more 'doctor knows the garden' <<'E'
rm -rf "$home"
finding() { ikm doctor --json >out || :; jq -r '.findings[] | select(.area == "garden") | .message' out; }
same '' "$(finding)"
ikm config set garden.path "$PWD/no" >/dev/null
finding | grep -q "garden.path names '.*/no', which does not exist"
mkdir -m 777 no
finding >found
grep -q 'others may change' found
grep -q 'is in no Git repository' found
ikm init --home-only >/dev/null
chmod 700 no
same '' "$(finding)"
rm -rf no
: >no
finding | grep -q 'is not a folder'
rm -rf no "$home"
E

try 'an agent may write in the garden of ikm'"'"'s home, and nowhere else there' <<'E'
ikm init --home-only --garden >/dev/null
notes=$home/garden/users/$(id -un 2>/dev/null || id -u)/notes.md
jq -n --arg path "$notes" '{$path, content: "# Notes\n\nA thought.\n"}' >in
ikm call file_write <in >out
same true "$(jq .committed out)"
same 'A thought.' "$(tail -n 1 "$notes")"
for path in garden/top.md garden/.git/config keys/event-1.key config.json; do
	jq -n --arg path "$home/$path" '{$path, content: "x"}' >in
	fails_for OUTSIDE_ROOTS ikm call file_write <in
	fails 5 ikm --root "$HOME" call file_write <in >/dev/null
done
ikm events verify
rm -rf "$home"
E

more 'without git in PATH the garden fails and says why' <<'E'
rm -rf "$home"
mkdir none
cp "$(command -v ikm)" none/ikm
fails 1 env PATH="$PWD/none" ikm init --home-only --garden --json >out
same '["garden","NO_PROGRAM"]' "$(jq -c '.steps[] | select(.state == "failed") | [.area, .reason]' out)"
ikm init --home-only --garden | grep -q '^done *garden'
E

try 'a git init that was killed: the lock is named, and without it the next run makes the garden' <<'E'
export HOME="$T/killed"
garden=$HOME/.ikigai/garden
mkdir -p "$garden/.git"
chmod 700 "$HOME/.ikigai"
: >"$garden/.git/config.lock"
fails 1 ikm init --garden >out
grep -A1 'could not lock config file' out | tail -1 >step
same "when no git writes there any more: rm '$garden'/.git/*.lock" "$(sed 's/^ *//' step)"
sh -c "$(sed 's/.*: //' step)"
ikm init --garden >out
ikm doctor
E

more 'at every fault: no litter, and trying again makes the rest' <<'E'
git init -q fresh
rm -rf fresh/.git/hooks
(cd fresh && adr docs/adr/1.md)
cp -R fresh r
(cd r && ikm init --garden >/dev/null)
jq -e '.knowledge.sources[0] == {"path": "docs/adr"}' r/.ikm/config.json
cp r/.ikm/config.json wanted
for way in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		rm -rf r hit "$home"
		cp -R fresh r
		rc=0
		IKM_FAULT=$way$n IKM_FAULT_HIT=$PWD/hit ikm -C r init --garden >out 2>&1 || rc=$?
		[ $rc = 0 ] || fails 1 grep -q BUG out
		[ $rc != 0 ] || ! git -C "$home/garden" status --porcelain | grep . || grep '^skipped\|^failed' out >/dev/null
		ikm -C r init --garden >out || { cat out; exit 1; }
		cmp wanted r/.ikm/config.json
		same "$home/garden" "$(git -C "$home/garden" rev-parse --show-toplevel)"
		same '' "$(find r/.ikm "$home" -name '.ikm-tmp-*')"
		# What is staged would be a part of the next commit.
		same '' "$(git -C "$home/garden" status --porcelain)"
		[ -e hit ] || break
	done
	[ $n -gt 20 ]
	echo "$n"
done
E

more 'what cannot be done is told, and the other parts are made' <<'E'
rm -rf r "$home"
git init -q r
cd r
adr docs/adr/1.md
mkdir -m 700 "$home"
echo '{' >"$home/config.json"
fails 1 ikm init --garden --json >../out
same 'done keys|failed garden|skipped garden|found repository|done repository' \
	"$(jq -r '.steps[] | "\(.state) \(.area)"' ../out | grep -v 'home$\|store$' | paste -sd'|')"
[ -s "$home/keys/event-1.key" ]
jq -e '.steps[] | select(.state == "failed").message | contains("config.json")' ../out
jq -r '.steps[] | select(.state == "skipped").message' ../out | grep -qx 'your overview: the settings say where the garden is'
rm "$home/config.json"
echo short >"$home/keys/event-1.key"
fails 1 ikm init --garden --json >../out
jq -r '.steps[] | select(.state == "skipped").message' ../out | grep -qx 'your overview: nothing is written without a key'
rm -rf "$home"
echo x >"$home"
fails 1 ikm init --garden --json >../out
same 'skipped keys|skipped garden' "$(jq -r '.steps[] | select(.state == "skipped") | "\(.state) \(.area)"' ../out | paste -sd'|')"
rm "$home"
E

more 'two at once make one of each' <<'E'
rm -rf r "$home"
git init -q r
cd r
adr docs/adr/1.md
for i in 1 2 3 4; do
	ikm init --garden --json >../out.$i 2>&1 &
done
wait
ikm init --garden >../out
grep -q 'nothing to do' ../out
same 1 "$(jq '.knowledge.sources | length' .ikm/config.json)"
E
done_testing
