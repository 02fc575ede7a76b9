#include "base/base.h"
#include "judge/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path and two .gitattributes, each up to a NUL; whatever they hold, the lookup ends. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, path = {"", 0}, top = {"", 0}, out;
	struct arena *a = arena_new();
	struct tree_mem_file files[2] = {{.path = STR(".gitattributes")},
					 {.path = STR("a/.gitattributes")}};

	str_next_part(&rest, 0, &path);
	str_next_part(&rest, 0, &top);
	files[0].content = top;
	files[1].content = rest;
	if (attrs_exempt(attrs_new(a, tree_mem(a, STR("fuzz"), files, 2)), path, &out))
		BUG("a tree in memory cannot fail");
	if (skip_is_lfs(rest) && str_has_nul(rest))
		BUG("a pointer is text");
	arena_free(a);
	return 0;
}
