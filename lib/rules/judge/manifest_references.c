#include "judge/internal.h"
#include <pthread.h>

#define BUCKETS 4096

struct included {
	struct str path, by;   /* by: empty for a manifest */
	struct included *next; /* in its bucket */
};

/*
 * The other files of a tree, for manifests that refer to them. A tree answers lookups for one
 * thread at a time; all threads share the texts.
 */
struct beside {
	struct tree *tree;
	pthread_mutex_t lock;
	struct deps_files files;
	/* Manifests, and the files that they include, under any name; read on first use. */
	pthread_mutex_t once;
	bool loaded;
	struct err *failed; /* the tree could not be listed */
	struct strs unread; /* manifests that could not be read, each before the reason */
	struct arena *a;
	struct included **p, **bucket;
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
	*found = tree_file_is_regular(&f);
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

	if (tree_file_is_regular(f) && str_ends(f->path, n->end))
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

/* The first one of that path; NULL: none. */
static struct included *beside_known(const struct beside *b, struct str path)
{
	struct included *one = b->bucket[str_hash(path) % BUCKETS];

	while (one && !str_eq(one->path, path))
		one = one->next;
	return one;
}

static void beside_add(struct beside *b, struct str path, struct str by)
{
	struct included **bucket = &b->bucket[str_hash(path) % BUCKETS];
	struct included *one = ARENA_NEW(b->a, struct included);

	*one = (struct included){str_dup(b->a, path), by, *bucket};
	*bucket = *VEC_PUSH(b->a, b) = one;
}

static struct err *beside_list(void *ctx, const struct tree_file *f)
{
	struct beside *b = ctx;
	struct str path = f->path;

	/* A cheap test first: few names end so, and the table of formats is long. */
	if ((tree_file_is_regular(f) || f->kind == TREE_LINK) && path.n > 3 &&
	    strchr("tTnNlL", path.p[path.n - 1]) && deps_may_include(path))
		beside_add(b, path, STR(""));
	return NULL;
}

static void beside_follow(struct beside *b, const struct included *one)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct str by = one->by.n ? one->by : one->path, text;
	struct deps deps = {0};
	bool found;
	struct err *e = beside_read(b, scratch, one->path, &text, &found);

	/* The judge reports a requirements file that is too long or malformed. */
	if (e && err_reason(e) != E_TOO_BIG && err_reason(e) != E_FILE_NOT_FOUND) {
		strs_push(b->a, &b->unread, one->path);
		strs_push(b->a, &b->unread, str_dup(b->a, str_of(err_message(e))));
	}
	if (e || !found ||
	    deps_read(scratch,
		      one->by.n ? deps_path_to_read_included_as(scratch, by, one->path) : by, text,
		      &b->files, &deps))
		return;
	/* The tree has each of these, so a hostile one cannot have any number of them. */
	for (size_t i = 0; i < deps.includes.n; i++)
		if (!beside_known(b, deps.includes.p[i]))
			beside_add(b, deps.includes.p[i], by);
}

struct err *manifest_of_tree_includes_path(struct arena *a, const struct deps_files *files,
					   struct str path, struct str *by)
{
	struct beside *b = files->ctx;
	const struct included *one;

	pthread_mutex_lock(&b->once);
	if (!b->loaded) {
		struct err *e;

		b->loaded = true;
		b->bucket = arena_array(b->a, BUCKETS, sizeof(struct included *));
		pthread_mutex_lock(&b->lock);
		e = tree_foreach(b->tree, STR(""), beside_list, b);
		pthread_mutex_unlock(&b->lock);
		b->failed = e ? err_copy(b->a, e) : NULL;
		for (size_t i = 0; !b->failed && i < b->n; i++)
			beside_follow(b, b->p[i]);
	}
	pthread_mutex_unlock(&b->once);
	if (b->failed)
		return err_copy(a, b->failed);
	one = beside_known(b, path);
	*by = one ? one->by : STR("");
	return NULL;
}

void manifest_of_tree_note_unread(struct run *run)
{
	const struct beside *b = run->now_files ? run->now_files->ctx : NULL;

	for (size_t i = 0; b && i + 1 < b->unread.n; i += 2)
		check_warn(run->a, run->out, false, b->unread.p[i],
			   str_fmt(run->a,
				   "it could not be read, so changed files that it includes were "
				   "not judged as manifests: %.*s",
				   STR_ARG(b->unread.p[i + 1])));
}

static void beside_free(void *p)
{
	struct beside *b = p;

	pthread_mutex_destroy(&b->lock);
	pthread_mutex_destroy(&b->once);
	arena_free(b->a);
}

const struct deps_files *manifest_files_of_tree(struct arena *a, struct tree *tree)
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
