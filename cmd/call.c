/* call: runs a tool of ikm, or a program that replaces it. The links in libexec run it too. */
#include "toolbox/all_tools.h"
#include "json/json.h"

struct args {
	struct str tool, input;
	bool schema;
};

static struct err *call_complete(struct call *c, struct str typed)
{
	c->face = FACE_CALL;
	return tools_complete(c, typed);
}

static const struct param params[] = {
	PARAM(tool, .flags = ARG | REQUIRED, .complete = call_complete,
	      .help = "the tool's name, as 'ikm help tools' lists it"),
	PARAM(input, .meta = "JSON", .flags = ARG,
	      .help = "the tool's input; without it, standard input is read"),
	PARAM(schema, .flags = HIDDEN | CLI_ONLY, .help = "print the tool's schema instead"),
	{0},
};

static struct err *call_serve(struct call *c, const struct cmd_common *common, const void *p,
			      struct val **result)
{
	const struct args *args = p;
	struct tool_picked tool;
	struct tool_outcome o;
	struct val *input;
	struct str text;
	struct err *e;

	if (c->face != FACE_LIBEXEC)
		c->face = FACE_CALL;
	app_settings_from_options(c, common);
	TRY(tools_pick_by_name(c, args->tool, &tool));
	if (!tool.own && !tool.program)
		return tools_no_such_tool(c, &tool);
	if (args->schema) {
		*result = tool.own ? cmd_schema(c->a, tool.own, SCHEMA_IKIGAI)
				   : tool.program->document;
		return NULL;
	}
	text = args->input;
	if (!text.p)
		TRY(tools_read_input(c, &text));
	if (tool.program) {
		tools_run(c, &tool, text, &o);
		*result = o.result;
		return tool_outcome_as_error(c->a, &o);
	}
	e = json_read(c->a, text, NULL, &input);
	if (e)
		return err_help(err_add_context(e, "the input of %.*s", STR_ARG(tool.name)),
				"write one JSON object; 'ikm tool show %.*s' lists its members",
				STR_ARG(tool.name));
	return app_run_json(c, common, tool.own, input, result);
}

const struct cmd cmd_call = {
	.name = "call",
	.summary = "run a tool of ikm: reads JSON, prints the plain result or error",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.serve = call_serve,
	.prints_json = true,
};
