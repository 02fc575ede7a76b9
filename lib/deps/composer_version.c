#include "deps/range.h"
#include "deps/reader.h"

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

	s = reader_behind(s, "-|.|_");
	while (n < s.n && ascii_is_letter(s.p[n]))
		n++;
	for (size_t i = 0; i < ARRAY_SIZE(composer_words); i++) {
		if (!str_ieq(str_sub(s, 0, n), str_of(composer_words[i].word)))
			continue;
		v->rank = composer_words[i].rank;
		v->given = true;
		s = reader_behind(str_sub(s, n, s.n), "-|.");
		number_parse(&s, &v->number);
		return !s.n || str_ieq(s, STR("-dev"));
	}
	return false;
}

static bool composer_split(struct str s, struct composer_version *v)
{
	*v = (struct composer_version){.rank = 5};
	s = reader_behind(reader_until(s, "@+"), "v|V");
	v->star = reader_is(s, "*|x|X");
	if (v->star)
		return true;
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

bool composer_cuts(struct arena *a, struct str text, struct cuts *out)
{
	struct composer_version v;
	unsigned n = 1;

	*out = (struct cuts){.lo = STR(""), .hi = CUT_HIGHEST, .whole = true};
	/* A branch, or only a stability: "@dev". No order excludes any version. */
	if (reader_head(text, "dev-|@"))
		return true;
	if (!composer_split(text, &v))
		return false;
	if (v.star) {
		out->lo = composer_cut(a, &v, v.n, false);
		out->hi = v.n ? composer_cut(a, &v, v.n, true) : CUT_HIGHEST;
		return true;
	}
	out->whole = false;
	out->lo = composer_key_of(a, &v);
	out->hi = cut_after(a, out->lo);
	/* Before the pre-releases of a version that names none. */
	if (!v.given)
		out->ge = out->lt = composer_cut(a, &v, 4, false);
	/* ^1.2.3 up to 2; ^0.3 up to 0.4: the first number that is not zero stays. */
	while (n < v.n && str_is_zeros(v.p[n - 1]))
		n++;
	out->caret = composer_cut(a, &v, n, true);
	out->tilde = composer_cut(a, &v, v.n > 1 ? v.n - 1 : 1, true);
	/* "1.0 - 2.0": up to all of 2.0, when the end is not written whole. */
	if (v.n < 3 && !v.given)
		out->through = composer_cut(a, &v, v.n, true);
	return true;
}
