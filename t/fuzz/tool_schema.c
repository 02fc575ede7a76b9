/* Any bytes as the answer to --schema. An accepted document has an object for its parameters in
 * every form; when it is read again, the parameters are the same. */
#include "base/base.h"
#include "json/json.h"
#include "tool/tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size}, differs;
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct tool t, again;

	if (!tool_read(a, STR("tool"), text, &t, &differs)) {
		for (int f = TOOL_IKIGAI; f <= TOOL_MCP; f++)
			if (tool_schema(a, &t, (enum tool_format)f, f == TOOL_IKIGAI)->type !=
			    VAL_MAP)
				BUG("form %d is no object", f);
		if (!str_is(val_get_str(t.input, "type"), "object") ||
		    !val_get(t.input, "properties"))
			BUG("the parameters are no object");
		json_write(&b, tool_schema(a, &t, TOOL_IKIGAI, false), 0);
		if (tool_read(a, STR("tool"), buf_as_str(&b), &again, &differs) || differs.p)
			BUG("what was taken is not taken again");
		if (!val_eq(t.input, again.input))
			BUG("it has other parameters the second time");
	}
	arena_free(a);
	return 0;
}
