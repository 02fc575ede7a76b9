#include "db/internal.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The log goes with the file: SQLite would write it into a new one. */
struct err *store_unreadable(struct err *e, const char *path)
{
	size_t slash = str_rfind_char(str_of(path), '/');
	int n = slash == SIZE_MAX ? 0 : (int)slash;
	const char *home = n ? path : ".";

	n = n ? n : 1;
	err_help(e, "with a backup: mv '%.*s' '%.*s.old' && ikm restore FILE", n, home, n, home);
	return err_help(
		e,
		"without one, set the store aside: mkdir '%.*s/broken' && mv '%.*s'/ikm.db* "
		"'%.*s/broken'",
		n, home, n, home, n, home);
}

struct err *store_no_home(void)
{
	return err_new(E_NO_HOME, "there is no home folder for the store");
}

/* Without this, memories on a disk that is not mounted look like lost ones. */
static struct err *store_folder_is(const char *path)
{
	struct os_stat is, leads;
	size_t slash = str_rfind_char(str_of(path), '/');
	char folder[OS_PATH_MAX];

	if (slash == SIZE_MAX || !slash || slash >= sizeof(folder))
		return NULL;
	snprintf(folder, sizeof(folder), "%.*s", (int)slash, path);
	TRY(os_stat(folder, false, &is));
	TRY(os_stat(folder, true, &leads));
	if (is.kind == OS_NONE || leads.kind == OS_DIR)
		return NULL;
	if (leads.kind == OS_NONE)
		return err_help(err_new(E_NO_HOME, "the home '%s' is a link to nothing", folder),
				"make or mount what it leads to, or remove the link");
	return err_help(err_new(E_NO_HOME, "the home '%s' is not a folder", folder),
			"move it away, or point IKIGAI_HOME to a folder");
}

struct err *store_state_read(struct arena *a, const char *path, struct store_state *out)
{
	struct os_stat st, wal;

	*out = (struct store_state){0};
	TRY(os_stat(path, true, &st));
	if (st.kind == OS_NONE)
		return store_folder_is(path);
	if (st.kind != OS_FILE)
		return err_help(err_new(E_DB_CORRUPT, "the store '%s' is not a regular file", path),
				"move it away, and ikm makes a new one");
	out->there = true;
	/* SQLite puts it beside the real file, not beside a link. */
	TRY(os_realpath(a, path, &out->real));
	TRY(os_stat(str_fmt(a, "%s-wal", out->real).p, true, &wal));
	out->wal = wal.kind != OS_NONE;
	out->wal_bytes = wal.size;
	out->inode = str_fmt(a, "%ju", (uintmax_t)st.ino);
	return NULL;
}

bool store_is_there(const char *path)
{
	struct os_stat st;
	struct err *e = os_stat(path, true, &st);

	return e || st.kind != OS_NONE;
}

struct err *db_access_error(struct arena *a, const char *path, enum err_reason reason, bool writes)
{
	int mode = writes ? R_OK | W_OK : R_OK;
	const char *folder = os_dir_of(a, path);
	const char *parts[] = {folder, path, str_fmt(a, "%s-wal", path).p,
			       str_fmt(a, "%s-shm", path).p};
	struct str user = os_user_of_uid(a, os_uid());
	struct os_stat st;
	struct err *e;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!access(parts[i], i ? mode : mode | X_OK) || errno != EACCES)
			continue;
		/* The folder above it is shut. */
		if (os_stat(parts[i], true, &st))
			return NULL;
		e = err_new(reason,
			    "cannot use the store '%s': %.*s belongs to %.*s and has the mode %04o",
			    path, STR_ARG(i == 1 ? STR("it") : str_fmt(a, "'%s'", parts[i])),
			    STR_ARG(os_user_of_uid(a, st.uid)), (unsigned)st.mode);
		if (st.uid != os_uid())
			return err_help(e, "sudo chown -R %.*s '%s'", STR_ARG(user), folder);
		return err_help(e, "chmod u+rw%s '%s'", i ? "" : "x", parts[i]);
	}
	return NULL;
}

/* Never opens an existing file: closing it would drop the locks of another handle. */
static int make_file(const char *path)
{
	const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY;
	/* SQLite gives the files beside it the same mode. */
	int fd = open(path, flags | O_EXCL, 0600);

	if (fd < 0 && errno == EEXIST && !store_is_there(path))
		fd = open(path, flags, 0600); /* a dangling symbolic link */
	if (fd < 0)
		return errno == EEXIST ? 0 : -1;
	close(fd);
	return 0;
}

struct err *store_make(struct arena *a, const char *path, struct store_state *out)
{
	const char *folder;
	struct os_stat st;
	struct err *e;

	TRY(store_state_read(a, path, out));
	if (out->there)
		return NULL;
	folder = os_dir_of(a, path);
	TRY(os_stat(folder, true, &st));
	e = st.kind == OS_NONE ? os_mkdirs(folder, 0700) : NULL;
	if (e)
		return err_help(e, "%spoint IKIGAI_HOME to a folder that you can make",
				err_reason(e) == E_NO_SPACE ? "make room, or " : "");
	if (!os_fault("creation of the store") || make_file(path))
		return err_help(
			err_errno(errno, "make the store '%s'", path),
			"'ikm doctor' says who may write there; or point IKIGAI_HOME to another "
			"folder");
	return store_state_read(a, path, out);
}
