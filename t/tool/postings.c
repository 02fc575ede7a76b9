/*
 * postings: everything that the index has, a line for each posting, for t/store/0650-index.t:
 *
 *	doc <number> class <of its length> importance <0 to 255> happened <ms> recorded <ms>
 *	has <number> <key> <count>
 *	all <documents> <mean length>
 *
 * Recent documents and those of segments come alike; removed ones do not.
 *
 *	postings STORE
 */
#include "base/base.h"
#include "index/internal.h"

static void doc(int64_t number, unsigned class, unsigned importance, int64_t happened,
		int64_t recorded)
{
	printf("doc %jd class %u importance %u happened %jd recorded %jd\n", (intmax_t)number,
	       class, importance, (intmax_t)happened, (intmax_t)recorded);
}

static void has(int64_t number, uint64_t key, uint32_t count)
{
	printf("has %jd %016jx %u\n", (intmax_t)number, (uintmax_t)key, count);
}

static struct err *print_row(void *ctx, const struct row *row)
{
	const unsigned char *counts = row->counts;
	uint64_t count = 0;

	doc(row->doc, length_class_of(ctx, row->length), row->importance, row->happened,
	    row->recorded);
	for (size_t i = 0; i < row->n_terms; i++) {
		counts = get_varint(counts, row->end, &count);
		has(row->doc, row_key(row->terms, i), (uint32_t)count);
	}
	for (size_t i = 0; i < row->n_marks; i++)
		has(row->doc, row_key(row->marks, i), 1);
	return NULL;
}

static bool is_there(const unsigned char *removed, uint32_t at)
{
	return !removed || !(removed[at / 8] >> at % 8 & 1);
}

static void print_list(const struct segment *g, const struct entry *e, const unsigned char *removed)
{
	struct postings r = postings_read(e, segment_size(g));
	struct posting some[POSTINGS_SOME];
	size_t n;

	while ((n = postings_read_some(&r, some)))
		for (size_t i = 0; i < n; i++)
			if (is_there(removed, some[i].at))
				has(g->first + some[i].at, e->key, some[i].count);
}

static struct err *print_segment(struct db *db, struct arena *a, const struct segment *g)
{
	uint32_t size = segment_size(g);
	int64_t *happened = arena_array(a, size, sizeof(*happened));
	int64_t *recorded = arena_array(a, size, sizeof(*recorded));
	struct str length, importance;
	unsigned char *removed;
	struct db_rows *rows;
	bool more;

	TRY(attribute_get_of_segment(db, a, g->segment, "length", &length));
	TRY(attribute_get_of_segment(db, a, g->segment, "importance", &importance));
	TRY(segment_times_read(db, a, g, happened, recorded));
	TRY(removed_bitmap_read(db, a, g, &removed));
	for (uint32_t i = 0; i < size; i++)
		if (is_there(removed, i))
			doc(g->first + i, (unsigned char)length.p[i],
			    (unsigned char)importance.p[i], happened[i], recorded[i]);
	TRY(db_ask(db, Q_INDEX_PAGE_RANGE, &rows, DB_I(g->segment), DB_I(INT64_MIN),
		   DB_I(INT64_MAX)));
	for (;;) {
		struct page p;
		struct entry e;

		TRY(db_next(rows, &more));
		if (!more)
			return NULL;
		p = index_page_parse(db_column_int(rows, 1), db_column_bytes(rows, 2), size);
		while (index_page_next_list(&p, &e))
			print_list(g, &e, removed);
	}
}

static struct err *print_all(struct db *db, struct arena *a)
{
	uint32_t lengths[CLASSES];
	static const int64_t scopes[] = {0, 2, 3};
	struct index_stats stats;
	struct segments live;

	doc_length_class_table(lengths);
	TRY(row_each(db, 0, INT64_MAX, print_row, lengths));
	TRY(segments_live(db, a, &live));
	for (size_t i = 0; i < live.n; i++)
		TRY(print_segment(db, a, &live.p[i]));
	TRY(index_stats(db, a, scopes, ARRAY_SIZE(scopes), &stats));
	printf("all %jd %.6f\n", (intmax_t)stats.docs, stats.length);
	return NULL;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err *e;

	if (argc != 2)
		return 2;
	e = print_all(db_new(a, argv[1]), a);
	if (e)
		fprintf(stderr, "postings: %s\n", err_message(e));
	arena_free(a);
	return e != NULL;
}
