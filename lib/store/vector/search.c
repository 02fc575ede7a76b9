/* Searches by a scan over all vectors of a model. */
#include "vector/vector.h"
#include <math.h>

#define LEAST 0.001 /* rounding makes cosines differ by as much */
enum { FEW = 4 };

/*
 * The query is widened only once, and gcc sees that the length of the first loop is a multiple of
 * 16. So gcc -O2 makes one pmaddwd instruction of eight products. A plain loop is seven times
 * slower.
 */
static int32_t dot(const int16_t *restrict query, const signed char *restrict row, size_t n)
{
	size_t even = n & ~(size_t)15;
	int32_t sum = 0;

	for (size_t i = 0; i < even; i++)
		sum += query[i] * (int16_t)row[i];
	for (size_t i = even; i < n; i++)
		sum += query[i] * (int16_t)row[i];
	return sum;
}

/* The best hits so far: a heap with the worst of them on top. */
struct near {
	int64_t doc;
	int32_t dot;
};
struct best {
	struct near *p;
	size_t n, cap, limit;
};

static bool vector_search_worse(const struct near *a, const struct near *b)
{
	return a->dot != b->dot ? a->dot < b->dot : a->doc < b->doc;
}

static int vector_search_best_first(const void *a, const void *b)
{
	return vector_search_worse(a, b) ? 1 : -1;
}

static void sift_up(struct near *p, size_t i)
{
	for (; i && vector_search_worse(&p[i], &p[(i - 1) / 2]); i = (i - 1) / 2) {
		struct near t = p[i];

		p[i] = p[(i - 1) / 2];
		p[(i - 1) / 2] = t;
	}
}

static bool enters(const struct best *b, const struct near *one)
{
	return b->n < b->limit || vector_search_worse(&b->p[0], one);
}

static void vector_search_enter(struct arena *a, struct best *b, struct near one)
{
	if (b->n < b->limit) {
		*VEC_PUSH(a, b) = one;
		sift_up(b->p, b->n - 1);
		return;
	}
	b->p[0] = one;
	for (size_t i = 0, least;; i = least) {
		struct near t = b->p[i];

		least = i;
		for (size_t child = 2 * i + 1; child < b->n && child <= 2 * i + 2; child++)
			if (vector_search_worse(&b->p[child], &b->p[least]))
				least = child;
		if (least == i)
			return;
		b->p[i] = b->p[least];
		b->p[least] = t;
	}
}

void vector_stand_out(struct vector_hits *hits)
{
	double mean = 0, square = 0;

	for (size_t i = 0; i < hits->n; i++)
		mean += hits->p[i].cosine / (double)hits->n;
	for (size_t i = 0; i < hits->n; i++)
		square += pow(hits->p[i].cosine - mean, 2) / (double)hits->n;
	for (size_t i = 0; i < hits->n; i++) {
		struct vector_hit *h = &hits->p[i];

		/* What points away is near to nothing; of a few hits none can stand out. */
		h->near =
			h->cosine <= 0 ? 0
			: hits->n < FEW
				? h->cosine
				: fmax(1 + (h->cosine - mean) / fmax(sqrt(square), LEAST), 0) / 10;
	}
}

struct err *vector_any(struct vectors *v, bool *out)
{
	*out = false;
	DB_EACH(rows, v->db, Q_VECTOR_ANY)
		*out = true;
	return NULL;
}

struct err *vector_search(struct vectors *v, struct arena *a, int64_t model, struct vector query,
			  bool (*meant)(void *ctx, int64_t doc), void *ctx, size_t limit,
			  struct vector_hits *out)
{
	int16_t *wide = arena_array(a, query.n, sizeof(*wide));
	struct best best = {.limit = limit};

	*out = (struct vector_hits){0};
	if (!model || !limit)
		return NULL;
	for (size_t i = 0; i < query.n; i++)
		wide[i] = query.p[i];
	DB_EACH(rows, v->db, Q_VECTOR_EACH) {
		struct near one;
		struct str row;

		row = db_column_bytes(rows, 2);
		if (db_column_int(rows, 1) != model || row.n != query.n)
			continue;
		one.doc = db_column_int(rows, 0);
		one.dot = dot(wide, (const signed char *)row.p, row.n);
		if (enters(&best, &one) && (!meant || meant(ctx, one.doc)))
			vector_search_enter(a, &best, one);
	}
	VEC_SORT(&best, vector_search_best_first);
	for (size_t i = 0; i < best.n; i++) {
		double cosine = best.p[i].dot / (127.0 * 127.0);

		/* Rounding may make a vector slightly longer than 1. */
		cosine = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
		*VEC_PUSH(a, out) = (struct vector_hit){best.p[i].doc, cosine, 0};
	}
	vector_stand_out(out);
	return NULL;
}
