/* Reads all rows of a table as their readers do. */
#include "db/internal.h"

#define VERIFY_BATCH 64

static struct db_arg verify_key(struct db_rows *rows, struct arena *a, int column)
{
	struct db_arg v = db_column_value(rows, column);

	v.s = v.s.p ? str_dup(a, v.s) : v.s;
	return v;
}

struct err *db_verify(struct db *db, struct arena *a, const struct db_verify *how,
		      struct db_damaged_rows *out, int64_t *n)
{
	struct progress progress PROGRESS = progress_start("rows verified", 0);
	struct arena *batch ARENA_LOCAL = arena_new();
	struct db_rows *rows;

	TRY(db_select_args(db, how->query, &rows, &(const struct db_arg){0}, 0));
	DB_REST(rows) {
		struct err *bad = how->row(how->ctx, batch, rows);

		progress_at(&progress, (uint64_t)++ * n);
		if (bad) {
			*VEC_PUSH(a, out) = (struct db_damaged_row){
				.table = how->table,
				.key = how->key,
				.is = verify_key(rows, a, how->column),
				.why = str_dup(a, str_of(err_message(bad))),
			};
			if (!db_skip_damaged_row(db, bad))
				return bad;
		}
		if (*n % VERIFY_BATCH == 0)
			arena_reset(batch);
	}
	return NULL;
}
