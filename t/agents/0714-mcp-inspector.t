#!/bin/sh
# ikm mcp as the Model Context Protocol's inspector sees it from its command line, in both eras.
. "$(dirname "$0")/../lib.sh"

needs_npm @modelcontextprotocol/inspector
sh "$TOP/t/sample.sh" sample
cd sample
echo 'This is text.' | ikm write ikigai:///blocks/a.md >/dev/null
export NODE_COMPILE_CACHE="$T/compiled" # a fifth of the time that each start takes
inspect() { # ERA METHOD [OPTION…]: prints the result, exits as the inspector does
	era=$1
	shift
	"$NPM/.bin/mcp-inspector" --cli ikm mcp ${sets-} --protocol-era "$era" --quiet \
		--method "$@"
}

try 'tools/list: every tool, none with a schema that it calls an error' <<'E'
sets='-t files -t memory -t knowledge -t tools -t garden'
inspect modern tools/list --strict >out 2>err || { cat err; exit 1; }
same "$(ikm tool list --json | jq -r '.tools[].name' | grep -vx 'bash\|glob\|grep')" \
	"$(jq -r '.tools[].name' out | sort)"
E

more 'tools/call: with arguments of several types, and in answer an error' <<'E'
inspect legacy tools/call --tool-name file_edit \
	--tool-args-json '{"path":"package.json","old":"orders","new":"shop","all":true}' >out
same '[false,null,true]' "$(jq -c '[.isError, .structuredContent, (.content[0].text | startswith("package.json: changed, sha256:"))]' out)"
grep -q '"shop"' package.json
fails 5 inspect modern tools/call --tool-name file_read --tool-arg path=none >out 2>err
same '[true,"FILE_NOT_FOUND"]' "$(jq -c '[.isError, (.content[0].text | split(":")[0])]' out)"
E

more 'resources: listed, their templates, read' <<'E'
inspect modern resources/list >out
same '["ikigai:///blocks/a.md","knowledge:///0001-postgresql-for-relational-data"]' "$(jq -c '[.resources[].uri][:2]' out)"
inspect legacy resources/templates/list >out
same '["ikigai:///{+path}","knowledge:///{id}","garden:///{+path}"]' "$(jq -c '[.resourceTemplates[].uriTemplate]' out)"
inspect modern resources/read --uri ikigai:///blocks/a.md >out
same '"This is text.\n"' "$(jq -c '.contents[0].text' out)"
E

more 'prompts: listed, and one with its argument' <<'E'
inspect modern prompts/list >out
same '["assets","pinned","compact"]' "$(jq -c '[.prompts[].name]' out)"
inspect legacy prompts/get --prompt-name compact --prompt-args asset=blocks/a >out
jq -e '.messages[0].content.text | contains("ikigai:///blocks/a")' out
E

more 'logging is not declared, so the inspector does not ask for it' <<'E'
fails 1 inspect legacy logging/setLevel --log-level debug 2>err
same '"Server does not support logging"' "$(jq -c .error.message err)"
E
done_testing
