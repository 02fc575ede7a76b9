#!/bin/sh
# ikm's own tools: a change is judged under the lock of its files, before it is made.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" r; cd r || exit 1
sed -i 's/^constraints:/constraints:\n  - operator: must_not_use\n    target: code\n    pattern: "SECRET-[0-9]+"\n    severity: block\n    message: no secrets in the code\n    useInstead: the vault/' docs/adr/0001-*.md
printf '*.log\n' >.gitignore
printf 'a\nSECRET-1 was here\nb\n' >src/old.js
git add -A; git commit -qm 'a rule on code, and what breaks it already'
git branch start

cat >"$T/call.sh" <<'E'
KEY=SECRET-12345
input() { jq -cn --arg key "$KEY" "$@"; }
call() { tool=$1; shift; input "$@" | ikm $set call "$tool"; }
set=
# Refused for that reason, and the working tree and the index are as they were.
refused() {
	reason=$1; shift
	git status --porcelain >../before
	cp src/old.js ../old
	fails 5 call "$@" >../out 2>/dev/null
	same "$reason" "$(jq -r .details.reason ../out)"
	git status --porcelain | cmp - ../before
	cmp src/old.js ../old
}
warned() { jq -r '.warnings[]' ../out; }
E

long 'a write, an append, an edit, a patch, a move: refused with decision, place and what to use' <<'E'
. "$T/call.sh"
refused BREAKS_RULE file_write '{path: "web/package.json", parents: true, content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}'
[ ! -e web ]
jq -r .message ../out >../message
grep -q '^stopped before it was written: it breaks a decision of this repository.$' ../message
grep -q '^0001-postgresql-for-relational-data: .*(docs/adr/0001-postgresql-for-relational-data.md)$' ../message
grep -q '^  web/package.json:1:20: mysql2 3$' ../message
grep -q '^  why: ' ../message
grep -q '^  use instead: pg$' ../message
grep -qx '  more: knowledge_why {"what": "0001-postgresql-for-relational-data"}' ../message
ikm help tools | grep -q knowledge_why
same '["BLOCKED","0001-postgresql-for-relational-data","web/package.json",1,"pg"]' "$(jq -c '[.errorCode, (.details | .item, .path, .line, .useInstead)]' ../out)"
refused BREAKS_RULE file_append '{path: "src/old.js", content: $key}'
same 4 "$(jq .details.line ../out)"
refused BREAKS_RULE file_edit '{path: "src/server.js", old: "8080", new: $key}'
refused BREAKS_RULE file_edit '{path: "package.json", old: "\"pg\"", new: "\"mysql2\": \"1\", \"pg\""}'
refused BREAKS_RULE fs_patch '{diffText: "--- /dev/null\n+++ b/new.js\n@@ -0,0 +1 @@\n+\($key)\n"}'
echo "$KEY" >x.log
ikm --maintainer call fs_move >../out 2>/dev/null <<'J' && exit 1
{"path": "x.log", "newPath": "x.js"}
J
same BREAKS_RULE "$(jq -r .details.reason ../out)"
[ -e x.log ] && [ ! -e x.js ]
rm x.log
E

try 'the text that a rule on code found is not repeated' <<'E'
. "$T/call.sh"
refused BREAKS_RULE file_write '{path: "src/k.js", content: $key}'
grep -q 'src/k.js:1:1: must_not_use' ../out
fails 1 grep -q "$KEY" ../out
E

try 'what is not listed is not counted as if it were, and lines stay lines' <<'E'
. "$T/call.sh"
long=$(yes "$KEY" | head -n 150); export long
fails 5 call file_write '{path: "src/k.js", content: $ENV.long}' >../out 2>../err
jq -r .message ../out | grep -qx '  and at least 95 more'
grep -qx '  and at least 95 more' ../err
long=$(yes "$KEY" | head -n 99)
fails 5 call file_write '{path: "src/k.js", content: $ENV.long}' >../out 2>../err
grep -qx '  and 94 more' ../err
E

try 'all files of a patch are one change: none is changed, and what moves along is not new' <<'E'
. "$T/call.sh"
diff=$(printf '%s\n' '--- a/src/server.js' '+++ b/src/server.js' '@@ -11 +11 @@' '-app.listen(8080);' '+app.listen(8081);' \
	'--- /dev/null' '+++ b/src/k.js' '@@ -0,0 +1 @@' "+k = '$KEY'")
export diff
refused BREAKS_RULE fs_patch '{diffText: $ENV.diff}'
git diff --quiet
same src/k.js "$(jq -r .details.path ../out)"
diff=$(printf '%s\n' 'diff --git a/src/old.js b/src/moved.js' 'rename from src/old.js' 'rename to src/moved.js')
set=--maintainer
call fs_patch '{diffText: $ENV.diff}' >../out
[ -e src/moved.js ] && [ ! -e src/old.js ]
git checkout -q .; rm src/moved.js
E

try 'what was there stops nobody, and what is allowed leaves no trace of the judge' <<'E'
. "$T/call.sh"
call file_edit '{path: "src/old.js", old: "b\n", new: "c\n"}' >../out
same '[true,null]' "$(jq -c '[.changed, .warnings]' ../out)"
call file_write '{path: "notes.txt", content: "x"}' >../out
same null "$(jq -c .warnings ../out)"
git checkout -q .; rm notes.txt
E

try 'an undo that would put back what breaks a rule' <<'E'
export IKM_SESSION=s
. "$T/call.sh"
call file_write '{path: "src/old.js", content: "clean\n"}' >../out
event=$(jq -r .event ../out); export event
refused BREAKS_RULE events_undo '{eventId: $ENV.event}'
same clean "$(cat src/old.js)"
ikm events undo "$event" >/dev/null
git diff --quiet
E

try 'a person is not judged; nor are assets, ignored files and files outside repositories' <<'E'
. "$T/call.sh"
echo "$KEY" | ikm write src/k.js
rm src/k.js
call file_write '{path: "ikigai:///k.js", content: $key}' >/dev/null
call file_write '{path: "x.log", content: $key}' >/dev/null
mkdir -p ../plain
set="--root $T/w"
call file_write --arg p "$T/w/plain/k.js" '{path: $p, content: $key}' >../out
same null "$(jq -c .warnings ../out)"
rm x.log
E

long 'an agent cannot switch its judge off: what is ignored is ignored by HEAD, and not tracked' <<'E'
. "$T/call.sh"
# Ignored by the working tree alone, by a pattern in a folder, by a folder, then by HEAD too.
for file in src/g.js src/gen/g.js; do
	printf '*.log\nsrc/g*\n' >.gitignore
	refused BREAKS_RULE file_write --arg p "$file" '{path: $p, parents: true, content: $key}'
done
rm -f .gitignore; echo 'g.js' >src/.gitignore
refused BREAKS_RULE file_write '{path: "src/g.js", content: $key}'
rm src/.gitignore; git checkout -q .gitignore
call file_write '{path: ".gitignore", content: "*.log\nnode_modules/\n"}' >../out
same null "$(jq -c .warnings ../out)"
mkdir -p deep; printf '!x.log\n/y.js\n' >deep/.gitignore
git add .; git commit -qm 'more is ignored'
call file_write '{path: "deep/y.js", content: $key}' >/dev/null
call file_write '{path: "node_modules/a/y.js", parents: true, content: $key}' >/dev/null
refused BREAKS_RULE file_write '{path: "deep/x.log", content: $key}' # deep/.gitignore includes it
# Tracked by the index alone.
echo clean >y.log; git add -f y.log
refused BREAKS_RULE file_append '{path: "y.log", content: $key}'
git rm -qf y.log; rm -r node_modules deep/y.js
# A decision is judged wherever it is ignored.
echo 'docs/' >>.git/info/exclude
call file_write '{path: "docs/adr/0050-ours.md", content: "---\nstatus: accepted\nconstraints: [{operator: must_not_use, target: code, pattern: x, severity: block}]\n---\n# Ours\n"}' >../out 2>/dev/null && exit 1
same PERSON_DECIDES "$(jq -r .details.reason ../out)"
git reset -q --hard start; : >.git/info/exclude

try 'the rules are those of the repository that holds the file, and of what a link leads to' <<'E'
. "$T/call.sh"
git init -q ../other
set="--root $T/w"
call file_write --arg p "$T/w/other/k.js" '{path: $p, content: $key}' >/dev/null
ln -s "$T/w/r/src/server.js" ../other/link.js
refused BREAKS_RULE file_edit --arg p "$T/w/other/link.js" '{path: $p, old: "8080", new: $key}'
same src/server.js "$(jq -r .details.path ../out)"
echo '{}' >../deps.txt
ln -s ../../deps.txt src/package.json
refused BREAKS_RULE file_write '{path: "src/package.json", content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}'
same src/package.json "$(jq -r .details.path ../out)"
same '{}' "$(cat ../deps.txt)"
rm src/package.json; rm -r ../other
# Started elsewhere: the folder of the call does not matter.
cd ..
set="--root $T/w"
fails 5 call file_write '{path: "r/src/k.js", content: $key}' 2>/dev/null | jq -r .details.path | grep -qx src/k.js
E

long 'a rule that warns: the change is made, and the answer has the warning' <<'E'
. "$T/call.sh"
call file_edit '{path: "src/server.js", old: "app.listen", new: "console.log(1);\napp.listen"}' >../out
warned | grep -q '^a warning about this change:$'
warned | grep -q '^  src/server.js:11:1: must_not_use'
warned | grep -q '^  use instead: request.log$'
call file_append '{path: "src/server.js", content: "console.log(2)"}' >../out
same 1 "$(warned | grep -c 'src/server.js:')"
call fs_patch '{diffText: "--- /dev/null\n+++ b/src/n.js\n@@ -0,0 +1 @@\n+console.log(3)\n"}' >../out
warned | grep -q 'src/n.js:1:1'
git checkout -q .; rm src/n.js
E

more 'check.agentWrites: warn and off, once HEAD has it too' <<'E'
. "$T/call.sh"
setting() { jq --arg v "$1" '.check.agentWrites = $v' .ikm/config.json >../c && cp ../c .ikm/config.json; }
makes() { call file_write '{path: "src/k.js", content: $key}' >../out && rm src/k.js; }
setting warn
refused BREAKS_RULE file_write '{path: "src/k.js", content: $key}'
git commit -qam 'agents: warn'
makes; warned | grep -q 'src/k.js:1:1'
setting off
makes; warned | grep -q 'src/k.js:1:1'
git commit -qam 'agents: off'
makes; same null "$(jq -c .warnings ../out)"
# A stricter value counts at once; the person who starts the tool decides before both.
setting deny
refused BREAKS_RULE file_write '{path: "src/k.js", content: $key}'
set='-c check.agentWrites=off'
makes
git reset -q --hard start
fails_for BAD_CONFIG ikm -c check.agentWrites=ask call version </dev/null >../out 2>&1
grep -q 'deny, warn, off' ../out
E

more 'rules, settings, exemptions and hooks of hosts are for people; a draft is not' <<'E'
. "$T/call.sh"
ADR=docs/adr/0001-postgresql-for-relational-data.md
refused PERSON_DECIDES file_write '{path: ".ikm/config.json", content: "{}"}'
jq -r .message ../out | grep -q "'.ikm/config.json' has ikm's settings"
refused PERSON_DECIDES file_edit --arg p "$ADR" '{path: $p, old: "status: accepted", new: "status: deprecated"}'
jq -r .message ../out | grep -q 'would be retired'
set=--maintainer
refused PERSON_DECIDES fs_patch --arg p "$ADR" '{diffText: "--- a/\($p)\n+++ /dev/null\n'"$(sed 's/["\\]/\\&/g; s/^/-/' $ADR | sed "1i @@ -1,$(wc -l <$ADR) +0,0 @@" | awk '{ printf "%s\\n", $0 }')"'"}'
[ -e $ADR ]
set=
refused PERSON_DECIDES file_write '{path: ".gitattributes", content: "*.js linguist-generated\n"}'
refused PERSON_DECIDES file_write '{path: ".claude/settings.json", parents: true, content: "{\"hooks\": {}}"}'
[ ! -e .claude ]
refused OUTSIDE_ROOTS file_write '{path: ".git/hooks/pre-commit", content: "x"}'
call file_write '{path: "docs/adr/0099-draft.md", content: "---\nstatus: proposed\n---\n# A draft\n"}' >../out
same null "$(jq -c .warnings ../out)"
rm docs/adr/0099-draft.md
set='-c check.agentProtected=warn'
call file_write '{path: ".ikm/config.json", content: "{}"}' >../out
warned | grep -q 'so a person decides'
# The working tree alone does not relax it.
git checkout -q .
jq '.check.agentProtected = "warn"' .ikm/config.json >../c; cp ../c .ikm/config.json
set=
refused PERSON_DECIDES file_write '{path: ".gitattributes", content: "*.js linguist-generated\n"}'
jq -r .message ../out | grep -q 'and to commit that: HEAD is stricter'
git checkout -q .
E

more 'a rule that only the working tree has lost still judges' <<'E'
. "$T/call.sh"
mv docs/adr/0001-*.md ..
refused BREAKS_RULE file_write '{path: "src/k.js", content: $key}'
jq -r .message ../out | grep -q 'the rule is in HEAD'
mv ../0001-*.md docs/adr/
E

more 'what cannot be judged is made, and told: settings that are broken' <<'E'
. "$T/call.sh"
echo '{' >.ikm/config.json
call file_write '{path: "src/k.js", content: $key}' >../out
warned | grep -q 'ikm could not judge this change, and made it: .*config.json'
git checkout -q .; rm src/k.js
E

more 'a repository that only git can read is judged under the same lock' <<'E'
. "$T/call.sh"
git init -q --object-format=sha256 ../sha; cp -r docs .ikm ../sha; cd ../sha
git add -A; git commit -qm rules
call file_write '{path: "k.js", content: $key}' >../out 2>/dev/null && exit 1
same BREAKS_RULE "$(jq -r .details.reason ../out)"
[ ! -e k.js ]
cd ..; rm -rf sha
E

more 'the third denial of a rule in a session: stop and ask. A server is a session' <<'E'
. "$T/call.sh"
asks() { grep -c 'Stop here, and ask the person' || :; }
for i in 1 2 3 4; do same 0 "$(call file_write '{path: "src/k.js", content: $key}' 2>/dev/null | asks)"; done
export IKM_SESSION=one
for i in 1 2; do same 0 "$(call file_write '{path: "src/k.js", content: $key}' 2>/dev/null | asks)"; done
same 0 "$(call file_write '{path: "package.json", content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}' 2>/dev/null | asks)"
same 1 "$(call file_write '{path: "src/k.js", content: $key}' 2>/dev/null | asks)"
unset IKM_SESSION
for server in 1 2; do
	{
		echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
		for i in 1 2 3 4; do
			echo '{"jsonrpc":"2.0","id":'$i',"method":"tools/call","params":{"name":"file_write","arguments":{"path":"src/k.js","content":"'$KEY'"}}}'
		done
	} | ikm mcp >../out
	same '[true,true,true,true]' "$(jq -sc '[.[] | select(.id > 0) | .result.isError]' ../out)"
	same 2 "$(jq -c 'select(.id > 0)' ../out | asks)"
done
[ ! -e src/k.js ]
E

more 'two processes at once: each change is judged against what is there' <<'E'
. "$T/call.sh"
for i in 1 2 3 4 5 6; do
	call file_edit --arg n "$i" '{path: "src/old.js", old: "a\n", new: "a\n\($n)\n"}' >../out.$i 2>&1 &
	call file_append '{path: "src/old.js", content: $key}' >../no.$i 2>&1 &
done
wait
same 6 "$(jq -r .changed ../out.* | grep -c true)"
same 6 "$(cat ../no.* | grep -c BREAKS_RULE)"
same 9 "$(wc -l <src/old.js)"
fails 1 grep -q "$KEY" src/old.js
git checkout -q .
E
done_testing
