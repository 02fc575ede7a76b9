/*
 * alike: compares texts: near-duplicates, and texts that make the same statement.
 */
#pragma once

#include "memory/memory.h"
#include "words/words.h"

/* How alike two texts are, from 0 to 1: the Jaccard index over shingles of three stems. */
struct memory_shingles;
struct memory_shingles *memory_shingles(struct words *w, struct arena *a, struct str text);
double memory_similarity(const struct memory_shingles *a, const struct memory_shingles *b);
#define MEMORY_SAME 0.95 /* near-duplicates are at least so alike */
/* How many of `all` shingles of two near-duplicates may be in only one of them. */
static inline size_t shingles_max_misses(size_t all)
{
	return (size_t)((double)all * (1 - MEMORY_SAME) / (1 + MEMORY_SAME) + 1e-9);
}
/* Whether memory_similarity() is at least MEMORY_SAME. Much faster when it is not. */
bool shingles_are_near_duplicates(const struct memory_shingles *a, const struct memory_shingles *b);
/*
 * Whether two texts have the same words in the same order, apart from case, punctuation, inflection
 * and articles. One other number or one "never" is enough for false, however long the texts are.
 */
bool memory_same_statement(struct words *w, struct str x, struct str y);

/*
 * A summary of a text, made word by word without extra words. It shows for most pairs of texts that
 * they are no near-duplicates, before their shingles are made.
 */
struct outline {
	uint64_t bits; /* a bit for each three words in a row, chosen by their first bytes */
	size_t n;      /* words */
	uint64_t last; /* the first bytes of the last three words */
};
void text_sketch_add_word(struct outline *o, struct str word);
/*
 * True: the texts are no near-duplicates. False: unknown. Inline, because every pair of hits is
 * compared.
 */
static inline bool text_sketches_differ(const struct outline *a, const struct outline *b)
{
	size_t misses = shingles_max_misses(a->n + b->n);
	uint64_t bits = a->bits ^ b->bits;

	/* Each bit that only one outline has is a shingle that the other text lacks. */
	for (; bits && misses; misses--)
		bits &= bits - 1;
	return bits;
}
