/*
 * event: the record of changes: what changed, who changed it, the hashes before and after, and the
 * former content while it is kept (ikm-design(7), "The record of changes" and "Undo"; requirement:
 * garden, "Events and lint").
 *
 * The record is one append-only table. Each step of an event is a row of its own: pending, written,
 * committed, failed, annotation. An event has its columns in its first row; `status` is the last
 * step that is not an annotation. With a key (event/keys.h) each row carries a MAC that covers the
 * MAC of the row before: event/verify.h looks for the first break.
 *
 * A change takes three calls: event_begin(), which is durable, the change itself, event_end(). A
 * garden write calls event_append_step() in between: written when the file is in place, committed
 * when Git has it. A process that dies leaves a pending or written event. event_unsettled() lists
 * them; the next writer compares the file's hash and settles the event.
 *
 * This module knows neither files nor Git nor the garden's rules.
 */
#pragma once

#include "db/db.h"

/*
 * What the caller of a writing tool may say about its call (requirement: garden, events.log). All
 * may be empty; event_begin() records them.
 */
struct event_ids {
	struct str transaction, tool_call, agent_action; /* at most EVENT_ID_MOST bytes each */
	struct str
		idempotency_key;  /* the caller's, or the one that event_idempotent_begin() sets */
	struct str evidence_refs; /* a JSON list of strings, or empty */
	struct str rationale;     /* one line */
};
#define EVENT_ID_MOST        ((size_t)256)
#define EVENT_RATIONALE_MOST ((size_t)4096)
/* INVALID_INPUT that names the parameter: an id is too long, the rationale has a line break. */
struct err *event_caller_ids_check(const struct event_ids *ids) MUST_USE;

/* How the caller came to ikm. Nobody knows whether a person or a program typed a command. */
#define EVENT_FACES(X)                                                                             \
	X(EVENT_FACE_UNKNOWN, "unknown")                                                           \
	X(EVENT_FACE_COMMAND, "command")                                                           \
	X(EVENT_FACE_CALL, "call")                                                                 \
	X(EVENT_FACE_MCP, "mcp") X(EVENT_FACE_HOOK, "hook") X(EVENT_FACE_SYNC, "sync")
enum event_face { EVENT_FACES(ENUM_MEMBER) };
extern const char *const event_faces[];

/* Its keys are in the folder "keys" beside the store (event/keys.h). */
struct events {
	struct db *db;
	struct str user, agent, session; /* the caller */
	struct str tool;                 /* "file_edit" */
	enum event_face face;
	/*
	 * The program in front of ikm, as it says itself: the clientInfo.name of an MCP client, or
	 * the host whose variables a command has. It gives no right. Empty: none says so.
	 */
	struct str client;
	int64_t keep_ms, keep_bytes; /* limits of former contents (undo.days, undo.bytes) */
	struct event_ids ids;
	/*
	 * The caller's events need a key, as garden writes do: without one event_begin() and
	 * event_refused() fail with NOT_CONFIGURED (MISSING_CREDENTIALS) and the steps.
	 */
	bool keyed;
	/* Set by event_idempotent_begin(): event_begin() stores the record of the repeat. */
	struct event_replay *replay;
};

/* written: the file is in place, and Git does not have it yet. */
#define EVENT_STATUSES(X)                                                                          \
	X(EVENT_PENDING, "pending")                                                                \
	X(EVENT_WRITTEN, "written") X(EVENT_COMMITTED, "committed") X(EVENT_FAILED, "failed")
enum event_status { EVENT_STATUSES(ENUM_MEMBER) };
extern const char *const event_statuses[];

#define EVENT_TYPES(X)                                                                             \
	X(EVENT_ACTION, "action")                                                                  \
	X(EVENT_OBSERVATION, "observation")                                                        \
	X(EVENT_PROFILE_UPDATE, "profile_update")                                                  \
	X(EVENT_SYSTEM, "system") X(EVENT_AUDIT, "audit")
enum event_type { EVENT_TYPES(ENUM_MEMBER) };
extern const char *const event_types[];

#define EVENT_ENTITIES(X)                                                                          \
	X(EVENT_FILE, "file")                                                                      \
	X(EVENT_ASSET, "asset")                                                                    \
	X(EVENT_MEMORY, "memory")                                                                  \
	X(EVENT_USER, "user")                                                                      \
	X(EVENT_PART, "part") X(EVENT_RELATIONSHIP, "relationship") X(EVENT_NOTE, "note")
enum event_entity { EVENT_ENTITIES(ENUM_MEMBER) };
extern const char *const event_entities[];

struct event {
	struct str id; /* a ULID */
	int64_t seq;   /* of its first row: the place in the record of this machine */
	int64_t schema_version;
	struct str machine;
	int64_t time; /* ms */
	struct str user, agent, session, tool;
	enum event_face face; /* unknown: older versions did not record it */
	struct str client;    /* as it says itself; empty: none */
	struct str entity;    /* a word of EVENT_ENTITIES */
	struct str entity_id; /* "p1"; of a file its path, of an asset its URI */
	enum event_type type;
	/* "write", "edit", "append", "patch", "move", "remove", "compact", "undo"; of memories
	 * "add", "merge", "edit", "supersede", "revive", "mark", "delete", "restore"; of the garden
	 * "replace_section", "append_section", "append_item", "curate_items", "tombstone_section"
	 */
	struct str op;
	struct str section_anchor;        /* "concerns v1" */
	struct str path;                  /* absolute, or ikigai:///…; as it was at that time */
	struct str path_to;               /* the new path, for a move */
	struct str before, after;         /* sha256: of the bytes; empty: no file */
	uint32_t before_mode, after_mode; /* nine bits of a file; 0: none, or unknown */
	struct str rationale;
	struct str evidence_refs; /* a JSON list of strings */
	struct str lint;          /* JSON: the diagnostics and the overrides */
	struct str change;        /* what is intended; at most EVENT_CHANGE_MOST bytes */
	struct str undoes;        /* the event that this one undid */
	struct event_ids ids;     /* as the caller gave them; rationale and evidence_refs: above */
	struct str line_hash;     /* "hmac:…" of the canonical content; empty: there was no key */
	int64_t key_version;      /* of the MACs; 0: none */
	struct str chain;         /* the MAC of its first row; empty: none */
	struct str error;         /* why it failed, if it did */
	struct str commit;        /* the Git commit, if there is one */
	enum event_status status; /* the last step */
	bool kept;                /* the former content, or the asset's version, still exists */
	/*
	 * For event_begin() only: the new content of the file, or of the section that
	 * section_anchor names. line_hash is made of it. p NULL: no line_hash.
	 */
	struct str content;
};
#define EVENT_CHANGE_MOST ((size_t)64 << 10)
struct event_list VEC(struct event);

/* Whether the change is in place: written or committed. */
static inline bool event_is_done(const struct event *e)
{
	return e->status == EVENT_WRITTEN || e->status == EVENT_COMMITTED;
}

/* Whether a program is known to have made it: a tool, or a command under an agent's host. */
static inline bool event_is_of_agent(const struct event *e)
{
	return e->face == EVENT_FACE_COMMAND ? e->client.n : e->face != EVENT_FACE_UNKNOWN;
}

/*
 * Records a change durably before it happens. It reads these members of e: entity, entity_id
 * (empty: the path), type, op, section_anchor, path, path_to, before, after, the modes, lint,
 * change (a longer one is cut, and says so), undoes, content; rationale and evidence_refs, where
 * empty those of log->ids. former: the content whose hash is `before`; p NULL: none. It is kept
 * unless it alone is larger than keep_bytes; contents that are too old or too many are dropped. The
 * caller holds the lock of the file. If the file's last event is pending, it is settled by
 * comparing its hashes with e->before.
 *
 * Errors: NOT_CONFIGURED and BAD_KEY (MISSING_CREDENTIALS), from event/keys.h.
 */
struct err *event_begin(struct events *log, struct arena *a, const struct event *e,
			struct str former, struct str *id) MUST_USE;

/* One step of an event: what it adds to the first row. */
struct event_outcome {
	enum event_status status; /* not pending */
	struct str after;         /* the hash, when it is not the one that event_begin() was told */
	struct str error;         /* why it failed, or why Git did not commit */
	struct str commit;        /* the oid */
	struct str result; /* JSON: the tool's answer, for event_idempotent_begin(); or empty */
};
/*
 * Appends a step. written comes once, before an outcome. The first outcome (committed, failed)
 * stays, and later calls change nothing.
 */
struct err *event_append_step(struct events *log, struct str id,
			      const struct event_outcome *o) MUST_USE;
/* The short form of event_append_step(); error NULL: committed. */
struct err *event_end(struct events *log, struct str id, const char *error) MUST_USE;
/*
 * Ends a pending event whose process died. The caller holds the file's lock. done: the change had
 * happened.
 */
struct err *event_settle(struct events *log, struct str id, bool done) MUST_USE;
/*
 * Records an attempt that was refused: one row of type audit with the status failed and the error.
 * It reads the members that event_begin() reads; nothing was changed, so `after` is what it would
 * have been.
 */
struct err *event_refused(struct events *log, struct arena *a, const struct event *e,
			  const struct err *why, struct str *id) MUST_USE;
/*
 * Records what is no change of a file: an event of type observation, action or system, in one row
 * with the status committed.
 */
struct err *event_note(struct events *log, struct arena *a, const struct event *e,
		       struct str *id) MUST_USE;
/*
 * Records a change that the caller makes in the same transaction, so both are stored or none: one
 * row with the status committed. Call it inside a transaction. e and former: as for event_begin().
 */
struct err *event_record_change(struct events *log, struct arena *a, const struct event *e,
				struct str former, struct str *id) MUST_USE;
/*
 * Adds a row to an event: rationale, evidence_refs and lint of e, and log->ids. The event itself
 * stays as it is.
 */
struct err *event_annotate(struct events *log, struct str id, const struct event *e) MUST_USE;
/*
 * For events_log: the newest event of this path and this hash after it, by the same user and agent,
 * written or committed, not older than EVENT_JOIN_MS. *id empty: there is none.
 */
#define EVENT_JOIN_MS ((int64_t)48 * 60 * 60 * 1000)
struct err *event_find_recent_write(struct events *log, struct arena *a, struct str path,
				    struct str after, struct str *id) MUST_USE;
/*
 * The events at or below an absolute path that are pending or written, oldest first. The caller
 * holds the lock of the garden.
 */
struct err *event_unsettled(struct events *log, struct arena *a, struct str path,
			    struct event_list *out) MUST_USE;

/*
 * The columns that a filter compares as they are, in the order of the parameters of the statement
 * event_query: the member and the column. The values of tool_call, transaction, agent_action and
 * idempotency_key may also stand in a later row of the event; evidence is one of evidence_refs.
 */
#define EVENT_FILTERS(X)                                                                           \
	X(op, "op")                                                                                \
	X(agent, "agent_id")                                                                       \
	X(user, "user_id")                                                                         \
	X(session, "session_id")                                                                   \
	X(tool, "tool")                                                                            \
	X(entity, "entity_type")                                                                   \
	X(entity_id, "entity_id")                                                                  \
	X(type, "type")                                                                            \
	X(section_anchor, "section_anchor")                                                        \
	X(idempotency_key, "idempotency_key")                                                      \
	X(tool_call, "tool_call_id")                                                               \
	X(transaction, "transaction_id")                                                           \
	X(agent_action, "agent_action_id")                                                         \
	X(evidence, "evidence_refs")                                                               \
	X(face, "face")                                                                            \
	X(client, "client")
struct event_filter {
#define X(member, column) struct str member;
	EVENT_FILTERS(X)
#undef X
	struct str path, text;
	int status;           /* enum event_status, -1: any */
	bool done;            /* only written or committed ones */
	bool of_agents;       /* only those that event_is_of_agent() */
	int64_t since, until; /* ms, 0: any */
	struct str before_id; /* keyset paging: only events older than this one; or its beginning */
	size_t limit;
};
/*
 * Lists events, newest first. path: a file, or a folder and all below it. text: a part of path, op,
 * tool, rationale (also of annotations) or error; ASCII case is ignored. Errors: NO_SUCH_EVENT for
 * before_id.
 */
struct err *event_query(struct events *log, struct arena *a, const struct event_filter *f,
			struct event_list *out) MUST_USE;
/*
 * The recorded path that differs from this one only in Unicode's form or in kinds of space. Empty:
 * this one is recorded itself, or none or several such paths are.
 */
struct err *event_find_lookalike_path(struct events *log, struct arena *a, struct str path,
				      struct str *out) MUST_USE;
/* The events of a memory, oldest first, with `change`. */
struct err *event_list_of_memory(struct events *log, struct arena *a, struct str id,
				 struct event_list *out) MUST_USE;
/* Finds an event by its id or a unique beginning of its id. Errors: NO_SUCH_EVENT, NOT_UNIQUE. */
struct err *event_get(struct events *log, struct arena *a, struct str id,
		      struct event *out) MUST_USE;

/* The rows of an event, oldest first. */
#define EVENT_STEPS(X)                                                                             \
	X(EVENT_STEP_PENDING, "pending")                                                           \
	X(EVENT_STEP_WRITTEN, "written")                                                           \
	X(EVENT_STEP_COMMITTED, "committed")                                                       \
	X(EVENT_STEP_FAILED, "failed")                                                             \
	X(EVENT_STEP_ANNOTATION, "annotation")                                                     \
	X(EVENT_STEP_ROTATION, "rotation") X(EVENT_STEP_CHECKPOINT, "checkpoint")
enum event_step { EVENT_STEPS(ENUM_MEMBER) };
extern const char *const event_steps[];
struct event_step_row {
	int64_t seq, time;
	enum event_step step;
	struct str user, agent, session, tool; /* of the process that recorded the step */
	struct str after, error, commit, rationale, evidence_refs, lint;
	struct str transaction, tool_call, agent_action;
	struct str line_hash, chain;
	int64_t key_version;
};
struct event_step_rows VEC(struct event_step_row);
struct err *event_list_steps(struct events *log, struct arena *a, struct str id,
			     struct event_step_rows *out) MUST_USE;
/*
 * For following the record: the number of the last row; and each row after `since`, in the order of
 * the record, whose event matches f. f->status is the step that is asked for; f->limit does not
 * count. event->status is as of the step. *last: pass it as the next `since`.
 */
struct event_followed {
	struct event event;
	struct event_step_row step;
};
struct event_followed_list VEC(struct event_followed);
struct err *event_last_row_number(struct events *log, int64_t *out) MUST_USE;
struct err *event_follow(struct events *log, struct arena *a, const struct event_filter *f,
			 int64_t since, struct event_followed_list *out, int64_t *last) MUST_USE;

/* The id of the machine that has this record; empty: it has no event yet. */
struct err *event_machine_id(struct events *log, struct arena *a, struct str *id) MUST_USE;

/* Reads all events, and adds damaged rows to the list. */
struct err *event_find_damaged_rows(struct db *db, struct arena *a,
				    struct db_damaged_rows *damaged) MUST_USE;
/*
 * The newest conversation whose id begins so: its id and the time of its newest event. Only those
 * of EVENT_FACE_CALL and EVENT_FACE_COMMAND count. *id empty: there is none.
 */
struct err *event_conversation_by_prefix(struct events *log, struct arena *a, struct str begins,
					 struct str *id, int64_t *time) MUST_USE;
/* The event that undid this one; empty: there is none, or it failed. */
struct err *event_undone_by(struct events *log, struct arena *a, struct str id,
			    struct str *by) MUST_USE;
/* Whether its change was taken back, and not restored since. */
struct err *event_is_undone(struct events *log, struct arena *a, struct str id, bool *out) MUST_USE;
/* The content with this hash. Errors: NO_FORMER when it is not kept, or no longer. */
struct err *event_kept_content_by_hash(struct events *log, struct arena *a, struct str hash,
				       struct str *content) MUST_USE;
