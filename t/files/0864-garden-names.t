#!/bin/sh
# The short names of the garden's files: users/USER/… and garden:///… on every face, for reading and
# writing, and the current folder that has its own users/.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
U=users/ada
N=$G/$U/notes.md
export U N
mkdir "$T/w/here" && cd "$T/w/here" || exit 1

nothing_here() { same '' "$(ls -A)"; }
missing() { fails_for FILE_NOT_FOUND ikm read "$1"; }

# A table: the command, and what its output has.
cat >"$T/reads" <<'E'
read $U/notes.md|# Notes
read garden:///notes.md|# Notes
read garden:///parts/p1/profile.md -s concerns|It fears to fail.
read --json $U/notes.md|"path":"$N"
read $U/notes.md garden:///parts/p1/profile.md|# The Critic
hash $U/notes.md|$SUM
hash garden:///notes.md|$SUM
list $U|parts/p1/profile.md
list garden:///parts/|p1/profile.md
list garden:///|notes.md
glob *.md -p $U/parts/p1|profile.md
grep fears $U|It fears to fail.
grep fears garden:///|It fears to fail.
md sections $U/parts/p1/profile.md|concerns v1
md sections garden:///parts/p1/profile.md|concerns v1
md lint --json $U/notes.md|"blocked":false
lint --json $U/notes.md|"files":1}
E

long 'a command reads the file of the garden that the name means' <<'E'
rows=0
set -f
sum=$(sha256sum <"$N" | cut -c1-64)
while IFS='|' read -r command has; do
	set -- $(echo "$command" | sed "s|[\$]U|$U|g")
	has=$(printf '%s' "$has" | sed "s|[\$]SUM|$sum|; s|[\$]N|$N|")
	ikm "$@" >"$T/o" || { echo "$command"; cat "$T/o"; exit 1; }
	grep -Fq -- "$has" "$T/o" || { echo "$command"; cat "$T/o"; exit 1; }
	rows=$((rows + 1))
done <"$T/reads"
[ $rows -gt 15 ]
nothing_here
E

long 'a write on the command line is one in the garden' <<'E'
ikm append $U/notes.md --text 'A name.' --json >"$T/o"
same "true $N" "$(jq -r '"\(.committed) \(.path)"' "$T/o")"
ikm edit $U/notes.md --old 'A name.' --new 'A short name.'
ikm md patch garden:///parts/p1/profile.md 'needs v1' --replace 'Rest.' --rationale 'session 6' >/dev/null
ikm md curate $U/parts/p1/profile.md 'allies v1' append 'The Guard' --rationale 'an ally' >/dev/null
ikm md snapshot $U/parts/p1/profile.md >"$T/copy"
case $(cat "$T/copy") in "$G/$U/parts/p1/history/"*) ;; *) cat "$T/copy"; exit 1 ;; esac
ikm mkdir $U/parts/p2
[ -d "$G/$U/parts/p2" ]
ikm write $U/parts/p2/notes.md --content '# New
'
printf -- '--- x\n+++ x\n@@ -1 +1,2 @@\n # New\n+Patched.\n' | ikm patch $U/parts/p2/notes.md
same Patched. "$(tail -n 1 "$G/$U/parts/p2/notes.md")"
mkdir "$G/$U/parts/p3"
ikm move --maintainer $U/parts/p2/notes.md $U/parts/p3/notes.md --rationale 'another part'
ikm delete --maintainer garden:///parts/p3/notes.md --rationale 'of no use'
same 'A short name.' "$(tail -n 1 "$N")"
grep -qx Rest. "$P"
nothing_here
clean
E

more 'so is a write of a tool, and its proposal' <<'E'
for name in $U/notes.md garden:///notes.md; do
	jq -n --arg path $name '{operation: "fs_append", input: {$path, text: "By a tool."}}' >"$T/in"
	ikm call propose_change <"$T/in" >"$T/o" || { cat "$T/o"; exit 1; }
	same "$N" "$(jq -r '.files[0].path' "$T/o")"
	jq .input "$T/in" | ikm call fs_append >"$T/o"
	same true "$(jq .committed "$T/o")"
	same '["observation","append","note","ada"]' \
		"$(ikm events query --path $name -n 1 --json | jq -c '.rows[0] | [.type, .op, .entity_type, .entity_id]')"
	ikm append "$N" --text 'Between.'
done
jq -n '{path: "garden:///parts/p1/profile.md"}' | ikm call file_read | grep -q 'The Critic'
jq -n '{path: "garden:///parts/p1/profile.md"}' | ikm call md_list_sections | grep -q '"concerns v1"'
jq -n '{root: "users/ada", pattern: "By a tool"}' | ikm call fs_search >"$T/o"
same 2 "$(grep -o '"By a tool."' "$T/o" | wc -l)"
nothing_here
clean
E

more 'over MCP too' <<'E'
{
	echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fs_append","arguments":{"path":"users/ada/notes.md","text":"Over MCP."}}}'
} | ikm mcp --structured --toolset files >"$T/o"
same true "$(jq -c 'select(.id == 2) | .result.structuredContent.committed' "$T/o")"
ikm read garden:///notes.md | grep -q '^Over MCP'
nothing_here
clean
E

more 'the name of another user is judged, and makes no file here' <<'E'
for name in users/bob/notes.md users/bob/overview.md; do
	jq -n --arg path $name '{$path, content: "# Bob\n", parents: true}' >"$T/in"
	fails_for GARDEN_POLICY ikm call file_write <"$T/in"
done
nothing_here
[ ! -e "$G/users/bob" ]
E

more 'a path that the grammar has not is one of the current folder' <<'E'
for name in users/ada/todo.md users/ada/parts/p1/secret.md users/.ada/notes.md \
	users/ada/../ada/notes.md users/ ./users/ada/notes.md; do
	missing $name
done
for name in garden:///todo.md garden:///../bob/notes.md garden:////etc/passwd garden:///users/ada/notes.md; do
	fails_for BAD_PATH ikm read $name
done
E

more 'a current folder with users/ keeps its own files' <<'E'
mkdir -p own/$U own/lib
cd own
echo mine >$U/notes.md
same mine "$(ikm read $U/notes.md)"
ikm append $U/notes.md --text more
same more "$(tail -n 1 $U/notes.md)"
missing $U/parts/p1/profile.md
ikm read garden:///notes.md | grep -q '# Notes'
cd lib
ikm read $U/notes.md | grep -q '# Notes'
ln -s ../users users
same mine "$(ikm read $U/notes.md | head -n 1)"
rm users
: >users
ikm read $U/notes.md | grep -q '# Notes'
cd "$G"
ikm read $U/notes.md | grep -q '# Notes'
cd "$G/users"
ikm read $U/notes.md | grep -q '# Notes'
rm -r "$T/w/here/own"
E

more 'events log takes such a path, and the entity is that of the garden' <<'E'
for name in $U/parts/p1/profile.md garden:///parts/p1/profile.md "$P"; do
	ikm events log --type observation --path $name --rationale "seen at $name" >/dev/null
	same "[\"part\",\"p1\",\"$P\"]" "$(last '| [.entity_type, .entity_id, .path] | tojson')"
done
ikm events log --type observation --path $U/notes.md -m seen >/dev/null
same '["note","ada"]' "$(last '| [.entity_type, .entity_id] | tojson')"
ikm events log --type observation --path $U/parts/p1/profile.md --entity-type user --entity ada -m seen >/dev/null
same '["user","ada"]' "$(last '| [.entity_type, .entity_id] | tojson')"
for name in other.md gone/other.md; do
	ikm events log --type observation --path $name -m seen >/dev/null
	same "[\"file\",\"$PWD/$name\"]" "$(last '| [.entity_type, .entity_id] | tojson')"
done
ikm events query --path $U/parts/p1/profile.md --json | jq -r '.rows[].event_id' >"$T/ids"
least 4 "$T/ids"
ikm events verify
E

more 'without a garden a name is one of the current folder, and a URI tells' <<'E'
fails_for FILE_NOT_FOUND ikm -c garden.path="$T/none" read $U/notes.md
fails_for FILE_NOT_FOUND ikm -c garden.path="$T/none" read garden:///notes.md
grep -q 'no garden' "$T"/*err* 2>/dev/null || ikm -c garden.path="$T/none" read garden:///notes.md 2>&1 | grep -q 'there is no garden'
[ ! -e "$T/none" ]
E
more 'the names in a diff and in a prompt are the same names' <<'E'
git -C "$G" show HEAD:$U/notes.md >../notes
{ sed 's/^# /# Our /' ../notes; } >../new
git diff --no-index --no-prefix ../notes ../new | sed "s|\.\./notes|a/$U/notes.md|; s|\.\./new|b/$U/notes.md|; /^diff\|^index/d" >../diff
cp "$N" ../kept; cp ../notes "$N"; git -C "$G" commit -qam notes -m 'Ikm-Rationale: test' || :
jq -n --rawfile d ../diff '{diffText: $d}' | ikm call fs_patch >../ans
same "$U/notes.md" "$(jq -r '.files[0].path' ../ans)"
grep -q '^# Our' "$N"
same committed "$(last .status)"
mkdir users users/ada
fails_for FILE_NOT_FOUND ikm patch <../diff
rm -r users
printf 'see @%s and @garden:///notes.md' "$U/notes.md" | ikm expand >../text
same 2 "$(grep -c '# Our Notes' ../text)"
mkdir -p users/ada; echo mine >users/ada/notes.md
printf '@%s' "$U/notes.md" | ikm --root "$PWD" expand | grep -qx mine
rm -r users
nothing_here
clean
E
try 'a mistyped path names the nearest file before the command that makes a new one' <<'E'
near() { # PATH WANTED
	fails 3 ikm read "$1" 2>err
	same "  did you mean '$2'?" "$(sed -n 2p err)"
}
ikm md new part guard --title Guard >/dev/null
U=$(ikm md new overview 2>/dev/null || echo "$G/users/ada/overview.md"); U=${U%/overview.md}
near "$U/parts/gard/profile.md" "$U/parts/guard/profile.md"
near "$U/part/guard/profile.md" "$U/parts/guard/profile.md"
near "$G/user/${U##*/}/parts/guard/profile.md" "$U/parts/guard/profile.md"
fails 3 ikm read "$G/nowhere/at/all.md" 2>err
not grep "did you mean" err
E

done_testing
