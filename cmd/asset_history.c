/* asset history: lists former versions of an asset. */
#include "assets/asset_common.h"

struct args {
	struct str path;
	int64_t version;
};

static const struct param params[] = {
	PARAM_ASSET(struct args),
	PARAM(version, .flags = ARG, .min = 1, .max = CMD_INT_MAX,
	      .help = "print the text of this version"),
	{0},
};

struct result {
	struct str path;
	struct asset_versions versions;
	struct str content;
};

static const struct field result[] = {
	FIELD(path, "the asset"),
	FIELD_RECORDS(struct result, versions, "versions", asset_version_record,
		      "the former versions, the latest first"),
	FIELD(content, "the text of the requested version", .flags = OPTIONAL),
	{0},
};

static struct err *asset_history_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct asset_version one;
	struct files *f;

	TRY(files_open(c, &f));
	TRY(asset_resolve_with_versions(c, f->assets, args->path, &r->path, &r->versions));
	if (!args->version)
		return NULL;
	TRY(asset_version(f->assets, c->a, r->path, args->version, &one));
	r->content = one.content;
	return NULL;
}

const struct cmd cmd_asset_history = {
	.name = "asset history",
	.tool = "asset_history",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list former versions of an asset, or print one",
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = asset_history_run,
	.template =
		"{?^content:{content%b}|{=versions:{;number%>:{version%5}}  "
		"{;saved%16e:{savedAt}}  {;tokens%>:{tokens%7}} tokens {;bytes%>:{size%9}} bytes  "
		"{;op:{op%-8}}  {;agent%8e:{agent}}\n}"
		"{?!versions:{2:no former versions: it never changed, or they are no longer "
		"kept\n}}}",
};
