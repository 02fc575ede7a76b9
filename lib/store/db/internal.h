/* internal: shared by the files of lib/store/db: the handle, statements, errors. */
#pragma once

#include "db/db.h"
#include "out/out.h"

/* The wait for a lock in ms, unless the writer chooses another. */
#define DB_BUSY_MS 10000

/* Under sanitizers each start of a program takes six times as long, and so does a crowd of writers.
 */
#ifdef __SANITIZE_ADDRESS__
#define DB_WAIT_FACTOR 4
#else
#define DB_WAIT_FACTOR 1
#endif

/* "ikm" and a zero byte: the PRAGMA application_id of every store, set by the first migration. */
#define DB_APPLICATION 0x696b6d00

struct sqlite3;
struct sqlite3_stmt;

/* ---- store_file.c: the file around the database; it knows nothing of SQLite ---- */

struct store_state {
	bool there;
	const char *real;   /* without links */
	bool wal;           /* the file's "-wal" exists */
	uint64_t wal_bytes; /* size of the "-wal": committed, but not in the file yet */
	struct str inode;   /* of the file, as text */
};
/* DB_CORRUPT when it is not a regular file. */
struct err *store_state_read(struct arena *a, const char *path, struct store_state *out) MUST_USE;
bool store_is_there(const char *path);
/* The suffix of a salvage's complete copy. */
#define STORE_SALVAGED ".salvaged"
/*
 * Makes the folder and an empty file when they are missing; then reads the state as
 * store_state_read().
 */
struct err *store_make(struct arena *a, const char *path, struct store_state *out) MUST_USE;
struct err *store_no_home(void) MUST_USE;
/* Adds the steps for a file of which not even a salvage can read a row; returns e. */
struct err *store_unreadable(struct err *e, const char *path);

/* ---- the handle, statements, errors ---- */

struct db_rows {
	struct db *db;
	struct sqlite3_stmt *stmt;
	bool active;
	unsigned depth; /* of the transaction that started it */
};

/* EMPTY: the store is missing, so nothing is open and every query has no rows. */
enum mode { CLOSED, EMPTY, READING, WRITING };

/* MARKED: the file says that it has a log, so closing may keep a short one. */
enum log { LOG_UNUSED, LOG_MARKED, LOG_UNMARKED };

/* A set with open addressing, at most half full; 0 is a free slot. */
struct db_hashes {
	uint64_t *p;
	size_t n, cap;
};

struct db {
	struct arena *a; /* emptied when a call ends that closes the store */
	const char *path;
	struct sqlite3 *h;
	enum mode mode;
	unsigned busy_ms;        /* wait for a lock */
	unsigned depth;          /* of nested transactions; the outermost commits */
	bool reading;            /* within a read */
	struct store_state look; /* the files, before they were opened */
	enum log log;
	bool reads_first;          /* open for writing, with the cache of a reader */
	int log_pages;             /* in the log after the last commit */
	bool bulk;                 /* the log may grow */
	unsigned asked;            /* statements that still have rows */
	const struct err *bad_row; /* the last error of db_cells_check(), for comparing only */
	struct db_damage damage;
	struct db_hashes damage_seen;
	struct db_rows rows[DB_QUERIES];
};

/* The name of a statement, and its text. */
const char *db_query_name(enum db_query query);
const char *db_query_text(enum db_query query);

/* The error for SQLite's code; `doing` names the operation. */
struct err *db_failed(struct db *db, int rc, const char *doing) MUST_USE;
int db_bind(struct sqlite3_stmt *stmt, int i, const struct db_arg *arg);
struct err *db_corrupt(const char *path, const char *why) MUST_USE;

/* db_ask() for an open store: args begin with the first value. */
struct err *db_query_start(struct db *db, enum db_query query, struct db_rows **out,
			   const struct db_arg *args, size_t n) MUST_USE;
/* Runs a statement to its end and ignores its rows. */
struct err *db_run(struct db *db, enum db_query query, const struct db_arg *args,
		   size_t n) MUST_USE;
/*
 * Reads the version of the open file. *fresh: the file is empty. Errors: DB_CORRUPT for a database
 * of another program, DB_NEWER for one of a newer ikm.
 */
struct err *db_read_schema_version(struct db *db, int64_t *version, bool *fresh) MUST_USE;
/* Runs the migrations after `version`, within a transaction; at 0 it makes a new store. */
struct err *db_migrate(struct db *db, int64_t version) MUST_USE;
/* Finishes all statements of transactions of this depth or deeper. */
void db_finish_all(struct db *db, unsigned depth);

/* ---- table_copy.c: copies rows into another table, which may have stricter checks ---- */

struct db_copy {
	struct sqlite3 *from, *to; /* may be equal; `to` is in a transaction */
	const char *source, *target;
	const char *name; /* of the table, for damaged_rows */
	struct progress *progress;
	uint64_t *done;   /* rows of all tables, for progress */
	uint64_t copied;  /* out: rows that the target accepted */
	uint64_t refused; /* out: rows moved to damaged_rows */
	bool gaps;        /* out: an unknown number of rows could not be read */
};

/*
 * Copies every row, column by column, by column names. A row that the target refuses goes to
 * damaged_rows and damaged_cells with its values. Returns SQLite's code: of `from` when it cannot
 * be read, of `to` when it cannot be written.
 */
int db_copy_table(struct db_copy *c);
/*
 * db_copy_table() from a damaged file: copies the rows before and after a page that cannot be read.
 * Returns SQLite's code for `to` only.
 */
int db_copy_salvage(struct db_copy *c);
