/* search_result: the lines of a search as a result, and as text (search_text.c). */
#ifndef IKM_COMMON_SEARCH_RESULT_H
#define IKM_COMMON_SEARCH_RESULT_H

#include "app/app.h"
#include "file/search.h"

struct search_match {
	struct str path, match, text;
	size_t line, column;
	bool cut;
	struct strs before, after;
};
struct search_count {
	struct str path;
	size_t count;
};
struct search_skipped {
	size_t binary, unreadable, gave_up;
};
struct search_result {
	struct {
		struct search_match *p;
		size_t n, cap;
	} matches;
	struct strs paths;
	struct {
		struct search_count *p;
		size_t n, cap;
	} counts;
	struct {
		const struct file_type *p;
		size_t n, cap;
	} types;
	struct maybe_int total, files;
	bool truncated;
	const struct search_skipped *skipped;
	struct strs warnings;
};
extern const struct field search_result[];

/* Gathers lines for JSON, with those around them. Has an arena of its own: see struct search. */
struct matches {
	struct arena *a;
	struct search_result *out;
	size_t context, skip; /* skip: of the first matches or files, left out */
	bool counts;
	/* The last lines of this file, for `before`; and the matches whose `after` is open. */
	struct str path;
	struct strs recent;
	struct open_match {
		size_t line, at; /* at: in out->matches */
	} * open;
	size_t opened;
	size_t bytes; /* of all texts; lines around many matches are given with each of them */
	bool full;    /* these were enough: there are lines that were not taken */
};
struct matches *matches_new(struct arena *a, const struct search *s, struct search_result *out);
/* For struct search; ctx is struct matches. */
void matches_line(void *ctx, const struct search_line *line);
void matches_file(void *ctx, struct str path, size_t lines);
/* The search is over: what it found in all, what it left out, and its warnings. */
void matches_done(struct matches *m, const struct search *s, const struct search_done *d);
/* The result of --type list. */
void matches_types(struct search_result *out);

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

#endif
