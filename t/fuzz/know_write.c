/* Any bytes as an item that is changed: what is written reads as meant, also the second time. */
#include "knowledge/agentsmd.h"
#include "knowledge/item_edit.h"

static const struct kn_source fuzz_source = {
	.name = STR_INIT("s"), .folder = "/s", .own = true, .in_tree = true};

static bool fuzz_read(struct arena *a, struct str name, struct str text, struct knowledge *k)
{
	bool is_item;

	if (knowledge_parse_item(a, &fuzz_source, name, KN_LAYER_PROJECT, STR(""), KN_TYPE_ADR,
				 text, k, &is_item))
		BUG("a file is never an error");
	return is_item;
}

static void fuzz_status(struct arena *a, const struct kn_item *item, struct str text)
{
	for (int to = 0; kn_statuses[to]; to++) {
		struct str once, again;
		struct knowledge k = {0};
		struct strs notes = {0};

		if (knowledge_write_status(a, item, text, (enum kn_status)to, &once, &notes))
			continue;
		fuzz_read(a, item->path, once, &k);
		if (k.items.p[0].status != (enum kn_status)to)
			BUG("another status was written");
		if (knowledge_write_status(a, &k.items.p[0], once, (enum kn_status)to, &again,
					   &notes))
			continue;
		fuzz_read(a, item->path, again, &k);
		if (k.items.p[1].status != (enum kn_status)to)
			BUG("another status was written the second time");
		/* Only the clock may tell both apart: a time of the day has seconds. */
		if (str_find_char(once, 'Z', 0) == SIZE_MAX && !str_eq(once, again))
			BUG("the same status gives another text");
	}
}

static void fuzz_block(struct arena *a, const struct knowledge *k, struct str text)
{
	struct agentsmd m;
	struct str now;

	/* A file with a NUL is no text, and is refused before. */
	if (str_has_nul(text) || agentsmd_compare(a, k, text, &m))
		return;
	now = agentsmd_put_block(a, text, &m);
	if (agentsmd_compare(a, k, now, &m) || m.stale)
		BUG("the block is stale at once");
	if (!str_eq(agentsmd_put_block(a, now, &m), now))
		BUG("the block is another the second time");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char other[] = "# 2. B\n\n## Status\n\nAccepted\n";
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct knowledge k = {0}, pair = {0};
	struct knowledge_side one, two;

	fuzz_read(a, STR("0001-a.md"), text, &k);
	fuzz_status(a, &k.items.p[0], text);
	fuzz_read(a, STR("0001-a.md"), text, &pair);
	fuzz_read(a, STR("0002-b.md"), str_of(other), &pair);
	one = (struct knowledge_side){&pair.items.p[0], "/s/0001-a.md", text, {NULL, 0}};
	two = (struct knowledge_side){&pair.items.p[1], "/s/0002-b.md", str_of(other), {NULL, 0}};
	if (knowledge_write_superseding(a, &one, &two) ||
	    knowledge_write_superseding(a, &two, &one)) {
		/* Refused: no text is written. */
	}
	knowledge_finish(a, &k);
	fuzz_block(a, &k, text);
	arena_free(a);
	return 0;
}
