#!/bin/sh
# The command line's face: words, options, help, completion, messages.
. "$(dirname "$0")/../lib.sh"

try 'ikm alone, ikm help and ikm --help say where to start, in 24 lines' <<'E'
ikm >a
ikm help >b
ikm --help >c
ikm -h >d
cmp a b
cmp b c
cmp c d
same '' "$(awk 'length > 80' a)"
[ "$(wc -l <a)" -le 24 ]
for word in init know check hook mem mcp; do grep -q "^  $word  " a; done
! grep -q 'BUG' a
E

long 'each command is in one group, and help explains groups and topics' <<'E'
ikm help --json | jq -r '.commands[].name' | sort >commands
for group in decisions files assets memories garden agents care; do
	grep -q "^  $group " "$T/w/a"
	ikm help $group | grep -q "^$group: "
	ikm help $group --json | jq -r '.commands[].name'
done | sort >grouped
diff commands grouped
ikm help decisions | grep -q '^  know query  *find decisions'
ikm help decisions | grep -q 'more in ikm-knowledge(5)'
ikm help garden | grep -q '^.*: man 7 ikm-garden$'
ikm help security | grep -qx '.*: man 7 ikm-security'
for topic in knowledge formats garden mcp memory security sync tools design hacking; do
	ls "$TOP/man/ikm-$topic".[57]
done
fails 2 ikm help nothing
E

try 'help on a word that is no command names what speaks of it' <<'E'
while read -r word want; do
	ikm help "$word" >out
	grep -q "$want" out || { echo "$word"; cat out; exit 1; }
done <<'L'
waiver know waive --help$
waivers know waive --help$
baseline ^check .*: ikm check --help$
rule know rule --help$
rules man 5 ikm-knowledge$
decision know new --help$
exceptions man 5 ikm-knowledge$
hooks hook install --help$
uninstall hook uninstall --help$
undo events undo --help$
server man 7 ikm-sync$
laptop man 7 ikm-machines$
L
same 'know waive' "$(ikm help waiver --json | jq -r '.commands[].name')"
fails 2 ikm help chekc 2>err
grep -q "did you mean 'check'" err
fails 2 ikm help know rul 2>err
grep -q "did you mean 'know rule'" err
E

try 'version' <<'E'
same "$(ikm version --json | jq -r '"ikm \(.version)", .lacks // empty')" "$(ikm version)"
same "$(ikm version)" "$(ikm --version)"
same ikm "$(ikm --json version | jq -r .name)"
E

try 'an unknown command names the nearest' <<'E'
fails 2 ikm chekc 2>err
grep -q "'chekc': no such command; did you mean 'check'?" err
fails 2 ikm chekc --json >out 2>err
same UNKNOWN_COMMAND "$(jq -r .details.reason out)"
same 1 "$(wc -l <err)"
E

try 'a noun alone names its verbs' <<'E'
fails 2 ikm know 2>err
grep -q '^  one of: .*list, new, pause, query, rule, show' err
fails 2 ikm know frobnicate 2>err
grep -q "'know frobnicate': no such command" err
grep -q '^  one of: .*list, new, pause, query, rule, show' err
E

try 'an unknown option names the nearest' <<'E'
fails 2 ikm know rule 1 --forbid mysql2 2>err
grep -qx '  options that begin so: --forbid-dependency, --forbid-import, --forbid-code, --forbid-file' err
fails 2 ikm know rule 1 mysql2 2>err
grep -q 'what the rule forbids: --forbid-dependency NAME; .*: --remove N$' err
fails 2 ikm know remove 1 2>err
grep -q "did you mean 'know rule'?" err
fails 2 ikm hook remove 2>err
grep -q "did you mean 'hook uninstall'?" err
fails 2 ikm know query --limt 3 2>err
grep -q "has no option '--limt'; did you mean '--limit'?" err
fails 2 ikm know query -Z 2>err
grep -q "has no option '-Z'" err
E

try 'values are held to their type, range and choices' <<'E'
fails 2 ikm know query --limit many --json >out
same WRONG_TYPE "$(jq -r .details.reason out)"
fails 2 ikm know query --limit 101 --json >out
same OUT_OF_RANGE "$(jq -r .details.reason out)"
same '[1,100]' "$(jq -c '[.details.minimum, .details.maximum]' out)"
fails_for OUT_OF_RANGE ikm know query --limit 0
fails_for WRONG_TYPE ikm know query --limit 99999999999999999999
fails 2 ikm know query --type adrs --json >out
same NOT_IN_ENUM "$(jq -r .details.reason out)"
same '["adr","policy","pattern","spec"]' "$(jq -c .details.allowed out)"
fails_for NOT_IN_ENUM ikm know query --status accepted,wrong
fails_for MISSING_PARAMETER ikm read
fails_for BAD_ARGUMENT ikm read ''
fails_for MISSING_PARAMETER ikm read --lines
fails_for BAD_ARGUMENT ikm version extra
E

try 'forms of options' <<'E'
printf 'one\ntwo\nthree\n' >f
same two "$(ikm read f --lines 2)"
same two "$(ikm read --lines=2 f)"
same two "$(ikm read -l 2 f)"
same two "$(ikm read -l2 f)"
same '     2	two' "$(ikm read -nl2 f)"
same two "$(ikm read -n --no-number -l2 f)"
echo dash >./--lines
same dash "$(ikm read -- --lines)"
mkdir sub
echo inner >sub/g
same inner "$(ikm -C sub read g)"
same inner "$(ikm read -C sub g)"
fails_for BAD_ARGUMENT ikm -C nowhere read g
E

try 'help of a command: usage, every option, the tool, the manual' <<'E'
ikm check --help >out
grep -q '^usage: ikm check' out
for option in --staged --range --all --existing --min-severity --item --format --json; do
	grep -q -e "$option" out
done
grep -q 'ikm call knowledge_check' out
grep -q 'man ikm-check' out
same "$(ikm help check)" "$(ikm check --help)"
awk 'length > 100 { print; bad = 1 } END { exit bad }' out
E

ikm help --json | jq -r '.commands[].name' >commands

# Help and completion of every command, once for all tests: a start of ikm is the costly part.
mkdir helps offered
while read -r name; do
	set -- $name
	ikm "$@" --help >"helps/$name"
	ikm --complete $(($# + 1)) ikm "$@" -- >"offered/$name"
done <commands

long 'the options of every command are the same everywhere' <<'E'
least 60 commands
same '' "$(grep -L -e '--config KEY=VALUE' helps/*)"
same '' "$(awk 'length > 100 { print FILENAME ": " $0 }' helps/*)"
E

long 'completion offers every option of every command' <<'E'
least 60 commands
for name in helps/*; do [ -s "offered/${name#*/}" ]; done
grep -H '' offered/* | sed 's|^offered/||; s/	.*//' | sort >offered.all
grep -oE '^  (-., )?--[a-z-]+' helps/* | sed 's|^helps/||; s/:  .*--/:--/' | sort >there
diff there offered.all
cut -d: -f1 there | uniq -c | awk '$1 < 8 { print; few = 1 } END { exit NR < 60 || few }'
E

try 'completion: commands, verbs, options, choices, files' <<'E'
has() { cut -f1 out | grep -qx -e "$1"; }
ikm --complete 1 ikm '' >out
has know
has check
fails 1 has know_list
ikm --complete 2 ikm know q >out
same query "$(cut -f1 out)"
ikm --complete 3 ikm know query --li >out
same --limit "$(cut -f1 out)"
ikm --complete 4 ikm know query --type '' >out
same 'adr policy pattern spec' "$(cut -f1 out | tr '\n' ' ' | sed 's/ $//')"
ikm --complete 3 ikm know query --type=p >out
has policy
ikm --complete 2 ikm help '' >out
has tools
same '' "$(sort out | uniq -d)"
fails 1 has adr
ikm --complete 2 ikm read '' >out
same :files "$(cat out)"
ikm --complete 9 ikm read >out
same '' "$(cat out)"
ikm --complete x ikm >out
E

try 'bash completion works' <<'E'
command -v bash >/dev/null || exit 0
bash -c '. "$TOP/lib/core/cmd/complete.bash"
COMP_WORDS=(ikm know sh) COMP_CWORD=2
_ikm ikm sh know
[ "${COMPREPLY[*]}" = show ]'
E

try 'bash completion: a value behind =, and names with spaces' <<'E'
command -v bash >/dev/null || exit 0
mkdir names; cd names; : >'a b'; : >'a c'
bash -c '. "$TOP/lib/core/cmd/complete.bash"
compopt() { :; }
COMP_WORDS=(ikm know query --type = po) COMP_CWORD=5
_ikm ikm po =
[ "${COMPREPLY[*]}" = policy ] || exit 1
COMP_WORDS=(ikm know query --type =) COMP_CWORD=4
_ikm ikm "" --type
[ "${#COMPREPLY[@]}" = 4 ] || exit 1
COMP_WORDS=(ikm read a) COMP_CWORD=2
_ikm ikm a read
[ "${#COMPREPLY[@]}" = 2 ] && printf "%s\n" "${COMPREPLY[@]}" | sort | grep -qx "a b"'
E

try 'a full disk while printing is an error' <<'E'
fails 8 sh -c 'ikm help >/dev/full' 2>err
grep -q 'standard output' err
: >a
for json in '' --json; do
	fails 8 sh -c "ikm list $json >/dev/full" 2>err
	same 1 "$(grep -c 'standard output' err)"
done
E

try 'a reader that leaves early ends ikm without a word, as it ends grep' <<'E'
mkfifo pipe
yes | head -c 3000000 >big
for i in 1 2 3; do
	head -c 60000 /dev/zero | tr '\0' a | sed "s/^/$i /" | ikm mem add - >/dev/null
done
for command in 'read big' 'search y big' 'mem export' 'help --json'; do
	# The reader is gone before ikm writes, so each write fails.
	exec 9<>pipe
	exec 8>pipe
	exec 9<&-
	rc=0
	ikm $command >&8 2>err || rc=$?
	exec 8>&-
	echo "$command: $rc"
	same 141 "$rc"
	same '' "$(cat err)"
done
E

try 'an error is still told when the reader has left' <<'E'
mkfifo gone
exec 9<>gone
exec 8>gone
exec 9<&-
fails 3 ikm read nothing --json >&8 2>err
grep -q nothing err
E

try 'an error in JSON is told once on a terminal, and twice where the streams are apart' <<'E'
fails 3 ikm read nothing --json >out 2>err
same FILE_NOT_FOUND "$(jq -r .details.reason out)"
grep -q '^ikm: ' err
script -qec true /dev/null >/dev/null 2>&1 || exit 0 # no terminals here at all
script -qec 'ikm read nothing --json' /dev/null </dev/null >out || :
grep -q '"errorCode"' out
not grep -q 'ikm.*: cannot read' out
script -qec 'ikm read nothing' /dev/null </dev/null >out || :
grep -q 'ikm.*: cannot read' out
E

try 'a closed standard descriptor is an error, and no file of ikm gets its number' <<'E'
ikm mem add 'a memory' >out
fails 8 ikm mem import - <&- 2>err
grep -q "cannot read 'standard input'" err
not ikm mcp <&- >out 2>err
grep -q "cannot read 'standard input'" err
fails 8 ikm mem search memory >&- 2>err
grep -q 'standard output' err
# Who closes standard error wants no messages: what was done is done.
ikm mem add 'a memory' >out 2>&-
grep -q ^mem_ out
fails 3 ikm read nothing 2>&-
command -v strace >/dev/null || exit 0
export ASAN_OPTIONS=detect_leaks=0
strace -o trace -e trace=openat,dup,dup2,fcntl ikm mem add 'one more' >&- || :
# The loader of shared libraries closes what it opens.
sed '1,/F_GETFD/d' trace | grep '= 1$' >numbers
same 1 "$(wc -l <numbers)"
grep -q /dev/null numbers
E

try 'a limit on the size of files is an error that is told, and leaves nothing' <<'E'
mkdir limit
cd limit
big() { (ulimit -f 8 && head -c 100000 /dev/zero | ikm write big.txt); }
fails 8 big 2>../err
grep -q "cannot write 'big.txt': File too large" ../err
same '' "$(ls -A)"
E

try 'control characters in names do not reach the terminal' <<'E'
bad=$(printf 'a\033[31mb')
fails 3 ikm read "$bad" 2>err
fails 1 grep -q "$(printf '\033')" err
grep -q 'x1b' err
E
try 'help shows the option that switches a default off' <<'E'
ikm know show --help >help
grep -A1 -e '--no-constraints' help | grep -q 'do not show its rules'
ikm --mdoc know | grep -A1 -e 'no-constraints$' | grep -q 'Do not show its rules'
ikm --complete 3 ikm know show --no | grep -q '^--no-constraints'
E

try 'options alone are those of help, or of version' <<'E'
same 'check' "$(ikm --json | jq -r '.commands[] | select(.name == "check").name')"
same ikm "$(ikm --version --json | jq -r .name)"
same ikm "$(ikm --json --version | jq -r .name)"
fails 2 ikm -C 2>err
grep -q -e '-C needs a value' err
fails 2 ikm --bogus 2>err
grep -q "no option '--bogus'" err
E

try 'call answers in JSON, even about its own words' <<'E'
fails 2 ikm call >out
same MISSING_PARAMETER "$(jq -r .details.reason out)"
fails 2 ikm call version extra >out </dev/null
same INVALID_INPUT "$(jq -r .errorCode out)"
ikm call --help | grep -q '^usage: ikm call TOOL'
E

try 'a folder that cannot be entered says why' <<'E'
fails 2 ikm -C nowhere version 2>err
grep -q "'nowhere': No such file or directory" err
E

long 'an input over the limit is bad input, not trouble' <<'E'
head -c 67108865 /dev/zero >big
fails 2 ikm call version <big >out
same TOO_LONG "$(jq -r .details.reason out)"
for args in 'write huge' 'mem add' 'mem query' 'memory-tool' 'bench'; do
	# shellcheck disable=SC2086
	fails 2 ikm $args --json <big >out
	same "TOO_LONG standard input has more than 67108864 bytes" \
		"$(jq -r '.details.reason + " " + .message' out)"
done
rm big
E

try 'a message names parameters as the face in use does' <<'E'
echo x >f
ln f f2
git init -q .
printf '{"path": "f", "content": "y", "ifMatch": "1"}' | fails 2 ikm call file_write >out
same "ifMatch ifMatch is '1'" "$(jq -r '.details.parameter + " " + .message[:14]' out)"
fails 2 ikm write f --content x --if-match 1 --json >out
same "--if-match --if-match is '1'" "$(jq -r '.details.parameter + " " + .message[:17]' out)"
printf '{"path": "f", "content": "y"}' | fails 4 ikm call file_write >out
jq -e '.help.steps[0] | startswith("allow it with breakLinks, or")' out
fails 4 ikm write f --content y 2>err
grep -q 'allow it with --break-links, or' err
fails 2 ikm mem add ' ' 2>err
grep -q 'TEXT is only blanks' err
fails 2 ikm refs 2>err
grep -q 'PATH|URI is missing' err
printf '{"query": "", "threshold": 2}' | fails 2 ikm call memory_search >out
fails 2 ikm events query --since yesterday 2>err
grep -q "^ikm: --since is 'yesterday'" err
E

long 'a wrong second word is named, with the command that was meant' <<'E'
while read -r typed meant; do
	fails 2 ikm $(echo "$typed" | tr _ ' ') x 2>err
	grep -q "^ikm: '$(echo "$typed" | tr _ ' ')': no such command; did you mean '$(echo "$meant" | tr _ ' ')'" err ||
		{ cat err; exit 1; }
done <<'L'
mem_rm mem_delete
mem_ls mem_list
mem_serach mem_search
mem_exp mem_export
know_search know_query
asset_rm asset_delete
hook_instal hook_install
L
fails 2 ikm mem xyzzy 2>err
grep -q "^ikm: 'mem xyzzy': no such command$" err
grep -q "one of: add, .*search" err
grep -q "ikm mem --help" err
fails 2 ikm help mem rm 2>err
grep -q "'mem rm': no such command; did you mean 'mem delete'?" err
E

try 'command names of other programs lead to ours' <<'E'
while read -r typed meant; do
	fails 2 ikm "$typed" x 2>err
	grep -q "^ikm: '$typed': no such command; did you mean '$(echo "$meant" | tr _ ' ')'" err ||
		{ cat err; exit 1; }
done <<'L'
kno know
memory mem
ls list
cat read
mv move
undo events_undo
pin asset_pin
L
fails 2 ikm mem correct x y 2>err
grep -q "did you mean 'mem edit'?" err
fails 2 ikm cpx a b 2>err
fails 1 grep -q 'did you mean' err
E

try 'a sentence needs no quotes' <<'E'
id=$(ikm mem add who owns orders: the billing team)
same 'who owns orders: the billing team' "$(ikm mem show "$id" --json | jq -r .memory.content)"
ikm mem search who owns --limit 3 orders | grep -q 'billing team'
same "$(ikm mem search 'who owns orders' --json | jq -c .totalCount)" \
	"$(ikm mem search who owns orders --json | jq -c .totalCount)"
ikm mem search --help | grep -q 'QUERY\.\.\.'
fails 2 ikm version a b 2>err
grep -q 'too many' err
E

try 'a noun alone, with --help and with help' <<'E'
fails 2 ikm mem --json >out 2>err
jq -e '.details.reason == "UNKNOWN_COMMAND" and (.message | test("needs a second word")) and
	(.help.steps[0] | test("^one of: add, .*search"))' out
ikm mem --help >help
grep -q '^  mem search  *find' help
same "$(grep -c '^  mem ' help)" "$(grep -v '^    ' help | grep -c . | awk '{ print $1 - 2 }')"
ikm help mem | diff help -
ikm -C . mem -h | diff help -
fails 2 ikm me --help >out 2>err
grep -q "^ikm: 'me': no such command" err
E

try 'help lists a common option only as it works after the command' <<'E'
ikm search --help >out
grep -q '^  -C, --context N' out
grep -q '^  --directory DIR' out
not grep -q -- '-C, --directory' out
ikm read --help | grep -q '^  -C, --directory DIR'
ikm hook install --help >out
same 1 "$(grep -c '^  --agent ' out)"
grep -q '^  --agent HOST' out
E
long 'any name of the file is ikm; the JSON of a call may be an argument; -V' <<'E'
for name in ikm-linux-amd64 ikm-static ikm.exe other; do
	cp "$(command -v ikm)" "$name"
	same "$(ikm --version)" "$("./$name" -V)"
	same "$(ikm mem list 2>&1)" "$("./$name" mem list 2>&1)"
	rm "$name"
done
ln -s "$(command -v ikm)" ikm-version
same "$(ikm version)" "$(./ikm-version)"
git init -q .
echo text >f
same text "$(ikm call file_read '{"path":"f"}' | jq -r .content)"
same text "$(echo '{"path":"f"}' | ikm call file_read | jq -r .content)"
fails 2 ikm call file_read '{' >out
fails 2 ikm call file_read '{}' more
E

try 'a list that is empty is no failure; a search that finds nothing is a negative answer' <<'E'
git init -q empty; cd empty
for list in list 'mem list' 'mem list --tag x' 'know list' 'know list --active' 'know list --waivers' \
	'asset list' 'asset pinned' 'events query' trace 'manifest list' 'sync conflicts'; do
	ikm $list >/dev/null 2>&1 || { echo "ikm $list: $?"; exit 1; }
done
for search in 'search zzz' 'grep zzz' 'glob *.zz' 'find @zz' 'mem search zz' 'know query zz'; do
	fails 1 ikm $search >/dev/null 2>&1
done
E

done_testing
