/*
 * Any bytes as an index in which one path is changed, added or removed. What libgit2_index_write()
 * writes is an index with that path as wanted and every other entry as it was, and it can be edited
 * back.
 */
#include "base/base.h"
#include "crypt/crypt.h"
#include "git/commit_paths.h"
#include "git/libgit2.h"
#include "os/os.h"
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const unsigned char blob[ID_MAX] = {1, 2, 3};

/* The entry of the path; NULL: there is none. */
static const struct index_entry *entry_of(const struct index *ix, struct str path)
{
	size_t at = index_lower_bound(ix, 0, ix->n, path);

	return at < ix->n && str_eq((struct str){ix->p[at].name, ix->p[at].len}, path) ? &ix->p[at]
										       : NULL;
}

static bool same_entry(const struct index_entry *x, const struct index_entry *y)
{
	return x->kind == y->kind && !memcmp(x->id, y->id, SHA1_BYTES);
}

/* Whether another entry lies below the path, or the path below another entry. */
static bool in_way(const struct index *ix, struct str path)
{
	for (size_t i = 0; i < ix->n; i++) {
		struct str e = {ix->p[i].name, ix->p[i].len};
		struct str less = e.n < path.n ? e : path, more = e.n < path.n ? path : e;

		if (less.n < more.n && more.p[less.n] == '/' && str_starts(more, less))
			return true;
	}
	return false;
}

/* The bytes with the checksum that libgit2 wants, in a file of the process. */
static const char *index_file(struct arena *a, struct str bytes)
{
	static char dir[] = "/tmp/ikm-fuzz-index.XXXXXX";
	static bool made;
	char *copy = arena_alloc(a, bytes.n);
	const char *path;

	made = made || mkdtemp(dir);
	path = os_join(a, dir, "index");
	memcpy(copy, bytes.p, bytes.n);
	crypt_sha1((struct str){copy, bytes.n - SHA1_BYTES},
		   (unsigned char *)copy + bytes.n - SHA1_BYTES);
	if (!made || os_write(path, (struct str){copy, bytes.n}, 0))
		BUG("no file for the index");
	return path;
}

static bool edit(struct arena *a, struct str bytes, const struct index *ix, const struct change *c,
		 struct str *out)
{
	static const struct git g = {.id_len = SHA1_BYTES, .top = "/nowhere"};
	const char *file = index_file(a, bytes);
	struct index now;

	if (ix->only_git || !libgit2_index_write(&g, a, file, c, 1))
		return false;
	if (os_read_path(a, file, INDEX_MAX, out) || index_parse(a, *out, "x", SHA1_BYTES, &now) ||
	    now.foreign || now.conflicts.n)
		BUG("what was written cannot be read");
	for (size_t i = 0; i < ix->n; i++) {
		struct str path = {ix->p[i].name, ix->p[i].len};
		const struct index_entry *e = entry_of(&now, path);

		if (!str_eq(path, c->path) && (!e || !same_entry(e, &ix->p[i])))
			BUG("another entry was changed");
	}
	if (!entry_of(&now, c->path) != !c->id ||
	    now.n != ix->n + !!c->id - !!entry_of(ix, c->path))
		BUG("the path is not as wanted");
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const added[] = {"a", "deep/er/zz", "zzz", "one!"};
	struct str bytes = str_sub((struct str){(const char *)data, size}, 2, size), out, again;
	struct arena *a = arena_new();
	struct change c = {.id = blob, .mode = 0100644};
	struct index ix;

	git_libgit2_init();
	if (size > 2 && !index_parse(a, bytes, "x", SHA1_BYTES, &ix) && !ix.foreign &&
	    !ix.conflicts.n) {
		c.path = data[0] < ix.n ? (struct str){ix.p[data[0]].name, ix.p[data[0]].len}
					: str_of(added[data[0] % ARRAY_SIZE(added)]);
		c.id = data[1] & 1 ? NULL : blob;
		if (!in_way(&ix, c.path) && edit(a, bytes, &ix, &c, &out)) {
			struct index now;

			/* The other way round: a path that was added goes, one that went comes. */
			if (index_parse(a, out, "x", SHA1_BYTES, &now))
				BUG("it cannot be read twice");
			c.id = c.id ? NULL : blob;
			edit(a, out, &now, &c, &again);
		}
	}
	arena_free(a);
	return 0;
}
