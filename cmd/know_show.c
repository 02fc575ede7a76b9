/* know show: shows one decision completely (requirement: memory and knowledge, knowledge_show). */
#include "decisions/know.h"

struct args {
	struct str id;
	int layer;
	bool includeConstraints, includeHistory;
	struct strs knowledge;
};

static const struct param show_params[] = {
	PARAM(id, .flags = ARG | REQUIRED, .min = 1, .max = 4096, .complete = know_complete,
	      .help = "the item: its id, path, number, or the start of its id"),
	PARAM_KNOW_LAYER(struct args),
	PARAM(includeConstraints, .option = "constraints", .def = "true", .help = "show its rules"),
	PARAM(includeHistory, .option = "history", .def = "false",
	      .help = "show the commits that changed it"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct show_result {
	bool success;
	struct knowledge_shown item;
	struct know_notes broken;
	struct knowledge_log history;
};

#define R struct show_result
static const struct field show_result[] = {
	FIELD_OF(R, success, "the item was found"),
	FIELD_RECORD(R, item, "item", knowledge_item_fields, "the item", .flags = NULLABLE),
	FIELD_RECORDS(R, broken, "broken", know_broken_fields, "the errors in its file",
		      .flags = IF_ANY),
	FIELD_RECORDS(R, history, "history", knowledge_commit_fields, "newest first",
		      .flags = OPTIONAL),
	{0},
};

static struct err *know_show_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct show_result *r = out;
	const struct kn_item *item;
	struct knowledge *k;
	struct err *e;

	TRY(know_load(c, &args->knowledge, &k));
	e = knowledge_resolve_item_name(c->a, k, args->id, args->layer, &item);
	if (e)
		return err_add_null_member(e, "item");
	r->success = true;
	r->item = knowledge_item_for_result(c->a, item, args->includeConstraints);
	know_add_broken_notes(c, k, item, &r->broken);
	return args->includeHistory ? knowledge_history(c->a, item, &r->history) : NULL;
}

const struct cmd cmd_know_show = {
	.name = "know show",
	.tool = "knowledge_show",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "show one decision completely",
	.description =
		"Show one knowledge item: its whole text, its rules and its metadata. Use it "
		"for the details of a decision, policy, pattern or spec.",
	.need = MAY_GIT,
	CMD_PARAMS(struct args, show_params),
	CMD_RESULT(struct show_result, show_result),
	.run = know_show_run,
	.template = "{/item:" TEMPLATE_ITEM
		    "}{/history:{_:{version%.12} {timestamp%d} }{author}: {message}\n}\n"
		    "{item.content%m}\n" TEMPLATE_BROKEN,
};
