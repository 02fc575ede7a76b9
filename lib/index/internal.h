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

	for (unsigned shift = 0; p < end && shift < 63; shift += 7) {
		n |= (uint64_t)(*p & 0x7f) << shift;
		if (*p++ < 0x80) {
			*out = n;
			return p;
		}
	}
	return NULL;
}

/* At most nine bytes; n below 2^63. Gives the place behind. */
unsigned char *put_varint(unsigned char *p, uint64_t n);
#define VARINT_MAX 9

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
/* Calls fn for each, by number. */
struct err *row_each(struct db *db, struct err *(*fn)(void *ctx, const struct row *row),
		     void *ctx) MUST_USE;

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

/* ---- segments ---- */

struct segment {
	int64_t segment, first, last, docs, length;
};
struct segments {
	struct segment *p;
	size_t n, cap;
};
/* Those that are live, by first. */
struct err *segments_live(struct db *db, struct arena *a, struct segments *out) MUST_USE;

/* How many documents of the live segments have it. */
struct err *segments_count(struct db *db, uint64_t key, int64_t *out) MUST_USE;

#endif
