/*
 * rank: computes how well a memory answers a question, with fitted weights (ikm-design(7),
 * "Ranking"). Inside lib/memory/memory.
 */
#pragma once

#include "index/index.h"
#include "memory/alike.h"
#include "recall/question_analysis.h"
#include "recall/search.h"

/*
 * The weights. Each multiplies a feature from 0 to 1; the sum is a memory's points.
 * t/perf/recall-fit.c fits them on two conversations of LoCoMo: they make the turns of the answer
 * most likely among the turns of their conversation. WORDS and PHRASE are above the fit, for
 * memories that are no turns. PASSAGE in rank.c, RANK_K1, PHRASES, the weights of ALONE and the
 * rule about the turn before are chosen by the tuned halves of the shapes of t/perf/recall.c, and
 * kept because the held-out halves gain, VECTOR likewise with a model. TAG, GATE and STATE are
 * chosen. These features brought no gain: the turns after, the length, whether the turn itself asks
 * something, words of one family; other passages, k1 and b for long texts.
 */
#define RANK_WORDS    2.0  /* BM25, divided by the most that the question can reach */
#define RANK_K1       2.0  /* BM25's k1 in points; lib/store/index selects candidates by INDEX_K1 */
#define RANK_COVERAGE 5.0  /* the part of the question's words in its best passage, by idf */
#define RANK_PHRASE   1.0  /* words that stand together both in the question and in it */
#define RANK_PHRASES  2.0  /* the same in a memory of RANK_LONG words, or that stands alone */
#define RANK_TAG      0.9  /* factor for a word that only a tag has, below a word of the content */
#define RANK_BEFORE   3.0  /* BM25 of the turn before: an answer seldom repeats the question */
#define RANK_BEFORE2  5.0  /* BM25 of the turn before that */
#define RANK_ANSWER   9.0  /* BM25 of the turn before, if that turn asks something */
#define RANK_SESSION  11.0 /* the best BM25 beside it, or in its conversation; or its own */
#define RANK_SPEAKER  1.5  /* the question names its speaker */
#define RANK_DATE     10.0 /* it happened at the time that the question names */
#define RANK_WHEN     2.8  /* the question asks for a time, and the text names a time */
#define RANK_GATE     4.0  /* points of words from which on speaker and date count in full */
#define RANK_VECTOR   2.0  /* how far its vector stands out; with 6 a small model hurts turns */
#define RANK_STATE    0.9  /* factor for superseded, expired and conflicting memories */
#define RANK_AGAINST  0.8  /* factor for a fact that denies what the question says */
#define RANK_BRANCH   0.8  /* factor for memories of a branch that HEAD does not have */

/*
 * Of a memory that stands alone: a fact or a document, neither a turn nor an entry of a log. The
 * weights are the same for every length: a second set from some length on would rank a document of
 * that length above a slightly shorter one.
 */
#define RANK_ALONE_K1       2.5
#define RANK_ALONE_B        0.9 /* a long document has each word more often by chance */
#define RANK_ALONE_COVERAGE 2.0 /* the part of the question's words in its best passage */
#define RANK_ALONE_LEAD     4.0 /* the same in its first passage and its tags, as in a title */

/*
 * BM25 of another memory counts in part. Beside a memory are those stored within RANK_BESIDE places
 * of it: turns of its conversation, or entries of a log that belongs to no conversation.
 */
#define RANK_BESIDE   3
#define RANK_FADES    0.9 /* factor for each place */
#define RANK_LATER    0.8 /* factor for an entry that tells of a time further off than RANK_CLOSE */
#define RANK_CLOSE    3600000 /* ms; entries further apart follow no question */
#define RANK_TOGETHER 0.85    /* factor for a turn that is elsewhere in the conversation */
#define RANK_NAME     40      /* bytes before the colon in "Ada: yes" that may be a speaker */

/*
 * The score. First the best memory: whether it answers the question. t/perf/recall-fit.c fits the
 * numbers of struct rank_answer by logistic regression over questions that the texts answer, and
 * questions about something else. A wrong "no" weighs as much as the results that it hides. The
 * score is 0.7 where `at` says. The others are company of the best: their scores follow from their
 * share of its points. So if the best reaches the default threshold, its company does, too, but not
 * what only a vector tells of.
 */
enum { RANK_ANSWER_TERMS = 5 };
struct rank_answer {
	/* constant, then for each of rank_answer_features() */
	double terms[RANK_ANSWER_TERMS];
	double at; /* the sum at which a score is RANK_REACHED */
	/*
	 * It is told as an answer from this score on, and if it has this part of the question. A
	 * text of more than RANK_ONE_THING words says many things, and lacks words of any question.
	 */
	double sure, has;
};
/* By the best memory: a short turn or entry of a log, a short fact, a text of RANK_LONG words. */
enum rank_group { RANK_TURNS, RANK_FACTS, RANK_TEXTS, RANK_GROUPS };
extern const struct rank_answer rank_answer[RANK_GROUPS];
#define RANK_LONG      150
#define RANK_ONE_THING 30
#define RANK_REACHED   0.7  /* the default threshold */
#define RANK_SLOPE     0.5  /* spreads the scores; 0.7 stays where it is */
#define RANK_MOST      0.99 /* words prove nothing for certain */
#define RANK_NEAR      0.1  /* of a memory that only its vector finds */
#define RANK_SCALE     2.99 /* memory queries add points to recency: 1 - exp(-points / this) */

#define RANK_NONE SIZE_MAX

/* ---- ranking ---- */

/*
 * Whether a memory passes the filter of the search. With `strict` a superseded memory is no hit,
 * but the memory that replaced it may be one.
 */
enum meant_answer { MEANT_NOT, MEANT_BY_REPLACEMENT, MEANT_HIT };
/* A candidate, or a neighbour of a candidate. */
struct ranked {
	const struct memory *memory;
	struct outline outline;
	struct memory_shingles *shingles;           /* made when first needed */
	double words, coverage, lead, phrase, near; /* 0 to 1; near: of its vector */
	double found;                  /* words of the question that it has; stand-ins less */
	double covered;                /* the part of the question that it has, by idf: 0 to 1 */
	const struct memory *replaced; /* which it replaced, and whose words count too; or NULL */
	double meaning;                /* 0 to 1: how near it is in meaning, if search.c looked */
	uint32_t length;               /* in words that are not extra */
	/* has a question mark; names a time; the question names its speaker */
	bool asks, tells_time, speaks;
	bool against; /* a short text with "not" for a question without, or the other way round */
	enum meant_answer meant; /* whether it may be a hit, itself or by what replaced it */
	enum memory_state state; /* at the time that the search refers to */
	size_t before;           /* index of the turn before it in the list, or RANK_NONE */
	int64_t place; /* in its log: 1 more for each memory of its scope that was stored between */
	struct memory_parts parts;
	const struct memory *doubted_by; /* a newer one that may give another value, or NULL */
	double timely; /* 0 to 1: how well its time fits a question that only names a time */
	double points, score;
	bool sure;    /* may be told as an answer: the best memory is one */
	bool relates; /* a memory that it replaced has to do with the question */
};
struct ranked_list VEC(struct ranked);

/* Buffers to measure texts against a plan; allocated in `a`. */
struct ranking;
struct ranking *ranking_new(struct arena *a, struct words *w, struct plan *p);
/*
 * Sets the features that the text of r->memory gives: words, coverage, lead, phrase, outline,
 * asks, tells_time, speaks, against. Unless r->meant is MEANT_NOT, the plan's terms in the text are
 * marked as seen.
 */
void rank_set_features(struct ranking *m, struct ranked *r);
/* Computes points and parts of all memories in the list from their features. */
void rank_all(const struct plan *p, struct arena *scratch, struct ranked_list *all);
/* By which numbers rank_scores() decides, if this memory is the best. Needs r->length. */
enum rank_group rank_group_of(const struct ranked *r);
/*
 * The terms by which rank_scores() decides whether a memory answers:
 * - 1
 * - its points without those of its vector: to some models every text is near every other;
 *   without those of its time, too, if the question only names a time
 * - how many words of the question it has
 * - the part of the question's words that no memory has; for a long memory how many there are
 * - the part of the question in its best passage; for a long memory the idf of the words of the
 *   question that the passage has not
 * The size of the store is none of them: what is stored besides says nothing of an answer.
 */
void rank_answer_features(const struct plan *p, const struct ranked *r, double *terms);
/*
 * Sets the scores of a list in the order of rank_order(), and `sure`. Returns the memory that is
 * best by its words; NULL if there is none, or the question only names a time: then a memory of
 * that time has RANK_REACHED at least, and the list is put in the order of the scores, what
 * happened last first.
 */
const struct ranked *rank_scores(const struct plan *p, struct ranked_list *sorted);
/* What a memory with a score says to the question. */
enum memory_relevance rank_relevance(const struct ranked *r);
/* Whether the memory is a turn of a conversation. */
bool rank_is_conversation_turn(const struct memory *one);
/* Whether it is an entry of a log: an episodic memory that is no turn. */
bool rank_is_log_entry(const struct memory *one);
/* Whether one entry of a log continues the other: same log, and about the same time. */
bool rank_continues_log(const struct memory *one, const struct memory *other);
/*
 * For qsort, best first: what more than its vector tells of, points, precedence of the layer,
 * newest, id. No two are equal, so the order is stable.
 */
int rank_order(const void *x, const void *y);
/*
 * Drops near-duplicates from a sorted list. The more specific layer's memory stays, at the better
 * place.
 */
void ranked_drop_alike(struct words *w, struct arena *a, struct ranked_list *best);
/*
 * Puts the newer of two short facts with the same subject before the older: "the port is 9443",
 * "the port is 8443". Nobody has said that one supersedes the other, so both stay. Sets doubted_by
 * of the first ones: of two short facts the newer may give another value of what the older states.
 */
void ranked_put_newer_fact_first(struct words *w, struct ranked_list *best);
