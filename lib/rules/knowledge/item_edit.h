/*
 * item_edit: the texts of knowledge files after a change: a status, a pair of a retired item and
 * its successor, a new item. The functions read and write no file of an item: the caller holds its
 * lock, gives the text, and writes the result (ikm-know(1)).
 */
#pragma once

#include "knowledge/knowledge.h"

/* The absolute path of the item's file. BAD_ARGUMENT: its source is no folder on disk. */
struct err *knowledge_file(struct arena *a, const struct kn_item *item, const char **path) MUST_USE;

/* The statuses that may follow this one, as bits 1 << enum kn_status. */
unsigned knowledge_next_statuses(enum kn_status from);
/*
 * Whether the item may get this status. Errors: BAD_ARGUMENT with the allowed ones; SUPERSEDED when
 * another item retires it; BAD_MARKDOWN when a part of it could not be read.
 */
struct err *knowledge_may_become(struct arena *a, const struct knowledge *k,
				 const struct kn_item *item, enum kn_status to) MUST_USE;
/*
 * The file with another status, written where the file has its status: front matter, a line of
 * metadata, or the section "Status". Only the word of the status changes, and the date of a member
 * updatedAt; *notes says when that stays. Errors: CHANGED when text is not what `item` was read
 * from; BAD_MARKDOWN when the word does not stand there once, or the result does not read as meant.
 */
struct err *knowledge_write_status(struct arena *a, const struct kn_item *item, struct str text,
				   enum kn_status to, struct str *out, struct strs *notes) MUST_USE;

/*
 * The file with further rules, behind those that it has and in their style: in the front matter,
 * or in the block below "## Constraints". A file without either gets front matter. *first: the
 * index of the first new rule in the item `now`, as the text reads. Errors: CHANGED when text is
 * not what `item` was read from; EXISTS when the item has such a rule already; BAD_PATTERN;
 * BAD_MARKDOWN when the item is broken, or the result does not read as meant.
 */
struct err *knowledge_add_rules(struct arena *a, const struct knowledge *k,
				const struct kn_item *item, struct str text,
				const struct kn_constraint *rules, size_t n, struct str *out,
				struct kn_item *now, size_t *first) MUST_USE;

/*
 * The file without the rule of this number; *removed is the rule. The rules behind it get other
 * numbers. Errors: CHANGED when text is not what `item` was read from; OUT_OF_RANGE; BAD_MARKDOWN
 * when the item is broken, or the result does not read as meant.
 */
struct err *knowledge_remove_rule(struct arena *a, const struct knowledge *k,
				  const struct kn_item *item, struct str text, unsigned index,
				  struct kn_constraint *removed, struct str *out) MUST_USE;

/* OUT_OF_RANGE: the item has no rule of this number. It tells the numbers that it has. */
struct err *knowledge_no_such_rule_error(struct arena *a, const struct kn_item *item,
					 const char *parameter, int64_t number) MUST_USE;

/*
 * Whether the item's file, with the text `after` instead of `before`, still reads as the same item:
 * id, title, summary, status, relations, number of rules, and no new damage.
 */
struct err *knowledge_edit_kept(struct arena *a, const struct kn_item *item, struct str before,
				struct str after, bool *kept) MUST_USE;

/*
 * Whether one item may supersede the other. Errors: those of knowledge_may_become(); BAD_ARGUMENT
 * for one item twice, a cycle, or a successor that is neither accepted nor proposed.
 */
struct err *knowledge_may_supersede(struct arena *a, const struct knowledge *k,
				    const struct kn_item *old,
				    const struct kn_item *successor) MUST_USE;
struct knowledge_side {
	const struct kn_item *item;
	const char *path;  /* knowledge_file() */
	struct str text;   /* the file's */
	struct str out;    /* set: the text to write */
	struct strs notes; /* set: what stays in the text, and why */
};
/* Both files of a pair, each in its own style. Errors as knowledge_write_status(). */
struct err *knowledge_write_superseding(struct arena *a, struct knowledge_side *old,
					struct knowledge_side *successor) MUST_USE;

/* ---- new items ---- */

/* A folder in which a new item can be made. */
struct knowledge_folder {
	const struct kn_source *source;
	const char *path; /* absolute; it may not exist yet */
	struct str name;  /* within the source; empty: the source's own folder */
	enum kn_layer layer;
	struct str owner;
};
struct knowledge_folders VEC(struct knowledge_folder);
/*
 * The folder for a new item of this type. layer -1: any. folder NULL: the first source of the
 * repository that fits; else an absolute path: a source, or a folder in one. Errors: NOT_CONFIGURED
 * without any source; NO_SUCH_SOURCE with the sources when none fits; NOT_UNIQUE with the folders
 * when several do; PERMISSION when it cannot be written.
 */
struct err *knowledge_new_folder(struct arena *a, const struct knowledge *k, enum kn_type type,
				 int layer, const char *folder,
				 struct knowledge_folder *out) MUST_USE;

struct knowledge_new {
	enum kn_type type;
	struct str title; /* one line */
	int status;       /* enum kn_status, or -1: proposed, or draft when the template is one */
	/* Set by knowledge_new_name(): */
	struct str file;   /* within the folder: "0007-use-redis.md" */
	struct str number; /* "0007", or empty */
	struct str model;  /* the newest file there with a name in the same style; empty: none */
	/* Set by knowledge_new_text(): */
	struct str text, template; /* template: its path within the folder's source, or empty */
	struct kn_item item;       /* as it reads */
};
/*
 * Finds the next free name in the folder, in the style of the names there. Errors: BAD_ARGUMENT for
 * a title that gives no name. Call it under the folder's lock.
 */
struct err *knowledge_new_name(struct arena *a, const struct knowledge_folder *f,
			       struct knowledge_new *n) MUST_USE;
/*
 * Makes the text: from the folder's own template, else in the style of its newest item, else from
 * ikm's own. Errors: BAD_MARKDOWN when the result does not read as an item of that title and
 * status.
 */
struct err *knowledge_new_text(struct arena *a, const struct knowledge_folder *f,
			       struct knowledge_new *n) MUST_USE;
