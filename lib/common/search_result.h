/* search_result: collects the lines of a search as a JSON result, or prints them as text
 * (search_text.c). */
#ifndef IKM_COMMON_SEARCH_RESULT_H
#define IKM_COMMON_SEARCH_RESULT_H

#include "common/result_fit.h"
#include "file/search.h"

struct search_match {
	struct str path, match, text;
	size_t line, column;
	struct maybe_int end; /* of a match of several lines: the last */
	bool cut;
	struct strs before, after;
};
struct search_count {
	struct str path;
	size_t count;
};
struct search_skipped {
	size_t binary, unreadable, gave_up, copies;
};
struct search_change {
	struct str path, diff;
	size_t replaced;
};
struct search_result {
	struct {
		struct search_change *p;
		size_t n, cap;
	} changes;
	struct str apply; /* how to make the changes */
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

/* Collects lines and their context for JSON. It has its own arena: see struct search. */
struct matches {
	struct arena *a;
	struct search_result *out;
	size_t around, behind; /* lines before a match, and after it */
	size_t skip;           /* so many matches or files are still to be left out */
	bool skipping;         /* the last match was left out */
	/* Limits of what can be in the answer: its texts in bytes, and its matches or files. */
	size_t texts, rows;
	bool counts;
	bool each;                            /* a row shows the match only */
	struct buf joined_match, joined_text; /* of the last match, from its second line on */
	/* The last lines of the current file, for `before`, and the matches whose `after` is not
	 * complete. */
	struct str path;
	struct strs recent;
	struct open_match {
		size_t line, at; /* at: index in out->matches */
	} * open;
	size_t opened;
	size_t bytes; /* size of all texts; context lines of several matches count several times */
	bool full;    /* the limit is reached, and lines were left out */
};
/* fit: the limit of the answer, or NULL. skip: so many first matches or files are left out. */
struct matches *matches_new(struct arena *a, const struct search *s, const struct fit *fit,
			    size_t skip, struct search_result *out);
/* Callbacks for struct search; ctx is struct matches. */
void matches_line(void *ctx, const struct search_line *line);
void matches_file(void *ctx, struct str path, size_t lines);
bool matches_enough(void *ctx);
/* Completes the result: the totals, the skipped files, and the warnings. */
void matches_done(struct matches *m, const struct search *s, const struct search_done *d);
/*
 * What a replacement would change in the files of out->paths, which become out->changes. Writes
 * nothing. s has one pattern. Errors: those of the template.
 */
struct err *search_preview(struct call *c, struct files *f, const struct search *s, struct str with,
			   struct search_result *out) MUST_USE;
/* Refuses what contradicts each other: BAD_ARGUMENT. */
struct err *search_check(const struct search *s, bool replace) MUST_USE;
/* The result of --type list. */
void matches_types(struct search_result *out);

/* Print the search as text: path:line:text for matches, path-line-text for context. ctx is struct
 * print. */
struct print {
	struct out *out;
	bool counts;
	bool each;    /* print the match only */
	bool zero;    /* end each path with a NUL */
	bool context; /* separate groups of lines by "--" */
	bool any;
	struct buf last; /* the path of the last line */
};
void print_line(void *ctx, const struct search_line *line);
void print_file(void *ctx, struct str path, size_t lines);
bool print_enough(void *ctx);
/* The changes as one diff, and on standard error how to make them. */
void print_changes(struct call *c, const struct search_result *r);

#endif
