/* Shared declarations of lib/store/index. ikm-formats(5) describes the format on disk. */
#pragma once

#include "index/index.h"

/* The stored data is damaged: DB_CORRUPT, with the step that rebuilds the index. */
struct err *index_damaged(const char *what, int64_t of) MUST_USE;

/* ---- lengths, in classes of a byte: exact below 96, above it to about 3 % ---- */

#define CLASSES 256
void doc_length_class_table(uint32_t lengths[CLASSES]);
uint8_t length_class_of(const uint32_t lengths[CLASSES], uint32_t length);

/*
 * Adds documents to the counters of a scope, or takes them off: their number and the sum of their
 * lengths. doc: the number of one of them.
 */
struct err *scope_add_doc_counts(struct db *db, int64_t scope, int64_t docs, int64_t length,
				 int64_t doc) MUST_USE;

/* Takes n numbers; *last is the last of them. */
struct err *index_take_numbers(struct db *db, int64_t n, int64_t *last) MUST_USE;

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

/*
 * Reads a varint: seven bits in each byte, the lowest first; the high bit says that more bytes
 * follow. NULL: the varint is damaged.
 */
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

/* Writes a varint. Returns the place behind it. */
unsigned char *put_varint(unsigned char *p, uint64_t n);
#define VARINT_MAX 10

/* ---- a document in a row of its own ---- */

struct row {
	int64_t doc;
	uint32_t length, n_terms, n_marks;
	int64_t happened, recorded;
	uint8_t importance;
	const unsigned char *terms, *marks; /* keys of 8 bytes */
	const unsigned char *counts, *end;  /* a varint for each term */
};
struct str row_encode_doc(struct arena *a, const struct index_doc *doc);
/* Calls fn for each row with a number from `first` to `last`, in order. */
struct err *row_each(struct db *db, int64_t first, int64_t last,
		     struct err *(*fn)(void *ctx, const struct row *row), void *ctx) MUST_USE;
static inline uint64_t row_key(const unsigned char *keys, size_t i)
{
	return get_u64(keys + 8 * i);
}

/* ---- posting lists: the documents of a segment that have a key, with counts ---- */

/*
 * The coding of a list. The gaps between documents are Rice-coded. First come the low bits of all
 * gaps. Then comes the rest of each gap in unary, as ones and a zero. With counts, the count less 1
 * follows each gap in unary. FORM_PLAIN: all counts are 1. FORM_BITS: a bitmap, with a bit for each
 * number of the segment.
 */
enum form { FORM_COUNTS, FORM_PLAIN, FORM_BITS };

/* A list in its page. */
struct entry {
	uint64_t key;
	uint32_t docs;
	enum form form;
	const unsigned char *p;
	size_t n;
};

/* Reads a list, some postings at a time. Documents are counted from the segment's first number. */
struct postings {
	const unsigned char *p;
	size_t n;
	enum form form;
	unsigned low;        /* number of low bits */
	uint64_t low_at;     /* where the next low bits are */
	uint64_t at;         /* where `word` was read */
	uint64_t word;       /* the zeros of the word that are not read yet, as ones */
	uint64_t before;     /* the place behind the last zero */
	size_t many;         /* bytes of great counts, which are at the end */
	uint32_t next, size; /* the next document is at least `next`, and below size */
	uint32_t left;       /* documents left */
	bool damaged;
};
struct posting {
	uint32_t at, count;
};
#define POSTINGS_SOME 128
struct postings postings_read(const struct entry *e, uint32_t size);
/* Reads postings and returns their number; 0 at the end, or when the list is damaged. */
size_t postings_read_some(struct postings *r, struct posting out[POSTINGS_SOME]);

/* Builds a list in memory, in order of the documents. Most lists are short and stay in `begin`. */
struct list {
	uint64_t key;
	uint32_t docs, next;
	size_t n;
	bool plain; /* all counts are 1 */
	unsigned char used, begin[15];
	struct piece *first, *last;
};
/* Adds a document. False when it is not after the previous document. */
bool list_append_posting(struct list *l, struct arena *a, uint32_t at, uint32_t count);

/* ---- pages: rows of the store with some lists, in the order of keys there ---- */

/* Reads a page in place. */
struct page {
	const unsigned char *p, *end;
	uint64_t key;  /* key of the previous entry; at first the row's term */
	uint32_t size; /* of the segment */
	bool damaged;
};
struct page index_page_parse(int64_t term, struct str data, uint32_t size);
/* Reads the next entry. False at the end, or when the page is damaged. */
bool index_page_next_list(struct page *p, struct entry *out);

/* Builds a page. */
struct page_buf {
	struct buf data;
	uint64_t first, key; /* first: the row's term; key: key of the last entry */
	uint32_t size;       /* of the segment */
	struct buf list;     /* the entry that index_page_fits_list() has tried */
	enum form form;
};
void index_page_build_begin(struct page_buf *b, uint64_t key);
/* True when the page with this list has at most `most` bytes. */
bool index_page_fits_list(struct page_buf *b, const struct list *l, size_t most);
/* Adds the list that index_page_fits_list() has tried. */
void index_page_add_list(struct page_buf *b, const struct list *l);

/* ---- segments ---- */

/*
 * The sizes of blocks in numbers, which are powers of two: 4,096 and 65,536. In test builds
 * IKM_INDEX_BITS=6 to 12 sets the small size to 2 to that power. The large size is then 16 times
 * that, and pages are small.
 */
struct blocks {
	int64_t small, large;
	size_t page; /* limit in bytes of a page with several lists */
};
struct blocks index_block_sizes(void);
/* The number of the segment of a block. */
static inline int64_t segment_number_of_block(const struct blocks *blocks, int64_t first,
					      bool large)
{
	return first / blocks->small * 2 + large;
}
static inline bool segment_is_large(int64_t segment)
{
	return segment % 2;
}

struct segment {
	int64_t segment;
	bool live, building; /* neither: the segment is dropped */
	int64_t first, last, docs, length, removals, swept;
	int64_t happened_least, happened_most, recorded_least, recorded_most;
};
struct segments VEC(struct segment);
/* Reads all segments, by their first document. */
struct err *segments_read(struct db *db, struct arena *a, struct segments *out) MUST_USE;
/* Reads the live segments. */
struct err *segments_live(struct db *db, struct arena *a, struct segments *out) MUST_USE;
static inline uint32_t segment_size(const struct segment *g)
{
	return (uint32_t)(g->last - g->first + 1);
}

/* Copies a whole attribute; p is NULL when it is missing. */
struct err *attribute_get_of_segment(struct db *db, struct arena *a, int64_t segment,
				     const char *attribute, struct str *out) MUST_USE;
struct err *attribute_put_in_segment(struct db *db, int64_t segment, const char *attribute,
				     struct str data) MUST_USE;
/* A bitmap of removed documents, and of numbers without a document; NULL when there are none. */
struct err *removed_bitmap_read(struct db *db, struct arena *a, const struct segment *g,
				unsigned char **out) MUST_USE;
/* The times of all numbers of a segment. recorded NULL: only the times when they happened. */
struct err *segment_times_read(struct db *db, struct arena *a, const struct segment *g,
			       int64_t *happened, int64_t *recorded) MUST_USE;
struct err *segment_times_write(struct db *db, struct arena *a, int64_t segment,
				const int64_t *happened, const int64_t *recorded,
				uint32_t n) MUST_USE;
