/* trace: lists tools' memory queries, with denials and cuts (requirement: memory queries, "Error
 * Handling"). */
#include "request/query_log.h"
#include "memories/memories.h"
#include "reply/time_param.h"

struct args {
	struct str request, tool, agent, memory_type, since, until;
	int outcome;
	int64_t before, limit;
};

static const struct param params[] = {
	PARAM(request, .flags = RARE, .letter = 'r', .meta = "id", .min = 1, .max = 256,
	      .help = "only this request"),
	PARAM(tool, .letter = 't', .meta = "id", .min = 1, .max = 128, .help = "only this tool"),
	PARAM(agent, .flags = RARE, .option = "by-agent", .meta = "id", .min = 1, .max = 256,
	      .help = "only this agent; tools see only their own agent"),
	PARAM(memory_type, .flags = RARE, .meta = "type", .min = 1, .max = 64,
	      .help = "only this memory type"),
	PARAM(outcome, .letter = 'o', .choices = trace_outcomes,
	      .help = "only queries with this outcome"),
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "the earliest time: " WHEN_HELP),
	PARAM(until, .flags = RARE, .meta = "time", .min = 1, .max = 64,
	      .help = "only queries from before this time"),
	PARAM(before, .meta = "number", .min = 1, .max = CMD_INT_MAX, .page = "number",
	      .help = "only rows older than this one (the next page)"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000,
	      .help = "maximum number of rows"),
	{0},
};

#define ROW(member, name, help, ...) FIELD_AS(struct trace_row, member, name, help, __VA_ARGS__)
static const struct field row_fields[] = {
	ROW(seq, "number", "the number of the row"),
	FIELD_TIME(struct trace_row, time, "timestamp", "the time of the query"),
	ROW(request, "request_id", "the id of the request"),
	ROW(tool, "tool_id", "the tool"),
	ROW(agent, "agent_id", "the agent that asked"),
	ROW(named_agent, "named_agent_id", "the agent in the request, if it is another",
	    .flags = IF_ANY),
	ROW(task, "task_id", "the task, or empty"),
	ROW(query, "query_id", "the id of the query"),
	ROW(memory_type, "memory_type", "the memory type of the query"),
	ROW(text, "query_text", "the question; the first 1024 bytes"),
	FIELD_NAMED(struct trace_row, outcome, "outcome", trace_outcomes,
		    "the outcome of the query"),
	ROW(reason, "reason", "the reason, or empty if ok"),
	ROW(total, "total_results", "matches before limit and budget"),
	ROW(returned, "returned_results", "the number of results in the answer"),
	ROW(budget, "budget_tokens", "the tokens that were left for the query"),
	ROW(tokens, "tokens_used", "the tokens of the results"),
	ROW(time_ms, "query_time_ms", "the duration of the query"),
	ROW(cached, "cached", "the result came from the cache"),
	{0},
};

struct result {
	struct trace_list rows;
	struct maybe_int next;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, rows, "rows", row_fields, "one row per query, newest first"),
	FIELD(next, "pass it as before to get the next page", .flags = OPTIONAL),
	{0},
};

static struct err *trace_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct trace_filter f = {
		.request = args->request,
		.tool = args->tool,
		.agent = args->agent,
		.memory_type = args->memory_type,
		.outcome = args->outcome,
		.before = args->before,
		.limit = (size_t)args->limit + 1,
	};
	struct memories *m;

	TRY(mem_open(c, &m));
	f.user = m->who.user;
	TRY(when_read_since_until(args->since, args->until, &f.since, &f.until));
	if (c->face != FACE_ARGV) {
		if (f.agent.p && !str_eq(f.agent, m->who.agent))
			return err_help(err_new(E_NOT_ALLOWED,
						"agent '%.*s' cannot see the trace of agent '%.*s'",
						STR_ARG(m->who.agent), STR_ARG(f.agent)),
					"leave out agent: a tool sees its own trace");
		f.agent = m->who.agent;
	}
	TRY(trace_list_requests(m->db, c->a, &f, &r->rows));
	if (r->rows.n > (size_t)args->limit) {
		r->rows.n = (size_t)args->limit;
		r->next = (struct maybe_int){r->rows.p[r->rows.n - 1].seq, true};
	}
	return NULL;
}

const struct cmd cmd_trace = {
	.name = "trace",
	.tool = "trace_query",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "list tools' memory queries and their outcomes, newest first",
	.description = "List the turn trace, newest first: the tool, the memory, the question, the "
		       "outcome and its reason, results, tokens and time.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = trace_run,
	.template =
		"{=rows:{;number%>:{number%6}}  {;time%16e:{timestamp}}  "
		"{;outcome:{?outcome='ok':{+outcome%-6}|{?outcome='cut':{~outcome%-6}|"
		"{!outcome%-6}}}}  {;tool%8e:{tool_id}}  {;agent%6e:{agent_id}}  "
		"{;request%6e:{request_id}}  {;query%6e:{query_id}}  {;memory%6e:{memory_type}}  "
		"{;results:{returned_results} of {total_results}} results  "
		"{;tokens:{tokens_used} of {budget_tokens}} tokens{;cached:{?cached:  cached}}\n"
		"{;:        {query_text}\n{?reason:        {reason}\n}}}{?!rows:{2:no queries\n}"
		"|{?^next:{2:more rows: add --before {next}\n}}}",
};
