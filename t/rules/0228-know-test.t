#!/bin/sh
# know test: what the rules of a decision stop: examples, texts, the tree now, past commits.
. "$(dirname "$0")/../lib.sh"

git init -q .
mkdir -p .ikm docs/adr src
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
echo '{"dependencies":{"pg":"^8"}}' >package.json
git add -A
git commit -qm 'start'
echo '{"dependencies":{"pg":"^8","mysql2":"^3"}}' >package.json
git commit -qam 'try mysql'
git checkout -qb side
for i in 1 2 3 4 5 6; do echo "eval($i)" >>src/a.js; done
git add -A
git commit -qm 'six evals'
for i in 1 2 3 4 5 6; do echo "eval(1$i)" >>src/a.js; done
git commit -qam 'and six more'
git checkout -q -
git merge -q --no-ff -m 'merge side' side
echo '{"dependencies":{"pg":"^8"}}' >package.json
git commit -qam 'mysql is gone'
cat >docs/adr/0001-no-mysql.md <<'A'
---
status: proposed
severity: block
constraints:
  - operator: must_not_use
    target: dependency
    pattern: 'mysql2?'
    examples: {stops: [mysql, "npm:mysql2@3.1"], passes: [pg]}
  - {operator: must_not_use, target: code, pattern: '\beval\(', severity: warn, appliesTo: src/}
  - {operator: must_not_use, target: config, pattern: '^debug='}
---
# No MySQL
A
git add -A
git commit -qm 'decide'

long 'the tree now: ten places of a rule, and how many there are' <<'E'
ikm know test 1 --json >out
jq -e '.passed and .failed == 0 and .status == "proposed" and .id == "0001-no-mysql"' out
jq -e '[.rules[] | [.constraint, .total, (.places | length)]] == [[1, 0, 0], [2, 12, 10], [3, 0, 0]]' out
jq -e '.rules[1].places[9] | [.file, .line, .column, .found] == ["src/a.js", 10, 1, "eval("]' out
ikm know test 1 >text
grep -q '^  now: 12 violations$' text
grep -q '^    and 2 more$' text
grep -q 'the item is proposed, so a check stops nothing' text
grep -q '^  examples: 3 of 3 hold$' text
E

try 'past commits, each against its first parent; a merge shows what its branch brought' <<'E'
ikm know test 1 --json >out
jq -e '.judgedCommits == 5' out
jq -e '[.commits[] | [.subject, .blocks, .findings[0].constraint, .findings[0].total]] ==
	[["merge side", false, 2, 12], ["try mysql", true, 1, 1]]' out
same "$(git rev-parse HEAD~2)" "$(jq -r '.commits[0].commit' out)"
ikm know test 1 >text
grep -Eq '^  [0-9a-f]{12}  stopped  try mysql$' text
grep -Eq '^  [0-9a-f]{12}  warned   merge side$' text
ikm know test 1 --commits 3 --json >out
jq -e '.judgedCommits == 3 and (.commits | length) == 1' out
ikm know test 1 --commits 0 --json >out
jq -e '.judgedCommits == 0 and .commits == []' out
E

try 'where a shallow clone ends is told, and not judged as new' <<'E'
git clone -q --depth 3 "file://$PWD" ../shallow
cd ../shallow
ikm know test 1 --json >out
# The merge has both parents only in a full clone.
jq -e '.judgedCommits == 2 and .commits == []' out
same "$(git rev-parse HEAD~2)" "$(jq -r .shallowAt out)"
ikm know test 1 | grep -q 'where this shallow clone ends'
E

try 'texts and patterns by hand' <<'E'
ikm know test 1 --text mysql2 --text 'eval(x)' --json >out
jq -e '[.rules[0].tried[] | [.text, .stopped]] == [["mysql2", true], ["eval(x)", false]]' out
jq -e '[.rules[1].tried[] | [.stopped, .found]] == [[false, null], [true, "eval("]]' out
jq -e 'has("files") | not' out
ikm know test 1 --constraint 1 --pattern '.*sql.*' --text PyMySQL >text
grep -q '^  stops   PyMySQL$' text
fails_for MISSING_PARAMETER ikm know test 1 --pattern x
fails_for BAD_PATTERN ikm know test 1 --constraint 1 --pattern '('
fails_for OUT_OF_RANGE ikm know test 1 --constraint 9
fails_for NO_SUCH_ITEM ikm know test nothing
E

try 'an example that fails: exit 1, with its line' <<'E'
sed -i 's/passes: \[pg\]/passes: [mysql]/' docs/adr/0001-no-mysql.md
fails 1 ikm know test 1 >text
grep -q "docs/adr/0001-no-mysql.md:8: constraint 1: example 1 under 'passes', 'mysql'" text
fails 1 ikm know test 1 --json >out
jq -e '.passed == false and .failed == 1' out
jq -e '[.rules[0].tried[] | select(.ok | not)] | length == 1 and .[0].line == 8 and
	.[0].expect == "passes"' out
git checkout -q docs
E

long 'a rule that can find nothing here is told so' <<'E'
cat >docs/adr/0003-idle.md <<'A'
---
status: accepted
constraints:
  - {operator: must_not_use, target: import, pattern: x, appliesTo: ['*.md']}
  - {operator: must_not_use, target: import, pattern: src/b, appliesTo: ['src/']}
---
# Idle
A
mkdir -p src/deep/b
echo x >src/deep/b/c.js
ikm know test 3 >text
grep -q 'it judges none of the [0-9]* files here: none is in \*\.md and read for the target import$' text
cp docs/adr/0003-idle.md ../idle.md
ikm know rule 3 --forbid-file '*.log' --in nosuch/ --no-stage >idle
grep -q 'it judges none of the [0-9]* files here: none is in nosuch/$' idle
for pattern in 'left pad' 'x ' '"x"'; do
	ikm know rule 3 --forbid-dependency "$pattern" --no-stage >idle
	grep -q '^  it can find nothing: no name of a package has a blank or a quote$' idle
done
ikm know rule 3 --forbid-dependency 'left[ -]pad|x y' --forbid-dependency 'a\.b' --no-stage >idle
fails 1 grep -q 'can find nothing' idle
same 3 "$(ikm know test 3 --json | jq '[.rules[].never // empty] | length')"
mv ../idle.md docs/adr/0003-idle.md
grep -q 'the pattern names src/b, which is not here; did you mean src/deep/b?$' text
ikm know test 3 --json >out
same '[0,2] ["src/b"]' "$(jq -c '[.rules[].looksAt]' out) $(jq -c '[.rules[].lacks // empty]' out)"
ikm know test 1 >text
fails 1 grep -q 'it can judge\|which is not here' text
rm -r docs/adr/0003-idle.md src/deep
E

long 'no repository, no commit, no rules' <<'E'
printf '# Prose\n' >docs/adr/0002-prose.md
fails_for BAD_ARGUMENT ikm know test 2
# The last rule is taken back, and another decision is broken: nothing is wrong with this file.
ikm know rule 2 --forbid-dependency x --no-stage >text 2>&1
ikm know rule 2 --remove 1 --no-stage >text 2>&1
printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: nonsense}\n---\n# B\n' >docs/adr/0003-b.md
fails_for BAD_ARGUMENT ikm know test 2
ikm know test 2 2>err || :
grep -q "'0002-prose' has no rules$" err
fails 1 grep -q lint err
ikm know test 3 2>err || :
grep -q "ikm lint docs/adr/0003-b.md' says what is wrong" err
# Of two rules one cannot be read.
sed -i 's/^constraints:/&\n  - {operator: must_not_use, target: dependency, pattern: x, severity: block}/' docs/adr/0003-b.md
fails 1 ikm know test 3 >text
grep -q "^not tested: rules that cannot be read; 'ikm lint docs/adr/0003-b.md' says why$" text
ikm know test 3 --json | jq -e '.passed == false and .failed == 0'
rm docs/adr/0002-prose.md docs/adr/0003-b.md
mkdir ../unborn
cp -R docs .ikm ../unborn
cd ../unborn
git init -q .
ikm know test 1 --json >out
jq -e '.judgedCommits == 0 and .rules[0].tried[0].ok' out
mkdir "$T/plain"
cp -R docs "$T/plain"
cd "$T/plain"
ikm know test 1 --knowledge docs/adr >text
grep -q 'no repository with files: only the examples were tried' text
E

done_testing
