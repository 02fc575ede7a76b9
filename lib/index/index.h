/*
 * index: which documents have a term, and the best ones for several: exact BM25 over posting lists
 * that are kept in tables of the store (memory.md, "Exact and fast"). Knows numbers only: a
 * document is a number, a term is 64 bits (words_term()), and so is a mark, which is never ranked
 * and only says whether a document is meant: its scope, its kind, a tag.
 *
 * A document is added with the next number and never changed; what changes is removed and added
 * anew. New ones are rows of their own; blocks of 4,096 numbers become segments, 16 of those one
 * large segment. Where a document is makes no difference to any answer.
 */
#ifndef IKM_INDEX_H
#define IKM_INDEX_H

#include "db/db.h"

struct index_term {
	uint64_t term;
	uint32_t count; /* in the document */
};
struct index_doc {
	int64_t doc;     /* from index_next() */
	uint32_t length; /* in words */
	const struct index_term *terms; /* each once, sorted by term */
	size_t n_terms;
	const uint64_t *marks; /* each once */
	size_t n_marks;
	int64_t happened, recorded; /* ms since 1970 */
	double importance;          /* 0 to 1; kept in 1/255 */
};

/* The number of the next document, taken; 1 is the first. Never given twice. Within db_write(). */
struct err *index_next(struct db *db, int64_t *doc) MUST_USE;
/* Within db_write(); doc->doc is the last number taken, or one of those taken in this transaction. */
struct err *index_add(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/* The same document as it was added: it is gone at once. Within db_write(). */
struct err *index_remove(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/*
 * Merges what is due, in short transactions of its own: readers and writers go on, and a process
 * that dies in any step loses nothing. Does nothing when another process is at it. Call it after
 * a commit.
 */
struct err *index_tend(struct db *db, struct arena *a) MUST_USE;
/* Merges everything that was removed out of the segments, so that no trace of it stays. */
struct err *index_sweep(struct db *db, struct arena *a,
			void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx) MUST_USE;
/* Empties it: for who then adds all documents anew. The numbers go on. Within db_write(). */
struct err *index_clear(struct db *db) MUST_USE;

/*
 * Many documents at once, in order of their numbers, which it takes itself: whole large segments
 * are written without small ones. Begin, add (any thread's memory; copied), end: all within one
 * db_write(). At most INDEX_BULK documents; *first is the number of the first.
 */
#define INDEX_BULK 65536
struct index_bulk;
struct err *index_bulk_begin(struct db *db, struct arena *a, size_t n, struct index_bulk **out,
			     int64_t *first) MUST_USE;
void index_bulk_add(struct index_bulk *b, const struct index_doc *doc);
struct err *index_bulk_end(struct index_bulk *b) MUST_USE;

/* ---- asking ---- */

struct index_stats {
	int64_t docs;
	double length; /* mean, in words */
};
struct err *index_stats(struct db *db, struct arena *a, struct index_stats *out) MUST_USE;
/* How many documents have each of the terms or marks. */
struct err *index_count(struct db *db, struct arena *a, const uint64_t *terms, size_t n,
			int64_t *out) MUST_USE;

/* BM25's constants and its idf, here for all who score. */
#define INDEX_K1 1.2
#define INDEX_B  0.75
double index_idf(int64_t docs, int64_t with);
/* What one term gives to a document, without idf. */
double index_weight(uint32_t count, uint32_t length, double mean_length);

/* A document must have one of these marks; with `not`, none of them. */
struct index_group {
	const uint64_t *marks;
	size_t n;
	bool not;
};
struct index_query {
	struct {
		uint64_t term;
		double weight; /* times idf: 1; less for what only stands in for a word */
	} *terms;              /* none: every document that is meant, newest number first */
	size_t n_terms;
	const struct index_group *groups; /* all must hold */
	size_t n_groups;
	int64_t happened_from, happened_to; /* [from, to) in ms; both 0: any */
	int64_t recorded_to;                /* 0: any */
	double importance_min;              /* 0: any */
	size_t limit;
};
struct index_hit {
	int64_t doc;
	double score; /* sum over the terms; 0 without terms */
};
struct index_hits {
	struct index_hit *p;
	size_t n, cap;
	int64_t matched; /* how many have one of the terms at least, before the limit */
};
/*
 * Best first; of the same score the higher number. Asked in one read transaction with what else the
 * caller asks when he is in db_read().
 */
struct err *index_search(struct db *db, struct arena *a, const struct index_query *q,
			 struct index_hits *out) MUST_USE;

#endif
