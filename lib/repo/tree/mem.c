/* Files given as input. */
#include "base/sort.h"
#include "tree/internal.h"

struct mem_tree {
	struct tree t;
	struct tree_mem_file *p; /* in byte order of the path, no path twice */
	size_t n;
};

ORDER_OF(path_cmp, struct tree_mem_file, ORDER_STR(path))

/* The first file whose path is not less. */
static size_t mem_lower(const struct mem_tree *m, struct str path)
{
	size_t lo = 0;

	BISECT(lo, mid, m->n, str_cmp(m->p[mid].path, path) < 0);
	return lo;
}

static struct err *mem_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	const struct mem_tree *m = (struct mem_tree *)t;

	for (size_t i = mem_lower(m, prefix); i < m->n && str_starts(m->p[i].path, prefix); i++) {
		struct tree_file f = {.path = m->p[i].path, .kind = m->p[i].kind};

		/* "a.b" sorts between "a" and "a/b". */
		if (tree_path_below(f.path, prefix).n)
			TRY(fn(ctx, &f));
	}
	return NULL;
}

static const struct tree_mem_file *mem_lookup(const struct mem_tree *m, struct str path)
{
	size_t i = mem_lower(m, path);

	return i < m->n && str_eq(m->p[i].path, path) ? &m->p[i] : NULL;
}

static struct err *mem_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	const struct tree_mem_file *f = mem_lookup((struct mem_tree *)t, path);

	*found = f;
	if (f)
		*out = (struct tree_file){.path = f->path, .kind = f->kind};
	return NULL;
}

static struct err *mem_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	const struct tree_mem_file *file = mem_lookup((struct mem_tree *)t, f->path);

	(void)a;
	if (!file)
		return err_new(E_FILE_NOT_FOUND, "no '%.*s' in %.*s", STR_ARG(f->path),
			       STR_ARG(t->name));
	if (file->kind == TREE_SUBMODULE)
		return err_new(E_NOT_A_FILE, "'%.*s' in %.*s is a submodule", STR_ARG(f->path),
			       STR_ARG(t->name));
	if (file->content.n > max)
		return too_big_error(t->name, f->path, max);
	*out = file->content;
	return NULL;
}

static const struct tree_ops mem_ops = {.each = mem_each, .find = mem_find, .read = mem_read};

struct tree *tree_mem(struct arena *a, struct str name, const struct tree_mem_file *files, size_t n)
{
	struct mem_tree *m = ARENA_NEW(a, struct mem_tree);
	const struct tree_mem_file **order =
		sort_into_pointers(a, files, n, sizeof(*files), path_cmp);

	m->t = (struct tree){&mem_ops, name};
	m->p = arena_array(a, n, sizeof(*m->p));
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || !str_eq(order[i]->path, order[i + 1]->path))
			m->p[m->n++] = *order[i];
	return &m->t;
}
