/*
 * table: rows of text in columns. On a terminal they have a header and fit its width: the widest
 * column that may be cut is cut first. Elsewhere each cell is whole, for scripts.
 */
#pragma once

#include "out/out.h"

#define OUT_COLUMNS_MAX 16

struct out_column {
	const char *name;
	unsigned least; /* columns: whole cells are padded to it, and cut ones keep so many */
	enum { OUT_WHOLE, OUT_CUT_END, OUT_CUT_MIDDLE } cut; /* paths are cut in the middle */
	enum out_style style;
	bool right; /* cells stand at the right: numbers */
};
struct out_cell {
	struct str text; /* must live until the table is printed */
	enum out_style style;
};
struct out_table {
	struct arena *a;
	const struct out_column *columns;
	size_t n;                          /* at most OUT_COLUMNS_MAX */
	struct VEC(struct out_cell) cells; /* row by row */
	struct strs below;                 /* lines below each row; no element: no row has any */
};
/* Adds a row of t->n cells, each in the style of its column. */
void out_table_add(struct out_table *t, const struct str *cells);
/* A terminal gets no column whose cells are all empty. */
void out_table_print(struct out *o, const struct out_table *t);
