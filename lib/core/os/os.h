/*
 * os: the machine as ikm sees it: files, roots, locks, processes, the clock, random numbers. All
 * processes start here, and most files are opened here. Three modules open their own: tree and git
 * (folders and objects of repositories) and db (the store). Of repositories this module knows the
 * name .git and Git's variables; of settings it knows nothing.
 */
#pragma once

#include "base/base.h"
#include <sys/types.h>

#define OS_PATH_MAX 4096

/* ---- clock, randomness, environment ---- */

/* Milliseconds since 1970, UTC: the only clock. In test builds IKM_NOW (RFC 3339) sets it. */
int64_t os_now(void);
#define HOUR_MS ((int64_t)60 * 60 * 1000)
#define DAY_MS  (24 * HOUR_MS)
/* "2026-11-21T22:33:29Z"; with `millis` ".123" before the Z. */
struct str os_time_text(struct arena *a, int64_t ms, bool millis);
/*
 * Parses an RFC 3339 time, or a date alone: midnight in the zone of the user. False for any other
 * text.
 */
bool os_time_read(struct str text, int64_t *ms);
/* Milliseconds that the user's clock is ahead of UTC at this time; 0 for times too far away. */
int64_t os_zone(int64_t ms);
/* As os_time_read(), or a time without a zone and perhaps without seconds, in the user's zone. */
bool os_time_read_any(struct str text, int64_t *ms);
/* The day "2026-11-21" of a time, in the zone of the user. */
struct str os_day_text(struct arena *a, int64_t ms);
/* Monotonic nanoseconds, for measuring only. */
uint64_t os_ticks(void);
/* Waits so long; a signal that does not end the program may end the wait. */
void os_sleep(unsigned ms);
void os_random(void *p, size_t n);
/* NULL when unset or empty. */
const char *os_env(const char *name);
/* The names of environment variables that begin with the prefix. */
void os_env_names(struct arena *a, const char *prefix, struct strs *out);
/*
 * HOME, otherwise the password database; NULL if neither has it. Valid until the thread's next
 * call.
 */
const char *os_home(void);
/* From the password database; NULL: not there. */
const char *os_home_of(struct arena *a, uint32_t uid);
/* The effective user. */
uint32_t os_uid(void);
/* IKIGAI_HOME, otherwise HOME/.ikigai; NULL without a home, or when the path is not absolute. */
const char *os_ikigai_home(struct arena *a);
/* BAD_PATH: one of these two paths is relative. */
struct err *os_check_home_absolute(void) MUST_USE;
/* The login name for the user id, never from the environment; without a name, the number. */
struct str os_user(struct arena *a);
/* The same of any user. */
struct str os_user_of_uid(struct arena *a, uint32_t uid);
/*
 * What lets the user in where the system refused the path that the error ends with: the first part
 * of the path that is shut, with its owner and mode. Empty: nothing that ikm can name.
 */
struct str os_permission_help(struct arena *a, const struct err *e);
/* The absolute path of the running binary, links resolved; NULL when unknown. */
const char *os_self(struct arena *a);
/* The current folder, without links. */
struct err *os_cwd(struct arena *a, const char **out) MUST_USE;
unsigned os_cores(void);

/* ---- faults ---- */

/*
 * Call it before every durable effect: `if (!os_fault("rename") || rename(...))`. False, with errno
 * set, means: act as if the effect failed. IKM_FAULT=N fails the Nth effect of the process with
 * EIO, N:ERRNO with that number; -N kills the process there. IKM_FAULT_HIT=FILE gets the name of
 * that effect. Release builds always return true.
 */
bool os_fault(const char *what);

/* ---- reading ---- */

/* NULL for a regular file; otherwise NOT_A_FILE with the kind of the file, and a step. */
struct err *os_want_file(mode_t mode, const char *name) MUST_USE;

/*
 * Reads a whole regular file. A folder, FIFO, device or socket is NOT_A_FILE and never blocks; over
 * max bytes is TOO_BIG. "-" has no special meaning.
 */
struct err *os_read_path(struct arena *a, const char *path, size_t max, struct str *out) MUST_USE;
/* Reads an open descriptor of any kind to its end. name is for messages. */
struct err *os_read_fd(struct arena *a, int fd, const char *name, size_t max,
		       struct str *out) MUST_USE;
/* One read(), which waits until something is there. *got 0: the end. */
struct err *os_read_some(int fd, const char *name, void *to, size_t most, size_t *got) MUST_USE;
/*
 * Writes all bytes, or fails. A closed pipe is IO_ERROR, without SIGPIPE; on stdout and stderr
 * SIGPIPE acts as the caller has set it.
 */
struct err *os_write_fd(int fd, const char *name, struct str bytes) MUST_USE;
/* fsync() that retries after EINTR: 0, or -1 with errno. */
int os_fsync(int fd);
/*
 * Occupies closed standard descriptors, before anything else is opened: the next file would get
 * their number, so that a message would be written into it, or it would be read as standard input.
 * Reading standard input and writing standard output stay errors. A caller that closed standard
 * error wants no messages, as with 2>/dev/null.
 */
struct err *os_standard_fds(void) MUST_USE;

enum os_kind { OS_NONE, OS_FILE, OS_DIR, OS_LINK, OS_OTHER };
struct os_stat {
	enum os_kind kind;
	uint64_t size;
	uint32_t mode;
	uint32_t uid, gid;
	uint64_t dev, ino;
	int64_t mtime_ns;
};
/* Nanoseconds since 1970; a time beyond the years 1678 to 2262 becomes the nearest one. */
struct timespec;
int64_t os_timespec_ns(const struct timespec *t);
/* A missing file is success with OS_NONE. follow: follow a final symbolic link. */
struct err *os_stat(const char *path, bool follow, struct os_stat *out) MUST_USE;
/* Names in a folder, without "." and "..", sorted. */
struct err *os_list(struct arena *a, const char *path, struct strs *names) MUST_USE;
struct err *os_readlink(struct arena *a, const char *path, struct str *out) MUST_USE;
/* The absolute path without links of an existing file. */
struct err *os_realpath(struct arena *a, const char *path, const char **out) MUST_USE;
const char *os_join(struct arena *a, const char *dir, const char *name);

/* ---- validating a cache of files ---- */

/*
 * The state of files, for callers that cache their contents. Also records missing and inaccessible
 * files.
 */
enum os_stamp_of {
	/* the contents, through links: device, inode, owner, mode, size, times of change */
	OS_STAMP_TEXT,
	OS_STAMP_NAME,  /* the entry itself, not a link's target: device, inode, owner and mode */
	OS_STAMP_PLACE, /* the same through links, and the real path */
};
struct os_stamp {
	const char *path;
	enum os_stamp_of of;
	uint64_t dev, ino, size; /* all zero: missing */
	uint64_t mode, uid;
	int64_t mtime_ns, ctime_ns;
	const char *real; /* for OS_STAMP_PLACE */
};
struct os_stamps {
	struct os_stamp *p;
	size_t n, cap;
	/*
	 * A change to some file might not show: it was changed just now, or the system reports too
	 * little.
	 */
	bool unsure;
};
/* Adds a stamp; returns whether the file exists. Borrows the path; does not stamp a path twice. */
bool os_stamps_add(struct arena *a, struct os_stamps *s, const char *path, enum os_stamp_of of);
/* Whether all files are unchanged. */
bool os_stamps_hold(const struct os_stamps *s);
/* Whether both have the same paths with equal stamps. */
bool os_stamps_same(const struct os_stamps *one, const struct os_stamps *two);

/* ---- writing ---- */

enum os_write_flag {
	OS_PARENTS = 1,     /* make missing folders */
	OS_BREAK_LINKS = 2, /* break the hard links of a file with several */
	OS_EXCLUSIVE = 4,   /* the file must not exist: EXISTS */
	OS_EXECUTABLE = 8,  /* a new file gets mode 0777 & ~umask instead of 0666 */
	OS_NAME_LATER = 16, /* after a power cut the name may be missing, or have the old content */
	OS_MODE_GIVEN = 1 << 25,
};
/* A flag: the file gets exactly these nine mode bits, whatever its old mode and the umask. */
#define OS_MODE(mode)     (((unsigned)(mode)&0777) << 16 | OS_MODE_GIVEN)
#define OS_MODE_OF(flags) ((flags) >> 16 & 0777)
#define OS_MODE_ALL       OS_MODE(0777)
/*
 * Replaces a file atomically, also across a power cut: a temporary file (".ikm-tmp-" and 16 hex
 * digits) in the same folder, fsync, rename, fsync of the folder. Removes temporary files of killed
 * writers in that folder. Follows a final symbolic link. Keeps the mode except setuid and setgid,
 * and keeps the owner, ACL and extended attributes where permitted. Errors: NOT_A_FILE, PERMISSION
 * also for a file without write permission, HARD_LINKED, EXISTS, FILE_NOT_FOUND for its folder,
 * NO_SPACE, READ_ONLY, IO_ERROR. When only the fsync of the folder fails, the error leaves the new
 * content in place; after any other error nothing has changed, folders included.
 */
struct err *os_write(const char *path, struct str bytes, unsigned flags) MUST_USE;
/* The folder of a path, as text: "." for a bare name. */
const char *os_dir_of(struct arena *a, const char *path);
/* NO_SPACE with the numbers when the file system of the folder has not so many bytes free. */
struct err *os_check_free_space(const char *dir, uint64_t bytes) MUST_USE;
/* Removes temporary files of killed writers in a folder, as os_write() does there. */
void os_tmp_clean_dir(const char *dir);
/* os_write() of what the function writes to fd: for content that need not fit into memory. */
typedef struct err *os_write_content_fn(void *ctx, int fd, const char *shown);
struct err *os_write_by_callback(const char *path, os_write_content_fn *fill, void *ctx,
				 unsigned flags) MUST_USE;
/* Fails when os_write() would refuse the file, without OS_PARENTS. */
struct err *os_check_write(const char *path, unsigned flags) MUST_USE;
/*
 * Appends the bytes to a regular file, without a wait for the disk; *size: its size before, for
 * os_cut(). A missing file: made with make, else nothing happens and *size is -1. Nothing is
 * appended after an error.
 */
struct err *os_append(const char *path, struct str bytes, bool make, int64_t *size) MUST_USE;
/* Cuts a file back to a former size, best effort; a size of -1 does nothing. */
void os_cut(const char *path, int64_t size);
/*
 * Makes the folder and its missing parents with this mode less the umask; durable. EXISTS: the name
 * is not a folder.
 */
struct err *os_mkdirs(const char *path, uint32_t mode) MUST_USE;
/* Replaces the file at `to`; durable. */
struct err *os_rename(const char *from, const char *to) MUST_USE;
/* Removes a file, a link or an empty folder; durable. A missing file is success. */
struct err *os_remove(const char *path) MUST_USE;

/*
 * An advisory lock on a folder (flock), shared by all writers of its files; a lock on the file
 * would end with the rename. LOCKED after timeout_ms (0: at once). Not recursive: a second lock of
 * the same process waits too. Ends with the arena, by os_unlock (twice is allowed), or when the
 * process dies.
 */
struct os_lock;
struct err *os_lock_dir(struct arena *a, const char *dir, unsigned timeout_ms,
			struct os_lock **out) MUST_USE;
void os_unlock(struct os_lock *l);
/* The locked folder, open until the lock is released. */
int os_lock_get_dirfd(const struct os_lock *l);

/*
 * A lock in Git's form: while "PATH.lock" exists, neither git nor ikm changes PATH. A lock file
 * that a killed ikm left is removed; one of git is not. spare: the folder for temporary files, on
 * the same file system; NULL: the folder of PATH. LOCKED after timeout_ms (0: at once). Signals
 * wait until the release. Ends with the arena, by os_unlock_file() (twice is allowed), or when
 * memory ends in its thread.
 */
struct os_lock_file;
struct err *os_git_lock_file(struct arena *a, const char *path, const char *spare,
			     unsigned timeout_ms, struct os_lock_file **out) MUST_USE;
/*
 * Replaces PATH atomically and keeps its mode, or makes it. After a power cut PATH is the old file
 * or the new one. derived: the content comes from other files, so nobody waits for the disk, and
 * the new file has the old time of change. After an error nothing has changed.
 */
struct err *os_lock_file_replace(struct os_lock_file *l, struct str bytes, bool derived) MUST_USE;
void os_unlock_file(struct os_lock_file *l);
/* Removes the lock file that a killed ikm left, and no other. */
void os_lock_file_remove_stale(const char *path);

/*
 * Between os_critical_begin() and os_critical_end() this thread holds a lock that others wait for.
 * So it must not wait for the outside: in test builds, running a program, reading standard input,
 * and a second os_critical_begin() are a BUG. Code that waits for the outside calls
 * os_critical_check_wait().
 */
void os_critical_begin(const char *what);
void os_critical_end(void);
void os_critical_check_wait(const char *doing);

/* ---- roots: the files that a tool may touch (ikm-design(7), "Roots") ---- */

struct os_roots;
/*
 * dirs: absolute paths of existing folders. denied: absolute paths of folders that count as
 * outside, even below a root and even before they exist (".git" is always denied, in any case of
 * letters). The innermost folder decides: a root below a denied folder is inside. Folders are
 * compared by device and inode.
 *
 * The kernel enforces the roots: openat2 with RESOLVE_BENEATH for a path without links; otherwise
 * part by part with O_NOFOLLOW, and a link's target is a new path. Links of /proc are never
 * followed. Immutable, so threads may share it. The arena closes the descriptors. Errors: BAD_PATH,
 * FILE_NOT_FOUND, NOT_A_FILE.
 */
struct err *os_roots_new(struct arena *a, const struct strs *dirs, const struct strs *denied,
			 struct os_roots **out) MUST_USE;
/* The path of each root, without links. */
void os_roots_paths(const struct os_roots *r, struct arena *a, struct strs *out);
/*
 * Opens a regular file for reading; the caller closes it. path is absolute, or relative to cwd
 * (absolute; NULL: the current folder). roots NULL: no limit. Never blocks. Errors: OUTSIDE_ROOTS
 * (also for a missing file, so that nothing outside is revealed), FILE_NOT_FOUND, NOT_A_FILE,
 * BAD_PATH, PERMISSION; CHANGED when folders of the path keep moving.
 */
struct err *os_open_file_in_roots(const struct os_roots *r, const char *cwd, struct str path,
				  int *fd) MUST_USE;
/* os_read_path() within roots. */
struct err *os_roots_read(const struct os_roots *r, struct arena *a, const char *cwd,
			  struct str path, size_t max, struct str *out) MUST_USE;
/*
 * Opens the folder of a path to write, with O_PATH and inside the roots. *name is the last part,
 * which need not exist; a final symbolic link that stays inside is resolved. The arena closes the
 * descriptor. Errors as in os_open_file_in_roots().
 */
struct err *os_roots_parent(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, int *dirfd, const char **name) MUST_USE;
/* os_roots_parent() without resolving a final symbolic link: for moving and removing. */
struct err *os_roots_parent_nofollow(const struct os_roots *r, struct arena *a, const char *cwd,
				     struct str path, int *dirfd, const char **name) MUST_USE;
/*
 * Opens a folder inside the roots with O_PATH; the arena closes it. NOT_A_FILE when it is no
 * folder; other errors as in os_open_file_in_roots().
 */
struct err *os_roots_open_dir(const struct os_roots *r, struct arena *a, const char *cwd,
			      struct str path, int *dirfd) MUST_USE;
/*
 * os_stat() through links that stay inside; errors as in os_open_file_in_roots(), but OS_NONE for a
 * missing file.
 */
struct err *os_roots_stat(const struct os_roots *r, const char *cwd, struct str path,
			  struct os_stat *out) MUST_USE;

/* For callers that list an open folder: whether an entry is outside the roots. */
bool os_roots_is_outside(const struct os_roots *r, const char *name, uint64_t dev, uint64_t ino);

/*
 * os_mkdirs() inside the roots. *made: the created folders, NULL for none; os_unmake() removes
 * those that are still empty. Errors as in os_open_file_in_roots(); EXISTS when another kind of
 * file has the name.
 */
struct os_made;
struct err *os_roots_mkdirs(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, uint32_t mode, struct os_made **made) MUST_USE;
void os_unmake(struct os_made *made); /* NULL is allowed */

/* ---- names in an open folder (O_PATH is enough); messages call them `shown` ---- */

/* This process in /proc. Nothing is there with IKM_POSIX. */
#ifdef IKM_POSIX
#define OS_PROC_SELF "/dev/null/"
#else
#define OS_PROC_SELF "/proc/self/"
#endif
/*
 * Opens a path below an open folder, without links on the way, and close-on-exec; same_device:
 * without mounts too. -1 with errno; ENOSYS or EPERM where the kernel cannot, and the caller walks.
 */
int os_open_beneath(int dirfd, const char *name, int flags, bool same_device);
/* The path of an open folder, without links. */
struct err *os_fd_path(struct arena *a, int dirfd, const char **out) MUST_USE;
/* os_list() of a path in it; "." is the folder. */
struct err *os_list_at(struct arena *a, int dirfd, const char *path, struct strs *names) MUST_USE;
/* os_read_path; a symbolic link is NOT_A_FILE. */
struct err *os_read_at(struct arena *a, int dirfd, const char *name, const char *shown, size_t max,
		       struct str *out) MUST_USE;
/* os_stat() without following a final link. */
struct err *os_stat_at(int dirfd, const char *name, const char *shown,
		       struct os_stat *out) MUST_USE;
/*
 * Fails when os_write_at() would refuse the file, so that a caller knows before it records
 * anything.
 */
struct err *os_check_write_at(int dirfd, const char *name, const char *shown,
			      unsigned flags) MUST_USE;
/*
 * os_write(), without OS_PARENTS. *lost (may be NULL): the parts of the old file that could not be
 * kept.
 */
enum os_lost { OS_LOST_OWNER = 1, OS_LOST_ATTRIBUTES = 2, OS_LOST_SETID = 4 };
struct err *os_write_at(int dirfd, const char *name, const char *shown, struct str bytes,
			unsigned flags, unsigned *lost) MUST_USE;
/* Moves a regular file, otherwise NOT_A_FILE. Never replaces `to`: EXISTS. Durable. */
struct err *os_move_at(int from_dirfd, const char *from, int to_dirfd, const char *to,
		       const char *shown) MUST_USE;
/* Removes a file or a link; durable. */
struct err *os_remove_at(int dirfd, const char *name, const char *shown) MUST_USE;
/* os_lock_dir() for an open folder. The caller checks that the path still leads to it. */
struct err *os_lock_fd(struct arena *a, int dirfd, const char *shown, unsigned timeout_ms,
		       struct os_lock **out) MUST_USE;

/* ---- processes ---- */

struct os_spawn {
	/* Without a slash, argv[0] is searched in the absolute entries of the child's PATH. */
	const char *const *argv;
	const char *cwd; /* NULL: the current folder */
	const char *const
		*env;        /* changes to the environment, NULL-ended: "A=b", or "A" to remove A */
	bool clear_git;      /* remove the GIT_* variables that name a repository */
	struct str in;       /* written to standard input */
	int in_fd;           /* when > 0: standard input, instead of `in` */
	bool inherit_out;    /* inherit stdout and stderr; keep nothing */
	bool foreground;     /* stay in the caller's process group, so the child may use the
				terminal */
	bool interactive;    /* in the foreground: INT and QUIT are for the child alone, as for an
				editor; they do not end the caller */
	unsigned timeout_ms; /* 0: none. On expiry the group gets TERM, and KILL a second later */
	size_t out_max;      /* for each of stdout and stderr; 0: 64 MiB. More output is TOO_BIG */
	size_t out_keep; /* when > 0: keep so many bytes of stdout; drop the rest without an error
			  */
	size_t err_keep; /* the same for stderr */
	bool both;       /* also keep both outputs merged; not with inherit_out */
	/*
	 * No descendant is alive when the call returns, daemons in other groups and sessions
	 * included: orphans become children of this process and are killed. Exceptions: programs
	 * that run as another user (setuid), and programs that a system service started (systemd,
	 * cron). Needs /proc; no other thread may start children meanwhile.
	 */
	bool contain;
};
struct os_result {
	int status; /* exit status; 128 + N for signal N */
	struct str out, err;
	size_t out_lost, err_lost; /* bytes beyond out_keep and err_keep */
	/*
	 * os_spawn.both: in the order of writing, as far as a process waits for one write before
	 * the next. The order of simultaneous writes is unknown.
	 */
	struct str both;
};
/*
 * Runs a child to its end and serves stdin, stdout and stderr together, so nothing can deadlock.
 * The child has its own session, so no terminal can stop it, and its own process group. The group
 * gets every INT, QUIT, TERM and HUP that the caller gets, and a KILL a second later or when the
 * child has ended: no process of the group outlives the call. (A daemon that left the group
 * outlives it without `contain`.) While TSTP stops the caller, the group and its time stop too. The
 * child's environment has no secrets of the caller.
 *
 * A status other than 0 is success here. Errors: NO_PROGRAM, FILE_NOT_FOUND for cwd, TOOK_TOO_LONG,
 * TOO_BIG, IO_ERROR. *out is zero when the child did not start; with TOOK_TOO_LONG and TOO_BIG it
 * has the output so far.
 */
struct err *os_run(struct arena *a, const struct os_spawn *s, struct os_result *out) MUST_USE;
/*
 * Runs n children as os_run() does, at most at_once at a time, started in order; s[0].contain
 * applies to all. Calls done(ctx, i, e, r) as each child ends: e as from os_run(), r zeroed when
 * the child did not start; both are gone after done(). Each child has its own time limit from its
 * own start. A signal that would end the caller reaches all children; a child not started then is
 * IO_ERROR. When descriptors run out, fewer children run at a time. Returns an error only when no
 * child can run.
 */
struct err *os_spawn_many(const struct os_spawn *s, size_t n, unsigned at_once,
			  void (*done)(void *ctx, size_t i, struct err *e,
				       const struct os_result *r),
			  void *ctx) MUST_USE;

/*
 * A coprocess: a child behind two pipes ("git cat-file --batch"); killed and reaped with the arena.
 * Uses argv, cwd, env and clear_git of s; stderr is inherited with inherit_out, otherwise
 * discarded. Write with os_write_fd(): a dead coprocess is then an error, not a signal.
 *
 * With foreground it is a pager: it has the terminal and our stdout, so there is no `from`, and the
 * end of the arena waits for its own end.
 */
struct os_coprocess {
	int to, from;
	int pid;
	bool foreground;
};
struct err *os_coprocess_new(struct arena *a, const struct os_spawn *s,
			     struct os_coprocess **out) MUST_USE;

/*
 * Calls fn(ctx, thread, i) for every i in [0, n), in order, on up to `threads` threads (0:
 * os_cores(); at most OS_THREADS_MAX). thread counts from 0, the caller's, and stays the same for
 * one thread, so data per number needs no lock. An error of fn (struct err) ends with its thread:
 * copy what matters into ctx.
 */
#define OS_THREADS_MAX 64
void os_parallel_for(size_t n, unsigned threads, void (*fn)(void *ctx, unsigned thread, size_t i),
		     void *ctx);

/*
 * An ordered pool: works on items while more are found, and delivers the results in the order of
 * the items. find() runs in the caller's thread and adds items with os_ordered_pool_add(). Up to
 * `threads` threads (as for os_parallel_for(); the caller's joins them when find() is done) call
 * work() for each item, started in that order. tell() gets each result that is not NULL, in the
 * order of the items, never two at once, in any thread. While more than 16 MiB of results wait, no
 * new work starts. Returns the error of find(), after which no work starts; an error in work() ends
 * with its thread.
 */
struct os_ordered;
struct os_job {
	struct os_ordered *pool;
	unsigned thread; /* from 0, the caller's thread */
	size_t i;
	void *item;
	void *result; /* for tell(); its size is bytes */
	size_t bytes;
};
struct os_ordered_ops {
	struct err *(*find)(void *ctx, struct os_ordered *pool);
	void (*work)(void *ctx, struct os_job *job);
	void (*tell)(void *ctx, void *result);
};
struct err *os_ordered_run(const struct os_ordered_ops *ops, unsigned threads, void *ctx) MUST_USE;
void os_ordered_pool_add(struct os_ordered *pool, void *item);
/*
 * For work(): waits until all results before this item are delivered; then work() may call tell()
 * itself.
 */
void os_ordered_turn(struct os_job *job);

/* ---- the line server ---- */

/*
 * Reads lines from one descriptor and writes lines to another. Long jobs run in prefork workers:
 * forked children of this program that do one job after another. The caller must have no other
 * thread.
 */
struct os_serve;
struct os_task;

/*
 * A job waits only for jobs of its own pool, first come first served. OS_POOL_READ is for short
 * jobs, OS_POOL_WRITE for jobs that may wait for a lock, OS_POOL_RUN for jobs that run programs.
 */
enum os_pool { OS_POOL_READ, OS_POOL_WRITE, OS_POOL_RUN };
#define OS_POOLS 3

struct os_serve_ops {
	size_t line_max;            /* bytes of a line */
	unsigned at_once[OS_POOLS]; /* concurrent jobs of each pool */
	/* Called for a line that is not blank, without its line end; valid during the call. */
	void (*line)(struct os_serve *s, void *ctx, struct str line);
	/* Called for the pieces of a longer line; the last piece has end set. */
	void (*long_line)(struct os_serve *s, void *ctx, struct str piece, bool end);
	/*
	 * Called in a worker, whose state is that of the server when the worker started; returns
	 * the answer. since: when os_serve_add_job() got the request, in os_ticks(). What the
	 * worker has looked up later than that is as new as the request needs.
	 */
	struct str (*work)(void *ctx, struct arena *a, struct str request, uint64_t since);
	/*
	 * Called in the server with a job's answer, valid during the call; or with p NULL and the
	 * worker's exit status (128 + N for signal N, -1 when no worker could start). Not called
	 * for cancelled jobs.
	 */
	void (*done)(struct os_serve *s, void *ctx, void *what, struct str answer, int status);
	/* Called once after os_serve_tick_after(). behind: more than 1 MiB of output is unread. */
	void (*tick)(struct os_serve *s, void *ctx, bool behind);
	/* The time of os_serve_pause_jobs() has passed; may be NULL. */
	void (*waited)(struct os_serve *s, void *ctx);
	/*
	 * Called after the last line (end of input, or a signal): lines put now are the last
	 * besides the answers to jobs. Not called when nobody reads the output any more.
	 */
	void (*ended)(struct os_serve *s, void *ctx);
};
/*
 * Runs until the input has ended and all jobs are done, or until nobody reads the output, or until
 * TERM, INT or HUP: then jobs get TERM, and KILL three seconds later. In a worker, standard input
 * is empty and standard output is standard error. Returns errors of the descriptors only.
 */
struct err *os_serve_run(int in, int out, const struct os_serve_ops *ops, void *ctx) MUST_USE;
/* Never waits: keeps the line until it can be written. */
void os_serve_write_line(struct os_serve *s, struct str line);
/*
 * Copies the request. keep: the job leaves nothing behind in its worker, so the worker may do
 * another.
 */
struct os_task *os_serve_add_job(struct os_serve *s, struct str request, void *what,
				 enum os_pool pool, bool keep);
/* Drops the job and ends its worker, TERM first. */
void os_serve_cancel(struct os_serve *s, const struct os_task *job);
/* Starts no job for so long; 0: go on. */
void os_serve_pause_jobs(struct os_serve *s, unsigned ms);
/* Calls tick() once after so long, or earlier after an earlier os_serve_tick_after(). */
void os_serve_tick_after(struct os_serve *s, unsigned ms);
/* The state that workers copied has changed: present workers get no more jobs. */
void os_serve_renew_workers(struct os_serve *s);
