/* A .gitignore, a NUL, and a path. */
#include "base/base.h"
#include "tree/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str all = {(const char *)data, size}, text, path;
	struct ignore ig = {0};
	size_t nul = size_min(str_find_char(all, 0, 0), size);

	text = str_sub(all, 0, nul);
	path = str_sub(all, nul + 1, size);
	ignore_add_text(a, &ig, text);
	/* A pattern that decides about a file of this name also decides about a folder. */
	if (ignore_ask(&ig, path, false) != IGNORE_UNSAID &&
	    ignore_ask(&ig, path, true) == IGNORE_UNSAID)
		BUG("a pattern matches files and not folders");
	arena_free(a);
	return 0;
}
