#!/bin/sh
# Sync with a server on the same machine, which starts for it, in milliseconds. 20,000 memories,
# with PERF_FULL=1 also 100,000 and 300,000, medians of three runs. Their ids rise, as those of
# 'mem add' do; of rows without ids and times (PERF_IDS=none) an import makes hashes, in no order:
# - push against COPY into a table with the same key, pull against COPY out of the rows: the bars
#   are 4 and 5 times. COPY parses nothing, checks nothing and makes no index of words, so also
# - pull against sqlite3, which loads the same rows from another store: the tables of memories and
#   of what the server holds, their SQL indexes and an FTS5 index (porter, external content), as
#   durably and with as much cache;
# - a sync without changes against 'psql -c "select 1"', in turns, 15 times in each run: the median
#   and the least;
# - the most resident memory of both at each number of rows against that at 20,000, in KiB.
# Usage: sync.sh IKM
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ikm=$1 runs=${PERF_RUNS:-3}
T=$(mktemp -d)
# shellcheck source=t/postgres.sh
. "$here/../postgres.sh"
if [ -z "$pg_bin" ] || ! command -v sqlite3 >/dev/null; then
	echo "sync: PostgreSQL or sqlite3 is not installed" >&2
	exit 0
fi
pg_up
trap 'rc=$?; pg_down immediate; rm -rf "$PGDIR" "$T"; exit $rc' EXIT
trap 'exit 1' INT TERM HUP
for role in service ada; do pg_sql admin "create role $role login"; done
HOME=$T IKM_SYNC_TENANT=acme IKM_SYNC_TIMEOUT=600000 IKM_MEMORY_PROJECT=p
export HOME IKM_SYNC_TENANT IKM_SYNC_TIMEOUT IKM_MEMORY_PROJECT
cd "$T"

took() { # NAME COMMAND…: adds its time to ms.NAME, and keeps its resident memory in kib.NAME
	name=$1 && shift
	from=$(date +%s%3N)
	/usr/bin/time -f %M -o "kib.$name" "$@" >said
	echo $(($(date +%s%3N) - from)) >>"ms.$name"
}
median() { sort -n "ms.$1" | awk '{ ms[NR] = $1 } END { print ms[int((NR + 1) / 2)] }'; }
least() { sort -n "ms.$1" | head -1; }
line() { # NAME OURS THEIRS
	awk -v name="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%s %d %d %.2f\n", name, a, b, a / (b ? b : 1) }'
}
as() { # HOME COMMAND…
	IKIGAI_HOME=$T/$1 PGUSER=ada IKM_USER=ada
	export IKIGAI_HOME PGUSER IKM_USER
	shift && "$@"
}

for n in 20000 ${PERF_FULL:+100000 300000}; do
	rm -f ms.* one.copy
	awk -v n="$n" -v ids="${PERF_IDS:-rise}" 'BEGIN {
		srand(7)
		for (i = 1; i <= n; i++) {
			text = "note " i
			for (k = 0; k < 24; k++)
				text = text " word" int(20000 * rand() * rand())
			id = ids == "none" ? "" : sprintf("\"memoryId\":\"mem_01KAB%021d\",", i)
			printf "{%s\"content\":\"%s\",\"layer\":\"project\",\"kind\":\"episodic\",\"tags\":[\"t%d\"]}\n", id, text, i % 50
		}
	}' >rows.jsonl
	rm -rf imported
	as imported "$ikm" mem import rows.jsonl >/dev/null
	for run in $(seq "$runs"); do
		PGUSER=ada
		pg_fresh "perf_${n}_$run"
		PGUSER=service "$ikm" sync migrate >/dev/null
		PGUSER=service "$ikm" sync member add ada --layer project >/dev/null
		rm -rf one two sqlite.db*
		cp -R imported one
		as one took push "$ikm" sync now --only remote
		as two took pull "$ikm" sync now --only remote
		for turn in $(seq 15); do
			as two took again "$ikm" sync now --only remote
			took select "$pg_bin/psql" -X -q -U ada -c "select $turn"
		done
		took out "$pg_bin/psql" -X -q -U admin -c '\copy (select * from ikm.memories) to one.copy'
		pg_sql admin 'create table plain as select * from ikm.memories limit 0;
			alter table plain add primary key (tenant, owner, id)'
		took in "$pg_bin/psql" -X -q -U admin -c '\copy plain from one.copy'
		sqlite3 two/ikm.db "select sql || ';' from sqlite_schema where type in ('table', 'index')
			and tbl_name in ('memories', 'sync_rows') and sql is not null" |
			sed 's/ references [a-z_]* ([a-z]*)\( on delete cascade\)*//' >schema.sql
		cat >load.sql <<'S'
pragma journal_mode = wal;
pragma synchronous = full;
pragma cache_size = -32768;
attach 'two/ikm.db' as two;
.read schema.sql
create virtual table fts using fts5 (content, content='memories', content_rowid='doc', tokenize='porter');
begin;
insert into memories select * from two.memories;
insert into sync_rows select * from two.sync_rows;
insert into fts (fts) values ('rebuild');
commit;
S
		took sqlite sh -c 'exec sqlite3 sqlite.db <load.sql'
	done
	line "sync-push-$n" "$(median push)" "$(median in)"
	line "sync-pull-$n" "$(median pull)" "$(median out)"
	line "sync-pull-$n-sqlite" "$(median pull)" "$(median sqlite)"
	line "sync-again-$n" "$(median again)" "$(median select)"
	line "sync-again-$n-least" "$(least again)" "$(least select)"
	for way in push pull; do
		[ "$n" != 20000 ] || cp "kib.$way" "first.$way"
		line "sync-$way-$n-memory" "$(cat "kib.$way")" "$(cat "first.$way")"
	done
done
