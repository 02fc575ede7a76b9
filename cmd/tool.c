/* tool list, show and schema: what tools there are, ikm's own and programs (seed 004, "/tool"). */
#include "tools.h"

/* ---- tool list ---- */

static const struct field listed[] = {
	{"name", "the tool's name", F_STR},
	{"description", "what it is for", F_STR},
	{"path", "the program; ikm's own have none", F_STR, OPTIONAL},
	{0},
};

static const struct field skipped[] = {
	{"path", "the program", F_STR},
	{"reason", "why it is no tool", F_STR},
	{0},
};

static const struct field list_result[] = {
	{"tools", "every tool, by name", F_LIST, .sub = listed},
	{"skipped", "programs that did not become tools", F_LIST, OPTIONAL, .sub = skipped},
	{0},
};

static struct val *text_of(struct call *c, struct str s)
{
	return val_str(c->a, str_utf8(c->a, s));
}

static void add(struct call *c, struct val *list, struct str name, struct str description,
		const char *path)
{
	struct val *v = val_add(list, val_map(c->a));

	val_set(c->a, v, "name", val_str(c->a, name));
	val_set(c->a, v, "description", val_str(c->a, description));
	if (path)
		val_set(c->a, v, "path", text_of(c, str_of(path)));
}

/* By name: the table is in the order of its commands, and programs come in between. */
static void add_all(struct call *c, const struct tool_settings *set, const struct tools *tools,
		    struct val *list)
{
	struct strs names = {0};

	for (size_t i = 0; cmd_table[i]; i++)
		if (tools_offers(c, set, cmd_table[i]))
			strs_push(c->a, &names, str_of(cmd_table[i]->tool));
	for (size_t i = 0; i < tools->n; i++)
		strs_push(c->a, &names, tools->p[i].name);
	strs_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		const struct tool *program = tools_get(tools, names.p[i]);

		if (program)
			add(c, list, names.p[i], program->description, program->path);
		else
			add(c, list, names.p[i],
			    cmd_description(c->a, cmd_find_tool(names.p[i])), NULL);
	}
}

struct err *tools_list(struct call *c, struct val **out)
{
	struct val *list = val_list(c->a), *lost = val_list(c->a);
	struct tool_settings set;
	struct tools tools;

	TRY(tools_settings(c, &set));
	TRY(tools_programs(c, &set, (struct str){0}, &tools));
	tools_warn(c, &tools);
	add_all(c, &set, &tools, list);
	for (size_t i = 0; i < tools.skipped.n; i++) {
		const struct tool_skipped *s = &tools.skipped.p[i];
		struct val *v;

		if (s->quiet)
			continue;
		v = val_add(lost, val_map(c->a));
		val_set(c->a, v, "path", text_of(c, str_of(s->path)));
		val_set(c->a, v, "reason", text_of(c, s->why));
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "tools", list);
	if (lost->n)
		val_set(c->a, *out, "skipped", lost);
	return NULL;
}

static struct err *list_run(struct call *c, const void *args, struct val **out)
{
	(void)args;
	return tools_list(c, out);
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

/* ---- tool show, tool schema ---- */

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

static const struct param show_params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .help = "the tool's name"),
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

static struct err *show_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct val *v = val_map(c->a);
	struct tool t;

	TRY(get(c, args->name, &t));
	val_set(c->a, v, "name", val_str(c->a, t.name));
	val_set(c->a, v, "description", val_str(c->a, t.description));
	if (t.path)
		val_set(c->a, v, "path", text_of(c, str_of(t.path)));
	val_set(c->a, v, "parameters", val_copy(c->a, t.input));
	if (t.output)
		val_set(c->a, v, "returns", val_copy(c->a, t.output));
	*out = v;
	return NULL;
}

/* "  path  string, required": a type may be a list, and what is no object says nothing. */
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
		out_safe(c->out, val_get_str(m, "type"), false);
		out_puts(c->out, required ? ", required\n" : "\n");
		out_wrapped(c->out, 4, val_get_str(m, "description"));
	}
}

static void show_text(struct call *c, const void *args, const struct val *r)
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
	.summary = "explain a tool: what it takes and gives",
	.args_size = sizeof(struct args),
	.params = show_params,
	.result = show_result,
	.run = show_run,
	.text = show_text,
};

static const char *const formats[] = TOOL_FORMATS;

static const struct param params[] = {
	PARAM(name, .flags = ARG | REQUIRED, .help = "the tool's name"),
	PARAM(format, .choices = formats, .def = "ikigai",
	      .help = "which form of schema to print"),
	PARAM(wrapped, .help = "in the form ikigai, what it returns as 'tool call' gives it"),
	{0},
};

static const struct field result[] = {
	{"schema", "the document in the format that was asked for", F_OBJ},
	{0},
};

static struct err *run(struct call *c, const void *p, struct val **out)
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
		val_copy(c->a, tool_schema(c->a, &t, (enum tool_format)args->format,
					   args->wrapped)));
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
