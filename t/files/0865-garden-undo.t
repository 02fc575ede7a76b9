#!/bin/sh
# Undo in the garden: it has a reason of its own, it can be repeated by key and proposed, and what
# only maintainers do only maintainers undo.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
export IKM_SESSION=s
N=$G/users/ada/notes.md
O=$G/users/ada/parts/p2/notes.md
export N O
mkdir -p "$(dirname "$O")"
undo() { # ID [MORE]: as a tool
	printf '{"eventId": "%s"%s}' "$1" "${2-}" | ikm call events_undo
}

try 'a maintainer undoes a creation and a move without more words' <<'E'
made=$(ikm write "$O" --content '# New' --json | jq -r .event)
fails_for GARDEN_POLICY ikm events undo "$made"
ikm events undo "$made" --maintainer
[ ! -e "$O" ]
same "undid $made" "$(trailer Ikm-Rationale)"
same "undid $made" "$(last .rationale)"
ikm write "$O" --content '# New'
moved=$(ikm move --maintainer "$O" "${O%p2/notes.md}p1/notes.md" --rationale 'of p1' --json | jq -r .event)
fails_for NOT_ALLOWED ikm events undo "$moved"
ikm events undo "$moved" --maintainer --rationale 'of p2 after all'
[ -e "$O" ]
same 'of p2 after all' "$(trailer Ikm-Rationale)"
clean
E

try 'an undo to over a cap is an undo: its reason is the rationale' <<'E'
for n in 1 2 3 4 5 6 7; do
	echo "- \"quote $n\" ev:2026010${n}T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA$n"
done >"$T/items"
ikm md patch "$P" 'evidence v1' --replace "$(cat "$T/items")"
eight='"quote 8" ev:20260108T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA8'
ikm md curate "$P" 'evidence v1' append "$eight" --rationale 'a turning point'
id=$(ikm md curate "$P" 'evidence v1' prune "$eight" --reason 'said elsewhere' --json | jq -r .event)
ikm events undo "$id"
grep -F 'quote 8' "$P"
same "garden-evidence-cap undid $id" "$(last '|.lint.overrides[0]|[.rule,.rationale]|join(" ")')"
clean
E

try 'the parameters of all writing tools reach the record' <<'E'
id=$(printf '{"path": "%s", "text": "one"}' "$N" | ikm call fs_append | jq -r .event)
undo "$id" ', "rationale": "not mine", "transaction_id": "t-9", "opts": {"tool_call_id": "c-9"}' >"$T/out"
same 'not mine t-9 c-9' "$(last '|[.rationale,.transaction_id,.tool_call_id]|join(" ")')"
same "$(git rev-parse HEAD)" "$(jq -r .commit "$T/out")"
clean
E

try 'a tool undoes no deletion and no move' <<'E'
id=$(ikm delete --maintainer "$O" --rationale 'private, must go' --json | jq -r .event)
fails_for NOT_ALLOWED undo "$id"
fails_for NOT_ALLOWED ikm events undo "$id"
[ ! -e "$O" ]
ikm events undo --maintainer "$id"
[ -e "$O" ]
cd "$T/w"
echo x >gone
id=$(ikm delete --maintainer gone --json | jq -r .event)
fails_for NOT_ALLOWED undo "$id"
[ ! -e gone ]
ikm events undo "$id"
[ -e gone ]
E

propose() { # TOOL INPUT
	jq -n --arg t "$1" --argjson i "$2" '{operation: $t, input: $i}' | ikm call propose_change
}

more 'a proposal tells a repeat, a key that was used, and what an undo would write' <<'E'
input='{"path": "'"$N"'", "text": "once", "idempotencyKey": "p-1"}'
propose fs_append "$input" | jq -e '(has("repeats") | not) and (.files | length) == 1'
id=$(echo "$input" | ikm call fs_append | jq -r .event)
propose fs_append "$input" >"$T/out"
same "$id 0 false" "$(jq -r '[.repeats,(.files | length),.blocked]|join(" ")' "$T/out")"
jq -r .safetyReport "$T/out" | grep "a repeat of event $id: nothing would change"
fails_for KEY_REUSED propose fs_append '{"path": "'"$N"'", "text": "other", "idempotencyKey": "p-1"}'
propose events_undo '{"eventId": "'"$id"'"}' | jq -r .diff | grep -x -- '-once'
same "$id" "$(last .event_id)"
grep -x once "$N"
undo "$id" ', "idempotencyKey": "u-1"'
undo "$id" ', "idempotencyKey": "u-1"' >"$T/out"
same "true $(last .event_id)" "$(jq -r '[.replayed,.event]|join(" ")' "$T/out")"
fails_for UNDONE_ALREADY undo "$id"
E

more 'a proposal logs nothing' <<'E'
rows() { ikm events query -n 1000 --json | jq '.rows | length'; }
n=$(rows)
fails_for NOT_IN_ENUM propose events_log '{"type": "observation", "rationale": "x"}'
same "$n" "$(rows)"
E

more "a person's edit of another section, by an editor, stays when a section goes back" <<'E'
cd "$T"
for form in sha1 sha256; do
	rm -rf "$G"
	git init -q --object-format=$form "$G"
	ikm md new part p1 --id p1 >"$T/out" 2>&1 || ikm md new part p1 >"$T/out"
	ikm md patch "$P" 'role v1' --replace 'It guards.' --rationale one
	id=$(ikm md patch "$P" 'role v1' --replace 'It waits.' --rationale two --json | jq -r .event)
	sed -i '/anchor: needs/a - rest' "$P"
	ikm events diff --path "$P" >"$T/diff" 2>"$T/said"
	grep -q 'somebody changed it since' "$T/said"
	grep -q '^+It waits' "$T/diff"
	not grep -q '^+- rest' "$T/diff"
	ikm events undo "$id"
	grep -q '^It guards' "$P"
	grep -q '^- rest' "$P"
	# The same section was edited: the three versions are shown.
	id=$(ikm md patch "$P" 'role v1' --replace 'It sleeps.' --rationale three --json | jq -r .event)
	sed -i 's/^It sleeps/It dreams/' "$P"
	fails_for CHANGED_SINCE ikm events undo "$id" >"$T/out" 2>"$T/said"
	grep -q '^+It dreams' "$T/said" "$T/out"
	grep -q '^-It sleeps' "$T/said" "$T/out"
done
rm -rf "$G"
E

done_testing
