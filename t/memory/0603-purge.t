#!/bin/sh
# A purged memory leaves no byte in the store's files; the memories of others stay and can be found.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
export db
fresh() { rm -rf "$HOME/.ikigai"; }
whole() {
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	same '' "$(sqlite3 "$db" 'pragma foreign_key_check')"
}
# WORD: in any case of letters, in ikm.db, -wal and -shm.
there() { cat "$db"* | grep -aiq -- "$1"; }
nowhere() { for word; do ! there "$word" || { echo "'$word' is still there"; return 1; }; done; }

long 'a deleted memory: its words, tags, metadata and all, nowhere' <<'E'
fresh
ikm mem add 'Our shared database is PostgreSQL' >out
id=$(ikm mem add 'The Zanzibar password of the database is swordfish' -t Quokka \
	--metadata '{"Wombat": "Numbat"}' --source Kiwi --type Emuish)
there zanzibar
ikm mem delete "$id" >out
for word in zanzibar swordfish quokka wombat numbat kiwi emuish; do there $word; done
same '{"success":true,"erased":1}' "$(ikm mem purge --json)"
nowhere zanzibar swordfish quokka wombat numbat kiwi emuish
there postgresql
same 'database postgresql shared' "$(sqlite3 "$db" 'select word from words order by word' | xargs)"
same "$id|" "$(sqlite3 "$db" "select id, memory from deleted_memories")"
fails 3 ikm mem restore "$id" --json >out
same NO_SUCH_MEMORY "$(jq -r .details.reason out)"
grep -q 'was deleted and purged' out
fails 3 ikm mem show "$id" 2>err
same '' "$(ikm mem list --deleted --json | jq -r '.memories[].content')"
same '{"success":true,"erased":0}' "$(ikm mem purge --json)"
whole
E

long 'many: the deleted ones are in segments' <<'E'
fresh
id=$(ikm mem add 'the first word is aardvark')
sqlite3 "$db" "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
	insert into memories (doc, id, scope, kind, type, tags, source, importance, confidence, provenance,
	redaction, status, state, user_id, agent_id, session_id, speaker, turn, supersedes, superseded_by,
	superseded_at, happened_at, created_at, updated_at, expires_at, tokens, token_model, content_hash,
	metadata, content) select (select max(doc) from memories) + i, printf('mem_%026d', i), scope, 'episodic',
	type, tags, source, importance, confidence, provenance, redaction, status, state, user_id,
	agent_id, session_id, speaker, turn, supersedes, superseded_by, superseded_at, happened_at,
	created_at, updated_at, expires_at, tokens, token_model, content_hash, metadata,
	'copy ' || i || ' about platypus' from memories, n where id = '$id';
	update index_numbers set last = 5001"
ikm mem reindex >out
same 'indexed 5001 memories' "$(cat out)"
[ "$(sqlite3 "$db" "select count(*) from index_segments where state = 'live'")" -gt 0 ]
ikm mem delete "$id" >out
there aardvark
ikm mem purge >out
grep -q '^erased 1 memory; no byte of it is left' out
nowhere aardvark
there platypus
same 'copy platypus' "$(sqlite3 "$db" "select word from words where word not glob '[0-9]*' order by word" | xargs)"
whole
E

long 'what gave way or expired is erased too' <<'E'
fresh
IKM_NOW=2026-01-01T00:00:00Z
export IKM_NOW
ikm mem add 'step about capybara' -k working >out
for i in $(seq 20); do ikm mem add "step $i" -k working >out; done
ikm mem add 'note about ocelot' -k scratch >out
ikm mem add 'fact about lynx' --expires 1d >out
same '{"success":true,"erased":0}' "$(ikm mem purge --json)"
nowhere capybara
there ocelot
IKM_NOW=2026-02-01T00:00:00Z
same '{"success":true,"erased":21}' "$(ikm mem purge --json)"
nowhere ocelot
there lynx
whole
E

try 'a form of a word that only the purged one had' <<'E'
fresh
ikm mem add 'the train was delayed' >out
ikm mem delete "$(ikm mem add 'delaying trains is sabotage')" >out
ikm mem purge >out
nowhere delaying sabotage
same 'delayed train' "$(sqlite3 "$db" 'select word from words order by word' | xargs)"
E

try 'while somebody reads: LOCKED, what to do, and then it works' <<'E'
fresh
ikm mem add 'stays' >out
ikm mem delete "$(ikm mem add 'goes with the wombat')" >out
mkfifo hold
sqlite3 "$db" >reading <<'S' &
begin;
select count(*) from memories;
.shell cat hold
S
reader=$!
while [ ! -s reading ]; do sleep 0.1; done
rc=0
ikm mem purge --json >out || rc=$?
: >hold
wait $reader
same '75 LOCKED true' "$rc $(jq -r '"\(.details.reason) \(.retryable)"' out)"
grep -q 'erased 1 memory, but its bytes are still in the file' out
jq -r '.help.steps[]' out | grep -q 'purge again when no other ikm is running'
ikm mem purge >out
nowhere wombat
whole
E

long 'ids erase only these; one that is not deleted is told, and then none is erased' <<'E'
fresh
git init -q repo && cd repo && git remote add origin https://example.com/a/b
keep=$(ikm mem add 'Deleted by mistake: the axolotl')
gone=$(ikm mem add 'The password is swordfish' --layer project)
live=$(ikm mem add 'Stays: the narwhal')
other=$(ikm mem add 'Edited: the pangolin')
ikm mem edit "$other" --tag capybara >out
ikm mem delete "$keep" "$gone" >out
fails 4 ikm mem purge "$gone" "$live" --json >out
same EXISTS "$(jq -r .details.reason out)"
jq -r '.help.steps[]' out | grep -qx "first delete it: ikm mem delete $live"
there swordfish
same '{"success":true,"erased":1}' "$(ikm mem purge "$gone" --json)"
nowhere swordfish
ikm mem restore "$keep" >out
ikm mem search axolotl | grep -q axolotl
ikm mem search narwhal | grep -q narwhal
# A former state of another memory stays, for its undo.
ikm events undo "$(ikm mem history "$other" --json | jq -r '.history[1].event')" >out
# What was erased before is erased again: a purge may have ended with bytes in the file.
same '{"success":true,"erased":0}' "$(ikm mem purge "$gone" --json)"
fails 3 ikm mem purge mem_nothing --json >out
same NO_SUCH_MEMORY "$(jq -r .details.reason out)"
whole
E

try 'all: a terminal is asked, and told how many' <<'E'
fresh
for name in wombat quokka; do ikm mem delete "$(ikm mem add "goes: $name")" >out; done
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
echo n | script -qec 'ikm mem purge' /dev/null >out || :
grep -q 'erase 2 deleted or expired memories of all users for ever? \[y/N\]' out
grep -q 'nothing is erased' out
there wombat
echo y | script -qec 'ikm mem purge' /dev/null >out
grep -q 'erased 2 memories; no byte of them is left' out
nowhere wombat quokka
E
done_testing
