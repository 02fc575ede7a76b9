/* Fills struct requests from the settings, and reads a request's object from a file. */
#include "request_input.h"
#include "app/client_info.h"
#include "json/json.h"

const struct param agent_context_params[] = {
	PARAM_OF(struct agent_context, agent_id, .min = 1, .max = 256,
		 .help = "the agent; it must be the agent that asks"),
	PARAM_OF(struct agent_context, task_id, .max = 256, .help = "the task"),
	PARAM_OF(struct agent_context, plan_id, .max = 256, .help = "the plan"),
	PARAM_OF(struct agent_context, rest, .flags = REST | JSON_ONLY | HIDDEN,
		 .help = "further members"),
	{0},
};

const struct field agent_context_fields[] = {
	FIELD_OF(struct agent_context, agent_id, "the agent", .flags = OPTIONAL),
	FIELD_OF(struct agent_context, task_id, "the task", .flags = OPTIONAL),
	FIELD_OF(struct agent_context, plan_id, "the plan", .flags = OPTIONAL),
	{0},
};

struct err *requests_open_memories(struct call *c, struct requests **out)
{
	struct requests *r = ARENA_NEW(c->a, struct requests);

	TRY(mem_open(c, &r->memories));
	if (c->client)
		r->cache = c->client->queries;
	r->home = os_ikigai_home(c->a);
	r->trace_keep_ms = c->conf->trace_keep_days * DAY_MS;
	r->recency_days[ACCESS_EPISODIC] = c->conf->memory_recency_episodic;
	r->recency_days[ACCESS_SEMANTIC] = c->conf->memory_recency_semantic;
	r->recency_days[ACCESS_WORKING] = c->conf->memory_recency_working;
	r->recency_days[ACCESS_SCRATCH_PAGE] = c->conf->memory_recency_scratch;
	r->recency_days[ACCESS_CONVERSATION] = c->conf->memory_recency_conversation;
	*out = r;
	return NULL;
}

struct err *request_from_file(struct call *c, struct str file, void *args)
{
	bool in = !file.p || str_is(file, "-");
	const char *name = in ? "standard input" : str_c(c->a, file);
	struct str text;
	struct val *v;
	struct err *e = in ? cmd_stdin(c->a, "the request as JSON", &text)
			   : os_read_path(c->a, name, JSON_BYTES_MAX, &text);

	if (e)
		return e;
	e = json_read(c->a, text, NULL, &v);
	if (e)
		err_help(e, "write one JSON object; 'man ikm-mem' shows its form");
	else
		e = cmd_parse_json(c->a, c->cmd, v, args);
	return e ? err_add_context(e, "%s", name) : NULL;
}
