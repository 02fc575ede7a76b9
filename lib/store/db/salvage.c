/*
 * Copies a damaged store into a new one and replaces it. Every state between is safe:
 *   ikm.db.salvage-new   is incomplete; the next salvage deletes it
 *   ikm.db.salvaged      is complete; the next salvage only moves it into place
 *   ikm.db.damaged-DATE  is the old file, with its -wal, and stays
 */
#include "db/internal.h"
#include "os/os.h"
#include <errno.h>
#include <sqlite3.h>
#include <unistd.h>

struct salvage {
	struct arena *a;
	const char *path; /* without links */
	const char *making, *made;
	sqlite3 *from;
	struct db *fresh;
	struct progress progress;
	uint64_t done;
	struct db_salvaged *out;
};

static const char *salvage_beside(struct arena *a, const char *path, const char *suffix)
{
	return str_fmt(a, "%s%s", path, suffix).p;
}

static struct err *salvage_remove(struct arena *a, const char *path)
{
	static const char *const parts[] = {"", "-wal", "-shm"};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *part = salvage_beside(a, path, parts[i]);

		if (store_is_there(part))
			TRY(os_remove(part));
	}
	return NULL;
}

/* ---- the old store ---- */

static struct err *salvage_failed(const struct salvage *s, int rc)
{
	const char *why = sqlite3_errmsg(s->from);

	if ((rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED)
		return err_help(err_new(E_LOCKED,
					"other processes use the store '%s'; a salvage needs it "
					"alone",
					s->path),
				"end them and try again; 'fuser %s' names the processes", s->path);
	if ((rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB ||
	    !strcmp(why, "unsupported file format"))
		return store_unreadable(err_new(E_DB_CORRUPT,
						"nothing can be read of the store '%s': %s",
						s->path, why),
					s->path);
	return err_new(E_DB_FAILED, "cannot open the store '%s' for a salvage: %s", s->path, why);
}

static int salvage_number(const struct salvage *s, enum db_query query, int64_t *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(s->from, db_query_text(query), -1, &stmt, NULL);

	if (!rc && sqlite3_step(stmt) == SQLITE_ROW)
		*out = sqlite3_column_int64(stmt, 0);
	return sqlite3_finalize(stmt) | rc;
}

/*
 * Opens the store alone: no other process may write to a file that will lose its name. Its -wal is
 * part of it, and closing must leave both unchanged.
 */
static struct err *salvage_open(struct salvage *s)
{
	int rc = sqlite3_open_v2(
		s->path, &s->from,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	int64_t id = 0, version = 0;
	int keep = 1;

	if (rc)
		return salvage_failed(s, rc);
	sqlite3_busy_timeout(s->from, DB_BUSY_MS);
	sqlite3_db_config(s->from, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(s->from, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	/*
	 * Reads a schema that does not parse completely, and a truncated file, as far as possible.
	 */
	sqlite3_db_config(s->from, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	sqlite3_db_config(s->from, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_file_control(s->from, NULL, SQLITE_FCNTL_PERSIST_WAL, &keep);
	rc = sqlite3_exec(s->from, db_query_text(Q_SALVAGE_ALONE), NULL, NULL, NULL);
	if (!rc)
		rc = sqlite3_exec(s->from, db_query_text(Q_STORE_BEGIN), NULL, NULL, NULL);
	if (!rc)
		rc = salvage_number(s, Q_SALVAGE_APPLICATION, &id);
	if (!rc)
		rc = salvage_number(s, Q_SALVAGE_SCHEMA, &version);
	if (rc)
		return salvage_failed(s, rc);
	if (id != DB_APPLICATION)
		return db_corrupt(s->path, "it is a database of another program");
	if (version <= db_schema_version_supported())
		return NULL;
	return err_help(err_new(E_DB_NEWER, "the store '%s' was written by a newer ikm", s->path),
			"salvage it with the newer ikm");
}

/* ---- the new store ---- */

static struct err *salvage_table(struct salvage *s, struct str name)
{
	struct db_copy c = {
		.from = s->from, .to = s->fresh->h, .progress = &s->progress, .done = &s->done};
	struct db_salvaged_table *t;
	char *empty;
	int rc;

	c.source = c.target = c.name = str_c(s->a, name);
	empty = sqlite3_mprintf(db_query_text(Q_COPY_EMPTY), c.target);
	rc = sqlite3_exec(s->fresh->h, empty, NULL, NULL, NULL);
	sqlite3_free(empty);
	if (!rc)
		rc = db_copy_salvage(&c);
	if (rc)
		return db_failed(s->fresh, rc, "salvage");
	t = VEC_PUSH(s->a, s->out);
	*t = (struct db_salvaged_table){.name = str_dup(s->a, name),
					.rows = (int64_t)c.copied,
					.damaged = (int64_t)c.refused,
					.lost = c.gaps};
	/* Older stores lack this table. */
	if (!c.copied && !c.refused && str_starts(name, STR("damaged_")))
		t->lost = false;
	return NULL;
}

static struct err *salvage_copy(struct salvage *s)
{
	static const enum db_query settle[] = {
		Q_SALVAGE_IDS,     Q_SALVAGE_NO_ID,   Q_SALVAGE_DOC,  Q_SALVAGE_NO_NUMBER,
		Q_SALVAGE_NUMBER,  Q_SALVAGE_NO_SIZE, Q_SALVAGE_SIZE, Q_SALVAGE_SCOPES,
		Q_SALVAGE_SCOPE,   Q_SALVAGE_VECTORS, Q_SALVAGE_PINS, Q_SALVAGE_DELETED,
		Q_SALVAGE_NO_OPEN, Q_SALVAGE_OPEN};
	struct db_txn t DB_TXN = {0};
	struct strs tables = {0};
	int rc = SQLITE_OK;

	TRY(db_begin(&t, s->fresh));
	DB_EACH(rows, s->fresh, Q_SALVAGE_TABLES)
		strs_push(s->a, &tables, db_column_str(rows, s->a, 0));
	for (size_t i = 0; i < tables.n; i++)
		TRY(salvage_table(s, tables.p[i]));
	for (size_t i = 0; i < ARRAY_SIZE(settle) && !rc; i++)
		rc = sqlite3_exec(s->fresh->h, db_query_text(settle[i]), NULL, NULL, NULL);
	return rc ? db_failed(s->fresh, rc, "salvage") : db_commit(&t);
}

static struct err *salvage_make(struct salvage *s, struct arena *a,
				struct err *(*fill)(void *ctx, struct db *fresh), void *ctx)
{
	struct err *e;

	TRY(salvage_remove(s->a, s->making));
	s->fresh = db_new(a, s->making);
	/* Opens and migrates; then foreign keys are off, so that rows may come in any order. */
	TRY(db_open_for_writing(s->fresh));
	sqlite3_db_config(s->fresh->h, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	s->progress = progress_start("salvaging, rows", 0);
	e = salvage_copy(s);
	progress_end(&s->progress);
	TRY(e);
	sqlite3_db_config(s->fresh->h, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	TRY(fill(ctx, s->fresh));
	/* Moves all of the WAL into the file. */
	return db_run(s->fresh, Q_STORE_TRUNCATE, NULL, 0);
}

/* ---- replacing the store ---- */

static struct err *salvage_link(const char *from, const char *to)
{
	if (!os_fault("link") || link(from, to))
		return err_errno(errno, "keep '%s' as '%s'", from, to);
	return NULL;
}

static bool salvage_is_same(const struct os_stat *x, const struct os_stat *y)
{
	return x->kind != OS_NONE && x->dev == y->dev && x->ino == y->ino;
}

/*
 * Links the old file and its -wal to a free name, or to the name that a killed salvage began with:
 * its date is that of the copy. The file is linked last, so a name that has it has its -wal too.
 */
static struct err *salvage_keep(struct salvage *s, const struct os_stat *it, const char *wal,
				const struct os_stat *log)
{
	struct os_stat made, old, old_log;
	const char *name, *name_wal;
	struct str day;
	bool again;

	TRY(os_stat(s->made, false, &made));
	day = str_sub(os_time_text(s->a, made.mtime_ns / 1000000, false), 0, 10);
	name = str_fmt(s->a, "%s.damaged-%.*s", s->path, STR_ARG(day)).p;
	for (unsigned n = 2;; n++) {
		name_wal = salvage_beside(s->a, name, "-wal");
		TRY(os_stat(name, false, &old));
		TRY(os_stat(name_wal, false, &old_log));
		again = salvage_is_same(&old, it);
		if ((again || old.kind == OS_NONE) &&
		    ((again && !log->size) || old_log.kind == OS_NONE ||
		     salvage_is_same(&old_log, log)))
			break;
		name = str_fmt(s->a, "%s.damaged-%.*s-%u", s->path, STR_ARG(day), n).p;
	}
	s->out->kept = name;
	if (log->size && old_log.kind == OS_NONE)
		TRY(salvage_link(wal, name_wal));
	return again ? NULL : salvage_link(s->path, name);
}

/* The old file gets its new name, with its -wal, before the new store takes its place. */
static struct err *salvage_swap(struct salvage *s)
{
	const char *wal = salvage_beside(s->a, s->path, "-wal");
	struct os_stat it, log;

	TRY(os_stat(s->path, false, &it));
	TRY(os_stat(wal, false, &log));
	if (it.kind != OS_NONE)
		TRY(salvage_keep(s, &it, wal, &log));
	/* SQLite would replay the log of another file into the new store. */
	if (log.kind != OS_NONE)
		TRY(os_remove(wal));
	if (store_is_there(salvage_beside(s->a, s->path, "-shm")))
		TRY(os_remove(salvage_beside(s->a, s->path, "-shm")));
	return os_rename(s->made, s->path);
}

struct err *db_salvage(struct arena *a, const char *path,
		       struct err *(*fill)(void *ctx, struct db *fresh), void *ctx,
		       struct db_salvaged *out)
{
	struct salvage s = {.a = a, .out = out};
	struct arena *own = arena_new();
	struct err *e, *lost;
	struct os_stat st;

	*out = (struct db_salvaged){0};
	e = path ? os_realpath(a, path, &s.path) : store_no_home();
	if (e) {
		arena_free(own);
		return e;
	}
	s.making = salvage_beside(a, s.path, ".salvage-new");
	s.made = salvage_beside(a, s.path, STORE_SALVAGED);
	e = os_stat(s.made, false, &st);
	out->finished = !e && st.kind != OS_NONE;
	if (!e)
		e = salvage_open(&s);
	/* A copy that is complete is only moved into place, even if the old file cannot be read. */
	if (e && out->finished && err_reason(e) == E_DB_CORRUPT)
		e = NULL;
	if (!e && !out->finished)
		e = salvage_make(&s, own, fill, ctx);
	arena_free(own);
	if (!e && !out->finished)
		e = os_rename(s.making, s.made);
	/* Also removes what a failure leaves; after a kill the next salvage removes it. */
	lost = salvage_remove(a, s.making);
	if (!e)
		e = lost;
	if (!e)
		e = salvage_swap(&s);
	sqlite3_close(s.from);
	return e;
}
