#include "deps/range.h"

/*
 * Versions of Composer: up to four numbers and a stability, dev < alpha < beta < RC < the release <
 * patch. A key: the four numbers, the rank of the stability, its number. "dev-main" names a branch,
 * and has no order. "2.x-dev" lies behind every version that begins with 2.
 */

struct composer_version {
	struct str p[4];
	unsigned n; /* numbers given */
	char rank;  /* 5: the release, given or not */
	bool given; /* a stability is written */
	bool star;  /* ends with .* or .x */
	struct str number;
};

static const struct {
	const char *word;
	char rank;
} composer_words[] = {{"dev", 1}, {"alpha", 2},  {"a", 2},     {"beta", 3}, {"b", 3},
		      {"rc", 4},  {"stable", 5}, {"patch", 6}, {"pl", 6},   {"p", 6}};

static bool composer_stability(struct str s, struct composer_version *v)
{
	size_t n = 0;

	if (s.n && strchr("-._", s.p[0]))
		s = str_sub(s, 1, s.n);
	while (n < s.n && ascii_is_letter(s.p[n]))
		n++;
	for (size_t i = 0; i < ARRAY_SIZE(composer_words); i++) {
		if (!str_ieq(str_sub(s, 0, n), str_of(composer_words[i].word)))
			continue;
		v->rank = composer_words[i].rank;
		v->given = true;
		s = str_sub(s, n, s.n);
		if (s.n && strchr("-.", s.p[0]))
			s = str_sub(s, 1, s.n);
		number_parse(&s, &v->number);
		return !s.n || str_ieq(s, STR("-dev"));
	}
	return false;
}

static bool composer_split(struct str s, struct composer_version *v)
{
	size_t at = str_find_char(s, '@', 0);

	*v = (struct composer_version){.rank = 5};
	s = str_sub(s, 0, at);
	s = str_sub(s, 0, str_find_char(s, '+', 0));
	if (s.n && (s.p[0] == 'v' || s.p[0] == 'V'))
		s = str_sub(s, 1, s.n);
	if (str_is(s, "*") || str_ieq(s, STR("x"))) {
		v->star = true;
		return true;
	}
	while (v->n < 4 && number_parse(&s, &v->p[v->n])) {
		v->n++;
		if (s.n < 2 || s.p[0] != '.' || !(ascii_is_digit(s.p[1]) || strchr("*xX", s.p[1])))
			break;
		s = str_sub(s, 1, s.n);
		if (!ascii_is_digit(s.p[0])) {
			v->star = true;
			s = str_sub(s, 1, s.n);
			if (s.n && s.p[0] == '.')
				s = str_sub(s, 2, s.n);
			break;
		}
	}
	return v->n && (!s.n || composer_stability(s, v));
}

/* The cut before all versions that begin with the first n numbers, with the last one raised. */
static struct str composer_cut(struct arena *a, const struct composer_version *v, unsigned n,
			       bool next)
{
	struct buf b = buf_in(a);

	for (unsigned i = 0; i < n; i++) {
		struct str digits = i < v->n ? v->p[i] : STR("0");

		key_number(&b, next && i + 1 == n ? number_next(a, digits) : digits);
	}
	return buf_str(&b);
}

static struct str composer_key_of(struct arena *a, const struct composer_version *v)
{
	struct buf b = buf_in(a);

	buf_put(&b, composer_cut(a, v, 4, false));
	buf_putc(&b, v->rank);
	key_number(&b, v->number);
	buf_putc(&b, 0);
	return buf_str(&b);
}

bool composer_key(struct arena *a, struct str text, struct str *key)
{
	struct composer_version v;

	if (!composer_split(text, &v))
		return false;
	if (v.star) /* 2.x-dev */
		*key = v.n ? cut_after(a, composer_cut(a, &v, v.n, false)) : STR("\xfe");
	else
		*key = composer_key_of(a, &v);
	return true;
}

/* Where ">= v" begins and "< v" ends: before the pre-releases of v, when v names none. */
static struct str composer_low(struct arena *a, const struct composer_version *v)
{
	return v->given ? composer_key_of(a, v) : composer_cut(a, v, 4, false);
}

static struct str composer_high(struct arena *a, const struct composer_version *v)
{
	return cut_after(a, composer_key_of(a, v));
}

/* ^1.2.3 up to 2; ^0.3 up to 0.4: the first number that is not zero stays. */
static unsigned composer_caret(const struct composer_version *v)
{
	unsigned n = 1;

	while (n < v->n && str_is_zeros(v->p[n - 1]))
		n++;
	return n;
}

static struct err *composer_clause(struct arena *a, struct str text, struct str part,
				   struct deps_range *out)
{
	static const char *const operators[] = {
		">=", "<=", "!=", "<>", "==", ">", "<", "=", "^", "~"};
	struct str lo = {"", 0}, hi = CUT_HIGHEST, rest = part;
	const char *op = "";
	struct composer_version v;

	for (size_t i = 0; !*op && i < ARRAY_SIZE(operators); i++)
		if (str_starts(rest, str_of(operators[i])))
			op = operators[i];
	rest = str_trim(str_sub(rest, strlen(op), rest.n));
	/* A branch, or only a stability: "@dev". No order excludes any version. */
	if (str_starts(rest, STR("dev-")) || str_starts(rest, STR("@"))) {
		range_add(a, out, lo, hi);
		return NULL;
	}
	if (!composer_split(rest, &v))
		return range_bad(DEPS_COMPOSER, text, part, "is not a version");
	if (v.star && v.n) {
		range_add(a, out, composer_cut(a, &v, v.n, false), composer_cut(a, &v, v.n, true));
		return NULL;
	}
	if (v.star) {
		range_add(a, out, lo, hi);
		return NULL;
	}
	if (!strcmp(op, "!=") || !strcmp(op, "<>")) {
		range_add(a, out, lo, composer_key_of(a, &v));
		range_add(a, out, composer_high(a, &v), hi);
		return NULL;
	}
	if (*op == '^' || *op == '~') {
		unsigned n = *op == '^' ? composer_caret(&v) : v.n > 1 ? v.n - 1 : 1;

		lo = composer_low(a, &v);
		hi = composer_cut(a, &v, n, true);
	} else if (*op == '>') {
		lo = op[1] ? composer_low(a, &v) : composer_high(a, &v);
	} else if (*op == '<') {
		hi = op[1] ? composer_high(a, &v) : composer_low(a, &v);
	} else {
		lo = composer_key_of(a, &v);
		hi = composer_high(a, &v);
	}
	range_add(a, out, lo, hi);
	return NULL;
}

/* "1.0 - 2.0": up to all of 2.0, when the end is not written whole. */
static struct err *composer_hyphen(struct arena *a, struct str text, struct str from, struct str to,
				   struct deps_range *out)
{
	struct composer_version x, y;

	if (!composer_split(str_trim(from), &x) || !composer_split(str_trim(to), &y) || !x.n ||
	    !y.n)
		return range_bad(DEPS_COMPOSER, text, text, "is not a range of two versions");
	range_add(a, out, composer_low(a, &x),
		  y.n < 3 && !y.given ? composer_cut(a, &y, y.n, true) : composer_high(a, &y));
	return NULL;
}

/* The next clause: an operator may have blanks behind it. */
static struct str composer_next(struct str *rest)
{
	size_t i = 0, from;
	struct str part;

	while (i < rest->n && (ascii_is_blank(rest->p[i]) || rest->p[i] == ','))
		i++;
	from = i;
	while (i < rest->n && strchr("<>=!^~", rest->p[i]) && rest->p[i])
		i++;
	while (i < rest->n && ascii_is_blank(rest->p[i]))
		i++;
	while (i < rest->n && !ascii_is_blank(rest->p[i]) && rest->p[i] != ',')
		i++;
	part = str_sub(*rest, from, i);
	*rest = str_sub(*rest, i, rest->n);
	return part;
}

static struct err *composer_all(struct arena *a, struct str text, struct str any,
				struct deps_range *r)
{
	size_t hyphen = str_find(any, STR(" - "), 0);
	struct deps_range all = {0};
	struct str part;

	if (hyphen != SIZE_MAX)
		return composer_hyphen(a, text, str_sub(any, 0, hyphen),
				       str_sub(any, hyphen + 3, any.n), r);
	range_add(a, &all, STR(""), CUT_HIGHEST);
	while ((part = composer_next(&any)).n) {
		struct deps_range one = {0}, both = {0};

		TRY(composer_clause(a, text, part, &one));
		range_settle(&one);
		range_intersect(a, &all, &one, &both);
		all = both;
	}
	for (size_t i = 0; i < all.n; i++)
		range_add(a, r, all.p[i].lo, all.p[i].hi);
	return NULL;
}

/* One or two bars join alternatives. */
struct err *composer_range(struct arena *a, struct str text, struct deps_range *r)
{
	struct str rest = text;

	for (;;) {
		size_t bar = str_find_char(rest, '|', 0), end = bar;
		struct str any = str_trim(str_sub(rest, 0, bar));

		if (!any.n && (bar != SIZE_MAX || rest.n < text.n))
			return range_bad(DEPS_COMPOSER, text, rest, "has nothing on a side of ||");
		TRY(composer_all(a, text, any, r));
		if (bar == SIZE_MAX)
			return NULL;
		while (end < rest.n && rest.p[end] == '|' && end < bar + 2)
			end++;
		rest = str_sub(rest, end, rest.n);
	}
}
