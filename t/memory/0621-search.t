#!/bin/sh
# mem search by command: the required shapes, every option, memories that must stay hidden, every
# bad input.
. "$(dirname "$0")/../lib.sh"

fresh() { rm -rf "$HOME/.ikigai"; }
add() { ikm mem add "$@" --json | jq -r .memoryId; }
# Prints the contents of the results, in order.
found() { ikm mem search "$@" --json | jq -r '[.results[].content] | join("|")'; }
reason() { jq -r .details.reason "$1"; }

try "the requirement's example of memory_search" <<'E'
fresh
ikm mem add 'User prefers functional programming patterns over OOP' -t preferences -t coding-style
ikm -c memory.project=x mem add 'The build needs gcc 12' --layer project
echo '{"query": "What are the user'"'"'s coding preferences?", "layers": ["user", "project"], "limit": 5}' |
	ikm -c memory.project=x call memory_search >out
same '["relevance","results","searchedLayers","success","totalCount"]' "$(jq -c 'del(.belowThreshold) | keys' out)"
same '[true,["user","project"]]' "$(jq -c '[.success, .searchedLayers]' out)"
same '["User prefers functional programming patterns over OOP","user",["coding-style","preferences"]]' \
	"$(jq -c '.results[0] | [.content, .layer, .tags]' out)"
jq -e '.results[0] | .score > 0 and .score <= 1 and (.memoryId | startswith("mem_"))' out
E

try 'a store that is not there is not made' <<'E'
fresh
fails 1 ikm mem search 'anything' >out 2>err
grep -q '^no memory in this search has a word of the query$' err
same '[true,[],0]' "$(ikm mem search x --json | jq -c '[.success, .results, .totalCount]')"
[ ! -e "$HOME/.ikigai/ikm.db" ]
E

long 'every word of a question counts, any may match, the best comes first' <<'E'
fresh
add 'The staging database is PostgreSQL 15' >id
add 'Lunch is at noon' >/dev/null
add 'The staging server is called heron' >/dev/null
same 'The staging database is PostgreSQL 15' "$(found 'which database does staging use?' -n 1)"
same 2 "$(ikm mem search 'staging database' --threshold 0 --json | jq .totalCount)"
same 2 "$(ikm mem search 'staging database' --threshold 0 -n 1 --json | jq .totalCount)"
same 1 "$(ikm mem search 'staging database' --threshold 0 -n 1 --json | jq '.results | length')"
# only stop words: then they count
same 'Lunch is at noon' "$(found 'at' --threshold 0)"
ikm mem search 'staging' --threshold 0 | grep -q "^0[.][0-9][0-9]  mem_.*heron"
E

try 'a word is found by its other forms, which no stem has' <<'E'
fresh
add 'She went to Oslo by train' >id
add 'Красная машина стоит в гараже' >>id
add 'Lunch is at noon' >>id
same 'She went to Oslo by train' "$(found 'where did she go?')"
same 'Красная машина стоит в гараже' "$(found 'машиной')"
E

long 'the first words of a text count as its title, however short the text is' <<'E'
filler() { seq -f "$1%g" 1 "$2" | tr '\n' ' '; }
for words in 20 70 140; do
	fresh
	titled=$(add "Deploy windows. $(filler a $words) $(filler b $words)")
	add "$(filler c $words) deploy windows $(filler d $words)" >/dev/null
	[ -n "$titled" ]
	same "$titled" "$(ikm mem search 'deploy windows' --json | jq -r '.results[0].memoryId')"
done
E

long 'below the threshold the best one comes all the same' <<'E'
fresh
add 'The staging database is PostgreSQL 15' >id
for i in 1 2 3 4 5 6 7 8; do add "note $i on something else"; done >/dev/null
ikm mem search 'who watered the violet tulips beside staging last winter' --json >out
same '[true,1,1]' "$(jq -c '[.belowThreshold, (.results | length), .totalCount]' out)"
ikm mem search 'who watered the violet tulips beside staging last winter' 2>err >out
grep -q 'no memory reaches the threshold' err
same 'The staging database is PostgreSQL 15' "$(found 'watered tulips staging' --threshold 1)"
same null "$(ikm mem search 'staging database' --json | jq .belowThreshold)"
E

more 'what nearly has the word stands in for it' <<'E'
fresh
add 'The staging database is PostgreSQL' >/dev/null
same 'The staging database is PostgreSQL' "$(found 'databse')"
same 'The staging database is PostgreSQL' "$(found 'datab')"
same '["database"]' "$(ikm mem search 'databse' --explain --json | jq -c .words)"
same '' "$(found 'zebra')"
E

more 'a slip in a plural, or in a singular' <<'E'
fresh
add 'Backups are kept in Bonn' >/dev/null
add 'The invoice is paid' >/dev/null
for q in bakcup bcakup backpu bacup bakcups backupps; do
	same "$q: Backups are kept in Bonn" "$q: $(found $q)"
done
for q in invocies invioces invoicse; do
	same "$q: The invoice is paid" "$q: $(found $q)"
done
same '' "$(found bokcap)"
E

more 'nobody sees the memories of others, nor their words' <<'E'
fresh
IKM_USER=eve add 'The vault opens with xylophone' >/dev/null
IKM_USER=bob add 'Bread and butter' >/dev/null
same '' "$(IKM_USER=bob found 'xylophone vault')"
fails 1 ikm mem search 'xylophon' --user bob --explain --json >out
same '[[],[]]' "$(jq -c '[.results, .words]' out)"
# A word that only another user's memory has still finds similar words of one's own memories
IKM_USER=eve add 'buttre' >/dev/null
same 'Bread and butter' "$(IKM_USER=bob found 'buttre')"
fails 2 ikm mem search x --layer session --json >out
same MISSING_PARAMETER "$(reason out)"
E

more "others' words change nothing: neither what stands in for a word, nor what is told" <<'E'
fresh
add 'Bread and butter' >/dev/null
add 'The bakery opens at seven' >/dev/null
IKM_USER=eve add 'plain porridge' >/dev/null
ask() { ikm mem search 'bakery buttre xylophone' --threshold 0 --explain --json | jq -c '[.words, .results]'; }
ask >before
same '["bakery","butter"]' "$(jq -c '.[0] | sort' before)"
# as long, and with words that are asked for
IKM_USER=eve ikm mem delete "$(IKM_USER=eve ikm mem list --json | jq -r '.memories[0].memoryId')" >/dev/null
IKM_USER=eve add 'buttre xylophone' >/dev/null
ask >after
cmp before after
E

more "others' turns in a conversation of the same name are nothing to it" <<'E'
fresh
say() { # USER TURN TEXT
	ikm mem add "$3" -k conversation --user "$1" --session s1 --turn "$2" --happened 2026-01-31 >/dev/null
}
say ada 1 'Where did you spend the holidays?'
say eve 1 'Something else'
say eve 1 'And more of it by xylophone'
say ada 2 'By the sea'
ikm mem search 'where did they spend the holidays by xylophone' --user ada --explain --json >out
jq -e '.results[] | select(.content == "By the sea") | .parts.neighbours > 0' out
same '["holidays","spend"]' "$(jq -c '.words | sort' out)"
E

try 'a layer without an identifier is left out of a search, and told' <<'E'
ikm mem add 'the almond is a seed' --layer user >/dev/null
echo '{"query":"almond","layers":["user","org"]}' | ikm call memory_search >out
jq -e '.results[0].content == "the almond is a seed" and .searchedLayers == ["user"] and (.note | contains("not searched: org"))' out
ikm mem search almond -l user -l company 2>&1 >/dev/null | grep -q 'not searched: company'
fails_for MISSING_PARAMETER ikm mem search almond -l org -l company
E

more 'repeats of one text do not keep others away' <<'E'
fresh
seq 300 | jq -c '{content: "the deploy of heron failed", kind: "episodic", happenedAt: "2026-01-31T00:00:00Z"}' |
	ikm mem import >/dev/null
add 'Ada knows why a deploy of heron can fail on Mondays in the rain' >/dev/null
same 'the deploy of heron failed|Ada knows why a deploy of heron can fail on Mondays in the rain' \
	"$(found 'deploy of heron failed' --threshold 0)"
E

more 'layers, kinds, types, tags, conversations, times' <<'E'
fresh
add 'heron one' --tag a --type goal >/dev/null
add 'heron two' --tag b --kind episodic --happened 2026-01-31 >/dev/null
add 'heron three' --layer agent --tag c >/dev/null
add 'heron four' --kind scratch >/dev/null
ikm mem add 'heron five' --kind conversation --speaker Ada --turn 1 --session s1 >/dev/null
all() { found heron --threshold 0 "$@" | tr '|' '\n' | sort | xargs; }
same 'heron five heron one heron three heron two' "$(all)"
same 'heron three' "$(all --layer agent)"
same 'heron four' "$(all --kind scratch)"
same 'heron one heron three' "$(all --tag a --tag c)"
same 'heron one' "$(all --type goal)"
same 'heron five' "$(all --in-session s1)"
same 'heron two' "$(all --until 2026-02-01)"
fails 1 ikm mem search heron --until 2020-01-01 2>err # there are some, but not then
grep -q '^no memory in this search has' err
same 'heron five heron one heron three' "$(all --since 2026-02-01)"
same '' "$(all --since 2026-02-01 --until 2026-02-01)"
same '["agent"]' "$(ikm mem search heron -l agent --json | jq -c .searchedLayers)"
same 'heron one' "$(echo '{"query": "heron", "filter": {"tags": ["a"]}}' |
	ikm call memory_search | jq -r '.results[].content')"
fails 2 sh -c 'echo "{\"query\": \"heron\", \"filter\": {\"tag\": [\"a\"]}}" | ikm call memory_search >out'
same UNKNOWN_PARAMETER "$(reason out)"
E

more 'what was superseded comes behind what replaced it, which comes along' <<'E'
fresh
old=$(IKM_NOW=2023-11-14T00:00:00Z add 'Ada lives in Berlin')
new=$(IKM_NOW=2024-03-09T00:00:00Z add 'Moved to Munich' --supersedes "$old")
export IKM_NOW=2024-07-03T00:00:00Z
same 'Moved to Munich|Ada lives in Berlin' "$(found 'where does Ada live')"
same '["active","superseded"]' "$(ikm mem search 'where does Ada live' --json | jq -c '[.results[].state]')"
same "$new" "$(ikm mem search 'where does Ada live' --json | jq -r '.results[1].supersededBy')"
same 'Moved to Munich' "$(found 'where does Ada live' --strict)" # found by what it replaced
same 'Moved to Munich' "$(found Munich --strict)"
same 'Ada lives in Berlin' "$(found 'where does Ada live' --as-of 2023-12-01)"
same 'Ada lives in Berlin' "$(found 'where does Ada live' --as-of 2023-12-01 --strict)"
same '["active"]' "$(ikm mem search 'where does Ada live' --as-of 2023-12-01 --json |
	jq -c '[.results[].state]')"
same '' "$(found 'where does Ada live' --as-of 2020-01-01)"
same 'Ada lives in Berlin' "$(echo '{"query": "Ada live", "as_of": "2023-12-01"}' |
	ikm call memory_search | jq -r '.results[].content')"
E

more 'what expired says so, and strict leaves it out' <<'E'
fresh
IKM_NOW=2023-11-14T00:00:00Z add 'the token is heron' --expires 2023-12-01 >/dev/null
export IKM_NOW=2024-07-03T00:00:00Z
same '["expired"]' "$(ikm mem search heron --json | jq -c '[.results[].state]')"
same '' "$(found heron --strict)"
same '["active"]' "$(ikm mem search heron --as-of 2023-11-20 --strict --json | jq -c '[.results[].state]')"
E

more 'of two alike the one of the more specific layer stays' <<'E'
fresh
add 'Deploys happen on Tuesdays at nine' >/dev/null
add 'deploys happen on tuesdays, at nine!' --layer agent >/dev/null
add 'Deploys happen on Fridays at nine' >/dev/null
ikm mem search 'when do deploys happen' --threshold 0 --json >out
same '[2,["agent","user"]]' "$(jq -c '[.totalCount, ([.results[].layer] | sort)]' out)"
E

more 'the order is always the same' <<'E'
fresh
for i in 1 2 3 4 5 6 7 8 9; do add "heron number $i"; done >/dev/null
add 'heron number 0' --layer agent >/dev/null
found heron -n 100 --threshold 0 >one
for i in 1 2 3; do found heron -n 100 --threshold 0 >two; cmp one two; done
same 'heron number 0|heron number 9|heron number 8' "$(found heron -n 3 --threshold 0)"
ikm mem search heron --threshold 0 --json | jq -e '[.results[].score] | . == (sort | reverse)'
E

more 'turns: the answer stands behind the question; who speaks and when count' <<'E'
fresh
say() { ikm mem add "$3" --kind conversation --session s1 --speaker "$1" --turn "$2" --happened "$4" >/dev/null; }
# The number says which was first, not when it was stored.
say Bob 2 'By the sea, it was lovely' 2023-05-08
say Ada 1 'Where did you spend the holidays?' 2023-05-08
say Ada 3 'I would rather climb a mountain' 2023-05-09
say Bob 4 'The sea again, in the same hotel' 2023-07-20
say Ada 5 'And what did you eat?' 2023-07-20
ikm mem search 'Where did Bob spend the holidays?' --explain --json >out
same '"By the sea, it was lovely"' "$(jq -c '.results[] | select(.speaker == "Bob") | .content' out | head -1)"
jq -e '.results[] | select(.content == "By the sea, it was lovely") | .parts |
	.words == 0 and .neighbours > 0 and .speaker > 0 and .date == 0' out
ikm mem search 'What about the sea in July 2023?' --explain --json >out
same '"The sea again, in the same hotel"' "$(jq -c '.results[0].content' out)"
jq -e '.results[0].parts.date > 0' out
# the scores of the best one's company follow from their parts of its points
jq -e '[.results[] | {score, points: ([.parts[]] | add)}] | .[0] as $best | length > 1 and all(.[];
	(.score - (0.7 + ($best.score - 0.7) * .points / $best.points)) | fabs < 0.01)' out
ikm mem search 'the sea in July' --explain | grep -q '^      date '
# what else is stored in a conversation stands alone
fresh
IKM_SESSION=s1 add 'Postgres holds the orders' >/dev/null
IKM_SESSION=s1 add 'Lunch is at noon' >/dev/null
same 'Postgres holds the orders' "$(IKM_SESSION=s1 found 'postgres' --threshold 0)"
E

try 'what is only beside an answer says so' <<'E'
fresh
for t in 'Met the auditors in Bonn' 'Had dinner with the Petrel people' 'The balancer was replaced'; do
	add -k episodic "$t" >/dev/null
done
ikm mem search 'Who had dinner with the Petrel people?' --explain >out
same 2 "$(grep -c '^      beside      a memory that has words of the query$' out)"
ikm mem search 'Who had dinner with the Petrel people?' --explain --json |
	jq -e '[.results[] | [.beside, .parts.words > 0]] == [[null, true], [true, false], [true, false]]'
E

more 'Chinese, Japanese, Korean, right to left' <<'E'
fresh
add '設定はデータベースにあります' >/dev/null
add '我们的目录在服务器上' >/dev/null
add '회의는 화요일에 있습니다' >/dev/null
add 'הפגישה ביום שלישי' >/dev/null
for q in 設定 データ 目录 服务 회의 요일 הפגישה 録; do found "$q"; done >out
cat >want <<'W'
設定はデータベースにあります
設定はデータベースにあります
我们的目录在服务器上
我们的目录在服务器上
회의는 화요일에 있습니다
회의는 화요일에 있습니다
הפגישה ביום שלישי

W
diff -u want out
E

more 'every byte string is a query, unless it is blank' <<'E'
fresh
add 'heron (blue) "OR" NEAR/2 -a *' >/dev/null
for q in '"' "'" '*' 'a AND' 'NOT heron' 'heron*' 'NEAR(' '{x}: y' '^heron' '-heron' 'content:heron' \
	'🦩' '%_' 'heron"; drop table memories; --' "$(printf 'heron \377\300\200')"; do
	ikm mem search --json -- "$q" >out || [ $? = 1 ] || { echo "'$q'"; exit 1; }
	[ -s out ] || { echo "'$q': no answer"; exit 1; }
	jq -e .success out >/dev/null
done
for q in '' ' '; do
	fails 2 ikm mem search --json -- "$q" >out
	jq -e '.message == "the query is empty"' out >/dev/null
done
head -c 4096 /dev/zero | tr '\0' '?' | ikm mem search - --json | jq -e '.results == []'
echo '{"query": "heron\u0000blue"}' | ikm call memory_search | jq -e '.results | length == 1'
# hundreds of words, none of which is known
seq -s ' ' 100000 100500 | ikm mem search - --json | jq -e '.results == []'
E

more 'what is refused, by name' <<'E'
fresh
add heron >/dev/null
refused() { # reason, parameter, what
	because=$1 name=$2
	shift 2
	fails 2 ikm mem search "$@" --json >out 2>err
	same "$because $name" "$(jq -r '"\(.details.reason) \(.details.parameter)"' out)"
}
refused OUT_OF_RANGE -n heron -n 0
refused OUT_OF_RANGE -n heron -n 101
refused OUT_OF_RANGE --threshold heron --threshold 1.5
refused OUT_OF_RANGE --threshold heron --threshold -1
refused WRONG_TYPE --threshold heron --threshold much
refused NOT_IN_ENUM --layer heron --layer mine
refused NOT_IN_ENUM --kind heron --kind mine
refused BAD_ARGUMENT --since heron --since tomorrow
refused BAD_ARGUMENT --as-of heron --as-of 'last week'
refused BAD_ARGUMENT --until heron --since 2025-01-01 --until 2024-01-01
fails 1 ikm mem search heron --until 1970-01-01
ikm mem search heron --since 1970-01-01 >out
refused BAD_ARGUMENT --as-of heron --as-of 1970-01-01T00:00:00Z
refused MISSING_PARAMETER QUERY
head -c 1100000 /dev/zero | tr '\0' a >long
fails 2 sh -c 'ikm mem search - --json <long >out 2>err'
same TOO_LONG "$(reason out)"
E

long 'a question may be a pasted log: its rarest words count, and the answer says so' <<'E'
fresh
ikm mem add 'The tracker crashes in parse_manifest_entry.' >/dev/null
ikm mem add 'Lunch is at noon.' >/dev/null
awk 'BEGIN { for (i = 0; i < 20000; i++) print "frame", i, "at line", i * 7; print "in parse_manifest_entry" }' >log
[ "$(wc -c <log)" -gt 400000 ]
ikm mem search - <log >out 2>err
head -n 1 out | grep parse_manifest_entry
grep 'the query is long: its 256 rarest words count' err
head -c 1100000 /dev/zero | tr '\0' x >longer
fails_for TOO_LONG ikm mem search - <longer
E

done_testing
