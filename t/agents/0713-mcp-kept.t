#!/bin/sh
# ikm mcp: the cache of a server's worker is never out of date.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$T/a/sub" "$T/b"
git init -q "$T/a"
for i in a b a/sub; do echo "$i" >"$T/$i/file"; done
cd "$T/a"
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
n=0
# Sends a single read; prints one word: the content, or the reason why not.
ask() { # PATH
	n=$((n + 1))
	echo '{"jsonrpc":"2.0","id":'$n',"method":"tools/call","params":{"name":"file_read","arguments":{"path":"'"$1"'"},'"$meta"'}}'
	echo "=wait $n"
}
# Repeats until the cache has the content.
warm() { # PATH
	echo '=run sleep 0.03'
	for i in 1 2 3; do ask "$1"; done
}
said() { # N: the answers from the Nth on
	python3 -IS "$TOP/t/mcp.py" ikm mcp --structured | jq -r '.result | (.structuredContent |
		if .warnings[0]? // "" | test("may not set .files.roots.") then "warned" else .content end) // (.content[0].text |
		fromjson | .details.reason) | rtrimstr("\n")' | tail -n +"$1" | paste -sd' ' -
}
roots() { # DIR...: the person's setting, sent
	echo "=run mkdir -p $HOME/.ikigai; printf '{\"files\":{\"roots\":[\"%s\"]}}' $1 >$HOME/.ikigai/config.json"
}

try 'settings: there, changed, broken, gone' <<'E'
same 'a OUTSIDE_ROOTS b OUTSIDE_ROOTS BAD_JSON a' "$({ warm "$T/a/file"; roots "$T/b"; warm "$T/a/file"; ask "$T/b/file"
roots "$T/a"; ask "$T/b/file"; echo "=run echo '{' >$HOME/.ikigai/config.json"; ask "$T/a/file"
echo "=run rm -r $HOME/.ikigai"; ask "$T/a/file"; } | said 3 | tr ' ' '\n' | uniq | paste -sd' ' -)"
E

try 'settings of the same size, one right after the other' <<'E'
want=$(for i in 1 2 3 4 5 6 7 8 9 10; do echo "OUTSIDE_ROOTS a"; done | paste -sd' ' -)
same "$want" "$({ roots "$T/a"; warm "$T/a/file"; for i in 1 2 3 4 5 6 7 8 9 10; do
	roots "$T/b"; ask "$T/a/file"; roots "$T/a"; ask "$T/a/file"; done; } | said 4)"
rm -r "$HOME/.ikigai"
E

try "the repository's settings, at the top and on the way" <<'E'
mkdir .ikm
same 'a warned a' "$({ warm file; echo "=run echo '{\"files\":{\"roots\":[\"/\"]}}' >.ikm/config.json"; ask file
echo "=run echo '{}' >.ikm/config.json"; ask file; } | said 3)"
cd sub
same 'a/sub warned a/sub' "$({ warm file; echo "=run mkdir .ikm; echo '{\"files\":{\"roots\":[\"/\"]}}' >.ikm/config.json"; ask file
echo "=run rm -r .ikm"; ask file; } | said 3)"
rm -r ../.ikm
E

long 'another repository, nearer, or none' <<'E'
cd sub
same 'a OUTSIDE_ROOTS a' "$({ warm ../file; echo '=run git init -q .'; ask ../file; echo '=run rm -rf .git'; ask ../file; } | said 3)"
same 'a NO_ROOTS a' "$({ warm ../file; echo '=run mv ../.git ../git'; ask ../file; echo '=run mv ../git ../.git'; ask ../file; } | said 3)"
same 'a NO_ROOTS a' "$({ warm ../file; echo '=run git config core.bare true'; ask ../file; echo '=run git config core.bare false'; ask ../file; } | said 3)"
same 'a OUTSIDE_ROOTS a' "$({ warm ../file; echo "=run git config core.worktree $T/a/sub"; ask ../file
echo '=run git config --unset core.worktree'; ask ../file; } | said 3)"
E

more 'a linked working tree: its file, its folder, its configuration' <<'E'
git commit -q --allow-empty -m one
git worktree add -q "$T/linked"
echo linked >"$T/linked/file"
cd "$T/linked"
same 'linked NO_ROOTS linked' "$({ warm file; echo '=run mv .git git'; ask file; echo '=run mv git .git'; ask file; } | said 3)"
same 'linked NO_ROOTS linked' "$({ warm file; echo '=run cp .git git; echo gitdir: $T/none >.git'; ask file; echo '=run mv git .git'; ask file; } | said 3)"
same 'linked NO_ROOTS' "$({ warm "$T/linked/file"; echo "=run git config extensions.worktreeConfig true; git config --worktree core.worktree $T/b"
ask "$T/linked/file"; } | said 3)"
git config --unset extensions.worktreeConfig
E

more "the repository's configuration includes another file" <<'E'
cd sub
git config include.path more
echo >../.git/more
same 'a OUTSIDE_ROOTS a' "$({ warm ../file; echo "=run git config -f ../.git/more core.worktree $T/a/sub"; ask ../file
echo '=run echo >../.git/more'; ask ../file; } | said 3)"
git config --unset include.path
E

more 'a root is another folder by the same name' <<'E'
cp -r "$T/b" "$T/c"
roots "$T/c" | sed 's/^=run //' | sh
same 'b FILE_NOT_FOUND b' "$({ warm "$T/c/file"; echo "=run mv $T/c $T/d; mkdir $T/c"; ask "$T/c/file"
echo "=run rmdir $T/c; ln -s $T/d $T/c"; ask "$T/c/file"; } | said 3)"
same 'b a' "$({ warm "$T/c/file"; echo "=run rm $T/c; ln -s $T/a $T/c"; ask "$T/c/file"; } | said 3)"
rm -r "$HOME/.ikigai" "$T/c" "$T/d"
E

more "ikm's own folder is moved below a root, by a link" <<'E'
mkdir home
HOME=$PWD/home
export HOME
mkdir "$T/ikigai"
echo secret >"$T/ikigai/file"
ln -s "$T/ikigai" home/.ikigai
same 'FILE_NOT_FOUND OUTSIDE_ROOTS' "$({ warm home/here/file
echo "=run mv $T/ikigai home/here; ln -sfn $PWD/home/here home/.ikigai"; ask home/here/file; } | said 3)"
rm -r home
E

more 'what is closed is moved to where it would be open, with a link in its place' <<'E'
mkdir -p "$HOME/.ikigai"
echo secret >"$HOME/.ikigai/file"
same 'FILE_NOT_FOUND OUTSIDE_ROOTS' "$({ warm g/config; echo '=run mv .git g; ln -s g .git'; ask g/config
echo '=run rm .git; mv g .git'; } | said 3)"
same 'FILE_NOT_FOUND OUTSIDE_ROOTS' "$({ warm i/file; echo "=run mv $HOME/.ikigai i; ln -s $PWD/i $HOME/.ikigai"; ask i/file
echo "=run rm $HOME/.ikigai; mv i $HOME/.ikigai"; } | said 3)"
same 'FILE_NOT_FOUND OUTSIDE_ROOTS' "$({ warm h/.ikigai/file; echo "=run mv $HOME h; ln -s $PWD/h $HOME"; ask h/.ikigai/file
echo "=run rm $HOME; mv h $HOME; rm -r $HOME/.ikigai"; } | said 3)"
E

more 'a link to the repository or to its working tree leads elsewhere' <<'E'
mkdir x y
echo x >x/file
ln -s x tree
same 'x OUTSIDE_ROOTS NO_ROOTS' "$({ echo "=run git config core.worktree $PWD/tree"; warm "$PWD/x/file"; echo "=run ln -sfn y tree"
ask "$PWD/x/file"; echo "=run ln -sfn $T/b tree"; ask "$PWD/x/file"; echo '=run git config --unset core.worktree'; } | said 3)"
rm -r x y tree
mv .git "$T/real"
ln -s real "$T/repo"
same 'a NO_ROOTS' "$({ echo "=run echo 'gitdir: $T/repo' >.git"; warm file; echo "=run ln -sfn nowhere $T/repo"
ask file; echo "=run rm .git; mv $T/real .git"; } | said 3)"
E

more 'files that look like a bare repository are files: below a working tree they are none' <<'E'
cd sub
same 'a a a' "$({ warm ../file; echo '=run mkdir objects refs; ln -s refs/heads/x HEAD; git config -f config core.bare true'
ask ../file; echo '=run rm -r objects refs HEAD config'; ask ../file; } | said 3)"
E

long 'the store stays open from one search to the next, and no change of it is missed' <<'E'
look() {
	n=$((n + 1))
	echo '{"jsonrpc":"2.0","id":'$n',"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"harbour"},'"$meta"'}}'
	echo "=wait $n"
}
found() {
	python3 -IS "$TOP/t/mcp.py" "$@" | jq -r '.result.structuredContent |
		if .results[0]? then [.results[].content | sub("the harbour of "; "")] | sort | join("+") else "none" end' |
		paste -sd' ' -
}
export IKM_USER=ada
IKIGAI_HOME=$T/other ikm mem add 'the harbour of Oslo' >/dev/null
ikm mem add 'the harbour of Bergen' >/dev/null
same 'Bergen Bergen Bergen+Turku Bergen+Turku Oslo Oslo Oslo+Vaasa none' "$({ look; look
	echo "=run ikm mem add 'the harbour of Turku' >'$T/out'"; look; look
	echo "=run mv '$HOME/.ikigai' '$T/away'; mv '$T/other' '$HOME/.ikigai'"; look; look
	echo "=run ikm mem add 'the harbour of Vaasa' >'$T/out'"; look
	echo "=run rm -r '$HOME/.ikigai'"; look; } | found ikm mcp --structured)"
# A store that was moved away has all that its log had.
rm -rf "$HOME/.ikigai"
mv "$T/away" "$HOME/.ikigai"
same 2 "$(ikm mem list --json | jq '.memories | length')"
same ok "$(sqlite3 "$HOME/.ikigai/ikm.db" 'pragma integrity_check')"
opened() { # SEARCHES: how often all processes open the store
	{ i=0; while [ $i -lt "$1" ]; do i=$((i + 1)); look; done; } | ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
		found strace -f -qq -o "$T/opens" -e trace=openat ikm mcp --structured >/dev/null
	grep -c 'ikm\.db", ' "$T/opens"
}
ikm mem add 'the harbour of Tromso' >/dev/null # sqlite3 has removed the log; a reader without one cleans up
[ "$(opened 1)" -ge 1 ]
same "$(opened 3)" "$(opened 12)"
E
done_testing
