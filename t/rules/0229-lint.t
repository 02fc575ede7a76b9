#!/bin/sh
# lint: each rule reports its mistake, with file, line and column, and nothing else does.
. "$(dirname "$0")/../lib.sh"

git init -q .
mkdir -p .ikm docs/adr src/core/db
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
echo 'x' >src/a.js
echo 'x' >src/core/db/user.ts
echo '{"dependencies":{"pg":"^8"}}' >package.json

item() { # name, front matter, text
	printf -- '---\n%b\n---\n%b\n' "$2" "${3:-# $1}" >"docs/adr/$1.md"
}
rules() { # name, constraints
	item "$1" "status: accepted\nconstraints:\n$2"
}

# ---- the reader's notes, under the ids of rules ----
item r01-date 'status: accepted\ndate: 2026-02-31'
item r02-key 'status: accepted\nconstrains: []'
item r03-value 'status: accepted\nseverity: hard'
item r04-status 'status: maybe'
item r05-partly 'status: partly superseded'
item r06-dangling 'status: superseded\nsupersededBy: nothing'
item r07-id 'status: accepted\nid: a/b'
rules r08-member '  - {operator: must_not_use, target: code}'
rules r09-unknown '  - {operator: must_not_use, target: code, pattern: x, patern: y}'
rules r10-pattern "  - {operator: must_not_use, target: code, pattern: '('}"
item r11-idle 'constraints:\n  - {operator: must_use, target: file, pattern: package.json}'
item r12-yaml 'status: [accepted'
item r13-unread 'status: accepted\nx:\n  - {operator: must_not_use, target: code, pattern: x}'
rules r14-example "  - {operator: must_not_use, target: code, pattern: evil, examples: {stops: good}}"
printf '# caf\351\n\n## Status\n\nAccepted\n' >docs/adr/r15-bytes.md
ln -s r01-date.md docs/adr/r16-link.md
item r17-cycle 'status: accepted\nsupersedes: r18-cycle'
item r18-cycle 'status: accepted\nsupersedes: r17-cycle'
item r19-new 'status: accepted\nid: r19-new\nsupersedes: "22"'
item 0022-old 'status: accepted'
item r20-moves 'status: proposed → accepted'

# ---- what only lint looks for ----
item s01-title 'status: accepted' 'Text without a title.'
item s02-levels 'status: accepted' '# A\n\n### C'
item s03-second 'status: accepted' '# A\n\n# B'
item s04-link 'status: accepted' '# A\n\n[gone](gone.md), [here](r01-date.md), [up](../../package.json),\n[web](https://example.org/x.md), [top](/package.json), `[no](no.md)`, [folder](../adr/), [NUL](r01-date.md%00)'
item s05-related 'status: accepted\nmetadata:\n  relatedItems: [r01-date, nobody, 22]'
item 2026-01-02-day 'status: accepted'
item 2026-01-03-day 'status: accepted'
item s06-old 'status: accepted'
item s06-successor 'status: accepted\nsupersedes: s06-old'
item s07-old 'status: superseded by s07-successor'
item s07-successor 'status: accepted'
item s08-form 'status: "✅ Accepted"'
item s09-words 'status: "**accepted** for now"'
printf '# No end\n\nStatus: accepted' >docs/adr/s10-end.md
printf '# Ends\r\n\r\nStatus: accepted\r\nOne LF\n' >docs/adr/s11-ends.md
printf '# Blanks \n\nHard  \nbreak\t\n\n    code  \n\n```\nfence \n```\n \n' >docs/adr/s12-blanks.md
rules s15-applies '  - {operator: must_not_use, target: code, pattern: x, appliesTo: [src/, "lib/", "!old/"]}\n  - {operator: must_not_use, target: dependency, pattern: xx, appliesTo: src/}'
rules s16-idle '  - {operator: must_not_use, target: import, pattern: x, appliesTo: ["*.md"]}\n  - {operator: must_not_use, target: import, pattern: "lodash/fp|src/db|src/gone", appliesTo: ["*.js"]}\n  - {operator: must_not_use, target: import, pattern: "src/core/db/user|src/core|src/gone|s.*/db"}\n  - {operator: must_not_use, target: code, pattern: x, appliesTo: [src/, "!*.js", "!src/core/"]}'
item s17-disable 'status: accepted' '# A\n\n<!-- ikm-lint-disable no-such-rule heading-levels -->\n\n### C'
item s18-sample 'status: accepted' '# A\n\n`<!-- ikm-lint-disable no-such -->`\n\n```\n<!-- ikm-lint-disable no-such -->\n```'
item s19-clean 'status: accepted\ndate: 2026-01-31' '# Clean\n\n## Context\n\nText.'

cat >want <<'W'
0022-old.md:2:9: warning supersede-ignored
r01-date.md:3:7: warning date
r02-key.md:3:1: warning front-matter-key
r03-value.md:3:11: warning front-matter-value
r04-status.md:2:9: warning status-unknown
r05-partly.md:2:9: warning status-partly
r06-dangling.md:3:15: warning supersede-dangling
r07-id.md:3:5: warning id
r08-member.md:4:5: error constraint
r09-unknown.md:4:64: error constraint-key
r10-pattern.md:4:53: error pattern
r11-idle.md:1:1: warning status-missing
r12-yaml.md:3:1: error front-matter
r13-unread.md:3:1: error rules-unread
r14-example.md:4:77: error example-fails
r15-bytes.md:1:6: warning utf-8
r16-link.md:1:1: warning not-a-file
r17-cycle.md:3:13: warning supersede-cycle
r18-cycle.md:3:13: warning supersede-cycle
r20-moves.md:2:9: warning status-unknown
s01-title.md:1:1: warning title-missing
s02-levels.md:6:1: info heading-levels
s03-second.md:6:1: info heading-levels
s04-link.md:6:8: warning link-dangling
s04-link.md:7:96: warning link-dangling
s05-related.md:4:28: warning related-dangling
s06-old.md:2:9: warning supersede-status
s07-old.md:2:9: info supersede-one-sided
s08-form.md:2:9: info status-form
s10-end.md:3:17: warning final-newline
s11-ends.md:4:7: warning line-ends
s12-blanks.md:1:9: info trailing-blanks
s15-applies.md:4:5: warning applies-to-idle
s15-applies.md:5:5: warning applies-to-idle
s16-idle.md:4:5: warning applies-to-idle
s16-idle.md:5:5: warning pattern-idle
s16-idle.md:7:5: warning applies-to-idle
s17-disable.md:6:23: warning disable-unknown
W

try 'each mistake is reported under its rule, with its place, and nothing else is' <<'E'
fails 1 ikm lint --severity info >out 2>err
sed 's|^docs/adr/||; s/^\([^:]*:[0-9]*:[0-9]*: [a-z]* [^:]*\): .*/\1/' out >got
diff -u want got
grep -Eq '^[0-9]+ items: 6 errors, [0-9]+ warnings, [0-9]+ hints; --fix mends 4$' err
E

try 'what a rule says: the messages name the thing and what to do' <<'E'
said() { grep -Fq -- "$1" out || { echo "not said: $1"; exit 1; }; }
said "r04-status.md:2:9: warning status-unknown: status 'maybe' is unknown, so it counts as draft; known: draft, proposed"
said "s04-link.md:6:8: warning link-dangling: the link leads to 'gone.md', which is not there"
said "s06-old.md:2:9: warning supersede-status: 's06-successor' supersedes it, and its status is 'accepted': write 'superseded by s06-successor'"
said "s11-ends.md:4:7: warning line-ends: 1 line ends in LF, the others in CR LF"
said "s12-blanks.md:1:9: info trailing-blanks: 3 lines end in blanks"
said "constraint 1: appliesTo 'lib/' matches no file in the repository"
said "constraint 1: appliesTo '*.md' matches no file whose imports ikm reads in the repository"
said "constraint 2: the repository has no 'src/db'; did you mean 'src/core/db'?"
said 'constraint 4: appliesTo as a whole matches no file in the repository'
said "constraint 2: appliesTo 'src/' matches no manifest that ikm reads in the repository"
said "'no-such-rule' is no rule"
E

try 'a check says the same of the same file, under the same id' <<'E'
ikm check --all --json >check || [ $? = 1 ]
jq -r '.notes[] | select(.rule) | "\(.file):\(.line // 1): \(.rule)"' check | sort -u >notes
# A line of lint has no other place than the note of the check.
grep -E ' (error|warning) ' out | sed 's/^\([^:]*:[0-9]*\):[0-9]*: [a-z]* \([^:]*\): .*/\1: \2/' |
	sort -u >lint
least 19 notes
comm -23 notes lint >missing
same '' "$(cat missing)"
E

rm -r docs/adr
mkdir docs/adr

# target | operator | pattern | the rule that reports it
cat >patterns <<'P'
dependency|must_not_use|@evil/*|pattern-language
dependency|must_not_use|@evil/.*|
dependency|must_not_use|lodash-*|pattern-language
dependency|must_not_use|left-pad[0-9]*|
dependency|must_not_use|a(bc)*|
dependency|must_not_use|x\d*|
dependency|must_match|@acme/*|pattern-language
file|must_not_exist|*.pem|
file|must_not_exist|.*\.pem|pattern-language
file|must_not_exist|^src/|pattern-language
file|must_not_exist|.env*|
file|must_not_exist|.*rc|pattern-language
file|must_match|src/*|pattern-language
file|must_match|^src/.*$|
code|must_not_use|\bфу\b|pattern-ascii
code|must_not_use|x(?:фу|ба)\b|pattern-ascii
code|must_not_use|\w+й|pattern-ascii
code|must_not_use|фу \bx\b|
code|must_not_use|[\wа-я]|
code|must_not_use|(*UCP)\bфу\b|
code|must_not_use|\\bфу|
P
long 'patterns: a glob for a regular expression, the reverse, and \b beside a letter' <<'E'
least 21 patterns
n=100
while read -r line; do
	n=$((n + 1)) rest=${line#*|} rule=${line##*|}
	rest=${rest#*|}
	printf -- "---\nstatus: accepted\nconstraints:\n  - {operator: %s, target: %s, pattern: '%s'}\n---\n# p\n" \
		"$(echo "$line" | cut -d '|' -f 2)" "${line%%|*}" "${rest%|*}" >docs/adr/p$n.md
	[ -z "$rule" ] || echo "docs/adr/p$n.md:4:5: warning $rule"
done <patterns >want
ikm lint --rule pattern-language --rule pattern-ascii --rule pattern --json >out || { cat out; exit 1; }
jq -r '.problems[] | "\(.file):\(.line):\(.column): \(.severity) \(.rule)"' out >got
least 10 got
diff -u want got
jq -r '.problems[].message' out | grep -Fq "write '@evil/.*'"
jq -r '.problems[].message' out | grep -Fq "write '(*UCP)\bфу\b'"
E

done_testing
