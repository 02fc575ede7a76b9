#!/bin/sh
# What a person rejects is never given again, and not stored again without a word.
. "$(dirname "$0")/../lib.sh"

fresh() { rm -rf "$HOME/.ikigai"; }
add() { ikm mem add "$@" | cut -c1-30; }

long 'what a person rejects is never given, and not stored again unasked' <<'E'
fresh
id=$(add 'The parser is written in Perl' -t parser)
ikm mem mark "$id" rejected --json >out
same rejected "$(jq -r .memory.state out)"
same '[]' "$(ikm mem list -t parser --state active --json | jq -c .memories)"
fails 1 ikm mem search 'parser Perl' 2>err
ikm mem list 2>err
same "$id" "$(ikm mem list --state rejected --json | jq -r '.memories[].memoryId')"
for text in 'The parser is written in Perl' 'the parser is written in perl!'; do
	fails_for REJECTED ikm mem add "$text" 2>err
	grep -q "$id" err
done
echo '{"content": "The parser is written in Perl"}' >line
fails_for REJECTED ikm call memory_add <line >out
ikm mem add 'The parser is not written in Perl' >out
ikm mem import line >out 2>err
grep -q '1 line was skipped' err
ikm mem add 'The parser is written in Perl' --anyway >out
fails_for EXISTS ikm mem mark "$id" active 2>err
ikm mem delete "$(cut -c1-30 out)" >/dev/null
ikm mem mark "$id" active >out
ikm mem search 'written in Perl' | grep -q "$id"
E

try 'only a person rejects and takes back' <<'E'
fresh
id=$(add 'The parser is written in Perl')
echo "{\"memoryId\": \"$id\", \"status\": \"rejected\"}" >in
fails_for PERSON_DECIDES ikm call memory_mark <in >out
ikm mem mark "$id" rejected >out
echo "{\"memoryId\": \"$id\", \"status\": \"active\"}" >in
fails_for PERSON_DECIDES ikm call memory_mark <in >out
same rejected "$(ikm mem show "$id" --json | jq -r .memory.state)"
E

try 'rejecting brings back what was superseded' <<'E'
fresh
old=$(add 'Ada lives in Rome')
new=$(add 'Ada lives in Oslo' --supersedes "$old")
ikm mem mark "$new" rejected >out
same active "$(ikm mem show "$old" --json | jq -r .memory.state)"
ikm mem mark "$new" active >out
same superseded "$(ikm mem show "$old" --json | jq -r .memory.state)"
E

long 'a verdict is in the record, and only a person undoes it' <<'E'
fresh
last() { ikm mem history "$1" --json | jq -r '.history[-1].event'; }
states() { for i; do ikm mem show "$i" --json | jq -r .memory.state; done | xargs; }
old=$(add 'Ada lives in Rome')
new=$(add 'Ada lives in Oslo' --supersedes "$old")
ikm --session s mem mark "$new" rejected --json >out
same "$(last "$new")" "$(jq -r .event out)"
same '["reject",["state"],{"state":"active"}]' \
	"$(ikm mem history "$new" --json | jq -c '.history[-1] | [.op, .changed, .before]')"
git init -q r
cd r
echo "{\"eventId\": \"$(last "$new")\"}" >in
fails_for NOT_ALLOWED ikm --session s call events_undo <in >out
fails_for NOT_ALLOWED ikm call events_undo <in >out
cd ..
ikm events undo "$(last "$new")" >out
same 'active superseded' "$(states "$new" "$old")"
ikm events undo "$(last "$new")" >out
same 'rejected active' "$(states "$new" "$old")"
ikm mem mark "$new" active >out
same accept "$(ikm mem history "$new" --json | jq -r '.history[-1].op')"
E

try 'no tool changes a rejected memory, and a correction leaves it rejected' <<'E'
fresh
id=$(add 'The parser is written in Perl')
ikm mem mark "$id" rejected >out
for tool in memory_delete memory_edit; do
	jq -nc --arg id "$id" '{memoryId: $id} + if $ARGS.named.tool == "memory_edit" then {importance: 1} else {} end' \
		--arg tool $tool >in
	fails_for PERSON_DECIDES ikm call $tool <in >out
done
new=$(add 'The parser is written in C' --supersedes "$id")
same "[\"rejected\",\"$new\"]" "$(ikm mem show "$id" --json | jq -c '.memory | [.state, .supersededBy]')"
ikm mem delete "$new" >out
same rejected "$(ikm mem show "$id" --json | jq -r .memory.state)"
E
done_testing
