#!/bin/sh
# sync now: push and pull of 100,000 memories against COPY of the same rows, and a sync without
# changes. The bars are 5 times COPY, and 50 ms. Usage: sync.sh IKM [ROWS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ikm=$1 rows=${2:-100000}
T=$(mktemp -d)
# shellcheck source=t/postgres.sh
. "$here/../postgres.sh"
pg_up
trap 'rc=$?; pg_down immediate; rm -rf "$PGDIR" "$T"; exit $rc' EXIT
trap 'exit 1' INT TERM HUP
for role in service ada; do pg_sql admin "create role $role login"; done
pg_fresh perf
HOME=$T IKM_SYNC_TENANT=acme IKM_SYNC_TIMEOUT=600000 IKM_MEMORY_PROJECT=p
export HOME IKM_SYNC_TENANT IKM_SYNC_TIMEOUT IKM_MEMORY_PROJECT
cd "$T"
PGUSER=service "$ikm" sync migrate >/dev/null
PGUSER=service "$ikm" sync member add ada --layer project >/dev/null
PGUSER=ada IKM_USER=ada
export PGUSER IKM_USER
awk -v n="$rows" 'BEGIN {
	srand(7)
	for (i = 1; i <= n; i++) {
		text = "note " i
		for (k = 0; k < 24; k++)
			text = text " word" int(20000 * rand() * rand())
		printf "{\"content\":\"%s\",\"layer\":\"project\",\"kind\":\"episodic\",\"tags\":[\"t%d\"]}\n", text, i % 50
	}
}' >rows.jsonl
ms() { date +%s%3N; }
took() { # NAME COMMAND…
	name=$1 && shift
	from=$(ms)
	/usr/bin/time -f '%M KB' -o "$T/rss" "$@" >"$T/said"
	echo "$name $(($(ms) - from)) ms, $(cat "$T/rss")"
}
IKIGAI_HOME=$T/one && export IKIGAI_HOME
took import "$ikm" mem import rows.jsonl
took push "$ikm" sync now --only remote
took again "$ikm" sync now --only remote
IKIGAI_HOME=$T/two
took pull "$ikm" sync now --only remote
took again "$ikm" sync now --only remote
pg_sql admin 'create table plain as select * from ikm.memories limit 0; alter table plain add primary key (tenant, owner, id)'
took copy-out "$pg_bin/psql" -X -q -U admin -c '\copy (select * from ikm.memories) to rows.copy'
took copy-in "$pg_bin/psql" -X -q -U admin -c '\copy plain from rows.copy'
