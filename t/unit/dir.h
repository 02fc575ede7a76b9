/*
 * dir.h: a fresh folder for a C test that needs files, and what such tests do in children. Removed
 * when the arena is freed.
 */
#ifndef DIR_H
#define DIR_H

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int dir_remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static inline void dir_remove(void *path)
{
	if (chdir("/") || nftw(path, dir_remove_one, 16, FTW_DEPTH | FTW_PHYS))
		printf("# cannot remove %s\n", (const char *)path);
}

/* Makes it, goes there, and gives its physical path. Others may look into it. */
static inline const char *dir_fresh(struct arena *a)
{
	const char *tmp = getenv("TMPDIR");
	char *path = str_c(a, str_fmt(a, "%s/ikm-unit.XXXXXX", tmp && *tmp ? tmp : "/tmp"));
	char *real;

	if (!mkdtemp(path) || chmod(path, 0755) || chdir(path) || !(real = getcwd(NULL, 0)))
		BUG("no temporary folder at %s", path);
	path = str_c(a, str_of(real));
	free(real);
	arena_defer(a, dir_remove, path);
	return path;
}

static inline void dir_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		BUG("cannot write %s", path);
	close(fd);
}

/* Runs fn in a child, as an unprivileged user even when we are root; gives waitpid's status. */
static inline int dir_fork(int (*fn)(void *), void *ctx, bool unprivileged)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (unprivileged && !geteuid() && (setgid(65534) || setuid(65534)))
			_exit(99);
		_exit(fn(ctx));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		BUG("cannot fork");
	return status;
}

#endif
