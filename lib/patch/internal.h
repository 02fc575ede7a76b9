/* The shared declarations of lib/patch. */
#ifndef IKM_PATCH_INTERNAL_H
#define IKM_PATCH_INTERNAL_H

#include "patch/patch.h"

/*
 * Parses a name behind "--- " and "+++ " as diff, git and other programs write it: quoted, or up to
 * a tab or a date. For /dev/null p is NULL. *epoch: the name is followed by the first moment of
 * 1970. This is how diff -N says that the file does not exist.
 */
struct str patch_name(struct arena *a, struct str rest, bool *epoch);
/*
 * Parses the two names in the rest of a "diff --git" line. Names without quotes are ambiguous. They
 * can be told apart when they are equal behind their prefixes. They can also be told apart when the
 * section has given `from` and `to`; else these have p NULL. False when the names stay ambiguous.
 */
bool patch_git_names(struct arena *a, struct str rest, struct str from, struct str to,
		     struct str *old, struct str *new);
/* Removes a C-quoted name from the front of *rest; false when there is none. */
bool patch_unquote(struct arena *a, struct str *rest, struct str *out);

/* ---- find.c: the lines of a content, and the search for some of them ---- */

struct lines {
	struct str text;
	uint32_t *at; /* n + 1 offsets: the start of each line, and the end of the text */
	size_t n;
};
/* Splits the text into lines. Errors: TOO_BIG for 4 GiB and more. */
struct err *lines_split(struct arena *a, struct str text, struct lines *out) MUST_USE;
/* The line with its line end. */
struct str lines_get(const struct lines *l, size_t i);

/* An index of lines: equal lines get the same number, and each number has a list of its places. */
struct line_index;
/* loose: a line with CR LF equals the same line with LF. */
struct line_index *line_index_new(struct arena *a, const struct lines *l, bool loose);

struct sought {
	const struct str *p; /* the pattern's lines */
	size_t n;
	size_t from, to;   /* range of the pattern's lines that must match: [from, to) */
	int64_t near;      /* expected place of the pattern's first line, from 0 */
	int64_t low, high; /* range of allowed places, both ends included */
	size_t *work;      /* steps left; at 0 the search gives up */
};
/*
 * Finds the place nearest to `near`; the later place when two are equally near. False when there is
 * no place, or no steps are left.
 */
bool line_index_find(struct line_index *f, const struct sought *s, size_t *where);
/* Finds the place where most lines of the pattern match, for messages. False: none occurs. */
bool line_index_nearest(struct line_index *f, const struct sought *s, size_t *where);

#endif
