#include "request/query_log.h"
#include "os/os.h"
#include <math.h>

const char *const trace_outcomes[] = {TRACE_OUTCOMES(ENUM_NAME) NULL};

/* ---- writing ---- */

/* At most TRACE_TEXT_MAX bytes of valid UTF-8 without NUL, so that every reader of the store can
 * print it. */
static struct str kept(struct arena *a, struct str s)
{
	bool cut = s.n > TRACE_TEXT_MAX;
	size_t n = size_min(s.n, TRACE_TEXT_MAX);
	char *p;

	while (cut && n && (s.p[n] & 0xC0) == 0x80)
		n--;
	p = str_c(a, str_sub(s, 0, n));
	for (size_t i = 0; i < n; i++)
		if (!p[i])
			p[i] = ' ';
	s = str_utf8(a, (struct str){p, n});
	return cut ? str_fmt(a, "%.*s...", STR_ARG(s)) : s;
}

struct err *trace_put(struct db *db, const struct trace_list *rows, int64_t keep_ms,
		      const struct db_write *how)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin_as(&t, db, how));
	TRY(db_do(db, Q_TRACE_EXPIRE, NULL, DB_I(os_now() - keep_ms)));
	VEC_EACH(const struct trace_row, r, rows) {
		struct arena *a ARENA_LOCAL = arena_new();

		TRY(db_do(db, Q_TRACE_INSERT, NULL, DB_I(r->time), DB_S(kept(a, r->request)),
			  DB_S(kept(a, r->tool)), DB_S(r->user), DB_S(kept(a, r->agent)),
			  DB_S(kept(a, r->task)), DB_S(kept(a, r->query)),
			  DB_S(kept(a, r->memory_type)), DB_S(kept(a, r->text)),
			  DB_S(str_of(trace_outcomes[r->outcome])), DB_S(kept(a, r->reason)),
			  DB_I(r->total), DB_I(r->returned), DB_I(r->budget), DB_I(r->tokens),
			  DB_I(llround(r->time_ms * 1000)), DB_I(r->cached),
			  DB_S(kept(a, r->named_agent))));
	}
	return db_commit(&t);
}

/* ---- reading ---- */

static struct err *trace_row(struct db_rows *rows, struct arena *a, struct trace_row *out)
{
	struct db_cells c = {.rows = rows, .table = "turn_trace", .key = 0};

	*out = (struct trace_row){
		.seq = db_cell_int(&c, 0, 1, INT64_MAX),
		.time = db_cell_int(&c, 1, DB_TIME_LEAST, DB_TIME_MOST),
		.request = db_cell_text(&c, a, 2),
		.tool = db_cell_text(&c, a, 3),
		.agent = db_cell_text(&c, a, 4),
		.task = db_cell_text(&c, a, 5),
		.query = db_cell_text(&c, a, 6),
		.memory_type = db_cell_text(&c, a, 7),
		.text = db_cell_text(&c, a, 8),
		.outcome = (enum trace_outcome)db_cell_choice(&c, 9, trace_outcomes),
		.reason = db_cell_text(&c, a, 10),
		.total = db_cell_int(&c, 11, 0, INT64_MAX),
		.returned = db_cell_int(&c, 12, 0, INT64_MAX),
		.budget = db_cell_int(&c, 13, INT64_MIN, INT64_MAX),
		.tokens = db_cell_int(&c, 14, 0, INT64_MAX),
		.time_ms = (double)db_cell_int(&c, 15, 0, INT64_MAX) / 1000,
		.cached = db_cell_int(&c, 16, 0, 1),
		.named_agent = db_cell_text(&c, a, 17),
	};
	return db_cells_check(&c);
}

struct err *trace_list_requests(struct db *db, struct arena *a, const struct trace_filter *f,
				struct trace_list *out)
{
	struct trace_row one;

	*out = (struct trace_list){0};
	DB_EACH(rows, db, Q_TRACE_QUERY, DB_S(f->user), db_text_or_null(f->request),
		db_text_or_null(f->tool), db_text_or_null(f->agent),
		db_text_or_null(f->memory_type),
		f->outcome < 0 ? DB_N : DB_S(str_of(trace_outcomes[f->outcome])),
		db_int_or_null(f->since), db_int_or_null(f->until), db_int_or_null(f->before),
		DB_I((int64_t)f->limit)) {
		DB_ROW(db, trace_row(rows, a, &one), continue);
		one.user = f->user;
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

static struct err *trace_verify_row(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct trace_row one;

	(void)ctx;
	return trace_row(rows, a, &one);
}

struct err *trace_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged)
{
	const struct db_verify all = {Q_VERIFY_TRACE,   "turn_trace", "seq", 0,
				      trace_verify_row, NULL};
	int64_t n = 0;

	return db_verify(db, a, &all, damaged, &n);
}
