/* trace: what tools asked of the memories, what was denied and cut (requirement: memory
 * queries, "Error Handling"). */
#include "request/trace.h"
#include "common/memories.h"
#include "common/time_param.h"

static const char *const outcomes[] = TRACE_OUTCOMES;

struct args {
	struct str request, tool, agent, memory_type, since, until;
	int outcome;
	int64_t before, limit;
};

static const struct param params[] = {
	PARAM(request, .letter = 'r', .meta = "id", .min = 1, .max = 256,
	      .help = "of this request"),
	PARAM(tool, .letter = 't', .meta = "id", .min = 1, .max = 128, .help = "of this tool"),
	PARAM(agent, .option = "by-agent", .meta = "id", .min = 1, .max = 256,
	      .help = "of this agent; tools see their own agent's only"),
	PARAM(memory_type, .meta = "type", .min = 1, .max = 64, .help = "of this memory"),
	PARAM(outcome, .letter = 'o', .choices = outcomes, .help = "with this outcome"),
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "not before: " WHEN_HELP),
	PARAM(until, .meta = "time", .min = 1, .max = 64, .help = "before"),
	PARAM(before, .meta = "number", .min = 1, .max = CMD_INT_MAX, .page = "number",
	      .help = "older than this row: the next page"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000, .help = "how many"),
	{0},
};

static const struct field row_fields[] = {
	{"number", "of the row", F_INT},
	{"timestamp", "when", F_STR},
	{"request_id", "of the request", F_STR},
	{"tool_id", "for which tool", F_STR},
	{"agent_id", "the agent that asked", F_STR},
	{"named_agent_id", "another agent, which the request named as its own", F_STR, OPTIONAL},
	{"task_id", "in which task, or empty", F_STR},
	{"query_id", "of the query", F_STR},
	{"memory_type", "which memory", F_STR},
	{"query_text", "what was asked; the first 1024 bytes", F_STR},
	{"outcome", "what became of it", F_STR, .choices = outcomes},
	{"reason", "why it is not ok, or empty", F_STR},
	{"total_results", "before limit and budget", F_INT},
	{"returned_results", "how many", F_INT},
	{"budget_tokens", "what was left for it", F_INT},
	{"tokens_used", "by the results", F_INT},
	{"query_time_ms", "how long it took", F_NUM},
	{"cached", "it had been found before", F_BOOL},
	{0},
};
static const struct field result[] = {
	{"rows", "one for each query, the newest first", F_LIST, .sub = row_fields},
	{"next", "give it as before to get the next page", F_INT, OPTIONAL},
	{0},
};

static struct val *row_val(struct arena *a, const struct trace_row *r)
{
	struct val *v = val_map(a);

	val_set(a, v, "number", val_int(a, r->seq));
	val_set(a, v, "timestamp", val_str(a, os_time_text(a, r->time, true)));
	val_set(a, v, "request_id", val_str(a, r->request));
	val_set(a, v, "tool_id", val_str(a, r->tool));
	val_set(a, v, "agent_id", val_str(a, r->agent));
	if (r->named_agent.n)
		val_set(a, v, "named_agent_id", val_str(a, r->named_agent));
	val_set(a, v, "task_id", val_str(a, r->task));
	val_set(a, v, "query_id", val_str(a, r->query));
	val_set(a, v, "memory_type", val_str(a, r->memory_type));
	val_set(a, v, "query_text", val_str(a, r->text));
	val_set(a, v, "outcome", val_str(a, str_of(outcomes[r->outcome])));
	val_set(a, v, "reason", val_str(a, r->reason));
	val_set(a, v, "total_results", val_int(a, r->total));
	val_set(a, v, "returned_results", val_int(a, r->returned));
	val_set(a, v, "budget_tokens", val_int(a, r->budget));
	val_set(a, v, "tokens_used", val_int(a, r->tokens));
	val_set(a, v, "query_time_ms", val_double(a, (double)r->time_us / 1000));
	val_set(a, v, "cached", val_bool(a, r->cached));
	return v;
}

static struct err *trace_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct trace_filter f = {
		.request = args->request,
		.tool = args->tool,
		.agent = args->agent,
		.memory_type = args->memory_type,
		.outcome = args->outcome,
		.before = args->before,
		.limit = (size_t)args->limit + 1,
	};
	struct trace_list all;
	struct memories *m;
	struct val *rows;
	size_t n;

	TRY(mem_open(c, &m));
	f.user = m->who.user;
	TRY(when_read(args->since, "since", &f.since));
	TRY(when_read(args->until, "until", &f.until));
	if (c->face != FACE_ARGV) {
		if (f.agent.p && !str_eq(f.agent, m->who.agent))
			return err_new(E_NOT_ALLOWED,
				       "agent '%.*s' cannot see the trace of agent "
				       "'%.*s'",
				       STR_ARG(m->who.agent), STR_ARG(f.agent));
		f.agent = m->who.agent;
	}
	TRY(trace_query(m->db, c->a, &f, &all));
	n = size_min(all.n, (size_t)args->limit);
	*out = val_map(c->a);
	rows = val_set(c->a, *out, "rows", val_list(c->a));
	for (size_t i = 0; i < n; i++)
		val_add(rows, row_val(c->a, &all.p[i]));
	if (all.n > n)
		val_set(c->a, *out, "next", val_int(c->a, all.p[n - 1].seq));
	return NULL;
}

static void trace_print(struct out *o, const struct val *v)
{
	static const enum out_style styles[] = {OUT_GREEN, OUT_YELLOW, OUT_RED, OUT_RED};
	static const char *const names[] = {"tool_id", "agent_id", "request_id", "query_id",
					    "memory_type"};
	struct str outcome = val_get_str(v, "outcome");
	size_t i = 0;

	out_fmt(o, "%6jd  %.*s  ", (intmax_t)val_get_int(v, "number"),
		STR_ARG(val_get_str(v, "timestamp")));
	while (outcomes[i] && !str_is(outcome, outcomes[i]))
		i++;
	out_style(o, styles[size_min(i, ARRAY_SIZE(styles) - 1)]);
	out_fmt(o, "%-6.*s", STR_ARG(outcome));
	out_style(o, OUT_PLAIN);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		out_puts(o, "  ");
		out_safe(o, val_get_str(v, names[i]), false);
	}
	out_fmt(o, "  %jd of %jd results  %jd of %jd tokens%s\n",
		(intmax_t)val_get_int(v, "returned_results"),
		(intmax_t)val_get_int(v, "total_results"), (intmax_t)val_get_int(v, "tokens_used"),
		(intmax_t)val_get_int(v, "budget_tokens"),
		val_get(v, "cached")->b ? "  cached" : "");
	out_puts(o, "        ");
	out_safe(o, val_get_str(v, "query_text"), false);
	out_puts(o, "\n");
	if (!val_get_str(v, "reason").n)
		return;
	out_puts(o, "        ");
	out_safe(o, val_get_str(v, "reason"), false);
	out_puts(o, "\n");
}

static void trace_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "rows"), v)
		trace_print(c->out, v);
	if (!val_get(r, "rows")->n)
		out_puts(c->err, "no queries\n");
	else if (val_get(r, "next"))
		out_fmt(c->err, "there are more: --before %jd\n", (intmax_t)val_get_int(r, "next"));
}

const struct cmd cmd_trace = {
	.name = "trace",
	.tool = "trace_query",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "list tools' memory queries, newest first: answered, denied, cut",
	.description = "List the turn trace, newest first: which tool asked which memory for what, "
		       "what was denied, cut or failed and why, results, tokens and time.",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = trace_run,
	.text_val = trace_text,
};
