/* tool show, tool schema: one tool, for people and for agent frameworks. */
#include "common/tools.h"

struct args {
	struct str name;
	int format;
	bool wrapped;
};

static struct err *get(struct call *c, struct str name, struct tool *out)
{
	struct tool_picked p;

	TRY(tools_pick(c, name, &p));
	if (!p.own && !p.program)
		return tools_none(c, &p);
	*out = p.own ? tools_own(c->a, p.own) : *p.program;
	return NULL;
}

/* ---- tool show ---- */

static const struct param show_params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete, .help = "the tool's name"),
	{0},
};

static const struct field show_result[] = {
	{"name", "the tool's name", F_STR},
	{"description", "what it is for", F_STR},
	{"path", "the program; ikm's own have none", F_STR, OPTIONAL},
	{"parameters", "JSON Schema of what it takes", F_OBJ},
	{"returns", "JSON Schema of what it gives", F_OBJ, OPTIONAL},
	{0},
};

static struct err *tool_show_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct val *v = val_map(c->a);
	struct tool t;

	TRY(get(c, args->name, &t));
	val_set(c->a, v, "name", val_str(c->a, t.name));
	val_set(c->a, v, "description", val_str(c->a, t.description));
	if (t.path)
		val_set(c->a, v, "path", val_str(c->a, str_utf8(c->a, str_of(t.path))));
	val_set(c->a, v, "parameters", val_copy(c->a, t.input));
	if (t.output)
		val_set(c->a, v, "returns", val_copy(c->a, t.output));
	*out = v;
	return NULL;
}

/* One, or a list of them. */
static void print_type(struct call *c, const struct val *type)
{
	if (type && type->type == VAL_STR)
		out_safe(c->out, type->s, false);
	VAL_EACH(type && type->type == VAL_LIST ? type : NULL, one) {
		out_safe(c->out, one->s, false);
		out_puts(c->out, one->next ? " or " : "");
	}
}

static void print_members(struct call *c, const char *title, const struct val *schema)
{
	const struct val *need = val_get(schema, "required");

	if (!val_get(schema, "properties") || !val_get(schema, "properties")->n)
		return;
	out_fmt(c->out, "\n%s\n", title);
	VAL_EACH(val_get(schema, "properties"), m) {
		bool required = false;

		VAL_EACH(need, one)
			required = required || str_eq(one->s, m->key);
		out_puts(c->out, "  ");
		out_styled(c->out, OUT_BOLD, m->key);
		out_puts(c->out, "  ");
		print_type(c, val_get(m, "type"));
		out_puts(c->out, required ? ", required\n" : "\n");
		out_wrapped(c->out, 4, val_get_str(m, "description"));
	}
}

static void tool_show_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_styled(c->out, OUT_BOLD, val_get_str(r, "name"));
	out_puts(c->out, "\n");
	if (val_get(r, "path")) {
		out_puts(c->out, "  ");
		out_safe(c->out, val_get_str(r, "path"), false);
		out_puts(c->out, "\n");
	}
	out_wrapped(c->out, 2, val_get_str(r, "description"));
	print_members(c, "takes", val_get(r, "parameters"));
	print_members(c, "gives", val_get(r, "returns"));
}

const struct cmd cmd_tool_show = {
	.name = "tool show",
	.tool = "tool_show",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "explain a tool: what it takes and gives",
	.args_size = sizeof(struct args),
	.params = show_params,
	.result = show_result,
	.run_val = tool_show_run,
	.text_val = tool_show_text,
};

/* ---- tool schema ---- */

static const char *const formats[] = TOOL_FORMATS;

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .complete = tools_complete, .help = "the tool's name"),
	PARAM(format, .choices = formats, .def = "ikigai", .help = "which form of schema to print"),
	PARAM(wrapped, .help = "in the form ikigai, what it returns as 'tool call' gives it"),
	{0},
};

static const struct field result[] = {
	{"schema", "the document in the format that was asked for", F_OBJ},
	{0},
};

static struct err *tool_schema_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct tool t;

	if (args->wrapped && args->format != TOOL_IKIGAI)
		return err_help(err_new(E_BAD_ARGUMENT, "the form %s has no wrapped returns",
					formats[args->format]),
				"leave out --wrapped, or use --format ikigai");
	TRY(get(c, args->name, &t));
	*out = val_map(c->a);
	val_set(c->a, *out, "schema",
		val_copy(c->a,
			 tool_schema(c->a, &t, (enum tool_format)args->format, args->wrapped)));
	return NULL;
}

/* The bare document: what a shell would pipe into a validator. */
static void tool_schema_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_json(c->out, val_get(r, "schema"));
}

const struct cmd cmd_tool_schema = {
	.name = "tool schema",
	.tool = "tool_schema",
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "print a tool's schema",
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = tool_schema_run,
	.text_val = tool_schema_text,
};
