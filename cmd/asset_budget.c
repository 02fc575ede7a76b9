/* asset budget: how much of its context an agent has filled, and with what. */
#include "common/asset_result.h"

static const struct field block[] = {
	{"path", "the asset", F_STR},
	{"tokens", "estimated", F_INT},
	{0},
};
static const struct field other[] = {
	{"agent", "who", F_STR},
	{"used", "tokens that it has pinned", F_INT},
	{0},
};
static const struct field result[] = {
	ASSET_BUDGET_FIELDS,
	{"blocks", "what is pinned, in pin order", F_LIST, .sub = block},
	{"othersOver", "other agents that are over the limit", F_LIST, .sub = other},
	{0},
};

/* What one agent writes can put another over: see ikm-asset(1). */
static struct err *put_others(struct call *c, const struct assets *mine, struct val *list)
{
	struct assets theirs = *mine;
	struct strs agents = {0};
	struct asset_budget b;

	TRY(asset_agents(&theirs, c->a, &agents));
	for (size_t i = 0; i < agents.n; i++) {
		struct asset_list all = {0};
		struct val *v;

		theirs.agent = agents.p[i];
		if (str_eq(theirs.agent, mine->agent))
			continue;
		TRY(asset_pinned(&theirs, c->a, false, &all));
		b = asset_budget_of(&theirs, &all);
		if (b.level != ASSET_OVER)
			continue;
		v = val_add(list, val_map(c->a));
		val_set(c->a, v, "agent", val_str(c->a, theirs.agent));
		val_set(c->a, v, "used", val_int(c->a, b.used));
	}
	return NULL;
}

static struct err *asset_budget_run(struct call *c, const void *args, struct val **out)
{
	struct asset_list all = {0};
	struct files *f;
	struct val *list;

	(void)args;
	TRY(files_open(c, &f));
	TRY(asset_pinned(f->assets, c->a, false, &all));
	*out = val_map(c->a);
	asset_put_budget(c, f->assets, &all, *out);
	list = val_set(c->a, *out, "blocks", val_list(c->a));
	for (size_t i = 0; i < all.n; i++) {
		struct val *v = val_add(list, val_map(c->a));

		val_set(c->a, v, "path", val_str(c->a, all.p[i].path));
		val_set(c->a, v, "tokens", val_int(c->a, all.p[i].tokens));
	}
	return put_others(c, f->assets, val_set(c->a, *out, "othersOver", val_list(c->a)));
}

static void asset_budget_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	asset_print_budget(c->out, r);
	VAL_EACH(val_get(r, "blocks"), v) {
		out_fmt(c->out, "%9jd  ", (intmax_t)val_get_int(v, "tokens"));
		out_safe(c->out, val_get_str(v, "path"), false);
		out_puts(c->out, "\n");
	}
	VAL_EACH(val_get(r, "othersOver"), v) {
		out_styled(c->out, OUT_RED, STR("over"));
		out_fmt(c->out, ": %jd tokens are pinned by agent ",
			(intmax_t)val_get_int(v, "used"));
		out_safe(c->out, val_get_str(v, "agent"), false);
		out_puts(c->out, "\n");
	}
}

const struct cmd cmd_asset_budget = {
	.name = "asset budget",
	.tool = "asset_budget",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "show how many tokens the agent has pinned, of how many",
	.need = NEED_CONF,
	.result = result,
	.run_val = asset_budget_run,
	.text_val = asset_budget_text,
};
