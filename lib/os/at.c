/* Files by name in an open folder: a folder that was found through the roots stays the same. */
#include "os/os.h"
#include "os/private.h"
#include <errno.h>

struct err *os_fd_path(struct arena *a, int dirfd, const char **out)
{
	struct str link = str_fmt(a, "/proc/self/fd/%d", dirfd), target;
	struct err *e = os_readlink(a, link.p, &target);

	if (e)
		return err_in(e, "find the path of an open folder");
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
	struct stat st;

	if (fstatat(from_dirfd, from, &st, AT_SYMLINK_NOFOLLOW))
		return err_errno(errno, "move '%s'", shown);
	TRY(os_want_file(st.st_mode, shown));
	if (!os_fault("rename"))
		return err_errno(errno, "move '%s'", shown);
	if (os_rename_exclusively(from_dirfd, from, to_dirfd, to)) {
		if (errno == EEXIST)
			return err_new(E_EXISTS, "'%s' cannot be moved: there is a '%s' already",
				       shown, to);
		return err_errno(errno, "move '%s'", shown);
	}
	if (os_sync_dir(to_dirfd) || os_sync_dir(from_dirfd))
		return err_errno(errno, "make the move of '%s' durable", shown);
	return NULL;
}

struct err *os_remove_at(int dirfd, const char *name, const char *shown)
{
	if (!os_fault("remove") || unlinkat(dirfd, name, 0))
		return err_errno(errno, "remove '%s'", shown);
	if (os_sync_dir(dirfd))
		return err_errno(errno, "make the removal of '%s' durable", shown);
	return NULL;
}
