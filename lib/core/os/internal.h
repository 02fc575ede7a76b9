/* internal: shared by the files of os only. */
#pragma once

#include "os/os.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat() that retries after EINTR; close-on-exec, and never a controlling terminal. */
int os_openat(int dirfd, const char *name, int flags, mode_t mode);
/* Opens a regular file, through links; never blocks. */
struct err *os_open_file(const char *path, const char *shown, int *fd) MUST_USE;
/* Reads an open regular file from its start. */
struct err *os_read_file(struct arena *a, int fd, const char *name, size_t max,
			 struct str *out) MUST_USE;
/* The arena closes the descriptor, unless the int that it gives is -1 by then. */
int *os_defer_close(struct arena *a, int fd);

/* Folders that were created with this mode; os_unmake() removes them. */
struct os_made {
	struct VEC(struct os_made_dir {
		int dirfd; /* closed with the arena; or AT_FDCWD */
		const char *name;
	}) dirs;
	mode_t mode;
};
/*
 * Makes missing parents too. made: gives the mode, and gets the created folders, so that a later
 * failure can remove them; its list must be empty, and is after an error.
 */
struct err *os_make_dirs(struct arena *a, const char *path, struct os_made *made) MUST_USE;
/*
 * fsync of a folder, also one opened with O_PATH; 0, or -1 with errno. In two steps, so that the
 * change between them is not made when the folder cannot be opened: os_sync_dir_open() gives a
 * descriptor, or -1 with errno, and os_sync_dir_finish() closes it.
 */
int os_sync_dir_open(int dirfd);
int os_sync_dir_finish(int fd);
/* Closes the descriptor of os_sync_dir_open() when there is nothing to make durable. */
void os_sync_dir_cancel(int fd);
/* renameat() that fails with EEXIST when the target exists, on every file system. */
int os_rename_exclusively(int from_dirfd, const char *from, int to_dirfd, const char *to);

/*
 * os_roots_parent() without roots, as the kernel resolves the path. follow: follow a final symbolic
 * link. The arena closes the descriptor.
 */
struct err *os_open_parent(struct arena *a, const char *path, const char *shown, bool follow,
			   int *dirfd, const char **name) MUST_USE;

struct os_stat os_stat_from_struct_stat(const struct stat *st);

/*
 * Starts the child, in its own session unless in the foreground. fds: its descriptors 0, 1 and 2;
 * -1: inherit. mask: its blocked signals. Errors as in os_run().
 */
struct err *os_child_start(struct arena *a, const struct os_spawn *s, const int fds[3],
			   const sigset_t *mask, pid_t *pid) MUST_USE;
/* Closes it and sets it to -1; ignores a negative one. */
void os_close_fd(int *fd);
/* Both ends are close-on-exec; the reading end comes first. name is for messages. */
struct err *os_child_pipe(const char *name, int fds[2]) MUST_USE;

/*
 * Between these two calls, orphaned descendants become children of this process. The second call
 * kills and reaps them and their own descendants. Children from before stay alive.
 */
struct os_pids VEC(pid_t);
struct os_orphans {
	bool on, was; /* the former setting */
	struct os_pids before;
};

/* For new threads: blocks all signals except those for a thread's own faults. old restores them. */
void os_block_signals(sigset_t *old);
