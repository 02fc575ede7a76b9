#include "request/trace.h"
#include "os/os.h"

static const char *const outcomes[] = TRACE_OUTCOMES;

/* ---- writing ---- */

struct putting {
	struct db *db;
	const struct trace_list *rows;
	int64_t keep_ms;
};

/* At most TRACE_TEXT_MAX bytes of valid UTF-8 without NUL: what any reader of the store can show. */
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

static struct err *put(void *ctx)
{
	struct putting *p = ctx;

	TRY(db_do(p->db, Q_TRACE_EXPIRE, NULL, DB_I(os_now() - p->keep_ms)));
	for (size_t i = 0; i < p->rows->n; i++) {
		const struct trace_row *r = &p->rows->p[i];
		struct arena *a = arena_new();
		struct err *e = db_do(
			p->db, Q_TRACE_INSERT, NULL, DB_I(r->time), DB_S(kept(a, r->request)),
			DB_S(kept(a, r->tool)), DB_S(r->user), DB_S(kept(a, r->agent)),
			DB_S(kept(a, r->task)),
			DB_S(kept(a, r->query)), DB_S(kept(a, r->memory_type)),
			DB_S(kept(a, r->text)), DB_S(str_of(outcomes[r->outcome])),
			DB_S(kept(a, r->reason)), DB_I(r->total), DB_I(r->returned),
			DB_I(r->budget), DB_I(r->tokens), DB_I(r->time_us), DB_I(r->cached));

		arena_free(a);
		TRY(e);
	}
	return NULL;
}

struct err *trace_put(struct db *db, const struct trace_list *rows, int64_t keep_ms)
{
	struct putting p = {.db = db, .rows = rows, .keep_ms = keep_ms};

	if (!rows->n || keep_ms <= 0)
		return NULL;
	return db_write(db, put, &p);
}

/* ---- asking ---- */

static struct db_arg text_or_null(struct str s)
{
	return s.n ? DB_S(s) : DB_N;
}

static struct db_arg int_or_null(int64_t n)
{
	return n ? DB_I(n) : DB_N;
}

static enum trace_outcome outcome_of(struct str text)
{
	for (int i = 0; outcomes[i]; i++)
		if (str_is(text, outcomes[i]))
			return (enum trace_outcome)i;
	return TRACE_FAILED;
}

struct err *trace_query(struct db *db, struct arena *a, const struct trace_filter *f,
			struct trace_list *out)
{
	struct db_rows *rows;
	bool more;

	*out = (struct trace_list){0};
	TRY(db_ask(db, Q_TRACE_QUERY, &rows, DB_S(f->user), text_or_null(f->request), text_or_null(f->tool),
		   text_or_null(f->agent), text_or_null(f->memory_type),
		   f->outcome < 0 ? DB_N : DB_S(str_of(outcomes[f->outcome])),
		   int_or_null(f->since), int_or_null(f->until), int_or_null(f->before),
		   DB_I((int64_t)f->limit)));
	for (;;) {
		TRY(db_next(rows, &more));
		if (!more)
			return NULL;
		*VEC_PUSH(a, out) = (struct trace_row){
			.seq = db_int(rows, 0),
			.time = db_int(rows, 1),
			.request = db_str(rows, a, 2),
			.tool = db_str(rows, a, 3),
			.user = f->user,
			.agent = db_str(rows, a, 4),
			.task = db_str(rows, a, 5),
			.query = db_str(rows, a, 6),
			.memory_type = db_str(rows, a, 7),
			.text = db_str(rows, a, 8),
			.outcome = outcome_of(db_str(rows, a, 9)),
			.reason = db_str(rows, a, 10),
			.total = db_int(rows, 11),
			.returned = db_int(rows, 12),
			.budget = db_int(rows, 13),
			.tokens = db_int(rows, 14),
			.time_us = db_int(rows, 15),
			.cached = db_int(rows, 16),
		};
	}
}
