#!/bin/sh
# Members of a memory change, its text does not; several memories are deleted at once.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
store=$HOME/.ikigai/ikm.db
call() { printf '%s' "$2" | ikm call "$1"; }
fresh() { rm -rf "$HOME/.ikigai"; }
shown() { ikm mem show "$1" --json | jq -c "$2"; }

long 'each member changes, and only that' <<'E'
fresh
id=$(ikm mem add 'Staging runs on port 8081' -t old -t ops --metadata '{"a":1,"b":[2]}' --source mine)
before=$(shown "$id" '.memory | [.memoryId, .content, .kind, .layer, .createdAt, .happenedAt, .provenance]')
ikm mem edit "$id" -t new --untag old --importance 0.9 --confidence 0.4 --redaction sensitive \
	--expires 2999-01-01 --metadata '{"a":null,"c":true}' --source theirs --json >out
same '["tags","metadata","source","importance","confidence","redaction","expires"]' "$(jq -c .changed out)"
same '[["new","ops"],{"b":[2],"c":true},"theirs",0.9,0.4,"sensitive","2999-01-01T00:00:00.000Z"]' \
	"$(shown "$id" '.memory | [.tags, .metadata, .source, .importance, .confidence, .redaction, .expiresAt]')"
same "$before" "$(shown "$id" '.memory | [.memoryId, .content, .kind, .layer, .createdAt, .happenedAt, .provenance]')"
jq -e '.memory.updatedAt >= .memory.createdAt' out
# an equal edit changes nothing, and says so
ikm mem edit "$id" -t new --importance 0.9 --metadata '{"c":true}' >out 2>err
grep -q 'nothing changed' err
same 1 "$(sqlite3 "$store" 'select count(*) from memories')"
ikm mem edit "$id" --importance 0 >out
same 0 "$(shown "$id" .memory.importance)"
E

try 'what has no value: no metadata, no source, no expiry, a tag that it has not' <<'E'
id=$(ikm mem add 'The cat is called Tom' --metadata '{"a":1}' --source s --expires 7d)
ikm mem edit "$id" --metadata '{"a":null}' --source '' --expires never --untag none >out 2>err
same '[null,null,null]' "$(shown "$id" '.memory | [.metadata, .source, .expiresAt]')"
grep -q "did not have the tag 'none'" err
ikm mem edit "$id" -T none --json >out
same '[[],["none"]]' "$(jq -c '[.changed, .absent]' out)"
E

long 'what had expired and holds again meets the limits of a new memory' <<'E'
fresh
export IKM_NOW=2026-01-01T00:00:00Z
note=$(ikm mem add 'note 0' -k scratch)
fact=$(ikm mem add 'The tea is green' --expires 1d)
export IKM_NOW=2026-01-05T00:00:00Z
seq 100 | sed 's/.*/{"content": "note &", "kind": "scratch"}/' | ikm mem import >out
again=$(ikm mem add 'The tea is green')
export IKM_NOW=2026-01-09T00:00:00Z
fails_for TOO_MANY_MEMORIES ikm mem edit "$note" --expires 7d
fails_for EXISTS ikm mem edit "$fact" --expires never
ikm mem mark "$(ikm mem list -k scratch --status active -n 1 --json | jq -r '.memories[0].memoryId')" resolved >out
ikm mem edit "$note" --expires 7d >out
same 100 "$(ikm mem list -k scratch --status active --state active -n 1000 --json | jq '.memories | length')"
ikm mem delete "$again" >out
ikm mem edit "$fact" --expires never >out
same active "$(shown "$fact" .memory.state | jq -r .)"
E

long 'the index has the changed memory: tags, filters, layer' <<'E'
fresh
id=$(ikm mem add 'zork frobnicates' -t infrastructure)
same 1 "$(ikm mem search infrastructure --json | jq '.results | length')"
ikm mem edit "$id" --untag infrastructure -t kitchen >/dev/null
not ikm mem search infrastructure
same 1 "$(ikm mem search kitchen --json | jq '.results | length')"
same 1 "$(ikm mem search zork -t kitchen --json | jq '.results | length')"
not ikm mem search zork -t infrastructure
ikm --agent a mem edit "$id" -l agent >out
grep -q 'changed: layer' out
same '["agent"]' "$(ikm --agent a mem list --json | jq -c '[.memories[].layer]')"
same 1 "$(ikm --agent a mem search zork -l agent --json | jq '.results | length')"
not ikm --agent b mem search zork
ikm mem reindex >/dev/null
same 1 "$(ikm --agent a mem search kitchen -l agent --json | jq '.results | length')"
E

try 'a layer must leave each memory to those who see what it replaced' <<'E'
fresh
old=$(ikm mem add 'The meeting is at nine')
new=$(ikm mem add 'The meeting is at ten' --supersedes "$old")
fails_for BAD_ARGUMENT ikm --agent a mem edit "$new" -l agent 2>err
grep -q "is in layer 'user'" err
fails_for BAD_ARGUMENT ikm -c memory.team=t mem edit "$old" -l team 2>err
grep -q "superseded by '$new'" err
ikm -c memory.team=t mem edit "$new" -l team >/dev/null
same team "$(ikm -c memory.team=t mem show "$new" --json | jq -r .memory.layer)"
# a layer that has the same fact keeps one of the two
ikm -c memory.team=t mem add 'The meeting is at ten' >again
fails_for EXISTS ikm -c memory.team=t mem edit "$(cat again)" -l team --json >out
same "$new" "$(jq -r .details.memoryId out)"
fails_for MISSING_PARAMETER ikm mem edit "$(cat again)" -l org 2>err
E

long 'a tool may hide a memory, and only a person shows it again' <<'E'
fresh
id=$(ikm mem add 'The PIN is 1234' --redaction internal)
call memory_edit "{\"memoryId\":\"$id\",\"redaction\":\"sensitive\"}" >out
same '["redaction"]' "$(jq -c .changed out)"
fails_for NOT_ALLOWED call memory_edit "{\"memoryId\":\"$id\",\"redaction\":\"public\",\"importance\":1}" >out
same '["UNAUTHORIZED","sensitive",0.5]' "$(jq -r .errorCode out | jq -R . | jq -sc ". + [
	$(shown "$id" .memory.redaction), $(shown "$id" .memory.importance)]")"
jq -r '.help.steps[]' out | grep -q "ikm mem edit $id --redaction public"
ikm mem edit "$id" --redaction public >/dev/null
same '"public"' "$(shown "$id" .memory.redaction)"
E

try 'what is wrong is named, and nothing is half done' <<'E'
fresh
id=$(ikm mem add 'The sky is blue' -t a)
fails_for MISSING_PARAMETER ikm mem edit "$id" 2>err
grep -q "ikm mem add TEXT --supersedes $id" err
fails_for NO_SUCH_MEMORY ikm mem edit mem_01234567 -t x 2>err
fails_for OUT_OF_RANGE ikm mem edit "$id" -t x --importance 1.5 2>err
fails_for OUT_OF_RANGE ikm mem edit "$id" -t x --expires 2001-01-01 2>err
fails_for BAD_ARGUMENT ikm mem edit "$id" -t x --expires soon 2>err
fails_for WRONG_TYPE ikm mem edit "$id" -t x --metadata '[1]' 2>err
grep -qx 'ikm: --metadata must be an object, not a list' err
# shellcheck disable=SC2046
fails_for OUT_OF_RANGE ikm mem edit "$id" $(seq 64 | sed 's/^/-t /') 2>err
same '["a"]' "$(shown "$id" .memory.tags)"
fails_for BAD_ARGUMENT call memory_edit "{\"memoryId\":\"${id%????}\",\"addTags\":[\"x\"]}" >out
grep -q 'must give the whole id' out
note=$(ikm --agent a mem add 'look at the logs' -l agent -k scratch)
fails_for BAD_ARGUMENT ikm --agent a mem edit "$note" --expires never 2>err
grep -q 'always expire' err
E

long 'several memories are deleted, all or none' <<'E'
fresh
a=$(ikm mem add 'first thing') b=$(ikm mem add 'second thing') c=$(ikm mem add 'third thing')
fails_for NO_SUCH_MEMORY ikm mem delete "$a" mem_01234567 "$b" 2>err
same 3 "$(ikm mem list --json | jq '.memories | length')"
ikm mem delete "$a" "$c" "$a" --json >out
same "[true,\"2 memories deleted\",[\"$a\",\"$c\"],[\"first thing\",\"third thing\"],null]" \
	"$(jq -c '[.success, .message, [.deleted[].memoryId], [.deleted[].content], .memoryId]' out)"
same "[\"$b\"]" "$(ikm mem list --json | jq -c '[.memories[].memoryId]')"
a=$(ikm mem add 'fourth') c=$(ikm mem add 'fifth')
call memory_delete "{\"memoryId\":\"$a\",\"memoryIds\":[\"$c\",\"$b\"]}" >out
same 3 "$(jq '.deleted | length' out)"
fails_for MISSING_PARAMETER ikm mem delete 2>err
grep -q -- '--tag TAG' err
fails_for MISSING_PARAMETER call memory_delete '{}' >out
E

more 'a chain of corrections can be deleted as a whole, in any order' <<'E'
fresh
a=$(ikm mem add 'at eight') b=$(ikm mem add 'at nine' --supersedes "$a")
c=$(ikm mem add 'at ten' --supersedes "$b")
ikm mem delete "$b" "$a" "$c" >/dev/null
same 0 "$(ikm mem list --json | jq '.memories | length')"
same 0 "$(sqlite3 "$store" 'select count(*) from memories')"
ikm mem reindex >/dev/null
not ikm mem search nine
E

more 'options choose memories; --yes deletes them, and without it they are only listed' <<'E'
fresh
for i in 1 2 3; do ikm mem add "wine $i" -t wine >/dev/null; done
for i in $(seq 30); do ikm --session s mem add "turn $i" -k conversation --turn "$i" >/dev/null; done
ikm mem add 'tea' -t tea >/dev/null
fails 1 ikm mem delete -t wine >out 2>err
same 3 "$(grep -c 'wine [123]' out)"
same '3 memories match; nothing is deleted without --yes' "$(cat err)"
fails 1 ikm mem delete --in-session s >out 2>err
same 'and 10 more' "$(tail -n1 out)"
fails 1 ikm mem delete -t wine --json >out
same '[false,3]' "$(jq -c '[.success, .matches]' out)"
same 34 "$(ikm mem list --json | jq '.memories | length')"
ikm mem delete -t wine --yes >out 2>err
same 3 "$(grep -c '^deleted mem_' out)"
ikm mem delete --in-session s -k conversation -y --json >out
same '[true,30]' "$(jq -c '[.success, (.deleted | length)]' out)"
same '["tea"]' "$(ikm mem list --json | jq -c '[.memories[].content]')"
fails 1 ikm mem delete -t none -y 2>err
same 'no memory matches' "$(cat err)"
fails_for BAD_ARGUMENT ikm mem delete "$(ikm mem list --json | jq -r '.memories[0].memoryId')" -t tea 2>err
# a tool names each memory
fails_for UNKNOWN_PARAMETER call memory_delete '{"memoryId":"mem_01234567","tags":["tea"]}' >out
E

more 'a person at a terminal is asked' <<'E'
fresh
ikm mem add 'asked one' -t q >/dev/null
ikm mem add 'asked two' -t q >/dev/null
for answer in n y; do
	printf '%s\n' "$answer" | script -qec 'ikm mem delete -t q' typed >/dev/null || :
	grep -q 'remove 2 memories? \[y/N\]' typed
	ikm mem list --json | jq '.memories | length'
done >left
same '2 0' "$(xargs <left)"
E

done_testing
