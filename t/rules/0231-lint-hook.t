#!/bin/sh
# pre-commit tells of lint's warnings in the decisions of a commit, in one line, and stops nothing.
. "$(dirname "$0")/../lib.sh"

git init -q .
mkdir -p .ikm docs/adr
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]}}' >.ikm/config.json
printf -- '---\nstatus: accepted\n---\n# A\n' >docs/adr/1.md
printf -- '---\nstatus: accepted\n---\n# Z\n' >docs/adr/9.md
ikm hook install >/dev/null 2>&1
git add -A
git commit -qm one 2>err

try 'a clean decision says nothing; a warning is one line' <<'E'
same '' "$(grep lint err || true)"
printf '\n[x](gone.md)\n[y](lost.md)\n' >>docs/adr/1.md
git commit -qam two 2>err
same "ikm: 2 lint warnings in this commit's decisions: ikm lint docs/adr/1.md" "$(grep lint err)"
same 1 "$(wc -l <err | tr -d ' ')"
same two "$(git log -1 --format=%s)"
E

long 'another commit says nothing, and so does one that only removes' <<'E'
echo x >x
git add x
git commit -qm three 2>err
same '' "$(cat err)"
printf '# Prose\n\n[x](gone.md)\n' >notes.md
git add notes.md
git commit -qm four 2>err
same '' "$(cat err)"
git rm -q docs/adr/1.md
git commit -qm five 2>err
same '' "$(grep lint err || true)"
printf '\n[x](gone.md)\n' >>docs/adr/9.md
git commit -qam control 2>err
grep -q '1 lint warning' err
E

long 'a warning that HEAD has is not told again, in a renamed file either' <<'E'
printf '# C\n\nStatus: accepted\n\n[x](gone.md)\n' >docs/adr/3.md
git add docs/adr/3.md
git commit -qm warned 2>err
grep -q '1 lint warning' err
echo 'More words.' >>docs/adr/3.md
git commit -qam words 2>err
same '' "$(grep lint err || true)"
git mv docs/adr/3.md docs/adr/4.md
git commit -qm renamed 2>err
same '' "$(grep lint err || true)"
printf '[x](gone.md)\n' >>docs/adr/4.md
git commit -qam twice 2>err
same "ikm: 1 lint warning in this commit's decisions: ikm lint docs/adr/4.md" "$(grep lint err)"
E

try 'what is staged counts, not the working tree; a mistake of a setting stops nothing' <<'E'
printf '# B\n\nStatus: accepted\n\n[x](gone.md)\n' >docs/adr/2.md
git add docs/adr/2.md
printf '# B\n\nStatus: accepted\n' >docs/adr/2.md
git commit -qm six 2>err
same "ikm: 1 lint warning in this commit's decisions: ikm lint docs/adr/2.md" "$(grep lint err)"
echo '{"knowledge":{"sources":[{"path":"docs/adr"}]},"lint":{"disable":["no-such"]}}' >.ikm/config.json
git commit -qam seven 2>err
grep -q "^ikm: the decisions of this commit were not linted: lint.disable" err
same seven "$(git log -1 --format=%s)"
E

done_testing
