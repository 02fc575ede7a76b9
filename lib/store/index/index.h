/*
 * index: finds the best documents for some terms, with exact BM25. Its posting lists are tables of
 * the store (ikm-design(7), "Posting lists"). It only knows numbers. A document is a number. A term
 * has 64 bits (words_term_hash()), and so has a mark. A mark is never ranked; it is a property of a
 * document for filters: its scope, its kind, a tag.
 *
 * A document belongs to a scope, a number. Words are counted by scope: how many documents a scope
 * has, how long they are, and how many have a term. So no score depends on documents of scopes that
 * a query does not cover. The posting lists of a term are of one scope each (index_key()).
 *
 * A document is added with the next number and never changes: a changed document is removed and
 * added again. New documents are rows. Blocks of 4,096 numbers are merged into segments, and 16
 * segments into a large segment (ikm-formats(5)). No answer depends on where a document is.
 *
 * Errors of every function, besides the errors of db: DB_CORRUPT when stored data is impossible, or
 * lacks a document that is removed. Its help says to rebuild the index.
 */
#pragma once

#include "db/db.h"

struct index_term {
	uint64_t term;
	uint32_t count; /* occurrences in the document */
};
struct index_doc {
	int64_t doc; /* from index_next_doc_number() */
	int64_t scope;
	uint32_t length;                /* number of words */
	const struct index_term *terms; /* sorted by term, each term once */
	size_t n_terms;
	const uint64_t *marks; /* each mark once */
	size_t n_marks;
	int64_t happened, recorded; /* ms since 1970 */
	double importance;          /* 0 to 1; stored in 1/255 */
};

/*
 * Takes the number of the next document. The first number is 1, and no number is given twice. Call
 * it inside a transaction.
 */
struct err *index_next_doc_number(struct db *db, int64_t *doc) MUST_USE;
/*
 * Adds a document inside a transaction. doc->doc must be the last number taken, or a number taken
 * in this transaction.
 */
struct err *index_add(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/*
 * Removes a document, which must be given as it was added. The effect is immediate. Call it inside
 * a transaction.
 */
struct err *index_remove(struct db *db, struct arena *a, const struct index_doc *doc) MUST_USE;
/*
 * Does a part of the due maintenance. Rows become small segments. Small segments become a large
 * segment, in a few steps for each call. Segments with mostly removed documents are cleaned. Each
 * step is a short transaction, which starts where the last step of any process ended. So processes
 * can take turns, readers and writers are not blocked, and a process that dies leaves nothing to
 * clean up. Call it after a commit. An error loses and undoes nothing. A locked store is no error.
 */
struct err *index_maintain(struct db *db, struct arena *a) MUST_USE;
/*
 * Does all due merges and purges all removed documents from the segments. Traces of them then
 * remain only in free pages (db_vacuum()). Errors: LOCKED when other processes keep removing
 * documents.
 */
struct err *index_gc(struct db *db, struct arena *a) MUST_USE;
/*
 * The key of a term's posting list in a scope. In scope 0 it is the term. A mark that is counted by
 * scope is such a key, too.
 */
uint64_t index_key(int64_t scope, uint64_t term);
/*
 * Whether an older version made the index, so that it lacks documents: it must be rebuilt before it
 * is used.
 */
struct err *index_stale(struct db *db, bool *out) MUST_USE;
/*
 * Whether what is counted outside of the index must follow the removal of a document. While a
 * rebuild counts all anew, it must not for a document that has not been moved.
 */
struct err *index_removal_must_be_counted(struct db *db, int64_t doc, bool *out) MUST_USE;
/* Empties the index. The numbers continue. Call it inside a transaction. */
struct err *index_clear(struct db *db) MUST_USE;
/*
 * A rebuild adds all documents again, in several transactions, in which others search and write.
 * The old index may be damaged, or have other terms: nothing is read of it but which numbers are
 * removed.
 *
 * Begin: every document up to *upto is to be moved. *fresh: it is a new rebuild, and not one that
 * an interruption left. An index whose segments are damaged is emptied. Call it inside a
 * transaction.
 */
struct err *index_rebuild_begin(struct db *db, struct arena *a, int64_t *upto,
				bool *fresh) MUST_USE;
/* How many documents to move in one transaction. */
size_t index_rebuild_batch_size(void);
/*
 * Hides documents that index_bulk_add() adds again in the same transaction. It reads doc, their old
 * number, ascending, length and scope.
 */
struct err *index_rebuild_hide_old_docs(struct db *db, struct arena *a,
					const struct index_doc *docs, size_t n) MUST_USE;
/*
 * Drops the old index, when all documents are moved, in transactions of its own. Until the last of
 * them the weights of words are slightly off. Errors: LOCKED when other processes keep removing
 * documents.
 */
struct err *index_rebuild_end(struct db *db, struct arena *a, int64_t upto) MUST_USE;

/*
 * Adds many documents in order of their numbers, which it takes itself. It writes whole segments
 * at once. Begin, add and end all stand inside one transaction. An added
 * document is copied, so another thread may own its memory. n is at most INDEX_BULK; fewer
 * documents may follow. *first is the number of the first document, and the others follow; doc->doc
 * is ignored. A posting takes about 2 bytes of memory, a term 64 bytes.
 */
#define INDEX_BULK 65536
struct index_bulk;
struct err *index_bulk_begin(struct db *db, struct arena *a, size_t n, struct index_bulk **out,
			     int64_t *first) MUST_USE;
void index_bulk_add(struct index_bulk *b, const struct index_doc *doc);
struct err *index_bulk_end(struct index_bulk *b) MUST_USE;

/* ---- queries ---- */

struct index_stats {
	int64_t docs;
	double length; /* mean number of words */
	int64_t all;   /* documents of all scopes, by the segments and the recent rows */
};
/* The counters of these scopes together. */
struct err *index_stats(struct db *db, struct arena *a, const int64_t *scopes, size_t n,
			struct index_stats *out) MUST_USE;
/*
 * The sum of the keys that a document has, and of all that the index counts. They differ when a
 * posting list has other documents than its counters say.
 */
uint64_t index_postings_sum_of(const struct index_doc *doc);
struct err *index_postings_checksum(struct db *db, struct arena *a, uint64_t *out) MUST_USE;
/* Counts the documents with each of the marks, or with terms of scope 0. */
struct err *index_count_matches(struct db *db, struct arena *a, const uint64_t *terms, size_t n,
				int64_t *out) MUST_USE;

/*
 * A view for several queries of some scopes in one state, which read shared data once. Use it
 * inside a transaction, until that ends or something is written. It takes about 2 MiB
 * of `a` at most.
 */
struct index_view;
struct err *index_view_new(struct db *db, struct arena *a, const int64_t *scopes, size_t n,
			   struct index_view **out) MUST_USE;
struct index_stats index_view_stats(const struct index_view *v);
/* The view's scopes that have documents; *n: how many. */
const int64_t *index_view_scopes(const struct index_view *v, size_t *n);
/* Counts the documents of the view's scopes with each of the terms. */
struct err *index_view_count_matches(struct index_view *v, struct arena *a, const uint64_t *terms,
				     size_t n, int64_t *out) MUST_USE;

/*
 * The constants of BM25, and its idf, for every ranking: ln(1 + (docs - with + 0.5) / (with +
 * 0.5)). It is positive even for a term that most documents have.
 */
#define INDEX_K1 1.2
#define INDEX_B  0.75
double index_idf(int64_t docs, int64_t with);
/*
 * The weight of a term in a document, without idf. FTS5's bm25() is the sum of this weight times
 * its own idf. A search rounds a length of 96 words or more to about 3 %, and treats a length over
 * 900,000 as 900,000.
 */
double index_weight(uint32_t count, uint32_t length, double mean_length);

/* A filter: a document must have one of these marks, or with `not` none of them. */
struct index_clause {
	const uint64_t *marks;
	size_t n;
	bool not ;
};
struct index_query {
	/* for index_search(); none: scope 0. A query without terms is of all scopes. */
	const int64_t *scopes;
	size_t n_scopes;
	struct {
		uint64_t term;
		double weight; /* factor of the idf: 1; for a substitute less */
	} * terms;             /* none: all that pass the filters, newest number first */
	size_t n_terms;
	const struct index_clause *groups; /* all of them must hold */
	size_t n_groups;
	int64_t happened_from, happened_to; /* [from, to) in ms; 0: no limit */
	int64_t recorded_to;                /* recorded before this time; 0: no limit */
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
	int64_t matched; /* number of matching documents, before the limit */
};
/*
 * Finds the best documents, best first; among equal scores the higher number first. Inside
 * a transaction, it uses that one.
 */
struct err *index_search(struct db *db, struct arena *a, const struct index_query *q,
			 struct index_hits *out) MUST_USE;
struct err *index_view_search(struct index_view *v, struct arena *a, const struct index_query *q,
			      struct index_hits *out) MUST_USE;
