#include "tap.h"
#include "re/internal.h"
#include <pthread.h>

static uint64_t seed = 20261121;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 20) % n);
}

static struct arena *arena;

static struct re *re_of(const char *pattern, unsigned flags)
{
	struct re *re = NULL;
	struct err *e = re_new(arena, str_of(pattern), flags, &re);

	if (e)
		BUG("%s", err_message(e));
	return re;
}

static void finds(const char *pattern, unsigned flags, struct str text, const char *want)
{
	struct re_work *w = re_work_new(arena);
	struct span m;
	char name[200];

	snprintf(name, sizeof(name), "%s, flags %u: %s", pattern, flags, want ? want : "no match");
	if (re_find(re_of(pattern, flags), w, text, 0, &m) != RE_YES)
		ok(!want, "%s", name);
	else
		is_str(str_sub(text, m.from, m.to), str_of(want ? want : "(none)"), name);
}

static void matching(void)
{
	struct re_work *w = re_work_new(arena);
	struct span m;
	struct re *re;

	finds("b+", 0, STR("abbc"), "bb");
	finds("B+", RE_ICASE, STR("abbc"), "bb");
	finds("a|ab", RE_WHOLE, STR("ab"), "ab");
	finds("a|b", RE_WHOLE, STR("ab"), NULL);
	finds("a$", RE_MULTILINE, STR("a\nb"), "a");
	finds("a$", 0, STR("a\nb"), NULL);
	finds("a.c", RE_LITERAL, STR("abc a.c"), "a.c");
	finds("A.C", RE_LITERAL | RE_ICASE, STR("abc a.c"), "a.c");
	finds("foo", RE_WORD, STR("foobar foo"), "foo");
	finds("foo|foobar", RE_WORD, STR("foobar"), "foobar");
	finds("--all", RE_WORD, STR("x --all"), "--all");
	finds("--all", RE_WORD | RE_LITERAL, STR("x --ally --all"), "--all");
	finds("(?x) fo+ # many", RE_WORD, STR("food foo"), "foo");
	finds("\\Qf+o", RE_WORD, STR("f+oo f+o"), "f+o");
	finds("a\\Eb(*F)|c", RE_WORD, STR("cc c"), "c");
	finds("x.y", 0, STR("x\xc3\xa9y"), "x\xc3\xa9y");
	finds("x..y", 0, STR("x\xc3\xa9y"), NULL);
	finds("x.y", 0, STR("x\xffy"), NULL);
	finds("x[^a]y", 0, STR("x\xffy x\xc3y xby"), "xby");
	finds("\xc3\xa9", RE_ICASE, STR("\xc3\x89"), "\xc3\x89");
	finds("ask", RE_ICASE, STR("a\xc5\xbf\xe2\x84\xaa"), "a\xc5\xbf\xe2\x84\xaa");
	finds("\\w+kiss", RE_ICASE, STR("my \xe2\x84\xaai\xc5\xbfS a\xe2\x84\xaai\xc5\xbfS"),
	      "a\xe2\x84\xaai\xc5\xbfS");
	re = re_of("a*", 0);
	ok(re_find(re, w, STR(""), 0, &m) == RE_YES && m.to == 0, "an empty text can match");
	ok(re_find(re, w, (struct str){0}, 0, &m) == RE_YES, "one without a pointer too");
	ok(re_find(re, w, STR("ab"), 3, &m) == RE_NO, "nothing is found beyond the end");
	ok(re_find(re_of("a\\0b", 0), w, STR("xa\0b"), 0, &m) == RE_YES && m.to == 4,
	   "NUL is data");
	re = re_of("(?<=a)b", 0);
	ok(re_find(re, w, STR("ab"), 1, &m) == RE_YES && m.from == 1,
	   "what is before `from` counts");
	re = re_of("\\w+ing", 0);
	ok(re_find(re, w, STR("sing and bring"), 2, &m) == RE_YES && m.from == 9,
	   "a search may begin within what would have matched");
	ok(re_find(re_of("^b", RE_MULTILINE), w, STR("a\nb"), 1, &m) == RE_YES && m.from == 2,
	   "lines begin after a newline");
}

static void errors(void)
{
	struct re *re = NULL;
	struct err *e = re_new(arena, STR("a(b"), 0, &re);
	char *long_one = arena_alloc(arena, RE_PATTERN_MAX + 1);

	fails(e, E_BAD_PATTERN, "a missing ) is an error");
	ok(e && strstr(err_message(e), "'a(b'") && strstr(err_message(e), "offset 3"),
	   "that names the pattern and the offset: %s", err_message(e));
	e = re_new(arena, STR("(?<=a*\\n)b"), RE_CRLF, &re);
	ok(e && strstr(err_message(e), "'(?<=a*\\n)b'"), "or names one as given: %s",
	   err_message(e));
	fails(re_new(arena, STR("a\\Cb"), 0, &re), E_BAD_PATTERN, "\\C is not allowed");
	fails(re_new(arena, STR("(*NO_JIT)a"), 0, &re), E_BAD_PATTERN, "(*NO_JIT) is not");
	fails(re_new(arena, STR("(*UTF)(*NO_JIT)a"), 0, &re), E_BAD_PATTERN, "nor after another");
	fails(re_new(arena, STR("\xff"), 0, &re), E_BAD_PATTERN, "a pattern is UTF-8");
	fails(re_new(arena, STR("a)(b"), RE_WORD, &re), E_BAD_PATTERN, "no group is closed by us");
	memset(long_one, 'a', RE_PATTERN_MAX + 1);
	fails(re_new(arena, (struct str){long_one, RE_PATTERN_MAX + 1}, 0, &re), E_TOO_LONG,
	      "4097 bytes are too long");
	works(re_new(arena, (struct str){long_one, RE_PATTERN_MAX}, 0, &re), "4096 are not");
	memset(long_one, '(', RE_PATTERN_MAX);
	fails(re_new(arena, (struct str){long_one, RE_PATTERN_MAX}, 0, &re), E_BAD_PATTERN,
	      "nor can groups nest without end");
}

static void replaces(const char *pattern, unsigned flags, const char *with, struct str text,
		     const char *want, size_t count)
{
	struct re *re = re_of(pattern, flags);
	struct re_template *t = NULL;
	struct str got = {0};
	size_t n = 0;
	enum re_answer r;

	works(re_template_new(arena, re, str_of(with), &t), with);
	r = re_replace(arena, t, text, &got, &n);
	ok(r == (want ? RE_YES : RE_NO) && n == count && (!want || str_is(got, want)),
	   "s/%s/%s/: %.*s", pattern, with, STR_ARG(got));
}

static void replacements(void)
{
	struct re_template *t = NULL;

	replaces("x*", 0, "-", STR("aaxbb"), "-a-a--b-b-", 6); /* as Perl does */
	replaces("x*", RE_LINES, "-", STR("a\nx\n"), "-a-\n--\n", 4);
	replaces("(?<y>\\d+)-(\\d+)", 0, "$2/${y}$$$0", STR("1-2, 3-4"), "2/1$1-2, 4/3$3-4", 2);
	replaces("(a)|(b)", 0, "[$1|$2]", STR("ab"), "[a|][|b]", 2);
	replaces("^(.)", RE_LINES, "<$1>", STR("ab\ncd\n"), "<a>b\n<c>d\n", 2);
	replaces("(?<=a)\\Kb(c)", RE_LINES, "$1", STR("x\nabc"), "x\nac", 1);
	replaces("\\Aa|z\\z", RE_LINES, "$0$0", STR("az\naz"), "aazz\naazz", 4);
	replaces("a.b", RE_LITERAL, "$1\\1", STR("a.b axb"), "$1\\1 axb", 1);
	replaces("b\n^c", RE_MULTILINE, "", STR("ab\ncd"), "ad", 1);
	replaces("^", RE_MULTILINE, ">", STR("a\nb\n"), ">a\n>b\n", 2);
	replaces("\xc3\xa9", 0, "", STR("\xc3\xa9t\xc3\xa9\xff"), "t\xff", 2);
	replaces("b", 0, "x", STR("a"), NULL, 0);
	fails(re_template_new(arena, re_of("(a)", 0), STR("$2"), &t), E_BAD_ARGUMENT, "two groups");
	fails(re_template_new(arena, re_of("(a)", 0), STR("${99999999999999999999}"), &t),
	      E_BAD_ARGUMENT, "a number that is too great");
	fails(re_template_new(arena, re_of("(a)", 0), STR("${-1}"), &t), E_BAD_ARGUMENT, "below 0");
	fails(re_template_new(arena, re_of("(a)", 0), STR("$x"), &t), E_BAD_ARGUMENT, "no braces");
}

/* The test is that these end at all; each takes some tenths of a second. */
static void limits(void)
{
	size_t n = 1 << 20;
	char *p = arena_alloc(arena, n + 1);
	struct str text = {p, n};
	struct re_work *w = re_work_new(arena);
	struct span m;

	memset(p, 'a', n);
	p[60] = 'b';
	ok(re_find(re_of("^(a+)+$", 0), w, text, 0, &m) == RE_LIMIT, "(a+)+$ gives up");
	ok(re_find(re_of("(*LIMIT_MATCH=4000000000)^(a+)+$", 0), w, text, 0, &m) == RE_LIMIT,
	   "and no pattern can raise the limit");
	ok(re_find(re_of("(a|aa)+$", 0), w, str_sub(text, 0, 61), 0, &m) == RE_LIMIT,
	   "(a|aa)+$ too");
	memset(p, 'x', n);
	ok(re_find(re_of("(x+x+)+y", 0), w, text, 0, &m) == RE_LIMIT, "(x+x+)+y gives up");
	p[n - 1] = 'y';
	p[n - 2] = 'z';
	ok(re_find(re_of("(x+x+)+y", 0), w, text, 0, &m) == RE_LIMIT, "also where a y is");
	ok(re_find(re_of("[xy]+x+\\d", 0), w, text, 0, &m) == RE_LIMIT, "steps may be long ones");
	ok(re_find(re_of("(?=x*b)|w", 0), w, text, 0, &m) == RE_LIMIT, "or there may be none");
	ok(re_find(re_of("(?:.|\\n)*foo|q", 0), w, text, 0, &m) == RE_LIMIT, "or deep ones");
	ok(re_find(re_of("(x+x+)+y", RE_WHOLE), w, text, 0, &m) == RE_LIMIT, "or the whole text");
	ok(re_find(re_of("z", 0), w, text, 0, &m) == RE_YES, "after that all is as before");
	memset(p, ' ', n);
	ok(re_find(re_of("\\s+$", 0), w, text, 0, &m) == RE_YES, "a long match is no limit");
}

/* ---- sets ---- */

static void needed(const char *pattern, unsigned flags, const char *want)
{
	const struct literals *l = re_literals(re_of(pattern, flags));
	struct buf b = buf_in(arena);

	for (size_t i = 0; i < l->n; i++)
		buf_fmt(&b, "%s%.*s%s", i ? " " : "", l->p[i].n, l->p[i].b,
			l->p[i].icase ? "/i" : "");
	is_str(buf_as_str(&b), str_of(want), pattern);
}

static void literals(void)
{
	needed("mysql_connect", 0, "mysql_connect");
	needed("\\w+\\.execute\\(", 0, ".execute(");
	needed("https?://", 0, "http:// https://");
	needed("foo|bar|", 0, "");
	needed("foo|bar", 0, "foo bar");
	needed("(foo|bar)?baz", 0, "baz foobaz barbaz");
	needed("x(foo|b)*baz", 0, "baz");
	needed("a{3}b", 0, "aaab");
	needed("a{3,}bcd", 0, "bcd");
	needed("a{b}", 0, "a{b}");
	needed("a{,3}", 0, "");
	needed("a{ 3 , 4 }", 0, "");
	needed("[fF]oo", 0, "Foo foo");
	needed("[^f]oo", 0, "oo");
	needed("[]a]x", 0, "]x ax");
	needed("FOO", RE_ICASE, "foo/i");
	needed("skip", RE_ICASE, "skip/i s\xe2\x84\xaaip/i \xc5\xbfkip/i \xc5\xbf\xe2\x84\xaaip/i");
	needed("x(a(?i)b|cd)y", 0, "xaby/i xcdy/i");
	needed("(?i)ab(?-i)CD", 0, "abcd/i");
	needed("(?x) a b # c\n d", 0, "abd");
	needed("\\Qa.b\\E+c", 0, "a.b");
	needed("foo+bar?", 0, "foo");
	needed("ab\\E*c", 0, "");
	needed("ab(?#x)?c", 0, "ac abc");
	needed("a\\x62\\x{e9}", 0, "ab\xc3\xa9");
	needed("abc(*ACCEPT)def", 0, "");
	needed("(?(?=ab)abc|def)", 0, "");
	needed("(?=abc)d", 0, "");
	needed("(ab)(?1)cde", 0, "cde");
	needed("ab\\bcd", 0, "abcd");
	needed("(?^)ab", RE_ICASE, "ab");
	needed("a.c", RE_LITERAL, "a.c");
	needed("[[:alpha:]]bc", 0, "bc");
	needed("\\N{U+41}bc", 0, "");
}

static const char *const atoms[] = {
	"a",         "b",        "k",      "S",      "ab",          "sk",     "xyz",  "foo",
	".",         "\\w",      "\\W",    "\\s",    "\\d",         "\\n",    "\\S",  "[ab]",
	"[^a]",      "[k-s]",    "[^\\n]", "[]x]",   "[[:alpha:]]", "[\\s-]", "[sS]", "\\x6b",
	"\xc3\xa9",  "\\.",      "-",      "\\bfoo", "^",           "$",      "\\b",  "\\B",
	"\\Qa.b\\E", "\\Qf\\Eo", "(?=a)",  "(?!b)",  "(?<=a)",      "(?<!k)", "\\R",  "\\X",
	"\\h",       "(?#c)",    "\\Aa",   "\\z",    "{",           "a{",     "\\K",  "(?i)",
	"(?-i)",     "(?s)",     "#",      "\\G"};
static const char *const quantifiers[] = {"*",    "+",  "?",  "{2}", "{1,2}", "{0}",
					  "{2,}", "*?", "++", "??",  "{,2}"};
static const char *const openings[] = {
	"(", "(?:", "(?>", "(?i:", "(?-i:", "(?s:", "(?<n>", "(?|", "(?x: ", "(?=", "(?!", "(?^:"};

static void generate(struct buf *b, unsigned depth)
{
	unsigned parts = 1 + rnd(4);

	for (unsigned i = 0; i < parts; i++) {
		if (depth < 3 && rnd(4) == 0) {
			buf_puts(b, openings[rnd(ARRAY_SIZE(openings))]);
			generate(b, depth + 1);
			buf_puts(b, ")");
		} else {
			buf_puts(b, atoms[rnd(ARRAY_SIZE(atoms))]);
		}
		if (rnd(3) == 0)
			buf_puts(b, quantifiers[rnd(ARRAY_SIZE(quantifiers))]);
		if (rnd(6) == 0)
			buf_puts(b, "|");
	}
}

static struct str text_of(struct arena *a)
{
	static const char *const bits[] = {
		"a",        "b",    "k",    "S",  "s",        "K",        "ab",
		"sk",       "xyz",  "fo",   "o",  "foo",      "\n",       " ",
		"-",        ".",    "a.b",  "{",  "\xc3\xa9", "\xc3\x89", "\xe2\x84\xaa",
		"\xc5\xbf", "\xff", "\xa9", "a{", "A",        "XYZ",      "\t",
		"#",        "\r\n"};
	struct buf b = buf_in(a);

	for (unsigned n = rnd(30); n; n--)
		buf_puts(&b, bits[rnd(ARRAY_SIZE(bits))]);
	return buf_as_str(&b);
}

/* A pattern that sets and literals exclude must not match plainly either. */
static void property(void)
{
	enum { SETS = 600, PATTERNS = 10, TEXTS = 20 };
	size_t compared = 0, hidden = 0, differ = 0, found = 0, with = 0, bad = 0;

	for (size_t set_i = 0; set_i < SETS; set_i++) {
		struct arena *a = arena_new();
		struct re_work *w = re_work_new(a);
		struct re *plain[PATTERNS], *quick[PATTERNS];
		struct str source[PATTERNS];
		bool may[PATTERNS];
		struct re_set *set = NULL;
		size_t n = 0;

		while (n < PATTERNS) {
			struct buf b = buf_in(a);
			unsigned flags = rnd(2) ? RE_ICASE : 0;

			flags |= rnd(2) ? RE_MULTILINE : 0;
			flags |= rnd(8) ? 0 : RE_WORD;
			generate(&b, 0);
			source[n] = buf_as_str(&b);
			if (re_new(a, source[n], flags, &plain[n]) ||
			    re_new(a, source[n], flags, &quick[n])) {
				bad++;
				continue;
			}
			re_forget_literals(plain[n]);
			with += re_literals(quick[n])->n > 0;
			n++;
		}
		if (re_set_new(a, (const struct re *const *)quick, n, &set))
			BUG("no set");
		for (size_t t = 0; t < TEXTS; t++) {
			struct str text = text_of(a);

			re_set_scan(set, text, may);
			for (size_t i = 0; i < n; i++) {
				size_t from = rnd(4) ? 0 : rnd((unsigned)text.n + 1);
				struct span one = {0}, two = {0};
				enum re_answer x = re_find(plain[i], w, text, from, &one);
				enum re_answer y = re_find(quick[i], w, text, from, &two);
				bool wrong = x != y || one.from != two.from || one.to != two.to;

				compared++;
				found += x == RE_YES;
				hidden += x == RE_YES && !may[i];
				differ += wrong;
				if (wrong || (x == RE_YES && !may[i]))
					printf("# '%.*s' on '%.*s' from %zu: %d %zu-%zu, %d "
					       "%zu-%zu\n",
					       STR_ARG(source[i]), STR_ARG(text), from, x, one.from,
					       one.to, y, two.from, two.to);
			}
		}
		arena_free(a);
	}
	printf("# %zu compared, %zu found, %zu patterns with literals, %zu not accepted\n",
	       compared, found, with, bad);
	ok(compared > 100000 && found > compared / 10 && with > SETS * 2, "enough was compared");
	is_int((long long)hidden, 0, "no match is hidden by its literals");
	is_int((long long)differ, 0, "and all are found where they are");
}

/* Literals of every length, at every place of a text, in sets of all sizes. */
static void places(void)
{
	static const char long_one[] = "quizzically jinxed vex";
	size_t missed = 0, made_up = 0;

	for (size_t n = 2; n <= 14; n++) {
		struct arena *a = arena_new();
		struct re *re[40];
		struct re_set *set = NULL;
		bool may[40];

		for (size_t i = 0; i < 40; i++) {
			struct str pat =
				i == 0 ? str_sub(STR("quizzically jinxed vex"), 0, n)
				       : str_fmt(a, "%c%zu%s", 'A' + (int)i % 26, i * 37 + 100,
						 &long_one[sizeof(long_one) - 1 - size_min(n, 20)]);

			if (re_new(a, pat, RE_LITERAL | (i & 1 ? RE_ICASE : 0), &re[i]))
				BUG("no pattern");
		}
		if (re_set_new(a, (const struct re *const *)re, 40, &set))
			BUG("no set");
		for (size_t at = 0; at < 70; at++) {
			char text[100];

			memset(text, '.', sizeof(text));
			memcpy(text + at, long_one, n);
			re_set_scan(set, (struct str){text, at + n + rnd(12)}, may);
			missed += !may[0];
			for (size_t i = 1; i < 40; i++)
				made_up += may[i];
			re_set_scan(set, (struct str){text, at + n - 1}, may);
			made_up += may[0];
		}
		arena_free(a);
	}
	is_int((long long)missed, 0, "a literal is seen wherever it is");
	is_int((long long)made_up, 0, "and where it is not, it is not");
}

static void sets(void)
{
	struct re_set *set = NULL;
	const struct re *p[] = {re_of("needle", 0), re_of("\\d", 0), re_of("nee+dle", 0)};
	bool may[3] = {0};

	works(re_set_new(arena, NULL, 0, &set), "an empty set");
	re_set_scan(set, STR("x"), NULL);
	works(re_set_new(arena, p, 3, &set), "a set");
	re_set_scan(set, STR("a nee dle"), may);
	ok(!may[0] && may[1] && may[2], "what has no literal is always tried");
	re_set_scan(set, STR(""), may);
	ok(!may[0] && may[1] && !may[2], "an empty text");
}

/* Threads share a pattern, whose JIT code the first of them makes. */
static void *search(void *p)
{
	struct arena *a = arena_new();
	struct re_work *w = re_work_new(a);
	struct span m;
	bool right = true;

	for (int i = 0; i < 100; i++)
		right = right && re_find(p, w, STR("xx a needle"), 0, &m) == RE_YES && m.from == 3;
	arena_free(a);
	return right ? p : NULL;
}

static void threads(void)
{
	struct re *re = re_of("\\w n\\w+dle", 0);
	pthread_t t[4];
	size_t right = 0;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		if (pthread_create(&t[i], NULL, search, re))
			BUG("no thread");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		void *got;

		pthread_join(t[i], &got);
		right += got == re;
	}
	is_int((long long)right, 4, "four threads find the same");
}

/* The first line from `from` on that matches as a text of its own. */
static enum re_answer one_by_one(const struct re *re, struct re_work *w, struct str text,
				 size_t from, struct span *match)
{
	while (from < text.n || (from == text.n && from && text.p[from - 1] != '\n')) {
		size_t start = from, end = size_min(str_find_char(text, '\n', from), text.n);
		enum re_answer r;

		while (start && text.p[start - 1] != '\n')
			start--;
		r = re_find(re, w, str_sub(text, start, end), from - start, match);
		*match = (struct span){match->from + start, match->to + start};
		if (r != RE_NO)
			return r;
		from = end + 1;
	}
	*match = (struct span){0};
	return RE_NO;
}

static void lines_as_texts(void)
{
	enum { PATTERNS = 4000, TEXTS = 12 };
	size_t differ = 0, found = 0, bad = 0;

	for (size_t i = 0; i < PATTERNS; i++) {
		struct arena *a = arena_new();
		struct re_work *w = re_work_new(a);
		unsigned flags = (rnd(2) ? RE_ICASE : 0) | (rnd(8) ? 0 : RE_WORD);
		struct re *plain, *lines;
		struct buf b = buf_in(a);

		generate(&b, 0);
		if (rnd(6) == 0)
			buf_puts(&b, rnd(2) ? "$" : "\\z");
		if (re_new(a, buf_as_str(&b), flags | RE_MULTILINE, &plain) ||
		    re_new(a, buf_as_str(&b), flags | RE_LINES, &lines)) {
			bad++;
		} else {
			re_forget_literals(plain);
			for (size_t k = 0; k < TEXTS; k++) {
				struct str text = text_of(a);
				size_t from = rnd(4) ? 0 : rnd((unsigned)text.n + 1);
				struct span one = {0}, two = {0};
				enum re_answer x = one_by_one(plain, w, text, from, &one);
				enum re_answer y = re_find(lines, w, text, from, &two);

				found += x == RE_YES;
				if (x == y &&
				    (x != RE_YES || (one.from == two.from && one.to == two.to)))
					continue;
				differ++;
				printf("# '%.*s' on '%.*s' from %zu, flags %u: %d %zu-%zu, %d %zu-%zu\n",
				       STR_ARG(buf_as_str(&b)), STR_ARG(text), from, flags, x,
				       one.from, one.to, y, two.from, two.to);
			}
		}
		arena_free(a);
	}
	ok(!differ && found > PATTERNS && bad < PATTERNS / 3,
	   "RE_LINES: the same as line by line (%zu differ, %zu found)", differ, found);
}

static void lines(void)
{
	finds("a\\s+b", RE_LINES, STR("a\nb a b"), "a b");
	finds("[^x]*y", RE_LINES, STR("aa\nbxy"), "y");
	finds("a\\z", RE_LINES, STR("ab\na\nb"), "a");
	finds("a(?!\\s)", RE_LINES, STR("a b\na"), "a");
	finds("a\\nb", RE_LINES, STR("a\nb"), NULL);
	finds("a\nb", RE_LINES | RE_LITERAL, STR("a\nb"), NULL);
	finds("\\B$", RE_LINES, STR("a\n"), NULL);
	finds("$", RE_LINES, STR(""), NULL);
	finds("b$", RE_LINES, STR("b\r\nb"), "b");
}

/* An LF of the pattern stands for a CR LF too, also in a lookbehind, which has a fixed length. */
static void line_ends(void)
{
	static const unsigned both = RE_CRLF | RE_MULTILINE | RE_ANY_END;

	finds("a\\n[\\n]b", both, STR("a\r\n\r\nb"), "a\r\n\r\nb");
	finds("(?<=\\n)b", both, STR("ab\r\nb"), "b");
	finds("(?<=\\n)b", both, STR("ab\rb"), NULL);
	finds("(?<!\\n)b.", both, STR("b1\nb2ab3"), "b1");
	finds("(?<=[\\n;])b.", both, STR("b1;b2"), "b2");
	finds("(?<=a\\n)b.", both, STR("\nb1a\r\nb2"), "b2");
	finds("(?<=a\\n)b.", both, STR("\nb1a\nb2"), "b2");
	finds("(?<!c|a[;\\n])b.", both, STR("cb1 a\r\nb2 a\nb3 a;b4 \r\nb5"), "b5");
	finds("(?<=(?:(?<!x)a[)]\\n))b.", both, STR("xa)\nb1a)\r\nb2"), "b2");
	finds("(*plb:a\\n)b", both, STR("a\nb"), "b");
	finds("(?<*a\\n)(b)(?<=(b))\\n\\2", both, STR("a\r\nb\r\nb"), "b\r\nb");
	finds("(?<=(a)\\n)(b)\\n\\2", both, STR("a\nb\r\nb"), "b\r\nb");
	finds("(?<=(a)\\n)(b)\\n\\2\\1", both, STR("a\r\nb\r\nba"), "b\r\nba");
	finds("(?<=(?<x>a)\\n)b(?<!(?<y>;)\\nb)\\k<x>", both, STR("a\r\nba"), "ba");
	finds("(?<!(;)\\n)b.", both, STR(";\r\nb1;\nb2;b3"), "b3");
	finds("(?<=(a\\n)b)c\\1", both, STR("a\r\nbca\r\n"), "ca\r\n");
	finds("(?(?<=\\n)b.|c)", both, STR("b1\r\nb2"), "b2");
	finds("(?(?<!(a)\\n)b.|c)", both, STR("a\r\nb1a\r\nc"), "c");
	finds("(?<=(?:a\\n|bc))d", both, STR("a\nd"), "d");
	finds("\n(?<=a\nb", RE_CRLF | RE_LITERAL, STR("\r\n(?<=a\r\nb"), "\r\n(?<=a\r\nb");
}

int main(void)
{
	arena = arena_new();
	lines();
	line_ends();
	lines_as_texts();
	matching();
	errors();
	replacements();
	limits();
	literals();
	sets();
	threads();
	places();
	property();
	arena_free(arena);
	return tap_done();
}
