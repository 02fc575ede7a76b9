#!/bin/sh
# Every function of the requirement (garden), with its parameters and its return shape as written
# there, on `ikm call` by its dotted name and over MCP; what is blocked, and what only warns.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=users/ada/notes.md
Q=users/ada/parts/p1/profile.md
ev=ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA
export N Q ev
for n in 2 3 4 5 6 7; do
	printf -- '- "quote %d" %s%d\n' $n $ev $n
done >"$T/quotes"
part2=users/ada/parts/p2
mkdir -p $part2
sed "s/^id: p1/id: p2/; /anchor: evidence/r $T/quotes" $Q >$part2/profile.md
git add -A
git commit -qm 'a second part'

ikm_call() { # FUNCTION JSON: the result, or the error
	printf '%s' "$2" | ikm call "$1"
}
ikm_mcp() { # FUNCTION JSON: the same over MCP; exits with 1 for an error
	printf '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "%s", "arguments": %s, "_meta": {%s}}}\n' \
		"$(echo "$1" | tr . _)" "$2" "$meta" | ikm mcp --structured -t files -t garden >"$T/mcp"
	jq -c '.result.structuredContent // (.result.content[0].text | fromjson? // .) // .error' "$T/mcp"
	! grep -q -e '"isError":true' -e '"error":{' "$T/mcp"
}
meta='"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}'
export meta

# A table: the function, its input, a condition on the result. FACE is the face; HASH that of the
# notes. A result that the requirement writes as an array or a string is a member here, since the
# answers of tools are objects; void is an object too.
cat >"$T/functions" <<'E'
fs.list|{"path": "users/ada"}|.paths | index("N") and (map(type) | unique == ["string"])
fs.list|{"path": "users/ada", "glob": "notes.md"}|.paths == ["N"]
fs.read|{"path": "N"}|.content | type == "string" and contains("Inbox")
fs.read|{"path": "N", "ranges": [[1, 1], [3, 3]]}|.rangeSlices | length == 2 and .[1].content == "## Inbox\n"
fs.search|{"root": "users", "pattern": "In.ox"}|.matches | length == 1 and .[0].path == "N" and .[0].line == 3 and .[0].match == "Inbox"
fs.search|{"root": "users", "pattern": "in.ox", "opts": {"ignoreCase": true}}|.matches | length == 1
fs.hash|{"path": "Q"}|.hash | test("^text:sha256:[0-9a-f]{64}$")
fs.hash|{"path": "Q", "sectionAnchor": "concerns v1"}|.hash | test("^text:sha256:[0-9a-f]{64}$")
fs.ensure_dir|{"path": "users/ada/parts/FACE"}|type == "object"
fs.write|{"path": "N", "content": "# Notes\n\n## Inbox\nFACE\n", "opts": {"ifMatch": "HASH"}}|.newHash | test("^sha256:[0-9a-f]{64}$")
fs.append|{"path": "N", "text": "- appended by FACE\n"}|.newSize | type == "number" and . > 30
fs.patch|{"path": "N", "diffText": "--- a/n\n+++ b/n\n@@ -5 +5 @@\n-- appended by FACE\n+- patched by FACE\n"}|.newHash | test("^sha256:[0-9a-f]{64}$")
md.list_sections|{"path": "Q"}|.sections | map(select(.anchor == "concerns v1" and .heading == "Concerns" and .startLine == 23)) | length == 1
md.patch_section|{"path": "Q", "sectionAnchor": "concerns v1", "change": {"replace": "By FACE."}, "opts": {"rationale": "r ROW FACE"}}|.beforeHash != .afterHash and (.beforeHash + .afterHash | length) == 152
md.patch_section|{"path": "Q", "sectionAnchor": "concerns v1", "change": {"append": "More by FACE."}, "opts": {"rationale": "r ROW FACE"}}|.beforeHash != .afterHash and (.afterHash | type) == "string"
md.curate_list|{"path": "Q", "sectionAnchor": "evidence v1", "ops": ["append"], "items": ["\"FACE\" evV"], "reason": "r ROW FACE"}|.beforeHash != .afterHash and (.afterHash | type) == "string"
md.curate_list|{"path": "Q", "sectionAnchor": "evidence v1", "ops": ["append", "append"], "items": ["\"FACE 2\" evW", "\"FACE 3\" evX"], "reason": "r ROW FACE"}|.added == 2
md.curate_list|{"path": "Q", "sectionAnchor": "evidence v1", "ops": ["merge"], "items": ["evV", "evW", "\"both by FACE\""], "reason": "r ROW FACE"}|.removed | length == 2
md.curate_list|{"path": "Q", "sectionAnchor": "evidence v1", "ops": ["prune"], "items": ["evX"], "reason": "r ROW FACE"}|.beforeHash != .afterHash
md.snapshot_history|{"path": "Q"}|.historyPath | test("users/ada/parts/p1/history/[0-9TZ.]+-[0-9a-f]{12}-profile[.]md$")
md.lint|{"path": "Q"}|.warnings == [] and .blocked == false
lint.check|{"path": "Q"}|.warnings == [] and .blocked == false and (.diagnostics | type) == "array"
events.log|{"type": "observation", "op": "append_section", "rationale": "captured by FACE", "tool_call_id": "c", "transaction_id": "t", "agent_action_id": "a", "evidence_refs": ["evV"]}|.eventId | test("^[0-9A-HJKMNP-TV-Z]{26}$")
events.log|{"input": {"type": "action", "rationale": "by FACE"}}|.eventId | type == "string"
events.query|{"type": "observation", "transaction_id": "t"}|.rows | length > 0 and (map(.tool_call_id == "c" and .agent_action_id == "a") | all)
events.query|{"filters": {"file_path": "Q", "op": "replace_section", "user_id": "ada", "limit": 1}}|.rows | length == 1 and (.[0] | .status == "committed" and .section_anchor == "concerns v1")
propose_change|{"operation": "fs_append", "input": {"path": "N", "text": "proposed\n"}}|(.diff | contains("+proposed")) and (.safetyReport | type) == "string" and .requiresApproval == false
E

row=0
while IFS='|' read -r function input condition; do
	row=$((row + 1))
	export function input condition row
	some 7 "$function, row $row" <<'E'
for face in call mcp; do
	hash=$(sha256sum <$N)
	v=A w=B x=C
	[ $face = call ] || v=D w=E x=F
	edits="s|FACE|$face|g; s|ROW|$row|g; s|HASH|sha256:${hash%% *}|; s|\"N\"|\"$N\"|g; s|\"Q\"|\"$Q\"|g; s|evV|$ev$v|g; s|evW|$ev$w|g; s|evX|$ev$x|g"
	json=$(printf '%s' "$input" | sed "$edits")
	ikm_$face "$function" "$json" >"$T/$face.json" || { cat "$T/$face.json"; exit 1; }
	jq -e "$(printf '%s' "$condition" | sed "$edits")" "$T/$face.json" ||
		{ echo "$face: $condition"; cat "$T/$face.json"; exit 1; }
done
# Both faces give the same members. (The second snapshot of a content is the first one.)
jq -se 'map(del(.event, .committed, .commit) | keys_unsorted) | .[0] == .[1]' "$T/call.json" "$T/mcp.json" ||
	{ cat "$T/call.json" "$T/mcp.json"; exit 1; }
E
done <"$T/functions"

more 'fs.move is for maintainers, and MCP does not offer it' <<'E'
json='{"path": "'$N'", "newPath": "users/ada/parts/p1/notes.md", "rationale": "why"}'
fails_for NOT_ALLOWED ikm_call fs.move "$json"
ikm_mcp fs.move "$json" >"$T/answer" && exit 1
jq -e '.details.reason == "NOT_ALLOWED"' "$T/answer"
printf '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {%s}}}\n' "$meta" |
	ikm mcp --structured -t files -t garden >"$T/answer"
jq -e '.result.tools | map(.name) | index("fs_append") and (index("fs_move") | not)' "$T/answer"
printf '%s' "$json" | ikm --maintainer call fs.move >"$T/answer"
jq -e '.ok == true' "$T/answer"
[ ! -e $N ] && [ -f users/ada/parts/p1/notes.md ]
E

# A table: the function, its input, the rule. Nothing of it may change the garden, on either face.
cat >"$T/blocked" <<'E'
fs.patch|{"diffText": "--- a/Q\n+++ /dev/null\n@@ -1,2 +0,0 @@\n----\n-id: p1\n", "path": "Q"}|
fs.write|{"path": "Q", "content": ""}|garden-empty
file_edit|{"path": "Q", "old": "<!-- @anchor: role v1 -->\n", "new": ""}|garden-anchor
file_edit|{"path": "Q", "old": "anchor: role v1", "new": "anchor: roles v1"}|garden-anchor
file_edit|{"path": "Q", "old": "id: p1\nuser_id", "new": "id: p9\nuser_id"}|garden-identity
file_edit|{"path": "Q", "old": "user_id: ada", "new": "user_id: bob"}|garden-identity
file_edit|{"path": "Q", "old": "schema: part/1", "new": "schema: part/2"}|garden-identity
fs.write|{"path": "users/ada/secret.md", "content": "x\n"}|garden-path
fs.append|{"path": "users/bob/notes.md", "text": "x\n"}|garden-other-user
fs.write|{"path": "users/ada/parts/p1/history/x.md", "content": "x\n"}|garden-
md.curate_list|{"path": "PART2/profile.md", "sectionAnchor": "evidence v1", "ops": ["append", "append"], "items": ["\"8\" evV", "\"9\" evW"]}|garden-evidence-cap
E

more 'what the requirement blocks is blocked on both faces, and nothing changes' <<'E'
before=$(git rev-parse HEAD)
rows=0
while IFS='|' read -r function input rule; do
	json=$(printf '%s' "$input" | sed "s|\"Q\"|\"$Q\"|g; s|a/Q|a/$Q|; s|PART2|users/ada/parts/p2|; s|evV|${ev}8|; s|evW|${ev}9|")
	for face in call mcp; do
		ikm_$face "$function" "$json" >"$T/answer" && { cat "$T/answer"; exit 1; }
		[ -z "$rule" ] || jq -e '.errorCode == "BLOCKED" and .details.reason == "GARDEN_POLICY"' "$T/answer" ||
			{ echo "$face $input"; cat "$T/answer"; exit 1; }
		grep -q -- "$rule" "$T/answer" || { echo "$face $input: no $rule"; cat "$T/answer"; exit 1; }
	done
	rows=$((rows + 1))
done <"$T/blocked"
same 11 $rows
same "$before" "$(git rev-parse HEAD)"
clean
E

more 'a cap is exceeded with a rationale, which the event and the Change Log keep' <<'E'
json='{"path": "users/ada/parts/p2/profile.md", "sectionAnchor": "evidence v1", "ops": ["append", "append"], "items": ["\"8\" '$ev'8", "\"9\" '$ev'9"], "opts": {"rationale": "both matter"}}'
ikm_mcp md.curate_list "$json" >"$T/answer"
last '.lint.overrides' | jq -e '.[0].rule == "garden-evidence-cap" and .[0].rationale == "both matter"'
grep -q ': both matter$' users/ada/parts/p2/profile.md
ikm_call md.lint '{"path": "users/ada/parts/p2/profile.md"}' >"$T/answer"
jq -e '.blocked == false and (.warnings | length == 1 and (.[0] | contains("evidence")))' "$T/answer"
E

more 'a write is pending, written and committed, with its hashes and its MAC' <<'E'
json='{"path": "'$Q'", "sectionAnchor": "needs v1", "change": {"replace": "Rest."}, "opts": {"rationale": "r", "idempotencyKey": "k1", "tool_call_id": "c9"}}'
ikm_call md.patch_section "$json" >"$T/one"
ikm_mcp md.patch_section "$json" >"$T/two"
same "$(jq -r .event "$T/one") true" "$(jq -r '"\(.event) \(.replayed)"' "$T/two")"
ikm events show "$(jq -r .event "$T/one")" --json >"$T/shown"
same '["pending","written","committed"]' "$(jq -c '[.steps[].step]' "$T/shown")"
ikm events query --tool-call c9 --json |
	jq -e '.rows | length == 1 and (.[0] | (.integrity_line_hash | startswith("hmac:")) and
		.integrity_salt_version == 1 and .before_hash != .after_hash)'
fails_for KEY_REUSED ikm_call md.patch_section "$(printf '%s' "$json" | sed 's/Rest/More rest/')"
clean
E

long 'an identity field has one plain spelling: no tag, no anchor, no tab' <<'E'
for odd in '!!int ada' '!x ada' '&a ada' 'ada\t'; do
	jq -n --arg new "$(printf 'user_id: %b.' "$odd")" '{path: "users/ada/parts/odd/profile.md",
		old: "user_id: ada\n", new: ($new[:-1] + "\n")}' >"$T/in"
	ikm md new part odd >/dev/null 2>&1 || :
	not ikm call file_edit <"$T/in" >"$T/o" 2>/dev/null
	grep -q 'garden-identity: .user_id. of the front matter has a tag, an anchor or a tab now' "$T/o"
done
E

long 'no other key looks like an identity field, and no number becomes a text' <<'E'
ikm md new part keys >/dev/null
P=users/ada/parts/keys/profile.md
G=$HOME/.ikigai/garden
edit() { # OLD NEW
	jq -n --arg path $P --arg old "$1" --arg new "$2" '{path: $path, old: $old, new: $new}' |
		ikm call file_edit >"$T/o" 2>/dev/null
}
for key in ID Id iD user-id User_ID 'user id' "$(printf 'i\342\200\213d')" "$(printf '\357\275\211\357\275\204')" \
	"$(printf 'i\314\201d')" "$(printf 'user\302\255_id')" SCHEMA; do
	not edit 'user_id: ada' "user_id: ada
$key: other"
	grep -q 'garden-identity: a key of the front matter is another spelling of' "$T/o" || { echo "$key"; exit 1; }
done
edit 'user_id: ada' 'user_id: ada
idea: one
aliases: two'
# What a person wrote before is not the fault of a change elsewhere.
sed -i 's/^aliases: two/ID: two\nschema2: 1/' "$G/$P" && git -C "$G" commit -qam hand
edit 'idea: one' 'idea: two'
# A number stays a number.
sed -i 's/^schema: .*/schema: 1/' "$G/$P" && git -C "$G" commit -qam hand
for odd in '"1"' "'1'" 1.0 '!!str 1' '1 # x
schema3: 1'; do
	if edit 'schema: 1' "schema: $odd"; then
		[ "${odd#1 #}" != "$odd" ] || { echo "$odd"; exit 1; }
	else
		grep -q 'garden-identity' "$T/o"
	fi
done
E
done_testing
