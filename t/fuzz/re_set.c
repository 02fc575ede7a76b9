#include "base/base.h"
#include "re/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Flags, a pattern up to a NUL, and a text: a set must include every pattern that matches, and a
 * search by literals must find the same as a full search. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data + 1, size - 1}, pattern = {"", 0};
	struct arena *a;
	struct re *plain, *quick;
	struct re_set *set;
	struct span one = {0}, two = {0};
	enum re_answer x, y;
	bool may;

	if (!size)
		return 0;
	str_next_part(&text, 0, &pattern);
	a = arena_new();
	/* Limits cut in at different places, which is no difference. */
	if (text.n <= 256 && !re_new(a, pattern, data[0] & 31, &plain) &&
	    !re_new(a, pattern, data[0] & 31, &quick) &&
	    !re_set_new(a, (const struct re *const *)&quick, 1, &set)) {
		struct re_work *w = re_work_new(a);

		re_forget_literals(plain);
		re_set_scan(set, text, &may);
		x = re_find(plain, w, text, 0, &one);
		y = re_find(quick, w, text, 0, &two);
		if (x == RE_YES && !may)
			BUG("the set hides a match");
		if (x != RE_LIMIT && y != RE_LIMIT &&
		    (x != y || one.from != two.from || one.to != two.to))
			BUG("found at %zu-%zu and %zu-%zu", one.from, one.to, two.from, two.to);
	}
	arena_free(a);
	return 0;
}
