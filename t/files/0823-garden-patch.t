#!/bin/sh
# fs_patch in the garden: fuzz never leaves out all context, so a stale diff cannot put lines
# wherever its header says. Elsewhere patches apply as GNU patch applies them.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
N=$G/users/ada/notes.md
export N

hunk() { # OLD NEW LINES: a diff with one hunk; | ends a line
	printf -- '--- a\n+++ b\n@@ -%s +%s @@\n%s\n' "$1" "$2" "$(printf '%s' "$3" | tr '|' '\n')"
}

long 'a hunk without a line that matches is a conflict, and elsewhere applies' <<'E'
cp "$N" was
cp "$N" elsewhere.md
n=0
while read -r old new lines; do
	n=$((n + 1))
	hunk "$old" "$new" "$(echo "$lines" | tr _ ' ')" >diff
	fails_for HUNK_FAILED ikm patch "$N" --json <diff >out
	same "CONFLICT" "$(jq -r .errorCode out)"
	jq -e '.help.steps[0] | contains("read the file again")' out
	jq -e '.message | contains("only its line number says where it belongs")' out
	cmp was "$N"
	cp was elsewhere.md
	ikm patch elsewhere.md <diff
done <<'R'
1,2 1,3 _gone|+stray|_gone too
1,4 1,5 _a|_b|+stray|_c|_d
2,2 2,3 _|+stray|_lost
1,0 2 +stray
R
same 4 "$n"
clean
E

try 'a hunk with one line that matches applies, and so does one that is whole' <<'E'
hunk 1,3 1,4 ' # Renamed| |+kept| ## Inbox' >diff
ikm patch "$N" <diff
grep -qx kept "$N"
hunk 0,0 1,2 '+# New|+text' >new
ikm patch "$G/users/ada/parts/p1/notes.md" <new >out
same "$(printf '# New\ntext')" "$(cat "$G/users/ada/parts/p1/notes.md")"
clean
E

try 'one change of the garden and of what is elsewhere is refused, and changes neither' <<'E'
echo a | ikm write ikigai:///blocks/a.md >/dev/null
hunk 1,1 1,2 '-a|+b' | sed "s|^--- a|--- $N|; s|^+++ b|+++ $N|" >diff
sed "s|$N|ikigai:///blocks/a.md|" diff >>diff.b
cat diff.b >>diff
(cd "$G" && fails_for BAD_ARGUMENT ikm patch) <diff 2>err
grep -q "one change cannot have files of the garden and 'ikigai:///blocks/a.md', which is a stored asset" err
same a "$(ikm read ikigai:///blocks/a.md)"
clean
E

try 'a proposal says the same' <<'E'
hunk 1,2 1,3 ' gone|+stray| gone too' >diff
jq -n --arg p "$N" --rawfile d diff '{operation:"fs_patch",input:{path:$p,diffText:$d,fuzz:2}}' >in
ikm call propose_change <in >out || :
grep -q 'only its line number says where it belongs' out || { cat out; false; }
E

long 'every form of a diff knows the names of the garden' <<'E'
mkdir ../elsewhere; cd ../elsewhere
form() { # FORM NAME OLD NEW
	case $1 in
	diff) printf -- '--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-%s\n+%s\n' "$2" "$2" "$3" "$4" ;;
	begin) printf '*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch\n' "$2" "$3" "$4" ;;
	esac
}
for name in users/ada/notes.md garden:///notes.md; do
	for form in diff begin; do
		old=$(head -1 "$N")
		form $form $name "$old" "# $form" | ikm --user ada patch
		same "# $form" "$(head -1 "$N")"
		form $form $name "# $form" "$old" | jq -Rs '{diffText: .}' | ikm --user ada call fs_patch >out
		same "$old" "$(head -1 "$N")"
	done
done
E
done_testing
