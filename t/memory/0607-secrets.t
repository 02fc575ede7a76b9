#!/bin/sh
# A memory or an asset that looks like a key or a password is stored, with a warning on every face.
. "$(dirname "$0")/../lib.sh"

# In parts, so that no scanner of the sources takes it for a real one.
key=sk_live
key=${key}_aB3dE5gH7jK9mN1p
says='seems to hold a key of Stripe; if it does, replace that key where it is valid'
export key says

try 'a command, a call and a server say so, and store it' <<'E'
ikm mem add "pay with $key" >out 2>err
grep -q "^ikm: warning: the memory $(cat out) $says, and erase the memory: ikm mem delete" err
ikm mem list | grep -q "$key"
ikm mem add "pay with $key" --json 2>err | jq -r '.warnings // [] | length' >out
jq -nc --arg c "call with $key" '{content: $c}' | ikm call memory_add | jq -r '.warnings[]' | grep -q "$says"
{
	echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
	jq -nc --arg c "serve with $key" '{jsonrpc: "2.0", id: 2, method: "tools/call",
		params: {name: "memory_add", arguments: {content: $c}}}'
	jq -nc --arg c "write $key" '{jsonrpc: "2.0", id: 3, method: "tools/call",
		params: {name: "file_write", arguments: {path: "ikigai:///a.md", content: $c}}}'
} | ikm mcp >out
same 2 "$(grep -c "warning: .*$says" out)"
jq -nc --arg c "$key" '{command: "create", path: "/memories/a.md", file_text: $c}' | ikm memory-tool >out 2>err
grep -q "$says" err
E

try 'the step of the warning erases it' <<'E'
other=$(ikm mem add 'deleted, and not to be erased')
ikm mem delete "$other" >out
ikm mem add "erase $key" >out 2>err
grep -q 'earlier backups and exports keep it' err
sh -ec "$(sed 's/.*erase the memory: //; s/ (.*//' err)" >out
same 0 "$(ikm mem list --json | jq '[.results[]?, .memories[]? | select(.content | startswith("erase"))] | length')"
grep -q 'no byte of it is left' out
ikm mem restore "$other" >out
E

try 'an asset: the line is named; a file is no asset; many memories are told as five' <<'E'
printf 'one\ntwo %s\n' "$key" | ikm write ikigai:///x.md 2>err
grep -q "^ikm: warning: 'ikigai:///x.md', line 2, $says: the asset's versions" err
printf 'three\n' | ikm write ikigai:///x.md 2>err
same '' "$(cat err)"
echo "$key" | ikm write x.md 2>err
same '' "$(cat err)"
seq 9 | sed "s/.*/{\"content\":\"& $key&\"}/" | ikm mem import - >out 2>err
same 5 "$(grep -c "$says" err)"
same 1 "$(grep -c 'more memories seem to hold keys or passwords' err)"
E

more 'no false cry in the pages and sources of ikm' <<'E'
mkdir texts
cp -R "$TOP/man" "$TOP/lib" "$TOP/cmd" "$TOP/sql" "$TOP/hooks" "$TOP/README.md" texts
find texts -name '*.bin' -delete
ikm asset import texts >out 2>err || { head err out; exit 1; }
same '' "$(grep 'seems to hold' err out || :)"
E
done_testing
