/* What the commands over stored assets share. */
#include "asset_result.h"

const struct param asset_params[] = {
	PARAM_ASSET(struct asset_args),
	{0},
};

const struct field asset_fields[] = {
	{"path", "its name", F_STR},
	{"uri", "the same, as the file tools take it", F_STR},
	{"description", "what it is for, or empty", F_STR},
	{"category", "what it is", F_STR, .choices = asset_categories},
	{"readOnly", "it may not be changed", F_BOOL},
	{"pinned", "the agent has pinned it", F_BOOL},
	{"tokens", "estimated", F_INT},
	{"size", "bytes", F_INT},
	{"hash", "sha256 of its content", F_STR},
	{"createdAt", "when it was made", F_STR},
	{"updatedAt", "when it was changed", F_STR},
	{0},
};

static struct val *asset_cmd_time_val(struct arena *a, int64_t ms)
{
	return val_str(a, os_time_text(a, ms, true));
}

struct val *asset_val(struct arena *a, const struct asset *it)
{
	struct val *v = val_map(a);

	val_set(a, v, "path", val_str(a, it->path));
	val_set(a, v, "uri", val_str(a, asset_uri(a, it->path)));
	val_set(a, v, "description", val_str(a, it->description));
	val_set(a, v, "category", val_str(a, str_of(asset_categories[it->category])));
	val_set(a, v, "readOnly", val_bool(a, it->read_only));
	val_set(a, v, "pinned", val_bool(a, it->pin));
	val_set(a, v, "tokens", val_int(a, it->tokens));
	val_set(a, v, "size", val_int(a, it->size));
	val_set(a, v, "hash", val_str(a, it->hash));
	val_set(a, v, "createdAt", asset_cmd_time_val(a, it->created));
	val_set(a, v, "updatedAt", asset_cmd_time_val(a, it->updated));
	return v;
}

struct err *asset_open(struct call *c, struct str text, struct files **f, struct str *path)
{
	TRY(files_open(c, f));
	return asset_resolve((*f)->assets, c->a, text, path);
}

/* Columns of a fixed width come first: paths may have any length. */
void asset_print(struct out *o, const struct val *v)
{
	out_fmt(o, "%s%s %-10.*s %7jd tokens %9jd bytes  ", val_get(v, "pinned")->b ? "*" : " ",
		val_get(v, "readOnly")->b ? "r" : " ", STR_ARG(val_get_str(v, "category")),
		(intmax_t)val_get_int(v, "tokens"), (intmax_t)val_get_int(v, "size"));
	out_style(o, OUT_BOLD);
	out_safe(o, val_get_str(v, "path"), false);
	out_style(o, OUT_PLAIN);
	if (val_get_str(v, "description").n)
		out_puts(o, "  ");
	out_safe(o, val_get_str(v, "description"), false);
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
	TRY(asset_history(s, c->a, *path, all));
	if (all->n)
		return NULL;
	*path = str_fmt(c->a, "%.*s.md", STR_ARG(*path));
	TRY(asset_history(s, c->a, *path, all));
	return all->n ? NULL : e;
}

void asset_put_budget(struct call *c, const struct assets *s, const struct asset_list *pinned,
		      struct val *out)
{
	struct asset_budget b = asset_budget_of(s, pinned);

	val_set(c->a, out, "used", val_int(c->a, b.used));
	val_set(c->a, out, "limit", val_int(c->a, b.limit));
	val_set(c->a, out, "percent", val_int(c->a, b.limit > 0 ? b.used * 100 / b.limit : 0));
	val_set(c->a, out, "level", val_str(c->a, str_of(asset_levels[b.level])));
}

void asset_print_budget(struct out *o, const struct val *r)
{
	struct str level = val_get_str(r, "level");

	out_fmt(o, "%jd of %jd tokens are pinned (%jd %%)", (intmax_t)val_get_int(r, "used"),
		(intmax_t)val_get_int(r, "limit"), (intmax_t)val_get_int(r, "percent"));
	if (!str_is(level, asset_levels[ASSET_OK])) {
		out_puts(o, ": ");
		out_styled(o, str_is(level, asset_levels[ASSET_WARNING]) ? OUT_YELLOW : OUT_RED,
			   level);
	}
	out_puts(o, "\n");
}
