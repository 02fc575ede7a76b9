#include "os/internal.h"
#include <errno.h>
#include <sys/file.h>

struct os_lock {
	int fd;
};

static void unlock_deferred(void *l)
{
	os_unlock(l);
}

static int lock_now(int fd)
{
	int rc;

	do
		rc = flock(fd, LOCK_EX | LOCK_NB);
	while (rc && errno == EINTR);
	return rc;
}

/*
 * Returns -1 with errno; EWOULDBLOCK: another process has the lock. Checks afterwards that the path
 * still leads to the locked folder, which may have been removed or replaced meanwhile.
 */
static int try_path(const char *dir)
{
	for (int tries = 0; tries < 16; tries++) {
		struct stat locked, now;
		int fd = os_openat(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY, 0), rc, errnum;

		if (fd < 0)
			return -1;
		rc = lock_now(fd);
		if (!rc && !fstat(fd, &locked) && !stat(dir, &now) && locked.st_dev == now.st_dev &&
		    locked.st_ino == now.st_ino)
			return fd;
		errnum = errno;
		close(fd);
		errno = errnum;
		if (rc)
			return -1;
	}
	errno = EWOULDBLOCK;
	return -1;
}

static int try_fd(int dirfd)
{
	int fd = os_openat(dirfd, ".", O_RDONLY | O_DIRECTORY, 0), errnum;

	if (fd < 0 || !lock_now(fd))
		return fd;
	errnum = errno;
	close(fd);
	errno = errnum;
	return -1;
}

/* Locks the folder dirfd, or when dirfd is -1 the path `dir`. */
static struct err *lock(struct arena *a, int dirfd, const char *dir, unsigned timeout_ms,
			struct os_lock **out)
{
	const uint64_t ms = 1000 * 1000, end = os_ticks() + timeout_ms * ms;
	uint64_t pause = ms, now;
	int fd;

	while ((fd = dirfd < 0 ? try_path(dir) : try_fd(dirfd)) < 0) {
		struct timespec t = {0};

		if (errno != EWOULDBLOCK)
			return err_errno(errno, "lock the folder '%s'", dir);
		now = os_ticks();
		if (now >= end) {
			struct err *e =
				err_new(E_LOCKED,
					"another writer has locked the folder '%s' (waited %u ms)",
					dir, timeout_ms);

			/* The kernel drops the lock of a process that ends, so one lives. */
			return err_detail_int(
				err_help(
					e,
					"wait until it ends, and try again; fuser -v '%s' shows the "
					"processes that use the folder",
					dir),
				"timeout_ms", timeout_ms);
		}
		/* flock() has no timeout but signals, and signals belong to the whole program. */
		t.tv_nsec = (long)(pause < end - now ? pause : end - now);
		nanosleep(&t, NULL);
		pause = pause < 32 * ms ? pause * 2 : pause;
	}
	*out = ARENA_NEW(a, struct os_lock);
	(*out)->fd = fd;
	arena_defer(a, unlock_deferred, *out);
	return NULL;
}

struct err *os_lock_dir(struct arena *a, const char *dir, unsigned timeout_ms, struct os_lock **out)
{
	return lock(a, -1, dir, timeout_ms, out);
}

struct err *os_lock_fd(struct arena *a, int dirfd, const char *shown, unsigned timeout_ms,
		       struct os_lock **out)
{
	return lock(a, dirfd, shown, timeout_ms, out);
}

int os_lock_get_dirfd(const struct os_lock *l)
{
	return l->fd;
}

void os_unlock(struct os_lock *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
