/*
 * match: finds in a content the lines that an edit or a patch names, and changes only the lines
 * that it replaces. It works on bytes and does not touch files.
 *
 * The lines of the patch only find the place: a line that the patch keeps stays as the file has it.
 * If the lines are nowhere as they are, looser passes follow. A looser pass counts only where
 * exactly one place fits. New text goes in as it is given; only its line ends become those of the
 * file, and its indentation moves by the shift that the pass tolerated.
 */
#pragma once

#include "host/host.h"
#include "patch/patch.h"

/* The passes, each of which tolerates what the passes before it tolerate. */
enum match_pass {
	MATCH_EXACT,
	MATCH_ENDS,    /* CR LF and LF, a byte order mark, the newline at the end of the file */
	MATCH_BLANKS,  /* blanks at the ends of lines, and in blank lines */
	MATCH_INDENT,  /* one shift of the indentation of all lines */
	MATCH_LETTERS, /* typographic quotes, dashes, unusual spaces, Unicode's forms */
	MATCH_PASSES
};
/*
 * What differs between the given lines and those of the file; a set of 1 << enum match_pass. That
 * of MATCH_EXACT: a hunk without context at one end has lines of the file there.
 */
typedef unsigned match_set;
/* In words, such as "line ends, indentation"; empty: nothing. */
struct str match_tolerated_text(struct arena *a, match_set tolerated);

/* ---- unified diffs ---- */

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
	match_set tolerated;
};
/*
 * Applies all hunks or none. old.p is NULL when the file does not exist; new->p is NULL when the
 * diff removes the file. done has f->n members, or is NULL. A hunk whose lines are exactly those of
 * the file belongs to the place nearest to its header's line, as in Git.
 *
 * Errors: HUNK_FAILED with the hunk, the line, and the text that was found there; also when a
 * looser pass finds two places, and when the search would take more than some seconds. When
 * patch_is_applied(), it has the detail "applied". EXISTS and FILE_NOT_FOUND for files that the
 * diff creates or removes. BAD_PATCH for a binary file.
 */
struct err *patch_apply(struct arena *a, const struct patch_file *f, struct str old,
			const struct patch_options *options, struct str *new,
			struct patch_hunk_done *done) MUST_USE;

/*
 * True when the diff seems to be applied already: its reverse applies exactly, and all lines that
 * the reverse removes are there. content.p is NULL when there is no file.
 */
bool patch_is_applied(const struct patch_file *f, struct str content, bool reverse);
/* The error for that; it has the detail "applied". */
struct err *patch_applied_error(enum err_reason reason, bool reverse, const char *why) MUST_USE;

/* ---- "*** Begin Patch" ---- */

/*
 * The content after an update, whose hunks have no line numbers. An added line has the line end of
 * the lines around it. Errors: HUNK_FAILED when the lines of a hunk are not those of the file, or
 * are at several places; it names the lines of the file. loosely: looser passes than line ends too.
 */
struct err *match_apply_host_patch(struct arena *a, const struct host_patch_file *f, struct str old,
				   bool loosely, struct str *new, match_set *tolerated) MUST_USE;

/* ---- edits ---- */

/* The text with LF or CR LF as its line ends. */
struct str match_convert_line_ends(struct arena *a, struct str text, bool crlf);

struct match_edited {
	match_set tolerated;
	size_t count;   /* of places */
	size_t at, end; /* the replaced bytes; of the first place */
};
/*
 * Replaces `old`, which is not in the content as it is, by a looser pass. Lines that old and new
 * share stay as the file has them. Errors: NOT_UNIQUE with the lines; those of
 * match_no_such_text().
 */
struct err *match_edit(struct arena *a, struct str content, struct str old, struct str new,
		       struct str *out, struct match_edited *done) MUST_USE;
struct match_mixed {
	struct str old, new;
	/* the content and the old text as they are, or both with LF: then any line end is equal */
	struct str in, sought;
};
/*
 * Replaces the old text wherever it is in a content with both line ends: there a line that both
 * texts share keeps its own. Where the texts differ in their line ends alone, these are put in.
 * Errors: TOO_BIG.
 */
struct err *match_edit_mixed(struct arena *a, struct str content, const struct match_mixed *edit,
			     struct str *out, struct match_edited *done) MUST_USE;
/*
 * Makes the error NO_SUCH_TEXT. Its details: nearestLine and nearest, the first line of the content
 * that differs; oldLine and wanted, the line of the old text that it was compared with; differs,
 * the difference in words.
 */
struct err *match_no_such_text(struct arena *a, struct str content, struct str old) MUST_USE;
