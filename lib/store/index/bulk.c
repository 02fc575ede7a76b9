/* Adds many documents at once: as segments of their own, or as rows when they are few. */
#include "index/internal.h"

struct index_bulk {
	struct db *db;
	struct arena *a;
	struct blocks blocks;
	int64_t first;
	uint32_t n, room;
	uint32_t built; /* this many documents go into segments, the others become rows */
	uint32_t each;  /* documents in a segment */
	struct {
		struct bulk_segment {
			struct build *build;
			struct lists lists;
		} * p;
		size_t n, cap;
	} segments; /* the last one is being filled */
	struct str *rows;
	struct {
		struct bulk_scope {
			int64_t scope, docs, length;
		} * p;
		size_t n, cap;
	} scopes;
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
