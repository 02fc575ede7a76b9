/* copy: the rows of one table into another, which may check more. For lib/db only. */
#ifndef IKM_DB_COPY_H
#define IKM_DB_COPY_H

#include "base/base.h"
#include "out/out.h"

struct sqlite3;

struct db_copy {
	struct sqlite3 *from, *to; /* may be the same; `to` is in a transaction */
	const char *source, *target;
	const char *name; /* of the table, in damaged_rows */
	struct progress *progress;
	uint64_t *done;   /* rows of all tables, for progress */
	uint64_t copied;  /* out: rows that the target has taken */
	uint64_t refused; /* out: rows that went to damaged_rows */
	uint64_t known;   /* out: rows whose key the target had already */
	uint64_t lost;    /* out: gaps in the numbers of rows that could not be read */
	bool gaps;        /* out: some rows could not be read; how many is not known */
};

/*
 * Copies every row, column by column by their names. What the target refuses goes to damaged_rows
 * and damaged_cells with its values. Gives SQLite's code: of `from` when it cannot be read, of `to`
 * when it cannot be written.
 */
int db_copy_table(struct db_copy *c);
/*
 * The same from a damaged file: when a page cannot be read the rows before and behind it are
 * copied. Gives SQLite's code for `to` alone.
 */
int db_copy_salvage(struct db_copy *c);

#endif
