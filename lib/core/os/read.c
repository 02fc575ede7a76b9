#include "os/internal.h"
#include <errno.h>
#include <poll.h>

#define PIECE ((size_t)64 * 1024)

int os_openat(int dirfd, const char *name, int flags, mode_t mode)
{
	int fd;

	do
		fd = openat(dirfd, name, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static void os_close_deferred(void *fd)
{
	os_close_fd(fd);
}

int *os_defer_close(struct arena *a, int fd)
{
	int *p = ARENA_NEW(a, int);

	*p = fd;
	arena_defer(a, os_close_deferred, p);
	return p;
}

struct err *os_want_file(mode_t mode, const char *name)
{
	const char *what;
	struct err *e;

	if (S_ISREG(mode))
		return NULL;
	what = S_ISDIR(mode)    ? "a folder"
	       : S_ISLNK(mode)  ? "a symbolic link"
	       : S_ISFIFO(mode) ? "a FIFO"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
	e = err_new(E_NOT_A_FILE, "'%s' is %s, not a regular file", name, what);
	return S_ISDIR(mode) ? err_help(e, "name a file in it, such as '%s/NAME'", name)
	       : S_ISFIFO(mode)
		       ? err_help(e, "name a file; to keep what a FIFO gives: cat FIFO >FILE")
		       : e;
}

static struct err *os_read_too_big(const char *name, size_t max)
{
	return err_detail_int(err_new(E_TOO_BIG, "'%s' is over the limit of %zu bytes", name, max),
			      "limit", (int64_t)size_min(max, PTRDIFF_MAX));
}

/* An inherited descriptor may be non-blocking, which its other owner decides. */
static void wait_for(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	poll(&p, 1, -1);
}

struct err *os_read_some(int fd, const char *name, void *to, size_t most, size_t *got)
{
	ssize_t n;

	while ((n = read(fd, to, most)) < 0) {
		if (errno == EAGAIN)
			wait_for(fd, POLLIN);
		else if (errno != EINTR)
			return err_errno(errno, "read '%s'", name);
	}
	*got = (size_t)n;
	return NULL;
}

/* hint: the expected number of bytes, exact for most regular files, 0 when unknown. */
static struct err *os_read_all(struct arena *a, int fd, const char *name, size_t max, size_t hint,
			       struct str *out)
{
	struct buf b = buf_with_max(a, size_min(max, SIZE_MAX / 4) + 1);

	/* Allocates exactly: doubling would waste half of every file's memory. */
	if (hint) {
		b.cap = size_min(hint + 1, b.max);
		b.p = arena_alloc(a, b.cap);
	}
	for (;;) {
		size_t want = b.cap > b.n ? b.cap - b.n : size_min(PIECE, b.max - b.n);
		size_t got;

		want = size_min(want, (size_t)1 << 30);
		TRY(os_read_some(fd, name, buf_room(&b, want), want, &got));
		b.n += got;
		if (b.n > max)
			return os_read_too_big(name, max);
		if (!got || b.n == hint) /* it asked for more, up to a gigabyte */
			break;
	}
	*out = buf_as_str(&b);
	return NULL;
}

struct err *os_read_fd(struct arena *a, int fd, const char *name, size_t max, struct str *out)
{
	if (fd == STDIN_FILENO)
		os_critical_check_wait("reading standard input");
	return os_read_all(a, fd, name, max, 0, out);
}

struct err *os_read_file(struct arena *a, int fd, const char *name, size_t max, struct str *out)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_errno(errno, "read '%s'", name);
	TRY(os_want_file(st.st_mode, name));
	if ((uint64_t)st.st_size > max)
		return os_read_too_big(name, max);
	/* Files of /proc report size 0 and are not empty. */
	return os_read_all(a, fd, name, max, (size_t)st.st_size, out);
}

struct err *os_open_file(const char *path, const char *shown, int *fd)
{
	struct stat st;

	/*
	 * stat before open, because opening alone makes some devices act; os_read_file() checks
	 * again.
	 */
	if (stat(path, &st))
		return err_errno(errno, "read '%s'", shown);
	TRY(os_want_file(st.st_mode, shown));
	*fd = os_openat(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	return *fd < 0 ? err_errno(errno, "read '%s'", shown) : NULL;
}

struct err *os_read_path(struct arena *a, const char *path, size_t max, struct str *out)
{
	struct err *e;
	int fd;

	if (!*path)
		return err_new(E_BAD_PATH, "the path of a file to read is empty");
	TRY(os_open_file(path, path, &fd));
	e = os_read_file(a, fd, path, max, out);
	close(fd);
	return e;
}

struct err *os_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY;

		/* open() gives the lowest free number, so this one. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) != fd)
			return err_errno(errno, "open '/dev/null' for the closed descriptor %d",
					 fd);
	}
	return NULL;
}

static struct err *os_read_write_all(int fd, const char *name, struct str bytes)
{
	while (bytes.n) {
		ssize_t put = write(fd, bytes.p, size_min(bytes.n, (size_t)1 << 30));

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno == EAGAIN) {
			wait_for(fd, POLLOUT);
			continue;
		}
		if (put < 0)
			return err_errno(errno, "write '%s'", name);
		bytes = str_sub(bytes, (size_t)put, bytes.n);
	}
	return NULL;
}

struct err *os_write_fd(int fd, const char *name, struct str bytes)
{
	struct timespec none = {0};
	sigset_t sigpipe, old, pending;
	struct err *e;

	if (fd == STDOUT_FILENO || fd == STDERR_FILENO)
		return os_read_write_all(fd, name, bytes);
	/*
	 * A closed pipe must not end this program: the signal is delivered to this thread, which
	 * consumes it.
	 */
	sigemptyset(&sigpipe);
	sigaddset(&sigpipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &sigpipe, &old);
	e = os_read_write_all(fd, name, bytes);
	if (e && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&sigpipe, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return e;
}
