#!/bin/sh
# Every command has its page, and every `$ command` of an EXAMPLES section does what the page says.
#
# Examples run in a fresh copy of the sample repository (t/sample.sh), one for each .Bd block.
# An expected line that ends with "..." stands for any line that begins so.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/example.sh"

long 'every listed command has a manual page with an example' <<'E'
ikm help --json | jq -r '.commands[].name' >commands
least 60 commands
while read -r noun rest; do
	page=$TOP/man/ikm-$noun.mdoc
	[ -f "$page" ] || { echo "no page: $noun"; exit 1; }
	grep -q "^\$ .*ikm $noun\|^\$ .*ikm .*call\|^\$ .*ikm -c .*$noun" "$page" ||
		{ echo "no example: $noun $rest"; exit 1; }
done <commands
E

long 'ikm-config(1) has each setting, what it may be, its default and who may set it' <<'E'
ikm config list --json | jq -c '.settings | unique_by(.key)[]' >settings
least 30 settings
awk '/^\.It Cm / { key = $3 } /^\.El/ { key = "" }
	key && !/^\.It/ { sub(/^\.Ql .&/, ""); sub(/ \.$/, "."); gsub(/\\\(dq/, "\"")
		text[key] = text[key] " " $0 }
	END { for (key in text) print key text[key] }' "$BUILD/man/man1/ikm-config.1" >page
while read -r row; do
	printf '%s' "$row" | jq -r '.key + " " + (.help[:1] | ascii_upcase) + .help[1:] +
		". Allowed: " + .allowed + "." +
		if .default == "" then "" else " The default is " + .default + "." end +
		if .repository then " A repository may set it too." else " Only a person may set it." end' >want
	grep -Fq "$(cat want)" page || { cat want; cat page; exit 1; }
done <settings
E

long 'no page has a heading twice' <<'E'
cat "$TOP"/man/* | grep '^\.S[hs] ' >headings
least 200 headings
for page in "$TOP"/man/*; do
	grep '^\.S[hs] ' "$page" | sort | uniq -d | sed "s|^|${page##*/}: |"
done >twice
same '' "$(cat twice)"
E

long 'every page is in ikm(1)' <<'E'
for page in "$TOP"/man/ikm-*.mdoc "$TOP"/man/ikm-*.[1-9]; do
	name=$(basename "$page" .mdoc)
	grep -q "^.Xr ${name%.[1-9]} [157]" "$BUILD/man/man1/ikm.1" || { echo "not there: $name"; exit 1; }
done
E

try 'every exit status is in ikm(1)' <<'E'
for code in INVALID_INPUT NOT_FOUND CONFLICT BLOCKED BUDGET_EXCEEDED UNAUTHORIZED \
	MISSING_CREDENTIALS PROVIDER_ERROR RATE_LIMITED TIMEOUT; do
	grep -q "Dv.*$code" "$BUILD/man/man1/ikm.1"
done
E

# What is wrong with a page in a terminal of 80 columns: warnings of groff, and lines that are wider.
# Examples may be wider, because a command must stay on one line; those of ikm-knowledge(5) are not.
narrow() { # PAGE
	groff -mandoc -Kutf8 -Tascii -rLL=80n -rLT=80n -wbreak -P-cbou "$1" 2>"$T/warned" >"$T/shown"
	cat "$T/warned"
	awk -v whole="${1##*/ikm-knowledge.5}" '
	FILENAME == ARGV[2] {
		wide = length > 80
		gsub(/[ \t]+/, " "); sub(/^ /, "")
		if (wide && !($0 in literal)) print
		next
	}
	/^\.Bd -literal/ { inside = whole != ""; next }
	/^\.Ed/ { inside = 0 }
	inside {
		gsub(/\\&/, ""); gsub(/\\e/, "\\"); gsub(/\\\(dq/, "\"")
		gsub(/→/, "->"); gsub(/[ \t]+/, " "); sub(/^ /, "")
		literal[$0]
	}' "$1" "$T/shown"
}

# Cells of a table that are wider than their column, the last one aside: the row continues below them.
broad() { # PAGE
	awk '
	function seen(s) {
		gsub(/(^| )Fl /, "&-", s)
		gsub(/(^| )(Ar|Cm|Dq|Dv|Em|Fl|Ic|Li|Nm|Pa|Ql|Sy|Va|Xr) /, " ", s)
		gsub(/ Ns +/, "", s)
		gsub(/^ |"|\\&/, "", s)
		gsub(/\\./, "-", s)
		return s
	}
	/^\.Bl -column/ {
		n = 0
		rest = substr($0, 13)
		while (match(rest, /^("[^"]*"|[^ ]+) */)) {
			word = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
			sub(/ +$/, "", word)
			if (word ~ /^-/)
				break
			width[++n] = length(seen(word))
		}
	}
	/^\.El/ { n = 0 }
	n && /^\.It / {
		cells = split(substr($0, 5), cell, / Ta /)
		for (i = 1; i < cells; i++)
			if (length(seen(cell[i])) > width[i])
				print FILENAME ":" FNR ": " seen(cell[i])
	}' "$1"
}
long 'each cell of a table fits its column' <<'E'
for page in "$TOP"/man/*; do
	broad "$page"
done >wrong
same '' "$(cat wrong)"
grep -c '^\.Bl -column' "$TOP"/man/* | awk -F: '{ n += $2 } END { exit n < 15 }'
sed 's/^\(\.Bl -column\) "[^"]*"/\1 "few"/' "$TOP/man/ikm-memory.7" >page.7
broad page.7 >wrong
grep 'page.7:[0-9]*: sessions together' wrong
E

if command -v groff >/dev/null; then
more 'every page fits 80 columns' <<'E'
ls "$BUILD"/man/man[157]/* >pages
least 40 pages
while read -r page; do
	narrow "$page" >wrong
	[ ! -s wrong ] || { echo "$page:"; cat wrong; exit 1; }
done <pages
E

long 'a table that does not fit is found, and so is a line' <<'E'
page=$BUILD/man/man5/ikm-knowledge.5
sed 's/^\.Bl -column.*/.Bl -column "a cell of twenty" "a cell of twenty" "a cell of twenty" "of twenty"/
	s/Ta none matches/Ta a very long text in a cell/' "$page" >table.5
narrow table.5 | grep 'break line'
sed '/^\.Bd/a\
a line of an example that goes on and on, and then on for eighty columns and more' "$page" >ikm-knowledge.5
narrow ./ikm-knowledge.5 | grep '^a line of'
E
else
	skip 'every page fits 80 columns' 'groff is missing'
fi

ln -s "$BUILD/test/ikm" "$T/ikm" # examples pipe through the test build
for page in "$TOP"/man/*; do
	name=$(basename "$page")
	blocks "$page" "$T/block-$name-" EXAMPLES
	for block in "$T/block-$name-"*[0-9]; do
		grep -q '^\$ ' "$block" 2>/dev/null || continue
		export block
		some 3 "$name: example ${block##*-}" <<'E'
rm -rf "$HOME/.ikigai"
sh "$TOP/t/sample.sh" sample
cd sample
example "$block"
E
		[ ! -e "$T/w/sample" ] || { chmod -R u+rwx "$T/w/sample" && rm -rf "$T/w/sample"; }
	done
done
done_testing
