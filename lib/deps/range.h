/*
 * range: versions as keys and ranges as intervals of keys; private to the module.
 *
 * A version becomes a string of bytes whose order, byte by byte, is the order of its ecosystem,
 * and of which no one is the beginning of another. So a cut between versions is a string too: a
 * key stands before its version, a key and a byte 0xff behind it, the beginning of a key before
 * all versions that begin so. A range is a union of intervals [lo, hi) of such cuts.
 *
 * Ranges are sets of the order: "<2.0.0" holds 2.0.0-rc.1. The rule of npm, pip and Cargo that
 * pre-releases are not chosen unless asked for is not applied, since one that is there counts.
 */
#ifndef IKM_DEPS_RANGE_H
#define IKM_DEPS_RANGE_H

#include "base/base.h"
#include "deps/deps.h"

struct interval {
	struct str lo, hi;
};

struct deps_range {
	enum deps_ecosystem ecosystem;
	struct interval *p; /* sorted, apart from each other */
	size_t n, cap;
};

/* Behind every version. */
#define CUT_HIGHEST STR("\xff")

/* The cut behind all that begins with the key. */
struct str cut_after(struct arena *a, struct str key);
/* Adds a decimal number of any length, so that the order of bytes is that of numbers. */
void key_number(struct buf *b, struct str digits);
/* The number plus one. */
struct str number_next(struct arena *a, struct str digits);
/* Takes decimal digits off the front; false when there are none. */
bool number_parse(struct str *s, struct str *digits);

void range_add(struct arena *a, struct deps_range *r, struct str lo, struct str hi);
/* Sorts and joins; to be called after the last range_add(). */
void range_settle(struct deps_range *r);
/* What both have; settled when both are. */
void range_intersect(struct arena *a, const struct deps_range *x, const struct deps_range *y,
		     struct deps_range *out);
/* BAD_PATTERN: `part` of the range `text` is wrong. */
struct err *range_bad(enum deps_ecosystem e, struct str text, struct str part,
		      const char *why) MUST_USE;

/* One version; false when the text is none. */
bool semver_key(struct arena *a, struct str text, struct str *key);
bool pep440_key(struct arena *a, struct str text, struct str *key);
bool gem_key(struct arena *a, struct str text, struct str *key);

/* Fill an empty range. npm's grammar also serves Go; Cargo has commas and ^ where nothing
 * stands. */
struct err *semver_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *pep440_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *gem_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;

#endif
