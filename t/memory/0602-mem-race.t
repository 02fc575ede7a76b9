#!/bin/sh
# Eight processes add, supersede and delete at once: nothing that was answered as done is lost.
# IKM_RACE_SECONDS: how long, 3 if it is not said.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
seconds=${IKM_RACE_SECONDS:-3}
export db seconds

whole() {
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	same '' "$(sqlite3 "$db" 'pragma foreign_key_check')"
}

long 'forty first memories of a store that is not there' <<'E'
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	ikm mem add "first $i" >"out.$i" 2>&1 &
done
wait
same 40 "$(cat out.* | grep -c '^mem_')"
same 40 "$(cat out.* | sort -u | wc -l)"
same "$(seq -f 'first %g' 40 | sort)" "$(sqlite3 "$db" 'select content from memories' | sort)"
E

long 'forty times the same fact is one memory with forty tags' <<'E'
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	ikm mem add "the same" -t "t$i" >"out.$i" 2>"err.$i" &
done
wait
same 1 "$(cat out.* | cut -c1-30 | sort -u | wc -l)"
same 40 "$(sqlite3 "$db" "select json_array_length(tags) from memories where content = 'the same'")"
E

try 'of twenty that supersede one, one wins' <<'E'
id=$(ikm mem add "to be replaced")
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	(rc=0; ikm mem add "by $i" --supersedes "$id" >/dev/null 2>&1 || rc=$?; echo $rc >"rc.$i") &
done
wait
same '1 0 19 4' "$(cat rc.* | sort | uniq -c | xargs)"
same 1 "$(sqlite3 "$db" "select count(*) from memories where supersedes = '$id'")"
E

more 'of twenty that delete one, one wins' <<'E'
id=$(ikm mem add "to be deleted")
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	(rc=0; ikm mem delete "$id" >/dev/null 2>&1 || rc=$?; echo $rc >"rc.$i") &
done
wait
same '1 0 19 3' "$(cat rc.* | sort | uniq -c | xargs)"
E

more 'eight processes for some seconds' <<'E'
rm -rf "$HOME/.ikigai"
w=0
while [ $w -lt 8 ]; do
	w=$((w + 1))
	(
		end=$(($(date +%s) + seconds))
		i=0
		while [ "$(date +%s)" -lt "$end" ]; do
			i=$((i + 1))
			id=$(ikm mem add "writer $w number $i" -k episodic -t "w$w") || exit 1
			if [ $((i % 3)) = 0 ]; then
				ikm mem delete "$id" >/dev/null || exit 1
				echo "$id" >>"gone.$w"
			else
				echo "$id" >>"kept.$w"
			fi
		done
		echo $i >"wrote.$w"
	) 2>>errors &
done
wait
cat errors
same 8 "$(ls wrote.* | wc -l)"
whole
same "$(cat kept.* | sort)" "$(sqlite3 "$db" 'select id from memories' | sort)"
same "$(cat gone.* | sort)" "$(sqlite3 "$db" 'select id from deleted_memories' | sort)"
w=0
while [ $w -lt 8 ]; do
	w=$((w + 1))
	same "$(seq "$(cat wrote.$w)" | awk -v w=$w '$1 % 3 { print "writer " w " number " $1 }' | tac)" \
		"$(ikm mem list -t w$w -n 10000 --json | jq -r '.memories[].content')"
done
# Searches by the index find exactly the stored memories.
n=$(sqlite3 "$db" 'select count(*) from memories')
same "{\"success\":true,\"indexed\":$n}" "$(ikm mem reindex --json)"
whole
E
done_testing
