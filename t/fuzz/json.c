#include "../unit/referee.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * What was read, written and read again is the same. What lib/json makes of a text differs from
 * what cJSON makes of it in known ways only.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct str text = {(const char *)data, size};
	struct val *v, *again;

	if (!json_read(a, text, NULL, &v)) {
		json_write(&b, v, 1);
		if (json_read(a, buf_str(&b), NULL, &again) || !val_eq(v, again))
			BUG("wrote what reads differently");
	}
	if (referee_judge(a, text) == REFEREE_UNKNOWN)
		BUG("cJSON reads it differently");
	arena_free(a);
	return 0;
}
