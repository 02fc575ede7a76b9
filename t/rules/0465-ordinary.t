#!/bin/sh
# Ordinary work, for which the hooks must print nothing.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

while IFS= read -r line; do
	case $line in '' | '#'*) continue ;; esac
	attempt "$line" silent '' <<E
a=docs/adr/0001-no-mysql.md
adr() { printf -- '---\nstatus: %s\ndate: 2026-03-01\n---\n# %s\n\nText.\n' "\${2-accepted}" "\$1" >"docs/adr/\$1.md"; }
branch() { git checkout -q -b side; echo side >side.txt; git add -A; git commit -qm side; git checkout -q main; }
$line
git add -A
git diff --cached --quiet HEAD || record
push
E
done <<'ROWS'
# decisions
adr 0009-retry
adr 0009-retry draft
adr 0009-retry proposed
printf '# Plain\n\nStatus: Accepted\n\n## Decision\n\nText.\n' >docs/adr/0009-plain.md
printf '# Plain\n\nText without any status.\n' >docs/adr/0009-plain.md
sed -i 's/^Text\./Other words./' $a
echo 'More prose about mysql2.' >>$a
sed -i 's/^# .*/# A better title/' $a
git mv $a docs/adr/0007-no-mysql.md
git mv $a docs/adr/0001-postgresql-only.md
mkdir docs/adr/2026; git mv $a docs/adr/2026/
adr 0009-x; skipped; git mv docs/adr/0009-x.md docs/adr/0010-x.md; sed -i 's/Text/Words/' docs/adr/0010-x.md
adr 0009-x; skipped; git rm -q docs/adr/0009-x.md
adr 0009-x; skipped; sed -i 's/accepted/deprecated/' docs/adr/0009-x.md
adr 0009-x draft; skipped; sed -i 's/draft/rejected/' docs/adr/0009-x.md
adr 0009-x; adr 0010-y; skipped; sed -i 's/^status/supersedes: 0009-x\nstatus/' docs/adr/0010-y.md
echo 'More.' >>docs/adr/README.md
mkdir docs/adr/old; echo '# Old ones' >docs/adr/old/README.md
echo '# Template' >docs/adr/template.md
printf 'x' >docs/adr/diagram.puml
mkdir docs/adr/img; printf '\211PNG\r\n\032\n\0\0' >docs/adr/img/a.png
sed -i 's/^date: .*/date: 2026-02-02/' $a
sed -i 's/^status: accepted/status: Accepted/' $a
sed -i 's/^status/tags: [db]\nstatus/' $a
sed -i 's/$/\r/' $a
sed -i '1i <!-- SPDX-License-Identifier: MIT -->' $a
printf -- '---\nstatus: accepted\n---\n# Spec\n\n## Constraints\n\n```json\n{"a": 1}\n```\n' >docs/adr/0009-spec.md
printf -- '---\nstatus: accepted\n---\n# Spec\n\n## Constraints\n\nAt most ten users.\n' >docs/adr/0009-spec.md
printf -- '---\nstatus: accepted\nconsulted: [a, b]\ndecision-makers: c\n---\n# MADR\n' >docs/adr/0009-madr.md
# settings
printf '{\n  "knowledge": {\n    "sources": [\n      {"path": "docs/adr"}\n    ]\n  }\n}\n' >.ikm/config.json
# manifests
sed -i 's/"^8"/"^9"/' package.json
printf '{\n  "name": "app",\n  "scripts": {"test": "node t"},\n  "dependencies": {"pg": "^8", "express": "4"}\n}\n' >package.json
echo '{"dependencies": {"pg": "npm:pg@8", "x": "workspace:*", "y": "latest", "z": "*"}, "name": "a"}' >package.json; echo '{"name": "x"}' | put p/x/package.json
echo '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"pg": "^8"}}, "node_modules/pg": {"version": "8.1.0", "resolved": "https://registry.npmjs.org/pg/-/pg-8.1.0.tgz", "integrity": "sha512-x"}}}' >package-lock.json
printf '# yarn lockfile v1\n\n\npg@^8:\n  version "8.1.0"\n  resolved "https://registry.yarnpkg.com/pg/-/pg-8.1.0.tgz#a"\n' >yarn.lock
printf "lockfileVersion: '9.0'\npackages:\n  pg@8.1.0:\n    resolution: {integrity: sha512-x}\nsnapshots:\n  pg@8.1.0: {}\n" >pnpm-lock.yaml
printf 'pip==24\nrequests[socks]>=2 ; python_version > "3"\n-r requirements-dev.txt\n' >requirements.txt; echo pytest >requirements-dev.txt
printf '[project]\nname = "x"\ndependencies = ["requests"]\n[build-system]\nrequires = ["hatchling"]\n' >pyproject.toml
printf 'module a.b/c\n\ngo 1.22\n\nrequire x.y/z v1.0.0\n\nreplace x.y/z => ./z\n' >go.mod; printf 'module x.y/z\n' | put z/go.mod
printf '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\nserde = {version = "1", features = ["derive"]}\nlocal = {path = "../local"}\n' >Cargo.toml
printf '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nserde = "1"\n' >Cargo.toml; printf '[package]\nname = "a"\n[dependencies]\nserde.workspace = true\n' | put a/Cargo.toml
printf 'GEM\n  remote: https://rubygems.org/\n  specs:\n    pg (1.5.6)\n' >Gemfile.lock
printf 'enableTelemetry: false\nnodeLinker: node-modules\n' >.yarnrc.yml
printf '[tox]\nenvlist = py3\n' >setup.cfg
printf 'name: x\non: push\n' >environment.yml
echo 'no requirements here, only prose' >our-requirements-list.md
# text
echo 'We do not use mysql2 here.' >>README.md
printf '# Notes\n\nDo not call `eval`.\n' >docs/notes.md
echo 'evaluate (1); medieval (2); eval' >lib/b.js
printf '\211PNG\r\n\032\n\0eval (1)\0' >logo.png
printf 'PK\003\004\0\0eval (1)' >a.zip
printf '\0asm\1\0\0\0eval (1)' >a.wasm
printf 'SQLite format 3\0eval (' >x.sqlite
head -c 12000000 /dev/zero >big.bin
head -c 3000000 /dev/zero | tr '\0' 'a' >lib/min.js
: >empty
printf 'Gr\374\337e\n' >latin1.txt
printf 'hello\n' | iconv -t UTF-16 >notes.txt
echo x >"$(printf 'lib/a\nb.js')"
chmod +x lib/a.js
git mv lib src/lib
git rm -rq lib
echo '*.js text eol=lf' >.gitattributes
echo build >.gitignore
echo '-----BEGIN-----' >pem.txt
# histories
branch; git merge -q --no-ff side
branch; git commit -q --allow-empty -m m; git merge -q side
branch; git cherry-pick side
branch; git rebase -q side
echo x >>lib/a.js; git commit -qam x; git revert --no-edit HEAD
echo x >>lib/a.js; git commit -qam x; git commit -q --amend -m y
git tag t; push origin t
git tag -a -m t t; push origin t
git checkout -q -b new; push origin new
git checkout -q -b new; push origin new; push origin :new
git push -q origin main:old; git commit -q --allow-empty -m e; push -f origin HEAD:old
git init -q --bare ../two.git; push ../two.git main
git commit -q --allow-empty -m e
# generated files without anything that a rule forbids
echo '*-lock.json linguist-generated' >.gitattributes; skipped; echo '{"lockfileVersion": 3, "packages": {}}' >package-lock.json
echo 'gen/** linguist-vendored' >.gitattributes; skipped; mkdir gen; echo 'require("./b")' >gen/a.js; echo 'a := 1' >gen/b.dat
ROWS
for line in 'echo "eval (1)" >lib/old.js; skipped; echo x >>lib/old.js' \
	'echo "eval (1)" >lib/old.js; skipped; git mv lib/old.js lib/new.js' \
	'echo "eval (1)" >lib/old.js; skipped; git rm -q lib/old.js' \
	'echo "{\"dependencies\": {\"mysql2\": \"3\"}}" >package.json; skipped; sed -i s/3/4/ package.json' \
	'echo x >key.pem; skipped; echo y >key.pem'; do
	attempt "what was there before: $line" silent '' <<E
$line
E
done
attempt 'a submodule moves on, which no rule is about' silent '' <<'E'
rule 0002-no-eval "operator: must_not_use, target: code, pattern: x, appliesTo: ['src/*.c']"
rule 0003-no-keys "operator: must_not_exist, target: file, pattern: '*.pem'"
git rm -q docs/adr/0001-no-mysql.md; skipped
git init -q sub; git -C sub commit -q --allow-empty -m x; skipped; git -C sub commit -q --allow-empty -m y
E
attempt 'a merge of main that has what the rules forbid already' silent '' <<'E'
git checkout -q -b feat; echo y >y; git add y; git commit -qm y; git push -q origin feat
git checkout -q main; echo 'eval (1)' >lib/x.js; skipped; git push -q --no-verify origin main
git checkout -q feat; hooked git merge -q --no-edit main; push origin feat
E

done_testing
