/* Shows the line of a finding on a terminal, with a caret under each column of the match. */
#include "report/quoteshow.h"

#define QUOTE_INDENT   14
#define QUOTE_LEAST    20 /* in fewer columns the line would tell nothing */
#define QUOTE_TAB      4
#define QUOTE_ELLIPSIS "…"

/* One character as the terminal shows it. */
struct quote_cell {
	struct str text; /* empty: a tab */
	size_t at, columns;
};
struct quote_row {
	struct quote_cell *p;
	size_t n, cap;
	size_t columns;  /* of all cells */
	size_t from, to; /* the columns of the match */
};

static struct quote_row quote_row_of(struct arena *a, const struct check_quote *q)
{
	struct quote_row row = {.from = SIZE_MAX};
	struct str rest = q->text;

	for (size_t at = 0, n; rest.n; rest = str_sub(rest, n, rest.n), at += n) {
		struct quote_cell *c = VEC_PUSH(a, &row);
		uint32_t code = 0;
		bool hidden = out_is_hidden(rest, &n);

		*c = (struct quote_cell){.text = str_sub(rest, 0, n), .at = row.columns};
		str_utf8_char(rest.p, n, &code);
		if (*rest.p == '\t') {
			c->text = STR("");
			c->columns = QUOTE_TAB;
		} else {
			c->columns = hidden ? 4 * n : out_char_columns(code);
		}
		if (at >= q->at && row.from == SIZE_MAX)
			row.from = row.columns;
		row.columns += c->columns;
		if (at < q->at + q->n)
			row.to = row.columns;
	}
	row.from = size_min(row.from, row.columns);
	row.to = size_max(row.to, row.from + 1);
	return row;
}

static void quote_blanks(struct out *o, size_t n)
{
	out_fmt(o, "%*s", (int)n, "");
}

static void quote_gutter(struct out *o)
{
	quote_blanks(o, QUOTE_INDENT);
	out_style(o, OUT_DIM);
	out_puts(o, "| ");
	out_style(o, OUT_PLAIN);
}

/* The columns [*from, *to) that fit, around the match; a third of the room lies before it. */
static void quote_window(const struct quote_row *row, const struct check_quote *q, size_t room,
			 size_t *from, size_t *to)
{
	*from = 0;
	*to = row->columns;
	if (row->columns + q->before + q->after <= room)
		return;
	room -= 2; /* for an ellipsis on both sides */
	if (row->from > room / 3)
		*from = row->from - room / 3;
	if (*from + room < row->columns)
		*to = *from + room;
	else
		*from = row->columns - size_min(room, row->columns);
}

void quote_show(struct out *o, const struct check_quote *q, enum out_style style)
{
	size_t room = out_width(o) - size_min(out_width(o), QUOTE_INDENT + 2), from, to, begin;
	struct arena *a;
	struct quote_row row;
	bool left, right;

	if (!q->text.p || !str_trim(q->text).n || room < QUOTE_LEAST)
		return;
	a = arena_new();
	row = quote_row_of(a, q);
	quote_window(&row, q, room, &from, &to);
	left = from || q->before;
	right = to < row.columns || q->after;
	quote_gutter(o);
	out_puts(o, left ? QUOTE_ELLIPSIS : "");
	/* A wide character may lie across the beginning: then the line begins behind it. */
	begin = to;
	for (size_t i = 0; i < row.n; i++) {
		const struct quote_cell *c = &row.p[i];

		if (c->at < from || c->at + c->columns > to)
			continue;
		begin = size_min(begin, c->at);
		if (c->text.n)
			out_safe(o, c->text, false);
		else
			quote_blanks(o, c->columns);
	}
	out_puts(o, right ? QUOTE_ELLIPSIS "\n" : "\n");
	quote_gutter(o);
	quote_blanks(o, left + row.from - size_min(begin, row.from));
	out_style(o, style);
	for (size_t i = row.from; i < size_max(size_min(row.to, to), row.from + 1); i++)
		out_puts(o, "^");
	out_style(o, OUT_PLAIN);
	out_puts(o, "\n");
	arena_free(a);
}
