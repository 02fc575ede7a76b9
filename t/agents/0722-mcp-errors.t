#!/bin/sh
# Every error that a model can cause over ikm mcp with one call: its reason, once, in names of tools and
# parameters, and in few tokens. t/perf/errors.sh prints them with their real tokens.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/mcp/errors.sh"

calls=$TOP/t/mcp/errors.txt
export calls
(mcp_errors "$calls") >"$T/answers"
cd p || exit 1

try 'each error: the reason that is due, once, in the words of this face' <<'E'
least 90 "$calls"
same "$(wc -l <"$calls")" "$(jq -s '[.[] | select(.result.isError)] | length' "$T/answers")"
mkdir said
jq -r 'select(.id and .result) | "\(.id) \([.result.content[].text + "\n"] | add | @base64)"' "$T/answers" |
	while read -r id text; do echo "$text" | base64 -d >said/$id; done
n=0
while IFS=' ' read -r reason tool args; do
	n=$((n + 1))
	[ $((n % share)) = 0 ] || continue
	grep -q "^$reason: " said/$n || { echo "$tool $args: want $reason: $(cat said/$n)"; exit 1; }
	# A command or an option stands only in what a person is to do; nothing stands twice.
	not grep -nE -e "'ikm | --[a-z]" said/$n >shell || grep -q 'person\|ask the user' shell ||
		{ echo "$tool $args: $(cat said/$n)"; exit 1; }
	same '' "$(sort said/$n | uniq -d)"
done <"$calls"
rm shell
E

more 'each error has few tokens' <<'E'
n=$(wc -l <"$calls")
seq "$n" | sed 's/.*/"said\/&"/' | paste -sd, | sed 's/.*/{"paths":[&]}/' | ikm call file_read |
	jq -r '.files[] | "\(.tokens) \(.path)"' >"$T/tokens"
same "$n" "$(wc -l <"$T/tokens" | tr -d ' ')"
awk '$1 > 100' "$T/tokens" | while read -r tokens name; do echo "$tokens tokens: $(cat "$name")"; done >"$T/long"
[ ! -s "$T/long" ] || { cat "$T/long"; exit 1; }
# Sixty tokens are enough for nearly all.
[ "$(awk '$1 > 60' "$T/tokens" | wc -l)" -le 12 ] || { awk '$1 > 60' "$T/tokens"; exit 1; }
E

more 'a word that is no choice: the choices that the schema offers' <<'E'
layers() { # [OPTION...]
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"x","layers":["user","tem"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' |
		ikm "$@" mcp | jq -r '.result.content[0].text'
}
same "NOT_IN_ENUM: layers[1] is 'tem'; allowed: agent, user, project" "$(layers)"
same "NOT_IN_ENUM: layers[1] is 'tem'; allowed: agent, user, session, project, team" \
	"$(layers -c memory.team=t --session s)"
E

more 'what is not there, and what is near: a next step' <<'E'
said() { jq -r "select(.id == $(grep -nF -- "$1" "$calls" | cut -d: -f1)).result.content[].text" "$T/answers"; }
said '{"path":"nothing/like.it"}' | grep -qx 'fs_search without a pattern lists the files'
said '"path":"absent","content":"x","ifMatch"' | grep -qx 'to make it, omit ifMatch, or give none'
said '"path":"indented"' | grep -qx 'the line is indented by 1 tab in the file and by 4 blanks in the old text'
said '"path":"doc.md","section":"x"' | grep -qx 'its sections: a, b, c'
said '"diffText":"--- absent' | grep -qx "FILE_NOT_FOUND: cannot open 'absent': No such file or directory"
said '-z\n+a\n' | grep -qx 'to skip such files, give forward: true'
said '"path":"huge.md"' | grep -q '"name":"asset_unpin"'
E

done_testing
