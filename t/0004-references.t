#!/bin/sh
# Comments and pages refer to what is there: manual pages, their sections, requirements, files.
. "$(dirname "$0")/lib.sh"

refs() { # the lines of a C comment: what t/refs.pl says of it
	{
		echo '/*'
		sed 's/^/ * /'
		echo ' */'
	} >file.h
	perl "$TOP/t/refs.pl" "$TOP" file.h
}

try 'every reference in the sources leads somewhere' <<'E'
perl "$TOP/t/refs.pl" "$TOP"
E

try 'right references are passed' <<'E'
refs <<'C'
(requirement: assets), (requirements: garden, fs.append, "Saga status"; memory queries, "Query
Budget"), as the requirement (memory and knowledge, memory_add) says; ikm-read(1), ikm-design(7),
"Posting
lists"; ikm-check(1), "SYNOPSIS"; README.md, "docs/notes.md", x.md, <a/page.md>
C
E

try 'each kind of wrong reference is found' <<'E'
wrong() { # MESSAGE, then the comment
	fails 1 refs <comment >out
	same "file.h: $1" "$(cat out)"
}
echo 'as seed 003 has it' >comment
wrong 'seed 003 has it'
printf 'the rank of\nmemory.md, and more\n' >comment
wrong "no page 'memory.md'"
echo 'see ikm-garden(7)' >comment
wrong 'no page ikm-garden(7)'
echo 'see ikm-read(5)' >comment
wrong 'no page ikm-read(5)'
printf 'ikm-design(7), "Posting\nlist"\n' >comment
wrong "ikm-design(7) has no section 'Posting list'"
echo '(requirement: asset)' >comment
wrong "no requirement 'asset' in ikm-design(7)"
echo '(requirements: assets; tools, "Response Wrapper")' >comment
wrong "no requirement 'tools' in ikm-design(7)"
echo '(requirement: garden, fs.remove)' >comment
wrong "the requirement 'garden' has no fs.remove in ikm-design(7)"
printf '(requirement: memory queries, "Query\nBudgets")\n' >comment
wrong "the requirement 'memory queries' has no \"Query Budgets\" in ikm-design(7)"
printf '.Xr ikm-nothing 1\n.Pa lib/nothing\n.Pa lib/ Ns Ar module\n' >page.7
fails 1 perl "$TOP/t/refs.pl" "$TOP" page.7 >out
same 'page.7: no page ikm-nothing(1)
page.7: there is no lib/nothing' "$(cat out)"
E
done_testing
