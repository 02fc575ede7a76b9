/*
 * Shared declarations of lib/text/re: the literals that a pattern requires, and the search for many
 * literals at once. This part does not depend on PCRE2.
 */
#pragma once

#include "base/base.h"
#include "re/re.h"

#define LIT_MAX  24 /* bytes of a literal; a longer literal is cut, which only weakens it */
#define LIT_MIN  2  /* shorter literals occur everywhere */
#define LITS_MAX 32 /* for one pattern */

struct literal {
	unsigned char n;
	bool icase; /* ASCII letters in b are lower case and match both */
	char b[LIT_MAX];
};
struct literals {
	size_t n;
	struct literal p[LITS_MAX];
};

/* The properties of every match that follow from the text of a pattern. */
struct required {
	struct literals lits; /* every match has one of these; n is 0 when none is known */
	size_t before;        /* limit of the match's bytes before the literal; SIZE_MAX: none */
	bool one_line;        /* no match contains "\n" */
	bool breaks;          /* it names "\n", or has a dot or a class for any byte */
	bool looks;      /* it may look at lines beside its match, or depend on the text's end */
	bool moves;      /* \G or \K: a match depends on the start of the search */
	bool understood; /* false: unknown syntax; the other members claim nothing */
	bool in_quote;   /* the pattern ends within \Q */
	bool extended;   /* the pattern ends with (?x) in force */
};

/*
 * Derives the properties of a pattern that PCRE2 accepts with these flags. Syntax that this
 * function does not know gives no literals, because a literal that is not required would hide
 * matches.
 */
void required_of_pattern(struct str pattern, unsigned flags, struct required *out);

/* ---- many literals in one pass ---- */

struct owned_lit {
	struct literal lit;
	uint32_t owner;
};
struct finder;
/* Every literal must have LIT_MIN bytes or more. The finder is read-only afterwards. */
struct finder *finder_new(struct arena *a, const struct owned_lit *lits, size_t n);

struct finder_hit {
	size_t from, last; /* unreported occurrences start at `from` or later */
	size_t next;       /* where the next search starts */
};
/* Finds the next place at or after `at` where a literal occurs. */
bool finder_next(const struct finder *f, struct str text, size_t at, struct finder_hit *hit);

/* The required literals of a compiled pattern; n is 0 when the pattern must always be tried. */
const struct literals *re_literals(const struct re *re);

/* Disables the literals of the pattern, so tests can compare both ways. In test builds only. */
void re_forget_literals(struct re *re);

/* The information of the byte in source text, in bits, about; case does not count. */
unsigned byte_information_bits(unsigned char c);
