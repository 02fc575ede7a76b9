/*
 * table_copy: copies the rows of one table into another, which may have stricter checks. Private to
 * db.
 */
#pragma once

#include "base/base.h"
#include "out/out.h"

struct sqlite3;

struct db_copy {
	struct sqlite3 *from, *to; /* may be equal; `to` is in a transaction */
	const char *source, *target;
	const char *name; /* of the table, for damaged_rows */
	struct progress *progress;
	uint64_t *done;   /* rows of all tables, for progress */
	uint64_t copied;  /* out: rows that the target accepted */
	uint64_t refused; /* out: rows moved to damaged_rows */
	bool gaps;        /* out: an unknown number of rows could not be read */
};

/*
 * Copies every row, column by column, by column names. A row that the target refuses goes to
 * damaged_rows and damaged_cells with its values. Returns SQLite's code: of `from` when it cannot
 * be read, of `to` when it cannot be written.
 */
int db_copy_table(struct db_copy *c);
/*
 * db_copy_table() from a damaged file: copies the rows before and after a page that cannot be read.
 * Returns SQLite's code for `to` only.
 */
int db_copy_salvage(struct db_copy *c);
