/*
 * fuzzy: ranks names by a few typed letters as fzf does: the letters in order, best when they stand
 * together, at the start of words and of path parts, in short names. Used by the finder and
 * by completion; knows nothing of files.
 */
#ifndef IKM_FUZZY_H
#define IKM_FUZZY_H

#include "base/base.h"

/* Longer queries are TOO_LONG: nobody types them, and time grows with query times name. */
#define FUZZY_QUERY_MAX 256

struct fuzzy_hit {
	size_t index; /* into the names */
	int score;
};
struct fuzzy_hits {
	struct fuzzy_hit *p;
	size_t n, cap;
};

/*
 * The best `limit` (0: all) of the names that have the query's letters in order, best first; of two
 * alike the shorter, then the earlier in byte order. Words of the query parted by blanks must all
 * match. A word in lower case matches any case; one with a capital only as it is typed. Letters of
 * ASCII fold; others match as they are. Bytes that are not UTF-8 are letters of their own. An empty
 * query gives the names in their order, with a score of 0. Large sets are shared among threads.
 */
struct err *fuzzy_rank(struct arena *a, struct str query, const struct strs *names, size_t limit,
		       struct fuzzy_hits *out) MUST_USE;

#endif
