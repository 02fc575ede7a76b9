#!/bin/sh
# ikm mcp and the garden: its toolset, and its files as resources, of the caller's own folder alone.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" sample
cd sample
mcp() { python3 -IS "$TOP/t/mcp.py" ikm --user ada mcp "$@"; }
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
req() { # ID METHOD [PARAMS]
	echo '{"jsonrpc":"2.0","id":'$1',"method":"'$2'","params":{'"${3:+$3,}$meta"'}}'
}
answer() { jq -c "select(type == \"object\" and .id == $1 and (has(\"method\") | not)) | $2"; }
export IKM_WATCH_MS=20

G=$HOME/.ikigai/garden
grow() { # PATH TEXT: a file that was there before
	mkdir -p "$G/users/${1%/*}"
	printf '%s\n' "$2" >"$G/users/$1"
}
grow ada/overview.md '# Ada'
grow ada/parts/p1/profile.md '# Guard'
grow ada/parts/p1/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md '# Old'
grow ada/parts/p1/secret.md 'not of the grammar'
grow ada/relationships/r1/notes.md '# R'
grow bob/overview.md '# Bob'
export G

long 'the files of the grammar are listed and read, and no others' <<'E'
{ req 1 resources/list; req 2 resources/read '"uri":"garden:///parts/p1/profile.md"'
req 3 resources/read '"uri":"garden:///parts/p1/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md"'
req 4 resources/read '"uri":"garden:///parts%2Fp1%2Fprofile.md"'; } | mcp >out
same '[["garden:///overview.md","overview"],["garden:///parts/p1/profile.md","part profile"],["garden:///relationships/r1/notes.md","notes"]]' \
	"$(answer 1 '[.result.resources[] | select(.uri | startswith("garden:")) | [.uri, .description]]' <out)"
same '["# Guard\n","text/markdown"]' "$(answer 2 '.result.contents[0] | [.text, .mimeType]' <out)"
same '"# Old\n"' "$(answer 3 '.result.contents[0].text' <out)"
same '"# Guard\n"' "$(answer 4 '.result.contents[0].text' <out)"
i=0
for path in ../bob/overview.md parts/p1/secret.md parts/../overview.md none.md '' /etc/passwd users/ada/overview.md %2e%2e/bob/overview.md; do
	i=$((i + 1))
	req $i resources/read "\"uri\":\"garden:///$path\""
done >in
mcp <in >out
same 8 "$(grep -c '"code":-32602' out)"
not grep -q Bob out
E

try 'another user has another folder, and --root closes the garden' <<'E'
{ req 1 resources/list; req 2 resources/read '"uri":"garden:///overview.md"'; } >in
ikm --user bob mcp <in >out
same '["garden:///overview.md"]' "$(answer 1 '[.result.resources[].uri | select(startswith("garden:"))]' <out)"
same '"# Bob\n"' "$(answer 2 '.result.contents[0].text' <out)"
ikm --user .. mcp <in >out
same '[]' "$(answer 1 '[.result.resources[].uri | select(startswith("garden:"))]' <out)"
ikm --user ada --root . mcp <in >out
same '[]' "$(answer 1 '[.result.resources[].uri | select(startswith("garden:"))]' <out)"
same -32602 "$(answer 2 .error.code <out)"
E

try 'paths are completed' <<'E'
req 1 completion/complete '"ref":{"type":"ref/resource","uri":"garden:///{+path}"},"argument":{"name":"path","value":"prof"}' >in
same '["parts/p1/profile.md"]' "$(mcp <in | answer 1 .result.completion.values)"
E

try 'a change is told' <<'E'
{ req 1 subscriptions/listen '"notifications":{"resourceSubscriptions":["garden:///overview.md","garden:///../bob/overview.md"]}'
echo '=told notifications/subscriptions/acknowledged'
echo '=run echo more >>"$G/users/ada/overview.md"'
echo '=told notifications/resources/updated'; } | mcp >out
same '["garden:///overview.md"]' \
	"$(jq -c 'select(.method == "notifications/subscriptions/acknowledged") | .params.notifications.resourceSubscriptions' out)"
same '"garden:///overview.md"' "$(jq -c 'select(.method == "notifications/resources/updated") | .params.uri' out | sort -u)"
E

long 'the toolset garden has the tools of sections' <<'E'
req 1 tools/list | mcp -t garden >out
for tool in md_list_sections md_patch_section md_curate_list md_snapshot_history md_new; do
	answer 1 '.result.tools[].name' <out | grep -qx "\"$tool\"" || { echo "not there: $tool"; exit 1; }
done
req 1 tools/list | mcp -t files | answer 1 '.result.tools[].name' >names
not grep -q '"md_' names
E

try 'tools read and change the garden, and nothing else of that folder' <<'E'
echo '{"user": "ada"}' >"$HOME/.ikigai/config.json"
call() { # TOOL JSON
	echo "$2" | ikm call "$1"
}
same '["Guard"]' "$(call md_list_sections "{\"path\":\"$G/users/ada/parts/p1/profile.md\"}" | jq -c '[.sections[].heading]')"
fails_for OUTSIDE_ROOTS call file_read "{\"path\":\"$HOME/.ikigai/config.json\"}"
fails_for OUTSIDE_ROOTS call file_write "{\"path\":\"$G/../x\",\"content\":\"x\"}"
echo x >"$G/x"
fails_for OUTSIDE_ROOTS call file_read "{\"path\":\"$G/x\"}"
mkdir "$G/.git"
echo x >"$G/.git/config"
fails_for OUTSIDE_ROOTS call file_read "{\"path\":\"$G/.git/config\"}"
rm -r "$G/.git" "$G/x"
echo '# Not for tools' >"$HOME/.ikigai/secret.md"
ikm expand "see @$G/users/ada/overview.md and @$HOME/.ikigai/secret.md" >told 2>&1
grep -q '# Ada' told
not grep -q '# Not for tools' told
E

done_testing
