#!/bin/sh
# The table of promises: each sentence is on its page, and each test that it names is there.
. "$(dirname "$0")/../lib.sh"

try 'each promise is on its page, and has a test or a reason why it has none' <<'E'
grep '^	[a-z]' "$TOP/t/promises" >tests
least 500 tests
same '' "$(perl "$TOP/t/promises.pl" "$TOP")"
E

try 'each kind of fault is found' <<'E'
mkdir -p man t/files
printf '.Dd 1\n.Sh NAME\n.Nm x\n.Sh DESCRIPTION\n%s\n%s\n.Pa .b ,\n%s\n.Pp\n%s\n' 'One thing.' 'Two in' \
	'by --all.' 'Three.' >man/x.7
printf "try 'it works' <<'E'\n" >t/files/1.t
faults() { printf "$1" >list; perl "$TOP/t/promises.pl" . list; }
same '' "$(faults '== x(7), whole\nOne thing.\n\tfiles/1.t it works\nTwo in .b, by --all.\n\t- a limit\nThree.\n\t- advice\n')"
same '' "$(faults '== x(7)\nThree.\n\tfiles/1.t it works\n')"
same 'not in the list: Two in .b, by --all.' "$(faults '== x(7), whole\nOne thing.\n\t- advice\nThree.\n\t- advice\n')"
same 'not in the list: Three.' "$(faults '== x(7), whole\nOne thing.\n\t- advice\nTwo in .b, by --all.\n\t- a limit\n')"
same 'not on x(7): Four.' "$(faults '== x(7)\nFour.\n\t- advice\n')"
same 'no test: Three.' "$(faults '== x(7)\nThree.\nOne thing.\n\t- advice\n')"
same "files/1.t has no test 'it work'" "$(faults '== x(7)\nThree.\n\tfiles/1.t it work\n')"
same "files/2.t has no test 'it works'" "$(faults '== x(7)\nThree.\n\tfiles/2.t it works\n')"
E
done_testing
