#include "os/os.h"
#include "tree/disk.h"
#include "tree/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *disk_shown(struct arena *a, const struct disk *d, struct str path)
{
	return path.n ? os_join(a, d->path, str_c(a, path)) : d->path;
}

struct err *disk_failed(const struct disk *d, int errnum, const char *doing, struct str path)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return err_errno(errnum, "%s '%s'", doing, disk_shown(a, d, path));
}

/* For kernels without openat2, and sandboxes that refuse it. */
static int open_by_parts(int top, struct str path, int flags)
{
	int fd = top, next;
	struct str part;

	while (str_split(&path, '/', &part)) {
		char name[OS_PATH_MAX];

		memcpy(name, part.p, part.n);
		name[part.n] = 0;
		next = openat(fd, name,
			      (path.n ? O_PATH | O_DIRECTORY : flags) | O_NOFOLLOW | O_CLOEXEC);
		if (fd != top) {
			int errnum = errno;

			close(fd);
			errno = errnum;
		}
		if (next < 0)
			return -1;
		fd = next;
	}
	return fd;
}

int disk_open(const struct disk *d, struct str path, int flags)
{
	struct open_how how = {.flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
			       .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
	char name[OS_PATH_MAX];
	long fd;

	if (!path.n)
		return openat(d->fd, ".", flags | O_CLOEXEC);
	if (path.n >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(name, path.p, path.n);
	name[path.n] = 0;
	do
		fd = syscall(SYS_openat2, d->fd, name, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_parts(d->fd, path, flags);
	return (int)fd;
}

struct err *disk_look(const struct disk *d, struct str path, const char *name, bool follow,
		      struct stat *st, bool *there)
{
	char whole[2 * OS_PATH_MAX];

	snprintf(whole, sizeof(whole), "%.*s%s%s", STR_ARG(path), path.n && name[0] ? "/" : "",
		 name);
	*there = !fstatat(d->fd, whole, st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
	if (*there || errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ||
	    errno == ENAMETOOLONG)
		return NULL;
	return disk_failed(d, errno, "look at", str_of(whole));
}

static struct err *open_file(const struct disk *d, struct str path, int *fd, size_t *size)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct err *e;
	struct stat st;

	*fd = disk_open(d, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (*fd >= 0 && !fstat(*fd, &st) && S_ISREG(st.st_mode)) {
		*size = (size_t)st.st_size;
		return NULL;
	}
	a = arena_new();
	if (*fd < 0 && errno == ELOOP)
		e = err_new(E_NOT_A_FILE, "'%s' is a symbolic link, or behind one",
			    disk_shown(a, d, path));
	else if (*fd < 0)
		e = disk_failed(d, errno, "read", path);
	else
		e = err_new(E_NOT_A_FILE, "'%s' is not a regular file", disk_shown(a, d, path));
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return e;
}

struct err *disk_open_file(const struct disk *d, struct str path, int *fd)
{
	size_t size;

	return open_file(d, path, fd, &size);
}

static struct err *read_fd(struct arena *a, const struct disk *d, int fd, struct str path,
			   size_t size, size_t max, struct str *out)
{
	struct buf b;
	ssize_t got;

	if (size > max)
		return too_big(d->name, path, max);
	/*
	 * Allocates exactly: doubling would waste half of it. One more byte shows the end of the
	 * file.
	 */
	b = buf_max(a, size_min(max, SIZE_MAX / 4) + 1);
	b.cap = size + 1;
	b.p = arena_alloc(a, b.cap);
	for (;;) {
		if (b.n == b.cap && !buf_room(&b, size_min(b.n, b.max - b.n)))
			return too_big(d->name, path, max);
		got = read(fd, b.p + b.n, b.cap - b.n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return disk_failed(d, errno, "read", path);
		if (!got)
			break;
		b.n += (size_t)got;
	}
	if (b.n > max)
		return too_big(d->name, path, max);
	*out = buf_str(&b);
	return NULL;
}

struct err *disk_read(struct arena *a, const struct disk *d, struct str path, size_t max,
		      struct str *out)
{
	struct err *e;
	size_t size;
	int fd;

	TRY(open_file(d, path, &fd, &size));
	e = read_fd(a, d, fd, path, size, max, out);
	close(fd);
	return e;
}

struct err *disk_read_link(struct arena *a, const struct disk *d, struct str path, size_t max,
			   struct str *out)
{
	int fd = disk_open(d, path, O_PATH);
	char target[OS_PATH_MAX];
	ssize_t n = -1;

	if (fd >= 0) {
		int errnum;

		n = readlinkat(fd, "", target, sizeof(target));
		errnum = errno;
		close(fd);
		errno = errnum;
		if (n < 0 && errno == ENOENT) /* not a link */
			return err_new(E_NOT_A_FILE, "'%s' is not a link any more",
				       disk_shown(a, d, path));
	}
	if (n < 0)
		return disk_failed(d, errno, "read the link", path);
	if ((size_t)n > max)
		return too_big(d->name, path, max);
	*out = str_dup(a, (struct str){target, (size_t)n});
	return NULL;
}
