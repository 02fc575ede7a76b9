#include "deps/interval.h"

struct interval_reader {
	struct arena *a;
	const struct interval_kind *kind;
	struct str text, rest;
};

static struct err *interval_bad(const struct interval_reader *p, struct str part, const char *why)
{
	return range_bad(p->kind->ecosystem, p->text, part, why);
}

static void interval_skip(struct interval_reader *p)
{
	while (p->rest.n && ascii_is_blank(p->rest.p[0]))
		p->rest = str_sub(p->rest, 1, p->rest.n);
}

/* The text up to one of the characters. */
static struct str interval_until(struct interval_reader *p, const char *ends)
{
	size_t i = 0;
	struct str s;

	while (i < p->rest.n && !(p->rest.p[i] && strchr(ends, p->rest.p[i])))
		i++;
	s = str_trim(str_sub(p->rest, 0, i));
	p->rest = str_sub(p->rest, i, p->rest.n);
	return s;
}

/* One bound; an empty text is open. Returns the cut on the side that is meant. */
static struct err *interval_cut(const struct interval_reader *p, struct str s, bool after,
				struct str *cut)
{
	struct str key, lo, hi;

	if (s.n > 1 && s.p[s.n - 1] == p->kind->any &&
	    p->kind->prefix(p->a, str_sub(s, 0, s.n - 1 - (s.p[s.n - 2] == '.')), &lo, &hi)) {
		*cut = after ? hi : lo;
		return NULL;
	}
	if (!p->kind->key(p->a, s, &key))
		return interval_bad(p, s, "is not a version");
	*cut = after ? cut_after(p->a, key) : key;
	return NULL;
}

/* Behind an opening bracket. */
static struct err *interval_read(struct interval_reader *p, char open, struct deps_range *out)
{
	struct str lo = {"", 0}, hi = CUT_HIGHEST, first = interval_until(p, ",[])("), second;
	bool one = p->rest.n && p->rest.p[0] != ',';
	char close;

	if (!one && p->rest.n)
		p->rest = str_sub(p->rest, 1, p->rest.n);
	second = one ? first : interval_until(p, ",[])(");
	if (!p->rest.n || !strchr(")][", p->rest.p[0]))
		return interval_bad(p, p->text, "has an interval that does not end");
	close = p->rest.p[0];
	p->rest = str_sub(p->rest, 1, p->rest.n);
	if (one && (open != '[' || close != ']' || !first.n))
		return interval_bad(p, first, "stands alone, and must be written [1.0]");
	if (first.n)
		TRY(interval_cut(p, first, open != '[', &lo));
	if (second.n)
		TRY(interval_cut(p, second, close == ']', &hi));
	range_add(p->a, out, lo, hi);
	return NULL;
}

/* "[1,2),[3,)" */
static struct err *interval_union(struct interval_reader *p, struct deps_range *out)
{
	for (;;) {
		char open = p->rest.n ? p->rest.p[0] : 0;

		if (!open || !strchr("[(]", open))
			return interval_bad(p, p->rest, "is not an interval");
		p->rest = str_sub(p->rest, 1, p->rest.n);
		TRY(interval_read(p, open, out));
		interval_skip(p);
		if (!p->rest.n)
			return NULL;
		if (p->rest.p[0] != ',')
			return interval_bad(p, p->rest, "is not an interval");
		p->rest = str_sub(p->rest, 1, p->rest.n);
		interval_skip(p);
	}
}

static struct err *interval_clause(struct interval_reader *p, struct deps_range *out)
{
	static const char *const operators[] = {">=", "<=", "!=", "==", ">", "<", "="};
	const char *op = "";
	struct str s, lo = {"", 0}, hi = CUT_HIGHEST, before, after;

	for (size_t i = 0; !*op && i < ARRAY_SIZE(operators); i++)
		if (str_starts(p->rest, str_of(operators[i])))
			op = operators[i];
	p->rest = str_sub(p->rest, strlen(op), p->rest.n);
	interval_skip(p);
	s = interval_until(p, ", \t\r\n\v\f<>=!");
	if (str_is(s, "*") && !*op) {
		range_add(p->a, out, lo, hi);
		return NULL;
	}
	TRY(interval_cut(p, s, false, &before));
	TRY(interval_cut(p, s, true, &after));
	if (!strcmp(op, "!=")) {
		range_add(p->a, out, lo, before);
		range_add(p->a, out, after, hi);
		return NULL;
	}
	if (*op == '>')
		lo = op[1] ? before : after;
	else if (*op == '<')
		hi = op[1] ? after : before;
	else
		lo = before;
	if (!(*op == '>' || *op == '<' ||
	      (!*op && p->kind->minimum && s.p[s.n - 1] != p->kind->any)))
		hi = after;
	range_add(p->a, out, lo, hi);
	return NULL;
}

/* Clauses that must all hold. */
static struct err *interval_all(struct interval_reader *p, struct deps_range *out)
{
	struct deps_range all = {0};

	range_add(p->a, &all, STR(""), CUT_HIGHEST);
	for (;;) {
		struct deps_range one = {0}, both = {0};

		TRY(interval_clause(p, &one));
		range_settle(&one);
		range_intersect(p->a, &all, &one, &both);
		all = both;
		interval_skip(p);
		if (p->rest.n && p->rest.p[0] == ',') {
			p->rest = str_sub(p->rest, 1, p->rest.n);
			interval_skip(p);
		} else if (!p->rest.n) {
			break;
		}
	}
	for (size_t i = 0; i < all.n; i++)
		range_add(p->a, out, all.p[i].lo, all.p[i].hi);
	return NULL;
}

struct err *interval_range(struct arena *a, const struct interval_kind *kind, struct str text,
			   struct deps_range *r)
{
	struct str rest = text;

	if (!text.n) {
		range_add(a, r, STR(""), CUT_HIGHEST);
		return NULL;
	}
	for (;;) {
		size_t bar = str_find(rest, STR("||"), 0);
		struct interval_reader p = {a, kind, text, str_trim(str_sub(rest, 0, bar))};

		if (!p.rest.n)
			return interval_bad(&p, rest, "has nothing on a side of ||");
		TRY(strchr("[(]", p.rest.p[0]) ? interval_union(&p, r) : interval_all(&p, r));
		if (bar == SIZE_MAX)
			return NULL;
		rest = str_sub(rest, bar + 2, rest.n);
	}
}
