/*
 * fuzzy: ranks names by a few typed letters, as fzf does. The letters must occur in order. A name
 * ranks higher when the letters are adjacent, start words or path parts, or the name is short. Used
 * by the finder and by completion. It does not touch files.
 */
#pragma once

#include "base/base.h"

/* A longer query is TOO_LONG: nobody types it, and time is query length times name length. */
#define FUZZY_QUERY_MAX 256

struct fuzzy_hit {
	size_t index; /* index into the names */
	int score;
};
struct fuzzy_hits VEC(struct fuzzy_hit);

/*
 * Returns the best `limit` names (0: all) that have the query's letters in order, the best first.
 * Among equal scores the shorter name comes first, then byte order decides.
 *
 * Blanks separate words of the query, and all words must match. A word in lower case matches any
 * case. A word with a capital matches only as typed. Only ASCII letters fold; other letters match
 * exactly. A byte that is not UTF-8 is a letter of its own. An empty query returns the names in
 * their order, with score 0. Large sets are shared among threads.
 */
struct err *fuzzy_rank(struct arena *a, struct str query, const struct strs *names, size_t limit,
		       struct fuzzy_hits *out) MUST_USE;
