/* A tree with some files replaced, added or taken away: the content as an edit would leave it. */
#include "tree/internal.h"

struct overlay_tree {
	struct tree t;
	struct arena *arena;
	struct tree *under, *over;
	struct strs gone; /* sorted */
};

struct overlay_listing {
	struct overlay_tree *tree;
	struct VEC(struct tree_file) files;
	bool over; /* lists the upper tree, which hides files of the lower one */
};

static struct err *overlay_collect(void *ctx, const struct tree_file *f)
{
	struct overlay_listing *l = ctx;
	struct tree_file hidden;
	bool found = strs_sorted_has(&l->tree->gone, f->path);

	if (!l->over && !found)
		TRY(tree_find(l->tree->over, f->path, &hidden, &found));
	if (l->over || !found)
		*VEC_PUSH(l->tree->arena, &l->files) = *f;
	return NULL;
}

ORDER_OF(overlay_file_cmp, struct tree_file, ORDER_STR(path))

static struct err *overlay_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct overlay_listing l = {.tree = (struct overlay_tree *)t};
	size_t n;

	TRY(tree_foreach(l.tree->under, prefix, overlay_collect, &l));
	n = l.files.n;
	l.over = true;
	TRY(tree_foreach(l.tree->over, prefix, overlay_collect, &l));
	if (l.files.n > n)
		VEC_SORT(&l.files, overlay_file_cmp);
	for (size_t i = 0; i < l.files.n; i++)
		TRY(fn(ctx, &l.files.p[i]));
	return NULL;
}

static struct err *overlay_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	const struct overlay_tree *o = (struct overlay_tree *)t;

	*found = false;
	if (strs_sorted_has(&o->gone, path))
		return NULL;
	TRY(tree_find(o->over, path, out, found));
	return *found ? NULL : tree_find(o->under, path, out, found);
}

static struct err *overlay_read(struct tree *t, struct arena *a, const struct tree_file *f,
				size_t max, struct str *out)
{
	const struct overlay_tree *o = (struct overlay_tree *)t;
	struct tree_file over;
	bool found;

	TRY(tree_find(o->over, f->path, &over, &found));
	return tree_read(found ? o->over : o->under, a, found ? &over : f, max, out);
}

static const struct tree_ops overlay_ops = {
	.each = overlay_each, .find = overlay_find, .read = overlay_read};

struct tree *tree_overlay(struct arena *a, struct tree *under, struct tree *over,
			  const struct strs *gone)
{
	struct overlay_tree *o = ARENA_NEW(a, struct overlay_tree);

	o->t = (struct tree){&overlay_ops, under->name};
	o->arena = a;
	o->under = under;
	o->over = over;
	strs_add_all(a, &o->gone, gone);
	strs_sort(&o->gone);
	return &o->t;
}
