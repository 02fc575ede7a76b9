/*
 * The trees that list, glob, search and finders walk: a folder on disk without the files that Git
 * ignores, the assets below a path, or one file.
 */
#include "file/backend.h"
#include "garden/path.h"
#include "git/git.h"

#define IGNORE_MAX ((size_t)1 << 20)

/* ---- one file ---- */

struct one_tree {
	struct tree t;
	struct files *f;
	struct file_ref ref;
	struct tree_file file;
};

static struct err *one_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	return prefix.n ? NULL : fn(ctx, &((struct one_tree *)t)->file);
}

static struct err *one_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	const struct one_tree *one = (struct one_tree *)t;

	(void)f;
	return file_read(one->f, a, &one->ref, max, out);
}

static struct err *one_open(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size)
{
	const struct one_tree *one = (struct one_tree *)t;

	(void)f, (void)size;
	return os_open_file_in_roots(one->f->roots, one->f->cwd, one->ref.path, fd);
}

static const struct tree_ops one_asset_ops = {.each = one_each, .read = one_read};
static const struct tree_ops one_file_ops = {.each = one_each, .read = one_read, .open = one_open};

static struct tree *one_tree(struct files *f, const struct file_ref *r)
{
	struct one_tree *one = ARENA_NEW(f->a, struct one_tree);

	one->t.ops = r->backend == &backend_fs ? &one_file_ops : &one_asset_ops;
	one->t.name = r->shown;
	one->f = f;
	one->ref = *r;
	one->file.path = str_base(r->path);
	return &one->t;
}

/* ---- stored assets ---- */

struct asset_tree {
	struct tree t;
	struct files *f;
	struct str folder; /* the folder of the assets, with a slash at its end; or empty */
	struct asset_list list;
	bool folders;
	unsigned depth;
};

/* The end of the first `depth` folders in the path; its length if it has fewer. */
static size_t folder_end(struct str path, unsigned depth)
{
	size_t at = SIZE_MAX;

	for (unsigned i = 0; i < depth; i++) {
		at = str_find_char(path, '/', i ? at + 1 : 0);
		if (at == SIZE_MAX)
			return path.n;
	}
	return at;
}

static struct err *assets_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	const struct asset_tree *s = (struct asset_tree *)t;
	struct str before = STR("");

	for (size_t i = 0; i < s->list.n; i++) {
		struct tree_file f = {.path = s->list.p[i].path};

		f.path = str_sub(f.path, s->folder.n, f.path.n);
		if (prefix.n && (!str_starts(f.path, prefix) || f.path.n <= prefix.n ||
				 f.path.p[prefix.n] != '/'))
			continue;
		if (s->folders) {
			size_t at = SIZE_MAX,
			       last = folder_end(f.path, s->depth ? s->depth : OS_PATH_MAX);

			/* Reports the folders of the path that the path before it does not have. */
			while ((at = str_find_char(f.path, '/', at + 1)) != SIZE_MAX &&
			       at <= last) {
				struct tree_file folder = {
					str_sub(f.path, 0, at), TREE_FOLDER, {0}, 0};

				if (!str_starts(before, str_sub(f.path, 0, at + 1)))
					TRY(fn(ctx, &folder));
			}
		}
		before = f.path;
		if (!s->depth || folder_end(f.path, s->depth) == f.path.n)
			TRY(fn(ctx, &f));
	}
	return NULL;
}

static struct err *assets_read(struct tree *t, struct arena *a, const struct tree_file *f,
			       size_t max, struct str *out)
{
	const struct asset_tree *s = (struct asset_tree *)t;
	struct str path = str_fmt(a, "%.*s%.*s", STR_ARG(s->folder), STR_ARG(f->path));

	return backend_asset.read(s->f, a, path, max, out);
}

static const struct tree_ops asset_ops = {.each = assets_each, .read = assets_read};

ORDER_OF(asset_cmp, struct asset, ORDER_STR(path))

struct err *backend_asset_tree(struct files *f, struct str path, const struct file_walk *w,
			       struct tree **out)
{
	struct asset_tree *s = ARENA_NEW(f->a, struct asset_tree);

	s->t = (struct tree){&asset_ops, STR("the stored assets")};
	s->f = f;
	s->folders = w->folders;
	s->depth = w->depth;
	if (path.n)
		s->folder = str_fmt(f->a, "%.*s/", STR_ARG(path));
	TRY(asset_list_by_prefix(f->assets, f->a, path, &s->list));
	VEC_SORT(&s->list, asset_cmp);
	*out = &s->t;
	return NULL;
}

/* ---- folders on disk ---- */

struct rules VEC(struct tree_rules);

/*
 * Collects the ignore rules above `start`, a physical path: the user's, the clone's, and each
 * .gitignore from the repository's top down. If Git finds no repository, or trusts none, there are
 * no rules.
 */
static struct err *rules_above(struct arena *a, struct str start, struct rules *rules)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
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
		if (str_starts(text, bom))
			text = str_sub(text, bom.n, text.n);
		while (str_next_line(&text, &line))
			strs_push(a, &r.lines, line);
		*VEC_PUSH(a, rules) = r;
	}
	return NULL;
}

struct fs_walk {
	struct arena *a;
	const struct os_roots *roots;
	struct file_walk w;
	const char *start; /* its folder, without links */
	const char *
		garden; /* the garden's folder, without links; NULL: history copies are no matter */
	/* The indexes of the repositories in which something is ignored, as they are met. */
	struct {
		struct walk_index {
			struct str at;     /* the repository, below the start; empty: around it */
			struct str prefix; /* the start below its top, with a slash; or empty */
			struct tree *t;    /* NULL: it cannot be read */
		} * p;
		size_t n, cap;
	} indexes;
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

struct err *backend_fs_tree(struct files *f, struct str path, const struct file_walk *w,
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

/* ---- either ---- */

struct err *file_ref_or_folder(struct files *f, struct str text, struct file_ref *out)
{
	struct str scheme = STR(ASSET_SCHEME), folder = text;

	if (!str_starts(text, scheme))
		return file_ref_resolve(f, text, out);
	while (folder.n > scheme.n && folder.p[folder.n - 1] == '/')
		folder.n--;
	if (folder.n > scheme.n)
		TRY(file_ref_resolve(f, folder, out));
	else
		*out = (struct file_ref){.backend = &backend_asset, .path = STR("")};
	out->shown = text;
	return NULL;
}

struct err *file_tree(struct files *f, const struct file_ref *r, const struct file_walk *w,
		      struct tree **out, bool *file)
{
	struct file_stat st;
	struct str none;

	TRY(file_stat(f, r, &st));
	*file = st.kind == OS_FILE;
	switch (st.kind) {
	case OS_FILE: *out = one_tree(f, r); return NULL;
	case OS_DIR: return r->backend->tree(f, r->path, w, out);
	case OS_NONE:
		/* The backend's error says most. */
		TRY(file_read(f, f->a, r, 0, &none));
		return err_new(E_FILE_NOT_FOUND, "'%.*s' is not there", STR_ARG(r->shown));
	case OS_LINK:
	case OS_OTHER: break;
	}
	return err_help(
		err_new(E_NOT_A_FILE, "'%.*s' is neither a file nor a folder", STR_ARG(r->shown)),
		"name a file or a folder");
}

struct str file_path_shown(struct arena *a, const struct file_ref *r, bool file, struct str path)
{
	struct str folder = r->shown;
	struct buf b = buf_in(a);

	if (file)
		return r->shown;
	if (str_is(folder, "."))
		return path;
	/* str_fmt() cannot be used, because a name may have any bytes. */
	buf_put(&b, folder);
	if (folder.p[folder.n - 1] != '/')
		buf_putc(&b, '/');
	buf_put(&b, path);
	return buf_as_str(&b);
}
