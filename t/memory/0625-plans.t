#!/bin/sh
# Statements that read a page of memories read no more of them: also in a store that has one scope only,
# and whose statistics nobody made.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER
ikm mem add 'The heron sleeps at gate one' >/dev/null
plan() { { echo 'explain query plan' && statement "$1"; } | sqlite3 "$HOME/.ikigai/ikm.db" >plan; }

try 'memories are read in the order in which they are shown, and not sorted' <<'E'
for name in memory_by_id memory_each export_each; do
	plan $name
	cat plan
	least 3 plan
	not grep 'TEMP B-TREE FOR ORDER BY' plan
	not grep 'memories_scope' plan
done
E

try 'a memory of a scope is found by its scope, where few of many are wanted' <<'E'
for name in search_entries_before search_entries_after search_between; do
	plan $name
	cat plan
	grep -q 'memories_scope' plan
	not grep 'TEMP B-TREE' plan
done
E
done_testing
