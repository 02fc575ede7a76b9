#include "os/internal.h"
#include <dirent.h>
#include <errno.h>

int64_t os_timespec_ns(const struct timespec *t)
{
	const int64_t most = INT64_MAX / 1000000000 - 1;
	int64_t s = t->tv_sec < -most ? -most : t->tv_sec > most ? most : t->tv_sec;

	return s * 1000000000 + t->tv_nsec;
}

struct os_stat os_stat_from_struct_stat(const struct stat *st)
{
	return (struct os_stat){
		.kind = S_ISREG(st->st_mode)   ? OS_FILE
			: S_ISDIR(st->st_mode) ? OS_DIR
			: S_ISLNK(st->st_mode) ? OS_LINK
					       : OS_OTHER,
		.size = (uint64_t)st->st_size,
		.mode = st->st_mode & 07777,
		.dev = st->st_dev,
		.ino = st->st_ino,
		.uid = st->st_uid,
		.gid = st->st_gid,
		.mtime_ns = os_timespec_ns(&st->st_mtim),
	};
}

static struct err *stat_entry(int dirfd, const char *name, int flags, const char *shown,
			      struct os_stat *out)
{
	struct stat st;

	*out = (struct os_stat){.kind = OS_NONE};
	if (fstatat(dirfd, name, &st, flags)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return NULL;
		return err_errno(errno, "look at '%s'", shown);
	}
	*out = os_stat_from_struct_stat(&st);
	return NULL;
}

struct err *os_stat(const char *path, bool follow, struct os_stat *out)
{
	return stat_entry(AT_FDCWD, path, follow ? 0 : AT_SYMLINK_NOFOLLOW, path, out);
}

struct err *os_stat_at(int dirfd, const char *name, const char *shown, struct os_stat *out)
{
	return stat_entry(dirfd, name, AT_SYMLINK_NOFOLLOW, shown, out);
}

struct err *os_list(struct arena *a, const char *path, struct strs *names)
{
	return os_list_at(a, AT_FDCWD, path, names);
}

struct err *os_list_at(struct arena *a, int dirfd, const char *path, struct strs *names)
{
	int fd = os_openat(dirfd, path, O_RDONLY | O_DIRECTORY, 0), errnum = errno;
	struct dirent *entry;
	struct stat st;
	struct err *e;
	DIR *d;

	*names = (struct strs){0};
	if (fd < 0 && errnum == ENOTDIR && !fstatat(dirfd, path, &st, 0))
		return err_new(E_NOT_A_FILE, "'%s' is not a folder", path);
	if (fd < 0)
		return err_errno(errnum, "list '%s'", path);
	d = fdopendir(fd);
	if (!d) {
		e = err_errno(errno, "list '%s'", path);
		close(fd);
		return e;
	}
	for (errno = 0; (entry = readdir(d)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			strs_push(a, names, str_dup(a, str_of(entry->d_name)));
	e = errno ? err_errno(errno, "list '%s'", path) : NULL;
	if (!e)
		strs_sort(names);
	closedir(d);
	return e;
}

struct err *os_readlink(struct arena *a, const char *path, struct str *out)
{
	char target[OS_PATH_MAX + 1];
	ssize_t n = readlink(path, target, sizeof(target));

	if (n < 0 && errno == EINVAL)
		return err_new(E_BAD_PATH, "'%s' is not a symbolic link", path);
	if (n < 0)
		return err_errno(errno, "read the link '%s'", path);
	if ((size_t)n == sizeof(target))
		return err_new(E_BAD_PATH, "the target of the link '%s' is over %d bytes", path,
			       OS_PATH_MAX);
	*out = str_dup(a, (struct str){target, (size_t)n});
	return NULL;
}

struct err *os_realpath(struct arena *a, const char *path, const char **out)
{
	char *real = realpath(path, NULL);

	if (!real)
		return err_errno(errno, "find '%s'", path);
	*out = str_c(a, str_of(real));
	free(real);
	return NULL;
}

const char *os_join(struct arena *a, const char *dir, const char *name)
{
	struct buf b = buf_in(a);
	size_t n = strlen(dir);

	buf_puts(&b, dir);
	if (n && *name && dir[n - 1] != '/')
		buf_putc(&b, '/');
	buf_puts(&b, name);
	return buf_as_cstr(&b);
}

/* ---- what is shut ---- */

static bool shut_is(const char *path, const struct os_stat *st, bool last)
{
	if (st->kind == OS_DIR)
		return access(path, last ? R_OK | W_OK | X_OK : X_OK) != 0;
	return access(path, R_OK | W_OK) != 0;
}

struct str os_permission_help(struct arena *a, const struct err *e)
{
	struct str said = str_of(err_message(e)), path, part = STR(".");
	size_t to = str_rfind_char(said, '\''), from, slash = 0;
	struct os_stat st;

	from = to == SIZE_MAX ? to : str_rfind_char(str_sub(said, 0, to), '\'');
	if (err_reason(e) != E_PERMISSION || from == SIZE_MAX)
		return STR("");
	path = str_sub(said, from + 1, to);
	do {
		struct str next;
		const char *name;

		slash = str_find_char(path, '/', slash + 1);
		next = str_sub(path, 0, slash);
		name = str_c(a, next);
		/* It is to be made in the folder above it, or the system refuses otherwise. */
		if (os_stat(name, true, &st) || st.kind == OS_NONE)
			break;
		part = next;
		if (shut_is(name, &st, slash == SIZE_MAX))
			break;
	} while (slash != SIZE_MAX);
	if (os_stat(str_c(a, part), true, &st) || !shut_is(str_c(a, part), &st, true))
		return STR("");
	if (st.uid != os_uid())
		return str_fmt(
			a,
			"'%.*s' belongs to %.*s and has the mode %04o: its owner may let you "
			"in",
			STR_ARG(part), STR_ARG(os_user_of_uid(a, st.uid)), (unsigned)st.mode);
	return str_fmt(a, "'%.*s' has the mode %04o: chmod u+rw%s '%.*s'", STR_ARG(part),
		       (unsigned)st.mode, st.kind == OS_DIR ? "x" : "", STR_ARG(part));
}
