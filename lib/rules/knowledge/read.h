/* read: the steps of reading one item, for the .c files of this module. Private to knowledge. */
#pragma once

#include "base/base.h"
#include "knowledge/knowledge.h"
#include "md/md.h"
#include "record/record.h"

/* The state of reading one file. */
struct kn_reading {
	struct arena *a;
	struct arena *scratch; /* holds md's blocks; text that is kept is copied to a */
	struct knowledge *k;
	struct kn_item *item;
	struct str text;         /* the whole file; all offsets refer to it */
	struct md md;            /* the body's blocks */
	const struct val *front; /* the front matter, a map; NULL if there is none that parses */
	bool in_tree;
	bool layer_fixed, type_fixed; /* the folder decides, not the front matter */
	bool named; /* README and index files are items too: see kn_source.files */
	bool rules; /* the file has constraints, so its mistakes are KN_BROKEN */
	unsigned noted[KN_WARNING + 1]; /* notes of each kind so far */
};

#define KN_WHOLE_FILE SIZE_MAX

/*
 * at: an offset into the file, or KN_WHOLE_FILE. A file gets at most fifty notes of each kind, and
 * one more that says so.
 */
void kn_note(struct kn_reading *r, enum kn_note_kind kind, enum kn_rule rule, size_t at,
	     const char *fmt, ...) PRINTF(5, 6);
/* A note on a whole file, when no item is being read; returns it. */
struct kn_note *kn_note_file(struct arena *a, struct knowledge *k, enum kn_note_kind kind,
			     enum kn_rule rule, struct str path, bool in_tree, const char *fmt, ...)
	PRINTF(7, 8);
/* The first note that says what is broken in the item's file; NULL: there is none. */
const struct kn_note *kn_broken_note(const struct knowledge *k, const struct kn_item *item);
/*
 * Adds a file to k->passed, and a note if the reason's row in KN_REASONS asks for one. fmt NULL:
 * the message of that row.
 */
void kn_add_skipped_file(struct arena *a, struct knowledge *k, const struct kn_source *s,
			 struct str path, bool in_tree, enum kn_reason why, const char *fmt, ...)
	PRINTF(7, 8);
/* Like kn_add_skipped_file, for the item that is being read. at: an offset into the file, or
 * KN_WHOLE_FILE. */
void kn_add_skipped_item(struct kn_reading *r, enum kn_reason why, size_t at, const char *fmt, ...)
	PRINTF(4, 5);
/* A note: KN_BROKEN when the item has constraints, else a warning. */
#define kn_wrong(r, rule, at, ...)                                                                 \
	kn_note(r, (r)->rules ? KN_BROKEN : KN_WARNING, rule, at, __VA_ARGS__)
/*
 * Reports an error of yaml_read. b: the block of constraints, which gets a KN_BROKEN note, and
 * `line` is added to the line in the error. b NULL: the front matter; as kn_add_skipped_item().
 */
void kn_note_yaml(struct kn_reading *r, const struct md_block *b, size_t line, const struct err *e);

/*
 * Reads one item like knowledge_parse_item; the caller has set the options in r. False: by its name
 * the file is no item.
 */
bool kn_read(struct kn_reading *r, const struct kn_source *s, struct str path, enum kn_layer layer,
	     struct str owner, enum kn_type type);

/* Line and column of an offset into the file; line 0 for KN_WHOLE_FILE. */
struct place kn_place_of_offset(const struct kn_reading *r, size_t at);

/*
 * The folders of a source: of each type, and of each layer. In those of a layer other than company,
 * a folder of the owner follows.
 */
extern const char *const kn_type_folders[], *const kn_layer_folders[];

/* The first number in a name, without leading zeros: 12 in "ADR-0012" and in "0012-foo". */
struct str kn_number_of(struct str s);
/* Joins the words of a list for a message: "a, b, c". */
struct str kn_choices(struct arena *a, const char *const *list);
/* source.name and path as one path. */
struct str kn_shown_path(struct arena *a, const struct kn_source *s, struct str path);
/* Turns a path within a source into one from the top of its repository. */
struct str kn_tree_path(struct arena *a, const struct kn_source *s, struct str path);
/* Whether the path ends in .md or, with `any`, in another extension of Markdown files. */
bool kn_is_markdown(struct str path, bool any);
/*
 * The kind of a file by its name. With `named` (kn_source.files), README and index files are items.
 */
enum kn_name { KN_NAME_ITEM, KN_NAME_README, KN_NAME_INDEX, KN_NAME_TEMPLATE };
enum kn_name kn_file_kind_by_name(struct arena *a, struct str path, bool named);

/*
 * Reads the front matter into r->front, and sets *body to the text behind it. In r->text each CR
 * without LF becomes an LF. False: the front matter cannot be read, and k->passed says why.
 */
bool kn_read_front(struct kn_reading *r, struct str *body);
/*
 * Whether the text has a key "operator" as rules have it. Samples of other formats may match too.
 */
bool kn_looks_like_rules(struct str text);
/* Whether an offset into the file is in a section of constraints. */
bool kn_in_constraints(const struct kn_reading *r, size_t at);

/* Sets the item's constraints from the front matter and the section; r->rules must be set. */
void kn_read_constraints(struct kn_reading *r);
/* The last block of YAML with rules in a section of constraints, or NULL. Only r->md counts. */
const struct md_block *kn_rules_block(const struct kn_reading *r);
/* Whether the file has a constraints key or section that is not empty. */
bool kn_has_rules(struct kn_reading *r);

/*
 * Sets members that the front matter does not give from the body: title, status, dates, tags,
 * relations, summary.
 */
void kn_read_body(struct kn_reading *r);

/* A heading's text without colons at its end. */
struct str kn_heading_text(const struct md_block *b);
/* The index of the first block behind the section of heading i. */
size_t kn_section_end(const struct md *md, size_t i);
/* The text on one line. If it is over max bytes long, it is cut between words and ends with "…". */
struct str kn_one_line(struct arena *a, struct str s, size_t max);

/*
 * Parses a status as people write it. Returns the words that make it that status, in lower case:
 * "in review"; NULL: the text begins with no phrase of the table. partly: "partly superseded",
 * which counts as accepted.
 */
const char *kn_status_parse(struct arena *a, struct str text, enum kn_status *out, bool *partly);
/* Sets the item's status from its text, and superseded_by from that text or its link. */
void kn_status_from_text(struct kn_reading *r, struct str text, struct str link, size_t at);
/*
 * Converts a date as people write it to ISO 8601: 2019-01-31 with or without a time, 31/1/2019,
 * 31.1.19, 31 January 2019, January 31st, 2019, 20190131. Text after the date is dropped. False for
 * other texts and for days that do not exist.
 */
bool kn_date(struct arena *a, struct str text, struct str *iso);
