/* Ranks results, and packs the best into limit and budget (ikm-design(7), "Memory queries"). */
#include "os/os.h"
#include "memory/alike.h"
#include "request/internal.h"

#define RELEVANCE   0.40
#define RECENCY     0.25
#define IMPORTANCE  0.25
#define DUPLICATION 0.10

struct ranked {
	double base;        /* the score without the penalty for repetition */
	double duplication; /* the highest similarity to those of the picked that were compared */
	size_t compared;    /* how many of the picked */
	const struct memory_shingles *shingles; /* made when first needed */
	bool gone;                              /* picked or skipped */
};

double pack_recency_weight(int64_t age_ms, int64_t tau_days)
{
	if (age_ms <= 0)
		return 1;
	return tau_days > 0 ? exp(-(double)age_ms / ((double)tau_days * (double)DAY_MS)) : 0;
}

static double request_pack_score(const struct ranked *r)
{
	return r->base - DUPLICATION * r->duplication;
}

/* A total order: by score, then relevance, then the newest, then the id. */
static bool before(const struct candidate *c, const struct ranked *r, size_t i, size_t j)
{
	double x = request_pack_score(&r[i]), y = request_pack_score(&r[j]);

	if (x != y)
		return x > y;
	if (c[i].relevance != c[j].relevance)
		return c[i].relevance > c[j].relevance;
	if (c[i].memory.happened != c[j].memory.happened)
		return c[i].memory.happened > c[j].memory.happened;
	return str_cmp(c[i].memory.id, c[j].memory.id) < 0;
}

static const struct memory_shingles *pack_shingles(const struct packing *p, struct arena *a,
						   struct words *words, const struct memory *m,
						   struct ranked *r)
{
	/* Memories are never cut, so a memory over the whole budget is never picked: do not
	 * compare it. */
	if (!r->shingles && words && m->tokens <= p->budget)
		r->shingles = memory_shingles(words, a, m->content);
	return r->shingles;
}

/*
 * The best candidate that is left; n: none. A comparison only lowers a score. So a candidate whose
 * score is below the best, though it was not compared with all that were picked, need not be.
 */
static size_t pack_best(const struct packing *p, struct arena *a, struct words *words,
			const struct candidate *c, struct ranked *r, size_t n)
{
	for (;;) {
		size_t best = n;
		const struct memory_shingles *own, *other;

		for (size_t i = 0; i < n; i++)
			if (!r[i].gone && (best == n || before(c, r, i, best)))
				best = i;
		if (best == n || r[best].compared == p->picked.n)
			return best;
		own = pack_shingles(p, a, words, &c[best].memory, &r[best]);
		for (size_t *k = &r[best].compared; *k < p->picked.n; ++*k) {
			other = r[p->picked.p[*k].i].shingles;
			if (own && other)
				r[best].duplication =
					fmax(r[best].duplication, memory_similarity(own, other));
		}
	}
}

void pack_into_budget(struct packing *p, struct arena *a, struct words *words,
		      const struct candidate *c, size_t n)
{
	struct ranked *r = arena_array(a, size_max(n, 1), sizeof(*r));
	size_t rank = 0;

	p->picked = p->dropped = (struct packed_list){0};
	p->tokens = 0;
	for (size_t i = 0; i < n; i++) {
		const struct memory *m = &c[i].memory;

		r[i].base = RELEVANCE * c[i].relevance +
			    RECENCY * pack_recency_weight(p->now - m->happened, p->tau_days) +
			    IMPORTANCE * m->importance;
	}
	while (p->picked.n < p->limit) {
		size_t best;

		/* From here on, what does not fit is not reported: its score does not matter. */
		for (size_t i = 0; rank >= p->limit && i < n; i++)
			r[i].gone = r[i].gone || c[i].memory.tokens > p->budget - p->tokens;
		best = pack_best(p, a, words, c, r, n);
		if (best == n)
			return;
		r[best].gone = true;
		rank++;
		if (c[best].memory.tokens > p->budget - p->tokens) {
			if (rank <= p->limit)
				*VEC_PUSH(a, &p->dropped) =
					(struct packed){best, request_pack_score(&r[best])};
			continue;
		}
		pack_shingles(p, a, words, &c[best].memory, &r[best]);
		*VEC_PUSH(a, &p->picked) = (struct packed){best, request_pack_score(&r[best])};
		p->tokens += c[best].memory.tokens;
	}
}
