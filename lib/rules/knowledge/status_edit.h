/* status_edit: what the writers of knowledge files share. Private to knowledge. */
#pragma once

#include "knowledge/field_edit.h"

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
/* Whether an edit kept what every edit should keep. */
bool rewrite_kept_rest(const struct kn_item *was, const struct kn_item *now);
/* The error for a file in which an edit did not have its effect. */
struct err *rewrite_failed_error(const struct kn_item *item, const struct kn_text *t,
				 const struct kn_spot *spot, const char *what) MUST_USE;
/* Today's date in ISO 8601. */
struct str rewrite_today(struct arena *a);
/* Sets the date in updatedAt, in its own form, when the file has it. *notes says when it stays. */
void rewrite_updated(struct arena *a, const struct kn_text *t, struct kn_edits *edits,
		     struct strs *notes);
/*
 * The word of the status in the value at the spot; an empty value: its place. Errors: BAD_MARKDOWN
 * when it does not stand there once.
 */
struct err *rewrite_find_status_word(struct arena *a, const struct kn_item *was,
				     const struct kn_text *t, const struct kn_spot *s,
				     struct span *out) MUST_USE;
/* Replaces that word alone; KN_NOWHERE: writes the status where the file should have one. */
struct err *rewrite_replace_status_word(struct arena *a, const struct kn_item *was,
					const struct kn_text *t, const struct kn_spot *s,
					const char *status, struct kn_edits *edits) MUST_USE;
/* Sets the whole value at the spot; KN_NOWHERE: where the file should have one. */
void rewrite_set_status(struct arena *a, const struct kn_text *t, const struct kn_spot *s,
			const char *status, struct kn_edits *edits);
