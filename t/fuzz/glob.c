#include "base/base.h"
#include "re/re.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A pattern up to a NUL, and a path: what matches an entry matches it in the list of itself. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str path = {(const char *)data, size}, pattern = {"", 0};
	struct arena *a = arena_new();
	struct glob *g;

	str_split(&path, 0, &pattern);
	g = glob_new_ignore(a, pattern);
	if (glob_match_entry(g, path, false) && !glob_match(g, path))
		BUG("a path matches and does not");
	if (!glob_new(a, pattern, &g) && glob_match_entry(g, path, false) && !glob_match(g, path))
		BUG("a path matches and does not, with braces");
	arena_free(a);
	return 0;
}
