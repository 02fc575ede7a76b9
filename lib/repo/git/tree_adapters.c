/* The index and commits as trees (tree.h). */
#include "git/internal.h"
#include "os/os.h"

#define FILES_MAX  ((size_t)16 << 20) /* shared folders can make a tiny repository look endless */
#define PATH_LIMIT ((size_t)4096)
#define NAMED_MAX  5 /* conflicts that a message names */

static struct err *read_blob(struct git *g, struct arena *a, struct tree *t,
			     const struct tree_file *f, size_t max, struct str *out)
{
	if (f->kind == TREE_SUBMODULE)
		return err_new(E_NOT_A_FILE, "'%.*s' in %.*s is a submodule", STR_ARG(f->path),
			       STR_ARG(t->name));
	if (f->id_len != g->id_len)
		BUG("a file of another tree was given");
	TRY_IN(object_read(g, a, f->id, OBJECT_BLOB, max, out), "read '%.*s' in %.*s",
	       STR_ARG(f->path), STR_ARG(t->name));
	return NULL;
}

/* ---- the index ---- */

static void index_file(const struct index *ix, size_t i, struct tree_file *out)
{
	const struct index_entry *e = &ix->p[i];

	*out = (struct tree_file){.path = index_entry_path(ix, i),
				  .kind = (enum tree_kind)e->kind,
				  .id_len = ix->id_len};
	memcpy(out->id, e->id, ix->id_len);
}

static struct err *index_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	const struct index *ix = &((struct index_tree *)t)->ix;
	size_t lo = 0, hi = ix->n;
	struct tree_file f;

	if (prefix.n) {
		struct arena *scratch ARENA_LOCAL = arena_new();
		struct str folder = str_fmt(scratch, "%.*s/", STR_ARG(prefix));

		lo = index_lower_bound(ix, 0, ix->n, folder);
		hi = index_prefix_end(ix, lo, ix->n, folder);
	}
	for (; lo < hi; lo++) {
		index_file(ix, lo, &f);
		TRY(fn(ctx, &f));
	}
	return NULL;
}

static struct err *index_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	const struct index *ix = &((struct index_tree *)t)->ix;
	size_t i = index_lower_bound(ix, 0, ix->n, path);

	*found = i < ix->n && str_eq(index_entry_path(ix, i), path);
	if (*found)
		index_file(ix, i, out);
	return NULL;
}

static struct err *index_blob(struct tree *t, struct arena *a, const struct tree_file *f,
			      size_t max, struct str *out)
{
	return read_blob(((struct index_tree *)t)->g, a, t, f, max, out);
}

const struct tree_ops git_index_ops = {
	.each = index_each, .find = index_find, .read = index_blob, .diff = diff_trees};

static struct err *conflicts(struct git *g, const struct strs *paths)
{
	struct buf names = buf_in(g->arena);
	struct err *e;

	for (size_t i = 0; i < size_min(paths->n, NAMED_MAX); i++)
		buf_fmt(&names, "%s'%.*s'", i ? ", " : "", STR_ARG(paths->p[i]));
	if (paths->n > NAMED_MAX)
		buf_fmt(&names, " and %zu more", paths->n - NAMED_MAX);
	e = err_new(E_GIT_FAILED, "the index has conflicts that are not resolved: %.*s",
		    STR_ARG(buf_as_str(&names)));
	e = err_detail_list(e, "paths", paths);
	return err_help(e, "resolve them, then: git add PATH");
}

struct err *git_tree_index_skip_conflicts(struct git *g, struct tree **out)
{
	struct index_tree *t = ARENA_NEW(g->arena, struct index_tree);

	*t = (struct index_tree){.t = {&git_index_ops, STR("the index")}, .g = g};
	*out = &t->t;
	return index_file_read(g, &t->ix);
}

struct err *git_tree_index(struct git *g, struct tree **out)
{
	const struct strs *paths;

	TRY(git_tree_index_skip_conflicts(g, out));
	paths = &((struct index_tree *)*out)->ix.conflicts;
	return paths->n ? conflicts(g, paths) : NULL;
}

struct err *git_tree_of_sparse_excluded(struct git *g, struct tree **out)
{
	struct index_tree *t;
	struct os_stat st;
	struct tree *all;
	size_t kept = 0;

	*out = NULL;
	TRY(os_stat(os_join(g->arena, g->dir, "info/sparse-checkout"), true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(git_tree_index_skip_conflicts(g, &all));
	t = (struct index_tree *)all;
	for (size_t i = 0; i < t->ix.n; i++)
		if (t->ix.p[i].skipped)
			t->ix.p[kept++] = t->ix.p[i];
	t->ix.n = kept;
	/* The cache tree counts the entries that were left out. */
	t->ix.root = NULL;
	if (kept)
		*out = all;
	return NULL;
}

/* ---- commits ---- */

struct walk {
	struct commit_tree *t;
	char path[PATH_LIMIT];
	size_t n, files;
	tree_fn *fn;
	void *ctx;
	struct repeats *repeats;
	unsigned again; /* folders above that were entered before */
};

static struct err *walk_folder(struct walk *w, const unsigned char *id, unsigned depth);

static struct err *walk_raw(struct walk *w, struct str raw, unsigned depth)
{
	struct git *g = w->t->g;
	struct item i, last = {0};
	struct tree_file f;
	size_t before = w->n;
	bool more;

	for (;; last = i, w->n = before) {
		TRY(tree_object_entry_next(&raw, g->id_len, &i, &more));
		if (!more)
			return NULL;
		if (last.name.n && tree_object_entry_cmp(&last, &i) >= 0)
			return err_new(E_GIT_CORRUPT, "the folder '%.*s' in %.*s is not in order",
				       STR_ARG(((struct str){w->path, w->n})),
				       STR_ARG(w->t->t.name));
		if (before + i.name.n + 1 >= PATH_LIMIT || depth > DEPTH_MAX)
			return err_new(E_GIT_UNSUPPORTED,
				       "a path in %.*s is longer than 4095 bytes",
				       STR_ARG(w->t->t.name));
		memcpy(w->path + before, i.name.p, i.name.n);
		w->n += i.name.n;
		if (w->again)
			TRY(repeats_count_entry(w->repeats, (struct str){w->path, w->n},
						w->t->t.name));
		if (i.is_dir) {
			w->path[w->n++] = '/';
			TRY(walk_folder(w, i.id, depth + 1));
			continue;
		}
		if (++w->files > FILES_MAX)
			return err_new(E_TOO_BIG, "%.*s has more than %zu files",
				       STR_ARG(w->t->t.name), FILES_MAX);
		f = (struct tree_file){.path = str_dup(g->arena, (struct str){w->path, w->n}),
				       .kind = i.kind,
				       .id_len = g->id_len};
		memcpy(f.id, i.id, g->id_len);
		TRY(w->fn(w->ctx, &f));
	}
}

static struct err *walk_folder(struct walk *w, const unsigned char *id, unsigned depth)
{
	bool again = repeats_enter_folder(w->repeats, id, NULL);
	struct arena *a ARENA_LOCAL = arena_new();
	struct str raw;
	struct err *e;

	/* A repeated folder is cached. Other folders are not: there may be a million. */
	e = again ? object_read_tree(w->t->g, a, id, &raw)
		  : object_read(w->t->g, a, id, OBJECT_TREE, OBJECT_MAX, &raw);
	w->again += again;
	e = e ? err_add_context(e, "read the folder '%.*s' in %.*s",
				STR_ARG(((struct str){w->path, w->n})), STR_ARG(w->t->t.name))
	      : walk_raw(w, raw, depth);
	w->again -= again;
	return e;
}

/*
 * The entry with that name in a raw tree. Entries are in order, so the search ends, as git's does,
 * at the first entry that cannot come before the name.
 */
static struct err *find_item(struct git *g, struct str raw, struct str name, struct item *out,
			     bool *found)
{
	bool more;

	for (*found = false;;) {
		TRY(tree_object_entry_next(&raw, g->id_len, out, &more));
		if (!more || memcmp(out->name.p, name.p, size_min(out->name.n, name.n)) > 0)
			return NULL;
		*found = str_eq(out->name, name);
		if (*found)
			return NULL;
	}
}

/* Opens the folder with that path; *found is false when there is none. */
static struct err *open_folder_at(struct git *g, struct arena *a, const unsigned char *root,
				  struct str folder, struct str *raw, bool *found)
{
	struct item i = {.is_dir = true};
	struct str part;

	TRY(object_read_tree(g, a, root, raw));
	for (*found = true; *found && str_next_part(&folder, '/', &part);) {
		TRY(find_item(g, *raw, part, &i, found));
		*found = *found && i.is_dir;
		if (*found)
			TRY(object_read_tree(g, a, i.id, raw));
	}
	return NULL;
}

struct err *object_walk_tree_path(struct git *g, struct arena *a, const unsigned char *root,
				  struct str *path, struct items *out, bool *found)
{
	struct item i = {.is_dir = true, .id = root};
	struct str part, raw;

	for (*found = true; *found && i.is_dir && str_next_part(path, '/', &part);) {
		TRY(object_read_tree(g, a, i.id, &raw));
		TRY(find_item(g, raw, part, &i, found));
		if (*found)
			*VEC_PUSH(a, out) = i;
	}
	return NULL;
}

/* Callers often ask for paths in order, so the last folder is cached, and only that one. */
static struct err *git_trees_enter(struct commit_tree *t, struct str folder, struct str *raw,
				   bool *found)
{
	struct arena *a;
	struct err *e;

	*found = true;
	if (t->folder_arena && str_eq(t->folder, folder)) {
		*raw = t->raw;
		return NULL;
	}
	a = arena_new();
	e = open_folder_at(t->g, a, t->id, folder, raw, found);
	if (e || !*found) {
		arena_free(a);
		return e ? err_add_context(e, "read the folder '%.*s' in %.*s", STR_ARG(folder),
					   STR_ARG(t->t.name))
			 : NULL;
	}
	arena_free(t->folder_arena);
	t->folder_arena = a;
	t->folder = str_dup(a, folder);
	t->raw = *raw;
	return NULL;
}

static struct err *git_trees_remember(void *ctx, const struct tree_file *f)
{
	struct commit_tree *t = ctx;

	*VEC_PUSH(t->g->arena, &t->list) = *f;
	return NULL;
}

static struct err *commit_each(struct tree *tree, struct str prefix, tree_fn *fn, void *ctx)
{
	struct commit_tree *t = (struct commit_tree *)tree;
	struct walk w = {.t = t, .fn = fn, .ctx = ctx};
	struct str raw;
	bool found;

	/* Lists all files and keeps the list: a caller that asks once asks again. */
	if (!prefix.n && !t->listed) {
		struct arena *a ARENA_LOCAL = arena_new();

		w.fn = git_trees_remember;
		w.ctx = t;
		t->list.n = 0;
		w.repeats = repeats_new(a);
		TRY(walk_folder(&w, t->id, 0));
		t->listed = true;
	}
	if (!prefix.n) {
		for (size_t i = 0; i < t->list.n; i++)
			TRY(fn(ctx, &t->list.p[i]));
		return NULL;
	}
	TRY(git_trees_enter(t, prefix, &raw, &found));
	if (!found)
		return NULL;
	if (prefix.n + 1 >= PATH_LIMIT)
		return err_new(E_TOO_LONG, "a path has %zu bytes", prefix.n);
	memcpy(w.path, prefix.p, prefix.n);
	w.path[prefix.n] = '/';
	w.n = prefix.n + 1;
	/* fn may look up other paths, which replaces the cached folder. */
	struct arena *a ARENA_LOCAL = arena_new();

	w.repeats = repeats_new(a);
	return walk_raw(&w, str_dup(a, raw), 0);
}

static struct err *commit_find(struct tree *tree, struct str path, struct tree_file *out,
			       bool *found)
{
	struct commit_tree *t = (struct commit_tree *)tree;
	size_t slash = str_rfind_char(path, '/'), at = 0;
	struct str raw;
	struct item i;

	if (t->listed) {
		BISECT(at, mid, t->list.n, str_cmp(t->list.p[mid].path, path) < 0);
		*found = at < t->list.n && str_eq(t->list.p[at].path, path);
		if (*found)
			*out = t->list.p[at];
		return NULL;
	}
	TRY(git_trees_enter(t, slash == SIZE_MAX ? STR("") : str_sub(path, 0, slash), &raw, found));
	if (*found)
		TRY(find_item(t->g, raw,
			      slash == SIZE_MAX ? path : str_sub(path, slash + 1, path.n), &i,
			      found));
	*found = *found && !i.is_dir;
	if (!*found)
		return NULL;
	*out = (struct tree_file){
		.path = str_dup(t->g->arena, path), .kind = i.kind, .id_len = t->g->id_len};
	memcpy(out->id, i.id, t->g->id_len);
	return NULL;
}

static struct err *commit_blob(struct tree *t, struct arena *a, const struct tree_file *f,
			       size_t max, struct str *out)
{
	return read_blob(((struct commit_tree *)t)->g, a, t, f, max, out);
}

const struct tree_ops git_commit_ops = {
	.each = commit_each, .find = commit_find, .read = commit_blob, .diff = diff_trees};

static void forget_folder(void *p)
{
	struct commit_tree *t = p;

	arena_free(t->folder_arena);
}

struct tree *commit_tree_new(struct git *g, const unsigned char *tree_id, struct str name)
{
	struct commit_tree *t = ARENA_NEW(g->arena, struct commit_tree);

	t->t = (struct tree){&git_commit_ops, name};
	t->g = g;
	memcpy(t->id, tree_id, g->id_len);
	arena_defer(g->arena, forget_folder, t);
	return &t->t;
}
