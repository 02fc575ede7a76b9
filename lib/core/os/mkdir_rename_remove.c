/* Makes, renames and removes folders and names so that the change survives a power cut. */
#include "os/internal.h"
#include <errno.h>

#define LINKS_MAX 40 /* the kernel's own limit */

const char *os_dir_of(struct arena *a, const char *path)
{
	struct str s = str_of(path);
	size_t slash;

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	slash = str_rfind_char(s, '/');
	if (slash == SIZE_MAX)
		return ".";
	while (slash && s.p[slash - 1] == '/')
		slash--;
	return slash ? str_c(a, str_sub(s, 0, slash)) : "/";
}

int os_fsync(int fd)
{
	int rc;

	do
		rc = fsync(fd);
	while (rc && errno == EINTR);
	return rc;
}

/* fsync() needs an open folder, and a folder without read permission cannot be opened. */
#define SYNC_ALL (-2)

int os_sync_dir_open(int dirfd)
{
	int fd = os_openat(dirfd, ".", O_RDONLY | O_DIRECTORY, 0);

	return fd < 0 && errno == EACCES ? SYNC_ALL : fd;
}

void os_sync_dir_cancel(int fd)
{
	if (fd >= 0)
		close(fd);
}

int os_sync_dir_finish(int fd)
{
	int rc = os_fault("fsync of the folder") ? 0 : -1, errnum;

	if (!rc && fd == SYNC_ALL)
		sync();
	else if (!rc)
		rc = os_fsync(fd);
	errnum = errno;
	os_sync_dir_cancel(fd);
	errno = errnum;
	/* Some file systems have no fsync for folders, and need none. */
	return rc && errnum != EINVAL && errnum != ENOTSUP ? -1 : 0;
}

static int sync_path_begin(const char *dir)
{
	int at = os_openat(AT_FDCWD, dir, O_PATH | O_DIRECTORY, 0), fd, errnum;

	if (at < 0)
		return -1;
	fd = os_sync_dir_open(at);
	errnum = errno;
	close(at);
	errno = errnum;
	return fd;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static struct err *make_dir(struct arena *a, struct str path, struct os_made *made)
{
	const char *dir = str_c(a, path), *parent;
	struct stat st;
	int fd;

	if (is_dir(dir))
		return NULL;
	if (!os_fault("mkdir") || mkdir(dir, made->mode)) {
		int errnum = errno;

		/* Another process may have made it first. */
		if (errnum == EEXIST && is_dir(dir))
			return NULL;
		if (errnum == EEXIST && !lstat(dir, &st))
			return err_new(E_EXISTS, "cannot make the folder '%s': %s has this name",
				       dir, S_ISLNK(st.st_mode) ? "a link" : "a file");
		return err_errno(errnum, "make the folder '%s'", dir);
	}
	*VEC_PUSH(a, &made->dirs) = (struct os_made_dir){AT_FDCWD, dir};
	parent = os_dir_of(a, dir);
	fd = sync_path_begin(parent);
	return fd == -1 || os_sync_dir_finish(fd)
		       ? err_errno(errno, "make the folder '%s' durable", parent)
		       : NULL;
}

struct err *os_make_dirs(struct arena *a, const char *path, struct os_made *made)
{
	struct str s = str_of(path);

	if (!s.n)
		return err_new(E_BAD_PATH, "the path of a folder to make is empty");
	if (is_dir(path))
		return NULL;
	for (size_t i = 1; i <= s.n; i++) {
		struct err *e;

		if (i < s.n && s.p[i] != '/')
			continue;
		e = make_dir(a, str_sub(s, 0, i), made);
		if (e) {
			os_unmake(made);
			made->dirs.n = 0;
			return e;
		}
	}
	return NULL;
}

struct err *os_mkdirs(const char *path, uint32_t mode)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct os_made made = {.mode = (mode_t)mode};

	return os_make_dirs(a, path, &made);
}

int os_rename_exclusively(int from_dirfd, const char *from, int to_dirfd, const char *to)
{
	/* 1 is RENAME_NOREPLACE. Older musl and older kernels lack renameat2(): link() follows. */
	if (!syscall(SYS_renameat2, from_dirfd, from, to_dirfd, to, 1u))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(from_dirfd, from, to_dirfd, to, 0))
		return -1;
	return unlinkat(from_dirfd, from, 0);
}

struct err *os_rename(const char *from, const char *to)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *from_dir = os_dir_of(a, from), *to_dir = os_dir_of(a, to);
	int to_fd = sync_path_begin(to_dir), from_fd = -1;
	bool two = strcmp(from_dir, to_dir) != 0;
	struct err *e = NULL;

	if (to_fd != -1 && two)
		from_fd = sync_path_begin(from_dir);
	if (to_fd == -1 || (two && from_fd == -1) || !os_fault("rename") || rename(from, to)) {
		e = err_errno(errno, "rename '%s' to '%s'", from, to);
		os_sync_dir_cancel(to_fd);
	} else if (os_sync_dir_finish(to_fd)) {
		e = err_errno(errno, "make the folder '%s' durable", to_dir);
	} else if (two) {
		if (os_sync_dir_finish(from_fd))
			e = err_errno(errno, "make the folder '%s' durable", from_dir);
		from_fd = -1;
	}
	os_sync_dir_cancel(from_fd);
	return e;
}

struct err *os_remove(const char *path)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct err *e = NULL;
	struct stat st;

	if (lstat(path, &st)) {
		if (errno != ENOENT && errno != ENOTDIR)
			e = err_errno(errno, "remove '%s'", path);
	} else {
		int fd = sync_path_begin(os_dir_of(a, path));

		if (fd == -1 || !os_fault("remove") ||
		    unlinkat(AT_FDCWD, path, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0)) {
			e = errno == ENOENT ? NULL : err_errno(errno, "remove '%s'", path);
			os_sync_dir_cancel(fd);
		} else if (os_sync_dir_finish(fd)) {
			e = err_errno(errno, "make the removal of '%s' durable", path);
		}
	}
	return e;
}

struct err *os_open_parent(struct arena *a, const char *path, const char *shown, bool follow,
			   int *dirfd, const char **name)
{
	const char *at = path;
	char target[OS_PATH_MAX + 1];

	if (!*path)
		return err_new(E_BAD_PATH, "the path of a file to write is empty");
	for (int links = 0; links <= LINKS_MAX; links++) {
		const char *dir = os_dir_of(a, at), *slash = strrchr(at, '/');
		ssize_t n = -1;

		*name = slash ? slash + 1 : at;
		if (!**name || !strcmp(*name, ".") || !strcmp(*name, ".."))
			return err_help(err_new(E_NOT_A_FILE,
						"'%s' names a folder, not a file to write", shown),
					"add the file's name: '%sNAME'", shown);
		*dirfd = os_openat(AT_FDCWD, dir, O_PATH | O_DIRECTORY, 0);
		if (*dirfd < 0) {
			struct err *e = err_errno(errno, "write '%s'", shown);

			return err_reason(e) == E_FILE_NOT_FOUND
				       ? err_help(e, "make its folder: mkdir -p '%s'", dir)
				       : e;
		}
		if (follow)
			n = readlinkat(*dirfd, *name, target, sizeof(target));
		if (n < 0) {
			os_defer_close(a, *dirfd);
			return NULL;
		}
		close(*dirfd);
		if ((size_t)n == sizeof(target))
			return err_errno(ENAMETOOLONG, "write '%s'", shown);
		target[n] = 0;
		at = target[0] == '/' ? str_c(a, str_of(target)) : os_join(a, dir, target);
	}
	return err_errno(ELOOP, "write '%s'", shown);
}
