/* internal: what the files of lib/memory share. */
#ifndef IKM_MEMORY_INTERNAL_H
#define IKM_MEMORY_INTERNAL_H

#include "index/index.h"
#include "memory/memory.h"

#define MEMORY_ID "mem_"

/* ---- check.c ---- */

/*
 * What a memory may be, before anything is stored; the errors are those of memory_add(). Fills what
 * was not said from its kind, sorts the tags. most: bytes of content.
 */
struct err *memory_check(struct arena *a, const struct memory *in, size_t most,
			 struct memory *out) MUST_USE;
/* Sorted, each once. */
struct strs memory_tags(struct arena *a, const struct strs *tags);
struct err *memory_check_tags(const struct strs *tags) MUST_USE;
/* Of kind, type and content: exact repeats have the same. */
int64_t memory_hash(const struct memory *one);

/* ---- rows.c ---- */

/*
 * The current row of a statement that selects from memory_rows, checked: DB_CORRUPT for a damaged
 * row, which db_pass_over() may take.
 */
struct err *memory_row(struct memories *m, struct arena *a, struct db_rows *rows,
		       struct memory *out) MUST_USE;
/*
 * The current row of memory_brief: what a search ranks by, without layer, tokens and metadata.
 * marks: also what memory_marks() asks for. DB_CORRUPT as memory_row().
 */
struct err *memory_brief(struct db_rows *rows, struct arena *a, bool marks,
			 struct memory *out) MUST_USE;
void memory_scopes_text(struct buf *b, const struct memory_scopes *scopes);
/* The current row of deleted_each or deleted_by_id, one that was not purged; DB_CORRUPT as
 * above. */
struct err *memory_tombstone(struct memories *m, struct arena *a, struct db_rows *rows,
			     struct memory *out) MUST_USE;
struct str memory_model(const struct memories *m);

/* ---- add.c ---- */

/*
 * For one more active memory of this kind and agent, within db_write(): the oldest give way, or it
 * is TOO_MANY_MEMORIES.
 */
struct err *memory_make_room(struct memories *m, struct arena *a,
			     const struct memory *one) MUST_USE;

/*
 * An active one of the same kind, type and content in the same scope, if repeats of the kind are
 * one memory; hash: memory_hash(one).
 */
struct err *memory_repeat(struct memories *m, struct arena *a, const struct memory *one,
			  int64_t hash, struct memory *out, bool *found) MUST_USE;
/* The same, stored. Within db_write(). */
struct err *memory_merge(struct memories *m, struct arena *a, const struct memory *one,
			 struct memory *was, struct memory_told *told) MUST_USE;

/* ---- marks.c ---- */

/* All that a query can ask besides words; gives how many. */
#define MEMORY_MARKS_MAX (12 + MEMORY_TAGS_MAX)
size_t memory_marks(const struct memory *one, uint64_t *marks);
/* The tags as a text, whose words it is found by besides those of its content. */
struct str memory_tag_text(struct arena *a, const struct memory *one);
/* What the index is told of it; fresh (may be NULL): what words_count() has for the vocabulary. */
struct err *memory_index_doc(struct memories *m, struct arena *a, const struct memory *one,
			     struct index_doc *out, struct strs *fresh) MUST_USE;

/* ---- put.c: all within memory_write() ---- */

/* The row alone, with the number that is in it; hash: memory_hash(one). */
struct err *memory_insert(struct memories *m, struct arena *a, const struct memory *one,
			  int64_t hash) MUST_USE;
/* A new row with the next number, found by its words. Sets one->doc. */
struct err *memory_put(struct memories *m, struct arena *a, struct memory *one) MUST_USE;
/* What can change of it was changed in `now`: out of the index as it was, into it as it is. */
struct err *memory_change(struct memories *m, struct arena *a, const struct memory *was,
			  struct memory *now) MUST_USE;
/* Out of the index and out of the rows. */
struct err *memory_drop(struct memories *m, struct arena *a, const struct memory *one) MUST_USE;
/* Drops it, and has its words looked at by the next purge. */
struct err *memory_drop_for_good(struct memories *m, struct arena *a,
				 const struct memory *one) MUST_USE;
/* The words of a text that is erased: the next purge sees whether another memory has them. */
struct err *memory_doubt(struct memories *m, struct arena *a, struct str text) MUST_USE;
/* Expired working and scratch memories, at most so many. */
struct err *memory_drop_expired(struct memories *m, struct arena *a, size_t most,
				size_t *dropped) MUST_USE;

/* ---- supersede.c: within db_write() ---- */

/*
 * Whether all who see `old` may see `by`: it is of the same layer or a wider one. Agent and session
 * are beside each other, both narrower than user.
 */
bool memory_may_supersede(const struct memory *old, const struct memory *by);
/*
 * `old` is superseded by `by` from now on. SUPERSEDED names the newest when it is already;
 * BAD_ARGUMENT for what memory_may_supersede() denies. when: since when it holds. What supersedes a
 * sensitive memory becomes as sensitive.
 */
struct err *memory_supersede(struct memories *m, struct arena *a, struct str old, struct memory *by,
			     int64_t when) MUST_USE;
/* What `gone` superseded is active again. */
struct err *memory_revive(struct memories *m, struct arena *a, const struct memory *gone) MUST_USE;

/* ---- remove.c ---- */

/* What a delete is, within db_write(): a tombstone of that time for it, and what it superseded
 * back. */
struct err *memory_take_away(struct memories *m, struct arena *a, const struct memory *one,
			     int64_t when) MUST_USE;

#endif
