#!/bin/sh
# mem reindex while others write and search; what an interruption leaves is done by the next run.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
IKM_INDEX_BITS=6 # blocks of 64 documents and of 1,024, so that few memories need many transactions
export IKM_USER IKM_INDEX_BITS
store=$HOME/.ikigai/ikm.db
many() { # FROM TO
	seq "$1" "$2" | sed 's/.*/{"content": "note of the long list, about topic&", "tags": ["t&"]}/' |
		ikm mem import >/dev/null
}
sql() { sqlite3 "$store" "$1"; }
found() { # NUMBER…: each is found by its word, and by it alone
	for i; do
		same "note of the long list, about topic$i" \
			"$(ikm mem search "topic$i" --threshold 0 --json | jq -r '.results[0].content')"
	done
}
settled() {
	same '0 0' "$(sql 'select rebuilt, (select count(*) from index_gone) from index_numbers' | tr '|' ' ')"
	ikm doctor >out
}

try 'killed in the middle: everything is found, others write, and the next run continues' <<'E'
many 1 700
gone=$(ikm mem list -t t650 --json | jq -r '.memories[0].memoryId')
for at in 4 9 14; do
	IKM_FAULT=-$at ikm mem reindex >out 2>err || [ $? = 137 ]
	[ "$(sql 'select rebuilt from index_numbers')" -gt 0 ]
	found 1 $((at * 10)) 699
	ikm doctor >out
	ikm mem add "said in between $at" >/dev/null
done
ikm mem delete "$gone" >/dev/null
same 0 "$(ikm mem search topic650 --threshold 0 --json | jq '[.results[] | select(.content | test("topic650"))] | length')"
ikm mem reindex >out
rest=$(sed 's/[^0-9]//g' out)
[ "$rest" -gt 0 ]
[ "$rest" -lt 650 ]
settled
found 1 350 700
same 3 "$(ikm mem search 'said in between' --threshold 0 --json | jq '[.results[] | select(.content | test("said"))] | length')"
ikm mem reindex | grep -qx 'indexed 702 memories'
settled
E

long 'a damaged index is made anew' <<'E'
ikm mem delete "$(ikm mem list -t t40 --json | jq -r '.memories[0].memoryId')" >/dev/null
many 40 40
sql "update index_postings set data = x'ffff'; update index_attributes set data = x'00' where attribute = 'removed';
	delete from index_recent where doc % 2"
fails 8 ikm mem search topic3 >out 2>err
ikm mem reindex >out
settled
found 3 40 700
E

more 'writers and readers go on meanwhile; what they change is in the new index' <<'E'
many 701 2500
mkdir log
( n=0
until [ -e stop ]; do
	n=$((n + 1))
	id=$(ikm mem add "written by the other $n" --json | jq -r .memoryId)
	[ $((n % 3)) != 0 ] || ikm mem delete "$id" >/dev/null
	ikm mem edit "$(ikm mem list -t "t$n" --json | jq -r '.memories[0].memoryId')" -t edited >/dev/null
	ikm mem delete "$(ikm mem list -t "t$((2000 + n))" --json | jq -r '.memories[0].memoryId')" >/dev/null
	found $((1000 + n))
	echo $n >log/done
done ) 2>log/err &
pid=$!
until [ -s log/done ]; do sleep 0.05; done
ikm mem reindex >out
grep -q '^indexed' out
: >stop
wait $pid
cat log/err
n=$(cat log/done)
# What the writer deleted afterwards is subtracted.
same 0 "$(sql 'select rebuilt from index_numbers')"
ikm doctor >out
same $((2502 + n - n / 3 - n)) "$(sql 'select count(*) from memories')"
same "$n" "$(ikm mem list -t edited -n 10000 --json | jq '.memories | length')"
same $((n - n / 3)) "$(sql "select count(*) from memories where content like 'written by the other%'")"
found 1 1500
same 0 "$(ikm mem search topic2001 --threshold 0 --json | jq '[.results[] | select(.content | test("topic2001$"))] | length')"
E

done_testing
