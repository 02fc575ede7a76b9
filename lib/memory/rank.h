/*
 * rank: how well a memory answers a question, and the weights that say so (ikm-design(7),
 * "Ranking").
 * Inside lib/memory.
 */
#ifndef IKM_MEMORY_RANK_H
#define IKM_MEMORY_RANK_H

#include "memory/plan.h"
#include "memory/search.h"

/*
 * The one table of weights. Each multiplies a feature of 0 to 1; the sum is a memory's points.
 * Fitted by "recall fit" (t/perf/recall.c) on the turns of two of LoCoMo's conversations: those
 * that make the turns of the answer most likely among their conversation's, by logistic regression
 * over lists; rounded. WORDS and PHRASE are a little more than fitted, for memories that are no
 * turns; GATE, VECTOR and STATE are chosen. Also tried, and no gain on the other conversations: the
 * turns after it, length, whether it asks something itself.
 */
#define RANK_WORDS    2.0  /* BM25, over what the question could reach at the most */
#define RANK_COVERAGE 5.0  /* the part of the question's words that it has, by how rare they are */
#define RANK_PHRASE   1.0  /* words that stand together in the question and in it */
#define RANK_TAG      0.9  /* chosen: of a word that only a tag has; a text about it goes before */
#define RANK_BEFORE   3.0  /* BM25 of the turn before it: an answer seldom repeats the question */
#define RANK_BEFORE2  5.0  /* of the turn before that */
#define RANK_ANSWER   9.0  /* of the turn before, when that asks something */
#define RANK_SESSION  11.0 /* the best BM25 in its conversation; its own when it stands alone */
#define RANK_SPEAKER  1.5  /* who says it is named in the question */
#define RANK_DATE     10.0 /* it happened when the question says */
#define RANK_WHEN     2.8  /* the question asks for a time and it tells one */
#define RANK_GATE     4.0  /* points of words that a speaker and a date need to count in full */
#define RANK_VECTOR   6.0  /* the cosine: about 0.3 of what words can reach */
#define RANK_STATE    0.9  /* what is left to what is superseded, expired or in conflict */

/*
 * The scale: score = 1 - exp(-points / RANK_SCALE), so that the default threshold of 0.7 is at
 * 3.6 points: of the turns that answer a question and are among the first five one in fifty does
 * not reach it, and of questions about another conversation three in four find nothing that does.
 */
#define RANK_SCALE 2.99

#define RANK_NONE SIZE_MAX

/* ---- near-duplicates ---- */

/* Of two that are MEMORY_SAME, so many of all their shingles may be in one of them alone. */
static inline size_t shingles_misses(size_t all)
{
	return (size_t)((double)all * (1 - MEMORY_SAME) / (1 + MEMORY_SAME) + 1e-9);
}
/* memory_alike() is MEMORY_SAME at the least; much faster when it is not. */
bool shingles_same(const struct memory_shingles *a, const struct memory_shingles *b);
/*
 * The same words in the same order, but for case, punctuation, inflection and articles. However
 * long two texts are, one number or one "never" makes them two statements.
 */
bool memory_same_statement(struct words *w, struct str x, struct str y);

/*
 * Of a text as it is read, word by word without the extra ones: enough to tell most texts apart
 * that are no near-duplicates, before their shingles are made.
 */
struct outline {
	uint64_t bits; /* one for each three words in a row, by how they begin */
	size_t n;      /* words */
	uint64_t last; /* how the last three begin */
};
void outline_add(struct outline *o, struct str word);
/* False says nothing. Here, for it is asked of each two that were found. */
static inline bool outlines_differ(const struct outline *a, const struct outline *b)
{
	size_t misses = shingles_misses(a->n + b->n);
	uint64_t bits = a->bits ^ b->bits;

	/* A bit that one of them has is a shingle that the other has not. */
	for (; bits && misses; misses--)
		bits &= bits - 1;
	return bits;
}

/* ---- ranking ---- */

/* A memory that may answer, or stands beside one that may. */
struct ranked {
	const struct memory *memory;
	struct outline outline;
	struct memory_shingles *shingles;       /* made when they are needed */
	double words, coverage, phrase, cosine; /* 0 to 1 */
	bool asks, tells_time, speaks; /* has a question mark; tells a time; its speaker is named */
	bool meant;                    /* may be a hit */
	enum memory_state state;       /* at the time that is asked about */
	size_t before;                 /* the turn before it among the ranked, or RANK_NONE */
	struct memory_parts parts;
	double points;
};
struct ranked_list {
	struct ranked *p;
	size_t n, cap;
};

/* What texts are measured with by one plan; in `a`. */
struct ranking;
struct ranking *ranking_new(struct arena *a, struct words *w, struct plan *p);
/*
 * Of r->memory: words, coverage, phrase, outline, and what can be told from the text alone. When it
 * is meant, the plan's terms that it has are marked as seen.
 */
void rank_measure(struct ranking *m, struct ranked *r);
/* Points and parts of all, from what was measured. */
void rank_all(const struct plan *p, struct arena *scratch, struct ranked_list *all);
double rank_score(double points);
/* It is a turn: those beside it count. What else is stored in a conversation stands alone. */
bool rank_talks(const struct memory *one);
/* Best first: points, precedence of the layer, newest, id; all different, so always the same. */
int rank_order(const void *x, const void *y);

#endif
