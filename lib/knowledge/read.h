/*
 * read: what the files of knowledge that read items share. Private to knowledge.
 */
#ifndef IKM_KNOWLEDGE_READ_H
#define IKM_KNOWLEDGE_READ_H

#include "base/base.h"
#include "knowledge/knowledge.h"
#include "md/md.h"
#include "record/record.h"

/* One file being read. */
struct kn_reading {
	struct arena *a;
	struct arena *scratch; /* the blocks live here: what is kept of their text is copied */
	struct knowledge *k;
	struct kn_item *item;
	struct str text;         /* the whole file; every offset is into it */
	struct md md;            /* the body's blocks */
	const struct val *front; /* the frontmatter, a map; NULL if there is none that parses */
	bool in_tree;
	bool layer_fixed, type_fixed; /* a folder of the layout says it */
	bool named; /* README and index files are items too: see kn_source.files */
	bool rules; /* the file has constraints, so what cannot be read is broken knowledge */
	unsigned noted[KN_WARNING + 1]; /* notes of each kind so far */
};

#define KN_WHOLE_FILE SIZE_MAX

/* at: an offset into the file, or KN_WHOLE_FILE. Of each kind a file gets fifty at the most. */
void kn_note(struct kn_reading *r, enum kn_note_kind kind, size_t at, const char *fmt, ...)
	PRINTF(4, 5);
/* A note on a file of which no item was made. */
void kn_note_file(struct arena *a, struct knowledge *k, enum kn_note_kind kind, struct str path,
		  bool in_tree, const char *fmt, ...) PRINTF(6, 7);
/*
 * Puts a file into k->passed, with a note as the reason's row in KN_REASONS says. fmt NULL: the
 * message of that row. line 0: the whole file.
 */
void kn_pass(struct arena *a, struct knowledge *k, const struct kn_source *s, struct str path,
	     bool in_tree, enum kn_reason why, size_t line, const char *fmt, ...) PRINTF(8, 9);
/* The same for the item that is being read: its front matter, at an offset into the file. */
void kn_pass_item(struct kn_reading *r, enum kn_reason why, size_t at, const char *fmt, ...)
	PRINTF(4, 5);
/* The same for an error of yaml_read. */
void kn_pass_yaml(struct kn_reading *r, const char *what, const struct err *e);
/* Broken knowledge when the item has constraints, else a warning. */
void kn_wrong(struct kn_reading *r, size_t at, const char *fmt, ...) PRINTF(3, 4);
/* An error of yaml_read as broken knowledge; `line` is added to its line. */
void kn_note_yaml(struct kn_reading *r, const char *what, size_t line, const struct err *e);

/* Frontmatter and body, given where the folder says less: see knowledge_read_item. */
struct err *kn_read(struct kn_reading *r, const struct kn_source *s, struct str path,
		    enum kn_layer layer, struct str owner, enum kn_type type,
		    bool *is_item) MUST_USE;

/* "a, b, c": for messages. */
struct str kn_choices(struct arena *a, const char *const *list);
/* source.name and path as one path. */
struct str kn_shown_path(struct arena *a, const struct kn_source *s, struct str path);
/* Paths within a source, from the top of its repository. */
struct str kn_tree_path(struct arena *a, const struct kn_source *s, struct str path);
/* *.md; with `any`, other names that Markdown files have too. */
bool kn_is_markdown(struct str path, bool any);
/* README, index and template files; of files that the source names, templates only. */
enum kn_name { KN_NAME_ITEM, KN_NAME_README, KN_NAME_INDEX, KN_NAME_TEMPLATE };
enum kn_name kn_name_of(struct arena *a, struct str path, bool named);

/* The front matter, into r->front. False: it cannot be read, and that is told. */
bool kn_read_front(struct kn_reading *r, struct str *body);
/* Tells rules that stand where they are not read; `readable` is what kn_read_front said. */
void kn_check_dropped(struct kn_reading *r, struct str body, bool readable);
/* A member of the front matter that ikm reads. */
bool kn_is_member(struct str key);
/* The text has "operator:" as rules have it; a sample of something else may have the word too. */
bool kn_looks_like_rules(struct str text);
/* Whether an offset into the file is in a section of constraints. */
bool kn_in_constraints(const struct kn_reading *r, size_t at);

/* Sets the item's constraints from the frontmatter and the section; r->rules must be set. */
void kn_read_constraints(struct kn_reading *r);
/* Whether the file has a constraints key or section with anything in it. */
bool kn_has_rules(struct kn_reading *r);

/* What the body says where the frontmatter says nothing: title, status, dates, tags, summary. */
void kn_read_body(struct kn_reading *r);

/* A heading's text without the colon that some put behind it. */
struct str kn_heading(const struct md_block *b);
/* The block behind the section that begins with heading i. */
size_t kn_section_end(const struct md *md, size_t i);
/* The text on one line, cut between words when it is over max bytes long. */
struct str kn_one_line(struct arena *a, struct str s, size_t max);

/*
 * A status as people write it. False when no word of the table begins it. partly: "partly
 * superseded", which is accepted still.
 */
bool kn_status_of(struct arena *a, struct str text, enum kn_status *out, bool *partly);
/* "Superseded by X", "Supersedes X" in any spelling, with a colon or not: X, else false. */
bool kn_superseded_by(struct str text, struct str *what);
bool kn_supersedes(struct str text, struct str *what);
/* Sets the item's status from what is written, and superseded_by from it or from the link. */
void kn_set_status(struct kn_reading *r, struct str text, struct str link, size_t at);
void kn_add_superseded_by(struct kn_reading *r, struct str what, struct str link);
void kn_add_supersedes(struct kn_reading *r, struct str what, struct str link);

/*
 * A date as people write it, to ISO: 2019-01-31 with or without a time, 31/1/2019, 31.1.19,
 * 31 January 2019, January 31st, 2019, 20190131. What follows a date is left out. False for others
 * and for days that no calendar has.
 */
bool kn_date(struct arena *a, struct str text, struct str *iso);

#endif
