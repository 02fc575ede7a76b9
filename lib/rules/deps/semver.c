#include "deps/range.h"
#include "deps/reader.h"

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
	struct str pre;
	bool has_pre;
};

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_digit(s.p[i]))
			return false;
	return true;
}

/* Parses dot-separated identifiers; strict: numbers have no leading zeros. */
static bool semver_parse_idents(struct str *s, struct str *out, bool strict)
{
	size_t n = 0;
	struct str rest, one;

	while (n < s->n && (ascii_is_alnum(s->p[n]) || s->p[n] == '-' || s->p[n] == '.'))
		n++;
	*out = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	if (!out->n || out->p[out->n - 1] == '.')
		return false;
	rest = *out;
	while (str_next_part(&rest, '.', &one))
		if (!one.n || (strict && one.n > 1 && one.p[0] == '0' && all_digits(one)))
			return false;
	return true;
}

static bool semver_parse_partial(struct str *s, struct partial *v)
{
	bool open = false;
	struct str build;
	size_t i = 0;

	*v = (struct partial){0};
	for (; i < 3; i++) {
		struct str digits;

		if (i && !str_take_char(s, '.'))
			break;
		if (reader_starts_with_any_of(*s, "x|X|*")) {
			*s = str_sub(*s, 1, s->n);
			open = true;
			continue;
		}
		if (!number_take_digits(s, &digits) || (digits.n > 1 && digits.p[0] == '0'))
			return false;
		/* 1.x.3 means 1.x */
		if (!open) {
			v->n[i] = digits;
			v->parts = i + 1;
		}
	}
	if (i == 3 && str_take_char(s, '-')) {
		if (!semver_parse_idents(s, &v->pre, true))
			return false;
		v->has_pre = !open;
	}
	return !str_take_char(s, '+') || semver_parse_idents(s, &build, false);
}

/* The cut before every pre-release of the version. */
static struct buf cut_at(struct arena *a, struct str major, struct str minor, struct str patch)
{
	struct buf b = buf_in(a);

	key_append_number(&b, major);
	key_append_number(&b, minor);
	key_append_number(&b, patch);
	return b;
}

static struct str semver_key_of(struct arena *a, const struct partial *v)
{
	struct buf b = cut_at(a, v->n[0], v->n[1], v->n[2]);
	struct str rest = v->pre, one;

	if (!v->has_pre) {
		buf_putc(&b, '\xff');
		return buf_as_str(&b);
	}
	buf_putc(&b, 1);
	while (str_next_part(&rest, '.', &one))
		key_append_part(&b, all_digits(one) ? 2 : 3, one, all_digits(one));
	buf_putc(&b, 1);
	return buf_as_str(&b);
}

static bool semver_key(struct arena *a, struct str text, struct str *key)
{
	struct partial v;

	while (text.n && (text.p[0] == 'v' || text.p[0] == '=' || text.p[0] == ' '))
		text = str_sub(text, 1, text.n);
	if (!semver_parse_partial(&text, &v) || text.n || v.parts < 3)
		return false;
	*key = semver_key_of(a, &v);
	return true;
}

/* The cut before the next value of part i, with zeros after it. */
static struct str next_of(struct arena *a, const struct partial *v, size_t i)
{
	struct str n[3] = {{"", 0}, {"", 0}, {"", 0}};
	struct buf b;

	memcpy(n, v->n, i * sizeof(n[0]));
	n[i] = number_plus_one(a, v->n[i]);
	b = cut_at(a, n[0], n[1], n[2]);
	return buf_as_str(&b);
}

static bool semver_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	struct partial v;
	struct buf b;
	size_t i = 0;

	if (!semver_parse_partial(&text, &v) || text.n)
		return false;
	/* The lowest version that it may mean, and what lies behind the highest. */
	b = cut_at(a, v.n[0], v.n[1], v.n[2]);
	out->lo = v.parts == 3 ? semver_key_of(a, &v) : buf_as_str(&b);
	out->hi = v.parts == 3 ? version_bound_above_prefix(a, out->lo)
		  : v.parts    ? next_of(a, &v, v.parts - 1)
			       : CUT_HIGHEST;
	out->tilde = out->compatible = v.parts < 2 ? out->hi : next_of(a, &v, 1);
	/* ^ allows changes after the first part that is not zero. */
	while (i + 1 < v.parts && str_is(v.n[i], "0"))
		i++;
	out->caret = v.parts ? next_of(a, &v, i) : CUT_HIGHEST;
	return true;
}

/* A version alone means ^, unless it has a wildcard. */
static bool cargo_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	/* 1.* means all of 1. */
	out->bare = reader_until(text, "*xX").n < text.n ? "=" : "^";
	return semver_version_bounds(a, text, out);
}

#define SEMVER_OPERATORS "<= >= ~> < > = ~ ^"
#define SEMVER_LOWEST    STR_INIT("\0\0\0\0\0\0\1\2\0\0\1") /* 0.0.0-0 */
#define SEMVER                                                                                     \
	semver_key, semver_version_bounds, SEMVER_OPERATORS, "", "v=", RANGE_HYPHEN, SEMVER_LOWEST
#define CARGO                                                                                      \
	semver_key, cargo_version_bounds, SEMVER_OPERATORS, ",", "", RANGE_COMMAS | RANGE_ONE,     \
		SEMVER_LOWEST

const struct versions versions_npm = {SEMVER,
				      "1.2.3, ^1.2, ~1.2, 1.x, >=1 <2, 1.0 - 2.0, joined by ||"},
		      versions_go = {SEMVER, "v1.2.3, >=v1.2 <v2, ^v1.2, v1.x, joined by ||"},
		      versions_cargo = {CARGO, "1.2, =1.2.3, ~1.2, 1.*, >=1, <2, joined by commas"};
