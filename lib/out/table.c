#include "out/table.h"

#define TABLE_MAX 16
#define ELLIPSIS  "\xe2\x80\xa6"

void out_table_add(struct out_table *t, const struct str *cells)
{
	for (size_t i = 0; i < t->n; i++)
		strs_push(t->a, &t->cells, cells[i]);
}

/* The bytes of the first characters that fit into so many columns. */
static size_t table_head(struct str s, size_t columns)
{
	size_t at = 0, n, used = 0;

	while (at < s.n) {
		struct str rest = str_sub(s, at, s.n);
		uint32_t code = 0;
		bool hidden = out_is_hidden(rest, &n);

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
	size_t all = out_columns(s), at = table_head(s, all - size_min(all, columns));

	/* A wide character may lie across the place. */
	while (at < s.n && out_columns(str_sub(s, at, s.n)) > columns)
		at += size_max(1, table_head(str_sub(s, at, s.n), 2));
	return at;
}

/* The text in at most `most` columns, with "…" at its end or in its middle. */
static struct str table_cut(struct arena *a, struct str s, size_t most, bool middle)
{
	size_t head = most ? most - 1 : 0, tail = middle ? head / 2 : 0;

	if (out_columns(s) <= most)
		return s;
	return str_fmt(a, "%.*s" ELLIPSIS "%.*s",
		       STR_ARG(str_sub(s, 0, table_head(s, head - tail))),
		       STR_ARG(tail ? str_sub(s, table_tail(s, tail), s.n) : STR("")));
}

static void table_cell(struct out *o, enum out_style style, struct str s, size_t width, bool last)
{
	size_t columns = out_columns(s);

	out_styled(o, style, s);
	if (!last)
		out_fmt(o, "%*s", (int)(width - size_min(width, columns) + 2), "");
}

/* The widths that fit: the widest column gives way first, and none below its least. */
static void table_fit(struct out *o, const struct out_table *t, size_t *widths)
{
	size_t sum = t->n ? 2 * (t->n - 1) : 0;

	for (size_t k = 0; k < t->n; k++) {
		widths[k] = size_max(strlen(t->columns[k].name), t->columns[k].least);
		for (size_t i = k; i < t->cells.n; i += t->n)
			widths[k] = size_max(widths[k], out_columns(t->cells.p[i]));
		sum += widths[k];
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

void out_table_print(struct out *o, const struct out_table *t)
{
	bool terminal = out_is_terminal(o);
	size_t widths[TABLE_MAX] = {0};

	if (t->n > TABLE_MAX)
		BUG("a table has at most %d columns", TABLE_MAX);
	for (size_t k = 0; k < t->n; k++)
		widths[k] = t->columns[k].cut == OUT_WHOLE ? t->columns[k].least : 0;
	if (terminal && t->cells.n) {
		table_fit(o, t, widths);
		for (size_t k = 0; k < t->n; k++)
			table_cell(o, OUT_DIM, str_of(t->columns[k].name), widths[k],
				   k + 1 == t->n);
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct out_column *c = &t->columns[i % t->n];
		bool last = i % t->n + 1 == t->n;
		struct str s = t->cells.p[i];

		if (terminal && c->cut != OUT_WHOLE)
			s = table_cut(t->a, s, widths[i % t->n], c->cut == OUT_CUT_MIDDLE);
		table_cell(o, c->style, s, widths[i % t->n], last);
		if (last)
			out_puts(o, "\n");
	}
}
