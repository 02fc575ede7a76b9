#!/bin/sh
# ikm compact: shown, asked, written, and undone. t/unit/compact.c tests the compacted text.
. "$(dirname "$0")/../lib.sh"

git init -q r
cd r || exit 1
fresh() {
	printf -- '---\nid: x\n---\n# Title  \n<!-- @anchor: title v1 -->\n\n\n<!-- a note -->\nOne.\n\n\n\nTwo words.\n' >f.md
	printf -- '---\nid: x\n---\n# Title\n<!-- @anchor: title v1 -->\n\nOne.\n\nTwo words.\n' >want.md
}
fresh
cp f.md was.md

try 'shown, not written' <<'E'
ikm compact f.md >out 2>err </dev/null
cmp f.md was.md
patch -p0 -s -o patched.md f.md <out
cmp patched.md want.md
grep -q '^f.md: [0-9]* tokens, [0-9]* when compacted$' out
grep -q 'nothing was written' err
ikm compact f.md --json >out
same '[false,true]' "$(jq -c '[.written, .beforeTokens > .afterTokens]' out)"
same "sha256:$(sha256sum f.md | cut -d' ' -f1)" "$(jq -r .hash out)"
same 0 "$(ikm events query --json | jq '.rows | length')"
E

try 'written with --yes, on any face, with a way back' <<'E'
ikm compact f.md --yes --json >out
cmp f.md want.md
same "sha256:$(sha256sum f.md | cut -d' ' -f1)" "$(jq -r .hash out)"
ikm events undo "$(jq -r .event out)" >out
cmp f.md was.md
echo '{"path": "f.md"}' | ikm call compact >out
cmp f.md was.md
echo '{"path": "f.md", "yes": true}' | ikm call compact >out
cmp f.md want.md
same true "$(jq .written out)"
ikm compact f.md --yes >out 2>err
grep -q 'compacting saves nothing' err
cmp f.md want.md
E

try 'prose that only a model can shorten: the prompt, and the command' <<'E'
printf 'A paragraph of ordinary prose.\n' >prose.md
ikm compact prose.md >out 2>err
grep -q 'only a model or a person can shorten it' err
grep -q '^Make prose.md smaller' err
grep -q "^next: ikm compact prose.md --with " err
echo '{"path": "prose.md"}' | ikm call compact >out
same '["","Make prose.md smaller.",true]' "$(jq -c '[.diff, (.prompt | split("\n")[0]), (.next | contains("asset_unpin"))]' out)"
printf 'A paragraph of ordinary prose.\n' | ikm write ikigai:///blocks/p.md
ikm slash /compact blocks/p | grep -q '^Make ikigai:///blocks/p.md smaller'
E

script -qec true /dev/null >/dev/null 2>&1 && try 'asked on a terminal' <<'E'
cp was.md f.md
echo n | script -qec 'ikm compact f.md' /dev/null >out
cmp f.md was.md
grep -q 'write the result?' out
echo | script -qec 'ikm compact f.md' /dev/null >out
cmp f.md was.md
echo y | script -qec 'ikm compact f.md' /dev/null >out
cmp f.md want.md
E

try 'a stored asset keeps its version' <<'E'
ikm write ikigai:///blocks/a.md <was.md
ikm compact ikigai:///blocks/a.md --yes >out 2>err
ikm read ikigai:///blocks/a.md | cmp - want.md
same compact "$(ikm asset history blocks/a --json | jq -r '.versions[0].op')"
ikm asset restore blocks/a >out
ikm read ikigai:///blocks/a.md | cmp - was.md
E

long 'by a command of a person' <<'E'
cp was.md f.md
same was "$(ikm compact f.md --with 'cat >seen; echo was; false' >/dev/null 2>&1 || echo was)"
cmp seen was.md
ikm compact f.md --with 'sed "/words/d"' --yes >out 2>err
sed '/words/d' was.md | cmp - f.md
cp was.md f.md
for bad in true 'tee two; cat two' 'sed /anchor/d' 'sed "s/id: x/id: y/"' 'echo "# x"' 'printf "\377"' \
	'echo Two && exit 0' 'echo; echo'; do
	fails 2 ikm compact f.md --with "$bad" --yes --json >out 2>err
	same BAD_COMPACT "$(jq -r .details.reason out)"
	cmp f.md was.md
done
fails 8 ikm compact f.md --with 'echo why >&2; exit 3' --yes 2>err
grep -q 'status 3' err
grep -q '^why$' err
cmp f.md was.md
E

try 'a tool may not name a program' <<'E'
fails 2 sh -c "echo '{\"path\": \"f.md\", \"with\": \"touch owned\"}' | ikm call compact >out"
same UNKNOWN_PARAMETER "$(jq -r .details.reason out)"
[ ! -e owned ]
ikm tool schema compact | jq -e '.parameters | has("with") | not'
E

try 'a change while the command runs is not lost' <<'E'
cp was.md f.md
fails 4 ikm compact f.md --with 'sed "/words/d"; echo more >>f.md' --yes --json >out
same CHANGED "$(jq -r .details.reason out)"
(cat was.md; echo more) | cmp - f.md
E

try 'the rules are for prose: code would not be the same without a paragraph' <<'E'
for name in code.py Makefile x.unknown; do
	cp was.md $name
	fails 2 ikm compact $name --yes 2>err
	grep -q 'not a Markdown file by its name' err
	cmp was.md $name
done
for name in README X.MD a.txt notes; do
	cp was.md $name
	ikm compact $name --yes >out 2>&1
	fails 1 cmp -s was.md $name
done
ikm compact code.py --with 'sed "/words/d"' --yes >out 2>&1
fails 1 cmp -s was.md code.py
E

try 'what is no text, not there, or outside' <<'E'
printf 'a\0b' >nul
fails 2 ikm compact nul
printf '\377\376' >bytes
fails 2 ikm compact bytes
fails 3 ikm compact nothing.md
fails 2 ikm compact .
fails 5 sh -c "echo '{\"path\": \"/etc/passwd\"}' | ikm call compact >out"
: >empty
ikm compact empty --yes >out 2>err
grep -q 'compacting saves nothing' err
printf '<!-- only -->\n' >only.md
fails 2 ikm compact only.md --yes
same '<!-- only -->' "$(cat only.md)"
E

more 'failed or killed anywhere: old or new' <<'E'
for fault in '' -; do
	for n in $(seq 1 80); do
		rm -rf "$HOME/.ikigai"
		cp was.md f.md
		rc=0
		IKM_FAULT=$fault$n ikm compact f.md --yes >out 2>&1 || rc=$?
		cmp -s f.md was.md || cmp f.md want.md
		[ "$rc" != 0 ] || cmp f.md want.md
		ikm compact f.md --yes >out 2>&1
		cmp f.md want.md
		same '' "$(find . -maxdepth 1 -name '.ikm-tmp-*')"
		[ "$rc" != 0 ] || { [ "$n" -gt 3 ]; break; }
	done
	[ "$n" -lt 80 ]
done
E
done_testing
