/* The lines that a change adds, in git's own diff: GitHub can only annotate these lines. */
#include "judge/engine.h"
#include "git/git.h"
#include "patch/patch.h"

struct line_ranges lines_added(struct arena *a, struct str old, struct str now)
{
	struct line_ranges out = {0};
	struct patch p = {0};
	struct str text;

	/* The diff only chooses among equal findings, so its failure is no error. */
	if (git_diff_text(a, "old", old, "new", now, 0, &text) || !text.n ||
	    patch_read(a, text, &p))
		return out;
	for (size_t i = 0; i < p.n; i++)
		for (size_t j = 0; j < p.p[i].n; j++) {
			const struct patch_hunk *h = &p.p[i].hunks[j];

			if (h->new_count)
				*VEC_PUSH(a, &out) = (struct line_range){
					h->new_line, h->new_line + h->new_count};
		}
	return out;
}
