/*
 * re: regular expressions (PCRE2 with JIT) and globs. A search cannot hang: it stops after some
 * tenths of a second of processor time. A text is bytes. Valid UTF-8 in it is matched as
 * characters; invalid bytes match nothing. A line ends with LF. Globs follow the rules of
 * .gitignore.
 */
#pragma once

#include "base/base.h"

#define RE_PATTERN_MAX ((size_t)4096)

enum re_flag {
	RE_ICASE = 1,     /* upper and lower case are equal */
	RE_WHOLE = 2,     /* match the whole text (ANCHORED and ENDANCHORED, so a|b is safe) */
	RE_MULTILINE = 4, /* ^ and $ match at every line */
	RE_LITERAL = 8,   /* the pattern is plain text */
	RE_WORD = 16,     /* no word character stands next to the match */
	/*
	 * Matches every line as if it were the whole text. A match ends at the end of its line, and
	 * a pattern does not see other lines. There is no line behind the last LF.
	 */
	RE_LINES = 32,
	/* A line ends with CR LF or CR too, and a dot matches no CR. Not with RE_LINES. */
	RE_ANY_END = 64,
	/* A line may end with CR LF: "$" matches before it, and \n or an LF in the pattern matches
	 * it, also in a class. */
	RE_CRLF = 128,
};

enum re_answer { RE_NO, RE_YES, RE_LIMIT };

struct re;

/*
 * Compiles a pattern, which is freed with the arena. It is read-only afterwards, so threads may
 * share it. Errors: BAD_PATTERN (the message has PCRE2's reason and the offset), TOO_LONG.
 */
struct err *re_new(struct arena *a, struct str pattern, unsigned flags, struct re **out) MUST_USE;
/* A pattern that matches the text itself. */
struct str re_quote(struct arena *a, struct str text);

/*
 * Whether a pattern that PCRE2 accepts asks for a line break: by \n in any form, \R, (?s) with a
 * dot, or [\s\S]. With RE_LINES it would find less than it says.
 */
bool re_asks_line_break(struct str pattern, unsigned flags);

/* Memory for matching, for one thread; freed with the arena. */
struct re_work;
struct re_work *re_work_new(struct arena *a);
/* true: the texts are cut from longer ones, so "$" does not match at their ends. */
void re_work_set_text_is_cut(struct re_work *w, bool cut);

/*
 * Finds the first match at or after `from`. Lookbehinds and \b see the text before `from`. To find
 * all matches, pass the end of the last match as `from`, or one more when that match was empty. All
 * searches of one text then share one budget of time. RE_LIMIT: the budget is used up, and the
 * result is unknown.
 */
enum re_answer re_find(const struct re *re, struct re_work *w, struct str text, size_t from,
		       struct span *match);

/*
 * A replacement for matches of a pattern: $0 is the match, $1 or ${1} a group, ${name} a named
 * group, $$ a dollar sign; a group that took no part is empty. A literal pattern has a literal
 * replacement. Errors: BAD_ARGUMENT for another use of $, and for a group that the pattern lacks.
 */
struct re_template;
struct err *re_template_new(struct arena *a, const struct re *re, struct str text,
			    struct re_template **out) MUST_USE;
/*
 * Replaces each match of the pattern in the text. RE_NO: there is none, and *out is not set.
 * *count: the number of matches.
 */
enum re_answer re_replace(struct arena *a, const struct re_template *t, struct str text,
			  struct str *out, size_t *count) MUST_USE;

/*
 * Many patterns for one text, which is read once. A pattern is not tried when its required literal
 * does not occur in the text. Freed with the arena, read-only after re_set_new(), and shared by
 * threads.
 */
struct re_set;
struct err *re_set_new(struct arena *a, const struct re *const *patterns, size_t n,
		       struct re_set **out) MUST_USE;
/* Sets may[i] for each pattern that could match somewhere in the text. `may` has n members. */
void re_set_scan(const struct re_set *set, struct str text, bool *may);

/*
 * A glob for a path with "/" between its parts, as in .gitignore: * ? [a-z] \x **. A glob without a
 * slash (except at its end) matches at any depth. A leading "/" anchors the glob at the top. A glob
 * that matches a folder matches everything below it. Braces {a,b} are expanded. Globs compare
 * bytes, and case matters.
 */
struct glob;
/*
 * A glob has at most RE_PATTERN_MAX bytes, and GLOB_BRACES_MAX patterns after brace expansion.
 * "./a" is "/a". Errors: BAD_PATTERN, TOO_LONG.
 */
#define GLOB_BRACES_MAX 1024
struct err *glob_new(struct arena *a, struct str pattern, struct glob **out) MUST_USE;
bool glob_match(const struct glob *g, struct str path);
/*
 * A list of globs. The last glob that matches a path decides: "!" before it excludes the path. A
 * list with only "!" globs includes every other path. An empty list matches everything.
 */
struct globs VEC(struct glob *);
struct err *globs_new(struct arena *a, const struct strs *patterns, struct globs *out) MUST_USE;
bool globs_match(const struct globs *g, struct str path);
/*
 * The paths from the top that the globs name; false: they may match other paths than these and what
 * is below them.
 */
bool globs_literal_paths(struct arena *a, const struct globs *g, struct strs *out);
