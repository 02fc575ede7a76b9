/* mem query: answers the memory queries of a ToolRequest (requirement: memory queries, "Memory
 * Query Request"). */
#include "memories/request_input.h"

struct args {
	struct str file, request_id, tool_id, tool_version, timestamp;
	struct cmd_list agent_context;
	const struct val *inputs, *memory_queries;
	int64_t budget_tokens;
	struct strs rest;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | CLI_ONLY | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "a file with the ToolRequest as JSON; default, or -: standard input"),
	PARAM(request_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 256,
	      .help = "any text of yours that names this request, such as \"q1\""),
	PARAM(tool_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 128,
	      .help = "the tool that will see the answers; its manifest limits them"),
	PARAM(tool_version, .flags = RARE | JSON_ONLY, .max = 64, .help = "its version"),
	PARAM(timestamp, .flags = RARE | JSON_ONLY, .max = 64,
	      .help = "the time of the request, ISO 8601"),
	PARAM(agent_context, .flags = JSON_ONLY | ONE, .sub = agent_context_params,
	      .sub_size = sizeof(struct agent_context),
	      .help = "the agent and task of the request"),
	PARAM(inputs, .flags = RARE | JSON_ONLY, .help = "other inputs of the tool"),
	PARAM(memory_queries, .flags = JSON_ONLY, .sub = request_query_params, .min = 0,
	      .max = REQUEST_QUERIES_MAX, .help = "the queries"),
	PARAM(budget_tokens, .flags = JSON_ONLY, .def = "1000", .min = 1, .max = INT32_MAX,
	      .help = "the tokens that all queries share, in their order; at most 1000"),
	PARAM(rest, .flags = REST | JSON_ONLY | HIDDEN, .help = "further members"),
	{0},
};

struct result {
	struct str request_id, tool_id, tool_version, timestamp;
	struct val *agent_context;
	const struct val *inputs, *memory_queries;
	int64_t budget_tokens;
	struct request_contexts memory_context;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD(request_id, "repeated from the request, as the next members"),
	FIELD(tool_id, "the tool"),
	FIELD(tool_version, "its version", .flags = OPTIONAL),
	FIELD(timestamp, "the time of the request", .flags = OPTIONAL),
	FIELD(agent_context, "the agent and task", .flags = OPTIONAL),
	FIELD(inputs, "other inputs of the tool", .flags = OPTIONAL),
	FIELD(memory_queries, "the queries", .flags = OPTIONAL),
	FIELD(budget_tokens, "the tokens for all queries"),
	FIELD_RECORDS(struct result, memory_context, "memory_context", request_context_fields,
		      "one answer for each query, in their order"),
	FIELD(warnings, "members that were ignored, and side tasks that failed", .flags = IF_ANY),
	{0},
};

static struct err *mem_query_run(struct call *c, const void *p, void *out)
{
	struct args args = *(const struct args *)p;
	const struct agent_context *who;
	struct request request;
	struct strs warnings;
	struct requests *requests;
	struct result *r = out;
	int64_t time;

	if (c->face == FACE_ARGV)
		TRY(request_from_file(c, args.file, &args));
	/* Members that do not affect the answer are told; the request is not refused for them. */
	who = args.agent_context.p;
	if (who)
		strs_add_all(c->a, &args.rest, &who->rest);
	for (size_t i = 0; i < args.rest.n; i++)
		strs_push(c->a, &r->warnings,
			  str_fmt(c->a, "ignored '%.*s': a ToolRequest has no such member",
				  STR_ARG(str_sub(args.rest.p[i], 0, 160))));
	if (args.timestamp.n && !os_time_read(args.timestamp, &time))
		strs_push(c->a, &r->warnings,
			  str_fmt(c->a, "ignored timestamp '%.*s': it is not a time in ISO 8601",
				  STR_ARG(args.timestamp)));
	if (args.budget_tokens > ACCESS_BUDGET_MAX) {
		strs_push(c->a, &r->warnings,
			  str_fmt(c->a,
				  "budget_tokens was cut from %jd to %d, the limit of a request",
				  (intmax_t)args.budget_tokens, ACCESS_BUDGET_MAX));
		args.budget_tokens = ACCESS_BUDGET_MAX;
	}
	TRY(requests_open_memories(c, &requests));
	request = (struct request){
		.request_id = args.request_id,
		.tool_id = args.tool_id,
		.agent_id = who ? who->agent_id : (struct str){0},
		.task_id = who ? who->task_id : (struct str){0},
		.budget_tokens = args.budget_tokens,
		.queries = args.memory_queries,
	};
	TRY(request_answer_queries(requests, c->a, &request, &r->memory_context, &warnings));
	r->request_id = args.request_id;
	r->tool_id = args.tool_id;
	r->tool_version = args.tool_version;
	r->timestamp = args.timestamp;
	r->agent_context = who ? record_val(c->a, agent_context_fields, who) : NULL;
	r->inputs = args.inputs;
	r->memory_queries = args.memory_queries;
	r->budget_tokens = args.budget_tokens;
	strs_add_all(c->a, &r->warnings, &warnings);
	return NULL;
}

/* People see the JSON that a tool would get. */
static void mem_query_text(struct call *c, const void *args, const void *r)
{
	(void)args;
	out_json(c->out, record_val(c->a, result, r));
}

const struct cmd cmd_mem_query = {
	.name = "mem query",
	.tool = "memory_query",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "answer a tool's memory queries within its manifest and budget",
	.description = "Answer the memory queries of a ToolRequest. memory_context has the agent's "
		       "memories that the tool's manifest allows, ranked, and packed into the "
		       "budget of tokens. A query that is wrong or denied has empty results and a "
		       "reason; the other queries run.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_query_run,
	.text = mem_query_text,
};
