/* Any bytes as YAML: an error, or a tree whose spans lie in the text. */
#include "base/base.h"
#include "yaml/yaml.h"

static void walk(const struct val *v, size_t n, size_t *budget)
{
	if (v->at.from > v->at.to || v->at.to > n || v->key_at.to > n)
		BUG("a span outside the text");
	VAL_EACH(v, m)
		if (*budget) {
			--*budget;
			walk(m, n, budget);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct val *v = NULL;
	size_t budget = 100000;

	if (!yaml_read(a, (struct str){(const char *)data, size}, STR(""), 0, &v))
		walk(v, size, &budget);
	arena_free(a);
	return 0;
}
