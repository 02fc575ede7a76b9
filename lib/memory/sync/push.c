/*
 * Pushes changed memories. A batch is one transaction on the server, then one here. When the answer
 * of the server is lost, the same batch comes again and changes nothing.
 */
#include "event/ulid.h"
#include "memory/memories_of_other_machines.h"
#include "os/os.h"
#include "sync/exchange_internal.h"

#define BATCH_ROWS  ((size_t)4096)
#define BATCH_BYTES ((size_t)4 << 20)
/* A batch of fewer rows does without a large cache. */
#define ROWS_FEW ((size_t)512)

struct push_row {
	struct str id, layer, whose, machine, text; /* text p NULL: a tombstone */
	const char *gone;                           /* of a tombstone: why */
	int64_t doc, clock, base, deleted;
	int64_t hash; /* of what is here, if a tombstone leaves it there */
	bool again;   /* it waited */
};

struct failed_row {
	struct str id, message;
	enum err_reason reason;
};

struct pushing {
	struct exchange *x;
	struct arena *a; /* of the batch */
	struct VEC(struct push_row) rows;
	struct VEC(struct str) gone;       /* ids of sync_gone with which this batch is done */
	struct strs settled;               /* ids of sync_waiting, sorted */
	struct VEC(struct push_row) moved; /* only the number changed */
	struct VEC(struct failed_row) failed;
	struct strs refused;
	size_t bytes;
	int64_t upto;       /* memories up to this number are in this batch or before it */
	struct str gone_at; /* and removed ones up to this id */
	bool more;
};

static void push_fail(struct pushing *p, struct str id, enum err_reason reason, const char *message)
{
	*VEC_PUSH(p->a, &p->failed) =
		(struct failed_row){id, str_dup(p->a, str_of(message)), reason};
}

/* ---- what to push ---- */

/* PostgreSQL has no NUL in its texts, and JSON writes it as \u0000. */
static bool push_has_nul(struct str text)
{
	for (size_t at = str_find(text, STR("\\u0000"), 0); at != SIZE_MAX;
	     at = str_find(text, STR("\\u0000"), at + 1)) {
		size_t back = 0;

		while (back < at && text.p[at - 1 - back] == '\\')
			back++;
		if (back % 2 == 0)
			return true;
	}
	return false;
}

static void push_add(struct pushing *p, const struct push_row *row)
{
	if (row->clock >> CLOCK_BITS > os_now() + CLOCK_AHEAD) {
		push_fail(p, row->id, E_OUT_OF_RANGE,
			  "its time of change is over a day ahead: it waits until then");
		return;
	}
	if (row->text.p && (!str_is_text(row->whose) || push_has_nul(row->text))) {
		push_fail(p, row->id, E_BAD_UTF8,
			  "it has a NUL, or an identifier that is no UTF-8: the server has no such "
			  "texts");
		return;
	}
	p->bytes += row->text.n + row->whose.n + 128;
	*VEC_PUSH(p->a, &p->rows) = *row;
}

static bool push_is_shared(struct pushing *p, const struct memory *one, struct str whose)
{
	return p->x->ask->share.layers & 1u << one->layer && one->redaction != MEMORY_SENSITIVE &&
	       exchange_may_write(p->x, str_of(memory_layers[one->layer]), whose);
}

/* Reads the current row of remote_changed or remote_changed_one. */
static struct err *push_look(struct pushing *p, struct db_rows *rows, bool again)
{
	const struct held h = {
		.doc = db_column_int(rows, MEMORY_ROW_COLUMNS + 1),
		.clock = db_column_int(rows, MEMORY_ROW_COLUMNS + 2),
		.machine = db_column_str(rows, p->a, MEMORY_ROW_COLUMNS + 3),
		.hash = db_column_int(rows, MEMORY_ROW_COLUMNS + 4),
		.owner = db_column_str(rows, p->a, MEMORY_ROW_COLUMNS + 5),
		.known = db_column_int(rows, MEMORY_ROW_COLUMNS + 2) != 0,
	};
	bool offer, mine, live = h.known && h.doc >= 0;
	enum tenant_right right;
	struct push_row row = {.again = again};
	struct memory one;

	p->upto = again ? p->upto : db_column_int(rows, 0);
	/* Most rows of a second look are as the remote has them. */
	if (h.known && h.owner.n)
		return NULL;
	offer = db_column_int(rows, 0) <= p->x->now.offer;
	DB_ROW(p->x->ask->m->db, memory_synced_row(p->x->ask->m, p->a, rows, &one), return NULL);
	if (one.kind == MEMORY_KNOWLEDGE_POINTER || one.state == MEMORY_EXPIRED)
		return NULL;
	/* What the server has of other people in this person's name it must not keep. */
	mine = h.known || exchange_memory_is_own(p->x, &one);
	mine = mine && !one.owner.n;
	row.whose = db_column_str(rows, p->a, MEMORY_ROW_COLUMNS);
	row.id = one.id;
	row.doc = one.doc;
	row.base = h.clock;
	row.machine = p->x->machine;
	row.layer = str_of(memory_layers[one.layer]);
	if (mine && p->x->ask->share.layers & 1u << one.layer &&
	    one.redaction != MEMORY_SENSITIVE && !exchange_may_write(p->x, row.layer, row.whose))
		p->x->out->unwritable++;
	if (!mine || !push_is_shared(p, &one, row.whose)) {
		row.deleted = os_now();
		row.clock = exchange_clock(row.deleted, h.clock);
		row.gone = GONE_WITHDRAWN;
		row.hash = exchange_row_hash(memory_synced_text(p->a, &one));
		if (live)
			push_add(p, &row);
		return NULL;
	}
	if (live && h.doc == one.doc && !offer)
		return NULL;
	/* What another tenant may have, and this one not, stays as it is on both. */
	TRY(tenant_may_receive(p->x, row.layer, row.whose, &right));
	if (right != TENANT_OURS)
		return NULL;
	row.text = memory_synced_text(p->a, &one);
	row.clock = exchange_clock(one.updated, h.clock);
	if (live && (h.doc == one.doc || h.hash == exchange_row_hash(row.text))) {
		if (!offer) {
			*VEC_PUSH(p->a, &p->moved) = row;
			return NULL;
		}
		/* The server may have lost it: it gets the version that it had. */
		row.clock = h.clock;
		row.machine = h.machine;
	}
	push_add(p, &row);
	return NULL;
}

/*
 * Whether the current row of remote_gone was made private before it was deleted. A deletion may
 * lose against a later change, and that must not.
 */
static bool push_was_hidden(struct pushing *p, struct db_rows *rows)
{
	struct memory was = {.redaction =
				     db_column_int(rows, 9) ? MEMORY_SENSITIVE : MEMORY_INTERNAL};
	int layer = record_choice_index(memory_layers, db_column_bytes(rows, 7));

	was.layer = layer < 0 ? MEMORY_USER : (enum memory_layer)layer;
	return db_column_bytes(rows, 7).p && !push_is_shared(p, &was, db_column_bytes(rows, 8));
}

/* Removed memories that the remote has. */
static struct err *push_look_gone(struct pushing *p)
{
	struct db *db = p->x->ask->m->db;
	size_t n = 0;

	DB_EACH(rows, db, Q_REMOTE_GONE, DB_I(p->x->now.id), DB_S(p->gone_at),
		DB_I((int64_t)BATCH_ROWS)) {
		struct push_row row = {
			.id = db_column_str(rows, p->a, 0),
			.base = db_column_int(rows, 2),
			.deleted = db_column_int(rows, 4) ? db_column_int(rows, 4) : os_now(),
			.machine = p->x->machine,
		};
		bool live = db_column_int(rows, 5), foreign = db_column_bytes(rows, 3).n,
		     held = db_column_int(rows, 1) >= 0, purged = db_column_int(rows, 6);

		n++;
		p->gone_at = str_dup(p->x->a, row.id);
		*VEC_PUSH(p->a, &p->gone) = row.id;
		/* A server that has it as deleted is to know that it was purged. */
		if (live || foreign || (!held && !purged))
			continue;
		row.gone = purged                     ? GONE_PURGED
			   : push_was_hidden(p, rows) ? GONE_WITHDRAWN
						      : GONE_DELETED;
		row.clock = exchange_clock(row.deleted, row.base);
		push_add(p, &row);
	}
	p->more = p->more || n == BATCH_ROWS;
	return NULL;
}

static struct err *push_read(struct pushing *p)
{
	struct db_txn t DB_TXN = {0};
	size_t n = 0;

	TRY(db_begin_read(&t, p->x->ask->m->db));
	/* What waited comes with the first batch. */
	if (p->upto < 0) {
		struct strs ids = {0};

		p->upto = p->x->now.pushed;
		DB_EACH(rows, p->x->ask->m->db, Q_REMOTE_WAITING, DB_I(p->x->now.id))
			if (!db_column_int(rows, 1))
				strs_push(p->a, &ids, db_column_str(rows, p->a, 0));
		for (size_t i = 0; i < ids.n; i++) {
			DB_EACH(rows, p->x->ask->m->db, Q_REMOTE_CHANGED_ONE, DB_I(p->x->now.id),
				DB_S(ids.p[i]))
				TRY(push_look(p, rows, true));
		}
		strs_sort(&ids);
		p->settled = ids;
	}
	TRY(push_look_gone(p));
	DB_EACH(rows, p->x->ask->m->db, Q_REMOTE_CHANGED, DB_I(p->x->now.id), DB_I(p->upto),
		DB_I((int64_t)BATCH_ROWS)) {
		n++;
		if (strs_sorted_has(&p->settled, db_column_bytes(rows, 1)))
			p->upto = db_column_int(rows, 0);
		else
			TRY(push_look(p, rows, false));
		if (p->bytes > BATCH_BYTES) {
			n = BATCH_ROWS;
			break;
		}
	}
	p->more = p->more || n == BATCH_ROWS;
	return NULL;
}

/* ---- to the server ---- */

struct err *push_reserve_numbers(struct exchange *x, struct arena *a, size_t n, int64_t *first)
{
	struct pg_rows rows;
	int64_t last, changed;

	TRY(pg_ask(x->ask->pg, a, PG_PUSH_BEGIN, &rows, x->ask->share.tenant,
		   str_fmt(a, "%zu", n)));
	if (!rows.n)
		return err_new(E_NOT_ALLOWED, "%.*s is no member of '%.*s' any more",
			       STR_ARG(pg_role_and_database(x->ask->pg)),
			       STR_ARG(x->ask->share.tenant));
	last = pg_cell_int(&rows, 0, 0);
	*first = last - (int64_t)n;
	TRY(pg_do(x->ask->pg, a, PG_PUSH_NONCE, &changed, x->ask->share.tenant, x->machine,
		  x->now.next_nonce, x->now.nonce));
	if (!changed)
		return err_help(
			err_new(E_CHANGED, "another home with the name of this machine syncs, too"),
			"one of them is a copy: sync again, and it gets a name of its own");
	return NULL;
}

struct sending {
	struct pushing *p;
	struct arena *a;
	size_t from, to;
	struct strs refused;
	int64_t first;
};

static struct err *push_send(void *ctx)
{
	struct sending *s = ctx;
	struct exchange *x = s->p->x;
	struct pg *pg = x->ask->pg;
	struct str tenant = x->ask->share.tenant, first;
	struct buf b = buf_in(s->a);
	struct pg_rows rows;

	TRY(push_reserve_numbers(x, s->a, s->to - s->from, &s->first));
	for (size_t i = s->from; i < s->to; i++) {
		const struct push_row *row = &s->p->rows.p[i];

		buf_fmt(&b, "%zu\t%.*s\t%jd\t%.*s\t%jd\t", i - s->from + 1, STR_ARG(row->id),
			(intmax_t)row->clock, STR_ARG(row->machine), (intmax_t)row->base);
		pg_copy_append_value(&b, row->layer.n ? row->layer : (struct str){NULL, 0});
		buf_putc(&b, '\t');
		pg_copy_append_value(&b, row->whose);
		if (row->text.p)
			buf_puts(&b, "\t\\N\t");
		else
			buf_fmt(&b, "\t%jd\t", (intmax_t)row->deleted);
		pg_copy_append_value(&b, row->text);
		buf_fmt(&b, "\t%s\n", row->gone ? row->gone : "\\N");
	}
	TRY(pg_copy(pg, s->a, PG_PUSH_COPY, buf_as_str(&b)));
	TRY(pg_ask(pg, s->a, PG_PUSH_REFUSED, &rows, tenant));
	for (size_t i = 0; i < rows.n; i++)
		strs_push(s->p->a, &s->refused, str_dup(s->p->a, pg_cell_str(&rows, i, 0)));
	first = str_fmt(s->a, "%jd", (intmax_t)s->first);
	TRY(pg_do(pg, s->a, PG_PUSH_WITHDRAW, NULL, tenant, first));
	return pg_do(pg, s->a, PG_PUSH_PUT, NULL, tenant, first);
}

/* A row that the server does not take must not keep the others: it is found by halves. */
static struct err *push_range(struct pushing *p, size_t from, size_t to)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct sending s = {.p = p, .a = a, .from = from, .to = to};
	struct exchange *x = p->x;
	size_t half = from + (to - from) / 2;
	struct err *e;

	if (from == to)
		return NULL;
	e = pg_transaction_run(x->ask->pg, a, push_send, &s);
	if (!e) {
		push_skip_own_numbers(x, s.first, to - from);
		strs_add_all(p->a, &p->refused, &s.refused);
		return NULL;
	}
	if (err_code(e) != CODE_INVALID_INPUT)
		return e;
	if (to - from > 1) {
		TRY(push_range(p, from, half));
		return push_range(p, half, to);
	}
	push_fail(p, p->rows.p[from].id, err_reason(e), err_message(e));
	return NULL;
}

/* ---- what came of it ---- */

static bool push_failed(const struct pushing *p, struct str id)
{
	for (size_t i = 0; i < p->failed.n; i++)
		if (str_eq(p->failed.p[i].id, id))
			return true;
	return false;
}

static struct err *push_took(struct pushing *p, const struct push_row *row)
{
	struct exchange *x = p->x;
	struct held h = {
		.doc = row->text.p ? row->doc : -row->deleted,
		.clock = row->clock,
		.machine = row->machine,
		.owner = STR(""),
		.hash = row->text.p ? exchange_row_hash(row->text) : row->hash,
	};

	if (push_failed(p, row->id))
		return NULL;
	if (row->text.p)
		x->out->pushed++;
	else
		x->out->withdrawn++;
	if (row->text.p)
		TRY(tenant_remember_sent(x, row->layer, row->whose));
	TRY(exchange_cached_remote_row_put(x, row->id, &h, NULL));
	/* It may have been removed while it was on its way: then the server has it all the same. */
	return row->text.p ? db_do(x->ask->m->db, Q_REMOTE_GONE_CHECK, NULL, DB_I(x->now.id),
				   DB_S(row->id))
			   : NULL;
}

/* When it is lost, the same rows go again. */
static struct err *push_store(struct pushing *p)
{
	struct exchange *x = p->x;
	struct db *db = x->ask->m->db;
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db, .sync = DB_LATER));
	strs_sort(&p->refused);
	if (p->rows.n >= ROWS_FEW)
		TRY(db_bulk(db));
	for (size_t i = 0; i < p->settled.n; i++)
		TRY(db_do(db, Q_REMOTE_WAITING_REMOVE, NULL, DB_I(x->now.id), DB_S(p->settled.p[i]),
			  DB_I(0)));
	for (size_t i = 0; i < p->rows.n; i++) {
		if (!strs_sorted_has(&p->refused, p->rows.p[i].id)) {
			TRY(push_took(p, &p->rows.p[i]));
			continue;
		}
		x->refused = true;
		if (p->rows.p[i].doc)
			TRY(exchange_postpone_row(x, p->rows.p[i].id, false, E_CHANGED,
						  "another machine has changed it, too"));
	}
	for (size_t i = 0; i < p->moved.n; i++)
		TRY(db_do(db, Q_REMOTE_ROW_MOVED, NULL, DB_I(x->now.id), DB_S(p->moved.p[i].id),
			  DB_I(p->moved.p[i].doc)));
	for (size_t i = 0; i < p->gone.n; i++)
		if (!strs_sorted_has(&p->refused, p->gone.p[i]) && !push_failed(p, p->gone.p[i]))
			TRY(db_do(db, Q_REMOTE_GONE_REMOVE, NULL, DB_I(x->now.id),
				  DB_S(p->gone.p[i])));
	for (size_t i = 0; i < p->failed.n; i++)
		TRY(exchange_postpone_row(x, p->failed.p[i].id, false, p->failed.p[i].reason,
					  p->failed.p[i].message.p));
	x->now.pushed = p->upto;
	TRY(exchange_save_state(x));
	return db_commit(&t);
}

struct err *push_store_nonce(struct exchange *x)
{
	struct db_txn t DB_TXN = {0};

	if (x->has_nonce)
		return NULL;
	TRY(db_begin(&t, x->ask->m->db));
	x->now.next_nonce = ulid_new(x->a, os_now(), STR(""));
	TRY(exchange_save_state(x));
	TRY(db_commit(&t));
	x->has_nonce = true;
	return NULL;
}

struct err *push_make_temp_table(struct exchange *x, enum exchange_table which)
{
	static const enum pg_query make[] = {
		[TABLE_MEMORIES] = PG_PUSH_TABLE,
		[TABLE_ASSETS] = PG_PUSH_ASSETS_TABLE,
		[TABLE_EVENTS] = PG_PUSH_EVENTS_TABLE,
	};

	if (x->tables & 1u << which)
		return NULL;
	TRY(pg_do(x->ask->pg, x->a, make[which], NULL));
	x->tables |= 1u << which;
	return NULL;
}

void push_skip_own_numbers(struct exchange *x, int64_t first, size_t n)
{
	int64_t *read[] = {&x->now.pulled, &x->now.pulled_assets, &x->now.pulled_events};

	for (size_t i = 0; i < ARRAY_SIZE(read); i++)
		if (*read[i] == first)
			*read[i] = first + (int64_t)n;
	if (x->last == first)
		x->last = first + (int64_t)n;
	x->now.nonce = x->now.next_nonce;
}

static struct err *push_batch(struct pushing *p)
{
	int64_t last;

	TRY(push_read(p));
	if (p->rows.n) {
		TRY(push_make_temp_table(p->x, TABLE_MEMORIES));
		TRY(push_store_nonce(p->x));
	}
	TRY(push_range(p, 0, p->rows.n));
	if (!p->rows.n && !p->gone.n && !p->moved.n && !p->settled.n && !p->failed.n &&
	    p->upto == p->x->now.pushed)
		return NULL;
	TRY(db_number(p->x->ask->m->db, Q_INDEX_LAST, &last));
	exchange_tell_progress(p->x, "push", p->rows.n, last - p->upto);
	return push_store(p);
}

struct err *push_memories(struct exchange *x)
{
	struct pushing p = {.x = x, .upto = -1, .gone_at = STR("")};

	do {
		struct pushing next = {.x = x, .upto = p.upto, .gone_at = p.gone_at};
		struct err *e;

		p = next;
		p.a = arena_new();
		e = push_batch(&p);
		arena_free(p.a);
		TRY(e);
	} while (p.more);
	return NULL;
}
