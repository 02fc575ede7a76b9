#!/bin/sh
# The four ways back of ikm-design(7): what each brings back, until when, who may, and its words.
. "$(dirname "$0")/../lib.sh"
export IKM_USER=ada
git init -q repo && cd repo || exit 1
ikm init --home-only --garden >/dev/null 2>&1
G=$HOME/.ikigai/garden

# The rows of the table: WAY|BRINGS BACK|UNTIL|WHO.
sed -n '/^\.Ss Four ways back/,/^\.El/p' "$TOP/man/ikm-design.7" |
	sed -n 's/^\.It \(.*\)/\1/p' | sed '1d; s/ Ta /|/g' >table

last() { ikm events query -n 1 --json | jq -r '.rows[0].event_id'; }
long 'the table has these four; a setting of it exists; a tool has what it may' <<'E'
same 'events undo|asset restore|mem restore|history copy' "$(cut -d'|' -f1 table | paste -sd'|')"
ikm tool list --json | jq -r '.tools[].name' >tools
while IFS='|' read -r way _ until who; do
	case $until in
	*.*) ikm config get "$until" >/dev/null ;;
	mem*) ikm help "$until" >/dev/null ;;
	esac
	[ "$way" != 'history copy' ] || way='md snapshot'
	ikm help "$way" >/dev/null
	tool=$(printf %s "$way" | tr ' ' _ | sed 's/^mem_/memory_/; s/md_snapshot/md_snapshot_history/')
	case $who in
	*tool*) grep -qx "$tool" tools ;;
	*) not grep -qx "$tool" tools ;;
	esac
done <table
E

try 'events undo: undid OP of WHAT, while the file is as it was left' <<'E'
echo one >n
echo '{"path": "n", "content": "two"}' | ikm call file_write >/dev/null
ikm events undo "$(last)" >said
grep -q '^undid write of .*/n by default' said
same one "$(cat n)"
echo '{"path": "n", "content": "three"}' | ikm call file_write >/dev/null
id=$(last)
echo 'by hand' >n
fails 4 ikm events undo "$id"
E

try 'asset restore: ASSET is version N again' <<'E'
for text in one two; do echo $text | ikm write ikigai:///n >/dev/null; done
same 'n is version 1 again' "$(ikm asset restore n)"
same one "$(ikm read ikigai:///n)"
fails 3 ikm asset restore n 99
echo '{"path": "n", "version": 2}' | ikm call asset_restore | jq -e '.version == 2'
same two "$(ikm read ikigai:///n)"
E

try 'mem restore: the line of the memory, until a purge' <<'E'
id=$(ikm mem add 'one fact' --json | jq -r .memoryId)
ikm mem delete "$id" >/dev/null
ikm mem restore "$id" >said
grep -q "^$id .*one fact$" said
ikm mem delete "$id" >/dev/null
ikm mem purge >/dev/null
fails 3 ikm mem restore "$id"
E

try 'a history copy: the former profile, in Git' <<'E'
ikm md new part p1 >/dev/null
f=users/ada/parts/p1/profile.md
cp "$G/$f" was
ikm md patch $f role --replace 'It judges.' --rationale r >/dev/null
copy=$(git -C "$G" ls-files '*history/*')
git -C "$G" show "HEAD:$copy" | cmp was -
E

done_testing
