#!/bin/sh
# propose_change says what the real call then does: the diff, the hashes, the refusal.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
IKM_NOW=2026-11-23T10:00:00Z
export N IKM_NOW

newest() { # COLUMN
	sqlite3 "$HOME/.ikigai/ikm.db" "select $1 from events where number = 0 order by seq desc limit 1"
}
events() { # what is recorded, but for the beginning of the chain
	ikm events query -n 1000 --json | jq -r '.rows[] | select(.op != "begin").event_id'
}

try 'a proposal changes nothing' <<'E'
cp "$P" "$T/before"
echo '{"operation": "md_patch_section", "input": {"path": "'"$P"'", "sectionAnchor": "concerns v1",
"change": {"replace": "It fears."}, "rationale": "why"}}' | ikm call propose_change >"$T/answer"
cmp "$P" "$T/before"
same '' "$(git status --short)"
same '' "$(events)"
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
same '' "$(events)"
E

try 'a deletion that would be refused is told, not recorded' <<'E'
{ printf -- '--- a/users/ada/notes.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n'; sed 's/^/-/' "$N"; } |
	jq -Rs '{operation: "fs_patch", input: {diffText: .}}' | ikm call propose_change >"$T/answer"
same 'true garden-delete' "$(jq -r '[.blocked,.diagnostics[0].rule]|join(" ")' "$T/answer")"
ikm propose file_write '{"path": "'"$G"'/users/bob/notes.md", "content": "x"}' --json >"$T/answer"
same 'true garden-other-user' "$(jq -r '[.blocked,.diagnostics[0].rule]|join(" ")' "$T/answer")"
same '' "$(events)"
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

try 'a folder is proposed: what would be made, and what would be refused' <<'E'
ikm propose fs_ensure_dir '{"path": "'"$G"'/users/ada/parts/p2"}' --json >"$T/answer"
same 'mkdir  false' "$(jq -r '.files[0].op, .diff, .blocked' "$T/answer" | paste -sd' ')"
jq -r .safetyReport "$T/answer" | grep 'users/ada/parts/p2: the folder would be made'
[ ! -e users/ada/parts/p2 ]
ikm propose fs_ensure_dir '{"path": "'"$G"'/users/ada/parts/p1"}' --json |
	jq -e '.files == [] and (.safetyReport | test("nothing would change"))'
ikm propose fs_ensure_dir '{"path": "'"$G"'/users/bob/parts/p1"}' --json |
	jq -e '.blocked and .diagnostics[0].rule == "garden-other-user"'
fails_for EXISTS ikm propose fs_ensure_dir '{"path": "'"$N"'"}'
cd "$T/w"
echo x >file
same "$(ikm mkdir file/a/b 2>&1)" "$(ikm propose fs_ensure_dir '{"path": "file/a/b"}' 2>&1)"
ikm propose fs_ensure_dir '{"path": "a/b"}' --json | jq -e '.files[0].path == "'"$PWD"'/a/b"'
[ ! -e a ]
same '' "$(events)"
E

try 'what people do at the command line is proposed to them' <<'E'
ikm propose --maintainer delete '{"path": "'"$N"'", "rationale": "private"}' --json |
	jq -e '.files[0] | .op == "remove" and .after_hash == null'
fails_for NOT_IN_ENUM sh -c 'echo "{\"operation\": \"delete\", \"input\": {}}" | ikm call propose_change'
echo one | ikm write ikigai:///blocks/v.md
echo two | ikm write ikigai:///blocks/v.md
ikm propose asset_restore '{"path": "blocks/v"}' --json | jq -r .diff | grep -x '+one'
same two "$(ikm read ikigai:///blocks/v.md)"
[ -e "$N" ]
E

# The operations: a tool and its parameters, a line each; the real call follows each proposal. Some
# lines come again, with or without a key, and some use the key of another call. In an undo, @ is
# the newest event.
more 'its answer equals what the real call does, over many operations' <<'E'
awk -v seed=11 -v p="$P" -v n="$N" 'BEGIN {
	srand(seed)
	split("concerns,needs,role,evidence,allies,change_log,nowhere", section, ",")
	for (i = 0; i < 64; i++) {
		if (i > 5 && rand() < 0.15) { # a repeat
			print line[i] = line[i - 1 - int(rand() * 4)]
			continue
		}
		at = section[int(rand() * 7) + 1] " v1"
		path = rand() < 0.8 ? p : n
		why = rand() < 0.5 ? sprintf(", \"rationale\": \"reason %d\"", i) : ""
		if (rand() < 0.25)
			why = why sprintf(", \"idempotencyKey\": \"key %d\"", int(rand() * 8))
		r = rand()
		if (r < 0.3)
			line[i] = sprintf("md_patch_section {\"path\": \"%s\", \"sectionAnchor\": \"%s\", \"change\": {\"%s\": \"Text %d.\"}%s}",
				path, at, rand() < 0.5 ? "replace" : "append", i, why)
		else if (r < 0.45)
			line[i] = sprintf("md_curate_list {\"path\": \"%s\", \"sectionAnchor\": \"evidence v1\", \"ops\": [\"append\"], \"items\": [\"quote %d ev:20260101T1200%02dZ-01ARZ3NDEKTSV4RRFFQ69G5FAV\"]%s}",
				path, i, i % 60, why)
		else if (r < 0.58)
			line[i] = sprintf("fs_append {\"path\": \"%s\", \"text\": \"Line %d.\"%s}", path, i, why)
		else if (r < 0.68)
			line[i] = sprintf("file_edit {\"path\": \"%s\", \"old\": \"%s\", \"new\": \"%s\"%s}",
				path, rand() < 0.5 ? "## Inbox" : "<!-- @anchor: needs v1 -->", rand() < 0.5 ? "## Inbox" : "x", why)
		else if (r < 0.75)
			line[i] = sprintf("file_write {\"path\": \"%s\", \"content\": \"# Notes\\n\\nAll new %d.\\n\"%s}", path, i, why)
		else if (r < 0.85)
			line[i] = sprintf("events_undo {\"eventId\": \"@\"%s}", why)
		else if (r < 0.9)
			line[i] = sprintf("md_snapshot_history {\"path\": \"%s\"%s}", path, why)
		else if (r < 0.95)
			line[i] = sprintf("fs_ensure_dir {\"path\": \"%s/users/%s/parts/n%d\"}", ENVIRON["G"], rand() < 0.5 ? "ada" : "bob", i % 4)
		else
			line[i] = sprintf("fs_append {\"path\": \"%s/users/bob/notes.md\", \"text\": \"x\", \"parents\": true}", ENVIRON["G"])
		print line[i]
	}
}' >"$T/ops"
least 64 "$T/ops"
done=0 refused=0 failed=0 repeated=0 reused=0
while read -r tool input; do
	prc=0 rc=0
	case $input in *'"@"'*)
		id=$(newest event_id)
		input=$(printf '%s' "$input" | sed "s/\"@\"/\"$id\"/")
		;;
	esac
	printf '%s' "$input" >"$T/input"
	before=$(newest seq)
	jq -n --arg t "$tool" --slurpfile i "$T/input" '{operation: $t, input: $i[0]}' |
		ikm call propose_change >"$T/proposed" 2>/dev/null || prc=$?
	same "$before" "$(newest seq)"
	ikm call "$tool" <"$T/input" >"$T/real" 2>/dev/null || rc=$?
	if [ "$prc" != 0 ]; then
		failed=$((failed + 1))
		[ "$(jq -r .details.reason "$T/real")" != KEY_REUSED ] || reused=$((reused + 1))
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
	[ "$rc" = 0 ] || { cat "$T/input" "$T/proposed" "$T/real"; exit 1; }
	same "$(jq -r 'if .replayed then .event else "none" end' "$T/real")" "$(jq -r '.repeats // "none"' "$T/proposed")"
	if [ "$(jq .replayed "$T/real")" = true ]; then
		repeated=$((repeated + 1))
		same 0 "$(jq '.files | length' "$T/proposed")"
		continue
	fi
	done=$((done + 1))
	case $(jq -r '.files[0].op' "$T/proposed") in
	null) [ "$(jq '.changed or .created' "$T/real")" = false ] ;;
	mkdir) [ "$(jq .created "$T/real")" = true ] && [ -d "$(jq -r '.files[0].path' "$T/proposed")" ] ;;
	*)
		path=$(jq -r '.files[0].path' "$T/proposed")
		same "sha256:$(sha256sum <"$path" | cut -d' ' -f1)" "$(jq -r '.files[0].after_hash' "$T/proposed")"
		[ "$(jq .changed "$T/real")" != false ]
		;;
	esac || { cat "$T/input" "$T/proposed" "$T/real"; exit 1; }
	same "$(jq -c '.warnings // []' "$T/real")" "$(jq -c '.warnings // []' "$T/proposed")"
done <"$T/ops"
echo "$done done, $refused refused, $failed failed, $repeated repeated, $reused with a used key"
[ "$done" -gt 15 ] && [ "$refused" -gt 4 ] && [ "$failed" -gt 3 ] && [ "$repeated" -gt 2 ] && [ "$reused" -gt 1 ]
clean
E

done_testing
