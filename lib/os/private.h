/*
 * private: what the files of os share with each other and with nobody else.
 */
#ifndef IKM_OS_PRIVATE_H
#define IKM_OS_PRIVATE_H

#include "os/os.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL for a regular file, else NOT_A_FILE that says what it is. */
struct err *os_want_file(mode_t mode, const char *name) MUST_USE;
/* openat() without EINTR; close-on-exec, and never a controlling terminal. */
int os_openat(int dirfd, const char *name, int flags, mode_t mode);
/* Opens a regular file, through links; never blocks. */
struct err *os_open_file(const char *path, const char *shown, int *fd) MUST_USE;
/* A regular file that is already open, from its start. */
struct err *os_read_file(struct arena *a, int fd, const char *name, size_t max,
			 struct str *out) MUST_USE;
/* close() for arena_defer(); the descriptor is in an int in the arena, -1 once it is closed. */
void os_close_deferred(void *fd);
int *os_defer_close(struct arena *a, int fd);

/* With the missing parents; made: those that were, so that a failure later can take them back. */
struct err *os_make_dirs(struct arena *a, const char *path, mode_t mode,
			 struct strs *made) MUST_USE;
void os_unmake_dirs(struct arena *a, const struct strs *made);
/* fsync of a folder, open with O_PATH too; 0, or -1 with errno. */
int os_sync_dir(int dirfd);
/* renameat() that fails with EEXIST when something is there, on every file system. */
int os_rename_exclusively(int from_dirfd, const char *from, int to_dirfd, const char *to);
/* The folder of a path, as text: "." for a bare name. */
const char *os_dir_of(struct arena *a, const char *path);
/*
 * os_roots_parent() without roots: as the kernel resolves it. follow: a final symbolic link. The
 * descriptor is closed with the arena.
 */
struct err *os_plain_parent(struct arena *a, const char *path, const char *shown, bool follow,
			    int *dirfd, const char **name) MUST_USE;

/*
 * Where a path leads within the roots (not NULL): walk.c. The folder (its descriptor is closed with
 * the arena), the last part, and what is there; st.st_mode 0: nothing. CHANGED: try again.
 */
struct os_place {
	int dirfd;
	const char *name;
	struct stat st;
};
enum os_walk_flag {
	OS_WALK_ENTRY = 1,  /* a final symbolic link is not followed */
	OS_WALK_FOLDER = 2, /* may end at a folder: dirfd is that folder, and name is "." */
	OS_WALK_MAKE = 4,   /* makes the folders that are missing, the last part too */
};
/* made (may be NULL): where OS_WALK_MAKE writes down what it made. */
struct err *os_walk(const struct os_roots *r, struct arena *a, const char *path, const char *shown,
		    unsigned flags, struct os_made *made, struct os_place *out) MUST_USE;
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
struct os_stat os_stat_of(const struct stat *st);

struct os_root {
	int fd;
	dev_t dev;
	ino_t ino;
	const char *path; /* physical */
	bool plain;       /* no denied folder is below it */
};
struct os_denied {
	dev_t dev;
	ino_t ino;
	const char *child; /* NULL: this folder; else what will be made with this name in it */
};
struct os_roots {
	struct os_root *root;
	size_t roots;
	struct {
		struct os_denied *p;
		size_t n, cap;
	} denied;
};
/* Is it `dir`, or below it? Both absolute and without a slash at the end. */
bool os_is_below(struct str path, struct str dir);
/* ".git", in any case of letters: some file systems do not tell them apart. */
bool os_is_git_name(struct str part);

/* The one place where a child's environment is made: see childenv.c. NULL-ended. */
char **os_child_env(struct arena *a, const struct os_spawn *s);
/*
 * Starts it, in a session of its own unless in the foreground. fds: what becomes its 0, 1 and 2;
 * -1: ours. mask: the signals it has blocked. Errors as os_run() says.
 */
struct err *os_child_start(struct arena *a, const struct os_spawn *s, const int fds[3],
			   const sigset_t *mask, pid_t *pid) MUST_USE;
/* Makes it -1; a negative one is fine. */
void os_close_fd(int *fd);
/* Both ends close-on-exec, the reading one first. name is for messages. */
struct err *os_child_pipe(const char *name, int fds[2]) MUST_USE;

/*
 * Between these two, descendants whose parents ended become our children; the second one kills and
 * reaps them, and theirs. What was a child of ours before is left alone.
 */
struct os_pids {
	pid_t *p;
	size_t n, cap;
};
struct os_orphans {
	bool on, was; /* what the kernel was told before */
	struct os_pids before;
};
void os_orphans_take(struct arena *a, struct os_orphans *o);
void os_orphans_end(struct os_orphans *o);

/* For threads: all but what a thread does wrong itself stays with the caller's; old: to undo it. */
void os_block_signals(sigset_t *old);

#endif
