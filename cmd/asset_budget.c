/* asset budget: shows how much of its context an agent has filled, and with which assets. */
#include "assets/asset_common.h"

struct other {
	struct str agent;
	int64_t used;
};

struct result {
	struct asset_budget budget;
	struct asset_list blocks;
	struct VEC(struct other) others;
};

static const struct field block[] = {
	ASSET_ROW_PATH(struct asset, ),
	ASSET_ROW_TOKENS(struct asset, ),
	{0},
};
static const struct field other[] = {
	FIELD_OF(struct other, agent, "who"),
	FIELD_OF(struct other, used, "the tokens of its pinned assets"),
	{0},
};
static const struct field result[] = {
	ASSET_BUDGET_ROWS(struct result, budget.),
	FIELD_RECORDS(struct result, blocks, "blocks", block, "the pinned assets, in pin order"),
	FIELD_RECORDS(struct result, others, "othersOver", other,
		      "other agents that are over the limit"),
	{0},
};

static struct err *asset_budget_run(struct call *c, const void *args, void *out)
{
	struct result *r = out;
	struct asset_budget b;
	struct strs agents = {0};
	struct assets theirs;
	struct files *f;

	(void)args;
	TRY(files_open(c, &f));
	TRY(asset_list_pinned(f->assets, c->a, false, &r->blocks));
	r->budget = asset_budget_of_pinned(f->assets, &r->blocks);
	/* An asset that one agent lengthens can put another agent over: see ikm-asset(1). */
	theirs = *f->assets;
	TRY(asset_agents_with_pins(&theirs, c->a, &agents));
	for (size_t i = 0; i < agents.n; i++) {
		struct asset_list all = {0};

		theirs.agent = agents.p[i];
		if (str_eq(theirs.agent, f->assets->agent))
			continue;
		TRY(asset_list_pinned(&theirs, c->a, false, &all));
		b = asset_budget_of_pinned(&theirs, &all);
		if (b.level == ASSET_OVER)
			*VEC_PUSH(c->a, &r->others) = (struct other){theirs.agent, b.used};
	}
	return NULL;
}

const struct cmd cmd_asset_budget = {
	.name = "asset budget",
	.tool = "asset_budget",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "show the tokens of pinned assets, and the limit",
	.need = NEED_CONF,
	CMD_RESULT(struct result, result),
	.run = asset_budget_run,
	.template = TEMPLATE_BUDGET
	"{/blocks:{tokens%9}  {path}\n}{/othersOver:{!'over'}: {used} tokens are "
	"pinned by agent {agent}\n}",
};
