#!/bin/sh
# Decisions of four real projects (MADR, log4brains, adr-tools twice) load completely:
# t/conformance/adrs.tsv has what a person reads in each file.
. "$(dirname "$0")/../lib.sh"

adrs=${IKM_SHARED:-$TOP/../shared}/data/adrs
if [ ! -d "$adrs" ]; then
	echo '1..0 # SKIP ../shared/data/adrs is not here'
	exit 0
fi
export adrs

cut -f1 "$TOP/t/conformance/adrs.tsv" >paths
"$BUILD/tool/adrs" "$adrs" <paths >got 2>notes

try 'the table has every file' <<'E'
(cd "$adrs" && find . -name '*.md' | sed 's|^\./||' | sort) >files
sort paths | diff -u - files
E

try 'kind, status, date and title of each' <<'E'
diff -u "$TOP/t/conformance/adrs.tsv" got
E

try 'none is broken' <<'E'
least 100 got
same '' "$(grep '^broken' notes || true)"
E

try 'what is doubtful is said' <<'E'
grep -q "0003-aws-networking-outline.md	7	'Partly superseded' counts as accepted" notes
same 2 "$(grep -c . notes)"
E

try 'the comparison can fail' <<'E'
sed 's/	rejected	/	accepted	/' "$TOP/t/conformance/adrs.tsv" >other
fails 1 diff -q other got
E

done_testing
