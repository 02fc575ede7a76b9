#!/bin/sh
# ikm sync: one pointer for each knowledge item. What is stored is read with sqlite3.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
IKM_NOW=2026-05-01T00:00:00Z
export db IKM_NOW
sh "$TOP/t/sample.sh" repo >/dev/null
cd repo || exit 1

# The counts of a result: added, updated, deleted, unchanged, failures.
counts() { jq -r '.result | [.added, .updated, .deleted, .unchanged, .failures] | join(" ")'; }
now() { ikm sync now --json "$@" >result || [ $? = 1 ]; counts <result; }
pointers() { sqlite3 "$db" "select id from memories where kind = 'knowledge_pointer' order by id"; }
text() { sqlite3 "$db" "select content from memories where kind = 'knowledge_pointer' and content like '$1%'"; }
meta() { sqlite3 "$db" "select metadata ->> 'knowledgePointer' ->> '$2' from memories where content like '$1%'"; }
adr() { # ID STATUS [LINES OF FRONT MATTER]
	printf -- '---\nstatus: %s\n%s---\n# Title of %s\n\n## Decision\n\nText of %s.\n' "$2" "${3-}" "$1" "$1"
}

try 'before the first sync: never, all is pending, and nothing is made' <<'T'
fails 1 ikm sync status --json >status
jq -c '[.healthy, .lastSyncAt, .timeSinceSync, .failedItems, .stats, .pending]' status >got
same '[false,null,"never",0,{"totalSyncs":0,"totalItemsSynced":0,"avgSyncDurationMs":0},{"added":2,"updated":0,"deleted":0,"failures":0}]' "$(cat got)"
[ ! -e "$db" ]
T

try 'a pointer: the words of the item, and where it is' <<'T'
same '2 0 0 0 0' "$(now)"
jq -e '.success and .durationMs >= 0 and .message == "pointers to decisions: 2 added, 0 updated, 0 deleted, 0 unchanged; no server is set up"' result
cat >want <<'W'
PostgreSQL for relational data
Every service that needs relational data uses PostgreSQL.
adr '0001-postgresql-for-relational-data' of layer project, accepted
Blocks: New services do not use MySQL; one team runs PostgreSQL for all of us.
W
text Postgre | diff -u want -
sqlite3 "$db" "select metadata from memories where content like 'Postgre%'" >meta
root=$(git rev-parse HEAD)
jq -c '[.type, (.knowledgePointer | .sourceType, .sourceId, .sourceLayer, .syncedAt, .isOrphaned, .source, .path, (.contentHash | test("^sha256:[0-9a-f]{64}$")))]' meta >got
same "[\"knowledge_pointer\",\"adr\",\"0001-postgresql-for-relational-data\",\"project\",\"2026-05-01T00:00:00.000Z\",false,\"$root:docs/adr/\",\"docs/adr/0001-postgresql-for-relational-data.md\",true]" "$(cat got)"
same 'project|adr|sync|["database","infrastructure"]|active' "$(sqlite3 "$db" "select layer, type, provenance, tags, state from memories join scopes using (scope) where content like 'Postgre%'")"
ikm mem search 'which database' --json | jq -e '.results[0].content | startswith("PostgreSQL")'
# One that does not block gives no reasons.
not grep -q Blocks <<W
$(text Services)
W
T

try 'nothing changed: nothing is stored; a status tells the totals' <<'T'
sqlite3 "$db" 'select max(doc) from memories' >before
same '0 0 0 2 0' "$(now)"
sqlite3 "$db" 'select max(doc) from memories' | cmp before -
IKM_NOW=2026-05-01T03:00:00Z ikm sync status --json >status
jq -c '[.healthy, .lastSyncAt, .timeSinceSync, .stats.totalSyncs, .stats.totalItemsSynced, (.stats.avgSyncDurationMs | type), .pending.added]' status >got
same '[true,"2026-05-01T00:00:00.000Z","3 hours",2,2,"number",0]' "$(cat got)"
IKM_NOW=2026-05-02T00:00:01Z fails 1 ikm sync status >text
grep -q '^not healthy: last sync 1 day ago, 0 failed$' text
grep -qx 'server: none is set up, so memories stay on this machine: man 7 ikm-sync' text
jq -r '.sources[0].lastKnowledgeCommit' status >got
same "$(git rev-parse HEAD)" "$(cat got)"
T

try 'force stores each pointer again, in place' <<'T'
pointers >before
same '0 2 0 0 0' "$(IKM_NOW=2026-05-02T00:00:00Z now --force)"
pointers | diff before -
same 2026-05-02T00:00:00.000Z "$(meta Postgre syncedAt)"
same '1777593600000' "$(sqlite3 "$db" "select created_at from memories where content like 'Postgre%'")"
T

try 'an edited pointer becomes as it was; a deleted one comes back' <<'T'
id=$(sqlite3 "$db" "select id from memories where content like 'Postgre%'")
ikm mem edit "$id" --tag mine --importance 0.9 >/dev/null
ikm mem delete "$(sqlite3 "$db" "select id from memories where content like 'Services%'")" >/dev/null
same 1 "$(pointers | wc -l)"
fails 0 ikm sync status --json >status
same '{"added":1,"updated":1,"deleted":0,"failures":0}' "$(jq -c .pending status)"
same '1 1 0 0 0' "$(now)"
same '["database","infrastructure"]|0.5' "$(sqlite3 "$db" "select tags, importance from memories where id = '$id'")"
same '2 0' "$(pointers | wc -l) $(sqlite3 "$db" 'select count(*) from deleted_memories')"
T

try 'changed status, rules and text are updates; a pointer says that its item no longer holds' <<'T'
hash=$(meta Services contentHash)
sed -i 's/^status: accepted/status: deprecated/' docs/adr/0002*
sed -i 's/message: New services do not use MySQL.*/message: Never MySQL./' docs/adr/0001*
same '0 2 0 0 0' "$(now)"
[ "$hash" != "$(meta Services contentHash)" ]
same 'Blocks: Never MySQL.' "$(text Postgre | tail -1)"
same "adr '0002-no-console-in-services' of layer project, deprecated: it no longer holds" "$(text Services | tail -1)"
adr 0003-new accepted 'supersedes: [0002-no-console-in-services]
' >docs/adr/0003-new.md
sed -i 's/^status: deprecated/status: accepted/' docs/adr/0002*
same '1 1 0 1 0' "$(now)"
same "adr '0002-no-console-in-services' of layer project, superseded by '0003-new': it no longer holds" "$(text Services | tail -1)"
# A change of the text alone is one too, for the hash of the content.
echo 'One more sentence.' >>docs/adr/0003-new.md
same '0 1 0 2 0' "$(now)"
T

long 'types and layers: the others are left alone, not deleted' <<'T'
mkdir -p .knowledge/policies && adr p1 accepted >.knowledge/policies/p1.md
printf '{"knowledge": {"sources": [{"path": "docs/adr", "layer": "project"}, {"path": ".knowledge", "layer": "team"}]}}' >.ikm/config.json
ikm config set memory.team web >/dev/null
same '1 0 0 3 0' "$(now)"
mv docs/adr/0003-new.md ../
adr p2 accepted >.knowledge/policies/p2.md
same '1 0 0 1 0' "$(now --types policy)"
same '0 0 0 2 0' "$(now --layers team,org)"
same 5 "$(pointers | wc -l)"
same '0 1 1 3 0' "$(now)"
same true "$(sqlite3 "$db" "select memory ->> 'metadata' ->> 'knowledgePointer' ->> 'isOrphaned' from deleted_memories" | sed 's/^1$/true/')"
same 0 "$(ikm mem search 'Title of 0003-new' --json | jq '[.results[] | select(.content | contains("0003-new"))] | length')"
# It comes back as the same memory.
mv ../0003-new.md docs/adr/
same '1 1 0 3 0' "$(now)"
same 0 "$(sqlite3 "$db" 'select count(*) from deleted_memories')"
T

try 'what failed is stored with its layer and its type' <<'T'
printf -- '---\nstatus: [\n---\n# Broken\n' >docs/adr/0004-broken.md
same 1 "$(now | cut -d' ' -f5)"
same 'project|adr|0004-broken|1' "$(sqlite3 "$db" 'select layer, type, item, tries from sync_failures')"
rm docs/adr/0004-broken.md
same 0 "$(now | cut -d' ' -f5)"
same 0 "$(sqlite3 "$db" 'select count(*) from sync_failures')"
T

more 'a bad item is a failure with its reason, tried again; the others go on; the commit waits' <<'T'
git add -A && git commit -qm 'more'
good=$(git rev-parse HEAD)
same '0 0 0 5 0' "$(now)"
printf -- '---\nstatus: [\n---\n# Broken\n' >docs/adr/0004-broken.md
cp docs/adr/0003-new.md ../ && printf -- '---\nstatus: accepted\nconstraints: 7\n---\n# Bad rules\n' >docs/adr/0003-new.md
head -c 2000000 /dev/zero | tr '\0' x >docs/adr/0005-big.md
tag=$(printf '%0300d' 7)
adr 0006-tag accepted "tags: [\"$tag\"]
" >docs/adr/0006-tag.md
adr 0007-good accepted >docs/adr/0007-good.md
git add -A && git commit -qm 'bad ones'
before=$(text 'Title of 0003')
# A broken item retires nothing, so 0002 holds again.
same '1 1 0 3 4' "$(now)"
jq -c '.success, (.failed[] | [.item, .file, .layer, .reason])' result >got
cat >want <<'W'
false
["0003-new","docs/adr/0003-new.md","project","BAD_MARKDOWN"]
["0004-broken","docs/adr/0004-broken.md","project","BAD_MARKDOWN"]
["0006-tag","docs/adr/0006-tag.md","project","TOO_LONG"]
[null,"docs/adr/0005-big.md",null,"BAD_MARKDOWN"]
W
{ head -1 got; tail -n +2 got | sort; } | diff -u want -
same "$before" "$(text 'Title of 0003')"
fails 1 ikm sync status --json >status
same '4 4' "$(jq -r '[.failedItems, (.failed | length)] | join(" ")' status)"
same "$good" "$(jq -r '.sources[] | select(.source | endswith("docs/adr/")) | .lastKnowledgeCommit' status)"
same '0 0 0 5 4' "$(now)"
same '2 2 2 2' "$(sqlite3 "$db" 'select tries from sync_failures' | paste -sd' ')"
mv ../0003-new.md docs/adr/ && rm docs/adr/0004* docs/adr/0005* docs/adr/0006*
same '0 1 0 5 0' "$(now)"
jq -e .success result
ikm sync status --json | jq -e '.healthy and .failedItems == 0' >/dev/null
T

more 'a file that cannot be read keeps its pointer; two items of one id are told' <<'T'
chmod 0 docs/adr/0007-good.md
mkdir -p docs/adr/old && adr x accepted 'id: 0003-new
' >docs/adr/old/0003-again.md
same '0 0 0 5 2' "$(now)"
jq -r '.failed[] | [.file, .reason] | join(" ")' result | sort >got
same 'docs/adr/0007-good.md BAD_MARKDOWN docs/adr/old/0003-again.md NOT_UNIQUE' "$(paste -sd' ' got)"
chmod 644 docs/adr/0007-good.md && rm -r docs/adr/old
same '0 0 0 6 0' "$(now)"
T

more 'an item whose layer has no identifier says which setting' <<'T'
printf '{"knowledge": {"sources": [{"path": "docs/adr", "layer": "project"}, {"path": ".knowledge", "layer": "org"}]}}' >.ikm/config.json
fails 1 ikm sync now >out 2>err
grep -q '2 failed' out
grep -q "the layer 'org' needs .*; ikm config set memory.org ID names it" err
same '2 0 0 4 0' "$(now -c memory.org=acme)"
git checkout -q .ikm
same '2 0 2 4 0' "$(now)"
T

more 'another repository: its own pointers, its own status, and the sync touches no others' <<'T'
pointers >before
git init -q -b main ../other && git -C ../other commit -q --allow-empty -m root &&
	mkdir -p ../other/.knowledge/adrs
adr 0003-new accepted >../other/.knowledge/adrs/0003-new.md
cd ../other
same '1 0 0 0 0' "$(now)"
rm .knowledge/adrs/0003-new.md && adr 9 draft >.knowledge/adrs/9.md
same '1 0 1 0 0' "$(now)"
ikm sync status --json | jq -e '.stats.totalSyncs == 2' >/dev/null
cd ../repo
pointers | grep -v -x -F -f before >added
same 1 "$(wc -l <added)"
same '0 0 0 6 0' "$(now)"
T

more 'a source that is no longer named takes its pointers along; one that is missing does not' <<'T'
mkdir -p "$HOME/know/adrs" && adr k1 accepted >"$HOME/know/adrs/k1.md"
ikm config set knowledge.sources '[{"path": "~/know"}]' >/dev/null
same '1 0 0 6 0' "$(now)"
mv "$HOME/know" "$HOME/away"
same '0 0 0 6 1' "$(now)"
jq -e '.failed[0].reason == "NO_SUCH_SOURCE"' result
same 1 "$(text 'Title of k1' | grep -c Title)"
mv "$HOME/away" "$HOME/know"
ikm config unset knowledge.sources >/dev/null
same '0 0 1 6 0' "$(now)"
T

more 'killed at each step: the next sync completes it, each pointer once' <<'T'
mkdir -p ../many/.knowledge/adrs && cd ../many && git init -q -b main &&
	git commit -q --allow-empty -m many
for i in $(seq 70); do adr "m$i" accepted >.knowledge/adrs/m$i.md; done
before=$(pointers | wc -l) n=0
while :; do
	n=$((n + 1))
	[ $n -lt 20 ] || exit 1
	(IKM_FAULT=-$n; export IKM_FAULT; ikm sync now --force >out 2>&1) && break
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	part=$(($(pointers | wc -l) - before))
	[ $((part % 32)) = 0 ] || [ $part = 70 ] || { echo "$part pointers"; exit 1; }
done
[ $n -gt 3 ]
same 70 $(($(pointers | wc -l) - before))
same '0 0 0 70 0' "$(now)"
# A failing disk is an error, and no failure of every item.
IKM_FAULT=1:28 fails_for NO_SPACE ikm sync now --force
T

more 'four syncs at once make each pointer once' <<'T'
mkdir -p ../race/.knowledge/adrs && cd ../race && git init -q -b main &&
	git commit -q --allow-empty -m race
for i in $(seq 40); do adr "r$i" accepted >.knowledge/adrs/r$i.md; done
before=$(pointers | wc -l)
for i in 1 2 3 4; do ikm sync now >"out$i" 2>&1 & done
wait
same 40 $(($(pointers | wc -l) - before))
same '0 0 0 40 0' "$(now)"
T

more 'a dry run tells the same and stores nothing' <<'T'
pointers >before
ikm sync now --force --dry-run --json >out
jq -e '.dryRun and .result.updated == 6 and .result.added == 0' out
pointers | cmp before -
T

more 'steps as lines of JSON, the result last' <<'T'
ikm sync now --force --json --progress >lines
least 3 lines
tail -2 lines | head -1 | jq -e '.progress | .phase == "knowledge" and .done == 6 and .all == 6'
tail -1 lines | jq -e .success
T

more 'without knowledge: it says so' <<'T'
mkdir ../empty && cd ../empty
same 'pointers to decisions: 0 added, 0 updated, 0 deleted, 0 unchanged: no knowledge is configured; no server is set up' "$(ikm sync now)"
# A server without an organisation: nobody shall believe that memories are shared.
for verb in now 'now --dry-run' status; do
	# shellcheck disable=SC2086 # a verb and its option
	fails_for NOT_CONFIGURED ikm -c sync.url=postgresql://h/x sync $verb --json >out 2>&1
	grep -q 'ikm config set sync.tenant NAME' out
done
T

more 'as tools' <<'T'
echo '{"force": true, "types": ["adr"], "layers": ["project"]}' | ikm call sync_now | counts >got
same '0 4 0 0 0' "$(cat got)"
echo '{}' | ikm call sync_status | jq -e '.healthy and .success' >/dev/null
echo '{"types": ["adrs"]}' | fails 2 ikm call sync_now >out
jq -e '.details.reason == "NOT_IN_ENUM"' out
T
done_testing
