#include "base/base.h"
#include "memory/foreign.h"
#include "memory/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the format. What a reader makes is a line that can be imported. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_import how = {.layer = MEMORY_USER};
	const struct memory_who who = {.user = STR("u"), .agent = STR("a"), .session = STR("s")};
	const enum memory_format formats[] = {MEMORY_MCP, MEMORY_MEM0, MEMORY_NOTES};
	struct memory_foreign f, again;
	struct memory_line read;
	struct str text, lines, line;
	struct arena *a;

	if (!size)
		return 0;
	a = arena_new();
	text = (struct str){(const char *)data + 1, size - 1};
	memory_foreign_guess(a, STR("x.json"), text);
	for (int i = 0; i < 2; i++) {
		memory_foreign_start(i ? &again : &f, a, &how);
		memory_foreign_read(i ? &again : &f, formats[data[0] % ARRAY_SIZE(formats)],
				    STR("notes/MEMORY.md"), text, 1000);
	}
	lines = buf_str(&f.lines);
	if (!str_eq(lines, buf_str(&again.lines)))
		BUG("the same input gives other memories");
	while (str_line(&lines, &line)) {
		struct err *e = memory_line_read(a, line, 1, &how, &who, &read);

		if (e)
			BUG("a line cannot be imported: %s", err_message(e));
	}
	arena_free(a);
	return 0;
}
