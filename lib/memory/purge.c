/*
 * Purges memories. Each step of a purge is durable and leaves enough for
 * the next one. After an interruption, purge again.
 */
#include "json/json.h"
#include "memory/internal.h"
#include "os/os.h"

#define BATCH ((size_t)256)
/* How many memories with a word's stem are searched for the word itself. */
#define LOOK_MOST ((size_t)256)

struct work {
	struct memories *m;
	struct arena *a; /* freed after each batch */
	void (*progress)(void *ctx, uint64_t done, uint64_t all);
	void *ctx;
	uint64_t done, all;
	size_t n;      /* items in the batch */
	int64_t total; /* memories */
};

static void purge_advance(struct work *w, uint64_t by)
{
	w->done += by;
	if (w->done > w->all)
		w->all = w->done;
	if (w->progress)
		w->progress(w->ctx, w->done, w->all);
}

/* Runs fn in one transaction after another, until one has nothing to do. */
static struct err *purge_batches(struct work *w, struct err *(*fn)(void *))
{
	do {
		struct err *e;

		w->a = arena_new();
		w->n = 0;
		e = db_write(w->m->db, fn, w);
		arena_free(w->a);
		TRY(e);
		purge_advance(w, w->n);
	} while (w->n);
	return NULL;
}

/* ---- purge ---- */

static struct err *erase_expired(void *ctx)
{
	struct work *w = ctx;

	TRY(memory_drop_expired(w->m, w->a, BATCH, &w->n));
	w->total += (int64_t)w->n;
	return NULL;
}

struct tomb {
	struct str id, memory;
};

static struct err *empty(struct work *w, const struct tomb *t)
{
	struct memory one = {0};
	struct val *v;

	/* The words of a damaged memory stay in the vocabulary; it is erased all the same. */
	if (json_read(w->a, t->memory, NULL, &v) || memory_read(w->a, v, &one)) {
		db_note_damage(w->m->db, str_fmt(w->a, "the deleted memory '%.*s' was damaged",
						 STR_ARG(str_utf8(w->a, t->id))));
	} else {
		TRY(memory_doubt(w->m, w->a, one.content));
		TRY(memory_doubt(w->m, w->a, memory_tag_text(w->a, &one)));
	}
	w->total++;
	TRY(memory_log_erase(w->m, t->id));
	return db_do(w->m->db, Q_DELETED_EMPTY, NULL, DB_S(t->id));
}

static struct err *erase_deleted(void *ctx)
{
	struct work *w = ctx;
	struct tomb *tombs = arena_array(w->a, BATCH, sizeof(*tombs));

	DB_EACH(rows, w->m->db, Q_DELETED_FULL, DB_I((int64_t)BATCH))
		tombs[w->n++] = (struct tomb){db_str(rows, w->a, 0), db_str(rows, w->a, 1)};
	for (size_t i = 0; i < w->n; i++)
		TRY(empty(w, &tombs[i]));
	return NULL;
}

static bool has_word(struct work *w, struct str content, struct str word)
{
	struct word_list list = {0};

	words_read(w->m->words, w->a, content, &list);
	for (size_t i = 0; i < list.n; i++)
		if (str_eq(list.p[i].text, word))
			return true;
	return false;
}

/*
 * Whether a memory still has the word. Memories with its stem may have another form, so their texts
 * are read. If none of the best LOOK_MOST has the word, the vocabulary forgets it. Searches still
 * find it then, but it stands in for no other word.
 */
static struct err *still_there(struct work *w, struct str text, bool *there)
{
	struct word_list list = {0};
	struct index_hits hits = {0};
	struct index_query q = {.n_terms = 1, .limit = LOOK_MOST};
	struct memory one;

	*there = false;
	words_read(w->m->words, w->a, text, &list);
	if (list.n != 1)
		return NULL;
	q.terms = ARENA_NEW(w->a, __typeof__(*q.terms));
	q.terms[0].term = list.p[0].term;
	q.terms[0].weight = 1;
	TRY(index_search(w->m->db, w->a, &q, &hits));
	for (size_t i = 0; i < hits.n && !*there; i++) {
		DB_EACH(rows, w->m->db, Q_MEMORY_BY_DOC, DB_I(hits.p[i].doc)) {
			DB_ROW(w->m->db, memory_row(w->m, w->a, rows, &one), continue);
			*there = has_word(w, one.content, text) ||
				 has_word(w, memory_tag_text(w->a, &one), text);
		}
	}
	return NULL;
}

static struct err *settle_words(void *ctx)
{
	struct work *w = ctx;
	struct strs words = {0}, gone = {0};
	bool there;

	DB_EACH(rows, w->m->db, Q_DOUBT_EACH, DB_I((int64_t)BATCH))
		strs_push(w->a, &words, db_str(rows, w->a, 0));
	for (size_t i = 0; i < words.n; i++) {
		TRY(still_there(w, words.p[i], &there));
		if (!there)
			strs_push(w->a, &gone, words.p[i]);
		TRY(db_do(w->m->db, Q_DOUBT_REMOVE, NULL, DB_S(words.p[i])));
	}
	w->n = words.n;
	return vocab_forget(w->m->words, w->m->db, &gone);
}

/* An edit may have removed what must not be found again. */
static struct err *erase_former(void *ctx)
{
	struct work *w = ctx;

	/* An answer may show memories besides that of its event. */
	TRY(db_do(w->m->db, Q_REPLAY_ERASE_MEMORIES, NULL));
	return db_do(w->m->db, Q_MEMORY_FORMER_REMOVE_ALL, NULL);
}

static void sweeping(void *ctx, uint64_t done, uint64_t all)
{
	struct work *w = ctx;

	if (w->progress)
		w->progress(w->ctx, w->done + done, w->all + all);
}

struct err *memory_purge(struct memories *m, struct arena *a,
			 void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			 int64_t *erased)
{
	struct work w = {.m = m, .progress = progress, .ctx = ctx};
	struct words *words;
	struct err *e;

	TRY(memory_words(m, a, &words));
	DB_EACH(rows, m->db, Q_EXPIRED_COUNT, DB_I(os_now()))
		w.all += (uint64_t)db_int(rows, 0);
	DB_EACH(rows, m->db, Q_DELETED_COUNT)
		w.all += (uint64_t)db_int(rows, 0);
	TRY(purge_batches(&w, erase_expired));
	TRY(purge_batches(&w, erase_deleted));
	TRY(purge_batches(&w, settle_words));
	TRY(db_write(m->db, erase_former, &w));
	TRY(index_gc(m->db, a, sweeping, &w));
	*erased = w.total;
	e = db_vacuum(m->db);
	if (e && err_reason(e) == E_LOCKED)
		return err_help(err_in(e, "erased %jd %s still in the file", (intmax_t)w.total,
				       w.total == 1 ? "memory, but its bytes are"
						    : "memories, but their bytes are"),
				"purge again when no other ikm is running");
	return e;
}
