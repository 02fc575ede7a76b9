#include "deps/ecosystem.h"

/* A longer text is no range, and must not cost quadratic time. */
#define TEXT_MAX 4096

struct str cut_after(struct arena *a, struct str key)
{
	struct buf b = buf_in(a);

	buf_put(&b, key);
	buf_putc(&b, '\xff');
	return buf_str(&b);
}

static struct str without_zeros(struct str digits)
{
	while (digits.n && digits.p[0] == '0')
		digits.p++, digits.n--;
	return digits;
}

void key_number(struct buf *b, struct str digits)
{
	digits = without_zeros(digits);
	/* Texts have at most TEXT_MAX bytes, so two bytes hold the length, the first below 0x11. */
	buf_putc(b, (char)(digits.n >> 8));
	buf_putc(b, (char)(digits.n & 0xff));
	buf_put(b, digits);
}

struct str number_next(struct arena *a, struct str digits)
{
	char *p = arena_alloc(a, digits.n + 1);
	size_t i = digits.n;

	p[0] = '0';
	if (digits.n)
		memcpy(p + 1, digits.p, digits.n);
	while (i && p[i] == '9')
		p[i--] = '0';
	p[i]++;
	return (struct str){p, digits.n + 1};
}

bool number_parse(struct str *s, struct str *digits)
{
	size_t n = 0;

	while (n < s->n && ascii_is_digit(s->p[n]))
		n++;
	*digits = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	return n > 0;
}

void range_add(struct arena *a, struct deps_range *r, struct str lo, struct str hi)
{
	if (str_cmp(lo, hi) < 0)
		*VEC_PUSH(a, r) = (struct interval){lo, hi};
}

static int by_lo(const void *a, const void *b)
{
	return str_cmp(((const struct interval *)a)->lo, ((const struct interval *)b)->lo);
}

void range_settle(struct deps_range *r)
{
	size_t n = 0;

	if (!r->n)
		return;
	qsort(r->p, r->n, sizeof(*r->p), by_lo);
	for (size_t i = 1; i < r->n; i++) {
		if (str_cmp(r->p[i].lo, r->p[n].hi) > 0)
			r->p[++n] = r->p[i];
		else if (str_cmp(r->p[i].hi, r->p[n].hi) > 0)
			r->p[n].hi = r->p[i].hi;
	}
	r->n = n + 1;
}

void range_intersect(struct arena *a, const struct deps_range *x, const struct deps_range *y,
		     struct deps_range *out)
{
	size_t i = 0, j = 0;

	out->n = 0;
	while (i < x->n && j < y->n) {
		const struct interval *p = &x->p[i], *q = &y->p[j];

		range_add(a, out, str_cmp(p->lo, q->lo) > 0 ? p->lo : q->lo,
			  str_cmp(p->hi, q->hi) < 0 ? p->hi : q->hi);
		if (str_cmp(p->hi, q->hi) < 0)
			i++;
		else
			j++;
	}
}

const struct versions
	versions_npm = {semver_key, semver_range,
			"1.2.3, ^1.2, ~1.2, 1.x, >=1 <2, 1.0 - 2.0, joined by ||"},
	versions_pypi = {pep440_key, pep440_range,
			 ">=1.0,<2.0, ==1.2.*, !=1.5, ~=1.4, ===1.0; also ^1.2, ~1.2 and ||"},
	versions_go = {semver_key, semver_range, "v1.2.3, >=v1.2 <v2, ^v1.2, v1.x, joined by ||"},
	versions_cargo = {semver_key, semver_range,
			  "1.2, =1.2.3, ~1.2, 1.*, >=1, <2, joined by commas"},
	versions_gem = {gem_key, gem_range, "1.2.3, ~> 1.2, >= 1, < 2, != 1.5, joined by commas"},
	versions_terraform = {gem_key, gem_range,
			      "1.2.3, ~> 1.2, >= 1, < 2, != 1.5, joined by commas"},
	versions_meson = {pep440_key, pep440_range, ">=1.0,<2.0, ==1.2.*, !=1.5"},
	versions_hex = {gem_key, hex_range, "~> 1.2, >= 1.0 and < 2.0, != 1.5, joined by or"},
	versions_conda = {pep440_key, conda_range,
			  "1.2, =1.2, >=1.0,<2.0, 1.2.*, !=1.5, joined by |"},
	versions_nuget = {nuget_key, nuget_range,
			  "1.0 (or higher), [1.0,2.0), (,1.5], [1.2], 1.*; also >=1 <2 and ||"},
	versions_composer = {composer_key, composer_range,
			     "1.2.3, ^1.2, ~1.2, 1.2.*, >=1 <2, !=1.5, 1.0 - 2.0, joined by ||"},
	versions_maven = {maven_key, maven_range,
			  "1.2, [1.0,2.0), (,1.5], [1.2], 1.+; also >=1 <2 and ||"},
	versions_tag = {pep440_key, tag_range,
			"8 (all tags below it), >=8,<9, ==8.1.*, !=8.2, joined by ||"};

struct err *range_bad(enum deps_ecosystem e, struct str text, struct str part, const char *why)
{
	return err_new(E_BAD_PATTERN, "version range '%.*s': '%.*s' %s; a range is written %s",
		       STR_ARG(str_sub(text, 0, 200)), STR_ARG(str_sub(part, 0, 200)), why,
		       ecosystems[e].versions->syntax);
}

struct err *deps_range_new(struct arena *a, enum deps_ecosystem e, struct str text,
			   struct deps_range **out)
{
	struct deps_range *r = ARENA_NEW(a, struct deps_range);

	*out = r;
	r->ecosystem = e;
	text = str_trim(text);
	if (text.n > TEXT_MAX)
		return range_bad(e, text, str_sub(text, 0, 20), "begins a text that is too long");
	TRY(ecosystems[e].versions->range(a, text, r));
	range_settle(r);
	return NULL;
}

bool deps_range_overlaps(const struct deps_range *r, struct arena *scratch, const struct dep *d)
{
	struct str text = str_trim(d->version), key;
	struct deps_range one = {0}, both = {0}, *have = &one;

	if (!text.n || text.n > TEXT_MAX)
		return true;
	if (d->locked) {
		if (!ecosystems[r->ecosystem].versions->key(scratch, text, &key))
			return true;
		range_add(scratch, &one, key, cut_after(scratch, key));
	} else if (deps_range_new(scratch, r->ecosystem, text, &have)) {
		return true;
	}
	range_intersect(scratch, r, have, &both);
	return both.n > 0;
}
