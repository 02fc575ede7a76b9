/*
 * context: prints the assets that an agent has pinned, for a system prompt (requirement: assets,
 * "System Prompt Guidance"). Equal assets give equal bytes, and changing parts come last, so that
 * prompt caches work.
 */
#include "assets/asset_common.h"
#include "reply/prompts.h"

struct result {
	struct str text;
	size_t tokens;
	struct asset_list blocks;
	struct asset_budget budget;
};

static const struct field block[] = {
	ASSET_ROW_PATH(struct asset, ),
	ASSET_ROW_URI(struct asset, ),
	ASSET_ROW_TOKENS(struct asset, ),
	{0},
};

static const struct field budget[] = {
	ASSET_BUDGET_ROWS(struct asset_budget, ),
	{0},
};
static const struct field result[] = {
	FIELD(text, "the text for a system prompt"),
	FIELD(tokens, "the tokens of the text, estimated"),
	FIELD_RECORDS(struct result, blocks, "blocks", block, "the pinned assets, in pin order"),
	FIELD_RECORD(struct result, budget, "budget", budget, "the agent's budget"),
	{0},
};

static struct err *context_run(struct call *c, const void *args, void *out)
{
	struct buf b = buf_in(c->a);
	struct result *r = out;
	struct files *f;

	(void)args;
	TRY(files_open(c, &f));
	TRY(asset_list_pinned(f->assets, c->a, true, &r->blocks));
	r->budget = asset_budget_of_pinned(f->assets, &r->blocks);
	buf_puts(&b, "# Files and stored assets\n\n" GUIDANCE);
	buf_puts(&b, "\n# Pinned\n\n");
	context_put_assets(c->a, &b, &r->blocks);
	buf_fmt(&b, "\n# Budget\n\n%jd of %jd tokens are pinned (%jd %%).\n",
		(intmax_t)r->budget.used, (intmax_t)r->budget.limit, (intmax_t)r->budget.percent);
	if (r->budget.level == ASSET_OVER)
		buf_puts(&b,
			 "That is over the limit: no pinned block can grow until it is under.\n");
	r->text = buf_as_str(&b);
	r->tokens = token_estimate(r->text, f->assets->model);
	return NULL;
}

const struct cmd cmd_context = {
	.name = "context",
	.tool = "context",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "print the agent's pinned assets for a system prompt",
	.description = "Give the pinned assets in pin order, quoted, with URIs and token counts. "
		       "Also explains files and stored assets, and gives the budget.",
	.need = NEED_CONF,
	CMD_RESULT(struct result, result),
	.run = context_run,
	.template = "{text%b}",
};
