#!/bin/sh
# The commands in ikm-mcp(7) and the README start a server that answers.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" sample
cat >hosts.py <<'E'
"""Prints each server that the page names as one JSON list: where it stands, then its command."""
import json, re, sys, tomllib

page, readme = (re.sub(r'^\.Bl .*', '', open(p).read(), flags=re.M).replace(r'\-', '-') for p in sys.argv[1:])
for block in re.findall(r'^\.Bd -literal.*?\n(.*?)^\.Ed', page, re.M | re.S):
    if block[0] not in '{[':
        continue  # what a tool answers
    spec = json.loads(block) if block.startswith('{') else tomllib.loads(block)
    (where, servers), = spec.items()
    if where == 'mcp' and 'servers' in servers:
        where, servers = 'mcp.servers', servers['servers']
    (name, server), = servers.items()
    assert name == 'ikm'
    command = server['command']
    print(json.dumps([where, *([command] if isinstance(command, str) else command), *server.get('args', [])]))
for host, command in re.findall(r'(\w+) mcp add ikm (?:-- )?(ikm mcp)', page + readme):
    print(json.dumps([host, *command.split()]))
E

try 'the snippets are JSON and TOML, and none of a host is missing' <<'E'
python3 hosts.py "$TOP/man/ikm-mcp.7" "$TOP/README.md" >hosts
same 'claude claude codex context_servers copilot devin gemini mcp mcp.servers mcpServers mcpServers mcp_servers servers ' \
	"$(jq -r '.[0]' hosts | sort | tr '\n' ' ')"
E

try 'each command starts a server that works in the project' <<'E'
cat >request <<'J'
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"file_read","arguments":{"path":"package.json"}}}
J
# The two names of the example that differ from machine to machine.
jq -r '.[1:] | map(if . == "/usr/local/bin/ikm" then "ikm" elif . == "/home/ada/shop" then $top else . end) | @sh' \
	--arg top "$PWD/sample" hosts | sort -u >commands
same 2 "$(grep -c . commands)"
while read -r command; do
	case $command in
	*-C*) from=/ ;;
	*) from=sample ;;
	esac
	same '"orders"' "$(cd $from && eval "$command" <"$T/w/request" |
		jq -c 'select(.id == 1) | .result.content[0].text | fromjson | .name')"
done <commands
E

try 'a server that is started outside of the project says what to do' <<'E'
(cd / && ikm mcp <"$T/w/request") | jq -r 'select(.id == 1) | .result.content[0].text' | head -n 2 >got
same 'NO_ROOTS: no folder is open to tools here: this is not a Git repository
start ikm in the project'"'"'s repository, or with -C DIR' "$(cat got)"
E

done_testing
