/* json_referee: lib/core/json beside cJSON. Each way in which they differ is named, and shown once.
 */
#include "tap.h"
#include "referee.h"

static struct arena *a;

static const struct {
	struct str text;
	enum referee_verdict verdict;
} cases[] = {
	{STR_INIT("null"), REFEREE_EQUAL},
	{STR_INIT(" {\"a\": [1, -2.5e3, true, false, null, \"x\"], \"b\": {}} "), REFEREE_EQUAL},
	{STR_INIT("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"]"), REFEREE_EQUAL},
	{STR_INIT("\xef\xbb\xbf[1]"), REFEREE_EQUAL},
	{STR_INIT("{\"a\": 1, \"A\": 2}"), REFEREE_EQUAL},
	{STR_INIT("[1e400, 9007199254740992, 1e-400, 0.1]"), REFEREE_EQUAL},
	{STR_INIT(""), REFEREE_REFUSED},
	{STR_INIT("[1,]"), REFEREE_REFUSED},
	{STR_INIT("{'a': 1}"), REFEREE_REFUSED},
	{STR_INIT("[\"\\ud800\"]"), REFEREE_REFUSED},
	{STR_INIT("[\"\\x41\"]"), REFEREE_REFUSED},
	{STR_INIT("[.5]"), REFEREE_REFUSED},
	{STR_INIT("[\"a\\u0000b\"]"), REFEREE_NUL},
	{STR_INIT("{\"a\\u0000b\": 1}"), REFEREE_NUL},
	{STR_INIT("[9007199254740993]"), REFEREE_DIGITS},
	{STR_INIT("-9223372036854775807"), REFEREE_DIGITS},
	{STR_INIT("{} x"), REFEREE_AFTER},
	{STR_INIT("null\0"), REFEREE_AFTER},
	{STR_INIT("1 2"), REFEREE_AFTER},
	{STR_INIT("{}\xff"), REFEREE_AFTER},
	{STR_INIT("[\"\xff\"]"), REFEREE_UTF8},
	{STR_INIT("[\"\xc0\xaf\"]"), REFEREE_UTF8},
	{STR_INIT("{\"\xed\xa0\x80\": 1}"), REFEREE_UTF8},
	{STR_INIT("[\"a\nb\"]"), REFEREE_CONTROL},
	{STR_INIT("[\f1]"), REFEREE_CONTROL},
	{STR_INIT("[1\0]"), REFEREE_CONTROL},
	{STR_INIT("[01]"), REFEREE_NUMBER},
	{STR_INIT("[-01]"), REFEREE_NUMBER},
	{STR_INIT("[-.5]"), REFEREE_NUMBER},
	{STR_INIT("1."), REFEREE_NUMBER},
	{STR_INIT("[2.e3]"), REFEREE_NUMBER},
	{STR_INIT("[\"\\u12G4\"]"), REFEREE_HEX},
	{STR_INIT("{\"a\": 1, \"\\u0061\": 1}"), REFEREE_DUPLICATE},
	{STR_INIT("[0.123456789012345678901234567890123456789012345678901234567890123]"),
	 REFEREE_LONG},
	{STR_INIT("1234567890123456789012345678901234567890123456789012345678901234"),
	 REFEREE_LONG},
	{STR_INIT("\xef\xbb\xbf"
		  "1"),
	 REFEREE_MARK},
};

static void each_difference(void)
{
	bool shown[REFEREE_UNKNOWN] = {false};
	struct buf deep = buf_in(a);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		enum referee_verdict v = referee_judge(a, cases[i].text);

		struct buf name = buf_in(a);

		json_write_str(&name, cases[i].text);
		ok(v == cases[i].verdict, "%s: %s", buf_as_cstr(&name), referee_texts[v]);
		shown[cases[i].verdict] = true;
	}
	for (size_t i = 0; i < 129; i++)
		buf_putc(&deep, '[');
	for (size_t i = 0; i < 129; i++)
		buf_putc(&deep, ']');
	ok(referee_judge(a, buf_as_str(&deep)) == REFEREE_DEEP, "129 levels: %s",
	   referee_texts[REFEREE_DEEP]);
	ok(referee_judge(a, str_sub(buf_as_str(&deep), 1, 257)) == REFEREE_EQUAL, "128 levels");
	shown[REFEREE_DEEP] = true;
	for (size_t i = 0; i < REFEREE_UNKNOWN; i++)
		ok(shown[i], "a case shows: %s", referee_texts[i]);
}

/* The comparison itself can fail. */
static void unequal(void)
{
	static const char *const pairs[][2] = {
		{"null", "0"},
		{"true", "false"},
		{"1", "2"},
		{"1", "\"1\""},
		{"\"a\"", "\"b\""},
		{"[1]", "[]"},
		{"[]", "[1]"},
		{"[1, 2]", "[2, 1]"},
		{"[]", "{}"},
		{"{\"a\": 1}", "{\"A\": 1}"},
		{"{\"a\": {\"b\": [1]}}", "{\"a\": {\"b\": [0]}}"},
		{"9007199254740993", "9007199254740994"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		enum referee_verdict v = REFEREE_EQUAL;
		cJSON *theirs = cJSON_Parse(pairs[i][1]);
		struct val *ours;

		arena_defer(a, referee_free, theirs);
		works(json_read(a, str_of(pairs[i][0]), NULL, &ours), pairs[i][0]);
		ok(!referee_eq(ours, theirs, &v), "is not %s", pairs[i][1]);
	}
}

static void names(void)
{
	cJSON *theirs = cJSON_Parse("{\"a\": 1}");
	struct val *ours;

	arena_defer(a, referee_free, theirs);
	works(json_read(a, STR("{\"a\": 1}"), NULL, &ours), "an object");
	ok(cJSON_GetObjectItem(theirs, "A") && !val_get(ours, "A"),
	   "cJSON_GetObjectItem() ignores the case of names, val_get() does not");
}

/* A byte or a few changed, put in or taken out: no difference but the named ones. */
static void changed(void)
{
	static const char bytes[] =
		"{}[]\",:.eE+-0123456789\\/ubtrfalsn \t\n\0\x01\x7f\x80\xc3\xff";
	unsigned seed = 1;
	size_t counts[REFEREE_UNKNOWN + 1] = {0};

	for (size_t round = 0; round < 20000; round++) {
		struct arena *one = arena_new();
		struct str from = cases[(seed >> 8) % ARRAY_SIZE(cases)].text;
		struct buf text = buf_in(one);
		enum referee_verdict v;

		for (size_t i = 0; i <= from.n; i++) {
			unsigned what = (seed = seed * 1103515245 + 12345) >> 16;

			if (what % 8 == 0)
				buf_putc(&text, bytes[what / 8 % (sizeof(bytes) - 1)]);
			if (i < from.n && what % 8 != 1)
				buf_putc(&text, from.p[i]);
		}
		v = referee_judge(one, buf_as_str(&text));
		counts[v]++;
		if (v == REFEREE_UNKNOWN) {
			struct buf name = buf_in(one);

			json_write_str(&name, buf_as_str(&text));
			ok(false, "%s", buf_as_cstr(&name));
		}
		arena_free(one);
	}
	ok(counts[REFEREE_UNKNOWN] == 0, "20000 changed texts: nothing unknown");
	ok(counts[REFEREE_EQUAL] > 100 && counts[REFEREE_REFUSED] > 100,
	   "%zu of them read, %zu refused", counts[REFEREE_EQUAL], counts[REFEREE_REFUSED]);
}

int main(void)
{
	a = arena_new();
	each_difference();
	unequal();
	names();
	changed();
	arena_free(a);
	return tap_done();
}
