#!/bin/sh
# ikm mcp: subscriptions of both eras: the client gets exactly the changes that it subscribed to.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" sample
cd sample
IKM_WATCH_MS=50
export IKM_WATCH_MS
mcp() { python3 -IS "$TOP/t/mcp.py" ikm mcp "$@"; }
init() { # REVISION
	echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"'$1'","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	echo '=wait 0'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
req() { # ID METHOD [PARAMS]
	echo '{"jsonrpc":"2.0","id":'$1',"method":"'$2'"'"${3:+,\"params\":$3}"'}'
}
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
new() { req "$1" "$2" "{${3:+$3,}$meta}"; }
listen() { new "$1" subscriptions/listen '"notifications":'"$2"; }
cancel() { echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":'$1'}}'; }
answer() { jq -c "select(type == \"object\" and .id == $1 and (has(\"method\") | not)) | $2"; }
# Each notification: its method, its subscription, and the object that it names.
told() {
	jq -c 'select(.method) | [(.method | sub("notifications/"; "")),
		.params._meta["io.modelcontextprotocol/subscriptionId"], .params.uri // .params.notifications]' "$@"
}
a=ikigai:///blocks/a.md
decision=knowledge:///0001-postgresql-for-relational-data
some_looks() { echo '=run sleep 0.2'; }
external() { # sent: programs of the user's are offered from now on
	echo "=run mkdir -p $HOME/.ikigai; echo '{\"tools\":{\"external\":true}}' >$HOME/.ikigai/config.json"
}
tool() { # NAME TEXT
	mkdir -p "$HOME/.ikigai/tools"
	printf '#!/bin/sh\necho %s\n' "$2" >"$HOME/.ikigai/tools/$1"
	chmod 755 "$HOME/.ikigai/tools/$1"
}

long '2026-07-28: the confirmation names existing resources; each change is sent once' <<'E'
echo one | ikm write $a >/dev/null
{ listen '"s"' "{\"resourceSubscriptions\":[\"$a\",\"ikigai:///none\",\"file:///etc/passwd\"],\"promptsListChanged\":true,\"x\":1}"
echo '=told notifications/subscriptions/acknowledged'; some_looks
echo "=run echo two | ikm write $a"; echo '=told notifications/resources/updated'; some_looks
echo "=run ikm asset delete $a"; echo '=told notifications/resources/updated'; some_looks; } | mcp >out
same "[\"subscriptions/acknowledged\",\"s\",{\"resourceSubscriptions\":[\"$a\"]}]
[\"resources/updated\",\"s\",\"$a\"]
[\"resources/updated\",\"s\",\"$a\"]" "$(told out)"
same '["s","ikm","complete"]' "$(answer '"s"' '.result | [._meta["io.modelcontextprotocol/subscriptionId"],
	._meta["io.modelcontextprotocol/serverInfo"].name, .resultType]' <out)"
E

try '2026-07-28: a list, a decision, several at once, a cancelled one' <<'E'
{ listen 1 '{"resourcesListChanged":true,"toolsListChanged":false}'
listen 2 "{\"resourceSubscriptions\":[\"$decision\"]}"; listen 3 '{"resourcesListChanged":true}'; listen 4 '{}'
for i in 1 2 3 4; do echo '=told notifications/subscriptions/acknowledged'; done; cancel 3
echo "=run echo b | ikm write ikigai:///blocks/b.md"; echo '=told notifications/resources/list_changed'
echo '=run echo More. >>$(git ls-files | grep 0001-postgresql)'
echo '=told notifications/resources/updated'; } | mcp >out
same "[\"resources/list_changed\",1,null]
[\"resources/updated\",2,\"$decision\"]" "$(told out | grep -v acknowledged | sort -u)"
same '{"resourcesListChanged":true}' "$(jq -c 'select(.params._meta["io.modelcontextprotocol/subscriptionId"] == 1 and
	.params.notifications).params.notifications' out)"
same '[1,2,4]' "$(jq -sc 'map(select(.result.resultType == "complete").id) | sort' out)"
git checkout -q .
E

long '2026-07-28: an invalid filter' <<'E'
{ new 1 subscriptions/listen; listen 2 '[]'; listen 3 '{"toolsListChanged":1}'; listen 4 '{"resourceSubscriptions":"x"}'
listen 5 '{"resourceSubscriptions":[1]}'; listen 6 "$(jq -cn '{resourceSubscriptions: [range(2000) | "ikigai:///" + tostring]}')"
new 7 server/discover; } | mcp >out
same '[-32602,-32602,-32602,-32602,-32602,-32602]' "$(for i in 1 2 3 4 5 6; do answer $i .error.code <out; done | jq -sc .)"
same '{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"completions":{}}' \
	"$(answer 7 .result.capabilities <out)"
same '' "$(told out)"
{ req 1 subscriptions/listen; init 2025-11-25; req 2 subscriptions/listen '{"notifications":{}}'
new 3 resources/subscribe "\"uri\":\"$a\""; } | mcp >out
same '[-32602,-32601,-32601]' "$(for i in 1 2 3; do answer $i .error.code <out; done | jq -sc .)"
E

try 'the end of a subscription is told on a signal, too' <<'E'
{ listen 1 '{"toolsListChanged":true}'; echo '=told notifications/subscriptions/acknowledged'; echo '=signal 15'; } | mcp >out
same '"complete"' "$(answer 1 .result.resultType <out)"
E

try '2026-07-28: tools change with the settings, a program, a folder that is trusted' <<'E'
tool mine '"{\"description\":\"one\"}"'
{ listen 1 '{"toolsListChanged":true}'; echo '=told notifications/subscriptions/acknowledged'
external; echo '=told notifications/tools/list_changed'
echo "=run sed -i s/one/two/ $HOME/.ikigai/tools/mine; ikm tool refresh"; echo '=told notifications/tools/list_changed'
echo "=run mkdir $T/more; cp $HOME/.ikigai/tools/mine $T/more/yours; ikm tool trust $T/more"
echo '=told notifications/tools/list_changed'; some_looks; } | mcp >out
same '["tools/list_changed",1,null]
["tools/list_changed",1,null]
["tools/list_changed",1,null]' "$(told out | grep list_changed)"
rm -r "$HOME/.ikigai" "$T/more"
E

more 'before 2026-07-28: a client that listed the tools learns of changes' <<'E'
tool mine '"{\"description\":\"one\"}"'
{ init 2025-06-18; req 1 tools/list; echo '=wait 1'; some_looks
external; echo '=told notifications/tools/list_changed'; some_looks; } | mcp >out
same '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' "$(jq -c 'select(.method)' out)"
rm "$HOME/.ikigai/config.json"
{ init 2025-06-18; some_looks; external; some_looks; } | mcp >out
same '' "$(told out)"
rm -r "$HOME/.ikigai"
E

more 'before 2026-07-28: a resource is subscribed and unsubscribed' <<'E'
echo one | ikm write $a >/dev/null
{ init 2025-03-26; req 1 resources/subscribe "{\"uri\":\"$a\"}"; echo '=wait 1'; req 2 resources/subscribe "{\"uri\":\"$a\"}"
req 3 resources/subscribe '{"uri":"ikigai:///none"}'; req 4 resources/subscribe
echo "=run echo two | ikm write $a"; echo '=told notifications/resources/updated'
req 5 resources/unsubscribe "{\"uri\":\"$a\"}"; echo '=wait 5'; req 6 resources/unsubscribe '{"uri":"x"}'
echo "=run echo three | ikm write $a"; some_looks
echo "[$(req 7 resources/subscribe "{\"uri\":\"$a\"}"),$(req 8 ping)]"; } | mcp >out
same '[{},{},{},{}]' "$(for i in 1 2 5 6; do answer $i .result <out; done | jq -sc .)"
same '[-32002,-32602]' "$(for i in 3 4; do answer $i .error.code <out; done | jq -sc .)"
same "{\"uri\":\"$a\"}" "$(jq -c 'select(type == "object" and .method).params' out)"
same '[7,8]' "$(jq -c 'select(type == "array") | map(.id) | sort' out)"
E

more 'before 2026-07-28: subscribed twice before the first answer, to what is there and what is not' <<'E'
echo one | ikm write $a >/dev/null
{ init 2025-11-25; for i in 1 2; do req $i resources/subscribe '{"uri":"ikigai:///none"}'; done
for i in 3 4; do req $i resources/subscribe "{\"uri\":\"$a\"}"; done
for i in 1 2 3 4; do echo "=wait $i"; done; some_looks
echo "=run echo two | ikm write $a"; echo '=told notifications/resources/updated'; some_looks
req 5 resources/unsubscribe "{\"uri\":\"$a\"}"; echo '=wait 5'; echo "=run echo three | ikm write $a"; some_looks; } | mcp >out
same '[-32002,-32002,{},{},{}]' "$(for i in 1 2 3 4 5; do answer $i '.error.code // .result' <out; done | jq -sc .)"
same "[\"resources/updated\",null,\"$a\"]" "$(told out)"
E

more 'when the input has ended nothing is looked at any more' <<'E'
{ init 2025-11-25; req 1 resources/subscribe "{\"uri\":\"$a\"}"; echo '=wait 1'
req 2 tools/list; req 3 resources/subscribe "{\"uri\":\"$decision\"}"; } | (export IKM_WATCH_MS=0; mcp) >out
same '[1,2,3]' "$(jq -sc 'map(select(.result and .id > 0).id) | sort' out)"
E

more 'polling does not repeat warnings about skipped programs' <<'E'
tool bad none
external | sed 's/^=run //' | sh
{ init 2025-06-18; req 1 tools/list; echo '=wait 1'; some_looks; } | mcp 2>err >out
same 1 "$(grep -c bad err)"
rm -r "$HOME/.ikigai"
E
done_testing
