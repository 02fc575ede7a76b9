/*
 * Purges memories. Each step of a purge is durable and leaves enough for
 * the next one. After an interruption, purge again.
 */
#include "memory/storage_internal.h"
#include "os/os.h"
#include "out/out.h"

#define BATCH ((size_t)256)

struct work {
	struct memories *m;
	struct arena *a; /* freed after each batch */
	struct progress *shown;
	uint64_t done;
	size_t n;      /* items in the batch */
	int64_t total; /* memories */
};

/* Runs fn in one transaction after another, until one has nothing to do. */
static struct err *purge_batches(struct work *w, struct err *(*fn)(struct work *))
{
	do {
		struct arena *a ARENA_LOCAL = arena_new();
		struct db_txn t DB_TXN = {0};

		w->a = a;
		w->n = 0;
		TRY(db_begin(&t, w->m->db));
		TRY(fn(w));
		TRY(db_commit(&t));
		progress_at(w->shown, w->done += w->n);
	} while (w->n);
	return NULL;
}

/* ---- purge ---- */

static struct err *erase_expired(struct work *w)
{
	TRY(memory_drop_expired(w->m, w->a, BATCH, &w->n));
	w->total += (int64_t)w->n;
	return NULL;
}

static struct err *erase_ids(struct work *w, const struct strs *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		TRY(memory_history_erase(w->m, ids->p[i]));
		TRY(db_do(w->m->db, Q_DELETED_EMPTY, NULL, DB_S(ids->p[i])));
	}
	w->n = ids->n;
	w->total += (int64_t)ids->n;
	return NULL;
}

static struct err *erase_deleted(struct work *w)
{
	struct strs ids = {0};

	DB_EACH(rows, w->m->db, Q_DELETED_FULL, DB_I((int64_t)BATCH))
		strs_push(w->a, &ids, db_column_str(rows, w->a, 0));
	return erase_ids(w, &ids);
}

static struct err *erase_named(struct work *w, const struct strs *ids)
{
	struct db_txn t DB_TXN = {0};
	struct strs full = {0};
	struct memory one;
	bool purged;

	TRY(db_begin(&t, w->m->db));
	/* Finds the memories of ids that somebody deleted and nobody purged yet. */
	for (size_t i = 0; i < ids->n; i++) {
		TRY(memory_find(w->m, w->a, ids->p[i], &one, &purged));
		if (!one.deleted)
			return err_help(err_new(E_EXISTS, "the memory '%.*s' is not deleted",
						STR_ARG(one.id)),
					"first delete it: ikm mem delete %.*s", STR_ARG(one.id));
		if (!purged && !strs_has(&full, one.id))
			strs_push(w->a, &full, one.id);
	}
	TRY(erase_ids(w, &full));
	/* As below; former states of other memories stay. */
	TRY(db_do(w->m->db, Q_REPLAY_ERASE_MEMORIES, NULL));
	return db_commit(&t);
}

static struct err *erase_all(struct work *w)
{
	struct db_txn t DB_TXN = {0};

	TRY(purge_batches(w, erase_expired));
	TRY(purge_batches(w, erase_deleted));
	TRY(db_begin(&t, w->m->db));
	/* An answer may show memories besides that of its event. */
	TRY(db_do(w->m->db, Q_REPLAY_ERASE_MEMORIES, NULL));
	/* An edit may have removed what must not be found again. */
	TRY(db_do(w->m->db, Q_MEMORY_FORMER_REMOVE_ALL, NULL));
	return db_commit(&t);
}

struct err *memory_purgeable_count(struct memories *m, int64_t *out)
{
	*out = 0;
	DB_EACH(rows, m->db, Q_EXPIRED_COUNT, DB_I(os_now()))
		*out += db_column_int(rows, 0);
	DB_EACH(rows, m->db, Q_DELETED_COUNT)
		*out += db_column_int(rows, 0);
	return NULL;
}

struct err *memory_purge(struct memories *m, struct arena *a, const struct strs *ids,
			 int64_t *erased)
{
	struct progress shown PROGRESS = progress_start("purging", 0);
	struct work w = {.m = m, .a = a, .shown = &shown};
	int64_t total = (int64_t)ids->n;
	struct words *words;
	struct err *e;

	TRY(memory_word_splitter(m, a, &words));
	if (!ids->n)
		TRY(memory_purgeable_count(m, &total));
	shown.total = (uint64_t)total;
	TRY(ids->n ? erase_named(&w, ids) : erase_all(&w));
	TRY(index_gc(m->db, a));
	*erased = w.total;
	e = db_vacuum(m->db);
	if (e && err_reason(e) == E_LOCKED)
		return err_help(err_add_context(e, "erased %jd %s still in the file",
						(intmax_t)w.total,
						w.total == 1 ? "memory, but its bytes are"
							     : "memories, but their bytes are"),
				"purge again when no other ikm is running");
	return e;
}
