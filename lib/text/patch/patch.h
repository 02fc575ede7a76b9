/*
 * patch: reads unified diffs, as `diff -u` and `git diff` print them. lib/files/match applies them.
 */
#pragma once

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
struct patch VEC(struct patch_file);

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
