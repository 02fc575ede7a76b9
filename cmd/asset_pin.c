/* asset pin, unpin, pinned: what an agent keeps in its context. */
#include "common/asset_result.h"

/* ---- asset pin, asset unpin ---- */

static const struct field pin_result[] = {
	{"path", "the asset", F_STR},
	{"uri", "the same, as the file tools take it", F_STR},
	{"changed", "false: it was so already", F_BOOL},
	ASSET_BUDGET_FIELDS,
	{0},
};

static struct err *pin_with(struct call *c, const struct asset_args *args, bool pin,
			    struct val **out)
{
	struct asset_list all = {0};
	struct files *f;
	struct str path;
	bool was;

	TRY(asset_open(c, args->path, &f, &path));
	TRY(pin ? asset_pin(f->assets, path, &was) : asset_unpin(f->assets, path, &was));
	TRY(asset_pinned(f->assets, c->a, false, &all));
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, path));
	val_set(c->a, *out, "uri", val_str(c->a, asset_uri(c->a, path)));
	val_set(c->a, *out, "changed", val_bool(c->a, was != pin));
	asset_put_budget(c, f->assets, &all, *out);
	return NULL;
}

static void pin_print(struct call *c, const struct val *r, const char *did, const char *was)
{
	out_puts(c->out, val_get(r, "changed")->b ? did : was);
	out_styled(c->out, OUT_BOLD, val_get_str(r, "path"));
	out_puts(c->out, "\n");
	asset_print_budget(c->out, r);
}

static struct err *pin_run(struct call *c, const void *args, struct val **out)
{
	return pin_with(c, args, true, out);
}

static void pin_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	pin_print(c, r, "pinned ", "pinned already: ");
}

static struct err *unpin_run(struct call *c, const void *args, struct val **out)
{
	return pin_with(c, args, false, out);
}

static void unpin_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	pin_print(c, r, "unpinned ", "not pinned: ");
}

const struct cmd cmd_asset_pin = {
	.name = "asset pin",
	.tool = "asset_pin",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT | TOOL_CORE,
	.summary = "keep an asset in the agent's context",
	.description = "Pin a stored asset: its text is always in your context, and counts towards "
		       "your token budget. Pinning twice is fine.",
	.need = NEED_CONF,
	.args_size = sizeof(struct asset_args),
	.params = asset_params,
	.result = pin_result,
	.run_val = pin_run,
	.text_val = pin_text,
};

const struct cmd cmd_asset_unpin = {
	.name = "asset unpin",
	.tool = "asset_unpin",
	.toolset = SET_FILES,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.summary = "take an asset out of the agent's context, and keep it stored",
	.description = "Unpin a stored asset: it stays stored, is no longer in your context, and "
		       "frees budget.",
	.need = NEED_CONF,
	.args_size = sizeof(struct asset_args),
	.params = asset_params,
	.result = pin_result,
	.run_val = unpin_run,
	.text_val = unpin_text,
};

/* ---- asset pinned ---- */

static const struct field pinned_result[] = {
	{"assets", "in the order in which they were pinned", F_LIST, .sub = asset_fields},
	ASSET_BUDGET_FIELDS,
	{0},
};

static struct err *pinned_run(struct call *c, const void *args, struct val **out)
{
	struct asset_list all = {0};
	struct files *f;
	struct val *list;

	(void)args;
	TRY(files_open(c, &f));
	TRY(asset_pinned(f->assets, c->a, false, &all));
	*out = val_map(c->a);
	list = val_set(c->a, *out, "assets", val_list(c->a));
	for (size_t i = 0; i < all.n; i++)
		val_add(list, asset_val(c->a, &all.p[i]));
	asset_put_budget(c, f->assets, &all, *out);
	return NULL;
}

static void pinned_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "assets"), v)
		asset_print(c->out, v);
	asset_print_budget(c->out, r);
}

const struct cmd cmd_asset_pinned = {
	.name = "asset pinned",
	.tool = "asset_pinned",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list what the agent has pinned, in pin order",
	.need = NEED_CONF,
	.result = pinned_result,
	.run_val = pinned_run,
	.text_val = pinned_text,
};
