#!/bin/sh
# ikm checks the content that `git commit` will record, however it came into the index. Plain git
# makes every case, with the installed hook.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

# ---- content ----

try 'staged bad, working tree good: stopped' <<'E'
repo r; cd r
bad >a.c; git add a.c; good >a.c
refused git commit -m x
E

try 'staged good, working tree bad: passes, and records the good one' <<'E'
repo r2; cd r2
good >a.c; git add a.c; bad >a.c
passes git commit -m x
! git grep -q forbidden_call HEAD -- '*.c'
E

try 'a pass says nothing' <<'E'
cd r2; bad g >b.c; git add b.c
fails 1 git commit -qm loud >../out 2>&1
good g >b.c; git add b.c
git commit -qm quiet >../out 2>&1
same '' "$(cat ../out)"
E

try 'what is odd in a decision is told by the change that touches it, not by each' <<'E'
repo odd; cd odd
sed -e '/^status/d' -e 's/forbidden_call/odd_call/' .knowledge/adrs/0001*.md >.knowledge/adrs/0002-odd.md
git add .; git commit -qm odd >../out 2>&1
grep -q 'warning .knowledge/adrs/0002-odd.md: it has rules and no status' ../out
good >a.c; git add a.c; git commit -qm good >../out 2>&1
same '' "$(cat ../out)"
ikm check --all | grep -q 'it has rules and no status'
E

long 'a commit without content to check passes in silence: empty, deleting, a link, a submodule' <<'E'
repo quiet; git init -q quiet-sub; git -C quiet-sub commit -q --allow-empty -m x; cd quiet
{
	git commit -q --allow-empty -m empty
	echo x >README; git add .; git commit -qm text
	git rm -q README; git commit -qm deleted
	ln -s nowhere link; git add .; git commit -qm link
	git -c protocol.file.allow=always submodule --quiet add "$PWD/../quiet-sub" sub
	git commit -qm submodule
} >../out 2>&1
same '' "$(cat ../out)"
E

long 'a pass without any rules says what is missing' <<'E'
git init -q new; cd new; ikm hook install >/dev/null
mkdir .knowledge; cp ../r/.knowledge/adrs/*.md .knowledge
bad >a.c; git add a.c; git commit -qm bad 2>../out
grep -q 'warning .knowledge: it is not in the index' ../out
git rm -rq --cached a.c; git commit -qm back
git add .knowledge a.c; refused git commit -m both
E

long 'settings that name no decisions are in the index, and nothing is said of them' <<'E'
git init -q plain; cd plain; ikm hook install >/dev/null
mkdir .ikm; echo '{}' >.ikm/config.json
bad >a.c; git add a.c; git commit -qm one >../out 2>&1
grep -q 'warning .ikm/config.json: it is not in the index' ../out
git add .ikm; git commit -qm two >../out 2>&1
echo >>a.c; git commit -qam three >>../out 2>&1
not grep 'not in the index' ../out
# The decisions that such settings do not name are still missed.
mkdir .knowledge; cp ../r/.knowledge/adrs/*.md .knowledge
echo >>a.c; git commit -qam four >../out 2>&1
grep -q 'warning .knowledge: it is not in the index' ../out
E

try 'what stops tells the decision, the place, what instead, and what next' <<'E'
cd r2; bad h >c.c; git add c.c
refused git commit -m x
for words in 'No forbidden calls' 'c.c:3' 'It breaks under load.' 'allowed_call' \
	'.knowledge/adrs/0001-calls-and-databases.md' 'ikm why' 'the commit was stopped' \
	'commit again' '--no-verify'; do
	grep -qF -e "$words" "$T/said" || { echo "lacks $words"; cat "$T/said"; exit 1; }
done
print=$(sed -n 's/.*ikm why \([0-9a-f]\{12\}\).*/\1/p' "$T/said" | head -n 1)
ikm why "$print" | grep -q 'No forbidden calls'
git rm -qf c.c
E

try 'staged, then deleted from the working tree: stopped' <<'E'
repo r3; cd r3
bad >a.c; git add a.c; rm a.c
refused git commit -m x
E

long 'a bad file that was there may be deleted, or edited elsewhere' <<'E'
repo r4; cd r4
bad >a.c; bad >b.c; git add .; git commit -qnm old
git rm -q a.c; passes git commit -m 'delete'
good g >>b.c; git add b.c; passes git commit -m 'edit elsewhere'
bad h >>b.c; git add b.c; refused git commit -m 'once more'
E

try 'a dependency: in package.json, and behind an alias' <<'E'
repo r5; cd r5
echo '{"dependencies": {"pg": "8.0.0"}}' >package.json; git add .; passes git commit -m pg
echo '{"dependencies": {"pg": "8.0.0", "mysql2": "3.0.0"}}' >package.json; git add .
refused git commit -m mysql
grep -q 'package.json:1' "$T/said"
echo '{"dependencies": {"pg": "8.0.0", "db": "npm:mysql2@3.0.0"}}' >package.json; git add .
refused git commit -m alias
E

# ---- ways to commit ----

try 'commit -a: stopped, and the index is not touched' <<'E'
repo a; cd a
good >a.c; git add .; git commit -qm one
bad >a.c
refused git commit -am x
git diff --cached --quiet
good g >a.c; passes git commit -am y
E

try 'commit -- PATH: its content in the working tree is judged' <<'E'
repo b; cd b
good >a.c; git add .; git commit -qm one
good g >a.c; git add a.c; bad >a.c
refused git commit -m x -- a.c
E

long 'commit -- PATH of another file while a bad one is staged: passes without it' <<'E'
repo c; cd c
good >a.c; git add .; git commit -qm one
bad >b.c; git add b.c; good g >a.c
passes git commit -m x -- a.c
fails 128 git cat-file -e HEAD:b.c
refused git commit -m y
E

try 'commit -i: stopped' <<'E'
repo d; cd d
good >a.c; git add .; git commit -qm one
good g >b.c; git add b.c; bad >a.c
refused git commit -im x a.c
E

try 'a part of a file: the good hunk passes, the bad hunk is stopped' <<'E'
repo e; cd e
seq 40 | sed 's|.*|/* & */|' >a.c; git add .; git commit -qm one
sed -e '2s/.*/int good;/' a.c >n; git diff --no-index a.c n | sed 's,/n$,/a.c,' >../good.patch || :
sed -e '38s/.*/int x = forbidden_call();/' a.c >n
git diff --no-index a.c n | sed 's,/n$,/a.c,' >../bad.patch || :
rm n
git apply ../bad.patch ../good.patch
git apply --cached ../good.patch
passes git commit -m 'good hunk'
git apply --cached ../bad.patch
refused git commit -m 'bad hunk'
E

try 'commit -p: the chosen hunk is judged' <<'E'
cd e; git reset -q --hard; git apply ../bad.patch
echo y >../yes
refused sh -c 'git commit -p -m x <../yes'
E

try 'amend: what it adds is judged; the message alone is free' <<'E'
repo f; cd f
good >a.c; git add .; git commit -qm one
bad >b.c; git add .
refused git commit --amend --no-edit
git rm -qf b.c
passes git commit --amend -m 'other words'
E

long 'rename and edit: the old call is not new, a second one is' <<'E'
repo g; cd g
{ seq 40 | sed 's|.*|/* & */|'; bad; } >a.c; git add .; git commit -qnm old
git mv a.c b.c; passes git commit -m 'rename'
git mv b.c c.c; bad g >>c.c; git add .
refused git commit -m 'rename and edit'
E

long 'a file that becomes one that the rule is about: stopped' <<'E'
repo g2; cd g2
bad >a.txt; git add .; passes git commit -m text
git mv a.txt a.c
refused git commit -m code
E

try 'intent to add is not in the commit; commit -a takes it' <<'E'
repo h; cd h
good >a.c; git add a.c; bad >b.c; git add -N b.c
passes git commit -m x
refused git commit -am y
E

try 'a mode change alone passes' <<'E'
repo i; cd i
bad >a.c; git add .; git commit -qnm old
git update-index --chmod=+x a.c; passes git commit -m mode
E

long 'another index: GIT_INDEX_FILE' <<'E'
repo j; cd j
good >a.c; git add a.c; bad >a.c
(
	GIT_INDEX_FILE=$PWD/../other-index
	export GIT_INDEX_FILE
	git read-tree HEAD; git add a.c
	refused git commit -m x
)
passes git commit -m y
E

try 'GIT_DIR and GIT_WORK_TREE apart' <<'E'
repo k; mv k/.git k.git; mkdir elsewhere
bad >k/a.c
export GIT_DIR="$PWD/k.git" GIT_WORK_TREE="$PWD/k"
cd elsewhere
git add "$GIT_WORK_TREE/a.c"
refused git commit -m x
good >"$GIT_WORK_TREE/a.c"; git add "$GIT_WORK_TREE/a.c"
passes git commit -m y
E

try 'from a folder below the top' <<'E'
repo k2; cd k2; mkdir -p d/e; cd d/e
bad >a.c; git add a.c
refused git commit -m x
E

# ---- kinds of files ----

try 'a NUL byte makes no source code binary; a picture is not named' <<'E'
repo l; cd l
printf 'forbidden_call(\0)' >a.c; git add .
refused git commit -m x
grep -q 'a.c:1:1' "$T/said"
git rm -qf a.c; printf 'forbidden_call(\0)' >a.png; git add .
passes git commit -m x
fails 1 grep -e 'not judged' -e a.png: "$T/said"
E

long 'a symbolic link is not code, whatever its text' <<'E'
repo m; cd m
ln -s 'forbidden_call(1)' a.c; git add .
passes git commit -m x
rm a.c; bad >a.c; git add a.c
refused git commit -m 'a file now'
E

long 'a submodule is not entered, and judges its own commits' <<'E'
repo inner; repo outer
(cd inner && bad >a.c && git add . && git commit -qnm bad)
cd outer
git -c protocol.file.allow=always submodule -q add "$PWD/../inner" sub
passes git commit -m 'submodule'
cd sub
ikm hook install >/dev/null
bad g >b.c; git add b.c
refused git commit -m x
good >b.c; git add b.c
passes git commit -m y
E

long 'names with quotes, line breaks and bytes that are not UTF-8' <<'E'
repo n; cd n
for name in "$(printf 'a"b.c')" "$(printf "a'b.c")" "$(printf 'a\nb.c')" "$(printf 'a\377b.c')" \
	"$(printf 'a\tb\\c.c')" ' a b .c' '-a.c' 'ä.c'; do
	bad >"./$name"; git add "./$name"
	refused git commit -m x
	good >"./$name"; git add "./$name"
	passes git commit -m y
done
E

long 'CRLF and clean filters: what is recorded is judged' <<'E'
repo o; cd o
git config filter.swap.clean 'sed s/harmless/forbidden_call/'
git config filter.swap.smudge 'sed s/forbidden_call/harmless/'
echo '*.c filter=swap' >.git/info/attributes
echo 'int x = harmless(1);' >a.c; git add a.c
refused git commit -m x
git rm -qf a.c
echo '*.c text eol=crlf' >.git/info/attributes
printf 'int x;\r\nint y = forbidden_call(1);\r\n' >a.c; git add a.c
refused git commit -m y
grep -q 'a.c:2:9' "$T/said"
E

# ---- kinds of repositories ----

try 'the first commit, and its own decision' <<'E'
git init -q -b main unborn; cd unborn
ikm hook install >/dev/null
mkdir -p .knowledge/adrs; cp ../r/.knowledge/adrs/*.md .knowledge/adrs
bad >a.c; git add .
refused git commit -m first
good >a.c; git add .
passes git commit -m first
E

try 'without any knowledge: quiet' <<'E'
git init -q -b main none; cd none
ikm hook install >/dev/null
bad >a.c; git add .
git commit -qm first >../out 2>&1
same '' "$(cat ../out)"
E

long 'a linked worktree has the same hooks' <<'E'
repo p; cd p
git worktree add -q ../p2; cd ../p2
bad >a.c; git add .
refused git commit -m x
good >a.c; git add .
passes git commit -m y
E

long 'a sparse checkout with a sparse index' <<'E'
repo q; cd q
mkdir in out; good >in/a.c; good >out/b.c; git add .; git commit -qm files
git sparse-checkout set --cone --sparse-index in .knowledge
[ ! -e out/b.c ]
bad g >in/a.c; git add in/a.c
refused git commit -m x
good g >in/a.c; git add in/a.c
passes git commit -m y
git cat-file -e HEAD:out/b.c
E

long 'a split index' <<'E'
repo s; cd s
good >a.c; git add .; git commit -qm one
git update-index --split-index
bad g >b.c; git add .
refused git commit -m x
good g >b.c; git add .
passes git commit -m y
E

long 'index versions 2 to 4, and the untracked cache' <<'E'
repo t; cd t
for v in 4 3 2; do
	git update-index --index-version $v --untracked-cache
	bad "v$v" >b.c; git add .
	refused git commit -m x
	good "v$v" >b.c; git add .
	passes git commit -m "$v"
done
E

long 'a sha256 repository' <<'E'
repo u --object-format=sha256; cd u
bad >a.c; git add .
refused git commit -m x
good >a.c; git add .
passes git commit -m y
E

# ---- commits that are made otherwise ----

try 'merge: pre-merge-commit stops what the other side brings' <<'E'
repo v; cd v
git checkout -qb side; bad >a.c; git add .; git commit -qnm bad
git checkout -q main; good >b.c; git add .; git commit -qm good
head=$(git rev-parse HEAD)
fails 1 git merge --no-edit side >../said 2>&1
grep -q 'the merge was stopped' ../said
same "$head" "$(git rev-parse HEAD)"
git merge --abort
same '' "$(git status --porcelain)"
git checkout -q side; good >a.c; git commit -qam mended; git checkout -q main
passes git merge --no-edit side
E

long 'merge with a conflict: the commit that ends it is judged' <<'E'
repo w; cd w
good >a.c; git add .; git commit -qm one
git checkout -qb side; good side >a.c; git commit -qam side
git checkout -q main; good main >a.c; git commit -qam main
fails 1 git merge side >/dev/null
bad both >a.c; git add a.c
refused git commit --no-edit
good both >a.c; git add a.c
passes git commit --no-edit
E

try 'cherry-pick, revert, rebase and am have no such hook: the push sees them' <<'E'
repo x; git init -q --bare x.git; cd x
git remote add origin ../x.git
bad >a.c; git add .; git commit -qnm bad; git tag bad
git rm -q a.c; git commit -qm mended
git push -q origin main
base=$(git rev-parse HEAD)
for way in 'cherry-pick bad' 'revert --no-edit HEAD' 'rebase -q --onto main bad~1 bad' 'am -q'; do
	git checkout -q -B work "$base"
	case $way in
	am*) git format-patch -1 --stdout bad | git $way ;;
	rebase*) git checkout -q -B work bad; git rebase -q --onto "$base" bad~1 ;;
	*) git $way >/dev/null ;;
	esac
	git grep -q forbidden_call HEAD -- '*.c'
	refused git push origin HEAD:refs/heads/work
	fails 2 git ls-remote --exit-code -q origin refs/heads/work
done
E

long 'a commit that skipped the hook is stopped at the push' <<'E'
cd x; git checkout -q -B skip "$(git rev-parse main)"
bad g >b.c; git add .
passes git commit -nm skipped
refused git push origin HEAD:refs/heads/skip
IKM_HOOKS=0 git push -q origin HEAD:refs/heads/skip 2>../said
grep -q 'IKM_HOOKS=0: pre-push was skipped' ../said
E

# ---- the judge itself ----

try 'no change switches off its own judge' <<'E'
repo y; cd y
git rm -q .knowledge/adrs/*.md; bad >a.c; git add .
refused git commit -m 'rule away, call in'
git reset -q --hard
sed -i 's/^status: accepted/status: deprecated/' .knowledge/adrs/*.md; bad >a.c; git add .
refused git commit -m 'rule retired, call in'
good >a.c; git add a.c
passes git commit -m 'rule retired'
bad >a.c; git add a.c
passes git commit -m 'call in'
E

try 'broken knowledge in the change stops it, with file and line' <<'E'
repo z; cd z
printf -- '---\nstatus: accepted\nconstraints: [{operator: must_not_use, target: code\n---\n# x\n' \
	>.knowledge/adrs/0002-broken.md
git add .
fails 1 git commit -m x 2>../said
grep -q '0002-broken.md:' ../said
E

try 'trouble stops the commit, and the message says how to continue' <<'E'
cd z; git reset -q --hard
mkdir -p .ikm; echo '{"knowledge": {"requires": ["org"]}}' >.ikm/config.json
good >a.c; git add .
fails 1 git commit -qm x 2>../said
grep -q "'org'\|org" ../said
grep -q 'IKM_HOOKS=0 git commit' ../said
IKM_HOOKS=0 git commit -qm x 2>../said
grep -q 'IKM_HOOKS=0: pre-commit was skipped' ../said
E

long 'nothing in the repository changes through the hook, not even a time' <<'E'
repo aa; cd aa
good >a.c; git add .; git commit -qm one
rm .git/hooks/pre-commit
cat >.git/hooks/pre-commit <<'H'
#!/bin/sh
. "$TOP/t/hook.sh"
snapshot . >../before
ikm hook run pre-commit
rc=$?
snapshot . >../after
exit $rc
H
chmod +x .git/hooks/pre-commit
bad >b.c; git add b.c; good g >b.c; touch -d '2001-01-01' a.c
fails 1 git commit -qm x 2>/dev/null
[ -s ../before ]
diff -u ../before ../after
good >c.c; git add b.c c.c
git commit -qm y
diff -u ../before ../after
E

long 'killed in the middle: nothing is touched, and the next commit works' <<'E'
repo bb; cd bb
ikm hook uninstall >/dev/null
mkfifo ../begun ../go
cat >.git/hooks/pre-commit <<'H'
#!/bin/sh
echo $PPID >../begun
read x <../go
H
chmod +x .git/hooks/pre-commit
ikm hook install >/dev/null
good >a.c; git add .
before=$(state)
git commit -qm x >../said 2>&1 &
git=$!
read pid <../begun
kill -9 "$pid"
fails 1 wait $git
echo >../go
same "$before" "$(state)"
[ ! -e .git/index.lock ]
git fsck --strict
git commit -qm x >../said 2>&1 & git=$!
read pid <../begun; echo >../go
wait $git
git cat-file -e HEAD:a.c
E
done_testing
