/*
 * Files within roots. A path is resolved part by part: each part is opened with O_PATH and
 * O_NOFOLLOW from the folder before it, so no process can swap a folder for a link between check
 * and use. A link's target is prepended to the rest; ".." goes only back to the folder that the
 * walk came from. At every step the walk knows which folders are roots and which are denied.
 */
#include "os/internal.h"
#include <errno.h>
#include <linux/magic.h>
#ifndef IKM_POSIX
#include <linux/openat2.h>
#endif
#include <sys/vfs.h>

#define LINKS_MAX 40 /* the kernel's own limit */
/* Retries of a walk while folders of the path are moved. */
#define TRIES 32

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
/*
 * The place of a path within the roots: the folder (the arena closes it), the last part, and its
 * state; st.st_mode 0: missing.
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

struct level {
	dev_t dev;
	ino_t ino;
	bool inside, denied;
};

struct walk {
	const struct os_roots *r;
	struct arena *a;
	const char *shown;
	struct VEC(struct level) levels; /* from the start of the walk to the current folder */
	int *fd;                         /* the current folder */
	const char *started;             /* the path of levels.p[0], without links */
	struct str rest;                 /* the parts still to walk */
	bool led;                        /* a link inside the roots was followed */
	int links;
	unsigned flags; /* enum os_walk_flag */
	struct os_made *made;
};

/* Whether path is dir or below it. Both are absolute, without a final slash. */
static bool os_is_below(struct str path, struct str dir)
{
	return str_is(dir, "/") ? str_starts(path, dir) : str_is_below(path, dir);
}

/* ".git", in any case of letters, because some file systems ignore case. */
static bool os_is_git_name(struct str part)
{
	return str_ieq(part, STR(".git"));
}

/* ---- what is allowed ---- */

static struct level *os_walk_top(const struct walk *w)
{
	return &w->levels.p[w->levels.n - 1];
}

static bool is_root(const struct os_roots *r, const struct stat *st)
{
	for (size_t i = 0; i < r->roots; i++)
		if (r->root[i].dev == st->st_dev && r->root[i].ino == st->st_ino)
			return true;
	return false;
}

static bool is_denied_id(const struct os_roots *r, uint64_t dev, uint64_t ino)
{
	for (size_t i = 0; i < r->denied.n; i++)
		if (!r->denied.p[i].child && r->denied.p[i].dev == dev && r->denied.p[i].ino == ino)
			return true;
	return false;
}

bool os_roots_is_outside(const struct os_roots *r, const char *name, uint64_t dev, uint64_t ino)
{
	return r && (os_is_git_name(str_of(name)) || is_denied_id(r, dev, ino));
}

/* By its name in the current folder. */
static bool is_denied_name(const struct walk *w, const char *name)
{
	const struct level *l = os_walk_top(w);

	if (os_is_git_name(str_of(name)))
		return true;
	for (size_t i = 0; i < w->r->denied.n; i++) {
		const struct os_denied *d = &w->r->denied.p[i];

		if (d->child && d->dev == l->dev && d->ino == l->ino && !strcmp(d->child, name))
			return true;
	}
	return false;
}

static struct err *walk_is_outside(const struct walk *w)
{
	/* Only links inside: others would tell what is outside. */
	const char *how = w->led ? "leads through a symbolic link" : "is";
	struct strs roots = {0};
	struct err *e;

	for (size_t i = 0; i < w->r->roots; i++)
		strs_push(w->a, &roots, str_of(w->r->root[i].path));
	if (w->levels.n && os_walk_top(w)->inside)
		e = err_new(E_OUTSIDE_ROOTS,
			    "'%s' %s %s a protected folder, which is outside the roots", w->shown,
			    how, w->led ? "into" : "in");
	else
		e = err_new(E_OUTSIDE_ROOTS, "'%s' %s outside the roots", w->shown, how);
	return err_detail_list(err_add_detail(e, "path", str_of(w->shown)), "roots", &roots);
}

/* An error outside the roots is reported as OUTSIDE_ROOTS, so that nobody can probe there. */
static struct err *os_walk_failed(const struct walk *w, const char *name, int errnum)
{
	const struct level *l = os_walk_top(w);

	if (!l->inside || l->denied || (name && is_denied_name(w, name)))
		return walk_is_outside(w);
	if (errnum == EEXIST)
		return err_new(E_EXISTS, "cannot make the folder '%s': a file has this name",
			       w->shown);
	return err_errno(errnum, "open '%s'", w->shown);
}

/* ---- steps ---- */

static void os_walk_enter(struct walk *w, int fd, const struct stat *st, bool denied_name)
{
	struct level up = {0}, *l;

	if (w->levels.n)
		up = *os_walk_top(w);
	os_close_fd(w->fd);
	*w->fd = fd;
	l = VEC_PUSH(w->a, &w->levels);
	*l = (struct level){st->st_dev, st->st_ino, up.inside, up.denied || denied_name};
	/* The innermost folder decides. */
	if (is_root(w->r, st)) {
		l->inside = true;
		l->denied = false;
	}
	if (is_denied_id(w->r, st->st_dev, st->st_ino))
		l->denied = true;
}

/* Restarts with an absolute path: at the root that its text names, otherwise at "/". */
static struct err *os_walk_begin(struct walk *w, struct str path)
{
	const struct os_root *best = NULL;
	struct stat st;
	int fd;

	for (size_t i = 0; i < w->r->roots; i++) {
		const struct os_root *root = &w->r->root[i];

		if (os_is_below(path, str_of(root->path)) &&
		    (!best || strlen(root->path) > strlen(best->path)))
			best = root;
	}
	w->levels.n = 0;
	w->started = best ? best->path : "/";
	w->rest = str_sub(path, strlen(w->started), path.n);
	fd = best ? fcntl(best->fd, F_DUPFD_CLOEXEC, 3)
		  : os_openat(AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0);
	if (fd < 0 || fstat(fd, &st)) {
		int errnum = errno;

		if (fd >= 0)
			close(fd);
		return err_errno(errnum, "open '%s'", w->shown);
	}
	os_walk_enter(w, fd, &st, false);
	return NULL;
}

static struct err *os_walk_go_up(struct walk *w)
{
	const struct level *up;
	struct stat st;
	int fd;

	if (w->levels.n == 1) {
		if (!strcmp(w->started, "/"))
			return NULL;
		return os_walk_begin(
			w, str_fmt(w->a, "%s/%.*s", os_dir_of(w->a, w->started), STR_ARG(w->rest)));
	}
	fd = os_openat(*w->fd, "..", O_PATH | O_DIRECTORY, 0);
	if (fd < 0)
		return os_walk_failed(w, NULL, errno);
	up = &w->levels.p[w->levels.n - 2];
	if (fstat(fd, &st) || st.st_dev != up->dev || st.st_ino != up->ino) {
		close(fd);
		return err_new(E_CHANGED, "a folder of '%s' was moved meanwhile", w->shown);
	}
	os_close_fd(w->fd);
	*w->fd = fd;
	w->levels.n--;
	return NULL;
}

/* link: opened with O_PATH; closed here. */
static struct err *follow(struct walk *w, int link, const char *name)
{
	char target[OS_PATH_MAX + 1];
	ssize_t n = readlinkat(link, "", target, sizeof(target));
	int errnum = errno;
	struct statfs fs;
	bool magic = fstatfs(link, &fs) || fs.f_type == PROC_SUPER_MAGIC;

	close(link);
	/* Some links of /proc lead elsewhere than their text; a link may also be named ".git". */
	if (magic || is_denied_name(w, name))
		return walk_is_outside(w);
	if (n < 0)
		return os_walk_failed(w, name, errnum);
	if (!n || (size_t)n == sizeof(target))
		return os_walk_failed(w, name, n ? ENAMETOOLONG : ENOENT);
	if (++w->links > LINKS_MAX)
		return os_walk_failed(w, name, ELOOP);
	w->led = w->led || (os_walk_top(w)->inside && !os_walk_top(w)->denied);
	target[n] = 0;
	/* Adds no slash to a last part, because a slash would require a folder. */
	w->rest = str_fmt(w->a, "%s%s%.*s", target, w->rest.n ? "/" : "", STR_ARG(w->rest));
	return target[0] == '/' ? os_walk_begin(w, w->rest) : NULL;
}

static struct err *os_walk_finish(struct walk *w, const char *name, const struct stat *st,
				  struct os_place *out)
{
	const struct level *l = os_walk_top(w);

	if (!l->inside || l->denied || is_denied_name(w, name) ||
	    (st->st_mode && is_denied_id(w->r, st->st_dev, st->st_ino)))
		return walk_is_outside(w);
	*out = (struct os_place){.dirfd = *w->fd, .name = name, .st = *st};
	return NULL;
}

/* Makes a missing folder in the current one; *fd stays -1 when that is not allowed. */
static struct err *os_walk_make(struct walk *w, const char *name, int *fd)
{
	const struct level *l = os_walk_top(w);
	int dirfd, sync_fd;

	if (!l->inside || l->denied || is_denied_name(w, name))
		return walk_is_outside(w);
	if (!os_fault("mkdir") || mkdirat(*w->fd, name, w->made->mode)) {
		/* Another process may have made it first; then it is opened as usual. */
		if (errno != EEXIST)
			return err_errno(errno, "make the folder '%s'", w->shown);
	} else {
		dirfd = fcntl(*w->fd, F_DUPFD_CLOEXEC, 3);
		if (dirfd < 0) {
			struct err *e = err_errno(errno, "make the folder '%s'", w->shown);

			unlinkat(*w->fd, name, AT_REMOVEDIR);
			return e;
		}
		os_defer_close(w->a, dirfd);
		*VEC_PUSH(w->a, &w->made->dirs) = (struct os_made_dir){dirfd, name};
		sync_fd = os_sync_dir_open(*w->fd);
		if (sync_fd == -1 || os_sync_dir_finish(sync_fd))
			return err_errno(errno, "make the folder '%s'", w->shown);
	}
	*fd = os_openat(*w->fd, name, O_PATH | O_NOFOLLOW, 0);
	return *fd < 0 ? err_new(E_CHANGED, "a folder of '%s' was moved meanwhile", w->shown)
		       : NULL;
}

/* Walks one part of the path; *done when it was the last. */
static struct err *os_walk_step(struct walk *w, const char *name, bool last, struct os_place *out,
				bool *done)
{
	int fd = os_openat(*w->fd, name, O_PATH | O_NOFOLLOW, 0);
	struct stat st = {0};

	if (fd < 0 && errno == ENOENT && w->flags & OS_WALK_MAKE)
		TRY(os_walk_make(w, name, &fd));
	if (fd < 0 && errno == ENOENT && last) {
		*done = true;
		return os_walk_finish(w, name, &st, out);
	}
	if (fd < 0)
		return os_walk_failed(w, name, errno);
	if (fstat(fd, &st)) {
		int errnum = errno;

		close(fd);
		return os_walk_failed(w, name, errnum);
	}
	if (S_ISLNK(st.st_mode) && !(last && w->flags & OS_WALK_ENTRY))
		return follow(w, fd, name);
	if (S_ISDIR(st.st_mode)) {
		os_walk_enter(w, fd, &st, is_denied_name(w, name));
		return NULL;
	}
	close(fd);
	if (!last)
		return os_walk_failed(w, name, w->flags & OS_WALK_MAKE ? EEXIST : ENOTDIR);
	*done = true;
	return os_walk_finish(w, name, &st, out);
}

static struct err *os_walk_steps(struct walk *w, struct os_place *out)
{
	bool done = false;

	while (!done) {
		size_t from = 0, end;
		struct str part;

		while (from < w->rest.n && w->rest.p[from] == '/')
			from++;
		if (from == w->rest.n)
			break;
		end = size_min(str_find_char(w->rest, '/', from), w->rest.n);
		part = str_sub(w->rest, from, end);
		w->rest = str_sub(w->rest, end, w->rest.n);
		if (str_is(part, "."))
			continue;
		if (str_is(part, ".."))
			TRY(os_walk_go_up(w));
		else
			TRY(os_walk_step(w, str_c(w->a, part), !w->rest.n, out, &done));
	}
	if (done)
		return NULL;
	if (!os_walk_top(w)->inside || os_walk_top(w)->denied)
		return walk_is_outside(w);
	if (!(w->flags & OS_WALK_FOLDER))
		return err_help(
			err_new(E_NOT_A_FILE, "'%s' is a folder, not a regular file", w->shown),
			"name a file in it");
	*out = (struct os_place){.dirfd = *w->fd, .name = "."};
	if (fstat(*w->fd, &out->st))
		return err_errno(errno, "open '%s'", w->shown);
	return NULL;
}

/* made (may be NULL): OS_WALK_MAKE records the created folders there. CHANGED: try again. */
static struct err *os_resolve_within_roots(const struct os_roots *r, struct arena *a,
					   const char *path, const char *shown, unsigned flags,
					   struct os_made *made, struct os_place *out)
{
	struct walk w = {
		.r = r,
		.a = a,
		.shown = shown,
		.fd = os_defer_close(a, -1),
		.flags = flags,
		.made = made,
	};
	struct err *e = os_walk_begin(&w, str_of(path));

	if (!e)
		e = os_walk_steps(&w, out);
	if (e)
		os_close_fd(w.fd);
	return e;
}

/* ---- which folders are roots ---- */

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
		e = os_make_dirs(a, full, made);
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
