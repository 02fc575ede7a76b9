#!/bin/sh
# ikm mcp before the Model Context Protocol's own conformance suite, through a bridge from HTTP: all
# that the last revision with a handshake requires, and the first without. The suite holds every
# message against the published schema. What it calls by name are programs of the user's
# (t/mcp/tool.sh); what ikm has not, with the reason, is in t/mcp/not-applicable.tsv.
. "$(dirname "$0")/../lib.sh"

needs_npm @modelcontextprotocol/conformance
suite=$NPM/@modelcontextprotocol/conformance/dist/index.js

sh "$TOP/t/sample.sh" sample
cd sample
mkdir -p "$HOME/.ikigai/tools"
echo '{"tools":{"external":true}}' >"$HOME/.ikigai/config.json"
for tool in test_simple_text test_error_handling test_tool_with_progress test_streaming_elicitation \
	test_logging_tool test_trigger_tool_change json_schema_2020_12_tool; do
	cp "$TOP/t/mcp/tool.sh" "$HOME/.ikigai/tools/$tool"
	chmod 755 "$HOME/.ikigai/tools/$tool"
done
echo 'This is text.' | ikm write ikigai:///static-text >/dev/null
echo 'This may change.' | ikm write ikigai:///watched-resource >/dev/null
echo '{"id":"123"}' | ikm write ikigai:///template/123/data >/dev/null

mkfifo life url
export IKM_WATCH_MS=50
node "$TOP/t/mcp/bridge.mjs" ikm mcp --root "$PWD" <life >url 2>bridge.err &
exec 3>life
# shellcheck disable=SC2094 # a FIFO
read -r url <url
# Both at once: they mostly wait.
for revision in 2025-11-25 2026-07-28; do
	node "$suite" server --url "$url" --requirements $revision -o $revision >$revision.out 2>&1 3>&- &
	eval "run_${revision%%-*}"=$!
done

# The checks that failed, as scenario, check, status and message. SKIPPED and INFO are no failures.
failures() { # REVISION
	jq -r '.[] | select(.status == "FAILURE" or .status == "WARNING") |
		[(input_filename | capture("/server-(?<name>.*)-20\\d\\d-\\d\\d-\\d\\dT").name),
			.id, .status, (.errorMessage // .description)] | @tsv' "$1"/*/checks.json
}
# The failures that the table does not explain.
unexplained() {
	failures "$1" | awk -F '\t' 'FNR == NR { if (!/^#/) known[$1, $2]; next }
		!(($1, $2) in known) && !(($1, "*") in known && $2 !~ /^wire-schema/)' \
		"$TOP/t/mcp/not-applicable.tsv" -
}

for revision in 2025-11-25 2026-07-28; do
	eval "wait \$run_${revision%%-*}"
	export revision
	try "$revision: all that applies" <<'E'
case $revision in
2025*) scenarios=33 held=29 ;;
*) scenarios=50 held=46 ;;
esac
[ "$(ls $revision | wc -l)" = $scenarios ] || { tail -n 20 $revision.out; exit 1; }
same '' "$(unexplained $revision)"
# Messages were held against the schema where the suite saw any.
same $held "$(grep -l '"wire-schema-valid"' $revision/*/checks.json | wc -l)"
E
done

more 'nothing is called not applicable that is' <<'E'
{ failures 2025-11-25; failures 2026-07-28; } | awk -F '\t' 'FNR == NR { failed[$1, $2]; failed[$1, "*"]; next }
	!/^#/ && !(($1, $2) in failed)' - "$TOP/t/mcp/not-applicable.tsv" >stale
same '' "$(cat stale)"
E

more 'the bridge had nothing to say' <<'E'
same '' "$(cat bridge.err)"
E
exec 3>&-
done_testing
