/*
 * patch: reads and applies unified diffs, as `diff -u` and `git diff` print them. It works on bytes
 * and does not touch files: the caller reads the old content and writes the new content.
 */
#ifndef IKM_PATCH_H
#define IKM_PATCH_H

#include "base/base.h"

struct patch_line {
	char kind;       /* ' ', '-' or '+' */
	struct str text; /* with its LF (and CR); without LF when the file ends without it */
};
struct patch_hunk {
	size_t old_line, old_count, new_line, new_count; /* from the header; lines from 1 */
	size_t at; /* line of the header in the diff, from 1 */
	struct patch_line *lines;
	size_t n, cap;
};
struct patch_file {
	/* Names as in the diff, unquoted. p NULL: /dev/null, or the diff has no names. */
	struct str old_path, new_path;
	bool git;              /* it begins with "diff --git": its names begin with a/ and b/ */
	bool creates, removes; /* from /dev/null, "new file", "deleted file" or a date in 1970 */
	bool renames, copies;
	bool binary;                 /* it has no readable hunks; patch_apply() returns BAD_PATCH */
	uint32_t old_mode, new_mode; /* 0: the diff has no mode */
	struct patch_hunk *hunks;
	size_t n, cap;
};
struct patch {
	struct patch_file *p;
	size_t n, cap;
};

/*
 * Reads all diffs in the text, and borrows from it. Other text around the diffs (a mail, a commit
 * message) is skipped. Errors: BAD_PATCH with the line, also for a text without any diff.
 */
struct err *patch_read(struct arena *a, struct str text, struct patch *out) MUST_USE;

/*
 * Makes the counts of hunk headers those of the lines behind them, as `git apply --recount` does.
 * False: nothing changed.
 */
bool patch_recount(struct arena *a, struct str text, struct str *out);

/* The name without its first `strip` parts, as GNU patch -p; p NULL: it has fewer parts. */
struct str patch_strip(struct str name, unsigned strip);

struct patch_options {
	/* lines of context that may differ at each end of a hunk, as in GNU patch */
	unsigned fuzz;
	bool reverse;
	/*
	 * Every hunk must find one of its lines, which is not blank, at its place. Without it fuzz
	 * can leave out all context, and lines are added wherever the header says.
	 */
	bool held;
};
struct patch_hunk_done {
	int64_t offset; /* lines between the header's place and the real place */
	unsigned fuzz;
};
/*
 * Applies all hunks or none. old.p is NULL when the file does not exist; new->p is NULL when the
 * diff removes the file. done has f->n members, or is NULL. Lines that differ only in CR LF and LF
 * match, and the file keeps its line ends.
 *
 * Errors: HUNK_FAILED with the hunk, the line, and the text that was found there; also when the
 * search would take more than some seconds. When patch_is_applied(), it has the detail "applied".
 * EXISTS and FILE_NOT_FOUND for files that the diff creates or removes. BAD_PATCH for a binary
 * file.
 */
struct err *patch_apply(struct arena *a, const struct patch_file *f, struct str old,
			const struct patch_options *options, struct str *new,
			struct patch_hunk_done *done) MUST_USE;

/*
 * True when the diff seems to be applied already: its reverse applies without fuzz, and all lines
 * that the reverse removes are there. content.p is NULL when there is no file.
 */
bool patch_is_applied(struct arena *a, const struct patch_file *f, struct str content,
		      bool reverse);
/* The error for that; it has the detail "applied". */
struct err *patch_applied_error(enum err_reason reason, bool reverse, const char *why) MUST_USE;

#endif
