#include "tap.h"
#include "json/json.h"

static struct arena *a;

static struct val *parsed(struct str text)
{
	struct val *v = NULL;
	struct err *e = json_read(a, text, NULL, &v);

	return e ? NULL : v;
}

/* One string in a list: what it decodes to. */
static struct str decoded(struct str text)
{
	const struct val *v = parsed(text);

	return v && v->first && v->first->type == VAL_STR ? v->first->s : STR("(refused)");
}

static void refused(struct str text, enum err_reason reason, const char *message)
{
	struct val *v = NULL;
	struct err *e = json_read(a, text, NULL, &v);

	fails(e, reason, message);
	is_str(str_of(e ? err_message(e) : "success"), str_of(message), "and says so");
	ok(!v, "and gives no value");
}

static void accepts(void)
{
	const struct val *v;

	ok(parsed(STR("null"))->type == VAL_NULL, "null alone");
	ok(parsed(STR(" \t\r\ntrue\n"))->b, "true between blanks");
	ok(!parsed(STR("false"))->b, "false");
	is_str(parsed(STR("\"\""))->s, STR(""), "an empty string");
	ok(parsed(STR("[]"))->n == 0 && parsed(STR("{ }"))->n == 0, "an empty list and object");
	v = parsed(STR("[1,[2,{\"a\":[]}],{}]"));
	ok(v->n == 3 && v->first->next->last->first->type == VAL_LIST, "lists and objects nest");
	v = parsed(STR("{\"b\":1,\"a\":2,\"\":3}"));
	ok(str_is(v->first->key, "b") && str_is(v->last->key, ""), "members keep their order");
	ok(parsed(STR("\xef\xbb\xbf{}"))->type == VAL_MAP, "a byte order mark is skipped");
	is_str(decoded(STR("[\"a\\u0000b\"]")), STR("a\0b"), "an escaped NUL is data");
	is_str(parsed(STR("{\"a\\u0000b\":1}"))->first->key, STR("a\0b"), "in a name too");
	is_str(decoded(STR("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]")), STR("\"\\/\b\f\n\r\t"), "escapes");
	is_str(decoded(STR("[\"\\u00e9\\u20AC\\ud83d\\ude00x\"]")),
	       STR("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80x"), "code points as escapes");
	is_str(decoded(STR("[\"gr\xc3\xbc\xc3\x9f"
			   "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80\"]")),
	       STR("gr\xc3\xbc\xc3\x9f"
		   "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80"),
	       "UTF-8");
	is_str(decoded(STR("[\"\x7f\xf4\x8f\xbf\xbf\"]")), STR("\x7f\xf4\x8f\xbf\xbf"),
	       "DEL and the last code point");
}

static void numbers(void)
{
	static const char *const good[] = {
		"0",
		"-0",
		"9007199254740993",
		"9223372036854775808",
		"18446744073709551616",
		"1e5",
		"1E+05",
		"-1.5e-300",
		"1e400",
		"0.1",
		"123456789012345678901234567890.123456789012345678901234567890",
	};
	static const char *const bad[] = {"01",    "-01",  "1.",       ".5",  "-",   "+1",   "1e",
					  "1e+",   "1.e1", "0x10",     "1_",  "NaN", "-Inf", "--1",
					  "1.2.3", "0e",   "Infinity", "1 2", "00",  "1e1.5"};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct val *v = parsed(str_of(good[i]));

		is_str(v && v->type == VAL_NUM ? v->s : STR("(refused)"), str_of(good[i]),
		       "a number keeps its text");
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ok(!parsed(str_of(bad[i])), "%s is no number", bad[i]);
}

/* Each of these is accepted by mistake by some reader in use. */
static void refuses(void)
{
	refused(STR(""), E_BAD_JSON, "line 1, column 1: expected a value, but the text ends");
	refused(STR("{} x"), E_BAD_JSON,
		"line 1, column 4: expected nothing after the value, found 'x'");
	refused(STR("{}\0"), E_BAD_JSON,
		"line 1, column 3: expected nothing after the value, found U+0000");
	refused(STR("[1 \0]"), E_BAD_JSON,
		"line 1, column 4: expected ',' or ']' after a value, found U+0000");
	refused(STR("[\x01 1]"), E_BAD_JSON, "line 1, column 2: expected a value, found U+0001");
	refused(STR("{\n\"a\": 1\n  \"b\": 2}"), E_BAD_JSON,
		"line 3, column 3: expected ',' or '}' after a member, found '\"'");
	refused(STR("[1,]"), E_BAD_JSON, "line 1, column 4: expected a value, found ']'");
	refused(STR("[,1]"), E_BAD_JSON, "line 1, column 2: expected a value, found ','");
	refused(STR("{,}"), E_BAD_JSON,
		"line 1, column 2: expected a member's name in quotes, or '}', found ','");
	refused(STR("{\"a\":1,}"), E_BAD_JSON,
		"line 1, column 8: expected the next member's name in quotes, found '}'");
	refused(STR("{a:1}"), E_BAD_JSON,
		"line 1, column 2: expected a member's name in quotes, or '}', found 'a'");
	refused(STR("{\"a\" 1}"), E_BAD_JSON,
		"line 1, column 6: expected ':' after a member's name, found '1'");
	refused(STR("[1}"), E_BAD_JSON,
		"line 1, column 3: expected ',' or ']' after a value, found '}'");
	refused(STR("[1"), E_BAD_JSON,
		"line 1, column 3: expected ',' or ']' after a value, but the text ends");
	refused(STR("[// x\n1]"), E_BAD_JSON, "line 1, column 2: expected a value, found '/'");
	refused(STR("['a']"), E_BAD_JSON, "line 1, column 2: expected a value, found '''");
	refused(STR("[tru]"), E_BAD_JSON, "line 1, column 2: expected a value, found 't'");
	refused(STR("-x"), E_BAD_JSON, "line 1, column 2: expected a digit, found 'x'");
	refused(STR("01"), E_BAD_JSON, "line 1, column 1: a number may not begin with 0");
	refused(STR("\xff\xfe[\0]\0"), E_BAD_UTF8,
		"line 1, column 1: expected a value, found byte 0xFF (not UTF-8)");
	refused(STR("[\xc2\xa0"
		    "1]"),
		E_BAD_JSON, "line 1, column 2: expected a value, found U+00A0");
	refused(STR("[\xef\xbb\xbf]"), E_BAD_JSON,
		"line 1, column 2: expected a value, found U+FEFF");
}

static void strings_refused(void)
{
	struct val *v;

	refused(STR("[\"abc"), E_BAD_JSON, "line 1, column 2: this string has no closing quote");
	refused(STR("[\"abc\\"), E_BAD_JSON, "line 1, column 2: this string has no closing quote");
	refused(STR("[\"abc\\\"]"), E_BAD_JSON,
		"line 1, column 2: this string has no closing quote");
	refused(STR("[\"a\0b\"]"), E_BAD_JSON,
		"line 1, column 4: control character 0x00 in a string: write \\u0000");
	refused(STR("[\"12345678\n\"]"), E_BAD_JSON,
		"line 1, column 11: control character 0x0A in a string: write \\u000a");
	refused(STR("[\"\\\x1f\"]"), E_BAD_JSON,
		"line 1, column 4: control character 0x1F in a string: write \\u001f");
	refused(STR("[\"12345678\xff\"]"), E_BAD_UTF8,
		"line 1, column 11: byte 0xFF in a string is not UTF-8");
	refused(STR("[\"\xc0\xaf\"]"), E_BAD_UTF8,
		"line 1, column 3: byte 0xC0 in a string is not UTF-8");
	refused(STR("[\"\xe0\x80\xaf\"]"), E_BAD_UTF8,
		"line 1, column 3: byte 0xE0 in a string is not UTF-8");
	refused(STR("[\"\xed\xa0\x80\"]"), E_BAD_UTF8,
		"line 1, column 3: byte 0xED in a string is not UTF-8");
	refused(STR("[\"\xf4\x90\x80\x80\"]"), E_BAD_UTF8,
		"line 1, column 3: byte 0xF4 in a string is not UTF-8");
	refused(STR("[\"\xe2\x82"), E_BAD_UTF8,
		"line 1, column 3: byte 0xE2 in a string is not UTF-8");
	refused(STR("[\"\\\xff\"]"), E_BAD_UTF8,
		"line 1, column 4: byte 0xFF in a string is not UTF-8");
	refused(STR("[\"\\\xc3\xa9\"]"), E_BAD_JSON,
		"line 1, column 3: a backslash may only stand before one of \"\\/bfnrtu");
	refused(STR("[\"\\x41\"]"), E_BAD_JSON,
		"line 1, column 3: a backslash may only stand before one of \"\\/bfnrtu");
	refused(STR("[\"\\U0041\"]"), E_BAD_JSON,
		"line 1, column 3: a backslash may only stand before one of \"\\/bfnrtu");
	refused(STR("[\"a\\u12G4\"]"), E_BAD_JSON,
		"line 1, column 4: expected four hexadecimal digits after \\u");
	refused(STR("[\"\\u123\"]"), E_BAD_JSON,
		"line 1, column 3: expected four hexadecimal digits after \\u");
	refused(STR("[\"\\ud800\"]"), E_BAD_UTF8,
		"line 1, column 3: \\ud800 is half a surrogate pair, not a character");
	refused(STR("[\"\\udc00\\ud800\"]"), E_BAD_UTF8,
		"line 1, column 3: \\udc00 is half a surrogate pair, not a character");
	refused(STR("[\"\\udc00\\udc00\"]"), E_BAD_UTF8,
		"line 1, column 3: \\udc00 is half a surrogate pair, not a character");
	refused(STR("[\"\\ud800\\u0041\"]"), E_BAD_UTF8,
		"line 1, column 3: \\ud800 is half a surrogate pair, not a character");
	refused(STR("[\"\\ud83d\\ud83d\\ude00\"]"), E_BAD_UTF8,
		"line 1, column 3: \\ud83d is half a surrogate pair, not a character");
	works(json_read(a, STR("[\"\\ud83d\\ud83d\\ude00\\udc00\"]"),
			&(struct json_limits){.halves = true}, &v),
	      "a reader may take halves of pairs");
	is_str(v->first->s, STR("\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd"),
	       "U+FFFD stands for each");
}

static struct str many_names(size_t n, const char *last)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "{");
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b, "\"k%zu\":%zu,\n", i, i);
	buf_fmt(&b, "\"%s\":0}", last);
	return buf_as_str(&b);
}

/* Names that all want one place in the reader's table of hashes. */
static struct str crowd(size_t n)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "{\n");
	for (size_t i = 0, found = 0; found < n; i++) {
		struct str name = str_fmt(a, "%zu", i);

		if ((str_hash(name) >> 8) % 1024)
			continue;
		buf_fmt(&b, "\"%s\": 1,\n", name.p);
		found++;
	}
	return buf_as_str(&b);
}

static void duplicates(void)
{
	struct str many = crowd(100);

	refused(STR("{\"a\":1,\n\"a\":1}"), E_BAD_JSON,
		"line 2, column 1: the name \"a\" occurs twice in this object (first in "
		"line 1)");
	refused(STR("{\"a\":1,\"\\u0061\":1}"), E_BAD_JSON,
		"line 1, column 8: the name \"a\" occurs twice in this object (first in "
		"line 1)");
	refused(STR("[{\"a\\n\\u0000\":1,\"a\\n\\u0000\":1}]"), E_BAD_JSON,
		"line 1, column 17: the name \"a\\n\\u0000\" occurs twice in this object "
		"(first in line 1)");
	refused(many_names(1000, "k998"), E_BAD_JSON,
		"line 1001, column 1: the name \"k998\" occurs twice in this object "
		"(first in line 999)");
	refused(many_names(8, "k0"), E_BAD_JSON,
		"line 9, column 1: the name \"k0\" occurs twice in this object "
		"(first in line 1)");
	ok(parsed(many_names(50000, "k50000"))->n == 50001, "many different names are none");
	ok(parsed(str_fmt(a, "%.*s\"\":1}", STR_ARG(many)))->n == 101, "names that crowd are none");
	ok(!parsed(str_fmt(a, "%.*s\"\":1, \"\":1}", STR_ARG(many))), "a duplicate in a crowd");
	ok(parsed(STR("{\"a\":1,\"A\":1}"))->n == 2, "the case of names counts");
	ok(parsed(STR("[{\"a\":1},{\"a\":{\"a\":1}}]"))->n == 2, "the same name in two objects");
}

static struct str nested(size_t depth)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < depth; i++)
		buf_puts(&b, i % 2 ? "{\"\":" : "[");
	buf_puts(&b, "0");
	for (size_t i = depth; i-- > 0;)
		buf_puts(&b, i % 2 ? "}" : "]");
	return buf_as_str(&b);
}

static void limits(void)
{
	struct buf open = buf_in(a);
	struct val *v;
	struct err *e;

	ok(parsed(nested(128)), "128 levels");
	refused(nested(129), E_TOO_DEEP,
		"line 1, column 321: more than 128 levels of lists and objects");
	works(json_read(a, nested(3), &(struct json_limits){.depth = 3}, &v),
	      "a limit of one's own");
	fails(json_read(a, nested(4), &(struct json_limits){.depth = 3}, &v), E_TOO_DEEP,
	      "is held");
	for (size_t i = 0; i < 1000000; i++)
		buf_putc(&open, '[');
	fails(json_read(a, buf_as_str(&open), NULL, &v), E_TOO_DEEP, "a million brackets");
	works(json_read(a, nested(100000), &(struct json_limits){.depth = 100000}, &v),
	      "reading needs no stack");
	works(json_read(a, STR("[1]"), &(struct json_limits){.bytes = 3}, &v),
	      "as long as allowed");
	e = json_read(a, STR("[1,\n2]"), &(struct json_limits){.bytes = 5}, &v);
	fails(e, E_TOO_LONG, "a byte more");
	is_str(str_of(err_message(e)),
	       STR("line 2, column 2: 6 bytes are more than the limit of 5"), "and says so");
}

static void spans(void)
{
	struct str text = STR("{ \"k\\u0041\" : [ 12 , \"s\" ] ,\n\t\"t\":true }");
	const struct val *v = parsed(text), *list = v->first, *t = v->last;
	struct err *e;
	struct val *details, *none;

	is_str(str_sub(text, v->at.from, v->at.to), text, "the span of an object");
	is_str(str_sub(text, list->key_at.from, list->key_at.to), STR("\"k\\u0041\""), "of a name");
	is_str(list->key, STR("kA"), "which is decoded");
	is_str(str_sub(text, list->at.from, list->at.to), STR("[ 12 , \"s\" ]"), "of a list");
	is_str(str_sub(text, list->first->at.from, list->first->at.to), STR("12"), "of a number");
	is_str(str_sub(text, list->last->at.from, list->last->at.to), STR("\"s\""), "of a string");
	is_str(str_sub(text, t->at.from, t->at.to), STR("true"), "of a word");
	ok(str_place_of_offset(text, t->key_at.from).line == 2 &&
		   str_place_of_offset(text, t->key_at.from).column == 2,
	   "line and column of a name");
	ok(list->last->s.p == text.p + list->last->at.from + 1, "strings borrow from the text");

	e = json_read(a, STR("[\n  x]"), NULL, &none);
	details = val_get(err_envelope(a, e), "details");
	is_str(val_get(details, "line")->s, STR("2"), "an error's details have the line");
	is_str(val_get(details, "column")->s, STR("3"), "and the column");
}

static struct str written(const struct val *v, unsigned indent)
{
	struct buf b = buf_in(a);

	json_write(&b, v, indent);
	return buf_as_str(&b);
}

static void writes(void)
{
	struct str line =
		STR("{\"b\":[1,-2.50,\"x\"],\"a\":{},\"\":[],\"t\":true,\"f\":false,\"n\":null}");
	struct val *v = parsed(line), *num;
	struct buf b;

	is_str(written(v, 0), line, "one line, members in order, numbers as read");
	is_str(written(parsed(STR("{\"a\":[1,{\"b\":2}],\"c\":[]}")), 2),
	       STR("{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": []\n}"),
	       "indented");
	is_str(written(val_str(a, STR("\"\\/\b\f\n\r\t\x01\x1f\x7f\0z")), 0),
	       STR("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\\u0000z\""), "escapes");
	is_str(written(val_str(a, STR("a\xff"
				      "b\xed\xa0\x80\xc3\xa9")),
		       0),
	       STR("\"a\xef\xbf\xbd"
		   "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\""),
	       "bytes that are not UTF-8 become U+FFFD");
	num = val_int(a, 7);
	num->type = VAL_TIME;
	num->s = STR("1979-05-27");
	is_str(written(num, 0), STR("\"1979-05-27\""), "a date is a string");
	num->type = VAL_NUM;
	num->s = STR("-inf");
	is_str(written(num, 0), STR("\"-inf\""), "and so is a number that JSON cannot write");
	num->s = STR("007");
	is_str(written(num, 0), STR("\"007\""), "or would read otherwise");
	num->s = STR("1.5E+07");
	is_str(written(num, 0), STR("1.5E+07"), "an exponent is fine");
	b = buf_with_max(a, 10);
	json_write(&b, v, 2);
	ok(b.cut && b.n == 10, "a buffer's maximum holds");
}

int main(void)
{
	a = arena_new();
	accepts();
	numbers();
	refuses();
	strings_refused();
	duplicates();
	limits();
	spans();
	writes();
	arena_free(a);
	return tap_done();
}
