/*
 * session_changes: all changes that match a filter, of one conversation say, as one: what they did
 * to each file, and taking them back (ikm-design(7), "Undo"). A later change by somebody else is
 * kept.
 */
#pragma once

#include "file/undo.h"

#define SESSION_EVENTS ((size_t)10000) /* at most so many; TOO_LONG over that */

/* What the changes did to one file or asset. */
struct session_file {
	struct str path;   /* its name now */
	struct str from;   /* its name before, if it was moved; else empty */
	struct str entity; /* a word of EVENT_ENTITIES */
	size_t events;     /* the number of changes */
	struct str first;  /* the hash before the first change; empty: it did not exist */
	struct str last;   /* the hash after the last change; empty: it was removed */
	struct file_version before, after;
	const struct event *newest; /* the last change */
	struct str now;             /* the hash now; empty: it does not exist */
	/* Between these changes somebody changed it, so the diff has that too: another event, or
	 * nothing that is recorded. */
	bool by_others, by_hand;
	bool later; /* somebody changed it after the last of these changes */
};
struct session_files {
	struct session_file *p;
	size_t n, cap;
	struct strs
		left_out; /* sentences about files that cannot be read, in other repositories say */
};

/* The changes that are in place and not undone, as files in the order of their first change. */
struct err *session_changes(struct files *f, const struct event_filter *filter,
			    struct session_files *out) MUST_USE;

struct session_kept {
	struct str path;
	struct str event;  /* the event that could not be undone */
	struct str reason; /* why */
	struct str diff;   /* from the content that the change left to the content now, if kept */
	struct file_version before, after, now; /* when somebody changed it since */
};
struct session_undone {
	struct VEC(struct event) events; /* in the order in which they were undone: newest first */
	struct VEC(struct session_kept) kept;
	struct strs warnings;
};
/*
 * Undoes these changes, newest first. A file whose change cannot be undone keeps that change and
 * all before it, and is in `kept`; the others go on. q->id is not read. Errors: those of the
 * record.
 */
struct err *session_undo(struct files *f, const struct event_filter *filter,
			 const struct file_undo_ask *q, struct session_undone *out) MUST_USE;
