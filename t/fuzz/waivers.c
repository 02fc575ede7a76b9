/* .ikm/waivers.yaml: what is read, and an entry added to it. */
#include "base/base.h"
#include "waive/waive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size}, more;
	struct arena *a = arena_new();
	struct waivers before = {0}, after = {0};
	bool mistake = false;
	struct waiver w = {.item = STR("0001-a"),
			   .reason = STR("a: \"b\" # c"),
			   .owner = STR("Ada"),
			   .expires = STR("2024-10-04")};
	struct err *e;

	strs_push(a, &w.paths, STR("*.c"));
	waivers_read_yaml(a, text, 20000, false, &before);
	for (size_t i = 0; i < before.n; i++) {
		mistake = mistake || before.p[i].problem.n;
		if (!before.p[i].problem.n &&
		    (!before.p[i].paths.n || !before.p[i].owner.n || before.p[i].ends > 20366))
			BUG("a waiver without its parts was read");
	}
	e = waivers_yaml_add(a, text, &w, 20000, &more);
	if (!e) {
		waivers_read_yaml(a, more, 20000, false, &after);
		if (mistake || after.n != before.n + 1 || after.p[before.n].problem.n ||
		    !str_eq(after.p[before.n].reason, w.reason))
			BUG("the entry that was added is not there");
	}
	arena_free(a);
	return 0;
}
