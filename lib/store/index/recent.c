/* Recent documents: they are in no segment yet. Each is a row, and every query reads all rows. */
#include "index/internal.h"

/* length, terms, marks: 32 bits; happened, recorded: 64; importance: 8. */
enum { ROW_HEAD = 3 * 4 + 2 * 8 + 1 };

static unsigned char *put_u64(unsigned char *p, uint64_t n, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		*p++ = (unsigned char)(n >> (8 * i));
	return p;
}

unsigned char *put_varint(unsigned char *p, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*p++ = (unsigned char)(n | 0x80);
	*p++ = (unsigned char)n;
	return p;
}

struct str row_encode_doc(struct arena *a, const struct index_doc *doc)
{
	size_t max = ROW_HEAD + doc->n_terms * (8 + 5) + doc->n_marks * 8;
	unsigned char *data = arena_alloc(a, max), *p = data;

	p = put_u64(p, doc->length, 4);
	p = put_u64(p, doc->n_terms, 4);
	p = put_u64(p, doc->n_marks, 4);
	p = put_u64(p, (uint64_t)doc->happened, 8);
	p = put_u64(p, (uint64_t)doc->recorded, 8);
	*p++ = importance_byte(doc->importance);
	for (size_t i = 0; i < doc->n_terms; i++)
		p = put_u64(p, index_key(doc->scope, doc->terms[i].term), 8);
	for (size_t i = 0; i < doc->n_marks; i++)
		p = put_u64(p, doc->marks[i], 8);
	for (size_t i = 0; i < doc->n_terms; i++)
		p = put_varint(p, doc->terms[i].count);
	return (struct str){(const char *)data, (size_t)(p - data)};
}

struct err *row_each(struct db *db, int64_t first, int64_t last,
		     struct err *(*fn)(void *ctx, const struct row *row), void *ctx)
{
	struct row row;

	DB_EACH(rows, db, Q_INDEX_RECENT_EACH, DB_I(first), DB_I(last)) {
		int64_t doc = db_column_int(rows, 0);
		struct str data = db_column_bytes(rows, 1);
		const unsigned char *p = (const unsigned char *)data.p;
		uint64_t keys;

		if (data.n < ROW_HEAD)
			return index_damaged("document", doc);
		row = (struct row){.doc = doc,
				   .length = get_u32(p),
				   .n_terms = get_u32(p + 4),
				   .n_marks = get_u32(p + 8),
				   .happened = (int64_t)get_u64(p + 12),
				   .recorded = (int64_t)get_u64(p + 20),
				   .importance = p[28],
				   .terms = p + ROW_HEAD,
				   .end = p + data.n};
		keys = (uint64_t)row.n_terms + row.n_marks;
		/* Each count takes at least one byte. */
		if (keys * 8 + row.n_terms > data.n - ROW_HEAD)
			return index_damaged("document", doc);
		row.marks = row.terms + (size_t)row.n_terms * 8;
		row.counts = row.terms + (size_t)keys * 8;
		TRY(fn(ctx, &row));
	}
	return NULL;
}
