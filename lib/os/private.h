/*
 * private: what the files of os share with each other and with nobody else.
 */
#ifndef IKM_OS_PRIVATE_H
#define IKM_OS_PRIVATE_H

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define OS_TEXT_MAX ((size_t)64 << 20)

/* NULL for a regular file, else NOT_A_FILE that says what it is. */
struct err *os_want_file(mode_t mode, const char *name) MUST_USE;
/* openat() without EINTR; close-on-exec, and never a controlling terminal. */
int os_openat(int dirfd, const char *name, int flags, mode_t mode);
/* A regular file that is already open, from its start. */
struct err *os_read_file(struct arena *a, int fd, const char *name, size_t max,
			 struct str *out) MUST_USE;
/* close() for arena_defer(); the descriptor is in an int in the arena, -1 once it is closed. */
void os_close_deferred(void *fd);
int *os_defer_close(struct arena *a, int fd);

/* The one place where a child's environment is made: see childenv.c. NULL-ended. */
char **os_child_env(struct arena *a, const struct os_spawn *s);
/*
 * Starts it in a process group of its own. fds: what becomes its 0, 1 and 2; -1: ours. mask: the
 * signals it has blocked. Errors as os_run() says.
 */
struct err *os_child_start(struct arena *a, const struct os_spawn *s, const int fds[3],
			   const sigset_t *mask, pid_t *pid) MUST_USE;
/*
 * The same open file above 2, whatever of 0, 1 and 2 was closed when we were started: a child's
 * 0, 1 and 2 are set from it. -1 stays -1.
 */
int os_raise_fd(int fd);
/* Two descriptors above 2, close-on-exec; reading end first. name is for messages. */
struct err *os_child_pipe(const char *name, int fds[2]) MUST_USE;

#endif
