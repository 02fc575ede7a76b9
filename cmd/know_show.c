/* know show: one decision whole (requirement: memory and knowledge, knowledge_show). */
#include "know.h"
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

static const struct field constraint[] = {
	{"operator", "what is asked", F_STR, .choices = kn_operators},
	{"target", "of what", F_STR, .choices = kn_targets},
	{"pattern", "the pattern", F_STR},
	{"appliesTo", "globs of the files it is about", F_STRS, OPTIONAL},
	{"severity", "how severe it is", F_STR, .choices = kn_severities},
	{"message", "why, for people", F_STR, OPTIONAL},
	{"version", "the versions it is about", F_STR, OPTIONAL},
	{"useInstead", "what to use instead", F_STR, OPTIONAL},
	{0},
};

const struct field know_item_fields[] = {
	{"id", "the item", F_STR},
	{"type", "what it is", F_STR, .choices = kn_types},
	{"layer", "who it binds", F_STR, .choices = kn_layers},
	{"title", "its title", F_STR},
	{"summary", "the decision in short", F_STR},
	{"content", "the whole Markdown text", F_STR},
	{"status", "whether it holds", F_STR, .choices = kn_statuses},
	{"severity", "of its rules", F_STR, .choices = kn_severities},
	{"tags", "its tags", F_STRS},
	{"constraints", "its rules", F_LIST, OPTIONAL, .sub = constraint},
	{"metadata", "authors, reviewers, related items, references", F_OBJ},
	{"createdAt", "date, or empty", F_STR},
	{"updatedAt", "date, or empty", F_STR},
	{"supersedes", "the item that it replaced", F_STR, OPTIONAL},
	{"supersedesAll", "the items that it replaced, when there are several", F_STRS, OPTIONAL},
	{"supersededBy", "the items that replaced it", F_STRS, OPTIONAL},
	{"path", "its file", F_STR},
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

static void know_show_line(struct out *o, const char *label, struct str s)
{
	if (!s.n)
		return;
	out_style(o, OUT_DIM);
	out_fmt(o, "%-12s", label);
	out_style(o, OUT_PLAIN);
	out_safe(o, s, false);
	out_puts(o, "\n");
}

void know_print_item(struct out *o, const struct val *item, const struct val *log)
{
	out_styled(o, OUT_BOLD, val_get_str(item, "title"));
	out_puts(o, "\n");
	know_show_line(o, "id", val_get_str(item, "id"));
	know_show_line(o, "type", val_get_str(item, "type"));
	know_show_line(o, "layer", val_get_str(item, "layer"));
	know_show_line(o, "status", val_get_str(item, "status"));
	know_show_line(o, "date", val_get_str(item, "createdAt"));
	if (val_get(item, "supersedesAll"))
		VAL_EACH(val_get(item, "supersedesAll"), s)
			know_show_line(o, "supersedes", s->s);
	else
		know_show_line(o, "supersedes", val_get_str(item, "supersedes"));
	VAL_EACH(val_get(item, "supersededBy"), s)
		know_show_line(o, "replaced by", s->s);
	know_show_line(o, "file", val_get_str(item, "path"));
	VAL_EACH(val_get(item, "constraints"), r) {
		out_styled(o, OUT_YELLOW, val_get_str(r, "severity"));
		out_fmt(o, "  %.*s %.*s ", STR_ARG(val_get_str(r, "operator")),
			STR_ARG(val_get_str(r, "target")));
		out_safe(o, val_get_str(r, "pattern"), false);
		VAL_EACH(val_get(r, "appliesTo"), g) {
			out_puts(o, g == val_get(r, "appliesTo")->first ? " in " : ", ");
			out_safe(o, g->s, false);
		}
		out_puts(o, "\n");
	}
	VAL_EACH(log, h) {
		out_style(o, OUT_DIM);
		out_fmt(o, "%.*s %.*s ", STR_ARG(str_sub(val_get_str(h, "version"), 0, 12)),
			STR_ARG(str_sub(val_get_str(h, "timestamp"), 0, 10)));
		out_style(o, OUT_PLAIN);
		out_safe(o, val_get_str(h, "author"), false);
		out_puts(o, ": ");
		out_safe(o, val_get_str(h, "message"), false);
		out_puts(o, "\n");
	}
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
	.run = know_show_run,
	.text = know_show_text,
};
