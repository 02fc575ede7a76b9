/*
 * range: versions as keys and ranges as intervals of keys. Private to deps.
 *
 * A version becomes a string of bytes that sorts bytewise in the order of its ecosystem, and no key
 * is a prefix of another. So a cut between versions is a string too: a key lies before its version,
 * a key with a byte 0xff behind it, and the prefix of a key before all versions that begin with it.
 * A range is a union of intervals [lo, hi) of such cuts.
 *
 * Ranges are sets in that order: "<2.0.0" holds 2.0.0-rc.1. The rule of npm, pip and Cargo that a
 * pre-release is chosen only on request does not apply, because an installed pre-release counts.
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
	struct interval *p; /* sorted, disjoint */
	size_t n, cap;
};

/* How an ecosystem orders versions and writes ranges. */
struct versions {
	bool (*key)(struct arena *a, struct str text, struct str *key);
	struct err *(*range)(struct arena *a, struct str text, struct deps_range *r);
	const char *syntax;
};
extern const struct versions versions_npm, versions_pypi, versions_go, versions_cargo, versions_gem,
	versions_terraform, versions_meson, versions_hex, versions_conda, versions_nuget,
	versions_composer, versions_maven, versions_tag;

/* Behind every version. */
#define CUT_HIGHEST STR("\xff")

/* The cut behind all versions whose keys begin with the key. */
struct str cut_after(struct arena *a, struct str key);
/* Appends a decimal number of any length, so that bytes sort as numbers do. */
void key_number(struct buf *b, struct str digits);
/* The number plus one. */
struct str number_next(struct arena *a, struct str digits);
/* Removes leading decimal digits; false when there are none. */
bool number_parse(struct str *s, struct str *digits);

void range_add(struct arena *a, struct deps_range *r, struct str lo, struct str hi);
/* Sorts and joins the intervals; call it after the last range_add(). */
void range_settle(struct deps_range *r);
/* The intersection; settled when both are. */
void range_intersect(struct arena *a, const struct deps_range *x, const struct deps_range *y,
		     struct deps_range *out);
/* BAD_PATTERN: `part` of the range `text` is wrong. */
struct err *range_bad(enum deps_ecosystem e, struct str text, struct str part,
		      const char *why) MUST_USE;

/* The key of one version; false when the text is no version. */
bool semver_key(struct arena *a, struct str text, struct str *key);
bool pep440_key(struct arena *a, struct str text, struct str *key);
bool gem_key(struct arena *a, struct str text, struct str *key);
bool maven_key(struct arena *a, struct str text, struct str *key);
bool nuget_key(struct arena *a, struct str text, struct str *key);
bool composer_key(struct arena *a, struct str text, struct str *key);

/*
 * Fill an empty range. npm's grammar also serves Go; Cargo separates by commas and reads ^ where
 * the operator is missing.
 */
struct err *semver_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *pep440_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *gem_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *conda_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *hex_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *maven_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *nuget_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
struct err *composer_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;
/* Tags of images and actions: as PEP 440, but "8" and "v8-alpine" are 8 and all tags below it. */
struct err *tag_range(struct arena *a, struct str text, struct deps_range *r) MUST_USE;

#endif
