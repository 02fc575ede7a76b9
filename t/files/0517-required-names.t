#!/bin/sh
# Calls by the names and forms of the requirement garden, and the messages for calls that are nearly
# right.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
call() { # TOOL JSON
	printf '%s' "$2" | ikm call "$1"
}

try 'dotted names are accepted, and never advertised' <<'E'
call fs.write '{"path": "f", "content": "a\nb\n"}' >../out
same 'a
b' "$(call fs.read '{"path": "f"}' | jq -r .content)"
same '["f"]' "$(call fs.list '{"path": "."}' | jq -c .paths)"
same 2 "$(call fs.append '{"path": "f", "text": ""}' | jq .newSize | xargs -I{} expr {} / 2)"
call fs.ensure_dir '{"path": "d"}' >../out
[ -d d ]
fails 3 sh -c "printf '{}' | ikm call fs.nope >../out"
ikm tool list --json | not grep -q '"fs\.'
! ikm help tools | grep -q 'fs\.'
E

long 'opts of fs.write, fs.search and fs.list; the names below it are checked' <<'E'
hash=$(call fs_hash '{"path": "f"}' | jq -r .hash)
call fs_write "{\"path\": \"f\", \"content\": \"c\\n\", \"opts\": {\"ifMatch\": \"$hash\"}}" >../out
same c "$(cat f)"
fails 4 call fs_write "{\"path\": \"f\", \"content\": \"d\", \"opts\": {\"ifMatch\": \"$hash\"}}" >../out
same c "$(cat f)"
same 1 "$(call fs.search '{"root": ".", "pattern": "C", "opts": {"ignoreCase": true}}' | jq .total)"
call fs_list '{"path": ".", "opts": {}}' >../out
fails 2 call fs_write '{"path": "f", "content": "d", "opts": {"ifmatch": "none"}}' >../out
same '["UNKNOWN_PARAMETER","opts.ifmatch"]' "$(jq -c '[.details.reason,.details.parameter]' ../out)"
fails 2 call fs_write '{"path": "f", "content": "d", "ifMatch": "none", "opts": {"ifMatch": "none"}}' >../out
jq -e '.message | contains("opts.ifMatch")' ../out
fails 2 call fs_write '{"path": "f", "content": "d", "opts": []}' >../out
same WRONG_TYPE "$(jq -r .details.reason ../out)"
fails 2 call memory_list '{"opts": {}}' >../out
same UNKNOWN_PARAMETER "$(jq -r .details.reason ../out)"
! ikm tool schema fs_write | jq .parameters | grep -q opts
E

try 'tool in the input is compared' <<'E'
call file_read '{"tool": "file_read", "path": "f"}' >../out
call fs.read '{"tool": "fs-read", "path": "f"}' >../out
call fs_read '{"tool": "fs.read", "path": "f"}' >../out
printf x | ikm write ikigai:///blocks/x.md
ikm asset pin blocks/x >../out
fails 2 call asset_unpin '{"tool": "file_read", "path": "blocks/x"}' >../out
same '["BAD_ARGUMENT","tool"]' "$(jq -c '[.details.reason,.details.parameter]' ../out)"
jq -e '.message | contains("file_read") and contains("asset_unpin")' ../out
same 1 "$(ikm asset pinned --json | jq '.assets | length')"
fails 2 call file_read '{"tool": 1, "path": "f"}' >../out
same '["WRONG_TYPE","tool"]' "$(jq -c '[.details.reason,.details.parameter]' ../out)"
E

try 'fs_search takes path, grep takes root; paths without path is read' <<'E'
mkdir -p sub; echo needle >sub/n; echo needle >n
same sub/n "$(call fs_search '{"path": "sub", "pattern": "needle"}' | jq -r '.matches[].path')"
same sub/n "$(call grep '{"root": "sub", "pattern": "needle"}' | jq -r '.matches[].path')"
fails 2 call fs_search '{"path": "sub", "root": ".", "pattern": "needle"}' >../out
same '["f","n"]' "$(call file_read '{"paths": ["f", "n"]}' | jq -c '[.files[].path]')"
E

try 'a section by its heading' <<'E'
printf '# Set Up\n\none\n\n# What now?\n\ntwo\n' >doc.md
for name in 'Set Up' 'set up' 'set-up' 'What now?'; do
	call file_read "{\"path\": \"doc.md\", \"section\": \"$name\"}" | jq -e '.content | startswith("# ")'
done
fails 3 call file_read '{"path": "doc.md", "section": "Setup"}' >../out
E

long 'what of a file is not kept or not done is told' <<'E'
echo x >s; chmod 4755 s
call file_edit '{"path": "s", "old": "x", "new": "y"}' >../out
jq -e '.warnings[0] | contains("setuid")' ../out
same 755 "$(stat -c %a s)"
echo x >plain; chmod 644 plain
call file_write '{"path": "plain", "content": "y", "executable": true}' >../out
jq -e '.warnings[0] | contains("not executable")' ../out
call file_write '{"path": "s", "content": "z", "executable": true}' >../out
same null "$(jq .warnings ../out)"
call file_write '{"path": "new", "content": "z", "executable": true}' >../out
same null "$(jq .warnings ../out)"
call file_write '{"path": "ikigai:///e", "content": "z", "executable": true}' >../out
jq -e '.warnings[0] | contains("no mode")' ../out
printf '%s' '{"path": "plain", "content": "w"}' | ikm -c undo.bytes=0 call file_write >../out
jq -e '.warnings[0] | contains("cannot be undone")' ../out
id=$(jq -r .event ../out)
fails 3 ikm events undo "$id" 2>../err
grep -q "/plain': the content with the hash" ../err
E

try 'edit reads one of its texts from standard input' <<'E'
printf 'one two' >f
printf 'three\n-' | ikm edit f --old two --new -
same 'one three
-' "$(cat f)"
printf 'one' | ikm edit f --old - --new 1
fails 2 ikm edit f --old - --new - </dev/null
E

long 'the conflict of an undo says what came later' <<'E'
echo one >u
id=$(call file_write '{"path": "u", "content": "two"}' | jq -r .event)
echo three >u
fails 4 ikm events undo "$id" --json >../out
jq -e '.help.steps[0] | contains("no later event")' ../out
rm u
fails 4 ikm events undo "$id" --json >../out
jq -e '.message | contains("was removed since")' ../out
printf two >u
call file_write '{"path": "u", "content": "four"}' >../later
fails 4 ikm events undo "$id" --json >../out
jq -e '.help.steps[0] | contains("undo the later events first")' ../out
mkdir moved
id=$(call file_write '{"path": "moved/x", "content": "x"}' | jq -r .event)
id2=$(call file_write '{"path": "moved/x", "content": "y"}' | jq -r .event)
mv moved elsewhere
fails 4 ikm events undo "$id2" --json >../out
jq -e '(.message | contains("is not there any more")) and (.help.steps[0] | contains("put a link where it was"))' ../out
ikm events undo "$id" --json >../out
jq -e '.changed == false and (.warnings[0] | contains("is not there any more"))' ../out
echo x >a
id=$(echo '{"path": "a", "newPath": "b"}' | ikm --maintainer call fs_move | jq -r .event)
echo taken >a
fails 4 ikm events undo "$id" --json >../out
jq -e '.details.reason == "EXISTS" and (.help.steps[0] | contains("away, and undo again"))' ../out
E

try 'a misspelled variable and an unknown empty group of settings are errors' <<'E'
fails 2 env IKM_ASSETS_BUDGTE=7 ikm config list --json >../out
jq -e '.message | contains("IKM_ASSETS_BUDGTE") and contains("IKM_ASSETS_BUDGET")' ../out
IKM_SOMETHING_OF_MINE=1 IKM_FAULT='' ikm config list >../out
mkdir .ikm
echo '{"knowlege": {}}' >.ikm/config.json
fails 2 ikm config list --json >../out
jq -e '.message | contains("knowlege") and contains("did you mean '"'knowledge'"'")' ../out
echo '{"knowledge": {}}' >.ikm/config.json
ikm config list >../out
rm -r .ikm
E
done_testing
