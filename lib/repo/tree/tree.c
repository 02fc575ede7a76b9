/* Shared by all trees: the calls, the general comparison, and subfolders. */
#include "tree/internal.h"

#define COMPARE_MAX ((size_t)256 << 20) /* larger content counts as changed */

/* The folder without final slashes. */
static struct str trim_slash(struct str folder)
{
	while (folder.n && folder.p[folder.n - 1] == '/')
		folder.n--;
	return folder;
}

struct err *tree_foreach(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	return !t ? NULL : t->ops->each(t, trim_slash(prefix), fn, ctx);
}

struct err *tree_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	*found = false;
	return !t ? NULL : t->ops->find(t, path, out, found);
}

struct err *tree_collect(void *files, const struct tree_file *f)
{
	struct tree_files *l = files;

	*VEC_PUSH(l->a, l) = *f;
	return NULL;
}

static struct err *tree_first(void *ctx, const struct tree_file *f)
{
	(void)f;
	*(bool *)ctx = true;
	/* One file is enough. The error ends the walk, and tree_has_files() ignores it. */
	return err_new(E_EXISTS, "found");
}

struct err *tree_has_files(struct tree *t, struct str folder, bool *has)
{
	struct err *e;

	*has = false;
	e = tree_foreach(t, folder, tree_first, has);
	return *has ? NULL : e;
}

struct err *tree_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
		      struct str *out)
{
	return t->ops->read(t, a, f, max, out);
}

struct err *tree_open_file(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size)
{
	*fd = -1;
	*size = 0;
	return t->ops->open ? t->ops->open(t, f, fd, size) : NULL;
}

struct str tree_path_below(struct str path, struct str folder)
{
	if (!folder.n)
		return path;
	if (path.n <= folder.n + 1 || path.p[folder.n] != '/' || !str_starts(path, folder))
		return STR("");
	return str_sub(path, folder.n + 1, path.n);
}

struct err *too_big_error(struct str name, struct str path, size_t max)
{
	struct err *e = err_new(E_TOO_BIG, "'%.*s' in %.*s is over the limit of %zu bytes",
				STR_ARG(path), STR_ARG(name), max);

	return err_detail_int(e, "limit", (int64_t)size_min(max, PTRDIFF_MAX));
}

/* ---- what differs ---- */

bool kind_is_plain_file(enum tree_kind k)
{
	return k == TREE_FILE || k == TREE_EXEC;
}

/* Content over COMPARE_MAX is not compared, and counts as changed. */
static struct err *read_to_compare(struct tree *t, struct arena *a, const struct tree_file *f,
				   struct str *out, bool *big)
{
	struct err *e = tree_read(t, a, f, COMPARE_MAX, out);

	*big = e && err_reason(e) == E_TOO_BIG;
	return *big ? NULL : e;
}

struct err *tree_file_same(struct tree *base, const struct tree_file *old, struct tree *now,
			   const struct tree_file *new, bool *same)
{
	struct str before, after;
	struct arena *a ARENA_LOCAL = NULL;
	struct err *e;
	bool big;

	*same = false;
	if (old->id_len && old->id_len == new->id_len) {
		*same = !memcmp(old->id, new->id, old->id_len);
		return NULL;
	}
	a = arena_new();
	e = read_to_compare(base, a, old, &before, &big);
	if (!e && !big)
		e = read_to_compare(now, a, new, &after, &big);
	*same = !e && !big && str_eq(before, after);
	return e;
}

static struct err *tree_compare(struct tree *base, const struct tree_file *old, struct tree *now,
				const struct tree_file *new, bool *same)
{
	bool ids = old->id_len && new->id_len;

	*same = false;
	/* A folder on disk does not tell executables from other files: see tree_of_folder(). */
	if (old->kind != new->kind &&
	    (ids || !kind_is_plain_file(old->kind) || !kind_is_plain_file(new->kind)))
		return NULL;
	if (old->kind == TREE_SUBMODULE && !ids) {
		/* A folder does not know which commit a submodule has checked out. */
		*same = true;
		return NULL;
	}
	return tree_file_same(base, old, now, new, same);
}

static void tree_add_change(struct arena *a, struct tree_changes *out, const struct tree_file *old,
			    const struct tree_file *new)
{
	struct tree_change *c = VEC_PUSH(a, out);

	c->has_old = old;
	c->has_new = new;
	if (old)
		c->old = *old;
	if (new)
		c->new = *new;
}

struct err *tree_diff(struct arena *a, struct tree *base, struct tree *now,
		      struct tree_changes *out)
{
	struct arena *scratch ARENA_LOCAL = NULL;
	bool known = false;
	struct tree_files old, new;
	size_t i = 0, k = 0;

	*out = (struct tree_changes){0};
	if (now->ops->diff)
		TRY(now->ops->diff(a, base, now, out, &known));
	if (!known && base && base->ops->diff && base->ops->diff != now->ops->diff) {
		out->n = 0;
		TRY(base->ops->diff(a, base, now, out, &known));
	}
	if (known)
		return NULL;
	out->n = 0;
	scratch = arena_new();
	old = new = (struct tree_files){.a = scratch};
	if (base)
		TRY(tree_foreach(base, STR(""), tree_collect, &old));
	TRY(tree_foreach(now, STR(""), tree_collect, &new));
	while (i < old.n || k < new.n) {
		int c = i == old.n ? 1 : k == new.n ? -1 : str_cmp(old.p[i].path, new.p[k].path);
		bool same;

		if (c < 0) {
			tree_add_change(a, out, &old.p[i++], NULL);
		} else if (c > 0) {
			tree_add_change(a, out, NULL, &new.p[k++]);
		} else {
			TRY(tree_compare(base, &old.p[i], now, &new.p[k], &same));
			if (!same)
				tree_add_change(a, out, &old.p[i], &new.p[k]);
			i++;
			k++;
		}
	}
	return NULL;
}

/* ---- a folder of a tree ---- */

struct sub_tree {
	struct tree t;
	struct tree *of;
	struct str folder; /* without a slash at its end */
	struct arena *arena;
};

struct sub_each {
	struct str folder;
	tree_fn *fn;
	void *ctx;
};

static struct err *sub_file(void *ctx, const struct tree_file *f)
{
	const struct sub_each *each = ctx;
	struct tree_file inner = *f;

	inner.path = tree_path_below(f->path, each->folder);
	return each->fn(each->ctx, &inner);
}

/* Not by str_fmt, which stops at a NUL. */
static struct str tree_join(struct arena *a, struct str folder, struct str path)
{
	struct buf b = buf_in(a);

	buf_put(&b, folder);
	buf_putc(&b, '/');
	buf_put(&b, path);
	return buf_as_str(&b);
}

static struct err *sub_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct sub_tree *s = (struct sub_tree *)t;
	struct sub_each each = {s->folder, fn, ctx};
	struct arena *scratch ARENA_LOCAL = NULL;

	if (!prefix.n)
		return tree_foreach(s->of, s->folder, sub_file, &each);
	scratch = arena_new();
	return tree_foreach(s->of, tree_join(scratch, s->folder, prefix), sub_file, &each);
}

static struct err *sub_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	struct sub_tree *s = (struct sub_tree *)t;
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct err *e = tree_find(s->of, tree_join(scratch, s->folder, path), out, found);

	if (!e && *found)
		out->path = str_dup(s->arena, path);
	return e;
}

static struct err *sub_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	struct sub_tree *s = (struct sub_tree *)t;
	struct tree_file outer = *f;

	outer.path = tree_join(a, s->folder, f->path);
	return tree_read(s->of, a, &outer, max, out);
}

static struct err *sub_open(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size)
{
	struct sub_tree *s = (struct sub_tree *)t;
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct tree_file outer = *f;

	outer.path = tree_join(scratch, s->folder, f->path);
	return tree_open_file(s->of, &outer, fd, size);
}

static struct err *sub_diff(struct arena *a, struct tree *base, struct tree *now,
			    struct tree_changes *out, bool *known);

static const struct tree_ops sub_ops = {
	.each = sub_each, .find = sub_find, .read = sub_read, .open = sub_open, .diff = sub_diff};

/* Compares the same folder of two trees that have a fast comparison. */
static struct err *sub_diff(struct arena *a, struct tree *base, struct tree *now,
			    struct tree_changes *out, bool *known)
{
	struct sub_tree *new = (struct sub_tree *)now, *old = (struct sub_tree *)base;
	struct tree_changes all = {0};
	size_t kept = 0;

	*known = false;
	if (!base || base->ops != &sub_ops || now->ops != &sub_ops ||
	    !str_eq(old->folder, new->folder) || !new->of->ops->diff)
		return NULL;
	TRY(new->of->ops->diff(a, old->of, new->of, &all, known));
	if (!*known)
		return NULL;
	for (size_t i = 0; i < all.n; i++) {
		struct tree_change c = all.p[i];
		struct str inner =
			tree_path_below(c.has_new ? c.new.path : c.old.path, new->folder);

		if (!inner.n)
			continue;
		c.old.path = c.has_old ? inner : c.old.path;
		c.new.path = c.has_new ? inner : c.new.path;
		all.p[kept++] = c;
	}
	all.n = kept;
	*out = all;
	return NULL;
}

struct tree *tree_sub(struct arena *a, struct tree *t, struct str folder)
{
	struct sub_tree *s;

	folder = trim_slash(folder);
	if (!folder.n)
		return t;
	s = ARENA_NEW(a, struct sub_tree);
	s->of = t;
	s->arena = a;
	s->folder = str_dup(a, folder);
	s->t = (struct tree){&sub_ops,
			     str_fmt(a, "%.*s of %.*s", STR_ARG(folder), STR_ARG(t->name))};
	return &s->t;
}
