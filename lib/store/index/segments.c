/*
 * Segments: built with posting lists that grow with each document, from many documents at once,
 * from recent rows or from smaller segments; and purged of removed documents.
 *
 * Maintenance, which merges and purges, goes in steps. Each step is a short transaction, and reads
 * from the tables what is due. The last posting of a large segment that is being built shows how
 * far it is. So any process can do the next step, several processes can take turns, and a process
 * that dies leaves nothing to clean up. A purge changes postings in place, and what index_gone
 * subtracts for them, so every count is right at any time.
 */
#include "index/internal.h"
#include "out/out.h"
#include <limits.h>

/* ---- a segment while it is built: its lists ---- */

struct lists {
	struct arena *a;
	struct list **slots; /* hash table by key */
	size_t n, n_slots;
};

/* Keys are hashes already, but tests and attackers may use small keys. */
static size_t index_build_slot_of(uint64_t key, size_t n_slots)
{
	return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (n_slots - 1);
}

static struct list **index_build_slot(const struct lists *l, uint64_t key)
{
	size_t i = index_build_slot_of(key, l->n_slots);

	while (l->slots[i] && l->slots[i]->key != key)
		i = (i + 1) & (l->n_slots - 1);
	return &l->slots[i];
}

/* Fetches what lists_add_posting() will read first, for a caller that has many keys. */
static void lists_prefetch_for_add(const struct lists *l, uint64_t key)
{
	if (l->n_slots)
		__builtin_prefetch(&l->slots[index_build_slot_of(key, l->n_slots)]);
}

/*
 * Adds a posting, in order of the documents. False when the order is wrong, or the document already
 * has the key.
 */
static bool lists_add_posting(struct lists *l, uint64_t key, uint32_t at, uint32_t count)
{
	struct list **list;

	if (l->n >= l->n_slots / 4 * 3) {
		struct lists old = *l;

		l->n_slots = size_max(4096, old.n_slots * 2);
		l->slots = arena_array(l->a, l->n_slots, sizeof(struct list *));
		for (size_t i = 0; i < old.n_slots; i++)
			if (old.slots[i])
				*index_build_slot(l, old.slots[i]->key) = old.slots[i];
	}
	list = index_build_slot(l, key);
	if (!*list) {
		*list = ARENA_NEW(l->a, struct list);
		(*list)->key = key;
		l->n++;
	}
	return list_append_posting(*list, l->a, at, count);
}

/* The key stands beside the list: a comparison that reads two lists misses the cache twice. */
struct sorted_list {
	int64_t key;
	struct list *list;
};

ORDER_OF(list_order, struct sorted_list, ORDER_UP(key))

static struct err *put_page(struct db *db, int64_t segment, struct page_buf *b)
{
	TRY(db_do(db, Q_INDEX_PAGE_PUT, NULL, DB_I(segment), DB_I((int64_t)b->first),
		  DB_B(buf_as_str(&b->data))));
	b->data.n = 0;
	return NULL;
}

/* Writes the lists in the store's order of keys. */
static struct err *lists_write(const struct lists *l, struct db *db, int64_t segment, uint32_t size)
{
	struct sorted_list *sorted = arena_array(l->a, l->n, sizeof(*sorted));
	struct page_buf page = {.data = buf_in(l->a), .list = buf_in(l->a), .size = size};
	size_t n = 0, most = index_block_sizes().page;

	for (size_t i = 0; i < l->n_slots; i++)
		if (l->slots[i])
			sorted[n++] = (struct sorted_list){(int64_t)l->slots[i]->key, l->slots[i]};
	if (n)
		qsort(sorted, n, sizeof(*sorted), list_order);
	for (size_t i = 0; i < n; i++) {
		const struct list *list = sorted[i].list;

		if (!index_page_fits_list(&page, list, most) && i)
			TRY(put_page(db, segment, &page));
		if (!page.data.n)
			index_page_build_begin(&page, list->key);
		index_page_add_list(&page, list);
	}
	return n ? put_page(db, segment, &page) : NULL;
}

/* ---- a segment while it is built: its documents ---- */

struct build {
	struct arena *a;
	struct segment segment;
	uint32_t size;
	uint32_t lengths[CLASSES];
	unsigned char *length, *importance, *removed; /* removed: bits */
	int64_t *happened, *recorded;
};

/* Starts a segment with `size` numbers from `first`; size is a multiple of 64. */
static struct build *build_segment_new(struct arena *a, int64_t segment, int64_t first,
				       uint32_t size)
{
	struct build *b = ARENA_NEW(a, struct build);

	b->a = a;
	b->size = size;
	b->segment.segment = segment;
	b->segment.first = first;
	b->segment.last = first + size - 1;
	b->length = arena_alloc(a, size);
	b->importance = arena_alloc(a, size);
	b->removed = memset(arena_alloc(a, size / 8), 0xff, size / 8);
	b->happened = arena_array(a, size, sizeof(*b->happened));
	b->recorded = arena_array(a, size, sizeof(*b->recorded));
	doc_length_class_table(b->lengths);
	return b;
}

static void widen(int64_t *least, int64_t *most, int64_t time, bool first)
{
	if (first || time < *least)
		*least = time;
	if (first || time > *most)
		*most = time;
}

/* Adds a document, in any order. A number that is not below size is a BUG. */
static void build_add_doc(struct build *b, uint32_t at, uint32_t length, int64_t happened,
			  int64_t recorded, uint8_t importance)
{
	struct segment *g = &b->segment;

	if (at >= b->size)
		BUG("document %ju of %ju", (uintmax_t)at, (uintmax_t)b->size);
	widen(&g->happened_least, &g->happened_most, happened, !g->docs);
	widen(&g->recorded_least, &g->recorded_most, recorded, !g->docs);
	g->docs++;
	g->length += length;
	b->length[at] = length_class_of(b->lengths, length);
	b->importance[at] = importance;
	b->happened[at] = happened;
	b->recorded[at] = recorded;
	b->removed[at / 8] &= (unsigned char)~(1u << at % 8);
}

/* Writes everything except the lists, and makes the segment live. */
static struct err *build_finish(struct build *b, struct db *db)
{
	const struct segment *g = &b->segment;

	/* A number without a document costs least space with the time of the number before. */
	for (uint32_t i = 1; i < b->size; i++)
		if (b->removed[i / 8] & 1u << i % 8) {
			b->happened[i] = b->happened[i - 1];
			b->recorded[i] = b->recorded[i - 1];
		}
	TRY(attribute_put_in_segment(db, g->segment, "length",
				     (struct str){(const char *)b->length, b->size}));
	TRY(attribute_put_in_segment(db, g->segment, "importance",
				     (struct str){(const char *)b->importance, b->size}));
	TRY(segment_times_write(db, b->a, g->segment, b->happened, b->recorded, b->size));
	if (g->docs < b->size)
		TRY(attribute_put_in_segment(db, g->segment, "removed",
					     (struct str){(const char *)b->removed, b->size / 8}));
	return db_do(db, Q_INDEX_SEGMENT_LIVE, NULL, DB_I(g->segment), DB_I(g->last), DB_I(g->docs),
		     DB_I(g->length), DB_I(g->removals), DB_I(g->happened_least),
		     DB_I(g->happened_most), DB_I(g->recorded_least), DB_I(g->recorded_most));
}

/* ---- many documents at once ---- */

struct bulk_segment {
	struct build *build;
	struct lists lists;
};
struct bulk_scope {
	int64_t scope, docs, length;
};
struct index_bulk {
	struct db *db;
	struct arena *a;
	struct blocks blocks;
	int64_t first;
	uint32_t n, room;
	uint32_t built; /* this many documents go into segments, the others become rows */
	uint32_t each;  /* documents in a segment */
	struct VEC(struct bulk_segment) segments; /* the last one is being filled */
	struct str *rows;
	struct VEC(struct bulk_scope) scopes;
};

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

/*
 * They fill whole blocks from a new one on, and the rest of the last block stays unused. The rest
 * of the documents become rows when they would fill little of a block. Returns the last number.
 */
static int64_t bulk_plan(struct index_bulk *b, int64_t last)
{
	bool large = b->room > b->blocks.large / 2 && b->room <= b->blocks.large;
	int64_t block = large ? b->blocks.large : b->blocks.small, rest = b->room % block;

	if (b->room < b->blocks.small) {
		b->first = last + 1;
		return last + b->room + rest_of_block(&b->blocks, last, b->room);
	}
	b->first = (last / block + 1) * block;
	b->each = (uint32_t)block;
	b->built = b->room;
	if (!large && rest < block / 4)
		b->built -= (uint32_t)rest;
	if (b->built < b->room)
		return b->first + b->room - 1;
	return b->first + (b->room + block - 1) / block * block - 1;
}

struct err *index_bulk_begin(struct db *db, struct arena *a, size_t n, struct index_bulk **out,
			     int64_t *first)
{
	struct index_bulk *b = *out = ARENA_NEW(a, struct index_bulk);
	int64_t last, upto;

	if (n > INDEX_BULK)
		BUG("%zu documents at once", n);
	*b = (struct index_bulk){
		.db = db, .a = a, .blocks = index_block_sizes(), .room = (uint32_t)n};
	TRY(db_number(db, Q_INDEX_LAST, &last));
	upto = bulk_plan(b, last);
	b->rows = arena_array(a, b->room - b->built, sizeof(*b->rows));
	*first = b->first;
	return index_take_numbers(db, upto - last, &last);
}

static struct bulk_segment *bulk_segment_begin(struct index_bulk *b, uint32_t at)
{
	struct bulk_segment *s = VEC_PUSH(b->a, &b->segments);
	int64_t first = b->first + at;
	uint32_t docs = (uint32_t)size_min(b->each, b->built - at);
	bool large = b->each > b->blocks.small;

	s->lists = (struct lists){.a = b->a};
	s->build = build_segment_new(b->a, segment_number_of_block(&b->blocks, first, large), first,
				     (docs + 63) / 64 * 64);
	return s;
}

static void bulk_segment_doc(struct bulk_segment *s, const struct index_doc *doc, uint32_t at)
{
	const uint64_t key = index_key(doc->scope, 0);
	bool once = true;

	build_add_doc(s->build, at, doc->length, doc->happened, doc->recorded,
		      importance_byte(doc->importance));
	for (size_t i = 0; i < doc->n_terms; i++)
		lists_prefetch_for_add(&s->lists, doc->terms[i].term ^ key);
	for (size_t i = 0; i < doc->n_terms; i++)
		once &= lists_add_posting(&s->lists, doc->terms[i].term ^ key, at,
					  doc->terms[i].count);
	for (size_t i = 0; i < doc->n_marks; i++)
		once &= lists_add_posting(&s->lists, doc->marks[i], at, 1);
	if (!once)
		BUG("a document has a term or a mark twice");
}

void index_bulk_add(struct index_bulk *b, const struct index_doc *doc)
{
	uint32_t at = b->n++;
	struct bulk_scope *s;
	size_t i;

	if (at >= b->room)
		BUG("more than the %ju documents that index_bulk_begin() was given",
		    (uintmax_t)b->room);
	/* A batch has few scopes. */
	i = b->scopes.n;
	while (i && b->scopes.p[i - 1].scope != doc->scope)
		i--;
	s = i ? &b->scopes.p[i - 1] : VEC_PUSH(b->a, &b->scopes);
	if (!i)
		*s = (struct bulk_scope){.scope = doc->scope};
	s->docs++;
	s->length += doc->length;
	if (at >= b->built)
		b->rows[at - b->built] = row_encode_doc(b->a, doc);
	else if (at % b->each)
		bulk_segment_doc(&b->segments.p[b->segments.n - 1], doc, at % b->each);
	else
		bulk_segment_doc(bulk_segment_begin(b, at), doc, 0);
}

struct err *index_bulk_end(struct index_bulk *b)
{
	for (size_t i = 0; i < b->segments.n; i++) {
		const struct bulk_segment *s = &b->segments.p[i];
		const struct segment *g = &s->build->segment;

		TRY(db_do(b->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(g->segment), DB_I(g->first)));
		TRY(lists_write(&s->lists, b->db, g->segment, s->build->size));
		TRY(build_finish(s->build, b->db));
	}
	for (uint32_t i = b->built; i < b->n; i++)
		TRY(db_do(b->db, Q_INDEX_RECENT_PUT, NULL, DB_I(b->first + i),
			  DB_B(b->rows[i - b->built])));
	for (size_t i = 0; i < b->scopes.n; i++) {
		const struct bulk_scope *s = &b->scopes.p[i];

		TRY(scope_add_doc_counts(b->db, s->scope, s->docs, s->length, b->first));
	}
	return NULL;
}

/* ---- purging removed documents ---- */

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

/* Purges the removed documents from the postings of a live segment, in steps. */
static struct err *index_gc_segment(struct db *db, int64_t segment)
{
	struct gc s = {.db = db, .segment = segment, .from = INT64_MIN};

	while (!s.done)
		TRY(index_gc_step(&s));
	return NULL;
}

/* ---- merging ---- */

/*
 * The number of steps of large merges in one call. The next calls continue, so nobody waits for a
 * whole merge.
 */
#define STEPS 8
/* Pages that a step reads from each small segment. */
#define STEP_PAGES 16
/* Bytes of recent rows whose postings are made in one pass: 32 MiB. */
#define PASS_BYTES(small) ((uint64_t)(small) * (uint64_t)(small)*2)

enum due { NOTHING, SMALL, LARGE, DROPPED };

struct merge {
	struct db *db;
	struct arena *a;
	struct blocks blocks;
	struct segments all;
	int64_t last, oldest; /* last number given; least number in index_recent, or 0 */
	enum due due;
	int64_t first;  /* first number of the block; or the segment to drop */
	bool begun;     /* a large merge has begun */
	unsigned large; /* number of large merges that are due */
};

static int64_t large_of(const struct merge *m, const struct segment *g)
{
	return g->first - g->first % m->blocks.large;
}

/* ---- what is due ---- */

/*
 * Finds the next due step. A block is due when a number behind it was given, because nobody adds to
 * it then.
 */
static struct err *merge_plan(struct merge *m)
{
	int64_t before = -1;

	m->due = NOTHING;
	m->begun = false;
	m->large = 0;
	m->last = m->oldest = 0;
	DB_EACH(rows, m->db, Q_INDEX_LAST) {
		m->last = db_column_int(rows, 0);
		m->oldest = db_column_int(rows, 1);
	}
	TRY(segments_read(m->db, m->a, &m->all));
	if (m->oldest && m->oldest - m->oldest % m->blocks.small + m->blocks.small <= m->last) {
		m->due = SMALL;
		m->first = m->oldest - m->oldest % m->blocks.small;
		return NULL;
	}
	VEC_EACH(const struct segment, g, &m->all) {
		int64_t first = large_of(m, g);

		if (g->building) {
			m->begun = true;
			m->first = first;
			m->due = LARGE;
		} else if (g->live && !segment_is_large(g->segment) &&
			   first + m->blocks.large <= m->last && first != before) {
			m->large++;
			before = first;
			if (!m->begun) {
				m->first = m->due == LARGE ? m->first : first;
				m->due = LARGE;
			}
		}
	}
	for (size_t i = 0; i < m->all.n && m->due == NOTHING; i++)
		if (!m->all.p[i].live && !m->all.p[i].building) {
			m->due = DROPPED;
			m->first = m->all.p[i].segment;
		}
	return NULL;
}

/* ---- a small segment, from rows ---- */

struct pass {
	struct build *b;
	struct lists lists;
	int64_t from, to; /* range of keys */
	bool first;       /* the first pass, which also handles lengths, times, importance */
};

static struct err *add_keys(struct pass *p, const struct row *row, uint32_t at, bool marks)
{
	const unsigned char *keys = marks ? row->marks : row->terms;
	uint32_t n = marks ? row->n_marks : row->n_terms;
	const unsigned char *counts = row->counts;
	uint64_t count = 1;

	for (uint32_t i = 0; i < n; i++) {
		int64_t key = (int64_t)row_key(keys, i);

		if (!marks)
			counts = get_varint(counts, row->end, &count);
		if (!counts || !count || count > UINT32_MAX)
			return index_damaged("document", row->doc);
		if (key >= p->from && key <= p->to &&
		    !lists_add_posting(&p->lists, (uint64_t)key, at, (uint32_t)count))
			return index_damaged("document", row->doc);
	}
	return NULL;
}

static struct err *merge_add_row(void *ctx, const struct row *row)
{
	struct pass *p = ctx;
	uint32_t at = (uint32_t)(row->doc - p->b->segment.first);

	if (p->first)
		build_add_doc(p->b, at, row->length, row->happened, row->recorded, row->importance);
	TRY(add_keys(p, row, at, false));
	return add_keys(p, row, at, true);
}

static struct err *merge_small(struct merge *m)
{
	struct pass p = {.first = true, .from = INT64_MIN};
	int64_t first = m->first, end = first + m->blocks.small, greatest, bytes;
	int64_t segment = segment_number_of_block(&m->blocks, first, false);
	uint64_t passes;
	bool any = false;

	DB_EACH(rows, m->db, Q_INDEX_RECENT_SIZE, DB_I(first), DB_I(end - 1)) {
		greatest = db_column_int(rows, 0);
		bytes = db_column_int(rows, 1);
		any = true;
	}
	if (!any)
		return NULL;
	passes = (uint64_t)bytes / PASS_BYTES(m->blocks.small) + 1;
	p.b = build_segment_new(m->a, segment, first, (uint32_t)(greatest - first + 64) / 64 * 64);
	TRY(db_do(m->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(segment), DB_I(first)));
	for (uint64_t i = 0; i < passes; i++) {
		struct err *e;

		p.lists = (struct lists){.a = arena_new()};
		p.to = i + 1 < passes ? (int64_t)((uint64_t)p.from + UINT64_MAX / passes)
				      : INT64_MAX;
		e = row_each(m->db, first, end - 1, merge_add_row, &p);
		if (!e)
			e = lists_write(&p.lists, m->db, segment, p.b->size);
		arena_free(p.lists.a);
		TRY(e);
		p.first = false;
		if (i + 1 < passes)
			p.from = p.to + 1;
	}
	TRY(build_finish(p.b, m->db));
	return db_do(m->db, Q_INDEX_RECENT_REMOVE_ALL, NULL, DB_I(first), DB_I(end - 1));
}

/* ---- a large segment, from small ones ---- */

/* The greatest key with postings in a segment that is being built. */
static struct err *last_key(struct merge *m, int64_t segment, int64_t *out, bool *found)
{
	const struct segment g = {.segment = segment, .last = m->blocks.large - 1};

	*found = false;
	DB_EACH(rows, m->db, Q_INDEX_PAGE_FIND, DB_I(segment), DB_I(INT64_MAX)) {
		struct page p = index_page_parse(db_column_int(rows, 1), db_column_bytes(rows, 2),
						 segment_size(&g));
		struct entry e;

		*found = true;
		while (index_page_next_list(&p, &e))
			*out = (int64_t)e.key;
		return p.damaged ? index_damaged("segment", segment) : NULL;
	}
	return NULL;
}

static bool add_list(struct lists *lists, const struct entry *e, uint32_t size, uint32_t base)
{
	struct postings r = postings_read(e, size);
	struct posting some[POSTINGS_SOME];
	size_t n;

	while ((n = postings_read_some(&r, some)))
		for (size_t i = 0; i < n; i++)
			if (!lists_add_posting(lists, e->key, base + some[i].at, some[i].count))
				return false;
	return !r.damaged;
}

/* Adds the lists of a range of keys to the lists of a segment that begins `base` earlier. */
static struct err *merge_add_range(struct db *db, const struct segment *g, int64_t from, int64_t to,
				   uint32_t base, struct lists *lists)
{
	bool good = true;

	DB_EACH(rows, db, Q_INDEX_PAGE_RANGE, DB_I(g->segment), DB_I(from), DB_I(to)) {
		struct page p = index_page_parse(db_column_int(rows, 1), db_column_bytes(rows, 2),
						 segment_size(g));
		struct entry e;

		while (good && index_page_next_list(&p, &e))
			if ((int64_t)e.key >= from && (int64_t)e.key <= to)
				good = add_list(lists, &e, segment_size(g), base);
		if (!good || p.damaged)
			return index_damaged("page", db_column_int(rows, 0));
	}
	return NULL;
}

static bool is_part(const struct merge *m, const struct segment *g)
{
	return g->live && !segment_is_large(g->segment) && large_of(m, g) == m->first;
}

static struct err *add_attributes(struct merge *m, struct build *b, const struct segment *g)
{
	uint32_t base = (uint32_t)(g->first - m->first), size = segment_size(g);
	struct segment *sum = &b->segment;
	struct str length, importance;
	unsigned char *removed;

	TRY(attribute_get_of_segment(m->db, m->a, g->segment, "length", &length));
	TRY(attribute_get_of_segment(m->db, m->a, g->segment, "importance", &importance));
	if (length.n != size || importance.n != size)
		return index_damaged("attributes of segment", g->segment);
	memcpy(b->length + base, length.p, size);
	memcpy(b->importance + base, importance.p, size);
	TRY(segment_times_read(m->db, m->a, g, b->happened + base, b->recorded + base));
	TRY(removed_bitmap_read(m->db, m->a, g, &removed));
	if (removed)
		memcpy(b->removed + base / 8, removed, size / 8);
	else
		memset(b->removed + base / 8, 0, size / 8);
	if (!sum->docs || g->happened_least < sum->happened_least)
		sum->happened_least = g->happened_least;
	if (!sum->docs || g->happened_most > sum->happened_most)
		sum->happened_most = g->happened_most;
	if (!sum->docs || g->recorded_least < sum->recorded_least)
		sum->recorded_least = g->recorded_least;
	if (!sum->docs || g->recorded_most > sum->recorded_most)
		sum->recorded_most = g->recorded_most;
	sum->docs += g->docs;
	sum->length += g->length;
	/* The copied postings still have the removed documents. */
	sum->removals += g->removals - g->swept;
	return NULL;
}

static struct err *merge_large(struct merge *m)
{
	int64_t segment = segment_number_of_block(&m->blocks, m->first, true), from = INT64_MIN;
	int64_t to = INT64_MAX, last = 0;
	struct lists lists = {.a = m->a};
	bool found = false;
	uint32_t size = 0;
	struct build *b;

	if (!m->begun)
		TRY(db_do(m->db, Q_INDEX_SEGMENT_PUT, NULL, DB_I(segment), DB_I(m->first)));
	else
		TRY(last_key(m, segment, &last, &found));
	/* The step that writes the greatest possible key also ends the segment. */
	if (found && last == INT64_MAX)
		return index_damaged("segment", segment);
	if (found)
		from = last + 1;
	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i])) {
			size = (uint32_t)(m->all.p[i].last - m->first + 1);
			/* A step has STEP_PAGES pages of each segment. */
			DB_EACH(rows, m->db, Q_INDEX_STEP_END, DB_I(m->all.p[i].segment),
				DB_I(from), DB_I(STEP_PAGES), DB_I(to))
				to = db_column_int(rows, 0);
		}
	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i]))
			TRY(merge_add_range(m->db, &m->all.p[i], from, to,
					    (uint32_t)(m->all.p[i].first - m->first), &lists));
	TRY(lists_write(&lists, m->db, segment, size));
	if (to != INT64_MAX)
		return NULL;
	b = build_segment_new(m->a, segment, m->first, size);
	for (size_t i = 0; i < m->all.n; i++)
		if (is_part(m, &m->all.p[i])) {
			TRY(add_attributes(m, b, &m->all.p[i]));
			TRY(db_do(m->db, Q_INDEX_SEGMENT_DROP, NULL, DB_I(m->all.p[i].segment)));
		}
	return build_finish(b, m->db);
}

/* ---- steps ---- */

static struct err *merge_step(struct merge *m)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, m->db));
	/* Plan again: another process may have done the step. */
	TRY(merge_plan(m));
	switch (m->due) {
	case SMALL: TRY(merge_small(m)); break;
	case LARGE: TRY(merge_large(m)); break;
	case DROPPED:
		TRY(db_do(m->db, Q_INDEX_PAGES_REMOVE, NULL, DB_I(m->first)));
		TRY(db_do(m->db, Q_INDEX_ATTRIBUTE_REMOVE, NULL, DB_I(m->first)));
		TRY(db_do(m->db, Q_INDEX_SEGMENT_REMOVE, NULL, DB_I(m->first)));
		break;
	case NOTHING:
	default: break;
	}
	return db_commit(&t);
}

/* Does at most `steps` steps; more when the index is behind. */
static struct err *merge_some(struct db *db, unsigned steps)
{
	for (unsigned n = 0;; n++) {
		struct merge m = {.db = db, .a = arena_new(), .blocks = index_block_sizes()};
		struct err *e = merge_plan(&m);
		bool go_on = !e && m.due != NOTHING && (n < steps || m.due == SMALL || m.large > 1);

		if (go_on)
			e = merge_step(&m);
		arena_free(m.a);
		if (e || !go_on)
			return e;
	}
}

struct err *index_maintain(struct db *db, struct arena *a)
{
	struct segments all;
	struct err *e = merge_some(db, STEPS);

	if (!e)
		e = segments_live(db, a, &all);
	/* Removed documents cost time until they are purged from the postings. */
	for (size_t i = 0; !e && i < all.n; i++)
		if (all.p[i].removals - all.p[i].swept > all.p[i].docs)
			e = index_gc_segment(db, all.p[i].segment);
	/* A writer holds the lock, and will maintain the index itself. */
	return e && err_reason(e) == E_LOCKED ? NULL : e;
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

		TRY(merge_some(db, UINT_MAX));
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
