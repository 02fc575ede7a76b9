/* internal: declarations for the files of lib/memory only. */
#ifndef IKM_MEMORY_INTERNAL_H
#define IKM_MEMORY_INTERNAL_H

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
struct strs memory_tags(struct arena *a, const struct strs *tags);
struct err *memory_check_tags(const struct strs *tags) MUST_USE;
/* A hash of kind, type and content: exact repeats have the same hash. */
int64_t memory_hash(const struct memory *one);

/* ---- rows.c ---- */

/*
 * Reads and checks the current row of a statement that selects from memory_rows. Errors: DB_CORRUPT
 * for a damaged row; db_pass_over() may skip it.
 */
struct err *memory_row(struct memories *m, struct arena *a, struct db_rows *rows,
		       struct memory *out) MUST_USE;
/*
 * Reads the current row of memory_brief: the members that a search ranks by, without layer, tokens
 * and metadata. marks: also the members that memory_marks() needs. Errors: as memory_row().
 */
struct err *memory_brief(struct db_rows *rows, struct arena *a, bool marks,
			 struct memory *out) MUST_USE;
void memory_scopes_text(struct buf *b, const struct memory_scopes *scopes);
/*
 * Reads the current row of deleted_each or deleted_by_id; the memory must not be purged. Errors: as
 * memory_row().
 */
struct err *memory_tombstone(struct memories *m, struct arena *a, struct db_rows *rows,
			     struct memory *out) MUST_USE;
struct str memory_model(const struct memories *m);

/* ---- add.c ---- */

/*
 * Makes room for one more active memory of this kind and agent. It drops the oldest, or fails with
 * TOO_MANY_MEMORIES, as the kind's rules say. Call it within db_write().
 */
struct err *memory_make_room(struct memories *m, struct arena *a,
			     const struct memory *one) MUST_USE;

/*
 * Finds an active memory with the same scope, kind, type and content, if the kind merges repeats.
 * hash: memory_hash(one).
 */
struct err *memory_repeat(struct memories *m, struct arena *a, const struct memory *one,
			  int64_t hash, struct memory *out, bool *found) MUST_USE;
/* Merges like memory_merged(), and stores the result. Call it within db_write(). */
struct err *memory_merge(struct memories *m, struct arena *a, const struct memory *one,
			 struct memory *was, struct memory_told *told) MUST_USE;

/* ---- marks.c ---- */

/*
 * Sets the marks of a memory: all that a query can filter by, except words. Returns their number.
 */
#define MEMORY_MARKS_MAX (13 + MEMORY_TAGS_MAX)
size_t memory_marks(const struct memory *one, uint64_t *marks);
/* The tags as one text. A memory is found by its words too. */
struct str memory_tag_text(struct arena *a, const struct memory *one);
/*
 * Makes the document that the index stores for a memory. fresh (may be NULL): gets the words that
 * words_count() gives for the vocabulary.
 */
struct err *memory_index_doc(struct memories *m, struct arena *a, const struct memory *one,
			     struct index_doc *out, struct strs *fresh) MUST_USE;

/* ---- put.c: call all of them within memory_write() ---- */

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
/* Removes a memory from the index and from the rows. */
struct err *memory_drop(struct memories *m, struct arena *a, const struct memory *one) MUST_USE;
/* Like memory_drop(), and marks its words for the next purge. */
struct err *memory_drop_for_good(struct memories *m, struct arena *a,
				 const struct memory *one) MUST_USE;
/*
 * Marks the words of an erased text: the next purge removes them from the vocabulary if no other
 * memory has them.
 */
struct err *memory_doubt(struct memories *m, struct arena *a, struct str text) MUST_USE;
/* Drops expired working and scratch memories, at most `most`. */
struct err *memory_drop_expired(struct memories *m, struct arena *a, size_t most,
				size_t *dropped) MUST_USE;

/* ---- supersede.c: call within db_write() ---- */

/*
 * Whether everybody who sees `old` sees `by`: it has the same layer or a wider one. Agent and
 * session are equally narrow, and narrower than user.
 */
bool memory_may_supersede(const struct memory *old, const struct memory *by);
/*
 * Marks `old` as superseded by `by`, since the time `when`. `by` becomes at least as sensitive as
 * `old`. Errors: SUPERSEDED names the newest memory; BAD_ARGUMENT when the kind of `old` is
 * append-only, or when memory_may_supersede() is false.
 */
struct err *memory_supersede(struct memories *m, struct arena *a, struct str old, struct memory *by,
			     int64_t when) MUST_USE;
/* Makes the memory that `gone` superseded active again. */
struct err *memory_revive(struct memories *m, struct arena *a, const struct memory *gone) MUST_USE;

/* ---- verdict.c ---- */

/*
 * Finds a rejected memory of the caller that says the same: the same words in the same order, apart
 * from case, punctuation, inflection and articles.
 */
struct err *memory_rejected(struct memories *m, struct arena *a, const struct memory *one,
			    struct memory *out, bool *found) MUST_USE;
/* Whether anybody has rejected a memory. */
struct err *memory_any_rejected(struct memories *m, struct arena *a, bool *out) MUST_USE;
struct err *memory_rejected_error(struct arena *a, const struct memory *old) MUST_USE;

/* ---- remove.c ---- */

/*
 * Deletes a memory: makes a tombstone with the time `when`, and revives the memory that it
 * superseded. Call it within db_write().
 */
struct err *memory_take_away(struct memories *m, struct arena *a, const struct memory *one,
			     int64_t when) MUST_USE;

#endif
