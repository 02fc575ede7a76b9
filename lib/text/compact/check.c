/* Checks a compacted text of another program against the text that it would replace. */
#include "compact/compact.h"
#include "md/md.h"

static struct err *compact_check_bad(const char *what, struct str lost)
{
	struct err *e = err_new(E_BAD_COMPACT, "the compacted text %s", what);

	if (lost.n)
		err_add_detail(e, "lost", lost);
	return err_help(e, "the text stays unchanged");
}

static struct err *anchors_of(struct arena *a, struct str text, struct strs *out)
{
	struct md_anchors v;

	TRY(md_hidden_anchors(a, text, &v));
	*out = (struct strs){0};
	for (size_t i = 0; i < v.n; i++)
		strs_push(a, out, str_sub(text, v.p[i].at.from, v.p[i].at.to));
	VEC_SORT(out, str_cmp_ptr);
	return NULL;
}

struct err *compact_check_may_replace(struct arena *a, struct str before, struct str after,
				      enum token_model model)
{
	struct str front = str_sub(before, 0, md_body_offset(before));
	struct strs old, new;
	size_t n = 0, was = token_estimate(before, model), is = token_estimate(after, model);

	if (!str_trim(str_sub(after, md_body_offset(after), after.n)).n)
		return compact_check_bad("is empty", STR(""));
	if (is > was || (is == was && after.n > before.n))
		return err_detail_int(
			err_detail_int(
				compact_check_bad("is longer than the text that it would replace",
						  STR("")),
				"before", (int64_t)was),
			"after", (int64_t)is);
	if (!str_eq(front, str_sub(after, 0, md_body_offset(after))))
		return compact_check_bad("changes the front matter", front);
	TRY(anchors_of(a, before, &old));
	TRY(anchors_of(a, after, &new));
	for (size_t i = 0; i < old.n; i++) {
		while (n < new.n && str_cmp(new.p[n], old.p[i]) < 0)
			n++;
		if (n == new.n || !str_eq(new.p[n], old.p[i]))
			return compact_check_bad(
				str_fmt(a, "lacks the anchor '%.*s'", STR_ARG(old.p[i])).p,
				old.p[i]);
		n++;
	}
	return NULL;
}
