/* know show: one decision whole (requirement: memory and knowledge, knowledge_show). */
#include "common/know.h"
#include "knowledge/show.h"

struct show_args {
	struct str id;
	int layer;
	bool includeConstraints, includeHistory;
	struct strs knowledge;
};

#define SHOW(member, ...) PARAM_OF(struct show_args, member, __VA_ARGS__)
static const struct param show_params[] = {
	SHOW(id, .flags = ARG | REQUIRED, .min = 1, .max = 4096, .help = "the item"),
	SHOW(layer, .letter = 'l', .choices = kn_layers,
	     .help = "the item of this layer; without it, the most specific"),
	SHOW(includeConstraints, .option = "constraints", .def = "true", .help = "show its rules"),
	SHOW(includeHistory, .option = "history", .def = "false",
	     .help = "show the commits that changed it"),
	SHOW(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	     .help = "one more source of knowledge; may be repeated"),
	{0},
};

static const struct field history[] = {
	{"version", "the commit", F_STR},
	{"timestamp", "when", F_STR},
	{"author", "who", F_STR},
	{"message", "the commit's first line", F_STR},
	{0},
};

static const struct field show_result[] = {
	{"success", "it was found", F_BOOL},
	{"item", "the item", F_OBJ, NULLABLE, .sub = know_item_fields},
	{"history", "newest first", F_LIST, OPTIONAL, .sub = history},
	{"broken", "what of it does not parse", F_LIST, OPTIONAL, .sub = know_broken_fields},
	{0},
};

static struct err *know_show_run(struct call *c, const void *p, struct val **out)
{
	const struct show_args *args = p;
	const struct kn_item *item;
	struct knowledge *k;
	struct val *log;
	struct err *e;

	TRY(know_load(c, &args->knowledge, &k));
	e = know_find(c, k, args->id, args->layer, &item);
	if (e)
		return err_null(e, "item");
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "item", knowledge_item_val(c->a, item, args->includeConstraints));
	know_add_broken(c, *out, k, item);
	if (args->includeHistory) {
		TRY(knowledge_history(c->a, item, &log));
		val_set(c->a, *out, "history", log);
	}
	return NULL;
}

static void know_show_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *item = val_get(r, "item");

	(void)args;
	know_print_item(c->out, item, val_get(r, "history"));
	out_puts(c->out, "\n");
	out_safe(c->out, str_trim(val_get_str(item, "content")), true);
	out_puts(c->out, "\n");
	know_print_broken(c, r);
}

const struct cmd cmd_know_show = {
	.name = "know show",
	.tool = "knowledge_show",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "show one decision whole",
	.description =
		"Show one knowledge item: its whole text, its rules and its metadata. Use it "
		"for the details of a decision, policy, pattern or spec.",
	.need = MAY_GIT,
	.args_size = sizeof(struct show_args),
	.params = show_params,
	.result = show_result,
	.run_val = know_show_run,
	.text_val = know_show_text,
};
