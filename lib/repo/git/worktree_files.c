/*
 * The working tree as git sees it: tracked files that exist, ignored or not, and files that could
 * be added. What a sparse checkout leaves out is unchanged for git, so the index has it. Neither
 * refreshes the index nor compares contents.
 */
#include "git/internal.h"
#include "os/os.h"
#include <sys/stat.h>

struct work_tree {
	struct tree t;
	struct git *g;
	struct tree *dir;        /* files that exist and are not ignored; reads every file */
	struct tree_files files; /* in byte order, once they were listed */
	struct strs skipped;     /* of these, what only the index has, in byte order */
	bool listed;
	bool has_ids;    /* files in the state that git recorded have the ids of the index */
	struct str real; /* the last folder known to be a real folder, not a link: its path with a
			    slash */
};

/* Patterns of the machine, the user and this clone; later patterns take precedence. */
static struct err *read_excludes(struct arena *a, const char *file, struct strs *out)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	struct os_stat st;
	struct str text, line;

	TRY(os_stat(file, true, &st));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(os_read_path(a, file, CONFIG_MAX, &text));
	if (str_starts(text, bom))
		text = str_sub(text, bom.n, text.n);
	while (str_next_line(&text, &line))
		if (line.n && line.p[0] != '#')
			strs_push(a, out, line);
	return NULL;
}

struct err *git_excludes(struct git *g, struct strs *user, struct strs *clone)
{
	const char *file, *xdg = os_env("XDG_CONFIG_HOME"), *home = os_env("HOME");
	struct arena *a = g->arena;

	TRY(git_setting(g, a, "core.excludesFile", &file));
	if (file)
		file = config_expand_home(a, file);
	else if (xdg)
		file = os_join(a, xdg, "git/ignore");
	else if (home)
		file = os_join(a, home, ".config/git/ignore");
	if (file && file[0])
		TRY(read_excludes(a, file[0] == '/' ? file : os_join(a, g->top, file), user));
	return read_excludes(a, os_join(a, g->common, "info/exclude"), clone);
}

/* Whether every part of the path above its last is a folder. Nothing behind a link is tracked. */
static struct err *in_real_folder(struct work_tree *w, struct str path, bool *yes)
{
	struct arena *a = w->g->arena;
	size_t slash = str_rfind_char(path, '/'), from = 0;
	struct os_stat st;

	*yes = slash == SIZE_MAX || str_eq(w->real, str_sub(path, 0, slash + 1));
	if (*yes)
		return NULL;
	while (from <= slash) {
		size_t end = str_find_char(path, '/', from);
		struct str folder = str_sub(path, 0, end + 1);

		from = end + 1;
		if (str_starts(w->real, folder))
			continue;
		TRY(os_stat(os_join(a, w->g->top, str_c(a, str_sub(folder, 0, end))), false, &st));
		if (st.kind != OS_DIR)
			return NULL;
		w->real = str_dup(a, folder);
	}
	*yes = true;
	return NULL;
}

/* A tracked file that the folder's listing lacks: ignored, or gone. */
static struct err *worktree_stat(struct work_tree *w, struct tree_file *f, bool *there)
{
	struct arena *a = w->g->arena;
	struct os_stat st = {0};
	struct err *e;
	bool real;

	*there = false;
	e = in_real_folder(w, f->path, &real);
	if (!e && real)
		e = os_stat(os_join(a, w->g->top, str_c(a, f->path)), false, &st);
	if (e || !real)
		return e;
	if (f->kind == TREE_SUBMODULE) {
		*there = st.kind == OS_DIR;
		return NULL;
	}
	*there = st.kind == OS_FILE || st.kind == OS_LINK;
	if (st.kind == OS_LINK)
		f->kind = TREE_LINK;
	else if (f->kind == TREE_LINK)
		f->kind = TREE_FILE;
	f->id_len = 0;
	return NULL;
}

ORDER_OF(file_cmp, struct tree_file, ORDER_STR(path))

static struct tree_file *lookup(struct work_tree *w, size_t n, struct str path)
{
	struct tree_file key = {.path = path};

	return n ? bsearch(&key, w->files.p, n, sizeof(key), file_cmp) : NULL;
}

static struct err *worktree_add_one(struct work_tree *w, struct tree_file *listed,
				    struct tree_file f, bool skipped)
{
	bool there;

	if (!listed) {
		struct tree_file recorded = f;

		TRY(worktree_stat(w, &f, &there));
		if (there || skipped)
			*VEC_PUSH(w->g->arena, &w->files) = there ? f : recorded;
		if (!there && skipped)
			strs_push(w->g->arena, &w->skipped, f.path);
	} else if (listed->kind == TREE_SUBMODULE && f.kind == TREE_SUBMODULE) {
		*listed = f;
	} else if (listed->kind == TREE_FILE && f.kind == TREE_EXEC) {
		/* The listing of a folder has no modes, so take the mode that the index records. */
		listed->kind = f.kind;
	}
	return NULL;
}

static struct err *worktree_list(struct work_tree *w)
{
	struct git *g = w->g;
	size_t n, k = 0;
	struct index ix;

	if (w->listed)
		return NULL;
	w->files.n = w->skipped.n = 0;
	TRY(tree_foreach(w->dir, STR(""), tree_collect, &w->files));
	/* Index and listing have the same order, and are merged. */
	n = w->files.n;
	TRY(index_file_read(g, &ix));
	for (size_t i = 0; i < ix.n; i++) {
		struct tree_file f = {
			.path = index_entry_path(&ix, i),
			.kind = (enum tree_kind)ix.p[i].kind,
			.id_len = g->id_len,
		};
		int c = -1;

		memcpy(f.id, ix.p[i].id, g->id_len);
		while (k < n && (c = str_cmp(w->files.p[k].path, f.path)) < 0)
			k++;
		TRY(worktree_add_one(w, k < n && !c ? &w->files.p[k] : NULL, f, ix.p[i].skipped));
	}
	for (size_t i = 0; i < ix.conflicts.n; i++)
		TRY(worktree_add_one(w, lookup(w, n, ix.conflicts.p[i]),
				     (struct tree_file){.path = ix.conflicts.p[i]}, false));
	if (w->files.n > n)
		VEC_SORT(&w->files, file_cmp);
	w->listed = true;
	return NULL;
}

static struct err *work_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct work_tree *w = (struct work_tree *)t;

	TRY(worktree_list(w));
	for (size_t i = 0; i < w->files.n; i++) {
		struct tree_file f = w->files.p[i];

		if (!prefix.n || (f.path.n > prefix.n && str_is_below(f.path, prefix)))
			TRY(fn(ctx, &f));
	}
	return NULL;
}

static struct err *work_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	struct work_tree *w = (struct work_tree *)t;
	struct tree_file *f;

	TRY(worktree_list(w));
	f = lookup(w, w->files.n, path);
	*found = f;
	if (f)
		*out = *f;
	return NULL;
}

static struct err *work_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			     struct str *out)
{
	struct work_tree *w = (struct work_tree *)t;

	if (w->skipped.n && strs_sorted_has(&w->skipped, f->path))
		return object_read(w->g, a, f->id, OBJECT_BLOB, max, out);
	return tree_read(w->dir, a, f, max, out);
}

/* ---- comparing ---- */

/*
 * Whether the file is in the state that git recorded, so that its content has the entry's id.
 * written: when the index was; a file that changed then or later may have another content.
 */
static bool index_entry_is_clean(const struct index_entry *e, const struct stat *now,
				 int64_t written)
{
	const unsigned char *p = e->stat;

	/* In the order of the format; all numbers are cut to 32 bits. */
	if (!p || git_be32(p) != (uint32_t)now->st_ctim.tv_sec ||
	    git_be32(p + 4) != (uint32_t)now->st_ctim.tv_nsec ||
	    git_be32(p + 8) != (uint32_t)now->st_mtim.tv_sec ||
	    git_be32(p + 12) != (uint32_t)now->st_mtim.tv_nsec ||
	    git_be32(p + 20) != (uint32_t)now->st_ino || git_be32(p + 36) != (uint32_t)now->st_size)
		return false;
	if (S_ISLNK(now->st_mode) != (e->kind == TREE_LINK) ||
	    (S_ISREG(now->st_mode) && !(now->st_mode & 0100) != (e->kind != TREE_EXEC)))
		return false;
	return os_timespec_ns(&now->st_mtim) < written;
}

/* The general comparison does the rest: *known stays false. */
static struct err *work_diff(struct arena *a, struct tree *base, struct tree *now,
			     struct tree_changes *out, bool *known)
{
	struct work_tree *w = (struct work_tree *)now;
	struct git *g = w->g;
	struct os_stat file;
	int64_t written;
	struct index ix;

	(void)a;
	(void)out;
	*known = false;
	if (!base || base->ops != &git_commit_ops || ((struct commit_tree *)base)->g != w->g ||
	    w->has_ids)
		return NULL;
	TRY(worktree_list(w));
	/* When the index was written, in nanoseconds; 0: unknown. */
	written = os_stat(g->index, true, &file) || file.kind != OS_FILE ? 0 : file.mtime_ns;
	/*
	 * Gives ids to the files that git would take for unchanged, so that comparing need not read
	 * them. An index that changes meanwhile, or that only git can read, costs time and nothing
	 * else.
	 */
	w->has_ids = true;
	TRY(index_file_read(g, &ix));
	for (size_t i = 0; i < ix.n && written; i++) {
		struct tree_file *f = lookup(w, w->files.n, index_entry_path(&ix, i));
		char path[2 * OS_PATH_MAX];
		struct stat st;

		if (!f || f->kind == TREE_SUBMODULE || f->id_len)
			continue;
		snprintf(path, sizeof(path), "%s/%.*s", g->top, STR_ARG(f->path));
		if (lstat(path, &st) || !index_entry_is_clean(&ix.p[i], &st, written))
			continue;
		f->kind = (enum tree_kind)ix.p[i].kind;
		f->id_len = g->id_len;
		memcpy(f->id, ix.p[i].id, g->id_len);
	}
	return NULL;
}

static const struct tree_ops work_ops = {
	.each = work_each, .find = work_find, .read = work_read, .diff = work_diff};

static struct err *worktree_new(struct git *g, struct tree_dir_options o, struct tree **out)
{
	struct work_tree *w;

	TRY(repo_require_worktree(g));
	w = ARENA_NEW(g->arena, struct work_tree);
	w->t = (struct tree){&work_ops, STR("the working tree")};
	w->g = g;
	w->files.a = g->arena;
	o.ignore = true;
	TRY(git_excludes(g, &o.excludes, &o.excludes));
	TRY(tree_of_folder(g->arena, g->top, &o, &w->dir));
	*out = &w->t;
	return NULL;
}

struct err *git_tree_worktree(struct git *g, struct tree **out)
{
	return worktree_new(g, (struct tree_dir_options){0}, out);
}

struct err *git_tree_worktree_skip_long(struct git *g, struct strs *too_long, struct tree **out)
{
	return worktree_new(g, (struct tree_dir_options){.too_long = too_long}, out);
}
