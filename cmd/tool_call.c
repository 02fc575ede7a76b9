/* tool call: runs a tool of ours, or a program that is a tool (requirement: external tools,
 * "Execution Protocol"), and the faces that do the same. */
#include "tools.h"
#include "json/json.h"

struct args {
	struct str name;
};

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete,
	      .help = "the tool's name, as 'ikm tool list' has it"),
	{0},
};

static struct err *tool_call_read_input(struct call *c, struct str *out)
{
	struct err *e = cmd_stdin(c->a, out);

	if (!e && !str_trim(*out).n)
		*out = STR("{}");
	return e;
}

/* A row of the table: the same function as on a command line. */
static struct err *run_own(struct app *app, const struct cmd *cmd, const struct val *input)
{
	struct call *c = &app->call;

	c->cmd = cmd;
	app->args = arena_alloc(c->a, size_max(cmd->args_size, 1));
	if (cmd->params)
		TRY(cmd_defaults(c->a, cmd->params, app->args));
	TRY(cmd_parse_json(c->a, cmd, input, app->args));
	return app_run(c, &app->common, app->args, &app->result);
}

static struct err *tool_call_pick(struct app *app, enum cmd_face face, struct str tool,
				  struct tool_picked *out)
{
	struct call *c = &app->call;

	c->face = face;
	c->json = true;
	app_settings(c, &app->common);
	return tools_pick(c, tool, out);
}

struct err *tools_bare(struct app *app, enum cmd_face face, struct str tool)
{
	struct call *c = &app->call;
	struct tool_picked p;
	struct tool_outcome o;
	struct str text;
	struct val *input;
	struct err *e;

	TRY(tool_call_pick(app, face, tool, &p));
	if (!p.own && !p.program)
		return tools_none(c, &p);
	TRY(tool_call_read_input(c, &text));
	if (p.program) {
		tools_run(c, &p, text, &o);
		app->result = o.result;
		return tool_error(c->a, &o);
	}
	e = json_read(c->a, text, NULL, &input);
	if (e)
		return err_in(e, "the input of %.*s", STR_ARG(p.name));
	return run_own(app, p.own, input);
}

/*
 * A person has the user's programs here without a setting. One of ours is run as on any tool face,
 * and that its operation failed is its answer.
 */
struct err *tools_wrapped(struct app *app, struct str tool)
{
	struct call *c = &app->call;
	struct tool_outcome o = {0};
	struct tool_picked p;
	struct str text;
	struct val *input;
	struct err *e;

	TRY(tool_call_pick(app, FACE_ARGV, tool, &p));
	if (!p.own && !p.program) {
		tools_not_found(c, &p, &o);
		app->result = tool_wrapper(c->a, &o);
		return NULL;
	}
	e = tool_call_read_input(c, &text);
	if (e) {
		o.code = INVALID_PARAMS;
		o.error = str_of(err_message(e));
	} else if (p.program) {
		tools_run(c, &p, text, &o);
	} else if (tool_params(c->a, text, &input, &o)) {
		c->face = FACE_CALL;
		e = run_own(app, p.own, input);
		o.result = e ? err_envelope(c->a, e) : app->result;
		c->negative = false;
	}
	app->result = tool_wrapper(c->a, &o);
	return NULL;
}

struct err *tools_document(struct app *app, struct str tool)
{
	struct tool_picked p;

	TRY(tool_call_pick(app, FACE_LIBEXEC, tool, &p));
	if (!p.own && !p.program)
		return tools_none(&app->call, &p);
	app->result = p.own ? cmd_schema(app->call.a, p.own, SCHEMA_IKIGAI) : p.program->document;
	return NULL;
}

/* The face does it: a call is no operation. */
static struct err *tool_call_run(struct call *c, const void *args, struct val **result)
{
	(void)c;
	(void)args;
	(void)result;
	BUG("tool call has no result of its own");
}

const struct cmd cmd_tool_call = {
	.name = "tool call",
	.summary = "run any tool: JSON in, the result or what went wrong in a wrapper out",
	.expose = EXPOSE_PERSON,
	.args_size = sizeof(struct args),
	.params = params,
	.run = tool_call_run,
};
