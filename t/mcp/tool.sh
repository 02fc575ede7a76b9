#!/bin/sh
# A program of the user's under the names that the conformance suite calls; its own name says which.
# shellcheck disable=SC2016
name=${0##*/}
if [ "${1-}" = --schema ]; then
	printf '{"name":"%s","description":"for the conformance suite"' "$name"
	# A word of each kind that a list of tools has to keep.
	[ "$name" != json_schema_2020_12_tool ] || printf ',"parameters":%s' '{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"$anchor": "place", "type": "object"}},
		"properties": {"to": {"$ref": "#place"}, "mail": {"type": "string"}},
		"allOf": [{"anyOf": [{"required": ["to"]}, {"required": ["mail"]}]}],
		"if": {"required": ["to"]}, "then": {"minProperties": 1}, "else": {"maxProperties": 1},
		"additionalProperties": false}'
	echo '}'
	exit
fi
cat >/dev/null
case $name in
test_error_handling) exit 3 ;;
test_trigger_tool_change)
	cp "$0" "${0%/*}/test_another_$$" # each time another
	ikm tool refresh >/dev/null
	;;
test_tool_with_progress)
	# The suite wants three reports of progress; the bridge says when they came.
	until [ -e "$TOLD" ]; do sleep 0.1; done
	;;
esac
echo '"some text"'
