/*
 * Lock files in Git's form. While "NAME.lock" exists, git does not change NAME, and so does ikm.
 *
 * A killed git leaves its lock file, and a person must remove it. ikm's lock file has a mark, and
 * its owner holds a flock() on it, which the kernel releases at a kill. So the next ikm knows that
 * the owner is gone. Process ids would not do: they differ between containers.
 */
#include "os/os.h"
#include "os/internal.h"
#include <errno.h>
#include <sys/file.h>

#define LOCK_FILE_MARK "ikm-lock 1\n"

struct os_lock_file {
	struct os_lock_file *next;
	const char *path, *lock;
	int fd;    /* of the lock file; -1: released */
	int dirfd; /* the folder of path */
	int spare; /* the folder for temporary files */
	const char *name, *lock_name;
};

/* Whether the name has this file: 1; 0: another one, or none; -1: the system does not tell. */
static int lock_file_is_here(const struct os_lock_file *l, int fd)
{
	struct stat mine, now;

	if (fstat(fd, &mine) || fstatat(l->dirfd, l->lock_name, &now, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -1;
	return mine.st_dev == now.st_dev && mine.st_ino == now.st_ino;
}

/* Removes the lock file of a killed ikm. False: somebody holds the lock, or it is not ikm's. */
static bool lock_file_break(const struct os_lock_file *l)
{
	int fd = os_openat(l->dirfd, l->lock_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	char text[sizeof(LOCK_FILE_MARK)];
	struct stat st;
	bool broken;

	if (fd < 0)
		return errno == ENOENT;
	/* With the flock no other ikm can break it, and a new lock file is another inode. */
	broken = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		 st.st_size == sizeof(LOCK_FILE_MARK) - 1 &&
		 pread(fd, text, sizeof(text), 0) == sizeof(LOCK_FILE_MARK) - 1 &&
		 !memcmp(text, LOCK_FILE_MARK, sizeof(LOCK_FILE_MARK) - 1) &&
		 !flock(fd, LOCK_EX | LOCK_NB) && lock_file_is_here(l, fd) == 1 &&
		 os_fault("removal of a killed ikm's lock file") &&
		 !unlinkat(l->dirfd, l->lock_name, 0);
	close(fd);
	return broken;
}

/*
 * The lock file appears under its name with the mark and the flock. Returns -1 with errno; EEXIST:
 * somebody has the lock.
 */
static int lock_file_try(struct os_lock_file *l)
{
	struct os_tmp t = {.dirfd = l->spare, .fd = -1};
	int errnum;

	if (!os_fault("creation of a lock file") || os_tmp_create(&t, 0666))
		return -1;
	if (os_write_fd(t.fd, l->lock, STR(LOCK_FILE_MARK))) {
		errno = EIO;
	} else if (!os_rename_exclusively(t.dirfd, t.name, l->dirfd, l->lock_name)) {
		l->fd = t.fd;
		return 0;
	}
	errnum = errno;
	unlinkat(t.dirfd, t.name, 0);
	close(t.fd);
	errno = errnum;
	return -1;
}

/* The lock files that this thread holds. Signals wait until it releases the last one. */
static _Thread_local struct os_lock_file *lock_files;
static _Thread_local sigset_t lock_file_signals;

void os_unlock_file(struct os_lock_file *l)
{
	struct os_lock_file **p = &lock_files;

	while (*p && *p != l)
		p = &(*p)->next;
	if (!*p)
		return;
	*p = l->next;
	/* Also when the system does not tell: what stays here would stop git. */
	if (l->fd >= 0 && lock_file_is_here(l, l->fd) && unlinkat(l->dirfd, l->lock_name, 0) &&
	    errno != ENOENT)
		fprintf(stderr, "ikm: warning: cannot remove '%s': %s; it stops git\n", l->lock,
			strerror(errno));
	os_close_fd(&l->fd);
	if (!lock_files)
		pthread_sigmask(SIG_SETMASK, &lock_file_signals, NULL);
}

static void lock_file_deferred(void *l)
{
	os_unlock_file(l);
}

/* Signals wait still: one that acts would end the process before it tells that memory ended. */
static void lock_files_release(void)
{
	os_block_signals(&lock_file_signals);
	while (lock_files)
		os_unlock_file(lock_files);
}

static struct err *lock_file_take(struct os_lock_file *l, unsigned timeout_ms)
{
	const uint64_t ms = 1000 * 1000, end = os_ticks() + timeout_ms * ms;
	uint64_t pause = ms, now;

	while (lock_file_try(l)) {
		if (errno != EEXIST)
			return err_errno(errno, "lock '%s'", l->path);
		if (lock_file_break(l))
			continue;
		now = os_ticks();
		if (now >= end) {
			struct err *e = err_new(
				E_LOCKED,
				"'%s' exists: git or another program writes there (waited %u ms)",
				l->lock, timeout_ms);

			return err_detail_int(
				err_help(
					e,
					"wait until that program ends; when no program writes there "
					"any more: rm '%s'",
					l->lock),
				"timeout_ms", timeout_ms);
		}
		pause = pause < end - now ? pause : end - now;
		nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
		pause = pause < 32 * ms ? pause * 2 : pause;
	}
	return NULL;
}

void os_lock_file_remove_stale(const char *path)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct os_lock_file l = {.fd = -1, .path = path};

	if (!os_open_parent(a, path, path, true, &l.dirfd, &l.name)) {
		l.lock_name = str_c(a, str_fmt(a, "%s.lock", l.name));
		lock_file_break(&l);
	}
}

struct err *os_git_lock_file(struct arena *a, const char *path, const char *spare,
			     unsigned timeout_ms, struct os_lock_file **out)
{
	struct os_lock_file *l = ARENA_NEW(a, struct os_lock_file);
	struct err *e;

	*l = (struct os_lock_file){.fd = -1, .path = path};
	l->lock = str_c(a, str_fmt(a, "%s.lock", path));
	TRY(os_open_parent(a, path, path, true, &l->dirfd, &l->name));
	l->spare = l->dirfd;
	if (spare) {
		int fd = os_openat(AT_FDCWD, spare, O_RDONLY | O_DIRECTORY, 0);
		struct stat one, two;

		/* A temporary file cannot be moved to another file system. */
		if (fd < 0)
			return err_errno(errno, "open the folder '%s'", spare);
		os_defer_close(a, fd);
		if (!fstat(fd, &one) && !fstat(l->dirfd, &two) && one.st_dev == two.st_dev)
			l->spare = fd;
	}
	l->lock_name = str_c(a, str_fmt(a, "%s.lock", l->name));
	os_tmp_clean(l->spare);
	arena_defer(a, lock_file_deferred, l);
	if (!lock_files)
		os_block_signals(&lock_file_signals);
	l->next = lock_files;
	lock_files = l;
	out_of_memory_undo = lock_files_release;
	e = lock_file_take(l, timeout_ms);
	if (e)
		os_unlock_file(l);
	else
		*out = l;
	return e;
}

static struct err *lock_file_fill(struct os_lock_file *l, struct os_tmp *t, struct str bytes,
				  bool derived)
{
	struct stat old;

	if (!os_fault("write"))
		return err_errno(errno, "write '%s'", l->path);
	TRY(os_write_fd(t->fd, l->path, bytes));
	if (fstatat(l->dirfd, l->name, &old, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			return err_errno(errno, "write '%s'", l->path);
	} else {
		const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, old.st_mtim};

		if (fchmod(t->fd, old.st_mode & 0777) || (derived && futimens(t->fd, times)))
			return err_errno(errno, "keep the mode and time of '%s'", l->path);
	}
	if (!derived && (!os_fault("fsync") || os_fsync(t->fd)))
		return err_errno(errno, "write '%s'", l->path);
	if (!os_fault("rename") || renameat(t->dirfd, t->name, l->dirfd, l->name))
		return err_errno(errno, "write '%s'", l->path);
	return NULL;
}

struct err *os_lock_file_replace(struct os_lock_file *l, struct str bytes, bool derived)
{
	struct os_tmp t = {.dirfd = l->spare, .fd = -1};
	struct err *e;
	int rc, tries = 0;

	if (lock_file_is_here(l, l->fd) != 1)
		return err_new(E_CHANGED, "the lock file '%s' is gone, or cannot be seen", l->lock);
	rc = os_fault("creation of a temporary file") ? 0 : -1;
	/* Another writer's clean-up may remove it before it is locked. */
	while (!rc && os_tmp_create(&t, 0666))
		rc = errno == EEXIST && ++tries < 100 ? 0 : -1;
	if (rc)
		return err_errno(errno, "write '%s'", l->path);
	e = lock_file_fill(l, &t, bytes, derived);
	if (e)
		unlinkat(t.dirfd, t.name, 0);
	close(t.fd);
	return e;
}

/* ---- logs, which their lock file guards ---- */

struct err *os_append(const char *path, struct str bytes, bool make, int64_t *size)
{
	int fd = os_openat(AT_FDCWD, path, O_WRONLY | O_APPEND | O_NONBLOCK | (make ? O_CREAT : 0),
			   0666);
	struct err *e = NULL;
	struct stat st;

	*size = -1;
	if (fd < 0)
		return errno == ENOENT && !make ? NULL : err_errno(errno, "write '%s'", path);
	if (fstat(fd, &st) || !os_fault("append"))
		e = err_errno(errno, "write '%s'", path);
	else
		e = os_want_file(st.st_mode, path);
	if (!e) {
		*size = st.st_size;
		e = os_write_fd(fd, path, bytes);
		/* A write without space left may have written a part. */
		if (e && !ftruncate(fd, st.st_size))
			*size = -1;
	}
	close(fd);
	return e;
}

void os_cut(const char *path, int64_t size)
{
	int fd = size < 0 ? -1 : os_openat(AT_FDCWD, path, O_WRONLY | O_NONBLOCK, 0);

	if (fd < 0)
		return;
	if (!ftruncate(fd, size))
		os_fsync(fd);
	close(fd);
}
