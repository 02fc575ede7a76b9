/*
 * Pushes and pulls rows of the record. A row keeps the name that the machine had when it was
 * recorded, and its place there, so rows never conflict.
 */
#include "event/checkpoint.h"
#include "event/json_export.h"
#include "json/json.h"
#include "os/os.h"
#include "sync/exchange_internal.h"

#define BATCH_ROWS  ((size_t)2048)
#define BATCH_BYTES ((size_t)4 << 20)

struct event_batch {
	struct exchange *x;
	struct arena *a;
	struct buf rows; /* in COPY's form */
	size_t n;
	int64_t upto, first;
	bool more;
};

/* ---- push ---- */

static struct err *event_send(void *ctx)
{
	struct event_batch *b = ctx;
	struct pg *pg = b->x->ask->pg;
	struct str tenant = b->x->ask->share.tenant;
	struct pg_rows rows;

	TRY(push_reserve_numbers(b->x, b->a, b->n, &b->first));
	TRY(pg_copy(pg, b->a, PG_PUSH_EVENTS_COPY, buf_as_str(&b->rows)));
	TRY(pg_ask(pg, b->a, PG_PUSH_EVENTS_OTHER, &rows, tenant));
	if (rows.n)
		return err_help(
			err_new(E_KEY_REUSED,
				"the row %.*s of the record of the machine '%.*s' is on the server "
				"with other content",
				STR_ARG(pg_cell_str(&rows, 0, 1)),
				STR_ARG(pg_cell_str(&rows, 0, 0))),
			"the record here was changed, or this home is a copy: 'ikm events verify' "
			"tells which");
	return pg_do(pg, b->a, PG_PUSH_EVENTS_PUT, NULL, tenant,
		     str_fmt(b->a, "%jd", (intmax_t)b->first));
}

static struct err *event_push_batch(struct event_batch *b)
{
	struct exchange *x = b->x;
	struct db_txn t DB_TXN = {0};

	b->rows = buf_in(b->a);
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_EVENTS_NEW, DB_I(x->now.pushed_events),
		DB_I((int64_t)BATCH_ROWS)) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct event_shared row;
		struct str machine;

		event_row_columns_for_sharing(a, rows, &row);
		b->upto = row.seq;
		/* The name that the machine had for that row. */
		machine = row.machine.n ? row.machine : x->machine;
		for (size_t i = 0; i < x->names.n; i++)
			if (x->names.p[i].first <= row.seq)
				machine = x->names.p[i].machine;
		buf_fmt(&b->rows, "%zu\t", ++b->n);
		pg_copy_append_value(&b->rows, machine);
		buf_fmt(&b->rows, "\t%jd\t", (intmax_t)row.seq);
		pg_copy_append_value(&b->rows, json_text(a, row.columns));
		buf_putc(&b->rows, '\n');
		b->more = b->n == BATCH_ROWS || b->rows.n > BATCH_BYTES;
		if (b->more)
			break;
	}
	if (!b->n)
		return NULL;
	TRY(push_make_temp_table(x, TABLE_EVENTS));
	TRY(push_store_nonce(x));
	TRY(pg_transaction_run(x->ask->pg, b->a, event_send, b));
	DB_EACH(last, x->ask->m->db, Q_EVENT_LAST_ROW)
		exchange_tell_progress(x, "events", b->n, db_column_int(last, 0) - b->upto);
	TRY(db_begin(&t, x->ask->m->db));
	x->now.pushed_events = b->upto;
	x->out->eventsPushed += (int64_t)b->n;
	push_skip_own_numbers(x, b->first, b->n);
	TRY(tenant_remember_sent(x, STR(REMOTE_RECORD), STR("")));
	TRY(exchange_save_state(x));
	return db_commit(&t);
}

struct err *push_events(struct exchange *x)
{
	bool more;
	struct event_checkpoint mark;
	struct str text;
	struct err *failed;

	DB_EACH(rows, x->ask->m->db, Q_MACHINE_NAMES)
		*VEC_PUSH(x->a, &x->names) =
			(struct machine_name){db_column_int(rows, 0), db_column_str(rows, x->a, 1)};
	do {
		struct event_batch b = {.x = x, .a = arena_new()};
		struct err *e = event_push_batch(&b);

		arena_free(b.a);
		TRY(e);
		more = b.more;
	} while (more);
	/* A tail of the record that is cut off here shows there. Without keys there is nothing to
	 * sign. */
	if (!x->ask->events || !x->out->eventsPushed)
		return NULL;
	failed = event_checkpoint_sign(x->ask->events, x->a, &text);
	if (failed && err_reason(failed) == E_NOT_CONFIGURED)
		return NULL;
	TRY(failed);
	TRY(event_checkpoint_read_own(x->ask->events, x->a, text, &mark));
	return pg_do(x->ask->pg, x->a, PG_PUSH_CHECKPOINT, NULL, x->ask->share.tenant, x->machine,
		     str_fmt(x->a, "%jd", (intmax_t)mark.seq), text);
}

/* ---- pull ---- */

struct err *pull_events(struct exchange *x)
{
	struct pg_rows rows;
	bool more = x->now.pulled_events < x->last;

	while (more) {
		struct arena *a ARENA_LOCAL = arena_new();

		TRY(pg_ask(x->ask->pg, a, PG_PULL_EVENTS, &rows, x->ask->share.tenant,
			   str_fmt(a, "%jd", (intmax_t)x->now.pulled_events), x->machine,
			   str_fmt(a, "%zu", BATCH_ROWS)));
		if (rows.n || x->now.pulled_events < x->last) {
			struct db_txn t DB_TXN = {0};
			int64_t changed;

			TRY(db_begin(&t, x->ask->m->db));
			for (size_t i = 0; i < rows.n; i++) {
				TRY(db_do(x->ask->m->db, Q_REMOTE_EVENT_PUT, &changed,
					  DB_S(pg_cell_str(&rows, i, 1)),
					  DB_I(pg_cell_int(&rows, i, 2)),
					  DB_S(pg_cell_str(&rows, i, 3)),
					  DB_S(pg_cell_str(&rows, i, 4)),
					  DB_S(pg_cell_str(&rows, i, 5))));
				x->out->eventsPulled += changed;
				x->now.pulled_events = pg_cell_int(&rows, i, 0);
			}
			if (rows.n < BATCH_ROWS && x->now.pulled_events < x->last)
				x->now.pulled_events = x->last;
			TRY(exchange_save_state(x));
			TRY(db_commit(&t));
		}
		if (rows.n)
			exchange_tell_progress(x, "events", rows.n, x->last - x->now.pulled_events);
		more = rows.n == BATCH_ROWS;
	}
	return NULL;
}

/* ---- for people ---- */

struct err *remote_list_received_events(struct db *db, struct arena *a, struct str machine,
					int64_t most, struct remote_event_list *out)
{
	*out = (struct remote_event_list){0};
	DB_EACH(rows, db, Q_REMOTE_EVENT_EACH, DB_S(machine), DB_I(most)) {
		struct remote_event *e = VEC_PUSH(a, out);
		struct str text = db_column_str(rows, a, 2);
		struct val *event;

		*e = (struct remote_event){.machine = db_column_str(rows, a, 0),
					   .number = db_column_int(rows, 1)};
		TRY(json_read(a, text, NULL, &event));
		e->event = event;
	}
	return NULL;
}
