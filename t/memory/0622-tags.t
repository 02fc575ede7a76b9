#!/bin/sh
# Memories are found by the words of their tags, also in a store that an older ikm has indexed.
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
db=$home/ikm.db
IKM_USER=ada
export home db IKM_USER

contents() { ikm mem search "$@" --threshold 0 --json | jq -r '.results[].content'; }
# The store of 0.1.0, where a memory has tags that stand in no content.
old() {
	rm -rf "$home"
	mkdir -m 700 "$home"
	(umask 077 && sqlite3 "$db" <"$TOP/t/store-0.1.0.sql")
}
# Everything in the index, except the numbers of the documents.
terms() {
	sqlite3 "$db" 'select hex(data) from index_recent order by doc; select count(*) from words'
}

long 'by a word of a tag, its stem, its parts, its beginning, and with a slip' <<'E'
ikm mem add zork -t infrastructure -t coding-style >out
ikm mem add "the heron is in the pond" >out
for query in infrastructure infrastructures infra infrastucture coding code style coding-style; do
	same zork "$(contents "$query")"
done
same infrastructure "$(ikm mem search infrastructure --explain --json | jq -r '.words[0]')"
same '' "$(contents pond -t infrastructure)"
same zork "$(contents zork -t infrastructure)"
same '' "$(contents zork -t infra)"
E

long 'the example of the tool: found among a dozen of the kind' <<'E'
ikm mem add "User prefers functional programming patterns over OOP" -t preferences -t coding-style >out
for text in 'User prefers TypeScript over JavaScript' 'User likes PostgreSQL for storage' 'User uses vim' \
	'User lives in Vienna' 'User has two cats' 'User works on Mondays' 'User drinks green tea' \
	'User speaks German' 'User prefers short answers' 'User runs Debian' 'User reads Borges' \
	'User cycles to work' 'User dislikes meetings'; do
	ikm mem add "$text" >out
done
ikm mem search "What are the user's coding preferences?" --json >out
same 'User prefers functional programming patterns over OOP' "$(jq -r '.results[0].content' out)"
same null "$(jq .belowThreshold out)"
[ "$(jq .totalCount out)" -ge 1 ]
E

try 'a text about it goes before one that is only tagged so; a tag does not lengthen a text' <<'E'
ikm mem add "kestrel nests high" >out
ikm mem add "gulls nest low" -t kestrel >out
same 'kestrel nests high' "$(contents kestrel | head -1)"
same 2 "$(contents kestrel | wc -l)"
rm -rf "$home"
for tags in '' '-t alpha -t beta -t gamma'; do
	rm -rf "$home"
	# shellcheck disable=SC2086
	ikm mem add "kestrel nests high" $tags >out
	ikm mem add "gulls nest low" >out
	ikm mem search 'nests high' --explain --json | jq -c '.results[0] | [.score, .parts]' >>scores
done
same 1 "$(sort -u scores | wc -l)"
E

long 'a repeat brings a tag, a delete takes it away, a restore brings it back, a purge forgets it' <<'E'
ikm mem add "merlin" -t falcon >out
ikm mem add "merlin" -t raptor >out
same merlin "$(contents raptor)"
same merlin "$(contents falcon)"
id=$(ikm mem search merlin --json | jq -r '.results[0].memoryId')
ikm mem delete "$id" >out
same '' "$(contents falcon)"
ikm mem restore "$id" >out
same merlin "$(contents raptor)"
ikm mem delete "$id" >out
ikm mem purge >out
same 0 "$(sqlite3 "$db" "select count(*) from words where word in ('falcon', 'raptor', 'merlin')")"
ikm doctor >out
E

more 'an import, small and large, has the words of tags; made anew, the index is the same' <<'E'
for n in 3 1100; do
	rm -rf "$home"
	seq $n | sed 's/.*/{"content":"note & of the harbour","tags":["pier-&","quayside"]}/' >lines
	ikm mem import lines >out 2>&1
	same 'note 2 of the harbour' "$(contents 'pier-2' | head -1)"
	same "note $n of the harbour" "$(contents "pier-$n" | head -1)"
	ikm mem search quayside --json | jq -e '.results | length > 2' >out
	contents 'quayside pier-3' >before
	ikm mem reindex >out
	contents 'quayside pier-3' | diff before -
	ikm doctor >out
done
E

more 'a store of 0.1.0: doctor says that its index is old, and the next command makes it anew' <<'E'
old
ikm doctor --json >out
same true "$(jq .healthy out)"
jq -r '.findings[] | select(.area == "index" and .level == "note").message' out |
	grep -q 'the next command that needs it makes it anew'
same 'ikm mem reindex' "$(jq -r '.findings[] | select(.area == "index").step' out)"
contents taste | grep -qFx "Ada prefers tea"
same '' "$(ikm doctor --json | jq -r '.findings[] | select(.area == "index").message')"
E

more 'reindex makes the index of an older store anew once' <<'E'
old
ikm mem reindex | grep -qx 'indexed [0-9]* memor[a-z]*'
# A rebuild gives numbers from the next large block.
same 1 "$(sqlite3 "$db" 'select last / 65536 from index_numbers')"
E

more 'a memory of an older index can be changed, deleted, restored, purged' <<'E'
old
ikm mem add "Ada prefers tea" -k semantic -t leaf >out
same 'Ada prefers tea' "$(contents taste)"
ikm doctor >out
old
id=$(sqlite3 "$db" "select id from memories where tags <> '[]'")
ikm mem delete "$id" >out
ikm doctor >out
ikm mem restore "$id" >out
same 'Ada prefers tea' "$(contents taste)"
ikm mem delete "$id" >out
ikm mem purge >out
same 0 "$(sqlite3 "$db" 'select count(*) from index_gone')"
ikm doctor >out
ikm mem reindex >out
ikm doctor >out
E

more 'making the index of an older store anew fails or is killed: the next command finishes it' <<'E'
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 60 ]
		old
		rc=0
		IKM_FAULT=$sign$n ikm mem search tea >out 2>err || rc=$?
		ikm doctor >out
		contents taste | grep -qFx "Ada prefers tea"
		ikm doctor >out
		same '0 0' "$(sqlite3 -separator ' ' "$db" 'select stale, rebuilt from index_numbers')"
		ikm mem delete "$(sqlite3 "$db" "select id from memories where tags <> '[]'")" >out
		ikm mem purge >out
		ikm doctor >out
		[ $rc != 0 ] || break
	done
	[ $n -gt 1 ]
done
E
done_testing
