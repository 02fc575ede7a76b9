#!/bin/sh
# A client with several folders: a search covers all, and other answers say what they are about.
. "$(dirname "$0")/lib.sh"

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
	} | python3 -IS "$TOP/t/mcp.py" ikm mcp -t files -t knowledge | jq -r 'select(.result.content) | .result.content[].text'
}

try 'a search without a path covers all folders of the client' <<'E'
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

try 'what looks at one folder says which, and which not; and with a path it says nothing' <<'E'
echo 'knowledge_check {"dependencies":[{"name":"mysql2"}]}' | serve 'empty shop' >out
grep -q "only $PWD/empty was looked at, and not $PWD/shop" out
grep -q '^passed' out && exit 1
for call in 'fs_list {}' 'knowledge_query {}' 'find {"query":"@a"}'; do
	echo "$call" | serve 'empty shop' | grep -q "only $PWD/empty was looked at, and not $PWD/shop"
done
echo "fs_list {\"path\":\"$PWD/shop\"}" | serve 'empty shop' >out
grep -q a.c out
grep -q 'was looked at' out && exit 1
echo 'fs_list {}' | serve shop >out
grep -q 'was looked at' out && exit 1
true
E

try 'a file that is not there: the other folders are named' <<'E'
echo 'file_read {"path":"a.c"}' | serve 'empty shop' >out
grep -q "paths begin in $PWD/empty; another open folder is $PWD/shop" out
E
done_testing
