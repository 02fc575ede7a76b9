#include "base/base.h"
#include "json/json.h"
#include "mcp/rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever a line says, it is a message or an error that can be told in one line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct rpc_message m;
	struct rpc_error e;
	struct str line;
	struct val *v;

	if (!json_read(a, (struct str){(const char *)data, size}, NULL, &v)) {
		if (rpc_read(a, v, &m, &e))
			line = m.id ? rpc_result(a, m.id, v) : rpc_notification(a, "x", v);
		else
			line = rpc_failure(a, m.id, true, &e);
		if (str_find_char(line, '\n', 0) != SIZE_MAX || json_read(a, line, NULL, &v))
			if (size < 100)
				BUG("wrote what is no line of JSON");
	}
	arena_free(a);
	return 0;
}
