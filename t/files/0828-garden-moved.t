#!/bin/sh
# A part that a maintainer moved, a reason without a Change Log, and keys of callers.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
U=users/ada N=$G/users/ada/notes.md
export U N
call() { # TOOL KEY=VALUE…: strings only
	tool=$1
	shift
	for pair; do printf '%s\n' "$pair"; done |
		jq -Rn '[inputs | capture("^(?<key>[^=]*)=(?<value>.*)$"; "s")] | from_entries' |
		ikm call "$tool"
}

try 'a tool mends the id of a moved part' <<'E'
mkdir -p "$G/$U/parts/p2"
ikm move --maintainer $U/parts/p1/profile.md $U/parts/p2/profile.md --rationale 'a better name' 2>"$T/e"
grep -q "^ikm: warning: $U/parts/p2/profile.md:2: 'id' of the front matter is 'p1', and the path says 'p2' (garden-identity): write 'id: p2'" "$T/e"
fails 1 ikm lint $U/parts/p2/profile.md >"$T/o"
grep -q "the path says 'p2'.*write 'id: p2'" "$T/o"
for value in p3 '"p 2"' '[p2]' ''; do
	fails_for GARDEN_POLICY call file_edit path=$U/parts/p2/profile.md old='id: p1
' new="id: $value
" >"$T/o"
done
fails_for GARDEN_POLICY call file_edit path=$U/parts/p2/profile.md old='user_id: ada' new='user_id: p2' >"$T/o"
call file_edit path=$U/parts/p2/profile.md old='id: p1
' new='id: p2
' >"$T/o"
ikm lint $U/parts/p2/profile.md
fails_for GARDEN_POLICY call file_edit path=$U/parts/p2/profile.md old='id: p2
' new='id: p1
' >"$T/o"
clean
E

long 'a reason that finds no Change Log is told to be in the event only' <<'E'
P=$G/$U/parts/p2/profile.md
git -C "$G" show HEAD:$U/parts/p2/profile.md | sed '/^## Change Log/,/^- /d' >"$P"
git -C "$G" commit -qam 'no log'
jq -n --arg p "$P" --arg t "$(yes word | head -n 401)" '{path: $p, sectionAnchor: "needs v1",
	change: {replace: $t}, opts: {rationale: "a long story"}}' | ikm call md_patch_section >"$T/o"
jq -r '.warnings[]' "$T/o" | grep -q "the rationale is kept in the event only: '$U/parts/p2/profile.md' has no section Change Log; add '## Change Log'"
same 'garden-words-cap a long story' "$(last '.lint.overrides[0] | "\(.rule) \(.rationale)"')"
not grep -q 'a long story' "$P"
ikm append $N --text 'free
' --rationale 'notes have no log' 2>"$T/e"
same '' "$(cat "$T/e")"
clean
E

# A table: a tool, its parameters, and the answer's member that tells it.
more 'a key of the caller gets the first answer, whatever the file has now' <<'E'
git init -q "$T/w"
cd "$T/w"
mkdir out
echo one >"$T/w/out/x"
rows() { ikm events query -n 1000 --json | jq '.rows | length'; }
i=0
while IFS='|' read -r tool path a b; do
	i=$((i + 1))
	set -- "$tool" "path=$path" ${a:+"$a"} ${b:+"$b"} "idempotencyKey=key-$i"
	call "$@" >"$T/first" || { cat "$T/first"; exit 1; }
	ikm write "$path" --content "# Other $i" 2>/dev/null
	sum=$(sha256sum <"$path") n=$(rows)
	call "$@" >"$T/again" || { cat "$T/again"; exit 1; }
	same "$(jq -cS . "$T/first")" "$(jq -cS 'del(.replayed)' "$T/again")"
	same true "$(jq .replayed "$T/again")"
	fails_for KEY_REUSED call file_write "path=$path" "content=third $i" "idempotencyKey=key-$i" >"$T/o"
	same "$sum $n" "$(sha256sum <"$path") $(rows)"
done <<L
fs_append|$N|text=By a key.
file_write|$N|content=# Written
file_edit|$N|old=Other 2|new=Edited
md_snapshot_history|$N
fs_append|$T/w/out/x|text=two
file_write|$T/w/out/x|content=three
file_write|$T/w/out/x|content=# Other 6
L
same 7 "$i"
cd "$T/w"
ikm append out/x --text four --idempotency-key cli
echo five >out/x
ikm append out/x --text four --idempotency-key cli 2>"$T/e"
grep -q 'done already' "$T/e"
same five "$(cat out/x)"
E
done_testing
