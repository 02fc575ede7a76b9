/* know query: finds decisions that answer a question (requirement: memory and knowledge,
 * knowledge_query). */
#include "decisions/know.h"
#include "memories/memories.h"
#include "app/client_info.h"

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
	PARAM_KNOWLEDGE(struct know_query_args),
	{0},
};

static struct err *query_count(void *n, struct arena *a, const struct memory *one)
{
	(void)a;
	(void)one;
	++*(int64_t *)n;
	return NULL;
}

static struct err *query_folder_memories(struct call *c, struct know_folder *folder)
{
	const struct memory_filter all = {.status = -1, .state = -1};
	struct memories *m;

	TRY(mem_open(c, &m));
	TRY(memory_each(m, &all, query_count, &folder->memories.n));
	folder->memories.given = true;
	return NULL;
}

static struct err *know_query_run(struct call *c, const void *p, void *out)
{
	const struct know_query_args *args = p;
	struct know_result *r = out;
	unsigned statuses = 0;

	for (unsigned i = 0; query_statuses[i]; i++)
		/* An empty list means any status, as for other lists. */
		if (!args->status.bits || args->status.bits & 1u << i)
			statuses |= 1u << kn_word_index(kn_statuses, str_of(query_statuses[i]));
	TRY(know_search(c, args, statuses, out));
	if (c->client && !args->query.p && args->type < 0 && args->layer < 0 && !args->tags.n &&
	    !args->offset) {
		/* A model that begins asks where it is, and how much there is to read. */
		const char *top = c->git ? git_top(c->git) : NULL, *url = NULL;
		struct know_folder *folder = VEC_PUSH(c->a, &r->folders);
		struct err *e;

		*folder = (struct know_folder){
			.root = str_of(c->client->has_roots || !top ? c->cwd : top),
			.repository = str_of(top ? top : ""),
			.decisions = r->totalCount};
		e = top ? git_setting(c->git, c->a, "remote.origin.url", &url) : NULL;
		if (!e && url)
			folder->repository = mem_repo_id_of_remote_url(c->a, str_of(url));
		if (!e)
			e = query_folder_memories(c, folder);
		if (e)
			strs_push(
				c->a, &c->warnings,
				str_fmt(c->a, "nothing is known of memories: %s", err_message(e)));
		r->items.n = 0;
	}
	return NULL;
}

const struct cmd cmd_know_query = {
	.name = "know query",
	.tool = "knowledge_query",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT | TOOL_CORE,
	.summary = "find decisions",
	.description =
		"Find what the organisation has decided: ADRs, policies, patterns and specs. "
		"Use it for guidance before choosing a technology, a structure or a style. "
		"Without a query: the open folders.",
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct know_query_args, query_params),
	CMD_RESULT(struct know_result, know_query_result),
	.run = know_query_run,
	.template = "{/items:{*id}  {title}\n  {_:{layer} {type}, {status}{?createdAt:, "
		    "{createdAt}}{?hasConstraints:, has rules}{/tags: #{.}}}\n"
		    "{?summary:{summary%2w}}}" TEMPLATE_REST,
	.text = know_none_text,
};
