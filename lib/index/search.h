/* search: one question while it is answered; shared by search.c and score.c. */
#ifndef IKM_INDEX_SEARCH_H
#define IKM_INDEX_SEARCH_H

#include "index/internal.h"

/* Up to here what a count gives is looked up. */
#define COUNTS 4

struct asked {
	const struct view_list *lists;
	double weight;           /* with idf */
	float (*gives)[CLASSES]; /* by count - 1 and class of length */
};

/* A recent document that is meant. */
struct found {
	int64_t doc;
	uint8_t class;
	size_t counts; /* of each term, in search.counts */
};

struct search {
	struct index_view *view;
	struct db *db;
	struct arena *a;
	const struct index_query *q;
	uint32_t lengths[CLASSES];
	struct asked *asked;
	struct keys terms, marks; /* which: the term, the group */
	bool *has_mark;           /* of the group, while a row is looked at */
	struct {
		struct found *p;
		size_t n, cap;
	} found;
	struct {
		uint32_t *p;
		size_t n, cap;
	} counts;
	struct index_hits *hits; /* a heap, the worst on top */
	/* For one segment at a time, with room for the largest. */
	float *scores;
	uint64_t *meant, *group; /* bits */
	int64_t *times;          /* happened, then recorded */
};

/* The weight of so many occurrences of a term in a document of this class. */
float search_gives(const struct search *s, const struct asked *t, uint32_t count, uint8_t class);
/* Keeps it if it is one of the best. */
void search_offer(struct search *s, int64_t doc, double score);
/* The score that a document must exceed to be kept; below 0: any is. */
double search_least(const struct search *s);
/* All documents of the i-th live segment, greatest number first. */
struct err *search_segment(struct search *s, size_t i) MUST_USE;

#endif
