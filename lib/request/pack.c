/* Ranks results, and packs the best into limit and budget (ikm-design(7), "Memory queries"). */
#include "os/os.h"
#include "request/private.h"

#define RELEVANCE   0.40
#define RECENCY     0.25
#define IMPORTANCE  0.25
#define DUPLICATION 0.10

struct ranked {
	double base;        /* the score without the penalty for repetition */
	double duplication; /* the highest similarity to a picked candidate */
	const struct memory_shingles *shingles;
	bool gone; /* picked or skipped */
};

double pack_recency(int64_t age_ms, int64_t tau_days)
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

void pack(struct packing *p, struct arena *a, struct words *words, const struct candidate *c,
	  size_t n)
{
	struct ranked *r = arena_array(a, size_max(n, 1), sizeof(*r));
	size_t rank = 0;

	p->picked = p->dropped = (struct packed_list){0};
	p->tokens = 0;
	for (size_t i = 0; i < n; i++) {
		const struct memory *m = &c[i].memory;

		r[i].base = RELEVANCE * c[i].relevance +
			    RECENCY * pack_recency(p->now - m->happened, p->tau_days) +
			    IMPORTANCE * m->importance;
		/* Memories are never cut, so a memory over the whole budget is never picked: do not
		 * compare it. */
		if (words && m->tokens <= p->budget)
			r[i].shingles = memory_shingles(words, a, m->content);
	}
	while (p->picked.n < p->limit) {
		size_t best = n;

		for (size_t i = 0; i < n; i++)
			if (!r[i].gone && (best == n || before(c, r, i, best)))
				best = i;
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
		*VEC_PUSH(a, &p->picked) = (struct packed){best, request_pack_score(&r[best])};
		p->tokens += c[best].memory.tokens;
		for (size_t i = 0; r[best].shingles && i < n; i++)
			if (!r[i].gone && r[i].shingles)
				r[i].duplication =
					fmax(r[i].duplication,
					     memory_alike(r[i].shingles, r[best].shingles));
	}
}
