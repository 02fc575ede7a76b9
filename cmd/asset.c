/* asset list, asset show: what is stored. And what the commands over assets share. */
#include "asset.h"

static const char *const categories[] = ASSET_CATEGORIES;
const char *const asset_levels[] = ASSET_LEVELS;

const struct param asset_params[] = {
	PARAM_ASSET(struct asset_args),
	{0},
};

const struct field asset_fields[] = {
	{"path", "its name", F_STR},
	{"uri", "the same, as the file tools take it", F_STR},
	{"description", "what it is for, or empty", F_STR},
	{"category", "what it is", F_STR, .choices = categories},
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
	val_set(a, v, "category", val_str(a, str_of(categories[it->category])));
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

/* What has a fixed width first: paths are as long as people make them. */
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

/* ---- asset list ---- */

struct args {
	struct str folder;
	int category;
	int64_t limit, offset;
};

static const struct param list_params[] = {
	PARAM(folder, .flags = ARG, .min = 1, .max = OS_PATH_MAX,
	      .help = "only what is below it, as in blocks"),
	PARAM(category, .choices = categories, .help = "only this category"),
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
	.run = asset_cmd_list_run,
	.text = asset_cmd_list_text,
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
	.run = asset_cmd_show_run,
	.text = asset_cmd_show_text,
};
