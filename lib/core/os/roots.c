#include "os/os.h"
#include "os/internal.h"
#include <errno.h>
#ifndef IKM_POSIX
#include <linux/openat2.h>
#endif

/* Retries of a walk while folders of the path are moved. */
#define TRIES 32

/* ---- which folders ---- */

/* A missing folder is identified by its nearest existing parent and the missing name in it. */
static struct err *add_denied(struct arena *a, struct os_roots *r, struct str dir)
{
	const char *path = str_c(a, dir), *child = NULL, *real;
	struct stat st;

	if (!str_starts(dir, STR("/")) || str_has_nul(dir))
		return err_new(E_BAD_PATH, "the denied folder '%s' is not an absolute path", path);
	while (stat(path, &st)) {
		struct str last = str_of(path);

		if (errno != ENOENT && errno != ENOTDIR)
			return err_errno(errno, "look at the denied folder '%.*s'", STR_ARG(dir));
		while (last.p[last.n - 1] == '/')
			last.n--;
		child = str_c(a, str_base(last));
		if (!strcmp(child, ".") || !strcmp(child, ".."))
			return err_new(E_BAD_PATH,
				       "the denied folder '%.*s' has '%s' where nothing exists",
				       STR_ARG(dir), child);
		path = os_dir_of(a, path);
	}
	TRY(os_realpath(a, path, &real));
	*VEC_PUSH(a, &r->denied) = (struct os_denied){st.st_dev, st.st_ino, child};
	for (size_t i = 0; i < r->roots; i++)
		if (os_is_below(str_of(real), str_of(r->root[i].path)))
			r->root[i].plain = false;
	return NULL;
}

struct err *os_roots_new(struct arena *a, const struct strs *dirs, const struct strs *denied,
			 struct os_roots **out)
{
	struct os_roots *r = ARENA_NEW(a, struct os_roots);

	r->root = arena_array(a, dirs->n, sizeof(*r->root));
	for (size_t i = 0; i < dirs->n; i++) {
		struct os_root *root = &r->root[r->roots];
		const char *path = str_c(a, dirs->p[i]);
		struct stat st;

		if (!str_starts(dirs->p[i], STR("/")) || str_has_nul(dirs->p[i]))
			return err_new(E_BAD_PATH, "the root '%s' is not an absolute path", path);
		TRY(os_realpath(a, path, &root->path));
		root->fd = os_openat(AT_FDCWD, root->path, O_PATH | O_DIRECTORY, 0);
		if (root->fd < 0 && errno == ENOTDIR)
			return err_new(E_NOT_A_FILE, "the root '%s' is not a folder", path);
		if (root->fd < 0)
			return err_errno(errno, "open the root '%s'", path);
		os_defer_close(a, root->fd);
		if (fstat(root->fd, &st))
			return err_errno(errno, "open the root '%s'", path);
		root->dev = st.st_dev;
		root->ino = st.st_ino;
		root->plain = true;
		r->roots++;
	}
	for (size_t i = 0; i < r->roots; i++) {
		const char *path = os_join(a, r->root[i].path, ".git"), *real;
		struct stat st;

		if (stat(path, &st) || !S_ISDIR(st.st_mode))
			continue;
		TRY(os_realpath(a, path, &real));
		*VEC_PUSH(a, &r->denied) = (struct os_denied){st.st_dev, st.st_ino, NULL};
		/* A ".git" that is a link or a mount has a second name. */
		r->root[i].plain = !strcmp(real, path);
	}
	for (size_t i = 0; denied && i < denied->n; i++)
		TRY(add_denied(a, r, denied->p[i]));
	*out = r;
	return NULL;
}

void os_roots_paths(const struct os_roots *r, struct arena *a, struct strs *out)
{
	for (size_t i = 0; i < r->roots; i++)
		strs_push(a, out, str_of(r->root[i].path));
}

/* ---- paths ---- */

static struct err *full_path(struct arena *a, const char *cwd, struct str path, const char **out)
{
	if (!path.n)
		return err_new(E_BAD_PATH, "the path is empty");
	if (str_has_nul(path))
		return err_new(E_BAD_PATH, "the path '%.*s' has a NUL in it", STR_ARG(path));
	if (path.n > OS_PATH_MAX)
		return err_detail_int(err_new(E_BAD_PATH, "the path '%.64s...' is over %d bytes",
					      path.p, OS_PATH_MAX),
				      "limit", OS_PATH_MAX);
	*out = str_c(a, path);
	if (path.p[0] == '/')
		return NULL;
	if (!cwd)
		TRY(os_cwd(a, &cwd));
	*out = os_join(a, cwd, *out);
	return NULL;
}

/*
 * The fast path leaves the walk to the kernel: for a path below a root that has no denied folder,
 * without ".git", and without "..", which fails with EAGAIN while any process renames a file.
 */
static const struct os_root *plain_root(const struct os_roots *r, const char *path)
{
	struct str rest = str_of(path), part;
	const struct os_root *root = NULL;

	for (size_t i = 0; i < r->roots && !root; i++)
		if (r->root[i].plain && os_is_below(rest, str_of(r->root[i].path)))
			root = &r->root[i];
	if (!root)
		return NULL;
	rest = str_sub(rest, strlen(root->path), rest.n);
	if (!rest.n)
		return NULL;
	while (str_next_part(&rest, '/', &part))
		if (str_is(part, "..") || os_is_git_name(part))
			return NULL;
	return root;
}

int os_open_beneath(int dirfd, const char *name, int flags, bool same_device)
{
#ifdef IKM_POSIX
	(void)dirfd, (void)name, (void)flags, (void)same_device;
	errno = ENOSYS;
	return -1;
#else
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   (same_device ? RESOLVE_NO_XDEV : 0u),
	};
	int fd;

	do
		fd = (int)syscall(SYS_openat2, dirfd, name, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	return fd;
#endif
}

/*
 * Without links and mount crossings, the text of a path is its place. Returns -1 with errno; ELOOP
 * for a case that needs the slow walk (a link, a mount, no openat2).
 */
static int open_plain(const struct os_root *root, const char *path)
{
	const char *rest = path + strlen(root->path);
	int fd;

	rest += strspn(rest, "/");
	if (!*rest)
		rest = ".";
	fd = os_open_beneath(root->fd, rest, O_RDONLY | O_NONBLOCK | O_NOCTTY, true);
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != EMFILE &&
	    errno != ENFILE)
		errno = ELOOP;
	return fd;
}

static struct err *open_walked(const struct os_roots *r, struct arena *a, const char *path,
			       const char *shown, int *fd)
{
	struct os_place place;

	TRY(os_resolve_within_roots(r, a, path, shown, 0, NULL, &place));
	if (!place.st.st_mode)
		return err_errno(ENOENT, "open '%s'", shown);
	/* stat before open: opening alone makes some devices act. */
	TRY(os_want_file(place.st.st_mode, shown));
	*fd = os_openat(place.dirfd, place.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (*fd < 0 && (errno == ELOOP || errno == ENOENT || errno == ENXIO))
		return err_new(E_CHANGED, "'%s' was replaced meanwhile", shown);
	return *fd < 0 ? err_errno(errno, "open '%s'", shown) : NULL;
}

static struct err *open_path(const struct os_roots *r, const char *path, const char *shown, int *fd)
{
	const struct os_root *root = plain_root(r, path);
	struct stat st;
	struct err *e;

	if (root) {
		*fd = open_plain(root, path);
		if (*fd < 0 && errno != ELOOP)
			return err_errno(errno, "open '%s'", shown);
	}
	for (int tries = 0; *fd < 0; tries++) {
		struct arena *batch ARENA_LOCAL = arena_new();

		e = open_walked(r, batch, path, shown, fd);
		if (e && (err_reason(e) != E_CHANGED || tries == TRIES))
			return e;
	}
	if (fstat(*fd, &st))
		return err_errno(errno, "open '%s'", shown);
	return os_want_file(st.st_mode, shown);
}

struct err *os_open_file_in_roots(const struct os_roots *r, const char *cwd, struct str path,
				  int *fd)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *full;
	struct err *e;

	*fd = -1;
	e = full_path(a, cwd, path, &full);
	if (!e && r)
		e = open_path(r, full, str_c(a, path), fd);
	else if (!e)
		e = os_open_file(full, str_c(a, path), fd);
	if (e && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return e;
}

struct err *os_roots_read(const struct os_roots *r, struct arena *a, const char *cwd,
			  struct str path, size_t max, struct str *out)
{
	struct err *e;
	int fd;

	TRY(os_open_file_in_roots(r, cwd, path, &fd));
	e = os_read_file(a, fd, str_c(a, path), max, out);
	close(fd);
	return e;
}

/* os_resolve_within_roots(), repeated while folders of the path are moved. */
static struct err *os_roots_walk(const struct os_roots *r, struct arena *a, const char *full,
				 const char *shown, unsigned flags, struct os_made *made,
				 struct os_place *out)
{
	struct err *e;

	for (int tries = 0; (e = os_resolve_within_roots(r, a, full, shown, flags, made, out));
	     tries++)
		if (err_reason(e) != E_CHANGED || tries == TRIES)
			return e;
	return NULL;
}

static struct err *roots_parent_of(const struct os_roots *r, struct arena *a, const char *cwd,
				   struct str path, bool entry, int *dirfd, const char **name)
{
	const char *full;
	struct os_place place;

	TRY(full_path(a, cwd, path, &full));
	if (!r)
		return os_open_parent(a, full, str_c(a, path), !entry, dirfd, name);
	TRY(os_roots_walk(r, a, full, str_c(a, path), entry ? OS_WALK_ENTRY : 0, NULL, &place));
	*dirfd = place.dirfd;
	*name = place.name;
	return NULL;
}

struct err *os_roots_parent(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, int *dirfd, const char **name)
{
	return roots_parent_of(r, a, cwd, path, false, dirfd, name);
}

struct err *os_roots_parent_nofollow(const struct os_roots *r, struct arena *a, const char *cwd,
				     struct str path, int *dirfd, const char **name)
{
	return roots_parent_of(r, a, cwd, path, true, dirfd, name);
}

struct err *os_roots_open_dir(const struct os_roots *r, struct arena *a, const char *cwd,
			      struct str path, int *dirfd)
{
	const char *full, *shown = str_c(a, path);
	struct os_place place;

	TRY(full_path(a, cwd, path, &full));
	if (!r) {
		*dirfd = os_openat(AT_FDCWD, full, O_PATH | O_DIRECTORY, 0);
		if (*dirfd < 0 && errno == ENOTDIR && !access(full, F_OK))
			return err_new(E_NOT_A_FILE, "'%s' is not a folder", shown);
		if (*dirfd < 0)
			return err_errno(errno, "open '%s'", shown);
		os_defer_close(a, *dirfd);
		return NULL;
	}
	TRY(os_roots_walk(r, a, full, shown, OS_WALK_FOLDER, NULL, &place));
	if (!place.st.st_mode)
		return err_errno(ENOENT, "open '%s'", shown);
	if (!S_ISDIR(place.st.st_mode))
		return err_new(E_NOT_A_FILE, "'%s' is not a folder", shown);
	*dirfd = place.dirfd;
	return NULL;
}

struct err *os_roots_stat(const struct os_roots *r, const char *cwd, struct str path,
			  struct os_stat *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *full;
	struct os_place place;
	struct err *e;

	TRY(full_path(a, cwd, path, &full));
	if (!r)
		return os_stat(full, true, out);
	e = os_roots_walk(r, a, full, str_c(a, path), OS_WALK_FOLDER, NULL, &place);
	if (e && err_reason(e) != E_FILE_NOT_FOUND)
		return e;
	*out = (struct os_stat){.kind = OS_NONE};
	if (!e && place.st.st_mode)
		*out = os_stat_from_struct_stat(&place.st);
	return NULL;
}

/* ---- folders to be made ---- */

struct err *os_roots_mkdirs(const struct os_roots *r, struct arena *a, const char *cwd,
			    struct str path, uint32_t mode, struct os_made **out)
{
	struct os_made *made = ARENA_NEW(a, struct os_made);
	const char *full, *shown = str_c(a, path);
	struct os_place place = {0};
	struct err *e;

	made->mode = (mode_t)mode;
	*out = NULL;
	TRY(full_path(a, cwd, path, &full));
	if (!r) {
		struct strs dirs;

		e = os_make_dirs(a, full, made->mode, &dirs);
		for (size_t i = 0; !e && i < dirs.n; i++)
			*VEC_PUSH(a, &made->dirs) =
				(struct os_made_dir){AT_FDCWD, str_c(a, dirs.p[i])};
	} else {
		e = os_roots_walk(r, a, full, shown, OS_WALK_FOLDER | OS_WALK_MAKE, made, &place);
		if (!e && !S_ISDIR(place.st.st_mode))
			e = err_new(E_EXISTS, "cannot make the folder '%s': a file has this name",
				    shown);
	}
	if (e)
		os_unmake(made);
	else if (made->dirs.n)
		*out = made;
	return e;
}

void os_unmake(struct os_made *made)
{
	/* A folder that another process uses by now is not empty, and stays. */
	for (size_t i = made ? made->dirs.n : 0; i-- > 0;)
		if (unlinkat(made->dirs.p[i].dirfd, made->dirs.p[i].name, AT_REMOVEDIR))
			break;
}
