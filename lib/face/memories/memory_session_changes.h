/* memory_session_changes: the changes of memories in a conversation, or since a time, for events
 * diff and undo. lib/files/file/session_changes.h does the same for files, and knows no memories.
 */
#pragma once

#include "events/event_session_changes.h"
#include "memories.h"

/* One change that is in place. */
struct mem_session_change {
	struct str id, op, event;
	struct str content; /* of the memory now; empty: it is deleted */
};
struct mem_session_changes VEC(struct mem_session_change);
extern const struct field mem_session_fields[]; /* of struct mem_session_change */

/* The caller's own changes, oldest first. A filter with a path has none. */
struct err *mem_session_changes(struct call *c, const struct event_filter *filter,
				struct mem_session_changes *out) MUST_USE;
/* Undoes them, newest first, and adds to `out` what session_undo() would: the path of a memory that
 * keeps its change is its id. */
struct err *mem_session_undo(struct call *c, const struct event_filter *filter,
			     struct session_undone *out) MUST_USE;
