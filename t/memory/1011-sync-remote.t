#!/bin/sh
# Push and pull: machines with homes of their own, one server. sqlite3 and psql are the referees.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob eve
export IKM_MEMORY_TEAM=t IKM_MEMORY_ORG=o
for who in ada bob; do member $who --layer project --layer org --layer team:t; done
texts() { at "$1" "select content from memories order by content" | paste -sd,; }

long 'not configured, no member: what to do' <<'E'
(unset PGHOST PGUSER PGDATABASE; IKM_SYNC_TENANT=acme fails 7 ikm sync now --only remote --json >out 2>err)
jq -e '.errorCode == "MISSING_CREDENTIALS" and (.help.steps | length) > 1' out
fails_for NOT_CONFIGURED ikm sync now --only remote
fails_for NOT_ALLOWED on e1 sync now 2>err
ikm sync now --json | jq -e 'has("remote") | not'
on a1 sync status --json >status || [ $? = 1 ]
jq -e '.remote | .lastSyncAt == null and .pending == 0 and .layers == ["project","team","org","company"]' status
E

try 'what one machine adds the other one gets, once, and finds' <<'E'
for i in 1 2 3; do add a1 "the lighthouse number $i burns oil" >/dev/null; done
add a1 'private to ada' user >/dev/null
on a1 mem add 'the key is under the mat' --layer project --redaction sensitive >/dev/null
on a1 sync now --dry-run --json >dry
jq -e '.dryRun and .result.added == 0 and .pending > 3 and (has("remote") | not)' dry
on a1 sync now -n | grep -qx "a dry run: pointers to decisions: 0 added.*; server, not asked: $(jq .pending dry) to push; .*"
same 0 "$(pg_sql admin 'select count(*) from ikm.memories')"
sync a1
same '3 0 0 0 0 0' "$(counts a1)"
jq -e --slurpfile dry dry '.remote.pushed + .remote.eventsPushed == $dry[0].pending' ../synced.a1
same 3 "$(pg_sql admin 'select count(*) from ikm.memories')"
sync a2
same '0 0 3 0 0 0' "$(counts a2)"
all a1 | grep -v mat >one && all a2 | diff one -
on a2 mem search lighthouse --json | jq -e '.results | length == 3'
# A few become rows of the index: a segment of their own would make every search slower.
same '3 3 0' "$(at a2 'select last, (select count(*) from index_recent), (select count(*) from index_segments) from index_numbers' | tr '|' ' ')"
same ok "$(at a2 'pragma integrity_check')"
for i in 1 2; do sync a1 a2; same '0 0 0 0 0 0' "$(counts a1)"; same '0 0 0 0 0 0' "$(counts a2)"; done
on a1 sync status --json >status || [ $? = 1 ]
jq -e '.healthy and .lastSyncAt == .remote.lastSyncAt' status
jq -e '.remote | .pending == 0 and .withheld.sensitive == 1 and .withheld.otherLayers == 1 and .failedAt == null' status
# What may go and is here is not healthy, whatever the last sync was.
add a1 'private too' user >/dev/null
fails 1 on a1 sync status --json >status
jq -e '(.healthy | not) and .remote.pending == 1' status
on a1 sync now --only remote | grep -q '; server: 0 pushed, .*, record: 1 pushed, [0-9]* pulled$'
on a1 sync status >out
grep -q '^user  *2  stays here: ikm config set --add sync.layers user$' out
on a2 sync events -n 1 --json | jq -e '.events[0].event | .event_id and .step'
E

more 'changes, deletions and restored ones follow; another person gets what is shared' <<'E'
id=$(at a1 "select id from memories where content like '%number 1%'")
gone=$(at a1 "select id from memories where content like '%number 2%'")
on a2 mem edit "$id" --tag coast --importance 0.9 >/dev/null
on a2 mem delete "$gone" >/dev/null
sync b1 a2 a1 b1
same '1 1 0 0 0 0' "$(counts a2)"
same '0 0 1 1 0 0' "$(counts a1)"
all a1 | grep -v mat >one && all a2 | diff one - && all b1 | diff one -
same '["coast"]|0.9' "$(at b1 "select tags, importance from memories where id = '$id'")"
same t "$(pg_sql admin "select memory is null and deleted_at is not null from ikm.memories where id = '$gone'")"
on a1 mem restore "$gone" >/dev/null
sync a1 a2 b1
same 3 "$(at b1 'select count(*) from memories')"
all a1 | grep -v mat >one && all a2 | diff one - && all b1 | diff one -
# What belongs to somebody else stays at home.
on b1 mem edit "$id" --tag bobs >/dev/null
sync b1 a1
same '["coast"]' "$(at a1 "select tags from memories where id = '$id'")"
on b1 sync status --json >status || [ $? = 1 ]
jq -e '.remote.withheld.otherPeoples == 1' status
E

more 'what becomes sensitive, or leaves sync.layers, is withdrawn; it comes back' <<'E'
id=$(at a1 "select id from memories where content like '%number 3%'")
on a1 mem edit "$id" --redaction sensitive >/dev/null
sync a1 a2 b1
same '0 1 0 0 0 0' "$(counts a1)"
same '0 sensitive' "$(at b1 "select count(*) from memories where id = '$id'") $(at a2 "select redaction from memories where id = '$id'")"
same 1 "$(at a1 "select count(*) from memories where id = '$id'")"
on a1 mem edit "$id" --redaction public --may-publish >/dev/null 2>&1 || on a1 mem edit "$id" --redaction public >/dev/null
sync a1 a2 b1
same '1 0 0 0 0 0' "$(counts a1)"
same '1 1' "$(at b1 "select count(*) from memories where id = '$id'") $(at a2 "select count(*) from memories where id = '$id'")"
on a1 -c sync.layers=org sync now --only remote --json | jq -e '.remote.withdrawn > 0 and .remote.pushed == 0'
same 0 "$(pg_sql admin "select count(*) from ikm.memories where owner = 'ada' and memory is not null")"
sync a1 a2 b1
same '2 2' "$(at a2 "select count(*) from memories where layer = 'project'" 2>/dev/null || at a2 "select count(*) from memories join scopes using (scope) where layer = 'project' and content like 'the lighthouse%' and content not like '%number 2%'") $(at b1 "select count(*) from memories join scopes using (scope) where layer = 'project' and content like 'the lighthouse%' and content not like '%number 2%'")"
E

long 'the same memory changed on both: the later change wins, the other one is kept' <<'E'
id=$(at a1 "select id from memories where content like '%number 1%'")
on a1 mem edit "$id" --importance 0.2 >/dev/null
on a2 mem edit "$id" --importance 0.4 >/dev/null
sync a1 a2 a1
same '0.4 0.4' "$(at a1 "select importance from memories where id = '$id'") $(at a2 "select importance from memories where id = '$id'")"
on a2 sync conflicts --json | jq -e '.conflicts | length == 1 and .[0].lost.importance == 0.2'
on a2 sync conflicts --drop 1 >/dev/null 2>&1
on a2 sync conflicts --json | jq -e '.conflicts == []'
# A deletion against a later change.
on a1 mem delete "$id" >/dev/null
on a2 mem edit "$id" --importance 0.5 >/dev/null
sync a1 a2 a1
same '1 1' "$(at a1 "select count(*) from memories where id = '$id'") $(at a2 "select count(*) from memories where id = '$id'")"
all a1 | grep -v mat >one && all a2 | diff one -
E

more 'two equal facts made apart become one with both tags' <<'E'
on a1 mem add 'the harbour closes at nine' --layer project --tag night >/dev/null
on a2 mem add 'the harbour closes at nine' --layer project --tag harbour >/dev/null
sync a1 a2 a1 a2
for m in a1 a2; do same '1|["harbour","night"]' "$(at $m "select count(*), tags from memories where content like 'the harbour%'")"; done
same "$(at a1 "select id from memories where content like 'the harbour%'")" "$(at a2 "select id from memories where content like 'the harbour%'")"
sync a1 a2
same '0 0 0 0 0 0' "$(counts a1)"
same '0 0 0 0 0 0' "$(counts a2)"
# Two people keep one each, with their own tags.
on b1 mem add 'the ferry is slow' --layer project --tag bobs >/dev/null
on a1 mem add 'the ferry is slow' --layer project --tag adas >/dev/null
sync b1 a1 b1
for m in a1 b1; do same '["adas"],["bobs"]' "$(at $m "select tags from memories where content like 'the ferry%' order by 1" | paste -sd,)"; done
E

more 'a machine pulls the layers that it shares, and withdraws nothing of the others' <<'E'
on a1 mem add 'only machines that share the layer user have it' --layer user >/dev/null
text="content like 'only machines%'"
wide() { IKM_SYNC_LAYERS=user,project,team,org,company; export IKM_SYNC_LAYERS; sync "$@"; unset IKM_SYNC_LAYERS; }
wide a1
sync a2
same 0 "$(at a2 "select count(*) from memories where $text")"
on a2 sync reset-cursor >/dev/null
sync a2
jq -e '.remote | .withdrawn == 0 and .pulled == 0' "$T/w/synced.a2"
same t "$(pg_sql admin "select memory is not null from ikm.memories where memory ->> 'content' like 'only machines%'")"
# A machine that shares more from now on gets what was there before.
wide a2
same 1 "$(at a2 "select count(*) from memories where $text")"
wide a1 a2
same '0 0 0 0 0 0' "$(counts a2)"
E

more 'an administrator removes old tombstones: what machines have pulled stays as it is' <<'E'
gone=$(add a1 'gone for good')
sync a1 a2
on a1 mem delete "$gone" >/dev/null
sync a1 a2
same 1 "$(pg_sql admin "select count(*) from ikm.memories where id = '$gone' and memory is null")"
pg_sql admin "delete from ikm.memories where deleted_at < (extract(epoch from now() + interval '1 day') * 1000)::bigint"
same 0 "$(pg_sql admin 'select count(*) from ikm.memories where memory is null')"
sync a1 a2
for m in a1 a2; do same '0 0 0 0 0 0' "$(counts $m)"; same 0 "$(at $m "select count(*) from memories where id = '$gone'")"; done
on a1 sync reset-cursor >/dev/null
sync a1 a2
for m in a1 a2; do same 0 "$(at $m "select count(*) from memories where id = '$gone'")"; done
E

more 'a member cannot replace or bury the memory of another one for the others' <<'E'
member eve --layer project
id=$(add a1 'the lock opens at six')
sync a1 e1
same 'the lock opens at six' "$(at e1 "select content from memories where id = '$id'")"
forge() { # MEMORY DELETED
	pg_sql bob "update ikm.tenants set last = last + 1 where tenant = 'acme';
		insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory, deleted_at)
		select tenant, '$id', last, (extract(epoch from now()) * 1000)::bigint << 16, 'z', 'project', '[\"p\"]', $1, $2 from ikm.tenants where tenant = 'acme'
		on conflict (tenant, owner, id) do update set seq = excluded.seq, clock = excluded.clock, memory = excluded.memory, deleted_at = excluded.deleted_at"
}
forge "'{\"memoryId\": \"$id\", \"content\": \"forged\", \"layer\": \"project\"}'" null
sync e1
same 'the lock opens at six' "$(at e1 "select content from memories where id = '$id'")"
forge null 1
sync e1 a1
for m in e1 a1; do same 'the lock opens at six' "$(at $m "select content from memories where id = '$id'")"; done
# Its owner changes it still.
on a1 mem edit "$id" --tag tide >/dev/null
sync a1 e1
same '["tide"]' "$(at e1 "select tags from memories where id = '$id'")"
E
long 'with sync.events each change is sent as it is made, and a server that is gone costs little' <<'E'
auto() { who=$1; shift; IKM_SYNC_EVENTS=auto on "$who" "$@"; }
rows() { pg_sql admin "select count(*) from ikm.events"; }
sync a1
before=$(rows)
auto a1 mem add 'a gull on the pier' --layer project >/dev/null
same $((before + 1)) "$(rows)"
# The memory itself waits for a sync, and what reads sends nothing.
fails 1 on a1 sync status --json >status
jq -e '.remote.pending == 1 and (.remote | has("unpushed") | not)' status
auto a1 mem search gull >/dev/null
on a1 mem add 'without it nothing is sent' --layer project >/dev/null
same $((before + 1)) "$(rows)"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_add","arguments":{"content":"over MCP","layer":"project"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' |
	auto a1 mcp -t memory >/dev/null
same $((before + 3)) "$(rows)"
(
	PGHOST=127.0.0.1 PGPORT=1
	export PGHOST PGPORT
	auto a1 mem add 'while the server is gone' --layer project >out 2>err
	same '' "$(cat err)"
	auto a1 mem add 'and still' --layer project >out
)
fails 1 on a1 sync status --json >status
jq -e '.remote.unpushed == 2 and .remote.failedAt != null' status
fails 1 on a1 sync status 2>err >/dev/null
grep -q "^the record could not be sent 2 times: 'ikm sync now' sends it$" err
sync a1
on a1 sync status --json | jq -e '.remote | has("unpushed") | not'
same $((before + 5)) "$(rows)"
# A home that has never synced sends nothing by itself.
auto a9 mem add 'first' --layer project >/dev/null
same $((before + 5)) "$(rows)"
E
done_testing
