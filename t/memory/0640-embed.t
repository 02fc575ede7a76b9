#!/bin/sh
# mem embed: what is made, made anew, left out; and programs that misbehave.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
IKM_USER=ada
export IKM_USER

# An embedder: [how many "a", how many "b", 1] of each text. It notes how many texts it got.
cat >letters <<'P'
jq -c '{model: "letters", version: "1", vectors: [.texts[] |
	[(split("a") | length) - 1, (split("b") | length) - 1, 1]]}' >answer
cat answer
jq '.vectors | length' answer >>runs
P
use() { # PROGRAM [ARGUMENT…]: it is the embedder from here on
	mkdir -p "$HOME/.ikigai"
	jq -cn --args '{memory: {embedder: $ARGS.positional}}' "$@" >"$HOME/.ikigai/config.json"
}
named() { # MODEL: the embedder letters under another name
	sed "s/\"letters\"/\"$1\"/" letters >"$1"
	use sh "$PWD/$1"
}
sql() { sqlite3 "$db" "$1"; }
vectors() { sql 'select count(*) from vectors'; }
of() { sql "select count(*) from vectors join vector_models using (model) where name = '$1'"; }
add() { ikm mem add "$1" >/dev/null; }

try 'without a program it says what to set' <<'E'
fails 7 ikm mem embed --json >out
same '["MISSING_CREDENTIALS","NOT_CONFIGURED","memory.embedder"]' \
	"$(jq -c '[.errorCode, .details.reason, .details.setting]' out)"
jq -e '.help.steps[0] | test("memory.embedder")' out
[ ! -e "$db" ]
E

try 'it is for people only' <<'E'
ikm help tools >tools
! grep embed tools
E

try 'a store that is not there is not made' <<'E'
use sh "$PWD/letters"
same 'embedded 0 of 0: letters, 3 numbers each' "$(ikm mem embed)"
[ ! -e "$db" ]
E

try 'a question whose words are found starts no program' <<'E'
rm -rf "$HOME/.ikigai/ikm.db"*
add 'The parcel of Ada is in the cellar.'
add 'The bicycle has a flat tyre.'
ikm mem embed >/dev/null
rm -f runs
same answers "$(ikm mem search 'Where is the parcel of Ada?' --json | jq -r .relevance)"
[ ! -e runs ]
ikm mem search 'What happened to the shipment?' >/dev/null
same 1 "$(cat runs)"
rm -rf "$HOME/.ikigai/ikm.db"*
E

long 'it makes what is missing, in batches' <<'E'
for i in 1 2 3 4 5 6 7; do add "aaa b $i"; done
rm -f runs
same '{"success":true,"embedded":7,"total":7,"model":"letters","version":"1","dimension":3}' \
	"$(ikm mem embed --batch 3 --json)"
same '1 3 3 1 ' "$(tr '\n' ' ' <runs)"
same 7 "$(vectors)"
same 0 "$(ikm mem embed --json | jq .embedded)"
add 'bbb'
same '1 8' "$(ikm mem embed --json | jq -r '"\(.embedded) \(.total)"')"
# 127 times the unit vector of 0, 3, 1.
same 007828 "$(sql "select hex(data) from vectors join memories using (doc) where content = 'bbb'")"
E

try 'no query, or a store without embeddings, does not run it' <<'E'
add 'aaa'
ikm mem embed >/dev/null
rm -f runs
fails 2 ikm mem search '' 2>/dev/null
program="memory.embedder=[\"sh\", \"$PWD/letters\"]"
export IKIGAI_HOME="$PWD/empty"
same 0 "$(ikm -c "$program" mem search 'aaa' --json | jq '.results | length')"
add 'aaa'
ikm -c "$program" mem search 'aaa' --json >out
jq -e '(.results | length) == 1 and .note == null' out
[ ! -e runs ]
E

try 'mem add does not run it' <<'E'
rm -f runs
add 'another'
[ ! -e runs ]
E

try 'the memories of others are embedded too, and stay theirs' <<'E'
IKM_USER=eve ikm mem add 'a secret of eve' >/dev/null
ikm mem embed >/dev/null
same 0 "$(sql 'select count(*) from memories where doc not in (select doc from vectors)')"
ikm mem search 'the secret of eve' --threshold 0 --limit 50 --json >found
! grep 'secret of' found
E

long 'a marked memory keeps its vector, a deleted one loses it' <<'E'
before=$(vectors)
id=$(ikm mem add 'tagged later' --json | jq -r .memoryId)
ikm mem embed >/dev/null
same "$id" "$(ikm mem add 'tagged later' --tag x --json | jq -r .memoryId)"
same $((before + 1)) "$(vectors)"
same 0 "$(ikm mem embed --json | jq .embedded)"
ikm mem delete "$id" >/dev/null
same $before "$(vectors)"
ikm mem purge >/dev/null
same $before "$(vectors)"
E

more 'another model or version makes all anew, in place of the old' <<'E'
n=$(vectors)
named better
same "$n" "$(ikm mem embed --json | jq .embedded)"
same "$n $n" "$(of better) $(vectors)"
sed -i 's/version: "1"/version: "2"/' better
same "$n" "$(ikm mem embed --json | jq .embedded)"
same "$n $n" "$(of better) $(vectors)"
E

more 'interrupted, it goes on from there' <<'E'
named third
cat >counting <<'P'
n=$(($(cat n) - 1))
echo $n >n
[ $n -ge 0 ] || { echo 'out of memory' >&2; exit 9; }
exec sh third
P
use sh "$PWD/counting"
n=$(vectors)
echo 3 >n
fails 8 ikm mem embed --batch 2 2>err
grep "2 memories, the first is mem_.*: the embedder 'sh' (memory.embedder): it ended with status 9: out of memory" err
same 4 "$(of third)"
echo 100 >n
same "$((n - 4)) $n" "$(ikm mem embed --batch 2 --json | jq -r '"\(.embedded) \(.total)"')"
E

more 'failed or killed at each durable effect: what was kept is whole, and it goes on' <<'E'
named fourth
n=$(vectors) i=0
while :; do
	i=$((i + 1))
	[ $i -lt 40 ]
	for sign in '' -; do
		rc=0
		IKM_FAULT=$sign$i ikm mem embed --batch 4 >out 2>err || rc=$?
		made=$(of fourth)
		[ $((made % 4)) = 0 ] || [ "$made" = "$n" ]
		same "$n" "$(vectors)"
		same ok "$(sql 'pragma integrity_check')"
	done
	[ $rc != 0 ] || break
done
[ $i -gt 1 ]
same "$n" "$(ikm mem embed --json | jq .total)"
E

# Answers that a program may not give, and the error for each.
bad() { # WORDS OF THE MESSAGE, PROGRAM
	printf '%s\n' "$2" >bad
	use sh "$PWD/bad"
	fails 8 ikm mem embed --json >out 2>err
	jq -e --arg says "$1" '.errorCode == "PROVIDER_ERROR" and .details.reason == "PROGRAM_FAILED" and
		.details.setting == "memory.embedder" and (.message | contains($says))' out ||
		{ cat out; return 1; }
}

more 'programs that fail are named' <<'E'
bad 'printed nothing' 'cat >/dev/null'
bad 'not JSON' 'echo hello'
bad '0 vectors for 1 texts' "echo '{\"model\":\"m\",\"vectors\":[]}'"
bad 'only zeros' "echo '{\"model\":\"m\",\"vectors\":[[0,0.0]]}'"
bad 'status 3: no such file' 'echo "no such file" >&2; exit 3'
bad 'status 137' 'kill -9 $$'
bad 'it says: too many requests' "echo '{\"tool_success\":false,\"error\":\"too many requests\"}'"
bad 'more than 67108864 bytes' 'exec yes'
bad 'has changed from' \
	"jq -c '(.texts | length) as \$n | {model: \"m\", vectors: [.texts[] | [range(\$n)] + [1]]}'"
bad 'printed nothing' :
jq -e '.help.steps[0] | contains("\"vectors\": [[")' out
E

more 'a program that hangs, and one that is not there' <<'E'
echo 'sleep 60' >bad
use sh "$PWD/bad"
fails 75 ikm mem embed --timeout 1 --json >out 2>err
jq -e '.details.reason == "TOOK_TOO_LONG" and (.message | contains("memory.embedder"))' out
use "$PWD/no-such-program"
fails 8 ikm mem embed --json >out 2>err
jq -e '.details.reason == "NO_PROGRAM" and (.message | contains("memory.embedder"))' out
E

more 'a search does not mind any of that, and says so' <<'E'
for program in 'sleep 60' 'exit 3' 'echo hello'; do
	echo "$program" >bad
	use sh "$PWD/bad"
	ikm -c memory.embedderTimeout=100 mem search 'which lion and giraffe saw aaa' --json >found
	jq -e '(.results | length) > 0 and (.note | contains("memory.embedder"))' found ||
		{ cat found; exit 1; }
done
E

more 'a search finds what is near, though it shares no word' <<'E'
rm -rf "$HOME/.ikigai"
# The one number is whether the text is of animals.
cat >animals <<'P'
jq -c '{model: "animals", vectors: [.texts[] | if test("cat|dog|kitten|puppy") then [1, 0] else [0, 1] end]}'
P
use sh "$PWD/animals"
add 'the kitten sleeps in a box'
add 'taxes are due in April'
ikm mem embed
same 'the kitten sleeps in a box' \
	"$(ikm mem search 'which cat' --threshold 0 --json | jq -r '.results[0].content')"
same 0 "$(ikm -c 'memory.embedder=[]' mem search 'which cat' --threshold 0 --json | jq '.results | length')"
E

more 'how far a vector stands out counts, and not its cosine' <<'E'
rm -rf "$HOME/.ikigai"
# A text ends with its cosine to the question. For the crowded model all are from 0.9 to 0.95.
cat >wide <<'P'
jq -c '{model: "wide", version: "1", vectors: [.texts[] |
	((capture("(?<n>[0-9.]+)$").n | tonumber) // 1) | [., (1 - . * . | sqrt)]]}'
P
sed 's/"wide"/"crowded"/; s/tonumber/& | .9 + . * .05/' wide >crowded
for n in 1 .34 .12 .3 .08 .2 .26 .16 .02 .22; do
	echo "{\"content\":\"parcel $n\"}"
done | ikm mem import >/dev/null
add 'trolls below the bridge .3'
for model in wide crowded; do
	use sh "$PWD/$model"
	ikm mem embed >/dev/null
	ikm mem search 'whose invoice did the goblins below lose' --explain --json >found.$model
	jq -e '.results[0].content == "parcel 1" and .relevance == "related"' found.$model
done
jq -es 'all(.[].results; .[0].parts.vector > .7 and .[1].parts.vector < .3)' found.*
E

more 'turns, whose meaning is by the table, are on the scale of the vectors' <<'E'
rm -rf "$HOME/.ikigai"
use sh "$PWD/wide"
turn() { ikm mem add "$2" -k conversation --session s --speaker Ada --turn "$1" >/dev/null; }
turn 1 'the bill disappeared .1'
turn 2 'that invoice disappeared .1'
for n in .34 .12 .3 .08 .2 .26 .16 .02 .22; do add "parcel $n"; done
add 'zyx wvu 1'
ikm mem embed >/dev/null
ikm mem search 'whose receipt vanished' --json >found
same 'zyx wvu 1' "$(jq -r '.results[0].content' found)"
jq -e '[.results[].content] | any(. == "the bill disappeared .1")' found
E

more 'an answer brings no memory that only the embedder knows' <<'E'
rm -rf "$HOME/.ikigai"
use sh "$PWD/wide"
add 'The staging database listens on port 5432 .9'
add 'A port is a place for ships .01'
for n in .34 .12 .3 .08 .2 .26 .16 .02 .22; do add "parcel $n"; done
ikm mem add 'a turn of another conversation .33' -k conversation --session s --turn 1 >/dev/null
ikm mem embed >/dev/null
q='On which port does the staging database listen?'
same 2 "$(ikm mem search "$q" --json | jq '.results | length')"
ikm mem search "$q" --threshold 0 --limit 20 --json >found
jq -e '.relevance == "answers" and (.results | length == 2 and (.[1].content | test("ships")))' found
E

more 'what only the embedder knows has at most a tenth, and what it does not know has its table' <<'E'
rm -rf "$HOME/.ikigai"
use sh "$PWD/wide"
for n in 1 .34 .12 .3 .08 .2 .26 .16 .02 .22; do add "parcel $n"; done
ikm mem embed >/dev/null
add 'the invoice disappeared'
ikm mem search 'whose bill vanished' --limit 20 --json >found
jq -e '.results | any(.content == "the invoice disappeared") and all(.score <= 0.1)' found
E

more 'memories without an embedding of this model are told, and what to do' <<'E'
rm -rf "$HOME/.ikigai"
use sh "$PWD/wide"
note() { ikm mem search 'whose receipt vanished' --json | jq -r .note; }
found() { ikm mem search 'whose receipt vanished' --json | jq -c '[.results[].content] | sort'; }
add 'the bill disappeared'
add 'the invoice disappeared'
ikm mem embed >/dev/null
same null "$(note)"
lack="memories have no embedding of the model"
# Half of the store; another's memories are not told.
add 'nothing of the kind'
same "$lack 'wide' with 2 numbers: 'ikm mem embed' makes what is missing" "$(note)"
ikm mem embed >/dev/null
same null "$(note)"
IKM_USER=eve add 'of eve'
same null "$(note)"
# Another model, another dimension: the table of meaning stays in its place.
by_table=$(ikm -c 'memory.embedder=[]' mem search 'whose receipt vanished' --json |
	jq -c '[.results[].content] | sort')
sed 's/"wide"/"other"/' wide >other
use sh "$PWD/other"
same "$lack 'other' with 2 numbers: 'ikm mem embed' makes what is missing" "$(note)"
same "$by_table" "$(found)"
ikm mem search 'whose receipt vanished' 2>&1 >/dev/null | grep "^$lack 'other'"
sed 's/\[\., (1/[., 0, (1/' wide >deep
use sh "$PWD/deep"
same "$lack 'wide' with 3 numbers: 'ikm mem embed' makes what is missing" "$(note)"
same "$by_table" "$(found)"
ikm mem embed >/dev/null
same null "$(note)"
use sh "$PWD/wide"
same "$lack 'wide' with 2 numbers: 'ikm mem embed' makes what is missing" "$(note)"
same "$by_table" "$(found)"
# A tool is told, too; and of a program that fails.
mkdir -p -m 700 "$HOME/.ikigai/manifests"
printf 'tool:\n  id: t\n  memory_access:\n    semantic: {enabled: true, layers: [user]}\n' \
	>"$HOME/.ikigai/manifests/t.yaml"
ikm mem add 'a semantic bill' -k semantic >/dev/null
reason() {
	echo '{"request_id":"r","tool_id":"t","memory_queries":[
		{"query_id":"q","memory_type":"semantic","query_text":"which semantic receipt vanished unpaid"}]}' |
		ikm "$@" call memory_query | jq -r '.memory_context[0].reason'
}
same "$lack 'wide' with 2 numbers: 'ikm mem embed' makes what is missing" "$(reason -c tokens.model=o200k)"
reason -c 'memory.embedder=["false"]' | grep "^found by words alone: .*memory.embedder"
ikm mem embed >/dev/null
same null "$(reason -c tokens.model=o200k)"
E

more 'a repository cannot name the program' <<'E'
git init -q repo
mkdir repo/.ikm
echo '{"memory": {"embedder": ["./evil"]}}' >repo/.ikm/config.json
fails 2 ikm -C repo mem embed 2>err
grep memory.embedder err
E

more 'wrong options' <<'E'
fails 2 ikm mem embed --batch 0
fails 2 ikm mem embed --batch 1001
fails 2 ikm mem embed --timeout 0
fails 2 ikm mem embed now
E

done_testing
