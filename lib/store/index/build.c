/*
 * Builds a segment: posting lists that grow with each document, and attributes of each document.
 * Adds many documents at once: as segments of their own, or as rows when they are few.
 */
#include "index/internal.h"

/* ---- lists ---- */

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

bool lists_add_posting(struct lists *l, uint64_t key, uint32_t at, uint32_t count)
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

struct err *lists_write(const struct lists *l, struct db *db, int64_t segment, uint32_t size)
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

/* ---- documents ---- */

struct build *build_segment_new(struct arena *a, int64_t segment, int64_t first, uint32_t size)
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

void build_add_doc(struct build *b, uint32_t at, uint32_t length, int64_t happened,
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

struct err *build_finish(struct build *b, struct db *db)
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
