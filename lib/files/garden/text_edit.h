/* text_edit: a section that is being changed; for the functions of section_edit.h. */
#pragma once

#include "garden/section_edit.h"
#include "md/md.h"
#include "os/os.h"

struct text_edit {
	struct arena *a;
	struct str text;
	struct md_sections sections;
	struct md_anchors anchors;
	const struct md_section *section;
	struct span core; /* the body without the blank lines around it; whole lines */
	const char *eol;  /* the line end of the section's heading: "\n", "\r\n" or "\r" */
	bool next;        /* a section follows */
};

/* Reads the text and picks the section. */
struct err *text_edit_begin(struct arena *a, struct str text, struct str section,
			    struct text_edit *out) MUST_USE;
/*
 * Puts a new core into the section. An empty core leaves the section empty. Checks the result, and
 * sets the members of *out except tombstone and those of curate. `given` is the caller's text, for
 * messages; p NULL: none.
 */
struct err *text_edit_end(const struct text_edit *t, struct str core, struct str given,
			  struct garden_text_done *out) MUST_USE;
/* The span without the blank lines at both ends. Blanks before the first text stay: they count. */
struct span text_trim_blank_lines(struct str s, struct span at);
/* The offset behind the line that contains `at`: LF, CR LF and CR end a line. */
size_t text_next_line_start(struct str s, size_t at);
/* Adds the lines of several places to an error; lines[] has at least the first TEXT_LINES_MAX. */
#define TEXT_LINES_MAX 20
struct err *text_error_add_lines(struct arena *a, struct err *e, const int64_t *lines, size_t n);
/* The text must be one line that is not blank, without control characters. */
struct err *text_check_one_line(struct str s, const char *param) MUST_USE;
