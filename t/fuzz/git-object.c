/* Any bytes as a tree, a commit, and a loose object's file. */
#include "base/base.h"
#include "git/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str bytes = {(const char *)data, size}, rest = bytes;
	enum object_type type;
	struct commit c;
	struct item i;
	size_t n;
	bool more = true;

	while (more && !tree_object_entry_next(&rest, size % 2 ? 20 : 32, &i, &more))
		;
	if (commit_parse(a, bytes, 20, &c) && c.parents_n > size)
		BUG("more parents than bytes");
	if (!loose_parse(a, "x", bytes, 1 << 20, &type, &n, &rest) && rest.n != n)
		BUG("another size");
	arena_free(a);
	return 0;
}
