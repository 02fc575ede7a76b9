#!/bin/sh
# The server fails at each step of a push and of a pull: ikm connects again, and in the end each row
# is on both machines and on the server, once. A proxy (t/pgproxy.py) counts the steps.
. "$(dirname "$0")/../lib.sh"
long_all
. "$TOP/t/sync.sh"
needs 'python3' "$(command -v python3 || echo "$T/none")"

sync_up ada
member ada --layer project

# Sanitized programs are slow: they try every third step.
stride=1
! grep -q __asan_init "$BUILD/test/ikm" || stride=3
plan=$T/w/plan
mkdir "$PGDIR/proxy" && chmod 777 "$PGDIR/proxy"
python3 "$TOP/t/pgproxy.py" "$PGDIR/proxy/.s.PGSQL.5432" "$PGDIR/.s.PGSQL.5432" "$plan" &
proxy=$!
trap 'rc=$?; kill $proxy 2>/dev/null; pg_down immediate; rm -rf "$PGDIR"; cd / && chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; exit $rc' EXIT
for i in $(seq 100); do [ ! -S "$PGDIR/proxy/.s.PGSQL.5432" ] || break; sleep 0.05; done

rows() { at "$1" "select id, content, tags from memories order by id"; }
record() { at "$1" "select event_id || ' ' || number from events"; }
# New ones, a changed one and a deleted one.
change() { # N
	for i in 1 2 3; do echo "{\"content\":\"step $1 row $i\",\"layer\":\"project\",\"kind\":\"episodic\"}"; done >lines
	on a1 mem import lines >/dev/null
	one=$(at a1 'select id from memories order by doc limit 1')
	on a1 mem edit "$one" --tag "t$1" >/dev/null
	on a1 mem delete "$(at a1 'select id from memories order by doc desc limit 1')" >/dev/null
}
# Both machines and the server have the same rows, and the record of a1 is there once.
settled() {
	sync a1 a2
	rows a1 >rows.a1 && rows a2 | diff rows.a1 -
	least 10 rows.a1
	pg_sql ada "select id, memory ->> 'content' from ikm.memories where memory is not null order by id" >rows.server
	cut -d'|' -f1,2 rows.a1 | diff - rows.server
	{ record a1; record a2; } | sort >record.here
	pg_sql ada "select (event ->> 'event_id') || ' ' || coalesce(event ->> 'number', '0') from ikm.events" | sort | diff record.here -
	sync a1 a2
	for m in a1 a2; do same '0 0 0 0 0 0' "$(counts $m)"; done
}
each_step() { # WHEN COMMAND
	for side in a1 a2; do
		n=0
		while :; do
			n=$((n + stride))
			[ $n -lt 60 ] || exit 1
			change "$1 $n"
			[ $side = a1 ] || sync a1
			echo "$n $1 $2" >"$plan"
			PGHOST=$PGDIR/proxy on $side sync now --only remote --json >out 2>err || { echo "step $n"; cat out err; exit 1; }
			[ ! -e "$plan" ] || break
			jq -e '.remote.reconnected == 1' out >/dev/null || { echo "step $n"; cat out; exit 1; }
		done
		rm "$plan"
		# Whole batches went over: this was no loop over nothing.
		[ $side = a2 ] || same 1 "$((n > 12))"
		same 1 "$((n > 3))"
	done
	settled
}
terminate="PGUSER=admin $pg_bin/psql -X -q -h $PGDIR -c \"select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ada'\""
restart=". $TOP/t/postgres.sh; pg_down immediate; pg_start"

try 'the connection is cut before each step' <<'T'
each_step cut true
T

more 'the server does each step, and its answer is lost' <<'T'
each_step after true
T

more 'the server ends the connection before each step' <<'T'
each_step before "$terminate"
T

more 'the server is killed before each step, and starts again' <<'T'
each_step before "$restart"
T

more 'the server is killed behind each step, with its answer on the way' <<'T'
each_step after "$restart"
T

more 'a memory that is deleted or changed while it is on its way to the server' <<'T'
n=0
while :; do
	n=$((n + 1))
	[ $n -lt 60 ] || exit 1
	dead=$(on a1 mem add "deleted at step $n" --layer project --json | jq -r .memoryId)
	live=$(on a1 mem add "changed at step $n" --layer project --json | jq -r .memoryId)
	echo "$n before IKM_USER=ada IKIGAI_HOME=$T/w/a1 IKM_MEMORY_PROJECT=p sh -c 'ikm mem delete $dead && ikm mem edit $live --tag late' >$T/w/meanwhile 2>&1" >"$plan"
	PGHOST=$PGDIR/proxy on a1 sync now --only remote --json >out 2>err || { echo "step $n"; cat out err; exit 1; }
	[ ! -e "$plan" ] || break
	sync a1 a2
	same 0 "$(at a2 "select count(*) from memories where id = '$dead'")"
	same '["late"]' "$(at a2 "select tags from memories where id = '$live'")"
done
rm "$plan"
[ $n -gt 8 ]
settled
T

more 'a server that freezes counts as lost: ikm does not wait for ever' <<'T'
change frozen
echo "2 before PGUSER=admin $pg_bin/psql -X -q -A -t -h $PGDIR -c \"select pid from pg_stat_activity where usename = 'ada'\" >$T/w/frozen && kill -STOP \$(cat $T/w/frozen)" >"$plan"
PGHOST=$PGDIR/proxy on a1 -c sync.timeout=500 sync now --only remote --json >out 2>err || { cat out err; exit 1; }
kill -CONT "$(cat "$T/w/frozen")"
jq -e '.remote.reconnected == 1' out
settled
T

more 'a server that freezes while it takes rows counts as lost, too' <<'T'
for i in $(seq 40); do
	awk -v i="$i" 'BEGIN { s = "large " i; while (length(s) < 60000) s = s " word" i "x" length(s); print s }' |
		jq -Rc '{content: ., layer: "project", kind: "episodic"}'
done >large
on a1 mem import large >/dev/null
echo "1 copying PGUSER=admin $pg_bin/psql -X -q -A -t -h $PGDIR -c \"select pid from pg_stat_activity where usename = 'ada'\" >$T/w/frozen && kill -STOP \$(cat $T/w/frozen)" >"$plan"
rc=0
PGHOST=$PGDIR/proxy timeout 60 sh -c "IKM_USER=ada PGUSER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME=$T/w/a1 IKM_MEMORY_PROJECT=p ikm -c sync.timeout=500 sync now --only remote --json" >out 2>err || rc=$?
kill -CONT "$(cat "$T/w/frozen")"
# The frozen process still holds the tenant, so the next attempt cannot have it.
same 75 $rc
[ -s out ]
jq -e '.retryable and .details.reason == "TOOK_TOO_LONG"' out
settled
T
done_testing
