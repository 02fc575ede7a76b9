#include "base/base.h"
#include "re/re.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A pattern up to a NUL, and a path: alone and in the list of itself it matches the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str path = {(const char *)data, size}, pattern = {"", 0};
	struct arena *a = arena_new();
	struct strs list = {&pattern, 1, 1};
	struct globs globs;
	struct glob *g;

	str_next_part(&path, 0, &pattern);
	if (!str_starts(pattern, STR("!")) && !glob_new(a, pattern, &g) &&
	    !globs_new(a, &list, &globs) && glob_match(g, path) != globs_match(&globs, path))
		BUG("a path matches and does not");
	arena_free(a);
	return 0;
}
