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
/* close() for arena_defer(); the arena holds the descriptor in an int, which is -1 once closed. */
void os_close_deferred(void *fd);
int *os_defer_close(struct arena *a, int fd);

/* Makes missing parents too. made: the created folders, so that a later failure can remove them. */
struct err *os_make_dirs(struct arena *a, const char *path, mode_t mode,
			 struct strs *made) MUST_USE;
void os_unmake_dirs(struct arena *a, const struct strs *made);
/*
 * fsync of a folder, also one opened with O_PATH; 0, or -1 with errno. In two steps, so that the
 * change between them is not made when the folder cannot be opened: os_sync_dir_open() gives a
 * descriptor, or -1 with errno, and os_sync_dir_finish() closes it.
 */
int os_sync_dir(int dirfd);
int os_sync_dir_open(int dirfd);
int os_sync_dir_finish(int fd);
/* Closes the descriptor of os_sync_dir_open() when there is nothing to make durable. */
void os_sync_dir_cancel(int fd);
/* renameat() that fails with EEXIST when the target exists, on every file system. */
int os_rename_exclusively(int from_dirfd, const char *from, int to_dirfd, const char *to);

/* A temporary file. Its writer holds a flock() on it until it has its final name. */
#define OS_TMP_PREFIX ".ikm-tmp-"
#define OS_TMP_DIGITS 16
#define OS_TMP_SIZE   (sizeof(OS_TMP_PREFIX) + OS_TMP_DIGITS)
struct os_tmp {
	int dirfd;
	int fd;
	char name[OS_TMP_SIZE];
};
/* 0, or -1 with errno; EEXIST: try again. */
int os_tmp_create(struct os_tmp *t, mode_t mode);
/*
 * Removes the temporary files of killed writers. Best effort: a failed clean-up is no reason not to
 * write.
 */
void os_tmp_clean(int dirfd);
/*
 * os_roots_parent() without roots, as the kernel resolves the path. follow: follow a final symbolic
 * link. The arena closes the descriptor.
 */
struct err *os_open_parent(struct arena *a, const char *path, const char *shown, bool follow,
			   int *dirfd, const char **name) MUST_USE;

/*
 * The place of a path within the roots (not NULL), found by resolve_within_roots.c: the folder (the
 * arena closes it), the last part, and its state; st.st_mode 0: missing. CHANGED: try again.
 */
struct os_place {
	int dirfd;
	const char *name;
	struct stat st;
};
enum os_walk_flag {
	OS_WALK_ENTRY = 1,  /* do not follow a final symbolic link */
	OS_WALK_FOLDER = 2, /* accept a folder: dirfd is that folder, and name is "." */
	OS_WALK_MAKE = 4,   /* make missing folders, also the last part */
};
/* made (may be NULL): OS_WALK_MAKE records the created folders there. */
struct err *os_resolve_within_roots(const struct os_roots *r, struct arena *a, const char *path,
				    const char *shown, unsigned flags, struct os_made *made,
				    struct os_place *out) MUST_USE;
struct os_made {
	struct {
		struct os_made_dir {
			int dirfd; /* closed with the arena */
			const char *name;
		} * p;
		size_t n, cap;
	} dirs;
	mode_t mode;
};
struct os_stat os_stat_from_struct_stat(const struct stat *st);

struct os_root {
	int fd;
	dev_t dev;
	ino_t ino;
	const char *path; /* without links */
	bool plain;       /* it has no denied folder below it */
};
struct os_denied {
	dev_t dev;
	ino_t ino;
	const char *child; /* NULL: this folder; otherwise the missing folder of this name in it */
};
struct os_roots {
	struct os_root *root;
	size_t roots;
	struct VEC(struct os_denied) denied;
};
/* Whether path is dir or below it. Both are absolute, without a final slash. */
bool os_is_below(struct str path, struct str dir);
/* ".git", in any case of letters, because some file systems ignore case. */
bool os_is_git_name(struct str part);

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
