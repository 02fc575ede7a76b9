/*
 * Rebuilds index and vocabulary from the rows, in short transactions. Each gives some memories new
 * numbers, so an interruption leaves a store that is right, and the next run continues.
 */
#include "memory/storage_internal.h"
#include "os/os.h"
#include "out/out.h"
#include "vocab/vocab.h"

/* Memories that are read at once, and bytes of contents after which a transaction ends. */
#define REINDEX_ROWS  ((size_t)256)
#define REINDEX_BYTES ((size_t)4 << 20)

struct reindex {
	struct memories *m;
	struct arena *a; /* of the transaction */
	struct progress *shown;
	int64_t from, upto; /* numbers that are done, and the last to do */
	uint64_t done;
	bool ended;
	struct vocab_changes *words; /* of the transaction */
	/* Of the transaction: the old numbers, the lengths and the scopes. */
	struct index_doc *docs;
	size_t n;
};

static struct err *reindex_begin(struct reindex *r)
{
	bool fresh;

	TRY(index_rebuild_begin(r->m->db, r->a, &r->upto, &fresh));
	DB_EACH(rows, r->m->db, Q_MEMORY_DOCS_COUNT, DB_I(r->upto))
		r->shown->total = (uint64_t)db_column_int(rows, 0);
	/* A run that continues has learned the words of the memories that have moved. */
	return fresh ? vocab_clear(r->m->db) : NULL;
}

/* Moves these memories. *bytes: the size of their contents. */
static struct err *reindex_rows(struct reindex *r, struct arena *a, const int64_t *docs, size_t n,
				struct index_bulk *bulk, int64_t *next, size_t *bytes)
{
	struct memory_list batch = {0};

	TRY(memory_get_by_numbers(r->m, a, docs, n, &batch));
	for (size_t i = 0; i < batch.n; i++) {
		struct memory *one = &batch.p[i];
		struct index_doc *old = &r->docs[r->n++];
		struct strs uses = {0};
		struct index_doc doc;

		old->doc = one->doc;
		one->doc = (*next)++;
		TRY(db_do(r->m->db, Q_MEMORY_RENUMBER, NULL, DB_I(old->doc), DB_I(one->doc)));
		TRY(memory_index_doc(r->m, a, one, &doc, &uses));
		old->length = doc.length;
		old->scope = doc.scope;
		*bytes += one->content.n;
		index_bulk_add(bulk, &doc);
		vocab_change(r->words, doc.scope, &uses, 1);
	}
	r->from = docs[n - 1];
	r->done += n;
	return NULL;
}

static struct err *reindex_batch(struct reindex *r)
{
	size_t most = index_rebuild_batch_size(), n = 0, bytes = 0;
	int64_t *docs = arena_array(r->a, most, sizeof(*docs)), next;
	struct index_bulk *bulk;

	r->words = vocab_changes_new(r->a);
	r->docs = arena_array(r->a, most, sizeof(*r->docs));
	DB_EACH(rows, r->m->db, Q_MEMORY_DOCS, DB_I(r->from), DB_I(r->upto), DB_I((int64_t)most))
		docs[n++] = db_column_int(rows, 0);
	r->ended = !n;
	if (!n)
		return NULL;
	TRY(index_bulk_begin(r->m->db, r->a, n, &bulk, &next));
	for (size_t i = 0; i < n && bytes < REINDEX_BYTES; i += REINDEX_ROWS) {
		struct arena *some ARENA_LOCAL = arena_new();

		TRY(reindex_rows(r, some, docs + i, size_min(REINDEX_ROWS, n - i), bulk, &next,
				 &bytes));
	}
	TRY(index_rebuild_hide_old_docs(r->m->db, r->a, r->docs, r->n));
	TRY(index_bulk_end(bulk));
	return vocab_store(r->words, r->m->db);
}

/* A transaction in an arena of its own. Others write for a quarter of the time that it took. */
static struct err *reindex_do(struct reindex *r, struct err *(*fn)(struct reindex *r))
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	uint64_t from = os_ticks();

	r->a = a;
	r->n = 0;
	TRY(memory_begin(&t, r->m, a));
	TRY(fn(r));
	TRY(memory_commit(&t, r->m, a));
	progress_at(r->shown, r->done);
	os_sleep((unsigned)((os_ticks() - from) / 4000000));
	return NULL;
}

struct err *memory_reindex(struct memories *m, struct arena *a, int64_t *indexed)
{
	struct progress shown PROGRESS = progress_start("indexing", 0);
	struct reindex r = {.m = m, .shown = &shown};
	struct words *words;

	/* Else the first transaction would do the same before. */
	m->upgraded = true;
	/* Else the words would be made in the arena of a transaction. */
	TRY(memory_word_splitter(m, a, &words));
	TRY(reindex_do(&r, reindex_begin));
	while (!r.ended)
		TRY(reindex_do(&r, reindex_batch));
	*indexed = (int64_t)r.done;
	return index_rebuild_end(m->db, a, r.upto);
}

struct err *memory_index_upgrade(struct memories *m, struct arena *a)
{
	struct words *kept = m->words;
	int64_t indexed;
	struct err *e;
	bool stale;

	if (m->upgraded)
		return NULL;
	TRY(index_stale(m->db, &stale));
	m->upgraded = true;
	if (stale) {
		e = memory_reindex(m, a, &indexed);
		/* memory_reindex() set words that die with `a`. */
		m->words = kept;
		m->upgraded = !e;
		if (e)
			return err_add_context(
				e, "an older ikm made the index of memories, and it must be "
				   "made anew");
	}
	return NULL;
}
