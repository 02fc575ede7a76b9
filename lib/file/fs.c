/*
 * The backend of plain files. A writer holds the lock of the file's folder from before it reads
 * until its record is ended; a lock on the file itself would die with the rename.
 */
#include "file/backend.h"

#define LOCK_MS 30000
#define TRIES   16

static struct str dir_of(struct str path)
{
	size_t slash;

	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	slash = str_rfind_char(path, '/');
	if (slash == SIZE_MAX)
		return STR(".");
	return slash ? str_sub(path, 0, slash) : STR("/");
}

/* ---- reading ---- */

static struct err *fs_stat(struct files *f, struct str path, struct file_stat *out)
{
	struct os_stat st;

	TRY(os_roots_stat(f->roots, f->cwd, path, &st));
	*out = (struct file_stat){st.kind, st.size, st.mode & 0777};
	return NULL;
}

/* The name in the folder that was probably meant: in other case, mistyped, or without its
 * ending. */
static struct str meant(struct str name, const struct strs *names)
{
	struct strs others = {0};
	struct str ending = {"", 0};
	struct arena *a = arena_new();

	for (size_t i = 0; i < names->n; i++) {
		struct str other = names->p[i];

		if (!str_eq(other, name) && str_ieq(other, name)) {
			arena_free(a);
			return other;
		}
		if (str_starts(other, name) && other.n > name.n && other.p[name.n] == '.')
			ending = other;
		/* A link that leads nowhere has the very name. */
		if (!str_eq(other, name))
			strs_push(a, &others, other);
	}
	name = str_nearest(name, &others);
	arena_free(a);
	return name.n ? name : ending;
}

/* What is not there, with a name of its folder that is near. */
static struct err *not_there(struct files *f, struct str path, struct err *e)
{
	struct str dir = str_sub(path, 0, str_rfind_char(path, '/') + 1), near;
	struct str name = str_sub(path, dir.n, path.n);
	struct strs names = {0};
	struct arena *a;
	int fd;

	if (!e || err_reason(e) != E_FILE_NOT_FOUND || !name.n)
		return e;
	a = arena_new();
	if (!os_roots_dir(f->roots, a, f->cwd, dir.n ? dir : STR("."), &fd) &&
	    !os_list(a, str_fmt(a, "/proc/self/fd/%d", fd).p, &names)) {
		near = meant(name, &names);
		if (near.n)
			err_help(e, "did you mean '%.*s%.*s'?", STR_ARG(dir), STR_ARG(near));
	}
	arena_free(a);
	return e;
}

static struct err *fs_open(struct files *f, struct str path, int *fd)
{
	return not_there(f, path, os_roots_open(f->roots, f->cwd, path, fd));
}

static struct err *fs_read(struct files *f, struct arena *a, struct str path, size_t max,
			   struct str *out)
{
	return not_there(f, path, os_roots_read(f->roots, a, f->cwd, path, max, out));
}

/* ---- a place to write, locked ---- */

struct spot {
	struct arena *a; /* what ends it releases the lock */
	const char *shown;
	int dirfd;
	const char *name;
	struct os_stat dir;
	struct str where; /* absolute */
};

typedef struct err *resolve_fn(const struct os_roots *r, struct arena *a, const char *cwd,
			       struct str path, int *dirfd, const char **name);

static struct err *fs_find(struct files *f, struct str path, resolve_fn *resolve, struct spot *p)
{
	p->shown = str_c(p->a, path);
	TRY(resolve(f->roots, p->a, f->cwd, path, &p->dirfd, &p->name));
	return os_stat_at(p->dirfd, ".", p->shown, &p->dir);
}

static bool same_dir(const struct spot *a, const struct spot *b)
{
	return a->dir.dev == b->dir.dev && a->dir.ino == b->dir.ino;
}

/* The physical path where the kernel tells it; without /proc the path as it was given. */
static struct err *name_it(struct files *f, struct str path, struct spot *p)
{
	const char *dir;

	if (os_fd_path(p->a, p->dirfd, &dir)) {
		dir = f->cwd;
		if (!dir)
			TRY(os_cwd(p->a, &dir));
		path = dir_of(path);
		if (str_starts(path, STR("/")))
			dir = str_c(p->a, path);
		else if (!str_is(path, "."))
			dir = os_join(p->a, dir, str_c(p->a, path));
	}
	p->where = str_of(os_join(p->a, dir, p->name));
	return NULL;
}

/* A folder that was replaced while we waited is locked for nobody: then again. */
static struct err *find_locked(struct files *f, struct str path, resolve_fn *resolve,
			       struct spot *p)
{
	struct spot first = *p;

	TRY(fs_find(f, path, resolve, &first));
	for (int tries = 0; tries < TRIES; tries++) {
		struct os_lock *lock;

		TRY(os_lock_fd(p->a, first.dirfd, str_c(p->a, dir_of(path)), LOCK_MS, &lock));
		TRY(fs_find(f, path, resolve, p));
		if (same_dir(&first, p))
			return name_it(f, path, p);
		os_unlock(lock);
		first = *p;
	}
	return err_new(E_CHANGED, "the folder of '%s' is replaced all the time", p->shown);
}

/* What is there; *old stays as it is when nothing is, and *there tells. */
static struct err *read_old(const struct spot *p, struct str *old, bool *there)
{
	struct err *e = os_read_at(p->a, p->dirfd, p->name, p->shown, FILE_BYTES_MAX, old);

	*there = !e;
	return e && err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
}

/* ---- changing ---- */

static void fs_warn(struct files *f, const struct spot *p, unsigned lost, struct strs *warnings)
{
	if (lost & OS_LOST_OWNER)
		strs_push(f->a, warnings,
			  str_fmt(f->a,
				  "the owner of '%s' could not be kept: it "
				  "is yours now",
				  p->shown));
	if (lost & OS_LOST_SETID)
		strs_push(f->a, warnings,
			  str_fmt(f->a,
				  "the setuid and setgid bits of '%s' are gone: "
				  "its content is another one",
				  p->shown));
	if (lost & OS_LOST_ATTRIBUTES)
		strs_push(f->a, warnings,
			  str_fmt(f->a,
				  "the ACL or extended attributes of '%s' "
				  "could not be kept",
				  p->shown));
}

static struct err *breaks_links(struct err *e)
{
	if (e && err_reason(e) == E_HARD_LINKED)
		err_help(e, "allow it with breakLinks, or write one that has no other names");
	return e;
}

static struct err *fs_put(struct files *f, const struct spot *p, bool there, struct str new,
			  unsigned flags, struct strs *warnings)
{
	unsigned lost = 0;
	struct err *e;

	if (!new.p)
		return os_remove_at(p->dirfd, p->name, p->shown);
	/* What was not there when fn was asked must not be there now. */
	flags &= OS_BREAK_LINKS | OS_EXECUTABLE | OS_MODE_ALL;
	e = os_write_at(p->dirfd, p->name, p->shown, new, flags | (there ? 0 : OS_EXCLUSIVE),
			&lost);
	if (e && !there && err_reason(e) == E_EXISTS)
		return err_new(E_CHANGED, "'%s' was made by somebody else meanwhile", p->shown);
	if (!e)
		fs_warn(f, p, lost, warnings);
	return breaks_links(e);
}

/* A write that failed at the fsync of the folder may have its new content and mode in place. */
static bool is_in_place(const struct spot *p, struct str new, unsigned flags)
{
	struct os_stat st;
	struct str now;
	bool there;

	if (read_old(p, &now, &there) || there != (new.p != NULL))
		return false;
	if (there && flags & OS_MODE_GIVEN &&
	    (os_stat_at(p->dirfd, p->name, p->shown, &st) || (st.mode & 0777) != OS_MODE_OF(flags)))
		return false;
	return !there || str_eq(now, new);
}

static struct err *change_at(struct files *f, const struct spot *p, const struct backend_change *c,
			     struct strs *warnings, bool *written)
{
	uint32_t mode, before_mode = 0;
	struct str old = {0}, new = {0};
	struct err *e, *unrecorded;
	struct os_stat st;
	bool there;

	TRY(read_old(p, &old, &there));
	if (there) {
		TRY(os_stat_at(p->dirfd, p->name, p->shown, &st));
		before_mode = st.mode & 0777;
	}
	mode = c->flags & OS_MODE_GIVEN ? OS_MODE_OF(c->flags) : before_mode;
	TRY(c->fn(c->ctx, p->a, there ? &old : NULL, &new));
	if (there == (new.p != NULL) && (!there || (str_eq(old, new) && mode == before_mode)))
		return NULL;
	/* What is refused is no event. */
	if (there && new.p)
		TRY(breaks_links(
			os_check_write_at(p->dirfd, p->name, p->shown, c->flags & OS_BREAK_LINKS)));
	TRY(c->begin(c->ctx, p->a, p->where, there ? &old : NULL, before_mode, new.p ? mode : 0));
	e = fs_put(f, p, there, new, c->flags, warnings);
	*written = !e || is_in_place(p, new, c->flags);
	unrecorded = c->end(c->ctx, p->a, *written ? NULL : e);
	if (unrecorded && !e)
		strs_push(f->a, warnings,
			  str_fmt(f->a, "the change is done, but its record stays open: %s",
				  err_message(unrecorded)));
	return e;
}

static struct err *want_folder(struct err *e)
{
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		err_help(e, "its folder is missing: make it, or ask for parents");
	return e;
}

static struct err *fs_change_in(struct files *f, struct arena *a, struct str path,
				const struct backend_change *c, struct strs *warnings)
{
	struct spot p = {.a = a};
	struct os_made *made = NULL;
	bool written = false;
	struct err *e = NULL;

	if (c->flags & OS_PARENTS)
		TRY(os_roots_mkdirs(f->roots, a, f->cwd, dir_of(path), 0777, &made));
	e = want_folder(find_locked(f, path, os_roots_parent, &p));
	if (!e)
		e = change_at(f, &p, c, warnings, &written);
	if (!written)
		os_unmake(made);
	return e;
}

static struct err *fs_change(struct files *f, struct str path, const struct backend_change *c,
			     struct strs *warnings)
{
	struct arena *a = arena_new();
	struct err *e = fs_change_in(f, a, path, c, warnings);

	arena_free(a);
	return e;
}

/* ---- folders and names ---- */

static struct err *fs_mkdir(struct files *f, struct str path, bool *made)
{
	struct arena *a = arena_new();
	struct os_made *dirs;
	struct err *e = os_roots_mkdirs(f->roots, a, f->cwd, path, 0777, &dirs);

	*made = !e && dirs;
	arena_free(a);
	return e;
}

/* Both folders, always in the same order: two moves that cross must not wait for each other. */
static struct err *lock_both(struct files *f, struct str from, struct str to, struct spot *a,
			     struct spot *b)
{
	bool to_first;

	TRY(fs_find(f, from, os_roots_entry, a));
	TRY(want_folder(fs_find(f, to, os_roots_entry, b)));
	if (same_dir(a, b)) {
		TRY(find_locked(f, from, os_roots_entry, a));
		TRY(fs_find(f, to, os_roots_entry, b));
		if (!same_dir(a, b))
			return err_new(E_CHANGED, "the folder of '%s' was replaced meanwhile",
				       b->shown);
		TRY(name_it(f, to, b));
	} else {
		to_first = b->dir.dev < a->dir.dev ||
			   (b->dir.dev == a->dir.dev && b->dir.ino < a->dir.ino);
		TRY(find_locked(f, to_first ? to : from, os_roots_entry, to_first ? b : a));
		TRY(find_locked(f, to_first ? from : to, os_roots_entry, to_first ? a : b));
	}
	return NULL;
}

/* The content and mode that the file is to have at its new place; what fails is moved back. */
static struct err *change_moved(struct files *f, const struct spot *a, const struct spot *b,
				const struct backend_move *m, struct str new, bool *left)
{
	unsigned lost = 0;
	struct err *e = os_write_at(b->dirfd, b->name, b->shown, new,
				    m->flags & (OS_BREAK_LINKS | OS_MODE_ALL), &lost);

	if (!e)
		fs_warn(f, b, lost, m->warnings);
	if (e && !is_in_place(b, new, m->flags))
		*left = os_move_at(b->dirfd, b->name, a->dirfd, a->name, b->shown) != NULL;
	return breaks_links(e);
}

static bool has_moved(const struct spot *a)
{
	struct os_stat st;

	return !os_stat_at(a->dirfd, a->name, a->shown, &st) && st.kind == OS_NONE;
}

static struct err *fs_move_in(struct files *f, struct arena *arena, struct str from, struct str to,
			      const struct backend_move *m)
{
	struct spot a = {.a = arena}, b = {.a = arena};
	struct os_stat was, there;
	struct str content = {0}, new = {0};
	bool left = false, changes;
	struct err *e, *unrecorded;

	TRY(lock_both(f, from, to, &a, &b));
	TRY(os_stat_at(a.dirfd, a.name, a.shown, &was));
	if (was.kind == OS_NONE)
		return err_new(E_FILE_NOT_FOUND, "there is no file '%s'", a.shown);
	TRY(os_stat_at(b.dirfd, b.name, b.shown, &there));
	if (there.kind != OS_NONE)
		return err_detail(err_new(E_EXISTS, "'%s' exists already", b.shown), "path", to);
	if (m->begin)
		TRY(os_read_at(arena, a.dirfd, a.name, a.shown, FILE_BYTES_MAX, &content));
	/* What is refused is no event. */
	if (m->changes)
		TRY(breaks_links(
			os_check_write_at(a.dirfd, a.name, a.shown, m->flags & OS_BREAK_LINKS)));
	if (m->begin)
		TRY(m->begin(m->ctx, arena, a.where, b.where, content, was.mode & 0777, &new));
	changes = new.p || (m->flags & OS_MODE_GIVEN && OS_MODE_OF(m->flags) != (was.mode & 0777));
	e = os_move_at(a.dirfd, a.name, b.dirfd, b.name, a.shown);
	if (changes && !e)
		e = change_moved(f, &a, &b, m, new.p ? new : content, &left);
	else if (changes && has_moved(&a))
		left = os_move_at(b.dirfd, b.name, a.dirfd, a.name, b.shown) != NULL;
	/* Neither as before nor as it is to be: the record stays open, and undo puts it back. */
	if (left)
		return e;
	unrecorded = m->end(m->ctx, arena, e && has_moved(&a) ? NULL : e);
	(void)unrecorded; /* whoever meets the open record settles it */
	return e;
}

static struct err *fs_move(struct files *f, struct str from, struct str to,
			   const struct backend_move *m)
{
	struct arena *a = arena_new();
	struct os_made *made = NULL;
	struct err *e = NULL;

	if (m->flags & OS_PARENTS)
		e = os_roots_mkdirs(f->roots, a, f->cwd, dir_of(to), 0777, &made);
	if (!e)
		e = fs_move_in(f, a, from, to, m);
	if (e)
		os_unmake(made);
	arena_free(a);
	return e;
}

const struct backend backend_fs = {
	.name = "file",
	.stat = fs_stat,
	.open = fs_open,
	.read = fs_read,
	.change = fs_change,
	.tree = backend_fs_tree,
	.mkdir = fs_mkdir,
	.move = fs_move,
};
