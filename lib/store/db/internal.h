/* internal: shared by the files of lib/store/db: the handle, statements, errors. */
#pragma once

#include "db/db.h"
#include "db/store_file.h"
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
struct err *db_unwritable(const struct db *db) MUST_USE;

/* db_ask() for an open store: args begin with the first value. */
struct err *db_query_start(struct db *db, enum db_query query, struct db_rows **out,
			   const struct db_arg *args, size_t n) MUST_USE;
/* Runs a statement to its end and ignores its rows. */
struct err *db_run(struct db *db, enum db_query query, const struct db_arg *args,
		   size_t n) MUST_USE;
/* The statements that make an empty store as all migrations would: the build runs the migrations.
 */
const char *db_new_store_sql(void);
/*
 * Reads the version of the open file. *fresh: the file is empty. Errors: DB_CORRUPT for a database
 * of another program, DB_NEWER for one of a newer ikm.
 */
struct err *db_read_schema_version(struct db *db, int64_t *version, bool *fresh) MUST_USE;
/* Runs the migrations after `version`, within a transaction; at 0 it makes a new store. */
struct err *db_migrate(struct db *db, int64_t version) MUST_USE;
void db_finish(struct db_rows *rows);
/* Finishes all statements of transactions of this depth or deeper. */
void db_finish_all(struct db *db, unsigned depth);
