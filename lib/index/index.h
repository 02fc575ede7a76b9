/*
 * index: which documents have a term, and the best ones for several: exact BM25 over posting lists
 * that are kept in tables of the store (ikm-design(7), "Posting lists"). Knows numbers only: a
 * document is a number, a term is 64 bits (words_term()), and so is a mark, which is never ranked
 * and only says whether a document is meant: its scope, its kind, a tag.
 *
 * A document is added with the next number and never changed; what changes is removed and added
 * anew. New ones are rows of their own; blocks of 4,096 numbers become segments, 16 of those one
 * large segment (ikm-formats(5)). Where a document is makes no difference to any answer.
 *
 * Errors of every function, besides those of db: DB_CORRUPT when what is stored cannot be, or
 * lacks a document that is removed; its help is to make the index anew.
 */
#ifndef IKM_INDEX_H
#define IKM_INDEX_H

#include "db/db.h"

struct index_term {
	uint64_t term;
	uint32_t count; /* in the document */
};
struct index_doc {
	int64_t doc;                    /* from index_next() */
	uint32_t length;                /* in words */
	const struct index_term *terms; /* each once, sorted by term */
	size_t n_terms;
	const uint64_t *marks; /* each once */
	size_t n_marks;
	int64_t happened, recorded; /* ms since 1970 */
	double importance;          /* 0 to 1; kept in 1/255 */
};

/* The number of the next document, taken; 1 is the first. Never given twice. Within db_write(). */
struct err *index_next(struct db *db, int64_t *doc) MUST_USE;
/* Within db_write(); doc->doc is the last number taken, or one of those taken in this
 * transaction. */
struct err *index_add(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/* The same document as it was added: it is gone at once. Within db_write(). */
struct err *index_remove(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/*
 * Does some of what is due: rows become small segments, small ones a large one (some steps with
 * each call), and what is mostly removed is swept. Each step is a short transaction that begins
 * where the last one ended, whoever did that one: several processes take turns, readers and writers
 * go on, and one that dies leaves nothing to clean up. Call it after a commit. Its error loses
 * nothing and takes nothing back; that others keep the store busy is none.
 */
struct err *index_maintain(struct db *db, struct arena *a) MUST_USE;
/*
 * Merges all that is due and takes everything that was removed out of the segments, so that no
 * trace of it stays but in free pages (db_vacuum()). progress (may be NULL): segments. LOCKED when
 * others remove all the time.
 */
struct err *index_gc(struct db *db, struct arena *a,
		     void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx) MUST_USE;
/* Empties it: for who then adds all documents anew. The numbers go on. Within db_write(). */
struct err *index_clear(struct db *db) MUST_USE;

/*
 * Many documents at once, in order of their numbers, which it takes itself: whole large segments
 * are written without small ones. Begin, add (any thread's memory; copied), end: all within one
 * db_write(). n of them, at most INDEX_BULK; less are fine. *first is the number of the first, the
 * others follow; doc->doc is not read. In memory a posting takes some 2 bytes, a term 64.
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

/*
 * Who asks several things of one state reads what they share once: in db_read() or db_write(), and
 * until it ends or something is written. In `a`, some 2 MiB at the most.
 */
struct index_view;
struct err *index_view_new(struct db *db, struct arena *a, struct index_view **out) MUST_USE;
struct index_stats index_view_stats(const struct index_view *v);
struct err *index_view_count(struct index_view *v, struct arena *a, const uint64_t *terms, size_t n,
			     int64_t *out) MUST_USE;

/*
 * BM25's constants and its idf, here for all who score: ln(1 + (docs - with + 0.5) / (with + 0.5)),
 * which is above 0 also for what most documents have.
 */
#define INDEX_K1 1.2
#define INDEX_B  0.75
double index_idf(int64_t docs, int64_t with);
/*
 * The weight of one term in a document, without idf: FTS5's bm25() is the sum of this times its
 * idf. A search takes a length from 96 words on to about 3 %, and beyond 900,000 as that.
 */
double index_weight(uint32_t count, uint32_t length, double mean_length);

/* A document must have one of these marks; with `not`, none of them. */
struct index_clause {
	const uint64_t *marks;
	size_t n;
	bool not ;
};
struct index_query {
	struct {
		uint64_t term;
		double weight; /* times idf, above 0: 1; less for what only stands in for a word */
	} * terms;             /* none: every document that is meant, newest number first */
	size_t n_terms;
	const struct index_clause *groups; /* all must hold */
	size_t n_groups;
	int64_t happened_from, happened_to; /* [from, to) in ms; 0: no limit on that side */
	int64_t recorded_to;                /* recorded before it; 0: no limit */
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
	int64_t matched; /* how many have one of the terms and are meant, before the limit */
};
/*
 * Best first; of the same score the higher number. Asked in one read transaction with what else the
 * caller asks when he is in db_read().
 */
struct err *index_search(struct db *db, struct arena *a, const struct index_query *q,
			 struct index_hits *out) MUST_USE;
struct err *index_view_search(struct index_view *v, struct arena *a, const struct index_query *q,
			      struct index_hits *out) MUST_USE;

#endif
