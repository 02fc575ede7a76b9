#include "base/base.h"
#include "git/git.h"
#include "match/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct arena *a, const struct patch_file *f, struct str from, struct str want,
		  bool reverse)
{
	struct patch_options options = {0, reverse};
	struct str got;

	if (patch_apply(a, f, from, &options, &got, NULL) || !str_eq(got, want))
		BUG("a diff does not make what it was made from");
}

/* Two texts with a NUL between. The first is applied to the second as a diff, whatever bytes they
 * have. The diff of the two texts turns one into the other, in both directions. Lines that are
 * added without context get the line end of the line before, so a text with CR needs context for
 * that. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str two = {(const char *)data, size}, one = {"", 0}, new, diff;
	struct patch_options options = {2, size % 2};
	struct arena *a = arena_new();
	unsigned context = (unsigned)size % 4;
	struct patch p;

	if (!context && str_find_char(two, '\r', 0) != SIZE_MAX)
		context = 1;
	str_next_part(&two, 0, &one);
	if (!patch_read(a, one, &p))
		for (size_t i = 0; i < p.n; i++)
			if (!patch_apply(a, &p.p[i], two, &options, &new, NULL) && new.p &&
			    !str_eq(new, two))
				patch_is_applied(&p.p[i], new, options.reverse);
	/* Corrected counts stay as they are. */
	if (patch_recount(a, one, &new) && patch_recount(a, new, &diff))
		BUG("recounted twice");
	if (git_diff_contents(a, "a", one, "b", two, context, &diff) ||
	    str_eq(one, two) == (diff.n > 0))
		BUG("no diff");
	if (diff.n && patch_read(a, diff, &p))
		BUG("a diff that cannot be read");
	if (diff.n) {
		check(a, &p.p[0], one, two, false);
		check(a, &p.p[0], two, one, true);
	}
	arena_free(a);
	return 0;
}
