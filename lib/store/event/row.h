/*
 * row: one row of the record: its columns, its canonical form, its MAC, and how it is appended.
 * Private to event. In chain.c.
 *
 * The canonical form is what a MAC covers: "ikm-event-1," and then each column but chain_hash, in
 * the order below: "n," for null, "i" and the decimal number and "," for an integer, "t" and the
 * number of bytes and ":" and the bytes and "," for text. The form of a row of schema_version 1 or
 * 2 has no face and no client, which it cannot have. Every form ends with a comma. The content of
 * an integrity_line_hash is empty or ends with a newline, so the MAC of a content is never the MAC
 * of a row, although both have the same key (ikm-formats(5), "The record of changes").
 */
#pragma once

#include "crypt/crypt.h"
#include "event/event.h"

#define EVENT_COLUMNS(X)                                                                           \
	X(COL_SEQ, "seq")                                                                          \
	X(COL_EVENT, "event_id")                                                                   \
	X(COL_NUMBER, "number")                                                                    \
	X(COL_STEP, "step")                                                                        \
	X(COL_SCHEMA, "schema_version")                                                            \
	X(COL_MACHINE, "machine_id")                                                               \
	X(COL_TS, "ts")                                                                            \
	X(COL_USER, "user_id")                                                                     \
	X(COL_AGENT, "agent_id")                                                                   \
	X(COL_SESSION, "session_id")                                                               \
	X(COL_TOOL, "tool")                                                                        \
	X(COL_ENTITY_TYPE, "entity_type")                                                          \
	X(COL_ENTITY_ID, "entity_id")                                                              \
	X(COL_TYPE, "type")                                                                        \
	X(COL_OP, "op")                                                                            \
	X(COL_ANCHOR, "section_anchor")                                                            \
	X(COL_PATH, "file_path")                                                                   \
	X(COL_PATH_TO, "path_to")                                                                  \
	X(COL_RATIONALE, "rationale")                                                              \
	X(COL_BEFORE, "before_hash")                                                               \
	X(COL_AFTER, "after_hash")                                                                 \
	X(COL_BEFORE_MODE, "before_mode")                                                          \
	X(COL_AFTER_MODE, "after_mode")                                                            \
	X(COL_EVIDENCE, "evidence_refs")                                                           \
	X(COL_LINT, "lint")                                                                        \
	X(COL_CHANGE, "change")                                                                    \
	X(COL_UNDOES, "undoes")                                                                    \
	X(COL_IDEMPOTENCY, "idempotency_key")                                                      \
	X(COL_TRANSACTION, "transaction_id")                                                       \
	X(COL_TOOL_CALL, "tool_call_id")                                                           \
	X(COL_ACTION, "agent_action_id")                                                           \
	X(COL_ERROR, "error")                                                                      \
	X(COL_COMMIT, "commit_oid")                                                                \
	X(COL_LINE_HASH, "integrity_line_hash")                                                    \
	X(COL_KEY, "integrity_salt_version")                                                       \
	X(COL_PREV, "chain_prev")                                                                  \
	X(COL_CHAIN, "chain_hash")                                                                 \
	X(COL_FACE, "face")                                                                        \
	X(COL_CLIENT, "client")
enum event_column { EVENT_COLUMNS(ENUM_MEMBER) EVENT_COLUMN_COUNT };

/* The values of a row; the rest are null. */
struct event_cells {
	struct db_arg v[EVENT_COLUMN_COUNT];
};

/*
 * The version of the columns: rows that were carried over from stores without steps have 1, those
 * before EVENT_SCHEMA_FACE name no face.
 */
#define EVENT_SCHEMA      3
#define EVENT_SCHEMA_FACE 3

/* Appends the canonical form. */
void event_row_canonical(struct buf *b, const struct event_cells *c);

/* A key, with the state of the MAC after its two blocks. */
struct event_key {
	int64_t version;
	struct hmac start;
};
/* Whether the text is "hmac:" and the MAC of the bytes. */
bool event_key_mac_holds(const struct event_key *k, struct str bytes, struct str text);
/* Reads a version of the key: NOT_CONFIGURED when its file is missing, BAD_KEY. */
struct err *event_key_load(const struct events *log, struct arena *a, int64_t version,
			   struct event_key *out) MUST_USE;
/* The greatest N of the files of a folder whose names are start, N and end; 0: there is none. */
struct err *event_greatest_number(struct arena *a, const char *folder, const char *start,
				  const char *end, int64_t *out) MUST_USE;
/* The greatest version that there is; 0: there is no key. */
struct err *event_key_newest(const struct events *log, struct arena *a, int64_t *version) MUST_USE;
/* The folder of the keys. NO_HOME. */
struct err *event_key_folder(const struct events *log, struct arena *a, const char **out) MUST_USE;
/* Takes the line "NAME VALUE" off a text; name has the blank. False: it is another line. */
bool event_take_named_line(struct str *rest, const char *name, struct str *value);
/* The 32 bytes of a file of that folder. */
struct err *event_key_bytes(const struct events *log, struct arena *a, const char *name,
			    unsigned char out[HMAC_BYTES]) MUST_USE;
struct err *event_key_make_file(const struct events *log, struct arena *a, const char *name,
				bool *made) MUST_USE;

/* The mark of the end of the chain. */
struct event_head {
	bool there;
	int64_t seq, key_version;
	struct str chain, mac;
};
struct err *event_head_read(struct db *db, struct arena *a, struct event_head *out) MUST_USE;
/* The MAC that the mark must have. */
struct str event_head_expected_mac(const struct event_key *k, struct arena *a,
				   const struct event_head *h);

/*
 * The mark of the beginning of the chain: a file beside the keys, with a MAC by the first key. It
 * names the first row with a MAC, so that a chain that was removed cannot begin anew in silence.
 */
#define BEGUN_FILE "chain.begun"
struct event_begun {
	bool there, holds; /* holds: its MAC fits */
	int64_t seq, time;
	struct str chain;
};
struct err *event_chain_start_read(const struct events *log, struct arena *a,
				   struct event_begun *out) MUST_USE;

/* More rotations than anybody makes; a greater version was written by hand. */
#define VERSION_MOST 4096
/*
 * The version of the key for the next row. holds: the mark of the end has a valid MAC by it.
 * Without such a mark it is the newest key; of a key that the rows name and nobody has, its
 * version, so that reading it fails. 0: there was never a key.
 */
struct err *event_key_current_version(const struct events *log, struct arena *a,
				      const struct event_head *head, int64_t *version,
				      bool *holds) MUST_USE;

/* Only an edit by hand makes a greater number. */
#define ROWS_MOST (INT64_C(1) << 53)
/* The number and the MAC of the last row; seq 0: there is none. chain empty: it has no MAC. */
struct event_tail {
	int64_t seq;
	struct str chain;
};
struct err *event_chain_last_mac_read(struct db *db, struct arena *a,
				      struct event_tail *out) MUST_USE;

/* A new row: everything but seq, the key's version and the chain. id empty: the next ULID. */
struct err *event_row_new(struct events *log, struct arena *a, struct str id, enum event_step step,
			  struct event_cells *out) MUST_USE;
/*
 * Gives the row its place and its MACs, and inserts it, within a transaction. content p NULL: no
 * integrity_line_hash. Only event_keys_create() begins a chain: without one the row has no MAC, and
 * when the chain was removed, a row that says so comes first.
 */
struct err *event_row_append(struct events *log, struct arena *a, struct event_cells *c,
			     struct str content) MUST_USE;
/* Begins the chain with this key: a checkpoint over the rows that are there. */
struct err *event_chain_create(struct events *log, struct arena *a, const struct event_key *k,
			       int64_t *covered) MUST_USE;
/* Appends a row under key k, and marks the end with the key of the rows after it. */
struct err *event_row_put(struct events *log, struct arena *a, struct event_cells *c,
			  const struct event_key *k, const struct event_key *next, struct str prev,
			  int64_t seq) MUST_USE;

/* The text `change` of a rotation in row seq, to the key `to`; from: the version before. */
struct str event_rotation_text(struct arena *a, int64_t from, const struct event_key *to, bool lost,
			       struct str prev, int64_t seq);
/* Whether a cell is this text. */
static inline bool event_cell_is(const struct event_cells *c, enum event_column column,
				 const char *text)
{
	return c->v[column].type == DB_TEXT && str_is(c->v[column].s, text);
}
/* Reads the cells of Q_EVENT_CHAIN, borrowed until the next row. */
void event_cells_read(struct db_rows *rows, struct event_cells *out);
/* Reads a row of event_rows in sql/query.sql; whole: with `change`, which may be long. */
struct err *event_row_read(struct db_rows *rows, struct arena *a, bool whole,
			   struct event *out) MUST_USE;
#define OP_RESUME "resume"
#define OP_BEGIN  "begin"
#define OP_ROTATE "rotate"
