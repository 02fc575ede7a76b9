#!/bin/sh
# ikm-garden(7) has the same paths, sections and fields as the grammar that ikm writes and judges.
. "$(dirname "$0")/../lib.sh"
export IKM_USER=ada
ikm init --home-only --garden >/dev/null || exit
G=$HOME/.ikigai/garden
MAN=$TOP/man/ikm-garden.7
export G MAN
ikm md new part p1 >/dev/null
ikm md new relationship r1 --participant p1 --participant ada --polarity-level 2 >/dev/null
ikm md new notes >/dev/null

# The items of the list below a heading ".Ss NAME", a line each: "TAG|TEXT".
items() {
	awk -v name=".Ss $1" '
		$0 == name { on = 1; next }
		on && /^\.S[sh] / { exit }
		on && /^\.El/ { print item; exit }
		on && /^\.It / { if (item) print item; item = substr($0, 5) "|"; next }
		on && item { sub(/^\.Li /, ""); item = item (item ~ /\|$/ ? "" : " ") $0 }' "$MAN"
}
file() { # TAG: the file that ikm made
	case $1 in
	overview) echo "$G/users/ada/overview.md" ;;
	'part profile') echo "$G/users/ada/parts/p1/profile.md" ;;
	'relationship profile') echo "$G/users/ada/relationships/r1/profile.md" ;;
	notes) echo "$G/users/ada/notes.md" ;;
	*) return 1 ;;
	esac
}

try 'sections and their anchors' <<'E'
items Sections >list
while IFS='|' read -r tag text; do
	case $tag in notes) text=$(echo "$text" | sed 's/^.*suggested: //; s/\. .*//') ;; esac
	echo "$text" | sed 's/, */\n/g' >want
	sed -n 's/^## //p' "$(file "$tag")" | diff want - || { echo "$tag"; false; } || exit
	grep '^<!-- @anchor' "$(file "$tag")" >anchors
	# the rule of the page: lower case, underscores, no parentheses
	while read -r heading; do
		echo "<!-- @anchor: $(echo "$heading" | sed 's/ *(.*//; s/ /_/g' | tr '[:upper:]' '[:lower:]') v1 -->"
	done <want | diff - anchors
	[ "$(wc -l <want)" -ge 5 ]
done <list
same 4 "$(wc -l <list | tr -d ' ')"
E

more 'fields of the front matter, and which may be missing' <<'E'
items 'Front matter' >list
while IFS='|' read -r tag text; do
	echo "$text" | tr -d ',;' | sed 's/ may be missing.*//' | tr -s ' ' '\n' | sort >want
	sed -n '2,/^---/s/^\([a-z_]*\):.*/\1/p' "$(file "$tag")" | sort | diff want -
	while read -r field; do # a field that must be there is missed
		sed "2,/^---/{/^$field:/d;}" "$(file "$tag")" >cut
		cp "$(file "$tag")" kept
		cp cut "$(file "$tag")"
		ikm lint --json "$(file "$tag")" >out || :
		cp kept "$(file "$tag")"
		got=$(jq '[.problems[] | select(.rule == "garden-field" or .rule == "garden-identity")] | length' out)
		case $text in *"$field may be missing"*) want=0 ;; *) want=1 ;; esac
		same "$tag $field $want" "$tag $field $got"
	done <want
done <list
same 3 "$(wc -l <list | tr -d ' ')"
E

more 'paths' <<'E'
sed -n '/^A garden has these files/,/^\.Ed/{/^users/p;}' "$MAN" >want
least 6 want
echo '{"path":"'"$G"'/users/ada/nowhere.md","content":"x"}' >in
fails_for GARDEN_POLICY ikm call file_write <in >out
jq -r .message out | grep -o 'users/{[^,; ]*' | sort | uniq >got
sort want | diff - got
E
done_testing
