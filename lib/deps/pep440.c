#include "deps/range.h"

/*
 * Python's versions and specifiers (PEP 440), and Poetry's ^ ~ ||, because a pyproject.toml may
 * hold either.
 *
 * A key: the epoch; 0x01 and a number for each part of the release, without trailing zeros, and
 * 0x00; then the parts by which PEP 440 sorts: pre-release, post-release, dev, local version.
 */

/* 0.dev0, the lowest version. */
#define CUT_LOWEST STR("\0\0\0\1\0\1\0\0")

struct version {
	struct str epoch, *release;
	size_t n;
	char pre; /* 'a', 'b', 'r', or 0 */
	bool post, dev;
	struct str pre_n, post_n, dev_n, local;
};

static bool pep440_skip_word(struct str *s, const char *word)
{
	struct str w = str_of(word);

	if (!str_ieq(str_sub(*s, 0, w.n), w))
		return false;
	*s = str_sub(*s, w.n, s->n);
	return true;
}

static struct str skip_separator(struct str s)
{
	return s.n && s.p[0] && strchr("-_.", s.p[0]) ? str_sub(s, 1, s.n) : s;
}

/* Parses [-_.]WORD[-_.]N; a missing N is 0. Leaves *s alone when it does not match. */
static bool pep440_parse_part(struct str *s, const char *const *words, size_t n, size_t *which,
			      struct str *number)
{
	struct str rest = skip_separator(*s), after;

	for (size_t i = 0; i < n; i++) {
		if (!pep440_skip_word(&rest, words[i]))
			continue;
		*which = i;
		after = skip_separator(rest);
		if (number_parse(&after, number))
			rest = after;
		*s = rest;
		return true;
	}
	return false;
}

static bool is_local(struct str s)
{
	bool open = true; /* a letter or digit must follow */

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool sep = c == '-' || c == '_' || c == '.';

		if (sep && open)
			return false;
		if (!sep && !ascii_is_alnum(c))
			return false;
		open = sep;
	}
	return !open;
}

/* Parses N(.N)*; leaves a dot without a following digit. */
static bool pep440_parse_release(struct arena *a, struct str *s, struct version *v)
{
	size_t cap = 0;
	struct str digits, rest;

	if (!number_parse(s, &digits))
		return false;
	for (;;) {
		if (v->n == cap)
			v->release = arena_grow(a, v->release, &cap, v->n + 1, sizeof(digits));
		v->release[v->n++] = digits;
		if (s->n < 2 || s->p[0] != '.')
			return true;
		rest = str_sub(*s, 1, s->n);
		if (!number_parse(&rest, &digits))
			return true;
		*s = rest;
	}
}

static bool pep440_parse(struct arena *a, struct str s, struct version *v)
{
	/* Longer words first: "a" and "r" begin other words. */
	static const char *const pre[] = {"alpha", "a", "beta", "b", "preview", "pre", "rc", "c"};
	static const char *const post[] = {"post", "rev", "r"};
	static const char *const dev[] = {"dev"};
	struct str rest;
	size_t which;

	*v = (struct version){0};
	s = str_trim(s);
	pep440_skip_word(&s, "v");
	rest = s;
	if (number_parse(&rest, &v->epoch) && rest.n && rest.p[0] == '!')
		s = str_sub(rest, 1, rest.n);
	else
		v->epoch = STR("0");
	if (!pep440_parse_release(a, &s, v))
		return false;
	if (pep440_parse_part(&s, pre, ARRAY_SIZE(pre), &which, &v->pre_n))
		v->pre = which < 2 ? 'a' : which < 4 ? 'b' : 'r';
	rest = str_sub(s, 1, s.n);
	if (s.n && s.p[0] == '-' && number_parse(&rest, &v->post_n)) {
		v->post = true;
		s = rest;
	} else {
		v->post = pep440_parse_part(&s, post, ARRAY_SIZE(post), &which, &v->post_n);
	}
	v->dev = pep440_parse_part(&s, dev, ARRAY_SIZE(dev), &which, &v->dev_n);
	if (s.n && s.p[0] == '+') {
		v->local = str_sub(s, 1, s.n);
		return is_local(v->local);
	}
	return !s.n;
}

/* ---- keys and cuts ---- */

static struct buf put_release(struct arena *a, const struct version *v, size_t n)
{
	struct buf b = buf_in(a);

	while (n && str_is_zeros(v->release[n - 1]))
		n--;
	key_number(&b, v->epoch);
	for (size_t i = 0; i < n; i++) {
		buf_putc(&b, 1);
		key_number(&b, v->release[i]);
	}
	buf_putc(&b, 0);
	return b;
}

static void put_pre(struct buf *b, const struct version *v)
{
	switch (v->pre) {
	case 'a': buf_putc(b, 2); break;
	case 'b': buf_putc(b, 3); break;
	case 'r': buf_putc(b, 4); break;
	default:
		/* 1.0.dev1 comes before 1.0a1, 1.0 and 1.0.post1.dev1 after it. */
		buf_putc(b, v->dev && !v->post ? 1 : 5);
		return;
	}
	key_number(b, v->pre_n);
}

static void put_post(struct buf *b, const struct version *v)
{
	buf_putc(b, v->post);
	if (v->post)
		key_number(b, v->post_n);
}

/* All parts but the local version: the prefix of the keys of all its local versions. */
static struct buf put_public(struct arena *a, const struct version *v)
{
	struct buf b = put_release(a, v, v->n);

	put_pre(&b, v);
	put_post(&b, v);
	buf_putc(&b, v->dev ? 1 : 2);
	if (v->dev)
		key_number(&b, v->dev_n);
	return b;
}

static void put_local(struct arena *a, struct buf *b, struct str local)
{
	local = str_lower(a, local);
	buf_putc(b, local.n != 0);
	while (local.n) {
		size_t n = 0;
		bool digits = true;

		while (n < local.n && !strchr("-_.", local.p[n])) {
			digits = digits && ascii_is_digit(local.p[n]);
			n++;
		}
		buf_putc(b, digits ? 3 : 2);
		if (digits) {
			key_number(b, str_sub(local, 0, n));
		} else {
			buf_put(b, str_sub(local, 0, n));
			buf_putc(b, 0);
		}
		local = str_sub(local, n + 1, local.n);
		if (!local.n)
			buf_putc(b, 1);
	}
}

static struct str pep440_key_of(struct arena *a, const struct version *v)
{
	struct buf b = put_public(a, v);

	put_local(a, &b, v->local);
	return buf_str(&b);
}

bool pep440_key(struct arena *a, struct str text, struct str *key)
{
	struct version v;

	if (!pep440_parse(a, text, &v))
		return false;
	*key = pep440_key_of(a, &v);
	return true;
}

static struct str cut_release(struct arena *a, const struct version *v)
{
	struct buf b = put_release(a, v, v->n);

	return buf_str(&b);
}

/* The cut before all versions of the release that follows when part i grows by one. */
static struct str next_release(struct arena *a, const struct version *v, size_t i)
{
	struct version w = {.epoch = v->epoch, .n = i + 1};
	struct buf b;

	w.release = arena_array(a, i + 1, sizeof(*w.release));
	memcpy(w.release, v->release, i * sizeof(*w.release));
	w.release[i] = number_next(a, v->release[i]);
	b = put_release(a, &w, w.n);
	return buf_str(&b);
}

/* >V excludes V's post-releases unless V is one; <V excludes its pre-releases unless V is one. */
static struct str cut_above(struct arena *a, const struct version *v)
{
	struct buf b;

	if (v->post || v->dev) {
		b = put_public(a, v);
	} else {
		b = put_release(a, v, v->n);
		put_pre(&b, v);
		buf_putc(&b, 1);
	}
	return cut_after(a, buf_str(&b));
}

static struct str cut_below(struct arena *a, const struct version *v)
{
	struct buf b;

	if (v->dev || v->pre) {
		b = put_public(a, v);
	} else {
		b = put_release(a, v, v->n);
		if (v->post) {
			put_pre(&b, v);
			put_post(&b, v);
		}
	}
	return buf_str(&b);
}

/* ---- specifiers ---- */

enum op {
	OP_NONE,
	OP_SAME,
	OP_EQ,
	OP_NE,
	OP_COMPATIBLE,
	OP_LE,
	OP_GE,
	OP_LT,
	OP_GT,
	OP_CARET,
	OP_TILDE,
};

static enum op pep440_parse_op(struct str *s)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = {{"===", OP_SAME}, {"==", OP_EQ},   {"!=", OP_NE}, {"~=", OP_COMPATIBLE},
		   {"<=", OP_LE},    {">=", OP_GE},   {"<", OP_LT},  {">", OP_GT},
		   {"^", OP_CARET},  {"~", OP_TILDE}, {"=", OP_EQ}};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (pep440_skip_word(s, ops[i].text))
			return ops[i].op;
	return OP_NONE;
}

/* One clause as a settled range; false when the clause is invalid. */
static bool pep440_clause(struct arena *a, enum op op, struct str text, struct deps_range *r)
{
	struct version v;
	struct str lo = CUT_LOWEST, hi = CUT_HIGHEST, public;
	bool star = false;
	size_t i = 0;
	struct buf b;

	if (str_is(text, "*") && op != OP_NE) {
		range_add(a, r, lo, hi);
		return op == OP_NONE || op == OP_EQ;
	}
	if (str_ends(text, STR(".*"))) {
		star = true;
		text = str_sub(text, 0, text.n - 2);
	}
	if (!pep440_parse(a, text, &v))
		return false;
	if (star && (v.pre || v.post || v.dev || v.local.n))
		return false;
	if (star && op != OP_EQ && op != OP_NE && op != OP_NONE)
		return false;
	b = put_public(a, &v);
	public = buf_str(&b);
	switch (op) {
	case OP_SAME:
		lo = pep440_key_of(a, &v);
		hi = cut_after(a, lo);
		break;
	case OP_NONE:
	case OP_EQ:
	case OP_NE:
		lo = star ? cut_release(a, &v) : v.local.n ? pep440_key_of(a, &v) : public;
		hi = star ? next_release(a, &v, v.n - 1) : cut_after(a, lo);
		if (op == OP_NE) {
			range_add(a, r, CUT_LOWEST, lo);
			range_add(a, r, hi, CUT_HIGHEST);
			return true;
		}
		break;
	case OP_COMPATIBLE:
		if (v.n < 2)
			return false;
		lo = public;
		hi = next_release(a, &v, v.n - 2);
		break;
	case OP_LE: hi = cut_after(a, public); break;
	case OP_GE: lo = public; break;
	case OP_LT: hi = cut_below(a, &v); break;
	case OP_GT: lo = cut_above(a, &v); break;
	case OP_CARET:
		while (i + 1 < v.n && str_is_zeros(v.release[i]))
			i++;
		lo = public;
		hi = next_release(a, &v, i);
		break;
	case OP_TILDE:
		lo = public;
		hi = next_release(a, &v, v.n < 2 ? 0 : 1);
		break;
	}
	range_add(a, r, lo, hi);
	return true;
}

static struct str pep440_skip_blanks(struct str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
		s.p++, s.n--;
	return s;
}

/* Clauses that must all hold, separated by commas (or, as Poetry allows, blanks). */
static struct err *pep440_set(struct arena *a, struct str all, struct str s, struct deps_range *r)
{
	struct deps_range have = {.ecosystem = r->ecosystem};

	range_add(a, &have, CUT_LOWEST, CUT_HIGHEST);
	for (s = pep440_skip_blanks(s); s.n; s = pep440_skip_blanks(s)) {
		struct deps_range one = {0}, both = {0};
		struct str at = s;
		enum op op = pep440_parse_op(&s);
		size_t n = 0;

		s = pep440_skip_blanks(s);
		while (n < s.n && s.p[n] != ',' && s.p[n] != ' ' && s.p[n] != '\t')
			n++;
		if (!pep440_clause(a, op, str_sub(s, 0, n), &one))
			return range_bad(r->ecosystem, all,
					 str_sub(at, 0, (size_t)(s.p - at.p) + n),
					 "is not a version clause");
		range_intersect(a, &have, &one, &both);
		have = both;
		s = pep440_skip_blanks(str_sub(s, n, s.n));
		if (s.n && s.p[0] == ',')
			s = str_sub(s, 1, s.n);
	}
	for (size_t i = 0; i < have.n; i++)
		range_add(a, r, have.p[i].lo, have.p[i].hi);
	return NULL;
}

struct err *pep440_range(struct arena *a, struct str text, struct deps_range *r)
{
	size_t from = 0, bar;

	do {
		bar = str_find(text, STR("||"), from);
		TRY(pep440_set(a, text, str_sub(text, from, bar), r));
		from = bar + 2;
	} while (bar != SIZE_MAX);
	return NULL;
}
