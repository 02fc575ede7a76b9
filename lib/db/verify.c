/* Reads all rows of a table as their readers do. */
#include "db/internal.h"

#define VERIFY_BATCH 64

static struct db_arg verify_key(struct db_rows *rows, struct arena *a, int column)
{
	struct db_arg v = db_value(rows, column);

	v.s = v.s.p ? str_dup(a, v.s) : v.s;
	return v;
}

struct err *db_verify(struct db *db, struct arena *a, const struct db_verify *how,
		      struct db_damaged_rows *out, int64_t *n)
{
	struct arena *batch = arena_new();
	struct db_rows *rows;
	struct err *e = db_ask_args(db, how->query, &rows, &(const struct db_arg){0}, 0);
	bool more = !e;
	struct progress progress;

	progress_start(&progress, "rows verified", 0);
	while (!e) {
		struct err *bad;

		e = db_next(rows, &more);
		if (e || !more)
			break;
		progress_at(&progress, (uint64_t)++ * n);
		bad = how->row(how->ctx, batch, rows);
		if (bad) {
			*VEC_PUSH(a, out) = (struct db_damaged_row){
				.table = how->table,
				.key = how->key,
				.is = verify_key(rows, a, how->column),
				.why = str_dup(a, str_of(err_message(bad))),
			};
			if (!db_pass_over(db, bad))
				e = bad;
		}
		if (*n % VERIFY_BATCH)
			continue;
		arena_free(batch);
		batch = arena_new();
	}
	if (e && more)
		db_reset(rows);
	progress_end(&progress);
	arena_free(batch);
	return e;
}
