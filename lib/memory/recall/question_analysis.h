/*
 * question_analysis: analyses a question: its words, stand-ins for words that the index does not
 * have, speakers and dates (ikm-design(7), "Query planning"). Inside lib/memory/memory.
 */
#pragma once

#include "index/index.h"
#include "memory/memory.h"

/* ---- dates ---- */

/* A time in a question: an interval, or a month or a day in any year. */
struct date {
	int64_t from, to; /* ms, [from, to); unused with a month */
	int month, day;   /* of any year; month 0: none, day 0: the whole month */
	double weight;    /* 1; less for a vague time such as a year */
	bool relative;    /* told as seen from now: its words say nothing else */
	size_t at, words; /* its place in the question: the first word, and how many */
};
#define DATES_MAX 8 /* further dates are ignored */
struct dates {
	struct date p[DATES_MAX];
	size_t n;
};
/*
 * Finds times in the words of a question, extra words excluded, in seven languages.
 * now: the time that "last week" refers to. Days are those of the user's zone.
 */
void question_find_dates(struct arena *a, const struct word_list *words, int64_t now,
			 struct dates *out);
/*
 * How well a memory of this time fits: 1 inside an interval, less near it, because people tell of
 * events later.
 */
double dates_match_score(const struct dates *d, int64_t happened);
/* The same without weights: what fits a year fits it fully. */
double dates_match_score_unweighted(const struct dates *d, int64_t happened);
/*
 * The intervals of the dates. years: a month or a day of any year gives the intervals of so many
 * years before now, the newest first; 0: none. Returns their number.
 */
struct date_span {
	int64_t from, to; /* ms, [from, to) */
};
#define DATES_YEARS 10
size_t dates_spans(const struct dates *d, int64_t now, int years,
		   struct date_span out[DATES_MAX * DATES_YEARS]);
/* Whether a word names a time: "yesterday", "may"; of other languages a month or weekday, "mai". */
bool date_word_names_time(struct str word, bool english);
/* Whether a word is a number from one on, in digits or in words. */
bool date_word_is_number(struct str word);

static inline bool word_has_digit(struct str w)
{
	for (size_t i = 0; i < w.n; i++)
		if (ascii_is_digit(w.p[i]))
			return true;
	return false;
}

/* Whether a list such as "now|moved" has the word. */
bool word_is_listed(struct str word, const char *list);

/* ---- the plan ---- */

#define PLAN_ALIKE 0.5 /* the cosine from which on two words may mean one thing */

/* A significant word of the question; each stem once. */
struct plan_slot {
	struct str text;
	uint64_t term;
	double weight; /* 1; less for a speaker's name, which others say more often */
	double idf;
	/* How much it counts that a short fact lacks it: see plan_count(). */
	double sought;
	double best;                /* the most that a term of it weighs; 0: no memory has one */
	const signed char *meaning; /* its vector, if the table of lib/store/meaning has it */
	bool name;                  /* of a speaker */
	bool proper;   /* a name: a capital in the middle of a sentence, or no other word */
	bool dated;    /* of a time */
	bool number;   /* it has a digit */
	bool definite; /* behind a determiner: "the new server", "Ada's car" */
	bool extra;    /* repeats other slots: it finds memories, and does not measure them */
	size_t place;  /* index of the word in the question; not for extra words */
};
struct plan_slots VEC(struct plan_slot);
/* A term of the query to the index. */
struct plan_term {
	uint64_t term;
	struct str text;
	size_t slot;
	double weight, idf; /* idf: of the slot, with all its forms */
	double asked; /* the weight in the query to the index, which uses the term's own idf */
	bool stand_in;
	bool seen; /* a memory that passes the filter has it: only then show the text */
};
struct plan_terms VEC(struct plan_term);
struct plan {
	struct index_view *view; /* a view of the index, until the transaction ends */
	const int64_t *scopes;   /* the scopes of the view that have memories */
	size_t n_scopes;
	struct word_list words; /* the question's words, without extra words */
	struct plan_slots slots;
	size_t left_out;          /* significant words of a long question that do not count */
	struct plan_terms terms;  /* sorted by term */
	struct words_sieve sieve; /* lets the words of the terms through */
	double most;              /* sum of weight * idf over the slots that are not extra */
	double asked, missing; /* words, by weight; those that no memory has; stand-ins in part */
	double mean_length;    /* words of a memory */
	uint64_t *speakers;    /* marks of the speakers that the question names */
	size_t n_speakers;
	struct dates dates;
	bool measured; /* it asks how much or how many: an answer has a number */
	bool lasting;  /* it asks how long: an answer has a number, or an hour, or a day */
	bool why;      /* an answer has a word such as "because" */
	bool who;      /* an answer has a name that the question has not, or "the nurse" */
	bool which;    /* the question asks who or which one */
	bool when;     /* the question asks for a time */
	bool past;     /* it names a time such as "yesterday", which no text says for long */
	/* It asks what happened at a time, and says nothing else but perhaps who speaks. */
	bool only_time;
};
/*
 * Call it within a read. now: the time that relative dates refer to. scopes: those of the index,
 * by which words are counted.
 */
struct err *search_plan_make(struct memories *m, struct arena *a, struct str query, int64_t now,
			     const int64_t *scopes, size_t n_scopes, struct plan *out) MUST_USE;
/* The terms with this number, or NULL; *n: how many. A word can stand in for two slots. */
struct plan_term *search_plan_find_term(const struct plan *p, uint64_t term, size_t *n);
