/*
 * search: finds lines that match one of several patterns, in files and stored assets. Several
 * threads search; results come in the order of the paths. A line ends with LF; a CR before the LF
 * belongs to the line. Binary files (a NUL in the first 8,000 bytes) are skipped. Contents may have
 * any size.
 */
#pragma once

#include "file/file.h"
#include "file/types.h"
#include "re/re.h"

#define SEARCH_BINARY   ((size_t)8000)
#define SEARCH_PATTERNS 1000
#define SEARCH_CONTEXT  1000

enum search_want { SEARCH_LINES, SEARCH_FILES, SEARCH_COUNTS };

struct search_line {
	struct str path; /* as the user would name it */
	size_t line;     /* from 1 */
	bool context;    /* it does not match, but is near a line that matches */
	bool gap; /* lines between the last reported line of this file and this one were left out */
	bool joined;       /* with `across`: it continues the match of the line before it */
	struct str text;   /* without its LF */
	struct span match; /* the first match in text; with invert the whole line */
};

struct search {
	struct strs patterns;
	unsigned flags; /* RE_ICASE, RE_WORD, RE_LITERAL */
	bool invert;    /* find lines that no pattern matches */
	bool names;     /* open no file: every file is a match, also a binary one; no patterns */
	/* SEARCH_LINES without context: report each match that is not empty, and its line again for
	 * each. Of the matches of several patterns the leftmost and longest counts. */
	bool each;
	/* A match may have several lines; not with invert. Contents of at most FILE_BYTES_MAX. */
	bool across;
	enum search_want want;
	size_t before, after; /* lines around each line that matches */
	size_t max;           /* limit of lines, matches or files; 0: no limit */
	bool count_on; /* after max or enough(), lines are only counted; else it ends there */
	struct file_pick pick;
	bool copies; /* search the garden's history copies too */
	/*
	 * Any thread calls these functions, in order, one call at a time. They must not use the
	 * arena that search_run() was given. Strings are borrowed.
	 */
	void (*line)(void *ctx, const struct search_line *line);
	void (*file)(void *ctx, struct str path, size_t lines); /* SEARCH_FILES and _COUNTS */
	bool (*enough)(void *ctx); /* called after each file: true is as `max`; may be NULL */
	void *ctx;
};

struct search_done {
	size_t files;   /* searched */
	size_t matched; /* files with a match */
	/* matching lines; with `each` or `across` matches; with SEARCH_FILES a lower bound */
	size_t lines;
	size_t told;           /* reported lines or files */
	size_t binary;         /* skipped files */
	size_t unreadable;     /* files and folders */
	enum err_reason why;   /* of the first unreadable one */
	struct file_left left; /* its paths are as the user would name them */
	size_t gave_up; /* files in which a pattern took too long, or was not tried any more */
	struct strs warnings; /* about unreadable files and slow patterns; of many only the first */
};
/*
 * Adds to `out` what a walk from r left out, and `pick` would pick, by the names that the user
 * would give.
 */
void file_left_out_add(struct arena *a, const struct file_ref *r, const struct file_pick *pick,
		       const struct file_left *left, struct file_left *out);
/*
 * roots: files and folders of either backend. Errors: BAD_PATTERN, TOO_LONG, BAD_ARGUMENT for no
 * pattern or an empty pattern; those of file_tree() for a root.
 */
struct err *search_run(struct files *f, const struct strs *roots, const struct search *s,
		       struct search_done *out) MUST_USE;
