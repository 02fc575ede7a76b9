#!/bin/sh
# Stores that ikm 0.1.0 left: each command finds all of it, and nothing is lost on the way. The store of
# schema 4 is an early one, and that of schema 14 the one of the release.
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
store=$home/ikm.db
IKM_USER=ada
export home store IKM_USER
schema=$(find "$TOP/sql/sqlite" -name '*.sql' | wc -l)
export schema
git init -q .
git remote add origin https://git.example.org/acme/web.git

old() { # FIXTURE
	rm -rf "$home"
	mkdir -m 700 "$home" "$home/keys"
	(
		umask 077
		for key in event-1.key checkpoint.key chain.begun; do
			sed -n "s/^-- $key: //p" "$TOP/t/$1" >"$home/keys/$key"
		done
		find "$home/keys" -empty -delete
		sqlite3 -cmd '.dbconfig defensive off' "$store" <"$TOP/t/$1" >/dev/null
	)
}
contents() { ikm mem list --json | jq -c '[.memories[].content] | sort'; }

try 'a store of schema 4: memories, assets, pins, former versions; new ones beside them' <<'E'
old store-0.1.0.sql
same '["Ada prefers tea","The PIN is 1234","The build was green","The city is Milan","The city is Rome","ingested","look at the tests","step one"]' \
	"$(contents)"
same "$schema" "$(sqlite3 "$store" 'pragma user_version')"
same 'Ada prefers tea' "$(ikm mem search drinks --json | jq -r '.results[0].content')"
same three "$(ikm read ikigai:///blocks/note.md)"
same one "$(ikm asset history blocks/note.md 1)"
same blocks/note.md "$(ikm asset list --json | jq -r ".assets[] | select(.pinned).path")"
ikm mem add 'Ada moved to Turin' >out
same 'Ada moved to Turin' "$(ikm mem search Turin --json | jq -r '.results[0].content')"
ikm doctor >out || { cat out; false; }
E

long 'a store of schema 14: its chain holds, and what was deleted comes back' <<'E'
old store-14.sql
same '["Ada prefers green tea","The deploy runs at noon"]' "$(contents)"
same "$schema" "$(sqlite3 "$store" 'pragma user_version')"
same 'Ada prefers green tea' "$(ikm mem search tea --json | jq -r '.results[0].content')"
same 'a second text' "$(ikm read ikigai:///blocks/x.md)"
same 'a text' "$(ikm asset history blocks/x.md 1)"
same blocks/x.md "$(ikm asset list --json | jq -r ".assets[] | select(.pinned).path")"
ikm events verify >out || { cat out; false; }
grep -q '^rows  *8, 8 with a MAC' out
ikm mem restore mem_01M8KME693V7N7EP8T8WNEQE02 >out
same '["Ada prefers green tea","The deploy runs at noon","to be deleted"]' "$(contents)"
ikm events undo "$(ikm events query --json | jq -r '.rows[0].event_id')" >out
same '["Ada prefers green tea","The deploy runs at noon"]' "$(contents)"
ikm events verify >out || { cat out; false; }
ikm doctor >out || { cat out; false; }
E

done_testing
