#!/bin/sh
# Every row of the table through every face: argv, call and libexec give the same result and the same
# errors. t/conformance/faces/TOOL holds a case: `argv:` words, `json:` input, one a line;
# `before:` is done first in a fresh copy of the sample, `drop:` is a jq filter for what may differ.
. "$(dirname "$0")/lib.sh"

sh "$TOP/t/sample.sh" sample
mkdir libexec
cases=$TOP/t/conformance/faces
export cases

try 'every tool has a case' <<'E'
ikm tool list --json | jq -r '.tools[].name' | while read -r tool; do
	[ -f "$cases/$tool" ] || { echo "no case: $tool"; exit 1; }
done
E

# jq takes longer to start than ikm: asked as seldom as can be.
ikm help --json | jq -r '.commands[] | select(.tool) | .tool + " " + .name' >verbs
for tool in $(ikm tool list --json | jq -r '.tools[].name'); do
	verb=$(sed -n "s/^$tool //p" verbs)
	link=libexec/$(echo "$tool" | tr _ -)
	ln -s "$BUILD/test/ikm" "$link"
	link=$PWD/$link
	export tool link verb

	try "$tool: the same result on all faces" <<'E'
of() { sed -n "s/^$1: //p" "$cases/$tool"; }
fresh() { # the sample and an empty home, with what the case wants there
	cd ..
	rm -rf now "$HOME/.ikigai"
	cp -a sample now
	cd now
	eval "$(of before)"
}
mkdir -p now
cd now
fresh
eval "ikm $(of argv) --json" >../argv.json || [ $? = 1 ]
fresh
of json | ikm call "$tool" >../call.json || [ $? = 1 ]
fresh
of json | "$link" >../libexec.json
drop=$(of drop)
jq -S "${drop:-.}" ../argv.json >../argv.out
for face in call libexec; do
	# The same bytes need no second look.
	cmp -s ../argv.json ../$face.json || jq -S "${drop:-.}" ../$face.json | diff -u ../argv.out -
done
E

	try "$tool: an unknown parameter is refused on all faces" <<'E'
cd sample
fails 2 sh -c "echo '{\"no_such_parameter\": 1}' | ikm call $tool >../call.json"
same 'UNKNOWN_PARAMETER no_such_parameter' \
	"$(jq -r '.details | .reason + " " + .parameter' ../call.json)"
echo '{"no_such_parameter": 1}' | "$link" >../libexec.json
cmp ../call.json ../libexec.json
fails 2 ikm $verb --no-such-parameter --json >../argv.json
same UNKNOWN_PARAMETER "$(jq -r .details.reason ../argv.json)"
E

	try "$tool: what is not an object is refused" <<'E'
cd sample
for input in '[]' '"x"' '{' '{"a":1,"a":2}' 'null'; do
	fails 2 sh -c "printf '%s' '$input' | ikm call $tool"
done >../out.json
same 5 "$(jq -s 'map(select(.errorCode == "INVALID_INPUT" and .success == false and
	.message == .error)) | length' ../out.json)"
E

	try "$tool: --schema names it, and both schemas agree" <<'E'
"$link" --schema >schema.json
ikm tool schema "$tool" --format json-schema >json-schema.json
same '[true,true,true,true,true,true]' "$(jq -sc --arg tool "$tool" '.[0] as $own | .[1] as $json | [
	$own.name == $tool, ($own.description | length > 5), ($own.parameters | type == "object"),
	($own.returns.properties | length > 0),
	([$own.parameters | to_entries[] | select(.value.required).key] | sort) ==
		($json.required // [] | sort),
	($own.parameters | map_values(del(.required))) == $json.properties]' \
	schema.json json-schema.json)"
E

	try "$tool: ikm-VERB and git ikm are the same command" <<'E'
name=ikm-$(echo "$verb" | tr ' ' -)
ln -sf "$BUILD/test/ikm" "$name"
ln -sf "$BUILD/test/ikm" git-ikm
same "$(ikm $verb --help)" "$(./"$name" --help)"
same "$(ikm $verb --help)" "$(PATH=$PWD:$PATH git ikm $verb --help 2>/dev/null || ./git-ikm $verb --help)"
E
done
done_testing
