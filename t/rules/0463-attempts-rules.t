#!/bin/sh
# Attempts to make a rule vanish or weaken in one commit, so that another can break it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

a=docs/adr/0001-no-mysql.md

# One shell line each, in a clone with the rules. pre-commit stops or reports it, and names the
# decision or the setting.
while IFS='|' read -r want words line; do
	case $want in '' | '#'*) continue ;; esac
	attempt "$line" "$want" "$words" <<E
a=$a
$line
E
done <<'ROWS'
# the file goes, or is no item any more
stopped|lost 0001-no-mysql|git rm -q $a
stopped|docs/adr: this change takes away|git rm -rq docs/adr
stopped|lost 0001-no-mysql|git mv $a docs/0001-no-mysql.md
stopped|docs/adr: this change takes away|git mv docs/adr docs/decisions
stopped|docs/adr: this change takes away|git mv docs documents
stopped|lost 0001-no-mysql|git mv $a docs/adr/README.md -f
stopped|lost 0001-no-mysql|git mv $a docs/adr/template.md
stopped|lost 0001-no-mysql|git mv $a docs/adr/index.md
stopped|lost 0001-no-mysql|git mv $a docs/adr/adr-template.md
stopped|lost 0001-no-mysql|git mv $a docs/adr/0001-no-mysql.mdx
stopped|lost 0001-no-mysql|git mv $a docs/adr/0001-no-mysql.markdown
stopped|lost 0001-no-mysql|git mv $a docs/adr/0001-no-mysql
stopped|lost 0001-no-mysql|git mv $a docs/adr/0001-no-mysql.md.bak
stopped|lost 0001-no-mysql|git mv $a docs/adr/.0001-no-mysql.md.swp
stopped|lost 0001-no-mysql|mkdir docs/adr/old; git mv $a docs/adr/old/readme.md
stopped|lost 0001-no-mysql|mkdir docs/old; git mv $a docs/old/
stopped|lost 0001-no-mysql|git rm -q --cached $a; echo $a >.gitignore
stopped|docs/adr: this change takes away|git rm -rq --cached docs/adr; echo docs/adr >.gitignore
stopped|lost 0001-no-mysql|git mv $a x.md; ln -s ../../x.md $a
stopped|docs/adr: this change takes away|git mv docs/adr real; ln -s ../real docs/adr
stopped|docs/adr: this change takes away|git mv docs real; ln -s real docs
told|not judged: docs/adr|mv docs/adr x; git init -q docs/adr; mv x/* docs/adr; git -C docs/adr add -A; git -C docs/adr commit -qm x; git rm -rq --cached docs/adr; rm -rf x
stopped|0001-no-mysql|mkdir docs/adr/nested; git mv $a docs/adr/nested; git init -q docs/adr/nested; git -C docs/adr/nested add -A; git -C docs/adr/nested commit -qm x; git rm -rq --cached docs/adr/nested
stopped|0001-no-mysql|: >$a
stopped|0001-no-mysql|rm $a; mkdir $a; echo x >$a/x
stopped|0001-no-mysql|rm $a; ln -s /dev/null $a
stopped|0001-no-mysql|head -c 1100000 /dev/zero | tr '\0' 'x' >>$a
# the settings go
stopped|0001-no-mysql|git rm -q .ikm/config.json
stopped|0001-no-mysql|git rm -q --cached .ikm/config.json; echo .ikm >.gitignore
stopped|0001-no-mysql|git mv .ikm conf; ln -s conf .ikm
stopped|0001-no-mysql|git mv .ikm conf
stopped|.ikm/config.json|git mv .ikm/config.json c.json; ln -s ../c.json .ikm/config.json
stopped|0001-no-mysql|git mv .ikm/config.json .ikm/Config.json
stopped|ikm|: >.ikm/config.json
stopped|ikm|echo '{' >.ikm/config.json
stopped|0001-no-mysql|echo '{}' >.ikm/config.json
stopped|0001-no-mysql|echo '{"knowledge": {}}' >.ikm/config.json
stopped|0001-no-mysql|echo '{"knowledge": {"sources": []}}' >.ikm/config.json
stopped|ikm|echo '{"knowledge": {"sources": [{"path": "docs/none"}]}}' >.ikm/config.json
stopped|0001-no-mysql|echo x | put docs/none/x.md; echo '{"knowledge": {"sources": [{"path": "docs/none"}]}}' >.ikm/config.json
stopped|0001-no-mysql|echo '{"knowledge": {"sources": [{"path": "docs/adr", "files": "0002*"}]}}' >.ikm/config.json
stopped|0001-no-mysql|echo '{"knowledge": {"sources": [{"path": "docs/adr", "files": "x/**"}]}}' >.ikm/config.json
stopped|ikm|echo '{"knowledge": {"sources": [{"path": "docs/adr", "ref": "nowhere"}]}}' >.ikm/config.json
either|knowledge.sources|git tag v0; echo '{"knowledge": {"sources": [{"path": "docs/adr", "ref": "v0"}]}}' >.ikm/config.json
either|knowledge.sources|echo '{"knowledge": {"sources": [{"path": "docs/adr", "type": "spec"}]}}' >.ikm/config.json
either|knowledge.sources|echo '{"knowledge": {"sources": [{"path": "docs/adr", "layer": "team"}]}}' >.ikm/config.json
told|knowledge.sources|echo '{"knowledge": {"sources": [{"path": "."}]}}' >.ikm/config.json
told|check.maxFileSize|echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"maxFileSize": 4096}}' >.ikm/config.json
told|check.minSeverity|echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"minSeverity": "block"}}' >.ikm/config.json
told|check.lostRules|echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"lostRules": "warn"}}' >.ikm/config.json
stopped|lost 0001-no-mysql|echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "check": {"lostRules": "warn"}}' >.ikm/config.json; git rm -q $a
stopped|ikm|echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}, "chek": {"maxFileSize": 1}}' >.ikm/config.json
stopped|ikm|echo '{"knowledge": {"sources": [{"path": "docs/adr"}], "sources": []}}' >.ikm/config.json
stopped|0001-no-mysql|echo '{"knowledge": {"s\u006furces": []}}' >.ikm/config.json
# the status
either|0001-no-mysql|sed -i 's/^status: .*/status: draft/' $a
either|0001-no-mysql|sed -i 's/^status: .*/status: proposed/' $a
either|0001-no-mysql|sed -i 's/^status: .*/status: rejected/' $a
either|0001-no-mysql|sed -i 's/^status: .*/status: deprecated/' $a
either|0001-no-mysql|sed -i 's/^status: .*/status: superseded/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: acceped/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: akzeptiert/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: 已接受/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status:/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: [accepted]/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: {accepted: true}/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/statu: accepted/' $a
stopped|0001-no-mysql|sed -i '/^status: /d' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/status: accepted\nstatus: draft/' $a
stopped|0001-no-mysql|sed -i 's/^status: .*/"st\\u0061tus": draft/' $a
# the rule
told|edited 0001-no-mysql|sed -i 's/severity: block/severity: warn/' $a
told|edited 0001-no-mysql|sed -i 's/severity: block/severity: info/' $a
told|edited 0001-no-mysql|sed -i 's/, severity: block//' $a
told|edited 0001-no-mysql|sed -i "s/mysql2?/mysqlx/" $a
told|edited 0001-no-mysql|sed -i "s/target: dependency/target: code/" $a
told|edited 0001-no-mysql|sed -i "s/target: dependency/target: import/" $a
told|edited 0001-no-mysql|sed -i "s/must_not_use/must_use/" $a
told|edited 0001-no-mysql|sed -i "s/severity: block/severity: block, appliesTo: [none]/" $a
told|edited 0001-no-mysql|sed -i "s/severity: block/severity: block, version: '<1'/" $a
told|0001-no-mysql|sed -i '/^constraints/,/operator/d' $a
told|0001-no-mysql|sed -i 's/^constraints:/constraints: []/; /operator/d' $a
either|0001-no-mysql|sed -i 's/^constraints:/constraints:\nconstraints_:/' $a
stopped|0001-no-mysql|sed -i 's/^constraints:/Constraint:/' $a
stopped|0001-no-mysql|sed -i 's/^constraints:/rules:/' $a
stopped|0001-no-mysql|sed -i 's/^constraints:/<<:/' $a
stopped|0001-no-mysql|sed -i 's/^constraints:/metadata:\n constraints:/; s/^  -/   -/' $a
stopped|0001-no-mysql|sed -i 's/operator: must_not_use/operator: must_never_use/' $a
stopped|0001-no-mysql|sed -i "s/pattern: '/pattern: '(/" $a
stopped|0001-no-mysql|sed -i "s/target: dependency/target: deps/" $a
stopped|0001-no-mysql|sed -i "s/severity: block/severity: blocking/" $a
stopped|0001-no-mysql|sed -i "s/severity: block/severity: block, appliesTo: package.json/" $a; sed -i "s/package.json}/ }/" $a; sed -i "s/ appliesTo:  }/ appliesTo: }/" $a
either|0001-no-mysql|sed -i '/operator/s/.*/  - *x/' $a
# the front matter
stopped|0001-no-mysql|sed -i '1d' $a
stopped|0001-no-mysql|sed -i '1s/.*/+++/' $a
stopped|0001-no-mysql|sed -i '1s/.*/----/' $a
stopped|0001-no-mysql|sed -i '1s/.*/ ---/' $a
stopped|0001-no-mysql|sed -i '1i text' $a
stopped|0001-no-mysql|sed -i '1i # Heading' $a
stopped|0001-no-mysql|sed -i '/^---$/s/.*/```/' $a
stopped|0001-no-mysql|sed -i '2,$s/^---$//' $a
stopped|0001-no-mysql|sed -i 's/^date:/\tdate:/' $a
stopped|0001-no-mysql|sed -i 's/^status/&: x\n  bad\n&/' $a
stopped|0001-no-mysql|sed -i 's/^date: .*/date: 2026-01-01\n...\n---/' $a
stopped|0001-no-mysql|sed -i 's/^date: .*/---\n# x\n---/' $a
told|edited 0001-no-mysql|sed -i 's/^constraints:/text: |\n  constraints:/' $a
told|edited 0001-no-mysql|sed -i 's/^constraints:/# constraints:/; s/^  - {op/#  - {op/' $a
stopped|0001-no-mysql|sed -i 's/^constraints:/"constraints ":/' $a
stopped|0001-no-mysql|sed -i '1i <!--' $a; echo '-->' >>$a
stopped|0001-no-mysql|iconv -t UTF-16 $a >x; mv x $a
stopped|0001-no-mysql|iconv -t UTF-16LE $a >x; mv x $a
stopped|0001-no-mysql|iconv -t UTF-32 $a >x; mv x $a
stopped|0001-no-mysql|echo '*.md working-tree-encoding=UTF-16' >.gitattributes; git rm -rq --cached docs; iconv -t UTF-16 $a >x; git update-index --add --cacheinfo 100644,$(git hash-object -w x),$a; rm x; judge_index; done_here
stopped|0001-no-mysql|sed -i '2i \x00' $a
stopped|0001-no-mysql|sed -i 's/^date: /date: \xff/' $a
stopped|0001-no-mysql|printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 40\n' 1 >$a
# another item
either|0001-no-mysql|printf -- '---\nid: 0001-no-mysql\nstatus: accepted\n---\n# x\n' >docs/adr/0009-x.md
either|0001-no-mysql|printf -- '---\nstatus: accepted\nsupersedes: 0001-no-mysql\n---\n# x\n' >docs/adr/0009-x.md
either|0001-no-mysql|printf -- '---\nstatus: accepted\nsupersedes: [0001-no-mysql, 0002-no-eval]\n---\n# x\n' >docs/adr/0009-x.md
either|0001-no-mysql|printf -- '---\nstatus: accepted\nsupersedes: docs/adr/0001-no-mysql.md\n---\n# x\n' >docs/adr/0009-x.md
told|patterns|mkdir docs/adr/patterns; printf -- '---\nid: 0001-no-mysql\nstatus: accepted\n---\n# Retry\n' >docs/adr/patterns/retry.md
either|0001-no-mysql|sed -i 's/^status/id: other\nstatus/' $a; sed -i 's/severity: block/severity: warn/' $a
either|0001-no-mysql|git mv $a docs/adr/0007-databases.md; sed -i 's/severity: block/severity: warn/' docs/adr/0007-databases.md
either|0001-no-mysql|git mv $a docs/adr/0007-databases.md; sed -i 's/status: accepted/status: draft/' docs/adr/0007-databases.md
told|edited 0001-no-mysql|git mv $a docs/0007-databases.md; printf -- '---\nstatus: accepted\n---\n# x\n' >$a
ROWS

# Two commits, the second with forbidden content: ikm stops or reports the first one.
attempt 'a file in a folder with a name of a type' silent '' <<'E'
mkdir docs/adr/patterns; echo '# Retry' >docs/adr/patterns/retry.md; commit
E
attempt 'such a folder retires nothing' stopped 'package.json' <<'E'
mkdir docs/adr/patterns; echo '# Retry' >docs/adr/patterns/retry.md; commit; db npm:mysql2@3
E
attempt 'a source as wide as the repository exempts no text from rules on code' either 'notes.md' <<'E'
echo '{"knowledge": {"sources": [{"path": "."}]}}' >.ikm/config.json; commit
: >"$HOOK_SAID"; printf '# x\n\neval (1)\n' >notes.md
E
attempt 'export-ignore hides no decision' stopped 'package.json' <<'E'
echo 'docs/** export-ignore' >.gitattributes; commit; db npm:mysql2@3
E
attempt 'a sparse checkout hides no decision' stopped 'package.json' <<'E'
git sparse-checkout set --no-cone '/*' '!/docs'; db npm:mysql2@3; git add package.json
E
attempt 'nor does a sparse checkout with a sparse index' stopped 'package.json' <<'E'
git sparse-checkout set --cone --sparse-index lib; db npm:mysql2@3; git add package.json
E
attempt 'nor do skip-worktree and a deleted file' stopped 'package.json' <<'E'
git update-index --skip-worktree docs/adr/0001-no-mysql.md; rm docs/adr/0001-no-mysql.md
db npm:mysql2@3
E
attempt 'nor does assume-unchanged with other content' stopped 'package.json' <<'E'
git update-index --assume-unchanged docs/adr/0001-no-mysql.md; : >docs/adr/0001-no-mysql.md
db npm:mysql2@3
E
attempt 'settings in a folder below do not count in a hook' stopped 'package.json' <<'E'
echo '{"knowledge": {"sources": []}}' | put lib/.ikm/config.json; commit
db npm:mysql2@3; git add -A; cd lib; judge_index; done_here
E
attempt 'decisions with CRLF judge' stopped 'package.json' <<'E'
sed -i 's/$/\r/' docs/adr/*.md; commit; db npm:mysql2@3
E
attempt 'a line end in a pattern is one in a file with CRLF' stopped 'x.js:1' <<'E'
rule 0009-x "operator: must_not_match, target: code, pattern: 'left\$\\nright'"; commit
printf 'left\r\nright\r\n' >x.js
E
attempt 'decisions with a byte order mark judge' stopped 'package.json' <<'E'
sed -i '1s/^/\xef\xbb\xbf/' docs/adr/*.md; commit; db npm:mysql2@3
E
attempt 'decisions behind a licence judge' stopped 'package.json' <<'E'
sed -i '1i <!-- SPDX-License-Identifier: MIT -->' docs/adr/*.md; commit; db npm:mysql2@3
E
attempt 'quoted keys, anchors and flow style judge' stopped 'package.json' <<'E'
printf -- '---\n{"status": &s "accepted", "constraints": [{"operator": "must_not_use", "target": "dependency", "pattern": "mysql2?", "severity": "block"}]}\n---\n# x\n' >docs/adr/0001-no-mysql.md
git add -A; git commit -qn -m x; db npm:mysql2@3
E
attempt 'a rule that replaces one above it by a version no ecosystem reads' either 'version' <<'E'
sed -i "s/severity: block/severity: block, version: 'latest and greatest'/" docs/adr/0001-no-mysql.md
E
attempt 'rules below "## Constraints" in a block that is not of yaml' either '0009-x.md' <<'E'
printf -- '---\nstatus: accepted\n---\n# x\n\n## Constraints\n\n```json\n[{"operator": "must_not_use", "target": "code", "pattern": "x", "severity": "block"}]\n```\n' >docs/adr/0009-x.md
E
attempt 'a block of rules that becomes one of json' told '0009-x' <<'E'
printf -- '---\nstatus: accepted\n---\n# x\n\n## Constraints\n\n```yaml\n- {operator: must_not_use, target: code, pattern: xyz, severity: block}\n```\n' >docs/adr/0009-x.md
skipped
sed -i 's/```yaml/```json/' docs/adr/0009-x.md
E
# These change nothing: the rule judges as before.
while read -r line; do
	attempt "it judges after: $line" stopped 'package.json:4' <<E
a=$a
$line
skipped; db npm:mysql2@3
E
done <<'ROWS'
sed -i 's/^status: .*/status: accepted\nsupersededBy: 0002-no-eval/' $a
sed -i 's/^constraints:/!!binary constraints:/' $a
tr '\n' '\r' <$a >x; mv x $a
printf -- '---\nid: 0001-no-mysql\nstatus: draft\n---\n# x\n' >docs/adr/0000-x.md
printf -- '---\nstatus: accepted\nsupersedes: 1\n---\n# x\n' >docs/adr/0009-x.md
sed -i 's/^status/overridable: true\nstatus/' $a
ROWS

# Rules in the text of a decision, that a change hides; and two that it does not.
rules_in_text() { # INFO HEADING
	printf -- '---\nstatus: accepted\n---\n# x\n\n%s\n\n```%s\n' "${2-## Constraints}" "$1"
	printf -- '- {operator: must_not_use, target: code, pattern: xyz, severity: block}\n```\n'
}
for change in '7,$s/^/> /' 's/operator: /operator : /'; do
	attempt "rules in the text, judging: $change" stopped 'lib/a.js:2' <<E
x=docs/adr/0009-x.md
rules_in_text yaml >\$x; skipped
sed -i '$change' \$x; skipped
echo xyz >>lib/a.js
E
done
while read -r line; do
	attempt "rules in the text: $line" either '0009-x' <<E
x=docs/adr/0009-x.md
rules_in_text yaml >\$x; skipped
$line
E
done <<'ROWS'
rules_in_text text >$x
rules_in_text '' >$x
rules_in_text json >$x
rules_in_text yml_ >$x
rules_in_text toml >$x
rules_in_text yaml '## Constraint' >$x
rules_in_text yaml '## Examples' >$x
rules_in_text yaml '# Constraints' >$x
rules_in_text yaml '## Constraints of others' >$x
rules_in_text yaml 'Constraints' >$x
rules_in_text yaml '<!-- ## Constraints -->' >$x
sed -i 's/^##/<!--\n##/' $x; echo '-->' >>$x
sed -i 's/^```yaml/    ```yaml/' $x
sed -i '7,$s/^/    /' $x
sed -i 's/^- {/# - {/' $x
sed -i 's/^```yaml/~~~text\n```yaml/; $s/$/\n~~~/' $x
sed -i 's/^```yaml/<pre>\n```yaml/; $s/$/\n<\/pre>/' $x
sed -i 's/operator/operater/' $x
sed -i 's/^- {.*/- *x/' $x
ROWS

done_testing
