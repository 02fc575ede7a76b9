#include "tap.h"
#include "yaml/yaml.h"

static struct arena *a;

static const struct val *ok_yaml(const char *text, const char *what)
{
	struct val *v = val_null(a);

	works(yaml_read(a, str_of(text), STR(""), 0, &v), what);
	return v;
}

static void is_err(struct str text, enum err_reason reason, const char *message, const char *what)
{
	struct val *v;
	struct err *e = yaml_read(a, text, STR(""), 0, &v);

	fails(e, reason, what);
	if (e && message)
		is_str(str_of(err_message(e)), str_of(message), what);
}

static void schema(void)
{
	static const struct {
		const char *text;
		enum val_type type;
	} rows[] = {{"~", VAL_NULL},         {"null", VAL_NULL},    {"NULL", VAL_NULL},
		    {"nUll", VAL_STR},       {"true", VAL_BOOL},    {"False", VAL_BOOL},
		    {"yes", VAL_STR},        {"on", VAL_STR},       {"12", VAL_NUM},
		    {"-0", VAL_NUM},         {"1.50", VAL_NUM},     {"1e3", VAL_NUM},
		    {"+1", VAL_STR},         {"012", VAL_STR},      {"0x1F", VAL_STR},
		    {".5", VAL_STR},         {"1.", VAL_STR},       {".inf", VAL_STR},
		    {"1_000", VAL_STR},      {"1.2.3", VAL_STR},    {"2024-01-02", VAL_STR},
		    {"'12'", VAL_STR},       {"\"true\"", VAL_STR}, {"!!str 12", VAL_STR},
		    {"!!int '12'", VAL_NUM}, {"!Ref 12", VAL_STR},  {"! 12", VAL_STR}};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct val *v = ok_yaml(rows[i].text, rows[i].text);

		is_int(v->type, rows[i].type, rows[i].text);
	}
	is_str(ok_yaml("1.50", "a number")->s, STR("1.50"), "a number keeps its text");
	ok(ok_yaml("a b", "plain")->plain && !ok_yaml("'a'", "quoted")->plain, "plain is told");
	ok(ok_yaml("TRUE", "true")->b, "TRUE is true");
	ok(ok_yaml("", "nothing")->type == VAL_NULL, "an empty text is null");
	ok(ok_yaml("# note\n---\n...\n", "a comment")->type == VAL_NULL,
	   "an empty document is null");
	is_str(ok_yaml("\"a\\0b\"", "an escape")->s, STR("a\0b"), "an escaped NUL is data");
	is_str(val_get_str(ok_yaml("1: x", "a number as key"), "1"), STR("x"), "keys are text");
	is_str(val_get_str(ok_yaml("? a\n: x", "a question mark"), "a"), STR("x"), "complex form");
	is_str(val_get_str(ok_yaml("{\"a\":x}", "flow"), "a"), STR("x"), "flow mapping");
}

static struct str part(const char *text, struct span at)
{
	return str_sub(str_of(text), at.from, at.to);
}

static void spans(void)
{
	static const char text[] =
		"\xef\xbb\xbf# gr\xc3\xbc\xc3\x9f"
		"e\r\n"
		"\xe2\x9c\x85: \"\xf0\x9f\x98\x80 x\"\r\n"
		"list:\r\n  - eins\r\n  - 'zw\xc3\xb6lf'   # r\r\n  - {k: [1, 2]}\r\n  -\r\n"
		"block: |\r\n  \xc3\xa4\r\n  b\r\n\r\n# end\r\nmap:\r\n  a: &x one\r\n  b: *x\r\nlast: end";
	const struct val *v = ok_yaml(text, "a text with a BOM, CRLF and wide characters");
	const struct val *list = val_get(v, "list"), *map = val_get(v, "map");

	is_int((long long)v->n, 5, "every key was seen");
	is_str(part(text, v->first->key_at), STR("\xe2\x9c\x85"), "span of a key");
	is_str(part(text, v->first->at), STR("\"\xf0\x9f\x98\x80 x\""), "span of a quoted value");
	is_str(part(text, list->first->at), STR("eins"), "span of a plain value");
	is_str(part(text, list->first->next->at), STR("'zw\xc3\xb6lf'"), "behind wide characters");
	is_str(part(text, list->first->next->next->at), STR("{k: [1, 2]}"), "span of a flow map");
	ok(list->last->type == VAL_NULL && list->last->at.from == list->last->at.to,
	   "an empty entry is null and has no width");
	is_str(val_get_str(v, "block"), STR("\xc3\xa4\nb\n"), "a block scalar");
	is_str(part(text, val_get(v, "block")->at), STR("|\r\n  \xc3\xa4\r\n  b"),
	       "a block scalar ends with its last line");
	is_str(part(text, map->at), STR("a: &x one\r\n  b: *x"),
	       "a block map ends with its last value");
	is_str(val_get_str(map, "b"), STR("one"), "an alias is its anchor's value");
	is_str(part(text, map->last->at), STR("*x"), "and has its own span");
	is_str(part(text, v->last->at), STR("end"), "the last value");
	is_int((long long)v->at.to, (long long)sizeof(text) - 1, "the text ends with it");

	/* Every mark on both sides of the sparse table's steps. */
	struct buf b = buf_in(a);
	struct val *long_list;
	bool right = true;

	for (int i = 0; i < 500; i++)
		buf_fmt(&b, "- \xc3\xa4%d\n", i);
	works(yaml_read(a, buf_as_str(&b), STR(""), 0, &long_list), "a long list");
	VAL_EACH(long_list, m)
		right = right && str_eq(m->s, str_sub(buf_as_str(&b), m->at.from, m->at.to));
	ok(right, "every span holds its value");
}

static void parts(void)
{
	struct str whole = STR("# Title\n\n```yaml\na: 1\nb: [\n```\n");
	struct str text = str_sub(whole, 17, 22);
	struct val *v;
	struct err *e;

	works(yaml_read(a, text, whole, 17, &v), "a part of a file");
	is_str(str_sub(whole, v->first->at.from, v->first->at.to), STR("1"), "spans of the file");
	e = yaml_read(a, str_sub(whole, 17, 28), whole, 17, &v);
	fails(e, E_BAD_YAML, "an error in a part");
	ok(e && str_starts(str_of(err_message(e)), STR("line 6, column 1: ")),
	   "is told by its line");
	struct val *details = val_get(err_envelope(a, e), "details");
	int64_t line = 0;

	ok(val_as_int(val_get(details, "line"), &line) && line == 6, "and in the details");
}

static struct str repeat(const char *s, size_t n)
{
	struct buf b = buf_in(a);

	while (n--)
		buf_puts(&b, s);
	return buf_as_str(&b);
}

static struct str laughs(size_t levels)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "a0: &a0 x\n");
	for (size_t i = 1; i <= levels; i++)
		buf_fmt(&b,
			"a%zu: &a%zu [*a%zu, *a%zu, *a%zu, *a%zu, *a%zu, *a%zu, *a%zu, *a%zu, *a%zu]\n",
			i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	return buf_as_str(&b);
}

static void refused(void)
{
	struct val *v;

	is_err(STR("a: 1\nb: 2\na: 3\n"), E_BAD_YAML,
	       "line 3, column 1: key 'a' is given twice in one mapping", "a duplicate key");
	is_err(STR("{a: 1, \"a\": 2}"), E_BAD_YAML, NULL, "a duplicate in other quotes");
	is_err(STR("[a]: 1\n"), E_BAD_YAML,
	       "line 1, column 1: a key must be a word or a string, not a list or a mapping",
	       "a list as key");
	is_err(STR("a: &x [1]\n*x : 2\n"), E_BAD_YAML, NULL, "an alias of a list as key");
	is_err(STR("a: 1\n---\nb: 2\n"), E_BAD_YAML,
	       "line 2, column 1: a second document begins, but only one is allowed",
	       "a second document");
	is_err(STR("a: *b\n"), E_BAD_YAML,
	       "line 1, column 4: '*' begins an alias, but no anchor "
	       "'&b' stands above it: put text that begins with * in quotes",
	       "an unknown anchor");
	is_err(STR("a: *.js\n"), E_BAD_YAML,
	       "line 1, column 5: text that begins with * must be in quotes", "a glob");
	is_err(STR("a: @evil/x\n"), E_BAD_YAML,
	       "line 1, column 4: text that begins with @ must be in quotes",
	       "a package with a scope");
	is_err(STR("a: %d\n"), E_BAD_YAML,
	       "line 1, column 4: text that begins with % must be in quotes", "a percent sign");
	is_err(STR("a: &b [1, *b]\n"), E_BAD_YAML,
	       "line 1, column 11: alias '*b' is inside the value it names", "a circle");
	is_err(STR("a:\n\tb: 1\n"), E_BAD_YAML,
	       "line 2, column 1: a tab cannot stand here: indent with spaces", "a tab");
	is_err(STR("a: b: c\n"), E_BAD_YAML,
	       "line 1, column 5: mapping values are not allowed in this context", "two colons");
	is_err(STR("a: \"x\ny: 1"), E_BAD_YAML, NULL, "an open quote");
	is_err(STR("a: x\0y\n"), E_BAD_YAML, "line 1, column 5: control characters are not allowed",
	       "a NUL");
	is_err(STR("\xff\xfe"
		   "a\0:\0 \0b\0"),
	       E_BAD_UTF8, "line 1, column 1: this byte is not UTF-8", "UTF-16");
	is_err(STR("a: \xc3\xa4\nb: \xc3\n"), E_BAD_UTF8,
	       "line 2, column 4: this byte is not UTF-8", "a cut character");
	is_err(repeat("[", 100000), E_TOO_DEEP, NULL, "deep flow lists");
	is_err(repeat("- ", 100000), E_TOO_DEEP, NULL, "deep block lists");
	is_err(repeat("{a: ", 100000), E_TOO_DEEP, NULL, "deep maps");
	is_err(laughs(9), E_TOO_LONG, NULL, "aliases that expand to too much");
	works(yaml_read(a, laughs(5), STR(""), 0, &v), "aliases within the limit");
	is_err(str_fmt(a, "[%s]", repeat("1,", 1000001).p), E_TOO_LONG, NULL, "too many values");
}

static void limits(void)
{
	struct buf b = buf_in(a);
	struct val *v;

	buf_put(&b, repeat("[", 128));
	buf_put(&b, repeat("]", 128));
	works(yaml_read(a, buf_as_str(&b), STR(""), 0, &v), "128 levels");
	is_err(str_fmt(a, "[%.*s]", STR_ARG(buf_as_str(&b))), E_TOO_DEEP, NULL, "129 levels");
	is_err(str_fmt(a, "a: &x %.*s\nb: [*x]", STR_ARG(str_sub(buf_as_str(&b), 1, b.n - 1))),
	       E_TOO_DEEP, NULL, "an alias that nests too deep");
	b = buf_in(a);
	for (int i = 0; i < 20000; i++)
		buf_fmt(&b, "k%d: &n%d v\n", i, i);
	for (int i = 0; i < 20000; i++)
		buf_fmt(&b, "l%d: *n%d\n", i, 19999 - i);
	works(yaml_read(a, buf_as_str(&b), STR(""), 0, &v), "many keys and anchors");
	is_int((long long)v->n, 40000, "all are there");
	is_str(val_get_str(ok_yaml("a: &x 1x\nb: &x 2x\nc: *x", "an anchor twice"), "c"), STR("2x"),
	       "the last one counts");
}

int main(void)
{
	a = arena_new();
	schema();
	spans();
	parts();
	refused();
	limits();
	arena_free(a);
	return tap_done();
}
