#include "base/base.h"
#include "db/store.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct err *store_rescue(struct err *e, const char *path)
{
	err_help(e, "nothing in it was changed; keep a copy: cp '%s' '%s.broken'", path, path);
	err_help(e, "save what can be read: sqlite3 '%s.broken' .recover | sqlite3 saved.db", path);
	return err_help(e, "move it away, and ikm makes a new one");
}

struct err *store_no_home(void)
{
	return err_help(err_new(E_NO_HOME, "there is no home folder for the store"),
			"set HOME, or IKIGAI_HOME to the folder that shall have it");
}

struct err *store_look(struct arena *a, const char *path, struct store_look *out)
{
	struct os_stat st, wal;

	*out = (struct store_look){0};
	TRY(os_stat(path, true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	if (st.kind != OS_FILE)
		return err_help(err_new(E_DB_CORRUPT, "the store '%s' is no regular file", path),
				"move it away, and ikm makes a new one");
	out->there = true;
	TRY(os_stat(str_fmt(a, "%s-wal", path).p, true, &wal));
	out->wal = wal.kind != OS_NONE;
	out->wal_bytes = wal.size;
	return NULL;
}

bool store_is_there(const char *path)
{
	struct os_stat st;
	struct err *e = os_stat(path, true, &st);

	return e || st.kind != OS_NONE;
}

bool store_is_closed(const struct err *e)
{
	enum err_reason r = err_reason(e);

	return r == E_READ_ONLY || r == E_PERMISSION || r == E_IO_ERROR || r == E_FILE_NOT_FOUND;
}

static struct err *make(struct arena *a, const char *path)
{
	struct store_look look;
	struct os_stat dir;
	struct str folder = str_of(path);
	size_t slash = str_rfind_char(folder, '/');
	int fd;

	TRY(store_look(a, path, &look));
	if (look.there)
		return NULL;
	folder = slash == SIZE_MAX ? STR(".") : str_sub(folder, 0, slash ? slash : 1);
	TRY(os_stat(str_c(a, folder), true, &dir));
	if (dir.kind == OS_NONE)
		TRY(os_mkdirs(str_c(a, folder), 0700));
	if (!os_fault("creation of the store"))
		return err_errno(errno, "make the store '%s'", path);
	/* SQLite gives the files beside it the same mode. */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd >= 0)
		close(fd);
	else if (errno != EEXIST)
		return err_errno(errno, "make the store '%s'", path);
	return NULL;
}

struct err *store_make(const char *path)
{
	struct arena *a = arena_new();
	struct err *e = make(a, path);

	arena_free(a);
	return e;
}

const char *store_immutable(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);

	/* Every byte escaped that may mean something in a URI. */
	buf_puts(&b, "file:");
	for (const char *p = path; *p; p++)
		if (strchr("%?#", *p))
			buf_fmt(&b, "%%%02X", (unsigned)(unsigned char)*p);
		else
			buf_putc(&b, *p);
	buf_puts(&b, "?immutable=1");
	return buf_c(&b);
}
