/*
 * The shared declarations of lib/re: the literals that a pattern needs, and the search for many
 * literals at once. Nothing here knows PCRE2.
 */
#ifndef IKM_RE_INTERNAL_H
#define IKM_RE_INTERNAL_H

#include "base/base.h"
#include "re/re.h"

#define LIT_MAX  24 /* bytes of a literal; what is longer is cut, which only weakens it */
#define LIT_MIN  2  /* shorter ones occur everywhere */
#define LITS_MAX 32 /* literals of one pattern */

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
	struct literals lits; /* every match has one of these; n is 0 when nothing is known */
	size_t before;        /* at most so many bytes of the match come before it, or SIZE_MAX */
	bool one_line;        /* no match has a "\n" in it */
	bool looks;      /* it may see lines beside its match, or depends on how far it may go */
	bool moves;      /* \G or \K: a match depends on where the search began */
	bool understood; /* the rest of this struct is about the syntax, and known */
	bool in_quote;   /* the pattern ends within \Q */
	bool extended;   /* the pattern ends with (?x) in force */
};

/*
 * The pattern must be one that PCRE2 accepts with these flags. Syntax that is not understood gives
 * no literals, because a literal that is not required would hide matches.
 */
void required_of(struct str pattern, unsigned flags, struct required *out);

/* ---- many literals in one pass ---- */

struct owned_lit {
	struct literal lit;
	uint32_t owner;
};
struct finder;
/* Every literal has at least LIT_MIN bytes. Read-only afterwards. */
struct finder *finder_new(struct arena *a, const struct owned_lit *lits, size_t n);

struct finder_hit {
	size_t from, last; /* occurrences not reported yet start at from or later, one at last */
	size_t next;       /* where to go on */
};
/* The next place at or after `at` where literals occur. */
bool finder_next(const struct finder *f, struct str text, size_t at, struct finder_hit *hit);
/* Sets may[owner] for each literal in the text; *left counts the owners not yet set. */
void finder_owners(const struct finder *f, struct str text, bool *may, size_t *left);

/* The literals of a compiled pattern, for sets; n is 0 when it must always be tried. */
const struct literals *re_literals(const struct re *re);

/* From now on the pattern is tried everywhere: what tests compare with. In test builds only. */
void re_forget_literals(struct re *re);

/* About how many bits of surprise the byte is in source text, upper and lower case as one. */
unsigned byte_bits(unsigned char c);

#endif
