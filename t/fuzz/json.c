#include "base/base.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read, written and read again is the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct val *v, *again;

	if (!json_read(a, (struct str){(const char *)data, size}, NULL, &v)) {
		json_write(&b, v, 1);
		if (json_read(a, buf_str(&b), NULL, &again) || !val_eq(v, again))
			BUG("wrote what reads differently");
	}
	arena_free(a);
	return 0;
}
