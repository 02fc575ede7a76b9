/* internal: what the files of lib/index share. What is on disk is described in ikm-formats(5). */
#ifndef IKM_INDEX_INTERNAL_H
#define IKM_INDEX_INTERNAL_H

#include "index/index.h"

/* What is stored is not what was written: DB_CORRUPT, and how to make the index anew. */
struct err *index_damaged(const char *what, int64_t of) MUST_USE;

/* ---- lengths, in classes that fit into a byte: exact below 96, beyond it within 3 % ---- */

#define CLASSES 256
void class_lengths(uint32_t lengths[CLASSES]);
uint8_t class_of(const uint32_t lengths[CLASSES], uint32_t length);

/* Takes n numbers; the last of them. */
struct err *index_take(struct db *db, int64_t n, int64_t *last) MUST_USE;

/* Importance in 1/255. */
uint8_t importance_byte(double importance);

/* ---- numbers as bytes ---- */

static inline uint32_t get_u32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_u64(const unsigned char *p)
{
	return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}

/* Seven bits a byte, least first, the high bit where more follow. NULL: it does not end well. */
static inline const unsigned char *get_varint(const unsigned char *p, const unsigned char *end,
					      uint64_t *out)
{
	uint64_t n = 0;

	for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
		n |= (uint64_t)(*p & 0x7f) << shift;
		if (*p++ < 0x80) {
			*out = n;
			return p;
		}
	}
	return NULL;
}

/* Gives the place behind. */
unsigned char *put_varint(unsigned char *p, uint64_t n);
#define VARINT_MAX 10

/* ---- a document in a row of its own ---- */

struct row {
	int64_t doc;
	uint32_t length, n_terms, n_marks;
	int64_t happened, recorded;
	uint8_t importance;
	const unsigned char *terms, *marks; /* 8 bytes each */
	const unsigned char *counts, *end;  /* a varint for each term */
};
struct str row_make(struct arena *a, const struct index_doc *doc);
struct err *row_read(int64_t doc, struct str data, struct row *out) MUST_USE;
/* Calls fn for each with a number from `first` to `last`, in order. */
struct err *row_each(struct db *db, int64_t first, int64_t last,
		     struct err *(*fn)(void *ctx, const struct row *row), void *ctx) MUST_USE;
static inline uint64_t row_key(const unsigned char *keys, size_t i)
{
	return get_u64(keys + 8 * i);
}

/* ---- which of some keys a document has ---- */

/* Most keys of a document are none of those, and one look says so. */
struct keys {
	bool low[1024];
	struct key {
		uint64_t key;
		size_t which;
	} *p; /* sorted; one may be there several times */
	size_t n, cap;
};
void keys_add(struct keys *k, struct arena *a, uint64_t key, size_t which);
void keys_sort(struct keys *k);
/* The first with this key; n: none. */
size_t keys_find(const struct keys *k, uint64_t key);
static inline bool keys_may(const struct keys *k, uint64_t key)
{
	return k->low[key & 1023];
}

/* ---- which documents of a segment have a term, and how often ---- */

/* Reads one list where it is; documents are counted from the segment's first. */
struct postings {
	const unsigned char *p, *end;
	uint32_t next, size; /* the next number can be this one; and is below size */
	bool bits;           /* a bit for each number, all counts 1 */
	uint64_t word;       /* what remains of the 64 numbers below next */
	bool damaged;
};
struct postings postings_read(struct str data, uint32_t size);
/* For bits. */
bool postings_next_bit(struct postings *r, uint32_t *at);
/* False at the end, or when it is damaged. */
static inline bool postings_next(struct postings *r, uint32_t *at, uint32_t *count)
{
	uint64_t n;

	*count = 1;
	if (r->bits)
		return postings_next_bit(r, at);
	if (r->p == r->end)
		return false;
	n = *r->p;
	r->p = n < 0x80 ? r->p + 1 : get_varint(r->p, r->end, &n);
	if (!r->p || n >> 2 >= r->size - r->next)
		goto damaged;
	*at = r->next + (uint32_t)(n >> 2);
	r->next = *at + 1;
	*count = (uint32_t)(n & 3) + 1;
	if (*count < 4)
		return true;
	r->p = get_varint(r->p, r->end, &n);
	if (!r->p || n > UINT32_MAX - 4)
		goto damaged;
	*count += (uint32_t)n;
	return true;
damaged:
	r->damaged = true;
	return false;
}

/* Makes one, in order of the documents. It is short in most cases, so it begins in place. */
struct list {
	uint64_t key;
	uint32_t docs, next;
	size_t n;
	bool plain; /* all counts are 1 */
	unsigned char used, begin[15];
	struct piece *first, *last;
};
/* False: it is not after those before. */
bool list_add(struct list *l, struct arena *a, uint32_t at, uint32_t count);
/* The list, or bits where they are shorter, in out->p; its room is used again. */
void list_bytes(const struct list *l, uint32_t size, struct buf *out);

/* ---- segments ---- */

/*
 * How many numbers a block has, a power of two: 4,096 and 65,536; in test builds IKM_INDEX_BITS=6 to
 * 12 makes the first 2 to that, the other 16 times as much.
 */
struct blocks {
	int64_t small, large;
};
struct blocks blocks_now(void);
/* The number of the segment of a block. */
static inline int64_t segment_number(const struct blocks *blocks, int64_t first, bool large)
{
	return first / blocks->small * 2 + large;
}
static inline bool segment_is_large(int64_t segment)
{
	return segment % 2;
}

struct segment {
	int64_t segment;
	bool live, building; /* neither: dropped */
	int64_t first, last, docs, length, removals, swept;
	int64_t happened_least, happened_most, recorded_least, recorded_most;
};
struct segments {
	struct segment *p;
	size_t n, cap;
};
/* All, by their first document. */
struct err *segments_read(struct db *db, struct arena *a, struct segments *out) MUST_USE;
/* Those that are live. */
struct err *segments_live(struct db *db, struct arena *a, struct segments *out) MUST_USE;
/*
 * How many documents of live segments have it and are not removed. there (may be NULL): for each
 * segment, whether it has postings.
 */
struct err *segments_count(struct db *db, const struct segments *live, uint64_t key, bool *there,
			   int64_t *out) MUST_USE;
static inline uint32_t segment_size(const struct segment *g)
{
	return (uint32_t)(g->last - g->first + 1);
}

/* A whole attribute, copied; p NULL: it is not there. */
struct err *attribute_get(struct db *db, struct arena *a, int64_t segment, const char *attribute,
			  struct str *out) MUST_USE;
struct err *attribute_put(struct db *db, int64_t segment, const char *attribute,
			  struct str data) MUST_USE;
/* The bits of removed documents, and of numbers without one; NULL: all are there. */
struct err *removed_get(struct db *db, struct arena *a, const struct segment *g,
			unsigned char **out) MUST_USE;
/* Times of all numbers of a segment. */
struct err *times_read(const struct segment *g, struct str data, int64_t *out) MUST_USE;
struct str times_make(struct arena *a, const int64_t *times, uint32_t n);

/* ---- what becomes a segment, in memory ---- */

struct build {
	struct arena *a;
	struct segment segment;
	uint32_t size;
	uint32_t lengths[CLASSES];
	unsigned char *length, *importance, *removed; /* removed: a bit, as long as there is none */
	int64_t *happened, *recorded;
};
/* Numbers from first, `size` of them, 64 or a multiple. */
struct build *build_new(struct arena *a, int64_t segment, int64_t first, uint32_t size);
/* In any order; what is not 0 to size - 1 is a BUG. */
void build_doc(struct build *b, uint32_t at, uint32_t length, int64_t happened, int64_t recorded,
	       uint8_t importance);

struct lists {
	struct arena *a;
	struct list **slots; /* a hash table by key */
	size_t n, n_slots;
};
/* In order of the documents; false: it is not, or the document has the key already. */
bool lists_add(struct lists *l, uint64_t key, uint32_t at, uint32_t count);
/* Writes them, in the order of keys that the store has. */
struct err *lists_put(const struct lists *l, struct db *db, int64_t segment,
		      uint32_t size) MUST_USE;
/* Writes what is not in lists, and makes the segment live. */
struct err *build_finish(struct build *b, struct db *db) MUST_USE;

/* ---- merging ---- */

/* Whatever is due, to its end. */
struct err *merge_all(struct db *db) MUST_USE;
/* Takes what was removed out of the postings of a segment, in steps, as far as it is live. */
struct err *sweep_segment(struct db *db, int64_t segment) MUST_USE;

#endif
