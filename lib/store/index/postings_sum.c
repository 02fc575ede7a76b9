/* Adds up the posting lists, for ikm-doctor(1). */
#include "index/internal.h"

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
