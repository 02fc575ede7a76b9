/*
 * Rebuilds the index while others use it. New numbers begin in a new large block, so no merge mixes
 * old segments with new ones. Documents move in batches: a batch is hidden in the old segment by
 * its bits of removed documents, and added under new numbers. When all have moved, the old segments
 * are dropped. What index_gone subtracts for them goes last: when no segment has a removed
 * document, it must subtract nothing.
 */
#include "index/internal.h"

/* ---- begin ---- */

/* Whether documents can be hidden: their terms may be damaged. */
static struct err *rebuild_check(struct db *db, struct arena *a)
{
	struct segments all;
	unsigned char *removed;

	TRY(segments_live(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		TRY(removed_bitmap_read(db, a, &all.p[i], &removed));
	return NULL;
}

struct err *index_rebuild_begin(struct db *db, struct arena *a, int64_t *upto, bool *fresh)
{
	int64_t large = index_block_sizes().large, last;
	struct err *e = rebuild_check(db, a);

	TRY(db_number(db, Q_INDEX_REBUILT, upto));
	if (e && err_reason(e) != E_DB_CORRUPT)
		return e;
	if (e)
		TRY(index_clear(db));
	*fresh = e || !*upto;
	if (!*fresh)
		return NULL;
	TRY(index_take_numbers(db, 0, upto));
	TRY(index_take_numbers(db, (*upto / large + 1) * large - 1 - *upto, &last));
	return db_do(db, Q_INDEX_REBUILT_SET, NULL, DB_I(*upto));
}

size_t index_rebuild_batch_size(void)
{
	/* index_bulk_begin() takes one number more, and then the next batch begins a block. */
	return (size_t)index_block_sizes().small - 1;
}

/* ---- hide ---- */

/* The documents of one segment that a batch moves. */
struct hiding {
	struct db *db;
	const struct segment *g;
	unsigned char *bits;
	int64_t docs, length;
};

static struct err *hide_store(struct hiding *h)
{
	if (!h->docs)
		return NULL;
	TRY(attribute_put_in_segment(h->db, h->g->segment, "removed",
				     (struct str){(char *)h->bits, segment_size(h->g) / 8}));
	return db_do(h->db, Q_INDEX_SEGMENT_MOVED, NULL, DB_I(h->g->segment), DB_I(h->docs),
		     DB_I(h->length));
}

struct err *index_rebuild_hide_old_docs(struct db *db, struct arena *a,
					const struct index_doc *docs, size_t n)
{
	struct hiding h = {.db = db};
	struct segments all;
	size_t k = 0;

	TRY(segments_live(db, a, &all));
	for (size_t i = 0; i < n; i++) {
		unsigned char bit;
		int64_t rows;
		uint32_t at;

		TRY(db_do(db, Q_INDEX_RECENT_REMOVE, &rows, DB_I(docs[i].doc)));
		while (k < all.n && all.p[k].last < docs[i].doc)
			k++;
		/* A damaged index may lack it. */
		if (rows)
			TRY(scope_add_doc_counts(db, docs[i].scope, -1, -(int64_t)docs[i].length,
						 docs[i].doc));
		if (rows || k == all.n || docs[i].doc < all.p[k].first)
			continue;
		if (h.g != &all.p[k]) {
			TRY(hide_store(&h));
			h.g = &all.p[k];
			h.docs = h.length = 0;
			TRY(removed_bitmap_read(db, a, h.g, &h.bits));
			if (!h.bits)
				h.bits = arena_alloc(a, segment_size(h.g) / 8);
		}
		at = (uint32_t)(docs[i].doc - h.g->first);
		bit = (unsigned char)(1u << at % 8);
		if (h.bits[at / 8] & bit)
			continue;
		h.bits[at / 8] |= bit;
		h.docs++;
		h.length += docs[i].length;
		TRY(scope_add_doc_counts(db, docs[i].scope, -1, -(int64_t)docs[i].length,
					 docs[i].doc));
	}
	return hide_store(&h);
}

/* ---- end ---- */

static struct err *rebuild_settle(struct db *db, struct arena *a, int64_t upto, bool *done)
{
	struct db_txn t DB_TXN = {0};
	struct segments all;
	int64_t marked;

	TRY(db_begin(&t, db));
	/* Another process may have ended this rebuild already, and a third may have begun one. */
	TRY(db_number(db, Q_INDEX_REBUILT, &marked));
	*done = marked != upto;
	if (*done)
		return NULL;
	TRY(segments_live(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].removals > all.p[i].swept)
			return NULL;
	*done = true;
	TRY(db_do(db, Q_INDEX_CLEAR_GONE, NULL));
	TRY(db_do(db, Q_INDEX_SCOPES_SETTLE, NULL));
	TRY(db_do(db, Q_INDEX_SCOPES_TIDY, NULL));
	TRY(db_do(db, Q_INDEX_REBUILT_END, NULL));
	return db_commit(&t);
}

struct err *index_rebuild_end(struct db *db, struct arena *a, int64_t upto)
{
	struct db_txn t DB_TXN = {0};
	struct segments all;
	bool done = false;

	TRY(db_begin(&t, db));
	TRY(segments_read(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].first <= upto)
			TRY(db_do(db, Q_INDEX_SEGMENT_DROP, NULL, DB_I(all.p[i].segment)));
	TRY(db_do(db, Q_INDEX_RECENT_REMOVE_ALL, NULL, DB_I(0), DB_I(upto)));
	TRY(db_commit(&t));
	for (int round = 0; round < 8 && !done; round++) {
		TRY(index_gc(db, a));
		TRY(rebuild_settle(db, a, upto, &done));
	}
	if (done)
		return NULL;
	return err_help(err_new(E_LOCKED, "other processes keep removing memories"), "try again");
}
