/* The folders that a person has trusted: a list in a file that no repository can write. */
#include "tool/internal.h"
#include "json/json.h"

#define NAME      "tools.trusted"
#define BYTES_MAX ((size_t)1 << 20)
#define LOCK_MS   5000

struct err *tool_trusted_folders(struct arena *a, const char *home, struct strs *out)
{
	const char *path = os_join(a, home, NAME);
	struct str text;
	struct val *v;
	struct err *e = os_read_path(a, path, BYTES_MAX, &text);

	*out = (struct strs){0};
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	TRY(e);
	e = json_read(a, text, NULL, &v);
	if (e)
		return err_add_context(e, "%s", path);
	if (v->type != VAL_LIST)
		return err_new(E_BAD_CONFIG, "%s must hold a list of folders, not %s", path,
			       val_type_name(v->type));
	VAL_EACH(v, dir) {
		if (dir->type != VAL_STR || !str_starts(dir->s, STR("/")) || str_has_nul(dir->s))
			return err_new(E_BAD_CONFIG, "%s must hold absolute paths of folders",
				       path);
		strs_push(a, out, dir->s);
	}
	return NULL;
}

/* Reads the list, adds or removes dir, and writes the list, all under the lock of the folder. */
static struct err *trust_change(struct arena *a, const char *home, struct str dir, bool there,
				bool *done)
{
	struct strs old, now = {0};
	struct os_lock *lock;
	struct err *e;
	struct buf b;

	TRY(os_mkdirs(home, 0700));
	TRY(os_lock_dir(a, home, LOCK_MS, &lock));
	e = tool_trusted_folders(a, home, &old);
	*done = !e && strs_has(&old, dir) != there;
	for (size_t i = 0; *done && i < old.n; i++)
		if (!str_eq(old.p[i], dir))
			strs_push(a, &now, old.p[i]);
	if (there)
		strs_push(a, &now, dir);
	if (*done) {
		b = buf_in(a);
		json_write(&b, val_list_of_strs(a, &now), 2);
		buf_putc(&b, '\n');
		e = os_write(os_join(a, home, NAME), buf_as_str(&b), 0);
	}
	os_unlock(lock);
	return e;
}

struct err *tool_trust_folder(struct arena *a, const char *home, const char *dir, bool *done)
{
	struct os_stat st;
	const char *real;
	struct str why;

	TRY(os_realpath(a, dir, &real));
	TRY(os_stat(real, true, &st));
	if (st.kind != OS_DIR)
		return err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", dir),
				"name the folder that has the tools");
	if (!str_is_utf8(str_of(real)))
		return err_new(E_BAD_PATH,
			       "'%s' is not UTF-8; a folder of tools must have a name in UTF-8",
			       str_c(a, str_utf8(a, str_of(real))));
	why = tool_unsafe_reason(a, &st);
	if (why.p)
		return err_help(err_new(E_NOT_ALLOWED, "'%s': %s", dir, why.p),
				"another user could put a tool there");
	return trust_change(a, home, str_of(real), true, done);
}

struct err *tool_untrust_folder(struct arena *a, const char *home, const char *dir, bool *done)
{
	struct str path;
	const char *real, *cwd;

	if (os_realpath(a, dir, &real)) {
		real = dir;
		if (dir[0] != '/') {
			TRY(os_cwd(a, &cwd));
			real = os_join(a, cwd, dir);
		}
	}
	path = str_of(real);
	while (path.n > 1 && str_ends(path, STR("/")))
		path.n--;
	return trust_change(a, home, path, false, done);
}
