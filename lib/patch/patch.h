/*
 * patch: unified diffs as `diff -u` and `git diff` print them, read and applied. Works on bytes and
 * knows no files: who applies a patch reads the old content and writes the new one.
 */
#ifndef IKM_PATCH_H
#define IKM_PATCH_H

#include "base/base.h"

struct patch_line {
	char kind;       /* ' ', '-' or '+' */
	struct str text; /* with its LF (and CR); without when the file ends so */
};
struct patch_hunk {
	size_t old_line, old_count, new_line, new_count; /* as the header says; lines from 1 */
	size_t at;                                       /* the header's line in the diff, from 1 */
	struct patch_line *lines;
	size_t n, cap;
};
struct patch_file {
	/* Names as the diff has them, unquoted; p NULL: /dev/null, or the diff has no names. */
	struct str old_path, new_path;
	bool git;              /* a "diff --git" section: names have a/ and b/ before them */
	bool creates, removes; /* by /dev/null, "new file", "deleted file" or a date of 1970 */
	bool renames, copies;
	bool binary;                 /* no hunks can be read: applying is BAD_PATCH */
	uint32_t old_mode, new_mode; /* 0: not said */
	struct patch_hunk *hunks;
	size_t n, cap;
};
struct patch {
	struct patch_file *p;
	size_t n, cap;
};

/*
 * Everything borrows from text. Text around the diffs (a mail, a commit message) is skipped.
 * Errors: BAD_PATCH with the line; a text without any diff is one too.
 */
struct err *patch_read(struct arena *a, struct str text, struct patch *out) MUST_USE;

/* A name without its first `strip` parts, as GNU patch's -p; p NULL when it has too few. */
struct str patch_strip(struct str name, unsigned strip);

struct patch_options {
	/* lines of context that may be ignored at each end of a hunk, as GNU patch's */
	unsigned fuzz;
	bool reverse;
};
struct patch_hunk_done {
	int64_t offset; /* lines from where the header says */
	unsigned fuzz;
};
/*
 * old: the content, p NULL when there is no file. All hunks or none. new->p is NULL when the file
 * goes away. done has f->n members, or is NULL. Lines that differ only in CRLF match, and keep the
 * file's ends. Errors: HUNK_FAILED that names hunk, line and what was found there, with the detail
 * "applied" when patch_is_applied(); also when comparing would take more than some seconds; EXISTS,
 * FILE_NOT_FOUND for files made or removed; BAD_PATCH for a binary one.
 */
struct err *patch_apply(struct arena *a, const struct patch_file *f, struct str old,
			const struct patch_options *options, struct str *new,
			struct patch_hunk_done *done) MUST_USE;

/*
 * Whether the content is what applying would have made of another: the reverse applies without fuzz
 * and finds the lines that it takes away. p NULL: there is no file.
 */
bool patch_is_applied(struct arena *a, const struct patch_file *f, struct str content,
		      bool reverse);

#endif
