/*
 * undo: undoes the change of an event, and settles events that a dead process left pending
 * (ikm-design(7), "Undo"). It never overwrites a later change.
 */
#pragma once

#include "file/file.h"

/* One of the contents that an undo may meet. */
struct file_version {
	struct str hash;    /* empty: the file does not exist */
	struct str content; /* p NULL: it is not kept */
};

struct file_undo {
	struct event event;    /* the event to undo, settled */
	struct file_done done; /* changed false: the former content was there already */
	bool refused;          /* the caller may not undo this event; set with NOT_ALLOWED */
	/* Set with CHANGED_SINCE. */
	struct file_version before, after, now;
};

struct file_undo_ask {
	struct str id;
	/*
	 * The event must be of this user, agent and conversation: another user's may have the same
	 * name. agent.p NULL: a person, who undoes any event. session empty: a program without a
	 * conversation, which undoes nothing.
	 */
	struct str user, agent, session;
	/*
	 * Only maintainers undo what only maintainers do: a deletion or move by a tool's caller,
	 * and in the garden by anyone.
	 */
	bool maintainer;
};
/* NOT_ALLOWED for an event that is not the caller's own. */
struct err *undo_check_own(const struct event *e, const struct file_undo_ask *q) MUST_USE;
/*
 * Undoes an event, given by its id or a beginning of its id. f->events must be set: the undo is an
 * event too, and undoing that event restores the change. A creation is undone by removing, a
 * removal by writing, a move by moving back. The budget of assets applies. Errors: NOT_ALLOWED;
 * CHANGED_SINCE; UNDONE_ALREADY; BAD_ARGUMENT for an event that failed; NO_FORMER; those of
 * event_get() and file_commit().
 */
struct err *file_undo_event(struct files *f, const struct file_undo_ask *q,
			    struct file_undo *out) MUST_USE;

/*
 * What the change left, from its commit: in the garden each has one. p NULL: the commit does not
 * have it, or there is none.
 */
struct str file_content_of_commit(struct arena *a, const struct event *e);

/*
 * Settles a pending event under the lock of a writer: it becomes committed or failed, as the file
 * shows. If the file shows neither, the event stays pending. f->events must be set.
 */
struct err *file_settle_event(struct files *f, struct event *e) MUST_USE;
