/*
 * os: the machine as ikm sees it: files, roots, locks, processes, the clock, random numbers. All
 * processes start here, and most files are opened here. Three modules open their own: tree and git
 * (folders and objects of repositories) and db (the store). Of repositories this module knows the
 * name .git and Git's variables; of settings it knows nothing.
 */
#ifndef IKM_OS_H
#define IKM_OS_H

#include "base/base.h"

#define OS_PATH_MAX 4096

/* ---- clock, randomness, environment ---- */

/* Milliseconds since 1970, UTC: the one clock. IKM_NOW (RFC 3339) sets it in test builds. */
int64_t os_now(void);
#define HOUR_MS ((int64_t)60 * 60 * 1000)
#define DAY_MS  (24 * HOUR_MS)
/* "2026-11-21T22:33:29Z"; with `millis` ".123" before the Z. */
struct str os_time_text(struct arena *a, int64_t ms, bool millis);
/* A time as in RFC 3339, or a date alone (its beginning, UTC). False for anything else. */
bool os_time_read(struct str text, int64_t *ms);
/* Monotonic nanoseconds, for measuring only. */
uint64_t os_ticks(void);
void os_random(void *p, size_t n);
/* NULL when unset or empty. */
const char *os_env(const char *name);
/* The names of the environment's variables that begin so. */
void os_env_names(struct arena *a, const char *prefix, struct strs *out);
/* HOME, else the password database; NULL if neither. Valid until the thread's next call. */
const char *os_home(void);
/* Of the password database; NULL: it has none. */
const char *os_home_of(struct arena *a, uint32_t uid);
/* The user whose rights count. */
uint32_t os_uid(void);
/* IKIGAI_HOME, else HOME/.ikigai; NULL without a home, or where that is not an absolute path. */
const char *os_ikigai_home(struct arena *a);
/* BAD_PATH: one of these two is relative. */
struct err *os_check_home(void) MUST_USE;
/* The login name of who runs this: of the user id, not of the environment; else its number. */
struct str os_user(struct arena *a);
/* The absolute path of the running binary, links resolved; NULL when the kernel will not say. */
const char *os_self(struct arena *a);
/* Physical current directory. */
struct err *os_cwd(struct arena *a, const char **out) MUST_USE;
unsigned os_cores(void);

/* ---- faults ---- */

/*
 * Every durable effect passes here first: `if (!os_fault("rename") || rename(...))`. False, with
 * errno set: pretend that it failed. IKM_FAULT=N fails the Nth of the process with EIO, N:ERRNO
 * with that number; -N kills the process there. In release builds it is always true.
 */
bool os_fault(const char *what);

/* ---- reading ---- */

/*
 * A regular file, whole. A folder, FIFO, device or socket is NOT_A_FILE and never blocks; over max
 * bytes is TOO_BIG. "-" is not special here.
 */
struct err *os_read(struct arena *a, const char *path, size_t max, struct str *out) MUST_USE;
/* The same from an open descriptor of any kind, until its end. name is for messages. */
struct err *os_read_fd(struct arena *a, int fd, const char *name, size_t max,
		       struct str *out) MUST_USE;
/*
 * All of it or an error. A reader that left is IO_ERROR; only on stdout and stderr SIGPIPE stays
 * what the caller made of it.
 */
struct err *os_write_fd(int fd, const char *name, struct str bytes) MUST_USE;

enum os_kind { OS_NONE, OS_FILE, OS_DIR, OS_LINK, OS_OTHER };
struct os_stat {
	enum os_kind kind;
	uint64_t size;
	uint32_t mode;
	uint32_t uid, gid;
	uint64_t dev, ino;
	int64_t mtime_ns;
};
/* What is not there is success with OS_NONE. follow: through a final symbolic link. */
struct err *os_stat(const char *path, bool follow, struct os_stat *out) MUST_USE;
/* Names in a folder, without "." and "..", sorted. */
struct err *os_list(struct arena *a, const char *path, struct strs *names) MUST_USE;
struct err *os_readlink(struct arena *a, const char *path, struct str *out) MUST_USE;
/* The physical absolute path of something that exists. */
struct err *os_realpath(struct arena *a, const char *path, const char **out) MUST_USE;
const char *os_join(struct arena *a, const char *dir, const char *name);

/* ---- whether what was read is still so ---- */

/*
 * How files were, for who keeps what he read from them. What is not there, or may not be seen, is
 * told too.
 */
enum os_stamp_of {
	/* contents, behind links: device, inode, owner, mode, size, times of change */
	OS_STAMP_TEXT,
	OS_STAMP_NAME,  /* what itself has this name, no link: device, inode, owner and mode */
	OS_STAMP_PLACE, /* the same behind links, and where it lies without them */
};
struct os_stamp {
	const char *path;
	enum os_stamp_of of;
	uint64_t dev, ino, size; /* all zero: it is not there */
	uint64_t mode, uid;
	int64_t mtime_ns, ctime_ns;
	const char *real; /* of a place */
};
struct os_stamps {
	struct os_stamp *p;
	size_t n, cap;
	/* Of one a change might not show: it was changed just now, or the system tells too
	 * little. */
	bool unsure;
};
/* Whether it is there. Borrows the path; one that was stamped before is not again. */
bool os_stamp(struct arena *a, struct os_stamps *s, const char *path, enum os_stamp_of of);
/* All is as it was then. */
bool os_stamps_hold(const struct os_stamps *s);
/* The same paths, and all the same of them. */
bool os_stamps_same(const struct os_stamps *one, const struct os_stamps *two);

/* ---- writing ---- */

enum os_write_flag {
	OS_PARENTS = 1,     /* make missing folders */
	OS_BREAK_LINKS = 2, /* a file with several hard links may lose them */
	OS_EXCLUSIVE = 4,   /* it must not exist: EXISTS */
	OS_EXECUTABLE = 8,  /* a new file gets mode 0777 & ~umask instead of 0666 */
	OS_MODE_GIVEN = 1 << 25,
};
/* A flag: these nine bits are the file's mode afterwards, whatever it was and whatever the
 * umask. */
#define OS_MODE(mode)     (((unsigned)(mode)&0777) << 16 | OS_MODE_GIVEN)
#define OS_MODE_OF(flags) ((flags) >> 16 & 0777)
#define OS_MODE_ALL       OS_MODE(0777)
/*
 * Old content or new content, never anything between, also after a power cut: a temporary file
 * (".ikm-tmp-" and 16 hex digits) in the same folder, fsync, rename, fsync of the folder. Removes
 * what earlier killed writers left in that folder. Follows a symbolic link at the end of path.
 * Keeps the mode but setuid and setgid, and the owner, ACL and extended attributes where we may.
 * Errors: NOT_A_FILE, PERMISSION also for a file that we may not write, HARD_LINKED, EXISTS,
 * FILE_NOT_FOUND for its folder, NO_SPACE, READ_ONLY, IO_ERROR. If only the fsync of the folder
 * failed, it is an error with the new content in place; else nothing changed, folders included.
 */
struct err *os_write(const char *path, struct str bytes, unsigned flags) MUST_USE;
/* With its missing parents, all of this mode less the umask; durable. EXISTS: that is no folder. */
struct err *os_mkdirs(const char *path, uint32_t mode) MUST_USE;
/* Replaces what is at `to`; durable. */
struct err *os_rename(const char *from, const char *to) MUST_USE;
/* A file, a link or an empty folder; durable. What is not there is fine. */
struct err *os_remove(const char *path) MUST_USE;

/*
 * An advisory lock on a folder (flock), shared by all writers of files in it; a lock on the file
 * would die with the rename. LOCKED after timeout_ms (0: at once). Not recursive: a second one of
 * the same process waits too. Released with the arena, by os_unlock (twice is fine) or by a kill.
 */
struct os_lock;
struct err *os_lock_dir(struct arena *a, const char *dir, unsigned timeout_ms,
			struct os_lock **out) MUST_USE;
void os_unlock(struct os_lock *l);
/* The locked folder, open until the lock is released. */
int os_lock_dirfd(const struct os_lock *l);

/*
 * Between os_hold() and os_release() this thread holds what others wait for. So it must not wait
 * for the outside: in test builds, running a program, reading standard input, and a second
 * os_hold() are a BUG. What waits for the outside says so with os_waits().
 */
void os_hold(const char *what);
void os_release(void);
void os_waits(const char *doing);

/* ---- roots: which files a tool may touch (ikm-design(7), "Roots") ---- */

struct os_roots;
/*
 * dirs: absolute paths of existing folders; denied: absolute paths of folders that are outside even
 * when below a root, and even when they do not exist yet (".git" by name is always so, in any case
 * of letters). The innermost counts: a root below a denied folder is inside. Folders are compared
 * by device and inode. Enforced by the kernel: openat2 with RESOLVE_BENEATH for a path without
 * links, else part by part with O_NOFOLLOW, each link's target taken as a new path. Links of /proc
 * are never followed. Immutable: threads may share it. Descriptors are closed with the arena.
 * Errors: BAD_PATH, FILE_NOT_FOUND, NOT_A_FILE.
 */
struct err *os_roots_new(struct arena *a, const struct strs *dirs, const struct strs *denied,
			 struct os_roots **out) MUST_USE;
/* The physical path of each root. */
void os_roots_paths(const struct os_roots *r, struct arena *a, struct strs *out);
/*
 * Opens a regular file for reading; the caller closes it. path is relative to cwd (absolute; NULL:
 * ours) or absolute. roots NULL: no limit. Never blocks. Errors: OUTSIDE_ROOTS (also for what is
 * not there: nothing is told about outside), FILE_NOT_FOUND, NOT_A_FILE, BAD_PATH, PERMISSION;
 * CHANGED when folders of the path are moved all the time.
 */
struct err *os_roots_open(const struct os_roots *r, const char *cwd, struct str path,
			  int *fd) MUST_USE;
/* os_read through roots. */
struct err *os_roots_read(const struct os_roots *r, struct arena *a, const char *cwd,
			  struct str path, size_t max, struct str *out) MUST_USE;
/*
 * The folder of a path to be written, open with O_PATH and inside the roots, and its last part,
 * which need not exist; a final symbolic link that stays inside is resolved. The descriptor is
 * closed with the arena. Errors as os_roots_open().
 */
struct err *os_roots_parent(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, int *dirfd, const char **name) MUST_USE;
/* The same, but of a final symbolic link that link itself: for what is moved or removed. */
struct err *os_roots_entry(const struct os_roots *r, struct arena *a, const char *cwd,
			   struct str path, int *dirfd, const char **name) MUST_USE;
/*
 * A folder inside the roots, open with O_PATH until the arena's end. NOT_A_FILE when it is none;
 * other errors as os_roots_open().
 */
struct err *os_roots_dir(const struct os_roots *r, struct arena *a, const char *cwd,
			 struct str path, int *dirfd) MUST_USE;
/* os_stat through links that stay inside; errors as os_roots_open(), but OS_NONE for nothing. */
struct err *os_roots_stat(const struct os_roots *r, const char *cwd, struct str path,
			  struct os_stat *out) MUST_USE;

/* For who lists what is below an open folder: whether one that he meets there is outside. */
bool os_roots_leave_out(const struct os_roots *r, const char *name, uint64_t dev, uint64_t ino);

/*
 * os_mkdirs inside the roots. *made: what was, NULL for nothing; os_unmake() takes back those that
 * are still empty. Errors as os_roots_open(); EXISTS when something else has a folder's name.
 */
struct os_made;
struct err *os_roots_mkdirs(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, uint32_t mode, struct os_made **made) MUST_USE;
void os_unmake(struct os_made *made); /* NULL is fine */

/* ---- names in an open folder (O_PATH is enough); shown is what messages call them ---- */

/* The physical path of an open folder. */
struct err *os_fd_path(struct arena *a, int dirfd, const char **out) MUST_USE;
/* os_read; a symbolic link is NOT_A_FILE. */
struct err *os_read_at(struct arena *a, int dirfd, const char *name, const char *shown, size_t max,
		       struct str *out) MUST_USE;
/* os_stat, not through a final link. */
struct err *os_stat_at(int dirfd, const char *name, const char *shown,
		       struct os_stat *out) MUST_USE;
/* Whether os_write_at() would be refused: what it refuses is known before anything is recorded. */
struct err *os_check_write_at(int dirfd, const char *name, const char *shown,
			      unsigned flags) MUST_USE;
/* os_write, but for OS_PARENTS. *lost (may be NULL): what of the file could not be kept. */
enum os_lost { OS_LOST_OWNER = 1, OS_LOST_ATTRIBUTES = 2, OS_LOST_SETID = 4 };
struct err *os_write_at(int dirfd, const char *name, const char *shown, struct str bytes,
			unsigned flags, unsigned *lost) MUST_USE;
/* A regular file, else NOT_A_FILE. What is at `to` is never replaced: EXISTS. Durable. */
struct err *os_move_at(int from_dirfd, const char *from, int to_dirfd, const char *to,
		       const char *shown) MUST_USE;
/* A file or a link; durable. */
struct err *os_remove_at(int dirfd, const char *name, const char *shown) MUST_USE;
/* os_lock_dir of an open folder. Whether its path still leads to it is the caller's to see. */
struct err *os_lock_fd(struct arena *a, int dirfd, const char *shown, unsigned timeout_ms,
		       struct os_lock **out) MUST_USE;

/* ---- processes ---- */

struct os_spawn {
	/* argv[0] is looked up in the absolute entries of the child's PATH if it has no slash. */
	const char *const *argv;
	const char *cwd;        /* NULL: ours */
	const char *const *env; /* changes to ours, NULL-ended: "A=b", or "A" to remove it */
	bool clear_git;         /* without GIT_* that name a repository: to talk to another one */
	struct str in;          /* written to standard input */
	int in_fd;              /* when > 0: its standard input instead */
	bool inherit_out;       /* its stdout and stderr are ours; nothing is kept */
	bool foreground;  /* os_run: stays in our group, so it may ask the user at the terminal */
	bool interactive; /* in the foreground: what INT and QUIT mean is for it alone, as for an
			     editor; they do not end us either */
	unsigned timeout_ms; /* 0: none. Then TERM, and KILL a second later, to the group */
	size_t out_max;      /* of each of stdout and stderr; 0: 64 MiB. More is TOO_BIG */
	size_t out_keep;     /* when > 0: of stdout so much is kept; more is no error, but lost */
	size_t err_keep;     /* the same of stderr */
	bool both;           /* also what came to both as one; not with inherit_out */
	/*
	 * Nothing that it started is alive when the call returns, daemons of other groups and
	 * sessions included: those whose parents ended become our children, and are killed. Not
	 * what another user runs (setuid), nor what a service of the machine was asked to run
	 * (systemd, cron). It needs /proc, and no other thread may start children meanwhile.
	 */
	bool contain;
};
struct os_result {
	int status; /* exit status, 128 + N for signal N */
	struct str out, err;
	size_t out_lost, err_lost; /* bytes beyond out_keep and err_keep */
	/*
	 * os_spawn.both: in the order in which they were written, as far as a process waits for one
	 * write before the next; of what several write at the same time, none can be told.
	 */
	struct str both;
};
/*
 * Runs it to its end; stdin, stdout and stderr are served together, so nothing can deadlock.
 * The child has its own session, and so no terminal that could stop it, and its own process group,
 * which gets the INT, QUIT, TERM and HUP that come to us, and a KILL a second later or when the
 * child has ended: nothing of the group outlives the call. (A daemon that left the group does
 * without `contain`, and is not waited for.) When TSTP stops us, the group and its time stand still
 * too. Our own secrets are not in its environment. A status other than 0 is success here. Errors:
 * NO_PROGRAM, FILE_NOT_FOUND for cwd, TOOK_TOO_LONG, TOO_BIG, IO_ERROR. *out is zero when it could
 * not be started; with TOOK_TOO_LONG and TOO_BIG it is what came so far.
 */
struct err *os_run(struct arena *a, const struct os_spawn *s, struct os_result *out) MUST_USE;
/*
 * Each of n as os_run() runs it, at most at_once together, begun in order; s[0] says whether to
 * contain them. done(ctx, i, e, r) is told of each as it ends: e as of os_run(), r zeroed when it
 * could not be started, both gone after done(). None waits for another: each has its own time from
 * its own start. A signal that would end us reaches all; what was not begun is IO_ERROR then. Where
 * descriptors run out, fewer run together. Errors: what keeps all of them from running.
 */
struct err *os_spawn_many(const struct os_spawn *s, size_t n, unsigned at_once,
			  void (*done)(void *ctx, size_t i, struct err *e,
				       const struct os_result *r),
			  void *ctx) MUST_USE;

/*
 * A child to talk to over two pipes ("git cat-file --batch"); killed and reaped with the arena. Of
 * s counts argv, cwd, env and clear_git; its stderr is ours with inherit_out, else thrown away.
 * Write with os_write_fd(): a peer that died is an error then, not a signal.
 */
struct os_coprocess {
	int to, from;
	int pid;
};
struct err *os_coprocess_new(struct arena *a, const struct os_spawn *s,
			     struct os_coprocess **out) MUST_USE;

/*
 * Calls fn(ctx, thread, i) for every i in [0, n), handed out in order, on up to `threads` threads
 * (0: os_cores(); at most OS_THREADS_MAX). thread counts from 0, the caller's, and is one thread
 * for the whole call, so what is kept per number needs no lock. An error of fn (struct err) is
 * gone with its thread: keep what matters of it in ctx.
 */
#define OS_THREADS_MAX 64
void os_parallel_for(size_t n, unsigned threads, void (*fn)(void *ctx, unsigned thread, size_t i),
		     void *ctx);

/*
 * A team does work while more of it is found, and what comes of it is told in order. find() runs
 * in the caller's thread and gives out work with os_ordered_add(); up to `threads` threads (as for
 * os_parallel_for(); the caller's joins them when find() is done) call work() for each item, begun
 * in that order. A result that is not NULL is given to tell(), in the order of the items and never
 * two at once, by any thread; while more than 16 MiB of them wait, no new work is begun. The error
 * is that of find(), and nothing more is begun then; one of work() is gone with its thread.
 */
struct os_ordered;
struct os_job {
	struct os_ordered *team;
	unsigned thread; /* from 0, the caller's */
	size_t i;
	void *item;
	void *result; /* for tell(); its size is bytes */
	size_t bytes;
};
struct os_ordered_ops {
	struct err *(*find)(void *ctx, struct os_ordered *team);
	void (*work)(void *ctx, struct os_job *job);
	void (*tell)(void *ctx, void *result);
};
struct err *os_ordered_run(const struct os_ordered_ops *ops, unsigned threads, void *ctx) MUST_USE;
void os_ordered_add(struct os_ordered *team, void *item);
/* In work(): waits until all before this item was told; then work() may call tell() itself. */
void os_ordered_turn(struct os_job *job);

/* ---- a server of lines ---- */

/*
 * Reads lines from one descriptor and writes lines to another, and does what takes time in workers:
 * children of this program, forked, that do jobs one after another. The caller has no other thread.
 */
struct os_serve;
struct os_task;

/*
 * Jobs wait only for jobs of their own pool, in the order in which they came. OS_POOL_READ is for
 * what ends soon, OS_POOL_WRITE for what may wait for a lock, OS_POOL_RUN for what runs programs
 * and so takes as long as they do.
 */
enum os_pool { OS_POOL_READ, OS_POOL_WRITE, OS_POOL_RUN };
#define OS_POOLS 3

struct os_serve_ops {
	size_t line_max;            /* bytes of a line */
	unsigned at_once[OS_POOLS]; /* jobs of each pool */
	/* A line that is not blank, without its end; gone after the call. */
	void (*line)(struct os_serve *s, void *ctx, struct str line);
	/* The same for a line that is longer: piece by piece; the last piece has its end. */
	void (*long_line)(struct os_serve *s, void *ctx, struct str piece, bool end);
	/* In a worker, which is as the server was when the worker was started: the answer. */
	struct str (*work)(void *ctx, struct arena *a, struct str request);
	/* In the server: a job's answer, gone after the call; or p NULL and how its worker ended
	 * (128 + N for signal N, -1 when there could be none). Not for what was cancelled. */
	void (*done)(struct os_serve *s, void *ctx, void *what, struct str answer, int status);
	/* What os_serve_wake() asked for. behind: more than 1 MiB of the output is unread. */
	void (*tick)(struct os_serve *s, void *ctx, bool behind);
	void (*waited)(struct os_serve *s, void *ctx); /* os_serve_hold() is over by its time */
	/* No line will come, by the end of the input or a signal: what is put now is the last
	 * besides the answers to jobs. Not when nobody reads the output any more. */
	void (*ended)(struct os_serve *s, void *ctx);
};
/*
 * Until the input has ended and all jobs are done, or nobody reads the output any more, or a TERM,
 * INT or HUP: then jobs get TERM, and KILL three seconds later. Standard input and output of a
 * worker lead nowhere and to standard error. No error but those of the descriptors.
 */
struct err *os_serve_run(int in, int out, const struct os_serve_ops *ops, void *ctx) MUST_USE;
/* Never waits: it is kept until it can be written. */
void os_serve_put(struct os_serve *s, struct str line);
/* Copies the request. keep: it leaves nothing behind in its worker, who may do another. */
struct os_task *os_serve_work(struct os_serve *s, struct str request, void *what, enum os_pool pool,
			      bool keep);
/* The job is gone; its worker ends, TERM first. */
void os_serve_cancel(struct os_serve *s, const struct os_task *job);
/* No job is begun for so long; 0: go on. */
void os_serve_hold(struct os_serve *s, unsigned ms);
/* tick() is called once after so long, or earlier if that was asked for before. */
void os_serve_wake(struct os_serve *s, unsigned ms);
/* What workers are to know has changed: none that is there gets another job. */
void os_serve_renew(struct os_serve *s);

#endif
