#!/bin/sh
# Memories that t/perf/memories.c makes, 10,000 of them, with PERF_FULL=1 also 100,000 and a million:
# - import against sqlite3, which loads the same columns with the same SQL indexes and an FTS5 index
#   (porter, external content), as durably, in seconds;
# - 200 questions by whole processes against FTS5's OR and bm25(): median, 95th percentile,
#   resident memory, share of questions whose memory is among the first ten; at a million also
#   against 20 ms and 48 MB. Ranking by passages
#   costs four questions of 200 here, .87 to .85: the words of a made question stand anywhere in its
#   memory. In texts that people wrote they stand together;
# - the same as memory queries of a ToolRequest, which are of one type: the memory that a question
#   is about often is of another, and is not among theirs;
# - bytes of the indexes of words;
# - at 10,000 a search against `git --version`; one durable add against one insert by sqlite3.
# Usage: mem.sh IKM PAIR
set -eu
ikm=$1 pair=$2
here=$(cd "$(dirname "$0")" && pwd)
bin=$(dirname "$pair")
command -v sqlite3 >/dev/null || { echo "mem: sqlite3 is not installed" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
IKIGAI_HOME=$dir/home IKM_USER=ada IKM_SESSION=s0 IKM_MEMORY_PROJECT=p
export IKIGAI_HOME IKM_USER IKM_SESSION IKM_MEMORY_PROJECT dir ikm
cd "$dir"

# The table as ikm has it. sqlite3 imports no null, so it is the empty text where ikm has null.
awk '/^create table memories /,/;$/ { sub(/\) strict;/, ");"); print }
	/^create index memories_/,/;$/ { gsub(/is not null/, "<> '\'''\''"); print }' \
	"$here/../../sql/sqlite/0002-memory.sql" >schema.sql
cat >load.sql <<'S'
pragma journal_mode = wal;
pragma synchronous = full;
.read schema.sql
create virtual table fts using fts5 (content, content='memories', content_rowid='doc', tokenize='porter');
.mode tabs
.import memories.tsv memories
insert into fts (fts) values ('rebuild');
S
# shellcheck disable=SC2016
ours='rm -rf home; "$ikm" mem import memories.json'
theirs='rm -f theirs.db*; sqlite3 theirs.db <load.sql'
ask='select m.id from fts join memories m on m.doc = fts.rowid where fts match '\''%'\''
	order by bm25(fts) limit 10'
bytes() { # database, tables
	sqlite3 "$1" "select sum(pgsize) from dbstat where name glob '$2'" 2>/dev/null || echo 0
}

cat >manifest.yaml <<'S'
tool:
  id: perf
  version: 1.0.0
  memory_access:
    conversation: {enabled: true, layers: [user, project]}
S
request='{"request_id": "r", "tool_id": "perf", "memory_queries": [
	{"query_id": "q", "memory_type": "conversation", "query_text": "%"}]}'

now=$(date +%s)000
for n in 10000 ${PERF_FULL:+100000 1000000}; do
	"$bin/memories" json "$n" 1 "$now" >memories.json
	"$bin/memories" tsv "$n" 1 "$now" >memories.tsv
	# shellcheck disable=SC2094
	"$bin/memories" questions "$n" 1 "$now" 200 >questions
	if [ "$n" = 1000000 ]; then
		runs=1
	else
		runs=3
	fi
	"$pair" "import-$n" $runs sh -c "$ours" -- sh -c "$theirs"
	"$bin/ask" "search-$n" "$ikm" mem search --threshold 0 --json % -- \
		sqlite3 theirs.db "$ask" <questions >asked
	cat asked
	mkdir home/manifests
	cp manifest.yaml home/manifests/perf.yaml
	"$bin/ask" "query-$n" "$ikm" mem query "<$request" -- sqlite3 theirs.db "$ask" <questions >>asked
	sed -n '/^query/p' asked
	# At a million: 20 ms for 95 of 100 questions, and 48 MB.
	awk -v n="$n" '$1 ~ /-p95$/ && n == 1000000 { print $1 "-or-20-ms", $2, 20, $2 / 20 }
		$1 ~ /-memory$/ && n == 1000000 { print $1 "-or-48-MB", $2, 48, $2 / 48 }' asked
	mine=$(bytes home/ikm.db 'index_*')
	fts=$(bytes theirs.db 'fts_*')
	[ "$fts" = 0 ] || awk -v n="$n" -v a="$mine" -v b="$fts" \
		'BEGIN { printf "index-size-%d %.1f %.1f %.2f\n", n, a / 1e6, b / 1e6, a / b }'
	if [ "$n" = 10000 ]; then
		"$pair" search-10000-start 100 "$ikm" mem search "$(sed -n '1s/.*	//p' questions)" -- \
			git --version
		# shellcheck disable=SC2016
		"$pair" add 100 sh -c 'exec "$ikm" mem add -k episodic "the build of heron uses meson, $$"' -- \
			sh -c 'exec sqlite3 -cmd "pragma synchronous = full" theirs.db "insert into memories (id,
				scope, kind, type, tags, source, importance, confidence, provenance, redaction, state,
				user_id, agent_id, session_id, speaker, turn, happened_at, created_at, updated_at,
				tokens, token_model, content_hash, metadata, content) values ($$ || random(), 1,
				'\''episodic'\'', '\'\'', '\''[]'\'', '\'\'', 0.5, 1, '\''user'\'', '\''internal'\'', '\''active'\'',
				'\''ada'\'', '\''default'\'', '\'\'', '\'\'', 0, 1, 1, 1, 9, '\''o200k'\'', random(), '\'\'',
				'\''the build of heron uses meson, $$'\'')"'
	fi
done
