#!/bin/sh
# Every command over memories that writes, failed and killed at each of its durable effects: the old state
# or the new one; the same call again succeeds, and nothing is left lying about.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
export db

# Every row of the store, without numbers, ids and times.
state() {
	[ -s "$db" ] || return 0
	[ "$(sqlite3 "$db" "select count(*) from sqlite_master where name = 'memories'")" = 0 ] ||
		sqlite3 "$db" "select m.content, m.kind, m.tags, m.state, m.status, o.content, n.content
			from memories m left join memories o on o.id = m.supersedes
			left join memories n on n.id = m.superseded_by
			union all select 'deleted', coalesce(memory ->> 'content', 'erased'), '', '', '', '', ''
			from deleted_memories
			order by 1, 2, 3"
}
# Row and index have the same documents, and nothing else is in the folder.
whole() {
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	same '' "$(sqlite3 "$db" 'pragma foreign_key_check')"
	same '' "$(sqlite3 "$db" 'select doc from memories where doc not in (select doc from index_recent)
		union all select doc from index_recent where doc not in (select doc from memories)')"
	same '' "$(find "$HOME/.ikigai" -type f | grep -v '/ikm\.db\(-wal\|-shm\)\?$')"
}
# The five memories, with ids that do not change: made once, copied for each round.
reset() {
	rm -rf "$HOME/.ikigai"
	[ -n "${fresh-}" ] || cp -a ../made "$HOME/.ikigai"
}
id() { sqlite3 ../made/ikm.db "select id from memories where content = '$1'
	union all select id from deleted_memories where memory ->> 'content' = '$1'"; }

# COMMAND fails or dies at the Nth effect, for every N; `steps` is the number of states that are
# allowed.
faults() {
	reset
	state >../before
	eval "$1" >../out
	state >../after
	cmp -s ../before ../after && { echo "$1 changes nothing"; return 1; }
	for sign in '' -; do
		n=0
		while :; do
			n=$((n + 1))
			[ $n -lt 60 ] || { echo "no end of effects"; return 1; }
			reset
			rc=0
			(IKM_FAULT=$sign$n; export IKM_FAULT; eval "$1") >../out 2>../err || rc=$?
			state >../now
			if [ $rc = 0 ]; then
				cmp ../now ../after || { echo "$1 $sign$n: wrong"; return 1; }
				break
			fi
			[ -z "$sign" ] || [ $rc = 137 ] || { echo "$1 $sign$n: $rc"; return 1; }
			cmp -s ../now ../before || cmp -s ../now ../after ||
				{ echo "$1 $sign$n: neither old nor new"; diff ../before ../now; return 1; }
			! cmp -s ../now ../before || eval "$1" >../out || { echo "$1 $sign$n: not again"; return 1; }
			state >../now
			cmp ../now ../after || { echo "$1 $sign$n: again"; return 1; }
			whole || return 1
		done
		[ $n -gt "$least" ] || { echo "only $n effects"; return 1; }
	done
}

mkdir cwd
cd cwd || exit 1
for content in one two three four; do ikm mem add "number $content" -t "$content"; done >/dev/null
ikm mem add note -k scratch >/dev/null
ikm mem delete "$(ikm mem add wombat --json | jq -r .memoryId)" >/dev/null
printf '{"content": "%s kite"}\n' red blue | ikm mem import >/dev/null 2>&1
cp -a "$HOME/.ikigai" ../made
printf '{"content": "%s kite", "tags": ["sky"]}\n' red green >../kites
export least=1

try 'add' <<'E'
faults 'ikm mem add "number five" -t a'
E
more 'add, the first of all' <<'E'
least=2 fresh=yes
faults 'ikm mem add "number five" -t a'
E
more 'add of a repeat with another tag' <<'E'
faults 'ikm mem add "number one" -t again'
E
more 'add of what supersedes' <<'E'
faults "ikm mem add 'number 2' --supersedes $(id 'number two')"
E
more 'delete' <<'E'
faults "ikm mem delete $(id 'number three')"
E
more 'restore' <<'E'
faults "ikm mem restore $(id wombat)"
E
more 'mark' <<'E'
faults "ikm mem mark $(id note) resolved"
E

more 'edit' <<'E'
faults "ikm mem edit $(id 'number one') --tag edited"
E
more 'import: one event and all memories, or nothing' <<'E'
faults 'ikm mem import ../kites'
E
more 'undo of an import' <<'E'
faults "ikm events undo $(sqlite3 ../made/ikm.db 'select event_id from imports')"
E

# Its transactions are durable one by one, and each leaves a store that is right.
long 'reindex: the documents are the same before and after, and again finishes' <<'E'
for sign in '' -; do
	n=0 failed=0
	# A fault in the index's maintenance fails nothing, so rc does not tell when none is left.
	while [ $n -lt 10 ]; do
		n=$((n + 1))
		reset
		state >../before
		rc=0
		IKM_FAULT=$sign$n ikm mem reindex >../out 2>../err || rc=$?
		state | cmp - ../before
		ikm doctor >../out
		same 4 "$(ikm mem search number --threshold 0 --json | jq '.results | length')"
		ikm mem reindex >../out
		whole
		[ $rc = 0 ] || failed=$((failed + 1))
	done
	[ $failed -gt 2 ]
done
E

# Its steps are durable one by one, so what was interrupted has erased a part.
long 'purge: a part is erased, nothing else is touched, and again erases the rest' <<'E'
live() { state | grep -v '^deleted'; }
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 60 ]
		reset
		live >../before
		rc=0
		IKM_FAULT=$sign$n ikm mem purge >../out 2>../err || rc=$?
		live | cmp - ../before
		[ $rc != 0 ] || break
		[ -z "$sign" ] || [ $rc = 137 ]
		ikm mem purge >../out
		live | cmp - ../before
		same 'deleted|erased' "$(state | grep '^deleted' | cut -d'|' -f1-2)"
		fails 1 grep -aq wombat "$db"*
		whole
	done
	[ $n -gt 4 ]
done
E
done_testing
