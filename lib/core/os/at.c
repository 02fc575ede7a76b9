/* Files by name in an open folder: a folder that was found through the roots stays the same. */
#include "os/internal.h"
#include <errno.h>
#include <sys/wait.h>

/*
 * Without /proc: getcwd() of a child that enters the folder. The child shares the memory of the
 * caller, which waits for it, and no signal may run a handler in it.
 */
static bool at_child_path(int dirfd, char path[OS_PATH_MAX])
{
	sigset_t all, was;
	pid_t pid;

	path[0] = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	pid = vfork();
	if (!pid)
		_exit(fchdir(dirfd) || !getcwd(path, OS_PATH_MAX));
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	/* "(unreachable)/x": outside the process's root or mounts. */
	return path[0] == '/';
}

struct err *os_fd_path(struct arena *a, int dirfd, const char **out)
{
	struct str link = str_fmt(a, OS_PROC_SELF "fd/%d", dirfd), target;
	struct err *e = os_readlink(a, link.p, &target);
	char path[OS_PATH_MAX];

	if (e && at_child_path(dirfd, path)) {
		*out = str_c(a, str_of(path));
		return NULL;
	}
	if (e)
		return err_add_context(e, "find the path of an open folder");
	*out = str_c(a, target);
	return NULL;
}

struct err *os_read_at(struct arena *a, int dirfd, const char *name, const char *shown, size_t max,
		       struct str *out)
{
	struct stat st;
	struct err *e;
	int fd;

	/* stat before open: opening alone makes some devices act. */
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW))
		return err_errno(errno, "read '%s'", shown);
	TRY(os_want_file(st.st_mode, shown));
	fd = os_openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0 && errno == ELOOP)
		return err_new(E_CHANGED, "'%s' was replaced meanwhile", shown);
	if (fd < 0)
		return err_errno(errno, "read '%s'", shown);
	e = os_read_file(a, fd, shown, max, out);
	close(fd);
	return e;
}

struct err *os_move_at(int from_dirfd, const char *from, int to_dirfd, const char *to,
		       const char *shown)
{
	int to_fd, from_fd;
	struct stat st;
	struct err *e = NULL;

	if (fstatat(from_dirfd, from, &st, AT_SYMLINK_NOFOLLOW))
		return err_errno(errno, "move '%s'", shown);
	TRY(os_want_file(st.st_mode, shown));
	to_fd = os_sync_dir_open(to_dirfd);
	from_fd = to_fd == -1 ? -1 : os_sync_dir_open(from_dirfd);
	if (from_fd == -1 || !os_fault("rename")) {
		e = err_errno(errno, "move '%s'", shown);
	} else if (os_rename_exclusively(from_dirfd, from, to_dirfd, to)) {
		e = errno == EEXIST
			    ? err_new(E_EXISTS, "'%s' cannot be moved: there is a '%s' already",
				      shown, to)
			    : err_errno(errno, "move '%s'", shown);
	}
	if (e) {
		os_sync_dir_cancel(to_fd);
		os_sync_dir_cancel(from_fd);
		return e;
	}
	if (os_sync_dir_finish(to_fd))
		e = err_errno(errno, "make the move of '%s' durable", shown);
	if (os_sync_dir_finish(from_fd) && !e)
		e = err_errno(errno, "make the move of '%s' durable", shown);
	return e;
}

struct err *os_remove_at(int dirfd, const char *name, const char *shown)
{
	int fd = os_sync_dir_open(dirfd);

	if (fd == -1 || !os_fault("remove") || unlinkat(dirfd, name, 0)) {
		struct err *e = err_errno(errno, "remove '%s'", shown);

		os_sync_dir_cancel(fd);
		return e;
	}
	if (os_sync_dir_finish(fd))
		return err_errno(errno, "make the removal of '%s' durable", shown);
	return NULL;
}
