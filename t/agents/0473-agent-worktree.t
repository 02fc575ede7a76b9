#!/bin/sh
# After a command the working tree is compared with HEAD: every way to change a file is seen, though
# ikm does not read what git takes for unchanged.
. "$(dirname "$0")/../lib.sh"

git init -q r; cd r || exit 1
mkdir -p docs/adr .ikm src
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
printf -- '---\ntitle: T\nstatus: accepted\nseverity: block\nconstraints:\n  - operator: must_not_use\n    target: code\n    pattern: forbidden\n    appliesTo: ["src/"]\n---\n# T\n' >docs/adr/0001-t.md
echo 'one line here' >src/a.js; echo 'is forbidden here' >src/old.js; echo plain >src/b.js
touch -d '2020-01-01' src/*.js
git add -A; git commit -qm one
R=$PWD; export R
cat >"$T/lib2.sh" <<'E'
# The places that a new session is told.
told() { jq -cn --arg s "$1" --arg d "${2-$R}" '{session_id: $s, transcript_path: "/t", cwd: $d,
	permission_mode: "default", hook_event_name: "PostToolUse", tool_name: "Bash", tool_use_id: "u",
	tool_input: {command: "x"}}' | ikm hook run agent | jq -r .hookSpecificOutput.additionalContext |
	grep -oE '^  [^ :]+:[0-9]+:[0-9]+' | tr -d ' ' | sort | tr '\n' ' '; }
reset() { git reset -q --hard; git clean -fdxq; touch -d '2020-01-01' src/*.js; git status >/dev/null; }
E

try 'nothing changed: nothing is told' <<'E'
. "$T/lib2.sh"; reset
same '' "$(told clean)"
echo forbidden >>src/b.js
same 'src/b.js:2:1 ' "$(told 'and not clean')"
E

long 'written, appended, staged, untracked, in a new folder' <<'E'
. "$T/lib2.sh"; reset
echo 'forbidden' >src/a.js
same 'src/a.js:1:1 ' "$(told written)"
git add src/a.js
same 'src/a.js:1:1 ' "$(told staged)"
echo fine >src/a.js
same '' "$(told 'staged, and mended since')"
reset; mkdir src/new; echo forbidden >src/new/x.js; echo forbidden >src/u.js
same 'src/new/x.js:1:1 src/u.js:1:1 ' "$(told untracked)"
echo '*.js' >src/.gitignore
same '' "$(told ignored)"
E

try 'a file of the same size with its old time is seen' <<'E'
. "$T/lib2.sh"; reset
printf 'forbidden lin\n' >src/a.js; touch -d '2020-01-01' src/a.js
same 'src/a.js:1:1 ' "$(told times)"
E

long 'a file that changed as the index was written is read' <<'E'
. "$T/lib2.sh"; reset
for i in 1 2 3 4 5; do
	echo 'nothing to see' >src/a.js; git add src/a.js; echo 'forbidden to s' >src/a.js
	same 'src/a.js:1:1 ' "$(told "racy $i")"
done
E

long 'a link, a mode, a rename and a deletion' <<'E'
. "$T/lib2.sh"; reset
chmod +x src/old.js
same '' "$(told mode)"
git mv src/old.js src/moved.js
same '' "$(told moved)"
reset; mv src/old.js src/elsewhere.js
same '' "$(told 'moved, not staged')"
reset; rm src/old.js
same '' "$(told gone)"
reset; rm src/b.js; ln -s ../forbidden src/b.js
same '' "$(told link)"
rm src/b.js; echo forbidden >src/b.js; chmod +x src/b.js
same 'src/b.js:1:1 ' "$(told 'a program')"
E

try 'files with CRLF by core.autocrlf are unchanged' <<'E'
. "$T/lib2.sh"; reset
git config core.autocrlf true; rm src/*.js; git checkout -q src
grep -q "$(printf '\r')" src/old.js
git status >/dev/null
same '' "$(told crlf)"
printf 'forbidden\r\n' >>src/b.js
same 'src/b.js:2:1 ' "$(told 'crlf, changed')"
git config --unset core.autocrlf; rm src/*.js; git checkout -q src
E

long 'a conflict, a branch without commits, and a folder without a repository' <<'E'
. "$T/lib2.sh"; reset
git checkout -q -b side; echo side >src/a.js; git commit -qam side
git checkout -q -; echo 'forbidden main' >src/a.js; git commit -qam main
git merge -q side >/dev/null 2>&1 || true
grep -q '^<<<<' src/a.js
same '' "$(told conflict)"
echo 'forbidden, twice forbidden' >>src/a.js
[ -n "$(told 'conflict and more')" ]
git merge --abort
git init -q ../unborn; cp -r .ikm docs src ../unborn/
same 'src/a.js:1:1 src/old.js:1:4 ' "$(told unborn "$T/w/unborn")"
mkdir ../none
same '' "$(told none "$T/w/none")"
E
done_testing
