/*
 * memories_of_other_machines: memories as they come from other machines and go to them
 * (lib/memory/sync). The functions look at all scopes, keep the times of a memory, and record no
 * events: the machine that made a change has recorded it.
 */
#pragma once

#include "memory/memory.h"

/* Statements may add columns behind those of memory_rows. */
#define MEMORY_ROW_COLUMNS 38
/* Reads the current row of such a statement. Errors: DB_CORRUPT; db_skip_damaged_row() may skip it.
 */
struct err *memory_synced_row(struct memories *m, struct arena *a, struct db_rows *rows,
			      struct memory *out) MUST_USE;

/*
 * The memory as the server has it: as exports do, but without the owner, which the server knows. A
 * memory that has expired counts as active.
 */
struct str memory_synced_text(struct arena *a, const struct memory *one);
/*
 * Reads such a text, which may be anything. layer and whose: what its row says, which must agree;
 * out->scope is not set, and no text says who the owner is. Errors: those of an import's line;
 * BAD_ARGUMENT for a pointer to knowledge and for a layer that differs; NOT_ALLOWED for a sensitive
 * memory.
 */
struct err *memory_synced_parse(struct memories *m, struct arena *a, struct str text,
				struct str layer, struct memory *out) MUST_USE;

/* Finds a memory in any scope. */
struct err *memory_synced_get(struct memories *m, struct arena *a, struct str id,
			      struct memory *out, bool *found) MUST_USE;

/*
 * Merges two versions of a memory, each changed since `base`; base NULL: it is not known. A member
 * that one side has changed is that side's. Of one that both have changed the stricter value holds,
 * where one is stricter, else that of the side `theirs`. Tags are a set. *lost: the members that
 * have lost a value, as JSON, or empty.
 */
struct memory_versions {
	const struct memory *base, *ours, *theirs;
	bool theirs_wins;
};
void memory_synced_merge_versions(struct arena *a, const struct memory_versions *s,
				  struct memory *out, struct str *lost);

/* ---- within a transaction ---- */

/* The scope of a layer and its owner, a JSON list of identifiers. Errors: BAD_ARGUMENT. */
struct err *memory_synced_scope_of_owner(struct memories *m, struct arena *a,
					 enum memory_layer layer, struct str whose,
					 int64_t *scope) MUST_USE;
/* Stores `now`, with its times. was NULL: it is not there; a tombstone of its id goes. */
struct err *memory_synced_put(struct memories *m, struct arena *a, const struct memory *was,
			      struct memory *now) MUST_USE;
/* Merges what `one` says besides its content into `was`, as adding a repeat does. */
struct err *memory_synced_merge_repeat(struct memories *m, struct arena *a,
				       const struct memory *one, struct memory *was) MUST_USE;
/* Removes a memory, and leaves a tombstone with that time, or none with when 0. */
struct err *memory_synced_remove(struct memories *m, struct arena *a, const struct memory *one,
				 int64_t when) MUST_USE;

/*
 * Erases a memory that its owner withdrew or purged: the row, its former states, the versions of it
 * that lost. one NULL: it is deleted here already. An empty tombstone stays. The index and the log
 * are the caller's: index_gc().
 */
struct err *memory_synced_erase(struct memories *m, struct arena *a, struct str id,
				const struct memory *one, int64_t when) MUST_USE;
/* Whether the members agree that never change; else it is another memory of the same id. */
bool memory_synced_same_origin(const struct memory *one, const struct memory *other);

/*
 * What follows when `by`, which is stored, supersedes another memory of this store. On a server
 * only the owner changes a memory, so each machine derives that another person's is superseded.
 * `found`: the other memory is here. `changed`: it was changed from `was` to `now`. The memory of
 * another person supersedes none of the layers that are one person's.
 */
struct memory_shared_followed {
	struct memory was, now;
	bool found, changed;
};
struct err *memory_synced_supersede(struct memories *m, struct arena *a, struct memory *by,
				    struct memory_shared_followed *out) MUST_USE;
/*
 * A memory that `gone` superseded is so no more: it holds again, or is superseded by what
 * superseded `gone`. Call it again while it has changed one: rejected memories stand before others.
 */
struct err *memory_synced_revive_superseded(struct memories *m, struct arena *a,
					    const struct memory *gone,
					    struct memory_shared_followed *out) MUST_USE;
/*
 * A version `now` of the memory `was` comes from a machine that did not know yet which memory
 * superseded it, or that this memory is gone: it becomes as superseded as `was` is here.
 */
struct err *memory_synced_keep_superseded(struct memories *m, struct arena *a,
					  const struct memory *was, struct memory *now) MUST_USE;

/*
 * A new memory with its words, ready to be stored. Any thread may prepare one, with `m` of its own
 * (memory_handle_for_thread()).
 */
struct memory_shared_ready;
struct err *memory_synced_prepare(struct memories *m, struct arena *a, const struct memory *one,
				  struct memory_shared_ready **out) MUST_USE;
/* Finds another active memory of the same scope that says the same, if the kind merges repeats. */
struct err *memory_synced_find_repeat(struct memories *m, struct arena *a, const struct memory *one,
				      const struct memory_shared_ready *ready, struct memory *out,
				      bool *found) MUST_USE;

/*
 * Stores many new memories. Begin, add and end stand inside one transaction, and nothing else
 * changes memories between them. n: at most so many, up to INDEX_BULK. *first is the number of the
 * first memory, and the others follow.
 */
struct memory_shared_bulk;
struct err *memory_synced_bulk_begin(struct memories *m, struct arena *a, size_t n,
				     struct memory_shared_bulk **out, int64_t *first) MUST_USE;
/* `one` is the prepared memory, with its scope and number. */
struct err *memory_synced_bulk_add(struct memory_shared_bulk *b, struct arena *a,
				   const struct memory *one,
				   const struct memory_shared_ready *ready) MUST_USE;
/* Indexes each of them, in the same order: in any thread, one at a time. */
void memory_synced_bulk_index(struct memory_shared_bulk *b, const struct memory *one,
			      struct memory_shared_ready *ready);
struct err *memory_synced_bulk_end(struct memory_shared_bulk *b) MUST_USE;
