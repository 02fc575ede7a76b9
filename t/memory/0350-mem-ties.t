#!/bin/sh
# Memories tied to Git: the files that they speak of, and the branch on which they were made. Git is
# the referee of commits and branches.
. "$(dirname "$0")/../lib.sh"

fresh() { # a repository with two files, and an empty store
	rm -rf "$HOME/.ikigai" "$T/w/r"
	git init -q -b main "$T/w/r"
	cd "$T/w/r"
	seq 1 20 | sed 's/^/line /' >a.c
	mkdir src
	echo 'int x;' >src/x.c
	git add -A
	git commit -qm one
}
changes() { ikm mem search parser --json | jq -c "[.results[0].changes // [] | .[] | $1]"; }
add() { ikm mem add "$@" | cut -c1-30; }
short() { git rev-parse HEAD | cut -c1-7; }
branch() { ikm mem search parser --json | jq -r '.results[0].branch // "none"'; }

long 'a file: unchanged, changed in the working tree, and in a commit' <<'E'
fresh
id=$(add 'The parser is in x.c' --file src/x.c)
same '[]' "$(changes .note)"
same "src/x.c $(sha256sum <src/x.c | cut -c1-64) $(git rev-parse HEAD)" \
	"$(ikm mem show "$id" --json | jq -r '.memory.files[0] | "\(.path) \(.hash[7:]) \(.commit)"')"
echo 'int y;' >src/x.c
same '["src/x.c has changed since (uncommitted)"]' "$(changes .note)"
git commit -qam two
two=$(short)
echo 'int z;' >src/x.c
git commit -qam three
same "[\"src/x.c has changed since (commit $two)\"]" "$(changes .note)"
ikm mem search parser | grep -q '(stale) The parser'
fails 1 ikm mem search parser --strict 2>err
same 'left out 1 memory that speaks of files that have changed
no current memory in this search has a word of the query' "$(cat err)"
same 'left out 1 memory that speaks of files that have changed' \
	"$(echo '{"query": "parser", "strict": true}' | ikm call memory_search | jq -r .note)"
same null "$(ikm mem search parser --json | jq .note)"
same "$id" "$(ikm mem list --stale --json | jq -r '.memories[].memoryId')"
ikm mem mark "$id" checked >out
ikm mem list --stale 2>err
same '[]' "$(changes .note)"
ikm mem search parser --strict | grep -q "$id"
E

long 'a check is in the record and can be undone; a repeat adds its files' <<'E'
fresh
id=$(add 'The parser is in x.c' --file src/x.c)
echo 'int y;' >src/x.c
ikm mem mark "$id" checked --json >out
same '["check",["files"],1]' \
	"$(ikm mem history "$id" --json | jq -c '.history[-1] | [.op, .changed, (.before.files | length)]')"
ikm events undo "$(jq -r .event out)" >undone
same '["src/x.c has changed since (uncommitted)"]' "$(changes .note)"
ikm mem add 'The parser is in x.c' --file src/x.c --file a.c --json >out
same '[true,["files"]]' "$(jq -c '[.existing, .merged]' out)"
same '["src/x.c","a.c"]' "$(ikm mem show "$id" --json | jq -c '[.memory.files[].path]')"
same '[]' "$(changes .note)"
same null "$(ikm mem add 'The parser is in x.c' --file a.c --json | jq -c .merged)"
E

long 'lines are found again where they moved, and CRLF is no change' <<'E'
fresh
id=$(add 'The parser is on lines 5 to 8' --file a.c:5:8 --file a.c:20)
sed -i '1i first' a.c
same '["a.c:5:8 moved a.c:6:9","a.c:20:20 moved a.c:21:21"]' \
	"$(changes '"\(.path):\(.lines) \(.state) \(.now)"')"
same null "$(ikm mem search parser --json | jq '.results[0].stale')"
ikm mem mark "$id" checked >out
same '["6:9","21:21"]' "$(ikm mem show "$id" --json | jq -c '[.memory.files[].lines]')"
sed -i 's/$/\r/' a.c
same '[]' "$(changes .note)"
sed -i 's/line 7/line seven/' a.c
same '["changed"]' "$(changes .state)"
# They are elsewhere in the last commit, and only the working tree has them changed.
git checkout -q a.c
sed -i '1i zeroth\nfirst' a.c
git commit -qam moved
sed -i 's/line 7/line seven/' a.c
same 'a.c:6:9 has changed since (uncommitted)' "$(changes .note | jq -r '.[0]')"
E

try 'of several files that were renamed, each is found under its own name' <<'E'
fresh
add 'The parser is in two files' --file src/x.c --file a.c >id
git mv src/x.c src/y.c
git mv a.c b.c
same '["src/y.c","b.c"]' "$(changes .now)"
E

long 'renamed, removed, and in another repository' <<'E'
fresh
git remote add origin https://example.org/r.git
id=$(add 'The parser is in x.c' --file src/x.c)
git mv src/x.c src/y.c
same '["moved src/y.c"]' "$(changes '"\(.state) \(.now)"')"
git commit -qm rename
same '["moved src/y.c"]' "$(changes '"\(.state) \(.now)"')"
git rm -q src/y.c
same '["src/x.c was removed (uncommitted)"]' "$(changes .note)"
git commit -qm gone
same "[\"src/x.c was removed (commit $(short))\"]" "$(changes .note)"
fails_for FILE_NOT_FOUND ikm mem mark "$id" checked 2>err
git commit -q --allow-empty -m later
git rev-parse HEAD >.git/shallow
same '["src/x.c was removed (in a commit further back than ikm looks)"]' "$(changes .note)"
rm .git/shallow
cd ..
same '["unknown"]' "$(changes .state)"
ikm mem list --stale 2>err
grep -q '1 memory is not listed' err
rm -rf other
git init -q other
cd other
git commit -q --allow-empty -m other
same '["unknown"]' "$(changes .state)"
E

more 'a file with a colon in its name moves, and its lines too' <<'E'
fresh
id=$(add 'The parser is on line 2' --file a.c:2)
git mv a.c b:7:9
sed -i '1i line 0' b:7:9
git add -A
git commit -qm moved
same '["moved b:7:9:3:3"]' "$(changes '"\(.state) \(.now)"')"
ikm mem mark "$id" checked >out
same '["b:7:9","3:3"]' "$(ikm mem show "$id" --json | jq -c '.memory.files[0] | [.path, .lines]')"
E

more 'files that cannot be tied' <<'E'
fresh
while read -r reason file; do
	fails_for "$reason" ikm mem add 'x y' --file "$file" 2>err
done <<'F'
FILE_NOT_FOUND missing.c
BAD_PATH /etc/passwd
BAD_PATH .git/config
BAD_ARGUMENT a.c:19:21
BAD_ARGUMENT a.c:8:5
NOT_A_FILE src
F
cd ..
fails_for NO_REPOSITORY ikm mem add 'x y' --file w 2>err
rm -rf unborn
git init -q unborn
cd unborn
echo x >x
fails_for NO_REPOSITORY ikm mem add 'x y' --file x 2>err
grep -q 'neither a commit nor an origin' err
ikm mem list 2>err
E

more 'export and import keep the ties, and check them' <<'E'
fresh
add 'The parser is in x.c' --file src/x.c -l project >/dev/null
ikm mem export >lines
rm -rf "$HOME/.ikigai"
ikm mem import lines >out
ikm mem export >again
same "$(cat lines)" "$(cat again)"
for edit in '.files[0].path = "../x"' '.files[0].hash = "x"' '.files[0].lines = "9:1"'; do
	jq -c "$edit" lines >bad
	fails_for BAD_ARGUMENT ikm mem import bad --dry-run 2>err
done
E

more 'a memory of a branch is marked elsewhere, and a merge promotes it' <<'E'
fresh
add 'The parser has a table' -l project >/dev/null
git checkout -qb topic
git commit -q --allow-empty -m topic
add 'The parser is recursive' -l project >/dev/null
# the better one, here; behind the other, elsewhere
same '[["The parser is recursive",null],["The parser has a table",null]]' \
	"$(ikm mem search 'the parser' --json | jq -c '[.results[] | [.content, .branch]]')"
git checkout -q main
same '[["The parser has a table",null],["The parser is recursive","topic"]]' \
	"$(ikm mem search 'the parser' --json | jq -c '[.results[] | [.content, .branch]]')"
ikm mem search 'the parser' | grep -q '(branch: topic) The parser is recursive'
# said again here, it holds here
git checkout -qb again
same '["madeAt"]' "$(ikm mem add 'The parser is recursive' -l project --json | jq -c .merged)"
same '[null,null]' "$(ikm mem search 'the parser' --json | jq -c '[.results[].branch]')"
ikm events undo "$(ikm mem history "$(ikm mem list --json | jq -r '.memories[0].memoryId')" --json |
	jq -r '.history[-1].event')" >out
git checkout -q main
git merge -q --no-ff -m merge topic
same '[null,null]' "$(ikm mem search 'the parser' --json | jq -c '[.results[].branch]')"
E

more 'rebased, squashed, checked, unborn' <<'E'
fresh
git checkout -qb topic
echo t >t
git add t
git commit -qm topic
id=$(add 'The parser has a table' -l project)
git checkout -q main
git commit -q --allow-empty -m 'main goes on'
git checkout -q topic
git rebase -q main
git checkout -q main
same topic "$(branch)"
git merge -q --ff-only topic # the new commit has the same author, date and subject
same none "$(branch)"
git reset -q --hard HEAD~1
git merge -q --squash topic >out
git commit -qm 'all of topic'
same topic "$(branch)"
ikm mem mark "$id" checked >out
same none "$(branch)"
E

more "what is too far back is known from git's commit-graph" <<'E'
fresh
git checkout -qb side
git commit -q --allow-empty -m side
git checkout -q main
for i in 1 2 3 4 5; do git commit -q --allow-empty -m "$i"; done
reach() { "$BUILD/tool/git-tree" reach 3 none "$(git rev-parse HEAD~5)" "$(git rev-parse side)" | xargs; }
same 'cut cut' "$(reach)"
git commit-graph write --reachable
same 'reached cut' "$(reach)"
E
done_testing
