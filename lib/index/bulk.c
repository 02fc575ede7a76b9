/* Adds many documents at once: as a large segment of their own, or as rows when they are few. */
#include "index/internal.h"

struct index_bulk {
	struct db *db;
	struct arena *a;
	int64_t first;
	uint32_t n, room;
	struct build *build; /* NULL: rows */
	struct lists lists;
	struct str *rows;
};

static struct err *last_number(struct db *db, int64_t *last)
{
	*last = 0;
	DB_EACH(rows, db, Q_INDEX_LAST)
		*last = db_int(rows, 0);
	return NULL;
}

/*
 * The number of unused numbers to take. Rows slow down every query. So when the new rows fill at
 * least a quarter of a small block, the rest of the block stays unused. The block is then due for a
 * segment at once. The number behind it must be taken, too.
 */
static int64_t rest_of_block(const struct blocks *blocks, int64_t last, int64_t n)
{
	int64_t in_block = (last + n) % blocks->small + 1;

	return (in_block < n ? in_block : n) < blocks->small / 4 ? 0 : blocks->small + 1 - in_block;
}

/* Documents become rows when they fill at most half of a large segment. */
struct err *index_bulk_begin(struct db *db, struct arena *a, size_t n, struct index_bulk **out,
			     int64_t *first)
{
	struct blocks blocks = blocks_now();
	struct index_bulk *b = *out = ARENA_NEW(a, struct index_bulk);
	bool large = n > (size_t)blocks.large / 2 && n <= (size_t)blocks.large;
	int64_t last, take = (int64_t)n;

	if (n > INDEX_BULK)
		BUG("%zu documents at once", n);
	b->db = db;
	b->a = a;
	b->room = (uint32_t)n;
	TRY(last_number(db, &last));
	b->first = last + 1;
	if (large) {
		/* The rest of the block stays unused. */
		b->first = (last / blocks.large + 1) * blocks.large;
		take = b->first + blocks.large - 1 - last;
		b->build = build_new(a, segment_number(&blocks, b->first, true), b->first,
				     (uint32_t)(n + 63) / 64 * 64);
		b->lists.a = a;
	} else {
		take += rest_of_block(&blocks, last, take);
		b->rows = arena_array(a, n, sizeof(*b->rows));
	}
	*first = b->first;
	return index_take(db, take, &last);
}

void index_bulk_add(struct index_bulk *b, const struct index_doc *doc)
{
	uint32_t at = b->n++;
	bool once = true;

	if (at >= b->room)
		BUG("more than the %ju documents that index_bulk_begin() was given",
		    (uintmax_t)b->room);
	if (!b->build) {
		b->rows[at] = row_make(b->a, doc);
		return;
	}
	build_doc(b->build, at, doc->length, doc->happened, doc->recorded,
		  importance_byte(doc->importance));
	for (size_t i = 0; i < doc->n_terms; i++)
		once &= lists_add(&b->lists, doc->terms[i].term, at, doc->terms[i].count);
	for (size_t i = 0; i < doc->n_marks; i++)
		once &= lists_add(&b->lists, doc->marks[i], at, 1);
	if (!once)
		BUG("a document has a term or a mark twice");
}

struct err *index_bulk_end(struct index_bulk *b)
{
	if (!b->build) {
		for (uint32_t i = 0; i < b->n; i++)
			TRY(db_do(b->db, Q_INDEX_RECENT_PUT, NULL, DB_I(b->first + i),
				  DB_B(b->rows[i])));
		return NULL;
	}
	if (!b->n)
		return NULL;
	TRY(db_do(b->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(b->build->segment.segment),
		  DB_I(b->first)));
	TRY(lists_put(&b->lists, b->db, b->build->segment.segment, b->build->size));
	return build_finish(b->build, b->db);
}
