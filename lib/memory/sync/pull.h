/* pull: rows of memories on their way from the server. For pull.c and meet.c only. */
#pragma once

#include "memory/memories_of_other_machines.h"
#include "sync/exchange_internal.h"

/* A row of the server. */
struct pull_row {
	int64_t seq, clock, deleted;
	bool mine;
	struct str owner, id, machine, layer, whose, text; /* text p NULL: it is deleted */
	struct str gone;                                   /* why */
	int64_t hash;                                      /* of the text */
	struct memory *one;                                /* of the text */
	struct memory_shared_ready *ready;                 /* NULL: it is nothing to store */
	struct held held;
	bool unread;     /* the text is no memory */
	bool bad, plain; /* plain: nothing is here that it could meet */
};

struct pulling {
	struct exchange *x;
	struct arena *a;       /* of the batch */
	struct pull_row *rows; /* by id */
	size_t n, bytes;
	int64_t last;           /* the greatest seq */
	struct strs correcting; /* memories that supersede others, stored by this batch */
	bool derived;           /* what follows from them changed one's own memories, too */
};

/* Stores the row where it changes what is here; in a part of the batch's transaction. */
struct err *pull_store_row(struct pulling *p, struct pull_row *r) MUST_USE;
/*
 * Derives what follows from a stored memory that supersedes another. *found false: the other memory
 * is not here, or not yet.
 */
struct err *pull_supersede(struct pulling *p, struct str id, bool *found) MUST_USE;
/* exchange_cached_remote_row_put() for the row; doc: the memory that is the same. */
struct err *pull_note_remote_row(struct pulling *p, const struct pull_row *r, int64_t doc,
				 bool *added) MUST_USE;
