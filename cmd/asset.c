/* asset list, asset show: print stored assets. */
#include "assets/asset_common.h"

/* ---- asset list ---- */

struct args {
	struct str folder;
	int category;
	int64_t limit, offset;
};

static const struct param list_params[] = {
	PARAM(folder, .flags = ARG, .min = 1, .max = OS_PATH_MAX,
	      .help = "only assets below this folder, such as blocks"),
	PARAM(category, .choices = asset_categories, .help = "only this category"),
	PARAM(limit, .letter = 'n', .min = 1, .max = 1000000, .help = "maximum number of assets"),
	PARAM(offset, .flags = JSON_ONLY, .min = 0, .max = 1000000, .page = "",
	      .help = "skip this many assets"),
	{0},
};

struct list_result {
	struct asset_list assets;
	int64_t total;
	bool truncated;
};

static const struct field list_result[] = {
	FIELD_RECORDS(struct list_result, assets, "assets", asset_record,
		      "the assets, sorted by path"),
	FIELD_OF(struct list_result, total, "the number of all assets"),
	FIELD_OF(struct list_result, truncated, "true: there are more assets than limit"),
	{0},
};

static struct err *asset_cmd_list_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct list_result *r = out;
	struct asset_list all = {0};
	struct str folder = args->folder;
	struct files *f;

	TRY(files_open(c, &f));
	if (str_ends(folder, STR("/")) && !str_is(folder, ASSET_SCHEME "/"))
		folder = str_sub(folder, 0, folder.n - 1);
	if (folder.p && !str_is(folder, ASSET_SCHEME "/"))
		TRY(asset_path_read(c->a, folder, true, &folder));
	else
		folder = STR("");
	TRY(asset_list_by_prefix(f->assets, c->a, folder, &all));
	for (size_t i = 0; i < all.n; i++) {
		if (args->category >= 0 && args->category != (int)all.p[i].category)
			continue;
		if (r->total++ >= args->offset &&
		    (!args->limit || r->total <= args->offset + args->limit))
			*VEC_PUSH(c->a, &r->assets) = all.p[i];
	}
	r->truncated = r->total > args->offset + (int64_t)r->assets.n;
	return NULL;
}

static const struct plain asset_cmd_plain = {
	.template =
		"{/assets:{uri} {tokens} {?tokens=1:token|tokens}{?pinned: pinned}{?readOnly: read-only}"
		"{?description:: {description}}\n}{?!assets:no stored assets\n|"
		"{?total>#assets:[{#assets} of {total}]\n}}",
	.hidden = "truncated",
};

const struct cmd cmd_asset_list = {
	.name = "asset list",
	.tool = "asset_list",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list stored assets, with sizes, tokens and pins",
	.need = NEED_CONF,
	CMD_PARAMS(struct args, list_params),
	CMD_RESULT(struct list_result, list_result),
	.run = asset_cmd_list_run,
	.template = "{=assets:" TEMPLATE_ASSET
		    "}{?!assets:{2:no assets\n}}{?truncated:{2:{#assets} of {total}; --limit "
		    "shows more\n}}",
	.plain = &asset_cmd_plain,
};

/* ---- asset show ---- */

struct show_result {
	struct asset asset;
};

static const struct field show_result[] = {
	FIELD_RECORD(struct show_result, asset, "asset", asset_record, "its properties"),
	FIELD_AS(struct show_result, asset.content, "content", "its text"),
	{0},
};

static struct err *asset_cmd_show_run(struct call *c, const void *p, void *out)
{
	const struct asset_args *args = p;
	struct show_result *r = out;
	struct files *f;
	struct str path;
	bool found;

	TRY(asset_open_store(c, args->path, &f, &path));
	TRY(asset_get(f->assets, c->a, path, true, &r->asset, &found));
	/* Another process removed the asset after its name was found. */
	return found ? NULL : asset_missing(f->assets, c->a, path);
}

const struct cmd cmd_asset_show = {
	.name = "asset show",
	.tool = "asset_show",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "show a stored asset and its properties",
	.need = NEED_CONF,
	CMD_PARAMS(struct asset_args, asset_params),
	CMD_RESULT(struct show_result, show_result),
	.run = asset_cmd_show_run,
	.template = "{/asset:" TEMPLATE_ASSET
		    "uri         {uri}\ndescription {description}\ncategory    {category}\n"
		    "hash        {hash}\ncreatedAt   {createdAt}\nupdatedAt   {updatedAt}\n}\n"
		    "{content%t}",
};
