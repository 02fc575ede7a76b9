#!/bin/sh
# pre-receive: a server judges what a push brings, before Git accepts it. Plain git makes every
# push, from clones without hooks.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

# A bare repository with the hook, and a clone of it that pushed its first commit.
server() { # NAME [OPTION of git init…]
	server_name=$1
	shift
	cd "$T/w"
	rm -rf "$server_name" "$server_name.git"
	git init -q --bare -b main "$@" "$server_name.git"
	ikm hook install --server "$server_name.git" >/dev/null
	git init -q -b main "$@" "$server_name"
	cd "$server_name"
	git remote add origin "../$server_name.git"
	decide .
	git push -q origin main
}
again() { cd "$T/w/$1"; server_name=$1; } # NAME: a server of a test before
door() { # install, uninstall
	ikm hook "$1" --server "../$server_name.git" >/dev/null
}
theirs() { git ls-remote -q origin; }
stopped() { # cmd: is stopped by the server, which keeps its refs and objects
	had=$(theirs)
	rc=0
	"$@" >"$T/said" 2>&1 || rc=$?
	[ "$rc" != 0 ] || { echo "'$*' was not stopped:"; cat "$T/said"; return 1; }
	grep -q 'remote: .*the push was stopped' "$T/said" || { cat "$T/said"; return 1; }
	grep -q 'pre-receive hook declined' "$T/said"
	same "$had" "$(theirs)"
	same '' "$(find "../$server_name.git/objects" -name '*incoming*')"
}
quiet() { # cmd: works, and the server says nothing
	"$@" >"$T/said" 2>&1 || { echo "'$*' failed:"; cat "$T/said"; return 1; }
	same '' "$(grep remote: "$T/said" || :)"
}
commit() { # FILE FUNCTION bad|good
	"$3" "$2" >>"$1"
	git add "$1"
	git commit -qm "$1"
}

try 'a push that breaks a rule is stopped, with the decision, the place and the next step' <<'E'
server a
commit good.c f good
quiet git push -q origin main
commit bad.c f bad
stopped git push origin main
cat >../want <<'WANT'
remote: block No forbidden calls, and PostgreSQL only
remote:   where       bad.c:3:9  forbidden_call(
remote:   reason      It breaks under load.
remote:   use instead allowed_call
WANT
grep remote: "$T/said" | sed 's/ *$//' | head -n 4 | diff -u ../want -
grep -q 'next: fix it in a new commit, or amend, and push again' "$T/said"
fails 1 grep -q 'no-verify' "$T/said"
same '' "$(tr -d '[:print:][:space:]' <"$T/said")"
E

try 'the net change counts: mended in a later commit, it passes' <<'E'
again a
good >bad.c; git commit -qam mended
quiet git push -q origin main
E

long 'objects in the quarantine are found: loose, in a pack, and checked by fsck' <<'E'
again a
for setting in receive.unpackLimit=1 transfer.fsckObjects=true receive.unpackLimit=10000; do
	git -C ../a.git config "${setting%=*}" "${setting#*=}"
	commit bad.c f bad
	stopped git push origin main
	git reset -q --hard HEAD~1
	commit good.c "f${setting#*=}" good
	quiet git push -q origin main
done
E

long 'the first push: the whole tree is judged, and all of it counts' <<'E'
server_name=first
git init -q --bare -b main first.git
ikm hook install --server first.git >/dev/null
git init -q -b main first; cd first; git remote add origin ../first.git
decide .
bad >a.c; bad g >b.c; git add .; git commit -qm bad; commit c.c f good
stopped git push origin main
grep -q 'a.c:3' "$T/said"; grep -q 'b.c:3' "$T/said"
good >a.c; good >b.c; git commit -qam mended
quiet git push -q origin main
E

long 'a new branch is judged against where it left the branches here' <<'E'
again a
git checkout -qb new; commit new.c f good
quiet git push -q origin new
commit new2.c f bad
stopped git push origin new
stopped git push origin new:other
git checkout -q main
E

more 'what the default branch has is not told again: a finding from before the hook' <<'E'
server old
door uninstall; commit was.c f bad; git push -q origin main; door install
commit a.c f good
quiet git push -q origin main
git checkout -qb side; commit b.c f good
quiet git push -q origin side
git checkout -qb feature main~2; commit c.c f good
quiet git push -q origin feature
git merge -q --no-edit main
quiet git push -q origin feature
commit d.c f bad
stopped git push origin feature
fails 1 grep -q was.c "$T/said"
E

more 'a finding of another branch counts when the default branch gets it' <<'E'
again old
git checkout -qb theirs main; commit e.c f bad
door uninstall; git push -q origin theirs; door install
git checkout -q main; git merge -q --ff-only theirs
stopped git push origin main
quiet git push -q origin theirs:theirs2
git reset -q --hard origin/main
E

more 'a forced push is judged against the old tip and the default branch' <<'E'
server f
git checkout -qb feature; commit a.c f good; git push -q origin feature
git reset -q --hard main; commit b.c f good
quiet git push -qf origin feature
git reset -q --hard main; commit c.c f bad
stopped git push -f origin feature
git checkout -q main
E

more 'unrelated history: the whole tree is judged, and told' <<'E'
again f
git checkout -q --orphan alone; git rm -rqf .
decide .; git commit -q --amend -m 'another root'
bad >x.c; git add .; git commit -qm alone
stopped git push origin alone
grep -q 'refs/heads/alone: no branch here shares a commit with it, so the whole tree' "$T/said"
good >x.c; git add .; git commit -q --amend -m alone
git push -q origin alone 2>"$T/said"
grep -q 'refs/heads/alone: no branch here shares a commit with it, so the whole tree' "$T/said"
git checkout -q main
E

more 'unrelated history without decisions: those of the default branch judge it, in each push' <<'E'
again f
git checkout -q --orphan pages; git rm -rqf .
bad >x.c; git add .; git commit -qm pages
stopped git push origin pages
grep -q 'x.c:3:9' "$T/said"
grep -q "this history shares no commit with 'main', so the rules of 'main' judge all of it" "$T/said"
not grep -e 'check.retire' -e 'no knowledge' "$T/said"
good >x.c; git add .; git commit -q --amend -m pages
git push -q origin pages 2>"$T/said"
grep -q 'refs/heads/pages: no branch here shares a commit with it, so the whole tree' "$T/said"
commit y.c f good
git push -q origin pages
commit z.c f bad
stopped git push origin pages
# It retires the rule by itself, which the default branch has not.
git reset -q --hard HEAD~1
decide .; sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md
git commit -qam retire; git push -q origin pages 2>/dev/null
commit z.c f bad
stopped git push origin pages
git checkout -q main
E

more 'the branch that HEAD names is made, and another stood in for it' <<'E'
server stand
git -C ../stand.git symbolic-ref HEAD refs/heads/master
git checkout -qb side; sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md
git commit -qam retire; commit use.c f bad
stopped git push origin side:main
stopped git push origin side:master
git push -q origin side~1:refs/heads/side 2>/dev/null
stopped git push origin side:master
none=$(git commit-tree -m none "$(git mktree </dev/null)")
stopped git push origin "$none:refs/heads/master"
grep -q 'lost 0001-calls-and-databases' "$T/said"
git push -q origin side~1:refs/heads/master 2>/dev/null
quiet git push -q origin side:master
E

more 'without a default branch no rule is retired, until HEAD names one' <<'E'
server trunk
git -C ../trunk.git symbolic-ref HEAD refs/heads/none
git push -q origin main:trunk main:other :main 2>/dev/null
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; git commit -qam retire
stopped git push origin main:trunk
grep -q 'no rule that blocks can be retired or edited' "$T/said"
stopped git push origin main:new
git -C ../trunk.git symbolic-ref HEAD refs/heads/trunk
git push -q origin main:trunk 2>/dev/null
commit use.c f bad
quiet git push -q origin main:trunk
E

more 'tags: annotated and light, on a commit, a tree and a single object' <<'E'
again f
commit t.c f bad
git tag light; git tag -am heavy heavy; git tag -am twice twice heavy
for tag in light heavy twice; do stopped git push origin $tag; done
git tag blob "$(git rev-parse HEAD:t.c)"
git push -q origin blob 2>"$T/said"
grep -q 'refs/tags/blob: not judged: it names a single object' "$T/said"
grep -q 'nothing was judged' "$T/said"
git tag tree "$(git rev-parse 'HEAD^{tree}')"
stopped git push origin tree
grep -q t.c:3 "$T/said"
git reset -q --hard HEAD~1
git tag good; quiet git push -q origin good
git tag -fam x good HEAD >/dev/null
quiet git push -qf origin good
E

more 'deletes and refs of other kinds: not judged, and told' <<'E'
again f
git push -q origin HEAD:refs/heads/gone
git push -q origin :gone 2>"$T/said"
same 'remote: refs/heads/gone: not judged: it is deleted, so there is nothing to judge' \
	"$(grep gone: "$T/said" | sed 's/ *$//')"
git notes add -m note
git push -q origin refs/notes/commits 2>"$T/said"
grep -q 'refs/notes/commits: not judged: it is neither a branch nor a tag' "$T/said"
# A commit that came in so is judged when a branch gets it.
git checkout -q --detach; commit n.c f bad
git push -q origin HEAD:refs/hidden/n 2>/dev/null
stopped git push origin HEAD:refs/heads/n
git checkout -q main
E

more 'replacements of objects: refused, and those that are here hide no commit' <<'E'
server replace
main=$(git rev-parse HEAD)
commit b.c f bad
bad=$(git rev-parse HEAD)
with=$(git commit-tree -p "$bad" -m x "$bad^{tree}")
git update-ref "refs/replace/$main" "$with"
stopped env GIT_NO_REPLACE_OBJECTS=1 git push origin "refs/replace/$main"
grep -q "refs/replace/$main: a replacement makes git show other commits" "$T/said"
grep -q 'the push was stopped; nothing was judged *$' "$T/said"
not grep -e 'no knowledge' -e 'fix it' "$T/said"
door uninstall; GIT_NO_REPLACE_OBJECTS=1 git push -q origin "refs/replace/$main"; door install
for to in heads/new tags/v1 heads/main; do
	stopped env GIT_NO_REPLACE_OBJECTS=1 git push origin "$bad:refs/$to"
done
git push -q origin ":refs/replace/$main" 2>"$T/said"
grep -q "refs/replace/$main: not judged: it is deleted" "$T/said"
E

more 'decisions at a ref that all branches read: a push there loses no rule' <<'E'
server source
git push -q origin main:know
git rm -rqf .knowledge; mkdir .ikm
echo '{"knowledge": {"sources": [{"path": ".knowledge", "ref": "refs/heads/know"}]}}' >.ikm/config.json
git add .; git commit -qm settings
door uninstall; git push -q origin main; door install
git checkout -q --detach main~1
commit a.c f good; quiet git push -q origin HEAD:know
git rm -rqf .knowledge; git commit -qm wipe
stopped git push origin HEAD:know
grep -q 'lost 0001-calls-and-databases' "$T/said"
tr '\n' ' ' <"$T/said" | sed 's/remote: *//g' | tr -s ' ' >../said
grep -q 'refs/heads/know: the default branch reads decisions from this ref' ../said
stopped git push -f origin main:know
stopped git push origin :know
git checkout -q --detach HEAD~1
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; git commit -qam retire
git push -q origin HEAD:know 2>"$T/said"
grep -q 'retired 0001-calls-and-databases' "$T/said"
grep -q 'the default branch reads decisions' "$T/said"
E

more 'several refs: one report, each finding once, and which are stopped' <<'E'
server m
git checkout -qb one; commit one.c f bad
git checkout -qb two; commit two.c f bad
git checkout -qb three main; commit three.c f good
stopped git push origin one two three one:four
same 1 "$(grep -c 'one.c:3' "$T/said")"
same 1 "$(grep -c 'two.c:3' "$T/said")"
grep -q 'remote: refs/heads/one: 1 blocking' "$T/said"
grep -q 'remote: refs/heads/two: 2 blocking' "$T/said"
grep -q 'remote: refs/heads/four: 1 blocking' "$T/said"
fails 1 grep -q 'heads/three:' "$T/said"
quiet git push -q origin three
E

more 'rules that a push would lose, and broken knowledge anywhere, stop it' <<'E'
server k
git rm -q .knowledge/adrs/*; good >a.c; git add .; git commit -qm lost
stopped git push origin main
grep -q 'lost 0001-calls-and-databases' "$T/said"
git reset -q --hard HEAD~1
printf -- '---\nstatus: accepted\nconstraints: [{operator: nonsense}]\n---\n# Broken\n' \
	>.knowledge/adrs/0002-broken.md
git add .; git commit -qm broken
door uninstall; git push -q origin main; door install
commit a.c f good
stopped git push origin main
grep -q 'broken knowledge (blocks) .knowledge/adrs/0002-broken.md' "$T/said"
git rm -q .knowledge/adrs/0002-broken.md; git commit -qm mended
git push -q origin main
E

more 'rules that go in commits of their own: one walk finds the commits of all' <<'E'
server walk
for i in $(seq 100 120); do
	printf -- '---\nstatus: accepted\nconstraints: [{operator: must_not_use, target: code, pattern: x%d}]\n---\n# x\n' "$i" \
		>".knowledge/adrs/0$i-x.md"
done
git add .; git commit -qm more; git push -q origin main
old=$(git rev-parse HEAD)
for i in $(seq 100 120); do git rm -q ".knowledge/adrs/0$i-x.md"; git commit -qm "$i"; done
echo "$old $(git rev-parse HEAD) refs/heads/main" >../lines
mkdir ../counted
printf '#!/bin/sh\necho >>"%s"\nexec "%s" "$@"\n' "$T/git.calls" "$(command -v git)" >../counted/git
chmod +x ../counted/git
git rev-list "$old.." | sort >../ids
PATH=$T/w/counted:$PATH ikm check --receive --json <../lines >../got || :
jq -r '.ruleChanges[] | select(.change == "lost").commit' ../got | sort | diff ../ids -
[ "$(wc -l <"$T/git.calls")" -le 6 ]
E

more 'what a blocking rule cannot look into stops it, whatever the repository says' <<'E'
server u
mkdir .ikm; echo '{"check": {"unjudged": "warn"}}' >.ikm/config.json
sed -i 's/\[package.json\]/["*.toml"]/' .knowledge/adrs/*.md
sed -i 's/pattern: mysql.mysql2/pattern: pg/' .knowledge/adrs/*.md
git add .; git commit -qm settings
door uninstall; git push -q origin main; door install
printf '[project]\nname = "x"\nversion = "1"\ndependencies = ["@ git+https://x.example/y"]\n' \
	>pyproject.toml
ln -s /dev/null Cargo.toml
git add .; git commit -qm x
stopped git push origin main
grep -q 'not judged (blocks): Cargo.toml' "$T/said"
E

more 'a retirement, and what it forbade, in one commit' <<'E'
server r
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; commit a.c f bad
git commit -qam both --amend
stopped git push origin main
E

more 'a change of mind: the default branch wants the retirement first, another does not' <<'E'
server mind
sed -i 's/status: accepted/status: deprecated/' .knowledge/adrs/*.md; git commit -qam retire
commit use.c f bad
stopped git push origin main
tr '\n' ' ' <"$T/said" | sed 's/remote: *//g' | tr -s ' ' >../said
grep -q "push that commit alone first: git push origin COMMIT:refs/heads/main (it is the server's default branch)" ../said
fails 1 grep -q 'check.retire' ../said
git push -q origin main:feature 2>"$T/said"
grep -q 'remote: .*retired' "$T/said"
git push -q origin HEAD~1:main 2>"$T/said"
quiet git push -q origin main
E

more 'HEAD names no branch: main stands in and it is told; else whole trees' <<'E'
server h
git -C ../h.git symbolic-ref HEAD refs/heads/master
git checkout -qb feature; commit a.c f good
git push -q origin feature 2>"$T/said"
tr -d '\n' <"$T/said" >../said
grep -q "HEAD names 'refs/heads/master', which does not exist, so 'main' counts" "$T/said"
grep -q 'git symbolic-ref HEAD refs/heads/main' "$T/said"
commit b.c f bad
stopped git push origin feature
git reset -q --hard HEAD~1
git checkout -q -b trunk main; commit was.c f bad
door uninstall; git push -q origin trunk :main 2>/dev/null; door install
commit c.c f good
stopped git push origin trunk
grep -q 'no branch is the default branch and whole trees are judged' "$T/said"
grep -q 'was.c:3' "$T/said"
git -C ../h.git symbolic-ref HEAD refs/heads/trunk
quiet git push -q origin trunk
E

more 'the decisions of the server: its own configuration, and a layer that is required' <<'E'
server s
mkdir -p "$HOME/.ikigai" ../org/adrs
sed 's/forbidden_call/org_call/; s/mysql|mysql2/nothing/' .knowledge/adrs/*.md >../org/adrs/org.md
echo "{\"knowledge\": {\"sources\": [{\"layer\": \"org\", \"path\": \"$T/w/org\"}]}}" \
	>"$HOME/.ikigai/config.json"
printf 'int f(void) { return org_call(); }\n' >a.c; git add .; git commit -qm x
stopped git push origin main
grep -q 'a.c:1' "$T/said"
rm "$HOME/.ikigai/config.json"
mkdir .ikm; echo '{"knowledge": {"requires": ["org"]}}' >.ikm/config.json
git add .; git commit -qm y
fails 1 git push origin main 2>"$T/said"
grep -q 'remote: .*org' "$T/said"
grep -q 'remote: .*the server could not check it' "$T/said"
E

more 'a repository of SHA-256 ids, and a push from a shallow clone' <<'E'
server sha --object-format=sha256
commit a.c f good; quiet git push -q origin main
commit b.c f bad; stopped git push origin main
stopped git push origin main:new
server shallow
commit a.c f good; commit b.c f good; quiet git push -q origin main
git clone -q --depth 1 "file://$T/w/shallow.git" ../shallow2; cd ../shallow2
commit c.c f bad; stopped git push origin main
good >c.c; git commit -qam mended; quiet git push -q origin main
E

more 'nothing is written, and pushes at once do not disturb one another' <<'E'
server c
snapshot ../c.git | grep -v ' d ' >../before
commit a.c f bad; stopped git push origin main
snapshot ../c.git | grep -v ' d ' | diff -u ../before -
git reset -q --hard HEAD~1
commit a.c f good
pids=
for i in 1 2 3 4 5 6; do
	git branch b$i
	git push -q origin b$i 2>../said$i &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
same 7 "$(git ls-remote -q origin 'refs/heads/*' | wc -l)"
same '' "$(cat ../said?)"
E

more 'by hand: the lines of Git, as JSON too; other lines are named' <<'E'
again c
old=$(git rev-parse HEAD~1) zero=0000000000000000000000000000000000000000
commit bad.c f bad; new=$(git rev-parse HEAD)
printf '%s\n' "$old $new refs/heads/main" "$old $zero refs/heads/x" >../lines
fails 1 ikm check --receive --json <../lines >../got
same '[["refs/heads/main","judged",true,1],["refs/heads/x","deleted",false,0]]' \
	"$(jq -c '[.refs[] | [.ref, .action, .default, .block]]' ../got)"
same '1 false bad.c' "$(jq -r '"\(.summary.block) \(.passed) \(.violations[0].location.file)"' ../got)"
fails 1 ikm check --range HEAD~1.. --json >../got
same false "$(jq 'has("refs")' ../got)"
for line in nonsense "$old $new" "$old $new main" "$old  $new refs/heads/main"; do
	echo "$line" >../line
	fails_for BAD_ARGUMENT ikm check --receive <../line 2>../err
	grep -qF "'$line' is no line of a pre-receive hook's input" ../err
done
echo "$old 1234567812345678123456781234567812345678 refs/heads/main" >../line
fails_for GIT_FAILED ikm check --receive <../line 2>../err
fails_for BAD_ARGUMENT ikm check --receive --staged <../lines 2>../err
mkdir ../none; cd ../none
GIT_CEILING_DIRECTORIES=$T
export GIT_CEILING_DIRECTORIES
fails_for NO_REPOSITORY ikm check --receive <../lines 2>../err
E
more 'two pushes to a branch grant no exception; the default branch must have it' <<'E'
server grant
git checkout -q -b feature
mkdir .ikm
{
	printf -- '- item: 1\n  paths: "*"\n  reason: r\n  owner: Ada\n'
	echo "  expires: $(date -u -d '+30 days' +%F)"
} >.ikm/waivers.yaml
git add -A; git -c core.hooksPath=/dev/null commit -qm exception
git push -q origin feature
commit allowed.c f bad
stopped git push origin feature
grep -q 'no change brings its own exception; it is merged first' "$T/said"
stopped git push origin HEAD:other
git push -q origin HEAD~1:main
git push -q origin feature
E

done_testing
