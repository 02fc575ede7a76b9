/* internal: what the files of lib/index share. ikm-formats(5) describes the format on disk. */
#ifndef IKM_INDEX_INTERNAL_H
#define IKM_INDEX_INTERNAL_H

#include "index/index.h"

/* The stored data is damaged: DB_CORRUPT, with the step that rebuilds the index. */
struct err *index_damaged(const char *what, int64_t of) MUST_USE;

/* ---- lengths, in classes that fit into a byte: exact below 96, beyond it to about 3 % ---- */

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
	} * p; /* sorted; one may be there several times */
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

/*
 * How a list is written. Gaps to the document before are Rice-coded: first the low bits of all,
 * then of each what is above them, as ones and a zero; with counts, each is followed by its count
 * less 1, as ones and a zero. FORM_PLAIN: all counts are 1. FORM_BITS: a bit for each number of the
 * segment.
 */
enum form { FORM_COUNTS, FORM_PLAIN, FORM_BITS };

/* One list, where it is in its page. */
struct entry {
	uint64_t key;
	uint32_t docs;
	enum form form;
	const unsigned char *p;
	size_t n;
};

/* Reads a list, some postings at a time; documents are counted from the segment's first. */
struct postings {
	const unsigned char *p;
	size_t n;
	enum form form;
	unsigned low;        /* how many low bits */
	uint64_t low_at;     /* where the next ones are */
	uint64_t at;         /* where word is from */
	uint64_t word;       /* its zeros, as ones, that were not read */
	uint64_t before;     /* where the zero before was, and 1 */
	size_t many;         /* great counts, which are at the end */
	uint32_t next, size; /* the next number can be this one; and is below size */
	uint32_t left;       /* documents */
	bool damaged;
};
struct posting {
	uint32_t at, count;
};
#define POSTINGS_SOME 128
struct postings postings_read(const struct entry *e, uint32_t size);
/* How many; 0: at the end, or it is damaged. */
size_t postings_some(struct postings *r, struct posting out[POSTINGS_SOME]);

/* Makes a list in memory, in order of the documents. It is short in most cases: begins in place. */
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

/* ---- pages: some lists in a row of the store, in the order of keys there ---- */

/* Reads a page where it is. */
struct page {
	const unsigned char *p, *end;
	uint64_t key;  /* of the entry before; at first, the row's term */
	uint32_t size; /* of the segment */
	bool damaged;
};
struct page page_read(int64_t term, struct str data, uint32_t size);
/* False at the end, or when it is damaged. */
bool page_next(struct page *p, struct entry *out);

/* Makes a page. */
struct page_buf {
	struct buf data;
	uint64_t first, key; /* the row's term; of the last entry */
	uint32_t size;       /* of the segment */
	struct buf list;     /* the entry that page_fits() has been asked about */
	enum form form;
};
void page_begin(struct page_buf *b, uint64_t key);
/* Whether it has at most so many bytes with this list. */
bool page_fits(struct page_buf *b, const struct list *l, size_t most);
/* The list that was asked about. */
void page_add(struct page_buf *b, const struct list *l);

/* ---- segments ---- */

/*
 * How many numbers a block has, a power of two: 4,096 and 65,536; in test builds IKM_INDEX_BITS=6
 * to 12 makes the first 2 to that, the other 16 times as much, and pages small.
 */
struct blocks {
	int64_t small, large;
	size_t page; /* the most bytes of a page that has several lists */
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
static inline uint32_t segment_size(const struct segment *g)
{
	return (uint32_t)(g->last - g->first + 1);
}

/* Where a list is. */
struct list_place {
	int64_t page;
	size_t at;      /* bytes from the page's begin */
	struct entry e; /* docs 0: there is none */
};
/* The list of a key, where it is: if there is one, until the caller resets *rows. */
struct err *list_find(struct db *db, const struct segment *g, uint64_t key, struct db_rows **rows,
		      struct list_place *out) MUST_USE;
/* Again, what was found before; until the caller resets *rows. */
struct err *list_again(struct db *db, struct list_place *l, struct db_rows **rows) MUST_USE;
/* How many documents are removed but still in the lists of a key. */
struct err *gone_get(struct db *db, uint64_t key, int64_t *out) MUST_USE;

/* A whole attribute, copied; p NULL: it is not there. */
struct err *attribute_get(struct db *db, struct arena *a, int64_t segment, const char *attribute,
			  struct str *out) MUST_USE;
struct err *attribute_put(struct db *db, int64_t segment, const char *attribute,
			  struct str data) MUST_USE;
/* The bits of removed documents, and of numbers without one; NULL: all are there. */
struct err *removed_get(struct db *db, struct arena *a, const struct segment *g,
			unsigned char **out) MUST_USE;
/* Times of all numbers of a segment; recorded NULL: only when they happened. */
struct err *times_get(struct db *db, struct arena *a, const struct segment *g, int64_t *happened,
		      int64_t *recorded) MUST_USE;
struct err *times_put(struct db *db, struct arena *a, int64_t segment, const int64_t *happened,
		      const int64_t *recorded, uint32_t n) MUST_USE;

/* ---- what questions share ---- */

/* Where a key's postings are, and how many documents have it. */
struct view_list {
	uint64_t key;
	int64_t with;
	struct list_place *places; /* by segment; e.p: a copy, for short ones */
};
struct index_view {
	struct db *db;
	struct arena *a;
	struct segments live;
	struct index_stats stats;
	struct {
		struct row *p;
		size_t n, cap;
	} rows;        /* recent ones, up to some bytes of them */
	int64_t after; /* the rows from this number on are read each time */
	struct {
		struct view_list *p; /* sorted by key */
		size_t n, cap;
	} lists;
};
/* Calls fn for each recent row, in order. */
struct err *view_rows(const struct index_view *v,
		      struct err *(*fn)(void *ctx, const struct row *row), void *ctx) MUST_USE;
/* Finds the lists of these keys, as far as they are not known. */
struct err *view_lists(struct index_view *v, const struct keys *keys) MUST_USE;
/* One that was found, until more are. */
const struct view_list *view_list(const struct index_view *v, uint64_t key);

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

/* Does all merges that are due. */
struct err *merge_all(struct db *db) MUST_USE;
/* Takes what was removed out of the postings of a segment, in steps, as far as it is live. */
struct err *index_gc_segment(struct db *db, int64_t segment) MUST_USE;

#endif
