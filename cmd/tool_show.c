/* tool show, tool schema: describe one tool, for people and for agent frameworks. */
#include "toolbox/all_tools.h"
#include "json/json.h"

struct args {
	struct str name;
	int format;
	bool wrapped;
};

static struct err *get(struct call *c, struct str name, struct tool *out)
{
	struct tool_picked p;

	TRY(tools_pick_by_name(c, name, &p));
	if (!p.own && !p.program)
		return tools_no_such_tool(c, &p);
	*out = p.own ? tools_cmd_as_tool(c->a, p.own) : *p.program;
	return NULL;
}

/* ---- tool show ---- */

static const struct param show_params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete, .help = "the tool's name"),
	{0},
};

#define TOOL(member, name, help, ...) FIELD_AS(struct tool, member, name, help, __VA_ARGS__)
static const struct field show_result[] = {
	TOOL(name, "name", "the tool's name"),
	TOOL(description, "description", "its purpose"),
	TOOL(path, "path", "the program; a tool of ikm has none", .flags = OPTIONAL),
	FIELD_TREE(struct tool, input, "parameters", F_OBJ, NULL, "JSON Schema of its parameters"),
	FIELD_TREE(struct tool, output, "returns", F_OBJ, NULL, "JSON Schema of its result",
		   .flags = OPTIONAL),
	{0},
};

static struct err *tool_show_run(struct call *c, const void *p, void *out)
{
	return get(c, ((const struct args *)p)->name, out);
}

static struct str tool_show_value(struct call *c, const struct val *v)
{
	return v->type == VAL_STR || v->type == VAL_NUM ? v->s : json_text(c->a, v);
}

static void print_members(struct call *c, const char *title, const struct val *schema)
{
	const struct val *need = val_get(schema, "required");

	if (!val_get(schema, "properties") || !val_get(schema, "properties")->n)
		return;
	out_fmt(c->out, "\n%s\n", title);
	VAL_EACH(val_get(schema, "properties"), m) {
		bool required = false;
		const struct val *type = val_get(m, "type"), *def = val_get(m, "default");
		const struct val *least = val_get(m, "minimum"), *most = val_get(m, "maximum");
		const struct val *of = val_get(m, "enum");
		struct strs names = {0};

		VAL_EACH(need, one)
			required = required || str_eq(one->s, m->key);
		out_puts(c->out, "  ");
		out_styled(c->out, OUT_BOLD, m->key);
		out_puts(c->out, "  ");
		if (type && type->type == VAL_STR)
			out_safe(c->out, type->s, false);
		VAL_EACH(type && type->type == VAL_LIST ? type : NULL, one) {
			out_safe(c->out, one->s, false);
			out_puts(c->out, one->next ? " or " : "");
		}
		out_puts(c->out, required ? ", required" : "");
		/* "1 to 100", "at least 1", and the default. */
		if (least) {
			out_puts(c->out, most ? ", " : ", at least ");
			out_safe(c->out, tool_show_value(c, least), false);
		}
		if (most) {
			out_puts(c->out, least ? " to " : ", at most ");
			out_safe(c->out, tool_show_value(c, most), false);
		}
		if (def) {
			out_puts(c->out, ", default ");
			out_safe(c->out, tool_show_value(c, def), false);
		}
		out_puts(c->out, "\n");
		out_wrapped(c->out, 4, val_get_str(m, "description"));
		if (!of)
			of = val_get(val_get(m, "items"), "enum");
		VAL_EACH(of && of->type == VAL_LIST ? of : NULL, one)
			strs_push(c->a, &names, tool_show_value(c, one));
		if (names.n)
			out_wrapped(c->out, 4,
				    str_fmt(c->a, "one of: %.*s",
					    STR_ARG(str_join(c->a, &names, ", "))));
	}
}

static void tool_show_text(struct call *c, const void *args, const void *p)
{
	const struct tool *t = p;

	(void)args;
	out_styled(c->out, OUT_BOLD, t->name);
	out_puts(c->out, "\n");
	if (t->path) {
		out_puts(c->out, "  ");
		out_safe_line(c->out, str_of(t->path));
	}
	out_wrapped(c->out, 2, t->description);
	print_members(c, "takes", t->input);
	print_members(c, "gives", t->output);
}

const struct cmd cmd_tool_show = {
	.name = "tool show",
	.tool = "tool_show",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "explain a tool, its parameters and its result",
	CMD_PARAMS(struct args, show_params),
	CMD_RESULT(struct tool, show_result),
	.run = tool_show_run,
	.text = tool_show_text,
};

/* ---- tool schema ---- */

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete, .help = "the tool's name"),
	PARAM(format, .choices = tool_formats, .def = "ikigai", .help = "the form of the schema"),
	PARAM(wrapped, .help = "describe the result inside the wrapper of 'tool call' (only form "
			       "ikigai)"),
	{0},
};

struct result {
	struct val *schema;
};

static const struct field result[] = {
	FIELD_TREE(struct result, schema, "schema", F_OBJ, NULL, "the document in this format"),
	{0},
};

static struct err *tool_schema_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct tool t;

	if (args->wrapped && args->format != TOOL_IKIGAI)
		return err_help(err_new(E_BAD_ARGUMENT, "the form %s has no wrapped returns",
					tool_formats[args->format]),
				"leave out --wrapped, or use --format ikigai");
	TRY(get(c, args->name, &t));
	r->schema = tool_schema(c->a, &t, (enum tool_format)args->format, args->wrapped);
	return NULL;
}

/* Prints the bare document, so that a shell can pipe it into a validator. */
static void tool_schema_text(struct call *c, const void *args, const void *r)
{
	(void)args;
	out_json(c->out, ((const struct result *)r)->schema);
}

const struct cmd cmd_tool_schema = {
	.name = "tool schema",
	.tool = "tool_schema",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "print a tool's schema",
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = tool_schema_run,
	.text = tool_schema_text,
};
