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
#pragma once

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

/* What the version of a clause means, as cuts. A cut that is not given is the one in brackets. */
struct cuts {
	struct str lo, hi;                   /* around the version, or all versions that begin so */
	struct str exact;                    /* [lo] before the version alone, for === */
	struct str ge, lt;                   /* [lo] where >= begins, and < ends */
	struct str gt, le;                   /* [hi] where > begins, and <= ends */
	struct str through;                  /* [le] where "1.0 - 2.0" ends */
	struct str caret, tilde, compatible; /* [no such operator] where ^, ~ and ~> or ~= end */
	const char *bare;                    /* the operator when none is written; NULL: = */
	bool whole;                          /* any operator means from lo to hi */
	bool equal;                          /* only = may stand before it, and != unless `whole` */
};

enum range_is {
	RANGE_COMMAS = 1,   /* no blanks separate clauses */
	RANGE_HYPHEN = 2,   /* "1.0 - 2.0" */
	RANGE_BRACKETS = 4, /* "[1.0,2.0)" and unions of such intervals */
	RANGE_SIDES = 8,    /* something must stand on both sides of || */
	RANGE_ONE = 16,     /* no alternatives; never empty, nor with a comma at the end */
	RANGE_LOOSE = 32,   /* several commas are as good as one */
	RANGE_BAR = 64,     /* one bar is as good as || */
};

/* How an ecosystem orders versions and writes ranges. */
struct versions {
	bool (*key)(struct arena *a, struct str text, struct str *key);
	/* Of the version in a clause; false when the text is none. */
	bool (*cuts)(struct arena *a, struct str text, struct cuts *out);
	const char *operators; /* with blanks between; one that begins another comes later */
	const char *ends;    /* end a version; a comma separates clauses only if it is the first */
	const char *skipped; /* may stand before a version */
	unsigned is;         /* enum range_is */
	struct str lowest;   /* the cut before all versions */
	const char *syntax;
	/* The range in the grammar above, when the ecosystem has another one; or NULL. */
	struct str (*rewritten)(struct arena *a, struct str text);
};
/* Each is in the file of its order: semver.c, pep440.c, bundler.c, maven.c, nuget.c, composer.c. */
extern const struct versions versions_npm, versions_pypi, versions_go, versions_cargo, versions_gem,
	versions_terraform, versions_meson, versions_hex, versions_conda, versions_nuget,
	versions_composer, versions_maven, versions_tag;

/* Behind every version. */
#define CUT_HIGHEST STR("\xff")

/* The cut behind all versions whose keys begin with the key. */
struct str version_bound_above_prefix(struct arena *a, struct str key);
/* Appends a decimal number of any length, so that bytes sort as numbers do. */
void key_append_number(struct buf *b, struct str digits);
/* Appends a mark, and a number or a word. */
void key_append_part(struct buf *b, char mark, struct str s, bool number);
/* The number plus one. */
struct str number_plus_one(struct arena *a, struct str digits);
/* Removes leading decimal digits; false when there are none. */
bool number_take_digits(struct str *s, struct str *digits);
