/*
 * db: the store, one SQLite file: opened when it is first asked, migrated, spoken to in statements
 * that have names. The only place that knows sqlite3. Statements are in sql/query.sql, migrations
 * in sql/sqlite/; both become C when ikm is built.
 *
 * A handle belongs to one thread.
 */
#ifndef IKM_DB_H
#define IKM_DB_H

#include "base/base.h"
#include "db/query.h" /* made from sql/query.sql: enum db_query, Q_ASSET_GET and so on */

struct db;

/*
 * Does nothing yet: the file is opened by the first statement. Closed with the arena. For reading,
 * a store that is not there is an empty one, and nothing is made; a folder that cannot be written
 * is read as it is. For writing it is made (mode 0600, its folder 0700) and migrated in one
 * transaction. path NULL: there is no home; every use is NO_HOME.
 *
 * Errors of every function below: DB_NEWER (a newer ikm wrote it; says what to do), DB_CORRUPT (it
 * is left as it is; says how to save what is in it), LOCKED after ten seconds, NO_SPACE, READ_ONLY,
 * PERMISSION, IO_ERROR, NO_HOME.
 */
struct db *db_new(struct arena *a, const char *path);

/* One bound value. Strings are borrowed until the statement is asked again or reset. */
struct db_arg {
	enum { DB_NULL, DB_INT, DB_REAL, DB_TEXT, DB_BLOB } type;
	int64_t i;
	double d;
	struct str s;
};
#define DB_I(n) ((struct db_arg){.type = DB_INT, .i = (n)})
#define DB_D(x) ((struct db_arg){.type = DB_REAL, .d = (x)})
#define DB_S(x) ((struct db_arg){.type = DB_TEXT, .s = (x)})
/* Bytes; also what may hold NUL or be no UTF-8. */
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
 * Starts a named statement; its parameters are ?1, ?2 … in order, and a wrong number of them is a
 * BUG. The rows end with db_next() giving false, with db_reset(), or when the same statement is
 * asked again (a BUG when it still has rows).
 *   TRY(db_ask(db, Q_ASSET_GET, &rows, DB_S(path)));
 */
#define db_ask(db, query, rows, ...)                                                               \
	db_ask_args(db, query, rows, (const struct db_arg[]){{0}, ##__VA_ARGS__},                  \
		    sizeof((const struct db_arg[]){{0}, ##__VA_ARGS__}) / sizeof(struct db_arg) -  \
			    1)
struct err *db_ask_args(struct db *db, enum db_query query, struct db_rows **rows,
			const struct db_arg *args, size_t n) MUST_USE;
/* *more false: there are no more rows, and the statement is reset. */
struct err *db_next(struct db_rows *rows, bool *more) MUST_USE;
void db_reset(struct db_rows *rows);
/*
 * A loop over the rows of a named statement, or over rows that were asked for elsewhere. The
 * statement is reset however the loop ends. An error returns from the function, as TRY() does.
 *   DB_EACH(rows, db, Q_ASSET_PATHS, DB_S(prefix))
 *           strs_push(a, out, db_str(rows, a, 0));
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
#define DB_RESET __attribute__((cleanup(db_leave)))
void db_leave(struct db_rows **rows);
/* Columns of the current row, from 0. Text and blobs are copied; NULL gives 0 and p NULL. */
int64_t db_int(struct db_rows *rows, int column);
double db_double(struct db_rows *rows, int column);
struct str db_str(struct db_rows *rows, struct arena *a, int column);
/* The bytes where they are: valid until the next db_next() or reset of these rows. */
struct str db_bytes(struct db_rows *rows, int column);

/*
 * The cells of the current row, each checked as it is read. What the file holds may be damaged, so
 * nothing of it is ever a BUG. A cell that is wrong gives 0 or "" and is remembered; the first one
 * is what db_cells_end() tells: DB_CORRUPT with the table, the row and the column.
 *   struct db_cells c = {.rows = rows, .table = "memories", .key = 1};
 *   out.turn = db_cell_int(&c, 18, 0, INT64_MAX);
 *   TRY(db_cells_end(&c));
 */
struct db_cells {
	struct db_rows *rows;
	const char *table;
	int key; /* the column that names the row */
	int bad; /* the first bad column, when why is not NULL */
	const char *why;
};
int64_t db_cell_int(struct db_cells *c, int column, int64_t least, int64_t most);
double db_cell_real(struct db_cells *c, int column, double least, double most);
/* Valid UTF-8, copied; a NULL: where it is until the next row. */
struct str db_cell_text(struct db_cells *c, struct arena *a, int column);
/* Text of any bytes: paths, and ids that came from the environment. */
struct str db_cell_name(struct db_cells *c, struct arena *a, int column);
struct str db_cell_blob(struct db_cells *c, struct arena *a, int column);
/* The index of the word in the list, which ends with NULL. */
unsigned db_cell_choice(struct db_cells *c, int column, const char *const *names);
/* NULL gives 0, or p NULL. */
int64_t db_cell_int_or_null(struct db_cells *c, int column, int64_t least, int64_t most);
struct str db_cell_text_or_null(struct db_cells *c, struct arena *a, int column);
struct str db_cell_name_or_null(struct db_cells *c, struct arena *a, int column);
/* For what the caller finds wrong in a cell: "is no JSON list". A constant. */
void db_cell_bad(struct db_cells *c, int column, const char *why);
struct err *db_cells_end(struct db_cells *c) MUST_USE;

/* The times that a store can hold: four digits of a year are all that RFC 3339 has. */
#define DB_TIME_LEAST INT64_C(-62167219200000)
#define DB_TIME_MOST  INT64_C(253402300799999)

/*
 * For a command that reads many rows: when e is what db_cells_end() has just said of a row, the row
 * is counted as damaged and the command goes on. False: another error, or none.
 */
bool db_pass_over(struct db *db, struct err *e);
/* The rows that were passed over since db was made. The first ones are named, one line each. */
struct db_damage {
	size_t n;
	struct strs rows;
};
const struct db_damage *db_damaged(const struct db *db);
/* Counts one more, which the caller describes. */
void db_note_damage(struct db *db, struct str what);
/* Adds what another handle of the same store passed over. */
void db_damage_join(struct db *db, const struct db *from);

/* A statement without rows, within db_write(). *changed (may be NULL): how many rows it changed. */
#define db_do(db, query, changed, ...)                                                             \
	db_do_args(db, query, changed, (const struct db_arg[]){{0}, ##__VA_ARGS__},                \
		   sizeof((const struct db_arg[]){{0}, ##__VA_ARGS__}) / sizeof(struct db_arg) -   \
			   1)
struct err *db_do_args(struct db *db, enum db_query query, int64_t *changed,
		       const struct db_arg *args, size_t n) MUST_USE;

/*
 * One write transaction around fn (BEGIN IMMEDIATE, so that what fn reads stays true), committed
 * durably when fn succeeds, else rolled back. One inside another is part of the outer one; when it
 * fails, what it did is taken back, and the outer one may go on. Keep it short: no other program is
 * run and no input is read in it.
 */
struct err *db_write(struct db *db, struct err *(*fn)(void *ctx), void *ctx) MUST_USE;
/*
 * The same transaction in two steps. It is committed by db_commit(), once, and rolled back when the
 * arena ends before that. The arena ends before the handle does. Within another transaction
 * db_begin() is a BUG; db_write() within this one is a part of it.
 */
struct db_txn;
struct err *db_begin(struct db *db, struct arena *a, struct db_txn **out) MUST_USE;
struct err *db_commit(struct db_txn *t) MUST_USE;
/* db_write() for what is not worth waiting: LOCKED when the lock is not had within so many ms. */
struct err *db_write_soon(struct db *db, unsigned ms, struct err *(*fn)(void *ctx),
			  void *ctx) MUST_USE;
/* Whether a write transaction is open: what the caller does may still be rolled back. */
bool db_is_writing(const struct db *db);

/*
 * One read transaction around fn: all that is asked in it sees one state of the store. Within
 * another, or within db_write(), it is part of that one.
 */
struct err *db_read(struct db *db, struct err *(*fn)(void *ctx), void *ctx) MUST_USE;

/*
 * Differs from what it was when anybody has committed a change in between; for comparing only, and
 * only with what the same db said: another connection counts anew.
 */
struct err *db_version(struct db *db, int64_t *out) MUST_USE;
/*
 * Rewrites the file so that it holds what is in it now and no bytes of what was removed, the WAL
 * included. Outside transactions. LOCKED while others are at it: what was removed may then still be
 * in the file.
 */
struct err *db_vacuum(struct db *db) MUST_USE;

/*
 * Reads what can be read of a damaged store into a new one, table by table and row by row, and puts
 * that into its place. The old file stays as kept, with its -wal. Rows that the new tables refuse
 * go to damaged_rows. `fill` makes what is derived from the rows (indexes) anew. Killed at any
 * time, the store is the old or the new one, and the next salvage goes on. Errors: LOCKED while
 * anybody else has the store open, DB_CORRUPT when nothing can be read, DB_NEWER, and those of
 * writing.
 */
struct db_salvaged_table {
	struct str name;
	int64_t rows;    /* in the new store */
	int64_t damaged; /* set aside */
	bool lost;       /* some pages could not be read, with an unknown number of rows */
};
struct db_salvaged {
	struct db_salvaged_table *p;
	size_t n, cap;
	const char *kept; /* the old file; NULL: there was none */
	bool finished;    /* an earlier, interrupted salvage was put into its place */
};
struct err *db_salvage(struct arena *a, const char *path,
		       struct err *(*fill)(void *ctx, struct db *fresh), void *ctx,
		       struct db_salvaged *out) MUST_USE;
/* Whether an interrupted salvage waits for its end. */
bool db_salvage_is_open(const char *path, struct arena *a);

/*
 * Moves a row to damaged_rows, within db_write(): the row of the table whose column `key` is this.
 * What refers to it and is derived from it goes with it.
 */
struct err *db_set_aside(struct db *db, const char *table, const char *key, struct db_arg is,
			 const char *why) MUST_USE;

/*
 * Reads all rows that a statement without parameters gives; `row` reads one with db_cells, as the
 * table's readers do. What it says of damaged rows is collected, for db_set_aside(): `column` of
 * the statement is the value of the table's column `key`, which is another one in each row.
 */
struct db_damaged_row {
	const char *table, *key;
	struct db_arg is;
	struct str why;
};
struct db_damaged_rows {
	struct db_damaged_row *p;
	size_t n, cap;
};
struct db_verify {
	enum db_query query;
	const char *table, *key;
	int column;
	struct err *(*row)(void *ctx, struct arena *a, struct db_rows *rows);
	void *ctx;
};
/* Adds to *out, and to *n how many rows there were. */
struct err *db_verify(struct db *db, struct arena *a, const struct db_verify *how,
		      struct db_damaged_rows *out, int64_t *n) MUST_USE;

/* The version of the schema that this ikm writes; SQLite's own version. */
int64_t db_schema(void);
const char *db_sqlite(void);

/* For who needs a second handle, in another thread. NULL: there is no home. */
const char *db_path(const struct db *db);

/*
 * SQLite's own splitter of text into words (FTS5's unicode61, diacritics removed, folded) and its
 * Porter stemmer, without a table. One thread; freed with the arena. NO_SPACE and the like never
 * happen: nothing is on disk. DB_FAILED when this SQLite was built without FTS5.
 */
struct db_words;
struct err *db_words_new(struct arena *a, struct db_words **out) MUST_USE;
/* Calls fn for each word of the text in order: folded, and where it stands in the text, in
 * bytes. */
void db_words_split(struct db_words *w, struct str text,
		    void (*fn)(void *ctx, struct str word, size_t from, size_t to), void *ctx);
/* The stem of one folded word; valid until the next call. Porter's is not idempotent. */
struct str db_words_stem(struct db_words *w, struct str word);

#endif
