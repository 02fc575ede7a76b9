#include "deps/range.h"
#include "deps/reader.h"

/*
 * Versions of Maven: tokens between dots, hyphens, underscores, and between digits and letters.
 * Words have an order of their own: alpha < beta < milestone < rc < snapshot < the release < sp <
 * any other word < a number behind a hyphen < a number behind a dot. Zeros and words for "release"
 * do not count at the end, and before a hyphen.
 *
 * A key: one byte for the kind of each token and its data; at the end the byte of the release.
 */

#define MAVEN_TOKENS_MAX 64
#define MAVEN_END        6 /* the release: between snapshot and sp */

static const struct {
	const char *word;
	char rank;
} maven_words[] = {{"alpha", 1}, {"beta", 2},     {"milestone", 3}, {"rc", 4},
		   {"cr", 4},    {"snapshot", 5}, {"", 6},          {"final", 6},
		   {"ga", 6},    {"release", 6},  {"sp", 7}};

struct maven_token {
	struct str s;
	bool dot; /* the separator before it; a hyphen otherwise */
	bool number;
	char rank; /* of a word; 0: a word without a rank */
};

struct maven_tokens {
	struct maven_token p[MAVEN_TOKENS_MAX];
	size_t n;
};

static void maven_trim(struct maven_tokens *v)
{
	const struct maven_token *t;

	for (; v->n > 1; v->n--) {
		t = &v->p[v->n - 1];
		if (t->number ? !str_is_zeros(t->s) : t->rank != MAVEN_END)
			break;
	}
}

static char maven_rank(struct str word, bool digit_follows)
{
	static const char letters[] = "abm";
	char c = word.n == 1 ? ascii_lower(word.p[0]) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(maven_words); i++)
		if (str_ieq(word, str_of(maven_words[i].word)))
			return maven_words[i].rank;
	return c && digit_follows && strchr(letters, c) ? (char)(strchr(letters, c) - letters + 1)
							: 0;
}

static bool maven_is_mark(char c)
{
	return c == '.' || c == '-' || c == '_';
}

static bool maven_split(struct str s, struct maven_tokens *v)
{
	char mark = '.';

	v->n = 0;
	if (!s.n || !ascii_is_alnum(s.p[0]))
		return false;
	for (size_t i = 0; i < s.n;) {
		struct maven_token *t = &v->p[v->n];
		size_t from = i;

		if (v->n == MAVEN_TOKENS_MAX || s.p[i] <= ' ' || strchr("[](),:$", s.p[i]))
			return false;
		if (mark == '-')
			maven_trim(v);
		t = &v->p[v->n];
		*t = (struct maven_token){.dot = mark != '-', .number = ascii_is_digit(s.p[i])};
		while (i < s.n && !maven_is_mark(s.p[i]) && ascii_is_digit(s.p[i]) == t->number) {
			if (s.p[i] <= ' ' || strchr("[](),:$", s.p[i]))
				return false;
			i++;
		}
		t->s = str_sub(s, from, i);
		if (!t->number)
			t->rank = maven_rank(t->s, i < s.n && ascii_is_digit(s.p[i]));
		v->n++;
		mark = '-'; /* between digits and letters */
		if (i < s.n && maven_is_mark(s.p[i]))
			mark = s.p[i++] == '-' ? '-' : '.';
	}
	maven_trim(v);
	return true;
}

static struct str maven_key_of(struct arena *a, const struct maven_tokens *v, bool end)
{
	struct buf b = buf_in(a);

	/* A single zero counts as no token. */
	for (size_t i = v->n == 1 && v->p[0].number && str_is_zeros(v->p[0].s); i < v->n; i++) {
		const struct maven_token *t = &v->p[i];

		if (t->number)
			key_part(&b, t->dot ? 11 : 10, t->s, true);
		else if (t->rank)
			buf_putc(&b, t->rank);
		else
			key_part(&b, 8, str_lower(a, t->s), false);
	}
	if (end)
		buf_putc(&b, MAVEN_END);
	return buf_str(&b);
}

bool maven_key(struct arena *a, struct str text, struct str *key)
{
	struct maven_tokens v;

	if (!maven_split(text, &v))
		return false;
	*key = maven_key_of(a, &v, true);
	return true;
}

/* Gradle's "1.2.+": all versions that begin so. */
static bool maven_prefix(struct arena *a, struct str text, struct str *lo, struct str *hi)
{
	struct maven_tokens v = {0};
	struct str rest = text, part;

	while (str_split(&rest, '.', &part)) {
		struct str digits, s = part;

		if (v.n == MAVEN_TOKENS_MAX || !number_parse(&s, &digits) || s.n)
			return false;
		v.p[v.n++] = (struct maven_token){digits, true, true, 0};
	}
	if (!v.n)
		return false;
	*lo = maven_key_of(a, &v, false);
	v.p[v.n - 1].s = number_next(a, v.p[v.n - 1].s);
	*hi = maven_key_of(a, &v, false);
	return true;
}

bool maven_cuts(struct arena *a, struct str text, struct cuts *out)
{
	/* Names of a version that only the registry knows. */
	if (reader_is(text, "LATEST|RELEASE|+|*") || reader_head(text, "latest.")) {
		*out = (struct cuts){
			.lo = STR(""), .hi = CUT_HIGHEST, .equal = true, .whole = true};
		return true;
	}
	if (str_ends(text, STR("+")) &&
	    maven_prefix(a, str_sub(text, 0, text.n - 1 - str_ends(text, STR(".+"))), &out->lo,
			 &out->hi))
		return true;
	if (!maven_key(a, text, &out->lo))
		return false;
	out->hi = cut_after(a, out->lo);
	return true;
}
