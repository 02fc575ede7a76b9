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
#include "memory/memories_of_other_machines.h"
#include "os/os.h"
#include "sync/exchange_internal.h"

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

/* A row of the server. */
struct pull_row {
	int64_t seq, clock, deleted;
	bool mine;
	struct str owner, id, machine, layer, whose, text; /* text p NULL: it is deleted */
	struct str gone;                                   /* why */
	int64_t hash;                                      /* of the text */
	struct memory *one;                                /* of the text */
	struct memory_shared_ready *ready;                 /* NULL: it is nothing to store */
	struct held held;
	bool unread;     /* the text is no memory */
	bool bad, plain; /* plain: nothing is here that it could meet */
};

struct pulling {
	struct exchange *x;
	struct arena *a;       /* of the batch */
	struct pull_row *rows; /* by id */
	size_t n, bytes;
	int64_t last;           /* the greatest seq */
	struct strs correcting; /* memories that supersede others, stored by this batch */
	bool derived;           /* what follows from them changed one's own memories, too */
};

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

/* ---- a row that meets a version of the same memory, or one that says the same ---- */

static struct held pull_held(const struct pull_row *r, int64_t doc)
{
	return (struct held){
		.known = true,
		.doc = doc,
		.clock = r->clock,
		.machine = r->machine,
		.owner = r->mine ? STR("") : r->owner,
		.hash = r->text.p ? r->hash : 0,
	};
}

/* Remembers that the server has the row. doc: the memory here that is the same. */
static struct err *pull_note_remote_row(struct pulling *p, const struct pull_row *r, int64_t doc,
					bool *added)
{
	const struct held h = pull_held(r, doc);

	if (r->text.p)
		TRY(tenant_remember_sent(p->x, r->layer, r->whose));
	return exchange_cached_remote_row_put(p->x, r->id, &h, added);
}

/* ---- what is here ---- */

struct local {
	bool live, deleted, changed;
	bool purged; /* deleted, and nothing of it is kept */
	struct memory one;
	int64_t when;    /* of the deletion */
	int64_t clock;   /* of the version here, if it was changed */
	struct str text; /* of a live one */
};

static struct err *pull_local(struct pulling *p, const struct pull_row *r, struct local *l)
{
	struct memories *m = p->x->ask->m;

	*l = (struct local){.live = false};
	TRY(memory_synced_get(m, p->a, r->id, &l->one, &l->live));
	if (l->live) {
		l->text = memory_synced_text(p->a, &l->one);
		l->changed = !r->held.known || (l->one.doc != r->held.doc &&
						exchange_row_hash(l->text) != r->held.hash);
		l->clock = exchange_clock(l->one.updated, r->held.clock);
		return NULL;
	}
	DB_EACH(rows, m->db, Q_REMOTE_DELETED, DB_S(r->id)) {
		l->deleted = true;
		l->when = db_column_int(rows, 0);
		l->purged = db_column_int(rows, 1);
	}
	/* The server may know of the deletion, and not yet that nothing is kept. */
	l->changed = l->deleted && (!r->held.known || r->held.doc >= 0 || (l->purged && r->text.p));
	l->clock = exchange_clock(l->when, r->held.clock);
	return NULL;
}

/* Whether the two versions differ in more than the time of their last change. */
static bool pull_differs(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct memory other;

	if (!r->text.p || !l->live)
		return true;
	other = *r->one;
	other.updated = l->one.updated;
	return !str_eq(memory_synced_text(p->a, &other), l->text);
}

/* ---- what follows for another memory ---- */

static struct err *pull_followed(struct pulling *p, const struct memory_shared_followed *f)
{
	if (!f->changed)
		return NULL;
	p->derived = true;
	/* One's own is pushed; another person's is no change that stays here. */
	return db_do(p->x->ask->m->db, Q_REMOTE_ROW_FOLLOWED, NULL, DB_S(f->was.id),
		     DB_I(f->was.doc), DB_I(f->now.doc));
}

/*
 * Derives what follows from a stored memory that supersedes another. *found false: the other memory
 * is not here, or not yet.
 */
static struct err *pull_supersede(struct pulling *p, struct str id, bool *found)
{
	struct memory_shared_followed f = {.found = false};
	struct memory by;

	TRY(memory_synced_get(p->x->ask->m, p->a, id, &by, found));
	if (!*found || !by.supersedes.n)
		return NULL;
	TRY(memory_synced_supersede(p->x->ask->m, p->a, &by, &f));
	*found = f.found;
	return pull_followed(p, &f);
}

/* ---- storing one ---- */

/* What a memory that goes has superseded holds again. */
static struct err *pull_revive(struct pulling *p, const struct memory *gone)
{
	struct memory_shared_followed f;

	do {
		TRY(memory_synced_revive_superseded(p->x->ask->m, p->a, gone, &f));
		TRY(pull_followed(p, &f));
	} while (f.changed);
	return NULL;
}

static bool pull_is_gone(const struct pull_row *r, const char *why)
{
	return !r->text.p && str_is(r->gone, why);
}

/* No change that was made here wins over its owner's will that it be forgotten. */
static struct err *pull_erase(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct db *db = p->x->ask->m->db;
	int64_t when = r->deleted ? r->deleted : os_now();

	if (l->live)
		TRY(pull_revive(p, &l->one));
	if (l->live || l->deleted) {
		p->x->out->erased++;
		TRY(db_do(db, Q_META_SET, NULL, DB_S(STR(ERASING)), DB_S(STR("1"))));
		TRY(memory_synced_erase(p->x->ask->m, p->a, r->id, l->live ? &l->one : NULL, when));
	}
	TRY(db_do(db, Q_REMOTE_GONE_REMOVE, NULL, DB_I(p->x->now.id), DB_S(r->id)));
	return pull_note_remote_row(p, r, -when, NULL);
}

/*
 * Another machine of the person shares it no more. It stays here, and becomes sensitive, so that no
 * change of this machine shares it again; where the member may not share the layer, it cannot.
 */
static struct err *pull_hide(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct memories *m = p->x->ask->m;
	struct held h = pull_held(r, -(r->deleted ? r->deleted : 1));
	struct memory now = l->one;

	if (l->deleted)
		TRY(db_do(m->db, Q_REMOTE_DELETED_HIDE, NULL, DB_S(r->id)));
	if (l->live && now.redaction != MEMORY_SENSITIVE &&
	    exchange_may_write(p->x, r->layer, r->whose)) {
		now.redaction = MEMORY_SENSITIVE;
		TRY(memory_synced_put(m, p->a, &l->one, &now));
		p->x->out->hidden++;
	}
	if (l->live)
		h.hash = exchange_row_hash(memory_synced_text(p->a, &now));
	return exchange_cached_remote_row_put(p->x, r->id, &h, NULL);
}

static struct err *pull_bury(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	if (l->live) {
		TRY(pull_revive(p, &l->one));
		p->x->out->removed++;
		TRY(memory_synced_remove(p->x->ask->m, p->a, &l->one,
					 r->deleted ? r->deleted : os_now()));
		TRY(db_do(p->x->ask->m->db, Q_REMOTE_GONE_REMOVE, NULL, DB_I(p->x->now.id),
			  DB_S(r->id)));
	}
	return pull_note_remote_row(p, r, -(r->deleted ? r->deleted : 1), NULL);
}

static struct err *pull_put(struct pulling *p, struct pull_row *r, const struct local *l)
{
	struct memories *m = p->x->ask->m;

	TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
	TRY(memory_synced_put(m, p->a, l->live ? &l->one : NULL, r->one));
	if (r->one->supersedes.n)
		strs_push(p->a, &p->correcting, r->id);
	p->x->out->pulled++;
	return pull_note_remote_row(p, r, r->one->doc, NULL);
}

/* The version here wins: the next push offers it, with a clock above that of the server. */
static struct err *pull_keep(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct db *db = p->x->ask->m->db;
	struct held h = pull_held(r, 0);

	h.hash = 0;
	TRY(exchange_cached_remote_row_put(p->x, r->id, &h, NULL));
	if (!l->live)
		return db_do(db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id));
	return db_do(db, Q_REMOTE_WAITING_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id), DB_I(0),
		     DB_S(str_of(err_reason_name(E_CHANGED))),
		     DB_S(STR("another machine has changed it, too")), DB_I(os_now()));
}

/*
 * Merges both by their members. What the server has is stored first, so that the merged one is a
 * change of it, which the next push offers.
 */
static struct err *pull_merge_members(struct pulling *p, struct pull_row *r, const struct local *l,
				      bool theirs, struct lost_version *lost)
{
	struct memories *m = p->x->ask->m;
	struct memory_versions s = {.ours = &l->one, .theirs = r->one, .theirs_wins = theirs};
	struct memory base, both;
	struct local merged = *l;

	DB_EACH(rows, m->db, Q_REMOTE_BASE, DB_S(r->id), DB_I(p->x->now.id)) {
		TRY(memory_synced_row(m, p->a, rows, &base));
		s.base = &base;
	}
	TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
	memory_synced_merge_versions(p->a, &s, &both, &lost->members);
	TRY(pull_put(p, r, l));
	merged.one = both;
	merged.text = memory_synced_text(p->a, &both);
	if (lost->members.n)
		TRY(exchange_keep_lost_version(p->x, lost));
	return pull_differs(p, r, &merged) ? memory_synced_put(m, p->a, r->one, &both) : NULL;
}

/* Both sides have changed it. The greater clock wins, then the greater machine. */
static struct err *pull_resolve(struct pulling *p, struct pull_row *r, const struct local *l)
{
	struct exchange *x = p->x;
	bool theirs = r->clock > l->clock ||
		      (r->clock == l->clock && str_cmp(r->machine, x->machine) > 0);
	struct lost_version lost = {
		.id = r->id,
		.type = "memory",
		.machine = theirs ? x->machine : r->machine,
		.winner = theirs ? r->machine : x->machine,
		.clock = theirs ? l->clock : r->clock,
		.text = theirs ? l->text : r->text,
	};

	/* A change by a machine that has not heard of it brings nothing back that was purged. */
	theirs = theirs && !(l->purged && r->mine);
	/* Nobody else may write the row of another person, as this one was in a copied home. */
	theirs = theirs || !r->mine || (l->live && l->one.owner.n);
	if (!r->mine) {
		lost.machine = x->machine;
		lost.winner = r->machine;
		lost.text = l->text;
	}
	if (r->text.p && l->live && memory_synced_same_origin(&l->one, r->one))
		return pull_merge_members(p, r, l, theirs, &lost);
	if (!theirs)
		TRY(pull_keep(p, r, l));
	else
		TRY(r->text.p ? pull_put(p, r, l) : pull_bury(p, r, l));
	/* Storing may have erased versions that had lost earlier. */
	if (!pull_differs(p, r, l) || l->purged)
		return NULL;
	return r->text.p || l->live ? exchange_keep_lost_version(x, &lost) : NULL;
}

/* ---- two equal facts ---- */

/*
 * The fact is here already under another id. The smaller id stays, so all machines agree; it gets
 * the tags of both.
 */
static struct err *pull_merge(struct pulling *p, struct pull_row *r, struct memory *same)
{
	struct memories *m = p->x->ask->m;
	struct local nothing = {.live = false};

	/* Only one's own are here: everybody keeps theirs. */
	if (str_cmp(same->id, r->id) < 0) {
		TRY(memory_synced_merge_repeat(m, p->a, r->one, same));
		/* Its row leaves a tombstone; the next push tells the server. */
		TRY(pull_note_remote_row(p, r, 0, NULL));
		TRY(db_do(m->db, Q_REMOTE_DELETED_PUT, NULL, DB_S(r->id), DB_I(same->scope),
			  DB_I(os_now()), DB_S(m->who.agent), DB_S(r->text)));
		return db_do(m->db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id));
	}
	TRY(memory_synced_remove(m, p->a, same, os_now()));
	TRY(pull_put(p, r, &nothing));
	return memory_synced_merge_repeat(m, p->a, same, r->one);
}

/* ---- one row ---- */

static struct err *pull_known_row(struct exchange *x, struct arena *a, struct str id,
				  struct held *out)
{
	*out = (struct held){.known = false};
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_ROW, DB_I(x->now.id), DB_S(id))
		*out = (struct held){
			.known = true,
			.doc = db_column_int(rows, 0),
			.clock = db_column_int(rows, 1),
			.machine = db_column_str(rows, a, 2),
			.owner = db_column_str(rows, a, 3),
			.hash = db_column_int(rows, 4),
		};
	return NULL;
}

/* The server was restored, and has an older version than this machine once pushed or pulled. */
static struct err *pull_older(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct held h = r->held;

	if (!r->mine || h.owner.n)
		return NULL;
	/* The next push compares with the version that the server has, and sends ours. */
	if (l->live)
		return pull_keep(p, r, l);
	if (l->deleted) {
		h.doc = 0;
		TRY(exchange_cached_remote_row_put(p->x, r->id, &h, NULL));
		return db_do(p->x->ask->m->db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id),
			     DB_S(r->id));
	}
	return NULL;
}

/* Stores the row where it changes what is here; in a part of the batch's transaction. */
static struct err *pull_store_row(struct pulling *p, struct pull_row *r)
{
	struct memories *m = p->x->ask->m;
	struct memory same;
	struct local l;
	bool found;

	/* The batch may have stored what this row says. */
	TRY(pull_known_row(p->x, p->a, r->id, &r->held));
	if (r->held.known && r->clock == r->held.clock && str_eq(r->machine, r->held.machine))
		return NULL;
	TRY(pull_local(p, r, &l));
	if (l.live && r->text.p)
		TRY(memory_synced_keep_superseded(m, p->a, &l.one, r->one));
	if (r->held.known &&
	    (r->clock < r->held.clock ||
	     (r->clock == r->held.clock && str_cmp(r->machine, r->held.machine) <= 0)))
		return pull_older(p, r, &l);
	/* A row of a third person with the id of another one's memory does not replace it. */
	if (!r->mine && r->held.owner.n && r->held.doc >= 0 && !str_eq(r->held.owner, r->owner))
		return NULL;
	if (!r->mine && l.one.owner.n && !str_eq(l.one.owner, r->owner))
		return NULL;
	/* One's own memory of the same id, such as one of the same import, stays one's own. */
	if (!r->mine && !r->held.owner.n &&
	    (r->held.known || l.deleted || (l.live && exchange_memory_is_own(p->x, &l.one))))
		return NULL;
	/* An older ikm pushed another person's in this one's name: the push takes it back. */
	if (r->mine && l.one.owner.n && !str_eq(l.one.owner, r->owner))
		return r->text.p ? pull_keep(p, r, &l)
				 : pull_note_remote_row(p, r, -(r->deleted ? r->deleted : 1), NULL);
	if (pull_is_gone(r, GONE_PURGED) || (pull_is_gone(r, GONE_WITHDRAWN) && !r->mine))
		return pull_erase(p, r, &l);
	if (pull_is_gone(r, GONE_WITHDRAWN))
		return pull_hide(p, r, &l);
	if (l.changed)
		return pull_resolve(p, r, &l);
	if (!r->text.p)
		return l.live || l.deleted || r->held.known ? pull_bury(p, r, &l) : NULL;
	if (!l.live) {
		TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
		found = false;
		if (r->mine)
			TRY(memory_synced_find_repeat(m, p->a, r->one, r->ready, &same, &found));
		if (found)
			return pull_merge(p, r, &same);
	}
	return pull_put(p, r, &l);
}

/* ---- rows that are wrong ---- */

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

static struct err *pull_read_text(struct memories *m, struct arena *a, struct pull_row *r)
{
	r->one = ARENA_NEW(a, struct memory);
	TRY(memory_synced_parse(m, a, r->text, r->layer, r->one));
	if (!str_eq(r->one->id, r->id))
		return err_new(E_BAD_ARGUMENT, "its id is '%.*s', and its row says '%.*s'",
			       STR_ARG(r->one->id), STR_ARG(r->id));
	r->one->owner = r->mine ? (struct str){0} : r->owner;
	r->hash = exchange_row_hash(r->text);
	/* Expired notes are gone at home, and need not come back. */
	r->bad = (r->one->kind == MEMORY_WORKING || r->one->kind == MEMORY_SCRATCH) &&
		 r->one->expires && r->one->expires <= os_now();
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
	/* Nearly all rows are of one scope. */
	if (!b->whose.p || b->layer != r->one->layer || !str_eq(b->whose, r->whose)) {
		TRY(pull_or_wait(&b->p, r,
				 memory_synced_scope_of_owner(m, b->p.a, r->one->layer, r->whose,
							      &b->scope)));
		b->layer = r->one->layer;
		b->whose = r->bad ? (struct str){NULL, 0} : r->whose;
	}
	r->one->scope = b->scope;
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

static struct err *pull_part(void *ctx, struct os_ordered *pool)
{
	struct pull_batch *b = ctx;
	struct pull_chunk *c = b->chunk[(b->part + 1) % 2];

	for (size_t k = 0; k < CHUNKS; k++) {
		struct pull_chunk *out = &b->chunk[b->part % 2][k];
		size_t from = size_min(b->part * PART + k * CHUNK, b->p.n);

		if (!out->a || out->kept)
			out->a = arena_child(b->p.a);
		*out = (struct pull_chunk){out->a, from, .n = size_min(CHUNK, b->p.n - from)};
		if (out->n)
			os_ordered_pool_add(pool, out);
	}
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
	const struct strs *again = &b->pull->again;
	struct strs ids = {0}, came = {0}; /* ids: of rows that waited */
	int64_t before;

	TRY(db_begin(&t, x->ask->m->db, .sync = DB_LATER));
	TRY(db_number(x->ask->m->db, Q_INDEX_LAST, &before));
	TRY(memory_synced_bulk_begin(x->ask->m, p->a, p->n, &b->bulk, &b->next));
	while (b->part * PART < p->n) {
		b->part++;
		TRY(pull_run_part(b));
	}
	TRY(memory_synced_bulk_end(b->bulk));
	TRY(pull_store_met(b));
	TRY(pull_store_followed(b));
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_WAITING, DB_I(x->now.id))
		if (db_column_int(rows, 1))
			strs_push(p->a, &ids, db_column_str(rows, p->a, 0));
	strs_sort(&ids);
	for (size_t i = 0; ids.n && i < p->n; i++)
		if (!p->rows[i].bad && strs_sorted_has(&ids, p->rows[i].id))
			TRY(db_do(x->ask->m->db, Q_REMOTE_WAITING_REMOVE, NULL, DB_I(x->now.id),
				  DB_S(p->rows[i].id), DB_I(1)));
	/* Rows that waited, and that the server has no more, or not for this machine. */
	for (size_t i = 0; i < p->n && again->n; i++)
		strs_push(p->a, &came, p->rows[i].id);
	strs_sort(&came);
	for (size_t i = 0; i < again->n; i++)
		if (!strs_sorted_has(&came, again->p[i]))
			TRY(db_do(x->ask->m->db, Q_REMOTE_WAITING_REMOVE, NULL, DB_I(x->now.id),
				  DB_S(again->p[i]), DB_I(1)));
	if (again->n)
		return db_commit(&t);
	x->now.pulled = p->n ? p->rows[p->n - 1].seq : x->now.pulled;
	if (!b->pull->more && x->last > x->now.pulled)
		x->now.pulled = x->last;
	/* All before was offered, and what came since is on the server: the push may skip it. */
	if (!b->met && x->now.pushed == before)
		TRY(db_number(x->ask->m->db, Q_INDEX_LAST, &x->now.pushed));
	TRY(exchange_save_state(x));
	return db_commit(&t);
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
		int64_t ahead;

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
		ahead = (r->clock >> CLOCK_BITS) - os_now();
		if (ahead > CLOCK_AHEAD)
			return err_help(
				err_new(E_OUT_OF_RANGE,
					"the memory '%.*s' of the machine '%.*s' was changed %jd hours after the "
					"present time here",
					STR_ARG(r->id), STR_ARG(r->machine),
					(intmax_t)(ahead / HOUR_MS)),
				"set the clock of this machine right, and sync again; nothing is lost");
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

ORDER_OF_POINTERS(pull_order, struct pull_row, ORDER_STR(id) || ORDER_UP(seq))

static struct err *pull_batch(struct pull_batch *b)
{
	struct exchange *x = b->p.x;
	struct pull *pull = b->pull;
	struct words *words;
	unsigned threads;

	TRY(pull_read(pull, &b->p));
	if (!b->p.n && !pull->again.n && !pull->early.n && x->now.pulled >= x->last)
		return NULL;
	/* The words live as long as the call, not as the batch. */
	TRY(memory_word_splitter(x->ask->m, x->a, &words));
	threads = b->p.n < PART / 2 ? 1 : os_cores();
	for (; pull->threads < threads && pull->threads < THREADS_MAX; pull->threads++)
		/* An arena of its own, because the thread's cache of words grows in it. */
		TRY(memory_handle_for_thread(x->ask->m, arena_child(x->a),
					     &pull->thread[pull->threads]));
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
	const struct remote_ask *ask = x->ask;
	struct pull pull = {.x = x, .limit = ROWS_FIRST};

	/* A newer ikm may know what an older one refused. */
	DB_EACH(rows, ask->m->db, Q_REMOTE_WAITING, DB_I(x->now.id))
		if (db_column_int(rows, 1) && exchange_id_is_memory(db_column_bytes(rows, 0)) &&
		    pull.again.n < ROWS_FIRST)
			strs_push(x->a, &pull.again, db_column_str(rows, x->a, 0));
	if (pull.again.n) {
		TRY(pg_send(ask->pg, x->a, PG_PULL_AGAIN, ask->share.tenant,
			    json_text(x->a, val_list_of_strs(x->a, &pull.again)), x->machine,
			    x->now.shared));
		TRY(pull_batches(&pull));
		pull.again.n = 0;
	}
	/* When the sync began, x->last told whether there is anything new. */
	if (!anyway && x->now.pulled >= x->last)
		return pull_erase_rest(x);
	TRY(pull_ask(&pull, x->a, x->now.pulled));
	TRY(pull_batches(&pull));
	memory_index_maintain(x->ask->m, x->a);
	return pull_erase_rest(x);
}
