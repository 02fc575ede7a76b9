#include "deps/range.h"
#include "deps/reader.h"

#define PEP440_WORD_MAX 8

/*
 * Python's versions and specifiers (PEP 440), and Poetry's ^ ~ ||, because a pyproject.toml may
 * hold either.
 *
 * A key: the epoch; 0x01 and a number for each part of the release, without trailing zeros, and
 * 0x00; then the parts by which PEP 440 sorts: pre-release, post-release, dev, local version.
 */

struct version {
	struct str epoch, *release;
	size_t n;
	char pre; /* 'a', 'b', 'r', or 0 */
	bool post, dev;
	struct str pre_n, post_n, dev_n, local;
};

static struct str skip_separator(struct str s)
{
	return reader_skip_prefix(s, "-|_|.");
}

/* Parses [-_.]WORD[-_.]N; a missing N is 0. Leaves *s alone when no word is there. */
static size_t pep440_parse_part(struct arena *a, struct str *s, const char *words,
				struct str *number)
{
	struct str rest = skip_separator(*s), after;
	size_t n =
		reader_starts_with_any_of(str_lower(a, str_sub(rest, 0, PEP440_WORD_MAX)), words);

	if (!n)
		return 0;
	rest = str_sub(rest, n, rest.n);
	after = skip_separator(rest);
	*s = number_take_digits(&after, number) ? after : rest;
	return n;
}

/* Parses N(.N)*; leaves a dot without a following digit. */
static bool pep440_parse_release(struct arena *a, struct str *s, struct version *v)
{
	size_t cap = 0;
	struct str digits, rest;

	if (!number_take_digits(s, &digits))
		return false;
	for (;;) {
		if (v->n == cap)
			v->release =
				arena_array_grow(a, v->release, &cap, v->n + 1, sizeof(digits));
		v->release[v->n++] = digits;
		if (s->n < 2 || s->p[0] != '.')
			return true;
		rest = str_sub(*s, 1, s->n);
		if (!number_take_digits(&rest, &digits))
			return true;
		*s = rest;
	}
}

static bool pep440_parse(struct arena *a, struct str s, struct version *v)
{
	struct str rest;
	char first;

	*v = (struct version){0};
	s = rest = reader_skip_prefix(str_trim(s), "v|V");
	if (number_take_digits(&rest, &v->epoch) && rest.n && rest.p[0] == '!')
		s = str_sub(rest, 1, rest.n);
	else
		v->epoch = STR("0");
	if (!pep440_parse_release(a, &s, v))
		return false;
	rest = skip_separator(s);
	first = rest.n ? ascii_lower(rest.p[0]) : 0;
	/* Longer words first: "a" and "r" begin other words. */
	if (pep440_parse_part(a, &s, "alpha|a|beta|b|preview|pre|rc|c", &v->pre_n))
		v->pre = first == 'a' || first == 'b' ? first : 'r';
	rest = str_sub(s, 1, s.n);
	if (s.n && s.p[0] == '-' && number_take_digits(&rest, &v->post_n)) {
		v->post = true;
		s = rest;
	} else {
		v->post = pep440_parse_part(a, &s, "post|rev|r", &v->post_n);
	}
	v->dev = pep440_parse_part(a, &s, "dev", &v->dev_n);
	if (!str_starts(s, STR("+")))
		return !s.n;
	v->local = str_sub(s, 1, s.n);
	/* Letters and digits, with one separator between. */
	for (size_t i = 0; i < v->local.n; i++)
		if (!ascii_is_alnum(s.p[i + 1]) &&
		    (!reader_starts_with_any_of(str_sub(s, i + 1, s.n), "-|_|.") ||
		     !ascii_is_alnum(s.p[i])))
			return false;
	return v->local.n && ascii_is_alnum(s.p[s.n - 1]);
}

/* ---- keys and cuts ---- */

static struct buf put_release(struct arena *a, const struct version *v)
{
	struct buf b = buf_in(a);
	size_t n = v->n;

	while (n && str_is_zeros(v->release[n - 1]))
		n--;
	key_append_number(&b, v->epoch);
	for (size_t i = 0; i < n; i++) {
		buf_putc(&b, 1);
		key_append_number(&b, v->release[i]);
	}
	buf_putc(&b, 0);
	return b;
}

static void put_pre(struct buf *b, const struct version *v)
{
	/* 1.0.dev1 comes before 1.0a1, 1.0 and 1.0.post1.dev1 after it. */
	buf_putc(b, v->pre == 'a'        ? 2
		    : v->pre == 'b'      ? 3
		    : v->pre             ? 4
		    : v->dev && !v->post ? 1
					 : 5);
	if (v->pre)
		key_append_number(b, v->pre_n);
}

static void put_post(struct buf *b, const struct version *v)
{
	buf_putc(b, v->post);
	if (v->post)
		key_append_number(b, v->post_n);
}

/* All parts but the local version: the prefix of the keys of all its local versions. */
static struct buf put_public(struct arena *a, const struct version *v)
{
	struct buf b = put_release(a, v);

	put_pre(&b, v);
	put_post(&b, v);
	buf_putc(&b, v->dev ? 1 : 2);
	if (v->dev)
		key_append_number(&b, v->dev_n);
	return b;
}

static struct str pep440_key_of(struct arena *a, const struct version *v)
{
	struct buf b = put_public(a, v);
	struct str local = str_lower(a, v->local);

	buf_putc(&b, local.n != 0);
	while (local.n) {
		struct str part = reader_until(local, "-_."), word = part, digits;
		bool number = number_take_digits(&word, &digits) && !word.n;

		key_append_part(&b, number ? 3 : 2, part, number);
		local = str_sub(local, part.n + 1, local.n);
		if (!local.n)
			buf_putc(&b, 1);
	}
	return buf_as_str(&b);
}

static bool pep440_key(struct arena *a, struct str text, struct str *key)
{
	struct version v;

	if (!pep440_parse(a, text, &v))
		return false;
	*key = pep440_key_of(a, &v);
	return true;
}

/* The cut before all versions of the release that follows when part i grows by one. */
static struct str next_release(struct arena *a, const struct version *v, size_t i)
{
	struct version w = {.epoch = v->epoch, .n = i + 1};
	struct buf b;

	w.release = arena_array(a, i + 1, sizeof(*w.release));
	memcpy(w.release, v->release, i * sizeof(*w.release));
	w.release[i] = number_plus_one(a, v->release[i]);
	b = put_release(a, &w);
	return buf_as_str(&b);
}

static bool pep440_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	struct version v;
	size_t i = 0;
	struct buf b;

	if (str_is(text, "*")) {
		*out = (struct cuts){.lo = versions_pypi.lowest,
				     .hi = CUT_HIGHEST,
				     .equal = true,
				     .whole = true};
		return true;
	}
	out->equal = str_ends(text, STR(".*"));
	if (!pep440_parse(a, out->equal ? str_sub(text, 0, text.n - 2) : text, &v))
		return false;
	if (out->equal) {
		b = put_release(a, &v);
		out->lo = out->exact = buf_as_str(&b);
		out->hi = next_release(a, &v, v.n - 1);
		return !v.pre && !v.post && !v.dev && !v.local.n;
	}
	b = put_public(a, &v);
	out->ge = buf_as_str(&b);
	out->le = version_bound_above_prefix(a, out->ge);
	out->exact = pep440_key_of(a, &v);
	out->lo = v.local.n ? out->exact : out->ge;
	out->hi = version_bound_above_prefix(a, out->lo);
	/* <V excludes its pre-releases unless V is one; >V its post-releases unless V is one. */
	if (!v.dev && !v.pre) {
		b = put_release(a, &v);
		if (v.post) {
			put_pre(&b, &v);
			put_post(&b, &v);
		}
	}
	out->lt = buf_as_str(&b);
	b = put_public(a, &v);
	if (!v.post && !v.dev) {
		b = put_release(a, &v);
		put_pre(&b, &v);
		buf_putc(&b, 1);
	}
	out->gt = version_bound_above_prefix(a, buf_as_str(&b));
	while (i + 1 < v.n && str_is_zeros(v.release[i]))
		i++;
	out->caret = next_release(a, &v, i);
	out->tilde = next_release(a, &v, v.n < 2 ? 0 : 1);
	if (v.n > 1)
		out->compatible = next_release(a, &v, v.n - 2);
	return true;
}

/* ---- ranges of others, written as those of PEP 440 ---- */

/* In conda "=1.2" is 1.2 and all below it, "1.2" is exact, and "|" is "or". */
static struct str conda_range_as_pep440(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);
	bool begins = true;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		bool operator= c && strchr("=<>!~^", c);

		if (c == '|') {
			buf_puts(&b, "||");
			i += i + 1 < text.n && text.p[i + 1] == '|';
		} else if (begins && c == '=' && !(i + 1 < text.n && text.p[i + 1] == '=')) {
			size_t to = i + 1;

			while (to < text.n && !strchr(",| ", text.p[to]))
				to++;
			buf_fmt(&b, "==%.*s%s", STR_ARG(str_sub(text, i + 1, to)),
				str_ends(str_sub(text, i + 1, to), STR("*")) ? "" : ".*");
			i = to - 1;
		} else {
			if (begins && ascii_is_digit(c))
				buf_puts(&b, "==");
			buf_putc(&b, c);
		}
		begins = c == ',' || c == '|' || (begins && (c == ' ' && !operator));
	}
	return buf_as_str(&b);
}

/* As tags of images "8" and "8-alpine" are 8 and all tags below it. */
static struct str tag_range_as_pep440(struct arena *a, struct str text)
{
	size_t from = str_starts(text, STR("v")), to;
	struct buf b = buf_in(a);

	to = from;
	while (to < text.n &&
	       (ascii_is_digit(text.p[to]) ||
		(text.p[to] == '.' && to + 1 < text.n && ascii_is_digit(text.p[to + 1]))))
		to++;
	/* A rule may also have a list: "1.2 || 1.4". */
	if (to == from || str_find_char(text, '|', to) != SIZE_MAX ||
	    str_find_char(text, ',', to) != SIZE_MAX || str_find_char(text, '*', to) != SIZE_MAX)
		return text;
	buf_fmt(&b, "==%.*s.*", STR_ARG(str_sub(text, from, to)));
	return buf_as_str(&b);
}

#define PEP440                                                                                     \
	pep440_key, pep440_version_bounds, "=== == != ~= <= >= < > ^ ~ =", ",", "", 0,             \
		STR_INIT("\0\0\0\1\0\1\0\0") /* 0.dev0 */

const struct versions
	versions_pypi = {PEP440,
			 ">=1.0,<2.0, ==1.2.*, !=1.5, ~=1.4, ===1.0; also ^1.2, ~1.2 and ||"},
	versions_meson = {PEP440, ">=1.0,<2.0, ==1.2.*, !=1.5"},
	versions_conda = {PEP440, "1.2, =1.2, >=1.0,<2.0, 1.2.*, !=1.5, joined by |",
			  conda_range_as_pep440},
	versions_tag = {PEP440, "8 (all tags below it), >=8,<9, ==8.1.*, !=8.2, joined by ||",
			tag_range_as_pep440};
