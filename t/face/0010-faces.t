#!/bin/sh
# Every row of the table through every face: argv, call, libexec and mcp give the same result and the
# same errors. t/conformance/faces/TOOL holds a case: `argv:` words, `json:` input, one a line;
# `before:` is done first in a fresh copy of the sample, `drop:` is a jq filter for what may differ,
# `once:` one for what mcp leaves out because another member has it.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" sample
mkdir libexec
cases=$TOP/t/conformance/faces
export cases
tools=$(ikm tool list --json | jq -r '.tools[].name')
echo $tools >tools
export tools

try 'every tool has a case' <<'E'
[ "$(wc -w <tools)" -ge 45 ]
for tool in $tools; do
	[ -f "$cases/$tool" ] || { echo "no case: $tool"; exit 1; }
done
E

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
mcp() { # METHOD [PARAMS]: the answer to one request
	printf '{"jsonrpc":"2.0","id":"%s","method":"%s","params":{%s}}\n' "${tool-}" "$1" "${2:+$2,}$meta" |
		ikm mcp --structured -t files -t memory -t knowledge -t tools -t garden
}
mkdir "$HOME/.ikigai"
echo '{"tools":{"bash":true}}' >"$HOME/.ikigai/config.json"
mcp tools/list >tools.json
reads=$(jq -r '[.result.tools[] | select(.annotations.readOnlyHint).name] | join(" ")' tools.json)
export reads

# One server answers for all tools, where nothing is to be done before.
for tool in $tools; do
	printf '{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"%s","arguments":{"no_such_parameter":1},%s}}\n' \
		"$tool" "$tool" "$meta"
done | ikm mcp --structured -t files -t memory -t knowledge -t tools -t garden >unknown.json

# What each tool is given in place of an object, in turn; 'version' is given all of it.
wrong() {
	case $1 in
	0) echo '[]' ;; 1) echo '"x"' ;; 2) echo '{' ;; 3) echo '{"a":1,"a":2}' ;; *) echo null ;;
	esac
}
turn=0
ln -s "$BUILD/test/ikm" git-ikm

# jq takes longer to start than ikm, so run it as seldom as possible.
ikm help --json | jq -r '.commands[] | select(.tool) | .tool + " " + .name' >verbs
for tool in $tools; do
	verb=$(sed -n "s/^$tool //p" verbs)
	link=libexec/$(echo "$tool" | tr _ -)
	ln -s "$BUILD/test/ikm" "$link"
	link=$PWD/$link
	export tool link verb turn

	some 1 "$tool: the same result on all faces" <<'E'
of() { sed -n "s/^$1: //p" "$cases/$tool"; }
fresh() { # the sample and an empty home, with what the case wants there: made once, then copied
	cd ..
	rm -rf now "$HOME/.ikigai"
	if [ -d ready ]; then
		cp -a ready/now .
		[ ! -d ready/.ikigai ] || cp -a ready/.ikigai "$HOME"
		cd now
	else
		cp -a sample now
		cd now
		before=$(of before)
		[ -n "$before" ] || return 0
		eval "$before"
		mkdir ../ready
		cp -a "$PWD" ../ready
		[ ! -d "$HOME/.ikigai" ] || cp -a "$HOME/.ikigai" ../ready
	fi
}
again() { # what only reads has left everything as it was
	case " $reads " in
	*" $tool "*) ;;
	*) fresh ;;
	esac
}
rm -rf ready
mkdir -p now
cd now
fresh
eval "ikm $(of argv) --json" >../argv.json || [ $? = 1 ]
again
of json | ikm call "$tool" >../call.json || [ $? = 1 ]
again
of json | "$link" >../libexec.json
again
mcp tools/call "\"name\":\"$tool\",\"arguments\":$(of json)" >../mcp.json
cat ../mcp.json >>../answers.json
sed 's/.*"structuredContent":\(.*\),"isError":false,.*/\1/' ../mcp.json >../result.json
drop=$(of drop) once=$(of once)
shown() { jq -S "${drop:-.} | $2" ../$1.json; }
for face in call libexec result; do
	[ $face = result ] && left=${once:-.} || left=.
	# Equal bytes need no second comparison.
	cmp -s ../argv.json ../$face.json || { shown argv "$left" >../want && shown $face . | diff -u ../want -; }
done
E

	try "$tool: an unknown parameter is refused on all faces" <<'E'
cd sample
fails 2 sh -c "echo '{\"no_such_parameter\": 1}' | ikm call $tool >../call.json"
grep -q '"details":{"reason":"UNKNOWN_PARAMETER","parameter":"no_such_parameter"' ../call.json
fails 2 ikm $verb --no-such-parameter --json >../argv.json
grep -q '"reason":"UNKNOWN_PARAMETER"' ../argv.json
grep -F "\"id\":\"$tool\"" ../unknown.json |
	grep -qF '\"details\":{\"reason\":\"UNKNOWN_PARAMETER\",\"parameter\":\"no_such_parameter\"'
E

	try "$tool: what is not an object is refused" <<'E'
cd sample
wrong $((turn % 5)) | fails 2 ikm call $tool >>../refused.json
E
	turn=$((turn + 1))

	"$link" --schema >>schemas.json
	ikm tool schema "$tool" --format json-schema >>schemas.json

	some 1 "$tool: ikm-VERB and git ikm are the same command" <<'E'
name=ikm-$(echo "$verb" | tr ' ' -)
ln -sf "$BUILD/test/ikm" "$name"
ikm $verb --help >help
./"$name" --help | diff help -
./git-ikm $verb --help | diff help -
E
done

try 'git finds git-ikm' <<'E'
ikm version >version
PATH=$PWD:$PATH git ikm version | diff - version
E

try 'a refusal is an envelope for all readers' <<'E'
for turn in 0 1 2 3 4; do
	wrong $turn | fails 2 ikm call version >>refused.json
done
same '[true]' "$(jq -sc 'map(.errorCode == "INVALID_INPUT" and .success == false and
	.message == .error and .error_code == .errorCode) | unique' refused.json)"
same $((5 + $(wc -w <tools))) "$(jq -c . refused.json | wc -l)"
E

try "a tool's link is 'ikm call', and takes --schema alone" <<'E'
ln -sf "$BUILD/test/ikm" file-read
./file-read --schema >link
ikm call file_read --schema | diff -u link -
same file_read "$(jq -r .name link)"
./file-read x </dev/null >refused
same 'the tool file_read takes no arguments' "$(jq -r .message refused)"
same 'give it JSON on standard input, or --schema' "$(jq -r '.help.steps[]' refused)"
E

try '--schema names the tool, and both schemas agree' <<'E'
same '' "$(jq -r '. as $own | input as $json | select([
	(.name | IN($ARGS.positional[])), (.description | length > 5),
	(.parameters | type == "object"), (.returns.properties | length > 0),
	([.parameters | to_entries[] | select(.value.required).key] | sort) ==
		($json.required // [] | sort),
	(.parameters | map_values(del(.required))) == $json.properties] | all | not).name' \
	schemas.json --args $(cat tools))"
jq -r 'select(.returns).name' schemas.json >named
least 45 named
same "$(tr ' ' '\n' <tools)" "$(jq -r 'select(.returns).name' schemas.json)"
E

schemas='every schema is one, every case and every result over MCP holds its own'
why=$(IKM_NO_SKIP='' needs_npm ajv ajv-formats @modelcontextprotocol/core)
if [ -z "$why" ]; then
	# Modules are looked for beside the script.
	ln -s "$NPM" node_modules
	cp "$TOP/t/mcp/schemas.mjs" .
	long "$schemas" <<'E'
jq -r '.result.tools[].name' tools.json | while read -r tool; do
	ikm tool schema "$tool" --format mcp | jq -c .
done >whole.json
node schemas.mjs tools.json answers.json "$cases" whole.json
E
else
	skip "$schemas" "${why#*SKIP }"
fi
done_testing
