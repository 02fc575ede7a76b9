/*
 * event: what was changed, by whom, from what to what, and the former content for as long as it is
 * kept (ikm-design(7), "Undo"; requirement: garden, "Events and lint"). An event is never changed:
 * its outcome is a second row.
 *
 * A change is three steps: event_begin() durable before it, the change, event_end() after it. A
 * process that dies in between leaves an event that is pending; who meets it next, be it with the
 * next change of that file, compares the file's hash and settles it.
 */
#ifndef IKM_EVENT_H
#define IKM_EVENT_H

#include "db/db.h"

struct events {
	struct db *db;
	struct str user, agent, session; /* who is asking */
	struct str tool;                 /* "file_edit" */
	int64_t keep_ms, keep_bytes;     /* of former contents (undo.days, undo.bytes) */
};

#define EVENT_STATUSES(X)                                                                          \
	X(EVENT_PENDING, "pending") X(EVENT_COMMITTED, "committed") X(EVENT_FAILED, "failed")
enum event_status { EVENT_STATUSES(ENUM_MEMBER) };
extern const char *const event_statuses[];

struct event {
	struct str id; /* a ULID */
	int64_t time;  /* ms */
	struct str user, agent, session, tool;
	struct str entity; /* "file", "asset" */
	struct str op; /* "write", "edit", "append", "patch", "move", "remove", "compact", "undo" */
	struct str path;          /* absolute, or ikigai:///…; as it was when it was written */
	struct str path_to;       /* of a move */
	struct str before, after; /* sha256: over the bytes; empty: there was, or is, no file */
	uint32_t before_mode, after_mode; /* of a file, its nine bits; 0: none, or not known */
	struct str undoes;                /* the event that this one put back */
	struct str error;                 /* of a failed one */
	enum event_status status;
	bool kept; /* the former content, or the asset's version, is still there */
};
struct event_list {
	struct event *p;
	size_t n, cap;
};

/*
 * Records what is about to happen: of e, entity, op, path, path_to, before, after, the modes and
 * undoes count.
 * former (p NULL: nothing to keep): the content behind `before`, kept unless it is larger than all
 * that may be kept; older contents go when it gets too much or too old. The caller has the lock of
 * what is changed: the event before it, when that is open, is settled by e->before. Durable.
 */
struct err *event_begin(struct events *log, struct arena *a, const struct event *e,
			struct str former, struct str *id) MUST_USE;
/* error NULL: it is done. The first outcome stays: who settles it later changes nothing. */
struct err *event_end(struct events *log, struct str id, const char *error) MUST_USE;
/* For who holds its writer's lock and found it open: that process died, before it was done or
 * after. */
struct err *event_settle(struct events *log, struct str id, bool done) MUST_USE;

struct event_filter {
	struct str path, op, agent, user, session, tool, text;
	int status;           /* enum event_status, -1: any */
	int64_t since, until; /* ms, 0: any */
	struct str before_id; /* keyset paging: only those older than this event */
	size_t limit;
};
/*
 * Newest first. path: of the file, or of a folder that it is in; text: somewhere in path, op, tool,
 * rationale or error, in any case of ASCII letters. NO_SUCH_EVENT for before_id.
 */
struct err *event_query(struct events *log, struct arena *a, const struct event_filter *f,
			struct event_list *out) MUST_USE;
/* By id, or the unique beginning of one. NO_SUCH_EVENT, NOT_UNIQUE. */
struct err *event_get(struct events *log, struct arena *a, struct str id,
		      struct event *out) MUST_USE;
/* Reads every row: what is damaged. */
struct err *event_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged) MUST_USE;
/* The event that put this one back; empty: none did, or what tried failed. */
struct err *event_undone(struct events *log, struct arena *a, struct str id,
			 struct str *by) MUST_USE;
/* The content with this hash; NO_FORMER when it is not kept (any more). */
struct err *event_former(struct events *log, struct arena *a, struct str hash,
			 struct str *content) MUST_USE;

#endif
