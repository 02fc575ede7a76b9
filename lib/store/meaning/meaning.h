/*
 * meaning: word vectors of English, a table in the program (ikm-design(7), "Meaning"). It tells how
 * alike two words are in meaning: "parcel" and "shipment". t/perf/meaning-fit.mjs makes the table;
 * LICENSE has the notices of its sources. The program maps it, and only searches that need it read
 * it. This module knows no store.
 */
#pragma once

#include "base/base.h"

/* Numbers of a vector of length 1. The table has each times MEANING_ONE, rounded. */
#define MEANING_NUMBERS 64
#define MEANING_ONE     254.0

/* The vector of a folded word; NULL: the table lacks the word. Valid forever. */
const signed char *meaning_vector_of_word(struct str word);
/* The cosine of two vectors, -1 to 1, exact to about 0.01. */
double meaning_cosine(const signed char *x, const signed char *y);

struct meaning_near {
	struct str word;
	double cosine;
};
struct meaning_nears VEC(struct meaning_near);
/*
 * Finds the words whose cosine with the vector is above `least`, without the vector's own word: at
 * most `max`, the nearest first, equally near ones in alphabetical order.
 */
void meaning_nearest_words(struct arena *a, const signed char *vector, double least, size_t max,
			   struct meaning_nears *out);
