/* Numbers of documents, adding and removing documents, the formula of the scores, a sum of all. */
#include "index/internal.h"
#include <math.h>

struct err *index_damaged(const char *what, int64_t of)
{
	return err_help(err_new(E_DB_CORRUPT, "the index of memories is damaged: %s %jd", what,
				(intmax_t)of),
			"rebuild it from the memories: ikm mem reindex");
}

/* ---- values in a byte ---- */

void doc_length_class_table(uint32_t lengths[CLASSES])
{
	for (uint32_t i = 0; i < CLASSES; i++)
		lengths[i] = i < 96 ? i : lengths[i - 1] + (lengths[i - 1] + 9) / 17;
}

uint8_t length_class_of(const uint32_t lengths[CLASSES], uint32_t length)
{
	unsigned from = 0, to = CLASSES - 1;

	if (length < 96)
		return (uint8_t)length;
	/* The nearest class; longer lengths get the last class. */
	while (from < to) {
		unsigned mid = (from + to) / 2;

		if (lengths[mid] + (lengths[mid + 1] - lengths[mid]) / 2 < length)
			from = mid + 1;
		else
			to = mid;
	}
	return (uint8_t)from;
}

uint8_t importance_byte(double importance)
{
	/* NaN fails this comparison, too. */
	return importance > 0 ? (uint8_t)(importance < 1 ? importance * 255 + 0.5 : 255) : 0;
}

/* ---- documents ---- */

struct err *index_take_numbers(struct db *db, int64_t n, int64_t *last)
{
	bool any = false;

	DB_EACH(rows, db, Q_INDEX_TAKE, DB_I(n)) {
		*last = db_column_int(rows, 0);
		any = true;
	}
	return any ? NULL : index_damaged("the last number is missing:", 0);
}

struct err *index_next_doc_number(struct db *db, int64_t *doc)
{
	return index_take_numbers(db, 1, doc);
}

/* Terms are hashes, so no two get one key. The keys of a term in all scopes share a page. */
uint64_t index_key(int64_t scope, uint64_t term)
{
	return term ^ (uint64_t)scope;
}

struct err *scope_add_doc_counts(struct db *db, int64_t scope, int64_t docs, int64_t length,
				 int64_t doc)
{
	return db_do(db, Q_INDEX_SCOPE_ADD, NULL, DB_I(scope), DB_I(docs), DB_I(length), DB_I(doc));
}

struct err *index_stale(struct db *db, bool *out)
{
	*out = false;
	DB_EACH(rows, db, Q_INDEX_STALE)
		*out = true;
	return NULL;
}

struct err *index_removal_must_be_counted(struct db *db, int64_t doc, bool *out)
{
	*out = true;
	DB_EACH(rows, db, Q_INDEX_REBUILT)
		*out = doc > db_column_int(rows, 0);
	return NULL;
}

struct err *index_add(struct db *db, struct arena *a, const struct index_doc *doc)
{
	TRY(scope_add_doc_counts(db, doc->scope, 1, doc->length, doc->doc));
	return db_do(db, Q_INDEX_RECENT_PUT, NULL, DB_I(doc->doc), DB_B(row_encode_doc(a, doc)));
}

static struct err *remove_from_segment(struct db *db, struct arena *a, const struct segment *g,
				       const struct index_doc *doc)
{
	uint32_t at = (uint32_t)(doc->doc - g->first), size = segment_size(g);
	unsigned char *bits, bit = (unsigned char)(1u << at % 8);

	TRY(removed_bitmap_read(db, a, g, &bits));
	if (!bits)
		bits = arena_alloc(a, size / 8);
	if (bits[at / 8] & bit)
		return index_damaged("there is no document", doc->doc);
	bits[at / 8] |= bit;
	TRY(attribute_put_in_segment(db, g->segment, "removed",
				     (struct str){(char *)bits, size / 8}));
	TRY(db_do(db, Q_INDEX_SEGMENT_REMOVED, NULL, DB_I(g->segment), DB_I(doc->length)));
	TRY(scope_add_doc_counts(db, doc->scope, -1, -(int64_t)doc->length, doc->doc));
	for (size_t i = 0; i < doc->n_terms; i++)
		TRY(db_do(db, Q_INDEX_GONE_ADD, NULL,
			  DB_I((int64_t)index_key(doc->scope, doc->terms[i].term)), DB_I(1)));
	for (size_t i = 0; i < doc->n_marks; i++)
		TRY(db_do(db, Q_INDEX_GONE_ADD, NULL, DB_I((int64_t)doc->marks[i]), DB_I(1)));
	return NULL;
}

struct err *index_remove(struct db *db, struct arena *a, const struct index_doc *doc)
{
	struct segments all;
	bool stale;
	int64_t n;

	TRY(db_do(db, Q_INDEX_RECENT_REMOVE, &n, DB_I(doc->doc)));
	if (n)
		return scope_add_doc_counts(db, doc->scope, -1, -(int64_t)doc->length, doc->doc);
	TRY(segments_live(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		if (doc->doc >= all.p[i].first && doc->doc <= all.p[i].last)
			return remove_from_segment(db, a, &all.p[i], doc);
	/* The index that had it is gone. */
	TRY(index_stale(db, &stale));
	return stale ? NULL : index_damaged("there is no document", doc->doc);
}

struct err *index_clear(struct db *db)
{
	TRY(db_do(db, Q_INDEX_CLEAR_RECENT, NULL));
	TRY(db_do(db, Q_INDEX_CLEAR_SEGMENTS, NULL));
	TRY(db_do(db, Q_INDEX_CLEAR_POSTINGS, NULL));
	TRY(db_do(db, Q_INDEX_CLEAR_ATTRIBUTES, NULL));
	TRY(db_do(db, Q_INDEX_CLEAR_SCOPES, NULL));
	return db_do(db, Q_INDEX_CLEAR_GONE, NULL);
}

/* ---- scores ---- */

double index_idf(int64_t docs, int64_t with)
{
	return log1p(((double)(docs - with) + 0.5) / ((double)with + 0.5));
}

double index_weight(uint32_t count, uint32_t length, double mean_length)
{
	double relative = mean_length > 0 ? (double)length / mean_length : 1, n = count;

	return n * (INDEX_K1 + 1) / (n + INDEX_K1 * (1 - INDEX_B + INDEX_B * relative));
}

/* ---- the sum of the posting lists, for ikm-doctor(1) ---- */

uint64_t index_postings_sum_of(const struct index_doc *doc)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < doc->n_terms; i++)
		sum += index_key(doc->scope, doc->terms[i].term);
	for (size_t i = 0; i < doc->n_marks; i++)
		sum += doc->marks[i];
	return sum;
}

static struct err *index_postings_row(void *ctx, const struct row *row)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < (size_t)row->n_terms + row->n_marks; i++)
		*sum += row_key(row->terms, i);
	return NULL;
}

struct err *index_postings_checksum(struct db *db, struct arena *a, uint64_t *out)
{
	struct segments all;

	*out = 0;
	TRY(segments_live(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		DB_EACH(rows, db, Q_INDEX_PAGE_RANGE, DB_I(all.p[i].segment), DB_I(INT64_MIN),
			DB_I(INT64_MAX)) {
			struct page p =
				index_page_parse(db_column_int(rows, 1), db_column_bytes(rows, 2),
						 segment_size(&all.p[i]));
			struct entry e;

			while (index_page_next_list(&p, &e))
				*out += e.key * e.docs;
			if (p.damaged)
				return index_damaged("page", db_column_int(rows, 0));
		}
	TRY(row_each(db, 0, INT64_MAX, index_postings_row, out));
	DB_EACH(rows, db, Q_INDEX_GONE_EACH)
		*out -= (uint64_t)db_column_int(rows, 0) * (uint64_t)db_column_int(rows, 1);
	return NULL;
}
