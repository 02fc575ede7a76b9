/* Rules on the paths of files: the one fact of a file is its path. */
#include "judge/internal.h"

static struct err *file_read(struct worker *w, struct arena *a, struct facts *f)
{
	(void)w;
	/* A renamed file keeps its finding: the key is none of the paths. */
	*VEC_PUSH(a, f) = (struct fact){.line = STR(""), .at = SIZE_MAX};
	return NULL;
}

static enum re_answer file_match(struct worker *w, struct arena *a, const struct rule *r,
				 const struct facts *f, const struct fact *one)
{
	const struct subject *s = f->side.s;
	struct span m;

	(void)a;
	(void)one;
	if (r->glob)
		return glob_match(r->glob, f->side.old ? s->old_glob : s->now_glob) ? RE_YES
										    : RE_NO;
	return pattern_find(w, r, f->side.path, 0, &m);
}

static void file_show(struct arena *a, const struct rule *r, const struct facts *f,
		      const struct hit *h, struct finding *out)
{
	(void)a;
	(void)r;
	(void)h;
	out->text = out->shown = f->side.path;
}

const struct target file_target = {
	.reads = READS_PATH,
	.read = file_read,
	.match = file_match,
	.find = facts_breaking_rule,
	.show = file_show,
	.words = {"no path matches, and one must", "must not have the file",
		  "must use allowed names only, not", .looks = "its path"},
};
