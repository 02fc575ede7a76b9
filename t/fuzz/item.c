/* Any bytes as an item: notes and constraints whose places lie in the file, ready for a query. */
#include "base/base.h"
#include "knowledge/knowledge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct kn_source source = {.layer = KN_LAYER_ORG, .name = STR_INIT("s")};
	struct knowledge_filter all = {.type = -1, .layer = -1, .statuses = ~0u};
	struct str text = {(const char *)data, size};
	const struct kn_item **items;
	struct arena *a = arena_new();
	struct knowledge k = {0};
	bool is_item;
	size_t n;

	for (int i = 0; i < 2; i++)
		if (knowledge_parse_item(a, &source, i ? STR("0002-b.md") : STR("0001-a.md"),
					 KN_LAYER_ORG, STR(""), KN_TYPE_ADR, text, &k, &is_item))
			BUG("a file is never an error");
	knowledge_finish(a, &k);
	for (size_t i = 0; i < k.notes.n; i++)
		if (k.notes.p[i].line > size + 1 || !str_is_utf8(k.notes.p[i].message))
			BUG("note %zu is wrong", i);
	for (size_t i = 0; i < k.items.n; i++)
		for (size_t j = 0; j < k.items.p[i].constraints_n; j++)
			if (k.items.p[i].constraints[j].at.to > size)
				BUG("a constraint outside the file");
	all.query = text;
	if (knowledge_query(a, &k, &all, &items, &n))
		BUG("any bytes are a query");
	arena_free(a);
	return 0;
}
