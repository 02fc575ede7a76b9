#!/bin/sh
# ikm refs: what texts refer to, what refers to them, and what is broken.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/db docs/sub
touch src/db/connection.c src/db/schema.sql docs/pic.png 'docs/a b.md' Makefile
cat >docs/guide.md <<'M'
# The Guide

## How & why?
## How & why?
<a id="by-hand"></a>
<!-- @anchor: concerns v1 -->
M
put() {
	ikm write "ikigai:///$1" >/dev/null
}
put blocks/error-patterns.md <<'M'
# Errors
M

refs() { # of a text: what it refers to, without places
	printf '%s\n' "$1" >docs/t.md
	ikm refs docs/t.md --json | jq -r '.references[] |
		"\(.kind) \(.target)\(if .fragment then "#" + .fragment else "" end)\(if .broken then " !" else "" end)"'
}

try 'example: a stored asset that refers to files and assets' <<'E'
put blocks/architecture.md <<'M'
<!-- ikigai:///blocks/architecture.md -->
# Architecture Decisions

## Database Layer
Implementation: src/db/connection.c
Schema: src/db/schema.sql

See also: ikigai:///blocks/error-patterns.md
M
same '1 asset ikigai:///blocks/architecture.md
5 path src/db/connection.c
6 path src/db/schema.sql
8 asset ikigai:///blocks/error-patterns.md' "$(ikm refs ikigai:///blocks/architecture.md --json |
	jq -r '.references[] | "\(.line) \(.kind) \(.target)"')"
E

try 'example: a file that refers to stored assets' <<'E'
cat >README.md <<'M'
# Project Guidelines

Coding standards: ikigai:///blocks/coding-standards.md
Architecture decisions: ikigai:///blocks/architecture.md
Error patterns: ikigai:///blocks/error-patterns.md
M
same 'README.md:3:19: ikigai:///blocks/coding-standards.md: there is nothing of that name
README.md:4:25: ikigai:///blocks/architecture.md
README.md:5:17: ikigai:///blocks/error-patterns.md' "$(ikm refs README.md)"
same 'README.md:5:17: ikigai:///blocks/error-patterns.md
ikigai:///blocks/architecture.md:8:11: ikigai:///blocks/error-patterns.md' \
	"$(ikm refs --to ikigai:///blocks/error-patterns.md)"
E

long 'links, images, definitions and HTML' <<'E'
same 'link docs/guide.md' "$(refs '[x](guide.md)')"
same 'link docs/guide.md' "$(refs '[`x` [y]](<guide.md> "title (x)")')"
same 'image docs/pic.png' "$(refs '![x](pic.png)')"
same 'link docs/guide.md
image docs/pic.png' "$(refs '[![x](pic.png)](guide.md)' | sort -r | sort -k2)"
same 'link docs/a b.md' "$(refs '[x](a%20b.md)')"
same 'link docs/guide.md' "$(refs '[x]: guide.md "title"')"
same 'link docs/guide.md' "$(refs '[x]: <guide.md>')"
same 'link src/db' "$(refs '[x](../src/db)')"
same 'link Makefile' "$(refs '[x](/Makefile)')"
same 'link docs/guide.md' "$(refs '[x](guide.md?raw=true)')"
same 'link docs/guide.md
image docs/pic.png' "$(refs '<a href="guide.md"><img src="pic.png"></a>')"
same 'link docs/nope.md !' "$(refs '[x](nope.md)')"
same 'link docs/un(even).md !' "$(refs '[x](un(even).md)')"
same '' "$(refs '[x](#) [x]() [^1]: gone.md \[x](gone.md) [x]({{ site.url }}/a)')"
same 'asset ikigai:///blocks/error-patterns.md' "$(refs '[x](ikigai:///blocks/error-patterns.md)')"
E

long 'paths in text and code' <<'E'
same 'path src/db/connection.c' "$(refs 'see src/db/connection.c.')"
same 'path src/db/connection.c' "$(refs 'see `src/db/connection.c:42`')"
same 'path src/db' "$(refs 'in (src/db/)')"
same 'path docs/guide.md' "$(refs 'beside it: guide.md, and ./sub.x')"
same 'path docs/guide.md' "$(refs './guide.md ./gone.md')"
same 'path src/gone.c !' "$(refs '**src/gone.c**')"
same 'link src/db/schema.sql' "$(refs '[src/db/schema.sql](../src/db/schema.sql)')"
same '' "$(refs 'and/or text/html no/such.c e.g. 1.2/3 src/**/*.c /etc/passwd ~/x.c a//b.c x@y.org')"
same '' "$(refs '```
src/db/connection.c [x](gone.md)
```')"
E

try 'links to elsewhere are left out unless asked for' <<'E'
same '' "$(refs 'https://example.org/src/x.c [x](http://a.b/c#d) <mailto:a@b.org> [y](//cdn/x.js)')"
printf 'https://example.org/x.c. [x](http://a.b/c#d)\n' >docs/t.md
same 'docs/t.md:1:1: https://example.org/x.c
docs/t.md:1:30: http://a.b/c#d' "$(ikm refs docs/t.md --external)"
E

long 'headings and anchors' <<'E'
same 'link docs/guide.md#how--why' "$(refs '[x](guide.md#how--why)')"
same 'link docs/guide.md#how--why-1' "$(refs '[x](guide.md#how--why-1)')"
same 'link docs/guide.md#how--why-2 !' "$(refs '[x](guide.md#how--why-2)')"
same 'link docs/guide.md#by-hand' "$(refs '[x](guide.md#by-hand)')"
same 'link docs/guide.md#L3' "$(refs '[x](guide.md#L3)')"
same 'link src/db/schema.sql#x' "$(refs '[x](../src/db/schema.sql#x)')"
same 'link docs/t.md#own
link docs/t.md#other !' "$(refs '# Own
[x](#own) [y](#other)')"
refs '[x](guide.md#nope)'
ikm refs docs/t.md | grep 'no such heading'
E

try '--check: only what is broken, and the exit status' <<'E'
printf 'src/db/connection.c\n' >docs/t.md
ikm refs --check docs/t.md >../out 2>../err
same '' "$(cat ../out)"
same '1 reference in 1 text, none broken' "$(cat ../err)"
printf '[x](gone.md) src/db/connection.c\n' >docs/t.md
fails 1 ikm refs --check docs/t.md >../out
same 'docs/t.md:1:5: docs/gone.md: there is nothing of that name' "$(cat ../out)"
printf 'ikigai:///gone.md\n' | put blocks/bad.md
fails 1 ikm refs --check >../out
same 'README.md:3:19: ikigai:///blocks/coding-standards.md: there is nothing of that name
docs/t.md:1:5: docs/gone.md: there is nothing of that name
ikigai:///blocks/bad.md:1:1: ikigai:///gone.md: there is nothing of that name' "$(cat ../out)"
cd src
fails 1 ikm refs --check --json >../../out
same '["../README.md","../docs/t.md","ikigai:///blocks/bad.md"] 3' \
	"$(jq -rc '"\([.references[].from]) \(.broken)"' ../../out)"
E

try 'what refers to something, also to what is gone' <<'E'
printf '/* see docs/guide.md */\n' >src/main.c
printf '[x](guide.md#how) [y](a%%20b.md)\n' >docs/t.md
same 'docs/t.md:1:5: docs/guide.md#how
src/main.c:1:8: docs/guide.md' "$(ikm refs --to docs/guide.md)"
same 'docs/t.md:1:23: docs/a b.md' "$(ikm refs --to 'docs/a b.md')"
mv docs/guide.md docs/sub/
same 'docs/t.md:1:5: docs/guide.md#how: there is nothing of that name' \
	"$(ikm refs --to docs/guide.md | head -1)"
mv docs/sub/guide.md docs/
cd docs
same 't.md:1:5: guide.md#how' "$(ikm refs --to guide.md | head -1)"
E

try 'a line stays a line, whatever a text leads to' <<'E'
printf '[x](a%%0Ab.md) [y](%%1b[2J.md#%%01)\n' >docs/t.md
same 'docs/t.md:1:5: docs/a\x0ab.md: there is nothing of that name
docs/t.md:1:19: docs/\x1b[2J.md#\x01: there is nothing of that name' "$(ikm refs docs/t.md)"
rm docs/t.md
E

try 'what may not be read is a warning' <<'E'
[ "$(id -u)" != 0 ] || { ikm version; exit 0; } # root may read what modes forbid
mkdir shut
touch shut/x.md mute.md
chmod 0 shut mute.md
ikm refs docs/guide.md 2>../err
grep -q 'cannot list .*shut' ../err
ikm refs --check --json >../out || true
same 2 "$(jq '.warnings | length' ../out)"
chmod 700 shut mute.md
rm -r shut mute.md
E

try 'bad input' <<'E'
fails 3 ikm refs nope.md
fails 3 ikm refs ikigai:///nope.md
fails 2 ikm refs
fails 2 ikm refs --to --check README.md
fails 2 ikm refs docs
printf 'a\0' >nul
fails 2 ikm refs nul --json >../out
same NOT_TEXT "$(jq -r .details.reason ../out)"
fails 5 sh -c "echo '{\"path\": \"/etc/passwd\"}' | ikm call refs"
rm nul
E

more 'as a tool links out of the roots are broken, and nothing is told of them' <<'E'
echo secret >../outside.md
printf '[x](../outside.md)\n' >t.md
same 'false' "$(ikm refs t.md --json | jq '.references[0].broken')"
same 'it is not below the repository or a root' \
	"$(echo '{"path": "t.md"}' | ikm call refs | jq -r '.references[0].reason')"
printf '[x](../nope.md)\n' >t.md
same 'it is not below the repository or a root' \
	"$(echo '{"path": "t.md"}' | ikm call refs | jq -r '.references[0].reason')"
E
done_testing
