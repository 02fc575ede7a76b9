#include "tap.h"
#include "json/json.h"
#include "toml/toml.h"

static struct arena *a;

static struct val *parsed(struct str text)
{
	struct val *v = NULL;
	struct err *e = toml_read(a, text, &v);

	return e ? NULL : v;
}

static void refused(struct str text, enum err_reason reason, const char *message)
{
	struct val *v = NULL;
	struct err *e = toml_read(a, text, &v);

	fails(e, reason, message);
	is_str(str_of(e ? err_message(e) : "success"), str_of(message), "and says so");
	ok(!v, "and gives no value");
}

/* A test's name may not have line ends. */
static const char *quoted(const char *text)
{
	struct buf b = buf_in(a);

	json_write_str(&b, str_of(text));
	return buf_as_cstr(&b);
}

/* The value in "x = VALUE", of the wanted type. */
static void reads(const char *value, enum val_type type, struct str want)
{
	const struct val *v = parsed(str_fmt(a, "x = %s\n", value));

	is_str(v && v->first->type == type ? v->first->s : STR("(refused)"), want, quoted(value));
}

static void scalars(void)
{
	/* clang-format off */
	static const char *const bad[] = {
		"1__0", "_1", "1_", "01", "-01", "0x", "0xg", "+0x1", "-0b1", "0X1", "0o8", "0b2",
		"0x_1", "1.", ".1", "1._1", "1_.1", "1e", "1e_1", "1.e1", "1e1.5", "00.1", "1.5.2",
		"++1", "+-1", "True", "tru", "truex", "Inf", "infx", "nul", "inf_", "1 2", "-",
		"+", "0e", "1e+", "x", "1979-5-27", "1979-13-01", "1979-00-01", "1979-04-31",
		"1979-02-29", "1900-02-29", "1979-05-00", "1979-05-27T", "1979-05-27T24:00:00",
		"1979-05-27T07:60:00", "1979-05-27T07:32:61", "1979-05-27T07:32",
		"1979-05-27T07:32:00.", "07:32", "7:32:00", "07:32:00Z",
		"1979-05-27T07:32:00+24:00", "1979-05-27T07:32:00+07", "1979-05-27X07:32:00",
		"1979-05-27T07:32:00-07:60", "1979-05-27  07:32:00", "1979-05-27Z", "19790-05-27",
		"1979-05-27 07:32:00 Z", "07:32:00-07:00", "'''a''''''", "\"\"\"a\"\"\"\"\"\"",
		"'a", "\"a", "'''a''", "\"\"\"a\"\"", "\"a\nb\"", "'a\nb'", "\"\\x\"", "\"\\u12\"",
		"\"\\ud800\"", "\"\\U00110000\"", "\"\\U0000004\"", "\"\\ \"", "\"\\\n\"",
		"\"\"\"\\ x\"\"\"", "\"\x01\"", "'\x7f'", "'''\r'''", "\"\"\"a\\\r b\"\"\"",
		"\"\\e\"", "[1 2]", "[1,,2]", "[,1]", "[1", "{a=1,}", "{,}", "{a=1 b=2}",
		"{a=1\n}", "{a}", "{a=1", "{a=}", "1 # \x01", "1 # \r x", "",
	};
	/* clang-format on */

	reads("0", VAL_NUM, STR("0"));
	reads("-0", VAL_NUM, STR("0"));
	reads("+1_000_000", VAL_NUM, STR("1000000"));
	reads("-9223372036854775808", VAL_NUM, STR("-9223372036854775808"));
	reads("0xDEAD_beef", VAL_NUM, STR("3735928559"));
	reads("0x7fffffffffffffff", VAL_NUM, STR("9223372036854775807"));
	reads("0o755", VAL_NUM, STR("493"));
	reads("0b0110", VAL_NUM, STR("6"));
	reads("0.10", VAL_NUM, STR("0.10"));
	reads("+6.626_1e-3_4", VAL_NUM, STR("6.6261e-34"));
	reads("1E05", VAL_NUM, STR("1E05"));
	reads("+inf", VAL_NUM, STR("inf"));
	reads("-inf", VAL_NUM, STR("-inf"));
	reads("-nan", VAL_NUM, STR("nan"));
	reads("1979-05-27T07:32:00.999999-07:30", VAL_TIME,
	      STR("1979-05-27T07:32:00.999999-07:30"));
	reads("1979-05-27 07:32:00z", VAL_TIME, STR("1979-05-27 07:32:00z"));
	reads("1979-05-27t23:59:60", VAL_TIME, STR("1979-05-27t23:59:60"));
	reads("2000-02-29", VAL_TIME, STR("2000-02-29"));
	reads("2024-02-29 # leap", VAL_TIME, STR("2024-02-29"));
	reads("07:32:00.5", VAL_TIME, STR("07:32:00.5"));
	ok(parsed(STR("x=true"))->first->b && !parsed(STR("x=false\r\n"))->first->b, "booleans");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ok(!parsed(str_fmt(a, "x = %s\n", bad[i])), "no value: %s", quoted(bad[i]));
}

static void strings(void)
{
	reads("\"\"", VAL_STR, STR(""));
	reads("''", VAL_STR, STR(""));
	reads("\"\\b\\t\\n\\f\\r\\\"\\\\\\u00e9\\U0001f600\"", VAL_STR,
	      STR("\b\t\n\f\r\"\\\xc3\xa9\xf0\x9f\x98\x80"));
	reads("\"a\\u0000b\"", VAL_STR, STR("a\0b"));
	reads("'c:\\no\\escape \"'", VAL_STR, STR("c:\\no\\escape \""));
	reads("\"\"\"\"\"\"", VAL_STR, STR(""));
	reads("\"\"\"\n a\n\"b\" \"\"c\"\"\"\"\"", VAL_STR, STR(" a\n\"b\" \"\"c\"\""));
	reads("\"\"\"\r\na\r\nb\"\"\"", VAL_STR, STR("a\r\nb"));
	reads("\"\"\"a \\  \n\n \t b\\\r\n c\"\"\"", VAL_STR, STR("a bc"));
	reads("\"\"\"a\\\"\"\"\"", VAL_STR, STR("a\""));
	reads("\"\"\"a\\\n\"\"\"", VAL_STR, STR("a"));
	reads("'''\n'a' ''b\\'''''", VAL_STR, STR("'a' ''b\\''"));
	reads("\"\ttab\"", VAL_STR, STR("\ttab"));
}

static void keys(void)
{
	const struct val *v = parsed(STR("\xef\xbb\xbf"
					 "a-_1=1\n3.14=2\n\"\"=3\n'q.r'.\"\\u0073\" . t=4 # x"));
	const struct val *dotted;

	ok(v && v->n == 4, "bare, dotted, empty and quoted keys");
	is_str(v->first->key, STR("a-_1"), "a bare key");
	ok(v->first->next->type == VAL_MAP && str_is(v->first->next->first->key, "14"),
	   "digits with a dot are two keys");
	dotted = v->last;
	is_str(dotted->key, STR("q.r"), "quotes hide a dot");
	ok(dotted->plain && dotted->first->plain, "tables that dots made say so");
	is_str(dotted->first->key, STR("s"), "a key with an escape");
	is_str(dotted->first->first->s, STR("4"), "its value");
	ok(parsed(STR(""))->type == VAL_MAP && parsed(STR(" \r\n# x\n"))->n == 0, "nothing at all");
	ok(parsed(STR("x=[\n 1, # one\n\n 2,\r\n]"))->first->n == 2, "lists run over lines");
	ok(parsed(STR("x={a.b=1,a.c={}, d=[{},]}"))->first->n == 2, "inline tables");
}

/* Keys that may be defined twice, and where: the two texts of a pair differ in one line. */
static void definitions(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *text;
		bool good;
	} t[] = {
		{"a header after its child's", "[a.b]\n[a]", true},
		{"a header twice", "[a]\n[a]", false},
		{"a header twice after its child's", "[a.b]\n[a]\n[a]", false},
		{"a child after its parent", "[a]\n[a.b]", true},
		{"a child of a dotted table", "[a]\nb.c=1\n[a.b.d]", true},
		{"a header of a dotted table", "[a]\nb.c=1\n[a.b]", false},
		{"a header of a root's dotted table", "a.b=1\n[a]", false},
		{"dots into a table with a header", "[a.b]\n[a]\nb.c=1", false},
		{"dots into a table with a header below", "[a.b.c]\n[a]\nb.c.d=1", false},
		{"dots into a table of its parents", "[a.b.c]\n[a]\nb.d=1", true},
		{"which is then defined", "[a.b.c]\n[a]\nb.d=1\n[a.b]", false},
		{"dots twice", "a.b=1\na.c=2", true},
		{"dots apart", "a.b=1\nx=1\na.c=2", true},
		{"dots into a value", "a=1\na.b=2", false},
		{"a value over dots", "a.b=1\na=2", false},
		{"a key twice", "a=1\na=1", false},
		{"a key twice, quoted", "a=1\n\"\\u0061\"=1", false},
		{"a key over a table", "[a.b]\n[a]\nb=1", false},
		{"a header over a value", "a=1\n[a]", false},
		{"a header through a value", "a=1\n[a.b]", false},
		{"a header through an inline table", "a={}\n[a.b]", false},
		{"a header over an inline table", "a={}\n[a]", false},
		{"dots into an inline table", "a={b=1}\na.c=2", false},
		{"dots within an inline table", "a={b.c=1,b.d=2}", true},
		{"dots into an inline table within one", "a={b={},b.c=1}", false},
		{"a header through a table in a list", "a=[{}]\n[a.b]", false},
		{"an element of a list", "a=[{}]\n[[a]]", false},
		{"an element of an empty list", "a=[]\n[[a]]", false},
		{"elements", "[[a]]\n[[a]]", true},
		{"a header over elements", "[[a]]\n[a]", false},
		{"elements over a header", "[a]\n[[a]]", false},
		{"elements over a table of its children", "[a.b]\n[[a]]", false},
		{"a child of the last element", "[[a]]\n[a.b]\n[[a]]\n[a.b]", true},
		{"a child of an element twice", "[[a]]\n[a.b]\n[a.b]", false},
		{"dots into elements", "[[a.b]]\n[a]\nb.c=1", false},
		{"elements of an element", "[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]", true},
		{"two values in a line", "a=1 b=2", false},
		{"text after a header", "[a] b=1", false},
		{"a comment after a header", "[ a . 'b' ] # c", true},
		{"blanks between brackets", "[ [a]]", false},
		{"blanks between closing brackets", "[[a] ]", false},
		{"a header over lines", "[a\n]", false},
		{"an empty header", "[]", false},
		{"an empty part", "[a..b]", false},
		{"a dot at the end", "a.=1", false},
		{"a multi-line key", "\"\"\"a\"\"\"=1", false},
		{"a value in the next line", "a=\n1", false},
		{"no value", "a", false},
		{"a lone carriage return", "a=1\rb=2", false},
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool good = parsed(str_of(t[i].text)) != NULL;

		ok(good == t[i].good, "%s is %s", t[i].name, t[i].good ? "fine" : "refused");
	}
}

static void messages(void)
{
	refused(STR("a = 1\n[b]\nx = nope\n"), E_BAD_TOML,
		"line 3, column 5: 'nope' is not a number, a date, true or false; a string needs "
		"quotes");
	refused(STR("a ="), E_BAD_TOML, "line 1, column 4: expected a value, but the text ends");
	refused(STR("a = # x"), E_BAD_TOML, "line 1, column 5: expected a value, found '#'");
	refused(STR("a\n"), E_BAD_TOML,
		"line 1, column 2: expected '=' or '.' after a key, but the line ends");
	refused(STR("= 1"), E_BAD_TOML, "line 1, column 1: expected a key, found '='");
	refused(STR("a = 1 2"), E_BAD_TOML,
		"line 1, column 7: expected the end of the line, found '2'");
	refused(STR("a = 1 \xc3\xa9"), E_BAD_TOML,
		"line 1, column 7: expected the end of the line, found U+00E9");
	refused(STR("[a\n"), E_BAD_TOML,
		"line 1, column 3: expected ']' or '.' after a table's name, but the line ends");
	refused(STR("[[a]\n"), E_BAD_TOML,
		"line 1, column 5: expected a second ']', but the line ends");
	refused(STR("a = [1\n\n2]"), E_BAD_TOML,
		"line 3, column 1: expected ',' or ']' in a list, found '2'");
	refused(STR("a = {b = 1\n}"), E_BAD_TOML,
		"line 1, column 11: expected ',' or '}' in an inline table, but the line ends");
	refused(STR("\na = \"x\n"), E_BAD_TOML,
		"line 2, column 5: this string is not closed by \" in its line");
	refused(STR("a = '''x\n''"), E_BAD_TOML,
		"line 1, column 5: this string is not closed by '''");
	refused(STR("a = \"x\0\""), E_BAD_TOML,
		"line 1, column 7: control character 0x00 in a string");
	refused(STR("# x\x7f"), E_BAD_TOML,
		"line 1, column 4: control character 0x7F in a comment");
	refused(STR("a = \"\\q\""), E_BAD_TOML,
		"line 1, column 6: a backslash may only stand before one of \"\\bfnrtuU");
	refused(STR("a = \"\\u12\""), E_BAD_TOML,
		"line 1, column 6: expected 4 hexadecimal digits after \\u");
	refused(STR("a = \"\\UffFFffFF\""), E_BAD_TOML,
		"line 1, column 6: U+FFFFFFFF is not a character");
	refused(STR("a = 9223372036854775808"), E_BAD_TOML,
		"line 1, column 5: an integer is between -9223372036854775808 and "
		"9223372036854775807");
	refused(STR("a = 0x8000_0000_0000_0000"), E_BAD_TOML,
		"line 1, column 5: an integer is between -9223372036854775808 and "
		"9223372036854775807");
	refused(STR("a = 2023-02-29"), E_BAD_TOML,
		"line 1, column 5: this month does not have that day");
	refused(STR("a = 07:61:00"), E_BAD_TOML,
		"line 1, column 5: a time is between 00:00:00 and 23:59:60");
	refused(STR("a.b = 1\n[x]\n[a]\n"), E_BAD_TOML,
		"line 3, column 2: a is already a table made by dotted keys (line 1)");
	refused(STR("a = {}\n\n[a.'b c'.d]\n"), E_BAD_TOML,
		"line 3, column 2: a is already an inline table, to which nothing can be added "
		"(line 1)");
	refused(STR("\"k k\" = 1\n\"k k\" = 2\n"), E_BAD_TOML,
		"line 2, column 1: \"k k\" is already a number (line 1)");
	refused(STR("a = 1\nb = \"\xff\"\n"), E_BAD_UTF8,
		"line 2, column 6: byte 0xFF is not UTF-8");
	refused(STR("\xff\xfe"
		    "a\0"),
		E_BAD_UTF8, "line 1, column 1: byte 0xFF is not UTF-8");
	refused(STR("a = '\xed\xa0\x80'"), E_BAD_UTF8, "line 1, column 6: byte 0xED is not UTF-8");
	refused(STR("a = 1\n\xef\xbb\xbf"
		    "b = 1"),
		E_BAD_TOML, "line 2, column 1: expected a key, found U+FEFF");
}

static struct str repeated(const char *before, const char *part, size_t n, const char *after)
{
	struct buf b = buf_in(a);

	buf_puts(&b, before);
	for (size_t i = 0; i < n; i++)
		buf_puts(&b, part);
	buf_puts(&b, after);
	return buf_as_str(&b);
}

static void limits(void)
{
	struct buf b = buf_in(a);
	const struct val *v;

	buf_put(&b, repeated("x=", "[", 127, ""));
	buf_put(&b, repeated("", "]", 127, ""));
	ok(parsed(buf_as_str(&b)) != NULL, "127 lists in a table");
	refused(repeated("x=", "[", 1000000, ""), E_TOO_DEEP,
		"line 1, column 130: more than 128 levels of lists and tables");
	refused(repeated("x=", "{a=", 1000000, ""), E_TOO_DEEP,
		"line 1, column 384: more than 128 levels of lists and tables");
	refused(repeated("", "a.", 1000000, "a=1"), E_TOO_DEEP,
		"line 1, column 255: more than 128 levels of lists and tables");
	refused(repeated("[", "a.", 1000000, "a]"), E_TOO_DEEP,
		"line 1, column 256: more than 128 levels of lists and tables");
	ok(parsed(repeated("", "a.", 127, "a=1")) != NULL, "127 dots");
	refused(repeated("[[", "a.", 126, "a]]"), E_TOO_DEEP,
		"line 1, column 255: more than 128 levels of lists and tables");
	/* Quadratic for a reader that looks at one key after the other. */
	b.n = 0;
	for (size_t i = 0; i < 100000; i++)
		buf_fmt(&b, "k%zu = 1\n", (i * 7919) % 100000);
	for (size_t i = 0; i < 100000; i++)
		buf_fmt(&b, "[t%zu.u]\n", i);
	v = parsed(buf_as_str(&b));
	ok(v && v->n == 200000, "many keys");
	ok(str_is(v->first->next->key, "k7919"), "in the order of the text");
	buf_puts(&b, "[t500]\nx=1\n[t500]\n");
	refused(buf_as_str(&b), E_BAD_TOML,
		"line 200003, column 2: t500 is already a table (line 200001)");
}

/* Line, column and text of a span. */
static void is_at(struct str text, struct span at, size_t line, size_t column, const char *want)
{
	struct place from = str_place_of_offset(text, at.from);

	ok(from.line == line && from.column == column, "%s is at %zu:%zu", quoted(want), line,
	   column);
	is_str(str_sub(text, at.from, at.to), str_of(want), "and that is all");
}

static void spans(void)
{
	struct str text = STR("title = 'T' # x\n"
			      "[dependencies]\n"
			      "serde = { version = \"1.0\", \"features\" = [ 'derive' ] }\n"
			      "  a . \"b\".c=1_0\r\n"
			      "[target.'cfg(unix)'.dependencies]\n"
			      "when = 1979-05-27 07:32:00 # y\n"
			      "[[ package ]]\n"
			      "name = \"\"\"\nx\"\"\"\n"
			      "[[package]]\n"
			      "name = 'y'\n"
			      "[target]\n");
	const struct val *v = parsed(text), *deps, *serde, *target, *package;

	if (!v) {
		ok(false, "the example is read");
		return;
	}
	is_at(text, v->first->key_at, 1, 1, "title");
	is_at(text, v->first->at, 1, 9, "'T'");
	deps = val_get(v, "dependencies");
	is_at(text, deps->key_at, 2, 2, "dependencies");
	is_at(text, deps->at, 2, 1, "[dependencies]");
	serde = deps->first;
	is_at(text, serde->key_at, 3, 1, "serde");
	is_at(text, serde->at, 3, 9, "{ version = \"1.0\", \"features\" = [ 'derive' ] }");
	is_at(text, serde->first->key_at, 3, 11, "version");
	is_at(text, serde->first->at, 3, 21, "\"1.0\"");
	is_at(text, serde->last->key_at, 3, 28, "\"features\"");
	is_at(text, serde->last->at, 3, 41, "[ 'derive' ]");
	is_at(text, serde->last->first->at, 3, 43, "'derive'");
	is_at(text, deps->last->key_at, 4, 3, "a");
	is_at(text, deps->last->at, 4, 3, "a");
	is_at(text, deps->last->first->key_at, 4, 7, "\"b\"");
	is_at(text, deps->last->first->first->key_at, 4, 11, "c");
	is_at(text, deps->last->first->first->at, 4, 13, "1_0");
	target = val_get(v, "target");
	is_at(text, target->first->key_at, 5, 9, "'cfg(unix)'");
	is_at(text, target->first->at, 5, 9, "'cfg(unix)'");
	is_at(text, target->first->first->key_at, 5, 21, "dependencies");
	is_at(text, target->first->first->first->at, 6, 8, "1979-05-27 07:32:00");
	is_at(text, target->key_at, 12, 2, "target");
	is_at(text, target->at, 12, 1, "[target]");
	package = val_get(v, "package");
	ok(package->type == VAL_LIST && package->n == 2, "a list of tables");
	is_at(text, package->key_at, 7, 4, "package");
	is_at(text, package->at, 7, 1, "[[ package ]]");
	is_at(text, package->first->at, 7, 1, "[[ package ]]");
	is_at(text, package->last->at, 10, 1, "[[package]]");
	is_at(text, package->first->first->at, 8, 8, "\"\"\"\nx\"\"\"");
	is_str(package->last->first->s, STR("y"), "the last element's name");
	ok(v->at.from == 0 && v->at.to == text.n, "the document's span is all of it");
	ok(package->last->first->s.p == text.p + package->last->first->at.from + 1,
	   "strings without escapes borrow from the text");
}

int main(void)
{
	a = arena_new();
	scalars();
	strings();
	keys();
	definitions();
	messages();
	limits();
	spans();
	arena_free(a);
	return tap_done();
}
