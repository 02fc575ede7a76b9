#include "deps/ecosystem.h"

/* A longer text is no range, and must not cost quadratic time. */
#define TEXT_MAX 4096

struct str version_bound_above_prefix(struct arena *a, struct str key)
{
	struct buf b = buf_in(a);

	buf_put(&b, key);
	buf_putc(&b, '\xff');
	return buf_as_str(&b);
}

void key_append_number(struct buf *b, struct str digits)
{
	while (digits.n && digits.p[0] == '0')
		digits.p++, digits.n--;
	/* Texts have at most TEXT_MAX bytes, so two bytes hold the length, the first below 0x11. */
	buf_putc(b, (char)(digits.n >> 8));
	buf_putc(b, (char)(digits.n & 0xff));
	buf_put(b, digits);
}

void key_append_part(struct buf *b, char mark, struct str s, bool number)
{
	buf_putc(b, mark);
	if (number) {
		key_append_number(b, s);
	} else {
		buf_put(b, s);
		buf_putc(b, 0);
	}
}

struct str number_plus_one(struct arena *a, struct str digits)
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

bool number_take_digits(struct str *s, struct str *digits)
{
	size_t n = 0;

	while (n < s->n && ascii_is_digit(s->p[n]))
		n++;
	*digits = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	return n > 0;
}

static void range_add(struct arena *a, struct deps_range *r, struct str lo, struct str hi)
{
	if (str_cmp(lo, hi) < 0)
		*VEC_PUSH(a, r) = (struct interval){lo, hi};
}

ORDER_OF(range_by_lo, struct interval, ORDER_STR(lo))

/* Sorts and joins the intervals. */
static void range_settle(struct deps_range *r)
{
	size_t n = 0;

	if (!r->n)
		return;
	qsort(r->p, r->n, sizeof(*r->p), range_by_lo);
	for (size_t i = 1; i < r->n; i++) {
		if (str_cmp(r->p[i].lo, r->p[n].hi) > 0)
			r->p[++n] = r->p[i];
		else if (str_cmp(r->p[i].hi, r->p[n].hi) > 0)
			r->p[n].hi = r->p[i].hi;
	}
	r->n = n + 1;
}

/* The intersection of two settled ranges. */
static struct deps_range range_both(struct arena *a, const struct deps_range *x,
				    const struct deps_range *y)
{
	struct deps_range out = {0};
	size_t i = 0, j = 0;

	while (i < x->n && j < y->n) {
		const struct interval *p = &x->p[i], *q = &y->p[j];

		range_add(a, &out, str_cmp(p->lo, q->lo) > 0 ? p->lo : q->lo,
			  str_cmp(p->hi, q->hi) < 0 ? p->hi : q->hi);
		if (str_cmp(p->hi, q->hi) < 0)
			i++;
		else
			j++;
	}
	return out;
}

/* ---- reading ---- */

struct range_reader {
	struct arena *a;
	const struct versions *v;
	struct str text, rest; /* of the range; of the alternative that is read */
	struct deps_range *out;
};

static struct err *range_bad(const struct range_reader *p, struct str part, const char *why)
{
	return err_new(E_BAD_PATTERN, "version range '%.*s': '%.*s' %s; a range is written %s",
		       STR_ARG(str_sub(p->text, 0, 200)), STR_ARG(str_sub(part, 0, 200)), why,
		       p->v->syntax);
}

static void range_skip(struct range_reader *p, const char *more)
{
	while (p->rest.n &&
	       (ascii_is_any_space(p->rest.p[0]) || (p->rest.p[0] && strchr(more, p->rest.p[0]))))
		p->rest = str_sub(p->rest, 1, p->rest.n);
}

/* The text up to one of the characters. */
static struct str range_until(struct range_reader *p, const char *ends)
{
	struct str s = reader_until(p->rest, ends);

	p->rest = str_sub(p->rest, s.n, p->rest.n);
	return str_trim(s);
}

static bool range_cuts(const struct range_reader *p, struct str text, struct cuts *c)
{
	*c = (struct cuts){0};
	if (!p->v->cuts(p->a, text, c))
		return false;
	c->exact = c->exact.p ? c->exact : c->lo;
	c->ge = c->ge.p ? c->ge : c->lo;
	c->lt = c->lt.p ? c->lt : c->lo;
	c->gt = c->gt.p ? c->gt : c->hi;
	c->le = c->le.p ? c->le : c->hi;
	c->through = c->through.p ? c->through : c->le;
	return true;
}

/* Adds what the operator means before the version; false: it must not stand there. */
static bool range_operator(struct range_reader *p, const char *op, const struct cuts *c,
			   struct deps_range *one)
{
	struct str lo = p->v->lowest, hi = CUT_HIGHEST, end = hi;
	bool or_equal = op[0] && op[1] == '=';

	if (c->equal && (!strcmp(op, "===") || !strchr(c->whole ? "=" : "=!", op[0])))
		return false;
	if (c->whole || op[0] == '=') {
		lo = strcmp(op, "===") != 0 ? c->lo : c->exact;
		hi = strcmp(op, "===") != 0 ? c->hi : version_bound_above_prefix(p->a, lo);
	} else if (op[0] == '!' || !strcmp(op, "<>")) {
		range_add(p->a, one, lo, c->lo);
		lo = c->hi;
	} else if (op[0] == '>') {
		lo = or_equal ? c->ge : c->gt;
	} else if (op[0] == '<') {
		hi = or_equal ? c->le : c->lt;
	} else {
		end = op[0] == '^' ? c->caret : op[1] ? c->compatible : c->tilde;
		lo = c->ge;
		hi = end;
	}
	range_add(p->a, one, lo, hi);
	return end.p;
}

/* Clauses that must all hold. */
static struct err *range_all(struct range_reader *p)
{
	const char *loose = p->v->is & RANGE_LOOSE ? "," : "";
	bool commas = p->v->is & RANGE_COMMAS, comma = false;
	struct deps_range all = {0};
	struct cuts c;

	range_add(p->a, &all, p->v->lowest, CUT_HIGHEST);
	for (range_skip(p, loose); p->rest.n || (comma && p->v->is & RANGE_ONE);) {
		struct str clause = p->rest, operators = str_of(p->v->operators), op = {"", 0};
		struct deps_range one = {0};
		struct str version;

		while (str_next_part(&operators, ' ', &op) && !str_starts(p->rest, op))
			op = STR("");
		p->rest = str_sub(p->rest, op.n, p->rest.n);
		range_skip(p, p->v->skipped);
		version = range_until(
			p, commas ? p->v->ends
				  : str_c(p->a, str_fmt(p->a, "%s \t\n\v\f\r", p->v->ends)));
		clause = str_sub(clause, 0, clause.n - p->rest.n);
		if (!range_cuts(p, version, &c) || !range_operator(p,
								   op.n     ? str_c(p->a, op)
								   : c.bare ? c.bare
									    : "=",
								   &c, &one))
			return range_bad(p, str_trim(clause.n ? clause : p->text),
					 "is not a version");
		range_settle(&one);
		all = range_both(p->a, &all, &one);
		range_skip(p, "");
		comma = *p->v->ends == ',' && str_take_char(&p->rest, ',');
		range_skip(p, loose);
	}
	for (size_t i = 0; i < all.n; i++)
		range_add(p->a, p->out, all.p[i].lo, all.p[i].hi);
	return NULL;
}

/* "[1,2),[3,)": intervals [a,b], (a,b), ]a,b[, (,b], [a]. */
static struct err *range_union(struct range_reader *p)
{
	for (;;) {
		struct cuts lo = {.lo = STR(""), .hi = STR("")},
			    hi = {.lo = CUT_HIGHEST, .hi = CUT_HIGHEST};
		char open = p->rest.n ? p->rest.p[0] : 0, close;
		struct str first, second;
		bool one;

		if (!open || !strchr("[(]", open))
			return range_bad(p, p->rest, "is not an interval");
		p->rest = str_sub(p->rest, 1, p->rest.n);
		first = second = range_until(p, ",[])(");
		one = !str_take_char(&p->rest, ',');
		if (!one)
			second = range_until(p, ",[])(");
		close = p->rest.n ? p->rest.p[0] : 0;
		if (!close || !strchr(")][", close))
			return range_bad(p, p->text, "has an interval that does not end");
		p->rest = str_sub(p->rest, 1, p->rest.n);
		if (one && (open != '[' || close != ']' || !first.n))
			return range_bad(p, first, "stands alone, and must be written [1.0]");
		if ((first.n && !range_cuts(p, first, &lo)) ||
		    (second.n && !range_cuts(p, second, &hi)))
			return range_bad(p, lo.lo.p ? second : first, "is not a version");
		range_add(p->a, p->out, open == '[' ? lo.lo : lo.hi, close == ']' ? hi.hi : hi.lo);
		range_skip(p, "");
		if (!p->rest.n)
			return NULL;
		if (!str_take_char(&p->rest, ','))
			return range_bad(p, p->rest, "is not an interval");
		range_skip(p, "");
	}
}

/* "1.2 - 2.3" is a whole alternative; false: it has another form. */
static bool range_hyphen(struct range_reader *p)
{
	size_t at = p->v->is & RANGE_HYPHEN ? str_find(p->rest, STR(" - "), 0) : SIZE_MAX;
	struct range_reader from = *p, to = *p;
	struct cuts lo, hi;

	if (at == SIZE_MAX)
		return false;
	from.rest = str_sub(p->rest, 0, at);
	to.rest = str_sub(p->rest, at + 3, p->rest.n);
	range_skip(&from, p->v->skipped);
	range_skip(&to, p->v->skipped);
	if (!range_cuts(p, str_trim(from.rest), &lo) || !range_cuts(p, str_trim(to.rest), &hi))
		return false;
	range_add(p->a, p->out, lo.ge, hi.through);
	return true;
}

struct err *deps_range_new(struct arena *a, enum deps_ecosystem e, struct str text,
			   struct deps_range **out)
{
	struct deps_range *r = ARENA_NEW(a, struct deps_range);
	struct range_reader p = {
		.a = a, .v = ecosystems[e].versions, .text = str_trim(text), .out = r};
	/* Alternatives with || between; PHP takes one bar too. */
	const char *between = p.v->is & RANGE_BAR ? "|" : "||";
	size_t from = 0, bar;

	*out = r;
	r->ecosystem = e;
	if (p.text.n > TEXT_MAX)
		return range_bad(&p, str_sub(p.text, 0, 20), "begins a text that is too long");
	if (p.v->rewritten)
		p.text = p.v->rewritten(a, p.text);
	if (p.v->is & RANGE_ONE && !p.text.n)
		return range_bad(&p, p.text, "is empty");
	do {
		bar = p.v->is & RANGE_ONE ? SIZE_MAX : str_find(p.text, str_of(between), from);
		p.rest = str_trim(str_sub(p.text, from, bar));
		if (!p.rest.n && p.v->is & RANGE_SIDES && (from || bar != SIZE_MAX))
			return range_bad(&p, str_sub(p.text, from, p.text.n),
					 "has nothing on a side of ||");
		if (p.v->is & RANGE_BRACKETS && p.rest.n && strchr("[(]", p.rest.p[0]))
			TRY(range_union(&p));
		else if (!range_hyphen(&p))
			TRY(range_all(&p));
		from = bar + strlen(between);
		from += !between[1] && bar != SIZE_MAX && from < p.text.n && p.text.p[from] == '|';
	} while (bar != SIZE_MAX);
	range_settle(r);
	return NULL;
}

bool deps_range_overlaps(const struct deps_range *r, struct arena *scratch, const struct dep *d)
{
	struct str text = str_trim(d->version), key;
	struct deps_range one = {0}, *have = &one;

	if (!text.n || text.n > TEXT_MAX)
		return true;
	if (d->locked) {
		if (!ecosystems[r->ecosystem].versions->key(scratch, text, &key))
			return true;
		range_add(scratch, &one, key, version_bound_above_prefix(scratch, key));
	} else if (deps_range_new(scratch, r->ecosystem, text, &have)) {
		return true;
	}
	return range_both(scratch, r, have).n > 0;
}
