#!/bin/sh
# lint: which items and rules, --fix, the formats, settings and comments.
. "$(dirname "$0")/../lib.sh"

git init -q .
mkdir -p .ikm docs/adr other
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
item() { # path, front matter, text
	printf -- '---\n%b\n---\n%b' "$2" "$3" >"$1"
}
item docs/adr/1-a.md 'status: accepted\nid: a/b' '# A\n'
item docs/adr/2-b.md 'status: accepted' '# B\n\n[x](x.md)\n'
item docs/adr/3-c.md 'constraints: 1' '# C\n'
item other/4-d.md 'status: perhaps' '# D\n'
printf '# Index\n' >docs/adr/README.md
rules() { ikm lint --json "$@" >out || [ $? = 1 ]; jq -r '[.problems[].rule] | join(" ")' out; }

long 'without a path every item of the sources in the tree, else those at or below it' <<'E'
same 'id link-dangling constraint' "$(rules)"
same 3 "$(jq .files out)"
same 'link-dangling' "$(rules docs/adr/2-b.md)"
same 'id link-dangling constraint' "$(rules docs)"
same 'id link-dangling constraint' "$(rules .)"
same 'id link-dangling' "$(cd docs/adr && rules 1-a.md 2-b.md)"
fails_for FILE_NOT_FOUND ikm lint docs/adr/9.md
fails_for BAD_PATH ikm lint /
ikm lint docs/adr/README.md 2>err
grep -q '^not linted: docs/adr/README.md is not read: README files are no items' err
ikm lint .ikm/config.json 2>err
grep -q "^not linted: '.ikm/config.json' has no knowledge item" err
same '["'"'"'other'"'"' has no knowledge item"]' "$(ikm lint other --json | jq -c .notes)"
E

try 'a folder of --knowledge is linted, other sources are not' <<'E'
same 'id link-dangling constraint status-unknown' "$(rules --knowledge other)"
same 'status-unknown' "$(rules --knowledge other other/4-d.md)"
IKM_KNOWLEDGE=$PWD/other
export IKM_KNOWLEDGE
same 'id link-dangling constraint' "$(rules)"
E

try 'what is staged' <<'E'
git add docs/adr/1-a.md .ikm
same 'id' "$(rules --staged)"
item docs/adr/1-a.md 'status: accepted' '# A\n'
same 'id' "$(rules --staged)"
same 'link-dangling constraint' "$(rules)"
git checkout -q docs/adr/1-a.md
fails_for BAD_ARGUMENT ikm lint --staged --fix
E

try 'which rules: options, the setting, a comment' <<'E'
same 'id' "$(rules --rule id)"
same 'id link-dangling' "$(rules --rule id --rule link-dangling)"
same 'id' "$(rules --rule id --rule link-dangling --disable link-dangling)"
same 'id constraint' "$(rules --disable link-dangling)"
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]},"lint":{"disable":["id","constraint"]}}' >.ikm/config.json
same 'link-dangling' "$(rules)"
ikm lint 2>err
same 'id' "$(rules --rule id)"
printf '<!-- ikm-lint-disable link-dangling -->\n' >>docs/adr/2-b.md
same '' "$(rules)"
fails_for NOT_IN_ENUM ikm lint --rule link-danglin
ikm lint --rule link-danglin 2>err || grep -q "did you mean 'link-dangling'?" err
echo '{"lint":{"disable":["no-such"]}}' >.ikm/config.json
fails_for NOT_IN_ENUM ikm lint 2>err
grep -q "lint.disable of .*config.json.*'no-such' is no rule" err
git checkout -q .ikm
E

try 'severity, and the exit status' <<'E'
fails 1 ikm lint 2>err
grep -q '^3 items: 1 error, 1 warning' err
fails 1 ikm lint --severity error >out
least 1 out
same 1 "$(wc -l <out | tr -d ' ')"
ikm lint docs/adr/1-a.md >out
same 'docs/adr/1-a.md:3:5: warning id' "$(cut -d ' ' -f 1-3 out | cut -d : -f 1-4)"
E

try 'a comment within a comment: each word has its place, once' <<'E'
rm docs/adr/*
printf -- '---\nstatus: accepted\n---\n# A\n\n<!-- ikm-lint-disable <!-- ikm-lint-disable foo\n   bar -->\n' >docs/adr/1.md
fails 0 ikm lint --rule disable-unknown >out
same '6:23 6:28 6:45 7:4' "$(sed -n 's/^docs.adr.1.md:\([0-9]*:[0-9]*\): .*/\1/p' out | xargs)"
E

try 'what --fix changes, and all other bytes stay' <<'E'
rm docs/adr/*
printf -- '---\nstatus: "**Accepted**"   \nx: "a  "\n---\n# T \n\nA  \nb\t\n\n```\nc  \n```' >docs/adr/1.md
printf '# U\r\n\r\nStatus: accepted\r\nx\n' >docs/adr/2.md
printf '# V\n\nStatus: accepted \n\n<!-- ikm-lint-disable trailing-blanks -->' >docs/adr/3.md
printf '\377\376#\0 \0W\0' >docs/adr/4.md
chmod 640 docs/adr/1.md
cp -R docs before
fails 1 ikm lint --fix >out
printf -- '---\nstatus: accepted   \nx: "a  "\n---\n# T\n\nA  \nb\n\n```\nc  \n```\n' >want
cmp want docs/adr/1.md
printf '# U\r\n\r\nStatus: accepted\r\nx\r\n' | cmp - docs/adr/2.md
printf '# V\n\nStatus: accepted \n\n<!-- ikm-lint-disable trailing-blanks -->\n' | cmp - docs/adr/3.md
cmp before/adr/4.md docs/adr/4.md
same 640 "$(stat -c %a docs/adr/1.md)"
cat >want <<'W'
fixed docs/adr/1.md: final-newline: 1 place
fixed docs/adr/1.md: status-form: 1 place
fixed docs/adr/1.md: trailing-blanks: 2 places
fixed docs/adr/2.md: line-ends: 1 place
fixed docs/adr/3.md: final-newline: 1 place
W
grep ^fixed out | diff -u want -
ikm lint --fix --json >out || [ $? = 1 ]
jq -e '.fixed == [] and .summary.errors == 1' out
E

try '--fix of one rule, of one file' <<'E'
cp -R before/. docs
ikm lint --fix --rule final-newline docs/adr/1.md --json >out
jq -e '[.fixed[] | [.file, .rule, .places]] == [["docs/adr/1.md", "final-newline", 1]]' out
cmp before/adr/3.md docs/adr/3.md
chmod 444 docs/adr/2.md
fails_for PERMISSION ikm lint --fix docs/adr/2.md
cmp before/adr/2.md docs/adr/2.md
E

# front matter, text; each stays byte for byte, and is a rule before and after
try '--fix leaves what it cannot mend without another meaning' <<'E'
rm -rf docs/adr/*
rule='constraints:\n  - {operator: must_not_use, target: code, pattern: "evil", severity: block}'
n=10
while IFS='~' read -r front text; do
	n=$((n + 1))
	printf -- "---\n$front\n$rule\n---\n# No$text\n" >docs/adr/$n.md
done <<'R'
status: &s "**Accepted**"\nsummary: *s
status: !x "✅ Accepted"
summary: &s "**Accepted**"\nstatus: *s
status: "Accepted — отменено"
status: "принято / Accepted"
status: Accepted?
status: "Accepted — "
status: "~~Accepted~~"
status: "**Accepted** for now"
status: >-\n  **Accepted**
status: accepted~\n\na\\ \nb
status: accepted~\n\na\n\r\r\nb
status: accepted~\n\na\r \nb
R
cp -R docs kept
ikm lint --fix --severity info >out || [ $? = 1 ]
same '' "$(grep -e ^fixed -e status-form -e blanks out)"
diff -r docs kept
printf -- '---\nstatus: "**Accepted**"\n---\n# Plain\n' >docs/adr/50.md
ikm lint --fix --severity info >out || [ $? = 1 ]
grep -qi '^status: accepted$' docs/adr/50.md
rm docs/adr/50.md
same 13 "$(ls docs/adr | wc -l | tr -d ' ')"
E

# text of the value, what --fix makes of it
try '--fix makes the plain word of a status with emphasis and emoji' <<'E'
rm -rf docs/adr/*
while IFS='~' read -r text want; do
	printf -- "---\nstatus: $text\n---\n# T\n" >docs/adr/1.md
	ikm lint --fix >out || [ $? = 1 ]
	same "status: $want" "$(sed -n 2p docs/adr/1.md)"
done <<'R'
"**Accepted**"~accepted
"✅ Accepted"~accepted
✔️ _Proposed_~proposed
'`Deprecated`'~deprecated
"Accepted ✅ "~accepted
R
E

try '--fix goes on behind a file that it cannot write, and says which' <<'E'
rm -rf docs/adr/*
for i in 1 2 3; do printf -- '---\nstatus: accepted\n---\n# T' >docs/adr/$i.md; done
chmod 444 docs/adr/2.md
fails 1 ikm lint --fix >out 2>err
same 'docs/adr/1.md docs/adr/3.md' "$(sed -n 's/^fixed \(.*\): final-newline: 1 place$/\1/p' out | xargs)"
grep -q '^not fixed docs/adr/2.md: .' err
fails 1 ikm lint --fix --json >out
jq -e '.success and (.passed | not) and .fixed == [] and
	([.failed[] | [.file, .reason, (.message | length > 0)]] == [["docs/adr/2.md", "PERMISSION", true]])' out
fails 1 ikm lint --fix --format sarif 2>err >out
grep -q '^not fixed docs/adr/2.md: .' err
chmod 644 docs/adr/2.md
ikm lint --fix --json >out
jq -e '.passed and .failed == [] and (.fixed | length == 1)' out
E

try 'annotations: ten of a kind, and a line that counts the rest' <<'E'
rm -rf docs/adr/*
for i in 1 2 3 4 5 6 7 8 9; do
	item docs/adr/$i.md 'date: x\nconstraints: 1' '# A\n\n[a](gone.md)\n'
done
fails 1 ikm lint --format github >out
same 9 "$(grep -c '^::error ' out)"
same 10 "$(grep -c '^::warning ' out)"
grep -q '^::error file=docs/adr/1.md,line=3,col=14,title=ikm lint%3A constraint::constraints must be' out
grep -q '^::notice title=ikm lint::8 more are not shown here' out
E

try 'a SARIF log has each rule, each problem, and fingerprints that differ' <<'E'
fails 1 ikm lint --format sarif >out
jq -e '.version == "2.1.0" and (.runs | length) == 1' out
jq -e '.runs[0].results | length == 27' out
jq -e '[.runs[0].results[].partialFingerprints[]] | length == 27 and (unique | length) == 27' out
jq -e '.runs[0].results[1] | .level == "error" and .locations[0].physicalLocation.region.startLine == 3' out
jq -e '[.runs[0].tool.driver.rules[].id] | index("link-dangling") != null' out
same "$(ikm lint --list-rules | wc -l)" "$(jq '.runs[0].tool.driver.rules | length' out)"
E

more 'the list of rules, the manual, completion and the JSON agree' <<'E'
ikm lint --list-rules --json | jq -r '.rules[].id' | sort >ids
least 40 ids
ikm lint --list-rules | sed 's/--fix//' | awk '{print $2}' | sort | diff -u ids -
ikm --mdoc-rules | sed -n 's/^\.It Cm \([^ ]*\) .*/\1/p' | sort | diff -u ids -
ikm --complete 3 ikm lint --rule link | grep -q '^link-dangling'
sort -u ids | diff -u ids -
E

more 'no knowledge, no repository' <<'E'
mkdir "$T/none"
cd "$T/none"
ikm lint 2>err
grep -q 'no knowledge is configured' err
item 1.md 'status: maybe' '# A\n'
same status-unknown "$(rules --knowledge .)"
fails_for NO_REPOSITORY ikm lint --staged
E

done_testing
