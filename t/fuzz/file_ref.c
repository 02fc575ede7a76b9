/* Any path: a file as it is written, or an asset whose name is in order and is its own name. */
#include "base/base.h"
#include "file/backend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct files f = {.a = a};
	struct str text = {(const char *)data, size}, rest, part;
	struct file_ref r, again;

	if (!file_ref_resolve(&f, text, &r)) {
		if (!r.path.n || str_has_nul(r.path) || r.path.n > OS_PATH_MAX)
			BUG("no path, and accepted");
		if (r.backend == &backend_fs && !str_eq(r.path, text))
			BUG("a file's path was changed");
		if (r.backend == &backend_asset) {
			if (!str_is_utf8(r.path) || r.path.p[0] == '/')
				BUG("no asset's path, and accepted");
			for (rest = r.path; str_next_part(&rest, '/', &part);)
				if (!part.n || str_is(part, ".") || str_is(part, ".."))
					BUG("no asset's path, and accepted");
			if (file_ref_resolve(&f, asset_uri(a, r.path), &again) ||
			    !str_eq(again.path, r.path))
				BUG("its URI is not its name");
		}
	}
	arena_free(a);
	return 0;
}
