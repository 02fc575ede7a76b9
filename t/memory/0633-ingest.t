#!/bin/sh
# ikm mem ingest: a response's writes are stored once, and all or none but for notes on a full page, also when it is killed in between.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
export db

response() { # REQUEST MEMORY_WRITES SCRATCH_PAGE_WRITES [MEMBERS]
	printf '{"request_id": "%s", "tool_id": "wine", "memory_writes": [%s], "scratch_page_writes": [%s]%s}' "$@"
}
all() { sqlite3 "$db" "select kind, content from memories order by kind, content" | paste -sd' '; }

try 'every member of a write is kept' <<'E'
response r1 '{"content": "Ada liked the Riesling", "type": "observation", "source": "dinner", "timestamp": "2026-01-31T20:00:00Z", "importance": 0.75, "tags": ["wine", "ada"], "metadata": {"a": [1, 2.50]}, "redaction": "sensitive"}' \
	'{"content": "Ask for the vintage", "type": "pending_confirmation", "status": "pending_review", "confidence": 0.25, "expires_at": "2090-01-01"}' \
	', "tool_version": "1", "status": "ok", "outputs": {"x": 1}, "timestamp": "now"' | ikm mem ingest --json >out
same '1 1 2 0 true r1' "$(jq -r '"\(.memory_ids | length) \(.scratch_page_ids | length) \(.added) \(.existing) \(.success) \(.request_id)"' out)"
ikm mem show "$(jq -r .memory_ids[0] out)" --json | jq -c '.memory | del(.memoryId, .createdAt, .updatedAt, .userId, .agentId, .tokens)' >row
jq -e '.layer == "agent" and .kind == "episodic" and .type == "observation" and .source == "dinner" and
	.importance == 0.75 and .tags == ["ada", "wine"] and .redaction == "sensitive" and
	.provenance == "tool" and .happenedAt == "2026-01-31T20:00:00.000Z" and .metadata == {"a": [1, 2.5]}' row
ikm mem show "$(jq -r .scratch_page_ids[0] out)" --json | jq -e '.memory |
	.kind == "scratch" and .status == "pending_review" and .confidence == 0.25 and
	.expiresAt == "2090-01-01T00:00:00.000Z" and .source == "wine"'
E

try 'what is not said: now, 0.5, internal, active, seven days' <<'E'
IKM_NOW=2026-03-01T00:00:00Z
export IKM_NOW
response r2 '{"content": "plain"}' '{"content": "note"}' | ikm mem ingest --json >out
ikm mem show "$(jq -r .memory_ids[0] out)" --json | jq -e '.memory | .importance == 0.5 and
	.happenedAt == "2026-03-01T00:00:00.000Z" and .redaction == "internal" and .expiresAt == null'
ikm mem show "$(jq -r .scratch_page_ids[0] out)" --json | jq -e '.memory | .status == "active" and
	.confidence == 0.5 and .expiresAt == "2026-03-08T00:00:00.000Z"'
E

long 'the same response again stores nothing twice; what is new in it is stored' <<'E'
rm -f "$db"*
response r '{"content": "a"}, {"content": "b"}, {"content": "b"}' '{"content": "c"}' >r.json
ikm mem ingest r.json --json >one
same '4 0' "$(jq -r '"\(.added) \(.existing)"' one)"
ikm mem ingest <r.json --json >two
same '0 4' "$(jq -r '"\(.added) \(.existing)"' two)"
same "$(jq -c '[.memory_ids, .scratch_page_ids]' one)" "$(jq -c '[.memory_ids, .scratch_page_ids]' two)"
same 'episodic|a episodic|b episodic|b scratch|c' "$(all)"
response r '{"content": "b"}, {"content": "a"}, {"content": "new"}' '' | ikm mem ingest --json >three
same '1 2' "$(jq -r '"\(.added) \(.existing)"' three)"
# The same item in another request, or of another tool, agent or type, is another memory.
sed 's/"r"/"r9"/' r.json | ikm mem ingest --json | jq -e '.added == 4'
sed 's/wine/beer/' r.json | ikm mem ingest --json | jq -e '.added == 4'
ikm --agent other mem ingest r.json --json | jq -e '.added == 4'
response r '{"content": "a", "type": "x"}' '' | ikm mem ingest --json | jq -e '.added == 1'
# A deleted memory stays deleted.
ikm mem delete "$(jq -r .memory_ids[0] one)"
ikm mem ingest r.json --json | jq -e '.added == 0'
E

long 'an item that is wrong is named, and nothing is stored' <<'E'
rm -f "$db"*
bad() { # MEMORY_WRITES SCRATCH_PAGE_WRITES MESSAGE
	response r "$1" "$2" | fails 2 ikm mem ingest --json >out 2>err
	jq -r .message out | grep -qF -- "$3" || { cat out; return 1; }
	[ ! -e "$db" ] || same 0 "$(sqlite3 "$db" 'select count(*) from memories')"
}
bad '{"content": "a"}, {"type": "x"}' '' 'memory_writes[1].content is missing'
bad '{"content": "a"}, {"content": ""}' '' 'memory_writes[1].content is empty'
bad '{"content": "a"}, {"content": "  "}' '' 'memory_writes[1]: content is only blanks'
bad '{"content": "a"}, {"content": "b", "importance": 1.5}' '' 'memory_writes[1].importance is 1.5; allowed: 0 to 1'
bad '{"content": "a"}, {"content": "b", "importence": 1}' '' "unknown parameter 'memory_writes[1].importence'; did you mean 'importance'?"
bad '{"content": "a"}' '{"content": "b", "status": "open"}' "scratch_page_writes[0].status is 'open'; allowed: active"
bad '{"content": "a", "status": "active"}' '' "unknown parameter 'memory_writes[0].status'"
bad '{"content": "a"}' '{"content": "b", "expires_at": "soon"}' "scratch_page_writes[0]: expires_at is 'soon', which is not a time"
bad '{"content": "a", "timestamp": "1970-01-01"}' '{"content": "b"}' "memory_writes[0]: timestamp is '1970-01-01', which is no time to ikm"
bad '{"content": "a"}' '{"content": "b", "expires_at": "2001-01-01"}' 'scratch_page_writes[0]: expires_at is 2001-01-01, which is in the past'
bad '{"content": "a", "timestamp": "2026-02-30"}' '' "memory_writes[0]: timestamp is '2026-02-30'"
bad '{"content": "a", "metadata": [1]}' '' 'memory_writes[0].metadata must be an object'
bad "{\"content\": \"a\", \"tags\": [$(seq 65 | sed 's/.*/"t&"/' | paste -sd,)]}" '' 'memory_writes[0]: tags'
bad '7' '' 'memory_writes[0] must be an object, not a number'
bad "$(seq 1001 | sed 's/.*/{"content": "&"}/' | paste -sd,)" '' 'memory_writes has 1001 members; allowed: 0 to 1000'
E

more 'more notes than there may be: the others are stored, and it is named which is not' <<'E'
rm -f "$db"*
response r1 '' "$(seq 99 | sed 's/.*/{"content": "note &"}/' | paste -sd,)" | ikm mem ingest >/dev/null
response r2 '{"content": "a"}' '{"content": "x"}, {"content": "y"}' | fails 1 ikm mem ingest --json >out 2>err
jq -r '.refused[]' out | grep -q '^scratch_page_writes\[1\]: '
same 101 "$(sqlite3 "$db" 'select count(*) from memories')"
response r2 '{"content": "a"}' '{"content": "x"}' | ikm mem ingest --json | jq -e '.existing == 2'
E

more 'not for another agent; a thousand at once; none at all' <<'E'
rm -f "$db"*
response r '{"content": "a"}' '' ', "agent_context": {"agent_id": "other"}' >r.json
fails 7 ikm mem ingest r.json --json >out 2>err
jq -r .message out | grep -q "the response names agent 'other', but the caller is agent 'default'"
[ ! -e "$db" ]
ikm --agent other mem ingest r.json >/dev/null
same 1 "$(sqlite3 "$db" 'select count(*) from memories')"
response none '' '' | ikm mem ingest --json | jq -e '.added == 0'
response r '' '' | sed 's/memory_writes/memory_write/' | fails 2 ikm mem ingest 2>err
grep -q "did you mean 'memory_writes'" err
response many "$(seq 1000 | sed 's/.*/{"content": "number &"}/' | paste -sd,)" '' | ikm mem ingest | tail -1 >out
same '1000 stored, 0 existed' "$(cat out)"
same ok "$(sqlite3 "$db" 'pragma integrity_check')"
E

more 'failed or killed at each effect: old or new, and the same again succeeds' <<'E'
response r '{"content": "a"}, {"content": "b"}' '{"content": "c"}' >r.json
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 60 ]
		rm -f "$db"*
		ikm mem add -l agent -k episodic old >/dev/null
		rc=0
		IKM_FAULT=$sign$n ikm mem ingest r.json --json >out 2>err || rc=$?
		now=$(all)
		if [ $rc = 0 ]; then
			same 'episodic|a episodic|b episodic|old scratch|c' "$now"
			break
		fi
		[ -z "$sign" ] || same 137 $rc
		[ "$now" = 'episodic|old' ] || same 'episodic|a episodic|b episodic|old scratch|c' "$now"
		ikm mem ingest r.json >/dev/null
		same 'episodic|a episodic|b episodic|old scratch|c' "$(all)"
		same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	done
	[ $n -gt 1 ]
done
E
done_testing
