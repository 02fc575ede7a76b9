/*
 * field_edit: the places in a knowledge file where a member can be written, such as its status, and
 * edits of the text there. Every other byte stays. Private to knowledge.
 */
#pragma once

#include "knowledge/read.h"

/* A file that is parsed for editing. */
struct kn_text {
	struct str text; /* the whole file; all offsets refer to it */
	const struct val *front;
	size_t body;      /* the offset behind the front matter; 0: there is none */
	size_t front_end; /* the offset of the closing fence's line, when there is one */
	struct md md;     /* of the body */
	const char *nl;   /* the line end of the file: "\n" or "\r\n" */
};
/* Errors: BAD_MARKDOWN when the front matter cannot be read; those of md_read(). */
struct err *kn_text_parse(struct arena *a, struct str text, struct kn_text *out) MUST_USE;

/* The line that has the offset, without its line end. */
struct span kn_line_at(struct str text, size_t at);

enum kn_member { KN_STATUS, KN_CREATED, KN_UPDATED };
enum kn_style {
	KN_NOWHERE, /* the file does not have the member */
	KN_FRONT,   /* a member of the front matter */
	KN_LINE,    /* a line "Status: accepted" before the first section */
	KN_SECTION, /* the first line of a section "## Status" */
};
struct kn_spot {
	enum kn_style style;
	struct span value;   /* the value without markup and comments; empty: insert it there */
	struct span line;    /* its line, without the line end */
	struct str marker;   /* what begins the line: "- ", "* ", "| " or nothing */
	struct str emphasis; /* LINE: the markup around the key, such as two asterisks */
	size_t end;          /* LINE, SECTION: the end of the paragraph or item */
	const char *before;  /* put this before an inserted value */
	char quote;          /* FRONT: the quote around the value, or 0 */
};
/* The place that the reader takes the member from. */
struct kn_spot kn_spot_of_member(const struct kn_text *t, enum kn_member what);
/* The place of one of these members of the front matter, the first that is there. */
struct kn_spot kn_spot_in_front(const struct kn_text *t, const char *const *keys);

/* Replacements in one text; the spans do not overlap. */
struct kn_edits {
	struct kn_edit {
		struct span at;
		struct str by;
	} * p;
	size_t n, cap;
};
void kn_edit_add(struct arena *a, struct kn_edits *edits, struct span at, struct str by);
/* The text with the edits. Of two at one offset the first comes first. */
struct str kn_edits_apply(struct arena *a, struct str text, struct kn_edits *edits);

/* Replaces the value at the spot, in the form that the place needs. */
void kn_spot_set_value(struct arena *a, const struct kn_spot *s, struct str value,
		       struct kn_edits *edits);
/* The text as a scalar of YAML; with quotes only where it needs them. */
struct str kn_yaml_scalar_text(struct arena *a, struct str s);
/* The word with capitals as `like` has them: "Accepted", "ACCEPTED" or "accepted". */
struct str kn_word_in_case_of(struct arena *a, const char *word, struct str like);

/* ---- what the writers of knowledge files share ---- */

/*
 * Reads a text as the file of that item, into k->items at *at. BAD_ARGUMENT: by its name it is no
 * item.
 */
struct err *rewrite_parse_item(struct arena *a, const struct kn_item *as, struct str text,
			       struct knowledge *k, size_t *at) MUST_USE;
/*
 * Reads the text before an edit. CHANGED when it is not the one that the item was read from. *out
 * has the relations as they are written, not as knowledge_finish() resolves them.
 */
struct err *rewrite_read_before(struct arena *a, const struct kn_item *item, struct str text,
				struct kn_item *out) MUST_USE;
/* The error for an item with a mistake, which names the first one. */
struct err *rewrite_broken_item_error(const struct knowledge *k,
				      const struct kn_item *item) MUST_USE;
/* Whether both lists have the same strings. */
bool rewrite_same_strs(const struct strs *one, const struct strs *two);
/* Sets the whole value at the spot; KN_NOWHERE: where the file should have one. */
void rewrite_set_status(struct arena *a, const struct kn_text *t, const struct kn_spot *s,
			const char *status, struct kn_edits *edits);
