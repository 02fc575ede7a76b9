#include "base/base.h"
#include "memory/internal.h"
#include "memory/transfer.h"
#include "os/os.h"

/* After so many, what they took is given back. */
#define BATCH 64

struct export {
	struct memories *m;
	struct str scopes; /* a JSON list */
	struct err *(*fn)(void *ctx, struct arena *a, const struct val *line);
	void *ctx;
};

static struct val *memory_line(struct export *x, struct arena *a, struct db_rows *rows)
{
	struct memory one = memory_row(x->m, a, rows);

	return memory_val(a, &one);
}

static struct val *tombstone_line(struct export *x, struct arena *a, struct db_rows *rows)
{
	struct val *v = val_map(a);

	(void)x;
	val_set(a, v, "memoryId", val_str(a, db_str(rows, a, 0)));
	val_set(a, v, "layer", val_str(a, db_str(rows, a, 1)));
	val_set(a, v, "deletedAt", val_str(a, os_time_text(a, db_int(rows, 2), true)));
	return v;
}

static struct err *each(struct export *x, enum db_query query,
			struct val *(*line)(struct export *, struct arena *, struct db_rows *))
{
	struct arena *a = arena_new();
	struct db_rows *rows;
	struct err *e = db_ask(x->m->db, query, &rows, DB_S(x->scopes));
	bool more = !e;

	for (size_t n = 1;; n++) {
		if (!e)
			e = db_next(rows, &more);
		if (e || !more)
			break;
		e = x->fn(x->ctx, a, line(x, a, rows));
		if (n % BATCH)
			continue;
		arena_free(a);
		a = arena_new();
	}
	arena_free(a);
	return e;
}

static struct err *export_all(void *ctx)
{
	struct export *x = ctx;

	TRY(each(x, Q_EXPORT_EACH, memory_line));
	return each(x, Q_EXPORT_TOMBSTONES, tombstone_line);
}

struct err *memory_export(struct memories *m, unsigned layers,
			  struct err *(*fn)(void *ctx, struct arena *a, const struct val *line),
			  void *ctx)
{
	struct export x = {.m = m, .fn = fn, .ctx = ctx};
	struct arena *a = arena_new();
	struct memory_scopes scopes;
	struct buf b = buf_in(a);
	struct err *e = memory_scopes(m, a, layers, &scopes);

	if (!e) {
		memory_scopes_text(&b, &scopes);
		x.scopes = buf_str(&b);
		e = db_read(m->db, export_all, &x);
	}
	arena_free(a);
	return e;
}
