/* asset list, asset show: what is stored. */
#include "common/asset_result.h"

/* ---- asset list ---- */

struct args {
	struct str folder;
	int category;
	int64_t limit, offset;
};

static const struct param list_params[] = {
	PARAM(folder, .flags = ARG, .min = 1, .max = OS_PATH_MAX,
	      .help = "only what is below it, as in blocks"),
	PARAM(category, .choices = asset_categories, .help = "only this category"),
	PARAM(limit, .letter = 'n', .min = 1, .max = 1000000, .help = "how many at the most"),
	PARAM(offset, .flags = JSON_ONLY, .min = 0, .max = 1000000, .page = "",
	      .help = "leave out so many assets at the beginning"),
	{0},
};

static const struct field list_result[] = {
	{"assets", "by path", F_LIST, .sub = asset_fields},
	{"total", "how many there are", F_INT},
	{"truncated", "true: there are more than limit", F_BOOL},
	{0},
};

static struct err *asset_cmd_list_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct asset_list all = {0};
	struct str folder = args->folder;
	int64_t total = 0;
	struct files *f;
	struct val *list;

	TRY(files_open(c, &f));
	if (str_ends(folder, STR("/")) && !str_is(folder, ASSET_SCHEME "/"))
		folder = str_sub(folder, 0, folder.n - 1);
	if (folder.p && !str_is(folder, ASSET_SCHEME "/"))
		TRY(asset_path(c->a, folder, true, &folder));
	else
		folder = STR("");
	TRY(asset_each(f->assets, c->a, folder, &all));
	*out = val_map(c->a);
	list = val_set(c->a, *out, "assets", val_list(c->a));
	for (size_t i = 0; i < all.n; i++) {
		if (args->category >= 0 && args->category != (int)all.p[i].category)
			continue;
		if (total++ >= args->offset &&
		    (!args->limit || total <= args->offset + args->limit))
			val_add(list, asset_val(c->a, &all.p[i]));
	}
	val_set(c->a, *out, "total", val_int(c->a, total));
	val_set(c->a, *out, "truncated", val_bool(c->a, total > args->offset + (int64_t)list->n));
	return NULL;
}

static void asset_cmd_list_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "assets"), v)
		asset_print(c->out, v);
	if (!val_get(r, "assets")->n)
		out_puts(c->err, "no assets\n");
	if (val_get(r, "truncated")->b)
		out_fmt(c->err, "%zu of %jd; --limit shows more\n", val_get(r, "assets")->n,
			(intmax_t)val_get_int(r, "total"));
}

const struct cmd cmd_asset_list = {
	.name = "asset list",
	.tool = "asset_list",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "list stored assets, with sizes, tokens and pins",
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = list_params,
	.result = list_result,
	.run_val = asset_cmd_list_run,
	.text_val = asset_cmd_list_text,
};

/* ---- asset show ---- */

static const struct field show_result[] = {
	{"asset", "what is known of it", F_OBJ, .sub = asset_fields},
	{"content", "its text", F_STR},
	{0},
};

static struct err *asset_cmd_show_run(struct call *c, const void *p, struct val **out)
{
	const struct asset_args *args = p;
	struct files *f;
	struct str path;
	struct asset it;
	bool found;

	TRY(asset_open(c, args->path, &f, &path));
	TRY(asset_get(f->assets, c->a, path, true, &it, &found));
	/* Somebody removed it since its name was found. */
	if (!found)
		return asset_missing(f->assets, c->a, path);
	*out = val_map(c->a);
	val_set(c->a, *out, "asset", asset_val(c->a, &it));
	val_set(c->a, *out, "content", val_str(c->a, it.content));
	return NULL;
}

static void asset_cmd_show_text(struct call *c, const void *args, const struct val *r)
{
	static const char *const facts[] = {"uri",  "description", "category",
					    "hash", "createdAt",   "updatedAt"};
	const struct val *v = val_get(r, "asset");

	(void)args;
	asset_print(c->out, v);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		out_fmt(c->out, "%-12s", facts[i]);
		out_safe(c->out, val_get_str(v, facts[i]), false);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, "\n");
	out_safe(c->out, val_get_str(r, "content"), true);
}

const struct cmd cmd_asset_show = {
	.name = "asset show",
	.tool = "asset_show",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "show a stored asset and what is known of it",
	.need = NEED_CONF,
	.args_size = sizeof(struct asset_args),
	.params = asset_params,
	.result = show_result,
	.run_val = asset_cmd_show_run,
	.text_val = asset_cmd_show_text,
};
