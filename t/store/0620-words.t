#!/bin/sh
# The words of a text, compared with FTS5's own tokenizer: the same stems, equally often. ikm marks
# further words as extra, which are left out here; t/unit/words.c tests those.
. "$(dirname "$0")/../lib.sh"

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

# One line each: {"der", DE}, and "eat ate eaten",
grep -o '{"[^"]*", ' "$TOP/lib/store/words/stop.c" | cut -d'"' -f2 >stops
sed -n '/word_form_groups/,/^};/s/^	"\(.*\)",$/\1/p' "$TOP/lib/store/words/irregular_forms.c" | tr ' ' '\n' >forms
stops=$PWD/stops forms=$PWD/forms

try 'no form of a word has the stem of a stop word' <<'E'
least 400 "$stops"
least 500 "$forms"
# What Porter shortens to a stop word, and to what it makes of one.
printf '%s\n' hi doe ha wa thi ani cans ones wills theses ated mays >more
for file in "$stops" "$forms" more; do
	"$BUILD/tool/words" stems <"$file"
done >stems
awk '$3 == "stop" { is[$1] = $2 } END { for (term in is) print term, is[term] }' stems | sort >ours
least 100 ours
awk '$3 != "stop"' stems | sort -u | join ours - >clash
same '' "$(cat clash)"
E

more 'the manual and the sources have the stems that FTS5 finds' <<'E'
for file in "$TOP"/README.md "$TOP"/man/*.mdoc "$TOP"/man/*.[57] "$TOP"/lib/store/words/*.c; do
	LC_ALL=C grep -v '[^ -~	]' "$file" >ascii
	fts5 ascii | "$BUILD/tool/words" terms "$stops" | sort >want
	"$BUILD/tool/words" counts "$stops" <ascii | sort >got
	[ -s want ]
	diff want got
done
E

more 'a text with accents has the stems that FTS5 finds' <<'E'
printf 'Caf\303\251 \303\211mile na\303\257ve; CAFE\314\201 12,500 \303\211t\303\251s' >text
fts5 text | "$BUILD/tool/words" terms "$stops" | sort >want
least 5 want
same "$(cat want)" "$("$BUILD/tool/words" counts "$stops" <text | sort)"
E

more 'a word of another stem is another term' <<'E'
echo 'cat 1' | "$BUILD/tool/words" terms "$stops" >want
least 1 want
same "$(cat want)" "$(echo cats | "$BUILD/tool/words" counts "$stops")"
[ "$(cat want)" != "$(echo caster | "$BUILD/tool/words" counts "$stops")" ]
E
done_testing
