#!/bin/sh
# Comments and pages refer to what is there: manual pages, their sections, requirements, files.
. "$(dirname "$0")/../lib.sh"

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
echo 'lib/core/os/roots.c, arena.c and nothing_here.c' >comment
wrong 'there is no nothing_here.c'
echo 'out/arena.h, as base/arena.h has it, and sys/stat.h' >comment
wrong 'there is no out/arena.h'
echo 'former_name: what the file had' >comment
wrong "its first comment is of 'former_name'"
echo 'see ikm-nowhere(7)' >comment
wrong 'no page ikm-nowhere(7)'
echo 'see ikm-read(5)' >comment
wrong 'no page ikm-read(5)'
printf 'ikm-design(7), "Posting\nlist"\n' >comment
wrong "ikm-design(7) has no section 'Posting list'"
printf '%s\n' '*/ "see ikm-check(1), \"What blocked\"" /*' >comment
wrong "ikm-check(1) has no section 'What blocked'"
echo '(requirement: asset)' >comment
wrong "no requirement 'asset' in ikm-design(7)"
echo '(requirements: assets; tools, "Response Wrapper")' >comment
wrong "no requirement 'tools' in ikm-design(7)"
echo '(requirement: garden, fs.remove)' >comment
wrong "the requirement 'garden' has no fs.remove in ikm-design(7)"
printf '(requirement: memory queries, "Query\nBudgets")\n' >comment
wrong "the requirement 'memory queries' has no \"Query Budgets\" in ikm-design(7)"
printf '.Xr ikm-nothing 1\n.Pa lib/nothing\n.Pa lib/ Ns Ar module\n.Fn check_run\n.Pq Pa cmd/main.c\n.Sx REASONS ,\n.Dq What blocked\nin\n.Xr ikm-check 1\n' >page.7
fails 1 perl "$TOP/t/refs.pl" "$TOP" page.7 >out
same "page.7: ikm-check(1) has no section 'What blocked'
page.7: it has no section 'REASONS'
page.7: no page ikm-nothing(1)
page.7: there is no lib/nothing
page.7: there is no function check_run in cmd/main.c" "$(cat out)"
E

try 'rows that ikm-hacking(7) shows stand in the sources' <<'E'
shown() { perl -0777 -e '
	my $page = <STDIN>;
	my $all = join " ", map { s/\s+/ /gr } <>;
	$page =~ /^\.Ss Adding a language\n(.*?)^\.Ss Results/ms or die "the how-to is gone";
	my @rows = $1 =~ /^\.Bd -literal.*?\n(.*?)^\.Ed/msg;
	for my $part (map { split /\n\n/ } @rows) {
		my $row = $part =~ s/\\e/\\/gr =~ s/\s+/ /gr =~ s/^ | $//gr;
		print index($all, $row) < 0 ? "not in the sources: $row\n" : "a row\n";
	}' "$TOP"/lib/text/lexer/*.[ch] "$TOP"/lib/rules/*/*.[ch]; }
shown <"$TOP/man/ikm-hacking.7" >rows
[ "$(grep -c '^a row$' rows)" -ge 6 ]
fails 1 grep '^not' rows
sed 's/T_SWIFT/T_GONE/' "$TOP/man/ikm-hacking.7" | shown | grep -q '^not in the sources: {"Swift"'
E

long 'a header that calls itself private is included in its own module alone' <<'E'
cd "$TOP/lib"
# Every internal.h, and each header whose first comment says so, on one line or two.
perl -0777 -ne '
	my ($head) = m{^/\*(.*?)\*/}s;
	$head =~ s/\s*\n \*\s*/ /g;
	print "$ARGV\n" if $ARGV =~ m{/internal\.h$} ||
		$head =~ m{private to |inside lib/|for lib/[\w/]+ only|only (in )?lib/[\w/]+( uses|\.)}i
' */*/*.h | sed 's|^[a-z]*/||' >"$T/private"
least 25 "$T/private"
while read -r header; do
	grep -l "#include \"$header\"" */*/*.[ch] ../cmd/*.[ch] | grep -v "^[a-z]*/${header%%/*}/" |
		sed "s|^|$header: |"
done <"$T/private" >"$T/outside"
same '' "$(cat "$T/outside")"
E

page=$TOP/man/ikm-hacking.7
export page
long 'the map of the modules in ikm-hacking(7) is lib/LAYERS' <<'E'
awk '/^\.Ss The map of the modules/ { on = 1 } /^\.Ed/ { on = 0 } on && /^$/ { print "-" } on && /^ [a-z-]/ { print $1 }' "$page" |
	tac | awk '/^-/ { print ""; next } { printf "%s ", $1 } END { print "" }' >map
grep -v '[#:]' "$TOP/lib/LAYERS" >layers
least 10 layers
for file in map layers; do
	while read -r line; do printf '%s\n' "$line" | tr ' ' '\n' | sort | xargs; done <$file >$file.sorted
done
diff -u layers.sorted map.sorted
E

try 'every test has a number that ikm-hacking(7) explains' <<'E'
awk '/^\.Ss Numbers of tests/ { on = 1 } /^\.El/ { on = 0 }
	on && /^\.It [0-9]/ { print $2, (NF > 2 ? $4 : $2) }' "$page" >ranges
least 15 ranges
ls "$TOP"/t/*/[0-9]*.t | sed 's|.*/\([0-9]*\)-.*|\1|' >numbers
least 90 numbers
awk 'NR == FNR { from[NR] = $1; to[NR] = $2; n = NR; next }
     { for (i = 1; i <= n && !($1 >= from[i] && $1 <= to[i]); i++) ; if (i > n) { print; bad = 1 } }
     END { exit bad }' ranges numbers
E
done_testing
