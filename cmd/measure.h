/* measure: the figures of retrieval, summed over questions. */
#ifndef IKM_CMD_MEASURE_H
#define IKM_CMD_MEASURE_H

#include "memory/search.h"

struct measured {
	struct arena *arena; /* for the times */
	int64_t questions;   /* that were measured */
	int64_t unknown, below, without;
	/* Sums: the part of the expected ones among the first 1, 5, 10; one by the rank of the
	 * first; normalised discounted cumulative gain of the first ten, each counting 1. */
	double recall[3], mrr, ndcg;
	struct {
		double *p;
		size_t n, cap;
	} ms;
};

/* One question, of which at least one memory is expected. */
void measure(struct measured *s, const struct strs *expected, const struct memory_found *found);
/* Once, before measured_ms(). */
void measured_sort(struct measured *s);
/* The least time that `part` of the times do not exceed. */
double measured_ms(const struct measured *s, double part);

#endif
