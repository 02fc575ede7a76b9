/* asset history: what an asset was. */
#include "common/asset_result.h"

struct args {
	struct str path;
	int64_t version;
};

static const struct param params[] = {
	PARAM_ASSET(struct args),
	PARAM(version, .flags = ARG, .min = 1, .max = CMD_INT_MAX,
	      .help = "give the text of this version"),
	{0},
};

static const struct field version[] = {
	{"version", "its number, counted from 1 for each asset and never given twice", F_INT},
	{"savedAt", "when it was replaced", F_STR},
	{"op", "by what", F_STR},
	{"agent", "by whom", F_STR},
	{"tokens", "as they were estimated then", F_INT},
	{"size", "bytes", F_INT},
	{"hash", "sha256 of its content", F_STR},
	{0},
};
static const struct field result[] = {
	{"path", "the asset", F_STR},
	{"versions", "what it was before, the latest first", F_LIST, .sub = version},
	{"content", "the text of the version that was asked for", F_STR, OPTIONAL},
	{0},
};

static struct err *asset_history_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct asset_versions all = {0};
	struct asset_version one;
	struct files *f;
	struct str path;
	struct val *list;

	TRY(files_open(c, &f));
	TRY(asset_former(c, f->assets, args->path, &path, &all));
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, path));
	list = val_set(c->a, *out, "versions", val_list(c->a));
	for (size_t i = 0; i < all.n; i++) {
		const struct asset_version *v = &all.p[i];
		struct val *to = val_add(list, val_map(c->a));

		val_set(c->a, to, "version", val_int(c->a, v->number));
		val_set(c->a, to, "savedAt", val_str(c->a, os_time_text(c->a, v->saved, true)));
		val_set(c->a, to, "op", val_str(c->a, v->op));
		val_set(c->a, to, "agent", val_str(c->a, v->agent));
		val_set(c->a, to, "tokens", val_int(c->a, v->tokens));
		val_set(c->a, to, "size", val_int(c->a, v->size));
		val_set(c->a, to, "hash", val_str(c->a, v->hash));
	}
	if (!args->version)
		return NULL;
	TRY(asset_version(f->assets, c->a, path, args->version, &one));
	val_set(c->a, *out, "content", val_str(c->a, one.content));
	return NULL;
}

static void asset_history_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	if (val_get(r, "content")) {
		out_bytes(c->out, val_get_str(r, "content"));
		return;
	}
	VAL_EACH(val_get(r, "versions"), v) {
		out_fmt(c->out, "%5jd  %s  %7jd tokens %9jd bytes  %-8s  ",
			(intmax_t)val_get_int(v, "version"), val_get_str(v, "savedAt").p,
			(intmax_t)val_get_int(v, "tokens"), (intmax_t)val_get_int(v, "size"),
			str_c(c->a, val_get_str(v, "op")));
		out_safe(c->out, val_get_str(v, "agent"), false);
		out_puts(c->out, "\n");
	}
	if (!val_get(r, "versions")->n)
		out_puts(c->err, "it was never changed, or its versions are not kept any more\n");
}

const struct cmd cmd_asset_history = {
	.name = "asset history",
	.tool = "asset_history",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list what an asset was before, or print one such version",
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = asset_history_run,
	.text_val = asset_history_text,
};
