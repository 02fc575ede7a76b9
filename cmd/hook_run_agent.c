/* hook run agent: what the hooks of agents' hosts call. */
#include "agent/agent.h"
#include "decisions/know_binds.h"

struct args {
	int host;
	struct str event;
};

static const struct param params[] = {
	PARAM(host, .choices = host_choices, .meta = "HOST",
	      .help = "the host whose settings call ikm; what the event shows comes first"),
	PARAM(event, .meta = "NAME", .max = 256,
	      .help = "the event's name, for events that do not have it"),
	{0},
};

struct context {
	struct call *call;
	const struct cmd_common *common;
};

/* The agent's pins. Without pins there is no text, for it would only say so. */
static struct err *hook_run_agent_pinned(void *ctx, struct arena *a, struct str *out)
{
	const struct context *x = ctx;
	struct call c = *x->call;
	struct val *v = val_map(a), *result = NULL;

	*out = STR("");
	c.json = true;
	TRY(app_run_json(&c, x->common, cmd_find(STR("context")), v, &result));
	v = val_get(result, "blocks");
	if (v && v->n)
		*out = val_get_str(result, "text");
	return NULL;
}

#define BINDS_TOKENS 300 /* of the lines for the files of one edit */

/* Files of another repository than that of the folder in which ikm runs have no lines. */
static struct err *hook_run_agent_binds(void *ctx, struct arena *a, const struct strs *paths,
					struct str *out)
{
	const struct context *x = ctx;
	struct call c = *x->call;
	struct val *v = val_map(a), *json = NULL;
	const struct binds_result *r;
	struct buf b = buf_in(a);

	*out = STR("");
	c.json = true;
	val_set(a, v, "paths", val_list_of_strs(a, paths));
	val_set(a, v, "tokens", val_int(a, BINDS_TOKENS));
	TRY(app_run_json(&c, x->common, cmd_find(STR("know for")), v, &json));
	r = c.result;
	for (size_t i = 0; i < r->rules.n; i++)
		buf_fmt(&b, "%.*s\n", STR_ARG(r->rules.p[i].line));
	for (size_t i = 0; i < r->decisions.n; i++)
		buf_fmt(&b, "%.*s\n", STR_ARG(r->decisions.p[i].line));
	for (size_t i = 0; i < r->memories.n; i++)
		buf_fmt(&b, "%.*s\n", STR_ARG(r->memories.p[i].line));
	if (b.n && r->cut.rules + r->cut.decisions + r->cut.memories)
		buf_fmt(&b, "and %jd more: ikm know for PATH\n",
			(intmax_t)(r->cut.rules + r->cut.decisions + r->cut.memories));
	if (b.n)
		*out = buf_as_str(&b);
	return NULL;
}

static struct err *hook_run_agent_serve(struct call *c, const struct cmd_common *common,
					const void *p, struct val **result)
{
	const struct args *args = p;
	struct context context = {c, common};
	struct agent_call call = {
		.by_default = args->host < 0 ? HOST_UNKNOWN : (enum host)args->host,
		.event = args->event.p ? args->event : STR(""),
		.pinned = hook_run_agent_pinned,
		.binds = hook_run_agent_binds,
		.ctx = &context,
	};
	struct host_answer answer;
	struct err *e;

	(void)result;
	app_settings_from_options(c, common);
	call.set = c->set;
	TRY(os_cwd(c->a, &c->cwd));
	call.cwd = c->cwd;
	e = cmd_stdin(c->a, "the event of an agent's host as JSON", &call.input);
	/* Too long to be read: an event that cannot be understood, like any other. */
	if (e && err_code(e) != CODE_INVALID_INPUT)
		return e;
	if (e)
		call.unread = str_fmt(c->a, "it cannot be read: %s", err_message(e));
	agent_hook_run(c->a, &call, &answer);
	app_test_note_command(c->cmd);
	out_bytes_unchanged(c->out, answer.out);
	out_bytes_unchanged(c->err, answer.err);
	c->status = answer.status;
	return NULL;
}

const struct cmd cmd_hook_run_agent = {
	.name = "hook run agent",
	.summary = "answer an event of an agent's host, read from standard input",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.serve = hook_run_agent_serve,
};
