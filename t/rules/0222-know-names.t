#!/bin/sh
# The names of a knowledge item: its id, path, number, or the beginning of its id; and the active
# decisions that know query lists when nothing matches.
. "$(dirname "$0")/../lib.sh"

item() { # path, title, front matter lines
	mkdir -p "$(dirname "$1")"
	printf -- '---\n%s\n---\n# %s\n\n## Decision\n\nWe do %s.\n' "$3" "$2" "$2" >"$1"
}
git init -q shop
cd shop || exit 1
mkdir .ikm
echo '{"knowledge": {"sources": [{"path": "docs/adr"}, {"path": "docs/policies", "type": "policy"}]}}' \
	>.ikm/config.json
item docs/adr/0019-use-postgres.md 'Use Postgres' 'status: accepted'
item docs/adr/0020-logging.md 'Logging' 'status: accepted'
item docs/adr/0190-cache.md 'Cache' 'status: superseded'
item docs/adr/adr-7-queues.md 'Queues' 'status: accepted'
item docs/adr/use-21-threads.md 'Threads' 'status: draft'
item docs/policies/0019-secrets.md 'Secrets' 'status: accepted'
id() { ikm know show "$@" --json | jq -r .item.id; }

long 'an item by its path, from any folder, and by a part of the path' <<'E'
for name in docs/adr/0019-use-postgres.md ./docs/adr/0019-use-postgres.md \
	adr/0019-use-postgres.md 0019-use-postgres.md 0019-use-postgres; do
	same 0019-use-postgres "$(id "$name")"
done
same 0019-use-postgres "$(cd docs/adr && id 0019-use-postgres.md)"
same 0019-secrets "$(id docs/policies/0019-secrets.md)"
fails_for NO_SUCH_ITEM ikm know show 9-use-postgres.md
E

long 'an item by its number, with and without zeros and the type' <<'E'
for name in 20 0020 020 ADR-20 adr-0020 'ADR 20' ADR20; do
	same 0020-logging "$(id "$name")"
done
for name in 7 ADR-7 adr-7 adr-007; do
	same adr-7-queues "$(id "$name")"
done
same 0190-cache "$(id 190)"
same 0019-secrets "$(id POLICY-19)"
same 0019-use-postgres "$(id ADR-19)"
fails_for NO_SUCH_ITEM ikm know show 21
fails_for NO_SUCH_ITEM ikm know show PATTERN-19
fails_for NO_SUCH_ITEM ikm know show 99999999999999999999
E

try 'a name that fits several items is refused, with their ids' <<'E'
fails_for NOT_UNIQUE ikm know show 19
ikm know show 19 2>err || :
grep -q "'19' names several knowledge items: 0019-secrets, 0019-use-postgres" err
grep -q 'give the whole id' err
fails_for NOT_UNIQUE ikm know show 0019-
ikm know show 0019- --json >out || :
same '["0019-secrets","0019-use-postgres"]' "$(jq -c .details.matches out)"
E

long 'an item by the beginning of its id; a whole id wins' <<'E'
same 0019-use-postgres "$(id 0019-u)"
same use-21-threads "$(id use-2)"
item docs/adr/0019.md 'Number alone' 'status: accepted'
same 0019 "$(id 0019)"
rm docs/adr/0019.md
fails_for NO_SUCH_ITEM ikm know show USE-2
# Without its number too, when no id begins so.
same 0020-logging "$(id logging)"
same 0190-cache "$(id ca)"
same adr-7-queues "$(id queues)"
same use-21-threads "$(id use)"
fails_for NO_SUCH_ITEM ikm know show threads
fails_for NO_SUCH_ITEM ikm know show 0-logging
E

try 'why and check --item take the same names' <<'E'
same 0020-logging "$(ikm why 20 --json | jq -r .item.id)"
item docs/adr/0030-no-eval.md 'No eval' 'status: accepted
constraints: [{operator: must_not_use, target: code, pattern: eval, severity: block}]'
echo 'eval(x)' >a.js
git add .
fails 1 ikm check --all --item 30 --json >out
same '["0030-no-eval"]' "$(jq -c '[.violations[].knowledgeItemId]' out)"
fails 1 ikm check --all --item docs/adr/0030-no-eval.md >out
ikm check --all --item 20 >out
fails_for NOT_UNIQUE ikm check --all --item 19
fails_for NO_SUCH_ITEM ikm check --all --item 77
printf '{"files":[{"path":"b.js","content":"eval(y)"}],"knowledgeItemIds":["ADR-30"]}' |
	ikm call knowledge_check >out || :
same false "$(jq .passed out)"
E

try 'know query lists active decisions when nothing matches' <<'E'
fails 1 ikm know query 'kubernetes helm' --json >out
same '[0,0]' "$(jq -c '[.totalCount, (.items | length)]' out)"
same '["0019-secrets","0019-use-postgres","0020-logging","0030-no-eval","adr-7-queues"]' \
	"$(jq -c '[.active[].id] | sort' out)"
same 'Use Postgres' "$(jq -r '.active[] | select(.id == "0019-use-postgres") | .title' out)"
same 5 "$(jq .activeCount out)"
fails 1 ikm know query 'kubernetes helm' >out 2>err
same '' "$(cat out)"
grep -q '^no item matches; 5 active decisions may still apply:$' err
grep -q '^  0020-logging  Logging$' err
same '["0019-secrets"]' "$(ikm know query kubernetes --type policy --json | jq -c '[.active[].id]')"
same null "$(ikm know query logging --json | jq .active)"
E

long 'at most twenty of them, and the number of all' <<'E'
i=100
while [ $i -lt 130 ]; do
	item docs/adr/0$i-x.md "X $i" 'status: accepted'
	i=$((i + 1))
done
fails 1 ikm know query kubernetes --json >out
same '[20,35]' "$(jq -c '[(.active | length), .activeCount]' out)"
ikm know query kubernetes 2>err || :
grep -q "^  15 more: run 'ikm know list'$" err
E
done_testing
