#!/bin/sh
# Completion by running ikm: @ and @@ through the finder, names of tools, trusted folders. Tests
# what ikm offers, and what a real bash does with it.
. "$(dirname "$0")/lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/net docs 'odd dir'
touch src/auth.c src/author.c src/net/queue.c docs/quick-start.md README.md 'odd dir/a b.c'
git add -A

offers() { # the word, as the last of: ikm expand
	ikm --complete 2 ikm expand "$1" | cut -f1
}

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
. "$TOP/lib/cmd/complete.bash"
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

command -v bash >/dev/null && more 'bash puts in a URI, behind its colon' <<'E'
same '<read><ikigai:///blocks/prefs.md>' "$(keys 'ikm read ikigai:///blocks/pr\t')"
same '<search><x><ikigai:///blocks/plan.md>' "$(keys 'ikm search x ikigai:///blocks/pl\t')"
same '<read><ikigai:///blocks/p>' "$(keys 'ikm read ikigai:///bl\t')"
E

done_testing
