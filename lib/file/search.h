/*
 * search: the lines of files and stored assets that one of many patterns matches, found by several
 * threads and told in the order of the paths. A line is what ends with LF; a CR before it belongs
 * to it. Binary files (a NUL in the first 8,000 bytes) are left out. Content may be of any size.
 */
#ifndef IKM_FILE_SEARCH_H
#define IKM_FILE_SEARCH_H

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
	bool context;    /* it does not match, but is near one that does */
	bool gap; /* lines between the last that was told of this file and this are not told */
	struct str text;   /* without its LF */
	struct span match; /* in text: the first; all of a line that does not match (`invert`) */
};

struct search {
	struct strs patterns;
	unsigned flags; /* RE_ICASE, RE_WORD, RE_LITERAL */
	bool invert;    /* the lines that no pattern matches */
	enum search_want want;
	size_t context; /* lines before and after */
	size_t max;     /* of lines (SEARCH_LINES) or files; 0: no limit */
	bool count_on;  /* behind max lines are only counted; else the search ends there */
	struct file_pick pick;
	/*
	 * Called in order, never two at once, but by any thread: they must not touch the arena that
	 * search_run() was given. Strings are borrowed.
	 */
	void (*line)(void *ctx, const struct search_line *line);
	void (*file)(void *ctx, struct str path, size_t lines); /* SEARCH_FILES and _COUNTS */
	bool (*enough)(void *ctx); /* asked after each file: true ends the search; or NULL */
	void *ctx;
};

struct search_done {
	size_t files;      /* searched */
	size_t matched;    /* of these */
	size_t lines;      /* that matched; with SEARCH_FILES at least */
	size_t told;       /* lines or files */
	size_t binary;     /* files left out */
	size_t unreadable; /* files and folders */
	size_t gave_up;    /* files in which a pattern took too long, or was not tried any more */
	struct strs warnings; /* what was unreadable and gave up, by name; of many only the first */
};
/*
 * roots: files and folders of either backend. Errors: BAD_PATTERN, TOO_LONG, BAD_ARGUMENT for no
 * pattern or an empty one; those of file_tree() for a root.
 */
struct err *search_run(struct files *f, const struct strs *roots, const struct search *s,
		       struct search_done *out) MUST_USE;

#endif
