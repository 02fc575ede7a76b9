/* tool call: runs a tool of ikm, or a program that is a tool (requirement: external tools,
 * "Execution Protocol"). */
#include "toolbox/all_tools.h"

struct args {
	struct str name;
};

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete,
	      .help = "the tool's name, from 'ikm tool list'"),
	{0},
};

/* On a command line the user's programs need no setting. A tool of ikm runs as on any tool face; a
 * failure of its operation is its answer. */
static struct err *tool_call_serve(struct call *c, const struct cmd_common *common, const void *p,
				   struct val **result)
{
	const struct args *args = p;
	struct tool_outcome o = {0};
	struct tool_picked tool;
	struct str text;
	struct val *input;
	struct err *e;

	app_settings_from_options(c, common);
	TRY(tools_pick_by_name(c, args->name, &tool));
	if (!tool.own && !tool.program) {
		tools_report_not_found(c, &tool, &o);
		*result = tool_outcome_wrap(c->a, &o);
		return NULL;
	}
	e = tools_read_input(c, &text);
	if (e) {
		o.code = INVALID_PARAMS;
		o.error = str_of(err_message(e));
	} else if (tool.program) {
		tools_run(c, &tool, text, &o);
	} else if (tool_input_parse(c->a, text, &input, &o)) {
		c->face = FACE_CALL;
		e = app_run_json(c, common, tool.own, input, &o.result);
		o.result = e ? err_envelope(c->a, e) : o.result;
		c->negative = false;
	}
	*result = tool_outcome_wrap(c->a, &o);
	return NULL;
}

const struct cmd cmd_tool_call = {
	.name = "tool call",
	.summary = "run a tool with JSON; print its result or error in a wrapper",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.serve = tool_call_serve,
	.prints_json = true,
};
