#!/bin/sh
# Tools read the folder of their own user in the garden; a setting opens those of others.
. "$(dirname "$0")/../lib.sh"

ikm config set user ada >/dev/null
ikm init --home-only --garden >/dev/null 2>&1 || ikm init --home-only >/dev/null
G=$HOME/.ikigai/garden
ikm md new notes >/dev/null 2>&1 || :
mkdir -p "$G/users/ada"
echo 'my needle' >"$G/users/ada/notes.md"
git init -q w
cd w
call() { tool=$1 && shift && printf '%s\n' "$1" | ikm call "$tool"; }
others() { mkdir -p "$G/users/bob/parts" && echo 'his needle' | tee "$G/users/bob/notes.md" >"$G/users/bob/parts/x.md"; }
closed='of other users in the garden'

try 'a garden of one user is open, whatever the name' <<'E'
call file_read '{"path":"users/ada/notes.md"}' | jq -e '.content == "my needle\n"'
ikm config set user carol
call file_read '{"path":"users/ada/notes.md"}' | jq -e '.content == "my needle\n"'
ikm config set user ada >/dev/null
call fs_search "{\"path\":\"$G/users\",\"pattern\":\"needle\"}" | jq -e '.total == 1 and .warnings == []'
E

others
long 'what tools read and change ends at the folder of their user, and they say so' <<'E'
for path in users/bob/notes.md "$G/users/bob/notes.md" "$G/users/ada/../bob/notes.md"; do
	for tool in file_read fs_hash md_list_sections; do
		call $tool "{\"path\":\"$path\"}" >../o 2>/dev/null && { echo "$tool $path"; exit 1; }
		jq -e '.details.reason == "OUTSIDE_ROOTS"' ../o
	done
done
call file_read '{"path":"users/bob/notes.md"}' | jq -r '.help.steps[]' | grep 'garden.readers'
call file_write '{"path":"users/bob/notes.md","content":"x"}' >../o 2>/dev/null && exit 1
call fs_patch '{"diff":"--- users/bob/notes.md\n+++ users/bob/notes.md\n@@ -1 +1 @@\n-his needle\n+x\n"}' >../o 2>/dev/null && exit 1
same 'his needle' "$(cat "$G/users/bob/notes.md")"
for all in false true; do
	call fs_search "{\"path\":\"$G/users\",\"pattern\":\"needle\",\"all\":$all}" >../o
	same 1 "$(jq .total ../o)"
	jq -r '.warnings[]' ../o | grep "left out 1 folder $closed, such as '$G/users/bob'.*garden.readers"
	call fs_list "{\"path\":\"$G/users\",\"all\":$all,\"dirs\":true}" >../o
	grep bob ../o | grep -v "$closed" && exit 1
	jq -r '.warnings[]' ../o | grep "$closed"
done
call glob "{\"path\":\"$G/users\",\"pattern\":\"*.md\"}" | jq -r '.paths[]' | grep bob && exit 1
call fs_search "{\"path\":\"$G/users/bob\",\"pattern\":\"needle\"}" | jq -e '.details.reason == "OUTSIDE_ROOTS"'
for place in "$G/users" "$G/users/ada"; do
	(cd "$place" && call find '{"query":"md","limit":0}') >../o
	not grep -q '/\?bob/.*md' ../o
	jq -r '.matches[].path' ../o | grep notes.md
	[ "$place" = "$G/users/ada" ] || jq -r '.warnings[]' ../o | grep "left out 1 folder $closed.*garden.readers"
done
(cd "$G/users" && ikm find bob) | grep bob/parts/x.md
mv "$G/.git" ../git
(cd "$G/users" && call find '{"query":"md","limit":0}') >../o
mv ../git "$G/.git"
not grep -q '/\?bob/.*md' ../o
jq -r '.warnings[]' ../o | grep "left out 1 folder $closed"
# The record.
ikm -c user=bob md new part hidden >/dev/null 2>&1
ikm -c user=bob md patch "$G/users/bob/parts/hidden/profile.md" role --replace 'His secret.' --rationale r >/dev/null 2>&1
id=$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')
ikm events show "$id" | grep -q 'His secret'
call events_show "{\"eventId\":\"$id\"}" >../o
not grep -q 'His secret' ../o
jq -e '.warnings[0] | test("the change is left out: .*users/bob.* outside the roots")' ../o
for ask in '{"since":"1h"}' "{\"path\":\"$G/users/bob/parts/hidden/profile.md\"}"; do
	call events_diff "$ask" >../o 2>/dev/null || :
	not grep -q 'His secret' ../o
done
# Links, and prompts.
ln -s "$G/users/bob" "$G/users/ada/peer" 2>/dev/null
call file_read "{\"path\":\"$G/users/ada/peer/notes.md\"}" | jq -e '.details.reason == "OUTSIDE_ROOTS"'
rm "$G/users/ada/peer"
call expand '{"text":"see @users/bob/notes.md"}' >../o 2>/dev/null || :
least 1 ../o
not grep -q 'his needle' ../o
call refs "{\"path\":\"$G/users/bob/notes.md\"}" >../o 2>/dev/null || :
least 1 ../o
not grep -q 'his needle' ../o
E

try 'a server, also after another user came, and its resources' <<'E'
rm -r "$G/users/bob"
req() { echo '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'","params":'"$3"'}'; }
read='{"name":"file_read","arguments":{"path":"users/bob/notes.md"}}'
mkfifo ../go
{
	req 0 initialize '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
	echo '=wait 0'
	for i in 1 2 3; do req $i tools/call "$read"; echo "=wait $i"; done
	cat ../go
	req 4 tools/call "$read"
	req 5 resources/list '{}'
	req 6 resources/read '{"uri":"garden:///../bob/notes.md"}'
} | python3 -IS "$TOP/t/mcp.py" ikm mcp >../out &
others
: >../go
wait
jq -c 'select(.id == 4) | .result.content[0].text' ../out | grep 'outside'
jq -c 'select(.id == 5)' ../out | grep /bob && exit 1
not grep -q 'his needle' ../out
E

try 'a person reads all, and the setting opens all to tools' <<'E'
same 'his needle' "$(ikm read users/bob/notes.md)"
ikm search needle "$G/users" | grep -c needle | grep 3
ikm config set garden.readers all
call file_read '{"path":"users/bob/notes.md"}' | jq -e '.content == "his needle\n"'
call fs_search "{\"path\":\"$G/users\",\"pattern\":\"needle\"}" | jq -e '.total == 3 and .warnings == []'
E
done_testing
