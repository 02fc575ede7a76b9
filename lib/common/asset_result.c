/* Parameters, fields and functions that the asset commands share. */
#include "asset_result.h"

const struct param asset_params[] = {
	PARAM_ASSET(struct asset_args),
	{0},
};

struct err *asset_open(struct call *c, struct str text, struct files **f, struct str *path)
{
	TRY(files_open(c, f));
	return asset_resolve((*f)->assets, c->a, text, path);
}

/* Columns of fixed width come first, because paths may have any length. */
void asset_print(struct out *o, const struct asset *it)
{
	out_fmt(o, "%s%s %-10s %7jd tokens %9jd bytes  ", it->pinned ? "*" : " ",
		it->read_only ? "r" : " ", asset_categories[it->category], (intmax_t)it->tokens,
		(intmax_t)it->size);
	out_styled(o, OUT_BOLD, it->path);
	if (it->description.n)
		out_puts(o, "  ");
	out_safe(o, it->description, false);
	out_puts(o, "\n");
}

struct err *asset_former(struct call *c, struct assets *s, struct str text, struct str *path,
			 struct asset_versions *all)
{
	struct err *e = asset_resolve(s, c->a, text, path);

	if (!e)
		return asset_history(s, c->a, *path, all);
	if (err_reason(e) != E_NO_SUCH_ASSET)
		return e;
	TRY(asset_path(c->a, text, true, path));
	TRY(asset_find_removed(s, c->a, *path, path, all));
	return all->n ? NULL : e;
}

void asset_print_budget(struct out *o, const struct asset_budget *b)
{
	out_fmt(o, "%jd of %jd tokens are pinned (%jd %%)", (intmax_t)b->used, (intmax_t)b->limit,
		(intmax_t)b->percent);
	if (b->level != ASSET_OK) {
		out_puts(o, ": ");
		out_styled(o, b->level == ASSET_WARNING ? OUT_YELLOW : OUT_RED,
			   str_of(asset_levels[b->level]));
	}
	out_puts(o, "\n");
}
