#!/bin/sh
# know add: a pack becomes files of the repository, whole or not at all, and an update is a change
# that git and know diff show. Each pack of examples/packs proves its own examples.
. "$(dirname "$0")/../lib.sh"

git init -q -b main shop
cd shop || exit 1
mkdir .ikm
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
git add . && git commit -qm all
pack() { # file, pattern, its example
	mkdir -p ../own
	printf -- '---\nstatus: accepted\nconstraints:\n  - operator: must_not_use\n    target: dependency\n    pattern: %s\n    severity: block\n    examples: {stops: [%s], passes: [pg]}\n---\n# %s\n' "$2" "$3" "$1" >"../own/$1.md"
}

try 'the packs in the tree: each is added whole, and each of their rules has examples that hold' <<'E'
ls "$TOP/examples/packs" >packs
least 8 packs
ikm know add >listed
same "$(cat packs)" "$(cut -d' ' -f1 listed)"
while read -r name; do
	ikm know add "$name" --json >out 2>err || { cat err; exit 1; }
	jq -e '.files | length > 0 and all(.state == "written" and .rules > 0)' out >/dev/null
done <packs
ikm know list --active --json | jq -r '.rules[] | .item' >rules
least 30 rules
for file in docs/adr/*.md; do
	same "$(grep -c '^  - operator:' "$file") $(grep -c '^    examples:$' "$file")" \
		"$(grep -c '^      stops: \["' "$file") $(grep -c '^      passes: \["' "$file")"
done
ikm lint docs --disable applies-to-idle >out 2>&1 || { cat out; exit 1; }
grep -q '0 errors, 0 warnings' out
E

try 'the packs stop what they are for, and not the files of a small project' <<'E'
mkdir -p .github/workflows src/ui/a src/domain certs web
printf 'on:\n  pull_request:\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11 # v4\n      - uses: ./.github/b\n' >.github/workflows/ci.yml
printf 'FROM node:22.11 AS build\nCOPY a b\nFROM scratch\n' >Dockerfile
printf 'services:\n  a:\n    image: redis:7.4\n' >compose.yml
echo '{"name": "a", "scripts": {"prepare": "x"}, "dependencies": {"date-fns": "3", "pino": "9"}}' >package.json
echo '{"lockfileVersion": 3, "packages": {}}' >package-lock.json
echo MIT >LICENSE
echo "import { a } from '../services/a'; import './storefront';" >src/ui/a/b.ts
echo "import { a } from './order';" >src/domain/a.ts
echo 'x = ast.literal_eval(s)' >src/a.py
echo 'A=' >web/.env.example
printf 'def test_a():\n    pass\n' >src/a_test.py
git add . && ikm check --staged >out 2>&1 || { cat out; exit 1; }
git commit -qm good
sed -i 's/@b4f.*/@v4/;s/pull_request:/pull_request_target:/' .github/workflows/ci.yml
sed -i 's/:22.11/:latest/;s/^COPY/ADD https:\/\/example.org\//' Dockerfile
sed -i 's/:7.4/:latest/' compose.yml
sed -i 's/prepare/postinstall/;s/date-fns/moment/' package.json
echo "import { a } from '../../store/a'; console.log(1); // $(printf '\342\200\256')" >>src/ui/a/b.ts
echo "import e from 'express';" >>src/domain/a.ts
printf 'x = eval(s)\nfrom os import *\n' >src/a.py
echo 'A=' >web/.env
printf -- '-----BEGIN %s KEY-----\n' PRIVATE >certs/a
printf '%s HEAD\n' '<<<<<<<' >src/b.js
echo >src/a_test.py
touch yarn.lock .DS_Store
git rm -q --cached LICENSE package-lock.json && rm LICENSE package-lock.json
git add -f . && fails 1 ikm check --staged --json >out
jq -r '.violations[].knowledgeItemId' out | sort -u >got
cat >want <<'W'
actions-pinned
domain-is-pure
licence-file
no-bidi
no-build-results
no-conflict-markers
no-env-files
no-eval
no-install-scripts
no-latest
no-private-keys
no-pull-request-target
no-remote-add
no-wildcard-imports
one-date-library
one-logger
one-package-manager
tests-do-not-shrink
ui-without-store
W
diff want got
git reset -q --hard
E

try 'a folder of ones own; an update is a change, and an edited file stays' <<'E'
pack no-a left-a left-a
pack no-b left-b left-b
same 'written  docs/adr/no-a.md  1 rule
written  docs/adr/no-b.md  1 rule' "$(ikm know add ../own 2>err)"
grep -q "^next: read them; 'ikm know diff HEAD'" err
git add docs && git commit -qm own
same 'current  docs/adr/no-a.md  1 rule' "$(ikm know add ../own | head -1)"
echo 'We keep b in test.' >>docs/adr/no-b.md
pack no-a left-aa left-aa
ikm know add ../own >out 2>err
same 'differs  docs/adr/no-a.md  1 rule
differs  docs/adr/no-b.md  1 rule' "$(cat out)"
grep -q -- '--update replaces them' err
git diff --quiet docs/adr/no-a.md
ikm know add ../own --update | grep -q '^updated  docs/adr/no-a.md'
ikm know diff HEAD >out && exit 1
grep -q 'no-a' out
git reset -q --hard
E

try 'a pack with a mistake or an example that fails is not added at all' <<'E'
pack no-c left-c left-d
fails_for BAD_ARGUMENT ikm know add ../own
rm ../own/no-c.md
printf -- '---\nstatus: [accepted\n---\n# D\n' >../own/no-d.md
fails_for BAD_MARKDOWN ikm know add ../own
rm ../own/no-d.md
fails_for NO_SUCH_SOURCE ikm know add nothing
fails_for NO_SUCH_SOURCE ikm know add ./nothing
mkdir -p ../empty
fails_for NO_SUCH_SOURCE ikm know add ../empty
same '' "$(git status --porcelain docs)"
E

done_testing
