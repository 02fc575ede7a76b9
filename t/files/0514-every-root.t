#!/bin/sh
# A client with several folders: a search covers all, and other answers say what they are about.
. "$(dirname "$0")/../lib.sh"

git init -q empty
git init -q shop
echo 'the needle is here' >shop/a.c
echo 'a needle too' >empty/b.c
mkdir -p shop/.ikm shop/docs/adr
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >shop/.ikm/config.json
cat >shop/docs/adr/a.md <<'A'
---
id: a
title: A
status: accepted
severity: block
constraints:
  - {operator: must_not_use, target: dependency, pattern: mysql2}
---
# A
A
git init -q empty2
git init -q second
git init -q broken
git init -q twin
cp -r shop/.ikm shop/docs twin/
cp -r shop/.ikm shop/docs second/
sed 's/^id: a/id: b/; s/mysql2/requests/' shop/docs/adr/a.md >second/docs/adr/a.md
cp -r shop/.ikm shop/docs broken/
echo 'not JSON' >broken/.ikm/config.json
echo '[there](nowhere.md)' >shop/broken.md
serve() { # NAMES OF ROOTS; lines TOOL ARGUMENTS on standard input: what a model reads of each
	roots=
	for root in $1; do roots="$roots${roots:+,}{\"uri\":\"file://$PWD/$root\"}"; done
	{
		echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"1"}}}'
		echo '=wait 0'
		echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		echo '=request roots/list'
		echo "=reply {\"roots\":[$roots]}"
		i=1
		while read -r tool arguments; do
			echo "{\"jsonrpc\":\"2.0\",\"id\":$i,\"method\":\"tools/call\",\"params\":{\"name\":\"$tool\",\"arguments\":$arguments}}"
			echo "=wait $i"
			i=$((i + 1))
		done
	} | python3 -IS "$TOP/t/mcp.py" ikm mcp -t files -t knowledge -t memory | jq -r 'select(.result.content) | .result.content[].text'
}

long 'what no folder has: the error of each one, by its name' <<'E'
mkdir -p many/.ikm many/docs/adr
git init -q many
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >many/.ikm/config.json
# So many errors that the memory of earlier ones is used again.
for i in $(seq 60); do printf -- '---\nid: n%s\ntitle: [x\n---\n# N\n' "$i" >many/docs/adr/n$i.md; done
serve 'shop many second' >out <<'L'
knowledge_why {"what":"nowhere"}
L
head -1 out | grep "$PWD/shop: "
grep "$PWD/many: " out
grep "$PWD/second: " out
for root in shop many second; do
	(cd $root && ikm call knowledge_why '{"what":"nowhere"}' | jq -r .message) >message
	grep -F "$PWD/$root: $(cat message)" out
done
E

long 'a search without a path covers all folders of the client' <<'E'
echo 'fs_search {"pattern":"needle"}' | serve 'empty shop' >out
grep -q "$PWD/shop/a.c" out
grep -q "$PWD/empty/b.c" out
echo 'fs_search {"pattern":"needle"}' | serve shop >out
grep -q '^a.c' out
echo 'fs_search {"pattern":"needle","path":"."}' | serve 'empty shop' >out
grep -q 'b.c' out
grep -q 'a.c' out && exit 1
true
E

long 'a planned dependency is judged by the rules of each folder, and the answer names it' <<'E'
for roots in 'empty shop' 'shop empty' 'shop second'; do
	echo 'knowledge_check {"dependencies":[{"name":"mysql2"}]}' | serve "$roots" >out
	grep -q '^passed: false' out
	grep -q "root: $PWD/shop" out
	grep -q "root: $PWD/second" out && exit 1
	case $roots in *empty*) grep -q "nothing was looked up in $PWD/empty" out ;; esac
done
echo 'knowledge_check {"dependencies":[{"name":"left-pad"}]}' | serve 'shop second' >out
grep -q '^passed: true' out
grep -q 'warning' out && exit 1
echo 'knowledge_check {"dependencies":[{"name":"mysql2"}]}' | serve 'empty empty2' >out
grep -q '^passed' out && exit 1
grep -q "^nothingJudged: $PWD/empty: .*; $PWD/empty2: " out
# A folder whose settings cannot be read is no folder that passed.
echo 'knowledge_check {"dependencies":[{"name":"left-pad"}]}' | serve 'shop broken' >out
grep -q "$PWD/broken: " out
E

long 'a planned file is judged by the folder that it lies in' <<'E'
for path in "$PWD/shop/" "$PWD/second/" ''; do
	printf 'knowledge_check {"files":[{"path":"%spackage.json","content":"%s"}]}\n' "$path" \
		'{\"dependencies\":{\"mysql2\":\"3\"}}' | serve 'second shop' >out
	case $path in
	*shop/) grep -q '^passed: false' out; grep -q "not looked at: $PWD/second" out ;;
	*) grep -q '^passed: true' out; grep -q "not looked at: $PWD/shop" out ;;
	esac
done
# A list as a text, too.
cat >in <<I
knowledge_for {"paths":"[\"$PWD/shop/package.json\"]"}
knowledge_for {"path":"$PWD/shop/package.json"}
I
sed 's/\\/\\\\/g' in | serve 'second shop' >out
test "$(grep -c "root: $PWD/shop" out)" = 2
! grep 'not in the repository' out || exit 1
E

long 'a folder that is not open is not where paths begin' <<'E'
echo 'file_read {"path":"a.c"}' | serve 'missing shop' >out
grep -q 'the needle is here' out
for call in 'file_read {"path":"nix"}' 'fs_search {"pattern":"x","path":"nix"}'; do
	echo "$call" | serve 'missing shop second' >out
	grep -q "paths begin in $PWD/shop; another open folder is $PWD/second" out
	grep -q missing out && exit 1
done
mkdir house
for roots in 'missing shop' 'house shop'; do
	echo 'knowledge_check {"dependencies":[{"name":"mysql2"}]}' | HOME=$PWD/house serve "$roots" >out
	grep -q '^passed: false' out
done
E

long 'decisions are found, shown and explained in each folder' <<'E'
for call in 'knowledge_query {"query":"A"}' 'knowledge_show {"id":"a"}' 'knowledge_why {"what":"a"}' \
	'knowledge_list {}'; do
	for roots in 'empty shop' 'shop empty' 'second shop'; do
		echo "$call" | serve "$roots" >out
		grep -q "root: $PWD/shop" out
	done
done
echo 'knowledge_show {"id":"a"}' | serve 'shop twin' >out
grep -q "root: $PWD/shop" out
grep -q "root: $PWD/twin" out
echo 'knowledge_show {"id":"nowhere"}' | serve 'shop twin' >out
grep -q nowhere out
# Two folders of one repository have the same decisions, which come once.
mkdir -p shop/src
echo 'knowledge_list {}' | serve 'shop shop/src' >out
test "$(grep -c 'id: a' out)" = 1
E

long 'files are listed and found in each folder, with whole paths' <<'E'
for call in 'fs_list {}' 'glob {"pattern":"*.c"}' 'fs_list {"path":null}'; do
	echo "$call" | serve 'empty shop' >out
	grep -q "^$PWD/shop/a.c" out
	grep -q "^$PWD/empty/b.c" out
done
echo 'find {"query":"a.c"}' | serve 'empty shop' >out
grep -q "$PWD/shop/a.c" out
echo 'refs {"check":true}' | serve 'empty shop' >out
grep -q "$PWD/shop/broken.md" out
# A page goes over the folders.
echo 'fs_list {"glob":"*.c","limit":1}' | serve 'empty shop' >one
echo 'fs_list {"glob":"*.c","limit":1,"offset":1}' | serve 'empty shop' >two
grep -q "^$PWD/empty/b.c" one
grep -q 'of 2 paths' one
grep -q "^$PWD/shop/a.c" two
# A path says which folder is meant.
echo "fs_list {\"path\":\"$PWD/shop\"}" | serve 'empty shop' >out
grep -q a.c out
grep -q 'b.c' out && exit 1
echo 'fs_list {"path":"."}' | serve 'empty shop' >out
grep -q b.c out
grep -q 'shop' out && exit 1
echo 'fs_list {}' | serve shop >out
grep -q '^a.c' out
E

long 'one short answer says which folders are open, and what there is to read' <<'E'
git -C shop remote add origin https://example.org/a/shop.git
(cd shop && ikm mem add 'we deploy on Fridays' --layer project >/dev/null)
echo 'knowledge_query {}' | serve 'empty shop' >out
grep -q "root: $PWD/shop; repository: example.org/a/shop; decisions: 1; memories: 1" out
grep -q "root: $PWD/empty; repository: $PWD/empty" out
grep -q 'title\|noKnowledge' out && exit 1
# At most 120 tokens, and a token has three letters or more.
sed "s,$PWD,/home/ada/src,g" out | grep -v '^warning' >short
test "$(wc -c <short)" -lt 360
echo 'knowledge_query {}' | serve shop >out
grep -q "root: $PWD/shop" out
# All decisions, as before.
echo 'knowledge_query {"query":""}' | serve 'empty shop' | grep -q 'id: a'
ikm -C shop know query | grep -q '^a '
E

try 'what is about one folder says which, and which not' <<'E'
echo 'sync_status {}' | serve 'empty shop' | grep -q "only $PWD/empty was looked at, and not $PWD/shop"
E

long 'an empty list is about no folder' <<'E'
for call in 'knowledge_check {"files":[]}' 'knowledge_check {"files":"[]"}' 'knowledge_check {"dependencies":[]}'; do
	echo "$call" | serve 'shop second' >out
	grep -q '^nothingJudged: .*files and dependencies are empty lists' out
	grep -q passed out && exit 1
done
echo 'knowledge_for {"paths":[]}' | serve 'shop second' >out
grep -q 'paths' out
E

try 'a prompt names files of each folder; a name that several have is that of the first one' <<'E'
echo 'of empty' >empty/both.txt
echo 'of shop' >shop/both.txt
echo 'expand {"text":"see @a.c @b.c @both.txt @docs/ @none.c @@x"}' | serve 'empty shop' >out
grep -q 'see the needle is here' out
grep -q 'a needle too' out
grep -q 'of empty' out
grep -q 'of shop' out && exit 1
grep -q "adr/" out
grep -q '@none.c' out
grep -q 'was looked at' out && exit 1
grep -q "target: $PWD/shop/a.c" out
rm empty/both.txt shop/both.txt
E

try 'a file that is not there: the other folders are named' <<'E'
echo 'file_read {"path":"a.c"}' | serve 'empty shop' >out
grep -q "paths begin in $PWD/empty; another open folder is $PWD/shop" out
E
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
ask() { # TOOL ARGUMENTS: the same for a client without folders; $options are those of ikm
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "$1" "$2" "$meta" |
		ikm ${options-} mcp -t files -t knowledge | jq -r '.result.content[].text'
}
long 'the folders of --root and of files.roots are covered as those of a client are' <<'E'
mkdir third
both="--root $PWD/shop --root $PWD/second"
echo '{"dependencies":[{"name":"requests"}]}' >ask
for place in shop second third; do
	(
		cd $place
		options=$both
		ask knowledge_check "$(cat ../ask)"
		ask fs_search '{"pattern":"needle"}'
		ask fs_list '{}'
	) >out
	grep -q '^passed: false' out
	grep -q "^  root: $PWD/second" out
	grep -q "^$PWD/shop/a.c" out
	grep -q "^$PWD/second/docs/adr/a.md" out
	(cd $place && ikm $both call knowledge_check <../ask) | jq -e '.passed == false'
	(cd $place && ikm $both call fs_search '{"pattern":"needle"}') | jq -e '.total == 1'
done
for tool in 'fs_list {}' 'find {"query":"a.c"}' 'fs_search {"pattern":"needle"}'; do
	ikm --root shop --root second call ${tool%% *} "${tool#* }" | jq -e '[.. | strings] | any(endswith("shop/a.c"))'
done
mkdir -p "$HOME/.ikigai"
trap 'rm -f "$HOME/.ikigai/config.json"' EXIT
printf '{"files":{"roots":["%s","%s"]}}\n' "$PWD/shop" "$PWD/second" >"$HOME/.ikigai/config.json"
for place in shop third; do
	(cd $place && ikm call knowledge_check <../ask) | jq -e '.passed == false'
	(cd $place && ikm call find '{"query":"a.c"}') | jq -e '[.. | strings] | any(endswith("shop/a.c"))'
	(cd $place && ask knowledge_query '{}') | grep "root: $PWD/second;"
done
# What the settings name counts, and not what the client names.
echo 'knowledge_query {}' | serve third >out
grep -q "root: $PWD/shop" out
grep -q third out && exit 1
true
E

try 'a folder inside another one is covered once, in any order' <<'E'
git init -q outer
cd outer
echo vendor/ >.gitignore
mkdir -p vendor/lib src
git init -q own
for folder in . vendor/lib src own; do echo 'the pin' >$folder/pin.txt; done
git add .gitignore pin.txt src
git commit -qm 1
git worktree add -q linked 2>/dev/null
cd ..
for inner in vendor/lib src own linked; do
	for roots in "outer outer/$inner" "outer/$inner outer"; do
		serve "$roots" <<'L' >out
fs_search {"pattern":"the pin"}
fs_list {"glob":"pin.txt"}
find {"query":"pin.txt"}
L
			echo "$roots"; cat out; same 3 "$(grep -c "^$PWD/outer/$inner/pin.txt" out)"
		same 3 "$(grep -c "^$PWD/outer/pin.txt" out)"
		case $inner in linked) grep -q 'linked working tree' out && exit 1 ;; esac
	done
done
true
E

long 'a path that is named may lie in a folder inside another one' <<'E'
for paths in '["src"]' '["."]' "[\"$PWD/outer\"]"; do
	echo "fs_search {\"pattern\":\"the pin\",\"paths\":$paths}" | serve 'outer outer/src' >out
	grep -q "src/pin.txt" out
	grep -q 'not looked at\|outside' out && exit 1
done
echo "fs_search {\"pattern\":\"the pin\",\"paths\":[\"$PWD/outer/src\"]}" | serve 'outer outer/src' >out
same "$PWD/outer/src/pin.txt" "$(head -1 out)"
grep -q "not looked at: $PWD/outer;" out
E

long 'a folder that is lost is told, beside open ones and alone' <<'E'
echo '{"dependencies":[{"name":"left-pad"}]}' >ask
for roots in 'shop nowhere' 'nowhere shop second' 'shop a-file'; do
	echo x >a-file
	serve "$roots" <<L >out
knowledge_check $(cat ask)
fs_search {"pattern":"needle"}
L
	same 2 "$(grep -c "^warning: not looked at: the client's root '$PWD/\(nowhere\|a-file\)': " out)"
done
(cd shop && echo "knowledge_check $(cat ../ask)" | serve nowhere) >out
grep -q "no named folder is open: this is about '$PWD/shop'" out
E

long 'memories of a project are those of one folder, which is told' <<'E'
git -C second remote add origin https://example.org/a/second.git
(cd second && ikm mem add 'the key is in vault 7' --layer project >/dev/null)
for call in 'memory_search {"query":"vault"}' 'memory_list {}' 'memory_add {"content":"x"}'; do
	echo "$call" | serve 'shop second' >out
	grep -q "^warning: the layer 'project' is that of $PWD/shop, not of $PWD/second" out
done
mkdir -p shop/src
echo 'memory_list {}' | serve 'shop shop/src' >out
grep -q 'the layer' out && exit 1
true
E
done_testing
