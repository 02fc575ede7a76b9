/* search_result: the lines of a search as a result, and as text (search_text.c). */
#ifndef IKM_COMMON_SEARCH_RESULT_H
#define IKM_COMMON_SEARCH_RESULT_H

#include "app/app.h"
#include "file/search.h"

/* Lines as JSON, with those around them. Has an arena of its own: see struct search. */
struct matches {
	struct arena *a;
	size_t context;
	struct val *list; /* of matches; with SEARCH_FILES and _COUNTS of files */
	bool counts;
	/* The last lines of this file, for `before`; and the matches whose `after` is open. */
	struct str path;
	struct strs recent;
	struct open {
		size_t line;
		struct val *after;
	} * open;
	size_t opened;
	size_t bytes; /* of all texts; lines around many matches are given with each of them */
	bool full;    /* these were enough: there are lines that were not taken */
};
struct matches *matches_new(struct arena *a, size_t context, enum search_want want);
/* For struct search; ctx is struct matches. */
void matches_line(void *ctx, const struct search_line *line);
void matches_file(void *ctx, struct str path, size_t lines);

/* The same as text: path:line:text, and path-line-text around it. ctx is struct print. */
struct print {
	struct out *out;
	bool counts;
	bool zero;    /* a NUL behind each path */
	bool context; /* groups of lines have "--" between them */
	bool any;
	struct buf last; /* the path of the last line */
};
void print_line(void *ctx, const struct search_line *line);
void print_file(void *ctx, struct str path, size_t lines);
bool print_enough(void *ctx);

extern const struct field matches_result[];
/* What a search left out, and its warnings, as members of a result. */
void matches_skipped(struct arena *a, struct val *to, const struct search_done *d);
/* The result of --type list. */
struct val *matches_types(struct arena *a);

#endif
