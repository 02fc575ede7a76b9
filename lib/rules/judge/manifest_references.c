#include "judge/internal.h"
#include <pthread.h>

#define INCLUDES_MAX 65536 /* a hostile tree may have any number of includes */

/*
 * The other files of a tree, for manifests that refer to them. A tree answers lookups for one
 * thread at a time; all threads share the texts.
 */
struct beside {
	struct tree *tree;
	pthread_mutex_t lock;
	struct deps_files files;
	/* Files that manifests include, under any name; read on first use. */
	pthread_mutex_t once;
	bool loaded;
	struct arena *a;
	struct included {
		struct str path, by;
	} * p;
	size_t n, cap;
};

static struct err *beside_read(void *ctx, struct arena *a, struct str path, struct str *text,
			       bool *found)
{
	struct beside *b = ctx;
	struct tree_file f;
	struct err *e;

	pthread_mutex_lock(&b->lock);
	e = tree_find(b->tree, path, &f, found);
	pthread_mutex_unlock(&b->lock);
	if (e || !*found || !text)
		return e;
	*found = f.kind == TREE_FILE || f.kind == TREE_EXEC;
	return *found ? tree_read(b->tree, a, &f, CHECK_MANIFEST_MAX, text) : NULL;
}

struct beside_named {
	struct arena *a;
	struct str end; /* "/package.json" */
	struct strs *out;
};

static struct err *beside_named(void *ctx, const struct tree_file *f)
{
	struct beside_named *n = ctx;

	if ((f->kind == TREE_FILE || f->kind == TREE_EXEC) && str_ends(f->path, n->end))
		strs_push(n->a, n->out, str_dup(n->a, f->path));
	return NULL;
}

static struct err *beside_find(void *ctx, struct arena *a, struct str folder, const char *name,
			       struct strs *out)
{
	struct beside *b = ctx;
	struct beside_named n = {a, str_fmt(a, "/%s", name), out};
	struct err *e;

	pthread_mutex_lock(&b->lock);
	e = tree_foreach(b->tree, folder, beside_named, &n);
	pthread_mutex_unlock(&b->lock);
	return e;
}

/* ---- included files ---- */

static struct err *beside_list(void *ctx, const struct tree_file *f)
{
	struct beside *b = ctx;
	struct str path = f->path;

	/* A cheap test first: few names end so, and the table of formats is long. */
	if ((f->kind == TREE_FILE || f->kind == TREE_EXEC || f->kind == TREE_LINK) && path.n > 3 &&
	    strchr("tTnNlL", path.p[path.n - 1]) && deps_may_include(path))
		*VEC_PUSH(b->a, b) = (struct included){str_dup(b->a, path), {"", 0}};
	return NULL;
}

static void beside_follow(struct beside *b, struct arena *scratch, struct included one)
{
	struct str as = one.by.n ? deps_included_name(scratch, one.by, one.path) : one.path, text;
	struct deps deps = {0};
	bool found;

	/* The judge reports a requirements file that it cannot read. */
	if (beside_read(b, scratch, one.path, &text, &found) || !found ||
	    deps_read(scratch, as, text, &b->files, &deps))
		return;
	for (size_t i = 0; i < deps.includes.n && b->n < INCLUDES_MAX; i++) {
		bool has = false;

		for (size_t k = 0; k < b->n && !has; k++)
			has = str_eq(b->p[k].path, deps.includes.p[i]);
		if (!has)
			*VEC_PUSH(b->a, b) = (struct included){str_dup(b->a, deps.includes.p[i]),
							       one.by.n ? one.by : one.path};
	}
}

static void beside_load(struct beside *b)
{
	struct err *e;

	b->loaded = true;
	pthread_mutex_lock(&b->lock);
	e = tree_foreach(b->tree, STR(""), beside_list, b);
	pthread_mutex_unlock(&b->lock);
	for (size_t i = 0; !e && i < b->n; i++) {
		struct arena *scratch ARENA_LOCAL = arena_new();

		beside_follow(b, scratch, b->p[i]);
	}
}

bool beside_includes_path(const struct deps_files *files, struct str path, struct str *by)
{
	struct beside *b = files->ctx;
	bool found = false;

	pthread_mutex_lock(&b->once);
	if (!b->loaded)
		beside_load(b);
	for (size_t i = 0; i < b->n && !found; i++)
		if (b->p[i].by.n && str_eq(b->p[i].path, path)) {
			*by = b->p[i].by;
			found = true;
		}
	pthread_mutex_unlock(&b->once);
	return found;
}

static void beside_free(void *p)
{
	struct beside *b = p;

	pthread_mutex_destroy(&b->lock);
	pthread_mutex_destroy(&b->once);
	arena_free(b->a);
}

const struct deps_files *beside_files_of_tree(struct arena *a, struct tree *tree)
{
	struct beside *b;

	if (!tree)
		return NULL;
	b = ARENA_NEW(a, struct beside);
	b->tree = tree;
	b->files = (struct deps_files){beside_read, b, beside_find};
	b->a = arena_new();
	if (pthread_mutex_init(&b->lock, NULL) || pthread_mutex_init(&b->once, NULL))
		BUG("a lock cannot be made");
	arena_defer(a, beside_free, b);
	return &b->files;
}
