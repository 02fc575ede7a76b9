#include "base/base.h"
#include "json/json.h"
#include "mcp/rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every line is a message, or an error that fits on one line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct rpc_message m;
	struct rpc_error e;
	struct rpc_scan scan;
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
	/* In one piece or in two, the same ids are found. */
	for (size_t i = 0, n = 0; i < 2; i++) {
		rpc_scan_init(&scan, a);
		rpc_scan_feed(&scan, (struct str){(const char *)data, size / (i + 1)});
		rpc_scan_feed(&scan, (struct str){(const char *)data + size / (i + 1),
						  size - size / (i + 1)});
		rpc_scan_end(&scan);
		if (i && n != scan.ids.n)
			BUG("other ids in two pieces");
		n = scan.ids.n;
	}
	arena_free(a);
	return 0;
}
