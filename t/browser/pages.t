#!/bin/sh
# The pages that ikm writes, in a browser: they load nothing, raise no error, fit a narrow window, and
# their search finds. For `make check-browser`: Chromium is 300 MB, so `make check` does not need it.
TOP=${IKM_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
IKM_TOP=$TOP
export IKM_TOP
. "$TOP/t/lib.sh"

# What the function of JavaScript returns in the page, behind what the browser says of the page. The
# person prefers light colours if $light is 1, and dark ones if it is 0.
light=1
page() { # FILE WIDTH FUNCTION
	dir=$(dirname "$1")
	{
		sed '/<\/body>/,$d' "$1"
		cat <<H
<script>
let errors = 0;
onerror = () => errors++;
const type = words => {
	const field = document.querySelector('input');
	field.value = words;
	field.dispatchEvent(new Event('input'));
	return [...document.querySelectorAll('tr[data-t], body > ul > li')].filter(e => !e.hidden).length;
};
onload = () => {
	const said = ($3)();
	document.body.dataset.said = [errors, performance.getEntriesByType('resource').length,
		document.documentElement.scrollWidth > innerWidth, said].join(' ');
};
</script></body></html>
H
	} >"$dir/probe.html"
	chromium --headless --no-sandbox --disable-gpu --user-data-dir="$T/chromium" --window-size="$2,900" \
		--blink-settings=preferredColorScheme=$light --dump-dom "file://$(realpath "$dir")/probe.html" 2>"$T/chromium.said" |
		sed -n 's/.*data-said="\([^"]*\)".*/\1/p'
	rm "$dir/probe.html"
}

decisions() { # N: a repository with so many
	sh "$TOP/t/sample.sh" "r$1"
	cd "r$1"
	n=2
	while [ $n -lt "$1" ]; do
		n=$((n + 1))
		printf -- '---\nstatus: accepted\ntags: [t%d]\n---\n# Decision %d of a title that is quite long\n\nText%d.\n' \
			$((n % 7)) $n $n >"docs/adr/$(printf %04d $n)-d.md"
	done
	git add -A
	git commit -qm all
}

for n in 5 500; do
	export n
	try "know site of $n decisions, wide and narrow: nothing is loaded, and the search finds" <<'E'
decisions $n
ikm know site ../s$n >/dev/null
mkdir ../one$n; ikm know site --single ../one$n/index.html >/dev/null
cd ..
for width in 1200 500; do
	for site in s$n one$n; do
		same "0 0 false $n 1 0 $n" "$(page $site/index.html $width \
			"() => [type(''), type('logger platform'), type('nothing has this'), type('')].join(' ')")"
	done
	same '0 0 false held by' "$(page s$n/0001-*.html $width \
		"() => [...document.querySelectorAll('dt')].map(e => e.textContent).find(t => t.startsWith('held'))")"
done
E
done

# WCAG 2.2, 1.4.3 and 1.4.11: text has a contrast of 4.5 at least, a bar of a plot 3.
contrast='() => {
	const ground = document.body.appendChild(document.createElement("div"));
	ground.style.background = "Canvas";
	const brightness = colour => {
		const [r, g, b] = colour.match(/[\d.]+/g).map(n => n / 255).map(
			n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const below = brightness(getComputedStyle(ground).backgroundColor);
	const bad = new Set(), kinds = new Set();
	for (const e of document.querySelectorAll("body *")) {
		const bar = e.matches("svg rect.bar"), style = getComputedStyle(e);
		if (["SCRIPT", "STYLE"].includes(e.tagName)) continue;
		if (!bar && ![...e.childNodes].some(c => c.nodeType === 3 && c.data.trim())) continue;
		const above = brightness(e.closest("svg") ? style.fill : style.color);
		const ratio = (Math.max(above, below) + 0.05) / (Math.min(above, below) + 0.05);
		kinds.add(e.tagName);
		if (ratio < (bar ? 3 : 4.5)) bad.add(e.tagName + " " + ratio.toFixed(1));
	}
	return [below < 0.5 ? "dark" : "light", kinds.size > 4 ? "all" : "few", ...bad].join(" ");
}'
export contrast light
for scheme in light dark; do
	export scheme
	try "know site and the manual can be read in $scheme colours" <<'E'
[ $scheme = light ] || light=0
sh "$TOP/t/sample.sh" $scheme
cd $scheme
ikm know site ../$scheme.site >/dev/null
cd ..
for file in $scheme.site/index.html $scheme.site/0001-*.html; do
	same "0 0 false $scheme all" "$(page $file 1200 "$contrast")"
done
make -s -C "$TOP" html HTML="$T/w/$scheme.site/man" >made
same "0 0 false $scheme all" "$(page $scheme.site/man/ikm-know.1.html 1200 "$contrast")"
E
done

try 'the manual: a search finds sections by their words' <<'E'
make -s -C "$TOP" html HTML="$T/w/html" >made
index=$T/w/html/index.html
pages=$(ls "$(dirname "$index")" | grep -vc index)
same "0 0 false $pages true true $pages" "$(page "$index" 500 \
	"() => [type(''), type('postinstall yarn') > 0, type('zzzz') === 0, type('')].join(' ')")"
E

done_testing
