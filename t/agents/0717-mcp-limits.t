#!/bin/sh
# ikm mcp: no answer is too long, what cannot be parsed is answered, and nothing waits in vain.
. "$(dirname "$0")/../lib.sh"

git init -q p
cd p
mcp() { python3 -IS "$TOP/t/mcp.py" ikm mcp --structured "$@"; }
# shellcheck disable=SC2119,SC2120
init() { # [REVISION]
	echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"'"${1:-2025-11-25}"'","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	echo '=wait 0'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
req() { # ID METHOD [PARAMS]
	echo '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'"'"${3:+,\"params\":$3}"'}'
}
call() { # ID TOOL [ARGUMENTS]
	none='{}'
	req "$1" tools/call '{"name":"'"$2"'","arguments":'"${3:-$none}"'}'
}
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
answer() { jq -c "select(type == \"object\" and .id == $1 and (has(\"method\") | not)) | $2"; }
# The whole answer of one call, as a line.
one() { # TOOL [ARGUMENTS] [OPTION...]
	tool=$1 input=${2:-}
	shift
	[ $# = 0 ] || shift
	# shellcheck disable=SC2119
	{ init; call 1 "$tool" "$input"; } | mcp "$@" | jq -c 'select(.id == 1)'
}
got() { jq -c ".result.structuredContent | $1"; }
settings() { mkdir -p "$HOME/.ikigai" && echo "$1" >"$HOME/.ikigai/config.json"; }

head -c 6000000 /dev/zero | tr '\0' a >one-line
seq 200000 >lines
mkdir many
i=0
while [ $i -lt 3000 ]; do : >"many/a-file-whose-name-is-rather-long-$i.txt" && i=$((i + 1)); done

# ---- no message is over a mebibyte, and each tells how to go on ----

long 'a line of 6 MB: its beginning, and the parameter that goes on' <<'E'
one file_read '{"path":"one-line"}' >out
[ "$(wc -c <out)" -lt 1048576 ]
same '[true,null,6000000]' "$(got '[.truncated, .hash, .size]' <out)"
next=$(got '.more' <out | sed -n 's/.*"bytes\\": \\"\([0-9]*\):.*/\1/p')
same "$((next - 1))" "$(got '.content | length' <out)"
one file_read '{"path":"one-line","bytes":"'"$next"':"}' >out
after=$(got '.more' <out | sed -n 's/.*"bytes\\": \\"\([0-9]*\):.*/\1/p')
same "$((after - next))" "$(got '.content | length' <out)"
same '[false,"aaa",null]' "$(one file_read '{"path":"one-line","bytes":"5999998:"}' | jq -c '[.result.isError, (.result.structuredContent | .content, .truncated)]')"
E

more 'a long file, part by part, is the whole file' <<'E'
from=1
while [ -n "$from" ]; do
	one file_read '{"path":"lines","lines":["'"$from"':60000"]}' >out
	[ "$(wc -c <out)" -lt 1048576 ]
	jq -j .result.structuredContent.content out >>parts
	from=$(got '.more // ""' <out | sed -n 's/.*\\"\([0-9]*\):60000\\".*/\1/p')
done
head -n 60000 lines | cmp - parts
rm parts
E

more 'numbers and sections are cut at lines, too' <<'E'
{ echo '# A'; echo; seq 3; echo; echo '# B'; echo; seq 100000; } >doc.md
one file_read '{"path":"doc.md","section":"b","number":true}' >out
last=$(got .content <out | jq -j . | tail -n 1 | cut -f1 | tr -d ' ')
got .more <out | grep -qF "\\\"$((last + 1)):\\\""
same "$((last + 1))	$((last - 7))" "$(one file_read '{"path":"doc.md","lines":"'"$((last + 1))"'","number":true}' |
	got .content | jq -r . | tr -d ' ')"
rm doc.md
E

more 'slices are cut with their line numbers, and what is left out is named' <<'E'
one file_read '{"path":"lines","ranges":["1:3","10:199500",[5,6],"199999"]}' >out
[ "$(wc -c <out)" -lt 1048576 ]
got '.rangeSlices' <out >slices
same '[[1,3],[5,4],[199999,199998]]' "$(jq -c '[.[0, 2, 3] | [.startLine, .endLine]]' slices)"
same '1 2 3 ' "$(jq -j '.[0].content' slices | tr '\n' ' ')"
end=$(jq '.[1].endLine' slices)
[ "$end" -gt 1000 ] && [ "$end" -lt 199999 ]
seq 10 "$end" >want
jq -j '.[1].content' slices | cmp want -
same "[true,null,\"these ranges are left out: $((end + 1)):199500, 5:6, 199999:199999; request fewer lines in one call\"]" \
	"$(got '[.truncated, .hash, .more]' <out)"
same '[null,"2\n"]' "$(one file_read '{"path":"lines","ranges":"2"}' | jq -c '.result.structuredContent | [.truncated, .rangeSlices[0].content]')"
E

more 'a file over 64 MiB: its beginning, and each part as it is asked for' <<'E'
seq -f '%020.0f' 1 3400000 >huge
one file_read '{"path":"huge"}' >out
[ "$(wc -c <out)" -lt 1048576 ]
next=$(got '.more' <out | sed -n 's/.*line \([0-9]*\) and the lines after it are left out; .*\\"lines\\": \\"\1:\\".*/\1/p')
[ "$next" -gt 100 ]
head -n $((next - 1)) huge >want
jq -j .result.structuredContent.content out | cmp want -
one file_read '{"path":"huge","lines":["'"$next"':3399000"]}' >out
same "$(sed -n "${next}p" huge)" "$(jq -r .result.structuredContent.content out | head -n 1)"
got .more <out | grep -q 'to 3399000 are left out; .*[0-9]:3399000'
one file_read '{"path":"huge","bytes":"70000001:"}' >out
next=$(got '.more' <out | sed -n 's/.*"bytes\\": \\"\([0-9]*\):\\".*/\1/p')
tail -c +70000001 huge | head -c $((next - 70000001)) >want
jq -j .result.structuredContent.content out | cmp want -
# A line that is longer than an answer.
head -c 70000000 /dev/zero | tr '\0' a >huge
printf '\nend\n' >>huge
one file_read '{"path":"huge","lines":["1:2"]}' >out
next=$(got '.more' <out | sed -n 's/.*"bytes\\": \\"\([0-9]*\):\\".*/\1/p')
same "$((next - 1))" "$(got '.content | length' <out)"
rm huge
E

more 'several files share the room' <<'E'
echo short >short
one file_read '{"path":"lines","paths":["one-line","short"]}' >out
[ "$(wc -c <out)" -lt 1048576 ]
same '["lines",true,"one-line",true]' "$(got '[.files[0, 1] | .path, .truncated]' <out)"
same 3 "$(got '.files | length' <out)"
E

more 'a list: what is here, how many there are, and the parameter for the next' <<'E'
one fs_list '{"path":"many"}' >out
[ "$(wc -c <out)" -lt 1048576 ]
same '[3000,true]' "$(got '[.total, .truncated]' <out)"
n=$(got '.paths | length' <out)
[ "$n" -lt 3000 ]
got .more <out | grep -qF "\\\"offset\\\": $n "
got '.paths[]' <out >all
while [ "$n" -lt 3000 ]; do
	one fs_list '{"path":"many","offset":'"$n"'}' | got '.paths[]' >some
	cat some >>all
	n=$(wc -l <all)
done
find many -type f | LC_ALL=C sort | jq -R . | cmp - all
E

more 'search and glob go on the same way' <<'E'
one fs_search '{"pattern":"1","paths":["lines"],"limit":1000000}' >out
[ "$(wc -c <out)" -lt 1048576 ]
n=$(got '.matches | length' <out)
got .more <out | grep -qF "\\\"offset\\\": $n "
same "$(grep -n 1 lines | sed -n "$((n + 1))p" | cut -d: -f1)" \
	"$(one fs_search '{"pattern":"1","paths":["lines"],"limit":1,"offset":'"$n"'}' | got '.matches[0].line')"
one grep '{"pattern":"1","path":"lines","limit":100000}' -t files | got .more | grep -qF offset
one glob '{"pattern":"*.txt"}' -t files | got .more | grep -qF offset
E

long 'a search and a list build no more than an answer holds, and count the rest' <<'E'
one fs_search '{"path":"lines","pattern":".","limit":1000000}' >out
same '200000' "$(got .total <out)"
# The cut names what was built: at most a match for each token.
of() { got .more <"$1" | sed -n 's/.*: cut to [0-9]* of \([0-9]*\);.*/\1/p'; }
same 10000 "$(of out)"
one fs_search '{"path":"lines","pattern":".","limit":1000000,"offset":199998}' >out
same '[["199999","200000"],200000,false]' "$(got '[[.matches[].text], .total, .truncated]' <out)"
settings '{"mcp": {"resultTokens": 1000}}'
one fs_list '{"path":"many","limit":1000000}' >out
same '[3000,1000]' "[$(got .total <out),$(of out)]"
rm "$HOME/.ikigai/config.json"
E

more 'pages of memories: next is the last that is here' <<'E'
for i in 1 2 3 4 5 6; do { echo "memory $i"; seq 2500; } | ikm mem add >/dev/null; done
one memory_list '{}' -t memory >out
n=$(got '.memories | length' <out)
[ "$n" -gt 0 ] && [ "$n" -lt 6 ]
same true "$(got '.next == .memories[-1].memoryId' <out)"
next=$(got .next <out)
got .more <out | jq -r . | grep -qF "\"before\": $next"
same "\"memory $((6 - n))\"" "$(one memory_list '{"before":'"$next"'}' -t memory | got '.memories[0].content | split("\n")[0]')"
E

more 'stored assets have a limit, and pages' <<'E'
for i in 1 2 3; do echo "$i" | ikm write "ikigai:///n/$i.md" >/dev/null; done
same '[["n/2.md"],3,true]' "$(one asset_list '{"limit":1,"offset":1}' | got '[[.assets[].path], .total, .truncated]')"
E

more 'what is not text is not given as text; a picture is a picture' <<'E'
printf '%s' iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d >dot.png
one file_read '{"path":"dot.png"}' >out
same '["image","image/png"]' "$(jq -c '.result.content[0] | [.type, .mimeType]' out)"
jq -r '.result.content[0].data' out | base64 -d | cmp - dot.png
same '["",70]' "$(got '[.content, .size]' <out)"
head -c 100000 "$(command -v ikm)" >program
one file_read '{"path":"program"}' >out
same '["",true,null]' "$(got '[.content, .truncated, .hash]' <out)"
got .more <out | grep -qF 100000
E

more 'a resource that is too long is refused, and the tool that reads it is named' <<'E'
ikm write ikigai:///long.md <lines >/dev/null
{ init; req 1 resources/read '{"uri":"ikigai:///long.md"}'; } | mcp | answer 1 .error.message | grep -q 'file_read.*lines'
{ init; req 1 resources/list; req 2 resources/read '{"uri":"ikigai:///n/1.md"}'; } | mcp >out
same '["text/markdown"]' "$(answer 1 '[.result.resources[].mimeType] | unique' <out)"
same '["1\n","text/markdown",null]' "$(answer 2 '.result | [(.contents[0] | .text, .mimeType), .ttlMs]' <out)"
E

more 'a list of resources comes in pages' <<'E'
mkdir -p .knowledge/adrs
i=0
while [ $i -lt 2500 ]; do
	printf -- '---\nid: adr-%s\nstatus: accepted\n---\n# Decision %s\n\nA summary that is long enough to count for some bytes, and then some more of it.\n' $i $i \
		>.knowledge/adrs/adr-$i.md
	i=$((i + 1))
done
{ init; req 1 resources/list; } | mcp >out
cursor=$(answer 1 .result.nextCursor <out)
[ "$cursor" != null ]
{ init; req 2 resources/list '{"cursor":'"$cursor"'}'; req 3 resources/list '{"cursor":"1-0"}'; } | mcp >next
same 0 "$(cat out next | jq -c '.result.resources[]?.uri' | sort | uniq -d | wc -l)"
same 2500 "$(cat out next | jq -c '.result.resources[]?.uri | select(startswith("knowledge:"))' | wc -l)"
same -32602 "$(answer 3 .error.code <next)"
rm -r .knowledge
E

more 'the limit of an answer is a setting, with a range' <<'E'
settings '{"mcp": {"resultTokens": 1000}}'
one fs_list '{"path":"many"}' >out
[ "$(wc -c <out)" -lt 10000 ]
got .more <out | grep -q 'about 1000 tokens'
settings '{"mcp": {"resultTokens": 10}}'
one fs_list '{"path":"many"}' | jq -r '.result.content[0].text' | grep -q '1000 to 100000'
rm -r "$HOME/.ikigai"
E

more 'the other faces have no limit of an answer' <<'E'
echo '{"path":"lines"}' | ikm call file_read | jq -j .content | cmp - lines
E

# ---- programs ----

settings '{"tools": {"bash": true, "external": true}}'

more 'bash: its output once; of a long one the beginning and the end' <<'E'
one bash '{"command":"echo a; echo b >&2; exit 3"}' >out
same '{"exit_code":3,"output":"a\nb\n"}' "$(got . <out | jq -cS .)"
one bash '{"command":"seq 300000"}' >out
[ "$(wc -c <out)" -lt 1048576 ]
same true "$(got '.truncated' <out)"
got .output <out | jq -j . >text
same 1 "$(head -n 1 text)"
same 300000 "$(tail -n 1 text)"
grep -q '^\[\.\.\. [0-9]* bytes ([0-9]* lines) left out \.\.\.\]$' text
grep -v '^\[' text >kept
gone=$(sed -n 's/^\[.*(\([0-9]*\) lines).*/\1/p' text)
same 300000 "$((gone + $(wc -l <kept)))"
same '["a\n","b\n","a\nb\n"]' "$(echo '{"command":"echo a; echo b >&2"}' | ikm call bash | jq -c '[.stdout, .stderr, .output]')"
E

more 'a program: whatever it gives is cut, and what cannot be is an error' <<'E'
mkdir -p "$HOME/.ikigai/tools"
cat >"$HOME/.ikigai/tools/flood" <<'P'
#!/bin/sh
[ "$1" = --schema ] && exec echo '{"name":"flood","description":"much","parameters":{"how":{"type":"string"}}}'
case $(cat) in
*list*) seq 500000 | jq -cn '[inputs]' ;;
*text*) seq 500000 | jq -cRs '{deep: {text: ., other: 1}}' ;;
*number*) printf '1%02000000d' 0 ;;
*small*) echo '{"a": 1}' ;;
esac
P
chmod +x "$HOME/.ikigai/tools/flood"
for how in list text; do
	one flood '{"how":"'$how'"}' -t tools >out
	[ "$(wc -c <out)" -lt 1048576 ]
	same '[false,null]' "$(jq -c '[.result.isError, .result.structuredContent]' out)"
	jq -r '.result.content[].text' out | grep -q 'cut to about 10000 tokens.*how'
done
one flood '{"how":"number"}' -t tools >out
[ "$(wc -c <out)" -lt 1048576 ]
same true "$(jq .result.isError out)"
jq -r '.result.content[0].text' out | grep -q 'cannot be cut.*how'
same '{"a":1}' "$(one flood '{"how":"small"}' -t tools | got .)"
E

more 'slow programs hold up neither reads nor the list nor pings' <<'E'
{ init
i=100
while [ $i -lt 120 ]; do call $i bash '{"command":"while [ ! -e go ]; do sleep 0.05; done"}'; i=$((i + 1)); done
call 1 file_read '{"path":"short"}'; req 2 tools/list; req 3 ping; call 4 memory_search '{"query":"x"}'
call 5 file_write '{"path":"written","content":"x"}'
for i in 1 2 3 4 5; do echo "=wait $i"; done
echo '=run touch go'; echo '=wait 119'; } | mcp >out
same 20 "$(jq -c 'select((.id | type) == "number" and .id >= 100) | .result.structuredContent.exit_code | select(. == 0)' out | wc -l)"
# The request that was sent last is answered first.
same '[1,2,3,4,5]' "$(jq -c 'select(.id > 0 and .id < 100) | .id' out | sort | jq -cs .)"
same 5 "$(jq -c 'select(.id > 0) | .id' out | head -n 5 | grep -c '^.$')"
E

more 'cancelling one of many calls ends only that call' <<'E'
rm -f go
{ init
for i in 1 2 3; do call $i bash '{"command":"touch begun'$i'; while [ ! -e go ]; do sleep 0.05; done; touch done'$i'"}'; done
echo '=run while [ ! -e begun1 ] || [ ! -e begun2 ] || [ ! -e begun3 ]; do sleep 0.05; done'
echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'
req 9 ping; echo '=wait 9'; echo '=run sleep 0.2; touch go'; echo '=wait 1'; echo '=wait 3'; } | mcp >out
same '[1,3]' "$(jq -c 'select(.id > 0 and .id < 9) | .id' out | sort | jq -cs .)"
[ -e done1 ] && [ ! -e done2 ] && [ -e done3 ]
E

more 'a program that may belong to another user is not run, with the reason' <<'E'
chmod g+w "$HOME/.ikigai/tools/flood"
if [ "$(stat -c %g "$HOME/.ikigai/tools/flood")" = "$(id -u)" ]; then
	ikm tool list >/dev/null 2>err
	! grep -q 'its group' err
else
	echo '{}' | ikm tool call flood | jq -r .error | grep -q 'its group ([0-9]*) may write to it: chmod g-w first'
fi
chmod g-w "$HOME/.ikigai/tools/flood"
chmod o+w "$HOME/.ikigai/tools"
echo '{}' | ikm tool call flood | jq -r .error | grep -qF "'$HOME/.ikigai/tools' was skipped: anybody may write to it"
chmod o-w "$HOME/.ikigai/tools"
printf '#!/bin/sh\necho '\''{"name":"e","description":"","parameters":{}}'\''\n' >"$HOME/.ikigai/tools/e"
chmod +x "$HOME/.ikigai/tools/e"
ikm tool list 2>&1 >/dev/null | grep -q "'description' is empty"
E

rm -r "$HOME/.ikigai"

# ---- settings that are broken ----

more 'a broken .ikm/config.json: the tool that wrote it is told, and can mend it' <<'E'
# By default a person decides about settings; t/agents/0474-agent-writes.t has that.
IKM_CHECK_AGENT_PROTECTED=warn
export IKM_CHECK_AGENT_PROTECTED
one file_write '{"path":".ikm/config.json","parents":true,"content":"{\"knowledge\":{\"sorces\":[]}}"}' >out
same false "$(jq .result.isError out)"
got '.warnings[]' <out | grep -q "config.json, line 1: unknown setting 'knowledge.sorces'; did you mean 'knowledge.sources'"
{ init; call 1 file_read '{"path":"short"}'; call 2 memory_search '{"query":"x"}'; call 3 memory_add '{"content":"x"}'
call 4 fs_list '{}'; call 5 knowledge_query '{"query":"x"}'; call 6 file_read '{"path":"none"}'; call 7 knowledge_check '{"dependencies":[{"name":"x"}]}'
call 8 file_write '{"path":"other","content":"x"}'; } | mcp >out
for i in 1 2 3 4; do
	same '[false,1]' "$(answer $i '[.result.isError, ([.result.structuredContent.warnings[] | select(test("line 1: unknown setting"))] | length)]' <out)"
done
answer 8 '.result.structuredContent.warnings[]' <out | grep -q 'ikm could not judge this change, and made it: .*unknown setting'
for i in 5 7; do answer $i '.result.content[0].text | fromjson | .details.reason' <out | grep -q BAD_CONFIG; done
answer 6 '.result.content[0].text | fromjson | .details | [.reason, .settings]' <out | grep -q 'FILE_NOT_FOUND.*unknown setting'
one file_edit '{"path":".ikm/config.json","old":"sorces","new":"sources"}' >out
same '[false,1]' "$(jq -c '[.result.isError, (.result.structuredContent.warnings | length)]' out)"
same '[false,null]' "$(one file_read '{"path":"short"}' | jq -c '[.result.isError, .result.structuredContent.warnings]')"
E

more 'the same by undo, over call and libexec; a command line refuses' <<'E'
IKM_CHECK_AGENT_PROTECTED=warn
export IKM_CHECK_AGENT_PROTECTED IKM_SESSION=s
event=$(echo '{"path":".ikm/config.json","content":"{\"tools\":{\"bash\":true}}"}' | ikm call file_write | jq -r .event)
echo '{"path":"short"}' | ikm call file_read | jq -r '.warnings[]' | grep -q "may not set 'tools.bash'"
ln -s "$(command -v ikm)" file-read
echo '{"path":"short"}' | ./file-read | jq -r '.warnings[]' | grep -q "may not set 'tools.bash'"
fails 2 ikm mem list
echo '{"eventId":"'"$event"'"}' | ikm call events_undo | jq -e '.changed and (.warnings | length == 1) and (.warnings[0] | startswith("ikm could not judge"))' >/dev/null
echo '{"path":"short"}' | ikm call file_read | jq -e '.warnings == null' >/dev/null
E

more 'no JSON, or no file at all' <<'E'
echo '{' >.ikm/config.json
got '.warnings[]' <<A | grep -q config.json
$(one file_read '{"path":"short"}')
A
rm .ikm/config.json
mkdir .ikm/config.json
got '.warnings[]' <<A | grep -q config.json
$(one file_read '{"path":"short"}')
A
rm -r .ikm
E

more "a broken user's configuration: the tools are listed, and each call tells what is wrong" <<'E'
settings '{"files": {"rots": []}}'
{ init; req 1 tools/list; call 2 file_read '{"path":"short"}'; call 3 bash '{"command":"echo"}'; } | mcp >out 2>err
same '[true,0]' "$(answer 1 '[.result.tools[].name] | [(index("file_read") != null), (map(select(. == "bash")) | length)]' <out)"
for i in 2 3; do answer $i '.result | select(.isError).content[0].text' <out | grep -q "unknown setting 'files.rots'"; done
rm -r "$HOME/.ikigai"
E

# ---- what cannot be parsed ----

for era in 2024-11-05 2025-11-25 2026-07-28; do
	export era
	try "$era: what cannot be parsed is answered with its id, where that can be read" <<'E'
begin() { [ $era = 2026-07-28 ] || init $era; }
deep=$(head -c 200 /dev/zero | tr '\0' '[')
{ begin
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_add","arguments":{"content":"\ud83d"}}}'
echo '{"jsonrpc":"2.0","id":"two","method":"x","params":'"$deep"'}'
printf '{"jsonrpc":"2.0","method":"x","params":{"a":"\377"},"id":3}\n' | iconv -f latin1 -t utf-8 >/dev/null
echo '{"method":"x","params":{"a":1,"a":2,"id":99},"jsonrpc":"2.0","id":4}'
echo '{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"id","b":[{"id":98}]},}'
echo '{"jsonrpc":"2.0","id":6,"method":"x","id":7}'
echo '{"jsonrpc":"2.0","id":1.5,"method":"x",}'
echo '{"jsonrpc":"2.0","id":8,"result":{},}'
echo '{"jsonrpc":"2.0","id":9,"method":"x"'
echo nonsense; echo '=any'; } | mcp >out
for id in 1 '"two"' 4 5 9; do same -32700 "$(answer "$id" .error.code <out)"; done
answer 1 .error.message <out | grep -q 'half a surrogate pair'
same 0 "$(jq -c 'select(.id == (6, 7, 8, 98, 99)).id' out | wc -l)"
same 4 "$(jq -c 'select(.error.code == -32700 and .id == null).id' out | wc -l)"
E
done

more 'invalid UTF-8, a line over the limit, and its id at the end' <<'E'
python3 -IS - >in <<'P'
import sys
out = sys.stdout.buffer
out.write(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n')
out.write(b'{"jsonrpc":"2.0","method":"x","params":{"a":"\xff"},"id":3}\n')
out.write(b'{"method":"x","params":{"a":"' + b'a' * (65 << 20) + b'","id":5},"jsonrpc":"2.0","id":4}\n')
out.write(b'{"jsonrpc":"2.0","id":6,"method":"ping"}\n')
P
ikm mcp <in >out
same '-32700' "$(answer 3 .error.code <out)"
same '"the message is over 64 MiB"' "$(answer 4 .error.message <out)"
same '{}' "$(answer 6 .result <out)"
same 4 "$(wc -l <out)"
E

more 'a batch: each of its requests is answered, where there are no batches too' <<'E'
batch='[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"method":"ping"}'
{ init 2025-06-18; echo "$batch]"; echo '=wait 2'; } | mcp >out
same '[1,-32600,2,-32600]' "$(jq -cs '[.[1:][] | .id, .error.code]' out)"
{ init 2025-03-26; echo "$batch,]"; echo '=wait 2'; } | mcp >out
same '[1,-32700,2,-32700]' "$(jq -cs '[.[1:][] | .id, .error.code]' out)"
E

# ---- what models write ----

more 'lines, in each way that they are asked for' <<'E'
same '"2\n3\n"' "$(for lines in '"2:3"' '["2:3"]' '"2-3"' '["2-3"]' '"2..3"' '["2..3"]' '[2,3]' '[[2,3]]' '["2","3"]' '[2.0,3e0]'; do
	one file_read '{"path":"lines","lines":'"$lines"'}' | got .content; done | uniq)"
same '"2\n3\n"' "$(for input in '"offset":2,"limit":2' '"start_line":2,"end_line":3' '"startLine":2,"endLine":3' '"offset":2,"end":3'; do
	one file_read '{"path":"lines",'"$input"'}' | got .content; done | uniq)"
same '"7\n"' "$(one file_read '{"path":"lines","lines":7}' | got .content)"
same '["lines","number"]' "$({ init; req 1 tools/list; } | mcp | answer 1 '.result.tools[] | select(.name == "file_read").inputSchema.properties | [keys[] | select(. == ("lines", "number", "offset", "limit", "start_line", "end"))]')"
one file_read '{"path":"short","lines":["50:60"]}' | jq -r '.result.content[0].text' | grep -q "line 50 is past the end: 'short' has 1 line"
one file_read '{"path":"short","lines":"x"}' | jq -r '.result.content[0].text' | grep -q "'x' is not a range of lines"
E

more 'whole numbers may be written as numbers of JSON' <<'E'
for limit in 2 2.0 2e0 0.2e1 20e-1; do
	same 2 "$(one fs_list '{"path":"many","limit":'$limit'}' | got '.paths | length')"
done
for limit in 2.5 1e99 '"two"'; do
	one fs_list '{"path":"many","limit":'$limit'}' | jq -r '.result.content[0].text' | grep -q 'limit.*must be'
done
same 2 "$(echo '{"path":"many","limit":2.0}' | ikm call fs_list | jq '.paths | length')"
E

more 'no schema has a number that JavaScript cannot hold' <<'E'
{ init; req 1 tools/list; } | mcp -t files -t memory -t knowledge -t tools |
	answer 1 '[.. | objects | .maximum // 0 | select(. > 9007199254740991)]' >out
same '[]' "$(cat out)"
! ikm tool schema asset_history --format mcp | grep -q 9223372036854775807
E

more 'one result below the threshold is one result' <<'E'
echo 'The capital of France is Paris' | ikm mem add >/dev/null
same '[1,1,true]' "$(one memory_search '{"query":"paris weather tomorrow morning","threshold":0.999}' | got '[(.results | length), .totalCount, .belowThreshold]')"
E

more 'memory stays bounded when a client does not read' <<'E'
python3 -IS - "$(grep -q __asan_init "$BUILD/test/ikm" && echo 300000 || echo 100000)" <<'P'
import json, subprocess, sys, time
s = subprocess.Popen(['ikm', 'mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
s.stdin.write(b'{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n')
s.stdin.flush()
json.loads(s.stdout.readline())
import os
os.set_blocking(s.stdin.fileno(), False)
lines = b''.join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' % i for i in range(20000))
sent, still = 0, 0
while sent < len(lines) and still < 40:
    try:
        n = os.write(s.stdin.fileno(), lines[sent:sent + 65536])
    except BlockingIOError:
        n = 0
    sent, still = sent + n, 0 if n else still + 1
    time.sleep(0 if n else 0.05)
peak = [int(l.split()[1]) for l in open('/proc/%d/status' % s.pid) if l.startswith('VmHWM')][0]
s.kill()
s.wait()
print(peak, 'kB')
sys.exit(peak > int(sys.argv[1]))
P
E


more "help of an error names tools and their parameters, where a shell is not at hand" <<'E'
echo text | ikm write ikigai:///blocks/gone.md
ikm asset delete blocks/gone.md
same "it was removed; tool_change with {\"name\":\"asset_restore\",\"arguments\":{\"path\":\"blocks/gone.md\"}} brings it back
tool_call with {\"name\":\"asset_list\"} lists the assets" "$(one file_read '{"path":"ikigai:///blocks/gone.md"}' |
	jq -r '.result.content[0].text | fromjson | .help.steps[]')"
ikm read ikigai:///blocks/gone.md 2>err || true
grep -q "'ikm asset restore blocks/gone.md' brings it back" err
export IKM_SESSION=s
{ one file_write '{"path":"undone","content":"a"}' && one file_write '{"path":"undone","content":"b"}' &&
	one events_query '{"path":"undone"}' -t files; } >out
first=$(jq -sr '.[2].result.structuredContent.rows[-1].event_id' out)
one events_undo "{\"eventId\":\"$first\"}" -t files | jq -r '.result.content[0].text | fromjson | .help.steps[0]' >step
grep -q '^undo the later events first, newest first: events_query with {"path":"[^"]*undone"} lists them$' step
E

more 'tool_list lists what the server offers, and nothing else' <<'E'
ikm version
for options in '-t tools' '-t tools -t knowledge' '-t tools --read-only'; do
	# shellcheck disable=SC2086
	one tool_list '' $options | jq -c '[.result.structuredContent.tools[].name] | sort' >listed
	# shellcheck disable=SC2086
	{ init; req 1 tools/list; } | mcp $options | jq -c 'select(.id == 1) | [.result.tools[].name] | sort' | diff - listed
done
E

more 'the prompt compact names the asset that is there' <<'E'
echo text | ikm write ikigai:///blocks/prefs.md
prompt() { { init; req 1 prompts/get '{"name":"compact","arguments":{"asset":"'"$1"'"}}'; } | mcp | jq -r 'select(.id == 1)'; }
for asset in prefs blocks/prefs ikigai:///blocks/prefs.md; do
	prompt $asset | jq -r '.result.messages[0].content.text' | grep -q 'asset ikigai:///blocks/prefs\.md smaller'
done
prompt blocks/preffs | jq -r '.result.messages[0].content.text' >out
grep -q "does not exist: there is no stored asset 'blocks/preffs'" out
grep -q 'fs_list' out
E
done_testing
