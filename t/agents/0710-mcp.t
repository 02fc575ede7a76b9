#!/bin/sh
# ikm mcp: both eras, tools, errors, cancellation, roots, and clients that misbehave.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" sample
cd sample
mcp() { python3 -IS "$TOP/t/mcp.py" ikm mcp --structured "$@"; }
init() { # REVISION [CAPABILITIES]
	none='{}'
	echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"'$1'","capabilities":'"${2:-$none}"',"clientInfo":{"name":"t","version":"1"}}}'
	echo '=wait 0'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
req() { # ID METHOD [PARAMS]
	echo '{"jsonrpc":"2.0","id":'$1',"method":"'$2'"'"${3:+,\"params\":$3}"'}'
}
call() { # ID TOOL [ARGUMENTS]
	none='{}'
	req "$1" tools/call '{"name":"'$2'","arguments":'"${3:-$none}"'}'
}
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
new() { req "$1" "$2" "{${3:+$3,}$meta}"; }
cancel() { echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":'$1'}}'; }
answer() { jq -c "select(type == \"object\" and .id == $1 and (has(\"method\") | not)) | $2"; }

for revision in 2024-11-05 2025-03-26 2025-06-18 2025-11-25; do
	export revision
	try "$revision: initialize, ping, tools/list, tools/call" <<'E'
{ init $revision; req 1 ping; req 2 tools/list; call 3 file_read '{"path":"package.json"}'; } | mcp >out
same "[\"$revision\",\"ikm\",{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},\"prompts\":{},\"completions\":{}}]" \
	"$(answer 0 '.result | [.protocolVersion, .serverInfo.name, .capabilities]' <out)"
same '{}' "$(answer 1 .result <out)"
same true "$(answer 2 '.result.tools | length == 11' <out)"
same '"orders"' "$(answer 3 '.result.content[0].text | fromjson | .content | fromjson | .name' <out)"
has="$(answer 2 '.result.tools[0] | [has("annotations"), has("outputSchema")]' <out)"
case $revision in
2024-11-05) same '[false,false]' "$has" ;;
2025-03-26) same '[true,false]' "$has" ;;
*)
	same '[true,true]' "$has"
	same '"package.json"' "$(answer 3 .result.structuredContent.path <out)"
	;;
esac
E
done

try 'a revision that is not known gets the latest of those with a handshake' <<'E'
same '"2025-11-25"' "$(init 1999-01-01 | mcp | answer 0 .result.protocolVersion)"
E

try '2026-07-28: no handshake, results say that they are complete' <<'E'
{ new 1 server/discover; new 2 tools/list; new 3 tools/call '"name":"file_read","arguments":{"path":"package.json"}'
new 4 ping; } | mcp >out
same '["2026-07-28","complete","private",true]' "$(answer 1 '.result | [.supportedVersions[0], .resultType, .cacheScope, .ttlMs >= 0]' <out)"
same '["complete","ikm"]' "$(answer 2 '.result | [.resultType, ._meta["io.modelcontextprotocol/serverInfo"].name]' <out)"
same '["complete",false]' "$(answer 3 '.result | [.resultType, .isError]' <out)"
same -32601 "$(answer 4 .error.code <out)"
E

try 'both eras on one connection' <<'E'
{ init 2025-06-18; new 1 tools/list; req 2 tools/list; } | mcp >out
same '"complete"' "$(answer 1 .result.resultType <out)"
same null "$(answer 2 .result.resultType <out)"
E

try '2026-07-28: another version, no capabilities, nothing at all' <<'E'
{ new 1 tools/list | sed s/2026-07-28/2027-01-01/; req 2 tools/list
new 3 tools/list | sed 's/,"io.modelcontextprotocol.clientCapabilities":{}//'; } | mcp >out
same '[-32022,"2027-01-01",true]' "$(answer 1 '.error | [.code, .data.requested, (.data.supported | length == 5)]' <out)"
same -32602 "$(answer 2 .error.code <out)"
same -32602 "$(answer 3 .error.code <out)"
E

more 'failures of a tool are results, errors of the protocol are errors' <<'E'
{ init 2025-06-18; call 1 file_read '{"path":"none"}'; call 2 no_such_tool; call 3 file_read '[]'
call 4 file_read '{"no":1}'; req 5 tools/call '{}'; req 6 no/such/method; req 7 tools/list '{"cursor":"x"}'
call 8 file_read '{"path":"/etc/passwd"}'; call 9 bash '{"command":"id"}'; } | mcp >out
same '[true,"FILE_NOT_FOUND",false]' "$(answer 1 '.result | [.isError, (.content[0].text | fromjson | .details.reason), has("structuredContent")]' <out)"
same '[-32602,-32602,-32602,-32601,-32602]' "$(for i in 2 3 5 6 7; do answer $i .error.code <out; done | jq -sc .)"
same '["UNKNOWN_PARAMETER","OUTSIDE_ROOTS","NOT_ALLOWED"]' "$(for i in 4 8 9; do
	answer $i '.result.content[0].text | fromjson | .details.reason' <out; done | jq -sc .)"
E

more 'invalid messages get an error, and the server goes on' <<'E'
{ init 2025-11-25; echo '{'; echo '"x"'; echo '{"jsonrpc":"1.0","id":1,"method":"ping"}'
echo '{"jsonrpc":"2.0","id":null,"method":"ping"}'; echo '{"jsonrpc":"2.0","id":[1],"method":"ping"}'
echo '{"jsonrpc":"2.0","id":2,"method":7}'; echo '{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}'
echo '{"jsonrpc":"2.0","id":4}'; echo '[]'; echo ''; echo '{"jsonrpc":"2.0","method":"no/such/thing"}'
echo '{"jsonrpc":"2.0","id":"none","result":{}}'; req 6 ping; } | mcp >out
same '[-32700,-32600,-32600,-32600,-32600,-32600,-32602,-32600,-32600]' "$(jq -sc 'map(select(.error).error.code)' out)"
same '{}' "$(answer 6 .result <out)"
{ printf '{"jsonrpc":"2.0","id":5,"method":"\377"}\n\0\n'; req 6 server/discover "{$meta}"; } | ikm mcp >out
same '[-32700,-32700,null]' "$(jq -sc 'map(.error.code)' out)"
E

more 'an id that is in use, a second initialize' <<'E'
{ init 2025-06-18; req 1 initialize '{"protocolVersion":"2025-06-18"}'; call 2 fs_list; req 2 ping; } | mcp >out
same -32600 "$(answer 1 .error.code <out)"
same -32600 "$(jq -c 'select(.id == 2 and .error).error.code' out)"
E

more 'batches, in 2025-03-26 alone' <<'E'
{ init 2025-03-26; echo '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fs_list"}}]'
echo '[]'; echo '[{"jsonrpc":"2.0","method":"notifications/x"}]'; } | mcp >out
same '[1,2,null]' "$(jq -c 'select(type == "array") | map(.id) | sort_by(tostring)' out)"
same 2 "$(jq -sc 'map(select(type == "object")) | length' out)"
{ init 2025-06-18; echo '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'; } | mcp >out
same '[1,-32600]' "$(jq -c 'select(.error) | [.id, .error.code]' out)"
E

more 'a line over the limit is told once' <<'E'
{ head -c 68000000 /dev/zero | tr '\0' x; echo; new 1 server/discover; } | ikm mcp >out
same '[-32600,null]' "$(jq -sc 'map(.error.code)' out)"
E

slow() { # a tool of the user's that does not end by itself
	mkdir -p "$HOME/.ikigai/tools"
	echo '{"tools":{"external":true}}' >"$HOME/.ikigai/config.json"
	cat >"$HOME/.ikigai/tools/slow" <<-X
		#!/bin/sh
		[ "\$1" != --schema ] || { echo '{"description":"slow","returns":{"type":"object"}}'; exit; }
		name=\$(jq -r '.name // "slow"')
		sleep 300 &
		echo \$! >$T/\$name.pid
		wait
	X
	chmod +x "$HOME/.ikigai/tools/slow"
	rm -f "$T/slow.pid"
}
begun() { # [NAME]; sent after it: when the tool runs; without a tool, after a while
	for _ in $(seq 200); do
		[ -s "$T/${1:-slow}.pid" ] && return
		sleep 0.05
	done
	return 1
}
gone() {
	! kill -0 "$(cat "$T/${1:-slow}.pid")" 2>/dev/null
}

more 'a program of the user is offered once that is switched on, without outputSchema' <<'E'
offered() { new 1 tools/list | mcp "$@" | answer 1 '.result.tools[] | select(.name == "slow") | has("outputSchema")'; }
same '' "$(offered)"
slow
same false "$(offered)"
same false "$(offered --toolset tools)"
same '' "$(offered --toolset files)"
same '' "$(offered --read-only)"
rm -r "$HOME/.ikigai"
E

more 'a cancelled call has no answer, leaves nothing, and holds nobody up' <<'E'
slow
{ init 2025-06-18; call 1 slow; call 2 fs_list; echo '=wait 2'; begun; cancel 1; cancel 99
echo '{"jsonrpc":"2.0","method":"notifications/cancelled"}'; req 3 ping; echo '=wait 3'; } | mcp >out
same '' "$(answer 1 . <out)"
same '{}' "$(answer 3 .result <out)"
gone
rm -r "$HOME/.ikigai"
E

more 'of two calls of one tool, the one that is cancelled ends' <<'E'
slow
{ init 2025-06-18; call 1 slow '{"name":"one"}'; call 2 slow '{"name":"two"}'; begun one; begun two; cancel 1
echo "=run while kill -0 $(cat "$T/one.pid") 2>/dev/null; do sleep 0.05; done; kill $(cat "$T/two.pid")"; echo '=wait 2'; } | mcp >out
same '[true,"PROGRAM_FAILED"]' "$(answer 2 '.result | [.isError, (.content[0].text | fromjson | .details.reason)]' <out)"
same '' "$(answer 1 . <out)"
gone one
rm -r "$HOME/.ikigai"
E

more 'progress is told for a token, and grows' <<'E'
slow
{ init 2025-06-18; req 1 tools/call '{"name":"slow","_meta":{"progressToken":"t"}}'; echo '=any'; echo '=any'; cancel 1; } | mcp >out
same '["t","t"]' "$(jq -sc 'map(select(.method == "notifications/progress").params.progressToken)[:2]' out)"
same true "$(jq -sc 'map(select(.method == "notifications/progress").params.progress) | . == unique' out)"
rm -r "$HOME/.ikigai"
E

more 'TERM ends what runs' <<'E'
slow
{ init 2025-06-18; call 1 slow; begun; echo '=signal 15'; } | mcp >out
same '' "$(answer 1 . <out)"
gone
rm -r "$HOME/.ikigai"
E

more 'a client that no longer reads ends what runs' <<'E'
slow
mkfifo in
ikm mcp <in | head -n 2 >out &
exec 3>in
{ init 2025-06-18 | grep -v ^=; call 1 slow; begun; req 2 ping; } >&3
wait
gone
exec 3>&-
rm -r "$HOME/.ikigai"
E

more 'the client says which folders may be touched, and where paths begin' <<'E'
mkdir -p "$T/other dir"
echo theirs >"$T/other dir/file"
ask() { init 2025-06-18 '{"roots":{"listChanged":true}}'; call 1 file_read "{\"path\":\"$1\"}"
echo '=request roots/list'; echo "=reply $2"; echo '=wait 1'; }
told="{\"roots\":[{\"uri\":\"file://$T/other%20dir\"}]}"
same '"theirs\n"' "$(ask file "$told" | mcp | answer 1 .result.structuredContent.content)"
same '"OUTSIDE_ROOTS"' "$(ask "$PWD/package.json" "$told" | mcp |
	answer 1 '.result.content[0].text | fromjson | .details.reason')"
same false "$(ask package.json '{"roots":[]}' | mcp | answer 1 .result.isError)"
for none in file:/// "file://$T/none" https://example.org/ "file://$HOME"; do
	same '"NO_ROOTS"' "$(ask "$PWD/package.json" "{\"roots\":[{\"uri\":\"$none\"}]}" | mcp |
		answer 1 '.result.content[0].text | fromjson | .details.reason')"
done
# A root that names no folder of this machine is named, and the next one is the first.
for strange in vscode-remote://ssh/w folder "file://host/$T" ''; do
	ask file "{\"roots\":[{\"uri\":\"$strange\"}]}" | mcp |
		answer 1 '.result.content[0].text | fromjson | .message' |
		grep -F "the client's root '$strange': it is no file:// URI of a folder on this machine"
	same '"theirs\n"' "$(ask file "{\"roots\":[{\"uri\":\"$strange\"},{\"uri\":\"file://$T/other%20dir\"}]}" |
		mcp | answer 1 .result.structuredContent.content)"
done
same '"theirs\n"' "$(ask file "{\"roots\":[{\"uri\":\"$T/other dir\"}]}" | mcp | answer 1 .result.structuredContent.content)"
E

more 'a client that does not send its roots: the repository counts after three seconds' <<'E'
begun=$(date +%s%N)
{ init 2025-06-18 '{"roots":{}}'; call 1 file_read '{"path":"package.json"}'; echo '=wait 1'; } | mcp >out
[ $((($(date +%s%N) - begun) / 1000000)) -ge 2900 ]
same false "$(answer 1 .result.isError <out)"
E

more 'an error instead of new roots keeps the earlier roots' <<'E'
{ init 2025-06-18 '{"roots":{}}'; echo '=request roots/list'
echo "=reply {\"roots\":[{\"uri\":\"file://$T/other%20dir\"}]}"; call 1 file_read '{"path":"file"}'; echo '=wait 1'
echo '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}'; echo '=request roots/list'; echo '=refuse'
call 2 file_read "{\"path\":\"$PWD/package.json\"}"; } | mcp >out
same '[false,true]' "$(for i in 1 2; do answer $i .result.isError <out; done | jq -sc .)"
E

more 'with --root the client is not asked' <<'E'
{ init 2025-06-18 '{"roots":{}}'; for i in 1 2 3; do call $i file_read '{"path":"file"}'; echo "=wait $i"; done; } |
	mcp --root "$T/other dir" -C "$T/other dir" >out
for i in 1 2 3; do
	same '"theirs\n"' "$(answer $i .result.structuredContent.content <out)"
done
same '' "$(jq -c 'select(.method)' out)"
E

more 'toolsets: few by default, all when asked for, and never what was not offered' <<'E'
size() { new 1 tools/list | mcp "$@" | answer 1 '[.result.tools[].inputSchema | tostring | utf8bytelength] | add'; }
[ "$(size)" -le 12800 ]
[ "$(size -t files -t memory -t knowledge -t tools -t garden)" -le 49152 ]
same "$(ikm tool list --json | jq -r '.tools[].name' | grep -vx -e bash -e grep -e glob)" "$(new 1 tools/list |
	mcp -t files -t memory -t knowledge -t tools -t garden | jq -r '.result.tools[].name' | sort)"
same '[true]' "$(new 1 tools/list | mcp -t files --read-only |
	answer 1 '.result.tools | map(.annotations.readOnlyHint) | unique')"
new 1 tools/call '"name":"file_write","arguments":{"path":"w","content":"x"}' | mcp --read-only >out
same -32602 "$(answer 1 .error.code <out)"
[ ! -e w ]
fails 2 ikm mcp -t none </dev/null
for set in files memory knowledge tools garden; do
	[ "$(new 1 tools/list | mcp -t $set --read-only | answer 1 '.result.tools | length')" -gt 0 ]
done
same '' "$(ikm mcp -t files -t memory -t knowledge -t tools -t garden --read-only </dev/null 2>&1)"
E

more 'the instructions name no tool that is not offered' <<'E'
for options in '' --read-only '-t files' '-t knowledge --read-only' '-t memory -t tools' '-t tools'; do
	{ new 1 server/discover; new 2 tools/list; } | mcp $options >out
	answer 1 '.result.instructions // "" | [scan("[a-z]+_[a-z]+")]' <out >named
	answer 2 '[.result.tools[].name]' <out >offered
	# tool_call names what tool_list lists.
	if grep -q tool_call offered; then
		new 3 tools/call '"name":"tool_list","arguments":{}' | mcp $options |
			answer 3 '.result.content[0].text | [scan("[a-z]+_[a-z]+")]' >>offered
	fi
	same '[]' "$(jq -cn --slurpfile n named --slurpfile o offered '$n[0] - ($o | add)')"
done
{ init 2025-06-18; } | mcp >out
same '["tool_list","tool_call","tool_change","knowledge_query","knowledge_for","knowledge_why","tool_call","knowledge_check","memory_search","memory_add"]' \
	"$(answer 0 '.result.instructions | [scan("[a-z]+_[a-z]+")]' <out)"
same null "$(new 1 server/discover | mcp -t tools | answer 1 .result.instructions)"
E

more 'resources: stored assets and decisions, listed and read' <<'E'
echo hello | ikm write ikigai:///blocks/a.md >/dev/null
{ new 1 resources/list; new 2 resources/templates/list; new 3 resources/read '"uri":"ikigai:///blocks/a.md"'
new 4 resources/read '"uri":"knowledge:///0001-postgresql-for-relational-data"'
new 5 resources/read '"uri":"ikigai:///none"'; new 6 resources/read '"uri":"file:///etc/passwd"'; } | mcp >out
same '["ikigai:///blocks/a.md","knowledge:///0001-postgresql-for-relational-data"]' "$(answer 1 '[.result.resources[].uri][:2]' <out)"
same '["ikigai:///{+path}","knowledge:///{id}","garden:///{+path}"]' "$(answer 2 '[.result.resourceTemplates[].uriTemplate]' <out)"
same '["hello\n",0]' "$(answer 3 '.result | [.contents[0].text, .ttlMs]' <out)"
same true "$(answer 4 '.result.contents[0].text | contains("PostgreSQL")' <out)"
same '["> Status: accepted","> Rule (block): must_not_use dependency "]' \
	"$(answer 4 '.result.contents[0].text | split("\n")[:2] | [.[0], .[1][:40]]' <out)"
same '[-32602,-32602]' "$(for i in 5 6; do answer $i .error.code <out; done | jq -sc .)"
{ init 2025-06-18; req 1 resources/read '{"uri":"ikigai:///none"}'; req 2 resources/read; } | mcp >out
same '[-32002,"ikigai:///none"]' "$(answer 1 '.error | [.code, .data.uri]' <out)"
same '[-32602,"resources/read needs uri, a string"]' "$(answer 2 '.error | [.code, .message]' <out)"
# A template that is filled in has %XX for what is no letter of a URI; a name may have a % of its own.
echo blank | ikm write 'ikigai:///a b.md' >/dev/null
echo percent | ikm write 'ikigai:///a%20c.md' >/dev/null
{ new 1 resources/read '"uri":"ikigai:///a%20b.md"'; new 2 resources/read '"uri":"ikigai:///a%20c.md"'
new 3 resources/read '"uri":"ikigai:///a b.md"'; new 4 resources/read '"uri":"ikigai:///%zz"'
new 5 resources/read '"uri":"ikigai:///%00"'; } | mcp >out
same '["blank\n","percent\n","blank\n"]' "$(for i in 1 2 3; do answer $i '.result.contents[0].text' <out; done | jq -sc .)"
same '[-32602,-32602]' "$(for i in 4 5; do answer $i .error.code <out; done | jq -sc .)"
rm -r "$HOME/.ikigai"
E

complete() { # ID REF ARGUMENT VALUE
	new "$1" completion/complete '"ref":'"$2"',"argument":{"name":"'$3'","value":"'"$4"'"}'
}
asset='{"type":"ref/resource","uri":"ikigai:///{+path}"}'
decision='{"type":"ref/resource","uri":"knowledge:///{id}"}'
compact='{"type":"ref/prompt","name":"compact"}'

more 'completion is what the finder finds, best first' <<'E'
for i in blocks/decisions-old.md notes/my-decisions.md blocks/decisions.md drafts/e-i-o-s.md; do
	echo x | ikm write ikigai:///$i >/dev/null
done
{ complete 1 "$asset" path decis; complete 2 "$compact" asset bldec; complete 3 "$compact" asset ikigai:///bldec
complete 4 "$decision" id 0001pg; complete 5 "$asset" path ''; complete 6 "$asset" path nothing; } | mcp >out
same "$(ikm find @@decis --json | jq -c '[.matches[].path | ltrimstr("ikigai:///")]')" "$(answer 1 .result.completion.values <out)"
same '["blocks/decisions.md","blocks/decisions-old.md"]' "$(answer 2 .result.completion.values <out)"
same '["ikigai:///blocks/decisions.md","ikigai:///blocks/decisions-old.md"]' "$(answer 3 .result.completion.values <out)"
same '{"values":["0001-postgresql-for-relational-data"],"total":1,"hasMore":false}' "$(answer 4 .result.completion <out)"
same 4 "$(answer 5 .result.completion.total <out)"
same '{"values":[],"total":0,"hasMore":false}' "$(answer 6 .result.completion <out)"
rm -r "$HOME/.ikigai"
E

more 'completion has a hundred values at the most, and says how many there are' <<'E'
mkdir -p docs/adr
for i in $(seq 1001 1 2105); do
	printf '# %s. Number %s\n\n## Status\n\nAccepted\n' $i $i >docs/adr/$i-number.md
done
{ complete 1 "$decision" id number; new 2 resources/list; } | mcp >out
same '[100,1105,true]' "$(answer 1 '.result.completion | [(.values | length), .total, .hasMore]' <out)"
same 1105 "$(answer 2 '[.result.resources[] | select(.uri | endswith("-number"))] | length' <out)"
rm docs/adr/*-number.md
E

more 'completion of unknown arguments' <<'E'
{ new 1 completion/complete; complete 2 '{"type":"x"}' a b; complete 3 '{"type":"ref/prompt","name":"none"}' a b
complete 4 '{"type":"ref/prompt","name":"assets"}' asset b; complete 5 "$compact" none b; complete 6 "$asset" id b
complete 7 '{"type":"ref/resource","uri":"ikigai:///a"}' path b; new 8 completion/complete '"ref":'"$asset"',"argument":{"name":"path"}'
complete 9 "$asset" path "$(printf %0300d 1)"; } | mcp >out
for i in 1 2 3 4 5 6 7 8 9; do
	same -32602 "$(answer $i .error.code <out)"
done
same "\"compact has no argument 'none'; it has asset\"" "$(answer 5 .error.message <out)"
E

more 'prompts' <<'E'
echo a | ikm write ikigai:///blocks/a.md
{ new 1 prompts/list; new 2 prompts/get '"name":"assets"'; new 3 prompts/get '"name":"compact","arguments":{"asset":"blocks/a.md"}'
new 4 prompts/get '"name":"compact"'; new 5 prompts/get '"name":"none"'
new 6 prompts/get '"name":"compact","arguments":{"asset":7}'; new 7 prompts/get '"name":"compact","arguments":{"asset":"/"}'; } | mcp >out
same '["assets","pinned","compact"]' "$(answer 1 '[.result.prompts[].name]' <out)"
same true "$(answer 2 '.result.messages[0].content.text | contains("BUDGET_EXCEEDED")' <out)"
same true "$(answer 3 '.result.messages[0].content.text | contains("ikigai:///blocks/a.md")' <out)"
same '[-32602,-32602,-32602,-32602]' "$(for i in 4 5 6 7; do answer $i .error.code <out; done | jq -sc .)"
same "the prompt 'compact' needs the argument asset, a string
unknown prompt 'none'; prompts/list names all prompts
the prompt 'compact' needs the argument asset, a string" "$(for i in 4 5 6; do answer $i .error.message <out; done | jq -r .)"
E

more 'starting a server changes nothing' <<'E'
rm -rf "$HOME/.ikigai"
git status --porcelain -uall >"$T/before"
{ init 2025-06-18; req 1 tools/list; } | mcp >"$T/answers"
git status --porcelain -uall | diff "$T/before" -
[ ! -e "$HOME/.ikigai" ]
E

more 'a call that dies is an error for itself alone' <<'E'
{ init 2025-06-18; call 1 file_write '{"path":"dead","content":"x"}'; echo '=wait 1'; req 2 ping; } |
	IKM_FAULT=-1 python3 -IS "$TOP/t/mcp.py" ikm mcp >out
same '[-32603,"tools/call was ended by signal 9"]' "$(answer 1 '.error | [.code, .message]' <out)"
same '{}' "$(answer 2 .result <out)"
E
done_testing
