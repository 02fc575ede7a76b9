#include "memory/rank.h"

enum { SHINGLE = 3 };

struct memory_shingles {
	uint64_t *p;
	size_t n;
	bool sorted; /* and each once */
	uint64_t bits; /* one that each shingle names: tells most texts apart at once */
};

static int by_value(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

struct memory_shingles *shingles_of(struct arena *a, const struct word_list *words)
{
	struct memory_shingles *s = ARENA_NEW(a, struct memory_shingles);
	uint64_t *p = arena_array(a, words->n, sizeof(uint64_t));
	size_t n = 0, each;

	s->p = p;
	for (size_t i = 0; i < words->n; i++)
		if (!words->p[i].extra)
			p[n++] = words->p[i].term;
	each = size_min(n, SHINGLE);
	s->n = n ? n - each + 1 : 0;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t h = 0;

		for (size_t k = 0; k < each; k++)
			h = (h ^ p[i + k]) * UINT64_C(0x9E3779B97F4A7C15) + k;
		s->p[i] = h; /* what was here is not needed any more */
		s->bits |= UINT64_C(1) << (h >> 58);
	}
	return s;
}

static void sort(struct memory_shingles *s)
{
	size_t kept = 0;

	if (s->sorted)
		return;
	qsort(s->p, s->n, sizeof(uint64_t), by_value);
	for (size_t i = 0; i < s->n; i++)
		if (!i || s->p[i] != s->p[i - 1])
			s->p[kept++] = s->p[i];
	s->n = kept;
	s->sorted = true;
}

struct memory_shingles *memory_shingles(struct words *w, struct arena *a, struct str text)
{
	struct word_list words = {0};
	struct memory_shingles *s;

	words_read_terms(w, a, text, &words);
	s = shingles_of(a, &words);
	sort(s);
	return s;
}

/* How many both have; gives up once more than `misses` are in one of them alone. */
static size_t common(const struct memory_shingles *a, const struct memory_shingles *b,
		     size_t misses)
{
	size_t i = 0, j = 0, both = 0;

	while (i < a->n && j < b->n && i + j - 2 * both <= misses) {
		bool left = a->p[i] <= b->p[j], right = b->p[j] <= a->p[i];

		both += left && right;
		i += left;
		j += right;
	}
	return both;
}

double memory_alike(const struct memory_shingles *a, const struct memory_shingles *b)
{
	size_t both = common(a, b, SIZE_MAX);

	return both ? (double)both / (double)(a->n + b->n - both) : 0;
}

/* both / (all - both) >= SAME leaves so many that only one of them has. */
static size_t misses_of(size_t all)
{
	return (size_t)((double)all * (1 - MEMORY_SAME) / (1 + MEMORY_SAME) + 1e-9);
}

bool shingles_same(struct memory_shingles *a, struct memory_shingles *b)
{
	size_t both, misses;

	/* A bit that one of them has is a shingle that the other has not. */
	if ((size_t)__builtin_popcountll(a->bits ^ b->bits) > misses_of(a->n + b->n))
		return false;
	sort(a);
	sort(b);
	misses = misses_of(a->n + b->n);
	if (size_max(a->n, b->n) - size_min(a->n, b->n) > misses)
		return false;
	both = common(a, b, misses);
	return both && (double)both >= MEMORY_SAME * (double)(a->n + b->n - both);
}
