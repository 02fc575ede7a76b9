/* Writes a backup: a line of JSON for each file, its bytes, and a last line with the number. */
#include "internal.h"
#include "json/json.h"

#define LOCK_MS 60000

const struct field backup_rows[] = {
	FIELD_OF(struct backup_file, path, "its path below the home"),
	FIELD_OF(struct backup_file, mode, "its nine mode bits"),
	FIELD_OF(struct backup_file, size, "its bytes"),
	FIELD_OF(struct backup_file, hash, "sha256 of its bytes"),
	{0},
};

bool backup_is_leftover(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	if (slash != SIZE_MAX)
		return str_starts(str_sub(path, slash + 1, path.n), STR(".ikm-tmp-"));
	return str_starts(path, STR(".ikm-tmp-")) || str_starts(path, STR("ikm.db.salvage-new")) ||
	       str_starts(path, STR(COPY_NAME));
}

struct writing {
	struct arena *a;
	const char *home, *store; /* store: the copy; NULL: there is none */
	struct strs files;
	struct backup *out;
};

/* The store is copied apart. Schemas of tools are asked for again. */
static bool backup_leaves_out(struct str path)
{
	static const char *const names[] = {"ikm.db",      "ikm.db-wal", "ikm.db-shm",
					    "tools.cache", "locks",      NULL};

	return str_is_any(path, names) || backup_is_leftover(path);
}

static struct err *backup_list(struct writing *w, struct str below)
{
	const char *dir = below.n ? os_join(w->a, w->home, str_c(w->a, below)) : w->home;
	struct strs names = {0};

	TRY(os_list(w->a, dir, &names));
	for (size_t i = 0; i < names.n; i++) {
		struct str path = below.n ? str_of(os_join(w->a, str_c(w->a, below), names.p[i].p))
					  : names.p[i];
		struct os_stat st;

		if (backup_leaves_out(path))
			continue;
		TRY(os_stat(os_join(w->a, w->home, path.p), false, &st));
		if (st.kind == OS_DIR) {
			/* Empty folders count too: Git needs its own. */
			strs_push(w->a, &w->files, str_fmt(w->a, "%.*s/", STR_ARG(path)));
			TRY(backup_list(w, path));
		}
		if (st.kind == OS_FILE)
			strs_push(w->a, &w->files, path);
		else if (st.kind != OS_DIR && st.kind != OS_NONE)
			strs_push(w->a, &w->out->skipped, path);
	}
	return NULL;
}

static struct err *backup_put(struct writing *w, int fd, const char *shown,
			      const struct backup_file *f)
{
	struct buf b = buf_in(w->a);

	json_write(&b, record_val(w->a, backup_rows, f), 0);
	buf_putc(&b, '\n');
	w->out->files++;
	w->out->bytes += f->size;
	return os_write_fd(fd, shown, buf_as_str(&b));
}

static struct err *backup_put_file(struct writing *w, int fd, const char *shown, struct str path)
{
	const char *from = os_join(w->a, w->home, path.p);
	struct arena *a ARENA_LOCAL = arena_new();
	struct str bytes = STR("");
	struct os_stat st;

	TRY(os_stat(from, false, &st));
	/* Somebody removed it meanwhile. */
	if (st.kind != OS_FILE && st.kind != OS_DIR)
		return NULL;
	if (st.kind == OS_FILE)
		TRY(os_read_path(a, from, BACKUP_FILE_MAX, &bytes));
	TRY(backup_put(w, fd, shown,
		       &(struct backup_file){path, st.mode & 0777, (int64_t)bytes.n,
					     crypt_content_hash(w->a, bytes)}));
	if (st.kind == OS_FILE)
		TRY(os_write_fd(fd, shown, bytes));
	return os_write_fd(fd, shown, STR("\n"));
}

static struct err *backup_fill(void *ctx, int fd, const char *shown)
{
	struct backup_file f = {STR("ikm.db"), 0600, 0, STR("")};
	struct writing *w = ctx;
	struct backup_source s;
	struct str part;

	*w->out = (struct backup){.skipped = w->out->skipped};
	TRY(os_write_fd(fd, shown, STR(BACKUP_HEAD)));
	/* The store may be larger than memory. It is read twice: its hash stands before it. */
	if (w->store) {
		TRY(backup_source_open(w->a, w->store, &s));
		TRY(backup_source_hash(&s, INT64_MAX, NULL, &f.size, &f.hash));
		w->out->hash = f.hash;
		TRY(backup_put(w, fd, shown, &f));
		TRY(backup_source_open(w->a, w->store, &s));
		TRY(backup_source_read_some(&s, INT64_MAX, &part));
		while (part.n) {
			TRY(os_write_fd(fd, shown, part));
			TRY(backup_source_read_some(&s, INT64_MAX, &part));
		}
		TRY(os_write_fd(fd, shown, STR("\n")));
	}
	for (size_t i = 0; i < w->files.n; i++)
		TRY(backup_put_file(w, fd, shown, w->files.p[i]));
	return os_write_fd(fd, shown, str_fmt(w->a, BACKUP_END "%jd\n", (intmax_t)w->out->files));
}

struct err *backup_write(struct arena *a, struct db *db, const char *home, const char *path,
			 bool overwrite, struct backup *out)
{
	struct writing w = {.a = a, .home = home, .out = out};
	const char *copy = os_join(a, home, COPY_NAME);
	struct err *e = NULL, *removed;
	struct os_stat st;

	*out = (struct backup){0};
	TRY(os_stat(db_path(db), true, &st));
	if (st.kind == OS_FILE) {
		const char *dir = os_join(a, home, "locks/backup");
		struct os_lock *lock;

		/* Two backups of one home at once would write the same copy. */
		TRY(os_mkdirs(dir, 0700));
		e = os_lock_dir(a, dir, LOCK_MS, &lock);
		if (e && err_reason(e) == E_LOCKED)
			e = err_add_context(e, "another backup of this home runs");
		TRY(e);
		TRY(os_remove(copy));
		w.store = copy;
		e = db_copy(db, copy);
	}
	/* After the store: the keys of its rows are there. */
	if (!e)
		e = backup_list(&w, STR(""));
	if (!e)
		e = os_write_by_callback(path, backup_fill, &w,
					 OS_MODE(0600) | (overwrite ? 0 : OS_EXCLUSIVE));
	removed = w.store ? os_remove(copy) : NULL;
	if (!e && removed)
		e = err_help(removed, "the backup '%s' is written; the next one removes the copy",
			     path);
	return e;
}
