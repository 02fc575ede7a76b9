/* internal: what the files of lib/db share: the handle, statements, errors. */
#ifndef IKM_DB_INTERNAL_H
#define IKM_DB_INTERNAL_H

#include "db/db.h"

/* How long a lock is waited for, unless the writer says otherwise. */
#define DB_BUSY_MS 10000

/* "ikm" and a zero byte: PRAGMA application_id of every store, as the first migration sets it. */
#define DB_APPLICATION 0x696b6d00

struct sqlite3;
struct sqlite3_stmt;

struct db_rows {
	struct db *db;
	struct sqlite3_stmt *stmt;
	bool active;
	unsigned depth; /* of the transaction that asked */
};

/* EMPTY: there is no store, so nothing is open, and every question has no rows. */
enum mode { CLOSED, EMPTY, READING, WRITING };

struct db {
	struct arena *a;
	const char *path;
	struct sqlite3 *h;
	enum mode mode;
	unsigned busy_ms;          /* how long a lock is waited for */
	unsigned depth;            /* of transactions; the outermost counts */
	bool reading;              /* in db_read() */
	unsigned asked;            /* statements that still have rows */
	const struct err *bad_row; /* what db_cells_end() said last, for comparing only */
	struct db_damage damage;
	struct db_rows rows[DB_QUERIES];
};

/* A statement's name, and its text. */
const char *db_name(enum db_query query);
const char *db_text(enum db_query query);

/* What went wrong, from SQLite's code; `doing` names what was done. */
struct err *db_failed(struct db *db, int rc, const char *doing) MUST_USE;
int db_bind(struct sqlite3_stmt *stmt, int i, const struct db_arg *arg);
struct err *db_corrupt(const char *path, const char *why) MUST_USE;
struct err *db_unwritable(const struct db *db) MUST_USE;

/* db_ask() without opening the store first: args begin with the first value. */
struct err *db_start(struct db *db, enum db_query query, struct db_rows **out,
		     const struct db_arg *args, size_t n) MUST_USE;
/* A statement to its end, whatever its rows. */
struct err *db_run(struct db *db, enum db_query query, const struct db_arg *args,
		   size_t n) MUST_USE;
/* Those behind `version`, within a transaction. */
struct err *db_migrate(struct db *db, int64_t version) MUST_USE;
void db_finish(struct db_rows *rows);
/* All that were asked within a transaction of this depth. */
void db_finish_all(struct db *db, unsigned depth);

#endif
