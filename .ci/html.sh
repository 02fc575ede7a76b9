#!/bin/sh
# The manual as pages of HTML: one for each page, with anchors, and an index that a person can
# search. Nothing is loaded from elsewhere. Called by `make html`.
#
#   .ci/html.sh OUT VERSION PAGE...
set -eu
export LC_ALL=C
out=$1 version=$2 debian=https://manpages.debian.org
shift 2
rm -rf "$out"
mkdir -p "$out"
{
	cat <<H
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The manual of ikm $version</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { font-family: sans-serif; max-width: 50em; margin: 1em auto; padding: 0 1em }
:root { color-scheme: light dark } input { width: 100%; font-size: 1.2em }</style></head>
<body><h1>The manual of ikm $version</h1>
<p><input id="words" type="search" placeholder="words to look for" autofocus></p><ul>
H
	for page; do
		name=$(basename "$page").html
		mandoc -T html -O "toc,man=$debian/%N.%S" "$page" |
			sed "s|$debian/\(ikm[^\"]*\)|\1.html|g
				s|^  <style>|&:root { color-scheme: light dark }|" >"$out/page"
		# mandoc gives an option the anchor of its letter alone; it has one of its word too.
		awk '
		FNR == NR { while (match($0, / id="[^"]*"/)) { has[substr($0, RSTART + 5, RLENGTH - 6)]; sub(/ id="[^"]*"/, "") } next }
		/^ *<code class="Fl">--/ { word = $0; gsub(/.*">--|<.*/, "", word)
			if (!(word in has)) sub(/<code/, "<code id=\"" word "\"")
			has[word] }
		{ print }' "$out/page" "$out/page" >"$out/$name"
		# One entry for each section: its heading, its anchor, and its text for the search.
		awk -v name="$name" -v about="$(sed -n 's/^[.]Nd //p' "$page")" '
		function words(line) { gsub(/<[^>]*>/, "", line); return line }
		match($0, /<h[12] class="S[hs]" id="[^"]*"/) {
			if (open) print "</p></li>"
			id = substr($0, RSTART, RLENGTH)
			sub(/.* id="/, "", id); sub(/"$/, "", id)
			title = id == "NAME" ? about : words($0)
			page = name; sub(/[.]html$/, "", page)
			printf "<li%s><a href=\"%s#%s\">%s</a>: <span>%s</span><p hidden>", \
				id == "NAME" ? "" : " hidden", name, id, page, title
			open = 1
			next
		}
		open { print words($0) }
		END { if (open) print "</p></li>" }' "$out/$name"
	done
	cat <<'H'
</ul><script>
const entries = [...document.querySelectorAll('li')].map(li => [li, li.textContent.toLowerCase()]);
const words = document.getElementById('words');
words.oninput = () => {
	const all = words.value.toLowerCase().split(/\s+/).filter(Boolean);
	for (const [li, text] of entries)
		li.hidden = all.length ? !all.every(word => text.includes(word)) : !li.firstChild.hash.endsWith('#NAME');
};
</script>
</body></html>
H
} >"$out/index.html"
rm "$out/page"
