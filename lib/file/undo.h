/*
 * undo: puts back what an event changed, and settles what a process that died left open
 * (ikm-design(7), "Undo"). Nothing is put back over what somebody changed since.
 */
#ifndef IKM_FILE_UNDO_H
#define IKM_FILE_UNDO_H

#include "file/file.h"

/* One of the contents that an undo may meet. */
struct file_version {
	struct str hash;    /* empty: there was, or is, nothing */
	struct str content; /* p NULL: it is not kept */
};

struct file_undo {
	struct event event;    /* what was asked to be undone, settled */
	struct file_done done; /* changed false: it was put back by other means already */
	/* Set with CHANGED_SINCE. */
	struct file_version before, after, now;
};

/*
 * By id or the beginning of one; f->events must be set: the undo is an event too, and undoing that
 * one brings the change back. A creation is undone by removing, a removal by writing, a move by
 * moving back; assets under the budget rule. agent (p NULL: any): whose event it must be, else
 * NOT_ALLOWED. Errors: CHANGED_SINCE; UNDONE_ALREADY; BAD_ARGUMENT for an event that failed;
 * NO_FORMER; those of event_get() and file_commit().
 */
struct err *file_undo(struct files *f, struct str id, struct str agent,
		      struct file_undo *out) MUST_USE;

/*
 * A pending event becomes committed or failed by what is there now, under the lock that its writer
 * would hold; one that fits neither stays pending. f->events must be set.
 */
struct err *file_settle(struct files *f, struct event *e) MUST_USE;

#endif
