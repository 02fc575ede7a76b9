#include "app.h"

static const char *const formats[] = SCHEMA_FORMATS;

static bool is_tool(const struct cmd *c)
{
	return c->tool && c->expose != EXPOSE_PERSON && c->expose != EXPOSE_HIDDEN;
}

/* ---- tool list ---- */

static const struct field listed[] = {
	{"name", "the tool's name", F_STR},
	{"description", "what it is for", F_STR},
	{0},
};

static const struct field list_result[] = {
	{"tools", "every tool", F_LIST, .sub = listed},
	{0},
};

static struct err *list_run(struct call *c, const void *args, struct val **out)
{
	struct val *list = val_list(c->a);

	(void)args;
	for (size_t i = 0; cmd_table[i]; i++) {
		const struct cmd *cmd = cmd_table[i];
		struct val *v;

		if (!is_tool(cmd) || cmd->expose == EXPOSE_MAINTAINER)
			continue;
		v = val_add(list, val_map(c->a));
		val_set(c->a, v, "name", val_str(c->a, str_of(cmd->tool)));
		val_set(c->a, v, "description", val_str(c->a, cmd_description(c->a, cmd)));
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "tools", list);
	return NULL;
}

static void list_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "tools"), v) {
		out_styled(c->out, OUT_BOLD, val_get_str(v, "name"));
		out_puts(c->out, "\n");
		out_wrapped(c->out, 2, val_get_str(v, "description"));
	}
}

const struct cmd cmd_tool_list = {
	.name = "tool list",
	.tool = "tool_list",
	.summary = "list the tools",
	.result = list_result,
	.run = list_run,
	.text = list_text,
};

/* ---- tool schema ---- */

struct args {
	struct str name;
	int format;
};

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .help = "the tool's name"),
	PARAM(format, .choices = formats, .def = "ikigai",
	      .help = "which form of schema to print"),
	{0},
};

static const struct field result[] = {
	{"schema", "the document in the format that was asked for", F_OBJ},
	{0},
};

static struct err *run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	const struct cmd *cmd = cmd_find_tool(args->name);

	if (!cmd || !is_tool(cmd))
		return cmd_unknown_tool(c->a, args->name);
	*out = val_map(c->a);
	val_set(c->a, *out, "schema", cmd_schema(c->a, cmd, (enum schema_format)args->format));
	return NULL;
}

/* The bare document: what a shell would pipe into a validator. */
static void text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_json(c->out, val_get(r, "schema"));
}

const struct cmd cmd_tool_schema = {
	.name = "tool schema",
	.tool = "tool_schema",
	.summary = "print a tool's schema",
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = run,
	.text = text,
};
