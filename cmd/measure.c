#include "measure.h"
#include <math.h>

static const size_t depths[] = {1, 5, 10};

static double gain(size_t rank)
{
	return 1 / log2((double)rank + 1);
}

void measure(struct measured *s, const struct strs *expected, const struct memory_found *found)
{
	size_t hits[ARRAY_SIZE(depths)] = {0}, first = 0;
	double dcg = 0, best = 0;

	for (size_t rank = 1; rank <= found->n; rank++) {
		if (!strs_has(expected, found->p[rank - 1].memory.id))
			continue;
		first = first ? first : rank;
		dcg += rank <= 10 ? gain(rank) : 0;
		for (size_t k = 0; k < ARRAY_SIZE(depths); k++)
			hits[k] += rank <= depths[k];
	}
	for (size_t rank = 1; rank <= size_min(expected->n, 10); rank++)
		best += gain(rank);
	for (size_t k = 0; k < ARRAY_SIZE(depths); k++)
		s->recall[k] += (double)hits[k] / (double)expected->n;
	s->mrr += first ? 1 / (double)first : 0;
	s->ndcg += dcg / best;
	s->questions++;
}

static int measure_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void measured_sort(struct measured *s)
{
	if (s->ms.n)
		qsort(s->ms.p, s->ms.n, sizeof(*s->ms.p), measure_by_value);
}

double measured_ms(const struct measured *s, double part)
{
	size_t rank = (size_t)ceil(part * (double)s->ms.n);

	return s->ms.n ? s->ms.p[rank ? rank - 1 : 0] : 0;
}
