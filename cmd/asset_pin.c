/* asset pin, unpin, pinned: manage the assets that an agent keeps in its context. */
#include "assets/asset_common.h"

/* ---- asset pin, asset unpin ---- */

struct pin_result {
	struct str path, uri;
	bool pin; /* requested: true to pin, false to unpin */
	bool changed;
	struct asset_budget budget;
};

static const struct field pin_result[] = {
	ASSET_ROW_PATH(struct pin_result, ),
	ASSET_ROW_URI(struct pin_result, ),
	FIELD_OF(struct pin_result, changed, "false: nothing changed"),
	ASSET_BUDGET_ROWS(struct pin_result, budget.),
	{0},
};

static struct err *asset_pin_set(struct call *c, const struct asset_args *args, bool pin,
				 struct pin_result *r)
{
	struct asset_list all = {0};
	struct files *f;
	bool was;

	TRY(asset_open_store(c, args->path, &f, &r->path));
	TRY(pin ? asset_pin(f->assets, r->path, &was) : asset_unpin(f->assets, r->path, &was));
	TRY(asset_list_pinned(f->assets, c->a, false, &all));
	r->uri = asset_uri(c->a, r->path);
	r->pin = pin;
	r->changed = was != pin;
	r->budget = asset_budget_of_pinned(f->assets, &all);
	return NULL;
}

static struct err *asset_pin_run(struct call *c, const void *args, void *r)
{
	return asset_pin_set(c, args, true, r);
}

static struct err *asset_unpin_run(struct call *c, const void *args, void *r)
{
	return asset_pin_set(c, args, false, r);
}

#define TEMPLATE_PIN(done, already) "{?changed:" done "|" already "}{*path}\n" TEMPLATE_BUDGET
const struct cmd cmd_asset_pin = {
	.name = "asset pin",
	.tool = "asset_pin",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.summary = "keep an asset in the agent's context",
	.description = "Pin a stored asset: its text is always in your context, and counts towards "
		       "your token budget. Pinning twice is fine.",
	.need = NEED_CONF,
	CMD_PARAMS(struct asset_args, asset_params),
	CMD_RESULT(struct pin_result, pin_result),
	.run = asset_pin_run,
	.template = TEMPLATE_PIN("pinned ", "pinned already: "),
};

const struct cmd cmd_asset_unpin = {
	.name = "asset unpin",
	.tool = "asset_unpin",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.summary = "remove an asset from the agent's context; it stays stored",
	.description = "Unpin a stored asset: it stays stored, is no longer in your context, and "
		       "frees budget.",
	.need = NEED_CONF,
	CMD_PARAMS(struct asset_args, asset_params),
	CMD_RESULT(struct pin_result, pin_result),
	.run = asset_unpin_run,
	.template = TEMPLATE_PIN("unpinned ", "not pinned: "),
};

/* ---- asset pinned ---- */

struct pinned_result {
	struct asset_list assets;
	struct asset_budget budget;
};

static const struct field pinned_result[] = {
	FIELD_RECORDS(struct pinned_result, assets, "assets", asset_record,
		      "the assets, in pin order"),
	ASSET_BUDGET_ROWS(struct pinned_result, budget.),
	{0},
};

static struct err *asset_pinned_run(struct call *c, const void *args, void *out)
{
	struct pinned_result *r = out;
	struct files *f;

	(void)args;
	TRY(files_open(c, &f));
	TRY(asset_list_pinned(f->assets, c->a, false, &r->assets));
	r->budget = asset_budget_of_pinned(f->assets, &r->assets);
	return NULL;
}

const struct cmd cmd_asset_pinned = {
	.name = "asset pinned",
	.tool = "asset_pinned",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list the agent's pinned assets, in pin order",
	.need = NEED_CONF,
	CMD_RESULT(struct pinned_result, pinned_result),
	.run = asset_pinned_run,
	.template = "{=assets:" TEMPLATE_ASSET "}" TEMPLATE_BUDGET,
};
