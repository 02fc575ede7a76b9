#!/bin/sh
# know rule: writes a rule into the file of a decision in the file's style, proves it, and stages
# it. From a repository without any rule to a stopped commit no editor is needed. git is the
# referee of what was written and staged.
# The texts of items and changes are formats of printf.
# shellcheck disable=SC2059
. "$(dirname "$0")/../lib.sh"

git init -q shop
cd shop || exit 1
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
echo '{"dependencies": {"left-pad": "1"}}' >package.json
adr() { # text for printf: the item 0001-pg, committed
	printf -- "$1" >docs/adr/0001-pg.md
	git add docs package.json .ikm && git commit -q --allow-empty -m adr
}
changes() { git diff --cached -U0 docs | grep '^[-+]' | grep -v '^---\|^+++' | tr -d '\r'; }
back() { git reset -q --hard; }

long 'from a decision in prose to a stopped commit, without an editor' <<'E'
rm -rf .ikm && mkdir .ikm
adr '# 1. Use PostgreSQL\n\n## Status\n\nAccepted\n\nWe use it.\n'
ikm init --repo-only >/dev/null
ikm know rule 1 --forbid-dependency mysql2 --instead pg -m 'One team runs PostgreSQL.' >out 2>err
grep -q '^  examples: 2 of 2 hold$' out
grep -q '^  now: 0 violations$' out
grep -q '^staged: docs/adr/0001-pg.md, .ikm/config.json$' out
grep -q '^next: ikm hook install' err
ikm hook install >/dev/null
git commit -qm 'decide'
echo '{"dependencies": {"left-pad": "1", "mysql2": "3"}}' >package.json
fails 1 git commit -qam 'use mysql' 2>err
grep -q 'use instead pg' err
grep -q 'One team runs PostgreSQL.' err
ikm hook uninstall >/dev/null
git reset -q --hard
E

# text before for printf, options, the staged lines
table() {
	while IFS='~' read -r text options want; do
		[ -n "$text" ] || continue
		adr "$text"
		eval "ikm know rule 1 $options" >out 2>err || { cat err; printf '%s\n' "$text"; exit 1; }
		same "$(printf -- "$want")" "$(changes)"
		same '' "$(git diff docs)"
		ikm lint docs >linted 2>&1 || { cat linted; exit 1; }
		# To take the rule back leaves nothing but an empty list.
		ikm know rule 1 --remove "$(ikm know test 1 --json | jq '.rules | length')" >out 2>&1
		same '' "$(changes | grep -vx '[-+]\(constraints:.*\|---\|\)')"
		same '' "$(git diff docs)"
		back
	done
}

rule='- {operator: must_not_use, target: code, pattern: eval, severity: block}'
more 'the rule is written in the style of the file' <<'E'
table <<R
# A\\n\\n* Status: accepted\\n\\nx\\n~--require-file LICENSE~+---\\n+constraints:\\n+  - operator: must_exist\\n+    target: file\\n+    pattern: LICENSE\\n+    severity: block\\n+---\\n+
---\\nstatus: accepted\\n---\\n# A\\n~--forbid-code "eval" --warn --in src/~+constraints:\\n+  - operator: must_not_use\\n+    target: code\\n+    pattern: eval\\n+    appliesTo: src/\\n+    severity: warn
---\\r\\nstatus: accepted\\r\\n---\\r\\n# A\\r\\n~--forbid-file "*.exe"~+constraints:\\n+  - operator: must_not_exist\\n+    target: file\\n+    pattern: "*.exe"\\n+    severity: block
---\\nstatus: accepted\\nconstraints:\\ntags: [a]\\n---\\n# A\\n~--forbid-import fs --instead node:fs~+  - operator: must_not_use\\n+    target: import\\n+    pattern: fs\\n+    severity: block\\n+    useInstead: node:fs\\n+    examples: {stops: [fs], passes: [node:fs]}
---\\nconstraints: []\\nstatus: accepted\\n---\\n# A\\n~--require-file LICENSE~-constraints: []\\n+constraints:\\n+  - operator: must_exist\\n+    target: file\\n+    pattern: LICENSE\\n+    severity: block
---\\nstatus: accepted\\nconstraints:\\n  $rule # why\\n  # the end\\nseverity: warn\\n---\\n# A\\n~--require-file LICENSE~+  - {operator: must_exist, target: file, pattern: LICENSE, severity: block}
---\\nstatus: accepted\\nconstraints:\\n- operator: must_not_use\\n  target: code\\n  pattern: eval\\n\\nseverity: warn\\n---\\n# A\\n~--forbid-code '\\bsystem\\(' --stops 'system(1)' --passes 'systems(1)'~+- operator: must_not_use\\n+  target: code\\n+  pattern: '\\\\bsystem\\\\('\\n+  severity: block\\n+  examples: {stops: [system(1)], passes: [systems(1)]}
---\\nstatus: accepted\\nconstraints: [{operator: must_not_use, target: code, pattern: eval}]\\n---\\n# A\\n~--require-file LICENSE~-constraints: [{operator: must_not_use, target: code, pattern: eval}]\\n+constraints: [{operator: must_not_use, target: code, pattern: eval}, {operator: must_exist, target: file, pattern: LICENSE, severity: block}]
# A\\n\\n* Status: accepted\\n\\n## Constraints\\n\\n\`\`\`yaml\\n$rule\\n\`\`\`\\n\\n## More\\n~--require-file LICENSE~+- {operator: must_exist, target: file, pattern: LICENSE, severity: block}
R
E

try 'several rules at once; a name is taken as it stands, a pattern as one' <<'E'
adr '---\nstatus: accepted\n---\n# A\n'
ikm know rule 1 --forbid-dependency fuse.js --forbid-dependency 'lunr.*' --json >out
jq -e '[.rules[] | [.constraint, .pattern]] == [[1, "fuse\\.js"], [2, "lunr.*"]]' out
fails_for EXISTS ikm know rule 1 --forbid-dependency fuse.js
ikm know test 1 --text fusexjs | grep -q '^  passes  fusexjs'
back
E

long 'a rule is taken back by its number; the commit that the advice names is let pass' <<'E'
rules='---\nstatus: accepted\nconstraints:\n'
for n in a b c; do rules="$rules  - operator: must_not_use # $n\n    target: code\n    pattern: $n$n$n\n"; done
adr "$rules---\n# A\n"
fails_for OUT_OF_RANGE ikm know rule 1 --remove 4
for option in --forbid-code=x --in=a --instead=x --message=x --warn --stops=x --passes=x; do
	fails_for BAD_ARGUMENT ikm know rule 1 --remove 1 "$option"
done
ikm know rule 1 --remove 2 >out 2>err
same 'removed: rule 2  warn must_not_use code bbb
staged: docs/adr/0001-pg.md' "$(cat out)"
grep -q 'the rules behind it have new numbers: .* 0001-pg#2 or a later one' err
same '-  - operator: must_not_use # b
-    target: code
-    pattern: bbb' "$(changes)"
ikm hook install >/dev/null
sh -c "$(sed -n 's/.*forbade: //p' err)" >out 2>&1
grep -q '^rules: 3 → 2; edited 0001-pg (must_not_use code bbb (warn) → none)$' out
same '' "$(git status --porcelain docs)"
ikm know rule 1 --remove 1 >/dev/null 2>&1
ikm know rule 1 --remove 1 >out 2>err
same 'removed: rule 1  warn must_not_use code ccc' "$(head -n 1 out)"
grep -qx 'constraints: \[\]' docs/adr/0001-pg.md
sh -c "$(sed -n 's/.*forbade: //p' err)" >out 2>&1
same 0 "$(ikm check --all --json | jq .checked.rules)"
# What no commit has needs none.
ikm know rule 1 --require-file LICENSE >/dev/null 2>&1
ikm know rule 1 --remove 1 >out 2>err
same '' "$(cat err)"
same '' "$(git status --porcelain docs)"
# The only rule of a block; a form that no editor of lines can take apart.
adr '# A\n\n* Status: accepted\n\n## Constraints\n\n```yaml\n- {operator: must_not_use, target: code, pattern: eval}\n```\n'
ikm know rule 1 --remove 1 >/dev/null 2>&1
same '-- {operator: must_not_use, target: code, pattern: eval}
+[]' "$(changes)"
back
ikm hook uninstall >/dev/null
E

more 'init and hook install say that there is no rule, and name the command' <<'E'
adr '---\nstatus: proposed\n---\n# A\n'
printf -- '---\nstatus: accepted\n---\n# B\n' >docs/adr/0002-b.md
ikm init --repo-only >out
grep -qx '0 rules: every commit will pass' out
grep -q '^  ikm know rule 0002-b --forbid-dependency NAME ' out
same 0 "$(ikm init --repo-only --json | jq .rules)"
ikm know rule 2 --require-file LICENSE >/dev/null
same 1 "$(ikm init --repo-only --json | jq .rules)"
ikm init --repo-only >out
not grep 'every commit will pass' out
git rm -qf docs/adr/0002-b.md
back
E

more 'on a terminal a list has a header, and each row fits' <<'E'
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
adr '---\nstatus: accepted\ndate: 2026-01-02\n---\n# A title that is longer than its column on such a terminal\n'
script -qec 'stty cols 72; ikm know list' /dev/null </dev/null | sed 's/\x1b\[[0-9]*m//g' | tr -d '\r' >out
same 'status date rules id title file' "$(head -1 out | tr -s ' ')"
grep -q '^accepted    2026-01-02  -      0001-pg .*…' out
same 2 "$(wc -l <out)"
not env LC_ALL=C.UTF-8 grep -q '^.\{73\}' out
ikm know list | grep -qx 'accepted    2026-01-02  -   0001-pg  A title .* terminal  docs/adr/0001-pg.md'
back
E

try 'what breaks the rule already is told, and stays' <<'E'
adr '---\nstatus: accepted\n---\n# A\n'
ikm know rule 1 --forbid-dependency left-pad >out
grep -q '^  now: 1 violation$' out
grep -q '^this violation is there already' out
ikm check --staged >out 2>&1
grep -q 'added 0001-pg (.*; the tree had 1 finding before: ikm know test 0001-pg)$' out
ikm check --staged --json | jq -e '.ruleChanges[] | .change == "added" and .findings == 1'
# What the same commit adds is stopped, and is not counted as there already.
mkdir sub
cp package.json sub/package.json
git add sub
fails 1 ikm check --staged --json | jq -e '.ruleChanges[] | .findings == 1'
git rm -rqf sub
back
E

try 'a rule that fails an example, cannot be compiled or says nothing changes no file' <<'E'
adr '---\nstatus: accepted\n---\n# A\n'
fails_for BAD_ARGUMENT ikm know rule 1 --forbid-code 'a+' --passes 'baab'
fails_for BAD_PATTERN ikm know rule 1 --forbid-code 'eval('
fails 2 ikm know rule 1 --forbid-code 'eval(' 2>err
grep -qF "forbid-code 'eval\\('" err
fails_for MISSING_PARAMETER ikm know rule 1
fails_for NO_SUCH_ITEM ikm know rule 7 --require-file x
fails_for BAD_ARGUMENT ikm know rule 1 --require-file x --require-file y --stops z
same '' "$(git status --porcelain docs)"
E

try 'a file with other changes is not staged; a draft and a proposal say the next step' <<'E'
adr '# A\n\nStatus: proposed\n'
echo more >>docs/adr/0001-pg.md
ikm know rule 1 --require-file LICENSE >out 2>err
grep -q "is not staged, because it has other changes too: git add docs/adr/0001-pg.md" err
grep -q 'next: ikm know status 0001-pg accepted' err
same ' M docs/adr/0001-pg.md' "$(git status --porcelain docs)"
back
adr '# A\n\nx\n'
ikm know rule 1 --require-file LICENSE --no-stage >out 2>err
grep -q 'next: ikm know status 0001-pg proposed' err
same ' M docs/adr/0001-pg.md' "$(git status --porcelain docs)"
back
E

done_testing
