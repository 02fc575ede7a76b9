#include "deps/range.h"

/*
 * Semantic versions (semver.org, 2.0.0) and ranges of npm, Cargo and, with a leading v, Go. Build
 * metadata does not take part in the order.
 *
 * A key: three numbers, then 0xff for a release, or 0x01 and the identifiers of a pre-release: 0x02
 * and a number, 0x03 and text and 0x00, and 0x01 at the end.
 */

/* A version with missing parts or wildcards. */
struct partial {
	struct str n[3];
	size_t parts; /* number of given parts, before the first missing one */
	bool wild;    /* some part is x, X or * */
	struct str pre;
	bool has_pre;
};

static bool is_ident(char c)
{
	return ascii_is_alnum(c) || c == '-';
}

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

static bool is_wild(char c)
{
	return c == 'x' || c == 'X' || c == '*';
}

/* Parses dot-separated identifiers; strict: numbers have no leading zeros. */
static bool semver_parse_idents(struct str *s, struct str *out, bool strict)
{
	size_t n = 0;
	struct str rest, one;

	while (n < s->n && (is_ident(s->p[n]) || s->p[n] == '.'))
		n++;
	*out = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	if (!out->n || out->p[out->n - 1] == '.')
		return false;
	rest = *out;
	while (str_split(&rest, '.', &one))
		if (!one.n || (strict && one.n > 1 && one.p[0] == '0' && all_digits(one)))
			return false;
	return true;
}

static bool semver_parse_partial(struct str *s, struct partial *v)
{
	bool open = false;
	size_t i = 0;

	*v = (struct partial){0};
	for (; i < 3; i++) {
		struct str digits;

		if (i) {
			if (!s->n || s->p[0] != '.')
				break;
			*s = str_sub(*s, 1, s->n);
		}
		if (s->n && is_wild(s->p[0])) {
			*s = str_sub(*s, 1, s->n);
			open = v->wild = true;
			continue;
		}
		if (!number_parse(s, &digits) || (digits.n > 1 && digits.p[0] == '0'))
			return false;
		/* 1.x.3 means 1.x */
		if (!open) {
			v->n[i] = digits;
			v->parts = i + 1;
		}
	}
	if (i == 3 && s->n && s->p[0] == '-') {
		*s = str_sub(*s, 1, s->n);
		if (!semver_parse_idents(s, &v->pre, true))
			return false;
		v->has_pre = !open;
	}
	if (s->n && s->p[0] == '+') {
		struct str build;

		*s = str_sub(*s, 1, s->n);
		return semver_parse_idents(s, &build, false);
	}
	return true;
}

static void put_numbers(struct buf *b, struct str major, struct str minor, struct str patch)
{
	key_number(b, major);
	key_number(b, minor);
	key_number(b, patch);
}

/* The cut before every pre-release of the version. */
static struct str cut_at(struct arena *a, struct str major, struct str minor, struct str patch)
{
	struct buf b = buf_in(a);

	put_numbers(&b, major, minor, patch);
	return buf_str(&b);
}

static struct str semver_key_of(struct arena *a, const struct partial *v)
{
	struct buf b = buf_in(a);
	struct str rest = v->pre, one;

	put_numbers(&b, v->n[0], v->n[1], v->n[2]);
	if (!v->has_pre) {
		buf_putc(&b, '\xff');
		return buf_str(&b);
	}
	buf_putc(&b, 1);
	while (str_split(&rest, '.', &one)) {
		if (all_digits(one)) {
			buf_putc(&b, 2);
			key_number(&b, one);
		} else {
			buf_putc(&b, 3);
			buf_put(&b, one);
			buf_putc(&b, 0);
		}
	}
	buf_putc(&b, 1);
	return buf_str(&b);
}

bool semver_key(struct arena *a, struct str text, struct str *key)
{
	struct partial v;

	while (text.n && (text.p[0] == 'v' || text.p[0] == '=' || text.p[0] == ' '))
		text = str_sub(text, 1, text.n);
	if (!semver_parse_partial(&text, &v) || text.n || v.parts < 3)
		return false;
	*key = semver_key_of(a, &v);
	return true;
}

/* The lowest version that v may mean. */
static struct str floor_of(struct arena *a, const struct partial *v)
{
	return v->parts == 3 ? semver_key_of(a, v) : cut_at(a, v->n[0], v->n[1], v->n[2]);
}

/* The cut before the next value of part i, with zeros after it. */
static struct str next_of(struct arena *a, const struct partial *v, size_t i)
{
	struct str zero = {"", 0}, n = number_next(a, v->n[i]);

	return cut_at(a, i == 0 ? n : v->n[0],
		      i == 0   ? zero
		      : i == 1 ? n
			       : v->n[1],
		      i == 2 ? n : zero);
}

/* The cut behind the highest version that v may mean. */
static struct str ceiling_of(struct arena *a, const struct partial *v)
{
	if (v->parts == 3)
		return cut_after(a, semver_key_of(a, v));
	return v->parts ? next_of(a, v, v->parts - 1) : CUT_HIGHEST;
}

static bool semver_is_zero(struct str digits)
{
	return digits.n == 1 && digits.p[0] == '0';
}

/* ^ allows changes after the first part that is not zero. */
static struct str caret_end(struct arena *a, const struct partial *v)
{
	size_t i = 0;

	while (i + 1 < v->parts && semver_is_zero(v->n[i]))
		i++;
	return next_of(a, v, i);
}

bool semver_cuts(struct arena *a, struct str text, struct cuts *out)
{
	struct partial v;

	if (!semver_parse_partial(&text, &v) || text.n)
		return false;
	out->lo = floor_of(a, &v);
	out->hi = ceiling_of(a, &v);
	out->tilde = out->compatible = v.parts < 2 ? out->hi : next_of(a, &v, 1);
	out->caret = v.parts ? caret_end(a, &v) : CUT_HIGHEST;
	return true;
}

bool cargo_cuts(struct arena *a, struct str text, struct cuts *out)
{
	/* 1.* means all of 1. */
	bool wild = str_find_char(text, '*', 0) != SIZE_MAX ||
		    str_find_char(text, 'x', 0) != SIZE_MAX ||
		    str_find_char(text, 'X', 0) != SIZE_MAX;

	out->bare = wild ? "=" : "^";
	return semver_cuts(a, text, out);
}
