#include "../unit/referee.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* JSON that was read and written is the same when it is read again. The readers of lib/core/json
 * and cJSON differ only in known ways. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct str text = {(const char *)data, size};
	struct val *v, *again;

	if (!json_read(a, text, NULL, &v)) {
		json_write(&b, v, 1);
		if (json_read(a, buf_as_str(&b), NULL, &again) || !val_eq(v, again))
			BUG("wrote what reads differently");
	}
	if (referee_judge(a, text) == REFEREE_UNKNOWN)
		BUG("cJSON reads it differently");
	arena_free(a);
	return 0;
}
