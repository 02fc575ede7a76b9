/* text_edit: what the functions of text.h share: a section that is being changed. */
#ifndef IKM_GARDEN_TEXT_EDIT_H
#define IKM_GARDEN_TEXT_EDIT_H

#include "garden/text.h"
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
 * sets the members of *out except those of curate. `given` is the caller's text, for messages; p
 * NULL: none.
 */
struct err *text_edit_end(const struct text_edit *t, struct str core, struct str given,
			  struct garden_text_done *out) MUST_USE;
/* The span without the blank lines at both ends. Blanks before the first text stay: they count. */
struct span text_core(struct str s, struct span at);
/* The offset behind the line that contains `at`: LF, CR LF and CR end a line. */
size_t text_next_line(struct str s, size_t at);
/* Adds the lines of several places to an error; lines[] has at least the first TEXT_LINES_MAX. */
#define TEXT_LINES_MAX 20
struct err *text_at_lines(struct arena *a, struct err *e, const int64_t *lines, size_t n);
/* The text must be one line that is not blank, without control characters. */
struct err *text_one_line(struct str s, const char *param) MUST_USE;

/* ---- text_items.c: the items of a section's lists, and their names ---- */

struct text_item {
	size_t from, to; /* its lines, without blank lines behind it */
	size_t line;
	unsigned depth;
	bool parent;     /* other items stand below it */
	struct str text; /* its own text, without the marker; lines joined by a blank */
	struct str indent, marker;
};
struct text_items {
	struct text_item *p;
	size_t n, cap;
};
/* The items of the body, outer and inner ones, in order. */
struct err *text_items(const struct text_edit *t, struct text_items *out) MUST_USE;
/* The length of the list marker and the blanks behind it, or 0. */
size_t text_marker(struct str s);
/* Every run of blanks and line ends becomes one blank. */
struct str text_squeezed(struct arena *a, struct str s);

/* The evidence tokens of a text, each once, also malformed ones. */
struct strs text_tokens(struct arena *a, struct str s);
/* The text without its tokens and the brackets and commas that stood around them. */
struct str text_without_tokens(struct arena *a, struct str s);

struct text_found {
	bool *is; /* for each item: it is named */
	size_t n;
};
void text_found_add(struct text_found *f, size_t i);
/* Adds the item with this text or this token. Two of them are the error NOT_UNIQUE. */
struct err *text_find_one(const struct text_edit *t, const struct text_items *items,
			  struct str name, bool token, struct text_found *f, bool *found) MUST_USE;
/*
 * Adds the items that a line names: by tokens alone, or by its text. *found is false when it is the
 * text of no item. Errors: NOT_UNIQUE; NO_SUCH_TEXT for a token that no item has.
 */
struct err *text_find_named(const struct text_edit *t, const struct text_items *items,
			    struct str name, struct text_found *f, bool *found) MUST_USE;
/* The error NO_SUCH_TEXT with the nearest item. */
struct err *text_no_item(const struct text_edit *t, const struct text_items *items,
			 struct str name) MUST_USE;

#endif
