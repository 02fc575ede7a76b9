/*
 * Resolves a path part by part. Each part is opened with O_PATH and O_NOFOLLOW from the folder
 * before it, so no process can swap a folder for a link between check and use. A link's target is
 * prepended to the rest; ".." goes only back to the folder that the walk came from. At every step
 * the walk knows which folders are roots and which are denied.
 */
#include "os/os.h"
#include "os/internal.h"
#include <errno.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#define LINKS_MAX 40 /* the kernel's own limit */

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

bool os_is_below(struct str path, struct str dir)
{
	return str_is(dir, "/") ? str_starts(path, dir) : str_is_below(path, dir);
}

bool os_is_git_name(struct str part)
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

static void walk_set_fd(struct walk *w, int fd)
{
	if (*w->fd >= 0)
		close(*w->fd);
	*w->fd = fd;
}

static void os_walk_enter(struct walk *w, int fd, const struct stat *st, bool denied_name)
{
	struct level up = {0}, *l;

	if (w->levels.n)
		up = *os_walk_top(w);
	walk_set_fd(w, fd);
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
	walk_set_fd(w, fd);
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
	int dirfd;

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
		if (os_sync_dir(*w->fd))
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

struct err *os_resolve_within_roots(const struct os_roots *r, struct arena *a, const char *path,
				    const char *shown, unsigned flags, struct os_made *made,
				    struct os_place *out)
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
		os_close_deferred(w.fd);
	return e;
}
