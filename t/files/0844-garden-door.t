#!/bin/sh
# The garden at the push and at the server's door: check --receive, --range, --staged and --verify,
# pre-push and pre-receive judge each commit, by the setting check.garden of the repository.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden.sh"

G=$T/w/work
git init -q --bare -b main door.git
git init -q -b main work
cd work || exit 1
git remote add origin ../door.git
mkdir .ikm
printf '{"check": {"garden": "."}}\n' >.ikm/config.json
part ada p1
git add -A
git commit -qm begin
git push -q origin main
ikm hook install --server ../door.git >/dev/null

P=users/ada/parts/p1/profile.md
add() { git add -A; git commit -qm "$1"; }
push() { git push -q origin "${@:-main}" >../said 2>&1; }
back() { git reset -q --hard origin/main; git clean -qfd; }
stopped() { # RULE [PATH]: the door refuses the branch for that rule, and nothing moves there
	was=$(git -C ../door.git rev-parse main)
	not push main || return
	grep -q "^remote: garden (blocks) ${2:-$P}.*($1)" ../said || { cat ../said; return 1; }
	same "$was" "$(git -C ../door.git rev-parse main)"
}
door_back() { git -C ../door.git update-ref refs/heads/main "$1"; git fetch -q; }
notes() { ikm check "$@" --json | jq -r '.notes[] | select(.kind == "garden") | "\(.blocks) \(.rule) \(.file):\(.line // "-")"'; }

try 'what the policy allows passes: an edit, a new file, a mode' <<'E'
sed -i 's/^Rest\.$/Rest and quiet./; s/: made$/&\n- 2026-02-01T12:00:00Z: quiet/' $P
part ada p2
add good
chmod +x $P
add mode
ikm check --range origin/main..HEAD --json >../ans
same 'true 3 0' "$(jq -r '"\(.passed) \(.checked.garden) \(.notes | length)"' ../ans)"
push
E

# A table: rule, a command, the path that is named, whether a rationale opens it.
cat >"$T/cases" <<'CASES'
garden-delete|git rm -q $P||open
garden-delete|git rm -qr users/ada|users/ada/parts/p2/profile.md|open
garden-delete|mkdir users/ada/parts/p3; git mv $P users/ada/parts/p3/||open
garden-identity|sed -i 's/^user_id: ada/user_id: bob/' $P|users/ada/parts/p1/profile.md:3|open
garden-anchor|sed -i '/anchor: concerns/d' $P||open
garden-change-log-past|sed -i '/: made$/d' $P||open
garden-empty|: >$P||open
garden-path|echo x >users/ada/secret.txt|users/ada/secret.txt|open
garden-path|ln -sf /etc/passwd $P||open
garden-path|git mv users elsewhere; ln -s elsewhere users|users|open
garden-front-matter|sed -i 's/^id: p1/id: [/' $P||never
garden-title|sed -i '/^# Watcher/d' $P||never
garden-anchor-twice|sed -i 's/anchor: needs v1/anchor: concerns v1/' $P||never
CASES

more 'each rule stops the push, with place and next step; a rationale opens what a person decides' <<'E'
rows=0
while IFS='|' read -r rule change path opens; do
	back
	eval "$change"
	add "$rule: $change"
	stopped "$rule" "$path"
	grep -q "in commit $(git rev-parse HEAD | cut -c 1-12)" ../said
	grep -q 'ikm-garden(7)' ../said
	git commit -q --amend -m "$rule" -m 'Ikm-Rationale: meant'
	echo "$(git rev-parse origin/main) $(git rev-parse HEAD) refs/heads/main" >../lines
	rc=0
	GIT_ALTERNATE_OBJECT_DIRECTORIES=$PWD/.git/objects git -C ../door.git cat-file -e HEAD
	(cd ../door.git; GIT_DIR=. GIT_ALTERNATE_OBJECT_DIRECTORIES=$T/w/work/.git/objects \
		ikm check --receive <../lines) >../said || rc=$?
	[ "$opens $rc" = 'open 0' ] || [ "$opens $rc" = 'never 1' ] || { echo "$change: $rc"; cat ../said; exit 1; }
	rows=$((rows + 1))
done <"$T/cases"
[ $rows = 13 ]
back
E

more 'a fault in the middle of a push counts, unless a later commit mends it' <<'E'
at=$(git rev-parse HEAD)
sed -i '/anchor: concerns/d' $P
add bad
echo x >other
add more
stopped garden-anchor
git checkout -q origin/main -- $P
add mended
push
door_back "$at"
back
git rm -q $P
add gone
part ada p1
sed -i 's/: made$/: forged/' $P
add again
stopped garden-delete
back
E

more 'the setting is weakened in a commit of its own: the door still judges the rest' <<'E'
git rm -q .ikm/config.json
add 'no garden'
git rm -q $P
add gone
stopped garden-delete
back
printf '{"check": {"garden": "elsewhere"}}\n' >.ikm/config.json
git rm -q $P
add both
stopped garden-delete
back
E

more 'a merge: what the other side has was judged there, what the merge itself does counts' <<'E'
at=$(git rev-parse HEAD)
git checkout -qb side
sed -i 's/^schema: .*/schema: part\/2/' $P
git add -A
git commit -qm 'schema' -m 'Ikm-Rationale: a new version'
git checkout -q main
sed -i 's/^Loud rooms\.$/Loud rooms and crowds./' $P
add crowds
git merge -q --no-edit side
push
door_back "$at"
sed -i '/anchor: needs/d' $P
git add -A
git commit -q --amend --no-edit
stopped garden-anchor
git checkout -q HEAD^2 -- $P
sed -i 's/^id: p1/id: p9/' $P
git add -A
git commit -q --amend --no-edit
stopped garden-identity
back
git branch -qD side
E

more 'a forced push takes nothing away; a new branch and a tag are judged too' <<'E'
at=$(git rev-parse HEAD)
part ada p4
add p4
push
was=$(git -C ../door.git rev-parse main)
git reset -q --hard HEAD~1
echo y >other
add instead
not push -f main
grep -q 'p4/profile.md.*(garden-delete)' ../said
same "$was" "$(git -C ../door.git rev-parse main)"
git commit -q --amend -m instead -m 'Ikm-Rationale: meant'
push -f main
door_back "$at"
back
git rm -q $P
add gone
not push main:topic
grep -q '(garden-delete)' ../said
git tag -a -m v1 v1
not push v1
grep -q '(garden-delete)' ../said
git tag -d v1 >/dev/null
back
E

more '--range, --staged and --verify, in JSON and text' <<'E'
git rm -q $P
same "false garden-delete $P:-" "$(notes --staged)"
ikm check --staged | grep -q "^garden $P: .*(garden-delete).*Ikm-Rationale: WHY"
sed -i 's/^id: p2/id: [/' users/ada/parts/p2/profile.md
git add -A
not ikm check --staged --json >../got
same "garden-front-matter garden-delete" "$(jq -r '.notes[] | select(.kind == "garden") | .rule' ../got | paste -sd' ')"
git commit -qm bad
not ikm check --range origin/main..HEAD --json >../got
same "$(git rev-parse HEAD)" "$(jq -r '.notes[0].commit' ../got)"
same 2 "$(jq '.summary.block' ../got)"
same 2 "$(jq '.checked.garden' ../got)"
not ikm check --verify origin/main..HEAD >../got
grep -q '^broken ' ../got
grep -q '(garden-delete)' ../got
not grep -q 'in commit' ../got
ikm check --verify origin/main >../got
grep -q 'none broke a rule' ../got
not ikm check --range origin/main..HEAD --format sarif >../got
jq -e '[.. | .text? // empty | strings] | any(contains("(garden-delete)"))' ../got >/dev/null
back
E

more 'pre-commit stops what no message opens, once; pre-push judges as the door' <<'E'
at=$(git rev-parse HEAD)
ikm hook install >../out
grep -q commit-msg ../out
sed -i 's/^id: p1/id: [/' $P
git add -A
not git commit -qm bad 2>../err
grep -q 'garden (blocks).*garden-front-matter' ../err
git reset -q --hard
git rm -q $P
not git commit -qm gone 2>../err
same 1 "$(grep -c 'garden-delete' ../err)"
git commit -q --no-verify -m gone 2>../err
grep -q 'garden-delete' ../err
ikm hook uninstall --server ../door.git >/dev/null
not push main
grep -q '^garden (blocks).*garden-delete' ../said
grep -q 'git rebase -i' ../said
git commit -q --amend -m gone -m 'Ikm-Rationale : ada
 asked for it' 2>../err
push main
door_back "$at"
ikm hook uninstall >/dev/null
ikm hook install --server ../door.git >/dev/null
back
E

more 'where husky runs ikm, a fault is told once' <<'E'
git init -q -b main ../husky
cd ../husky
cp -r ../work/users ../work/.ikm .
mkdir -p .husky/_
echo '{"devDependencies": {"husky": "^9"}, "scripts": {"prepare": "husky"}}' >package.json
git config core.hooksPath .husky/_
for hook in pre-commit commit-msg; do
	printf 'sh -e .husky/%s "$@"\n' $hook >.husky/_/$hook
	chmod +x .husky/_/$hook
	echo "ikm hook run $hook -- \"\$@\"" >.husky/$hook
done
sed -i 's/ -- .*//' .husky/pre-commit
git add -A
git commit -qm begin 2>../err
git rm -q $P
not git commit -qm gone 2>../err
same 1 "$(grep -c 'garden-delete' ../err)"
git commit -qm gone -m 'Ikm-Rationale: meant' 2>../err
cd ../work
E

more 'a server that sets check.garden itself judges a repository without the setting' <<'E'
git rm -q .ikm/config.json
add 'no setting'
git init -q --bare -b main ../bare.git
git push -q ../bare.git main
git rm -q $P
add gone
echo "$(git rev-parse HEAD~1) $(git rev-parse HEAD) refs/heads/main" >../lines
git push -q ../bare.git HEAD:refs/x/y
ikm -C ../bare.git check --receive <../lines >../got
not ikm -C ../bare.git -c check.garden=. check --receive <../lines >../got
grep -q '(garden-delete)' ../got
back
E

more 'the writes of ikm pass' <<'E'
(. "$TOP/t/garden-sample.sh"
cd "$G"
mkdir .ikm
printf '{"check": {"garden": "."}}\n' >.ikm/config.json
add setting
base=$(git rev-parse HEAD)
p=users/ada/parts/p1/profile.md
ikm md patch $p concerns --replace 'That nobody listens.' --rationale one
ikm append users/ada/notes.md --text '- x'
ikm md new part p2 --title Two
ikm delete users/ada/parts/p2/profile.md --maintainer --rationale 'a mistake'
ikm events undo "$(last .event_id)" --maintainer
sed -i 's/^user_id: ada/user_id: bob/' $p
git commit -qam identity -m 'Ikm-Rationale: moved'
ikm md patch $p needs --append '- x' --rationale two
git checkout -q HEAD~1 -- . 2>/dev/null && git reset -q --hard
ikm check --verify "$base..HEAD" >../got || { cat ../got; exit 1; }
grep -q 'of the garden judged' ../got
ikm check --range "$base..HEAD" >../got || { cat ../got; exit 1; }
same 7 "$(git rev-list --count "$base..HEAD")"
)
E
done_testing
