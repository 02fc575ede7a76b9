#include "base/base.h"
#include "check/engine.h"

#include <pthread.h>

/*
 * The other files of a tree, for manifests that refer to them. Only one thread may ask a tree
 * whether it has a path; the texts are read by all.
 */
struct beside {
	struct tree *tree;
	pthread_mutex_t lock;
	struct deps_files files;
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
	if (!*found)
		return NULL;
	e = tree_read(b->tree, a, &f, CHECK_MANIFEST_MAX, text);
	if (!e || err_reason(e) != E_TOO_BIG)
		return e;
	*found = false;
	return NULL;
}

static void beside_free(void *p)
{
	pthread_mutex_destroy(&((struct beside *)p)->lock);
}

const struct deps_files *beside_new(struct arena *a, struct tree *tree)
{
	struct beside *b;

	if (!tree)
		return NULL;
	b = ARENA_NEW(a, struct beside);
	b->tree = tree;
	b->files = (struct deps_files){beside_read, b};
	if (pthread_mutex_init(&b->lock, NULL))
		BUG("a lock cannot be made");
	arena_defer(a, beside_free, b);
	return &b->files;
}
