/* interval: ranges as intervals, [1.0,2.0), of Maven, Gradle and NuGet. Private to deps. */
#ifndef IKM_DEPS_INTERVAL_H
#define IKM_DEPS_INTERVAL_H

#include "deps/range.h"

struct interval_kind {
	enum deps_ecosystem ecosystem;
	bool (*key)(struct arena *a, struct str text, struct str *key);
	/* The cuts before and behind all versions that begin with the text: "1.2" of "1.2.+". */
	bool (*prefix)(struct arena *a, struct str text, struct str *lo, struct str *hi);
	char any;     /* the character of such a prefix: + or * */
	bool minimum; /* a version alone is the lowest one, and not the only one */
};

/*
 * [a,b], (a,b), ]a,b[, (,b], [a] and unions of them; a version alone; a prefix. Also npm's
 * comparators >=, >, <=, <, = and != with blanks or commas between, and || between alternatives.
 */
struct err *interval_range(struct arena *a, const struct interval_kind *kind, struct str text,
			   struct deps_range *r) MUST_USE;

#endif
