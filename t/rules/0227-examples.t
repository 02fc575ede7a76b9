#!/bin/sh
# Examples in constraints: texts that prove a rule. A rule that fails one is broken knowledge.
. "$(dirname "$0")/../lib.sh"

rule() { # operator, target, pattern, examples, more
	mkdir -p docs/adr .ikm
	echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
	cat >docs/adr/1.md <<R
---
status: accepted
constraints:
  - {operator: $1, target: $2, pattern: '$3', severity: block, examples: $4${5:+, $5}}
---
# One
R
}

failing() { # prints the messages of examples that fail
	ikm check --all --json >out || [ $? = 1 ]
	jq -r '[.notes[] | select(.rule == "example-fails") | .message] | join("; ")' out
}

git init -q .

# operator ~ target ~ pattern ~ examples ~ more ~ the examples that fail
cat >cases <<'C'
must_not_use~dependency~mysql2?~{stops: [mysql, "npm:mysql2@3.1", MySQL], passes: [pg, mysql3]}
must_not_use~dependency~mysql2?~{stops: PyMySQL, passes: mysql}~~constraint 1: example 1 under 'passes', 'mysql', is stopped: the rule finds 'mysql'; constraint 1: example 1 under 'stops', 'PyMySQL', is not stopped
must_not_use~dependency~py-mysql~{stops: ["pypi:Py_MySQL", "pypi:py.mysql@1.0"], passes: ["npm:py_mysql"]}
must_not_use~dependency~@evil/x~{stops: ["@evil/x", "npm:@evil/x@1.0"], passes: ["@good/x"]}
must_not_use~dependency~lodash~{stops: ["npm:lodash@4.17.20"], passes: ["npm:lodash@4.17.21"]}~version: "<4.17.21"
must_use~dependency~zod~{stops: [joi], passes: [zod]}
must_match~dependency~@acme/.*~{stops: [left-pad], passes: ["@acme/ui"]}
must_not_use~code~\beval\s*\(~{stops: "eval (1)", passes: ["evaluate(1)"]}
must_not_use~code~^exec~{stops: ["a\nexec x"], passes: ["my exec", "pre exec x"]}~appliesTo: "*.py"
must_not_use~code~^exec~{stops: ["my exec", "b"]}~~constraint 1: example 1 under 'stops', 'my exec', is not stopped; constraint 1: example 2 under 'stops', 'b', is not stopped
must_match~code~SPDX~{stops: "int main;", passes: "/* SPDX */"}
must_use~code~strict~{stops: "x", passes: "use strict"}
must_not_exist~file~*.pem~{stops: [a.pem, k/b.pem], passes: [a.pem.txt]}
must_not_use~file~*.js~{stops: src/a.js, passes: [lib/a.js, a.ts]}~appliesTo: src/
must_match~file~^[a-z/.]+$~{stops: A.c, passes: a.c}
must_exist~file~LICENSE~{stops: COPYING, passes: LICENSE}
C

long 'each operator and target tries its examples as a check judges' <<'E'
least 16 cases
while IFS='~' read -r op target pattern examples more want; do
	rule "$op" "$target" "$pattern" "$examples" "$more"
	git add -A
	same "$want" "$(failing)" || { echo "$op $target $pattern $examples"; exit 1; }
	[ -z "$want" ] || continue
	# What holds one way fails the other way round.
	rule "$op" "$target" "$pattern" "$(echo "$examples" |
		sed 's/stops/X/; s/passes/stops/; s/X/passes/')" "$more"
	git add -A
	[ -n "$(failing)" ] || { echo "nothing fails: $op $target $pattern"; exit 1; }
done <cases
E

try 'a change that touches the item is stopped, another change is not' <<'E'
rule must_not_use dependency mysql '{stops: [mysql, mysql2]}'
git add -A
ikm check --staged --json >out || [ $? = 1 ]
jq -e '.passed == false and .summary.block == 1 and .checked.broken == 1' out
jq -e '[.notes[] | select(.blocks) | [.kind, .file, .line, .rule]] ==
	[["broken", "docs/adr/1.md", 4, "example-fails"]]' out
git commit -qm 'a rule that fails its example'
echo x >other
git add other
ikm check --staged --json >out
jq -e '.passed and .notes == []' out
rule must_not_use dependency mysql2? '{stops: [mysql, mysql2]}'
git add -A
ikm check --staged --json >out || [ $? = 1 ]
jq -e '.summary.block == 0 and .notes == []' out
E

more 'wrong examples are broken knowledge, and the message says what is allowed' <<'E'
rule must_not_use dependency mysql '{stop: [mysql]}'
ikm check --all >out || [ $? = 1 ]
grep -q "1.md:4: constraint 1: 'stop' is unknown: did you mean 'stops'?" out
rule must_not_use dependency mysql '[mysql]'
ikm check --all >out || [ $? = 1 ]
grep -q "1.md:4: constraint 1: 'examples' must be a mapping with stops and passes, not a list" out
rule must_not_use dependency mysql '{stops: [[mysql]]}'
ikm check --all >out || [ $? = 1 ]
grep -q "1.md:4: constraint 1: 'stops' must be a string, not a list" out
rule must_not_use code mysql \
	'{passes: ["version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 1\n"]}'
ikm check --all >out || [ $? = 1 ]
grep -q "1.md:4: constraint 1: example 1 under 'passes': ikm cannot judge it: lfs_pointer" out
E

more 'examples are shown, and are no part of the rule' <<'E'
rule must_not_use dependency mysql '{stops: [mysql], passes: pg}'
git add -A
git commit -qm good
ikm know show 1 --json >out
jq -e '.item.constraints[0].examples == {stops: ["mysql"], passes: ["pg"]}' out
rule must_not_use dependency mysql '{stops: [mysql], passes: [pg, sqlite]}'
git add -A
ikm check --staged --json >out
jq -e '.ruleChanges == []' out
E

done_testing
