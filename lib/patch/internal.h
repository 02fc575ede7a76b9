/* The shared declarations of lib/patch. */
#ifndef IKM_PATCH_INTERNAL_H
#define IKM_PATCH_INTERNAL_H

#include "patch/patch.h"

/*
 * A name behind "--- " and the like, as diff, git and others write it: quoted, or up to a tab or a
 * date. /dev/null is p NULL. *epoch: a date behind it is the first moment of 1970, which is how
 * diff -N says that there is no such file.
 */
struct str patch_name(struct arena *a, struct str rest, bool *epoch);
/*
 * The two names of a "diff --git" line's rest. Without quotes they can only be told when they are
 * the same behind their prefixes, or when the section said from and to (p NULL: it did not).
 */
bool patch_git_names(struct arena *a, struct str rest, struct str from, struct str to,
		     struct str *old, struct str *new);
/* Takes the C-quoted name off *rest; false when it is none. */
bool patch_unquote(struct arena *a, struct str *rest, struct str *out);

/* ---- find.c: the lines of a content, and where some of them are ---- */

struct lines {
	struct str text;
	uint32_t *at; /* n + 1 offsets: where each begins, and the end of the text */
	size_t n;
};
/* TOO_BIG for 4 GiB and more. */
struct err *lines_split(struct arena *a, struct str text, struct lines *out) MUST_USE;
/* With its end. */
struct str lines_get(const struct lines *l, size_t i);

/* Lines as numbers: equal lines have the same; and where each number occurs. Made when needed. */
struct line_index;
/* loose: lines that differ only in CR LF and LF are equal. */
struct line_index *line_index_new(struct arena *a, const struct lines *l, bool loose);

struct sought {
	const struct str *p; /* the pattern's lines */
	size_t n;
	size_t from, to;   /* of it, the lines that must match: [from, to) */
	int64_t near;      /* where its first line is thought to be */
	int64_t low, high; /* and where it may be, both included; from 0 */
	size_t *work;      /* counts down; 0: gave up */
};
/* The place nearest to `near`, the later of two; false: there is none, or no work is left. */
bool line_index_find(struct line_index *f, const struct sought *s, size_t *where);
/* Where most of the pattern's lines are: for messages. False: none of them occurs. */
bool line_index_nearest(struct line_index *f, const struct sought *s, size_t *where);

#endif
