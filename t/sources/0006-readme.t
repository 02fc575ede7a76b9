#!/bin/sh
# What README.md shows is what ikm prints: each `$ command`, the picture, and the lists of what is read.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/example.sh"

sed -n 's/^## //p' "$TOP/README.md" >sections
while read -r section; do
	shown "$section" >"$T/block"
	[ -s "$T/block" ] || continue
	echo "$section" >>with_commands
	export section
	try "README.md: $section" <<'E'
rm -rf "$HOME/.ikigai" repository
case $section in
'In your repository') prose repository ;;
*) sh "$TOP/t/sample.sh" repository ;;
esac
cd repository
example "$T/block"
E
done <sections

try 'each section that shows commands was run' <<'E'
least 8 with_commands
grep -x 'In your repository' with_commands
E

try 'four commands lead from a repository with prose to a commit that is stopped' <<'E'
shown 'In your repository' | sed -n 's/^\$ //p' >commands
same 'ikm init
ikm know
ikm hook
git commit' "$(head -n 4 commands | cut -d ' ' -f 1,2)"
same "git commit -am 'orders: read the old shop'" "$(tail -n 1 commands)"
E

if script -qec true /dev/null >/dev/null 2>&1; then
try 'the picture is what a terminal shows: sh t/recording.sh >t/recording.svg' <<'E'
sh "$TOP/t/recording.sh" >now.svg
grep 'class="red">block<' now.svg
diff -u "$TOP/t/recording.svg" now.svg
E
fi

try 'README.md names each ecosystem and each language that is read' <<'E'
page=$BUILD/man/man5/ikm-knowledge.5
awk '/^\.Ss / { on = $2 == "Manifests" } !on { next }
	name != "" { if ($0 != ".br") print name; name = "" }
	/^\.It Cm / { name = $3 }' "$page" >packages
awk '/^\.Ss / { on = $2 == "Languages" } /not read yet/ { on = 0 } on && sub(/^\.It /, "")' "$page" >languages
least 15 packages
least 15 languages
tr '\n' ' ' <"$TOP/README.md" | sed 's/  */ /g' >text
for list in packages languages; do
	grep -qF " $(paste -sd '|' "$list" | sed 's/|/, /g')." text || { cat "$list"; exit 1; }
done
E
done_testing
