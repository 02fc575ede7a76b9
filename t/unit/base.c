#include "tap.h"
#include "base/sort.h"
#include <errno.h>

static int order[4], ordered;

static void note(void *p)
{
	order[ordered++] = *(int *)p;
}

static void arenas(void)
{
	struct arena *a = arena_new();
	int one = 1, two = 2;
	char *big, *small;
	struct strs v = {0};
	bool zero = true;

	arena_defer(a, note, &one);
	arena_defer(a, note, &two);
	big = arena_alloc(a, 5 << 20);
	small = arena_alloc(a, 3);
	for (size_t i = 0; i < 5 << 20; i++)
		zero = zero && !big[i];
	ok(zero && !small[0], "arena memory is zeroed");
	ok(((uintptr_t)small & 15) == 0, "arena memory is aligned");
	for (int i = 0; i < 1000; i++)
		strs_push(a, &v, str_fmt(a, "%d", i));
	is_int((long long)v.n, 1000, "a vector grows");
	is_str(v.p[999], STR("999"), "and keeps what it holds");
	arena_free(a);
	ok(ordered == 2 && order[0] == 2 && order[1] == 1, "deferred calls run last first");
}

static void arena_again(void)
{
	struct arena *a = arena_new();
	int three = 3;
	bool zero = true;
	char *p = NULL;

	arena_reset(a);
	for (int round = 0; round < 5; round++) {
		arena_defer(a, note, &three);
		for (size_t n = 1; n < 100000; n *= 3) {
			p = arena_alloc(a, n);
			for (size_t i = 0; i < n; i++)
				zero = zero && !p[i];
			memset(p, 'x', n);
		}
		ordered = 0;
		arena_reset(a);
		ok(ordered == 1 && order[0] == 3, "arena_reset() runs what was deferred, once");
	}
	ok(zero, "memory of an arena that is used again is zeroed");
	arena_free(a);
	ok(ordered == 1, "and arena_free() does not run it again");
}

/* With bytes that are the same, that are zero, and that are above 127. */
static void sorting(struct arena *a)
{
	struct strs few = {0}, many = {0};
	bool same = true;

	for (unsigned i = 0; i < 300; i++) {
		static const char bytes[] = {'a', 0, (char)0xff, 'b'};
		unsigned x = i * 2654435761u;
		char *p = arena_alloc(a, 12);

		for (size_t k = 0; k < 12; k++, x >>= 2)
			p[k] = k < 6 ? 'a' : bytes[x & 3];
		strs_push(a, &many, (struct str){p, i % 13});
	}
	few = (struct strs){.p = arena_array(a, 300, sizeof(*few.p)), .n = 300};
	memcpy(few.p, many.p, 300 * sizeof(*few.p));
	strs_sort(&many);
	qsort(few.p, few.n, sizeof(*few.p), str_cmp_ptr);
	for (size_t i = 0; i < 300; i++)
		same = same && str_eq(few.p[i], many.p[i]);
	ok(same, "many strings are sorted as a comparison of each two sorts them");
}

static void finding(struct arena *a)
{
	const struct str list[] = {STR("d"), STR("b"), STR("d"), STR("b"), STR("f")};
	const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g"};
	const struct str *const found[] = {NULL, &list[1], NULL, &list[0], NULL, &list[4], NULL};
	struct str **sorted = sort_into_pointers(a, list, 5, sizeof(*list), str_cmp_ptr);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct str key = str_of(keys[i]);

		ok(sort_pointers_find(sorted, 5, &key, str_cmp_ptr) == found[i],
		   "'%s' is found first of its equals, or not", keys[i]);
	}
	ok(!sort_pointers_find(NULL, 0, &list[0], str_cmp_ptr), "nothing is in an empty list");
}

static void strings(struct arena *a)
{
	struct str rest = STR("one\r\ntwo\n\nlast"), line, run, end;
	const char *want[] = {"one", "two", "", "last"};
	int64_t n;
	static const size_t offsets[] = {0, 1, 1, 2, 3, 5, 5, 6};
	struct places places = {.text = STR("a\n\nbc\n")}, many = {.text = {0}};
	struct place place = {0, 0};
	uint32_t code;
	size_t i = 0;
	struct strs near = {0};

	while (str_next_line(&rest, &line))
		is_str(line, str_of(want[i++]), "lines end with LF or CRLF");
	is_int((long long)i, 4, "every line was seen");
	is_str(str_line_from(STR("one\r\ntwo"), 0), STR("one\r\n"), "a line with its end");
	is_str(str_line_from(STR("one\r\ntwo"), 5), STR("two"), "the last line has none");
	is_str(str_line_from(STR("one\n"), 4), STR(""), "no line behind the last end");
	ok(str_find(STR("aab"), STR("ab"), 0) == 1, "find a part");
	ok(str_find(STR("ab"), STR("abc"), 0) == SIZE_MAX, "a longer needle is not found");
	ok(str_find(STR("a needle in hay"), STR("needle in"), 0) == 2, "a long needle");
	ok(str_find(STR("a needle in hay"), STR("needle in"), 3) == SIZE_MAX, "not behind it");
	for (int len = 126; len < 131; len++) {
		struct str s = str_fmt(a, "%*d", len, 7);

		ok(s.n == (size_t)len && s.p[len - 1] == '7' && !s.p[len], "%d bytes formatted",
		   len);
	}
	/* Byte by byte this would take minutes. */
	run.n = (size_t)4 << 20;
	run.p = memset(arena_alloc(a, run.n), 'a', run.n);
	end = str_fmt(a, "%.*sb", (int)run.n / 2, run.p);
	ok(str_find(run, end, 0) == SIZE_MAX, "a needle that nearly is everywhere");
	many.text = run;
	for (size_t at = 0; at <= run.n; at += 4)
		place = str_place_of_next_offset(&many, at);
	ok(place.line == 1 && place.column == run.n + 1, "a million places on one line");
	ok(str_int(STR("-9223372036854775808"), &n) && n == INT64_MIN, "the least integer");
	ok(str_int(STR("9223372036854775807"), &n) && n == INT64_MAX, "the greatest integer");
	ok(!str_int(STR("9223372036854775808"), &n), "one more does not fit");
	ok(str_parse_hex(STR("00fF"), &code) && code == 255, "hexadecimal digits of both cases");
	ok(!str_parse_hex(STR("0g"), &code) && !str_parse_hex(STR(""), &code) &&
		   !str_parse_hex(STR("123456789"), &code),
	   "no, none and too many hexadecimal digits");
	ok(!str_int(STR(""), &n) && !str_int(STR("-"), &n) && !str_int(STR("1x"), &n),
	   "no integers");
	ok(str_is_utf8(STR("gr\xc3\xbc\xc3\x9f"
			   "e \xe6\x97\xa5 \xf0\x9f\x98\x80")),
	   "valid UTF-8");
	ok(!str_is_utf8(STR("\xc0\xaf")), "an overlong form is not UTF-8");
	ok(!str_is_utf8(STR("12345678\xed\xa0\x80")), "a surrogate is not UTF-8");
	ok(!str_is_utf8(STR("\xf4\x90\x80\x80")), "beyond U+10FFFF is not UTF-8");
	ok(!str_is_utf8(STR("abc\xe2\x82")), "a cut character is not UTF-8");
	is_str(str_utf8(a, STR("a\xff"
			       "b")),
	       STR("a\xef\xbf\xbd"
		   "b"),
	       "invalid bytes are replaced");
	is_int((long long)str_place_of_offset(STR("ab\ncd"), 4).line, 2, "line of an offset");
	is_int((long long)str_place_of_offset(STR("ab\ncd"), 4).column, 2, "column of an offset");
	for (size_t k = 0; k < ARRAY_SIZE(offsets); k++) {
		struct place at = str_place_of_offset(places.text, offsets[k]);
		struct place next = str_place_of_next_offset(&places, offsets[k]);

		ok(next.line == at.line && next.column == at.column, "the place of %zu, counted on",
		   offsets[k]);
	}
	is_int((long long)str_distance(STR("staged"), STR("stagde")), 1, "a swap is one slip");
	strs_push(a, &near, STR("query"));
	strs_push(a, &near, STR("show"));
	is_str(str_nearest(STR("qeury"), &near), STR("query"), "the nearest word");
	is_str(str_nearest(STR("zebra"), &near), STR(""), "nothing is near");
}

static void buffers(struct arena *a)
{
	struct buf b = buf_with_max(a, 5);

	buf_puts(&b, "abc");
	buf_puts(&b, "defg");
	is_str(buf_as_str(&b), STR("abcde"), "a buffer keeps what fits");
	ok(b.cut, "and knows that it was cut");
	b = buf_in(a);
	buf_fmt(&b, "%0600d", 7);
	is_int((long long)b.n, 600, "long formats fit");
	b = buf_in(a);
	buf_utf8(&b, 0x20ac);
	buf_utf8(&b, 0xd800);
	is_str(buf_as_str(&b), STR("\xe2\x82\xac\xef\xbf\xbd"), "code points are written as UTF-8");
}

static struct err *deep(void)
{
	TRY(err_new(E_FILE_NOT_FOUND, "no such file 'x'"));
	return NULL;
}

static struct err *at_place(struct str text, size_t offset, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(E_BAD_JSON, str_place_of_offset(text, offset), fmt, ap);
	va_end(ap);
	return e;
}

static void errors(struct arena *a)
{
	struct err *e = deep();
	struct val *v;
	struct strs layers = {0};

	fails(e, E_FILE_NOT_FOUND, "an error comes up through TRY");
	e = err_add_context(e, "read %d", 3);
	is_str(str_of(err_message(e)), STR("read 3: no such file 'x'"),
	       "a caller adds what it knows");
	strs_push(a, &layers, STR("org"));
	strs_push(a, &layers, STR("team"));
	err_detail_list(err_add_detail(e, "requestedId", STR("adr-\xff")), "searchedLayers",
			&layers);
	err_help(e, "run 'ikm know list'");
	v = err_envelope(a, e);
	is_str(val_get_str(v, "errorCode"), STR("NOT_FOUND"), "the envelope has the code");
	is_str(val_get_str(val_get(v, "details"), "reason"), STR("FILE_NOT_FOUND"),
	       "and the reason");
	is_str(val_get_str(val_get(v, "details"), "requestedId"), STR("adr-\xef\xbf\xbd"),
	       "and details that are valid UTF-8");
	is_int((long long)val_get(val_get(v, "details"), "searchedLayers")->n, 2, "and lists");
	is_int((long long)val_get(val_get(v, "help"), "steps")->n, 1, "and steps");
	e = err_errno(ENOENT, "read '%s'", "x");
	is_str(str_of(err_message(e)), STR("cannot read 'x': No such file or directory"),
	       "an errno is told in the system's words");
	e = err_help(err_add_detail(err_new(E_BAD_ARGUMENT, "ifMatch is 'ifMatch'"), "parameter",
				    STR("ifMatch")),
		     "give ifMatch, not 'ifMatch' or xifMatch");
	err_param_rename(e, STR("ifMatch"), STR("--if-match"));
	err_param_rename(e, STR("give"), STR("--give"));
	is_str(str_of(err_message(e)), STR("--if-match is 'ifMatch'"), "a parameter's other name");
	v = err_envelope(a, e);
	is_str(val_get_str(val_get(v, "details"), "parameter"), STR("--if-match"),
	       "in the details");
	is_str(val_get(val_get(v, "help"), "steps")->first->s,
	       STR("give --if-match, not 'ifMatch' or xifMatch"), "and in the steps");
	for (int i = 0; i < 400; i++)
		err_param_rename(e, STR("ifMatch"), STR("--if-match"));
	err_param_rename(e, STR("--if-match"), STR("ifMatch"));
	is_str(val_get_str(val_get(err_envelope(a, e), "details"), "parameter"), STR("ifMatch"),
	       "and back");
	e = at_place(STR("ab\ncd"), 4, "expected '%c'", '}');
	is_str(str_of(err_message(e)), STR("line 2, column 2: expected '}'"), "a reader's error");
	is_int((long long)val_get(val_get(err_envelope(a, e), "details"), "column")->s.p[0], '2',
	       "has its place in the details");
	is_int(err_exit(CODE_TIMEOUT), 75, "exit codes come from the table");
}

static void values(struct arena *a)
{
	struct val *m = val_map(a);
	double third = 1.0 / 3, d; /* in a variable it has no more bits than a double */
	int64_t n;

	for (int i = 0; i < 20; i++)
		val_set_key(m, str_fmt(a, "k%d", i), val_int(a, i));
	ok(!val_duplicate_key(a, m), "keys that differ are no duplicates");
	val_set(a, m, "k7", val_null(a));
	ok(val_duplicate_key(a, m) == m->last, "the second of two equal keys is found");
	is_str(val_double(a, 0.1)->s, STR("0.1"), "doubles print short");
	ok(val_as_double(val_double(a, third), &d) && d == third, "and read back the same");
	ok(val_as_int(val_get(m, "k19"), &n) && n == 19, "integers read back");
	ok(!val_as_int(val_double(a, 1.5), &n), "a fraction is no integer");
}

int main(void)
{
	struct arena *a = arena_new();

	arenas();
	arena_again();
	strings(a);
	sorting(a);
	finding(a);
	buffers(a);
	errors(a);
	values(a);
	arena_free(a);
	return tap_done();
}
