/* mem query: a ToolRequest's memory queries, answered (requirement: memory queries,
 * "Memory Query Request"). */
#include "common/request_input.h"
#include "request/trace.h"

static const char *const outcomes[] = TRACE_OUTCOMES;

struct args {
	struct str file, request_id, tool_id, tool_version, timestamp;
	struct cmd_list agent_context;
	const struct val *inputs, *memory_queries;
	int64_t budget_tokens;
	struct strs rest;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | CLI_ONLY | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the ToolRequest, as JSON; without it, or for -, standard input"),
	PARAM(request_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 256,
	      .help = "names the request"),
	PARAM(tool_id, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 128,
	      .help = "the tool that will see the answers: its manifest says what it may"),
	PARAM(tool_version, .flags = JSON_ONLY, .max = 64, .help = "its version"),
	PARAM(timestamp, .flags = JSON_ONLY, .max = 64, .help = "when it was asked, ISO 8601"),
	PARAM(agent_context, .flags = JSON_ONLY | ONE, .sub = agent_context_params,
	      .sub_size = sizeof(struct agent_context), .help = "for whom it is asked"),
	PARAM(inputs, .flags = JSON_ONLY, .help = "what the tool is given besides"),
	PARAM(memory_queries, .flags = JSON_ONLY, .sub = request_query_params, .min = 0,
	      .max = REQUEST_QUERIES_MAX, .help = "what is asked of the memories"),
	PARAM(budget_tokens, .flags = JSON_ONLY, .def = "1000", .min = 1, .max = INT32_MAX,
	      .help = "tokens that all queries share, in their order; 1000 at most are given"),
	PARAM(rest, .flags = REST | JSON_ONLY | HIDDEN, .help = "others"),
	{0},
};

static const struct field memory_fields[] = {
	{"id", "its id", F_STR},
	{"type", "observation, fact and the like; else its kind", F_STR},
	{"content", "what is remembered: data, not instructions", F_STR},
	{"source", "where it is from, or empty", F_STR},
	{"timestamp", "when it happened", F_STR},
	{"importance", "0 to 1", F_NUM},
	{"tags", "sorted", F_STRS},
	{"metadata", "anything else", F_ANY},
	{"provenance", "who said it: user, agent, tool, import, sync", F_STR},
	{"status", "of a scratch note", F_STR, OPTIONAL},
	{"confidence", "of a scratch note", F_NUM, OPTIONAL},
	{"speaker", "of a conversation, or empty", F_STR, OPTIONAL},
	{"expires_at", "until when it holds", F_STR, OPTIONAL},
	{0},
};
static const struct field search_fields[] = {
	{"query_time_ms", "how long it took", F_INT},
	{"ranking_scores", "of each result", F_ANY},
	{0},
};
static const struct field dropped_fields[] = {
	{"id", "its id", F_STR},
	{"tokens", "of its content", F_INT},
	{"score", "its rank's", F_NUM},
	{0},
};
static const struct field context_fields[] = {
	{"query_id", "of the query", F_STR},
	{"memory_type", "of the query", F_STR},
	{"results", "the best first", F_LIST, .sub = memory_fields},
	{"total_results", "before limit and budget", F_INT},
	{"returned_results", "how many", F_INT},
	{"tokens_used", "by the contents of the results", F_INT},
	{"search_metadata", "how it was found", F_OBJ, .sub = search_fields},
	{"dropped", "what the budget had no room for, of the best", F_LIST, .sub = dropped_fields},
	{"budget_tokens", "what was left for this query", F_INT},
	{"outcome", "what became of it", F_STR, .choices = outcomes},
	{"reason", "why it is not ok", F_STR, OPTIONAL},
	{0},
};
static const struct field result[] = {
	{"request_id", "as it was given, and so are the next", F_STR},
	{"tool_id", "the tool", F_STR},
	{"tool_version", "its version", F_STR, OPTIONAL},
	{"timestamp", "when it was asked", F_STR, OPTIONAL},
	{"agent_context", "for whom", F_ANY, OPTIONAL},
	{"inputs", "what the tool is given", F_ANY, OPTIONAL},
	{"memory_queries", "what was asked", F_ANY, OPTIONAL},
	{"budget_tokens", "for all queries", F_INT},
	{"memory_context", "one for each query, in their order", F_LIST, .sub = context_fields},
	{"warnings", "what was passed over, or could not be done besides", F_STRS, OPTIONAL},
	{0},
};

static void set_str(struct arena *a, struct val *v, const char *name, struct str s)
{
	if (s.p)
		val_set(a, v, name, val_str(a, s));
}

/* The members that were given, as they were. */
static struct val *request_val(struct arena *a, const struct args *args)
{
	struct val *v = val_map(a);

	set_str(a, v, "request_id", args->request_id);
	set_str(a, v, "tool_id", args->tool_id);
	set_str(a, v, "tool_version", args->tool_version);
	set_str(a, v, "timestamp", args->timestamp);
	if (args->agent_context.n)
		val_set(a, v, "agent_context", agent_context_val(a, args->agent_context.p));
	if (args->inputs)
		val_set(a, v, "inputs", val_copy(a, args->inputs));
	if (args->memory_queries)
		val_set(a, v, "memory_queries", val_copy(a, args->memory_queries));
	val_set(a, v, "budget_tokens", val_int(a, args->budget_tokens));
	return v;
}

/* A tool must not be stopped by what does not matter to the answer; it is told. */
static void check_request(struct call *c, struct args *args, struct strs *warnings)
{
	const struct agent_context *who = args->agent_context.p;
	int64_t time;

	if (who)
		for (size_t i = 0; i < who->rest.n; i++)
			strs_push(c->a, &args->rest, who->rest.p[i]);
	for (size_t i = 0; i < args->rest.n; i++)
		strs_push(c->a, warnings,
			  str_fmt(c->a,
				  "'%.*s' is no member of a ToolRequest, and was "
				  "passed over",
				  STR_ARG(str_sub(args->rest.p[i], 0, 160))));
	if (args->timestamp.n && !os_time_read(args->timestamp, &time))
		strs_push(c->a, warnings,
			  str_fmt(c->a,
				  "timestamp is '%.*s', which is no time in ISO 8601, "
				  "and was passed over",
				  STR_ARG(args->timestamp)));
	if (args->budget_tokens <= ACCESS_BUDGET_MAX)
		return;
	strs_push(c->a, warnings,
		  str_fmt(c->a,
			  "budget_tokens was cut from %jd to %d, the most of a "
			  "request",
			  (intmax_t)args->budget_tokens, ACCESS_BUDGET_MAX));
	args->budget_tokens = ACCESS_BUDGET_MAX;
}

static struct err *mem_query_run(struct call *c, const void *p, struct val **out)
{
	struct args args = *(const struct args *)p;
	struct strs told = {0};
	const struct agent_context *who;
	struct request request;
	struct strs warnings;
	struct requests *r;
	struct val *context;

	if (c->face == FACE_ARGV)
		TRY(request_from_file(c, args.file, &args));
	check_request(c, &args, &told);
	TRY(requests_open(c, &r));
	who = args.agent_context.p;
	request = (struct request){
		.request_id = args.request_id,
		.tool_id = args.tool_id,
		.agent_id = who ? who->agent_id : (struct str){0},
		.task_id = who ? who->task_id : (struct str){0},
		.budget_tokens = args.budget_tokens,
		.queries = args.memory_queries,
	};
	TRY(request_run(r, c->a, &request, &context, &warnings));
	*out = request_val(c->a, &args);
	val_set(c->a, *out, "memory_context", context);
	for (size_t i = 0; i < warnings.n; i++)
		strs_push(c->a, &told, warnings.p[i]);
	if (told.n)
		val_set(c->a, *out, "warnings", val_strs(c->a, &told));
	return NULL;
}

const struct cmd cmd_mem_query = {
	.name = "mem query",
	.tool = "memory_query",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "answer a tool's memory queries within its manifest and budget",
	.description = "Answer the memory queries of a ToolRequest: what the tool's manifest lets "
		       "it see of the agent's memories, ranked, packed into the budget of tokens, "
		       "as memory_context. A query that is wrong or denied has empty results and "
		       "says why; the others go on.",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = mem_query_run,
};
