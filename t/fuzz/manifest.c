/* Any bytes as a manifest: a valid manifest, or all its problems with places in the text. */
#include "base/base.h"
#include "request/tool_access_manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct manifest_problems problems;
	struct manifest m;

	if (manifest_validate(a, text, STR("x.yaml"), &m, &problems)) {
		if (problems.n || !manifest_is_id(m.tool_id))
			BUG("it is none");
		for (size_t i = 0; i < ACCESS_TYPES_END; i++)
			if (m.access[i].max_budget_tokens.n > ACCESS_BUDGET_MAX)
				BUG("a budget that is not allowed");
	} else if (!problems.n) {
		BUG("it is wrong, and nothing is said");
	}
	for (size_t i = 0; i < problems.n; i++)
		if (!str_is_utf8(problems.p[i].message) || problems.p[i].at.line > size + 1)
			BUG("problem %zu is wrong", i);
	arena_free(a);
	return 0;
}
