/*
 * re: regular expressions (PCRE2 with JIT) that cannot hang: a search gives up after some tenths
 * of a second of processor time. Texts are bytes; what is valid UTF-8 in them is matched as
 * characters, invalid bytes match nothing. Lines end with LF. Globs as .gitignore has them are
 * here too.
 */
#ifndef IKM_RE_H
#define IKM_RE_H

#include "base/base.h"

#define RE_PATTERN_MAX ((size_t)4096)

enum re_flag {
	RE_ICASE = 1,     /* without regard to case */
	RE_WHOLE = 2,     /* must match the whole text (ANCHORED and ENDANCHORED, so a|b is safe) */
	RE_MULTILINE = 4, /* ^ and $ at every line */
	RE_LITERAL = 8,   /* the pattern is plain text */
	RE_WORD = 16,     /* no word character beside the match */
	/* Every line of the text is matched as if it were all: no match goes over its end, nothing
	 * of a pattern sees the lines beside it, and behind the last LF there is no line. */
	RE_LINES = 32,
};

enum re_answer { RE_NO, RE_YES, RE_LIMIT };

struct re;

/*
 * Freed with the arena. Read-only after this, so threads may share it.
 * Errors: BAD_PATTERN (message with PCRE2's reason and the offset), TOO_LONG.
 */
struct err *re_new(struct arena *a, struct str pattern, unsigned flags, struct re **out) MUST_USE;

/* The scratch memory of one thread for matching; freed with the arena. */
struct re_work;
struct re_work *re_work_new(struct arena *a);

/*
 * The first match at or after `from`; what is before `from` is seen by lookbehinds and \b. A caller
 * that goes on through a text passes the end of the last match, or one more when that was empty:
 * then all searches of this text share one budget. RE_LIMIT: it gave up here, nothing is known.
 */
enum re_answer re_find(const struct re *re, struct re_work *w, struct str text, size_t from,
		       struct span *match);

/*
 * Many patterns over one text, read once: patterns whose required literal does not occur are not
 * tried. Freed with the arena, read-only after re_set_new, and shared by threads.
 */
struct re_set;
struct err *re_set_new(struct arena *a, const struct re *const *patterns, size_t n,
		       struct re_set **out) MUST_USE;
/* Sets may[i] for each pattern that could match somewhere in the text; may has n members. */
void re_set_scan(const struct re_set *set, struct str text, bool *may);

/*
 * A glob of a path with "/" between parts, as .gitignore has it: * ? [a-z] \x ** ; without a
 * slash (other than at the end) it matches at any depth; one that matches a folder matches all
 * below it. A leading "/" anchors. Braces {a,b} are expanded. Bytes, case counts.
 */
struct glob;
/*
 * At most RE_PATTERN_MAX bytes, and GLOB_BRACES_MAX patterns after expansion. "./a" is "/a".
 * Errors: BAD_PATTERN, TOO_LONG.
 */
#define GLOB_BRACES_MAX 1024
struct err *glob_new(struct arena *a, struct str pattern, struct glob **out) MUST_USE;
bool glob_match(const struct glob *g, struct str path);
/*
 * A list: a path matches when the last glob that matches it does not start with "!"; a list of
 * only "!" globs starts from everything. An empty list matches everything.
 */
struct globs {
	struct glob **p;
	size_t n, cap;
};
struct err *globs_new(struct arena *a, const struct strs *patterns, struct globs *out) MUST_USE;
bool globs_match(const struct globs *g, struct str path);

#endif
