#!/bin/sh
# ikm memory-tool: hosts at the same time, and a store that fails or is killed at each durable effect.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
export db

try 'two hosts and one file: no insert is lost, each is answered' <<'E'
printf '{"command": "create", "path": "/memories/log", "file_text": ""}' | ikm memory-tool
for host in 1 2; do
	seq 1 60 | sed "s/.*/{\"command\": \"insert\", \"path\": \"\/memories\/log\", \"insert_line\": 0, \"insert_text\": \"$host.&\"}/" |
		ikm memory-tool --lines >answers.$host &
done
wait
same 120 "$(cat answers.* | jq -r 'select(.is_error | not) | .content' | grep -c '^The file /memories/log has been edited\.$')"
ikm read ikigai:///memories/log | sort >got
{ seq -f '1.%g' 60; seq -f '2.%g' 60; } | sort | diff - got
# The lines of each host are in the order of that host.
same "$(seq -f '1.%g' 60 -1 1)" "$(ikm read ikigai:///memories/log | grep '^1')"
E

long 'twelve hosts create one file, rename it, delete it: one has done it' <<'E'
many() { # JSON with {} for the number; what is not done is an answer too
	rm -f ../out.*
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		(printf '%s' "$1" | sed "s/{}/$i/" | ikm memory-tool --json >../out.$i || [ $? = 1 ]) &
	done
	wait
	cat ../out.* | jq -c .is_error | sort | uniq -c | tr -s ' ' | tr '\n' ,
}
once=' 1 false, 11 true,'
same "$once" "$(many '{"command": "create", "path": "/memories/one", "file_text": "{}"}')"
same "$once" "$(many '{"command": "rename", "old_path": "/memories/one", "new_path": "/memories/to{}/x"}')"
same "$(ikm list ikigai:///memories --json | jq -r '.paths[]' | grep -c /x)" 1
same "$once" "$(many '{"command": "rename", "old_path": "/memories/log", "new_path": "/memories/one"}')"
same "$once" "$(many '{"command": "delete", "path": "/memories/one"}')"
same ok "$(sqlite3 "$db" 'pragma integrity_check')"
E

state() { # a store whose making was cut short has no tables yet
	[ ! -s "$db" ] || [ "$(sqlite3 "$db" "select count(*) from sqlite_master where name = 'stored_assets'")" = 0 ] ||
		sqlite3 "$db" 'select path, content from stored_assets order by path'
}
# JSON: the call fails or dies at the Nth effect, for every N. The file is old or new, never a mix,
# and the answer is right.
faults() {
	rm -rf "$HOME/.ikigai"
	for name in 1 2 sub/3; do
		echo text | ikm write ikigai:///memories/d/$name
	done
	cp -r "$HOME/.ikigai" ../fresh
	state >../before
	printf '%s' "$1" >../asked
	ikm memory-tool <../asked
	state >../after
	cmp -s ../before ../after && return 1
	for sign in '' -; do
		n=0 rc=1
		while [ $rc != 0 ]; do
			n=$((n + 1)) rc=0
			rm -rf "$HOME/.ikigai"
			cp -r ../fresh "$HOME/.ikigai"
			IKM_FAULT=$sign$n ikm memory-tool <../asked >../out 2>../err || rc=$?
			state >../now
			case $rc in
			0) cmp ../now ../after ;;
			8) cmp ../now ../before && [ ! -s ../out ] && [ -s ../err ] ;;
			137) cmp -s ../now ../before || cmp ../now ../after ;;
			*) cat ../out ../err; false ;;
			esac || { echo "$1 $sign$n: $rc"; return 1; }
			[ $rc = 0 ] || cmp -s ../now ../after || ikm memory-tool <../asked
			state | cmp - ../after
			same ok "$(sqlite3 "$db" 'pragma integrity_check')"
		done
		[ $n -gt 1 ] || { echo "no effect"; return 1; }
	done
	rm -r ../fresh
}
for json in '{"command": "create", "path": "/memories/new", "file_text": "x"}' \
	'{"command": "str_replace", "path": "/memories/d/1", "old_str": "text", "new_str": "x"}' \
	'{"command": "rename", "old_path": "/memories/d", "new_path": "/memories/e"}' \
	'{"command": "delete", "path": "/memories/d"}'; do
	export json
	some 4 "faults: $json" <<'E'
faults "$json"
E
done

done_testing
