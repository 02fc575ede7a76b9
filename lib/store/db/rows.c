/* Statements: texts, bound values, rows, and errors. */
#include "db/internal.h"
#include "db/query_text.h"
#include "os/os.h"
#include <sqlite3.h>

const char *db_query_name(enum db_query query)
{
	return queries[query].name;
}

const char *db_query_text(enum db_query query)
{
	return queries[query].text;
}

/* ---- errors ---- */

/* Adds the steps that save the contents of a broken store; returns e. */
static struct err *store_error_add_rescue(struct err *e)
{
	err_help(e, "save what can be read into a new store: ikm doctor --salvage");
	return err_help(e, "that keeps the old file beside the new one");
}

struct err *db_corrupt(const char *path, const char *why)
{
	return store_error_add_rescue(
		err_new(E_DB_CORRUPT, "the store '%s' cannot be used: %s", path, why));
}

static struct err *io_failed(struct arena *a, const char *path, int errnum, const char *why)
{
	struct err *e, *shut = db_access_error(a, path, E_PERMISSION, true);

	if (shut)
		return shut;
	e = errnum ? err_errno(errnum, "use the store '%s'", path)
		   : err_new(E_IO_ERROR, "cannot use the store '%s': %s", path, why);

	return err_help(e, "'ikm doctor' checks the folder and the file, and says "
			   "what to do");
}

static struct err *db_unwritable(const struct db *db)
{
	struct err *shut = db_access_error(db->a, db->path, E_READ_ONLY, true);

	if (shut)
		return shut;
	return err_help(err_help(err_new(E_READ_ONLY,
					 "the store '%s' cannot be written: it, its folder "
					 "or the file system is read-only",
					 db->path),
				 "'ikm doctor' says which, and what to do"),
			"or point IKIGAI_HOME to a folder that can be written");
}

struct err *db_failed(struct db *db, int rc, const char *doing)
{
	int errnum = sqlite3_system_errno(db->h);
	const char *why = sqlite3_errmsg(db->h);
	struct err *e;

	/* SQLite's messages when a statement of ikm names what is not there. */
	if ((rc & 0xff) == SQLITE_ERROR &&
	    (!strncmp(why, "no such ", 8) || strstr(why, "has no column named"))) {
		e = err_new(E_DB_CORRUPT,
			    "another program changed the tables of the store '%s': %s", db->path,
			    why);
		err_help(e, "'ikm doctor' names each difference");
		err_help(e, "make indexes, triggers and derived tables again: ikm doctor "
			    "--rebuild");
		return store_error_add_rescue(e);
	}
	if ((rc & 0xff) == SQLITE_NOTADB || !strcmp(why, "unsupported file format"))
		return store_unreadable(
			err_new(E_DB_CORRUPT, "the store '%s' cannot be used: %s", db->path, why),
			db->path);
	if (rc == SQLITE_READONLY_DBMOVED)
		return err_help(
			err_new(E_LOCKED, "a salvage has just replaced the store '%s'", db->path),
			"try again");
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return err_help(err_new(E_LOCKED,
					"other processes used the store '%s' for %g seconds",
					db->path, db->busy_ms / 1000.0),
				"try again; 'fuser %s' names the processes", db->path);
	case SQLITE_CORRUPT: return db_corrupt(db->path, why);
	case SQLITE_FULL:
		return err_help(err_new(E_NO_SPACE, "cannot write the store '%s': the disk is full",
					db->path),
				"nothing was changed; make room and try again: df -h '%s'",
				os_dir_of(db->a, db->path));
	case SQLITE_READONLY: return db_unwritable(db);
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_IOERR: return io_failed(db->a, db->path, errnum, why);
	default:
		return err_new(E_DB_FAILED, "the store '%s' failed at '%s': %s", db->path, doing,
			       why);
	}
}

/* ---- statements ---- */

void db_reset(struct db_rows *rows)
{
	if (!rows->active)
		return;
	if (rows->stmt)
		sqlite3_reset(rows->stmt);
	rows->active = false;
	rows->db->asked--;
}

void db_finish_all(struct db *db, unsigned depth)
{
	for (size_t i = 0; i < DB_QUERIES; i++)
		if (db->rows[i].depth >= depth)
			db_reset(&db->rows[i]);
}

int db_bind(sqlite3_stmt *stmt, int i, const struct db_arg *arg)
{
	const char *p = arg->s.p ? arg->s.p : "";

	switch (arg->type) {
	case DB_INT: return sqlite3_bind_int64(stmt, i, arg->i);
	case DB_REAL: return sqlite3_bind_double(stmt, i, arg->d);
	case DB_TEXT: return sqlite3_bind_text64(stmt, i, p, arg->s.n, SQLITE_STATIC, SQLITE_UTF8);
	case DB_BLOB: return sqlite3_bind_blob64(stmt, i, p, arg->s.n, SQLITE_STATIC);
	case DB_NULL:
	default: return sqlite3_bind_null(stmt, i);
	}
}

struct err *db_query_start(struct db *db, enum db_query query, struct db_rows **out,
			   const struct db_arg *args, size_t n)
{
	struct db_rows *rows = *out = &db->rows[query];
	const char *name = queries[query].name;
	int rc = SQLITE_OK;

	if (rows->active)
		BUG("'%s' is asked again while it has rows", name);
	if (db->mode != EMPTY) {
		if (!rows->stmt)
			rc = sqlite3_prepare_v3(db->h, queries[query].text, -1,
						SQLITE_PREPARE_PERSISTENT, &rows->stmt, NULL);
		if (!rc && (size_t)sqlite3_bind_parameter_count(rows->stmt) != n)
			BUG("'%s' takes %d values, not %zu", name,
			    sqlite3_bind_parameter_count(rows->stmt), n);
		for (size_t i = 0; i < n && !rc; i++)
			rc = db_bind(rows->stmt, (int)i + 1, &args[i]);
	}
	if (rc)
		return db_failed(db, rc, name);
	rows->db = db;
	rows->depth = db->depth;
	rows->active = true;
	db->asked++;
	return NULL;
}

struct err *db_next(struct db_rows *rows, bool *more)
{
	struct db *db = rows->db;
	struct err *e = NULL;
	int rc;

	*more = false;
	if (!rows->active)
		BUG("rows are asked for when there are no more");
	rc = rows->stmt ? sqlite3_step(rows->stmt) : SQLITE_DONE;
	if (rc == SQLITE_ROW) {
		*more = true;
		return NULL;
	}
	if (rc != SQLITE_DONE)
		e = db_failed(db, rc, queries[rows - db->rows].name);
	db_reset(rows);
	return e;
}

void db_rows_leave(struct db_rows **rows)
{
	if (*rows)
		db_reset(*rows);
}

int64_t db_column_int(struct db_rows *rows, int column)
{
	return sqlite3_column_int64(rows->stmt, column);
}

struct str db_column_bytes(struct db_rows *rows, int column)
{
	/* Read at once: each sqlite3_column_ function finds the value again. */
	sqlite3_value *v = sqlite3_column_value(rows->stmt, column);
	struct str s;

	if (sqlite3_value_type(v) == SQLITE_NULL)
		return (struct str){0};
	s.p = sqlite3_value_blob(v);
	s.n = (size_t)sqlite3_value_bytes(v);
	return s.n ? s : STR("");
}

struct db_arg db_column_value(struct db_rows *rows, int column)
{
	sqlite3_value *v = sqlite3_column_value(rows->stmt, column);

	switch (sqlite3_value_type(v)) {
	case SQLITE_INTEGER: return DB_I(sqlite3_value_int64(v));
	case SQLITE_FLOAT: return DB_D(sqlite3_value_double(v));
	case SQLITE_NULL: return DB_N;
	case SQLITE_TEXT: return DB_S(db_column_bytes(rows, column));
	default: return DB_B(db_column_bytes(rows, column));
	}
}

struct str db_column_str(struct db_rows *rows, struct arena *a, int column)
{
	struct str s = db_column_bytes(rows, column);

	return s.n ? str_dup(a, s) : s;
}

struct err *db_run(struct db *db, enum db_query query, const struct db_arg *args, size_t n)
{
	struct db_rows *rows;
	bool more = true;

	TRY(db_query_start(db, query, &rows, args, n));
	while (more)
		TRY(db_next(rows, &more));
	return NULL;
}

struct err *db_select_number_args(struct db *db, enum db_query query, int64_t *out,
				  const struct db_arg *args, size_t n)
{
	struct db_rows *rows;

	*out = 0;
	TRY(db_select_args(db, query, &rows, args, n));
	DB_REST(rows)
		*out = db_column_int(rows, 0);
	return NULL;
}

struct err *db_once_a_day(struct db *db, struct str key, int64_t now, int64_t *looked)
{
	int64_t last = 0;

	*looked = 0;
	TRY(db_number(db, Q_META_GET, &last, DB_S(key)));
	/* Later than now: the clock was set back, so the last call had a wrong time. */
	if (last && last <= now && now - last < DAY_MS)
		return NULL;
	if (last <= now)
		*looked = last;
	return db_do(db, Q_META_SET, NULL, DB_S(key), DB_I(now));
}
