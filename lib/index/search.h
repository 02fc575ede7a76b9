/* search: the state of one query; shared by search.c and score.c. */
#ifndef IKM_INDEX_SEARCH_H
#define IKM_INDEX_SEARCH_H

#include "index/internal.h"

/* Weights of counts up to this are in a table, if as many documents have the term: else to 1. */
#define COUNTS      4
#define COUNTS_DOCS (COUNTS * CLASSES)

/* A term in one of the view's scopes. */
struct asked {
	uint64_t key;
	const struct view_list *lists;
	double weight;           /* with the idf */
	uint32_t counts;         /* in the table */
	float (*gives)[CLASSES]; /* weight by count - 1 and class of length */
};

/* A recent document that passes the filters and has a term. */
struct found {
	int64_t doc;
	uint8_t class;
	size_t counts; /* index of its first count in search.counts; a count for each of
			  search.asked */
};

struct search {
	struct index_view *view;
	struct db *db;
	struct arena *a;
	const struct index_query *q;
	uint32_t lengths[CLASSES];
	struct asked *asked; /* the scopes of the first term, those of the second, and so on */
	size_t n_asked;
	struct keys terms, marks; /* `which` is the index in asked, or the number of the group */
	bool *has_mark;           /* by group, for the current row */
	struct VEC(struct found) found;
	struct VEC(uint32_t) counts;
	struct index_hits *hits; /* a heap with the worst hit on top */
	/* For one segment at a time, as large as the largest segment. */
	float *scores;
	uint64_t *meant, *group; /* bitmaps */
	int64_t *times;          /* first `happened`, then `recorded` */
};

/* The weight of `count` occurrences of a term in a document of this class of length. */
float search_gives(const struct search *s, const struct asked *t, uint32_t count, uint8_t class);
/* Keeps the document if it is among the best. */
void search_offer(struct search *s, int64_t doc, double score);
/* A document must have a higher score than this to be kept; below 0: every document is kept. */
double search_least(const struct search *s);
/* Searches all documents of the i-th live segment, the greatest number first. */
struct err *search_segment(struct search *s, size_t i) MUST_USE;

#endif
