#!/bin/sh
# know pause: a person at a terminal lets commits of this clone break a decision for a while. A push,
# a range, a server, an agent and other decisions judge as ever. script(1) is the terminal.
. "$(dirname "$0")/../lib.sh"

git init -q -b main shop
cd shop || exit 1
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
for n in a b; do
	printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: dependency, pattern: left-%s, severity: block}\n---\n# No %s\n' $n $n >docs/adr/000$n.md
done
git config user.name Ada
git add . && git commit -qm all
ikm hook install >/dev/null 2>&1
git init -q --bare ../origin.git
git remote add origin ../origin.git
git push -q origin main
tty() { script -qec "$*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9]*m//g'; }
use() { echo "{\"dependencies\": {\"$1\": \"1\"}}" >package.json; git add package.json; }

long 'a pause is for a person at a terminal, with a time and a reason' <<'E'
fails_for MISSING_PARAMETER ikm know pause 000a
fails_for MISSING_PARAMETER ikm know pause 000a --for 30m
for time in 0m 30 1d 25h 1441m -5m m; do fails_for OUT_OF_RANGE ikm know pause 000a "--for=$time" --reason x; done
fails_for NO_SUCH_ITEM ikm know pause nothing --for 30m --reason x
fails_for PERSON_DECIDES ikm know pause 000a --for 30m --reason x
for options in --end '--for 30m' '--reason x'; do
	# shellcheck disable=SC2086
	fails_for MISSING_PARAMETER ikm know pause $options
done
fails_for BAD_ARGUMENT ikm know pause 000a --end --for 30m
fails_for BAD_ARGUMENT ikm know pause 000a --end --reason x
[ ! -e .git/ikm-pause.json ]
same 'nothing is paused' "$(ikm know pause)"
E

long 'a stopped commit tells a person at a terminal of it, and nobody else' <<'E'
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
use left-a
(unset CLAUDECODE; tty git commit -qm a) >out || :
grep -q '^  to let commits of this clone break it for a while: ikm know pause 000a --for 30m --reason WHY$' out
(export CLAUDECODE=1; tty git commit -qm a) >out || :
grep -q 'ikm know waive' out
fails 1 grep -q 'know pause' out
git commit -qm a 2>err && exit 1
fails 1 grep -q 'know pause' err
git commit -qnm a
tty git push -q origin main >out || :
grep -q 'the push was stopped' out
fails 1 grep -q 'know pause' out
git reset -q --hard HEAD~1
E

try 'commits pass and say so until the pause ends; a push judges as ever' <<'E'
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
export IKM_NOW=2026-03-02T10:00:00Z
(export CLAUDECODE=1; tty ikm know pause 000a --for 30m --reason demo) >out || :
grep -q 'a pause is for people, and claude started this command' out
tty ikm know pause 000a --for 30m --reason demo >out
grep -q '^000a is paused until 2026-03-02T10:30:00.*Z by Ada: demo$' out
same "" "$(git status --porcelain docs .ikm package.json)"
use left-a
git commit -qm a 2>err
grep -q 'paused by Ada until 2026-03-02T10:30:00Z: demo' err
# post-commit, which says what no hook stopped, has nothing to add, unless an agent committed.
fails 1 grep -q 'is made' err
git commit -qn --amend -m a 2>err
same "" "$(cat err)"
CLAUDECODE=1 git commit -qn --amend -m a 2>err
grep -q 'is made, and no hook stopped' err
fails 1 git push -q origin main 2>err
grep -q 'the push was stopped' err
fails 1 ikm check --range origin/main..HEAD >out 2>&1
use left-b
fails 1 git commit -qm b 2>err
use left-a-not
git commit -qm c 2>/dev/null
use left-a
# An agent's commit is judged as ever, and so is one after the end.
fails 1 env CLAUDECODE=1 git commit -qm d 2>err
export IKM_NOW=2026-03-02T10:31:00Z
fails 1 git commit -qm d 2>err
same 'nothing is paused' "$(ikm know pause)"
git reset -q --hard origin/main
E

more 'it ends at once with --end; a damaged or a boundless file pauses nothing' <<'E'
script -qec true /dev/null >/dev/null 2>&1 || exit 0
tty ikm know pause 000b --for 2h --reason x >out
tty ikm know pause 000b --for 1h --reason y >out
same '["0,y"]' "$(ikm know pause --json | jq -c '[.pauses[] | "0,\(.reason)"]')"
tty ikm know pause 000b --end >out
same 'the pause of 000b ended|nothing is paused|' "$(tr '\n' '|' <out)"
tty ikm know pause 000b --end >out
same '000b was not paused|nothing is paused|' "$(tr '\n' '|' <out)"
use left-a
for text in '{' '{"pauses": [{"item": "000a", "until": "2999-01-01T00:00:00Z", "by": "x", "reason": "y"}]}'; do
	echo "$text" >.git/ikm-pause.json
	fails 1 git commit -qm a 2>err
	grep -q "no pause counts: line 2.*rm '.*ikm-pause.json'\|the pause of '000a' until 2999-01-01.* does not count: .*at most 24h" err
	ikm know pause 2>err >out
	same 'nothing is paused' "$(cat out)"
	grep -q 'warning: .* count' err
	# A damaged file stays as it is.
	tty ikm know pause 000b --for 1h --reason y >out
	[ "$text" != '{' ] || same '{' "$(cat .git/ikm-pause.json)"
	[ "$text" != '{' ] || grep -q "^ *remove the file: rm '.*ikm-pause.json'" out
done
git reset -q --hard
E

done_testing
