/*
 * The backend of files. A writer locks the file's folder before it reads, and unlocks it after its
 * event has ended. A lock on the file itself would be lost with the rename.
 */
#include "file/backend.h"
#include "garden/path.h"
#include "git/git.h"

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

/* A name in the folder, for a suggestion: in another case, misspelled, or with an extension. */
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
		/* A link to nothing has exactly this name. */
		if (!str_eq(other, name))
			strs_push(a, &others, other);
	}
	name = str_nearest(name, &others);
	arena_free(a);
	return name.n ? name : ending;
}

/* Adds a similar name to the error FILE_NOT_FOUND: of the file, or of the first folder that lacks.
 */
static struct err *not_there(struct files *f, struct str path, struct err *e)
{
	struct str rest = STR(""), dir, near, name;
	struct strs names = {0};
	struct err *none;
	struct arena *a;
	int fd;

	if (!e || err_reason(e) != E_FILE_NOT_FOUND || str_ends(path, STR("/")))
		return e;
	a = arena_new();
	for (;;) {
		dir = str_sub(path, 0, str_rfind_char(path, '/') + 1);
		name = str_sub(path, dir.n, path.n);
		if (!name.n)
			break;
		none = os_roots_open_dir(f->roots, a, f->cwd, dir.n ? dir : STR("."), &fd);
		if (none && err_reason(none) != E_FILE_NOT_FOUND)
			name.n = 0;
		if (!none || !name.n)
			break;
		rest = str_fmt(a, "/%.*s%.*s", STR_ARG(name), STR_ARG(rest));
		path = str_sub(dir, 0, dir.n ? dir.n - 1 : 0);
	}
	if (name.n && !os_list_at(a, fd, ".", &names)) {
		near = meant(name, &names);
		if (near.n)
			err_help(e, "did you mean '%.*s%.*s%.*s'?", STR_ARG(dir), STR_ARG(near),
				 STR_ARG(rest));
	}
	arena_free(a);
	return e;
}

static struct err *fs_open(struct files *f, struct str path, int *fd)
{
	return not_there(f, path, os_open_file_in_roots(f->roots, f->cwd, path, fd));
}

static struct err *fs_read(struct files *f, struct arena *a, struct str path, size_t max,
			   struct str *out)
{
	return not_there(f, path, os_roots_read(f->roots, a, f->cwd, path, max, out));
}

/* ---- places to write, locked ---- */

/* A locked folder, for all items in it. */
struct folder {
	struct os_stat st;
	struct arena *a; /* holds the open folder until it is locked */
	int dirfd;
	struct str shown;
	const char *path; /* absolute */
};

/* The place of an item. */
struct spot {
	const char *shown;
	int dirfd;
	const char *name;
	struct os_made *made; /* the folders that were made for it */
};

struct locking {
	struct file_change *c;
	struct arena *a; /* of one attempt: its locks end with it */
	struct folder *p;
	size_t n, cap;
};

static struct err *want_folder(struct err *e)
{
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		err_help(e, err_has_help(e) ? "or give --parents"
					    : "its folder is missing: make it, or give --parents");
	return e;
}

ORDER_OF(fs_folder_order, struct folder, ORDER_UP(st.dev) || ORDER_UP(st.ino))

static void fs_folders_close(void *p)
{
	const struct locking *l = p;

	for (size_t i = 0; i < l->n; i++)
		arena_free(l->p[i].a);
}

/*
 * Finds the place of an item. moved NULL: nothing is locked yet, and its folder joins the list.
 * Else *moved: its folder is not among the locked ones.
 */
static struct err *fs_locate(struct locking *l, struct file_item *it, bool *moved)
{
	struct folder one = {.shown = dir_of(it->ref.path), .a = arena_new()};
	struct spot *spot = it->place;
	const struct folder *d = NULL;
	const char *name;
	struct err *e = (it->itself ? os_roots_parent_nofollow : os_roots_parent)(
		l->c->f->roots, one.a, l->c->f->cwd, it->ref.path, &one.dirfd, &name);

	if (!e)
		e = os_stat_at(one.dirfd, ".", str_c(one.a, it->ref.path), &one.st);
	e = want_folder(e);
	spot->dirfd = -1;
	for (size_t i = 0; !e && i < l->n && !d; i++)
		if (l->p[i].st.dev == one.st.dev && l->p[i].st.ino == one.st.ino)
			d = &l->p[i];
	if (!e && !d && !moved) {
		*VEC_PUSH(l->a, l) = one;
		return NULL;
	}
	if (d && moved) {
		spot->dirfd = d->dirfd;
		spot->name = str_c(l->c->a, str_of(name));
		it->where = str_of(os_join(l->c->a, d->path, name));
	}
	if (moved)
		*moved = !e && !d;
	arena_free(one.a);
	return e && it->optional && err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
}

/* *again: a folder was replaced during the wait, so its lock protects nothing. */
static struct err *fs_lock_try(struct file_change *c, struct arena *a, bool *again)
{
	struct locking *l = ARENA_NEW(a, struct locking);

	*l = (struct locking){.c = c, .a = a};
	arena_defer(a, fs_folders_close, l);
	for (size_t i = 0; i < c->n; i++)
		if (c->p[i].ref.backend == &backend_fs)
			TRY(fs_locate(l, &c->p[i], NULL));
	/* Always lock in the same order, so that two changes never wait for each other. */
	VEC_SORT(l, fs_folder_order);
	for (size_t i = 0; i < l->n; i++) {
		struct folder *d = &l->p[i];
		struct os_lock *lock;

		/* The lock keeps the folder open: at most one descriptor a folder. */
		TRY(os_lock_fd(l->a, d->dirfd, str_c(l->a, d->shown), LOCK_MS, &lock));
		d->dirfd = os_lock_get_dirfd(lock);
		arena_free(d->a);
		d->a = NULL;
		TRY(os_fd_path(l->a, d->dirfd, &d->path));
	}
	for (size_t i = 0; i < c->n && !*again; i++)
		if (c->p[i].ref.backend == &backend_fs)
			TRY(fs_locate(l, &c->p[i], again));
	return NULL;
}

/* Removes folders that were made for items that do not exist. */
static void fs_unmake(void *p)
{
	const struct file_change *c = p;

	for (size_t i = c->n; i--;) {
		struct spot *spot = c->p[i].place;

		if (c->p[i].ref.backend != &backend_fs || !spot || c->p[i].there)
			continue;
		os_unmake(spot->made);
		spot->made = NULL;
	}
}

static void fs_unlock(void *a)
{
	arena_free(a);
}

static struct err *fs_lock(struct file_change *c)
{
	struct files *f = c->f;
	bool again = true;

	if (f->events && db_is_writing(f->events->db))
		BUG("a file changes within an open transaction of the store");
	arena_defer(c->a, fs_unmake, c);
	for (size_t i = 0; i < c->n; i++) {
		struct file_item *it = &c->p[i];
		struct spot *spot;

		if (it->ref.backend != &backend_fs)
			continue;
		it->place = spot = ARENA_NEW(c->a, struct spot);
		spot->shown = str_c(c->a, it->ref.path);
		if (it->parents)
			TRY(os_roots_mkdirs(f->roots, c->a, f->cwd, dir_of(it->ref.path), 0777,
					    &spot->made));
	}
	for (int tries = 0; again && tries < TRIES; tries++) {
		struct arena *a = arena_new();
		struct err *e;

		again = false;
		e = fs_lock_try(c, a, &again);
		if (e || again)
			arena_free(a);
		else
			arena_defer(c->a, fs_unlock, a);
		TRY(e);
	}
	if (again)
		return err_new(E_CHANGED, "the folder of '%.*s' is being replaced again and again",
			       STR_ARG(c->p[0].ref.shown));
	/* Deferred again to run before the locks end: the last deferred function runs first. */
	arena_defer(c->a, fs_unmake, c);
	return NULL;
}

static struct err *fs_look(struct file_change *c, struct file_item *it)
{
	const struct spot *p = it->place;
	struct err *e = NULL;
	struct os_stat st;

	it->there = false;
	it->content = it->hash = (struct str){0};
	it->mode = 0;
	if (p->dirfd < 0)
		return NULL;
	if (!it->unread)
		e = os_read_at(c->a, p->dirfd, p->name, p->shown, FILE_BYTES_MAX, &it->content);
	if (e)
		return err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
	TRY(os_stat_at(p->dirfd, p->name, p->shown, &st));
	it->there = st.kind != OS_NONE;
	it->mode = st.mode & 0777;
	return NULL;
}

/* ---- changing ---- */

static struct err *breaks_links(struct err *e)
{
	if (e && err_reason(e) == E_HARD_LINKED)
		err_help(e, "allow it with breakLinks, or write a file that has no other names");
	return e;
}

/*
 * Whether a failed write has put its content and mode in place: the fsync of the folder may have
 * failed after that.
 */
static bool is_in_place(struct file_change *c, const struct spot *p, struct str new, unsigned flags)
{
	struct os_stat st;
	struct str now;

	if (os_stat_at(p->dirfd, p->name, p->shown, &st) || (st.kind == OS_FILE) != (new.p != NULL))
		return false;
	if (new.p && flags &OS_MODE_GIVEN && (st.mode & 0777) != OS_MODE_OF(flags))
		return false;
	return !new.p || (!os_read_at(c->a, p->dirfd, p->name, p->shown, FILE_BYTES_MAX, &now) &&
			  str_eq(now, new));
}

static struct err *fs_check(struct file_change *c, const struct file_step *s)
{
	const struct file_item *source = s->from ? s->from : s->at;
	const struct spot *p = source->place, *at = s->at->place;

	(void)c;
	if (at->dirfd < 0)
		return want_folder(
			err_new(E_FILE_NOT_FOUND, "the folder of '%s' is missing", at->shown));
	if (!source->there || !s->changes || !(s->from || s->new.p))
		return NULL;
	return breaks_links(
		os_check_write_at(p->dirfd, p->name, p->shown, s->w.flags & OS_BREAK_LINKS));
}

static struct err *fs_write(struct file_change *c, struct file_step *s, struct str content,
			    unsigned flags)
{
	const struct spot *p = s->at->place;
	unsigned lost = 0;
	struct err *e = os_write_at(p->dirfd, p->name, p->shown, content, flags, &lost);

	if (!e) {
		static const struct {
			unsigned lost;
			const char *before, *after;
		} said[] = {
			{OS_LOST_OWNER, "the owner of", "could not be kept: it is yours now"},
			{OS_LOST_SETID, "the setuid and setgid bits of",
			 "were removed, because its content changed"},
			{OS_LOST_ATTRIBUTES, "the ACL or extended attributes of",
			 "could not be kept"},
		};

		for (size_t i = 0; i < ARRAY_SIZE(said); i++)
			if (lost & said[i].lost)
				strs_push(c->f->a, &s->done.warnings,
					  str_fmt(c->f->a, "%s '%s' %s", said[i].before, p->shown,
						  said[i].after));
	}
	return breaks_links(e);
}

static bool has_moved(const struct spot *a)
{
	struct os_stat st;

	return !os_stat_at(a->dirfd, a->name, a->shown, &st) && st.kind == OS_NONE;
}

/* Moves the file first. If the new content cannot be written there, it moves the file back. */
static struct err *fs_put_moved(struct file_change *c, struct file_step *s, enum file_outcome *out)
{
	const struct spot *a = s->from->place, *b = s->at->place;
	struct str new = s->new.p ? s->new : s->was;
	bool back = false;
	struct err *e = os_move_at(a->dirfd, a->name, b->dirfd, b->name, a->shown);

	if (s->changes && !e) {
		e = fs_write(c, s, new, s->w.flags & (OS_BREAK_LINKS | OS_MODE_ALL));
		back = e && !is_in_place(c, b, new, s->w.flags);
	} else if (s->changes) {
		back = has_moved(a);
	}
	if (back && os_move_at(b->dirfd, b->name, a->dirfd, a->name, b->shown))
		*out = FILE_HALF;
	else
		*out = !e || has_moved(a) ? FILE_DONE : FILE_NOT_DONE;
	return e;
}

static struct err *fs_put(struct file_change *c, struct file_step *s, enum file_outcome *out)
{
	const struct spot *p = s->at->place;
	bool there = s->at->there;
	struct err *e;

	if (s->from)
		return fs_put_moved(c, s, out);
	/* A file that was missing at the begin must still be missing now. */
	if (s->new.p)
		e = fs_write(c, s, s->new,
			     (s->w.flags & (OS_BREAK_LINKS | OS_EXECUTABLE | OS_MODE_ALL)) |
				     (there ? 0 : OS_EXCLUSIVE));
	else
		e = os_remove_at(p->dirfd, p->name, p->shown);
	if (e && !there && err_reason(e) == E_EXISTS)
		return err_new(E_CHANGED, "'%s' was created by another process meanwhile",
			       p->shown);
	*out = !e || is_in_place(c, p, s->new, s->w.flags) ? FILE_DONE : FILE_NOT_DONE;
	return e;
}

static struct err *fs_mkdir(struct files *f, struct str path, bool *made)
{
	struct arena *a = arena_new();
	struct os_made *dirs;
	struct err *e = os_roots_mkdirs(f->roots, a, f->cwd, path, 0777, &dirs);

	*made = !e && dirs;
	arena_free(a);
	return e;
}

/* ---- the tree: a folder without the files that Git ignores ---- */

#define IGNORE_MAX ((size_t)1 << 20)

struct rules VEC(struct tree_rules);

/*
 * Collects the ignore rules above `start`, a physical path: the user's, the clone's, and each
 * .gitignore from the repository's top down. If Git finds no repository, or trusts none, there are
 * no rules.
 */
static struct err *rules_above(struct arena *a, struct str start, struct rules *rules)
{
	struct tree_rules user = {.user = true}, clone = {0};
	struct str top, rest = start, part, text, line;
	struct os_stat st;
	struct git *git;

	while (str_next_part(&rest, '/', &part))
		if (str_is(part, ".git"))
			return NULL;
	if (git_open(a, start.p, &git) || git_is_bare(git))
		return NULL;
	top = str_of(git_top(git));
	if (str_is(top, "/"))
		top.n = 0;
	if (!str_starts(start, top) || (start.n > top.n && start.p[top.n] != '/'))
		return NULL;
	TRY(git_excludes(git, &user.lines, &clone.lines));
	user.at = clone.at = str_sub(start, top.n + 1, start.n);
	*VEC_PUSH(a, rules) = user;
	*VEC_PUSH(a, rules) = clone;
	for (size_t at = top.n; (at = str_find_char(start, '/', at)) != SIZE_MAX; at++) {
		const char *path =
			os_join(a, at ? str_c(a, str_sub(start, 0, at)) : "/", ".gitignore");
		struct tree_rules r = {.at = str_sub(start, at + 1, start.n)};

		/* Git does not follow a link of that name. */
		if (os_stat(path, false, &st) || st.kind != OS_FILE)
			continue;
		TRY(os_read_path(a, path, IGNORE_MAX, &text));
		if (str_starts(text, STR(FILE_BOM)))
			text = str_sub(text, strlen(FILE_BOM), text.n);
		while (str_next_line(&text, &line))
			strs_push(a, &r.lines, line);
		*VEC_PUSH(a, rules) = r;
	}
	return NULL;
}

struct walk_index {
	struct str at;     /* the repository, below the start; empty: around it */
	struct str prefix; /* the start below its top, with a slash; or empty */
	struct tree *t;    /* NULL: it cannot be read */
};
struct fs_walk {
	struct arena *a;
	const struct os_roots *roots;
	struct file_walk w;
	const char *start; /* its folder, without links */
	const char *
		garden; /* the garden's folder, without links; NULL: history copies are no matter */
	/* The indexes of the repositories in which something is ignored, as they are met. */
	struct VEC(struct walk_index) indexes;
};

/* Whether a path is a folder of the garden's history copies. */
static bool file_walk_is_history(const struct fs_walk *walk, struct str path)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct garden_path at;
	size_t top;

	if (!walk->garden || !str_ends(path, STR("history")))
		return false;
	a = arena_new();
	path = str_of(os_join(a, walk->start, str_c(a, path)));
	top = strlen(walk->garden);
	return str_ends(path, STR("/history")) && str_starts(path, str_of(walk->garden)) &&
	       path.p[top] == '/' && garden_path_is_folder(str_sub(path, top + 1, path.n), &at) &&
	       garden_grammar[at.kind].frozen;
}

/*
 * Whether the folder is a working tree that git-worktree(1) linked to the repository around it: it
 * has the same files again.
 */
static bool file_walk_is_linked(struct arena *a, const char *folder)
{
	static const struct str begin = STR_INIT("gitdir: ");
	struct str text, all;
	const char *common;
	struct git *around;

	if (os_read_path(a, os_join(a, folder, ".git"), OS_PATH_MAX, &text) ||
	    !str_starts(text, begin))
		return false;
	text = str_trim(str_sub(text, begin.n, text.n));
	all = str_sub(text, 0, str_rfind_char(text, '/'));
	if (!str_ends(all, STR("/worktrees")))
		return false;
	return !os_realpath(a,
			    str_starts(all, STR("/"))
				    ? os_join(a, str_c(a, all), "..")
				    : os_join(a, folder, os_join(a, str_c(a, all), "..")),
			    &common) &&
	       !git_open(a, os_join(a, folder, ".."), &around) &&
	       !strcmp(git_common_dir(around), common);
}

/* Folders of the garden's users are left out for one reason only. */
static bool file_walk_is_user(const struct fs_walk *walk, struct str path)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str full = str_of(os_join(a, walk->start, str_c(a, path)));

	return walk->garden && str_eq(str_sub(full, 0, str_rfind_char(full, '/')),
				      str_of(os_join(a, walk->garden, "users")));
}

static bool file_walk_leaves(void *ctx, const struct tree_folder *folder)
{
	const struct fs_walk *walk = ctx;
	struct file_left *left = walk->w.left;
	struct str path = folder->path;
	char name[OS_PATH_MAX];

	snprintf(name, sizeof(name), "%.*s", STR_ARG(str_base(path)));
	if (walk->roots && os_roots_is_outside(walk->roots, name, folder->dev, folder->ino)) {
		if (left && file_walk_is_user(walk, path))
			strs_push(walk->a, &left->closed, path);
		return true;
	}
	if (!left || walk->w.all)
		return false;
	if (!walk->w.copies && file_walk_is_history(walk, path)) {
		left->copies++;
		return true;
	}
	if (folder->repository) {
		struct arena *a ARENA_LOCAL = arena_new();

		if (file_walk_is_linked(a, os_join(a, walk->start, str_c(a, path)))) {
			strs_push(walk->a, &left->worktrees, path);
			return true;
		}
	}
	return false;
}

static void file_walk_trouble(void *ctx, struct str path, const struct err *e)
{
	const struct fs_walk *walk = ctx;

	walk->w.trouble(walk->w.ctx, path, e);
}

/* ---- tracked files that are ignored ---- */

static struct walk_index *file_walk_index(struct fs_walk *walk, struct str repository)
{
	struct walk_index *ix;
	struct err *e = NULL;
	const char *at;
	struct git *git;
	struct str top;

	for (size_t i = 0; i < walk->indexes.n; i++)
		if (str_eq(walk->indexes.p[i].at, repository))
			return &walk->indexes.p[i];
	ix = VEC_PUSH(walk->a, &walk->indexes);
	*ix = (struct walk_index){.at = str_dup(walk->a, repository)};
	at = os_join(walk->a, walk->start, str_c(walk->a, ix->at));
	/* Where Git finds no repository, or trusts none, nothing is tracked. */
	if (!git_open(walk->a, at, &git) && !git_is_bare(git)) {
		top = str_of(git_top(git));
		if (!ix->at.n && str_starts(str_of(walk->start), top) && walk->start[top.n] == '/')
			ix->prefix = str_fmt(walk->a, "%s/", walk->start + top.n + 1);
		e = git_tree_index_skip_conflicts(git, &ix->t);
	}
	if (e && walk->w.trouble)
		walk->w.trouble(walk->w.ctx, repository, e);
	if (e)
		ix->t = NULL;
	return ix;
}

struct walk_tracked {
	struct fs_walk *walk;
	const struct walk_index *ix;
};

static struct err *file_walk_add_tracked(void *ctx, const struct tree_file *f)
{
	const struct walk_tracked *t = ctx;
	struct fs_walk *walk = t->walk;
	struct str path = str_sub(f->path, t->ix->prefix.n, f->path.n);
	struct os_stat st;
	size_t depth = 1;

	if (t->ix->at.n)
		path = str_fmt(walk->a, "%.*s/%.*s", STR_ARG(t->ix->at), STR_ARG(path));
	for (size_t i = 0; i < path.n; i++)
		depth += path.p[i] == '/';
	if ((!walk->w.depth || depth <= walk->w.depth) &&
	    !os_stat(os_join(walk->a, walk->start, str_c(walk->a, path)), false, &st) &&
	    st.kind == OS_FILE)
		strs_push(walk->a, &walk->w.left->tracked, str_dup(walk->a, path));
	return NULL;
}

static void file_walk_ignored(void *ctx, struct str path, bool is_dir, struct str repository)
{
	struct fs_walk *walk = ctx;
	struct walk_index *ix = file_walk_index(walk, repository);
	struct walk_tracked tracked = {walk, ix};
	struct arena *a ARENA_LOCAL = arena_new();
	struct tree_file f;
	bool found = false;
	struct err *e;

	if (!ix->t)
		return;
	path = str_fmt(a, "%.*s%.*s", STR_ARG(ix->prefix),
		       STR_ARG(str_sub(path, ix->at.n + (ix->at.n > 0), path.n)));
	if (is_dir)
		e = tree_foreach(ix->t, path, file_walk_add_tracked, &tracked);
	else
		e = tree_find(ix->t, path, &f, &found);
	if (!e && found)
		e = file_walk_add_tracked(&tracked, &f);
	if (e && walk->w.trouble)
		walk->w.trouble(walk->w.ctx, path, e);
}

static struct err *fs_tree(struct files *f, struct str path, const struct file_walk *w,
			   struct tree **out)
{
	struct fs_walk *walk = ARENA_NEW(f->a, struct fs_walk);
	struct tree_dir_options o = {
		.ignore = !w->all,
		.nested = true,
		.folders = w->folders,
		.depth = w->depth,
		.leave_out = f->roots || w->left ? file_walk_leaves : NULL,
		.ignored = w->left ? file_walk_ignored : NULL,
		.trouble = w->trouble ? file_walk_trouble : NULL,
		.ctx = walk,
	};
	struct rules rules = {0};
	struct err *e;
	int fd;

	*walk = (struct fs_walk){.a = f->a, .roots = f->roots, .w = *w};
	TRY(os_roots_open_dir(f->roots, f->a, f->cwd, path, &fd));
	if (!w->all || w->left)
		TRY(os_fd_path(f->a, fd, &walk->start));
	if (!w->left || !f->garden || os_realpath(f->a, f->garden, &walk->garden))
		walk->garden = NULL;
	if (!w->all) {
		e = rules_above(f->a, str_of(walk->start), &rules);
		if (e && !w->trouble)
			return e;
		if (e)
			w->trouble(w->ctx, STR(""), e);
	}
	o.above = rules.p;
	o.above_n = rules.n;
	*out = tree_of_folder_at(f->a, fd, str_c(f->a, path), &o);
	return NULL;
}

/* ---- the backend ---- */

const struct backend backend_fs = {
	.name = "file",
	.stat = fs_stat,
	.open = fs_open,
	.read = fs_read,
	.lock = fs_lock,
	.look = fs_look,
	.check = fs_check,
	.put = fs_put,
	.tree = fs_tree,
	.mkdir = fs_mkdir,
};
