#!/bin/sh
# check on a terminal: the offending line with carets, cut around the match; and on a pipe nothing
# of it.
. "$(dirname "$0")/../lib.sh"

script -qec true /dev/null >/dev/null 2>&1 || skip_all 'there are no terminals here'

# On a terminal of so many columns, without colour: the lines, and no CR.
terminal() { # columns, words of the command
	columns=$1
	shift
	script -qec "stty cols $columns rows 50; TERM=dumb $*" /dev/null </dev/null | tr -d '\r' || :
}

# The line and the carets of a place of the report in ../out.
quoted() { # place
	grep -F -A2 "$1  " ../out | sed -n 's/^ *| //p'
}

try 'on a pipe a report has no quoted line, no wrapped line and no colour' <<'E'
sh "$TOP/t/sample.sh" r; cd r
long=$(printf 'word %.0s' $(seq 60))
sed -i "s/message: New services.*/message: $long/" docs/adr/0001-*.md
git commit -qam long
sed -i 's/"pg": .*/"pg": "^8.11.5",\n    "mysql2": "^3.9.7"/' package.json
rc=0
ikm check >../pipe || rc=$?
same 1 "$rc"
same 2 "$(grep -n 'where' ../pipe | cut -d: -f1)"
same "  reason      $(echo $long)" "$(sed -n 's/ *$//; 3p' ../pipe)"
! grep -q '^ *|' ../pipe
E

try 'on a terminal the line stands below its place, with carets, and text is wrapped' <<'E'
cd r
terminal 60 ikm check >../out
same '    "mysql2": "^3.9.7"
     ^^^^^^' "$(quoted package.json:7:6)"
same '' "$(grep -v 'decided in\|blocking violation' ../out | grep '.\{61\}')"
grep -A1 '^  reason      word word' ../out | grep -q '^              word word'
E

try 'colour is used on a terminal that has it' <<'E'
cd r
script -qec 'TERM=xterm ikm check' /dev/null </dev/null >../out || :
grep -q "$(printf '\033\\[1;31m^^^^^^\033\\[0m')" ../out
E

try 'tabs, wide and combining characters, and control characters keep the caret below the match' <<'E'
cd r
{
	printf '\tif (\346\274\242\345\255\227) e\314\201 console.log(1)\n'
	printf '\360\237\230\200\033[31m\001\377\302\205 console.log(2)\n'
	printf '\342\200\256console.log(3)\tx\n'
} >src/wide.js
terminal 100 ikm check >../out
same "$(printf '    if (\346\274\242\345\255\227) e\314\201 console.log(1)
                ^^^^^^^^^^^^')" "$(quoted src/wide.js:1:18)"
same "$(printf '\360\237\230\200\\x1b[31m\\x01\\xff\\xc2\\x85 console.log(2)
                           ^^^^^^^^^^^^')" "$(quoted src/wide.js:2:15)"
same '\xe2\x80\xaeconsole.log(3)    x
            ^^^^^^^^^^^^' "$(quoted src/wide.js:3:4)"
! tr -d '\n\t' <../out | LC_ALL=C grep -q "$(printf '[\001-\037\177]')"
E

try 'a line longer than the terminal is cut around the match' <<'E'
cd r
{
	printf '%0300d console.log(1) %0300d\n' 0 0
	printf 'console.log(2) %0300d\n' 0
	printf '%0300d console.log(3)\n' 0
	printf '\346\274\242%.0s' $(seq 60); printf 'console.log(4)'; printf '\346\274\242%.0s' $(seq 60)
} >src/wide.js
terminal 60 ikm check >../out
same '…0000000000000 console.log(1) 0000000000000…
               ^^^^^^^^^^^^' "$(quoted src/wide.js:1:302)"
same 'console.log(2) 000000000000000000000000000…
^^^^^^^^^^^^' "$(quoted src/wide.js:2:1)"
same '…000000000000000000000000000 console.log(3)
                             ^^^^^^^^^^^^' "$(quoted src/wide.js:3:302)"
same "$(printf '…\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242console.log(4)\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242…
               ^^^^^^^^^^^^')" "$(quoted src/wide.js:4:181)"
E

try 'a terminal that is very narrow shows the place alone' <<'E'
cd r
terminal 30 ikm check >../out
grep -q 'src/wide.js:1:302  console.log($' ../out
! grep -q '|' ../out
E

try 'ten places of a rule are quoted, and the others counted' <<'E'
cd r
yes 'console.log(1)' | head -n 25 >src/wide.js
terminal 80 ikm check --staged >../staged
terminal 80 ikm check >../out
same 11 "$(grep -c '^ *| *^^' ../out)" # ten and package.json's
grep -q '^ *and 15 more (--json lists all)$' ../out
! grep -q '|' ../staged
E

try 'files in UTF-16 and with a byte order mark are quoted as text' <<'E'
cd r
printf 'a\n\303\251 console.log(1)\n' | iconv -f UTF-8 -t UTF-16 >src/wide.js
terminal 80 ikm check >../out
same "$(printf '\303\251 console.log(1)\n  ^^^^^^^^^^^^')" "$(quoted src/wide.js:2:4)"
E

try 'the hook of a commit quotes the line, too' <<'E'
cd r
ikm hook install >/dev/null
git add -A
terminal 80 git commit -qm x >../out
same '    "mysql2": "^3.9.7"
     ^^^^^^' "$(quoted package.json:7:6)"
E

try 'infos are counted' <<'E'
git init -q infos; cd infos
mkdir -p .ikm docs; echo '{"knowledge": {"sources": [{"path": "docs"}]}}' >.ikm/config.json
printf -- '---\nstatus: accepted\nseverity: info\nconstraints: [{operator: must_not_use, target: code, pattern: eval}]\n---\n# One\n' >docs/1.md
git add -A; git commit -qm x
echo eval >a.js
ikm check --min-severity info >../out
grep -q '^1 finding of severity info; checked 1 file' ../out
ikm check >../out
! grep -q 'severity info' ../out
E

done_testing
