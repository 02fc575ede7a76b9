/*
 * Writes a backup, checks one, and fills a home from it. A backup has a line of JSON for each file,
 * its bytes, and a last line with the number of files.
 */
#include "backup/backup.h"
#include "crypt/crypt.h"
#include "json/json.h"
#include "os/os.h"
#include "out/out.h"
#include "record/record.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKUP_HEAD     "ikm backup 1\n"
#define BACKUP_END      "end "
#define BACKUP_FILE_MAX ((size_t)1 << 30)
#define BACKUP_LINE_MAX ((size_t)64 << 10)
#define COPY_NAME       "ikm.db.copy-for-backup"
#define LOCK_MS         60000
#define PIECE           ((size_t)128 << 10)

struct backup_file {
	struct str path;
	int64_t mode, size;
	struct str hash;
};
static const struct field backup_rows[] = {
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

/* ---- reading a file of any size in pieces ---- */

struct backup_source {
	struct arena *a;
	const char *name;
	int fd;
	char *p;
	size_t from, to; /* what is in p */
	int64_t at;      /* the offset in the file of p + from */
	struct progress progress;
};

static void backup_source_close(void *fd)
{
	close(*(int *)fd);
}

/* The arena closes the file. */
static struct err *backup_source_open(struct arena *a, const char *path, struct backup_source *out)
{
	int *fd = ARENA_NEW(a, int);
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return err_errno(errno, "open '%s'", path);
	arena_defer(a, backup_source_close, fd);
	*out = (struct backup_source){.a = a, .name = path, .fd = *fd, .p = arena_alloc(a, PIECE)};
	out->progress =
		progress_start("backup, bytes read", fstat(*fd, &st) ? 0 : (uint64_t)st.st_size);
	return NULL;
}

/* Reads behind what is there. *more false: the end, or the piece is full. */
static struct err *backup_source_fill(struct backup_source *s, bool *more)
{
	size_t got;

	if (s->from) {
		memmove(s->p, s->p + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
	}
	*more = false;
	if (s->to == PIECE)
		return NULL;
	TRY(os_read_some(s->fd, s->name, s->p + s->to, PIECE - s->to, &got));
	s->to += got;
	progress_at(&s->progress, (uint64_t)s->at);
	if (!got)
		progress_end(&s->progress);
	*more = got > 0;
	return NULL;
}

/* At most `most` bytes; an empty part is the end. They are valid until the next call. */
static struct err *backup_source_read_some(struct backup_source *s, int64_t most, struct str *part)
{
	bool more;

	*part = (struct str){0};
	if (most <= 0)
		return NULL;
	if (s->from == s->to)
		TRY(backup_source_fill(s, &more));
	*part = (struct str){
		s->p + s->from,
		(size_t)(most < (int64_t)(s->to - s->from) ? most : (int64_t)(s->to - s->from))};
	s->from += part->n;
	s->at += (int64_t)part->n;
	return NULL;
}

struct backup_to {
	int fd;
	const char *name;
};

/* Reads at most `most` bytes, and gives their number and hash. to: also writes them; NULL: no. */
static struct err *backup_source_hash(struct backup_source *s, int64_t most,
				      const struct backup_to *to, int64_t *size, struct str *hash)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;
	struct str part;

	sha256_init(&h);
	for (*size = 0;; *size += (int64_t)part.n) {
		TRY(backup_source_read_some(s, most - *size, &part));
		if (!part.n)
			break;
		sha256_add(&h, part);
		if (to)
			TRY(os_write_fd(to->fd, to->name, part));
	}
	sha256_end(&h, sum);
	*hash = str_fmt(s->a, "sha256:%.*s", STR_ARG(crypt_hex(s->a, sum, sizeof(sum))));
	return NULL;
}

/* A line without its LF; *found false: there is no LF within BACKUP_LINE_MAX bytes. */
static struct err *backup_source_read_line(struct backup_source *s, struct str *line, bool *found)
{
	bool more = true;

	for (*found = false;;) {
		struct str have = {s->p + s->from, s->to - s->from};
		size_t lf = str_find_char(have, '\n', 0);

		if (lf != SIZE_MAX) {
			*line = str_dup(s->a, str_sub(have, 0, lf));
			s->from += lf + 1;
			s->at += (int64_t)lf + 1;
			*found = true;
			return NULL;
		}
		if (have.n > BACKUP_LINE_MAX || !more)
			return NULL;
		TRY(backup_source_fill(s, &more));
	}
}

/* ---- writing ---- */

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

/* ---- checking and restoring ---- */

struct restoring {
	struct arena *a;
	struct backup_source s;
	const char *home; /* NULL: only check */
	struct backup *out;
	struct backup_file file; /* the file that is being written */
};

static struct err *backup_bad(const struct restoring *r, const char *why)
{
	return err_help(
		err_new(E_BAD_BACKUP, "'%s', byte %jd: %s", r->s.name, (intmax_t)r->s.at + 1, why),
		"nothing was restored; take another backup");
}

/* A path must stay below the home. */
static bool backup_path_is_good(struct str path)
{
	struct str rest = path, part;

	/* A folder ends with a slash. */
	if (str_ends(rest, STR("/")))
		rest.n--;
	if (!rest.n || path.p[0] == '/' || str_has_nul(path))
		return false;
	while (str_next_part(&rest, '/', &part))
		if (!part.n || str_is(part, ".") || str_is(part, ".."))
			return false;
	return true;
}

static struct err *backup_read_file(struct restoring *r, const struct backup_to *to)
{
	struct str hash, lf;
	int64_t size;

	TRY(backup_source_hash(&r->s, r->file.size, to, &size, &hash));
	if (size != r->file.size)
		return backup_bad(r, "the file ends too early");
	if (!str_eq(hash, r->file.hash))
		return backup_bad(r, "the bytes before it were changed: their hash differs");
	TRY(backup_source_read_some(&r->s, 1, &lf));
	if (!str_is(lf, "\n"))
		return backup_bad(r, "a line end is missing behind a file");
	return NULL;
}

static struct err *backup_restore_fill(void *ctx, int fd, const char *shown)
{
	return backup_read_file(ctx, &(struct backup_to){fd, shown});
}

static struct err *backup_restore_one(struct restoring *r, struct str line)
{
	const struct record_reader how = {.what = "a file of a backup", .unknown = RECORD_REFUSED};
	struct val *v;
	struct err *e;

	e = json_read(r->a, line, NULL, &v);
	if (!e)
		e = record_from_val(r->a, &how, backup_rows, v, &r->file);
	if (e)
		return backup_bad(r, err_message(e));
	if (!backup_path_is_good(r->file.path) || r->file.size < 0 || r->file.mode & ~0777)
		return backup_bad(r, "the line before it describes no file of a home");
	r->out->files++;
	r->out->bytes += r->file.size;
	if (!r->home)
		return backup_read_file(r, NULL);
	if (str_ends(r->file.path, STR("/"))) {
		TRY(os_mkdirs(os_join(r->a, r->home, str_c(r->a, r->file.path)),
			      (uint32_t)r->file.mode));
		return backup_read_file(r, NULL);
	}
	return os_write_by_callback(os_join(r->a, r->home, str_c(r->a, r->file.path)),
				    backup_restore_fill, r,
				    OS_PARENTS | OS_EXCLUSIVE | OS_MODE((unsigned)r->file.mode));
}

/* home NULL: only checks. */
static struct err *backup_read(struct arena *a, const char *path, const char *home,
			       struct backup *out)
{
	struct restoring r = {.a = a, .home = home, .out = out};
	struct str line, rest;
	int64_t files;
	bool found;

	*out = (struct backup){0};
	TRY(backup_source_open(a, path, &r.s));
	TRY(backup_source_read_line(&r.s, &line, &found));
	if (!found || str_find(STR(BACKUP_HEAD), line, 0) != 0 ||
	    line.n + 1 != strlen(BACKUP_HEAD)) {
		r.s.at = 0;
		return backup_bad(&r, "this is no backup of ikm, or of a newer version");
	}
	for (;;) {
		TRY(backup_source_read_line(&r.s, &line, &found));
		if (!found)
			return backup_bad(&r, "the backup ends too early");
		if (str_starts(line, STR(BACKUP_END)))
			break;
		TRY(backup_restore_one(&r, line));
	}
	TRY(backup_source_read_some(&r.s, 1, &rest));
	if (!str_int(str_sub(line, strlen(BACKUP_END), line.n), &files) || files != out->files ||
	    rest.n)
		return backup_bad(&r, "the last line does not fit the files");
	return NULL;
}

struct err *backup_check(struct arena *a, const char *path, struct backup *out)
{
	return backup_read(a, path, NULL, out);
}

/* A folder that an interrupted restore left. */
static struct err *backup_clear(struct arena *a, const char *dir)
{
	struct strs names = {0};
	struct os_stat st;

	TRY(os_stat(dir, false, &st));
	if (st.kind == OS_NONE)
		return NULL;
	if (st.kind == OS_DIR) {
		TRY(os_list(a, dir, &names));
		for (size_t i = 0; i < names.n; i++)
			TRY(backup_clear(a, os_join(a, dir, names.p[i].p)));
	}
	return os_remove(dir);
}

const char *backup_restoring(struct arena *a, const char *home)
{
	return str_fmt(a, "%s.ikm-restore", home).p;
}

struct err *backup_restore(struct arena *a, const char *path, const char *home, struct backup *out)
{
	const char *new = backup_restoring(a, home);
	struct strs names = {0};
	struct err *e, *cleared;
	struct os_stat st;

	TRY(os_stat(home, true, &st));
	if (st.kind == OS_DIR)
		TRY(os_list(a, home, &names));
	if (st.kind != OS_NONE && (st.kind != OS_DIR || names.n))
		return err_help(err_new(E_EXISTS, "'%s' is there already, and is not empty", home),
				"move it away, or set IKIGAI_HOME to the folder to restore into");
	/* Nothing is written before all of it is known to be good. */
	TRY(backup_check(a, path, out));
	TRY(backup_clear(a, new));
	TRY(os_mkdirs(new, 0700));
	/* A file takes whole blocks. */
	e = os_check_free_space(os_dir_of(a, new), (uint64_t)(out->bytes + out->files * 4096));
	if (e)
		err_help(e, "or restore elsewhere: set IKIGAI_HOME to a folder on another disk");
	if (!e)
		e = backup_read(a, path, new, out);
	if (!e)
		e = os_rename(new, home);
	if (!e)
		return NULL;
	cleared = backup_clear(a, new);
	return cleared ? err_help(e, "remove '%s'", new) : e;
}
