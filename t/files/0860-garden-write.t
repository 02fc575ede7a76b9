#!/bin/sh
# One write in the garden: the file, the history copy, the event and the commit agree, on every
# face; what is refused is recorded.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
export N

long 'one call changes a section, and leaves a copy, a commit and an event' <<'E'
cp "$P" "$T/before"
echo '{"path": "'"$P"'", "sectionAnchor": "concerns v1", "change": {"replace": "It wants to protect."},
"rationale": "said in session 4", "transaction_id": "t-1", "opts": {"tool_call_id": "c-1"},
"evidence_refs": ["ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV"]}' |
	ikm call md_patch_section >"$T/out.json"
grep -c 'It wants to protect' "$P" | grep -x 1
grep 'said in session 4' "$P"
copy=$(echo users/ada/parts/p1/history/*)
cmp "$T/before" "$copy"
same "$copy
users/ada/parts/p1/profile.md" "$(git show --format= --name-only)"
same "$(jq -r .commit "$T/out.json")" "$(git rev-parse HEAD)"
[ "$(jq .committed "$T/out.json")" = true ]
same "$(jq -r .event "$T/out.json")" "$(trailer Ikm-Event)"
same md_patch_section "$(trailer Ikm-Tool)"
same default "$(trailer Ikm-Agent)"
same 'part p1 profile_update replace_section concerns v1 committed said in session 4 t-1 c-1 ada' \
	"$(last '|[.entity_type,.entity_id,.type,.op,.section_anchor,.status,.rationale,.transaction_id,.tool_call_id,.user_id]|join(" ")')"
same "sha256:$(sha256sum <"$P" | cut -d' ' -f1)" "$(last .after_hash)"
last .integrity_line_hash | grep '^hmac:'
clean
E

try 'an attempt to remove an anchor is refused, and is an event' <<'E'
cp "$P" "$T/before"
head=$(git rev-parse HEAD)
fails_for GARDEN_POLICY ikm edit "$P" --old '<!-- @anchor: role v1 -->' --new ''
cmp "$P" "$T/before"
same "$head" "$(git rev-parse HEAD)"
same 'audit failed garden-anchor' "$(last '|[.type,.status,.lint.diagnostics[0].rule]|join(" ")')"
clean
E

long 'whatever refuses a deletion first, the attempt is an event' <<'E'
asks() { # WANT: the last event; then nothing has changed
	same "$1" "$(last '|[.type,.status,.op,.tool,.lint.diagnostics[0].rule // "none"]|join(" ")')"
	same "$head" "$(git rev-parse HEAD)"
}
head=$(git rev-parse HEAD)
{ printf -- '--- a/users/ada/notes.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n'; sed 's/^/-/' "$N"; } >"$T/deletes"
jq -Rs '{diffText: .}' "$T/deletes" >"$T/input"
fails_for GARDEN_POLICY ikm call fs_patch <"$T/input"
asks 'audit failed patch fs_patch garden-delete'
printf 'diff --git a/users/ada/notes.md b/users/ada/parts/p1/notes.md\nsimilarity index 100%%\nrename from users/ada/notes.md\nrename to users/ada/parts/p1/notes.md\n' |
	jq -Rs '{diffText: .}' >"$T/input"
fails_for GARDEN_POLICY ikm call fs_patch <"$T/input"
asks 'audit failed move fs_patch garden-delete'
fails_for MISSING_PARAMETER ikm delete --maintainer "$N"
asks 'audit failed remove delete garden-delete'
fails_for MISSING_PARAMETER ikm move --maintainer "$N" "$G/users/ada/parts/p1/notes.md"
asks 'audit failed move fs_move garden-delete'
[ -f "$N" ]
clean
E

long 'an attempt in a folder of another user is an event, also where it is missing' <<'E'
n=$(ikm events query --json | jq '.rows | length')
fails_for GARDEN_POLICY ikm write "$G/users/bob/notes.md" --content x
same 'audit failed write garden-other-user' "$(last '|[.type,.status,.op,.lint.diagnostics[0].rule]|join(" ")')"
fails_for GARDEN_POLICY ikm edit "$G/users/bob/notes.md" --old x --new y
fails_for GARDEN_POLICY ikm append "$G/users/bob/notes.md" --text x --if-match none
mkdir -p "$G/users/bob"
echo x >"$G/users/bob/notes.md"
fails_for GARDEN_POLICY ikm write "$G/users/bob/notes.md" --content x --if-match none
fails_for GARDEN_POLICY ikm edit "$G/users/bob/notes.md" --old y --new z
rm -r "$G/users/bob"
fails_for GARDEN_POLICY ikm write "$G/users/ada/new/notes.md" --content x
same "$((n + 6))" "$(ikm events query -n 100 --json | jq '.rows | length')"
fails_for FILE_NOT_FOUND ikm write "$G/users/ada/parts/p9/notes.md" --content x
same "$((n + 6))" "$(ikm events query -n 100 --json | jq '.rows | length')"
clean
E

more 'folders of the garden are those of its grammar, of the caller' <<'E'
make() { echo "{\"path\": \"$1\"}" | ikm call fs_ensure_dir; }
for path in bob/parts/x ada/foo/bar ada/parts/new1/profile.md ada/parts/p1/history/x; do
	fails_for GARDEN_POLICY ikm mkdir "$G/users/$path"
	fails_for GARDEN_POLICY make "$G/users/$path"
	same 'audit failed mkdir' "$(last '|[.type,.status,.op]|join(" ")')"
	[ ! -e "$G/users/$path" ]
done
[ ! -e "$G/users/bob" ]
for path in ada/parts/new1/history ada/relationships/r1; do
	make "$G/users/$path" | jq -e .created
	make "$G/users/$path" | jq -e '.created | not'
done
rmdir "$G/users/ada/parts/new1/history" "$G/users/ada/parts/new1" "$G/users/ada/relationships/r1" "$G/users/ada/relationships"
clean
E

more 'what the policy forbids is refused on the command line and as a tool' <<'E'
call() { echo "{\"path\": \"$1\", \"content\": \"x\", \"parents\": true}" | ikm call file_write; }
for path in secret.md ../bob/notes.md parts/p1/profile.md parts/p1/history/x.md; do
	fails_for GARDEN_POLICY ikm write --content x --parents "$G/users/ada/$path"
	fails_for GARDEN_POLICY call "$G/users/ada/$path"
done
[ ! -e "$G/users/bob" ]
# A comment that silences lint opens nothing.
rules=$(ikm lint --list-rules --json | jq -r '.rules[].id' | grep ^garden | paste -sd' ')
{ grep -v 'needs v1' "$P"; echo "<!-- ikm-lint-disable $rules -->"; } | fails_for GARDEN_POLICY ikm write "$P"
clean
E

more 'a link into the garden is the garden' <<'E'
ln -s "$P" "$T/w/link.md"
fails_for GARDEN_POLICY ikm write "$T/w/link.md" --content x
ln -s "$G/users" "$T/w/dir"
fails_for GARDEN_POLICY ikm write "$T/w/dir/ada/other.md" --content x
clean
E

more 'files beside users/ are written as everywhere' <<'E'
ikm write "$G/README.md" --content 'hello' --json | jq -e 'has("committed") | not'
rm "$G/README.md"
clean
E

more 'without a key nothing is written' <<'E'
cp "$P" "$T/before"
mv "$HOME/.ikigai/keys" "$HOME/keys"
fails_for NOT_CONFIGURED ikm md patch "$P" 'concerns v1' --append more
[ "$rc" = 7 ]
mv "$HOME/keys" "$HOME/.ikigai/keys"
cmp "$P" "$T/before"
clean
E

more 'a rationale of two lines is refused' <<'E'
fails_for BAD_ARGUMENT ikm md patch "$P" 'concerns v1' --append more --rationale "a
## b"
clean
E

more 'a repeat is answered and not done; after another change it is done' <<'E'
set -- ikm append "$N" --text 'a theme' --rationale 'captured' --json
"$@" >"$T/one"
"$@" >"$T/two"
[ "$(grep -c 'a theme' "$N")" = 1 ]
[ "$(jq .replayed "$T/two")" = true ]
same "$(jq .event "$T/one")" "$(jq .event "$T/two")"
ikm append "$N" --text 'another'
"$@" | jq -e '.replayed | not'
[ "$(grep -c 'a theme' "$N")" = 2 ]
ikm append "$N" --text one --idempotency-key k1
fails_for KEY_REUSED ikm append "$N" --text two --idempotency-key k1
clean
E

more 'a key makes a call outside the garden repeatable, too' <<'E'
cd "$T/w"
ikm append log --text x --idempotency-key k2
ikm append log --text x --idempotency-key k2 --json | jq -e .replayed
ikm append log --text x
same 'x
x' "$(cat log)"
E

more 'a repeat of a section holds while other sections change' <<'E'
item='"I must not rest" ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV'
ikm md curate "$P" 'evidence v1' append "$item" --rationale 'one'
ikm md patch "$P" 'allies v1' --append 'None yet.' --rationale 'two'
ikm md curate "$P" 'evidence v1' append "$item" --rationale 'one' --json | jq -e .replayed
[ "$(grep -c 'I must not rest' "$P")" = 1 ]
clean
E

more 'evidence over the cap needs a rationale, which is kept' <<'E'
for n in 2 3 4 5 6 7; do
	ikm md curate "$P" 'evidence v1' append "\"quote $n\" ev:2026010${n}T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA$n"
done
one='"quote 8" ev:20260108T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FA8'
fails_for GARDEN_POLICY ikm md curate "$P" 'evidence v1' append "$one"
ikm md curate "$P" 'evidence v1' append "$one" --rationale 'a turning point'
same 'garden-evidence-cap a turning point' "$(last '|.lint.overrides[0]|[.rule,.rationale]|join(" ")')"
grep 'a turning point' "$P"
clean
E

more 'content that another person staged stops the write, and stays' <<'E'
cp "$P" "$T/before"
sed 's/Critic/Inner Critic/' "$P" >"$T/staged"
cp "$T/staged" "$P"
git add "$P"
cp "$T/before" "$P"
fails_for STAGED ikm md patch "$P" 'concerns v1' --append more --rationale x
[ "$rc" = 4 ]
cmp "$P" "$T/before"
git show :users/ada/parts/p1/profile.md | cmp - "$T/staged"
git reset -q
clean
E

more 'other staged content stays staged' <<'E'
echo x >other
git add other
ikm md patch "$P" 'concerns v1' --append 'And rests.' --rationale x
same 'A  other' "$(git status --short)"
not grep -x other <<X
$(git show --format= --name-only)
X
git rm -q --cached other
rm other
clean
E

more 'a merge under way stops the write' <<'E'
git rev-parse HEAD >.git/MERGE_HEAD
fails_for UNDER_WAY ikm md patch "$P" 'concerns v1' --append more --rationale x
rm .git/MERGE_HEAD
clean
E

more 'with garden.commit off the commit is left to the user' <<'E'
head=$(git rev-parse HEAD)
ikm -c garden.commit=off md patch "$P" 'concerns v1' --append 'No commit.' --rationale x --json >"$T/answer" ||
	ikm md patch "$P" 'concerns v1' -c garden.commit=off --append 'No commit.' --rationale x --json >"$T/answer"
[ "$(jq .committed "$T/answer")" = false ]
same "$head" "$(git rev-parse HEAD)"
same committed "$(last .status)"
git add -A
git commit -qm mine
clean
E

more 'when Git cannot commit the file is written, and reconcile commits it' <<'E'
chmod a-w .git .git/refs/heads
rc=0
ikm md patch "$P" 'concerns v1' --append 'Git fails.' --rationale x --json >"$T/answer" 2>"$T/err" || rc=$?
chmod u+w .git .git/refs/heads
[ "$rc" = 0 ] || { cat "$T/answer"; exit 1; }
[ "$(jq .committed "$T/answer")" = false ]
jq -r .reason "$T/answer" | grep .
same written "$(last .status)"
ikm events reconcile --json | jq -e '.events[0].outcome == "committed"'
git show HEAD:users/ada/parts/p1/profile.md | grep 'Git fails'
same committed "$(last .status)"
clean
E

more 'drift is reported and left alone, until a person accepts it' <<'E'
n=1
while :; do
	IKM_FAULT=-$n ikm md patch "$P" 'concerns v1' --append Drift. --rationale x >"$T/answer" 2>&1 || :
	[ "$(last .status)" != pending ] || break
	n=$((n + 1))
	[ $n -lt 40 ]
done
echo 'by hand' >>"$P"
cp "$P" "$T/before"
rc=0
ikm events reconcile --json >"$T/answer" || rc=$?
[ "$rc" = 1 ]
jq -e '.events[0].outcome == "drift" and (.settled | not)' "$T/answer"
cmp "$P" "$T/before"
ikm events reconcile --accept
ikm events reconcile --json | jq -e '.settled and .events == []'
cmp "$P" "$T/before"
git checkout -q -- .
E

more 'a written change stays one when a person commits it with more, and accepts it' <<'E'
git config commit.gpgSign true
ikm md patch "$P" 'concerns v1' --append 'It landed.' --rationale x
git config --unset commit.gpgSign
same written "$(last .status)"
echo 'More by hand.' >>"$P"
git add -A
git commit -qm 'by hand'
ikm events reconcile --accept --json >"$T/answer"
same 'committed true' "$(jq -r '[.events[0].outcome,.settled]|join(" ")' "$T/answer")"
same committed "$(last .status)"
last .error | grep 'a person accepted it'
clean
E

more 'a repeat of a call that had no commit makes the commit' <<'E'
set -- ikm append "$N" --text 'signed later' --idempotency-key sign-1 --json
git config commit.gpgSign true
"$@" | jq -e '.committed == false and .reason'
git config --unset commit.gpgSign
"$@" >"$T/answer"
jq -e '.replayed and .committed and (has("reason") | not)' "$T/answer"
same "$(git rev-parse HEAD)" "$(jq -r .commit "$T/answer")"
not grep 'no commit of it' "$T/answer"
clean
E

more 'a person is told that a repeat did nothing' <<'E'
ikm append "$N" --text 'told once' 2>"$T/err"
not grep already "$T/err"
ikm append "$N" --text 'told once' 2>"$T/err"
grep "done already, as event $(last .event_id)" "$T/err"
grep -e '--idempotency-key' "$T/err"
[ "$(grep -c 'told once' "$N")" = 1 ]
E

more 'a lock of git that goes soon is waited for' <<'E'
: >.git/index.lock
(sleep 0.2; rm .git/index.lock) &
ikm append "$N" --text 'after the lock' --json | jq -e .committed
wait
clean
E

more 'a file that Git would give to a filter is refused before the write' <<'E'
cp "$N" "$T/before"
echo 'notes.md filter=x' >.git/info/attributes
git config filter.x.clean cat
fails_for GIT_UNSUPPORTED ikm append "$N" --text filtered
cmp "$N" "$T/before"
ikm append "$N" --text 'not by ikm' -c garden.commit=off
git config --unset filter.x.clean
rm .git/info/attributes
git commit -qam mine
clean
E

more 'why git cannot sign is told without what ikm set itself' <<'E'
git config commit.gpgSign true
ikm append "$N" --text 'unsigned' --json >"$T/answer"
git config --unset commit.gpgSign
jq -r .reason "$T/answer" | grep 'cannot be signed'
not grep fsyncObjectFiles "$T/answer"
ikm events reconcile
clean
E

more 'a maintainer moves and deletes, with a reason' <<'E'
one=$G/users/ada/parts/p1/notes.md two=$G/users/ada/parts/p2/notes.md
mkdir -p "$G/users/ada/parts/p2"
ikm write "$one" --content '# Notes' --rationale new
fails_for MISSING_PARAMETER ikm delete --maintainer "$one"
fails_for MISSING_PARAMETER ikm move --maintainer "$one" "$two"
ikm move --maintainer "$one" "$two" --rationale 'of another part'
same 'of another part' "$(trailer Ikm-Rationale)"
ikm delete --maintainer "$two" --rationale merged
same merged "$(trailer Ikm-Rationale)"
[ ! -e "$two" ]
fails_for NOT_ALLOWED ikm delete "$P" --rationale x
clean
E

more 'undo restores the section, keeps the log, and is a write of its own' <<'E'
ikm md patch "$P" 'needs v1' --replace 'Rest.' --rationale first
id=$(last .event_id)
ikm md patch "$P" 'role v1' --replace 'Guard.' --rationale second
ikm events undo "$id"
not grep -x 'Rest.' "$P"
grep -x 'Guard.' "$P"
grep ': first$' "$P"
grep ': second$' "$P"
grep "$id" "$P"
same "$id undo committed" "$(last '|[.undoes,.op,.status]|join(" ")')"
clean
E

more 'eight writers at once lose nothing' <<'E'
for n in 1 2 3 4 5 6 7 8; do
	ikm append "$N" --text "writer $n" --rationale "w$n" >"$T/err.$n" 2>&1 &
done
wait
for n in 1 2 3 4 5 6 7 8; do
	grep -x "writer $n" "$N" || { cat "$T/err.$n"; exit 1; }
done
[ "$(git log -8 --format=%s | grep -c '^append')" = 8 ]
clean
E

more 'a linked worktree and an unborn branch are gardens too' <<'E'
git worktree add -q "$T/linked"
ikm append -c garden.path="$T/linked" "$T/linked/users/ada/notes.md" --text linked --rationale x
git -C "$T/linked" show HEAD:users/ada/notes.md | grep -x linked
same '' "$(git -C "$T/linked" status --short)"
git init -q "$T/unborn"
mkdir -p "$T/unborn/users/ada"
ikm write -c garden.path="$T/unborn" "$T/unborn/users/ada/notes.md" --content '# Notes' --rationale x
same users/ada/notes.md "$(git -C "$T/unborn" ls-tree -r --name-only HEAD)"
same '' "$(git -C "$T/unborn" status --short)"
git worktree remove --force "$T/linked"
E

more 'over MCP the identifiers may stand in _meta' <<'E'
meta='"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"tool_call_id":"m-1","rationale":"by meta"'
printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fs_append","arguments":{"path":"%s","text":"over mcp"},"_meta":{%s}}}\n' \
	"$N" "$meta" | ikm mcp -t files >"$T/mcp.out"
grep -x 'over mcp' "$N" || { cat "$T/mcp.out"; exit 1; }
same 'm-1 by meta' "$(last '|[.tool_call_id,.rationale]|join(" ")')"
clean
E

done_testing
