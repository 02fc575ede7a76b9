/*
 * Garbage collection: purges removed documents from postings in place, in short transactions. Each
 * transaction changes some rows, and what index_gone subtracts for them, so every count is right at
 * any time.
 */
#include "index/internal.h"
#include "out/out.h"

/* Limits of a transaction: pages that are read, and bytes that are written. */
enum { GC_PAGES = 1024, GC_BYTES = 1 << 20 };

/* The new content of a page; without data, the page is deleted. */
struct change {
	int64_t page;
	struct str data;
};

struct gone {
	int64_t key, docs;
};

struct gc {
	struct db *db;
	struct arena *a;       /* of the current step */
	int64_t segment, from; /* `from`: the next key */
	int64_t removals;      /* number of removals at the start: these are purged for sure */
	bool begun, done;
	struct segment g;
	unsigned char *removed;
	struct VEC(struct change) changes;
	struct VEC(struct gone) gone;
	size_t bytes;
};

/* Copies a list without the removed documents; *gone is their number. */
static bool index_gc_filter(struct gc *s, const struct entry *e, struct list *out, int64_t *gone)
{
	struct postings r = postings_read(e, segment_size(&s->g));
	struct posting some[POSTINGS_SOME];
	size_t n;

	*out = (struct list){.key = e->key};
	*gone = 0;
	while ((n = postings_read_some(&r, some)))
		for (size_t i = 0; i < n; i++)
			if (s->removed[some[i].at / 8] >> some[i].at % 8 & 1)
				++*gone;
			else
				list_append_posting(out, s->a, some[i].at, some[i].count);
	return !r.damaged;
}

static struct err *index_gc_page(struct gc *s, int64_t page, int64_t term, struct str data)
{
	struct page p = index_page_parse(term, data, segment_size(&s->g));
	struct page_buf out = {.data = buf_in(s->a), .list = buf_in(s->a), .size = p.size};
	size_t before = s->gone.n;
	struct entry e;

	/* Keep the row's term, even when the first key is removed. */
	index_page_build_begin(&out, (uint64_t)term);
	while (index_page_next_list(&p, &e)) {
		struct list list;
		int64_t gone;

		if (!index_gc_filter(s, &e, &list, &gone))
			return index_damaged("page", page);
		if (gone)
			*VEC_PUSH(s->a, &s->gone) = (struct gone){(int64_t)e.key, gone};
		if (list.docs) {
			index_page_fits_list(&out, &list, SIZE_MAX);
			index_page_add_list(&out, &list);
		}
	}
	if (p.damaged)
		return index_damaged("page", page);
	if (s->gone.n == before)
		return NULL;
	*VEC_PUSH(s->a, &s->changes) = (struct change){page, buf_as_str(&out.data)};
	s->bytes += data.n;
	return NULL;
}

static struct err *index_gc_pages(struct gc *s)
{
	int64_t term = s->from;
	int n = 0;

	s->done = true;
	DB_EACH(rows, s->db, Q_INDEX_PAGE_RANGE, DB_I(s->segment), DB_I(s->from), DB_I(INT64_MAX)) {
		term = db_column_int(rows, 1);
		TRY(index_gc_page(s, db_column_int(rows, 0), term, db_column_bytes(rows, 2)));
		if (++n == GC_PAGES || s->bytes >= GC_BYTES) {
			s->done = term == INT64_MAX;
			break;
		}
	}
	s->from = s->done ? term : term + 1;
	return NULL;
}

static struct err *change_bytes(struct gc *s, const char *attribute)
{
	struct str bytes;

	TRY(attribute_get_of_segment(s->db, s->a, s->segment, attribute, &bytes));
	if (bytes.n != segment_size(&s->g))
		return index_damaged("attributes of segment", s->segment);
	for (uint32_t i = 0; i < bytes.n; i++)
		if (s->removed[i / 8] >> i % 8 & 1)
			((char *)bytes.p)[i] = 0;
	return attribute_put_in_segment(s->db, s->segment, attribute, bytes);
}

static struct err *change_times(struct gc *s)
{
	uint32_t n = segment_size(&s->g);
	int64_t *happened = arena_array(s->a, n, sizeof(*happened));
	int64_t *recorded = arena_array(s->a, n, sizeof(*recorded));

	TRY(segment_times_read(s->db, s->a, &s->g, happened, recorded));
	for (uint32_t i = 0; i < n; i++)
		if (s->removed[i / 8] >> i % 8 & 1) {
			happened[i] = i ? happened[i - 1] : 0;
			recorded[i] = i ? recorded[i - 1] : 0;
		}
	return segment_times_write(s->db, s->a, s->segment, happened, recorded, n);
}

static struct err *index_gc_finish(struct gc *s)
{
	TRY(db_do(s->db, Q_INDEX_GONE_TIDY, NULL));
	if (!s->g.docs && s->g.removals == s->removals) {
		TRY(db_do(s->db, Q_INDEX_ATTRIBUTE_REMOVE, NULL, DB_I(s->segment)));
		return db_do(s->db, Q_INDEX_SEGMENT_REMOVE, NULL, DB_I(s->segment));
	}
	TRY(change_bytes(s, "length"));
	TRY(change_bytes(s, "importance"));
	TRY(change_times(s));
	return db_do(s->db, Q_INDEX_SEGMENT_SWEPT, NULL, DB_I(s->segment), DB_I(s->removals));
}

static struct err *index_gc_step(struct gc *s)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	struct segments all;

	s->a = a;
	s->changes.n = s->changes.cap = s->gone.n = s->gone.cap = s->bytes = 0;
	TRY(db_begin(&t, s->db));
	/* Finds the segment, if it is live and no merge copies it now. */
	TRY(segments_read(s->db, s->a, &all));
	s->done = true;
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].segment == s->segment && all.p[i].live) {
			s->g = all.p[i];
			s->done = false;
		}
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].building && !segment_is_large(s->segment) &&
		    s->g.first / index_block_sizes().large ==
			    all.p[i].first / index_block_sizes().large)
			s->done = true;
	if (s->done)
		return NULL;
	if (!s->begun)
		s->removals = s->g.removals;
	s->begun = true;
	TRY(removed_bitmap_read(s->db, s->a, &s->g, &s->removed));
	if (!s->removed)
		return index_damaged("removed documents of segment", s->segment);
	TRY(index_gc_pages(s));
	for (size_t i = 0; i < s->gone.n; i++)
		TRY(db_do(s->db, Q_INDEX_GONE_ADD, NULL, DB_I(s->gone.p[i].key),
			  DB_I(-s->gone.p[i].docs)));
	for (size_t i = 0; i < s->changes.n; i++)
		if (s->changes.p[i].data.n)
			TRY(db_do(s->db, Q_INDEX_PAGE_CHANGE, NULL, DB_I(s->changes.p[i].page),
				  DB_B(s->changes.p[i].data)));
		else
			TRY(db_do(s->db, Q_INDEX_PAGE_REMOVE, NULL, DB_I(s->changes.p[i].page)));
	if (s->done)
		TRY(index_gc_finish(s));
	return db_commit(&t);
}

struct err *index_gc_segment(struct db *db, int64_t segment)
{
	struct gc s = {.db = db, .segment = segment, .from = INT64_MIN};

	while (!s.done)
		TRY(index_gc_step(&s));
	return NULL;
}

/* Removals during the run may leave a segment unclean, but this must end. */
enum { ROUNDS = 8 };

struct err *index_gc(struct db *db, struct arena *a)
{
	struct progress shown PROGRESS = progress_start("segments of the index swept", 0);
	uint64_t done = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct segments all;
		uint64_t before = done;

		TRY(segments_do_due_merges(db));
		TRY(segments_live(db, a, &all));
		for (size_t i = 0; i < all.n; i++)
			if (all.p[i].removals > all.p[i].swept) {
				TRY(index_gc_segment(db, all.p[i].segment));
				progress_at(&shown, ++done);
			}
		if (done == before)
			return NULL;
	}
	return err_help(err_new(E_LOCKED, "other processes keep removing memories"), "try again");
}
