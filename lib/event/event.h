/*
 * event: the log of changes: what changed, who changed it, the hashes before and after, and the
 * former content while it is kept (ikm-design(7), "Undo"; requirement: garden, "Events and lint").
 * The row of an event never changes; its outcome is a second row.
 *
 * A change takes three steps: event_begin(), which is durable, the change itself, event_end(). A
 * process that dies in between leaves a pending event. The next change of the file, or a command
 * that finds the event, compares the file's hash and settles the event.
 */
#ifndef IKM_EVENT_H
#define IKM_EVENT_H

#include "db/db.h"

struct events {
	struct db *db;
	struct str user, agent, session; /* the caller */
	struct str tool;                 /* "file_edit" */
	int64_t keep_ms, keep_bytes;     /* limits of former contents (undo.days, undo.bytes) */
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
	struct str path;                  /* absolute, or ikigai:///…; as it was at that time */
	struct str path_to;               /* the new path, for a move */
	struct str before, after;         /* sha256: of the bytes; empty: no file */
	uint32_t before_mode, after_mode; /* nine bits of a file; 0: none, or unknown */
	struct str undoes;                /* the event that this one undid */
	struct str error;                 /* why it failed, if it did */
	enum event_status status;
	bool kept; /* the former content, or the asset's version, still exists */
};
struct event_list {
	struct event *p;
	size_t n, cap;
};

/*
 * Records a change durably before it happens. It reads these members of e: entity, op, path,
 * path_to, before, after, the modes, undoes. former: the content whose hash is `before`; p NULL:
 * none. It is kept unless it alone is larger than keep_bytes; contents that are too old or too many
 * are dropped. The caller holds the lock of the file. If the file's last event is pending, it is
 * settled by comparing its hashes with e->before.
 */
struct err *event_begin(struct events *log, struct arena *a, const struct event *e,
			struct str former, struct str *id) MUST_USE;
/*
 * Records the outcome; error NULL: success. The first outcome stays, and later calls change
 * nothing.
 */
struct err *event_end(struct events *log, struct str id, const char *error) MUST_USE;
/*
 * Ends a pending event whose process died. The caller holds the file's lock. done: the change had
 * happened.
 */
struct err *event_settle(struct events *log, struct str id, bool done) MUST_USE;

struct event_filter {
	struct str path, op, agent, user, session, tool, text;
	int status;           /* enum event_status, -1: any */
	int64_t since, until; /* ms, 0: any */
	struct str before_id; /* keyset paging: only events older than this one */
	size_t limit;
};
/*
 * Lists events, newest first. path: a file, or a folder and all below it. text: a part of path, op,
 * tool, rationale or error; ASCII case is ignored. Errors: NO_SUCH_EVENT for before_id.
 */
struct err *event_query(struct events *log, struct arena *a, const struct event_filter *f,
			struct event_list *out) MUST_USE;
/* Finds an event by its id or a unique beginning of its id. Errors: NO_SUCH_EVENT, NOT_UNIQUE. */
struct err *event_get(struct events *log, struct arena *a, struct str id,
		      struct event *out) MUST_USE;
/* Reads all events, and adds damaged rows to the list. */
struct err *event_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged) MUST_USE;
/* The event that undid this one; empty: there is none, or it failed. */
struct err *event_undone(struct events *log, struct arena *a, struct str id,
			 struct str *by) MUST_USE;
/* The content with this hash. Errors: NO_FORMER when it is not kept, or no longer. */
struct err *event_former(struct events *log, struct arena *a, struct str hash,
			 struct str *content) MUST_USE;

#endif
