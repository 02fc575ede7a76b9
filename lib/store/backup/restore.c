/* Checks a backup, and fills a home from it. */
#include "internal.h"
#include "json/json.h"

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
