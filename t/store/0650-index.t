#!/bin/sh
# The index of memories: SQLite's FTS5 and plain SQL are the referees.
. "$(dirname "$0")/../lib.sh"

IKM_INDEX_BITS=6 # blocks of 64 documents and of 1,024
PATH=$BUILD/tool:$PATH
export IKM_INDEX_BITS PATH

try 'answers are those of FTS5' <<'T'
index fill s.db >fill.sql
index ask s.db >got
[ "$(sqlite3 s.db "select count(*) from index_segments where segment % 2")" = 1 ]
# Its bm25() of one word, without its idf, is the weight; ours has another idf.
{
	echo 'create virtual table f using fts5 (t); begin;'
	cat fill.sql
	echo 'commit; create table w (word, doc, weight);'
	n=0
	while [ $n -lt 40 ]; do
		echo "create temp table c as select rowid doc, -bm25(f) b from f where f match 'w$n';
			insert into w select 'w$n', doc, b / max(1e-6, ln((d - n + 0.5) / (n + 0.5)))
				* ln(1 + (d - n + 0.5) / (n + 0.5))
			from c, (select count(*) d from f), (select count(*) n from c);
			drop table c;"
		n=$((n + 1))
	done
	echo '.separator " "'
	n=0
	while [ $n -lt 20 ]; do
		echo "select $n, row_number() over (order by sum(weight) desc, doc desc), doc,
			printf('%.4f', sum(weight)) from w
			where word in ('w$n', 'w$((n + 7))', 'w$((n + 20))')
			group by doc order by 2 limit 10;"
		n=$((n + 1))
	done
} >referee.sql
sqlite3 :memory: <referee.sql >want
[ "$(wc -l <want)" = 200 ]
same "$(cut -d' ' -f1-3 want)" "$(cut -d' ' -f1-3 got)"
# Scores are 32-bit numbers here.
paste -d' ' want got | awk '{ d = $4 - $8; if (d < -0.0002 || d > 0.0002) { print; bad = 1 } }
	END { exit bad }'
T

try 'eight processes add, remove and merge at once' <<'T'
same '0 went wrong; 720 of 720 documents' "$(index race race.db)"
same ok "$(sqlite3 race.db 'pragma integrity_check')"
[ "$(sqlite3 race.db 'select count(*) from index_segments')" -gt 0 ]
T

long 'one writes and reads while another one merges a large segment' <<'T'
index live live.db >out
grep -q '^1100 documents, [1-9][0-9]* commits' out
same ok "$(sqlite3 live.db 'pragma integrity_check')"
same '1 0' "$(sqlite3 -separator ' ' live.db "select sum(segment % 2 and state = 'live'),
	sum(state = 'building') from index_segments")"
T

more 'made anew, the index is posting by posting what it grew to be' <<'T'
db=$HOME/.ikigai/ikm.db
# By the ids of memories: their numbers are others afterwards.
dump() {
	sqlite3 -separator ' ' "$db" "select doc, id from memories" >ids
	postings "$db" | awk 'NR == FNR { id[$1] = $2; next } $1 != "all" { $2 = id[$2] } { print }' ids - | sort
}
seq 1200 | jq -c '{content: "heron number \(.) of \(. % 7) reeds \(. * 7919 % 1000)", importance: (. % 5 / 5),
	tags: ["t\(. % 3)"], kind: "conversation",
	sessionId: "s\(. % 9)", turn: ., happenedAt: "20\(10 + . % 14)-01-31T00:00:00Z"}' | ikm mem import
for i in 1 2 3 4 5 6 7 8 9; do
	id=$(ikm mem add "note $i on the long tail of a word: $(seq -s ' ' $((i * 40)))" --json | jq -r .memoryId)
	ikm mem add "note $i, better" --supersedes "$id" >/dev/null
done
ikm mem list -n 1000 --json | jq -r '.memories[].memoryId' | awk 'NR % 25 == 1' | xargs -n 1 ikm mem delete >/dev/null
dump >grown
[ "$(sqlite3 "$db" 'select count(*) from index_segments where segment % 2')" -gt 0 ]
[ "$(sqlite3 "$db" 'select count(*) from index_gone')" -gt 0 ]
[ "$(sqlite3 "$db" 'select count(*) from index_recent')" -gt 0 ]
[ "$(grep -c '^doc mem_' grown)" = "$(sqlite3 "$db" 'select count(*) from memories')" ]
ikm mem reindex
same 0 "$(sqlite3 "$db" 'select count(*) from index_gone')"
dump >made
cmp grown made
T

more 'what is damaged is said, and how to make it anew' <<'T'
sqlite3 s.db 'pragma wal_checkpoint(truncate)' >out
rm -f broken.db*
cp s.db broken.db
sqlite3 broken.db "update index_postings set data = x'ffffffffffffffffffffff'"
fails 1 index ask broken.db 2>err
grep -q 'the index of memories is damaged: page' err
rm -f broken.db*
cp s.db broken.db
sqlite3 broken.db "delete from index_attributes where attribute = 'length'"
fails 1 index ask broken.db 2>err
grep -q 'the index of memories is damaged: attributes of segment' err
rm -f broken.db*
cp s.db broken.db
sqlite3 broken.db "update index_segments set last = last + 1000000"
fails 1 index ask broken.db 2>err
grep -q 'the index of memories is damaged: segment' err
rm -f broken.db*
cp s.db broken.db
sqlite3 broken.db "update index_segments set state = 'building' where segment = 1;
	update index_postings set term = 9223372036854775807, data = x'00010501'
	where page = (select max(page) from index_postings where segment = 1)"
fails 1 index fill broken.db >fill.sql 2>err
grep -q 'the index of memories is damaged: segment 1' err
T

done_testing
