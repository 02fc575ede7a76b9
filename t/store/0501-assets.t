#!/bin/sh
# Stored assets by command: names, pins, the budget, versions, commands for people only, many
# processes at once. sqlite3 is the referee of the store's content.
. "$(dirname "$0")/../lib.sh"

store=$HOME/.ikigai/ikm.db
export store
put() { ikm write "ikigai:///$1"; }
fresh() { rm -rf "$HOME/.ikigai"; }
whole() {
	same ok "$(sqlite3 "$store" 'pragma integrity_check')"
	same '' "$(sqlite3 "$store" 'pragma foreign_key_check')"
}
reason() { jq -r .details.reason "$1"; }

try 'queries create no store' <<'E'
fresh
for ask in list pinned budget; do ikm asset $ask >out 2>&1; done
fails 3 ikm asset show x 2>err
fails 3 ikm asset history x 2>err
[ ! -e "$HOME/.ikigai" ]
E

try 'what is stored is what sqlite3 reads' <<'E'
fresh
printf 'one\ntwo\n' >text
put blocks/x.md <text
sqlite3 "$store" "select content from stored_assets where path = 'blocks/x.md'" | head -c 8 | cmp - text
same "block|0|sha256:$(sha256sum text | cut -d' ' -f1)" \
	"$(sqlite3 "$store" 'select category, read_only, hash from stored_assets')"
same wal "$(sqlite3 "$store" 'pragma journal_mode')"
same 600 "$(stat -c %a "$store")"
same 700 "$(stat -c %a "$HOME/.ikigai")"
whole
E

long 'names: with and without scheme and .md' <<'E'
fresh
echo x | put blocks/x.md
for name in blocks/x blocks/x.md ikigai:///blocks/x.md ikigai://blocks/x.md ikigai:///blocks/x; do
	same blocks/x.md "$(ikm asset show "$name" --json | jq -r .asset.path)"
done
fails 3 ikm asset show blocks/xx --json >out
same NO_SUCH_ASSET "$(reason out)"
jq -r '.help.steps[0]' out | grep -q "blocks/x.md"
for bad in / blocks/ blocks//x ./x ../x blocks/../x http://x/y /etc/passwd ikigai:///; do
	fails 2 ikm asset show "$bad" --json >out
	same BAD_PATH "$(reason out)"
done
fails 2 ikm asset show ''
fails 2 ikm asset show "$(printf '%05000d' 1)"
E

long 'list: folders, categories, pins, sizes' <<'E'
fresh
for n in blocks/b blocks/a skills/s preferences/p blocks-not/c; do echo "$n" | put $n.md; done
ikm asset pin blocks/b >out
paths() { ikm asset list "$@" --json | jq -r '[.assets[].path] | join(" ")'; }
same 'blocks-not/c.md blocks/a.md blocks/b.md preferences/p.md skills/s.md' "$(paths)"
for folder in blocks blocks/ ikigai:///blocks ikigai:///blocks/; do
	same 'blocks/a.md blocks/b.md' "$(paths $folder)"
done
same "$(paths)" "$(paths ikigai:///)"
same skills/s.md "$(paths --category skill)"
same blocks/b.md "$(ikm asset list --json | jq -r '.assets[] | select(.pinned).path')"
same 9 "$(ikm asset list --json | jq '.assets[] | select(.path == "blocks/b.md").size')"
ikm asset list | grep -q '^\*  block .* 9 bytes  blocks/b.md$'
IKM_NOW=2026-01-02T03:04:05Z ikm write ikigai:///blocks/t.md <<T
x
T
same 2026-01-02T03:04:05.000Z "$(ikm asset show blocks/t --json | jq -r .asset.createdAt)"
E

long 'pins: order, twice, another agent' <<'E'
fresh
for n in a b c; do echo $n | put blocks/$n.md; done
for n in c a b; do ikm asset pin blocks/$n >out; done
grep -q '^pinned blocks/b.md$' out
pinned() { ikm asset pinned "$@" --json | jq -r '[.assets[].path[7:8]] | join(" ")'; }
same false "$(ikm asset pin blocks/a --json | jq .changed)"
same 'c a b' "$(pinned)"
same true "$(ikm asset unpin blocks/a --json | jq .changed)"
same false "$(ikm asset unpin blocks/a --json | jq .changed)"
same 'c b' "$(pinned)"
ikm asset pin blocks/a >out
same 'c b a' "$(pinned)"
same '' "$(pinned --agent other)"
fails 3 ikm asset pin blocks/none 2>err
fails 3 ikm asset unpin blocks/none 2>err
E

more 'the budget: the message, and what always passes' <<'E'
fresh
for n in a b; do seq 1 700 | put blocks/$n.md; done
size=$(ikm asset show blocks/a --json | jq .asset.tokens)
limit=$((size + 100))
set -- -c assets.budget=$limit
ikm asset pin blocks/a "$@" >out
fails 6 ikm asset pin blocks/b "$@" --json >out
same "Block budget exceeded: $((size / 1000))k/$((limit / 1000))k tokens. This write would use $((size / 1000))k tokens. Use /compact or /unpin to free space." \
	"$(jq -r .error out)"
same "[\"OVER_BUDGET\",$size,$limit,$size,\"blocks/b.md\"]" \
	"$(jq -c '.details | [.reason, .used, .limit, .wouldUse, .path]' out)"
before=$(ikm read ikigai:///blocks/a.md --json | jq -r .hash)
seq 1 1400 >more
fails 6 ikm write ikigai:///blocks/a.md "$@" <more 2>err
fails 6 ikm append ikigai:///blocks/a.md "$@" <more 2>err
fails 6 ikm edit ikigai:///blocks/a.md --old "$(printf '699\n700')" --new "$(cat more)" "$@" 2>err
same "$before" "$(ikm read ikigai:///blocks/a.md --json | jq -r .hash)"
same 0 "$(sqlite3 "$store" 'select count(*) from asset_versions')"
put blocks/b.md "$@" <more
seq 1 300 | ikm write ikigai:///blocks/a.md "$@"
fails 6 ikm asset restore blocks/a 1 -c assets.budget=$((size - 100)) 2>err
ikm asset unpin blocks/a "$@" >out
ikm write ikigai:///blocks/a.md "$@" <more
whole
E

more 'another agent gets over by what one writes, is told so, and can only shrink' <<'E'
fresh
seq 1 500 | put blocks/a.md
size=$(ikm asset show blocks/a --json | jq .asset.tokens)
set -- -c assets.budget=$((size + 100))
ikm asset pin blocks/a --agent other "$@" >out
seq 1 800 | ikm write ikigai:///blocks/a.md "$@"
same over "$(ikm asset budget --agent other "$@" --json | jq -r .level)"
same '[["other"],"ok"]' "$(ikm asset budget "$@" --json | jq -c '[[.othersOver[].agent], .level]')"
ikm asset budget "$@" | grep -q 'pinned by agent other$'
seq 1 810 >more
fails 6 ikm write ikigai:///blocks/a.md --agent other "$@" <more 2>err
seq 1 790 | ikm write ikigai:///blocks/a.md --agent other "$@"
same over "$(ikm asset budget --agent other "$@" --json | jq -r .level)"
echo short | ikm write ikigai:///blocks/a.md --agent other "$@"
same ok "$(ikm asset budget --agent other "$@" --json | jq -r .level)"
E

more 'levels' <<'E'
fresh
seq 1 500 | put blocks/a.md
ikm asset pin blocks/a >out
size=$(ikm asset show blocks/a --json | jq .asset.tokens)
level() { ikm asset budget -c assets.budget="$1" --json | jq -r .level; }
same ok "$(level $((size * 5 / 4 + 1)))"
same warning "$(level $((size * 100 / 85)))"
same critical "$(level "$size")"
same over "$(level $((size - 1)))"
same over "$(level 0)"
same "$size" "$(ikm asset budget --json | jq '.blocks[].tokens')"
E

more 'another model of tokens counts anew, and stores nothing' <<'E'
fresh
seq 1 500 | put blocks/a.md
ikm asset pin blocks/a >out
sqlite3 "$store" "update stored_assets set token_model = 'other', token_count = 7"
same "$(seq 1 500 | ikm write ikigai:///blocks/b.md; ikm asset show blocks/b --json | jq .asset.tokens)" \
	"$(ikm asset budget --json | jq .used)"
same other "$(sqlite3 "$store" "select token_model from stored_assets where path = 'blocks/a.md'")"
E

more 'versions: history, restore, numbers that are never given twice' <<'E'
fresh
versions() { ikm asset history blocks/x --json | jq -r '[.versions[].version] | join(" ")'; }
for n in 1 2 3; do echo "text $n" | put blocks/x.md; done
same '2 1' "$(versions)"
same 'text 1' "$(ikm asset history blocks/x 1)"
fails 3 ikm asset history blocks/x 9 --json >out
same NO_SUCH_VERSION "$(reason out)"
ikm asset restore blocks/x 1 >out
same 'text 1' "$(ikm read ikigai:///blocks/x.md)"
same false "$(ikm asset restore blocks/x 1 --json | jq .changed)"
ikm asset restore blocks/x >out
same 'text 3' "$(ikm read ikigai:///blocks/x.md)"
same '4 3 2 1' "$(versions)"
same 'restore default' "$(ikm asset history blocks/x --json | jq -r '.versions[0] | "\(.op) \(.agent)"')"
echo text 4 | ikm write ikigai:///blocks/x.md -c assets.keepVersions=2
same '5 4' "$(versions)"
echo text 5 | ikm write ikigai:///blocks/x.md -c assets.keepDays=0
same '' "$(versions)"
fails 3 ikm asset restore blocks/x 2>err
echo text 6 | put blocks/x.md
same 7 "$(versions)"
fails 4 ikm asset restore blocks/x --if-match "sha256:$(printf '%064d' 0)" 2>err
whole
E

more 'old versions go by age, of every asset' <<'E'
fresh
kept() { ikm asset history "$1" --json | jq '.versions | length'; }
at() { echo "$3" | IKM_NOW=$1 ikm write "ikigai:///$2"; }
for n in 1 2; do at 2026-01-01T00:00:00Z blocks/old.md $n; done
for n in 1 2; do at 2026-12-01T00:00:00Z blocks/new.md $n; done
same 1 "$(kept blocks/old)"
at 2027-06-01T00:00:00Z blocks/new.md 3
# A clock that is wrong for some hours removes nothing.
same 1 "$(kept blocks/old)"
at 2027-06-02T00:00:00Z blocks/other.md 1
same 0 "$(kept blocks/old)"
same 2 "$(kept blocks/new)"
E

more 'delete keeps what is needed to bring it back' <<'E'
fresh
echo text | put blocks/x.md
ikm asset set blocks/x -d 'what it is' --category preference >out
ikm asset pin blocks/x >out
ikm asset delete blocks/x >out
grep -q "removed blocks/x.md; 'ikm asset restore blocks/x.md' brings it back" out
same 0 "$(sqlite3 "$store" 'select count(*) from stored_assets')"
same 0 "$(sqlite3 "$store" 'select count(*) from pins')"
fails 3 ikm asset show blocks/x --json >out
jq -r '.help.steps[]' out | grep -q 'asset restore blocks/x.md'
ikm asset restore blocks/x >out
same '["what it is","preference","text\n"]' \
	"$(ikm asset show blocks/x --json | jq -c '[.asset.description, .asset.category, .content]')"
ikm asset delete blocks/x -c assets.keepVersions=0 >out
same 'removed blocks/x.md' "$(cat out)"
fails 3 ikm asset restore blocks/x 2>err
fails 3 ikm asset delete blocks/x 2>err
whole
E

more 'read-only stays so for everybody but a person who lifts it' <<'E'
fresh
echo text | put blocks/x.md
ikm asset set blocks/x --read-only >out
while read -r change; do
	fails 5 sh -c "echo other | EDITOR=false ikm $change --json >out"
	same READ_ONLY_ASSET "$(reason out)"
done <<T
write ikigai:///blocks/x.md
append ikigai:///blocks/x.md
move ikigai:///blocks/x.md ikigai:///blocks/y.md --maintainer
asset delete blocks/x
asset edit blocks/x
T
same text "$(ikm read ikigai:///blocks/x.md)"
echo text | put blocks/x.md # the same is no change
ikm tool list --json | jq -r '.tools[].name' >tools
fails 1 grep -E 'asset_(set|edit|delete)' tools
fails 3 sh -c "echo '{\"path\": \"blocks/x\", \"writable\": true}' | ikm call asset_set >out"
fails 2 ikm asset set blocks/x --read-only --writable 2>err
fails 2 ikm asset set blocks/x 2>err
ikm asset set blocks/x --writable >out
echo other | put blocks/x.md
E

try 'edit: the editor, and what it cannot save' <<'E'
fresh
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp
echo text | put blocks/x.md
same 'saved blocks/x.md' "$(EDITOR='sed -i s/text/words/' ikm asset edit blocks/x)"
same words "$(ikm read ikigai:///blocks/x.md)"
same 'nothing changed in blocks/x.md' "$(VISUAL=true EDITOR=false ikm asset edit blocks/x)"
cat >'my editor' <<T
#!/bin/sh
basename "\$1" >'$PWD/name'
stat -c %a "\$(dirname "\$1")" >'$PWD/mode'
cat >'$PWD/typed'
T
chmod +x 'my editor'
echo text | put 'blocks/a b.md'
echo typed | EDITOR="'$PWD/my editor'" ikm asset edit 'blocks/a b' >out
same 'a b.md 700 typed' "$(cat name mode typed | paste -sd' ')"
fails 8 env EDITOR=false ikm asset edit blocks/x 2>err
fails 8 env EDITOR='no-such-editor' ikm asset edit blocks/x 2>err
fails 3 env EDITOR=true ikm asset edit blocks/none 2>err
same '' "$(ls tmp)"
EDITOR="sh -c 'echo new >\$1' -" ikm asset edit --new skills/s.md >out
same new "$(ikm read ikigai:///skills/s.md)"
EDITOR=true ikm asset edit --new skills/none.md >out
fails 3 ikm asset show skills/none.md 2>err

export EDITOR='f() { echo theirs | ikm write ikigai:///blocks/x.md; echo mine >"$1"; }; f'
fails 4 ikm asset edit blocks/x --json >out
same CHANGED "$(reason out)"
same theirs "$(ikm read ikigai:///blocks/x.md)"
kept=$(jq -r .details.kept out)
same mine "$(cat "$kept")"
jq -r .message out | grep -qF "$kept"
rm -r tmp/*
ikm asset pin blocks/x >out
export EDITOR='f() { seq 9999 >"$1"; }; f'
fails 6 ikm asset edit blocks/x -c assets.budget=100 2>err
seq 9999 | cmp - tmp/*/x.md
rm -r tmp/*
export EDITOR='f() { printf "a\\0b" >"$1"; }; f'
fails 2 ikm asset edit blocks/x --json >out
same NOT_TEXT "$(reason out)"
E

more 'what tools change is recorded' <<'E'
fresh
git init -q repo
cd repo
echo one | put blocks/x.md
echo two | put blocks/x.md
echo '{"path": "blocks/x"}' | ikm call asset_restore >out
same one "$(ikm read ikigai:///blocks/x.md)"
same 'restore|ikigai:///blocks/x.md' \
	"$(sqlite3 "$store" "select op, entity_id from events where number = 0
		and event_id = '$(jq -r .event out)'")"
E

more 'forty processes at once: every change is kept' <<'E'
fresh
seq -f 'line %02g old' 1 40 | put blocks/x.md
pids=
for n in $(seq -w 40); do
	ikm edit ikigai:///blocks/x.md --old "line $n old" --new "line $n new" >out.$n 2>&1 &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid" || echo "process $pid failed"; done >failed
same '' "$(cat failed)" || { cat out.*; exit 1; }
same "$(seq -f 'line %02g new' 1 40)" "$(ikm read ikigai:///blocks/x.md)"
same 40 "$(sqlite3 "$store" 'select count(*) from asset_versions')"
whole
E

more 'forty processes write, pin, append, unpin and delete' <<'E'
fresh
pids=
for n in $(seq 40); do
	(
		set -e
		echo "$n" | put blocks/$n.md
		ikm asset pin blocks/$n --agent $((n % 4))
		echo "line $n" | ikm append ikigai:///blocks/all.md || echo "line $n" | put blocks/all.md
		[ $((n % 2)) = 0 ] || ikm asset unpin blocks/$n --agent $((n % 4))
		[ $((n % 5)) != 0 ] || ikm asset delete blocks/$n
	) >out.$n 2>&1 &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid" || echo "process $pid failed"; done >failed
same '' "$(cat failed)" || { cat out.*; exit 1; }
same 33 "$(sqlite3 "$store" 'select count(*) from stored_assets')"
same 16 "$(sqlite3 "$store" 'select count(*) from pins')"
whole
E

# Every command that changes something, failed and killed at each of its durable effects.
state() {
	{
		ikm asset list --json
		ikm asset pinned --json
		ikm asset history blocks/x --json
	} 2>/dev/null | jq -cS 'del(.. | .createdAt?, .updatedAt?, .savedAt?)'
}
make_store() {
	fresh
	[ "$1" != new ] || return 0
	for n in 1 2; do echo "text $n" | put blocks/x.md; done
}
fault_loop() { # first state, command
	make_store "$1"
	old=$(state)
	eval "$2" >out
	new=$(state)
	[ "$old" != "$new" ]
	for sign in '' -; do
		n=1
		while :; do
			make_store "$1"
			rc=0
			(
				export IKM_FAULT="$sign$n"
				eval "$2"
			) >out 2>&1 || rc=$?
			[ $rc != 0 ] || break
			[ "$sign$rc" = 8 ] || [ "$sign$rc" = -137 ] || { echo "$sign$n: status $rc"; cat out; return 1; }
			now=$(state)
			[ "$now" = "$old" ] || [ "$now" = "$new" ] || { echo "$sign$n"; same "$old" "$now"; }
			[ ! -e "$store" ] || whole
			eval "$2" >out 2>&1
			same "$new" "$(state)"
			n=$((n + 1))
			[ $n -lt 30 ]
		done
		[ $n -gt 1 ]
	done
}
more 'faults: the first write' <<'E'
fault_loop new 'echo first | put blocks/x.md'
E
for command in 'echo other | put blocks/x.md' 'ikm asset pin blocks/x' 'ikm asset restore blocks/x 1' \
	'ikm asset set blocks/x --read-only -d text' 'ikm asset delete blocks/x'; do
	export command
	try "faults: $command" <<'E'
fault_loop old "$command"
E
done
more 'a bare name is looked for among the blocks too, as in a prompt' <<'E'
printf 'old' | ikm write ikigai:///blocks/old-block.md
same blocks/old-block.md "$(ikm asset pin old-block --json | jq -r .path)"
same blocks/old-block.md "$(echo '{"path": "old-block"}' | ikm call asset_unpin | jq -r .path)"
ikm slash '/pin old-block.md' >out
same old "$(ikm expand @@old-block)"
printf 'top' | ikm write ikigai:///old-block
same old-block "$(ikm asset pin old-block --json | jq -r .path)"
E

more 'a name in the same folder that is not alike is no suggestion' <<'E'
printf 'p' | ikm write ikigai:///blocks/p.md
printf 'q' | ikm write ikigai:///blocks/patterns.md
fails 3 ikm asset show blocks/nope 2>err
grep -q "no stored asset 'blocks/nope'" err
not grep -q 'did you mean' err
fails 3 ikm asset show blocks/pattern 2>err
grep -q "did you mean 'blocks/patterns.md'" err
E
done_testing
