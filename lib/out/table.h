/*
 * table: rows of text in columns. On a terminal they have a header and fit its width: the widest
 * column that may be cut is cut first. Elsewhere each cell is whole, for scripts.
 */
#ifndef IKM_OUT_TABLE_H
#define IKM_OUT_TABLE_H

#include "out/out.h"

struct out_column {
	const char *name;
	unsigned least; /* columns: whole cells are padded to it, and cut ones keep so many */
	enum { OUT_WHOLE, OUT_CUT_END, OUT_CUT_MIDDLE } cut; /* paths are cut in the middle */
	enum out_style style;
};
struct out_table {
	struct arena *a;
	const struct out_column *columns;
	size_t n;
	struct strs cells; /* row by row */
};
/* Adds a row of t->n cells, which must live until the table is printed. */
void out_table_add(struct out_table *t, const struct str *cells);
void out_table_print(struct out *o, const struct out_table *t);

#endif
