#!/bin/sh
# events query: each column of the record that tells one event from others is a filter.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
EV=ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJKX
export EV
jq -n --arg p "$P" --arg ev "$EV" '{path: $p, sectionAnchor: "needs v1", change: {replace: "Rest."},
	opts: {rationale: "session 5", evidence_refs: ["other", $ev], idempotencyKey: "k-1",
	transaction_id: "t-1", tool_call_id: "c-1", agent_action_id: "a-1"}}' |
	IKM_AGENT_ID=critic IKM_SESSION=s-1 ikm call md_patch_section >"$T/done" || exit 1
ikm append users/ada/notes.md --text 'Another.
' || exit 1

# A table: the filter as a column, its option, and the value of the first event.
cat >"$T/filters" <<E
op --op replace_section
agent_id --by-agent critic
session_id --in-session s-1
tool --tool md_patch_section
entity_type --entity-type part
entity_id --entity p1
type --type profile_update
section_anchor --section needs v1
idempotency_key --idempotency-key k-1
tool_call_id --tool-call c-1
transaction_id --transaction t-1
agent_action_id --agent-action a-1
evidence_refs --evidence-ref $EV
file_path --path users/ada/parts/p1/profile.md
E

try 'each filter finds its event, and no other' <<'E'
id=$(jq -r .event "$T/done")
sample 1 <"$T/filters" >"$T/some"
while read -r column option value; do
	ikm events query "$option" "$value" --json >"$T/o"
	same "$column $id" "$column $(jq -r '[.rows[].event_id] | join(" ")' "$T/o")"
	for filters in '{session: "*"} + {($c): $v}' '{filters: ({session: "*"} + {($c): $v})}'; do
		[ $column != session_id ] || filters=$(echo "$filters" | sed 's/{session: "\*"} + //')
		jq -n --arg c "$column" --arg v "$value" "$filters" | ikm call events_query >"$T/o"
		same "$column $id" "$column $(jq -r '[.rows[].event_id] | join(" ")' "$T/o")"
	done
done <"$T/some"
ikm events query --by-user ada --json | jq -e ".rows | length >= 2"
jq -n '{user_id: "bob"}' | ikm call events_query | jq -e '.rows == []'
ikm events query --section needs --json | jq -e '.rows == []'
E

more 'a column of the record is a filter, or is not one that tells events apart' <<'E'
sqlite3 "$HOME/.ikigai/ikm.db" 'select name from pragma_table_info("events")' | sort >"$T/columns"
{
	cut -d ' ' -f 1 "$T/filters"
	# the user; times, texts and other events have filters of their own forms
	printf '%s\n' user_id ts status rationale error event_id undoes
	# how the change came, and who said so
	printf '%s\n' face client
	# what the record says about itself, and what only tells how a file changed
	printf '%s\n' seq number step schema_version machine_id path_to before_hash after_hash before_mode \
		after_mode lint change commit_oid integrity_line_hash integrity_salt_version chain_prev chain_hash
} | sort >"$T/known"
same '' "$(comm -23 "$T/columns" "$T/known")"
E

more 'an annotation brings its identifiers to the event' <<'E'
hash=$(jq -r .afterHash "$T/done")
[ "$hash" != null ] || hash=$(jq -r .newHash "$T/done")
jq -n --arg p "$P" --arg h "$hash" '{type: "profile_update", file_path: $p, after_hash: $h, rationale: "heard",
	agent_action_id: "a-2", tool_call_id: "c-2", transaction_id: "t-2", evidence_refs: ["ref-2"]}' |
	IKM_AGENT_ID=critic ikm call events_log >"$T/o"
id=$(jq -r .eventId "$T/o")
for filter in '--agent-action a-2' '--tool-call c-2' '--transaction t-2' '--evidence-ref ref-2' "--evidence-ref $EV"; do
	# shellcheck disable=SC2086
	same "$id" "$(ikm events query $filter --json | jq -r '[.rows[].event_id] | join(" ")')"
done
E
done_testing
