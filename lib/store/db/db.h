/*
 * db: the store, one SQLite file. Opens it on first use, migrates it, and runs named statements. No
 * other module uses sqlite3. Statements are in sql/query.sql, migrations in sql/sqlite/; the build
 * turns both into C.
 *
 * A handle belongs to one thread.
 */
#pragma once

#include "base/base.h"
#include "db/query.h" /* generated from sql/query.sql: enum db_query, Q_ASSET_GET and so on */

struct db;

/*
 * Opens nothing yet: the first statement opens the file. Closed with the arena. For reading, a
 * missing store is an empty store, and nothing is created; a store in a read-only folder is read as
 * it is. For writing, the file is created (mode 0600, its folder 0700) and migrated in one
 * transaction. path NULL: there is no home, so every use is NO_HOME.
 *
 * Errors of every function below: DB_NEWER (a newer ikm wrote it; says what to do), DB_CORRUPT
 * (left unchanged; says how to save its contents), LOCKED after ten seconds, NO_SPACE, READ_ONLY,
 * PERMISSION, IO_ERROR, NO_HOME.
 */
struct db *db_new(struct arena *a, const char *path);
/*
 * An error of this reason when the user may not use the store of this path: it names the folder or
 * file that refuses, its owner, its mode, and the command that opens it. NULL: none refuses.
 */
struct err *db_access_error(struct arena *a, const char *path, enum err_reason reason, bool writes);

/* One bound value. Strings are borrowed until the statement is started again or reset. */
struct db_arg {
	enum { DB_NULL, DB_INT, DB_REAL, DB_TEXT, DB_BLOB } type;
	int64_t i;
	double d;
	struct str s;
};
#define DB_I(n) ((struct db_arg){.type = DB_INT, .i = (n)})
#define DB_D(x) ((struct db_arg){.type = DB_REAL, .d = (x)})
#define DB_S(x) ((struct db_arg){.type = DB_TEXT, .s = (x)})
/* Bytes, which may hold NUL or be no UTF-8. */
#define DB_B(x) ((struct db_arg){.type = DB_BLOB, .s = (x)})
#define DB_N    ((struct db_arg){.type = DB_NULL})

static inline struct db_arg db_text_or_null(struct str s)
{
	return s.n ? DB_S(s) : DB_N;
}
static inline struct db_arg db_int_or_null(int64_t n)
{
	return n ? DB_I(n) : DB_N;
}

struct db_rows;
/*
 * Starts a named statement. Its parameters are ?1, ?2 … in order; a wrong number of values is a
 * BUG. The rows end when db_next() gives false, at db_reset(), or when the same statement starts
 * again (a BUG while it has rows).
 *   TRY(db_ask(db, Q_ASSET_GET, &rows, DB_S(path)));
 */
#define db_ask(db, query, rows, ...)                                                               \
	db_select_args(                                                                            \
		db, query, rows, (const struct db_arg[]){{0}, ##__VA_ARGS__},                      \
		sizeof((const struct db_arg[]){{0}, ##__VA_ARGS__}) / sizeof(struct db_arg) - 1)
struct err *db_select_args(struct db *db, enum db_query query, struct db_rows **rows,
			   const struct db_arg *args, size_t n) MUST_USE;
/* The number in the first column of the last row; 0 without rows. */
#define db_number(db, query, out, ...)                                                             \
	db_select_number_args(                                                                     \
		db, query, out, (const struct db_arg[]){{0}, ##__VA_ARGS__},                       \
		sizeof((const struct db_arg[]){{0}, ##__VA_ARGS__}) / sizeof(struct db_arg) - 1)
struct err *db_select_number_args(struct db *db, enum db_query query, int64_t *out,
				  const struct db_arg *args, size_t n) MUST_USE;
/* *more is false after the last row; the statement is then reset. */
struct err *db_next(struct db_rows *rows, bool *more) MUST_USE;
void db_reset(struct db_rows *rows);
/*
 * A loop over the rows of a named statement, or over rows that were asked for elsewhere. The
 * statement is reset however the loop ends. An error returns from the function, as TRY() does.
 *   DB_EACH(rows, db, Q_ASSET_PATHS, DB_S(prefix))
 *           strs_push(a, out, db_column_str(rows, a, 0));
 */
#define DB_EACH(rows, db, query, ...)                                                              \
	for (struct db_rows *rows DB_RESET = NULL; ({                                              \
		     bool more_;                                                                   \
		     if (!rows)                                                                    \
			     TRY(db_ask(db, query, &rows, ##__VA_ARGS__));                         \
		     TRY(db_next(rows, &more_));                                                   \
		     more_;                                                                        \
	     });)
#define DB_REST(rows)                                                                              \
	for (struct db_rows *rest_ DB_RESET = (rows); ({                                           \
		     bool more_;                                                                   \
		     TRY(db_next(rest_, &more_));                                                  \
		     more_;                                                                        \
	     });)
#define DB_RESET __attribute__((cleanup(db_rows_leave)))
/*
 * In such a loop: reads a row by `expr`. A damaged row is skipped, by `continue` or `return NULL`,
 * if db_skip_damaged_row() allows it. Another error returns from the function.
 */
#define DB_ROW(db, expr, skip)                                                                     \
	{                                                                                          \
		struct err *row_ = (expr);                                                         \
		if (db_skip_damaged_row(db, row_))                                                 \
			skip;                                                                      \
		TRY(row_);                                                                         \
	}
void db_rows_leave(struct db_rows **rows);
/* Columns of the current row, from 0. Text and blobs are copied; NULL gives 0 and p NULL. */
int64_t db_column_int(struct db_rows *rows, int column);
struct str db_column_str(struct db_rows *rows, struct arena *a, int column);
/* Borrowed bytes: valid until the next db_next() or reset of these rows. */
struct str db_column_bytes(struct db_rows *rows, int column);
/* The value as it is stored, with its type; text and blobs are borrowed. */
struct db_arg db_column_value(struct db_rows *rows, int column);

/*
 * Reads the cells of the current row and validates each one. The file may be damaged, so its
 * content is never a BUG. A wrong cell gives 0 or "", and db_cells_check() reports the first one:
 * DB_CORRUPT with the table, the row and the column.
 *   struct db_cells c = {.rows = rows, .table = "memories", .key = 1};
 *   out.turn = db_cell_int(&c, 18, 0, INT64_MAX);
 *   TRY(db_cells_check(&c));
 */
struct db_cells {
	struct db_rows *rows;
	const char *table;
	int key; /* the column that identifies the row */
	/* Ended by NULL: a test build sees that these are the first ones of the statement. */
	const char *const *columns;
	int bad; /* the first bad column, when why is not NULL */
	const char *why;
};
int64_t db_cell_int(struct db_cells *c, int column, int64_t least, int64_t most);
/* A number from 0 to 1. */
double db_cell_share(struct db_cells *c, int column);
/* Valid UTF-8. Copied; with a NULL: borrowed until the next row. */
struct str db_cell_text(struct db_cells *c, struct arena *a, int column);
/* Text of any bytes: paths, and ids from the environment. */
struct str db_cell_raw_text(struct db_cells *c, struct arena *a, int column);
struct str db_cell_blob(struct db_cells *c, struct arena *a, int column);
/* The index of the word in the NULL-ended list. */
unsigned db_cell_choice(struct db_cells *c, int column, const char *const *names);
/* NULL gives 0, or p NULL. */
int64_t db_cell_int_or_null(struct db_cells *c, int column, int64_t least, int64_t most);
struct str db_cell_text_or_null(struct db_cells *c, struct arena *a, int column);
struct str db_cell_raw_text_or_null(struct db_cells *c, struct arena *a, int column);
/* For an error that the caller finds in a cell: "is no JSON list". `why` must be a constant. */
void db_cell_bad(struct db_cells *c, int column, const char *why);
struct err *db_cells_check(struct db_cells *c) MUST_USE;

/* The times that a store can hold: RFC 3339 years have four digits. */
#define DB_TIME_LEAST INT64_C(-62167219200000)
#define DB_TIME_MOST  INT64_C(253402300799999)

/*
 * For commands that read many rows: when e is the last error of db_cells_check(), counts the row as
 * damaged and returns true, so that the command goes on. False: another error, or none.
 */
bool db_skip_damaged_row(struct db *db, struct err *e);
/* The damaged rows that were skipped since db was made. The first ones are named, one line each. */
struct db_damage {
	size_t n;
	struct strs rows;
};
const struct db_damage *db_damage_so_far(const struct db *db);
/* Counts one more damaged row, which the caller describes. */
void db_note_damage(struct db *db, struct str what);
/* Adds the rows that another handle of the same store skipped. */
void db_damage_merge(struct db *db, const struct db *from);

/*
 * For data that expires after some days. Gives the time `now` of the last call of a day ago or
 * more, and 0 until a day has passed. The caller may remove data that had expired at that time. So
 * a clock that is wrong for some hours removes nothing. key: the caller's own in the table meta.
 * Within a transaction.
 */
struct err *db_once_a_day(struct db *db, struct str key, int64_t now, int64_t *looked) MUST_USE;

/*
 * Runs a statement without rows, within a transaction. *changed (may be NULL): number of changed
 * rows.
 */
#define db_do(db, query, changed, ...)                                                             \
	db_do_args(db, query, changed, (const struct db_arg[]){{0}, ##__VA_ARGS__},                \
		   sizeof((const struct db_arg[]){{0}, ##__VA_ARGS__}) / sizeof(struct db_arg) -   \
			   1)
struct err *db_do_args(struct db *db, enum db_query query, int64_t *changed,
		       const struct db_arg *args, size_t n) MUST_USE;

/*
 * One write transaction (BEGIN IMMEDIATE, so that what it reads stays valid), for a block:
 *   struct db_txn t DB_TXN = {0};
 *   TRY(db_begin(&t, db));
 *   TRY(db_do(db, Q_META_PUT, NULL, DB_S(key), DB_S(value)));
 *   return db_commit(&t);
 * A block that ends before db_commit(), also by TRY(), rolls back. Within another transaction it is
 * a part of that one (a savepoint): when it ends without a commit, its changes are rolled back, and
 * the outer transaction may go on. Keep it short: run no program and read no input in it. The
 * designated members of struct db_write may follow; within another transaction they have no effect.
 * After an error of db_begin() or db_commit() nothing of it is stored, and it is over.
 */
enum db_sync {
	DB_DURABLE, /* waits for the disk */
	/*
	 * Does not: when the machine loses power before the next commit, this one may be lost, but
	 * never without all that follow it. For what can be found out again.
	 */
	DB_LATER,
};
struct db_write {
	enum db_sync sync;
	unsigned wait_ms; /* LOCKED when the lock is not free within this time; 0: ten seconds */
};
struct db_txn {
	struct db *db;    /* NULL: not begun, or over */
	unsigned depth;   /* private, as what follows */
	unsigned busy_ms; /* of the handle, before and after */
	bool unsynced;
};
#define DB_TXN               __attribute__((cleanup(db_end)))
#define db_begin(t, db, ...) db_begin_as(t, db, &(const struct db_write){__VA_ARGS__})
struct err *db_begin_as(struct db_txn *t, struct db *db, const struct db_write *how) MUST_USE;
struct err *db_commit(struct db_txn *t) MUST_USE;
/* Rolls back what is not committed. Does nothing when the transaction is over. */
void db_end(struct db_txn *t);
/*
 * A read transaction, so that the block sees one state of the store. It needs no commit. Within
 * another transaction it is part of that one.
 */
struct err *db_begin_read(struct db_txn *t, struct db *db) MUST_USE;

/*
 * For a change of thousands of rows, and others behind it, within a transaction: until the handle
 * ends the cache is larger (32 MiB), and so is the log before it is written back.
 */
struct err *db_bulk(struct db *db) MUST_USE;
/*
 * Opens the store for writing. For a caller that reads first and writes after it: without this call
 * the store is opened twice. After an error reading may still work.
 */
struct err *db_open_for_writing(struct db *db) MUST_USE;
/* Whether a write transaction is open: what the caller does may still be rolled back. */
bool db_is_writing(const struct db *db);
/* Whether the store exists and was opened, and no transaction is open and no statement has rows. */
bool db_is_idle(const struct db *db);

/*
 * For a handle that serves several calls. db_call_end() ends a call: the store stays open when it
 * was only read, until db_close(). db_close_if_stale() begins the next one: it closes a store that
 * another file has replaced, or that a newer ikm has migrated. While it rests, nothing else in the
 * process may open the file.
 */
void db_call_end(struct db *db);
void db_close_if_stale(struct db *db);
void db_close(struct db *db);

/*
 * A number that changes when any process commits a change. Compare it only with a number of the
 * same db: another connection counts anew.
 */
struct err *db_data_version(struct db *db, int64_t *out) MUST_USE;
/*
 * Rewrites the file without the bytes of removed rows, the WAL included. Outside transactions.
 * LOCKED while other processes use the store: removed bytes may then still be in the file.
 */
struct err *db_vacuum(struct db *db) MUST_USE;
/* Writes the log into the store and empties it. *busy: a reader or a writer kept it. */
struct err *db_wal_checkpoint(struct db *db, bool *busy) MUST_USE;

/*
 * Writes a copy of the store, as it is now, into a new file of mode 0600; others may go on writing.
 * The copy is not durable until its reader has synced it. Outside transactions. EXISTS when the
 * file exists.
 */
struct err *db_copy(struct db *db, const char *path) MUST_USE;

/*
 * Copies the readable rows of a damaged store into a new one, and puts the new store into its
 * place. The old file stays as kept, with its -wal. Rows that the new tables refuse go to
 * damaged_rows. `fill` rebuilds the derived data (indexes). After a kill at any time, the store is
 * the old or the new one, and the next salvage continues. Errors: LOCKED while another process has
 * the store open, DB_CORRUPT when nothing can be read, DB_NEWER, and errors of writing.
 */
struct db_salvaged_table {
	struct str name;
	int64_t rows;    /* in the new store */
	int64_t damaged; /* moved to damaged_rows */
	bool lost;       /* some pages could not be read; the number of rows is unknown */
};
struct db_salvaged {
	struct db_salvaged_table *p;
	size_t n, cap;
	const char *kept; /* the old file; NULL: none */
	bool finished;    /* completed an earlier, interrupted salvage */
};
struct err *db_salvage(struct arena *a, const char *path,
		       struct err *(*fill)(void *ctx, struct db *fresh), void *ctx,
		       struct db_salvaged *out) MUST_USE;

/*
 * Moves a row to damaged_rows, within a transaction: the row whose column `key` has the value `is`.
 * Rows that refer to it, and derived data, go with it.
 */
struct err *db_row_set_aside(struct db *db, const char *table, const char *key, struct db_arg is,
			     const char *why) MUST_USE;

/*
 * Reads all rows of a statement without parameters; `row` reads one with db_cells, as the table's
 * readers do. Its errors are collected for db_row_set_aside(): `column` of the statement is the
 * value of the table's column `key`, which differs in every row.
 */
struct db_damaged_row {
	const char *table, *key;
	struct db_arg is;
	struct str why;
};
struct db_damaged_rows VEC(struct db_damaged_row);
struct db_verify {
	enum db_query query;
	const char *table, *key;
	int column;
	struct err *(*row)(void *ctx, struct arena *a, struct db_rows *rows);
	void *ctx;
};
/* Appends to *out, and adds the number of rows to *n. */
struct err *db_verify(struct db *db, struct arena *a, const struct db_verify *how,
		      struct db_damaged_rows *out, int64_t *n) MUST_USE;

/*
 * What another program did to the tables, indexes, views and triggers of the store: how they differ
 * from those of a new store. A store that is missing differs in nothing. Tables come first.
 */
#define DB_DIFFERS(X)                                                                              \
	X(DB_IS_MISSING, "missing") X(DB_IS_CHANGED, "changed") X(DB_IS_ADDED, "added")
enum db_differs { DB_DIFFERS(ENUM_MEMBER) };
extern const char *const db_differs[];
struct db_difference {
	enum db_differs how;
	struct str type, name, table;        /* "trigger", its name, the table that it belongs to */
	struct str sql, now;                 /* as ikm makes it, as it is; empty: there is none */
	struct strs missing, changed, added; /* columns of a table that is changed */
};
struct db_differences VEC(struct db_difference);
struct err *db_schema_compare(struct db *db, struct arena *a, struct db_differences *out) MUST_USE;
/*
 * Makes an index, a view, a trigger or a missing table as a new store has it, and removes one that
 * was added; within a transaction. A table gets no rows.
 */
struct err *db_schema_mend(struct db *db, const struct db_difference *d) MUST_USE;

/* The version of the schema that this ikm writes; SQLite's own version. */
int64_t db_schema_version_supported(void);
const char *db_sqlite_version(void);

/* For callers that need a second handle in another thread. NULL: there is no home. */
const char *db_path(const struct db *db);

/*
 * SQLite's own tokenizer (FTS5's unicode61, diacritics removed, folded) and its Porter stemmer,
 * without a table. One thread; freed with the arena. Nothing is on disk, so errors like NO_SPACE
 * cannot happen. DB_FAILED when this SQLite was built without FTS5.
 */
struct db_words;
struct err *db_fts5_tokenizer_borrow(struct arena *a, struct db_words **out) MUST_USE;
/*
 * Calls fn for each word of the text in order: the folded word, and its place in the text in bytes.
 */
void db_words_split(struct db_words *w, struct str text,
		    void (*fn)(void *ctx, struct str word, size_t from, size_t to), void *ctx);
/* The stem of one folded word; valid until the next call. Porter's is not idempotent. */
struct str db_words_stem(struct db_words *w, struct str word);
