#!/bin/sh
# The words of a text, compared with FTS5's own tokenizer: the same stems, equally often. ikm marks
# further words as extra, which are left out here; t/unit/words.c tests those.
. "$(dirname "$0")/lib.sh"

# The stems of a file's words and how often each is there, as FTS5 has them.
fts5() {
	sqlite3 <<-S
	create virtual table t using fts5(c, tokenize = "porter unicode61 remove_diacritics 2");
	create virtual table v using fts5vocab(t, 'row');
	insert into t values (readfile('$1'));
	.separator ' '
	select term, cnt from v;
	S
}

try 'the manual and the sources have the stems that FTS5 finds' <<'E'
for file in "$TOP"/README.md "$TOP"/man/*.mdoc "$TOP"/man/*.[57] "$TOP"/lib/words/*.c; do
	LC_ALL=C grep -v '[^ -~	]' "$file" >ascii
	fts5 ascii | "$BUILD/tool/words" terms | sort >want
	"$BUILD/tool/words" counts <ascii | sort >got
	[ -s want ]
	diff want got
done
E

try 'a text with accents has the stems that FTS5 finds' <<'E'
printf 'Caf\303\251 \303\211mile na\303\257ve; CAFE\314\201 12,500 \303\211t\303\251s' >text
fts5 text | "$BUILD/tool/words" terms | sort >want
least 5 want
same "$(cat want)" "$("$BUILD/tool/words" counts <text | sort)"
E

try 'a word of another stem is another term' <<'E'
echo 'cat 1' | "$BUILD/tool/words" terms >want
least 1 want
same "$(cat want)" "$(echo cats | "$BUILD/tool/words" counts)"
[ "$(cat want)" != "$(echo caster | "$BUILD/tool/words" counts)" ]
E
done_testing
