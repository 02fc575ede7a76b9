#include "deps/range.h"

/*
 * Versions and requirements of RubyGems. A version is a list of numbers and words. A word sorts
 * before the end of the list, and the end before a number: 1.a < 1 < 1.0.1. Trailing zeros and
 * zeros before the first word are ignored.
 *
 * A key: for each part 0x01, the word and 0x00, or 0x03 and the number; at the end 0x02.
 */

#define PARTS_MAX 64

struct parts {
	struct str p[PARTS_MAX];
	size_t n, numbers; /* numbers: count of numbers before the first word */
};

/* "1.2.rc1" as 1, 2, rc, 1; a hyphen is ".pre.". */
static bool gem_split(struct str s, struct parts *out)
{
	bool words = false;

	*out = (struct parts){0};
	if (!s.n || !ascii_is_digit(s.p[0]))
		return false;
	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		bool digit = ascii_is_digit(s.p[i]);

		if (out->n + 2 > PARTS_MAX || (!digit && !ascii_is_letter(s.p[i])))
			return false;
		while (i < s.n && (digit ? ascii_is_digit(s.p[i]) : ascii_is_letter(s.p[i])))
			i++;
		words = words || !digit;
		out->p[out->n++] = str_sub(s, from, i);
		out->numbers += !words;
		if (i < s.n && s.p[i] == '-') {
			out->p[out->n++] = STR("pre");
			words = true;
		}
		if (i < s.n && (s.p[i] == '.' || s.p[i] == '-') && ++i == s.n)
			return false;
	}
	return true;
}

static struct str gem_key_of(struct arena *a, struct parts v, bool end)
{
	struct buf b = buf_in(a);
	size_t words = v.n - v.numbers, keep = v.numbers;

	/* Zeros that comparing ignores: at the end of the numbers, and of all. */
	while (keep > 1 && str_is_zeros(v.p[keep - 1]))
		keep--;
	memmove(v.p + keep, v.p + v.numbers, words * sizeof(v.p[0]));
	v.n = keep + words;
	while (v.n > keep && ascii_is_digit(v.p[v.n - 1].p[0]) && str_is_zeros(v.p[v.n - 1]))
		v.n--;
	/* A single zero counts as no part. */
	for (size_t i = keep == 1 && str_is_zeros(v.p[0]); i < v.n; i++) {
		bool digit = ascii_is_digit(v.p[i].p[0]);

		key_part(&b, digit ? 3 : 1, v.p[i], digit);
	}
	if (end)
		buf_putc(&b, 2);
	return buf_str(&b);
}

bool gem_key(struct arena *a, struct str text, struct str *key)
{
	struct parts v;

	if (!gem_split(text, &v))
		return false;
	*key = gem_key_of(a, v, true);
	return true;
}

bool gem_cuts(struct arena *a, struct str text, struct cuts *out)
{
	struct parts v;

	if (!gem_split(text, &v))
		return false;
	out->lo = gem_key_of(a, v, true);
	out->hi = cut_after(a, out->lo);
	/* The upper bound of "~> v": 1.2.3 goes up to 1.3, 1 up to 2. */
	v.n = v.numbers = v.numbers - (v.numbers > 1);
	v.p[v.n - 1] = number_next(a, v.p[v.n - 1]);
	out->compatible = gem_key_of(a, v, false);
	return true;
}
