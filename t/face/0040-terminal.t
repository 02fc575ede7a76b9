#!/bin/sh
# Manners on a terminal: the pager, and -q, which needs none.
. "$(dirname "$0")/../lib.sh"

script -qec true /dev/null >/dev/null 2>&1 ||
	skip_all 'there are no terminals here'
TERM=xterm LESS=FRX
export TERM LESS
unset IKM_PAGER PAGER

# Runs the command on a terminal of 24 lines and 80 columns, without carriage returns.
tty() { # command
	rc=0
	script -qec "stty rows 24 cols 80; $1" /dev/null >"$T/tty" </dev/null || rc=$?
	tr -d '\r' <"$T/tty"
	return $rc
}
seq 1 20 >short
seq 1 100 >long
awk 'BEGIN { while (i++ < 10) printf "%400d\n", i }' >wide

try 'text that is longer than the terminal goes through the pager' <<'E'
IKM_PAGER='sed s/^/p:/'
export IKM_PAGER
same "$(sed s/^/p:/ long)" "$(tty 'ikm read long')"
same "$(cat short)" "$(tty 'ikm read short')"
same "$(sed s/^/p:/ wide)" "$(tty 'ikm read wide')"
tty 'ikm read --help' | grep -q '^p:usage: ikm read'
NO_COLOR=1 tty ikm >front
same "$(ikm)" "$(cat front)"
E

long 'IKM_PAGER comes before PAGER; with cat or nothing there is none' <<'E'
same "$(sed s/^/b:/ long)" "$(PAGER='sed s/^/b:/' tty 'ikm read long')"
same "$(sed s/^/a:/ long)" "$(IKM_PAGER='sed s/^/a:/' PAGER=false tty 'ikm read long')"
same '' "$(IKM_PAGER=cat ikm config list 2>&1 >/dev/null)"
for none in '' cat; do
	same "$(cat long)" "$(IKM_PAGER=$none PAGER=false tty 'ikm read long')"
done
# Neither a setting nor git's names one.
fails 2 ikm -c pager=false read long
git init -q ../paged
same "$(cat long)" "$(git -C ../paged config core.pager 'sed s/^/g:/'; PAGER= tty 'ikm -C ../paged read "$PWD/long"')"
same "$(cat long)" "$(PAGER=false tty 'ikm read --no-pager long')"
same "$(cat long)" "$(PAGER=false tty 'ikm --no-pager read long')"
same "$(cat long)" "$(PAGER=false TERM=dumb tty 'ikm read long')"
E

try 'without a terminal, and for JSON, there is no pager' <<'E'
PAGER=false
export PAGER
same "$(cat long)" "$(ikm read long)"
same "$(cat long)" "$(tty 'ikm read long | cat')"
tty 'ikm help --json' | jq -e '.commands | length > 20' >/dev/null
E

try 'the pager gets LESS and LV, unless they are set, and colours' <<'E'
unset LESS
IKM_PAGER='env; sed "s/^/p:/"'
export IKM_PAGER
tty 'ikm read --help' >out
grep -qx LESS=FRX out
grep -qx LV=-c out
grep -q "^p:  $(printf '\033')\[1m-" out
LESS=X tty 'ikm read long' | grep -qx LESS=X
E

try 'the status is that of the command; a pager that is left ends the command' <<'E'
IKM_PAGER='sed s/^/p:/'
export IKM_PAGER
fails 0 tty 'ikm read long; echo $? >status' >out
same 0 "$(cat status)"
awk 'BEGIN { while (i++ < 200000) print i }' >huge
IKM_PAGER='sed 5q' tty 'ikm read huge; echo $? >status' >out
same 141 "$(cat status)"
same "$(seq 1 5)" "$(cat out)"
NO_COLOR=1 tty 'ikm read long none; echo $? >status' >out
same 3 "$(cat status)"
same p:100 "$(sed -n 100p out)"
tail -n +101 out | grep -q "^ikm: cannot read 'none'"
E

try 'a pager that is not there: the text comes, and a message when a person chose it' <<'E'
for pager in ikm-no-pager 'ikm-no-pager -R  +G'; do
	PAGER=$pager tty 'ikm read long; echo $? >status' >out
	same "ikm: the pager does not work: cannot run 'ikm-no-pager': there is no such program in PATH" \
		"$(grep ikm: out)"
	same "$(cat long)" "$(grep -v ikm: out)"
	same 0 "$(cat status)"
done
E

try '-q: no text, except for a negative answer and an error' <<'E'
same '' "$(ikm read -q short)"
same '' "$(ikm -q read short 2>&1)"
same "$(ikm read --json short)" "$(ikm read -q --json short)"
not ikm read -q none 2>err
grep -q "^ikm: cannot read 'none'" err
git init -q .
mkdir -p .knowledge/adr
printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: dependency, pattern: mysql2, severity: block}\n---\n# PG\nWe use PostgreSQL.\n' >.knowledge/adr/0001-pg.md
same '' "$(ikm check --all -q)"
echo '{"dependencies": {"mysql2": "3"}}' >package.json
git add -A
: >out >want
fails 1 ikm check --all -q >out
fails 1 ikm check --all >want
cmp want out
same '' "$(ikm hook install -q)"
[ -x .git/hooks/pre-commit ]
E

# The list as people see it on a terminal of 80 columns, without colours.
listed() { IKM_PAGER='cat' tty "ikm $*" | sed "s/$(printf '\033')\[[0-9;]*m//g"; }
long 'a list on a terminal has a header and fits; a pipe gets whole rows' <<'E'
long=$(seq -s- 1 60)
ikm mem add "$long" --tag db >/dev/null
ikm mem add short >/dev/null
: >body
ikm write "$long.md" <body >/dev/null
printf 'x\n' | ikm write "ikigai:///blocks/$long.md" >/dev/null
printf 'x\ny\n' | ikm write "ikigai:///blocks/$long.md" >/dev/null
ikm asset set "blocks/$long.md" --description "$long" >/dev/null
for list in 'mem list' 'events query' 'asset list' 'tool list'; do
	ikm $list >pipe
	not grep -q '…' pipe
	listed "$list" >out
	not env LC_ALL=C.UTF-8 grep -q '^.\{81\}' out
	echo "$list: $(head -1 out | tr -s ' ')" >>heads
done
cat >want <<'W'
mem list: id date layer kind memory
events query: id time state op path agent
asset list: category tokens bytes path description
tool list: tool description
W
same "$(cat want)" "$(cat heads)"
same 3 "$(listed mem list | grep -c .)"
listed mem list | grep -q '^mem_[^ ]*  2[-0-9]*  user   fact  1-2-3.*…$'
# An id may be cut, and what is left names the event all the same.
id=$(listed events query | sed -n '2s/….*//p')
ikm events show "$id" >/dev/null
# A path keeps both its ends.
listed asset list | grep -q '^block  *[0-9]*  *4  blocks/1-.*…[-0-9]*60[.]md  1-.*…$'
E

# Runs ikm on a terminal, each read of the file FILE takes so long that all last over a second.
slow() { # FILE ARGUMENT...
	file=$1
	shift
	tty "ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o /dev/null -P $file -e trace=read,pread64 \
		-e inject=read,pread64:delay_exit=400000 ikm $*"
}
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
	try 'what lasts over a second shows its progress, on a terminal, and erases it' <<'E'
esc=$(printf '\033')
ikm mem add 'the tests need Postgres' >/dev/null
ikm backup b.ikm >/dev/null
slow "$PWD/b.ikm" backup --check b.ikm >out
grep -aq "backup, bytes read: [0-9]* of [0-9]*$esc.K" out
grep -aq "$esc.Kwhole: 1 file" out
TERM=dumb slow "$PWD/b.ikm" backup --check b.ikm >out
not grep -aq "bytes read" out
slow "$PWD/b.ikm" "backup --check b.ikm 2>err" >out
not grep -aq "bytes read" out
same '' "$(cat err)"
E
else
	skip 'progress' 'strace is missing, or cannot trace'
fi

more '-q keeps a bounded text for a negative answer, and says what it does not keep' <<'E'
git init -q many; cd many
mkdir -p docs/adr
long=$(printf %0200d 0)
for i in $(seq 1000 4500); do printf -- '---\nstatus: [\n---\n# X\n' >"docs/adr/$i-$long.md"; done
ikm init --repo-only >out
fails 1 ikm lint -q >out 2>err
[ "$(wc -c <out)" -le 1048576 ]
grep -q 'with -q ikm keeps 1048576 bytes of text' err
E

long 'a command that reads a terminal says for what it waits, and how it ends' <<'E'
says() { # what command
	tty "$2" >out || :
	same "ikm: waits on standard input for $1; end it with Ctrl-D on an empty line" \
		"$(grep -o 'ikm: waits on .* line' out)"
}
says 'the whole content' 'ikm write waits.txt'
says 'the content to remember' 'ikm mem add'
says 'a unified diff, or *** Begin Patch' 'ikm patch'
says 'a unified diff, or *** Begin Patch' 'ikm patch --diff -'
says 'the text to add' 'ikm append waits.txt'
says 'memories, one JSON object a line' 'ikm mem import'
says 'the request as JSON' 'ikm mem query'
says 'the input of the tool as JSON' 'ikm call file_read'
says 'commands, one JSON object a line' 'ikm memory-tool --lines'
says "the event of an agent's host as JSON" 'ikm hook run agent --host claude'
git init -q waits; cd waits
says 'the lines that git gives the hook' 'ikm hook run pre-push -- origin url'
same '' "$(ikm write waits.txt </dev/null 2>&1 >/dev/null)"
E

try 'a surplus word, or an option of another command, is told how a text is given' <<'E'
fails_for BAD_ARGUMENT ikm write f hello 2>err
grep -q 'give a text with --content TEXT, or on standard input' err
fails_for BAD_ARGUMENT ikm edit f old new 2>err
grep -q 'give a text with --old TEXT or --new TEXT$' err
fails_for UNKNOWN_PARAMETER ikm write f --text hello 2>err
grep -q -e "--content" err
fails_for UNKNOWN_PARAMETER ikm append f --content hello 2>err
grep -q "did you mean '--text'" err
ikm patch 'the fix.diff' </dev/null 2>err && false
grep -qF "ikm patch <'the fix.diff'" err
E
done_testing
