#!/bin/sh
# events diff, events undo of many: what an agent did in a conversation, as one diff, taken back.
. "$(dirname "$0")/../lib.sh"

git init -q r
cd r || exit 1
by() { # SESSION TOOL INPUT
	echo "$3" | ikm --session "$1" call "$2" >/dev/null
}
work() { # SESSION
	printf 'one\ntwo\n' >old
	by "$1" file_edit '{"path":"old","old":"one","new":"ONE"}'
	by "$1" file_write '{"path":"new","content":"new\\n"}'
	by "$1" file_edit '{"path":"old","old":"two","new":"TWO"}'
}
work s1
by s2 file_write '{"path":"other","content":"other\\n"}'

long 'the diff of a conversation: each file once, from before the first change to now' <<'E'
ikm events diff --in-session s1 >diff 2>files
cat >want <<W
--- $PWD/old
+++ $PWD/old
@@ -1,2 +1,2 @@
-one
-two
+ONE
+TWO
--- /dev/null
+++ $PWD/new
@@ -0,0 +1 @@
+new
W
diff -u want diff
same "changed   $PWD/old, 2 changes
created   $PWD/new, 1 change" "$(cat files)"
same 3 "$(ikm events diff --since 1h --json | jq '.files | length')"
same 1 "$(ikm events diff --path new --json | jq '.files | length')"
fails_for MISSING_PARAMETER ikm events diff 2>err
grep -q '^  give --in-session, --since or --path; ' err
fails_for NO_SUCH_EVENT ikm events diff --in-session s0
fails_for NO_SUCH_EVENT ikm events undo --in-session s0 --since 1h
fails_for NO_SUCH_EVENT ikm events undo --path nofile 2>err
grep -q "^ikm: no change of 'nofile' is recorded$" err
grep -q '^  ikm records what tools change; .* git diff, or in ikm asset history' err
fails_for NO_SUCH_EVENT ikm events diff --path nofile
for since in 1h 2h30m 1w 2w3d 1h0m5s 2000-01-01T00:00:00+01:00 2000-01-01T00:00; do
	same 3 "$(ikm events diff --since $since --json | jq '.files | length')"
done
while read -r since why; do
	fails_for BAD_ARGUMENT ikm events undo --since "$since" 2>err
	grep -q "since is '$since', which $why" err
done <<'R'
09:00 is not a time
2026-11-28T08 is not a time
2026-02-30 is not a time
30m2h is not a time
1h1h is not a time
5 is not a time
w is not a time
h5 is not a time
R
fails_for MISSING_PARAMETER ikm events undo 2>err
grep -q "^  give an event's id, --in-session, --since or --path; " err
rm err
rm diff files want
E

try 'all of it is taken back in one call, and nothing else' <<'E'
ikm events undo --in-session s1 >out
same 3 "$(grep -c '^undid' out)"
same 'one two' "$(echo $(cat old))"
[ ! -e new ] && [ -e other ]
same 0 "$(ikm events diff --in-session s1 --json | jq '.files | length')"
ikm events undo --in-session s1 2>&1 | grep -q '^nothing was undone$'
# An undo that is undone is in place again.
redo=$(ikm events query --op undo -n 1 --json | jq -r '.rows[0].event_id')
ikm events undo "$redo" >/dev/null
same 1 "$(ikm events diff --in-session s1 --json | jq '.files | length')"
rm -f old new other out
E

try "a person's later work is kept, with the three versions; the rest goes back" <<'E'
work s3
printf 'mine\n' >>old
same '[true,null]' "$(ikm events diff --in-session s3 --json | jq -c '[.files[].later]')"
fails 1 ikm events undo --in-session s3 >out 2>err
same 'ONE TWO mine' "$(echo $(cat old))"
[ ! -e new ]
for line in before: after: now: '+mine'; do grep -q -- "^$line" err; done
fails 1 sh -c "ikm events undo --in-session s3 --json >json"
same "[\"old\",\"sha256:$(sha256sum old | cut -d' ' -f1)\",true]" \
	"$(jq -c '.kept[0] | [(.path | split("/")[-1]), .currentHash, (.diff | contains("+mine"))]' json)"
E

try "a person's later work is shown when the content between is not kept" <<'E'
printf 'un\ndeux\n' >fr
by s9 file_edit '{"path":"fr","old":"un","new":"UN"}'
by s9 file_edit '{"path":"fr","old":"deux","new":"DEUX"}'
printf 'a moi\n' >>fr
fails 1 ikm events undo --in-session s9 >out 2>err
grep -q '^after: .* not kept$' err
for line in before: now: '-deux' '+DEUX' '+a moi'; do grep -q -- "^$line" err; done
fails 1 sh -c "ikm events undo --in-session s9 --json >json"
jq -e '.kept[0].diff | contains("+a moi")' json
E

try 'a tool sees and takes back what its own agent did, over mcp too' <<'E'
IKM_AGENT_ID=a by s4 file_write '{"path":"a","content":"a"}'
IKM_AGENT_ID=b by s4 file_write '{"path":"b","content":"b"}'
echo '{"session":"s4"}' | ikm --agent a call events_diff | jq -c '[.files[].path | split("/")[-1]]' >out
same '["a"]' "$(cat out)"
echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_change","arguments":{"name":"events_undo","arguments":{"session":"s4"}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' |
	ikm --agent a --session s4 mcp | jq -e '.result.isError == false' >/dev/null
[ ! -e a ] && [ -e b ]
fails_for BAD_ARGUMENT ikm events undo 01 --since 1h
E
more 'a plain connection is a conversation: its files and memories are shown, and taken back' <<'E'
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
printf 'one\n' >f
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "$1" "$2" "$3" "$meta"; }
{ call 1 file_edit '{"path":"f","old":"one","new":"two"}'
call 2 memory_add '{"content":"the lock is held"}'
call 3 memory_add '{"content":"kept by a person"}'; } | ikm mcp >out
same 0 "$(jq -s '[.[] | select(.result.isError)] | length' out)"
sessions=$(ikm events query --json | jq -r '[.rows[] | select(.tool == "memory_add" or (.path | endswith("/f"))).session_id] | unique[]')
same 1 "$(echo "$sessions" | grep -c '^mcp_')"
ikm events diff --in-session "$sessions" --json >diff
same '["f","changed"]' "$(jq -c '.files[0] | [(.path | split("/")[-1]), .status]' diff)"
same '["add the lock is held","add kept by a person"]' "$(jq -c '[.memories[] | "\(.op) \(.content)"] | sort_by(. != "add the lock is held")' diff)"
ikm events diff --in-session "$sessions" 2>&1 >/dev/null | grep -q '^add  *mem_.*the lock is held$'
# A person's later edit keeps one of the two.
id=$(jq -r '.memories[] | select(.content | startswith("kept")).memoryId' diff)
ikm mem edit "$id" --tag mine >/dev/null
fails 1 ikm events undo --in-session "$sessions" --json
ikm events undo --in-session "$sessions" --json >kept || :
same one "$(cat f)"
same "$id" "$(jq -r '.kept[].path' kept)"
jq -r '.kept[].reason' kept | grep -q "was changed since the event"
same 'kept by a person' "$(ikm mem list --json | jq -r '.memories[].content')"
# With a path only files are meant.
same null "$(ikm events diff --in-session "$sessions" --path f --json | jq -c .memories)"
# The next connection is another session.
call 1 memory_add '{"content":"by another connection"}' | ikm mcp >out
ikm events query --json | jq -r '.rows[].session_id // empty' | grep -x 'mcp_[0-9A-Z]\{26\}' | sort -u >ids
same 2 "$(wc -l <ids)"
E


more 'a tool takes back what its own conversation did, and says that there is more' <<'E'
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "$1" "$2" "$3" "$meta"; }
ask() { one "$1" tool_change "{\"name\":\"$2\",\"arguments\":$3}"; }
text() { jq -rs --argjson id "$1" '.[] | select(.id == $id).result.content[].text' out; }
ikm mem add 'the person: the key is in vault A' >/dev/null
person=$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')
git init -q ../elsewhere
(cd ../elsewhere; call 1 memory_add '{"content":"of another conversation"}' | ikm mcp >/dev/null
	echo '{"path":"far","content":"far"}' | ikm --session s7 call file_write >/dev/null)
others=$(ikm events query --in-session s7 --json | jq -r '.rows[0].event_id')
kept=$(ikm mem list --json | jq -c '[.memories[].content] | sort')
one() { call "$@" | ikm --session me mcp >>out; }
: >out
one 1 file_write '{"path":"mine","content":"by this one"}'
one 2 memory_add '{"content":"by this one"}'
ask 3 events_diff '{}'
ask 4 events_diff '{"since":"1h"}'
ask 5 events_undo "{\"eventId\":\"$person\"}"
ask 6 events_undo "{\"eventId\":\"$others\"}"
ask 7 events_undo '{"session":"s7"}'
ask 9 events_undo '{"since":"1h"}'
text 3 | grep -q 'mine: created'
text 4 | grep -q 'mine: created'
text 4 | grep -q '^changes of others are left out$'
text 5 | grep -q "of a command that no agent's host ran"
text 6 | grep -q "of the conversation 's7', and not of this one"
text 7 | grep -q "the conversation 's7' is not this one"
text 9 | grep -q '^changes of others are left out$'
same 2 "$(text 9 | grep -c '^undid')"
[ ! -e mine ] && [ -e ../elsewhere/far ]
same "$kept" "$(ikm mem list --json | jq -c '[.memories[].content] | sort')"
# A program that names no conversation has only its own calls.
echo '{"since":"1h"}' | ikm call events_undo >out
same '[false,true]' "$(jq -c '[.changed, .others]' out)"
fails_for NOT_ALLOWED sh -c "echo '{\"eventId\":\"$person\"}' | ikm call events_undo >out"
fails_for NOT_ALLOWED sh -c "echo '{\"eventId\":\"$others\"}' | ikm call events_undo >out"
echo '{"path":"made","content":"by a program"}' | ikm call file_write >out
echo "{\"eventId\":\"$(jq -r .event out)\"}" | ikm call events_undo >undone
[ ! -e made ]
same "$kept" "$(ikm mem list --json | jq -c '[.memories[].content] | sort')"
# A conversation in two repositories is shown where it is, and the rest is named.
echo '{"path":"near","content":"near"}' | ikm --session s7 call file_write >/dev/null
echo '{"since":"1h"}' | ikm --session s7 call events_diff >out
same '["near"]' "$(jq -c '[.files[].path | split("/")[-1]]' out)"
jq -r '.warnings[]' out | grep -q "elsewhere/far' is left out: "
# A person at a shell takes back anything.
ikm events undo "$person" >/dev/null
same false "$(ikm mem list --json | jq '[.memories[].content] | any(startswith("the person"))')"
E

more 'a conversation is that of one user and agent: another user with its name undoes nothing' <<'E'
rm -rf "$HOME/.ikigai"
as() { # USER TOOL JSON
	printf '%s' "$3" | ikm --user "$1" --session s1 call "$2"
}
as bob file_write '{"path":"g","content":"x"}' >out
id=$(jq -r .event out)
for input in '{"path":"g"}' '{"since":"1h"}' '{"session":"s1"}' "{\"path\":\"$PWD\"}"; do
	as ada events_undo "$input" >out
	same '[false,null]' "$(jq -c '[.changed, .events]' out)"
	as ada events_diff "$input" >out
	same '[]' "$(jq -c .files out)"
done
as ada events_undo '{"path":"g"}' >out
same true "$(jq .others out)"
for event in "$id" "$(printf '%.20s' "$id")"; do
	fails_for NOT_ALLOWED sh -c 'printf "%s" "$1" | ikm --user ada --session s1 call events_undo >out' \
		- "{\"eventId\":\"$event\"}"
	jq -r .message out | grep -q "is of user 'bob'"
done
same x "$(cat g)"
# Another agent of the same user, and a memory of another.
fails_for NOT_ALLOWED sh -c 'printf "%s" "$1" | ikm --user bob --agent other --session s1 call events_undo >out' \
	- "{\"eventId\":\"$id\"}"
as bob memory_add '{"content":"bob said it"}' >out
as ada events_undo '{"since":"1h"}' >out
same '[false,null]' "$(jq -c '[.changed, .events]' out)"
same x "$(cat g)"
as bob events_undo "{\"eventId\":\"$id\"}" >out
[ ! -e g ]
# A person undoes what anybody did.
as bob file_write '{"path":"g","content":"x"}' >out
ikm --user ada events undo "$(jq -r .event out)"
[ ! -e g ]
E

more 'what is gone already was not undone' <<'E'
mkdir moved
cd moved
echo '{"path": "m", "content": "text"}' | ikm --session b call file_write >out
mv m m2
echo '{"path": "m"}' | fails 1 ikm --session b call events_undo >out
jq -e '.events == null and (.kept[0].reason | endswith("/m'"'"' is not there any more: perhaps it was moved"))' out
fails 1 ikm events undo --in-session b 2>err >out
grep -q "^kept: '.*/m' is not there any more: perhaps it was moved" err
same '' "$(cat out)"
same text "$(cat m2)"
mv m2 m
ikm events undo --in-session b | grep -q '^undid write of .*/m$'
[ ! -e m ]
E
long 'what another conversation changed and wrote again is not taken back' <<'E'
for path in back ikigai:///back; do
	by a1 file_write "{\"path\":\"$path\",\"content\":\"8080\"}"
	first=$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')
	by b1 file_write "{\"path\":\"$path\",\"content\":\"9090\"}"
	by b1 file_write "{\"path\":\"$path\",\"content\":\"8080\"}"
	for what in "{\"path\":\"$path\"}" '{"since":"1h"}'; do
		echo "$what" | ikm --session a1 call events_undo >json || :
		jq -e '.kept[0].reason | contains("was changed since")' json
	done
	fails_for CHANGED_SINCE ikm events undo "$first" 2>err
	grep -q 'undo the later events first' err
	same 8080 "$(ikm read $path)"
	# Once they are undone, it is the one change that is left.
	echo '{"since":"1h"}' | ikm --session b1 call events_undo >/dev/null
	ikm events undo "$first"
	not ikm read $path
done
# What a person took back by hand does not stand in the way.
echo A >hand
by a1 file_write '{"path":"hand","content":"B"}'
first=$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')
by b1 file_write '{"path":"hand","content":"C"}'
printf B >hand
ikm events undo "$first"
same A "$(cat hand)"
id=$(echo '{"content":"a fact","importance":0.1}' | ikm --session a1 call memory_add | jq -r .memoryId)
for by in a1:0.5 b1:0.9 b1:0.5; do
	by ${by%:*} memory_edit "{\"memoryId\":\"$id\",\"importance\":${by#*:}}"
done
echo '{"since":"1h"}' | ikm --session a1 call events_undo | jq -e '.kept | length > 0'
same 0.5 "$(ikm mem show $id --json | jq '.. | .importance? // empty' | head -1)"
E
try 'another agent of the same conversation is told of, and several undone changes have no one hash' <<'E'
q() { ikm --session q --agent "$1" call "$2" "$3"; }
q one file_write '{"path":"of-one","content":"x"}' >/dev/null
q two events_undo '{"session":"q"}' | jq -e '.others and (.changed | not) and (has("newHash") | not)'
q one events_undo '{"path":"of-one"}' | jq -e '.changed and (has("newHash") | not)'
E
done_testing
