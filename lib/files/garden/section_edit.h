/*
 * section_edit: computes new texts of Markdown files, section by section (requirement: garden,
 * "Markdown grammar tools"). Bytes in, bytes out, for any Markdown text. A function changes only
 * the body of the section that it names: the heading, its anchors and all other bytes stay. It
 * reads its own result again, and refuses a text that would merge with its neighbours.
 *
 * These functions do not judge: anchors, headings or many items in a new text are for the policy
 * (garden.h). The commands `md …` call them, and the writer of garden files adds the line of the
 * Change Log with garden_text_log_add().
 *
 * A section has one of the names of md_section_pick(). Texts get the line ends of the file.
 *
 * Errors of all: NO_SUCH_SECTION and NOT_UNIQUE as md_section_pick(), NOT_UNIQUE also for an anchor
 * that appears twice; NOT_TEXT when `text` is no UTF-8 text; BAD_ARGUMENT, BAD_UTF8; BAD_MARKDOWN
 * when the result would change another section; those of md_sections().
 */
#pragma once

#include "garden/garden.h"

struct garden_text_done {
	struct str text;     /* the new text; the old one when nothing changes */
	struct str heading;  /* of the section */
	struct str anchor;   /* of the section, or empty */
	size_t line;         /* of its heading, from 1 */
	struct str before;   /* the section in the old text, heading included */
	struct str after;    /* the same section in the new text */
	struct strs gone;    /* anchors in the old body that the new text does not have */
	struct strs removed; /* curate: the items that are gone, without markers */
	size_t added;        /* curate: the number of items that are new */
	bool tombstone;      /* the section has only a tombstone now */
	bool crlf, adapted;  /* the given text got the line ends of the file: CR LF, or LF */
};

/* ---- a section ---- */

struct garden_patch {
	struct str section;
	/* One of them is given; p NULL: not given. */
	struct str replace;   /* the new body. Blank lines around it stay as they are in the file */
	struct str append;    /* is added at the end of the body, as a block of its own */
	struct str tombstone; /* one line: why the section is given up */
	int64_t now;          /* for a tombstone */
};
/*
 * Replaces or adds to the body of a section: all below its heading and anchor, down to the next
 * heading of its level or a higher one. An appended list item continues a list at the end. Text
 * that is appended to a tombstone replaces it.
 */
struct err *garden_text_update_section(struct arena *a, struct str text,
				       const struct garden_patch *p,
				       struct garden_text_done *out) MUST_USE;

/* ---- the list of a section ---- */

#define GARDEN_TEXT_OPS(X)                                                                         \
	X(GARDEN_TEXT_APPEND, "append") X(GARDEN_TEXT_PRUNE, "prune") X(GARDEN_TEXT_MERGE, "merge")
enum garden_text_op { GARDEN_TEXT_OPS(ENUM_MEMBER) };
extern const char *const garden_text_ops[];

struct garden_curate {
	struct str section;
	const enum garden_text_op *ops;
	size_t nops;
	struct strs items;
	struct str reason; /* one line; prune and merge need it */
	int64_t now;       /* for a tombstone */
};
/*
 * Changes the list of a section. One op applies to all items; of several, op i applies to item i.
 *
 * append  adds the item, one line, behind the last one.
 * prune   removes the items that the text names: by evidence tokens ("ev:…") or the exact text of
 *         one item, its wrapped lines joined by blanks.
 * merge   makes one item of several. Each line of the given text names items, as for prune. At most
 *         one line is new text; tokens in it name items, too. The new item has that text, or the
 *         texts of all, and every token of the items that it replaces.
 *
 * When the last item goes and nothing else is in the section, it gets a tombstone with the reason.
 *
 * Errors also: EXISTS for an item or a token that the section has already; NO_SUCH_TEXT with the
 * nearest item; NOT_UNIQUE with the lines of several items that a name fits; BAD_ARGUMENT for ops
 * and items that do not fit each other, an item of several lines, a missing reason, an item with
 * items below it.
 */
struct err *garden_text_curate_list(struct arena *a, struct str text, const struct garden_curate *c,
				    struct garden_text_done *out) MUST_USE;

/*
 * Adds "- 2026-01-31T12:00:00Z: what" to the section Change Log: as the first item when the items
 * of the file are newest first, else as the last one. *added is false, and *out is `text`, when
 * there is no such section: the policy decides about that. Errors: those of
 * garden_rationale_check() for `what`.
 */
struct err *garden_text_log_add(struct arena *a, enum garden_kind kind, struct str text,
				int64_t now, struct str what, struct str *out,
				bool *added) MUST_USE;

/*
 * Sets the dates of the front matter, such as last_updated, to `now` when the change from `before`
 * is material. A date stays a date, and a time a time. Fields that are missing, that hold no date,
 * or that the change sets itself stay. Returns `after` when there is nothing to set.
 */
struct str garden_text_set_dates(struct arena *a, enum garden_kind kind, struct str before,
				 struct str after, int64_t now);

/* ---- new files ---- */

/* What `md new` makes, as it is called there; indexed by enum garden_kind, NULL-ended. */
extern const char *const garden_new_kinds[];

struct garden_new {
	enum garden_kind kind; /* not HISTORY */
	struct str user, id;   /* id: of the part or relationship; else empty */
	struct str title;      /* the heading of level 1, and the name of a part; empty: the id */
	struct strs participants;
	struct str type, polarity_level; /* of a relationship; empty: none */
	struct str status;               /* of a part; empty: "active" */
	int64_t now;
};
/*
 * The text of a new file, from the grammar: frontmatter, title, all sections with their anchors,
 * and the first line of the Change Log. Errors: BAD_ARGUMENT for a value that is not one line, and
 * for fewer than two participants.
 */
struct err *garden_text_new(struct arena *a, const struct garden_new *n, struct str *out) MUST_USE;

/*
 * The path of a file below the garden's top, by the grammar: "users/ada/parts/p1/profile.md".
 * `beside` is the kind whose folder has the file: `kind`, or for notes an overview, a part or a
 * relationship. Errors: BAD_ARGUMENT for an id or a user that the grammar does not have.
 */
struct err *garden_new_file_path(struct arena *a, enum garden_kind kind, enum garden_kind beside,
				 struct str user, struct str id, struct str *out) MUST_USE;

/* ---- history copies ---- */

/*
 * The path of the history copy of a file: "a/profile.md" with this content is copied to
 * "a/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md". See garden_path_read(). The path may be
 * of any folder, and an asset's URI.
 */
struct str garden_text_history_path(struct arena *a, struct str path, struct str content,
				    int64_t now);
/* True for the name of a history copy of the file `name` with the hash of this content. */
bool garden_text_is_history_path(struct str copy, struct str name, struct str content);
