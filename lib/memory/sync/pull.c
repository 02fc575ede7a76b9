/*
 * Pulls rows behind a number of the tenant. A batch, and the number behind it, are stored in one
 * transaction. New memories are stored together; a row that meets something here is resolved alone.
 *
 * Three things go on at once: the server makes the next batch, other threads read the texts of a
 * part of this one, and the caller's thread stores the part before it. Any thread indexes what is
 * stored.
 */
#include "index/index.h"
#include "json/json.h"
#include "os/os.h"
#include "sync/pull.h"

/* A batch begins small, for a memory may have a megabyte, and grows while it stays light. */
#define ROWS_FIRST  ((size_t)256)
#define ROWS_MOST   ((size_t)8192)
#define BYTES_LIGHT ((size_t)4 << 20)
/* The server ends a batch behind so many bytes: large rows may follow many small ones. */
#define BYTES_MOST (2 * BYTES_LIGHT)
/* Rows that a thread reads at once, and the chunks of a part. */
#define CHUNK       ((size_t)32)
#define CHUNKS      ((size_t)8)
#define PART        (CHUNK * CHUNKS)
#define THREADS_MAX 16

/* One sync. */
struct pull {
	struct exchange *x;
	struct memories thread[THREADS_MAX]; /* each has its own words */
	unsigned threads;
	size_t limit; /* rows of the next batch */
	bool more;
	struct strs again; /* rows that wait: they are asked for before all others */
	struct strs early; /* memories that supersede others which were not here */
};

/* Rows that one thread reads, and that one thread indexes when they are stored. */
struct pull_chunk {
	struct arena *a;
	size_t from, n;
	bool stored;
	bool kept; /* with the batch, for rows that are resolved later */
};

struct pull_batch {
	struct pulling p;
	struct pull *pull;
	struct pull_row **by_id; /* in this order new ones meet each page of the store once */
	struct memory_shared_bulk *bulk;
	int64_t next; /* the number of the next memory in it */
	struct pull_chunk chunk[2][CHUNKS];
	size_t part;   /* the part that is being read; the one before it is stored meanwhile */
	int64_t scope; /* of the row before */
	enum memory_layer layer;
	struct str whose;    /* p NULL: there was none */
	struct strs waiting; /* ids of rows that waited, sorted */
	bool met;            /* a row met something here */
};

/* A row that is malformed is another machine's fault: it is told, and the others go on. */
static struct err *pull_or_wait(struct pulling *p, struct pull_row *r, struct err *e)
{
	if (!e)
		return NULL;
	if (err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_UNAUTHORIZED &&
	    err_code(e) != CODE_CONFLICT)
		return e;
	r->bad = true;
	return exchange_postpone_row(p->x, r->id, true, err_reason(e), err_message(e));
}

/* ---- in all threads: reading the texts, which may be anything ---- */

/* Expired notes are gone at home, and need not come back. */
static bool pull_has_expired(const struct memory *one)
{
	return (one->kind == MEMORY_WORKING || one->kind == MEMORY_SCRATCH) && one->expires &&
	       one->expires <= os_now();
}

static struct err *pull_read_text(struct memories *m, struct arena *a, struct pull_row *r)
{
	r->one = ARENA_NEW(a, struct memory);
	TRY(memory_synced_parse(m, a, r->text, r->layer, r->one));
	if (!str_eq(r->one->id, r->id))
		return err_new(E_BAD_ARGUMENT, "its id is '%.*s', and its row says '%.*s'",
			       STR_ARG(r->one->id), STR_ARG(r->id));
	r->one->owner = r->mine ? (struct str){0} : r->owner;
	r->hash = exchange_row_hash(r->text);
	r->bad = pull_has_expired(r->one);
	return r->bad ? NULL : memory_synced_prepare(m, a, r->one, &r->ready);
}

static void pull_chunk_read(void *ctx, struct os_job *job)
{
	struct pull_batch *b = ctx;
	struct pull_chunk *c = job->item;

	if (c->stored) {
		job->result = c;
		return;
	}
	for (size_t i = c->from; i < c->from + c->n; i++) {
		struct pull_row *r = b->by_id[i];

		/* The error ends with its thread. */
		r->unread =
			r->text.p && pull_read_text(&b->pull->thread[job->thread], c->a, r) != NULL;
	}
}

/* In the order of the chunks, one at a time. */
static void pull_chunk_index(void *ctx, void *result)
{
	struct pull_batch *b = ctx;
	struct pull_chunk *c = result;

	for (size_t i = c->from; i < c->from + c->n; i++)
		if (b->by_id[i]->plain)
			memory_synced_bulk_index(b->bulk, b->by_id[i]->one, b->by_id[i]->ready);
	if (!c->kept)
		arena_reset(c->a);
}

/* ---- in this thread: storing ---- */

static struct err *pull_scope(struct pull_batch *b, struct pull_row *r)
{
	struct pulling *p = &b->p;

	/* Nearly all rows are of one scope. */
	if (!b->whose.p || b->layer != r->one->layer || !str_eq(b->whose, r->whose)) {
		TRY(pull_or_wait(p, r,
				 memory_synced_scope_of_owner(p->x->ask->m, p->a, r->one->layer,
							      r->whose, &b->scope)));
		b->layer = r->one->layer;
		b->whose = r->bad ? (struct str){NULL, 0} : r->whose;
	}
	r->one->scope = b->scope;
	return NULL;
}

static struct err *pull_plain(struct pull_batch *b, struct arena *a, struct pull_row *r)
{
	struct memories *m = b->p.x->ask->m;
	bool found = false;
	struct memory same;

	if (r->unread)
		TRY(pull_or_wait(&b->p, r, pull_read_text(m, a, r)));
	if (r->bad || !r->text.p)
		return NULL;
	DB_EACH(rows, m->db, Q_REMOTE_MET, DB_S(r->id))
		return NULL;
	TRY(pull_scope(b, r));
	if (r->bad)
		return NULL;
	if (r->mine)
		TRY(memory_synced_find_repeat(m, a, r->one, r->ready, &same, &found));
	if (!found)
		TRY(pull_note_remote_row(&b->p, r, b->next, &r->plain));
	if (r->plain)
		r->one->doc = b->next++;
	return NULL;
}

static struct err *pull_store_chunk(struct pull_batch *b, struct pull_chunk *c)
{
	for (size_t i = c->from; i < c->from + c->n; i++) {
		struct pull_row *r = b->by_id[i];

		TRY(pull_plain(b, c->a, r));
		c->kept = c->kept || (!r->plain && !r->bad);
		if (r->plain) {
			TRY(memory_synced_bulk_add(b->bulk, c->a, r->one, r->ready));
			if (r->one->supersedes.n)
				strs_push(b->p.a, &b->p.correcting, r->id);
			b->p.x->out->pulled++;
		}
	}
	pg_consume_input(b->p.x->ask->pg);
	c->stored = true;
	return NULL;
}

/* ---- parts ---- */

static void pull_give_out(struct pull_batch *b, struct os_ordered *pool)
{
	for (size_t k = 0; k < CHUNKS; k++) {
		struct pull_chunk *c = &b->chunk[b->part % 2][k];
		size_t from = size_min(b->part * PART + k * CHUNK, b->p.n);

		if (!c->a || c->kept)
			c->a = arena_child(b->p.a);
		*c = (struct pull_chunk){c->a, from, .n = size_min(CHUNK, b->p.n - from)};
		if (c->n)
			os_ordered_pool_add(pool, c);
	}
}

static struct err *pull_part(void *ctx, struct os_ordered *pool)
{
	struct pull_batch *b = ctx;
	struct pull_chunk *c = b->chunk[(b->part + 1) % 2];

	pull_give_out(b, pool);
	for (size_t k = 0; b->part && k < CHUNKS && c[k].n; k++) {
		TRY(pull_store_chunk(b, &c[k]));
		os_ordered_pool_add(pool, &c[k]);
	}
	return NULL;
}

static struct err *pull_run_part(struct pull_batch *b)
{
	static const struct os_ordered_ops ops = {pull_part, pull_chunk_read, pull_chunk_index};

	return os_ordered_run(&ops, b->pull->threads, b);
}

/* ---- a batch ---- */

static struct err *pull_store_new(struct pull_batch *b)
{
	TRY(memory_synced_bulk_begin(b->p.x->ask->m, b->p.a, b->p.n, &b->bulk, &b->next));
	while (b->part * PART < b->p.n) {
		b->part++;
		TRY(pull_run_part(b));
	}
	return memory_synced_bulk_end(b->bulk);
}

/* A part of its own: what fails leaves nothing. */
static struct err *pull_meet_apart(struct pulling *p, struct pull_row *r)
{
	struct memories *m = p->x->ask->m;
	struct db_txn t DB_TXN = {0};

	TRY(memory_begin(&t, m, p->a));
	TRY(pull_store_row(p, r));
	return memory_commit(&t, m, p->a);
}

/* Rows that meet something. */
static struct err *pull_store_met(struct pull_batch *b)
{
	struct memories *m = b->p.x->ask->m;
	struct words *words;

	for (size_t i = 0; i < b->p.n; i++) {
		struct pull_row *r = &b->p.rows[i];
		const struct remote_done before = *b->p.x->out;
		struct err *e;

		if (r->bad || r->plain)
			continue;
		b->met = true;
		e = pull_meet_apart(&b->p, r);
		if (e)
			*b->p.x->out = before;
		TRY(pull_or_wait(&b->p, r, e));
		/* After a failure they are made anew, and live as long as the call. */
		TRY(memory_word_splitter(m, b->p.x->a, &words));
	}
	return NULL;
}

static struct err *pull_waiting(struct pull_batch *b)
{
	struct exchange *x = b->p.x;
	struct strs ids = {0};

	DB_EACH(rows, x->ask->m->db, Q_REMOTE_WAITING, DB_I(x->now.id))
		if (db_column_int(rows, 1))
			strs_push(b->p.a, &ids, db_column_str(rows, b->p.a, 0));
	strs_sort(&ids);
	for (size_t i = 0; ids.n && i < b->p.n; i++)
		if (!b->p.rows[i].bad && strs_sorted_has(&ids, b->p.rows[i].id))
			TRY(db_do(x->ask->m->db, Q_REMOTE_WAITING_REMOVE, NULL, DB_I(x->now.id),
				  DB_S(b->p.rows[i].id), DB_I(1)));
	return NULL;
}

/* Rows that waited, and that the server has no more, or not for this machine. */
static struct err *pull_waited(struct pull_batch *b)
{
	const struct strs *again = &b->pull->again;
	struct strs came = {0};

	for (size_t i = 0; i < b->p.n; i++)
		strs_push(b->p.a, &came, b->p.rows[i].id);
	strs_sort(&came);
	for (size_t i = 0; i < again->n; i++)
		if (!strs_sorted_has(&came, again->p[i]))
			TRY(db_do(b->p.x->ask->m->db, Q_REMOTE_WAITING_REMOVE, NULL,
				  DB_I(b->p.x->now.id), DB_S(again->p[i]), DB_I(1)));
	return NULL;
}

/* A memory may come before that which it supersedes: then the end of the pull asks again. */
static struct err *pull_store_followed(struct pull_batch *b)
{
	struct pull *pull = b->pull;
	struct strs early = pull->early;
	bool found;

	for (size_t i = 0; i < b->p.correcting.n; i++) {
		TRY(pull_supersede(&b->p, b->p.correcting.p[i], &found));
		if (!found)
			strs_push(pull->x->a, &pull->early,
				  str_dup(pull->x->a, b->p.correcting.p[i]));
	}
	for (size_t i = 0; !pull->more && i < early.n; i++)
		TRY(pull_supersede(&b->p, early.p[i], &found));
	b->met = b->met || b->p.derived;
	return NULL;
}

/*
 * It does not wait for the disk: what a loss of power takes is pulled again. The caller maintains
 * the index after the last batch.
 */
static struct err *pull_store(struct pull_batch *b)
{
	struct pulling *p = &b->p;
	struct exchange *x = p->x;
	struct db_txn t DB_TXN = {0};
	int64_t before;

	TRY(db_begin(&t, x->ask->m->db, .sync = DB_LATER));
	TRY(exchange_last_doc_number(x, &before));
	TRY(pull_store_new(b));
	TRY(pull_store_met(b));
	TRY(pull_store_followed(b));
	TRY(pull_waiting(b));
	if (b->pull->again.n) {
		TRY(pull_waited(b));
		return db_commit(&t);
	}
	x->now.pulled = p->n ? p->rows[p->n - 1].seq : x->now.pulled;
	if (!b->pull->more && x->last > x->now.pulled)
		x->now.pulled = x->last;
	/* All before was offered, and what came since is on the server: the push may skip it. */
	if (!b->met && x->now.pushed == before)
		TRY(exchange_last_doc_number(x, &x->now.pushed));
	TRY(exchange_save_state(x));
	return db_commit(&t);
}

static struct err *pull_ahead(const struct pull_row *r)
{
	int64_t ahead = (r->clock >> CLOCK_BITS) - os_now();

	if (ahead <= CLOCK_AHEAD)
		return NULL;
	return err_help(
		err_new(E_OUT_OF_RANGE,
			"the memory '%.*s' of the machine '%.*s' was changed %jd hours after the "
			"present time here",
			STR_ARG(r->id), STR_ARG(r->machine), (intmax_t)(ahead / HOUR_MS)),
		"set the clock of this machine right, and sync again; nothing is lost");
}

static struct err *pull_ask(struct pull *pull, struct arena *a, int64_t after)
{
	const struct remote_ask *ask = pull->x->ask;

	return pg_send(ask->pg, a, PG_PULL, ask->share.tenant, str_fmt(a, "%jd", (intmax_t)after),
		       pull->x->machine, str_fmt(a, "%zu", pull->limit), pull->x->now.shared,
		       str_fmt(a, "%zu", BYTES_MOST));
}

/* Reads the rows of a batch, and asks for the next one. */
static struct err *pull_read(struct pull *pull, struct pulling *p)
{
	struct pg_rows rows;

	TRY(pg_answer(p->x->ask->pg, p->a, &rows));
	p->n = rows.n;
	p->rows = arena_array(p->a, rows.n, sizeof(*p->rows));
	for (size_t i = 0; i < rows.n; i++) {
		struct pull_row *r = &p->rows[i];

		*r = (struct pull_row){
			.seq = pg_cell_int(&rows, i, 0),
			.mine = pg_cell_bool(&rows, i, 1),
			.owner = pg_cell_str(&rows, i, 2),
			.id = pg_cell_str(&rows, i, 3),
			.clock = pg_cell_int(&rows, i, 4),
			.machine = pg_cell_str(&rows, i, 5),
			.layer = pg_cell_str(&rows, i, 6),
			.whose = pg_cell_str(&rows, i, 7),
			.deleted = pg_cell_int(&rows, i, 8),
			.text = pg_cell_str(&rows, i, 9),
			.gone = pg_cell_str(&rows, i, 10),
		};
		p->bytes += r->text.n;
		TRY(pull_ahead(r));
	}
	pull->more = !pull->again.n && p->n && (p->n >= pull->limit || p->bytes >= BYTES_MOST);
	if (!pull->more)
		return NULL;
	if (p->bytes >= BYTES_MOST && pull->limit > 1)
		pull->limit /= 2;
	else if (p->bytes < BYTES_LIGHT)
		pull->limit = size_min(pull->limit * 4, ROWS_MOST);
	return pull_ask(pull, p->a, p->rows[p->n - 1].seq);
}

static struct err *pull_threads(struct pull *pull, size_t n)
{
	unsigned want = n < PART / 2 ? 1 : os_cores();

	for (; pull->threads < want && pull->threads < THREADS_MAX; pull->threads++)
		/* An arena of its own, because the thread's cache of words grows in it. */
		TRY(memory_handle_for_thread(pull->x->ask->m, arena_child(pull->x->a),
					     &pull->thread[pull->threads]));
	return NULL;
}

ORDER_OF_POINTERS(pull_order, struct pull_row, ORDER_STR(id) || ORDER_UP(seq))

static struct err *pull_batch(struct pull_batch *b)
{
	struct exchange *x = b->p.x;
	struct words *words;

	TRY(pull_read(b->pull, &b->p));
	if (!b->p.n && !b->pull->again.n && !b->pull->early.n && x->now.pulled >= x->last)
		return NULL;
	/* The words live as long as the call, not as the batch. */
	TRY(memory_word_splitter(x->ask->m, x->a, &words));
	TRY(pull_threads(b->pull, b->p.n));
	b->by_id = arena_array(b->p.a, b->p.n, sizeof(struct pull_row *));
	for (size_t i = 0; i < b->p.n; i++)
		b->by_id[i] = &b->p.rows[i];
	if (b->p.n)
		qsort(b->by_id, b->p.n, sizeof(struct pull_row *), pull_order);
	TRY(pull_run_part(b));
	TRY(pull_store(b));
	exchange_tell_progress(x, "pull", b->p.n, x->last - x->now.pulled);
	return NULL;
}

static struct err *pull_batches(struct pull *pull)
{
	do {
		struct pull_batch b = {.pull = pull, .p = {.x = pull->x, .a = arena_new()}};
		struct err *e = pull_batch(&b);

		if (e)
			pg_drop_answer(pull->x->ask->pg);
		arena_free(b.p.a);
		TRY(e);
	} while (pull->more);
	return NULL;
}

/* A newer ikm may know what an older one refused. */
static struct err *pull_again(struct pull *pull)
{
	const struct remote_ask *ask = pull->x->ask;
	struct exchange *x = pull->x;

	DB_EACH(rows, ask->m->db, Q_REMOTE_WAITING, DB_I(x->now.id))
		if (db_column_int(rows, 1) && exchange_id_is_memory(db_column_bytes(rows, 0)) &&
		    pull->again.n < ROWS_FIRST)
			strs_push(x->a, &pull->again, db_column_str(rows, x->a, 0));
	if (!pull->again.n)
		return NULL;
	TRY(pg_send(ask->pg, x->a, PG_PULL_AGAIN, ask->share.tenant,
		    json_text(x->a, val_list_of_strs(x->a, &pull->again)), x->machine,
		    x->now.shared));
	TRY(pull_batches(pull));
	pull->again.n = 0;
	return NULL;
}

static struct err *pull_erase_rest(struct exchange *x)
{
	struct db *db = x->ask->m->db;
	struct db_txn t DB_TXN = {0};
	bool erasing = false, busy = false;
	struct err *e;

	DB_EACH(rows, db, Q_META_GET, DB_S(STR(ERASING)))
		erasing = str_is(db_column_bytes(rows, 0), "1");
	if (!erasing)
		return NULL;
	/* A reader keeps the log: the next sync tries again, and the status tells it. */
	e = index_gc(db, x->a);
	if (e && err_reason(e) == E_LOCKED)
		return NULL;
	TRY(e);
	TRY(db_wal_checkpoint(db, &busy));
	if (busy)
		return NULL;
	TRY(db_begin(&t, db));
	TRY(db_do(db, Q_META_SET, NULL, DB_S(STR(ERASING)), DB_S(STR("0"))));
	x->unseen = true;
	return db_commit(&t);
}

struct err *pull_memories(struct exchange *x, bool anyway)
{
	struct pull pull = {.x = x, .limit = ROWS_FIRST};

	TRY(pull_again(&pull));
	/* When the sync began, x->last told whether there is anything new. */
	if (!anyway && x->now.pulled >= x->last)
		return pull_erase_rest(x);
	TRY(pull_ask(&pull, x->a, x->now.pulled));
	TRY(pull_batches(&pull));
	memory_index_maintain(x->ask->m, x->a);
	return pull_erase_rest(x);
}
