/*
 * The handle: opening, versions, statements, transactions. Three traps of SQLite shape it:
 * - close() of any descriptor of the file drops all its locks in the process (POSIX). So while the
 *   store is open, no other code in the process may open it, not even to read a byte.
 * - A reader of a store in WAL mode makes "-wal" and "-shm" and leaves both. So writers keep an
 *   empty "-wal", and a reader without one opens for writing, which cleans up at the end.
 * - The switch to WAL fails at once while another process has the file open.
 */
#include "db/internal.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

#define SCHEMA db_schema_version_supported()
/* Steps of SQLite between two looks at the clock: some milliseconds. */
#define WORK_STEPS 100000

/*
 * The pages of the log (-wal) after which a commit writes it back, as SQLite does without a hook.
 * All who open the store read the whole log, so only a short log stays when the store is closed: to
 * write it back, each change would wait for the disk twice more.
 */
enum { LOG_PAGES = 1000, LOG_PAGES_BULK = 8192, KEPT_PAGES = 80 };

/* ---- its memory: an error of SQLite for want of it could be taken for damage ---- */

static sqlite3_mem_methods memory_own;

static void *memory_alloc(int n)
{
	void *p = memory_own.xMalloc(n);

	if (!p)
		out_of_memory((size_t)n);
	return p;
}

static void *memory_resize(void *was, int n)
{
	void *p = memory_own.xRealloc(was, n);

	if (!p)
		out_of_memory((size_t)n);
	return p;
}

/* Before main(), for SQLite must not be in use. ikm does not need its statistics: they take locks.
 */
__attribute__((constructor)) static void memory_set(void)
{
	sqlite3_mem_methods memory;

	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory_own);
	memory = memory_own;
	memory.xMalloc = memory_alloc;
	memory.xRealloc = memory_resize;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
}

/* ---- the log that is kept ---- */

/*
 * SQLite's own VFS, but that it makes a log only where there is none: for one that it makes, SQLite
 * waits for the folder too, in each process.
 */
static sqlite3_vfs vfs, *vfs_own;

static int vfs_open(sqlite3_vfs *of, const char *name, sqlite3_file *file, int flags, int *is)
{
	int rc = SQLITE_CANTOPEN;

	if (flags & SQLITE_OPEN_WAL)
		rc = vfs_own->xOpen(of, name, file, flags & ~SQLITE_OPEN_CREATE, is);
	return (rc & 0xff) == SQLITE_CANTOPEN ? vfs_own->xOpen(of, name, file, flags, is) : rc;
}

static void vfs_make(void)
{
	sqlite3_initialize();
	vfs_own = sqlite3_vfs_find(NULL);
	vfs = *vfs_own;
	vfs.zName = "ikm";
	vfs.xOpen = vfs_open;
	sqlite3_vfs_register(&vfs, 0);
}

/*
 * A copy of the file alone lacks what its log holds. So before a log is kept, the file gets the
 * mark BESIDE with its own inode, which no copy has; and the first change in the log sets IN_LOG
 * over it. A reader of both files sees IN_LOG. So does a reader of a file into which a program has
 * put the log. Only a file without its log shows BESIDE.
 */
#define MARK_KEY "log"
#define BESIDE   "beside "
#define IN_LOG   "in it "

static struct str mark_of(struct db *db, const char *word)
{
	return str_fmt(db->a, "%s%.*s", word, STR_ARG(db->look.inode));
}

/* Empty: none, or it cannot be read. */
static struct str mark_read(struct db *db)
{
	const struct db_arg key = DB_S(STR(MARK_KEY));
	struct str mark = STR("");
	struct db_rows *rows;
	bool more;

	if (db_query_start(db, Q_META_GET, &rows, &key, 1))
		return mark;
	if (!db_next(rows, &more) && more)
		mark = db_column_str(rows, db->a, 0);
	db_reset(rows);
	return mark;
}

static struct err *mark_write(struct db *db, const char *word)
{
	const struct db_arg args[] = {DB_S(STR(MARK_KEY)), DB_S(mark_of(db, word))};

	return db_run(db, Q_META_SET, args, 2);
}

/* Within the first transaction: finds out whether the file has its mark. */
static struct err *log_begin(struct db *db)
{
	const char *real, *folder;
	struct str is;
	int fd, rc;

	if (db->log != LOG_UNUSED)
		return NULL;
	is = mark_read(db);
	db->log = LOG_MARKED;
	if (str_eq(is, mark_of(db, BESIDE)))
		return mark_write(db, IN_LOG);
	if (db->look.wal && str_eq(is, mark_of(db, IN_LOG)))
		return NULL;
	db->log = LOG_UNMARKED;
	if (!db->look.wal)
		return NULL;
	/* Makes the name of the log durable: the VFS does not, for a log that is there. */
	TRY(os_realpath(db->a, db->path, &real));
	folder = str_c(db->a, str_sub(str_of(real), 0, str_rfind_char(str_of(real), '/') + 1));
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(errno, "open '%s'", folder);
	rc = os_fault("sync of the folder") ? os_fsync(fd) : -1;
	close(fd);
	return rc ? err_errno(errno, "write '%s' to the disk", folder) : NULL;
}

static struct err *log_mark(struct db *db, enum db_query sync, const char *word)
{
	struct err *e;

	TRY(db_run(db, sync, NULL, 0));
	TRY(db_run(db, Q_STORE_BEGIN, NULL, 0));
	e = mark_write(db, word);
	if (!e)
		e = db_run(db, Q_STORE_COMMIT, NULL, 0);
	if (e)
		(void)!db_run(db, Q_STORE_ROLLBACK, NULL, 0);
	return e;
}

/*
 * Writes the log back: the file gets its mark, and the log, which begins again, the one over it.
 * Only the writing back waits for the disk: it makes its mark durable, and a next change the other.
 */
static struct err *log_write_back(struct db *db)
{
	int pages = 0, written = -1, rc;

	sqlite3_busy_timeout(db->h, 0);
	TRY(log_mark(db, Q_STORE_SYNC_LATER, BESIDE));
	rc = sqlite3_wal_checkpoint_v2(db->h, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &written);
	return log_mark(db, Q_STORE_SYNC_OFF, rc || written < pages ? "" : IN_LOG);
}

/* The first look at a file that has no log beside it. */
static struct err *log_is_there(struct db *db)
{
	struct db_rows *rows;
	struct str mark;
	struct err *e;
	bool more, wal;

	/* Without WAL in its head, SQLite wrote it as a whole copy. */
	TRY(db_query_start(db, Q_STORE_JOURNAL, &rows, NULL, 0));
	TRY(db_next(rows, &more));
	wal = more && str_is(db_column_bytes(rows, 0), "wal");
	db_reset(rows);
	mark = mark_read(db);
	if (!wal || !str_starts(mark, STR(BESIDE)) || str_eq(mark, mark_of(db, BESIDE)))
		return NULL;
	e = err_new(E_DB_CORRUPT,
		    "the store '%s' is a copy without '%s-wal', which has its last changes",
		    db->path, db->path);
	err_help(e, "copy the file with -wal beside it too; 'ikm backup' makes a copy in one file");
	return err_help(e, "if nothing can be missing, make an empty file '%s-wal'", db->path);
}

/* ---- opening and closing ---- */

static void close_store(struct db *db)
{
	db_finish_all(db, 0);
	if (db->mode == WRITING) {
		bool keep = db->log == LOG_UNUSED ||
			    (db->log == LOG_MARKED && db->log_pages < KEPT_PAGES);

		/* A log that is long is written back, and so is one whose file has no mark. */
		if (!keep && sqlite3_get_autocommit(db->h))
			keep = !log_write_back(db);
		sqlite3_db_config(db->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)keep, NULL);
	}
	for (size_t i = 0; i < DB_QUERIES; i++) {
		sqlite3_finalize(db->rows[i].stmt);
		db->rows[i].stmt = NULL;
	}
	sqlite3_close(db->h);
	db->h = NULL;
	db->reads_first = false;
	db->log = LOG_UNUSED;
	db->log_pages = 0;
	db->mode = CLOSED;
}

static void close_store_deferred(void *p)
{
	struct db *db = p;

	close_store(db);
	arena_free(db->a);
}

struct db *db_new(struct arena *a, const char *path)
{
	struct db *db = ARENA_NEW(a, struct db);

	db->a = arena_new();
	db->path = path;
	db->busy_ms = DB_BUSY_MS * DB_WAIT_FACTOR;
	arena_defer(a, close_store_deferred, db);
	return db;
}

/* SQLite calls it in statements that take long, such as a vacuum. Other threads show nothing. */
static int db_works(void *ctx)
{
	(void)ctx;
	if (getpid() == gettid())
		progress_show_seconds("the store works, seconds");
	return 0;
}

/*
 * untouched: a file of another program must stay unchanged, so until the file is known, closing
 * must neither write the WAL back nor remove it.
 */
static struct err *connect(struct db *db, const char *name, int flags, bool untouched)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int rc;

	pthread_once(&once, vfs_make);
	rc = sqlite3_open_v2(name, &db->h, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
			     vfs.zName);
	if (rc)
		return db_failed(db, rc, "open");
	/* SQLite silently opens read-only when it may not write. */
	if (flags & SQLITE_OPEN_READWRITE && sqlite3_db_readonly(db->h, "main") == 1)
		return db_failed(db, SQLITE_READONLY, "open");
	sqlite3_busy_timeout(db->h, (int)db->busy_ms);
	if (progress_possible())
		sqlite3_progress_handler(db->h, WORK_STEPS, db_works, NULL);
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	/* A stranger may have written the schema in the file. */
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)untouched, NULL);
	/* The first statement that reads the file. */
	TRY(db_run(db, Q_STORE_SYNC, NULL, 0));
	return db_run(db, Q_STORE_TEMP, NULL, 0);
}

/*
 * Whether the open file is still the store, and no salvage that was interrupted has copied it: what
 * is written now would be lost. An open file with a log is locked, so none begins.
 */
static struct err *db_is_current(struct db *db)
{
	struct store_state now;

	TRY(store_state_read(db->a, db->path, &now));
	if (!str_eq(now.inode, db->look.inode))
		return db_failed(db, SQLITE_READONLY_DBMOVED, "open");
	if (!store_is_there(str_fmt(db->a, "%s" STORE_SALVAGED, now.real).p))
		return NULL;
	return err_help(err_new(E_DB_CORRUPT,
				"a salvage of the store '%s' was interrupted before its last step",
				db->path),
			"complete it: ikm doctor --salvage");
}

static struct err *db_visit(struct db *db, int flags, int64_t *version, bool *fresh)
{
	struct err *e;

	TRY(connect(db, db->path, flags, db->look.wal));
	TRY(db_read_schema_version(db, version, fresh));
	e = flags & SQLITE_OPEN_READWRITE ? db_is_current(db) : NULL;
	/* The log beside a file that was replaced is another store's: closing leaves it. */
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)(e || db->look.wal), NULL);
	if (!e && !db->look.wal && *version)
		e = log_is_there(db);
	if (!e)
		sqlite3_db_config(db->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	return e;
}

/* ---- transactions ---- */

static void set_busy_timeout(struct db *db, unsigned ms)
{
	db->busy_ms = ms;
	if (db->h)
		sqlite3_busy_timeout(db->h, (int)ms);
}

/* Some failures, such as a full disk, roll back at once. Nothing may be written alone after it. */
static struct err *txn_is_whole(struct db *db)
{
	return sqlite3_get_autocommit(db->h)
		       ? err_new(E_IO_ERROR, "the store '%s' rolled back a change", db->path)
		       : NULL;
}

static struct err *txn_begin(struct db_txn *t)
{
	struct db *db = t->db;

	/* Else the savepoint would be a transaction of its own. */
	if (db->depth)
		TRY(txn_is_whole(db));
	TRY(db_run(db, db->depth ? Q_STORE_SAVEPOINT : Q_STORE_BEGIN, NULL, 0));
	t->depth = ++db->depth;
	return NULL;
}

/* Gives the handle back what the transaction had of its own. */
static struct err *txn_over(struct db_txn *t)
{
	struct db *db = t->db;

	t->db = NULL;
	set_busy_timeout(db, t->busy_ms);
	return t->unsynced && db->h ? db_run(db, Q_STORE_SYNC, NULL, 0) : NULL;
}

static struct err *txn_store(struct db_txn *t)
{
	struct db *db = t->db;

	TRY(txn_is_whole(db));
	if (t->depth > 1)
		return db_run(db, Q_STORE_RELEASE, NULL, 0);
	db_finish_all(db, 0);
	TRY(log_begin(db));
	if (!os_fault("commit"))
		return err_errno(errno, "write the store '%s'", db->path);
	return db_run(db, Q_STORE_COMMIT, NULL, 0);
}

struct err *db_commit(struct db_txn *t)
{
	struct err *e;

	if (!t->db || !t->depth || t->db->depth != t->depth)
		BUG("db_commit() of a transaction that is over, or around an open one");
	e = txn_store(t);
	if (e) {
		db_end(t);
		return e;
	}
	t->db->depth--;
	return txn_over(t);
}

void db_end(struct db_txn *t)
{
	struct db *db = t->db;
	bool part;

	if (!db)
		return;
	db_finish_all(db, t->depth > 1 ? t->depth : 0);
	/* When a part cannot be rolled back alone, the whole is, and its commit fails. */
	part = t->depth > 1 &&
	       (sqlite3_get_autocommit(db->h) || (!db_run(db, Q_STORE_ROLLBACK_TO, NULL, 0) &&
						  !db_run(db, Q_STORE_RELEASE, NULL, 0)));
	if (!part && db->h && !sqlite3_get_autocommit(db->h))
		sqlite3_exec(db->h, db_query_text(Q_STORE_ROLLBACK), NULL, NULL, NULL);
	if (t->depth)
		db->depth = t->depth - 1;
	else
		db->reading = false;
	(void)!txn_over(t);
}

static struct err *migrate(struct db *db)
{
	struct db_txn t DB_TXN = {.db = db, .busy_ms = db->busy_ms};
	int64_t version;
	bool fresh;

	TRY(txn_begin(&t));
	/* Read the version again: another process may have migrated meanwhile. */
	TRY(db_read_schema_version(db, &version, &fresh));
	TRY(db_migrate(db, version));
	return db_commit(&t);
}

static struct err *switch_to_wal(struct db *db)
{
	uint64_t until = os_ticks() + (uint64_t)db->busy_ms * 1000000;
	struct db_rows *rows;
	struct str is;
	struct err *e;
	bool more;

	do {
		e = db_query_start(db, Q_STORE_WAL, &rows, NULL, 0);
		if (!e)
			e = db_next(rows, &more);
	} while (e && err_reason(e) == E_LOCKED && os_ticks() < until && sqlite3_sleep(5));
	TRY(e);
	is = db_column_str(rows, db->a, 0);
	db_reset(rows);
	if (!str_is(is, "wal"))
		return err_help(err_new(E_DB_FAILED,
					"the store '%s' is on a file system that "
					"several processes cannot share",
					db->path),
				"point IKIGAI_HOME to a local file system");
	return db_run(db, Q_STORE_WAL_LIMIT, NULL, 0);
}

static int db_log_written(void *ctx, sqlite3 *h, const char *name, int pages)
{
	struct db *db = ctx;

	db->log_pages = pages;
	/* When this fails, the log is whole, and a later commit or the closing does it. */
	if (pages >= (db->bulk ? LOG_PAGES_BULK : LOG_PAGES))
		sqlite3_wal_checkpoint_v2(h, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	if (pages >= LOG_PAGES)
		db->log = LOG_UNMARKED;
	return SQLITE_OK;
}

static struct err *open_write(struct db *db)
{
	int64_t version;
	int keep = 1;
	bool fresh;

	TRY(store_make(db->a, db->path, &db->look));
	TRY(db_visit(db, SQLITE_OPEN_READWRITE, &version, &fresh));
	TRY(switch_to_wal(db));
	sqlite3_file_control(db->h, NULL, SQLITE_FCNTL_PERSIST_WAL, &keep);
	sqlite3_wal_hook(db->h, db_log_written, db);
	if (version < SCHEMA) {
		struct err *e;

		/*
		 * With foreign keys on, dropping a table deletes rows of other tables. Index
		 * creation sorts in a file, not in memory.
		 */
		sqlite3_db_config(db->h, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
		TRY(db_run(db, Q_STORE_TEMP_FILE, NULL, 0));
		e = migrate(db);
		if (!e)
			e = db_run(db, Q_STORE_TEMP, NULL, 0);
		sqlite3_db_config(db->h, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
		TRY(e);
	}
	db->mode = WRITING;
	return NULL;
}

/* A URI that opens the file without locks and without files beside it. */
static const char *store_immutable_uri(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);

	/* Escapes every byte that has a meaning in a URI. */
	buf_puts(&b, "file:");
	for (const char *p = path; *p; p++)
		if (strchr("%?#", *p))
			buf_fmt(&b, "%%%02X", (unsigned)(unsigned char)*p);
		else
			buf_putc(&b, *p);
	buf_puts(&b, "?immutable=1");
	return buf_as_cstr(&b);
}

/* Whether the error is a missing write permission. */
static bool store_error_is_unwritable(const struct err *e)
{
	enum err_reason r = err_reason(e);

	return r == E_READ_ONLY || r == E_PERMISSION || r == E_FILE_NOT_FOUND;
}

static struct err *open_read(struct db *db)
{
	const struct store_state *look = &db->look;
	struct arena *a = db->a;
	int64_t version = 0;
	struct err *e, *shut;
	bool fresh = false;

	TRY(store_state_read(a, db->path, &db->look));
	if (!look->there) {
		db->mode = EMPTY;
		return NULL;
	}
	e = db_visit(db, look->wal ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, &version,
		     &fresh);
	if (e && !look->wal_bytes && store_error_is_unwritable(e)) {
		close_store(db);
		e = connect(db, store_immutable_uri(a, db->path),
			    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, false);
		if (!e)
			e = db_read_schema_version(db, &version, &fresh);
	}
	if (e && look->wal_bytes && store_error_is_unwritable(e)) {
		shut = db_access_error(a, db->path, err_reason(e), false);
		if (shut)
			return shut;
		e = err_new(
			E_READ_ONLY,
			"the last changes of the store '%s' are in '%s-wal', which cannot be read, "
			"because '%s-shm' cannot be created",
			db->path, db->path, db->path);
		return err_help(err_help(e, "'ikm doctor' says why, and what to do"),
				"or copy the folder to a place with write permission");
	}
	TRY(e);
	TRY(db_run(db, Q_STORE_CACHE, NULL, 0));
	db->mode = READING;
	if (!fresh && version == SCHEMA)
		return NULL;
	close_store(db);
	if (fresh) {
		db->mode = EMPTY;
		return NULL;
	}
	e = open_write(db);
	return e ? err_add_context(e,
				   "an older ikm wrote the store (schema %jd; this ikm knows "
				   "%jd), and it must be migrated",
				   (intmax_t)version, (intmax_t)SCHEMA)
		 : NULL;
}

static struct err *db_prepare_mode(struct db *db, bool write)
{
	struct err *e = NULL;

	if (!db->path)
		return store_no_home();
	if (db->depth || db->reading || (db->mode != CLOSED && db->asked && !write))
		return NULL;
	/* Another process may have created the store meanwhile. */
	if (db->mode == EMPTY && !write && store_is_there(db->path))
		close_store(db);
	if (write && db->mode != WRITING)
		close_store(db);
	if (db->mode == CLOSED)
		e = write ? open_write(db) : open_read(db);
	if (e)
		close_store(db);
	return e;
}

/* ---- public functions ---- */

void db_close(struct db *db)
{
	if (db->mode != CLOSED)
		close_store(db);
}

/* Without a log beside it, the file was opened for writing, to clean up when it is closed. */
void db_call_end(struct db *db)
{
	db_finish_all(db, 0);
	if (db->mode != READING || db->reading || !db->look.wal)
		db_close(db);
	db->damage = (struct db_damage){0};
	db->damage_seen = (struct db_hashes){0};
	db->bad_row = NULL;
	if (db->mode == CLOSED)
		arena_reset(db->a);
}

void db_close_if_stale(struct db *db)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct store_state now;
	int64_t version;
	bool fresh;

	if (db_is_idle(db) && (store_state_read(a, db->path, &now) || !now.wal ||
			       !str_eq(now.inode, db->look.inode) ||
			       db_read_schema_version(db, &version, &fresh) || version != SCHEMA))
		db_close(db);
}

struct err *db_select_args(struct db *db, enum db_query query, struct db_rows **rows,
			   const struct db_arg *args, size_t n)
{
	TRY(db_prepare_mode(db, false));
	/* The macro puts an empty value first; the values begin after it. */
	TRY(db_query_start(db, query, rows, args + 1, n));
	if (db->mode == EMPTY || sqlite3_stmt_readonly((*rows)->stmt))
		return NULL;
	if (!db->depth)
		BUG("'%s' writes outside a transaction", db_query_name(query));
	return txn_is_whole(db);
}

struct err *db_do_args(struct db *db, enum db_query query, int64_t *changed,
		       const struct db_arg *args, size_t n)
{
	if (!db->depth)
		BUG("'%s' outside a transaction", db_query_name(query));
	TRY(txn_is_whole(db));
	TRY(db_run(db, query, args + 1, n));
	if (changed)
		*changed = sqlite3_changes64(db->h);
	return NULL;
}

static struct err *txn_prepare(struct db_txn *t, const struct db_write *how)
{
	struct db *db = t->db;

	if (how->wait_ms)
		set_busy_timeout(db, how->wait_ms * DB_WAIT_FACTOR);
	TRY(db_prepare_mode(db, true));
	/* For a transaction of any size. Only a log of what was read stays small. */
	if (db->reads_first) {
		db->reads_first = false;
		TRY(db_run(db, Q_STORE_CACHE_WRITE, NULL, 0));
	}
	t->unsynced = how->sync != DB_DURABLE;
	return t->unsynced ? db_run(db, Q_STORE_SYNC_LATER, NULL, 0) : NULL;
}

struct err *db_begin_as(struct db_txn *t, struct db *db, const struct db_write *how)
{
	struct err *e = NULL;

	if (!db->depth && (db->reading || db->asked))
		BUG("a transaction begins in a read, or while a statement has rows");
	*t = (struct db_txn){.db = db, .busy_ms = db->busy_ms};
	if (!db->depth)
		e = txn_prepare(t, how);
	if (!e)
		e = txn_begin(t);
	if (e)
		(void)!txn_over(t);
	return e;
}

struct err *db_begin_read(struct db_txn *t, struct db *db)
{
	*t = (struct db_txn){0};
	if (db->depth || db->reading)
		return NULL;
	if (db->asked)
		BUG("db_begin_read() while a statement has rows");
	TRY(db_prepare_mode(db, false));
	if (db->mode != EMPTY)
		TRY(db_run(db, Q_STORE_READ, NULL, 0));
	db->reading = true;
	*t = (struct db_txn){.db = db, .busy_ms = db->busy_ms};
	return NULL;
}

struct err *db_bulk(struct db *db)
{
	db->bulk = true;
#ifdef M_TRIM_THRESHOLD
	/* What a batch frees serves the next one: to get it anew from the kernel takes longer. */
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
	return db_do(db, Q_STORE_CACHE_BULK, NULL);
}

struct err *db_open_for_writing(struct db *db)
{
	if (db->depth || db->reading || db->asked)
		return NULL;
	TRY(db_prepare_mode(db, true));
	if (db->reads_first)
		return NULL;
	db->reads_first = true;
	return db_run(db, Q_STORE_CACHE, NULL, 0);
}

bool db_is_writing(const struct db *db)
{
	return db->depth;
}

bool db_is_idle(const struct db *db)
{
	return (db->mode == READING || db->mode == WRITING) && !db->depth && !db->reading &&
	       !db->asked;
}

struct err *db_data_version(struct db *db, int64_t *out)
{
	TRY(db_number(db, Q_STORE_VERSION, out));
	if (db->mode != EMPTY)
		*out = *out * (INT64_C(1) << 32) + sqlite3_total_changes64(db->h);
	return NULL;
}

struct err *db_wal_checkpoint(struct db *db, bool *busy)
{
	struct db_rows *rows;
	bool more;

	if (!os_fault("truncate"))
		return err_errno(errno, "empty the log of the store '%s'", db->path);
	TRY(db_query_start(db, Q_STORE_TRUNCATE, &rows, NULL, 0));
	TRY(db_next(rows, &more));
	*busy = db_column_int(rows, 0) != 0;
	db_reset(rows);
	db->log = LOG_UNMARKED;
	return NULL;
}

struct err *db_vacuum(struct db *db)
{
	struct err *e;
	bool busy = false;

	if (db->depth || db->reading || db->asked)
		BUG("db_vacuum() in the middle of something");
	TRY(db_prepare_mode(db, true));
	if (!os_fault("vacuum"))
		return err_errno(errno, "rewrite the store '%s'", db->path);
	/* In memory, its copy of the whole store would be too large. */
	TRY(db_run(db, Q_STORE_TEMP_FILE, NULL, 0));
	e = db_run(db, Q_STORE_VACUUM, NULL, 0);
	TRY(db_run(db, Q_STORE_TEMP, NULL, 0));
	TRY(e);
	TRY(db_wal_checkpoint(db, &busy));
	return busy ? db_failed(db, SQLITE_BUSY, "store_truncate") : NULL;
}

struct err *db_copy(struct db *db, const char *path)
{
	const struct db_arg to = DB_S(str_of(path));

	if (db->depth || db->reading || db->asked)
		BUG("db_copy() in the middle of something");
	TRY(db_prepare_mode(db, true));
	if (!os_fault("copy"))
		return err_errno(errno, "copy the store '%s'", db->path);
	/* SQLite writes into an empty file; one that it makes has the mode of the umask. */
	TRY(os_write(path, STR(""), OS_MODE(0600) | OS_EXCLUSIVE));
	return db_run(db, Q_STORE_COPY, &to, 1);
}

const char *db_path(const struct db *db)
{
	return db->path;
}
