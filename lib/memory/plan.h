/*
 * plan: what a question asks for: its words with what stands in for those that the index does not
 * have, the speakers it names, the dates it tells (ikm-design(7), "Query planning"). Inside
 * lib/memory.
 */
#ifndef IKM_MEMORY_PLAN_H
#define IKM_MEMORY_PLAN_H

#include "index/index.h"
#include "memory/memory.h"

/* ---- dates ---- */

/* A time that a question tells: an interval, or a month (and a day of it) of any year. */
struct date {
	int64_t from, to; /* ms, [from, to); to 0: of any year */
	int month, day;   /* of any year; day 0: the whole month */
	double weight;    /* 1; less for what says little, as a year does */
};
#define DATES_MAX 8 /* more of them tell nothing apart */
struct dates {
	struct date p[DATES_MAX];
	size_t n;
};
/* The words of a question without extra ones, and the time that "last week" is seen from. */
void dates_read(const struct word_list *words, int64_t now, struct dates *out);
/* How well a memory of this time fits: 1 in the interval, less shortly after it, when it is
 * told. */
double dates_match(const struct dates *d, int64_t happened);
/* Whether a word of a text tells a time: "yesterday", "May". */
bool date_is_told(struct str word);

/* ---- the plan ---- */

/* A word of the question that says something; each stem once. */
struct plan_slot {
	struct str text;
	uint64_t term;
	double weight; /* 1; less for the name of who speaks, which others say of him */
	double idf;
	bool name;
	bool extra;   /* says again what others say: found by, not measured by */
	size_t place; /* among the words of the question; of an extra one nothing */
};
struct plan_slots {
	struct plan_slot *p;
	size_t n, cap;
};
/* What is asked of the index. */
struct plan_term {
	uint64_t term;
	struct str text;
	size_t slot;
	double weight, idf;
	bool stand_in;
	bool seen; /* in a memory that may be seen: only then the text may be told */
};
struct plan_terms {
	struct plan_term *p;
	size_t n, cap;
};
struct plan {
	struct index_view *view; /* of the index, until db_read() ends */
	struct word_list words;  /* of the question, without extra ones */
	struct plan_slots slots;
	struct plan_terms terms;  /* sorted by term */
	struct words_sieve sieve; /* lets their words through */
	double most;              /* sum of weight times idf over the slots that measure */
	double mean_length;
	uint64_t *speakers; /* marks of those who are named */
	size_t n_speakers;
	struct dates dates;
	bool when; /* asks for a time */
};
/*
 * now: what relative dates are seen from. elsewhere: terms that the index has, but no memory that
 * is meant; they are as those that it has not. Within db_read().
 */
struct err *plan_make(struct memories *m, struct arena *a, struct str query, int64_t now,
		      const uint64_t *elsewhere, size_t n_elsewhere, struct plan *out) MUST_USE;
/* The terms of this number, or NULL; *n of them: a word can stand in for two. */
struct plan_term *plan_find(const struct plan *p, uint64_t term, size_t *n);

#endif
