/* know list: all decisions, a line each. */
#include "common/know.h"

#define QUERY(member, ...) PARAM_OF(struct know_query_args, member, __VA_ARGS__)

static const struct param list_params[] = {
	QUERY(type, .letter = 't', .choices = kn_types, .help = "only this type"),
	QUERY(layer, .letter = 'l', .choices = kn_layers, .help = "only this layer"),
	QUERY(tags, .option = "tag", .help = "only items with this tag; may be repeated"),
	QUERY(status, .letter = 's', .choices = kn_statuses,
	      .help = "only items of these statuses; without it, all"),
	QUERY(limit, .letter = 'n', .min = 1, .max = 100000, .def = "1000",
	      .help = "how many at the most"),
	QUERY(offset, .flags = JSON_ONLY, .min = 0, .max = 100000, .page = "",
	      .help = "leave out so many items at the beginning"),
	QUERY(active, .help = "only what judges: the rules of these items, a line each"),
	QUERY(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "one more source of knowledge; may be repeated"),
	{0},
};

static struct err *know_list_run(struct call *c, const void *p, void *out)
{
	const struct know_query_args *args = p;

	if (args->active)
		return know_active(c, args, out);
	return know_search(c, args, args->status.bits ? args->status.bits : ~0u, out);
}

static void know_list_text(struct call *c, const void *args, const void *p)
{
	const struct know_result *r = p;

	if (((const struct know_query_args *)args)->active) {
		know_print_active(c->out, r);
		know_print_rest(c, r);
		return;
	}
	/* Columns of a fixed width come first: ids and titles may have any length. */
	for (size_t k = 0; k < r->items.n; k++) {
		const struct kn_item *i = &r->items.p[k].item;

		out_fmt(c->out, "%-10s  %-10.*s  ", kn_statuses[i->status],
			STR_ARG(str_sub(i->created_at, 0, 10)));
		out_styled(c->out, OUT_BOLD, i->id);
		out_puts(c->out, "  ");
		out_safe(c->out, i->title, false);
		if (i->broken)
			out_styled(c->out, OUT_YELLOW, STR("  (broken)"));
		out_puts(c->out, "\n");
	}
	know_print_rest(c, r);
}

const struct cmd cmd_know_list = {
	.name = "know list",
	.tool = "knowledge_list",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS,
	.summary = "list decisions, rejected ones too",
	.need = MAY_GIT,
	CMD_PARAMS(struct know_query_args, list_params),
	CMD_RESULT(struct know_result, know_query_result),
	.run = know_list_run,
	.text = know_list_text,
};
