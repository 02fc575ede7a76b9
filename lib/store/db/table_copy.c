#include "db/internal.h"
#include "os/os.h"
#include <sqlite3.h>

/* The number of rows that a gap is probed for; the rest of a larger gap is lost. */
#define PROBES_MOST 2000000

struct copying {
	struct db_copy *c;
	sqlite3_stmt *insert, *known, *damage, *cell;
	sqlite3_stmt *range[2]; /* up, down */
	int *columns;           /* source column for each parameter of insert */
	int n;
	int64_t rowid; /* of the farthest row read */
	uint64_t probes;
	int failed; /* of `to` */
};

/* ---- statements ---- */

/* key: for a statement that names a column. */
static int copy_prepare(sqlite3 *h, enum db_query query, const char *name, const char *key,
			sqlite3_stmt **out)
{
	char *text = sqlite3_mprintf(db_query_text(query), name, key);
	int rc = sqlite3_prepare_v2(h, text, -1, out, NULL);

	sqlite3_free(text);
	return rc;
}

static int copy_column(sqlite3_stmt *rows, const char *name)
{
	for (int i = 0; i < sqlite3_column_count(rows); i++)
		if (!strcmp(sqlite3_column_name(rows, i), name))
			return i;
	return -1;
}

/* They copy the columns that both tables have. `rows` reads the source; its rowid is no column. */
static int copy_prepare_statements(struct copying *w, struct arena *a, sqlite3_stmt *rows)
{
	struct db_copy *c = w->c;
	sqlite3_str *names = sqlite3_str_new(NULL), *values = sqlite3_str_new(NULL);
	sqlite3_stmt *of = NULL;
	char *text = NULL, *list, *marks;
	int rc = copy_prepare(c->to, Q_COPY_COLUMNS, c->target, NULL, &of);

	w->n = 0;
	w->columns = arena_array(a, (size_t)sqlite3_column_count(rows), sizeof(*w->columns));
	while (!rc && sqlite3_step(of) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(of, 0);
		int at = name ? copy_column(rows, name) : -1;

		if (at < 0)
			continue;
		sqlite3_str_appendf(names, "%s\"%w\"", w->n ? ", " : "", name);
		sqlite3_str_appendf(values, "%s?%d", w->n ? ", " : "", w->n + 1);
		w->columns[w->n++] = at;
	}
	if (!rc)
		rc = sqlite3_finalize(of);
	list = sqlite3_str_finish(names);
	marks = sqlite3_str_finish(values);
	if (!rc && !w->n)
		rc = SQLITE_ERROR;
	if (!rc)
		text = sqlite3_mprintf(db_query_text(Q_COPY_INSERT), c->target, list, marks);
	if (!rc)
		rc = sqlite3_prepare_v2(c->to, text, -1, &w->insert, NULL);
	if (!rc)
		rc = copy_prepare(c->to, Q_COPY_DAMAGE, "", NULL, &w->damage);
	if (!rc)
		rc = copy_prepare(c->to, Q_COPY_CELL, "", NULL, &w->cell);
	sqlite3_free(text);
	sqlite3_free(list);
	sqlite3_free(marks);
	return rc;
}

static void copy_end(struct copying *w)
{
	sqlite3_finalize(w->insert);
	sqlite3_finalize(w->known);
	sqlite3_finalize(w->damage);
	sqlite3_finalize(w->cell);
	sqlite3_finalize(w->range[0]);
	sqlite3_finalize(w->range[1]);
}

/* ---- one row ---- */

static int copy_run(sqlite3_stmt *stmt)
{
	int rc = sqlite3_step(stmt);

	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int copy_damaged(struct copying *w, sqlite3_stmt *row, const char *why)
{
	int64_t damage;
	int rc;

	sqlite3_bind_text(w->damage, 1, w->c->name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(w->damage, 2, os_now());
	sqlite3_bind_text(w->damage, 3, why, -1, SQLITE_TRANSIENT);
	rc = copy_run(w->damage);
	damage = sqlite3_last_insert_rowid(w->c->to);
	for (int i = 0; i < w->n && !rc; i++) {
		sqlite3_bind_int64(w->cell, 1, damage);
		sqlite3_bind_text(w->cell, 2, sqlite3_column_name(row, w->columns[i]), -1,
				  SQLITE_STATIC);
		sqlite3_bind_value(w->cell, 3, sqlite3_column_value(row, w->columns[i]));
		rc = copy_run(w->cell);
	}
	w->c->refused += !rc;
	return rc;
}

/*
 * Whether the row of a table whose trigger refuses to replace rows is there already. Only a salvage
 * meets one, and reads the rowid first.
 */
static bool copy_is_known(struct copying *w, sqlite3_stmt *row)
{
	if (!w->known && copy_prepare(w->c->to, Q_COPY_KNOWN, w->c->target, NULL, &w->known))
		return false;
	sqlite3_bind_int64(w->known, 1, sqlite3_column_int64(row, 0));
	return copy_run(w->known) == SQLITE_ROW;
}

static int copy_row(struct copying *w, sqlite3_stmt *row)
{
	struct db_copy *c = w->c;
	int rc;
	bool again;

	for (int i = 0; i < w->n; i++)
		sqlite3_bind_value(w->insert, i + 1, sqlite3_column_value(row, w->columns[i]));
	rc = copy_run(w->insert);
	again = rc == SQLITE_CONSTRAINT_TRIGGER;
	progress_at(c->progress, ++*c->done);
	c->copied += !rc;
	/* Read twice: from both sides of a damaged page, or by the migrations of two tables. */
	if (rc == SQLITE_CONSTRAINT_PRIMARYKEY || rc == SQLITE_CONSTRAINT_ROWID ||
	    (again && copy_is_known(w, row)))
		return SQLITE_OK;
	if (again)
		return copy_damaged(w, row, "another row has the same key");
	if ((rc & 0xff) == SQLITE_CONSTRAINT || (rc & 0xff) == SQLITE_MISMATCH ||
	    (rc & 0xff) == SQLITE_TOOBIG)
		return copy_damaged(w, row, sqlite3_errmsg(c->to));
	return rc;
}

/* ---- all rows ---- */

int db_copy_table(struct db_copy *c)
{
	struct copying w = {.c = c};
	struct arena *a ARENA_LOCAL = arena_new();
	sqlite3_stmt *rows = NULL;
	int rc = copy_prepare(c->from, Q_COPY_ROWS, c->source, NULL, &rows);

	if (!rc)
		rc = copy_prepare_statements(&w, a, rows);
	while (!rc && (rc = sqlite3_step(rows)) == SQLITE_ROW)
		rc = copy_row(&w, rows);
	copy_end(&w);
	sqlite3_finalize(rows);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- from a damaged file ---- */

/*
 * Reads rows upwards from `from` (or downwards) to the end, to `stop`, or to a page that cannot be
 * read. True: the end or stop was reached. w->rowid is the last row read on that side of `from`, or
 * `from` when none was. The farthest one would hide the rows behind a number that is damaged.
 */
static bool copy_run_of(struct copying *w, bool down, int64_t from, int64_t stop)
{
	sqlite3_stmt *rows = w->range[down];
	int rc = SQLITE_OK;

	w->rowid = from;
	w->probes++;
	if (!rows)
		rc = copy_prepare(w->c->from, down ? Q_COPY_BACKWARD : Q_COPY_FORWARD, w->c->source,
				  NULL, &w->range[down]);
	rows = w->range[down];
	if (rc)
		return false;
	sqlite3_bind_int64(rows, 1, from);
	sqlite3_bind_int64(rows, 2, stop);
	while (!rc && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
		int64_t at = sqlite3_column_int64(rows, 0);

		if (down ? at < from : at > from)
			w->rowid = at;
		rc = copy_row(w, rows);
		if (rc)
			w->failed = rc;
	}
	sqlite3_reset(rows);
	return rc == SQLITE_DONE;
}

/*
 * The row numbers from least to most; neither end could be read. Reads upwards from the middle,
 * then downwards. The gaps that remain on both sides are searched in the same way.
 */
static void copy_gap(struct copying *w, int64_t least, int64_t most)
{
	int64_t mid, above;

	if (least > most || w->failed || w->probes > PROBES_MOST)
		return;
	/* The distance of two numbers may be more than INT64_MAX. */
	mid = least + (int64_t)(((uint64_t)most - (uint64_t)least) / 2);
	above = copy_run_of(w, false, mid, most) ? most : w->rowid;
	if (mid > least && !w->failed && !copy_run_of(w, true, mid - 1, least) && w->rowid > least)
		copy_gap(w, least, w->rowid - 1);
	if (above < most)
		copy_gap(w, above + 1, most);
}

static void copy_by_rowid(struct copying *w)
{
	sqlite3_stmt *rows = NULL;
	int64_t ahead, last;

	if (copy_run_of(w, false, INT64_MIN, INT64_MAX))
		return;
	w->c->gaps = true;
	ahead = w->rowid;
	if (ahead == INT64_MIN)
		ahead = 0;
	/* The greatest row number; when it cannot be read, one that most files do not reach. */
	last = ahead < INT64_MAX - (1 << 20) ? ahead + (1 << 20) : INT64_MAX;
	if (!copy_prepare(w->c->from, Q_COPY_LAST, w->c->source, NULL, &rows) &&
	    sqlite3_step(rows) == SQLITE_ROW)
		last = sqlite3_column_int64(rows, 0);
	sqlite3_finalize(rows);
	/* Past `ahead` too: its number may be the damage. */
	if (w->failed || copy_run_of(w, true, INT64_MAX, INT64_MIN))
		return;
	if (w->rowid < last)
		last = w->rowid - 1;
	copy_gap(w, ahead < last ? ahead + 1 : 0, last);
}

/* A table without rowids: from both ends, in the order of its key. */
static void copy_by_key(struct copying *w, enum db_query query)
{
	sqlite3_stmt *rows = NULL;
	int rc = copy_prepare(w->c->from, query, w->c->source, NULL, &rows);

	while (!rc && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
		rc = copy_row(w, rows);
		if (rc)
			w->failed = rc;
	}
	sqlite3_finalize(rows);
	if (rc == SQLITE_DONE || w->failed || query == Q_COPY_ROWS_DOWN)
		return;
	w->c->gaps = true;
	copy_by_key(w, Q_COPY_ROWS_DOWN);
}

int db_copy_salvage(struct db_copy *c)
{
	struct copying w = {.c = c};
	struct arena *a ARENA_LOCAL = arena_new();
	sqlite3_stmt *rows = NULL;
	bool rowid = true;
	int rc = copy_prepare(c->from, Q_COPY_FORWARD, c->source, NULL, &rows);

	if (rc) {
		rowid = false;
		rc = copy_prepare(c->from, Q_COPY_ROWS, c->source, NULL, &rows);
	}
	/* The file lacks the table: an older ikm wrote it, or the table's schema is damaged. */
	if (rc) {
		c->gaps = true;
		return SQLITE_OK;
	}
	rc = copy_prepare_statements(&w, a, rows);
	sqlite3_finalize(rows);
	if (!rc && rowid)
		copy_by_rowid(&w);
	else if (!rc)
		copy_by_key(&w, Q_COPY_ROWS);
	copy_end(&w);
	return rc ? rc : w.failed;
}

/* ---- one row aside ---- */

struct err *db_row_set_aside(struct db *db, const char *table, const char *key, struct db_arg is,
			     const char *why)
{
	uint64_t done = 0;
	struct progress none = {0};
	struct db_copy c = {.from = db->h,
			    .to = db->h,
			    .source = table,
			    .target = table,
			    .name = table,
			    .progress = &none,
			    .done = &done};
	struct copying w = {.c = &c};
	struct arena *a ARENA_LOCAL = arena_new();
	sqlite3_stmt *row = NULL, *gone = NULL;
	int rc = copy_prepare(db->h, Q_COPY_ONE, table, key, &row);

	if (!rc)
		rc = copy_prepare_statements(&w, a, row);
	if (!rc)
		rc = db_bind(row, 1, &is);
	while (!rc && (rc = sqlite3_step(row)) == SQLITE_ROW)
		rc = copy_damaged(&w, row, why);
	if (rc == SQLITE_DONE)
		rc = SQLITE_OK;
	sqlite3_finalize(row);
	copy_end(&w);
	if (!rc)
		rc = copy_prepare(db->h, Q_COPY_REMOVE, table, key, &gone);
	if (!rc)
		rc = db_bind(gone, 1, &is);
	if (!rc && sqlite3_step(gone) != SQLITE_DONE)
		rc = sqlite3_extended_errcode(db->h);
	sqlite3_finalize(gone);
	return rc ? db_failed(db, rc, "set aside") : NULL;
}
