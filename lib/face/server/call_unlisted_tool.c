/*
 * tool_call and tool_change: they call a tool that the list does not name. Without a choice of
 * toolsets the list is short, because a host gives it to its model with every request.
 *
 * A host asks its user for each tool by name. So neither calls a tool that is listed, nor one that
 * acts beyond this machine: "never allow file_write" must keep its meaning. And tool_call calls
 * only tools that read: "always allow tool_call" gives no right to change anything.
 */
#include "reply/plain_for_model.h"
#include "internal.h"

struct args {
	struct str name;
	const struct val *arguments;
};

static const struct param params[] = {
	PARAM(name, .flags = REQUIRED, .min = 1, .max = 64, .tool_help = "", .help = "the tool"),
	PARAM(arguments, .also = "args input parameters", .tool_help = "", .help = "its arguments"),
	{0},
};

/* The answer is that of the called tool, so it has no schema. */
static const struct field reach_result[] = {{0}};
static const struct plain reach_plain = {0};

#define REACH                                                                                      \
	.toolset = SET_TOOLS, .plain = &reach_plain, .result = reach_result,                       \
	CMD_PARAMS(struct args, params)

static const struct cmd reach_cmds[] = {
	{
		.name = "tool call",
		.tool = "tool_call",
		.traits = TOOL_READS,
		.description = "Call a tool of tool_list that only reads.",
		REACH,
	},
	{
		.name = "tool change",
		.tool = "tool_change",
		.description = "Call a tool of tool_list that changes things.",
		REACH,
	},
};

const struct cmd *server_meta_tool_at(const struct server_offer *o, size_t i)
{
	if (o->sets.given || i >= (o->read_only ? 1 : ARRAY_SIZE(reach_cmds)))
		return NULL;
	return &reach_cmds[i];
}

const struct cmd *server_relay_tool_named(const struct server_offer *o, struct str name)
{
	const struct cmd *c;

	for (size_t i = 0; (c = server_meta_tool_at(o, i)); i++)
		if (cmd_has_tool_name(c, name))
			return c;
	return NULL;
}

bool server_relay_may_call(const void *offer, const struct cmd *cmd)
{
	const struct server_offer *o = offer;

	return !o->sets.given && cmd->tool && cmd->expose == EXPOSE_ALL &&
	       !(cmd->traits & (TOOL_CORE | TOOL_OPEN)) &&
	       (!o->read_only || cmd->traits & TOOL_READS);
}

static struct err *server_reach_refused(const struct server_offer *o, const struct cmd *reach,
					struct str name, const struct cmd *cmd)
{
	if (cmd->traits & TOOL_OPEN)
		return err_new(E_NOT_ALLOWED, "%s runs no programs: it does not call '%.*s'",
			       reach->tool, STR_ARG(name));
	if (server_lists_cmd(o, cmd))
		return err_help(err_new(E_NOT_ALLOWED,
					"%s does not call '%.*s': it is in your list", reach->tool,
					STR_ARG(name)),
				"call %s by its own name", cmd->tool);
	if (o->read_only)
		return err_new(
			E_NOT_ALLOWED,
			"'%.*s' changes things, and this server only reads: a person started "
			"it with --read-only",
			STR_ARG(name));
	return err_help(
		err_new(E_NOT_ALLOWED, "%s does not call '%.*s'", reach->tool, STR_ARG(name)),
		"tool_list names the tools that it calls");
}

struct err *server_relay_unwrap(struct arena *a, const struct server_offer *o, struct str *name,
				struct val **input)
{
	const struct cmd *reach = server_relay_tool_named(o, *name), *cmd;
	struct val *none;
	struct args *args;
	void *p;

	if (!reach)
		return NULL;
	TRY(cmd_parse_json_new_args(a, reach, *input, &p));
	args = p;
	cmd = cmd_find_tool(args->name);
	if (cmd && !server_relay_may_call(o, cmd))
		return server_reach_refused(o, reach, args->name, cmd);
	if (!cmd) {
		struct strs names = {0};
		struct str near;

		for (size_t i = 0; cmd_table[i]; i++)
			if (server_relay_may_call(o, cmd_table[i]))
				strs_push(a, &names, str_of(cmd_table[i]->tool));
		near = cmd_tool_meant(args->name, &names);
		return err_help(err_new(E_NO_SUCH_TOOL, "there is no tool '%.*s'%s%.*s%s",
					STR_ARG(args->name), near.n ? "; did you mean '" : "",
					STR_ARG(near), near.n ? "'?" : ""),
				"tool_list names the tools that tool_call and tool_change call");
	}
	if (reach->traits & TOOL_READS && !(cmd->traits & TOOL_READS))
		return err_help(err_new(E_NOT_ALLOWED,
					"'%s' changes things, and %s only calls tools that read",
					cmd->tool, reach->tool),
				"use tool_change, with the same arguments");
	none = val_map(a);
	VAL_EACH(args->arguments, m)
		val_set_key(none, m->key, val_copy_shallow(a, m));
	*name = str_of(cmd->tool);
	*input = none;
	return NULL;
}
