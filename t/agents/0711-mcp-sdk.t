#!/bin/sh
# ikm mcp with the protocol's own client libraries: the one that ends at 2025-11-25, and the other in
# each way in which it finds out the revision; clients that take a call back, and that die in one.
. "$(dirname "$0")/../lib.sh"

needs_npm @modelcontextprotocol/sdk @modelcontextprotocol/client
sh "$TOP/t/sample.sh" sample
cd sample
# Modules are looked for beside the script.
ln -s "$NPM" "$T/node_modules"
cp "$TOP/t/mcp/client.mjs" "$T"
client() { node "$T/client.mjs" "$@"; }

for how in v1 legacy auto 2026-07-28; do
	export how
	try "a session, $how" <<'E'
client $how >out
code=-32602
[ $how != v1 ] || code=-32002
same '{"tools":true,"read":"orders","none":"an error of the tool","unknown":-32602,'\
'"wrong":"an error of the tool","resource":true,"noResource":'$code',"templates":3,'\
'"prompts":["assets","pinned","compact"],"prompt":true,"noPrompt":-32602,'\
'"completed":["0001-postgresql-for-relational-data"]}' "$(cat out)"
E
done

for how in legacy auto 2026-07-28; do
	export how
	try "a change of what was subscribed to is told, $how" <<'E'
same ikigai:///blocks/a "$(client $how subscribe)"
E
done

mkdir -p "$HOME/.ikigai/tools"
echo '{"tools":{"external":true}}' >"$HOME/.ikigai/config.json"
cat >"$HOME/.ikigai/tools/slow" <<E
#!/bin/sh
[ "\$1" != --schema ] || { echo '{"description":"slow"}'; exit; }
sleep 300 &
echo \$! >$T/slow.pid
wait
E
chmod +x "$HOME/.ikigai/tools/slow"
gone() { # PID: twenty seconds at the most
	for i in $(seq 200); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

for how in v1 2026-07-28; do
	export how
	try "a call that was taken back after its progress was told leaves nothing, $how" <<'E'
same '["an answer",true,1,"an answer"]' "$(client $how cancel)"
gone "$(cat "$T/slow.pid")"
E
done

more 'a client that dies in the middle of a call leaves nothing' <<'E'
fails 137 client 2026-07-28 vanish >server.pid
gone "$(cat "$T/slow.pid")"
gone "$(cat server.pid)"
E
done_testing
