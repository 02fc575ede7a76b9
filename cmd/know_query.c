/* know query: finds decisions that answer a question (requirement: memory and knowledge,
 * knowledge_query). */
#include "common/know.h"

/* The statuses of knowledge_query; only know list also has rejected items. */
static const char *const query_statuses[] = {"draft",      "proposed",   "accepted",
					     "deprecated", "superseded", NULL};

#define QUERY(member, ...) PARAM_OF(struct know_query_args, member, __VA_ARGS__)
static const struct param query_params[] = {
	QUERY(query, .flags = ARG | WORDS, .max = 4096, .help = "the question, in plain words"),
	QUERY(type, .letter = 't', .choices = kn_types, .help = "only this type"),
	QUERY(layer, .flags = RARE, .letter = 'l', .choices = kn_layers, .help = "only this layer"),
	QUERY(tags, .flags = RARE, .option = "tag",
	      .help = "only items with this tag; may be repeated"),
	QUERY(status, .flags = RARE, .letter = 's', .choices = query_statuses, .def = "accepted",
	      .help = "only items with these statuses"),
	QUERY(limit, .letter = 'n', .min = 1, .max = 100, .def = "10",
	      .help = "maximum number of items"),
	QUERY(offset, .flags = RARE | JSON_ONLY, .min = 0, .max = 100000, .page = "",
	      .help = "skip this many items"),
	QUERY(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "a further source of knowledge; may be repeated"),
	{0},
};

static struct err *query_run(struct call *c, const void *p, void *out)
{
	const struct know_query_args *args = p;
	unsigned statuses = 0;

	for (unsigned i = 0; query_statuses[i]; i++)
		/* An empty list means any status, as for other lists. */
		if (!args->status.bits || args->status.bits & 1u << i)
			statuses |= 1u << kn_word(kn_statuses, str_of(query_statuses[i]));
	return know_search(c, args, statuses, out);
}

const struct cmd cmd_know_query = {
	.name = "know query",
	.tool = "knowledge_query",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT | TOOL_CORE,
	.summary = "find decisions",
	.description =
		"Find what the organisation has decided: ADRs, policies, patterns and specs. "
		"Use it for guidance before choosing a technology, a structure or a style.",
	.need = MAY_GIT,
	CMD_PARAMS(struct know_query_args, query_params),
	CMD_RESULT(struct know_result, know_query_result),
	.run = query_run,
	.template = "{/items:{*id}  {title}\n  {_:{layer} {type}, {status}{?createdAt:, "
		    "{createdAt}}{?hasConstraints:, has rules}{/tags: #{.}}}\n"
		    "{?summary:{summary%2w}}}" TEMPLATE_REST,
	.text = know_none_text,
};
