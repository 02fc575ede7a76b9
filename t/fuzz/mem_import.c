#include "base/base.h"
#include "json/json.h"
#include "memory/import_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line that was imported is exported as a line that imports as the same memory. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_import how = {.layer = MEMORY_USER};
	const struct memory_who who = {.user = STR("u"), .agent = STR("a"), .session = STR("s")};
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct memory_line line, again;
	struct buf b = buf_in(a), c = buf_in(a);

	if (!memory_line_read(a, text, 1, &how, &who, &line) && !line.tombstone) {
		json_write(&b, record_val(a, memory_record, &line.one), 0);
		if (memory_line_read(a, buf_as_str(&b), 2, &how, &who, &again))
			BUG("what was read cannot be read again");
		json_write(&c, record_val(a, memory_record, &again.one), 0);
		if (!str_eq(buf_as_str(&b), buf_as_str(&c)))
			BUG("another memory");
	}
	arena_free(a);
	return 0;
}
