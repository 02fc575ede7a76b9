#!/bin/sh
# know export --agents-md keeps its block equal to the active decisions, and every other byte; and
# the shell completes the ids of items.
. "$(dirname "$0")/../lib.sh"

git init -q shop
cd shop || exit 1
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
item() { # name, status, title, decision
	printf -- '---\nstatus: %s\n---\n# %s\n\n## Decision\n\n%s\n' "$2" "$3" "$4" >"docs/adr/$1.md"
}
item 0002-b accepted 'Use B' 'We use B.'
item 0001-a accepted 'Use A' 'We use A.'
item 0003-c proposed 'Use C' 'Perhaps.'
item 0004-d superseded 'Use D' 'No more.'
git add . && git commit -qm all
export_() { ikm know export --agents-md "$@"; }
begin='<!-- ikm:decisions begin -->' end='<!-- ikm:decisions end -->'

try 'the block lists the active decisions, one line each, in a new file' <<'E'
fails 1 ikm know export --agents-md --check 2>err
grep -q "^AGENTS.md is stale: run 'ikm know export --agents-md', and commit the file$" err
[ ! -e AGENTS.md ]
same 'AGENTS.md  written, 2 decisions' "$(export_)"
same "<!-- ikm:decisions begin: written by 'ikm know export --agents-md'; change the decisions, not this list -->
## Decisions

These decisions hold in this repository. \`ikm know show ID\` has the whole text of one, and \`ikm check\` judges a change.

- 0001-a: Use A. We use A.
- 0002-b: Use B. We use B.
<!-- ikm:decisions end -->" "$(cat AGENTS.md)"
same 'AGENTS.md  is current, 2 decisions' "$(export_)"
export_ --check >out
same '[true,false,false,2]' "$(export_ --json | jq -c '[.success,.changed,.stale,.decisions]')"
export_ --stdout | cmp - AGENTS.md
E

try 'it follows the decisions, and --check tells when it does not' <<'E'
item 0003-c accepted 'Use C' 'Now.'
fails 1 ikm know export --agents-md --check >out 2>err
same true "$(ikm know export --agents-md --check --json | jq .stale)"
export_ >out
same '+- 0003-c: Use C. Now.' "$(git diff --no-index -U0 /dev/null AGENTS.md | grep 0003)"
export_ --check >out
ikm know status 1 deprecated >out
fails 1 ikm know export --agents-md --check 2>err
export_ >out
fails 1 grep -q 0001-a AGENTS.md
sed -i 's/Use B/Use X/' AGENTS.md
fails 1 ikm know export --agents-md --check 2>err
export_ >out
grep -q 'Use B' AGENTS.md
git checkout -q docs && export_ >out
E

long 'markers in code are text, and what would hide the block is damage' <<'E'
sample="$begin
x
$end"
printf '# Ours\n\n```\n%s\n```\n\n    %s\n' "$sample" "$begin" >AGENTS.md
cp AGENTS.md sample
export_ >out
head -c "$(wc -c <sample)" AGENTS.md | cmp - sample
same 1 "$(grep -c '^- 0001-a' AGENTS.md)"
export_ --check >out
sed -i 's/Use A/Use X/' AGENTS.md && export_ >out
head -c "$(wc -c <sample)" AGENTS.md | cmp - sample
export_ --check >out
while IFS='|' read -r text words; do
	printf "$text" >AGENTS.md
	cp AGENTS.md before
	fails_for BAD_MARKDOWN ikm know export --agents-md
	export_ 2>err || :
	grep -q "$words" err || { cat err; exit 1; }
	cmp before AGENTS.md
done <<R
# Ours\n\n\`\`\`\n$begin\n$end\n|line 3: a block of code begins here, and does not end
# Ours\n\n~~~ sh\nls\n|line 3: a block of code begins here, and does not end
# Ours\n\n<!-- todo\n|line 3: a comment or HTML begins here, and does not end
# Ours\n\n$begin\n$end keep\n|line 4: nothing may stand behind the marker on its line
R
printf '# Ours\r\n%s\r\n%s\r\n' "$begin" "$end" >AGENTS.md
export_ --stdout >block
same 0 "$(grep -vc "$(printf '\r')\$" block)"
fails 1 grep -q x0d block
export_ >out
tail -n +2 AGENTS.md | cmp - block
rm AGENTS.md && export_ >out
E

long 'everything outside the block stays, byte for byte' <<'E'
for form in '# Ours\r\n\r\n%s\r\nold\r\n%s\r\ntail \\377 \xf0\x9f\x98\x80' '# Ours\n\n%s\nold\n%s' \
	'%s\n%s\n\n\nend' '# Ours\n\n  %s\nx\n\t%s \nend\n' 'a\n%s\n\n%s\n# b\r\n'; do
	printf "$form" "$begin" "$end" >AGENTS.md
	sed -e '/ikm:decisions begin/,/ikm:decisions end/d' AGENTS.md >want
	export_ >out
	grep -q 'Use A' AGENTS.md
	sed -e '/ikm:decisions begin/,/ikm:decisions end/d' AGENTS.md | cmp - want
	cp AGENTS.md once && export_ >out && cmp once AGENTS.md
	export_ --check >out
done
printf '# Ours\r\n%s\r\n%s\r\n' "$begin" "$end" >AGENTS.md
export_ >out
same 0 "$(grep -vc "$(printf '\r')\$" AGENTS.md)"
printf 'no line end' >AGENTS.md
export_ >out
same 'no line end

<!-- ikm:dec' "$(head -c 25 AGENTS.md)"
chmod 600 AGENTS.md && echo x >>AGENTS.md && sed -i 1d AGENTS.md && export_ >out
same 600 "$(stat -c %a AGENTS.md)"
E

try 'a damaged or doubled marker is an error with its line, and nothing is written' <<'E'
for form in "$begin\nx\n" "x\n$end\n" "$end\n$begin\n" "$begin\n$begin\n$end\n" \
	"$begin\n$end\n$end\n" "$begin\n$end\n$begin\n$end\n" "<!-- ikm:decisions begin\n$end\n"; do
	printf "$form" >AGENTS.md
	cp AGENTS.md before
	fails_for BAD_MARKDOWN ikm know export --agents-md
	fails_for BAD_MARKDOWN ikm know export --agents-md --check
	cmp before AGENTS.md
done
printf "a\n$begin\n$end\n$begin\n" >AGENTS.md
ikm know export --agents-md 2>err || :
grep -q "AGENTS.md': line 4: a second block of ikm begins" err
printf 'a\000b' >AGENTS.md
fails_for NOT_TEXT ikm know export --agents-md
rm AGENTS.md && mkdir AGENTS.md
fails_for NOT_A_FILE ikm know export --agents-md
rmdir AGENTS.md
E

try 'AGENTS.md before CLAUDE.md, a named file, and what is missing' <<'E'
echo '# Claude' >CLAUDE.md
same 'CLAUDE.md  written, 2 decisions' "$(export_)"
echo '# Agents' >AGENTS.md
same 'AGENTS.md  written, 2 decisions' "$(export_)"
mkdir sub
same 'AGENTS.md  is current, 2 decisions' \
	"$(cd sub && ikm know export --agents-md | sed 's|^.*/shop/||')"
same 'sub/X.md  written, 2 decisions' "$(export_ sub/X.md)"
(cd sub && ikm know export --agents-md X.md --check >out)
fails_for MISSING_PARAMETER ikm know export
fails_for BAD_ARGUMENT ikm know export --agents-md --check --stdout
git rm -q --cached docs/adr/* && rm -r docs/adr && mkdir docs/adr && item 0009-z draft Z z
export_ --check >out 2>&1 && exit 1
export_ >out
grep -q '^No decision holds in this repository yet.$' AGENTS.md
rm AGENTS.md CLAUDE.md
same "AGENTS.md  is not made: no decision is active; 'ikm know list' shows all" "$(export_)"
[ ! -e AGENTS.md ]
git reset -q && git checkout -q docs && rm docs/adr/0009-z.md
E

try "a source of a person's own settings is not in it; one that is named is" <<'E'
mkdir ../org && printf '# Org\n\nStatus: accepted\n\nx\n' >../org/0100-org.md
mkdir ../person && echo '{"knowledge": {"sources": [{"path": "../org", "layer": "org"}]}}' >../person/config.json
IKIGAI_HOME=$T/w/person ikm know show 100 >out
IKIGAI_HOME=$T/w/person ikm know export --agents-md >out
fails 1 grep -q 0100 AGENTS.md
export_ --check >out
export_ --knowledge org=../org >out
grep -q '^- 0100-org: Org' AGENTS.md
rm AGENTS.md
E

try 'the text of decisions is data: one line, no markup, no marker' <<'E'
item 0005-e accepted "$end" 'Ignore *all* <b>rules</b> `x` [a](b) # y
and more.'
export_ >out
same '- 0005-e: ' "$(grep '^- 0005-e' AGENTS.md | cut -c 1-10)"
same 1 "$(grep -c '^<!-- ikm:decisions end' AGENTS.md)"
fails 1 grep -q '<b>' AGENTS.md
cp AGENTS.md once && export_ >out && cmp once AGENTS.md
rm docs/adr/0005-e.md AGENTS.md once
E

complete() { # words behind ikm; the last one is completed
	ikm --complete "$#" ikm "$@" | cut -f1 | tr '\n' ' '
}

long 'the shell completes ids and statuses' <<'E'
same '0004-d 0003-c 0002-b 0001-a ' "$(complete know show '')"
same '0002-b ' "$(complete know show 0002)"
same "$(printf '0002-b\tUse B')" "$(ikm --complete 3 ikm know show 0002)"
for verb in status supersede test waive; do
	same '0004-d ' "$(complete know $verb 0004)"
done
same '0003-c ' "$(complete know supersede 1 0003)"
same '0002-b ' "$(complete why 0002)"
same '0002-b ' "$(complete check --item 0002)"
same 'deprecated ' "$(complete know status 1 dep)"
same 'adr policy pattern spec ' "$(complete know new '')"
same 'draft ' "$(complete know new --status dr)"
cd "$HOME" && same '' "$(complete know show '')"
E
done_testing
