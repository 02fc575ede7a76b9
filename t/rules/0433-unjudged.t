#!/bin/sh
# When a rule applies to a file that ikm cannot read, ikm says so in a hook that passes, in text,
# JSON and annotations, with file, line and reason.
. "$(dirname "$0")/../lib.sh"

# "no-mysql" on dependencies and "no-eval" on code, both blocking, committed, with hooks.
start() { # DIR
	git init -q -b main "$1"
	cd "$1"
	mkdir -p .ikm docs/adr lib
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	rule 0001-no-mysql 'target: dependency, pattern: "mysql2?|mysqlclient|PyMySQL"'
	rule 0002-no-eval "target: code, pattern: '\\beval\\s*\\('"
	echo '{"dependencies": {"pg": "^8"}}' >package.json
	echo 'module.exports = 1' >lib/a.js
	git add -A
	git commit -qm base
	ikm hook install >/dev/null
}

rule() { # ID MEMBERS [SEVERITY]
	{
		printf -- '---\nstatus: accepted\nconstraints:\n'
		printf '%s\n' "  - {operator: must_not_use, $2, severity: ${3-block}}"
		printf -- '---\n# %s\n' "$1"
	} >"docs/adr/$1.md"
}

# The change passes, and the hook says exactly these lines about it.
passes_and_says() { # LINE ...
	git add -A
	git commit -qm x 2>../said || { cat ../said; return 1; }
	same "$(printf '%s\n' "$@")" "$(grep -v '^$' ../said | grep -v '^checked ')"
}

try 'a NUL byte hides no source code' <<'E'
start nul
printf '// \0\nmodule.exports = s => eval(s)\n' >lib/x.js
git add -A
fails 1 git commit -qm x 2>../said
grep -q '^  where  *lib/x.js:2:23  eval($' ../said
E

try 'UTF-16 hides no source code, in the index and in the working tree' <<'E'
cd nul
printf 'var a;\nmodule.exports = s => eval(s)\n' | iconv -t UTF-16 >lib/x.js
git add -A
fails 1 git commit -qm x 2>../said
grep -q '^  where  *lib/x.js:2:23  eval($' ../said
git rm -qf lib/x.js
printf 'y = 1\neval (1)\n' | iconv -t UTF-16LE >lib/y.cs
echo '*.cs working-tree-encoding=UTF-16LE' >.gitattributes
fails 1 ikm check --all >../out
grep -q '^  where  *lib/y.cs:2:1  eval ($' ../out
git add -A
fails 1 ikm check --staged >../out
grep -q '^  where  *lib/y.cs:2:1  eval ($' ../out
E

try 'attributes that make git call a file binary do not hide it' <<'E'
start attributes
for word in binary -text -diff linguist-language=Binary linguist-documentation 'filter=lfs diff=lfs'; do
	echo "*.js $word" >.gitattributes
	echo 'eval (1)' >lib/x.js
	git add .gitattributes lib/x.js
	fails 1 ikm check --staged >../out
	grep -q '^  where  *lib/x.js:1:1' ../out
done
E

try 'manifests without a reader, with file and reason' <<'E'
start manifests
mkdir jvm net
echo '<mysql2/>' >jvm/ivy.xml
echo '"Py_MySQL"' >jvm/build.sbt
echo 'github "a/mysql-client"' >net/Cartfile
# Without a name that the rule forbids there is nothing to say.
echo '{pkgs}: pkgs.postgresql' >flake.nix
git add -A
git commit -qm x 2>../said
for file in jvm/ivy.xml:1:2 jvm/build.sbt:1:2 net/Cartfile:1:11; do
	grep -q "^not judged: $file: ikm cannot read this manifest: .*, and here stands '.*' (rule 0001-no-mysql)$" ../said
done
grep -q '; not judged: 3 places$' ../said
ikm check --range HEAD~1..HEAD --json >../out
same '["jvm/build.sbt","jvm/ivy.xml","net/Cartfile"]' "$(jq -c '[.unjudged[].path]' ../out)"
same '[["block","unread_manifest",false,[{"knowledgeItemId":"0001-no-mysql","constraint":1}]]]' \
	"$(jq -c '[.unjudged[] | [.severity, .reason, .blocks, .rules]] | unique' ../out)"
same '[true,3,0]' "$(jq -c '[.passed, .checked.unjudged, .summary.block]' ../out)"
ikm check --range HEAD~1..HEAD --format github >../out
grep -q '^::warning file=jvm/ivy.xml,line=1,col=2,title=ikm%3A not judged::ikm cannot read this manifest: .* (rule 0001-no-mysql)$' ../out
E

try 'the next commit, which leaves them alone, says nothing' <<'E'
ikm version
cd manifests
echo 1 >lib/b.js
passes_and_says ''
E

try 'check.unjudged: block stops the change, and the change cannot take that back' <<'E'
cd manifests
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"unjudged": "block"}}' >.ikm/config.json
git add -A; git commit -qm strict
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"unjudged": "warn"}}' >.ikm/config.json
echo '<mysql>1</mysql>' >jvm/ivy.xml
git add -A
fails 1 git commit -qm x 2>../said
grep -q '^not judged (blocks): jvm/ivy.xml:1:2: ikm cannot read this manifest' ../said
fails 1 ikm check --staged --json >../out
same '[false,1,true]' "$(jq -c '[.passed, .summary.block, .unjudged[0].blocks]' ../out)"
fails 1 ikm check --staged --format github >../out
grep -q '^::error file=jvm/ivy.xml,line=1,col=2,title=ikm%3A not judged::' ../out
fails 2 ikm -c check.unjudged=never check --staged 2>../err
grep -q 'check.unjudged.*never.*warn, block' ../err
E

long 'a name that cannot be known: file, line, column and reason, once' <<'E'
start names
printf 'requests==2.0\n${DB}client\n' >requirements.txt
git add -A; git commit -qm names 2>../said
grep -q "^not judged: requirements.txt:2:1: the package of '\${DB}' is not known: .*(rule 0001-no-mysql)$" ../said
ikm check --range HEAD~1..HEAD --json >../out
same '{"path":"requirements.txt","line":2,"column":1,"reason":"unresolved","name":"${DB}"}' \
	"$(jq -c '.unjudged[0] | {path, line, column, reason, name}' ../out)"
echo 'flask' >>requirements.txt
passes_and_says ''
E

try 'an included file that is no manifest by its name' <<'E'
start included
echo mysqlclient >deps.lst; echo '-r deps.lst' >requirements.txt
git add -A
ikm check --staged --json >../out || [ $? = 1 ]
jq -e '[.violations[].location, .unjudged[]] | any(.line == 1 and (.file // .path | test("requirements.txt|deps.lst")))' ../out
E

long 'a folder that cannot be read ends the check; of a manifest the report says so' <<'E'
start unreadable
mkdir -p app deps
echo '-r ../deps/first.lst' >app/requirements.txt
echo '-r deps.lst' >deps/first.lst
git add -A; git commit -qm manifests
echo mysqlclient >deps/deps.lst
git add -A; git commit -qnm included
fails 1 ikm check --range HEAD~1..HEAD >../out
for lost in app app/requirements.txt deps/first.lst; do
	id=$(git rev-parse "HEAD:$lost")
	object=.git/objects/$(echo "$id" | sed 's|^..|&/|')
	mv "$object" ../kept
	case $lost in
	app) fails 3 ikm check --range HEAD~1..HEAD 2>../said ;;
	*)
		ikm check --range HEAD~1..HEAD --json >../out 2>../said
		jq -e --arg p "$lost" '.notes[] | select(.file == $p).message | test("could not be read")' ../out
		;;
	esac
	cat ../out ../said | grep -q "$id"
	mv ../kept "$object"
done
E

long 'a submodule, with its commit; a link, with its target' <<'E'
git init -q -b main other; git -C other commit -q --allow-empty -m x
id=$(git -C other rev-parse HEAD)
start links
git update-index --add --cacheinfo "160000,$id,vendor/mysql2"
git commit -qm x 2>../said
grep -qx "not judged: vendor/mysql2: it is a submodule at commit $id: its files are not read (rules 0001-no-mysql, 0002-no-eval)" ../said
ln -s /etc/passwd lib/x.js
git add lib
git commit -qm x 2>../said
grep -qx "not judged: lib/x.js: it is a symbolic link to '/etc/passwd', which ikm does not follow (rule 0002-no-eval)" ../said
E

try 'a decision that quotes what another one forbids is told with its line' <<'E'
start quotes
printf '# x\n\neval (1)\n' >docs/adr/9.md
git add -A; git commit -qm x 2>../said
grep -qx "not judged: docs/adr/9.md:3:1: 'eval (' stands in a decision, which may quote what the rule forbids (rule 0002-no-eval)" ../said
printf '# x\n\neval (1)\n\nmore\n' >docs/adr/9.md
git add -A; git commit -qm x 2>../said
fails 1 grep 'not judged' ../said
E

try 'a change that makes a file knowledge does not exempt it; afterwards it is told' <<'E'
cd quotes
echo '{"knowledge": {"sources": [{"path": "."}]}}' >.ikm/config.json
printf -- '---\nstatus: draft\n---\n# x\n\neval (1)\n' >lib/notes.md
git add -A
fails 1 ikm check --staged >../out
grep -q '^  where  *lib/notes.md:6:1' ../out
git commit -qnm knowledge
printf '# y\n\neval (2)\n' >lib/more.md
git add -A
ikm check --staged >../out
grep -q "^not judged: lib/more.md:3:1: 'eval (' stands in a decision" ../out
E

try 'a rule that names decisions judges them' <<'E'
start named
rule 0003-words 'target: code, pattern: "TBD", appliesTo: ["docs/"]'
git add -A; git commit -qnm words
printf '# x\n\nTBD\n' >docs/adr/9.md
git add -A
fails 1 git commit -qm x 2>../said
grep -q '^  where  *docs/adr/9.md:3:1  TBD' ../said
E

more 'where the base reached the limit of a pattern, that is told' <<'E'
start limit
yes 'eval (1)' | head -n 262145 >lib/big.js
git add -A; git commit -qnm big
echo 'eval (2)' >>lib/big.js
git add -A
git commit -qm x 2>../said
grep -q '^not judged: lib/big.js: the pattern reached its match limit here' ../said
E

more 'with --all everything; at most ten of a reason in text, all in JSON' <<'E'
start all
rule 0001-no-mysql 'target: dependency, pattern: "mysql2?"' warn
git add -A; git commit -qnm warn
for i in $(seq 10 24); do mkdir "m$i"; echo '<mysql/>' >"m$i/ivy.xml"; done
passes_and_says ''
ikm check --all >../out
same 10 "$(grep -c '^not judged: m.*/ivy.xml' ../out)"
grep -qx 'not judged: 5 more of reason unread_manifest (--json lists all)' ../out
same 15 "$(ikm check --all --json | jq '[.unjudged[] | select(.reason == "unread_manifest" and .severity == "warn")] | length')"
E

more 'at most ten places of a rule in text, all in JSON' <<'E'
start places
for i in $(seq 10 29); do echo 'eval (1)' >"lib/$i.js"; done
git add -A
fails 1 ikm check --staged >../out
same 10 "$(grep -c 'lib/[0-9]*.js:1:1' ../out)"
grep -q '^  *and 10 more (--json lists all)$' ../out
fails 1 ikm check --staged --json >../out
jq -e '.violations | length == 20' ../out
E

more 'findings with one message share a block; blocks stand in the order of their first places' <<'E'
start blocks
rule 0003-no-x 'target: code, pattern: "x[0-9]"'
git add -A; git commit -qnm rule
for i in 1 2; do echo 'x1 x2' >"lib/$i.js"; done
git add -A
fails 1 ikm check --staged >../out
sed -n 's/^  \(where\|reason\|     \)  */\1 /p' ../out | sed 's/ (pattern.*//' >../shown
cat >../want <<'W'
where lib/1.js:1:1  x1
      lib/2.js:1:1  x1
reason must not contain 'x1'
where lib/1.js:1:4  x2
      lib/2.js:1:4  x2
reason must not contain 'x2'
W
diff ../want ../shown
E

more 'text shows a name that is not UTF-8 byte for byte' <<'E'
start bytes
echo 'eval(1)' >"$(printf 'lib/n\303.js')"
git add -A
fails 1 ikm check --staged >../out
grep -qF 'lib/n\xc3.js:1:1' ../out
E

more 'pictures and archives are counted, not named' <<'E'
start pictures
printf '\211PNG\0\0eval(' >a.png; printf 'PK\0eval(' >b.zip; head -c 9000000 /dev/zero >c.mp4
passes_and_says ''
same '[0,3]' "$(ikm check --range HEAD~1..HEAD --json | jq -c '[.checked.unjudged, .checked.data]')"
E

more 'where git ignores the case of names, so do globs' <<'E'
start case
rule 0003-keys 'target: file, pattern: "*.pem"'
git add -A; git commit -qnm keys
echo x >KEY.PEM; git add -A
ikm check --staged
git config core.ignorecase true
fails 1 ikm check --staged >../out
grep -q '^  where  *KEY.PEM$' ../out
E

more 'of equal lines the added ones are shown' <<'E'
start blame
printf 'f\n{\n\teval(e)\n}\ng\n{\n\teval(e)\n}\nz\n' >lib/x.js
git add -A; git commit -qnm x
printf 'f\n{\n\teval(e)\n}\nh\n{\n\teval(e)\n\teval(e)\n}\ng\n{\n\teval(e)\n}\nz\n' >lib/x.js
git add -A
fails 1 ikm check --staged --json >../out
same '[7,8]' "$(jq -c '[.violations[].location.line]' ../out)"
E

more 'a plan of a tool: what is given and cannot be read' <<'E'
cd blame
echo '{"files": [{"path": "ivy.xml", "content": "<mysql2/>"}]}' | ikm call knowledge_check >../out
same '["ivy.xml","unread_manifest"]' "$(jq -c '.unjudged[0] | [.path, .reason]' ../out)"
E

more 'a push: told once for what two tips share' <<'E'
start push
git init -q --bare ../remote.git; git remote add origin ../remote.git
git push -q origin main 2>/dev/null
echo '<mysql/>' >ivy.xml; git add -A; git commit -qm x 2>/dev/null
git branch two; git commit -q --allow-empty -m y
git push -q origin main two 2>../said
same 1 "$(grep -c '^not judged: ivy.xml' ../said)"
echo '<mysql>2</mysql>' >ivy.xml; git commit -qam z 2>/dev/null
git branch -f two; git commit -q --allow-empty -m z
IKM_CHECK_UNJUDGED=block
export IKM_CHECK_UNJUDGED
fails 1 git push -q origin main two 2>../said
grep -q '^1 blocking violation: the push was stopped' ../said
E

more 'every reason is in ikm-check(1)' <<'E'
ln -s "$BUILD/test/ikm" knowledge-check
./knowledge-check --schema |
	jq -r '.. | objects | select(.enum? // [] | index("unread_manifest")) | .enum[]' | sort -u >reasons
grep -qx unread_config reasons
while read -r reason; do
	grep -qx "\.It Cm $reason" "$TOP/man/ikm-check.mdoc" || { echo "not there: $reason"; exit 1; }
done <reasons
E

done_testing
