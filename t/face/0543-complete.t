#!/bin/sh
# Completion by running ikm: @ and @@ through the finder, names of tools, trusted folders. Tests
# what ikm offers, and what real shells do with it.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/net docs 'odd dir'
touch src/auth.c src/author.c src/net/queue.c docs/quick-start.md README.md 'odd dir/a b.c'
git add -A

offers() { # the word, as the last of: ikm expand
	ikm --complete 2 ikm expand "$1" | cut -f1
}

try 'both ends of a range are names of commits' <<'E'
range() { ikm --complete 3 ikm check --range "$1" | cut -f1; }
git commit -qm one
git branch -M main
git branch topic
same 'HEAD..
main..
topic..' "$(range '')"
same 'main..topic' "$(range main..t)"
same 'topic..' "$(ikm --complete 3 ikm know diff t | cut -f1)"
E

try 'names that begin as typed are offered up to the next slash' <<'E'
same '@README.md
@docs/
@"odd dir/
@src/' "$(offers @)"
same '@src/auth.c
@src/author.c
@src/net/' "$(offers @src/)"
same '@src/auth.c
@src/author.c' "$(offers @src/a)"
E

try 'without such names, completion offers results of the finder' <<'E'
same '@src/net/queue.c
@docs/quick-start.md' "$(offers @qu)"
same '' "$(offers @zzz)"
same '' "$(offers nothing)"
same '' "$(offers user@src)"
same '@src/net/queue.c' "$(ikm --complete 2 ikm find @nqu | cut -f1)"
E

try 'a marker at the end of a text' <<'E'
same 'fix @src/net/queue.c' "$(offers 'fix @src/net/')"
same 'fix @a and @README.md' "$(offers 'fix @a and @RE')"
E

try 'names that need quotes' <<'E'
same '@"odd dir/a b.c"' "$(offers '@"odd dir/')"
same '@"odd dir/a b.c"' "$(offers '@odd')"
touch '../repo/odd dir/second'
same '@"odd dir/a b.c"
@"odd dir/second"' "$(offers '@"odd')"
rm '../repo/odd dir/second'
E

try 'in a folder of the repository, and without one' <<'E'
cd src
same '@auth.c
@author.c' "$(offers @au)"
mkdir -p ../../plain/x
cd ../../plain
touch x/file
same '@x/file' "$(offers @)"
E

tools=$HOME/.ikigai/tools
mkdir -p "$tools" 'a team' team2
for name in up-time quiet; do
	cat >"$tools/$name" <<'S'
#!/bin/sh
echo "$0" >>"$HOME/started"
printf '%s' '{"description": "a \u001b[1mtool\nof mine"}'
S
	chmod +x "$tools/$name"
done
export tools

try 'names of tools, of a program once it was asked; none is started' <<'E'
tool() { ikm --complete 3 ikm tool "$1" "$2" | cut -f1; }
same '' "$(tool call up)"
same 'file_read' "$(tool show file_r)"
fails 1 [ -e ~/started ]
ikm tool list >/dev/null
same 2 "$(grep -c . ~/started)"
echo '# changed' >>"$tools/quiet"
for verb in call show schema; do
	same up_time "$(tool $verb up)"
	same '' "$(tool $verb quiet)"
done
same "$(printf 'up_time\ta \\x1b[1mtool')" "$(ikm --complete 3 ikm tool call up)"
tool call '' | grep -qx bash
tool call '' | sort -c
same 2 "$(grep -c . ~/started)"
same 'ikigai
json-schema
openai
anthropic
mcp' "$(ikm --complete 5 ikm tool schema file_read --format '' | cut -f1)"
E

try 'names of tools for ikm call: what it would run' <<'E'
call() { ikm --complete 2 ikm call "$1" | cut -f1; }
same '' "$(call up)"
same '' "$(call bash)"
same file_read "$(call file_r)"
IKM_TOOLS_EXTERNAL=true
IKM_TOOLS_BASH=true
export IKM_TOOLS_EXTERNAL IKM_TOOLS_BASH
same up_time "$(call up)"
same bash "$(call bash)"
E

try 'trusted folders, as they are and from here' <<'E'
untrust() { ikm --complete 3 ikm tool untrust "$1" | cut -f1; }
same '' "$(untrust '' | grep -v :paths)"
ikm tool trust 'a team' >/dev/null
ikm tool trust team2 >/dev/null
same ":paths
$PWD/a team
$PWD/team2" "$(untrust '')"
same ":paths
$PWD/team2" "$(untrust "$PWD/t")"
same ':paths
a team' "$(untrust a)"
E

# Types the keys into an interactive bash; prints the words that ikm is then started with.
keys() {
	cat >"$T/bashrc" <<'E'
. "$TOP/lib/core/cmd/complete.bash"
PS1= PS2=
ikm() { case $1 in --complete) command ikm "$@" ;; *) printf '<%s>' "$@"; echo ;; esac; }
E
	printf '%b\nexit\n' "$1" | INPUTRC=/dev/null TERM=dumb bash --rcfile "$T/bashrc" -i 2>&1 |
		grep -a '^<'
}

if command -v bash >/dev/null; then
	try 'bash puts in the only candidate, and the only one of a folder' <<'E'
same '<expand><@README.md><x>' "$(keys 'ikm expand @READ\tx')"
same '<expand><@src/net/queue.c><x>' "$(keys 'ikm expand @src/n\tx')"
same '<expand><@src/net/queue.c>' "$(keys 'ikm expand @queue\t')"
same '<find><--limit=3><@README.md>' "$(keys 'ikm find --limit=3 @READ\t')"
E

	try 'bash puts in what several share, and leaves what was typed when they share less' <<'E'
same '<expand><@src/auth>' "$(keys 'ikm expand @src/a\t')"
same '<expand><@qu>' "$(keys 'ikm expand @qu\t')"
keys 'ikm expand @qu\t\t' >../out
keys 'ikm expand @\t' >../out
same '<expand><@>' "$(cat ../out)"
E

	try 'bash in quotes, and names with blanks' <<'E'
same '<expand><fix @src/net/queue.c>' "$(keys "ikm expand 'fix @src/n\t")"
same '<expand><@"odd dir/a b.c">' "$(keys 'ikm expand @odd\t')"
E

	try 'bash: names of tools, and a trusted folder whose name has a blank' <<'E'
same '<tool><show><up_time>' "$(keys 'ikm tool show up\t')"
ikm tool trust 'a team' >/dev/null
same '<tool><untrust><a team/>' "$(keys 'ikm tool untrust a\t')"
same '<tool><untrust><a team/>' "$(keys 'ikm tool untrust a\\ t\t')"
same '<tool><untrust><a team/>' "$(keys 'ikm tool untrust "a t\t')"
E
fi

# The same with zsh, which has a terminal for that.
zkeys() {
	cat >"$T/keys.zsh" <<'E'
zmodload zsh/zpty
zpty z 'stty rows 24 cols 80; TERM=dumb zsh -f -i'
zpty -w z 'PROMPT= RPROMPT= PS2=; autoload -U compinit; compinit -C -d $T/zcompdump
. "$TOP/lib/core/cmd/complete.zsh"
ikm() { case $1 in --complete) command ikm "$@" ;; *) printf "<%s>" "$@"; echo ;; esac }
echo READ""Y'
zpty -r z said '*READY*'
zpty -w -n z "$(printf %b "$1")"$'\n'
zpty -w z exit
while zpty -r z line; do print -r -- $line; done
E
	# What zsh knows of itself is read once.
	[ -e "$T/zcompdump" ] || zsh -f -c 'autoload -U compinit; compinit -u -d "$T/zcompdump"'
	zsh -f "$T/keys.zsh" "$1" | tr -d '\r' | grep -a "${2:-^<}"
}
# The words that fish offers for the line.
fish_offers() {
	fish -N -c '. "$TOP/lib/core/cmd/complete.fish"; complete -C "$argv[1]"' "$1" | cut -f1
}

try 'ikm completion prints the scripts' <<'E'
for shell in bash zsh fish; do
	ikm completion $shell | cmp - "$TOP/lib/core/cmd/complete.$shell"
done
same 'bash zsh fish' "$(ikm --complete 2 ikm completion '' | cut -f1 | paste -sd' ')"
E

if command -v zsh >/dev/null; then
	long 'zsh: markers, also in quotes and with blanks' <<'E'
same '<expand><@README.md><x>' "$(zkeys 'ikm expand @READ\tx')"
same '<expand><@src/net/queue.c><x>' "$(zkeys 'ikm expand @src/n\tx')"
same '<expand><@src/net/queue.c>' "$(zkeys 'ikm expand @queue\t')"
same '<expand><@src/auth>' "$(zkeys 'ikm expand @src/a\t')"
same '<expand><@qu>' "$(zkeys 'ikm expand @qu\t')"
same '<expand><fix @src/net/queue.c>' "$(zkeys "ikm expand 'fix @src/n\t")"
same '<expand><@"odd dir/a b.c">' "$(zkeys 'ikm expand @odd\t')"
E

	long 'zsh: commands, options, values, files and folders' <<'E'
same '<know><list>' "$(zkeys 'ikm know li\t')"
same '<find><--limit=3><@README.md>' "$(zkeys 'ikm find --limit=3 @READ\t')"
same '<mem><add><x><--layer=session>' "$(zkeys 'ikm mem add x --layer=sess\t')"
same '<-c><check.minSeverity=warn>' "$(zkeys 'ikm -c check.minS\twa\t')"
same '<read><src/net/queue.c>' "$(zkeys 'ikm read src/net/q\t')"
same '<read><odd dir/a b.c>' "$(zkeys 'ikm read odd\\ dir/a\t')"
same '<tool><untrust><a team>' "$(zkeys 'ikm tool untrust a\t')"
same '<check><--range><main..topic><x>' "$(zkeys 'ikm check --range ma\tto\tx')"
zkeys 'ikm com\t\t' '^com' >../out
grep -q '^compact  -- ' ../out
grep -q '^completion  -- ' ../out
E
else
	skip 'zsh completes' 'zsh is missing'
fi

if command -v fish >/dev/null; then
	long 'fish: markers, commands, options, values, files and folders' <<'E'
same '@README.md' "$(fish_offers 'ikm expand @READ')"
same '@src/net/queue.c
@docs/quick-start.md' "$(fish_offers 'ikm expand @qu')"
same '@"odd dir/a b.c"' "$(fish_offers 'ikm expand @odd')"
same 'fix @src/net/queue.c' "$(fish_offers "ikm expand 'fix @src/n")"
same list "$(fish_offers 'ikm know li')"
same --layer=session "$(fish_offers 'ikm mem add x --layer=sess')"
same check.minSeverity=warn "$(fish_offers 'ikm -c check.minSeverity=wa')"
same src/net/queue.c "$(fish_offers 'ikm read src/net/q')"
same src/ "$(fish_offers 'ikm -C s')"
E
else
	skip 'fish completes' 'fish is missing'
fi

try 'stored assets and slash commands' <<'E'
echo a | ikm write ikigai:///blocks/prefs.md >/dev/null
echo b | ikm write ikigai:///blocks/plan.md >/dev/null
words() { n=$1; shift; ikm --complete "$n" ikm "$@" | cut -f1; }
same 'blocks/plan.md
blocks/prefs.md' "$(words 3 asset pin bl)"
same 'blocks/prefs.md' "$(words 3 asset show blocks/pr)"
same 'ikigai:///blocks/plan.md' "$(words 3 asset unpin ikigai:///blocks/pl)"
same 'ikigai:///blocks/plan.md
ikigai:///blocks/prefs.md' "$(words 2 read ikigai:///)"
same 'ikigai:///blocks/plan.md' "$(words 2 edit ikigai:///blocks/pl)"
same ':files
ikigai:///blocks/plan.md
ikigai:///blocks/prefs.md' "$(words 3 search needle ik)"
same ':files' "$(words 2 read i)"
same '/pin
/pinned' "$(words 2 slash /pi)"
same 'blocks/plan.md' "$(words 3 slash /pin blocks/pl)"
E

try 'events, and conversations' <<'E'
echo '{"path":"f","content":"a"}' | ikm --session s-one call file_write >/dev/null
echo '{"path":"f","content":"b"}' | ikm --session s-two call fs_append >/dev/null
words() { n=$1; shift; ikm --complete "$n" ikm "$@" | cut -f1; }
ids=$(ikm events query --json | jq -r '.rows[].event_id')
same 2 "$(echo "$ids" | grep -c .)"
last=$(echo "$ids" | head -n 1)
for verb in show undo; do
	same "$ids" "$(words 3 events $verb '')"
	same "$last" "$(words 3 events $verb "$last")"
done
ikm --complete 3 ikm events show "$last" | grep -q "$(printf '\t')....-..-.*append .*/f$"
same 's-two
s-one' "$(words 4 events diff --in-session '')"
same s-one "$(words 4 events undo --in-session s-o)"
E

try 'memories, the newest first, and deleted ones' <<'E'
words() { n=$1; shift; ikm --complete "$n" ikm "$@"; }
ikm mem add 'tea, not coffee' >/dev/null
ikm mem add 'the tests need Postgres' >/dev/null
ids=$(ikm mem list --json | jq -r '.memories[] | "\(.memoryId)\t\(.content)"')
for verb in show edit mark delete history; do
	same "$ids" "$(words 3 mem $verb '')"
done
id=$(echo "$ids" | sed -n '1s/\t.*//p')
same "$id" "$(words 3 mem show "${id%??}" | cut -f1)"
same '' "$(words 3 mem restore mem)"
ikm mem delete "$id" >/dev/null
same "$id" "$(words 3 mem restore mem | cut -f1)"
E

command -v bash >/dev/null && more 'bash puts in a URI, behind its colon' <<'E'
same '<read><ikigai:///blocks/prefs.md>' "$(keys 'ikm read ikigai:///blocks/pr\t')"
same '<search><x><ikigai:///blocks/plan.md>' "$(keys 'ikm search x ikigai:///blocks/pl\t')"
same '<read><ikigai:///blocks/p>' "$(keys 'ikm read ikigai:///bl\t')"
E

done_testing
