#include "out/table.h"

#define TABLE_GAP 2
#define ELLIPSIS  "\xe2\x80\xa6"

void out_table_add(struct out_table *t, const struct str *cells)
{
	for (size_t i = 0; i < t->n; i++)
		*VEC_PUSH(t->a, &t->cells) = (struct out_cell){cells[i], t->columns[i].style};
}

/* The bytes of the first characters that fit into so many columns. */
static size_t table_head(struct str s, size_t columns)
{
	size_t at = 0, n, used = 0;

	while (at < s.n) {
		struct str rest = str_sub(s, at, s.n);
		uint32_t code = 0;
		bool hidden = out_hides_char(rest, &n);

		str_utf8_char(rest.p, n, &code);
		used += hidden ? 4 * n : out_char_columns(code);
		if (used > columns)
			break;
		at += n;
	}
	return at;
}

/* The offset of the last characters that fit into so many columns. */
static size_t table_tail(struct str s, size_t columns)
{
	size_t all = out_text_width(s), at = table_head(s, all - size_min(all, columns));

	/* A wide character may lie across the place. */
	while (at < s.n && out_text_width(str_sub(s, at, s.n)) > columns)
		at += size_max(1, table_head(str_sub(s, at, s.n), 2));
	return at;
}

/* The text in at most `most` columns, with "…" at its end or in its middle. */
static struct str table_cut(struct arena *a, struct str s, size_t most, bool middle)
{
	size_t head = most ? most - 1 : 0, tail = middle ? head / 2 : 0;

	if (out_text_width(s) <= most)
		return s;
	return str_fmt(a, "%.*s" ELLIPSIS "%.*s",
		       STR_ARG(str_sub(s, 0, table_head(s, head - tail))),
		       STR_ARG(tail ? str_sub(s, table_tail(s, tail), s.n) : STR("")));
}

/* The widths that fit: the widest column gives way first, and none below its least. */
static void table_fit(struct out *o, const struct out_table *t, size_t *widths)
{
	size_t sum = 0;

	for (size_t k = 0; k < t->n; k++) {
		widths[k] = 0;
		for (size_t i = k; i < t->cells.n; i += t->n)
			widths[k] = size_max(widths[k], out_text_width(t->cells.p[i].text));
		if (!widths[k])
			continue;
		widths[k] = size_max(widths[k], strlen(t->columns[k].name));
		if (t->columns[k].cut == OUT_WHOLE)
			widths[k] = size_max(widths[k], t->columns[k].least);
		sum += widths[k] + (sum ? TABLE_GAP : 0);
	}
	while (sum > out_width(o)) {
		size_t widest = t->n;

		for (size_t k = 0; k < t->n; k++)
			if (t->columns[k].cut != OUT_WHOLE && widths[k] > t->columns[k].least &&
			    (widest == t->n || widths[k] >= widths[widest]))
				widest = k;
		if (widest == t->n)
			return;
		widths[widest]--;
		sum--;
	}
}

/* Prints a row; cells NULL: the header. */
static void table_row(struct out *o, const struct out_table *t, const size_t *widths,
		      const struct out_cell *cells)
{
	size_t gap = 0, pad;

	for (size_t k = 0; k < t->n; k++) {
		const struct out_column *c = &t->columns[k];
		struct str s = cells ? cells[k].text : str_of(c->name);

		if (out_is_terminal(o) && !widths[k])
			continue;
		if (out_is_terminal(o) && c->cut != OUT_WHOLE)
			s = table_cut(t->a, s, widths[k], c->cut == OUT_CUT_MIDDLE);
		pad = widths[k] - size_min(widths[k], out_text_width(s));
		out_fmt(o, "%*s", (int)(gap + (c->right ? pad : 0)), "");
		out_styled(o, cells ? cells[k].style : OUT_DIM, s);
		gap = TABLE_GAP + (c->right ? 0 : pad);
	}
	out_puts(o, "\n");
}

void out_table_print(struct out *o, const struct out_table *t)
{
	size_t widths[OUT_COLUMNS_MAX] = {0};

	if (t->n > OUT_COLUMNS_MAX)
		BUG("a table has at most %d columns", OUT_COLUMNS_MAX);
	for (size_t k = 0; k < t->n; k++)
		widths[k] = t->columns[k].cut == OUT_WHOLE ? t->columns[k].least : 0;
	if (out_is_terminal(o) && t->cells.n) {
		table_fit(o, t, widths);
		table_row(o, t, widths, NULL);
	}
	for (size_t i = 0; i < t->cells.n; i += t->n) {
		table_row(o, t, widths, &t->cells.p[i]);
		if (t->below.n)
			out_safe(o, t->below.p[i / t->n], true);
	}
}
