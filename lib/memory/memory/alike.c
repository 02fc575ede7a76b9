/* Compares texts: near-duplicates, and texts that make the same statement. */
#include "memory/alike.h"

enum { SHINGLE = 3 };

struct memory_shingles { /* sorted, without repeats */
	uint64_t *p;
	size_t n, cap;
};

struct terms {
	struct arena *a;
	struct memory_shingles *out;
	bool statement; /* without weightless words */
};

/*
 * Words that do not change a statement. All others may: a number, a name, "never", "from". Sorted.
 */
static const char *const weightless[] = {
	"a",    "an",   "au",    "aux",   "das",   "dem",  "den",   "der", "des", "du",
	"ein",  "eine", "einem", "einen", "einer", "el",   "just",  "les", "los", "so",
	"that", "the",  "then",  "there", "these", "this", "those", "une", "very"};

static int weightless_compare(const void *key, const void *element)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)element));
}

static void alike_add_term(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct terms *t = ctx;

	if (extra || (t->statement && bsearch(&word, weightless, ARRAY_SIZE(weightless),
					      sizeof(*weightless), weightless_compare)))
		return;
	*VEC_PUSH(t->a, t->out) = term;
}

struct memory_shingles *memory_shingles(struct words *w, struct arena *a, struct str text)
{
	struct memory_shingles *s = ARENA_NEW(a, struct memory_shingles);
	struct terms t = {a, s, false};
	size_t each, n, kept = 0;

	words_each_with_sieve(w, text, NULL, alike_add_term, &t);
	each = size_min(s->n, SHINGLE);
	n = s->n ? s->n - each + 1 : 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t h = 0;

		for (size_t k = 0; k < each; k++)
			h = (h ^ s->p[i + k]) * UINT64_C(0x9E3779B97F4A7C15) + k;
		s->p[i] = h; /* the term at i is not needed any more */
	}
	words_sort_terms(s->p, n);
	for (size_t i = 0; i < n; i++)
		if (!i || s->p[i] != s->p[i - 1])
			s->p[kept++] = s->p[i];
	s->n = kept;
	return s;
}

/*
 * Counts the shingles that both texts have. It stops when more than `misses` are in only one text.
 */
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

double memory_similarity(const struct memory_shingles *a, const struct memory_shingles *b)
{
	size_t both = common(a, b, SIZE_MAX);

	return both ? (double)both / (double)(a->n + b->n - both) : 0;
}

bool shingles_are_near_duplicates(const struct memory_shingles *a, const struct memory_shingles *b)
{
	size_t misses = shingles_max_misses(a->n + b->n), both;

	if (size_max(a->n, b->n) - size_min(a->n, b->n) > misses)
		return false;
	both = common(a, b, misses);
	return both && (double)both >= MEMORY_SAME * (double)(a->n + b->n - both);
}

/* ---- the same statement ---- */

bool memory_same_statement(struct words *w, struct str x, struct str y)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct memory_shingles left = {0}, right = {0};
	struct terms tx = {a, &left, true}, ty = {a, &right, true};

	words_each_with_sieve(w, x, NULL, alike_add_term, &tx);
	words_each_with_sieve(w, y, NULL, alike_add_term, &ty);
	return left.n == right.n && (!left.n || !memcmp(left.p, right.p, left.n * sizeof(*left.p)));
}

/* ---- outlines ---- */

void text_sketch_add_word(struct outline *o, struct str word)
{
	enum { LAST = (1 << 8 * SHINGLE) - 1 };

	o->last = (o->last << 8 | (unsigned char)word.p[0]) & LAST;
	if (++o->n >= SHINGLE)
		o->bits |= UINT64_C(1) << (o->last * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}
