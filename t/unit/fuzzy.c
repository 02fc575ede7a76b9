#include "tap.h"
#include "fuzzy/fuzzy.h"

static struct arena *a;

static struct fuzzy_hits rank(const char *query, const struct strs *names, size_t limit)
{
	struct fuzzy_hits hits;

	works(fuzzy_rank(a, str_of(query), names, limit, &hits), query);
	return hits;
}

/* The names that match, best first, joined by blanks. */
static struct str found(const char *query, const char *joined, size_t limit)
{
	struct str rest = str_of(joined), name;
	struct strs names = {0}, out = {0};
	struct fuzzy_hits hits;

	while (str_next_part(&rest, ' ', &name))
		strs_push(a, &names, name);
	hits = rank(query, &names, limit);
	for (size_t i = 0; i < hits.n; i++) {
		strs_push(a, &out, names.p[hits.p[i].index]);
		ok(!i || hits.p[i].score <= hits.p[i - 1].score, "scores fall");
	}
	return str_join(a, &out, " ");
}

static void order(void)
{
	static const struct {
		const char *query, *names, *want, *why;
	} rows[] = {
		{"abc", "a-b-c abc ab xabc cba", "abc a-b-c xabc", "neighbours, then word starts"},
		{"main", "src/domain.c src/main.c", "src/main.c src/domain.c",
		 "the start of a part"},
		{"qa", "equal.c que/auth.c qxxa.c", "que/auth.c qxxa.c equal.c",
		 "both starts of parts"},
		{"fb", "foobar fooBar foo_bar", "fooBar foo_bar foobar", "humps are word starts"},
		{"v2", "ev2x xv2 v12 api2v", "v12 xv2 ev2x", "the first letter says most"},
		{"ab", "abbbb ab abb", "ab abb abbbb", "the shorter of two alike"},
		{"ab", "abz aby abx", "abx aby abz", "then byte order"},
		{"readme", "README.md src/README", "README.md src/README",
		 "small letters match capitals"},
		{"READ", "README.md read.md", "README.md", "capitals do not match small ones"},
		{"Rm", "README.MD Rxmx rm", "Rxmx", "nor any letter of a word with one"},
		{"xyz", "abc x/y", "", "nothing"},
		{"c", "src/x.h src/a.c c", "c src/a.c src/x.h", "one letter"},
		{"\xc3\xa9t", "\xc3\xa9t\xc3\xa9.md et.md \xc3\xa8t", "\xc3\xa9t\xc3\xa9.md",
		 "letters beyond ASCII"},
		/* C3 A9 is there as bytes of two letters. */
		{"\xc3\xa9", "\xc3\xa8\xc2\xa9", "", "never half a letter"},
		{"\xff", "a\xff\xfe b", "a\xff\xfe", "bytes that are no letters"},
	};
	struct strs names = {0};
	struct fuzzy_hits hits;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		is_str(found(rows[i].query, rows[i].names, 0), str_of(rows[i].want), rows[i].why);
	is_str(found("api auth", "auth/api.c api.c api/x/auth.c", 0),
	       STR("auth/api.c api/x/auth.c"), "all words must match, in any order");
	is_str(found("  api   ", "api.c x", 0), STR("api.c"), "blanks around are nothing");
	is_str(found("", "b a c", 2), STR("b a"), "an empty query gives names in their order");
	is_str(found("a", "a3 a1 a2 a0", 2), STR("a0 a1"), "the best of them");
	hits = rank("x", &names, 5);
	is_int((long long)hits.n, 0, "no names, no hits");
	strs_push(a, &names, STR(""));
	strs_push(a, &names, (struct str){"a\0b", 3});
	hits = rank("ab", &names, 5);
	is_int((long long)hits.n, 1, "NUL and an empty name are names");
}

/* The figures that fzf prints for these: the letters' places are worth the same. */
static void scores(void)
{
	static const struct {
		const char *query, *name;
		int want;
	} rows[] = {
		{"a", "a", 16 + 2 * 10},
		{"b", "a/b", 16 + 2 * 9},
		{"b", "a_b", 16 + 2 * 8},
		{"b", "aBc", 16 + 2 * 7},
		{"b", "ab", 16},
		{"ab", "ab", 16 + 2 * 10 + 16 + 10},
		{"ab", "a-b", 16 + 2 * 10 - 3 + 16 + 8},
		{"ac", "a__c", 16 + 2 * 10 - 3 - 1 + 16 + 8},
		{"bc", "abc", 16 + 16 + 4},
		{"b", "a b", 16 + 2 * 10},
		{"b", "a,b", 16 + 2 * 9},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strs names = {0};
		struct fuzzy_hits hits;

		strs_push(a, &names, str_of(rows[i].name));
		hits = rank(rows[i].query, &names, 0);
		is_int(hits.n ? hits.p[0].score : -1, rows[i].want, rows[i].name);
	}
}

/* Many names: threads and the heap give the same result as sorting in one thread. */
static void many(void)
{
	struct strs names = {0}, one = {0};
	struct fuzzy_hits all, some, hit;
	uint32_t seed = 1;
	bool same = true;

	for (size_t i = 0; i < 20000; i++) {
		char text[24];
		size_t n = 4 + i % 20;

		for (size_t k = 0; k < n; k++)
			text[k] = "abcAB/_.1"[((seed = seed * 1664525 + 1013904223) >> 24) % 9];
		strs_push(a, &names, str_dup(a, (struct str){text, n}));
	}
	all = rank("abc", &names, 0);
	some = rank("abc", &names, 50);
	is_int((long long)some.n, 50, "as many as asked for");
	for (size_t i = 0; i < some.n; i++)
		same = same && all.p[i].index == some.p[i].index;
	ok(same, "the best 50 of %zu", all.n);
	same = all.n > 100;
	strs_push(a, &one, (struct str){0});
	for (size_t i = 0; i < names.n; i += 97) {
		int score = -1;

		one.p[0] = names.p[i];
		if (fuzzy_rank(a, STR("abc"), &one, 0, &hit))
			BUG("cannot rank");
		for (size_t k = 0; k < all.n; k++)
			if (all.p[k].index == i)
				score = all.p[k].score;
		same = same && score == (hit.n ? hit.p[0].score : -1);
	}
	ok(same, "each scores as it does alone");
}

static void limits(void)
{
	struct buf b = buf_in(a);
	struct strs names = {0};
	struct fuzzy_hits hits;

	for (size_t i = 0; i <= FUZZY_QUERY_MAX; i++)
		buf_putc(&b, 'a');
	fails(fuzzy_rank(a, buf_as_str(&b), &names, 0, &hits), E_TOO_LONG, "a long query");
	for (size_t i = 0; i < 100000; i++)
		buf_putc(&b, 'a');
	strs_push(a, &names, buf_as_str(&b));
	works(fuzzy_rank(a, str_sub(buf_as_str(&b), 0, FUZZY_QUERY_MAX), &names, 0, &hits),
	      "a name of any length");
	is_int((long long)hits.n, 1, "is found");
}

int main(void)
{
	a = arena_new();
	order();
	scores();
	many();
	limits();
	arena_free(a);
	return tap_done();
}
