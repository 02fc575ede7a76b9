/* Exceptions for people: findings that are waived, and lists of exceptions. */
#include "judge/check.h"
#include "report/show.h"

#define WAIVED_PLACES 10 /* of one exception and one rule */

static bool waived_same(const struct check_violation *x, const struct check_violation *y)
{
	return x->waiver == y->waiver && x->constraint == y->constraint;
}

/* Findings of one rule under one exception are shown together. */
static int by_waiver(const void *x, const void *y)
{
	const struct check_violation *a = *(const struct check_violation *const *)x;
	const struct check_violation *b = *(const struct check_violation *const *)y;

	ORDER_BY_STR(a->waiver->file, b->waiver->file);
	ORDER_BY(a->waiver->line, b->waiver->line);
	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY(a->constraint->index, b->constraint->index);
	return (a > b) - (a < b);
}

static void waived_line(struct out *o, const char *label, struct str text)
{
	out_style(o, OUT_DIM);
	out_fmt(o, "  %-12s", label);
	out_style(o, OUT_PLAIN);
	out_safe(o, text, false);
	out_puts(o, "\n");
}

static void waived_group(struct out *o, struct arena *a, const struct check_violation **p, size_t n)
{
	const struct check_violation *v = p[0];
	const struct waiver *x = v->waiver;

	out_styled(o, OUT_DIM, STR("waived "));
	out_styled(o, OUT_BOLD, v->item->title);
	out_puts(o, "\n");
	for (size_t i = 0; i < n && i < WAIVED_PLACES; i++) {
		struct buf b = buf_in(a);

		if (p[i]->file.n)
			buf_put(&b, p[i]->file);
		if (p[i]->line)
			buf_fmt(&b, ":%zu:%zu", p[i]->line, size_max(p[i]->column, 1));
		if (p[i]->found.n)
			buf_fmt(&b, "%s%.*s", b.n ? "  " : "", STR_ARG(str_trim(p[i]->found)));
		waived_line(o, i ? "" : "where", buf_str(&b));
	}
	if (n > WAIVED_PLACES)
		waived_line(o, "", str_fmt(a, "and %zu more", n - WAIVED_PLACES));
	waived_line(o, "because", x->reason);
	waived_line(o, "until",
		    str_fmt(a, "%.*s (%.*s)%s%.*s", STR_ARG(x->expires),
			    STR_ARG(waive_when(a, x, waive_today())), x->owner.n ? ", " : "",
			    STR_ARG(x->owner)));
	waived_line(o, "waived in", waive_place(a, x));
	out_puts(o, "\n");
}

void check_waived_text(struct out *o, const struct check_report *r)
{
	struct arena *a = arena_new();
	const struct check_violation **p = arena_array(a, r->waived.n, sizeof(*p));

	for (size_t i = 0; i < r->waived.n; i++)
		p[i] = &r->waived.p[i];
	if (r->waived.n)
		qsort(p, r->waived.n, sizeof(*p), by_waiver);
	for (size_t i = 0, n; i < r->waived.n; i += n) {
		for (n = 1; i + n < r->waived.n && waived_same(p[i], p[i + n]);)
			n++;
		waived_group(o, a, p + i, n);
	}
	arena_free(a);
}
