#include "asset/asset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An accepted path has no forbidden part, and its URI names the same asset. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str path, rest, part, again;

	if (size && !asset_path_read(a, (struct str){(const char *)data + 1, size - 1}, data[0] & 1,
				     &path)) {
		rest = path;
		while (str_next_part(&rest, '/', &part))
			if (!part.n || str_is(part, ".") || str_is(part, ".."))
				BUG("a part '%.*s'", STR_ARG(part));
		if (!path.n || str_has_nul(path) || !str_is_utf8(path) || path.p[path.n - 1] == '/')
			BUG("a path '%.*s'", STR_ARG(path));
		/* The longest path is too long with its scheme. */
		if (!asset_path_read(a, asset_uri(a, path), false, &again) && !str_eq(again, path))
			BUG("'%.*s' is '%.*s' as a URI", STR_ARG(path), STR_ARG(again));
	}
	arena_free(a);
	return 0;
}
