#!/bin/sh
# propose_change says what the real call then does: the diff, the hashes, the refusal.
. "$(dirname "$0")/lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
IKM_NOW=2026-11-23T10:00:00Z
export N IKM_NOW
changes() { # events, less the one that began the chain
	ikm events query --json | jq '[.rows[] | select(.op != "begin")] | length'
}

try 'a proposal changes nothing' <<'E'
cp "$P" "$T/before"
echo '{"operation": "md_patch_section", "input": {"path": "'"$P"'", "sectionAnchor": "concerns v1",
"change": {"replace": "It fears."}, "rationale": "why"}}' | ikm call propose_change >"$T/answer"
cmp "$P" "$T/before"
same '' "$(git status --short)"
same 0 "$(changes)"
jq -r .diff "$T/answer" | grep -x '+It fears.'
jq -r .diff "$T/answer" | grep -x -- '+- 2026-11-23T10:00:00Z: why'
same 'false false' "$(jq -r '[.requiresApproval,.blocked]|join(" ")' "$T/answer")"
jq -r .safetyReport "$T/answer" | grep tokens
E

try 'what would be refused is told, not recorded' <<'E'
ikm propose file_edit '{"path": "'"$P"'", "old": "<!-- @anchor: role v1 -->", "new": ""}' --json >"$T/answer"
jq -e .blocked "$T/answer"
jq -r '.blockedReasons[0]' "$T/answer" | grep garden-anchor
jq -e '.diagnostics[] | select(.rule == "garden-anchor").blocks' "$T/answer"
same 0 "$(changes)"
E

try 'a deletion that would be refused is told, not recorded' <<'E'
{ printf -- '--- a/users/ada/notes.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n'; sed 's/^/-/' "$N"; } |
	jq -Rs '{operation: "fs_patch", input: {diffText: .}}' | ikm call propose_change >"$T/answer"
same 'true garden-delete' "$(jq -r '[.blocked,.diagnostics[0].rule]|join(" ")' "$T/answer")"
ikm propose file_write '{"path": "'"$G"'/users/bob/notes.md", "content": "x"}' --json >"$T/answer"
same 'true garden-other-user' "$(jq -r '[.blocked,.diagnostics[0].rule]|join(" ")' "$T/answer")"
same 0 "$(changes)"
E

try 'other errors are those of the real call' <<'E'
fails_for NO_SUCH_TEXT ikm propose file_edit '{"path": "'"$P"'", "old": "nowhere", "new": "x"}'
fails_for NOT_IN_ENUM ikm propose file_read '{"path": "'"$P"'"}'
fails_for MISSING_PARAMETER ikm propose file_write '{"path": "'"$P"'"}'
fails_for NOT_ALLOWED ikm propose fs_move '{"path": "'"$P"'", "newPath": "'"$N"'"}'
E

try 'it works outside the garden, and for stored assets' <<'E'
cd "$T/w"
ikm propose file_write '{"path": "x", "content": "new"}' --json | jq -e '.files[0].before_hash == null'
[ ! -e x ]
ikm propose fs_append '{"path": "ikigai:///blocks/x.md", "text": "new"}' --json >"$T/answer"
jq -r .diff "$T/answer" | grep -x '+new'
fails 3 ikm read ikigai:///blocks/x.md
E

# The operations: a tool and its parameters, a line each; the real call follows each proposal.
try 'its answer equals what the real call does, over many operations' <<'E'
awk -v seed=11 -v p="$P" -v n="$N" 'BEGIN {
	srand(seed)
	split("concerns,needs,role,evidence,allies,change_log,nowhere", section, ",")
	for (i = 0; i < 60; i++) {
		at = section[int(rand() * 7) + 1] " v1"
		path = rand() < 0.8 ? p : n
		why = rand() < 0.5 ? sprintf(", \"rationale\": \"reason %d\"", i) : ""
		r = rand()
		if (r < 0.3)
			printf "md_patch_section {\"path\": \"%s\", \"sectionAnchor\": \"%s\", \"change\": {\"%s\": \"Text %d.\"}%s}\n",
				path, at, rand() < 0.5 ? "replace" : "append", i, why
		else if (r < 0.5)
			printf "md_curate_list {\"path\": \"%s\", \"sectionAnchor\": \"evidence v1\", \"ops\": [\"append\"], \"items\": [\"quote %d ev:20260101T1200%02dZ-01ARZ3NDEKTSV4RRFFQ69G5FAV\"]%s}\n",
				path, i, i % 60, why
		else if (r < 0.65)
			printf "fs_append {\"path\": \"%s\", \"text\": \"Line %d.\"%s}\n", path, i, why
		else if (r < 0.8)
			printf "file_edit {\"path\": \"%s\", \"old\": \"%s\", \"new\": \"%s\"%s}\n",
				path, rand() < 0.5 ? "## Inbox" : "<!-- @anchor: needs v1 -->", rand() < 0.5 ? "## Inbox" : "x", why
		else if (r < 0.9)
			printf "file_write {\"path\": \"%s\", \"content\": \"# Notes\\n\\nAll new %d.\\n\"%s}\n", path, i, why
		else
			printf "fs_append {\"path\": \"%s/users/bob/notes.md\", \"text\": \"x\", \"parents\": true}\n", ENVIRON["G"]
	}
}' >"$T/ops"
least 60 "$T/ops"
done=0 refused=0 failed=0
while read -r tool input; do
	prc=0 rc=0
	printf '%s' "$input" >"$T/input"
	jq -n --arg t "$tool" --slurpfile i "$T/input" '{operation: $t, input: $i[0]}' |
		ikm call propose_change >"$T/proposed" 2>/dev/null || prc=$?
	path=$(jq -r .path "$T/input")
	ikm call "$tool" <"$T/input" >"$T/real" 2>/dev/null || rc=$?
	if [ "$prc" != 0 ]; then
		failed=$((failed + 1))
		same "$(jq -r .message "$T/real")" "$(jq -r .message "$T/proposed")"
		same "$rc" "$prc"
		continue
	fi
	if [ "$(jq .blocked "$T/proposed")" = true ]; then
		refused=$((refused + 1))
		[ "$rc" = 5 ] || { cat "$T/input" "$T/proposed" "$T/real"; exit 1; }
		same "$(jq -r .message "$T/real")" "$(jq -r '.blockedReasons[0]' "$T/proposed")"
		continue
	fi
	done=$((done + 1))
	[ "$rc" = 0 ] || { cat "$T/input" "$T/proposed" "$T/real"; exit 1; }
	if [ "$(jq '.files | length' "$T/proposed")" = 1 ]; then
		same "sha256:$(sha256sum <"$path" | cut -d' ' -f1)" "$(jq -r '.files[0].after_hash' "$T/proposed")"
		[ "$(jq .changed "$T/real")" != false ]
	fi
	same "$(jq -c '.warnings // []' "$T/real")" "$(jq -c '.warnings // []' "$T/proposed")"
done <"$T/ops"
echo "$done done, $refused refused, $failed failed"
[ "$done" -gt 10 ] && [ "$refused" -gt 5 ] && [ "$failed" -gt 3 ]
clean
E

done_testing
