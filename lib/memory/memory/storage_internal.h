/* storage_internal: memories as the store has them, for the modules that add, change and find them.
 */
#pragma once

#include "index/index.h"
#include "memory/memory.h"

#define MEMORY_ID "mem_"

/* ---- check.c ---- */

/*
 * Checks a memory before it is stored, fills in the defaults of its kind, and sorts its tags. most:
 * limit of the content in bytes. Errors: those of memory_add().
 */
struct err *memory_check(struct arena *a, const struct memory *in, size_t most,
			 struct memory *out) MUST_USE;
/* The tags sorted and without repeats. */
struct strs memory_tags_sorted(struct arena *a, const struct strs *tags);
struct err *memory_check_tags(const struct strs *tags) MUST_USE;
/* A hash of kind, type and content: exact repeats have the same hash. */
int64_t memory_hash(const struct memory *one);

/* ---- rows.c ---- */

/*
 * Reads and checks the current row of a statement that selects from memory_rows. Errors:
 * DB_CORRUPT for a damaged row; db_skip_damaged_row() may skip it.
 */
struct err *memory_row(struct memories *m, struct arena *a, struct db_rows *rows,
		       struct memory *out) MUST_USE;
/*
 * Reads the current row of memory_brief: the members that a search ranks by, without
 * layer, tokens and metadata. marks: also the members that memory_marks() needs. Errors: as
 * memory_row().
 */
struct err *memory_row_for_ranking(struct db_rows *rows, struct arena *a, bool marks,
				   struct memory *out) MUST_USE;
/* Adds the other members to what memory_row_for_ranking() read. Errors: as memory_row(). */
struct err *memory_row_complete(struct memories *m, struct arena *a, struct db_rows *rows,
				struct memory *out) MUST_USE;
/* The caller's scopes of these layers (0: all) as a JSON list. */
struct err *memory_scopes_text(struct memories *m, struct arena *a, unsigned layers,
			       struct str *out) MUST_USE;
/*
 * Reads the current row of deleted_each or deleted_by_id; the memory must not be purged. Errors: as
 * memory_row().
 */
struct err *memory_tombstone_read(struct memories *m, struct arena *a, struct db_rows *rows,
				  struct memory *out) MUST_USE;
/*
 * memory_get() for deleted and purged memories too. Of a purged one, *out has only the id and the
 * time of its deletion.
 */
struct err *memory_find(struct memories *m, struct arena *a, struct str id, struct memory *out,
			bool *purged) MUST_USE;

/* ---- add.c ---- */

/*
 * Makes room for one more active memory of this kind and agent. It drops the oldest, or fails with
 * TOO_MANY_MEMORIES, as the kind's rules say. Call it within a transaction.
 */
struct err *memory_make_room(struct memories *m, struct arena *a,
			     const struct memory *one) MUST_USE;

/*
 * Finds an active memory of the same person, scope, kind, type and content, if the kind merges
 * repeats.
 * hash: memory_hash(one).
 */
struct err *memory_find_repeat(struct memories *m, struct arena *a, const struct memory *one,
			       int64_t hash, struct memory *out, bool *found) MUST_USE;
/* Merges the repeat `one` into `was`, and stores it. Call it within a transaction. */
struct err *memory_merge(struct memories *m, struct arena *a, const struct memory *one,
			 struct memory *was, struct memory_told *told) MUST_USE;

/* ---- index_document.c ---- */

/*
 * Sets the marks of a memory: all that a query can filter by, except words. Returns their number.
 */
#define MEMORY_MARKS_MAX (13 + MEMORY_TAGS_MAX)
size_t memory_marks(const struct memory *one, uint64_t *marks);
/*
 * Makes the document that the index stores for a memory. uses (may be NULL): gets the words that
 * words_count() gives for the vocabulary.
 */
struct err *memory_index_doc(struct memories *m, struct arena *a, const struct memory *one,
			     struct index_doc *out, struct strs *uses) MUST_USE;
/* Makes its scope and marks, which it lacks while the memory's scope is not known. */
void memory_index_doc_set_marks(struct arena *a, const struct memory *one, struct index_doc *doc);

/* ---- put.c: call all of them within a transaction ---- */

/* Inserts only the row, with the number one->doc. hash: memory_hash(one). */
struct err *memory_insert(struct memories *m, struct arena *a, const struct memory *one,
			  int64_t hash) MUST_USE;
/* Inserts a row with the next number, and adds it to index and vocabulary. Sets one->doc. */
struct err *memory_put(struct memories *m, struct arena *a, struct memory *one) MUST_USE;
/*
 * Stores the changes in `now`. It removes `was` from the index, and adds `now` with a new number.
 */
struct err *memory_change(struct memories *m, struct arena *a, const struct memory *was,
			  struct memory *now) MUST_USE;
/* The same, but now->updated stays as it is. */
struct err *memory_replace(struct memories *m, struct arena *a, const struct memory *was,
			   struct memory *now) MUST_USE;
/* Removes a memory from the index and from the rows. */
struct err *memory_remove_row(struct memories *m, struct arena *a,
			      const struct memory *one) MUST_USE;
/* Like memory_remove_row(), and erases what the record of changes has of it. */
struct err *memory_drop_for_good(struct memories *m, struct arena *a,
				 const struct memory *one) MUST_USE;
/* Drops expired working and scratch memories, at most `most`. */
struct err *memory_drop_expired(struct memories *m, struct arena *a, size_t most,
				size_t *dropped) MUST_USE;

/* ---- supersede.c: call within a transaction ---- */

/*
 * Whether the layer of a memory lets it go on superseding what it supersedes. BAD_ARGUMENT names
 * the parameter.
 */
struct err *memory_check_superseded_layer(struct memories *m, struct arena *a,
					  const struct memory *one) MUST_USE;
/*
 * Marks `old` as superseded by `by`, since the time `when`. `by` becomes at least as sensitive as
 * `old`. Errors: SUPERSEDED names the newest memory; BAD_ARGUMENT when the kind of `old` is
 * append-only, or when not all who see `old` see `by`.
 */
struct err *memory_supersede(struct memories *m, struct arena *a, struct str old, struct memory *by,
			     int64_t when) MUST_USE;
/*
 * What follows on this machine when `by`, which came from elsewhere and is stored, says that it
 * supersedes `was`: *now is `was` as it is stored then. The time is that of by's creation, and
 * `was` keeps the time of its last change, so all machines make the same of it, and a change that
 * somebody made is newer. SUPERSEDE_NOT: `was` is superseded already, or not all who see it see
 * `by`. SUPERSEDE_CIRCLE: `was` itself supersedes `by`, directly or not. Errors: BAD_ARGUMENT when
 * the kind of `was` is append-only.
 */
enum memory_superseding { SUPERSEDE_NOT, SUPERSEDE_CIRCLE, SUPERSEDE_DONE };
struct err *memory_supersede_stored(struct memories *m, struct arena *a, const struct memory *was,
				    struct memory *by, struct memory *now,
				    enum memory_superseding *out) MUST_USE;
/*
 * Makes the memory that `gone` superseded active again; a rejected one stays rejected. When another
 * memory has superseded `gone`, that one supersedes it now.
 */
struct err *memory_revive_superseded(struct memories *m, struct arena *a,
				     const struct memory *gone) MUST_USE;
/* The reverse of memory_revive_superseded(), unless another memory has superseded it since. */
struct err *memory_revive_superseded_undo(struct memories *m, struct arena *a,
					  struct memory *one) MUST_USE;

/* ---- verdict.c ---- */

/*
 * Finds a rejected memory of the caller that says the same: the same words in the same order, apart
 * from case, punctuation, inflection and articles.
 */
struct err *memory_find_rejected(struct memories *m, struct arena *a, const struct memory *one,
				 struct memory *out, bool *found) MUST_USE;
/* Whether anybody has rejected a memory. */
struct err *memory_any_rejected(struct memories *m, struct arena *a, bool *out) MUST_USE;
/*
 * Stores and records that a memory became rejected, or is no longer. Call it within a transaction.
 * Errors: those of memory_reject_undo().
 */
struct err *memory_store_verdict(struct memories *m, struct arena *a, const char *op,
				 const struct memory *was, struct memory *now) MUST_USE;

/* ---- edit.c ---- */

/*
 * What a change must meet that moves a memory to another scope, or makes one hold that had expired.
 * Errors: EXISTS when the scope has the same memory already; as memory_make_room().
 */
struct err *memory_check_scope_change(struct memories *m, struct arena *a, const struct memory *was,
				      const struct memory *now) MUST_USE;

/* The names of the members that differ, of those that can change. */
struct strs memory_changed_members(struct arena *a, const struct memory *was,
				   const struct memory *now);

/* ---- history.c: call within a transaction ---- */

/*
 * Records a change of a memory, if m->events is set. was NULL: it was added or restored; now NULL:
 * it was deleted. follows: the change follows from that of another memory, whose event m->event
 * keeps.
 */
#define MEMORY_SUPERSEDE "supersede"
#define MEMORY_REVIVE    "revive"
struct memory_log {
	const char *op;
	const struct memory *was, *now;
	bool follows;
	struct str by; /* the other memory of a supersession */
};
struct err *memory_log_change(struct memories *m, struct arena *a,
			      const struct memory_log *l) MUST_USE;
/* Removes the salt, the former states, the lost versions and the stored answers of an erased
 * memory. */
struct err *memory_history_erase(struct memories *m, struct str id) MUST_USE;

/*
 * Begins the record of an import: *number is its row in imports, or 0 without a record of changes.
 */
struct err *memory_import_begin(struct memories *m, struct arena *a, const char *name,
				int64_t *number) MUST_USE;

/* ---- remove.c ---- */

/*
 * Deletes a memory: makes a tombstone with the time `when`, and revives the memory that it
 * superseded. Call it within a transaction.
 */
struct err *memory_delete_stored(struct memories *m, struct arena *a, const struct memory *one,
				 int64_t when) MUST_USE;
/* EXISTS when an exact repeat was added while `one` was deleted or rejected. */
struct err *memory_check_no_repeat(struct memories *m, struct arena *a,
				   const struct memory *one) MUST_USE;
