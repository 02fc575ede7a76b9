/* Any bytes as an index; what is read is then looked up and compared. */
#include "base/base.h"
#include "git/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct err *count(void *ctx, const struct tree_file *f)
{
	*(size_t *)ctx += f->path.n;
	return NULL;
}

static void read_index(const uint8_t *data, size_t size, unsigned char id_len)
{
	struct arena *a = arena_new();
	struct git g = {.arena = a, .id_len = id_len};
	struct index_tree t = {.t = {&git_index_ops, STR("an index")}, .g = &g}, other = t;
	struct tree_changes changes = {0};
	struct tree_file f;
	size_t n = 0;
	bool yes;

	if (!index_parse(a, (struct str){(const char *)data, size}, "x", g.id_len, &t.ix) &&
	    !t.ix.foreign) {
		/* The same entries without the cache tree differ from it nowhere. */
		other.ix = t.ix;
		other.ix.root = NULL;
		if (diff_trees(a, &other.t, &t.t, &changes, &yes))
			n++;
		else if (changes.n)
			BUG("an index differs from itself");
		other.ix.n = t.ix.n / 2;
		if (diff_trees(a, &other.t, &t.t, &changes, &yes) ||
		    t.t.ops->each(&t.t, STR("a"), count, &n))
			n++;
		for (size_t i = 0; i < t.ix.n; i++)
			if (t.t.ops->find(&t.t, (struct str){t.ix.p[i].name, t.ix.p[i].len}, &f,
					  &yes) ||
			    !yes)
				BUG("an entry is not found");
	}
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_index(data, size, 20);
	read_index(data, size, 32);
	return 0;
}
