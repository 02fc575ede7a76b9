#include "deps/range.h"

/*
 * Semantic versions (semver.org, 2.0.0) and ranges of npm, Cargo and, with a leading v, Go. Build
 * metadata does not take part in the order.
 *
 * A key: three numbers, then 0xff for a release, or 0x01 and the identifiers of a pre-release: 0x02
 * and a number, 0x03 and text and 0x00, and 0x01 at the end.
 */

/* 0.0.0-0, the lowest version, so that the range "<0.0.0-0" is empty. */
#define CUT_LOWEST STR("\0\0\0\0\0\0\1\2\0\0\1")

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

enum op { OP_NONE, OP_EQ, OP_LT, OP_LE, OP_GT, OP_GE, OP_TILDE, OP_CARET };

static enum op semver_parse_op(struct str *s)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = {{"<=", OP_LE}, {">=", OP_GE}, {"~>", OP_TILDE}, {"<", OP_LT},
		   {">", OP_GT},  {"=", OP_EQ},  {"~", OP_TILDE},  {"^", OP_CARET}};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (str_starts(*s, str_of(ops[i].text))) {
			*s = str_sub(*s, strlen(ops[i].text), s->n);
			return ops[i].op;
		}
	return OP_NONE;
}

static struct interval interval_of(struct arena *a, enum op op, const struct partial *v)
{
	struct interval i = {CUT_LOWEST, CUT_HIGHEST};

	switch (op) {
	case OP_NONE:
	case OP_EQ:
		i.lo = floor_of(a, v);
		i.hi = ceiling_of(a, v);
		break;
	case OP_LT: i.hi = floor_of(a, v); break;
	case OP_LE: i.hi = ceiling_of(a, v); break;
	case OP_GT: i.lo = ceiling_of(a, v); break;
	case OP_GE: i.lo = floor_of(a, v); break;
	case OP_TILDE:
		i.lo = floor_of(a, v);
		i.hi = v->parts < 2 ? ceiling_of(a, v) : next_of(a, v, 1);
		break;
	case OP_CARET:
		i.lo = floor_of(a, v);
		i.hi = v->parts ? caret_end(a, v) : CUT_HIGHEST;
		break;
	}
	return i;
}

static void semver_narrow(struct interval *i, struct interval by)
{
	if (str_cmp(by.lo, i->lo) > 0)
		i->lo = by.lo;
	if (str_cmp(by.hi, i->hi) < 0)
		i->hi = by.hi;
}

static struct str semver_skip(struct str s, const char *what)
{
	while (s.n && s.p[0] && strchr(what, s.p[0]))
		s.p++, s.n--;
	return s;
}

/* The first word, for messages. */
static struct str semver_word_of(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] != ' ' && s.p[n] != ',' && s.p[n] != '\t')
		n++;
	return str_sub(s, 0, n ? n : s.n);
}

/* "1.2 - 2.3" is a whole set, with blanks around the dash. */
static bool semver_hyphen_range(struct arena *a, struct str s, struct interval *out)
{
	struct partial from, to;

	s = semver_skip(s, "v= \t");
	if (!semver_parse_partial(&s, &from) || !s.n || !strchr(" \t", s.p[0]))
		return false;
	s = semver_skip(s, " \t");
	if (s.n < 2 || s.p[0] != '-' || !strchr(" \t", s.p[1]))
		return false;
	s = semver_skip(str_sub(s, 1, s.n), "v= \t");
	if (!semver_parse_partial(&s, &to) || semver_skip(s, " \t").n)
		return false;
	*out = interval_of(a, OP_GE, &from);
	semver_narrow(out, interval_of(a, OP_LE, &to));
	return true;
}

/* Comparators that must all hold: separated by blanks for npm and Go, by commas for Cargo. */
static struct err *semver_set(struct arena *a, struct str all, struct str s, struct deps_range *r)
{
	bool cargo = r->ecosystem == DEPS_CARGO;
	struct interval i = {CUT_LOWEST, CUT_HIGHEST}, whole;

	if (!cargo && semver_hyphen_range(a, s, &whole)) {
		range_add(a, r, whole.lo, whole.hi);
		return NULL;
	}
	for (s = semver_skip(s, " \t"); s.n; s = semver_skip(s, " \t")) {
		struct str at = s;
		struct partial v;
		enum op op = semver_parse_op(&s);

		s = semver_skip(s, cargo ? " \t" : "v= \t");
		if (!semver_parse_partial(&s, &v) ||
		    (s.n && !strchr(cargo ? " \t," : " \t", s.p[0])))
			return range_bad(r->ecosystem, all, semver_word_of(at),
					 "is not a comparator");
		/* Cargo's 1.* means all of 1; a version without operator and star means ^. */
		if (op == OP_NONE && cargo && !v.wild)
			op = OP_CARET;
		semver_narrow(&i, interval_of(a, op, &v));
		s = semver_skip(s, " \t");
		if (!cargo || !s.n)
			continue;
		if (s.p[0] != ',' || !semver_skip(str_sub(s, 1, s.n), " \t").n)
			return range_bad(r->ecosystem, all, semver_word_of(s),
					 "stands where a comma and a comparator must");
		s = str_sub(s, 1, s.n);
	}
	range_add(a, r, i.lo, i.hi);
	return NULL;
}

struct err *semver_range(struct arena *a, struct str text, struct deps_range *r)
{
	size_t from = 0, bar;

	if (r->ecosystem == DEPS_CARGO)
		return text.n ? semver_set(a, text, text, r)
			      : range_bad(r->ecosystem, text, text, "is empty");
	do {
		bar = str_find(text, STR("||"), from);
		TRY(semver_set(a, text, str_sub(text, from, bar), r));
		from = bar + 2;
	} while (bar != SIZE_MAX);
	return NULL;
}
