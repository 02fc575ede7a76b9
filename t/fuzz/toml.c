#include "base/base.h"
#include "json/json.h"
#include "toml/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An accepted text is a tree that JSON can hold: valid UTF-8, no key twice, not too deep. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct val *v, *again;

	if (!toml_read(a, (struct str){(const char *)data, size}, &v)) {
		json_write(&b, v, 0);
		if (json_read(a, buf_as_str(&b), NULL, &again))
			BUG("wrote what cannot be read");
	}
	arena_free(a);
	return 0;
}
