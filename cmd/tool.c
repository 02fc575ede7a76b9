/* tool list, tool refresh: the tools that exist, ikm's own and programs (requirement: external
 * tools, "Tool Discovery"). */
#include "common/tools.h"

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

static struct val *tool_cmd_text_of(struct call *c, struct str s)
{
	return val_str(c->a, str_utf8(c->a, s));
}

static void tool_cmd_add(struct call *c, struct val *list, struct str name, struct str description,
			 const char *path)
{
	struct val *v = val_add(list, val_map(c->a));

	val_set(c->a, v, "name", val_str(c->a, name));
	val_set(c->a, v, "description", val_str(c->a, description));
	if (path)
		val_set(c->a, v, "path", tool_cmd_text_of(c, str_of(path)));
}

/* By name: the table is in the order of its commands, and programs come in between. */
static void tool_cmd_add_all(struct call *c, const struct tool_settings *set,
			     const struct tools *tools, struct val *list)
{
	struct strs names = tools_names(c, set, tools);

	for (size_t i = 0; i < names.n; i++) {
		const struct tool *program = tools_get(tools, names.p[i]);

		if (program)
			tool_cmd_add(c, list, names.p[i], program->description, program->path);
		else
			tool_cmd_add(c, list, names.p[i],
				     cmd_description(c->a, cmd_find_tool(names.p[i])), NULL);
	}
}

static struct err *tools_list(struct call *c, struct val **out)
{
	struct val *list = val_list(c->a), *lost = val_list(c->a);
	struct tool_settings set;
	struct tools tools;

	TRY(tools_settings(c, &set));
	TRY(tools_programs(c, &set, (struct str){0}, &tools));
	tools_warn(c, &tools);
	tool_cmd_add_all(c, &set, &tools, list);
	for (size_t i = 0; i < tools.skipped.n; i++) {
		const struct tool_skipped *s = &tools.skipped.p[i];
		struct val *v;

		if (s->quiet)
			continue;
		v = val_add(lost, val_map(c->a));
		val_set(c->a, v, "path", tool_cmd_text_of(c, str_of(s->path)));
		val_set(c->a, v, "reason", tool_cmd_text_of(c, s->why));
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "tools", list);
	if (lost->n)
		val_set(c->a, *out, "skipped", lost);
	return NULL;
}

static struct err *tool_cmd_list_run(struct call *c, const void *args, struct val **out)
{
	(void)args;
	return tools_list(c, out);
}

static void tool_cmd_list_text(struct call *c, const void *args, const struct val *r)
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
	.toolset = SET_TOOLS,
	.traits = TOOL_READS,
	.summary = "list the tools",
	.result = list_result,
	.run_val = tool_cmd_list_run,
	.text_val = tool_cmd_list_text,
};

/* ---- tool refresh ---- */

static const struct field refresh_result[] = {
	{"available", "how many tools there are now", F_INT},
	{"message", "the same as a sentence", F_STR},
	{0},
};

static struct err *refresh(struct call *c, const void *args, struct val **out)
{
	struct val *all;
	size_t n;

	(void)args;
	TRY(tools_ask_again(c));
	TRY(tools_list(c, &all));
	n = val_get(all, "tools")->n;
	*out = val_map(c->a);
	val_set(c->a, *out, "available", val_int(c->a, (int64_t)n));
	val_set(c->a, *out, "message",
		val_str(c->a, str_fmt(c->a, "Tools refreshed. %zu tools available.", n)));
	return NULL;
}

static void refresh_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_bytes(c->out, val_get_str(r, "message"));
	out_puts(c->out, "\n");
}

const struct cmd cmd_tool_refresh = {
	.name = "tool refresh",
	.summary = "ask all programs for their schema again",
	.expose = EXPOSE_PERSON,
	.result = refresh_result,
	.run_val = refresh,
	.text_val = refresh_text,
};
