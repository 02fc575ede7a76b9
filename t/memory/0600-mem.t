#!/bin/sh
# Memories by command: which are stored, for whom, and which are refused, in every layer. sqlite3 is
# the referee of the store's content.
. "$(dirname "$0")/../lib.sh"

store=$HOME/.ikigai/ikm.db
export store
fresh() { rm -rf "$HOME/.ikigai"; }
whole() {
	same ok "$(sqlite3 "$store" 'pragma integrity_check')"
	same '' "$(sqlite3 "$store" 'pragma foreign_key_check')"
}
# jq takes ten times as long as ikm.
reason() { sed 's/.*"reason":"\([A-Z_0-9]*\)".*/\1/' "$1"; }
add() { ikm mem add "$@" | cut -c1-30; }
contents() { ikm mem list "$@" --json | jq -r '[.memories[].content] | join(" ")'; }

try 'queries create no store' <<'E'
fresh
ikm mem list >out 2>err
grep -q '^no memories$' err
fails 3 ikm mem show mem_01234567 2>err
fails 3 ikm mem show mem_012 2>err
grep -q 'at least 8 characters' err
fails 3 ikm mem delete mem_01234567 --json >out
same '["NOT_FOUND","NO_SUCH_MEMORY","Memory '"'mem_01234567'"' not found","mem_01234567",false]' \
	"$(jq -c '[.errorCode, .details.reason, .message, .details.requestedId, .retryable]' out)"
fails 3 ikm mem restore mem_01234567 2>err
fails 3 ikm mem mark mem_01234567 resolved 2>err
E

try 'what is stored is what sqlite3 reads' <<'E'
fresh
ikm mem add 'User prefers tabs' --tag b -t a -t b --type user_preference --source chat \
	--importance 0.75 --confidence 0.25 --redaction sensitive --happened 2026-01-31 \
	--expires 2090-01-01T00:00:00Z --metadata '{"a": 1.50}' >out
same 30 "$(wc -L <out)"
same "$(cat out)|user|fact|user_preference|[\"a\",\"b\"]|chat|0.75|0.25|user|sensitive|active|default|1769817600000|3786912000000|{\"a\":1.50}|User prefers tabs" \
	"$(sqlite3 "$store" 'select id, layer, kind, type, tags, source, importance, confidence,
	provenance, redaction, state, agent_id, happened_at, expires_at, metadata, content
	from memories join scopes using (scope)')"
same 'prefers tabs user' "$(sqlite3 "$store" 'select word from words order by word' | xargs)"
whole
E

try "the requirement's example of memory_add, word for word" <<'E'
fresh
echo '{"content": "User prefers functional programming patterns over OOP", "layer": "user",
	"tags": ["preferences", "coding-style"]}' | ikm call memory_add >out
same '["event","memoryId","message","success"]' "$(jq -c keys out)"
same '[true,"Memory stored successfully"]' "$(jq -c '[.success, .message]' out)"
jq -r .memoryId out | grep -qx 'mem_[0-9A-HJKMNP-TV-Z]\{26\}'
id=$(jq -r .memoryId out)
echo "{\"memoryId\": \"$id\"}" | ikm call memory_delete >out
same '["content","event","memoryId","message","success"]' "$(jq -c keys out)"
same '[true,"Memory deleted successfully"]' "$(jq -c '[.success, .message]' out)"
fails 3 sh -c "echo '{\"memoryId\": \"$id\"}' | ikm call memory_delete >out"
same '[false,"NOT_FOUND",false]' "$(jq -c '[.success, .errorCode, .retryable]' out)"
E

long 'standard input, by - and by itself; nothing, blanks, no UTF-8, too much' <<'E'
fresh
printf 'from\nstdin' | ikm mem add >out
echo 'by a dash' | ikm mem add - >out
same 'by a dash from
stdin' "$(contents)"
same true "$(ikm mem add 'by a dash' --json | jq .existing)"
same '"a\n"' "$(printf '%s' '{"content": "a\n"}' | ikm call memory_add | jq -r .memoryId |
	xargs -I{} ikm mem show {} --json | jq .memory.content)"
same '"b\n"' "$(printf 'b\n\n' | ikm mem add | xargs -I{} ikm mem show {} --json | jq .memory.content)"
for bad in '' ' ' '\n\t\n' '\377'; do
	fails 2 sh -c "printf '$bad' | ikm mem add --json >out"
	same INVALID_INPUT "$(jq -r .errorCode out)"
done
head -c 65537 /dev/zero | tr '\0' x >big
fails 2 sh -c 'ikm mem add --json <big >out'
same 'TOO_LONG 65536' "$(jq -r '.details.reason + " \(.details.limit)"' out)"
jq -r '.help.steps[]' out | grep -q 'memory.maxBytes allows up to 1048576 bytes'
head -c 65536 big | ikm mem add >out
ikm -c memory.maxBytes=65537 mem add - <big >out
same 65537 "$(ikm mem show "$(cat out)" --json | jq '.memory.content | length')"
# An import restores an export, even where the limits are lower now.
ikm mem export >all
rm -rf "$HOME/.ikigai"
same '2 added, 0 existed, 0 deleted' "$(sed -n '/xxx/p' all | ikm mem import)"
for most in 0 1048577; do
	fails 2 ikm -c memory.maxBytes=$most mem list 2>err
	grep -q "'memory.maxBytes' is $most; allowed: a whole number, 1 to 1048576 bytes" err
done
echo '{"request_id": "r", "tool_id": "t"}' >request
fails 2 ikm -c trace.keepDays=99999999999999 mem query request 2>err
grep -q "'trace.keepDays' is 99999999999999; allowed: a whole number, 0 to 36500 days" err
printf '{"content": "a\\u0000b"}' | ikm call memory_add >out
same '"a\u0000b"' "$(ikm mem show "$(jq -r .memoryId out)" --json | jq .memory.content)"
whole
E

long 'each option refuses what it does not know, and says what is allowed' <<'E'
fresh
bad() { # REASON WORD OPTION VALUE
	fails 2 ikm mem add x "$3" "$4" --json >out
	same "$1" "$(reason out)"
	grep -q -e "\"message\":\"[^\"]*$2" out
	[ ! -e "$store" ] || same 0 "$(sqlite3 "$store" 'select count(*) from memories')"
}
bad NOT_IN_ENUM 'agent, user, session, project, team, org, company' --layer world
bad NOT_IN_ENUM 'fact, episodic, semantic, working, scratch, conversation' --kind novel
bad NOT_IN_ENUM 'public, internal, sensitive' --redaction secret
bad NOT_IN_ENUM 'user, agent, tool' --provenance sync
bad NOT_IN_ENUM 'active, pending_review, resolved, archived' --status done
bad OUT_OF_RANGE importance --importance 1.5
bad OUT_OF_RANGE importance --importance -0.1
bad WRONG_TYPE importance --importance much
bad OUT_OF_RANGE confidence --confidence 2
bad BAD_ARGUMENT 'happened.*not a time' --happened yesterday
bad BAD_ARGUMENT 'happened.*no time' --happened 1970-01-01
bad BAD_ARGUMENT 'expires.*not a time' --expires soon
bad OUT_OF_RANGE 'expires.*in the past' --expires 2001-01-01
bad WRONG_TYPE metadata --metadata '[1]'
bad BAD_JSON 'line 1' --metadata '{'
bad OUT_OF_RANGE turn --turn 0
bad BAD_ARGUMENT 'fact.*no turn' --turn 1
bad BAD_ARGUMENT 'fact.*no speaker' --speaker Ada
bad BAD_ARGUMENT 'fact.*no status' --status resolved
bad OUT_OF_RANGE tag --tag ''
bad TOO_LONG tag --tag "$(printf '%0257d' 1)"
fails 3 ikm mem add x --supersedes mem_01234567 --json >out
same NO_SUCH_MEMORY "$(reason out)"
E

long 'every layer without its identifiers says what is missing' <<'E'
fresh
for layer in session project team org company; do
	fails 2 ikm mem add x --layer $layer --json >out
	same "MISSING_PARAMETER $layer [\"$layer\"]" \
		"$(jq -r '.details | "\(.reason) \(.layer) \(.missing | tojson)"' out)"
	jq -e '.help.steps | length == 1' out
	fails 2 ikm mem list --layer $layer --json >out
	same MISSING_PARAMETER "$(reason out)"
done
fails 2 ikm mem add x --layer agent --agent '' --json >out
same '"agent.id"' "$(jq -c .details.setting out)"
[ ! -e "$store" ] || same 0 "$(sqlite3 "$store" 'select count(*) from memories')"
E

more 'every layer: seen by who has its identifiers, by nobody else' <<'E'
fresh
who() { # LAYER: its owner's identifiers, then those of others
	third=''
	case $1 in
	agent) own='--user u --agent a' other='--user u --agent b' third='--user v --agent a' ;;
	user) own='--user u' other='--user v' third='--user w --agent a' ;;
	session) own='--user u --session s' other='--user u --session t' third='--user v --session s' ;;
	*) own="-c memory.$1=x" other="-c memory.$1=y" ;;
	esac
}
for layer in agent user session project team org company; do
	who $layer
	id=$(add "of $layer" --layer $layer $own)
	ikm mem list --layer $layer $own | grep -q "of $layer\$"
	ikm mem show "$id" $own >out
	for not in "$other" "$third"; do
		ikm mem list $not >out 2>err || [ $? = 1 ]
		fails 1 grep -q "of $layer" out
		for verb in show delete restore; do
			fails 3 ikm mem $verb "$id" $not 2>err
		done
		fails 3 ikm mem add new --supersedes "$id" $not 2>err
		fails 3 ikm mem list --before "$id" $not 2>err
	done
	ikm mem delete "$id" $own >out
	fails 3 ikm mem restore "$id" $other 2>err
	ikm mem list --deleted $other >out 2>err || [ $? = 1 ]
	fails 1 grep -q "of $layer" out
	ikm mem list --deleted --layer $layer $own | grep -q "of $layer"
	ikm mem restore "$id" $own >out
done
E

more "a repository's project: the same by every way to its origin" <<'E'
fresh
git init -q repo
cd repo
git remote add origin git@example.org:team/tool.git
add 'of the tool' --layer project >../out
for url in https://example.org/team/tool https://ada@Example.org/team/tool.git/ \
	ssh://git@example.org/team/tool.git ssh://git@example.org:2222/team/tool \
	git://example.org/team/tool example.org:team/tool https://a:b@example.org:8443/team/tool.git; do
	git remote set-url origin "$url"
	same 'of the tool' "$(contents --layer project)"
done
for url in https://example.org/team/tools https://example.com/team/tool \
	https://example.org/Team/tool /srv/team/tool; do
	git remote set-url origin "$url"
	same '' "$(contents --layer project)"
done
same 'of the tool' "$(contents --layer project -c memory.project=example.org/team/tool)"
same '["example.org/team/tool"]' "$(sqlite3 "$store" "select owner from scopes")"
E

more 'without an origin: the first commit; without that nothing' <<'E'
fresh
rm -rf repo
git init -q repo
cd repo
fails 2 ikm mem add x --layer project 2>../err
git commit -q --allow-empty -m one
# A command that names the layer gets the message, even before anybody has stored a memory in it.
same '' "$(contents --layer project --layer user)"
ikm mem search x --layer project --json | jq -e '.results == []' >../out
add 'of the root' --layer project >../out
git commit -q --allow-empty -m two
same 'of the root' "$(contents --layer project)"
same "[\"$(git rev-list --max-parents=0 HEAD)\"]" "$(sqlite3 "$store" 'select owner from scopes')"
git remote add origin ../elsewhere
same 'of the root' "$(contents --layer project)"
git clone -q . ../clone
git -C ../clone remote remove origin
same 'of the root' "$(contents --layer project -C ../clone)"
rm -rf ../clone
E

more 'metadata and tags survive in value, on every face' <<'E'
fresh
meta='{"n": 1.50, "big": 12345678901234567890, "e": 1e400, "s": "\u0000 \u00e9 \ud83d\ude00", "l": [[], {}, null, true], "": {"x": -0}}'
printf '%s' "{\"content\": \"m\", \"metadata\": $meta, \"tags\": [\"é\", \"a b\", \"\\u0000\"]}" |
	ikm call memory_add >out
id=$(jq -r .memoryId out)
ikm mem show "$id" --json >shown
grep -qF '"metadata":{"n":1.50,"big":12345678901234567890,"e":1e400,"s":"\u0000 é 😀","l":[[],{},null,true],"":{"x":-0}}' shown
grep -qF '"tags":["\u0000","a b","é"]' shown
ikm mem delete "$id" >out
ikm mem restore "$id" --json >restored
same "$(jq -cS '.memory | del(.updatedAt)' shown)" "$(jq -cS '.memory | del(.updatedAt)' restored)"
E

more 'who says it: the user at a command line, an agent or a tool elsewhere' <<'E'
fresh
said() { ikm mem show "$1" --json | jq -r .memory.provenance; }
same user "$(said "$(add a)")"
same tool "$(said "$(add b --provenance tool)")"
same agent "$(said "$(echo '{"content": "c"}' | ikm call memory_add | jq -r .memoryId)")"
same tool "$(said "$(echo '{"content": "d", "provenance": "tool"}' | ikm call memory_add | jq -r .memoryId)")"
fails 2 sh -c "echo '{\"content\": \"e\", \"provenance\": \"user\"}' | ikm call memory_add >out"
same BAD_ARGUMENT "$(reason out)"
E

more 'repeats: facts and semantic ones merge, others do not' <<'E'
fresh
id=$(add 'likes tea' -t drink)
same "{\"success\":true,\"memoryId\":\"$id\",\"message\":\"Memory exists already\",\"existing\":true,\"merged\":[\"tags\"]}" \
	"$(ikm mem add 'likes tea' -t hot --json | jq -c 'del(.event)')"
same "ikm: the memory existed already" "$(ikm mem add 'likes tea' 2>&1 >out)"
same '["drink","hot"]' "$(ikm mem show "$id" --json | jq -c .memory.tags)"
same 'likes tea' "$(contents --tag drink --tag hot)"
# The table of kinds is in C. The index of repeats names the kinds that merge once more, in SQL.
merging=$(sqlite3 "$store" "select sql from sqlite_master where name = 'memories_repeat'" |
	sed -n "s/.*kind in (\([^)]*\)).*/\1/p")
same "'fact', 'semantic'" "$merging"
for kind in $(ikm tool schema memory_add --format json-schema | jq -r '.properties.kind.enum[]'); do
	[ $kind != fact ] || continue
	add 'likes tea' -k $kind >out
	add 'likes tea' -k $kind >out
	n=2
	case $merging in *"'$kind'"*) n=1 ;; esac
	same $n "$(ikm mem list -k $kind --json | jq '.memories | length')"
done
ikm mem delete "$id" >out
[ "$(add 'likes tea')" != "$id" ]
IKM_NOW=2026-01-01T00:00:00Z ikm mem add 'for a week' --expires 7d >out
IKM_NOW=2026-01-09T00:00:00Z ikm mem add 'for a week' --json >out
same false "$(jq 'has("existing")' out)"
whole
E

more 'facts change: the chain, its newest, its end' <<'E'
fresh
one=$(add 'lives in Rome')
two=$(add 'lives in Oslo' --supersedes "$one")
three=$(add 'lives in Bonn' --supersedes "$two")
for old in "$one" "$two"; do
	fails 4 ikm mem add 'lives in Bern' --supersedes "$old" --json >out
	same "CONFLICT SUPERSEDED $three" "$(jq -r '"\(.errorCode) \(.details.reason) \(.details.newest)"' out)"
	jq -r '.help.steps[0]' out | grep -q "$three"
done
same 'lives in Oslo lives in Rome' "$(contents --state superseded)"
same 'lives in Bonn' "$(contents --state active)"
same "[\"superseded\",\"$three\",\"$one\",true]" "$(ikm mem show "$two" --json |
	jq -c '.memory | [.state, .supersededBy, .supersedes, has("supersededAt")]')"
ikm mem list | grep -q '(superseded) lives in Rome'
ikm mem delete "$three" >out
same 'lives in Oslo' "$(contents --state active)"
ikm mem restore "$three" >out
same 'lives in Bonn' "$(contents --state active)"
i=0
last=$three
while [ $i -lt 20 ]; do
	i=$((i + 1))
	last=$(add "place $i" --supersedes "$last")
done
fails 4 ikm mem add x --supersedes "$one" --json >out
same "$last" "$(jq -r .details.newest out)"
fails 2 ikm mem add 'did not' --supersedes "$(add happened -k episodic)" --json >out
same BAD_ARGUMENT "$(reason out)"
whole
E

more 'what is known to fewer does not supersede what others see' <<'E'
fresh
export IKM_SESSION=s
ours() { ikm -c memory.project=p -c memory.org=o mem "$@"; }
id=$(ours add 'tests run with make' -l project --json | jq -r .memoryId)
for layer in agent user session; do
	fails 2 ikm -c memory.project=p mem add 'tests run with ninja' -l $layer --supersedes "$id" --json >out
	jq -e --arg l "'$layer'" '.details.parameter == "--supersedes" and (.message | contains($l)) and
		(.help.steps[0] | contains("layer project"))' out
done
same 0 "$(ikm mem list --json | jq '.memories | length')"
same active "$(ours show "$id" --json | jq -r .memory.state)"
wide=$(ours add 'tests run with ninja' -l org --supersedes "$id" --json | jq -r .memoryId)
same "[\"superseded\",\"$wide\"]" "$(ours show "$id" --json | jq -c '.memory | [.state, .supersededBy]')"
mine=$(ikm mem add 'I like tea' -l session --json | jq -r .memoryId)
fails 2 ikm mem add 'I like milk' -l agent --supersedes "$mine" 2>err
ikm mem add 'I like milk' -l user --supersedes "$mine"
# A line in an export that says so anyway is stored, and supersedes nothing.
id=$(ours add 'deploys are on Monday' -l project --json | jq -r .memoryId)
printf '{"content": "on Friday", "layer": "user", "supersedes": "%s"}\n' "$id" | ours import
same active "$(ours show "$id" --json | jq -r .memory.state)"
same 1 "$(ikm mem list --json | jq '[.memories[] | select(.content == "on Friday")] | length')"
E

more 'scratch notes: a hundred, and what their status may become' <<'E'
fresh
id=$(add note -k scratch)
same '0.5 active 604800' "$(ikm mem show "$id" --json | jq -r '.memory |
	def s: sub("[.][0-9]+Z$"; "Z") | fromdate; "\(.confidence) \(.status) \((.expiresAt | s) - (.happenedAt | s))"')"
for to in pending_review active resolved active pending_review archived; do
	same $to "$(ikm mem mark "$id" $to --json | jq -r .memory.status)"
done
ikm mem mark "$id" archived >out
for to in active pending_review resolved; do
	fails 2 ikm mem mark "$id" $to --json >out
	same 'BAD_ARGUMENT' "$(reason out)"
	grep -q 'allowed: nothing' out
done
fails 2 ikm mem mark "$id" gone --json >out
same NOT_IN_ENUM "$(reason out)"
fails 2 ikm mem mark "$(add fact)" resolved --json >out
same BAD_ARGUMENT "$(reason out)"
seq 99 | sed 's/.*/{"content": "note &", "kind": "scratch"}/' | ikm mem import >out
last=$(add 'note 100' -k scratch)
fails 4 ikm mem add more -k scratch --json >out
same 'CONFLICT TOO_MANY_MEMORIES 100' "$(jq -r '"\(.errorCode) \(.details.reason) \(.details.limit)"' out)"
jq -r '.help.steps[]' out | grep -q 'ikm mem mark ID resolved'
add more -k scratch --agent other >out
add more -k scratch --status resolved >out
ikm mem mark "$last" resolved >out
add more -k scratch >out
fails 4 ikm mem mark "$last" active 2>err
same 100 "$(ikm mem list -k scratch --status active --by-agent default -n 1000 --json | jq '.memories | length')"
whole
E

more 'working memory: twenty steps, one hour, and expired ones go with the next add' <<'E'
fresh
IKM_NOW=2026-01-01T00:00:00Z
export IKM_NOW
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do
	ikm mem add "step $i" -k working >out
done
same 'step 22 step 21 step 20' "$(contents -n 3)"
same 'step 3' "$(contents | grep -o 'step 3$')"
same 2026-01-01T01:00:00.000Z "$(ikm mem list -n 1 --json | jq -r '.memories[0].expiresAt')"
IKM_NOW=2026-01-01T01:00:00Z
same 20 "$(ikm mem list --state expired --json | jq '.memories | length')"
same '' "$(contents --state active)"
for i in 1 2 3; do ikm mem add "later $i" >out; done
same 'later 3 later 2 later 1' "$(contents)"
same 0 "$(sqlite3 "$store" 'select count(*) from deleted_memories')"
ikm mem add 'an expired fact stays' --expires 1h >out
IKM_NOW=2026-01-02T00:00:00Z
for i in 4 5 6; do ikm mem add "later $i" >out; done
same 'an expired fact stays' "$(contents --state expired)"
whole
E

more 'list: filters, pages, words of people' <<'E'
fresh
for i in 1 2 3 4 5 6 7; do
	add "fact $i" -t "n$((i % 2))" --type "type$((i % 3))" >out
done
add turn -k conversation --speaker Ada --turn 1 --session s1 --agent other >out
same 'fact 7 fact 5' "$(contents -t n1 -n 2)"
ikm mem list -t n1 -n 2 --json >out
same 'fact 3 fact 1' "$(contents -t n1 --before "$(jq -r .next out)")"
same false "$(ikm mem list -t n1 -n 4 --json | jq 'has("next")')"
same 'fact 7 fact 4 fact 1' "$(contents --type type1 --layer user -k fact -k semantic --before "$(add x)")"
same turn "$(contents --in-session s1)"
same turn "$(contents --by-agent other)"
same '["Ada",1,"s1"]' "$(ikm mem list -k conversation --json | jq -c '.memories[0] | [.speaker, .turn, .sessionId]')"
same '' "$(contents -t n0 -t n1)"
ikm mem list -n 2 >out 2>err
same 2 "$(wc -l <out)"
grep -q '^more memories: add --before mem_' err
fails 2 ikm mem list -n 0 2>err
fails 3 ikm mem list --before mem_nosuchone 2>err
printf 'first line\nsecond \033[31mline' | ikm mem add >out
ikm mem list -n 1 | grep -q 'first line \.\.\.$'
E

more 'ids: the whole one, a beginning, several that begin so' <<'E'
fresh
IKM_NOW=2026-01-01T00:00:00Z ikm mem add one >out
IKM_NOW=2026-01-01T00:00:00Z ikm mem add two >out
IKM_NOW=2026-02-01T00:00:00Z ikm mem add three >out
id=$(cat out)
same three "$(ikm mem show "$id" --json | jq -r .memory.content)"
same three "$(ikm mem show "$(echo "$id" | cut -c1-9)" --json | jq -r .memory.content)"
fails 4 ikm mem show mem_01KDVDN --json >out
same NOT_UNIQUE "$(reason out)"
fails 3 ikm mem show mem_ 2>err
fails 3 ikm mem delete mem_0 2>err
fails 2 ikm mem show '' 2>err
E

more 'ids: in small letters, too, wherever one is given' <<'E'
fresh
id=$(add 'the quay is closed')
small=$(echo "$id" | tr A-Z a-z)
same "$id" "$(ikm mem show "$small" --json | jq -r .memory.memoryId)"
same "$id" "$(ikm mem show "$(echo "$id" | tr a-z A-Z)" --json | jq -r .memory.memoryId)"
ikm mem edit "$small" --tag harbour >/dev/null
same '["add","edit"]' "$(ikm mem history "$small" --json | jq -c '[.history[].op]')"
add 'the quay is open' --supersedes "$small" >/dev/null
same "$id" "$(ikm mem list --state superseded --json | jq -r '.memories[].memoryId')"
# a tool gives the whole id
echo "{\"memoryId\": \"$small\"}" | ikm call memory_delete >out
same "$id" "$(jq -r .memoryId out)"
same true "$(ikm mem show "$small" --json | jq '.memory | has("deletedAt")')"
ikm mem restore "$small" >/dev/null
event=$(ikm mem history "$id" --json | jq -r '.history[-1].event')
ikm events query --before "$event" --json >want
jq -e '.rows | length > 1' want
ikm events query --before "$(echo "$event" | tr A-Z a-z)" --json >got
cmp want got
E

more 'delete, show it, restore, not twice' <<'E'
fresh
id=$(add 'a secret plan' -t t)
ikm mem delete "$id" | grep -q "^deleted $id; to undo, before any 'ikm mem purge': ikm mem restore $id"
same '' "$(contents)"
same true "$(ikm mem show "$id" --json | jq '.memory | has("deletedAt")')"
same 'a secret plan' "$(contents --deleted --tag t)"
ikm mem restore "$id" | grep -q 'a secret plan #t$'
fails 4 ikm mem restore "$id" --json >out
same EXISTS "$(reason out)"
same 0 "$(sqlite3 "$store" 'select count(*) from deleted_memories')"
whole
E

more 'restore, purge and reindex are for people only' <<'E'
fresh
ikm tool list --json | jq -r '.tools[].name' >tools
for tool in memory_add memory_delete memory_show memory_list memory_mark; do grep -qx $tool tools; done
for tool in memory_restore memory_purge memory_reindex; do
	fails 1 grep -qx $tool tools
	fails 3 sh -c "echo '{}' | ikm call $tool >out"
done
E

more 'reindex: the same is found, by its words and marks' <<'E'
fresh
for i in 1 2 3 4 5; do add "remember the number $i" -t "t$i" >out; done
ikm mem delete "$(cat out)" >out
sqlite3 "$store" "delete from index_recent; delete from words; insert into words values (2, 'aardvark', 1)"
ikm mem reindex | grep -qx 'indexed 4 memories'
same 4 "$(sqlite3 "$store" 'select count(*) from index_recent')"
same 'number remember' "$(sqlite3 "$store" 'select word from words order by word' | xargs)"
same '{"success":true,"indexed":4}' "$(ikm mem reindex --json)"
same 'remember the number 4' "$(contents -n 1)"
whole
E
more 'rare and frequent marks give the same list, by index and by scan' <<'E'
fresh
jq -nc 'range(2200) | {content: "number \(.)", type: "t\(. % 2)", createdAt: "2026-01-01T00:00:0\(. % 7)Z",
	tags: (["many"] + if . % 100 == 7 then ["some"] else [] end)}' | ikm mem import >out
want() { # WHERE
	sqlite3 "$store" "select id from memories where $1 order by created_at desc, doc desc limit 50" | paste -sd' '
}
ids() { ikm mem list "$@" --json | jq -r '[.memories[].memoryId] | join(" ")'; }
same "$(want "tags like '%some%'")" "$(ids -t some)"
same "$(want "tags like '%many%'")" "$(ids -t many)"
same "$(want "tags like '%some%' and type = 't1'")" "$(ids -t many -t some --type t1)"
same "$(want "type = 't0'")" "$(ids --type t0)"
same '' "$(ids -t none)"
first=$(ids -t some -n 10)
same "$(ids -t some)" "$first $(ids -t some --before "${first##* }")"
same '' "$(ids -t some -c user=eve)"
ikm mem delete "${first%% *}" >out
same 21 "$(ids -t some | wc -w)"
E
try 'a time without a zone is that of the user, and so are the days that are shown' <<'E'
fresh
export TZ=FAR-14 IKM_NOW=2026-11-28T12:00:00Z
ikm mem add 'it is tomorrow here' >/dev/null
ikm mem list >out
grep -q ' 2026-11-29 ' out
for since in 2026-11-29 2026-11-29T01:30 '2026-11-29 01:30:00' 2026-11-28T12:00:00Z; do
	ikm mem search tomorrow --since "$since" >out || { echo "$since"; exit 1; }
	grep -q ' 2026-11-29 ' out
done
for since in 2026-11-30 2026-11-29T02:30 2026-11-28T12:30:00Z; do
	fails 1 ikm mem search tomorrow --since "$since"
done
ikm mem search tomorrow --until 2026-11-30 >out
same '["2026-11-28T12:00:00.000Z"]' "$(ikm mem list --json | jq -c '[.memories[].createdAt]')"
echo '{"content": "a day", "happened": "2026-11-20"}' | ikm call memory_add >/dev/null
ikm mem search day >out
grep -q 2026-11-20 out
E

try 'an empty query is a missing one, and an empty store is told' <<'E'
fresh
ikm mem add 'what was there' >/dev/null
for query in '' '  '; do
	fails_for MISSING_PARAMETER ikm mem search "$query" </dev/null
	echo "{\"query\":\"$query\"}" | ikm call memory_search | jq -e '.details.parameter == "query" and
		(.help.steps[0] | contains("memory_list"))'
done
rm -f "$store"-*
: >"$store"
touch -d '1 minute ago' "$store" # else another process may be making it
told='is an empty file, so nothing is stored yet'
fails 1 ikm mem search there 2>err
grep "$told" err
echo '{"query":"there"}' | ikm call memory_search | jq -e '.warnings | length == 1'
ikm mem add 'new' >/dev/null
fails 1 ikm mem search there 2>err
not grep "$told" err
E

try 'mem edit with a new text names the command that replaces the text' <<'E'
id=$(ikm mem add 'the orders table is ours')
fails 2 ikm mem edit "$id" the orders table is theirs 2>err
grep -qx '  a text never changes; replace it: ikm mem add TEXT --supersedes ID' err
ikm mem add 'the orders table is theirs' --supersedes "$id"
E

long 'a repository that gets an origin keeps its memories; another origin, by the loop of the manual' <<'E'
fresh
mkdir web && cd web && git init -q . && echo a >a && git add a && git commit -qm a
id=$(ikm mem add 'The axolotl is fed at noon' --layer project --file a)
git remote add origin git@example.org:old/web.git
same "$id" "$(ikm mem list -l project --json | jq -r '.memories[].memoryId')"
ikm mem search axolotl | grep -q axolotl
ikm mem show "$id" >out
grep -q axolotl out
not grep -q 'another repository' out
new=$(ikm mem add 'The narwhal is fed at six' --layer project)
same 2 "$(ikm mem list -l project --json | jq '.memories | length')"
# Others that only share the origin's host see none, nor does a repository with another root.
git init -q ../other && cd ../other && git commit -q --allow-empty -m b && git remote add origin git@example.org:x/y.git
same '' "$(ikm mem list -l project 2>/dev/null)"
not ikm mem show "$id" 2>/dev/null
cd ../web
ikm mem delete "$id" >/dev/null && ikm mem restore "$id" >/dev/null
git remote set-url origin git@example.org:new/web.git
same "$id" "$(ikm mem list -l project --json | jq -r '.memories[].memoryId')"
sed -n '/^old=/,/^done/p' "$TOP/man/ikm-machines.7" >loop
sh -e loop >/dev/null
same "$(printf '%s\n' "$id" "$new" | sort)" "$(ikm mem list -l project --json | jq -r '.memories[].memoryId' | sort)"
whole
E
done_testing
