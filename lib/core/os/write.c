/*
 * Writes whole files, also those that git writes too, under its lock file. At every kill and power
 * cut the temporary file is complete and on the disk before the rename, and the rename before
 * success is reported.
 */
#include "os/internal.h"
#include <dirent.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

/* ---- temporary files ---- */

/* A temporary file. Its writer holds a flock() on it until it has its final name. */
#define OS_TMP_PREFIX ".ikm-tmp-"
#define OS_TMP_DIGITS 16
#define OS_TMP_SIZE   (sizeof(OS_TMP_PREFIX) + OS_TMP_DIGITS)
struct os_tmp {
	int dirfd;
	int fd;
	char name[OS_TMP_SIZE];
};

static bool is_tmp_name(const char *name)
{
	struct str s = str_of(name);

	if (s.n != OS_TMP_SIZE - 1 || !str_starts(s, STR(OS_TMP_PREFIX)))
		return false;
	return strspn(name + sizeof(OS_TMP_PREFIX) - 1, "0123456789abcdef") == OS_TMP_DIGITS;
}

/*
 * A writer locks its temporary file until the rename, so an unlocked file belongs to a killed
 * writer. Process ids would not do: they differ between containers.
 */
static void remove_stale_tmp_file(int dirfd, const char *name)
{
	int fd = os_openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !flock(fd, LOCK_EX | LOCK_NB) &&
	    os_fault("removal of a stale temporary file"))
		unlinkat(dirfd, name, 0);
	close(fd);
}

/*
 * Removes the temporary files of killed writers. Best effort: a failed clean-up is no reason not to
 * write.
 */
static void os_tmp_clean(int dirfd)
{
	int fd = os_openat(dirfd, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(d)))
		if (is_tmp_name(entry->d_name))
			remove_stale_tmp_file(dirfd, entry->d_name);
	closedir(d);
}

void os_tmp_clean_dir(const char *dir)
{
	int fd = os_openat(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		return;
	os_tmp_clean(fd);
	close(fd);
}

/* 0, or -1 with errno; EEXIST: try again. */
static int os_tmp_create(struct os_tmp *t, mode_t mode)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char random[OS_TMP_DIGITS];
	struct stat st;
	size_t at = sizeof(OS_TMP_PREFIX) - 1;

	os_random(random, sizeof(random));
	memcpy(t->name, OS_TMP_PREFIX, at);
	for (size_t i = 0; i < OS_TMP_DIGITS; i++)
		t->name[at++] = hex[random[i] % 16];
	t->name[at] = 0;
	t->fd = os_openat(t->dirfd, t->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
	if (t->fd < 0)
		return -1;
	while (flock(t->fd, LOCK_EX) && errno == EINTR)
		;
	/* Another writer's clean-up removed it between creation and lock: try again. */
	if (fstat(t->fd, &st) || !st.st_nlink) {
		close(t->fd);
		t->fd = -1;
		errno = EEXIST;
		return -1;
	}
	return 0;
}

static struct err *os_write_create(struct os_tmp *t, const char *shown, mode_t mode)
{
	int tries = 0;

	if (!os_fault("creation of a temporary file"))
		return err_errno(errno, "write '%s'", shown);
	while (os_tmp_create(t, mode))
		if (errno != EEXIST || ++tries == 100)
			return err_errno(errno, "write '%s'", shown);
	return NULL;
}

/* ---- what is there now ---- */

static struct err *check_old(int dirfd, const char *name, const char *shown, unsigned flags,
			     struct stat *old, bool *exists)
{
	*exists = !fstatat(dirfd, name, old, AT_SYMLINK_NOFOLLOW);
	if (!*exists && errno == ENOENT)
		return NULL;
	if (!*exists)
		return err_errno(errno, "write '%s'", shown);
	if (flags & OS_EXCLUSIVE)
		return err_new(E_EXISTS, "'%s' exists already", shown);
	TRY(os_want_file(old->st_mode, shown));
	if (old->st_nlink > 1 && !(flags & OS_BREAK_LINKS))
		return err_detail_int(
			err_new(E_HARD_LINKED,
				"'%s' is one of %ju hard links to a file; writing would "
				"separate it from the others",
				shown, (uintmax_t)old->st_nlink),
			"links", (int64_t)old->st_nlink);
	/* rename() only checks the folder's mode; the file's own mode must count too. */
	if (faccessat(dirfd, name, W_OK, AT_EACCESS))
		return err_errno(errno, "write '%s'", shown);
	return NULL;
}

/* The owner first, because changing the owner clears bits of the mode. */
static int keep_owner_and_mode(int fd, const struct stat *old, unsigned *lost)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	/*
	 * Only root may give a file away; its group, only members of the group. Otherwise the new
	 * file belongs to the caller.
	 */
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid)) {
		*lost |= OS_LOST_OWNER;
		if (fchown(fd, (uid_t)-1, old->st_gid))
			errno = 0;
	}
	/* A setuid or setgid program must not keep its rights with other content. */
	if (old->st_mode & (S_ISUID | S_ISGID))
		*lost |= OS_LOST_SETID;
	return fchmod(fd, old->st_mode & 01777);
}

/* False when it could not be copied. */
static bool copy_attribute(int from, int to, const char *name, char *value, size_t size)
{
	ssize_t n = fgetxattr(from, name, value, size);

	if (n < 0)
		return errno == ENODATA;
	if (!fsetxattr(to, name, value, (size_t)n, 0))
		return true;
	/* The kernel sets these for every new file, and nobody else may. */
	return !strncmp(name, "security.", 9);
}

/* After the mode: an ACL is an attribute, and contains the mode. */
static void keep_attributes(struct arena *a, int old, int fd, unsigned *lost)
{
	size_t names_max = 65536, value_max = 65536; /* the kernel's own limits */
	char *names = arena_alloc(a, names_max), *value;
	ssize_t n = flistxattr(old, names, names_max);

	if (n < 0 && errno != ENOTSUP)
		*lost |= OS_LOST_ATTRIBUTES;
	if (n <= 0)
		return;
	value = arena_alloc(a, value_max);
	for (const char *name = names; name < names + n; name += strlen(name) + 1)
		/* A capability belongs to the old content; the kernel removes it on a write too. */
		if (strcmp(name, "security.capability") &&
		    !copy_attribute(old, fd, name, value, value_max))
			*lost |= OS_LOST_ATTRIBUTES;
}

/* ---- the steps ---- */

static struct err *copy_metadata(const struct os_tmp *t, const char *name, const char *shown,
				 const struct stat *old, unsigned *lost)
{
	int fd = os_openat(t->dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct arena *a ARENA_LOCAL = NULL;

	/*
	 * The folder's default ACL is for new files; with it, the mode would mean something else.
	 */
	fremovexattr(t->fd, "system.posix_acl_access");
	if (keep_owner_and_mode(t->fd, old, lost)) {
		int errnum = errno;

		if (fd >= 0)
			close(fd);
		return err_errno(errnum, "keep the mode of '%s'", shown);
	}
	/* A file with write but no read permission: its attributes stay secret. */
	if (fd < 0)
		return NULL;
	a = arena_new();
	keep_attributes(a, fd, t->fd, lost);
	close(fd);
	return NULL;
}

/* The new content: bytes, or what the function writes. */
struct os_content {
	struct str bytes;
	os_write_content_fn *fill;
	void *ctx;
};

static struct err *os_write_fill(const struct os_tmp *t, const char *name, const char *shown,
				 const struct os_content *content, const struct stat *old,
				 unsigned flags, unsigned *lost)
{
	if (!os_fault("write"))
		return err_errno(errno, "write '%s'", shown);
	if (content->fill)
		TRY(content->fill(content->ctx, t->fd, shown));
	else
		TRY(os_write_fd(t->fd, shown, content->bytes));
	if (old)
		TRY(copy_metadata(t, name, shown, old, lost));
	if (flags & OS_MODE_GIVEN && fchmod(t->fd, OS_MODE_OF(flags)))
		return err_errno(errno, "set the mode of '%s'", shown);
	if (!os_fault("fsync") || os_fsync(t->fd))
		return err_errno(errno, "write '%s'", shown);
	return NULL;
}

static struct err *put_in_place(const struct os_tmp *t, const char *name, const char *shown,
				unsigned flags)
{
	int rc;

	if (!os_fault("rename"))
		return err_errno(errno, "write '%s'", shown);
	rc = flags & OS_EXCLUSIVE ? os_rename_exclusively(t->dirfd, t->name, t->dirfd, name)
				  : renameat(t->dirfd, t->name, t->dirfd, name);
	if (rc && errno == EEXIST)
		return err_new(E_EXISTS, "'%s' exists already", shown);
	return rc ? err_errno(errno, "write '%s'", shown) : NULL;
}

struct err *os_check_write_at(int dirfd, const char *name, const char *shown, unsigned flags)
{
	struct stat old;
	bool exists;
	struct err *e = check_old(dirfd, name, shown, flags, &old, &exists);

	if (!e || err_reason(e) != E_HARD_LINKED)
		return e;
	/* A writer killed between link and unlink left two names of the file. */
	os_tmp_clean(dirfd);
	return check_old(dirfd, name, shown, flags, &old, &exists);
}

struct err *os_check_free_space(const char *dir, uint64_t bytes)
{
	struct statvfs fs;
	uint64_t room;

	if (statvfs(dir, &fs))
		return err_errno(errno, "read the free space of '%s'", dir);
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= bytes)
		return NULL;
	return err_help(err_new(E_NO_SPACE,
				"the file system of '%s' has %ju bytes free, and %ju are needed",
				dir, (uintmax_t)room, (uintmax_t)bytes),
			"make room there: df -h '%s'", dir);
}

/* Says how much the full file system has, and how much was to be written. */
static struct err *os_write_full(struct err *e, int dirfd, size_t bytes)
{
	struct statvfs fs;

	if (err_reason(e) != E_NO_SPACE || fstatvfs(dirfd, &fs))
		return e;
	if (fs.f_files && !fs.f_ffree)
		return err_help(e, "its file system takes no further file: remove some");
	if (bytes > (uint64_t)fs.f_bavail * fs.f_frsize)
		err_help(e, "its file system has %ju bytes free, and %zu are needed: make room",
			 (uintmax_t)((uint64_t)fs.f_bavail * fs.f_frsize), bytes);
	return e;
}

static struct err *write_content_at(int dirfd, const char *name, const char *shown,
				    const struct os_content *content, unsigned flags,
				    unsigned *lost)
{
	struct os_tmp t = {.dirfd = dirfd, .fd = -1};
	mode_t mode = flags & OS_EXECUTABLE ? 0777 : 0666;
	unsigned not_kept = 0;
	struct stat old;
	struct err *e;
	bool exists, later = flags & OS_NAME_LATER;
	int sync_fd;

	/* First: a writer killed between link and unlink left two names of the file. */
	os_tmp_clean(dirfd);
	TRY(check_old(dirfd, name, shown, flags, &old, &exists));
	/* Until the new file has the old mode, nobody else may read it. */
	e = os_write_create(&t, shown, exists || flags & OS_MODE_GIVEN ? 0600 : mode);
	if (e)
		return os_write_full(e, dirfd, content->bytes.n);
	e = os_write_fill(&t, name, shown, content, exists ? &old : NULL, flags, &not_kept);
	sync_fd = e || later ? -1 : os_sync_dir_open(dirfd);
	if (!e && !later && sync_fd == -1)
		e = err_errno(errno, "write '%s'", shown);
	if (!e)
		e = put_in_place(&t, name, shown, flags);
	if (e) {
		unlinkat(dirfd, t.name, 0);
		os_sync_dir_cancel(sync_fd);
	}
	close(t.fd);
	if (e)
		e = os_write_full(e, dirfd, content->bytes.n);
	if (!e && !later && os_sync_dir_finish(sync_fd))
		e = err_errno(errno, "make the new '%s' durable", shown);
	if (!e && lost)
		*lost = not_kept;
	return e;
}

struct err *os_write_at(int dirfd, const char *name, const char *shown, struct str bytes,
			unsigned flags, unsigned *lost)
{
	return write_content_at(dirfd, name, shown, &(struct os_content){.bytes = bytes}, flags,
				lost);
}

static struct err *write_path(struct arena *a, const char *path, const struct os_content *content,
			      unsigned flags)
{
	struct os_made made = {.mode = 0777};
	const char *name;
	struct err *e;
	int dirfd;

	if (flags & OS_PARENTS && *path)
		TRY(os_make_dirs(a, os_dir_of(a, path), &made));
	e = os_open_parent(a, path, path, !(flags & OS_EXCLUSIVE), &dirfd, &name);
	if (!e)
		e = write_content_at(dirfd, name, path, content, flags, NULL);
	if (e)
		os_unmake(&made);
	return e;
}

struct err *os_write(const char *path, struct str bytes, unsigned flags)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return write_path(a, path, &(struct os_content){.bytes = bytes}, flags);
}

struct err *os_write_by_callback(const char *path, os_write_content_fn *fill, void *ctx,
				 unsigned flags)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return write_path(a, path, &(struct os_content){.fill = fill, .ctx = ctx}, flags);
}

struct err *os_check_write(const char *path, unsigned flags)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *name;
	int dirfd;

	TRY(os_open_parent(a, path, path, !(flags & OS_EXCLUSIVE), &dirfd, &name));
	return os_check_write_at(dirfd, name, path, flags);
}

/* ---- lock files ---- */

/*
 * In Git's form. While "NAME.lock" exists, git does not change NAME, and so does ikm.
 *
 * A killed git leaves its lock file, and a person must remove it. ikm's lock file has a mark, and
 * its owner holds a flock() on it, which the kernel releases at a kill. So the next ikm knows that
 * the owner is gone. Process ids would not do: they differ between containers.
 */
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

	if (lock_file_is_here(l, l->fd) != 1)
		return err_new(E_CHANGED, "the lock file '%s' is gone, or cannot be seen", l->lock);
	TRY(os_write_create(&t, l->path, 0666));
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
