/* Builds a segment: posting lists that grow with each document, and attributes of each document. */
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

void lists_prefetch_for_add(const struct lists *l, uint64_t key)
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
	struct str bytes = {.n = b->size};

	/* A number without a document costs least space with the time of the number before. */
	for (uint32_t i = 1; i < b->size; i++)
		if (b->removed[i / 8] & 1u << i % 8) {
			b->happened[i] = b->happened[i - 1];
			b->recorded[i] = b->recorded[i - 1];
		}
	bytes.p = (const char *)b->length;
	TRY(attribute_put_in_segment(db, g->segment, "length", bytes));
	bytes.p = (const char *)b->importance;
	TRY(attribute_put_in_segment(db, g->segment, "importance", bytes));
	TRY(segment_times_write(db, b->a, g->segment, b->happened, b->recorded, b->size));
	bytes = (struct str){(const char *)b->removed, b->size / 8};
	if (g->docs < b->size)
		TRY(attribute_put_in_segment(db, g->segment, "removed", bytes));
	return db_do(db, Q_INDEX_SEGMENT_LIVE, NULL, DB_I(g->segment), DB_I(g->last), DB_I(g->docs),
		     DB_I(g->length), DB_I(g->removals), DB_I(g->happened_least),
		     DB_I(g->happened_most), DB_I(g->recorded_least), DB_I(g->recorded_most));
}
